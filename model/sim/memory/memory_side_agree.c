/* memory_side_agree.c - how L2s of several chips that keep each other's lines agree, from one launch to the next: rows
 * of chiplet_policies.def. What all share is here: who acquires and releases, invalidations of directories, and what is
 * counted and checked on the way. */
#include "model/sim/memory/memory_side_internal.h"

#include "base/status.h"
#include "model/machine/machine.h"

#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------------ making */

static int make_directories(ws_memory_side *side)
{
    const ws_directory_options o = ws_package_directory_of(side->machine);
    int status = WS_OK;
    for (uint32_t i = 0; i < side->chips && !status; i++)
        status = ws_directory_create(&o, &side->agreement->directory[i]);
    return status;
}

/* Where the line of a request is at home, which a first touch settles. */
static int look_home(ws_memory_side *side, const slice *l, ws_coherence_message *m)
{
    const agreement *const a = side->agreement;
    uint32_t number = 0;
    const int status = ws_homes_slice(&side->homes, m->block, l->chip, &number);
    if (!status)
        m->note = number / side->homes.map.slices != l->chip ? a->note[m->type] : 0;
    if (!status && a->versions && m->type == WS_MESSAGE_WRITE)
        return ws_chip_versions_store(a->versions, l->chip, m->block, m->mask);
    return status;
}

/* Notes of requests whose lines are at home on other chips: what passes leaves no copy. */
static void set_notes(agreement *a, const ws_machine *m)
{
    memset(a->note, WS_AGREE_REMOTE, sizeof a->note);
    a->note[WS_MESSAGE_READ] |= m->package_remote_read ? 0 : WS_AGREE_PASS;
    a->note[WS_MESSAGE_WRITE] |= m->package_remote_store == WS_REMOTE_STORE_BACK ? 0 : WS_AGREE_PASS;
}

int agree_make(ws_memory_side *side, bool check)
{
    const ws_machine *const m = side->machine;
    if (!ws_machine_keeps_remote(m))
        return WS_OK;
    agreement *const a = side->agreement = calloc(1, sizeof *side->agreement);
    if (!a)
        return ws_fail(WS_EMEM, "no memory for the memory side of a machine");
    side->crossing = &side_slices_cross;
    a->policy = m->package_coherence;
    a->copies = ws_machine_slice_map(m);
    a->table = ws_package_table_of(m);
    set_notes(a, m);
    if (m->package_atomic_buffer || (a->note[WS_MESSAGE_READ] | a->note[WS_MESSAGE_WRITE]) & WS_AGREE_PASS ||
        !a->policy->gives_up || check)
        a->look = look_home;
    int status = a->policy->by_table ? ws_cct_create(&a->table.cct, &a->cct) : WS_OK;
    if (!status && a->policy->directories)
        status = make_directories(side);
    if (!status && check)
        status = ws_chip_versions_create(side->chips, m->l2_line, &a->versions);
    return status ? status : sums_make(side);
}

void agree_fini(ws_memory_side *side)
{
    agreement *const a = side->agreement;
    if (!a)
        return;
    sums_fini(side);
    ws_cct_destroy(a->cct);
    for (uint32_t i = 0; i < WS_CHIPLETS_MOST; i++)
        ws_directory_destroy(a->directory[i]);
    ws_chip_versions_destroy(a->versions);
    free(a);
}

/* ------------------------------------------------------------------------------------------------ requests of SMs */

void agree_count_served(ws_memory_side *side, const slice *l, const ws_coherence_message *m)
{
    agreement *const a = side->agreement;
    a->counts.requests += a->look != NULL;
    a->counts.remote += a->look ? m->note & WS_AGREE_REMOTE : 0;
    sums_count(side, l, m);
}

/* What goes from a slice to an SM or to the home of a line. */
int agree_follow(ws_memory_side *side, const slice *l, const ws_coherence_message *m)
{
    ws_chip_versions *const v = side->agreement->versions;
    switch (m->type) {
    case WS_MESSAGE_FILL:
        return ws_chip_versions_load(v, l->chip, m->block, m->mask);
    case WS_MESSAGE_DRAM_READ:
        return ws_chip_versions_fetch(v, l->chip, m->block, m->mask);
    case WS_MESSAGE_DRAM_WRITE:
        return ws_chip_versions_write_back(v, l->chip, m->block, m->mask);
    case WS_MESSAGE_ATOMIC:
        return ws_chip_versions_update(v, m->block, m->mask);
    default:
        return WS_OK;
    }
}

