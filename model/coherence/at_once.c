/* at_once.c - what do the rows of a protocol come to, from a request to its answer, when nothing else is in flight?
 *
 * A functional replay asks this for nearly all its accesses, and the controllers' answer takes three calls, four
 * messages and two queues. This is the same in one go for the protocols whose L2 asks no L1. It decides before it
 * changes anything; whatever is rare (waiting, polls, atomics, timestamps near their end, open gaps) is left to the
 * controllers. A test compares the bytes of all controllers after every access. */
#include "model/coherence/at_once_internal.h"
#include "model/coherence/lease_prediction_internal.h"
#include "model/coherence/lease_sole_internal.h"

#include <string.h>

/* The line that has the block, or would get it. */
typedef struct place {
    const ws_cache *cache;
    void *memory;
    uint32_t line;
    bool found;
    bool empty; /* not found: nobody has to leave */
} place;

typedef struct visit {
    const ws_coherence *c;
    ws_l1 *l1;
    ws_l2 *l2;
    const ws_request *request;
    uint64_t now;
    ws_lease_kind lease;
    uint64_t (*sent)[WS_COHERENCE_WORDS + 1];
    ws_warp_state *warp;
    ws_coherence_counts *l1_counts, *l2_counts;
    place at1, at2;
    ws_l1_line *copy; /* the line of at1, whatever is in it now */
    ws_l2_line *line;
} visit;

static bool first_action(const ws_row *row, uint8_t next, uint8_t first)
{
    return row && row->next == next && row->actions[0] == first;
}

static bool plain_slice(const ws_coherence *c)
{
    return first_action(c->l2[L2_I][AT_READ], L2_IV, SLICE_fetch) &&
           first_action(c->l2[L2_I][AT_WRITE], L2_IV, SLICE_fetch) &&
           first_action(c->l2[L2_IV][AT_FILL], L2_V, SLICE_fill) &&
           first_action(c->l2[L2_V][AT_READ], L2_V, SLICE_grant) && !c->l2[L2_V][AT_READ]->actions[1] &&
           first_action(c->l2[L2_V][AT_WRITE], L2_V, SLICE_write) && !c->l2[L2_V][AT_WRITE]->actions[1] &&
           first_action(c->l2[L2_V][AT_EVICT], L2_I, SLICE_retire);
}

/* No line is ever kept: a load is served by its own answer. */
static bool is_alone(const ws_coherence *c)
{
    return first_action(c->l1[L1_I][ON_MISS], L1_I, DO_send_alone);
}

bool ws_at_once_applies(const ws_coherence *c)
{
    const uint32_t needed = WS_CLOSE_MATCH | WS_CLOSE_ABSENT | WS_CLOSE_COUNT | WS_CLOSE_RENEW | WS_CLOSE_SPIN |
                            WS_CLOSE_EPOCH | WS_CLOSE_LOCK;
    if (c->config.words || !c->config.count || c->config.visibility != 1 || (c->config.closings & needed) != needed)
        return false;
    const uint8_t read = c->protocol->lease == WS_LEASE_LOGICAL ? L1_VR : L1_IV;
    const ws_row *const store = c->l1[L1_V][ON_STORE];
    const bool keeps = first_action(store, L1_V, DO_write_line) && store->actions[1] == DO_send_write;
    const bool drops = first_action(store, L1_I, DO_send_write);
    const bool locks = first_action(store, L1_VW, DO_write_line) && store->actions[1] == DO_lock;
    if (is_alone(c))
        return plain_slice(c) && first_action(c->l1[L1_I][ON_STORE], L1_I, DO_send_write);
    return plain_slice(c) && c->plain_hit[L1_V] && (c->protocol->lease == WS_LEASE_LOGICAL ? locks : keeps || drops) &&
           first_action(c->l1[L1_I][ON_MISS], L1_IV, DO_send_read) &&
           first_action(c->l1[L1_V][ON_MISS], read, DO_send_read) &&
           first_action(c->l1[L1_IV][ON_FILL], L1_V, DO_install) &&
           first_action(c->l1[L1_I][ON_STORE], L1_I, DO_send_write) &&
           first_action(c->l1[L1_V][ON_EVICT], L1_I, DO_NOTHING);
}

