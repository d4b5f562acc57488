/* memory_estimate.c - see memory_estimate.h. */
#include "model/mechanism/memory/memory_estimate.h"

#include "model/mechanism/memory/memory_source.h"

#include "base/status.h"
#include "model/machine/machine.h"
#include "model/machine/register_kind.h"
#include "model/machine/shared_kind.h"

#include <math.h>
#include <stdlib.h>

struct ws_memory_estimate {
    ws_memory_constants *constants;
    ws_memory *memory;
    bool magnetic[WS_MEMORY_PARTS];
    bool buffered;      /* registers, in front of their banks */
    double shared_more; /* cycles of a load from shared memory beyond those of SRAM */
};

static uint64_t whole(double n)
{
    return n > 0 ? (uint64_t)llround(n) : 0;
}

/* ------------------------------------------------------------------------------------------------ machines */

/* The machine's memories; those of SRAM keep their organisation and have no form. */
typedef struct memories {
    const ws_register_file_kind *file;
    const ws_shared_memory_kind *shared;
    ws_cells_form form[WS_MEMORY_PARTS];
} memories;

static int find_memories(const ws_machine *m, memories *out)
{
    uint64_t registers[WS_REGISTER_OPTIONS], values[WS_SHARED_OPTIONS];
    *out = (memories){.file = ws_register_file_of(m, registers), .shared = ws_shared_memory_of(m, values)};
    for (unsigned i = 0; i < WS_MEMORY_PARTS; i++)
        ws_cells_name(&out->form[i], "sram");
    if (out->file && out->file->form)
        out->file->form(registers, &out->form[WS_MEMORY_REGISTERS]);
    if (out->shared && out->shared->form)
        out->shared->form(values, &out->form[WS_MEMORY_SHARED]);
    for (unsigned i = 0; i < WS_MEMORY_PARTS; i++)
        if (out->form[i].unknown)
            return ws_fail(WS_EUNSUPPORTED,
                           "configuration %s: %s: profiles do not cover it; simulate it (sim --power, whatif or "
                           "explore --simulate)",
                           m->name, out->form[i].unknown);
    return WS_OK;
}

/* Cycles of SRAM in the place of the machine's; the ratio of both, as organisations want it. Where nobody tells, the
 * file of technology has the ratio. */
static void set_cycles(double *cycles, uint32_t in_sram, double *over_sram)
{
    const double here = *cycles;
    *cycles = in_sram ? in_sram : here / *over_sram;
    *over_sram = here / *cycles;
}

static void set_times(const memories *m, ws_memory_tech *t, ws_memory_chip *chip)
{
    const ws_cells_form *const r = &m->form[WS_MEMORY_REGISTERS], *const s = &m->form[WS_MEMORY_SHARED];
    if (m->file && m->file->form) {
        set_cycles(&chip->part[WS_MEMORY_REGISTERS].read_cycles, r->sram_read, &t->latency_register_read);
        set_cycles(&chip->part[WS_MEMORY_REGISTERS].write_cycles, r->sram_write, &t->latency_register_write);
        t->coalesce_entries = r->waiting ? r->waiting : t->coalesce_entries;
        t->coalesce_wide = r->waiting ? r->wide : t->coalesce_wide;
        t->coalesce_latency = r->waiting ? r->buffer_cycles : t->coalesce_latency;
    }
    if (m->shared && m->shared->form) {
        set_cycles(&chip->part[WS_MEMORY_SHARED].read_cycles, s->sram_read, &t->latency_shared_read);
        set_cycles(&chip->part[WS_MEMORY_SHARED].write_cycles, s->sram_write, &t->latency_shared_write);
    }
}

static int make(const ws_machine *machine, const memories *m, ws_memory_estimate *e)
{
    const char *organisation[WS_MEMORY_PARTS];
    ws_memory_chip chip;
    const int status =
        ws_memory_constants_read(machine, machine->power_magnetic, machine->power_magnetic_cell, &e->constants);
    if (status)
        return status;
    ws_memory_chip_of(e->constants, machine, false, 0, &chip);
    set_times(m, ws_memory_constants_tech(e->constants), &chip);
    for (unsigned i = 0; i < WS_MEMORY_PARTS; i++)
        organisation[i] = m->form[i].organisation;
    e->magnetic[WS_MEMORY_REGISTERS] = m->file && m->file->form;
    e->magnetic[WS_MEMORY_SHARED] = m->shared && m->shared->form;
    e->buffered = m->form[WS_MEMORY_REGISTERS].waiting > 0;
    e->shared_more = machine->shared_read - chip.part[WS_MEMORY_SHARED].read_cycles;
    return ws_memory_create(&chip, organisation, &e->memory);
}

