/* Plain L1s and L2 slices between random requests and queues of random delay: nothing is lost, done twice or left over,
 * what was stored reaches DRAM, once, and a copy of the memory goes on as the memory would have. */
#include "base/status.h"
#include "model/cache/cache_internal.h"
#include "model/sim/memory/miss_class.h"
#include "model/sim/memory/plain_internal.h"
#include "model/sim/memory/memory_level.h"
#include "tests/unit/machine_word.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <gsl/gsl_rng.h>

enum { SMS = 3, SLICES = 2, BLOCKS = 200, HOT = 8, ROOM = 1024, TAGS = 1 << 13, WORDS = 32 };

typedef struct queue {
    ws_coherence_message list[ROOM];
    uint32_t count;
} queue;

typedef struct world {
    ws_machine machine;
    ws_level l1;
    ws_level l2;
    void *l1s[SMS], *l2s[SLICES];
    queue up[SMS][SLICES], down, dram;
    gsl_rng *rng;
    uint32_t at;           /* the SM or slice that is being called */
    ws_request asked[SMS]; /* refused ones are kept */
    bool has_asked[SMS];
    ws_request out[SMS][TAGS]; /* by tag; mask 0: none */
    uint16_t next_tag;
    uint32_t stored[SMS][BLOCKS];           /* words that are not sent down yet */
    uint32_t arrived[BLOCKS], ever[BLOCKS]; /* words that are not in DRAM yet; that any store had */
    bool strict;                            /* L2 keeps all stores: it writes what is dirty, once */
    bool pushing;
    uint64_t sectors[SMS], completions, hash;
} world;

static uint32_t below(world *w, uint32_t n)
{
    return (uint32_t)gsl_rng_uniform_int(w->rng, n);
}

/* FNV-1a: Fowler, Noll, Vo 1991. */
static void note(world *w, uint64_t value)
{
    for (int i = 0; i < 8; i++)
        w->hash = (w->hash ^ (value >> 8 * i & 255)) * UINT64_C(0x100000001b3);
}

static void push(queue *q, const ws_coherence_message *m)
{
    assert_true(q->count < ROOM);
    q->list[q->count++] = *m;
}

static ws_coherence_message pull(queue *q, uint32_t at)
{
    const ws_coherence_message m = q->list[at];
    memmove(&q->list[at], &q->list[at + 1], (--q->count - at) * sizeof m);
    return m;
}

/* --- Ports --- */

static void send_up(void *context, const ws_coherence_message *m)
{
    world *const w = context;
    note(w, m->type + m->block * 16 + ((uint64_t)m->mask << 32));
    assert_int_equal(m->sm, w->at);
    if (m->type == WS_MESSAGE_WRITE) {
        assert_int_equal(m->mask & ~w->stored[w->at][m->block], 0);
        w->stored[w->at][m->block] &= ~m->mask;
    }
    push(&w->up[w->at][m->block / 2 % SLICES], m);
}

static void completed(void *context, const ws_completion *c)
{
    world *const w = context;
    note(w, c->tag + ((uint64_t)c->mask << 32));
    ws_request *const r = &w->out[w->at][c->tag];
    assert_true(r->mask != 0 && c->data == NULL);
    assert_true(r->mask == c->mask && r->block == c->block && r->kind == c->kind && r->warp == c->warp);
    r->mask = 0;
    w->completions++;
}

static void send_down(void *context, const ws_coherence_message *m)
{
    world *const w = context;
    note(w, m->type + m->block * 16 + ((uint64_t)m->mask << 32));
    assert_int_equal(m->block / 2 % SLICES, w->at);
    if (m->type == WS_MESSAGE_DRAM_READ) {
        push(&w->dram, m);
    } else if (m->type == WS_MESSAGE_DRAM_WRITE) {
        assert_int_equal(m->mask & ~(w->strict ? w->arrived : w->ever)[m->block], 0);
        w->arrived[m->block] &= ~m->mask;
    } else if (!w->pushing) {
        /* A store that waited behind others is dirty only now. */
        if (w->strict && m->type != WS_MESSAGE_FILL)
            w->arrived[m->block] |= m->mask;
        push(&w->down, m);
    }
}

