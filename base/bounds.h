/* bounds.h - does a stretch of bytes lie inside its limits?
 *
 * Addresses, offsets and sizes of kernels, programs and files are anything up to 2^64 - 1, so `at + bytes <= limit` may
 * wrap and hold for a stretch that lies elsewhere. Every such question is asked here; `make bounds` looks for sums that
 * are compared elsewhere. */
#ifndef WS_BOUNDS_H
#define WS_BOUNDS_H

#include <stdbool.h>
#include <stdint.h>

/* Whether [at, at + bytes) lies in [0, limit). No bytes lie anywhere up to limit itself. */
static inline bool ws_range_within(uint64_t at, uint64_t bytes, uint64_t limit)
{
    return at <= limit && bytes <= limit - at;
}

/* Whether [at, at + bytes) lies in [low, high); low <= high. */
static inline bool ws_range_between(uint64_t at, uint64_t bytes, uint64_t low, uint64_t high)
{
    return at >= low && ws_range_within(at, bytes, high);
}

#endif
