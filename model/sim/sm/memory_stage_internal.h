/* memory_stage_internal.h - operations of the rows of memory_stages.def. */
#ifndef WS_MEMORY_STAGE_INTERNAL_H
#define WS_MEMORY_STAGE_INTERNAL_H

#include "model/machine/memory_stage_rows.h"
#include "model/sim/sm/memory_stage.h"
#include "model/sim/sm/sm_internal.h"

#define MEMORY_STAGE(name, ...) extern const ws_memory_stage_ops ws_memory_stage_##name;
#include "model/machine/memory_stages.def"

/* Operations of a queue (memory_stage_queue.c), for stages that contain one. */
uint32_t ws_queue_entry_room(const ws_machine *machine, const uint64_t *values);
void ws_queue_entered(ws_sm *sm, unsigned reads, uint64_t there);
void ws_queue_left(ws_sm *sm);

#endif
