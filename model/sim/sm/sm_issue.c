/* sm_issue.c - which warps issue in this cycle, and what becomes of what they issue?
 *
 * A warp may issue when its instruction is there, no register that it reads or writes is on its way (scoreboard), and
 * unit and collector have room. What it then takes is known at once: operands when the register file says, the unit's
 * latency behind that, the register file again for the result. */
#include "model/sim/sm/sm_internal.h"

#include "base/status.h"
#include "model/machine/machine.h"
#include "model/sim/sm/register_banks.h"

#include <string.h>

/* Waits for memory or for other warps: a scheduler that keeps a set of active warps must let others in. */
static bool is_long_wait(wait_kind why)
{
    return why == WAIT_MEMORY || why == WAIT_ORDER || why == WAIT_BARRIER;
}

void sm_block_warp(ws_sm *sm, unsigned warp, wait_kind why)
{
    state *const s = sm->s;
    s->blocked[why] |= bit(warp);
    if (is_long_wait(why) && sm->shared->scheduler->blocked)
        sm->shared->scheduler->blocked(sm_scheduler_of(sm, warp), warp);
}

void sm_unblock_warp(ws_sm *sm, unsigned warp, wait_kind why)
{
    state *const s = sm->s;
    if (!(s->blocked[why] & bit(warp)))
        return;
    s->blocked[why] &= ~bit(warp);
    for (int other = 0; other < WAITS; other++)
        if (is_long_wait((wait_kind)other) && s->blocked[other] & bit(warp))
            return;
    if (is_long_wait(why) && sm->shared->scheduler->unblocked)
        sm->shared->scheduler->unblocked(sm_scheduler_of(sm, warp), warp);
}

/* ------------------------------------------------------------------------------------------------ the next step */

static int fetch_step(ws_sm *sm, unsigned number)
{
    sm_warp *const w = &sm->s->warp[number];
    ws_step step;
    bool found;
    const uint32_t slot = sm->number * sm->ctas + w->cta;
    const int status = sm->shared->source->ops->next(sm->shared->source, slot, w->index, &step, &found);
    if (status)
        return status;
    if (!found) {
        w->ended = true;
        return WS_OK;
    }
    w->consumed++;
    w->has_step = true;
    w->pc = step.pc;
    w->active = step.active;
    w->exec = step.exec;
    w->detail = step.detail;
    w->left = step.count ? step.count : 1;
    w->kind = step.kind;
    w->depth = step.depth;
    w->space = step.space;
    w->texel = step.texel;
    w->further = step.further;
    w->failed = step.failed;
    w->continued = !step.count;
    if (sm->load_value) {
        sm->step_value[number].value = step.value;
        sm->step_value[number].values = step.values;
    }
    if (!step.depth)
        w->whole = step.active;
    if (step.kind == WS_EVENT_MEMORY)
        memcpy(sm->address + (size_t)number * ADDRESSES, step.address,
               (size_t)(1 + step.further) * WS_WARP * sizeof *step.address);
    return WS_OK;
}

/* ------------------------------------------------------------------------------------------------ ends, barriers,
 * fences */

static void retry_at(ws_sm *sm, uint64_t cycle)
{
    if (cycle <= sm->s->now)
        cycle = sm->s->now + 1;
    if (cycle < sm->s->retry)
        sm->s->retry = cycle;
}

static void release_barrier(ws_sm *sm, sm_barrier *b)
{
    for (uint64_t rest = b->waiting; rest; rest &= rest - 1)
        sm_unblock_warp(sm, (unsigned)__builtin_ctzll(rest), WAIT_BARRIER);
    b->arrived = b->waiting = 0;
    b->expected = 0;
    sm->s->counts.barriers++;
    retry_at(sm, sm->s->now + 1); /* schedulers that had their turn in this cycle */
}

static void check_barrier(ws_sm *sm, const sm_cta *cta, sm_barrier *b)
{
    if (!b->arrived)
        return;
    const bool complete = b->expected ? ws_popcount64(b->arrived) >= b->expected : !(cta->warps & ~b->arrived);
    if (complete)
        release_barrier(sm, b);
}

