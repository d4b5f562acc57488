/* load_store.c - the load/store unit: from lanes' addresses to accesses of blocks, one after the other into the caches.
 *
 * Instructions are served in order. The first in the queue offers its accesses to its cache, as many a cycle as that
 * has ports; one that is refused keeps all behind it waiting (memory occlusion), unless the warp scheduler has loads
 * wait aside. Shared memory keeps the unit for as many cycles as its most wanted bank has words to give. */
#include "model/sim/sm/sm_internal.h"

#include "base/status.h"
#include "model/load_class.h"
#include "model/machine/machine.h"

#include <string.h>

bool sm_is_shared_between_warps(uint8_t space)
{
    return space == WS_SPACE_GLOBAL;
}

bool sm_memory_has_room(const ws_sm *sm)
{
    return sm->s->entering < sm->entry_room && sm->s->tags_used < sm->shared->machine->sm_memory_tags;
}

/* ------------------------------------------------------------------------------------------------ messages */

static void add_message(ws_sm *sm, const ws_coherence_message *message)
{
    const size_t bytes = sm->shared->message_bytes;
    ring *const out = &sm->s->out;
    const uint32_t at = (out->first + out->count++) % out->room;
    memcpy(sm->out_message + (size_t)at * bytes, message, bytes);
    sm->out_cycle[at] = sm->s->now;
}

/* Words of L2's lines that a line of the cache is long. */
static uint32_t line_words(const ws_sm *sm)
{
    return WS_COHERENCE_WORDS * sm->shared->line[sm->caller] / sm->shared->machine->l2_line;
}

/* L2 under a protocol gives whole lines; which part of one a read-only cache with shorter lines wants goes along. */
static void send(void *context, const ws_coherence_message *message)
{
    ws_sm *const sm = context;
    ws_coherence_message m;
    sm->asked_below = true;
    memcpy(&m, message, sm->shared->message_bytes);
    const uint32_t part = m.mask && sm->caller != WS_SM_DATA ? ws_lowest(m.mask) / line_words(sm) : 0;
    m.unit = (uint8_t)(sm->caller | part << WS_SM_UNIT_PART);
    m.sm = (uint16_t)sm->number;
    if (!sm->failed)
        sm->failed = sm_make_out_room(sm);
    if (!sm->failed)
        add_message(sm, &m);
}

/* Is the value of each touch there, though not all of them are settled? */
static bool is_early(const access *a)
{
    return !a->queued && !a->aside && a->early && a->early == a->outstanding;
}

/* The access goes on until `cycle` at least; it is complete when it has left the queue and nothing is outstanding. */
static void extend(ws_sm *sm, access *a, uint64_t cycle)
{
    if (cycle > a->ready)
        a->ready = cycle;
    if (!a->queued && !a->outstanding && !a->aside)
        sm_schedule(sm, a->ready > sm->s->now ? a->ready : sm->s->now + 1, EVENT_LOADED, a->warp,
                    (uint32_t)(a - sm->access));
    else if (a->early && !a->released && is_early(a))
        sm_schedule(sm, a->ready > sm->s->now ? a->ready : sm->s->now + 1, EVENT_EARLY, a->warp,
                    (uint32_t)(a - sm->access));
}

/* Of global or local memory, by way of the L1 of data. */
static bool is_data_load(const access *a)
{
    return a->kind == WS_REQUEST_LOAD && (a->space == WS_SPACE_GLOBAL || a->space == WS_SPACE_LOCAL);
}

static bool is_divergent(const access *a)
{
    return ws_load_class_of(a->touches) == WS_LOAD_DIVERGENT;
}

void sm_memory_settle(ws_sm *sm, access *a)
{
    a->settled = true;
    if (sm_is_shared_between_warps(a->space))
        sm->s->warp[a->warp].under_way.unplaced--;
    if (a->ahead)
        sm_ahead_settled(sm, (uint32_t)(a - sm->access));
}

/* All of it has its place, or its value: the warp's next access may begin, and what reads it is sure. A refuted load
 * waits until its new value is there. */
static void note_settled(ws_sm *sm, access *a)
{
    sm_warp *const w = &sm->s->warp[a->warp];
    if (a->settled || a->queued || a->aside || a->outstanding > a->placed || a->refuted)
        return;
    sm_memory_settle(sm, a);
    if (!w->fencing && !w->ended)
        sm_unblock_warp(sm, a->warp, WAIT_ORDER);
}

static void finish_touch(ws_sm *sm, access *a, uint64_t cycle)
{
    a->outstanding--;
    extend(sm, a, cycle);
    if (sm->shared->places)
        note_settled(sm, a);
}

