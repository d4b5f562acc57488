/* Files of settings: what they mean, and where a bad one is bad. */
#include "base/settings.h"
#include "base/status.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void names_and_values(void **state)
{
    (void)state;
    static const char text[] = "# head\n  top = 1\r\n\n[timing]\ntCL = 24 cycles ; source\n a.b-c:d=x y\t\n"
                               "[two]\ntCL = -1.5e3";
    ws_settings *file;
    assert_int_equal(ws_settings_parse("f.ini", text, strlen(text), &file), WS_OK);
    assert_int_equal(file->count, 4);
    assert_string_equal(ws_settings_find(file, "", "top")->value, "1");
    assert_string_equal(ws_settings_find(file, "timing", "a.b-c:d")->value, "x y");
    assert_null(ws_settings_find(file, "two", "top"));
    double number;
    const char *unit;
    const ws_setting *const cl = ws_settings_find(file, "timing", "tCL");
    assert_int_equal(ws_setting_number(file, cl, &number, &unit), WS_OK);
    assert_float_equal(number, 24, 0);
    assert_string_equal(unit, "cycles");
    assert_int_equal(cl->line, 5);
    assert_int_equal(cl->value_column, 7);
    assert_int_equal(ws_setting_number(file, ws_settings_find(file, "two", "tCL"), &number, &unit), WS_OK);
    assert_float_equal(number, -1500, 0);
    assert_string_equal(unit, "");
    assert_int_equal(ws_setting_number(file, ws_settings_find(file, "timing", "a.b-c:d"), &number, &unit), WS_EINPUT);
    assert_string_equal(ws_message(), "f.ini:6:10: a.b-c:d = x y: expected a number and its unit");
    ws_settings_destroy(file);
    ws_settings_destroy(NULL);
}

static void bad_lines(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"a", "f:1:1: expected `name = value` or [section]"},
        {"a b = 1", "f:1:1: expected `name = value`"},
        {"\n  = 3", "f:2:3: expected `name = value`"},
        {"x =  ; nothing", "f:1:3: expected a value"},
        {"[open", "f:1:1: expected [section]"},
        {"[]", "f:1:1: expected [section]"},
        {"[a] b", "f:1:1: expected [section]"},
        {"[s]\na = 1\n a = 2", "f:3:2: a stands in line 2 already"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ws_settings *file;
        assert_int_equal(ws_settings_parse("f", bad[i].text, strlen(bad[i].text), &file), WS_EINPUT);
        assert_null(file);
        if (strncmp(ws_message(), bad[i].message, strlen(bad[i].message)))
            fail_msg("'%s' is not '%s'", ws_message(), bad[i].message);
    }
    ws_settings *file;
    assert_int_equal(ws_settings_parse("f", "a = 1\0b", 7, &file), WS_EINPUT);
    assert_int_equal(ws_settings_read("no/such/file.ini", &file), WS_EIO);
}

static void lists(void **state)
{
    (void)state;
    static const char text[] =
        "; head\n[axis run]\nK4-header = --set a=b#c ; why\n@../list.txt\nI1=\n[points x-y]\nT = 1 2";
    ws_settings *file;
    assert_int_equal(ws_settings_parse_lists("f.ini", text, strlen(text), &file), WS_OK);
    assert_int_equal(file->count, 6);
    assert_string_equal(file->list[0].section, "axis run");
    assert_string_equal(file->list[0].name, "");
    assert_string_equal(ws_settings_find(file, "axis run", "K4-header")->value, "--set a=b#c");
    assert_string_equal(ws_settings_find(file, "axis run", "@../list.txt")->value, "");
    assert_string_equal(ws_settings_find(file, "axis run", "I1")->value, "");
    assert_string_equal(ws_settings_find(file, "points x-y", "T")->value, "1 2");
    ws_settings_destroy(file);
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"[axis  run]", "f:1:1: expected [section]"},
        {"[axis run ]", "f:1:1: expected [section]"},
        {"a b = 1", "f:1:1: expected `name = value`"},
        {"= 1", "f:1:1: expected `name = value`"},
        {"a\n[x]\na\na = 2", "f:4:1: a stands in line 3 already"},
        {"b = 1\na = 1\na = 2\nb = 2", "f:3:1: a stands in line 2 already"},
        {"[x]\n a = 1", "f:2:2: expected `name = value` or [section]; a line that begins with a blank continues"},
        {" a", "f:1:2: expected"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(ws_settings_parse_lists("f", bad[i].text, strlen(bad[i].text), &file), WS_EINPUT);
        assert_null(file);
        if (strncmp(ws_message(), bad[i].message, strlen(bad[i].message)))
            fail_msg("'%s' is not '%s'", ws_message(), bad[i].message);
    }
}

/* A value of several lines; a file of settings has none. */
static void long_values(void **state)
{
    (void)state;
    static const char text[] = "[plan]\ncommand = sim  a ; one\n\t--set  b  ; two\n; between\n\n  c\r\nrows =\n last\n"
                               "bare\n  words\nend = 1\n";
    ws_settings *file;
    assert_int_equal(ws_settings_parse_lists("f.ini", text, strlen(text), &file), WS_OK);
    assert_int_equal(file->count, 5);
    assert_string_equal(ws_settings_find(file, "plan", "command")->value, "sim  a --set  b c");
    assert_int_equal(ws_settings_find(file, "plan", "command")->line, 2);
    assert_string_equal(ws_settings_find(file, "plan", "rows")->value, "last");
    assert_string_equal(ws_settings_find(file, "plan", "bare")->value, "words");
    assert_string_equal(ws_settings_find(file, "plan", "end")->value, "1");
    ws_settings_destroy(file);
    assert_int_equal(ws_settings_parse("f.ini", "a = 1\n  b = 2\n", 14, &file), WS_OK);
    assert_string_equal(ws_settings_find(file, "", "b")->value, "2");
    ws_settings_destroy(file);
}

/* Names are found among as many as a file may have. */
static void many_names(void **state)
{
    (void)state;
    enum { BYTES = 16 };
    char *const text = malloc((size_t)WS_SETTINGS_LISTED_MOST * BYTES), name[BYTES];
    size_t length = 0;
    ws_settings *file;
    for (int i = 0; i < WS_SETTINGS_LISTED_MOST; i++)
        length += (size_t)sprintf(text + length, "n%d = %d\n", i * 7919 % WS_SETTINGS_LISTED_MOST, i);
    assert_int_equal(ws_settings_parse_lists("f.ini", text, length, &file), WS_OK);
    for (int i = 0; i < WS_SETTINGS_LISTED_MOST; i++) {
        snprintf(name, sizeof name, "n%d", i);
        const ws_setting *const found = ws_settings_find(file, "", name);
        assert_true(found && !strcmp(found->name, name) && found == &file->list[found->line - 1]);
    }
    assert_null(ws_settings_find(file, "", "m"));
    assert_null(ws_settings_find(file, "", "nx"));
    assert_null(ws_settings_find(file, "a", "n1"));
    assert_true(ws_settings_has(file, "") && !ws_settings_has(file, "a"));
    ws_settings_destroy(file);
    assert_int_equal(sprintf(text + length, "more = 1"), 8);
    assert_int_equal(ws_settings_parse_lists("f.ini", text, length + 8, &file), WS_ELIMIT);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(names_and_values), cmocka_unit_test(bad_lines),
                                       cmocka_unit_test(lists), cmocka_unit_test(long_values),
                                       cmocka_unit_test(many_names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
