/* memory_side.c - from the port of an SM through the network to an L2 slice and its memory channel, and back.
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

static int widen_messages(ws_memory_side *side)
{
    const uint32_t room = side->message_room ? side->message_room * 2 : 256;
    uint8_t *const message = realloc(side->message, (size_t)room * side->message_bytes);
    if (message)
        side->message = message;
    uint32_t *const next = message ? realloc(side->next_message, room * sizeof *next) : NULL;
    if (!next)
        return ws_fail(WS_EMEM, "no memory for messages");
    side->next_message = next;
    for (uint32_t i = room; i-- > side->message_room;) {
        next[i] = side->free_message;
        side->free_message = i;
    }
    side->message_room = room;
    return WS_OK;
}

static int hold_message(ws_memory_side *side, const ws_coherence_message *message, uint32_t *slot)
{
    if (side->free_message == NO_ITEM) {
        const int status = widen_messages(side);
        if (status)
            return status;
    }
    *slot = side->free_message;
    side->free_message = side->next_message[*slot];
    memcpy(message_at(side, *slot), message, side->message_bytes);
    side->messages_held++;
    return WS_OK;
}

static void drop_message(ws_memory_side *side, uint32_t slot)
{
    side->next_message[slot] = side->free_message;
    side->free_message = slot;
    side->messages_held--;
}

/* Those of read-only caches, which follow no protocol, are counted apart. */
static void count_message(ws_memory_side *side, const ws_coherence_message *m, uint32_t bytes)
{
    const bool read_only = (m->unit & WS_SM_UNIT_CACHE) != WS_SM_DATA;
    side->sent[read_only ? READ_ONLY : m->type]++;
    side->sent_bytes[read_only ? READ_ONLY : m->type] += bytes;
}

/* ------------------------------------------------------------------------------------------------ contents of memory */

static uint64_t hash(uint64_t x)
{
    x *= UINT64_C(0x9e3779b97f4a7c15);
    return x ^ x >> 29;
}

/* The place of a block in a table of keys (block + 1; 0 is free), whose length is a power of two. */
static size_t find_key(const uint64_t *keys, size_t room, uint64_t block)
{
    size_t at = hash(block) & (room - 1);
    while (keys[at] && keys[at] != block + 1)
        at = (at + 1) & (room - 1);
    return at;
}

static int widen_contents(ws_memory_side *side)
{
    if (side->contents_used * 2 < side->contents_room)
        return WS_OK;
    const size_t room = side->contents_room ? side->contents_room * 2 : 1024;
    uint64_t *const keys = calloc(room, sizeof *keys);
    uint32_t *const words = calloc(room * side->words, sizeof *words);
    if (!keys || !words) {
        free(keys);
        free(words);
        return ws_fail(WS_EMEM, "no memory for the contents of memory");
    }
    for (size_t i = 0; i < side->contents_room; i++) {
        if (!side->contents[i])
            continue;
        const size_t at = find_key(keys, room, side->contents[i] - 1);
        keys[at] = side->contents[i];
        memcpy(words + at * side->words, side->contents_words + i * side->words, side->words * sizeof *words);
    }
    free(side->contents);
    free(side->contents_words);
    side->contents = keys;
    side->contents_words = words;
    side->contents_room = room;
    return WS_OK;
}

static int write_contents(ws_memory_side *side, const ws_coherence_message *m)
{
    if (!side->words)
        return WS_OK;
    const int status = widen_contents(side);
    if (status)
        return status;
    const size_t at = find_key(side->contents, side->contents_room, m->block);
    side->contents_used += !side->contents[at];
    side->contents[at] = m->block + 1;
    for (uint32_t i = 0; i < side->words; i++)
        if (!m->mask || m->mask >> i & 1)
            side->contents_words[at * side->words + i] = m->data[i];
    return WS_OK;
}