/* --- Lines --- */

static place find_place(const ws_cache *cache, char *memory, uint64_t block)
{
    place p = {.cache = cache, .memory = memory, .line = ws_cache_find(cache, memory, block)};
    p.found = p.line != WS_CACHE_NONE;
    return p;
}

/* All lines are in state V, as nothing is in flight: the policy may choose among all. */
static void choose(place *p, const ws_cache_use *use)
{
    uint64_t block;
    p->line = ws_cache_choose(p->cache, p->memory, use, NULL);
    p->empty = !ws_cache_holds(p->cache, p->memory, p->line, &block);
}

static void replace(const place *p, const ws_cache_use *use, bool dirty)
{
    if (!p->empty)
        ws_cache_drop(p->cache, p->memory, p->line, (ws_cache_end){.replaced = true, .dirty = dirty});
    ws_cache_miss(p->cache, p->memory, use);
    ws_cache_put(p->cache, p->memory, p->line, use);
}

static ws_cache_use use_of(const visit *v, bool waits)
{
    const ws_request *const r = v->request;
    return (ws_cache_use){.block = r->block,
                          .mask = r->mask,
                          .sm = v->l1->sm,
                          .warp = r->warp,
                          .kind = r->kind,
                          .waits = waits,
                          .who = r->who};
}

/* The request as the slice gets it: a read says of no words that they are wanted. */
static ws_cache_use slice_use_of(const visit *v, bool waits)
{
    const ws_request *const r = v->request;
    return (ws_cache_use){.block = ws_slice_map_local(&v->c->map, r->block),
                          .mask = r->kind == WS_REQUEST_LOAD ? 0 : r->mask,
                          .sm = v->l1->sm,
                          .warp = r->warp,
                          .kind = r->kind,
                          .waits = waits};
}

static void find_copy(visit *v)
{
    const ws_coherence *const c = v->c;
    v->at1 = find_place(&c->l1_cache, (char *)v->l1 + c->l1_tags, v->request->block);
    if (v->at1.found)
        v->copy = (ws_l1_line *)((char *)v->l1 + c->l1_lines) + v->at1.line;
}

/* False where the slice would have to wait or to start the timestamps again. */
static bool find_in_slice(visit *v)
{
    const ws_coherence *const c = v->c;
    v->at2 = find_place(&c->l2_cache, (char *)v->l2 + c->l2_tags, ws_slice_map_local(&c->map, v->request->block));
    if (!v->at2.found) {
        const ws_cache_use use = slice_use_of(v, true);
        choose(&v->at2, &use);
    }
    v->line = (ws_l2_line *)((char *)v->l2 + c->l2_lines) + v->at2.line;
    if (v->lease != WS_LEASE_LOGICAL)
        /* Of those whose lease lives none may go; that the first choice may not does not mean that no other may. */
        return v->at2.found || v->at2.empty || v->lease == WS_LEASE_NONE || v->now > v->line->expiry;
    const uint32_t most = v->l2->max_ts > v->warp->ts ? v->l2->max_ts : v->warp->ts;
    return v->l1->epoch == v->l2->epoch && (uint64_t)most + 2 * (uint64_t)c->config.lease + 2 < c->max_ts;
}

/* --- The slice --- */

static void note_ts(ws_l2 *l2, uint32_t ts)
{
    if (ts > l2->max_ts)
        l2->max_ts = ts;
}

static void replace_in_slice(visit *v)
{
    const bool logical = v->lease == WS_LEASE_LOGICAL;
    if (!v->at2.empty) {
        v->l2_counts->evictions++;
        v->l2_counts->writebacks += v->line->dirty;
        v->sent[WS_MESSAGE_DRAM_WRITE][0] += v->line->dirty;
        if (logical && v->line->rts > v->l2->mem_ts)
            v->l2->mem_ts = v->line->rts;
    }
    v->l2_counts->misses++;
    v->sent[WS_MESSAGE_DRAM_READ][0]++;
    v->sent[WS_MESSAGE_DRAM_FILL][0]++;
    const ws_cache_use use = slice_use_of(v, true);
    replace(&v->at2, &use, v->line->dirty);
    memset(v->line, 0, sizeof *v->line);
    v->line->block = v->request->block;
    v->line->state = L2_V;
    if (!logical)
        return;
    v->line->wts = v->l2->mem_ts;
    v->line->rts = lease_from(v->c, v->line->wts);
    v->line->fresh = true;
    note_ts(v->l2, v->line->rts);
}

