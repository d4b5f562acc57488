/* race_check.h - which accesses of the same bytes does nothing order? Happens-before among the warps of a launch.
 *
 * Each warp counts epochs: one ends where the warp tells others what it did (it comes to a barrier, or fences). A
 * vector clock of a warp says up to which epoch of each other warp of its block it comes after (L. Lamport, "Time,
 * Clocks, and the Ordering of Events in a Distributed System", 1978; C. Fidge, 1988). What is known of other blocks
 * comes through variables in global memory alone: a warp that fences and then writes one by an atomic or volatile
 * access (a release pattern; PTX ISA, "Memory Consistency Model", 8.7) leaves there a number that rises, and who reads
 * it so comes after all that was left there before. So the clock across blocks has an entry a variable, not an entry a
 * warp.
 *
 * Of each word of memory the accesses stay that a later one may still race with, as in FastTrack (C. Flanagan and S.
 * Freund, "FastTrack: Efficient and Precise Dynamic Race Detection", 2009), each with the bytes that it touched. A
 * store of the value that stood there already races with nothing that came before it; the first store of a block to its
 * shared memory is of another value always. Accesses of one warp are ordered as they ran. Who reads a variable by a
 * strong access comes after the strong writes of it that came before, whether these were fenced or not; so it may be
 * reset by a plain store. */
#ifndef WS_RACE_CHECK_H
#define WS_RACE_CHECK_H

#include <stdbool.h>
#include <stdint.h>

enum {
    WS_RACE_WARPS = 32,
    WS_RACE_BARRIERS = 17
}; /* of a block: 1024 threads; bar.sync 0 to 15 and that of the cluster */

typedef struct ws_race ws_race;             /* one device */
typedef struct ws_race_block ws_race_block; /* a block that runs */

/* Among whom an atomic or volatile access is one: a plain access, threads of its block, all of the device. */
typedef enum ws_race_reach { WS_RACE_PLAIN, WS_RACE_OF_BLOCK, WS_RACE_OF_ALL } ws_race_reach;

typedef struct ws_race_access {
    uint32_t warp; /* in its block */
    uint32_t pc;
    uint8_t lane;
    uint8_t reach; /* ws_race_reach */
    bool writes;
    bool atomic;  /* reads and writes as one */
    bool changes; /* what it wrote is another value than stood there */
} ws_race_access;

/* An earlier access that another one races with. */
typedef struct ws_race_other {
    ws_race_access access;
    uint64_t block;
    uint64_t address; /* of the word's first byte that both touch */
} ws_race_other;

ws_race *ws_race_create(void);    /* NULL: no memory */
void ws_race_destroy(ws_race *r); /* accepts NULL */

/* A launch of so many blocks. False: another one is under way, or it has more warps than numbers. */
bool ws_race_begin(ws_race *r, uint64_t blocks, uint32_t warps_per_block);
void ws_race_end(ws_race *r);
ws_race_block *ws_race_block_begin(ws_race *r, uint64_t index, uint64_t shared_bytes); /* NULL: no memory */
void ws_race_block_end(ws_race *r, ws_race_block *b);                                  /* accepts NULL */

/* An access of one lane to `bytes` at an offset of shared memory or an address of global memory, in the order in which
 * they ran. True: it races with *other, the oldest that is kept. */
bool ws_race_see(ws_race *r, ws_race_block *b, const ws_race_access *a, bool shared, uint64_t address, unsigned bytes,
                 ws_race_other *other);
/* Accesses of these bytes of global memory are forgotten: it was freed, or given to somebody else. */
void ws_race_forget(ws_race *r, uint64_t address, uint64_t bytes);

/* A warp comes to a barrier; the barrier opens for a warp that waited there; it is as before again. */
void ws_race_arrive(ws_race_block *b, uint32_t warp, unsigned barrier);
void ws_race_pass(ws_race_block *b, uint32_t warp, unsigned barrier);
void ws_race_close(ws_race_block *b, unsigned barrier);
/* membar, fence, and the release part of an ordered access. */
void ws_race_fence(ws_race_block *b, uint32_t warp, ws_race_reach reach);
/* An atomic or volatile access reads or writes a variable by which threads can tell each other how far they are. A read
 * counts as an acquire pattern, with a fence behind it or not. */
void ws_race_acquire(ws_race *r, ws_race_block *b, uint32_t warp, bool shared, uint64_t address, ws_race_reach reach);
/* Release: true when it left there for other blocks how far the warp is. */
bool ws_race_release(ws_race *r, ws_race_block *b, uint32_t warp, bool shared, uint64_t address, ws_race_reach reach);

#endif
