/* network_drive.h - open-loop load of a network: sources create packets at random, independent of earlier ones.
 *
 * Dally and Towles, Principles and Practices of Interconnection Networks (2004), chapter 23: source queues are
 * infinite, and latency counts from the creation of a packet. After a warm-up, packets created during the measurement
 * are marked. The run continues under load until all marked packets have arrived, or a time limit. Nodes take delivered
 * packets at once. */
#ifndef WS_NETWORK_DRIVE_H
#define WS_NETWORK_DRIVE_H

#include "model/sim/network/network.h"

/* Packets of one size between two nodes. */
typedef struct ws_network_flow {
    uint32_t from, to, bytes;
    double rate; /* packets per cycle */
} ws_network_flow;

typedef struct ws_network_load_plan {
    const ws_network_flow *flow;
    size_t flows;
    double batch; /* packets that a source creates at once: 1, or a geometric number with this mean */
    uint64_t warm_up, measure, give_up; /* cycles: of warm-up, of marking, total limit */
    uint64_t seed;
} ws_network_load_plan;

typedef struct ws_network_measured {
    double latency; /* cycles, mean of the marked packets that arrived */
    uint64_t packets;
    bool drained; /* all marked packets arrived */
} ws_network_measured;

/* Runs a new network. WS_EMEM. */
int ws_network_drive(ws_network *net, const ws_network_load_plan *plan, ws_network_measured *out);

#endif
