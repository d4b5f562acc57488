/* network.c - what all networks share: packets, the queues at both ends, who put in how much. */
#include "model/sim/network/network_internal.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

static const ws_network_ops *const networks[] = {
#define NETWORK(name, ...) &ws_network_##name,
#include "model/machine/networks.def"
};

static const char names[] =
#define NETWORK(name, word, ...) " " word
#include "model/machine/networks.def"
    ;

/* --- Making one --- */

static size_t slot_count(const ws_network *net)
{
    return (size_t)net->nodes * (net->injection_flits + net->room) + (net->ops->between ? net->ops->between(net) : 0);
}

static void place(ws_network *net, ws_layout *layout)
{
    net->head = ws_layout_take(layout, 1, sizeof *net->head);
    net->slots = ws_layout_take(layout, slot_count(net), sizeof *net->slots);
    net->ports = ws_layout_take(layout, net->nodes, sizeof *net->ports);
    net->arrivals = ws_layout_take(layout, (net->nodes + 63) / 64, sizeof *net->arrivals);
    net->node_totals = ws_layout_take(layout, net->nodes, sizeof *net->node_totals);
    const size_t ends = (size_t)net->nodes * 2;
    net->frame_bytes = ws_layout_take(layout, ends * WS_NETWORK_KINDS * net->frames, sizeof *net->frame_bytes);
    net->frame_now = ws_layout_take(layout, ends, sizeof *net->frame_now);
    net->frame_fullest = ws_layout_take(layout, ends, sizeof *net->frame_fullest);
    net->frame_index = ws_layout_take(layout, ends, sizeof *net->frame_index);
    net->ways = ws_layout_take(layout, net->ops->channels ? 0 : ends, sizeof *net->ways);
    net->ops->place(net, layout);
}

static void start(ws_network *net)
{
    net->head->frame_length = net->frame_cycles;
    const size_t count = slot_count(net);
    for (size_t i = 0; i < count; i++)
        net->slots[i].next = i + 1 < count ? (uint32_t)i + 1 : WS_NO_SLOT;
    for (uint32_t n = 0; n < net->nodes; n++) {
        net->ports[n].in_head = net->ports[n].in_tail = WS_NO_SLOT;
        net->ports[n].out_head = net->ports[n].out_tail = WS_NO_SLOT;
    }
    if (net->ops->start)
        net->ops->start(net);
}

static int configure(ws_network *net)
{
    const uint64_t *const common = net->plan.common;
    net->state = calloc(1, net->ops->state_size);
    if (!net->state)
        return ws_fail(WS_EMEM, "network %s: out of memory", net->plan.kind->name);
    net->nodes = net->plan.nodes;
    net->flit_bytes = net->plan.flit_bytes;
    net->room = net->plan.room;
    net->injection_flits = (uint32_t)common[WS_NETWORK_common_injection_flits];
    net->frame_cycles = common[WS_NETWORK_common_frame_cycles];
    net->frames = (uint32_t)common[WS_NETWORK_common_frames];
    net->ops->configure(net, net->plan.own);
    return WS_OK;
}

static int build(ws_network *net)
{
    const int rc = configure(net);
    if (rc)
        return rc;
    ws_layout measure = {NULL, 0};
    place(net, &measure);
    net->memory_size = measure.used;
    net->memory = calloc(1, measure.used);
    if (!net->memory)
        return ws_fail(WS_EMEM, "network %s: no %zu bytes for its queues", net->plan.kind->name, measure.used);
    ws_layout real = {net->memory, 0};
    place(net, &real);
    start(net);
    return WS_OK;
}

int ws_network_make(const ws_network_plan *plan, ws_network **out)
{
    *out = NULL;
    ws_network *const net = calloc(1, sizeof *net);
    if (!net)
        return ws_fail(WS_EMEM, "network %s: out of memory", plan->kind->name);
    net->ops = networks[plan->kind - ws_network_kinds];
    net->plan = *plan;
    const int rc = build(net);
    if (rc) {
        ws_network_destroy(net);
        return rc;
    }
    *out = net;
    return WS_OK;
}