/* All lanes of the warp that are left are there. */
static void arrive_at_barrier(ws_sm *sm, unsigned number)
{
    sm_warp *const w = &sm->s->warp[number];
    sm_cta *const cta = &sm->s->cta[w->cta];
    sm_barrier *const b = &cta->barrier[(w->barrier & 0xff) % BARRIERS];
    w->arrived = 0;
    b->expected = w->barrier >> 8;
    b->arrived |= bit(number);
    if (!sm->shared->launch->instr[w->barrier_pc].arrival) {
        b->waiting |= bit(number);
        sm_block_warp(sm, number, WAIT_BARRIER);
    }
    check_barrier(sm, cta, b);
}

static void reach_barrier(ws_sm *sm, unsigned number)
{
    sm_warp *const w = &sm->s->warp[number];
    if (w->detail == UINT32_MAX || !w->exec)
        return; /* only the warp itself takes part */
    w->arrived |= w->active;
    w->barrier = w->detail;
    w->barrier_pc = w->pc;
    if (!w->depth || !(w->whole & ~w->arrived)) /* else its other lanes come on their own path */
        arrive_at_barrier(sm, number);
}

static void end_cta(ws_sm *sm, unsigned slot)
{
    state *const s = sm->s;
    s->cta[slot].used = false;
    s->ended |= 1u << slot;
    s->resident--;
    s->counts.ctas++;
    if (sm->sharing)
        ws_sharing_cta_ended(sm->sharing, slot, s->now);
    if (sm_has_buffer(sm))
        sm_atomic_reach(sm, WS_ATOMIC_CTA, 0, 0);
    if (sm->shared->memory->end)
        sm->shared->memory->end(sm->memory_state, &sm->shared->memory_setup, slot, &sm->s->activity);
    sm->shared->source->ops->end(sm->shared->source, sm->number * sm->ctas + slot);
}

void sm_try_to_end(ws_sm *sm, unsigned number)
{
    state *const s = sm->s;
    sm_warp *const w = &s->warp[number];
    if (!w->ended || w->writes || w->accesses || w->again || !(s->live & bit(number)))
        return;
    for (int why = 0; why < WAITS; why++)
        sm_unblock_warp(sm, number, (wait_kind)why);
    s->live &= ~bit(number);
    if (sm->shared->wait_loop)
        sm_wait_ended(sm, number);
    for (uint64_t rest = s->live; rest; rest &= rest - 1)
        s->warp[__builtin_ctzll(rest)].rank -= s->warp[__builtin_ctzll(rest)].rank > w->rank;
    for (uint64_t rest = s->live & sm->scheduler_mask[number % sm->schedulers]; rest; rest &= rest - 1)
        s->warp[__builtin_ctzll(rest)].turn -= s->warp[__builtin_ctzll(rest)].turn > w->turn;
    s->ending &= ~bit(number);
    s->resident_warps--;
    if (sm->shared->scheduler->ended)
        sm->shared->scheduler->ended(sm_scheduler_of(sm, number), number);
    sm_cta *const cta = &s->cta[w->cta];
    cta->warps &= ~bit(number);
    for (int i = 0; i < BARRIERS; i++)
        check_barrier(sm, cta, &cta->barrier[i]);
    if (!cta->warps)
        end_cta(sm, w->cta);
}

/* All is complete that the fence waits for: the warp goes on, or does so when the fence has taken its time. */
static void pass_fence(ws_sm *sm, unsigned number, uint8_t scope)
{
    state *const s = sm->s;
    const ws_machine *const m = sm->shared->machine;
    if (scope == WS_SCOPE_CTA || !m->sm_fence) {
        sm_unblock_warp(sm, number, WAIT_ORDER);
        return;
    }
    const uint64_t own = m->sm_fence_from == WS_FENCE_FROM_ISSUE ? s->warp[number].fence_issued : s->now,
                   begin = m->sm_fence_turns && s->fence_free > own ? s->fence_free : own, end = begin + m->sm_fence;
    s->fence_free = end;
    if (end <= s->now) {
        sm_unblock_warp(sm, number, WAIT_ORDER);
        return;
    }
    s->counts.fence_cycles += end - s->now;
    sm_schedule(sm, end, EVENT_FENCED, number, 0);
}

