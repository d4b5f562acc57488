/* model_sharing.c - `warpscape model sharing`: what would SMs share, by where the CTAs of a kernel run?
 *
 * Tabbakh, "Efficient Memory Coherence and Consistency Support for Enabling Data Sharing in GPUs", 2018, chapter 2: SMs
 * that use a block, in the mean and of how many blocks they are several. CTAs are placed as the simulator's schedulers
 * would if each took as long as it has warp instructions. What caches miss there, ones that know who shares and ones
 * that do not, are stack distances within sets (model/mechanism/sharing/set_stacks.h) in an order without time. */
#include "base/interrupt.h"
#include "base/status.h"
#include "model/mechanism/machine_traces.h"
#include "model/mechanism/mechanism.h"
#include "model/mechanism/sharing/cache_variant.h"

#include "model/mechanism/kernels.h"
#include "model/mechanism/trace_walk.h"
#include "model/machine/machine.h"
#include "model/mechanism/sharing/cache_bounds.h"
#include "model/mechanism/sharing/cache_bounds.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is kept of a kernel. */
typedef struct subject {
    ws_cta_sums sums[WS_CTA_VARIANTS_MOST];
    ws_sharing_misses misses[WS_CTA_VARIANTS_MOST][WS_CACHE_VARIANTS];
} subject;

typedef struct request {
    ws_machine_traces on;
} request;

typedef struct run {
    ws_cta_variant variant[WS_CTA_VARIANTS_MOST], caches[WS_CACHE_VARIANTS];
    size_t variants, cache_variants;
    char *no_caches; /* what would have to be set for forms of caches; NULL: they are there */
    ws_kernels kernels;
    const char *workload; /* of the trace that is read */
    ws_cache_streams *streams[WS_CTA_VARIANTS_MOST][WS_CACHE_VARIANTS];
    ws_placement placement[WS_CTA_VARIANTS_MOST]; /* of the launch */
} run;

/* What is kept of a launch, in this order; entries of the log at most: 40 MB. */
enum { SINK_TOUCHES, SINK_LOG, SINKS };
static const size_t LOG_LIMIT = 1 << 20;

static const ws_frame_column columns[] = {
#define COLUMN(name, unit, value) {#name, unit},
#include "model/mechanism/sharing/sharing_columns.def"
#undef COLUMN
};
enum { COLUMNS = sizeof columns / sizeof *columns };

/* ------------------------------------------------------------------------------------------------ options */

static const ws_option_row option_rows[] = {
    WS_MACHINE_TRACES_OPTIONS(request, on, "sharing"),
    {0},
};

static const ws_options options = {
    .rows = option_rows,
    .args_doc = "FILE.wst|DIR...",
    .doc = "Says, for each kernel of traces and each way to give its blocks to SMs, how many SMs would use the same "
           "lines of global memory: of the first wave, which is "
           "what the simulator does, and of all, as if a block took as long as it has warp instructions.\v"
           "A row for each kernel and CTA scheduler: in turn, two together (bcs), groups of 8, of 16, of a row of the "
           "grid (q8, q16, qx), and these with the last ones one by "
           "one (_adpt). Columns from `loads' on say what caches would miss there, at least and by stack distances: "
           "ones that keep what was used last (_lru), ones that know who shares "
           "(_sharing); on machines that these do not fit they are NA, and a line says what would have to be set. "
           "docs/sharing.md has the model, and how far off it is (`warpscape verify --sharing').\n\n"
           "Example:\n"
           "  warpscape suite run --scale tiny --trace traces HS\n"
           "  warpscape model sharing traces",
};

/* ------------------------------------------------------------------------------------------------ traces */

/* Where the forms do not hold. */
static const ws_sharing_misses nothing_known = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};

static int find_subject(run *r, const char *name, subject **out)
{
    const size_t before = r->kernels.count;
    subject *const s = *out = ws_kernels_find(&r->kernels, r->workload, name);
    for (size_t i = 0; s && r->kernels.count > before && !r->cache_variants && i < WS_CTA_VARIANTS_MOST; i++)
        for (size_t k = 0; k < WS_CACHE_VARIANTS; k++)
            s->misses[i][k] = nothing_known;
    return s ? WS_OK : WS_EMEM;
}

static void forget_placements(run *r)
{
    for (size_t i = 0; i < r->variants; i++) {
        ws_placement_fini(&r->placement[i]);
        r->placement[i] = (ws_placement){0};
    }
}

static int place_ctas(run *r, const ws_launch *launch, ws_touch_log *log, subject *s)
{
    int status = WS_OK;
    ws_touch_log_sort(log);
    forget_placements(r);
    for (size_t i = 0; i < r->variants && !status; i++)
        status = ws_cta_sums_add(&s->sums[i], log, launch, r->variant[i].machine, &r->placement[i]);
    return status;
}

static int count_misses(run *r, const ws_access_log *log, subject *s)
{
    int status = WS_OK;
    for (size_t i = 0; i < r->variants; i++)
        for (size_t k = 0; k < r->cache_variants && !status; k++)
            status = ws_cache_streams_run(r->streams[i][k], log, &r->placement[i], &s->misses[i][k]);
    return status;
}

