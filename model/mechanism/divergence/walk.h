/* walk.h - walk of a launch through the L1 of an SM: cache hits, and waits of warps.
 *
 * The accesses of one SM's blocks (model/access_log.h) go through the tags of the machine's L1 with its index and
 * replacement, in the order of a coarse clock. A scheduler takes its greedy or oldest warp whose instructions up to the
 * next access can be issued, as one unit. Accesses of global memory pass one by one through the port of the load/store
 * unit, which stalls while no MSHR is free or no line can be evicted. Data arrive after fixed latencies through links
 * and memory of which the SM has its share. Schedulers that throttle loads apply their own rules. Only the SM's memory
 * pipeline is simulated, and a walk takes some ten nanoseconds per access.
 *
 * The walk gives the terms of a bound (B. Wang, "Mitigating GPU Memory Divergence for Data-Intensive Applications",
 * Auburn 2015, has the remedies; the bound and the walk are of this project): issue, port, MSHRs by Little's law,
 * links, memory. The time beyond the largest of them is exposed latency. docs/divergence.md has the formulas. */
#ifndef WS_DIVERGENCE_WALK_H
#define WS_DIVERGENCE_WALK_H

#include "model/residency.h"
#include "model/access_log.h"
#include "model/cache/cache.h"
#include "model/cache/slice_map.h"
#include "model/fcw.h"
#include "model/load_class.h"

enum { WS_WALK_WARPS = 64 }; /* of an SM */

/* Issue order of warps, and throttling of loads. */
typedef enum ws_walk_order { WS_WALK_OLDEST, WS_WALK_TURNS } ws_walk_order;
typedef enum ws_walk_hold {
    WS_WALK_FREE,      /* no throttling */
    WS_WALK_LIMIT,     /* only the oldest warps load: SWL */
    WS_WALK_LOCALITY,  /* warps with the most lost locality load: CCWS */
    WS_WALK_OCCLUSION, /* a load waits until MSHRs are free for a fixed share of its lanes: OAWS, static */
    WS_WALK_LEARNED,   /* the same for the measured misses of its instruction: OAWS, dynamic */
    WS_WALK_PROTECTED  /* divergent loads are reserved for the oldest warps, as many as the cache holds entirely: OAWS
                          without prediction */
} ws_walk_hold;

typedef struct ws_walk_scheduler {
    ws_walk_order order;
    ws_walk_hold hold;
    bool all;       /* throttles all instructions, not only loads */
    uint32_t limit; /* LIMIT: warps of a scheduler, or with `together` of the SM */
    bool together;
    uint32_t percent;        /* OCCLUSION: lanes assumed to miss */
    uint32_t most;           /* OCCLUSION, LEARNED: most MSHRs assumed for a load */
    ws_fcw_rule rule;        /* LEARNED, PROTECTED: which warps are protected */
    uint32_t throttle, base; /* LOCALITY: score added by a lost line, and base score */
} ws_walk_scheduler;

/* Machine; cycles are core cycles. */
typedef struct ws_walk_machine {
    uint32_t sms;
    ws_sm_capacity room;        /* of an SM */
    uint32_t schedulers, issue; /* instructions of each a cycle */
    uint32_t queue;             /* instructions between issue and the cache */
    ws_walk_scheduler scheduler;
    ws_cache_choice l1; /* borrowed */
    uint32_t l1_sets, l1_ways, mshrs, merges, ports, l1_cycles;
    bool on_fill;       /* a line is chosen when data arrive, not at the miss */
    bool keeps_stores;  /* a store updates the copy; otherwise invalidates it */
    bool flush;         /* the L1 is empty when a launch begins */
    ws_cache_choice l2; /* of a slice; borrowed */
    uint32_t slices, l2_sets, l2_ways;
    ws_slice_map slice_map;
    double l2_cycles, memory_cycles; /* of an L1 miss; added by an L2 miss */
    double request_cycles, line_cycles,
        store_cycles;          /* occupancy of a network port, of an SM or a slice, by a request, a line, a store */
    double memory_line_cycles; /* occupancy of the memory behind a slice by a line */
} ws_walk_machine;

/* Sums over launches; scaled to whole launches if a log is truncated. */
typedef struct ws_walk_result {
    double cycles;                         /* of the clock */
    double instructions;                   /* of warps of the SM */
    double accesses, hits, merged, misses; /* lines of loads: hits, misses merged with an outstanding one, misses */
    double stores;                         /* lines of stores and atomics */
    double memory_lines;                   /* moved by memory for them */
    double miss_cycles;                    /* from misses to their data, summed */
    double mshr_stalls,
        set_stalls;         /* cycles in which the port stalled: no MSHR; no line to evict, including full merges */
    double conflict_rounds; /* excess of divergent loads over the ways of a set: sum of ceil(most / ways) - 1 */
    double loads[WS_LOAD_CLASSES], full[WS_LOAD_CLASSES],
        missed[WS_LOAD_CLASSES]; /* executed; those without misses, and those with misses only */
    double lines[WS_LOAD_CLASSES],
        lacked[WS_LOAD_CLASSES];       /* lines that these loads touched; those that were missing */
    double concentration, most;        /* of divergent loads, summed: lines over sets; lines in the fullest set */
    double link_cycles, memory_cycles; /* busy cycles of the busiest link of the SM and of the slices, and of the memory
                                          behind the busiest slice */
} ws_walk_result;

typedef struct ws_walk ws_walk;

/* Creates a walk, freed with ws_walk_destroy. WS_EINPUT for an index or replacement that the L1 does not support,
 * WS_EMEM. */
int ws_walk_create(const ws_walk_machine *machine, ws_walk **out);
void ws_walk_destroy(ws_walk *walk); /* accepts NULL */

/* Walks a launch and adds to the result. L2 keeps its lines between launches. WS_EMEM. */
int ws_walk_launch(ws_walk *walk, const ws_access_log *log, const ws_launch *launch, ws_walk_result *result);

/* Returns the blocks of the launch that fit into an SM, at least 1. */
uint32_t ws_walk_residents(const ws_walk_machine *machine, const ws_launch *launch);

#endif
