/* scheduler_gto.c - greedy, then oldest: the warp that issued last goes on as long as it can, then the oldest one.
 * Rogers, O'Connor, Aamodt, "Cache-Conscious Wavefront Scheduling", 2012. */
#include "model/sim/sm/scheduler_internal.h"

void ws_greedy_started(const ws_warp_scheduler *s, unsigned warp, uint64_t order)
{
    ((ws_greedy *)s->state)->order[warp] = order;
}

void ws_greedy_ended(const ws_warp_scheduler *s, unsigned warp)
{
    ws_greedy *const g = s->state;
    if (g->last == warp + 1)
        g->last = 0;
}

int ws_greedy_choose(const ws_warp_scheduler *s, uint64_t candidates)
{
    const ws_greedy *const g = s->state;
    return g->last && candidates >> (g->last - 1) & 1 ? g->last - 1 : ws_oldest_warp(g->order, candidates);
}

void ws_greedy_issued(const ws_warp_scheduler *s, unsigned warp, const ws_issue *issue)
{
    (void)issue;
    ((ws_greedy *)s->state)->last = (uint8_t)(warp + 1);
}

bool ws_is_of_oldest(const ws_warp_scheduler *s, unsigned warp, uint64_t among, uint64_t most)
{
    const uint64_t order = s->view.warp(s->view.of, warp).order;
    uint64_t older = 0;
    for (uint64_t rest = among; rest && older < most; rest &= rest - 1) {
        const ws_warp_facts other = s->view.warp(s->view.of, (unsigned)__builtin_ctzll(rest));
        older += other.order < order && !other.waits_others;
    }
    return older < most;
}

const ws_warp_scheduler_ops ws_warp_scheduler_gto = {
    .state_size = sizeof(ws_greedy),
    .started = ws_greedy_started,
    .ended = ws_greedy_ended,
    .choose = ws_greedy_choose,
    .issued = ws_greedy_issued,
};
