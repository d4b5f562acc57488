/* scheduler_gto.c - greedy, then oldest: the warp that issued last goes on as long as it can, then the oldest one.
 * Rogers, O'Connor, Aamodt, "Cache-Conscious Wavefront Scheduling", 2012. */
#include "model/sim/sm/scheduler_internal.h"

typedef struct gto {
    uint64_t order[WS_SM_WARPS];
    uint8_t greedy; /* slot + 1 of the warp that issued last, 0: none */
} gto;

static void started(const ws_warp_scheduler *s, unsigned warp, uint64_t order)
{
    ((gto *)s->state)->order[warp] = order;
}

static void ended(const ws_warp_scheduler *s, unsigned warp)
{
    gto *const g = s->state;
    if (g->greedy == warp + 1)
        g->greedy = 0;
}

static int choose(const ws_warp_scheduler *s, uint64_t candidates)
{
    const gto *const g = s->state;
    if (g->greedy && candidates >> (g->greedy - 1) & 1)
        return g->greedy - 1;
    return ws_oldest_warp(g->order, candidates);
}

static void issued(const ws_warp_scheduler *s, unsigned warp, const ws_issue *issue)
{
    (void)issue;
    ((gto *)s->state)->greedy = (uint8_t)(warp + 1);
}

const ws_warp_scheduler_ops ws_warp_scheduler_gto = {
    .state_size = sizeof(gto),
    .started = started,
    .ended = ended,
    .choose = choose,
    .issued = issued,
    .blocked = ws_warp_scheduler_ignore,
    .unblocked = ws_warp_scheduler_ignore,
};
