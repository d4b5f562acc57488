/* power_machine.c - workloads through the model of power on one machine, from profiles, replays or simulations. */
#include "model/mechanism/power/power_machine.h"

#include "base/grow.h"
#include "base/status.h"
#include "base/text.h"
#include "model/mechanism/power/power_source.h"
#include "record/simulate/simulation.h"
#include "collect/wst/wst.h"
#include "model/machine/machine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const ws_quantity_names[WS_QUANTITIES] = {
#define QUANTITY(name, unit, value) #name,
    WS_POWER_QUANTITIES(QUANTITY)
#undef QUANTITY
};
const char *const ws_quantity_units[WS_QUANTITIES] = {
#define QUANTITY(name, unit, value) unit,
    WS_POWER_QUANTITIES(QUANTITY)
#undef QUANTITY
};

void ws_power_quantities(const ws_power_work *w, double value[WS_QUANTITIES])
{
#define QUANTITY(name, unit, what) value[WS_QUANTITY_##name] = what;
    WS_POWER_QUANTITIES(QUANTITY)
#undef QUANTITY
}

bool ws_power_quantities_equal(const double one[WS_QUANTITIES], const double other[WS_QUANTITIES])
{
    bool equal = true;
    for (size_t i = 0; i < WS_QUANTITIES; i++)
        equal &= one[i] == other[i] || (isnan(one[i]) && isnan(other[i]));
    return equal;
}

static ws_power_work *find_work(ws_power_works *c, const char *name)
{
    for (size_t i = c->works; i-- > 0;)
        if (!strcmp(c->work[i].name, name))
            return &c->work[i];
    if (WS_GROW(c->work, c->room, c->works, 1))
        return NULL;
    ws_power_work *const w = &c->work[c->works];
    *w = (ws_power_work){.name = strdup(name)};
    if (!w->name)
        return NULL;
    c->works++;
    return w;
}

/* Energies of a machine that has none are missing; the time is known. */
static void add_time(const ws_machine *machine, const ws_activity *did, ws_energy *sum)
{
    sum->dynamic[0] = NAN;
    sum->seconds += (double)did->core_cycles[0] / (machine->chip_core_clock * 1e3);
}

/* power NULL: the machine has no energies. */
static int add_report(ws_power_works *c, const ws_machine *machine, const ws_power *power,
                      const ws_activity_report *report)
{
    ws_activity_stretch s;
    for (size_t i = 0; ws_activity_report_at(report, i, &s); i++) {
        ws_power_work *const w = find_work(c, s.workload);
        if (!w)
            return ws_fail(WS_EMEM, "out of memory");
        if (power)
            ws_power_energy(power, s.did, &w->energy);
        else
            add_time(machine, s.did, &w->energy);
        w->cycles += s.did->core_cycles[0];
        w->bytes += (double)(s.did->network_bytes[0] + s.did->network_bytes[1]);
    }
    return WS_OK;
}

static int simulate_trace(const ws_machine *machine, const ws_power *power, const char *path, ws_power_works *c)
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

static int simulate_all(const ws_power_inputs *q, const ws_machine *machine, const ws_power *power, ws_power_works *c)
{
    int status = WS_OK;
    for (size_t i = 0; i < q->traces && !status; i++)
        status = simulate_trace(machine, power, q->trace[i], c);
    return status;
}

static int estimate_all(const ws_power_inputs *q, const ws_machine *machine, const ws_power *power, ws_frame *notes,
                        ws_power_works *c)
{
    ws_activity_report *report;
    int status = ws_activity_report_create(WS_ACTIVITY_SIMULATION, &report);
    if (!status && !q->traces)
        status = ws_power_from_profiles(machine, q->db, report, notes);
    for (size_t i = 0; i < q->traces && !status; i++)
        status = ws_power_from_trace(machine, q->trace[i], report, notes);
    if (!status)
        status = add_report(c, machine, power, report);
    ws_activity_report_destroy(report);
    return status;
}

int ws_power_run(const ws_machine *machine, const ws_power_inputs *inputs, ws_frame *notes, ws_power_works *out)
{
    ws_power *power;
    int status = ws_power_create(machine, &(ws_power_options){0}, &power);
    if (status == WS_EUNSUPPORTED)
        status = ws_frame_note(notes, WS_POWER_MISSING, ws_message());
    if (!status)
        status = inputs->simulate ? simulate_all(inputs, machine, power, out)
                                  : estimate_all(inputs, machine, power, notes, out);
    if (!status && !out->works)
        status = ws_fail(WS_ENOTFOUND, "%s: there is no launch in it", inputs->traces ? inputs->trace[0] : inputs->db);
    ws_power_destroy(power);
    return status;
}

void ws_power_works_free(ws_power_works *works)
{
    for (size_t i = 0; i < works->works; i++)
        free(works->work[i].name);
    free(works->work);
    *works = (ws_power_works){0};
}

ws_power_work ws_power_works_sum(const ws_power_works *works)
{
    ws_power_work sum = {.name = NULL};
    for (size_t k = 0; k < works->works; k++) {
        const ws_power_work *const w = &works->work[k];
        sum.cycles += w->cycles;
        sum.bytes += w->bytes;
        sum.energy.seconds += w->energy.seconds;
        for (size_t i = 0; i < WS_POWER_COMPONENTS; i++) {
            sum.energy.dynamic[i] += w->energy.dynamic[i];
            sum.energy.leakage[i] += w->energy.leakage[i];
        }
    }
    return sum;
}
