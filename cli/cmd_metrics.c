/* cmd_metrics.c - `warpscape metrics`: what a results file holds, as a frame on stdout. */
#include "cli/cli.h"
#include "cli/features.h"
#include "base/options/frame_output.h"
#include "cli/kernel_request.h"
#include "metrics/describe.h"
#include "metrics/performance.h"
#include "metrics/store/store.h"

#include <stdlib.h>
#include <string.h>

enum { KEY_BRIEF = 256, KEY_KERNEL };

typedef struct request {
    ws_kernel_request kernels; /* no workload */
    ws_frame_output output;
    ws_per per;
    bool per_given;
    const char *set;
    bool time, bounds, fractions, brief;
    char place[64]; /* of columns, for messages */
} request;

static const char *const per_words[] = {"launch", "kernel", "workload", NULL}; /* in the order of ws_per */
/* Those that are collected, and what is made of them. */
static const char *const set_words[] = {WS_SET_PERFORMANCE, "study",           "modern", "all",
                                        "machines",         "synchronization", NULL};
static const struct argp_option options[] = {
    {"db", 'd', "FILE", 0, "Results file [warpscape.db]", 0},
    {"per", 'p', "LEVEL", 0, "One row per launch, kernel or workload [workload]", 0},
    {"set", 'm', "SET", 0,
     "Columns: performance (about forty features that predict, made of the others), study (the 129 dimensions), "
     "modern, all (both), machines (the study's, and those that hang on the machine on six of them) or synchronization "
     "(atomics, barriers, chiplets) [performance; study with --bounds or --fractions; all with --brief or --columns]",
     0},
    {"brief", KEY_BRIEF, NULL, 0, "Only the dozen columns that the author of a kernel reads first", 0},
    {"kernel", KEY_KERNEL, "REGEX", 0,
     "Only kernels that some part of the name matches; a row per kernel, unless --per says launch", 0},
    {"time", 't', NULL, 0,
     "Put the engine's processor seconds in front, as column `seconds`; these differ a little from run to run", 0},
    {"bounds", 'b', NULL, 0,
     "Instead: half of the 95 % confidence interval of each column, for workloads of `warpscape run --sample'", 0},
    {"fractions", 'f', NULL, 0,
     "Bins of the study's histograms as fractions that sum to 1 instead of counts, so that how often a workload "
     "launches is told by K_n alone",
     0},
    {"run", 'r', "N", 0, "Those of run N (see `warpscape runs') [of each workload the last run that counts]", 0},
    {0},
};

