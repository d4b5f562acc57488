/* l1.c - the L1 of an SM: classifies what happens to a block, finds the row of the protocol, does its actions. */
#include "model/coherence/directory_internal.h"
#include "model/coherence/l1_memory_internal.h"
#include "model/coherence/race_internal.h"

#include "base/status.h"

#include <assert.h>
#include <string.h>

enum { NOBODY = UINT16_MAX }; /* id of a request for which no access waits; there are fewer accesses */

/* One transition, or several of one call. */
typedef struct step {
    const ws_coherence *c;
    ws_l1 *l1;
    ws_l1_line *line; /* of `block`; NULL while there is none */
    uint64_t block, now;
    const ws_coherence_ports *ports;
    ws_pending *entry;      /* the access that is looked at */
    const uint32_t *stored; /* its data, of a store or atomic */
    const ws_coherence_message *message;
    bool done;          /* the access is complete */
    bool ended;         /* the load found a copy whose physical lease has ended */
    bool take_ack;      /* the ack is of a store that the copy took and L2 agreed with */
    ws_verdict verdict; /* of race detection, on the copy that a load found */
    bool wrongly;       /* ... although the exact set says that it is good */
} step;

void ws_l1_init(const ws_coherence *coherence, void *l1, uint32_t sm)
{
    memset(l1, 0, coherence->l1_bytes);
    ((ws_l1 *)l1)->sm = (uint16_t)sm;
    ws_cache_init(&coherence->l1_cache, cache_of(coherence, l1));
    for (uint32_t i = 0; i < coherence->config.warps; i++)
        warps_of(coherence, l1)[i].ts = 1;
    if (coherence->protocol->race)
        race_l1_init(coherence, l1);
}

/* --- Lines --- */

static bool is_reading(uint8_t state)
{
    return state == L1_IV || state == L1_IVD || state == L1_VR || state == L1_VRW;
}

static bool has_data(uint8_t state)
{
    return state != L1_I && state != L1_IV && state != L1_IVD;
}

static bool has_lock(uint8_t state)
{
    return state == L1_VW || state == L1_VRW;
}

/* Stores in flight to the block have no copy to unlock any more. */
static void forget_stores(const ws_coherence *c, ws_l1 *l1, uint64_t block)
{
    ws_pending *const pending = pending_of(c, l1);
    for (uint32_t i = 0; i < l1->pending_count; i++)
        if (pending[i].block == block)
            pending[i].counted = pending[i].carried = false;
}

static void set_state(step *s, uint8_t next)
{
    ws_l1_line *const line = s->line;
    if (has_lock(line->state) && !has_lock(next)) {
        if (closed(s->c, WS_CLOSE_COUNT))
            forget_stores(s->c, s->l1, s->block);
        line->bad = false;
        line->stores = 0;
    }
    s->l1->reading += is_reading(next);
    s->l1->reading -= is_reading(line->state);
    /* Without a copy there is nothing to compare with. */
    if (next == L1_IV || next == L1_IVD) {
        line->wts = line->rts = 0;
        line->expiry = 0;
        memset(data_of(s->c, s->l1, line), 0, s->c->config.words * sizeof(uint32_t));
    }
    line->state = next;
}

/* --- Transitions --- */

typedef void action(step *s);
static action *const actions[L1_ACTIONS];

static void drop_line(step *s, ws_cache_end end)
{
    release_line(s->c, s->l1, s->line, end);
    s->line = NULL;
}

static int make_room(step *s)
{
    const ws_cache_use use = use_of(s->l1, s->block, s->entry, true);
    ws_l1_line *const way = choose_line(s->c, s->l1, &use);
    if (!way)
        return WS_COHERENCE_NO_LINE;
    if (way->state != L1_I) {
        ws_coherence_counts *const counts = counts_at(s->c, s->l1, s->c->l1_counts);
        if (counts)
            counts->evictions++;
        step evict = {.c = s->c, .l1 = s->l1, .line = way, .block = way->block};
        set_state(&evict, L1_I);
        drop_line(&evict, (ws_cache_end){.replaced = true});
    }
    name_line(s->c, s->l1, way, &use);
    s->line = way;
    return WS_OK;
}

static int run_row(step *s, const ws_row *row)
{
    const uint8_t state = s->line ? s->line->state : L1_I;
    if (is_reading(row->next) && !is_reading(state) && s->l1->reading >= s->c->config.l1_mshrs)
        return WS_COHERENCE_NO_MSHR;
    if (!s->line && row->next != L1_I && make_room(s))
        return WS_COHERENCE_NO_LINE;
    if (s->line)
        set_state(s, row->next);
    if (s->line && row->next == L1_I)
        drop_line(s, (ws_cache_end){0});
    for (int i = 0; i < ROW_ACTIONS && row->actions[i]; i++)
        actions[row->actions[i]](s);
    return WS_OK;
}

static const char *const event_names[] = {
#define EVENT(name, meaning) #name,
#include "model/coherence/l1_events.def"
#undef EVENT
};

