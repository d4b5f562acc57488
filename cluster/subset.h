/* subset.h - which few rows can stand for all of them, what does that save, and how wrong is it? */
#ifndef WS_SUBSET_H
#define WS_SUBSET_H

#include "cluster/method.h"

#include <stdint.h>

typedef struct ws_subset_request {
    ws_method method;
    const size_t *size; /* [sizes] numbers of members */
    size_t sizes;
    const double *cost; /* [rows] what each row costs (seconds of simulation, instructions); NULL: each the same */
    uint64_t seed;      /* for methods that draw */
} ws_subset_request;

/* One row a size. Labels size, method, members (names, separated by blanks, in order of the
 * clusters' lowest rows; blanks and '%' in a name are percent-encoded) and weights (rows that each member stands for;
 * of support points no whole numbers). Column speedup: cost of all rows / cost of the members. `name` is what messages
 * call the features. A note "caution: ..." says when one cluster has more than half of all rows, or the clusters no
 * shape (silhouette below 0.25). WS_EINPUT: a size of 0 or above the number of rows, a cost that is negative or
 * missing, members that cost nothing; else as ws_cluster_build. The caller frees *out. */
int ws_subset_run(const ws_frame *features, const char *name, const ws_subset_request *request, ws_frame **out);

/* cost[i] of each row of `rows` from the column of another frame, matched by the rows' names. WS_EINPUT when the column
 * or a row is not there, or two rows of `costs` have the name. */
int ws_subset_cost(const ws_frame *rows, const ws_frame *costs, const char *costs_name, const char *column,
                   double *cost);

/* Weights of the mean over members. */
typedef enum ws_member_weights {
    WS_WEIGHTS_METHOD, /* what the method of the subset is made for: see ws_method_weighted */
    WS_WEIGHTS_EQUAL,
    WS_WEIGHTS_SIZE /* the weights in the subset's frame */
} ws_member_weights;

/* The group of columns that are ratios of two outcomes, such as speedups; their errors are averaged apart. */
#define WS_GROUP_CHANGE "change"

typedef struct ws_evaluation {
    const char *by; /* label column whose values (machine configurations) are judged one by one, errors then averaged;
                       the other labels name a row. NULL: all rows at once */
    ws_member_weights weights;
    size_t random; /* subsets drawn at random of each size, to compare with; 0: none */
    uint64_t seed;
} ws_evaluation;

/* How far is the mean of each metric over a subset's members from its mean over all rows? The error of a metric is
 * |mean(subset) - mean(all)| / |mean(all)|, a ratio; where the mean of all is 0, 0 if the subset's is 0 too, else
 * missing. One row for each row of the frames of ws_subset_run; labels subset (the frame's name) and method; columns
 * size, one for each metric, and `average` over the metrics; with columns of the group WS_GROUP_CHANGE also `changes`,
 * the average over those, which then are no part of the other. With `random` further `percentile`: the share, in %, of
 * random subsets of that size, members equal, whose average is lower (of those as low, half), `random`, the mean of
 * their averages, and `random_low` and `random_high`, which a tenth is below and above; of the changes likewise.
 * WS_EINPUT: not such frames, members that `metrics` does not have, rows of one name, values missing. The caller frees
 * *out. */
int ws_subset_evaluate(const ws_frame *metrics, const char *name, const ws_frame *const *subset,
                       const char *const *subset_name, size_t subsets, const ws_evaluation *evaluation, ws_frame **out);

/* Chosen on other machines, judged on one: for each size and each value of `by`, the subset of that size with the least
 * average error over the other values, and its error there. Labels size, the label `by` (what was left out), subset,
 * method; columns other (error on the others), average, and with changes `changes`. WS_EINPUT as above, and fewer than
 * two values of `by`. The caller frees *out. */
int ws_subset_leave_one_out(const ws_frame *metrics, const char *name, const ws_frame *const *subset,
                            const char *const *subset_name, size_t subsets, const ws_evaluation *evaluation,
                            ws_frame **out);

#endif
