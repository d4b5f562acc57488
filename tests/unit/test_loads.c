/* test_loads.c - loads whose lines, feature bits and strides are worked out by hand, launches whose strides are too
 * many. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/events.h"

extern const ws_metric ws_metric_loads;
static const ws_metric *const M = &ws_metric_loads;

/* One load of a stride; the columns of it alone. */
static double *one_load(uint32_t mask, uint64_t base, int64_t stride)
{
    script *const s = script_create(1, 32);
    access_line(s, 0, 0, memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4), mask, base, stride);
    double *const v = measure(M, s);
    script_destroy(s);
    return v;
}

/* Lines of a load of words and which bin they are in; more than two lines are divergent. */
static void test_coalescing(void **unused)
{
    (void)unused;
    static const struct {
        uint32_t mask;
        uint64_t base;
        int64_t stride;
        unsigned lines, lanes;
    } cases[] = {
        {ALL_LANES, 0x10000, 4, 1, 32},  {ALL_LANES, 0x10040, 4, 2, 32},     {ALL_LANES, 0x10000, 8, 2, 32},
        {ALL_LANES, 0x10000, 12, 3, 32}, {ALL_LANES, 0x10000, 128, 32, 32},  {ALL_LANES, 0x10000, 4096, 32, 32},
        {ALL_LANES, 0x10000, 0, 1, 32},  {0x0000ffff, 0x10000, 256, 16, 16},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double *const v = one_load(cases[i].mask, cases[i].base, cases[i].stride);
        const unsigned n = cases[i].lines;
        assert_column(M, v, "loads_requests_0", n == 1);
        assert_column(M, v, "loads_requests_1", n == 2);
        assert_column(M, v, "loads_requests_2", n > 2 && n < 32);
        assert_column(M, v, "loads_requests_3", n >= 32);
        assert_column(M, v, "loads_lines_per_lane", (double)n / cases[i].lanes);
        assert_column(M, v, "loads_divergent", n > 2);
        assert_column(M, v, "loads_divergent_lines", n > 2);
        assert_column(M, v, "loads_divergent_pcs", n > 2);
        assert_column(M, v, "loads_lanes", cases[i].lanes / 32.);
        assert_column(M, v, "loads_divergent_partial", n > 2 && cases[i].lanes < 32);
        assert_column(M, v, "loads_stride_bytes", (double)cases[i].stride);
        assert_column(M, v, "loads_stride_share", 1);
        free(v);
    }
}

/* A stride of 2^s bytes from an address that 32 strides divide: bits s to s + 4 differ. A load of words that touches
 * line 1 twice and line 4 has two lines only: no feature bits are asked for. */
static void test_feature_bits(void **unused)
{
    (void)unused;
    for (unsigned s = 7; s <= 30; s++) {
        double *const v = one_load(ALL_LANES, 0, (int64_t)1 << s);
        assert_column(M, v, "loads_feature_bits", 5);
        assert_column(M, v, "loads_feature_low", s);
        assert_column(M, v, "loads_feature_high", s + 4);
        for (unsigned group = 0; group < 7; group++) {
            char name[32];
            const unsigned low = 7 + 4 * group, high = group == 6 ? 63 : low + 3;
            snprintf(name, sizeof name, "loads_feature_at_%u", group);
            assert_column(M, v, name, s <= high && s + 4 >= low);
        }
        free(v);
    }
    double *const v = one_load(0xf, 128, 96); /* lines 1, 1, 2 and 3: bits 7 and 8 */
    assert_column(M, v, "loads_feature_bits", 2);
    assert_column(M, v, "loads_feature_low", 7);
    assert_column(M, v, "loads_feature_high", 8);
    free(v);
}

/* Ten falling loads, five rising ones and five of two lanes that have no stride, a load instruction that is divergent
 * in half of its executions and one that is in more, stores. */
static void test_mixed(void **unused)
{
    (void)unused;
    script *const s = script_create(5, 64);
    const uint32_t falls = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4),
                   half = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4);
    const uint32_t store = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_STORE, 4),
                   shared = memory(s, WS_SPACE_SHARED, WS_ACCESS_LOAD, 4);
    const uint32_t atomic = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_ATOMIC, 4);
    for (unsigned block = 0; block < 5; block++) {
        access_line(s, block, 0, falls, ALL_LANES, 0x100000, -512);
        access_line(s, block, 1, falls, ALL_LANES, 0x100000, -512);
        access_line(s, block, 1, half, ALL_LANES, 0x200000, 128);
        access_line(s, block, 0, half, 3, 0x300000, 4);
        access_line(s, block, 0, store, ALL_LANES, 0x400000, 8);
        access_line(s, block, 0, shared, ALL_LANES, 0, 128);
        access_line(s, block, 0, atomic, ALL_LANES, 0, 128);
    }
    double *const v = measure(M, s);
    assert_column(M, v, "loads_divergent", 15. / 20);
    assert_column(M, v, "loads_divergent_lines", 15. * 32 / (15 * 32 + 5));
    assert_column(M, v, "loads_divergent_pcs", 1);
    assert_column(M, v, "loads_stride_bytes", 512);
    assert_column(M, v, "loads_stride_share", 10. / 15);
    assert_column(M, v, "loads_lanes", (15 * 32 + 5 * 2) / (20 * 32.));
    assert_column(M, v, "loads_divergent_partial", 0);
    assert_column(M, v, "loads_read", 20. / 25);
    assert_column(M, v, "loads_store_lines", 1000. * 10 / (5 * (32 * 6 + 2)));
    free(v);
    script_destroy(s);
}

/* Of two strides as frequent the shorter one; far more strides than are kept are sampled the same in every split. */
static void test_strides(void **unused)
{
    (void)unused;
    script *s = script_create(2, 32);
    uint32_t load = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4);
    access_line(s, 0, 0, load, ALL_LANES, 0, 640);
    access_line(s, 1, 0, load, ALL_LANES, 0, 256);
    double *v = measure(M, s);
    assert_column(M, v, "loads_stride_bytes", 256);
    assert_column(M, v, "loads_stride_share", .5);
    free(v);
    script_destroy(s);

    enum { BLOCKS = 8, STRIDES = 2048 };
    s = script_create(BLOCKS, 32);
    load = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4);
    for (unsigned block = 0; block < BLOCKS; block++)
        for (unsigned i = 0; i < STRIDES; i++)
            access_line(s, block, 0, load, 7, 0, 4 * (int64_t)(block * STRIDES + i));
    v = measure(M, s);
    assert_column(M, v, "loads_stride_share", 1. / (BLOCKS * STRIDES));
    free(v);
    script_destroy(s);
}

static void test_no_loads(void **unused)
{
    (void)unused;
    script *const s = script_create(1, 32);
    access_line(s, 0, 0, memory(s, WS_SPACE_GLOBAL, WS_ACCESS_STORE, 4), ALL_LANES, 0, 4);
    double *const v = measure(M, s);
    assert_column(M, v, "loads_read", 0);
    assert_column(M, v, "loads_divergent", 0);
    assert_column(M, v, "loads_feature_low", 0);
    free(v);
    script_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_coalescing), cmocka_unit_test(test_feature_bits), cmocka_unit_test(test_mixed),
        cmocka_unit_test(test_strides),    cmocka_unit_test(test_no_loads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
