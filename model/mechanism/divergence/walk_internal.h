/* walk_internal.h - the parts of a walk: its memory side, and who may load. */
#ifndef WS_DIVERGENCE_WALK_INTERNAL_H
#define WS_DIVERGENCE_WALK_INTERNAL_H

#include "model/mechanism/divergence/walk.h"

#define WS_WALK_NEVER UINT64_MAX

/* ------------------------------------------------------------------------------------------------ memory:
 * walk_memory.c */

/* A read under way. */
typedef struct walk_read {
    uint64_t due, block;
    uint32_t line;   /* of the cache: the one that waits for it; WS_CACHE_NONE: it is chosen when the data come,
                        WS_CACHE_BYPASS: none is */
    uint32_t merged; /* accesses that wait besides the first */
    ws_cache_use use;
} walk_read;

/* Something that serves one after the other. */
typedef struct walk_server {
    double free, busy; /* when it has served what it was given; cycles in which it does */
    double seen;       /* of one of several: what the SM had given all of them when it was last used */
} walk_server;

/* One at each slice, which all SMs share. */
typedef struct walk_servers {
    walk_server *of; /* [slices] */
    double given;    /* cycles that the SM has given all of them; others have given as many each */
} walk_servers;

/* Who is told what leaves the cache before it was read again. */
typedef void walk_evicted(void *context, uint32_t owner, uint64_t block);

typedef struct walk_memory {
    const ws_walk_machine *machine;
    ws_cache l1, l2;
    void *l1_memory;
    char *l2_memory; /* [slices] of l2.bytes */
    bool *dirty;     /* [slices][lines] written since it came */
    uint8_t *owner;  /* [lines of the L1] the warp that brought it */
    bool *awaited;   /* [lines of the L1] its data are under way */
    walk_read *read; /* [mshrs] a heap by due, the least first */
    uint32_t reads;
    walk_server up, down;               /* the SM's links */
    walk_servers asks, answers, memory; /* links from and to all SMs, and what is behind the slices */
    const double *spread;               /* [slices] their parts of what SMs ask for; borrowed */
    double others;                      /* SMs that work besides */
    double shared;                      /* part of the lines of the SM that others have asked for before */
    uint64_t l2_misses;
    uint32_t *in_set; /* [l1_sets] scratch */
    walk_evicted *evicted;
    void *evicted_context;
    ws_walk_result *result;
} walk_memory;

typedef enum walk_fate { WALK_HIT, WALK_MERGED, WALK_MISSED } walk_fate;

int walk_memory_create(const ws_walk_machine *machine, walk_memory *memory);
void walk_memory_destroy(walk_memory *memory);

/* A launch begins at time 0: nothing is under way. `sharers`: SMs that use a line, on average; `active` SMs work;
 * spread[slices] is to stay. WS_EMEM. */
int walk_memory_begin(walk_memory *memory, double sharers, uint32_t active, const double *spread);
/* What links and memory did since goes into the result. */
void walk_memory_end(walk_memory *memory);

/* A line of a load at the port at *now, which moves on while the port stands still. Returns when its data are there. */
uint64_t walk_memory_load(walk_memory *memory, const ws_cache_use *use, uint64_t *now, walk_fate *fate);
/* A load that must not find a copy, or an atomic: when the answer is there. */
uint64_t walk_memory_pass(walk_memory *memory, const ws_cache_use *use, uint64_t now);
void walk_memory_store(walk_memory *memory, const ws_cache_use *use, uint64_t now);

/* MSHRs in use at a time; when the first data after it come, WS_WALK_NEVER: none are under way. */
uint32_t walk_memory_reads(const walk_memory *memory, uint64_t now);
uint64_t walk_memory_next(const walk_memory *memory, uint64_t now);

/* ------------------------------------------------------------------------------------------------ the other SMs:
 * walk_spread.c */

/* SMs that use a line of loads, on average; of a sample of the lines. WS_EMEM. */
int walk_count_sharers(const ws_access_log *log, uint32_t sms, double *sharers);
/* How lines of loads, stores and atomics are spread over slices: spread[slices], of a sample of them. */
void walk_count_slices(const ws_access_log *log, const ws_walk_machine *machine, double *spread);

/* ------------------------------------------------------------------------------------------------ loads that wait:
 * walk_hold.c */

enum { WALK_TAGS = 16, WALK_TAG_WAYS = 8 }; /* of a warp: lines that it lost */

typedef struct walk_pc {
    uint64_t touches, misses; /* of divergent executions */
} walk_pc;

typedef struct walk_hold {
    const ws_walk_scheduler *how;
    ws_fcw fcw;
    walk_pc *pc; /* [pcs] */
    size_t pcs;
    uint64_t score[WS_WALK_WARPS], since[WS_WALK_WARPS];
    uint64_t found, issued, clock;
    struct {
        uint64_t block, put;
    } tag[WS_WALK_WARPS][WALK_TAGS];
} walk_hold;

/* The warps of the SM as a hold sees them. */
typedef struct walk_warps {
    uint32_t slots, schedulers;
    const uint64_t *order; /* [slots] of arrival; WS_WALK_NEVER: no warp is there */
    const bool *waits;     /* [slots] at a barrier */
} walk_warps;

uint32_t walk_rank(const walk_warps *warps, uint32_t slot);
int walk_hold_begin(walk_hold *hold, const ws_walk_scheduler *how, size_t pcs); /* of a launch; WS_EMEM */
void walk_hold_fini(walk_hold *hold);
void walk_hold_start(walk_hold *hold, uint32_t slot); /* a warp comes */
/* May the warp's load of so many lanes be issued? `free_mshrs` of `mshrs` are. */
bool walk_hold_admits(const walk_hold *hold, const walk_warps *warps, uint32_t slot, uint32_t pc, uint32_t lanes,
                      uint64_t now, uint32_t free_mshrs, uint32_t mshrs);
void walk_hold_missed(walk_hold *hold, const walk_warps *warps, uint32_t slot, uint64_t block, uint64_t now);
void walk_hold_evicted(void *hold, uint32_t owner, uint64_t block);
void walk_hold_loaded(walk_hold *hold, const walk_warps *warps, uint32_t slot, uint32_t pc, uint32_t touches,
                      uint32_t hits, uint32_t misses);

#endif
