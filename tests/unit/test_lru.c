/* test_lru.c - stack distances against a plain list, and against LRU sets of all sizes where lines leave holes. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/lru.h"
#include "base/status.h"

#include <gsl/gsl_rng.h>
#include <string.h>

enum { LONGEST = 5000, NEVER_FULL = 1 << 20 };

/* Most recent first. */
typedef struct plain {
    uint64_t line[LONGEST];
    unsigned n;
} plain;

static unsigned plain_find(const plain *p, uint64_t line)
{
    unsigned at = 0;
    while (at < p->n && p->line[at] != line)
        at++;
    return at;
}

/* The distance of a line, or WS_LRU_FAR; moves it to the front, and keeps `limit` lines. */
static uint64_t plain_use(plain *p, uint64_t line, unsigned limit, uint64_t *gone)
{
    unsigned at = plain_find(p, line);
    const uint64_t distance = at < p->n ? at : WS_LRU_FAR;
    *gone = WS_LRU_HOLE;
    if (at == p->n && p->n == limit)
        *gone = p->line[--at];
    else if (at == p->n)
        p->n++;
    memmove(p->line + 1, p->line, at * sizeof *p->line);
    p->line[0] = line;
    return distance;
}

static void plain_remove(plain *p, uint64_t line)
{
    const unsigned at = plain_find(p, line);
    if (at < p->n)
        memmove(p->line + at, p->line + at + 1, (--p->n - at) * sizeof *p->line);
}

static void check_use(ws_lru *lru, plain *p, uint64_t line, unsigned limit)
{
    uint64_t distance, gone;
    assert_true(ws_lru_distance(lru, ws_lru_find(lru, line)) ==
                (plain_find(p, line) < p->n ? plain_find(p, line) : WS_LRU_FAR));
    const uint64_t want = plain_use(p, line, limit, &gone);
    assert_int_equal(ws_lru_use(lru, line, &distance), WS_OK);
    assert_true(distance == want && lru->gone == gone);
    assert_true(lru->at[ws_lru_first(lru)].line == line);
    assert_int_equal(lru->lines, p->n);
}

/* The whole list, from its end. */
static void check_order(const ws_lru *lru, const plain *p)
{
    unsigned left = p->n;
    for (uint32_t time = 0; ws_lru_next(lru, &time); time++) {
        assert_true(lru->at[lru->user[time]].line == p->line[--left]);
        assert_int_equal(ws_lru_since(lru, time), left);
    }
    assert_int_equal(left, 0);
}

/* A third of the uses near, a third farther, a third far. */
static uint64_t some_line(gsl_rng *rng, unsigned i)
{
    return gsl_rng_uniform_int(rng, i % 3 == 0 ? 10 : i % 3 == 1 ? 300 : 6000) << i % 2 * 40;
}

static void test_random(void **unused)
{
    (void)unused;
    static const unsigned limits[] = {1, 2, 8, 24, 64, 512, 4096, NEVER_FULL};
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_taus2);
    gsl_rng_set(rng, 2);
    for (size_t k = 0; k < sizeof limits / sizeof *limits; k++) {
        ws_lru lru;
        static plain p;
        ws_lru_init(&lru, limits[k]);
        for (unsigned turn = 0; turn < 3; turn++) { /* clearing between turns, removing in the last one */
            p.n = 0;
            ws_lru_clear(&lru);
            for (unsigned i = 0; i < 6000 && p.n < LONGEST; i++) {
                const uint64_t line = some_line(rng, i);
                check_use(&lru, &p, line, limits[k]);
                const uint64_t other = some_line(rng, i / 5);
                const uint32_t place = ws_lru_find(&lru, other);
                if (turn == 2 && i % 5 == 0 && place != WS_LRU_NONE) {
                    ws_lru_remove(&lru, place);
                    plain_remove(&p, other);
                    assert_int_equal(ws_lru_find(&lru, other), WS_LRU_NONE);
                }
                if (i % 100 == 0)
                    check_order(&lru, &p);
            }
        }
        ws_lru_fini(&lru);
        ws_lru_fini(&lru);
    }
    gsl_rng_free(rng);
}

/* Cyclic use of n lines: every distance is n - 1. */
static void test_cycle(void **unused)
{
    (void)unused;
    for (unsigned n = 1; n <= 130; n++) {
        ws_lru lru;
        ws_lru_init(&lru, 1024);
        for (unsigned i = 0; i < 3 * n; i++) {
            uint64_t distance;
            assert_int_equal(ws_lru_use(&lru, i % n, &distance), WS_OK);
            assert_true(distance == (i < n ? WS_LRU_FAR : n - 1));
        }
        ws_lru_fini(&lru);
    }
}

