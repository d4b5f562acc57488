/* model_sharing.c - `warpscape model sharing`: what would SMs share, by where the CTAs of a kernel run?
 *
 * Tabbakh, "Efficient Memory Coherence and Consistency Support for Enabling Data Sharing in GPUs", 2018, chapter 2: SMs
 * that use a block, in the mean and of how many blocks they are several. CTAs are placed as the simulator's schedulers
 * would if each took as long as it has warp instructions. What caches miss there, ones that know who shares and ones
 * that do not, are stack distances within sets (model/sharing/set_stacks.h) in an order without time. */
#include "cli/cli.h"
#include "cli/machine_traces.h"
#include "cli/model.h"
#include "cli/sharing/cache_variant.h"

#include "base/demangle.h"
#include "base/grow.h"
#include "model/sharing/cache_bounds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct subject {
    char *workload, *mangled, *kernel;
    ws_cta_sums sums[WS_CTA_VARIANTS_MOST];
    ws_sharing_misses misses[WS_CTA_VARIANTS_MOST][WS_CACHE_VARIANTS];
} subject;

typedef struct run {
    ws_cta_variant variant[WS_CTA_VARIANTS_MOST], caches[WS_CACHE_VARIANTS];
    size_t variants, cache_variants;
    char *no_caches; /* what would have to be set for forms of caches; NULL: they are there */
    subject *subject;
    size_t subjects, room, first; /* first: of the trace that is read */
    const char *workload;         /* of it */
    ws_cache_streams *streams[WS_CTA_VARIANTS_MOST][WS_CACHE_VARIANTS];
    ws_placement placement[WS_CTA_VARIANTS_MOST]; /* of the launch */
} run;

/* What is kept of a launch, in this order; entries of the log at most: 40 MB. */
enum { SINK_TOUCHES, SINK_LOG, SINKS };
static const size_t LOG_LIMIT = 1 << 20;

static const struct {
    const char *name, *unit;
} columns[] = {
#define COLUMN(name, unit, value) {#name, unit},
#include "cli/sharing/columns.def"
#undef COLUMN
};
enum { COLUMNS = sizeof columns / sizeof *columns };

/* ------------------------------------------------------------------------------------------------ options */

static const struct argp_option options[] = {
    WS_MACHINE_TRACES_OPTIONS("sharing"),
    {0},
};

