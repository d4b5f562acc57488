/* miss_class.h - which warp made a block leave a cache? A table beside the tags, for caches that tell misses apart.
 *
 * Blocks that left are remembered, the latest ones: a block finds its place among WS_MISS_BUCKET by its number, and the
 * one that left first makes room. What was forgotten counts as never there. Plain memory, zero at first. */
#ifndef WS_MISS_CLASS_H
#define WS_MISS_CLASS_H

#include "model/load_class.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WS_MISS_BUCKET = 8 };

typedef struct ws_left_block {
    uint64_t tag;  /* block + 1; 0: none */
    uint32_t life; /* of the warp whose access made it leave */
    uint32_t padding;
} ws_left_block;

/* Bytes of a table for at least so many blocks, of which *entries it has: a power of two. */
size_t ws_miss_class_bytes(uint32_t blocks, uint32_t *entries);

/* The block leaves because of an access of that warp. Returns true when another one is forgotten for it. */
bool ws_miss_class_note(ws_left_block *table, uint32_t entries, uint64_t block, uint32_t life);

/* The class of a miss of the warp. */
ws_miss_class ws_miss_class_of(const ws_left_block *table, uint32_t entries, uint64_t block, uint32_t life);

#endif
