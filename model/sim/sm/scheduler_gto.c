/* scheduler_gto.c - greedy, then oldest: the warp that issued last goes on as long as it can, then the oldest one.
 * Rogers, O'Connor, Aamodt, "Cache-Conscious Wavefront Scheduling", 2012.
 *
 * Old warps that poll without a pause always have an instruction, and keep a young one from issuing for ever. CUDA
 * promises that a thread which has begun makes progress "in an unspecified but finite amount of time"
 * (libcu++, Execution model: parallel forward progress): `patience` is such an amount. */
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

/* `patience` is the first option of the policies that have it. */
static uint64_t patience_of(const ws_warp_scheduler *s)
{
    return s->values[WS_SCHEDULER_gto_patience];
}

static void waits_from_now(const ws_warp_scheduler *s, unsigned warp)
{
    if (patience_of(s))
        ((ws_patient *)s->state)->since[warp] = s->view.sm(s->view.of).now;
}

void ws_patient_started(const ws_warp_scheduler *s, unsigned warp, uint64_t order)
{
    ws_greedy_started(s, warp, order);
    waits_from_now(s, warp);
}

void ws_patient_unblocked(const ws_warp_scheduler *s, unsigned warp)
{
    waits_from_now(s, warp);
}

void ws_patient_issued(const ws_warp_scheduler *s, unsigned warp, const ws_issue *issue)
{
    ws_greedy_issued(s, warp, issue);
    waits_from_now(s, warp);
}

int ws_out_of_patience(const ws_warp_scheduler *s, uint64_t candidates)
{
    const uint64_t patience = patience_of(s);
    if (!patience)
        return -1;
    const uint64_t *const since = ((const ws_patient *)s->state)->since;
    const int first = ws_oldest_warp(since, candidates);
    return s->view.sm(s->view.of).now - since[first] >= patience ? first : -1;
}

static int choose(const ws_warp_scheduler *s, uint64_t candidates)
{
    const int waited = ws_out_of_patience(s, candidates);
    return waited >= 0 ? waited : ws_greedy_choose(s, candidates);
}

const ws_warp_scheduler_ops ws_warp_scheduler_gto = {
    .state_size = sizeof(ws_patient),
    .started = ws_patient_started,
    .ended = ws_greedy_ended,
    .unblocked = ws_patient_unblocked,
    .choose = choose,
    .issued = ws_patient_issued,
};
