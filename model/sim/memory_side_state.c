/* memory_side_state.c - the state of the memory side: who wants to look at it, and checkpoints. */
#include "model/sim/memory_side_internal.h"

#include "base/status.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------------ looking in */

uint64_t ws_memory_side_inside(const ws_memory_side *side)
{
    uint64_t inside = side->messages_held;
    for (uint32_t i = 0; i < side->banks; i++)
        inside += side->bank[i].fills.count + side->l2->ops->waiting(side->l2->shared, side->bank[i].cache);
    for (uint32_t i = 0; i < side->channels; i++)
        inside += side->channel[i].wanted.count + side->channel[i].arrived.count + ws_dram_inside(side->channel[i].dram);
    return inside;
}

const ws_network *ws_memory_side_network(const ws_memory_side *side, bool replies)
{
    return replies ? side->reply : side->request;
}

uint32_t ws_memory_side_node(const ws_memory_side *side, bool of_bank, uint32_t number)
{
    return of_bank ? side->bank[number].node : side->sm_node[number];
}

uint32_t ws_memory_side_banks(const ws_memory_side *side)
{
    return side->banks;
}

uint32_t ws_memory_side_channels(const ws_memory_side *side)
{
    return side->channels;
}

const ws_dram *ws_memory_side_channel(const ws_memory_side *side, uint32_t number)
{
    return side->channel[number].dram;
}

uint64_t ws_memory_side_memory_cycles(const ws_memory_side *side)
{
    return own_cycles(side->machine, memory_khz(side), side->now);
}

const ws_dram_part *ws_memory_side_part(const ws_memory_side *side)
{
    return &side->part;
}

ws_cache_counts ws_memory_side_cache_counts(const ws_memory_side *side, uint32_t number)
{
    return side->l2->ops->counts(side->l2->shared, side->bank[number].cache);
}

uint64_t ws_memory_side_messages(const ws_memory_side *side, ws_message_type type, uint64_t *bytes)
{
    if (bytes)
        *bytes = side->sent_bytes[type];
    return side->sent[type];
}

uint64_t ws_memory_side_read_only(const ws_memory_side *side, uint64_t *bytes)
{
    *bytes = side->sent_bytes[READ_ONLY];
    return side->sent[READ_ONLY];
}

uint64_t ws_memory_side_stalls(const ws_memory_side *side, bool replies)
{
    return side->stalls[replies];
}

void ws_memory_side_timestamps(const ws_memory_side *side, uint64_t *resets, uint32_t *greatest)
{
    *resets = side->epoch;
    *greatest = 0;
    for (uint32_t i = 0; i < side->banks && side->l2->ops->timestamp; i++) {
        const uint32_t own = side->l2->ops->timestamp(side->l2->shared, side->bank[i].cache);
        *greatest = own > *greatest ? own : *greatest;
    }
}

typedef struct teller {
    const ws_memory_side *side;
    void (*say)(void *user, const char *line);
    void *user;
    const char *network;
} teller;

static void tell_packet(void *user, const ws_packet *packet, int where)
{
    static const char *const places[] = {"waits at its source", "was delivered and is not taken", "is on its way"};
    const teller *const t = user;
    const ws_coherence_message *const m = message_at(t->side, (uint32_t)packet->tag);
    char line[256];
    snprintf(line, sizeof line, "%s network: %s of block 0x%llx for SM %u, node %u to %u, since cycle %llu: %s", t->network,
             ws_message_name((ws_message_type)m->type), (unsigned long long)m->block, m->sm, packet->source,
             packet->destination, (unsigned long long)packet->created, places[where]);
    t->say(t->user, line);
}

