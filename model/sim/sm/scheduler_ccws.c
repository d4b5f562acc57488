/* scheduler_ccws.c - warps that lost what they had in the L1 load, and others wait until that has worn off.
 *
 * CCWS of Rogers, O'Connor, Aamodt, "Cache-Conscious Wavefront Scheduling", 2012. Each warp has a small cache of tags
 * for blocks that it brought and that others drove out of the L1. A load that misses a block which stands there has
 * lost locality: the warp's score rises, and falls by one in each cycle down to a base that all have. In the order of
 * their scores warps may load as long as the sum of these, their own among them, does not exceed what it is when all
 * are at the base. Among those that may issue: greedy, then oldest.
 *
 * The rise is to  tags found / instructions issued * throttle * the bound of the sum  (both counted since the launch
 * began); a score does not fall by it. Where the document is silent: of equal scores the older warp comes first; the
 * first may always load; a tag that is found leaves, as its block is on its way to the L1; a warp that begins has no
 * tags; warps at a barrier hold nobody back, as those that they wait for would come late. */
#include "model/sim/sm/scheduler_internal.h"

#include <string.h>

enum { WAYS = 8, SETS = 2, TAGS = WAYS * SETS }; /* of a warp */

typedef struct tag {
    uint64_t block;
    uint64_t put; /* when, by the clock; 0: free */
} tag;

/* One for all schedulers of the SM. */
typedef struct common {
    uint64_t clock;
    uint64_t found, issued;                          /* since the launch began */
    uint64_t score[WS_SM_WARPS], since[WS_SM_WARPS]; /* at that cycle */
    tag lost[WS_SM_WARPS][SETS][WAYS];
} common;

/* ------------------------------------------------------------------------------------------------ scores */

static uint64_t score_of(const ws_warp_scheduler *s, unsigned warp, uint64_t now)
{
    const common *const c = s->shared;
    const uint64_t base = s->values[WS_SCHEDULER_ccws_base], past = now - c->since[warp];
    return c->score[warp] > base + past ? c->score[warp] - past : base;
}

static uint64_t bound_of(const ws_warp_scheduler *s, uint64_t live)
{
    return (uint64_t)__builtin_popcountll(live) * s->values[WS_SCHEDULER_ccws_base];
}

static bool may_load(const ws_warp_scheduler *s, unsigned warp)
{
    const ws_sm_facts sm = s->view.sm(s->view.of);
    const uint64_t own = score_of(s, warp, sm.now);
    const uint32_t rank = s->view.rank(s->view.of, warp);
    uint64_t before = 0;
    for (uint64_t rest = sm.live; rest; rest &= rest - 1) {
        const unsigned other = (unsigned)__builtin_ctzll(rest);
        const uint64_t score = other == warp ? 0 : score_of(s, other, sm.now);
        const bool first = score > own || (score == own && s->view.rank(s->view.of, other) < rank);
        if (first && !s->view.warp(s->view.of, other).waits_others)
            before += score;
    }
    return !before || before + own <= bound_of(s, sm.live);
}

static void raise(const ws_warp_scheduler *s, unsigned warp)
{
    common *const c = s->shared;
    const ws_sm_facts sm = s->view.sm(s->view.of);
    const uint64_t now = score_of(s, warp, sm.now);
    c->found++;
    const uint64_t lost =
        c->found * s->values[WS_SCHEDULER_ccws_throttle] * bound_of(s, sm.live) / (c->issued ? c->issued : 1);
    c->score[warp] = lost > now ? lost : now;
    c->since[warp] = sm.now;
}

/* ------------------------------------------------------------------------------------------------ tags */

static tag *tags_of(const ws_warp_scheduler *s, unsigned warp, uint64_t block)
{
    return ((common *)s->shared)->lost[warp][block % SETS];
}

static void evicted(const ws_warp_scheduler *s, unsigned warp, uint64_t block)
{
    tag *const tags = tags_of(s, warp, block);
    tag *oldest = tags;
    for (unsigned i = 0; i < WAYS; i++) {
        if (tags[i].put && tags[i].block == block)
            return;
        if (tags[i].put < oldest->put)
            oldest = &tags[i];
    }
    *oldest = (tag){.block = block, .put = ++((common *)s->shared)->clock};
}

static void accessed(const ws_warp_scheduler *s, unsigned warp, const ws_load_access *access)
{
    if (access->fate != WS_LOAD_MISSED || (access->space != WS_SPACE_GLOBAL && access->space != WS_SPACE_LOCAL))
        return;
    tag *const tags = tags_of(s, warp, access->block);
    for (unsigned i = 0; i < WAYS; i++)
        if (tags[i].put && tags[i].block == access->block) {
            tags[i].put = 0;
            raise(s, warp);
            return;
        }
}

/* ------------------------------------------------------------------------------------------------ the rest */

static bool admits(const ws_warp_scheduler *s, unsigned warp)
{
    return !s->view.warp(s->view.of, warp).data_load || may_load(s, warp);
}

static void issued(const ws_warp_scheduler *s, unsigned warp, const ws_issue *issue)
{
    ws_greedy_issued(s, warp, issue);
    ((common *)s->shared)->issued++;
}

static void started(const ws_warp_scheduler *s, unsigned warp, uint64_t order)
{
    common *const c = s->shared;
    ws_greedy_started(s, warp, order);
    c->score[warp] = 0; /* at the base */
    memset(c->lost[warp], 0, sizeof c->lost[warp]);
}

static void launched(const ws_warp_scheduler *s)
{
    common *const c = s->shared;
    c->found = c->issued = 0;
}

const ws_warp_scheduler_ops ws_warp_scheduler_ccws = {
    .state_size = sizeof(ws_greedy),
    .shared_size = sizeof(common),
    .started = started,
    .ended = ws_greedy_ended,
    .choose = ws_greedy_choose,
    .issued = issued,
    .launched = launched,
    .admits = admits,
    .accessed = accessed,
    .evicted = evicted,
};
