/* test_sharing.c - blocks with users chosen by hand, and the sample's error on a large launch. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/events.h"

extern const ws_metric ws_metric_sharing;
static const ws_metric *const M = &ws_metric_sharing;

/* Four thread blocks of two warps. Lines: A read by everybody; B private to each warp, written; C private to each
 * thread block, read by both warps, written by one; D updated by one warp of each thread block. */
static void test_four_kinds(void **unused)
{
    (void)unused;
    script *const s = script_create(4, 64);
    const uint32_t load = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4);
    const uint32_t store = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_STORE, 4);
    const uint32_t atomic = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_ATOMIC, 4);
    for (unsigned block = 0; block < 4; block++) {
        for (unsigned warp = 0; warp < 2; warp++) {
            access_line(s, block, warp, load, ALL_LANES, 0x1000, 4);                             /* A */
            access_line(s, block, warp, store, ALL_LANES, 0x2000 + (block * 2 + warp) * 128, 4); /* B */
            access_line(s, block, warp, load, ALL_LANES, 0x4000 + block * 128, 4);               /* C */
        }
        access_line(s, block, 1, store, 1, 0x4000 + block * 128, 4);
        access_line(s, block, 0, atomic, 1, 0x8000, 4); /* D */
    }
    const double lines = 1 + 8 + 4 + 1, accesses = 8 + 8 + 8 + 4 + 4;
    double *const v = measure(M, s);
    assert_column(M, v, "sharing_warp", (1 + 4) / lines);
    assert_column(M, v, "sharing_warp_written", 4 / lines);
    assert_column(M, v, "sharing_cta", (1 + 1) / lines);
    assert_column(M, v, "sharing_cta_written", 1 / lines);
    assert_column(M, v, "sharing_cta_read_only", 1 / lines);
    assert_column(M, v, "sharing_read_only", 1 / lines);
    assert_column(M, v, "sharing_users_mean", (4 + 8 + 4 + 4) / lines);
    assert_column(M, v, "sharing_users_max", 4);
    assert_column(M, v, "sharing_warp_accesses", (8 + 8 + 4) / accesses);
    assert_column(M, v, "sharing_cta_accesses", (8 + 4) / accesses);
    assert_column(M, v, "sharing_cta_written_accesses", 4 / accesses);
    /* of 32 - 14 that are not the first: C's store by its last reader; warp 1 behind warp 0 in A and C; A and D
     * otherwise */
    assert_column(M, v, "sharing_reuse_same", 4 / (accesses - lines));
    assert_column(M, v, "sharing_reuse_warp", (4 + 4) / (accesses - lines));
    assert_column(M, v, "sharing_reuse_cta", (3 + 3) / (accesses - lines));
    free(v);
    script_destroy(s);
}

/* Loads, stores and atomics of a line of their own, by one thread block, by two, and by two warps: what is written
 * follows from the definition of each access. */
static void test_accesses_that_write(void **unused)
{
    (void)unused;
    static const struct {
        ws_access access;
        double writes;
    } kinds[] = {{WS_ACCESS_LOAD, 0}, {WS_ACCESS_STORE, 1}, {WS_ACCESS_ATOMIC, 1}, {WS_ACCESS_REDUCE, 1}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        script *const s = script_create(2, 64);
        const uint32_t pc = memory(s, WS_SPACE_GLOBAL, kinds[i].access, 4);
        for (unsigned block = 0; block < 2; block++) {
            access_line(s, block, 0, pc, 1, 0x1000, 4);               /* of both blocks */
            access_line(s, block, 0, pc, 1, 0x2000 + block * 128, 4); /* of a block, both warps */
            access_line(s, block, 1, pc, 1, 0x2000 + block * 128, 4);
        }
        access_line(s, 0, 0, pc, 1, 0x4000, 4); /* of one warp */
        double *const v = measure(M, s);
        assert_column(M, v, "sharing_read_only", 1 - kinds[i].writes);
        assert_column(M, v, "sharing_cta", 1.0 / 4);
        assert_column(M, v, "sharing_cta_written", kinds[i].writes / 4);
        assert_column(M, v, "sharing_cta_read_only", (1 - kinds[i].writes) / 4);
        assert_column(M, v, "sharing_warp", 2.0 / 4);
        assert_column(M, v, "sharing_warp_written", kinds[i].writes * 2 / 4);
        assert_column(M, v, "sharing_cta_written_accesses", kinds[i].writes * 2 / 7);
        free(v);
        script_destroy(s);
    }
}

/* 2^18 lines: every fourth one is touched by two thread blocks. */
static void test_sample(void **unused)
{
    (void)unused;
    enum { BLOCKS = 16, LINES = 1 << 14 }; /* of each thread block */
    script *const s = script_create(BLOCKS, 32);
    const uint32_t load = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4);
    for (unsigned block = 0; block < BLOCKS; block++)
        for (uint64_t i = 0; i < LINES; i += 32) {
            access_line(s, block, 0, load, ALL_LANES, (block * LINES + i) * 128, 128);
            access_line(s, block, 0, load, 0x11111111, ((block + 1) * LINES + i) * 128, 128);
        }
    double *const v = measure(M, s);
    /* the last block's neighbours are nobody's: 15 of 16 overlap, and a quarter of one more is touched */
    const double all = BLOCKS * LINES + LINES / 4, shared = (BLOCKS - 1) * LINES / 4;
    assert_true(fabs(column(M, v, "sharing_cta") - shared / all) < 4 * .004);
    assert_true(fabs(column(M, v, "sharing_users_mean") - (all + shared) / all) < 4 * .004);
    assert_column(M, v, "sharing_users_max", 2);
    assert_column(M, v, "sharing_read_only", 1);
    free(v);
    script_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_four_kinds),
        cmocka_unit_test(test_accesses_that_write),
        cmocka_unit_test(test_sample),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