/* --- Steps --- */

static uint32_t some_words(world *w)
{
    switch (below(w, 4)) {
    case 0:
        return UINT32_MAX;
    case 1:
        return 0xffu << 8 * below(w, 4);
    case 2:
        return 1u << below(w, WORDS);
    default:
        return (uint32_t)gsl_rng_get(w->rng) | 1u << below(w, WORDS);
    }
}

/* A quarter of the blocks is for atomics, a quarter is local memory. */
static ws_request draw(world *w)
{
    ws_request r = {
        .block = below(w, below(w, 2) ? BLOCKS : HOT), .warp = (uint16_t)below(w, 4), .mask = some_words(w)};
    r.tag = w->next_tag++ % TAGS;
    if (r.block % 4 == 3)
        r.kind = below(w, 3) ? WS_REQUEST_LOAD : WS_REQUEST_ATOMIC;
    else
        r.kind = below(w, 5) < 3 ? WS_REQUEST_LOAD : WS_REQUEST_STORE;
    r.who.local = r.block % 4 == 2;
    r.poll = r.kind == WS_REQUEST_LOAD && !r.who.local && !below(w, 10);
    return r;
}

static uint32_t sectors_of(const world *w, uint32_t mask)
{
    const uint32_t words = w->machine.l1_sector / 4;
    uint32_t count = 0;
    for (uint32_t first = 0; first < WORDS; first += words)
        count += (mask >> first & (words < 32 ? (1u << words) - 1 : UINT32_MAX)) != 0;
    return count;
}

static void ask(world *w, uint32_t sm)
{
    if (!w->has_asked[sm])
        w->asked[sm] = draw(w);
    w->has_asked[sm] = true;
    const ws_request *const r = &w->asked[sm];
    if (w->out[sm][r->tag].mask)
        return; /* tags went round; wait for the old one */
    const uint32_t before = w->stored[sm][r->block];
    w->out[sm][r->tag] = *r;
    if (r->kind == WS_REQUEST_STORE)
        w->stored[sm][r->block] |= r->mask;
    w->at = sm;
    const ws_coherence_ports ports = {.context = w, .send = send_up, .complete = completed};
    const int rc = w->l1.ops->request(w->l1.shared, w->l1s[sm], r, 0, &ports);
    note(w, (uint64_t)rc);
    if (rc < 0)
        fail_msg("%s", ws_message());
    if (rc == WS_OK) {
        w->sectors[sm] += sectors_of(w, r->mask);
        w->has_asked[sm] = false;
    } else {
        w->out[sm][r->tag].mask = 0;
        w->stored[sm][r->block] = before;
    }
}

static void to_slice(world *w, uint32_t sm, uint32_t slice)
{
    queue *const q = &w->up[sm][slice];
    if (!q->count)
        return;
    const ws_coherence_message *const m = &q->list[0];
    const uint32_t before = w->arrived[m->block];
    if (m->type != WS_MESSAGE_READ) {
        w->arrived[m->block] |= m->mask;
        w->ever[m->block] |= m->mask;
    }
    w->at = slice;
    const ws_coherence_ports ports = {.context = w, .send = send_down};
    const int rc = w->l2.ops->message(w->l2.shared, w->l2s[slice], m, 0, &ports);
    if (rc < 0)
        fail_msg("%s", ws_message());
    if (rc == WS_OK)
        pull(q, 0);
    else
        w->arrived[m->block] = before;
}

static void from_dram(world *w)
{
    if (!w->dram.count)
        return;
    ws_coherence_message m = pull(&w->dram, below(w, w->dram.count));
    m.type = WS_MESSAGE_DRAM_FILL;
    w->at = (uint32_t)(m.block / 2 % SLICES);
    const ws_coherence_ports ports = {.context = w, .send = send_down};
    if (w->l2.ops->message(w->l2.shared, w->l2s[w->at], &m, 0, &ports))
        fail_msg("%s", ws_message());
}

