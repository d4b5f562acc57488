/* test_atomics.c - rates, conflicts and hot addresses of atomics counted by hand. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/events.h"

extern const ws_metric ws_metric_atomics;
static const ws_metric *const M = &ws_metric_atomics;

static void test_degrees(void **unused)
{
    (void)unused;
    script *const s = script_create(4, 32);
    const uint32_t atom = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_ATOMIC, 4);
    const uint32_t red = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_REDUCE, 4), add = arithmetic(s, 7, WS_CLASS_INTEGER);
    const uint32_t shared = memory(s, WS_SPACE_SHARED, WS_ACCESS_REDUCE, 4);
    const uint32_t load = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4);
    uint64_t mixed[WS_WARP];
    for (unsigned lane = 0; lane < WS_WARP; lane++)
        mixed[lane] = 64 + (lane < 6 ? 0 : lane % 13) * 4;
    for (unsigned block = 0; block < 4; block++) {
        access_line(s, block, 0, atom, ALL_LANES, 0x1000, 0); /* a global counter */
        access_line(s, block, 0, red, 0xffff, 0x2000, 4);     /* no conflict */
        access_at(s, block, 0, shared, ALL_LANES, mixed);     /* 13 words, 8 lanes at the first */
        access_line(s, block, 0, load, ALL_LANES, 0x1000, 0); /* no atomic */
        run(s, block, 0, add, 7, ALL_LANES);
    }
    const double threads = 32 + 16 + 32 + 32 + 7 * 32;
    double *const v = measure(M, s);
    assert_column(M, v, "atomic_global_per_kinstr", 1000 * 48 / threads);
    assert_column(M, v, "atomic_shared_per_kinstr", 1000 * 32 / threads);
    assert_column(M, v, "atomic_returning", 32. / 80);
    assert_column(M, v, "atomic_global_degree", 48. / 17);
    assert_column(M, v, "atomic_global_passes", 33. / 2);
    assert_column(M, v, "atomic_shared_degree", 32. / 13);
    assert_column(M, v, "atomic_shared_passes", 8);
    assert_column(M, v, "atomic_passes_max", 32);
    assert_column(M, v, "atomic_hottest", 4 * 32);
    assert_column(M, v, "atomic_hot_share", 32. / 48);
    assert_true(fabs(column(M, v, "atomic_shared_hot_share") - 8. / 32) < 1e-7);
    free(v);
    script_destroy(s);
}

/* Shared memory starts anew with each block: the hot word of a block, not of the launch. */
static void test_shared_is_per_block(void **unused)
{
    (void)unused;
    script *const s = script_create(6, 32);
    const uint32_t shared = memory(s, WS_SPACE_SHARED, WS_ACCESS_ATOMIC, 4);
    for (unsigned block = 0; block < 6; block += 2) /* every other block has none */
        for (unsigned i = 0; i <= block; i++)
            access_line(s, block, 0, shared, 1, 4 * i, 0); /* 1, 3, 5 words once each */
    double *const v = measure(M, s);
    assert_true(fabs(column(M, v, "atomic_shared_hot_share") - (1 + 1. / 3 + 1. / 5) / 3) < 1e-7);
    assert_column(M, v, "atomic_shared_degree", 1);
    assert_column(M, v, "atomic_hottest", 0);
    free(v);
    script_destroy(s);
}

/* 10^5 addresses once each and one of them 1000 times more: within the stated error. */
static void test_sketch(void **unused)
{
    (void)unused;
    enum { ADDRESSES = 100000, HOT = 1000 };
    script *const s = script_create(4, 32);
    const uint32_t red = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_REDUCE, 4);
    for (unsigned i = 0; i < ADDRESSES / 32; i++)
        access_line(s, i % 4, 0, red, ALL_LANES, 0x100000 + i * 128, 4);
    for (unsigned i = 0; i < HOT; i++)
        access_line(s, 3, 0, red, 1, 0x100000, 0);
    const double all = ADDRESSES + HOT;
    double *const v = measure(M, s);
    const double hot = column(M, v, "atomic_hottest");
    assert_true(hot >= HOT + 1 && hot <= HOT + 1 + all * 2 / 16384);
    assert_column(M, v, "atomic_hot_share", hot / all);
    free(v);
    script_destroy(s);
}

/* A histogram with equally full bins: exact, no matter how many share a counter of a sketch. */
static void test_equal_bins(void **unused)
{
    (void)unused;
    enum { BINS = 8192, TURNS = 2 };
    script *const s = script_create(4, 32);
    const uint32_t red = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_REDUCE, 4);
    for (unsigned block = 0; block < 4; block++)
        for (unsigned i = 0; i < BINS / 32 * TURNS; i++)
            access_line(s, block, 0, red, ALL_LANES, 0x100000 + i % (BINS / 32) * 128, 4);
    double *const v = measure(M, s);
    assert_column(M, v, "atomic_hottest", 4 * TURNS);
    assert_column(M, v, "atomic_hot_share", 1. / BINS);
    free(v);
    script_destroy(s);
}

static void test_none(void **unused)
{
    (void)unused;
    script *const s = script_create(2, 32);
    double *const v = measure(M, s);
    assert_column(M, v, "atomic_hot_share", 0);
    assert_column(M, v, "atomic_global_degree", 0);
    free(v);
    script_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_degrees),    cmocka_unit_test(test_shared_is_per_block),
        cmocka_unit_test(test_equal_bins), cmocka_unit_test(test_sketch),
        cmocka_unit_test(test_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
