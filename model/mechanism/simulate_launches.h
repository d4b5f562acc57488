/* simulate_launches.h - simulation of traces, for comparisons. */
#ifndef WS_SIMULATE_LAUNCHES_H
#define WS_SIMULATE_LAUNCHES_H

#include "collect/wst/wst.h"
#include "model/coherence/replay.h"
#include "model/sim/sim.h"

/* Called at the end of a launch of the trace; a failure ends the run. */
typedef int ws_simulated(void *context, const ws_sim *sim, const ws_launch *launch);

/* Simulates all launches of a trace, one after the other, on the machine. `ended` is called at each end; *sums are the
 * counts of the simulation, *did its activity; each may be NULL. WS_EINTERRUPTED; otherwise fails as ws_sim_create,
 * ws_sim_begin and ws_sim_run. */
int ws_simulate_launches(ws_trace *trace, const ws_machine *machine, const ws_sim_options *options, ws_simulated *ended,
                         void *context, ws_sim_sums *sums, ws_activity *did);

/* Simulates with one access at a time, and replays the accesses functionally in that order. WS_EVERIFY if the replay
 * refuses one. */
int ws_simulate_in_order(ws_trace *trace, const ws_machine *machine, ws_sim_sums *simulated,
                         ws_coherence_traffic *replayed);

#endif
