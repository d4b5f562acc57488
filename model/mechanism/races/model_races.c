/* model_races.c - `warpscape model races`: how often would epochs begin, copies expire and filters be wrong, what would
 * that send and cost?
 *
 * Sequential consistency by race detection (Tabbakh, "Efficient Memory Coherence and Consistency Support for Enabling
 * Data Sharing in GPUs", 2018, chapter 4) without a simulation: a functional replay of traces with filters and with
 * exact sets, and closed forms beside it. */
#include "model/mechanism/mechanism.h"
#include "model/mechanism/races/race_study.h"
#include "model/machine/machine_declared.h"
#include "model/mechanism/ratio.h"

#define WS_COLUMNS "model/mechanism/races/races_columns.def"
#include "model/mechanism/column_names.def"

typedef struct request {
    ws_machine_traces on;
    double hidden;
} request;

/* ------------------------------------------------------------------------------------------------ options */

static const ws_option_row option_rows[] = {
    WS_MACHINE_TRACES_OPTIONS(request, on, "races"),
    WS_OPTION_REAL("hidden", 0, "PERCENT", request, hidden, 0, 100, 100,
                   "Share of the round trip to the detector that other work of an SM hides, for form_slowdown [0]"),
    {0},
};

static const ws_options options = {
    .rows = option_rows,
    .args_doc = "FILE.wst|DIR...",
    .doc =
        "Evaluates race detection on the accesses of traces: causes of epochs, copies that must not be read, false "
        "positives of filters, added bytes and joules.\vThe output has two rows for each trace, with filters and with "
        "exact sets. It has counts of a replay without time, closed forms (form_...) of the same, and the slowdown of "
        "SMs that wait for each answer. docs/races.md has the forms and their errors (`warpscape verify "
        "--races').\n\nExample:\n  warpscape suite run --scale tiny --trace traces BFS\n  warpscape model races traces",
};

/* ------------------------------------------------------------------------------------------------ rows */

static int add_row(ws_frame *frame, const char *workload, const ws_race_study *s, size_t set)
{
    const ws_race_outcome *const o = &s->with[set];
    const ws_race_counts *const c = &o->did.races;
    const ws_race_predicted *const f = &o->form;
#include "model/mechanism/column_values.def"
    return ws_frame_add_row(frame, (const char *[]){workload, ws_race_set_names[set]}, value);
}

static int run_trace(ws_prediction_run *r, ws_trace *trace, const char *workload)
{
    const request *const q = r->request;
    const ws_race_study_options how = {.machine = r->machine, .hidden = q->hidden};
    ws_race_study study;
    int status = ws_race_study_trace(trace, &how, &study);
    for (size_t set = 0; set < WS_RACE_SETS && !status; set++)
        status = add_row(r->frame, workload, &study, set);
    return status;
}

static int note_machine(ws_prediction_run *r)
{
    return ws_frame_note(r->notes, WS_MACHINE_NOTE, ws_machine_name(r->machine), ws_machine_protocol(r->machine));
}

const ws_mechanism ws_mechanism_races = {
    .options = &options,
    .asked = &(const request){.on.machine.choice.config = "races"},
    .asked_bytes = sizeof(request),
    .traces = offsetof(request, on.traces),
    .model.layout = {{"workload", "sets"}, columns, COLUMNS, "races"},
    WS_ON_MACHINE(request, on.machine),
    .model.open = note_machine,
    .model.trace = run_trace,
    .subject = &ws_subject_races,
};
