/* sim.h - simulated machine: SMs and the memory side run launches cycle by cycle.
 *
 *     ws_sim_create(machine, &options, &sim);
 *     for each launch
 *         ws_sim_begin(sim, source);
 *         do ws_sim_run(sim, ws_sim_now(sim) + some cycles, &done); while (!done);
 *         ws_sim_sum(sim, &sums)
 *         ws_sim_end(sim)
 *
 * Caches keep their contents between launches, except L1s that the machine flushes. Results depend neither on the
 * number of workers nor on the cycles per call. */
#ifndef WS_SIM_H
#define WS_SIM_H

#include "base/bytes.h"
#include "model/placement/cta_scheduler.h"
#include "model/sim/memory/memory_side.h"
#include "model/sim/sm/sharing_monitor.h"
#include "model/sim/sm/sm.h"
#include "model/sim/network/traffic.h"

typedef struct ws_sim ws_sim;

typedef struct ws_sim_options {
    unsigned workers; /* most threads; 0 means 1 */
    bool check;       /* messages carry data, and every load is checked against the memory model; one thread */
    /* Serialises memory accesses (each begins after all others of the machine have ended) and is called for each of
     * them, for comparison with a functional replay in the same order. Slow; one thread. NULL: off. */
    void (*record)(void *context, uint32_t sm, const ws_request *request, uint64_t now);
    void *record_context;
    bool watch_loads; /* ws_sim_load_use */
    /* For tests: the promise that loads are checked against (NULL: that of the protocol); and execution of every cycle
     * of every component, which is slow and does not affect results. */
    const ws_promise *rule;
    bool every_cycle;
    /* Policy outside the table; NULL: the machine's. */
    const ws_cta_scheduler_ops *cta;
    /* Data that launches use on each chip, for package.coherence = cpcoh, by the launch's number. NULL, or an absent
     * launch: unknown. */
    const ws_chiplet_kernels *arguments;
    /* Called for each CTA that starts on an SM, with the number of ended CTAs of the launch. May be NULL. */
    void (*placed)(void *context, uint64_t cta, uint32_t sm, uint64_t ended);
    void *placed_context;
    uint64_t stall_cycles; /* limit of cycles in which resident warps issue nothing: a deadlock; 0: ten million */
    uint64_t wait_cycles;  /* cycles in which all running warps wait in loops for others: a livelock; 0: no check */
    /* Called for each line of the report of a deadlock or livelock; may be NULL. */
    void (*say)(void *context, const char *line);
    void *context;
} ws_sim_options;

/* Creates a simulation; `machine` must outlive it. WS_EINPUT for inconsistent options of the machine. */
int ws_sim_create(const ws_machine *machine, const ws_sim_options *options, ws_sim **out);
void ws_sim_destroy(ws_sim *sim); /* accepts NULL */

/* Returns the option of the machine that needs values of launches, "registers.file"; NULL: none. */
const char *ws_sim_looks_at_values(const ws_machine *machine);

/* Returns the slots that a source for this machine needs. */
uint32_t ws_sim_slots(const ws_machine *machine);

/* Between launches: replays the global, texture and constant accesses of a launch that is not simulated, CTA by CTA and
 * without timing, for its effect on the L2 slices. Affects only plain L2 slices that cache lines of their own chip.
 * Consumes the source. */
int ws_sim_warm(ws_sim *sim, ws_source *source);

/* Begins a launch. The source belongs to the caller and must live until ws_sim_end. WS_EINPUT, naming the exhausted
 * resource, if a CTA does not fit on an SM. WS_EVERIFY after a launch that failed or was abandoned: its requests are
 * still in the machine, so create another one. */
int ws_sim_begin(ws_sim *sim, ws_source *source);
/* Runs to cycle `until`, within a window. *done: all CTAs have ended and nothing is in flight. WS_EVERIFY: a deadlock,
 * or a value that the memory model forbids; the message has the details. */
int ws_sim_run(ws_sim *sim, uint64_t until, bool *done);
/* Starts no further CTA of the launch, which is done when the started ones have ended. */
void ws_sim_stop(ws_sim *sim);
uint64_t ws_sim_given(const ws_sim *sim); /* started CTAs of the launch */
/* Ends a launch after its last run, or abandons it. */
int ws_sim_end(ws_sim *sim);
/* After ws_sim_end of a stopped launch, with a source of the same launch: counts the warp instructions of the CTAs that
 * did not start, and replays their accesses as ws_sim_warm. Consumes the source. */
int ws_sim_warm_rest(ws_sim *sim, ws_source *source, uint64_t *instructions);

uint64_t ws_sim_now(const ws_sim *sim);       /* core cycle */
uint64_t ws_sim_cycles(const ws_sim *sim);    /* core cycles from begin to end of launches, including the current one */
uint64_t ws_sim_ctas_done(const ws_sim *sim); /* of the launch */
uint64_t ws_sim_instructions(const ws_sim *sim); /* warp instructions since creation */
uint64_t ws_sim_checked(const ws_sim *sim);      /* loads checked against the memory model */
/* Returns the value of a word of a line after performed stores and atomics; 0 without `check`. */
uint32_t ws_sim_value(const ws_sim *sim, uint64_t block, unsigned word);

const ws_machine *ws_sim_machine(const ws_sim *sim);
const ws_memory_side *ws_sim_memory_side(const ws_sim *sim);
uint32_t ws_sim_sms(const ws_sim *sim);
const ws_sm *ws_sim_sm(const ws_sim *sim, uint32_t number);

/* With watch_loads: returns the outcome of the load at that instruction of the launch, until the next one begins; zeros
 * for others. */
ws_load_use ws_sim_load_use(const ws_sim *sim, uint32_t pc);

/* Totals since the sim was created; a difference gives a launch. */
typedef struct ws_sim_sums {
    uint64_t cycles; /* core cycles from begin to end of launches, including the current one */
    ws_sm_counts sm;
    ws_rank_counts ranks;
    ws_cache_counts l1, texture, constant, l2, l3;
    uint64_t messages[WS_MESSAGE_COUNT], message_bytes[WS_MESSAGE_COUNT];
    uint64_t read_only_messages, read_only_bytes; /* of texture and constant caches */
    ws_network_totals request, reply;
    uint64_t request_stalls, reply_stalls;
    ws_dram_totals memory;
    uint64_t memory_cycles;    /* cycles of all channels' clocks */
    ws_sharing_counts sharing; /* of completed launches; all 0 without tracking */
    uint64_t timestamp_resets;
    uint32_t greatest_timestamp;      /* in the current epoch */
    uint32_t lease_least, lease_most; /* over L2 slices, of their next leases; 0: not physical */
    ws_race_counts races;             /* of L1s and of the detector */
    ws_package_counts package;        /* of L2s that keep lines of other chips */
    ws_traffic_use request_use, reply_use;
} ws_sim_sums;
void ws_sim_sum(const ws_sim *sim, ws_sim_sums *sums);

/* Checkpoints between two runs of a launch: save; load into a sim of the same machine, after ws_sim_begin for the same
 * launch. Fails with a source that is not repeatable, and with `check`. */
int ws_sim_save(const ws_sim *sim, ws_bytes *bytes);
int ws_sim_load(ws_sim *sim, ws_reader *reader);

#endif
