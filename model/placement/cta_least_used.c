/* cta_least_used.c - the next CTA goes to the SM with room that has the fewest warps. */
#include "model/placement/cta_scheduler_internal.h"

static size_t state_size(uint32_t sms)
{
    (void)sms;
    return 0;
}

static bool choose(const ws_cta_scheduler *s, ws_cta_choice *choice)
{
    const ws_cta_sm *const sm = s->view.sm;
    int best = -1;
    for (uint32_t n = 0; n < s->view.sms; n++)
        if (sm[n].room && (best < 0 || sm[n].warps < sm[best].warps))
            best = (int)n;
    *choice = (ws_cta_choice){ws_cta_set_next(s->view.left, 0), (uint32_t)best};
    return best >= 0;
}

const ws_cta_scheduler_ops ws_cta_scheduler_least_used = {
    .name = "least-used",
    .summary = "the SM with the fewest resident warps that has room; of equal ones the first",
    .state_size = state_size,
    .choose = choose,
};