int ws_network_create(const char *name, uint32_t nodes, const ws_given *given, size_t count, ws_network **out)
{
    *out = NULL;
    ws_network_plan plan;
    const ws_network_kind *const kind = ws_network_kind_find(name);
    if (!kind)
        return ws_fail(WS_EINPUT, "unknown network '%s'; expected one of:%s", name, names);
    const int rc = ws_network_plan_make(kind, nodes, given, count, &plan);
    return rc ? rc : ws_network_make(&plan, out);
}

void ws_network_destroy(ws_network *net)
{
    if (!net)
        return;
    free(net->memory);
    free(net->state);
    free(net);
}

/* --- Traffic over time --- */

static uint64_t *frame_cell(const ws_network *net, size_t frame, uint32_t node, bool in)
{
    return net->frame_bytes + ((frame * net->nodes + node) * 2 + in) * WS_NETWORK_KINDS;
}

/* Two frames become one, so the same room holds twice the time. */
static void merge_frames(ws_network *net)
{
    const size_t width = (size_t)net->nodes * 2 * WS_NETWORK_KINDS;
    for (size_t frame = 0; frame < net->frames; frame++) {
        uint64_t *const to = net->frame_bytes + frame * width;
        for (size_t i = 0; i < width; i++) {
            const uint64_t first = 2 * frame < net->frames ? net->frame_bytes[2 * frame * width + i] : 0;
            const uint64_t second = 2 * frame + 1 < net->frames ? net->frame_bytes[(2 * frame + 1) * width + i] : 0;
            to[i] = first + second;
        }
    }
    net->head->frame_length *= 2;
}

static void count_bytes(ws_network *net, uint32_t node, bool in, const ws_packet *packet, uint64_t cycle)
{
    while (cycle / net->head->frame_length >= net->frames)
        merge_frames(net);
    frame_cell(net, cycle / net->head->frame_length, node, in)[packet->kind] += packet->bytes;
    const size_t end = (size_t)node * 2 + in;
    if (cycle / net->frame_cycles != net->frame_index[end]) {
        net->frame_index[end] = cycle / net->frame_cycles;
        net->frame_now[end] = 0;
    }
    net->frame_now[end] += packet->bytes;
    if (net->frame_now[end] > net->frame_fullest[end])
        net->frame_fullest[end] = net->frame_now[end];
}

uint64_t ws_network_frame_cycles(const ws_network *net)
{
    return net->head->frame_length;
}

uint64_t ws_network_frame_first(const ws_network *net)
{
    return net->frame_cycles;
}

uint32_t ws_network_nodes(const ws_network *net)
{
    return net->nodes;
}

uint32_t ws_network_room(const ws_network *net)
{
    return net->room;
}

size_t ws_network_frames(const ws_network *net)
{
    const uint64_t frame = net->head->now / net->head->frame_length + 1;
    return frame < net->frames ? frame : net->frames;
}

uint64_t ws_network_frame_bytes(const ws_network *net, uint32_t node, uint32_t kind, bool in, size_t frame)
{
    return frame_cell(net, frame, node, in)[kind];
}

uint64_t ws_network_frame_peak(const ws_network *net, uint32_t node, bool in)
{
    return net->frame_fullest[(size_t)node * 2 + in];
}

/* --- The two queues --- */

static void append(ws_network *net, uint32_t *head, uint32_t *tail, uint32_t slot)
{
    net->slots[slot].next = WS_NO_SLOT;
    if (*head == WS_NO_SLOT)
        *head = slot;
    else
        net->slots[*tail].next = slot;
    *tail = slot;
}

static uint32_t remove_first(ws_network *net, uint32_t *head)
{
    const uint32_t slot = *head;
    *head = net->slots[slot].next;
    return slot;
}

static uint32_t flits_of(const ws_network *net, uint32_t bytes)
{
    return (bytes + net->flit_bytes - 1) / net->flit_bytes;
}

bool ws_network_has_room(const ws_network *net, uint32_t source, uint32_t bytes)
{
    const uint32_t used = net->ports[source].in_flits;
    const bool fits = !used || used + flits_of(net, bytes) <= net->injection_flits;
    return fits && net->head->free_slot != WS_NO_SLOT;
}

void ws_network_count_refused(ws_network *net, uint32_t node, uint64_t times)
{
    net->head->totals.refused += times;
    net->node_totals[node].refused += times;
}

