/* test_dacache.c - the policy `dacache`: chains worked out by hand, lru where its parts are off, and a model with
 * lists. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <gsl/gsl_rng.h>

#include "model/cache/trace_cache.h"
#include "tests/unit/cache_array.h"

/* An access of a fully divergent load of the warp with that rank. */
static ws_cache_use divergent(uint64_t block, uint8_t rank)
{
    return (ws_cache_use){.block = block, .warp = rank, .who = {.lines = 32, .line = 31, .rank = rank}};
}

/* Blocks of set 0 from the front to the end. */
static void expect_chain(const array *a, const char *what, const uint64_t *expected)
{
    const uint16_t *const chain = ws_cache_chain_of(&a->cache, a->memory, 0);
    for (uint32_t position = 0; position < a->cache.ways; position++) {
        uint64_t block = 0;
        const uint32_t way = ws_chain_way(chain, a->cache.ways, position);
        assert_true(way < a->cache.ways && ws_cache_holds(&a->cache, a->memory, way, &block));
        if (block != expected[position])
            fail_msg("%s: block %lu at %u, expected %lu", what, block, position, expected[position]);
    }
}

/* --- By hand: 8 ways; set 0 of 32 has blocks 32 n --- */

enum { SETS = 32, WAYS = 8 };

/* A full set: a0 ... a7 from the front on, block 32 (n + 1) each. */
static array full_set(const ws_given *given)
{
    array a = make_array("dacache", given, SETS, WAYS);
    bool hit;
    for (uint64_t n = WAYS; n > 0; n--) {
        const ws_cache_use first = {.block = SETS * n, .who = {.lines = 1, .rank = 9}}; /* not sampled: at the front */
        use_as(&a, first, &hit);
        assert_false(hit);
    }
    return a;
}

#define B(n) ((uint64_t)SETS * (n))

/* Two warps of neighbouring ranks, one of each scheduler, enter at one place. */
static void lines_enter_by_rank(void **state)
{
    (void)state;
    static const uint32_t places[] = {0, 0, 2, 2, 4, 4, 6, 6, 7, 7, 7, 7};
    const ws_given all[] = {{"learn", 0, NULL}, {"protect", 48, NULL}, {NULL, 0, NULL}};
    for (uint8_t rank = 0; rank < sizeof places / sizeof *places; rank++) {
        array a = full_set(all);
        bool hit;
        uint64_t expected[WAYS];
        const uint32_t line = use_as(&a, divergent(B(99), rank), &hit);
        assert_int_equal(ws_cache_chain_of(&a.cache, a.memory, 0)[line], places[rank]);
        for (uint32_t i = 0, n = 1; i < WAYS; i++)
            expected[i] = i == places[rank] ? B(99) : B(n++);
        expect_chain(&a, "insertion", expected);
        free(a.memory);
    }
    /* Beyond the protected ones: at the end, whatever the equation says. Small loads and coherent ones: at the front.
     */
    for (unsigned lines = 1; lines < 10; lines++) {
        array a = full_set(NULL);
        bool hit;
        ws_cache_use use = divergent(B(99), 5);
        use.who.lines = (uint16_t)lines;
        use.who.line = 0;
        const uint32_t line = use_as(&a, use, &hit);
        assert_int_equal(ws_cache_chain_of(&a.cache, a.memory, 0)[line], lines <= 5 ? 0 : 7);
        free(a.memory);
    }
}

static void a_hit_moves_a_line_some_positions(void **state)
{
    (void)state;
    static const struct {
        uint64_t promote;
        uint64_t chain[WAYS];
    } rows[] = {{4, {B(1), B(5), B(2), B(99), B(3), B(4), B(6), B(7)}},
                {2, {B(1), B(2), B(99), B(5), B(3), B(4), B(6), B(7)}},
                {0, {B(5), B(1), B(2), B(99), B(3), B(4), B(6), B(7)}},
                {100, {B(5), B(1), B(2), B(99), B(3), B(4), B(6), B(7)}}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const ws_given given[] = {{"promote", rows[i].promote, NULL}, {NULL, 0, NULL}};
        array a = full_set(given);
        bool hit;
        use_as(&a, divergent(B(99), 2), &hit);
        expect_chain(&a, "before", (const uint64_t[]){B(1), B(2), B(99), B(3), B(4), B(5), B(6), B(7)});
        use_as(&a, divergent(B(5), 2), &hit);
        assert_true(hit);
        expect_chain(&a, "after", rows[i].chain);
        free(a.memory);
    }
}

