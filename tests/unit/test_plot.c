/* test_plot.c - do figures refuse frames that do not suit them, and say the same thing every time? Walks all of them.
 */
#include "plot_inputs.h"

static void every_figure_draws_and_says_the_same_twice(void **state)
{
    size_t figures = 0;
    for (; ws_figure_at(figures); figures++) {
        const char *name = ws_figure_name(ws_figure_at(figures));
        const ws_plot_request request = request_of(*state, name);
        char *one = script_of(name, &request), *other = script_of(name, &request);
        assert_string_equal(one, other);
        assert_non_null(strstr(one, "set output 'out.svg'"));
        assert_non_null(strstr(one, "plot "));
        assert_true(strlen(ws_figure_summary(ws_figure_at(figures))) > 10);
        free(one);
        free(other);
    }
    assert_true(figures >= 9);
}

static void every_figure_has_the_size_that_is_asked_for(void **state)
{
    static const unsigned widths[] = {500, 801, 1600}, heights[] = {400, 901};
    for (size_t i = 0; ws_figure_at(i); i++) {
        const char *const name = ws_figure_name(ws_figure_at(i));
        ws_plot_request request = request_of(*state, name);
        double width, height;
        for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
            request.width_px = widths[w];
            char *script = script_of(name, &request);
            size_of(script, &width, &height);
            assert_true(width == widths[w]);
            free(script);
        }
        request.width_px = 0;
        request.title = "with a title and a note";
        request.note = "The note is as long as a sentence, so that it may need another line in a narrow figure.";
        for (size_t h = 0; h < sizeof heights / sizeof *heights; h++) {
            request.height_px = heights[h];
            char *script = script_of(name, &request);
            size_of(script, &width, &height);
            assert_true(height == heights[h]);
            free(script);
        }
        request.height_px = 1;
        char *script = NULL;
        assert_int_equal(ws_plot_script(ws_figure_at(i), &request, WS_PLOT_SVG, NULL, &script), WS_EINPUT);
        assert_non_null(strstr(ws_message(), "--height 1: this figure needs at least"));
    }
}

/* What stands at the axes of each figure of the inputs, or says what its scale is: a figure without a row here fails.
 */
static const struct {
    const char *figure, *titles[4];
} axes[] = {
    {"scree", {"principal component", "variance explained"}},
    {"scores", {"PC1 (50.0 % of the variance)", "PC2 (30.0 % of the variance)"}},
    {"biplot", {"PC1 (50.0 % of the variance)", "PC2 (30.0 % of the variance)"}},
    {"loadings", {"loading"}},
    {"dendrogram", {"Euclidean distance, average linkage"}},
    {"tanglegram", {"Euclidean distance, average linkage", "distance", "one.csv", "other.csv"}},
    {"columns", {"Euclidean distance, average linkage"}},
    {"heatmap",
     {"standard deviations from the mean", "Rows: Euclidean distance, average linkage. Columns: 1 - |correlation|."}},
    {"profile", {"Centre to rim: lowest to highest value of all rows.", "PC1 (0 to 1.03)"}},
    {"traffic", {"network cycles", "bytes/cycle"}},
    {"floor", {"mm", "temperature (K)"}},
    {"network", {"packets", "network cycles", "mean over time"}},
    {"bars", {"PC1", "PC2"}},
    {"curves", {"PC1", "A", "B"}},
    {"timeline", {"time", "power (W)", "mode"}},
    {"tornado", {"gain"}},
    {"front", {"seconds", "joules"}},
    {"roofline", {"operations for a byte", "1e9 operations a second, at best"}},
    {"strata", {"launch", "warp instructions"}},
};

/* Is `title` a text of the picture, not one of its script? */
static bool is_shown(const char *svg, const char *title)
{
    char text[256];
    snprintf(text, sizeof text, ">%s<", title);
    return strstr(svg, text) != NULL;
}

