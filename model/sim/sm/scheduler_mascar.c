/* scheduler_mascar.c - while memory is saturated one warp owns it, and the others compute.
 *
 * Sethia, Jamshidi, Mahlke, "Mascar: Speeding up GPU Warps by Reducing Memory Pitstops", 2015. Memory is saturated when
 * the L1 has no MSHR but one or the load/store unit has no place but one. Then only the owner may issue what goes to a
 * cache; it is the warp that did so last, until it has to wait, and after that the oldest that wants to. As long as
 * memory is not saturated, what goes to a cache comes before all else; in both, of equal ones the oldest first. With
 * `reexecute`, accesses of loads that the L1 refuses wait in a queue of so many, and others go to it; they are tried
 * again when the unit has nothing else to do, or the queue is full. The document has 32. */
#include "model/sim/sm/scheduler_internal.h"

typedef struct mascar {
    uint64_t order[WS_SM_WARPS];
} mascar;

/* One for all schedulers of the SM: they share its memory. */
typedef struct owner {
    uint8_t warp; /* slot + 1; 0: none */
} owner;

static void started(const ws_warp_scheduler *s, unsigned warp, uint64_t order)
{
    ((mascar *)s->state)->order[warp] = order;
}

/* Its end, or a wait. */
static void give_up(const ws_warp_scheduler *s, unsigned warp)
{
    owner *const o = s->shared;
    if (o->warp == warp + 1)
        o->warp = 0;
}

static bool is_saturated(const ws_warp_scheduler *s)
{
    const ws_sm_facts sm = s->view.sm(s->view.of);
    return sm.mshrs_free <= 1 || sm.queue_used + 1 >= sm.queue;
}

static int choose(const ws_warp_scheduler *s, uint64_t candidates)
{
    const mascar *const m = s->state;
    const owner *const o = s->shared;
    uint64_t memory = 0;
    for (uint64_t rest = candidates; rest; rest &= rest - 1)
        if (ws_uses_cache(s->view.warp(s->view.of, (unsigned)__builtin_ctzll(rest)).instr))
            memory |= rest & -rest;
    if (is_saturated(s) && o->warp) {
        candidates &= ~memory | UINT64_C(1) << (o->warp - 1);
        memory &= candidates;
    }
    if (!candidates)
        return -1;
    return ws_oldest_warp(m->order, memory ? memory : candidates);
}

static void issued(const ws_warp_scheduler *s, unsigned warp, const ws_issue *issue)
{
    if (ws_uses_cache(issue->instr))
        ((owner *)s->shared)->warp = (uint8_t)(warp + 1);
}

static uint32_t reexecutes(const uint64_t *values)
{
    return (uint32_t)values[WS_SCHEDULER_mascar_reexecute];
}

const ws_warp_scheduler_ops ws_warp_scheduler_mascar = {
    .state_size = sizeof(mascar),
    .shared_size = sizeof(owner),
    .looks_ahead = true,
    .started = started,
    .ended = give_up,
    .choose = choose,
    .issued = issued,
    .blocked = give_up,
    .reexecutes = reexecutes,
};
