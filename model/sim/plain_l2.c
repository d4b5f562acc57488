/* plain_l2.c - a slice of the L2: keeps blocks, merges reads of DRAM, performs stores and atomics in order. */
#include "model/sim/plain_internal.h"

#include "base/status.h"
#include "model/sim/coalesce.h"

#include <stdlib.h>
#include <string.h>

enum { WORD_BYTES = 4 };

typedef struct shared {
    ws_plain cache;
    ws_slice_map map;
    uint32_t queue;
    size_t queue_at, cache_at, bytes;
} shared;

typedef struct l2 {
    uint32_t number, first, count, padding; /* of the ring of requests that wait */
} l2;

static ws_plain_access *queue_of(const shared *s, const void *memory)
{
    return (ws_plain_access *)((char *)memory + s->queue_at);
}

static void *cache_of(const shared *s, const void *memory)
{
    return (char *)memory + s->cache_at;
}

static void destroy(void *memory)
{
    free(memory);
}

static size_t bytes(const void *kind)
{
    return ((const shared *)kind)->bytes;
}

static void init(const void *kind, void *memory, uint32_t slice)
{
    const shared *const s = kind;
    memset(memory, 0, s->cache_at);
    ((l2 *)memory)->number = slice;
    ws_plain_init(&s->cache, cache_of(s, memory));
}

typedef struct step {
    const shared *s;
    l2 *l2;
    void *cache;
    const ws_coherence_ports *ports;
} step;

static step step_of(const void *kind, void *memory, const ws_coherence_ports *ports)
{
    return (step){.s = kind, .l2 = memory, .cache = cache_of(kind, memory), .ports = ports};
}

/* --- To SMs and DRAM --- */

static void answer(void *context, const ws_plain_access *access)
{
    static const uint8_t types[] = {[WS_REQUEST_LOAD] = WS_MESSAGE_FILL,
                                    [WS_REQUEST_STORE] = WS_MESSAGE_ACK,
                                    [WS_REQUEST_ATOMIC] = WS_MESSAGE_ATOMIC_ACK};
    const step *const t = context;
    ws_coherence_message m;
    memset(&m, 0, sizeof m);
    m.type = types[access->kind];
    m.sm = access->sm;
    m.warp = access->warp;
    m.id = access->id;
    m.tag = access->tag;
    m.unit = access->unit;
    m.mask = access->mask;
    m.block = ws_slice_map_line(&t->s->map, t->l2->number, access->block);
    if (access->kind == WS_REQUEST_LOAD)
        m.note = ws_plain_note(&t->s->cache, t->cache, access->block);
    t->ports->send(t->ports->context, &m);
}

static void to_memory(const step *t, uint8_t type, uint64_t local, uint32_t mask)
{
    if (!mask)
        return;
    ws_coherence_message m;
    memset(&m, 0, sizeof m);
    m.type = type;
    m.block = ws_slice_map_line(&t->s->map, t->l2->number, local);
    m.mask = mask;
    t->ports->send(t->ports->context, &m);
}

static void follow(const step *t, uint64_t block, const ws_plain_result *r)
{
    to_memory(t, WS_MESSAGE_DRAM_WRITE, r->evicted, r->dirty);
    to_memory(t, WS_MESSAGE_DRAM_WRITE, block, r->write);
    to_memory(t, WS_MESSAGE_DRAM_READ, block, r->fetch);
}

/* --- Requests --- */

static int store(const step *t, const ws_plain_access *access, ws_plain_result *r)
{
    static const ws_plain_store_way ways[] = {
        [WS_PLAIN_THROUGH] = WS_PLAIN_BOTH, [WS_PLAIN_EVICT] = WS_PLAIN_PASS, [WS_PLAIN_BACK] = WS_PLAIN_KEEP};
    return ws_plain_store(&t->s->cache, t->cache, access, ways[t->s->cache.write], r);
}

static int serve(const step *t, const ws_plain_access *access)
{
    ws_plain_result r;
    const ws_plain *const p = &t->s->cache;
    const int rc = access->kind == WS_REQUEST_LOAD    ? ws_plain_load(p, t->cache, access, &r)
                   : access->kind == WS_REQUEST_STORE ? store(t, access, &r)
                                                      : ws_plain_atomic(p, t->cache, access, &r);
    if (rc)
        return rc;
    follow(t, access->block, &r);
    if (r.done)
        answer((void *)t, access);
    return WS_OK;
}

/* Strictly in order: what cannot be served holds up what is behind it. */
static int serve_queue(const step *t, const void *memory)
{
    while (t->l2->count) {
        const int rc = serve(t, &queue_of(t->s, memory)[t->l2->first]);
        if (rc)
            return rc < 0 ? rc : WS_OK;
        t->l2->first = (t->l2->first + 1) % t->s->queue;
        t->l2->count--;
    }
    return WS_OK;
}

