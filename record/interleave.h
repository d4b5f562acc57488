/* interleave.h - runs launches with their warps in random order, a step at a time: does the result of a kernel depend
 * on which warp comes first? */
#ifndef WS_INTERLEAVE_H
#define WS_INTERLEAVE_H

#include "collect/simt/stepper.h"

enum { WS_INTERLEAVE_BLOCKS = 256 }; /* that run at the same time; of a cooperative launch all */

/* For ws_launch_simulator. context: a const uint64_t, the seed; launches of different numbers get different orders. */
int ws_interleave(void *context, ws_stepper *stepper, const ws_launch *launch);

#endif
