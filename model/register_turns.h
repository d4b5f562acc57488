/* register_turns.h - turns of the write port of a register bank.
 *
 * A turn writes up to `port` adjacent words of a row. An inactive lane ends it, and the next turn begins at the next
 * active lane. Goswami, Power Performance Co-Optimization of Throughput Architecture Using Emerging Technologies,
 * 2013, 6.1.2 (a bank writes a word of a lane; writes to adjacent cells of a row merge into a wider one) and 6.2.1 (N
 * writes of a warp become N / M where M adjacent ones are written at a time; inactive threads leave more of them). */
#ifndef WS_REGISTER_TURNS_H
#define WS_REGISTER_TURNS_H

#include "base/bits.h"

#include <stdbool.h>

/* Returns the turns for the words of `mask`, which covers `registers` adjacent registers of warps; port 0: one turn for
 * all. */
static inline unsigned ws_register_row_turns(const uint32_t *mask, unsigned registers, uint32_t port)
{
    unsigned turns = 0, run = 0;
    uint32_t any = 0;
    for (unsigned word = 0; port && word < registers * WS_WARP; word++) {
        const bool takes_part = mask[word / WS_WARP] >> word % WS_WARP & 1;
        turns += takes_part && run % port == 0;
        run = takes_part ? run + 1 : 0;
    }
    for (unsigned i = 0; !port && i < registers; i++)
        any |= mask[i];
    return port ? turns : any != 0;
}

/* The same for one register of a warp. */
static inline unsigned ws_register_turns(uint32_t exec, uint32_t port)
{
    if (!port || !exec)
        return exec != 0;
    if (port == 1)
        return ws_popcount(exec);
    if (exec == UINT32_MAX)
        return (WS_WARP + port - 1) / port;
    return ws_register_row_turns(&exec, 1, port);
}

#endif
