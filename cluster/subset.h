/* subset.h - selection of a few representative rows, its savings and its error. */
#ifndef WS_SUBSET_H
#define WS_SUBSET_H

#include "cluster/method.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct ws_subset_request {
    ws_method method;
    const size_t *size; /* [sizes] numbers of members */
    size_t sizes;
    const double *cost; /* [rows] cost of each row (seconds of simulation, instructions); NULL: equal costs */
    uint64_t seed;      /* for random methods, and draws */
    double budget; /* more than 0: one subset, the largest whose members cost no more (draws: are expected to), in the
                      unit of cost; then sizes is 0 */
    const bool *required, *excluded; /* [rows] rows that must be members, and that must not; NULL: none */
    const double *importance; /* [rows] how much each row counts in means of all, 0 or more; NULL: all the same */
    const ws_frame *outcomes; /* of the base machine, rows in the order of the features; or NULL */
    bool draw;                /* draw members by outcomes (drawing.h) instead of the method */
} ws_subset_request;

/* Returns one row per size. Labels: size, method, members and weights. members: names separated by spaces, in the order
 * of the clusters' lowest rows, with spaces and '%' in a name percent-encoded. weights: rows represented by each
 * member, fractional for support points, 1 / chance for drawn members, whose method is "draw". Column speedup: cost of
 * all rows / cost of the members. With outcomes, column base_error: |mean over members - mean over all rows| / |mean
 * over all rows|, averaged over the outcomes. `name` is the name of the features in messages. A note "caution: ..."
 * warns of a cluster with more than half of all rows, of clusters without structure (silhouette below 0.25), or of
 * drawn members without the excluded rows. WS_EINPUT: a size of 0 or above the number of rows, a negative or missing
 * cost, members of zero cost, a budget below every subset; else as in ws_cluster_build and drawing.h. The caller frees
 * *out. */
int ws_subset_run(const ws_frame *features, const char *name, const ws_subset_request *request, ws_frame **out);

/* Sets cost[i] of each row of `rows` from a column of another frame, matched by row name. `what`, such as "cost", names
 * the value in messages. WS_EINPUT if the column or a row is missing, or if two rows of `costs` have the name. */
int ws_subset_cost(const ws_frame *rows, const ws_frame *costs, const char *costs_name, const char *column,
                   const char *what, double *cost);

/* Weights of the mean over members. */
typedef enum ws_member_weights {
    WS_WEIGHTS_METHOD, /* the method's own choice: see ws_method_weighted */
    WS_WEIGHTS_EQUAL,
    WS_WEIGHTS_SIZE /* the weights in the subset's frame */
} ws_member_weights;

/* Group of columns that are ratios of two outcomes, such as speedups; their errors are averaged separately. */
#define WS_GROUP_CHANGE "change"

typedef struct ws_evaluation {
    const char *by; /* label column whose values (machine configurations) are evaluated separately, after which errors
                       are averaged; the other labels name a row. NULL: all rows together */
    ws_member_weights weights;
    size_t random; /* number of random subsets of each size to compare with; 0: none */
    uint64_t seed;
    const double *importance; /* [rows of the metrics] how much each row counts in means of all; NULL: all the same */
    const ws_frame *base;  /* the same rows on a base machine: judge estimates (estimation.h), not means; NULL: means */
    const char *base_name; /* in messages */
} ws_evaluation;

/* Confidence of judged intervals. */
#define WS_JUDGED_CONFIDENCE 0.95

/* Computes the error of each metric's mean over a subset's members, relative to its mean over all rows:
 * |mean(subset) - mean(all)| / |mean(all)|, a ratio. If the mean of all is 0, the error is 0 for a subset mean of 0,
 * else missing. Returns one row per row of the frames of ws_subset_run. Labels: subset (the frame's name) and method.
 * Columns: size, one per metric, and `average` over the metrics. With columns of the group WS_GROUP_CHANGE, `changes`
 * is their average, and `average` excludes them. With `random` there are further columns. `percentile` is the share in
 * % of random subsets of that size, with equal weights, whose average is lower; equal averages count half. `random` is
 * the mean of their averages. `random_low` and `random_high` have a tenth below and above. The same columns exist for
 * changes. With a base there are `covered`, the share of metrics and changes whose interval contains the mean of all
 * rows, and `half_width`, the mean of half its width over the mean of all rows; and a metric or change that the base
 * lacks is estimated from the members alone. WS_EINPUT: other frames, members missing from `metrics`, duplicate row
 * names, missing values. The caller frees *out. */
int ws_subset_evaluate(const ws_frame *metrics, const char *name, const ws_frame *const *subset,
                       const char *const *subset_name, size_t subsets, const ws_evaluation *evaluation, ws_frame **out);

/* Selects on all machines but one and evaluates on that one. For each size and each value of `by`: the subset of that
 * size with the least average error over the other values, and its error there. Labels: size, the label `by` (the value
 * left out), subset, method. Columns: other (error on the others), average, and with changes `changes`. WS_EINPUT as
 * above, and for fewer than two values of `by`. The caller frees *out. */
int ws_subset_leave_one_out(const ws_frame *metrics, const char *name, const ws_frame *const *subset,
                            const char *const *subset_name, size_t subsets, const ws_evaluation *evaluation,
                            ws_frame **out);

#endif
