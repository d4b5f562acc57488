/* test_lru.c - powers of two of reuse distances against a walk down a plain list. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/status.h"
#include "metrics/lru.h"

#include <gsl/gsl_rng.h>
#include <string.h>

enum { LONGEST = 5000 };

typedef struct plain {
    uint64_t block[LONGEST];
    unsigned n;
} plain;

/* Distance of a block, or n when it is not there; moves it to the front, keeps `limit` blocks. */
static unsigned plain_use(plain *p, uint64_t block, unsigned limit, uint64_t *gone)
{
    unsigned at = 0;
    while (at < p->n && p->block[at] != block)
        at++;
    const unsigned distance = at;
    if (at == p->n) {
        if (p->n == limit)
            *gone = p->block[--at];
        else
            p->n++;
    }
    memmove(p->block + 1, p->block, at * sizeof *p->block);
    p->block[0] = block;
    return distance;
}

static unsigned region_of(unsigned distance)
{
    unsigned region = 0;
    while (distance >> region)
        region++;
    return region;
}

static void check(ws_lru *lru, plain *p, uint64_t block, unsigned limit)
{
    uint64_t gone = 0, want_gone = 0;
    unsigned region;
    const unsigned n = p->n, distance = plain_use(p, block, limit, &want_gone);
    const int left = ws_lru_use(lru, block, &region, &gone);
    assert_int_equal(region, distance == n ? (unsigned)WS_LRU_MISS : region_of(distance));
    assert_int_equal(left, distance == n && n == limit);
    assert_true(gone == want_gone);
}

static void test_random(void **unused)
{
    (void)unused;
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_taus2);
    gsl_rng_set(rng, 2);
    for (unsigned bits = 0; bits <= 12; bits += 3) {
        ws_lru lru;
        static plain p;
        ws_lru_init(&lru, bits);
        for (unsigned turn = 0; turn < 3; turn++) { /* clearing between turns */
            p.n = 0;
            ws_lru_clear(&lru);
            for (unsigned i = 0; i < 6000; i++) {
                const unsigned long range = i % 3 == 0 ? 10 : i % 3 == 1 ? 300 : 6000;
                check(&lru, &p, gsl_rng_uniform_int(rng, range) * (turn + 1), 1u << bits);
            }
        }
        ws_lru_fini(&lru);
    }
    gsl_rng_free(rng);
}

/* Cyclic use of n blocks: every distance is n - 1. */
static void test_cycle(void **unused)
{
    (void)unused;
    for (unsigned n = 1; n <= 130; n++) {
        ws_lru lru;
        ws_lru_init(&lru, 10);
        for (unsigned i = 0; i < 3 * n; i++) {
            unsigned region;
            uint64_t gone;
            assert_int_equal(ws_lru_use(&lru, i % n, &region, &gone), 0);
            assert_int_equal(region, i < n ? (unsigned)WS_LRU_MISS : region_of(n - 1));
        }
        ws_lru_fini(&lru);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_cycle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
