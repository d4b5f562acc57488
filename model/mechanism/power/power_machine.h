/* power_machine.h - what workloads cost on a machine, all of their launches: cycles, energy, traffic. */
#ifndef WS_POWER_MACHINE_H
#define WS_POWER_MACHINE_H

#include "base/frame.h"
#include "model/power/power.h"

/* Where workloads are: a results file with profiles, or traces, which are replayed, or simulated cycle by cycle. */
typedef struct ws_power_inputs {
    const char *db;     /* without traces */
    char *const *trace; /* [traces] */
    size_t traces;
    bool simulate;
} ws_power_inputs;

typedef struct ws_power_work {
    char *name;
    uint64_t cycles;
    double bytes; /* between SMs and L2, both ways */
    ws_energy energy;
} ws_power_work;

typedef struct ws_power_works {
    ws_power_work *work;
    size_t works, room;
} ws_power_works;

/* Adds each workload of the inputs to what is zeroed before the first. Notes say what an estimate leaves out, and why a
 * machine has no energies (ws_power_create returns WS_EUNSUPPORTED): these are NaN then, and time and traffic are
 * there. Whatever it returns, the caller frees *out with ws_power_works_free. WS_ENOTFOUND when there is no launch;
 * else what ws_power_create, a simulation or an estimate returns. */
int ws_power_run(const ws_machine *machine, const ws_power_inputs *inputs, ws_frame *notes, ws_power_works *out);
void ws_power_works_free(ws_power_works *works);

/* The note that says so: a format with the message of ws_power_create. */
#define WS_POWER_MISSING "power: joules, watts and edp are missing; %s"

/* The sum of all. Its name is NULL. */
ws_power_work ws_power_works_sum(const ws_power_works *works);

/* QUANTITY( name, unit, what it is of a ws_power_work *w ) */
#define WS_POWER_QUANTITIES(QUANTITY) \
    QUANTITY(cycles, "cycles", (double)w->cycles) \
    QUANTITY(seconds, "s", w->energy.seconds) \
    QUANTITY(joules, "J", ws_energy_total(&w->energy)) \
    QUANTITY(watts, "W", ws_energy_total(&w->energy) / w->energy.seconds) \
    QUANTITY(edp, "J s", ws_energy_total(&w->energy) * w->energy.seconds) \
    QUANTITY(traffic, "bytes", w->bytes)
enum {
#define QUANTITY(name, unit, value) WS_QUANTITY_##name,
    WS_POWER_QUANTITIES(QUANTITY)
#undef QUANTITY
        WS_QUANTITIES
};
extern const char *const ws_quantity_names[], *const ws_quantity_units[]; /* [WS_QUANTITIES] */
void ws_power_quantities(const ws_power_work *work, double value[WS_QUANTITIES]);
/* Whether all are equal, or both missing. */
bool ws_power_quantities_equal(const double one[WS_QUANTITIES], const double other[WS_QUANTITIES]);

#endif
