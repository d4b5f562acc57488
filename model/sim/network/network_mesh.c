/* network_mesh.c - a two-dimensional mesh of routers with virtual channels.
 *
 * Wormhole packets of flits; dimension order (first along a row, then along a column), so no cycle of waiting can
 * close; credits; a router is the canonical pipeline of Dally and Towles, Principles and Practices of Interconnection
 * Networks (2004), chapter 16: route, virtual-channel allocation, switch allocation, switch traversal. Both
 * allocators are one iteration of iSLIP (McKeown, The iSLIP Scheduling Algorithm for Input-Queued Switches, 1999):
 * outputs grant, inputs accept, both round-robin, and pointers move only past what was accepted.
 *
 * With the defaults a flit spends in each router one cycle in each allocator, one in the switch and one on the link,
 * and 2 cycles from the source's queue to the first router: 4 * routers + 2 + flits - 1 cycles when nothing is in its
 * way.
 *
 * Only routers that can move something are looked at: masks of input virtual channels say which those are, and a wheel
 * of the next few cycles holds flits and credits on their way. */
#include "model/sim/network/network_internal.h"

#include <string.h>

enum { LOCAL, EAST, WEST, NORTH, SOUTH, PORTS };
_Static_assert(PORTS *WS_MESH_MOST_VCS <= 64, "input virtual channels are bits of a mask");
enum { NO_VC = 0xff };

/* A flit: the slot of its packet, and whether it is the first or last one. */
enum { HEAD_FLIT = 1, TAIL_FLIT = 2, FLAG_BITS = 2 };

enum { AT_NODE = UINT16_MAX }; /* router of an event: the flit is at its destination */

typedef struct event {
    uint16_t router, input;
    uint32_t flit;
} event;

/* A credit for an output virtual channel of a router, or for the way from a node into its router. */
enum { AT_SOURCE = 0x8000 };
typedef struct credit {
    uint16_t router, output; /* output: AT_SOURCE + virtual channel for the node's */
} credit;

/* One input virtual channel. */
typedef struct input {
    uint16_t first, count;    /* ring of flits */
    uint8_t out_port, out_vc; /* out_vc NO_VC: none yet */
    uint8_t accept_next;
    uint8_t padding;
} input;

typedef struct output {
    uint16_t credits;
    uint8_t owner;      /* input virtual channel that has it */
    uint8_t grant_next; /* input virtual channel to look at first */
} output;

typedef struct router {
    uint64_t wait[PORTS];       /* input virtual channels that ask for one at this output port */
    uint64_t ready[PORTS];      /* those that have one there, a flit and a credit */
    uint16_t free_vcs[PORTS];   /* output virtual channels that nobody has */
    uint8_t grant_next[PORTS];  /* switch: input port that an output port looks at first */
    uint8_t accept_next[PORTS]; /* switch: output port that an input port looks at first */
    uint8_t vc_next[PORTS];     /* switch: virtual channel of an input port to look at first */
    uint8_t padding[7];
} router;

/* A node's way into its router. */
typedef struct source {
    uint32_t slot; /* packet that is going in, or WS_NO_SLOT */
    uint32_t left; /* its flits that are not yet in */
    uint8_t vc, vc_next;
    uint16_t credits[WS_MESH_MOST_VCS];
} source;

typedef struct mesh {
    uint32_t width, height, routers, vcs, depth, inputs; /* inputs: input virtual channels of a router */
    uint32_t flit_delay, credit_delay, source_delay, route_delay, wheel; /* wheel: slots, a power of two */
    uint64_t vc_mask;
    uint8_t port_of[64]; /* of an input virtual channel */
    /* In the layout: */
    router *router;
    input *input;
    output *output;
    uint32_t *flits; /* [router][input][depth] */
    source *source;
    uint64_t *active, *active_sources; /* bits: may do something next cycle */
    event *flit_events, *route_events;
    credit *credit_events;
    uint32_t *flit_count, *credit_count, *route_count; /* [wheel] */
    uint64_t *channel_flits, *channel_packets;         /* [router][port] */
    uint32_t *channel_of;                              /* router * PORTS + port of channel i */
} mesh;

/* --- Configuration --- */

