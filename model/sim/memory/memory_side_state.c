/* memory_side_state.c - the state of the memory side: who wants to look at it, and checkpoints. */
#include "model/sim/memory/memory_side_internal.h"

#include "base/status.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------------ looking in */

uint64_t ws_memory_side_inside(const ws_memory_side *side)
{
    uint64_t inside = side->messages.held;
    for (uint32_t i = 0; i < side->slices; i++)
        inside += side->slice[i].fills.count + side->l2->ops->waiting(side->l2->shared, side->slice[i].cache);
    for (uint32_t i = 0; i < side->channels; i++)
        inside += side->channel[i].wanted.count + side->channel[i].arrived.count +
                  side->memory->inside(side->channel[i].memory);
    for (uint32_t i = 0; i < side->channels && side->l3; i++)
        inside += side->home[i].fills.count + side->l3->ops->waiting(side->l3->shared, side->home[i].cache);
    return inside;
}

uint64_t ws_memory_side_followed(const ws_memory_side *side)
{
    return side->agreement ? side->agreement->sums.followed : 0;
}

const ws_network *ws_memory_side_network(const ws_memory_side *side, uint32_t number, ws_direction d)
{
    return side->chip[number].network[d];
}

const ws_network *ws_memory_side_link(const ws_memory_side *side, ws_direction d)
{
    return side->link[d];
}

uint32_t ws_memory_side_node(const ws_memory_side *side, bool of_slice, uint32_t number, uint32_t *on_chip)
{
    *on_chip = of_slice ? side->slice[number].chip : chip_of_sm(side, number);
    return of_slice ? side->slice[number].node : side->sm_node[number];
}

ws_dram_totals ws_memory_side_channel_sum(const ws_memory_side *side, uint32_t number)
{
    return side->memory->sum(side->channel[number].memory);
}

uint64_t ws_memory_side_memory_cycles(const ws_memory_side *side)
{
    return own_cycles(side->machine, memory_khz(side), side->now);
}

ws_cache_counts ws_memory_side_cache_counts(const ws_memory_side *side, uint32_t number)
{
    ws_cache_counts counts = side->l2->ops->counts(side->l2->shared, side->slice[number].cache);
    counts.hits += side->slice[number].warm; /* the cache did not know that it has what the host wrote */
    counts.misses -= side->slice[number].warm;
    return counts;
}

ws_cache_counts ws_memory_side_l3_counts(const ws_memory_side *side, uint32_t number)
{
    return side->l3 ? side->l3->ops->counts(side->l3->shared, side->home[number].cache) : (ws_cache_counts){0};
}

uint64_t ws_memory_side_l3_fills(const ws_memory_side *side)
{
    return side->counted.l3_fills;
}

uint64_t ws_memory_side_messages(const ws_memory_side *side, ws_message_type type, uint64_t *bytes)
{
    if (bytes)
        *bytes = side->counted.sent_bytes[type];
    return side->counted.sent[type];
}

uint64_t ws_memory_side_read_only(const ws_memory_side *side, uint64_t *bytes)
{
    *bytes = side->counted.sent_bytes[READ_ONLY];
    return side->counted.sent[READ_ONLY];
}

uint64_t ws_memory_side_stalls(const ws_memory_side *side, ws_direction d)
{
    return side->counted.stalls[d];
}

void ws_memory_side_timestamps(const ws_memory_side *side, uint64_t *resets, uint32_t *greatest)
{
    *resets = side->epoch;
    *greatest = 0;
    for (uint32_t i = 0; i < side->slices && side->l2->ops->times; i++) {
        const uint32_t own = side->l2->ops->times->greatest(side->l2->shared, side->slice[i].cache);
        *greatest = own > *greatest ? own : *greatest;
    }
}

void ws_memory_side_leases(const ws_memory_side *side, uint32_t *least, uint32_t *most)
{
    *least = *most = 0;
    for (uint32_t i = 0; i < side->slices && side->l2->ops->lease; i++) {
        const uint32_t own = side->l2->ops->lease(side->l2->shared, side->slice[i].cache);
        *least = i && *least < own ? *least : own;
        *most = own > *most ? own : *most;
    }
}

const void *ws_memory_side_hub(const ws_memory_side *side)
{
    return side->hub;
}

ws_race_counts ws_memory_side_races(const ws_memory_side *side)
{
    return side->hub ? side->l2->ops->hub->counts(side->l2->shared, side->hub) : (ws_race_counts){0};
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
    const ws_coherence_message *const m = ws_message_pool_at(&t->side->messages, (uint32_t)packet->tag);
    char line[256];
    snprintf(line, sizeof line, "%s network: %s of block 0x%llx for SM %u, node %u to %u, since cycle %llu: %s",
             t->network, ws_message_name((ws_message_type)m->type), (unsigned long long)m->block, m->sm, packet->source,
             packet->destination, (unsigned long long)packet->created, places[where]);
    t->say(t->user, line);
}

static void tell_more(void *user, const char *what)
{
    const teller *const t = user;
    char line[256];
    snprintf(line, sizeof line, "%s network: %s", t->network, what);
    t->say(t->user, line);
}

