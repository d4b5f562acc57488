/* update.h - atomic operations that may be reordered because their old values are not used.
 *
 * An update is an operation on global memory that commutes with itself: add, minimum, maximum, and, or, exclusive or.
 * It is a reduction, or an atomic whose old value no instruction of the kernel reads. An operation ordered beyond its
 * block (release and stronger) is not an update. Exchange, compare-and-swap, and the wrapping counters (inc, dec) do
 * not commute with themselves. */
#ifndef WS_UPDATE_H
#define WS_UPDATE_H

#include "collect/trace/event.h"

/* Returns whether an operation with this order and scope is ordered, beyond its block, after all earlier operations of
 * its warp. */
bool ws_update_is_ordered(uint8_t order, uint8_t scope);

/* Returns whether any instruction of the launch orders earlier operations beyond its block: a fence, or an ordered
 * access. */
bool ws_update_is_launch_ordered(const ws_launch *launch);

/* Sets update[i] if instruction i of the launch is an update when its addresses are in global memory. Returns WS_OK or
 * WS_EMEM. */
int ws_update_mark(const ws_launch *launch, bool *update);

/* Returns a code of operation, number type, sign and bytes. Two updates of a line can be merged if their codes are
 * equal. */
static inline uint32_t ws_update_code(uint8_t op, uint8_t number, bool is_signed, uint8_t bytes)
{
    return (uint32_t)op << 24 | (uint32_t)number << 16 | (uint32_t)is_signed << 8 | bytes;
}

#endif
