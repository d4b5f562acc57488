/* scheduler_gto.c - greedy, then oldest: the warp that issued last goes on as long as it can, then the oldest one.
 * Rogers, O'Connor, Aamodt, "Cache-Conscious Wavefront Scheduling", 2012. */
#include "model/sim/scheduler_internal.h"

typedef struct gto {
    uint64_t order[WS_SM_WARPS];
    uint8_t greedy; /* slot + 1 of the warp that issued last, 0: none */
} gto;

static void started(void *state, const uint64_t *values, unsigned warp, uint64_t order)
{
    (void)values;
    ((gto *)state)->order[warp] = order;
}

static void ended(void *state, const uint64_t *values, unsigned warp)
{
    (void)values;
    gto *const g = state;
    if (g->greedy == warp + 1)
        g->greedy = 0;
}

static int choose(const void *state, const uint64_t *values, uint64_t candidates)
{
    (void)values;
    const gto *const g = state;
    if (g->greedy && candidates >> (g->greedy - 1) & 1)
        return g->greedy - 1;
    int best = __builtin_ctzll(candidates);
    for (uint64_t rest = candidates; rest; rest &= rest - 1) {
        const int warp = __builtin_ctzll(rest);
        if (g->order[warp] < g->order[best])
            best = warp;
    }
    return best;
}

static void issued(void *state, const uint64_t *values, unsigned warp)
{
    (void)values;
    ((gto *)state)->greedy = (uint8_t)(warp + 1);
}

const ws_warp_scheduler_ops ws_warp_scheduler_gto = {
    .name = "gto",
    .summary = "greedy, then oldest: the warp that issued last as long as it can, then the oldest",
    .options = ws_warp_scheduler_no_options,
    .state_size = sizeof(gto),
    .started = started,
    .ended = ended,
    .choose = choose,
    .issued = issued,
    .blocked = ws_warp_scheduler_ignore,
    .unblocked = ws_warp_scheduler_ignore,
};
