/* description.h - columns in which the rows of a cluster differ from all rows. */
#ifndef WS_DESCRIPTION_H
#define WS_DESCRIPTION_H

#include "base/frame.h"

/* Tests the mean of each column in each cluster against its mean over all N rows (Lebart, Piron and Morineau,
 * Statistique exploratoire multidimensionnelle, 2006; catdes of FactoMineR: Husson, Le and Pages, Exploratory
 * Multivariate Analysis by Example Using R, 2011, chapter 3). For a cluster of n rows
 *
 *     v = (mean of the cluster - mean of all) / sqrt(s2 / n * (N - n) / (N - 1)),   s2 = sum((x - mean of all)^2) / N,
 *
 * the deviation of the mean of n rows drawn without replacement, which is near normal for large n.
 *
 * cluster[i] in 1..k is the cluster of row i of `frame`, whose values are finite; each number is used, and k is at
 * least 2. Returns a row for each column and cluster with p <= level, by cluster and then by falling |v|; of equal ones
 * the first column first. Label: column. Columns: cluster, size (rows of the cluster), v, p (two-sided, of a standard
 * normal v), mean and sd in the cluster, mean_all and sd_all; deviations have the number of rows in the denominator.
 * Notes list constant columns, which have no v, and clusters without a row. WS_EINPUT (k is 1), WS_EMEM. The caller
 * frees *out. */
int ws_description_frame(const ws_frame *frame, const size_t *cluster, size_t k, double level, ws_frame **out);

#endif
