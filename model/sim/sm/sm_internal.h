/* sm_internal.h - memory layout of an SM. All mutable state is in numbers and indices; arrays with a length that
 * depends on the machine or the launch follow struct state in the same piece of memory. */
#ifndef WS_SM_INTERNAL_H
#define WS_SM_INTERNAL_H

#include "base/layout.h"
#include "model/cycle.h"
#include "model/sim/sm/sharing_monitor.h"
#include "model/sim/sm/sm.h"

enum {
    SCHEDULERS = 8,
    UNIT_COPIES = 32,
    BARRIERS = 17,
    WHEEL = 1024, /* cycles covered by the wheel of events */
    ADDRESSES = WS_EVENT_ADDRESSES * WS_WARP,
    EVENTS_KEPT = 128, /* room in the pool for events of a cycle other than results and data */
    NONE = UINT32_MAX
};

/* Reasons why a warp cannot issue. */
typedef enum wait_kind {
    WAIT_MEMORY,     /* a register of an outstanding load */
    WAIT_DEPENDENCY, /* a register that is being computed */
    WAIT_ORDER,      /* a fence, or an access that must wait for the warp's earlier ones */
    WAIT_FETCH,      /* the instruction after a branch */
    WAIT_BARRIER,
    WAITS
} wait_kind;

typedef struct sm_warp {
    uint64_t order;                          /* of arrival at the SM */
    uint64_t consumed;                       /* steps taken from the source */
    uint64_t fence_at;                       /* cycle of the scheduled check of its fence */
    uint64_t fence_issued;                   /* in which its last fence issued */
    uint32_t pc, active, exec, detail, left; /* of the current step; left: its instructions not issued yet */
    uint32_t whole;                          /* lanes on the path when the warp was last converged */
    uint32_t arrived;                        /* lanes at a barrier that other lanes of the warp have not reached */
    uint32_t barrier, barrier_pc;            /* that barrier: `detail` and pc of the step */
    uint32_t misses, outstanding; /* accesses of loads that the L1 did not serve at once; those without data */
    uint16_t index;               /* in its CTA */
    uint16_t writes;              /* instructions whose result is being computed */
    uint16_t accesses;            /* memory instructions under way */
    uint16_t atomics;             /* of them, atomics, of any space */
    ws_under_way under_way;       /* of them, those of memory that other warps see */
    uint8_t cta;                  /* slot */
    uint8_t kind, depth, space, texel, further;
    uint8_t failed;                   /* of the step: ws_step.failed */
    uint8_t rank;                     /* older live warps of the SM */
    uint8_t turn;                     /* those of its scheduler */
    uint8_t fetched;                  /* with instruction fetch: fetched instructions */
    bool astray;                      /* the fetch in progress is after a taken branch */
    uint8_t fence_order, fence_scope; /* of the fence that it waits at */
    uint64_t talks_since; /* its first fence, atomic or poll since its last work (ws_instr_works); WS_NEVER: none */
    uint16_t wait_loop;   /* loop in which it waits for others: ws_sm_shared.wait_loop; 0: none */
    uint32_t polled_pc;   /* pc of its last poll there, NONE: none yet */
    uint64_t polled;      /* and the polled address */
    bool continued;       /* the step continues the previous instruction */
    bool has_step, ended, fencing;
    bool syncs;                       /* it synchronizes: it has waited since its last work */
    bool again;                       /* results of a refuted load are recomputed; nothing else is issued */
    uint64_t again_at;                /* when the last of them is available */
    uint64_t spare_since;             /* waits for a spare register since */
    uint32_t ahead_first, ahead_last; /* its results since its first unsettled load; NONE: none */
} sm_warp;

typedef struct sm_barrier {
    uint64_t arrived, waiting; /* warp slots */
    uint32_t expected;         /* warps; 0: all of the CTA */
} sm_barrier;

typedef struct sm_cta {
    uint64_t number;                    /* in the grid */
    uint64_t warps;                     /* its warp slots that have not ended */
    uint32_t waiting;                   /* warps in a loop in which they wait for others */
    uint32_t syncing;                   /* warps that synchronize */
    uint64_t syncs_since, synced_until; /* start of the first of them; end of the last earlier synchronization */
    bool used;
    sm_barrier barrier[BARRIERS];
} sm_cta;

/* Scheduled event. */
typedef enum event_kind {
    EVENT_WRITTEN, /* the result of instruction `detail` of the warp */
    EVENT_FETCHED, /* the warp's next instruction is available */
    EVENT_LOADED,  /* the memory instruction with tag `detail` is complete */
    EVENT_FENCE,   /* the warp's fence may be passed now */
    EVENT_FENCED,  /* the time of the fence (sm.fence) is over */
    EVENT_EARLY,   /* the load with tag `detail` has its data, which may be refuted */
    EVENT_AGAIN    /* a recomputed result is available */
} event_kind;

