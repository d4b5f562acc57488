/* optical_channel.h - optically linked memory channel of several stacks, as values: occupancy of wavelengths by bursts,
 * and travel time of light. model/sim/memory/memory_channel_optical.c implements it. */
#ifndef WS_OPTICAL_CHANNEL_H
#define WS_OPTICAL_CHANNEL_H

#include "model/machine/machine_declared.h"
#include "model/machine/memory_channel_kind.h"

/* Time or duration: whole cycles of the memory clock and a fraction, with the denominator of its direction. */
typedef struct ws_optical_time {
    uint64_t whole, fraction;
} ws_optical_time;

static inline uint64_t ws_optical_ceiling(ws_optical_time t)
{
    return t.whole + (t.fraction > 0);
}

/* Data in one direction; a burst occupies one of the lanes. */
typedef struct ws_optical_way {
    uint32_t lanes;
    ws_optical_time burst;
    uint64_t denominator;
} ws_optical_way;

typedef struct ws_optical_channel {
    uint64_t value[WS_CHANNEL_optical_END];
    uint32_t stacks;
    uint32_t preamble; /* lowest of the bits that select the stack */
    ws_optical_way north, south;
    uint64_t delay; /* of a command, and of its answer: constant, memory cycles */
} ws_optical_channel;

/* Returns the machine's channel, with stacks of such parts. */
ws_optical_channel ws_optical_channel_of(const ws_machine *machine, const ws_dram_part *part);

/* Members of its row of memory_channels.def. */
int ws_optical_check(const ws_machine *machine, const ws_dram_part *part);
ws_memory_shape ws_optical_shape(const ws_machine *machine, const ws_dram_part *part);

#endif