/* Four protected warps, so ways 4 to 7 may go: what if all of them wait for their data? */
static void lines_behind_the_partition_alone_may_go(void **state)
{
    (void)state;
    for (uint64_t constrained = 0; constrained < 3; constrained++) {
        const ws_given given[] = {{"constrained", constrained, NULL}, {NULL, 0, NULL}};
        array a = full_set(given);
        const ws_cache_use use = divergent(B(99), 0);
        const uint16_t *const chain = ws_cache_chain_of(&a.cache, a.memory, 0);
        for (uint32_t position = WAYS; position-- > 0;) {
            const uint32_t chosen = ws_cache_choose(&a.cache, a.memory, &use, NULL);
            if (position >= 4 || !constrained)
                assert_int_equal(chain[chosen], position);
            else
                assert_int_equal(chosen, constrained == 1 ? WS_CACHE_NONE : WS_CACHE_BYPASS);
            ws_cache_lock(&a.cache, a.memory, ws_chain_way(chain, WAYS, position), true);
        }
        assert_int_equal(ws_cache_choose(&a.cache, a.memory, &use, NULL),
                         constrained == 2 ? WS_CACHE_BYPASS : WS_CACHE_NONE);
        free(a.memory);
    }
}

/* However many are protected, one way is not. */
static void something_can_always_go(void **state)
{
    (void)state;
    static const uint32_t shapes[][2] = {{1, 1}, {1, 4}, {4, 8}, {32, 8}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (uint64_t constrained = 0; constrained < 3; constrained++) {
            const ws_given given[] = {
                {"constrained", constrained, NULL}, {"learn", 0, NULL}, {"protect", 64, NULL}, {NULL, 0, NULL}};
            array a = make_array("dacache", given, shapes[i][0], shapes[i][1]);
            bool hit;
            for (uint64_t block = 0; block < 1000; block++)
                assert_true(use_as(&a, divergent(block, (uint8_t)(block % 64)), &hit) < WS_CACHE_BYPASS);
            free(a.memory);
        }
}

/* Warps 1 to 4 have a line each in every set of 3 ways, and use them in turns: with lru none ever hits; with two
 * protected warps, a scheduler, and steps of one, two hit always. */
static void four_warps_share_three_ways(void **state)
{
    (void)state;
    enum { WARPS = 4, FEW = 4, ROUNDS = 10 };
    uint64_t line[WARPS][FEW];
    ws_trace_load load[WARPS * ROUNDS];
    for (uint32_t w = 0; w < WARPS; w++)
        for (uint32_t set = 0; set < FEW; set++)
            line[w][set] = FEW * (w + 1) + set;
    for (uint32_t i = 0; i < WARPS * ROUNDS; i++)
        load[i] = (ws_trace_load){.line = line[i % WARPS], .lines = FEW, .warp = i % WARPS, .turn = i / WARPS};
    ws_trace_counts c;
    assert_int_equal(ws_trace_cache_run(&(ws_cache_choice){0}, FEW, 3, load, WARPS * ROUNDS, &c), WS_OK);
    assert_int_equal(c.hits, 0);
    assert_int_equal(c.load[WS_LOAD_DIVERGENT].missed, WARPS * ROUNDS);
    const ws_given given[] = {{"learn", 0, NULL},       {"protect", 2, NULL}, {"promote", 1, NULL},
                              {"schedulers", 1, NULL},  {"lanes", 4, NULL},   {"small", 0, NULL},
                              {"constrained", 1, NULL}, {NULL, 0, NULL}};
    const ws_cache_choice choice = {.replacement = "dacache", .given = given, .count = 7};
    assert_int_equal(ws_trace_cache_run(&choice, FEW, 3, load, WARPS * ROUNDS, &c), WS_OK);
    assert_int_equal(c.hits, 8 * (ROUNDS - 1));
    assert_int_equal(c.load[WS_LOAD_DIVERGENT].full, 2 * (ROUNDS - 1));
    assert_int_equal(c.load[WS_LOAD_DIVERGENT].partial, 0);
    array a = make_array("dacache", given, FEW, 3);
    bool hit;
    for (uint32_t i = 0; i < 2 * WARPS; i++) {
        use_as(&a, divergent(line[i % WARPS][0], (uint8_t)(i % WARPS)), &hit);
        assert_int_equal(hit, i >= WARPS && i % WARPS < 2);
    }
    expect_chain(&a, "second round", (const uint64_t[]){line[1][0], line[0][0], line[3][0]});
    free(a.memory);
}

/* Loads of three lines that are there are served whole; a line that is not makes the load count the other way. */
static void protected_warps_follow_whole_loads(void **state)
{
    (void)state;
    array a = make_array("dacache", NULL, SETS, WAYS);
    bool hit;
    uint64_t fresh = 1000;
    assert_int_equal(ws_cache_protects(&a.cache, a.memory), 4);
    for (unsigned n = 0; n < 4; n++) /* not a load: three accesses that do not follow one another */
        use_as(&a, (ws_cache_use){.block = n, .who = {.lines = 1}}, &hit);
    for (unsigned n = 0; n < 128; n++) {
        assert_int_equal(ws_cache_protects(&a.cache, a.memory), 4);
        for (uint16_t line = 0; line < 3; line++)
            use_as(&a, (ws_cache_use){.block = line, .who = {.lines = 3, .line = line, .rank = 7}}, &hit);
        assert_true(hit);
    }
    assert_int_equal(ws_cache_protects(&a.cache, a.memory), 5);
    for (unsigned n = 0; n < 26; n++) { /* 5 down each: 128 / 5, rounded up */
        assert_int_equal(ws_cache_protects(&a.cache, a.memory), 5);
        for (uint16_t line = 0; line < 3; line++)
            use_as(&a, (ws_cache_use){.block = line == 1 ? fresh++ : line, .who = {.lines = 3, .line = line}}, &hit);
    }
    assert_int_equal(ws_cache_protects(&a.cache, a.memory), 4);
    /* Parts of loads, stores and coherent loads say nothing. */
    for (unsigned n = 0; n < 1000; n++) {
        use_as(&a, (ws_cache_use){.block = fresh++, .who = {.lines = 3, .line = 2}}, &hit);
        use_as(&a, (ws_cache_use){.block = fresh++, .who = {.lines = 2, .line = 1}}, &hit);
        for (uint16_t line = 0; line < 3; line++)
            use_as(&a, (ws_cache_use){.block = fresh++, .kind = WS_CACHE_STORE, .who = {.lines = 3, .line = line}},
                   &hit);
    }
    assert_int_equal(ws_cache_protects(&a.cache, a.memory), 4);
    free(a.memory);
    /* A policy that protects nobody says so. */
    a = make_array("lru", NULL, SETS, WAYS);
    assert_int_equal(ws_cache_protects(&a.cache, a.memory), 0);
    free(a.memory);
}

/* --- Coherent loads --- */

static uint32_t place_of_coherent(array *a, uint32_t pc, uint64_t block)
{
    bool hit;
    const uint32_t line =
        use_as(a, (ws_cache_use){.block = block, .warp = 3, .who = {.pc = pc, .lines = 2, .rank = 3}}, &hit);
    assert_false(hit);
    return ws_cache_chain_of(&a->cache, a->memory, 0)[line];
}

static void coherent_loads_without_locality_enter_last(void **state)
{
    (void)state;
    enum { STREAMS = 1, USES_AGAIN, LOSES, OTHERS };
    array a = full_set(NULL);
    bool hit;
    uint64_t next = 1000;
    /* The oldest warp streams: after 64 accesses it is known. Other warps teach nothing. */
    for (unsigned n = 0; n < 63; n++)
        use_as(&a, (ws_cache_use){.block = 32 * next++ + 1, .who = {.pc = STREAMS, .lines = 1}}, &hit);
    for (unsigned n = 0; n < 100; n++)
        use_as(&a, (ws_cache_use){.block = 32 * next++ + 1, .warp = 1, .who = {.pc = OTHERS, .lines = 1, .rank = 1}},
               &hit);
    assert_int_equal(place_of_coherent(&a, STREAMS, B(next++)), 0);
    use_as(&a, (ws_cache_use){.block = 32 * next++ + 1, .who = {.pc = STREAMS, .lines = 1}}, &hit);
    assert_int_equal(place_of_coherent(&a, STREAMS, B(next++)), 7);
    assert_int_equal(place_of_coherent(&a, OTHERS, B(next++)), 0);
    /* One hit on its own line, and it has locality for good. */
    for (unsigned n = 0; n < 200; n++)
        use_as(&a, (ws_cache_use){.block = 32 * (n < 2 ? next : next++) + 2, .who = {.pc = USES_AGAIN, .lines = 1}},
               &hit);
    assert_int_equal(place_of_coherent(&a, USES_AGAIN, B(next++)), 0);
    /* Or a line that it lost before it came again: 8 others of a set in between. */
    for (unsigned round = 0; round < 20; round++)
        for (unsigned n = 0; n < 9; n++) {
            use_as(&a, (ws_cache_use){.block = 32 * (500u + n) + 3, .who = {.pc = LOSES, .lines = 1}}, &hit);
            assert_false(hit);
        }
    assert_int_equal(place_of_coherent(&a, LOSES, B(next++)), 0);
    free(a.memory);
    /* Without the detector all enter at the front. */
    const ws_given off[] = {{"detect", 0, NULL}, {NULL, 0, NULL}};
    a = full_set(off);
    for (unsigned n = 0; n < 100; n++)
        use_as(&a, (ws_cache_use){.block = 32 * next++ + 1, .who = {.pc = STREAMS, .lines = 1}}, &hit);
    assert_int_equal(place_of_coherent(&a, STREAMS, B(next++)), 0);
    free(a.memory);
}

/* --- Where its parts are off, it is lru --- */

static ws_cache_use random_use(gsl_rng *rng, unsigned blocks, bool ranked)
{
    const unsigned lines = 1 + (unsigned)gsl_rng_uniform_int(rng, 32);
    const uint8_t rank = ranked ? (uint8_t)gsl_rng_uniform_int(rng, 12) : 0;
    return (ws_cache_use){.block = gsl_rng_uniform_int(rng, blocks),
                          .warp = rank,
                          .kind = (uint8_t)(gsl_rng_uniform_int(rng, 8) ? WS_CACHE_LOAD : WS_CACHE_STORE),
                          .who = {.pc = (uint32_t)gsl_rng_uniform_int(rng, 3),
                                  .lines = (uint16_t)lines,
                                  .line = (uint16_t)gsl_rng_uniform_int(rng, lines),
                                  .rank = rank}};
}

static void without_its_parts_it_is_lru(void **state)
{
    (void)state;
    const ws_given given[] = {{"promote", 0, NULL}, {"constrained", 0, NULL}, {"detect", 0, NULL}, {NULL, 0, NULL}};
    array a = make_array("dacache", given, 8, 4), lru = make_array("lru", NULL, 8, 4);
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    unsigned hits = 0;
    for (unsigned n = 0; n < 50000; n++) {
        bool one, other;
        const ws_cache_use use = random_use(rng, 48, false);
        const uint32_t line = use_as(&a, use, &one);
        assert_int_equal(use_as(&lru, use, &other), line);
        assert_int_equal(one, other);
        hits += one;
        if (n % 7 == 0 && line < WS_CACHE_BYPASS) {
            const bool lock = n % 2;
            ws_cache_lock(&a.cache, a.memory, line, lock);
            ws_cache_lock(&lru.cache, lru.memory, line, lock);
        }
    }
    assert_in_range(hits, 10000, 40000);
    gsl_rng_free(rng);
    free(a.memory);
    free(lru.memory);
}

/* --- A model: lists of blocks, the words done literally --- */

enum { M_SETS = 4, M_WAYS = 6, M_PCS = 3, M_SAMPLES = 10, M_VICTIMS = 3, M_PROFILES = 2 };

typedef struct known {
    uint64_t block;
    uint32_t pc;
    uint16_t warp;
    bool sampled;
} known;

typedef struct model {
    known list[M_SETS][M_WAYS + 1]; /* from the front on */
    int length[M_SETS];
    known victim[M_VICTIMS]; /* from the latest on */
    int victims;
    struct {
        uint32_t pc;
        int samples, verdict; /* 0: none yet, 1: locality, -1: none */
    } profile[M_PROFILES];    /* from the latest on */
    int profiles;
    int count, fcw;                         /* of the controller */
    bool missed, found;                     /* an access of the load under way */
    uint64_t constrained, promote, counted; /* counted: loads that miss altogether are */
} model;

static int verdict_of(const model *m, uint32_t pc)
{
    for (int i = 0; i < m->profiles; i++)
        if (m->profile[i].pc == pc)
            return m->profile[i].verdict;
    return 0;
}

static void model_learn_pc(model *m, uint32_t pc, bool again)
{
    int at = 0;
    while (at < m->profiles && m->profile[at].pc != pc)
        at++;
    typeof(m->profile[0]) entry = {.pc = pc};
    if (at < m->profiles)
        entry = m->profile[at];
    else if (m->profiles < M_PROFILES)
        m->profiles++;
    else
        at = M_PROFILES - 1;
    if (!entry.verdict) {
        entry.samples++;
        entry.verdict = again ? 1 : entry.samples == M_SAMPLES ? -1 : 0;
    }
    memmove(&m->profile[1], &m->profile[0], (size_t)at * sizeof entry);
    m->profile[0] = entry;
}

static void model_leave(model *m, const known *k)
{
    if (!k->sampled || verdict_of(m, k->pc))
        return;
    int at = 0;
    while (at < m->victims && (m->victim[at].block != k->block || m->victim[at].pc != k->pc))
        at++;
    if (at == m->victims && m->victims < M_VICTIMS)
        m->victims++;
    else if (at == m->victims)
        at = M_VICTIMS - 1;
    memmove(&m->victim[1], &m->victim[0], (size_t)at * sizeof *k);
    m->victim[0] = *k;
}

static bool model_lost(const model *m, uint64_t block, uint32_t pc)
{
    for (int i = 0; i < m->victims; i++)
        if (m->victim[i].block == block && m->victim[i].pc == pc)
            return true;
    return false;
}

/* A load ends when its last access was looked up. 40 is the counter's upper end, 2 warps at first, 6 at most. */
static void model_follow(model *m, const ws_cache_use *use, bool missed)
{
    const int rank = use->who.rank;
    m->missed = missed || (use->who.line && m->missed);
    m->found = !missed || (use->who.line && m->found);
    if (use->who.lines <= 2 || use->who.line + 1 < use->who.lines || (!m->found && !m->counted))
        return;
    if (!m->missed) {
        m->count = m->count + 1 < 40 ? m->count + 1 : 40;
        if (m->count == 40 && m->fcw < 6) {
            m->fcw++;
            m->count = 20;
        }
        return;
    }
    m->count -= rank < m->fcw ? m->fcw - rank : 1;
    if (m->count <= 0) {
        m->fcw -= m->fcw > 1;
        m->count = 20;
    }
}

static void model_insert(model *m, int set, int place, known k)
{
    if (place > m->length[set])
        place = m->length[set];
    memmove(&m->list[set][place + 1], &m->list[set][place], (size_t)(m->length[set] - place) * sizeof k);
    m->list[set][place] = k;
    m->length[set]++;
}

static known model_take(model *m, int set, int at)
{
    const known k = m->list[set][at];
    m->length[set]--;
    memmove(&m->list[set][at], &m->list[set][at + 1], (size_t)(m->length[set] - at) * sizeof k);
    return k;
}

/* Loads of 8 lines are spread over 4 sets: two lines of a set for each warp. Returns whether it hit. */
static bool model_access(model *m, const ws_cache_use *use)
{
    const int set = (int)(use->block % M_SETS);
    const bool coherent = use->who.lines <= 2, sampled = coherent && use->who.rank == 0;
    bool there = false;
    for (int at = 0; at < m->length[set]; at++)
        there |= m->list[set][at].block == use->block;
    model_follow(m, use, !there);
    for (int at = 0; at < m->length[set]; at++) {
        if (m->list[set][at].block != use->block)
            continue;
        if (sampled)
            model_learn_pc(m, use->who.pc, m->list[set][at].warp == use->warp && m->list[set][at].pc == use->who.pc);
        const int to = !m->promote || at < (int)m->promote ? 0 : at - (int)m->promote;
        model_insert(m, set, to, model_take(m, set, at));
        return true;
    }
    if (sampled)
        model_learn_pc(m, use->who.pc, model_lost(m, use->block, use->who.pc));
    if (m->length[set] == M_WAYS) { /* nothing waits here, so the last may always go */
        const known gone = model_take(m, set, M_WAYS - 1);
        model_leave(m, &gone);
    }
    int place = 0;
    if (coherent)
        place = verdict_of(m, use->who.pc) < 0 ? M_WAYS : 0;
    else if (use->who.lines > 4)
        place = use->who.rank >= m->fcw ? M_WAYS : use->who.rank / 2 * 2 * 2;
    model_insert(m, set, place, (known){.block = use->block, .pc = use->who.pc, .warp = use->warp, .sampled = sampled});
    return false;
}

static void compare(const array *a, const model *m)
{
    for (uint32_t set = 0; set < M_SETS; set++) {
        const uint16_t *const chain = ws_cache_chain_of(&a->cache, a->memory, set);
        assert_int_equal(ws_chain_length(chain, M_WAYS), m->length[set]);
        for (uint32_t at = 0; (int)at < m->length[set]; at++) {
            uint64_t block = 0;
            ws_cache_holds(&a->cache, a->memory, set * M_WAYS + ws_chain_way(chain, M_WAYS, at), &block);
            assert_int_equal(block, m->list[set][at].block);
        }
    }
    assert_int_equal(ws_cache_protects(&a->cache, a->memory), m->fcw);
}

static void against_model(uint64_t constrained, uint64_t promote, uint64_t counted, unsigned long seed)
{
    const ws_given given[] = {{"constrained", constrained, NULL},
                              {"promote", promote, NULL},
                              {"protect", 2, NULL},
                              {"most", 6, NULL},
                              {"counter", 40, NULL},
                              {"lanes", 8, NULL},
                              {"small", 4, NULL},
                              {"samples", M_SAMPLES, NULL},
                              {"victims", M_VICTIMS, NULL},
                              {"profiles", M_PROFILES, NULL},
                              {"missed", counted, NULL},
                              {NULL, 0, NULL}};
    array a = make_array("dacache", given, M_SETS, M_WAYS);
    model m = {.count = 20, .fcw = 2, .constrained = constrained, .promote = promote, .counted = counted};
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, seed);
    int least = 6, most = 1;
    for (unsigned n = 0; n < 4000; n++) {
        const unsigned lines = (unsigned[]){1, 2, 4, 8, 8}[gsl_rng_uniform_int(rng, 5)];
        const uint8_t rank = (uint8_t)gsl_rng_uniform_int(rng, 8);
        const uint32_t pc = (uint32_t)gsl_rng_uniform_int(rng, M_PCS);
        /* Phases: what fits, what does not; instruction 2 never comes back. */
        const uint64_t first = pc == 2 && lines < 3 ? 1000 + n * 8 : gsl_rng_uniform_int(rng, n / 500 % 2 ? 40 : 10);
        for (uint16_t line = 0; line < lines; line++) {
            bool hit;
            const ws_cache_use use = {.block = first + line,
                                      .warp = rank,
                                      .who = {.pc = pc, .lines = (uint16_t)lines, .line = line, .rank = rank}};
            use_as(&a, use, &hit);
            assert_int_equal(hit, model_access(&m, &use));
            compare(&a, &m);
        }
        least = m.fcw < least ? m.fcw : least;
        most = m.fcw > most ? m.fcw : most;
    }
    assert_true(least < most);
    gsl_rng_free(rng);
    free(a.memory);
}

