/* memory_side.c - from the port of an SM through the network to an L2 slice, and back; where a machine has several
 * chips, over the link to the chip where the line is at home. What slices ask of memory is in memory_side_home.c.
 *
 * Everything keeps its own clock; a core cycle brings each part as far as its clock has come. Cycles in which nothing
 * can happen are skipped. */
#include "model/sim/memory/memory_side_internal.h"

#include "model/sim/network/traffic.h"
#include "model/machine/machine.h"

#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------------ L2 slices */

/* What an L2 slice sends: to memory, or to an SM. */
static void send_from_slice(void *context, const ws_coherence_message *m)
{
    slice *const l = context;
    ws_memory_side *const side = l->side;
    if (!side->failed && side->agreement && side->agreement->versions)
        side->failed = agree_follow(side, l, m);
    if (side->failed)
        return;
    if (m->type == WS_MESSAGE_DRAM_READ || m->type == WS_MESSAGE_DRAM_WRITE)
        side_count_message(side, m, side->machine->l2_line);
    if (m->type == WS_MESSAGE_DRAM_READ || m->type == WS_MESSAGE_DRAM_WRITE || m->type == WS_MESSAGE_ATOMIC) {
        side->failed = home_ask(side, l, m);
        return;
    }
    uint32_t slot;
    side->failed = ws_message_pool_hold(&side->messages, m, &slot);
    if (!side->failed)
        side->failed = side_answer(side, l, slot);
    if (!side->failed && side->checker && (m->type == WS_MESSAGE_ACK || m->type == WS_MESSAGE_ATOMIC_ACK))
        side->failed = ws_memory_checker_perform(side->checker, m, side->now);
}

static void no_completion(void *context, const ws_completion *completion)
{
    (void)context;
    (void)completion;
}

/* The slices start again together. */
static void follow_resets(ws_memory_side *side, const slice *first)
{
    const ws_level_time_ops *const ops = side->l2->ops->times;
    if (!ops || ops->epoch(side->l2->shared, first->cache) == side->epoch)
        return;
    side->epoch = ops->epoch(side->l2->shared, first->cache);
    for (uint32_t i = 0; i < side->slices; i++)
        while (ops->epoch(side->l2->shared, side->slice[i].cache) != side->epoch)
            ops->reset(side->l2->shared, side->slice[i].cache);
}

static ws_coherence_ports ports_of(slice *l)
{
    return (ws_coherence_ports){.context = l, .send = send_from_slice, .complete = no_completion, .hub = l->side->hub};
}

int side_tell_slice(ws_memory_side *side, slice *l, const ws_coherence_message *m)
{
    const ws_coherence_ports ports = ports_of(l);
    const int status = side->l2->ops->message(side->l2->shared, l->cache, m, side->now, &ports);
    follow_resets(side, l);
    l->wake = side->l2->ops->next_time(side->l2->shared, l->cache, NULL, side->now);
    return status ? status : side->failed;
}

int side_take_copy(ws_memory_side *side, slice *l, uint64_t block, uint32_t mask)
{
    const ws_coherence_message gone = side_message(WS_MESSAGE_INVALIDATE, block, mask);
    l->refused = false;
    return side_tell_slice(side, l, &gone);
}

static int fill_slice(ws_memory_side *side, slice *l)
{
    const uint32_t index = (uint32_t)ws_fifo_front(&l->fills).what;
    ws_coherence_message m;
    memset(&m, 0, offsetof(ws_coherence_message, data));
    m.type = WS_MESSAGE_DRAM_FILL;
    m.block = side->fetch[index].line;
    m.mask = side->fetch[index].mask;
    ws_memory_image_read(&side->image, &m);
    const int status = side_tell_slice(side, l, &m);
    if (status)
        return status < 0 ? status : WS_OK;
    side_count_message(side, &m, side->machine->l2_line);
    ws_fifo_drop(&l->fills);
    home_end_fetch(side, index);
    l->refused = false;
    return WS_OK;
}

static bool has_room(const ws_memory_side *side, const slice *l)
{
    return l->out.count < side->machine->port_packets && side->crossing->has_room(side, l);
}

/* Nothing is in it: its clock need not go on. */
static bool channel_sleeps(const ws_memory_side *side, const channel *c)
{
    return !c->wanted.count && !c->arrived.count && !side->memory->inside(c->memory);
}

static int advance_slice(ws_memory_side *side, slice *l)
{
    const ws_coherence_ports ports = ports_of(l);
    const int status = side->l2->ops->advance(side->l2->shared, l->cache, side->now, &ports);
    if (status < 0 || side->failed)
        return status < 0 ? status : side->failed;
    follow_resets(side, l);
    l->wake = side->l2->ops->next_time(side->l2->shared, l->cache, NULL, side->now);
    l->refused = false;
    return WS_OK;
}