static int take(const step *t, const void *memory, const ws_plain_access *access)
{
    if (t->l2->count == t->s->queue)
        return ws_plain_refuse(t->cache, WS_REFUSED);
    if (!t->l2->count) {
        const int rc = serve(t, access);
        if (rc <= 0)
            return rc;
    }
    queue_of(t->s, memory)[(t->l2->first + t->l2->count++) % t->s->queue] = *access;
    return WS_OK;
}

static int filled(step *t, const void *memory, const ws_coherence_message *m)
{
    ws_plain_result r;
    const uint64_t block = ws_slice_map_local(&t->s->map, m->block);
    const int rc = ws_plain_fill(&t->s->cache, t->cache, block, m->mask, 0, &r, answer, t);
    if (rc)
        return rc;
    follow(t, block, &r);
    return serve_queue(t, memory);
}

static int kind_of(const ws_coherence_message *m)
{
    return m->type == WS_MESSAGE_READ     ? WS_REQUEST_LOAD
           : m->type == WS_MESSAGE_WRITE  ? WS_REQUEST_STORE
           : m->type == WS_MESSAGE_ATOMIC ? WS_REQUEST_ATOMIC
                                          : -1;
}

static int message(const void *kind, void *memory, const ws_coherence_message *m, uint64_t now,
                   const ws_coherence_ports *ports)
{
    (void)now;
    step t = step_of(kind, memory, ports);
    if (!ws_slice_map_has(&t.s->map, t.l2->number, m->block))
        return ws_fail(WS_EVERIFY, "slice %u got block %llu of another one", t.l2->number,
                       (unsigned long long)m->block);
    if (m->type == WS_MESSAGE_DRAM_FILL)
        return filled(&t, memory, m);
    const int access_kind = kind_of(m);
    const uint32_t words = t.s->cache.words;
    if (access_kind < 0 || !m->mask || (words < 32 && m->mask >> words))
        return ws_fail(WS_EVERIFY, "a plain L2 slice got a %s for words %#x", ws_message_name((ws_message_type)m->type),
                       m->mask);
    const ws_plain_access access = {.block = ws_slice_map_local(&t.s->map, m->block),
                                    .mask = m->mask,
                                    .sm = m->sm,
                                    .warp = m->warp,
                                    .id = m->id,
                                    .tag = m->tag,
                                    .unit = m->unit,
                                    .kind = (uint8_t)access_kind,
                                    .who.local = m->block >= WS_LOCAL_BASE / (words * WORD_BYTES)};
    return take(&t, memory, &access);
}

/* Only data from below make room. */
static uint64_t next_time(const void *kind, const void *memory, const ws_request *request, uint64_t now)
{
    (void)kind, (void)memory, (void)request, (void)now;
    return WS_COHERENCE_NEVER;
}

static uint32_t waiting(const void *kind, const void *memory)
{
    const ws_plain_head *const head = ws_plain_head_of(cache_of(kind, memory));
    return ((const l2 *)memory)->count + head->reads + head->waiters;
}

static ws_cache_counts counts_of(const void *kind, const void *memory)
{
    return ws_plain_head_of(cache_of(kind, memory))->counts;
}

static const ws_level_ops ops = {
    .destroy = destroy,
    .bytes = bytes,
    .init = init,
    .message = message,
    .next_time = next_time,
    .waiting = waiting,
    .counts = counts_of,
};

static int check(const ws_machine *m, const ws_plain *cache)
{
    if (cache->write == WS_PLAIN_LOCAL_BACK)
        return ws_fail(WS_EINPUT, "[l2] write is local-back, which is for L1 caches; expected through, evict or back");
    if (m->l2_stripe < m->l2_line || m->l2_stripe % m->l2_line)
        return ws_fail(WS_EINPUT, "[l2] stripe is %u, expected a multiple of a line of %u bytes", m->l2_stripe,
                       m->l2_line);
    return WS_OK;
}

int ws_plain_l2_create(const ws_machine *m, ws_level *out)
{
    *out = (ws_level){0};
    shared *const s = calloc(1, sizeof *s);
    if (!s)
        return ws_fail(WS_EMEM, "no memory for an L2");
    const ws_plain_section section = {.name = "l2",
                                      .sets = m->l2_sets,
                                      .ways = m->l2_ways,
                                      .line = m->l2_line,
                                      .sector = m->l2_sector,
                                      .mshrs = m->l2_mshrs,
                                      .merges = m->l2_merges,
                                      .waiters = m->l2_mshrs * m->l2_merges,
                                      .allocate = "miss",
                                      .write = m->l2_write,
                                      .write_allocate = m->l2_write_allocate,
                                      .choice = ws_machine_l2_choice(m)};
    int rc = ws_plain_setup(&s->cache, &section);
    if (!rc)
        rc = check(m, &s->cache);
    if (rc) {
        free(s);
        return rc;
    }
    s->map = ws_machine_slice_map(m);
    s->queue = m->l2_queue;
    s->queue_at = (sizeof(l2) + 7) & ~(size_t)7;
    s->cache_at = s->queue_at + s->queue * sizeof(ws_plain_access);
    s->bytes = s->cache_at + s->cache.bytes;
    *out = (ws_level){.ops = &ops, .shared = s};
    return WS_OK;
}
