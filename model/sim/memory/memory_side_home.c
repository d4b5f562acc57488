/* memory_side_home.c - from an L2 slice to the home of a line, its part of the L3 and its memory channel, and back.
 *
 * A slice of lines that are at home on its chip has one channel, and nothing is between them. Where slices keep what
 * their own chip asks for (l2.side is requester), the home may be on another chip: what they ask and what comes back
 * then crosses the link. Of several chips the home is where all meet: atomics are performed there, and what one chip
 * writes there takes the home's own chip its copy. */
#include "model/sim/memory/memory_side_internal.h"

#include "base/grow.h"
#include "base/status.h"
#include "model/machine/machine.h"

#include <string.h>

/* ------------------------------------------------------------------------------------------------ reads under way */

static int new_fetch(ws_memory_side *side, fetch what, uint32_t *index)
{
    if (side->free_fetch == NO_ITEM) {
        const uint32_t before = side->fetch_room;
        if (WS_GROW(side->fetch, side->fetch_room, before, 1))
            return ws_fail(WS_EMEM, "no memory for reads of memory");
        memset(side->fetch + before, 0, (side->fetch_room - before) * sizeof *side->fetch);
        for (uint32_t i = side->fetch_room; i-- > before;) {
            side->fetch[i].next = side->free_fetch;
            side->free_fetch = i;
        }
    }
    *index = side->free_fetch;
    side->free_fetch = side->fetch[*index].next;
    side->fetch[*index] = what;
    return WS_OK;
}

void home_end_fetch(ws_memory_side *side, uint32_t index)
{
    side->fetch[index].next = side->free_fetch;
    side->free_fetch = index;
}

/* ------------------------------------------------------------------------------------------------ channels */

/* The slices of a channel share it, stripe by stripe: the address within the channel. */
static uint64_t channel_address(const ws_memory_side *side, uint64_t line, uint32_t at)
{
    const ws_machine *const m = side->machine;
    const ws_slice_map *const map = &side->homes.map;
    const uint64_t local = ws_slice_map_local(map, line);
    const uint64_t stripe =
        ws_quotient(&map->stripe, local) * m->l2_slices + ws_slice_map_slice(map, line) / m->memory_channels;
    return stripe * m->l2_stripe + ws_remainder(&map->stripe, local) * m->l2_line + at;
}

/* The bursts that hold words of the mask (0: of the whole line) go to the channel; `index`: the fetch of a read. */
static int want(ws_memory_side *side, uint32_t number, uint64_t line, uint32_t mask, uint32_t index)
{
    const ws_machine *const machine = side->machine;
    const uint32_t burst =
        machine->shape.part.burst_bytes < machine->l2_line ? machine->shape.part.burst_bytes : machine->l2_line;
    const uint32_t words = burst / WORD_BYTES;
    const uint32_t burst_mask = words < MOST_WORDS ? (1u << words) - 1 : UINT32_MAX;
    const bool write = index == NO_ITEM;
    channel *const to = &side->channel[number];
    int status = WS_OK;
    for (uint32_t at = 0; at < machine->l2_line && !status; at += burst) {
        if (mask && !(mask >> at / WORD_BYTES & burst_mask))
            continue;
        status = ws_fifo_add(&to->wanted, channel_address(side, line, at) << 1 | write, index);
        if (!write)
            side->fetch[index].left++;
    }
    return status;
}

static int want_write(ws_memory_side *side, uint32_t number, const ws_coherence_message *m)
{
    return want(side, number, m->block, m->mask, NO_ITEM);
}

/* For a slice, for the L3 before the channel (NO_ITEM), or for an atomic. */
static int want_read(ws_memory_side *side, uint32_t number, const ws_coherence_message *m, uint32_t of_slice,
                     uint32_t atomic)
{
    uint32_t index;
    const fetch what = {.line = m->block, .mask = m->mask, .slice = of_slice, .atomic = atomic};
    const int status = new_fetch(side, what, &index);
    return status ? status : want(side, number, m->block, m->mask, index);
}

/* ------------------------------------------------------------------------------------------------ back to slices */

