/* memory_source.h - launches of a results file as input of memory models: cost in SRAM, duration, writes. */
#ifndef WS_MEMORY_SOURCE_H
#define WS_MEMORY_SOURCE_H

#include "base/frame.h"
#include "model/activity.h"
#include "model/coherence/closed_form.h"
#include "model/memory/memory_model.h"
#include "model/machine/machine_declared.h"

typedef struct ws_memory_constants ws_memory_constants;

/* Reads the constants of the machine: its chip, node, cells, and data/tech/memory_NAME.ini, data/tech/cell_NAME.ini (or
 * paths). Freed with free. */
int ws_memory_constants_read(const ws_machine *machine, const char *tech, const char *cell, ws_memory_constants **out);
ws_memory_tech *
ws_memory_constants_tech(ws_memory_constants *constants); /* may be changed before chips are made from them */
/* Sets "SECTION.NAME=VALUE" of either file, before chips are made from them. WS_EINPUT. */
int ws_memory_constants_set(ws_memory_constants *constants, const char *setting);
/* Checks that the machine has SRAM, which organisations replace; otherwise WS_EUNSUPPORTED. */
int ws_memory_check_sram(const ws_machine *machine);
/* Describes the machine in SRAM; its pointers live as long as the constants. arrays, scrub_s: as in ws_memory_chip. */
void ws_memory_chip_of(const ws_memory_constants *constants, const ws_machine *machine, bool arrays, double scrub_s,
                       ws_memory_chip *out);

/* Describes the launch, without its energies and its read-only caches. `did`: its whole activity (ws_launch_activity).
 */
void ws_memory_launch_of(const ws_closed_machine *machine, const ws_traffic_profile *profile,
                         const ws_closed_result *prediction, const ws_activity *did, ws_memory_launch *out);

typedef struct ws_memory_seen {
    const char *workload, *kernel;
    size_t launch; /* 1-based */
    const ws_memory_launch *in_sram;
} ws_memory_seen;

/* Calls `see` for all launches of the file with a profile. WS_ENOTFOUND if none has one, or if one has no values; the
 * message says how to get them. Notes go to `notes`. */
int ws_memory_from_profiles(const ws_machine *machine, const char *db,
                            int (*see)(void *user, const ws_memory_seen *launch), void *user, ws_frame *notes);

#endif
