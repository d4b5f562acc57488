/* registers_sram.c - a register file of SRAM: what model/power says. */
#include "model/memory/memory_internal.h"

static void add(const ws_memory_setup *setup, const ws_memory_use *use, ws_memory_sum *sum)
{
    sum->read_j += use->launch->part[setup->part].read_j;
    sum->write_j += use->launch->part[setup->part].write_j;
    sum->leakage_j += use->leakage_j;
    ws_memory_add_turns(setup, use->launch, 0, sum);
}

const ws_memory_ops ws_memory_registers_sram = {.name = "sram", .part = WS_MEMORY_REGISTERS, .add = add};
