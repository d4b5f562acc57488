/* memory_stage_pipeline.c - a queue that all instructions share, in order: none issues while a memory instruction stays
 * in the unit. */
#include "model/sim/sm/memory_stage_internal.h"

/* After the unit's turn: does an instruction stay in it, so that one behind it would wait? */
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
