/* power_loads.c - levels of a server through the model of power. */
#include "model/mechanism/power/power_loads.h"

#include "base/status.h"
#include "model/mechanism/power/power_source.h"
#include "model/mechanism/work_rows.h"
#include "model/machine/machine_choice.h"
#include "model/power/power.h"
#include "model/machine/machine_declared.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SETTINGS = 2, SETTING = 64 };

/* A workload, with its sums at the level that is run. */
typedef struct kept {
    ws_load load;
    double seconds[WS_CONTROL_LEVELS];
    ws_energy energy;
    double instructions;
} kept;

typedef struct loads {
    const char *db, *machine;
    const ws_control *control;
    ws_work_rows rows; /* of kept */
} loads;

static bool is_core(size_t component)
{
    return component <= WS_POWER_constant; /* execution, supply, and what SMs store */
}

static double instructions_of(const ws_activity *did)
{
    double lanes = 0;
    for (unsigned i = 0; i < WS_UNITS; i++)
        lanes += (double)did->unit_lanes[i];
    return lanes;
}

static void set_level(kept *k, size_t level)
{
    ws_load *const load = &k->load;
    const double per = 1 / k->energy.seconds;
    for (size_t i = 0; i < WS_POWER_COMPONENTS; i++) {
        const double fixed = k->energy.leakage[i] * per, active = k->energy.dynamic[i] * per;
        load->level[level].fixed_w += fixed;
        load->level[level].active_w += active;
        load->level[level].core_fixed_w += is_core(i) ? fixed : 0;
        load->level[level].core_active_w += is_core(i) ? active : 0;
    }
    load->level[level].ips = k->instructions * per;
    k->seconds[level] = k->energy.seconds;
    k->energy = (ws_energy){.seconds = 0};
    k->instructions = 0;
}

static int add_level(loads *l, size_t level, const ws_power *power, const ws_activity_report *report)
{
    ws_activity_stretch s;
    for (size_t i = 0; ws_activity_report_at(report, i, &s); i++) {
        kept *const k = ws_work_rows_find(&l->rows, s.workload, "", 0, true);
        if (!k)
            return WS_EMEM;
        ws_power_energy(power, s.did, &k->energy);
        k->instructions += instructions_of(s.did);
    }
    for (size_t i = 0; i < l->rows.count; i++)
        set_level(l->rows.row[i].kept, level);
    return WS_OK;
}

static int read_profiles(const char *db, const ws_machine *machine, ws_activity_report *report, ws_frame *notes)
{
    const int status = ws_power_from_profiles(machine, db, report, notes);
    return status == WS_ENOTFOUND ? ws_fail(status, "%s; or give power figures with --loads FILE", ws_message())
                                  : status;
}

static int run_level(loads *l, size_t level)
{
    const ws_level *const at = &l->control->level[level];
    char text[SETTINGS][SETTING];
    const char *const setting[SETTINGS] = {text[0], text[1]};
    const ws_machine_choice choice = {.config = l->machine, .setting = setting, .settings = SETTINGS};
    ws_machine *machine = NULL;
    ws_power *power = NULL;
    ws_activity_report *report = NULL;
    ws_frame *const notes = ws_frame_create(0, 0, 1, NULL);
    snprintf(text[0], SETTING, "chip.core_clock=%.0fkHz", at->core_clock * 1e6);
    snprintf(text[1], SETTING, "chip.network_clock=%.0fkHz", at->network_clock * 1e6);
    int status = notes ? ws_machine_choose(&choice, &machine) : ws_fail(WS_EMEM, "out of memory");
    if (!status)
        status = ws_power_create(machine, &(ws_power_options){.volts = at->core_voltage}, &power);
    if (!status)
        status = ws_activity_report_create(WS_ACTIVITY_SIMULATION, &report);
    if (!status)
        status = read_profiles(l->db, machine, report, notes);
    if (!status)
        status = add_level(l, level, power, report);
    ws_activity_report_destroy(report);
    ws_power_destroy(power);
    ws_machine_destroy(machine);
    ws_frame_destroy(notes);
    return status;
}

/* t(f) = work / f + waits: the waits' part of the time at the nominal level. */
static void finish_load(const ws_control *c, ws_load *load, const double *seconds)
{
    const size_t nominal = c->chip_nominal_level - 1, top = c->levels - 1;
    const double low = c->level[0].core_clock, high = c->level[top].core_clock;
    const double work = high > low ? (seconds[0] - seconds[top]) / (1 / low - 1 / high) : 0;
    const double busy = work / c->level[nominal].core_clock / seconds[nominal];
    load->memory_share = fmin(1, fmax(0, 1 - busy));
    load->power_w = load->level[nominal].fixed_w + load->level[nominal].active_w;
    load->ipc = load->level[nominal].ips / (c->level[nominal].core_clock * 1e9);
    load->modelled = true;
}

static int name_load(const loads *l, const char *name, ws_load *load)
{
    if (strlen(name) >= sizeof load->name)
        return ws_fail(WS_EINPUT, "%s: workload %s: its name is longer than %zu characters", l->db, name,
                       sizeof load->name - 1);
    strcpy(load->name, name);
    return WS_OK;
}

int ws_power_loads(const char *db, const char *machine, const ws_control *control, ws_load **out, size_t *count)
{
    loads l = {.db = db, .machine = machine, .control = control, .rows.bytes = sizeof(kept)};
    int status = WS_OK;
    *count = 0;
    for (size_t i = 0; i < control->levels && !status; i++)
        status = run_level(&l, i);
    *out = status ? NULL : malloc((l.rows.count + 1) * sizeof **out);
    if (!status && !*out)
        status = ws_fail(WS_EMEM, "out of memory");
    for (size_t i = 0; i < l.rows.count && !status; i++) {
        kept *const k = l.rows.row[i].kept;
        status = name_load(&l, l.rows.row[i].workload, &k->load);
        finish_load(control, &k->load, k->seconds);
        (*out)[(*count)++] = k->load;
    }
    ws_work_rows_fini(&l.rows);
    if (status) {
        free(*out);
        *out = NULL;
        *count = 0;
    }
    return status;
}
