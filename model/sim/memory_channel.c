/* memory_channel.c - the table of kinds of memory channels. */
#include "model/sim/memory_channel_internal.h"

#include <string.h>

static const ws_memory_channel_ops *const rows[] = {
#define CHANNEL(name) &ws_memory_channel_##name,
#include "model/sim/memory_channels.def"
#undef CHANNEL
};

const ws_memory_channel_ops *ws_memory_channel_at(size_t index)
{
    return index < sizeof rows / sizeof *rows ? rows[index] : NULL;
}

const ws_memory_channel_ops *ws_memory_channel_find(const char *name)
{
    for (size_t i = 0; ws_memory_channel_at(i); i++)
        if (!strcmp(rows[i]->name, name))
            return rows[i];
    return NULL;
}
