/* quality.h - quality of a cut: compactness and separation of its clusters, and comparison with chance. */
#ifndef WS_QUALITY_H
#define WS_QUALITY_H

#include "cluster/cluster.h"

#include <stdint.h>

/* cluster[i] in 1..k, each number used; point[rows * columns]. */

/* Silhouette of every row (Rousseeuw 1987): (b - a) / max(a, b). a is the mean distance to the other members of its
 * cluster, b the mean distance to the nearest other cluster. A row well placed has 1, a misplaced one less than 0, the
 * only row of a cluster 0. *mean receives the mean of all rows; width may be NULL. k is at least 2. WS_EMEM. */
int ws_silhouette(const double *point, size_t rows, size_t columns, const size_t *cluster, size_t k, double *width,
                  double *mean);

/* mean[k - 2] = the mean silhouette of the cut of the tree into k clusters, for k = 2..most. WS_EMEM. */
int ws_tree_silhouettes(const ws_tree *tree, const double *point, size_t columns, size_t most, double *mean);

/* Sum of squared distances of the rows to the centroid of their cluster. WS_EMEM. */
int ws_within_squares(const double *point, size_t rows, size_t columns, const size_t *cluster, size_t k, double *sum);

/* member[c - 1] = the row of cluster c nearest to the cluster's centroid. Among rows equally near within one part in
 * 10^9, such as both of a cluster of two, the first. distance[i], unless NULL, receives each row's distance to its
 * centroid. WS_EMEM. */
int ws_representatives(const double *point, size_t rows, size_t columns, const size_t *cluster, size_t k,
                       size_t *member, double *distance);

/* Gap statistic for cuts into 1..most clusters (Tibshirani, Walther and Hastie 2001). It is the expected logarithm of
 * the within-cluster sum of squares minus the observed one. The expectation is for points spread evenly over the ranges
 * of the columns, from `references` >= 1 samples drawn with the seed. Sets gap[k - 1] and its standard error error[k -
 * 1], with the factor sqrt(1 + 1 / references). most is 1..rows - 1. NaN where all members of each cluster are equal.
 * WS_EMEM, and the failures of ws_cluster_build. */
int ws_gap_statistic(const double *point, size_t rows, size_t columns, ws_linkage linkage, size_t most,
                     size_t references, uint64_t seed, double *gap, double *error);

/* Tibshirani's choice: the least k in 1..most - 1 with gap(k) >= gap(k + 1) - error(k + 1), else most. gap[k - 1] and
 * error[k - 1] as above; a missing value never selects k. */
size_t ws_gap_choice(const double *gap, const double *error, size_t most);

/* Returns one row per cut into 2, 3 ... most clusters. Columns: clusters, silhouette, within, height (of the cut), and
 * with references > 0 gap and gap_error. Label: linkage. WS_EINPUT, WS_EMEM. The caller frees *out. */
int ws_quality_frame(const ws_frame *features, const ws_tree *tree, ws_linkage linkage, size_t most, size_t references,
                     uint64_t seed, ws_frame **out);

/* Returns one row per linkage. Column cophenetic: correlation of the tree. Columns silhouette_k and silhouette: the cut
 * into 2..most clusters with the highest mean silhouette, the fewest clusters of equal ones, and that value. With
 * references > 0, columns gap_k (Tibshirani's choice up to most) and gap (its gap). Label: linkage. WS_EINPUT, WS_EMEM.
 * The caller frees *out. */
int ws_choice_frame(const ws_frame *features, size_t most, size_t references, uint64_t seed, ws_frame **out);

/* Returns the rows for a cut into k. Columns: cluster, representative (0 or 1) and distance (to the centroid). Notes
 * "caution: ..." as in caution.h. WS_EMEM. */
int ws_assignment_frame(const ws_frame *features, const ws_tree *tree, size_t k, ws_frame **out);

#endif
