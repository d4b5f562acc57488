/* race_check.h - data race detection within a launch: happens-before among its warps.
 *
 * Each warp counts epochs. An epoch ends where the warp publishes its progress: at a barrier or a fence. A warp's
 * vector clock holds, for each other warp of its block, the last epoch that precedes it (L. Lamport, "Time, Clocks, and
 * the Ordering of Events in a Distributed System", 1978; C. Fidge, 1988). Other blocks communicate only through
 * variables in global memory. A warp that fences and then writes a variable by an atomic or volatile access forms a
 * release pattern (PTX ISA, "Memory Consistency Model", 8.7). The write stores a rising number there. A warp that reads
 * the variable in this way is ordered after every earlier release to it. So the clock across blocks has one entry per
 * variable, not per warp.
 *
 * Each word of memory keeps the accesses that a later access may race with, with the bytes touched, as in FastTrack (C.
 * Flanagan and S. Freund, "FastTrack: Efficient and Precise Dynamic Race Detection", 2009). A store of the value
 * already present never races with an earlier access. The first store of a block to its shared memory always counts as
 * a different value. Accesses of one warp are ordered as executed. A strong read of a variable is ordered after its
 * earlier strong writes, with or without a fence. So a plain store may reset the variable. */
#ifndef WS_RACE_CHECK_H
#define WS_RACE_CHECK_H

#include <stdbool.h>
#include <stdint.h>

enum {
    WS_RACE_WARPS = 32,
    WS_RACE_BARRIERS = 17
}; /* per block: 1024 threads; bar.sync 0 to 15 and the cluster barrier */

typedef struct ws_race ws_race;             /* state for one device */
typedef struct ws_race_block ws_race_block; /* a running block */

/* Scope of an atomic or volatile access: plain access, threads of its block, whole device. */
typedef enum ws_race_reach { WS_RACE_PLAIN, WS_RACE_OF_BLOCK, WS_RACE_OF_ALL } ws_race_reach;

typedef struct ws_race_access {
    uint32_t warp; /* index in its block */
    uint32_t pc;
    uint8_t lane;
    uint8_t reach; /* ws_race_reach */
    bool writes;
    bool atomic;  /* an atomic read-modify-write */
    bool changes; /* the written value differs from the previous one */
} ws_race_access;

/* Earlier access that races with a new one. */
typedef struct ws_race_other {
    ws_race_access access;
    uint64_t block;
    uint64_t address; /* first byte of the word touched by both */
} ws_race_other;

ws_race *ws_race_create(void);    /* NULL: no memory */
void ws_race_destroy(ws_race *r); /* accepts NULL */

/* Begins a launch. Returns false if another launch is running, or if the warps exceed the available numbers. */
bool ws_race_begin(ws_race *r, uint64_t blocks, uint32_t warps_per_block);
void ws_race_end(ws_race *r);
ws_race_block *ws_race_block_begin(ws_race *r, uint64_t index, uint64_t shared_bytes); /* NULL: no memory */
void ws_race_block_end(ws_race *r, ws_race_block *b);                                  /* accepts NULL */

/* Records an access of one lane, in execution order, to `bytes` bytes at an offset of shared memory or an address of
 * global memory. Returns true if it races; *other is then the oldest stored access. */
bool ws_race_see(ws_race *r, ws_race_block *b, const ws_race_access *a, bool shared, uint64_t address, unsigned bytes,
                 ws_race_other *other);
/* Discards accesses to global memory that was freed or reallocated. */
void ws_race_forget(ws_race *r, uint64_t address, uint64_t bytes);

/* Barrier events: a warp arrives; the barrier opens for a waiting warp; the barrier is reset. */
void ws_race_arrive(ws_race_block *b, uint32_t warp, unsigned barrier);
void ws_race_pass(ws_race_block *b, uint32_t warp, unsigned barrier);
void ws_race_close(ws_race_block *b, unsigned barrier);
/* Membar, fence, or the release part of an ordered access. */
void ws_race_fence(ws_race_block *b, uint32_t warp, ws_race_reach reach);
/* An atomic or volatile access reads or writes a synchronization variable. A read counts as an acquire pattern with or
 * without a later fence. */
void ws_race_acquire(ws_race *r, ws_race_block *b, uint32_t warp, bool shared, uint64_t address, ws_race_reach reach);
/* Release: returns true if the warp published its progress to other blocks. */
bool ws_race_release(ws_race *r, ws_race_block *b, uint32_t warp, bool shared, uint64_t address, ws_race_reach reach);

#endif
