/* memory_channel_kind.c - see memory_channel_kind.h. */
#include "model/machine/memory_channel_kind.h"

#include "base/status.h"
#include "model/machine/kind_rows.h"
#include "model/machine/machine.h"
#include "model/machine/optical_channel.h"

#include <stdlib.h>

/* clang-format off */
#define CHANNEL(name, word, summary, ...) static const ws_option options_##name[] = {
#define OPTION(channel, name, ...) {#name, __VA_ARGS__},
#define END(channel) {NULL, NULL, 0, 0, 0, NULL}};
/* clang-format on */
#include "model/machine/memory_channels.def"

int ws_memory_controller_plan(const ws_machine *m, ws_dram_plan *out)
{
    size_t count = 0;
    ws_given *const list = calloc(m->memory.count + 1, sizeof *list);
    if (!list)
        return ws_fail(WS_EMEM, "no memory for a memory channel");
    for (size_t i = 0; i < m->memory.count; i++)
        if (!ws_option_find(m->memory_channel->options, m->memory.list[i].name))
            list[count++] = m->memory.list[i];
    const int status = ws_dram_plan_make(m->memory_controller, list, count, out);
    free(list);
    return status;
}

/* --- One part --- */

static int check_controller(const ws_machine *m, const ws_dram_part *part)
{
    ws_dram_plan plan;
    (void)part;
    return ws_memory_controller_plan(m, &plan);
}

static ws_memory_shape shape_of_part(const ws_machine *m, const ws_dram_part *part)
{
    (void)m;
    return (ws_memory_shape){.parts = 1,
                             .peak_bytes = ws_dram_part_peak(part),
                             .read_cycles = part->tRP + part->tRCDRD + part->tCL + part->burst_cycles};
}

/* --- A bus --- */

static int no_check(const ws_machine *m, const ws_dram_part *part)
{
    (void)m, (void)part;
    return WS_OK;
}

uint64_t ws_fixed_burst_cycles(const ws_dram_part *part, const uint64_t values[WS_CHANNEL_fixed_END])
{
    return (part->burst_bytes + values[WS_CHANNEL_fixed_bus_bytes] - 1) / values[WS_CHANNEL_fixed_bus_bytes];
}

static ws_memory_shape shape_of_bus(const ws_machine *m, const ws_dram_part *part)
{
    uint64_t values[WS_CHANNEL_fixed_END];
    ws_option_choose(options_fixed, m->memory.list, m->memory.count, values);
    const uint64_t burst = ws_fixed_burst_cycles(part, values);
    return (ws_memory_shape){.parts = 1,
                             .peak_bytes = (double)part->burst_bytes / (double)burst * part->clock_mhz * 1e6,
                             .read_cycles = (double)(burst + values[WS_CHANNEL_fixed_latency_cycles])};
}

#define CHANNEL(name, word, summary, ...) {word, summary, options_##name, __VA_ARGS__},
const ws_memory_channel_kind ws_memory_channel_kinds[] = {
#include "model/machine/memory_channels.def"
};

WS_KIND_ROWS(memory_channel_kind, ws_memory_channel_kinds)
