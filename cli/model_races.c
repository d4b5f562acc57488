/* model_races.c - `warpscape model races`: how often would epochs begin, copies expire and filters be wrong, what would
 * that send and cost?
 *
 * Sequential consistency by race detection (Tabbakh, "Efficient Memory Coherence and Consistency Support for Enabling
 * Data Sharing in GPUs", 2018, chapter 4) without a simulation: a functional replay of traces with filters and with
 * exact sets, and closed forms beside it. */
#include "cli/cli.h"
#include "cli/machine_traces.h"
#include "cli/model.h"
#include "cli/races/race_study.h"

#include "base/grow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct request {
    ws_machine_traces on; /* first: its parser is given the whole */
    double hidden;
} request;

typedef struct subject {
    char *workload;
    ws_race_study study;
} subject;

typedef struct run {
    const request *request;
    ws_machine *machine;
    subject *subject;
    size_t subjects, room;
} run;

static const struct {
    const char *name, *unit;
} columns[] = {
#define COLUMN(name, unit, value) {#name, unit},
#include "cli/races/columns.def"
#undef COLUMN
};
enum { COLUMNS = sizeof columns / sizeof *columns };

/* ------------------------------------------------------------------------------------------------ options */

enum { KEY_HIDDEN = 0x100 };

static const struct argp_option options[] = {
    WS_MACHINE_TRACES_OPTIONS("races"),
    {"hidden", KEY_HIDDEN, "PERCENT", 0,
     "Of the way to the detector and back, what an SM has something else to do for: for form_slowdown [0]", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    request *const r = state->input;
    if (key != KEY_HIDDEN)
        return ws_machine_traces_parse(key, arg, state);
    r->hidden = ws_cli_double(state, "--hidden", arg, 0, 100) / 100;
    return 0;
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "FILE.wst|DIR...",
    .doc = "Says what race detection does with the accesses of traces: what begins epochs, which copies may not be "
           "read any more, how often filters are wrong, bytes and joules "
           "that come on top.\v"
           "Two rows for each trace, with filters and with sets that make no mistakes. First what a replay without "
           "time counts, then what closed forms (form_...) say of the same, "
           "and how much slower SMs are that wait for each answer. docs/races.md has the forms, and how far off they "
           "are (`warpscape verify --races').\n\n"
           "Example:\n"
           "  warpscape suite run --scale tiny --trace traces BFS\n"
           "  warpscape model races traces",
};

/* ------------------------------------------------------------------------------------------------ traces */

static int run_trace(run *r, const char *path)
{
    ws_trace *trace;
    int status = ws_trace_open(path, &trace);
    if (status)
        return status;
    if (WS_GROW(r->subject, r->room, r->subjects, 1))
        status = ws_fail(WS_EMEM, "out of memory");
    if (!status) {
        subject *const s = &r->subject[r->subjects];
        *s = (subject){.workload = ws_trace_workload(trace)};
        r->subjects += s->workload != NULL;
        status = s->workload ? ws_race_study_trace(
                                   trace, &(ws_race_study_options){.machine = r->machine, .hidden = r->request->hidden},
                                   &s->study)
                             : WS_EMEM;
    }
    if (status)
        status = ws_fail_context(status, "%s", path);
    ws_trace_close(trace);
    return status;
}

/* ------------------------------------------------------------------------------------------------ rows */

static double ratio(double a, double b)
{
    return b != 0 ? a / b : NAN;
}

static void set_values(const ws_race_study *s, const ws_race_outcome *o, double *to)
{
    const ws_race_counts *const c = &o->did.races;
    const ws_race_predicted *const f = &o->form;
    const double value[COLUMNS] = {
#define COLUMN(name, unit, value) (double)(value),
#include "cli/races/columns.def"
#undef COLUMN
    };
    memcpy(to, value, sizeof value);
}

static int print_rows(const run *r, int argc, char **argv)
{
    static const char *const labels[] = {"workload", "sets"};
    enum { LABELS = sizeof labels / sizeof *labels };
    ws_frame *const frame = ws_frame_create(r->subjects * WS_RACE_SETS, COLUMNS, LABELS, labels);
    int status = frame ? ws_cli_sign(frame, argc, argv) : ws_fail(WS_EMEM, "out of memory");
    if (!status)
        status = ws_frame_note(frame, "machine: %s, protocol %s", r->machine->name, r->machine->coherence_protocol);
    for (size_t i = 0; i < COLUMNS && !status; i++)
        status = ws_frame_set_column(frame, i, columns[i].name, columns[i].unit, "races");
    for (size_t row = 0; row < r->subjects * WS_RACE_SETS && !status; row++) {
        const subject *const s = &r->subject[row / WS_RACE_SETS];
        const char *const label[LABELS] = {s->workload, ws_race_set_names[row % WS_RACE_SETS]};
        for (size_t l = 0; l < LABELS && !status; l++)
            status = ws_frame_set_label(frame, row, l, label[l]);
        set_values(&s->study, &s->study.with[row % WS_RACE_SETS], frame->value + row * COLUMNS);
    }
    if (!status)
        status = ws_frame_write(frame, stdout);
    ws_frame_destroy(frame);
    return status;
}

int ws_model_races(int argc, char **argv)
{
    request asked = {.on.choice = {.config = "races"}};
    ws_cli_parse(&argp, argc, argv, &asked);
    ws_interrupts_catch();
    run r = {.request = &asked};
    int status = asked.on.failed;
    if (!status)
        status = ws_machine_choose(&asked.on.choice, &r.machine);
    for (size_t i = 0; i < asked.on.traces.count && !status; i++)
        status = run_trace(&r, asked.on.traces.path[i]);
    if (!status)
        status = print_rows(&r, argc, argv);
    for (size_t i = 0; i < r.subjects; i++)
        free(r.subject[i].workload);
    free(r.subject);
    ws_machine_destroy(r.machine);
    ws_trace_files_free(&asked.on.traces);
    return status;
}