static void tell_network(const ws_network *net, teller *t)
{
    ws_network_each(net, tell_packet, t);
    ws_network_explain(net, tell_more, t);
}

void ws_memory_side_explain(const ws_memory_side *side, void (*say)(void *user, const char *line), void *user)
{
    static const char *const names[] = {[WS_REQUESTS] = "request", [WS_REPLIES] = "reply"};
    static const char *const links[] = {[WS_REQUESTS] = "request link", [WS_REPLIES] = "reply link"};
    char line[256];
    for (ws_direction d = 0; d < WS_DIRECTIONS; d++) {
        teller t = {.side = side, .say = say, .user = user, .network = names[d]};
        for (uint32_t i = 0; i < side->chips; i++)
            tell_network(side->chip[i].network[d], &t);
        t.network = links[d];
        if (side->link[d])
            tell_network(side->link[d], &t);
    }
    for (uint32_t i = 0; i < side->slices; i++) {
        const slice *const l = &side->slice[i];
        const uint32_t waiting = side->l2->ops->waiting(side->l2->shared, l->cache);
        if (!l->in.count && !l->out.count && !l->told.count && !l->fills.count && !l->down.count && !waiting)
            continue;
        snprintf(line, sizeof line, "L2 slice %u: %zu requests wait%s, %u inside, %zu answers to send, %zu fills%s", i,
                 l->in.count, l->refused ? " (the first was refused)" : "", waiting, l->out.count + l->told.count,
                 l->fills.count, l->down.count ? ", requests to memory" : "");
        say(user, line);
    }
    for (uint32_t i = 0; i < side->channels && side->l3; i++) {
        const home *const h = &side->home[i];
        const uint32_t waiting = side->l3->ops->waiting(side->l3->shared, h->cache);
        if (!h->in.count && !h->up.count && !h->fills.count && !waiting)
            continue;
        snprintf(line, sizeof line,
                 "L3 of channel %u: %zu requests wait%s, %u inside, %zu answers to other chips, %zu fills", i,
                 h->in.count, h->refused ? " (the first was refused)" : "", waiting, h->up.count, h->fills.count);
        say(user, line);
    }
    for (uint32_t i = 0; i < side->channels; i++) {
        const channel *const c = &side->channel[i];
        if (!c->wanted.count && !side->memory->inside(c->memory))
            continue;
        snprintf(line, sizeof line, "memory channel %u: %zu requests wait to enter, %llu inside", i, c->wanted.count,
                 (unsigned long long)side->memory->inside(c->memory));
        say(user, line);
    }
}

/* ------------------------------------------------------------------------------------------------ checkpoints */

static void save_slice(const ws_memory_side *side, const slice *l, ws_bytes *bytes)
{
    ws_bytes_add(bytes, l->cache, side->l2->ops->bytes(side->l2->shared));
    ws_bytes_add_varint(bytes, l->refused);
    ws_bytes_add_varint(bytes, l->free);
    ws_bytes_add_varint(bytes, l->last);
    ws_bytes_add_varint(bytes, l->again);
    ws_bytes_add_varint(bytes, l->warm);
    ws_bytes_add_varint(bytes, l->wake);
    side_save_queues(l->queue, SLICE_QUEUES, bytes);
}

static void save_home(const ws_memory_side *side, const home *h, ws_bytes *bytes)
{
    if (side->l3)
        ws_bytes_add(bytes, h->cache, side->l3->ops->bytes(side->l3->shared));
    ws_bytes_add_varint(bytes, h->refused);
    side_save_queues(h->queue, HOME_QUEUES, bytes);
}

static void save_direction(const ws_memory_side *side, ws_direction d, ws_bytes *bytes)
{
    for (uint32_t i = 0; i < side->chips; i++) {
        ws_network_save(side->chip[i].network[d], bytes);
        ws_fifo_save(&side->chip[i].leaving[d], bytes);
        ws_fifo_save(&side->chip[i].entering[d], bytes);
    }
    if (side->link[d])
        ws_network_save(side->link[d], bytes);
}

void ws_memory_side_save(const ws_memory_side *side, ws_bytes *bytes)
{
    const size_t pairs = side_lanes(side);
    ws_bytes_add(bytes, &side->counted, sizeof side->counted);
    ws_bytes_add_varint(bytes, side->now);
    ws_bytes_add_varint(bytes, side->fetch_room);
    ws_bytes_add_varint(bytes, side->free_fetch);
    ws_bytes_add_varint(bytes, side->epoch);
    ws_message_pool_save(&side->messages, bytes);
    ws_copied_lines_save(&side->copied, bytes);
    ws_homes_save(&side->homes, bytes);
    ws_bytes_add(bytes, side->fetch, side->fetch_room * sizeof *side->fetch);
    ws_bytes_add(bytes, side->sent_to, pairs * sizeof *side->sent_to);
    ws_bytes_add(bytes, side->taken_from, pairs * sizeof *side->taken_from);
    if (side->hub)
        ws_bytes_add(bytes, side->hub, side->l2->ops->hub->bytes(side->l2->shared));
    for (uint32_t i = 0; i < side->slices; i++)
        save_slice(side, &side->slice[i], bytes);
    for (uint32_t i = 0; i < side->channels; i++)
        save_home(side, &side->home[i], bytes);
    if (side->agreement)
        agree_save(side, bytes);
    for (uint32_t i = 0; i < side->channels; i++) {
        side_save_queues(side->channel[i].queue, CHANNEL_QUEUES, bytes);
        side->memory->save(side->channel[i].memory, bytes);
    }
    side_save_queues(side->sending, side->sms, bytes);
    side_save_queues(side->received, side->sms, bytes);
    for (ws_direction d = 0; d < WS_DIRECTIONS; d++)
        save_direction(side, d, bytes);
}

