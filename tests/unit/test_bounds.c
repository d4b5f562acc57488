/* test_bounds.c - stretches at both ends of the address space: each case beside arithmetic of 128 bits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/bounds.h"

typedef unsigned __int128 wide;

static const uint64_t edge[] = {0,
                                1,
                                2,
                                255,
                                256,
                                UINT32_MAX,
                                (uint64_t)UINT32_MAX + 1,
                                0x200000000000,
                                INT64_MAX,
                                (uint64_t)INT64_MAX + 1,
                                UINT64_MAX - 256,
                                UINT64_MAX - 16,
                                UINT64_MAX - 3,
                                UINT64_MAX - 1,
                                UINT64_MAX};
enum { EDGES = sizeof edge / sizeof *edge };

static void test_within(void **state)
{
    (void)state;
    for (int a = 0; a < EDGES; a++)
        for (int b = 0; b < EDGES; b++)
            for (int l = 0; l < EDGES; l++)
                assert_int_equal(ws_range_within(edge[a], edge[b], edge[l]), (wide)edge[a] + edge[b] <= edge[l]);
}

static void test_between(void **state)
{
    (void)state;
    for (int a = 0; a < EDGES; a++)
        for (int b = 0; b < EDGES; b++)
            for (int low = 0; low < EDGES; low++)
                for (int high = low; high < EDGES; high++)
                    assert_int_equal(ws_range_between(edge[a], edge[b], edge[low], edge[high]),
                                     edge[a] >= edge[low] && (wide)edge[a] + edge[b] <= edge[high]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_within),
        cmocka_unit_test(test_between),
    };
    return cmocka_run_group_tests_name("bounds", tests, NULL, NULL);
}
