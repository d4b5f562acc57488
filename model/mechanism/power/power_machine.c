/* power_machine.c - workloads through the model of power on one machine, from profiles, replays or simulations. */
#include "model/mechanism/power/power_machine.h"

#include "base/status.h"
#include "base/text.h"
#include "model/mechanism/power/power_source.h"
#include "model/mechanism/work_rows.h"
#include "model/power/power.h"
#include "record/simulate/simulation.h"
#include "collect/wst/wst.h"
#include "model/machine/machine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct work {
    uint64_t cycles;
    double bytes; /* between SMs and L2, both ways */
    ws_energy energy;
} work;

/* QUANTITY( name, unit, role, value of a work *w ) */
#define QUANTITIES(QUANTITY) \
    QUANTITY(cycles, "cycles", PLAIN, (double)w->cycles) \
    QUANTITY(seconds, "s", TIME, w->energy.seconds) \
    QUANTITY(joules, "J", ENERGY, ws_energy_total(&w->energy)) \
    QUANTITY(watts, "W", PLAIN, ws_energy_total(&w->energy) / w->energy.seconds) \
    QUANTITY(edp, "J s", PLAIN, ws_energy_total(&w->energy) * w->energy.seconds) \
    QUANTITY(traffic, "bytes", PLAIN, w->bytes)

static const ws_quantity quantities[] = {
#define QUANTITY(name, unit, role, value) {#name, unit, WS_QUANTITY_IS_##role},
    QUANTITIES(QUANTITY)
#undef QUANTITY
};
static const ws_frame_column columns[] = {
#define QUANTITY(name, unit, role, value) {#name, unit},
    QUANTITIES(QUANTITY)
#undef QUANTITY
};
enum {
#define QUANTITY(name, unit, role, value) AT_##name,
    QUANTITIES(QUANTITY)
#undef QUANTITY
        COUNT
};

static int add_row(ws_frame *frame, const char *name, const work *w)
{
    const double value[COUNT] = {
#define QUANTITY(name, unit, role, value) value,
        QUANTITIES(QUANTITY)
#undef QUANTITY
    };
    return ws_frame_add_row(frame, &name, value);
}

/* Energies of a machine that has none are missing; the time is known. */
static void add_time(const ws_machine *machine, const ws_activity *did, ws_energy *sum)
{
    sum->dynamic[0] = NAN;
    sum->seconds += (double)did->core_cycles[0] / (machine->chip_core_clock * 1e3);
}

/* power NULL: the machine has no energies. */
static int add_report(ws_work_rows *c, const ws_machine *machine, const ws_power *power,
                      const ws_activity_report *report)
{
    ws_activity_stretch s;
    for (size_t i = 0; ws_activity_report_at(report, i, &s); i++) {
        work *const w = ws_work_rows_find(c, s.workload, "", 0, true);
        if (!w)
            return WS_EMEM;
        if (power)
            ws_power_energy(power, s.did, &w->energy);
        else
            add_time(machine, s.did, &w->energy);
        w->cycles += s.did->core_cycles[0];
        w->bytes += (double)(s.did->network_bytes[0] + s.did->network_bytes[1]);
    }
    return WS_OK;
}

static int simulate_trace(const ws_machine *machine, const ws_power *power, const char *path, ws_work_rows *c)
{
    const ws_simulation_options how = {.activity = true};
    ws_simulation *simulation = NULL;
    ws_trace *trace = NULL;
    int status = ws_trace_open(path, &trace);
    char *const workload = ws_text_stem(path);
    if (!status && !workload)
        status = ws_fail(WS_EMEM, "out of memory");
    if (!status)
        status = ws_simulation_create(machine, &how, &simulation);
    if (!status)
        status = ws_simulation_trace(simulation, workload, trace, 0);
    if (!status)
        status = add_report(c, machine, power, ws_simulation_activity_report(simulation));
    ws_simulation_destroy(simulation);
    if (trace)
        ws_trace_close(trace);
    free(workload);
    return status ? ws_fail_context(status, "%s", path) : WS_OK;
}

static int simulate_all(const ws_works_asked *q, const ws_machine *machine, const ws_power *power, ws_work_rows *c)
{
    int status = WS_OK;
    for (size_t i = 0; i < q->traces.files.count && !status; i++)
        status = simulate_trace(machine, power, q->traces.files.path[i], c);
    return status;
}

static int estimate_all(const ws_works_asked *q, const ws_machine *machine, const ws_power *power, ws_frame *notes,
                        ws_work_rows *c)
{
    ws_activity_report *report;
    int status = ws_activity_report_create(WS_ACTIVITY_SIMULATION, &report);
    if (!status)
        status = ws_power_from_works(machine, q, report, notes);
    if (!status)
        status = add_report(c, machine, power, report);
    ws_activity_report_destroy(report);
    return status;
}

static int create_power(const ws_machine *machine, ws_frame *notes, ws_power **power)
{
    const int status = ws_power_create(machine, &(ws_power_options){0}, power);
    return status != WS_EUNSUPPORTED || !notes
               ? status
               : ws_frame_note(notes, "power: joules, watts and edp are missing; %s", ws_message());
}

static int run_all(const ws_machine *machine, const ws_works_asked *inputs, ws_frame *notes, ws_work_rows *out)
{
    ws_power *power;
    int status = create_power(machine, notes, &power);
    if (!status)
        status = inputs->simulate ? simulate_all(inputs, machine, power, out)
                                  : estimate_all(inputs, machine, power, notes, out);
    if (!status && !out->count)
        status = ws_fail(WS_ENOTFOUND, "%s: no launch in it",
                         inputs->traces.files.count ? inputs->traces.files.path[0] : ws_works_db(inputs));
    ws_power_destroy(power);
    return status;
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

static int measure(const ws_machine *machine, const ws_works_asked *inputs, ws_frame *notes, ws_frame **out)
{
    static const ws_frame_layout layout = {{"workload"}, columns, COUNT, NULL};
    ws_work_rows all = {.bytes = sizeof(work)};
    work sum = {0};
    int status = ws_frame_begin(&layout, out);
    if (!status)
        status = run_all(machine, inputs, notes, &all);
    for (size_t i = 0; i < all.count && !status; i++) {
        add_work(&sum, all.row[i].kept);
        status = add_row(*out, all.row[i].workload, all.row[i].kept);
    }
    if (!status)
        status = add_row(*out, "all", &sum);
    ws_work_rows_fini(&all);
    return status;
}

static int find_missing(const ws_machine *machine, ws_frame *notes, bool *missing)
{
    ws_power *power;
    const int status = create_power(machine, notes, &power);
    *missing = !power;
    ws_power_destroy(power);
    return status == WS_EUNSUPPORTED ? WS_OK : status;
}

/* Energies of accesses alone (power.accesses) have no ratio to those of a whole chip. */
static int compare(const ws_machine *first, const ws_machine *other, bool *ratio, ws_frame *notes)
{
    const bool accesses = ws_machine_has_printed_accesses(first);
    if (accesses == ws_machine_has_printed_accesses(other))
        return WS_OK;
    ratio[AT_joules] = ratio[AT_watts] = ratio[AT_edp] = false;
    return ws_frame_note(
        notes,
        "power: energies of %s cover only accesses (power.accesses), those of %s a whole chip; they have no ratio",
        accesses ? first->name : other->name, accesses ? other->name : first->name);
}

const ws_quantities ws_power_quantities = {
    .one = quantities, .count = COUNT, .measure = measure, .find_missing = find_missing, .compare = compare};
