/* cmd_whatif.c - `warpscape whatif`: machines side by side. */
#include "cli/cli.h"
#include "model/mechanism/machine_traces.h"
#include "model/mechanism/power/power_machine.h"
#include "model/machine/machine_choice.h"
#include "model/machine/machine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_MACHINES = 64 };

typedef struct request {
    const char *db;
    struct subjects { /* machines and traces */
        const char *machine[MOST_MACHINES];
        size_t machines;
        ws_traces_asked traces;
    } of;
    ws_machine_asked all; /* settings of all machines */
    bool simulate;
} request;

enum { COUNT = WS_QUANTITIES };

typedef struct column { /* a machine */
    char *name;
    bool accesses; /* its energies are those of accesses alone (power.accesses), without leakage */
    ws_power_works works;
} column;

typedef struct run {
    const request *request;
    column column[MOST_MACHINES];
    ws_frame *notes;
} run;

static void take_argument(const struct argp_state *state, void *member, char *arg)
{
    struct subjects *const of = member;
    if (ws_trace_files_means(arg)) {
        ws_take_traces(state, &of->traces, arg);
        return;
    }
    if (of->machines == MOST_MACHINES)
        argp_error(state, "more than %d machines", MOST_MACHINES);
    of->machine[of->machines++] = arg;
}

static const ws_option_row option_rows[] = {
    WS_OPTION_TEXT("db", 'd', "FILE", request, db,
                   "Results file with profiles (`--profile' of suite run, exec and replay) [warpscape.db, without "
                   "traces]"),
    WS_OPTION_FLAG("simulate", 0, request, simulate, "Simulate the traces cycle by cycle [estimate]"),
    WS_OPTION_SET(request, all, "Set an option of all machines, such as chip.core_clock=700MHz; may be repeated"),
    WS_ARGUMENTS(request, of, take_argument, NULL),
    {0},
};

static void check(const struct argp_state *state, const void *asked)
{
    const request *const r = asked;
    if (r->of.machines < 2)
        argp_error(state, "at least two machines: the one that others are held against, then these");
    if (r->db && r->of.traces.files.count)
        argp_error(state, "a results file or traces, not both");
    if (r->simulate && !r->of.traces.files.count && !r->of.traces.failed)
        argp_error(state, "--simulate needs traces: profiles have no instructions");
}

static const ws_options options = {
    .rows = option_rows,
    .check = check,
    .args_doc = "BASE CHANGE... [FILE.wst|DIR...]",
    .doc = "Puts machines side by side: for each workload, and for all of them, cycles, energy, power, energy times "
           "delay, and traffic between SMs and L2, and "
           "what of that of the first machine they are.\v"
           "A machine is a name of data/configs or a file; what ends in .wst, or is a folder, is traces. Without "
           "--simulate times are estimated, in "
           "microseconds a launch from profiles (docs/power.md); machines of several chips must be simulated. Energies "
           "of a machine that names no chip ([power] chip) are missing. "
           "The workload `all' has sums, and geometric means of the ratios.\n\n"
           "Example:\n"
           "  warpscape suite run --scale tiny --profile --trace traces BFS SRAD\n"
           "  warpscape whatif gtsc gtsc-mini\n"
           "  warpscape whatif gtsc four-chips --simulate traces",
};

/* ------------------------------------------------------------------------------------------------ machines */

static int run_machine(run *r, size_t i)
{
    const request *const q = r->request;
    column *const c = &r->column[i];
    ws_machine_choice choice = q->all.choice;
    const ws_power_inputs inputs = {.db = q->db ? q->db : "warpscape.db",
                                    .trace = q->of.traces.files.path,
                                    .traces = q->of.traces.files.count,
                                    .simulate = q->simulate};
    ws_machine *machine;
    choice.config = q->of.machine[i];
    int status = ws_machine_choose(&choice, &machine);
    if (status)
        return status;
    c->name = strdup(machine->name);
    c->accesses = ws_machine_has_printed_accesses(machine);
    status = c->name ? ws_power_run(machine, &inputs, r->notes, &c->works) : ws_fail(WS_EMEM, "out of memory");
    ws_machine_destroy(machine);
    return status;
}

/* ------------------------------------------------------------------------------------------------ rows */

static int label(ws_frame *frame, size_t row, const char *workload, const char *machine)
{
    const int status = ws_frame_set_label(frame, row, 0, workload);
    return status ? status : ws_frame_set_label(frame, row, 1, machine);
}

static bool is_energy(size_t quantity)
{
    return quantity == WS_QUANTITY_joules || quantity == WS_QUANTITY_watts || quantity == WS_QUANTITY_edp;
}

/* Energies of accesses alone have no ratio to those of a whole chip. */
static bool is_comparable(const column *first, const column *c, size_t quantity)
{
    return !is_energy(quantity) || first->accesses == c->accesses;
}

