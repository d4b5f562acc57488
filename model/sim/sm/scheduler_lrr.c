/* scheduler_lrr.c - loose round robin: the next warp in turn that can issue. */
#include "model/sim/sm/scheduler_internal.h"

typedef struct lrr {
    uint8_t next; /* slot with which the turn goes on */
} lrr;

static void started(const ws_warp_scheduler *s, unsigned warp, uint64_t order)
{
    (void)s, (void)warp, (void)order;
}

static int choose(const ws_warp_scheduler *s, uint64_t candidates)
{
    return ws_next_warp(candidates, ((const lrr *)s->state)->next);
}

static void issued(const ws_warp_scheduler *s, unsigned warp, const ws_issue *issue)
{
    (void)issue;
    ((lrr *)s->state)->next = (uint8_t)((warp + 1) % WS_SM_WARPS);
}

const ws_warp_scheduler_ops ws_warp_scheduler_lrr = {
    .state_size = sizeof(lrr),
    .started = started,
    .choose = choose,
    .issued = issued,
};
