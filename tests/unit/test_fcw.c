/* test_fcw.c - how many warps a cache keeps whole, step by step. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "model/fcw.h"

static const ws_fcw_rule rule = {.most_count = 256, .first = 4, .least = 1, .most = 48};

static uint32_t steps_to_change(ws_fcw *fcw, uint32_t rank, bool whole)
{
    const uint32_t before = ws_fcw_warps(fcw, &rule);
    for (uint32_t step = 1; step < 100000; step++) {
        ws_fcw_learn(fcw, &rule, rank, whole);
        if (ws_fcw_warps(fcw, &rule) != before)
            return step;
    }
    return 0;
}

static void each_end_of_the_counter_moves_one_warp(void **state)
{
    (void)state;
    ws_fcw fcw = {0};
    assert_int_equal(ws_fcw_warps(&fcw, &rule), 4);
    assert_int_equal(ws_fcw_count(&fcw, &rule), 128);
    assert_int_equal(steps_to_change(&fcw, 0, true), 128);
    assert_int_equal(ws_fcw_warps(&fcw, &rule), 5);
    assert_int_equal(ws_fcw_count(&fcw, &rule), 128);
    assert_int_equal(steps_to_change(&fcw, 0, false), 26); /* 5 each */
    assert_int_equal(ws_fcw_warps(&fcw, &rule), 4);
    assert_int_equal(ws_fcw_count(&fcw, &rule), 128);
}

static void older_warps_count_for_more(void **state)
{
    (void)state;
    static const struct {
        uint32_t rank, steps;
    } row[] = {{0, 32}, {2, 64}, {3, 128}, {4, 128}, {47, 128}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        ws_fcw fcw = {0};
        assert_int_equal(steps_to_change(&fcw, row[i].rank, false), row[i].steps);
        assert_int_equal(ws_fcw_warps(&fcw, &rule), 3);
    }
}

static void it_stays_between_its_ends(void **state)
{
    (void)state;
    ws_fcw up = {0}, down = {0};
    for (int i = 0; i < 20000; i++) {
        ws_fcw_learn(&up, &rule, 0, true);
        ws_fcw_learn(&down, &rule, 0, false);
        assert_in_range(ws_fcw_warps(&up, &rule), 4, rule.most);
        assert_in_range(ws_fcw_count(&up, &rule), 128, rule.most_count);
        assert_in_range(ws_fcw_warps(&down, &rule), rule.least, 4);
        assert_in_range(ws_fcw_count(&down, &rule), 1, 128);
    }
    assert_int_equal(ws_fcw_warps(&up, &rule), rule.most);
    assert_int_equal(ws_fcw_warps(&down, &rule), rule.least);
}

static void warps_fill_ways(void **state)
{
    (void)state;
    assert_int_equal(ws_fcw_ways(4, 32, 32, 8), 4); /* ways 0 to 3 */
    assert_int_equal(ws_fcw_ways(2, 32, 32, 8), 2);
    assert_int_equal(ws_fcw_ways(48, 32, 32, 8), 8);
    assert_int_equal(ws_fcw_ways(3, 32, 64, 8), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_end_of_the_counter_moves_one_warp),
        cmocka_unit_test(older_warps_count_for_more),
        cmocka_unit_test(it_stays_between_its_ends),
        cmocka_unit_test(warps_fill_ways),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