/* ------------------------------------------------------------------------------------------------ directories */

/* A message to a chip: all lines of the region go. `stored` is the line because of which, or none of them. */
static int invalidate(ws_memory_side *side, home *h, uint32_t on_chip, uint64_t region, uint64_t stored)
{
    const ws_directory_options o = ws_package_directory_of(side->machine);
    ws_coherence_message m = side_message(WS_MESSAGE_INVALIDATE, region * o.lines, side_all_words(side));
    uint32_t slot;
    m.id = (uint16_t)o.lines;
    m.tag = (uint16_t)(stored - m.block < o.lines ? stored - m.block : WS_AGREE_NO_LINE);
    const slice *const l = home_keeper(side, on_chip, m.block);
    const int status = ws_message_pool_hold(&side->messages, &m, &slot);
    if (status)
        return status;
    side_count_message(side, &m, side->l1->ops->message_bytes(side->l1->shared, side->machine, &m));
    return ws_fifo_add(&h->up, side->now, slot | (uint64_t)l->number << 32);
}

/* It has come: copies end wherever the chip keeps them. */
int agree_give_up(ws_memory_side *side, uint32_t on_chip, const ws_coherence_message *m)
{
    int status = WS_OK;
    for (uint32_t i = 0; i < m->id && status >= 0; i++) {
        const uint64_t block = m->block + i;
        slice *const l = home_keeper(side, on_chip, block);
        const bool held = side->l2->ops->chips->holds(side->l2->shared, l->cache, block);
        side->agreement->counts.invalidated += held;
        side->agreement->counts.false_invalidated += held && i != m->tag;
        status = side_take_copy(side, l, block, m->mask);
    }
    return status;
}

static int invalidate_all(ws_memory_side *side, home *h, uint32_t chips, uint64_t region, uint64_t stored)
{
    int status = WS_OK;
    for (; chips && !status; chips &= chips - 1)
        status = invalidate(side, h, (uint32_t)__builtin_ctz(chips), region, stored);
    return status;
}

/* What a slice of chip `from` asks is at the home of the line. */
int agree_at_home(ws_memory_side *side, home *h, const ws_coherence_message *m, uint32_t from)
{
    ws_directory *const d = side->agreement->directory[h->chip];
    if (!d)
        return WS_OK;
    const ws_directory_result r = m->type == WS_MESSAGE_DRAM_READ ? ws_directory_load(d, m->block, from, h->chip)
                                                                  : ws_directory_store(d, m->block, from, h->chip);
    side->agreement->counts.invalidations += (uint64_t)__builtin_popcount(r.invalidate);
    side->agreement->counts.evictions += (uint64_t)__builtin_popcount(r.evict);
    const int status = invalidate_all(side, h, r.invalidate, r.written, m->block);
    return status ? status : invalidate_all(side, h, r.evict, r.evicted, UINT64_MAX);
}

/* ------------------------------------------------------------------------------------------------ launches */

static bool is_of(const slice *l, uint32_t chips)
{
    return chips >> l->chip & 1;
}

static void give_clean_up(ws_memory_side *side, uint32_t chips)
{
    for (uint32_t i = 0; i < side->slices; i++)
        if (is_of(&side->slice[i], chips))
            side->l2->ops->chips->acquire(side->l2->shared, side->slice[i].cache);
}

static void acquire(ws_memory_side *side, uint32_t chips)
{
    side->agreement->counts.acquires += (uint64_t)__builtin_popcount(chips);
    give_clean_up(side, chips);
}

static bool stays(void *context, uint64_t block)
{
    (void)context, (void)block;
    return true;
}

static int release(ws_memory_side *side, uint32_t chips, ws_slice_stays *which)
{
    const uint64_t before = side->counted.sent[WS_MESSAGE_DRAM_WRITE];
    int status = WS_OK;
    side->agreement->counts.releases += (uint64_t)__builtin_popcount(chips);
    for (uint32_t i = 0; i < side->slices && !status; i++)
        if (is_of(&side->slice[i], chips))
            status = side_release_slice(side, &side->slice[i], which);
    side->agreement->counts.flushed += side->counted.sent[WS_MESSAGE_DRAM_WRITE] - before;
    return status;
}