typedef struct event {
    uint64_t cycle;
    uint32_t detail, next;
    uint8_t kind, warp;
} event;

/* A memory instruction from issue to its last answer. */
typedef struct access {
    uint64_t issued, ready; /* ready: when operands are available; later the end of its latest answer */
    uint64_t begins;        /* the first cycle of a cache access without contention */
    uint32_t pc, exec, outstanding, next;
    uint16_t touches, aside; /* aside: touches set aside */
    uint16_t hits, merged;   /* of a load: touches served at once; touches that wait for others' answers */
    uint16_t early;          /* of a load that runs ahead: touches with an unsettled value */
    uint16_t placed;         /* touches with a final value that has not arrived (WS_COMPLETE_PLACED) */
    uint8_t warp, kind, space, cache, lanes;
    uint8_t turn; /* of the warp, at its issue */
    bool queued;
    bool lacked_mshr; /* a touch was refused for lack of an MSHR */
    bool settled;     /* it cannot be refuted any longer, and does not count as unplaced */
    bool ahead;       /* load that began before earlier accesses of its warp were complete */
    bool released;    /* its early value was used, */
    bool refuted;     /* and refuted */
} access;

/* Result of a warp in spare registers, since its first unsettled load. */
typedef struct renamed {
    uint32_t pc, exec, next;
    uint32_t tag; /* of an unsettled load that runs ahead, otherwise NONE */
    uint8_t registers;
    bool open;        /* such a load */
    bool speculative; /* the result depends on such a load */
    bool repeatable;  /* it depends on registers only */
    bool again;       /* it must be recomputed */
} renamed;

/* Register written by a load: old and new contents. */
typedef struct kept_value {
    ws_value value; /* bytes 0: unknown */
    uint64_t before[WS_WARP], after[WS_WARP];
} kept_value;

/* Memory instruction that waits for the load/store unit, or is in it. */
typedef struct queued {
    uint64_t collected;          /* in a collector: when its operands are available */
    uint32_t tag, touches, done; /* done: touches taken by a cache */
    uint32_t slot;               /* of its touches */
    uint32_t reads;              /* cycles to collect its operands */
    uint8_t collector;           /* its collector */
    bool refused;                /* the next touch was refused before */
    uint32_t cycles;             /* of banks, for shared memory */
    ws_shared_time time;         /* of shared memory: when it is served */
} queued;

/* Touch of a load that the L1 refused, to be retried after others. */
typedef struct put_aside {
    ws_touch touch;
    uint32_t tag, number; /* number: index of the touch in the load */
} put_aside;

/* Queue of messages: `bytes` of each are in the array of messages. */
typedef struct ring {
    uint32_t first, count, room;
} ring;

typedef struct state {
    uint64_t now;
    uint64_t live, blocked[WAITS]; /* masks of warp slots: with a warp; blocked, by reason */
    uint64_t ending;               /* all issued, waiting for outstanding accesses */
    uint64_t orders;
    uint64_t retry;         /* next check of a warp that found its unit busy */
    uint64_t memory_retry;  /* next work of the load/store unit */
    uint64_t unfetched;     /* mask of warp slots: with nothing fetched and no fetch in progress */
    uint64_t stage_retry;   /* next move in the stage; WS_NEVER: none */
    uint64_t buffer_retry;  /* next message of the buffer of atomics */
    uint64_t fence_free;    /* when the next fence begins to take its time, where they have turns */
    uint64_t banks_free;    /* when the banks of shared memory are free */
    uint64_t refused_since; /* WS_NEVER: the first access in the queue was not refused */
    uint64_t counted;       /* cycles up to here are in the sums */
    uint32_t syncing_ctas;  /* CTAs with a warp that synchronizes */
    uint32_t waiting_ctas;  /* CTAs with a warp in a loop that waits for others */
    uint64_t passed_at;     /* when a warp last did not wait in a loop, for kernels with such loops */
    uint32_t events_free, events, resident, resident_warps;
    uint32_t ended;                    /* slots whose CTA ended since the last call */
    uint32_t queue_first, queue_count; /* memory instructions on their way to the unit and in it (memory_stage.h): */
    uint32_t served;                   /* in it: at most one, or all, as each is served when it is the first; */
    uint32_t entering;                 /* where issue left them */
    uint32_t at_ports, collecting, last_collector; /* between, where there are collectors, */
    uint64_t collectors_used;
    uint32_t aside_first, aside_count;
    uint32_t tags_free, tags_used;
    uint32_t fetching;     /* the warp slot that was fetched for last */
    uint32_t rotation;     /* place, among those of a block, of its first warp */
    uint32_t refused_by;   /* reason */
    uint64_t waits_since;  /* cycles from here on are not counted among the load/store unit's waits; WS_NEVER: it does
                              not wait */
    uint32_t waits_for;    /* the reason */
    uint64_t spare_wanted; /* warps that wait for spare registers */
    uint32_t spare_used, spare_free; /* spare registers with results; the first place of `renamed` that is free */
    uint64_t unit_free[WS_UNITS][UNIT_COPIES];
    uint64_t wheel_bits[WHEEL / 64];
    uint32_t wheel_first[WHEEL], wheel_last[WHEEL];
    uint8_t slot_reason[SCHEDULERS]; /* class of the scheduler's last turn: index into the stall counts */
    bool slot_full[SCHEDULERS];      /* all ready warps waited for room in the load/store unit */
    bool slot_held[SCHEDULERS];      /* no warp issued, and the policy held back a ready one */
    sm_warp warp[WS_SM_WARPS];
    sm_cta cta[WS_SM_CTAS];
    ring out, in;
    ws_sm_counts counts;
    ws_rank_counts ranks;
    ws_activity activity;
} state;

