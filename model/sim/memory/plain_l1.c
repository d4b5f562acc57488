/* plain_l1.c - caches of an SM that know of no other copies: global and local memory, textures, constants. */
#include "model/sim/memory/plain_internal.h"

#include "base/bits.h"
#include "base/status.h"
#include "collect/trace/update.h"
#include "model/coherence/sm_cache.h"
#include "model/machine/carveout.h"
#include "model/machine/atomic_kind.h"
#include "model/machine/machine.h"

#include <stdlib.h>
#include <string.h>

enum { WARPS = 64, WARP = 32, WORD_BYTES = 4 };

typedef struct shared {
    ws_plain cache;
    ws_plain_section section;
    bool enabled, read_only;
    bool owns;             /* lines of atomics are owned */
    bool updates, fetches; /* updates stay in lines, which are read for them */
    bool invalidates;      /* at fences */
    bool by_sector;        /* a message for each sector that a load wants, or a store changes */
    uint32_t ratio;        /* lines of this cache in one of L2 */
    size_t cache_at, bytes;
} shared;

typedef struct l1 {
    uint32_t sm;
    uint32_t sent;          /* stores and atomics without their answer, written-back lines among them */
    uint32_t updates;       /* of these: updates that lines gave up */
    uint16_t stores[WARPS]; /* of a warp, that are not performed; atomics among them */
} l1;

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

static void init(const void *kind, void *memory, uint32_t sm)
{
    const shared *const s = kind;
    memset(memory, 0, s->cache_at);
    ((l1 *)memory)->sm = sm;
    ws_plain_init(&s->cache, cache_of(s, memory));
}

/* A step: one call from outside. */
typedef struct step {
    const shared *s;
    l1 *l1;
    void *cache;
    const ws_coherence_ports *ports;
} step;

static step step_of(const void *kind, void *memory, const ws_coherence_ports *ports)
{
    return (step){.s = kind, .l1 = memory, .cache = cache_of(kind, memory), .ports = ports};
}

/* --- To L2 and to the SM --- */

/* L2 counts in its own lines: a shorter line of this cache is a part of one. */
static void make(const step *t, uint8_t type, uint64_t block, uint32_t mask, const ws_plain_access *access, uint16_t id,
                 ws_coherence_message *m)
{
    memset(m, 0, sizeof *m);
    m->type = type;
    m->sm = (uint16_t)t->l1->sm;
    m->warp = access ? access->warp : 0;
    m->tag = access ? access->tag : 0;
    m->id = id;
    m->block = block / t->s->ratio;
    m->mask = mask << block % t->s->ratio * t->s->cache.words;
}

static void send_made(const step *t, const ws_coherence_message *m)
{
    t->l1->sent += m->type != WS_MESSAGE_READ && m->type != WS_MESSAGE_OWN && m->type != WS_MESSAGE_TAKEN &&
                   m->type != WS_MESSAGE_NONE;
    t->ports->send(t->ports->context, m);
}

static void send_as(const step *t, uint8_t type, bool poll, uint64_t block, uint32_t mask,
                    const ws_plain_access *access, uint16_t id)
{
    ws_coherence_message m;
    make(t, type, block, mask, access, id, &m);
    m.poll = poll;
    send_made(t, &m);
}

/* With its operation, and how many of them there are on each word: a buffer of the chip may sum them up. */
static void send_atomic(const step *t, const ws_plain_access *access, const ws_request *r)
{
    ws_coherence_message m;
    make(t, WS_MESSAGE_ATOMIC, access->block, access->mask, access, 0, &m);
    m.update = r->update;
    WS_EACH_LANE (word, r->update ? m.mask : 0)
        m.data[word] = r->summed ? r->data[word] : 1;
    send_made(t, &m);
}

static void send(const step *t, uint8_t type, uint64_t block, uint32_t mask, const ws_plain_access *access, uint16_t id)
{
    send_as(t, type, false, block, mask, access, id);
}

