/* test_reuse.c - reuse distances of access patterns with closed forms. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/events.h"

extern const ws_metric ws_metric_reuse;
static const ws_metric *const M = &ws_metric_reuse;

/* Each warp goes three times over 16 lines of its own; warps take turns. */
static void test_loops(void **unused)
{
    (void)unused;
    enum { WARPS = 4, LINES = 16, TURNS = 3 };
    script *const s = script_create(5, WARPS * 32);
    const uint32_t load = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4);
    for (unsigned block = 0; block < 5; block++)
        for (unsigned turn = 0; turn < TURNS; turn++)
            for (unsigned line = 0; line < LINES; line++)
                for (unsigned warp = 0; warp < WARPS; warp++)
                    access_line(s, block, warp, load, ALL_LANES, 0x10000 + warp * 4096 + line * 128, 4);
    double *const v = measure(M, s);
    assert_column(M, v, "reuse_warp_128_4", 2. / 3); /* 15 others */
    assert_column(M, v, "reuse_warp_128_first", 1. / 3);
    assert_column(M, v, "reuse_warp_32_6", 2. / 3);     /* 63 others */
    assert_column(M, v, "reuse_cta_128_6", 2. / 3);     /* 16 * 4 - 1 = 63 */
    assert_column(M, v, "reuse_cta_128_first", 1. / 3); /* no reuse over thread blocks */
    assert_column(M, v, "reuse_cta_32_8", 2. / 3);      /* 255 */
    free(v);
    script_destroy(s);
}

/* All warps read the same line in turn: far apart for a warp by nothing, next to each other for the block. */
static void test_shared_line(void **unused)
{
    (void)unused;
    script *const s = script_create(2, 128);
    const uint32_t load = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4);
    const uint32_t store = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_STORE, 4);
    const uint32_t other = memory(s, WS_SPACE_SHARED, WS_ACCESS_STORE, 4);
    for (unsigned block = 0; block < 2; block++)
        for (unsigned warp = 0; warp < 4; warp++) {
            access_line(s, block, warp, load, 0x1, 0x10000, 4);
            access_line(s, block, warp, other, 0x1, 0, 4); /* not global: not seen */
            access_line(s, block, warp, store, 0x1, 0x10000, 4);
        }
    double *const v = measure(M, s);
    assert_column(M, v, "reuse_warp_128_0", 1. / 2);
    assert_column(M, v, "reuse_warp_128_first", 1. / 2);
    assert_column(M, v, "reuse_cta_128_0", 7. / 8);
    assert_column(M, v, "reuse_cta_128_first", 1. / 8);
    free(v);
    script_destroy(s);
}

/* Twice over more lines than a warp's stack holds: every second use is far; exact while below 16384 blocks. */
static void test_far(void **unused)
{
    (void)unused;
    enum { LINES = 5000 };
    script *const s = script_create(2, 32);
    const uint32_t load = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4);
    for (unsigned block = 0; block < 2; block++)
        for (unsigned i = 0; i < 2 * LINES; i++)
            access_line(s, block, 0, load, 1, 0x10000 + i % LINES * 128, 0);
    double *const v = measure(M, s);
    assert_column(M, v, "reuse_warp_128_far", .5);
    assert_column(M, v, "reuse_warp_128_first", .5);
    assert_column(M, v, "reuse_warp_32_far", .5);
    assert_column(M, v, "reuse_cta_128_13", .5); /* 4096 .. 8191 */
    assert_column(M, v, "reuse_cta_128_first", .5);
    free(v);
    script_destroy(s);
}

/* More lines than anybody counts exactly: within the stated error. */
static void test_far_with_sketch(void **unused)
{
    (void)unused;
    enum { LINES = 40000 };
    script *const s = script_create(1, 32);
    const uint32_t load = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4);
    for (unsigned i = 0; i < 2 * LINES / 32; i++)
        access_line(s, 0, 0, load, ALL_LANES, 0x10000 + (uint64_t)(i * 32 % LINES) * 128, 128);
    double *const v = measure(M, s);
    assert_true(fabs(column(M, v, "reuse_cta_128_first") - .5) < .5 * 4 * .0082);
    assert_true(fabs(column(M, v, "reuse_cta_128_far") - .5) < .5 * 4 * .0082);
    free(v);
    script_destroy(s);
}

static void test_no_accesses(void **unused)
{
    (void)unused;
    script *const s = script_create(3, 64);
    double *const v = measure(M, s);
    assert_column(M, v, "reuse_cta_32_first", 0);
    free(v);
    script_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loops),           cmocka_unit_test(test_shared_line), cmocka_unit_test(test_far),
        cmocka_unit_test(test_far_with_sketch), cmocka_unit_test(test_no_accesses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
