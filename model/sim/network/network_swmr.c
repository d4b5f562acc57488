/* network_swmr.c - a crossbar of light in which each node has a channel of its own that all others read (single writer,
 * multiple readers).
 *
 * A node sends when it has nothing else to send and there is room where it goes; nobody has to be asked, and any number
 * reach a node at once. Nodes that wait for room at one node take turns. Timing: network_light.h. Source: Goswami,
 * Power Performance Co-Optimization of Throughput Architecture Using Emerging Technologies, 2013, section 4. */
#include "model/sim/network/network_light.h"

typedef struct swmr {
    ws_light light;
    /* In the layout: */
    uint32_t *next; /* [node]: who may send there first */
} swmr;

static void update_able(const ws_network *net, uint32_t to)
{
    const swmr *const x = net->state;
    ws_network_set_bit(x->light.asking.able, to, x->light.asking.count[to] && ws_network_can_promise(net, to));
}

static void configure(ws_network *net, const uint64_t *values)
{
    swmr *const x = net->state;
    x->light.asking.changed = update_able;
    ws_light_configure(&x->light, values);
}

static void place(ws_network *net, ws_layout *layout)
{
    swmr *const x = net->state;
    ws_network_asking_place(net, &x->light.asking, 0, layout);
    x->next = ws_layout_take(layout, net->nodes, sizeof *x->next);
}

static void send_one(ws_network *net, uint32_t to, uint64_t cycle)
{
    swmr *const x = net->state;
    const uint32_t from = ws_network_asking_next(&x->light.asking, to, x->next[to]);
    x->next[to] = from + 1 < net->nodes ? from + 1 : 0;
    ws_network_promise(net, to);
    ws_light_send(net, &x->light, from, to, cycle);
    update_able(net, to);
}

static void run_cycle(ws_network *net, uint64_t cycle)
{
    const swmr *const x = net->state;
    for (ws_network_event e; ws_network_asking_take(&x->light.asking, cycle, &e);)
        ws_light_happen(net, &x->light, &e);
    for (uint32_t w = 0; w < x->light.asking.words; w++)
        while (x->light.asking.able[w])
            send_one(net, w * 64 + (uint32_t)__builtin_ctzll(x->light.asking.able[w]), cycle);
}

static void taken(ws_network *net, uint32_t node)
{
    update_able(net, node);
}

const ws_network_ops ws_network_swmr = {
    .state_size = sizeof(swmr),
    .configure = configure,
    .place = place,
    .queued = ws_network_asking_queued,
    .taken = taken,
    .run_cycle = run_cycle,
    .next_time = ws_network_asking_next_time,
};
