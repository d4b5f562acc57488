/* agreement.h - agreement between two views of the same rows: cuts, distances, subsets. */
#ifndef WS_AGREEMENT_H
#define WS_AGREEMENT_H

#include "cluster/method.h"

#include <stdint.h>

/* Adjusted Rand index (Hubert and Arabie 1985) of two partitions of the same rows, with clusters numbered from 1. It is
 * 1 for equal partitions, whatever their numbers, and 0 on average for random ones; below 0 for worse agreement. Two
 * partitions that both separate all rows, or both join all rows, give 1. WS_EMEM. */
int ws_adjusted_rand(const size_t *a, const size_t *b, size_t rows, double *index);

/* Correlation, over all pairs of rows, of the distances in points a with those in points b. *probability is the
 * probability of at least this correlation when the rows of b are shuffled (Mantel 1967). It is (1 + higher) / (1 +
 * permutations), with permutations drawn with the seed. Both are NaN if all pairs of a or of b are equally far apart.
 * With permutations 0, *probability is NaN and may be NULL. Requires at least two rows. WS_EMEM, and the failures of
 * distances. */
int ws_distance_agreement(const double *a, size_t a_columns, const double *b, size_t b_columns, size_t rows,
                          size_t permutations, uint64_t seed, double *correlation, double *probability);

/* Returns the number of members shared by two subsets; each is a list of distinct rows. */
size_t ws_members_shared(const size_t *a, size_t a_members, const size_t *b, size_t b_members);

typedef struct ws_view {
    const char *name;
    const ws_frame *points; /* all views have the same rows in the same order */
    ws_method method;
} ws_view;

typedef struct ws_agreement_request {
    const size_t *size; /* numbers of clusters in the cuts */
    size_t sizes, permutations;
    uint64_t seed; /* of shuffles, and of methods with random numbers */
} ws_agreement_request;

/* Returns one row per pair of views and size. Labels: first, second (NAME METHOD) and size. Columns: adjusted_rand (of
 * the cuts), members (share of common representatives), distances, probability. WS_EINPUT for a size outside 1..rows;
 * else as above. The caller frees *out. */
int ws_agreement_frame(const ws_view *view, size_t views, const ws_agreement_request *request, ws_frame **out);

#endif
