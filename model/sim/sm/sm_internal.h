/* sm_internal.h - the memory of an SM. Everything that changes stands here as numbers and indices; arrays whose length
 * depends on the machine or the launch lie behind struct state in the same piece of memory. */
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
    WHEEL = 1024, /* cycles that the wheel of events reaches ahead */
    ADDRESSES = WS_EVENT_ADDRESSES * WS_WARP,
    EVENTS_KEPT = 128, /* room in the pool for what a cycle can schedule besides results and data */
    NONE = UINT32_MAX
};

/* Why a warp cannot issue now. */
typedef enum wait_kind {
    WAIT_MEMORY,     /* a register that a load brings */
    WAIT_DEPENDENCY, /* a register that is being computed */
    WAIT_ORDER,      /* a fence, or an access that must wait for the warp's earlier ones */
    WAIT_FETCH,      /* the instruction behind a branch */
    WAIT_BARRIER,
    WAITS
} wait_kind;

typedef struct sm_warp {
    uint64_t order;                          /* of arrival at the SM */
    uint64_t consumed;                       /* steps taken from the source */
    uint64_t fence_at;                       /* cycle for which a look at its fence is scheduled */
    uint32_t pc, active, exec, detail, left; /* of the current step; left: its instructions not issued yet */
    uint32_t whole;                          /* lanes on the path when the warp was last in one piece */
    uint32_t arrived;                        /* lanes at a barrier that others of the warp have not reached */
    uint32_t barrier, barrier_pc;            /* that barrier: `detail` and pc of the step */
    uint32_t misses, outstanding; /* accesses of loads that the L1 did not serve at once; of them, those without data */
    uint16_t index;               /* in its CTA */
    uint16_t writes;              /* instructions whose result is being computed */
    uint16_t accesses;            /* memory instructions under way */
    uint16_t atomics;             /* of them, atomics, of any space */
    ws_under_way under_way;       /* of them, those of memory that other warps see */
    uint8_t cta;                  /* slot */
    uint8_t kind, depth, space, texel, further;
    uint8_t failed;                   /* of the step: ws_step.failed */
    uint8_t rank;                     /* warps of the SM that came before it and have not ended */
    uint8_t turn;                     /* of them, those of its scheduler */
    uint8_t fetched;                  /* where instructions are fetched: those that are there; */
    bool astray;                      /* what is being fetched lies behind a taken branch */
    uint8_t fence_order, fence_scope; /* of the fence that it waits at */
    uint64_t talks_since; /* its first fence, atomic or look since it last worked (ws_instr_works); WS_NEVER: there was
                             none */
    uint16_t wait_loop;   /* in which it waits for others: ws_sm_shared.wait_loop; 0: none */
    uint32_t polled_pc;   /* where it looked last there, NONE: it has not yet; */
    uint64_t polled;      /* and at which address */
    bool continued;       /* the step is a further part of the instruction before */
    bool has_step, ended, fencing;
    bool syncs;           /* it synchronizes: has waited since it last worked */
    bool again;           /* results that came from a refuted load are computed again; nothing else is issued */
    uint64_t again_at;    /* when the last of them is there */
    uint64_t spare_since; /* waits for a spare register since */
    uint32_t ahead_first, ahead_last; /* of what it did since its first load that is not settled; NONE: nothing */
} sm_warp;

typedef struct sm_barrier {
    uint64_t arrived, waiting; /* warp slots */
    uint32_t expected;         /* warps; 0: all of the CTA */
} sm_barrier;

typedef struct sm_cta {
    uint64_t number;                    /* in the grid */
    uint64_t warps;                     /* its warp slots that have not ended */
    uint32_t waiting;                   /* warps in a loop in which they wait for others */
    uint32_t syncing;                   /* warps that synchronize, */
    uint64_t syncs_since, synced_until; /* the first of them since; when one last did, before */
    bool used;
    sm_barrier barrier[BARRIERS];
} sm_cta;

/* Something that happens at a cycle. */
typedef enum event_kind {
    EVENT_WRITTEN, /* the result of instruction `detail` of the warp */
    EVENT_FETCHED, /* the warp's next instruction is there */
    EVENT_LOADED,  /* the memory instruction with tag `detail` is complete */
    EVENT_FENCE,   /* the warp's fence may be reached now */
    EVENT_FENCED,  /* ... has taken its time (sm.fence) */
    EVENT_EARLY,   /* the load with tag `detail` has its data, which may turn out to be wrong */
    EVENT_AGAIN    /* a result that is computed again is there */
} event_kind;

