/* memory_channel.c - the table of kinds of memory channels. */
#include "model/sim/memory/memory_channel_internal.h"

#include <string.h>

static const ws_memory_channel_ops *const rows[] = {
#define CHANNEL(name, ...) &ws_memory_channel_##name,
#include "model/machine/memory_channels.def"
};

const ws_memory_channel_ops *ws_memory_channel_ops_of(const ws_memory_channel_kind *kind)
{
    return rows[kind - ws_memory_channel_kinds];
}

const char *ws_memory_channel_map(const ws_dram_part *part)
{
    const char *const end = strchr(part->mapping, ';');
    if (end)
        return end + 1;
    return strncmp(part->mapping, "dramid@", 7) ? part->mapping : part->mapping + strcspn(part->mapping, " ") + 1;
}