void ws_memory_side_explain(const ws_memory_side *side, void (*say)(void *user, const char *line), void *user)
{
    teller t = {.side = side, .say = say, .user = user, .network = "request"};
    char line[256];
    ws_network_each(side->request, tell_packet, &t);
    t.network = "reply";
    ws_network_each(side->reply, tell_packet, &t);
    for (uint32_t i = 0; i < side->banks; i++) {
        const bank *const b = &side->bank[i];
        const uint32_t waiting = side->l2->ops->waiting(side->l2->shared, b->cache);
        if (!b->in.count && !b->out.count && !b->fills.count && !waiting)
            continue;
        snprintf(line, sizeof line, "L2 slice %u: %zu requests wait%s, %u inside, %zu answers to send, %zu fills", i,
                 b->in.count, b->refused ? " (the first was refused)" : "", waiting, b->out.count, b->fills.count);
        say(user, line);
    }
    for (uint32_t i = 0; i < side->channels; i++) {
        const channel *const c = &side->channel[i];
        if (!c->wanted.count && !ws_dram_inside(c->dram))
            continue;
        snprintf(line, sizeof line, "memory channel %u: %zu requests wait to enter, %llu inside", i, c->wanted.count,
                 (unsigned long long)ws_dram_inside(c->dram));
        say(user, line);
    }
}

/* ------------------------------------------------------------------------------------------------ checkpoints */

/* The scalars in one piece. */
typedef struct scalars {
    uint64_t messages_held, warm_bytes, sent[WS_MESSAGE_COUNT + 1], sent_bytes[WS_MESSAGE_COUNT + 1], stalls[2], now;
    uint64_t message_room, fetch_room, seen_room, seen_used;
    uint32_t free_message, free_fetch, epoch, padding;
} scalars;

void ws_memory_side_save(const ws_memory_side *side, ws_bytes *bytes)
{
    scalars s;
    memset(&s, 0, sizeof s);
    s.messages_held = side->messages_held;
    s.warm_bytes = side->warm_bytes;
    memcpy(s.sent, side->sent, sizeof s.sent);
    memcpy(s.sent_bytes, side->sent_bytes, sizeof s.sent_bytes);
    memcpy(s.stalls, side->stalls, sizeof s.stalls);
    s.now = side->now;
    s.message_room = side->message_room;
    s.fetch_room = side->fetch_room;
    s.seen_room = side->seen_room;
    s.seen_used = side->seen_used;
    s.free_message = side->free_message;
    s.free_fetch = side->free_fetch;
    s.epoch = side->epoch;
    ws_bytes_add(bytes, &s, sizeof s);
    ws_bytes_add(bytes, side->message, side->message_room * side->message_bytes);
    ws_bytes_add(bytes, side->next_message, side->message_room * sizeof *side->next_message);
    ws_bytes_add(bytes, side->fetch, side->fetch_room * sizeof *side->fetch);
    ws_bytes_add(bytes, side->seen, side->seen_room * sizeof *side->seen);
    ws_bytes_add(bytes, side->sent_to, (size_t)side->sms * side->banks * sizeof *side->sent_to);
    ws_bytes_add(bytes, side->taken_from, (size_t)side->sms * side->banks * sizeof *side->taken_from);
    const size_t cache_bytes = side->l2->ops->bytes(side->l2->shared);
    for (uint32_t i = 0; i < side->banks; i++) {
        const bank *const b = &side->bank[i];
        ws_bytes_add(bytes, b->cache, cache_bytes);
        ws_bytes_add_varint(bytes, b->refused);
        ws_bytes_add_varint(bytes, b->wake);
        ws_fifo_save(&b->in, bytes);
        ws_fifo_save(&b->out, bytes);
        ws_fifo_save(&b->fills, bytes);
        ws_fifo_save(&b->early, bytes);
    }
    for (uint32_t i = 0; i < side->channels; i++) {
        ws_fifo_save(&side->channel[i].wanted, bytes);
        ws_fifo_save(&side->channel[i].arrived, bytes);
        ws_dram_save(side->channel[i].dram, bytes);
    }
    for (uint32_t i = 0; i < side->sms; i++) {
        ws_fifo_save(&side->sending[i], bytes);
        ws_fifo_save(&side->received[i], bytes);
    }
    ws_network_save(side->request, bytes);
    ws_network_save(side->reply, bytes);
}