int sm_try_fence(ws_sm *sm, unsigned number)
{
    sm_warp *const w = &sm->s->warp[number];
    const ws_level *const cache = &sm->shared->cache[WS_SM_DATA];
    bool ask;
    if (!w->fencing || !sm->shared->consistency->may_pass(&w->under_way, w->fence_scope, &ask))
        return WS_OK;
    if (ask && w->accesses)
        return WS_OK; /* those that others do not see, too */
    if (sm_has_buffer(sm) && !sm_atomic_reach(sm, WS_ATOMIC_FENCE, number, w->fence_scope))
        return WS_OK;
    const ws_request fence = {
        .kind = WS_REQUEST_FENCE, .warp = (uint16_t)number, .order = w->fence_order, .scope = w->fence_scope};
    sm->caller = WS_SM_DATA;
    const ws_coherence_ports ports = sm_ports(sm);
    const int status =
        ask ? cache->ops->request(cache->shared, sm->cache[WS_SM_DATA], &fence, sm->s->now, &ports) : WS_OK;
    if (status < 0)
        return status;
    if (status > 0) {
        uint64_t again = cache->ops->next_time(cache->shared, sm->cache[WS_SM_DATA], &fence, sm->s->now);
        if (again <= sm->s->now)
            again = sm->s->now + 1;
        if (again != WS_COHERENCE_NEVER && (w->fence_at <= sm->s->now || again < w->fence_at)) {
            w->fence_at = again;
            sm_schedule(sm, again, EVENT_FENCE, number, 0);
        }
        return WS_OK;
    }
    if (sm->shared->record)
        sm->shared->record(sm->shared->record_context, sm->number, &fence, sm->s->now);
    w->fencing = false;
    pass_fence(sm, number, w->fence_scope);
    return WS_OK;
}

int sm_try_fences(ws_sm *sm)
{
    const state *const s = sm->s;
    int status = WS_OK;
    for (uint64_t rest = s->blocked[WAIT_ORDER] & s->live; rest && !status; rest &= rest - 1)
        status = sm_try_fence(sm, (unsigned)__builtin_ctzll(rest));
    return status;
}

/* ------------------------------------------------------------------------------------------------ scoreboard */

static bool is_set(const uint64_t *set, uint32_t reg)
{
    return set[reg / 64] >> reg % 64 & 1;
}

/* Does the instruction read or write a register that is on its way? Then the warp waits for it, and with sm.pipeline
 * for any of its registers. */
static bool must_wait(ws_sm *sm, unsigned number, const ws_decoded *d)
{
    const uint64_t *const pending = sm->pending + (size_t)number * sm->register_words;
    const uint64_t *const memory = sm->from_memory + (size_t)number * sm->register_words;
    bool wait = false, long_wait = false;
    for (uint32_t i = 0; i < sm->register_words && sm->shared->machine->sm_pipeline; i++) {
        wait |= pending[i] != 0;
        long_wait |= memory[i] != 0;
    }
    for (unsigned i = 0; i < d->srcs; i++)
        if (is_set(pending, d->src[i])) {
            wait = true;
            long_wait |= is_set(memory, d->src[i]);
        }
    for (unsigned i = 0; i < d->dsts; i++)
        if (is_set(pending, d->dst[i])) {
            wait = true;
            long_wait |= is_set(memory, d->dst[i]);
        }
    if (wait)
        sm_block_warp(sm, number, long_wait ? WAIT_MEMORY : WAIT_DEPENDENCY);
    return wait;
}

static void mark_pending(ws_sm *sm, unsigned number, const ws_decoded *d, bool memory)
{
    for (unsigned i = 0; i < d->dsts; i++) {
        const uint32_t reg = d->dst[i];
        sm->pending[(size_t)number * sm->register_words + reg / 64] |= bit(reg % 64);
        if (memory)
            sm->from_memory[(size_t)number * sm->register_words + reg / 64] |= bit(reg % 64);
    }
}

void sm_written(ws_sm *sm, unsigned number, uint32_t pc)
{
    const ws_decoded *const d = &sm->shared->decoded[pc];
    for (unsigned i = 0; i < d->dsts; i++) {
        const uint32_t reg = d->dst[i];
        sm->pending[(size_t)number * sm->register_words + reg / 64] &= ~bit(reg % 64);
        sm->from_memory[(size_t)number * sm->register_words + reg / 64] &= ~bit(reg % 64);
    }
    sm_unblock_warp(sm, number, WAIT_MEMORY);
    sm_unblock_warp(sm, number, WAIT_DEPENDENCY);
    sm_try_to_end(sm, number);
}