typedef struct event {
    uint64_t cycle;
    uint32_t detail, next;
    uint8_t kind, warp;
} event;

/* A memory instruction from issue to its last answer. */
typedef struct access {
    uint64_t issued, ready; /* ready: operands are there; later the end of its latest answer */
    uint64_t begins;        /* the first cycle in which a cache can be asked, if nothing is in its way */
    uint32_t pc, exec, outstanding, next;
    uint16_t touches, aside; /* aside: touches that were put aside */
    uint16_t hits, merged;   /* of a load: touches that were served at once, that wait for others' answers */
    uint16_t early;          /* of a load that runs ahead: touches of which the value is there and not settled */
    uint16_t placed;         /* touches whose value is to come and final (WS_COMPLETE_PLACED) */
    uint8_t warp, kind, space, cache, lanes;
    uint8_t turn; /* of the warp, at its issue */
    bool queued;
    bool lacked_mshr; /* a touch was refused, as no MSHR was free */
    bool settled;     /* nothing of it can turn out to be wrong: it counts as unplaced no more */
    bool ahead;       /* a load that began before the earlier accesses of its warp were complete; */
    bool released;    /* its early value was used, */
    bool refuted;     /* and was wrong */
} access;

/* What a warp did since its first load that is not settled: a result in spare registers. */
typedef struct renamed {
    uint32_t pc, exec, next;
    uint32_t tag; /* of a load that runs ahead and is not settled, else NONE */
    uint8_t registers;
    bool open;        /* such a load */
    bool speculative; /* the result hangs on one */
    bool repeatable;  /* it hangs on registers alone */
    bool again;       /* it has to be computed again */
} renamed;

/* A register that a load will write: what it held and will hold. */
typedef struct kept_value {
    ws_value value; /* bytes 0: not known */
    uint64_t before[WS_WARP], after[WS_WARP];
} kept_value;

/* A memory instruction that waits for its turn in the load/store unit, or has it. */
typedef struct queued {
    uint64_t collected;          /* in a collector: from when on it has its operands */
    uint32_t tag, touches, done; /* done: touches that a cache has taken */
    uint32_t slot;               /* of its touches */
    uint32_t reads;              /* cycles that its operands take to collect, */
    uint8_t collector;           /* and where */
    bool refused;                /* the next touch was, before */
    uint32_t cycles;             /* of banks, for shared memory */
    ws_shared_time time;         /* of shared memory: when it is served */
} queued;

/* A touch of a load that the L1 refused, to be tried again behind others. */
typedef struct put_aside {
    ws_touch touch;
    uint32_t tag, number; /* number: of the touch among those of the load */
} put_aside;

/* A message in a queue: `bytes` of it follow in the array of messages. */
typedef struct ring {
    uint32_t first, count, room;
} ring;

