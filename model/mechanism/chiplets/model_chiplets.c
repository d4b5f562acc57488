/* model_chiplets.c - `warpscape model chiplets`: which L2s of a package of chiplets would have to write back or give up
 * copies between kernels, and what would that save?
 *
 * P. Dalmia, "Reducing Synchronization and Communication Overheads in GPUs", UW-Madison 2023, chapter 5. A row for each
 * policy (model/chiplets/chiplet_policies.def) and workload, kernel or launch; columns are
 * model/mechanism/chiplets/chiplets_columns.def. */
#include "base/status.h"
#include "model/chiplets/argument_file.h"
#include "model/mechanism/chiplets/chiplet_arguments.h"
#include "model/mechanism/chiplets/chiplet_prediction.h"
#include "model/mechanism/work_rows.h"
#include "model/mechanism/mechanism.h"
#include "model/machine/machine.h"
#include "model/mechanism/ratio.h"
#include "model/placement/cta_scheduler.h"

#include <stdio.h>
#include <stdlib.h>

#define WS_COLUMNS "model/mechanism/chiplets/chiplets_columns.def"
#include "model/mechanism/column_names.def"

#define HIGH_REUSE 0.15 /* of all loads: the source's class of moderate to high reuse between kernels */

/* What a row stands for: all launches of a workload, those of a kernel, or one. */
typedef struct group {
    ws_chiplet_sums policy[WS_CHIPLET_POLICIES];
    double lines;
} group;

enum { PER_WORKLOAD, PER_KERNEL, PER_LAUNCH };
static const char *const pers[] = {"workload", "kernel", "launch", NULL};

typedef struct request {
    ws_machine_traces on;
    const char *arguments, *save; /* files */
    size_t per;
} request;

typedef struct run {
    const request *asked;
    const ws_machine *machine;
    ws_work_rows groups; /* of each a group */
} run;

/* ------------------------------------------------------------------------------------------------ options */

static const ws_option_row option_rows[] = {
    WS_OPTION_CONFIG("NAME", request, on.machine, "The machine: a file, or a name of data/configs [four-chiplets]"),
    WS_OPTION_SET(request, on.machine, "Set an option of the machine, such as l1.ways=4; may be repeated"),
    WS_TRACE_ARGUMENTS(request, on.traces, NULL),
    WS_OPTION_TEXT("arguments", 'a', "FILE", request, arguments,
                   "Data that kernels use on each chiplet; without a trace, only its operations are counted [measured "
                   "in the trace]"),
    WS_OPTION_OUTPUT("save", 0, "FILE", request, save,
                     "Write the data used by kernels of the trace to this file, in the format of --arguments"),
    WS_OPTION_WORD("per", 0, "workload|kernel|launch", request, per, pers, "Unit of a row [workload]"),
    {0},
};

static void check(const struct argp_state *state, const void *asked)
{
    const request *const q = asked;
    const size_t traces = q->on.traces.files.count;
    if (q->arguments && traces > 1)
        argp_error(state, "--arguments is of one trace");
    if (q->save && traces != 1)
        argp_error(state, "--save is of one trace");
    if (!q->arguments)
        ws_need_traces(state, &q->on.traces);
}

static const ws_options options = {
    .rows = option_rows,
    .check = check,
    .args_doc = "FILE.wst|DIR...\n--arguments FILE",
    .doc = "Predicts, for a machine of several chips whose L2s keep the lines requested by their own SMs, the reuse "
           "between kernels in L2, under each policy: boundary (all L2s empty at each launch), cpcoh (a command "
           "processor that knows the data of kernels), ideal (no operations), hmg (directories of lines).\vOperations "
           "are counted exactly; misses, lines and flits come from stack distances, times are bounds. docs/chiplets.md "
           "describes the model and its errors (`warpscape verify --chiplets').\n\nExample:\n  warpscape suite run "
           "--scale tiny --trace traces BFS\n  warpscape model chiplets traces",
};

/* ------------------------------------------------------------------------------------------------ traces */

static group *find_group(run *r, const char *workload, const ws_chiplet_launch *l)
{
    const size_t per = r->asked->per;
    return per == PER_LAUNCH ? ws_work_rows_add(&r->groups, workload, l->kernel, (size_t)l->number + 1)
                             : ws_work_rows_kernel(&r->groups, workload, per == PER_WORKLOAD ? "all" : l->kernel);
}

