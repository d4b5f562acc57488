/* subset.h - which few rows can stand for all of them, what does that save, and how wrong is it? */
#ifndef WS_SUBSET_H
#define WS_SUBSET_H

#include "cluster/cluster.h"

#include <stdbool.h>

typedef struct ws_subset_request {
    ws_linkage linkage;
    const size_t *size; /* [sizes] numbers of clusters to cut into */
    size_t sizes;
    const double *cost; /* [rows] what each row costs (seconds of simulation, instructions); NULL: each the same */
} ws_subset_request;

/* One row a size. Labels size, linkage, members (names of the representatives, separated by blanks, in order of the
 * clusters' lowest rows; blanks and '%' in a name are percent-encoded) and weights (rows that each member stands for).
 * Column speedup: cost of all rows / cost of the members. `name` is what messages call the features.
 * WS_EINPUT: a size of 0 or above the number of rows, a cost that is negative or missing, members that cost nothing;
 * else as ws_cluster_build. The caller frees *out. */
int ws_subset_run(const ws_frame *features, const char *name, const ws_subset_request *request, ws_frame **out);

/* cost[i] of each row of `rows` from the column of another frame, matched by the rows' names. WS_EINPUT when the column
 * or a row is not there, or two rows of `costs` have the name. */
int ws_subset_cost(const ws_frame *rows, const ws_frame *costs, const char *costs_name, const char *column,
                   double *cost);

typedef struct ws_evaluation {
    const char *by; /* label column whose values (machine configurations) are judged one by one, errors then averaged;
                       the other labels name a row. NULL: all rows at once */
    bool weighted;  /* weigh a member by the rows it stands for; else all members the same */
} ws_evaluation;

/* How far is the mean of each metric over a subset's members from its mean over all rows? The error of a metric is
 * |mean(subset) - mean(all)| / |mean(all)|, a ratio; where the mean of all is 0, 0 if the subset's is 0 too, else
 * missing. One row for each row of the frames of ws_subset_run; labels subset (the frame's name) and linkage; columns
 * size, one for each metric, and average over the metrics. WS_EINPUT: not such frames, members that `metrics` does not
 * have, rows of one name, values missing. The caller frees *out. */
int ws_subset_evaluate(const ws_frame *metrics, const char *name, const ws_frame *const *subset,
                       const char *const *subset_name, size_t subsets, const ws_evaluation *evaluation, ws_frame **out);

#endif
