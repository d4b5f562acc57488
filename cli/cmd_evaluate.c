/* cmd_evaluate.c - `warpscape evaluate`: how wrong are the means of a subset? */
#include "cli/cli.h"
#include "cli/features.h"
#include "cli/outcomes.h"
#include "cluster/subset.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct request {
    const char *input;
    struct paths {
        const char **path;
        size_t count;
    } subset, changed; /* the first argument is none: it is the input */
    const char *change_of, *base, *importance;
    bool leave_one_out;
    ws_features features;
    ws_evaluation evaluation;
} request;

static const char *const weight_words[] = {"method", "equal", "size", NULL}; /* in the order of ws_member_weights */

/* There is room for all arguments of the command. */
static void take_path(const struct argp_state *state, void *member, char *text)
{
    struct paths *const to = member;
    (void)state;
    to->path[to->count++] = text;
}

static void check(const struct argp_state *state, const void *asked)
{
    const request *const r = asked;
    if (r->subset.count < 2)
        argp_error(state, "which frame of metrics, and which subsets? (- reads one of them from standard input)");
    if (r->leave_one_out && !r->evaluation.by)
        argp_error(state, "--leave-one-out needs --by, the column to leave out by");
    if (r->leave_one_out && r->evaluation.random)
        argp_error(state, "--leave-one-out compares subsets with each other; --random does not apply");
    if (r->evaluation.by && r->importance)
        argp_error(state, "--importance weighs the rows of one machine; --by does not apply");
    if (r->evaluation.by && r->changed.count)
        argp_error(state, "--changed compares two machines; --by does not apply");
}

static const ws_option_row option_rows[] = {
    WS_ARGUMENTS(request, subset, take_path, NULL),
    WS_OPTION_GROUP(1),
    WS_OPTION_TEXT("by", 0, "LABEL", request, evaluation.by,
                   "Judge the rows of each value of this text column separately, such as those of one machine "
                   "configuration, and average the errors"),
    WS_OPTION_WORD("weights", 0, "W", request, evaluation.weights, weight_words,
                   "Mean over the members: equal, size for members weighted by the rows they represent, or method for "
                   "the mean of the subset's method [method]"),
    WS_OPTION_GROUP(2),
    WS_OPTION_NUMBER("random", 0, "N", request, evaluation.random, 0, 10000000,
                     "Rank the error among those of N random subsets of the same size [0]"),
    WS_OPTION_NUMBER("seed", 0, "N", request, evaluation.seed, 0, UINT64_MAX, "Seed of the random subsets [1]"),
    WS_OPTION_GROUP(3),
    WS_OPTION_TAKE(
        "changed", 0, "FILE", request, changed, take_path,
        "The same rows on another machine: also judge the change to it, averaged separately; may be repeated"),
    WS_OPTION_TEXT("change-of", 0, "COLUMN", request, change_of,
                   "Quantity of the change: FRAME's value over that of FILE [cycles]"),
    WS_OPTION_TEXT("importance", 0, "FILE:COLUMN", request, importance,
                   "Weight of each row in means of all, as for the subset, rows matched by name [equal for all rows]"),
    WS_OPTION_TEXT(
        "base", 0, "FILE", request, base,
        "The same rows on a machine with known outcomes of all: judge the estimates and intervals of `warpscape "
        "estimate' from the members and this base, instead of the mean of the members"),
    WS_OPTION_GROUP(4),
    WS_OPTION_FLAG("leave-one-out", 0, request, leave_one_out,
                   "For each size choose the best subset on all values of --by but one, and judge it on that one"),
    WS_FEATURES_OPTIONS(request, features),
    {0},
};

static const ws_options options = {
    .rows = option_rows,
    .check = check,
    .args_doc = "FRAME|- SUBSET...",
    .doc = "Error of subsets: difference of the mean of each metric over the members from its mean over all rows, as a "
           "fraction of the latter.\vFRAME has metrics that were not used to choose the subset, such as activity "
           "factor or speedup, for every row that a subset was chosen from. SUBSET is the output of `warpscape "
           "subset'. The output has one line for each subset: its size, the error of each metric and their average. Of "
           "a frame of `warpscape sim' the workloads are used, and by default their IPC, stalls, latencies, misses and "
           "use of memory.\n\nExample:\n  warpscape suite run --scale tiny BFS HS MM MT NW\n  warpscape metrics | "
           "warpscape pca - > scores.csv\n  warpscape subset scores.csv --sizes 2 > subset.csv\n  warpscape sim -c "
           "gtsc --suite --scale tiny BFS HS MM MT NW > base.csv\n  warpscape sim -c rtx2060 --suite --scale tiny BFS "
           "HS MM MT NW > faster.csv\n  warpscape evaluate base.csv --changed faster.csv --random 1000 subset.csv",
};

