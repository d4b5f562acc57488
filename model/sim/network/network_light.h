/* network_light.h - optical crossbars: nodes along a closed waveguide, and light travel times between them.
 *
 * Node n is at n / nodes of a guide that light traverses in `loop` cycles, in one direction. Conversion to light takes
 * `convert` cycles, as does conversion back; each cycle carries a flit on flit_bytes * 8 wavelengths. A packet that
 * starts in cycle t is delivered in t + convert + flits - 1 + flight + convert. Packets of a node to itself use no
 * light: they occupy the node for a cycle per flit and arrive in the next one. */
#ifndef WS_NETWORK_LIGHT_H
#define WS_NETWORK_LIGHT_H

#include "model/sim/network/network_asking.h"

/* Paths (network_internal.h) into the light and out of it, also from a node to itself. */
typedef struct ws_light {
    ws_network_asking asking;
    uint64_t loop, convert;
} ws_light;

/* Stores the common first options of optical networks. */
void ws_light_configure(ws_light *light, const uint64_t *values);

/* Returns the cycles of the light from a node to the one `steps` further. */
uint64_t ws_light_flight(const ws_network *net, const ws_light *light, uint32_t steps);
static inline uint32_t ws_light_steps(const ws_network *net, uint32_t from, uint32_t to)
{
    return to >= from ? to - from : to + net->nodes - from;
}

/* Starts the first packet of `from` to `to` in this cycle, with reserved room. Returns its flits. */
uint32_t ws_light_send(ws_network *net, ws_light *light, uint32_t from, uint32_t to, uint64_t cycle);
/* Processes an event of ws_light_send: a node has sent its packet, or a packet has arrived at its node. */
void ws_light_happen(ws_network *net, const ws_light *light, const ws_network_event *event);

#endif
