/* Experiments: the same for any number of workers, each run as if it were alone, means and intervals worked out by
 * hand. */
#include "tests/unit/control_setup.h"

#include "model/control/experiment_internal.h"

#include <stdatomic.h>

enum { STEPS = 1440, SOURCES = 2, LOADS = 3, SEEDS = 2, POLICIES = 3 };

/* Sun by day, a little at night, clouds by the seed: quick to make, and different for each seed. */
static int make(const void *context, size_t count, double step_s, uint64_t seed, ws_supply *out)
{
    double *const power = malloc(count * sizeof *power);
    assert_non_null(power);
    for (size_t i = 0; i < count; i++)
        power[i] =
            *(const double *)context * (1 + sin((double)i * 0.01 + (double)seed)) + (double)((i * 37 + seed) % 11);
    const int rc = ws_supply_copy("wave", power, count, step_s, out);
    free(power);
    return rc;
}

static int fail_to_make(const void *context, size_t count, double step_s, uint64_t seed, ws_supply *out)
{
    (void)context;
    (void)count;
    (void)step_s;
    (void)out;
    return seed == 2 ? ws_fail(WS_EINPUT, "no wind today") : make(context, count, step_s, seed, out);
}

static const double amplitude[SOURCES] = {40, 90};
static const ws_experiment_source sources[SOURCES] = {{"weak", make, &amplitude[0]}, {"strong", make, &amplitude[1]}};
static const ws_load loads[LOADS] = {{.name = "A", .power_w = 80, .ipc = 90, .memory_share = NAN},
                                     {.name = "B", .power_w = 150, .ipc = 200, .memory_share = NAN},
                                     {.name = "C", .power_w = 120, .ipc = 10, .memory_share = NAN}};

typedef struct world {
    ws_control control;
    ws_thermal_chip chip;
    ws_fatigue fatigue;
    const ws_policy *policy[POLICIES];
} world;

static world *make_world(void)
{
    world *const w = calloc(1, sizeof *w);
    assert_non_null(w);
    assert_int_equal(ws_control_read("data", NULL, &w->control), WS_OK);
    set_option(&w->control, "activity.stall_length", "120 s");
    set_option(&w->control, "loop.coarse", "600 s");
    set_option(&w->control, "loop.fine", "60 s");
    assert_int_equal(ws_thermal_chip_read("data/tech/thermal_renewable.ini", &w->chip), WS_OK);
    assert_int_equal(ws_fatigue_read("data/tech/lifetime.ini", &w->fatigue), WS_OK);
    w->policy[0] = ws_policy_find("chameleon");
    w->policy[1] = ws_policy_find("energy");
    w->policy[2] = ws_policy_find("bandit");
    return w;
}

static ws_experiment experiment_of(const world *w)
{
    return (ws_experiment){.control = &w->control,
                           .seconds = STEPS * 60.0,
                           .source = sources,
                           .load = loads,
                           .policy = w->policy,
                           .sources = SOURCES,
                           .loads = LOADS,
                           .policies = POLICIES,
                           .base = ws_policy_find("performance"),
                           .regret = true,
                           .chip = &w->chip,
                           .fatigue = &w->fatigue,
                           .seed = 5,
                           .seeds = SEEDS,
                           .workers = 1};
}

static ws_experiment_result run(const ws_experiment *e)
{
    ws_experiment_result r;
    if (ws_experiment_run(e, &r))
        fail_msg("%s", ws_message());
    return r;
}

static void refuse(const ws_experiment *e, int status, const char *message)
{
    ws_experiment_result r;
    assert_int_equal(ws_experiment_run(e, &r), status);
    if (!strstr(ws_message(), message))
        fail_msg("'%s' does not say '%s'", ws_message(), message);
    ws_experiment_fini(&r);
}

static void workers_change_nothing(void **state)
{
    (void)state;
    world *const w = make_world();
    ws_experiment e = experiment_of(w);
    const size_t bytes = SOURCES * LOADS * POLICIES * SEEDS * WS_OUTCOMES * sizeof(double);
    ws_experiment_result one = run(&e);
    for (unsigned workers = 2; workers < 6; workers += 3) {
        e.workers = workers;
        ws_experiment_result many = run(&e);
        assert_memory_equal(one.value, many.value, bytes);
        ws_experiment_fini(&many);
    }
    ws_experiment_fini(&one);
    free(w);
}