static void touch_slice(visit *v)
{
    if (!v->at2.found) {
        replace_in_slice(v);
        return;
    }
    v->l2_counts->hits++;
    if (v->at2.cache->quick) {
        ws_cache_touch_quick(v->at2.cache, v->at2.memory, v->at2.line);
        return;
    }
    const ws_cache_use use = slice_use_of(v, false);
    ws_cache_touch(v->at2.cache, v->at2.memory, v->at2.line, &use);
}

static void extend_lease(visit *v)
{
    ws_l2_line *const line = v->line;
    if (v->lease == WS_LEASE_LOGICAL) {
        const uint32_t end = lease_from(v->c, v->warp->ts);
        if (end > line->rts) {
            line->rts = end;
            note_ts(v->l2, end);
        }
        line->fresh = false;
    } else if (v->lease == WS_LEASE_PHYSICAL) {
        ws_lease_note_reader(v->c, line, v->now);
        ws_lease_give(v->l2, line, v->now, v->l2_counts);
    }
}

static void store_in_slice(visit *v)
{
    ws_l2_line *const line = v->line;
    line->dirty = true;
    if (v->lease != WS_LEASE_LOGICAL)
        return;
    const uint32_t last = closed(v->c, WS_CLOSE_MEM_TS) && line->fresh ? v->l2->mem_ts : line->rts;
    line->wts = last + 1 > v->warp->ts ? last + 1 : v->warp->ts;
    line->rts = lease_from(v->c, line->wts);
    line->fresh = false;
    note_ts(v->l2, line->rts);
}

/* --- The L1 --- */

static void count_hit(const visit *v)
{
    if (++v->warp->hits < v->c->config.spin)
        return;
    v->warp->hits = 0;
    if (v->warp->ts < v->c->max_ts)
        v->warp->ts++;
}

/* The copy serves the load; `fetched`: it was read for it. */
static void read_copy(visit *v, bool fetched)
{
    if (v->lease == WS_LEASE_LOGICAL) {
        if (v->copy->wts > v->warp->ts)
            v->warp->ts = v->copy->wts;
        count_hit(v);
    }
    if (fetched) {
        ws_cache_renew(v->at1.cache, v->at1.memory, v->at1.line);
    } else if (v->at1.cache->quick) {
        ws_cache_touch_quick(v->at1.cache, v->at1.memory, v->at1.line);
    } else {
        const ws_cache_use use = use_of(v, false);
        ws_cache_touch(v->at1.cache, v->at1.memory, v->at1.line, &use);
    }
}

static bool is_readable(const visit *v)
{
    switch (v->lease) {
    case WS_LEASE_LOGICAL:
        return v->warp->ts <= v->copy->rts && v->warp->ts != v->c->max_ts;
    case WS_LEASE_PHYSICAL:
        return v->now <= v->copy->expiry;
    default:
        return true;
    }
}

static void replace_copy(visit *v)
{
    const ws_cache_use use = use_of(v, true);
    choose(&v->at1, &use);
    v->l1_counts->evictions += !v->at1.empty;
    replace(&v->at1, &use, false);
    v->copy = (ws_l1_line *)((char *)v->l1 + v->c->l1_lines) + v->at1.line;
    memset(v->copy, 0, sizeof *v->copy);
    v->copy->block = v->request->block;
    v->copy->state = L1_V;
}