static uint32_t power_of_two_above(uint32_t value)
{
    uint32_t power = 1;
    while (power <= value)
        power *= 2;
    return power;
}

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static void configure(ws_network *net, const uint64_t *values)
{
    mesh *const m = net->state;
    m->width = net->plan.width;
    m->height = net->plan.height;
    m->routers = m->width * m->height;
    m->vcs = (uint32_t)values[WS_NETWORK_mesh_vcs];
    m->depth = (uint32_t)values[WS_NETWORK_mesh_vc_flits];
    m->inputs = PORTS * m->vcs;
    m->vc_mask = ((uint64_t)1 << m->vcs) - 1;
    for (uint32_t i = 0; i < m->inputs; i++)
        m->port_of[i] = (uint8_t)(i / m->vcs);
    m->flit_delay = (uint32_t)(values[WS_NETWORK_mesh_switch_cycles] + values[WS_NETWORK_mesh_link_cycles]) + 1;
    m->credit_delay = (uint32_t)(values[WS_NETWORK_mesh_link_cycles] + values[WS_NETWORK_mesh_credit_cycles]) + 1;
    m->source_delay = (uint32_t)values[WS_NETWORK_mesh_link_cycles] + 1;
    m->route_delay = (uint32_t)values[WS_NETWORK_mesh_route_cycles];
    m->wheel = power_of_two_above(larger(larger(m->flit_delay, m->credit_delay), m->route_delay + 1));
}

static size_t between(const ws_network *net)
{
    const mesh *const m = net->state;
    return (size_t)m->routers * m->inputs * m->depth;
}

static void place(ws_network *net, ws_layout *layout)
{
    mesh *const m = net->state;
    const size_t n = m->routers;
    m->router = ws_layout_take(layout, n, sizeof *m->router);
    m->input = ws_layout_take(layout, n * m->inputs, sizeof *m->input);
    m->output = ws_layout_take(layout, n * m->inputs, sizeof *m->output);
    m->flits = ws_layout_take(layout, n * m->inputs * m->depth, sizeof *m->flits);
    m->source = ws_layout_take(layout, net->nodes, sizeof *m->source);
    m->active = ws_layout_take(layout, (n + 63) / 64, sizeof *m->active);
    m->active_sources = ws_layout_take(layout, (net->nodes + 63) / 64, sizeof *m->active_sources);
    m->flit_events = ws_layout_take(layout, m->wheel * n * (PORTS + 1), sizeof *m->flit_events);
    m->credit_events = ws_layout_take(layout, m->wheel * n * PORTS, sizeof *m->credit_events);
    m->route_events = ws_layout_take(layout, m->wheel * n * (2 * PORTS + 1), sizeof *m->route_events);
    m->flit_count = ws_layout_take(layout, m->wheel, sizeof *m->flit_count);
    m->credit_count = ws_layout_take(layout, m->wheel, sizeof *m->credit_count);
    m->route_count = ws_layout_take(layout, m->wheel, sizeof *m->route_count);
    m->channel_flits = ws_layout_take(layout, n * PORTS, sizeof *m->channel_flits);
    m->channel_packets = ws_layout_take(layout, n * PORTS, sizeof *m->channel_packets);
    m->channel_of = ws_layout_take(layout, n * PORTS, sizeof *m->channel_of);
}

/* Channels: the five outputs of each router, without those off the edge and to nodes that do not exist. */
static bool has_channel(const mesh *m, uint32_t nodes, uint32_t r, uint32_t port)
{
    const uint32_t x = r % m->width;
    return port == LOCAL   ? r < nodes
           : port == EAST  ? x + 1 < m->width
           : port == WEST  ? x > 0
           : port == NORTH ? r >= m->width
                           : r + m->width < m->routers;
}

static void start(ws_network *net)
{
    const mesh *const m = net->state;
    uint32_t *channel = m->channel_of;
    for (uint32_t c = 0; c < m->routers * PORTS; c++)
        if (has_channel(m, net->nodes, c / PORTS, c % PORTS))
            *channel++ = c;
    for (uint32_t r = 0; r < m->routers; r++)
        for (int p = 0; p < PORTS; p++)
            m->router[r].free_vcs[p] = (uint16_t)m->vc_mask;
    for (uint32_t i = 0; i < m->routers * m->inputs; i++) {
        m->input[i].out_vc = NO_VC;
        m->output[i].credits = (uint16_t)m->depth;
    }
    for (uint32_t n = 0; n < net->nodes; n++) {
        m->source[n].slot = WS_NO_SLOT;
        for (uint32_t v = 0; v < m->vcs; v++)
            m->source[n].credits[v] = (uint16_t)m->depth;
    }
}

