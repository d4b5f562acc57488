/* model_time.c - `warpscape model time`: the time of each kernel on a machine, and its parts. */
#include "base/options/frame_output.h"
#include "base/status.h"
#include "model/machine/machine.h"
#include "model/mechanism/machine_traces.h"
#include "model/mechanism/mechanism.h"
#include "model/mechanism/profile_walk.h"
#include "base/waiting_note.h"
#include "model/mechanism/work_rows.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef struct request {
    ws_machine_asked machine;
    const char *db;
    ws_frame_output output;
} request;

static const ws_option_row option_rows[] = {
    WS_OPTION_TEXT("db", 'd', "FILE", request, db, "Results file with profiles [warpscape.db]"),
    WS_OPTION_CONFIG("MACHINE", request, machine, "The machine: a name of data/configs, or a path [qv100]"),
    WS_OPTION_SET(request, machine, "Set an option of the machine, such as l1.ways=8; may be repeated"),
    {0},
};

static const struct argp_child children[] = {{&ws_frame_output_argp, 0, NULL, 0}, {0}};
static const ws_options options = {
    .rows = option_rows,
    .refuse = "unexpected argument '%s': the results file is given by --db",
    .children = children,
    .child = {offsetof(request, output)},
    .doc = "Estimates the time of each kernel of a results file on a machine, and its parts: dependent "
           "instructions, loads, and queues at each resource.\v"
           "It takes profiles, which runs with --profile keep, and simulates nothing. docs/launch-time.md has the form "
           "and its errors; `warpscape verify --time' compares it with simulations.\n\n"
           "Example:\n"
           "  warpscape suite run --profile\n"
           "  warpscape model time --config rtx3090 --format table",
};

/* Launches of a kernel. */
typedef struct sum {
    double launches, cycles, clock; /* clock: cycles a second */
    double part[WS_TIME_PARTS];
} sum;

#define WS_COLUMNS "model/mechanism/time/time_columns.def"
#include "model/mechanism/column_names.def"

typedef struct study {
    ws_prediction_run *run;
    ws_closed_forms forms;
    ws_work_rows rows; /* a sum each */
    char *workload;
    uint64_t launches, waiting; /* of the workload; with loops that wait for other threads */
} study;

static int end_workload(study *s, const char *next)
{
    int status = s->workload ? ws_note_waiting(s->run->notes, s->workload, s->waiting, s->launches) : WS_OK;
    free(s->workload);
    s->workload = next ? strdup(next) : NULL;
    s->launches = s->waiting = 0;
    return status || !next || s->workload ? status : ws_fail(WS_EMEM, "out of memory");
}

static int see(void *context, const ws_store_profile *stored, const ws_traffic_profile *profile)
{
    study *const s = context;
    ws_closed_result one = {0};
    int status = s->workload && !strcmp(s->workload, stored->workload) ? WS_OK : end_workload(s, stored->workload);
    if (!status)
        status = ws_closed_form_add(s->forms.form, stored->kernel, profile, &one);
    sum *const into = status ? NULL : ws_work_rows_find(&s->rows, stored->workload, stored->kernel, 0, true);
    if (!into)
        return status ? status : WS_EMEM;
    s->launches++;
    s->waiting += profile->waits != 0;
    into->launches++;
    into->cycles += one.cycles;
    into->clock = s->run->machine->chip_core_clock * 1e3;
    for (unsigned i = 0; i < WS_TIME_PARTS; i++)
        into->part[i] += one.part[i];
    return WS_OK;
}

static int add_row(ws_frame *frame, const ws_work_row *row)
{
    const sum *const s = row->kept;
#include "model/mechanism/column_values.def"
    return ws_frame_add_row(frame, (const char *[]){row->workload, row->kernel}, value);
}

static int open_study(ws_prediction_run *run)
{
    study *const s = run->state;
    s->run = run;
    s->rows.bytes = sizeof(sum);
    const int status = ws_frame_note(run->notes, "machine: %s", ws_machine_name(run->machine));
    return status ? status : ws_closed_forms_of(run->machine, run->notes, &s->forms);
}

static int finish(ws_prediction_run *run)
{
    study *const s = run->state;
    int status = ws_profile_walk(((const request *)run->request)->db, see, s, run->notes);
    if (!status)
        status = end_workload(s, NULL);
    for (size_t i = 0; i < s->rows.count && !status; i++)
        status = add_row(run->frame, &s->rows.row[i]);
    return status;
}

static void close_study(const ws_prediction_run *run)
{
    study *const s = run->state;
    ws_closed_form_destroy(s->forms.form);
    ws_work_rows_fini(&s->rows);
    free(s->workload);
}

const ws_mechanism ws_mechanism_time = {
    .options = &options,
    .asked = &(const request){.machine.choice.config = "qv100", .db = "warpscape.db", .output.definitions = true},
    .asked_bytes = sizeof(request),
    .traces = WS_NO_TRACES,
    .model.layout = {{"workload", "kernel"}, columns, COLUMNS, "time"},
    WS_ON_MACHINE(request, machine),
    .model.state_bytes = sizeof(study),
    .model.open = open_study,
    .model.finish = finish,
    .model.close = close_study,
    .subject = &ws_subject_time,
};
