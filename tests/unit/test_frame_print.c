/* test_frame_print.c - is what a frame becomes for people and parsers the same cells, whatever its names hold? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/frame_print.h"
#include "base/status.h"
#include "metrics/describe.h"
#include "metrics/metric_layout.h"
#include "metrics/performance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static ws_frame *make(void)
{
    static const char *const labels[] = {"workload", "kernel", WS_FRAME_MANGLED};
    static const double value[] = {1, 0.125, NAN, -INFINITY};
    static const char *const name[] = {"a", "long_names_of_columns"};
    ws_frame *const f = ws_frame_create(2, 2, 3, labels);
    assert_non_null(f);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(ws_frame_set_label(f, i, 0, "W"), WS_OK);
        assert_int_equal(ws_frame_set_label(f, i, 1, i ? "a|b \"c\"\t\xff" : "f<int>(float*)"), WS_OK);
        assert_int_equal(ws_frame_set_label(f, i, 2, "_Z1f"), WS_OK);
        assert_int_equal(ws_frame_set_column(f, i, name[i], i ? "bytes" : "", "g"), WS_OK);
    }
    assert_int_equal(ws_frame_note(f, "note: \\"), WS_OK);
    memcpy(f->value, value, sizeof value);
    return f;
}

static void assert_printed(ws_frame_format format, bool definitions, const char *expected)
{
    char *text = NULL;
    size_t size = 0;
    ws_frame *const f = make();
    FILE *const out = open_memstream(&text, &size);
    assert_int_equal(ws_frame_print(f, format, definitions, out), WS_OK);
    fclose(out);
    assert_string_equal(text, expected);
    free(text);
    ws_frame_destroy(f);
}

static void test_csv(void **state)
{
    (void)state;
    static const char rows[] =
        "# labels: 3\nworkload,kernel,mangled,a,long_names_of_columns\nW,f<int>(float*),_Z1f,1,0.125\n"
        "W,\"a|b \"\"c\"\"\t\xff\",_Z1f,NA,-Inf\n";
    char text[512];
    snprintf(text, sizeof text, "# warpscape frame 1\n# note: \\\n%s", rows);
    assert_printed(WS_FORMAT_csv, false, text);
    snprintf(
        text, sizeof text,
        "# warpscape frame 1\n# note: \\\n# column a group=g\n# column long_names_of_columns unit=bytes group=g\n%s",
        rows);
    assert_printed(WS_FORMAT_csv, true, text);
}

static void test_table(void **state)
{
    (void)state;
    assert_printed(WS_FORMAT_table, false,
                   "                              long_names_\n"
                   "workload  kernel           a   of_columns\n"
                   "W         f<int>(float*)   1        0.125\n"
                   "W         a|b \"c\"\\t\\xff   NA         -Inf\n");
}

static void test_md(void **state)
{
    (void)state;
    assert_printed(WS_FORMAT_md, false,
                   "| workload | kernel | a | long_names_of_columns |\n| --- | --- | ---: | ---: |\n"
                   "| W | f\\<int\\>(float\\*) | 1 | 0.125 |\n| W | a\\|b \"c\"\\\\t\\\\xff | NA | -Inf |\n");
}

static void test_json(void **state)
{
    (void)state;
    static const char notes[] = "{\n  \"notes\": [\n    \"note: \\\\\"\n  ],\n";
    static const char rows[] = "  \"rows\": [\n"
                               "    {\"workload\": \"W\", \"kernel\": \"f<int>(float*)\", \"mangled\": \"_Z1f\", "
                               "\"a\": 1, \"long_names_of_columns\": 0.125},\n"
                               "    {\"workload\": \"W\", \"kernel\": \"a|b \\\"c\\\"\\u0009\\ufffd\", \"mangled\": "
                               "\"_Z1f\", \"a\": null, \"long_names_of_columns\": \"-Inf\"}\n"
                               "  ]\n}\n";
    static const char columns[] =
        "  \"columns\": [\n    {\"name\": \"a\", \"unit\": \"\", \"group\": \"g\"},\n"
        "    {\"name\": \"long_names_of_columns\", \"unit\": \"bytes\", \"group\": \"g\"}\n  ],\n";
    char text[1024];
    snprintf(text, sizeof text, "%s%s", notes, rows);
    assert_printed(WS_FORMAT_json, false, text);
    snprintf(text, sizeof text, "%s%s%s", notes, columns, rows);
    assert_printed(WS_FORMAT_json, true, text);
}

static void test_cells(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } cases[] = {{0, "0"},       {123456789, "123456789"}, {-7, "-7"},
                 {1e9, "1e+09"}, {0.123456, "0.1235"},     {1e-9, "1e-09"},
                 {NAN, "NA"},    {INFINITY, "Inf"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[WS_CELL_BYTES];
        ws_frame_cell(cases[i].value, text);
        assert_string_equal(text, cases[i].text);
    }
}

/* ------------------------------------------------------------------------------------------------ definitions */

