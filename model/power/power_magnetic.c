/* power_magnetic.c - memories of an SM that are magnetic: what is written to their cells costs what model/memory says of it, over SRAM. */
#include "model/power/power_internal.h"

#include <limits.h>

static int find_ratios(const ws_power_build *b, const ws_power_magnetic *m, ws_memory_ratios *out)
{
    char path[PATH_MAX];
    ws_memory_tech tech;
    ws_cell stt;
    int status = ws_power_tech_path(b->machine, "memory_", b->machine->power_magnetic, path);
    if (!status)
        status = ws_memory_tech_read(path, &tech);
    if (!status)
        status = ws_power_tech_path(b->machine, "cell_", b->machine->power_magnetic_cell, path);
    if (!status)
        status = ws_cell_read(path, &stt);
    if (status)
        return status;
    ws_memory_chip chip = {.tech = &tech, .node = b->node, .sram = b->cell, .stt = &stt, .volts = b->volts, .kelvin = b->temperature_k};
    chip.part[m->part].bytes = m->bytes;
    chip.part[m->part].banks = m->banks;
    chip.part[m->part].word = m->word;
    return ws_memory_ratios_of(&chip, m->part, m->cells.sram_bytes, m->cells.tags, out);
}

/* Bits that change are written; the others are compared, or watched and left as they are. */
static int add_writes(ws_power_build *b, const ws_power_magnetic *m, const ws_memory_ratios *r)
{
    const double each = m->cells.width ? r->compare : m->cells.early ? r->watch + r->same : 0;
    const double written = m->cells.early ? r->write - r->same : r->write;
    const int status = ws_power_event(b, m->lanes, m->write_j * each, m->cells.width ? "%.3g of a write of SRAM: it is read first" : "%.3g of a write of SRAM: its bits are watched", each);
    return status ? status : ws_power_event(b, m->parts, m->write_j * written / WS_CELLS_PARTS, "1/%d of a write of SRAM, times %.4g", WS_CELLS_PARTS, written);
}

int ws_power_add_magnetic(ws_power_build *b, const ws_power_magnetic *m, ws_memory_ratios *r)
{
    int status = find_ratios(b, m, r);
    if (!status)
        status = ws_power_event(b, m->reads, m->read_j * r->read, "%.3g of a read of SRAM", r->read);
    return status ? status : add_writes(b, m, r);
}
