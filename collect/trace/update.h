/* update.h - which atomic operations may be done in any order, with nobody looking at what they found?
 *
 * Those commute and are called updates: adding, minimum, maximum, and, or, exclusive or on global memory, as a
 * reduction or as an atomic whose old value no instruction of the kernel reads. What is ordered beyond its block
 * (release and more) is none. Exchange, compare and swap, and the counters that wrap (inc, dec) do not commute with
 * themselves. */
#ifndef WS_UPDATE_H
#define WS_UPDATE_H

#include "collect/trace/event.h"

/* Is what it does ordered after all that its warp did before, for more than its block? */
bool ws_update_is_ordered(uint8_t order, uint8_t scope);

/* Does an instruction of the launch order, beyond its block, what was done before: a fence, or an access that is
 * ordered? */
bool ws_update_is_launch_ordered(const ws_launch *launch);

/* update[i]: instruction i of the launch is an update wherever its addresses are in global memory. WS_EMEM. */
int ws_update_mark(const ws_launch *launch, bool *update);

/* What two updates of a line have to share to be one: operation, numbers, sign and bytes in one code. */
static inline uint32_t ws_update_code(uint8_t op, uint8_t number, bool is_signed, uint8_t bytes)
{
    return (uint32_t)op << 24 | (uint32_t)number << 16 | (uint32_t)is_signed << 8 | bytes;
}

#endif