static void write_back(const step *t, uint64_t block, uint32_t dirty)
{
    if (dirty)
        send(t, WS_MESSAGE_WRITE, block, dirty, NULL, WS_PLAIN_NOBODY);
}

static void send_updates(const step *t, uint64_t block, const ws_plain_result *r)
{
    const uint32_t words = r->updates;
    if (words && r->owned)
        send(t, WS_MESSAGE_PUT, block, words, NULL, WS_PLAIN_NOBODY);
    if (!words || r->owned)
        return;
    t->l1->updates++;
    send(t, WS_MESSAGE_ATOMIC, block, words, NULL, WS_PLAIN_NOBODY);
}

/* What an access or a fill drove out. */
static void give_up(const step *t, const ws_plain_result *r)
{
    if (r->replaced && t->ports->replaced)
        t->ports->replaced(t->ports->context, r->evicted, r->owner);
    write_back(t, r->evicted, r->dirty);
    send_updates(t, r->evicted, r);
}

static void complete(const step *t, const ws_plain_access *access)
{
    const ws_completion done = {
        .kind = access->kind, .warp = access->warp, .tag = access->tag, .mask = access->mask, .block = access->block};
    t->ports->complete(t->ports->context, &done);
}

/* A store or atomic that is performed later. */
static void owe(const step *t, const ws_plain_access *access)
{
    t->l1->stores[access->warp]++;
}

static void perform(void *context, const ws_plain_access *access)
{
    const step *const t = context;
    if (access->kind != WS_REQUEST_LOAD)
        t->l1->stores[access->warp]--;
    complete(t, access);
}

/* --- Requests --- */

static void read_below(const step *t, const ws_plain_access *access, uint32_t fetch)
{
    const ws_plain *const p = &t->s->cache;
    if (fetch && !t->s->by_sector)
        send(t, WS_MESSAGE_READ, access->block, fetch, access, WS_PLAIN_NOBODY);
    for (uint32_t rest = t->s->by_sector ? ws_plain_sectors(p, fetch) : 0; rest; rest &= rest - 1)
        send(t, WS_MESSAGE_READ, access->block, fetch & ws_plain_words(p, rest & -rest), access, WS_PLAIN_NOBODY);
}

static int load(const step *t, const ws_plain_access *access)
{
    ws_plain_result r;
    const int rc = ws_plain_load(&t->s->cache, t->cache, access, &r);
    if (rc)
        return rc;
    give_up(t, &r);
    if (r.apart)
        send(t, WS_MESSAGE_READ, access->block, r.fetch, access, r.waiter);
    else
        read_below(t, access, r.fetch);
    if (r.done)
        complete(t, access);
    return WS_OK;
}

/* What L2 has, not what is here: no copy is kept, and nobody shares the answer. */
static int load_from_l2(const step *t, const ws_plain_access *access, bool poll)
{
    const ws_plain *const p = &t->s->cache;
    const uint16_t id = ws_plain_park(p, t->cache, access);
    if (id == WS_PLAIN_NOBODY)
        return ws_plain_refuse(t->cache, WS_REFUSED_MERGE);
    ws_cache_counts *const counts = &ws_plain_head_of(t->cache)->counts;
    const uint32_t sectors = ws_plain_sectors(p, access->mask);
    counts->loads += ws_plain_touched(p, access->mask);
    counts->misses += ws_plain_touched(p, access->mask);
    ws_plain_count_passed(p, t->cache, sectors);
    write_back(t, access->block, ws_plain_clean(p, t->cache, access->block, access->mask));
    send_as(t, WS_MESSAGE_READ, poll, access->block, ws_plain_words(p, sectors), access, id);
    return WS_OK;
}

