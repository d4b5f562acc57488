/* l2.c - a slice of the L2: gives leases, performs stores behind them, keeps requests that must wait. */
#include "model/coherence/directory_internal.h"
#include "model/coherence/l2_memory_internal.h"
#include "model/coherence/lease_prediction_internal.h"
#include "model/coherence/lease_sole_internal.h"
#include "model/coherence/race_internal.h"

#include "base/status.h"

#include <string.h>

typedef ws_l2_step step;

void ws_l2_init(const ws_coherence *coherence, void *memory, uint32_t slice)
{
    memset(memory, 0, coherence->l2_bytes);
    ws_l2 *const l2 = memory;
    l2->slice = (uint16_t)slice;
    ws_cache_init(&coherence->l2_cache, cache_of(coherence, memory));
    l2->mem_ts = l2->max_ts = 1;
    l2->lease = coherence->protocol->lease == WS_LEASE_PHYSICAL ? coherence->config.lease : 0;
}

/* An inclusive L2 keeps a line while its lease lives (physical leases); else any line may go that is not being
 * filled. */
static bool may_evict(const step *s, const ws_l2_line *line)
{
    if (!s->c->l2[line->state][AT_EVICT])
        return false;
    return s->c->protocol->lease != WS_LEASE_PHYSICAL || s->now > line->expiry;
}

/* --- Logical time --- */

static void note_ts(ws_l2 *l2, uint32_t ts)
{
    if (ts > l2->max_ts)
        l2->max_ts = ts;
}

static void start_again(const ws_coherence *c, ws_l2 *l2, uint16_t epoch)
{
    l2->epoch = epoch;
    l2->mem_ts = 1;
    l2->max_ts = lease_from(c, 1);
    l2->was_reset = true;
    const size_t lines = (size_t)c->config.l2_sets * c->config.l2_ways;
    for (size_t i = 0; i < lines; i++) {
        ws_l2_line *const line = &lines_of(c, l2)[i];
        if (line->state != L2_V)
            continue;
        line->wts = 1;
        line->rts = lease_from(c, 1);
    }
}

void ws_l2_reset(const ws_coherence *coherence, void *l2)
{
    start_again(coherence, l2, (uint16_t)(((ws_l2 *)l2)->epoch + 1));
}

/* A request of an earlier epoch counts as one with the first time and no copy. Without epochs (closing 7 open) a
 * slice that was reset can only suspect that times in the upper half of the range are old. */
static bool is_stale(const step *s)
{
    const ws_coherence_message *const m = s->message;
    if (closed(s->c, WS_CLOSE_EPOCH))
        return m->epoch < s->l2->epoch;
    return s->l2->was_reset && (m->warp_ts > s->c->max_ts / 2 || m->wts > s->c->max_ts / 2);
}

/* What the request asks for: at which time, of which copy. */
typedef struct wish {
    uint32_t ts, wts;
    bool stale;
} wish;

static wish read_wish(const step *s)
{
    const bool stale = is_stale(s);
    return (wish){.ts = stale ? 1 : s->message->warp_ts, .wts = stale ? 0 : s->message->wts, .stale = stale};
}

static void reply(const step *s, uint8_t type, const wish *w, bool match)
{
    ws_coherence_message m = ws_l2_answer(s, type);
    m.match = match;
    m.reset = w->stale;
    m.epoch = s->l2->epoch;
    if (type == WS_MESSAGE_ATOMIC_ACK)
        m.mask = s->message->mask;
    /* Of a renewal this is what the request said: the L1's MSHR knows it, no byte is counted for it. */
    m.wts = s->line->wts;
    m.rts = s->line->rts;
    if (s->c->protocol->race && !s->message->unit) {
        m.wts = s->message->wts;
        m.rts = s->message->rts;
        m.note = s->message->note & (uint8_t)~WS_RACE_SEEN;
    }
    m.expiry = type == WS_MESSAGE_FILL ? s->line->expiry : s->visible;
    if (type == WS_MESSAGE_FILL || type == WS_MESSAGE_ATOMIC_ACK)
        memcpy(m.data, data_of(s->c, s->l2, s->line), s->c->config.words * sizeof(uint32_t));
    s->ports->send(s->ports->context, &m);
}

/* --- Actions --- */