static int take_log(void *context, const ws_launch *launch, size_t sink, void *state)
{
    run *const r = context;
    subject *s = NULL;
    const int status = ws_interrupted() ? ws_fail(WS_EINTERRUPTED, "interrupted") : find_subject(r, launch->kernel, &s);
    if (status)
        return status;
    return sink == SINK_TOUCHES ? place_ctas(r, launch, state, s) : count_misses(r, state, s);
}

/* Caches are empty at the begin of a trace. */
static int open_streams(run *r)
{
    int status = WS_OK;
    for (size_t i = 0; i < r->variants; i++)
        for (size_t k = 0; k < r->cache_variants && !status; k++) {
            const ws_sharing_caches caches = ws_sharing_caches_of(r->caches[k].machine, true);
            status = ws_cache_streams_create(&caches, &r->streams[i][k]);
        }
    return status;
}

static void close_streams(run *r)
{
    for (size_t i = 0; i < r->variants; i++)
        for (size_t k = 0; k < r->cache_variants; k++) {
            ws_cache_streams_destroy(r->streams[i][k]);
            r->streams[i][k] = NULL;
        }
    forget_placements(r);
}

static unsigned line_shift(const ws_machine *m)
{
    return (unsigned)__builtin_ctz(m->l1_line);
}

static int run_trace(ws_prediction_run *of, ws_trace *trace, const char *workload)
{
    run *const r = of->state;
    const ws_touch_log_options how_to_log = {.line_shift = line_shift(r->variant[0].machine),
                                             .limit = WS_CTA_PAIRS_MOST};
    const ws_sink touches = ws_touch_log_sink(&how_to_log), log = ws_access_log_sink(&LOG_LIMIT);
    const ws_sink *const sinks[SINKS] = {[SINK_TOUCHES] = &touches, [SINK_LOG] = &log};
    const ws_replay how = {.sinks = sinks,
                           .sink_count = r->cache_variants ? SINKS : SINK_LOG,
                           .workers = 1,
                           .collect = take_log,
                           .context = r};
    r->workload = workload;
    r->kernels.first = r->kernels.count;
    int status = open_streams(r);
    if (!status)
        status = ws_trace_replay_all(trace, &how);
    close_streams(r);
    return status;
}

/* ------------------------------------------------------------------------------------------------ rows */

static double ratio(double a, double b)
{
    return b != 0 ? a / b : NAN;
}

static int add_row(ws_frame *frame, const char *const *label, const ws_cta_sums *s, const ws_sharing_misses *c,
                   double line)
{
    const double value[COLUMNS] = {
#define COLUMN(name, unit, value) (double)(value),
#include "model/mechanism/sharing/sharing_columns.def"
#undef COLUMN
    };
    return ws_frame_add_row(frame, label, value);
}

static int add_rows(ws_prediction_run *of)
{
    const run *const r = of->state;
    int status = r->kernels.count ? WS_OK : ws_fail(WS_ENOTFOUND, "no launch in the traces");
    for (size_t i = 0; i < r->kernels.count && !status; i++) {
        const ws_kernel *const k = &r->kernels.one[i];
        const subject *const s = k->kept;
        for (size_t v = 0; v < r->variants && !status; v++)
            status = add_row(of->frame, (const char *[]){k->workload, k->kernel, r->variant[v].name}, &s->sums[v],
                             s->misses[v], r->variant[0].machine->l1_line);
    }
    return status;
}

static int open_variants(ws_prediction_run *of)
{
    const request *const asked = of->request;
    run *const r = of->state;
    r->kernels.bytes = sizeof(subject);
    int status = ws_cta_variants_create(&asked->on.machine.choice, r->variant, &r->variants);
    if (!status)
        status = ws_cache_variants_create(&asked->on.machine.choice, r->caches, &r->cache_variants, &r->no_caches);
    return status ? status : ws_frame_note(of->notes, "machine: %s", r->variant[0].machine->name);
}

static int tell_left_out(const ws_prediction_run *of)
{
    const run *const r = of->state;
    if (r->no_caches)
        fprintf(stderr, "warpscape model: columns from `loads' on are NA: on this machine they would need %s\n",
                r->no_caches);
    return WS_OK;
}

static void close_variants(const ws_prediction_run *of)
{
    run *const r = of->state;
    ws_kernels_fini(&r->kernels);
    free(r->no_caches);
    ws_cta_variants_destroy(r->variant, r->variants);
    ws_cta_variants_destroy(r->caches, r->cache_variants);
}

static const ws_predictor model = {
    .layout = {{"workload", "kernel", "scheduler"}, columns, COLUMNS, "sharing"},
    .state_bytes = sizeof(run),
    .open = open_variants,
    .trace = run_trace,
    .finish = add_rows,
    .judge = tell_left_out,
    .close = close_variants,
};

static const request usually = {.on.machine.choice.config = "sharing"};

const ws_mechanism ws_mechanism_sharing = {
    .options = &options,
    .asked = &usually,
    .asked_bytes = sizeof usually,
    .traces = offsetof(request, on.traces),
    .model = &model,
    .subject = &ws_subject_sharing,
};