/* A cache that is turned off has nothing, and its MSHRs delay nothing. */
static int load_past(const step *t, const ws_plain_access *access)
{
    ws_plain_result r;
    const int rc = load_from_l2(t, access, false);
    if (rc)
        return rc;
    ws_plain_miss(&t->s->cache, t->cache, access);
    ws_plain_give_up_line(&t->s->cache, t->cache, access, &r);
    give_up(t, &r);
    return WS_OK;
}

static ws_plain_store_way way_of(const shared *s, bool local)
{
    switch (s->cache.write) {
    case WS_WRITE_BACK:
        return WS_PLAIN_KEEP;
    case WS_WRITE_LOCAL_BACK:
        return local ? WS_PLAIN_KEEP : WS_PLAIN_PASS;
    case WS_WRITE_THROUGH:
        return WS_PLAIN_BOTH;
    default:
        return WS_PLAIN_PASS;
    }
}

/* All sectors of a line go one way, so with the last of them all are written. */
static void write_below(const step *t, const ws_plain_access *access, uint32_t words)
{
    const ws_plain *const p = &t->s->cache;
    uint32_t rest = t->s->by_sector ? ws_plain_sectors(p, words) : 0;
    for (; rest & (rest - 1); rest &= rest - 1) {
        const uint32_t sector = words & ws_plain_words(p, rest & -rest);
        send(t, WS_MESSAGE_WRITE, access->block, sector, access, WS_PLAIN_NOBODY);
        words &= ~sector;
    }
    send(t, WS_MESSAGE_WRITE, access->block, words, access, 0);
}

static int store(const step *t, const ws_plain_access *access, bool local)
{
    ws_plain_result r;
    const bool off = ws_plain_is_off(&t->s->cache, t->cache);
    const ws_plain_store_way way = t->s->enabled && !off ? way_of(t->s, local) : WS_PLAIN_PASS;
    const int rc = ws_plain_store(&t->s->cache, t->cache, access, way, &r);
    if (rc)
        return rc;
    give_up(t, &r);
    if (r.write)
        write_below(t, access, r.write);
    read_below(t, access, r.fetch);
    if (r.write || !r.done)
        owe(t, access);
    else
        complete(t, access);
    return WS_OK;
}

static int atomic(const step *t, const ws_plain_access *access, const ws_request *request)
{
    const ws_plain *const p = &t->s->cache;
    ws_cache_counts *const counts = &ws_plain_head_of(t->cache)->counts;
    ws_plain_result r;
    ws_plain_give_up(p, t->cache, access, &r);
    counts->atomics += ws_plain_touched(p, access->mask);
    counts->misses += ws_plain_touched(p, access->mask);
    give_up(t, &r);
    send_atomic(t, access, request);
    owe(t, access);
    return WS_OK;
}

/* Done here: what the line gives up is sent, and nobody waits for it but fences. */
static int update(const step *t, const ws_plain_access *access, uint32_t code)
{
    ws_plain_result r;
    const int rc = ws_plain_update(&t->s->cache, t->cache, access, code, t->s->fetches, &r);
    if (rc)
        return rc;
    give_up(t, &r);
    send_updates(t, access->block, &(ws_plain_result){.updates = r.write});
    read_below(t, access, r.fetch);
    complete(t, access);
    return WS_OK;
}

/* Done in a line that is owned, which it has to be first. */
static int own(const step *t, const ws_plain_access *access)
{
    ws_plain_result r;
    const int rc = ws_plain_own(&t->s->cache, t->cache, access, &r);
    if (rc)
        return rc;
    give_up(t, &r);
    if (r.fetch)
        send(t, WS_MESSAGE_OWN, access->block, r.fetch, access, WS_PLAIN_NOBODY);
    if (r.done)
        complete(t, access);
    else
        owe(t, access);
    return WS_OK;
}

/* Have all updates reached L2? Those that are here begin to. */
static bool has_sent_updates(const step *t)
{
    const ws_plain *const p = &t->s->cache;
    for (uint32_t line = 0; t->s->updates && !t->s->owns && line < p->tags.sets * p->tags.ways; line++) {
        ws_plain_result r;
        if (ws_plain_take_updates(p, t->cache, line, &r))
            send_updates(t, r.evicted, &r);
    }
    return !t->l1->updates;
}