static void to_sm(world *w)
{
    if (!w->down.count)
        return;
    const ws_coherence_message m = pull(&w->down, below(w, w->down.count));
    w->at = m.sm;
    const ws_coherence_ports ports = {.context = w, .send = send_up, .complete = completed};
    if (w->l1.ops->message(w->l1.shared, w->l1s[m.sm], &m, 0, &ports))
        fail_msg("%s", ws_message());
}

static void transport(world *w)
{
    switch (below(w, 3)) {
    case 0:
        to_slice(w, below(w, SMS), below(w, SLICES));
        break;
    case 1:
        from_dram(w);
        break;
    default:
        to_sm(w);
    }
}

static uint32_t inside(const world *w)
{
    uint32_t count = w->down.count + w->dram.count;
    for (uint32_t sm = 0; sm < SMS; sm++) {
        count += w->l1.ops->waiting(w->l1.shared, w->l1s[sm]) + w->has_asked[sm];
        for (uint32_t slice = 0; slice < SLICES; slice++)
            count += w->up[sm][slice].count;
    }
    for (uint32_t slice = 0; slice < SLICES; slice++)
        count += w->l2.ops->waiting(w->l2.shared, w->l2s[slice]);
    return count;
}

static void drain(world *w)
{
    for (uint32_t steps = 0; inside(w); steps++) {
        assert_true(steps < 200000); /* it comes to an end */
        for (uint32_t sm = 0; sm < SMS; sm++)
            if (w->has_asked[sm])
                ask(w, sm);
        transport(w);
    }
}

/* Goes on in a copy; the original is spoilt. */
static void *moved(void *memory, size_t bytes)
{
    void *const copy = malloc(bytes);
    memcpy(copy, memory, bytes);
    memset(memory, 0xa5, bytes);
    free(memory);
    return copy;
}

static void move_all(world *w)
{
    for (uint32_t sm = 0; sm < SMS; sm++)
        w->l1s[sm] = moved(w->l1s[sm], w->l1.ops->bytes(w->l1.shared));
    for (uint32_t slice = 0; slice < SLICES; slice++)
        w->l2s[slice] = moved(w->l2s[slice], w->l2.ops->bytes(w->l2.shared));
}

/* --- Runs --- */

typedef struct variant {
    const char *write, *write_allocate, *l2_write, *l2_write_allocate, *index, *replacement;
    uint32_t sector;
    bool on_fill, off;
} variant;

static void open_world(world *w, const variant *v, unsigned long seed)
{
    memset(w, 0, sizeof *w);
    ws_machine *const m = &w->machine;
    ws_machine_defaults(m);
    const bool wide = !strcmp(v->index, "fermi") || !strcmp(v->index, "ipoly");
    m->l1_enabled = !v->off;
    m->l1_sets = m->l2_sets = wide ? 32 : 4;
    m->l1_ways = wide ? 1 : 3;
    m->l2_ways = wide ? 1 : 2;
    m->l1_sector = m->l2_sector = v->sector;
    m->l1_mshrs = m->l2_mshrs = v->sector < 128 ? 12 : 5;
    m->l1_merges = m->l2_merges = 2;
    m->sm_memory_tags = 1;
    m->l2_queue = 3;
    m->l2_dirty = seed % 2 ? 100 : 20;
    m->memory_channels = SLICES;
    m->l2_slices = 1;
    machine_word(m, l1_allocate, v->on_fill ? "fill" : "miss");
    machine_word(m, l1_write, v->write);
    machine_word(m, l1_write_allocate, v->write_allocate);
    machine_word(m, l2_write, v->l2_write);
    machine_word(m, l2_write_allocate, v->l2_write_allocate);
    machine_word(m, l1_index, v->index);
    machine_word(m, l2_index, v->index);
    const uint8_t places = ws_cache_replacement_find(v->replacement)->places;
    machine_word(m, l1_replacement, places && !(places & WS_CACHE_IN_L1) ? "lru" : v->replacement);
    machine_word(m, l2_replacement, places == WS_CACHE_IN_L1 ? ws_cache_replacement_telling()->name : v->replacement);
    if (ws_plain_l1_create(m, &w->l1) || ws_plain_l2_create(m, &w->l2))
        fail_msg("%s", ws_message());
    for (uint32_t sm = 0; sm < SMS; sm++) {
        w->l1s[sm] = malloc(w->l1.ops->bytes(w->l1.shared));
        w->l1.ops->init(w->l1.shared, w->l1s[sm], sm);
    }
    for (uint32_t slice = 0; slice < SLICES; slice++) {
        w->l2s[slice] = malloc(w->l2.ops->bytes(w->l2.shared));
        w->l2.ops->init(w->l2.shared, w->l2s[slice], slice);
    }
    /* Else some words of a store may be written before those that wait for a read are there. */
    w->strict = m->l2_dirty == 100 && m->l2_write == WS_WRITE_BACK && m->l2_write_allocate != WS_WRITE_ALLOCATE_NONE &&
                !ws_cache_replacement_find(v->replacement)->bypasses;
    w->rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(w->rng, seed);
    w->hash = UINT64_C(0xcbf29ce484222325);
}

