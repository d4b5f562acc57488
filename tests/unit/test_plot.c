/* test_plot.c - do figures refuse frames that do not suit them, and say the same thing every time? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/status.h"
#include "plots/figure_internal.h"
#include "plots/plane.h"
#include "plots/plot.h"

#include <stdbool.h>
#include <string.h>

enum { ROWS = 6, COLUMNS = 4 };

/* A frame whose rows are called r1, r2 ..., with columns as named, of values that are all different. */
static ws_frame *frame_of(size_t rows, size_t columns, const char *const *name)
{
    static const char *const label[] = {"workload"};
    ws_frame *frame = ws_frame_create(rows, columns, 1, label);
    assert_non_null(frame);
    for (size_t i = 0; i < rows; i++) {
        char text[16];
        snprintf(text, sizeof text, "r%zu", i + 1);
        assert_int_equal(ws_frame_set_label(frame, i, 0, text), WS_OK);
        for (size_t j = 0; j < columns; j++)
            frame->value[i * columns + j] = (double)((i * 7 + j * 5) % 11) / 10 + 0.01 * (double)i;
    }
    for (size_t j = 0; j < columns; j++)
        assert_int_equal(ws_frame_set_column(frame, j, name[j], "", j < 2 ? "A" : "B"), WS_OK);
    return frame;
}

static ws_frame *components(void)
{
    static const char *const name[] = {"PC1", "PC2", "PC3", "PC4"};
    return frame_of(ROWS, COLUMNS, name);
}

/* ((1 2) 3) ((4 5) 6) */
static ws_frame *tree(void)
{
    static const char *const name[] = {"left", "right", "height"};
    static const double merges[] = {-1, -2, 1, -4, -5, 1.5, 1, -3, 2, 2, -6, 3, 3, 4, 5};
    ws_frame *frame = frame_of(ROWS - 1, 3, name);
    memcpy(frame->value, merges, sizeof merges);
    return frame;
}

static ws_frame *groups(void)
{
    static const char *const name[] = {"cluster", "representative"};
    static const double value[] = {1, 1, 1, 0, 1, 0, 2, 0, 2, 1, 2, 0};
    ws_frame *frame = frame_of(ROWS, 2, name);
    memcpy(frame->value, value, sizeof value);
    return frame;
}

static ws_frame *eigenvalues(void)
{
    static const char *const name[] = {"eigenvalue", "share", "cumulative", "kept"};
    static const double value[] = {2, 0.5, 0.5, 1, 1.2, 0.3, 0.8, 1, 0.8, 0.2, 1, 0};
    ws_frame *frame = frame_of(3, 4, name);
    memcpy(frame->value, value, sizeof value);
    return frame;
}

/* Two nodes, two frames of time, both ways; the second frame is shorter. */
static ws_frame *traffic(void)
{
    static const char *const label[] = {"node", "kind", "direction"}, *const name[] = {"begin", "cycles",
                                                                                       "bytes_per_cycle"};
    ws_frame *const frame = ws_frame_create(8, 3, 3, label);
    assert_non_null(frame);
    for (size_t i = 0; i < 8; i++) {
        const double value[] = {i & 1 ? 10000 : 0, i & 1 ? 5000 : 10000, (double)i / 2};
        assert_int_equal(ws_frame_set_label(frame, i, 0, i < 4 ? "sm0" : "l2_0"), WS_OK);
        assert_int_equal(ws_frame_set_label(frame, i, 1, "all"), WS_OK);
        assert_int_equal(ws_frame_set_label(frame, i, 2, i & 2 ? "reply" : "request"), WS_OK);
        memcpy(frame->value + 3 * i, value, sizeof value);
    }
    for (size_t j = 0; j < 3; j++)
        assert_int_equal(ws_frame_set_column(frame, j, name[j], "", ""), WS_OK);
    return frame;
}