static int load_bytes(ws_reader *reader, void *to, size_t bytes)
{
    const uint8_t *const from = ws_read_bytes(reader, bytes);
    if (!from)
        return ws_fail(WS_EINPUT, "the checkpoint ends within the memory side");
    if (bytes)
        memcpy(to, from, bytes);
    return WS_OK;
}

static int load_fetches(ws_memory_side *side, ws_reader *reader)
{
    const size_t bytes = side->fetch_room * sizeof *side->fetch;
    const uint8_t *const from = ws_read_bytes(reader, bytes);
    fetch *const to = from ? realloc(side->fetch, bytes + 1) : NULL;
    if (!to)
        return ws_fail(WS_EINPUT, "the checkpoint ends within the memory side");
    memcpy(to, from, bytes);
    side->fetch = to;
    return WS_OK;
}

static int load_slice(ws_memory_side *side, slice *l, ws_reader *reader)
{
    const int status = load_bytes(reader, l->cache, side->l2->ops->bytes(side->l2->shared));
    l->refused = ws_read_varint(reader) != 0;
    l->free = ws_read_varint(reader);
    l->last = ws_read_varint(reader);
    l->again = ws_read_varint(reader);
    l->warm = ws_read_varint(reader);
    l->wake = ws_read_varint(reader);
    return status ? status : side_load_queues(l->queue, SLICE_QUEUES, reader);
}

static int load_home(ws_memory_side *side, home *h, ws_reader *reader)
{
    const int status = load_bytes(reader, h->cache, side->l3 ? side->l3->ops->bytes(side->l3->shared) : 0);
    h->refused = ws_read_varint(reader) != 0;
    return status ? status : side_load_queues(h->queue, HOME_QUEUES, reader);
}

static int load_direction(ws_memory_side *side, ws_direction d, ws_reader *reader)
{
    int status = WS_OK;
    for (uint32_t i = 0; i < side->chips && !status; i++) {
        chip *const c = &side->chip[i];
        status = ws_network_load(c->network[d], reader);
        if (!status)
            status = ws_fifo_load(&c->leaving[d], reader);
        if (!status)
            status = ws_fifo_load(&c->entering[d], reader);
    }
    return status || !side->link[d] ? status : ws_network_load(side->link[d], reader);
}

static int load_scalars(ws_memory_side *side, ws_reader *reader)
{
    const int status = load_bytes(reader, &side->counted, sizeof side->counted);
    side->now = ws_read_varint(reader);
    side->fetch_room = (uint32_t)ws_read_varint(reader);
    side->free_fetch = (uint32_t)ws_read_varint(reader);
    side->epoch = (uint16_t)ws_read_varint(reader);
    return status;
}

int ws_memory_side_load(ws_memory_side *side, ws_reader *reader)
{
    const size_t pairs = side_lanes(side);
    int status = load_scalars(side, reader);
    if (!status)
        status = ws_message_pool_load(&side->messages, reader);
    if (!status)
        status = ws_copied_lines_load(&side->copied, reader);
    if (!status)
        status = ws_homes_load(&side->homes, reader);
    if (!status)
        status = load_fetches(side, reader);
    if (!status)
        status = load_bytes(reader, side->sent_to, pairs * sizeof *side->sent_to);
    if (!status)
        status = load_bytes(reader, side->taken_from, pairs * sizeof *side->taken_from);
    if (!status)
        status = load_bytes(reader, side->hub, side->hub ? side->l2->ops->hub->bytes(side->l2->shared) : 0);
    for (uint32_t i = 0; i < side->slices && !status; i++)
        status = load_slice(side, &side->slice[i], reader);
    for (uint32_t i = 0; i < side->channels && !status; i++)
        status = load_home(side, &side->home[i], reader);
    if (!status && side->agreement)
        status = agree_load(side, reader);
    for (uint32_t i = 0; i < side->channels && !status; i++) {
        status = side_load_queues(side->channel[i].queue, CHANNEL_QUEUES, reader);
        if (!status)
            status = side->memory->load(side->channel[i].memory, reader);
    }
    if (!status)
        status = side_load_queues(side->sending, side->sms, reader);
    if (!status)
        status = side_load_queues(side->received, side->sms, reader);
    for (ws_direction d = 0; d < WS_DIRECTIONS && !status; d++)
        status = load_direction(side, d, reader);
    return !status && reader->failed ? ws_fail(WS_EINPUT, "the checkpoint is damaged") : status;
}
