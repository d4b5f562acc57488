/* array.h - energy, leakage, delay and area of memories on a chip, from their cells.
 *
 * A memory is cut into subarrays of rows and columns. A word is `bits` wide; of the columns of its row `mux` share a
 * sense amplifier. The word line and all columns of active subarrays swing:
 *
 *     E(read)  = columns (2 C_bitline V_sense V + C_access V^2) + bits E_sense + C_decoder V^2 + moved C_wire way V^2
 *     E(write) = the same without senses, and bits (C_bitline V^2, or what switches the cell)
 *     leakage  = V I_off(T, V) (cells width + drivers)
 *     delay    = decoder (FO4 a doubling of rows) + word line + bit line (C V_sense / I) + sense + wires there and back
 *     area     = cells + bits x what a sense amplifier and its driver take;  way = 0.8 of the side of the square
 *
 * Terms as in Wilton, Jouppi, CACTI (1996); Thoziyoor, Muralimanohar, Ahn, Jouppi, CACTI 5.1 (2008); cells that are
 * sensed by current as in Dong, Xu, Xie, Jouppi, NVSim (2012). Rows and mux are those with the least energy x delay x
 * square root of area of all that fit. docs/power.md sets its numbers beside those of CACTI 7 and NVSim. */
#ifndef WS_ARRAY_H
#define WS_ARRAY_H

#include "model/tech/node.h"

#include <stdbool.h>
#include <stdint.h>

/* data/tech/cell_*.ini: the rows of cell.def. */
typedef struct ws_cell {
#define FIELD(section, name, member, unit, least, most, meaning) double member;
#include "model/array/cell.def"
#undef FIELD
} ws_cell;

/* WS_EINPUT with FILE:LINE:COLUMN, WS_EIO. */
int ws_cell_read(const char *path, ws_cell *out);
/* "cell.around", "2F". WS_ENOTFOUND without a message: there is none of that name; WS_EINPUT. */
int ws_cell_set(ws_cell *cell, const char *name, const char *value);
int ws_cell_parse(const char *file, const char *text, size_t length, ws_cell *out);

typedef struct ws_array_shape {
    uint64_t bytes;
    uint32_t word;  /* bytes that leave it */
    uint32_t ways;  /* words side by side that are sensed for one that leaves; 0: 1 */
    uint32_t ports; /* that read and write, each with lines of its own; 0: 1 */
    uint32_t banks; /* alike, one at a time; 0: 1 */
} ws_array_shape;

typedef struct ws_array_result {
    double read_j, write_j, leakage_w, access_s, write_s, area_m2;
    double activate_j;           /* of both: the word line of a row and its decoder */
    uint32_t rows, columns, mux; /* of a subarray */
} ws_array_result;

/* At a voltage and a temperature. WS_EINPUT for a word that the memory has no room for, or nothing at all. */
int ws_array_evaluate(const ws_node *node, const ws_cell *cell, const ws_array_shape *shape, double volts,
                      double kelvin, ws_array_result *out);

#endif