static void close_world(world *w)
{
    for (uint32_t sm = 0; sm < SMS; sm++)
        free(w->l1s[sm]);
    for (uint32_t slice = 0; slice < SLICES; slice++)
        free(w->l2s[slice]);
    w->l1.ops->destroy(w->l1.shared);
    w->l2.ops->destroy(w->l2.shared);
    gsl_rng_free(w->rng);
}

static void flush_all(world *w)
{
    for (uint32_t sm = 0; sm < SMS; sm++) {
        w->at = sm;
        const ws_coherence_ports ports = {.context = w, .send = send_up, .complete = completed};
        assert_int_equal(w->l1.ops->flush(w->l1.shared, w->l1s[sm], 0, &ports), WS_OK);
    }
    drain(w);
}

static bool has_arrived(const world *w)
{
    for (uint32_t block = 0; block < BLOCKS; block++)
        if (w->arrived[block])
            return true;
    return false;
}

/* Reads of two SMs that fill every line of each slice twice; some policies need many more before they give up what they
 * have. */
static void push_out(world *w)
{
    w->pushing = true;
    const uint32_t lines = w->machine.l2_sets * w->machine.l2_ways * SLICES;
    for (uint64_t block = 1 << 10; block < (1 << 10) + 2 * lines || (has_arrived(w) && block < 1000 * lines); block++) {
        for (uint16_t sm = 0; sm < 2; sm++) {
            const ws_coherence_message m = {.type = WS_MESSAGE_READ, .block = block, .mask = UINT32_MAX, .sm = sm};
            const ws_coherence_ports ports = {.context = w, .send = send_down};
            w->at = (uint32_t)(block / 2 % SLICES);
            assert_int_equal(w->l2.ops->message(w->l2.shared, w->l2s[w->at], &m, 0, &ports), WS_OK);
            while (w->dram.count)
                from_dram(w);
        }
    }
}

static void check_counts(const ws_cache_counts *c)
{
    assert_true(c->loads + c->stores + c->atomics == c->hits + c->misses + c->merged);
    assert_true(c->updates <= c->misses && c->updates <= c->stores);
}

