/* trace_cache.h - what a cache makes of the loads of some warps when their order is assumed, and time plays no part.
 *
 * Warps have turns: all loads of turn 0 are made before those of turn 1, in a turn those of warp 0 before those of warp
 * 1, in both as they stand in the list. Lines come at once. Any index and any replacement of the tables will do. */
#ifndef WS_TRACE_CACHE_H
#define WS_TRACE_CACHE_H

#include "model/cache/cache.h"
#include "model/load_class.h"

/* A load as a warp executed it. Lines are addresses / bytes of a line. */
typedef struct ws_trace_load {
    const uint64_t *line; /* borrowed: distinct lines, in the order in which the cache is asked for them */
    uint32_t lines;       /* at least 1, at most 65535 */
    uint32_t pc;
    uint32_t warp; /* its number by age, 0 the oldest: its rank; at most 65535 */
    uint32_t turn; /* as the iteration of a loop */
} ws_trace_load;

/* Loads of one class: served by the cache alone, in part, not at all; and by their misses. */
typedef struct ws_trace_loads {
    uint64_t full, partial, missed;
    uint64_t mpli[WS_MPLI_CLASSES];
} ws_trace_loads;

/* In accesses, each of one line: accesses = hits + miss[...]. A line that was not kept counts as given up by the access
 * that brought it. */
typedef struct ws_trace_counts {
    uint64_t accesses, hits, miss[WS_MISS_CLASSES];
    uint64_t bypassed; /* of the misses: their line was not kept */
    ws_trace_loads load[WS_LOAD_CLASSES];
} ws_trace_counts;

/* Runs the loads through an empty cache. WS_EINPUT: no such cache, or a load beyond its bounds; WS_EMEM. */
int ws_trace_cache_run(const ws_cache_choice *choice, uint32_t sets, uint32_t ways, const ws_trace_load *load,
                       size_t count, ws_trace_counts *out);

/* How many warps does the cache keep whole? Warps come one after the other, 0 first, each with the lines of its loads
 * of that turn (a line of several warps once), until a set would have more of them than ways. *out: those before.
 * WS_EINPUT, WS_EMEM. */
int ws_trace_cache_warps(const ws_cache_choice *choice, uint32_t sets, uint32_t ways, const ws_trace_load *load,
                         size_t count, uint32_t turn, uint32_t *out);

#endif
