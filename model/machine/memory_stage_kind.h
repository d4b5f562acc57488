/* memory_stage_kind.h - properties of memory stages (memory_stages.def). model/sim/sm implements them. */
#ifndef WS_MEMORY_STAGE_KIND_H
#define WS_MEMORY_STAGE_KIND_H

#include "base/option.h"
#include "model/machine/machine_declared.h"

typedef struct ws_memory_stage_kind {
    const char *name, *summary;
    const ws_option *options; /* its own, given in [stage] */
    bool queue;               /* a queue of sm.memory_queue instructions */
    bool in_order;            /* other instructions wait behind memory instructions */
    /* Returns the capacity in instructions of a stage without that queue. */
    uint32_t (*room)(const uint64_t *values);
} ws_memory_stage_kind;

extern const ws_memory_stage_kind ws_memory_stage_kinds[]; /* in the order of memory_stages.def */
/* Return the row of that name, or NULL; the row at an index, or NULL past the last. */
const ws_memory_stage_kind *ws_memory_stage_kind_find(const char *name);
const ws_memory_stage_kind *ws_memory_stage_kind_at(size_t index);

enum { WS_STAGE_OPTIONS = 4 };
/* Returns the machine's stage; its options go to values[WS_STAGE_OPTIONS]. */
const ws_memory_stage_kind *ws_memory_stage_of(const ws_machine *machine, uint64_t values[WS_STAGE_OPTIONS]);

/* Returns the maximum number of memory instructions of an SM between issue and their last access to a cache. */
uint32_t ws_memory_stage_room(const ws_machine *machine);

#endif