/* `beyond` its block: what the SM did has to be where others find it. */
static int fence(const step *t, const ws_plain_access *access, bool beyond)
{
    if (t->l1->stores[access->warp] || (beyond && !has_sent_updates(t)))
        return ws_plain_refuse(t->cache, WS_REFUSED);
    if (beyond && t->s->invalidates)
        ws_plain_invalidate(&t->s->cache, t->cache);
    complete(t, access);
    return WS_OK;
}

static int request(const void *kind, void *memory, const ws_request *r, uint64_t now, const ws_coherence_ports *ports)
{
    (void)now;
    const step t = step_of(kind, memory, ports);
    const ws_plain_access access = {.block = r->block,
                                    .mask = r->mask,
                                    .sm = (uint16_t)t.l1->sm,
                                    .warp = r->warp,
                                    .tag = r->tag,
                                    .kind = r->kind,
                                    .who = r->who};
    const uint32_t words = t.s->cache.words;
    if (r->warp >= WARPS)
        return ws_fail(WS_EVERIFY, "a cache got a request of warp %u of an SM, expected less than %d", r->warp,
                       (int)WARPS);
    if (r->kind != WS_REQUEST_FENCE && (!r->mask || (words < 32 && r->mask >> words)))
        return ws_fail(WS_EVERIFY, "a cache with lines of %u words got a request for words %#x", words, r->mask);
    if (r->kind == WS_REQUEST_FENCE)
        return fence(&t, &access, r->scope != WS_SCOPE_CTA);
    if (t.s->updates && ws_update_is_ordered(r->order, r->scope) && !has_sent_updates(&t))
        return ws_plain_refuse(t.cache, WS_REFUSED);
    if (r->kind == WS_REQUEST_LOAD && (r->poll || !t.s->enabled))
        return load_from_l2(&t, &access, r->poll);
    if (r->kind == WS_REQUEST_LOAD)
        return ws_plain_is_off(&t.s->cache, t.cache) ? load_past(&t, &access) : load(&t, &access);
    if (r->kind == WS_REQUEST_ATOMIC && t.s->owns && r->who.local == 0)
        return own(&t, &access);
    if (r->update && t.s->updates)
        return update(&t, &access, r->update);
    if (t.s->read_only)
        return ws_fail(WS_EVERIFY, "a read-only cache got a store to block %llu", (unsigned long long)r->block);
    return r->kind == WS_REQUEST_STORE ? store(&t, &access, r->who.local) : atomic(&t, &access, r);
}

/* --- Answers --- */

static int filled(step *t, uint64_t block, uint32_t mask, const ws_coherence_message *m)
{
    if (m->id != WS_PLAIN_NOBODY) {
        ws_plain_access access;
        const int rc = ws_plain_unpark(&t->s->cache, t->cache, m->id, &access);
        if (!rc)
            complete(t, &access);
        return rc;
    }
    ws_plain_result r;
    const int rc = ws_plain_fill(&t->s->cache, t->cache, block, mask, m->note, &r, perform, t);
    if (rc)
        return rc;
    give_up(t, &r);
    write_back(t, block, r.write); /* stores that waited and got no line */
    return WS_OK;
}

/* All of a line, which is owned from now on: what waited is done. The slice hears that it has come. */
static int got_line(step *t, uint64_t block, uint32_t mask)
{
    ws_plain_result r;
    const int rc = ws_plain_fill(&t->s->cache, t->cache, block, mask, 0, &r, perform, t);
    if (rc)
        return rc;
    give_up(t, &r);
    send(t, WS_MESSAGE_TAKEN, block, mask, NULL, WS_PLAIN_NOBODY);
    if (!ws_plain_owned(&t->s->cache, t->cache, block))
        send_updates(t, block, &(ws_plain_result){.updates = mask, .owned = true});
    return WS_OK;
}

