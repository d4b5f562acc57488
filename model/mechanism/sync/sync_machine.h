/* sync_machine.h - the times of a machine that closed forms of barriers and semaphores need
 * (model/mechanism/sync/sync_form.h). */
#ifndef WS_SYNC_MACHINE_H
#define WS_SYNC_MACHINE_H

#include "model/machine/machine_declared.h"
#include "model/mechanism/sync/sync_form.h"

/* Fills latency, service, turn and backoff: what small kernels measure of atomics on the machine (`sim
 * --microbench=atomics`), the latencies of the two additions and the branch that a turn of a loop is, and the most
 * turns that the workloads' barriers back off. As ws_microbench fails. */
int ws_sync_measure(const ws_machine *machine, ws_sync_shape *shape);

#endif