typedef struct state {
    uint64_t now;
    uint64_t live, blocked[WAITS]; /* masks of warp slots: with a warp; unable to issue for a reason */
    uint64_t ending;               /* have issued all and wait for what is under way */
    uint64_t orders;
    uint64_t retry;         /* when a warp that found its unit busy should be looked at again */
    uint64_t memory_retry;  /* when the load/store unit has something to do */
    uint64_t unfetched;     /* mask of warp slots: with nothing fetched, and no fetch under way */
    uint64_t stage_retry;   /* when something moves on its way to the unit; WS_NEVER: nothing does */
    uint64_t buffer_retry;  /* when the buffer of atomics has something to send */
    uint64_t fence_free;    /* when the next fence begins to take its time, where they have turns */
    uint64_t banks_free;    /* when the banks of shared memory have given what they were asked for */
    uint64_t refused_since; /* WS_NEVER: the first access in the queue was not refused */
    uint64_t counted;       /* cycles up to here are in the sums */
    uint32_t syncing_ctas;  /* CTAs with a warp that synchronizes */
    uint32_t waiting_ctas;  /* CTAs with a warp in a loop in which it waits for others */
    uint64_t passed_at;     /* when a warp last did something else than to wait in a loop; where there are such loops */
    uint32_t events_free, events, resident, resident_warps;
    uint32_t ended;                    /* slots whose CTA ended, since somebody asked */
    uint32_t queue_first, queue_count; /* memory instructions on their way to the unit and in it (memory_stage.h): */
    uint32_t served;                   /* in it: at most one, or all, as each is served when it is the first; */
    uint32_t entering;                 /* where issue left them */
    uint32_t at_ports, collecting, last_collector; /* between, where there are collectors, */
    uint64_t collectors_used;
    uint32_t aside_first, aside_count;
    uint32_t tags_free, tags_used;
    uint32_t used_registers; /* of CTAs that are resident */
    uint32_t fetching;       /* the warp slot that was fetched for last */
    uint32_t rotation;       /* place, among those of a block, of its first warp */
    uint32_t refused_by;     /* reason */
    uint64_t waits_since;    /* cycles from here on are not counted among the load/store unit's waits; WS_NEVER: it does
                                not wait */
    uint32_t waits_for;      /* the reason */
    uint64_t spare_wanted;   /* warps that wait for spare registers */
    uint32_t spare_used, spare_free; /* spare registers with results; the first place of `renamed` that is free */
    uint64_t unit_free[WS_UNITS][UNIT_COPIES];
    uint64_t wheel_bits[WHEEL / 64];
    uint32_t wheel_first[WHEEL], wheel_last[WHEEL];
    uint8_t slot_reason[SCHEDULERS]; /* what the scheduler's last turn counted as: index into the stall counts */
    bool slot_full[SCHEDULERS];      /* all warps that could issue waited for room in the load/store unit */
    bool slot_held[SCHEDULERS];      /* no warp issued, and the policy held one back that could have */
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
    uint32_t stage_room, entry_room; /* memory instructions in the stage, where issue leaves them */
    uint32_t messages_kept; /* room on the way out: an access sends one, or one for each sector; the answer to another
                               may bring one more */
    uint64_t scheduler_mask[SCHEDULERS];
    ws_warp_scheduler scheduling[SCHEDULERS];
    uint8_t *memory, *allocated; /* the former begins a line of the processor's caches in the latter */
    size_t memory_size;
    size_t register_words; /* of a warp's scoreboard */
    uint32_t events_room;
    unsigned caller;         /* during a call of a cache: which one it is */
    const ws_request *asked; /* during a request: that, and what came of it so far */
    bool answered, asked_below;
    int failed; /* what a check found during such a call */
    bool turn;  /* it may access memory, where SMs do so one after the other */
    /* In the layout: */
    state *s;
    uint64_t *pending;                           /* [warps][register_words]: registers that something will write */
    uint64_t *from_memory;                       /* the same, of those that a load will write */
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
    /* Queues of messages grow, so they have memory of their own; a checkpoint holds what is in them. */
    uint8_t *out_message, *in_message;
    uint64_t *out_cycle, *in_cycle;
    /* Where the register file looks at values: those of the warps' steps, the source's; and by tag those of loads under
     * way, for each result one. Launches with values have no checkpoints. */
    struct {
        const ws_value *value;
        uint32_t values;
    } step_value[WS_SM_WARPS];
    kept_value *load_value; /* [memory_tags][WS_INSTR_DST] */
    ws_load_use *load_use;  /* [instrs of the launch]; NULL: nobody watches */
};

static inline uint64_t bit(unsigned i)
{
    return UINT64_C(1) << i;
}

/* --- sm.c --- */
/* Room for one more message to L2. WS_EMEM. */
int sm_make_out_room(ws_sm *sm);

/* --- sm_view.c --- */
/* What schedulers may look at. */
ws_sm_view sm_view_of(const ws_sm *sm);

/* The scheduler that the warp belongs to. */
static inline const ws_warp_scheduler *sm_scheduler_of(const ws_sm *sm, unsigned warp)
{
    return &sm->scheduling[warp % sm->schedulers];
}

/* --- sm_event.c --- */
void sm_schedule(ws_sm *sm, uint64_t cycle, event_kind kind, unsigned warp, uint32_t detail);
/* The first cycle from s->now on with an event; WS_NEVER. */
uint64_t sm_next_event(const ws_sm *sm);
/* Takes the next event of cycle s->now; false when there is none left. */
bool sm_take_event(ws_sm *sm, event *out);

