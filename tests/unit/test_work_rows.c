/* test_work_rows.c - rows of launches, kernels and workloads: which is found, which is new. */
#include "model/mechanism/work_rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static size_t row_of(ws_work_rows *rows, const char *workload, const char *kernel, size_t launch, bool scattered)
{
    const int *const kept = ws_work_rows_find(rows, workload, kernel, launch, scattered);
    assert_non_null(kept);
    assert_int_equal(*kept, 0);
    size_t i = 0;
    while (rows->row[i].kept != kept)
        i++;
    return i;
}

static void test_find(void **state)
{
    (void)state;
    ws_work_rows rows = {.bytes = sizeof(int)};
    assert_int_equal(row_of(&rows, "A", "k", 0, false), 0);
    assert_int_equal(row_of(&rows, "A", "l", 0, false), 1);
    assert_int_equal(row_of(&rows, "A", "k", 0, false), 0);
    assert_int_equal(row_of(&rows, "A", "k", 1, false), 2);
    assert_int_equal(row_of(&rows, "B", "k", 0, false), 3);
    assert_int_equal(row_of(&rows, "A", "k", 0, true), 0);
    assert_int_equal(row_of(&rows, "A", "k", 0, false), 4); /* behind another workload */
    assert_int_equal(row_of(&rows, "A", "k", 0, true), 4);  /* the last one */
    assert_non_null(ws_work_rows_add(&rows, "A", "k", 0));
    assert_int_equal(rows.count, 6);
    ws_work_rows_fini(&rows);
}

static void test_label(void **state)
{
    (void)state;
    char text[WS_LAUNCH_LABEL];
    assert_string_equal(ws_launch_label(0, text), "");
    assert_string_equal(ws_launch_label(SIZE_MAX, text), "18446744073709551615");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_find),
        cmocka_unit_test(test_label),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
