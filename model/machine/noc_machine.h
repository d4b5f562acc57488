/* noc_machine.h - a machine's networks and messages, as the closed forms of model/noc want them. */
#ifndef WS_NOC_MACHINE_H
#define WS_NOC_MACHINE_H

#include "model/noc/noc.h"
#include "model/machine/machine_declared.h"

/* The network of a direction (0: requests, 1: replies), of one chip. */
ws_noc_shape ws_noc_machine_shape(const ws_machine *machine, unsigned direction);

/* Messages of one size between SMs and slices of a chip. */
typedef struct ws_noc_messages {
    uint32_t bytes;
    double rate; /* of all SMs together, a network cycle */
} ws_noc_messages;

/* Who sends and gets them. Weights need not add up to anything; NULL: all alike. */
typedef struct ws_noc_spread {
    const double *sm, *slice; /* [chip.sms], [memory.channels * l2.slices] */
} ws_noc_spread;

/* Flows of these: each SM exchanges messages with each slice by the product of their weights. What SMs exchange with
 * the slice of their own node passes no network; `network` is the share of messages that does. The caller frees *flow.
 * WS_EMEM; WS_EINPUT when all weights are 0. */
int ws_noc_machine_flows(const ws_machine *machine, unsigned direction, const ws_noc_messages *messages, size_t count,
                         const ws_noc_spread *spread, ws_noc_flow **flow, size_t *flows, double *network);

/* Bytes of what asks for a sector of L2, and of what brings it, without the fields of protocols. */
uint32_t ws_noc_machine_bytes(const ws_machine *machine, unsigned direction);

#endif