static void check_end(const world *w)
{
    for (uint32_t sm = 0; sm < SMS; sm++) {
        const ws_cache_counts c = w->l1.ops->counts(w->l1.shared, w->l1s[sm]);
        check_counts(&c);
        assert_true(c.loads + c.stores + c.atomics == w->sectors[sm]);
        assert_true(!w->machine.l1_enabled || (c.hits > 0 && c.merged > 0 && c.evictions > 0));
        for (uint32_t tag = 0; tag < TAGS; tag++)
            assert_int_equal(w->out[sm][tag].mask, 0);
        for (uint32_t block = 0; block < BLOCKS; block++)
            assert_int_equal(w->stored[sm][block], 0);
    }
    for (uint32_t slice = 0; slice < SLICES; slice++) {
        const ws_cache_counts c = w->l2.ops->counts(w->l2.shared, w->l2s[slice]);
        check_counts(&c);
        assert_true(c.hits > 0 && c.misses > 0 && c.evictions > 0);
    }
    for (uint32_t block = 0; block < BLOCKS; block++)
        assert_int_equal(w->arrived[block], 0);
}

/* `move`: every so many steps all goes on in copies. */
static uint64_t run(const variant *v, unsigned long seed, uint32_t move)
{
    world *const w = malloc(sizeof *w);
    open_world(w, v, seed);
    for (uint32_t i = 0; i < 6000; i++) {
        if (!below(w, 3))
            ask(w, below(w, SMS));
        else
            transport(w);
        if (move && i % move == move - 1)
            move_all(w);
    }
    drain(w);
    flush_all(w);
    push_out(w);
    assert_true(w->completions > 500);
    check_end(w);
    const uint64_t hash = w->hash;
    close_world(w);
    free(w);
    return hash;
}

static void nothing_is_lost_under_any_policy(void **state)
{
    (void)state;
    static const char *const writes[][2] = {{"through", "none"},   {"through", "fetch"},   {"through", "lazy"},
                                            {"evict", "none"},     {"back", "none"},       {"back", "fetch"},
                                            {"back", "lazy"},      {"local-back", "none"}, {"local-back", "fetch"},
                                            {"local-back", "lazy"}};
    static const char *const l2_writes[][2] = {{"back", "fetch"},   {"back", "lazy"},  {"back", "none"},
                                               {"through", "none"}, {"evict", "none"}, {"through", "fetch"},
                                               {"through", "lazy"}};
    size_t indices = 0, replacements = 0;
    while (ws_cache_index_at(indices))
        indices++;
    while (ws_cache_replacement_at(replacements))
        replacements++;
    unsigned long n = 0;
    for (size_t i = 0; i < sizeof writes / sizeof *writes; i++)
        for (uint32_t kind = 0; kind < 4; kind++, n++) {
            const variant v = {.write = writes[i][0],
                               .write_allocate = writes[i][1],
                               .l2_write = l2_writes[n % 7][0],
                               .l2_write_allocate = l2_writes[n % 7][1],
                               .index = ws_cache_index_at((n + i) % indices)->name,
                               .replacement = ws_cache_replacement_at(n / 3 % replacements)->name,
                               .sector = kind & 1 ? 32 : 128,
                               .on_fill = kind >= 2};
            run(&v, 100 + n, 0);
        }
}

static void nothing_is_lost_without_an_l1(void **state)
{
    (void)state;
    for (uint32_t sector = 32; sector <= 128; sector *= 2) {
        const variant v = {"through", "none", "back", "lazy", "linear", "lru", sector, false, true};
        run(&v, sector, 0);
    }
}

static void a_copy_goes_on_as_the_original(void **state)
{
    (void)state;
    static const variant variants[] = {{"back", "lazy", "back", "fetch", "xor", "lru", 32, false, false},
                                       {"local-back", "fetch", "back", "lazy", "ipoly", "fifo", 32, true, false}};
    for (int i = 0; i < 2; i++) {
        const uint64_t whole = run(&variants[i], 7, 0);
        assert_true(run(&variants[i], 7, 331) == whole);
        assert_true(run(&variants[i], 7, 1999) == whole);
        assert_true(run(&variants[i], 8, 0) != whole);
    }
}

/* --- A replacement that keeps some blocks out --- */

static bool is_odd(const ws_cache_set *set, const ws_cache_use *use)
{
    (void)set;
    return use->block & 1;
}

static const ws_cache_replacement odd_only = {.name = "odd", .chain = true, .bypasses = true, .admit = is_odd};

