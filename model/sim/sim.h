/* sim.h - a whole simulated machine: SMs, and the memory side behind them, run launches cycle by cycle.
 *
 *     ws_sim_create(machine, &options, &sim);
 *     for each launch
 *         ws_sim_begin(sim, source);
 *         do ws_sim_run(sim, ws_sim_now(sim) + some cycles, &done); while (!done);
 *         ws_sim_sum(sim, &sums)
 *         ws_sim_end(sim)
 *
 * Caches keep their contents from launch to launch, but for L1s that the machine empties. The result does not depend on
 * the number of workers, nor on the cycles that a call runs. */
#ifndef WS_SIM_H
#define WS_SIM_H

#include "base/bytes.h"
#include "model/sim/cta_scheduler.h"
#include "model/sim/memory_side.h"
#include "model/sim/sm.h"
#include "model/sim/traffic.h"

typedef struct ws_sim ws_sim;

typedef struct ws_sim_options {
    unsigned workers;       /* threads, at most; 0 counts as 1 */
    bool check;             /* values travel, and every load is held against what the memory model allows; one thread */
    /* Accesses of memory begin when all others of the machine have ended, and are told in their order: what a functional
     * replay of the same order sends can be compared. Slow; one thread. NULL: as usual. */
    void (*record)(void *context, uint32_t sm, const ws_request *request, uint64_t now);
    void *record_context;
    /* For tests. What loads are held against; NULL: what the protocol promises. And: every part executes every cycle, which
     * takes long and changes nothing. */
    const ws_promise *rule;
    bool every_cycle;
    /* Policies that are in no table; NULL: those that the machine names. */
    const ws_cta_scheduler_ops *cta;
    const ws_register_file_ops *file;
    uint64_t stall_cycles;  /* no instruction issued for so long, though warps are there: a deadlock; 0: ten million */
    void (*say)(void *context, const char *line); /* who waits for whom, line by line, when there is one; may be NULL */
    void *context;
} ws_sim_options;

/* `machine` must outlive it. WS_EINPUT for a machine whose parts do not go together. */
int ws_sim_create(const ws_machine *machine, const ws_sim_options *options, ws_sim **out);
void ws_sim_destroy(ws_sim *sim); /* accepts NULL */

/* Slots that a source for this machine needs. */
uint32_t ws_sim_slots(const ws_machine *machine);

/* WS_EINPUT when not all blocks of the launch can be resident at the same time, with what is short. */
int ws_sim_check_together(const ws_machine *machine, const ws_launch *launch);

/* Between launches: what a launch that is not simulated leaves in the L2 slices, from its accesses of global memory, textures and
 * constants, block by block and without time. Only plain L2 slices
 * that keep lines of their own chip; other caches stay as they are. The source is used up. */
int ws_sim_warm(ws_sim *sim, ws_source *source);

/* A launch begins; the source is the caller's and stays until ws_sim_end. WS_EINPUT when a block does not fit an SM, with
 * what is short. WS_EVERIFY after a launch that failed or was given up: the machine is full of its requests, make another. */
int ws_sim_begin(ws_sim *sim, ws_source *source);
/* Runs to cycle `until` at most, a window more or less. *done: all blocks have ended and nothing is under way.
 * WS_EVERIFY: a deadlock, or a value that the memory model does not allow; the message says which. */
int ws_sim_run(ws_sim *sim, uint64_t until, bool *done);
/* After the last run of a launch, or to give it up. */
int ws_sim_end(ws_sim *sim);

uint64_t ws_sim_now(const ws_sim *sim);          /* core cycle */
uint64_t ws_sim_cycles(const ws_sim *sim);       /* from begin to end of launches, this one up to now */
uint64_t ws_sim_blocks_done(const ws_sim *sim);  /* of the launch */
uint64_t ws_sim_instructions(const ws_sim *sim); /* warp instructions since the sim was made */
uint64_t ws_sim_checked(const ws_sim *sim);      /* loads that were held against the memory model */
/* Of a word of a line, as far as stores and atomics are performed; 0 without check. */
uint32_t ws_sim_value(const ws_sim *sim, uint64_t block, unsigned word);

const ws_machine *ws_sim_machine(const ws_sim *sim);
const ws_memory_side *ws_sim_memory_side(const ws_sim *sim);
uint32_t ws_sim_sms(const ws_sim *sim);
const ws_sm *ws_sim_sm(const ws_sim *sim, uint32_t number);

/* Sums since the sim was made; what a launch did is the difference of two of them. */
typedef struct ws_sim_sums {
    uint64_t cycles; /* core cycles from begin to end of launches, this one up to now */
    ws_sm_counts sm;
    ws_cache_counts l1, texture, constant, l2, l3;
    uint64_t messages[WS_MESSAGE_COUNT], message_bytes[WS_MESSAGE_COUNT];
    uint64_t read_only_messages, read_only_bytes; /* of texture and constant caches */
    ws_network_totals request, reply;
    uint64_t request_stalls, reply_stalls;
    ws_dram_totals memory;
    uint64_t memory_cycles; /* cycles of all channels' clocks */
    uint64_t timestamp_resets;
    uint32_t greatest_timestamp; /* in the current epoch */
    ws_traffic_use request_use, reply_use;
} ws_sim_sums;
void ws_sim_sum(const ws_sim *sim, ws_sim_sums *sums);

/* A checkpoint between two runs of a launch: bytes to keep, and back into a sim of the same machine with ws_sim_begin done
 * for the same launch. Sources that are not repeatable, and --check, refuse. */
int ws_sim_save(const ws_sim *sim, ws_bytes *bytes);
int ws_sim_load(ws_sim *sim, ws_reader *reader);

#endif
