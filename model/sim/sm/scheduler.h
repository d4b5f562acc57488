/* scheduler.h - which of the warps that could issue does? One policy is one file and one row of warp_schedulers.def.
 *
 * A scheduler of an SM sees its own warps as bits 0..63 of a mask (the SM's warp slots, whichever belong to it). The SM
 * asks for the best of the candidates, tests whether that one can issue, and asks again without it when it cannot: so a
 * policy decides order, may hold warps back by not choosing any of them (return -1), and may hold back an instruction
 * of a warp that it chose (admits). What it decides by it finds in its memory and in the view of its SM. */
#ifndef WS_SCHEDULER_H
#define WS_SCHEDULER_H

#include "collect/trace/instr.h"
#include "model/machine/scheduler_kind.h"
#include "model/sim/sm/sm_counts.h"

#include <stdbool.h>

/* A warp as it is now. */
typedef struct ws_warp_facts {
    const ws_instr *instr;     /* its next one; NULL: not asked for yet (see looks_ahead), or the warp has ended */
    uint32_t pc, active, exec; /* of that: index in the launch's table, lanes on the path, lanes that do it */
    uint64_t order;            /* of its arrival at the SM: the oldest has the least */
    uint64_t cta;              /* linear index in the grid */
    uint32_t index;            /* in its CTA */
    uint32_t misses;           /* accesses of its loads that the L1 did not serve at once, since it came */
    uint32_t outstanding;      /* of them, those without data */
    uint32_t accesses;         /* memory instructions under way */
    bool data_load;            /* its instruction is a load of global or local memory: `loaded` will be told of it */
    bool waits_memory;         /* its instruction needs what a load has not brought, or it is at a fence */
    bool waits_others;         /* at a barrier */
} ws_warp_facts;

/* The SM as it is now. */
typedef struct ws_sm_facts {
    uint64_t now;
    uint64_t live;              /* slots with a warp, those of all schedulers */
    uint32_t warps, ctas;       /* resident */
    uint32_t mshrs, mshrs_free; /* of the L1 of data: reads that can be in flight, and how many more */
    uint32_t lines;             /* of the L1 of data, when it has all of its memory */
    uint32_t queue, queue_used; /* memory instructions that wait for their turn in the load/store unit */
    uint32_t tags, tags_used;   /* ... whose data are on the way */
    bool refused;               /* the L1 refuses the first access in the queue: all behind it wait */
} ws_sm_facts;

/* Looks at the SM when asked; nothing is copied before. */
typedef struct ws_sm_view {
    const void *of;
    ws_warp_facts (*warp)(const void *of, unsigned warp); /* of a slot with a warp */
    uint32_t (*rank)(const void *of, unsigned warp);      /* warps of the SM that are older */
    ws_sm_facts (*sm)(const void *of);
} ws_sm_view;

/* What came of an access of a load that a cache has taken: one block, coalesced. */
typedef enum ws_load_fate {
    WS_LOAD_HIT,    /* served at once */
    WS_LOAD_MERGED, /* waits for an answer that somebody else asked for */
    WS_LOAD_MISSED  /* sent a request */
} ws_load_fate;

typedef struct ws_load_access {
    uint32_t pc;
    uint8_t space; /* ws_space: global, local, or that of a read-only cache */
    uint64_t block;
    uint32_t lanes; /* bit i: lane i takes part */
    ws_load_fate fate;
} ws_load_access;

/* What came of a load of global or local memory, when its last access was taken by the L1 (not: when its data are
 * there). */
typedef struct ws_load_outcome {
    uint32_t pc, lanes; /* lanes: how many took part */
    uint32_t touches;   /* accesses: hits + merged + misses */
    uint32_t hits, merged, misses;
    bool lacked_mshr; /* one of them was refused, as no MSHR was free */
} ws_load_outcome;

/* An instruction that a warp issued. */
typedef struct ws_issue {
    const ws_instr *instr;
    uint32_t pc, exec;
    bool data_load; /* as of ws_warp_facts */
} ws_issue;

/* A scheduler: what all calls of a policy are about. */
typedef struct ws_warp_scheduler {
    void *state;            /* its own; plain memory, zero at first, no pointers: checkpoints copy it */
    void *shared;           /* the same for all schedulers of an SM */
    const uint64_t *values; /* of the policy's options */
    ws_sm_view view;
    ws_sm_counts *counts; /* of the SM, for what the policy counts of itself */
} ws_warp_scheduler;

typedef struct ws_warp_scheduler_ops {
    int (*configure)(const uint64_t *values); /* NULL: nothing to check */
    size_t state_size, shared_size;           /* bytes */
    /* The next instruction of every candidate is known in `choose`. Otherwise it is known of warps that were chosen
     * before and could not issue. A warp of a live launch executes an instruction when it is asked for: with this,
     * warps run up to one step ahead of their issue. */
    bool looks_ahead;
    bool forecasts; /* it predicts misses of loads, and counts what came of that: ws_sm_counts.forecasts and what
                       follows */
    /* A warp came to the slot; `order` grows with every warp that came to the SM: the oldest has the least. */
    void (*started)(const ws_warp_scheduler *s, unsigned warp, uint64_t order);
    /* One of the candidates (not 0), or -1 to let none issue in this cycle. It may be called any number of times in a
     * cycle, and not at all in cycles in which nothing could issue: it changes nothing. */
    int (*choose)(const ws_warp_scheduler *s, uint64_t candidates);
    void (*issued)(const ws_warp_scheduler *s, unsigned warp, const ws_issue *issue);

    /* The rest may be NULL. */
    void (*ended)(const ws_warp_scheduler *s, unsigned warp);
    /* The warp waits for memory (an instruction needs what a load has not brought, a fence) or for other warps at a
     * barrier, or no longer. May be told twice. */
    void (*blocked)(const ws_warp_scheduler *s, unsigned warp);
    void (*unblocked)(const ws_warp_scheduler *s, unsigned warp);
    void (*launched)(const ws_warp_scheduler *s); /* a launch begins: no warp is there */
    /* The warp was chosen and its instruction, which the view shows, could issue: may it, in this cycle? Changes
     * nothing. */
    bool (*admits)(const ws_warp_scheduler *s, unsigned warp);
    void (*accessed)(const ws_warp_scheduler *s, unsigned warp, const ws_load_access *access);
    void (*loaded)(const ws_warp_scheduler *s, unsigned warp, const ws_load_outcome *outcome);
    /* The L1 refuses an access of the warp's instruction at `pc`, for one of the reasons of memory_level.h: told once
     * for each access. */
    void (*refused)(const ws_warp_scheduler *s, unsigned warp, uint32_t pc, int reason);
    /* The warp's instruction could issue in this cycle, and `admits` said no. */
    void (*held)(const ws_warp_scheduler *s, unsigned warp);
    /* The L1 gave up a block for another one; `warp` brought it there: the warp that was in that slot then. Machines
     * whose L1 does not know are refused. */
    void (*evicted)(const ws_warp_scheduler *s, unsigned warp, uint64_t block);
    /* How many accesses of loads that the L1 refuses may wait aside, while others go to it; they are tried again later.
     */
    uint32_t (*reexecutes)(const uint64_t *values);
} ws_warp_scheduler_ops;

const ws_warp_scheduler_ops *ws_warp_scheduler_ops_of(const ws_warp_scheduler_kind *kind);

#endif
