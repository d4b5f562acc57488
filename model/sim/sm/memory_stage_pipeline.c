/* memory_stage_pipeline.c - one in-order pipeline for all instructions: issue stalls while a memory instruction
 * occupies the unit. */
#include "model/sim/sm/memory_stage_internal.h"

/* After the unit's turn: whether an instruction stays in it and stalls the next one. */
static bool holds(const ws_sm *sm, uint64_t *again)
{
    const state *const s = sm->s;
    const uint64_t next = s->now + 1;
    *again = WS_NEVER;
    if (s->banks_free > next) {
        *again = s->banks_free - 1;
        return true;
    }
    return s->served && sm->access[sm->queue[s->queue_first].tag].begins <= s->now;
}

const ws_memory_stage_ops ws_memory_stage_pipeline = {
    .entry_room = ws_queue_entry_room,
    .entered = ws_queue_entered,
    .left = ws_queue_left,
    .holds = holds,
};