static int load_array(void *array_of_pointer, size_t count, size_t size, ws_reader *reader)
{
    void **const array = array_of_pointer;
    const uint8_t *const from = ws_read_bytes(reader, count * size);
    void *const to = from ? realloc(*array, count * size + 1) : NULL;
    if (!to)
        return ws_fail(WS_EINPUT, "the checkpoint ends within the memory side");
    memcpy(to, from, count * size);
    *array = to;
    return WS_OK;
}

static int load_banks(ws_memory_side *side, ws_reader *reader)
{
    const size_t cache_bytes = side->l2->ops->bytes(side->l2->shared);
    int status = WS_OK;
    for (uint32_t i = 0; i < side->banks && !status; i++) {
        bank *const b = &side->bank[i];
        const uint8_t *const cache = ws_read_bytes(reader, cache_bytes);
        if (!cache)
            return ws_fail(WS_EINPUT, "the checkpoint ends within L2");
        memcpy(b->cache, cache, cache_bytes);
        b->refused = ws_read_varint(reader) != 0;
        b->wake = ws_read_varint(reader);
        status = ws_fifo_load(&b->in, reader);
        if (!status)
            status = ws_fifo_load(&b->out, reader);
        if (!status)
            status = ws_fifo_load(&b->fills, reader);
        if (!status)
            status = ws_fifo_load(&b->early, reader);
    }
    return status;
}

int ws_memory_side_load(ws_memory_side *side, ws_reader *reader)
{
    scalars s;
    const uint8_t *const from = ws_read_bytes(reader, sizeof s);
    if (!from)
        return ws_fail(WS_EINPUT, "the checkpoint ends within the memory side");
    memcpy(&s, from, sizeof s);
    side->messages_held = s.messages_held;
    side->warm_bytes = s.warm_bytes;
    memcpy(side->sent, s.sent, sizeof s.sent);
    memcpy(side->sent_bytes, s.sent_bytes, sizeof s.sent_bytes);
    memcpy(side->stalls, s.stalls, sizeof s.stalls);
    side->now = s.now;
    side->message_room = (uint32_t)s.message_room;
    side->fetch_room = (uint32_t)s.fetch_room;
    side->seen_room = s.seen_room;
    side->seen_used = s.seen_used;
    side->free_message = s.free_message;
    side->free_fetch = s.free_fetch;
    side->epoch = (uint16_t)s.epoch;
    int status = load_array(&side->message, side->message_room, side->message_bytes, reader);
    if (!status)
        status = load_array(&side->next_message, side->message_room, sizeof *side->next_message, reader);
    if (!status)
        status = load_array(&side->fetch, side->fetch_room, sizeof *side->fetch, reader);
    if (!status)
        status = load_array(&side->seen, side->seen_room, sizeof *side->seen, reader);
    if (!status)
        status = load_array(&side->sent_to, (size_t)side->sms * side->banks, sizeof *side->sent_to, reader);
    if (!status)
        status = load_array(&side->taken_from, (size_t)side->sms * side->banks, sizeof *side->taken_from, reader);
    if (!status)
        status = load_banks(side, reader);
    for (uint32_t i = 0; i < side->channels && !status; i++) {
        status = ws_fifo_load(&side->channel[i].wanted, reader);
        if (!status)
            status = ws_fifo_load(&side->channel[i].arrived, reader);
        if (!status)
            status = ws_dram_load(side->channel[i].dram, reader);
    }
    for (uint32_t i = 0; i < side->sms && !status; i++) {
        status = ws_fifo_load(&side->sending[i], reader);
        if (!status)
            status = ws_fifo_load(&side->received[i], reader);
    }
    if (!status)
        status = ws_network_load(side->request, reader);
    if (!status)
        status = ws_network_load(side->reply, reader);
    return !status && reader->failed ? ws_fail(WS_EINPUT, "the checkpoint is damaged") : status;
}
