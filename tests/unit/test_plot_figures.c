/* test_plot_figures.c - what single figures draw of their frames. */
#include "plot_inputs.h"

/* Cells are written where there is traffic, with their ends in time and the row of their node. */
static void traffic_is_cells_of_time_and_node(void **state)
{
    const ws_plot_request request = request_of(*state, "traffic");
    char *script = script_of("traffic", &request);
    assert_non_null(strstr(script,
                           "$cells << EOD\n0 0 0 0\n0 10000 1 2\n10000 15000 0 0.5\n10000 15000 1 2.5\n\n\n0 0 0 0\n"
                           "0 10000 0 1\n0 10000 1 3\n10000 15000 0 1.5\n10000 15000 1 3.5\nEOD\n"));
    assert_non_null(strstr(script, "ws_most = 4.0"));
    free(script);
}

/* A missing value breaks its line; rows of one mode are one stretch of the strip, from the end of the row before. */
static void a_timeline_is_lines_and_stretches(void **state)
{
    const ws_plot_request request = request_of(*state, "timeline");
    char *script = script_of("timeline", &request);
    assert_non_null(strstr(script, "$lines << EOD\n1 10\n2 12\n3 14\n4 16\n\n\n1 5\n2 6\n\n4 8\n\n\n"
                                   "0 192 29362\n192 576 13983232\n576 768 29362\n\n\nEOD\n"));
    assert_non_null(strstr(script, "ws_title_of[1] = 'power (W)'"));
    assert_non_null(strstr(script, "ws_key_name[3] = 'saving'"));
    assert_non_null(strstr(script, "ws_key_name[4] = 'full'"));
    assert_non_null(strstr(script, "ws_panels = 2\n"));
    free(script);
}

/* The option that changes most comes first, its longer bar before the shorter one that lies on it; a missing end has
 * none. */
static void a_tornado_is_sorted(void **state)
{
    const ws_plot_request request = request_of(*state, "tornado");
    char *script = script_of("tornado", &request);
    assert_non_null(strstr(script, "$bars << EOD\n-9 0 0 0\n0 1 1.3 29362\n0 1 1.2 13983232\n1 1 1.1 13983232\n"
                                   "2 1 1 29362\n2 1 1 13983232\nEOD\n"));
    assert_non_null(strstr(script, "'r2 (10 to 20)'"));
    free(script);
}

/* The longest arrow comes first, all are stretched alike, to the reach of the points, which the note says. */
static void a_biplot_stretches_its_arrows(void **state)
{
    inputs *const in = *state;
    ws_plot_request request = request_of(in, "biplot");
    request.most = 2;
    double far[2] = {0, 0};
    for (size_t i = 0; i < ROWS; i++)
        for (size_t k = 0; k < 2; k++)
            far[k] = fmax(far[k], fabs(in->components->value[i * COLUMNS + k]));
    const double stretch = fmin(far[0] / 0.6, far[1] / 0.8);
    char *script = script_of("biplot", &request), text[128];
    double x[2], y[2];
    const char *const arrows = strstr(script, "$arrows << EOD\n");
    assert_non_null(arrows);
    assert_int_equal(sscanf(arrows, "$arrows << EOD %lf %lf %lf %lf EOD", &x[0], &y[0], &x[1], &y[1]), 4);
    assert_true(fabs(x[0] + 0.6 * stretch) < 5e-3 * stretch && fabs(y[0] - 0.8 * stretch) < 5e-3 * stretch);
    assert_true(fabs(x[0] / -0.6 - x[1] / 0.5) < 1e-6 && y[1] == 0);
    snprintf(text, sizeof text, "Arrows: loadings times %.3g, the 2 longest of 3.", stretch);
    assert_non_null(strstr(script, text));
    free(script);
    request.arrows = NULL;
    assert_int_equal(ws_plot_script(ws_figure_find("biplot"), &request, WS_PLOT_SVG, NULL, &script), WS_EINPUT);
}

/* ((c1 c3) (c2 c4)): the cells of the first row of the tree stand in this order, and the strip has the groups' colours.
 */
