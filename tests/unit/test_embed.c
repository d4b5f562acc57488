/* test_embed.c - does a page hold frames so that any name comes back and none is obeyed, and no more of them than it
 * can bear? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "cli/report/embed.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void assert_text(const char *text, const char *expected)
{
    char *said;
    size_t size;
    FILE *out = open_memstream(&said, &size);
    assert_non_null(out);
    ws_embed_text(out, text);
    assert_int_equal(fclose(out), 0);
    assert_string_equal(said, expected);
    free(said);
}

static void names_are_no_markup(void **state)
{
    (void)state;
    assert_text("", "\"\"");
    assert_text("a/b_c<float, 4>", "\"a/b_c\\u003cfloat, 4\\u003e\"");
    assert_text("</script>", "\"\\u003c/script\\u003e\"");
    assert_text("<!-- & 'x'", "\"\\u003c!-- \\u0026 \\u0027x\\u0027\"");
    assert_text("say \"no\" \\ yes", "\"say \\\"no\\\" \\\\ yes\"");
    assert_text("two\nlines\tand\rmore", "\"two\\nlines\\tand\\rmore\"");
    assert_text("\xe2\x80\xa8|\xe2\x80\xa9|\xe2\x80\xa6", "\"\\u2028|\\u2029|\xe2\x80\xa6\"");
    assert_text("esc \033 bad \377",
                "\"esc \\\\x1b bad \\\\xff\""); /* as ws_shown writes them, its backslash escaped */
}

static void assert_number(double value, int digits, const char *expected)
{
    char *said;
    size_t size;
    FILE *out = open_memstream(&said, &size);
    assert_non_null(out);
    ws_embed_number(out, value, digits);
    assert_int_equal(fclose(out), 0);
    assert_string_equal(said, expected);
    free(said);
}

static void numbers_are_json(void **state)
{
    (void)state;
    assert_number(0.1, 0, "0.1");
    assert_number(1.0 / 3, 0, "0.3333333333333333");
    assert_number(1.0 / 3, 6, "0.333333");
    assert_number(-123456789, 6, "-123457000");
    assert_number(0, 6, "0");
    assert_number(NAN, 0, "null");
    assert_number(INFINITY, 6, "1e999");
    assert_number(-INFINITY, 0, "-1e999");
    assert_number(5e-324, 6, "5e-324"); /* what cannot be rounded stays */
}

static void assert_singles(const double *value, size_t n, size_t stride, int digits, const char *expected)
{
    char *said;
    size_t size;
    FILE *out = open_memstream(&said, &size);
    assert_non_null(out);
    ws_embed_singles(out, value, n, stride, digits);
    assert_int_equal(fclose(out), 0);
    assert_string_equal(said, expected);
    free(said);
}

/* Little-endian: 1 is 0x3f800000, -2 is 0xc0000000. */
static void many_numbers_are_single(void **state)
{
    (void)state;
    const double value[] = {1, 99, -2, 99, NAN, 99, INFINITY, 99, 0, 99}, large[] = {1, 1e39}, small[] = {1e-39, 1};
    assert_singles(value, 0, 2, 6, "\"\"");
    assert_singles(value, 1, 2, 6, "\"AACAPw==\"");
    assert_singles(value, 2, 2, 6, "\"AACAPwAAAMA=\"");
    assert_singles(value + 6, 2, 2, 6, "\"AACAfwAAAAA=\"");
    assert_singles(large, 2, 1, 6, "[1,1e+39]");
    assert_singles(small, 2, 1, 6, "[1e-39,1]");
    assert_singles(value, 3, 2, 9, "[1,-2,null]"); /* more digits than it has */
}

/* Of any shape: the part fits the bound as far as one row in WS_EMBED_COLUMNS columns does, and nothing is left out
 * without need. */
static void parts_fit(void **state)
{
    (void)state;
    static const size_t rows[] = {0, 1, 7, 1000, 100000, 3000000}, columns[] = {0, 1, 8, 40, 400};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) {
            const ws_frame frame = {.rows = rows[r], .columns = columns[c], .labels = 1};
            const ws_embed_part part = ws_embed_part_of(&frame);
            const size_t cells = part.rows * (part.columns + 1), all = rows[r] * (columns[c] + 1);
            assert_true(cells <= WS_EMBED_VALUES);
            assert_int_equal(part.rows, (rows[r] + part.step - 1) / part.step);
            if (all <= WS_EMBED_VALUES)
                assert_int_equal(cells, all);
            else
                assert_true(2 * cells > WS_EMBED_VALUES / 2);
            assert_int_equal(part.digits, all > WS_EMBED_EXACT ? WS_EMBED_DIGITS : 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_no_markup),
        cmocka_unit_test(numbers_are_json),
        cmocka_unit_test(many_numbers_are_single),
        cmocka_unit_test(parts_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