static ws_frame *network(void)
{
    static const char *const name[] = {"cycles",
                                       "noc_request_load_max",
                                       "noc_reply_load_max",
                                       "noc_request_latency",
                                       "noc_reply_latency",
                                       "noc_request_latency_max",
                                       "noc_reply_latency_max",
                                       "noc_request_stalls",
                                       "noc_reply_stalls"};
    ws_frame *const frame = frame_of(ROWS, sizeof name / sizeof *name, name);
    for (size_t i = 0; i < ROWS; i++)
        frame->value[i * frame->columns] = 100; /* cycles */
    return frame;
}

/* Two lines in a panel, one of them with a gap, and modes that are named by a note. */
static ws_frame *timeline(void)
{
    static const char *const name[] = {"time", "supply", "load", "mode"}, *const group[] = {"", "power", "power",
                                                                                            "mode"};
    static const double value[] = {1, 10, 5, 0, 2, 12, 6, 1, 3, 14, NAN, 1, 4, 16, 8, 0};
    ws_frame *const frame = frame_of(4, 4, name);
    memcpy(frame->value, value, sizeof value);
    for (size_t j = 0; j < 4; j++)
        assert_int_equal(ws_frame_set_column(frame, j, name[j], j == 1 || j == 2 ? "W" : "", group[j]), WS_OK);
    assert_int_equal(ws_frame_note(frame, "modes: saving full"), WS_OK);
    return frame;
}

/* Three options; the first one lacks an end, of the second both ends lie on one side. */
static ws_frame *tornado(void)
{
    static const char *const name[] = {"low", "high", "gain_low", "gain_high", "gain_as_is"};
    static const double value[] = {0, 1, NAN, 1.1, 1, 10, 20, 1.3, 1.2, 1, 2, 3, 1, 1, 1};
    ws_frame *const frame = frame_of(3, 5, name);
    memcpy(frame->value, value, sizeof value);
    for (size_t j = 0; j < 5; j++)
        assert_int_equal(ws_frame_set_column(frame, j, name[j], "", j < 2 ? "option" : "gain"), WS_OK);
    return frame;
}

/* Two strata, the second far dearer; the first launch of each stands for it. */
static ws_frame *strata(void)
{
    static const char *const name[] = {"launch", "warp_instructions", "stratum", "weight"};
    static const double value[] = {1, 1000, 1, 2, 2, 90000, 2, 1, 5, 1100, 1, 0};
    ws_frame *const frame = frame_of(3, 4, name);
    memcpy(frame->value, value, sizeof value);
    return frame;
}

/* Four points: two of them are on the front, one has what the other has besides more. */
static ws_frame *front(void)
{
    static const char *const name[] = {"seconds", "joules", "front"};
    static const double value[] = {1, 9, 1, 3, 2, 1, 3, 5, 0, 4, 4, 0};
    ws_frame *const frame = frame_of(4, 3, name);
    memcpy(frame->value, value, sizeof value);
    return frame;
}

/* Names of four columns, and ((c1 c2) (c3 c4)), for a heatmap of them. */
static ws_frame *column_tree(void)
{
    static const char *const name[] = {"left", "right", "height"};
    static const double merges[] = {-1, -3, 0.1, -2, -4, 0.2, 1, 2, 0.9};
    ws_frame *frame = frame_of(COLUMNS - 1, 3, name);
    memcpy(frame->value, merges, sizeof merges);
    return frame;
}

/* Three characteristics; the longest arrow in the plane of PC1 and PC2 is that of the second. */
static ws_frame *loadings(void)
{
    static const char *const name[] = {"PC1", "PC2", "PC3", "PC4"};
    static const double value[] = {0.1, 0.1, 0, 0, -0.6, 0.8, 0, 0, 0.5, 0, 0, 0};
    ws_frame *frame = frame_of(3, COLUMNS, name);
    memcpy(frame->value, value, sizeof value);
    return frame;
}

/* Three kernels: one that touches no memory at a level, and one that computes nothing. */
static ws_frame *roofline(void)
{
    static const char *const name[] = {"reach", "dram_intensity", "l1_intensity"};
    static const double value[] = {100, 0.25, 0.125, 4000, 10, NAN, 0, NAN, NAN};
    ws_frame *const frame = frame_of(3, 3, name);
    memcpy(frame->value, value, sizeof value);
    assert_int_equal(ws_frame_note(frame, "roof: dram bytes 800 DRAM"), WS_OK);
    assert_int_equal(ws_frame_note(frame, "roof: l1 bytes 8000 L1"), WS_OK);
    assert_int_equal(ws_frame_note(frame, "roof: single flop 10000 FP32"), WS_OK);
    return frame;
}

