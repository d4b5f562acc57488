/* Power, throughput and energy of the server, against numbers worked out by hand and against conservation. */
#include "tests/unit/control_setup.h"

#include "model/control/control_activity.h"
#include "model/control/reward.h"

#include <gsl/gsl_rng.h>

/* 100 W at 2.2 GHz and 1.45 V: 40 W of cores (30 dynamic, 10 leakage), 10 W of network (7.5, 2.5), 50 W of the rest. */
static void operating_points_by_hand(void **state)
{
    (void)state;
    setup *const s = make_setup((ws_load){.name = "x", .power_w = 100, .ipc = 256, .memory_share = 0.2}, NULL);
    const ws_server *const v = &s->server;
    assert_int_equal(v->points, 1 + 15 + 6);
    assert_true(ws_plant_power(&v->point[0], 1) == 0 && v->point[0].throughput == 0);
    const ws_operating_point *const top = &v->point[v->top[6]];
    assert_near(ws_plant_power(top, 1), 100, 1e-9);
    assert_near(top->throughput, 1, 1e-12);
    assert_near(ws_plant_power(top, 0), 50 + 10 + 2.5, 1e-9);
    /* Half of the cores at 1.2 GHz and 0.95 V, network at 1.4 GHz and 1.05 V. */
    const ws_operating_point *const low = &v->point[8];
    const double core = 0.95 / 1.45, net = 1.05 / 1.45;
    assert_int_equal(low->cores, 8);
    assert_int_equal(low->level, 1);
    assert_near(ws_plant_power(low, 1),
                50 + 0.5 * (30 * core * core * 1.2 / 2.2 + 10 * core) + 7.5 * net * net * 1.4 / 2.2 + 2.5 * net, 1e-9);
    assert_near(low->throughput, 1 / (0.8 / (0.5 * 1.2 / 2.2) + 0.2), 1e-12);
    assert_near(v->nominal_ips, 256 * 2.2e9, 1);
    for (size_t i = 1; i < v->points; i++) {
        assert_true(v->point[i].fixed_w + v->point[i].active_w > v->point[i - 1].fixed_w + v->point[i - 1].active_w);
        assert_true(v->point[i].fixed_w > v->point[i - 1].fixed_w &&
                    v->point[i].throughput > v->point[i - 1].throughput);
    }
    free(s);
}

/* 30 W of the host come on top of each point, and the load wants them; a server that sleeps has none. */
static void a_host_takes_its_watts_while_awake(void **state)
{
    (void)state;
    static const char *const host[] = {"chip.host", "30 W", NULL};
    const ws_load load = {.name = "x", .power_w = 100, .ipc = 256, .memory_share = 0.2};
    setup *const with = make_setup(load, host), *const without = make_setup(load, NULL);
    assert_near(with->server.nominal_w, 130, 1e-9);
    assert_true(ws_plant_power(&with->server.point[0], 1) == 0);
    for (size_t i = 1; i < with->server.points; i++) {
        const ws_operating_point *const a = &with->server.point[i], *const b = &without->server.point[i];
        assert_near(ws_plant_power(a, 0.7), ws_plant_power(b, 0.7) + 30, 1e-9);
        assert_near(a->throughput, b->throughput, 1e-12);
    }
    free(with);
    free(without);
}

/* The share of time that waits for memory: half of it at no IPC, none at the peak. */
static void memory_share_follows_the_ipc(void **state)
{
    (void)state;
    setup *const busy = make_setup((ws_load){.power_w = 100, .ipc = 512, .memory_share = NAN}, NULL);
    setup *const half = make_setup((ws_load){.power_w = 100, .ipc = 256, .memory_share = NAN}, NULL);
    assert_near(busy->server.point[busy->server.top[1]].throughput, 1.2 / 2.2, 1e-12);
    assert_near(half->server.point[half->server.top[1]].throughput, 1 / (0.75 * 2.2 / 1.2 + 0.25), 1e-12);
    free(busy);
    free(half);
}

