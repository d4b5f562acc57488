/* network_options.h - which network carries a direction of a machine, with which options, and where SMs and slices are
 * on it. What follows from the options stands in ws_machine.shape. */
#ifndef WS_NETWORK_OPTIONS_H
#define WS_NETWORK_OPTIONS_H

#include "model/machine/machine_declared.h"
#include "model/machine/network_kind.h"

/* The network of a direction in a chip, from its options. WS_EINPUT. */
int ws_machine_network_plan(const ws_machine *machine, unsigned direction, ws_network_plan *out);

/* Nodes of the SMs, and of the slices, of one chip in its networks: sm[chip.sms], slice[memory.channels * l2.slices]. A
 * node for each slice and the SMs that share it; or SMs and slices spread over the nodes so that slices are as far
 * apart as can be, or slices behind SMs. */
void ws_machine_network_places(const ws_machine *machine, uint32_t *sm, uint32_t *slice);

#endif
