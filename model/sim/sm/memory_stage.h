/* memory_stage.h - how memory instructions get from issue to the unit that takes their accesses to the caches. One
 * stage is one file and one row of memory_stages.def. */
#ifndef WS_MEMORY_STAGE_H
#define WS_MEMORY_STAGE_H

#include "model/machine/memory_stage_kind.h"

typedef struct ws_sm ws_sm;

/* The instructions in the stage are a ring in the order in which the unit gets them; of these, the first
 * state.served are in the unit, and state.entering wait where issue leaves them, sm.entry_room at most. */
typedef struct ws_memory_stage_ops {
    uint32_t (*entry_room)(const ws_machine *machine, const uint64_t *values);
    /* The last of the ring has issued in this cycle. `reads`: register operands; `there`: when the register file has
     * read them. */
    void (*entered)(ws_sm *sm, unsigned reads, uint64_t there);
    void (*left)(ws_sm *sm); /* the first of the ring has left the unit in this cycle */
    void (*step)(
        ws_sm *sm); /* what moves by itself in cycle state.stage_retry, before the unit's turn; NULL: nothing */
    /* Does an instruction hold up all others of the SM? *again: when it will have left, as far as that is known. NULL:
     * none does. */
    bool (*holds)(const ws_sm *sm, uint64_t *again);
} ws_memory_stage_ops;

const ws_memory_stage_ops *ws_memory_stage_ops_of(const ws_memory_stage_kind *kind);

#endif
