/* A part of the L3 between random slices and a memory of random delay: each read is answered once, to who asked, with
 * the words that it asked for; no word that was written is lost, or written where nobody wrote it; a copy of its memory
 * goes on as it would have. */
#include "base/status.h"
#include "model/sim/memory/memory_level.h"
#include "tests/unit/machine_word.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <gsl/gsl_rng.h>

enum { LINES = 40, WORDS = 32, READS = 1 << 14, ROOM = 512, STEPS = 6000, NUMBER = 5, CHIPS = 2, CHANNELS = 4 };

typedef struct asked {
    uint32_t mask;
    uint16_t line, sm;
    bool answered;
} asked;

typedef struct world {
    ws_machine machine;
    ws_slice_map map;
    ws_level l3;
    void *memory;
    gsl_rng *rng;
    ws_coherence_message below[ROOM]; /* reads of memory under way */
    uint32_t belows;
    asked read[READS]; /* by id */
    uint32_t reads, answers, time;
    uint32_t stored[LINES][WORDS], written[LINES][WORDS]; /* when last, up here and below; 0: never */
    uint64_t stored_words, written_words;
} world;

static uint32_t below(world *w, uint32_t n)
{
    return (uint32_t)gsl_rng_uniform_int(w->rng, n);
}

static uint64_t block_of(const world *w, uint32_t line)
{
    return ws_slice_map_line(&w->map, NUMBER, line);
}

static uint32_t line_of(const world *w, uint64_t block)
{
    assert_true(ws_slice_map_has(&w->map, NUMBER, block));
    return (uint32_t)ws_slice_map_local(&w->map, block);
}

static void sent(void *context, const ws_coherence_message *m)
{
    world *const w = context;
    const uint32_t line = line_of(w, m->block);
    assert_true(line < LINES && m->mask);
    if (m->type == WS_MESSAGE_DRAM_READ) {
        assert_true(w->belows < ROOM);
        w->below[w->belows++] = *m;
        return;
    }
    if (m->type == WS_MESSAGE_DRAM_WRITE) {
        for (unsigned i = 0; i < WORDS; i++)
            if (m->mask >> i & 1) {
                assert_true(w->stored[line][i] > 0);
                w->written[line][i] = w->time;
                w->written_words++;
            }
        return;
    }
    asked *const r = &w->read[m->id];
    assert_int_equal(m->type, m->warp ? WS_MESSAGE_ATOMIC_ACK : WS_MESSAGE_DRAM_FILL);
    assert_true(m->id < w->reads && !r->answered);
    assert_true(r->mask == m->mask && r->line == line && r->sm == m->sm);
    r->answered = true;
    w->answers++;
}

static int tell(world *w, const ws_coherence_message *m)
{
    const ws_coherence_ports ports = {.context = w, .send = sent};
    w->time++;
    const int rc = w->l3.ops->message(w->l3.shared, w->memory, m, 0, &ports);
    if (rc < 0)
        fail_msg("%s", ws_message());
    return rc;
}

/* A slice reads or writes some words, or an SM of another chip has an atomic operation performed. */
static void ask(world *w)
{
    const uint32_t line = below(w, LINES), what = below(w, 8);
    const uint32_t mask =
        below(w, 2) ? UINT32_MAX : ((uint32_t)gsl_rng_get(w->rng) | 1u << below(w, WORDS)) & UINT32_MAX;
    ws_coherence_message m;
    memset(&m, 0, sizeof m);
    m.type = what < 4 ? WS_MESSAGE_DRAM_READ : what < 7 ? WS_MESSAGE_DRAM_WRITE : WS_MESSAGE_ATOMIC;
    m.block = block_of(w, line);
    m.mask = mask;
    m.sm = (uint16_t)below(w, 100);
    m.warp = m.type == WS_MESSAGE_ATOMIC;
    m.id = (uint16_t)w->reads;
    const bool answered = m.type != WS_MESSAGE_DRAM_WRITE, stores = m.type != WS_MESSAGE_DRAM_READ;
    assert_true(w->reads < READS);
    uint32_t before[WORDS];
    memcpy(before, w->stored[line], sizeof before);
    for (unsigned i = 0; i < WORDS && stores; i++)
        if (mask >> i & 1)
            w->stored[line][i] = w->time + 1;
    w->read[w->reads] = (asked){.mask = mask, .line = (uint16_t)line, .sm = m.sm};
    w->reads += answered;
    if (tell(w, &m)) { /* refused: nothing has happened */
        memcpy(w->stored[line], before, sizeof before);
        w->reads -= answered;
        return;
    }
    w->stored_words += stores ? (uint64_t)__builtin_popcount(mask) : 0;
}

static void bring(world *w)
{
    if (!w->belows)
        return;
    const uint32_t at = below(w, w->belows);
    ws_coherence_message m = w->below[at];
    w->below[at] = w->below[--w->belows];
    m.type = WS_MESSAGE_DRAM_FILL;
    assert_int_equal(tell(w, &m), WS_OK);
}

/* It goes on in a copy; the original is spoilt. */
static void move(world *w)
{
    const size_t bytes = w->l3.ops->bytes(w->l3.shared);
    void *const copy = malloc(bytes);
    assert_non_null(copy);
    memcpy(copy, w->memory, bytes);
    memset(w->memory, 0xa5, bytes);
    free(w->memory);
    w->memory = copy;
}

static bool none_stays(void *context, uint64_t block)
{
    (void)context, (void)block;
    return false;
}

