/* sim.h - a whole simulated machine: SMs, and the memory side behind them, run launches cycle by cycle.
 *
 *     ws_sim_create(machine, &options, &sim);
 *     for each launch
 *         ws_sim_begin(sim, source);
 *         do ws_sim_run(sim, ws_sim_now(sim) + some cycles, &done); while (!done);
 *         ws_sim_sum(sim, &sums)
 *         ws_sim_end(sim)
 *
 * Caches keep their contents from one launch to the next, except L1s that the machine is set to flush. Results depend
 * neither on the number of workers nor on how many cycles a call runs. */
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
    unsigned workers; /* threads at most; 0 means 1 */
    bool check;       /* data travel with messages, and every load is checked against the memory model; one thread */
    /* Serialises memory accesses (each begins after all others of the machine have ended) and calls this for each of
     * them, so that a functional replay in the same order can be compared. Slow; one thread. NULL: off. */
    void (*record)(void *context, uint32_t sm, const ws_request *request, uint64_t now);
    void *record_context;
    bool watch_loads; /* ws_sim_load_use */
    /* For tests: the promise that loads are checked against (NULL: that of the protocol), and whether every component
     * executes every cycle, which is slow and changes no result. */
    const ws_promise *rule;
    bool every_cycle;
    /* A policy from outside the table; NULL: the one that the machine names. */
    const ws_cta_scheduler_ops *cta;
    /* What launches use on which chip, for package.coherence = cpcoh, by the launch's number; NULL, or a launch that is
     * not there: nobody knows. */
    const ws_chiplet_kernels *arguments;
    /* Hears which CTA starts on which SM, and how many of the launch have ended by then; NULL: nobody listens. */
    void (*placed)(void *context, uint64_t cta, uint32_t sm, uint64_t ended);
    void *placed_context;
    uint64_t stall_cycles; /* resident warps that issue nothing for this long are a deadlock; 0: ten million */
    uint64_t wait_cycles;  /* while they run, no warp does anything but wait in a loop for others for this long: a
                              livelock; 0: that is none */
    /* On a deadlock or a livelock, reports who waits for whom, line by line; may be NULL. */
    void (*say)(void *context, const char *line);
    void *context;
} ws_sim_options;

/* `machine` must outlive it. WS_EINPUT for a machine whose options contradict each other. */
int ws_sim_create(const ws_machine *machine, const ws_sim_options *options, ws_sim **out);
void ws_sim_destroy(ws_sim *sim); /* accepts NULL */

/* The option of the machine because of which launches need values, "registers.file"; NULL: none does. */
const char *ws_sim_looks_at_values(const ws_machine *machine);

/* Slots that a source for this machine needs. */
uint32_t ws_sim_slots(const ws_machine *machine);

/* Between launches: replays the global, texture and constant accesses of a launch that is not simulated, CTA by CTA and
 * without timing, so that the L2 slices hold what it would have left there. Affects plain L2 slices that cache lines of
 * their own chip only; other caches stay as they are. Consumes the source. */
int ws_sim_warm(ws_sim *sim, ws_source *source);

/* Begins a launch. The source belongs to the caller and must live until ws_sim_end. WS_EINPUT, naming the resource that
 * runs out, when a CTA does not fit on an SM. WS_EVERIFY after a launch that failed or was abandoned: its requests are
 * still in the machine, so create another one. */
int ws_sim_begin(ws_sim *sim, ws_source *source);
/* Runs until cycle `until`, give or take one window. *done: all CTAs have ended and nothing is in flight.
 * WS_EVERIFY: a deadlock, or a value that the memory model forbids; the message says which. */
int ws_sim_run(ws_sim *sim, uint64_t until, bool *done);
/* No further CTA of the launch starts; it is done when those that have started have ended. */
void ws_sim_stop(ws_sim *sim);
uint64_t ws_sim_given(const ws_sim *sim); /* CTAs of the launch that have started */
/* After the last run of a launch, or to abandon it. */
int ws_sim_end(ws_sim *sim);
/* After ws_sim_end of a launch that was stopped, with a source of the same launch: counts the warp instructions of the
 * CTAs that did not start, and does with their accesses what ws_sim_warm does. Consumes the source. */
int ws_sim_warm_rest(ws_sim *sim, ws_source *source, uint64_t *instructions);

uint64_t ws_sim_now(const ws_sim *sim);          /* core cycle */
uint64_t ws_sim_cycles(const ws_sim *sim);       /* from begin to end of launches, this one up to now */
uint64_t ws_sim_ctas_done(const ws_sim *sim);    /* of the launch */
uint64_t ws_sim_instructions(const ws_sim *sim); /* warp instructions since the sim was made */
uint64_t ws_sim_checked(const ws_sim *sim);      /* loads that were held against the memory model */
/* The value of a word of a line, counting performed stores and atomics; 0 without `check`. */
uint32_t ws_sim_value(const ws_sim *sim, uint64_t block, unsigned word);

const ws_machine *ws_sim_machine(const ws_sim *sim);
const ws_memory_side *ws_sim_memory_side(const ws_sim *sim);
uint32_t ws_sim_sms(const ws_sim *sim);
const ws_sm *ws_sim_sm(const ws_sim *sim, uint32_t number);

/* With watch_loads: what became of the load at that instruction of the launch, until the next one begins; zeros where
 * there is none. */
ws_load_use ws_sim_load_use(const ws_sim *sim, uint32_t pc);

/* Totals since the sim was created; the difference of two of them is what a launch did. */
typedef struct ws_sim_sums {
    uint64_t cycles; /* core cycles from begin to end of launches, this one up to now */
    ws_sm_counts sm;
    ws_rank_counts ranks;
    ws_cache_counts l1, texture, constant, l2, l3;
    uint64_t messages[WS_MESSAGE_COUNT], message_bytes[WS_MESSAGE_COUNT];
    uint64_t read_only_messages, read_only_bytes; /* of texture and constant caches */
    ws_network_totals request, reply;
    uint64_t request_stalls, reply_stalls;
    ws_dram_totals memory;
    uint64_t memory_cycles;    /* cycles of all channels' clocks */
    ws_sharing_counts sharing; /* of launches that are over; all 0 where nothing is followed */
    uint64_t timestamp_resets;
    uint32_t greatest_timestamp; /* in the current epoch */
    uint32_t lease_least,
        lease_most;            /* over L2 slices, of the leases that they would give next; 0: none are physical */
    ws_race_counts races;      /* of L1s and of the detector */
    ws_package_counts package; /* of L2s that keep lines of other chips */
    ws_traffic_use request_use, reply_use;
} ws_sim_sums;
void ws_sim_sum(const ws_sim *sim, ws_sim_sums *sums);

/* Checkpoints between two runs of a launch: save, and load into a sim of the same machine on which ws_sim_begin was
 * called for the same launch. Fails with a source that is not repeatable, and with `check`. */
int ws_sim_save(const ws_sim *sim, ws_bytes *bytes);
int ws_sim_load(ws_sim *sim, ws_reader *reader);

#endif
