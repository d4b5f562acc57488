/* bounds.h - overflow-safe checks that a range of bytes is within limits.
 *
 * Addresses, offsets and sizes of kernels, programs and files can be any value up to 2^64 - 1. The sum in `at + bytes
 * <= limit` may therefore wrap and accept a range outside the limit. All such checks use these functions; `make bounds`
 * searches for compared sums in other files. */
#ifndef WS_BOUNDS_H
#define WS_BOUNDS_H

#include <stdbool.h>
#include <stdint.h>

/* Returns whether [at, at + bytes) is within [0, limit). An empty range may start anywhere up to `limit`, inclusive. */
static inline bool ws_range_within(uint64_t at, uint64_t bytes, uint64_t limit)
{
    return at <= limit && bytes <= limit - at;
}

/* Returns whether [at, at + bytes) is within [low, high); low <= high. */
static inline bool ws_range_between(uint64_t at, uint64_t bytes, uint64_t low, uint64_t high)
{
    return at >= low && ws_range_within(at, bytes, high);
}

#endif
