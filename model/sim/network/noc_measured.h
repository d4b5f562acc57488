/* noc_measured.h - the traffic that a network of the simulator carried, as a load of a closed form, and the latency
 * that comes of it.
 *
 * Networks keep bytes by node, kind and frame of time, not who sent to whom: a source is taken to send to destinations
 * as these got bytes in a group of frames around. Messages of reads have the size that the machine gives them; those of
 * others (stores, acknowledgements, atomics, textures) the mean that is left of a source's packets and flits in the
 * whole run. */
#ifndef WS_NOC_MEASURED_H
#define WS_NOC_MEASURED_H

#include "model/noc/noc.h"
#include "model/machine/machine_declared.h"
#include "model/sim/network/network.h"

/* Options of [network] that make frames short enough to show bursts: set them before the machine is simulated. */
#define WS_NOC_MEASURED_FRAME_CYCLES "64 cycles"
#define WS_NOC_MEASURED_FRAMES       "4096"

typedef struct ws_noc_measured {
    double simulated, predicted; /* cycles of latency, mean over packets */
    double idle;                 /* the same packets, nothing in their way */
    double busiest; /* of channels, by the load of the whole run, while it sends anything: what bursts exceed */
    double backlog; /* cycles of `predicted` that packets wait because bursts are more than the network carries */
    uint64_t packets;
} ws_noc_measured;

/* The network of a direction, of one chip. The caller frees it with ws_network_destroy. */
int ws_noc_machine_network(const ws_machine *machine, unsigned direction, ws_network **out);

/* The latency frame by frame: a stationary load each, and what it is more than the network carries waits for the next
 * one (pointwise stationary fluid flow approximation: Wang, Tipper, Banerjee, A Single-Server Fluid Flow Approximation
 * for Simulation of Nonstationary Queues, 1996). `direction` of the machine's chip, the network after a simulation.
 * WS_EINPUT when it carried nothing. WS_EMEM. */
int ws_noc_measure(const ws_machine *machine, unsigned direction, const ws_network *network, ws_noc_measured *out);

/* Who sent how much to whom in the whole run, as a load. The caller frees *flow. */
int ws_noc_measured_flows(const ws_machine *machine, unsigned direction, const ws_network *network, ws_noc_flow **flow,
                          size_t *flows);

#endif
