/* memory_channel_internal.h - the rows of memory_channels.def. */
#ifndef WS_MEMORY_CHANNEL_INTERNAL_H
#define WS_MEMORY_CHANNEL_INTERNAL_H

#include "model/sim/memory_channel.h"

#define CHANNEL(name) extern const ws_memory_channel_ops ws_memory_channel_##name;
#include "model/sim/memory_channels.def"
#undef CHANNEL

#endif
