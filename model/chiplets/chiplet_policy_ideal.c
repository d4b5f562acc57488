/* chiplet_policy_ideal.c - caches that agree by themselves, and cost nothing: a bound. */
#include "model/chiplets/chiplet_policy.h"

static uint32_t finish(uint32_t left, uint32_t everyone)
{
    (void)left;
    return everyone;
}

const ws_chiplet_policy_ops ws_chiplet_policy_ideal = {
    .name = "ideal",
    .summary = "L2s are coherent at no cost",
    .launch = ws_chiplet_launch_nobody,
    .finish = finish,
};