/* What the slice asked for is there. */
static int bring(ws_memory_side *side, slice *l, uint64_t line, uint32_t mask)
{
    uint32_t index;
    const int status =
        new_fetch(side, (fetch){.line = line, .mask = mask, .slice = l->number, .atomic = NO_ITEM}, &index);
    return status ? status : ws_fifo_add(&l->fills, side->now, index);
}

slice *home_keeper(ws_memory_side *side, uint32_t on_chip, uint64_t line)
{
    const ws_slice_map *const map = &side->agreement->copies;
    return &side->slice[on_chip * map->slices + ws_slice_map_slice(map, line)];
}

/* An answer to the buffer of a chip. */
static bool is_sum(const ws_coherence_message *m)
{
    return m->type == WS_MESSAGE_ATOMIC_ACK && m->id == WS_SUMS_ID;
}

/* An answer to a slice, which may be on another chip. A read of a whole line bears a tag (home_ask). */
static int send_up(ws_memory_side *side, home *h, const ws_coherence_message *m)
{
    const bool fill = m->type == WS_MESSAGE_DRAM_FILL;
    slice *const l = fill ? &side->slice[m->sm] : home_keeper(side, chip_of_sm(side, m->sm), m->block);
    uint32_t slot;
    if (fill && l->chip == h->chip)
        return bring(side, l, m->block, m->tag ? 0 : m->mask);
    if (is_sum(m) && l->chip == h->chip)
        return WS_OK; /* nobody waits for it */
    const int status = ws_message_pool_hold(&side->messages, m, &slot);
    if (status)
        return status;
    return l->chip == h->chip ? side_answer(side, l, slot)
                              : ws_fifo_add(&h->up, side->now, slot | (uint64_t)l->number << 32);
}

/* An answer has come over the link. */
static int deliver(ws_memory_side *side, uint64_t tag)
{
    const ws_coherence_message *const m = ws_message_pool_at(&side->messages, (uint32_t)tag);
    slice *const l = &side->slice[tag >> 32];
    if (m->type != WS_MESSAGE_DRAM_FILL && m->type != WS_MESSAGE_INVALIDATE && !is_sum(m))
        return side_answer(side, l, (uint32_t)tag);
    const int status = is_sum(m)                          ? WS_OK
                       : m->type == WS_MESSAGE_INVALIDATE ? agree_give_up(side, l->chip, m)
                                                          : bring(side, l, m->block, m->mask);
    ws_message_pool_drop(&side->messages, (uint32_t)tag);
    return status;
}

/* The channel has read what an atomic needs: it is performed, and written. */
static int perform(ws_memory_side *side, home *h, uint32_t slot)
{
    ws_coherence_message m;
    memcpy(&m, ws_message_pool_at(&side->messages, slot), side->messages.bytes);
    ws_message_pool_drop(&side->messages, slot);
    m.type = WS_MESSAGE_ATOMIC_ACK;
    const int status = want_write(side, h->number, &m);
    return status ? status : send_up(side, h, &m);
}

/* All bursts of a fetch are there. */
static int end_read(ws_memory_side *side, home *h, uint32_t index)
{
    const fetch f = side->fetch[index];
    if (f.atomic != NO_ITEM) {
        home_end_fetch(side, index);
        return perform(side, h, f.atomic);
    }
    if (f.slice == NO_ITEM)
        return ws_fifo_add(&h->fills, side->now, index);
    if (side->slice[f.slice].chip == h->chip)
        return ws_fifo_add(&side->slice[f.slice].fills, side->now, index);
    ws_coherence_message m = side_message(WS_MESSAGE_DRAM_FILL, f.line, f.mask);
    m.sm = (uint16_t)f.slice;
    home_end_fetch(side, index);
    return send_up(side, h, &m);
}

