/* network_light.c - what crossbars of light share. */
#include "model/sim/network/network_light.h"

void ws_light_configure(ws_light *light, const uint64_t *values)
{
    light->loop = values[WS_NETWORK_swmr_loop];
    light->convert = values[WS_NETWORK_swmr_convert];
    light->asking.window = values[WS_NETWORK_swmr_window];
}

uint64_t ws_light_flight(const ws_network *net, const ws_light *light, uint32_t steps)
{
    return (steps * light->loop + net->nodes - 1) / net->nodes;
}

uint32_t ws_light_send(ws_network *net, ws_light *light, uint32_t from, uint32_t to, uint64_t cycle)
{
    const uint32_t slot = ws_network_asking_send(net, &light->asking, from, to, cycle);
    const uint32_t flits = net->slots[slot].flits;
    uint64_t there = cycle + flits;
    if (from != to) {
        there += 2 * light->convert + ws_light_flight(net, light, ws_light_steps(net, from, to)) - 1;
        ws_network_count_way(net, true, from, flits);
        net->head->totals.flit_moves += flits;
    }
    ws_network_count_way(net, false, to, flits);
    ws_network_asking_expect(&light->asking, cycle + flits, from, to, WS_NO_SLOT);
    ws_network_asking_expect(&light->asking, there, from, to, slot);
    return flits;
}

void ws_light_happen(ws_network *net, const ws_light *light, const ws_network_event *event)
{
    if (event->slot == WS_NO_SLOT)
        ws_network_asking_sent(net, &light->asking, event->input);
    else
        ws_network_deliver(net, event->slot, event->cycle);
}