/* The value of a touch is there early, or was and is wrong. */
static void note_early(ws_sm *sm, const ws_completion *completion)
{
    access *const a = &sm->access[completion->tag];
    if (completion->stage == WS_COMPLETE_REFUTED) {
        a->early--;
        a->refuted |= a->released;
        sm->s->warp[a->warp].outstanding++;
        return;
    }
    if (sm->asked && completion->tag == sm->asked->tag && completion->block == sm->asked->block)
        sm->answered = true;
    else
        sm->s->warp[a->warp].outstanding--;
    a->early++;
    extend(sm, a, sm->s->now + sm->shared->latency[sm->caller]);
}

static void complete(void *context, const ws_completion *completion)
{
    ws_sm *const sm = context;
    if (completion->kind == WS_REQUEST_FENCE)
        return;
    if (completion->stage == WS_COMPLETE_PLACED) {
        sm->access[completion->tag].placed++;
        note_settled(sm, &sm->access[completion->tag]);
        return;
    }
    if (completion->stage == WS_COMPLETE_EARLY || completion->stage == WS_COMPLETE_REFUTED) {
        note_early(sm, completion);
        return;
    }
    if (sm->shared->checker && sm->caller == WS_SM_DATA && !sm->failed)
        sm->failed = ws_memory_checker_complete(sm->shared->checker, sm->number, completion, sm->s->now);
    const bool load = completion->kind != WS_REQUEST_STORE;
    if (completion->tag >= sm->shared->machine->sm_memory_tags) {
        sm->shared->atomics->performed(&sm->buffer, completion->tag - sm->shared->machine->sm_memory_tags);
        sm_atomic_wake(sm);
        return;
    }
    access *const a = &sm->access[completion->tag];
    a->placed -= completion->placed;
    if (completion->stage == WS_COMPLETE_KEPT) {
        a->early--;
        finish_touch(sm, a, sm->s->now);
        return;
    }
    if (sm->asked && completion->tag == sm->asked->tag && completion->block == sm->asked->block)
        sm->answered = true;
    else if (is_data_load(a))
        sm->s->warp[a->warp].outstanding--;
    finish_touch(sm, a, sm->s->now + (load ? sm->shared->latency[sm->caller] : 0));
}

static void tell_replaced(void *context, uint64_t block, unsigned warp)
{
    const ws_sm *const sm = context;
    if (sm->caller != WS_SM_DATA)
        return;
    if (sm->shared->scheduler->evicted)
        sm->shared->scheduler->evicted(sm_scheduler_of(sm, warp), warp, block);
    if (sm->sharing)
        ws_sharing_left(sm->sharing, block);
}

ws_coherence_ports sm_ports(ws_sm *sm)
{
    return (ws_coherence_ports){.context = sm,
                                .send = send,
                                .complete = complete,
                                .replaced = sm->shared->scheduler->evicted || sm->sharing ? tell_replaced : NULL};
}

/* A directory had no room for a read of a cache that follows no protocol. */
static int ask_again(ws_sm *sm, ws_coherence_message *m)
{
    m->type = WS_MESSAGE_READ;
    const int status = sm_make_out_room(sm);
    if (!status)
        add_message(sm, m);
    return status;
}

int sm_memory_message(ws_sm *sm, const ws_coherence_message *message)
{
    ws_coherence_message m;
    memcpy(&m, message, sm->shared->message_bytes);
    sm->caller = m.unit & WS_SM_UNIT_CACHE;
    if (!m.mask && sm->caller != WS_SM_DATA)
        m.mask = (uint32_t)((bit(line_words(sm)) - 1) << (m.unit >> WS_SM_UNIT_PART) * line_words(sm));
    if (m.type == WS_MESSAGE_BUSY && sm->caller != WS_SM_DATA)
        return ask_again(sm, &m);
    const ws_level *const cache = &sm->shared->cache[sm->caller];
    const ws_coherence_ports ports = sm_ports(sm);
    sm->s->activity.cache_fills[sm->caller] += m.type == WS_MESSAGE_FILL || m.type == WS_MESSAGE_FILL_OWN;
    const int status = cache->ops->message(cache->shared, sm->cache[sm->caller], &m, sm->s->now, &ports);
    if (sm->sharing && sm->caller == WS_SM_DATA && m.type == WS_MESSAGE_FILL)
        ws_sharing_filled(sm->sharing, m.block, sm->s->now);
    return status ? status : sm->failed;
}

/* ------------------------------------------------------------------------------------------------ issue */

/* Surfaces are written too, so they are data. */
static unsigned cache_of(uint8_t space, const ws_instr *instr)
{
    if (space == WS_SPACE_TEXTURE)
        return instr->surface ? WS_SM_DATA : WS_SM_TEXTURE;
    return space == WS_SPACE_CONST ? WS_SM_CONSTANT : WS_SM_DATA;
}

static unsigned touch_local(const ws_sm *sm, unsigned number, const sm_warp *w, unsigned bytes, ws_touch *out)
{
    const uint64_t warps = (uint64_t)ws_machine_sms(sm->shared->machine) * WS_SM_WARPS;
    return ws_coalesce_local(sm->address + (size_t)number * ADDRESSES, w->exec, bytes, sm->shared->line[WS_SM_DATA],
                             warps * WS_WARP, (uint64_t)sm->number * WS_SM_WARPS + number, out);
}

