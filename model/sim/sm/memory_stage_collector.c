/* memory_stage_collector.c - memory stage of GPGPU-Sim 3.2: issue registers, operand collectors, port registers, and
 * one instruction in the unit (rules: docs/memory-stage.md).
 *
 * Each cycle, before the unit's turn, one collector with all operands hands its instruction to a free port register,
 * and one instruction moves from an issue register to a free collector. After its turn a free unit takes the next
 * instruction, whose first access is in the next cycle. A collector reads one operand per cycle, from the cycle after
 * its allocation on. */
#include "model/sim/sm/memory_stage_internal.h"

#include "model/machine/machine.h"

static uint64_t value_of(const ws_sm *sm, int option)
{
    return sm->shared->stage_values[option];
}

static uint32_t entry_room(const ws_machine *m, const uint64_t *values)
{
    (void)m;
    return (uint32_t)values[WS_STAGE_collector_registers];
}

/* Returns instruction i of the ring. */
static queued *queued_at(ws_sm *sm, uint32_t i)
{
    return &sm->queue[(sm->s->queue_first + i) % sm->stage_room];
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Moves the first waiting instruction into the unit, if the unit is free in the next cycle. */
static void take(ws_sm *sm)
{
    state *const s = sm->s;
    if (s->served || !s->at_ports || s->banks_free > s->now + 1)
        return;
    access *const a = &sm->access[queued_at(sm, 0)->tag];
    a->ready = later(a->ready, s->now + 1);
    s->at_ports--;
    s->served = 1;
    if (s->memory_retry > s->now)
        s->memory_retry = s->now + 1;
}

/* Selects a ready collector round-robin, after the last one. Returns its place in the ring, or NONE. */
static uint32_t find_ready(ws_sm *sm)
{
    const state *const s = sm->s;
    const uint32_t first = s->served + s->at_ports, collectors = (uint32_t)value_of(sm, WS_STAGE_collector_collectors);
    uint32_t best = NONE, least = collectors;
    for (uint32_t i = first; i < first + s->collecting; i++) {
        const queued *const q = queued_at(sm, i);
        const uint32_t turn = (q->collector + collectors - (s->last_collector + 1) % collectors) % collectors;
        if (q->collected <= s->now && turn < least) {
            best = i;
            least = turn;
        }
    }
    return best;
}

static void hand_on(ws_sm *sm)
{
    state *const s = sm->s;
    if (s->at_ports == value_of(sm, WS_STAGE_collector_ports))
        return;
    uint32_t from = find_ready(sm);
    if (from == NONE)
        return;
    const queued chosen = *queued_at(sm, from);
    for (; from > s->served + s->at_ports; from--)
        *queued_at(sm, from) = *queued_at(sm, from - 1);
    *queued_at(sm, from) = chosen;
    s->last_collector = chosen.collector;
    s->collectors_used &= ~bit(chosen.collector);
    s->collecting--;
    s->at_ports++;
}

static void collect(ws_sm *sm)
{
    state *const s = sm->s;
    const uint32_t collectors = (uint32_t)value_of(sm, WS_STAGE_collector_collectors);
    if (!s->entering || s->collecting == collectors)
        return;
    queued *const q = queued_at(sm, s->served + s->at_ports + s->collecting);
    q->collector = (uint8_t)__builtin_ctzll(~s->collectors_used);
    q->collected = s->now + 1 + q->reads;
    s->collectors_used |= bit(q->collector);
    s->collecting++;
    s->entering--;
}

/* Returns the next cycle in which an instruction may move. */
static uint64_t next_time(ws_sm *sm)
{
    const state *const s = sm->s;
    const uint64_t next = s->now + 1;
    if (s->entering && s->collecting < value_of(sm, WS_STAGE_collector_collectors))
        return next;
    uint64_t least = WS_NEVER;
    if (s->at_ports && !s->served)
        least = later(next, s->banks_free - 1);
    if (s->at_ports == value_of(sm, WS_STAGE_collector_ports))
        return least;
    const uint32_t first = s->served + s->at_ports;
    for (uint32_t i = first; i < first + s->collecting; i++) {
        const uint64_t ready = later(next, queued_at(sm, i)->collected);
        least = ready < least ? ready : least;
    }
    return least;
}

static void step(ws_sm *sm)
{
    state *const s = sm->s;
    hand_on(sm);
    collect(sm);
    take(sm);
    s->stage_retry = next_time(sm);
}

static void entered(ws_sm *sm, unsigned reads, uint64_t there)
{
    state *const s = sm->s;
    queued *const q = queued_at(sm, s->queue_count - 1);
    q->reads = (uint32_t)later(reads, there - s->now);
    sm->access[q->tag].begins = s->now + 3 + q->reads;
    s->stage_retry = s->now + 1;
}

static void left(ws_sm *sm)
{
    sm->s->served = 0;
    take(sm);
    if (sm->s->queue_count > sm->s->served)
        sm->s->stage_retry = sm->s->now + 1;
}

const ws_memory_stage_ops ws_memory_stage_collector = {
    .entry_room = entry_room,
    .entered = entered,
    .left = left,
    .step = step,
};
