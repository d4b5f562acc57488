/* test_cache_streams.c - misses of streams by who shares: by hand, and against a search through all
 * that came before. */
#include "base/status.h"
#include "model/mechanism/sharing/cache_streams.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <gsl/gsl_rng.h>

enum { USES = 3000, SMS = 3, L1_SETS = 4, L1_WAYS = 2, L2_SETS = 8, L2_WAYS = 4, SLICES = 2, BLOCKS = 90 };

static gsl_rng *random_numbers(unsigned long seed)
{
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, seed);
    return rng;
}

/* ------------------------------------------------------------------------------------------------ distances */

/* Different blocks since the last use of block[i], by looking at each. */
static uint64_t distance_by_search(const uint64_t *block, size_t i)
{
    uint64_t others = 0;
    for (size_t k = i; k--;) {
        if (block[k] == block[i])
            return others;
        size_t later = k + 1;
        while (later < i && block[later] != block[k])
            later++;
        others += later == i; /* its last use before i */
    }
    return UINT64_MAX;
}

/* ------------------------------------------------------------------------------------------------ misses */

static ws_sharing_caches caches_with(const char *l1, const char *l2)
{
    return (ws_sharing_caches){.sms = SMS,
                               .slices = SLICES,
                               .l1 = {{.replacement = l1}, L1_SETS, L1_WAYS},
                               .l2 = {{.replacement = l2}, L2_SETS, L2_WAYS},
                               .map = ws_slice_map_make(1, SLICES, 1, 1, false)};
}

static ws_cache_streams *open_streams(const ws_sharing_caches *caches)
{
    ws_cache_streams *streams;
    if (ws_cache_streams_create(caches, &streams))
        fail_msg("%s", ws_message());
    return streams;
}

static void add(ws_cache_streams *streams, uint32_t sm, uint64_t block, ws_cache_kind kind, uint64_t now)
{
    assert_int_equal(
        ws_cache_streams_add(streams, &(ws_stream_use){.block = block, .sm = sm, .kind = kind, .now = now}), WS_OK);
}

/* Misses of loads of a cache of least recent use, by searching what was used in the set before (Mattson 1970): `ways`
 * others or more are a miss. */
typedef struct plain {
    uint64_t block[USES];
    size_t uses;
} plain;

static bool misses_by_search(plain *set, uint64_t block, unsigned ways)
{
    set->block[set->uses] = block;
    const uint64_t distance = distance_by_search(set->block, set->uses++);
    return distance == UINT64_MAX || distance >= ways;
}

static void plain_caches_in_order(void **state)
{
    (void)state;
    const ws_sharing_caches caches = caches_with("lru", "lru");
    ws_cache_streams *const streams = open_streams(&caches);
    plain(*const l1)[L1_SETS] = calloc(SMS, sizeof *l1), *const l2 = calloc(SLICES * L2_SETS, sizeof *l2);
    gsl_rng *const rng = random_numbers(2);
    ws_sharing_misses sums = {0};
    double l1_misses = 0, l2_misses = 0;
    uint64_t place[BLOCKS];
    for (int i = 0; i < BLOCKS; i++)
        place[i] = gsl_rng_get(rng);
    for (int launch = 0; launch < 3; launch++) { /* L2 goes on, L1s do not */
        memset(l1, 0, SMS * sizeof *l1);
        for (int i = 0; i < USES / 3; i++) {
            const uint32_t sm = (uint32_t)gsl_rng_uniform_int(rng, SMS);
            const uint64_t block = place[gsl_rng_uniform_int(rng, BLOCKS)];
            add(streams, sm, block, WS_CACHE_LOAD, (uint64_t)i);
            if (misses_by_search(&l1[sm][block % L1_SETS], block, L1_WAYS)) {
                l1_misses++;
                l2_misses += misses_by_search(&l2[block % (SLICES * L2_SETS)], block, L2_WAYS);
            }
        }
        assert_int_equal(ws_cache_streams_end(streams, &sums), WS_OK);
    }
    assert_true(sums.l1_replayed == l1_misses && sums.l2_replayed == l2_misses);
    assert_true(sums.loads == USES && sums.l2_least == BLOCKS && sums.merged == 0 && sums.dirty == 0);
    assert_true(sums.l1_least <= l1_misses && sums.l2_least <= l2_misses);
    assert_true(sums.l1_form == l1_misses && sums.l2_form == l2_misses);
    gsl_rng_free(rng);
    free(l1);
    free(l2);
    ws_cache_streams_destroy(streams);
}

