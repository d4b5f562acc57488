/* coalesce_model.h - which blocks does a warp instruction touch, and which banks of shared memory? */
#ifndef WS_COALESCE_MODEL_H
#define WS_COALESCE_MODEL_H

#include <stddef.h>
#include <stdint.h>

/* Local memory lies far above all that a program can allocate. */
#define WS_LOCAL_BASE (UINT64_C(1) << 50)

enum { WS_TOUCHES = 512 }; /* blocks that an instruction can touch: 32 lanes, 8 groups, 2 blocks each */

/* Part of a block that an instruction accesses at once. */
typedef struct ws_touch {
    uint64_t block; /* address / line bytes */
    uint32_t words; /* bit i: its 4-byte word i */
    uint32_t lanes; /* that take part */
    uint32_t bytes; /* distinct bytes: the payload of a store */
} ws_touch;

/* The blocks that the lanes of `exec` touch with `bytes` bytes each, in the order of the lowest lane that touches them.
 * `line` bytes a block: a power of two, at most 128. Returns their number. */
unsigned ws_coalesce(const uint64_t address[32], uint32_t exec, unsigned bytes, unsigned line, ws_touch *out);

/* The same of local memory, where word w of lane i of warp `warp` of `threads` in all is word w * threads + 32 * warp +
 * i of a region of its own. `offset`: in each lane's local memory. */
unsigned ws_coalesce_local(const uint64_t offset[32], uint32_t exec, unsigned bytes, unsigned line, uint64_t threads,
                           uint64_t warp, ws_touch *out);

/* How many different addresses the lanes want. */
unsigned ws_count_addresses(const uint64_t address[32], uint32_t exec);

/* Cycles for which banks of 4 bytes keep a warp's access of shared memory: the largest number of different words that
 * one bank has to give. At least 1. Of a wide access that is as many as its lanes' words take, at least: 16 bytes of
 * each of 32 lanes in a row are 4, 16 bytes that all lanes want are 1. */
unsigned ws_bank_cycles(const uint64_t address[32], uint32_t exec, unsigned bytes, unsigned banks);

/* Words of 4 bytes that lanes have with so many bytes each; less than a word is one. */
static inline uint64_t ws_lane_words(unsigned lanes, unsigned bytes)
{
    return (uint64_t)lanes * ((bytes + 3) / 4);
}

#endif