static void count_served(void *context, const ws_plain_access *access)
{
    (void)access;
    ++*(unsigned *)context;
}

/* Reads of what is not kept are merged while they are under way and leave no copy; stores go down; what is kept is
 * kept. */
static void what_is_not_kept_passes_through(void **state)
{
    (void)state;
    for (size_t i = 0; i < WS_L1_ALLOCATE_WORDS; i++) {
        const ws_plain_section section = {.name = "l1",
                                          .sets = 1,
                                          .ways = 2,
                                          .line = 128,
                                          .sector = 32,
                                          .mshrs = 8,
                                          .merges = 4,
                                          .waiters = 8,
                                          .allocate = (ws_l1_allocate)i,
                                          .write = WS_WRITE_BACK,
                                          .write_allocate = WS_WRITE_ALLOCATE_FETCH};
        ws_plain plain;
        assert_int_equal(ws_plain_setup(&plain, &section), WS_OK);
        const size_t bytes = plain.tags.bytes;
        assert_int_equal(ws_cache_build(&plain.tags, plain.tags.index, &odd_only, &(ws_cache_choice){0}, 1, 2, i == 0),
                         WS_OK);
        assert_int_equal(plain.tags.bytes, bytes);
        void *const memory = malloc(plain.bytes);
        ws_plain_init(&plain, memory);
        const ws_cache_counts *const counts = &ws_plain_head_of(memory)->counts;
        ws_plain_result r;
        for (uint64_t block = 2; block < 4; block++) {
            const bool kept = block & 1;
            unsigned served = 0;
            const ws_plain_access load = {.block = block, .mask = 3, .kind = WS_REQUEST_LOAD};
            const ws_plain_access store = {.block = block, .mask = 1, .kind = WS_REQUEST_STORE};
            assert_int_equal(ws_plain_load(&plain, memory, &load, &r), WS_OK);
            assert_true(!r.done && r.fetch == 0xff);
            assert_int_equal(ws_plain_load(&plain, memory, &load, &r), WS_OK);
            assert_true(!r.done && r.fetch == 0);
            assert_int_equal(ws_plain_fill(&plain, memory, block, 0xff, 0, &r, count_served, &served), WS_OK);
            assert_int_equal(served, 2);
            assert_int_equal(r.write, 0);
            assert_int_equal(ws_plain_load(&plain, memory, &load, &r), WS_OK);
            assert_int_equal(r.done, kept);
            if (!kept)
                assert_int_equal(ws_plain_fill(&plain, memory, block, 0xff, 0, &r, count_served, &served), WS_OK);
            assert_int_equal(ws_plain_store(&plain, memory, &store, WS_PLAIN_KEEP, &r), WS_OK);
            if (kept) {
                assert_true(r.done && !r.write);
                continue;
            }
            /* Where the line is chosen at the fill, the store waits for it and goes down then. */
            assert_int_equal(r.done, i == 0);
            assert_int_equal(r.write, i == 0);
            if (i == 1) {
                assert_int_equal(ws_plain_fill(&plain, memory, block, 0xff, 0, &r, count_served, &served), WS_OK);
                assert_int_equal(r.write, 1);
            }
        }
        assert_int_equal(counts->evictions, 0);
        assert_int_equal(ws_plain_head_of(memory)->reads, 0);
        assert_int_equal(ws_plain_head_of(memory)->waiters, 0);
        free(memory);
    }
}

/* A cache of one set of two lines that keeps odd blocks alone, and chooses a line at the miss. */
static void *keep_odd_blocks(const ws_plain_section *own, ws_plain *plain)
{
    ws_plain_section section = *own;
    section.name = "l1";
    section.sets = 1;
    section.ways = 2;
    section.line = section.sector = 128;
    section.merges = 4;
    section.allocate = WS_L1_ALLOCATE_MISS;
    section.write = WS_WRITE_EVICT;
    section.piece = 32;
    assert_int_equal(ws_plain_setup(plain, &section), WS_OK);
    assert_int_equal(ws_cache_build(&plain->tags, plain->tags.index, &odd_only, &(ws_cache_choice){0}, 1, 2, true),
                     WS_OK);
    void *const memory = malloc(plain->bytes);
    ws_plain_init(plain, memory);
    return memory;
}