/* What a launch asks of the chips, by the policy; and how long the table takes for it. */
static int find_operations(ws_memory_side *side, const ws_chiplet_kernel *kernel, uint64_t blocks, ws_cct_operations *o,
                           double *seconds)
{
    agreement *const a = side->agreement;
    const ws_chiplet_kernel nobody_knows = {.scheduled = ws_chiplet_schedule(blocks, side->chips)};
    ws_cct_operations table = {0};
    const int status = a->cct ? ws_cct_launch(a->cct, kernel ? kernel : &nobody_knows, &table) : WS_OK;
    a->counts.merged += table.merged;
    *seconds = a->cct ? ws_package_table_time(&a->table, table.looked_up, table.acquires || table.releases) : 0;
    *o = a->policy->launch(&table, (1u << side->chips) - 1);
    a->end_releases = o->end_releases;
    return status;
}

/* Acquires come first, or what is written back now would be lost. */
static int operate(ws_memory_side *side, const ws_cct_operations *o)
{
    acquire(side, o->acquires);
    const int status = release(side, o->releases, stays);
    if (side->agreement->cct && side->agreement->table.cct.release_empties)
        give_clean_up(side, o->releases);
    return status;
}

int ws_memory_side_begin_launch(ws_memory_side *side, const ws_chiplet_kernel *kernel, uint64_t blocks, uint64_t now,
                                uint64_t *cycles)
{
    ws_cct_operations o;
    double seconds;
    *cycles = 0;
    if (!side->agreement)
        return WS_OK;
    side->now = now;
    side->agreement->counts.launches++;
    if (side->agreement->versions)
        ws_chip_versions_next(side->agreement->versions);
    int status = find_operations(side, kernel, blocks, &o, &seconds);
    if (!status)
        status = operate(side, &o);
    *cycles = (uint64_t)(seconds * side->machine->chip_core_clock * 1e3 + 0.5);
    return status;
}

void ws_memory_side_settled(ws_memory_side *side, uint64_t cycles)
{
    if (side->agreement)
        side->agreement->counts.settled += cycles;
}

int agree_end_launch(ws_memory_side *side)
{
    agreement *const a = side->agreement;
    const uint32_t chips = a->end_releases;
    const int status = sums_flush(side);
    a->end_releases = 0;
    if (status || !chips)
        return status;
    return release(side, chips, a->policy->gives_up ? side_is_at_home : stays);
}

ws_package_counts ws_memory_side_agreed(const ws_memory_side *side)
{
    return side->agreement ? side->agreement->counts : (ws_package_counts){0};
}

uint64_t ws_memory_side_versions(const ws_memory_side *side)
{
    return side->agreement && side->agreement->versions ? ws_chip_versions_checked(side->agreement->versions) : 0;
}

/* ------------------------------------------------------------------------------------------------ checkpoints */

void agree_save(const ws_memory_side *side, ws_bytes *bytes)
{
    const agreement *const a = side->agreement;
    ws_bytes_add(bytes, &a->counts, sizeof a->counts);
    ws_bytes_add_varint(bytes, a->end_releases);
    if (a->cct)
        ws_cct_save(a->cct, bytes);
    for (uint32_t i = 0; i < side->chips && a->directory[i]; i++)
        ws_directory_save(a->directory[i], bytes);
    sums_save(side, bytes);
}

int agree_load(ws_memory_side *side, ws_reader *reader)
{
    agreement *const a = side->agreement;
    const uint8_t *const from = ws_read_bytes(reader, sizeof a->counts);
    if (!from)
        return ws_fail(WS_EINPUT, "the checkpoint ends within the memory side");
    memcpy(&a->counts, from, sizeof a->counts);
    a->end_releases = (uint32_t)ws_read_varint(reader);
    int status = a->cct ? ws_cct_restore(a->cct, reader) : WS_OK;
    for (uint32_t i = 0; i < side->chips && a->directory[i] && !status; i++)
        status = ws_directory_restore(a->directory[i], reader);
    return status ? status : sums_load(side, reader);
}
