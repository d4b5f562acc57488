/* directory_l2.c - a slice of an inclusive L2 that knows which SMs may have copies of each of its lines.
 *
 * One request for a block is worked on at a time, the others stand in the queue. Answers of SMs are always taken, and
 * a request that the queue has no room for is sent back (BUSY): so nothing that the slice waits for can stand behind
 * something that waits for the slice. */
#include "model/coherence/directory_internal.h"
#include "model/coherence/l2_memory_internal.h"

#include <string.h>

typedef ws_l2_step step;

enum { NOBODY = UINT16_MAX };

/* --- Who has copies --- */

static uint64_t *missing_of(const step *s)
{
    const size_t index = (size_t)(s->line - lines_of(s->c, s->l2));
    return (uint64_t *)((char *)s->l2 + s->c->l2_directory + index * ws_directory_bytes(s->c->config.sms));
}

static uint64_t *sharers_of(const step *s)
{
    return missing_of(s) + 1;
}

static bool may_have(const step *s, uint32_t sm)
{
    return sharers_of(s)[sm / 64] >> sm % 64 & 1;
}

static bool any_besides(const step *s, uint32_t sm)
{
    for (uint32_t first = 0; first < s->c->config.sms; first += 64) {
        const uint64_t other = sm / 64 == first / 64 ? ~(UINT64_C(1) << sm % 64) : UINT64_MAX;
        if (sharers_of(s)[first / 64] & other)
            return true;
    }
    return false;
}

static void forget(step *s)
{
    memset(missing_of(s), 0, ws_directory_bytes(s->c->config.sms));
}

static void note(const step *s)
{
    sharers_of(s)[s->message->sm / 64] |= UINT64_C(1) << s->message->sm % 64;
}

/* --- Actions --- */

static void send(const step *s, uint8_t type, uint16_t sm, bool data)
{
    ws_coherence_message m;
    memset(&m, 0, offsetof(ws_coherence_message, data));
    m.type = type;
    m.sm = sm;
    m.block = s->block;
    if (data)
        memcpy(m.data, data_of(s->c, s->l2, s->line), block_bytes(s->c));
    s->ports->send(s->ports->context, &m);
}

static void reply(const step *s, uint8_t type)
{
    ws_coherence_message m = ws_l2_answer(s, type);
    if (type == WS_MESSAGE_FILL || type == WS_MESSAGE_FILL_OWN)
        memcpy(m.data, data_of(s->c, s->l2, s->line), block_bytes(s->c));
    s->ports->send(s->ports->context, &m);
}

static void fetch(step *s)
{
    ws_coherence_counts *const counts = counts_at(s->c, s->l2, s->c->l2_counts);
    if (counts)
        counts->misses++;
    send(s, WS_MESSAGE_DRAM_READ, 0, false);
}

/* Requests bring no words. */
static void queue(step *s)
{
    s->kept = true;
    if (!s->in_queue)
        memcpy(queued(s->c, s->l2, s->l2->queue_count++), s->message, offsetof(ws_coherence_message, data));
}

static void fill(step *s)
{
    memcpy(data_of(s->c, s->l2, s->line), s->message->data, block_bytes(s->c));
    s->line->dirty = false;
}

static void retire(step *s)
{
    forget(s);
    if (!s->line->dirty)
        return;
    ws_coherence_counts *const counts = counts_at(s->c, s->l2, s->c->l2_counts);
    if (counts)
        counts->writebacks++;
    send(s, WS_MESSAGE_DRAM_WRITE, 0, true);
}

static void show(step *s)
{
    reply(s, WS_MESSAGE_FILL);
}

static void share(step *s)
{
    note(s);
    reply(s, WS_MESSAGE_FILL);
}

/* An SM that has a copy and is known to has the copy of its last fill: an invalidation would have taken both. */
static void give(step *s)
{
    const bool has = s->message->type == WS_MESSAGE_OWN && s->message->has_copy && may_have(s, s->message->sm);
    forget(s);
    note(s);
    reply(s, has ? WS_MESSAGE_GRANT : WS_MESSAGE_FILL_OWN);
}

