/* model_atomics.c - `warpscape model atomics`: what would it give to do updates in the SMs, and send sums?
 *
 * Blocks are placed by the machine's own CTA scheduler, warps of an SM go in turn, and one pass over the lines that
 * they touch tells for buffers of all sizes what they hit: P. Dalmia, "Reducing Synchronization and Communication
 * Overheads in GPUs", 2023, chapter 3. */
#include "base/data_folder.h"
#include "base/status.h"
#include "model/mechanism/atomics/update_account.h"
#include "model/mechanism/work_rows.h"
#include "model/mechanism/mechanism.h"
#include "model/mechanism/ratio.h"
#include "record/simulate/label_note.h"

#include "model/machine/machine_declared.h"
#include "model/mechanism/trace_walk.h"
#include <limits.h>
#include <stdio.h>

#define WS_COLUMNS "model/mechanism/atomics/atomics_columns.def"
#include "model/mechanism/column_names.def"

typedef struct asked {
    ws_machine_traces about;
    bool linear, values, curve;
    uint64_t seed;
} asked;

typedef struct run {
    const asked *asked;
    const ws_machine *machine;
    ws_lab_tech tech;
    ws_work_rows kernels;   /* of each a ws_update_subject */
    const char *workload;   /* of the trace that is read */
    ws_label_seen labelled; /* of all traces */
} run;

/* ------------------------------------------------------------------------------------------------ options */

static const ws_option_row option_rows[] = {
    WS_MACHINE_TRACES_OPTIONS(asked, about, "lab"),
    WS_OPTION_FLAG("linear", 0, asked, linear,
                   "Energy of a buffer on a straight line by its lines [as the study prints it]"),
    WS_OPTION_FLAG("curve", 0, asked, curve, "Print the hit rate of buffers of 1, 2, 4 ... lines instead"),
    WS_OPTION_FLAG("values", 0, asked, values,
                   "Combine updates with random operands in buffers, and compare the final memory with the same "
                   "updates one by one"),
    WS_OPTION_NUMBER("seed", 0, "N", asked, seed, 0, UINT64_MAX, "Seed of these operands [1]"),
    {0},
};

static void check(const struct argp_state *state, const void *request)
{
    const asked *const a = request;
    if (a->curve && a->values)
        argp_error(state, "--curve and --values print different things: one of them");
}

static const ws_options options = {
    .rows = option_rows,
    .check = check,
    .args_doc = "FILE.wst|DIR...",
    .doc =
        "Predicts, for each kernel of traces, the hits of local atomic buffers of 8 to 256 lines and of unlimited size "
        "for its updates (commutative atomics whose result is not used), compared with atomics at L2, lines owned by "
        "L1s, and updates in ordinary lines of the L1: hits, messages, bytes, joules, and bounds of the time.\vThe "
        "output has a row for each kernel and rule. --set sm.commutative=/REGEX/ selects the kernels whose updates "
        "count. docs/atomics.md has the formulas and their errors (`warpscape verify --atomics').\n\nExample:\n  "
        "warpscape suite run --scale tiny --trace traces HIS\n  warpscape model atomics traces",
};

/* ------------------------------------------------------------------------------------------------ traces */

static int take_log(void *context, const ws_launch *launch, size_t sink, void *state)
{
    run *const r = context;
    (void)sink;
    ws_update_subject *const s = ws_work_rows_kernel(&r->kernels, r->workload, launch->kernel);
    const int status = s ? ws_label_see(&r->labelled, r->machine, launch) : WS_EMEM;
    return status ? status : ws_update_subject_add(s, r->machine, launch, state, r->asked->values, r->asked->seed);
}

static int run_trace(ws_prediction_run *of, ws_trace *trace, const char *workload)
{
    run *const r = of->state;
    r->workload = workload;
    r->kernels.first = r->kernels.count;
    return ws_update_logs_take(trace, r->machine, take_log, r);
}

/* ------------------------------------------------------------------------------------------------ rows */

static double global_requests(const ws_update_subject *s)
{
    double sum = 0;
    for (unsigned i = 0; i < WS_UPDATE_POINT; i++)
        sum += s->reuse.kinds[i];
    return sum;
}

static int add_row(const ws_prediction_run *of, const ws_work_row *k, const char *name, const double *value)
{
    return ws_frame_add_row(of->frame, (const char *[]){k->workload, k->kernel, name}, value);
}

static int add_account(const ws_prediction_run *of, const ws_work_row *kernel, size_t variant)
{
    const run *const r = of->state;
    const ws_update_subject *const s = kernel->kept;
    ws_update_account account, first;
    const ws_update_account *const a = &account, *const base = &first;
    int status = ws_update_account_of(s, kernel->kernel, r->machine, &r->tech, r->asked->linear, variant, &account);
    if (!status)
        status = ws_update_account_of(s, kernel->kernel, r->machine, &r->tech, r->asked->linear, 0, &first);
    if (status)
        return status;
#include "model/mechanism/column_values.def"
    return add_row(of, kernel, ws_update_variant_name(variant), value);
}

static const ws_frame_column curve_columns[] = {{"requests", "requests"},   {"hit_rate", "ratio"},
                                                {"messages", "messages"},   {"mismatches", "lines"},
                                                {"phi_hit_rate", "ratio"},  {"owned_hit_rate", "ratio"},
                                                {"load_hit_rate", "ratio"}, {"load_hit_rate_beside", "ratio"},
                                                {"chip_hit_rate", "ratio"}};

