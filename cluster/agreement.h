/* agreement.h - do two views of the same rows say the same: two cuts, two sets of distances, two subsets? */
#ifndef WS_AGREEMENT_H
#define WS_AGREEMENT_H

#include "cluster/cluster.h"

#include <stdint.h>

/* Adjusted Rand index (Hubert and Arabie 1985) of two partitions of the same rows, clusters numbered from 1 on: 1 for
 * the same partition whatever its numbers, 0 on average for partitions by chance, below 0 for less than that. Two that
 * both leave all rows apart, or together, are the same: 1. WS_EMEM. */
int ws_adjusted_rand(const size_t *a, const size_t *b, size_t rows, double *index);

/* Correlation over all pairs of rows of their distances among the points a and among the points b, and how probable one
 * at least as high is when the rows of b are shuffled (Mantel 1967): (1 + higher) / (1 + permutations), drawn with the
 * seed. Both are NaN when either has all pairs equally far apart; *probability may be NULL, or permutations 0 (then it
 * is NaN). At least two rows. WS_EMEM, and what distances fail with. */
int ws_distance_agreement(const double *a, size_t a_columns, const double *b, size_t b_columns, size_t rows,
                          size_t permutations, uint64_t seed, double *correlation, double *probability);

/* Members that two subsets have in common; each is a list of distinct rows. */
size_t ws_members_shared(const size_t *a, size_t a_members, const size_t *b, size_t b_members);

typedef struct ws_view {
    const char *name;
    const ws_frame *points; /* all views: the same rows in the same order */
    ws_linkage linkage;
} ws_view;

typedef struct ws_agreement_request {
    const size_t *size; /* numbers of clusters to cut into */
    size_t sizes, permutations;
    uint64_t seed;
} ws_agreement_request;

/* A row for each pair of views and each size: labels first, second (NAME LINKAGE) and size; columns adjusted_rand (of
 * the cuts), members (share of the representatives in common), distances, probability. WS_EINPUT for a size that is not
 * in 1..rows; else as above. The caller frees *out. */
int ws_agreement_frame(const ws_view *view, size_t views, const ws_agreement_request *request, ws_frame **out);

#endif
