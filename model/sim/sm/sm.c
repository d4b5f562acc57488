/* sm.c - a streaming multiprocessor as a whole: its memory, its CTAs, its windows of cycles, its checkpoint. */
#include "model/sim/sm/sm_internal.h"

#include "base/status.h"
#include "model/machine/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EVENTS_PER_WARP = 64, LINE = 64 };

/* ------------------------------------------------------------------------------------------------ memory */

static void place(ws_sm *sm, ws_layout *b)
{
    const ws_sm_shared *const shared = sm->shared;
    const ws_machine *const m = shared->machine;
    sm->s = ws_layout_take(b, 1, sizeof *sm->s);
    sm->address = ws_layout_take(b, (size_t)sm->warps * ADDRESSES, sizeof *sm->address);
    sm->event = ws_layout_take(b, sm->events_room, sizeof *sm->event);
    sm->access = ws_layout_take(b, m->sm_memory_tags, sizeof *sm->access);
    sm->queue = ws_layout_take(b, sm->stage_room, sizeof *sm->queue);
    sm->touch = ws_layout_take(b, (size_t)sm->stage_room * WS_TOUCHES, sizeof *sm->touch);
    sm->aside = ws_layout_take(b, shared->reexecuted, sizeof *sm->aside);
    sm->renamed = ws_layout_take(b, shared->ahead, sizeof *sm->renamed);
    sm->scheduler_state = ws_layout_take(b, sm->schedulers, shared->scheduler->state_size);
    sm->scheduler_shared = ws_layout_take(b, 1, shared->scheduler->shared_size);
    sm->file_state = ws_layout_take(b, 1, shared->file->state_size(shared->file_values));
    if (shared->memory->state_size)
        sm->memory_state = ws_layout_take(b, 1, shared->memory->state_size(&shared->memory_setup));
    if (sm_has_buffer(sm))
        sm->atomic_state = ws_layout_take(b, 1, shared->atomics->state_size(shared->atomic_values));
    if (ws_machine_follows_sharing(m))
        sm->sharing = ws_layout_take(b, 1, ws_sharing_bytes(m->l1_sharing));
    for (int i = 0; i < WS_SM_CACHES; i++)
        sm->cache[i] = ws_layout_take(b, 1, shared->cache[i].ops->bytes(shared->cache[i].shared));
}

static void start_lists(ws_sm *sm)
{
    state *const s = sm->s;
    for (uint32_t i = 0; i < sm->events_room; i++)
        sm->event[i].next = i + 1;
    for (uint32_t i = 0; i < sm->shared->machine->sm_memory_tags; i++)
        sm->access[i].next = i + 1;
    for (uint32_t i = 0; i < sm->shared->ahead; i++)
        sm->renamed[i].next = i + 1;
    for (uint32_t i = 0; i < sm->stage_room; i++)
        sm->queue[i].slot = i;
    s->retry = s->memory_retry = s->stage_retry = s->buffer_retry = s->refused_since = s->waits_since = WS_NEVER;
    for (int i = 0; i < WS_SM_CACHES; i++)
        sm->shared->cache[i].ops->init(sm->shared->cache[i].shared, sm->cache[i], sm->number);
}

static void make_schedulers(ws_sm *sm)
{
    sm->buffer = (ws_atomic_buffer){.state = sm->atomic_state,
                                    .values = sm->shared->atomic_values,
                                    .counts = &sm->s->counts,
                                    .tags = &sm->shared->atomic_tags,
                                    .by_warp = sm->shared->by_warp};
    for (unsigned i = 0; i < sm->schedulers; i++)
        sm->scheduling[i] = (ws_warp_scheduler){.state = sm->scheduler_state + i * sm->shared->scheduler->state_size,
                                                .shared = sm->scheduler_shared,
                                                .values = sm->shared->scheduler_values,
                                                .view = sm_view_of(sm),
                                                .counts = &sm->s->counts};
}