static void open_world(world *w, const char *write, const char *allocate, uint32_t sector, unsigned long seed)
{
    memset(w, 0, sizeof *w);
    ws_machine *const m = &w->machine;
    ws_machine_defaults(m);
    m->package_chips = CHIPS;
    m->memory_channels = CHANNELS;
    m->l2_slices = 2;
    m->l3_ways = 2;
    m->l3_size = 4 * m->l3_ways * m->l2_line;
    m->l3_sector = sector;
    m->l3_mshrs = 6;
    m->l3_merges = 2;
    m->l3_queue = 3;
    machine_word(m, l3_write, write);
    machine_word(m, l3_write_allocate, allocate);
    if (ws_plain_l3_create(m, &w->l3))
        fail_msg("%s", ws_message());
    w->map = ws_machine_home_map(m, CHANNELS);
    w->memory = malloc(w->l3.ops->bytes(w->l3.shared));
    w->l3.ops->init(w->l3.shared, w->memory, NUMBER);
    w->rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(w->rng, seed);
}

static void close_world(world *w)
{
    w->l3.ops->destroy(w->l3.shared);
    free(w->memory);
    gsl_rng_free(w->rng);
}

/* All is written below when the cache has given up what it had. */
static void check_end(world *w, const char *write)
{
    const ws_coherence_ports ports = {.context = w, .send = sent};
    while (w->belows)
        bring(w);
    assert_int_equal(w->l3.ops->waiting(w->l3.shared, w->memory), 0);
    assert_int_equal(w->answers, w->reads);
    w->time++;
    assert_int_equal(w->l3.ops->chips->release(w->l3.shared, w->memory, none_stays, &ports), WS_OK);
    for (uint32_t line = 0; line < LINES; line++)
        for (unsigned i = 0; i < WORDS; i++)
            assert_true(w->written[line][i] >= w->stored[line][i]);
    const ws_cache_counts c = w->l3.ops->counts(w->l3.shared, w->memory);
    assert_int_equal(c.loads + c.stores + c.atomics, c.hits + c.misses + c.merged);
    assert_true(w->written_words <= w->stored_words);
    /* A cache that keeps what it is given writes it less often. */
    assert_true(strcmp(write, "back") != 0 || w->written_words < w->stored_words);
    assert_true(c.hits > 100 && c.misses > 100);
}

static void nothing_is_lost(void **state)
{
    (void)state;
    static const struct {
        const char *write, *allocate;
    } ways[] = {{"back", "lazy"},    {"back", "fetch"},   {"back", "none"},
                {"through", "lazy"}, {"through", "none"}, {"evict", "none"}};
    static world w;
    for (unsigned i = 0; i < 3 * sizeof ways / sizeof *ways; i++) {
        open_world(&w, ways[i / 3].write, ways[i / 3].allocate, i % 3 ? 32u << i % 3 : 0, i);
        for (unsigned step = 0; step < STEPS; step++) {
            if (below(&w, 3))
                ask(&w);
            else
                bring(&w);
            if (step % 500 == 499)
                move(&w);
        }
        check_end(&w, ways[i / 3].write);
        close_world(&w);
    }
}

/* A line that was read is there; a write of all its words needs no memory; who asked is told, and no other part's lines
 * are taken. */
static void reads_and_writes(void **state)
{
    (void)state;
    static world w;
    open_world(&w, "back", "lazy", 0, 1);
    ws_coherence_message m;
    memset(&m, 0, sizeof m);
    m.type = WS_MESSAGE_DRAM_READ;
    m.block = block_of(&w, 7);
    m.mask = UINT32_MAX;
    m.sm = 9;
    w.read[0] = w.read[1] = (asked){.mask = UINT32_MAX, .line = 7, .sm = 9};
    w.reads = 2;
    assert_int_equal(tell(&w, &m), WS_OK);
    assert_int_equal(w.belows, 1);
    bring(&w);
    assert_int_equal(w.answers, 1);
    m.id = 1;
    assert_int_equal(tell(&w, &m), WS_OK);
    assert_int_equal(w.belows, 0);
    assert_int_equal(w.answers, 2);
    m.type = WS_MESSAGE_DRAM_WRITE;
    m.block = block_of(&w, 8);
    assert_int_equal(tell(&w, &m), WS_OK);
    assert_true(w.belows == 0 && w.written_words == 0 && w.answers == 2);
    const ws_coherence_ports ports = {.context = &w, .send = sent};
    m.block = ws_slice_map_line(&w.map, NUMBER - 1, 8);
    assert_int_equal(w.l3.ops->message(w.l3.shared, w.memory, &m, 0, &ports), WS_EVERIFY);
    assert_non_null(strstr(ws_message(), "part of the L3 5 got block"));
    m.block = block_of(&w, 8);
    m.type = WS_MESSAGE_READ;
    assert_int_equal(w.l3.ops->message(w.l3.shared, w.memory, &m, 0, &ports), WS_EVERIFY);
    close_world(&w);
}

static void bad_machines_are_refused(void **state)
{
    (void)state;
    static world w;
    open_world(&w, "back", "lazy", 0, 1);
    ws_level other;
    w.machine.l3_write = WS_WRITE_LOCAL_BACK;
    assert_int_equal(ws_plain_l3_create(&w.machine, &other), WS_EINPUT);
    assert_non_null(strstr(ws_message(), "[l3] write is local-back"));
    machine_word(&w.machine, l3_write, "back");
    machine_word(&w.machine, l3_index, "ipoly");
    assert_int_equal(ws_plain_l3_create(&w.machine, &other), WS_EINPUT);
    assert_non_null(strstr(ws_message(), "[l3]: index ipoly is not defined for 4 sets"));
    close_world(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_lost),
        cmocka_unit_test(reads_and_writes),
        cmocka_unit_test(bad_machines_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