/* ------------------------------------------------------------------------------------------------ values */

/* What the warp's instruction makes of the register, on these lanes; NULL: not known. */
static const ws_value *find_value(const ws_sm *sm, unsigned number, uint32_t pc, uint16_t reg, uint32_t exec)
{
    for (uint32_t i = 0; i < sm->step_value[number].values; i++) {
        const ws_value *const value = &sm->step_value[number].value[i];
        if (!value->is_shared && value->pc == pc && value->reg == reg && value->exec & exec)
            return value;
    }
    return NULL;
}

void sm_keep_values(ws_sm *sm, unsigned number, uint32_t tag)
{
    const sm_warp *const w = &sm->s->warp[number];
    const ws_decoded *const d = &sm->shared->decoded[w->pc];
    for (unsigned i = 0; i < d->dsts; i++) {
        kept_value *const to = &sm->load_value[tag * WS_INSTR_DST + i];
        const ws_value *const value = find_value(sm, number, w->pc, d->dst[i], w->exec);
        to->value = value ? *value : (ws_value){0};
        if (!value)
            continue;
        memcpy(to->before, value->before, sizeof to->before);
        memcpy(to->after, value->after, sizeof to->after);
        to->value.before = to->before;
        to->value.after = to->after;
    }
}

static void count_bits(ws_sm *sm, unsigned number, uint16_t reg, const ws_value *value)
{
    ws_activity *const a = &sm->s->activity;
    const uint32_t bank = ws_register_bank(reg, number, sm->shared->banks);
    a->registers_written_bits[bank] += 8u * value->bytes * ws_popcount(value->exec);
    WS_EACH_LANE (lane, value->exec)
        a->registers_changed_bits[bank] += ws_popcount64(value->before[lane] ^ value->after[lane]);
}

/* ------------------------------------------------------------------------------------------------ results */

/* The value that is written to a register, which is counted; NULL: not known. */
static const ws_value *take_value(ws_sm *sm, unsigned number, uint32_t pc, uint16_t reg, const kept_value *kept)
{
    const ws_value *const value = kept ? &kept->value : find_value(sm, number, pc, reg, sm->s->warp[number].exec);
    if (!value || !value->bytes)
        return NULL;
    count_bits(sm, number, reg, value);
    return value;
}

/* The cycle from which all results can be read. `kept`: their values, when those of the warp's step are others by now;
 * NULL. */
static uint64_t write_results(ws_sm *sm, unsigned number, uint32_t pc, uint32_t exec, const kept_value *kept,
                              uint64_t done)
{
    const ws_decoded *const d = &sm->shared->decoded[pc];
    const ws_register_file_ops *const file = sm->shared->file;
    uint64_t written = done;
    for (unsigned i = 0; i < d->dsts; i++) {
        const ws_value *const value =
            sm->load_value ? take_value(sm, number, pc, d->dst[i], kept ? &kept[i] : NULL) : NULL;
        const ws_register_use use = {
            .warp = number, .exec = exec, .cycle = done, .value = value, .did = &sm->s->activity};
        const uint64_t cycle = file->write(sm->file_state, sm->shared->file_values, &use, d->dst[i]);
        written = cycle > written ? cycle : written;
    }
    return written;
}

static void finish_write(ws_sm *sm, unsigned number, uint32_t pc, uint64_t written)
{
    if (written <= sm->s->now) {
        sm_written(sm, number, pc);
        return;
    }
    sm->s->warp[number].writes++;
    sm_schedule(sm, written, EVENT_WRITTEN, number, pc);
}

void sm_write_back(ws_sm *sm, unsigned number, uint32_t pc, uint64_t done)
{
    finish_write(sm, number, pc, write_results(sm, number, pc, sm->s->warp[number].exec, NULL, done));
}

void sm_write_load(ws_sm *sm, unsigned number, uint32_t pc, uint32_t tag, uint64_t done)
{
    const kept_value *const kept = sm->load_value ? &sm->load_value[tag * WS_INSTR_DST] : NULL;
    finish_write(sm, number, pc, write_results(sm, number, pc, sm->access[tag].exec, kept, done));
}

/* ------------------------------------------------------------------------------------------------ issue */

