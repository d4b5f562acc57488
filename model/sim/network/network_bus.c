/* network_bus.c - one medium that all nodes share and all hear: a packet at a time, and one transfer for a group of
 * packets that say the same.
 *
 * Sources take turns. A packet of f flits keeps the bus for f cycles, and its last flit is at its node `latency` cycles
 * after it was put on the bus; one that is alone takes latency + f - 1 cycles. Of packets of one group that follow one
 * another at a source, as many as there is room for at their nodes move together: a broadcast. All nodes together get
 * one flit a cycle, whatever their number. */
#include "model/sim/network/network_internal.h"

/* The last flit of a packet reaches its node. */
typedef struct arrival {
    uint64_t cycle;
    uint32_t slot, padding;
} arrival;

typedef struct head {
    uint64_t free_at;               /* first cycle in which nothing is on the bus */
    uint32_t next;                  /* source to look at first */
    uint32_t first, count, padding; /* of the ring of arrivals, in rising order */
} head;

typedef struct bus {
    uint64_t latency;
    uint32_t words; /* of a mask over nodes */
    uint32_t room;  /* for arrivals */
    /* In the layout: */
    head *head;
    arrival *arrivals;
    uint64_t *waiting; /* [words]: sources with a packet */
} bus;

static void configure(ws_network *net, const uint64_t *values)
{
    bus *const b = net->state;
    b->latency = values[WS_NETWORK_bus_latency];
    b->words = (net->nodes + 63) / 64;
    b->room = net->nodes * net->room;
}

static void place(ws_network *net, ws_layout *layout)
{
    bus *const b = net->state;
    b->head = ws_layout_take(layout, 1, sizeof *b->head);
    b->arrivals = ws_layout_take(layout, b->room, sizeof *b->arrivals);
    b->waiting = ws_layout_take(layout, b->words, sizeof *b->waiting);
}

/* --- Whose turn is it? --- */

static void mark(const ws_network *net, uint32_t node)
{
    const bus *const b = net->state;
    const uint64_t bit = (uint64_t)1 << node % 64;
    b->waiting[node / 64] &= ~bit;
    b->waiting[node / 64] |= net->ports[node].in_head != WS_NO_SLOT ? bit : 0;
}

static bool can_go(const ws_network *net, uint32_t node)
{
    return ws_network_can_promise(net, net->slots[net->ports[node].in_head].packet.destination);
}

/* The first source in the order beginning with head->next whose first packet has room at its node; net->nodes: none. */
static uint32_t choose(const ws_network *net)
{
    const bus *const b = net->state;
    uint32_t found = net->nodes;
    for (uint32_t w = 0; w < b->words; w++)
        for (uint64_t rest = b->waiting[w]; rest; rest &= rest - 1) {
            const uint32_t node = w * 64 + (uint32_t)__builtin_ctzll(rest);
            if (!can_go(net, node))
                continue;
            if (node >= b->head->next)
                return node;
            found = found < net->nodes ? found : node;
        }
    return found;
}

static void expect(ws_network *net, uint32_t slot, uint64_t cycle)
{
    const bus *const b = net->state;
    const uint32_t node = net->slots[slot].packet.destination;
    ws_network_promise(net, node);
    b->arrivals[(b->head->first + b->head->count++) % b->room] = (arrival){.cycle = cycle, .slot = slot};
    ws_network_count_way(net, false, node, net->slots[slot].flits);
}

/* The first packet of the source, and those of its group right behind it. */
static void transfer(ws_network *net, uint32_t source, uint64_t cycle)
{
    const bus *const b = net->state;
    const ws_network_slot first = net->slots[net->ports[source].in_head];
    const uint64_t last = cycle + first.flits - 1 + b->latency;
    do
        expect(net, ws_network_depart(net, source, cycle), last);
    while (first.packet.group && net->ports[source].in_head != WS_NO_SLOT &&
           net->slots[net->ports[source].in_head].packet.group == first.packet.group &&
           net->slots[net->ports[source].in_head].flits == first.flits && can_go(net, source));
    mark(net, source);
    b->head->next = source + 1 < net->nodes ? source + 1 : 0;
    b->head->free_at = cycle + first.flits;
    ws_network_count_way(net, true, source, first.flits);
    net->head->totals.flit_moves += first.flits;
}

static void run_cycle(ws_network *net, uint64_t cycle)
{
    const bus *const b = net->state;
    while (b->head->count && b->arrivals[b->head->first].cycle <= cycle) {
        const arrival a = b->arrivals[b->head->first];
        b->head->first = (b->head->first + 1) % b->room;
        b->head->count--;
        ws_network_deliver(net, a.slot, a.cycle);
    }
    const uint32_t source = b->head->free_at <= cycle ? choose(net) : net->nodes;
    if (source < net->nodes)
        transfer(net, source, cycle);
}

/* --- The ops --- */

static void queued(ws_network *net, uint32_t node)
{
    mark(net, node);
}

static uint64_t next_time(const ws_network *net)
{
    const bus *const b = net->state;
    uint64_t next = choose(net) < net->nodes ? b->head->free_at : WS_NEVER;
    if (b->head->count && b->arrivals[b->head->first].cycle < next)
        next = b->arrivals[b->head->first].cycle;
    return next > net->head->now ? next : net->head->now;
}

const ws_network_ops ws_network_bus = {
    .state_size = sizeof(bus),
    .configure = configure,
    .place = place,
    .queued = queued,
    .run_cycle = run_cycle,
    .next_time = next_time,
};
