/* thermal.h - how hot do the blocks of a die get?
 *
 * A compact network of thermal resistances and heat capacities, as the block model of HotSpot has it: Skadron, Stan,
 * Huang, Velusamy, Sankaranarayanan, Tarjan, Temperature-Aware Microarchitecture (2003). Each block of the floor plan
 * has a node in the die, the interface, the spreader and the sink; what of spreader and sink lies beyond the die has
 * 12 nodes more. Power is constant over a step, and the step is then exact: any length is stable. Leakage does not
 * follow temperature.
 *
 *     ws_thermal_chip chip;   ws_thermal *thermal;   ws_thermal_state state;
 *     ws_thermal_chip_read("data/tech/thermal_renewable.ini", &chip);
 *     ws_thermal_create(&chip, 1.0, &thermal);
 *     ws_thermal_start(thermal, NULL, &state);
 *     ... ws_thermal_step(thermal, &state, power_w, die_k) ...
 */
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

/* What heats which blocks: a row of [parts]. */
typedef struct ws_thermal_part {
    char name[WS_THERMAL_NAME];
    bool heats[WS_THERMAL_BLOCKS]; /* by block */
} ws_thermal_part;

/* A file data/tech/thermal_*.ini: the rows of thermal_chip.def, the blocks, which tile a rectangle, and the parts, of
 * which there may be none. */
typedef struct ws_thermal_chip {
#define FIELD(section, key, member, unit, least, most, meaning) double member;
#include "model/control/thermal_chip.def"
#undef FIELD
    size_t blocks;
    ws_thermal_block block[WS_THERMAL_BLOCKS];
    size_t parts;
    ws_thermal_part part[WS_THERMAL_PARTS];
} ws_thermal_chip;

/* WS_EINPUT with FILE:LINE:COLUMN for what is unknown, missing or out of bounds, blocks that overlap or leave holes, a
 * part without a block, a spreader that is not larger than the die, a sink not larger than the spreader. */
int ws_thermal_chip_parse(const char *file, const char *text, size_t length, ws_thermal_chip *out);
int ws_thermal_chip_read(const char *path, ws_thermal_chip *out);

/* The network of a chip, with a step's matrices; constant from then on, so many states and threads can share it. */
typedef struct ws_thermal ws_thermal;

/* Small enough to be copied: what a branch of a search needs. */
typedef struct ws_thermal_state {
    double mode[WS_THERMAL_NODES];
} ws_thermal_state;

/* The caller frees it with ws_thermal_destroy. WS_EINPUT for a step that is not above 0; WS_EMEM. */
int ws_thermal_create(const ws_thermal_chip *chip, double step_s, ws_thermal **out);
void ws_thermal_destroy(ws_thermal *thermal); /* accepts NULL */

size_t ws_thermal_blocks(const ws_thermal *thermal);
const char *ws_thermal_block_name(const ws_thermal *thermal, size_t block);
long ws_thermal_find_block(const ws_thermal *thermal, const char *name); /* -1: none */
double ws_thermal_ambient_k(const ws_thermal *thermal);

/* The state after power_w[blocks] for ever; NULL: all at ambient temperature. */
void ws_thermal_start(const ws_thermal *thermal, const double *power_w, ws_thermal_state *state);

/* One step at power_w[blocks]; die_k[blocks] are the temperatures at its end. */
void ws_thermal_step(const ws_thermal *thermal, ws_thermal_state *state, const double *power_w, double *die_k);

/* Temperatures under each block in one layer after power_w[blocks] for ever. */
void ws_thermal_steady(const ws_thermal *thermal, const double *power_w, ws_thermal_layer layer, double *k);

/* Time constants of the network, longest first; *count of them, as long as `thermal` lives. */
const double *ws_thermal_time_constants(const ws_thermal *thermal, size_t *count);

#endif