int ws_l1_no_row(const ws_coherence *c, const ws_l1 *l1, uint8_t state, int event)
{
    return ws_fail(WS_EVERIFY, "coherence %s: SM %u: no row for %s in state %s", c->protocol->name, l1->sm,
                   event_names[event], ws_l1_state_name(state));
}

static int happen(step *s, int event)
{
    const uint8_t state = s->line ? s->line->state : L1_I;
    const ws_row *const row = s->c->l1[state][event];
    if (!row)
        return ws_l1_no_row(s->c, s->l1, state, event);
    return run_row(s, row);
}

/* --- Which event is it? --- */

static bool readable(const step *s, const ws_l1_line *line, uint32_t warp)
{
    switch (s->c->protocol->lease) {
    case WS_LEASE_LOGICAL:
        return warps_of(s->c, s->l1)[warp].ts <= line->rts;
    case WS_LEASE_PHYSICAL:
        return s->now <= line->expiry;
    default:
        return true;
    }
}

static int race_load_event(step *s)
{
    s->verdict = race_judge(s->c, s->l1, s->line, s->entry->mask, &s->wrongly);
    return s->verdict == VERDICT_GOOD ? ON_LOAD : s->verdict == VERDICT_CHECK ? ON_CHECK : ON_MISS;
}

static int load_event(step *s)
{
    const ws_l1_line *const line = s->line;
    s->ended = false;
    if (!line || line->state == L1_IV || line->state == L1_IVD)
        return ON_MISS;
    if (has_lock(line->state) && s->c->config.visibility == 1 && closed(s->c, WS_CLOSE_LOCK))
        return ON_HELD;
    if (s->c->protocol->race && !s->entry->poll)
        return race_load_event(s);
    if (s->entry->poll)
        return ON_MISS;
    const bool hit = readable(s, line, s->entry->warp);
    s->ended = !hit && s->c->protocol->lease == WS_LEASE_PHYSICAL;
    return hit ? ON_LOAD : ON_MISS;
}

/* --- Accesses that wait --- */

static void remove_pending(const ws_coherence *c, ws_l1 *l1, size_t index)
{
    warps_of(c, l1)[pending_of(c, l1)[index].warp].pending--;
    drop_pending(c, l1, index);
}

static uint16_t free_id(const ws_coherence *c, const ws_l1 *l1)
{
    const ws_pending *const pending = pending_of(c, l1);
    for (uint32_t first = 0;; first += 64) {
        uint64_t taken = 0;
        for (uint32_t i = 0; i < l1->pending_count; i++)
            if (pending[i].id - first < 64u)
                taken |= UINT64_C(1) << (pending[i].id - first);
        if (~taken)
            return (uint16_t)(first + (uint32_t)__builtin_ctzll(~taken));
    }
}

static ws_pending *find_pending(const ws_coherence *c, const ws_l1 *l1, uint16_t id)
{
    ws_pending *const pending = pending_of(c, l1);
    for (uint32_t i = 0; i < l1->pending_count; i++)
        if (pending[i].id == id)
            return &pending[i];
    return NULL;
}

static void complete_stage(step *s, const ws_pending *entry, ws_completion_stage stage, uint16_t epoch, uint32_t time,
                           const uint32_t *data)
{
    const ws_completion completion = {.kind = entry->kind,
                                      .stage = (uint8_t)stage,
                                      .placed = entry->placed,
                                      .warp = entry->warp,
                                      .tag = entry->tag,
                                      .epoch = epoch,
                                      .time = time,
                                      .mask = entry->mask,
                                      .block = entry->block,
                                      .data = data};
    s->ports->complete(s->ports->context, &completion);
}

static void complete(step *s, const ws_pending *entry, uint16_t epoch, uint32_t time, const uint32_t *data)
{
    complete_stage(s, entry, WS_COMPLETE, epoch, time, data);
}

/* A load has data that were good in an epoch of race detection. True: that was all; else it waits for earlier accesses
 * of its warp. */
static bool take_value(step *s, ws_pending *entry, uint32_t epoch, uint32_t time, const uint32_t *data)
{
    const bool early = race_is_early(s->c, s->l1, entry, epoch);
    if (early)
        race_keep_early(s->c, s->l1, entry, epoch, data);
    complete_stage(s, entry, early ? WS_COMPLETE_EARLY : WS_COMPLETE, s->l1->epoch, time, data);
    return !early;
}

/* --- Messages to L2 --- */

/* In which cycle the lease of the copy will end when the store comes to L2: each store before it adds one. 0: there is
 * no copy that may be read. */
static uint64_t claimed_lease(const step *s)
{
    if (!s->c->config.private_stores || !s->line || s->line->state != L1_V || s->now > s->line->expiry)
        return 0;
    uint64_t end = s->line->expiry;
    const ws_pending *const pending = pending_of(s->c, s->l1);
    for (uint32_t i = 0; i < s->l1->pending_count; i++)
        end += pending[i].block == s->block && pending[i].kind == WS_REQUEST_STORE && pending[i].carried;
    return end;
}

