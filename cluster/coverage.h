/* coverage.h - coverage of a suite: novelty of new rows, and gaps among existing ones. */
#ifndef WS_COVERAGE_H
#define WS_COVERAGE_H

#include "base/frame.h"

#include <stdint.h>

/* Compares each row of `placed` with the rows of `points`; both have the same columns (components of `points`). Labels:
 * row and nearest, the most similar row. Columns: distance to it, and percentile, the share in % of the rows of
 * `points` whose nearest neighbour is nearer than that (equal ones count half). At 100 the row is farther from all rows
 * than any of these is from its neighbour. WS_EINPUT: different columns, fewer than two points; WS_EMEM. `name` is the
 * name of the points in messages. The caller frees *out. */
int ws_coverage_place(const ws_frame *points, const char *name, const ws_frame *placed, ws_frame **out);

/* Finds the `holes` widest gaps among the points, widest first. Candidates are 20,000 places between rows, drawn with
 * the seed: means of two to four rows with random weights. Each gap is the candidate farthest from all rows and earlier
 * gaps. Labels: hole and nearest. Columns: radius, the distance to the nearest row; widths, the same divided by the
 * median nearest-neighbour distance of rows; then the place in the columns of `points`. WS_EINPUT as above; WS_EMEM.
 * The caller frees *out. */
int ws_coverage_holes(const ws_frame *points, const char *name, size_t holes, uint64_t seed, ws_frame **out);

enum { WS_COVERAGE_LEAD = 2 }; /* columns of a hole before its place */

#endif