static const char *const steady[] = {"battery.capacity",
                                     "1 Wh",
                                     "battery.charge_efficiency",
                                     "0.9",
                                     "battery.start",
                                     "0.5",
                                     "battery.discharge_rate",
                                     "2 1/h",
                                     NULL};

/* 3600 J, 1800 of them stored, floor 720 J, 1 W of charging, 2 W of drawing at an efficiency of 0.75. */
static void a_step_by_hand(void **state)
{
    (void)state;
    setup *const s = make_setup((ws_load){.name = "x", .power_w = 100, .ipc = 256, .memory_share = 0}, steady);
    ws_plant_state now = ws_plant_start(&s->plant);
    assert_near(now.stored_j, 1800, 1e-9);
    /* Energy-oriented on 120 W: all that the load wants, 1 W of 20 is stored. */
    ws_plant_flow f = ws_plant_step(&s->plant, &now, 0, 120, 1);
    assert_near(f.load_w, 100, 1e-9);
    assert_near(f.charged_w, 1, 1e-9);
    assert_near(f.curtailed_w, 19, 1e-9);
    assert_near(now.stored_j, 1800.9, 1e-9);
    /* Performance-oriented on 99 W: 2 W come from the battery, 98 from the supply, 1 W is stored meanwhile. */
    f = ws_plant_step(&s->plant, &now, 1, 99, 1);
    assert_near(f.load_w, 100, 1e-9);
    assert_near(f.delivered_w, 2, 1e-9);
    assert_near(f.charged_w, 1, 1e-9);
    assert_near(now.stored_j, 1800.9 + 0.9 - 2 / 0.75, 1e-9);
    /* On 97 W the 2 W that it may draw do not reach: it sleeps and stores. */
    f = ws_plant_step(&s->plant, &now, 1, 97, 1);
    assert_true(f.load_w == 0 && f.delivered_w == 0 && f.charged_w == 1 && !now.drained);
    /* A mode that only fills what the supply lacks, at whatever level: 1 W from the battery; on 97 W a lower one. */
    s->plant.mode[1].priority = 0;
    s->plant.mode[1].least = 0;
    f = ws_plant_step(&s->plant, &now, 1, 99, 1);
    assert_near(f.delivered_w, 1, 1e-9);
    f = ws_plant_step(&s->plant, &now, 1, 97, 1);
    assert_true(f.load_w < 97 && f.delivered_w == 0 && f.throughput > 0 && f.throughput < 1);
    /* Energy-oriented on less than a core needs: asleep. */
    f = ws_plant_step(&s->plant, &now, 0, 50, 1);
    assert_true(f.load_w == 0 && f.throughput == 0 && f.charged_w == 1 && f.curtailed_w == 49);
    free(s);
}

/* 40 W of supply, a load of 100 W and a battery of 3600 J whose floor is 720 J and which is drawn again from 1080 J on,
 * all in steps of 1 s: the battery runs empty, is filled while the server sleeps, and carries it again. What
 * is stored returns by three quarters. */
static void performance_from_a_battery_that_runs_empty(void **state)
{
    (void)state;
    static const char *const options[] = {
        "battery.capacity", "1 Wh", "battery.resume", "0.1", "battery.discharge_rate", "400 1/h", "battery.charge_rate",
        "100 1/h",          NULL};
    setup *const s = make_setup((ws_load){.name = "x", .power_w = 100, .ipc = 256, .memory_share = 0}, options);
    ws_plant_state now = ws_plant_start(&s->plant);
    enum { STEPS = 100000 };
    double delivered = 0, stored = 0, direct = 0, used = 0;
    for (int i = 0; i < STEPS; i++) {
        const double available = (now.stored_j - 720) * 0.75;
        const bool waits = now.drained && now.stored_j < s->plant.resume_j;
        const ws_plant_flow f = ws_plant_step(&s->plant, &now, 1, 40, 1);
        /* Asleep from the step that the two do not carry until the battery is drawn again. */
        const bool sleeps = waits || available + 40 < 100 - 1e-9;
        assert_near(f.load_w, sleeps ? 0 : 100, 1e-9);
        assert_near(f.throughput, sleeps ? 0 : 1, 1e-12);
        /* The supply adds what the last of the battery lacks. */
        assert_near(f.delivered_w, sleeps ? 0 : fmin(100, available), 1e-9);
        assert_near(f.direct_w + f.charged_w, 40, 1e-9);
        used += f.load_w;
        direct += f.direct_w;
        delivered += f.delivered_w;
        stored += f.charged_w;
    }
    assert_near(delivered / stored, 0.75, 2e-3);
    assert_near(stored + direct, 40.0 * STEPS, 1e-6 * stored);
    assert_near(used, delivered + direct, 1e-6 * stored);
    free(s);
}

