/* lab_tech.h - access energies in picojoules (data/tech/lab*.ini) for the studies of local atomic buffers and of
 * chiplet coherence. */
#ifndef WS_TECH_LAB_H
#define WS_TECH_LAB_H

#include <stdbool.h>

typedef struct ws_lab_tech {
#define FIELD(section, name, member, meaning) double member;
#include "model/tech/lab_tech.def"
#undef FIELD
} ws_lab_tech;

/* WS_EINPUT with FILE:LINE:COLUMN for an unknown or missing entry, a value beyond its bounds or another unit; WS_EIO.
 */
int ws_lab_tech_read(const char *path, ws_lab_tech *out);

/* Picojoules of a buffer of `lines` lines (INFINITY: unbounded): the file's row, or without one and with `linear`, the
 * straight line. */
typedef struct ws_lab_energy {
    double read_pj, write_pj;
} ws_lab_energy;
ws_lab_energy ws_lab_energy_of(const ws_lab_tech *tech, double lines, bool linear);

#endif