static void to_memory(const step *s, uint8_t type)
{
    ws_coherence_message m;
    memset(&m, 0, offsetof(ws_coherence_message, data));
    m.type = type;
    m.block = s->line->block;
    if (type == WS_MESSAGE_DRAM_WRITE)
        memcpy(m.data, data_of(s->c, s->l2, s->line), s->c->config.words * sizeof(uint32_t));
    s->ports->send(s->ports->context, &m);
}

static void fetch(step *s)
{
    ws_coherence_counts *const counts = counts_at(s->c, s->l2, s->c->l2_counts);
    if (counts)
        counts->misses++;
    to_memory(s, WS_MESSAGE_DRAM_READ);
}

static void queue(step *s)
{
    s->kept = true;
    if (s->in_queue)
        return;
    ws_coherence_message *const slot = queued(s->c, s->l2, s->l2->queue_count++);
    memcpy(slot, s->message, offsetof(ws_coherence_message, data));
    /* A read brings no words; what its sender left there must not make equal states differ. */
    if (s->message->mask)
        memcpy(slot->data, s->message->data, s->c->config.words * sizeof(uint32_t));
}

/* rts = max(rts, warp's time + lease): the requester can read. Data only when it has other data. */
static void grant_logical(step *s)
{
    wish w = read_wish(s);
    ws_l2_line *const line = s->line;
    if (w.ts > line->rts || lease_from(s->c, w.ts) > line->rts) {
        if (lease_from(s->c, w.ts) > s->c->max_ts) {
            ws_l2_reset(s->c, s->l2);
            w = (wish){.ts = 1, .wts = 0, .stale = true};
        }
        if (lease_from(s->c, w.ts) > line->rts)
            line->rts = lease_from(s->c, w.ts);
        note_ts(s->l2, line->rts);
    }
    line->fresh = false;
    reply(s, w.wts == line->wts ? WS_MESSAGE_RENEW : WS_MESSAGE_FILL, &w, false);
}

static void grant(step *s)
{
    if (s->c->protocol->lease == WS_LEASE_LOGICAL) {
        grant_logical(s);
        return;
    }
    if (s->c->protocol->lease == WS_LEASE_PHYSICAL) {
        ws_lease_note_reader(s->c, s->line, s->now);
        ws_lease_give(s->l2, s->line, s->now, counts_at(s->c, s->l2, s->c->l2_counts));
    }
    const wish plain = {0};
    reply(s, WS_MESSAGE_FILL, &plain, false);
}

/* wts = max(rts + 1, warp's time): after every lease that was given. */
static bool move_behind_leases(step *s, wish *w)
{
    ws_l2_line *const line = s->line;
    const uint32_t last = closed(s->c, WS_CLOSE_MEM_TS) && line->fresh ? s->l2->mem_ts : line->rts;
    uint32_t wts = last + 1 > w->ts ? last + 1 : w->ts;
    const bool match = w->wts == line->wts || !closed(s->c, WS_CLOSE_MATCH);
    if (lease_from(s->c, wts) > s->c->max_ts) {
        ws_l2_reset(s->c, s->l2);
        *w = (wish){.ts = 1, .wts = 0, .stale = true};
        wts = line->rts + 1;
    }
    line->wts = wts;
    line->rts = lease_from(s->c, wts);
    line->fresh = false;
    note_ts(s->l2, line->rts);
    return match;
}

static void perform(step *s, uint8_t type)
{
    const ws_coherence_message *const m = s->message;
    wish w = read_wish(s);
    bool match = true;
    if (s->c->protocol->lease == WS_LEASE_LOGICAL)
        match = move_behind_leases(s, &w);
    else if (s->c->protocol->lease == WS_LEASE_PHYSICAL) {
        const uint64_t claimed = m->type == WS_MESSAGE_WRITE ? m->expiry : 0;
        match = !s->c->config.private_stores || ws_lease_matches(s->c, s->line, claimed, s->now);
        s->visible = ws_lease_store(s->c, s->line, claimed, s->now);
    }
    s->line->dirty = true;
    if (type == WS_MESSAGE_ATOMIC_ACK)
        reply(s, type, &w, match);
    uint32_t *const data = data_of(s->c, s->l2, s->line);
    for (uint32_t i = 0; i < s->c->config.words; i++)
        if (m->mask >> i & 1)
            data[i] = type == WS_MESSAGE_ATOMIC_ACK ? data[i] + m->data[i] : m->data[i];
    if (type == WS_MESSAGE_ACK)
        reply(s, type, &w, match);
}