/* The request takes the slice's port for a cycle, or for as many as its bytes need. */
static void occupy_port(const ws_memory_side *side, slice *l, uint32_t mask)
{
    const ws_machine *const machine = side->machine;
    if (!machine->l2_port)
        return;
    const uint32_t bytes =
        ws_machine_has_protocol(machine) ? machine->l2_line : side_sectors(side, mask) * machine->l2_sector;
    const uint32_t cycles = (bytes + machine->l2_port - 1) / machine->l2_port;
    if (cycles > 1)
        l->free = side->now + side_core_cycles(machine, machine->chip_l2_clock, cycles);
}

/* The cycle from which the first request, which there is, may be served. */
static uint64_t first_turn(const ws_memory_side *side, const slice *l)
{
    const ws_fifo_item first = ws_fifo_front(&l->in);
    const uint64_t turn = first.when > l->free ? first.when : l->free;
    if (l->again <= turn)
        return turn;
    const ws_coherence_message *const m = ws_message_pool_at(&side->messages, (uint32_t)first.what);
    return m->block == l->last ? l->again : turn;
}

/* The first request, of which the slice gets a copy: what it sends may move the others. */
static int serve_slice(ws_memory_side *side, slice *l)
{
    const uint32_t slot = (uint32_t)ws_fifo_front(&l->in).what;
    ws_coherence_message m;
    memcpy(&m, ws_message_pool_at(&side->messages, slot), side->messages.bytes);
    int status = side->agreement && side->agreement->look ? side->agreement->look(side, l, &m) : WS_OK;
    if (!status)
        status = sums_want(side, l, &m) ? sums_take(side, l, &m) : side_tell_slice(side, l, &m);
    if (status) {
        l->refused = true;
        return status < 0 ? status : WS_OK;
    }
    if (side->agreement)
        agree_count_served(side, l, &m);
    occupy_port(side, l, m.mask);
    l->last = m.block;
    if (side->machine->l2_repeat > 1)
        l->again = side->now + side_core_cycles(side->machine, side->machine->chip_l2_clock, side->machine->l2_repeat);
    ws_fifo_drop(&l->in);
    ws_message_pool_drop(&side->messages, slot);
    return WS_OK;
}

/* One cycle of an L2 slice: what time brought, what memory brought, a request. */
static inline int run_slice(ws_memory_side *side, slice *l)
{
    const int status = l->wake <= side->now ? advance_slice(side, l) : WS_OK;
    if (status || l->fills.count)
        return status ? status : fill_slice(side, l);
    if (!l->in.count || l->refused || first_turn(side, l) > side->now || !has_room(side, l))
        return WS_OK;
    return serve_slice(side, l);
}

/* ------------------------------------------------------------------------------------------------ networks */

/* Where a message goes: the chip, and the node there. */
static int target_of(ws_memory_side *side, ws_direction d, const ws_coherence_message *m, uint32_t *to_chip,
                     uint32_t *node)
{
    if (d == WS_REPLIES) {
        *to_chip = chip_of_sm(side, m->sm);
        *node = side->sm_node[m->sm];
        return WS_OK;
    }
    slice *l;
    const int status = side->crossing->keeper(side, m, &l);
    if (status)
        return status;
    *to_chip = l->chip;
    *node = l->node;
    return WS_OK;
}

static uint32_t message_bytes(const ws_memory_side *side, const ws_coherence_message *m)
{
    return side->l1->ops->message_bytes(side->l1->shared, side->machine, m);
}

/* Requests whose order counts: those of an SM to a slice, or to the hub, which is behind all slices. */
static size_t lane_of(const ws_memory_side *side, const ws_coherence_message *m, const slice *l)
{
    return side->hub && !m->unit ? (size_t)side->sms * side->slices + m->sm : (size_t)m->sm * side->slices + l->number;
}

/* One that begins its way. Requests of an SM to a slice are numbered, for they may overtake one another. */
static int number_message(ws_memory_side *side, ws_direction d, uint64_t slot, uint64_t *tag, uint32_t **counter)
{
    *counter = NULL;
    *tag = slot;
    if (d == WS_REPLIES)
        return WS_OK;
    const ws_coherence_message *const m = ws_message_pool_at(&side->messages, (uint32_t)slot);
    slice *l;
    const int status = side->crossing->keeper(side, m, &l);
    if (status)
        return status;
    *counter = &side->sent_to[lane_of(side, m, l)];
    *tag = slot | (uint64_t) * *counter << 32;
    return WS_OK;
}

