/* cta_least_used.c - a block goes to the SM with room that has the fewest warps. */
#include "model/sim/cta_scheduler_internal.h"

static size_t state_size(uint32_t sms)
{
    (void)sms;
    return 0;
}

static int choose(void *state, const uint64_t *values, uint64_t block, const ws_cta_view *sm, uint32_t sms)
{
    (void)state, (void)values, (void)block;
    int best = -1;
    for (uint32_t n = 0; n < sms; n++)
        if (sm[n].room && (best < 0 || sm[n].warps < sm[best].warps))
            best = (int)n;
    return best;
}

const ws_cta_scheduler_ops ws_cta_scheduler_least_used = {
    .name = "least-used",
    .summary = "the SM with the fewest resident warps that has room; of equal ones the first",
    .options = ws_cta_scheduler_no_options,
    .state_size = state_size,
    .choose = choose,
};
