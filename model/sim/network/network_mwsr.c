/* network_mwsr.c - a crossbar of light in which each node reads a channel of its own that all others write (multiple
 * writers, single reader).
 *
 * One token a channel says who writes. Free, it goes around with the light, and the first node it passes that asks for
 * the channel takes it, turns its packet into light and lets the token travel behind the packet's last flit to the
 * channel's reader. That lets it go again, free, when it has room for one more packet: a token carries a place at its
 * reader. A node takes one token at a time. Who is first behind the reader finds each token first and could keep it
 * from all others for ever, so a node that has sent lets it pass until it has gone around untaken (rounds = 1). Timing:
 * network_light.h; a packet of f flits keeps the token for convert + f + flight cycles, further ones that follow it for
 * f each (packets > 1). Source: Goswami, Power Performance Co-Optimization of Throughput Architecture Using Emerging
 * Technologies, 2013, section 4, which has no word on room, nor on turns.
 *
 * Of each channel stands ready who will take its token next, and when. */
#include "model/sim/network/network_light.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const uint32_t TOKEN_BACK = UINT32_MAX - 1; /* an event's slot, besides WS_NO_SLOT */

typedef enum token_state { FREE, TAKEN, HELD, LOST } token_state;

typedef struct token {
    uint64_t since; /* FREE: when it left its reader in this round; else when it was taken */
    uint64_t grab;  /* when `by` will send to this node, as far as is known; WS_NEVER */
    uint32_t by, taker;
    token_state state;
    uint32_t packets; /* that the taker has begun to send */
} token;

typedef struct mwsr {
    ws_light light;
    uint64_t lose, packets;
    bool rounds;
    /* In the layout: */
    token *token;
    uint64_t *sent; /* [node][words]: who lets its token pass */
} mwsr;

/* --- Who is next? --- */

static uint64_t *sent_of(const mwsr *x, uint32_t reader)
{
    return x->sent + (size_t)reader * x->light.asking.words;
}

/* The first node in begin..end-1 that asks for the reader's channel and is not in `but`; end: none. */
static uint32_t first_between(const mwsr *x, uint32_t reader, const uint64_t *but, uint32_t begin, uint32_t end)
{
    const uint64_t *const mask = x->light.asking.mask + (size_t)reader * x->light.asking.words;
    for (uint32_t n = begin; n < end; n = (n | 63) + 1) {
        const uint64_t bits = mask[n / 64] & (but ? ~but[n / 64] : ~(uint64_t)0) & ~(uint64_t)0 << n % 64;
        if (bits)
            return n / 64 * 64 + (uint32_t)__builtin_ctzll(bits) < end ? n / 64 * 64 + (uint32_t)__builtin_ctzll(bits)
                                                                       : end;
    }
    return end;
}

/* The same of those `least` or more steps behind the reader: the nearest; the reader itself: none. */
static uint32_t first_behind(const mwsr *x, uint32_t nodes, uint32_t reader, const uint64_t *but, uint32_t least)
{
    const uint32_t from = reader + least;
    if (from < nodes) {
        const uint32_t n = first_between(x, reader, but, from, nodes);
        if (n < nodes)
            return n;
    }
    return first_between(x, reader, but, from < nodes ? 0 : from - nodes, reader);
}

/* A free token that has gone around untaken begins a new round. */
static void go_around(const ws_network *net, uint32_t reader, token *t)
{
    const mwsr *const x = net->state;
    const uint64_t now = net->head->now;
    const uint64_t turns = now > t->since ? (now - t->since - 1) / x->light.loop : 0;
    if (!turns)
        return;
    t->since += turns * x->light.loop;
    memset(sent_of(x, reader), 0, x->light.asking.words * sizeof *x->sent);
}

/* When will whom a free token pass that takes it? */
static void follow(const ws_network *net, uint32_t reader, token *t)
{
    const mwsr *const x = net->state;
    const uint64_t loop = x->light.loop;
    go_around(net, reader, t);
    const uint64_t gone =
        net->head->now - t->since; /* 0 .. loop: nodes of a flight that long or longer are still to come */
    const uint64_t least = gone ? (gone - 1) * net->nodes / loop + 1 : 1;
    uint64_t start = t->since;
    uint32_t by =
        least < net->nodes ? first_behind(x, net->nodes, reader, sent_of(x, reader), (uint32_t)least) : reader;
    if (by == reader) {
        start += loop;
        by = first_behind(x, net->nodes, reader, NULL, 1);
    }
    if (by == reader)
        return;
    t->by = by;
    t->grab = start + ws_light_flight(net, &x->light, ws_light_steps(net, reader, by));
}

static void update(const ws_network *net, uint32_t reader)
{
    const mwsr *const x = net->state;
    token *const t = &x->token[reader];
    t->grab = WS_NEVER;
    if (x->light.asking.count[reader]) {
        if (ws_network_bit(x->light.asking.mask + (size_t)reader * x->light.asking.words, reader) &&
            ws_network_can_promise(net, reader)) {
            t->by = reader;
            t->grab = net->head->now;
        } else if (t->state == FREE)
            follow(net, reader, t);
    }
    ws_network_set_bit(x->light.asking.able, reader, t->grab != WS_NEVER);
}

/* --- What happens --- */

/* The reader lets its token go as soon as it has room. */
static void release(ws_network *net, uint32_t reader)
{
    const mwsr *const x = net->state;
    token *const t = &x->token[reader];
    t->state = ws_network_can_promise(net, reader) ? FREE : HELD;
    if (t->state == FREE) {
        ws_network_promise(net, reader);
        t->since = net->head->now;
    }
}