/* Times stay while there is room for more uses. */
static void test_reserved(void **unused)
{
    (void)unused;
    enum { USES = 1000 };
    ws_lru lru;
    uint64_t distance;
    ws_lru_init(&lru, USES);
    assert_int_equal(ws_lru_reserve(&lru, 0, USES), WS_OK);
    for (unsigned i = 0; i < USES; i++) {
        assert_int_equal(ws_lru_use(&lru, i % 7, &distance), WS_OK);
        assert_int_equal(lru.at[ws_lru_find(&lru, i % 7)].time, i);
        assert_int_equal(lru.now, i + 1);
        if (i >= 20) { /* whether its line was used again or not */
            assert_int_equal(ws_lru_since(&lru, i - 20), 7);
            assert_int_equal(ws_lru_since(&lru, i - 3), 3);
        }
    }
    ws_lru_fini(&lru);
}

/* ------------------------------------------------------------------------------------------------ holes */

enum { WAYS = 32, STEPS = 4000 };

/* An LRU set of so many ways. */
typedef struct lru_set {
    struct {
        uint64_t line, used;
        bool there;
    } way[WAYS];
    unsigned ways;
} lru_set;

static bool use_set(lru_set *c, uint64_t line, uint64_t now)
{
    unsigned at = 0;
    for (unsigned i = 0; i < c->ways; i++) {
        if (c->way[i].there && c->way[i].line == line) {
            c->way[i].used = now;
            return true;
        }
        if (c->way[at].there && (!c->way[i].there || c->way[i].used < c->way[at].used))
            at = i;
    }
    c->way[at].line = line;
    c->way[at].used = now;
    c->way[at].there = true;
    return false;
}

static void drop_from_set(lru_set *c, uint64_t line)
{
    for (unsigned i = 0; i < c->ways; i++)
        c->way[i].there &= c->way[i].line != line;
}

static void use_at(ws_lru *s, uint64_t line, uint64_t depth)
{
    uint64_t distance;
    assert_int_equal(ws_lru_use(s, line, &distance), WS_OK);
    assert_true(distance == depth);
}

/* 3 2 1; 2 is dropped; 1 is used and leaves its hole; what is new fills that. */
static void test_holes(void **unused)
{
    (void)unused;
    ws_lru s;
    ws_lru_init(&s, WAYS);
    for (uint64_t line = 1; line <= 3; line++)
        use_at(&s, line, WS_LRU_FAR);
    ws_lru_drop(&s, ws_lru_find(&s, 2));
    use_at(&s, 3, 0);
    use_at(&s, 1, 2); /* a set of two ways evicted it, and has room for it */
    use_at(&s, 3, 1);
    use_at(&s, 4, WS_LRU_FAR);
    use_at(&s, 1, 2);
    use_at(&s, 3, 2);
    use_at(&s, 2, WS_LRU_FAR);
    use_at(&s, 4, 3);
    ws_lru_fini(&s);
}

/* Sets of all ways at once; and what is kept at the place of a line is found there as long as the line is in the stack.
 */
static void test_all_sets(void **unused)
{
    (void)unused;
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (unsigned seed = 1; seed <= 24; seed++) {
        static lru_set set[WAYS + 1];
        ws_lru s;
        uint64_t kept[WAYS], distance;
        const unsigned long lines = 4 + 8 * (seed % 6), drops = 1 + 12 * (seed % 5);
        gsl_rng_set(rng, seed);
        memset(set, 0, sizeof set);
        for (unsigned i = 1; i <= WAYS; i++)
            set[i].ways = i;
        ws_lru_init(&s, WAYS);
        assert_int_equal(ws_lru_reserve(&s, WAYS, 0), WS_OK);
        for (uint64_t now = 1; now <= STEPS; now++) {
            const uint64_t line = gsl_rng_uniform_int(rng, lines);
            const uint32_t place = ws_lru_find(&s, line), room = s.room;
            if (place != WS_LRU_NONE)
                assert_int_equal(kept[place], line);
            if (place != WS_LRU_NONE && gsl_rng_uniform_int(rng, 100) < drops) {
                ws_lru_drop(&s, place);
                assert_int_equal(ws_lru_find(&s, line), WS_LRU_NONE);
                for (unsigned i = 1; i <= WAYS; i++)
                    drop_from_set(&set[i], line);
                continue;
            }
            assert_int_equal(ws_lru_use(&s, line, &distance), WS_OK);
            assert_int_equal(s.room, room);
            assert_in_range(ws_lru_first(&s), 0, s.lines - 1);
            assert_in_range(s.lines, 1, WAYS);
            kept[ws_lru_first(&s)] = line;
            for (unsigned i = 1; i <= WAYS; i++)
                assert_int_equal(use_set(&set[i], line, now), distance < i);
        }
        ws_lru_fini(&s);
    }
    gsl_rng_free(rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random), cmocka_unit_test(test_cycle),    cmocka_unit_test(test_reserved),
        cmocka_unit_test(test_holes),  cmocka_unit_test(test_all_sets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
