/* test_barrier.c - gaps between barriers that were laid out by hand. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/events.h"

extern const ws_metric ws_metric_barrier;
static const ws_metric *const M = &ws_metric_barrier;

/* Shape of a tiled matrix product: 10 before, then 3 times (barrier, 20), then the end right behind a barrier. */
static void test_tiles(void **unused)
{
    (void)unused;
    script *const s = script_create(6, 64);
    const uint32_t pc = arithmetic(s, 30, WS_CLASS_FLOAT), bar = instr(s, (ws_instr){.cls = WS_CLASS_BARRIER});
    for (unsigned block = 0; block < 6; block++) {
        for (unsigned warp = 0; warp < 2; warp++)
            run(s, block, warp, pc, 10, ALL_LANES);
        for (unsigned tile = 0; tile < 3; tile++) {
            for (unsigned warp = 0; warp < 2; warp++)
                barrier(s, block, warp, bar);
            for (unsigned warp = 0; warp < 2; warp++)
                run(s, block, warp, pc, 20, ALL_LANES);
        }
        barrier(s, block, 0, bar);
        barrier(s, block, 1, bar);
    }
    double *const v = measure(M, s);
    assert_column(M, v, "barrier_per_kinstr", 4000. / 74);
    assert_column(M, v, "barrier_gap_min", 10);
    assert_column(M, v, "barrier_gap_max", 20);
    assert_column(M, v, "barrier_gap_mean", 70. / 4);
    assert_column(M, v, "barrier_gap_1", .25);
    assert_column(M, v, "barrier_gap_2", .75);
    free(v);
    script_destroy(s);
}

static void test_bins_and_adjacent_barriers(void **unused)
{
    (void)unused;
    const unsigned length[] = {0, 3, 4, 15, 16, 63, 64, 255, 256, 1023, 1024, 4095, 4096, 16383, 16384, 65535};
    script *const s = script_create(1, 32);
    const uint32_t pc = arithmetic(s, 1, WS_CLASS_FLOAT), bar = instr(s, (ws_instr){.cls = WS_CLASS_BARRIER});
    for (unsigned i = 0; i < 16; i++) {
        if (length[i])
            run(s, 0, 0, pc, length[i], ALL_LANES);
        barrier(s, 0, 0, bar);
    }
    double *const v = measure(M, s);
    assert_column(M, v, "barrier_gap_min", 0);
    assert_column(M, v, "barrier_gap_max", 65535);
    for (unsigned bin = 0; bin < 8; bin++) {
        char name[32];
        snprintf(name, sizeof name, "barrier_gap_%u", bin);
        assert_column(M, v, name, 2. / 16);
    }
    free(v);
    script_destroy(s);
}

static void test_without_barriers(void **unused)
{
    (void)unused;
    script *const s = script_create(2, 32);
    const uint32_t pc = arithmetic(s, 9, WS_CLASS_FLOAT);
    run(s, 0, 0, pc, 9, ALL_LANES);
    run(s, 1, 0, pc, 3, 1);
    double *const v = measure(M, s);
    assert_column(M, v, "barrier_per_kinstr", 0);
    assert_column(M, v, "barrier_gap_mean", 6);
    free(v);
    script_destroy(s);
}

/* Launches combined: the minimum skips launches that ran nothing. */
static void test_combined_minimum(void **unused)
{
    (void)unused;
    script *const empty = script_create(1, 32), *const full = script_create(1, 32);
    run(full, 0, 0, arithmetic(full, 5, WS_CLASS_FLOAT), 5, ALL_LANES);
    double *const a = count_script(M, empty), *const b = count_script(M, full);
    double value[16];
    M->emit(a, value);
    assert_column(M, value, "barrier_gap_min", 0);
    ws_metric_combine(M, a, b);
    M->emit(a, value);
    assert_column(M, value, "barrier_gap_min", 5);
    free(a);
    free(b);
    script_destroy(empty);
    script_destroy(full);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tiles),
        cmocka_unit_test(test_bins_and_adjacent_barriers),
        cmocka_unit_test(test_without_barriers),
        cmocka_unit_test(test_combined_minimum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