static void send(step *s, uint8_t type, uint32_t wts, uint32_t warp_ts, const uint32_t *data)
{
    ws_coherence_message m;
    memset(&m, 0, offsetof(ws_coherence_message, data));
    m.type = type;
    m.epoch = s->l1->epoch;
    m.sm = s->l1->sm;
    m.warp = s->entry->warp;
    m.id = s->entry->id;
    m.tag = s->entry->tag;
    m.wts = wts;
    m.warp_ts = warp_ts;
    m.block = s->block;
    m.ended = type == WS_MESSAGE_READ && s->ended;
    m.fenced = type == WS_MESSAGE_WRITE && s->l1->fenced;
    if (type == WS_MESSAGE_WRITE)
        m.expiry = claimed_lease(s);
    if (s->c->protocol->race)
        race_ask(s->c, s->l1, &m, type == WS_MESSAGE_READ ? s->entry->mask : s->entry->who.lines, s->line);
    if (data) {
        m.mask = s->entry->mask;
        memcpy(m.data, data, s->c->config.words * sizeof(uint32_t));
    }
    s->ports->send(s->ports->context, &m);
}

static uint32_t warp_ts(const step *s)
{
    return s->c->protocol->lease == WS_LEASE_LOGICAL ? warps_of(s->c, s->l1)[s->entry->warp].ts : 0;
}

/* The latest time among the loads that wait for this read: one answer serves them all. */
static uint32_t latest_ts(const step *s)
{
    uint32_t latest = warp_ts(s);
    const ws_pending *const pending = pending_of(s->c, s->l1);
    if (s->c->protocol->lease != WS_LEASE_LOGICAL || !s->c->config.combine)
        return latest;
    for (uint32_t i = 0; i < s->l1->pending_count; i++) {
        const uint32_t ts = warps_of(s->c, s->l1)[pending[i].warp].ts;
        if (pending[i].kind == WS_REQUEST_LOAD && pending[i].block == s->block && ts > latest)
            latest = ts;
    }
    return latest;
}

/* 0 while the line waits for its first data. */
static uint32_t copy_wts(const step *s)
{
    return s->line ? s->line->wts : 0;
}

static void send_read(step *s)
{
    s->entry->attached = s->entry->first = true;
    s->entry->poll = false;
    if (s->line)
        s->line->reads++;
    send(s, WS_MESSAGE_READ, copy_wts(s), latest_ts(s), NULL);
}

static void send_alone(step *s)
{
    s->entry->attached = s->entry->first = true;
    send(s, WS_MESSAGE_READ, 0, warp_ts(s), NULL);
}

static void send_check(step *s)
{
    s->line->unchecked = 0;
    s->line->reads++;
    const uint16_t id = s->entry->id;
    s->entry->id = NOBODY;
    send(s, WS_MESSAGE_READ, 0, 0, NULL);
    s->entry->id = id;
}

static void join(step *s)
{
    if (s->entry->attached)
        return;
    if (!s->c->config.combine)
        send_read(s);
    s->entry->attached = true;
    s->entry->poll = false;
}

static void park(step *s)
{
    (void)s; /* it stays in the list of accesses, without a read to wait for */
}

static void extend(step *s)
{
    s->line->expiry++;
}

static void resend(step *s)
{
    ws_pending *const entry = find_pending(s->c, s->l1, s->message->id);
    ws_pending other = {.block = s->block, .warp = s->message->warp, .id = s->message->id, .tag = s->message->tag};
    s->entry = entry && entry->block == s->block ? entry : &other;
    s->line->reads++;
    send(s, WS_MESSAGE_READ, 0, latest_ts(s), NULL);
}

static void send_write(step *s)
{
    /* The copy's wts, with which L2 sees whether it had the same data (closing 1). */
    send(s, WS_MESSAGE_WRITE, s->entry->sent_wts, warp_ts(s), s->stored);
}

static void send_update(step *s)
{
    send(s, WS_MESSAGE_ATOMIC, 0, warp_ts(s), s->stored);
}

/* --- Reading and writing the copy --- */

/* A spinning warp must not stay at one time for ever: its copy would never expire (closing 5). At the end of the
 * timestamps a read at L2 starts them again, which `poll` brings about. */
static void count_hit(const ws_coherence *c, ws_warp_state *warp)
{
    if (c->protocol->lease != WS_LEASE_LOGICAL || !closed(c, WS_CLOSE_SPIN) || ++warp->hits < c->config.spin)
        return;
    warp->hits = 0;
    if (warp->ts < c->max_ts)
        warp->ts++;
}

/* Was the copy, or what is new in it, read for this access? Then its use was told when it got its line. */
static bool was_fetched(const step *s)
{
    const ws_coherence_message *const m = s->message;
    return m && m->type == WS_MESSAGE_FILL && m->block == s->block && m->id == s->entry->id;
}

