/* test_analysis.c - does a frame become what plot and report show, whether it comes with components or without? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/status.h"
#include "cli/report/analysis.h"

#include <math.h>
#include <string.h>

enum { ROWS = 6, COLUMNS = 4 };

/* Two heaps of three rows; the last column is constant. */
static ws_frame *heaps(void)
{
    static const char *const label[] = {"workload"}, *const name[COLUMNS] = {"a", "b", "c", "same"};
    static const double value[ROWS * COLUMNS] = {1, 2,  3,  9, 1.1, 2.2, 3.1, 9, 0.9, 1.9, 3.3,  9,
                                                 8, 10, 30, 9, 8.2, 9.9, 31,  9, 7.9, 9.7, 30.5, 9};
    ws_frame *frame = ws_frame_create(ROWS, COLUMNS, 1, label);
    assert_non_null(frame);
    memcpy(frame->value, value, sizeof value);
    for (size_t j = 0; j < COLUMNS; j++)
        assert_int_equal(ws_frame_set_column(frame, j, name[j], "", "G"), WS_OK);
    for (size_t i = 0; i < ROWS; i++) {
        const char text[] = {'r', (char)('1' + i), '\0'};
        assert_int_equal(ws_frame_set_label(frame, i, 0, text), WS_OK);
    }
    return frame;
}

static void components_are_known_by_their_names(void **state)
{
    (void)state;
    ws_frame *frame = heaps();
    assert_false(ws_analysis_has_components(frame));
    static const char *const names[] = {"PC1", "PC2", "PC10", "PC3"};
    for (size_t j = 0; j < COLUMNS; j++)
        ws_frame_set_column(frame, j, names[j], "", "");
    assert_true(ws_analysis_has_components(frame));
    static const char *const others[] = {"PC", "PCX", "PC1a", "pc1"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        ws_frame_set_column(frame, 0, others[i], "", "");
        assert_false(ws_analysis_has_components(frame));
    }
    ws_frame_destroy(frame);
}

static void two_heaps_are_two_clusters(void **state)
{
    (void)state;
    ws_frame *frame = heaps();
    ws_analysis_options options;
    ws_analysis_defaults(&options);
    options.clusters = 2;
    ws_analysis a;
    assert_int_equal(ws_analysis_reduce(frame, "heaps", &options, &a), WS_OK);
    assert_int_equal(ws_analysis_cluster(&options, "heaps", &a), WS_OK);
    const size_t columns = a.groups->columns;
    const long cluster = ws_frame_find_column(a.groups, "cluster"),
               representative = ws_frame_find_column(a.groups, "representative");
    double standing[3] = {0};
    for (size_t i = 0; i < ROWS; i++) {
        const double c = a.groups->value[i * columns + (size_t)cluster];
        assert_true(c == (i < 3 ? 1 : 2));
        standing[(int)c] += a.groups->value[i * columns + (size_t)representative];
    }
    assert_true(standing[1] == 1 && standing[2] == 1);
    assert_true(a.cut > 0 && isfinite(a.cut));
    ws_analysis_fini(&a);
    ws_frame_destroy(frame);
}

static void scores_know_their_shares_without_their_characteristics(void **state)
{
    (void)state;
    ws_frame *frame = heaps();
    ws_analysis_options options;
    ws_analysis_defaults(&options);
    options.pca.amount = 1;
    ws_analysis whole, again;
    assert_int_equal(ws_analysis_reduce(frame, "heaps", &options, &whole), WS_OK);
    assert_int_equal(ws_analysis_reduce(whole.points, "scores", &options, &again), WS_OK);
    assert_ptr_equal(again.points, whole.points);
    const long share = ws_frame_find_column(whole.variance, "share");
    assert_int_equal(again.variance->rows, whole.points->columns);
    for (size_t i = 0; i < again.variance->rows; i++)
        assert_true(fabs(again.variance->value[i] -
                         whole.variance->value[i * whole.variance->columns + (size_t)share]) < 1e-12);
    ws_analysis_fini(&again);
    ws_analysis_fini(&whole);
    ws_frame_destroy(frame);
}

static void standard_columns_have_mean_0_and_deviation_1(void **state)
{
    (void)state;
    ws_frame *frame = heaps(), *standard = NULL;
    ws_analysis_options options;
    ws_analysis_defaults(&options);
    ws_analysis a;
    assert_int_equal(ws_analysis_reduce(frame, "heaps", &options, &a), WS_OK);
    assert_int_equal(ws_analysis_standardise(frame, &options, &a, &standard), WS_OK);
    assert_int_equal(standard->columns, COLUMNS - 1);
    for (size_t j = 0; j < standard->columns; j++) {
        double sum = 0, squares = 0;
        for (size_t i = 0; i < ROWS; i++) {
            sum += standard->value[i * standard->columns + j];
            squares += standard->value[i * standard->columns + j] * standard->value[i * standard->columns + j];
        }
        assert_true(fabs(sum) < 1e-12 && fabs(squares / (ROWS - 1) - 1) < 1e-12);
    }
    ws_frame_destroy(standard);
    ws_analysis_fini(&a);
    ws_frame_destroy(frame);
}

static void too_many_clusters_are_refused(void **state)
{
    (void)state;
    ws_frame *frame = heaps();
    ws_analysis_options options;
    ws_analysis_defaults(&options);
    options.clusters = ROWS + 1;
    ws_analysis a;
    assert_int_equal(ws_analysis_reduce(frame, "heaps", &options, &a), WS_OK);
    assert_int_equal(ws_analysis_cluster(&options, "heaps", &a), WS_EINPUT);
    assert_non_null(strstr(ws_message(), "ask for 6 at most"));
    ws_analysis_fini(&a);
    ws_frame_destroy(frame);
}

static void sizes_come_to_the_front(void **state)
{
    (void)state;
    static const char *const labels[] = {"size", "linkage", "members", "weights"};
    static const char *const text[] = {"4", "single", "A B", "1 1", "x", "single", "A", "1"};
    ws_frame *frame = ws_frame_create(2, 1, 4, labels), *curves = NULL;
    ws_frame_set_column(frame, 0, "speedup", "ratio", "");
    for (size_t i = 0; i < 8; i++)
        ws_frame_set_label(frame, i / 4, i % 4, text[i]);
    frame->value[0] = 3;
    assert_int_equal(ws_analysis_sizes_first(frame, &curves), WS_EINPUT);
    assert_null(curves);
    ws_frame_set_label(frame, 1, 0, "6");
    assert_int_equal(ws_analysis_sizes_first(frame, &curves), WS_OK);
    assert_string_equal(curves->column[0].name, "size");
    assert_true(curves->value[0] == 4 && curves->value[1] == 3 && curves->value[2] == 6);
    assert_string_equal(curves->label[1], "single");
    ws_frame_destroy(curves);
    ws_frame_destroy(frame);
    frame = heaps();
    assert_int_equal(ws_analysis_sizes_first(frame, &curves), WS_OK);
    assert_null(curves);
    ws_frame_destroy(frame);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(components_are_known_by_their_names),
        cmocka_unit_test(two_heaps_are_two_clusters),
        cmocka_unit_test(scores_know_their_shares_without_their_characteristics),
        cmocka_unit_test(standard_columns_have_mean_0_and_deviation_1),
        cmocka_unit_test(too_many_clusters_are_refused),
        cmocka_unit_test(sizes_come_to_the_front),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
