/* test_plot_text.c - names and titles in figures: they stay what they are, have room, and cross nothing. */
#include "plot_inputs.h"

#include "plots/plane.h"

/* What gnuplot would read otherwise, or a page must not hold: octal numbers where labels of plots read C's escapes, an
 * apostrophe between strings of its own, control characters as they are shown. */
static void names_stay_what_they_are(void **state)
{
    inputs *in = *state;
    ws_frame_set_label(in->components, 0, 0, "a \"b\" \\c\nd 'e' `f`");
    const ws_plot_request request = request_of(in, "dendrogram");
    char *script = script_of("dendrogram", &request);
    assert_non_null(strstr(script, "= 'a \\042b\\042 \\134c\\134nd '.\"'\".'e'.\"'\".' `f`'\n"));
    free(script);
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

/* Names of rows: of all six, of the two that stand for their clusters, of none. */
static void labels_are_those_that_are_asked_for(void **state)
{
    static const char *const figures[] = {"scores",  "biplot",  "dendrogram", "columns",
                                          "heatmap", "profile", "tanglegram"}; /* which has them on both sides */
    static const size_t shown[] = {[WS_LABELS_ALL] = ROWS, [WS_LABELS_REPRESENTATIVES] = 2, [WS_LABELS_NONE] = 0};
    for (size_t f = 0; f < sizeof figures / sizeof *figures; f++)
        for (size_t l = 0; l < sizeof shown / sizeof *shown; l++) {
            ws_plot_request request = request_of(*state, figures[f]);
            ws_frame *const arrows = request.arrows ? (ws_frame *)request.arrows : NULL;
            for (size_t i = 0; i < 3; i++) /* of arrows, so that rows alone are called r1, r2 ... */
                assert_int_equal(ws_frame_set_label(arrows, i, 0, "arrow"), WS_OK);
            request.labels = (ws_plot_labels)l;
            char *script = script_of(figures[f], &request);
            assert_int_equal(count(script, "= 'r"), strcmp(figures[f], "tanglegram") ? shown[l] : 2 * shown[l]);
            free(script);
        }
}

/* A hundred rows on a small plane: what is shown does not overlap, a note says how many are not, representatives stay.
 */
static void names_that_have_no_room_are_left_out(void **state)
{
    enum { MANY = 60 };
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
    const ws_plot_request request = {
        .data = points, .groups = groups, .cut = NAN, .x = 0, .y = 1, .width_px = 400, .height_px = 300};
    char *script = script_of("scores", &request);
    size_t left_out = 0;
    const char *const note = strstr(script, "ws_note[1] = '");
    assert_non_null(note);
    assert_int_equal(sscanf(note, "ws_note[1] = '%zu of 60 names are left out", &left_out), 1);
    assert_true(left_out > 10 && left_out < MANY);
    assert_int_equal(count(script, "= 'a_"), MANY - left_out);
    assert_non_null(strstr(script, "_55'"));
    assert_non_null(strstr(script, "svg size 400,300 "));
    free(script);
    ws_frame_destroy(points);
    ws_frame_destroy(groups);
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
        assert_int_equal(
            sscanf(strstr(script, "ws_title = '"), "ws_title = '%511[^']'\nws_title_size = %lf", shown, &size), 2);
        assert_true(size >= 8 && size <= 13);
        assert_true(ws_text_width(shown, size) <= width);
        assert_true(size == 8 || !strcmp(shown, title));
        free(script);
    }
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

static void parameters_go_first(void **state)
{
    static const char *const names[][2] = {
        {"app/visit(int*, int)/dram", "app/visit/dram"},
        {"app/scan<int, void (*)(int)>(float*)", "app/scan<int, void (*)(int)>"},
        {"app/(anonymous namespace)::f(int (*)(int), int)", "app/(anonymous namespace)::f"},
        {"app/g::operator()(int) const", "app/g::operator() const"},
        {"app (old)/plain", "app (old)/plain"},
        {"app/open(int", "app/open(int"},
        {"", ""},
    };
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char name[WS_NAME_BYTES];
        snprintf(name, sizeof name, "%s", names[i][0]);
        ws_text_brief(name);
        assert_string_equal(name, names[i][1]);
    }
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, make_inputs, free_inputs)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_names_lose_their_middle),
        cmocka_unit_test(parameters_go_first),
        TEST(names_stay_what_they_are),
        TEST(letters_scale_a_figure),
        TEST(labels_are_those_that_are_asked_for),
        cmocka_unit_test(names_that_have_no_room_are_left_out),
        TEST(names_keep_clear_of_lines),
        TEST(an_svg_is_called_by_its_title),
        TEST(titles_make_room),
        TEST(titles_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
