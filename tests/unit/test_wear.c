/* Wear of a driven server: powers of cores and the rest in the right blocks, temperatures as the thermal model alone
 * has them. */
#include "tests/unit/control_setup.h"

#include "model/control/wear.h"

enum { STEPS = 100 };

typedef struct die {
    ws_thermal_chip chip;
    ws_fatigue fatigue;
    ws_thermal *thermal;
} die;

static die *make_die(void)
{
    die *const d = calloc(1, sizeof *d);
    assert_non_null(d);
    assert_int_equal(ws_thermal_chip_read("data/tech/thermal_renewable.ini", &d->chip), WS_OK);
    assert_int_equal(ws_fatigue_read("data/tech/lifetime.ini", &d->fatigue), WS_OK);
    assert_int_equal(ws_thermal_create(&d->chip, 1, &d->thermal), WS_OK);
    return d;
}

static void free_die(die *d)
{
    ws_thermal_destroy(d->thermal);
    free(d);
}

/* A period at one operating point, activity 1. */
static void fill_period(const setup *s, size_t point, ws_plant_flow *flow, double *activity, size_t steps)
{
    for (size_t i = 0; i < steps; i++) {
        activity[i] = 1;
        flow[i] = (ws_plant_flow){.load_w = ws_plant_power(&s->server.point[point], 1), .point = point};
    }
}

static ws_drive_period period_of(const ws_plant_flow *flow, const double *activity, size_t steps)
{
    return (ws_drive_period){.flow = flow, .activity = activity, .steps = steps};
}

/* At the nominal point the cores take the share that is configured; what the host takes heats no die. */
static void a_steady_load_is_as_hot_as_the_thermal_model_says(void **state)
{
    (void)state;
    static const char *const host[] = {"chip.host", "50 W", NULL};
    die *const d = make_die();
    setup *const s = make_setup(matrix_load(), host);
    ws_plant_flow flow[STEPS];
    double activity[STEPS], steady[WS_THERMAL_BLOCKS], power_w[WS_THERMAL_BLOCKS] = {0};
    ws_wear w;
    fill_period(s, s->server.top[s->control.chip_nominal_level], flow, activity, STEPS);
    const ws_drive_period period = period_of(flow, activity, STEPS);
    assert_int_equal(ws_wear_init(&d->chip, d->thermal, &d->fatigue, &s->server, 1, &w), WS_OK);
    assert_int_equal(ws_wear_see(&w, &period), WS_OK);
    power_w[ws_thermal_find_block(d->thermal, "cores")] = 176.7 * s->control.chip_core_share;
    power_w[ws_thermal_find_block(d->thermal, "uncore")] = 176.7 * (1 - s->control.chip_core_share);
    ws_thermal_steady(d->thermal, power_w, WS_THERMAL_DIE, steady);
    const double hottest = fmax(steady[0], steady[1]);
    for (size_t i = 0; i < STEPS; i++)
        assert_near(w.die_k[i], hottest, 1e-6);
    const ws_wear_result r = ws_wear_finish(&w);
    assert_near(r.hottest_k, hottest, 1e-6);
    assert_true(r.largest_k < 1e-6);
    ws_wear_fini(&w);
    free(s);
    free_die(d);
}

static ws_wear_result alternate(const die *d, const setup *s, size_t low)
{
    ws_plant_flow on[STEPS], off[STEPS];
    double activity[STEPS];
    ws_wear w;
    fill_period(s, s->server.top[6], on, activity, STEPS);
    fill_period(s, low, off, activity, STEPS);
    assert_int_equal(ws_wear_init(&d->chip, d->thermal, &d->fatigue, &s->server, 1, &w), WS_OK);
    for (size_t i = 0; i < 40; i++) {
        const ws_drive_period period = period_of(i & 1 ? off : on, activity, STEPS);
        assert_int_equal(ws_wear_see(&w, &period), WS_OK);
    }
    assert_near(w.observed_s, 40 * STEPS, 1e-9);
    const ws_wear_result r = ws_wear_finish(&w);
    ws_wear_fini(&w);
    return r;
}

/* Asleep every other 100 s wears more than the lowest level every other 100 s. */
static void the_deeper_the_cycles_the_shorter_the_life(void **state)
{
    (void)state;
    die *const d = make_die();
    setup *const s = make_setup(matrix_load(), NULL);
    const ws_wear_result deep = alternate(d, s, 0), flat = alternate(d, s, s->server.top[1]);
    assert_true(deep.largest_k > 10 && deep.largest_k < deep.hottest_k - 318);
    assert_true(flat.largest_k > 0 && flat.largest_k < deep.largest_k);
    assert_true(isfinite(flat.mtbf_s) && deep.mtbf_s < flat.mtbf_s);
    free(s);
    free_die(d);
}

static void a_floor_plan_without_cores_is_refused(void **state)
{
    (void)state;
    die *const d = make_die();
    setup *const s = make_setup(matrix_load(), NULL);
    ws_wear w;
    for (size_t i = 0; i < d->chip.blocks; i++)
        memcpy(d->chip.block[i].name, "tile", 5);
    assert_int_equal(ws_wear_init(&d->chip, d->thermal, &d->fatigue, &s->server, 1, &w), WS_EINPUT);
    assert_non_null(strstr(ws_message(), "'core'"));
    ws_wear_fini(&w);
    free(s);
    free_die(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_steady_load_is_as_hot_as_the_thermal_model_says),
        cmocka_unit_test(the_deeper_the_cycles_the_shorter_the_life),
        cmocka_unit_test(a_floor_plan_without_cores_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
