/* scheduler_swl.c - static warp limiting: only the oldest warps may load, so that what they loaded stays in the L1.
 *
 * SWL of Rogers, O'Connor, Aamodt, "Cache-Conscious Wavefront Scheduling", 2012: greedy, then oldest among a number of
 * warps of a core that is fixed for the run (`scope` 1; without it, of each scheduler). There it holds all instructions
 * of the others back; here that is the option `hold`, and without it they go on up to their next load. Warps at a
 * barrier do not count among the oldest: those that they wait for would never arrive. A program whose older warps poll
 * for what younger ones have to load first never ends under it. */
#include "model/sim/sm/scheduler_internal.h"

typedef struct swl {
    ws_greedy greedy;
    uint64_t live;
} swl;

static void started(const ws_warp_scheduler *s, unsigned warp, uint64_t order)
{
    swl *const w = s->state;
    ws_greedy_started(s, warp, order);
    w->live |= UINT64_C(1) << warp;
}

static void ended(const ws_warp_scheduler *s, unsigned warp)
{
    swl *const w = s->state;
    w->live &= ~(UINT64_C(1) << warp);
    ws_greedy_ended(s, warp);
}

/* Is it one of the oldest? */
static bool may_load(const ws_warp_scheduler *s, unsigned warp)
{
    const uint64_t among =
        s->values[WS_SCHEDULER_swl_scope] ? s->view.sm(s->view.of).live : ((const swl *)s->state)->live;
    return ws_is_of_oldest(s, warp, among, s->values[WS_SCHEDULER_swl_limit]);
}

static int choose(const ws_warp_scheduler *s, uint64_t candidates)
{
    for (uint64_t rest = s->values[WS_SCHEDULER_swl_hold] ? candidates : 0; rest; rest &= rest - 1)
        if (!may_load(s, (unsigned)__builtin_ctzll(rest)))
            candidates &= ~(rest & -rest);
    return candidates ? ws_greedy_choose(s, candidates) : -1;
}

static bool admits(const ws_warp_scheduler *s, unsigned warp)
{
    const ws_instr *const instr = s->view.warp(s->view.of, warp).instr;
    return !ws_uses_cache(instr) || instr->access != WS_ACCESS_LOAD || may_load(s, warp);
}

const ws_warp_scheduler_ops ws_warp_scheduler_swl = {
    .state_size = sizeof(swl),
    .started = started,
    .ended = ended,
    .choose = choose,
    .issued = ws_greedy_issued,
    .admits = admits,
};
