/* network_options.h - network of each direction of a machine, with its options and the nodes of SMs and slices. Derived
 * values are in ws_machine.shape. */
#ifndef WS_NETWORK_OPTIONS_H
#define WS_NETWORK_OPTIONS_H

#include "model/machine/machine_declared.h"
#include "model/machine/network_kind.h"

/* Makes the network of a direction in a chip, from its options. WS_EINPUT. */
int ws_machine_network_plan(const ws_machine *machine, unsigned direction, ws_network_plan *out);

/* Returns the nodes of one chip's SMs and slices in its networks: sm[chip.sms], slice[memory.channels * l2.slices]. The
 * layouts are: a node for each slice and the SMs that share it; SMs and slices spread over the nodes, with slices as
 * far apart as possible; slices after SMs. */
void ws_machine_network_places(const ws_machine *machine, uint32_t *sm, uint32_t *slice);

#endif