/* The slice wants the line for another L1. */
static int disown(const step *t, uint64_t block, uint32_t mask)
{
    ws_plain_result r;
    const bool owned = ws_plain_disown(&t->s->cache, t->cache, block, &r);
    send(t, owned ? WS_MESSAGE_DATA : WS_MESSAGE_NONE, block, mask, NULL, WS_PLAIN_NOBODY);
    return WS_OK;
}

static int performed(const step *t, const ws_coherence_message *m, uint64_t block, uint32_t mask, uint8_t kind)
{
    if (!t->l1->sent || (m->id != WS_PLAIN_NOBODY && (m->warp >= WARPS || !t->l1->stores[m->warp])))
        return ws_fail(WS_EVERIFY, "an L1 got a %s of warp %u, which waits for none",
                       ws_message_name((ws_message_type)m->type), m->warp);
    t->l1->sent--;
    if (m->id == WS_PLAIN_NOBODY) {
        t->l1->updates -= kind == WS_REQUEST_ATOMIC;
        return WS_OK;
    }
    const ws_plain_access access = {.block = block, .mask = mask, .warp = m->warp, .tag = m->tag, .kind = kind};
    perform((void *)t, &access);
    return WS_OK;
}

static int message(const void *kind, void *memory, const ws_coherence_message *m, uint64_t now,
                   const ws_coherence_ports *ports)
{
    (void)now;
    step t = step_of(kind, memory, ports);
    const uint32_t part = m->mask ? (uint32_t)__builtin_ctz(m->mask) / t.s->cache.words : 0;
    const uint64_t block = m->block * t.s->ratio + part;
    const uint32_t mask = m->mask >> part * t.s->cache.words;
    switch (m->type) {
    case WS_MESSAGE_FILL:
        return filled(&t, block, mask, m);
    case WS_MESSAGE_ACK:
        return performed(&t, m, block, mask, WS_REQUEST_STORE);
    case WS_MESSAGE_ATOMIC_ACK:
        return performed(&t, m, block, mask, WS_REQUEST_ATOMIC);
    case WS_MESSAGE_FILL_OWN:
        return got_line(&t, block, mask);
    case WS_MESSAGE_INVALIDATE:
        return disown(&t, block, mask);
    default:
        return ws_fail(WS_EVERIFY, "a plain L1 got a %s", ws_message_name((ws_message_type)m->type));
    }
}

static int flush(const void *kind, void *memory, uint64_t now, const ws_coherence_ports *ports)
{
    (void)now;
    const step t = step_of(kind, memory, ports);
    const ws_plain *const p = &t.s->cache;
    if (ws_plain_head_of(t.cache)->reads)
        return ws_fail(WS_EVERIFY, "an L1 with reads in flight was emptied");
    for (uint32_t line = 0; line < p->tags.sets * p->tags.ways; line++) {
        ws_plain_result r;
        if (ws_plain_is_owned(p, t.cache, line)) /* that is what it is for: the next launch has it, too */
            continue;
        if (ws_plain_empty(p, t.cache, line, &r)) {
            write_back(&t, r.evicted, r.dirty);
            send_updates(&t, r.evicted, &r);
        }
    }
    ws_plain_forget(p, t.cache);
    return WS_OK;
}

static uint64_t next_time(const void *kind, const void *memory, const ws_request *r, uint64_t now)
{
    (void)kind, (void)memory, (void)r, (void)now;
    return WS_COHERENCE_NEVER;
}

static uint32_t waiting(const void *kind, const void *memory)
{
    const ws_plain_head *const head = ws_plain_head_of(cache_of(kind, memory));
    return ((const l1 *)memory)->sent + head->reads + head->waiters;
}

static uint32_t reads(const void *kind, const void *memory)
{
    return ws_plain_head_of(cache_of(kind, memory))->reads;
}

