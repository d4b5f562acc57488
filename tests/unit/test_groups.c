/* test_groups.c - work of groups of thread blocks, worked out by hand. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/events.h"

extern const ws_metric ws_metric_groups;
static const ws_metric *const M = &ws_metric_groups;

/* 20 thread blocks in rows of 5, thread block n with n + 1 instructions, all of one row 10 more. */
static void groups_of_three_sizes(void **unused)
{
    (void)unused;
    script *const s = script_create(20, 32);
    s->launch.grid[0] = 5;
    s->launch.grid[1] = 4;
    const uint32_t add = arithmetic(s, 1, WS_CLASS_INTEGER);
    double total = 0;
    for (unsigned b = 0; b < 20; b++) {
        const unsigned n = b + 1 + (b / 5 == 1 ? 10 : 0);
        run(s, b, 0, add, n, ALL_LANES);
        total += n;
    }
    double *const v = measure(M, s);
    assert_column(M, v, "groups_block_min", 1);
    assert_column(M, v, "groups_block_max", 20);
    assert_column(M, v, "groups_block_mean", total / 20);
    /* By 8: 1 .. 8 and 3 of 10 more = 66; 9 .. 16 and 20 = 120; 17 .. 20 = 74. By 16: 186, 74. By row: 15, 90, 65, 90.
     */
    const double one = 1 / (double)(1 << 24);
    assert_true(fabs(column(M, v, "groups_peak_0") - 120 * 3 / total) < one);
    assert_true(fabs(column(M, v, "groups_peak_1") - 186 * 2 / total) < one);
    assert_true(fabs(column(M, v, "groups_peak_2") - 90 * 4 / total) < one);
    free(v);
    script_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_of_three_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
