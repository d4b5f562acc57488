/* scheduler_oaws.c - a load that touches many blocks issues only when there will be MSHRs for all of them.
 *
 * Occlusion-aware warp scheduling of Wang, "Mitigating GPU Memory Divergence for Data-Intensive Applications", Auburn
 * 2015, chapter 5: greedy, then oldest, but a divergent load is held back while its predicted misses exceed the free
 * MSHRs less the misses predicted for loads that have issued and whose accesses the L1 has not all taken. Only loads
 * that were seen to be divergent (divergent_loads.h) can be held; each other one is predicted to miss once. What is
 * predicted, by `mode`:
 *
 *     0, static (equation 5.2): a fixed part of the lanes, `smr`.
 *     1, dynamic (5.3 and 5.4): warps of which a cache keeps what they load (fcw.h), the oldest: lanes times the part
 *        of the load's touches that missed before, and the warp's rank; all lanes of a younger warp.
 *     2, nothing: divergent loads of those oldest warps go, of others none ("FCW-Only").
 *     3, nothing: those oldest warps issue, others not at all.
 *
 * Where the document is silent: a prediction is at most `clamp`, and the MSHRs there are, as a load that is predicted
 * to need more would never issue. In modes 2 and 3 warps at a barrier do not count among the oldest, as those that they
 * wait for would never come. The document's FCW-Only schedules "only" the oldest, which reads as mode 3, but loses
 * nothing where no load is divergent, which mode 3 does: the number of warps is learned from divergent loads alone. */
#include "model/sim/sm/scheduler_internal.h"

#include "base/status.h"
#include "model/fcw.h"
#include "model/load_class.h"
#include "model/sim/sm/divergent_loads.h"

#include <string.h>

enum {
    MSHR = 1024,     /* of a prediction: the unit is a part of an MSHR, so that sums are exact */
    IN_FLIGHT = 256, /* loads between issue and the L1, at most: the places of the load/store unit's queue */
    PERCENT = 100
};

/* A load on its way to the L1: they get there in the order in which they issued. */
typedef struct forecast {
    uint32_t misses; /* predicted, in parts of an MSHR */
    uint32_t missed; /* free for it when it was held back, at most, + 1, in MSHRs; 0: it never was */
} forecast;

/* One for all schedulers of the SM: they share its MSHRs. */
typedef struct common {
    ws_divergent_loads loads;
    ws_fcw fcw;
    forecast ring[IN_FLIGHT];
    uint32_t first, count;
    uint32_t in_flight;           /* the sum of their predictions */
    uint32_t missed[WS_SM_WARPS]; /* as above, of the load that the warp is to issue */
} common;

typedef enum mode { STATIC, DYNAMIC, PROTECTED_LOADS, PROTECTED_ONLY, MODES } mode;
static int configure(const uint64_t *values)
{
    if (values[WS_SCHEDULER_oaws_first] >= values[WS_SCHEDULER_oaws_least] &&
        values[WS_SCHEDULER_oaws_first] <= values[WS_SCHEDULER_oaws_most])
        return WS_OK;
    return ws_fail(WS_EINPUT, "[scheduler] first is %llu, expected from least, %llu, to most, %llu",
                   (unsigned long long)values[WS_SCHEDULER_oaws_first],
                   (unsigned long long)values[WS_SCHEDULER_oaws_least],
                   (unsigned long long)values[WS_SCHEDULER_oaws_most]);
}

static ws_fcw_rule rule_of(const ws_warp_scheduler *s)
{
    return (ws_fcw_rule){.most_count = (uint32_t)s->values[WS_SCHEDULER_oaws_count],
                         .first = (uint32_t)s->values[WS_SCHEDULER_oaws_first],
                         .least = (uint32_t)s->values[WS_SCHEDULER_oaws_least],
                         .most = (uint32_t)s->values[WS_SCHEDULER_oaws_most]};
}

static uint32_t protected_warps(const ws_warp_scheduler *s)
{
    const ws_fcw_rule rule = rule_of(s);
    return ws_fcw_warps(&((const common *)s->shared)->fcw, &rule);
}

/* ------------------------------------------------------------------------------------------------ predictions */

/* Of the load at that pc, of so many lanes of the warp, in parts of an MSHR. *divergent: it may be held back. */
static uint32_t predict(const ws_warp_scheduler *s, unsigned warp, uint32_t pc, uint32_t exec, bool *divergent)
{
    const common *const c = s->shared;
    const ws_divergent_load *const load = ws_divergent_find(&c->loads, pc);
    const uint32_t lanes = (uint32_t)__builtin_popcount(exec), rank = s->view.rank(s->view.of, warp);
    uint64_t misses = (uint64_t)lanes * MSHR;
    *divergent = load != NULL;
    if (!load)
        return MSHR;
    if (s->values[WS_SCHEDULER_oaws_mode] == STATIC)
        misses = misses * s->values[WS_SCHEDULER_oaws_smr] / PERCENT;
    else if (rank < protected_warps(s))
        misses = (uint64_t)lanes * ws_divergent_missed(load, MSHR) + (uint64_t)rank * MSHR;
    uint64_t most = s->values[WS_SCHEDULER_oaws_clamp];
    const uint32_t mshrs = s->view.sm(s->view.of).mshrs;
    most = mshrs < most ? mshrs : most;
    return (uint32_t)(misses < most * MSHR ? misses : most * MSHR);
}