/* The counts that a scheduler's turn without an issue goes to, worst first. */
enum { REASON_UNIT = WAITS, REASON_LOAD_STORE, REASON_EMPTY, REASON_ISSUED, REASON_HELD };

/* A free copy of the unit that the warp's scheduler may use; -1, and when one is free. */
static int find_unit(const ws_sm *sm, unsigned number, unsigned unit, uint64_t *again)
{
    const state *const s = sm->s;
    const unsigned copies = sm->unit_copies[unit], own = number % sm->schedulers % copies;
    const bool divided = sm->shared->machine->sm_subcores;
    *again = WS_NEVER;
    for (unsigned i = divided ? own : 0; i < copies; i += divided ? sm->schedulers : 1) {
        if (s->unit_free[unit][i] <= s->now)
            return (int)i;
        if (s->unit_free[unit][i] < *again)
            *again = s->unit_free[unit][i];
    }
    return -1;
}

/* What the unit takes besides the register file, at least a cycle. */
static uint32_t own_latency(const ws_sm *sm, const ws_decoded *d)
{
    const uint32_t idle = sm->shared->file_cycles;
    return d->latency > idle ? d->latency - idle : 1;
}

/* When the operands of the warp's instruction are there. */
static uint64_t read_operands(ws_sm *sm, unsigned number, const ws_decoded *d)
{
    state *const s = sm->s;
    const ws_register_use use = {.warp = number, .exec = s->warp[number].exec, .cycle = s->now, .did = &s->activity};
    return sm->shared->file->read(sm->file_state, sm->shared->file_values, &use, d->src, d->srcs);
}

static void compute(ws_sm *sm, unsigned number, const ws_decoded *d, int copy)
{
    state *const s = sm->s;
    const uint64_t there = read_operands(sm, number, d);
    if (copy >= 0) {
        s->unit_free[d->unit][copy] = s->now + d->initiation;
        s->activity.unit_busy_cycles[d->unit] += d->initiation;
    }
    if (!d->dsts)
        return;
    mark_pending(sm, number, d, false);
    sm_write_back(sm, number, s->warp[number].pc, there + own_latency(sm, d));
}

/* The instruction leaves the warp's step. */
static void advance(ws_sm *sm, unsigned number)
{
    sm_warp *const w = &sm->s->warp[number];
    ws_sm_counts *const counts = &sm->s->counts;
    if (!w->continued) {
        counts->warp_instructions++;
        const unsigned lanes = ws_popcount(w->exec);
        counts->thread_instructions += lanes;
        ws_activity_instruction(&sm->s->activity, &sm->shared->decoded[w->pc], lanes, number, sm->shared->banks);
    }
    w->pc++;
    if (--w->left == 0)
        w->has_step = false;
}

void sm_want_fetch(ws_sm *sm, unsigned number)
{
    sm_block_warp(sm, number, WAIT_FETCH);
    sm->s->unfetched |= bit(number);
}

void sm_fetched(ws_sm *sm, unsigned number)
{
    sm_warp *const w = &sm->s->warp[number];
    if (w->astray) {
        w->astray = false;
        sm->s->unfetched |= bit(number);
        return;
    }
    w->fetched = (uint8_t)sm->shared->machine->sm_fetch;
    sm_unblock_warp(sm, number, WAIT_FETCH);
}

/* The next warp in turn that has nothing: what is fetched in this cycle is decoded in the next, and issues behind. */
void sm_fetch(ws_sm *sm)
{
    state *const s = sm->s;
    const uint64_t behind = s->fetching + 1 < WS_SM_WARPS ? s->unfetched >> (s->fetching + 1) << (s->fetching + 1) : 0;
    s->fetching = (uint32_t)__builtin_ctzll(behind ? behind : s->unfetched);
    s->unfetched &= ~bit(s->fetching);
    sm_schedule(sm, s->now + 2, EVENT_FETCHED, s->fetching, 0);
    if (s->unfetched)
        retry_at(sm, s->now + 1);
}

/* Behind an instruction of a warp. What follows a taken branch was fetched, or is: that shows when it would issue. */
static void leave_fetched(ws_sm *sm, unsigned number, bool taken)
{
    sm_warp *const w = &sm->s->warp[number];
    if (--w->fetched && taken) {
        w->fetched = 0;
        w->astray = true;
        sm_block_warp(sm, number, WAIT_FETCH);
        sm_schedule(sm, sm->s->now + 1, EVENT_FETCHED, number, 0);
    } else if (!w->fetched) {
        w->astray = taken;
        sm_want_fetch(sm, number);
    }
}