static unsigned find_touches(const ws_sm *sm, unsigned number, const sm_warp *w, const ws_instr *instr, ws_touch *out)
{
    const uint64_t *const address = sm->address + (size_t)number * ADDRESSES;
    const unsigned bytes = w->texel ? w->texel : instr->bytes, line = sm->shared->line[cache_of(w->space, instr)];
    if (w->space == WS_SPACE_LOCAL)
        return touch_local(sm, number, w, bytes, out);
    if (instr->access >= WS_ACCESS_ATOMIC)
        return sm->shared->split(address, w->exec, bytes, line, out);
    unsigned n = 0;
    for (unsigned group = 0; group <= w->further; group++)
        n += ws_coalesce(address + (size_t)group * WS_WARP, w->exec, bytes, line, out + n);
    return n;
}

static void count_atomic(ws_sm_counts *counts, const ws_instr *instr, uint8_t failed, uint8_t lanes)
{
    counts->atomics++;
    counts->local_atomics += instr->scope == WS_SCOPE_CTA;
    if (instr->atomic != WS_ATOMIC_CAS)
        return;
    counts->swaps += lanes;
    counts->swaps_told += failed ? lanes : 0;
    counts->swaps_failed += failed ? failed - 1u : 0;
}

static void count_instruction(ws_sm *sm, const access *a, const queued *q, uint8_t space, unsigned bytes)
{
    ws_sm_counts *const counts = &sm->s->counts;
    if (space == WS_SPACE_SHARED) {
        counts->shared_accesses++;
        counts->shared_cycles += q->cycles;
        sm->s->activity.shared_words[0] += ws_lane_words(a->lanes, bytes);
    }
    if (space != WS_SPACE_GLOBAL && space != WS_SPACE_LOCAL)
        return;
    if (a->kind == WS_REQUEST_LOAD) {
        counts->loads++;
        counts->load_touches += q->touches;
    } else if (a->kind == WS_REQUEST_STORE) {
        counts->stores++;
        counts->store_touches += q->touches;
    } else {
        count_atomic(counts, &sm->shared->launch->instr[a->pc], sm->s->warp[a->warp].failed, a->lanes);
    }
}

ws_request_kind sm_request_kind(const ws_instr *instr)
{
    return instr->access == WS_ACCESS_LOAD    ? WS_REQUEST_LOAD
           : instr->access == WS_ACCESS_STORE ? WS_REQUEST_STORE
                                              : WS_REQUEST_ATOMIC;
}

bool sm_is_data_load(const ws_sm *sm, const sm_warp *w)
{
    return w->kind == WS_EVENT_MEMORY && (w->space == WS_SPACE_GLOBAL || w->space == WS_SPACE_LOCAL) &&
           sm->shared->launch->instr[w->pc].access == WS_ACCESS_LOAD;
}

static uint16_t *under_way(sm_warp *w, uint8_t kind)
{
    return kind == WS_REQUEST_LOAD    ? &w->under_way.loads
           : kind == WS_REQUEST_STORE ? &w->under_way.stores
                                      : &w->under_way.atomics;
}

/* The unit serves instructions in order, so what becomes of one is known when it comes into the queue. */
static ws_shared_time time_shared(ws_sm *sm, unsigned number, const access *a, uint32_t passes, unsigned bytes)
{
    const ws_shared_access what = {.reads = a->kind != WS_REQUEST_STORE,
                                   .writes = a->kind != WS_REQUEST_LOAD,
                                   .exec = a->exec,
                                   .bytes = bytes,
                                   .slot = sm->s->warp[number].cta,
                                   .passes = passes,
                                   .address = sm->address + (size_t)number * ADDRESSES,
                                   .pc = a->pc,
                                   .value = sm->step_value[number].value,
                                   .values = sm->step_value[number].values,
                                   .did = &sm->s->activity};
    return sm->shared->memory->access(sm->memory_state, &sm->shared->memory_setup, &what);
}

