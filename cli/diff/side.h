/* side.h - one side of a comparison: a frame of kernels, from wherever it is named. */
#ifndef WS_SIDE_H
#define WS_SIDE_H

#include "base/frame.h"

/* Loads what `name` says: a results file (FILE, or FILE:WORKLOAD), a frame (a CSV file, or - for the standard input),
 * or a workload of the results file `db`. Of results files the metrics of `set` by kernel. WS_ENOTFOUND, WS_EINPUT. */
int ws_side_load(const char *name, const char *db, const char *set, ws_frame **out);

#endif
