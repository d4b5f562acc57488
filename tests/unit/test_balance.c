/* test_balance.c - shares of work that were given out by hand. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/events.h"

extern const ws_metric ws_metric_balance;
static const ws_metric *const M = &ws_metric_balance;

#define assert_near(metric, value, name, want) assert_true(fabs(column(metric, value, name) - (want)) < 1e-7)

static void test_even(void **unused)
{
    (void)unused;
    script *const s = script_create(8, 96);
    const uint32_t pc = arithmetic(s, 10, WS_CLASS_FLOAT), load = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4);
    for (unsigned block = 0; block < 8; block++)
        for (unsigned warp = 0; warp < 3; warp++) {
            run(s, block, warp, pc, 10, ALL_LANES);
            access_line(s, block, warp, load, ALL_LANES, 4096, 4);
        }
    double *const v = measure(M, s);
    assert_column(M, v, "balance_thread_min", 11);
    assert_column(M, v, "balance_thread_mean", 11);
    assert_column(M, v, "balance_thread_max", 11);
    assert_column(M, v, "balance_thread_cv", 0);
    assert_column(M, v, "balance_thread_peak", 1);
    assert_column(M, v, "balance_warp_cv", 0);
    assert_column(M, v, "balance_block_cv", 0);
    free(v);
    script_destroy(s);
}

/* Lane i of the first warp runs i + 1 instructions, the second warp has 8 threads with 4 each. */
static void test_uneven(void **unused)
{
    (void)unused;
    script *const s = script_create(3, 40);
    const uint32_t pc = arithmetic(s, 4, WS_CLASS_FLOAT);
    for (unsigned block = 0; block < 3; block++) {
        for (unsigned i = 0; i < 32; i++)
            run(s, block, 0, pc, 1, ALL_LANES << i);
        run(s, block, 1, pc, 4, 0xff);
    }
    double sum = 8 * 4, squares = 8 * 16;
    for (unsigned i = 1; i <= 32; i++) {
        sum += i;
        squares += i * i;
    }
    const double mean = sum / 40;
    double *const v = measure(M, s);
    assert_column(M, v, "balance_thread_min", 1);
    assert_column(M, v, "balance_thread_mean", mean);
    assert_column(M, v, "balance_thread_max", 32);
    assert_near(M, v, "balance_thread_cv", sqrt(squares / 40 - mean * mean) / mean);
    assert_near(M, v, "balance_thread_peak", 32 / mean);
    assert_near(M, v, "balance_warp_cv", 14. / 18);
    assert_column(M, v, "balance_block_cv", 0);
    free(v);
    script_destroy(s);
}

static void test_blocks(void **unused)
{
    (void)unused;
    script *const s = script_create(4, 32); /* 10, 20, 30, 40 instructions; a guard keeps lanes off */
    const uint32_t pc = arithmetic(s, 1, WS_CLASS_FLOAT);
    for (unsigned block = 0; block < 4; block++)
        for (unsigned i = 0; i <= block; i++) {
            run(s, block, 0, pc, 10, ALL_LANES);
            event(s, block, (ws_event){.pc = pc, .count = 1, .active = ALL_LANES, .exec = 0});
        }
    double *const v = measure(M, s);
    assert_column(M, v, "balance_thread_mean", 25);
    assert_column(M, v, "balance_block_cv", sqrt(125) / 25);
    assert_column(M, v, "balance_thread_cv", 0);
    free(v);
    script_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_even),
        cmocka_unit_test(test_uneven),
        cmocka_unit_test(test_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