static void count_units(ws_sm *sm)
{
    const ws_machine *const m = sm->shared->machine;
    sm->unit_copies[WS_UNIT_SP] = m->sm_sp_units;
    sm->unit_copies[WS_UNIT_INT] = m->sm_int_units;
    sm->unit_copies[WS_UNIT_DP] = m->sm_dp_units;
    sm->unit_copies[WS_UNIT_SFU] = m->sm_sfu_units;
    sm->unit_copies[WS_UNIT_TENSOR] = m->sm_tensor_units;
}

int ws_sm_create(const ws_sm_shared *shared, uint32_t number, ws_sm **out)
{
    const ws_machine *const m = shared->machine;
    ws_sm *const sm = calloc(1, sizeof *sm);
    if (!sm)
        return ws_fail(WS_EMEM, "no memory for an SM");
    sm->shared = shared;
    sm->number = number;
    sm->warps = m->sm_threads / WS_WARP;
    sm->ctas = m->sm_blocks;
    sm->schedulers = m->sm_schedulers;
    sm->stage_room = ws_memory_stage_room(m);
    sm->entry_room = shared->stage->entry_room(m, shared->stage_values);
    /* Results stop issue when they leave less than EVENTS_KEPT; what the tags will bring has room of its own. */
    sm->events_room = sm->warps * EVENTS_PER_WARP + EVENTS_KEPT + m->sm_memory_tags;
    sm->messages_kept = m->l1_request != WS_L1_REQUEST_SECTOR ? 2 : m->l1_line / m->l1_sector + 1;
    count_units(sm);
    for (unsigned i = 0; i < sm->warps; i++)
        sm->scheduler_mask[i % sm->schedulers] |= bit(i);
    ws_layout measure = {0};
    place(sm, &measure);
    sm->memory_size = (measure.used + LINE - 1) & ~(size_t)(LINE - 1);
    sm->allocated = calloc(1, sm->memory_size + LINE - 1); /* zeroed where it is used, which is a small part of it */
    if (!sm->allocated) {
        ws_sm_destroy(sm);
        return ws_fail(WS_EMEM, "no memory for an SM");
    }
    sm->memory = sm->allocated + (-(uintptr_t)sm->allocated & (LINE - 1));
    ws_layout layout = {.base = sm->memory};
    place(sm, &layout);
    start_lists(sm);
    make_schedulers(sm);
    if (shared->wants_values) {
        sm->load_value = calloc((size_t)m->sm_memory_tags * WS_INSTR_DST, sizeof *sm->load_value);
        if (!sm->load_value) {
            ws_sm_destroy(sm);
            return ws_fail(WS_EMEM, "no memory for the values of registers");
        }
    }
    *out = sm;
    return WS_OK;
}

void ws_sm_destroy(ws_sm *sm)
{
    if (!sm)
        return;
    free(sm->allocated);
    free(sm->pending);
    free(sm->from_memory);
    free(sm->load_use);
    free(sm->load_value);
    free(sm->out_message);
    free(sm->out_cycle);
    free(sm->in_message);
    free(sm->in_cycle);
    free(sm);
}

/* A ring of messages gets room for one more, its contents begin at 0 then. */
static int widen(const ws_sm *sm, ring *r, uint8_t **messages, uint64_t **cycles, uint32_t room)
{
    const size_t bytes = sm->shared->message_bytes;
    uint8_t *const message = malloc((size_t)room * bytes);
    uint64_t *const cycle = malloc(room * sizeof *cycle);
    if (!message || !cycle) {
        free(message);
        free(cycle);
        return ws_fail(WS_EMEM, "no memory for messages");
    }
    for (uint32_t i = 0; i < r->count; i++) {
        memcpy(message + i * bytes, *messages + (size_t)((r->first + i) % r->room) * bytes, bytes);
        cycle[i] = (*cycles)[(r->first + i) % r->room];
    }
    free(*messages);
    free(*cycles);
    *messages = message;
    *cycles = cycle;
    r->first = 0;
    r->room = room;
    return WS_OK;
}