/* --- What happens in a cycle: the wheel --- */

static void send_flit(const mesh *m, uint64_t cycle, event e)
{
    const uint32_t slot = cycle & (m->wheel - 1);
    m->flit_events[(size_t)slot * m->routers * (PORTS + 1) + m->flit_count[slot]++] = e;
}

static void send_credit(const mesh *m, uint64_t cycle, credit c)
{
    const uint32_t slot = cycle & (m->wheel - 1);
    m->credit_events[(size_t)slot * m->routers * PORTS + m->credit_count[slot]++] = c;
}

/* The number behind `i` of 0..count-1, going round. */
static uint8_t next_of(uint32_t i, uint32_t count)
{
    return (uint8_t)(i + 1 == count ? 0 : i + 1);
}

static void activate(const mesh *m, uint32_t r)
{
    m->active[r / 64] |= (uint64_t)1 << r % 64;
}

static uint8_t route(const mesh *m, uint32_t at, uint32_t to)
{
    const uint32_t x = at % m->width, to_x = to % m->width;
    if (x != to_x)
        return to_x > x ? EAST : WEST;
    return to == at ? LOCAL : to > at ? SOUTH : NORTH;
}

static void ask_for_vc(const mesh *m, uint32_t r, uint32_t i)
{
    m->router[r].wait[m->input[r * m->inputs + i].out_port] |= (uint64_t)1 << i;
    activate(m, r);
}

/* The flit in front of input i is a head: it asks for an output virtual channel in cycle `from` or, if there is a
 * routing stage, later. */
static void begin_packet(const ws_network *net, uint32_t r, uint32_t i, uint64_t from)
{
    const mesh *const m = net->state;
    input *const in = &m->input[r * m->inputs + i];
    const uint32_t flit = m->flits[(size_t)(r * m->inputs + i) * m->depth + in->first];
    in->out_port = route(m, r, net->slots[flit >> FLAG_BITS].packet.destination);
    if (!m->route_delay) {
        ask_for_vc(m, r, i);
        return;
    }
    const uint32_t slot = (from + m->route_delay) & (m->wheel - 1);
    m->route_events[(size_t)slot * m->routers * (2 * PORTS + 1) + m->route_count[slot]++] =
        (event){(uint16_t)r, (uint16_t)i, 0};
}

static void arrive(ws_network *net, const event *e, uint64_t cycle)
{
    const mesh *const m = net->state;
    if (e->router == AT_NODE) {
        if (e->flit & TAIL_FLIT)
            ws_network_deliver(net, e->flit >> FLAG_BITS, cycle);
        return;
    }
    const uint32_t r = e->router, i = e->input;
    input *const in = &m->input[r * m->inputs + i];
    uint32_t at = (uint32_t)in->first + in->count++;
    if (at >= m->depth)
        at -= m->depth;
    m->flits[(size_t)(r * m->inputs + i) * m->depth + at] = e->flit;
    if (in->count > 1)
        return;
    if (e->flit & HEAD_FLIT) {
        begin_packet(net, r, i, cycle);
    } else if (in->out_port == LOCAL || m->output[r * m->inputs + in->out_port * m->vcs + in->out_vc].credits) {
        m->router[r].ready[in->out_port] |= (uint64_t)1 << i;
        activate(m, r);
    }
}

static void take_credit(const ws_network *net, credit c)
{
    const mesh *const m = net->state;
    const uint32_t r = c.router, o = c.output;
    if (o & AT_SOURCE) {
        m->source[r].credits[o & ~(uint32_t)AT_SOURCE]++;
        m->active_sources[r / 64] |= (uint64_t)1 << r % 64;
        return;
    }
    output *const out = &m->output[r * m->inputs + o];
    const uint32_t port = m->port_of[o];
    if (out->credits++ || (m->router[r].free_vcs[port] >> (o - port * m->vcs) & 1))
        return;
    if (m->input[r * m->inputs + out->owner].count) {
        m->router[r].ready[port] |= (uint64_t)1 << out->owner;
        activate(m, r);
    }
}

