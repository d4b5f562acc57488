/* cmd_whatif.c - `warpscape whatif`: machines side by side. */
#include "cli/cli.h"
#include "cli/power/power_source.h"
#include "cli/simulate/machine_choice.h"
#include "cli/simulate/simulation.h"
#include "cli/trace_files.h"

#include "base/grow.h"
#include "collect/wst/wst.h"
#include "model/power/power.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_MACHINES = 64, MOST_SETTINGS = 64 };

typedef struct request {
    const char *db;
    const char *machine[MOST_MACHINES];
    size_t machines;
    const char *setting[MOST_SETTINGS];
    size_t settings;
    ws_trace_files traces;
    bool simulate;
    int failed; /* a folder without traces */
} request;

/* QUANTITY( name, unit, what it is of a workload ) */
#define QUANTITIES(QUANTITY)                                                                 \
    QUANTITY(cycles, "cycles", (double)w->cycles)                                            \
    QUANTITY(seconds, "s", w->energy.seconds)                                                \
    QUANTITY(joules, "J", ws_energy_total(&w->energy))                                       \
    QUANTITY(watts, "W", ws_energy_total(&w->energy) / w->energy.seconds)                    \
    QUANTITY(edp, "J s", ws_energy_total(&w->energy) * w->energy.seconds)                    \
    QUANTITY(traffic, "bytes", w->bytes)
enum {
#define QUANTITY(name, unit, value) QUANTITY_##name,
    QUANTITIES(QUANTITY)
#undef QUANTITY
    COUNT
};

/* What a workload did on a machine, all of its launches. */
typedef struct work {
    char *name;
    uint64_t cycles;
    double bytes; /* between SMs and L2, both ways */
    ws_energy energy;
} work;

typedef struct column { /* a machine */
    char *name;
    work *work;
    size_t works, room;
} column;

typedef struct run {
    const request *request;
    column column[MOST_MACHINES];
    ws_frame *notes;
} run;

enum { KEY_SIMULATE = 0x100 };

static const struct argp_option options[] = {
    {"db", 'd', "FILE", 0, "Results file with profiles (`--profile' of suite run, exec and replay) [warpscape.db, without traces]", 0},
    {"simulate", KEY_SIMULATE, NULL, 0, "Simulate the traces cycle by cycle [estimate]", 0},
    {"set", 's', "OPTION=VALUE", 0, "Set an option of all machines, such as chip.core_clock=700MHz; may be repeated", 0},
    {0},
};

static bool is_trace(const char *path)
{
    struct stat s;
    const size_t length = strlen(path);
    return (length > 4 && !strcmp(path + length - 4, ".wst")) || (!stat(path, &s) && S_ISDIR(s.st_mode));
}

