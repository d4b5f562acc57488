/* sim_warm_internal.h - implementation of ws_sim_warm of sim.h. */
#ifndef WS_SIM_WARM_INTERNAL_H
#define WS_SIM_WARM_INTERNAL_H

#include "model/placement/cta_set.h"
#include "model/sim/memory/memory_side.h"
#include "model/sim/sm/source.h"

/* Walks CTAs of the launch, those of the set or all: sends their accesses to the slices, which must be idle, and counts
 * warp instructions. Without a memory side it only counts. */
int sim_warm(ws_memory_side *side, const ws_machine *machine, ws_source *source, const ws_cta_set *only,
             uint64_t *instructions);

#endif
