/* shared_sram.c - shared memory of SRAM: what model/power says. */
#include "model/memory/memory_internal.h"

static void add(const ws_memory_setup *setup, const ws_memory_use *use, ws_memory_sum *sum)
{
    sum->read_j += use->launch->part[setup->part].read_j;
    sum->write_j += use->launch->part[setup->part].write_j;
    sum->leakage_j += use->leakage_j;
}

const ws_memory_ops ws_memory_shared_sram = {.name = "sram", .part = WS_MEMORY_SHARED, .add = add};
