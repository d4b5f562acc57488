/* memory_side.c - from the port of an SM through the network to an L2 slice and its memory channel, and back; where a machine
 * has several chips, over the link to the chip where the line is at home.
 *
 * Everything keeps its own clock; a core cycle brings each part as far as its clock has come. Cycles in which nothing can
 * happen are skipped. */
#include "model/sim/memory_side_internal.h"

#include "base/status.h"
#include "model/sim/sm.h"
#include "model/sim/traffic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------------ clocks */

/* Core cycles that so many of that clock last, rounded up. */
static uint64_t core_cycles(const ws_machine *m, uint32_t khz, uint64_t own)
{
    return (own * m->chip_core_clock + khz - 1) / khz;
}

/* The core cycle in which cycle `own` of that clock is executed. */
static uint64_t core_cycle(const ws_machine *m, uint32_t khz, uint64_t own)
{
    if (own == WS_NEVER)
        return WS_NEVER;
    return core_cycles(m, khz, own + 1) - 1;
}

/* ------------------------------------------------------------------------------------------------ messages */

/* Those of read-only caches, which follow no protocol, are counted apart. */
static void count_message(ws_memory_side *side, const ws_coherence_message *m, uint32_t bytes)
{
    const bool read_only = (m->unit & WS_SM_UNIT_CACHE) != WS_SM_DATA;
    side->sent[read_only ? READ_ONLY : m->type]++;
    side->sent_bytes[read_only ? READ_ONLY : m->type] += bytes;
}

/* Stripes of consecutive bytes of a chip go round its channels, too: the address within its channel. */
static uint64_t channel_address(const ws_memory_side *side, uint64_t line, uint32_t at)
{
    const ws_machine *const m = side->machine;
    const uint64_t address = ws_slice_map_within(&side->homes.map, line) * m->l2_line + at;
    return address / m->l2_stripe / m->memory_channels * m->l2_stripe + address % m->l2_stripe;
}

/* ------------------------------------------------------------------------------------------------ L2 and memory */

static int new_fetch(ws_memory_side *side, fetch what, uint32_t *index)
{
    if (side->free_fetch == NO_ITEM) {
        const uint32_t room = side->fetch_room ? side->fetch_room * 2 : 64;
        fetch *const more = realloc(side->fetch, room * sizeof *more);
        if (!more)
            return ws_fail(WS_EMEM, "no memory for reads of memory");
        side->fetch = more;
        for (uint32_t i = room; i-- > side->fetch_room;) {
            more[i].next = side->free_fetch;
            side->free_fetch = i;
        }
        side->fetch_room = room;
    }
    *index = side->free_fetch;
    side->free_fetch = side->fetch[*index].next;
    side->fetch[*index] = what;
    return WS_OK;
}

/* The bursts that hold words of the mask (0: of the whole line) go to the channel. */
static int want(ws_memory_side *side, const slice *l, const ws_coherence_message *m, bool write)
{
    const ws_machine *const machine = side->machine;
    const uint32_t burst = side->part.burst_bytes < machine->l2_line ? side->part.burst_bytes : machine->l2_line;
    const uint32_t words = burst / WORD_BYTES;
    const uint32_t burst_mask = words < MOST_WORDS ? (1u << words) - 1 : UINT32_MAX;
    channel *const to = &side->channel[l->channel];
    uint32_t index = NO_ITEM;
    int status = write ? WS_OK
                       : new_fetch(side, (fetch){.line = m->block, .mask = m->mask, .slice = l->number}, &index);
    for (uint32_t at = 0; at < machine->l2_line && !status; at += burst) {
        if (m->mask && !(m->mask >> at / WORD_BYTES & burst_mask))
            continue;
        status = ws_fifo_add(&to->wanted, channel_address(side, m->block, at) << 1 | write, index);
        if (!write)
            side->fetch[index].left++;
    }
    return status;
}

static int ask_memory(ws_memory_side *side, slice *l, const ws_coherence_message *m)
{
    bool copied = false;
    uint32_t index;
    if (m->type == WS_MESSAGE_DRAM_WRITE) {
        const int written = ws_memory_image_write(&side->image, m);
        return written ? written : want(side, l, m, true);
    }
    int status = ws_copied_take(&side->copied, m->block, side->machine->l2_line, &copied);
    if (status || !copied)
        return status ? status : want(side, l, m, false);
    status = new_fetch(side, (fetch){.line = m->block, .mask = m->mask, .slice = l->number}, &index);
    return status ? status : ws_fifo_add(&l->fills, side->now, index);
}

