/* live_source.h - instructions for the simulator from the engine: a warp runs when its next instruction is asked for.
 *
 * So the order in which the simulator lets warps move decides what they find in memory, and which way they go. */
#ifndef WS_LIVE_SOURCE_H
#define WS_LIVE_SOURCE_H

#include "collect/simt/stepper.h"
#include "model/sim/sm/source.h"

/* The stepper must outlive the source. One thread; blocks cannot be started twice. After a failure of `next` the
 * message is the kernel's fault as ws_kernel_run words it. The caller frees it with ops->destroy. */
int ws_source_of_stepper(ws_stepper *stepper, uint32_t slots, ws_source **out);

#endif