/* Every joule of any step with any battery, mode, supply and activity is in one of the accounts. */
/* Modes end at the nominal level, wherever it is moved, and P-mode holds it; a number stays where it is. */
static void modes_follow_the_nominal_level(void **state)
{
    (void)state;
    static const char *const moved[] = {
        "mode.saver.battery", "0.5", "mode.high.level", "5", "mode.high.least", "5", "chip.nominal_level", "4", NULL};
    setup *const s = make_setup((ws_load){.name = "x", .power_w = 100, .ipc = 256, .memory_share = 0}, moved);
    const size_t *const top = s->server.top;
    assert_int_equal(s->plant.modes, 4);
    assert_int_equal(s->plant.mode[0].top, top[4]);
    assert_int_equal(s->plant.mode[0].least, 0);
    assert_int_equal(s->plant.mode[1].top, top[4]);
    assert_int_equal(s->plant.mode[1].least, top[4]);
    assert_int_equal(s->plant.mode[2].top, top[4]);
    assert_int_equal(s->plant.mode[3].top, top[5]);
    assert_int_equal(s->plant.mode[3].least, top[5]);
    /* 100 W at that level: held from the battery on half of it, throughput that of the table. */
    ws_plant_state now = ws_plant_start(&s->plant);
    const ws_plant_flow f = ws_plant_step(&s->plant, &now, 1, 50, 1);
    assert_near(f.load_w, 100, 1e-9);
    assert_near(f.throughput, 1, 1e-12);
    free(s);
}

static void energy_is_conserved_in_every_step(void **state)
{
    (void)state;
    gsl_rng *const random = gsl_rng_alloc(gsl_rng_taus2);
    gsl_rng_set(random, 5);
    for (int k = 0; k < 40; k++) {
        setup *const s = make_setup(matrix_load(), NULL);
        s->control.battery_capacity = k % 5 ? 100 * gsl_rng_uniform(random) : 0;
        s->control.battery_charge_efficiency = 0.5 + 0.5 * gsl_rng_uniform(random);
        s->control.battery_discharge_efficiency = 0.5 + 0.5 * gsl_rng_uniform(random);
        s->control.loop_fine = k % 3 ? 1 : 7.5;
        ws_plant_init(&s->control, &s->server, &s->plant);
        const ws_plant *const p = &s->plant;
        ws_plant_state now = ws_plant_start(p);
        for (int i = 0; i < 3000; i++) {
            const double supply = 250 * gsl_rng_uniform(random), before = now.stored_j;
            const ws_plant_flow f = ws_plant_step(p, &now, i / 100 % 2, supply, 2 * gsl_rng_uniform(random));
            const double scale = supply + f.load_w + before;
            assert_true(fabs(supply - f.direct_w - f.charged_w - f.curtailed_w) <= 1e-9 * scale);
            assert_true(fabs(f.load_w - f.direct_w - f.delivered_w) <= 1e-9 * scale);
            const double stored = f.charged_w * p->charge_efficiency - f.delivered_w / p->discharge_efficiency;
            assert_true(fabs(now.stored_j - before - stored * p->step_s) <= 1e-9 * scale * p->step_s);
            assert_true(f.direct_w >= 0 && f.delivered_w >= 0 && f.charged_w >= 0 && f.curtailed_w >= -1e-9);
            assert_true(f.charged_w <= p->charge_w && f.delivered_w <= p->mode[i / 100 % 2].draw_w + 1e-9);
            assert_true(now.stored_j >= p->floor_j - 1e-6 && now.stored_j <= p->capacity_j + 1e-6);
        }
        free(s);
    }
    gsl_rng_free(random);
}

