/* policy_learning.c - a value for each mode in each state, learnt from rewards: Chameleon's Q-learning, and SARSA.
 *
 *     Q(s,m) += rate * (R + discount * V(s') - Q(s,m))
 *
 * V(s') is the greatest Q(s',.) for Q-learning (Watkins, Dayan, Q-learning, 1992; Goswami (2013), Algorithm 1) and
 * Q(s',m') of the mode that comes next for SARSA (Rummery, Niranjan, On-line Q-learning using connectionist systems,
 * 1994). With probability `exploration` the mode is a random one. */
#include "model/control/policy.h"

#include "base/status.h"

#include <gsl/gsl_rng.h>
#include <stdbool.h>
#include <stdlib.h>

typedef struct learner {
    double rate, discount, exploration;
    size_t states, modes;
    gsl_rng *random;
    bool waits; /* SARSA: an experience whose next mode is not yet known */
    ws_experience seen;
    double value[]; /* [states * modes] */
} learner;

static int create(const ws_policy_setup *setup, void **state)
{
    const ws_control *const c = setup->control;
    learner *const l = calloc(1, sizeof *l + setup->states * setup->modes * sizeof *l->value);
    gsl_rng *const random = gsl_rng_alloc(gsl_rng_taus2);
    if (!l || !random) {
        free(l);
        if (random)
            gsl_rng_free(random);
        return ws_fail(WS_EMEM, "out of memory");
    }
    gsl_rng_set(random, (unsigned long)(setup->seed ^ setup->seed >> 32));
    l->rate = c->learning_rate;
    l->discount = c->learning_discount;
    l->exploration = c->learning_exploration;
    l->states = setup->states;
    l->modes = setup->modes;
    l->random = random;
    *state = l;
    return WS_OK;
}

static void destroy(void *state)
{
    learner *const l = state;
    if (l)
        gsl_rng_free(l->random);
    free(l);
}

/* The mode of greatest value; of equals the first. */
static unsigned best_of(const learner *l, size_t state)
{
    const double *const value = l->value + state * l->modes;
    unsigned best = 0;
    for (unsigned m = 1; m < l->modes; m++)
        if (value[m] > value[best])
            best = m;
    return best;
}

static void update(learner *l, const ws_experience *seen, unsigned next_mode)
{
    double *const value = &l->value[seen->state * l->modes + seen->mode];
    const double next = l->value[seen->next * l->modes + next_mode];
    *value += l->rate * (seen->reward + l->discount * next - *value);
}

static unsigned choose(void *state, const ws_observation *now)
{
    learner *const l = state;
    const bool explore = gsl_rng_uniform(l->random) < l->exploration;
    const unsigned mode = explore ? (unsigned)gsl_rng_uniform_int(l->random, l->modes) : best_of(l, now->state);
    if (l->waits)
        update(l, &l->seen, mode);
    l->waits = false;
    return mode;
}

static void learn_greedily(void *state, const ws_experience *seen)
{
    learner *const l = state;
    update(l, seen, best_of(l, seen->next));
}

static void learn_later(void *state, const ws_experience *seen)
{
    learner *const l = state;
    l->seen = *seen;
    l->waits = true;
}

static const double *values(const void *state)
{
    return ((const learner *)state)->value;
}

const ws_policy ws_policy_chameleon = {.name = "chameleon",
                                       .summary = "Q-learning over the mismatch of supply and demand",
                                       .create = create,
                                       .destroy = destroy,
                                       .choose = choose,
                                       .learn = learn_greedily,
                                       .values = values};

const ws_policy ws_policy_sarsa = {.name = "sarsa",
                                   .summary = "SARSA: as chameleon, but values its actual next action",
                                   .create = create,
                                   .destroy = destroy,
                                   .choose = choose,
                                   .learn = learn_later,
                                   .values = values};
