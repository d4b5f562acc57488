/* cache_bounds.h - how many misses are to be expected of caches that know who shares, and of caches that do not? Closed forms.
 *
 * Tabbakh, "Efficient Memory Coherence and Consistency Support for Enabling Data Sharing in GPUs", USC 2018, chapter 2 describes
 * the caches (model/cache/cache_sharing.c); the forms follow from what they do. An access of a least recently used stack misses by
 * its reuse distance, the number of other blocks since the last use of its own; sets are taken to get their blocks by chance (Smith,
 * "A Comparative Study of Set Associative Memory Mapping Algorithms and Their Use for Cache and Main Memory", IEEE TSE 1978). No
 * time passes here: accesses that find a read under way are those that the caller says. */
#ifndef WS_SHARING_CACHE_BOUNDS_H
#define WS_SHARING_CACHE_BOUNDS_H

#include <stddef.h>
#include <stdint.h>

/* Accesses by reuse distance, of the stream that a cache sees. */
typedef struct ws_reuse {
    const double *count; /* borrowed: [distances], of each distance from 0 on */
    size_t distances;
    double beyond; /* first uses, and those that are farther */
} ws_reuse;

typedef struct ws_lines {
    uint32_t sets, ways; /* ways of each set */
} ws_lines;

double ws_reuse_accesses(const ws_reuse *reuse);
/* At least `ways` of so many blocks are in the block's set: 0..1. */
double ws_reuse_misses_at(uint32_t distance, const ws_lines *lines);
/* Of all accesses, each with so many blocks more. */
double ws_reuse_misses_behind(const ws_reuse *reuse, const ws_lines *lines, uint32_t blocks);
/* Of all accesses. */
double ws_reuse_misses(const ws_reuse *reuse, const ws_lines *lines);

/* Streams of blocks that one SM uses, that several do. Distances of each are in blocks of its own kind. */
typedef struct ws_sharing_streams {
    ws_reuse alone, shared;
    double merged; /* of accesses of shared blocks: that find a read of theirs under way; 0..1 */
    double local;  /* of an L2: accesses of local memory, which it does not keep; `alone` has them only in an L1 */
    uint32_t shared_blocks; /* that are in use at a time */
} ws_sharing_streams;

/* Of an L1 full of private lines: shared blocks are asked for each time but for those that merge, private ones have it for
 * themselves. */
double ws_sharing_l1_misses(const ws_sharing_streams *streams, const ws_lines *lines);
/* Of an L2: shared blocks have it for themselves, local memory nothing. A private block has what the others leave of its set: all
 * shared blocks count as if they had been used since. */
double ws_sharing_l2_misses(const ws_sharing_streams *streams, const ws_lines *lines);

/* Lines taken by each block that is there: lines / blocks, 1 where nothing stands twice; NaN without blocks. */
double ws_sharing_replication(double lines, double blocks);
/* Of times between two uses of a block by an SM, in order: the part that is shorter than a miss takes, which merges; NaN without any. */
double ws_sharing_merged(const double *gap_cycles, size_t gaps, double latency_cycles);
/* Between memory and L2. */
double ws_sharing_memory_bytes(double misses, double dirty_lines, uint32_t line_bytes);

#endif