struct ws_sm {
    const ws_sm_shared *shared;
    uint32_t number, schedulers, unit_copies[WS_UNITS];
    uint32_t warps, ctas;            /* slots */
    uint32_t stage_room, entry_room; /* memory instructions in the stage; in its entry */
    uint32_t messages_kept; /* room for outgoing messages: an access sends one, or one per sector; the answer to another
                               may add one more */
    uint64_t scheduler_mask[SCHEDULERS];
    ws_warp_scheduler scheduling[SCHEDULERS];
    uint8_t *memory, *allocated; /* memory is aligned to a cache line of the processor within allocated */
    size_t memory_size;
    size_t register_words; /* of a warp's scoreboard */
    uint32_t events_room;
    unsigned caller;         /* during a call of a cache: its number */
    const ws_request *asked; /* during a request: the request and its outcome so far */
    bool answered, asked_below;
    int failed; /* failure of a check during such a call */
    bool turn;  /* it may access memory, in serial mode */
    /* In the layout: */
    state *s;
    uint64_t *pending;                           /* [warps][register_words]: registers with an outstanding write */
    uint64_t *from_memory;                       /* the same for writes by loads */
    uint64_t *address;                           /* [warps][ADDRESSES] */
    event *event;                                /* pool */
    access *access;                              /* by tag */
    queued *queue;                               /* ring of stage_room */
    ws_touch *touch;                             /* [stage_room][WS_TOUCHES], by queued.slot */
    put_aside *aside;                            /* ring of shared->reexecuted */
    renamed *renamed;                            /* [shared->ahead], lists */
    uint8_t *scheduler_state, *scheduler_shared; /* [schedulers], and one for all */
    uint8_t *file_state, *atomic_state, *memory_state;
    ws_atomic_buffer buffer;
    ws_sharing_monitor *sharing; /* NULL: none */
    uint8_t *cache[WS_SM_CACHES];
    /* Queues of messages grow, so they have separate memory; a checkpoint holds their contents. */
    uint8_t *out_message, *in_message;
    uint64_t *out_cycle, *in_cycle;
    /* For a register file that depends on values: those of the warps' steps, owned by the source; and by tag those of
     * outstanding loads, one per result. Launches with values have no checkpoints. */
    struct {
        const ws_value *value;
        uint32_t values;
    } step_value[WS_SM_WARPS];
    kept_value *load_value; /* [memory_tags][WS_INSTR_DST] */
    ws_load_use *load_use;  /* [instrs of the launch]; NULL without watch_loads */
};

static inline uint64_t bit(unsigned i)
{
    return UINT64_C(1) << i;
}

/* --- sm.c --- */
/* Makes room for another message to L2. WS_EMEM. */
int sm_make_out_room(ws_sm *sm);

/* --- sm_view.c --- */
/* Returns the view for schedulers. */
ws_sm_view sm_view_of(const ws_sm *sm);

/* Returns the scheduler of the warp. */
static inline const ws_warp_scheduler *sm_scheduler_of(const ws_sm *sm, unsigned warp)
{
    return &sm->scheduling[warp % sm->schedulers];
}

/* --- sm_event.c --- */
void sm_schedule(ws_sm *sm, uint64_t cycle, event_kind kind, unsigned warp, uint32_t detail);
/* Returns the first cycle from s->now with an event, or WS_NEVER. */
uint64_t sm_next_event(const ws_sm *sm);
/* Takes the next event of cycle s->now; returns false if none is left. */
bool sm_take_event(ws_sm *sm, event *out);

