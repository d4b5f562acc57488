/* control_setup.h - a server of data/control with what a test changes, and a plant made of it. */
#ifndef WS_TEST_CONTROL_SETUP_H
#define WS_TEST_CONTROL_SETUP_H

#include "base/status.h"
#include "model/control/drive.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

typedef struct setup {
    ws_control control;
    ws_load load;
    ws_server server;
    ws_plant plant;
} setup;

/* As assert_float_equal, which compares in single precision. */
static inline void assert_near(double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance))
        fail_msg("%.17g and %.17g are more than %g apart", a, b, tolerance);
}

static inline void set_option(ws_control *control, const char *option, const char *value)
{
    if (ws_control_set(control, option, value) || ws_control_check(control))
        fail_msg("%s", ws_message());
}

/* The study's server with the load. `options` are pairs of option and value, ended by NULL. */
static inline setup *make_setup(ws_load load, const char *const *options)
{
    setup *const s = calloc(1, sizeof *s);
    assert_non_null(s);
    if (ws_control_read("data", NULL, &s->control))
        fail_msg("%s", ws_message());
    for (size_t i = 0; options && options[i]; i += 2)
        set_option(&s->control, options[i], options[i + 1]);
    s->load = load;
    ws_server_init(&s->control, &s->load, &s->server);
    ws_plant_init(&s->control, &s->server, &s->plant);
    return s;
}

/* The study's matrix multiplication. */
static inline ws_load matrix_load(void)
{
    return (ws_load){.name = "MM", .power_w = 176.7, .ipc = 300.1, .memory_share = NAN};
}

static inline double *constant_series(size_t count, double value)
{
    double *const series = malloc(count * sizeof *series);
    assert_non_null(series);
    for (size_t i = 0; i < count; i++)
        series[i] = value;
    return series;
}

static inline ws_drive_totals drive_with(const setup *s, const char *policy, const double *supply_w,
                                         const double *activity, size_t steps, uint64_t seed)
{
    ws_drive_totals totals;
    const ws_drive_request request = {.control = &s->control,
                                      .plant = &s->plant,
                                      .policy = ws_policy_find(policy),
                                      .supply_w = supply_w,
                                      .activity = activity,
                                      .steps = steps,
                                      .seed = seed};
    assert_non_null(request.policy);
    if (ws_drive(&request, &totals))
        fail_msg("%s", ws_message());
    return totals;
}

#endif
