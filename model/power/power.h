/* power.h - what does activity cost in joules, and what does time cost?
 *
 * A model of a machine is a list of terms. Each belongs to a component, counts one counter of ws_activity, and has an
 * energy for one of it: of events it is switching energy, of cycles of the chip or of its SMs it is leakage (or what
 * flows whatever happens). So energy is linear in activity: that of two launches, components or intervals adds up, and
 * every watt can be traced to a counter, a constant and its source.
 *
 *     ws_power *power;   ws_energy sum;
 *     ws_power_create(machine, &(ws_power_options){0}, &power);
 *     ws_power_energy(power, &did, &sum);          // microseconds
 *     watts = ws_energy_total(&sum) / sum.seconds
 *
 * Energies of arrays are those of model/array for their shape; of operations, wires and memory parts those of
 * data/tech, brought to the machine's node and voltage by C V^2. docs/power.md has the formulas, what they assume, and
 * how far off they are. */
#ifndef WS_POWER_H
#define WS_POWER_H

#include "model/activity.h"
#include "model/machine/machine_declared.h"
#include "model/tech/lab_tech.h"

/* The rows of components.def. */
typedef enum ws_power_component {
#define COMPONENT(name, group, summary) WS_POWER_##name,
#include "model/power/components.def"
#undef COMPONENT
    WS_POWER_COMPONENTS
} ws_power_component;

const char *ws_power_component_name(size_t component);
/* What reports show together: "execution", "supply", "storage", "network", "memory", "rest". */
const char *ws_power_component_group(size_t component);

/* A row of charges.def: events of counters first to last of the uint64_t of a ws_activity. */
typedef struct ws_power_charge {
    ws_power_component component;
    size_t first, last;
    const char *shared; /* why another component is also charged; "": the component's own */
} ws_power_charge;
bool ws_power_charge_at(size_t index, ws_power_charge *charge); /* false behind the last */

typedef struct ws_power_options {
    const char *chip;     /* of data/tech, without chip_, or a path; NULL: the machine's [power] chip */
    const char *node;     /* another node than the chip's: a name or a path. NULL: the chip's */
    double volts;         /* of the SMs; 0: what the chip's table has for the machine's core clock */
    double temperature_k; /* of the die; 0: the chip's */
} ws_power_options;

typedef struct ws_power ws_power;

/* The caller frees it with ws_power_destroy; the machine is borrowed while it is made. WS_EINPUT with FILE:LINE:COLUMN
 * for a constant that is missing, negative, unknown or has another unit; for a clock outside the chip's table of
 * voltages. WS_EUNSUPPORTED with what to name when the machine names no chip, or no memory part, whose energies are
 * known. WS_EIO, WS_EMEM. */
int ws_power_create(const ws_machine *machine, const ws_power_options *options, ws_power **out);
void ws_power_destroy(ws_power *power); /* accepts NULL */

/* The file that the machine's power.accesses names, which is not "none". WS_EINPUT with its place, WS_EIO. */
int ws_power_read_accesses(const ws_machine *machine, ws_lab_tech *out);

/* What it was made for. */
typedef struct ws_power_point {
    double volts, core_hz, temperature_k, feature_m; /* 0 but core_hz where the machine has power.accesses */
    const char *chip;                                /* owned by the model; with power.accesses that */
} ws_power_point;
ws_power_point ws_power_point_of(const ws_power *power);

/* Joules. */
typedef struct ws_energy {
    double dynamic[WS_POWER_COMPONENTS], leakage[WS_POWER_COMPONENTS];
    double seconds; /* of the core's clock */
} ws_energy;

/* Adds what the machine did; `sum` is zeroed before the first. */
void ws_power_energy(const ws_power *power, const ws_activity *did, ws_energy *sum);
double ws_energy_total(const ws_energy *energy);

/* A term, to be shown: NULL names end the list. */
typedef struct ws_power_term {
    ws_power_component component;
    bool leaks;                 /* time costs it, not events */
    const char *part, *counter; /* "network.flits" */
    const char *instance;       /* of the counter, NULL when it has none */
    double joules;              /* for one of the counter */
    size_t at;                  /* of the counter among the uint64_t of a ws_activity */
    char why[160];              /* how the energy comes about */
} ws_power_term;
size_t ws_power_terms(const ws_power *power);
const ws_power_term *ws_power_term_at(const ws_power *power, size_t index);

/* The file STEM NAME .ini (stem "node_", say) of data/tech, or a path as it is, into out[PATH_MAX]. WS_EIO. */
int ws_power_tech_path(const ws_machine *machine, const char *stem, const char *name, char *out);

#endif