static void write(step *s)
{
    perform(s, WS_MESSAGE_ACK);
}

static void update(step *s)
{
    perform(s, WS_MESSAGE_ATOMIC_ACK);
}

/* What left L2 may still be read in some L1 up to mem_ts. */
static void fill(step *s)
{
    memcpy(data_of(s->c, s->l2, s->line), s->message->data, s->c->config.words * sizeof(uint32_t));
    s->line->dirty = false;
    if (s->c->protocol->lease != WS_LEASE_LOGICAL)
        return;
    if (lease_from(s->c, s->l2->mem_ts) > s->c->max_ts)
        ws_l2_reset(s->c, s->l2);
    s->line->wts = s->l2->mem_ts;
    s->line->rts = lease_from(s->c, s->line->wts);
    s->line->fresh = true;
    note_ts(s->l2, s->line->rts);
}

static void retire(step *s)
{
    if (s->c->protocol->lease == WS_LEASE_LOGICAL && s->line->rts > s->l2->mem_ts)
        s->l2->mem_ts = s->line->rts;
    if (!s->line->dirty)
        return;
    ws_coherence_counts *const counts = counts_at(s->c, s->l2, s->c->l2_counts);
    if (counts)
        counts->writebacks++;
    to_memory(s, WS_MESSAGE_DRAM_WRITE);
}

static ws_l2_action *const actions[L2_ACTIONS] = {
    NULL,
#define ACTION(name, meaning) name,
#include "model/coherence/l2_actions.def"
#undef ACTION
};

/* --- Transitions --- */

/* An empty line for the request, or one that may go; NULL: there is none. `leased`: a lease keeps none. */
static ws_l2_line *choose_line(const step *s, bool leased)
{
    uint8_t locked[WS_CACHE_MOST_WAYS];
    const uint32_t ways = s->c->config.l2_ways;
    const ws_l2_line *const set = lines_of(s->c, s->l2) + (size_t)set_of(s->c, s->block) * ways;
    for (uint32_t way = 0; way < ways; way++)
        locked[way] = leased ? !s->c->l2[set[way].state][AT_EVICT] : !may_evict(s, &set[way]);
    const ws_cache_use use = ws_slice_use(s->c, s->message, true);
    const uint32_t line = ws_cache_choose(&s->c->l2_cache, cache_of(s->c, s->l2), &use, locked);
    return line == WS_CACHE_NONE ? NULL : lines_of(s->c, s->l2) + line;
}

static int make_room(step *s)
{
    ws_l2_line *const way = choose_line(s, false);
    if (!way)
        return WS_COHERENCE_RETRY;
    if (way->state != L2_I) {
        ws_coherence_counts *const counts = counts_at(s->c, s->l2, s->c->l2_counts);
        if (counts)
            counts->evictions++;
        step evict = *s;
        evict.line = way;
        evict.block = way->block;
        retire(&evict);
        ws_l2_release(&evict, true);
    }
    name_line(s->c, s->l2, way, s->message);
    s->line = way;
    return WS_OK;
}

static const char *const event_names[] = {
#define EVENT(name, meaning) #name,
#include "model/coherence/l2_events.def"
#undef EVENT
};

int ws_l2_no_row(const ws_coherence *coherence, const ws_l2 *l2, uint8_t state, int event)
{
    return ws_fail(WS_EVERIFY, "coherence %s: slice %u: no row for %s in state %s", coherence->protocol->name,
                   l2->slice, event_names[event], ws_l2_state_name(state));
}

/* A request that waits on, or that the line was fetched for, is no new use of it. */
static void note_use(const step *s, int event)
{
    const bool request = event == AT_READ || event == AT_WRITE || event == AT_UPDATE;
    if (request && !s->kept && !s->fetched)
        use_line(s->c, s->l2, s->line, s->message);
    else if (event != AT_BLOCKED)
        renew_line(s->c, s->l2, s->line);
}

static int happen(step *s, int event)
{
    return ws_l2_happen(s, event, actions, false, note_use);
}

static int request_event(const ws_coherence_message *m)
{
    return m->type == WS_MESSAGE_READ ? AT_READ : m->type == WS_MESSAGE_WRITE ? AT_WRITE : AT_UPDATE;
}

