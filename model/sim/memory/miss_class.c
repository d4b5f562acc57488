/* miss_class.c - see miss_class.h. The classes are those of Wang, "Mitigating GPU Memory Divergence for Data-Intensive
 * Applications", Auburn 2015, section 2.2. */
#include "model/sim/memory/miss_class.h"

#include <string.h>

size_t ws_miss_class_bytes(uint32_t blocks, uint32_t *entries)
{
    *entries = blocks ? WS_MISS_BUCKET : 0;
    while (*entries < blocks)
        *entries *= 2;
    return *entries * sizeof(ws_left_block);
}

/* Fibonacci hashing: Knuth, The Art of Computer Programming 3, section 6.4. */
static uint32_t bucket_of(uint32_t entries, uint64_t block)
{
    return (uint32_t)(block * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (entries / WS_MISS_BUCKET - 1);
}

/* In a bucket the latest comes first. */
bool ws_miss_class_note(ws_left_block *table, uint32_t entries, uint64_t block, uint32_t life)
{
    ws_left_block *const bucket = table + (size_t)bucket_of(entries, block) * WS_MISS_BUCKET;
    uint32_t at = 0;
    while (at < WS_MISS_BUCKET - 1 && bucket[at].tag && bucket[at].tag != block + 1)
        at++;
    const bool forgets = bucket[at].tag && bucket[at].tag != block + 1;
    memmove(bucket + 1, bucket, at * sizeof *bucket);
    bucket[0] = (ws_left_block){.tag = block + 1, .life = life};
    return forgets;
}

ws_miss_class ws_miss_class_of(const ws_left_block *table, uint32_t entries, uint64_t block, uint32_t life)
{
    const ws_left_block *const bucket = table + (size_t)bucket_of(entries, block) * WS_MISS_BUCKET;
    for (uint32_t at = 0; at < WS_MISS_BUCKET && bucket[at].tag; at++)
        if (bucket[at].tag == block + 1)
            return bucket[at].life == life ? WS_MISS_INTRA : WS_MISS_INTER;
    return WS_MISS_COLD;
}
