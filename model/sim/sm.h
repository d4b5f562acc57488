/* sm.h - a streaming multiprocessor: warps, schedulers, scoreboard, units, load/store unit, its caches.
 *
 * An SM runs a window of cycles by itself. What it sends and what it gets crosses the window's border in two queues of
 * messages with times, so SMs may run on different threads and the result is the same. All that changes is one piece of
 * plain memory (layout.h). */
#ifndef WS_SM_H
#define WS_SM_H

#include "base/bytes.h"
#include "model/activity.h"
#include "model/sim/atomic.h"
#include "model/sim/consistency.h"
#include "model/sim/decode.h"
#include "model/sim/memory_checker.h"
#include "model/sim/memory_level.h"
#include "model/sim/register_file.h"
#include "model/sim/scheduler.h"
#include "model/sim/source.h"

typedef struct ws_sm ws_sm;

enum { WS_SM_CTAS = 32 };

/* Which cache of an SM a message belongs to: ws_coherence_message.unit. */
enum { WS_SM_DATA, WS_SM_TEXTURE, WS_SM_CONSTANT, WS_SM_CACHES };
/* ... in its lower half; the upper one says which part of a line of L2 a read-only cache means. */
enum { WS_SM_UNIT_CACHE = 15, WS_SM_UNIT_PART = 4 };

/* What all SMs of a machine share; made once (ws_sm_shared_create), the launch's part for each launch. */
typedef struct ws_sm_shared {
    const ws_machine *machine;
    const ws_warp_scheduler_ops *scheduler;
    const ws_register_file_ops *file;
    const ws_atomic_ops *atomics;
    const ws_consistency_ops *consistency;
    uint64_t *scheduler_values, *file_values, *atomic_values;
    bool by_warp; /* the L1 keeps a time for each warp: ws_atomic_buffer */
    ws_level cache[WS_SM_CACHES];
    uint32_t latency[WS_SM_CACHES]; /* of a hit */
    uint32_t line[WS_SM_CACHES];    /* bytes */
    size_t message_bytes;           /* of a ws_coherence_message with the words that travel */
    ws_memory_checker *checker;              /* NULL: loads are not checked */
    /* Called with each access of global or local memory that the L1 took, in the order of the machine; NULL: not called.
     * Needs one_at_a_time, in which an access begins when all others of the machine have ended. */
    void (*record)(void *context, uint32_t sm, const ws_request *request, uint64_t now);
    void *record_context;
    bool every_cycle;               /* none is skipped */
    bool one_at_a_time;
    /* Of the launch: */
    const ws_launch *launch;
    const ws_decoded *decoded;
    uint32_t registers; /* that warps use: numbers below it */
    uint32_t banks;     /* of the register file */
    ws_source *source;
} ws_sm_shared;

/* What an SM counts: COUNT( name, unit, meaning ) in sm_counts.def. */
typedef struct ws_sm_counts {
#define COUNT(name, unit, meaning) uint64_t name;
#include "model/sim/sm_counts.def"
#undef COUNT
} ws_sm_counts;

int ws_sm_create(const ws_sm_shared *shared, uint32_t number, ws_sm **out);
void ws_sm_destroy(ws_sm *sm); /* accepts NULL */

/* A launch begins: the SM is empty. Its scoreboard is made for the registers of the launch. */
int ws_sm_begin_launch(ws_sm *sm);
/* At the end of a launch: what the buffer of atomics keeps leaves; true: there is nothing in it any more. */
bool ws_sm_drain(ws_sm *sm, uint64_t now);
/* All copies in its caches are given up, dirty ones sent: at the end of a launch, behind that. */
int ws_sm_flush(ws_sm *sm, uint64_t now);

/* How many more CTAs of the launch fit now, and how many are there. */
uint32_t ws_sm_room(const ws_sm *sm);
uint32_t ws_sm_ctas(const ws_sm *sm);
uint32_t ws_sm_warps(const ws_sm *sm);
/* CTA `cta` becomes resident; it has room. Its warps may issue from cycle `now` on. */
int ws_sm_start_cta(ws_sm *sm, uint64_t cta, uint64_t now);

/* Block `index` of those that are resident, in the order of slots; UINT64_MAX behind the last. And: takes one of those that
 * ended since this was asked last, UINT64_MAX: there is none left. A slot that is used again before forgets. */
uint64_t ws_sm_resident(const ws_sm *sm, uint32_t index);
uint64_t ws_sm_take_ended(ws_sm *sm);

/* Runs the cycles from .. until-1. */
int ws_sm_run(ws_sm *sm, uint64_t from, uint64_t until);

/* For machines that access memory one at a time: is the next access in the queue one of memory, and are all others of the
 * SM answered? May it go (until this is called again)? */
bool ws_sm_wants_turn(const ws_sm *sm);
bool ws_sm_is_quiet(const ws_sm *sm);
void ws_sm_give_turn(ws_sm *sm, bool turn);

/* The first cycle in which the SM can do something by itself; WS_NEVER: only a message can wake it. */
uint64_t ws_sm_next_time(const ws_sm *sm);

/* Messages that it sent, in order, with the cycle. ws_sm_sent_done takes them away. */
size_t ws_sm_sent(const ws_sm *sm);
const ws_coherence_message *ws_sm_sent_at(const ws_sm *sm, size_t index, uint64_t *cycle);
void ws_sm_take_sent(ws_sm *sm, size_t count);
/* A message for it, to be looked at from `cycle` on; in rising order. WS_EMEM. */
int ws_sm_deliver(ws_sm *sm, const ws_coherence_message *message, uint64_t cycle);

const ws_sm_counts *ws_sm_sum(const ws_sm *sm);
/* The rows that it keeps by itself: of units and registers. */
const ws_activity *ws_sm_activity(const ws_sm *sm);
ws_cache_counts ws_sm_cache_counts(const ws_sm *sm, unsigned cache);
/* Memory accesses that were sent or refused and have no answer. */
uint32_t ws_sm_waiting(const ws_sm *sm);

/* Says line by line which warps wait for what. */
void ws_sm_explain(const ws_sm *sm, void (*say)(void *user, const char *line), void *user);

/* A checkpoint: all that changes, and where its warps are in the source, which must be repeatable. */
void ws_sm_save(const ws_sm *sm, ws_bytes *bytes);
int ws_sm_load(ws_sm *sm, ws_reader *reader);

#endif