static void hit(step *s)
{
    ws_warp_state *const warp = &warps_of(s->c, s->l1)[s->entry->warp];
    if (s->line->wts > warp->ts && s->c->protocol->lease == WS_LEASE_LOGICAL)
        warp->ts = s->line->wts;
    if (was_fetched(s))
        renew_line(s->c, s->l1, s->line);
    else
        use_line(s->c, s->l1, s->line, s->entry);
    s->done = take_value(s, s->entry, race_hit_epoch(s->c, s->l1, s->line), warp->ts, data_of(s->c, s->l1, s->line));
    count_hit(s->c, warp);
    if (s->c->protocol->race)
        race_hit(s->c, s->l1, s->line);
}

static void merge(const ws_coherence *c, uint32_t *data, const uint32_t *from, uint32_t mask)
{
    for (uint32_t i = 0; i < c->config.words; i++)
        if (mask >> i & 1)
            data[i] = from[i];
}

static void write_line(step *s)
{
    s->entry->carried = true;
    s->entry->sent_wts = s->line->wts;
    if (s->c->config.visibility == 1)
        merge(s->c, data_of(s->c, s->l1, s->line), s->stored, s->entry->mask);
    /* Without the lock the L1 must guess the time of the store and shows the data at once (section V-A, fig. 10). */
    if (s->c->protocol->lease == WS_LEASE_LOGICAL && !closed(s->c, WS_CLOSE_LOCK) && s->line->rts < s->c->max_ts) {
        const uint32_t ts = warp_ts(s);
        s->line->wts = s->line->rts + 1 > ts ? s->line->rts + 1 : ts;
        s->line->rts = s->line->wts;
    }
}

static void lock(step *s)
{
    ws_l1_line *const line = s->line;
    if (line->stores == 0)
        line->ack_wts = line->ack_rts = 0;
    /* Two stores kept aside would have to be applied one by one; giving up the copy is rarer and simpler. */
    if (line->stores && s->c->config.visibility == 2)
        line->bad = true;
    line->stores++;
    s->entry->counted = true;
}

static void install(step *s)
{
    const ws_coherence_message *const m = s->message;
    ws_l1_line *const line = s->line;
    if (m->wts < line->wts && closed(s->c, WS_CLOSE_RENEW))
        return; /* overtaken by newer data */
    line->wts = m->wts;
    line->rts = m->rts;
    line->expiry = m->expiry;
    line->bad = false;
    line->ack_wts = line->ack_rts = 0;
    memcpy(data_of(s->c, s->l1, line), m->data, s->c->config.words * sizeof(uint32_t));
    ws_pending *const pending = pending_of(s->c, s->l1);
    for (uint32_t i = 0; i < s->l1->pending_count; i++)
        if (pending[i].block == s->block && closed(s->c, WS_CLOSE_ABSENT))
            pending[i].carried = false;
}

static void install_epoch(step *s)
{
    s->line->wts = s->message->note & WS_RACE_PARTIAL ? 0 : s->message->wts; /* 0: of no epoch */
    s->line->unchecked = 0;
    memcpy(data_of(s->c, s->l1, s->line), s->message->data, s->c->config.words * sizeof(uint32_t));
}

static void renew_epoch(step *s)
{
    s->line->wts = s->message->wts;
    s->line->unchecked = 0;
}

static void renew(step *s)
{
    /* Of several reads in flight an older answer may have changed the copy that this one is about. */
    if (s->message->wts == s->line->wts && s->message->rts > s->line->rts)
        s->line->rts = s->message->rts;
}

static void renew_blind(step *s)
{
    s->line->rts = s->message->rts;
}

static void take_ack(step *s)
{
    const ws_coherence_message *const m = s->message;
    ws_l1_line *const line = s->line;
    if (s->take_ack && m->wts > line->ack_wts) {
        line->ack_wts = m->wts;
        line->ack_rts = m->rts;
        if (s->c->config.visibility == 2 && s->stored)
            merge(s->c, data_of(s->c, s->l1, line), s->stored, s->entry->mask);
    }
    if (line->stores || !line->ack_wts)
        return;
    line->wts = line->ack_wts;
    line->rts = line->ack_rts;
    line->ack_wts = line->ack_rts = 0;
}

/* Loads that waited for the read wait for it no more; look_again() follows every message. */
static void wake(step *s)
{
    ws_pending *const pending = pending_of(s->c, s->l1);
    for (uint32_t i = 0; i < s->l1->pending_count && s->c->protocol->lease != WS_LEASE_LOGICAL; i++)
        if (pending[i].block == s->block)
            pending[i].attached = pending[i].first = false;
}

static void serve_entry(step *s, size_t index, const uint32_t *data)
{
    ws_pending *const entry = &pending_of(s->c, s->l1)[index];
    ws_warp_state *const warp = &warps_of(s->c, s->l1)[entry->warp];
    if (s->c->protocol->lease == WS_LEASE_LOGICAL && s->message->wts > warp->ts)
        warp->ts = s->message->wts;
    complete(s, entry, s->l1->epoch, s->message->wts, data);
    remove_pending(s->c, s->l1, index);
}

