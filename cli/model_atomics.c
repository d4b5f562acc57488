/* model_atomics.c - `warpscape model atomics`: what would it give to do updates in the SMs, and send sums?
 *
 * Blocks are placed by the machine's own CTA scheduler, warps of an SM go in turn, and one pass over the lines that
 * they touch tells for buffers of all sizes what they hit: P. Dalmia, "Reducing Synchronization and Communication
 * Overheads in GPUs", 2023, chapter 3. */
#include "cli/atomics/update_account.h"
#include "cli/cli.h"
#include "base/data_folder.h"
#include "cli/machine_traces.h"
#include "cli/model.h"
#include "record/simulate/label_note.h"

#include "base/demangle.h"
#include "base/grow.h"
#include "model/sim/sm/decode.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct subject {
    char *workload, *mangled, *kernel;
    ws_update_subject of;
} subject;

typedef struct asked {
    ws_machine_traces about; /* first: ws_machine_traces_parse */
    bool linear, values, curve;
    uint64_t seed;
} asked;

typedef struct run {
    const asked *asked;
    ws_machine *machine;
    ws_lab_tech tech;
    subject *subject;
    size_t subjects, room, first; /* first: of the trace that is read */
    const char *workload;         /* of it */
    ws_label_seen labelled;       /* of all traces */
} run;

static const struct {
    const char *name, *unit;
} columns[] = {
#define COLUMN(name, unit, value) {#name, unit},
#include "cli/atomics/columns.def"
#undef COLUMN
};
enum { COLUMNS = sizeof columns / sizeof *columns };

/* ------------------------------------------------------------------------------------------------ options */

enum { KEY_LINEAR = 0x100, KEY_VALUES, KEY_SEED, KEY_CURVE };