/* What an L2 slice sends: to memory, or to an SM. */
static void send_from_slice(void *context, const ws_coherence_message *m)
{
    slice *const l = context;
    ws_memory_side *const side = l->side;
    if (side->failed)
        return;
    if (m->type == WS_MESSAGE_DRAM_READ || m->type == WS_MESSAGE_DRAM_WRITE) {
        count_message(side, m, side->machine->l2_line);
        side->failed = ask_memory(side, l, m);
        return;
    }
    uint32_t slot;
    side->failed = ws_message_pool_hold(&side->messages, m, &slot);
    if (!side->failed)
        side->failed = ws_fifo_add(&l->out, side->now, slot);
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
    const ws_level_ops *const ops = side->l2->ops;
    if (!ops->epoch || ops->epoch(side->l2->shared, first->cache) == side->epoch)
        return;
    side->epoch = ops->epoch(side->l2->shared, first->cache);
    for (uint32_t i = 0; i < side->slices; i++)
        while (ops->epoch(side->l2->shared, side->slice[i].cache) != side->epoch)
            ops->reset(side->l2->shared, side->slice[i].cache);
}

static int tell_slice(ws_memory_side *side, slice *l, const ws_coherence_message *m)
{
    const ws_coherence_ports ports = {.context = l, .send = send_from_slice, .complete = no_completion};
    const int status = side->l2->ops->message(side->l2->shared, l->cache, m, side->now, &ports);
    follow_resets(side, l);
    l->wake = side->l2->ops->next_time(side->l2->shared, l->cache, NULL, side->now);
    return status ? status : side->failed;
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
    const int status = tell_slice(side, l, &m);
    if (status)
        return status < 0 ? status : WS_OK;
    count_message(side, &m, side->machine->l2_line);
    ws_fifo_drop(&l->fills);
    side->fetch[index].next = side->free_fetch;
    side->free_fetch = index;
    l->refused = false;
    return WS_OK;
}

static bool has_room(const ws_memory_side *side, const slice *l)
{
    return l->out.count < side->machine->port_packets &&
           side->channel[l->channel].wanted.count < (size_t)side->machine->l2_queue * BURSTS_KEPT;
}

/* One cycle of an L2 slice: what time brought, what memory brought, a request. */
static int run_slice(ws_memory_side *side, slice *l)
{
    const ws_coherence_ports ports = {.context = l, .send = send_from_slice, .complete = no_completion};
    if (l->wake <= side->now) {
        const int status = side->l2->ops->advance(side->l2->shared, l->cache, side->now, &ports);
        if (status < 0 || side->failed)
            return status < 0 ? status : side->failed;
        follow_resets(side, l);
        l->wake = side->l2->ops->next_time(side->l2->shared, l->cache, NULL, side->now);
        l->refused = false;
    }
    if (l->fills.count)
        return fill_slice(side, l);
    if (!l->in.count || ws_fifo_front(&l->in).when > side->now || l->refused || !has_room(side, l))
        return WS_OK;
    const uint32_t slot = (uint32_t)ws_fifo_front(&l->in).what;
    const int status = tell_slice(side, l, ws_message_pool_at(&side->messages, slot));
    if (status) {
        l->refused = true;
        return status < 0 ? status : WS_OK;
    }
    ws_fifo_drop(&l->in);
    ws_message_pool_drop(&side->messages, slot);
    return WS_OK;
}

/* A channel has slept while nothing happened: its clock is brought to the present before it hears of something new. */
static int run_channel(ws_memory_side *side, channel *c, uint64_t until)
{
    const ws_memory_channel_ops *const ops = side->memory;
    int status = WS_OK;
    if (!c->wanted.count && !c->arrived.count && !ops->inside(c->memory))
        return WS_OK; /* it sleeps on */
    if (c->wanted.count)
        ops->step(c->memory, own_cycles(side->machine, memory_khz(side), side->now));
    while (c->wanted.count) {
        const ws_fifo_item item = ws_fifo_front(&c->wanted);
        const bool write = item.when & 1;
        if (!ops->has_room(c->memory, write) || !ops->push(c->memory, item.when >> 1, write, item.what))
            break;
        ws_fifo_drop(&c->wanted);
    }
    ops->step(c->memory, until);
    for (uint64_t tag; !status && ops->pop(c->memory, &tag);) {
        if (--side->fetch[tag].left)
            continue;
        const uint64_t delay = core_cycles(side->machine, memory_khz(side), side->machine->memory_latency);
        status = ws_fifo_add(&c->arrived, side->now + delay, tag);
    }
    while (!status && c->arrived.count && ws_fifo_front(&c->arrived).when <= side->now) {
        const uint64_t index = ws_fifo_front(&c->arrived).what;
        ws_fifo_drop(&c->arrived);
        status = ws_fifo_add(&side->slice[side->fetch[index].slice].fills, side->now, index);
    }
    return status;
}

