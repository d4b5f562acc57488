/* shared_memory.h - latency of shared-memory loads, and bank occupancy of stores. An organisation is one file and one
 * row of shared_memories.def. It gets accesses in the order of the load/store unit, and returns times. */
#ifndef WS_SHARED_MEMORY_H
#define WS_SHARED_MEMORY_H

#include "model/activity.h"
#include "collect/trace/event.h"
#include "model/machine/machine_declared.h"
#include "model/machine/shared_kind.h"

/* Properties of the machine and of the launch, shared by all SMs. */
typedef struct ws_shared_setup {
    const uint64_t *values; /* of the options */
    uint32_t bytes, banks;  /* of an SM; banks of 4 bytes */
    uint32_t read, write;   /* cycles: shared.read, shared.write */
    uint32_t block_bytes;   /* of a block */
    uint32_t blocks;        /* most concurrent blocks of the launch in an SM */
    uint32_t text_writes,
        text_accesses; /* instructions of the text: stores and atomics of shared memory; all accesses to it */
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
    const ws_value *value; /* of a store, values with its pc: one element each; unknown: none */
    uint32_t values;
    ws_activity *did; /* if cells and words of a section are counted */
} ws_shared_access;

typedef struct ws_shared_time {
    uint64_t busy;  /* cycles until the unit takes the next instruction */
    uint64_t ready; /* cycles until words are available, or written */
} ws_shared_time;

typedef struct ws_shared_memory_ops {
    /* State of an SM: plain memory, zero initially and between launches, copied by checkpoints. NULL: none. */
    size_t (*state_size)(const ws_shared_setup *setup);
    ws_shared_time (*access)(void *state, const ws_shared_setup *setup, const ws_shared_access *access);
    /* Ends the block in this slot. NULL: not needed. */
    void (*end)(void *state, const ws_shared_setup *setup, unsigned slot, ws_activity *did);
    /* Returns whether a section of SRAM leaks during this launch. NULL: no section. */
    bool (*is_on)(const ws_shared_setup *setup);
} ws_shared_memory_ops;

const ws_shared_memory_ops *ws_shared_memory_ops_of(const ws_shared_memory_kind *kind);

/* Returns the setup of a machine with these option values, without the launch. */
ws_shared_setup ws_shared_setup_of(const ws_machine *machine, const uint64_t *values);

#endif
