/* memory_source.c - profiles, closed forms of time, terms of power: a launch in SRAM. */
#include "model/mechanism/memory/memory_source.h"

#include "base/status.h"
#include "model/mechanism/profile_walk.h"
#include "model/power/chip.h"
#include "model/power/power.h"
#include "model/machine/machine.h"
#include "model/machine/register_kind.h"
#include "model/machine/shared_kind.h"
#include "model/sim/sim_activity.h"

#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = 4 };

struct ws_memory_constants {
    ws_memory_tech tech;
    ws_node node;
    ws_cell sram, stt;
    ws_power_point point;
    double read_j[WS_MEMORY_PARTS], write_j[WS_MEMORY_PARTS]; /* of 32 bits */
};

/* A place among the numbers of a ws_activity. */
#define COUNTER(member) (offsetof(ws_activity, member) / sizeof(uint64_t))

/* ------------------------------------------------------------------------------------------------ constants */

static int read_node(const ws_machine *m, ws_node *node)
{
    char path[PATH_MAX];
    ws_chip chip;
    int status = ws_power_tech_path(m, "chip_", m->power_chip, path);
    if (!status)
        status = ws_chip_read(path, &chip);
    if (!status)
        status = ws_power_tech_path(m, "node_", chip.node, path);
    return status ? status : ws_node_read(path, node);
}

static int read_cell(const ws_machine *m, const char *name, ws_cell *cell)
{
    char path[PATH_MAX];
    const int status = ws_power_tech_path(m, "cell_", name, path);
    return status ? status : ws_cell_read(path, cell);
}

static void word_energies(const ws_power *power, ws_memory_constants *c)
{
    for (size_t i = 0; i < ws_power_terms(power); i++) {
        const ws_power_term *const t = ws_power_term_at(power, i);
        if (t->leaks)
            continue;
        if (t->at == COUNTER(registers_read_lanes))
            c->read_j[WS_MEMORY_REGISTERS] = t->joules;
        else if (t->at == COUNTER(registers_write_lanes))
            c->write_j[WS_MEMORY_REGISTERS] = t->joules;
        else if (t->at == COUNTER(shared_words))
            c->read_j[WS_MEMORY_SHARED] = c->write_j[WS_MEMORY_SHARED] = t->joules;
    }
}

int ws_memory_constants_read(const ws_machine *machine, const char *tech, const char *cell, ws_memory_constants **out)
{
    char path[PATH_MAX];
    ws_power *power = NULL;
    ws_memory_constants *const c = *out = calloc(1, sizeof *c);
    int status =
        c ? ws_power_create(machine, &(ws_power_options){0}, &power) : ws_fail(WS_EMEM, "no memory for constants");
    if (!status)
        status = ws_power_tech_path(machine, "memory_", tech, path);
    if (!status)
        status = ws_memory_tech_read(path, &c->tech);
    if (!status)
        status = read_node(machine, &c->node);
    if (!status)
        status = read_cell(machine, "sram", &c->sram);
    if (!status)
        status = read_cell(machine, cell, &c->stt);
    if (!status) {
        c->point = ws_power_point_of(power);
        word_energies(power, c);
    }
    ws_power_destroy(power);
    return status;
}

ws_memory_tech *ws_memory_constants_tech(ws_memory_constants *constants)
{
    return &constants->tech;
}

int ws_memory_constants_set(ws_memory_constants *c, const char *setting)
{
    char name[64];
    const char *const equals = strchr(setting, '=');
    if (!equals || (size_t)(equals - setting) >= sizeof name)
        return ws_fail(WS_EINPUT, "`%s` is no SECTION.NAME=VALUE, such as coalesce.pass=0.5", setting);
    memcpy(name, setting, (size_t)(equals - setting));
    name[equals - setting] = 0;
    int status = ws_memory_tech_set(&c->tech, name, equals + 1);
    if (status == WS_ENOTFOUND)
        status = ws_cell_set(&c->stt, name, equals + 1);
    return status == WS_ENOTFOUND
               ? ws_fail(WS_EINPUT, "`%s`: neither data/tech/memory_*.ini nor cell_*.ini has a constant of that name",
                         name)
               : status;
}

/* An option of the machine's register file; one that has no such option takes no time for it. */
static double register_cycles(const ws_machine *m, const char *name)
{
    for (size_t i = 0; i < m->registers.count; i++)
        if (!strcmp(m->registers.list[i].name, name))
            return (double)m->registers.list[i].value;
    const ws_register_file_kind *const file = m->registers_file;
    for (const ws_option *o = file->options; o && o->name; o++)
        if (!strcmp(o->name, name))
            return (double)o->fallback;
    return 0;
}

