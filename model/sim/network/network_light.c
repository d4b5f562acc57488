/* network_light.c - what crossbars of light share. */
#include "model/sim/network/network_light.h"

void ws_light_configure(ws_light *light, const uint64_t *values)
{
    light->loop = values[WS_NETWORK_swmr_loop];
    light->convert = values[WS_NETWORK_swmr_convert];
    light->asking.window = values[WS_NETWORK_swmr_window];
}

void ws_light_place(const ws_network *net, ws_light *light, size_t events, ws_layout *layout)
{
    ws_network_asking_place(net, &light->asking, layout);
    light->events = ws_layout_take(layout, 1, sizeof *light->events);
    /* Each node can be sending, each place at a node can have one packet on its way. */
    light->heap = ws_layout_take(layout, (size_t)net->nodes * (1 + net->room) + events, sizeof *light->heap);
    light->sent_flits = ws_layout_take(layout, net->nodes, sizeof *light->sent_flits);
    light->sent_packets = ws_layout_take(layout, net->nodes, sizeof *light->sent_packets);
    light->got_flits = ws_layout_take(layout, net->nodes, sizeof *light->got_flits);
    light->got_packets = ws_layout_take(layout, net->nodes, sizeof *light->got_packets);
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
        light->sent_flits[from] += flits;
        light->sent_packets[from]++;
        net->head->totals.flit_moves += flits;
    }
    light->got_flits[to] += flits;
    light->got_packets[to]++;
    ws_network_events_add(light->events, light->heap,
                          (ws_network_event){.cycle = cycle + flits, .input = from, .output = to, .slot = WS_NO_SLOT});
    ws_network_events_add(light->events, light->heap,
                          (ws_network_event){.cycle = there, .input = from, .output = to, .slot = slot});
    return flits;
}

void ws_light_happen(ws_network *net, const ws_light *light, const ws_network_event *event)
{
    if (event->slot == WS_NO_SLOT)
        ws_network_asking_sent(net, &light->asking, event->input);
    else
        ws_network_deliver(net, event->slot, event->cycle);
}

size_t ws_light_channels(const ws_network *net)
{
    return (size_t)net->nodes * 2;
}

ws_channel ws_light_channel(const ws_network *net, const ws_light *light, size_t index)
{
    const uint32_t n = (uint32_t)index;
    if (n < net->nodes)
        return (ws_channel){n, n, false, light->sent_flits[n], light->sent_packets[n]};
    const uint32_t to = n - net->nodes;
    return (ws_channel){to, to, true, light->got_flits[to], light->got_packets[to]};
}