/* A frame with these columns and nothing said about them. */
static ws_frame *bare(const ws_layout *layout)
{
    ws_frame *const f = ws_frame_create(1, layout->columns + 1, 1, NULL);
    assert_non_null(f);
    for (size_t j = 0; j < layout->columns; j++)
        assert_int_equal(ws_frame_set_column(f, j, layout->column[j].name, "", ""), WS_OK);
    assert_int_equal(ws_frame_set_column(f, layout->columns, "somebody_elses", "", ""), WS_OK);
    return f;
}

static void test_describe(void **state)
{
    (void)state;
    static const char *const set[] = {"all", "machines"};
    for (int fractions = 0; fractions < 2; fractions++)
        for (size_t s = 0; s < 2; s++) {
            ws_layout layout;
            assert_int_equal(ws_layout_init(set[s], &layout), WS_OK);
            ws_frame *const f = bare(&layout);
            if (fractions)
                assert_int_equal(ws_frame_note(f, WS_NOTE_FRACTIONS), WS_OK);
            assert_int_equal(ws_describe_columns(f), WS_OK);
            for (size_t j = 0; j < layout.columns; j++) {
                const ws_layout_column *const c = &layout.column[j];
                assert_string_equal(f->column[j].unit, c->histogram && fractions ? WS_UNIT_FRACTION : c->unit);
                assert_string_equal(f->column[j].group, c->group);
            }
            assert_string_equal(f->column[layout.columns].group, "");
            ws_frame_destroy(f);
            ws_layout_fini(&layout);
        }
}

static void test_describe_features(void **state)
{
    (void)state;
    ws_frame *const f = ws_frame_create(1, 2, 1, NULL);
    assert_int_equal(ws_frame_set_column(f, 0, ws_feature_at(0).name, "", ""), WS_OK);
    assert_int_equal(ws_frame_set_column(f, 1, ws_feature_at(1).name, "own", ""), WS_OK);
    assert_int_equal(ws_describe_columns(f), WS_OK);
    assert_string_equal(f->column[0].unit, ws_feature_at(0).unit);
    assert_string_equal(f->column[0].group, ws_feature_at(0).group);
    assert_string_equal(f->column[1].unit, "own"); /* what a frame says itself stays */
    ws_frame_destroy(f);
}

static void test_brief(void **state)
{
    (void)state;
    ws_layout layout;
    size_t *column, n;
    assert_int_equal(ws_layout_init("all", &layout), WS_OK);
    ws_frame *const f = bare(&layout);
    assert_int_equal(ws_brief_columns(f, &column, &n), WS_OK);
    assert_in_range(n, 10, 14);
    for (size_t i = 0; i < n; i++)
        assert_true(layout.column[column[i]].brief && (!i || column[i] > column[i - 1]));
    free(column);
    ws_frame_destroy(f);
    ws_layout_fini(&layout);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_csv),   cmocka_unit_test(test_table),
        cmocka_unit_test(test_md),    cmocka_unit_test(test_json),
        cmocka_unit_test(test_cells), cmocka_unit_test(test_describe),
        cmocka_unit_test(test_brief), cmocka_unit_test(test_describe_features),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
