/* overlap.h - detection of unordered operations of a host that access the same bytes: happens-before among launches,
 * copies and fills of different streams.
 *
 * Operations are in queues, each ordered after its predecessor. A moment is a vector clock: for each queue, the last
 * operation that precedes it (C. Fidge, "Timestamps in Message-Passing Systems That Preserve the Partial Ordering",
 * 1988). Queues are not streams: an operation joins any queue whose last operation already precedes it. Thus the number
 * of queues is about the number of operations unordered at a time (chains of the order; R. Dilworth, "A Decomposition
 * Theorem for Partially Ordered Sets", 1950).
 *
 * Accesses of kernels are kept per 4-byte word, accesses of copies and fills as boxes. Operations that the host has
 * waited for precede every later one, so they are discarded. Operations run one at a time, in the order of submission.
 */
#ifndef WS_OVERLAP_H
#define WS_OVERLAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ws_overlap ws_overlap;

/* Vector clock. Zeroed: after no operation. */
typedef struct ws_moment {
    uint32_t *before; /* [queues] */
    uint32_t queues;
} ws_moment;

ws_overlap *ws_overlap_create(void);    /* NULL: no memory */
void ws_overlap_destroy(ws_overlap *o); /* accepts NULL */

/* Starts tracking, once unordered operations are possible. Everything before the call counts as ordered. */
void ws_overlap_watch(ws_overlap *o);
bool ws_overlap_watches(const ws_overlap *o);

/* Orders `to` also after everything that `from` is ordered after. Without memory, tracking stops. */
void ws_overlap_join(ws_overlap *o, ws_moment *to, const ws_moment *from);
void ws_moment_fini(ws_moment *m); /* the moment may be reused */
/* The host has waited for the moment. */
void ws_overlap_host_knows(ws_overlap *o, const ws_moment *m);
/* The host has waited for everything. Discards the tracked accesses and all `operation` and `about` data. */
void ws_overlap_host_knows_all(ws_overlap *o);

/* Begins an operation ordered after `after` and after everything the host has waited for. `operation` is copied; `id`
 * distinguishes operations in reports. `queue`: the caller's number for operations that mostly follow one another,
 * initially 0. */
void ws_overlap_begin(ws_overlap *o, const ws_moment *after, uint32_t *queue, const void *operation, size_t bytes,
                      uint32_t id);
/* Ends the running operation. Sets `out` to a moment after it. */
void ws_overlap_end(ws_overlap *o, ws_moment *out);
bool ws_overlap_runs(const ws_overlap *o);

/* Returns the current actor: 0 for none, else the operation or a launch within it. */
uint32_t ws_overlap_self(const ws_overlap *o);
/* Returns a new actor for a launch of the running operation, or 0 when memory is short. `about` was allocated with
 * malloc; this function takes ownership. */
uint32_t ws_overlap_actor(ws_overlap *o, void *about);
const void *ws_overlap_about(const ws_overlap *o, uint32_t actor);     /* NULL for the operation */
const void *ws_overlap_operation(const ws_overlap *o, uint32_t actor); /* the operation that contains the actor */
uint32_t ws_overlap_id(const ws_overlap *o, uint32_t actor);           /* id of the operation */

typedef struct ws_overlap_access {
    uint32_t actor;
    uint32_t warp, pc; /* warp: index in the launch */
    uint8_t lane;
    bool strong; /* atomic or volatile, device scope */
    bool writes;
    bool changes; /* the written value differs from the previous one */
} ws_overlap_access;

typedef struct ws_overlap_other {
    ws_overlap_access access; /* the earlier access */
    uint64_t address;         /* first byte touched by both */
} ws_overlap_other;

/* Records an access of one lane to global memory. Returns true, with *other set, if an earlier access is unordered with
 * it. */
bool ws_overlap_see(ws_overlap *o, const ws_overlap_access *a, uint64_t address, unsigned bytes,
                    ws_overlap_other *other);

/* Rows of bytes: `width` bytes per row, `rows` rows `pitch` bytes apart, `slices` slices `slice` bytes apart. */
typedef struct ws_box {
    uint64_t address, width, rows, slices, pitch, slice;
} ws_box;

/* Records an access of the running operation to all bytes of a box. Returns as ws_overlap_see. */
bool ws_overlap_see_box(ws_overlap *o, const ws_overlap_access *a, const ws_box *box, ws_overlap_other *other);
/* Discards accesses to bytes that were freed or reallocated. */
void ws_overlap_forget(ws_overlap *o, uint64_t address, uint64_t bytes);

/* Release: the running operation signals through a variable that its effects are visible (a fence, then a strong
 * write). Acquire: it reads signals left there and is ordered after their operations. */
void ws_overlap_release(ws_overlap *o, uint64_t address);
void ws_overlap_acquire(ws_overlap *o, uint64_t address);

/* Wording of reports about operations; set by the submitter of operations. */
typedef struct ws_overlap_voice {
    void (*operation)(const void *operation, bool is_launch, char *text,
                      size_t size); /* text such as "launched in stream 2", "copy of 4 bytes in stream 3" */
    void (*mend)(const void *operation, const void *other, char *text,
                 size_t size); /* text that suggests how to order the two operations */
} ws_overlap_voice;
void ws_overlap_set_voice(ws_overlap *o, const ws_overlap_voice *voice); /* borrowed */
const ws_overlap_voice *ws_overlap_get_voice(const ws_overlap *o);

#endif
