/* dram_fcfs.c - first come, first served: commands go out for the oldest request only, read or write. */
#include "model/sim/memory/dram_internal.h"

/* The oldest request of all: the oldest of the oldest of each bank. */
static uint32_t oldest_of(const ws_dram *dram, int *direction)
{
    uint32_t oldest = WS_NO_ENTRY;
    for (int d = 0; d < WS_DRAM_DIRECTIONS; d++)
        for (uint64_t bits = dram->head->waiting[d]; bits; bits &= bits - 1) {
            const uint32_t entry = dram->bank[__builtin_ctzll(bits)].head[d];
            if (oldest == WS_NO_ENTRY || dram->entries[entry].order < dram->entries[oldest].order) {
                oldest = entry;
                *direction = d;
            }
        }
    return oldest;
}

static ws_dram_choice choose(const ws_dram *dram, void *state)
{
    (void)state;
    int direction = WS_DRAM_OUT;
    const uint32_t entry = oldest_of(dram, &direction);
    const ws_dram_choice none = {.command = -1, .wake = WS_NEVER};
    if (entry == WS_NO_ENTRY || !ws_dram_usable(dram, dram->entries[entry].bank_index))
        return none;
    const uint32_t b = dram->entries[entry].bank_index;
    const uint32_t row = dram->bank[b].open_row;
    int command = direction == WS_DRAM_IN ? WS_DRAM_WRITE : WS_DRAM_READ;
    if (row == WS_NO_ROW)
        command = WS_DRAM_ACTIVATE;
    else if (row != dram->entries[entry].request.at.row)
        command = WS_DRAM_PRECHARGE;
    if (command == WS_DRAM_READ && !ws_dram_can_reply(dram))
        return none;
    const uint64_t ready = ws_dram_ready(dram, command, b);
    if (ready > dram->head->now)
        return (ws_dram_choice){.command = -1, .wake = ready};
    return (ws_dram_choice){command, b, entry, WS_NEVER};
}

const ws_dram_controller ws_dram_fcfs = {
    .choose = choose,
};