static void serve(step *s)
{
    ws_pending *const entry = find_pending(s->c, s->l1, s->message->id);
    if (entry && entry->kind == WS_REQUEST_LOAD &&
        take_value(s, entry, s->message->wts, s->message->wts, s->message->data))
        remove_pending(s->c, s->l1, (size_t)(entry - pending_of(s->c, s->l1)));
}

static void serve_copy(step *s)
{
    ws_pending *const entry = find_pending(s->c, s->l1, s->message->id);
    if (entry && entry->kind == WS_REQUEST_LOAD &&
        take_value(s, entry, s->message->wts, s->message->wts, data_of(s->c, s->l1, s->line)))
        remove_pending(s->c, s->l1, (size_t)(entry - pending_of(s->c, s->l1)));
}

static void serve_all(step *s)
{
    for (size_t i = 0; i < s->l1->pending_count;) {
        const ws_pending *const entry = &pending_of(s->c, s->l1)[i];
        if (entry->kind == WS_REQUEST_LOAD && entry->block == s->block && entry->attached)
            serve_entry(s, i, s->message->data);
        else
            i++;
    }
}

static action *const actions[L1_ACTIONS] = {
    NULL,
#define ACTION(name, meaning) name,
#include "model/coherence/l1_actions.def"
#undef ACTION
};

/* Loads that wait for no message look whether they can go on. Those of one block stay in order. */
static int look_again(step *s)
{
    for (size_t i = 0; i < s->l1->pending_count;) {
        ws_pending *const entry = &pending_of(s->c, s->l1)[i];
        s->done = false;
        const bool waits =
            s->c->protocol->race && race_is_half_stored(s->c, s->l1, entry->block, entry->warp, entry->tag);
        if (entry->kind == WS_REQUEST_LOAD && !entry->attached && !entry->early && !waits) {
            s->entry = entry;
            s->block = entry->block;
            s->line = find_line(s->c, s->l1, s->block);
            const int rc = happen(s, load_event(s));
            if (rc < 0)
                return rc;
        }
        if (s->done)
            remove_pending(s->c, s->l1, i);
        else
            i++;
    }
    return WS_OK;
}

/* Tells the SM of the accesses that have their place now. */
static void tell_placed(step *s)
{
    ws_pending *const pending = pending_of(s->c, s->l1);
    for (uint32_t i = 0; i < s->l1->pending_count; i++) {
        ws_pending *const entry = &pending[i];
        if (entry->placed || !race_is_placed(s->c, s->l1, entry))
            continue;
        complete_stage(s, entry, WS_COMPLETE_PLACED, s->l1->epoch, 0, NULL);
        entry->placed = true;
    }
}

/* Early loads that no earlier access of their warp keeps open any more: what became of them? One that was refuted is
 * looked at again. */
static int settle(step *s)
{
    if (!s->c->config.race.ahead)
        return WS_OK;
    int rc = WS_OK;
    for (bool again = true; again && rc == WS_OK;) {
        again = false;
        for (size_t i = 0; i < s->l1->pending_count;) {
            ws_pending *const entry = &pending_of(s->c, s->l1)[i];
            const ws_completion_stage stage = race_settled(s->c, s->l1, entry);
            if (stage == WS_COMPLETE_EARLY) {
                i++;
                continue;
            }
            complete_stage(s, entry, stage, s->l1->epoch, 0,
                           stage == WS_COMPLETE_KEPT ? aside_of(s->c, s->l1, i) : NULL);
            again |= stage == WS_COMPLETE_REFUTED;
            if (stage == WS_COMPLETE_KEPT)
                remove_pending(s->c, s->l1, i);
        }
        if (again)
            rc = look_again(s);
    }
    tell_placed(s);
    return rc;
}

static int look_and_settle(step *s)
{
    const int rc = look_again(s);
    return rc ? rc : settle(s);
}

/* --- Calls from outside --- */

/* Sequential protocols have one instruction of a warp in flight; race detection, one that has no place yet. */
static bool keeps_back(const ws_coherence *c, const ws_pending *earlier, const ws_request *access)
{
    return c->protocol->sequential && earlier->tag != access->tag &&
           !(c->protocol->race && (earlier->ordered || race_is_private(c, &access->who)));
}

/* The order of a warp's accesses: as above, but for loads that run ahead; always, accesses of a warp to one block keep
 * their order, so only loads may follow loads and stores follow stores. */
static bool must_wait(const ws_coherence *c, const ws_l1 *l1, const ws_request *access)
{
    const ws_pending *const pending = pending_of(c, l1);
    if (access->ahead && c->config.race.ahead)
        return false;
    for (uint32_t i = 0; i < l1->pending_count; i++)
        if (pending[i].warp == access->warp &&
            (keeps_back(c, &pending[i], access) || access->kind == WS_REQUEST_FENCE ||
             (pending[i].block == access->block &&
              (pending[i].kind != access->kind || access->kind == WS_REQUEST_ATOMIC))))
            return true;
    return false;
}

