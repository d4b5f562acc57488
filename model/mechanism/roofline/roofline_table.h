/* roofline_table.h - rooflines of launches, kernels or workloads of a results file as a frame; the report may draw it
 * (plots/figure_roofline.c). */
#ifndef WS_ROOFLINE_TABLE_H
#define WS_ROOFLINE_TABLE_H

#include "base/frame.h"
#include "metrics/store/store.h"
#include "model/mechanism/roofline/roofline.h"

typedef struct ws_roofline_column {
    const char *name, *unit, *meaning;
} ws_roofline_column;

/* The columns of roofline_columns.def; a NULL name behind the last. */
extern const ws_roofline_column ws_roofline_columns[];

/* A row for each launch, kernel or workload that has every count; a note says of how many that is not so. Labels:
 * workload, kernel (launch), bound (what holds it back most, a name of ceilings.def). Columns: roofline_columns.def.
 * Notes "roof: NAME UNIT RATE WORD" carry the roofs, in 1e9 a second. WS_ENOTFOUND when no launch has every count. The
 * caller frees *out. */
int ws_roofline_table(ws_store *store, const ws_roofline *roofline, ws_per per, ws_frame **out);

/* The roofs of the machine: label roof; columns rate (1e9 a second), cycle (of a core cycle). The caller frees *out. */
int ws_roofline_roofs(const ws_roofline *roofline, ws_frame **out);

#endif