/* The warp's next instruction is not there at once: `taken`: it is the target of a branch. */
static void turn_away(ws_sm *sm, unsigned number, bool taken)
{
    const ws_machine *const m = sm->shared->machine;
    if (m->sm_fetch) {
        leave_fetched(sm, number, taken);
        return;
    }
    const uint32_t cycles = taken && m->sm_refill > m->sm_pipeline ? m->sm_refill : m->sm_pipeline;
    if (!cycles)
        return;
    sm_block_warp(sm, number, WAIT_FETCH);
    sm_schedule(sm, sm->s->now + cycles, EVENT_FETCHED, number, 0);
}

static void issue_memory(ws_sm *sm, unsigned number, const ws_decoded *d)
{
    const uint64_t there = read_operands(sm, number, d);
    const uint8_t space = sm->s->warp[number].space;
    mark_pending(sm, number, d, space != WS_SPACE_SHARED && space != WS_SPACE_PARAM);
    sm_memory_issue(sm, number, there);
}

static bool may_begin(const ws_sm *sm, const sm_warp *w)
{
    if (sm->shared->ahead && sm_ahead_loads(sm, w))
        return true;
    if (sm->shared->places)
        return !w->under_way.unplaced;
    const ws_instr *const instr = &sm->shared->launch->instr[w->pc];
    return sm->shared->consistency->may_begin(&w->under_way, sm_request_kind(instr));
}

/* What keeps the warp's instruction from issuing now? REASON_ISSUED: nothing; *copy is its unit. */
static int find_hindrance(ws_sm *sm, unsigned number, const ws_decoded *d, int *copy)
{
    const state *const s = sm->s;
    const sm_warp *const w = &s->warp[number];
    uint64_t again;
    if (w->atomics && sm->shared->machine->sm_atomic_stall) {
        sm_block_warp(sm, number, WAIT_ORDER); /* until sm_memory_loaded */
        return WAIT_ORDER;
    }
    if (must_wait(sm, number, d))
        return s->blocked[WAIT_MEMORY] & bit(number) ? WAIT_MEMORY : WAIT_DEPENDENCY;
    if (w->kind == WS_EVENT_MEMORY) {
        if (sm_is_shared_between_warps(w->space) && !may_begin(sm, w)) {
            sm_block_warp(sm, number, WAIT_ORDER);
            return WAIT_ORDER;
        }
        if (!sm_memory_has_room(sm))
            return REASON_LOAD_STORE;
        if (sm->shared->ahead && sm_ahead_must_wait(sm, number, d))
            return WAIT_ORDER;
    } else if (sm->shared->ahead && sm_ahead_must_wait(sm, number, d)) {
        return WAIT_ORDER;
    } else if (d->unit != WS_UNIT_NONE && d->unit != WS_UNIT_MEMORY) {
        *copy = find_unit(sm, number, d->unit, &again);
        if (*copy < 0) {
            retry_at(sm, again);
            return REASON_UNIT;
        }
    }
    if (!sm->shared->file->has_room(sm->file_state, sm->shared->file_values, s->now, &again)) {
        retry_at(sm, again);
        return REASON_UNIT;
    }
    if (s->events + EVENTS_KEPT + sm->shared->machine->sm_memory_tags > sm->events_room) {
        retry_at(sm, s->now + 1);
        return REASON_UNIT;
    }
    return REASON_ISSUED;
}

/* The warp has its next step, or has ended. */
static int find_step(ws_sm *sm, unsigned number)
{
    const sm_warp *const w = &sm->s->warp[number];
    const int status = w->has_step || w->ended ? WS_OK : fetch_step(sm, number);
    if (status || !w->ended)
        return status;
    sm->s->ending |= bit(number);
    sm_block_warp(sm, number, WAIT_ORDER); /* until what it has under way is done */
    sm_try_to_end(sm, number);
    return WS_OK;
}

static void count_fence(ws_sm_counts *counts, uint8_t scope)
{
    if (scope == WS_SCOPE_CTA)
        counts->local_fences++;
    else
        counts->device_fences++;
}

