/* trace_cache.h - cache hits and misses of the loads of some warps in an assumed order, without time.
 *
 * All loads of turn 0 precede those of turn 1. Within a turn, those of warp 0 precede those of warp 1; within a warp,
 * they keep the order of the list. Lines arrive at once. Any index and replacement of the tables may be used. */
#ifndef WS_TRACE_CACHE_H
#define WS_TRACE_CACHE_H

#include "model/cache/cache.h"
#include "model/load_class.h"

/* Load of a warp. A line is an address / bytes of a line. */
typedef struct ws_trace_load {
    const uint64_t *line; /* borrowed: distinct lines, in the order of access */
    uint32_t lines;       /* at least 1, at most 65535 */
    uint32_t pc;
    uint32_t warp; /* age rank of the warp, 0 the oldest; at most 65535 */
    uint32_t turn; /* such as the iteration of a loop */
} ws_trace_load;

/* Loads of one class: served by the cache entirely, partly, not at all; and by misses. */
typedef struct ws_trace_loads {
    uint64_t full, partial, missed;
    uint64_t mpli[WS_MPLI_CLASSES];
} ws_trace_loads;

/* Counts of single-line accesses: accesses = hits + miss[...]. A line that was not kept counts as evicted by its own
 * access. */
typedef struct ws_trace_counts {
    uint64_t accesses, hits, miss[WS_MISS_CLASSES];
    uint64_t bypassed; /* misses whose line was not kept */
    ws_trace_loads load[WS_LOAD_CLASSES];
} ws_trace_counts;

/* Runs the loads through an empty cache. WS_EINPUT: unknown cache, or a load beyond its bounds; WS_EMEM. */
int ws_trace_cache_run(const ws_cache_choice *choice, uint32_t sets, uint32_t ways, const ws_trace_load *load,
                       size_t count, ws_trace_counts *out);

/* Computes the number of warps whose lines the cache holds entirely. Warps are added in order, 0 first, each with the
 * lines of its loads of that turn (a line of several warps counts once), until a set would exceed its ways. *out is the
 * number of warps before that. WS_EINPUT, WS_EMEM. */
int ws_trace_cache_warps(const ws_cache_choice *choice, uint32_t sets, uint32_t ways, const ws_trace_load *load,
                         size_t count, uint32_t turn, uint32_t *out);

#endif
