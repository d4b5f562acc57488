/* test_option.c - is a number what was given, else the table's, else what the caller says? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "model/option.h"

static const ws_option table[] = {
    {"width", "bytes", 32, 1, 64, ""}, {"depth", "", 8, 1, 64, ""}, {NULL, NULL, 0, 0, 0, NULL}};
static const ws_given given[] = {{"depth", 5, NULL}, {"other", 9, NULL}};
enum { GIVEN = sizeof given / sizeof *given };

static void one_value(void **state)
{
    (void)state;
    assert_int_equal(ws_option_value(table, "width", given, GIVEN, 7), 32);
    assert_int_equal(ws_option_value(table, "depth", given, GIVEN, 7), 5);
    assert_int_equal(ws_option_value(table, "depth", given, 0, 7), 8);
    assert_int_equal(ws_option_value(table, "height", given, GIVEN, 7), 7);
    assert_int_equal(ws_option_value(NULL, "depth", given, GIVEN, 7), 5);
    assert_int_equal(ws_option_value(NULL, "depth", NULL, 0, 7), 7);
}

static void all_values(void **state)
{
    (void)state;
    uint64_t values[2];
    ws_option_choose(table, given, GIVEN, values);
    for (size_t i = 0; i < ws_option_count(table); i++)
        assert_int_equal(values[i], ws_option_value(table, table[i].name, given, GIVEN, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_value), cmocka_unit_test(all_values)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
