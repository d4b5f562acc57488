/* power_setup.h - models of power for tests: a machine, its model, and what an activity costs. */
#ifndef WS_TEST_POWER_SETUP_H
#define WS_TEST_POWER_SETUP_H

#include "base/status.h"
#include "model/machine/machine.h"
#include "model/power/power.h"

#include <math.h>

static inline ws_machine *machine_of(const char *name)
{
    ws_machine *m;
    assert_int_equal(ws_machine_read("data", name, &m), WS_OK);
    return m;
}

static inline ws_power *power_of(const ws_machine *m, const ws_power_options *o)
{
    ws_power *p;
    if (ws_power_create(m, o, &p))
        fail_msg("%s", ws_message());
    return p;
}

static inline void assert_close(double a, double b)
{
    if (!(fabs(a - b) <= 1e-9 * fmax(fabs(a), fabs(b))))
        fail_msg("%.17g and %.17g are not the same", a, b);
}

static inline double all_dynamic(const ws_energy *e)
{
    double sum = 0;
    for (size_t i = 0; i < WS_POWER_COMPONENTS; i++)
        sum += e->dynamic[i];
    return sum;
}

static inline ws_energy energy_of(const ws_power *p, const ws_activity *a)
{
    ws_energy e = {0};
    ws_power_energy(p, a, &e);
    return e;
}

#endif
