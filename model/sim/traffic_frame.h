/* traffic_frame.h - what did the networks carry: from which node, of what kind, which way, and when? */
#ifndef WS_TRAFFIC_FRAME_H
#define WS_TRAFFIC_FRAME_H

#include "base/frame.h"
#include "model/sim/sim.h"

/* What both networks carried since the machine was made, as a frame: labels workload, launch (as given), node (sm3,
 * l2_0; chip1: what it sent to other chips), kind (all, then those of the .def file), direction (request: from SMs to
 * L2; reply: back); columns frame, begin, cycles, bytes, bytes_per_cycle, all in network cycles. Of kind "all" there is
 * a row for each node, direction and frame, of others where there were bytes. The caller frees it with
 * ws_frame_destroy. WS_EMEM. */
int ws_traffic_frame(const ws_sim *sim, const char *workload, const char *launch, ws_frame **out);

#endif