/* Once an access, when it is taken: how it went at first sight. */
static void count_access(ws_coherence_counts *counts, const step *s, int event, bool expired)
{
    const uint8_t kind = s->entry->kind;
    *(kind == WS_REQUEST_LOAD ? &counts->loads : kind == WS_REQUEST_STORE ? &counts->stores : &counts->atomics) += 1;
    counts->expired += expired;
    if (s->done || s->entry->early)
        counts->hits++;
    else if (s->entry->first || event == ON_STORE || event == ON_UPDATE)
        counts->misses++;
    else
        counts->merged++;
}

static int reach_fence(const ws_coherence *c, ws_l1 *l1, const ws_request *access, uint64_t now,
                       const ws_coherence_ports *ports)
{
    const ws_warp_state *const warp = &warps_of(c, l1)[access->warp];
    if (c->protocol->lease == WS_LEASE_PHYSICAL && now < warp->gwct)
        return WS_COHERENCE_RETRY;
    if (c->protocol->fence_flushes) {
        const int rc = ws_l1_flush(c, l1, ports);
        if (rc)
            return rc;
    }
    l1->fenced = c->config.prediction.on;
    const ws_pending fence = {.kind = WS_REQUEST_FENCE, .warp = access->warp, .tag = access->tag};
    step s = {.c = c, .l1 = l1, .ports = ports};
    complete(&s, &fence, l1->epoch, warp->ts, NULL);
    return WS_OK;
}

/* At the last timestamp a load asks L2, which starts the timestamps again. */
static bool is_out_of_time(const ws_coherence *c, const ws_warp_state *warp)
{
    return c->protocol->lease == WS_LEASE_LOGICAL && warp->ts == c->max_ts && closed(c, WS_CLOSE_SPIN);
}

/* What the row of a load that the copy serves comes to, without an entry for what may have to wait: most accesses. */
static bool hit_at_once(const ws_coherence *c, ws_l1 *l1, ws_l1_line *line, const ws_request *access, uint64_t now,
                        const ws_coherence_ports *ports)
{
    ws_warp_state *const warp = &warps_of(c, l1)[access->warp];
    const ws_lease_kind lease = c->protocol->lease;
    if (access->poll || c->protocol->race || (lease == WS_LEASE_LOGICAL && warp->ts > line->rts) ||
        (lease == WS_LEASE_PHYSICAL && now > line->expiry) || is_out_of_time(c, warp))
        return false;
    if (line->wts > warp->ts)
        warp->ts = line->wts;
    if (c->l1_cache.quick) {
        ws_cache_touch_quick(&c->l1_cache, cache_of(c, l1), number_of(c, l1, line));
    } else {
        const ws_pending entry = pending_from(access);
        use_line(c, l1, line, &entry);
    }
    const ws_completion completion = {.kind = WS_REQUEST_LOAD,
                                      .warp = access->warp,
                                      .tag = access->tag,
                                      .epoch = l1->epoch,
                                      .time = warp->ts,
                                      .mask = access->mask,
                                      .block = access->block,
                                      .data = data_of(c, l1, line)};
    ports->complete(ports->context, &completion);
    count_hit(c, warp);
    ws_coherence_counts *const counts = counts_at(c, l1, c->l1_counts);
    if (counts) {
        counts->loads++;
        counts->hits++;
    }
    return true;
}

static int take_access(const ws_coherence *c, ws_l1 *l1, const ws_request *access, uint64_t now,
                       const ws_coherence_ports *ports)
{
    assert(access->warp < c->config.warps);
    if (warps_of(c, l1)[access->warp].pending && must_wait(c, l1, access))
        return WS_COHERENCE_RETRY;
    if (access->kind == WS_REQUEST_FENCE)
        return reach_fence(c, l1, access, now, ports);
    ws_l1_line *const line = find_line(c, l1, access->block);
    if (c->protocol->race && race_must_wait(c, l1, line, access))
        return WS_COHERENCE_RETRY;
    if (line && access->kind == WS_REQUEST_LOAD && c->plain_hit[line->state] &&
        hit_at_once(c, l1, line, access, now, ports))
        return WS_OK;
    ws_pending entry = pending_from(access);
    entry.poll = access->poll || is_out_of_time(c, &warps_of(c, l1)[access->warp]);
    step s = {.c = c,
              .l1 = l1,
              .line = line,
              .block = access->block,
              .now = now,
              .ports = ports,
              .entry = &entry,
              .stored = access->data};
    const int event = access->kind == WS_REQUEST_LOAD    ? load_event(&s)
                      : access->kind == WS_REQUEST_STORE ? ON_STORE
                                                         : ON_UPDATE;
    if (event == ON_LOAD && c->protocol->race && race_has_no_room(c, l1))
        return WS_COHERENCE_RETRY;
    entry.asked_early = race_is_ahead(c, l1, &entry);
    entry.ordered = c->protocol->race && race_is_private(c, &entry.who);
    if (event != ON_LOAD || entry.asked_early) {
        if (l1->pending_count == c->config.l1_pending)
            return WS_COHERENCE_NO_ROOM;
        entry.id = free_id(c, l1);
        warps_of(c, l1)[access->warp].hits = 0;
    }
    const bool expired = event == ON_MISS && s.line && !entry.poll && has_data(s.line->state);
    const ws_verdict verdict = s.verdict;
    const bool wrongly = s.wrongly;
    const int rc = happen(&s, event);
    if (rc == WS_OK && c->protocol->race)
        race_count_miss(c, l1, verdict, wrongly);
    if (rc == WS_OK && c->config.race.ahead && access->kind != WS_REQUEST_LOAD)
        race_overwrite(c, l1, access);
    if (rc == WS_OK && c->config.count)
        count_access(counts_at(c, l1, c->l1_counts), &s, event, expired);
    if (rc || s.done)
        return rc;
    if (c->config.visibility == 2 && access->kind != WS_REQUEST_LOAD)
        memcpy(aside_of(c, l1, l1->pending_count), access->data, c->config.words * sizeof(uint32_t));
    if (c->config.race.ahead)
        entry.ordered |= race_is_in_turn(c, l1, &entry);
    pending_of(c, l1)[l1->pending_count++] = entry;
    warps_of(c, l1)[entry.warp].pending++;
    if (c->config.race.ahead)
        tell_placed(&s);
    return WS_OK;
}