static void a_heatmap_orders_its_columns(void **state)
{
    inputs *const in = *state;
    ws_plot_request request = request_of(in, "heatmap");
    const double *const v = in->components->value;
    char text[160], *script = script_of("heatmap", &request);
    snprintf(text, sizeof text, "$cells << EOD\n0 0 %.4g\n1 0 %.4g\n2 0 %.4g\n3 0 %.4g\n", v[0], v[2], v[1], v[3]);
    assert_non_null(strstr(script, text));
    snprintf(text, sizeof text, "$strip << EOD\n0 %u\n1 %u\n2 %u\n3 %u\nEOD", ws_kind_color(0), ws_kind_color(1),
             ws_kind_color(0), ws_kind_color(1));
    assert_non_null(strstr(script, text));
    free(script);
    request.column_tree = NULL;
    script = script_of("heatmap", &request);
    snprintf(text, sizeof text, "$cells << EOD\n0 0 %.4g\n1 0 %.4g\n", v[0], v[1]);
    assert_non_null(strstr(script, text));
    free(script);
    request.labels = WS_LABELS_NONE; /* nor room for names below */
    script = script_of("heatmap", &request);
    assert_non_null(strstr(script, "ws_feet = 0.0\n"));
    free(script);
    request.column_tree = in->tree; /* of six */
    assert_int_equal(ws_plot_script(ws_figure_find("heatmap"), &request, WS_PLOT_SVG, NULL, &script), WS_EINPUT);
}

/* Columns that are narrower than letters have no names, nor room for them. */
static void a_heatmap_of_many_columns_has_no_names(void **state)
{
    enum { MANY = 200 };
    const char *name[MANY];
    inputs *const in = *state;
    for (size_t i = 0; i < MANY; i++)
        name[i] = "column";
    ws_frame *const many = frame_of(in->components->rows, MANY, name);
    ws_plot_request request = request_of(in, "heatmap");
    request.data = many;
    request.column_tree = NULL;
    request.width_px = 600;
    char *script = script_of("heatmap", &request);
    assert_non_null(strstr(script, "ws_feet = 0.0\n"));
    assert_non_null(strstr(script, "Names of columns are left out: 200 columns."));
    free(script);
    ws_frame_destroy(many);
}

/* Of many rows a page; the scale is that of all. */
static void a_profile_has_pages(void **state)
{
    enum { MANY = 100 };
    static const char *const name[] = {"a", "b", "c"};
    (void)state;
    ws_frame *const rows = frame_of(MANY, 3, name);
    rows->value[3 * 99] = 77;
    ws_plot_request request = {.data = rows, .cut = NAN};
    char *script = script_of("profile", &request);
    assert_non_null(strstr(script, "ws_stars = 40.0"));
    assert_non_null(strstr(script, "Rows 1 to 40 of 100; --rows shows others."));
    assert_non_null(strstr(script, "a (0 to 77)"));
    free(script);
    request.first = 81;
    request.last = 100;
    script = script_of("profile", &request);
    assert_non_null(strstr(script, "ws_stars = 20.0"));
    assert_non_null(strstr(script, "= 'r81'"));
    assert_null(strstr(script, "= 'r80'"));
    free(script);
    request.last = 101;
    assert_int_equal(ws_plot_script(ws_figure_find("profile"), &request, WS_PLOT_SVG, NULL, &script), WS_EINPUT);
    assert_non_null(strstr(ws_message(), "there are 100 rows"));
    ws_frame_destroy(rows);
}

/* Components that are not shown are counted too. */
static void a_scree_counts_what_it_does_not_show(void **state)
{
    ws_plot_request request = request_of(*state, "scree");
    request.most = 1;
    char *script = script_of("scree", &request);
    assert_non_null(strstr(script, "ws_shown = 1.0"));
    assert_non_null(strstr(script, "ws_kept = 2.0"));
    assert_non_null(strstr(script, "ws_left_out = 1.0"));
    assert_non_null(strstr(script, "ws_note[1] = 'The first 1 of 3 components.'"));
    free(script);
}

/* Values beyond the scale have its last colours; the scale's ends and a note say so. */
static void a_heatmap_marks_what_it_clips(void **state)
{
    inputs *in = *state;
    const ws_plot_request request = request_of(in, "heatmap");
    char *script = script_of("heatmap", &request);
    assert_non_null(strstr(script, "ws_low_mark = ''\nws_high_mark = ''"));
    assert_null(strstr(script, "lie beyond the scale"));
    free(script);
    in->components->value[5] = 7.5;
    script = script_of("heatmap", &request);
    assert_non_null(strstr(script, "ws_low_mark = ''\nws_high_mark = '≥ '"));
    assert_non_null(strstr(script, "'1 of 24 values lie beyond the scale"));
    free(script);
}

/* A hundred lines are no figure: those that change most are shown, and a note says so. */
static void curves_choose_their_lines(void **state)
{
    enum { LINES = 100 };
    char text[LINES + 1][8];
    const char *name[LINES + 1];
    (void)state;
    for (size_t j = 0; j <= LINES; j++) {
        snprintf(text[j], sizeof text[j], "c%zu", j);
        name[j] = text[j];
    }
    ws_frame *const frame = frame_of(2, LINES + 1, name);
    for (size_t j = 0; j <= LINES; j++) {
        assert_int_equal(ws_frame_set_column(frame, j, name[j], "", ""), WS_OK);
        frame->value[j] = 0;
        frame->value[LINES + 1 + j] = j == 0 ? 1 : (double)((j * 37) % 101);
    }
    ws_plot_request request = {.data = frame, .cut = NAN, .most = 2};
    char *script = script_of("curves", &request);
    assert_non_null(strstr(script, "ws_last[1] = 2\n"));
    assert_non_null(strstr(script, "ws_name[1] = 'c30'")); /* 30 * 37 % 101 = 100, 60 * 37 % 101 = 99 */
    assert_null(strstr(script, "'c1'"));
    assert_non_null(strstr(script, "'2 of 100 lines: those whose highest and lowest values lie farthest apart.'"));
    free(script);
    ws_frame_destroy(frame);
}

