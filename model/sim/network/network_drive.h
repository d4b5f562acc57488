/* network_drive.h - an open-loop load for a network: sources create packets at random and wait for none.
 *
 * Dally and Towles, Principles and Practices of Interconnection Networks (2004), chapter 23: queues at the sources are
 * endless, latency counts from the creation of a packet; after a warm-up, packets created during the measurement are
 * marked, and the run goes on, under load, until they have all arrived or it is given up. Nodes take what is delivered
 * at once. */
#ifndef WS_NETWORK_DRIVE_H
#define WS_NETWORK_DRIVE_H

#include "model/sim/network/network.h"

/* Packets of one size from a node to a node. */
typedef struct ws_network_flow {
    uint32_t from, to, bytes;
    double rate; /* packets a cycle */
} ws_network_flow;

typedef struct ws_network_load_plan {
    const ws_network_flow *flow;
    size_t flows;
    double batch; /* packets that a source creates at a time: 1, or a geometric number with that mean */
    uint64_t warm_up, measure, give_up; /* cycles: before, while packets are marked, in all */
    uint64_t seed;
} ws_network_load_plan;

typedef struct ws_network_measured {
    double latency; /* cycles, mean of the marked packets that arrived */
    uint64_t packets;
    bool drained; /* all of them did */
} ws_network_measured;

/* Runs a network that is new. WS_EMEM. */
int ws_network_drive(ws_network *net, const ws_network_load_plan *plan, ws_network_measured *out);

#endif
