/* cache_bounds.h - what follows from misses of caches that know who shares, and of caches that do not: closed forms.
 *
 * Tabbakh, "Efficient Memory Coherence and Consistency Support for Enabling Data Sharing in GPUs", USC 2018, chapter 2
 * describes the caches (model/cache/cache_sharing.c). How many misses there are says
 * model/mechanism/sharing/cache_streams.h, from the order of accesses. */
#ifndef WS_SHARING_CACHE_BOUNDS_H
#define WS_SHARING_CACHE_BOUNDS_H

#include <stddef.h>
#include <stdint.h>

/* Lines taken by each block that is there: lines / blocks, 1 where nothing stands twice; NaN without blocks. */
double ws_sharing_replication(double lines, double blocks);
/* Of times between two uses of a block by an SM, in order, in cycles: the part that is shorter than a miss takes, which
 * merges, 0..1; NaN without any. */
double ws_sharing_merged(const double *gap_cycles, size_t gaps, double latency_cycles);
/* Between memory and L2: a line comes for each miss, and each dirty one goes. */
double ws_sharing_memory_bytes(double misses, double dirty_lines, uint32_t line_bytes);

#endif
