/* power_registers.c - banks of 32 lanes' registers, and the way to the lanes. A lane that takes no part
 * reads and writes nothing. */
#include "model/power/power_internal.h"

#include "model/machine/machine.h"
#include "model/machine/register_kind.h"

enum { BITS = 32, BYTES = 4, BUFFERED_ACCESSES = 2 /* of a write that waits: into its buffer, and out */ };

/* In SRAM; a lane's register, with the wires to it. */
typedef struct file {
    uint64_t banks, bytes;
    double read_j, write_j, leakage_w;
    double activate_j; /* of a row */
} file;

static double way_m(const ws_power_build *b)
{
    return b->energies->registers_way * ws_power_sm_side_m(b);
}

static int evaluate(const ws_power_build *b, file *f)
{
    const double way = BITS * way_m(b) * b->wire;
    ws_array_result bank = {0};
    f->banks = ws_register_banks(b->machine);
    f->bytes = (uint64_t)b->machine->sm_registers * BYTES;
    const int status = ws_power_array(b, f->bytes / f->banks, WS_WARP * BYTES, 0, &bank);
    f->read_j = bank.read_j / WS_WARP + way;
    f->write_j = bank.write_j / WS_WARP + way;
    f->activate_j = bank.activate_j;
    f->leakage_w = bank.leakage_w * (double)f->banks;
    return status;
}

/* Rows whose port takes them in several turns: the word line and its decoder again. */
static int add_turns(ws_power_build *b, double joules)
{
    return ws_power_event(b, WS_COUNTER(registers_more_turns, 0), joules, "the word line of a row, and its decoder");
}

static int add_sram(ws_power_build *b, const file *f)
{
    static const char why[] = "1/32 of a row of %d bytes of a bank of %g KB, %.2f mm of wires";
    const double kilobytes = (double)f->bytes / (double)f->banks / 1024;
    int status = ws_power_event(b, WS_COUNTER(registers_read_lanes, 0), f->read_j, why, WS_WARP * BYTES, kilobytes,
                                way_m(b) * 1e3);
    if (!status)
        status = ws_power_event(b, WS_COUNTER(registers_write_lanes, 0), f->write_j, why, WS_WARP * BYTES, kilobytes,
                                way_m(b) * 1e3);
    if (!status && ws_register_port(b->machine))
        status = add_turns(b, f->activate_j);
    return status ? status : ws_power_leak_in_sms(b, f->leakage_w, "banks of registers of an SM");
}

/* Registers that are in SRAM are read for what others cost, and the rest of it. */
static int add_magnetic(ws_power_build *b, const file *f, const ws_cells *cells)
{
    const ws_power_magnetic part = {.part = WS_MEMORY_REGISTERS,
                                    .bytes = f->bytes,
                                    .banks = (uint32_t)f->banks,
                                    .word = WS_WARP * BYTES,
                                    .cells = *cells,
                                    .read_j = f->read_j,
                                    .write_j = f->write_j,
                                    .reads = WS_COUNTER(registers_read_lanes, 0),
                                    .lanes = WS_COUNTER(registers_cell_lanes, 0),
                                    .parts = WS_COUNTER(registers_cell_parts, 0)};
    ws_memory_ratios r;
    int status = ws_power_add_magnetic(b, &part, &r);
    if (!status)
        status = ws_power_event(b, WS_COUNTER(registers_buffered_lanes, 0), BUFFERED_ACCESSES * r.section * f->write_j,
                                "into a buffer and out, %.3g of a write of SRAM each", r.section);
    if (!status && (ws_register_port(b->machine) || cells->waiting))
        status = add_turns(b, r.activate_j);
    if (!status)
        status = ws_power_event(b, WS_COUNTER(registers_sram_read_lanes, 0), (1 - r.read) * f->read_j,
                                "%.3g of a read more than of a magnetic register", 1 - r.read);
    if (!status)
        status = ws_power_event(b, WS_COUNTER(registers_sram_write_lanes, 0), f->write_j, "as in SRAM");
    return status ? status
                  : ws_power_leak_in_sms(b, f->leakage_w * (r.leakage + r.section_leakage),
                                         "magnetic banks of registers of an SM, and buffers");
}

int ws_power_add_registers(ws_power_build *b)
{
    uint64_t values[WS_REGISTER_OPTIONS];
    const ws_register_file_kind *const kind = ws_register_file_of(b->machine, values);
    ws_cells cells;
    file f;
    const int status = evaluate(b, &f);
    if (status || !kind->cells)
        return status ? status : add_sram(b, &f);
    kind->cells(values, &cells);
    return add_magnetic(b, &f, &cells);
}