/* Values, then ratios to those of `base`. The logarithms of the latter are added to `logs`. */
static int add_row(ws_frame *frame, size_t row, const column *base, const column *c, size_t work, double *logs)
{
    double *const to = frame->value + row * 2 * COUNT, first[COUNT];
    const ws_power_work *const w = &c->works.work[work];
    ws_power_quantities(w, to);
    ws_power_quantities(&base->works.work[work], first);
    for (size_t i = 0; i < COUNT; i++) {
        to[COUNT + i] = is_comparable(base, c, i) ? to[i] / first[i] : NAN;
        logs[i] += log(to[COUNT + i]);
    }
    return label(frame, row, w->name, c->name);
}

static int add_all(ws_frame *frame, size_t row, const column *c, const double *logs)
{
    const ws_power_work sum = ws_power_works_sum(&c->works);
    double *const to = frame->value + row * 2 * COUNT;
    ws_power_quantities(&sum, to);
    for (size_t i = 0; i < COUNT; i++)
        to[COUNT + i] = exp(logs[i] / (double)c->works.works);
    return label(frame, row, "all", c->name);
}

static int set_columns(ws_frame *frame)
{
    int status = WS_OK;
    for (size_t i = 0; i < COUNT && !status; i++) {
        char ratio[64];
        snprintf(ratio, sizeof ratio, "%s_ratio", ws_quantity_names[i]);
        status = ws_frame_set_column(frame, i, ws_quantity_names[i], ws_quantity_units[i], "whatif");
        if (!status)
            status = ws_frame_set_column(frame, COUNT + i, ratio, "ratio", "whatif");
    }
    return status;
}

static int fill_frame(const run *r, ws_frame *frame)
{
    const size_t works = r->column[0].works.works;
    double logs[MOST_MACHINES][COUNT] = {{0}};
    int status = set_columns(frame);
    size_t row = 0;
    for (size_t i = 0; i < works && !status; i++)
        for (size_t m = 0; m < r->request->of.machines && !status; m++)
            status = add_row(frame, row++, &r->column[0], &r->column[m], i, logs[m]);
    for (size_t m = 0; m < r->request->of.machines && !status; m++)
        status = add_all(frame, row++, &r->column[m], logs[m]);
    return status;
}

/* A machine of which nothing differs from the first is said to be one: estimates do not see all of a machine. */
static int note_without_effect(const run *r, ws_frame *frame)
{
    int status = WS_OK;
    for (size_t m = 1; m < r->request->of.machines && !status; m++) {
        bool differs = false;
        for (size_t i = 0; i < r->column[0].works.works; i++) {
            double first[COUNT], now[COUNT];
            ws_power_quantities(&r->column[0].works.work[i], first);
            ws_power_quantities(&r->column[m].works.work[i], now);
            differs |= !ws_power_quantities_equal(first, now);
        }
        if (!differs)
            status = ws_frame_note(
                frame, "%s: nothing differs from %s%s", r->column[m].name, r->column[0].name,
                r->request->simulate
                    ? ""
                    : " in estimates, which do not see all of a machine: --simulate with traces would tell");
    }
    return status;
}

static int note_unlike(const run *r, ws_frame *frame)
{
    const column *const first = &r->column[0];
    int status = WS_OK;
    for (size_t m = 1; m < r->request->of.machines && !status; m++) {
        const column *const c = &r->column[m];
        if (first->accesses != c->accesses)
            status = ws_frame_note(frame,
                                   "power: energies of %s are of accesses alone (power.accesses), those of %s of a "
                                   "whole chip; they have no ratio",
                                   first->accesses ? first->name : c->name, first->accesses ? c->name : first->name);
    }
    return status;
}

static int print(const run *r, int argc, char **argv)
{
    static const char *const labels[] = {"workload", "machine"};
    const size_t rows = (r->column[0].works.works + 1) * r->request->of.machines;
    ws_frame *const frame = ws_frame_create(rows, 2 * COUNT, 2, labels);
    int status = frame ? note_without_effect(r, r->notes) : ws_fail(WS_EMEM, "out of memory");
    if (!status)
        status = note_unlike(r, r->notes);
    if (!status)
        status = fill_frame(r, frame);
    if (!status)
        status = ws_cli_print_frame(frame, r->notes, argc, argv);
    ws_frame_destroy(frame);
    return status;
}

static void clean_up(run *r)
{
    for (size_t m = 0; m < r->request->of.machines; m++) {
        ws_power_works_free(&r->column[m].works);
        free(r->column[m].name);
    }
    ws_frame_destroy(r->notes);
}

WS_COMMAND(whatif)
{
    request asked = {0};
    ws_options_parse(&options, argc, argv, &asked);
    ws_interrupts_catch();
    run r = {.request = &asked, .notes = ws_frame_create(0, 0, 1, NULL)};
    int status = asked.of.traces.failed ? asked.of.traces.failed : r.notes ? WS_OK : ws_fail(WS_EMEM, "out of memory");
    if (!status)
        status = ws_frame_note(r.notes, "times: %s", asked.simulate ? "simulated" : "estimated");
    for (size_t i = 0; i < asked.of.machines && !status; i++)
        status = run_machine(&r, i);
    if (!status)
        status = print(&r, argc, argv);
    clean_up(&r);
    ws_trace_files_free(&asked.of.traces.files);
    return status;
}