static bool must_wait(const step *s, size_t before)
{
    if ((s->line && s->line->state == L2_IV) || has_elder(s->c, s->l2, s->block, before))
        return true;
    return s->line && s->c->protocol->strong_writes && s->message->type != WS_MESSAGE_READ && s->now <= s->line->expiry;
}

/* Serves the request, or starts to read its block from DRAM, or keeps it; `before` requests stand before it. */
static int serve(step *s, size_t before)
{
    s->block = s->message->block;
    s->line = find_line(s->c, s->l2, s->block);
    const bool wait = must_wait(s, before) || (!s->line && make_room(s));
    return happen(s, wait ? AT_BLOCKED : request_event(s->message));
}

/* In a multi-slice L2 the news of a reset travels with the requests. */
static void learn_epoch(const ws_coherence *c, ws_l2 *l2, const ws_coherence_message *m)
{
    if (c->protocol->lease == WS_LEASE_LOGICAL && m->type != WS_MESSAGE_DRAM_FILL && m->epoch > l2->epoch)
        start_again(c, l2, m->epoch);
}

/* Once a request, when it comes; its own read of DRAM, now or later, is counted by fetch(). */
static void count_request(ws_coherence_counts *counts, const step *s)
{
    const uint8_t type = s->message->type;
    *(type == WS_MESSAGE_READ ? &counts->loads : type == WS_MESSAGE_WRITE ? &counts->stores : &counts->atomics) += 1;
    if (has_elder(s->c, s->l2, s->block, s->l2->queue_count) || (s->line && s->line->state == L2_IV))
        counts->merged++;
    else if (s->line)
        counts->hits++;
}

/* Once a request, when it comes: what it says of the lengths of leases. */
static void see_lease(const step *s)
{
    const ws_coherence_message *const m = s->message;
    ws_coherence_counts *const counts = counts_at(s->c, s->l2, s->c->l2_counts);
    if (m->type == WS_MESSAGE_READ)
        ws_lease_see_load(s->c, s->l2, s->line, m->ended, s->now, counts);
    else if (m->type == WS_MESSAGE_WRITE)
        ws_lease_see_store(s->c, s->l2, s->line, m->fenced && !ws_lease_is_private(s->c, s->line, m->expiry, s->now),
                           s->now, counts);
    if (s->line || has_elder(s->c, s->l2, s->block, s->l2->queue_count))
        return;
    const ws_l2_line *const leaves = choose_line(s, true);
    if (leaves && leaves->state == L2_V && !may_evict(s, leaves))
        ws_lease_see_eviction(s->c, s->l2, counts);
}

bool ws_l2_arrive(const ws_coherence *c, ws_coherence_message *m, uint64_t now, const ws_coherence_ports *ports,
                  uint64_t *earliest)
{
    *earliest = now;
    const bool asks = m->type == WS_MESSAGE_READ || m->type == WS_MESSAGE_WRITE || m->type == WS_MESSAGE_ATOMIC;
    if (!c->protocol->race || m->unit || !asks)
        return false;
    bool renewed;
    race_arrive(c, m, now, ports, &renewed);
    m->note |= WS_RACE_SEEN;
    *earliest += ws_hub_delay(c, ports->hub, now);
    race_leave(ports);
    return renewed;
}

/* The detector sees a request when it comes, not when it is served. */
static int race_message(const step *found)
{
    ws_coherence_message m;
    step s = *found;
    memcpy(&m, found->message, s.c->message_bytes);
    s.message = &m;
    uint64_t earliest;
    if (!(m.note & WS_RACE_SEEN) && ws_l2_arrive(s.c, &m, s.now, s.ports, &earliest))
        return WS_OK;
    const int rc = serve(&s, s.l2->queue_count);
    if (!rc && s.kept)
        race_tell(s.c, queued(s.c, s.l2, s.l2->queue_count - 1), s.ports);
    return rc;
}

int ws_l2_message(const ws_coherence *c, void *memory, const ws_coherence_message *message, uint64_t now,
                  const ws_coherence_ports *ports)
{
    if (c->protocol->directory)
        return ws_directory_l2_message(c, memory, message, ports);
    ws_l2 *const l2 = memory;
    step s = {.c = c, .l2 = l2, .now = now, .ports = ports, .message = message, .block = message->block};
    s.line = find_line(c, l2, message->block);
    if (message->type == WS_MESSAGE_DRAM_FILL) {
        const int rc = happen(&s, AT_FILL);
        return rc ? rc : ws_l2_pump(&s, &message->block, serve);
    }
    ws_coherence_counts *const counts = counts_at(c, l2, c->l2_counts);
    if (l2->queue_count == c->config.l2_queue) {
        if (counts)
            counts->retry++;
        return WS_COHERENCE_RETRY;
    }
    learn_epoch(c, l2, message);
    if (counts)
        count_request(counts, &s);
    if (ws_lease_predicted(c))
        see_lease(&s);
    if (c->protocol->race && !message->unit)
        return race_message(&s);
    return serve(&s, l2->queue_count);
}