/* Block 8 is of SM 0 and 1, block 9 of SM 0. Stores make no copy, update one, and count in L2. */
static void by_hand(void **state)
{
    (void)state;
    ws_sharing_caches caches = caches_with("lru", "lru");
    caches.latency_cycles = 10;
    ws_cache_streams *const streams = open_streams(&caches);
    ws_sharing_misses m = {0};
    add(streams, 0, 8, WS_CACHE_STORE, 0); /* misses L2 */
    add(streams, 0, 8, WS_CACHE_LOAD, 1);  /* misses L1 */
    add(streams, 1, 8, WS_CACHE_LOAD, 2);  /* misses L1 */
    add(streams, 0, 8, WS_CACHE_LOAD, 10); /* within 10 cycles */
    add(streams, 0, 9, WS_CACHE_LOAD, 11); /* misses both */
    add(streams, 0, 8, WS_CACHE_LOAD, 20); /* not within */
    add(streams, 0, 8, WS_CACHE_STORE, 21);
    add(streams, 0, 8, WS_CACHE_ATOMIC, 22); /* takes the copy away */
    add(streams, 0, 8, WS_CACHE_LOAD, 40);   /* misses L1 */
    assert_int_equal(ws_cache_streams_end(streams, &m), WS_OK);
    assert_true(m.loads == 6 && m.l1_least == 3 && m.l1_replayed == 4);
    assert_true(m.l2_least == 2 && m.l2_replayed == 2 && m.dirty == 1);
    assert_true(m.shared_loads == 5 && m.merged == 1);
    ws_cache_streams_destroy(streams);
}

/* Loads that ask L2 whatever the L1 has miss each time, bring no copy, leave the one that is there, and nobody waits
 * with them; without `polls` they are as others. */
static void polls(void **state)
{
    (void)state;
    for (unsigned ask = 0; ask < 2; ask++) {
        ws_sharing_caches caches = caches_with("lru", "lru");
        caches.latency_cycles = 10;
        caches.polls = ask;
        ws_cache_streams *const streams = open_streams(&caches);
        ws_sharing_misses m = {0};
        const bool is_poll[] = {true, true, false, true, false};
        for (size_t i = 0; i < sizeof is_poll / sizeof *is_poll; i++)
            assert_int_equal(
                ws_cache_streams_add(
                    streams, &(ws_stream_use){.block = 8, .now = 100 * i, .kind = WS_CACHE_LOAD, .poll = is_poll[i]}),
                WS_OK);
        assert_int_equal(ws_cache_streams_end(streams, &m), WS_OK);
        const double misses =
            ask ? 4 : 1; /* three polls, and the first load that is none; the last one finds what that brought */
        assert_true(m.loads == 5 && m.l1_least == misses && m.l1_replayed == misses && m.l1_form == misses);
        assert_true(m.l2_least == 1 && m.l2_replayed == 1 && m.l2_form == 1 && m.merged == 0);
        ws_cache_streams_destroy(streams);
    }
}

/* What one SM uses is not given up for what several do: blocks 0 and 4 stay in the set, 8 and 12 are asked for each
 * time. */
static void caches_that_know(void **state)
{
    (void)state;
    const ws_sharing_caches caches = caches_with("sharing-l1", "sharing-l2");
    ws_cache_streams *const streams = open_streams(&caches);
    ws_sharing_misses m = {0};
    add(streams, 1, 8, WS_CACHE_LOAD, 0);
    add(streams, 1, 12, WS_CACHE_LOAD, 0);
    for (uint64_t turn = 0; turn < 10; turn++) {
        add(streams, 0, 0, WS_CACHE_LOAD, turn);
        add(streams, 0, 4, WS_CACHE_LOAD, turn);
        add(streams, 0, 8, WS_CACHE_LOAD, turn);
        add(streams, 0, 12, WS_CACHE_LOAD, turn);
    }
    assert_int_equal(ws_cache_streams_end(streams, &m), WS_OK);
    /* Of SM 1 two. 4 misses once; each turn 8 goes past 0, which is dead when 12 comes, and comes again for 12. */
    assert_true(m.l1_replayed == 2 + 1 + 3 * 10);
    assert_true(m.l1_form == m.l1_replayed);
    assert_true(m.l2_replayed == 4 && m.l2_form == 4 && m.l2_least == 4);
    ws_cache_streams_destroy(streams);
}