/* The hub sees a request at once; the slice, when its time is over. *answered: it does not. */
static void send_from_hub(void *context, const ws_coherence_message *m)
{
    slice *const l = context;
    ws_memory_side *const side = l->side;
    uint32_t slot;
    if (!side->failed)
        side->failed = ws_message_pool_hold(&side->messages, m, &slot);
    if (!side->failed)
        side->failed = side_tell(side, l, slot);
}

static int show_hub(ws_memory_side *side, slice *l, uint32_t slot, uint64_t *ready, bool *answered)
{
    const ws_coherence_ports ports = {.context = l, .send = send_from_hub, .complete = no_completion, .hub = side->hub};
    ws_coherence_message m;
    memcpy(&m, ws_message_pool_at(&side->messages, slot), side->messages.bytes);
    uint64_t earliest;
    *answered = side->l2->ops->hub->arrive(side->l2->shared, &m, side->now, &ports, &earliest);
    *ready = earliest > *ready ? earliest : *ready;
    if (*answered)
        ws_message_pool_drop(&side->messages, slot);
    else
        memcpy(ws_message_pool_at(&side->messages, slot), &m, side->messages.bytes);
    return side->failed;
}

/* Requests of an SM reach a slice, or the hub, in the order in which it sent them, which protocols rely on
 * (coherence.h). In a network with virtual channels one may overtake another, and slices are not equally far; it waits
 * then. *taken: it was its turn. */
static int take_in_turn(ws_memory_side *side, slice *l, uint64_t tag, uint64_t ready, bool *taken)
{
    const ws_coherence_message *const m = ws_message_pool_at(&side->messages, (uint32_t)tag);
    uint32_t *const next = &side->taken_from[lane_of(side, m, l)];
    *taken = *next == tag >> 32;
    if (!*taken)
        return ws_fifo_add(&l->early, 0, tag);
    ++*next;
    bool answered = false;
    const int status = side->hub ? show_hub(side, l, (uint32_t)tag, &ready, &answered) : WS_OK;
    return status || answered ? status : ws_fifo_add(&l->in, ready, (uint32_t)tag);
}

/* Those that wait at the slice: is it the turn of one of them? */
static int take_early(ws_memory_side *side, slice *l, uint64_t ready, bool *taken)
{
    int status = WS_OK;
    for (size_t left = l->early.count; left && !*taken && !status; left--) {
        const uint64_t other = ws_fifo_front(&l->early).what;
        ws_fifo_drop(&l->early);
        status = take_in_turn(side, l, other, ready, taken);
    }
    return status;
}

static int arrive(ws_memory_side *side, slice *l, uint64_t tag, uint64_t ready)
{
    bool taken;
    int status = take_in_turn(side, l, tag, ready, &taken);
    while (!status && taken) {
        taken = false;
        if (!side->hub)
            status = take_early(side, l, ready, &taken);
        for (uint32_t i = 0; side->hub && i < side->slices && !taken && !status; i++)
            status = take_early(side, &side->slice[i], ready, &taken);
    }
    return status;
}

static bool takes_more(const ws_memory_side *side, const slice *l)
{
    return l->in.count < side->machine->l2_queue + side->machine->l2_latency;
}

/* The cycle of arrival is the first of them. */
static uint64_t slice_delay(const ws_memory_side *side)
{
    return side_core_cycles(side->machine, side->machine->chip_l2_clock, side->machine->l2_latency) - 1;
}

static int eject_at_slice(ws_memory_side *side, ws_network *network, slice *l)
{
    ws_packet packet;
    int status = WS_OK;
    const uint64_t delay = slice_delay(side);
    while (!status && takes_more(side, l) && ws_network_eject(network, l->node, &packet))
        status = arrive(side, l, packet.tag, side->now + delay);
    return status;
}

/* Answers are for an SM of the node. */
static int receive(ws_memory_side *side, uint32_t slot)
{
    const ws_coherence_message *const m = ws_message_pool_at(&side->messages, slot);
    return ws_fifo_add(&side->received[m->sm], side->now, slot);
}

static int eject_at_sms(ws_memory_side *side, ws_network *network, uint32_t node)
{
    ws_packet packet;
    int status = WS_OK;
    while (!status && ws_network_eject(network, node, &packet))
        status = receive(side, (uint32_t)packet.tag);
    return status;
}

