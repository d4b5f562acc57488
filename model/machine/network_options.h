/* network_options.h - which network carries a direction of a machine, with which options, and where SMs and slices are
 * on it.
 *
 * Whoever makes networks, models their power or their latency asks here. */
#ifndef WS_NETWORK_OPTIONS_H
#define WS_NETWORK_OPTIONS_H

#include "model/machine/machine_declared.h"
#include "base/option.h"

/* Requests are direction 0, replies 1: ws_direction. The row of networks.def. */
const struct ws_network_kind *ws_machine_network_kind(const ws_machine *machine, unsigned direction);

/* An option of it, `table` that of all networks or its own: what [reply] says of the answers', else [network] where
 * that is the same network, else the option's fallback. */
uint64_t ws_machine_network_option(const ws_machine *machine, unsigned direction, const ws_option *table,
                                   const char *name);

/* Nodes of the SMs, and of the slices, of one chip in its networks: sm[chip.sms], slice[memory.channels * l2.slices]. A
 * node for each slice and the SMs that share it; or SMs and slices spread over the nodes so that slices are as far
 * apart as can be, or slices behind SMs. */
void ws_machine_network_places(const ws_machine *machine, uint32_t *sm, uint32_t *slice);

#endif