/* A result that came from a refuted load is computed again, one after the other. */
static int try_again(ws_sm *sm, unsigned number)
{
    state *const s = sm->s;
    sm_warp *const w = &s->warp[number];
    renamed *const item = sm_ahead_again(sm, number);
    if (w->again_at > s->now || !item) {
        sm_block_warp(sm, number, WAIT_DEPENDENCY);
        return WAIT_DEPENDENCY;
    }
    const ws_decoded *const d = &sm->shared->decoded[item->pc];
    const bool needs_unit = d->unit != WS_UNIT_NONE && d->unit != WS_UNIT_MEMORY;
    uint64_t again;
    const int copy = needs_unit ? find_unit(sm, number, d->unit, &again) : -1;
    if ((needs_unit && copy < 0) ||
        !sm->shared->file->has_room(sm->file_state, sm->shared->file_values, s->now, &again)) {
        retry_at(sm, again);
        return REASON_UNIT;
    }
    item->again = false;
    const ws_register_use use = {.warp = number, .exec = item->exec, .cycle = s->now, .did = &s->activity};
    const uint64_t there = sm->shared->file->read(sm->file_state, sm->shared->file_values, &use, d->src, d->srcs);
    if (copy >= 0) {
        s->unit_free[d->unit][copy] = s->now + d->initiation;
        s->activity.unit_busy_cycles[d->unit] += d->initiation;
    }
    w->again_at = write_results(sm, number, item->pc, item->exec, NULL, there + own_latency(sm, d));
    w->again_at = w->again_at > s->now ? w->again_at : s->now + 1;
    s->counts.reexecuted++;
    ws_activity_instruction(&s->activity, d, ws_popcount(item->exec), number, sm->shared->banks);
    sm_schedule(sm, w->again_at, EVENT_AGAIN, number, 0);
    return REASON_ISSUED;
}

/* *reason: REASON_ISSUED, or why not. */
static int try_issue(ws_sm *sm, unsigned number, int *reason)
{
    state *const s = sm->s;
    sm_warp *const w = &s->warp[number];
    const ws_warp_scheduler_ops *const ops = sm->shared->scheduler;
    if (w->again) {
        *reason = try_again(sm, number);
        return WS_OK;
    }
    const int status = w->has_step ? WS_OK : find_step(sm, number);
    if (status || w->ended) {
        *reason = REASON_EMPTY;
        return status;
    }
    if (w->arrived & w->active) { /* lanes go on behind a barrier: the others of the warp have exited on their path */
        arrive_at_barrier(sm, number);
        if (s->blocked[WAIT_BARRIER] & bit(number)) {
            *reason = WAIT_BARRIER;
            return WS_OK;
        }
    }
    const ws_decoded *const d = &sm->shared->decoded[w->pc];
    int copy = -1;
    *reason = find_hindrance(sm, number, d, &copy);
    if (*reason != REASON_ISSUED)
        return WS_OK;
    if (ops->admits && !ops->admits(sm_scheduler_of(sm, number), number)) {
        *reason = REASON_HELD;
        if (ops->held)
            ops->held(sm_scheduler_of(sm, number), number);
        retry_at(sm, s->now + 1);
        return WS_OK;
    }
    const ws_issue issue = {
        .instr = &sm->shared->launch->instr[w->pc], .pc = w->pc, .exec = w->exec, .data_load = sm_is_data_load(sm, w)};
    s->ranks.issues[w->turn]++;
    const uint8_t kind = w->kind;
    const bool taken = kind == WS_EVENT_BRANCH && w->detail;
    const bool renames = sm->shared->ahead && sm_ahead_renames(sm, w);
    const uint32_t tag = s->tags_free;
    ops->issued(sm_scheduler_of(sm, number), number, &issue);
    if (sm->shared->wait_loop)
        sm_wait_issued(sm, number, w->pc);
    if (kind == WS_EVENT_MEMORY)
        issue_memory(sm, number, d);
    else
        compute(sm, number, d, copy);
    if (renames)
        sm_ahead_issued(sm, number, d, tag);
    if (kind == WS_EVENT_BARRIER)
        reach_barrier(sm, number);
    advance(sm, number);
    turn_away(sm, number, taken);
    if (!d->fence)
        return WS_OK;
    count_fence(&s->counts, issue.instr->scope);
    w->fencing = true;
    w->fence_issued = s->now;
    w->fence_order = issue.instr->order;
    w->fence_scope = issue.instr->scope;
    sm_block_warp(sm, number, WAIT_ORDER);
    return sm_try_fence(sm, number);
}