int ws_sm_begin_launch(ws_sm *sm)
{
    sm->register_words = (sm->shared->registers + 63) / 64;
    const size_t words = sm->warps * (sm->register_words ? sm->register_words : 1);
    uint64_t *const pending = calloc(words, sizeof *pending), *const from_memory = calloc(words, sizeof *from_memory);
    free(sm->pending);
    free(sm->from_memory);
    free(sm->load_use);
    sm->load_use = sm->shared->watch_loads ? calloc(sm->shared->launch->instrs + 1, sizeof *sm->load_use) : NULL;
    sm->pending = pending;
    sm->from_memory = from_memory;
    sm->s->ended = 0;
    if (sm->sharing)
        ws_sharing_begin(sm->sharing, sm->shared->machine->l1_sharing);
    for (unsigned i = 0; i < sm->schedulers && sm->shared->scheduler->launched; i++)
        sm->shared->scheduler->launched(&sm->scheduling[i]);
    return pending && from_memory && (sm->load_use || !sm->shared->watch_loads)
               ? WS_OK
               : ws_fail(WS_EMEM, "no memory for a scoreboard");
}

struct ws_sharing_monitor *ws_sm_sharing(const ws_sm *sm)
{
    return sm->sharing;
}

void ws_sm_resized(ws_sm *sm)
{
    const ws_level *const l1 = &sm->shared->cache[WS_SM_DATA];
    l1->ops->sizes->begin_anew(l1->shared, sm->cache[WS_SM_DATA]);
}

bool ws_sm_drain(ws_sm *sm, uint64_t now)
{
    if (!sm_has_buffer(sm))
        return true;
    sm->s->now = now;
    return sm_atomic_reach(sm, WS_ATOMIC_LAUNCH, 0, 0);
}

int ws_sm_flush(ws_sm *sm, uint64_t now)
{
    sm->s->now = now;
    const ws_coherence_ports ports = sm_ports(sm);
    for (int i = 0; i < WS_SM_CACHES; i++) {
        const ws_level *const cache = &sm->shared->cache[i];
        sm->caller = (unsigned)i;
        const int status = cache->ops->flush(cache->shared, sm->cache[i], now, &ports);
        if (status)
            return status;
    }
    return WS_OK;
}

/* ------------------------------------------------------------------------------------------------ CTAs */

uint32_t ws_sm_ctas(const ws_sm *sm)
{
    return sm->s->resident;
}

uint32_t ws_sm_warps(const ws_sm *sm)
{
    return sm->s->resident_warps;
}

uint64_t ws_sm_resident(const ws_sm *sm, uint32_t index)
{
    for (uint32_t slot = 0; slot < sm->ctas; slot++)
        if (sm->s->cta[slot].used && !index--)
            return sm->s->cta[slot].number;
    return UINT64_MAX;
}

