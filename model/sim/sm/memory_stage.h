/* memory_stage.h - path of memory instructions from issue to the load/store unit. One stage is one file and one row of
 * memory_stages.def. */
#ifndef WS_MEMORY_STAGE_H
#define WS_MEMORY_STAGE_H

#include "model/machine/memory_stage_kind.h"

typedef struct ws_sm ws_sm;

/* The instructions of the stage are a ring, in the order in which they reach the unit. The first state.served are in
 * the unit. state.entering of them, at most sm.entry_room, are in the part that issue writes to. */
typedef struct ws_memory_stage_ops {
    /* Returns how many instructions fit into that part. */
    uint32_t (*entry_room)(const ws_machine *machine, const uint64_t *values);
    /* The last instruction of the ring issued in this cycle. `reads`: its register operands; `there`: cycle in which
     * the register file has read them. */
    void (*entered)(ws_sm *sm, unsigned reads, uint64_t there);
    /* The first instruction of the ring left the unit in this cycle. */
    void (*left)(ws_sm *sm);
    /* Moves instructions within the stage in cycle state.stage_retry, before the unit's turn. NULL: no such moves. */
    void (*step)(ws_sm *sm);
    /* Returns whether an instruction stalls all others of the SM. *again: the cycle in which it leaves, or WS_NEVER if
     * unknown. NULL: never. */
    bool (*holds)(const ws_sm *sm, uint64_t *again);
} ws_memory_stage_ops;

const ws_memory_stage_ops *ws_memory_stage_ops_of(const ws_memory_stage_kind *kind);

#endif