static const struct argp argp = {
    .options = options,
    .parser = ws_machine_traces_parse,
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
    for (size_t i = r->first; i < r->subjects; i++)
        if (!strcmp(r->subject[i].mangled, name)) {
            *out = &r->subject[i];
            return WS_OK;
        }
    if (WS_GROW(r->subject, r->room, r->subjects, 1))
        return ws_fail(WS_EMEM, "out of memory");
    subject *const s = *out = &r->subject[r->subjects++];
    *s = (subject){.workload = strdup(r->workload), .mangled = strdup(name), .kernel = ws_demangle(name)};
    for (size_t i = 0; i < WS_CTA_VARIANTS_MOST && !r->cache_variants; i++)
        for (size_t k = 0; k < WS_CACHE_VARIANTS; k++)
            s->misses[i][k] = nothing_known;
    return s->workload && s->mangled && s->kernel ? WS_OK : ws_fail(WS_EMEM, "out of memory");
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

static int run_trace(run *r, const char *path)
{
    const ws_touch_log_options how_to_log = {.line_shift = line_shift(r->variant[0].machine),
                                             .limit = WS_CTA_PAIRS_MOST};
    const ws_sink touches = ws_touch_log_sink(&how_to_log), log = ws_access_log_sink(&LOG_LIMIT);
    const ws_sink *const sinks[SINKS] = {[SINK_TOUCHES] = &touches, [SINK_LOG] = &log};
    const ws_replay how = {.sinks = sinks,
                           .sink_count = r->cache_variants ? SINKS : SINK_LOG,
                           .workers = 1,
                           .collect = take_log,
                           .context = r};
    ws_trace *trace;
    ws_replay_result done;
    int status = ws_trace_open(path, &trace);
    if (status)
        return status;
    char *const workload = ws_trace_workload(trace);
    r->workload = workload;
    r->first = r->subjects;
    status = workload ? open_streams(r) : WS_EMEM;
    for (size_t i = 0; i < ws_trace_launches(trace) && !status; i++)
        status = ws_trace_replay(trace, i, &how, &done);
    if (!status && ws_trace_damage(trace))
        status = ws_fail(WS_EINPUT, "%s", ws_trace_damage(trace));
    if (status)
        status = ws_fail_context(status, "%s", path);
    close_streams(r);
    ws_trace_close(trace);
    free(workload);
    return status;
}

/* ------------------------------------------------------------------------------------------------ rows */

static double ratio(double a, double b)
{
    return b != 0 ? a / b : NAN;
}

static void set_values(const ws_cta_sums *s, const ws_sharing_misses *c, double line, double *to)
{
    const double value[COLUMNS] = {
#define COLUMN(name, unit, value) (double)(value),
#include "cli/sharing/columns.def"
#undef COLUMN
    };
    memcpy(to, value, sizeof value);
}

static int print_rows(const run *r, int argc, char **argv)
{
    static const char *const labels[] = {"workload", "kernel", "scheduler"};
    enum { LABELS = sizeof labels / sizeof *labels };
    const ws_machine *const m = r->variant[0].machine;
    ws_frame *const frame = ws_frame_create(r->subjects * r->variants, COLUMNS, LABELS, labels);
    int status = frame ? ws_cli_sign(frame, argc, argv) : ws_fail(WS_EMEM, "out of memory");
    if (!status)
        status = ws_frame_note(frame, "machine: %s", m->name);
    for (size_t i = 0; i < COLUMNS && !status; i++)
        status = ws_frame_set_column(frame, i, columns[i].name, columns[i].unit, "sharing");
    for (size_t row = 0; row < r->subjects * r->variants && !status; row++) {
        const subject *const s = &r->subject[row / r->variants];
        const size_t variant = row % r->variants;
        const char *const label[LABELS] = {s->workload, s->kernel, r->variant[variant].name};
        for (size_t l = 0; l < LABELS && !status; l++)
            status = ws_frame_set_label(frame, row, l, label[l]);
        set_values(&s->sums[variant], s->misses[variant], m->l1_line, frame->value + row * COLUMNS);
    }
    if (!status)
        status = ws_frame_write(frame, stdout);
    ws_frame_destroy(frame);
    return status;
}

int ws_model_sharing(int argc, char **argv)
{
    ws_machine_traces asked = {.choice = {.config = "sharing"}};
    ws_cli_parse(&argp, argc, argv, &asked);
    ws_interrupts_catch();
    run r = {0};
    int status = asked.failed;
    if (!status)
        status = ws_cta_variants_create(&asked.choice, r.variant, &r.variants);
    if (!status)
        status = ws_cache_variants_create(&asked.choice, r.caches, &r.cache_variants, &r.no_caches);
    for (size_t i = 0; i < asked.traces.count && !status; i++)
        status = run_trace(&r, asked.traces.path[i]);
    if (!status && !r.subjects)
        status = ws_fail(WS_ENOTFOUND, "no launch in the traces");
    if (!status)
        status = print_rows(&r, argc, argv);
    if (!status && r.no_caches)
        fprintf(stderr, "warpscape model: columns from `loads' on are NA: on this machine they would need %s\n",
                r.no_caches);
    for (size_t i = 0; i < r.subjects; i++) {
        free(r.subject[i].workload);
        free(r.subject[i].mangled);
        free(r.subject[i].kernel);
    }
    free(r.subject);
    free(r.no_caches);
    ws_cta_variants_destroy(r.variant, r.variants);
    ws_cta_variants_destroy(r.caches, r.cache_variants);
    ws_trace_files_free(&asked.traces);
    return status;
}
