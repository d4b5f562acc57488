/* model_power.c - `warpscape model power`: watts and joules of each component, from profiles or by replay of traces. */
#include "cli/cli.h"
#include "base/data_folder.h"
#include "cli/machine_settings.h"
#include "cli/model.h"
#include "cli/power/power_frame.h"
#include "cli/power/power_heat.h"
#include "cli/power/power_source.h"
#include "record/simulate/machine_choice.h"
#include "model/mechanism/trace_files.h"

#include "metrics/store/store.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct request {
    const char *db, *thermal;
    ws_machine_choice machine;
    const char *setting[WS_MACHINE_SETTINGS_MOST];
    ws_power_options power;
    ws_trace_files traces;
    ws_per per;
    bool joules, terms;
    int failed; /* a folder without traces */
} request;

typedef struct run {
    const request *request;
    ws_machine *machine;
    ws_activity_report *report;
    ws_power *power;
    ws_power_table *table;
    ws_frame *notes;
} run;

enum { KEY_VOLTS = 0x100, KEY_TERMS, KEY_JOULES, KEY_THERMAL, KEY_CHIP };
static const char *const pers[] = {
    [WS_PER_LAUNCH] = "launch", [WS_PER_KERNEL] = "kernel", [WS_PER_WORKLOAD] = "workload", NULL};

