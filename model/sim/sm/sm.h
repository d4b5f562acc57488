/* sm.h - streaming multiprocessor: warps, schedulers, scoreboard, units, load/store unit, caches.
 *
 * An SM runs a window of cycles independently. Messages in and out cross window borders in two queues of timestamped
 * messages, so SMs can run on different threads without an effect on the result. All mutable state is one piece of
 * plain memory (layout.h). */
#ifndef WS_SM_H
#define WS_SM_H

#include "base/bytes.h"
#include "model/activity.h"
#include "model/coherence/sm_cache.h"
#include "model/sim/sm/atomic.h"
#include "model/sim/sm/consistency.h"
#include "model/sim/sm/decode.h"
#include "model/sim/sm/load_use.h"
#include "model/sim/memory/memory_checker.h"
#include "model/sim/memory/memory_level.h"
#include "model/sim/sm/register_file.h"
#include "model/sim/sm/shared_memory.h"
#include "model/sim/sm/sm_counts.h"
#include "model/sim/sm/memory_stage.h"
#include "model/sim/sm/scheduler.h"
#include "model/sim/sm/source.h"

typedef struct ws_sm ws_sm;

enum { WS_SM_CTAS = 32 };

/* Shared by all SMs of a machine; created once, the part of the launch set for each launch. */
typedef struct ws_sm_shared {
    const ws_machine *machine;
    const ws_warp_scheduler_ops *scheduler;
    const ws_register_file_ops *file;
    const ws_memory_stage_ops *stage;
    uint64_t stage_values[WS_STAGE_OPTIONS];
    const ws_atomic_ops *atomics;
    ws_atomic_split *split;             /* of atomics */
    ws_cache atomic_tags;               /* of the lines that they keep */
    const ws_shared_memory_ops *memory; /* shared memory */
    ws_shared_setup memory_setup;
    uint64_t memory_values[WS_SHARED_OPTIONS];
    bool section_on; /* of shared memory, in this launch */
    const ws_consistency_ops *consistency;
    uint64_t *scheduler_values, *file_values, *atomic_values;
    uint32_t ahead;       /* spare registers of an SM for warps that run ahead of their accesses; 0: no run-ahead */
    bool endless;         /* without the limit of its register file */
    bool places;          /* the L1 reports when an access has its place; the next one waits only for that */
    uint32_t reexecuted;  /* accesses that the scheduler may set aside in the load/store unit; 0: none */
    bool wants_values;    /* of registers and shared memory, for a component that depends on them */
    uint32_t file_cycles; /* of an idle register file, included in the machine's latencies; 0: not included */
    bool tells_updates;   /* requests to the L1 mark updates, with their operation */
    bool by_warp;         /* the L1 keeps a time for each warp: ws_atomic_buffer */
    ws_level cache[WS_SM_CACHES];
    uint32_t latency[WS_SM_CACHES]; /* of a hit */
    uint32_t line[WS_SM_CACHES];    /* bytes */
    size_t message_bytes;           /* of a ws_coherence_message with its carried words */
    ws_memory_checker *checker;     /* NULL: loads are not checked */
    /* Called for each access of global or local memory that the L1 took, in the order of the machine; may be NULL.
     * Needs one_at_a_time, with which an access begins after all others of the machine have ended. */
    void (*record)(void *context, uint32_t sm, const ws_request *request, uint64_t now);
    void *record_context;
    bool watch_loads; /* ws_sm_load_use */
    bool every_cycle; /* no cycle is skipped */
    bool one_at_a_time;
    /* Values of the launch: */
    const ws_launch *launch;
    uint32_t most_ctas;     /* of it that an SM holds at once */
    uint32_t cta_registers; /* that one of them takes */
    const ws_decoded *decoded;
    const uint16_t *wait_loop; /* by pc (ws_launch_wait_loops); NULL: no such loop */
    uint32_t registers;        /* of warps: the highest register number plus one */
    uint32_t banks;            /* of the register file */
    ws_source *source;
} ws_sm_shared;

int ws_sm_create(const ws_sm_shared *shared, uint32_t number, ws_sm **out);
void ws_sm_destroy(ws_sm *sm); /* accepts NULL */

/* Returns its table of used blocks; NULL: no tracking. */
struct ws_sharing_monitor *ws_sm_sharing(const ws_sm *sm);

/* For launches with wait_loop: returns the last cycle in which a warp did not wait in such a loop. */
uint64_t ws_sm_passed_at(const ws_sm *sm);