static int add_prediction(run *r, const char *workload, const ws_chiplet_prediction *p)
{
    const size_t first = r->groups.first = r->groups.count;
    int status = WS_OK;
    group *g = NULL;
    for (size_t i = 0; i < p->launches && !status; i++) {
        g = find_group(r, workload, &p->launch[i]);
        status = g ? WS_OK : WS_EMEM;
        for (unsigned k = 0; k < WS_CHIPLET_POLICIES && !status; k++)
            ws_chiplet_sums_add(&g->policy[k], &p->launch[i].policy[k]);
    }
    for (unsigned k = 0; k < WS_CHIPLET_POLICIES && !status && g && r->asked->per == PER_WORKLOAD; k++)
        ws_chiplet_sums_add(&g->policy[k], &p->end[k]);
    for (size_t i = first; i < r->groups.count; i++)
        ((group *)r->groups.row[i].kept)->lines = p->footprint;
    return status;
}

static int run_trace(ws_prediction_run *of, ws_trace *trace, const char *workload)
{
    run *const r = of->state;
    const request *const q = r->asked;
    ws_chiplet_kernels kernels = {0};
    ws_chiplet_prediction prediction = {0};
    int status = ws_chiplet_arguments(trace, q->arguments, r->machine->package_chips, false, &kernels);
    if (!status && q->save)
        status = ws_argument_file_save(q->save, &kernels, r->machine->package_chips);
    if (!status)
        status = ws_chiplet_predict(trace, r->machine, &kernels, &prediction);
    if (!status)
        status = add_prediction(r, workload, &prediction);
    ws_chiplet_prediction_fini(&prediction);
    ws_chiplet_kernels_fini(&kernels);
    return status;
}

static int run_arguments(run *r)
{
    ws_chiplet_kernels kernels = {0};
    ws_chiplet_prediction prediction = {0};
    int status = ws_argument_file_read(r->asked->arguments, r->machine->package_chips, &kernels);
    if (!status)
        status = ws_chiplet_count(r->machine, &kernels, &prediction);
    if (!status)
        status = add_prediction(r, r->asked->arguments, &prediction);
    ws_chiplet_prediction_fini(&prediction);
    ws_chiplet_kernels_fini(&kernels);
    return status;
}

/* ------------------------------------------------------------------------------------------------ rows */

static int add_row(const ws_prediction_run *of, const ws_work_row *k, ws_chiplet_policy policy)
{
    const ws_machine *const m = ((const run *)of->state)->machine;
    const double l2_bytes = (double)ws_machine_slices(m) * m->l2_sets * m->l2_ways * m->l2_line;
    const group *const g = k->kept;
    const ws_chiplet_sums *const s = &g->policy[policy], *const b = &g->policy[WS_CHIPLET_BOUNDARY],
                                 *const i = &g->policy[WS_CHIPLET_IDEAL];
#include "model/mechanism/column_values.def"
    char launch[WS_LAUNCH_LABEL];
    const char *const label[] = {k->workload, k->kernel, k->launch ? ws_launch_label(k->launch, launch) : "all",
                                 ws_chiplet_policy_of(policy)->name};
    return ws_frame_add_row(of->frame, label, value);
}

static int add_rows(ws_prediction_run *of)
{
    run *const r = of->state;
    int status = r->asked->on.traces.files.count ? WS_OK : run_arguments(r);
    if (!status && !r->groups.count)
        status = ws_fail(WS_ENOTFOUND, "no launch in the traces");
    for (size_t i = 0; i < r->groups.count && !status; i++)
        for (ws_chiplet_policy policy = 0; policy < WS_CHIPLET_POLICIES && !status; policy++)
            status = add_row(of, &r->groups.row[i], policy);
    return status;
}

static int open_machine(ws_prediction_run *of)
{
    run *const r = of->state;
    r->asked = of->request;
    r->groups.bytes = sizeof(group);
    r->machine = of->machine;
    int status = ws_frame_note(of->notes, "machine: %s", r->machine->name);
    if (!status && !r->machine->chip_cta_scheduler->by_chip)
        status =
            ws_frame_note(of->notes, "blocks: a contiguous part of the grid a chip, though chip.cta_scheduler is %s",
                          r->machine->chip_cta_scheduler->name);
    return status;
}

static void close_groups(const ws_prediction_run *of)
{
    run *const r = of->state;
    ws_work_rows_fini(&r->groups);
}

const ws_mechanism ws_mechanism_chiplets = {
    .options = &options,
    .asked = &(const request){.on.machine.choice.config = "four-chiplets"},
    .asked_bytes = sizeof(request),
    .traces = offsetof(request, on.traces),
    .model.layout = {{"workload", "kernel", "launch", "policy"}, columns, COLUMNS, "chiplets"},
    WS_ON_MACHINE(request, on.machine),
    .model.state_bytes = sizeof(run),
    .model.open = open_machine,
    .model.trace = run_trace,
    .model.finish = add_rows,
    .model.close = close_groups,
    .subject = &ws_subject_chiplets,
};