static void collect(step *s, uint32_t besides)
{
    uint64_t *const sharers = sharers_of(s);
    *missing_of(s) = 0;
    for (uint32_t sm = 0; sm < s->c->config.sms; sm++) {
        if (sm == besides || !may_have(s, sm))
            continue;
        sharers[sm / 64] &= ~(UINT64_C(1) << sm % 64);
        ++*missing_of(s);
        send(s, WS_MESSAGE_INVALIDATE, (uint16_t)sm, false);
    }
}

static void invalidate(step *s)
{
    collect(s, s->message->sm);
}

static void recall(step *s)
{
    collect(s, NOBODY);
}

static void ask_owner(step *s)
{
    for (uint32_t sm = 0; sm < s->c->config.sms; sm++)
        if (may_have(s, sm))
            send(s, WS_MESSAGE_FETCH, (uint16_t)sm, false);
}

static void take(step *s)
{
    memcpy(data_of(s->c, s->l2, s->line), s->message->data, block_bytes(s->c));
    s->line->dirty = true;
}

static ws_l2_action *const actions[L2_ACTIONS] = {
    [SLICE_fetch] = fetch,
    [SLICE_queue] = queue,
    [SLICE_fill] = fill,
    [SLICE_retire] = retire,
#define ACTION(name, meaning) [SLICE_##name] = name,
#include "model/coherence/l2_directory_actions.def"
#undef ACTION
};

/* --- Transitions --- */

/* A bit each. */
enum {
    REQUESTS = 1 << AT_READ | 1 << AT_READ_OWNED | 1 << AT_READ_PLAIN | 1 << AT_OWN | 1 << AT_OWN_OTHERS |
               1 << AT_WRITE | 1 << AT_UPDATE,
    NO_USE = 1 << AT_BLOCKED | 1 << AT_RECALL
};
_Static_assert((int)L2_EVENTS < 31, "a bit each");

/* A request that waits on, or that the line was fetched for, is no new use of it; nor is an answer of an SM. */
static void note_use(const step *s, int event)
{
    if ((REQUESTS >> event & 1) && !s->kept && !s->fetched)
        use_line(s->c, s->l2, s->line, s->message);
    else if (!(NO_USE >> event & 1))
        renew_line(s->c, s->l2, s->line);
}

/* A slice gives lines up to make room, and for nothing else. */
static int happen(step *s, int event)
{
    return ws_l2_happen(s, event, actions, true, note_use);
}

static int leave_event(const step *s)
{
    return any_besides(s, NOBODY) ? AT_RECALL : AT_EVICT;
}

/* An empty line for the request, or one that nothing is done with; NULL: there is none, or, while a line of the set is
 * on its way out, no empty one: no other has to go. */
static ws_l2_line *choose_line(const step *s)
{
    uint8_t locked[WS_CACHE_MOST_WAYS];
    const uint32_t ways = s->c->config.l2_ways;
    ws_l2_line *const set = lines_of(s->c, s->l2) + (size_t)set_of(s->c, s->block) * ways;
    bool leaving = false;
    for (uint32_t way = 0; way < ways; way++) {
        step at = *s;
        at.line = &set[way];
        locked[way] = !s->c->l2[set[way].state][leave_event(&at)];
        leaving |= set[way].state == L2_VR;
    }
    const ws_cache_use use = ws_slice_use(s->c, s->message, true);
    const uint32_t line = ws_cache_choose(&s->c->l2_cache, cache_of(s->c, s->l2), &use, locked);
    if (line == WS_CACHE_NONE || (leaving && lines_of(s->c, s->l2)[line].state != L2_I))
        return NULL;
    return lines_of(s->c, s->l2) + line;
}

/* A line for the request, at once or when the copies of the one that goes are collected. WS_COHERENCE_RETRY: later. */
static int make_room(step *s)
{
    ws_l2_line *const way = choose_line(s);
    if (!way)
        return WS_COHERENCE_RETRY;
    if (way->state != L2_I) {
        ws_coherence_counts *const counts = counts_at(s->c, s->l2, s->c->l2_counts);
        if (counts)
            counts->evictions++;
        step leave = {.c = s->c, .l2 = s->l2, .line = way, .block = way->block, .ports = s->ports};
        const int rc = happen(&leave, leave_event(&leave));
        if (rc)
            return rc;
        if (way->state != L2_I)
            return WS_COHERENCE_RETRY;
    }
    name_line(s->c, s->l2, way, s->message);
    s->line = way;
    return WS_OK;
}