/* Counts have tics at whole numbers, other values in between. */
static void curves_of_counts_have_whole_tics(void **state)
{
    (void)state;
    static const char *const name[] = {"clusters", "silhouette"};
    static const struct {
        double first;
        const char *step;
    } cases[] = {{2, "ws_x_step = 1.0\n"}, {2.5, "ws_x_step = 0.05\n"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ws_frame *const frame = frame_of(2, 2, name);
        const double value[] = {cases[i].first, 0.5, 3, 0.25};
        memcpy(frame->value, value, sizeof value);
        const ws_plot_request request = {.data = frame, .cut = NAN};
        char *script = script_of("curves", &request);
        if (!strstr(script, cases[i].step))
            fail_msg("not %s but %.40s", cases[i].step, strstr(script, "ws_x_step"));
        free(script);
        ws_frame_destroy(frame);
    }
}

/* Missing values are gaps of their own line: those behind it keep their names. */
static void curves_keep_their_names_when_values_are_missing(void **state)
{
    static const char *const name[] = {"x", "a", "b", "c"};
    (void)state;
    ws_frame *const frame = frame_of(3, 4, name);
    for (size_t j = 0; j < 4; j++) {
        assert_int_equal(ws_frame_set_column(frame, j, name[j], "", ""), WS_OK);
        for (size_t i = 0; i < 3; i++)
            frame->value[i * 4 + j] = j == 2 ? NAN : (double)(10 * j + i);
    }
    const ws_plot_request request = {.data = frame, .cut = NAN};
    char *script = script_of("curves", &request);
    assert_non_null(strstr(script, "\n0 10\n1 11\n2 12\n\n\nNaN NaN\nNaN NaN\nNaN NaN\n\n\n0 30\n1 31\n2 32\n\n\n"));
    free(script);
    ws_frame_destroy(frame);
}

static ws_frame *bars_of(const char *const unit[3], size_t labels)
{
    static const char *const label[] = {"workload", "kernel"}, *const name[] = {"a", "b", "c"};
    static const double value[] = {0.25, 0.5, 0.25, 0.125, 0.125, 0.75};
    ws_frame *const frame = ws_frame_create(2, 3, labels, label);
    assert_non_null(frame);
    memcpy(frame->value, value, sizeof value);
    for (size_t j = 0; j < 3; j++)
        assert_int_equal(ws_frame_set_column(frame, j, name[j], unit[j], ""), WS_OK);
    return frame;
}

/* What stands on one axis: amounts of one unit and shares of one whole are summed, nothing else is. */
static void bars_stack_what_has_a_sum(void **state)
{
    (void)state;
    static const struct {
        const char *unit[3];
        size_t labels, panels;
    } cases[] = {
        {{"bytes", "bytes", "bytes"}, 2, 1},
        {{"ratio", "ratio", "ratio"}, 2, 1},
        {{"ratio", "ratio", "bytes"}, 2, 3},
        {{"bytes", "bytes", "K"}, 2, 2},
        {{"K", "K", "K"}, 2, 3},
        {{"", "", ""}, 2, 3},
        {{"ratio", "bytes", "bytes"}, 1, 2},
        {{"", "", ""}, 1, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ws_frame *const frame = bars_of(cases[i].unit, cases[i].labels);
        ws_plot_request request = {.data = frame, .cut = NAN};
        char *script = script_of("bars", &request), expected[32];
        snprintf(expected, sizeof expected, "ws_panels = %zu\n", cases[i].panels);
        assert_non_null(strstr(script, expected));
        free(script);
        request.stack = true;
        const bool same = !strcmp(cases[i].unit[0], cases[i].unit[1]) && !strcmp(cases[i].unit[0], cases[i].unit[2]);
        if (same) {
            script = script_of("bars", &request);
            assert_non_null(strstr(script, "ws_panels = 1\n"));
            free(script);
        } else {
            assert_int_equal(ws_plot_script(ws_figure_find("bars"), &request, WS_PLOT_SVG, NULL, &script), WS_EINPUT);
            assert_non_null(strstr(ws_message(), "have different units and no sum"));
        }
        ws_frame_destroy(frame);
    }
}

/* Columns that have neither a group nor a unit in common still stand on an axis that says something. */
/* A name of a cluster of one bar is wider than the bar; half of the free places beside it are its own. */
static void names_of_clusters_use_the_gaps(void **state)
{
    (void)state;
    enum { CLUSTERS = 24, WIDTH = 1100 };
    ws_frame *const frame = ws_frame_create(CLUSTERS, 1, 1, NULL);
    assert_non_null(frame);
    assert_int_equal(ws_frame_set_column(frame, 0, "x", "", ""), WS_OK);
    for (size_t i = 0; i < CLUSTERS; i++) {
        frame->value[i] = 1;
        assert_int_equal(ws_frame_set_label(frame, i, 0, i % 2 ? "FWT" : "a name that is as wide as three bars"),
                         WS_OK);
    }
    const ws_plot_request request = {.data = frame, .cut = NAN, .width_px = WIDTH};
    char *const script = script_of("bars", &request);
    assert_non_null(strstr(script, "ws_cluster_name[2] = 'FWT'\n"));
    assert_null(strstr(script, "ws_cluster_name[1] = 'a name that is as wide as three bars'\n"));
    free(script);
    ws_frame_destroy(frame);
}

static void axes_of_many_columns_have_titles(void **state)
{
    (void)state;
    static const struct {
        const char *unit[3], *title;
    } cases[] = {{{"", "", ""}, "value"}, {{"ratio", "ratio", "ratio"}, "ratio"}, {{"J", "J", "J"}, "J"}};
    static const char *const figures[] = {"bars", "curves"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t f = 0; f < sizeof figures / sizeof *figures; f++) {
            ws_frame *const frame = bars_of(cases[i].unit, 1);
            const ws_plot_request request = {.data = frame, .cut = NAN};
            char *script = script_of(figures[f], &request), quoted[32];
            snprintf(quoted, sizeof quoted, " = '%s'\n", cases[i].title);
            if (!strstr(script, quoted))
                fail_msg("%s of '%s' have no axis of that name", figures[f], cases[i].unit[0]);
            free(script);
            ws_frame_destroy(frame);
        }
}

/* A strip is painted by pixels: a moment of another mode in a pixel does not colour it, and there are no colours but
 * those of the key. */
static void a_strip_has_the_colours_of_its_key(void **state)
{
    enum { MOMENTS = 20000, MODES = 20 };
    static const char *const name[] = {"time", "mode"};
    (void)state;
    ws_frame *const frame = frame_of(MOMENTS, 2, name);
    assert_int_equal(ws_frame_set_column(frame, 1, "mode", "", "mode"), WS_OK);
    for (size_t i = 0; i < MOMENTS; i++) {
        frame->value[2 * i] = (double)(i + 1);
        frame->value[2 * i + 1] = i % 7 == 0 ? 1 : (double)(i * MODES / MOMENTS);
    }
    const ws_plot_request request = {.data = frame, .cut = NAN};
    char *script = script_of("timeline", &request);
    const char *at = strstr(script, "$lines << EOD\n");
    assert_non_null(at);
    at = strchr(at, '\n') + 1;
    size_t runs = 0;
    for (unsigned long from, to, color, end = 0; sscanf(at, "%lu %lu %lu", &from, &to, &color) == 3;
         at = strchr(at, '\n') + 1) {
        char key[32];
        snprintf(key, sizeof key, "] = %lu\n", color);
        assert_non_null(strstr(strstr(script, "array ws_key_color"), key));
        assert_int_equal(from, end); /* whole pixels, one beside the other */
        end = to;
        runs++;
    }
    assert_int_equal(runs, WS_KINDS + 1);
    assert_non_null(strstr(script, "'modes from 17'"));
    free(script);
    ws_frame_destroy(frame);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, make_inputs, free_inputs)
    const struct CMUnitTest tests[] = {
        TEST(traffic_is_cells_of_time_and_node),
        TEST(a_timeline_is_lines_and_stretches),
        TEST(a_tornado_is_sorted),
        TEST(a_biplot_stretches_its_arrows),
        TEST(a_heatmap_orders_its_columns),
        TEST(a_heatmap_of_many_columns_has_no_names),
        cmocka_unit_test(a_profile_has_pages),
        TEST(a_scree_counts_what_it_does_not_show),
        TEST(a_heatmap_marks_what_it_clips),
        TEST(curves_choose_their_lines),
        TEST(curves_of_counts_have_whole_tics),
        TEST(curves_keep_their_names_when_values_are_missing),
        TEST(bars_stack_what_has_a_sum),
        TEST(names_of_clusters_use_the_gaps),
        TEST(axes_of_many_columns_have_titles),
        TEST(a_strip_has_the_colours_of_its_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
