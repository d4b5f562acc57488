/* side.h - one side of a comparison: a frame of kernels from any source. */
#ifndef WS_SIDE_H
#define WS_SIDE_H

#include "base/frame.h"

/* Loads the frame named by `name`: a results file (FILE, or FILE:WORKLOAD), a frame (a CSV file, or - for standard
 * input), or a workload of the results file `db`. From results files it takes the metrics of `set` by kernel.
 * WS_ENOTFOUND, WS_EINPUT. */
int ws_side_load(const char *name, const char *db, const char *set, ws_frame **out);

#endif
