/* test_html.c - does the report's page say text, numbers and pictures so that a browser understands the same? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "cli/report/html.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static char *said;
static size_t length;

static FILE *listen(void)
{
    free(said);
    said = NULL;
    FILE *out = open_memstream(&said, &length);
    assert_non_null(out);
    return out;
}

static void assert_said(FILE *out, const char *expected)
{
    assert_int_equal(fclose(out), 0);
    assert_string_equal(said, expected);
}

static int forget(void **state)
{
    (void)state;
    free(said);
    said = NULL;
    return 0;
}

static void markup_in_text_is_text(void **state)
{
    (void)state;
    FILE *out = listen();
    ws_html_text(out, "<b a=\"1\">&amp;</b> ä");
    assert_said(out, "&lt;b a=&quot;1&quot;&gt;&amp;amp;&lt;/b&gt; ä");
    out = listen();
    ws_html_text(out, "esc \033[1m\001 \377"); /* no page may hold these */
    assert_said(out, "esc \\x1b[1m\\x01 \\xff");
}

static void numbers_read_well(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } cases[] = {
        {0, "0"},
        {7, "7"},
        {1234, "1234"},
        {12345, "12\u202f345"},
        {1234567, "1\u202f234\u202f567"},
        {-5, "−5"},
        {0.12345, "0.123"},
        {-0.5, "−0.5"},
        {NAN, "–"},
        {INFINITY, "∞"},
        {-INFINITY, "−∞"},
        {1e20, "1e+20"},
        {2.5e-9, "2.5e-09"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        FILE *out = listen();
        ws_html_number(out, cases[i].value, 3);
        assert_said(out, cases[i].text);
    }
}

/* The vectors of RFC 4648, section 10. */
static void pictures_are_base64(void **state)
{
    (void)state;
    static const char *const code[] = {"", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"};
    for (size_t n = 0; n < sizeof code / sizeof code[0]; n++) {
        char expected[80];
        FILE *out = listen();
        ws_html_figure(out, "foobar", n, false, "a", "c");
        assert_int_equal(fclose(out), 0);
        snprintf(expected, sizeof expected, "src=\"data:image/svg+xml;base64,%s\">", code[n]);
        assert_non_null(strstr(said, expected));
    }
}

static void a_frame_becomes_a_table(void **state)
{
    (void)state;
    static const char *const label[] = {"who"};
    ws_frame *frame = ws_frame_create(1, 2, 1, label);
    ws_frame_set_label(frame, 0, 0, "A&B");
    ws_frame_set_column(frame, 0, "x", "bytes", "");
    ws_frame_set_column(frame, 1, "y", "", "");
    frame->value[0] = 2;
    FILE *out = listen();
    ws_html_frame(out, frame, 0, 3);
    ws_frame_destroy(frame);
    assert_said(out,
                "<div class=\"scroll\"><table>\n"
                "<tr><th>who</th><th class=\"n\">x <span class=\"unit\">bytes</span></th><th class=\"n\">y</th></tr>\n"
                "<tr><td>A&amp;B</td><td class=\"n\">2</td><td class=\"n\">–</td></tr>\n</table></div>\n");
}

static void a_page_has_its_style_inside(void **state)
{
    (void)state;
    FILE *out = listen();
    ws_html_begin(out, "T <1>", "S");
    ws_html_end(out, "F");
    assert_int_equal(fclose(out), 0);
    assert_non_null(strstr(said, "<title>T &lt;1&gt;</title>"));
    assert_non_null(strstr(said, "prefers-color-scheme: dark"));
    assert_null(strstr(said, "<link"));
    assert_non_null(strstr(said, "</html>\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(markup_in_text_is_text, forget),
        cmocka_unit_test_teardown(numbers_read_well, forget),
        cmocka_unit_test_teardown(pictures_are_base64, forget),
        cmocka_unit_test_teardown(a_frame_becomes_a_table, forget),
        cmocka_unit_test_teardown(a_page_has_its_style_inside, forget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
