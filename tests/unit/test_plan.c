/* Is the optimum one? Against every sequence of modes, against more battery, and against all other policies. */
#include "tests/unit/control_setup.h"

#include "model/control/control_activity.h"
#include "model/control/plan.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

/* A supply that wanders, never below 0. */
static double *wandering_supply(size_t count, double mean, double deviation, double kept, uint64_t seed)
{
    gsl_rng *const random = gsl_rng_alloc(gsl_rng_taus2);
    double *const supply = malloc(count * sizeof *supply), z = 0;
    gsl_rng_set(random, seed);
    for (size_t i = 0; i < count; i++) {
        z = kept * z + sqrt(1 - kept * kept) * gsl_ran_gaussian(random, 1);
        supply[i] = fmax(0, mean + deviation * z);
    }
    gsl_rng_free(random);
    return supply;
}

/* Throughput of the best of modes^periods sequences, in steps. */
static double best_sequence(const ws_plant *p, const double *supply, const double *activity, size_t periods,
                            size_t steps, ws_plant_state state, double so_far)
{
    if (!periods)
        return so_far;
    double best = 0;
    for (unsigned mode = 0; mode < p->modes; mode++) {
        ws_plant_state now = state;
        double sum = so_far;
        for (size_t i = 0; i < steps; i++)
            sum += ws_plant_step(p, &now, mode, supply[i], activity[i]).throughput;
        best = fmax(best, best_sequence(p, supply + steps, activity + steps, periods - 1, steps, now, sum));
    }
    return best;
}

/* A small battery, so that a few periods are enough to empty and fill it. */
static const char *const small[] = {
    "battery.capacity", "1.5 Wh", "battery.charge_rate", "30 1/h", "battery.discharge_rate", "60 1/h", NULL};

static void it_is_the_best_of_all_sequences(void **state)
{
    (void)state;
    enum { PERIODS = 9, STEPS = 60 };
    for (uint64_t seed = 1; seed <= 12; seed++) {
        setup *const s = make_setup(matrix_load(), small);
        if (seed % 3 == 0) {
            set_option(&s->control, "mode.half.battery", "0.3");
            ws_plant_init(&s->control, &s->server, &s->plant);
        }
        const size_t periods = seed % 3 ? PERIODS : 6, steps = periods * STEPS;
        double *const supply = wandering_supply(steps, 120, 60, 0.98, seed), *const activity =
                                                                                 malloc(steps * sizeof *activity);
        assert_int_equal(ws_activity_generate(&s->control, seed, activity, steps), WS_OK);
        const double best = best_sequence(&s->plant, supply, activity, periods, STEPS, ws_plant_start(&s->plant), 0);
        const double found = drive_with(s, "optimum", supply, activity, steps, 1).throughput * (double)steps;
        assert_true(found <= best * (1 + 1e-12));
        assert_true(found >= best * 0.998);
        free(supply);
        free(activity);
        free(s);
    }
}

/* An outlook is what the steps give, whatever the battery holds. */
static void an_outlook_is_what_steps_give(void **state)
{
    (void)state;
    enum { STEPS = 60 };
    for (uint64_t seed = 1; seed <= 30; seed++) {
        setup *const s = make_setup(matrix_load(), small);
        double *const supply = wandering_supply(STEPS, 150, 80, 0.9, seed), *const one = constant_series(STEPS, 1);
        for (unsigned mode = 0; mode < 2; mode++) {
            ws_outlook outlook;
            ws_outlook_init(&s->plant, mode, supply, one, STEPS, &outlook);
            for (double part = 0; part <= 1; part += 0.05)
                for (int drained = 0; drained < 2; drained++) {
                    ws_plant_state now = {.stored_j =
                                              s->plant.floor_j + part * (s->plant.capacity_j - s->plant.floor_j),
                                          .drained = drained};
                    ws_plant_state end = now;
                    double gain = 0;
                    for (size_t i = 0; i < STEPS; i++)
                        gain += ws_plant_step(&s->plant, &now, mode, supply[i], 1).throughput;
                    assert_near(ws_outlook_gain(&outlook, &end), gain, 1e-9);
                    assert_near(end.stored_j, now.stored_j, 1e-6);
                    assert_int_equal(end.drained, now.drained);
                }
        }
        free(supply);
        free(one);
        free(s);
    }
}