static double rate(const ws_distances *d, double size)
{
    return ws_ratio(ws_distances_below(d, size), ws_distances_all(d));
}

static int add_size(const ws_prediction_run *of, const ws_work_row *kernel, size_t power)
{
    enum { NAME = 32 };
    char name[NAME];
    const ws_update_subject *const s = kernel->kept;
    const ws_update_reuse *const u = &s->reuse;
    const double size = (double)(1u << power);
    const ws_update_buffer b = ws_update_buffer_of(u, size);
    const double value[] = {u->kinds[WS_UPDATE_ADDS],
                            ws_ratio(b.hits, u->kinds[WS_UPDATE_ADDS]),
                            b.misses,
                            b.mismatches,
                            rate(&u->phi, size),
                            rate(&u->owned, size),
                            rate(&u->loads, size),
                            rate(&u->loads_beside, size),
                            ws_ratio(ws_distances_below(&s->chip[0].buffer.hits, size), s->chip[0].requests)};
    snprintf(name, sizeof name, "%.0f", size);
    return add_row(of, kernel, name, value);
}

static const ws_frame_column content_columns[] = {
    {"requests", "requests"}, {"elements", ""},         {"different", ""},      {"reals", ""}, {"mixed", ""},
    {"unknown", "requests"},  {"worst_error", "ratio"}, {"mean_error", "ratio"}};

static int add_contents(const ws_prediction_run *of, const ws_work_row *kernel, size_t variant)
{
    const ws_lab_result *const b = &((const ws_update_subject *)kernel->kept)->buffer[variant];
    const double value[] = {b->updates, b->elements, b->different, b->reals,
                            b->mixed,   b->unknown,  b->worst,     ws_ratio(b->error, b->reals)};
    return add_row(of, kernel, ws_update_variant_name(variant), value);
}

/* What can be printed of a kernel. */
typedef struct report {
    ws_frame_layout layout;
    size_t rows; /* 0: one a variant */
    int (*add)(const ws_prediction_run *of, const ws_work_row *kernel, size_t row);
} report;

enum { CURVE = 14 };
#define LAYOUT(columns) \
    { \
        {"workload", "kernel", "updates"}, columns, sizeof(columns) / sizeof *(columns), "atomics" \
    }
static const report accounts = {LAYOUT(columns), 0, add_account};
static const report curves = {LAYOUT(curve_columns), CURVE, add_size};
static const report contents = {LAYOUT(content_columns), 0, add_contents};

static const report *report_of(const asked *a)
{
    return a->curve ? &curves : a->values ? &contents : &accounts;
}

static int add_rows(ws_prediction_run *of)
{
    const run *const r = of->state;
    const report *const kind = report_of(r->asked);
    const size_t rows = kind->rows ? kind->rows : ws_update_variants(r->machine);
    int status = r->kernels.count ? ws_label_note(&r->labelled, r->machine, true, of->notes)
                                  : ws_fail(WS_ENOTFOUND, "no launch in the traces");
    for (size_t i = 0; i < r->kernels.count && !status; i++)
        for (size_t row = 0; row < rows && !status; row++)
            status = kind->add(of, &r->kernels.row[i], row);
    return status;
}

/* Sums of whole numbers do not depend on their order, so buffers may not change them. */
static int judge_values(const ws_prediction_run *of)
{
    const run *const r = of->state;
    double different = 0;
    for (size_t i = 0; i < r->kernels.count && r->asked->values; i++)
        for (size_t k = 0; k < ws_update_variants(r->machine); k++)
            different += ((const ws_update_subject *)r->kernels.row[i].kept)->buffer[k].different;
    return different > 0
               ? ws_fail(WS_EVERIFY, "%.0f integers differ from the result of the updates one by one", different)
               : WS_OK;
}

static int read_tech(ws_lab_tech *tech)
{
    char folder[PATH_MAX], path[PATH_MAX + 32];
    const int status = ws_data_folder(folder, sizeof folder);
    snprintf(path, sizeof path, "%s/tech/lab_12nm.ini", folder);
    return status ? status : ws_lab_tech_read(path, tech);
}

static int open_machine(ws_prediction_run *of)
{
    run *const r = of->state;
    *r = (run){.asked = of->request, .kernels.bytes = sizeof(ws_update_subject)};
    of->layout = &report_of(r->asked)->layout;
    r->machine = of->machine;
    const int status = ws_frame_note(of->notes, "machine: %s", ws_machine_name(r->machine));
    return status ? status : read_tech(&r->tech);
}

static void close_machine(const ws_prediction_run *of)
{
    run *const r = of->state;
    for (size_t i = 0; i < r->kernels.count; i++)
        ws_update_subject_fini(r->kernels.row[i].kept);
    ws_work_rows_fini(&r->kernels);
}

const ws_mechanism ws_mechanism_atomics = {
    .options = &options,
    .asked = &(const asked){.about.machine.choice.config = "lab", .seed = 1},
    .asked_bytes = sizeof(asked),
    .traces = offsetof(asked, about.traces),
    WS_ON_MACHINE(asked, about.machine),
    .model.state_bytes = sizeof(run),
    .model.open = open_machine,
    .model.trace = run_trace,
    .model.finish = add_rows,
    .model.judge = judge_values,
    .model.close = close_machine,
    .subject = &ws_subject_atomics,
};
