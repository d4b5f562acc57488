/* coalesce_model.h - memory blocks and shared-memory banks that a warp instruction touches. */
#ifndef WS_COALESCE_MODEL_H
#define WS_COALESCE_MODEL_H

#include <stddef.h>
#include <stdint.h>

/* Base of local memory, far above all that a program can allocate. */
#define WS_LOCAL_BASE (UINT64_C(1) << 50)

enum { WS_TOUCHES = 512 }; /* most blocks that an instruction touches: 32 lanes, 8 groups, 2 blocks each */

/* Part of a block that an instruction accesses. */
typedef struct ws_touch {
    uint64_t block; /* address / line bytes */
    uint32_t words; /* bit i: its 4-byte word i */
    uint32_t lanes; /* lanes that take part */
    uint32_t bytes; /* distinct bytes: the payload of a store */
} ws_touch;

/* Lists the blocks that the lanes of `exec` touch with `bytes` bytes each, in the order of the lowest lane that touches
 * them. A block has `line` bytes: a power of two, at most 128. Returns the number of blocks. */
unsigned ws_coalesce(const uint64_t address[32], uint32_t exec, unsigned bytes, unsigned line, ws_touch *out);

/* Like ws_coalesce(), for local memory. Word w of lane i of warp `warp` of `threads` threads is word w * threads + 32 *
 * warp + i of a separate region. `offset` is in each lane's local memory. */
unsigned ws_coalesce_local(const uint64_t offset[32], uint32_t exec, unsigned bytes, unsigned line, uint64_t threads,
                           uint64_t warp, ws_touch *out);

/* Returns the number of different addresses of the lanes. */
unsigned ws_count_addresses(const uint64_t address[32], uint32_t exec);

/* Returns the cycles, at least 1, that banks of 4 bytes need for a warp's shared-memory access: the largest number of
 * different words in one bank. A wide access takes at least the cycles of its lanes' words: 16 bytes of each of 32
 * consecutive lanes take 4, the same 16 bytes for all lanes take 1. */
unsigned ws_bank_cycles(const uint64_t address[32], uint32_t exec, unsigned bytes, unsigned banks);

/* Returns the 4-byte words of lanes with `bytes` bytes each; less than a word counts as one. */
static inline uint64_t ws_lane_words(unsigned lanes, unsigned bytes)
{
    return (uint64_t)lanes * ((bytes + 3) / 4);
}

#endif
