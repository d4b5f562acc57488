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

typedef struct request {
    ws_kernel_request kernels; /* no workload */
    ws_frame_output output;
    ws_per per;
    bool per_given;
    const char *set;
    bool time, bounds, fractions, brief;
    char place[64]; /* of columns, for messages */
} request;

/* Those that are collected, and what is made of them. */
static const char *const set_words[] = {WS_SET_PERFORMANCE, "study",           "modern", "all",
                                        "machines",         "synchronization", NULL};

/* What options that were not given are, and which do not go together. */
static void settle(const struct argp_state *state, void *asked)
{
    request *const r = asked;
    if (!r->set && r->bounds)
        r->set = "study";
    if (!r->set && (r->brief || r->output.columns))
        r->set = "all";
    r->set = ws_features_set(state, r->set, r->fractions);
    if (r->kernels.kernel && !r->per_given)
        r->per = WS_PER_KERNEL;
    if (r->bounds && (r->per != WS_PER_WORKLOAD || r->time))
        argp_error(state, "--bounds need --per workload, without --time");
    if (r->kernels.kernel && r->per == WS_PER_WORKLOAD)
        argp_error(state, "--kernel selects kernels: use --per kernel or launch");
    if (r->brief && !strcmp(r->set, WS_SET_PERFORMANCE))
        argp_error(state, "--brief selects measured columns: use --set all, study or modern");
    snprintf(r->place, sizeof r->place, " in the set %s", r->set);
    r->output.of = r->place;
}

static const ws_option_row option_rows[] = {
    WS_OPTION_TEXT("db", 'd', "FILE", request, kernels.db, "Results file [warpscape.db]"),
    WS_OPTION_WORD("per", 'p', "LEVEL", request, per, ws_per_words,
                   "One row per launch, kernel or workload [workload]"),
    WS_OPTION_GIVEN(request, per_given),
    WS_OPTION_ONE_OF("set", 'm', "SET", request, set, set_words,
                     "Columns: performance (about forty derived features that predict performance), study (the 129 "
                     "dimensions), modern, all (both), machines (the study's machine-dependent columns on six "
                     "machines) or synchronization (atomics, barriers, chiplets) [performance; study with --bounds or "
                     "--fractions; all with --brief or --columns]"),
    WS_OPTION_FLAG("brief", 0, request, brief, "Only the dozen most useful columns for kernel authors"),
    WS_OPTION_TEXT("kernel", 0, "REGEX", request, kernels.kernel,
                   "Only kernels whose name has a matching part; one row per kernel, unless --per launch"),
    WS_OPTION_FLAG("time", 't', request, time,
                   "Add the engine's processor seconds as first column `seconds'; these vary slightly between runs"),
    WS_OPTION_FLAG(
        "bounds", 'b', request, bounds,
        "Print half of the 95 % confidence interval of each column instead, for workloads of `warpscape run --sample'"),
    WS_OPTION_FLAG("fractions", 'f', request, fractions,
                   "Bins of the study's histograms as fractions that sum to 1 instead of counts, so that only K_n "
                   "depends on the number of launches"),
    WS_OPTION_NUMBER("run", 'r', "N", request, kernels.run, 1, INT64_MAX,
                     "Metrics of run N (see `warpscape runs') [of each workload the last run that counts]"),
    {0},
};

static const struct argp_child children[] = {{&ws_frame_output_argp, 0, NULL, 0}, {0}};
static const ws_options options = {
    .rows = option_rows,
    .settle = settle,
    .refuse = "unexpected argument '%s': the results file is given by --db",
    .children = children,
    .child = {offsetof(request, output)},
    .doc = "Prints the metrics of all finished workloads of a results file as a CSV frame.\vComment lines at the top "
           "describe the run, and list workloads omitted because they failed. NA marks unmeasured values. `warpscape "
           "explain' and docs/metrics.md define the columns.\n\nExample:\n  warpscape suite run --scale tiny MM BFS\n  "
           "warpscape metrics --kernel bfs --brief --format table",
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

WS_COMMAND(metrics)
{
    request r = {.kernels = {.db = "warpscape.db"}, .per = WS_PER_WORKLOAD};
    ws_store *store;
    ws_options_parse(&options, argc, argv, &r);
    int status = ws_kernel_request_open(&r.kernels, &store);
    if (!status && r.fractions)
        ws_store_show_fractions(store);
    if (!status)
        status = print_frame(store, &r, argc, argv);
    ws_store_close(store);
    ws_kernel_request_fini(&r.kernels);
    return status;
}
