/* test_option.c - is a number what was given and within its bounds, else the table's, else what the caller says? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/option.h"
#include "base/status.h"

static const ws_option table[] = {
    {"width", "bytes", 32, 1, 64, "of a line"}, {"depth", "", 8, 1, 64, ""}, {NULL, NULL, 0, 0, 0, NULL}};
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

static void without_a_table(void **state)
{
    (void)state;
    assert_null(ws_option_find(NULL, "depth"));
    assert_int_equal(ws_option_count(NULL), 0);
    ws_option_choose(NULL, given, GIVEN, NULL);
    assert_int_equal(ws_option_resolve("it", NULL, NULL, given, 1, NULL), WS_EINPUT);
    assert_string_equal(ws_message(), "it: it has no option depth; the first that it has is none");
}

static void what_was_given_is_checked(void **state)
{
    (void)state;
    static const struct {
        ws_given given[2];
        size_t count;
        const char *message;
    } bad[] = {
        {{{"depth", 65, NULL}}, 1, "it: depth = 65, expected 1 to 64"},
        {{{"width", 0, "f:1:2"}}, 1, "f:1:2: it: width = 0, expected 1 to 64 bytes (of a line)"},
        {{{"width", UINT64_MAX, NULL}}, 1, "it: width = 18446744073709551615, expected 1 to 64 bytes (of a line)"},
        {{{"depth", 2, NULL}, {"depth", 2, "f:1:2"}}, 2, "f:1:2: depth is given twice; remove one"},
        {{{"height", 2, NULL}}, 1, "it: it has no option height; the first that it has is width"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        uint64_t values[2];
        assert_int_equal(ws_option_resolve("it", table, NULL, bad[i].given, bad[i].count, values), WS_EINPUT);
        assert_string_equal(ws_message(), bad[i].message);
    }
}

/* A plain number has the option's unit or none, as it stands. */
static void plain_numbers(void **state)
{
    (void)state;
    static const struct {
        size_t row;
        const char *text;
        double value;
        const char *why;
    } all[] = {
        {0, "32", 32, ""},
        {0, "32 bytes", 32, ""},
        {0, "1 KB", 7, "expected a number of bytes, with this unit or none"},
        {0, "65", 7, "expected 1 to 64 bytes (of a line)"},
        {0, "1.5", 7, "expected 1 to 64 bytes (of a line)"},
        {1, "3 lines", 7, "expected a number without a unit"},
        {1, "three", 7, "expected a number and its unit"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        double value = 7;
        char why[WS_OPTION_WHY] = "";
        assert_int_equal(ws_option_read(&table[all[i].row], WS_OPTION_FORM_PLAIN, all[i].text, &value, why),
                         *all[i].why ? WS_EINPUT : WS_OK);
        assert_true(value == all[i].value);
        assert_string_equal(why, all[i].why);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_value),       cmocka_unit_test(all_values),
        cmocka_unit_test(without_a_table), cmocka_unit_test(what_was_given_is_checked),
        cmocka_unit_test(plain_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
