/* memory_stage_queue.c - queue of sm.memory_queue instructions. The unit serves the first one, from the cycle after its
 * issue on. */
#include "model/sim/sm/memory_stage_internal.h"

#include "model/machine/machine.h"

uint32_t ws_queue_entry_room(const ws_machine *m, const uint64_t *values)
{
    (void)values;
    return m->sm_memory_queue;
}

void ws_queue_entered(ws_sm *sm, unsigned reads, uint64_t there)
{
    state *const s = sm->s;
    (void)reads, (void)there;
    s->served++;
    if (s->memory_retry > s->now + 1)
        s->memory_retry = s->served == 1 || s->refused_since == WS_NEVER ? s->now + 1 : s->memory_retry;
}

void ws_queue_left(ws_sm *sm)
{
    sm->s->served--;
    sm->s->entering--;
}

const ws_memory_stage_ops ws_memory_stage_queue = {
    .entry_room = ws_queue_entry_room,
    .entered = ws_queue_entered,
    .left = ws_queue_left,
};