static void every_axis_has_a_title(void **state)
{
    for (size_t i = 0; ws_figure_at(i); i++) {
        const char *const name = ws_figure_name(ws_figure_at(i));
        size_t row = 0;
        while (row < sizeof axes / sizeof *axes && strcmp(axes[row].figure, name) != 0)
            row++;
        if (row == sizeof axes / sizeof *axes)
            fail_msg("the figure %s has no row in axes[]", name);
        ws_plot_request request = request_of(*state, name);
        request.tree_axis = "Euclidean distance, average linkage";
        char *svg = NULL;
        size_t size;
        assert_int_equal(ws_plot_draw(ws_figure_at(i), &request, WS_PLOT_SVG, &svg, &size), WS_OK);
        for (size_t t = 0; t < 4 && axes[row].titles[t]; t++)
            if (!is_shown(svg, axes[row].titles[t]))
                fail_msg("the figure %s does not show \"%s\"", name, axes[row].titles[t]);
        free(svg);
    }
}

/* Each preset, and letters of twice the size: the picture has the size that is asked for; nothing is out of it. */
static void every_figure_suits_every_preset(void **state)
{
    for (size_t p = 0; ws_plot_preset_at(p); p++) {
        const ws_plot_preset *const preset = ws_plot_preset_at(p);
        assert_true(preset->font_pt >= 8 && strlen(preset->source) > 20);
        for (size_t i = 0; ws_figure_at(i); i++) {
            ws_plot_request request = request_of(*state, ws_figure_name(ws_figure_at(i)));
            request.width_px = (unsigned)lround(preset->width_in * WS_PX_PER_INCH);
            request.height_px = (unsigned)lround(preset->height_in * WS_PX_PER_INCH);
            request.font_pt = preset->font_pt;
            char *script = script_of(ws_figure_name(ws_figure_at(i)), &request);
            double width, height;
            size_of(script, &width, &height);
            assert_true(width == request.width_px);
            assert_true(!request.height_px || height == request.height_px);
            free(script);
        }
    }
}

static void refuse(const char *figure, const ws_plot_request *request, const char *message)
{
    char *script = NULL;
    assert_int_equal(ws_plot_script(ws_figure_find(figure), request, WS_PLOT_SVG, NULL, &script), WS_EINPUT);
    assert_null(script);
    assert_non_null(strstr(ws_message(), message));
}

static void trees_that_are_none_are_refused(void **state)
{
    inputs *in = *state;
    ws_plot_request request = request_of(in, "dendrogram");
    const size_t left = 0, columns = in->tree->columns;
    static const struct {
        size_t merge;
        double value;
        const char *message;
    } wrong[] = {
        {0, 0, "neither a row nor an earlier merge"},
        {0, -7, "neither a row nor an earlier merge"},
        {0, 1, "neither a row nor an earlier merge"},
        {1, 1.5, "neither a row nor an earlier merge"},
        {2, -1, "already joined"},
        {3, 1, "already joined"},
        {0, NAN, "has no number in column 'left'"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        double *cell = &in->tree->value[wrong[i].merge * columns + left];
        const double before = *cell;
        *cell = wrong[i].value;
        refuse("dendrogram", &request, wrong[i].message);
        refuse("heatmap", &request, wrong[i].message);
        *cell = before;
    }
    request.tree = NULL;
    refuse("dendrogram", &request, "needs a cluster tree");
    refuse("tanglegram", &request, "needs two cluster trees");
    request.tree = in->groups;
    refuse("dendrogram", &request, "no column 'height'");
    request.tree = in->tree;
    request.other_tree = NULL;
    refuse("tanglegram", &request, "needs two cluster trees");
    request.other_tree = in->groups;
    refuse("tanglegram", &request, "no column 'height'");
    request.tree = in->tree;
    request.data = in->eigenvalues;
    refuse("dendrogram", &request, "rows where the figure needs");
}

static void missing_numbers_are_refused(void **state)
{
    inputs *in = *state;
    in->components->value[0] = NAN;
    in->eigenvalues->value[0] = INFINITY;
    static const char *const figures[] = {"scores", "loadings", "profile", "scree"};
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        const ws_plot_request request = request_of(in, figures[i]);
        refuse(figures[i], &request, "no number in column");
    }
    /* A heatmap shows them as gaps. */
    const ws_plot_request request = request_of(in, "heatmap");
    char *script = script_of("heatmap", &request);
    assert_null(strstr(script, "nan"));
    free(script);
}

