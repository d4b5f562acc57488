/* sim_internal.h - components of a simulated machine. sim.c runs it, sim_make.c makes it, sim_launch.c begins and ends
 * launches, sim_workers.c has its threads, sim_sums.c its counts, sim_state.c its checkpoints. */
#ifndef WS_SIM_INTERNAL_H
#define WS_SIM_INTERNAL_H

#include "model/sim/sim.h"

#include <pthread.h>
#include <stdatomic.h>

enum { SIM_WORKERS_MOST = 64, SIM_SAMPLE_CYCLES = 4096 };

/* Progress of the flush at the end of a launch. */
enum { FLUSHED_NOTHING, FLUSHED_L1, FLUSHED_ALL };
/* Readiness of blocks at its begin. */
enum { SETTLED, UNSETTLED, SETTLING };

typedef struct sim_worker {
    struct ws_sim *sim;
    pthread_t thread;
} sim_worker;

struct ws_sim {
    const ws_machine *machine; /* the caller's */
    ws_sim_options options;
    ws_sm_shared shared;
    const ws_atomic_kind *atomics; /* the rule after its options are applied */
    ws_level l2, l3;
    ws_memory_checker *checker; /* NULL: values are not simulated */
    ws_memory_side *side;
    ws_sm **sm; /* [sms] */
    uint32_t sms;
    const ws_cta_scheduler_ops *cta;
    ws_cta_scheduler scheduler;
    uint64_t *cta_values;
    ws_cta_sm *about;             /* [sms] SMs, for the scheduler */
    ws_sharing_monitor **monitor; /* [sms] those of the SMs; NULL: none */
    /* State of the launch: */
    ws_decoded *decoded; /* [instrs] */
    uint16_t *wait_loop; /* NULL: no loop of waiting warps */
    uint32_t l1_ways;    /* 0: the ways at creation */
    /* Mutable state: */
    ws_cta_set left; /* CTAs that have not started */
    uint64_t now, given, began, cycles, progress_at, progress_count;
    uint64_t look_at;       /* next check whether warps only wait */
    uint64_t next_block;    /* no block starts before this cycle */
    uint32_t settling;      /* SETTLED once the launch's blocks may start */
    uint64_t settle_cycles; /* additional delay after all write-backs */
    uint32_t turn;          /* SM with the turn to access memory, in serial mode */
    uint32_t flushed;
    ws_sharing_counts sharing;
    ws_cta_spread spread;
    uint64_t sample_at, samples; /* of L1 contents: time of the next, number in the launch */
    bool running;
    bool collected; /* the launch is included in `sharing` */
    bool stopped;   /* no further CTA of the launch starts */
    bool spent;     /* a launch did not end: its requests would continue in the next one */
    /* Threads wait for a change of `round`, then take parts (0 is the memory side, then SMs) until none is left. */
    sim_worker worker[SIM_WORKERS_MOST];
    unsigned workers; /* including the caller's, which has no row */
    _Atomic uint64_t round;
    _Atomic uint32_t part, finished;
    _Atomic bool stop;
    uint64_t until;     /* end of the window */
    _Atomic int status; /* of the first failed part, with its message */
    char message[1024];
    pthread_mutex_t lock; /* of status and message */
};

/* Starts at most as many threads as the options ask for and the machine can use, or fewer if creation fails; 1 if order
 * matters. */
void sim_workers_start(ws_sim *sim);
void sim_workers_stop(ws_sim *sim);
/* Runs all parts from the current cycle to `until`. Returns the failure of the first failed part, with its message. */
int sim_workers_run(ws_sim *sim, uint64_t until);

#endif
