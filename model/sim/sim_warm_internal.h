/* sim_warm_internal.h - see ws_sim_warm of sim.h. */
#ifndef WS_SIM_WARM_INTERNAL_H
#define WS_SIM_WARM_INTERNAL_H

#include "model/sim/memory_side.h"
#include "model/sim/source.h"

/* Sends what the launch accesses to the slices, with nothing inside. */
int sim_warm(ws_memory_side *side, const ws_machine *machine, ws_source *source);

#endif