int ws_l2_advance(const ws_coherence *c, void *l2, uint64_t now, const ws_coherence_ports *ports)
{
    const step s = {.c = c, .l2 = l2, .now = now, .ports = ports};
    return c->protocol->directory ? ws_directory_l2_advance(c, l2, ports) : ws_l2_pump(&s, NULL, serve);
}

uint64_t ws_l2_next_time(const ws_coherence *c, const void *memory, uint64_t now)
{
    const ws_l2 *const l2 = memory;
    if (c->protocol->lease != WS_LEASE_PHYSICAL)
        return WS_COHERENCE_NEVER;
    uint64_t next = WS_COHERENCE_NEVER;
    for (size_t i = 0; i < l2->queue_count; i++) {
        const ws_l2_line *const set = lines_of(c, l2) + (size_t)set_of(c, queued(c, l2, i)->block) * c->config.l2_ways;
        for (uint32_t way = 0; way < c->config.l2_ways; way++)
            if (set[way].state == L2_V && set[way].expiry >= now && set[way].expiry + 1 < next)
                next = set[way].expiry + 1;
    }
    return next;
}

int ws_l2_evict(const ws_coherence *c, void *l2, uint64_t block, uint64_t now, const ws_coherence_ports *ports)
{
    if (c->protocol->directory)
        return ws_directory_l2_evict(c, l2, block, ports);
    step s = {.c = c, .l2 = l2, .now = now, .ports = ports, .block = block, .line = find_line(c, l2, block)};
    if (!s.line || !may_evict(&s, s.line))
        return WS_COHERENCE_RETRY;
    return happen(&s, AT_EVICT);
}

/* --- Looking in --- */

ws_line_view ws_l2_look(const ws_coherence *c, const void *l2, uint64_t block)
{
    const ws_l2_line *const line = find_line(c, l2, block);
    if (!line)
        return (ws_line_view){.state = L2_I};
    return (ws_line_view){.state = line->state,
                          .wts = line->wts,
                          .rts = line->rts,
                          .expiry = line->expiry,
                          .dirty = line->dirty,
                          .data = data_of(c, l2, line)};
}

uint32_t ws_l2_mem_ts(const void *l2)
{
    return ((const ws_l2 *)l2)->mem_ts;
}

uint32_t ws_l2_max_ts(const void *l2)
{
    return ((const ws_l2 *)l2)->max_ts;
}

const ws_coherence_counts *ws_l2_counts(const ws_coherence *c, const void *l2)
{
    return counts_at(c, l2, c->l2_counts);
}

uint16_t ws_l2_epoch(const void *l2)
{
    return ((const ws_l2 *)l2)->epoch;
}

uint32_t ws_l2_lease(const void *l2)
{
    return ((const ws_l2 *)l2)->lease;
}

uint32_t ws_l2_waiting(const void *l2)
{
    return ((const ws_l2 *)l2)->queue_count;
}

int ws_l2_warm(const ws_coherence *c, void *l2, uint64_t block)
{
    step s = {.c = c, .l2 = l2, .block = block, .line = find_line(c, l2, block)};
    if (s.line)
        return WS_OK;
    s.line = find_empty_line(c, l2, block);
    if (!s.line)
        return WS_COHERENCE_RETRY;
    const ws_coherence_message zeros = {.type = WS_MESSAGE_READ, .block = block};
    s.message = &zeros;
    name_line(c, l2, s.line, &zeros);
    s.line->state = L2_V;
    fill(&s);
    return WS_OK;
}

int ws_l2_set_rts(const ws_coherence *c, void *l2, uint64_t block, uint32_t rts)
{
    ws_l2_line *const line = find_line(c, l2, block);
    if (!line)
        return WS_COHERENCE_RETRY;
    line->rts = rts;
    note_ts(l2, rts);
    return WS_OK;
}