/* Moves what was delivered at a node into a queue of the gateway, as far as there is room. */
static int eject_at_gateway(ws_memory_side *side, ws_network *network, uint32_t node, ws_fifo *to)
{
    ws_packet packet;
    int status = WS_OK;
    while (!status && side_border_has_room(side, to) && ws_network_eject(network, node, &packet))
        status = ws_fifo_add(to, side->now, packet.tag);
    return status;
}

static int eject_all(ws_memory_side *side, chip *c, ws_direction d)
{
    ws_network *const network = c->network[d];
    const uint64_t *const arrivals = ws_network_arrivals(network);
    int status = WS_OK;
    for (uint32_t word = 0; word < (side->nodes + 63) / 64; word++)
        for (uint64_t rest = arrivals[word]; rest && !status; rest &= rest - 1) {
            const uint32_t node = word * 64 + (uint32_t)__builtin_ctzll(rest);
            status = node == c->gateway ? eject_at_gateway(side, network, node, &c->leaving[d])
                     : d == WS_REPLIES  ? eject_at_sms(side, network, node)
                                        : eject_at_slice(side, network, &side->slice[c->slice_at[node]]);
        }
    return status;
}

/* What stays at its node goes at once, an answer to its SM, a request to the slice as soon as that takes more. *gone:
 * it did. */
static int pass_locally(ws_memory_side *side, const chip *c, ws_direction d, uint64_t tag, uint32_t node, bool *gone)
{
    slice *const l = &side->slice[c->slice_at[node]];
    *gone = d == WS_REPLIES || takes_more(side, l);
    if (!*gone)
        return WS_OK;
    return d == WS_REPLIES ? receive(side, (uint32_t)tag) : arrive(side, l, tag, side->now + slice_delay(side));
}

/* Puts a message into the network of its node. *gone: there was room. */
static int put(ws_memory_side *side, const chip *c, ws_direction d, uint64_t tag, uint32_t node, bool *gone)
{
    const ws_coherence_message *const m = ws_message_pool_at(&side->messages, (uint32_t)tag);
    uint32_t to_chip, to;
    const int status = target_of(side, d, m, &to_chip, &to);
    if (status)
        return status;
    const ws_packet packet = {.tag = tag,
                              .source = node,
                              .destination = to_chip == c->number ? to : c->gateway,
                              .bytes = message_bytes(side, m),
                              .kind = ws_traffic_kind_of(m, m->block * side->machine->l2_line),
                              .group = m->type == WS_MESSAGE_INVALIDATE ? m->block + 1 : 0};
    *gone = ws_network_inject(c->network[d], &packet);
    side->counted.stalls[d] += !*gone;
    return WS_OK;
}

/* Sends what waits at a node, oldest first. `on_its_way`: it came from another chip. */
static int inject(ws_memory_side *side, const chip *c, ws_direction d, ws_fifo *from, uint32_t node, bool on_its_way)
{
    while (from->count && ws_fifo_front(from).when <= side->now) {
        uint64_t tag = ws_fifo_front(from).what;
        const ws_coherence_message *const m = ws_message_pool_at(&side->messages, (uint32_t)tag);
        const bool local = !on_its_way && tag & LOCAL;
        const uint32_t bytes = message_bytes(side, m);
        uint32_t *counter = NULL;
        bool gone = false;
        int status = on_its_way ? WS_OK : number_message(side, d, (uint32_t)tag, &tag, &counter);
        if (!status)
            status = (local ? pass_locally : put)(side, c, d, tag, node, &gone);
        if (status || !gone)
            return status;
        if (!on_its_way)
            side_count_message(side, m, bytes);
        ws_fifo_drop(from);
        if (counter)
            ++*counter;
    }
    return WS_OK;
}

/* ------------------------------------------------------------------------------------------------ requests cross */

static int slice_at_home(ws_memory_side *side, const ws_coherence_message *m, slice **out)
{
    uint32_t number;
    const int status = ws_homes_slice(&side->homes, m->block, chip_of_sm(side, m->sm), &number);
    if (!status)
        *out = &side->slice[number];
    return status;
}

static int chip_of_target(ws_memory_side *side, ws_direction d, uint64_t tag, uint32_t *to_chip)
{
    uint32_t node;
    return target_of(side, d, ws_message_pool_at(&side->messages, (uint32_t)tag), to_chip, &node);
}

static int enter_network(ws_memory_side *side, chip *c, ws_direction d)
{
    return c->entering[d].count ? inject(side, c, d, &c->entering[d], c->gateway, true) : WS_OK;
}

