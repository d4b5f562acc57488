/* power.c - terms of components, made once for a machine, and what they make of activity. */
#include "model/power/power_internal.h"

#include "base/grow.h"
#include "base/status.h"
#include "model/machine/machine.h"

#include <glob.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct ws_power {
    ws_power_point point;
    char chip[WS_CHIP_NAME];
    ws_power_term *term;
    size_t terms, room;
};

static const struct {
    const char *name, *group;
    int (*add)(ws_power_build *build);
} components[WS_POWER_COMPONENTS] = {
#define COMPONENT(name, group, summary) {#name, group, ws_power_add_##name},
#include "model/power/components.def"
#undef COMPONENT
};

const char *ws_power_component_name(size_t component)
{
    return components[component].name;
}

const char *ws_power_component_group(size_t component)
{
    return components[component].group;
}

static const ws_power_charge charges[] = {
#define CHARGE(component, counter, first, last, shared) \
    {WS_POWER_##component, WS_COUNTER(counter, first), WS_COUNTER(counter, last), shared},
#include "model/power/charges.def"
#undef CHARGE
};

bool ws_power_charge_at(size_t index, ws_power_charge *charge)
{
    if (index < sizeof charges / sizeof *charges)
        *charge = charges[index];
    return index < sizeof charges / sizeof *charges;
}

static bool is_charged(ws_power_component component, size_t counter)
{
    bool charged = false;
    for (size_t i = 0; i < sizeof charges / sizeof *charges; i++)
        charged |= charges[i].component == component && counter >= charges[i].first && counter <= charges[i].last;
    return charged;
}

/* ------------------------------------------------------------------------------------------------ terms */

static void name_counter(size_t counter, ws_power_term *term)
{
    ws_activity_row row;
    for (size_t i = 0; ws_activity_row_at(i, &row); i++) {
        if (counter < row.at || counter >= row.at + row.width)
            continue;
        term->part = row.component;
        term->counter = row.name;
        term->instance = row.instance ? row.instance[counter - row.at] : NULL;
    }
}

static int add_term(ws_power_build *b, size_t counter, bool leaks, double joules, const char *why, va_list arguments)
{
    ws_power *const p = b->power;
    ws_power_term term = {.component = b->component, .leaks = leaks, .joules = joules, .at = counter};
    name_counter(counter, &term);
    if (!leaks && !is_charged(b->component, counter))
        return ws_fail(WS_EVERIFY,
                       "internal error: component %s charges %s.%s%s%s, which is not in model/power/charges.def",
                       ws_power_component_name(b->component), term.part, term.counter, term.instance ? ", " : "",
                       term.instance ? term.instance : "");
    if (!(joules > 0))
        return WS_OK;
    if (WS_GROW(p->term, p->room, p->terms, 1))
        return ws_fail(WS_EMEM, "no memory for a model of power");
    ws_power_term *const t = &p->term[p->terms++];
    *t = term;
    vsnprintf(t->why, sizeof t->why, why, arguments);
    return WS_OK;
}

int ws_power_event(ws_power_build *b, size_t counter, double joules, const char *why, ...)
{
    va_list arguments;
    va_start(arguments, why);
    const int status = add_term(b, counter, false, joules, why, arguments);
    va_end(arguments);
    return status;
}

int ws_power_leak(ws_power_build *b, ws_power_while when, double watts, const char *why, ...)
{
    static const size_t cycles[] = {[WS_WHILE_RUNNING] = WS_COUNTER(core_cycles, 0),
                                    [WS_WHILE_BUSY] = WS_COUNTER(sm_busy_cycles, 0),
                                    [WS_WHILE_IDLE] = WS_COUNTER(sm_idle_cycles, 0),
                                    [WS_WHILE_SECTION] = WS_COUNTER(shared_section_cycles, 0)};
    va_list arguments;
    va_start(arguments, why);
    const int status = add_term(b, cycles[when], true, watts / b->power->point.core_hz, why, arguments);
    va_end(arguments);
    return status;
}

int ws_power_leak_in_sms(ws_power_build *b, double watts, const char *why)
{
    const double left = 1 - b->chip->gated;
    const int status = ws_power_leak(b, WS_WHILE_BUSY, watts, "%s", why);
    return status ? status
                  : ws_power_leak(b, WS_WHILE_IDLE, watts * left, "%s, %.0f %% of it off in an SM without a block", why,
                                  100 * b->chip->gated);
}

int ws_power_operation(ws_power_build *b, ws_operation operation)
{
    return ws_power_event(b, WS_COUNTER(operation_lanes, operation),
                          b->energies->operation[operation] * 1e-12 * b->logic,
                          "%g pJ at %s, %g V, times %.3g of C V^2", b->energies->operation[operation],
                          b->energies->node, b->energies->reference_volts, b->logic);
}

size_t ws_power_terms(const ws_power *power)
{
    return power->terms;
}

const ws_power_term *ws_power_term_at(const ws_power *power, size_t index)
{
    return index < power->terms ? &power->term[index] : NULL;
}

/* ------------------------------------------------------------------------------------------------ making */

int ws_power_tech_path(const ws_machine *m, const char *stem, const char *name, char *out)
{
    const bool given = strchr(name, '/') || strstr(name, ".ini");
    const int n =
        given ? snprintf(out, PATH_MAX, "%s", name) : snprintf(out, PATH_MAX, "%s/%s%s.ini", m->folder, stem, name);
    return n < PATH_MAX ? WS_OK : ws_fail(WS_EIO, "%.64s...: this path is too long", name);
}

static int read_chip(const ws_machine *m, const ws_power_options *o, ws_chip *chip)
{
    char path[PATH_MAX];
    const char *const name = o->chip ? o->chip : m->power_chip;
    if (!strcmp(name, WS_MACHINE_PLAIN))
        return ws_fail(WS_EUNSUPPORTED,
                       "configuration %s: [power] chip is %s, so its energies are not known; name a chip, such as "
                       "--set power.chip=gv100 "
                       "for data/tech/chip_gv100.ini",
                       m->name, name);
    const int status = ws_power_tech_path(m, "chip_", name, path);
    return status ? status : ws_chip_read(path, chip);
}

/* "12nm, 16nm, 22nm" */
static void list_nodes(const ws_machine *m, char *out, size_t room)
{
    char pattern[PATH_MAX];
    glob_t files;
    *out = '\0';
    snprintf(pattern, sizeof pattern, "%s/node_*.ini", m->folder);
    if (glob(pattern, 0, NULL, &files))
        return;
    for (size_t i = 0; i < files.gl_pathc; i++) {
        const char *const name = strrchr(files.gl_pathv[i], '/') + strlen("/node_");
        const size_t used = strlen(out);
        snprintf(out + used, room - used, "%s%.*s", used ? ", " : "", (int)strcspn(name, "."), name);
    }
    globfree(&files);
}

static int read_node(const ws_machine *m, const char *name, ws_node *node)
{
    char path[PATH_MAX], nodes[256];
    const int status = ws_power_tech_path(m, "node_", name, path);
    if (status || !access(path, R_OK))
        return status ? status : ws_node_read(path, node);
    list_nodes(m, nodes, sizeof nodes);
    return ws_fail(WS_ENOTFOUND, "unknown node %s (%s); expected one of %s, or a path to a file of that format", name,
                   path, nodes);
}

static int read_cell(const ws_machine *m, ws_cell *cell)
{
    char path[PATH_MAX];
    const int status = ws_power_tech_path(m, "cell_", "sram", path);
    return status ? status : ws_cell_read(path, cell);
}

static int read_energies(const ws_machine *m, ws_energies *energies)
{
    char path[PATH_MAX];
    const int status = ws_power_tech_path(m, "", "energy", path);
    return status ? status : ws_energies_read(path, energies);
}

static int read_optics(const ws_machine *m, ws_optics *optics)
{
    char path[PATH_MAX];
    const int status = ws_power_tech_path(m, "", m->power_optics, path);
    return status ? status : ws_optics_read(path, optics);
}

static int read_memory(const ws_machine *m, ws_memory_energies *energies)
{
    char path[PATH_MAX];
    if (!*m->memory_part)
        return ws_fail(WS_EUNSUPPORTED,
                       "configuration %s describes its memory itself, so the energies of its memory are not known; "
                       "name a part that has some, --set memory.part=NAME",
                       m->name);
    const int status = ws_power_tech_path(m, "", m->memory_part, path);
    return status ? status : ws_memory_energies_read(path, energies);
}

/* C V^2 of a gate as wide as a feature. */
static double gate_energy(const ws_node *node, double volts)
{
    return ws_node_gate_capacitance(node) * volts * volts;
}

static int add_components(ws_power_build *b)
{
    int status = WS_OK;
    for (size_t i = 0; i < WS_POWER_COMPONENTS && !status; i++) {
        b->component = (ws_power_component)i;
        status = components[i].add(b);
    }
    return status;
}

/* Energies of a study, whatever the chip. */
static int add_accesses(const ws_machine *m, const ws_power_options *o, ws_power *p)
{
    ws_power_build build = {.machine = m, .power = p};
    if (o->chip || o->node || o->volts > 0 || o->temperature_k > 0)
        return ws_fail(WS_EUNSUPPORTED,
                       "configuration %s: power.accesses = %s, whose energies know no chip, node, voltage or "
                       "temperature; leave these out, or give --set power.accesses=" WS_MACHINE_PLAIN,
                       m->name, m->power_accesses);
    p->point = (ws_power_point){.core_hz = m->chip_core_clock * 1e3, .chip = p->chip};
    snprintf(p->chip, sizeof p->chip, "%s", m->power_accesses);
    return ws_power_add_accesses(&build);
}

typedef struct constants {
    ws_chip chip;
    ws_energies energies;
    ws_memory_energies memory;
    ws_node node, reference;
    ws_cell cell;
    ws_optics optics;
} constants;

static int read_constants(const ws_machine *m, const ws_power_options *o, constants *c)
{
    int status = read_chip(m, o, &c->chip);
    if (!status)
        status = read_energies(m, &c->energies);
    if (!status)
        status = read_memory(m, &c->memory);
    if (!status)
        status = read_cell(m, &c->cell);
    if (!status)
        status = read_optics(m, &c->optics);
    if (!status)
        status = read_node(m, o->node ? o->node : c->chip.node, &c->node);
    return status ? status : read_node(m, c->energies.node, &c->reference);
}

static int choose_point(const ws_machine *m, const ws_power_options *o, const constants *c, ws_power *p)
{
    p->point = (ws_power_point){.volts = o->volts,
                                .core_hz = m->chip_core_clock * 1e3,
                                .temperature_k = o->temperature_k > 0 ? o->temperature_k : c->chip.temperature_k,
                                .feature_m = ws_node_feature(&c->node),
                                .chip = p->chip};
    memcpy(p->chip, c->chip.name, sizeof p->chip);
    return o->volts > 0 ? WS_OK : ws_chip_volts(&c->chip, m->chip_core_clock / 1e3, &p->point.volts);
}

/* Energies of parts at the chip's node. */
static int add_parts(const ws_machine *machine, const ws_power_options *options, ws_power *p)
{
    constants c;
    int status = read_constants(machine, options, &c);
    if (!status)
        status = choose_point(machine, options, &c, p);
    if (!status) {
        const double volts = p->point.volts;
        ws_power_build build = {
            .machine = machine,
            .chip = &c.chip,
            .energies = &c.energies,
            .memory = &c.memory,
            .node = &c.node,
            .cell = &c.cell,
            .optics = &c.optics,
            .volts = volts,
            .temperature_k = p->point.temperature_k,
            .logic = gate_energy(&c.node, volts) / gate_energy(&c.reference, c.energies.reference_volts),
            .wire = c.energies.wire_swing * ws_node_wire_capacitance(&c.node) * volts * volts,
            .power = p,
        };
        status = add_components(&build);
    }
    return status;
}

int ws_power_create(const ws_machine *machine, const ws_power_options *options, ws_power **out)
{
    ws_power *const p = *out = calloc(1, sizeof *p);
    const bool accesses = ws_machine_has_printed_accesses(machine);
    const int status = !p         ? ws_fail(WS_EMEM, "no memory for a model of power")
                       : accesses ? add_accesses(machine, options, p)
                                  : add_parts(machine, options, p);
    if (status) {
        ws_power_destroy(p);
        *out = NULL;
    }
    return status;
}

void ws_power_destroy(ws_power *power)
{
    if (power)
        free(power->term);
    free(power);
}

ws_power_point ws_power_point_of(const ws_power *power)
{
    return power->point;
}

/* ------------------------------------------------------------------------------------------------ energy */

void ws_power_energy(const ws_power *power, const ws_activity *did, ws_energy *sum)
{
    uint64_t counter[sizeof *did / sizeof(uint64_t)];
    memcpy(counter, did, sizeof counter);
    for (size_t i = 0; i < power->terms; i++) {
        const ws_power_term *const t = &power->term[i];
        double *const to = t->leaks ? sum->leakage : sum->dynamic;
        to[t->component] += t->joules * (double)counter[t->at];
    }
    sum->seconds += (double)did->core_cycles[0] / power->point.core_hz;
}

double ws_energy_total(const ws_energy *energy)
{
    double total = 0;
    for (size_t i = 0; i < WS_POWER_COMPONENTS; i++)
        total += energy->dynamic[i] + energy->leakage[i];
    return total;
}
