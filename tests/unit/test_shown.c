/* test_shown.c - is what a terminal would obey written out, and everything else left as it is? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/shown.h"

#include <stdlib.h>
#include <string.h>

static void assert_shown(const char *text, const char *expected)
{
    char to[200], *streamed = NULL;
    size_t bytes;
    assert_int_equal(ws_shown(to, sizeof to, text), strlen(expected));
    assert_string_equal(to, expected);
    FILE *const out = open_memstream(&streamed, &bytes);
    assert_non_null(out);
    ws_show_line(out, "%s", text);
    assert_int_equal(fclose(out), 0);
    assert_memory_equal(streamed, expected, strlen(expected));
    assert_string_equal(streamed + strlen(expected), "\n");
    free(streamed);
}

static void letters_stay(void **state)
{
    (void)state;
    assert_shown("", "");
    assert_shown("void f<int>(a*, \"b\") \\n 'c' ~", "void f<int>(a*, \"b\") \\n 'c' ~");
    assert_shown("\u00a0\u00e4\u07ff\u0800\ud7ff\ue000\uffff\U00010000\U0010ffff",
                 "\u00a0\u00e4\u07ff\u0800\ud7ff\ue000\uffff\U00010000\U0010ffff");
}

static void control_characters_are_written_out(void **state)
{
    (void)state;
    assert_shown("\033[31mred\033[0m", "\\x1b[31mred\\x1b[0m");
    assert_shown("a\tb\nc\rd", "a\\tb\\nc\\rd");
    assert_shown("\001\037\177", "\\x01\\x1f\\x7f");
    assert_shown("\xc2\x80\xc2\x9b\xc2\x9f",
                 "\\xc2\\x80\\xc2\\x9b\\xc2\\x9f"); /* C1: \x9b begins a sequence as ESC [ does */
}

static void what_is_no_utf8_is_written_out(void **state)
{
    (void)state;
    assert_shown("\x9b", "\\x9b");
    assert_shown("a\xff", "a\\xff");
    assert_shown("\xc3", "\\xc3");
    assert_shown("\xe2\x82", "\\xe2\\x82");
    assert_shown("\xc0\xaf", "\\xc0\\xaf");                   /* overlong */
    assert_shown("\xed\xa0\x80", "\\xed\\xa0\\x80");          /* a surrogate */
    assert_shown("\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"); /* beyond Unicode */
    assert_shown("\xf0\x9f\x98", "\\xf0\\x9f\\x98");
}

/* A cut never goes through a letter or an escape, and the length is that of the whole. */
static void a_cut_goes_between_letters(void **state)
{
    (void)state;
    char to[4];
    assert_int_equal(ws_shown(to, sizeof to, "a\u20acb"), 5);
    assert_string_equal(to, "a");
    assert_int_equal(ws_shown(to, sizeof to, "\033b"), 5);
    assert_string_equal(to, "");
    assert_int_equal(ws_shown(NULL, 0, "ab"), 2);
}

static void a_line_is_one_line(void **state)
{
    (void)state;
    char *text = NULL;
    size_t bytes;
    FILE *const out = open_memstream(&text, &bytes);
    ws_show_line(out, "%s: line %d: %s", "a\nb.csv", 7, "\033]0;title\007");
    assert_int_equal(fclose(out), 0);
    assert_string_equal(text, "a\\nb.csv: line 7: \\x1b]0;title\\x07\n");
    free(text);
}

/* What stands in the file of a descriptor that a stream has written to, in parts. */
static void assert_streams(const char *const part[], const char *expected)
{
    FILE *const file = tmpfile(), *const stream = ws_shown_stream(fileno(file));
    char text[200] = "";
    assert_non_null(stream);
    setvbuf(stream, NULL, _IONBF, 0);
    for (; *part; part++)
        assert_true(fputs(*part, stream) >= 0);
    assert_int_equal(fclose(stream), 0);
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    assert_string_equal(text, expected);
    fclose(file);
}

static void streams_keep_lines_and_letters_in_parts(void **state)
{
    (void)state;
    assert_streams((const char *const[]){"a\tb\n", "\033[2J\r", NULL}, "a\tb\n\\x1b[2J\\r");
    assert_streams((const char *const[]){"\xe2", "\x82", "\xac!", NULL}, "\u20ac!");
    assert_streams((const char *const[]){"\xc2", "\x9b", "m", NULL}, "\\xc2\\x9bm");
    assert_streams((const char *const[]){"x\xf0\x9f", "y", NULL}, "x\\xf0\\x9fy");
    assert_streams((const char *const[]){"\xe2\x82", NULL}, "\\xe2\\x82"); /* the end never came */
    assert_streams((const char *const[]){NULL}, "");
}

static void a_stream_that_cannot_write_says_so(void **state)
{
    (void)state;
    FILE *const full = fopen("/dev/full", "w"), *const stream = ws_shown_stream(fileno(full));
    assert_true(fputs("text", stream) >= 0);
    assert_int_not_equal(fflush(stream), 0);
    fclose(stream);
    fclose(full);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(letters_stay),
        cmocka_unit_test(control_characters_are_written_out),
        cmocka_unit_test(what_is_no_utf8_is_written_out),
        cmocka_unit_test(a_cut_goes_between_letters),
        cmocka_unit_test(a_line_is_one_line),
        cmocka_unit_test(streams_keep_lines_and_letters_in_parts),
        cmocka_unit_test(a_stream_that_cannot_write_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