/* Is there room for the first message of a queue in the network? */
static bool fits(const ws_memory_side *side, const ws_fifo *from, const ws_network *network, uint32_t node)
{
    const ws_coherence_message *const m = ws_message_pool_at(&side->messages, (uint32_t)ws_fifo_front(from).what);
    return ws_network_has_room(network, node, message_bytes(side, m));
}

static bool enters_network(const ws_memory_side *side, const chip *c, ws_direction d)
{
    return fits(side, &c->entering[d], c->network[d], c->gateway);
}

const side_crossing side_requests_cross = {.keeper = slice_at_home,
                                           .home_of = home_of_near,
                                           .ask = home_ask_near,
                                           .has_room = home_has_room_near,
                                           .target = chip_of_target,
                                           .enter = enter_network,
                                           .enters = enters_network};

/* ------------------------------------------------------------------------------------------------ between chips */

static int inject_into_link(ws_memory_side *side, chip *c, ws_direction d)
{
    ws_fifo *const from = &c->leaving[d];
    while (from->count) {
        const uint64_t tag = ws_fifo_front(from).what;
        const ws_coherence_message *const m = ws_message_pool_at(&side->messages, (uint32_t)tag);
        uint32_t to_chip;
        const int status = side->crossing->target(side, d, tag, &to_chip);
        if (status)
            return status;
        const ws_packet packet = {.tag = tag,
                                  .source = c->number,
                                  .destination = to_chip,
                                  .bytes = message_bytes(side, m),
                                  .kind = ws_traffic_kind_of(m, m->block * side->machine->l2_line)};
        if (!ws_network_inject(side->link[d], &packet))
            return WS_OK;
        ws_fifo_drop(from);
    }
    return WS_OK;
}

static int run_link(ws_memory_side *side, ws_direction d)
{
    ws_network *const link = side->link[d];
    int status = WS_OK;
    ws_network_step(link, own_cycles(side->machine, side->machine->link_clock, side->now));
    for (uint32_t i = 0; i < side->chips && !status; i++)
        status = inject_into_link(side, &side->chip[i], d);
    ws_network_step(link, own_cycles(side->machine, side->machine->link_clock, side->now + 1));
    for (uint32_t i = 0; i < side->chips && !status; i++)
        status = eject_at_gateway(side, link, i, &side->chip[i].entering[d]);
    return status;
}

/* ------------------------------------------------------------------------------------------------ a cycle, a window */

/* Requests come from the SMs, those of a cluster in turn, replies from the slices; either from other chips, too. */
static int inject_all(ws_memory_side *side, chip *c, ws_direction d)
{
    const uint32_t each = d == WS_REQUESTS ? side->machine->chip_sms : side->homes.map.slices;
    const uint32_t share = d == WS_REQUESTS && side->machine->network_cluster ? side->machine->network_cluster : 1;
    int status = WS_OK;
    for (uint32_t k = 0; k < each && !status; k++) {
        const uint32_t i = c->number * each + k / share * share + (k + side->now) % share;
        ws_fifo *const from = d == WS_REQUESTS ? &side->sending[i] : &side->slice[i].out;
        if (d == WS_REPLIES && side->slice[i].told.count)
            status = inject(side, c, d, &side->slice[i].told, side->slice[i].node, false);
        if (!status && from->count)
            status = inject(side, c, d, from, d == WS_REQUESTS ? side->sm_node[i] : side->slice[i].node, false);
    }
    return status || !side->crossing->enter ? status : side->crossing->enter(side, c, d);
}

static int run_networks(ws_memory_side *side, ws_direction d)
{
    const uint32_t khz = side->machine->chip_network_clock;
    const uint64_t now = own_cycles(side->machine, khz, side->now),
                   until = own_cycles(side->machine, khz, side->now + 1);
    int status = WS_OK;
    for (uint32_t i = 0; i < side->chips && !status; i++) {
        chip *const c = &side->chip[i];
        ws_network_step(c->network[d], now);
        status = inject_all(side, c, d);
        ws_network_step(c->network[d], until);
        if (!status)
            status = eject_all(side, c, d);
    }
    return status || !side->link[d] ? status : run_link(side, d);
}

