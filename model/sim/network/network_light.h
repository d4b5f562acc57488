/* network_light.h - crossbars of light: nodes along a closed waveguide, and how long light takes between them.
 *
 * Node n stands at n / nodes of a guide that light goes around in `loop` cycles, all one way. A packet is turned into
 * light in `convert` cycles and back in as many; a flit goes on each cycle on flit_bytes * 8 wavelengths. So one that
 * begins to move in cycle t was delivered in t + convert + flits - 1 + flight + convert. What a node sends to itself
 * never becomes light: it keeps the node for a cycle a flit and is there in the next one. */
#ifndef WS_NETWORK_LIGHT_H
#define WS_NETWORK_LIGHT_H

#include "model/sim/network/network_asking.h"

/* Ways (network_internal.h): into the light, and out of it, also from a node to itself. */
typedef struct ws_light {
    ws_network_asking asking;
    uint64_t loop, convert;
} ws_light;

/* Keeps options that all networks of light begin with. */
void ws_light_configure(ws_light *light, const uint64_t *values);

/* Cycles of the light from a node to the next one `steps` further. */
uint64_t ws_light_flight(const ws_network *net, const ws_light *light, uint32_t steps);
static inline uint32_t ws_light_steps(const ws_network *net, uint32_t from, uint32_t to)
{
    return to >= from ? to - from : to + net->nodes - from;
}

/* The first packet of `from` to `to` begins to move in this cycle; room for it was promised. Returns its flits. */
uint32_t ws_light_send(ws_network *net, ws_light *light, uint32_t from, uint32_t to, uint64_t cycle);
/* An event that ws_light_send made: a node has sent its packet, or a packet is at its node. */
void ws_light_happen(ws_network *net, const ws_light *light, const ws_network_event *event);

#endif
