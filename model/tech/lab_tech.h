/* lab_tech.h - what do accesses cost in the studies of local atomic buffers and of coherence between chiplets:
 * picojoules of data/tech/lab*.ini. */
#ifndef WS_TECH_LAB_H
#define WS_TECH_LAB_H

#include <stdbool.h>

typedef struct ws_lab_tech {
#define FIELD(section, name, member, meaning) double member;
#include "model/tech/lab_tech.def"
#undef FIELD
} ws_lab_tech;

/* WS_EINPUT with FILE:LINE:COLUMN for what is unknown, missing, beyond its bounds or has another unit; WS_EIO. */
int ws_lab_tech_read(const char *path, ws_lab_tech *out);

/* Picojoules of a buffer of so many lines (INFINITY: of one that keeps all): the row of the file, or, where it has none
 * and with `linear`, the straight line. */
typedef struct ws_lab_energy {
    double read_pj, write_pj;
} ws_lab_energy;
ws_lab_energy ws_lab_energy_of(const ws_lab_tech *tech, double lines, bool linear);

#endif