/* ------------------------------------------------------------------------------------------------ networks */

/* The slice that serves a request; where pages are settled by touching them, it is settled now. */
static int slice_of(ws_memory_side *side, const ws_coherence_message *m, slice **out)
{
    uint32_t number;
    const int status = ws_homes_slice(&side->homes, m->block, chip_of_sm(side, m->sm), &number);
    if (!status)
        *out = &side->slice[number];
    return status;
}

/* Where a message goes: the chip, and the node there. */
static int target_of(ws_memory_side *side, ws_direction d, const ws_coherence_message *m, uint32_t *to_chip, uint32_t *node)
{
    if (d == WS_REPLIES) {
        *to_chip = chip_of_sm(side, m->sm);
        *node = side->sm_node[m->sm];
        return WS_OK;
    }
    slice *l;
    const int status = slice_of(side, m, &l);
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

/* One that begins its way. Requests of an SM to a slice are numbered, for they may overtake one another. */
static int number_message(ws_memory_side *side, ws_direction d, uint64_t slot, uint64_t *tag, uint32_t **counter)
{
    *counter = NULL;
    *tag = slot;
    if (d == WS_REPLIES)
        return WS_OK;
    const ws_coherence_message *const m = ws_message_pool_at(&side->messages, (uint32_t)slot);
    slice *l;
    const int status = slice_of(side, m, &l);
    if (status)
        return status;
    *counter = &side->sent_to[m->sm * side->slices + l->number];
    *tag = slot | (uint64_t)**counter << 32;
    return WS_OK;
}

/* Sends what waits at a node of a chip's network, oldest first. `on_its_way`: it came from another chip. */
static int inject(ws_memory_side *side, const chip *c, ws_direction d, ws_fifo *from, uint32_t node, bool on_its_way)
{
    while (from->count && ws_fifo_front(from).when <= side->now) {
        uint64_t tag = ws_fifo_front(from).what;
        const ws_coherence_message *const m = ws_message_pool_at(&side->messages, (uint32_t)tag);
        uint32_t to_chip, to, *counter = NULL;
        int status = on_its_way ? WS_OK : number_message(side, d, tag, &tag, &counter);
        if (!status)
            status = target_of(side, d, m, &to_chip, &to);
        if (status)
            return status;
        const ws_packet packet = {.tag = tag,
                                  .source = node,
                                  .destination = to_chip == c->number ? to : c->gateway,
                                  .bytes = message_bytes(side, m),
                                  .kind = ws_traffic_kind_of(m, m->block * side->machine->l2_line),
                                  .group = m->type == WS_MESSAGE_INVALIDATE ? m->block + 1 : 0};
        if (!ws_network_inject(c->network[d], &packet)) {
            side->stalls[d]++;
            return WS_OK;
        }
        if (!on_its_way)
            count_message(side, m, packet.bytes);
        ws_fifo_drop(from);
        if (counter)
            ++*counter;
    }
    return WS_OK;
}

/* Requests of an SM reach a slice in the order in which it sent them, which protocols rely on (coherence.h). In a network with
 * virtual channels one may overtake another; it waits then. *taken: it was its turn. */
static int take_in_turn(ws_memory_side *side, slice *l, uint64_t tag, uint64_t ready, bool *taken)
{
    const ws_coherence_message *const m = ws_message_pool_at(&side->messages, (uint32_t)tag);
    uint32_t *const next = &side->taken_from[m->sm * side->slices + l->number];
    *taken = *next == tag >> 32;
    if (!*taken)
        return ws_fifo_add(&l->early, 0, tag);
    ++*next;
    return ws_fifo_add(&l->in, ready, (uint32_t)tag);
}

static int arrive(ws_memory_side *side, slice *l, uint64_t tag, uint64_t ready)
{
    bool taken;
    int status = take_in_turn(side, l, tag, ready, &taken);
    while (!status && taken) {
        taken = false;
        for (size_t left = l->early.count; left && !taken && !status; left--) {
            const uint64_t other = ws_fifo_front(&l->early).what;
            ws_fifo_drop(&l->early);
            status = take_in_turn(side, l, other, ready, &taken);
        }
    }
    return status;
}

static bool takes_more(const ws_memory_side *side, const slice *l)
{
    return l->in.count < side->machine->l2_queue + side->machine->l2_latency;
}

/* Is there room for one more message between a chip and the link? */
static bool gateway_has_room(const ws_memory_side *side, const ws_fifo *queue)
{
    return queue->count < side->machine->link_queue;
}

static int eject_at_slice(ws_memory_side *side, ws_network *network, slice *l)
{
    ws_packet packet;
    int status = WS_OK;
    /* The cycle of arrival is the first of them. */
    const uint64_t delay = core_cycles(side->machine, side->machine->chip_l2_clock, side->machine->l2_latency) - 1;
    while (!status && takes_more(side, l) && ws_network_eject(network, l->node, &packet))
        status = arrive(side, l, packet.tag, side->now + delay);
    return status;
}

static int eject_at_sm(ws_memory_side *side, ws_network *network, uint32_t sm)
{
    ws_packet packet;
    int status = WS_OK;
    while (!status && ws_network_eject(network, side->sm_node[sm], &packet))
        status = ws_fifo_add(&side->received[sm], side->now, (uint32_t)packet.tag);
    return status;
}

/* Moves what was delivered at a node into a queue of the gateway, as far as there is room. */
static int eject_at_gateway(ws_memory_side *side, ws_network *network, uint32_t node, ws_fifo *to)
{
    ws_packet packet;
    int status = WS_OK;
    while (!status && gateway_has_room(side, to) && ws_network_eject(network, node, &packet))
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
            const end at = c->end[word * 64 + (uint32_t)__builtin_ctzll(rest)];
            status = at.kind == END_GATEWAY ? eject_at_gateway(side, network, c->gateway, &c->leaving[d])
                     : at.kind == END_SM    ? eject_at_sm(side, network, at.number)
                                            : eject_at_slice(side, network, &side->slice[at.number]);
        }
    return status;
}

