/* overlap.h - which operations that a host gives to a device does nothing order, though they touch the same bytes?
 * Happens-before among launches, copies and fills of different streams.
 *
 * Operations stand in queues: each comes after the one before it in its queue. A moment says up to which operation of
 * each queue something comes after: a vector clock (C. Fidge, "Timestamps in Message-Passing Systems That Preserve the
 * Partial Ordering", 1988). Queues are no streams: an operation takes any queue whose last one it comes after anyway,
 * so there are about as many as operations are unordered at a time (chains of the order; R. Dilworth, "A Decomposition
 * Theorem for Partially Ordered Sets", 1950).
 *
 * What kernels touched is kept by words of 4 bytes, what copies and fills touched by their boxes. What the host has
 * waited for comes before all that it gives later, so it is forgotten. Operations run one at a time, in the order in
 * which they were given. */
#ifndef WS_OVERLAP_H
#define WS_OVERLAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ws_overlap ws_overlap;

/* Zeroed: after nothing. */
typedef struct ws_moment {
    uint32_t *before; /* [queues] */
    uint32_t queues;
} ws_moment;

ws_overlap *ws_overlap_create(void);    /* NULL: no memory */
void ws_overlap_destroy(ws_overlap *o); /* accepts NULL */

/* Nothing is kept until there can be operations that nothing orders; what ran before counts as ordered. */
void ws_overlap_watch(ws_overlap *o);
bool ws_overlap_watches(const ws_overlap *o);

/* `to` comes also after what `from` comes after. Without memory nothing is watched any more. */
void ws_overlap_join(ws_overlap *o, ws_moment *to, const ws_moment *from);
void ws_moment_fini(ws_moment *m); /* it may be used again */
/* The host knows that it is over. */
void ws_overlap_host_knows(ws_overlap *o, const ws_moment *m);
/* ... all of it. What is kept of it is gone, with all that `operation` and `about` of it point to. */
void ws_overlap_host_knows_all(ws_overlap *o);

/* An operation runs, after `after` and what the host knows. `operation` is copied; `id` tells those apart that are told
 * of apart. `queue`: a number of the caller's for operations that mostly follow each other, 0 at first. */
void ws_overlap_begin(ws_overlap *o, const ws_moment *after, uint32_t *queue, const void *operation, size_t bytes,
                      uint32_t id);
/* It is over: `out` comes after it. */
void ws_overlap_end(ws_overlap *o, ws_moment *out);
bool ws_overlap_runs(const ws_overlap *o);

/* Who acts: 0 is nobody, else the operation itself, or a launch that is part of it. */
uint32_t ws_overlap_self(const ws_overlap *o);
/* A launch of the operation that runs. `about` is of malloc and taken over. 0: no memory. */
uint32_t ws_overlap_actor(ws_overlap *o, void *about);
const void *ws_overlap_about(const ws_overlap *o, uint32_t actor);     /* NULL: the operation itself */
const void *ws_overlap_operation(const ws_overlap *o, uint32_t actor); /* that it is part of */
uint32_t ws_overlap_id(const ws_overlap *o, uint32_t actor);           /* of the operation */

typedef struct ws_overlap_access {
    uint32_t actor;
    uint32_t warp, pc; /* warp: in the launch */
    uint8_t lane;
    bool strong; /* atomic or volatile, for all of the device */
    bool writes;
    bool changes; /* what it wrote is another value than stood there */
} ws_overlap_access;

typedef struct ws_overlap_other {
    ws_overlap_access access; /* the earlier one */
    uint64_t address;         /* first byte that both touch */
} ws_overlap_other;

/* An access of one lane to global memory. True: nothing orders it after *other. */
bool ws_overlap_see(ws_overlap *o, const ws_overlap_access *a, uint64_t address, unsigned bytes,
                    ws_overlap_other *other);

/* Rows of bytes: `width` bytes each, `rows` of them `pitch` apart, `slices` of those `slice` apart. */
typedef struct ws_box {
    uint64_t address, width, rows, slices, pitch, slice;
} ws_box;

/* The same of all bytes of a box, by the operation that runs. */
bool ws_overlap_see_box(ws_overlap *o, const ws_overlap_access *a, const ws_box *box, ws_overlap_other *other);
/* The bytes were freed, or given to somebody else. */
void ws_overlap_forget(ws_overlap *o, uint64_t address, uint64_t bytes);

/* The operation that runs leaves word in a variable that what it did is visible to all (a fence, then a strong write);
 * it reads what others left there, and comes after them from then on. */
void ws_overlap_release(ws_overlap *o, uint64_t address);
void ws_overlap_acquire(ws_overlap *o, uint64_t address);

/* What is said of operations; set by who gives them. */
typedef struct ws_overlap_voice {
    void (*operation)(const void *operation, bool is_launch, char *text,
                      size_t size); /* "launched in stream 2", "copy of 4 bytes in stream 3" */
    void (*mend)(const void *operation, const void *other, char *text, size_t size); /* what would order the two */
} ws_overlap_voice;
void ws_overlap_set_voice(ws_overlap *o, const ws_overlap_voice *voice); /* borrowed */
const ws_overlap_voice *ws_overlap_get_voice(const ws_overlap *o);

#endif
