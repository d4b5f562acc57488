/* test_pka.c - the twelve numbers of a stream counted by hand. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/events.h"

extern const ws_metric ws_metric_pka;
static const ws_metric *const M = &ws_metric_pka;

static void test_all_twelve(void **unused)
{
    (void)unused;
    script *const s = script_create(7, 32);
    const uint32_t load = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4);
    const uint32_t store = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_STORE, 8);
    const uint32_t local = memory(s, WS_SPACE_LOCAL, WS_ACCESS_LOAD, 4);
    const uint32_t shared_load = memory(s, WS_SPACE_SHARED, WS_ACCESS_LOAD, 4);
    const uint32_t shared_store = memory(s, WS_SPACE_SHARED, WS_ACCESS_STORE, 4);
    const uint32_t atomic = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_ATOMIC, 4);
    const uint32_t reduce = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_REDUCE, 4), add = arithmetic(s, 3, WS_CLASS_INTEGER);
    for (unsigned block = 0; block < 7; block++) {
        access_line(s, block, 0, load, ALL_LANES, 0x1000, 4);   /* 4 sectors */
        access_line(s, block, 0, load, ALL_LANES, 0x1000, 128); /* 32 */
        access_line(s, block, 0, store, 0xffff, 0x1000, 8);     /* 4 */
        access_line(s, block, 0, local, ALL_LANES, 16, 0);      /* 4: words of the lanes are neighbours */
        access_line(s, block, 0, shared_load, 0xff, 0, 4);
        access_line(s, block, 0, shared_store, 0xf, 0, 4);
        access_line(s, block, 0, atomic, 0x3, 0x1000, 0);
        access_line(s, block, 0, reduce, 0x1, 0x1000, 0);
        run(s, block, 0, add, 3, ALL_LANES);
    }
    double *const v = measure(M, s);
    assert_column(M, v, "pka_coalesced_global_loads", 7 * 36);
    assert_column(M, v, "pka_coalesced_global_stores", 7 * 4);
    assert_column(M, v, "pka_coalesced_local_loads", 7 * 4);
    assert_column(M, v, "pka_thread_global_loads", 7 * 64);
    assert_column(M, v, "pka_thread_global_stores", 7 * 16);
    assert_column(M, v, "pka_thread_local_loads", 7 * 32);
    assert_column(M, v, "pka_thread_shared_loads", 7 * 8);
    assert_column(M, v, "pka_thread_shared_stores", 7 * 4);
    assert_column(M, v, "pka_thread_global_atomics", 7 * 3);
    assert_column(M, v, "pka_instructions", 7 * (64 + 16 + 32 + 8 + 4 + 2 + 1 + 96));
    assert_column(M, v, "pka_divergence_efficiency", (64 + 16 + 32 + 8 + 4 + 2 + 1 + 96) / 11.);
    assert_column(M, v, "pka_thread_blocks", 7);
    assert_int_equal(ws_metric_columns(M), 12);
    free(v);
    script_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_twelve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
