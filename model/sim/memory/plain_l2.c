/* plain_l2.c - a slice of the L2, and a part of the L3 behind it: keeps blocks, merges reads of DRAM, performs stores
 * and atomics in order. What they call requests and answers is all that is different. */
#include "model/sim/memory/plain_internal.h"

#include "base/status.h"
#include "model/coalesce_model.h"
#include "model/machine/atomic_kind.h"
#include "model/machine/machine.h"
#include "model/sim/memory/line_owners.h"

#include <stdlib.h>
#include <string.h>

enum { WORD_BYTES = 4 };

/* Which messages ask for a load, a store, an atomic, and which answer; NONE: nobody waits for one. */
enum { NONE = WS_MESSAGE_COUNT, KINDS = WS_REQUEST_ATOMIC + 1 };
typedef struct role {
    const char *name;
    uint8_t asks[KINDS], answers[KINDS];
} role;

static const role slice_role = {"L2 slice",
                                {WS_MESSAGE_READ, WS_MESSAGE_WRITE, WS_MESSAGE_ATOMIC},
                                {WS_MESSAGE_FILL, WS_MESSAGE_ACK, WS_MESSAGE_ATOMIC_ACK}};
static const role part_role = {"part of the L3",
                               {WS_MESSAGE_DRAM_READ, WS_MESSAGE_DRAM_WRITE, WS_MESSAGE_ATOMIC},
                               {WS_MESSAGE_DRAM_FILL, NONE, WS_MESSAGE_ATOMIC_ACK}};