static void read_contents(const ws_memory_side *side, ws_coherence_message *m)
{
    if (!side->words)
        return;
    memset(m->data, 0, side->words * sizeof *m->data);
    if (!side->contents_room)
        return;
    const size_t at = find_key(side->contents, side->contents_room, m->block);
    if (side->contents[at])
        memcpy(m->data, side->contents_words + at * side->words, side->words * sizeof *m->data);
}

/* Is this the first read of a block that the host may have copied? */
static int take_warm(ws_memory_side *side, uint64_t block, bool *warm)
{
    *warm = false;
    if (!side->warm_bytes)
        return WS_OK;
    if (side->seen_used * 2 >= side->seen_room) {
        const size_t room = side->seen_room ? side->seen_room * 2 : 4096;
        uint64_t *const keys = calloc(room, sizeof *keys);
        if (!keys)
            return ws_fail(WS_EMEM, "no memory for what is in L2");
        for (size_t i = 0; i < side->seen_room; i++)
            if (side->seen[i])
                keys[find_key(keys, room, side->seen[i] - 1)] = side->seen[i];
        free(side->seen);
        side->seen = keys;
        side->seen_room = room;
    }
    const size_t at = find_key(side->seen, side->seen_room, block);
    if (side->seen[at])
        return WS_OK;
    side->seen[at] = block + 1;
    side->seen_used++;
    const uint64_t line = side->machine->l2_line;
    side->warm_bytes -= line < side->warm_bytes ? line : side->warm_bytes;
    *warm = true;
    return WS_OK;
}

/* ------------------------------------------------------------------------------------------------ addresses */

/* Stripes of consecutive bytes go round the slices: slice of the whole chip, and the address within its channel. */
static uint32_t bank_of(const ws_memory_side *side, uint64_t block)
{
    return (uint32_t)(block * side->machine->l2_line / side->machine->l2_stripe % side->banks);
}