int ws_memory_estimate_create(const ws_machine *machine, ws_memory_estimate **out)
{
    memories m;
    *out = NULL;
    int status = find_memories(machine, &m);
    if (status || (!(m.file && m.file->form) && !(m.shared && m.shared->form) && !ws_register_port(machine)))
        return status;
    ws_memory_estimate *const e = calloc(1, sizeof *e);
    status = e ? make(machine, &m, e) : ws_fail(WS_EMEM, "out of memory");
    if (status) {
        ws_memory_estimate_destroy(e);
        return status;
    }
    *out = e;
    return WS_OK;
}

void ws_memory_estimate_assume_sram(const ws_memory_estimate *e, ws_closed_form *form)
{
    if (e)
        ws_closed_form_shorten(form, WS_CHAIN_SHARED, e->shared_more);
}

void ws_memory_estimate_destroy(ws_memory_estimate *e)
{
    if (!e)
        return;
    ws_memory_destroy(e->memory);
    free(e->constants);
    free(e);
}

/* ------------------------------------------------------------------------------------------------ launches */

static uint64_t parts_of(const ws_memory_sum *sum)
{
    return whole(sum->bits_written / WS_MEMORY_WORD * WS_CELLS_PARTS);
}

static void count_registers(const ws_memory_estimate *e, const ws_memory_sum *sum, ws_activity *a)
{
    a->registers_cell_lanes[0] = whole(sum->cell_writes);
    a->registers_cell_parts[0] = parts_of(sum);
    a->registers_sram_read_lanes[0] = whole(sum->section_reads);
    a->registers_sram_write_lanes[0] = whole(sum->section_writes);
    if (!e->buffered)
        return;
    a->registers_buffered_lanes[0] = whole(sum->writes - sum->section_writes);
    a->registers_merged[0] = whole(sum->coalesced);
    a->registers_merged_lanes[0] = whole(sum->writes - sum->section_writes - sum->cell_writes);
}

static void count_shared(const ws_memory_sum *sum, ws_activity *a)
{
    a->shared_cell_reads[0] = whole(sum->reads - sum->section_reads);
    a->shared_cell_writes[0] = whole(sum->cell_writes);
    a->shared_cell_parts[0] = parts_of(sum);
    a->shared_section_reads[0] = whole(sum->section_reads);
    a->shared_section_writes[0] = whole(sum->section_writes);
    a->shared_section_lookups[0] = whole(sum->lookups);
    a->shared_section_cycles[0] = whole(sum->section_cycles);
}

/* SMs that had blocks have them for longer. */
static void set_cycles_of(const ws_memory_launch *l, double cycles, uint32_t sms, ws_activity *a)
{
    const uint64_t all = whole(cycles);
    const double longer = (double)all - (double)a->core_cycles[0];
    a->sm_busy_cycles[0] = whole((double)a->sm_busy_cycles[0] + longer * l->busy_sms);
    a->core_cycles[0] = all;
    a->sm_idle_cycles[0] = all * sms > a->sm_busy_cycles[0] ? all * sms - a->sm_busy_cycles[0] : 0;
}

int ws_memory_estimate_change(const ws_memory_estimate *e, const char *kernel, const ws_closed_machine *m,
                              const ws_traffic_profile *p, const ws_closed_result *one, ws_activity *did)
{
    ws_memory_launch launch;
    ws_memory_result result = {0};
    if (!e)
        return WS_OK;
    if (!ws_launch_values_known(&p->values))
        return ws_fail(WS_ENOTFOUND, "memories of the machine are magnetic, or write a word at a time, and its profile "
                                     "has no values of registers "
                                     "and shared memory: run it again with "
                                     "--profile, or record its trace with --values");
    ws_memory_launch_of(m, p, one, did, &launch);
    const int status = ws_memory_add(e->memory, kernel, &launch, &result);
    if (status)
        return status;
    set_cycles_of(&launch, result.cycles, m->coherence.sms, did);
    did->registers_more_turns[0] = whole(result.part[WS_MEMORY_REGISTERS].more_turns);
    if (e->magnetic[WS_MEMORY_REGISTERS])
        count_registers(e, &result.part[WS_MEMORY_REGISTERS], did);
    if (e->magnetic[WS_MEMORY_SHARED])
        count_shared(&result.part[WS_MEMORY_SHARED], did);
    return WS_OK;
}