uint64_t ws_sm_take_ended(ws_sm *sm)
{
    state *const s = sm->s;
    if (!s->ended)
        return UINT64_MAX;
    const unsigned slot = ws_lowest(s->ended);
    s->ended &= s->ended - 1;
    return s->cta[slot].number;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

uint32_t ws_sm_room(const ws_sm *sm)
{
    const state *const s = sm->s;
    /* Warps that ended leave their slots one by one, a CTA what it took at its end: both must be free. */
    const uint32_t free_slots = sm->warps - ws_popcount64(s->live);
    return least(sm->shared->most_ctas - s->resident, free_slots / sm->shared->launch->warps_per_block);
}

static void start_warp(ws_sm *sm, unsigned number, uint32_t index, unsigned slot)
{
    state *const s = sm->s;
    const ws_launch *const launch = sm->shared->launch;
    const uint32_t threads = launch->threads_per_block - index * WS_WARP;
    const uint64_t own = sm->scheduler_mask[number % sm->schedulers];
    s->warp[number] = (sm_warp){.order = s->orders++,
                                .whole = threads >= WS_WARP ? UINT32_MAX : (1u << threads) - 1,
                                .index = (uint16_t)index,
                                .cta = (uint8_t)slot,
                                .talks_since = WS_NEVER,
                                .ahead_first = NONE,
                                .rank = (uint8_t)ws_popcount64(s->live),
                                .turn = (uint8_t)ws_popcount64(s->live & own)};
    s->live |= bit(number);
    s->resident_warps++;
    s->cta[slot].warps |= bit(number);
    sm->shared->scheduler->started(sm_scheduler_of(sm, number), number, s->warp[number].order);
    if (sm->shared->machine->sm_fetch)
        sm_want_fetch(sm, number);
}

/* The warps of a block get the first free places; which one is in the first of them, sm.rotate says. */
static void start_warps(ws_sm *sm, unsigned slot)
{
    state *const s = sm->s;
    const uint32_t warps = sm->shared->launch->warps_per_block;
    const uint32_t first = sm->shared->machine->sm_rotate ? warps - s->rotation % warps : 0;
    for (uint32_t place = 0, number = 0; place < warps; number++)
        if (!(s->live & bit(number)))
            start_warp(sm, number, (first + place++) % warps, slot);
    s->rotation = (s->rotation + 1) % sm->schedulers;
}

int ws_sm_start_cta(ws_sm *sm, uint64_t cta, uint64_t now)
{
    state *const s = sm->s;
    unsigned slot = 0;
    while (s->cta[slot].used)
        slot++;
    s->cta[slot] = (sm_cta){.number = cta, .used = true};
    s->ended &= ~(1u << slot);
    s->resident++;
    s->now = s->retry = now;
    if (sm->sharing)
        ws_sharing_cta_began(sm->sharing, slot, cta, now);
    start_warps(sm, slot);
    return sm->shared->source->ops->begin(sm->shared->source, sm->number * sm->ctas + slot, cta);
}

/* ------------------------------------------------------------------------------------------------ windows */

/* The cycles up to `until` pass as the last one did. */
static void count_cycles(ws_sm *sm, uint64_t until)
{
    state *const s = sm->s;
    const uint64_t cycles = until - s->counted;
    if (!cycles)
        return;
    const ws_sm_shared *const shared = sm->shared;
    s->counted = until;
    if (!s->resident)
        return;
    s->counts.busy_cycles += cycles;
    s->activity.shared_section_cycles[0] += shared->section_on ? cycles : 0;
    s->counts.resident_warps += cycles * s->resident_warps;
    s->counts.resident_ctas += cycles * s->resident;
    s->counts.wait_cycles += cycles * s->waiting_ctas;
    s->counts.sync_cycles += cycles * s->syncing_ctas;
    s->counts.memory_tags += cycles * s->tags_used;
    for (unsigned i = 0; i < sm->schedulers; i++) {
        uint64_t *const sums[] = {&s->counts.stall_memory,     &s->counts.stall_dependency, &s->counts.stall_order,
                                  &s->counts.stall_fetch,      &s->counts.stall_barrier,    &s->counts.stall_unit,
                                  &s->counts.stall_load_store, &s->counts.stall_empty,      &s->counts.issued};
        *sums[s->slot_reason[i]] += cycles;
        s->counts.load_store_only += s->slot_full[i] ? cycles : 0;
        s->counts.held += s->slot_held[i] ? cycles : 0;
    }
}

static int handle(ws_sm *sm, const event *e)
{
    switch ((event_kind)e->kind) {
    case EVENT_WRITTEN:
        sm->s->warp[e->warp].writes--;
        sm_written(sm, e->warp, e->detail);
        return WS_OK;
    case EVENT_FETCHED:
        if (sm->shared->machine->sm_fetch)
            sm_fetched(sm, e->warp);
        else
            sm_unblock_warp(sm, e->warp, WAIT_FETCH);
        return WS_OK;
    case EVENT_LOADED:
        return sm_memory_loaded(sm, e->detail);
    case EVENT_FENCE:
        return sm_try_fence(sm, e->warp);
    case EVENT_FENCED:
        sm_unblock_warp(sm, e->warp, WAIT_ORDER);
        return WS_OK;
    case EVENT_EARLY:
        sm_memory_early(sm, e->detail);
        return WS_OK;
    case EVENT_AGAIN:
        sm_ahead_repeated(sm, e->warp);
        return WS_OK;
    }
    return WS_OK;
}

/* Answers of the memory: one a cycle and cache would be possible; one a cycle is what a port brings. */
static int take_message(ws_sm *sm)
{
    state *const s = sm->s;
    ring *const in = &s->in;
    if (!in->count || sm->in_cycle[in->first] > s->now)
        return WS_OK;
    const ws_coherence_message *const message =
        (const ws_coherence_message *)(const void *)(sm->in_message + (size_t)in->first * sm->shared->message_bytes);
    int status = sm_memory_message(sm, message);
    in->first = (in->first + 1) % in->room;
    in->count--;
    /* Whoever was refused may go on now. */
    if (s->refused_since != WS_NEVER)
        s->memory_retry = s->now;
    return status ? status : sm_try_fences(sm);
}

static int run_cycle(ws_sm *sm)
{
    state *const s = sm->s;
    event e;
    int status = WS_OK;
    while (!status && sm_take_event(sm, &e))
        status = handle(sm, &e);
    if (!status)
        status = take_message(sm);
    if (!status && s->buffer_retry <= s->now)
        status = sm_atomic_run(sm);
    if (!status && s->stage_retry <= s->now)
        sm->shared->stage->step(sm);
    if (!status && s->memory_retry <= s->now)
        status = sm_memory_run(sm);
    unsigned issued = 0;
    if (!status)
        status = sm_issue(sm, &issued);
    if (issued)
        s->retry = s->now + 1;
    if (s->unfetched)
        sm_fetch(sm);
    return status;
}

uint64_t ws_sm_next_time(const ws_sm *sm)
{
    const state *const s = sm->s;
    uint64_t next = sm_next_event(sm);
    if (s->in.count && sm->in_cycle[s->in.first] < next)
        next = sm->in_cycle[s->in.first];
    if (s->served + s->aside_count && s->memory_retry < next)
        next = s->memory_retry;
    next = s->stage_retry < next ? s->stage_retry : next;
    next = s->buffer_retry < next ? s->buffer_retry : next;
    return s->retry < next ? s->retry : next;
}

/* A cycle is executed when something may happen in it; in the others all stays as it is. */
int ws_sm_run(ws_sm *sm, uint64_t from, uint64_t until)
{
    state *const s = sm->s;
    if (s->now < from)
        s->now = from;
    while (s->now < until) {
        const uint64_t next = sm->shared->every_cycle ? s->now : ws_sm_next_time(sm);
        if (next > s->now) {
            const uint64_t to = next < until ? next : until;
            count_cycles(sm, to);
            s->now = to;
            if (to == until)
                break;
        }
        const int status = run_cycle(sm);
        if (status)
            return status;
        count_cycles(sm, s->now + 1);
        s->now++;
    }
    return WS_OK;
}

/* ------------------------------------------------------------------------------------------------ messages */

size_t ws_sm_sent(const ws_sm *sm)
{
    return sm->s->out.count;
}

const ws_coherence_message *ws_sm_sent_at(const ws_sm *sm, size_t index, uint64_t *cycle)
{
    const ring *const out = &sm->s->out;
    const size_t at = (out->first + index) % out->room;
    *cycle = sm->out_cycle[at];
    return (const ws_coherence_message *)(const void *)(sm->out_message + at * sm->shared->message_bytes);
}

void ws_sm_take_sent(ws_sm *sm, size_t count)
{
    ring *const out = &sm->s->out;
    out->first = out->room ? (out->first + (uint32_t)count) % out->room : 0;
    out->count -= (uint32_t)count;
}

void ws_sm_bring(ws_sm *sm, const ws_coherence_message *message, const void *hub)
{
    const ws_level *const l1 = &sm->shared->cache[WS_SM_DATA];
    if (l1->ops->races && hub)
        l1->ops->races->bring(l1->shared, sm->cache[WS_SM_DATA], message, hub);
}

ws_race_counts ws_sm_races(const ws_sm *sm)
{
    const ws_level *const l1 = &sm->shared->cache[WS_SM_DATA];
    return l1->ops->races ? l1->ops->races->counts(l1->shared, sm->cache[WS_SM_DATA]) : (ws_race_counts){0};
}

int ws_sm_deliver(ws_sm *sm, const ws_coherence_message *message, uint64_t cycle)
{
    ring *const in = &sm->s->in;
    if (in->count == in->room) {
        const int status = widen(sm, in, &sm->in_message, &sm->in_cycle, in->room ? in->room * 2 : 64);
        if (status)
            return status;
    }
    const uint32_t at = (in->first + in->count++) % in->room;
    memcpy(sm->in_message + (size_t)at * sm->shared->message_bytes, message, sm->shared->message_bytes);
    sm->in_cycle[at] = cycle;
    return WS_OK;
}

/* Room for what the SM may send in a call of a cache, whatever that is. */
int sm_make_out_room(ws_sm *sm)
{
    ring *const out = &sm->s->out;
    if (out->count < out->room)
        return WS_OK;
    return widen(sm, out, &sm->out_message, &sm->out_cycle, out->room ? out->room * 2 : 64);
}

/* ------------------------------------------------------------------------------------------------ looking in */

const ws_activity *ws_sm_activity(const ws_sm *sm)
{
    return &sm->s->activity;
}

const ws_load_use *ws_sm_load_use(const ws_sm *sm)
{
    return sm->load_use;
}

const ws_rank_counts *ws_sm_ranks(const ws_sm *sm)
{
    return &sm->s->ranks;
}

const ws_sm_counts *ws_sm_sum(const ws_sm *sm)
{
    return &sm->s->counts;
}

ws_cache_counts ws_sm_cache_counts(const ws_sm *sm, unsigned cache)
{
    return sm->shared->cache[cache].ops->counts(sm->shared->cache[cache].shared, sm->cache[cache]);
}

uint32_t ws_sm_reads(const ws_sm *sm)
{
    const ws_level *const l1 = &sm->shared->cache[WS_SM_DATA];
    return l1->ops->reads(l1->shared, sm->cache[WS_SM_DATA]);
}

uint32_t ws_sm_waiting(const ws_sm *sm)
{
    uint32_t waiting = sm->s->tags_used + sm->s->in.count + sm->s->out.count;
    if (sm_has_buffer(sm))
        waiting += sm->shared->atomics->waiting(&sm->buffer);
    for (int i = 0; i < WS_SM_CACHES; i++)
        waiting += sm->shared->cache[i].ops->waiting(sm->shared->cache[i].shared, sm->cache[i]);
    return waiting;
}

static const char *wait_of(const ws_sm *sm, unsigned number)
{
    static const char *const names[] = {"data from memory", "a result", "its earlier accesses or a fence",
                                        "the target of a branch", "a barrier"};
    for (int why = 0; why < WAITS; why++)
        if (sm->s->blocked[why] & bit(number))
            return names[why];
    return "its turn";
}

void ws_sm_explain(const ws_sm *sm, void (*say)(void *user, const char *line), void *user)
{
    const state *const s = sm->s;
    char line[512];
    for (uint64_t rest = s->live; rest; rest &= rest - 1) {
        const unsigned number = (unsigned)__builtin_ctzll(rest);
        const sm_warp *const w = &s->warp[number];
        const ws_instr *const instr = &sm->shared->launch->instr[w->pc < sm->shared->launch->instrs ? w->pc : 0];
        snprintf(line, sizeof line,
                 "SM %u, block %llu, warp %u: waits for %s at line %u, `%s`; %u memory instructions under way",
                 sm->number, (unsigned long long)s->cta[w->cta].number, w->index, wait_of(sm, number), instr->line,
                 w->ended ? "(its end)" : instr->opcode, w->accesses);
        say(user, line);
    }
    if (s->refused_since != WS_NEVER) {
        static const char *const reasons[WS_REFUSED_REASONS] = {"", "the protocol", "no line that can be replaced",
                                                                "no MSHR", "too many that wait for the block"};
        const queued *const q = &sm->queue[s->queue_first];
        const ws_touch *const t =
            s->served ? &sm->touch[(size_t)q->slot * WS_TOUCHES + q->done] : &sm->aside[s->aside_first].touch;
        snprintf(line, sizeof line,
                 "SM %u: its load/store unit waits since cycle %llu with an access of block 0x%llx: %s", sm->number,
                 (unsigned long long)s->refused_since, (unsigned long long)t->block, reasons[s->refused_by]);
        say(user, line);
    }
}

/* ------------------------------------------------------------------------------------------------ checkpoints */

static void save_ring(const ws_sm *sm, const ring *r, const uint8_t *messages, const uint64_t *cycles, ws_bytes *bytes)
{
    const size_t size = sm->shared->message_bytes;
    for (uint32_t i = 0; i < r->count; i++) {
        const size_t at = (r->first + i) % r->room;
        ws_bytes_add(bytes, messages + at * size, size);
        ws_bytes_add(bytes, &cycles[at], sizeof *cycles);
    }
}

void ws_sm_save(const ws_sm *sm, ws_bytes *bytes)
{
    ws_bytes_add_varint(bytes, sm->memory_size);
    ws_bytes_add_varint(bytes, sm->register_words);
    ws_bytes_add(bytes, sm->memory, sm->memory_size);
    const size_t scoreboard = sm->warps * sm->register_words * sizeof *sm->pending;
    ws_bytes_add(bytes, sm->pending, scoreboard);
    ws_bytes_add(bytes, sm->from_memory, scoreboard);
    save_ring(sm, &sm->s->out, sm->out_message, sm->out_cycle, bytes);
    save_ring(sm, &sm->s->in, sm->in_message, sm->in_cycle, bytes);
}

static int load_ring(const ws_sm *sm, ring *r, uint8_t **messages, uint64_t **cycles, ws_reader *reader)
{
    const size_t size = sm->shared->message_bytes;
    const uint32_t count = r->count;
    *r = (ring){0};
    free(*messages);
    free(*cycles);
    *messages = NULL;
    *cycles = NULL;
    const int status = widen(sm, r, messages, cycles, count + 64);
    if (status)
        return status;
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *const message = ws_read_bytes(reader, size);
        const uint8_t *const cycle = ws_read_bytes(reader, sizeof **cycles);
        if (!message || !cycle)
            return ws_fail(WS_EINPUT, "the checkpoint ends within an SM");
        memcpy(*messages + i * size, message, size);
        memcpy(&(*cycles)[i], cycle, sizeof **cycles);
    }
    r->count = count;
    return WS_OK;
}

