/* memory_channel.c - the table of kinds of memory channels. */
#include "model/sim/memory/memory_channel_internal.h"

#include "base/status.h"
#include "model/machine/machine.h"

#include <string.h>

static const ws_memory_channel_ops *const rows[] = {
#define CHANNEL(name) &ws_memory_channel_##name,
#include "model/sim/memory/memory_channels.def"
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

const char *ws_memory_channel_map(const ws_dram_part *part)
{
    const char *const end = strchr(part->mapping, ';');
    if (end)
        return end + 1;
    return strncmp(part->mapping, "dramid@", 7) ? part->mapping : part->mapping + strcspn(part->mapping, " ") + 1;
}

int ws_memory_shape_of(const ws_machine *machine, ws_memory_shape *out)
{
    const ws_memory_channel_ops *const channel = machine->memory_channel;
    ws_dram_part part;
    const int status = ws_machine_part(machine, &part);
    if (status)
        return status;
    *out = channel->shape ? channel->shape(machine, &part)
                          : (ws_memory_shape){.parts = 1,
                                              .peak_bytes = ws_dram_part_peak(&part),
                                              .read_cycles = part.tRP + part.tRCDRD + part.tCL + part.burst_cycles};
    return WS_OK;
}
