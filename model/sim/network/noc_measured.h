/* noc_measured.h - traffic of a simulated network as the load of a closed form, and the resulting latency.
 *
 * Networks keep bytes by node, kind and frame of time, but not by pair of nodes. A source is assumed to send to
 * destinations in proportion to the bytes that these received in the surrounding group of frames. Messages of reads
 * have the machine's size. Others (stores, acknowledgements, atomics, textures) have the mean size of the remaining
 * packets and flits of a source in the whole run. */
#ifndef WS_NOC_MEASURED_H
#define WS_NOC_MEASURED_H

#include "model/noc/noc.h"
#include "model/machine/machine_declared.h"
#include "model/sim/network/network.h"

/* Options of [network] for frames short enough to show bursts; set them before the simulation. */
#define WS_NOC_MEASURED_FRAME_CYCLES "64 cycles"
#define WS_NOC_MEASURED_FRAMES       "4096"

typedef struct ws_noc_measured {
    double simulated, predicted; /* cycles of latency, mean over packets */
    double idle;                 /* of the same packets without contention */
    double busiest; /* highest load of a channel while it sends, by the load of the whole run; bursts exceed it */
    double backlog; /* part of `predicted`: wait because bursts exceed the capacity */
    uint64_t packets;
} ws_noc_measured;

/* Makes the network of a direction, of one chip. The caller frees it with ws_network_destroy. */
int ws_noc_machine_network(const ws_machine *machine, unsigned direction, ws_network **out);

/* Computes the latency frame by frame: each has a stationary load, and the excess over the capacity waits for the next
 * one (pointwise stationary fluid flow approximation: Wang, Tipper, Banerjee, A Single-Server Fluid Flow Approximation
 * for Simulation of Nonstationary Queues, 1996). `direction` is of the machine's chip, `network` has completed a
 * simulation. WS_EINPUT for a network without traffic. WS_EMEM. */
int ws_noc_measure(const ws_machine *machine, unsigned direction, const ws_network *network, ws_noc_measured *out);

/* Computes the flows between all nodes in the whole run. The caller frees *flow. */
int ws_noc_measured_flows(const ws_machine *machine, unsigned direction, const ws_network *network, ws_noc_flow **flow,
                          size_t *flows);

#endif
