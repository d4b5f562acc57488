/* model_sharing.c - `warpscape model sharing`: what would SMs share, by where the CTAs of a kernel run?
 *
 * Tabbakh, "Efficient Memory Coherence and Consistency Support for Enabling Data Sharing in GPUs", 2018, chapter 2: SMs
 * that use a block, in the mean and of how many blocks they are several. CTAs are placed as the simulator's schedulers
 * would if each took as long as it has warp instructions. What caches miss there, ones that know who shares and ones
 * that do not, are stack distances within sets (model/mechanism/sharing/set_stacks.h) in an order without time. */
#include "base/status.h"
#include "model/mechanism/work_rows.h"
#include "model/machine/machine.h"
#include "model/mechanism/mechanism.h"
#include "model/mechanism/ratio.h"
#include "model/mechanism/sharing/cache_bounds.h"
#include "model/mechanism/trace_walk.h"
#include "model/mechanism/sharing/cache_runs.h"
#include "model/mechanism/sharing/cta_sums.h"
#include "model/mechanism/sharing/sharing_machines.h"
#include "model/mechanism/trace_take.h"

#include <stdio.h>

#define WS_COLUMNS "model/mechanism/sharing/sharing_columns.def"
#include "model/mechanism/column_names.def"

/* What is kept of a kernel. */
typedef struct subject {
    ws_cta_sums sums[WS_CTA_VARIANTS];
    ws_sharing_misses misses[WS_CTA_VARIANTS][WS_CACHE_VARIANTS];
} subject;

typedef struct request {
    ws_machine_traces on;
} request;

typedef struct run {
    ws_sharing_machines on;
    ws_work_rows kernels;
    const char *workload; /* of the trace that is read */
    ws_cache_streams *streams[WS_CTA_VARIANTS][WS_CACHE_VARIANTS];
    ws_placement placement[WS_CTA_VARIANTS]; /* of the launch */
} run;

/* What is kept of a launch, in this order; entries of the log at most: 40 MB. */
enum { SINK_TOUCHES, SINK_LOG, SINKS };
static const size_t LOG_LIMIT = 1 << 20;

/* ------------------------------------------------------------------------------------------------ options */

static const ws_option_row option_rows[] = {
    WS_MACHINE_TRACES_OPTIONS(request, on, "sharing"),
    {0},
};

static const ws_options options = {
    .rows = option_rows,
    .args_doc = "FILE.wst|DIR...",
    .doc =
        "Predicts, for each kernel of traces and each CTA scheduler, the number of SMs that use the same lines of "
        "global memory: of the first wave, which equals that of the simulator, and of all blocks, with durations in "
        "proportion to their warp instructions.\vThe output has a row for each kernel and CTA scheduler: in turn, two "
        "together (bcs), groups of 8, of 16, of a row of the grid (q8, q16, qx), and these with the last ones one by "
        "one (_adpt). Columns from `loads' on are cache misses, as lower bounds and by stack distances: of LRU caches "
        "(_lru) and sharing-aware caches (_sharing); on other machines they are NA, and a line lists the settings "
        "required. docs/sharing.md describes the model and its errors (`warpscape verify --sharing').\n\nExample:\n  "
        "warpscape suite run --scale tiny --trace traces HS\n  warpscape model sharing traces",
};

/* ------------------------------------------------------------------------------------------------ traces */

/* Where the forms do not hold. */
static const ws_sharing_misses nothing_known = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};

static int find_subject(run *r, const char *name, subject **out)
{
    const size_t before = r->kernels.count;
    subject *const s = *out = ws_work_rows_kernel(&r->kernels, r->workload, name);
    for (size_t i = 0; s && r->kernels.count > before && !r->on.caches && i < WS_CTA_VARIANTS; i++)
        for (size_t k = 0; k < WS_CACHE_VARIANTS; k++)
            s->misses[i][k] = nothing_known;
    return s ? WS_OK : WS_EMEM;
}

static void forget_placements(run *r)
{
    for (size_t i = 0; i < WS_CTA_VARIANTS; i++)
        ws_placement_fini(&r->placement[i]);
}

static int place_ctas(run *r, const ws_launch *launch, ws_touch_log *log, subject *s)
{
    int status = WS_OK;
    ws_touch_log_sort(log);
    forget_placements(r);
    for (size_t i = 0; i < WS_CTA_VARIANTS && !status; i++)
        status = ws_cta_sums_add(&s->sums[i], log, launch, r->on.by_cta[i].machine, &r->placement[i]);
    return status;
}

