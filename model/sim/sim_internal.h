/* sim_internal.h - what a simulated machine is made of: sim.c runs it, sim_make.c makes it, sim_launch.c begins and
 * ends launches, sim_workers.c has its threads, sim_sums.c says what it did, sim_state.c keeps checkpoints. */
#ifndef WS_SIM_INTERNAL_H
#define WS_SIM_INTERNAL_H

#include "model/sim/sim.h"

#include <pthread.h>
#include <stdatomic.h>

enum { SIM_WORKERS_MOST = 64, SIM_SAMPLE_CYCLES = 4096 };

/* At the end of a launch: what has been emptied. */
enum { FLUSHED_NOTHING, FLUSHED_L1, FLUSHED_ALL };
/* At its begin: may its blocks start? */
enum { SETTLED, UNSETTLED, SETTLING };

typedef struct sim_worker {
    struct ws_sim *sim;
    pthread_t thread;
} sim_worker;

struct ws_sim {
    const ws_machine *machine; /* the caller's */
    ws_sim_options options;
    ws_sm_shared shared;
    const ws_atomic_kind *atomics; /* what the machine's rule comes to */
    ws_level l2, l3;
    ws_memory_checker *checker; /* NULL: values do not travel */
    ws_memory_side *side;
    ws_sm **sm; /* [sms] */
    uint32_t sms;
    const ws_cta_scheduler_ops *cta;
    ws_cta_scheduler scheduler;
    uint64_t *cta_values;
    ws_cta_sm *about;             /* [sms] SMs, for it */
    ws_sharing_monitor **monitor; /* [sms] those of the SMs; NULL: there are none */
    /* Of the launch: */
    ws_decoded *decoded; /* [instrs] */
    uint16_t *wait_loop; /* NULL: no warp waits in a loop */
    uint32_t l1_ways;    /* 0: as they were made */
    /* What changes: */
    ws_cta_set left; /* CTAs that have not started */
    uint64_t now, given, began, cycles, progress_at, progress_count;
    uint64_t look_at;       /* when to look whether warps only wait */
    uint64_t next_block;    /* no block starts before this cycle */
    uint32_t settling;      /* SETTLED once the launch's blocks may start */
    uint64_t settle_cycles; /* ... so long after all is written back that has to be */
    uint32_t turn;          /* SM that may access memory, where they do so one at a time */
    uint32_t flushed;
    ws_sharing_counts sharing;
    ws_cta_spread spread;
    uint64_t sample_at, samples; /* of what L1s hold: the next one, and how many the launch has had */
    bool running;
    bool collected; /* the launch is in `sharing` */
    bool stopped;   /* no further CTA of the launch is given out */
    bool spent;     /* a launch did not end: what is inside would go on in the next one */
    /* Threads: they wait for `round` to change, take parts (0 is the memory side, then SMs) until none is left. */
    sim_worker worker[SIM_WORKERS_MOST];
    unsigned workers; /* with the caller's, which has no row */
    _Atomic uint64_t round;
    _Atomic uint32_t part, finished;
    _Atomic bool stop;
    uint64_t until;     /* of the window */
    _Atomic int status; /* of the part that failed first, with its message */
    char message[1024];
    pthread_mutex_t lock; /* of these two */
};

/* As many threads as the options ask for and the machine has use for, or fewer if there are no more; 1 where order
 * matters. */
void sim_workers_start(ws_sim *sim);
void sim_workers_stop(ws_sim *sim);
/* All parts from cycle now up to `until`. What the first of them that failed returns, with its message. */
int sim_workers_run(ws_sim *sim, uint64_t until);

#endif
