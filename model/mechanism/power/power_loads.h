/* power_loads.h - workloads that were run, as loads of a server: power and throughput of each level by the model of
 * power. */
#ifndef WS_POWER_LOADS_H
#define WS_POWER_LOADS_H

#include "model/control/server.h"

/* Every workload of the results file that has profiles, on the machine (a name of data/configs or a path), at the core
 * clock, the network clock and the core voltage of each level of `control`. Power is that of the chip and its memory;
 * all of a chip has one supply in the model, so the network's voltage is not looked at. ipc: instructions of threads a
 * cycle at the nominal level. memory_share: from the times at the lowest and the highest level, of which the clock
 * shortens the rest. The caller frees *out with free(). What ws_power_from_profiles and ws_power_create return;
 * WS_ENOTFOUND when there is no profile. */
int ws_power_loads(const char *db, const char *machine, const ws_control *control, ws_load **out, size_t *count);

#endif