void sm_memory_issue(ws_sm *sm, unsigned number, uint64_t ready)
{
    state *const s = sm->s;
    sm_warp *const w = &s->warp[number];
    const ws_instr *const instr = &sm->shared->launch->instr[w->pc];
    const uint32_t tag = s->tags_free;
    access *const a = &sm->access[tag];
    s->tags_free = a->next;
    s->tags_used++;
    queued *const q = &sm->queue[(s->queue_first + s->queue_count++) % sm->stage_room];
    *q = (queued){.tag = tag, .slot = q->slot, .cycles = 1};
    s->entering++;
    *a = (access){.issued = s->now,
                  .ready = ready,
                  .begins = ready > s->now ? ready : s->now + 1,
                  .pc = w->pc,
                  .exec = w->exec,
                  .warp = (uint8_t)number,
                  .turn = w->turn,
                  .kind = (uint8_t)sm_request_kind(instr),
                  .space = w->space,
                  .cache = (uint8_t)cache_of(w->space, instr),
                  .lanes = (uint8_t)ws_popcount(w->exec),
                  .queued = true};
    if (w->space == WS_SPACE_SHARED)
        q->cycles = ws_bank_cycles(sm->address + (size_t)number * ADDRESSES, w->exec, instr->bytes,
                                   sm->shared->machine->shared_banks);
    else if (w->space != WS_SPACE_PARAM && w->exec)
        q->touches = find_touches(sm, number, w, instr, sm->touch + (size_t)q->slot * WS_TOUCHES);
    if (q->touches && a->cache == WS_SM_CONSTANT && sm->shared->machine->constant_cycles)
        q->cycles = ws_count_addresses(sm->address + (size_t)number * ADDRESSES, w->exec) *
                    sm->shared->machine->constant_cycles;
    a->touches = (uint16_t)q->touches;
    if (sm->load_value)
        sm_keep_values(sm, number, tag);
    w->accesses++;
    w->atomics += a->kind == WS_REQUEST_ATOMIC;
    if (sm_is_shared_between_warps(w->space)) {
        ++*under_way(w, a->kind);
        w->under_way.queued++;
        w->under_way.unplaced += sm->shared->places;
    }
    if (w->space == WS_SPACE_SHARED)
        q->time = time_shared(sm, number, a, q->cycles, instr->bytes);
    count_instruction(sm, a, q, w->space, instr->bytes);
    sm->shared->stage->entered(sm, sm->shared->decoded[w->pc].srcs, ready);
}

static void count_latency(ws_sm *sm, const access *a)
{
    state *const s = sm->s;
    if (!is_data_load(a))
        return;
    s->counts.load_latency += s->now - a->issued;
    s->counts.divergent_latency += is_divergent(a) ? s->now - a->issued : 0;
    if (sm->load_use)
        sm->load_use[a->pc].latency += s->now - a->issued;
}

/* Whoever waits for the value may go on with it. */
void sm_memory_early(ws_sm *sm, uint32_t tag)
{
    access *const a = &sm->access[tag];
    if (a->released || !is_early(a))
        return;
    a->released = true;
    count_latency(sm, a);
    sm_write_load(sm, a->warp, a->pc, tag, sm->s->now);
}

int sm_memory_loaded(ws_sm *sm, uint32_t tag)
{
    state *const s = sm->s;
    access *const a = &sm->access[tag];
    sm_warp *const w = &s->warp[a->warp];
    const bool known = a->released;
    w->accesses--;
    w->atomics -= a->kind == WS_REQUEST_ATOMIC;
    if (sm_is_shared_between_warps(a->space))
        --*under_way(w, a->kind);
    if (!known)
        count_latency(sm, a);
    if (!a->settled && sm->shared->places)
        sm_memory_settle(sm, a);
    a->next = s->tags_free;
    s->tags_free = tag;
    s->tags_used--;
    if (!w->fencing && !w->ended)
        sm_unblock_warp(sm, a->warp, WAIT_ORDER);
    const int status = sm_try_fence(sm, a->warp);
    if (!status && !known)
        sm_write_load(sm, a->warp, a->pc, tag, s->now);
    else if (!status)
        sm_try_to_end(sm, a->warp);
    return status;
}

/* ------------------------------------------------------------------------------------------------ the unit's turn */

static void count_class(ws_sm_counts *counts, const access *a)
{
    const uint32_t misses = a->touches - a->hits;
    uint64_t *const by_misses[WS_LOAD_CLASSES][WS_MPLI_CLASSES] = {
        {&counts->coherent_0, &counts->coherent_1, &counts->coherent_2},
        {&counts->divergent_0, &counts->divergent_1, &counts->divergent_2, &counts->divergent_3_31,
         &counts->divergent_32}};
    if (!a->touches)
        return;
    ++*by_misses[is_divergent(a)][ws_mpli_class_of(misses)];
    *(is_divergent(a) ? &counts->divergent_partial : &counts->coherent_partial) += misses && misses < a->touches;
}

/* The cycles of a load in the unit beyond those that its accesses take: it began late, or was held up. */
static uint64_t occluded_by(const ws_sm *sm, const access *a)
{
    const uint32_t ports = sm->shared->machine->l1_ports, cycles = (a->touches + ports - 1) / ports;
    return a->touches ? sm->s->now + 1 - a->begins - cycles : 0;
}

static void count_load(ws_sm *sm, const access *a, uint32_t misses)
{
    state *const s = sm->s;
    const uint64_t late = occluded_by(sm, a);
    s->counts.load_requests += misses;
    if (!is_divergent(a)) {
        s->counts.coherent_occlusion += late;
        return;
    }
    s->counts.divergent_loads++;
    s->counts.divergent_occlusion += late;
    s->ranks.loads[a->turn]++;
    s->ranks.mshrs[a->turn] += misses;
}

