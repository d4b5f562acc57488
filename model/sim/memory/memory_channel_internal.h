/* memory_channel_internal.h - rows of memory_channels.def. */
#ifndef WS_MEMORY_CHANNEL_INTERNAL_H
#define WS_MEMORY_CHANNEL_INTERNAL_H

#include "model/sim/memory/memory_channel.h"

#define CHANNEL(name, ...) extern const ws_memory_channel_ops ws_memory_channel_##name;
#include "model/machine/memory_channels.def"

/* Defines a row from the functions of its file. */
#define WS_MEMORY_CHANNEL(name) \
    const ws_memory_channel_ops ws_memory_channel_##name = { \
        .create = create, \
        .destroy = destroy, \
        .has_room = has_room, \
        .push = push, \
        .step = step, \
        .pop = pop, \
        .next_time = next_time, \
        .inside = inside, \
        .sum = sum, \
        .save = save, \
        .load = load, \
    }

/* Returns the part's own map without its channel bits: the caller has selected the channel. */
const char *ws_memory_channel_map(const ws_dram_part *part);

#endif
