/* test_distinct.c - distinct keys: exact up to the cap, within the stated error above it, splits do not matter. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/status.h"
#include "metrics/distinct.h"

#include <math.h>

static void add(ws_distinct *set, uint64_t first, uint64_t end, uint64_t step)
{
    for (uint64_t key = first; key < end; key++)
        assert_int_equal(ws_distinct_add(set, key * step), WS_OK);
}

static void test_exact(void **unused)
{
    (void)unused;
    ws_distinct set = {0};
    assert_true(ws_distinct_count(&set) == 0);
    add(&set, 0, 1, 1);
    assert_true(ws_distinct_count(&set) == 1);
    add(&set, 0, WS_DISTINCT_EXACT, 1);
    add(&set, 0, WS_DISTINCT_EXACT, 1);
    assert_true(ws_distinct_count(&set) == WS_DISTINCT_EXACT);
    ws_distinct_clear(&set);
    assert_true(ws_distinct_count(&set) == 0);
    add(&set, 7, 11, 128);
    assert_true(ws_distinct_count(&set) == 4);
    ws_distinct_fini(&set);
}

/* Four standard errors around the truth, for sets of many sizes and shapes. */
static void test_error_of_the_sketch(void **unused)
{
    (void)unused;
    const uint64_t sizes[] = {16385, 20000, 40000, 80000, 200000, 1000000};
    for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (uint64_t step = 1; step <= 1u << 20; step <<= 10) {
            ws_distinct set = {0};
            add(&set, 12345, 12345 + sizes[i], step);
            const double got = ws_distinct_count(&set), want = (double)sizes[i];
            assert_true(fabs(got / want - 1) < 4 * 0.0082);
            ws_distinct_fini(&set);
        }
    }
}

static void test_splits_do_not_matter(void **unused)
{
    (void)unused;
    const uint64_t sizes[] = {9000, 30000, 90000};
    for (unsigned i = 0; i < 3; i++) {
        ws_distinct whole = {0};
        add(&whole, 0, sizes[i], 32);
        for (unsigned parts = 2; parts <= 7; parts += 5) {
            ws_distinct sum = {0};
            for (unsigned p = 0; p < parts; p++) { /* overlapping pieces of unequal size */
                ws_distinct piece = {0};
                add(&piece, sizes[i] * p * p / (parts * parts) / 2, sizes[i] * (p + 1) * (p + 1) / (parts * parts), 32);
                assert_int_equal(ws_distinct_merge(&sum, &piece), WS_OK);
                ws_distinct_fini(&piece);
            }
            assert_true(ws_distinct_count(&sum) == ws_distinct_count(&whole));
            ws_distinct_fini(&sum);
        }
        ws_distinct_fini(&whole);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact),
        cmocka_unit_test(test_error_of_the_sketch),
        cmocka_unit_test(test_splits_do_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
