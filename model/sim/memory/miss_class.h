/* miss_class.h - table of recently evicted blocks with the evicting warps, for caches that classify misses.
 *
 * A block maps by its number to WS_MISS_BUCKET entries, of which the one evicted first is replaced. A miss of a
 * forgotten block counts as cold. Plain memory, initially zero. */
#ifndef WS_MISS_CLASS_H
#define WS_MISS_CLASS_H

#include "model/load_class.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WS_MISS_BUCKET = 8 };

typedef struct ws_left_block {
    uint64_t tag;  /* block + 1; 0: none */
    uint32_t life; /* of the warp whose access evicted it */
    uint32_t padding;
} ws_left_block;

/* Returns the bytes of a table for at least `blocks` blocks; *entries is its size, a power of two. */
size_t ws_miss_class_bytes(uint32_t blocks, uint32_t *entries);

/* Records an eviction by an access of that warp. Returns whether another block was forgotten. */
bool ws_miss_class_note(ws_left_block *table, uint32_t entries, uint64_t block, uint32_t life);

/* Returns the class of a miss of the warp. */
ws_miss_class ws_miss_class_of(const ws_left_block *table, uint32_t entries, uint64_t block, uint32_t life);

#endif
