/* stability.h - would the same rows stand for all if other characteristics had been measured?
 *
 * The bootstrap (Efron 1979) over columns: draw as many columns as there are, with replacement, and do everything
 * again: components, tree, cut, representatives. What comes out in most draws does not hang on single columns. */
#ifndef WS_STABILITY_H
#define WS_STABILITY_H

#include "cluster/cluster.h"

#include <stdint.h>

/* From characteristics to the points that are clustered, such as principal components. Called by several threads at
 * once. Names of columns may repeat. */
typedef int ws_reduction(const ws_frame *features, void *context, ws_frame **points);

typedef struct ws_stability_request {
    ws_linkage linkage;
    const size_t *size; /* [sizes] of subsets */
    size_t sizes, draws;
    uint64_t seed;
    unsigned workers; /* threads, 0: one per processor; the result does not depend on it */
    ws_reduction *reduce;
    void *context;
} ws_stability_request;

typedef struct ws_stability {
    ws_frame *rows; /* labels size and those of the features; columns member (0 or 1), cluster, chosen (share of draws
                       in which the row is a representative), covered (... in which a row of its cluster is one) */
    ws_frame
        *sizes; /* label size; columns kept (mean share of the representatives that are chosen again),
                   adjusted_rand (mean over draws, between the cuts), adjusted_rand_low (a tenth of draws is below) */
} ws_stability;

/* Only columns that vary are drawn. `name` is what messages call the features. WS_EINPUT: no draws, a size that is not
 * in 1..rows, missing values; WS_ENUMERIC: no column varies; what reduce gives; WS_EMEM. The caller frees *out with
 * ws_stability_fini. */
int ws_stability_run(const ws_frame *features, const char *name, const ws_stability_request *request,
                     ws_stability *out);
void ws_stability_fini(ws_stability *stability);

#endif