static void send(ws_network *net, uint32_t reader)
{
    mwsr *const x = net->state;
    token *const t = &x->token[reader];
    const uint32_t by = t->by;
    const uint64_t now = net->head->now;
    if (by == reader) {
        ws_network_promise(net, reader);
        ws_light_send(net, &x->light, by, reader, now);
        update(net, reader);
        return;
    }
    go_around(net, reader, t);
    t->state = TAKEN;
    t->since = now;
    t->taker = by;
    t->packets = 1;
    ws_light_send(net, &x->light, by, reader, now);
    ws_network_set_bit(sent_of(x, reader), by, x->rounds);
    if (x->lose == (uint64_t)reader + 1)
        t->state = LOST;
}

/* The last flit of a packet is light: another one to the same reader follows, or the token does. */
static void sent(ws_network *net, uint32_t by, uint32_t reader)
{
    mwsr *const x = net->state;
    token *const t = &x->token[reader];
    const uint64_t now = net->head->now;
    if (t->state == LOST)
        return;
    if (t->packets < x->packets && ws_network_bit(x->light.asking.mask + (size_t)reader * x->light.asking.words, by) &&
        ws_network_can_promise(net, reader)) {
        t->packets++;
        ws_network_promise(net, reader);
        ws_light_send(net, &x->light, by, reader, now);
        return;
    }
    const uint64_t back = now + x->light.convert + ws_light_flight(net, &x->light, ws_light_steps(net, by, reader));
    ws_network_asking_expect(&x->light.asking, back, by, reader, TOKEN_BACK);
}

static void happen(ws_network *net, const ws_network_event *e)
{
    const mwsr *const x = net->state;
    if (e->slot == TOKEN_BACK) {
        release(net, e->output);
        update(net, e->output);
        return;
    }
    ws_light_happen(net, &x->light, e);
    if (e->slot == WS_NO_SLOT && e->input != e->output)
        sent(net, e->input, e->output);
}

static void run_cycle(ws_network *net, uint64_t now)
{
    const mwsr *const x = net->state;
    net->head->now = now;
    for (ws_network_event e; ws_network_asking_take(&x->light.asking, now, &e);)
        happen(net, &e);
    for (uint32_t w = 0; w < x->light.asking.words; w++)
        for (uint64_t bits = x->light.asking.able[w]; bits; bits &= bits - 1) {
            const uint32_t reader = w * 64 + (uint32_t)__builtin_ctzll(bits);
            if (x->token[reader].grab <= now)
                send(net, reader);
        }
}

/* --- The ops --- */

static void configure(ws_network *net, const uint64_t *values)
{
    mwsr *const x = net->state;
    x->rounds = values[WS_NETWORK_mwsr_rounds];
    x->packets = values[WS_NETWORK_mwsr_packets];
    x->lose = values[WS_NETWORK_mwsr_lose];
    x->light.asking.changed = update;
    ws_light_configure(&x->light, values);
}

static void place(ws_network *net, ws_layout *layout)
{
    mwsr *const x = net->state;
    ws_network_asking_place(net, &x->light.asking, net->nodes, layout);
    x->token = ws_layout_take(layout, net->nodes, sizeof *x->token);
    x->sent = ws_layout_take(layout, (size_t)net->nodes * x->light.asking.words, sizeof *x->sent);
}

static void start(ws_network *net)
{
    const mwsr *const x = net->state;
    for (uint32_t n = 0; n < net->nodes; n++) {
        x->token[n].grab = WS_NEVER;
        release(net, n);
    }
}

static void taken(ws_network *net, uint32_t node)
{
    const mwsr *const x = net->state;
    if (x->token[node].state == HELD)
        release(net, node);
    update(net, node);
}

static uint64_t next_time(const ws_network *net)
{
    const mwsr *const x = net->state;
    uint64_t next = ws_network_events_next(x->light.asking.events, x->light.asking.heap, net->head->now);
    for (uint32_t w = 0; w < x->light.asking.words; w++)
        for (uint64_t bits = x->light.asking.able[w]; bits; bits &= bits - 1) {
            const uint64_t grab = x->token[w * 64 + (uint32_t)__builtin_ctzll(bits)].grab;
            next = grab < next ? grab : next;
        }
    return next > net->head->now ? next : net->head->now;
}

static void explain(const ws_network *net, void (*say)(void *user, const char *line), void *user)
{
    const mwsr *const x = net->state;
    char line[160];
    for (uint32_t n = 0; n < net->nodes; n++) {
        const token *const t = &x->token[n];
        if (t->state == FREE || !x->light.asking.count[n])
            continue;
        const char *const what = t->state == LOST   ? "was lost when"
                                 : t->state == HELD ? "waits there for room since"
                                                    : "is on its way back since";
        snprintf(
            line, sizeof line,
            "the token of node %" PRIu32 " %s node %" PRIu32 " took it in cycle %" PRIu64 "; %" PRIu32 " node%s for it",
            n, what, t->taker, t->since, x->light.asking.count[n], x->light.asking.count[n] == 1 ? " waits" : "s wait");
        say(user, line);
    }
}

const ws_network_ops ws_network_mwsr = {
    .state_size = sizeof(mwsr),
    .configure = configure,
    .place = place,
    .start = start,
    .queued = ws_network_asking_queued,
    .taken = taken,
    .run_cycle = run_cycle,
    .next_time = next_time,
    .explain = explain,
};