bool ws_network_inject(ws_network *net, const ws_packet *packet)
{
    const uint32_t node = packet->source;
    if (!ws_network_has_room(net, node, packet->bytes)) {
        ws_network_count_refused(net, node, 1);
        return false;
    }
    const uint32_t index = remove_first(net, &net->head->free_slot);
    ws_network_slot *const slot = &net->slots[index];
    slot->packet = *packet;
    slot->packet.created = net->head->now;
    slot->flits = flits_of(net, packet->bytes);
    ws_network_port *const port = &net->ports[node];
    append(net, &port->in_head, &port->in_tail, index);
    port->in_flits += slot->flits;
    net->head->inside++;
    net->head->totals.packets_in++;
    net->head->totals.flits_in += slot->flits;
    net->head->totals.bytes_in += packet->bytes;
    net->node_totals[node].packets_in++;
    net->node_totals[node].flits_in += slot->flits;
    count_bytes(net, node, true, packet, net->head->now);
    net->ops->queued(net, node);
    return true;
}

uint32_t ws_network_depart(ws_network *net, uint32_t node, uint64_t cycle)
{
    return ws_network_depart_behind(net, node, WS_NO_SLOT, cycle);
}

uint32_t ws_network_depart_behind(ws_network *net, uint32_t node, uint32_t before, uint64_t cycle)
{
    ws_network_port *const port = &net->ports[node];
    const uint32_t index = remove_first(net, before == WS_NO_SLOT ? &port->in_head : &net->slots[before].next);
    if (port->in_tail == index)
        port->in_tail = before;
    port->in_flits -= net->slots[index].flits;
    net->slots[index].packet.entered = cycle;
    return index;
}

void ws_network_deliver(ws_network *net, uint32_t index, uint64_t cycle)
{
    ws_network_slot *const slot = &net->slots[index];
    ws_packet *const packet = &slot->packet;
    packet->delivered = cycle;
    const uint32_t node = packet->destination;
    ws_network_port *const port = &net->ports[node];
    append(net, &port->out_head, &port->out_tail, index);
    net->arrivals[node / 64] |= (uint64_t)1 << node % 64;
    const uint64_t latency = cycle - packet->created;
    ws_network_totals *const totals = &net->head->totals;
    totals->packets_out++;
    totals->flits_out += slot->flits;
    totals->bytes_out += packet->bytes;
    totals->latency_sum += latency;
    totals->queue_sum += packet->entered - packet->created;
    totals->latency_max = latency > totals->latency_max ? latency : totals->latency_max;
    ws_network_node *const here = &net->node_totals[node];
    here->packets_out++;
    here->flits_out += slot->flits;
    here->latency_sum += latency;
    here->latency_max = latency > here->latency_max ? latency : here->latency_max;
    count_bytes(net, node, false, packet, cycle);
}

bool ws_network_eject(ws_network *net, uint32_t node, ws_packet *packet)
{
    ws_network_port *const port = &net->ports[node];
    if (port->out_head == WS_NO_SLOT)
        return false;
    const uint32_t index = remove_first(net, &port->out_head);
    *packet = net->slots[index].packet;
    net->slots[index].next = net->head->free_slot;
    net->head->free_slot = index;
    port->out_held--;
    net->head->inside--;
    if (port->out_head == WS_NO_SLOT)
        net->arrivals[node / 64] &= ~((uint64_t)1 << node % 64);
    if (net->ops->taken)
        net->ops->taken(net, node);
    return true;
}

/* --- Time, sums --- */

void ws_network_step(ws_network *net, uint64_t until)
{
    const ws_network_ops *const ops = net->ops;
    if (until <= net->head->now)
        return;
    for (uint64_t cycle = ops->next_time(net); cycle < until; cycle = ops->next_time(net)) {
        ops->run_cycle(net, cycle);
        net->head->now = cycle + 1;
    }
    net->head->now = until;
}

uint64_t ws_network_now(const ws_network *net)
{
    return net->head->now;
}

uint64_t ws_network_next_time(const ws_network *net)
{
    return net->ops->next_time(net);
}

const uint64_t *ws_network_arrivals(const ws_network *net)
{
    return net->arrivals;
}

uint64_t ws_network_inside(const ws_network *net)
{
    return net->head->inside;
}

ws_network_totals ws_network_sum(const ws_network *net)
{
    return net->head->totals;
}