/* Throughput of the optimum on a battery of this capacity; no policy has more. */
static double best_of_all(const char *const *options, const double supply[2], uint64_t seed)
{
    enum { STEPS = 3 * 3600 };
    setup *const s = make_setup(matrix_load(), options);
    double *const series = wandering_supply(STEPS, supply[0], supply[1], 0.999, seed);
    double *const activity = malloc(STEPS * sizeof *activity);
    assert_int_equal(ws_activity_generate(&s->control, 7, activity, STEPS), WS_OK);
    const double optimum = drive_with(s, "optimum", series, activity, STEPS, 1).throughput;
    for (size_t i = 0; ws_policy_at(i); i++)
        assert_true(drive_with(s, ws_policy_at(i)->name, series, activity, STEPS, 1).throughput <= optimum * 1.0005);
    free(series);
    free(activity);
    free(s);
    return optimum;
}

static const double supplies[][2] = {{135, 38}, {178, 17}, {40, 41}, {101, 14}};

static void nobody_is_better(void **state)
{
    (void)state;
    static const char *const options[] = {"battery.start", "0.4", NULL};
    for (size_t k = 0; k < 4; k++)
        best_of_all(options, supplies[k], k + 1);
}

/* Where a mode only fills what the supply lacks. One with priority to the battery stores more into a larger one, which
 * costs. */
static void more_battery_never_hurts(void **state)
{
    (void)state;
    static const char *const capacities[] = {"0", "8 Wh", "64 Wh", "512 Wh"};
    for (size_t k = 0; k < 4; k++) {
        double before = 0;
        for (size_t c = 0; c < 4; c++) {
            const char *const options[] = {"mode.performance.priority",
                                           "0",
                                           "mode.performance.least",
                                           "0",
                                           "battery.resume",
                                           "0",
                                           "battery.start",
                                           "0.2",
                                           "battery.capacity",
                                           capacities[c],
                                           NULL};
            const double optimum = best_of_all(options, supplies[k], k + 1);
            assert_true(optimum >= before * 0.9995);
            before = optimum;
        }
    }
}

/* A perfect forecast that reaches to the end is nearly foresight; a short one is between that and a fixed mode. */
static void a_forecast_is_worth_something(void **state)
{
    (void)state;
    enum { STEPS = 4 * 3600 };
    static const char *const far[] = {"forecast.horizon",
                                      "240",
                                      "forecast.error",
                                      "0",
                                      "forecast.cells",
                                      "128",
                                      "activity.deviation",
                                      "0",
                                      "activity.stall_share",
                                      "0",
                                      NULL};
    double gain = 0, best = 0, fixed = 0;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        setup *const s = make_setup(matrix_load(), far);
        double *const supply = wandering_supply(STEPS, 100, 40, 0.9995, seed), *const one = constant_series(STEPS, 1);
        gain += drive_with(s, "predictive", supply, one, STEPS, 1).throughput;
        best += drive_with(s, "optimum", supply, one, STEPS, 1).throughput;
        fixed += fmax(drive_with(s, "energy", supply, one, STEPS, 1).throughput,
                      drive_with(s, "performance", supply, one, STEPS, 1).throughput);
        free(supply);
        free(one);
        free(s);
    }
    assert_true(gain > fixed && gain > best * 0.97);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_outlook_is_what_steps_give),
        cmocka_unit_test(it_is_the_best_of_all_sequences),
        cmocka_unit_test(nobody_is_better),
        cmocka_unit_test(more_battery_never_hurts),
        cmocka_unit_test(a_forecast_is_worth_something),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
