/* cmd_whatif.c - `warpscape whatif`: machines side by side. */
#include "cli/cli.h"
#include "model/mechanism/machine_traces.h"
#include "model/mechanism/quantities.h"
#include "model/machine/machine_choice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_MACHINES = 64 };

typedef struct request {
    struct subjects { /* machines and traces */
        const char *machine[MOST_MACHINES];
        size_t machines;
        ws_works_asked works;
    } of;
    ws_machine_asked all; /* settings of all machines */
} request;

typedef struct column { /* a machine */
    ws_machine *machine;
    ws_frame *said; /* a row for each workload, and for all of them */
    bool *ratio;    /* of each quantity to that of the first machine */
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
        ws_take_traces(state, &of->works.traces, arg);
        return;
    }
    if (of->machines == MOST_MACHINES)
        argp_error(state, "more than %d machines", MOST_MACHINES);
    of->machine[of->machines++] = arg;
}

static const ws_option_row option_rows[] = {
    WS_WORKS_OPTIONS(request, of.works),
    WS_OPTION_SET(request, all, "Set an option of all machines, such as chip.core_clock=700MHz; may be repeated"),
    WS_ARGUMENTS(request, of, take_argument, NULL),
    {0},
};

static void check(const struct argp_state *state, const void *asked)
{
    const request *const r = asked;
    if (r->of.machines < 2)
        argp_error(state, "at least two machines: the baseline, followed by the others");
    ws_check_works(state, &r->of.works);
}

static const ws_options options = {
    .rows = option_rows,
    .check = check,
    .args_doc = "BASE CHANGE... [FILE.wst|DIR...]",
    .doc = "Compares machines: for each workload, and for all of them, cycles, energy, power, energy times delay, and "
           "traffic between SMs and L2, with ratios to the first machine.\vA machine is a name of data/configs or a "
           "file; an argument that ends in .wst, or is a folder, is traces. Without --simulate times are estimated "
           "from profiles, in microseconds per launch (docs/power.md); machines of several chips must be simulated. "
           "Energies of a machine without a chip ([power] chip) are missing. The workload `all' has sums, and "
           "geometric means of the ratios.\n\nExample:\n  warpscape suite run --scale tiny --profile --trace traces "
           "BFS SRAD\n  warpscape whatif gtsc gtsc-mini\n  warpscape whatif gtsc four-chips --simulate traces",
};

/* ------------------------------------------------------------------------------------------------ machines */

static int run_machine(run *r, size_t i)
{
    const request *const q = r->request;
    column *const c = &r->column[i];
    ws_machine_choice choice = q->all.choice;
    choice.config = q->of.machine[i];
    const int status = ws_machine_choose(&choice, &c->machine);
    return status ? status : ws_quantities_measure(c->machine, &q->of.works, r->notes, &c->said);
}

/* ------------------------------------------------------------------------------------------------ rows */

static size_t works_of(const run *r)
{
    return r->column[0].said->rows - 1;
}

/* Values, then ratios to those of the first machine: geometric means in the row of all. The logarithms of the others
 * are added to `logs`. */
static int add_row(const run *r, ws_frame *frame, size_t row, size_t machine, double *logs)
{
    const column *const base = &r->column[0], *const c = &r->column[machine];
    const size_t count = c->said->columns, works = works_of(r);
    const double *const first = base->said->value + row * count;
    double *const to = frame->value + (row * r->request->of.machines + machine) * 2 * count;
    memcpy(to, c->said->value + row * count, count * sizeof *to);
    for (size_t i = 0; i < count; i++) {
        to[count + i] = row == works ? exp(logs[i] / (double)works) : c->ratio[i] ? to[i] / first[i] : NAN;
        logs[i] += log(to[count + i]);
    }
    const size_t at = row * r->request->of.machines + machine;
    const int status = ws_frame_set_label(frame, at, 0, c->said->label[row]);
    return status ? status : ws_frame_set_label(frame, at, 1, ws_machine_name(c->machine));
}

