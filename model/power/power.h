/* power.h - dynamic and static energy of activity.
 *
 * A model of a machine is a list of terms. Each belongs to a component, refers to one counter of ws_activity and has an
 * energy per count. For events it is switching energy; for cycles of the chip or its SMs it is leakage (or other
 * constant power). Energy is therefore linear in activity: energies of launches, components and intervals add up, and
 * every watt traces to a counter, a constant and its source.
 *
 *     ws_power *power;   ws_energy sum;
 *     ws_power_create(machine, &(ws_power_options){0}, &power);
 *     ws_power_energy(power, &did, &sum);          // microseconds
 *     watts = ws_energy_total(&sum) / sum.seconds
 *
 * Energies of arrays are those of model/array for their shape. Those of operations, wires and memory parts are from
 * data/tech, scaled to the machine's node and voltage by C V^2. docs/power.md has the formulas, assumptions and errors.
 */
#ifndef WS_POWER_H
#define WS_POWER_H

#include "model/activity.h"
#include "model/machine/machine_declared.h"
#include "model/tech/lab_tech.h"

/* Rows of components.def. */
typedef enum ws_power_component {
#define COMPONENT(name, group, summary) WS_POWER_##name,
#include "model/power/components.def"
#undef COMPONENT
    WS_POWER_COMPONENTS
} ws_power_component;

const char *ws_power_component_name(size_t component);
/* Returns the group of a component in reports: "execution", "supply", "storage", "network", "memory", "rest". */
const char *ws_power_component_group(size_t component);

/* Row of charges.def: counters first to last of the uint64_t of a ws_activity. */
typedef struct ws_power_charge {
    ws_power_component component;
    size_t first, last;
    const char *shared; /* why another component is also charged; "": only this one */
} ws_power_charge;
bool ws_power_charge_at(size_t index, ws_power_charge *charge); /* false past the last */

typedef struct ws_power_options {
    const char *chip;     /* of data/tech, without chip_, or a path; NULL: the machine's [power] chip */
    const char *node;     /* replaces the chip's node: a name or a path; NULL: the chip's */
    double volts;         /* of the SMs; 0: that of the chip's table for the machine's core clock */
    double temperature_k; /* of the die; 0: the chip's */
} ws_power_options;

typedef struct ws_power ws_power;

/* Creates a model, freed by the caller with ws_power_destroy; the machine is borrowed for the call. WS_EINPUT with
 * FILE:LINE:COLUMN for a missing, negative or unknown constant or another unit, or for a clock outside the chip's table
 * of voltages. WS_EUNSUPPORTED, with the option to set, if the machine names no chip or no memory part with known
 * energies. WS_EIO, WS_EMEM. */
int ws_power_create(const ws_machine *machine, const ws_power_options *options, ws_power **out);
void ws_power_destroy(ws_power *power); /* accepts NULL */

/* Reads the file of the machine's power.accesses, which must not be "none". WS_EINPUT with its position, WS_EIO. */
int ws_power_read_accesses(const ws_machine *machine, ws_lab_tech *out);

/* Operating point of a model. */
typedef struct ws_power_point {
    double volts, core_hz, temperature_k, feature_m; /* 0 except core_hz if the machine has power.accesses */
    const char *chip;                                /* owned by the model; with power.accesses the name of that */
} ws_power_point;
ws_power_point ws_power_point_of(const ws_power *power);

/* Energies in joules. */
typedef struct ws_energy {
    double dynamic[WS_POWER_COMPONENTS], leakage[WS_POWER_COMPONENTS];
    double seconds; /* of the core's clock */
} ws_energy;

/* Adds the energy of an activity; `sum` is zeroed before the first. */
void ws_power_energy(const ws_power *power, const ws_activity *did, ws_energy *sum);
double ws_energy_total(const ws_energy *energy);

/* Term, for display; the list ends with NULL names. */
typedef struct ws_power_term {
    ws_power_component component;
    bool leaks;                 /* cost of time, not of events */
    const char *part, *counter; /* "network.flits" */
    const char *instance;       /* of the counter; NULL: none */
    double joules;              /* per count */
    size_t at;                  /* index of the counter among the uint64_t of a ws_activity */
    char why[160];              /* derivation of the energy */
} ws_power_term;
size_t ws_power_terms(const ws_power *power);
const ws_power_term *ws_power_term_at(const ws_power *power, size_t index);

/* Writes the path of STEM NAME .ini (stem "node_", for example) in data/tech, or a given path, to out[PATH_MAX].
 * WS_EIO. */
int ws_power_tech_path(const ws_machine *machine, const char *stem, const char *name, char *out);

#endif