/* One MSHR. Loads whose block is not kept ask for their pieces each by itself, when no MSHR is free, too; a load whose
 * block is kept takes the one, and the next such is refused. */
static void what_is_not_kept_takes_no_mshr(void **state)
{
    (void)state;
    ws_plain plain;
    void *const memory = keep_odd_blocks(&(ws_plain_section){.mshrs = 1, .waiters = 4, .apart = true}, &plain);
    ws_plain_result kept, r[3];
    ws_plain_access load = {.block = 3, .mask = 1, .kind = WS_REQUEST_LOAD}, waited;
    assert_int_equal(ws_plain_load(&plain, memory, &load, &kept), WS_OK);
    assert_true(kept.fetch == UINT32_MAX && !kept.apart && !kept.done);
    for (unsigned i = 0; i < 3; i++) {
        load = (ws_plain_access){.block = 2, .mask = 0x101, .kind = WS_REQUEST_LOAD, .tag = (uint16_t)i};
        assert_int_equal(ws_plain_load(&plain, memory, &load, &r[i]), WS_OK);
        assert_true(r[i].apart && !r[i].done && r[i].fetch == 0xffff);
    }
    assert_int_equal(ws_plain_head_of(memory)->counts.bypassed, 3);
    assert_int_equal(ws_plain_head_of(memory)->reads, 1);
    load.block = 5;
    assert_int_equal(ws_plain_load(&plain, memory, &load, &kept), WS_REFUSED_MSHR);
    load.block = 4; /* all that can wait do */
    assert_int_equal(ws_plain_load(&plain, memory, &load, &kept), WS_REFUSED_MERGE);
    for (unsigned i = 3; i-- > 0;) {
        assert_int_equal(ws_plain_unpark(&plain, memory, r[i].waiter, &waited), WS_OK);
        assert_int_equal(waited.tag, i);
    }
    assert_int_equal(ws_plain_unpark(&plain, memory, r[0].waiter, &waited), WS_EVERIFY);
    unsigned served = 0;
    assert_int_equal(ws_plain_fill(&plain, memory, 3, UINT32_MAX, 0, &kept, count_served, &served), WS_OK);
    assert_int_equal(served, 1);
    free(memory);
}

/* Of a line with one sector, 32 bytes at a time; and the misses of what was never there, of what the own warp did not
 * keep, of what another one did not. */