/* What else is run, and in which order, has no influence on a run; seeds are numbered. */
static void runs_do_not_depend_on_each_other(void **state)
{
    (void)state;
    world *const w = make_world();
    ws_experiment e = experiment_of(w);
    ws_experiment_result all = run(&e);
    const ws_policy *const only[] = {ws_policy_find("bandit")};
    e.source = &sources[1];
    e.load = &loads[2];
    e.policy = only;
    e.sources = e.loads = e.policies = e.seeds = 1;
    e.seed = 6;
    ws_experiment_result one = run(&e);
    assert_memory_equal(ws_experiment_at(&all, 1, 2, 2, 1), one.value, WS_OUTCOMES * sizeof(double));
    ws_experiment_fini(&one);
    ws_experiment_fini(&all);
    free(w);
}

/* The base over itself is 1, whoever it is; regret is against the optimum and below 1. */
static void outcomes_fit_together(void **state)
{
    (void)state;
    world *const w = make_world();
    ws_experiment e = experiment_of(w);
    e.base = w->policy[1];
    ws_experiment_result r = run(&e);
    for (size_t s = 0; s < SOURCES; s++)
        for (size_t l = 0; l < LOADS; l++)
            for (size_t p = 0; p < POLICIES; p++) {
                const double *const v = ws_experiment_at(&r, s, l, p, 0), *const b = ws_experiment_at(&r, s, l, 1, 0);
                assert_near(v[WS_OUTCOME_throughput_relative], v[WS_OUTCOME_throughput] / b[WS_OUTCOME_throughput],
                            1e-12);
                assert_true(p != 1 || (v[WS_OUTCOME_mtbf_relative] == 1 && v[WS_OUTCOME_switches] == 0));
                assert_true(v[WS_OUTCOME_regret] > -0.01 && v[WS_OUTCOME_regret] < 1);
                assert_true(v[WS_OUTCOME_utilization] <= 1.6 &&
                            v[WS_OUTCOME_utilization] >= v[WS_OUTCOME_direct_utilization]);
                assert_true(v[WS_OUTCOME_hottest] > 318.15 && v[WS_OUTCOME_hottest] < 400);
                assert_true(v[WS_OUTCOME_swing] > 0 && v[WS_OUTCOME_mtbf_relative] > 0);
            }
    ws_experiment_fini(&r);
    free(w);
}

static void without_optimum_and_chip_those_outcomes_are_unknown(void **state)
{
    (void)state;
    world *const w = make_world();
    ws_experiment e = experiment_of(w);
    e.regret = false;
    e.chip = NULL;
    ws_experiment_result r = run(&e);
    const double *const v = ws_experiment_at(&r, 0, 0, 0, 0);
    assert_true(isnan(v[WS_OUTCOME_regret]) && isnan(v[WS_OUTCOME_hottest]) && isnan(v[WS_OUTCOME_mtbf_relative]));
    assert_true(v[WS_OUTCOME_throughput] > 0);
    ws_experiment_fini(&r);
    free(w);
}

typedef struct seen {
    atomic_size_t periods;
    atomic_size_t warm;
} seen;

static int watch(void *context, const ws_drive_period *period, const ws_wear *wear)
{
    seen *const s = context;
    atomic_fetch_add(&s->periods, 1);
    for (size_t i = 0; i < period->steps; i++)
        atomic_fetch_add(&s->warm, wear->die_k[i] > 318);
    return WS_OK;
}

/* Those who watch see each coarse period of what was asked for, and nothing of base and optimum. */
static void watchers_see_every_period(void **state)
{
    (void)state;
    world *const w = make_world();
    ws_experiment e = experiment_of(w);
    seen s = {0};
    e.watch = watch;
    e.context = &s;
    ws_experiment_result r = run(&e);
    assert_int_equal(s.periods, SOURCES * LOADS * POLICIES * SEEDS * STEPS / 10);
    assert_int_equal(s.warm, SOURCES * LOADS * POLICIES * SEEDS * STEPS);
    ws_experiment_fini(&r);
    free(w);
}

static int stop_at_once(void *context, double done)
{
    (void)context;
    assert_true(done >= 0 && done <= 1);
    return ws_fail(WS_EINTERRUPTED, "enough");
}

