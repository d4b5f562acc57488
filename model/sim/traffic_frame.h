/* traffic_frame.h - frame of network traffic by node, kind, direction and time. */
#ifndef WS_TRAFFIC_FRAME_H
#define WS_TRAFFIC_FRAME_H

#include "base/frame.h"
#include "model/sim/sim.h"

/* Makes a frame of the traffic of both networks since the creation of the machine. Labels: workload, launch (as given),
 * node (sm3, l2_0; chip1: sent to other chips), kind (all, and those of the .def file), direction (request: from SMs to
 * L2; reply: back). Columns: frame, begin, cycles, bytes, bytes_per_cycle, all in network cycles. Kind "all" has a row
 * for each node, direction and frame; others only if there were bytes. The caller frees it with ws_frame_destroy.
 * WS_EMEM. */
int ws_traffic_frame(const ws_sim *sim, const char *workload, const char *launch, ws_frame **out);

#endif
