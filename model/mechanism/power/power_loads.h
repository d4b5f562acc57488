/* power_loads.h - measured workloads as loads of a server: power and throughput of each level by the power model. */
#ifndef WS_POWER_LOADS_H
#define WS_POWER_LOADS_H

#include "model/control/server.h"

/* Makes a load of every workload of the results file with profiles, on the machine (a name of data/configs or a path),
 * at the core clock, the network clock and the core voltage of each level of `control`. Power is that of the chip and
 * its memory; a chip has one supply in the model, so the network's voltage is ignored. ipc: thread instructions per
 * cycle at the nominal level. memory_share: from the times at the lowest and the highest level; the clock scales the
 * rest. The caller frees *out with free(). Fails as ws_power_from_profiles and ws_power_create; WS_ENOTFOUND without a
 * profile. */
int ws_power_loads(const char *db, const char *machine, const ws_control *control, ws_load **out, size_t *count);

#endif