static bool is_busy(uint8_t state)
{
    return state != L2_I && state != L2_V && state != L2_VS && state != L2_VO;
}

/* Stores and atomic operations are done in L1s: no row has them, so one that came would show. */
static int request_event(const step *s)
{
    const ws_coherence_message *const m = s->message;
    const uint8_t state = s->line->state;
    const bool others = any_besides(s, m->sm);
    switch (m->type) {
    case WS_MESSAGE_READ:
        return state == L2_VO && (others || m->unit) ? AT_READ_OWNED : m->unit ? AT_READ_PLAIN : AT_READ;
    case WS_MESSAGE_OWN:
        return others ? AT_OWN_OTHERS : AT_OWN;
    default:
        return m->type == WS_MESSAGE_WRITE ? AT_WRITE : AT_UPDATE;
    }
}

/* Serves the request, or starts what it needs, or keeps it; `before` requests stand before it. */
static int serve(step *s, size_t before)
{
    s->block = s->message->block;
    s->line = find_line(s->c, s->l2, s->block);
    if ((s->line && is_busy(s->line->state)) || has_elder(s->c, s->l2, s->block, before))
        return happen(s, AT_BLOCKED);
    if (!s->line) {
        const int rc = make_room(s);
        if (rc)
            return rc < 0 ? rc : happen(s, AT_BLOCKED);
    }
    return happen(s, request_event(s));
}

/* Once a request, when it comes; its own read of DRAM, now or later, is counted by fetch(). */
static void count_request(ws_coherence_counts *counts, const step *s)
{
    *(s->message->type == WS_MESSAGE_READ ? &counts->loads : &counts->stores) += 1;
    if (has_elder(s->c, s->l2, s->block, s->l2->queue_count) || (s->line && is_busy(s->line->state)))
        counts->merged++;
    else if (s->line)
        counts->hits++;
}

static int take_request(step *s)
{
    ws_coherence_counts *const counts = counts_at(s->c, s->l2, s->c->l2_counts);
    if (s->l2->queue_count == s->c->config.l2_queue) {
        if (counts)
            counts->retry++;
        reply(s, WS_MESSAGE_BUSY);
        return WS_OK;
    }
    if (counts)
        count_request(counts, s);
    return serve(s, s->l2->queue_count);
}

int ws_directory_l2_message(const ws_coherence *c, void *l2, const ws_coherence_message *message,
                            const ws_coherence_ports *ports)
{
    static const struct {
        uint8_t type, event;
    } answers[] = {
        {WS_MESSAGE_DRAM_FILL, AT_FILL}, {WS_MESSAGE_PUT, AT_PUT},   {WS_MESSAGE_TAKEN, AT_TAKEN},
        {WS_MESSAGE_CLEAN, AT_CLEAN},    {WS_MESSAGE_DATA, AT_DATA}, {WS_MESSAGE_NONE, AT_NONE},
    };
    step s = {.c = c, .l2 = l2, .ports = ports, .message = message, .block = message->block};
    s.line = find_line(c, l2, message->block);
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        if (answers[i].type != message->type)
            continue;
        int event = answers[i].event;
        if (event == AT_NONE && s.line && *missing_of(&s) && --*missing_of(&s))
            event = AT_NONE_MORE;
        if (event == AT_DATA && s.line)
            *missing_of(&s) = 0;
        const int rc = happen(&s, event);
        return rc ? rc : ws_l2_pump(&s, event == AT_FILL ? &message->block : NULL, serve);
    }
    return take_request(&s);
}

int ws_directory_l2_advance(const ws_coherence *c, void *l2, const ws_coherence_ports *ports)
{
    const step s = {.c = c, .l2 = l2, .ports = ports};
    return ws_l2_pump(&s, NULL, serve);
}

int ws_directory_l2_evict(const ws_coherence *c, void *l2, uint64_t block, const ws_coherence_ports *ports)
{
    step s = {.c = c, .l2 = l2, .ports = ports, .block = block, .line = find_line(c, l2, block)};
    if (!s.line || !c->l2[s.line->state][leave_event(&s)])
        return WS_COHERENCE_RETRY;
    return happen(&s, leave_event(&s));
}
