/* policy_bandit.c - the mode with the greatest mean reward so far in this state, with a bonus for what is not yet known
 * well:
 *
 *     mean(s,m) + confidence * (sqrt(2 variance(s,m) ln N(s) / N(s,m)) + 3 ln N(s) / N(s,m))
 *
 * N counts visits. Source: Audibert, Munos, Szepesvari, Exploration-exploitation tradeoff using variance estimates in
 * multi-armed bandits (2009), UCB-V for rewards in 0..1, one bandit a state. It does not look ahead. */
#include "model/control/policy.h"

#include "base/status.h"

#include <math.h>
#include <stdlib.h>

typedef struct bandit {
    double confidence;
    size_t modes;
    double *mean, *tries, *squares; /* [states * modes]; squares of deviations from the mean, summed */
    double memory[];
} bandit;

static int create(const ws_policy_setup *setup, void **state)
{
    const size_t cells = setup->states * setup->modes;
    bandit *const b = calloc(1, sizeof *b + 3 * cells * sizeof(double));
    if (!b)
        return ws_fail(WS_EMEM, "out of memory");
    b->confidence = setup->control->learning_confidence;
    b->modes = setup->modes;
    b->mean = b->memory;
    b->tries = b->memory + cells;
    b->squares = b->memory + 2 * cells;
    *state = b;
    return WS_OK;
}

static unsigned choose(void *state, const ws_observation *now)
{
    const bandit *const b = state;
    const size_t row = now->state * b->modes;
    double visits = 0, greatest = -INFINITY;
    unsigned best = 0;
    for (unsigned m = 0; m < b->modes; m++) {
        if (b->tries[row + m] == 0)
            return m;
        visits += b->tries[row + m];
    }
    for (unsigned m = 0; m < b->modes; m++) {
        const double tries = b->tries[row + m], part = log(visits) / tries;
        const double bonus = sqrt(2 * b->squares[row + m] / tries * part) + 3 * part;
        const double bound = b->mean[row + m] + b->confidence * bonus;
        if (bound > greatest) {
            greatest = bound;
            best = m;
        }
    }
    return best;
}

static void learn(void *state, const ws_experience *seen)
{
    bandit *const b = state;
    const size_t at = seen->state * b->modes + seen->mode;
    const double off = seen->reward - b->mean[at];
    b->tries[at]++;
    b->mean[at] += off / b->tries[at];
    b->squares[at] += off * (seen->reward - b->mean[at]);
}

static const double *values(const void *state)
{
    return ((const bandit *)state)->mean;
}

const ws_policy ws_policy_bandit = {.name = "bandit",
                                    .summary =
                                        "UCB-V: the best mean reward in a state, with a bonus for uncertain modes",
                                    .create = create,
                                    .choose = choose,
                                    .learn = learn,
                                    .values = values};