static void wheel_turn(ws_network *net, uint64_t cycle)
{
    const mesh *const m = net->state;
    const uint32_t slot = cycle & (m->wheel - 1);
    const event *const flits = m->flit_events + (size_t)slot * m->routers * (PORTS + 1);
    for (uint32_t i = 0; i < m->flit_count[slot]; i++)
        arrive(net, &flits[i], cycle);
    m->flit_count[slot] = 0;
    const credit *const credits = m->credit_events + (size_t)slot * m->routers * PORTS;
    for (uint32_t i = 0; i < m->credit_count[slot]; i++)
        take_credit(net, credits[i]);
    m->credit_count[slot] = 0;
    const event *const routes = m->route_events + (size_t)slot * m->routers * (2 * PORTS + 1);
    for (uint32_t i = 0; i < m->route_count[slot]; i++)
        ask_for_vc(m, routes[i].router, routes[i].input);
    m->route_count[slot] = 0;
}

/* --- Sources: one flit a cycle from a node into its router --- */

/* Chooses a virtual channel for the next packet; false when none has room. */
static bool start_packet(ws_network *net, uint32_t node, uint64_t cycle)
{
    const mesh *const m = net->state;
    source *const s = &m->source[node];
    for (uint32_t k = 0; k < m->vcs; k++) {
        const uint32_t vc = s->vc_next + k < m->vcs ? s->vc_next + k : s->vc_next + k - m->vcs;
        if (!s->credits[vc])
            continue;
        s->vc = (uint8_t)vc;
        s->vc_next = next_of(vc, m->vcs);
        s->slot = ws_network_depart(net, node, cycle);
        s->left = net->slots[s->slot].flits;
        return true;
    }
    return false;
}

/* Sends a flit if it can; false when it has to wait for a packet or a credit. */
static bool source_cycle(ws_network *net, uint32_t node, uint64_t cycle)
{
    const mesh *const m = net->state;
    source *const s = &m->source[node];
    if (s->slot == WS_NO_SLOT && (net->ports[node].in_head == WS_NO_SLOT || !start_packet(net, node, cycle)))
        return false;
    if (!s->credits[s->vc])
        return false;
    s->credits[s->vc]--;
    const uint32_t head = s->left == net->slots[s->slot].flits ? HEAD_FLIT : 0;
    const uint32_t tail = --s->left == 0 ? TAIL_FLIT : 0;
    const event e = {(uint16_t)node, s->vc, s->slot << FLAG_BITS | head | tail};
    send_flit(m, cycle + m->source_delay, e);
    if (tail)
        s->slot = WS_NO_SLOT;
    return s->slot != WS_NO_SLOT || net->ports[node].in_head != WS_NO_SLOT;
}

static void sources_cycle(ws_network *net, uint64_t cycle)
{
    const mesh *const m = net->state;
    for (uint32_t w = 0; w < (net->nodes + 63) / 64; w++)
        for (uint64_t bits = m->active_sources[w]; bits; bits &= bits - 1) {
            const uint32_t node = w * 64 + (uint32_t)__builtin_ctzll(bits);
            if (!source_cycle(net, node, cycle))
                m->active_sources[w] &= ~((uint64_t)1 << node % 64);
        }
}

/* --- Routers --- */

/* First set bit at or behind `from`, going round. */
static uint32_t first_from(uint64_t mask, uint32_t from)
{
    const uint64_t behind = mask & (~(uint64_t)0 << from);
    return (uint32_t)__builtin_ctzll(behind ? behind : mask);
}

static uint32_t neighbour(const mesh *m, uint32_t r, uint32_t port)
{
    return port == EAST ? r + 1 : port == WEST ? r - 1 : port == NORTH ? r - m->width : r + m->width;
}

static uint32_t opposite(uint32_t port)
{
    return port == EAST ? WEST : port == WEST ? EAST : port == NORTH ? SOUTH : NORTH;
}

/* Room in a buffer has become free: tell who fills it. */
static void return_credit(const mesh *m, uint32_t r, uint32_t i, uint64_t cycle)
{
    const uint32_t port = m->port_of[i], vc = i - port * m->vcs;
    credit c = {(uint16_t)r, (uint16_t)(AT_SOURCE | vc)};
    if (port != LOCAL)
        c = (credit){(uint16_t)neighbour(m, r, port), (uint16_t)(opposite(port) * m->vcs + vc)};
    send_credit(m, cycle + m->credit_delay, c);
}

/* The last flit of a packet has left input i. */
static void end_packet(const ws_network *net, uint32_t r, uint32_t i, uint64_t cycle)
{
    const mesh *const m = net->state;
    input *const in = &m->input[r * m->inputs + i];
    m->router[r].free_vcs[in->out_port] |= (uint16_t)(1u << in->out_vc);
    in->out_vc = NO_VC;
    if (in->count)
        begin_packet(net, r, i, cycle + 1);
}