/* A channel has slept while nothing happened: its clock is brought to the present before it hears of something new. */
int home_run_channel(ws_memory_side *side, uint32_t number, uint64_t until)
{
    const ws_memory_channel_ops *const ops = side->memory;
    channel *const c = &side->channel[number];
    int status = WS_OK;
    if (c->wanted.count)
        ops->step(c->memory, own_cycles(side->machine, memory_khz(side), side->now));
    while (c->wanted.count) {
        const ws_fifo_item item = ws_fifo_front(&c->wanted);
        const bool write = item.when & 1;
        if (!ops->has_room(c->memory, item.when >> 1, write) || !ops->push(c->memory, item.when >> 1, write, item.what))
            break;
        ws_fifo_drop(&c->wanted);
    }
    ops->step(c->memory, until);
    for (uint64_t tag; !status && ops->pop(c->memory, &tag);) {
        if (--side->fetch[tag].left)
            continue;
        const uint64_t delay = side_core_cycles(side->machine, memory_khz(side), side->machine->memory_latency);
        status = ws_fifo_add(&c->arrived, side->now + delay, tag);
    }
    while (!status && c->arrived.count && ws_fifo_front(&c->arrived).when <= side->now) {
        const uint64_t index = ws_fifo_front(&c->arrived).what;
        ws_fifo_drop(&c->arrived);
        status = end_read(side, &side->home[number], (uint32_t)index);
    }
    return status;
}

/* ------------------------------------------------------------------------------------------------ the L3 */

static bool channel_has_room(const ws_memory_side *side, uint32_t number, uint32_t requests)
{
    return side->channel[number].wanted.count < (size_t)requests * BURSTS_KEPT;
}

static void send_from_l3(void *context, const ws_coherence_message *m)
{
    home *const h = context;
    ws_memory_side *const side = h->side;
    if (side->failed)
        return;
    side->failed = m->type == WS_MESSAGE_DRAM_READ    ? want_read(side, h->number, m, NO_ITEM, NO_ITEM)
                   : m->type == WS_MESSAGE_DRAM_WRITE ? want_write(side, h->number, m)
                                                      : send_up(side, h, m);
}

static int tell_l3(ws_memory_side *side, home *h, const ws_coherence_message *m)
{
    const ws_coherence_ports ports = {.context = h, .send = send_from_l3};
    const int status = side->l3->ops->message(side->l3->shared, h->cache, m, side->now, &ports);
    return status ? status : side->failed;
}

static int fill_l3(ws_memory_side *side, home *h)
{
    const uint32_t index = (uint32_t)ws_fifo_front(&h->fills).what;
    const ws_coherence_message m = side_message(WS_MESSAGE_DRAM_FILL, side->fetch[index].line, side->fetch[index].mask);
    ws_fifo_drop(&h->fills);
    home_end_fetch(side, index);
    h->refused = false;
    side->counted.l3_fills++;
    return tell_l3(side, h, &m);
}

/* Will the L3 ask for nothing that has no room? */
static bool can_serve(const ws_memory_side *side, const home *h)
{
    return !h->refused && channel_has_room(side, h->number, side->machine->l3_queue) &&
           h->up.count < side->machine->port_packets;
}

/* One cycle of a part of the L3: what memory brought, or a request. */
static int run_l3(ws_memory_side *side, home *h)
{
    if (h->fills.count)
        return fill_l3(side, h);
    if (!h->in.count || ws_fifo_front(&h->in).when > side->now || !can_serve(side, h))
        return WS_OK;
    const uint32_t slot = (uint32_t)ws_fifo_front(&h->in).what;
    ws_coherence_message m;
    memcpy(&m, ws_message_pool_at(&side->messages, slot), side->messages.bytes);
    const int status = tell_l3(side, h, &m);
    if (status) {
        h->refused = true;
        return status < 0 ? status : WS_OK;
    }
    ws_fifo_drop(&h->in);
    ws_message_pool_drop(&side->messages, slot);
    return WS_OK;
}

/* ------------------------------------------------------------------------------------------------ from slices */

static bool room_at(const ws_memory_side *side, const home *h)
{
    return h->cache ? h->in.count < side->machine->l3_queue + side->machine->l3_latency
                    : channel_has_room(side, h->number, side->machine->l2_queue);
}

/* The chip whose slice, or SM, a message at a home is from. */
static uint32_t asking_chip(const ws_memory_side *side, const ws_coherence_message *m)
{
    return m->type == WS_MESSAGE_ATOMIC ? chip_of_sm(side, m->sm) : side->slice[m->sm].chip;
}

/* What another chip writes takes the copy of the home's own chip away. */
static int take_copy(ws_memory_side *side, const home *h, const ws_coherence_message *m)
{
    if (!side->agreement->table.probes || m->type == WS_MESSAGE_DRAM_READ || asking_chip(side, m) == h->chip)
        return WS_OK;
    return side_take_copy(side, home_keeper(side, h->chip, m->block), m->block, m->mask);
}