static ws_cache_counts counts_of(const void *kind, const void *memory)
{
    return ws_plain_counts(&((const shared *)kind)->cache, cache_of(kind, memory));
}

/* Bytes of the sectors of the asking cache that a mask of words touches; all of a line for no mask. */
static uint32_t sector_bytes(const ws_machine *machine, uint8_t unit, uint32_t mask)
{
    const unsigned asking = unit & WS_SM_UNIT_CACHE;
    const uint32_t sector = asking == WS_SM_TEXTURE    ? machine->texture_line
                            : asking == WS_SM_CONSTANT ? machine->constant_line
                                                       : machine->l1_sector;
    if (!mask)
        return asking == WS_SM_DATA ? machine->l1_line : sector;
    uint32_t sum = 0;
    const uint32_t words = sector / WORD_BYTES;
    for (uint32_t first = 0; first < WS_COHERENCE_WORDS; first += words)
        sum += (mask >> first & (words < 32 ? (1u << words) - 1 : UINT32_MAX)) ? sector : 0;
    return sum;
}

/* Is it an answer to an L1? */
static bool is_answer(const ws_coherence_message *m)
{
    return m->type == WS_MESSAGE_FILL || m->type == WS_MESSAGE_FILL_OWN || m->type == WS_MESSAGE_ATOMIC_ACK;
}

/* Of a store or an atomic. */
static uint32_t changed_bytes(const ws_machine *machine, const ws_coherence_message *m)
{
    return machine->network_whole_sectors ? sector_bytes(machine, m->unit, m->mask)
                                          : (uint32_t)__builtin_popcount(m->mask) * WORD_BYTES;
}

/* A message is a header with the words that it carries. */
static uint32_t message_bytes(const void *kind, const ws_machine *machine, const ws_coherence_message *m)
{
    (void)kind;
    const uint32_t header = is_answer(m) && !machine->network_answer_header ? 0 : ws_message_default_sizes.header_bytes;
    switch (m->type) {
    case WS_MESSAGE_WRITE:
        return header + machine->network_store_mask + changed_bytes(machine, m);
    case WS_MESSAGE_ATOMIC:
    case WS_MESSAGE_ATOMIC_ACK:
        return header + changed_bytes(machine, m);
    case WS_MESSAGE_FILL:
        if (machine->l1_bypass && (m->unit & WS_SM_UNIT_CACHE) == WS_SM_DATA && m->mask)
            return header + (uint32_t)__builtin_popcount(m->mask) * WORD_BYTES; /* whole sectors, or pieces of them */
        /* fall through */
    case WS_MESSAGE_DRAM_FILL:
    case WS_MESSAGE_DRAM_WRITE:
    case WS_MESSAGE_FILL_OWN:
    case WS_MESSAGE_DATA:
    case WS_MESSAGE_PUT:
        return header + sector_bytes(machine, m->unit, m->mask);
    default:
        return header;
    }
}

static int resize(void *kind, uint32_t ways)
{
    shared *const s = kind;
    return ways == s->cache.tags.ways ? WS_OK : ws_plain_resize(&s->cache, &s->section, ways);
}

static void begin_anew(const void *kind, void *memory)
{
    ws_plain_begin_anew(&((const shared *)kind)->cache, cache_of(kind, memory));
}

static const ws_level_resize_ops sizes = {.resize = resize, .begin_anew = begin_anew};

static const ws_level_ops ops = {
    .destroy = destroy,
    .bytes = bytes,
    .init = init,
    .request = request,
    .message = message,
    .flush = flush,
    .next_time = next_time,
    .waiting = waiting,
    .reads = reads,
    .counts = counts_of,
    .message_bytes = message_bytes,
    .sizes = &sizes,
};

/* --- Kinds --- */

