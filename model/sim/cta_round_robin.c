/* cta_round_robin.c - blocks go to the SMs in turn, past those that have no room. */
#include "model/sim/cta_scheduler_internal.h"

static size_t state_size(uint32_t sms)
{
    (void)sms;
    return sizeof(uint32_t);
}

static int choose(void *state, const uint64_t *values, uint64_t block, const ws_cta_view *sm, uint32_t sms)
{
    (void)values, (void)block;
    uint32_t *const next = state;
    for (uint32_t i = 0; i < sms; i++) {
        const uint32_t n = (*next + i) % sms;
        if (!sm[n].room)
            continue;
        *next = (n + 1) % sms;
        return (int)n;
    }
    return -1;
}

const ws_cta_scheduler_ops ws_cta_scheduler_round_robin = {
    .name = "round-robin",
    .summary = "the next SM in turn that has room",
    .options = ws_cta_scheduler_no_options,
    .state_size = state_size,
    .choose = choose,
};
