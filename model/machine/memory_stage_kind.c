/* memory_stage_kind.c - see memory_stage_kind.h. */
#include "model/machine/memory_stage_rows.h"

#include "model/machine/kind_rows.h"
#include "model/machine/machine.h"

/* One more is in the unit. */
static uint32_t collector_room(const uint64_t *values)
{
    return (uint32_t)(values[WS_STAGE_collector_registers] + values[WS_STAGE_collector_collectors] +
                      values[WS_STAGE_collector_ports] + 1);
}

/* clang-format off */
#define MEMORY_STAGE(name, word, summary, ...) static const ws_option options_##name[] = {
#define OPTION(kind, name, ...) {#name, __VA_ARGS__},
#define END(kind) {NULL, NULL, 0, 0, 0, NULL}}; \
    _Static_assert((int)WS_STAGE_##kind##_END <= WS_STAGE_OPTIONS, "more options than there is room for");
/* clang-format on */
#include "model/machine/memory_stages.def"

#define MEMORY_STAGE(name, word, summary, ...) {word, summary, options_##name, __VA_ARGS__},
const ws_memory_stage_kind ws_memory_stage_kinds[] = {
#include "model/machine/memory_stages.def"
};

WS_KIND_ROWS(memory_stage_kind, ws_memory_stage_kinds)

const ws_memory_stage_kind *ws_memory_stage_of(const ws_machine *m, uint64_t values[WS_STAGE_OPTIONS])
{
    const ws_memory_stage_kind *const kind = m->sm_memory_stage;
    ws_option_choose(kind->options, m->stage.list, m->stage.count, values);
    return kind;
}

uint32_t ws_memory_stage_room(const ws_machine *m)
{
    uint64_t values[WS_STAGE_OPTIONS];
    const ws_memory_stage_kind *const kind = ws_memory_stage_of(m, values);
    return kind->queue ? m->sm_memory_queue : kind->room(values);
}