/* What options that were not given are, and which do not go together. */
static void settle(request *r, struct argp_state *state)
{
    if (!r->set && r->bounds)
        r->set = "study";
    if (!r->set && (r->brief || r->output.columns))
        r->set = "all";
    r->set = ws_features_set(state, r->set, r->fractions);
    if (r->kernels.kernel && !r->per_given)
        r->per = WS_PER_KERNEL;
    if (r->bounds && (r->per != WS_PER_WORKLOAD || r->time))
        argp_error(state, "--bounds are those of workloads, without --time");
    if (r->kernels.kernel && r->per == WS_PER_WORKLOAD)
        argp_error(state, "--kernel chooses kernels: use --per kernel or launch");
    if (r->brief && !strcmp(r->set, WS_SET_PERFORMANCE))
        argp_error(state, "--brief is of measured columns: use --set all, study or modern");
    snprintf(r->place, sizeof r->place, " in the set %s", r->set);
    r->output.of = r->place;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    request *const r = state->input;
    switch (key) {
    case 'd':
        r->kernels.db = arg;
        return 0;
    case 'p':
        r->per = (ws_per)ws_cli_choice(state, "--per", arg, per_words);
        r->per_given = true;
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
        r->kernels.run = ws_cli_u64(state, "--run", arg, 1, INT64_MAX);
        return 0;
    case KEY_BRIEF:
        r->brief = true;
        return 0;
    case KEY_KERNEL:
        r->kernels.kernel = arg;
        return 0;
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &r->output;
        return 0;
    case ARGP_KEY_END:
        settle(r, state);
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "unexpected argument '%s': the results file is given by --db", arg);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&ws_frame_output_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {
    .children = children,
    .options = options,
    .parser = parse,
    .doc = "Prints the metrics of all finished workloads of a results file as a CSV frame.\v"
           "Comment lines in front say what was run, and list workloads that were left out "
           "because they failed. NA stands for what was not measured. `warpscape explain' and docs/metrics.md say what "
           "a column is.\n\n"
           "Example:\n"
           "  warpscape suite run --scale tiny MM BFS\n"
           "  warpscape metrics --kernel bfs --brief --format table",
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

/* ------------------------------------------------------------------------------------------------ rows and columns */

static void replace(ws_frame **frame, int status, ws_frame *by)
{
    if (status)
        return;
    ws_frame_destroy(*frame);
    *frame = by;
}

static bool is_wanted(request *r, const ws_frame *frame, size_t row)
{
    const char *const *const label = (const char *const *)frame->label + row * frame->labels;
    return ws_kernel_request_has(&r->kernels, label[0], label[frame->labels - 1], label[1]);
}

static int pick_kernels(request *r, ws_frame **frame)
{
    size_t *const row = malloc(((*frame)->rows + 1) * sizeof *row), n = 0;
    ws_frame *picked = NULL;
    int status = row ? WS_OK : ws_fail(WS_EMEM, "no memory for a list of rows");
    for (size_t i = 0; i < (*frame)->rows && !status; i++)
        if (is_wanted(r, *frame, i))
            row[n++] = i;
    if (!status && !n)
        status = ws_kernel_request_refuse(&r->kernels);
    if (!status)
        status = ws_frame_pick_rows(*frame, row, n, &picked);
    free(row);
    replace(frame, status, picked);
    return status;
}

/* The brief ones, those of --columns behind them; the time where it is asked for. */
static int pick_brief(request *r, ws_frame **frame)
{
    size_t *column, n;
    ws_frame *picked = NULL;
    int status = ws_brief_columns(*frame, &column, &n);
    if (!status && r->time) {
        memmove(column + 1, column, n++ * sizeof *column);
        column[0] = 0;
    }
    if (!status && r->output.columns)
        status = ws_frame_output_match(&r->output, *frame, column, &n);
    if (!status)
        status = ws_frame_pick_columns(*frame, column, n, &picked);
    free(column);
    r->output.columns = NULL;
    replace(frame, status, picked);
    return status;
}

static int load(ws_store *store, const request *r, ws_frame **frame)
{
    int status =
        r->bounds ? ws_store_bounds(store, r->set, frame) : ws_store_frame(store, r->per, r->set, r->time, frame);
    if (!status && (*frame)->rows == 0)
        status = refuse_empty(*frame, r->kernels.db);
    return status;
}

static int print_frame(ws_store *store, request *r, int argc, char **argv)
{
    ws_frame *frame = NULL;
    int status = load(store, r, &frame);
    if (!status && r->kernels.kernel)
        status = pick_kernels(r, &frame);
    const bool told = !status && !r->output.columns && !r->brief;
    if (!status && r->brief)
        status = pick_brief(r, &frame);
    if (!status)
        status = ws_frame_output_print(&r->output, frame, argc, argv);
    if (!status && told && ws_features_measured(frame, r->kernels.db, r->set))
        fprintf(stderr, "warpscape metrics: %s\n", ws_message());
    ws_frame_destroy(frame);
    return status;
}

int ws_cmd_metrics(int argc, char **argv)
{
    request r = {.kernels = {.db = "warpscape.db"}, .per = WS_PER_WORKLOAD};
    ws_store *store;
    ws_cli_parse(&argp, argc, argv, &r);
    int status = ws_kernel_request_open(&r.kernels, &store);
    if (!status && r.fractions)
        ws_store_show_fractions(store);
    if (!status)
        status = print_frame(store, &r, argc, argv);
    ws_store_close(store);
    ws_kernel_request_fini(&r.kernels);
    return status;
}
