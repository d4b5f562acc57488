/* roofline_table.h - frame of rooflines of the launches, kernels or workloads of a results file; the report draws it
 * (plots/figure_roofline.c). */
#ifndef WS_ROOFLINE_TABLE_H
#define WS_ROOFLINE_TABLE_H

#include "base/frame.h"
#include "metrics/store/store.h"
#include "model/mechanism/roofline/roofline.h"

typedef struct ws_roofline_column {
    const char *name, *unit, *meaning;
} ws_roofline_column;

/* Columns of roofline_columns.def; the list ends with a NULL name. */
extern const ws_roofline_column ws_roofline_columns[];

/* Makes a row for each launch, kernel or workload with complete counts; a note gives the number of others. Labels:
 * workload, kernel (launch), bound (the tightest one, a name of ceilings.def). Columns: roofline_columns.def. Notes
 * "roof: NAME UNIT RATE WORD" carry the roofs, in 1e9 per second. WS_ENOTFOUND if no launch has complete counts. The
 * caller frees *out. */
int ws_roofline_table(ws_store *store, const ws_roofline *roofline, ws_per per, ws_frame **out);

/* Makes a frame of the machine's roofs: label roof; columns rate (1e9 per second), cycle (per core cycle). The caller
 * frees *out. */
int ws_roofline_roofs(const ws_roofline *roofline, ws_frame **out);

#endif