static int run_cycle(ws_memory_side *side)
{
    const ws_machine *const m = side->machine;
    const uint64_t l2_cycles =
        own_cycles(m, m->chip_l2_clock, side->now + 1) - own_cycles(m, m->chip_l2_clock, side->now);
    const uint64_t memory_until = own_cycles(m, memory_khz(side), side->now + 1);
    int status = run_networks(side, WS_REQUESTS);
    for (uint64_t cycle = 0; cycle < l2_cycles && !status; cycle++)
        for (uint32_t i = 0; i < side->slices && !status; i++)
            status = run_slice(side, &side->slice[i]);
    if (!status && side->crossing->run)
        status = side->crossing->run(side);
    if (!status && side->l3)
        status = home_run_l3(side, l2_cycles);
    for (uint32_t i = 0; i < side->channels && !status; i++)
        status = channel_sleeps(side, &side->channel[i]) ? WS_OK : home_run_channel(side, i, memory_until);
    if (!status && side->crossing->send_back)
        status = side->crossing->send_back(side);
    return status ? status : run_networks(side, WS_REPLIES);
}

static bool has_arrived(const ws_network *network, uint32_t node)
{
    return ws_network_arrivals(network)[node / 64] >> node % 64 & 1;
}

/* Can the first message of an SM or a slice go, as far as others let it? */
static bool moves(const ws_memory_side *side, const chip *c, ws_direction d, const ws_fifo *from, uint32_t node)
{
    if (ws_fifo_front(from).what & LOCAL)
        return d == WS_REPLIES || takes_more(side, &side->slice[c->slice_at[node]]);
    return fits(side, from, c->network[d], node);
}

static uint64_t slice_time(const ws_memory_side *side, const slice *l, uint64_t now, bool *blocked)
{
    const chip *const c = &side->chip[l->chip];
    /* Requests that arrived while its queue was full have no other time. */
    if (l->fills.count || (l->out.count && moves(side, c, WS_REPLIES, &l->out, l->node)) ||
        (takes_more(side, l) && has_arrived(c->network[WS_REQUESTS], l->node)) ||
        (l->down.count && home_can_take(side, l)))
        return now;
    *blocked |= l->out.count || l->told.count;
    uint64_t next = l->wake;
    if (l->told.count && moves(side, c, WS_REPLIES, &l->told, l->node))
        next = side_sooner(next, ws_fifo_front(&l->told).when > now ? ws_fifo_front(&l->told).when : now);
    if (l->in.count && !l->refused && has_room(side, l))
        next = side_sooner(next, first_turn(side, l));
    return next;
}

static uint64_t channel_time(const ws_memory_side *side, const channel *c, uint64_t now)
{
    if (c->wanted.count) {
        const uint64_t first = ws_fifo_front(&c->wanted).when;
        if (side->memory->has_room(c->memory, first >> 1, first & 1))
            return now;
    }
    uint64_t next = side_core_cycle(side->machine, memory_khz(side), side->memory->next_time(c->memory));
    if (c->arrived.count)
        next = side_sooner(next, ws_fifo_front(&c->arrived).when);
    return next;
}

/* Can something move between the chip and the link? */
static bool gateway_moves(const ws_memory_side *side, const chip *c, ws_direction d, bool *blocked)
{
    const ws_fifo *const leaving = &c->leaving[d], *const entering = &c->entering[d];
    *blocked |= leaving->count || entering->count;
    return (leaving->count && fits(side, leaving, side->link[d], c->number)) ||
           (side_border_has_room(side, entering) && has_arrived(side->link[d], c->number)) ||
           (entering->count && side->crossing->enters(side, c, d)) ||
           (side_border_has_room(side, leaving) && has_arrived(c->network[d], c->gateway));
}

static uint64_t chip_time(const ws_memory_side *side, const chip *c, uint64_t now, bool *blocked)
{
    const ws_machine *const m = side->machine;
    uint64_t next = WS_NEVER;
    for (ws_direction d = 0; d < WS_DIRECTIONS; d++) {
        next = side_sooner(next, side_core_cycle(m, m->chip_network_clock, ws_network_next_time(c->network[d])));
        if (side->link[d] && gateway_moves(side, c, d, blocked))
            return now;
    }
    return next;
}

/* *blocked: somebody may be waiting for room in a network until then; what is not blocked moves now. */
static uint64_t find_next_time(const ws_memory_side *side, uint64_t now, bool *blocked)
{
    const ws_machine *const m = side->machine;
    uint64_t next = WS_NEVER;
    *blocked = false;
    for (ws_direction d = 0; d < WS_DIRECTIONS && side->link[d]; d++)
        next = side_sooner(next, side_core_cycle(m, m->link_clock, ws_network_next_time(side->link[d])));
    for (uint32_t i = 0; i < side->chips && next > now; i++)
        next = side_sooner(next, chip_time(side, &side->chip[i], now, blocked));
    for (uint32_t i = 0; i < side->sms && next > now; i++) {
        if (!side->sending[i].count)
            continue;
        if (moves(side, &side->chip[chip_of_sm(side, i)], WS_REQUESTS, &side->sending[i], side->sm_node[i]))
            next = side_sooner(next, ws_fifo_front(&side->sending[i]).when);
        else
            *blocked = true;
    }
    for (uint32_t i = 0; i < side->slices && next > now; i++)
        next = side_sooner(next, slice_time(side, &side->slice[i], now, blocked));
    for (uint32_t i = 0; i < side->channels && next > now; i++)
        next = side_sooner(next, channel_time(side, &side->channel[i], now));
    for (uint32_t i = 0; (side->agreement || side->l3) && i < side->channels && next > now; i++)
        next = side_sooner(next, home_time(side, i, now));
    return next > now ? next : now;
}

