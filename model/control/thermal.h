/* thermal.h - temperatures of the blocks of a die.
 *
 * The model is a compact network of thermal resistances and heat capacities, as the block model of HotSpot: Skadron,
 * Stan, Huang, Velusamy, Sankaranarayanan, Tarjan, Temperature-Aware Microarchitecture (2003). Each block of the floor
 * plan has a node in the die, the interface, the spreader and the sink; the parts of spreader and sink beyond the die
 * have 12 more nodes. Power is constant over a step, and the step is exact: any length is stable. Leakage does not
 * depend on temperature.
 *
 *     ws_thermal_chip chip;   ws_thermal *thermal;   ws_thermal_state state;
 *     ws_thermal_chip_read("data/tech/thermal_renewable.ini", &chip);
 *     ws_thermal_create(&chip, 1.0, &thermal);
 *     ws_thermal_start(thermal, NULL, &state);
 *     ... ws_thermal_step(thermal, &state, power_w, die_k) ... */
#ifndef WS_CONTROL_THERMAL_H
#define WS_CONTROL_THERMAL_H

#include <stdbool.h>
#include <stddef.h>

enum {
    WS_THERMAL_BLOCKS = 32,
    WS_THERMAL_PARTS = 32,
    WS_THERMAL_NAME = 32,
    WS_THERMAL_LAYERS = 4,
    WS_THERMAL_NODES = WS_THERMAL_LAYERS * WS_THERMAL_BLOCKS + 12
};

typedef enum ws_thermal_layer {
    WS_THERMAL_DIE,
    WS_THERMAL_INTERFACE,
    WS_THERMAL_SPREADER,
    WS_THERMAL_SINK
} ws_thermal_layer;

typedef struct ws_thermal_block {
    char name[WS_THERMAL_NAME];
    double x_m, y_m, width_m, height_m; /* lower left corner and size */
} ws_thermal_block;

/* Component and the blocks that it heats: a row of [parts]. */
typedef struct ws_thermal_part {
    char name[WS_THERMAL_NAME];
    bool heats[WS_THERMAL_BLOCKS]; /* by block */
} ws_thermal_part;

/* Chip of data/tech/thermal_*.ini: the rows of thermal_chip.def, blocks that tile a rectangle, and optional parts. */
typedef struct ws_thermal_chip {
#define FIELD(section, key, member, unit, least, most, meaning) double member;
#include "model/control/thermal_chip.def"
#undef FIELD
    size_t blocks;
    ws_thermal_block block[WS_THERMAL_BLOCKS];
    size_t parts;
    ws_thermal_part part[WS_THERMAL_PARTS];
} ws_thermal_chip;

/* WS_EINPUT with FILE:LINE:COLUMN for an unknown or missing entry, a value out of bounds, blocks that overlap or leave
 * holes, a part without a block, or a spreader (sink) that is not larger than the die (spreader). */
int ws_thermal_chip_parse(const char *file, const char *text, size_t length, ws_thermal_chip *out);
int ws_thermal_chip_read(const char *path, ws_thermal_chip *out);

/* Network of a chip with the matrices of a step; constant, so states and threads can share it. */
typedef struct ws_thermal ws_thermal;

/* Small state to copy, for branches of a search. */
typedef struct ws_thermal_state {
    double mode[WS_THERMAL_NODES];
} ws_thermal_state;

/* Creates a network, freed with ws_thermal_destroy. WS_EINPUT for a step that is not above 0; WS_EMEM. */
int ws_thermal_create(const ws_thermal_chip *chip, double step_s, ws_thermal **out);
void ws_thermal_destroy(ws_thermal *thermal); /* accepts NULL */

size_t ws_thermal_blocks(const ws_thermal *thermal);
const char *ws_thermal_block_name(const ws_thermal *thermal, size_t block);
long ws_thermal_find_block(const ws_thermal *thermal, const char *name); /* -1: none */
double ws_thermal_ambient_k(const ws_thermal *thermal);

/* Sets the steady state of power_w[blocks]; NULL: ambient temperature everywhere. */
void ws_thermal_start(const ws_thermal *thermal, const double *power_w, ws_thermal_state *state);

/* Executes one step at power_w[blocks]; die_k[blocks] are the temperatures at its end. */
void ws_thermal_step(const ws_thermal *thermal, ws_thermal_state *state, const double *power_w, double *die_k);

/* Computes the steady temperatures under each block in one layer at power_w[blocks]. */
void ws_thermal_steady(const ws_thermal *thermal, const double *power_w, ws_thermal_layer layer, double *k);

/* Returns the *count time constants of the network, longest first, as long as `thermal` lives. */
const double *ws_thermal_time_constants(const ws_thermal *thermal, size_t *count);

#endif
