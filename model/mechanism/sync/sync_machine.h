/* sync_machine.h - the times of a machine that closed forms of barriers and semaphores need
 * (model/mechanism/sync/sync_form.h). */
#ifndef WS_SYNC_MACHINE_H
#define WS_SYNC_MACHINE_H

#include "model/machine/machine_declared.h"
#include "model/mechanism/sync/sync_form.h"

/* The machine's SMs with all the blocks that they have room for. Turn, backoff and fence: the latencies of the two
 * additions and the branch that a turn of a loop is, the most turns that the workloads' barriers back off, options of
 * the machine. The rest is 0. */
ws_sync_shape ws_sync_shape_of(const ws_machine *machine);

/* Fills latency and service: what small kernels measure of atomics on the machine (`sim --microbench=atomics`). As
 * ws_microbench fails. */
int ws_sync_measure(const ws_machine *machine, ws_sync_shape *shape);

#endif
