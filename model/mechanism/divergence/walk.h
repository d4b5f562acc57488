/* walk.h - what would the L1 of an SM make of a launch, and what would its warps wait for?
 *
 * The accesses of one SM's blocks, as a log has them (model/access_log.h), go through the tags of the machine's L1 with
 * its index and replacement, in the order of a coarse clock: a scheduler takes its greedy or oldest warp whose
 * instructions up to the next access can be issued, as one piece; accesses of global memory go one after the other
 * through the port of the load/store unit, which stands still while a miss finds no MSHR or no line that may be given
 * up; data come after fixed latencies through links and memory of which the SM has its share. Schedulers that hold
 * loads back do it here by their own rules. So nothing is simulated besides the SM's memory pipeline, and a walk takes
 * some ten nanoseconds an access.
 *
 * From the walk follow the terms of a bound (B. Wang, "Mitigating GPU Memory Divergence for Data-Intensive
 * Applications", Auburn 2015, has the remedies; the bound and the walk are ours): issue, port, MSHRs by Little's law,
 * links, memory; what the clock has beyond the largest of them is latency that nobody hides. docs/divergence.md has the
 * formulas. */
#ifndef WS_DIVERGENCE_WALK_H
#define WS_DIVERGENCE_WALK_H

#include "model/residency.h"
#include "model/access_log.h"
#include "model/cache/cache.h"
#include "model/cache/slice_map.h"
#include "model/fcw.h"
#include "model/load_class.h"

enum { WS_WALK_WARPS = 64 }; /* of an SM */

/* Who issues first, and whose loads wait. */
typedef enum ws_walk_order { WS_WALK_OLDEST, WS_WALK_TURNS } ws_walk_order;
typedef enum ws_walk_hold {
    WS_WALK_FREE,      /* no load waits */
    WS_WALK_LIMIT,     /* only the oldest warps load: SWL */
    WS_WALK_LOCALITY,  /* those that lost most of what they had in the cache: CCWS */
    WS_WALK_OCCLUSION, /* until there are MSHRs for a fixed share of its lanes: OAWS, static */
    WS_WALK_LEARNED,   /* ... for what its instruction missed so far: OAWS, dynamic */
    WS_WALK_PROTECTED  /* divergent loads are for as many of the oldest as the cache keeps whole: OAWS without forecasts
                        */
} ws_walk_hold;

typedef struct ws_walk_scheduler {
    ws_walk_order order;
    ws_walk_hold hold;
    bool all;       /* what is held back is any instruction, not loads alone */
    uint32_t limit; /* LIMIT: warps of a scheduler, or, together, of the SM */
    bool together;
    uint32_t percent;        /* OCCLUSION: lanes that are taken to miss */
    uint32_t most;           /* OCCLUSION, LEARNED: MSHRs that a load is taken to need at most */
    ws_fcw_rule rule;        /* LEARNED, PROTECTED: which warps are protected */
    uint32_t throttle, base; /* LOCALITY: what a lost line adds to a score, and the score without */
} ws_walk_scheduler;

/* The machine; cycles are the core's. */
typedef struct ws_walk_machine {
    uint32_t sms;
    ws_sm_capacity room;        /* of an SM */
    uint32_t schedulers, issue; /* instructions of each a cycle */
    uint32_t queue;             /* instructions between issue and the cache */
    ws_walk_scheduler scheduler;
    ws_cache_choice l1; /* borrowed */
    uint32_t l1_sets, l1_ways, mshrs, merges, ports, l1_cycles;
    bool on_fill;       /* a line is chosen when the data come, not at the miss */
    bool keeps_stores;  /* a store updates the copy, else ends it */
    bool flush;         /* the L1 is empty when a launch begins */
    ws_cache_choice l2; /* of a slice; borrowed */
    uint32_t slices, l2_sets, l2_ways;
    ws_slice_map slice_map;
    double l2_cycles, memory_cycles; /* of a miss of the L1, of one of the L2 besides */
    double request_cycles, line_cycles,
        store_cycles;          /* that a request, a line, a store take at a port of the network, an SM's or a slice's */
    double memory_line_cycles; /* that a line takes of the memory behind a slice */
} ws_walk_machine;

/* What a walk adds up, over launches; in parts of a whole launch where a log has not all of it. */
typedef struct ws_walk_result {
    double cycles;                         /* of the clock */
    double instructions;                   /* of warps of the SM */
    double accesses, hits, merged, misses; /* lines of loads: there, on their way, asked for */
    double stores;                         /* lines of stores and atomics */
    double memory_lines;                   /* that memory moves for them */
    double miss_cycles;                    /* from a miss to its data, summed */
    double mshr_stalls,
        set_stalls;         /* cycles in which the port stood still: no MSHR; no line to give up, merges included */
    double conflict_rounds; /* by which divergent loads are more than once as large as the ways of a set: sum of
                               ceil(most / ways) - 1 */
    double loads[WS_LOAD_CLASSES], full[WS_LOAD_CLASSES],
        missed[WS_LOAD_CLASSES]; /* executed; of these without and with nothing but misses */
    double lines[WS_LOAD_CLASSES],
        lacked[WS_LOAD_CLASSES];       /* that these loads touched; of them those that were not there */
    double concentration, most;        /* of divergent loads, summed: lines over sets; most lines of a set */
    double link_cycles, memory_cycles; /* that the busiest of the SM's links and of the slices', and memory behind the
                                          busiest slice, were busy */
} ws_walk_result;

typedef struct ws_walk ws_walk;

/* WS_EINPUT for an index or replacement that the L1 cannot have, WS_EMEM. The caller frees it with destroy. */
int ws_walk_create(const ws_walk_machine *machine, ws_walk **out);
void ws_walk_destroy(ws_walk *walk); /* accepts NULL */

/* Walks a launch and adds to the result. L2 keeps its lines from one to the next. WS_EMEM. */
int ws_walk_launch(ws_walk *walk, const ws_access_log *log, const ws_launch *launch, ws_walk_result *result);

/* Blocks of the launch that fit into an SM, at least 1. */
uint32_t ws_walk_residents(const ws_walk_machine *machine, const ws_launch *launch);

#endif
