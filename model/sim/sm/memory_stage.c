/* memory_stage.c - the table of memory stages. */
#include "model/sim/sm/memory_stage_internal.h"

static const ws_memory_stage_ops *const stages[] = {
#define MEMORY_STAGE(name, ...) &ws_memory_stage_##name,
#include "model/machine/memory_stages.def"
};

const ws_memory_stage_ops *ws_memory_stage_ops_of(const ws_memory_stage_kind *kind)
{
    return stages[kind - ws_memory_stage_kinds];
}
