/* optical_channel.h - a channel of several stacks of memory behind links of light, as values: how long bursts keep
 * their wavelengths, and how long light takes. What it does is in model/sim/memory/memory_channel_optical.c. */
#ifndef WS_OPTICAL_CHANNEL_H
#define WS_OPTICAL_CHANNEL_H

#include "model/machine/machine_declared.h"
#include "model/machine/memory_channel_kind.h"

/* A time, or a duration: whole cycles of the memory clock and a fraction, whose denominator is that of its way. */
typedef struct ws_optical_time {
    uint64_t whole, fraction;
} ws_optical_time;

static inline uint64_t ws_optical_ceiling(ws_optical_time t)
{
    return t.whole + (t.fraction > 0);
}

/* Data in one direction: a burst keeps one of the lanes. */
typedef struct ws_optical_way {
    uint32_t lanes;
    ws_optical_time burst;
    uint64_t denominator;
} ws_optical_way;

typedef struct ws_optical_channel {
    uint64_t value[WS_CHANNEL_optical_END];
    uint32_t stacks;
    uint32_t preamble; /* the lowest bit of those that say which stack */
    ws_optical_way north, south;
    uint64_t delay; /* of a command, and of its answer: constant, in memory cycles */
} ws_optical_channel;

/* That of the machine, with stacks of such parts. */
ws_optical_channel ws_optical_channel_of(const ws_machine *machine, const ws_dram_part *part);

/* As a row of memory_channels.def. */
int ws_optical_check(const ws_machine *machine, const ws_dram_part *part);
ws_memory_shape ws_optical_shape(const ws_machine *machine, const ws_dram_part *part);

#endif
