/* race_tech.h - cost of the signatures of race detection: joules per access, watts of leakage, bits.
 *
 * Parameters are those of data/tech/race*.ini: a central detector with a signature for each SM, and one filter at each
 * L1 (A. Tabbakh, "Efficient Memory Coherence and Consistency Support for Enabling Data Sharing in GPUs", 2018, chapter
 * 4). */
#ifndef WS_TECH_RACE_H
#define WS_TECH_RACE_H

#include <stddef.h>
#include <stdint.h>

typedef struct ws_race_tech {
#define FIELD(section, name, member, unit, least, most, meaning) double member;
#include "model/tech/race_tech.def"
#undef FIELD
} ws_race_tech;

/* Costs of signatures of one size. */
typedef struct ws_race_costs {
    double filter_access_j, filter_leakage_w;                     /* filter of an SM */
    double detector_read_j, detector_write_j, detector_leakage_w; /* detector of `sms` SMs */
    double renaming_read_j, renaming_write_j, renaming_leakage_w; /* table of an SM, for any size */
} ws_race_costs;

/* WS_EINPUT with FILE:LINE:COLUMN for an unknown or missing entry, a value beyond its bounds or another unit; WS_EIO.
 */
int ws_race_tech_read(const char *path, ws_race_tech *out);
int ws_race_tech_parse(const char *file, const char *text, size_t length, ws_race_tech *out);

/* Interpolates linearly between the sizes of the file; the detector scales with SMs. WS_EINPUT for a size outside the
 * file's range. */
int ws_race_costs_of(const ws_race_tech *tech, uint32_t bits, uint32_t sms, ws_race_costs *out);

#endif