typedef struct shared {
    const role *role;
    bool remote; /* keeps lines that are at home on other chips: atomics are performed there */
    ws_plain cache;
    ws_slice_map map;
    uint32_t queue;
    bool owns;          /* L1s own lines of atomics */
    size_t owned, wait; /* lines that are, at most; who wait for one */
    size_t queue_at, owners_at, cache_at, bytes;
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

static void *owners_of(const shared *s, const void *memory)
{
    return (char *)memory + s->owners_at;
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
    if (s->owns)
        ws_owners_init(owners_of(s, memory), s->owned, s->wait);
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

/* --- Up and down --- */

/* A message about an access: its answer, or itself on its way down. */
static void tell(const step *t, uint8_t type, const ws_plain_access *access)
{
    ws_coherence_message m;
    memset(&m, 0, sizeof m);
    m.type = type;
    m.sm = access->sm;
    m.warp = access->warp;
    m.id = access->id;
    m.tag = access->tag;
    m.unit = access->unit;
    m.mask = access->mask;
    m.block = ws_slice_map_line(&t->s->map, t->l2->number, access->block);
    if (type == WS_MESSAGE_FILL)
        m.note = ws_plain_note(&t->s->cache, t->cache, access->block);
    t->ports->send(t->ports->context, &m);
}

static void answer(void *context, const ws_plain_access *access)
{
    const step *const t = context;
    if (access->owns)
        tell(t, WS_MESSAGE_FILL_OWN, access);
    else if (t->s->role->answers[access->kind] != NONE)
        tell(t, t->s->role->answers[access->kind], access);
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

/* No more is dirty than may be. */
static void write_old(const step *t)
{
    ws_plain_result r;
    while (ws_plain_clean_oldest(&t->s->cache, t->cache, &r))
        to_memory(t, WS_MESSAGE_DRAM_WRITE, r.evicted, r.dirty);
}

/* --- Requests --- */

static int store(const step *t, const ws_plain_access *access, ws_plain_result *r)
{
    static const ws_plain_store_way ways[] = {
        [WS_WRITE_THROUGH] = WS_PLAIN_BOTH, [WS_WRITE_EVICT] = WS_PLAIN_PASS, [WS_WRITE_BACK] = WS_PLAIN_KEEP};
    return ws_plain_store(&t->s->cache, t->cache, access, access->passes ? WS_PLAIN_PASS : ways[t->s->cache.write], r);
}

/* Atomic operations of several chips meet where the line is at home. */
static void send_on(const step *t, const ws_plain_access *access)
{
    ws_plain_result r;
    ws_plain_pass_atomic(&t->s->cache, t->cache, access, &r);
    to_memory(t, WS_MESSAGE_DRAM_WRITE, r.evicted, r.dirty);
    tell(t, WS_MESSAGE_ATOMIC, access);
}

static int serve(const step *t, const ws_plain_access *access)
{
    ws_plain_result r;
    const ws_plain *const p = &t->s->cache;
    if (t->s->remote && access->kind == WS_REQUEST_ATOMIC) {
        send_on(t, access);
        return WS_OK;
    }
    if (ws_plain_is_off(p, t->cache)) {
        ws_plain_give_up_line(p, t->cache, access, &r);
        to_memory(t, WS_MESSAGE_DRAM_WRITE, r.evicted, r.dirty);
    }
    const int rc = access->kind == WS_REQUEST_LOAD    ? ws_plain_load(p, t->cache, access, &r)
                   : access->kind == WS_REQUEST_STORE ? store(t, access, &r)
                                                      : ws_plain_atomic(p, t->cache, access, &r);
    if (rc)
        return rc;
    follow(t, access->block, &r);
    if (r.done)
        answer((void *)t, access);
    write_old(t);
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
    write_old(t);
    return serve_queue(t, memory);
}

/* The home of the block has newer words, or may have: copies here end, and what is dirty of them goes down. */
static void give_up(const step *t, const ws_plain_access *access)
{
    ws_plain_result r;
    ws_plain_give_up(&t->s->cache, t->cache, access, &r);
    to_memory(t, WS_MESSAGE_DRAM_WRITE, r.evicted, r.dirty);
}

/* --- Owners --- */

static void ask_owner(const step *t, void *owners, ws_line_owner *of)
{
    ws_plain_access about = *ws_owners_first(owners, of);
    about.sm = of->owner;
    about.unit = 0;
    of->asked = true;
    tell(t, WS_MESSAGE_INVALIDATE, &about);
}

/* The slice reads the line for its new owner. Refused: nothing has changed. */
static int give(const step *t, const void *memory, ws_line_owner *of, const ws_plain_access *to)
{
    const int rc = take(t, memory, to);
    if (rc)
        return rc;
    of->owner = to->sm;
    of->given = true;
    ws_owners_count(owners_of(t->s, memory), 1);
    return WS_OK;
}

static int want_line(const step *t, const void *memory, const ws_plain_access *access)
{
    void *const owners = owners_of(t->s, memory);
    ws_line_owner *const of = ws_owners_find(owners, access->block, true);
    if (!of->asked && !of->given && (of->owner == WS_PLAIN_NOBODY || of->owner == access->sm)) {
        const int rc = give(t, memory, of, access);
        if (rc && of->owner == WS_PLAIN_NOBODY)
            ws_owners_forget(owners, of);
        return rc;
    }
    ws_owners_wait(owners, of, access);
    if (!of->asked && !of->given)
        ask_owner(t, owners, of);
    return WS_OK;
}

/* The owner that was asked has the line no more: the first who waits gets it, with the words that the former sent, or
 * those that are here. */
static int hand_on(const step *t, const void *memory, ws_line_owner *of, bool sent)
{
    void *const owners = owners_of(t->s, memory);
    const ws_plain_access next = *ws_owners_first(owners, of);
    if (sent) {
        of->owner = next.sm;
        of->given = true;
        ws_owners_count(owners, 1);
        tell(t, WS_MESSAGE_FILL_OWN, &next);
    } else {
        const int rc = give(t, memory, of, &next);
        if (rc)
            return rc;
    }
    of->asked = false;
    ws_owners_take_first(owners, of);
    return WS_OK;
}

static void confirm(const step *t, const void *memory, ws_line_owner *of)
{
    void *const owners = owners_of(t->s, memory);
    of->given = false;
    ws_owners_count(owners, -1);
    if (ws_owners_first(owners, of))
        ask_owner(t, owners, of);
}

static bool is_about_owner(uint8_t type)
{
    return type == WS_MESSAGE_OWN || type == WS_MESSAGE_TAKEN || type == WS_MESSAGE_NONE || type == WS_MESSAGE_DATA ||
           type == WS_MESSAGE_PUT;
}

/* What L1s that own lines say. */
static int about_owner(const step *t, const void *memory, const ws_coherence_message *m, const ws_plain_access *access)
{
    void *const owners = owners_of(t->s, memory);
    ws_plain_access same = *access;
    if (m->type == WS_MESSAGE_OWN) {
        same.kind = WS_REQUEST_LOAD;
        same.owns = true;
        return want_line(t, memory, &same);
    }
    ws_line_owner *const of = ws_owners_find(owners, access->block, false);
    if (!of)
        return ws_fail(WS_EVERIFY, "%s %u got a %s for block %llu, which has no owner", t->s->role->name, t->l2->number,
                       ws_message_name((ws_message_type)m->type), (unsigned long long)m->block);
    if (m->type == WS_MESSAGE_TAKEN) {
        confirm(t, memory, of);
        return WS_OK;
    }
    if (m->type == WS_MESSAGE_NONE)
        return hand_on(t, memory, of, false);
    same.kind = WS_REQUEST_STORE;
    const int rc = take(t, memory, &same);
    if (rc || m->type == WS_MESSAGE_DATA)
        return rc ? rc : hand_on(t, memory, of, true);
    if (!of->asked)
        ws_owners_forget(owners, of);
    return WS_OK;
}

static int kind_of(const role *of, const ws_coherence_message *m)
{
    for (int kind = 0; kind < KINDS; kind++)
        if (of->asks[kind] == m->type)
            return kind;
    return -1;
}

static int message(const void *kind, void *memory, const ws_coherence_message *m, uint64_t now,
                   const ws_coherence_ports *ports)
{
    (void)now;
    step t = step_of(kind, memory, ports);
    if (!ws_slice_map_has(&t.s->map, t.l2->number, m->block))
        return ws_fail(WS_EVERIFY, "%s %u got block %llu of another one", t.s->role->name, t.l2->number,
                       (unsigned long long)m->block);
    if (m->type == WS_MESSAGE_DRAM_FILL)
        return filled(&t, memory, m);
    const bool of_owner = t.s->owns && is_about_owner(m->type);
    const int access_kind = m->type == WS_MESSAGE_INVALIDATE || of_owner ? WS_REQUEST_STORE : kind_of(t.s->role, m);
    const uint32_t words = t.s->cache.words;
    if (access_kind < 0 || !m->mask || (words < 32 && m->mask >> words))
        return ws_fail(WS_EVERIFY, "a plain %s got a %s for words %#x", t.s->role->name,
                       ws_message_name((ws_message_type)m->type), m->mask);
    const ws_plain_access access = {.block = ws_slice_map_local(&t.s->map, m->block),
                                    .mask = m->mask,
                                    .sm = m->sm,
                                    .warp = m->warp,
                                    .id = m->id,
                                    .tag = m->tag,
                                    .unit = m->unit,
                                    .kind = (uint8_t)access_kind,
                                    .passes = t.s->remote && m->note & WS_AGREE_PASS,
                                    .who.local = m->block >= WS_LOCAL_BASE / (words * WORD_BYTES)};
    if (of_owner)
        return about_owner(&t, memory, m, &access);
    const bool only = m->type == WS_MESSAGE_INVALIDATE;
    const bool is_behind =
        access.passes && access_kind == WS_REQUEST_LOAD && !ws_plain_has(&t.s->cache, t.cache, &access);
    if (t.s->remote && (m->poll || only || is_behind))
        give_up(&t, &access);
    return only ? WS_OK : take(&t, memory, &access);
}

static int release(const void *kind, void *memory, bool (*stays)(void *context, uint64_t block),
                   const ws_coherence_ports *ports)
{
    const step t = step_of(kind, memory, ports);
    const ws_plain *const p = &t.s->cache;
    if (ws_plain_head_of(t.cache)->reads)
        return ws_fail(WS_EVERIFY, "%s %u has reads in flight at the end of a launch", t.s->role->name, t.l2->number);
    for (uint32_t line = 0; line < p->tags.sets * p->tags.ways; line++) {
        uint64_t block;
        ws_plain_result r;
        if (!ws_plain_holds(p, t.cache, line, &block))
            continue;
        if (stays(ports->context, ws_slice_map_line(&t.s->map, t.l2->number, block)))
            to_memory(&t, WS_MESSAGE_DRAM_WRITE, block,
                      ws_plain_clean(p, t.cache, block, UINT32_MAX >> (32 - p->words)));
        else if (ws_plain_empty(p, t.cache, line, &r))
            to_memory(&t, WS_MESSAGE_DRAM_WRITE, r.evicted, r.dirty);
    }
    return WS_OK;
}

static void acquire(const void *kind, void *memory)
{
    const ws_plain *const p = &((const shared *)kind)->cache;
    for (uint32_t line = 0; line < p->tags.sets * p->tags.ways; line++)
        ws_plain_keep_dirty(p, cache_of(kind, memory), line);
}

static bool holds(const void *kind, const void *memory, uint64_t block)
{
    const shared *const s = kind;
    return ws_cache_find(&s->cache.tags, (const char *)cache_of(kind, memory) + s->cache.tags_at,
                         ws_slice_map_local(&s->map, block)) != WS_CACHE_NONE;
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
    const shared *const s = kind;
    return ((const l2 *)memory)->count + head->reads + head->waiters +
           (s->owns ? ws_owners_busy(owners_of(s, memory)) : 0);
}

static ws_cache_counts counts_of(const void *kind, const void *memory)
{
    return ws_plain_counts(&((const shared *)kind)->cache, cache_of(kind, memory));
}

static const ws_level_chip_ops chips = {.release = release, .acquire = acquire, .holds = holds};

static const ws_level_ops ops = {
    .destroy = destroy,
    .bytes = bytes,
    .init = init,
    .message = message,
    .next_time = next_time,
    .waiting = waiting,
    .counts = counts_of,
    .chips = &chips,
};

/* --- From a machine --- */

static int check(const ws_machine *m, const ws_plain_section *section, const ws_plain *cache)
{
    if (cache->write == WS_WRITE_LOCAL_BACK)
        return ws_fail(WS_EINPUT,
                       "[%s] write is local-back, which only L1 caches support; expected through, evict or back",
                       section->name);
    if (m->l2_stripe < m->l2_line || m->l2_stripe % m->l2_line)
        return ws_fail(WS_EINPUT, "[l2] stripe is %u, expected a multiple of a line of %u bytes", m->l2_stripe,
                       m->l2_line);
    return WS_OK;
}

/* The map of a machine exists when its options go together, so it is made last. */
static int create(const ws_machine *m, const ws_plain_section *section, const shared *like,
                  ws_slice_map (*map_of)(const ws_machine *m), ws_level *out)
{
    *out = (ws_level){0};
    shared *const s = calloc(1, sizeof *s);
    if (!s)
        return ws_fail(WS_EMEM, "no memory for an L2");
    *s = *like;
    int rc = ws_plain_setup(&s->cache, section);
    if (!rc)
        rc = check(m, section, &s->cache);
    if (rc) {
        free(s);
        return rc;
    }
    s->map = map_of(m);
    s->queue_at = (sizeof(l2) + 7) & ~(size_t)7;
    s->owners_at = s->queue_at + s->queue * sizeof(ws_plain_access);
    s->cache_at = s->owners_at + (s->owns ? ws_owners_bytes(s->owned, s->wait) : 0);
    s->bytes = s->cache_at + s->cache.bytes;
    *out = (ws_level){.ops = &ops, .shared = s};
    return WS_OK;
}

int ws_plain_l2_create(const ws_machine *m, ws_level *out)
{
    const ws_plain_section section = {.name = "l2",
                                      .sets = m->l2_sets,
                                      .ways = m->l2_ways,
                                      .line = m->l2_line,
                                      .sector = m->l2_sector,
                                      .mshrs = m->l2_mshrs,
                                      .merges = m->l2_merges,
                                      .waiters = m->l2_mshrs * m->l2_merges,
                                      .most_dirty = m->l2_dirty < 100 ? m->l2_dirty : 0,
                                      .allocate = WS_L1_ALLOCATE_MISS,
                                      .write = m->l2_write,
                                      .write_allocate = m->l2_write_allocate,
                                      .choice = ws_machine_l2_choice(m)};
    const shared like = {.role = &slice_role,
                         .remote = ws_machine_keeps_remote(m),
                         .queue = m->l2_queue,
                         .owns = ws_atomic_owns(m),
                         .owned = (size_t)ws_machine_sms(m) * ((size_t)m->l1_sets * m->l1_ways + m->l1_mshrs),
                         .wait = (size_t)ws_machine_sms(m) * m->l1_mshrs};
    return create(m, &section, &like, ws_machine_slice_map, out);
}

static ws_slice_map map_of_parts(const ws_machine *m)
{
    return ws_machine_home_map(m, m->memory_channels);
}

int ws_plain_l3_create(const ws_machine *m, ws_level *out)
{
    const ws_plain_section section = {.name = "l3",
                                      .sets = ws_machine_l3_sets(m),
                                      .ways = m->l3_ways,
                                      .line = m->l2_line,
                                      .sector = ws_machine_l3_sector(m),
                                      .mshrs = m->l3_mshrs,
                                      .merges = m->l3_merges,
                                      .waiters = m->l3_mshrs * m->l3_merges,
                                      .allocate = WS_L1_ALLOCATE_MISS,
                                      .write = m->l3_write,
                                      .write_allocate = m->l3_write_allocate,
                                      .choice = ws_machine_l3_choice(m)};
    const shared like = {.role = &part_role, .queue = m->l3_queue};
    return create(m, &section, &like, map_of_parts, out);
}
