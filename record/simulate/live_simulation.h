/* live_simulation.h - runs launches on a simulated machine while the engine executes them.
 *
 * The machine says when a warp gets its next instruction; the engine executes it then. So the simulated order decides
 * what a load finds, who gets a lock, and how often somebody spins. */
#ifndef WS_LIVE_SIMULATION_H
#define WS_LIVE_SIMULATION_H

#include "record/simulate/simulation.h"
#include "collect/simt/stepper.h"

typedef struct ws_live_simulation {
    ws_simulation *simulation; /* takes a row for each launch */
    const char *workload;      /* label of the rows */
} ws_live_simulation;

/* For ws_launch_simulator; context is a const ws_live_simulation. WS_EINPUT when the launch does not fit the machine;
 * of a cooperative one all blocks have to, at the same time. */
int ws_live_simulate(void *context, ws_stepper *stepper, const ws_launch *launch);
/* The same for .wants: launches that the simulation's list has. */
bool ws_live_wants(void *context, uint64_t sequence);

#endif