static int check_streams(const request *r)
{
    size_t streams = (strcmp(r->input, "-") == 0) + (r->base && strcmp(r->base, "-") == 0);
    for (size_t i = 0; i < r->subset.count; i++)
        streams += strcmp(r->subset.path[i], "-") == 0;
    for (size_t i = 0; i < r->changed.count; i++)
        streams += strcmp(r->changed.path[i], "-") == 0;
    return streams > 1 ? ws_fail(WS_MISUSED, "standard input holds one frame; '-' was given %zu times", streams)
                       : WS_OK;
}

static int add_changes(const request *r, const double *before, ws_frame **metrics)
{
    int rc = WS_OK;
    for (size_t i = 0; rc == WS_OK && i < r->changed.count; i++) {
        ws_frame *changed = NULL;
        bool simulated;
        rc = ws_outcomes_load(r->changed.path[i], &simulated, &changed);
        if (rc == WS_OK)
            rc = ws_outcomes_add_change(metrics, before, ws_features_name(r->input), changed,
                                        ws_features_name(r->changed.path[i]), r->change_of);
        ws_frame_destroy(changed);
    }
    return rc;
}

static int load_metrics(request *r, ws_frame **out)
{
    ws_frame *all = NULL;
    double *before = NULL;
    bool simulated = false;
    int rc = ws_outcomes_load(r->input, &simulated, &all);
    if (rc == WS_OK && r->changed.count)
        rc = ws_outcomes_column(all, ws_features_name(r->input), r->change_of, &before);
    if (simulated && !r->features.columns)
        r->features.columns = ws_outcomes_levels;
    if (rc == WS_OK)
        rc = ws_features_pick(r->input, &r->features, all, out);
    if (rc == WS_OK)
        rc = ws_features_clean(r->input, &r->features, out);
    if (rc == WS_OK && r->changed.count && (*out)->rows != all->rows)
        rc =
            ws_fail(WS_MISUSED, "--missing rows and --changed exclude each other: both frames must have the same rows");
    if (rc == WS_OK)
        rc = add_changes(r, before, out);
    free(before);
    ws_frame_destroy(all);
    return rc;
}

static int print_errors(const request *r, const ws_frame *metrics, const ws_frame *const *subset, int argc, char **argv)
{
    ws_frame *errors = NULL;
    const char *const name = ws_features_name(r->input);
    int rc =
        r->leave_one_out
            ? ws_subset_leave_one_out(metrics, name, subset, r->subset.path, r->subset.count, &r->evaluation, &errors)
            : ws_subset_evaluate(metrics, name, subset, r->subset.path, r->subset.count, &r->evaluation, &errors);
    if (rc == WS_OK)
        rc = ws_features_print(errors, argc, argv);
    ws_frame_destroy(errors);
    return rc;
}

WS_COMMAND(evaluate)
{
    const char **const paths = calloc(2 * (size_t)argc, sizeof *paths);
    if (!paths)
        return ws_fail(WS_EMEM, "no memory for a list of files");
    request r = {.subset = {paths, 0}, .changed = {paths + argc, 0}, .change_of = "cycles", .evaluation = {.seed = 1}};
    ws_options_parse(&options, argc, argv, &r);
    r.input = *r.subset.path++;
    r.subset.count--;
    ws_frame *metrics = NULL, *base = NULL, **subset = calloc(r.subset.count, sizeof *subset);
    int rc = subset ? check_streams(&r) : ws_fail(WS_EMEM, "no memory for a list of frames");
    if (rc == WS_OK)
        rc = load_metrics(&r, &metrics);
    double *importance = NULL;
    if (rc == WS_OK && r.importance)
        rc = ws_outcomes_importance(metrics, r.importance, "--importance", &importance);
    r.evaluation.importance = importance;
    if (rc == WS_OK && r.base) {
        rc = ws_outcomes_load(r.base, NULL, &base);
        r.evaluation.base = base;
        r.evaluation.base_name = ws_features_name(r.base);
    }
    for (size_t i = 0; rc == WS_OK && i < r.subset.count; i++) {
        rc = ws_frame_load(r.subset.path[i], &subset[i]);
        r.subset.path[i] = ws_features_name(r.subset.path[i]);
    }
    if (rc == WS_OK)
        rc = print_errors(&r, metrics, (const ws_frame *const *)subset, argc, argv);
    for (size_t i = 0; subset && i < r.subset.count; i++)
        ws_frame_destroy(subset[i]);
    free(subset);
    ws_frame_destroy(metrics);
    ws_frame_destroy(base);
    free(importance);
    free(paths);
    return rc;
}
