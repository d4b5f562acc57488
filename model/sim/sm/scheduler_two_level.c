/* scheduler_two_level.c - a few active warps take turns; one that waits for memory or others gives its place away.
 *
 * The variant of Gebhart et al., "Energy-Efficient Mechanisms for Managing Thread Context in Throughput Processors",
 * 2011: an active set of fixed size, loose round robin inside, and a pending warp that is ready enters when an active
 * one waits for a long operation. Of ready warps the one that has been pending longest enters. The fixed fetch groups
 * of Narasiman et al., "Improving GPU Performance via Large Warps and Two-Level Warp Scheduling", 2011 are not these.
 *
 * Blocked warps keep a place that nobody ready asks for, as the warps without a place would have nothing to issue. */
#include "model/sim/sm/scheduler_internal.h"

typedef struct two_level {
    uint64_t since[WS_SM_WARPS]; /* turn at which the warp became pending */
    uint64_t turn;
    uint64_t live, active, blocked;
    uint8_t next;
} two_level;

static void put_aside(two_level *t, unsigned warp)
{
    t->active &= ~(UINT64_C(1) << warp);
    t->since[warp] = ++t->turn;
}

/* Fills the active set from the ready pending warps, and blocked active ones give their places to them. */
static void fill(two_level *t, const uint64_t *values)
{
    for (;;) {
        const uint64_t ready = t->live & ~t->active & ~t->blocked;
        if (!ready)
            return;
        if ((uint64_t)__builtin_popcountll(t->active) >= values[WS_SCHEDULER_two_level_active]) {
            const uint64_t leaves = t->active & t->blocked;
            if (!leaves)
                return;
            put_aside(t, (unsigned)__builtin_ctzll(leaves));
        }
        int best = __builtin_ctzll(ready);
        for (uint64_t rest = ready; rest; rest &= rest - 1)
            if (t->since[__builtin_ctzll(rest)] < t->since[best])
                best = __builtin_ctzll(rest);
        t->active |= UINT64_C(1) << best;
    }
}

static void started(const ws_warp_scheduler *s, unsigned warp, uint64_t order)
{
    (void)order;
    two_level *const t = s->state;
    t->live |= UINT64_C(1) << warp;
    t->blocked &= ~(UINT64_C(1) << warp);
    put_aside(t, warp);
    fill(t, s->values);
}

static void ended(const ws_warp_scheduler *s, unsigned warp)
{
    two_level *const t = s->state;
    t->live &= ~(UINT64_C(1) << warp);
    t->active &= t->live;
    t->blocked &= t->live;
    fill(t, s->values);
}

static int choose(const ws_warp_scheduler *s, uint64_t candidates)
{
    const two_level *const t = s->state;
    candidates &= t->active;
    return candidates ? ws_next_warp(candidates, t->next) : -1;
}

static void issued(const ws_warp_scheduler *s, unsigned warp, const ws_issue *issue)
{
    (void)issue;
    ((two_level *)s->state)->next = (uint8_t)((warp + 1) % WS_SM_WARPS);
}

static void blocked(const ws_warp_scheduler *s, unsigned warp)
{
    two_level *const t = s->state;
    t->blocked |= UINT64_C(1) << warp;
    fill(t, s->values);
}

static void unblocked(const ws_warp_scheduler *s, unsigned warp)
{
    two_level *const t = s->state;
    t->blocked &= ~(UINT64_C(1) << warp);
    fill(t, s->values);
}

const ws_warp_scheduler_ops ws_warp_scheduler_two_level = {
    .state_size = sizeof(two_level),
    .started = started,
    .ended = ended,
    .choose = choose,
    .issued = issued,
    .blocked = blocked,
    .unblocked = unblocked,
};
