/* cta_round_robin.c - CTAs go to the SMs in turn, past those that have no room. */
#include "model/placement/cta_scheduler_internal.h"

static size_t state_size(uint32_t sms)
{
    (void)sms;
    return sizeof(uint32_t);
}

static bool choose(const ws_cta_scheduler *s, ws_cta_choice *choice)
{
    if (!ws_cta_next_in_turn(s, s->state, &choice->sm))
        return false;
    choice->cta = ws_cta_set_next(s->view.left, 0);
    return true;
}

const ws_cta_scheduler_ops ws_cta_scheduler_round_robin = {
    .name = "round-robin",
    .summary = "the next SM in turn that has room",
    .state_size = state_size,
    .choose = choose,
};
