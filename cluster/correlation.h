/* correlation.h - clustering of the columns of a frame by correlation.
 *
 * The distance of two columns is 1 - |r|, with r their product-moment correlation (K. Pearson, 1895). It is 0 when one
 * is a linear function of the other, rising or falling, and 1 when they are uncorrelated. With complete linkage, all
 * columns joined at height h correlate by at least 1 - h in magnitude. Linkages that need squares (ward) use the square
 * of 1 - |r|, as R's ward.D2 does with any distance. */
#ifndef WS_CORRELATION_H
#define WS_CORRELATION_H

#include "cluster/cluster.h"

/* Returns the distances of all pairs of columns, condensed as in R's dist: (0,1), (0,2) ... (1,2) .... Differences
 * below 1e-12, which are rounding errors, become 0. WS_EINPUT: fewer than two columns, a constant column, or a missing
 * value; WS_ELIMIT, WS_EMEM. The caller frees *out with free(). */
int ws_correlation_distances(const ws_frame *frame, double **out);

/* Builds the tree whose leaves are the columns. `distance`: from ws_correlation_distances. WS_EMEM. The caller frees
 * *out. */
int ws_correlation_tree(const double *distance, size_t columns, ws_linkage linkage, ws_tree **out);

/* Returns one row per column of the frame for a cut into k (1 to the number of columns). Columns: the cluster, and
 * representative, 1 for the column of each cluster with the least mean distance to the others (the first of equals).
 * Label "column". WS_EMEM. The caller frees *out. */
int ws_correlation_groups(const ws_frame *frame, const double *distance, const ws_tree *tree, size_t k, ws_frame **out);

#endif