static void note_use(ws_load_use *use, const access *a, const ws_load_outcome *o, uint64_t occluded)
{
    use->executions++;
    use->lanes += a->lanes;
    use->accesses += o->touches;
    use->hits += o->hits;
    use->merged += o->merged;
    use->misses += o->misses;
    use->full += o->touches && o->hits == o->touches;
    use->partial += o->hits && o->hits < o->touches;
    use->occlusion += occluded;
}

/* The L1 has taken all accesses of a load. */
static void settle(ws_sm *sm, const access *a)
{
    const ws_warp_scheduler_ops *const ops = sm->shared->scheduler;
    const ws_load_outcome outcome = {.pc = a->pc,
                                     .lanes = a->lanes,
                                     .touches = a->touches,
                                     .hits = a->hits,
                                     .merged = a->merged,
                                     .misses = a->touches - a->hits - a->merged,
                                     .lacked_mshr = a->lacked_mshr};
    count_load(sm, a, outcome.misses);
    count_class(&sm->s->counts, a);
    if (sm->load_use)
        note_use(&sm->load_use[a->pc], a, &outcome, occluded_by(sm, a));
    if (ops->loaded)
        ops->loaded(sm_scheduler_of(sm, a->warp), a->warp, &outcome);
}

static void leave_queue(ws_sm *sm, access *a, uint64_t done)
{
    state *const s = sm->s;
    if (is_data_load(a) && !a->aside)
        settle(sm, a);
    s->queue_first = (s->queue_first + 1) % sm->stage_room;
    s->queue_count--;
    sm->shared->stage->left(sm);
    a->queued = false;
    if (sm_is_shared_between_warps(a->space))
        s->warp[a->warp].under_way.queued--;
    extend(sm, a, done);
    if (sm->shared->places)
        note_settled(sm, a);
}

static void run_shared(ws_sm *sm, access *a, const queued *q)
{
    sm->s->banks_free = sm->s->memory_retry = sm->s->now + q->time.busy;
    sm->s->counts.load_store_busy += q->time.busy;
    leave_queue(sm, a, sm->s->now + q->time.ready);
}

static void note_refusal(ws_sm *sm, const ws_request *request, int reason)
{
    state *const s = sm->s;
    const ws_level *const cache = &sm->shared->cache[sm->caller];
    if (s->refused_since == WS_NEVER)
        s->refused_since = s->now;
    s->refused_by = (uint32_t)reason;
    const uint64_t again = cache->ops->next_time(cache->shared, sm->cache[sm->caller], request, s->now);
    s->memory_retry = again == WS_COHERENCE_NEVER ? WS_NEVER : again > s->now ? again : s->now + 1;
}

static void count_refusal(state *s)
{
    if (s->refused_since == WS_NEVER)
        return;
    s->counts.load_store_stalls += s->now - s->refused_since;
    s->refused_since = WS_NEVER;
}

/* `told`: of this touch, before. */
static void tell_refusal(ws_sm *sm, access *a, bool told, int reason)
{
    const ws_warp_scheduler_ops *const ops = sm->shared->scheduler;
    a->lacked_mshr |= reason == WS_REFUSED_MSHR;
    if (ops->refused && !told)
        ops->refused(sm_scheduler_of(sm, a->warp), a->warp, a->pc, reason);
}

static void add_wait(state *s, uint32_t reason, uint64_t cycles)
{
    uint64_t *const sums[WS_REFUSED_REASONS] = {[WS_REFUSED] = &s->counts.load_store_other,
                                                [WS_REFUSED_LINE] = &s->counts.load_store_line,
                                                [WS_REFUSED_MSHR] = &s->counts.load_store_mshr,
                                                [WS_REFUSED_MERGE] = &s->counts.load_store_mshr};
    *sums[reason] += cycles;
    s->counts.load_store_busy += cycles;
}

/* The unit's wait is over, or goes on for another reason. */
static void end_wait(state *s)
{
    if (s->waits_since != WS_NEVER)
        add_wait(s, s->waits_for, s->now - s->waits_since);
    s->waits_since = WS_NEVER;
}

/* `served`: in this cycle the unit did something. */
static void begin_wait(state *s, bool served)
{
    end_wait(s);
    s->waits_since = s->now + served;
    s->waits_for = s->refused_since == WS_NEVER ? WS_REFUSED : s->refused_by;
}

/* Of the access that a cache has just taken. */
static ws_load_fate fate_of(const ws_sm *sm)
{
    return sm->answered ? WS_LOAD_HIT : sm->asked_below ? WS_LOAD_MISSED : WS_LOAD_MERGED;
}