static void wrong_shapes_are_refused(void **state)
{
    inputs *in = *state;
    ws_plot_request request = request_of(in, "scores");
    request.y = 0;
    refuse("scores", &request, "two different columns");
    request.y = COLUMNS;
    refuse("scores", &request, "two different columns");
    request = request_of(in, "profile");
    request.data = in->groups;
    refuse("profile", &request, "3 to 12 columns");
    request = request_of(in, "scree");
    request.data = in->components;
    refuse("scree", &request, "no column 'eigenvalue'");
    request = request_of(in, "timeline");
    request.data = in->components; /* its first column does not rise */
    refuse("timeline", &request, "does not rise");
    request = request_of(in, "tornado");
    request.data = in->timeline;
    refuse("tornado", &request, "columns in threes of one group");
    ws_frame *empty = frame_of(0, 0, NULL);
    for (size_t i = 0; ws_figure_at(i); i++) {
        request = request_of(in, "scores");
        request.data = empty;
        char *script = NULL;
        assert_int_equal(ws_plot_script(ws_figure_at(i), &request, WS_PLOT_SVG, NULL, &script), WS_EINPUT);
    }
    ws_frame_destroy(empty);
}

static void formats_come_from_the_name(void **state)
{
    (void)state;
    ws_plot_format format;
    assert_int_equal(ws_plot_format_of("a/b.svg", &format), WS_OK);
    assert_int_equal(format, WS_PLOT_SVG);
    assert_int_equal(ws_plot_format_of("b.PDF", &format), WS_OK);
    assert_int_equal(format, WS_PLOT_PDF);
    assert_int_equal(ws_plot_format_of("b.gp", &format), WS_OK);
    assert_int_equal(format, WS_PLOT_SCRIPT);
    static const char *const wrong[] = {"", "svg", "b.", "b.jpg", "b.svg.gz"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_int_equal(ws_plot_format_of(wrong[i], &format), WS_EINPUT);
}

static void a_missing_gnuplot_is_named(void **state)
{
    (void)state;
    char *bytes;
    size_t size;
    setenv("GNUPLOT", "/nowhere/gnuplot", 1);
    assert_int_equal(ws_plot_render("plot x\n", WS_PLOT_SVG, &bytes, &size), WS_ENOTFOUND);
    assert_non_null(strstr(ws_message(), "apt-get install gnuplot-nox"));
    setenv("GNUPLOT", "false", 1);
    assert_int_equal(ws_plot_render("plot x\n", WS_PLOT_SVG, &bytes, &size), WS_EIO);
    setenv("GNUPLOT", "true", 1);
    assert_int_equal(ws_plot_render("plot x\n", WS_PLOT_SVG, &bytes, &size), WS_EIO);
    assert_null(bytes);
    unsetenv("GNUPLOT");
}

static void steps_are_round(void **state)
{
    (void)state;
    assert_true(ws_nice_step(10, 5) == 2);
    assert_true(fabs(ws_nice_step(0.7, 7) - 0.1) < 1e-12);
    assert_true(ws_nice_step(12, 5) == 5);
    assert_true(ws_nice_step(0, 5) > 0);
}

static void limits_are_never_empty(void **state)
{
    (void)state;
    static const double same[] = {3, 3}, none[] = {NAN};
    const ws_limits a = ws_plot_limits(same, 2, 0.1), b = ws_plot_limits(none, 1, 0.1),
                    c = ws_plot_limits(NULL, 0, 0.1);
    assert_true(a.low < 3 && a.high > 3);
    assert_true(b.low < b.high && c.low < c.high);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, make_inputs, free_inputs)
    const struct CMUnitTest tests[] = {
        TEST(every_figure_draws_and_says_the_same_twice),
        TEST(every_figure_has_the_size_that_is_asked_for),
        TEST(every_axis_has_a_title),
        TEST(every_figure_suits_every_preset),
        TEST(trees_that_are_none_are_refused),
        TEST(missing_numbers_are_refused),
        TEST(wrong_shapes_are_refused),
        TEST(formats_come_from_the_name),
        TEST(a_missing_gnuplot_is_named),
        TEST(steps_are_round),
        TEST(limits_are_never_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
