/* test_coalescing.c - transactions, strides and bank passes of accesses with closed forms. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/events.h"

extern const ws_metric ws_metric_coalescing;
static const ws_metric *const M = &ws_metric_coalescing;

/* Naive matrix product of 16 x 16 blocks, row-major floats: a warp reads two rows' elements of A (broadcasts) and 16
 * neighbouring floats of B, twice. */
static void test_matrix_product(void **unused)
{
    (void)unused;
    enum { N = 256 };
    script *const s = script_create(4, 256);
    const uint32_t load = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4);
    const uint32_t store = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_STORE, 4);
    for (unsigned block = 0; block < 4; block++) {
        for (unsigned warp = 0; warp < 8; warp++) {
            for (unsigned k = 0; k < 16; k++) {
                uint64_t a[WS_WARP], b[WS_WARP];
                for (unsigned lane = 0; lane < WS_WARP; lane++) {
                    const unsigned row = warp * 2 + lane / 16, col = block * 16 + lane % 16;
                    a[lane] = 0x100000 + 4 * (row * N + k);
                    b[lane] = 0x200000 + 4 * (k * N + col);
                }
                access_at(s, block, warp, load, ALL_LANES, a);
                access_at(s, block, warp, load, ALL_LANES, b);
            }
            access_line(s, block, warp, store, ALL_LANES, 0x300000, 4);
        }
    }
    double *const v = measure(M, s);
    assert_column(M, v, "coal_global_load_32", 2);
    assert_column(M, v, "coal_global_load_64", 1.5);
    assert_column(M, v, "coal_global_load_128", 1.5);
    assert_column(M, v, "coal_global_store_32", 4);
    assert_column(M, v, "coal_global_store_128", 1);
    assert_column(M, v, "coal_load_efficiency", (8. / 64 + 64. / 64) / 2);
    assert_column(M, v, "coal_store_efficiency", 1);
    assert_column(M, v, "coal_load_stride_3", 1); /* two broadcasts side by side, and two rows */
    assert_column(M, v, "coal_store_stride_1", 1);
    assert_column(M, v, "coal_sectors_per_request", (32 * 2 + 4) / 33.);
    assert_column(M, v, "coal_sectors_per_line", (32 * 2 + 4) / (32 * 1.5 + 1));
    free(v);
    script_destroy(s);
}

static void test_strides(void **unused)
{
    (void)unused;
    script *const s = script_create(2, 32);
    const uint32_t load = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 8);
    const uint32_t store = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_STORE, 4);
    uint64_t odd[WS_WARP];
    for (unsigned lane = 0; lane < WS_WARP; lane++)
        odd[lane] = 0x1000 + lane * lane * 8;
    for (unsigned block = 0; block < 2; block++) {
        access_line(s, block, 0, load, ALL_LANES, 0x1000, 0);
        access_line(s, block, 0, load, 0x00f000f0, 0x1000, 8);
        access_line(s, block, 0, load, ALL_LANES, 0x1000, 8);
        access_line(s, block, 0, load, ALL_LANES, 0x1000, 4);
        access_at(s, block, 0, load, ALL_LANES, odd);
        access_line(s, block, 0, load, 0x10, 0x1000, 4); /* one lane: no stride */
        access_line(s, block, 0, store, ALL_LANES, 0x8000, -4);
    }
    double *const v = measure(M, s);
    assert_column(M, v, "coal_load_stride_0", .2);
    assert_column(M, v, "coal_load_stride_1", .4);
    assert_column(M, v, "coal_load_stride_2", .2);
    assert_column(M, v, "coal_load_stride_3", 0);
    assert_column(M, v, "coal_load_stride_4", .2);
    assert_column(M, v, "coal_store_stride_2", 1);
    free(v);
    script_destroy(s);
}

static void test_banks(void **unused)
{
    (void)unused;
    script *const s = script_create(3, 32);
    const uint32_t load = memory(s, WS_SPACE_SHARED, WS_ACCESS_LOAD, 4);
    const uint32_t wide = memory(s, WS_SPACE_SHARED, WS_ACCESS_LOAD, 8);
    const uint32_t store = memory(s, WS_SPACE_SHARED, WS_ACCESS_STORE, 4);
    for (unsigned block = 0; block < 3; block++) {
        access_line(s, block, 0, load, ALL_LANES, 0, 4);       /* 1 pass */
        access_line(s, block, 0, load, ALL_LANES, 64, 0);      /* broadcast: 1 */
        access_line(s, block, 0, wide, ALL_LANES, 0, 8);       /* two halves: 2 of 2 */
        access_line(s, block, 0, store, ALL_LANES, 0, 32 * 4); /* a column: 32 */
        access_line(s, block, 0, store, ALL_LANES, 0, 33 * 4); /* a padded column: 1 */
    }
    double *const v = measure(M, s);
    assert_column(M, v, "coal_bank_passes", 37. / 5);
    assert_column(M, v, "coal_bank_slowdown", 37. / 6);
    assert_column(M, v, "coal_bank_conflicts", 1. / 5);
    assert_column(M, v, "coal_bank_worst", 32);
    assert_column(M, v, "coal_global_load_32", 0);
    free(v);
    script_destroy(s);
}

static void test_other_spaces(void **unused)
{
    (void)unused;
    script *const s = script_create(1, 32);
    const uint32_t local = memory(s, WS_SPACE_LOCAL, WS_ACCESS_LOAD, 4);
    const uint32_t spill = memory(s, WS_SPACE_LOCAL, WS_ACCESS_STORE, 8);
    const uint32_t constant = memory(s, WS_SPACE_CONST, WS_ACCESS_LOAD, 4);
    const uint32_t atomic = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_REDUCE, 4);
    access_line(s, 0, 0, local, ALL_LANES, 8, 0);
    access_line(s, 0, 0, local, ALL_LANES, 0, 4); /* every lane another word: 32 blocks */
    access_line(s, 0, 0, spill, ALL_LANES, 8, 0); /* two rows of 32 words */
    access_line(s, 0, 0, constant, ALL_LANES, 0x500, 0);
    access_line(s, 0, 0, constant, ALL_LANES, 0x500, 4);
    access_line(s, 0, 0, atomic, ALL_LANES, 0x1000, 32);
    event(s, 0,
          (ws_event){.pc = atomic,
                     .count = 1,
                     .active = ALL_LANES,
                     .kind = WS_EVENT_MEMORY,
                     .space = WS_SPACE_GLOBAL}); /* guard false in all lanes */
    double *const v = measure(M, s);
    assert_column(M, v, "coal_local_load_32", (4 + 32) / 2.);
    assert_column(M, v, "coal_local_store_32", 8);
    assert_column(M, v, "coal_const_words", 33. / 2);
    assert_column(M, v, "coal_global_atomic_32", 32);
    assert_column(M, v, "coal_bank_slowdown", 0);
    free(v);
    script_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matrix_product),
        cmocka_unit_test(test_strides),
        cmocka_unit_test(test_banks),
        cmocka_unit_test(test_other_spaces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
