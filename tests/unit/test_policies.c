/* Do those who learn find what is best? Toy decision processes whose optimum value iteration tells. */
#include "tests/unit/control_setup.h"

#include <gsl/gsl_rng.h>

enum { STATES = 4, MODES = 3 };

/* Reward and probability of the next state for each state and mode. */
typedef struct toy {
    double reward[STATES][MODES];
    double next[STATES][MODES][STATES];
} toy;

static void best_modes(const toy *t, double discount, unsigned best[STATES])
{
    double value[STATES] = {0};
    for (int turn = 0; turn < 2000; turn++) {
        double fresh[STATES];
        for (int s = 0; s < STATES; s++) {
            fresh[s] = -INFINITY;
            for (unsigned m = 0; m < MODES; m++) {
                double q = t->reward[s][m];
                for (int n = 0; n < STATES; n++)
                    q += discount * t->next[s][m][n] * value[n];
                if (q > fresh[s]) {
                    fresh[s] = q;
                    best[s] = m;
                }
            }
        }
        memcpy(value, fresh, sizeof value);
    }
}

static size_t draw(const double *probability, gsl_rng *random)
{
    const double at = gsl_rng_uniform(random);
    double sum = 0;
    for (size_t n = 0; n + 1 < STATES; n++)
        if (at < (sum += probability[n]))
            return n;
    return STATES - 1;
}

/* The mode that the policy takes most in each state at the end of `turns`. */
static void play(const char *name, const toy *t, const setup *s, size_t turns, uint64_t seed, unsigned taken[STATES])
{
    const ws_policy *const policy = ws_policy_find(name);
    const ws_policy_setup about = {
        .control = &s->control, .plant = &s->plant, .states = STATES, .modes = MODES, .seed = seed};
    gsl_rng *const random = gsl_rng_alloc(gsl_rng_taus2);
    size_t count[STATES][MODES] = {{0}};
    void *p;
    gsl_rng_set(random, seed + 99);
    assert_int_equal(policy->create(&about, &p), WS_OK);
    ws_observation now = {0};
    for (size_t i = 0; i < turns; i++) {
        now.interval = i;
        now.mode = policy->choose(p, &now);
        const size_t next = draw(t->next[now.state][now.mode], random);
        policy->learn(p, &(ws_experience){now.state, next, now.mode, t->reward[now.state][now.mode]});
        count[now.state][now.mode] += i >= turns / 2;
        now.state = next;
    }
    for (int k = 0; k < STATES; k++) {
        taken[k] = 0;
        for (unsigned m = 1; m < MODES; m++)
            if (count[k][m] > count[k][taken[k]])
                taken[k] = m;
    }
    (policy->destroy ? policy->destroy : free)(p);
    gsl_rng_free(random);
}

/* The mode does not change what comes next: a bandit in each state. */
static toy bandits(void)
{
    static const double reward[STATES][MODES] = {{0.2, 0.6, 0.4}, {0.9, 0.1, 0.3}, {0.3, 0.5, 0.8}, {0.1, 0.7, 0.2}};
    toy t;
    memcpy(t.reward, reward, sizeof reward);
    for (int s = 0; s < STATES; s++)
        for (int m = 0; m < MODES; m++)
            for (int n = 0; n < STATES; n++)
                t.next[s][m][n] = 0.25;
    return t;
}

/* A chain: mode 0 goes on for nothing, and only at its end there is much; mode 1 takes a little and goes back to the
 * start; mode 2 stays for less. Who does not look ahead takes the little. */
static toy chain(void)
{
    toy t;
    memset(&t, 0, sizeof t);
    for (int s = 0; s < STATES; s++) {
        t.reward[s][0] = s == STATES - 1 ? 1 : 0;
        t.reward[s][1] = 0.1;
        t.reward[s][2] = 0.05;
        t.next[s][0][s == STATES - 1 ? s : s + 1] = 1;
        t.next[s][1][0] = 1;
        t.next[s][2][s] = 1;
    }
    return t;
}

static setup *explorer(void)
{
    static const char *const options[] = {"learning.exploration", "0.3", "learning.rate", "0.1", NULL};
    return make_setup(matrix_load(), options);
}

static void every_learner_solves_bandits(void **state)
{
    (void)state;
    static const char *const learners[] = {"chameleon", "sarsa", "bandit"};
    setup *const s = explorer();
    const toy t = bandits();
    unsigned best[STATES], taken[STATES];
    best_modes(&t, s->control.learning_discount, best);
    for (size_t i = 0; i < 3; i++)
        for (uint64_t seed = 1; seed <= 5; seed++) {
            play(learners[i], &t, s, 20000, seed, taken);
            assert_memory_equal(taken, best, sizeof best);
        }
    free(s);
}

static void those_who_look_ahead_walk_the_chain(void **state)
{
    (void)state;
    setup *const s = explorer();
    const toy t = chain();
    unsigned best[STATES], taken[STATES];
    best_modes(&t, s->control.learning_discount, best);
    for (int k = 0; k < STATES; k++)
        assert_int_equal(best[k], 0);
    for (uint64_t seed = 1; seed <= 5; seed++) {
        play("chameleon", &t, s, 100000, seed, taken);
        assert_memory_equal(taken, best, sizeof best);
        play("sarsa", &t, s, 100000, seed, taken);
        assert_memory_equal(taken, best, sizeof best);
        play("bandit", &t, s, 100000, seed, taken);
        assert_int_equal(taken[0], 1);
    }
    free(s);
}

