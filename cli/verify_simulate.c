/* verify_simulate.c - a trace through the simulator, for a comparison. */
#include "cli/cli.h"
#include "cli/verify.h"

enum { SLICE_CYCLES = 20000 };

static int simulate_launch(ws_trace *trace, size_t launch, const ws_machine *machine, ws_sim *sim)
{
    ws_source *source;
    bool done = false;
    int status = ws_source_of_trace(trace, launch, ws_sim_slots(machine), &source);
    if (status)
        return status;
    status = ws_sim_begin(sim, source);
    while (!status && !done) {
        status = ws_sim_run(sim, ws_sim_now(sim) + SLICE_CYCLES, &done);
        if (!status && ws_interrupted())
            status = ws_fail(WS_EINTERRUPTED, "interrupted");
    }
    const int ended = ws_sim_end(sim);
    source->ops->destroy(source);
    return status ? status : ended;
}

int ws_verify_simulate_each(ws_trace *trace, const ws_machine *machine, ws_sim *sim, ws_verify_ended *ended, void *context)
{
    int status = WS_OK;
    for (size_t i = 0; i < ws_trace_launches(trace) && !status; i++) {
        status = simulate_launch(trace, i, machine, sim);
        if (!status)
            status = ended(context, sim, &ws_trace_get(trace, i)->launch);
    }
    return status;
}

static int flush(void *context, const ws_sim *sim, const ws_launch *launch)
{
    (void)launch;
    return context ? ws_coherence_replay_flush(context, ws_sim_now(sim)) : WS_OK;
}

int ws_verify_simulate(ws_trace *trace, const ws_machine *machine, ws_sim *sim, ws_coherence_replay *replay)
{
    return ws_verify_simulate_each(trace, machine, sim, flush, replay);
}