/* Stacks of sets and the caches themselves, on accesses of all kinds at random: whatever knows who shares, shared
 * blocks kept or not, private ones spared or not, with blocks enough to drive one another out. */
static void stacks_are_the_caches(void **state)
{
    (void)state;
    static const struct {
        const char *l1, *l2;
        uint64_t fill, spare;
    } rows[] = {{"lru", "lru", 0, 0},
                {"lru", "sharing-l2", 0, 0},
                {"sharing-l1", "lru", 1, 1},
                {"sharing-l1", "sharing-l2", 1, 1},
                {"sharing-l1", "sharing-l2", 1, 0},
                {"sharing-l1", "sharing-l2", 1, 2},
                {"sharing-l1", "sharing-l2", 1, 255},
                {"sharing-l1", "sharing-l2", 0, 1},
                {"sharing-l1", "sharing-l2", 2, 0},
                {"sharing-l1", "sharing-l2", 2, 1},
                {"sharing-l1", "lru", 2, 3}};
    gsl_rng *const rng = random_numbers(4);
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        ws_sharing_caches caches = caches_with(rows[r].l1, rows[r].l2);
        caches.l1.ways = 4;
        const ws_given given[] = {{.name = "fill", .value = rows[r].fill}, {.name = "spare", .value = rows[r].spare}};
        if (!strcmp(rows[r].l1, "sharing-l1")) {
            caches.l1.choice.given = given;
            caches.l1.choice.count = 2;
        }
        ws_cache_streams *const streams = open_streams(&caches);
        ws_sharing_misses m = {0};
        for (int launch = 0; launch < 3; launch++) {
            for (int i = 0; i < USES; i++) {
                static const ws_cache_kind kinds[] = {WS_CACHE_LOAD, WS_CACHE_LOAD, WS_CACHE_LOAD, WS_CACHE_STORE,
                                                      WS_CACHE_ATOMIC};
                const uint32_t sm = (uint32_t)gsl_rng_uniform_int(rng, SMS);
                const bool local = !gsl_rng_uniform_int(rng, 6 + 60 * (unsigned)launch),
                           own = !gsl_rng_uniform_int(rng, 2 + 20 * (unsigned)launch);
                const uint64_t few = gsl_rng_uniform_int(rng, launch ? BLOCKS / 3 : BLOCKS),
                               block = gsl_rng_uniform_int(rng, 1 + few);
                const ws_stream_use use = {.block = local ? 100000 + 1000 * sm + block % 20
                                                    : own ? 1000 * (sm + 1) + block
                                                          : block,
                                           .sm = sm,
                                           .local = local,
                                           .kind = local ? kinds[2 + gsl_rng_uniform_int(rng, 2)]
                                                         : kinds[gsl_rng_uniform_int(rng, 5)]};
                assert_int_equal(ws_cache_streams_add(streams, &use), WS_OK);
            }
            assert_int_equal(ws_cache_streams_end(streams, &m), WS_OK);
            if (m.l1_form != m.l1_replayed || m.l2_form != m.l2_replayed)
                fail_msg("%s and %s, fill %d, spare %d: L1 %.0f and %.0f, L2 %.0f and %.0f", rows[r].l1, rows[r].l2,
                         (int)rows[r].fill, (int)rows[r].spare, m.l1_form, m.l1_replayed, m.l2_form, m.l2_replayed);
        }
        assert_true(m.l1_form > m.l1_least && m.l2_form > m.l2_least);
        ws_cache_streams_destroy(streams);
    }
    gsl_rng_free(rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_caches_in_order),
        cmocka_unit_test(by_hand),
        cmocka_unit_test(polls),
        cmocka_unit_test(caches_that_know),
        cmocka_unit_test(stacks_are_the_caches),
    };
    return cmocka_run_group_tests_name("cache_streams", tests, NULL, NULL);
}