static void it_does_as_its_model(void **state)
{
    (void)state;
    for (uint64_t constrained = 0; constrained < 3; constrained++)
        for (uint64_t promote = 0; promote < 5; promote++)
            for (uint64_t counted = 0; counted < 2; counted++)
                against_model(constrained, promote, counted, (unsigned long)(constrained * 5 + promote));
}

/* --- With lines that wait for their data --- */

/* What is not kept is nowhere; a hit never moves a line back, nor one that is in front of it; lines in front of the
 * partition stay. */
static void what_is_bypassed_is_not_there(void **state)
{
    (void)state;
    array a = make_array("dacache", NULL, SETS, WAYS);
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    unsigned bypassed = 0, hits = 0;
    for (unsigned n = 0; n < 40000; n++) {
        const ws_cache_use use = random_use(rng, 600, true);
        const uint32_t before = ws_cache_find(&a.cache, a.memory, use.block);
        uint16_t *const chain = ws_cache_chain_of(&a.cache, a.memory, (uint32_t)(use.block % SETS));
        uint16_t old[WAYS];
        memcpy(old, chain, sizeof old);
        bool hit;
        const uint32_t line = use_as(&a, use, &hit);
        if (hit) {
            const uint32_t way = before % WAYS;
            hits++;
            assert_int_equal(chain[way], old[way] > 4 ? old[way] - 4 : 0);
            for (uint32_t other = 0; other < WAYS; other++)
                assert_true(other == way || chain[other] == old[other] ||
                            (old[other] < old[way] && chain[other] == old[other] + 1));
        } else if (line == WS_CACHE_BYPASS) {
            bypassed++;
            assert_int_equal(ws_cache_find(&a.cache, a.memory, use.block), WS_CACHE_NONE);
            assert_memory_equal(old, chain, sizeof old);
        } else {
            assert_true(line < SETS * WAYS);
            assert_true(old[line % WAYS] == WS_CHAIN_OFF ||
                        old[line % WAYS] >= ws_cache_protects(&a.cache, a.memory) - 1);
        }
        if (line < WS_CACHE_BYPASS)
            ws_cache_lock(&a.cache, a.memory, line, n % 3 == 0);
    }
    assert_true(bypassed > 100 && hits > 1000);
    gsl_rng_free(rng);
    free(a.memory);
}