/* Of warps that cannot issue: the reason that counts. */
static int blocked_reason(const ws_sm *sm, uint64_t mask)
{
    const state *const s = sm->s;
    for (int why = 0; why < WAITS; why++)
        if (s->blocked[why] & s->live & ~s->ending & mask)
            return why;
    return REASON_EMPTY;
}

/* Warps of the scheduler that nothing blocks. */
static uint64_t free_warps_of(const ws_sm *sm, unsigned scheduler)
{
    const state *const s = sm->s;
    uint64_t free_warps = s->live & sm->scheduler_mask[scheduler];
    for (int why = 0; why < WAITS; why++)
        free_warps &= ~s->blocked[why];
    return free_warps;
}

/* The policy wants to know what the warps are up to. *known: those of which it does. */
static int look_ahead(ws_sm *sm, unsigned scheduler, uint64_t *known)
{
    int status = WS_OK;
    const uint64_t unknown = free_warps_of(sm, scheduler) & ~*known;
    for (uint64_t rest = unknown; rest && !status; rest &= rest - 1)
        status = find_step(sm, (unsigned)__builtin_ctzll(rest));
    *known |= unknown;
    return status;
}

static int take_turn(ws_sm *sm, unsigned scheduler, unsigned *issued)
{
    state *const s = sm->s;
    const ws_warp_scheduler_ops *const ops = sm->shared->scheduler;
    int best = REASON_EMPTY;
    bool held = false, others = false; /* some could have issued; some waited for another unit */
    uint64_t tried = 0, known = 0;
    for (uint32_t turn = 0; turn < sm->shared->machine->sm_issue;) {
        const int ahead = ops->looks_ahead ? look_ahead(sm, scheduler, &known) : WS_OK;
        if (ahead)
            return ahead;
        const uint64_t free_warps = free_warps_of(sm, scheduler) & ~tried;
        const int warp = free_warps ? ops->choose(&sm->scheduling[scheduler], free_warps) : -1;
        if (warp < 0) {
            if (free_warps)
                retry_at(sm, s->now + 1); /* the policy holds them back */
            held |= free_warps != 0;
            break;
        }
        int reason;
        const int status = try_issue(sm, (unsigned)warp, &reason);
        if (status)
            return status;
        if (reason == REASON_ISSUED) {
            best = REASON_ISSUED;
            known &= ~bit((unsigned)warp);
            ++*issued;
            turn++;
        } else {
            tried |= bit((unsigned)warp);
            held |= reason == REASON_HELD;
            others |= reason == REASON_UNIT;
            if (best == REASON_EMPTY && (reason == REASON_UNIT || reason == REASON_LOAD_STORE))
                best = reason;
        }
    }
    s->slot_reason[scheduler] =
        (uint8_t)(best == REASON_EMPTY ? blocked_reason(sm, sm->scheduler_mask[scheduler]) : best);
    s->slot_full[scheduler] = best == REASON_LOAD_STORE && !others && !held;
    s->slot_held[scheduler] = best != REASON_ISSUED && held;
    return WS_OK;
}

/* In one pipeline all schedulers lose their turn behind a memory instruction that stays. */
static bool lose_turns(ws_sm *sm)
{
    uint64_t again;
    if (!sm->shared->stage->holds || !sm->shared->stage->holds(sm, &again))
        return false;
    retry_at(sm, again);
    for (unsigned scheduler = 0; scheduler < sm->schedulers; scheduler++) {
        sm->s->slot_reason[scheduler] = REASON_LOAD_STORE;
        sm->s->slot_full[scheduler] = true;
        sm->s->slot_held[scheduler] = false;
    }
    return true;
}

int sm_issue(ws_sm *sm, unsigned *issued)
{
    *issued = 0;
    sm->s->retry = WS_NEVER;
    if (lose_turns(sm))
        return WS_OK;
    for (unsigned scheduler = 0; scheduler < sm->schedulers; scheduler++) {
        const int status = take_turn(sm, scheduler, issued);
        if (status)
            return status;
    }
    return WS_OK;
}
