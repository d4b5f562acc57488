/* verify_simulate.c - a trace through the simulator, for a comparison. */
#include "cli/cli.h"
#include "cli/verify.h"

enum { SLICE_CYCLES = 20000 };

int ws_verify_simulate(ws_trace *trace, const ws_machine *machine, ws_sim *sim, ws_coherence_replay *replay)
{
    int status = WS_OK;
    for (size_t i = 0; i < ws_trace_launches(trace) && !status; i++) {
        ws_source *source;
        bool done = false;
        status = ws_source_of_trace(trace, i, ws_sim_slots(machine), &source);
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
        status = status ? status : ended;
        if (!status && replay)
            status = ws_coherence_replay_flush(replay, ws_sim_now(sim));
    }
    return status;
}