/* What came of an access of a load that its cache has taken. */
static void note_fate(ws_sm *sm, access *a, const ws_touch *t)
{
    const ws_warp_scheduler_ops *const ops = sm->shared->scheduler;
    sm_warp *const w = &sm->s->warp[a->warp];
    const ws_load_fate fate = fate_of(sm);
    a->hits += fate == WS_LOAD_HIT;
    a->merged += fate == WS_LOAD_MERGED;
    if (is_data_load(a)) {
        w->misses += fate != WS_LOAD_HIT;
        w->outstanding += fate != WS_LOAD_HIT;
    }
    const ws_load_access load = {.pc = a->pc, .space = a->space, .block = t->block, .lanes = t->lanes, .fate = fate};
    if (ops->accessed)
        ops->accessed(sm_scheduler_of(sm, a->warp), a->warp, &load);
}

/* Lines of stores of the instruction that are in flight, and the warps that they are of: each warp has one instruction
 * there at a time, or several, of which one counts. */
static void count_abreast(ws_sm *sm, uint32_t pc)
{
    uint64_t warps = 0;
    uint32_t lines = 0;
    for (uint32_t i = 0; i < sm->shared->machine->sm_memory_tags; i++) {
        const access *const a = &sm->access[i];
        if (a->pc != pc || a->kind != WS_REQUEST_STORE || !a->outstanding)
            continue;
        lines += a->outstanding;
        warps |= bit(a->warp);
    }
    ws_sharing_stores(sm->sharing, lines, (uint32_t)__builtin_popcountll(warps));
}

/* What SMs share is global memory. */
static void follow(ws_sm *sm, const access *a, const ws_touch *t)
{
    if (!sm->sharing || a->space != WS_SPACE_GLOBAL || a->cache != WS_SM_DATA)
        return;
    if (a->kind == WS_REQUEST_LOAD)
        ws_sharing_load(sm->sharing, t->block, fate_of(sm), sm->s->now);
    else
        ws_sharing_store(sm->sharing, t->block);
    if (a->kind == WS_REQUEST_STORE && a->outstanding)
        count_abreast(sm, a->pc);
}

/* A touch of an instruction, its number among them, and whether it was refused before. */
typedef struct offered {
    const ws_touch *touch;
    uint32_t tag, number;
    bool refused;
} offered;

static void describe(const ws_sm *sm, const offered *o, ws_request *out)
{
    const access *const a = &sm->access[o->tag];
    const sm_warp *const w = &sm->s->warp[a->warp];
    const ws_instr *const instr = &sm->shared->launch->instr[a->pc];
    memset(out, 0, offsetof(ws_request, data));
    out->kind = a->kind;
    out->poll = a->kind == WS_REQUEST_LOAD && sm->shared->decoded[a->pc].poll;
    out->ahead = a->ahead;
    out->order = instr->order;
    out->scope = instr->scope;
    out->update = sm->shared->tells_updates ? sm_atomic_code(sm, a) : 0;
    out->warp = a->warp;
    out->tag = (uint16_t)o->tag;
    out->mask = o->touch->words;
    out->block = o->touch->block;
    out->who = (ws_cache_who){.pc = a->pc,
                              .life = (uint32_t)w->order,
                              .lines = a->touches,
                              .line = (uint16_t)o->number,
                              .rank = w->rank,
                              .cta = w->cta,
                              .lanes = a->lanes,
                              .local = a->space == WS_SPACE_LOCAL};
}

int sm_ask(ws_sm *sm, unsigned which, ws_request *request)
{
    const ws_level *const cache = &sm->shared->cache[which];
    ws_memory_checker *const checker = which == WS_SM_DATA ? sm->shared->checker : NULL;
    int status = checker ? ws_memory_checker_issue(checker, sm->number, request, sm->s->now) : WS_OK;
    if (status)
        return status;
    sm->caller = which;
    const ws_coherence_ports ports = sm_ports(sm);
    status = cache->ops->request(cache->shared, sm->cache[which], request, sm->s->now, &ports);
    if (status > 0 && checker)
        ws_memory_checker_refused(checker, sm->number);
    return status;
}

/* The outcome of a touch that does not reach its cache; WS_ATOMIC_PASS: the cache gets it. */
static ws_atomic_answer answer_before(ws_sm *sm, const access *a, const ws_touch *t)
{
    if (sm->shared->one_at_a_time && a->cache != WS_SM_DATA)
        return WS_ATOMIC_KEPT; /* what is compared has no read-only caches: they always hit */
    const bool buffered = sm_has_buffer(sm) && a->space == WS_SPACE_GLOBAL && a->cache == WS_SM_DATA;
    return buffered ? sm_atomic_offer(sm, a, t) : WS_ATOMIC_PASS;
}

static void note_taken(ws_sm *sm, access *a, const ws_touch *t, const ws_request *request)
{
    if (a->kind == WS_REQUEST_LOAD)
        note_fate(sm, a, t);
    follow(sm, a, t);
    if (sm->shared->record && a->cache == WS_SM_DATA)
        sm->shared->record(sm->shared->record_context, sm->number, request, sm->s->now);
}