static int create(const ws_machine *machine, const ws_plain_section *section, bool enabled, bool read_only,
                  ws_level *out)
{
    *out = (ws_level){0};
    shared *const s = calloc(1, sizeof *s);
    if (!s)
        return ws_fail(WS_EMEM, "no memory for a cache");
    int rc = ws_plain_setup(&s->cache, section);
    if (!rc && (section->line > machine->l2_line || (!read_only && section->line != machine->l2_line)))
        rc = ws_fail(WS_EINPUT, "[%s] line is %u, expected %s of [l2], %u bytes", section->name, section->line,
                     read_only ? "at most that" : "that", machine->l2_line);
    if (!rc && machine->sm_threads > WARPS * WARP)
        rc = ws_fail(WS_EINPUT, "[sm] threads is %u, expected %d warps of %d at most", machine->sm_threads, (int)WARPS,
                     (int)WARP);
    if (rc) {
        free(s);
        return rc;
    }
    s->section = *section;
    s->enabled = enabled;
    s->read_only = read_only;
    s->owns = section->updates && ws_atomic_owns(machine);
    s->updates = section->updates;
    s->fetches = section->updates && ws_atomic_phi_fetches(machine);
    s->invalidates = !read_only && ws_machine_invalidates(machine);
    s->by_sector = !read_only && machine->l1_request == WS_L1_REQUEST_SECTOR;
    s->ratio = machine->l2_line / section->line;
    s->cache_at = (sizeof(l1) + 7) & ~(size_t)7;
    s->bytes = s->cache_at + s->cache.bytes;
    *out = (ws_level){.ops = &ops, .shared = s};
    return WS_OK;
}

/* A memory instruction makes a request for each lane at most. */
static uint32_t waiters_of(const ws_machine *machine)
{
    return machine->sm_memory_tags * WARP;
}

int ws_plain_l1_create(const ws_machine *m, ws_level *out)
{
    const ws_plain_section section = {.name = "l1",
                                      .sets = m->l1_sets,
                                      .ways = m->l1_unified ? m->l1_ways : ws_carveout_ways(m, 0),
                                      .line = m->l1_line,
                                      .sector = m->l1_sector,
                                      .mshrs = m->l1_mshrs,
                                      .merges = m->l1_merges,
                                      .waiters = waiters_of(m),
                                      .piece = m->l1_bypass,
                                      .apart = !m->l1_bypass_mshr,
                                      .updates = m->l1_enabled && ws_atomic_stays_in_l1(m),
                                      .classify = m->l1_classify,
                                      .allocate = m->l1_allocate,
                                      .write = m->l1_write,
                                      .write_allocate = m->l1_write_allocate,
                                      .choice = ws_machine_l1_choice(m)};
    return create(m, &section, m->l1_enabled, false, out);
}

int ws_plain_texture_create(const ws_machine *m, ws_level *out)
{
    const ws_plain_section section = {.name = "texture",
                                      .sets = m->texture_sets,
                                      .ways = m->texture_ways,
                                      .line = m->texture_line,
                                      .sector = m->texture_line,
                                      .mshrs = m->texture_mshrs,
                                      .merges = m->l1_merges,
                                      .waiters = waiters_of(m),
                                      .allocate = WS_L1_ALLOCATE_MISS,
                                      .write = WS_WRITE_EVICT,
                                      .write_allocate = WS_WRITE_ALLOCATE_NONE};
    return create(m, &section, true, true, out);
}

int ws_plain_constant_create(const ws_machine *m, ws_level *out)
{
    const ws_plain_section section = {.name = "constant",
                                      .sets = m->constant_sets,
                                      .ways = m->constant_ways,
                                      .line = m->constant_line,
                                      .sector = m->constant_line,
                                      .mshrs = m->constant_mshrs,
                                      .merges = m->l1_merges,
                                      .waiters = waiters_of(m),
                                      .allocate = WS_L1_ALLOCATE_FILL,
                                      .write = WS_WRITE_EVICT,
                                      .write_allocate = WS_WRITE_ALLOCATE_NONE};
    return create(m, &section, true, true, out);
}