int ws_memory_check_sram(const ws_machine *m)
{
    uint64_t registers[WS_REGISTER_OPTIONS], values[WS_SHARED_OPTIONS];
    const ws_register_file_kind *const file = ws_register_file_of(m, registers);
    const ws_shared_memory_kind *const memory = ws_shared_memory_of(m, values);
    const bool of_file = file->cells || file->wants_values;
    const struct {
        bool magnetic;
        const char *option, *is;
    } part[] = {{of_file, "registers.file", m->registers_file->name},
                {memory->cells, "shared.memory", m->shared_memory->name},
                {m->texture_memory != WS_BIT_CELLS_SRAM, "texture.memory", ws_bit_cells_word(m->texture_memory)},
                {m->constant_memory != WS_BIT_CELLS_SRAM, "constant.memory", ws_bit_cells_word(m->constant_memory)}};
    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
        if (part[i].magnetic)
            return ws_fail(WS_EUNSUPPORTED,
                           "configuration %s: %s is %s, and so of magnetic memory already; give a machine of SRAM",
                           m->name, part[i].option, part[i].is);
    return WS_OK;
}

void ws_memory_chip_of(const ws_memory_constants *c, const ws_machine *m, bool arrays, double scrub_s,
                       ws_memory_chip *out)
{
    const uint64_t constant = (uint64_t)m->constant_sets * m->constant_ways * m->constant_line;
    const uint64_t texture = (uint64_t)m->texture_sets * m->texture_ways * m->texture_line;
    *out = (ws_memory_chip){.tech = &c->tech,
                            .node = &c->node,
                            .sram = &c->sram,
                            .stt = &c->stt,
                            .volts = c->point.volts,
                            .kelvin = c->point.temperature_k,
                            .clock_hz = c->point.core_hz,
                            .arrays = arrays,
                            .scrub_s = scrub_s,
                            .sms = m->chip_sms};
    out->part[WS_MEMORY_REGISTERS].bytes = (uint64_t)m->sm_registers * WORD;
    out->part[WS_MEMORY_REGISTERS].banks = ws_register_banks(m);
    out->part[WS_MEMORY_REGISTERS].word = WS_WARP * WORD;
    out->part[WS_MEMORY_REGISTERS].read_cycles = register_cycles(m, "read");
    out->part[WS_MEMORY_REGISTERS].write_cycles = register_cycles(m, "write");
    out->register_port = ws_register_port(m);
    out->part[WS_MEMORY_SHARED].bytes = m->sm_shared;
    out->part[WS_MEMORY_SHARED].banks = m->shared_banks;
    out->part[WS_MEMORY_SHARED].word = WORD;
    out->part[WS_MEMORY_SHARED].read_cycles = m->shared_read;
    out->part[WS_MEMORY_SHARED].write_cycles = m->shared_write;
    ws_memory_readonly_part(out, constant + texture, m->texture_line);
    for (unsigned part = 0; part < WS_MEMORY_PARTS; part++) {
        out->part[part].read_j = c->read_j[part];
        out->part[part].write_j = c->write_j[part];
    }
}

/* ------------------------------------------------------------------------------------------------ launches */

typedef struct source {
    ws_closed_forms closed;
    ws_power *power;
    uint32_t fill_words[WS_ACTIVITY_CACHES];
    int (*see)(void *user, const ws_memory_seen *launch);
    void *user;
} source;

static ws_memory_part part_of(ws_power_component component)
{
    switch (component) {
    case WS_POWER_registers:
        return WS_MEMORY_REGISTERS;
    case WS_POWER_shared:
        return WS_MEMORY_SHARED;
    case WS_POWER_constant:
    case WS_POWER_texture:
        return WS_MEMORY_READONLY;
    default:
        return WS_MEMORY_PARTS;
    }
}

/* What a cache is filled with is written; the rest of what its terms count is read. */
static void add_term(const ws_power_term *t, const ws_activity *did, double written, ws_memory_launch *l)
{
    const ws_memory_part part = part_of(t->component);
    if (part == WS_MEMORY_PARTS)
        return;
    const double joules = t->joules * (double)((const uint64_t *)did)[t->at];
    double writes =
        part == WS_MEMORY_REGISTERS ? t->at == COUNTER(registers_write_lanes) : !strcmp(t->counter, "fills");
    if (part == WS_MEMORY_SHARED)
        writes = written;
    l->part[part].leakage_j += t->leaks ? joules : 0;
    l->part[part].busy_leakage_j += t->leaks && t->at == COUNTER(sm_busy_cycles) ? joules : 0;
    l->part[part].write_j += t->leaks ? 0 : joules * writes;
    l->part[part].read_j += t->leaks ? 0 : joules * (1 - writes);
}

