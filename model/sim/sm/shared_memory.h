/* shared_memory.h - when do loads of shared memory have their words, and for how long do stores keep its banks? One
 * organisation is one file and one row of shared_memories.def. It is told of accesses in the order in which the
 * load/store unit serves them, and answers with times. */
#ifndef WS_SHARED_MEMORY_H
#define WS_SHARED_MEMORY_H

#include "model/activity.h"
#include "collect/trace/event.h"
#include "model/machine/machine_declared.h"
#include "model/machine/shared_kind.h"

/* The machine's, and what is known of a launch when it begins. Shared by all SMs. */
typedef struct ws_shared_setup {
    const uint64_t *values; /* of the options */
    uint32_t bytes, banks;  /* of an SM; banks of 4 bytes */
    uint32_t read, write;   /* cycles: shared.read, shared.write */
    uint32_t block_bytes;   /* of a block */
    uint32_t blocks;        /* of the launch that an SM holds at a time, at most */
    uint32_t text_writes,
        text_accesses; /* instructions of the text: stores and atomics of shared memory; all that access it */
} ws_shared_setup;

/* An instruction of a warp. */
typedef struct ws_shared_access {
    bool reads, writes; /* a load, a store; atomics do both */
    uint32_t exec;
    unsigned bytes;          /* of a lane */
    unsigned slot;           /* of its block in the SM */
    uint32_t passes;         /* cycles of the banks */
    const uint64_t *address; /* offsets in the block's memory, of each lane */
    uint32_t pc;
    const ws_value *value; /* of a store, those of its pc among these: an element each; not known: none */
    uint32_t values;
    ws_activity *did; /* where cells and words of a section are counted */
} ws_shared_access;

typedef struct ws_shared_time {
    uint64_t busy;  /* cycles until the unit takes the next instruction */
    uint64_t ready; /* cycles until words are there, or written */
} ws_shared_time;

typedef struct ws_shared_memory_ops {
    /* Of an SM: plain memory, zero at first and between launches, which checkpoints copy. NULL: none. */
    size_t (*state_size)(const ws_shared_setup *setup);
    ws_shared_time (*access)(void *state, const ws_shared_setup *setup, const ws_shared_access *access);
    /* The block in this slot has ended. NULL: nothing to forget. */
    void (*end)(void *state, const ws_shared_setup *setup, unsigned slot, ws_activity *did);
    /* Does a section of SRAM leak during this launch? NULL: there is none. */
    bool (*is_on)(const ws_shared_setup *setup);
} ws_shared_memory_ops;

const ws_shared_memory_ops *ws_shared_memory_ops_of(const ws_shared_memory_kind *kind);

/* The setup of a machine whose options have these values; the launch is missing. */
ws_shared_setup ws_shared_setup_of(const ws_machine *machine, const uint64_t *values);

#endif
