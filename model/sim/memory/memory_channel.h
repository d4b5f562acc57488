/* memory_channel.h - memory channel of a machine: bursts are pushed, and read bursts are popped. A kind is one file and
 * a row of memory_channels.def. It is driven like a network (network.h), in cycles of the memory clock. */
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
    /* Pushes a burst at that address of the channel, which has room. Writes are complete once taken. Returns false if
     * it cannot take it now. */
    bool (*push)(void *channel, uint64_t address, bool write, uint64_t tag);
    void (*step)(void *channel, uint64_t until);
    bool (*pop)(void *channel, uint64_t *tag);  /* a read burst */
    uint64_t (*next_time)(const void *channel); /* WS_NEVER: only push and pop change the state */
    uint64_t (*inside)(const void *channel);
    ws_dram_totals (*sum)(const void *channel);
    void (*save)(const void *channel, ws_bytes *bytes);
    int (*load)(void *channel, ws_reader *reader);
} ws_memory_channel_ops;

/* Returns the functions of a kind of channel. */
const ws_memory_channel_ops *ws_memory_channel_ops_of(const ws_memory_channel_kind *kind);

#endif
