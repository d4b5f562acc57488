/* memory_channel.h - a channel of memory as the machine sees it: bursts go in, bursts that were read come out. One kind
 * is one file and a row of memory_channels.def. It is driven like a network (network.h), in cycles of the memory's
 * clock. */
#ifndef WS_MEMORY_CHANNEL_H
#define WS_MEMORY_CHANNEL_H

#include "base/bytes.h"
#include "model/machine/machine_declared.h"
#include "model/machine/memory_channel_kind.h"
#include "model/sim/memory/dram.h"

typedef struct ws_memory_channel_ops {
    int (*create)(const ws_machine *machine, const ws_dram_part *part, void **out);
    void (*destroy)(void *channel);
    bool (*has_room)(const void *channel, uint64_t address, bool write);
    /* A burst at that address of the channel; there is room. Writes are done when they are taken. False: not now. */
    bool (*push)(void *channel, uint64_t address, bool write, uint64_t tag);
    void (*step)(void *channel, uint64_t until);
    bool (*pop)(void *channel, uint64_t *tag);  /* a burst that was read */
    uint64_t (*next_time)(const void *channel); /* WS_NEVER: only push and pop change anything */
    uint64_t (*inside)(const void *channel);
    ws_dram_totals (*sum)(const void *channel);
    void (*save)(const void *channel, ws_bytes *bytes);
    int (*load)(void *channel, ws_reader *reader);
} ws_memory_channel_ops;

/* What a kind of channel does. */
const ws_memory_channel_ops *ws_memory_channel_ops_of(const ws_memory_channel_kind *kind);

#endif
