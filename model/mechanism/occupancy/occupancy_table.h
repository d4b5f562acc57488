/* occupancy_table.h - occupancy of the kernels of a results file as a frame, and in a line for `warpscape summary`. */
#ifndef WS_OCCUPANCY_TABLE_H
#define WS_OCCUPANCY_TABLE_H

#include "base/frame.h"
#include "metrics/store/store.h"
#include "model/machine/machine_declared.h"

#include <stdio.h>

typedef struct ws_occupancy_column {
    const char *name, *unit, *meaning;
} ws_occupancy_column;

/* The columns of occupancy_columns.def; a NULL name behind the last. */
extern const ws_occupancy_column ws_occupancy_columns[];

/* Makes a frame with a row for each kernel and shape (threads, registers, shared memory) of its launches, in order of
 * first launches. Labels: workload, kernel, limit (of resident_limits.def). A note has the number of launches whose
 * registers or shared memory are not known. WS_ENOTFOUND if that is so of all. The caller frees the frame. */
int ws_occupancy_table(ws_store *store, const ws_machine *machine, ws_frame **out);

/* Writes a line about the kernel's shape with most launches; nothing about a kernel without a row. */
void ws_occupancy_remark(const ws_frame *frame, const char *machine, const char *workload, const char *kernel,
                         FILE *out);

#endif
