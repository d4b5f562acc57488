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
    const char **subset; /* paths */
    size_t subsets;
    const char **changed; /* paths of --changed */
    size_t changes;
    const char *change_of;
    bool leave_one_out;
    ws_features features;
    ws_evaluation evaluation;
} request;

enum { KEY_BY = 256, KEY_WEIGHTS, KEY_RANDOM, KEY_SEED, KEY_CHANGED, KEY_CHANGE_OF, KEY_LEAVE };

static const struct argp_option options[] = {
    {"by", KEY_BY, "LABEL", 0,
     "Judge the rows of each value of this text column by themselves, such as those of one machine configuration, and "
     "average the errors",
     1},
    {"weights", KEY_WEIGHTS, "W", 0,
     "Mean over the members: equal, size for members weighted by what they stand for, or method for what the method of "
     "the subset is "
     "made for [method]",
     1},
    {"random", KEY_RANDOM, "N", 0, "Say where the error stands among those of N random subsets of the same size [0]",
     2},
    {"seed", KEY_SEED, "N", 0, "Of the random subsets [1]", 2},
    {"changed", KEY_CHANGED, "FILE", 0,
     "The same rows on another machine: judge the change to it, too, averaged apart; may be repeated", 3},
    {"change-of", KEY_CHANGE_OF, "COLUMN", 0, "What changes: FRAME's value over that of FILE [cycles]", 3},
    {"leave-one-out", KEY_LEAVE, NULL, 0,
     "Of each size take the subset that is best on all values of --by but one, and judge it on that one", 4},
    {0},
};

static const char *const weight_words[] = {"method", "equal", "size", NULL}; /* in the order of ws_member_weights */

static error_t parse(int key, char *text, struct argp_state *state)
{
    request *const r = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &r->features;
        return 0;
    case KEY_BY:
        r->evaluation.by = text;
        return 0;
    case KEY_WEIGHTS:
        r->evaluation.weights = (ws_member_weights)ws_cli_choice(state, "--weights", text, weight_words);
        return 0;
    case KEY_RANDOM:
        r->evaluation.random = ws_cli_u64(state, "--random", text, 0, 10000000);
        return 0;
    case KEY_SEED:
        r->evaluation.seed = ws_cli_u64(state, "--seed", text, 0, UINT64_MAX);
        return 0;
    case KEY_CHANGED:
        r->changed[r->changes++] = text;
        return 0;
    case KEY_CHANGE_OF:
        r->change_of = text;
        return 0;
    case KEY_LEAVE:
        r->leave_one_out = true;
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num == 0)
            r->input = text;
        else
            r->subset[r->subsets++] = text;
        return 0;
    case ARGP_KEY_END:
        if (!r->subsets)
            argp_error(state, "which frame of metrics, and which subsets? (- reads one of them from standard input)");
        if (r->leave_one_out && !r->evaluation.by)
            argp_error(state, "--leave-one-out needs --by, which says what is left out");
        if (r->leave_one_out && r->evaluation.random)
            argp_error(state, "--leave-one-out compares subsets with each other; --random goes without it");
        if (r->evaluation.by && r->changes)
            argp_error(state, "--changed compares two machines; --by goes without it");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&ws_features_argp, 0, NULL, 0}, {0}};

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "FRAME|- SUBSET...",
    .doc = "Error of subsets: how far the mean of each metric over the members is from its mean over all rows, as a "
           "fraction of the latter.\v"
           "FRAME holds metrics that were not used to choose the subset, such as activity factor or speedup, for every "
           "row that a subset was chosen from. SUBSET is what `warpscape subset' prints. One line comes out for each "
           "subset: its size, the error of each metric and their average. Of a frame of `warpscape sim' the workloads "
           "are taken, "
           "and unless --columns says otherwise their IPC, stalls, latencies, misses and use of memory.\n\n"
           "Example:\n"
           "  warpscape suite run --scale tiny BFS HS MM MT NW\n"
           "  warpscape metrics | warpscape pca - > scores.csv\n"
           "  warpscape subset scores.csv --sizes 2 > subset.csv\n"
           "  warpscape sim -c gtsc --suite --scale tiny BFS HS MM MT NW > base.csv\n"
           "  warpscape sim -c rtx2060 --suite --scale tiny BFS HS MM MT NW > faster.csv\n"
           "  warpscape evaluate base.csv --changed faster.csv --random 1000 subset.csv",
    .children = children,
};

