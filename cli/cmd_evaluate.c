/* cmd_evaluate.c - `warpscape evaluate`: how wrong are the means of a subset? */
#include "cli/cli.h"
#include "cli/features.h"
#include "cluster/subset.h"

#include <stdlib.h>
#include <string.h>

typedef struct request {
    const char *input;
    const char **subset; /* paths */
    size_t subsets;
    ws_features features;
    ws_evaluation evaluation;
} request;

enum { KEY_BY = 256, KEY_WEIGHTS };

static const struct argp_option options[] = {
    {"by", KEY_BY, "LABEL", 0,
     "Judge the rows of each value of this text column by themselves, such as those of one machine configuration, and "
     "average the errors",
     1},
    {"weights", KEY_WEIGHTS, "W", 0,
     "Mean over the members: equal, or size for members weighted by the rows that they stand for [equal]", 1},
    {0},
};

static const char *const weight_words[] = {"equal", "size", NULL};

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
        r->evaluation.weighted = ws_cli_choice(state, "--weights", text, weight_words) == 1;
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
           "subset: its size, the error of each metric and their average.\n\n"
           "Example: warpscape evaluate results.csv subset.csv --by config",
    .children = children,
};

static int check_streams(const request *r)
{
    size_t streams = strcmp(r->input, "-") == 0;
    for (size_t i = 0; i < r->subsets; i++)
        streams += strcmp(r->subset[i], "-") == 0;
    return streams > 1 ? ws_fail(WS_MISUSED, "standard input holds one frame; '-' was given %zu times", streams)
                       : WS_OK;
}

static int print_errors(const request *r, const ws_frame *metrics, const ws_frame *const *subset, int argc, char **argv)
{
    ws_frame *errors = NULL;
    int rc =
        ws_subset_evaluate(metrics, ws_features_name(r->input), subset, r->subset, r->subsets, &r->evaluation, &errors);
    if (rc == WS_OK)
        rc = ws_features_print(errors, argc, argv);
    ws_frame_destroy(errors);
    return rc;
}

int ws_cmd_evaluate(int argc, char **argv)
{
    request r = {.subset = calloc((size_t)argc, sizeof *r.subset)};
    if (!r.subset)
        return ws_fail(WS_EMEM, "no memory for a list of files");
    ws_cli_parse(&argp, argc, argv, &r);
    ws_frame *metrics = NULL, **subset = calloc(r.subsets, sizeof *subset);
    int rc = subset ? check_streams(&r) : ws_fail(WS_EMEM, "no memory for a list of frames");
    if (rc == WS_OK)
        rc = ws_features_load(r.input, &r.features, &metrics);
    if (rc == WS_OK)
        rc = ws_features_clean(r.input, &r.features, &metrics);
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
    free(r.subset);
    return rc;
}
