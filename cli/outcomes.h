/* outcomes.h - frames of `warpscape sim` as outcomes of workloads: levels, and changes between machines. */
#ifndef WS_OUTCOMES_H
#define WS_OUTCOMES_H

#include "base/frame.h"

#include <stdbool.h>

/* Returns whether the frame comes from `warpscape sim`: one row per launch, and a row `total` at the end of each
 * workload. */
bool ws_outcomes_simulated(const ws_frame *frame);

/* Returns one row per workload of such a frame: its row `total`, or its only launch; label workload. A rate with a zero
 * denominator counts as 0. WS_EINPUT names an incompletely simulated workload. The caller frees *out. */
int ws_outcomes_workloads(const ws_frame *frame, const char *name, ws_frame **out);

/* Loads a frame with all its columns; if it comes from `warpscape sim`, with one row per workload. Sets *simulated,
 * unless NULL. The caller frees *out. */
int ws_outcomes_load(const char *path, bool *simulated, ws_frame **out);

/* Sets *out to how much each row counts, from FILE:COLUMN, rows matched by name. `option` names the option in messages.
 * WS_EINPUT: no such file, column or row, a value below 0, only zeros. The caller frees *out. */
int ws_outcomes_importance(const ws_frame *rows, const char *from, const char *option, double **out);

/* Note of a subset that was selected with an importance; FILE:COLUMN follows. */
#define WS_OUTCOMES_IMPORTANCE "importance: "

/* Returns the name of a machine from the path of its frame: "runs/sms60.csv" is sms60. The caller frees it; NULL when
 * memory is short. */
char *ws_outcomes_machine(const char *path);

/* Simulated columns used to evaluate levels (docs/statistics.md), as a list for --columns. */
extern const char ws_outcomes_levels[];

/* Adds to *frame a column of the group `change`, such as a speedup from cycles. Its values are each row's `column`
 * divided by that of the row of the same name in `changed`. `name` and `changed_name` are the frames' names in
 * messages; the latter also names the new column. WS_EINPUT: unmatched rows, a missing column, a value of 0. On failure
 * *frame is unchanged. */
int ws_outcomes_add_change(ws_frame **frame, const double *before, const char *name, const ws_frame *changed,
                           const char *changed_name, const char *column);

/* Returns the values of a column, one per row. WS_EINPUT for a missing column, WS_EMEM. The caller frees *out. */
int ws_outcomes_column(const ws_frame *frame, const char *name, const char *column, double **out);

#endif