static int check_streams(const request *r)
{
    size_t streams = strcmp(r->input, "-") == 0;
    for (size_t i = 0; i < r->subsets; i++)
        streams += strcmp(r->subset[i], "-") == 0;
    for (size_t i = 0; i < r->changes; i++)
        streams += strcmp(r->changed[i], "-") == 0;
    return streams > 1 ? ws_fail(WS_MISUSED, "standard input holds one frame; '-' was given %zu times", streams)
                       : WS_OK;
}

/* A frame with all its columns, one row a workload when it comes from the simulator. */
static int load_rows(const char *path, bool *simulated, ws_frame **out)
{
    ws_frame *frame = NULL;
    int rc = ws_frame_load(path, &frame);
    if (rc != WS_OK)
        return rc;
    *simulated = ws_outcomes_simulated(frame);
    if (!*simulated) {
        *out = frame;
        return WS_OK;
    }
    rc = ws_outcomes_workloads(frame, ws_features_name(path), out);
    ws_frame_destroy(frame);
    return rc;
}

static int add_changes(const request *r, const double *before, ws_frame **metrics)
{
    int rc = WS_OK;
    for (size_t i = 0; rc == WS_OK && i < r->changes; i++) {
        ws_frame *changed = NULL;
        bool simulated;
        rc = load_rows(r->changed[i], &simulated, &changed);
        if (rc == WS_OK)
            rc = ws_outcomes_add_change(metrics, before, ws_features_name(r->input), changed,
                                        ws_features_name(r->changed[i]), r->change_of);
        ws_frame_destroy(changed);
    }
    return rc;
}

static int load_metrics(request *r, ws_frame **out)
{
    ws_frame *all = NULL;
    double *before = NULL;
    bool simulated = false;
    int rc = load_rows(r->input, &simulated, &all);
    if (rc == WS_OK && r->changes)
        rc = ws_outcomes_column(all, ws_features_name(r->input), r->change_of, &before);
    if (simulated && !r->features.columns)
        r->features.columns = ws_outcomes_levels;
    if (rc == WS_OK)
        rc = ws_features_pick(r->input, &r->features, all, out);
    if (rc == WS_OK)
        rc = ws_features_clean(r->input, &r->features, out);
    if (rc == WS_OK && r->changes && (*out)->rows != all->rows)
        rc = ws_fail(WS_MISUSED, "--missing rows and --changed do not go together: rows of both frames must meet");
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
    int rc = r->leave_one_out
                 ? ws_subset_leave_one_out(metrics, name, subset, r->subset, r->subsets, &r->evaluation, &errors)
                 : ws_subset_evaluate(metrics, name, subset, r->subset, r->subsets, &r->evaluation, &errors);
    if (rc == WS_OK)
        rc = ws_features_print(errors, argc, argv);
    ws_frame_destroy(errors);
    return rc;
}

int ws_cmd_evaluate(int argc, char **argv)
{
    const char **const paths = calloc(2 * (size_t)argc, sizeof *paths);
    request r = {
        .subset = paths, .changed = paths ? paths + argc : NULL, .change_of = "cycles", .evaluation = {.seed = 1}};
    if (!paths)
        return ws_fail(WS_EMEM, "no memory for a list of files");
    ws_cli_parse(&argp, argc, argv, &r);
    ws_frame *metrics = NULL, **subset = calloc(r.subsets, sizeof *subset);
    int rc = subset ? check_streams(&r) : ws_fail(WS_EMEM, "no memory for a list of frames");
    if (rc == WS_OK)
        rc = load_metrics(&r, &metrics);
    for (size_t i = 0; rc == WS_OK && i < r.subsets; i++) {
        rc = ws_frame_load(r.subset[i], &subset[i]);
        r.subset[i] = ws_features_name(r.subset[i]);
    }
    if (rc == WS_OK)
        rc = print_errors(&r, metrics, (const ws_frame *const *)subset, argc, argv);
    for (size_t i = 0; subset && i < r.subsets; i++)
        ws_frame_destroy(subset[i]);
    free(subset);
    ws_frame_destroy(metrics);
    free(paths);
    return rc;
}
