/* memory_stage_kind.h - the facts of a memory stage: memory_stages.def. What it does is in model/sim/sm. */
#ifndef WS_MEMORY_STAGE_KIND_H
#define WS_MEMORY_STAGE_KIND_H

#include "base/option.h"
#include "model/machine/machine_declared.h"

typedef struct ws_memory_stage_kind {
    const char *name, *summary;
    const ws_option *options; /* its own, given in [stage] */
    bool queue;               /* it is a queue of sm.memory_queue instructions */
    bool in_order;            /* other instructions wait behind memory instructions */
    /* Instructions that it holds, without such a queue. */
    uint32_t (*room)(const uint64_t *values);
} ws_memory_stage_kind;

extern const ws_memory_stage_kind ws_memory_stage_kinds[]; /* in the order of memory_stages.def */
/* The row of that name, or NULL; the row at an index, NULL behind the last. */
const ws_memory_stage_kind *ws_memory_stage_kind_find(const char *name);
const ws_memory_stage_kind *ws_memory_stage_kind_at(size_t index);

/* That of the machine, its options in values[WS_STAGE_OPTIONS]. */
enum { WS_STAGE_OPTIONS = 4 };
const ws_memory_stage_kind *ws_memory_stage_of(const ws_machine *machine, uint64_t values[WS_STAGE_OPTIONS]);

/* Memory instructions of an SM between issue and the last access that a cache has taken, at most. */
uint32_t ws_memory_stage_room(const ws_machine *machine);

#endif
