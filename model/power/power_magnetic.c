/* power_magnetic.c - memories of an SM that are magnetic: what is written to their cells costs what model/memory says
 * of it, over SRAM. */
#include "model/power/power_internal.h"
#include "model/machine/machine.h"

#include <limits.h>
#include <string.h>

/* Constants of the machine's magnetic memory, and its cell. */
typedef struct constants {
    ws_memory_tech tech;
    ws_cell stt;
} constants;

static int read_constants(const ws_power_build *b, constants *out)
{
    char path[PATH_MAX];
    int status = ws_power_tech_path(b->machine, "memory_", b->machine->power_magnetic, path);
    if (!status)
        status = ws_memory_tech_read(path, &out->tech);
    if (!status)
        status = ws_power_tech_path(b->machine, "cell_", b->machine->power_magnetic_cell, path);
    return status ? status : ws_cell_read(path, &out->stt);
}

static ws_memory_chip chip_of(const ws_power_build *b, const constants *c)
{
    return (ws_memory_chip){.tech = &c->tech,
                            .node = b->node,
                            .sram = b->cell,
                            .stt = &c->stt,
                            .volts = b->volts,
                            .kelvin = b->temperature_k};
}

static int find_ratios(const ws_power_build *b, const ws_power_magnetic *m, ws_memory_ratios *out)
{
    constants c;
    const int status = read_constants(b, &c);
    if (status)
        return status;
    ws_memory_chip chip = chip_of(b, &c);
    chip.part[m->part].bytes = m->bytes;
    chip.part[m->part].banks = m->banks;
    chip.part[m->part].word = m->word;
    return ws_memory_ratios_of(
        &chip, m->part,
        &(ws_memory_beside){.section_bytes = m->cells.sram_bytes, .tags = m->cells.tags, .waiting = m->cells.waiting},
        out);
}

int ws_power_readonly_ratios(const ws_power_build *b, ws_bit_cells cells, ws_memory_ratios *out)
{
    const ws_machine *const m = b->machine;
    constants c;
    *out = (ws_memory_ratios){.read = 1, .write = 1, .leakage = 1};
    if (cells == WS_BIT_CELLS_SRAM)
        return WS_OK;
    const int status = read_constants(b, &c);
    if (status)
        return status;
    ws_memory_chip chip = chip_of(b, &c);
    ws_memory_readonly_part(&chip,
                            (uint64_t)m->constant_sets * m->constant_ways * m->constant_line +
                                (uint64_t)m->texture_sets * m->texture_ways * m->texture_line,
                            m->texture_line);
    return ws_memory_ratios_of(&chip, WS_MEMORY_READONLY, &(ws_memory_beside){0}, out);
}

/* Bits that change are written; the others are compared, or watched and left as they are. */
static int add_writes(ws_power_build *b, const ws_power_magnetic *m, const ws_memory_ratios *r)
{
    const double each = m->cells.width ? r->compare : m->cells.early ? r->watch + r->same : 0;
    const double written = m->cells.early ? r->write - r->same : r->write;
    const int status = ws_power_event(b, m->lanes, m->write_j * each,
                                      m->cells.width ? "%.3g of a write of SRAM: it is read first"
                                                     : "%.3g of a write of SRAM: its bits are watched",
                                      each);
    return status ? status
                  : ws_power_event(b, m->parts, m->write_j * written / WS_CELLS_PARTS,
                                   "1/%d of a write of SRAM, times %.4g", WS_CELLS_PARTS, written);
}

int ws_power_add_magnetic(ws_power_build *b, const ws_power_magnetic *m, ws_memory_ratios *r)
{
    int status = find_ratios(b, m, r);
    if (!status)
        status = ws_power_event(b, m->reads, m->read_j * r->read, "%.3g of a read of SRAM", r->read);
    return status ? status : add_writes(b, m, r);
}