/* --- sm_issue.c --- */
/* All schedulers have their turn in cycle s->now. *issued: how many warps did. */
int sm_issue(ws_sm *sm, unsigned *issued);
void sm_block_warp(ws_sm *sm, unsigned warp, wait_kind why);
/* Where instructions are fetched: the warp has none left; what it asked for is there; the turn of one warp. */
void sm_want_fetch(ws_sm *sm, unsigned warp);
void sm_fetched(ws_sm *sm, unsigned warp);
void sm_fetch(ws_sm *sm);
void sm_unblock_warp(ws_sm *sm, unsigned warp, wait_kind why);
/* A warp's registers were written, or one of its memory instructions is done: it may go on, or end. */
void sm_written(ws_sm *sm, unsigned warp, uint32_t pc);
/* The results of the instruction are there at `done`: they are written to the register file. */
void sm_write_back(ws_sm *sm, unsigned warp, uint32_t pc, uint64_t done);
/* The same for a load, whose values were kept under its tag. */
void sm_write_load(ws_sm *sm, unsigned warp, uint32_t pc, uint32_t tag, uint64_t done);
/* Keeps the values of the step's instruction, a load, under a tag; where the register file looks at values. */
void sm_keep_values(ws_sm *sm, unsigned warp, uint32_t tag);
void sm_try_to_end(ws_sm *sm, unsigned warp);
int sm_try_fence(ws_sm *sm, unsigned warp);
int sm_try_fences(ws_sm *sm); /* of all warps that wait at one */

/* --- sm_wait.c: nothing of it is called for kernels without loops that wait --- */
void sm_wait_issued(ws_sm *sm, unsigned warp, uint32_t pc); /* before the warp leaves the instruction */
void sm_wait_ended(ws_sm *sm, unsigned warp);

/* --- sm_ahead.c: nothing of it is called for machines without spare registers --- */
/* Is the warp's step a load that may run ahead? Does what it does go to spare registers? */
bool sm_ahead_loads(const ws_sm *sm, const sm_warp *w);
bool sm_ahead_renames(const ws_sm *sm, const sm_warp *w);
/* Blocks a warp that finds no spare register, or whose step has to be sure of what it reads. */
bool sm_ahead_must_wait(ws_sm *sm, unsigned warp, const ws_decoded *d);
/* A step that renames has begun; tag: of its access. */
void sm_ahead_issued(ws_sm *sm, unsigned warp, const ws_decoded *d, uint32_t tag);
/* A load that ran ahead is complete. */
void sm_ahead_settled(ws_sm *sm, uint32_t tag);
/* The next result to be computed again, NULL: there is none; the last one is there. */
renamed *sm_ahead_again(const ws_sm *sm, unsigned warp);
void sm_ahead_repeated(ws_sm *sm, unsigned warp);

/* --- load_store.c --- */
void sm_memory_early(ws_sm *sm, uint32_t tag);
/* Nothing of the access can turn out to be wrong any more. */
void sm_memory_settle(ws_sm *sm, access *a);
bool sm_memory_has_room(const ws_sm *sm);
/* Puts the current step of the warp, a memory access, into the stage; its operands are there at `ready`. */
void sm_memory_issue(ws_sm *sm, unsigned warp, uint64_t ready);
/* The unit's turn in cycle s->now. */
int sm_memory_run(ws_sm *sm);
int sm_memory_loaded(ws_sm *sm, uint32_t tag);
int sm_memory_message(ws_sm *sm, const ws_coherence_message *message);
ws_coherence_ports sm_ports(ws_sm *sm);
/* One of the caches gets a request, to which the checker adds values. Returns as ws_level_ops.request does. */
int sm_ask(ws_sm *sm, unsigned which, ws_request *request);
bool sm_is_shared_between_warps(uint8_t space);
ws_request_kind sm_request_kind(const ws_instr *instr);     /* of an instruction that accesses memory */
bool sm_is_data_load(const ws_sm *sm, const sm_warp *warp); /* is the warp's step one of global or local memory? */

/* --- sm_atomic.c: the buffer of atomics; nothing of it is called where there is none --- */
/* What an access comes to before the L1 gets it. */
ws_atomic_answer sm_atomic_offer(ws_sm *sm, const access *a, const ws_touch *t);
/* What the access does to its words, if it is an update; else 0. For a rule without a buffer that keeps updates in the
 * L1. */
uint32_t sm_atomic_code(const ws_sm *sm, const access *a);
/* Its turn in cycle s->now: sends what has to leave. */
int sm_atomic_run(ws_sm *sm);
bool sm_atomic_reach(ws_sm *sm, ws_atomic_point point, unsigned warp, uint8_t scope);
/* When it is to be looked at again. */
void sm_atomic_wake(ws_sm *sm);

static inline bool sm_has_buffer(const ws_sm *sm)
{
    return sm->shared->atomics->state_size != NULL;
}

#endif
