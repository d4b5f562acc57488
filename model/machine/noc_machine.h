/* noc_machine.h - a machine's networks and messages for the closed forms of model/noc. */
#ifndef WS_NOC_MACHINE_H
#define WS_NOC_MACHINE_H

#include "model/noc/noc.h"
#include "model/machine/machine_declared.h"

/* Returns the network of a direction (0: requests, 1: replies) of one chip. */
ws_noc_shape ws_noc_machine_shape(const ws_machine *machine, unsigned direction);

/* Messages of one size between SMs and slices of a chip. */
typedef struct ws_noc_messages {
    uint32_t bytes;
    double rate; /* of all SMs together, per network cycle */
} ws_noc_messages;

/* Distribution of senders and receivers. Weights need not be normalised; NULL: uniform. */
typedef struct ws_noc_spread {
    const double *sm, *slice; /* [chip.sms], [memory.channels * l2.slices] */
} ws_noc_spread;

/* Computes the flows of these messages: each SM exchanges messages with each slice in proportion to the product of
 * their weights. Messages between an SM and the slice of its node do not enter the network; *network is the share of
 * those that do. The caller frees *flow. WS_EMEM; WS_EINPUT if all weights are 0. */
int ws_noc_machine_flows(const ws_machine *machine, unsigned direction, const ws_noc_messages *messages, size_t count,
                         const ws_noc_spread *spread, ws_noc_flow **flow, size_t *flows, double *network);

/* Returns the bytes of a request for a sector of L2, and of its reply, without the fields of protocols. */
uint32_t ws_noc_machine_bytes(const ws_machine *machine, unsigned direction);

#endif
