/* array.h - energy, leakage, delay and area of on-chip memory arrays, from their cells.
 *
 * A memory is divided into subarrays of rows and columns. A word is `bits` wide; `mux` columns of its row share a sense
 * amplifier. The word line and all columns of active subarrays swing:
 *
 *     E(read)  = columns (2 C_bitline V_sense V + C_access V^2) + bits E_sense + C_decoder V^2 + moved C_wire way V^2
 *     E(write) = the same without senses, and bits (C_bitline V^2, or the switching energy of the cell)
 *     leakage  = V I_off(T, V) (cells width + drivers)
 *     delay    = decoder (FO4 per doubling of rows) + word line + bit line (C V_sense / I) + sense + wires both ways
 *     area     = cells + bits x area of a sense amplifier and its driver;  way = 0.8 of the side of the square
 *
 * Terms as in Wilton, Jouppi, CACTI (1996); Thoziyoor, Muralimanohar, Ahn, Jouppi, CACTI 5.1 (2008); current-sensed
 * cells as in Dong, Xu, Xie, Jouppi, NVSim (2012). Rows and mux minimise energy x delay x square root of area over all
 * that fit. docs/power.md compares the results with those of CACTI 7 and NVSim. */
#ifndef WS_ARRAY_H
#define WS_ARRAY_H

#include "model/tech/node.h"

#include <stdbool.h>
#include <stdint.h>

/* Cell of data/tech/cell_*.ini: the rows of cell.def. */
typedef struct ws_cell {
#define FIELD(section, name, member, unit, least, most, meaning) double member;
#include "model/array/cell.def"
#undef FIELD
} ws_cell;

/* Reads a cell file. WS_EINPUT with FILE:LINE:COLUMN, WS_EIO. */
int ws_cell_read(const char *path, ws_cell *out);
/* Sets a value: "cell.around", "2F". WS_ENOTFOUND without a message for an unknown name; WS_EINPUT. */
int ws_cell_set(ws_cell *cell, const char *name, const char *value);
int ws_cell_parse(const char *file, const char *text, size_t length, ws_cell *out);

typedef struct ws_array_shape {
    uint64_t bytes;
    uint32_t word;  /* bytes of an access */
    uint32_t ways;  /* words sensed in parallel, of which one is read out; 0: 1 */
    uint32_t ports; /* read/write ports, each with its own lines; 0: 1 */
    uint32_t banks; /* identical banks, one active at a time; 0: 1 */
} ws_array_shape;

typedef struct ws_array_result {
    double read_j, write_j, leakage_w, access_s, write_s, area_m2;
    double activate_j;           /* of reads and writes: the word line of a row and its decoder */
    uint32_t rows, columns, mux; /* of a subarray */
} ws_array_result;

/* Evaluates an array at a voltage and a temperature. WS_EINPUT if the memory is empty or smaller than a word. */
int ws_array_evaluate(const ws_node *node, const ws_cell *cell, const ws_array_shape *shape, double volts,
                      double kelvin, ws_array_result *out);

#endif
