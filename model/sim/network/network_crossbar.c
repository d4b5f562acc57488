/* network_crossbar.c - every input has a switch point to every output; what waits, waits in one queue per input.
 *
 * The first `window` packets of an input's queue ask for their outputs, the first to each of them; those behind them
 * wait, also for idle outputs. Packets from one input to one output stay in order. Each output takes the next asking
 * input in turn. A packet keeps its input and one port of its output busy for a cycle a flit. An output has `speedup`
 * such ports and a link that carries one flit a cycle to the node. With speedup 1 this is input queueing, which under
 * uniform random load saturates at 2 - sqrt(2) = 0.586 for many nodes; a window undoes part of that (as large as the
 * queue it is a queue for each output), and with a port for each input it is output queueing (Karol, Hluchyj, Morgan,
 * Input Versus Output Queueing on a Space-Division Packet Switch, IEEE Transactions on Communications 35(12), 1987). A
 * packet alone takes latency + flits - 1 cycles.
 *
 * Nothing is looked at but outputs that have an asking input, a free port and room; what will happen stands in a
 * heap. */
#include "model/sim/network/network_asking.h"

typedef struct output {
    uint64_t link_free; /* first cycle in which its link has nothing to carry */
    uint32_t busy;      /* ports in use */
    uint32_t next;      /* input to look at first */
} output;

typedef struct crossbar {
    ws_network_asking asking; /* able: outputs with an asking input, a free port and room */
    uint64_t speedup, latency;
    output *output; /* in the layout */
} crossbar;

static void update_able(const ws_network *net, uint32_t o)
{
    const crossbar *const x = net->state;
    const output *const out = &x->output[o];
    ws_network_set_bit(x->asking.able, o,
                       x->asking.count[o] && out->busy < x->speedup && ws_network_can_promise(net, o));
}

static void configure(ws_network *net, const uint64_t *values)
{
    crossbar *const x = net->state;
    x->speedup = values[WS_NETWORK_crossbar_speedup];
    x->latency = values[WS_NETWORK_crossbar_latency];
    x->asking.window = values[WS_NETWORK_crossbar_window];
    x->asking.changed = update_able;
}

static void place(ws_network *net, ws_layout *layout)
{
    crossbar *const x = net->state;
    x->output = ws_layout_take(layout, net->nodes, sizeof *x->output);
    ws_network_asking_place(net, &x->asking, 0, layout);
}

/* The first packet of input i to output o begins to move. */
static void transfer(ws_network *net, uint32_t i, uint32_t o, uint64_t cycle)
{
    const crossbar *const x = net->state;
    output *const out = &x->output[o];
    const uint32_t slot = ws_network_asking_send(net, &x->asking, i, o, cycle);
    const uint32_t flits = net->slots[slot].flits;
    ws_network_promise(net, o);
    out->busy++;
    out->next = i + 1 < net->nodes ? i + 1 : 0;
    const uint64_t first_flit = cycle + x->latency;
    const uint64_t begin = first_flit > out->link_free ? first_flit : out->link_free;
    out->link_free = begin + flits;
    ws_network_asking_expect(&x->asking, cycle + flits, i, o, WS_NO_SLOT);
    ws_network_asking_expect(&x->asking, begin + flits - 1, i, o, slot);
    ws_network_count_way(net, true, i, flits);
    ws_network_count_way(net, false, o, flits);
    net->head->totals.flit_moves += flits;
    update_able(net, o);
}

static void happen(ws_network *net, const ws_network_event *e)
{
    const crossbar *const x = net->state;
    if (e->slot != WS_NO_SLOT) {
        ws_network_deliver(net, e->slot, e->cycle);
        return;
    }
    x->output[e->output].busy--;
    ws_network_asking_sent(net, &x->asking, e->input);
    update_able(net, e->output);
}

static void run_cycle(ws_network *net, uint64_t cycle)
{
    const crossbar *const x = net->state;
    for (ws_network_event e; ws_network_asking_take(&x->asking, cycle, &e);)
        happen(net, &e);
    for (uint32_t w = 0; w < x->asking.words; w++)
        for (uint64_t bits = x->asking.able[w]; bits; bits &= bits - 1) {
            const uint32_t o = w * 64 + (uint32_t)__builtin_ctzll(bits);
            while (x->asking.able[w] >> o % 64 & 1)
                transfer(net, ws_network_asking_next(&x->asking, o, x->output[o].next), o, cycle);
        }
}

/* --- The ops --- */

static void taken(ws_network *net, uint32_t node)
{
    update_able(net, node);
}

const ws_network_ops ws_network_crossbar = {
    .state_size = sizeof(crossbar),
    .configure = configure,
    .place = place,
    .queued = ws_network_asking_queued,
    .taken = taken,
    .run_cycle = run_cycle,
    .next_time = ws_network_asking_next_time,
};
