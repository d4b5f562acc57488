/* simulate_launches.c - see simulate_launches.h. */
#include "model/mechanism/simulate_launches.h"

#include "base/interrupt.h"
#include "base/status.h"
#include "model/machine/machine.h"
#include "model/sim/sim_activity.h"

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

int ws_simulate_launches(ws_trace *trace, const ws_machine *machine, const ws_sim_options *options, ws_simulated *ended,
                         void *context, ws_sim_sums *sums, ws_activity *did)
{
    ws_sim *sim = NULL;
    int status = ws_sim_create(machine, options, &sim);
    for (size_t i = 0; i < ws_trace_launches(trace) && !status; i++) {
        status = simulate_launch(trace, i, machine, sim);
        if (!status && ended)
            status = ended(context, sim, &ws_trace_get(trace, i)->launch);
    }
    if (!status && sums)
        ws_sim_sum(sim, sums);
    if (!status && did)
        ws_sim_activity(sim, did);
    ws_sim_destroy(sim);
    return status;
}

typedef struct follower {
    ws_coherence_replay *replay;
    int status;
} follower;

static void follow(void *context, uint32_t sm, const ws_request *access, uint64_t now)
{
    follower *const f = context;
    if (!f->status)
        f->status = ws_coherence_replay_request(f->replay, sm, access, now);
}

static int flush(void *context, const ws_sim *sim, const ws_launch *launch)
{
    const follower *const f = context;
    (void)launch;
    return ws_coherence_replay_flush(f->replay, ws_sim_now(sim));
}

static int create_replay(const ws_machine *machine, ws_coherence_replay **out)
{
    ws_coherence_config config;
    ws_message_sizes sizes = ws_message_default_sizes;
    sizes.block_bytes = machine->l2_line;
    const int status = ws_coherent_config(machine, false, &config);
    return status ? status : ws_coherence_replay_create(&config, &sizes, out);
}

int ws_simulate_in_order(ws_trace *trace, const ws_machine *machine, ws_sim_sums *simulated,
                         ws_coherence_traffic *replayed)
{
    follower f = {0};
    const ws_sim_options how = {.record = follow, .record_context = &f};
    int status = create_replay(machine, &f.replay);
    if (!status)
        status = ws_simulate_launches(trace, machine, &how, flush, &f, simulated, NULL);
    if (!status && f.status)
        status = f.status < 0 ? f.status : ws_fail(WS_EVERIFY, "the replay refuses an access that the simulator took");
    if (!status)
        ws_coherence_replay_sum(f.replay, replayed);
    ws_coherence_replay_destroy(f.replay);
    return status;
}