static void options_that_do_not_go_together(void **state)
{
    (void)state;
    ws_cache cache;
    static const struct {
        ws_given given[2];
        const char *says;
    } rows[] = {
        {{{"protect", 0, NULL}, {"learn", 1, NULL}}, "protect is 0, expected 1 to 48, which is most, while learn is 1"},
        {{{"protect", 9, NULL}, {"most", 8, NULL}}, "protect is 9, expected 1 to 8, which is most, while learn is 1"},
        {{{"constrained", 3, NULL}, {"learn", 0, NULL}}, "constrained"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(
            ws_cache_setup(&cache, &(ws_cache_choice){.replacement = "dacache", .given = rows[i].given, .count = 2},
                           SETS, WAYS, true),
            WS_EINPUT);
        assert_non_null(strstr(ws_message(), rows[i].says));
    }
    const ws_given none[] = {{"protect", 0, NULL}, {"learn", 0, NULL}};
    assert_int_equal(ws_cache_setup(&cache, &(ws_cache_choice){.replacement = "dacache", .given = none, .count = 2},
                                    SETS, WAYS, true),
                     WS_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_enter_by_rank),
        cmocka_unit_test(a_hit_moves_a_line_some_positions),
        cmocka_unit_test(lines_behind_the_partition_alone_may_go),
        cmocka_unit_test(something_can_always_go),
        cmocka_unit_test(four_warps_share_three_ways),
        cmocka_unit_test(protected_warps_follow_whole_loads),
        cmocka_unit_test(coherent_loads_without_locality_enter_last),
        cmocka_unit_test(without_its_parts_it_is_lru),
        cmocka_unit_test(it_does_as_its_model),
        cmocka_unit_test(what_is_bypassed_is_not_there),
        cmocka_unit_test(options_that_do_not_go_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