/* ------------------------------------------------------------------------------------------------ between chips */

static int inject_into_link(ws_memory_side *side, chip *c, ws_direction d)
{
    ws_fifo *const from = &c->leaving[d];
    while (from->count) {
        const uint64_t tag = ws_fifo_front(from).what;
        const ws_coherence_message *const m = ws_message_pool_at(&side->messages, (uint32_t)tag);
        uint32_t to_chip, node;
        const int status = target_of(side, d, m, &to_chip, &node);
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

/* Requests come from the SMs, replies from the slices; either from other chips, too. */
static int inject_all(ws_memory_side *side, chip *c, ws_direction d)
{
    const uint32_t each = d == WS_REQUESTS ? side->machine->chip_sms : side->homes.map.slices;
    int status = WS_OK;
    for (uint32_t i = c->number * each, left = each; left && !status; i++, left--) {
        ws_fifo *const from = d == WS_REQUESTS ? &side->sending[i] : &side->slice[i].out;
        if (from->count)
            status = inject(side, c, d, from, d == WS_REQUESTS ? side->sm_node[i] : side->slice[i].node, false);
    }
    return status || !c->entering[d].count ? status : inject(side, c, d, &c->entering[d], c->gateway, true);
}

static int run_networks(ws_memory_side *side, ws_direction d)
{
    const uint32_t khz = side->machine->chip_network_clock;
    const uint64_t now = own_cycles(side->machine, khz, side->now), until = own_cycles(side->machine, khz, side->now + 1);
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
    const uint64_t l2_cycles = own_cycles(m, m->chip_l2_clock, side->now + 1) - own_cycles(m, m->chip_l2_clock, side->now);
    const uint64_t memory_until = own_cycles(m, memory_khz(side), side->now + 1);
    int status = run_networks(side, WS_REQUESTS);
    for (uint64_t cycle = 0; cycle < l2_cycles && !status; cycle++)
        for (uint32_t i = 0; i < side->slices && !status; i++)
            status = run_slice(side, &side->slice[i]);
    for (uint32_t i = 0; i < side->channels && !status; i++)
        status = run_channel(side, &side->channel[i], memory_until);
    return status ? status : run_networks(side, WS_REPLIES);
}

static uint64_t sooner(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static bool has_arrived(const ws_network *network, uint32_t node)
{
    return ws_network_arrivals(network)[node / 64] >> node % 64 & 1;
}

static uint64_t slice_time(const ws_memory_side *side, const slice *l, uint64_t now)
{
    const chip *const c = &side->chip[l->chip];
    /* Requests that arrived while its queue was full have no other time. */
    if (l->fills.count || (l->out.count && ws_network_has_room(c->network[WS_REPLIES], l->node, 1)) ||
        (takes_more(side, l) && has_arrived(c->network[WS_REQUESTS], l->node)))
        return now;
    uint64_t next = l->wake;
    if (l->in.count && !l->refused && has_room(side, l))
        next = sooner(next, ws_fifo_front(&l->in).when);
    return next;
}

static uint64_t channel_time(const ws_memory_side *side, const channel *c, uint64_t now)
{
    if (c->wanted.count && side->memory->has_room(c->memory, ws_fifo_front(&c->wanted).when & 1))
        return now;
    uint64_t next = core_cycle(side->machine, memory_khz(side), side->memory->next_time(c->memory));
    if (c->arrived.count)
        next = sooner(next, ws_fifo_front(&c->arrived).when);
    return next;
}

/* Can something move between the chip and the link? */
static bool gateway_moves(const ws_memory_side *side, const chip *c, ws_direction d)
{
    const ws_fifo *const leaving = &c->leaving[d], *const entering = &c->entering[d];
    return (leaving->count && ws_network_has_room(side->link[d], c->number, 1)) ||
           (entering->count && ws_network_has_room(c->network[d], c->gateway, 1)) ||
           (gateway_has_room(side, leaving) && has_arrived(c->network[d], c->gateway)) ||
           (gateway_has_room(side, entering) && has_arrived(side->link[d], c->number));
}

static uint64_t chip_time(const ws_memory_side *side, const chip *c, uint64_t now)
{
    const ws_machine *const m = side->machine;
    uint64_t next = WS_NEVER;
    for (ws_direction d = 0; d < WS_DIRECTIONS; d++) {
        next = sooner(next, core_cycle(m, m->chip_network_clock, ws_network_next_time(c->network[d])));
        if (side->link[d] && gateway_moves(side, c, d))
            return now;
    }
    return next;
}

uint64_t ws_memory_side_next_time(const ws_memory_side *side, uint64_t now)
{
    const ws_machine *const m = side->machine;
    uint64_t next = WS_NEVER;
    for (ws_direction d = 0; d < WS_DIRECTIONS && side->link[d]; d++)
        next = sooner(next, core_cycle(m, m->link_clock, ws_network_next_time(side->link[d])));
    for (uint32_t i = 0; i < side->chips && next > now; i++)
        next = sooner(next, chip_time(side, &side->chip[i], now));
    for (uint32_t i = 0; i < side->sms && next > now; i++)
        if (side->sending[i].count &&
            ws_network_has_room(side->chip[chip_of_sm(side, i)].network[WS_REQUESTS], side->sm_node[i], 1))
            next = sooner(next, ws_fifo_front(&side->sending[i]).when);
    for (uint32_t i = 0; i < side->slices && next > now; i++)
        next = sooner(next, slice_time(side, &side->slice[i], now));
    for (uint32_t i = 0; i < side->channels && next > now; i++)
        next = sooner(next, channel_time(side, &side->channel[i], now));
    return next > now ? next : now;
}

void ws_memory_side_skip(ws_memory_side *side, bool skip)
{
    side->every_cycle = !skip;
}

int ws_memory_side_run(ws_memory_side *side, uint64_t from, uint64_t until)
{
    side->now = from;
    while (side->now < until) {
        const uint64_t next = side->every_cycle ? side->now : ws_memory_side_next_time(side, side->now);
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
    const int status = ws_message_pool_hold(&side->messages, message, &slot);
    return status ? status : ws_fifo_add(&side->sending[sm], cycle, slot);
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

void ws_memory_side_warm(ws_memory_side *side, uint64_t bytes)
{
    const ws_machine *const m = side->machine;
    const uint64_t capacity = (uint64_t)side->slices * m->l2_sets * m->l2_ways * m->l2_line;
    if (m->l2_warm)
        side->copied.bytes = side->copied.bytes + bytes < capacity ? side->copied.bytes + bytes : capacity;
}

void ws_memory_side_end_launch(ws_memory_side *side)
{
    if (!side->l2->ops->reset)
        return;
    side->l2->ops->reset(side->l2->shared, side->slice[0].cache);
    follow_resets(side, &side->slice[0]);
}