static void what_cannot_be_done_is_said(void **state)
{
    (void)state;
    world *const w = make_world();
    ws_experiment e = experiment_of(w);
    e.seeds = 0;
    refuse(&e, WS_EINPUT, "a supply, a load, a policy and a seed");
    e = experiment_of(w);
    e.seconds = 59;
    refuse(&e, WS_EINPUT, "59 s in steps of 60 s");
    e.seconds = NAN;
    refuse(&e, WS_EINPUT, "expected 1 to");
    e = experiment_of(w);
    e.seed = 1; /* then 2 */
    e.source = &(ws_experiment_source){"calm", fail_to_make, &amplitude[0]};
    e.sources = 1;
    refuse(&e, WS_EINPUT, "no wind today");
    e = experiment_of(w);
    e.seconds = 60.0 * 2000000; /* long enough to be asked */
    e.progress = stop_at_once;
    refuse(&e, WS_EINTERRUPTED, "enough");
    e = experiment_of(w);
    ws_thermal_chip chip = w->chip;
    memcpy(chip.block[0].name, "die", 4);
    e.chip = &chip;
    refuse(&e, WS_EINPUT, "'core'");
    free(w);
}

/* ------------------------------------------------------------------------------------------------ means */

/* One policy; throughput_relative, a ratio, and throughput, which is none, are `value`[source][load][seed]. */
static ws_experiment_result result_of(size_t n_sources, size_t n_loads, size_t seeds, const double *value)
{
    ws_experiment_result r = {.sources = n_sources, .loads = n_loads, .policies = 1, .seeds = seeds};
    r.value = calloc(n_sources * n_loads * seeds * WS_OUTCOMES, sizeof *r.value);
    assert_non_null(r.value);
    for (size_t i = 0; i < n_sources * n_loads * seeds; i++)
        r.value[i * WS_OUTCOMES + WS_OUTCOME_throughput] = r.value[i * WS_OUTCOMES + WS_OUTCOME_throughput_relative] =
            value[i];
    return r;
}

/* 1, 2, 3, 6: mean 3, deviation sqrt(14 / 3), t of 3 degrees of freedom at 97.5 % is 3.18245 (tables of Student's t).
 */
static void intervals_are_those_of_student(void **state)
{
    (void)state;
    const double value[] = {1, 2, 3, 6};
    ws_experiment_result r = result_of(1, 1, 4, value);
    ws_estimate e[WS_OUTCOMES];
    ws_experiment_estimate(&r, 0, 0, 0, e);
    const double half = 3.18245 * sqrt(14.0 / 3) / 2;
    assert_near(e[WS_OUTCOME_throughput].mean, 3, 1e-12);
    assert_near(e[WS_OUTCOME_throughput].low, 3 - half, 1e-4);
    assert_near(e[WS_OUTCOME_throughput].high, 3 + half, 1e-4);
    assert_near(e[WS_OUTCOME_throughput_relative].mean, pow(36, 0.25), 1e-12);
    const ws_estimate g = e[WS_OUTCOME_throughput_relative];
    assert_near(g.high / g.mean, g.mean / g.low, 1e-12);
    assert_true(g.low > 0 && g.low < g.mean);
    ws_experiment_fini(&r);
}

/* Seeds: (1 + 3 + 5 + 7) / 4 = 4 and (2 + 4 + 6 + 8) / 4 = 5. */
static void loads_and_supplies_are_averaged_within_a_seed(void **state)
{
    (void)state;
    const double value[] = {1, 2, 3, 4, 5, 6, 7, 8}; /* [source][load][seed] */
    ws_experiment_result r = result_of(2, 2, 2, value);
    ws_estimate e[WS_OUTCOMES];
    ws_experiment_estimate(&r, WS_EXPERIMENT_ALL, WS_EXPERIMENT_ALL, 0, e);
    assert_near(e[WS_OUTCOME_throughput].mean, 4.5, 1e-12);
    assert_near(e[WS_OUTCOME_throughput].high - 4.5, 12.7062 * 0.5, 1e-3);
    assert_near(e[WS_OUTCOME_throughput_relative].mean, pow(40320, 0.125), 1e-12);
    ws_experiment_estimate(&r, 1, WS_EXPERIMENT_ALL, 0, e);
    assert_near(e[WS_OUTCOME_throughput].mean, 6.5, 1e-12);
    ws_experiment_estimate(&r, WS_EXPERIMENT_ALL, 0, 0, e);
    assert_near(e[WS_OUTCOME_throughput].mean, 3.5, 1e-12);
    ws_experiment_fini(&r);
}

