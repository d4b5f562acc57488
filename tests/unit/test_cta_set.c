/* Sets of CTAs against an array of flags. */
#include "base/status.h"
#include "model/placement/cta_set.h"

#include <gsl/gsl_rng.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { BLOCKS = 500 };

static void hold_against(const ws_cta_set *set, const bool *there)
{
    uint64_t next = WS_NO_CTA, left = 0;
    for (unsigned cta = BLOCKS; cta--;) {
        if (there[cta])
            next = cta;
        left += there[cta];
        assert_int_equal(ws_cta_set_has(set, cta), there[cta]);
        assert_true(ws_cta_set_next(set, cta) == next);
    }
    assert_int_equal(set->left, left);
    assert_true(ws_cta_set_next(set, BLOCKS) == WS_NO_CTA);
}

static void pass_on(ws_cta_set *set, ws_cta_set *copy, uint64_t ctas, int expected)
{
    ws_bytes bytes = {0};
    ws_cta_set_save(set, &bytes);
    ws_reader reader = ws_reader_of(&bytes);
    assert_int_equal(ws_cta_set_load(copy, ctas, &reader), expected);
    assert_true(expected || reader.next == reader.end);
    ws_bytes_fini(&bytes);
}

static void any_order(void **state)
{
    (void)state;
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    ws_cta_set set = {0}, copy = {0};
    for (unsigned turn = 0; turn < 8; turn++) {
        bool there[BLOCKS];
        memset(there, true, sizeof there);
        assert_int_equal(ws_cta_set_fill(&set, BLOCKS), WS_OK);
        for (unsigned taken = 0; taken < BLOCKS; taken++) {
            /* The first, the last, or any that is left. */
            uint64_t cta = turn % 3 == 0 ? 0 : ws_cta_set_next(&set, gsl_rng_uniform_int(rng, BLOCKS));
            if (turn % 3 == 0 || cta == WS_NO_CTA)
                cta = ws_cta_set_next(&set, 0);
            assert_int_equal(ws_cta_set_take(&set, cta), WS_OK);
            there[cta] = false;
            if (taken % 16)
                continue;
            hold_against(&set, there);
            pass_on(&set, &copy, BLOCKS, WS_OK);
            hold_against(&copy, there);
        }
        assert_int_equal(set.left, 0);
        assert_int_equal(set.count, 0);
    }
    gsl_rng_free(rng);
    ws_cta_set_fini(&set);
    ws_cta_set_fini(&copy);
}

/* The largest grid there is takes the room of what is between its gaps. */
static void the_largest_grid(void **state)
{
    (void)state;
    const uint64_t ctas = UINT64_C(0x7fffffff) * 65535 * 65535;
    ws_cta_set set = {0};
    assert_int_equal(ws_cta_set_fill(&set, ctas), WS_OK);
    for (uint64_t i = 0; i < 1000; i++)
        assert_int_equal(ws_cta_set_take(&set, i), WS_OK);
    assert_int_equal(set.count, 1);
    for (uint64_t i = 1; i <= 1000; i++)
        assert_int_equal(ws_cta_set_take(&set, i * 0x7fffffff), WS_OK);
    assert_int_equal(set.count, 1001);
    assert_true(set.room < 4096);
    assert_true(ws_cta_set_next(&set, 999) == 1000);
    assert_true(ws_cta_set_next(&set, 0x7fffffff) == UINT64_C(0x80000000));
    assert_true(set.left == ctas - 2000);
    ws_cta_set_fini(&set);
}

static void damaged(void **state)
{
    (void)state;
    ws_cta_set set = {0}, copy = {0};
    assert_int_equal(ws_cta_set_fill(&set, 100), WS_OK);
    assert_int_equal(ws_cta_set_take(&set, 50), WS_OK);
    pass_on(&set, &copy, 100, WS_OK);
    pass_on(&set, &copy, 99, WS_EINPUT); /* of a larger grid */
    pass_on(&set, &copy, 40, WS_EINPUT);
    const uint8_t text[] = {2, 0, 50, 1};
    for (size_t length = 0; length <= sizeof text; length++) {
        ws_reader reader = {.next = text, .end = text + length};
        assert_int_equal(ws_cta_set_load(&copy, 100, &reader), WS_EINPUT);
    }
    ws_cta_set_fini(&set);
    ws_cta_set_fini(&copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_order),
        cmocka_unit_test(the_largest_grid),
        cmocka_unit_test(damaged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