/* The source is brought to where the warps of the CTA are. */
static int restart_cta(ws_sm *sm, unsigned slot)
{
    const ws_source_ops *const ops = sm->shared->source->ops;
    const state *const s = sm->s;
    const uint32_t number = sm->number * sm->ctas + slot;
    int status = ops->begin(sm->shared->source, number, s->cta[slot].number);
    for (uint64_t rest = s->cta[slot].warps; rest && !status; rest &= rest - 1) {
        const sm_warp *const w = &s->warp[__builtin_ctzll(rest)];
        ws_step step;
        bool found = true;
        for (uint64_t i = 0; i < w->consumed && !status && found; i++)
            status = ops->next(sm->shared->source, number, w->index, &step, &found);
        if (!status && !found)
            status = ws_fail(WS_EINPUT, "the checkpoint is not of this trace: block %llu is shorter",
                             (unsigned long long)s->cta[slot].number);
    }
    return status;
}

int ws_sm_load(ws_sm *sm, ws_reader *reader)
{
    if (ws_read_varint(reader) != sm->memory_size || ws_read_varint(reader) != sm->register_words)
        return ws_fail(WS_EINPUT, "the checkpoint is of another machine or launch");
    const size_t scoreboard = sm->warps * sm->register_words * sizeof *sm->pending;
    const uint8_t *const memory = ws_read_bytes(reader, sm->memory_size);
    const uint8_t *const pending = ws_read_bytes(reader, scoreboard), *const from = ws_read_bytes(reader, scoreboard);
    if (!memory || !pending || !from)
        return ws_fail(WS_EINPUT, "the checkpoint ends within an SM");
    memcpy(sm->memory, memory, sm->memory_size);
    memcpy(sm->pending, pending, scoreboard);
    memcpy(sm->from_memory, from, scoreboard);
    int status = load_ring(sm, &sm->s->out, &sm->out_message, &sm->out_cycle, reader);
    if (!status)
        status = load_ring(sm, &sm->s->in, &sm->in_message, &sm->in_cycle, reader);
    for (unsigned slot = 0; slot < sm->ctas && !status; slot++)
        if (sm->s->cta[slot].used)
            status = restart_cta(sm, slot);
    return status;
}