typedef struct inputs {
    ws_frame *column_tree, *loadings, *components, *tree, *groups, *eigenvalues, *traffic, *network, *timeline, *tornado, *strata, *front, *roofline;
} inputs;

static int make_inputs(void **state)
{
    static inputs in;
    in = (inputs){column_tree(), loadings(), components(), tree(), groups(), eigenvalues(), traffic(), network(), timeline(), tornado(), strata(), front(), roofline()};
    *state = &in;
    return 0;
}

static int free_inputs(void **state)
{
    inputs *in = *state;
    ws_frame_destroy(in->column_tree);
    ws_frame_destroy(in->loadings);
    ws_frame_destroy(in->components);
    ws_frame_destroy(in->tree);
    ws_frame_destroy(in->groups);
    ws_frame_destroy(in->eigenvalues);
    ws_frame_destroy(in->traffic);
    ws_frame_destroy(in->network);
    ws_frame_destroy(in->timeline);
    ws_frame_destroy(in->tornado);
    ws_frame_destroy(in->strata);
    ws_frame_destroy(in->front);
    ws_frame_destroy(in->roofline);
    return 0;
}

static ws_plot_request request_of(const inputs *in, const char *figure)
{
    return (ws_plot_request){.data = !strcmp(figure, "scree")      ? in->eigenvalues
                                     : !strcmp(figure, "traffic")  ? in->traffic
                                     : !strcmp(figure, "network")  ? in->network
                                     : !strcmp(figure, "timeline") ? in->timeline
                                     : !strcmp(figure, "tornado")  ? in->tornado
                                     : !strcmp(figure, "strata")   ? in->strata
                                     : !strcmp(figure, "front")    ? in->front
                                     : !strcmp(figure, "roofline") ? in->roofline
                                                                   : in->components,
                             .tree = in->tree,
                             .groups = in->groups,
                             .column_tree = in->column_tree,
                             .arrows = in->loadings,
                             .variance = in->eigenvalues,
                             .cut = 4,
                             .x = 0,
                             .y = 1};
}

static char *script_of(const char *figure, const ws_plot_request *request)
{
    char *script = NULL;
    assert_int_equal(ws_plot_script(ws_figure_find(figure), request, WS_PLOT_SVG, "out.svg", &script), WS_OK);
    return script;
}

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

/* What gnuplot would read otherwise, or a page must not hold: octal numbers where labels of plots read C's escapes, an apostrophe
 * between strings of its own, control characters as they are shown. */
static void names_stay_what_they_are(void **state)
{
    inputs *in = *state;
    ws_frame_set_label(in->components, 0, 0, "a \"b\" \\c\nd 'e' `f`");
    const ws_plot_request request = request_of(in, "dendrogram");
    char *script = script_of("dendrogram", &request);
    assert_non_null(strstr(script, "= 'a \\042b\\042 \\134c\\134nd '.\"'\".'e'.\"'\".' `f`'\n"));
    free(script);
}