/* With a discount of 0 nobody looks ahead. */
static void a_discount_of_nothing_is_short_sighted(void **state)
{
    (void)state;
    setup *const s = explorer();
    const toy t = chain();
    unsigned taken[STATES];
    set_option(&s->control, "learning.discount", "0");
    play("chameleon", &t, s, 20000, 1, taken);
    assert_int_equal(taken[0], 1);
    free(s);
}

/* One update of Algorithm 1 by hand: Q = 0.3 * (0.5 + 0.9 * 0) = 0.15, then 0.15 + 0.3 * (0.5 + 0.9 * 0.15 - 0.15). */
static void an_update_by_hand(void **state)
{
    (void)state;
    static const char *const options[] = {"learning.exploration", "0", NULL};
    setup *const s = make_setup(matrix_load(), options);
    const ws_policy_setup about = {.control = &s->control, .plant = &s->plant, .states = 2, .modes = 2, .seed = 1};
    const ws_experience seen = {.state = 0, .next = 0, .mode = 1, .reward = 0.5};
    void *p;
    assert_int_equal(ws_policy_chameleon.create(&about, &p), WS_OK);
    ws_policy_chameleon.learn(p, &seen);
    assert_near(ws_policy_chameleon.values(p)[1], 0.15, 1e-12);
    ws_policy_chameleon.learn(p, &seen);
    assert_near(ws_policy_chameleon.values(p)[1], 0.15 + 0.3 * (0.5 + 0.9 * 0.15 - 0.15), 1e-12);
    assert_int_equal(ws_policy_chameleon.choose(p, &(ws_observation){.state = 0}), 1);
    assert_int_equal(ws_policy_chameleon.choose(p, &(ws_observation){.state = 1}), 0);
    ws_policy_chameleon.destroy(p);
    /* SARSA takes the value of the mode that comes: in state 1 the first of two equals, 0. */
    assert_int_equal(ws_policy_sarsa.create(&about, &p), WS_OK);
    ws_policy_sarsa.learn(p, &(ws_experience){.state = 0, .next = 1, .mode = 1, .reward = 0.5});
    assert_true(ws_policy_sarsa.values(p)[1] == 0);
    ws_policy_sarsa.choose(p, &(ws_observation){.state = 1});
    assert_near(ws_policy_sarsa.values(p)[1], 0.15, 1e-12);
    ws_policy_sarsa.destroy(p);
    free(s);
}

/* A period's supply against a demand of 100 W, its throughput, and the mode that the rules take then. */
typedef struct rule_turn {
    double supply, throughput;
    unsigned mode;
} rule_turn;

static void take_turns(const char *const *options, const rule_turn *turns, size_t count)
{
    setup *const s = make_setup(matrix_load(), options);
    const ws_policy_setup about = {.control = &s->control, .plant = &s->plant, .states = 4, .modes = 2};
    void *p;
    assert_int_equal(ws_policy_threshold.create(&about, &p), WS_OK);
    for (size_t i = 0; i < count; i++) {
        const ws_observation now = {.supply_w = turns[i].supply, .demand_w = 100, .throughput = turns[i].throughput};
        assert_int_equal(ws_policy_threshold.choose(p, &now), turns[i].mode);
    }
    free(p);
    free(s);
}

/* Goswami (2013), section 5.1.3: energy while there is headroom, performance when throughput drops, else as before; by
 * size, and by change since the period before. */
static void thresholds_by_hand(void **state)
{
    (void)state;
    static const rule_turn size[] = {{50, 0.9, 0},  {50, 0.69, 1}, {99, 0.9, 1},
                                     {100, 0.1, 0}, {99, 0.71, 0}, {0, 0, 1}};
    static const rule_turn change[] = {{50, 0.5, 0}, {50, 0.39, 1}, {59, 0.2, 1}, {70, 0, 0}, {200, 0, 0}, {200, 0, 0}};
    static const char *const by_change[] = {"threshold.change", "1", NULL};
    take_turns(NULL, size, sizeof size / sizeof *size);
    take_turns(by_change, change, sizeof change / sizeof *change);
}

static void the_table_is_sound(void **state)
{
    (void)state;
    for (size_t i = 0; ws_policy_at(i); i++) {
        const ws_policy *const p = ws_policy_at(i);
        assert_true(ws_policy_find(p->name) == p);
        assert_true(p->create && p->choose && *p->summary);
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(p->name, ws_policy_at(k)->name);
    }
    assert_null(ws_policy_find("no such policy"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_is_sound),
        cmocka_unit_test(every_learner_solves_bandits),
        cmocka_unit_test(those_who_look_ahead_walk_the_chain),
        cmocka_unit_test(a_discount_of_nothing_is_short_sighted),
        cmocka_unit_test(an_update_by_hand),
        cmocka_unit_test(thresholds_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