/* Input virtual channel i won the switch: its first flit goes to output port p. */
static void move_flit(ws_network *net, uint32_t r, uint32_t i, uint32_t p, uint64_t cycle)
{
    const mesh *const m = net->state;
    input *const in = &m->input[r * m->inputs + i];
    const uint32_t flit = m->flits[(size_t)(r * m->inputs + i) * m->depth + in->first];
    in->first = in->first + 1u == m->depth ? 0 : (uint16_t)(in->first + 1);
    in->count--;
    output *const out = &m->output[r * m->inputs + p * m->vcs + in->out_vc];
    event e = {AT_NODE, 0, flit};
    if (p != LOCAL) {
        out->credits--;
        e.router = (uint16_t)neighbour(m, r, p);
        e.input = (uint16_t)(opposite(p) * m->vcs + in->out_vc);
    }
    if (!in->count || (p != LOCAL && !out->credits) || (flit & TAIL_FLIT))
        m->router[r].ready[p] &= ~((uint64_t)1 << i);
    send_flit(m, cycle + m->flit_delay, e);
    return_credit(m, r, i, cycle);
    m->channel_flits[r * PORTS + p]++;
    net->head->totals.flit_moves++;
    if (flit & TAIL_FLIT) {
        m->channel_packets[r * PORTS + p]++;
        end_packet(net, r, i, cycle);
    }
}

/* Switch allocation: each output port grants an input port, each input port accepts an output port. */
static void allocate_switch(ws_network *net, uint32_t r, uint64_t cycle)
{
    const mesh *const m = net->state;
    router *const at = &m->router[r];
    uint32_t granted[PORTS] = {0}; /* by input port: output ports that grant */
    for (uint32_t p = 0; p < PORTS; p++)
        if (at->ready[p])
            granted[m->port_of[first_from(at->ready[p], at->grant_next[p] * m->vcs)]] |= 1u << p;
    for (uint32_t q = 0; q < PORTS; q++) {
        if (!granted[q])
            continue;
        const uint32_t p = first_from(granted[q], at->accept_next[q]);
        const uint32_t vc = first_from(at->ready[p] >> (q * m->vcs) & m->vc_mask, at->vc_next[q]);
        at->grant_next[p] = next_of(q, PORTS);
        at->accept_next[q] = next_of(p, PORTS);
        at->vc_next[q] = next_of(vc, m->vcs);
        move_flit(net, r, q * m->vcs + vc, p, cycle);
    }
}

static void give_vc(const ws_network *net, uint32_t r, uint32_t i, uint32_t p, uint32_t vc)
{
    const mesh *const m = net->state;
    router *const at = &m->router[r];
    output *const out = &m->output[r * m->inputs + p * m->vcs + vc];
    at->wait[p] &= ~((uint64_t)1 << i);
    at->free_vcs[p] &= (uint16_t) ~(1u << vc);
    out->owner = (uint8_t)i;
    out->grant_next = next_of(i, m->inputs);
    m->input[r * m->inputs + i].out_vc = (uint8_t)vc;
    m->input[r * m->inputs + i].accept_next = next_of(vc, m->vcs);
    if (p == LOCAL || out->credits)
        at->ready[p] |= (uint64_t)1 << i;
}

/* Those of the output virtual channels `vcs` of port p that may be given away. At the way out each packet needs room at
 * its node. */
static uint32_t vcs_to_give(const ws_network *net, uint32_t r, uint32_t p, uint32_t vcs)
{
    if (p != LOCAL)
        return vcs;
    const uint32_t room = net->room - net->ports[r].out_held;
    while ((uint32_t)__builtin_popcount(vcs) > room)
        vcs &= vcs - 1;
    return vcs;
}

