/* test_conflicts.c - turns of thread blocks at memory blocks, and the shape of stores, worked out by hand. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/events.h"

extern const ws_metric ws_metric_conflicts;
static const ws_metric *const M = &ws_metric_conflicts;

/* Line 1: read by all four, nobody writes. Line 2: written by 0, read by 1 and 2. Line 3: 0 reads, 1 reads and then
 * writes, 2 writes, 3 reads. Line 4: written twice by thread block 3. Line 5: its halves by 0 and 1. */
static void profiles(void **unused)
{
    (void)unused;
    script *const s = script_create(4, 32);
    const uint32_t load = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4),
                   store = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_STORE, 4);
    for (unsigned b = 0; b < 4; b++)
        access_line(s, b, 0, load, ALL_LANES, 128, 4);
    access_line(s, 0, 0, store, ALL_LANES, 256, 4);
    access_line(s, 1, 0, load, ALL_LANES, 256, 4);
    access_line(s, 2, 0, load, ALL_LANES, 256, 4);
    access_line(s, 0, 0, load, ALL_LANES, 384, 4);
    access_line(s, 1, 0, load, ALL_LANES, 384, 4);
    access_line(s, 1, 0, store, 1, 384, 4);
    access_line(s, 2, 0, store, 2, 384, 4);
    access_line(s, 3, 0, load, ALL_LANES, 384, 4);
    access_line(s, 3, 0, store, 3, 512, 4);
    access_line(s, 3, 0, store, 1, 512, 4);
    access_line(s, 0, 0, store, 0xffff, 640, 4);
    access_line(s, 1, 0, store, 0xffff0000, 640, 4);
    double *const v = measure(M, s);
    assert_column(M, v, "conflicts_several_writers", 2 / 5.0);        /* 3 and 5 */
    assert_column(M, v, "conflicts_write_once", 3 / 4.0);             /* not 4 */
    assert_column(M, v, "conflicts_alternations", (1 + 3 + 1) / 5.0); /* 2: 0-1; 3: all; 5 */
    assert_column(M, v, "conflicts_handovers", (2 + 1) / 5.0);        /* 2: two readers; 3: the last */
    assert_column(M, v, "conflicts_blocks", 3 / 5.0);
    assert_column(M, v, "conflicts_store_words", (32 + 1 + 1 + 2 + 1 + 16 + 16) / 7.0);
    assert_column(M, v, "conflicts_store_blocks", 1);
    assert_column(M, v, "conflicts_store_regions", 1);
    free(v);
    script_destroy(s);
}

/* A store of bytes with a stride of 128 from 0x180 on: 32 blocks in 9 regions. One of 8 bytes at an odd place: 9 words
 * in 1 or 2 blocks. */
static void shapes(void **unused)
{
    (void)unused;
    script *const s = script_create(1, 32);
    const uint32_t byte = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_STORE, 1),
                   eight = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_STORE, 8);
    access_line(s, 0, 0, byte, ALL_LANES, 0x180, 128);
    access_line(s, 0, 0, eight, 0xf, 0x7e2, 8);
    double *const v = measure(M, s);
    assert_column(M, v, "conflicts_store_blocks", (32 + 2) / 2.0);
    assert_column(M, v, "conflicts_store_regions", (9 + 2) / 2.0);
    assert_column(M, v, "conflicts_store_bytes", (32 + 32) / 34.0);
    assert_column(M, v, "conflicts_store_words", (32 + 9) / 34.0);
    assert_column(M, v, "conflicts_several_writers", 0);
    free(v);
    script_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(profiles),
        cmocka_unit_test(shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