static void pieces_of_what_is_not_kept(void **state)
{
    (void)state;
    ws_plain plain;
    void *const memory = keep_odd_blocks(&(ws_plain_section){.mshrs = 8, .waiters = 8, .classify = 8}, &plain);
    const ws_cache_counts *const counts = &ws_plain_head_of(memory)->counts;
    ws_plain_result r;
    unsigned served = 0;
    ws_plain_access load = {.block = 2, .mask = 0x10180, .kind = WS_REQUEST_LOAD, .who = {.life = 1}};
    assert_int_equal(ws_plain_load(&plain, memory, &load, &r), WS_OK);
    assert_int_equal(r.fetch, 0xffffff);
    assert_int_equal(counts->bypassed, 1);
    assert_int_equal(counts->cold, 1);
    load.mask = 0x1000000; /* words that are not on the way */
    assert_int_equal(ws_plain_load(&plain, memory, &load, &r), WS_REFUSED_MERGE);
    load.mask = 0x20;
    assert_int_equal(ws_plain_load(&plain, memory, &load, &r), WS_OK);
    assert_true(!r.done && !r.fetch);
    assert_int_equal(counts->load_merged, 1);
    assert_int_equal(ws_plain_fill(&plain, memory, 2, 0xffffff, 0, &r, count_served, &served), WS_OK);
    assert_int_equal(served, 2);
    load.mask = 0x1000000;
    assert_int_equal(ws_plain_load(&plain, memory, &load, &r), WS_OK);
    assert_int_equal(r.fetch, 0xff000000);
    assert_int_equal(counts->intra, 1);
    assert_int_equal(ws_plain_fill(&plain, memory, 2, 0xff000000, 0, &r, count_served, &served), WS_OK);
    load.who.life = 2;
    assert_int_equal(ws_plain_load(&plain, memory, &load, &r), WS_OK);
    assert_int_equal(counts->inter, 1);
    assert_int_equal(ws_plain_fill(&plain, memory, 2, 0xff000000, 0, &r, count_served, &served), WS_OK);
    /* Blocks that are kept come whole; the third makes the first leave, which was not used, then the second, which was.
     */
    for (uint64_t block = 3; block < 9; block += 2) {
        load.block = block;
        assert_int_equal(ws_plain_load(&plain, memory, &load, &r), WS_OK);
        assert_int_equal(r.fetch, UINT32_MAX);
        assert_int_equal(ws_plain_fill(&plain, memory, block, UINT32_MAX, 0, &r, count_served, &served), WS_OK);
        if (block == 5)
            assert_int_equal(ws_plain_load(&plain, memory, &load, &r), WS_OK);
    }
    assert_int_equal(counts->lines_left, 1);
    assert_int_equal(counts->lines_dead, 1);
    load.block = 3;
    assert_int_equal(ws_plain_load(&plain, memory, &load, &r), WS_OK);
    assert_int_equal(counts->intra, 2);
    assert_int_equal(counts->lines_left, 2);
    assert_int_equal(counts->lines_dead, 1);
    assert_int_equal(ws_plain_fill(&plain, memory, 3, UINT32_MAX, 0, &r, count_served, &served), WS_OK);
    ws_plain_forget(&plain, memory);
    load.block = 5;
    assert_int_equal(ws_plain_load(&plain, memory, &load, &r), WS_OK);
    assert_int_equal(counts->cold, 5);
    assert_int_equal(counts->loads,
                     counts->load_hits + counts->load_merged + counts->cold + counts->intra + counts->inter);
    free(memory);
}

/* Eight blocks to a place: the ninth makes the oldest forgotten, and one that leaves again is the latest. */
static void what_left_is_remembered(void **state)
{
    (void)state;
    uint32_t entries;
    assert_int_equal(ws_miss_class_bytes(0, &entries), 0);
    assert_int_equal(entries, 0);
    assert_int_equal(ws_miss_class_bytes(9, &entries), 16 * sizeof(ws_left_block));
    const size_t bytes = ws_miss_class_bytes(3, &entries);
    assert_int_equal(entries, WS_MISS_BUCKET);
    ws_left_block *const table = calloc(1, bytes);
    for (uint64_t block = 0; block < 8; block++)
        assert_false(ws_miss_class_note(table, entries, block, (uint32_t)block));
    assert_false(ws_miss_class_note(table, entries, 0, 7));
    assert_int_equal(ws_miss_class_of(table, entries, 0, 7), WS_MISS_INTRA);
    assert_int_equal(ws_miss_class_of(table, entries, 0, 0), WS_MISS_INTER);
    assert_true(ws_miss_class_note(table, entries, 100, 1));
    assert_int_equal(ws_miss_class_of(table, entries, 1, 1), WS_MISS_COLD);
    assert_int_equal(ws_miss_class_of(table, entries, 0, 7), WS_MISS_INTRA);
    assert_int_equal(ws_miss_class_of(table, entries, 100, 1), WS_MISS_INTRA);
    free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_lost_under_any_policy), cmocka_unit_test(nothing_is_lost_without_an_l1),
        cmocka_unit_test(what_is_not_kept_passes_through),  cmocka_unit_test(what_is_not_kept_takes_no_mshr),
        cmocka_unit_test(pieces_of_what_is_not_kept),       cmocka_unit_test(what_left_is_remembered),
        cmocka_unit_test(a_copy_goes_on_as_the_original),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
