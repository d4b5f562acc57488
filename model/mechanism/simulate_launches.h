/* simulate_launches.h - the launches of a trace, simulated one after the other. */
#ifndef WS_SIMULATE_LAUNCHES_H
#define WS_SIMULATE_LAUNCHES_H

#include "model/mechanism/verify_simulate.h"

/* A simulation of all launches on the machine, and what it counted (sums: NULL, nobody asks); `ended` hears of the end
 * of each. As of ws_verify_simulate_each. */
int ws_simulate_launches(ws_trace *trace, const ws_machine *machine, const ws_sim_options *options,
                         ws_verify_ended *ended, void *context, ws_sim_sums *sums);

#endif
