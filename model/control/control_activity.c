/* control_activity.c - see control_activity.h. */
#include "model/control/control_activity.h"

#include "base/status.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>

/* A value of the phase and the small changes on it, at least 0. With the deviations that control.def allows, the mean
 * that is lost at 0 is below 1e-3 for 0.3 and nothing for 0.1. */
static double value_of(double phase, double change)
{
    const double value = phase * (1 + change);
    return value > 0 ? value : 0;
}

int ws_activity_generate(const ws_control *c, uint64_t seed, double *activity, size_t count)
{
    gsl_rng *const random = gsl_rng_alloc(gsl_rng_taus2);
    if (!random)
        return ws_fail(WS_EMEM, "out of memory");
    gsl_rng_set(random, (unsigned long)(seed ^ seed >> 32));
    /* An autoregressive process of first order: what is left of a change after a step, and what comes new. */
    const double kept = exp(-c->loop_fine / c->activity_correlation);
    const double fresh = c->activity_deviation * sqrt(1 - kept * kept);
    /* Two phases as a Markov chain: probability to leave each in a step, so that the share of stalls comes out. */
    const double share = c->activity_stall_share;
    const double leave = c->loop_fine / c->activity_stall_length, enter = leave * share / (1 - share);
    const double outside = 1 / (1 - share + share * c->activity_stall_depth);
    const double inside = c->activity_stall_depth * outside;
    double change = gsl_ran_gaussian_ziggurat(random, c->activity_deviation);
    int stalled = gsl_rng_uniform(random) < share;
    for (size_t i = 0; i < count; i++) {
        activity[i] = value_of(stalled ? inside : outside, change);
        change = kept * change + gsl_ran_gaussian_ziggurat(random, fresh);
        if (gsl_rng_uniform(random) < (stalled ? leave : enter))
            stalled = !stalled;
    }
    gsl_rng_free(random);
    return WS_OK;
}