uint64_t ws_memory_side_next_time(const ws_memory_side *side, uint64_t now)
{
    bool blocked;
    return find_next_time(side, now, &blocked);
}

/* A queue's first message waits for room in a network, also in the cycles up to `until` that are skipped. */
static void wait_for_room(const ws_memory_side *side, const ws_fifo *queue, ws_network *network, uint32_t node,
                          uint64_t until, uint64_t *stalls)
{
    if (!queue->count || ws_fifo_front(queue).what & LOCAL || fits(side, queue, network, node))
        return;
    const uint64_t when = ws_fifo_front(queue).when, from = when > side->now ? when : side->now;
    if (from >= until)
        return;
    ws_network_count_refused(network, node, until - from);
    *stalls += until - from;
}

static void count_waits(ws_memory_side *side, uint64_t until)
{
    uint64_t at_link = 0; /* not reported */
    for (uint32_t i = 0; i < side->sms; i++)
        wait_for_room(side, &side->sending[i], side->chip[chip_of_sm(side, i)].network[WS_REQUESTS], side->sm_node[i],
                      until, &side->counted.stalls[WS_REQUESTS]);
    for (uint32_t i = 0; i < side->slices; i++)
        wait_for_room(side, &side->slice[i].out, side->chip[side->slice[i].chip].network[WS_REPLIES],
                      side->slice[i].node, until, &side->counted.stalls[WS_REPLIES]);
    for (ws_direction d = 0; d < WS_DIRECTIONS && side->link[d]; d++)
        for (uint32_t i = 0; i < side->chips; i++) {
            chip *const c = &side->chip[i];
            wait_for_room(side, &c->leaving[d], side->link[d], i, until, &at_link);
            if (side->crossing->enter)
                wait_for_room(side, &c->entering[d], c->network[d], c->gateway, until, &side->counted.stalls[d]);
        }
}

/* Each cycle is. */
static uint64_t this_time(const ws_memory_side *side, uint64_t now, bool *blocked)
{
    (void)side, (void)blocked;
    return now;
}

void ws_memory_side_skip(ws_memory_side *side, bool skip)
{
    side->next = skip ? find_next_time : this_time;
}

int ws_memory_side_run(ws_memory_side *side, uint64_t from, uint64_t until)
{
    side->now = from;
    while (side->now < until) {
        bool blocked = false;
        const uint64_t next = side->next(side, side->now, &blocked);
        if (blocked && next > side->now)
            count_waits(side, next < until ? next : until);
        if (next >= until)
            break;
        side->now = next;
        const int status = run_cycle(side);
        if (status)
            return status;
        side->now++;
    }
    side->now = until;
    return WS_OK;
}

int ws_memory_side_send(ws_memory_side *side, uint32_t sm, const ws_coherence_message *message, uint64_t cycle)
{
    uint32_t slot;
    slice *l = NULL;
    int status = ws_message_pool_hold(&side->messages, message, &slot);
    if (!status && side->machine->network_cluster)
        status = side->crossing->keeper(side, message, &l);
    return status ? status
                  : ws_fifo_add(&side->sending[sm], cycle, slot | (l && side_is_local(side, l, sm) ? LOCAL : 0));
}

size_t ws_memory_side_backlog(const ws_memory_side *side, uint32_t sm)
{
    return side->sending[sm].count;
}

bool ws_memory_side_receive(ws_memory_side *side, uint32_t sm, const ws_coherence_message **message, uint64_t *cycle)
{
    ws_fifo *const from = &side->received[sm];
    if (!from->count)
        return false;
    const ws_fifo_item item = ws_fifo_front(from);
    ws_fifo_drop(from);
    *cycle = item.when;
    *message = ws_message_pool_at(&side->messages, (uint32_t)item.what);
    ws_message_pool_drop(&side->messages, (uint32_t)item.what);
    return true;
}

/* ------------------------------------------------------------------------------------------------ launches */

