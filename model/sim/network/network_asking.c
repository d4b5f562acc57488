/* network_asking.c - who wants what, and who is sending. */
#include "model/sim/network/network_asking.h"

void ws_network_asking_place(const ws_network *net, ws_network_asking *asking, size_t events, ws_layout *layout)
{
    asking->words = (net->nodes + 63) / 64;
    asking->mask = ws_layout_take(layout, (size_t)net->nodes * asking->words, sizeof *asking->mask);
    asking->busy = ws_layout_take(layout, asking->words, sizeof *asking->busy);
    asking->count = ws_layout_take(layout, net->nodes, sizeof *asking->count);
    asking->able = ws_layout_take(layout, asking->words, sizeof *asking->able);
    asking->events = ws_layout_take(layout, 1, sizeof *asking->events);
    /* Each input can be sending, each place at a node can have one packet on its way. */
    asking->heap = ws_layout_take(layout, (size_t)net->nodes * (1 + net->room) + events, sizeof *asking->heap);
}

static void set_asking(const ws_network *net, const ws_network_asking *asking, uint32_t input, uint32_t output,
                       bool asks)
{
    uint64_t *const mask = asking->mask + (size_t)output * asking->words;
    if (ws_network_bit(mask, input) == asks)
        return;
    ws_network_set_bit(mask, input, asks);
    asking->count[output] += asks ? 1 : UINT32_MAX;
    asking->changed(net, output);
}

static void set_all(const ws_network *net, const ws_network_asking *asking, uint32_t input, bool asks)
{
    uint32_t slot = net->ports[input].in_head;
    for (uint64_t k = 0; k < asking->window && slot != WS_NO_SLOT; k++, slot = net->slots[slot].next)
        set_asking(net, asking, input, net->slots[slot].packet.destination, asks);
}

void ws_network_asking_queued(ws_network *net, uint32_t input)
{
    const ws_network_asking *const asking = net->state;
    if (!ws_network_bit(asking->busy, input))
        set_all(net, asking, input, true);
}

/* The packet before the first one of the input to the output, or WS_NO_SLOT where that is the first of all. */
static uint32_t before_first(const ws_network *net, uint32_t input, uint32_t output)
{
    uint32_t before = WS_NO_SLOT;
    for (uint32_t slot = net->ports[input].in_head; net->slots[slot].packet.destination != output;
         slot = net->slots[slot].next)
        before = slot;
    return before;
}

uint32_t ws_network_asking_send(ws_network *net, const ws_network_asking *asking, uint32_t input, uint32_t output,
                                uint64_t cycle)
{
    set_all(net, asking, input, false);
    ws_network_set_bit(asking->busy, input, true);
    return ws_network_depart_behind(net, input, before_first(net, input, output), cycle);
}

void ws_network_asking_sent(const ws_network *net, const ws_network_asking *asking, uint32_t input)
{
    ws_network_set_bit(asking->busy, input, false);
    set_all(net, asking, input, true);
}

uint32_t ws_network_asking_next(const ws_network_asking *asking, uint32_t output, uint32_t from)
{
    const uint64_t *const mask = asking->mask + (size_t)output * asking->words;
    uint32_t w = from / 64;
    uint64_t bits = mask[w] & (~(uint64_t)0 << from % 64);
    while (!bits) {
        w = w + 1 < asking->words ? w + 1 : 0;
        bits = mask[w];
    }
    return w * 64 + (uint32_t)__builtin_ctzll(bits);
}

uint64_t ws_network_asking_next_time(const ws_network *net)
{
    const ws_network_asking *const asking = net->state;
    for (uint32_t w = 0; w < asking->words; w++)
        if (asking->able[w])
            return net->head->now;
    return ws_network_events_next(asking->events, asking->heap, net->head->now);
}