/* Warp in such a loop, and its last polled address; pc UINT32_MAX: none yet. ws_sm_wait() returns false for a slot
 * without one. */
typedef struct ws_sm_waiting_warp {
    uint64_t block, address;
    uint32_t pc;
} ws_sm_waiting_warp;
bool ws_sm_wait(const ws_sm *sm, uint32_t slot, ws_sm_waiting_warp *out);

/* Begins a launch on an empty SM; sizes the scoreboard for the registers of the launch. */
int ws_sm_begin_launch(ws_sm *sm);
/* Between launches: the L1, which is empty, changes its number of ways (ws_level_ops.sizes). */
void ws_sm_resized(ws_sm *sm);
/* At the end of a launch: drains the buffer of atomics; true once it is empty. */
bool ws_sm_drain(ws_sm *sm, uint64_t now);
/* After draining: invalidates all caches, writing dirty lines back. */
int ws_sm_flush(ws_sm *sm, uint64_t now);

/* Return the number of further CTAs of the launch that fit; the number of resident ones; their warps. */
uint32_t ws_sm_room(const ws_sm *sm);
uint32_t ws_sm_ctas(const ws_sm *sm);
uint32_t ws_sm_warps(const ws_sm *sm);
/* Makes CTA `cta` resident; there must be room. Its warps may issue from cycle `now`. */
int ws_sm_start_cta(ws_sm *sm, uint64_t cta, uint64_t now);

/* Return CTA `index` of the resident ones in slot order, UINT64_MAX past the last; take a CTA that ended since the last
 * call, UINT64_MAX if none is left. A reused slot forgets its CTA. */
uint64_t ws_sm_resident(const ws_sm *sm, uint32_t index);
uint64_t ws_sm_take_ended(ws_sm *sm);

/* Runs the cycles from .. until-1. */
int ws_sm_run(ws_sm *sm, uint64_t from, uint64_t until);

/* For machines with one access at a time: return whether the next access in the queue is of memory, and whether all
 * other accesses of the SM have been answered; permit it to go (until the next call). */
bool ws_sm_wants_turn(const ws_sm *sm);
bool ws_sm_is_quiet(const ws_sm *sm);
void ws_sm_give_turn(ws_sm *sm, bool turn);

/* Returns the first cycle in which the SM can act on its own; WS_NEVER: only a message can wake it. */
uint64_t ws_sm_next_time(const ws_sm *sm);

/* Messages that it sent, in order, with their cycles. ws_sm_take_sent removes the first ones. */
size_t ws_sm_sent(const ws_sm *sm);
const ws_coherence_message *ws_sm_sent_at(const ws_sm *sm, size_t index, uint64_t *cycle);
void ws_sm_take_sent(ws_sm *sm, size_t count);
/* Delivers a message that becomes visible in `cycle`; cycles must not decrease. WS_EMEM. */
/* Called before: passes shared data of slices that belong to the message to the L1; hub NULL: none. */
void ws_sm_bring(ws_sm *sm, const ws_coherence_message *message, const void *hub);
int ws_sm_deliver(ws_sm *sm, const ws_coherence_message *message, uint64_t cycle);

const ws_sm_counts *ws_sm_sum(const ws_sm *sm);
const ws_rank_counts *ws_sm_ranks(const ws_sm *sm);
/* Returns the outcome of the launch's loads by instruction; NULL without watch_loads. Not part of checkpoints. */
const ws_load_use *ws_sm_load_use(const ws_sm *sm);
/* The rows of activity.def that the SM counts itself: units and registers. */
const ws_activity *ws_sm_activity(const ws_sm *sm);
ws_race_counts ws_sm_races(const ws_sm *sm); /* all 0 if its L1 has no race detection */
ws_cache_counts ws_sm_cache_counts(const ws_sm *sm, unsigned cache);
/* Returns the outstanding reads of the data L1, each with an MSHR. */
uint32_t ws_sm_reads(const ws_sm *sm);
/* Returns the memory accesses without an answer, sent or refused. */
uint32_t ws_sm_waiting(const ws_sm *sm);

/* Reports line by line what each warp waits for. */
void ws_sm_explain(const ws_sm *sm, void (*say)(void *user, const char *line), void *user);

/* Checkpoints all mutable state and the position of each warp in the source, which must be repeatable. */
void ws_sm_save(const ws_sm *sm, ws_bytes *bytes);
int ws_sm_load(ws_sm *sm, ws_reader *reader);

#endif
