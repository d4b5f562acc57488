/* model_sharing.c - `warpscape model sharing`: what would SMs share, by where the CTAs of a kernel run?
 *
 * Tabbakh, "Efficient Memory Coherence and Consistency Support for Enabling Data Sharing in GPUs", 2018, chapter 2: SMs that use a block, in the mean and of how
 * many blocks they are several. CTAs are placed as the simulator's schedulers would if each took as long as it has warp instructions. */
#include "cli/cli.h"
#include "cli/machine_traces.h"
#include "cli/model.h"
#include "cli/sharing/cta_variant.h"

#include "base/demangle.h"
#include "base/grow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct subject {
    char *workload, *mangled, *kernel;
    ws_cta_sums sums[WS_CTA_VARIANTS_MOST];
} subject;

typedef struct run {
    ws_cta_variant variant[WS_CTA_VARIANTS_MOST];
    size_t variants;
    subject *subject;
    size_t subjects, room, first; /* first: of the trace that is read */
    const char *workload;         /* of it */
} run;

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
    .doc = "Says, for each kernel of traces and each way to give its blocks to SMs, how many SMs would use the same lines of global memory: of the first wave, which is "
           "what the simulator does, and of all, as if a block took as long as it has warp instructions.\v"
           "A row for each kernel and CTA scheduler: in turn, two together (bcs), groups of 8, of 16, of a row of the grid (q8, q16, qx), and these with the last ones one by "
           "one (_adpt). docs/sharing.md has the model, and how far off it is (`warpscape verify --sharing').\n\n"
           "Example: warpscape suite run --scale tiny --trace traces HS && warpscape model sharing traces",
};

/* ------------------------------------------------------------------------------------------------ traces */

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
    return s->workload && s->mangled && s->kernel ? WS_OK : ws_fail(WS_EMEM, "out of memory");
}

static int take_log(void *context, const ws_launch *launch, size_t sink, void *state)
{
    run *const r = context;
    subject *s = NULL;
    (void)sink;
    int status = ws_interrupted() ? ws_fail(WS_EINTERRUPTED, "interrupted") : find_subject(r, launch->kernel, &s);
    ws_touch_log_sort(state);
    for (size_t i = 0; i < r->variants && !status; i++)
        status = ws_cta_sums_add(&s->sums[i], state, launch, r->variant[i].machine, NULL);
    return status;
}

static unsigned line_shift(const ws_machine *m)
{
    return (unsigned)__builtin_ctz(m->l1_line);
}

static int run_trace(run *r, const char *path)
{
    const ws_touch_log_options how_to_log = {.line_shift = line_shift(r->variant[0].machine), .limit = WS_CTA_PAIRS_MOST};
    const ws_sink sink = ws_touch_log_sink(&how_to_log), *const sinks[] = {&sink};
    const ws_replay how = {.sinks = sinks, .sink_count = 1, .workers = 1, .collect = take_log, .context = r};
    ws_trace *trace;
    ws_replay_result done;
    int status = ws_trace_open(path, &trace);
    if (status)
        return status;
    char *const workload = ws_trace_workload(trace);
    r->workload = workload;
    r->first = r->subjects;
    status = workload ? WS_OK : WS_EMEM;
    for (size_t i = 0; i < ws_trace_launches(trace) && !status; i++)
        status = ws_trace_replay(trace, i, &how, &done);
    if (!status && ws_trace_damage(trace))
        status = ws_fail(WS_EINPUT, "%s", ws_trace_damage(trace));
    if (status)
        status = ws_fail_context(status, "%s", path);
    ws_trace_close(trace);
    free(workload);
    return status;
}

/* ------------------------------------------------------------------------------------------------ rows */

static double ratio(double a, double b)
{
    return b != 0 ? a / b : NAN;
}

static void set_values(const ws_cta_sums *s, double line, double *to)
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
        set_values(&s->sums[variant], m->l1_line, frame->value + row * COLUMNS);
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
    for (size_t i = 0; i < asked.traces.count && !status; i++)
        status = run_trace(&r, asked.traces.path[i]);
    if (!status && !r.subjects)
        status = ws_fail(WS_ENOTFOUND, "no launch in the traces");
    if (!status)
        status = print_rows(&r, argc, argv);
    for (size_t i = 0; i < r.subjects; i++) {
        free(r.subject[i].workload);
        free(r.subject[i].mangled);
        free(r.subject[i].kernel);
    }
    free(r.subject);
    ws_cta_variants_destroy(r.variant, r.variants);
    ws_trace_files_free(&asked.traces);
    return status;
}
