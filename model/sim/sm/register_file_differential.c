/* register_file_differential.c - banks of a memory that is slow to write: what it holds is read first, and only bits
 * that change are written.
 *
 * Differential memory update, for magnetic memories (Goswami, "Power Performance Co-Optimization of Throughput
 * Architecture Using Emerging Technologies", 2013): a write reads the register, and is over when nothing changes;
 * otherwise the arrays in which a bit changes are written, all at the same time. Values that are not known count as
 * changed. Banks, ports and collectors are those of `banked`. */
#include "model/sim/sm/register_file_internal.h"

static const ws_cells compared = {.width = WS_CELLS_WORD};

static uint64_t write_register(void *state, const uint64_t *values, const ws_register_use *use, uint16_t reg)
{
    const bool change = ws_cells_change(use->value);
    const uint64_t cycles =
        ws_cells_cycles(&compared, values[WS_REGISTERS_banked_read], values[WS_REGISTERS_banked_write], change) +
        (change ? ws_banked_more_turns(values, use) : 0);
    return ws_banked_write(state, values, use->warp, reg, use->cycle, cycles);
}

/* A bit changes, mostly. */
static uint64_t idle(const uint64_t *values)
{
    return ws_banked_idle(values) + values[WS_REGISTERS_banked_read];
}

const ws_register_file_ops ws_register_file_differential = {
    .state_size = ws_banked_state_size,
    .has_room = ws_banked_has_room,
    .read = ws_banked_read,
    .write = write_register,
    .idle = idle,
};
