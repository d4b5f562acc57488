/* coverage.h - what does a suite cover: is a new row like one that is there, and where is there none? */
#ifndef WS_COVERAGE_H
#define WS_COVERAGE_H

#include "base/frame.h"

#include <stdint.h>

/* Each row of `placed` beside those of `points`, columns the same (components of the latter). Labels row and nearest,
 * the row that it is most like; columns distance, to it, and percentile: of the rows of `points`, the share in % whose
 * own nearest neighbour is nearer than that (as near: half). At 100 a row is farther from all others than any of
 * theirs: it brings something new. WS_EINPUT: columns that differ, fewer than two points; WS_EMEM. `name` is what
 * messages call the points. The caller frees *out. */
int ws_coverage_place(const ws_frame *points, const char *name, const ws_frame *placed, ws_frame **out);

/* The `holes` widest gaps among the points: places between rows (means of two to four of them with random weights) that
 * are farthest from all rows and from the gaps found before, widest first, of 20,000 drawn with the seed. Labels hole
 * and nearest; columns radius, the distance to the nearest row, widths, the same over the median distance of rows to
 * their nearest neighbours, then the place in the columns of `points`. WS_EINPUT as above; WS_EMEM. The caller frees
 * *out. */
int ws_coverage_holes(const ws_frame *points, const char *name, size_t holes, uint64_t seed, ws_frame **out);

enum { WS_COVERAGE_LEAD = 2 }; /* columns of holes before the place */

#endif