static bool load(visit *v)
{
    if (v->at1.found && is_readable(v)) {
        v->l1_counts->loads++;
        v->l1_counts->hits++;
        read_copy(v, false);
        return true;
    }
    if (!find_in_slice(v))
        return false;
    v->l1_counts->loads++;
    v->l1_counts->misses++;
    v->l1_counts->expired += v->at1.found;
    v->l2_counts->loads++;
    v->sent[WS_MESSAGE_READ][0]++;
    if (ws_lease_predicted(v->c))
        ws_lease_see_load(v->c, v->l2, v->at2.found ? v->line : NULL, v->at1.found, v->now, v->l2_counts);
    touch_slice(v);
    extend_lease(v);
    v->warp->hits = 0;
    if (is_alone(v->c)) {
        v->sent[WS_MESSAGE_FILL][0]++;
        return true;
    }
    if (!v->at1.found)
        replace_copy(v);
    const bool logical = v->lease == WS_LEASE_LOGICAL, same = logical && v->copy->wts == v->line->wts;
    v->sent[same ? WS_MESSAGE_RENEW : WS_MESSAGE_FILL][0]++;
    v->copy->wts = v->line->wts;
    v->copy->rts = v->line->rts;
    v->copy->expiry = v->line->expiry;
    if (logical)
        read_copy(v, !same);
    return true;
}

static void drop_copy(visit *v)
{
    ws_cache_drop(v->at1.cache, v->at1.memory, v->at1.line, (ws_cache_end){0});
    memset(v->copy, 0, sizeof *v->copy);
}

/* The copy after its store is performed: at the store's time when it had all that L2 had, else it is given up. */
static void settle_copy(visit *v, bool match)
{
    if (v->lease != WS_LEASE_LOGICAL) {
        if (v->c->l1[L1_V][ON_STORE]->next == L1_I)
            drop_copy(v);
        else if (match && v->lease == WS_LEASE_PHYSICAL)
            v->copy->expiry++;
        return;
    }
    if (match) {
        v->copy->wts = v->line->wts;
        v->copy->rts = v->line->rts;
    } else
        drop_copy(v);
}

static bool store(visit *v)
{
    if (!find_in_slice(v))
        return false;
    if (v->c->protocol->strong_writes && v->at2.found && v->now <= v->line->expiry)
        return false;
    v->l1_counts->stores++;
    v->l1_counts->misses++;
    v->l2_counts->stores++;
    const uint32_t mask = v->request->mask;
    v->sent[WS_MESSAGE_WRITE][mask == UINT32_MAX ? 32 : __builtin_popcount(mask)]++;
    v->sent[WS_MESSAGE_ACK][0]++;
    v->warp->hits = 0;
    const bool physical = v->lease == WS_LEASE_PHYSICAL, live = physical && v->at1.found && v->now <= v->copy->expiry;
    const uint64_t claimed = live && v->c->config.private_stores ? v->copy->expiry : 0;
    ws_l2_line *const met = v->at2.found ? v->line : NULL;
    if (ws_lease_predicted(v->c))
        ws_lease_see_store(v->c, v->l2, met, v->l1->fenced && !ws_lease_is_private(v->c, met, claimed, v->now), v->now,
                           v->l2_counts);
    touch_slice(v);
    const bool match =
        physical ? ws_lease_matches(v->c, v->line, claimed, v->now) : v->at1.found && v->copy->wts == v->line->wts;
    const uint64_t visible = physical ? ws_lease_store(v->c, v->line, claimed, v->now) : 0;
    store_in_slice(v);
    if (v->lease == WS_LEASE_LOGICAL && v->line->wts > v->warp->ts)
        v->warp->ts = v->line->wts;
    if (visible > v->warp->gwct)
        v->warp->gwct = visible;
    if (v->at1.found)
        settle_copy(v, match);
    return true;
}

bool ws_at_once(const ws_coherence *c, void *l1, void *l2, const ws_request *request, uint64_t now, ws_sent sent)
{
    visit v;
    v.c = c;
    v.l1 = l1;
    v.l2 = l2;
    v.request = request;
    v.now = now;
    v.sent = sent;
    v.lease = c->protocol->lease;
    if (v.l1->pending_count || v.l2->queue_count || request->poll)
        return false;
    v.warp = (ws_warp_state *)((char *)l1 + c->l1_warps) + request->warp;
    v.l1_counts = (ws_coherence_counts *)((char *)l1 + c->l1_counts);
    v.l2_counts = (ws_coherence_counts *)((char *)l2 + c->l2_counts);
    find_copy(&v);
    return request->kind == WS_REQUEST_LOAD ? load(&v) : request->kind == WS_REQUEST_STORE && store(&v);
}