static const struct argp_option options[] = {
    {"db", 'd', "FILE", 0,
     "Results file with profiles (`--profile' of suite run, exec and replay) [warpscape.db, without traces]", 0},
    {"config", 'c', "MACHINE", 0, "The machine: a name of data/configs, or a path [gtsc]", 0},
    {"protocol", 'p', "NAME", 0, "Its coherence protocol; none: plain caches [what the machine says]", 0},
    {"set", 's', "OPTION=VALUE", 0, "Set an option of the machine, such as chip.core_clock=700MHz; may be repeated", 0},
    {"chip", KEY_CHIP, "NAME|FILE", 0, "Die, voltages and leakage: data/tech/chip_NAME.ini [what the machine says]", 0},
    {"tech", 't', "NODE|FILE", 0, "The node: data/tech/node_NODE.ini, such as 22nm [the chip's]", 0},
    {"volts", KEY_VOLTS, "VOLTS", 0, "Supply of the chip [what its table has for the core clock]", 0},
    {"temperature", 'T', "KELVIN", 0, "Of the die [the chip's]", 0},
    {"thermal", KEY_THERMAL, "NAME|FILE", 0,
     "The die is as hot as all launches together make it for ever: die and package, data/tech/thermal_NAME.ini "
     "[temperature as given]",
     0},
    {"per", 'P', "launch|kernel|workload", 0, "What a row is of [workload]", 0},
    {"joules", KEY_JOULES, NULL, 0, "Columns of components in joules [watts]", 0},
    {"terms", KEY_TERMS, NULL, 0,
     "Print instead each term of the model: what one event costs and why, how many there are, joules", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    request *const r = state->input;
    switch (key) {
    case 'd':
        r->db = arg;
        return 0;
    case 'c':
        r->machine.config = arg;
        return 0;
    case 'p':
        r->machine.protocol = arg;
        return 0;
    case 's':
        ws_machine_settings_add(r->setting, &r->machine.settings, arg, state);
        return 0;
    case KEY_CHIP:
        r->power.chip = arg;
        return 0;
    case 't':
        r->power.node = arg;
        return 0;
    case KEY_VOLTS:
        r->power.volts = ws_cli_double(state, "--volts", arg, 0.1, 5);
        return 0;
    case 'T':
        r->power.temperature_k = ws_cli_double(state, "--temperature", arg, 200, 500);
        return 0;
    case KEY_THERMAL:
        r->thermal = arg;
        return 0;
    case 'P':
        r->per = (ws_per)ws_cli_choice(state, "--per", arg, pers);
        return 0;
    case KEY_JOULES:
        r->joules = true;
        return 0;
    case KEY_TERMS:
        r->terms = true;
        return 0;
    case ARGP_KEY_ARG:
        r->failed = r->failed ? r->failed : ws_trace_files_add(&r->traces, arg);
        return 0;
    case ARGP_KEY_END:
        if (r->db && r->traces.count)
            argp_error(state, "a results file or traces, not both");
        if (r->thermal && r->power.temperature_k > 0)
            argp_error(state, "--temperature says what --thermal works out: give one of the two");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "[FILE.wst|DIR...]",
    .doc = "Prints what launches cost on a machine: watts of each component, joules, seconds.\v"
           "Without traces from the profiles of a results file, in microseconds a launch; with traces caches are "
           "replayed, access by access. Time is "
           "estimated in both; `warpscape sim --power' has that of a simulation. docs/power.md says what each number "
           "is made of.\n\n"
           "Example:\n"
           "  warpscape suite run --profile\n"
           "  warpscape model power --config rtx2060",
};

/* ------------------------------------------------------------------------------------------------ */

static int read_sources(run *r)
{
    const request *const q = r->request;
    if (!q->traces.count)
        return ws_power_from_profiles(r->machine, q->db ? q->db : "warpscape.db", r->report, r->notes);
    int status = WS_OK;
    for (size_t i = 0; i < q->traces.count && !status; i++)
        status = ws_power_from_trace(r->machine, q->traces.path[i], r->report, r->notes);
    return status;
}

static void sum_all(const run *r, ws_activity *sum)
{
    ws_activity_stretch s;
    *sum = (ws_activity){0};
    for (size_t i = 0; ws_activity_report_at(r->report, i, &s); i++)
        ws_activity_add(sum, s.did);
}

static int make_power(run *r)
{
    ws_power_options o = r->request->power;
    ws_activity sum;
    int status = WS_OK;
    if (r->request->thermal) {
        sum_all(r, &sum);
        status = ws_power_heat(r->machine, &o, r->request->thermal, &sum, &o.temperature_k);
    }
    return status ? status : ws_power_create(r->machine, &o, &r->power);
}

static int add_rows(run *r)
{
    const ws_per per = r->request->per;
    ws_activity_stretch s;
    int status = ws_power_table_create(r->power, r->request->joules, &r->table);
    for (size_t i = 0; !status && ws_activity_report_at(r->report, i, &s); i++) {
        ws_power_row row = {.workload = s.workload,
                            .kernel = per == WS_PER_WORKLOAD ? "" : s.kernel,
                            .launch = per == WS_PER_LAUNCH ? s.launch : 0,
                            .cycles = s.cycles};
        ws_power_energy(r->power, s.did, &row.energy);
        status = ws_power_table_add(r->table, &row);
    }
    return status;
}

static int work(ws_prediction_run *of)
{
    run *const r = of->state;
    ws_activity sum;
    r->request = of->request;
    r->notes = of->notes;
    int status = ws_machine_choose(&r->request->machine, &r->machine);
    if (!status)
        status = ws_frame_note(r->notes, "machine: %s, protocol %s", r->machine->name, r->machine->coherence_protocol);
    if (!status)
        status = ws_activity_report_create(WS_ACTIVITY_SIMULATION, &r->report);
    if (!status)
        status = read_sources(r);
    if (!status)
        status = make_power(r);
    if (!status && r->request->terms) {
        sum_all(r, &sum);
        return ws_power_terms_frame(r->power, &sum, &of->frame);
    }
    if (!status)
        status = add_rows(r);
    return status ? status : ws_power_table_frame(r->table, &of->frame);
}

static void close_all(const ws_prediction_run *of)
{
    run *const r = of->state;
    ws_power_table_destroy(r->table);
    ws_power_destroy(r->power);
    ws_activity_report_destroy(r->report);
    ws_machine_destroy(r->machine);
}

static const ws_predictor model = {.state_bytes = sizeof(run), .finish = work, .close = close_all};

int ws_model_power(int argc, char **argv)
{
    request asked = {.machine.config = "gtsc", .per = WS_PER_WORKLOAD};
    asked.machine.setting = asked.setting;
    ws_cli_parse(&argp, argc, argv, &asked);
    const int status = asked.failed ? asked.failed : ws_model_run(&model, &asked, NULL, argc, argv);
    ws_trace_files_free(&asked.traces);
    return status;
}
