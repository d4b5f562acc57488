/* register_banks.h - banks of registers, and activity of units and banks by an instruction. */
#ifndef WS_REGISTER_BANKS_H
#define WS_REGISTER_BANKS_H

#include "base/bits.h"
#include "model/activity.h"
#include "model/sim/sm/decode.h"

/* Returns the bank of register r of warp w: (r + w) modulo the number of banks (ws_register_banks). */
static inline uint32_t ws_register_bank(uint32_t reg, uint32_t warp, uint32_t banks)
{
    return (reg + warp) % banks;
}

static inline void ws_activity_count_banks(uint64_t *counts, const uint16_t *reg, unsigned n, unsigned warp,
                                           uint32_t banks)
{
    if (banks & (banks - 1))
        for (unsigned i = 0; i < n; i++)
            counts[(reg[i] + warp) % banks]++;
    else /* the common case, without a division */
        for (unsigned i = 0; i < n; i++)
            counts[(reg[i] + warp) & (banks - 1)]++;
}

/* Counts an instruction of a warp with `lanes` lanes. */
static inline void ws_activity_instruction(ws_activity *a, const ws_decoded *d, unsigned lanes, unsigned warp,
                                           uint32_t banks)
{
    a->unit_instructions[d->unit]++;
    a->unit_lanes[d->unit] += lanes;
    a->operation_lanes[d->operation.operation] += (uint64_t)d->operation.each * lanes + d->operation.warp;
    a->registers_read_lanes[0] += d->srcs * lanes;
    a->registers_write_lanes[0] += d->dsts * lanes;
    ws_activity_count_banks(a->registers_reads, d->src, d->srcs, warp, banks);
    ws_activity_count_banks(a->registers_writes, d->dst, d->dsts, warp, banks);
}

#endif
