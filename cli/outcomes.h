/* outcomes.h - frames of `warpscape sim` as outcomes of workloads: levels, and changes from one machine to another. */
#ifndef WS_OUTCOMES_H
#define WS_OUTCOMES_H

#include "base/frame.h"

#include <stdbool.h>

/* Does the frame come from `warpscape sim`: a row a launch, and one `total` behind those of a workload? */
bool ws_outcomes_simulated(const ws_frame *frame);

/* One row a workload of such a frame: its row `total`, or its only launch; label workload. A rate that has nothing to
 * divide by counts as 0. WS_EINPUT names a workload that was not simulated to its end. The caller frees *out. */
int ws_outcomes_workloads(const ws_frame *frame, const char *name, ws_frame **out);

/* The columns of a simulation that levels are judged by (docs/statistics.md), as a list for --columns. */
extern const char ws_outcomes_levels[];

/* Adds to *frame a column of the group `change`: for each row its `column` over that of the row with the same name in
 * `changed`, such as a speedup from cycles. `name` and `changed_name` are what messages call them, and the latter names
 * the new column. WS_EINPUT: rows that do not meet, a column that is not there, a value of 0. On failure *frame is
 * unchanged. */
int ws_outcomes_add_change(ws_frame **frame, const double *before, const char *name, const ws_frame *changed,
                           const char *changed_name, const char *column);

/* The values of a column, one a row. WS_EINPUT when it is not there, WS_EMEM. The caller frees *out. */
int ws_outcomes_column(const ws_frame *frame, const char *name, const char *column, double **out);

#endif