static uint64_t channel_address(const ws_memory_side *side, uint64_t address)
{
    const uint32_t stripe = side->machine->l2_stripe;
    return address / stripe / side->channels * stripe + address % stripe;
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

/* The bursts that hold words of the mask (0: of the whole block) go to the channel. */
static int want(ws_memory_side *side, uint32_t bank_number, const ws_coherence_message *m, bool write)
{
    const ws_machine *const machine = side->machine;
    const uint32_t burst = side->part.burst_bytes < machine->l2_line ? side->part.burst_bytes : machine->l2_line;
    const uint32_t words = burst / WORD_BYTES;
    const uint32_t burst_mask = words < MOST_WORDS ? (1u << words) - 1 : UINT32_MAX;
    channel *const to = &side->channel[bank_number % side->channels];
    uint32_t index = NO_ITEM;
    int status = write ? WS_OK
                       : new_fetch(side, (fetch){.block = m->block, .mask = m->mask, .bank = bank_number}, &index);
    for (uint32_t at = 0; at < machine->l2_line && !status; at += burst) {
        if (m->mask && !(m->mask >> at / WORD_BYTES & burst_mask))
            continue;
        const uint64_t address = channel_address(side, m->block * machine->l2_line + at);
        status = ws_fifo_add(&to->wanted, address << 1 | write, index);
        if (!write)
            side->fetch[index].left++;
    }
    return status;
}

static int ask_memory(ws_memory_side *side, bank *b, const ws_coherence_message *m)
{
    bool warm = false;
    uint32_t index;
    if (m->type == WS_MESSAGE_DRAM_WRITE) {
        const int written = write_contents(side, m);
        return written ? written : want(side, b->number, m, true);
    }
    int status = take_warm(side, m->block, &warm);
    if (status || !warm)
        return status ? status : want(side, b->number, m, false);
    status = new_fetch(side, (fetch){.block = m->block, .mask = m->mask, .bank = b->number}, &index);
    return status ? status : ws_fifo_add(&b->fills, side->now, index);
}

/* What an L2 slice sends: to memory, or to an SM. */
static void send_from_bank(void *context, const ws_coherence_message *m)
{
    bank *const b = context;
    ws_memory_side *const side = b->side;
    if (side->failed)
        return;
    if (m->type == WS_MESSAGE_DRAM_READ || m->type == WS_MESSAGE_DRAM_WRITE) {
        count_message(side, m, side->machine->l2_line);
        side->failed = ask_memory(side, b, m);
        return;
    }
    uint32_t slot;
    side->failed = hold_message(side, m, &slot);
    if (!side->failed)
        side->failed = ws_fifo_add(&b->out, side->now, slot);
    if (!side->failed && side->golden && (m->type == WS_MESSAGE_ACK || m->type == WS_MESSAGE_ATOMIC_ACK))
        side->failed = ws_golden_perform(side->golden, m, side->now);
}

static void no_completion(void *context, const ws_completion *completion)
{
    (void)context;
    (void)completion;
}

/* The slices start again together. */
static void follow_resets(ws_memory_side *side, const bank *first)
{
    const ws_level_ops *const ops = side->l2->ops;
    if (!ops->epoch || ops->epoch(side->l2->shared, first->cache) == side->epoch)
        return;
    side->epoch = ops->epoch(side->l2->shared, first->cache);
    for (uint32_t i = 0; i < side->banks; i++)
        while (ops->epoch(side->l2->shared, side->bank[i].cache) != side->epoch)
            ops->reset(side->l2->shared, side->bank[i].cache);
}

static int tell_bank(ws_memory_side *side, bank *b, const ws_coherence_message *m)
{
    const ws_coherence_ports ports = {.context = b, .send = send_from_bank, .complete = no_completion};
    const int status = side->l2->ops->message(side->l2->shared, b->cache, m, side->now, &ports);
    follow_resets(side, b);
    b->wake = side->l2->ops->next_time(side->l2->shared, b->cache, NULL, side->now);
    return status ? status : side->failed;
}

static int fill_bank(ws_memory_side *side, bank *b)
{
    const uint32_t index = (uint32_t)ws_fifo_front(&b->fills).what;
    ws_coherence_message m;
    memset(&m, 0, offsetof(ws_coherence_message, data));
    m.type = WS_MESSAGE_DRAM_FILL;
    m.block = side->fetch[index].block;
    m.mask = side->fetch[index].mask;
    read_contents(side, &m);
    const int status = tell_bank(side, b, &m);
    if (status)
        return status < 0 ? status : WS_OK;
    count_message(side, &m, side->machine->l2_line);
    ws_fifo_drop(&b->fills);
    side->fetch[index].next = side->free_fetch;
    side->free_fetch = index;
    b->refused = false;
    return WS_OK;
}

static bool has_room(const ws_memory_side *side, const bank *b)
{
    return b->out.count < side->machine->port_packets &&
           side->channel[b->number % side->channels].wanted.count < (size_t)side->machine->l2_queue * BURSTS_KEPT;
}

/* One cycle of an L2 slice: what time brought, what memory brought, a request. */
static int run_bank(ws_memory_side *side, bank *b)
{
    const ws_coherence_ports ports = {.context = b, .send = send_from_bank, .complete = no_completion};
    if (b->wake <= side->now) {
        const int status = side->l2->ops->advance(side->l2->shared, b->cache, side->now, &ports);
        if (status < 0 || side->failed)
            return status < 0 ? status : side->failed;
        follow_resets(side, b);
        b->wake = side->l2->ops->next_time(side->l2->shared, b->cache, NULL, side->now);
        b->refused = false;
    }
    if (b->fills.count)
        return fill_bank(side, b);
    if (!b->in.count || ws_fifo_front(&b->in).when > side->now || b->refused || !has_room(side, b))
        return WS_OK;
    const uint32_t slot = (uint32_t)ws_fifo_front(&b->in).what;
    const int status = tell_bank(side, b, message_at(side, slot));
    if (status) {
        b->refused = true;
        return status < 0 ? status : WS_OK;
    }
    ws_fifo_drop(&b->in);
    drop_message(side, slot);
    return WS_OK;
}

/* A channel has slept while nothing happened: its clock is brought to the present before it hears of something new. */
static int run_channel(ws_memory_side *side, channel *c, uint64_t until)
{
    int status = WS_OK;
    if (c->wanted.count)
        ws_dram_step(c->dram, own_cycles(side->machine, memory_khz(side), side->now));
    while (c->wanted.count) {
        const ws_fifo_item item = ws_fifo_front(&c->wanted);
        ws_dram_request request = {.tag = item.what, .address = item.when >> 1, .write = item.when & 1};
        if (!ws_dram_has_room(c->dram, request.write))
            break;
        ws_dram_map_place(&side->map, request.address, &request.at);
        if (!ws_dram_push(c->dram, &request))
            break;
        ws_fifo_drop(&c->wanted);
    }
    ws_dram_step(c->dram, until);
    for (ws_dram_request request; !status && ws_dram_pop(c->dram, &request);) {
        fetch *const f = &side->fetch[request.tag];
        if (--f->left)
            continue;
        const uint64_t delay = core_cycles(side->machine, memory_khz(side), side->machine->memory_latency);
        status = ws_fifo_add(&c->arrived, side->now + delay, request.tag);
    }
    while (!status && c->arrived.count && ws_fifo_front(&c->arrived).when <= side->now) {
        const uint64_t index = ws_fifo_front(&c->arrived).what;
        ws_fifo_drop(&c->arrived);
        status = ws_fifo_add(&side->bank[side->fetch[index].bank].fills, side->now, index);
    }
    return status;
}

/* ------------------------------------------------------------------------------------------------ networks */

/* Sends what waits at a node, oldest first. */
static int inject(ws_memory_side *side, ws_network *net, ws_fifo *from, uint32_t node, bool reply)
{
    while (from->count && ws_fifo_front(from).when <= side->now) {
        const uint32_t slot = (uint32_t)ws_fifo_front(from).what;
        const ws_coherence_message *const m = message_at(side, slot);
        const uint32_t bytes = side->l1->ops->message_bytes(side->l1->shared, side->machine, m);
        uint32_t *const number = reply ? NULL : &side->sent_to[m->sm * side->banks + bank_of(side, m->block)];
        const ws_packet packet = {.tag = slot | (number ? (uint64_t)*number << 32 : 0),
                                  .source = node,
                                  .destination = reply ? side->sm_node[m->sm] : side->bank[bank_of(side, m->block)].node,
                                  .bytes = bytes,
                                  .kind = ws_traffic_kind_of(m, m->block * side->machine->l2_line)};
        if (!ws_network_inject(net, &packet)) {
            side->stalls[reply]++;
            return WS_OK;
        }
        count_message(side, m, bytes);
        ws_fifo_drop(from);
        if (number)
            ++*number;
    }
    return WS_OK;
}

/* Requests of an SM reach a bank in the order in which it sent them, which protocols rely on (coherence.h). In a network with
 * virtual channels one may overtake another; it waits then. *taken: it was its turn. */
static int take_in_turn(ws_memory_side *side, bank *b, uint64_t tag, uint64_t ready, bool *taken)
{
    uint32_t *const next = &side->taken_from[message_at(side, (uint32_t)tag)->sm * side->banks + b->number];
    *taken = *next == tag >> 32;
    if (!*taken)
        return ws_fifo_add(&b->early, 0, tag);
    ++*next;
    return ws_fifo_add(&b->in, ready, (uint32_t)tag);
}

static int arrive(ws_memory_side *side, bank *b, uint64_t tag, uint64_t ready)
{
    bool taken;
    int status = take_in_turn(side, b, tag, ready, &taken);
    while (!status && taken) {
        taken = false;
        for (size_t left = b->early.count; left && !taken && !status; left--) {
            const uint64_t other = ws_fifo_front(&b->early).what;
            ws_fifo_drop(&b->early);
            status = take_in_turn(side, b, other, ready, &taken);
        }
    }
    return status;
}

static bool takes_more(const ws_memory_side *side, const bank *b)
{
    return b->in.count < side->machine->l2_queue + side->machine->l2_latency;
}

static int eject_at_bank(ws_memory_side *side, bank *b)
{
    ws_packet packet;
    int status = WS_OK;
    /* The cycle of arrival is the first of them. */
    const uint64_t delay = core_cycles(side->machine, side->machine->chip_l2_clock, side->machine->l2_latency) - 1;
    while (!status && takes_more(side, b) && ws_network_eject(side->request, b->node, &packet))
        status = arrive(side, b, packet.tag, side->now + delay);
    return status;
}

static int eject_at_sm(ws_memory_side *side, uint32_t sm)
{
    ws_packet packet;
    int status = WS_OK;
    while (!status && ws_network_eject(side->reply, side->sm_node[sm], &packet))
        status = ws_fifo_add(&side->received[sm], side->now, packet.tag);
    return status;
}

static int eject_all(ws_memory_side *side, const ws_network *net, bool reply)
{
    const uint64_t *const arrivals = ws_network_arrivals(net);
    const uint32_t nodes = side->sms + side->banks;
    for (uint32_t word = 0; word < (nodes + 63) / 64; word++)
        for (uint64_t rest = arrivals[word]; rest; rest &= rest - 1) {
            const uint32_t at = side->number_of_node[word * 64 + (uint32_t)__builtin_ctzll(rest)];
            const int status = reply ? eject_at_sm(side, at) : eject_at_bank(side, &side->bank[at & ~(1u << 31)]);
            if (status)
                return status;
        }
    return WS_OK;
}

/* ------------------------------------------------------------------------------------------------ a cycle, a window */

static int run_requests(ws_memory_side *side)
{
    ws_network_step(side->request, own_cycles(side->machine, side->machine->chip_network_clock, side->now));
    for (uint32_t sm = 0; sm < side->sms; sm++) {
        const int status = inject(side, side->request, &side->sending[sm], side->sm_node[sm], false);
        if (status)
            return status;
    }
    ws_network_step(side->request, own_cycles(side->machine, side->machine->chip_network_clock, side->now + 1));
    return eject_all(side, side->request, false);
}

static int run_replies(ws_memory_side *side)
{
    ws_network_step(side->reply, own_cycles(side->machine, side->machine->chip_network_clock, side->now));
    for (uint32_t i = 0; i < side->banks; i++) {
        const int status = inject(side, side->reply, &side->bank[i].out, side->bank[i].node, true);
        if (status)
            return status;
    }
    ws_network_step(side->reply, own_cycles(side->machine, side->machine->chip_network_clock, side->now + 1));
    return eject_all(side, side->reply, true);
}

static int run_cycle(ws_memory_side *side)
{
    const ws_machine *const m = side->machine;
    const uint64_t l2_cycles = own_cycles(m, m->chip_l2_clock, side->now + 1) - own_cycles(m, m->chip_l2_clock, side->now);
    const uint64_t memory_until = own_cycles(m, memory_khz(side), side->now + 1);
    int status = run_requests(side);
    for (uint64_t cycle = 0; cycle < l2_cycles && !status; cycle++)
        for (uint32_t i = 0; i < side->banks && !status; i++)
            status = run_bank(side, &side->bank[i]);
    for (uint32_t i = 0; i < side->channels && !status; i++)
        status = run_channel(side, &side->channel[i], memory_until);
    return status ? status : run_replies(side);
}

static uint64_t sooner(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Requests that arrived while its queue was full. */
static bool has_arrivals(const ws_memory_side *side, const bank *b)
{
    return takes_more(side, b) && ws_network_arrivals(side->request)[b->node / 64] >> b->node % 64 & 1;
}

static uint64_t bank_time(const ws_memory_side *side, const bank *b, uint64_t now)
{
    if (b->fills.count || (b->out.count && ws_network_has_room(side->reply, b->node, 1)) || has_arrivals(side, b))
        return now;
    uint64_t next = b->wake;
    if (b->in.count && !b->refused && has_room(side, b))
        next = sooner(next, ws_fifo_front(&b->in).when);
    return next;
}

static uint64_t channel_time(const ws_memory_side *side, const channel *c, uint64_t now)
{
    if (c->wanted.count && ws_dram_has_room(c->dram, ws_fifo_front(&c->wanted).when & 1))
        return now;
    uint64_t next = core_cycle(side->machine, memory_khz(side), ws_dram_next_time(c->dram));
    if (c->arrived.count)
        next = sooner(next, ws_fifo_front(&c->arrived).when);
    return next;
}

uint64_t ws_memory_side_next_time(const ws_memory_side *side, uint64_t now)
{
    const uint32_t khz = side->machine->chip_network_clock;
    uint64_t next = core_cycle(side->machine, khz, ws_network_next_time(side->request));
    next = sooner(next, core_cycle(side->machine, khz, ws_network_next_time(side->reply)));
    for (uint32_t i = 0; i < side->sms && next > now; i++)
        if (side->sending[i].count && ws_network_has_room(side->request, side->sm_node[i], 1))
            next = sooner(next, ws_fifo_front(&side->sending[i]).when);
    for (uint32_t i = 0; i < side->banks && next > now; i++)
        next = sooner(next, bank_time(side, &side->bank[i], now));
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
    const int status = hold_message(side, message, &slot);
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
    *message = message_at(side, (uint32_t)item.what);
    drop_message(side, (uint32_t)item.what);
    return true;
}

/* ------------------------------------------------------------------------------------------------ making one */

/* SMs and slices spread over the nodes so that slices are as far apart as can be, or slices behind SMs. */
static void place_nodes(ws_memory_side *side)
{
    const uint32_t nodes = side->sms + side->banks;
    const bool spread = strcmp(side->machine->network_placement, "last") != 0;
    uint32_t sm = 0, number = 0;
    for (uint32_t node = 0; node < nodes; node++) {
        const bool memory = spread ? (uint64_t)(node + 1) * side->banks / nodes > number : node >= side->sms;
        if (memory) {
            side->number_of_node[node] = 1u << 31 | number;
            side->bank[number++].node = node;
        } else {
            side->number_of_node[node] = sm;
            side->sm_node[sm++] = node;
        }
    }
}

static int make_banks(ws_memory_side *side)
{
    for (uint32_t i = 0; i < side->banks; i++) {
        bank *const b = &side->bank[i];
        const size_t bytes = side->l2->ops->bytes(side->l2->shared);
        b->side = side;
        b->number = i;
        b->wake = WS_NEVER;
        b->cache = aligned_alloc(64, (bytes + 63) & ~(size_t)63);
        if (!b->cache)
            return ws_fail(WS_EMEM, "no memory for L2");
        memset(b->cache, 0, bytes);
        side->l2->ops->init(side->l2->shared, b->cache, i);
    }
    return WS_OK;
}

static int make_channels(ws_memory_side *side)
{
    const ws_machine *const m = side->machine;
    /* The slice chooses the channel, so what selects channels in the part's own map is not used. */
    const char *mapping = strchr(side->part.mapping, ';') ? strchr(side->part.mapping, ';') + 1 : side->part.mapping;
    if (mapping == side->part.mapping && strncmp(mapping, "dramid@", 7) == 0)
        mapping += strcspn(mapping, " ") + 1;
    int status = ws_dram_map_parse(mapping, m->memory_part, &side->part, 1, &side->map);
    for (uint32_t i = 0; i < side->channels && !status; i++)
        status = ws_dram_create(m->memory_controller, &side->part, m->memory.list, m->memory.count,
                                &side->channel[i].dram);
    return status;
}

static int make_all(ws_memory_side *side)
{
    const ws_machine *const m = side->machine;
    const uint32_t nodes = side->sms + side->banks;
    side->sm_node = calloc(side->sms, sizeof *side->sm_node);
    side->number_of_node = calloc(nodes, sizeof *side->number_of_node);
    side->bank = calloc(side->banks, sizeof *side->bank);
    side->channel = calloc(side->channels, sizeof *side->channel);
    side->sending = calloc(side->sms, sizeof *side->sending);
    side->received = calloc(side->sms, sizeof *side->received);
    side->sent_to = calloc((size_t)side->sms * side->banks, sizeof *side->sent_to);
    side->taken_from = calloc((size_t)side->sms * side->banks, sizeof *side->taken_from);
    if (!side->sent_to || !side->taken_from || !side->sm_node || !side->number_of_node || !side->bank || !side->channel || !side->sending || !side->received)
        return ws_fail(WS_EMEM, "no memory for the memory side of a machine");
    place_nodes(side);
    int status = ws_machine_part(m, &side->part);
    if (!status)
        status = ws_network_create(m->network_kind, nodes, m->network.list, m->network.count, &side->request);
    if (!status)
        status = ws_network_create(m->network_kind, nodes, m->network.list, m->network.count, &side->reply);
    if (!status)
        status = make_banks(side);
    return status ? status : make_channels(side);
}

int ws_memory_side_create(const ws_machine *machine, const ws_level *l1, const ws_level *l2, uint32_t words,
                          ws_golden *golden, ws_memory_side **out)
{
    ws_memory_side *const side = calloc(1, sizeof *side);
    if (!side)
        return ws_fail(WS_EMEM, "no memory for the memory side of a machine");
    side->machine = machine;
    side->l1 = l1;
    side->l2 = l2;
    side->golden = golden;
    side->words = words;
    side->message_bytes = (offsetof(ws_coherence_message, data) + words * sizeof(uint32_t) + 7) & ~(size_t)7;
    side->sms = machine->chip_sms;
    side->channels = machine->memory_channels;
    side->banks = machine->memory_channels * machine->l2_slices;
    side->free_message = side->free_fetch = NO_ITEM;
    const int status = make_all(side);
    if (status) {
        ws_memory_side_destroy(side);
        return status;
    }
    *out = side;
    return WS_OK;
}

void ws_memory_side_destroy(ws_memory_side *side)
{
    if (!side)
        return;
    for (uint32_t i = 0; side->bank && i < side->banks; i++) {
        free(side->bank[i].cache);
        ws_fifo_fini(&side->bank[i].in);
        ws_fifo_fini(&side->bank[i].out);
        ws_fifo_fini(&side->bank[i].fills);
        ws_fifo_fini(&side->bank[i].early);
    }
    for (uint32_t i = 0; side->channel && i < side->channels; i++) {
        ws_dram_destroy(side->channel[i].dram);
        ws_fifo_fini(&side->channel[i].wanted);
        ws_fifo_fini(&side->channel[i].arrived);
    }
    for (uint32_t i = 0; side->sending && side->received && i < side->sms; i++) {
        ws_fifo_fini(&side->sending[i]);
        ws_fifo_fini(&side->received[i]);
    }
    ws_network_destroy(side->request);
    ws_network_destroy(side->reply);
    free(side->sm_node);
    free(side->number_of_node);
    free(side->bank);
    free(side->channel);
    free(side->sent_to);
    free(side->taken_from);
    free(side->sending);
    free(side->received);
    free(side->message);
    free(side->next_message);
    free(side->fetch);
    free(side->contents);
    free(side->contents_words);
    free(side->seen);
    free(side);
}

/* ------------------------------------------------------------------------------------------------ launches */

void ws_memory_side_warm(ws_memory_side *side, uint64_t bytes)
{
    const ws_machine *const m = side->machine;
    const uint64_t capacity = (uint64_t)side->banks * m->l2_sets * m->l2_ways * m->l2_line;
    if (m->l2_warm)
        side->warm_bytes = side->warm_bytes + bytes < capacity ? side->warm_bytes + bytes : capacity;
}

void ws_memory_side_end_launch(ws_memory_side *side)
{
    if (!side->l2->ops->reset)
        return;
    side->l2->ops->reset(side->l2->shared, side->bank[0].cache);
    follow_resets(side, &side->bank[0]);
}