int ws_l1_access(const ws_coherence *c, void *memory, const ws_request *access, uint64_t now,
                 const ws_coherence_ports *ports)
{
    if (c->protocol->directory)
        return ws_directory_l1_access(c, memory, access, ports);
    return count_refusal(c, memory, take_access(c, memory, access, now, ports));
}

/* All copies are given up; times of warps start again if it is a reset. */
static int drop_all(const ws_coherence *c, ws_l1 *l1, int event)
{
    const size_t lines = (size_t)c->config.l1_sets * c->config.l1_ways;
    for (size_t i = 0; i < lines; i++) {
        ws_l1_line *const line = &lines_of(c, l1)[i];
        if (line->state == L1_I)
            continue;
        forget_stores(c, l1, line->block);
        step s = {.c = c, .l1 = l1, .line = line, .block = line->block};
        const int rc = happen(&s, event);
        if (rc)
            return rc;
    }
    return WS_OK;
}

static int start_again(const ws_coherence *c, ws_l1 *l1, uint16_t epoch)
{
    l1->epoch = epoch;
    for (uint32_t i = 0; i < c->config.warps; i++)
        warps_of(c, l1)[i].ts = 1;
    return drop_all(c, l1, ON_RESET);
}

/* The answer to a read: who waited for it waits no more; which event is it? */
static int read_event(step *s)
{
    const ws_coherence_message *const m = s->message;
    const bool stale = m->epoch != s->l1->epoch && closed(s->c, WS_CLOSE_EPOCH);
    if (s->line && s->line->reads)
        s->line->reads--;
    if (stale)
        return ON_STALE;
    const bool more = s->line && s->line->reads;
    const bool resent = s->line && s->line->state == L1_IV && m->type == WS_MESSAGE_RENEW;
    ws_pending *const pending = pending_of(s->c, s->l1);
    for (uint32_t i = 0; i < s->l1->pending_count && !resent && s->c->protocol->lease == WS_LEASE_LOGICAL; i++)
        if (pending[i].block == s->block && (!more || pending[i].id == m->id))
            pending[i].attached = pending[i].first = false;
    if (m->type == WS_MESSAGE_RENEW)
        return more ? ON_RENEW_MORE : ON_RENEW;
    return more ? ON_FILL_MORE : ON_FILL;
}

static int ack_event(step *s)
{
    const ws_pending *const entry = s->entry;
    ws_l1_line *const line = s->line;
    const bool same_epoch = s->message->epoch == s->l1->epoch || !closed(s->c, WS_CLOSE_EPOCH);
    const bool blind =
        s->c->protocol->lease == WS_LEASE_LOGICAL && !closed(s->c, WS_CLOSE_ABSENT) && line && line->state != L1_IV;
    if (s->c->config.private_stores && line && line->state == L1_V && entry->carried && s->message->match)
        return ON_ACK;
    if (!line || !same_epoch || entry->kind != WS_REQUEST_STORE || (!entry->counted && !blind))
        return ON_ACK_OTHER;
    s->take_ack = (entry->carried || blind) && s->message->match;
    if (!has_lock(line->state))
        return blind ? ON_ACK : ON_ACK_OTHER;
    if (entry->carried && !s->message->match)
        line->bad = true;
    line->stores = closed(s->c, WS_CLOSE_COUNT) && line->stores ? line->stores - 1 : 0;
    return line->stores ? ON_ACK_MORE : line->bad ? ON_ACK_BAD : ON_ACK;
}