/* --- sm_issue.c --- */
/* Executes a turn of all schedulers in cycle s->now. *issued: the number of warps that issued. */
int sm_issue(ws_sm *sm, unsigned *issued);
void sm_block_warp(ws_sm *sm, unsigned warp, wait_kind why);
/* With instruction fetch: the warp has no instruction left; its fetch is complete; one warp fetches. */
void sm_want_fetch(ws_sm *sm, unsigned warp);
void sm_fetched(ws_sm *sm, unsigned warp);
void sm_fetch(ws_sm *sm);
void sm_unblock_warp(ws_sm *sm, unsigned warp, wait_kind why);
/* A warp's registers were written, or one of its memory instructions is done: it may continue, or end. */
void sm_written(ws_sm *sm, unsigned warp, uint32_t pc);
/* Writes the results of the instruction, available at `done`, to the register file. */
void sm_write_back(ws_sm *sm, unsigned warp, uint32_t pc, uint64_t done);
/* The same for a load, whose values were stored under its tag. */
void sm_write_load(ws_sm *sm, unsigned warp, uint32_t pc, uint32_t tag, uint64_t done);
/* Stores the values of the step's load under a tag, for a register file that depends on values. */
void sm_keep_values(ws_sm *sm, unsigned warp, uint32_t tag);
void sm_try_to_end(ws_sm *sm, unsigned warp);
int sm_try_fence(ws_sm *sm, unsigned warp);
int sm_try_fences(ws_sm *sm); /* of all warps that wait at one */

/* --- sm_wait.c: only for kernels with loops that wait --- */
void sm_wait_issued(ws_sm *sm, unsigned warp, uint32_t pc); /* before the warp leaves the instruction */
void sm_wait_ended(ws_sm *sm, unsigned warp);

/* --- sm_ahead.c: only for machines with spare registers --- */
/* Return whether the warp's step is a load that may run ahead; whether its result goes to spare registers. */
bool sm_ahead_loads(const ws_sm *sm, const sm_warp *w);
bool sm_ahead_renames(const ws_sm *sm, const sm_warp *w);
/* Blocks a warp that finds no spare register, or whose step needs settled operands. */
bool sm_ahead_must_wait(ws_sm *sm, unsigned warp, const ws_decoded *d);
/* A step with a renamed result was issued; tag: of its access. */
void sm_ahead_issued(ws_sm *sm, unsigned warp, const ws_decoded *d, uint32_t tag);
/* A load that ran ahead is complete. */
void sm_ahead_settled(ws_sm *sm, uint32_t tag);
/* Return the next result to recompute, or NULL; record that the last one is available. */
renamed *sm_ahead_again(const ws_sm *sm, unsigned warp);
void sm_ahead_repeated(ws_sm *sm, unsigned warp);

/* --- load_store.c --- */
void sm_memory_early(ws_sm *sm, uint32_t tag);
/* The access cannot be refuted any longer. */
void sm_memory_settle(ws_sm *sm, access *a);
bool sm_memory_has_room(const ws_sm *sm);
/* Adds the warp's current step, a memory access, to the stage; its operands are available at `ready`. */
void sm_memory_issue(ws_sm *sm, unsigned warp, uint64_t ready);
/* Executes the unit's turn in cycle s->now. */
int sm_memory_run(ws_sm *sm);
int sm_memory_loaded(ws_sm *sm, uint32_t tag);
int sm_memory_message(ws_sm *sm, const ws_coherence_message *message);
ws_coherence_ports sm_ports(ws_sm *sm);
/* Sends a request to one of the caches; the checker adds values. Returns as ws_level_ops.request. */
int sm_ask(ws_sm *sm, unsigned which, ws_request *request);
bool sm_is_shared_between_warps(uint8_t space);
ws_request_kind sm_request_kind(const ws_instr *instr);     /* of an instruction that accesses memory */
bool sm_is_data_load(const ws_sm *sm, const sm_warp *warp); /* a global or local access? */

/* --- sm_atomic.c: the buffer of atomics, if there is one --- */
/* Returns the outcome of an access before the L1 gets it. */
ws_atomic_answer sm_atomic_offer(ws_sm *sm, const access *a, const ws_touch *t);
/* Returns the update code of the access if it is an update, otherwise 0. For a rule without a buffer that keeps updates
 * in the L1. */
uint32_t sm_atomic_code(const ws_sm *sm, const access *a);
/* Executes its turn in cycle s->now: sends the updates that must leave. */
int sm_atomic_run(ws_sm *sm);
bool sm_atomic_reach(ws_sm *sm, ws_atomic_point point, unsigned warp, uint8_t scope);
/* Sets the time of its next turn. */
void sm_atomic_wake(ws_sm *sm);

static inline bool sm_has_buffer(const ws_sm *sm)
{
    return sm->shared->atomics->state_size != NULL;
}

#endif
