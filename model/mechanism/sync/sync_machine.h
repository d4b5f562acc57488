/* sync_machine.h - times of a machine for closed forms of barriers and semaphores (model/mechanism/sync/sync_form.h).
 */
#ifndef WS_SYNC_MACHINE_H
#define WS_SYNC_MACHINE_H

#include "model/machine/machine_declared.h"
#include "model/mechanism/sync/sync_form.h"

/* Returns the machine's SMs filled with blocks. Turn: the latencies of the two additions and the branch of a loop turn.
 * Backoff: the most back-off turns of the workloads' barriers. Fence: from options of the machine. The rest is 0. */
ws_sync_shape ws_sync_shape_of(const ws_machine *machine);

/* Fills latency and service, as small atomic kernels measure them on the machine (`sim --microbench=atomics`). Fails as
 * ws_microbench. */
int ws_sync_measure(const ws_machine *machine, ws_sync_shape *shape);

#endif
