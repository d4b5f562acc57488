/* supply.h - power of a renewable source over time.
 *
 * A supply is a series of powers, each the mean over one step. It is generated from a class (one file of data/supply)
 * and a seed, or read from measured data (supply_file.h). */
#ifndef WS_CONTROL_SUPPLY_H
#define WS_CONTROL_SUPPLY_H

#include <stddef.h>
#include <stdint.h>

typedef struct ws_supply {
    double *power_w; /* [count], mean over each step, never negative */
    size_t count;
    double step_s;
    char *name; /* of the class or file */
} ws_supply;

/* Class of supplies: sun and wind behind one meter, scaled to a mean and a deviation. Members come from the rows of
 * supply_class.def; those of an absent section are 0. */
typedef struct ws_supply_class {
    char name[32], alias[32]; /* alias may be "" */
#define FIELD(section, key, member, unit, least, most, meaning) double member;
#include "model/control/supply_class.def"
#undef FIELD
} ws_supply_class;

/* Parse a class from text[0..length) of `file`, or read a file. WS_EINPUT with FILE:LINE:COLUMN for unknown names,
 * values out of bounds and incomplete sections. */
int ws_supply_class_parse(const char *file, const char *text, size_t length, ws_supply_class *out);
int ws_supply_class_read(const char *path, ws_supply_class *out);

/* Finds the class of that name or alias, case-insensitively, among the files of `folder` (data/supply). WS_ENOTFOUND
 * lists the known ones. */
int ws_supply_class_find(const char *folder, const char *name, ws_supply_class *out);

/* Generates `count` steps from midnight. Mean and (population) standard deviation are those of the class to rounding,
 * for every seed. The caller frees *out with ws_supply_fini. WS_EINPUT for less than a day, a step under 1 s or over an
 * hour, more than WS_SUPPLY_MOST steps; WS_ENUMERIC if the source is zero the whole time. */
enum { WS_SUPPLY_MOST = 100000000 };
int ws_supply_generate(const ws_supply_class *type, size_t count, double step_s, uint64_t seed, ws_supply *out);

/* Copies power_w[0..count), for constant and hand-made supplies. WS_EINPUT for a step that is not positive, no steps,
 * or a power that is negative or not finite. */
int ws_supply_copy(const char *name, const double *power_w, size_t count, double step_s, ws_supply *out);

void ws_supply_fini(ws_supply *supply); /* leaves an empty supply; accepts an empty one */

/* Computes the mean and the population standard deviation. */
void ws_supply_statistics(const ws_supply *supply, double *mean_w, double *deviation_w);

#endif
