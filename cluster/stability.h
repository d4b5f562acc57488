/* stability.h - sensitivity of the representatives to the set of measured characteristics.
 *
 * The bootstrap (Efron 1979) over columns: draw as many columns as the frame has, with replacement, and repeat the
 * analysis: components, clusters and members of subsets by a method. Results common to most draws do not depend on
 * single columns. */
#ifndef WS_STABILITY_H
#define WS_STABILITY_H

#include "cluster/method.h"

#include <stdint.h>

/* Maps characteristics to the points to cluster, such as principal components. Several threads call it concurrently.
 * Names of columns may repeat. */
typedef int ws_reduction(const ws_frame *features, void *context, ws_frame **points);

typedef struct ws_stability_request {
    ws_method method;
    const size_t *size; /* [sizes] of subsets */
    size_t sizes, draws;
    uint64_t seed;
    unsigned workers; /* threads, 0: one per processor; no effect on the result */
    ws_reduction *reduce;
    void *context;
} ws_stability_request;

typedef struct ws_stability {
    ws_frame
        *rows; /* labels size and the labels of the features; columns member (0 or 1), cluster, chosen (share of draws
                  in which the row is a member), covered (share of draws in which a row of its cluster is one) */
    ws_frame *sizes; /* label size; columns kept (mean share of the members chosen again), adjusted_rand (mean over
                        draws, between the cuts), adjusted_rand_low (the value that a tenth of the draws are below) */
} ws_stability;

/* Returns the usual number of draws for a frame of that many rows: 1000, at which a share has a standard error of at
 * most 0.016, and above 1000 rows as many as take the same time, but 100 at least (0.05). */
size_t ws_stability_draws(size_t rows);

/* Runs the bootstrap. A note of `rows` for each size and member gives the share of draws that choose it, and the other
 * rows of its cluster that are chosen most often: its alternatives. A note "exchangeable: ..." says if fewer than half
 * of the members are chosen again on average. The method's own random numbers have the seed. Only varying columns are
 * drawn. `name` is the name of the features in messages. WS_EINPUT: no draws, a size outside 1..rows, missing values;
 * WS_ENUMERIC: no column varies; the failures of reduce; WS_EMEM. The caller frees *out with ws_stability_fini. */
int ws_stability_run(const ws_frame *features, const char *name, const ws_stability_request *request,
                     ws_stability *out);
void ws_stability_fini(ws_stability *stability);

#endif
