/* register_file_differential.c - banks of a memory that is slow to write: what it holds is read first, and only bits
 * that change are written.
 *
 * Differential memory update, for magnetic memories (Goswami, "Power Performance Co-Optimization of Throughput
 * Architecture Using Emerging Technologies", 2013): a write reads the register, and is over when nothing changes;
 * otherwise the arrays in which a bit changes are written, all at the same time. Values that are not known count as
 * changed. Banks, ports and collectors are those of `banked`. */
#include "model/sim/sm/register_file_internal.h"

static const ws_option options[] = {
    [WS_BANKED_BANKS] = {WS_REGISTER_BANKS, "", 16, 1, 64, "register r of warp w is in bank (r + w) modulo this"},
    [WS_BANKED_PORTS] = {"ports", "", 1, 1, 15, "reads and writes of a bank at the same time"},
    [WS_BANKED_COLLECTORS] = {"collectors", "", 8, 1, 64, "instructions that wait for operands"},
    [WS_BANKED_READ] = {"read", "cycles", 1, 1, 64, "of a bank; also what each write begins with"},
    [WS_BANKED_WRITE] = {"write", "cycles", 4, 1, 256, "of a bank, behind that read, when a bit changes"},
    {NULL, NULL, 0, 0, 0, NULL},
};

static const ws_cells compared = {.width = WS_CELLS_WORD};

static uint64_t write_register(void *state, const uint64_t *values, const ws_register_use *use, uint16_t reg)
{
    const uint64_t cycles =
        ws_cells_cycles(&compared, values[WS_BANKED_READ], values[WS_BANKED_WRITE], ws_cells_change(use->value));
    return ws_banked_write(state, values, use->warp, reg, use->cycle, cycles);
}

/* A bit changes, mostly. */
static uint64_t idle(const uint64_t *values)
{
    return ws_banked_idle(values) + values[WS_BANKED_READ];
}

static bool wants_values(const uint64_t *values)
{
    (void)values;
    return true;
}

const ws_register_file_ops ws_register_file_differential = {
    .name = "differential",
    .summary = "as banked, and a write reads first and takes no longer when no bit changes; needs values, which live "
               "launches have",
    .options = options,
    .configure = NULL,
    .state_size = ws_banked_state_size,
    .has_room = ws_banked_has_room,
    .read = ws_banked_read,
    .write = write_register,
    .idle = idle,
    .wants_values = wants_values,
};
