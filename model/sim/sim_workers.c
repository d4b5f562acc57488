/* sim_workers.c - the threads that run the parts of a machine, window by window.
 *
 * They wait for `round` to change, then take parts (0 is the memory side, then SMs) until none is left. */
#include "model/sim/sim_internal.h"

#include "base/status.h"
#include "base/thread.h"

#include <sched.h>
#include <stdio.h>

enum { SPINS = 2000 };

static void note_failure(ws_sim *sim, int status)
{
    pthread_mutex_lock(&sim->lock);
    if (!atomic_load(&sim->status)) {
        atomic_store(&sim->status, status);
        snprintf(sim->message, sizeof sim->message, "%s", ws_message());
    }
    pthread_mutex_unlock(&sim->lock);
}

static void run_parts(ws_sim *sim)
{
    for (;;) {
        const uint32_t part = atomic_fetch_add_explicit(&sim->part, 1, memory_order_relaxed);
        if (part > sim->sms)
            return;
        const int status = part ? ws_sm_run(sim->sm[part - 1], sim->now, sim->until)
                                : ws_memory_side_run(sim->side, sim->now, sim->until);
        if (status)
            note_failure(sim, status);
    }
}

/* Waits a little actively, then lets others run. */
static void pause_for(unsigned *spins)
{
    if (++*spins > SPINS)
        sched_yield();
}

static void *work(void *context)
{
    sim_worker *const w = context;
    ws_sim *const sim = w->sim;
    uint64_t seen = 0;
    for (;;) {
        unsigned spins = 0;
        while (atomic_load_explicit(&sim->round, memory_order_acquire) == seen) {
            if (atomic_load(&sim->stop))
                return NULL;
            pause_for(&spins);
        }
        seen++;
        run_parts(sim);
        atomic_fetch_add_explicit(&sim->finished, 1, memory_order_release);
    }
}

void sim_workers_start(ws_sim *sim)
{
    const bool ordered = sim->options.check || sim->options.record || !sim->options.workers;
    const unsigned asked = ordered ? 1 : sim->options.workers;
    const unsigned wanted = asked < SIM_WORKERS_MOST ? asked : SIM_WORKERS_MOST;
    sim->workers = 1;
    while (sim->workers < wanted && sim->workers <= sim->sms) {
        sim_worker *const w = &sim->worker[sim->workers];
        w->sim = sim;
        if (ws_thread_start(&w->thread, work, w))
            break; /* fewer do it too */
        sim->workers++;
    }
}

void sim_workers_stop(ws_sim *sim)
{
    atomic_store(&sim->stop, true);
    for (unsigned i = 1; i < sim->workers; i++)
        pthread_join(sim->worker[i].thread, NULL);
    sim->workers = 1;
}

int sim_workers_run(ws_sim *sim, uint64_t until)
{
    sim->until = until;
    atomic_store_explicit(&sim->part, 0, memory_order_relaxed);
    atomic_store_explicit(&sim->finished, 0, memory_order_relaxed);
    const bool together = sim->workers > 1 && (!sim->shared.source || sim->shared.source->ops->parallel);
    if (together)
        atomic_fetch_add_explicit(&sim->round, 1, memory_order_release);
    run_parts(sim);
    unsigned spins = 0;
    while (together && atomic_load_explicit(&sim->finished, memory_order_acquire) < sim->workers - 1)
        pause_for(&spins);
    const int status = atomic_load(&sim->status);
    return status ? ws_fail(status, "%s", sim->message) : WS_OK;
}
