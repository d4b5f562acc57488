/* cmd_metrics.c - `warpscape metrics`: what a results file holds, as a frame on stdout. */
#include "cli/cli.h"
#include "cli/features.h"
#include "metrics/performance.h"
#include "metrics/store/store.h"

#include <string.h>

typedef struct request {
    const char *db;
    ws_per per;
    const char *set;
    bool time, bounds, fractions;
    uint64_t run; /* 0: those that are shown */
} request;

static const char *const per_words[] = {"launch", "kernel", "workload", NULL}; /* in the order of ws_per */
/* Those that are collected, and what is made of them. */
static const char *const set_words[] = {WS_SET_PERFORMANCE, "study", "modern", "all", "machines", "synchronization", NULL};
static const struct argp_option options[] = {
    {"db", 'd', "FILE", 0, "Results file [warpscape.db]", 0},
    {"per", 'p', "LEVEL", 0, "One row per launch, kernel or workload [workload]", 0},
    {"set", 'm', "SET", 0, "Columns: performance (about forty features that predict, made of the others), study (the 129 dimensions), modern, all (both), machines (the study's, and those that hang on the machine on six of them) or synchronization (atomics, barriers, chiplets) [performance; study with --bounds or --fractions]", 0},
    {"time", 't', NULL, 0, "Put the engine's processor seconds in front, as column `seconds`; these differ a little from run to run", 0},
    {"bounds", 'b', NULL, 0, "Instead: half of the 95 % confidence interval of each column, for workloads of `warpscape run --sample'", 0},
    {"fractions", 'f', NULL, 0, "Bins of the study's histograms as fractions that sum to 1 instead of counts, so that how often a workload launches is told by K_n alone", 0},
    {"run", 'r', "N", 0, "Those of run N (see `warpscape runs') [of each workload the last run that counts]", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    request *const r = state->input;
    switch (key) {
    case 'd':
        r->db = arg;
        return 0;
    case 'p':
        r->per = (ws_per)ws_cli_choice(state, "--per", arg, per_words);
        return 0;
    case 'm':
        r->set = set_words[ws_cli_choice(state, "--set", arg, set_words)];
        return 0;
    case 't':
        r->time = true;
        return 0;
    case 'b':
        r->bounds = true;
        return 0;
    case 'f':
        r->fractions = true;
        return 0;
    case 'r':
        r->run = ws_cli_u64(state, "--run", arg, 1, INT64_MAX);
        return 0;
    case ARGP_KEY_END:
        if (!r->set && r->bounds)
            r->set = "study";
        r->set = ws_features_set(state, r->set, r->fractions);
        if (r->bounds && (r->per != WS_PER_WORKLOAD || r->time))
            argp_error(state, "--bounds are those of workloads, without --time");
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "unexpected argument '%s': the results file is given by --db", arg);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .doc = "Prints the metrics of all finished workloads of a results file as a CSV frame.\v"
           "Comment lines in front say what was run, name units and groups, and list workloads that were left out "
           "because they failed. NA stands for what was not measured. docs/metrics.md explains every column.\n\n"
           "Example: warpscape metrics --per kernel | warpscape pca -",
};

/* A frame without rows is no use to anybody: says why there are none. */
static int refuse_empty(const ws_frame *frame, const char *db)
{
    static const char left_out[] = "left out: ";
    for (size_t i = 0; i < frame->notes; i++)
        if (strncmp(frame->note[i], left_out, sizeof left_out - 1) == 0)
            return ws_fail(WS_ENOTFOUND, "%s: no workload in it has a result: %s", db,
                           frame->note[i] + sizeof left_out - 1);
    return ws_fail(WS_ENOTFOUND, "%s: no workload in it has finished (see `warpscape suite run`)", db);
}

static int print_frame(ws_store *store, const request *r, int argc, char **argv)
{
    ws_frame *frame;
    int status = r->bounds ? ws_store_bounds(store, r->set, &frame) : ws_store_frame(store, r->per, r->set, r->time, &frame);
    if (status == WS_OK && frame->rows == 0)
        status = refuse_empty(frame, r->db);
    if (status == WS_OK)
        status = ws_cli_sign(frame, argc, argv);
    if (status == WS_OK)
        status = ws_frame_write(frame, stdout);
    if (status == WS_OK && ws_features_measured(frame, r->db, r->set) != WS_OK)
        fprintf(stderr, "warpscape metrics: %s\n", ws_message());
    ws_frame_destroy(frame);
    return status;
}

int ws_cmd_metrics(int argc, char **argv)
{
    request r = {.db = "warpscape.db", .per = WS_PER_WORKLOAD};
    ws_store *store;
    ws_cli_parse(&argp, argc, argv, &r);
    int status = ws_store_open(r.db, false, &store);
    if (status != WS_OK)
        return status;
    if (r.fractions)
        ws_store_show_fractions(store);
    if (r.run)
        status = ws_store_choose(store, (int64_t)r.run);
    if (status == WS_OK)
        status = print_frame(store, &r, argc, argv);
    ws_store_close(store);
    return status;
}
