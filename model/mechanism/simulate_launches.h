/* simulate_launches.h - traces through the simulator, for comparisons. */
#ifndef WS_SIMULATE_LAUNCHES_H
#define WS_SIMULATE_LAUNCHES_H

#include "collect/wst/wst.h"
#include "model/coherence/replay.h"
#include "model/sim/sim.h"

/* Sees the simulation at the end of a launch of the trace; what it fails with ends the run. */
typedef int ws_simulated(void *context, const ws_sim *sim, const ws_launch *launch);

/* Simulates all launches of a trace, one after the other, on the machine. `ended` sees each end, *sums is what the
 * simulation counted, *did what its parts did; each may be NULL. WS_EINTERRUPTED; else as ws_sim_create, ws_sim_begin
 * and ws_sim_run fail. */
int ws_simulate_launches(ws_trace *trace, const ws_machine *machine, const ws_sim_options *options, ws_simulated *ended,
                         void *context, ws_sim_sums *sums, ws_activity *did);

/* The same with one access at a time, and a functional replay that takes accesses in that order: what both counted.
 * WS_EVERIFY when it refuses one. */
int ws_simulate_in_order(ws_trace *trace, const ws_machine *machine, ws_sim_sums *simulated,
                         ws_coherence_traffic *replayed);

#endif