static int tell_agreement(ws_memory_side *side, home *h, const ws_coherence_message *m)
{
    int status = sums_at_home(side, m);
    if (!status)
        status = take_copy(side, h, m);
    return status ? status : agree_at_home(side, h, m, asking_chip(side, m));
}

/* A message of a slice is at its home, where there is room. */
static int arrive_home(ws_memory_side *side, home *h, uint32_t slot)
{
    ws_coherence_message m;
    memcpy(&m, ws_message_pool_at(&side->messages, slot), side->messages.bytes);
    int status = side->agreement ? tell_agreement(side, h, &m) : WS_OK;
    if (status)
        return status;
    if (h->cache) /* The cycle of arrival is the first of them. */
        return ws_fifo_add(
            &h->in,
            side->now + side_core_cycles(side->machine, side->machine->chip_l2_clock, side->machine->l3_latency) - 1,
            slot);
    if (m.type == WS_MESSAGE_ATOMIC)
        return want_read(side, h->number, &m, NO_ITEM, slot);
    status = m.type == WS_MESSAGE_DRAM_WRITE ? want_write(side, h->number, &m)
                                             : want_read(side, h->number, &m, m.sm, NO_ITEM);
    ws_message_pool_drop(&side->messages, slot);
    return status;
}

/* Keeps a message that goes on its way; reads and writes bear their slice, and the L3 is told words. */
static int hold(ws_memory_side *side, const slice *l, const ws_coherence_message *m, uint32_t *slot)
{
    const int status = ws_message_pool_hold(&side->messages, m, slot);
    if (status || m->type == WS_MESSAGE_ATOMIC)
        return status;
    ws_coherence_message *const held = ws_message_pool_at(&side->messages, *slot);
    held->sm = (uint16_t)l->number;
    held->tag = !m->mask;
    if (!m->mask)
        held->mask = UINT32_MAX >> (MOST_WORDS - side->machine->l2_line / WORD_BYTES);
    return WS_OK;
}

int home_ask(ws_memory_side *side, slice *l, const ws_coherence_message *m)
{
    bool copied = false;
    uint32_t number;
    int status = side->crossing->home_of(side, l, m->block, &number);
    if (!status && m->type == WS_MESSAGE_DRAM_WRITE)
        status = ws_memory_image_write(&side->image, m);
    if (!status && m->type == WS_MESSAGE_DRAM_READ)
        copied = ws_copied_lines_take(&side->copied, m->block, m->mask, side_all_words(side));
    if (status)
        return status;
    if (copied) {
        l->warm += side_sectors(side, m->mask);
        return bring(side, l, m->block, m->mask);
    }
    return side->crossing->ask(side, l, number, m);
}

int home_of_near(ws_memory_side *side, const slice *l, uint64_t line, uint32_t *number)
{
    (void)side, (void)line;
    *number = l->channel;
    return WS_OK;
}

int home_ask_near(ws_memory_side *side, slice *l, uint32_t number, const ws_coherence_message *m)
{
    if (!side->l3)
        return m->type == WS_MESSAGE_DRAM_WRITE ? want_write(side, number, m)
                                                : want_read(side, number, m, l->number, NO_ITEM);
    uint32_t slot;
    const int status = hold(side, l, m, &slot);
    return status ? status : arrive_home(side, &side->home[number], slot);
}

bool home_has_room_near(const ws_memory_side *side, const slice *l)
{
    return room_at(side, &side->home[l->channel]);
}

/* ------------------------------------------------------------------------------------------------ slices cross */

static int keeper_of(ws_memory_side *side, const ws_coherence_message *m, slice **out)
{
    *out = home_keeper(side, chip_of_sm(side, m->sm), m->block);
    return WS_OK;
}

static int home_of(ws_memory_side *side, const slice *l, uint64_t line, uint32_t *number)
{
    const uint32_t slices = side->homes.map.slices, channels = side->machine->memory_channels;
    uint32_t own;
    const int status = ws_homes_slice(&side->homes, line, l->chip, &own);
    if (!status)
        *number = own / slices * channels + own % slices % channels;
    return status;
}