static const struct argp_option options[] = {
    WS_MACHINE_TRACES_OPTIONS("lab"),
    {"linear", KEY_LINEAR, NULL, 0, "Energy of a buffer on a straight line by its lines [as the study prints it]", 0},
    {"curve", KEY_CURVE, NULL, 0, "Print the hit rate of buffers of 1, 2, 4 ... lines instead", 0},
    {"values", KEY_VALUES, NULL, 0,
     "Add updates up in buffers, with random operands, and print what memory holds at the end beside the same updates "
     "one by one",
     0},
    {"seed", KEY_SEED, "N", 0, "Of these operands [1]", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    asked *const a = state->input;
    switch (key) {
    case KEY_LINEAR:
        a->linear = true;
        return 0;
    case KEY_CURVE:
        a->curve = true;
        return 0;
    case KEY_VALUES:
        a->values = true;
        return 0;
    case KEY_SEED:
        a->seed = ws_cli_u64(state, "--seed", arg, 0, UINT64_MAX);
        return 0;
    case ARGP_KEY_END:
        if (a->curve && a->values)
            argp_error(state, "--curve and --values print different things: one of them");
        return ws_machine_traces_parse(key, arg, state);
    default:
        return ws_machine_traces_parse(key, arg, state);
    }
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "FILE.wst|DIR...",
    .doc = "Says, for each kernel of traces, what local atomic buffers of 8 to 256 lines and of all lines would keep "
           "of its updates (atomics that commute, whose result nobody "
           "reads), beside atomics at L2, lines that L1s own, and updates in ordinary lines of the L1: hits, messages, "
           "bytes, joules, and what bounds the time.\v"
           "A row for each kernel and way. --set sm.commutative=/REGEX/ names the kernels whose updates count. "
           "docs/atomics.md has the formulas, and how far off they are (`warpscape "
           "verify --atomics').\n\n"
           "Example:\n"
           "  warpscape suite run --scale tiny --trace traces HIS\n"
           "  warpscape model atomics traces",
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
    if (!status)
        status = ws_label_see(&r->labelled, r->machine, launch);
    return status ? status : ws_update_subject_add(&s->of, r->machine, launch, state, r->asked->values, r->asked->seed);
}

static bool is_commutative(const void *machine, const char *kernel)
{
    return ws_machine_is_commutative(machine, kernel);
}

static int run_trace(run *r, const char *path)
{
    const ws_update_log_options how_to_log = {.limit = WS_UPDATE_RECORDS_MOST,
                                              .line_bytes = r->machine->l1_line,
                                              .is_commutative = is_commutative,
                                              .context = r->machine};
    const ws_sink sink = ws_update_log_sink(&how_to_log), *const sinks[] = {&sink};
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

static double global_requests(const ws_update_subject *s)
{
    double sum = 0;
    for (unsigned i = 0; i < WS_UPDATE_POINT; i++)
        sum += s->reuse.kinds[i];
    return sum;
}

static int set_values(const run *r, const subject *of, size_t variant, double *to)
{
    const ws_update_subject *const s = &of->of;
    ws_update_account account, first;
    const ws_update_account *const a = &account, *const base = &first;
    int status = ws_update_account_of(s, of->kernel, r->machine, &r->tech, r->asked->linear, variant, &account);
    if (!status)
        status = ws_update_account_of(s, of->kernel, r->machine, &r->tech, r->asked->linear, 0, &first);
    if (status)
        return status;
    const double value[COLUMNS] = {
#define COLUMN(name, unit, value) (double)(value),
#include "cli/atomics/columns.def"
#undef COLUMN
    };
    memcpy(to, value, sizeof value);
    return WS_OK;
}

/* What a kind of report prints for a kernel: rows, their names, columns, values. */
typedef struct report {
    size_t rows, columns;
    void (*name)(size_t row, char *to, size_t room);
    const char *(*column)(size_t column, const char **unit);
    int (*values)(const run *r, const subject *of, size_t row, double *to);
} report;

static void name_variant(size_t row, char *to, size_t room)
{
    snprintf(to, room, "%s", ws_update_variant_name(row));
}

static const char *account_column(size_t column, const char **unit)
{
    *unit = columns[column].unit;
    return columns[column].name;
}

enum { CURVE = 14 };

static void name_size(size_t row, char *to, size_t room)
{
    snprintf(to, room, "%u", 1u << row);
}

static const char *const curve_columns[][2] = {{"requests", "requests"},   {"hit_rate", "ratio"},
                                               {"messages", "messages"},   {"mismatches", "lines"},
                                               {"phi_hit_rate", "ratio"},  {"owned_hit_rate", "ratio"},
                                               {"load_hit_rate", "ratio"}, {"load_hit_rate_beside", "ratio"},
                                               {"chip_hit_rate", "ratio"}};

static const char *curve_column(size_t column, const char **unit)
{
    *unit = curve_columns[column][1];
    return curve_columns[column][0];
}

static double rate(const ws_distances *d, double size)
{
    return ratio(ws_distances_below(d, size), ws_distances_all(d));
}

static int curve_values(const run *r, const subject *of, size_t row, double *to)
{
    const ws_update_subject *const s = &of->of;
    const ws_update_reuse *const u = &s->reuse;
    const double size = (double)(1u << row);
    const ws_update_buffer b = ws_update_buffer_of(u, size);
    (void)r;
    const double value[] = {u->kinds[WS_UPDATE_ADDS],
                            ratio(b.hits, u->kinds[WS_UPDATE_ADDS]),
                            b.misses,
                            b.mismatches,
                            rate(&u->phi, size),
                            rate(&u->owned, size),
                            rate(&u->loads, size),
                            rate(&u->loads_beside, size),
                            ratio(ws_distances_below(&s->chip[0].hits, size), s->chip[0].requests)};
    memcpy(to, value, sizeof value);
    return WS_OK;
}

static const char *const value_columns[][2] = {
    {"requests", "requests"}, {"elements", ""},         {"different", ""},      {"reals", ""}, {"mixed", ""},
    {"unknown", "requests"},  {"worst_error", "ratio"}, {"mean_error", "ratio"}};

static const char *value_column(size_t column, const char **unit)
{
    *unit = value_columns[column][1];
    return value_columns[column][0];
}

static int value_values(const run *r, const subject *of, size_t row, double *to)
{
    const ws_lab_result *const b = &of->of.buffer[row];
    (void)r;
    const double value[] = {b->updates, b->elements, b->different, b->reals,
                            b->mixed,   b->unknown,  b->worst,     ratio(b->error, b->reals)};
    memcpy(to, value, sizeof value);
    return WS_OK;
}

static const report accounts = {0, COLUMNS, name_variant, account_column, set_values};
static const report curves = {CURVE, sizeof curve_columns / sizeof *curve_columns, name_size, curve_column,
                              curve_values};
static const report contents = {0, sizeof value_columns / sizeof *value_columns, name_variant, value_column,
                                value_values};

static int print_rows(const run *r, const report *of, int argc, char **argv)
{
    static const char *const labels[] = {"workload", "kernel", "updates"};
    enum { LABELS = sizeof labels / sizeof *labels, NAME = 32 };
    const size_t rows = of->rows ? of->rows : ws_update_variants(r->machine);
    ws_frame *const frame = ws_frame_create(r->subjects * rows, of->columns, LABELS, labels);
    int status = frame ? ws_cli_sign(frame, argc, argv) : ws_fail(WS_EMEM, "out of memory");
    if (!status)
        status = ws_frame_note(frame, "machine: %s", r->machine->name);
    if (!status)
        status = ws_label_note(&r->labelled, r->machine, true, frame);
    for (size_t i = 0; i < of->columns && !status; i++) {
        const char *unit, *const name = of->column(i, &unit);
        status = ws_frame_set_column(frame, i, name, unit, "atomics");
    }
    for (size_t row = 0; row < r->subjects * rows && !status; row++) {
        const subject *const s = &r->subject[row / rows];
        char name[NAME];
        of->name(row % rows, name, sizeof name);
        const char *const label[LABELS] = {s->workload, s->kernel, name};
        for (size_t l = 0; l < LABELS && !status; l++)
            status = ws_frame_set_label(frame, row, l, label[l]);
        if (!status)
            status = of->values(r, s, row % rows, frame->value + row * of->columns);
    }
    if (!status)
        status = ws_frame_write(frame, stdout);
    ws_frame_destroy(frame);
    return status;
}

/* Sums of whole numbers do not depend on their order, so buffers may not change them. */
static int judge_values(const run *r)
{
    double different = 0;
    for (size_t i = 0; i < r->subjects; i++)
        for (size_t k = 0; k < ws_update_variants(r->machine); k++)
            different += r->subject[i].of.buffer[k].different;
    return different > 0 ? ws_fail(WS_EVERIFY,
                                   "%.0f whole numbers differ from what the updates make of them one by one", different)
                         : WS_OK;
}

static int read_tech(ws_lab_tech *tech)
{
    char folder[PATH_MAX], path[PATH_MAX + 32];
    const int status = ws_data_folder(folder, sizeof folder);
    snprintf(path, sizeof path, "%s/tech/lab_12nm.ini", folder);
    return status ? status : ws_lab_tech_read(path, tech);
}

int ws_model_atomics(int argc, char **argv)
{
    asked a = {.about = {.choice = {.config = "lab"}}, .seed = 1};
    ws_cli_parse(&argp, argc, argv, &a);
    ws_interrupts_catch();
    run r = {.asked = &a};
    int status = a.about.failed;
    if (!status)
        status = ws_machine_choose(&a.about.choice, &r.machine);
    if (!status)
        status = read_tech(&r.tech);
    for (size_t i = 0; i < a.about.traces.count && !status; i++)
        status = run_trace(&r, a.about.traces.path[i]);
    if (!status && !r.subjects)
        status = ws_fail(WS_ENOTFOUND, "no launch in the traces");
    if (!status)
        status = print_rows(&r, a.curve ? &curves : a.values ? &contents : &accounts, argc, argv);
    if (!status && a.values)
        status = judge_values(&r);
    for (size_t i = 0; i < r.subjects; i++) {
        free(r.subject[i].workload);
        free(r.subject[i].mangled);
        free(r.subject[i].kernel);
        ws_update_subject_fini(&r.subject[i].of);
    }
    free(r.subject);
    ws_machine_destroy(r.machine);
    ws_trace_files_free(&a.about.traces);
    return status;
}