/* The cache gets a touch. *taken false: it was refused. */
static int ask_cache(ws_sm *sm, const offered *o, bool *taken)
{
    access *const a = &sm->access[o->tag];
    ws_request request;
    describe(sm, o, &request);
    a->outstanding++;
    sm->asked = &request;
    sm->answered = sm->asked_below = false;
    const int status = sm_ask(sm, a->cache, &request);
    sm->asked = NULL;
    *taken = status == WS_OK;
    if (status < 0)
        return status;
    if (*taken) {
        note_taken(sm, a, o->touch, &request);
        return sm->failed;
    }
    a->outstanding--;
    note_refusal(sm, &request, status);
    tell_refusal(sm, a, o->refused, status);
    return WS_OK;
}

/* *taken false: it was refused. */
static int offer(ws_sm *sm, const offered *o, bool *taken)
{
    access *const a = &sm->access[o->tag];
    const ws_atomic_answer before = answer_before(sm, a, o->touch);
    if (before == WS_ATOMIC_PASS)
        return ask_cache(sm, o, taken);
    *taken = before == WS_ATOMIC_KEPT;
    if (*taken) {
        a->outstanding++;
        finish_touch(sm, a, sm->s->now + sm->shared->latency[a->cache]);
    }
    return WS_OK;
}

/* Is everything that the SM sent answered? */
bool ws_sm_is_quiet(const ws_sm *sm)
{
    if (sm->s->in.count || sm->s->out.count)
        return false;
    for (int i = 0; i < WS_SM_CACHES; i++)
        if (sm->shared->cache[i].ops->waiting(sm->shared->cache[i].shared, sm->cache[i]) ||
            sm->shared->cache[i].ops->reads(sm->shared->cache[i].shared,
                                            sm->cache[i])) /* a check, for which no access waits */
            return false;
    return true;
}

bool ws_sm_wants_turn(const ws_sm *sm)
{
    const state *const s = sm->s;
    const queued *const q = &sm->queue[s->queue_first];
    return s->served && q->touches > q->done;
}

void ws_sm_give_turn(ws_sm *sm, bool turn)
{
    sm->turn = turn;
    if (turn && sm->s->memory_retry > sm->s->now)
        sm->s->memory_retry = sm->s->now;
}

/* Where accesses are made one at a time: is it this SM's turn, and is nothing under way? Else a message wakes the unit.
 */
static bool may_access(ws_sm *sm)
{
    if (!sm->shared->one_at_a_time || (sm->turn && ws_sm_is_quiet(sm)))
        return true;
    sm->s->memory_retry = WS_NEVER;
    if (sm->s->refused_since == WS_NEVER)
        sm->s->refused_since = sm->s->now;
    sm->s->refused_by = WS_REFUSED;
    return false;
}

/* Bytes of the sectors of the L1 that it touches. */
static uint32_t touched_bytes(const ws_machine *m, const ws_touch *t)
{
    const uint32_t words = m->l1_sector / sizeof(uint32_t);
    uint32_t bytes = 0;
    for (uint32_t first = 0; first < m->l1_line / sizeof(uint32_t); first += words)
        bytes += t->words >> first & (UINT32_MAX >> (32 - words)) ? m->l1_sector : 0;
    return bytes;
}

/* The data path is busy until it has moved so much. */
static void keep_data_path(ws_sm *sm, uint32_t bytes)
{
    state *const s = sm->s;
    const uint32_t width = sm->shared->machine->l1_width;
    if (!width || bytes <= width)
        return;
    s->banks_free = s->now + (bytes + width - 1) / width;
    s->counts.load_store_busy += s->banks_free - s->now - 1;
    if (s->memory_retry < s->banks_free)
        s->memory_retry = s->banks_free;
}

/* The constant cache gives lanes that want different addresses one after the other. Returns when the last has its own.
 */
static uint64_t give_constants(ws_sm *sm, const queued *q)
{
    state *const s = sm->s;
    if (q->cycles <= 1)
        return s->now;
    s->banks_free = s->now + q->cycles;
    s->counts.load_store_busy += q->cycles - 1;
    if (s->memory_retry < s->banks_free)
        s->memory_retry = s->banks_free;
    return s->banks_free - 1 + sm->shared->machine->constant_latency;
}

/* May a cache be asked now? Else the unit waits; `served`: in this cycle it did something. */
static bool may_ask(ws_sm *sm, bool served)
{
    state *const s = sm->s;
    if (!may_access(sm)) {
        begin_wait(s, served);
        return false;
    }
    if (s->out.count + sm->messages_kept <= sm->shared->machine->port_packets)
        return true;
    s->counts.port_stalls++;
    end_wait(s);
    s->counts.load_store_port += !served;
    s->counts.load_store_busy += !served;
    return false;
}

