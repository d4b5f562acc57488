/* atomic_log.h - in which order do the SMs of a machine do the atomics of a launch, and what lies between them?
 *
 * Kept are, in the order of thread blocks, each word of global memory that an atomic of a warp changes, the lines of
 * 128 bytes that other accesses touch, and fences beyond the block. What it says of SMs is of a fixed map: thread block
 * n runs on SM n modulo WS_ATOMIC_SMS, the blocks of an SM one after the other. So many SMs has the Titan V of P.
 * Dalmia, "Reducing Synchronization and Communication Overheads in GPUs", 2023, table 3.1.
 *
 * At most WS_ATOMIC_LOG records of a launch are kept, its first ones in that order, however it was cut into ranges. */
#ifndef WS_ATOMIC_LOG_H
#define WS_ATOMIC_LOG_H

#include "collect/trace/event.h"

#include <stddef.h>
#include <stdint.h>

enum { WS_ATOMIC_SMS = 80, WS_ATOMIC_LINE_SHIFT = 7, WS_ATOMIC_WORD_SHIFT = 2, WS_ATOMIC_LOG = 1 << 20 };

typedef enum ws_atomic_kind {
    WS_LOGGED_ATOMIC, /* the first word of a warp's atomic */
    WS_LOGGED_WORD,   /* a further one of the same atomic */
    WS_LOGGED_DATA,   /* a line of a load or store */
    WS_LOGGED_FENCE
} ws_atomic_kind;

typedef struct ws_atomic_record {
    uint64_t place; /* of atomics address / 4, of data address / 128 */
    uint32_t block;
    uint16_t warp;
    uint8_t kind : 4, op : 4; /* ws_atomic_kind; ws_atomic */
    uint8_t lanes;            /* of atomics: that want the word */
} ws_atomic_record;

typedef struct ws_atomic_log {
    ws_atomic_record *record;
    size_t records, room;
} ws_atomic_log;

/* A zeroed one is ready for use. */
void ws_atomic_log_fini(ws_atomic_log *log);

/* These add what an event did, or nothing when the log is full. WS_EMEM. */
int ws_atomic_log_atomic(ws_atomic_log *log, const ws_event *ev, uint64_t block, const uint64_t *address, uint8_t op);
int ws_atomic_log_data(ws_atomic_log *log, const ws_event *ev, uint64_t block, const uint64_t *line, unsigned lines);
int ws_atomic_log_fence(ws_atomic_log *log, const ws_event *ev, uint64_t block);

/* Adds the records of thread blocks that come behind. WS_EMEM. */
int ws_atomic_log_append(ws_atomic_log *into, const ws_atomic_log *from);

/* The records of each SM in their order: index[begin[sm]] .. index[begin[sm + 1] - 1]. The caller frees *index.
 * WS_EMEM. */
int ws_atomic_log_by_sm(const ws_atomic_log *log, uint32_t **index, size_t begin[WS_ATOMIC_SMS + 1]);

#endif