/* Width and height of the picture, title included, as the script sets them up. */
static void size_of(const char *script, double *width, double *height)
{
    const char *const size = strstr(script, "set terminal svg size ");
    assert_non_null(size);
    assert_int_equal(sscanf(size, "set terminal svg size %lf,%lf", width, height), 2);
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

/* What stands at the axes of each figure of the inputs, or says what its scale is: a figure without a row here fails. */
static const struct {
    const char *figure, *titles[4];
} axes[] = {
    {"scree", {"principal component", "variance explained"}},
    {"scores", {"PC1 (50.0 % of the variance)", "PC2 (30.0 % of the variance)"}},
    {"biplot", {"PC1 (50.0 % of the variance)", "PC2 (30.0 % of the variance)"}},
    {"loadings", {"loading"}},
    {"dendrogram", {"Euclidean distance, average linkage"}},
    {"columns", {"Euclidean distance, average linkage"}},
    {"heatmap", {"standard deviations from the mean", "Rows: Euclidean distance, average linkage. Columns: 1 - |correlation|."}},
    {"profile", {"Centre to rim: lowest to highest value of all rows.", "PC1 (0 to 1.03)"}},
    {"traffic", {"network cycles", "bytes/cycle"}},
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

/* Half a picture of letters twice as large has the same layout. */
static void letters_scale_a_figure(void **state)
{
    for (size_t i = 0; ws_figure_at(i); i++) {
        ws_plot_request request = request_of(*state, ws_figure_name(ws_figure_at(i)));
        request.width_px = 600;
        request.height_px = 500;
        char *usual = script_of(ws_figure_name(ws_figure_at(i)), &request);
        request.width_px = 1200;
        request.height_px = 1000;
        request.font_pt = 2 * WS_FONT_PT;
        char *large = script_of(ws_figure_name(ws_figure_at(i)), &request);
        assert_non_null(strstr(large, "svg size 1200,1000"));
        assert_non_null(strstr(large, "fontscale 2 linewidth 2"));
        assert_string_equal(strstr(usual, "ws_width"), strstr(large, "ws_width"));
        free(usual);
        free(large);
    }
}

static size_t count(const char *text, const char *word)
{
    size_t n = 0;
    for (; (text = strstr(text, word)); text += strlen(word))
        n++;
    return n;
}

/* Names of rows: of all six, of the two that stand for their clusters, of none. */
static void labels_are_those_that_are_asked_for(void **state)
{
    static const char *const figures[] = {"scores", "biplot", "dendrogram", "columns", "heatmap", "profile"};
    static const size_t shown[] = {[WS_LABELS_ALL] = ROWS, [WS_LABELS_REPRESENTATIVES] = 2, [WS_LABELS_NONE] = 0};
    for (size_t f = 0; f < sizeof figures / sizeof *figures; f++)
        for (size_t l = 0; l < sizeof shown / sizeof *shown; l++) {
            ws_plot_request request = request_of(*state, figures[f]);
            ws_frame *const arrows = request.arrows ? (ws_frame *)request.arrows : NULL;
            for (size_t i = 0; i < 3; i++) /* of arrows, so that rows alone are called r1, r2 ... */
                assert_int_equal(ws_frame_set_label(arrows, i, 0, "arrow"), WS_OK);
            request.labels = (ws_plot_labels)l;
            char *script = script_of(figures[f], &request);
            assert_int_equal(count(script, "= 'r"), shown[l]);
            free(script);
        }
}

/* A hundred rows on a small plane: what is shown does not overlap, a note says how many are not, representatives stay. */
static void names_that_have_no_room_are_left_out(void **state)
{
    enum { MANY = 100 };
    static const char *const name[] = {"PC1", "PC2"}, *const group[] = {"cluster", "representative"};
    (void)state;
    ws_frame *const points = frame_of(MANY, 2, name), *const groups = frame_of(MANY, 2, group);
    for (size_t i = 0; i < MANY; i++) {
        points->value[2 * i] = (double)(i % 10) + 0.01 * (double)i;
        points->value[2 * i + 1] = (double)(i / 10);
        groups->value[2 * i] = 1;
        groups->value[2 * i + 1] = i == 55;
        char text[48];
        snprintf(text, sizeof text, "a_kernel_with_a_name_of_its_own_%zu", i);
        assert_int_equal(ws_frame_set_label(points, i, 0, text), WS_OK);
    }
    const ws_plot_request request = {.data = points, .groups = groups, .cut = NAN, .x = 0, .y = 1, .width_px = 400, .height_px = 300};
    char *script = script_of("scores", &request);
    size_t left_out = 0;
    const char *const note = strstr(script, "ws_note[1] = '");
    assert_non_null(note);
    assert_int_equal(sscanf(note, "ws_note[1] = '%zu of 100 names are left out", &left_out), 1);
    assert_true(left_out > 10 && left_out < MANY);
    assert_int_equal(count(script, "= 'a_"), MANY - left_out);
    assert_non_null(strstr(script, "_55'"));
    assert_non_null(strstr(script, "svg size 400,300 "));
    free(script);
    ws_frame_destroy(points);
    ws_frame_destroy(groups);
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

/* ((c1 c3) (c2 c4)): the cells of the first row of the tree stand in this order, and the strip has the groups' colours. */
static void a_heatmap_orders_its_columns(void **state)
{
    inputs *const in = *state;
    ws_plot_request request = request_of(in, "heatmap");
    const double *const v = in->components->value;
    char text[160], *script = script_of("heatmap", &request);
    snprintf(text, sizeof text, "$cells << EOD\n0 0 %.4g\n1 0 %.4g\n2 0 %.4g\n3 0 %.4g\n", v[0], v[2], v[1], v[3]);
    assert_non_null(strstr(script, text));
    snprintf(text, sizeof text, "$strip << EOD\n0 %u\n1 %u\n2 %u\n3 %u\nEOD", ws_kind_color(0), ws_kind_color(1), ws_kind_color(0),
             ws_kind_color(1));
    assert_non_null(strstr(script, text));
    free(script);
    request.column_tree = NULL;
    script = script_of("heatmap", &request);
    snprintf(text, sizeof text, "$cells << EOD\n0 0 %.4g\n1 0 %.4g\n", v[0], v[1]);
    assert_non_null(strstr(script, text));
    free(script);
    request.column_tree = in->tree; /* of six */
    assert_int_equal(ws_plot_script(ws_figure_find("heatmap"), &request, WS_PLOT_SVG, NULL, &script), WS_EINPUT);
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
        {{"bytes", "bytes", "bytes"}, 2, 1}, {{"ratio", "ratio", "ratio"}, 2, 1}, {{"ratio", "ratio", "bytes"}, 2, 3},
        {{"bytes", "bytes", "K"}, 2, 2},     {{"K", "K", "K"}, 2, 3},             {{"", "", ""}, 2, 3},
        {{"ratio", "bytes", "bytes"}, 1, 2}, {{"", "", ""}, 1, 1},
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

/* Names beside the steps of a front cross neither these nor points behind it, where there is room. */
static void names_keep_clear_of_lines(void **state)
{
    (void)state;
    ws_canvas canvas = {.width = 400, .height = 400, .left = 0, .right = 400, .top = 0, .bottom = 400};
    const ws_plane plane = {{0, 400}, {0, 400}, &canvas}; /* y upwards */
    static const char *const label[] = {"name"};
    ws_frame *const frame = ws_frame_create(1, 0, 1, label);
    assert_non_null(frame);
    assert_int_equal(ws_frame_set_label(frame, 0, 0, "a name of a point"), WS_OK);
    ws_plane_names names;
    assert_int_equal(ws_plane_names_init(&names, 3), WS_OK);
    ws_plane_names_add(&names, 200, 200, WS_POINT_PX, frame, 0, 0, WS_INK);
    ws_plane_names_line(&names, 200, 200, 400, 200);
    ws_plane_names_line(&names, 200, 400, 200, 200);
    assert_int_equal(ws_plane_names_place(&names, &plane), WS_OK);
    const ws_label *const l = &names.label[0];
    assert_false(l->hidden);
    assert_true(l->cx + l->width / 2 <= 200 || fabs(l->cy - 200) >= l->height / 2);
    assert_true(fabs(l->cx - 200) >= l->width / 2 || l->cy - l->height / 2 >= 200);
    ws_plane_names_fini(&names);
    ws_frame_destroy(frame);
}

/* A strip is painted by pixels: a moment of another mode in a pixel does not colour it, and there are no colours but those of the key. */
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
    for (unsigned long from, to, color, end = 0; sscanf(at, "%lu %lu %lu", &from, &to, &color) == 3; at = strchr(at, '\n') + 1) {
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

static void an_svg_is_called_by_its_title(void **state)
{
    (void)state;
    static const char drawn[] = "<svg><title>Gnuplot</title><g id='a'><title>$x using 1:2</title><path/></g></svg>";
    char *svg = strdup(drawn);
    size_t size = sizeof drawn - 1;
    assert_int_equal(ws_svg_name("A & <b>\033[1m", &svg, &size), WS_OK);
    assert_string_equal(svg, "<svg><title>A &amp; &lt;b&gt;\\x1b[1m</title><g id='a'><path/></g></svg>");
    assert_int_equal(size, strlen(svg));
    free(svg);
}

static void titles_make_room(void **state)
{
    ws_plot_request request = request_of(*state, "scree");
    char *plain = script_of("scree", &request);
    request.title = "A title";
    char *titled = script_of("scree", &request);
    assert_non_null(strstr(titled, "ws_title = 'A title'"));
    assert_non_null(strstr(plain, "ws_top = 18.0"));
    assert_non_null(strstr(titled, "ws_top = 44.0"));
    free(plain);
    free(titled);
}

/* Letters become smaller, and then the middle is left out, until a title is no wider than its picture. */
static void titles_fit(void **state)
{
    ws_plot_request request = request_of(*state, "scree");
    char title[400] = "";
    for (size_t words = 1; strlen(title) + sizeof " title" < sizeof title; words++) {
        strcat(title, words == 1 ? "title" : " title");
        request.title = title;
        char *const script = script_of("scree", &request), shown[WS_NAME_BYTES];
        double size, width, height;
        size_of(script, &width, &height);
        assert_int_equal(sscanf(strstr(script, "ws_title = '"), "ws_title = '%511[^']'\nws_title_size = %lf", shown, &size), 2);
        assert_true(size >= 8 && size <= 13);
        assert_true(ws_text_width(shown, size) <= width);
        assert_true(size == 8 || !strcmp(shown, title));
        free(script);
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
    request.tree = in->groups;
    refuse("dendrogram", &request, "no column 'height'");
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

static void fits(const char *text, double width_px, const char *expected)
{
    char name[WS_NAME_BYTES];
    snprintf(name, sizeof name, "%s", text);
    ws_text_fit(name, 10, width_px);
    assert_string_equal(name, expected);
    assert_true(ws_text_width(name, 10) <= width_px || strlen(name) <= 6);
}

static void long_names_lose_their_middle(void **state)
{
    (void)state;
    fits("BFS", 100, "BFS");
    fits("bfs_kernel_of_a_long_name", 60, "bfs_…_name");
    fits("äöüäöüäöüäöü", 35, "äö…äöü");      /* letters stay whole */
    fits("aaaaaaaaaaaaaaaaaaaa", 1, "a…aa"); /* no shorter than that */
    fits("", 0, "");
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, make_inputs, free_inputs)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_names_lose_their_middle),
        TEST(every_figure_draws_and_says_the_same_twice),
        TEST(traffic_is_cells_of_time_and_node),
        TEST(a_timeline_is_lines_and_stretches),
        TEST(a_tornado_is_sorted),
        TEST(names_stay_what_they_are),
        TEST(every_figure_has_the_size_that_is_asked_for),
        TEST(every_axis_has_a_title),
        TEST(every_figure_suits_every_preset),
        TEST(letters_scale_a_figure),
        TEST(labels_are_those_that_are_asked_for),
        cmocka_unit_test(names_that_have_no_room_are_left_out),
        TEST(a_biplot_stretches_its_arrows),
        TEST(a_heatmap_orders_its_columns),
        cmocka_unit_test(a_profile_has_pages),
        TEST(a_scree_counts_what_it_does_not_show),
        TEST(a_heatmap_marks_what_it_clips),
        TEST(curves_choose_their_lines),
        TEST(curves_of_counts_have_whole_tics),
        TEST(curves_keep_their_names_when_values_are_missing),
        TEST(bars_stack_what_has_a_sum),
        TEST(axes_of_many_columns_have_titles),
        TEST(names_keep_clear_of_lines),
        TEST(a_strip_has_the_colours_of_its_key),
        TEST(an_svg_is_called_by_its_title),
        TEST(titles_make_room),
        TEST(titles_fit),
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