static void add_argument(const struct argp_state *state, request *r, const char *arg)
{
    if (is_trace(arg)) {
        r->failed = r->failed ? r->failed : ws_trace_files_add(&r->traces, arg);
        return;
    }
    if (r->machines == MOST_MACHINES)
        argp_error(state, "more than %d machines", MOST_MACHINES);
    r->machine[r->machines++] = arg;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    request *const r = state->input;
    switch (key) {
    case 'd':
        r->db = arg;
        return 0;
    case 's':
        if (r->settings == MOST_SETTINGS)
            argp_error(state, "more than %d settings; write a configuration file", MOST_SETTINGS);
        r->setting[r->settings++] = arg;
        return 0;
    case KEY_SIMULATE:
        r->simulate = true;
        return 0;
    case ARGP_KEY_ARG:
        add_argument(state, r, arg);
        return 0;
    case ARGP_KEY_END:
        if (r->machines < 2)
            argp_error(state, "at least two machines: the one that others are held against, then these");
        if (r->db && r->traces.count)
            argp_error(state, "a results file or traces, not both");
        if (r->simulate && !r->traces.count && !r->failed)
            argp_error(state, "--simulate needs traces: profiles have no instructions");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "BASE CHANGE... [FILE.wst|DIR...]",
    .doc = "Puts machines side by side: for each workload, and for all of them, cycles, energy, power, energy times delay, and traffic between SMs and L2, and "
           "what of that of the first machine they are.\v"
           "A machine is a name of data/configs or a file; what ends in .wst, or is a folder, is traces. Without --simulate times are estimated, in "
           "microseconds a launch from profiles (docs/power.md). The workload `all' has sums, and geometric means of the ratios.\n\n"
           "Example: warpscape suite run --profile && warpscape whatif gtsc four-chips",
};

/* ------------------------------------------------------------------------------------------------ machines */

static work *find_work(column *c, const char *name)
{
    for (size_t i = c->works; i-- > 0;)
        if (!strcmp(c->work[i].name, name))
            return &c->work[i];
    if (WS_GROW(c->work, c->room, c->works, 1))
        return NULL;
    work *const w = &c->work[c->works];
    *w = (work){.name = strdup(name)};
    if (!w->name)
        return NULL;
    c->works++;
    return w;
}

static int add_report(column *c, const ws_power *power, const ws_activity_report *report)
{
    ws_activity_stretch s;
    for (size_t i = 0; ws_activity_report_at(report, i, &s); i++) {
        work *const w = find_work(c, s.workload);
        if (!w)
            return ws_fail(WS_EMEM, "out of memory");
        ws_power_energy(power, s.did, &w->energy);
        w->cycles += s.did->core_cycles[0];
        w->bytes += (double)(s.did->network_bytes[0] + s.did->network_bytes[1]);
    }
    return WS_OK;
}

static int simulate_trace(const ws_machine *machine, const ws_power *power, const char *path, column *c)
{
    const ws_simulation_options how = {.activity = true};
    ws_simulation *simulation = NULL;
    ws_trace *trace = NULL;
    int status = ws_trace_open(path, &trace);
    char *const workload = status ? NULL : ws_trace_workload(trace);
    if (!status && !workload)
        status = WS_EMEM;
    if (!status)
        status = ws_simulation_create(machine, &how, &simulation);
    if (!status)
        status = ws_simulation_trace(simulation, workload, trace, 0);
    if (!status)
        status = add_report(c, power, ws_simulation_activity_report(simulation));
    ws_simulation_destroy(simulation);
    ws_trace_close(trace);
    free(workload);
    return status ? ws_fail_context(status, "%s", path) : WS_OK;
}

static int simulate_all(const request *q, const ws_machine *machine, const ws_power *power, column *c)
{
    int status = WS_OK;
    for (size_t i = 0; i < q->traces.count && !status; i++)
        status = simulate_trace(machine, power, q->traces.path[i], c);
    return status;
}

static int estimate_all(const run *r, const ws_machine *machine, const ws_power *power, column *c)
{
    const request *const q = r->request;
    ws_activity_report *report;
    int status = ws_activity_report_create(WS_ACTIVITY_SIMULATION, &report);
    if (!status && !q->traces.count)
        status = ws_power_from_profiles(machine, q->db ? q->db : "warpscape.db", report, r->notes);
    for (size_t i = 0; i < q->traces.count && !status; i++)
        status = ws_power_from_trace(machine, q->traces.path[i], report, r->notes);
    if (!status)
        status = add_report(c, power, report);
    ws_activity_report_destroy(report);
    return status;
}

static int run_machine(run *r, size_t i)
{
    const request *const q = r->request;
    column *const c = &r->column[i];
    const ws_machine_choice choice = {.config = q->machine[i], .setting = q->setting, .settings = q->settings};
    ws_machine *machine = NULL;
    ws_power *power = NULL;
    int status = ws_machine_choose(&choice, &machine);
    if (!status)
        status = ws_power_create(machine, &(ws_power_options){0}, &power);
    c->name = status ? NULL : strdup(machine->name);
    if (!status && !c->name)
        status = ws_fail(WS_EMEM, "out of memory");
    if (!status)
        status = q->simulate ? simulate_all(q, machine, power, c) : estimate_all(r, machine, power, c);
    if (!status && !c->works)
        status = ws_fail(WS_ENOTFOUND, "%s: no launch in it has a profile: run with --profile", q->db ? q->db : "warpscape.db");
    ws_power_destroy(power);
    ws_machine_destroy(machine);
    return status;
}

/* ------------------------------------------------------------------------------------------------ rows */

static void fill(const work *w, double value[COUNT])
{
#define QUANTITY(name, unit, what) value[QUANTITY_##name] = what;
    QUANTITIES(QUANTITY)
#undef QUANTITY
}

static void add_work(work *sum, const work *w)
{
    sum->cycles += w->cycles;
    sum->bytes += w->bytes;
    sum->energy.seconds += w->energy.seconds;
    for (size_t i = 0; i < WS_POWER_COMPONENTS; i++) {
        sum->energy.dynamic[i] += w->energy.dynamic[i];
        sum->energy.leakage[i] += w->energy.leakage[i];
    }
}

static int label(ws_frame *frame, size_t row, const char *workload, const char *machine)
{
    const int status = ws_frame_set_label(frame, row, 0, workload);
    return status ? status : ws_frame_set_label(frame, row, 1, machine);
}

/* Values, then ratios. The logarithms of the latter are added to `sums`. */
static int add_row(ws_frame *frame, size_t row, const column *c, const work *w, const double first[COUNT], double *logs)
{
    double *const to = frame->value + row * 2 * COUNT;
    fill(w, to);
    for (size_t i = 0; i < COUNT; i++) {
        to[COUNT + i] = to[i] / first[i];
        logs[i] += log(to[COUNT + i]);
    }
    return label(frame, row, w->name, c->name);
}

static int add_all(ws_frame *frame, size_t row, const column *c, const double *logs)
{
    work sum = {.name = NULL};
    double *const to = frame->value + row * 2 * COUNT;
    for (size_t i = 0; i < c->works; i++)
        add_work(&sum, &c->work[i]);
    fill(&sum, to);
    for (size_t i = 0; i < COUNT; i++)
        to[COUNT + i] = exp(logs[i] / (double)c->works);
    return label(frame, row, "all", c->name);
}

static int set_columns(ws_frame *frame)
{
    static const char *const name[][2] = {
#define QUANTITY(name, unit, value) {#name, unit},
        QUANTITIES(QUANTITY)
#undef QUANTITY
    };
    int status = WS_OK;
    for (size_t i = 0; i < COUNT && !status; i++) {
        char ratio[64];
        snprintf(ratio, sizeof ratio, "%s_ratio", name[i][0]);
        status = ws_frame_set_column(frame, i, name[i][0], name[i][1], "whatif");
        if (!status)
            status = ws_frame_set_column(frame, COUNT + i, ratio, "ratio", "whatif");
    }
    return status;
}

static int fill_frame(const run *r, ws_frame *frame)
{
    const size_t works = r->column[0].works;
    double first[COUNT], logs[MOST_MACHINES][COUNT] = {{0}};
    int status = set_columns(frame);
    size_t row = 0;
    for (size_t i = 0; i < works && !status; i++) {
        fill(&r->column[0].work[i], first);
        for (size_t m = 0; m < r->request->machines && !status; m++)
            status = add_row(frame, row++, &r->column[m], &r->column[m].work[i], first, logs[m]);
    }
    for (size_t m = 0; m < r->request->machines && !status; m++)
        status = add_all(frame, row++, &r->column[m], logs[m]);
    return status;
}

static int print(const run *r, int argc, char **argv)
{
    static const char *const labels[] = {"workload", "machine"};
    const size_t rows = (r->column[0].works + 1) * r->request->machines;
    ws_frame *const frame = ws_frame_create(rows, 2 * COUNT, 2, labels);
    int status = frame ? ws_cli_sign(frame, argc, argv) : ws_fail(WS_EMEM, "out of memory");
    if (!status)
        status = ws_frame_note(frame, "times: %s", r->request->simulate ? "simulated" : "estimated");
    for (size_t i = 0; i < r->notes->notes && !status; i++)
        status = ws_frame_note(frame, "%s", r->notes->note[i]);
    if (!status)
        status = fill_frame(r, frame);
    if (!status)
        status = ws_frame_write(frame, stdout);
    ws_frame_destroy(frame);
    return status;
}

static void clean_up(run *r)
{
    for (size_t m = 0; m < r->request->machines; m++) {
        for (size_t i = 0; i < r->column[m].works; i++)
            free(r->column[m].work[i].name);
        free(r->column[m].work);
        free(r->column[m].name);
    }
    ws_frame_destroy(r->notes);
}

int ws_cmd_whatif(int argc, char **argv)
{
    request asked = {0};
    ws_cli_parse(&argp, argc, argv, &asked);
    ws_interrupts_catch();
    run r = {.request = &asked, .notes = ws_frame_create(0, 0, 1, NULL)};
    int status = asked.failed ? asked.failed : r.notes ? WS_OK : ws_fail(WS_EMEM, "out of memory");
    for (size_t i = 0; i < asked.machines && !status; i++)
        status = run_machine(&r, i);
    if (!status)
        status = print(&r, argc, argv);
    clean_up(&r);
    ws_trace_files_free(&asked.traces);
    return status;
}
