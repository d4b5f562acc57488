/* memory_channel_kind.h - properties of memory channels (memory_channels.def). model/sim/memory implements them. */
#ifndef WS_MEMORY_CHANNEL_KIND_H
#define WS_MEMORY_CHANNEL_KIND_H

#include "model/machine/dram_controller.h"
#include "model/machine/dram_part.h"
#include "model/machine/machine_declared.h"
#include "model/machine/memory_shape.h"

/* Options of each, WS_CHANNEL_<channel>_<option>, in the order of its table. */
/* clang-format off */
#define CHANNEL(name, word, summary, ...) enum {
#define OPTION(channel, name, ...) WS_CHANNEL_##channel##_##name,
#define END(channel) WS_CHANNEL_##channel##_END };
/* clang-format on */
#include "model/machine/memory_channels.def"

typedef struct ws_memory_channel_kind {
    const char *name, *summary;
    const ws_option *options; /* its options, given in [memory] */
    /* Checks that the machine's options are consistent. WS_EINPUT. */
    int (*check)(const ws_machine *machine, const ws_dram_part *part);
    /* Returns its components. The options must have been checked. */
    ws_memory_shape (*shape)(const ws_machine *machine, const ws_dram_part *part);
} ws_memory_channel_kind;

extern const ws_memory_channel_kind ws_memory_channel_kinds[]; /* in the order of memory_channels.def */
/* Return the row of that name, or NULL; the row at an index, or NULL past the last. */
const ws_memory_channel_kind *ws_memory_channel_kind_find(const char *name);
const ws_memory_channel_kind *ws_memory_channel_kind_at(size_t index);

/* Makes the machine's memory controller from the options of [memory] that are not the channel's. WS_EINPUT, WS_EMEM. */
int ws_memory_controller_plan(const ws_machine *machine, ws_dram_plan *out);

/* Returns the memory cycles that a burst of the part occupies the bus of a `fixed` channel with these options. */
uint64_t ws_fixed_burst_cycles(const ws_dram_part *part, const uint64_t values[WS_CHANNEL_fixed_END]);

#endif
