/* model_power.c - `warpscape model power`: watts and joules of each component, from profiles or by replay of traces. */
#include "base/status.h"
#include "model/mechanism/machine_traces.h"
#include "model/mechanism/mechanism.h"
#include "model/mechanism/power/power_frame.h"
#include "model/mechanism/power/power_heat.h"
#include "model/mechanism/power/power_machine.h"
#include "model/mechanism/power/power_source.h"
#include "model/machine/machine_choice.h"

#include "metrics/store/store.h"
#include "model/machine/machine_declared.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct request {
    const char *thermal, *activity;
    ws_machine_asked machine;
    ws_power_options power;
    ws_works_asked works;
    ws_per per;
    bool joules, dynamic, terms, map;
} request;

typedef struct run {
    const request *request;
    const ws_machine *machine;
    ws_activity_report *report;
    ws_power_options options;
    ws_power *power;
    ws_power_table *table;
    ws_frame *notes;
} run;

static const ws_option_row option_rows[] = {
    WS_OPTION_PROFILES(request, works.db, "warpscape.db, without traces"),
    WS_OPTION_TEXT(
        "activity", 'a', "FILE", request, activity,
        "Take activity from FILE, a frame of `sim --activity'; --config, --protocol and --set must be those of "
        "that simulation, chip, node, volts and temperature may differ"),
    WS_OPTION_CONFIG("MACHINE", request, machine, "The machine: a name of data/configs, or a path [gtsc]"),
    WS_OPTION_TEXT("protocol", 'p', "NAME", request, machine.choice.protocol,
                   "Its coherence protocol; none: plain caches [that of the machine]"),
    WS_OPTION_SET(request, machine, "Set an option of the machine, such as chip.core_clock=700MHz; may be repeated"),
    WS_OPTION_TEXT("chip", 0, "NAME|FILE", request, power.chip,
                   "Die, voltages and leakage: data/tech/chip_NAME.ini [that of the machine]"),
    WS_OPTION_TEXT("tech", 't', "NODE|FILE", request, power.node,
                   "The node: data/tech/node_NODE.ini, such as 22nm [the chip's]"),
    WS_OPTION_REAL("volts", 0, "VOLTS", request, power.volts, 0.1, 5, 1,
                   "Supply voltage of the chip [from its table for the core clock]"),
    WS_OPTION_REAL("temperature", 'T', "KELVIN", request, power.temperature_k, 200, 500, 1, "Of the die [the chip's]"),
    WS_OPTION_TEXT("thermal", 0, "NAME|FILE", request, thermal,
                   "The die is as hot as all launches together make it for ever: die and package, "
                   "data/tech/thermal_NAME.ini [temperature as given]"),
    WS_OPTION_WORD("per", 'P', "launch|kernel|workload", request, per, ws_per_words, "Unit of a row [workload]"),
    WS_OPTION_FLAG("joules", 0, request, joules, "Columns of components in joules [watts]"),
    WS_OPTION_FLAG("dynamic", 0, request, dynamic,
                   "Columns of components without leakage and other constant power [with both]"),
    WS_OPTION_FLAG("map", 0, request, map,
                   "With --thermal: print instead each block of the die with its place, watts and temperature, for "
                   "`warpscape plot floor'"),
    WS_OPTION_FLAG(
        "terms", 0, request, terms,
        "Print each term of the model instead: cost of one event with its derivation, number of events, joules"),
    WS_TRACE_ARGUMENTS(request, works.traces, NULL),
    {0},
};

static void check(const struct argp_state *state, const void *asked)
{
    const request *const r = asked;
    ws_check_works(state, &r->works);
    if (r->activity && (r->works.db || r->works.traces.files.count))
        argp_error(state, "--activity provides the activity of launches: not with a results file or traces");
    if (r->thermal && r->power.temperature_k > 0)
        argp_error(state, "--thermal computes the temperature; leave out --temperature");
    if (r->map && (!r->thermal || r->terms))
        argp_error(state, "--map needs --thermal, and excludes --terms");
    if (r->dynamic && (r->terms || r->map))
        argp_error(state, "--dynamic is of components; --terms and --map have none");
}

static const ws_options options = {
    .rows = option_rows,
    .check = check,
    .args_doc = "[FILE.wst|DIR...]",
    .doc = "Prints the cost of launches on a machine: watts of each component, joules, seconds.\vWithout traces it "
           "uses the profiles of a results file, in microseconds per launch; with traces it replays caches, access by "
           "access. Both estimate time; `warpscape sim --power' uses that of a simulation, as does `--activity' of a "
           "stored one. docs/power.md describes the terms of each number.\n\nExample:\n  warpscape suite run "
           "--profile\n  warpscape model power --config rtx2060",
};

/* ------------------------------------------------------------------------------------------------ */

static void sum_all(const run *r, ws_activity *sum)
{
    ws_activity_stretch s;
    *sum = (ws_activity){0};
    for (size_t i = 0; ws_activity_report_at(r->report, i, &s); i++)
        ws_activity_add(sum, s.did);
}

/* With --thermal the die is as hot as it gets. */
static int make_power(run *r, const ws_activity *sum)
{
    int status = WS_OK;
    r->options = r->request->power;
    if (r->request->thermal)
        status = ws_power_heat(r->machine, &r->options, r->request->thermal, sum, &r->options.temperature_k);
    return status ? status : ws_power_create(r->machine, &r->options, &r->power);
}

static int work(ws_prediction_run *of)
{
    run *const r = of->state;
    ws_activity sum;
    r->request = of->request;
    r->notes = of->notes;
    r->machine = of->machine;
    int status = ws_frame_note(r->notes, WS_MACHINE_NOTE, ws_machine_name(r->machine), ws_machine_protocol(r->machine));
    if (!status)
        status = ws_activity_report_create(WS_ACTIVITY_SIMULATION, &r->report);
    if (!status)
        status = r->request->activity ? ws_power_from_activity(r->machine, r->request->activity, r->report)
                                      : ws_power_from_works(r->machine, &r->request->works, r->report, r->notes);
    if (!status) {
        sum_all(r, &sum);
        status = make_power(r, &sum);
    }
    if (!status && r->request->terms)
        return ws_power_terms_frame(r->power, &sum, &of->frame);
    if (!status && r->request->map)
        return ws_power_heat_frame(r->machine, &r->options, r->request->thermal, &sum, &of->frame);
    if (!status)
        status = ws_power_table_create(r->power, r->request->dynamic ? WS_POWER_DYNAMIC : WS_POWER_ALL,
                                       r->request->joules, &r->table);
    if (!status)
        status = ws_power_table_per(r->table, r->report, r->request->per);
    return status ? status : ws_power_table_frame(r->table, &of->frame);
}

static void close_all(const ws_prediction_run *of)
{
    run *const r = of->state;
    ws_power_table_destroy(r->table);
    ws_power_destroy(r->power);
    ws_activity_report_destroy(r->report);
}

const ws_mechanism ws_mechanism_power = {
    .options = &options,
    .asked = &(const request){.machine.choice.config = "gtsc", .per = WS_PER_WORKLOAD},
    .asked_bytes = sizeof(request),
    .traces = offsetof(request, works.traces),
    WS_ON_MACHINE(request, machine),
    .model.state_bytes = sizeof(run),
    .model.finish = work,
    .model.close = close_all,
    .quantities = &ws_power_quantities,
};