static int count_misses(run *r, const ws_access_log *log, subject *s)
{
    int status = WS_OK;
    for (size_t i = 0; i < WS_CTA_VARIANTS; i++)
        for (size_t k = 0; k < r->on.caches && !status; k++)
            status = ws_cache_streams_run(r->streams[i][k], log, &r->placement[i], &s->misses[i][k]);
    return status;
}

static int take_log(void *context, const ws_launch *launch, size_t sink, void *state)
{
    run *const r = context;
    subject *s;
    const int status = find_subject(r, launch->kernel, &s);
    if (status)
        return status;
    return sink == SINK_TOUCHES ? place_ctas(r, launch, state, s) : count_misses(r, state, s);
}

/* Caches are empty at the begin of a trace. */
static int open_streams(run *r)
{
    int status = WS_OK;
    for (size_t i = 0; i < WS_CTA_VARIANTS; i++)
        for (size_t k = 0; k < r->on.caches && !status; k++) {
            const ws_sharing_caches caches = ws_sharing_caches_of(r->on.by_caches[k].machine, true);
            status = ws_cache_streams_create(&caches, &r->streams[i][k]);
        }
    return status;
}

static void close_streams(run *r)
{
    for (size_t i = 0; i < WS_CTA_VARIANTS; i++)
        for (size_t k = 0; k < WS_CACHE_VARIANTS; k++) {
            ws_cache_streams_destroy(r->streams[i][k]);
            r->streams[i][k] = NULL;
        }
    forget_placements(r);
}

static int run_trace(ws_prediction_run *of, ws_trace *trace, const char *workload)
{
    run *const r = of->state;
    const ws_touch_log_options how_to_log = ws_cta_log_options(r->on.by_cta[0].machine);
    const ws_sink touches = ws_touch_log_sink(&how_to_log), log = ws_access_log_sink(&LOG_LIMIT);
    const ws_sink *const sinks[SINKS] = {[SINK_TOUCHES] = &touches, [SINK_LOG] = &log};
    r->workload = workload;
    r->kernels.first = r->kernels.count;
    int status = open_streams(r);
    if (!status)
        status = ws_trace_take(trace, sinks, r->on.caches ? SINKS : SINK_LOG, take_log, r);
    close_streams(r);
    return status;
}

/* ------------------------------------------------------------------------------------------------ rows */

static int add_row(ws_frame *frame, const char *const *label, const ws_cta_sums *s, const ws_sharing_misses *c,
                   double line)
{
#include "model/mechanism/column_values.def"
    return ws_frame_add_row(frame, label, value);
}

static int add_rows(ws_prediction_run *of)
{
    const run *const r = of->state;
    int status = r->kernels.count ? WS_OK : ws_fail(WS_ENOTFOUND, "no launch in the traces");
    for (size_t i = 0; i < r->kernels.count && !status; i++) {
        const ws_work_row *const k = &r->kernels.row[i];
        const subject *const s = k->kept;
        for (size_t v = 0; v < WS_CTA_VARIANTS && !status; v++)
            status = add_row(of->frame, (const char *[]){k->workload, k->kernel, r->on.by_cta[v].name}, &s->sums[v],
                             s->misses[v], r->on.by_cta[0].machine->l1_line);
    }
    return status;
}

static int open_machines(ws_prediction_run *of)
{
    const request *const asked = of->request;
    run *const r = of->state;
    r->kernels.bytes = sizeof(subject);
    const int status = ws_sharing_machines_create(&asked->on.machine.choice, of->machine, &r->on);
    return status ? status : ws_frame_note(of->notes, "machine: %s", of->machine->name);
}

static int tell_left_out(const ws_prediction_run *of)
{
    const run *const r = of->state;
    if (r->on.lacking)
        fprintf(stderr, "warpscape model: columns from `loads' on are NA: on this machine they would need %s\n",
                r->on.lacking);
    return WS_OK;
}

static void close_machines(const ws_prediction_run *of)
{
    run *const r = of->state;
    ws_work_rows_fini(&r->kernels);
    ws_sharing_machines_fini(&r->on);
}

const ws_mechanism ws_mechanism_sharing = {
    .options = &options,
    .asked = &(const request){.on.machine.choice.config = "sharing"},
    .asked_bytes = sizeof(request),
    .traces = offsetof(request, on.traces),
    .model.layout = {{"workload", "kernel", "scheduler"}, columns, COLUMNS, "sharing"},
    WS_ON_MACHINE(request, on.machine),
    .model.state_bytes = sizeof(run),
    .model.open = open_machines,
    .model.trace = run_trace,
    .model.finish = add_rows,
    .model.judge = tell_left_out,
    .model.close = close_machines,
    .subject = &ws_subject_sharing,
};