/* Virtual-channel allocation at output port p: each free channel grants an input, each input accepts a channel. */
static void allocate_vcs(ws_network *net, uint32_t r, uint32_t p, uint32_t free_vcs)
{
    const mesh *const m = net->state;
    uint64_t granted = 0;
    uint32_t by[PORTS * WS_MESH_MOST_VCS]; /* by input: channels that grant */
    for (uint32_t vcs = vcs_to_give(net, r, p, free_vcs); vcs; vcs &= vcs - 1) {
        const uint32_t vc = (uint32_t)__builtin_ctz(vcs);
        const uint32_t i = first_from(m->router[r].wait[p], m->output[r * m->inputs + p * m->vcs + vc].grant_next);
        by[i] = (granted >> i & 1 ? by[i] : 0) | 1u << vc;
        granted |= (uint64_t)1 << i;
    }
    for (; granted; granted &= granted - 1) {
        const uint32_t i = (uint32_t)__builtin_ctzll(granted);
        if (p == LOCAL)
            ws_network_promise(net, r);
        give_vc(net, r, i, p, first_from(by[i], m->input[r * m->inputs + i].accept_next));
    }
}

/* Both allocators see what was at the start of the cycle. The switch is done first, so who gets a virtual channel in
 * this cycle may ask for the switch in the next; channels that it frees, and heads that it brings to the front,
 * wait. */
static void router_cycle(ws_network *net, uint32_t r, uint64_t cycle)
{
    const mesh *const m = net->state;
    router *const at = &m->router[r];
    uint64_t asked[PORTS];
    uint32_t free_vcs[PORTS];
    for (uint32_t p = 0; p < PORTS; p++) {
        asked[p] = at->wait[p];
        free_vcs[p] = at->free_vcs[p];
    }
    if (at->ready[0] | at->ready[1] | at->ready[2] | at->ready[3] | at->ready[4])
        allocate_switch(net, r, cycle);
    bool more = false;
    for (uint32_t p = 0; p < PORTS; p++) {
        const uint64_t later = at->wait[p] & ~asked[p];
        at->wait[p] = asked[p];
        if (asked[p])
            allocate_vcs(net, r, p, free_vcs[p]);
        at->wait[p] |= later;
        more = more || at->ready[p] || (at->wait[p] && vcs_to_give(net, r, p, at->free_vcs[p]));
    }
    if (!more)
        m->active[r / 64] &= ~((uint64_t)1 << r % 64);
}

static void routers_cycle(ws_network *net, uint64_t cycle)
{
    const mesh *const m = net->state;
    for (uint32_t w = 0; w < (m->routers + 63) / 64; w++)
        for (uint64_t bits = m->active[w]; bits; bits &= bits - 1)
            router_cycle(net, w * 64 + (uint32_t)__builtin_ctzll(bits), cycle);
}

/* --- The ops --- */

static void queued(ws_network *net, uint32_t node)
{
    const mesh *const m = net->state;
    m->active_sources[node / 64] |= (uint64_t)1 << node % 64;
}

static void taken(ws_network *net, uint32_t node)
{
    const mesh *const m = net->state;
    if (m->router[node].wait[LOCAL])
        activate(m, node);
}

static uint64_t next_time(const ws_network *net)
{
    const mesh *const m = net->state;
    const uint64_t now = net->head->now;
    for (uint32_t w = 0; w < (m->routers + 63) / 64; w++)
        if (m->active[w])
            return now;
    for (uint32_t w = 0; w < (net->nodes + 63) / 64; w++)
        if (m->active_sources[w])
            return now;
    for (uint64_t cycle = now; cycle < now + m->wheel; cycle++) {
        const uint32_t slot = cycle & (m->wheel - 1);
        if (m->flit_count[slot] || m->credit_count[slot] || m->route_count[slot])
            return cycle;
    }
    return WS_NEVER;
}

static void run_cycle(ws_network *net, uint64_t cycle)
{
    wheel_turn(net, cycle);
    sources_cycle(net, cycle);
    routers_cycle(net, cycle);
}

static size_t channels(const ws_network *net)
{
    const mesh *const m = net->state;
    return net->nodes + 2 * ((size_t)(m->width - 1) * m->height + (size_t)(m->height - 1) * m->width);
}

static ws_channel channel(const ws_network *net, size_t index)
{
    const mesh *const m = net->state;
    const uint32_t c = m->channel_of[index], r = c / PORTS, port = c % PORTS;
    const uint32_t to = port == LOCAL ? r : neighbour(m, r, port);
    return (ws_channel){r, to, port == LOCAL, m->channel_flits[c], m->channel_packets[c]};
}

const ws_network_ops ws_network_mesh = {
    .state_size = sizeof(mesh),
    .configure = configure,
    .between = between,
    .place = place,
    .start = start,
    .queued = queued,
    .taken = taken,
    .run_cycle = run_cycle,
    .next_time = next_time,
    .channels = channels,
    .channel = channel,
};