static double ratio(double a, double b)
{
    return b > 0 ? a / b : 0;
}

static double most(double a, double b)
{
    return a > b ? a : b;
}

static void set_shape(const ws_closed_machine *m, const ws_traffic_profile *p, ws_memory_launch *l)
{
    const double blocks = (double)p->blocks, sms = m->coherence.sms;
    l->blocks = blocks;
    l->warps_per_block = (double)p->warps_per_block;
    l->busy_sms = blocks < sms ? blocks : sms;
    const double fit = ws_closed_form_residents(m, p), there = ceil(ratio(blocks, sms));
    l->residents = most(1, fit < there ? fit : there);
    l->row_writes = (double)p->work.register_writes;
    l->row_reads = (double)p->work.register_reads;
    l->shared_loads = (double)p->work.shared_loads;
    l->shared_stores = (double)p->work.shared_stores;
    l->shared_cycles = ratio((double)p->work.shared_passes, m->shared_passes * l->busy_sms);
}

/* Atomics count as writes alone: model/power has one access for them. */
void ws_memory_launch_of(const ws_closed_machine *m, const ws_traffic_profile *p, const ws_closed_result *one,
                         const ws_activity *did, ws_memory_launch *l)
{
    *l = (ws_memory_launch){
        .values = &p->values, .cycles = (double)did->core_cycles[0], .busy_cycles = (double)did->sm_busy_cycles[0]};
    l->bound = most(most(one->issue_cycles, one->l1_cycles),
                    most(most(one->network_cycles, one->memory_cycles), one->unit_cycles));
    set_shape(m, p, l);
    l->part[WS_MEMORY_REGISTERS].reads = (double)p->work.read_lanes;
    l->part[WS_MEMORY_REGISTERS].writes = (double)p->work.write_lanes;
    l->part[WS_MEMORY_SHARED].reads = (double)(p->work.shared_words - p->work.shared_written_words);
    l->part[WS_MEMORY_SHARED].writes = (double)p->work.shared_written_words;
}

static int launch_of(const source *s, const char *kernel, const ws_traffic_profile *p, ws_memory_launch *l)
{
    ws_closed_result one;
    ws_activity did;
    const int status = ws_closed_forms_launch(&s->closed, kernel, p, &one, &did);
    if (status)
        return status;
    ws_memory_launch_of(&s->closed.machine, p, &one, &did, l);
    for (unsigned cache = WS_ACTIVITY_TEXTURE; cache <= WS_ACTIVITY_CONSTANT; cache++) {
        l->part[WS_MEMORY_READONLY].reads += (double)did.cache_hits[cache];
        l->part[WS_MEMORY_READONLY].writes += (double)did.cache_fills[cache] * s->fill_words[cache];
    }
    const double written = ratio((double)p->work.shared_written_words, (double)p->work.shared_words);
    for (size_t i = 0; i < ws_power_terms(s->power); i++)
        add_term(ws_power_term_at(s->power, i), &did, written, l);
    return WS_OK;
}

static int see_profile(void *context, const ws_store_profile *stored, const ws_traffic_profile *profile)
{
    const source *const s = context;
    ws_memory_launch l;
    if (!ws_launch_values_known(&profile->values))
        return ws_fail(WS_ENOTFOUND, "its profile has no values of registers and shared memory: run it again with "
                                     "--profile, or record its trace with --values");
    const int status = launch_of(s, stored->kernel, profile, &l);
    return status ? status
                  : s->see(s->user, &(ws_memory_seen){stored->workload, stored->kernel, stored->sequence + 1, &l});
}

int ws_memory_from_profiles(const ws_machine *machine, const char *db,
                            int (*see)(void *user, const ws_memory_seen *launch), void *user, ws_frame *notes)
{
    source s = {.see = see,
                .user = user,
                .fill_words = {[WS_ACTIVITY_TEXTURE] = machine->texture_line / WORD,
                               [WS_ACTIVITY_CONSTANT] = machine->constant_line / WORD}};
    int status = ws_closed_forms_of(machine, notes, &s.closed);
    if (!status)
        status = ws_power_create(machine, &(ws_power_options){0}, &s.power);
    if (!status)
        status = ws_profile_walk(db, see_profile, &s, notes);
    ws_closed_form_destroy(s.closed.form);
    ws_power_destroy(s.power);
    return status;
}
