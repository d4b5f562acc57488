/* cache_bounds.h - closed forms from the misses of sharing-aware and plain caches.
 *
 * Tabbakh, "Efficient Memory Coherence and Consistency Support for Enabling Data Sharing in GPUs", USC 2018, chapter 2
 * describes the caches (model/cache/cache_sharing.c). model/mechanism/sharing/cache_streams.h gives the number of
 * misses from the order of accesses. */
#ifndef WS_SHARING_CACHE_BOUNDS_H
#define WS_SHARING_CACHE_BOUNDS_H

#include <stddef.h>
#include <stdint.h>

/* Returns the lines per cached block: lines / blocks, 1 without duplicates; NaN without blocks. */
double ws_sharing_replication(double lines, double blocks);
/* Returns the share, 0..1, of ordered times between two uses of a block by an SM, in cycles, that are shorter than a
 * miss, so that the uses merge; NaN without any. */
double ws_sharing_merged(const double *gap_cycles, size_t gaps, double latency_cycles);
/* Returns the bytes between memory and L2: a line is read for each miss, and each dirty one is written. */
double ws_sharing_memory_bytes(double misses, double dirty_lines, uint32_t line_bytes);

#endif
