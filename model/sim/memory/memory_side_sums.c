/* memory_side_sums.c - the second level of local atomic buffers: updates of the SMs of a chip meet in front of its L2,
 * and leave the chip as sums.
 *
 * Each slice has its part of the chip's buffer (chip_buffer.h). An update is done, for its SM, when it is kept here.
 * What leaves goes to the home of its line like any atomic operation of the chip, whose own L2 gives the line up then.
 * All leave when the launch ends. A launch that orders anything beyond its blocks has no buffer of this level: a fence
 * would have to wait for all slices of its chip, and the study has no such kernel. */
#include "model/sim/memory/memory_side_internal.h"

#include "base/bits.h"
#include "base/status.h"
#include "model/machine/machine.h"

#include <string.h>

/* ------------------------------------------------------------------------------------------------ making */

static int check_lines(const ws_memory_side *side)
{
    const uint32_t lines = side->machine->package_atomic_buffer, slices = side->homes.map.slices;
    return lines % slices ? ws_fail(WS_EINPUT,
                                    "machine %s: package.atomic_buffer is %u lines, of which each L2 slice of a chip "
                                    "has a part; expected a multiple of %u slices",
                                    side->machine->name, lines, slices)
                          : WS_OK;
}

int sums_make(ws_memory_side *side)
{
    if (!side->machine->package_atomic_buffer)
        return WS_OK;
    side->agreement->sums.ledger = WS_TABLE(int64_t);
    int status = check_lines(side);
    for (uint32_t i = 0; i < side->slices && !status; i++)
        status =
            ws_chip_buffer_create(side->machine->package_atomic_buffer / side->homes.map.slices, &side->slice[i].sums);
    return status;
}

void sums_fini(ws_memory_side *side)
{
    for (uint32_t i = 0; i < side->slices; i++)
        ws_chip_buffer_destroy(side->slice[i].sums);
    ws_table_fini(&side->agreement->sums.ledger);
}

void ws_memory_side_sum_updates(ws_memory_side *side, bool sum)
{
    if (side->agreement)
        side->agreement->sums.open = sum && side->machine->package_atomic_buffer;
}

/* ------------------------------------------------------------------------------------------------ is nothing lost? */

/* Operations on words that are kept, or on their way: they are added when they come, and taken away at the home. */
static int note(ws_memory_side *side, uint64_t line, uint32_t words, const uint32_t *count, int by)
{
    WS_EACH_LANE (word, side->agreement->versions ? words : 0) {
        int64_t *const left = ws_table_put(&side->agreement->sums.ledger, line * MOST_WORDS + word);
        if (!left)
            return WS_EMEM;
        *left += by * (int64_t)count[word];
        side->agreement->sums.followed += by > 0 ? count[word] : 0;
    }
    return WS_OK;
}

int sums_at_home(ws_memory_side *side, const ws_coherence_message *m)
{
    return m->type == WS_MESSAGE_ATOMIC && m->id == WS_SUMS_ID ? note(side, m->block, m->mask, m->data, -1) : WS_OK;
}

/* All is at home. */
int sums_end_launch(ws_memory_side *side)
{
    uint64_t key;
    for (size_t i = 0; side->agreement->versions && ws_table_next(&side->agreement->sums.ledger, &i, &key); i++) {
        const int64_t left = *(const int64_t *)ws_table_value(&side->agreement->sums.ledger, i);
        if (left)
            return ws_fail(
                WS_EVERIFY,
                "the launch ends, and of the updates of address 0x%llx that buffers of chips took, the home has %lld "
                "too %s",
                (unsigned long long)(key / MOST_WORDS * side->machine->l2_line + key % MOST_WORDS * WORD_BYTES),
                (long long)(left < 0 ? -left : left), left < 0 ? "many" : "few");
    }
    ws_table_clear(&side->agreement->sums.ledger);
    return WS_OK;
}

/* ------------------------------------------------------------------------------------------------ updates of SMs */

bool sums_want(const ws_memory_side *side, const slice *l, const ws_coherence_message *m)
{
    return l->sums && side->agreement->sums.open && m->type == WS_MESSAGE_ATOMIC && m->update;
}