static void one_seed_has_no_interval_and_gaps_stay_gaps(void **state)
{
    (void)state;
    const double value[] = {2, NAN};
    ws_experiment_result r = result_of(2, 1, 1, value);
    ws_estimate e[WS_OUTCOMES];
    ws_experiment_estimate(&r, 0, 0, 0, e);
    assert_true(e[WS_OUTCOME_throughput].mean == 2 && isnan(e[WS_OUTCOME_throughput].low));
    ws_experiment_estimate(&r, WS_EXPERIMENT_ALL, 0, 0, e);
    assert_true(isnan(e[WS_OUTCOME_throughput].mean) && isnan(e[WS_OUTCOME_throughput_relative].mean));
    ws_experiment_fini(&r);
}

/* 6, 0, 3 W for 10 s each: means over 15 s are 4 and 2; of the first 20 s in steps of 5 s, 6, 6, 0, 0. */
static void measured_supplies_keep_their_energy(void **state)
{
    (void)state;
    const double power[] = {6, 0, 3};
    ws_supply measured, out;
    assert_int_equal(ws_supply_copy("yard", power, 3, 10, &measured), WS_OK);
    assert_int_equal(ws_experiment_measured(&measured, 2, 15, 1, &out), WS_OK);
    assert_near(out.power_w[0], 4, 1e-12);
    assert_near(out.power_w[1], 2, 1e-12);
    ws_supply_fini(&out);
    assert_int_equal(ws_experiment_measured(&measured, 4, 5, 2, &out), WS_OK);
    for (size_t i = 0; i < 4; i++)
        assert_near(out.power_w[i], i < 2 ? 6 : 0, 1e-12);
    assert_true(out.count == 4 && out.step_s == 5);
    ws_supply_fini(&out);
    assert_int_equal(ws_experiment_measured(&measured, 3, 11, 1, &out), WS_EINPUT);
    assert_non_null(strstr(ws_message(), "yard lasts"));
    ws_supply_fini(&out);
    ws_supply_fini(&measured);
}

static void outcomes_are_named(void **state)
{
    (void)state;
    for (size_t i = 0; i < WS_OUTCOMES; i++)
        assert_true(strlen(ws_outcome_at(i)->meaning) > 10);
    assert_null(ws_outcome_at(WS_OUTCOMES));
}

/* Nothing over nothing is no gain; something over nothing is endless. */
static void ratios_of_nothing(void **state)
{
    (void)state;
    const ws_run none = {.totals.seconds = 1},
                 some = {.totals = {.seconds = 1, .throughput = 0.5, .generated_j = 2, .direct_j = 1}};
    double value[WS_OUTCOMES];
    ws_outcome_values(&none, &none, NULL, value);
    assert_true(value[WS_OUTCOME_throughput_relative] == 1 && isnan(value[WS_OUTCOME_regret]));
    ws_outcome_values(&some, &none, &some, value);
    assert_true(isinf(value[WS_OUTCOME_throughput_relative]) && value[WS_OUTCOME_regret] == 0);
    assert_true(value[WS_OUTCOME_utilization] == 0.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(workers_change_nothing),
        cmocka_unit_test(runs_do_not_depend_on_each_other),
        cmocka_unit_test(outcomes_fit_together),
        cmocka_unit_test(without_optimum_and_chip_those_outcomes_are_unknown),
        cmocka_unit_test(watchers_see_every_period),
        cmocka_unit_test(what_cannot_be_done_is_said),
        cmocka_unit_test(intervals_are_those_of_student),
        cmocka_unit_test(loads_and_supplies_are_averaged_within_a_seed),
        cmocka_unit_test(one_seed_has_no_interval_and_gaps_stay_gaps),
        cmocka_unit_test(measured_supplies_keep_their_energy),
        cmocka_unit_test(outcomes_are_named),
        cmocka_unit_test(ratios_of_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
