/* noc_measured.h - the traffic that a network of the simulator carried, as loads of a closed form, and the latency that comes of them.
 *
 * Networks keep bytes by node, kind and frame of time, not who sent to whom: a source is taken to send to destinations as these got bytes in the same frame. Packets and flits of a source are
 * those of the whole run. So the load of each group of frames is a stationary one, and what varies within a group is a dispersion: of bytes of a source in single frames, which are to be short. */
#ifndef WS_NOC_MEASURED_H
#define WS_NOC_MEASURED_H

#include "model/noc/noc.h"
#include "model/sim/machine.h"
#include "model/sim/network.h"

/* Options of [network] that make frames short enough: set them before the machine is simulated. */
#define WS_NOC_MEASURED_FRAME_CYCLES "64 cycles"
#define WS_NOC_MEASURED_FRAMES       "4096"

typedef struct ws_noc_measured {
    double simulated, predicted; /* cycles of latency, mean over packets */
    double idle;                 /* the same packets, nothing in their way */
    double busiest;              /* of channels, mean over packets */
    double dispersion;           /* of sources in frames, see ws_noc_traffic */
    double beyond;               /* share of the packets in groups of frames whose load is more than the form says the network carries: not in the means */
    uint64_t packets;
} ws_noc_measured;

/* `direction` of the machine's chip, the network after a simulation. WS_EINPUT when it carried nothing. WS_EMEM. */
int ws_noc_measure(const ws_machine *machine, unsigned direction, const ws_network *network, ws_noc_measured *out);

#endif