static int set_columns(ws_frame *frame)
{
    const size_t count = ws_quantities_count();
    int status = WS_OK;
    for (size_t i = 0; i < count && !status; i++) {
        const ws_quantity *const q = ws_quantity_at(i);
        char ratio[64];
        snprintf(ratio, sizeof ratio, "%s_ratio", q->name);
        status = ws_frame_set_column(frame, i, q->name, q->unit, "whatif");
        if (!status)
            status = ws_frame_set_column(frame, count + i, ratio, "ratio", "whatif");
    }
    return status;
}

static int fill_frame(const run *r, ws_frame *frame)
{
    const size_t machines = r->request->of.machines;
    double *const logs = calloc(machines * ws_quantities_count(), sizeof *logs);
    int status = logs ? set_columns(frame) : ws_fail(WS_EMEM, "out of memory");
    for (size_t i = 0; i <= works_of(r) && !status; i++)
        for (size_t m = 0; m < machines && !status; m++)
            status = add_row(r, frame, i, m, logs + m * ws_quantities_count());
    free(logs);
    return status;
}

/* A machine of which nothing differs from the first is said to be one: estimates do not see all of a machine. */
static int note_without_effect(const run *r, ws_frame *frame)
{
    const size_t values = works_of(r) * ws_quantities_count();
    int status = WS_OK;
    for (size_t m = 1; m < r->request->of.machines && !status; m++) {
        bool differs = false;
        for (size_t i = 0; i < values; i += ws_quantities_count())
            differs |= !ws_quantities_equal(r->column[0].said->value + i, r->column[m].said->value + i);
        if (!differs)
            status =
                ws_frame_note(frame, "%s: nothing differs from %s%s", ws_machine_name(r->column[m].machine),
                              ws_machine_name(r->column[0].machine),
                              r->request->of.works.simulate
                                  ? ""
                                  : " in estimates, which do not cover all of a machine; use --simulate with traces");
    }
    return status;
}

static int find_ratios(run *r)
{
    const size_t count = ws_quantities_count();
    int status = WS_OK;
    for (size_t m = 0; m < r->request->of.machines && !status; m++) {
        column *const c = &r->column[m];
        c->ratio = malloc(count * sizeof *c->ratio);
        if (!c->ratio)
            return ws_fail(WS_EMEM, "out of memory");
        for (size_t i = 0; i < count; i++)
            c->ratio[i] = true;
        if (m)
            status = ws_quantities_compare(r->column[0].machine, c->machine, c->ratio, r->notes);
    }
    return status;
}

static int print(run *r, int argc, char **argv)
{
    static const char *const labels[] = {"workload", "machine"};
    const size_t rows = (works_of(r) + 1) * r->request->of.machines;
    ws_frame *const frame = ws_frame_create(rows, 2 * ws_quantities_count(), 2, labels);
    int status = frame ? note_without_effect(r, r->notes) : ws_fail(WS_EMEM, "out of memory");
    if (!status)
        status = find_ratios(r);
    if (!status)
        status = fill_frame(r, frame);
    if (!status)
        status = ws_options_print_frame(frame, r->notes, argc, argv);
    ws_frame_destroy(frame);
    return status;
}

static void clean_up(run *r)
{
    for (size_t m = 0; m < r->request->of.machines; m++) {
        ws_frame_destroy(r->column[m].said);
        ws_machine_destroy(r->column[m].machine);
        free(r->column[m].ratio);
    }
    ws_frame_destroy(r->notes);
}

WS_COMMAND(whatif)
{
    request asked = {0};
    ws_options_parse(&options, argc, argv, &asked);
    ws_interrupts_catch();
    run r = {.request = &asked, .notes = ws_frame_create(0, 0, 1, NULL)};
    int status = asked.of.works.traces.failed ? asked.of.works.traces.failed
                 : r.notes                    ? WS_OK
                                              : ws_fail(WS_EMEM, "out of memory");
    if (!status)
        status = ws_frame_note(r.notes, "times: %s", asked.of.works.simulate ? "simulated" : "estimated");
    for (size_t i = 0; i < asked.of.machines && !status; i++)
        status = run_machine(&r, i);
    if (!status)
        status = print(&r, argc, argv);
    clean_up(&r);
    ws_trace_files_free(&asked.of.works.traces.files);
    return status;
}
