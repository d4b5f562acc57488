/* walk_internal.h - parts of a walk: its memory side, and throttling of loads. */
#ifndef WS_DIVERGENCE_WALK_INTERNAL_H
#define WS_DIVERGENCE_WALK_INTERNAL_H

#include "model/mechanism/divergence/walk.h"

#define WS_WALK_NEVER UINT64_MAX

/* ------------------------------------------------------------------------------------------------ memory:
 * walk_memory.c */

/* Outstanding read. */
typedef struct walk_read {
    uint64_t due, block;
    uint32_t line;   /* cache line that waits for it; WS_CACHE_NONE: chosen when data arrive, WS_CACHE_BYPASS: none */
    uint32_t merged; /* accesses that wait in addition to the first */
    ws_cache_use use;
} walk_read;

/* Server of one request at a time. */
typedef struct walk_server {
    double free, busy; /* when its work is done; busy cycles */
    double seen;       /* of one of several: work that the SM had given to all of them at its last use */
} walk_server;

/* One server at each slice, shared by all SMs. */
typedef struct walk_servers {
    walk_server *of; /* [slices] */
    double given;    /* cycles of work from this SM; each other SM gives the same amount */
} walk_servers;

/* Receives evicted lines that were not used again. */
typedef void walk_evicted(void *context, uint32_t owner, uint64_t block);

typedef struct walk_memory {
    const ws_walk_machine *machine;
    ws_cache l1, l2;
    void *l1_memory;
    char *l2_memory; /* [slices] of l2.bytes */
    bool *dirty;     /* [slices][lines] written since the fill */
    uint8_t *owner;  /* [lines of the L1] the warp that fetched it */
    bool *awaited;   /* [lines of the L1] its data are outstanding */
    walk_read *read; /* [mshrs] a heap by due, the least first */
    uint32_t reads;
    walk_server up, down;               /* links of the SM */
    walk_servers asks, answers, memory; /* links from and to all SMs, and the memory behind the slices */
    const double *spread;               /* [slices] their shares of the SM's requests; borrowed */
    double others;                      /* number of other active SMs */
    double shared;                      /* share of the SM's lines that other SMs requested before */
    uint64_t l2_misses;
    uint32_t *in_set; /* [l1_sets] scratch */
    walk_evicted *evicted;
    void *evicted_context;
    ws_walk_result *result;
} walk_memory;

typedef enum walk_fate { WALK_HIT, WALK_MERGED, WALK_MISSED } walk_fate;

int walk_memory_create(const ws_walk_machine *machine, walk_memory *memory);
void walk_memory_destroy(walk_memory *memory);

/* Begins a launch at time 0 with nothing outstanding. `sharers`: mean number of SMs that use a line; `active`: working
 * SMs; spread[slices] must stay valid. WS_EMEM. */
int walk_memory_begin(walk_memory *memory, double sharers, uint32_t active, const double *spread);
/* Adds the activity of links and memory since then to the result. */
void walk_memory_end(walk_memory *memory);

/* Presents a line of a load at the port at *now, which advances while the port stalls. Returns when its data arrive. */
uint64_t walk_memory_load(walk_memory *memory, const ws_cache_use *use, uint64_t *now, walk_fate *fate);
/* Returns when the answer of an atomic, or of a load that must bypass the L1, arrives. */
uint64_t walk_memory_pass(walk_memory *memory, const ws_cache_use *use, uint64_t now);
void walk_memory_store(walk_memory *memory, const ws_cache_use *use, uint64_t now);

/* Return the MSHRs in use at a time; when the next data arrive, or WS_WALK_NEVER if none are outstanding. */
uint32_t walk_memory_reads(const walk_memory *memory, uint64_t now);
uint64_t walk_memory_next(const walk_memory *memory, uint64_t now);

/* ------------------------------------------------------------------------------------------------ the other SMs:
 * walk_spread.c */

/* Computes the mean number of SMs that use a line of loads, from a sample of the lines. WS_EMEM. */
int walk_count_sharers(const ws_access_log *log, uint32_t sms, double *sharers);
/* Computes the distribution of lines of loads, stores and atomics over slices: spread[slices], from a sample of them.
 */
void walk_count_slices(const ws_access_log *log, const ws_walk_machine *machine, double *spread);

/* ------------------------------------------------------------------------------------------------ throttled loads:
 * walk_hold.c */

enum { WALK_TAGS = 16, WALK_TAG_WAYS = 8 }; /* of a warp: its lost lines */

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

/* Warps of the SM, for throttling. */
typedef struct walk_warps {
    uint32_t slots, schedulers;
    const uint64_t *order; /* [slots] of arrival; WS_WALK_NEVER: empty */
    const bool *waits;     /* [slots] at a barrier */
} walk_warps;

uint32_t walk_rank(const walk_warps *warps, uint32_t slot);
int walk_hold_begin(walk_hold *hold, const ws_walk_scheduler *how, size_t pcs); /* of a launch; WS_EMEM */
void walk_hold_fini(walk_hold *hold);
void walk_hold_start(walk_hold *hold, uint32_t slot); /* a warp arrives */
/* Returns whether the warp's load of `lanes` lanes may issue with `free_mshrs` of `mshrs` free. */
bool walk_hold_admits(const walk_hold *hold, const walk_warps *warps, uint32_t slot, uint32_t pc, uint32_t lanes,
                      uint64_t now, uint32_t free_mshrs, uint32_t mshrs);
void walk_hold_missed(walk_hold *hold, const walk_warps *warps, uint32_t slot, uint64_t block, uint64_t now);
void walk_hold_evicted(void *hold, uint32_t owner, uint64_t block);
void walk_hold_loaded(walk_hold *hold, const walk_warps *warps, uint32_t slot, uint32_t pc, uint32_t touches,
                      uint32_t hits, uint32_t misses);

#endif
