/* network_crossbar.c - every input has a switch point to every output; what waits, waits in one queue per input.
 *
 * The first `window` packets of an input's queue ask for their outputs, the first to each of them; those behind them wait, also for
 * idle outputs. Packets from one input to one output stay in order. Each output takes the next asking input in turn. A packet keeps its input and one port of its output busy for a cycle a
 * flit. An output has `speedup` such ports and a link that carries one flit a cycle to the node. With speedup 1 this is
 * input queueing, which under uniform random load saturates at 2 - sqrt(2) = 0.586 for many nodes; a window undoes part of that (as large as
 * the queue it is a queue for each output), and with a port for each input it is output queueing (Karol, Hluchyj, Morgan, Input Versus Output Queueing on a Space-Division Packet Switch,
 * IEEE Transactions on Communications 35(12), 1987). A packet alone takes latency + flits - 1 cycles.
 *
 * Nothing is looked at but outputs that have an asking input, a free port and room; what will happen stands in a
 * heap. */
#include "model/sim/network_internal.h"

#include "base/status.h"

#include <inttypes.h>
#include <string.h>

enum { SPEEDUP, LATENCY, WINDOW, OPTION_COUNT };
static const ws_option options[] = {
    [SPEEDUP] = {"speedup", "packets", 1, 1, 4096, "packets that an output takes at the same time"},
    [LATENCY] = {"latency", "cycles", 1, 1, 1024, "from the head of an input's queue to the node, first flit"},
    [WINDOW] = {"window", "packets", 1, 1, 4096, "of the front of an input's queue that ask for an output; 1: those behind the first wait"},
    [OPTION_COUNT] = {NULL, NULL, 0, 0, 0, NULL},
};

/* What comes: the end of a transfer, or the arrival of a packet's last flit at its node. */
typedef struct event {
    uint64_t cycle;
    uint64_t order; /* of creation; earlier ones first within a cycle */
    uint32_t input, output;
    uint32_t slot; /* of the packet that arrives; WS_NO_SLOT: the transfer from input to output ends */
    uint32_t padding;
} event;

typedef struct output {
    uint64_t link_free; /* first cycle in which its link has nothing to carry */
    uint32_t busy;      /* ports in use */
    uint32_t next;      /* input to look at first */
    uint32_t asking;    /* number of inputs that ask */
    uint32_t padding;
    uint64_t flits, packets;
} output;

typedef struct head {
    uint64_t events, orders;
} head;

typedef struct crossbar {
    uint64_t speedup, latency, window;
    uint32_t words; /* of a mask over nodes */
    /* In the layout: */
    head *head;
    output *output;
    uint64_t *asking; /* [output][words]: inputs that ask for it */
    uint64_t *able;   /* [words]: outputs with an asking input, a free port and room */
    uint64_t *busy;   /* [words]: inputs that send */
    event *events;    /* heap */
    uint64_t *input_flits, *input_packets;
} crossbar;

static int configure(ws_network *net, const uint64_t *values)
{
    crossbar *const x = net->state;
    if (values[SPEEDUP] > net->nodes)
        return ws_fail(WS_EINPUT, "network crossbar: speedup = %" PRIu64 ", but there are only %" PRIu32
                                  " inputs; give that or less", values[SPEEDUP], net->nodes);
    x->speedup = values[SPEEDUP];
    x->latency = values[LATENCY];
    x->window = values[WINDOW];
    x->words = (net->nodes + 63) / 64;
    return WS_OK;
}

static size_t between(const ws_network *net)
{
    (void)net; /* a packet has its place at the node before it leaves the source's queue */
    return 0;
}

/* Each input can be in one transfer, each place at a node can have one packet on its way. */
static size_t most_events(const ws_network *net)
{
    return (size_t)net->nodes * (1 + net->ejection_packets);
}