void sums_count(ws_memory_side *side, const slice *l, const ws_coherence_message *m)
{
    const bool update = m->type == WS_MESSAGE_ATOMIC && m->update, wanted = sums_want(side, l, m);
    if (!l->sums)
        return;
    side->agreement->counts.update_requests += update;
    side->agreement->counts.update_passed += update && !wanted;
    side->agreement->counts.update_races += !wanted && ws_chip_buffer_has(l->sums, m->block, m->mask);
}

/* The home has newer words then than copies of the chip. */
static int send_home(ws_memory_side *side, slice *l, const ws_chip_sum *sum)
{
    ws_coherence_message m = side_message(WS_MESSAGE_ATOMIC, sum->line, sum->words);
    int status = side_take_copy(side, l, sum->line, sum->words);
    m.sm = (uint16_t)(l->chip * side->machine->chip_sms);
    m.id = WS_SUMS_ID;
    m.update = sum->code;
    memcpy(m.data, sum->count, sizeof sum->count);
    side->agreement->counts.update_messages++;
    if (status >= 0 && side->agreement->versions)
        status = ws_chip_versions_update(side->agreement->versions, m.block, m.mask);
    return status < 0 ? status : home_ask(side, l, &m);
}

static int acknowledge(ws_memory_side *side, slice *l, const ws_coherence_message *update)
{
    ws_coherence_message m = side_message(WS_MESSAGE_ATOMIC_ACK, update->block, update->mask);
    uint32_t slot;
    m.sm = update->sm;
    m.warp = update->warp;
    m.id = update->id;
    m.tag = update->tag;
    m.unit = update->unit;
    const int status = ws_message_pool_hold(&side->messages, &m, &slot);
    return status ? status : side_answer(side, l, slot);
}

int sums_take(ws_memory_side *side, slice *l, const ws_coherence_message *m)
{
    uint64_t *const counts[] = {[WS_CHIP_SUM_HIT] = &side->agreement->counts.update_hits,
                                [WS_CHIP_SUM_NEW] = &side->agreement->counts.update_misses,
                                [WS_CHIP_SUM_RESTARTED] = &side->agreement->counts.update_mismatches,
                                [WS_CHIP_SUM_REPLACED] = &side->agreement->counts.update_evictions};
    ws_chip_sum sum = {.line = m->block, .words = m->mask, .code = m->update}, leaves;
    ws_chip_sum_kept kept;
    if (side->agreement->versions)
        memcpy(sum.count, m->data, sizeof sum.count);
    int status = note(side, sum.line, sum.words, sum.count, 1);
    if (!status)
        status = ws_chip_buffer_add(l->sums, &sum, &kept, &leaves);
    if (status)
        return status;
    ++*counts[kept];
    side->agreement->counts.update_misses += kept >= WS_CHIP_SUM_RESTARTED; /* these began one, too */
    if (side->agreement->versions)
        status = ws_chip_versions_promise(side->agreement->versions, m->block, m->mask);
    if (!status && kept >= WS_CHIP_SUM_RESTARTED)
        status = send_home(side, l, &leaves);
    return status ? status : acknowledge(side, l, m);
}

int sums_flush(ws_memory_side *side)
{
    ws_chip_sum sum;
    int status = WS_OK;
    for (uint32_t i = 0; side->machine->package_atomic_buffer && i < side->slices; i++)
        while (!status && ws_chip_buffer_take(side->slice[i].sums, &sum)) {
            side->agreement->counts.update_flushed++;
            status = send_home(side, &side->slice[i], &sum);
        }
    return status;
}

/* ------------------------------------------------------------------------------------------------ checkpoints */

void sums_save(const ws_memory_side *side, ws_bytes *bytes)
{
    if (!side->machine->package_atomic_buffer)
        return;
    ws_bytes_add_varint(bytes, side->agreement->sums.open);
    for (uint32_t i = 0; i < side->slices; i++)
        ws_chip_buffer_save(side->slice[i].sums, bytes);
}

int sums_load(ws_memory_side *side, ws_reader *reader)
{
    if (!side->machine->package_atomic_buffer)
        return WS_OK;
    side->agreement->sums.open = ws_read_varint(reader) != 0;
    int status = WS_OK;
    for (uint32_t i = 0; i < side->slices && !status; i++)
        status = ws_chip_buffer_load(side->slice[i].sums, reader);
    return status;
}
