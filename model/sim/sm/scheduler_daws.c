/* scheduler_daws.c - as many warps may load as have what they load in the L1 together.
 *
 * After DAWS of Rogers, O'Connor, Aamodt, "Divergence-Aware Warp Scheduling", 2013: what a warp will have in the L1 is
 * predicted from its lanes and from which loads of the program are divergent, and the oldest warps may load while the
 * sum fits. Here a warp has a line for each active lane and known divergent load (divergent_loads.h), and one line for
 * the rest. Left out: the document learns loads by loop, and what is not used again. The oldest may always load; warps
 * at a barrier have nothing, as those that they wait for would never come. Among those that may issue: greedy, then
 * oldest. */
#include "model/sim/sm/scheduler_internal.h"

#include "model/sim/sm/divergent_loads.h"

#include <string.h>

/* One for all schedulers of the SM. */
typedef struct common {
    ws_divergent_loads loads;
    uint32_t known; /* divergent loads in the table */
} common;

enum { PERCENT = 100 };
static uint64_t lines_of(const ws_warp_scheduler *s, const ws_warp_facts *warp)
{
    return 1 + (uint64_t)__builtin_popcount(warp->active) * ((const common *)s->shared)->known;
}

static bool may_load(const ws_warp_scheduler *s, const ws_warp_facts *warp)
{
    const ws_sm_facts sm = s->view.sm(s->view.of);
    const uint64_t most = sm.lines * s->values[WS_SCHEDULER_daws_capacity] / PERCENT;
    uint64_t before = 0;
    for (uint64_t rest = sm.live; rest; rest &= rest - 1) {
        const ws_warp_facts other = s->view.warp(s->view.of, (unsigned)__builtin_ctzll(rest));
        before += other.order < warp->order && !other.waits_others ? lines_of(s, &other) : 0;
    }
    return !before || before + lines_of(s, warp) <= most;
}

static bool admits(const ws_warp_scheduler *s, unsigned number)
{
    const ws_warp_facts warp = s->view.warp(s->view.of, number);
    return !warp.data_load || may_load(s, &warp);
}

static void loaded(const ws_warp_scheduler *s, unsigned warp, const ws_load_outcome *outcome)
{
    (void)warp;
    common *const c = s->shared;
    ws_divergent_learn(&c->loads, (unsigned)s->values[WS_SCHEDULER_daws_entries], outcome->pc, outcome->touches,
                       outcome->misses);
    c->known = 0;
    for (unsigned i = 0; i < s->values[WS_SCHEDULER_daws_entries]; i++)
        c->known += c->loads.place[i].seen != 0;
}

/* Another program, with loads of its own. */
static void launched(const ws_warp_scheduler *s)
{
    memset(s->shared, 0, sizeof(common));
}

const ws_warp_scheduler_ops ws_warp_scheduler_daws = {
    .state_size = sizeof(ws_greedy),
    .shared_size = sizeof(common),
    .started = ws_greedy_started,
    .ended = ws_greedy_ended,
    .choose = ws_greedy_choose,
    .issued = ws_greedy_issued,
    .launched = launched,
    .admits = admits,
    .loaded = loaded,
};