/* Parts of MSHRs that are free and not promised to loads on their way; below 0 when more are promised. */
static int64_t free_parts(const ws_warp_scheduler *s)
{
    return (int64_t)s->view.sm(s->view.of).mshrs_free * MSHR - ((const common *)s->shared)->in_flight;
}

/* ------------------------------------------------------------------------------------------------ choice */

/* Is it one of the oldest that are protected? */
static bool is_protected(const ws_warp_scheduler *s, unsigned warp)
{
    return ws_is_of_oldest(s, warp, s->view.sm(s->view.of).live, protected_warps(s));
}

static int choose(const ws_warp_scheduler *s, uint64_t candidates)
{
    for (uint64_t rest = s->values[WS_SCHEDULER_oaws_mode] == PROTECTED_ONLY ? candidates : 0; rest; rest &= rest - 1)
        if (!is_protected(s, (unsigned)__builtin_ctzll(rest)))
            candidates &= ~(rest & -rest);
    return candidates ? ws_greedy_choose(s, candidates) : -1;
}

static bool admits(const ws_warp_scheduler *s, unsigned warp)
{
    if (s->values[WS_SCHEDULER_oaws_mode] == PROTECTED_ONLY)
        return true;
    const ws_warp_facts facts = s->view.warp(s->view.of, warp);
    bool divergent;
    if (!facts.data_load)
        return true;
    const uint32_t misses = predict(s, warp, facts.pc, facts.exec, &divergent);
    if (s->values[WS_SCHEDULER_oaws_mode] == PROTECTED_LOADS)
        return !divergent || is_protected(s, warp);
    return !divergent || !misses || misses <= free_parts(s);
}

static void held(const ws_warp_scheduler *s, unsigned warp)
{
    common *const c = s->shared;
    const int64_t parts = free_parts(s);
    const uint32_t there = parts > 0 ? (uint32_t)(parts / MSHR) + 1 : 1;
    if (c->missed[warp] < there)
        c->missed[warp] = there;
}

/* ------------------------------------------------------------------------------------------------ events */

static void started(const ws_warp_scheduler *s, unsigned warp, uint64_t order)
{
    ws_greedy_started(s, warp, order);
    ((common *)s->shared)->missed[warp] = 0;
}

static void issued(const ws_warp_scheduler *s, unsigned warp, const ws_issue *issue)
{
    common *const c = s->shared;
    ws_greedy_issued(s, warp, issue);
    if (!issue->data_load)
        return;
    bool divergent;
    const forecast f = {.misses = predict(s, warp, issue->pc, issue->exec, &divergent), .missed = c->missed[warp]};
    c->ring[(c->first + c->count++) % IN_FLIGHT] = f;
    c->in_flight += f.misses;
    c->missed[warp] = 0;
}

static void count(const ws_warp_scheduler *s, const forecast *f, const ws_load_outcome *outcome)
{
    ws_sm_counts *const counts = s->counts;
    const uint32_t misses = (f->misses + MSHR - 1) / MSHR;
    counts->forecasts++;
    counts->forecast_misses += misses;
    counts->forecast_errors += misses > outcome->misses ? misses - outcome->misses : outcome->misses - misses;
    counts->false_admissions += outcome->lacked_mshr;
    counts->false_blocks += f->missed > outcome->misses;
}

static void loaded(const ws_warp_scheduler *s, unsigned warp, const ws_load_outcome *outcome)
{
    common *const c = s->shared;
    const forecast f = c->ring[c->first];
    c->first = (c->first + 1) % IN_FLIGHT;
    c->count--;
    c->in_flight -= f.misses;
    if (s->values[WS_SCHEDULER_oaws_mode] <= DYNAMIC)
        count(s, &f, outcome);
    ws_divergent_learn(&c->loads, (unsigned)s->values[WS_SCHEDULER_oaws_entries], outcome->pc, outcome->touches,
                       outcome->misses);
    if (ws_load_class_of(outcome->touches) == WS_LOAD_COHERENT)
        return;
    const ws_fcw_rule rule = rule_of(s);
    ws_fcw_learn(&c->fcw, &rule, s->view.rank(s->view.of, warp), outcome->hits == outcome->touches);
}

/* Another program, with loads of its own. */
static void launched(const ws_warp_scheduler *s)
{
    memset(&((common *)s->shared)->loads, 0, sizeof(ws_divergent_loads));
}

const ws_warp_scheduler_ops ws_warp_scheduler_oaws = {
    .configure = configure,
    .state_size = sizeof(ws_greedy),
    .shared_size = sizeof(common),
    .forecasts = true,
    .started = started,
    .ended = ws_greedy_ended,
    .choose = choose,
    .issued = issued,
    .launched = launched,
    .admits = admits,
    .loaded = loaded,
    .held = held,
};