/* The first index from either side is the same. */
static void tuning_does_not_depend_on_where_it_starts(void **state)
{
    (void)state;
    setup *const s = make_setup(matrix_load(), NULL);
    const ws_server *const v = &s->server;
    for (double budget = 0; budget < 260; budget += 0.7)
        for (size_t top = 0; top < v->points; top += 3) {
            const size_t at = ws_plant_tune(v, 0, top, 1.1, budget);
            assert_true(at <= top && ws_plant_power(&v->point[at], 1.1) <= budget);
            assert_true(at == top || ws_plant_power(&v->point[at + 1], 1.1) > budget);
            for (size_t from = 0; from < v->points; from++)
                assert_int_equal(ws_plant_tune(v, from, top, 1.1, budget), at);
        }
    free(s);
}

/* Goswami (2013), (5-1) and (5-2) worked out: mean 120, F = 3, A = 20. */
static void the_reward_of_four_samples(void **state)
{
    (void)state;
    static const double load[] = {100, 140, 100, 140};
    assert_near(ws_reward_variability(load, load, 4), 60, 1e-12);
    assert_near(ws_reward(6e9, ws_reward_variability(load, load, 4), 1), 1e8, 1e-3);
    static const double flat[] = {5, 5, 5, 5}, step[] = {1, 1, 3, 3};
    assert_true(ws_reward_variability(flat, flat, 4) == 0 && ws_reward(0.7, 0, 1) == 0.7);
    assert_near(ws_reward_variability(step, step, 4), 1, 1e-12);
    assert_true(ws_reward_variability(load, load, 0) == 0);
    /* Crossings of another series: one instead of three. */
    assert_near(ws_reward_variability(load, step, 4), 20, 1e-12);
}

/* Mean 1, and deviation and share of stalls as asked for. */
static void activity_has_the_statistics_asked_for(void **state)
{
    (void)state;
    enum { N = 400000 };
    double *const activity = malloc(N * sizeof *activity), *const again = malloc(N * sizeof *again);
    setup *const s = make_setup(matrix_load(), NULL);
    assert_int_equal(ws_activity_generate(&s->control, 3, activity, N), WS_OK);
    assert_int_equal(ws_activity_generate(&s->control, 3, again, N), WS_OK);
    assert_memory_equal(activity, again, N * sizeof *activity);
    double sum = 0, low = 0;
    for (size_t i = 0; i < N; i++) {
        assert_true(activity[i] >= 0);
        sum += activity[i];
        low += activity[i] < 0.75;
    }
    assert_near(sum / N, 1, 0.01);
    assert_near(low / N, s->control.activity_stall_share, 0.012);
    set_option(&s->control, "activity.deviation", "0");
    set_option(&s->control, "activity.stall_share", "0");
    assert_int_equal(ws_activity_generate(&s->control, 3, activity, N), WS_OK);
    for (size_t i = 0; i < N; i++)
        assert_true(activity[i] == 1);
    free(activity);
    free(again);
    free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operating_points_by_hand),
        cmocka_unit_test(a_host_takes_its_watts_while_awake),
        cmocka_unit_test(memory_share_follows_the_ipc),
        cmocka_unit_test(a_step_by_hand),
        cmocka_unit_test(performance_from_a_battery_that_runs_empty),
        cmocka_unit_test(modes_follow_the_nominal_level),
        cmocka_unit_test(energy_is_conserved_in_every_step),
        cmocka_unit_test(tuning_does_not_depend_on_where_it_starts),
        cmocka_unit_test(the_reward_of_four_samples),
        cmocka_unit_test(activity_has_the_statistics_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
