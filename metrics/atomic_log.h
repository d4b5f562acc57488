/* atomic_log.h - log of the atomics of a launch per SM, with the accesses and fences between them.
 *
 * The log keeps records in the order of thread blocks: each word of global memory that a warp's atomic changes, the
 * 128-byte lines that other accesses touch, and fences beyond the block. The map to SMs is fixed: thread block n runs
 * on SM n modulo WS_ATOMIC_SMS, one block after the other. WS_ATOMIC_SMS is that of the Titan V in P. Dalmia, "Reducing
 * Synchronization and Communication Overheads in GPUs", 2023, table 3.1.
 *
 * The log keeps at most WS_ATOMIC_LOG records of a launch, the first in that order, for any division into ranges. */
#ifndef WS_ATOMIC_LOG_H
#define WS_ATOMIC_LOG_H

#include "collect/trace/event.h"

#include <stddef.h>
#include <stdint.h>

enum { WS_ATOMIC_SMS = 80, WS_ATOMIC_LINE_SHIFT = 7, WS_ATOMIC_WORD_SHIFT = 2, WS_ATOMIC_LOG = 1 << 20 };

typedef enum ws_atomic_kind {
    WS_LOGGED_ATOMIC, /* first word of a warp's atomic */
    WS_LOGGED_WORD,   /* further word of the same atomic */
    WS_LOGGED_DATA,   /* line of a load or store */
    WS_LOGGED_FENCE
} ws_atomic_kind;

typedef struct ws_atomic_record {
    uint64_t place; /* atomics: address / 4; data: address / 128 */
    uint32_t block;
    uint16_t warp;
    uint8_t kind : 4, op : 4; /* ws_atomic_kind; ws_atomic */
    uint8_t lanes;            /* atomics: number of lanes that access the word */
} ws_atomic_record;

typedef struct ws_atomic_log {
    ws_atomic_record *record;
    size_t records, room;
} ws_atomic_log;

/* Frees the log. A zeroed log is ready for use. */
void ws_atomic_log_fini(ws_atomic_log *log);

/* Add the records of an event, or nothing if the log is full. Return WS_OK or WS_EMEM. */
int ws_atomic_log_atomic(ws_atomic_log *log, const ws_event *ev, uint64_t block, const uint64_t *address, uint8_t op);
int ws_atomic_log_data(ws_atomic_log *log, const ws_event *ev, uint64_t block, const uint64_t *line, unsigned lines);
int ws_atomic_log_fence(ws_atomic_log *log, const ws_event *ev, uint64_t block);

/* Appends the records of later thread blocks. Returns WS_OK or WS_EMEM. */
int ws_atomic_log_append(ws_atomic_log *into, const ws_atomic_log *from);

/* Sorts the records by SM, in their order: index[begin[sm]] .. index[begin[sm + 1] - 1]. The caller frees *index.
 * Returns WS_OK or WS_EMEM. */
int ws_atomic_log_by_sm(const ws_atomic_log *log, uint32_t **index, size_t begin[WS_ATOMIC_SMS + 1]);

#endif