const ws_network_node *ws_network_node_totals(const ws_network *net, uint32_t node)
{
    return &net->node_totals[node];
}

size_t ws_network_channels(const ws_network *net)
{
    return net->ops->channels ? net->ops->channels(net) : (size_t)net->nodes * 2;
}

ws_channel ws_network_channel(const ws_network *net, size_t index)
{
    if (net->ops->channel)
        return net->ops->channel(net, index);
    const ws_network_way *const way = &net->ways[index];
    const uint32_t node = (uint32_t)index % net->nodes;
    return (ws_channel){node, node, index >= net->nodes, way->flits, way->packets};
}

uint64_t ws_network_max_channel_load(const ws_network *net)
{
    uint64_t most = 0;
    const size_t count = ws_network_channels(net);
    for (size_t i = 0; i < count; i++) {
        const uint64_t load = ws_network_channel(net, i).packets;
        most = load > most ? load : most;
    }
    return most;
}

/* --- Who is where --- */

typedef struct tour {
    const ws_network *net;
    void (*see)(void *user, const ws_packet *packet, int where);
    void *user;
    uint8_t *seen; /* by slot */
} tour;

/* Goes along a queue; `where` -1: of free slots. */
static void visit(const tour *t, uint32_t slot, int where)
{
    for (; slot != WS_NO_SLOT; slot = t->net->slots[slot].next) {
        t->seen[slot] = 1;
        if (where >= 0)
            t->see(t->user, &t->net->slots[slot].packet, where);
    }
}

int ws_network_each(const ws_network *net, void (*see)(void *user, const ws_packet *packet, int where), void *user)
{
    const size_t count = slot_count(net);
    const tour t = {net, see, user, calloc(count, 1)};
    if (!t.seen)
        return ws_fail(WS_EMEM, "network %s: out of memory", net->plan.kind->name);
    visit(&t, net->head->free_slot, -1);
    for (uint32_t n = 0; n < net->nodes; n++)
        visit(&t, net->ports[n].in_head, WS_PACKET_QUEUED);
    for (uint32_t n = 0; n < net->nodes; n++)
        visit(&t, net->ports[n].out_head, WS_PACKET_DELIVERED);
    for (size_t slot = 0; slot < count; slot++)
        if (!t.seen[slot])
            see(user, &net->slots[slot].packet, WS_PACKET_MOVING);
    free(t.seen);
    return WS_OK;
}

void ws_network_explain(const ws_network *net, void (*say)(void *user, const char *line), void *user)
{
    if (net->ops->explain)
        net->ops->explain(net, say, user);
}

/* --- Checkpoints --- */

/* Of all options: common ones, own ones. */
static size_t value_count(const ws_network *net)
{
    return WS_NETWORK_common_END + ws_option_count(net->plan.kind->options);
}

static uint64_t value_at(const ws_network *net, size_t index)
{
    return index < WS_NETWORK_common_END ? net->plan.common[index] : net->plan.own[index - WS_NETWORK_common_END];
}

void ws_network_save(const ws_network *net, ws_bytes *bytes)
{
    ws_bytes_add_text(bytes, net->plan.kind->name);
    ws_bytes_add_varint(bytes, net->nodes);
    for (size_t i = 0; i < value_count(net); i++)
        ws_bytes_add_varint(bytes, value_at(net, i));
    ws_bytes_add_varint(bytes, net->memory_size);
    ws_bytes_add(bytes, net->memory, net->memory_size);
}

int ws_network_load(ws_network *net, ws_reader *reader)
{
    size_t length = 0;
    const char *const name = ws_read_text(reader, &length);
    bool same = name && length == strlen(net->plan.kind->name) && !memcmp(name, net->plan.kind->name, length);
    same = same && ws_read_varint(reader) == net->nodes;
    for (size_t i = 0; same && i < value_count(net); i++)
        same = ws_read_varint(reader) == value_at(net, i);
    same = same && ws_read_varint(reader) == net->memory_size;
    const uint8_t *const memory = same ? ws_read_bytes(reader, net->memory_size) : NULL;
    if (!memory)
        return ws_fail(WS_EINPUT,
                       "the checkpoint is not of a network %s with these options; "
                       "resume with the configuration that wrote it",
                       net->plan.kind->name);
    memcpy(net->memory, memory, net->memory_size);
    return WS_OK;
}
