/* verify_simulate.h - traces through the simulator, for comparisons. */
#ifndef WS_VERIFY_SIMULATE_H
#define WS_VERIFY_SIMULATE_H

#include "collect/wst/wst.h"
#include "model/coherence/replay.h"
#include "model/sim/sim.h"

/* All launches of a trace through a machine; `ended` hears of their ends, NULL: nothing does. WS_EINTERRUPTED. */
typedef int ws_verify_ended(void *context, const ws_sim *sim, const ws_launch *launch);
int ws_verify_simulate_each(ws_trace *trace, const ws_machine *machine, ws_sim *sim, ws_verify_ended *ended,
                            void *context);

/* A whole trace through the machine: what it counted; `with`: the simulation, before it is destroyed. Either may be
 * NULL. */
typedef int ws_verify_with(void *context, const ws_sim *sim);
int ws_verify_simulate(ws_trace *trace, const ws_machine *machine, const ws_sim_options *options, ws_sim_sums *sums,
                       ws_verify_with *with, void *context);

/* The same with one access at a time, and a functional replay that takes accesses in that order: what both counted.
 * WS_EVERIFY when it refuses one. */
int ws_verify_in_order(ws_trace *trace, const ws_machine *machine, ws_sim_sums *simulated,
                       ws_coherence_traffic *replayed);

#endif