static int ask_home(ws_memory_side *side, slice *l, uint32_t number, const ws_coherence_message *m)
{
    uint32_t slot;
    const int status = hold(side, l, m, &slot);
    return status ? status : ws_fifo_add(&l->down, side->now, slot | (uint64_t)number << 32);
}

static bool has_room(const ws_memory_side *side, const slice *l)
{
    return l->down.count < side->machine->port_packets;
}

/* tag: number of the home, or of the slice, << 32 | message. */
static int chip_of_target(ws_memory_side *side, ws_direction d, uint64_t tag, uint32_t *to_chip)
{
    *to_chip = (uint32_t)(tag >> 32) / (d == WS_REQUESTS ? side->machine->memory_channels : side->homes.map.slices);
    return WS_OK;
}

bool home_can_take(const ws_memory_side *side, const slice *l)
{
    if (!l->down.count)
        return false;
    const home *const h = &side->home[ws_fifo_front(&l->down).what >> 32];
    return h->chip == l->chip ? room_at(side, h)
                              : side_border_has_room(side, &side->chip[l->chip].leaving[WS_REQUESTS]);
}

static bool enters(const ws_memory_side *side, const chip *c, ws_direction d)
{
    return d == WS_REPLIES || room_at(side, &side->home[ws_fifo_front(&c->entering[d]).what >> 32]);
}

/* To a home on the chip, or to the border. */
static int send_down(ws_memory_side *side, slice *l)
{
    int status = WS_OK;
    while (!status && home_can_take(side, l)) {
        const uint64_t tag = ws_fifo_front(&l->down).what;
        home *const h = &side->home[tag >> 32];
        ws_fifo_drop(&l->down);
        status = h->chip == l->chip ? arrive_home(side, h, (uint32_t)tag)
                                    : ws_fifo_add(&side->chip[l->chip].leaving[WS_REQUESTS], side->now, tag);
    }
    return status;
}

/* What came over the link. */
static int enter(ws_memory_side *side, chip *c, ws_direction d)
{
    ws_fifo *const from = &c->entering[d];
    int status = WS_OK;
    while (!status && from->count && enters(side, c, d)) {
        const uint64_t tag = ws_fifo_front(from).what;
        ws_fifo_drop(from);
        status = d == WS_REPLIES ? deliver(side, tag) : arrive_home(side, &side->home[tag >> 32], (uint32_t)tag);
    }
    return status;
}

static int cross_chips(ws_memory_side *side)
{
    int status = WS_OK;
    for (uint32_t i = 0; i < side->chips && !status; i++)
        for (ws_direction d = 0; d < WS_DIRECTIONS && !status; d++)
            status = enter(side, &side->chip[i], d);
    for (uint32_t i = 0; i < side->slices && !status; i++)
        status = send_down(side, &side->slice[i]);
    return status;
}

static int send_back(ws_memory_side *side)
{
    int status = WS_OK;
    for (uint32_t i = 0; i < side->channels && !status; i++) {
        home *const h = &side->home[i];
        ws_fifo *const to = &side->chip[h->chip].leaving[WS_REPLIES];
        while (!status && h->up.count && side_border_has_room(side, to)) {
            status = ws_fifo_add(to, side->now, ws_fifo_front(&h->up).what);
            ws_fifo_drop(&h->up);
        }
    }
    return status;
}

const side_crossing side_slices_cross = {.keeper = keeper_of,
                                         .home_of = home_of,
                                         .ask = ask_home,
                                         .has_room = has_room,
                                         .target = chip_of_target,
                                         .run = cross_chips,
                                         .enters = enters,
                                         .send_back = send_back};

/* ------------------------------------------------------------------------------------------------ a cycle */

int home_run_l3(ws_memory_side *side, uint64_t l2_cycles)
{
    int status = WS_OK;
    for (uint64_t cycle = 0; cycle < l2_cycles && !status; cycle++)
        for (uint32_t i = 0; i < side->channels && !status; i++)
            status = run_l3(side, &side->home[i]);
    return status;
}

uint64_t home_time(const ws_memory_side *side, uint32_t number, uint64_t now)
{
    const home *const h = &side->home[number];
    if (h->fills.count || (h->up.count && side_border_has_room(side, &side->chip[h->chip].leaving[WS_REPLIES])))
        return now;
    return h->in.count && can_serve(side, h) ? ws_fifo_front(&h->in).when : WS_NEVER;
}
