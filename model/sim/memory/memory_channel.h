/* memory_channel.h - a channel of memory as the machine sees it: bursts go in, bursts that were read come out. One kind
 * is one file and a row of memory_channels.def. It is driven like a network (network.h), in cycles of the memory's
 * clock. */
#ifndef WS_MEMORY_CHANNEL_H
#define WS_MEMORY_CHANNEL_H

#include "base/bytes.h"
#include "model/sim/memory/dram.h"
#include "model/machine/machine_declared.h"

/* Wavelengths of a channel with one purpose. */
typedef struct ws_memory_light {
    uint32_t wavelengths; /* each with a modulator for each of its writers, and a detector for each of its readers */
    uint32_t writers, readers;
} ws_memory_light;

/* What a channel is made of: for what it costs, and for closed forms. */
typedef struct ws_memory_shape {
    uint32_t parts;                          /* memory parts behind it */
    double peak_bytes;                       /* a second: all that carries data never idle */
    double read_cycles;                      /* of a read that has the channel to itself and finds another row open */
    ws_memory_light reads, writes, commands; /* 0 wavelengths: no light */
    uint32_t link_wavelengths, links;        /* of a link, and links, those that carry light to parts not counted */
    uint32_t command_bits;                   /* that go over the link for a command */
    double flight_ps;                        /* of the light of a link */
} ws_memory_shape;

typedef struct ws_memory_channel_ops {
    const char *name, *summary;
    const ws_option *options; /* its own, given in [memory]; NULL: none */
    /* Do the machine's options go together? WS_EINPUT; NULL: they always do. */
    int (*check)(const ws_machine *machine, const ws_dram_part *part);
    int (*create)(const ws_machine *machine, const ws_dram_part *part, void **out);
    void (*destroy)(void *channel);
    /* What it is made of; NULL: one part, as it is. The options were checked. */
    ws_memory_shape (*shape)(const ws_machine *machine, const ws_dram_part *part);
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

/* The row of that name, or NULL; the row at an index, NULL behind the last. */
const ws_memory_channel_ops *ws_memory_channel_find(const char *name);
const ws_memory_channel_ops *ws_memory_channel_at(size_t index);

/* The shape of the machine's channels. WS_EINPUT or WS_EIO for a part that is not there. */
int ws_memory_shape_of(const ws_machine *machine, ws_memory_shape *out);

#endif