/* `taken` and `stored` are room for the access, which leaves the list before its line changes. */
static int take_performed(step *s, ws_pending *taken, uint32_t *stored)
{
    const ws_coherence_message *const m = s->message;
    ws_pending *const entry = find_pending(s->c, s->l1, m->id);
    if (!entry)
        return ws_fail(WS_EVERIFY, "coherence %s: SM %u: an ack for nothing", s->c->protocol->name, s->l1->sm);
    const size_t index = (size_t)(entry - pending_of(s->c, s->l1));
    ws_warp_state *const warp = &warps_of(s->c, s->l1)[entry->warp];
    if (s->c->protocol->lease == WS_LEASE_LOGICAL && m->wts > warp->ts &&
        (m->epoch == s->l1->epoch || !closed(s->c, WS_CLOSE_EPOCH)))
        warp->ts = m->wts;
    if (m->expiry > warp->gwct)
        warp->gwct = m->expiry;
    *taken = *entry;
    if (s->c->config.visibility == 2) {
        memcpy(stored, aside_of(s->c, s->l1, index), s->c->config.words * sizeof(uint32_t));
        s->stored = stored;
    }
    s->entry = taken;
    const int event = ack_event(s);
    remove_pending(s->c, s->l1, index);
    complete(s, taken, m->epoch, s->c->protocol->race ? m->rts : m->wts,
             taken->kind == WS_REQUEST_ATOMIC ? m->data : NULL);
    return event == ON_ACK_OTHER && (!s->line) ? WS_OK : happen(s, event);
}

/* A store or atomic has its answer. Race detection may perform all stores of an instruction together, with the answer
 * to the last. */
static int take_answer(const step *found)
{
    const ws_coherence *const c = found->c;
    ws_pending *answered = c->protocol->race ? find_pending(c, found->l1, found->message->id) : NULL;
    if (answered && !race_is_whole(c, found->l1, found->message, answered))
        return WS_OK;
    ws_coherence_message m;
    memcpy(&m, found->message, offsetof(ws_coherence_message, data));
    const uint16_t warp = m.warp;
    int rc;
    do {
        step s = *found;
        ws_pending taken;
        uint32_t stored[WS_COHERENCE_WORDS];
        if (answered && answered->order) {
            m.id = answered->id;
            m.block = answered->block;
            m.rts = answered->order;
            s.message = &m;
            s.block = m.block;
            s.line = find_line(c, s.l1, s.block);
        }
        rc = take_performed(&s, &taken, stored);
        answered = answered ? race_next_performed(c, found->l1, warp) : NULL;
    } while (rc == WS_OK && answered);
    return rc;
}

/* The detector has seen the access, for which the SM stalls: its place is that of this moment. */
static void take_place(step *s)
{
    ws_pending *const entry = find_pending(s->c, s->l1, s->message->id);
    if (!entry || !race_is_in_turn(s->c, s->l1, entry))
        return;
    entry->ordered = true;
    tell_placed(s);
}

int ws_l1_message(const ws_coherence *c, void *memory, const ws_coherence_message *message, uint64_t now,
                  const ws_coherence_ports *ports)
{
    if (c->protocol->directory)
        return ws_directory_l1_message(c, memory, message, ports);
    ws_l1 *const l1 = memory;
    if (closed(c, WS_CLOSE_EPOCH) ? message->epoch > l1->epoch : message->reset && message->epoch != l1->epoch) {
        const int rc = start_again(c, l1, message->epoch);
        if (rc)
            return rc;
    }
    step s = {.c = c,
              .l1 = l1,
              .line = find_line(c, l1, message->block),
              .block = message->block,
              .now = now,
              .ports = ports,
              .message = message};
    if (c->protocol->race)
        race_hear(c, l1, message);
    if (message->type == WS_MESSAGE_CHECKED && c->protocol->race == WS_RACE_STALLS)
        take_place(&s);
    if (message->type == WS_MESSAGE_SYNC || message->type == WS_MESSAGE_CHECKED)
        return look_and_settle(&s);
    const bool read = message->type == WS_MESSAGE_FILL || message->type == WS_MESSAGE_RENEW;
    const int rc = read ? happen(&s, read_event(&s)) : take_answer(&s);
    return rc ? rc : look_and_settle(&s);
}

int ws_l1_evict(const ws_coherence *c, void *l1, uint64_t block, const ws_coherence_ports *ports)
{
    if (c->protocol->directory)
        return ws_directory_l1_evict(c, l1, block, ports);
    step s = {.c = c, .l1 = l1, .line = find_line(c, l1, block), .block = block};
    if (!s.line || !c->l1[s.line->state][ON_EVICT])
        return WS_COHERENCE_RETRY;
    return happen(&s, ON_EVICT);
}

int ws_l1_flush(const ws_coherence *c, void *l1, const ws_coherence_ports *ports)
{
    return c->protocol->directory ? ws_directory_l1_flush(c, l1, ports) : drop_all(c, l1, ON_FLUSH);
}

int ws_l1_set_copy(const ws_coherence *c, void *l1, uint64_t block, uint32_t wts, uint32_t rts)
{
    step s = {.c = c, .l1 = l1, .line = find_line(c, l1, block), .block = block};
    if (s.line || c->protocol->directory || make_room(&s))
        return WS_COHERENCE_RETRY;
    set_state(&s, L1_V);
    s.line->wts = wts;
    s.line->rts = rts;
    return WS_OK;
}