/* A cache took a touch. */
static void count_taken(state *s)
{
    count_refusal(s);
    end_wait(s);
}

/* ------------------------------------------------------------------------------------------------ accesses put aside
 */

/* A touch that the L1 refused: is it of those that wait aside while others go there, of a load that an answer to others
 * helps? Then the unit goes on with the next one. `served`: in this cycle it did something else. */
static bool put_touch_aside(ws_sm *sm, access *a, queued *q, const ws_touch *t, bool served)
{
    state *const s = sm->s;
    const bool helps = s->refused_since != WS_NEVER && s->refused_by != WS_REFUSED;
    if (!helps || !is_data_load(a) || s->aside_count == sm->shared->reexecuted)
        return false;
    sm->aside[(s->aside_first + s->aside_count++) % sm->shared->reexecuted] =
        (put_aside){.touch = *t, .tag = q->tag, .number = q->done};
    a->aside++;
    q->done++;
    q->refused = false;
    end_wait(s);
    add_wait(s, s->refused_by, !served);
    count_refusal(s);
    s->counts.load_store_aside++;
    s->memory_retry = s->now + 1;
    return true;
}

/* Tries the touch that has been aside for longest. *done: the unit does nothing else in this cycle. */
static int run_aside(ws_sm *sm, bool *done)
{
    state *const s = sm->s;
    const put_aside *const first = &sm->aside[s->aside_first];
    access *const a = &sm->access[first->tag];
    bool taken;
    *done = true;
    s->memory_retry = s->now + 1;
    if (!may_ask(sm, false))
        return WS_OK;
    a->aside--;
    const int status = offer(
        sm, &(offered){.touch = &first->touch, .tag = first->tag, .number = first->number, .refused = true}, &taken);
    a->aside += !taken;
    *done = taken || !s->served;
    if (status || !taken)
        return status;
    count_taken(s);
    s->counts.load_store_busy++;
    s->aside_first = (s->aside_first + 1) % sm->shared->reexecuted;
    s->aside_count--;
    if (!a->aside && !a->queued)
        settle(sm, a);
    return WS_OK;
}

/* ------------------------------------------------------------------------------------------------ the first
 * instruction */

/* Touches of the first instruction go to its cache; *served: how many it took. */
static int serve(ws_sm *sm, access *a, queued *q, uint32_t *served)
{
    state *const s = sm->s;
    const ws_machine *const m = sm->shared->machine;
    uint32_t bytes = 0;
    for (uint32_t i = 0; i < m->l1_ports && q->done < q->touches; i++) {
        if (!may_ask(sm, *served))
            return WS_OK;
        bool taken;
        const ws_touch *const t = &sm->touch[(size_t)q->slot * WS_TOUCHES + q->done];
        const int status =
            offer(sm, &(offered){.touch = t, .tag = q->tag, .number = q->done, .refused = q->refused}, &taken);
        if (status)
            return status;
        if (!taken) {
            q->refused = s->refused_since != WS_NEVER;
            if (!put_touch_aside(sm, a, q, t, *served))
                begin_wait(s, *served);
            return WS_OK;
        }
        bytes += m->l1_width && a->cache == WS_SM_DATA ? touched_bytes(m, t) : 0;
        count_taken(s);
        ++*served;
        q->refused = false;
        q->done++;
    }
    keep_data_path(sm, bytes);
    return WS_OK;
}

static int run_cached(ws_sm *sm, access *a, queued *q)
{
    state *const s = sm->s;
    uint32_t served = 0;
    s->memory_retry = s->now + 1;
    const int status = serve(sm, a, q, &served);
    s->counts.load_store_busy += served || !q->touches;
    s->counts.load_store_more += served && q->done < q->touches;
    if (status || q->done < q->touches)
        return status;
    leave_queue(sm, a, q->touches ? give_constants(sm, q) : s->now + sm->shared->machine->constant_latency);
    return sm_try_fence(sm, a->warp);
}

int sm_memory_run(ws_sm *sm)
{
    state *const s = sm->s;
    if (s->aside_count && (!s->served || s->aside_count == sm->shared->reexecuted)) {
        bool done;
        const int status = run_aside(sm, &done);
        if (status || done)
            return status;
    }
    if (!s->served) {
        s->memory_retry = WS_NEVER;
        return WS_OK;
    }
    queued *const q = &sm->queue[s->queue_first];
    access *const a = &sm->access[q->tag];
    const uint64_t ready = a->ready > s->banks_free ? a->ready : s->banks_free;
    if (ready > s->now && (!q->done || s->banks_free > s->now)) {
        s->memory_retry = ready; /* operands are on their way, or shared memory keeps the unit */
        return WS_OK;
    }
    if (a->space != WS_SPACE_SHARED)
        return run_cached(sm, a, q);
    run_shared(sm, a, q);
    return WS_OK;
}
