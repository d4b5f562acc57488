/* scheduler.h - warp scheduling policies. A policy is one file and one row of warp_schedulers.def.
 *
 * A scheduler of an SM sees its warps as bits 0..63 of a mask (warp slots of the SM). The SM asks for the best of the
 * candidates, tests whether it can issue, and otherwise asks again without it. A policy therefore decides the order,
 * may hold warps back by choosing none (return -1), and may hold back an instruction of the chosen warp (admits). It
 * decides by its state and the view of its SM. */
#ifndef WS_SCHEDULER_H
#define WS_SCHEDULER_H

#include "collect/trace/instr.h"
#include "model/machine/scheduler_kind.h"
#include "model/sim/sm/sm_counts.h"

#include <stdbool.h>

/* Current state of a warp. */
typedef struct ws_warp_facts {
    const ws_instr *instr;     /* the next one; NULL: not fetched yet (see looks_ahead), or the warp has ended */
    uint32_t pc, active, exec; /* of instr: index in the launch's table, lanes on the path, executing lanes */
    uint64_t order;            /* of arrival at the SM: the oldest has the least */
    uint64_t cta;              /* linear index in the grid */
    uint32_t index;            /* in its CTA */
    uint32_t misses;           /* accesses of its loads since its arrival that the L1 did not serve at once */
    uint32_t outstanding;      /* those without data */
    uint32_t accesses;         /* memory instructions in flight */
    bool data_load;            /* instr is a load of global or local memory, to be reported by `loaded` */
    bool waits_memory;         /* instr needs data of an outstanding load, or the warp is at a fence */
    bool waits_others;         /* at a barrier */
} ws_warp_facts;

/* Current state of the SM. */
typedef struct ws_sm_facts {
    uint64_t now;
    uint64_t live;              /* slots with a warp, of all schedulers */
    uint32_t warps, ctas;       /* resident */
    uint32_t mshrs, mshrs_free; /* of the data L1: MSHRs, and free ones */
    uint32_t lines;             /* of the data L1 without shared memory in use */
    uint32_t queue, queue_used; /* memory instructions that wait for the load/store unit */
    uint32_t tags, tags_used;   /* memory instructions with outstanding data */
    bool refused;               /* the L1 refuses the first access in the queue, which blocks all later ones */
} ws_sm_facts;

/* On-demand view of the SM, without copies. */
typedef struct ws_sm_view {
    const void *of;
    ws_warp_facts (*warp)(const void *of, unsigned warp); /* of a slot with a warp */
    uint32_t (*rank)(const void *of, unsigned warp);      /* number of older warps of the SM */
    ws_sm_facts (*sm)(const void *of);
} ws_sm_view;

/* Outcome of an access of a load to one block, taken by a cache. */
typedef enum ws_load_fate {
    WS_LOAD_HIT,    /* served at once */
    WS_LOAD_MERGED, /* waits for another access's answer */
    WS_LOAD_MISSED  /* sent a request */
} ws_load_fate;

typedef struct ws_load_access {
    uint32_t pc;
    uint8_t space; /* ws_space: global, local, or of a read-only cache */
    uint64_t block;
    uint32_t lanes; /* bit i: lane i takes part */
    ws_load_fate fate;
} ws_load_access;

/* Outcome of a global or local load when the L1 has taken its last access (before its data arrive). */
typedef struct ws_load_outcome {
    uint32_t pc, lanes; /* lanes: active ones */
    uint32_t touches;   /* accesses: hits + merged + misses */
    uint32_t hits, merged, misses;
    bool lacked_mshr; /* an access was refused for lack of an MSHR */
} ws_load_outcome;

/* Instruction issued by a warp. */
typedef struct ws_issue {
    const ws_instr *instr;
    uint32_t pc, exec;
    bool data_load; /* as of ws_warp_facts */
} ws_issue;

/* Scheduler: argument of all calls of a policy. */
typedef struct ws_warp_scheduler {
    void *state;            /* plain memory without pointers, initially zero; checkpoints copy it */
    void *shared;           /* the same, shared by all schedulers of an SM */
    const uint64_t *values; /* of the policy's options */
    ws_sm_view view;
    ws_sm_counts *counts; /* of the SM, for counts of the policy */
} ws_warp_scheduler;

typedef struct ws_warp_scheduler_ops {
    int (*configure)(const uint64_t *values); /* NULL: no check */
    size_t state_size, shared_size;           /* bytes */
    /* `choose` needs the next instruction of every candidate. Without it, the instruction is known for warps that were
     * chosen before and could not issue. A warp of a live launch executes an instruction when it is requested; with
     * this, warps therefore run up to one step ahead of their issue. */
    bool looks_ahead;
    bool forecasts; /* it predicts misses of loads, and counts the results: ws_sm_counts.forecasts and following */
    /* A warp arrived in the slot; `order` grows with every arrival at the SM. */
    void (*started)(const ws_warp_scheduler *s, unsigned warp, uint64_t order);
    /* Returns one of the candidates (not 0), or -1 to issue none in this cycle. It is called any number of times in a
     * cycle, and not in cycles without candidates, so it must not have side effects. */
    int (*choose)(const ws_warp_scheduler *s, uint64_t candidates);
    void (*issued)(const ws_warp_scheduler *s, unsigned warp, const ws_issue *issue);

    /* The remaining functions may be NULL. */
    void (*ended)(const ws_warp_scheduler *s, unsigned warp);
    /* The warp begins, or ends, to wait for memory (data of a load, a fence) or for other warps at a barrier. May be
     * repeated. */
    void (*blocked)(const ws_warp_scheduler *s, unsigned warp);
    void (*unblocked)(const ws_warp_scheduler *s, unsigned warp);
    void (*launched)(const ws_warp_scheduler *s); /* a launch begins, without warps */
    /* Returns whether the chosen warp's instruction, shown by the view and ready, may issue in this cycle. Has no side
     * effect. */
    bool (*admits)(const ws_warp_scheduler *s, unsigned warp);
    void (*accessed)(const ws_warp_scheduler *s, unsigned warp, const ws_load_access *access);
    void (*loaded)(const ws_warp_scheduler *s, unsigned warp, const ws_load_outcome *outcome);
    /* The L1 refuses an access of the warp's instruction at `pc`, for a reason of memory_level.h: called once per
     * access. */
    void (*refused)(const ws_warp_scheduler *s, unsigned warp, uint32_t pc, int reason);
    /* The warp's instruction was ready in this cycle, but not admitted. */
    void (*held)(const ws_warp_scheduler *s, unsigned warp);
    /* The L1 evicted a block for another one; `warp` is the slot of the warp that fetched it, at that time. Machines
     * with an L1 that does not track this are refused. */
    void (*evicted)(const ws_warp_scheduler *s, unsigned warp, uint64_t block);
    /* Returns the number of refused load accesses that may be set aside and retried later, while others access the L1.
     */
    uint32_t (*reexecutes)(const uint64_t *values);
} ws_warp_scheduler_ops;

const ws_warp_scheduler_ops *ws_warp_scheduler_ops_of(const ws_warp_scheduler_kind *kind);

#endif