uint64_t ws_memory_side_capacity(const ws_memory_side *side)
{
    const ws_machine *const m = side->machine;
    return (uint64_t)side->slices * m->l2_sets * m->l2_ways * m->l2_line;
}

uint64_t ws_memory_side_copied(const ws_memory_side *side)
{
    return side->copied.lines * side->machine->l2_line;
}

/* Words of a line that a copy wrote; it fills sectors of 32 bytes where it begins and ends. */
static uint32_t words_within(uint64_t line, uint32_t line_bytes, const ws_copy *copy)
{
    enum { SECTOR = 32, SECTOR_WORDS = SECTOR / WORD_BYTES };
    const uint64_t begin = line * line_bytes, past = copy->address + copy->bytes;
    const uint64_t from = copy->address > begin ? (copy->address - begin) / SECTOR : 0;
    const uint64_t to = past < begin + line_bytes ? (past - begin + SECTOR - 1) / SECTOR : line_bytes / SECTOR;
    return UINT32_MAX >> (MOST_WORDS - (to - from) * SECTOR_WORDS) << from * SECTOR_WORDS;
}

static int warm_copy(ws_memory_side *side, const ws_copy *copy, uint64_t most)
{
    const uint32_t line = side->machine->l2_line;
    const uint64_t past = (copy->address + copy->bytes + line - 1) / line, first = copy->address / line;
    int status = WS_OK;
    for (uint64_t l = past - first > most ? past - most : first; l < past && !status; l++)
        status = ws_copied_lines_add(&side->copied, l, words_within(l, line, copy));
    return status;
}

int ws_memory_side_warm(ws_memory_side *side, const ws_launch *launch)
{
    int status = WS_OK;
    for (size_t i = 0; i < launch->copies && side->machine->l2_warm && !status; i++)
        if (launch->copied[i].bytes &&
            launch->copied[i].bytes <= UINT64_MAX - launch->copied[i].address - side->machine->l2_line)
            status = warm_copy(side, &launch->copied[i], side->copied.most);
    return status;
}

/* Lines at home on the slice's chip stay: whoever writes one elsewhere takes this copy away (memory_side_home.c). */
bool side_is_at_home(void *context, uint64_t block)
{
    slice *const l = context;
    uint32_t number;
    ws_memory_side *const side = l->side;
    const int status = ws_homes_slice(&side->homes, block, l->chip, &number);
    if (status)
        side->failed = status;
    return number / side->homes.map.slices == l->chip;
}

bool ws_memory_side_keeps_copies(const ws_memory_side *side)
{
    return side->agreement;
}

int side_release_slice(ws_memory_side *side, slice *l, ws_slice_stays *which)
{
    const ws_coherence_ports ports = ports_of(l);
    const int status = side->l2->ops->chips->release(side->l2->shared, l->cache, which, &ports);
    return status ? status : side->failed;
}

int ws_memory_side_flush(ws_memory_side *side, uint64_t now)
{
    side->now = now;
    return side->agreement ? agree_end_launch(side) : WS_OK;
}

void ws_memory_side_note_flush(ws_memory_side *side)
{
    if (side->hub)
        side->l2->ops->hub->flush(side->l2->shared, side->hub);
}

typedef struct touch {
    ws_coherence_message read; /* what the slice wants of memory */
    bool wants;
} touch;

static void keep_read(void *context, const ws_coherence_message *m)
{
    touch *const t = context;
    if (m->type != WS_MESSAGE_DRAM_READ)
        return;
    t->read = *m;
    t->wants = true;
}

int ws_memory_side_touch(ws_memory_side *side, const ws_coherence_message *m)
{
    touch t = {.wants = false};
    const ws_coherence_ports ports = {.context = &t, .send = keep_read, .complete = no_completion, .hub = side->hub};
    slice *l;
    int status = side->crossing->keeper(side, m, &l);
    if (!status)
        status = side->l2->ops->message(side->l2->shared, l->cache, m, side->now, &ports);
    if (status || !t.wants)
        return status;
    ws_copied_lines_take(&side->copied, t.read.block, t.read.mask, side_all_words(side));
    t.read.type = WS_MESSAGE_DRAM_FILL;
    return side->l2->ops->message(side->l2->shared, l->cache, &t.read, side->now, &ports);
}

int ws_memory_side_end_launch(ws_memory_side *side)
{
    if (side->agreement)
        return sums_end_launch(side);
    if (!side->l2->ops->times)
        return WS_OK;
    side->l2->ops->times->reset(side->l2->shared, side->slice[0].cache);
    follow_resets(side, &side->slice[0]);
    return WS_OK;
}
