/* test_footprint.c - distinct blocks of patterns with closed forms. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/events.h"

extern const ws_metric ws_metric_footprint;
static const ws_metric *const M = &ws_metric_footprint;

/* c[i] = a[i] + b[i] on `blocks` blocks of 256 threads; returns the columns. */
static double *vector_add(unsigned blocks)
{
    script *const s = script_create(blocks, 256);
    const uint32_t load = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4);
    const uint32_t store = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_STORE, 4), add = arithmetic(s, 7, WS_CLASS_FLOAT);
    for (unsigned block = 0; block < blocks; block++)
        for (unsigned warp = 0; warp < 8; warp++) {
            const uint64_t at = 4ull * 32 * (block * 8 + warp);
            access_line(s, block, warp, load, ALL_LANES, 0x10000000 + at, 4);
            access_line(s, block, warp, load, ALL_LANES, 0x20000000 + at, 4);
            run(s, block, warp, add, 7, ALL_LANES);
            access_line(s, block, warp, store, ALL_LANES, 0x30000000 + at, 4);
        }
    double *const v = measure(M, s);
    script_destroy(s);
    return v;
}

static void test_vector_add(void **unused)
{
    (void)unused;
    double *const v = vector_add(16); /* 4096 elements, 16 KiB an array */
    assert_column(M, v, "footprint_sectors", 3 * 512);
    assert_column(M, v, "footprint_lines", 3 * 128);
    assert_column(M, v, "footprint_pages", 3 * 4);
    assert_column(M, v, "footprint_bytes_per_thread", 12);
    assert_column(M, v, "footprint_bytes_per_kinstr", 1200);
    assert_column(M, v, "footprint_uses", 1);
    assert_column(M, v, "footprint_line_fill", 1);
    assert_column(M, v, "footprint_page_fill", 1);
    assert_column(M, v, "footprint_read", 2. / 3);
    assert_column(M, v, "footprint_written", 1. / 3);
    free(v);
}

static void test_vector_add_with_sketch(void **unused)
{
    (void)unused;
    double *const v = vector_add(256); /* 24576 sectors: over the exact range */
    assert_true(fabs(column(M, v, "footprint_sectors") / (3 * 8192) - 1) < 4 * .0082);
    assert_column(M, v, "footprint_lines", 3 * 2048);
    assert_true(fabs(column(M, v, "footprint_bytes_per_thread") / 12 - 1) < 4 * .0082);
    free(v);
}

static void test_strided(void **unused)
{
    (void)unused;
    script *const s = script_create(3, 32); /* all blocks update the same 32 words, 256 bytes apart */
    const uint32_t atomic = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_ATOMIC, 4);
    const uint32_t local = memory(s, WS_SPACE_LOCAL, WS_ACCESS_LOAD, 4);
    for (unsigned block = 0; block < 3; block++) {
        access_line(s, block, 0, atomic, ALL_LANES, 0x10000, 256);
        access_line(s, block, 0, local, ALL_LANES, 0, 0);
    }
    double *const v = measure(M, s);
    assert_column(M, v, "footprint_sectors", 32);
    assert_column(M, v, "footprint_lines", 32);
    assert_column(M, v, "footprint_pages", 2);
    assert_column(M, v, "footprint_uses", 3 * 32 * 4 / 1024.);
    assert_column(M, v, "footprint_line_fill", .25);
    assert_column(M, v, "footprint_page_fill", 1024 / 8192.);
    assert_column(M, v, "footprint_read", 1);
    assert_column(M, v, "footprint_written", 1);
    free(v);
    script_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vector_add),
        cmocka_unit_test(test_vector_add_with_sketch),
        cmocka_unit_test(test_strided),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
