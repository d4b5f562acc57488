/* correlation.h - which columns of a frame say the same?
 *
 * Two columns are 1 - |r| apart, r their product-moment correlation (K. Pearson, 1895): 0 when one follows from the
 * other by a straight line, rising or falling, 1 when they have nothing to do with each other. With complete linkage
 * all columns that have met at height h correlate by at least 1 - h in magnitude. Linkages that need squares (ward) are
 * given those of 1 - |r|, as R's ward.D2 does with any distance. */
#ifndef WS_CORRELATION_H
#define WS_CORRELATION_H

#include "cluster/cluster.h"

/* Pairs of columns, condensed as in R's dist: (0,1), (0,2) ... (1,2) .... Differences below 1e-12, which are rounding,
 * are 0. WS_EINPUT: fewer than two columns, a column that does not vary or lacks a value; WS_ELIMIT, WS_EMEM. The
 * caller frees *out with free(). */
int ws_correlation_distances(const ws_frame *frame, double **out);

/* Their tree: its leaves are the columns. `distance` is what ws_correlation_distances gave. WS_EMEM. The caller frees
 * *out. */
int ws_correlation_tree(const double *distance, size_t columns, ws_linkage linkage, ws_tree **out);

/* A row a column of the frame: its cluster when the tree is cut into k (1 to the number of columns), and
 * representative, 1 for the one of each cluster whose mean distance to the others is least (the first of equals); label
 * "column". WS_EMEM. The caller frees *out. */
int ws_correlation_groups(const ws_frame *frame, const double *distance, const ws_tree *tree, size_t k, ws_frame **out);

#endif