static void place(ws_network *net, ws_layout *layout)
{
    crossbar *const x = net->state;
    x->head = ws_layout_take(layout, 1, sizeof *x->head);
    x->output = ws_layout_take(layout, net->nodes, sizeof *x->output);
    x->asking = ws_layout_take(layout, (size_t)net->nodes * x->words, sizeof *x->asking);
    x->able = ws_layout_take(layout, x->words, sizeof *x->able);
    x->busy = ws_layout_take(layout, x->words, sizeof *x->busy);
    x->events = ws_layout_take(layout, most_events(net), sizeof *x->events);
    x->input_flits = ws_layout_take(layout, net->nodes, sizeof *x->input_flits);
    x->input_packets = ws_layout_take(layout, net->nodes, sizeof *x->input_packets);
}

static void start(ws_network *net)
{
    (void)net; /* all zero */
}

/* --- A heap of what comes --- */

static bool before(const event *a, const event *b)
{
    return a->cycle != b->cycle ? a->cycle < b->cycle : a->order < b->order;
}

static void push(const crossbar *x, event e)
{
    e.order = x->head->orders++;
    size_t at = x->head->events++;
    while (at && before(&e, &x->events[(at - 1) / 2])) {
        x->events[at] = x->events[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    x->events[at] = e;
}

static event pop(const crossbar *x)
{
    const event first = x->events[0], last = x->events[--x->head->events];
    const size_t count = x->head->events;
    size_t at = 0;
    for (size_t child = 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && before(&x->events[child + 1], &x->events[child]))
            child++;
        if (!before(&x->events[child], &last))
            break;
        x->events[at] = x->events[child];
        at = child;
    }
    x->events[at] = last;
    return first;
}

/* --- Who asks for what --- */

static void set(uint64_t *mask, uint32_t bit, bool value)
{
    mask[bit / 64] = (mask[bit / 64] & ~((uint64_t)1 << bit % 64)) | (uint64_t)value << bit % 64;
}

static void update_able(const ws_network *net, uint32_t o)
{
    const crossbar *const x = net->state;
    const output *const out = &x->output[o];
    set(x->able, o, out->asking && out->busy < x->speedup && ws_network_can_promise(net, o));
}

/* Input i asks for output o, or does not any more. */
static void set_asking(const ws_network *net, uint32_t i, uint32_t o, bool asks)
{
    const crossbar *const x = net->state;
    uint64_t *const mask = x->asking + (size_t)o * x->words;
    if ((mask[i / 64] >> i % 64 & 1) == asks)
        return;
    set(mask, i, asks);
    x->output[o].asking += asks ? 1 : UINT32_MAX;
    update_able(net, o);
}

static void set_all_asking(const ws_network *net, uint32_t i, bool ask)
{
    const crossbar *const x = net->state;
    uint32_t slot = net->ports[i].in_head;
    for (uint64_t k = 0; k < x->window && slot != WS_NO_SLOT; k++, slot = net->slots[slot].next)
        set_asking(net, i, net->slots[slot].packet.destination, ask);
}

/* The first packets of an input that does not send ask for their outputs. */
static void ask(const ws_network *net, uint32_t i)
{
    const crossbar *const x = net->state;
    if (!(x->busy[i / 64] >> i % 64 & 1))
        set_all_asking(net, i, true);
}

/* The packet before the first one of input i to output o, or WS_NO_SLOT where that is the first of all. */
static uint32_t before_first(const ws_network *net, uint32_t i, uint32_t o)
{
    uint32_t before = WS_NO_SLOT;
    for (uint32_t slot = net->ports[i].in_head; net->slots[slot].packet.destination != o; slot = net->slots[slot].next)
        before = slot;
    return before;
}

/* The asking input that comes first in the order beginning with out->next. There is one. */
static uint32_t choose(const crossbar *x, uint32_t o)
{
    const uint64_t *const mask = x->asking + (size_t)o * x->words;
    const uint32_t from = x->output[o].next;
    uint32_t w = from / 64;
    uint64_t bits = mask[w] & (~(uint64_t)0 << from % 64);
    while (!bits) {
        w = w + 1 < x->words ? w + 1 : 0;
        bits = mask[w];
    }
    return w * 64 + (uint32_t)__builtin_ctzll(bits);
}

/* The first packet of input i to output o begins to move. */
static void transfer(ws_network *net, uint32_t i, uint32_t o, uint64_t cycle)
{
    const crossbar *const x = net->state;
    output *const out = &x->output[o];
    set_all_asking(net, i, false);
    const uint32_t slot = ws_network_depart_behind(net, i, before_first(net, i, o), cycle);
    const uint32_t flits = net->slots[slot].flits;
    ws_network_promise(net, o);
    out->busy++;
    out->next = i + 1 < net->nodes ? i + 1 : 0;
    set(x->busy, i, true);
    const uint64_t first_flit = cycle + x->latency;
    const uint64_t begin = first_flit > out->link_free ? first_flit : out->link_free;
    out->link_free = begin + flits;
    push(x, (event){.cycle = cycle + flits, .input = i, .output = o, .slot = WS_NO_SLOT});
    push(x, (event){.cycle = begin + flits - 1, .input = i, .output = o, .slot = slot});
    out->flits += flits;
    out->packets++;
    x->input_flits[i] += flits;
    x->input_packets[i]++;
    net->head->totals.flit_moves += flits;
    update_able(net, o);
}

static void happen(ws_network *net, const event *e)
{
    const crossbar *const x = net->state;
    if (e->slot != WS_NO_SLOT) {
        ws_network_deliver(net, e->slot, e->cycle);
        return;
    }
    x->output[e->output].busy--;
    set(x->busy, e->input, false);
    ask(net, e->input);
    update_able(net, e->output);
}

static void run_cycle(ws_network *net, uint64_t cycle)
{
    const crossbar *const x = net->state;
    while (x->head->events && x->events[0].cycle <= cycle) {
        const event e = pop(x);
        happen(net, &e);
    }
    for (uint32_t w = 0; w < x->words; w++)
        for (uint64_t bits = x->able[w]; bits; bits &= bits - 1) {
            const uint32_t o = w * 64 + (uint32_t)__builtin_ctzll(bits);
            while (x->able[w] >> o % 64 & 1)
                transfer(net, choose(x, o), o, cycle);
        }
}

/* --- The ops --- */

static void queued(ws_network *net, uint32_t node)
{
    ask(net, node);
}

static void taken(ws_network *net, uint32_t node)
{
    update_able(net, node);
}

static uint64_t next_time(const ws_network *net)
{
    const crossbar *const x = net->state;
    for (uint32_t w = 0; w < x->words; w++)
        if (x->able[w])
            return net->head->now;
    if (!x->head->events)
        return WS_NEVER;
    return x->events[0].cycle > net->head->now ? x->events[0].cycle : net->head->now;
}

static void step(ws_network *net, uint64_t until)
{
    for (;;) {
        const uint64_t cycle = next_time(net);
        if (cycle >= until)
            break;
        run_cycle(net, cycle);
        net->head->now = cycle + 1;
    }
    net->head->now = until;
}

/* Channels: the ways into the crossbar, input by input, then the links out of it. */
static size_t channels(const ws_network *net)
{
    return (size_t)net->nodes * 2;
}

static ws_channel channel(const ws_network *net, size_t index)
{
    const crossbar *const x = net->state;
    const uint32_t i = (uint32_t)index;
    if (i < net->nodes)
        return (ws_channel){i, i, false, x->input_flits[i], x->input_packets[i]};
    const uint32_t o = i - net->nodes;
    return (ws_channel){o, o, true, x->output[o].flits, x->output[o].packets};
}

const ws_network_ops ws_network_crossbar = {
    .name = "crossbar",
    .summary = "crossbar: a queue per input, outputs take turns, speed-up, window",
    .options = options,
    .state_size = sizeof(crossbar),
    .configure = configure,
    .between = between,
    .place = place,
    .start = start,
    .queued = queued,
    .taken = taken,
    .step = step,
    .next_time = next_time,
    .channels = channels,
    .channel = channel,
};
