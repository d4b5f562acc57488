/* test_plot_clear.c - do marks, bars and names keep clear of the ends of axes and of lines? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/status.h"
#include "plots/label_placement.h"
#include "plots/plot.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *script_of(const char *figure, const ws_plot_request *request)
{
    char *script = NULL;
    assert_int_equal(ws_plot_script(ws_figure_find(figure), request, WS_PLOT_SVG, "out.svg", &script), WS_OK);
    return script;
}

static double number_of(const char *script, const char *name)
{
    const char *const at = strstr(script, name);
    double value = NAN;
    assert_non_null(at);
    assert_int_equal(sscanf(at + strlen(name), " = %lf", &value), 1);
    return value;
}

/* A frame of three points over 1, 2, 3. */
static ws_frame *points(const double value[3])
{
    static const char *const name[] = {"x", "y"};
    ws_frame *const frame = ws_frame_create(3, 2, 0, NULL);
    assert_non_null(frame);
    for (size_t j = 0; j < 2; j++)
        assert_int_equal(ws_frame_set_column(frame, j, name[j], "", ""), WS_OK);
    for (size_t i = 0; i < 3; i++) {
        frame->value[2 * i] = (double)(i + 1);
        frame->value[2 * i + 1] = value[i];
    }
    return frame;
}

/* The axis is at 0, and where values lie below it so far down that no mark is cut by the lower edge. */
static void curves_below_zero_have_room(void **state)
{
    (void)state;
    static const struct {
        double value[3], most, least; /* where the lower edge may be */
    } cases[] = {{{1, 2, 3}, 0, 0},
                 {{0, 2, 3}, 0, 0},
                 {{-2, 0, 2}, -2.1, -2.5},
                 {{-3, -2, -1}, -3.05, -3.5},
                 {{-3, -3, -3}, -3.05, -4}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ws_frame *const frame = points(cases[i].value);
        const ws_plot_request request = {.data = frame, .cut = NAN};
        char *script = script_of("curves", &request);
        const double low = number_of(script, "\nws_low[1]"), high = number_of(script, "\nws_high[1]");
        if (!(low <= cases[i].most && low >= cases[i].least && high > low))
            fail_msg("case %zu: from %g to %g", i, low, high);
        free(script);
        ws_frame_destroy(frame);
    }
}

/* An axis of shares ends at 1 also where rounding has their sum a little beyond; what is more by a step is shown. */
static void bars_of_shares_end_at_one(void **state)
{
    (void)state;
    static const char *const label[] = {"workload"}, *const name[] = {"a", "b", "c"};
    static const struct {
        double value[3], high;
    } cases[] = {{{0.1, 0.2, 0.7 + 1e-9}, 1}, {{0.1, 0.2, 0.8}, 1.2}, {{0.1, 0.2, 0.7}, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ws_frame *const frame = ws_frame_create(1, 3, 1, label);
        assert_non_null(frame);
        assert_int_equal(ws_frame_set_label(frame, 0, 0, "w"), WS_OK);
        for (size_t j = 0; j < 3; j++) {
            assert_int_equal(ws_frame_set_column(frame, j, name[j], "share", ""), WS_OK);
            frame->value[j] = cases[i].value[j];
        }
        const ws_plot_request request = {.data = frame, .cut = NAN, .stack = true};
        char *script = script_of("bars", &request);
        assert_float_equal(number_of(script, "\nws_high_of[1]"), cases[i].high, 1e-6);
        free(script);
        ws_frame_destroy(frame);
    }
}

/* A name that is too wide for the space beside its point: above it is a wall of points, below begins a step of a line,
 * at 150 down to 210. It goes behind the step rather than on it. */
static void a_wide_name_goes_behind_a_line(void **state)
{
    (void)state;
    const ws_box area = {0, 0, 640, 400};
    ws_label label[] = {
        {.x = 70, .y = 110, .radius = 6, .width = 220, .height = 12},
        {.x = 150, .y = 110, .hidden = 1, .shaft = 1, .sx = 70, .sy = 110},
        {.x = 150, .y = 210, .hidden = 1, .shaft = 1, .sx = 150, .sy = 110},
        {.x = 110, .y = 100, .hidden = 1, .radius = 4},
        {.x = 200, .y = 90, .hidden = 1, .radius = 4},
        {.x = 110, .y = 80, .hidden = 1, .radius = 4},
        {.x = 110, .y = 60, .hidden = 1, .radius = 4},
        {.x = 110, .y = 40, .hidden = 1, .radius = 4},
        {.x = 110, .y = 20, .hidden = 1, .radius = 4},
    };
    assert_int_equal(ws_labels_place(label, sizeof label / sizeof *label, &area), 0);
    const double left = label[0].cx - label[0].width / 2, right = label[0].cx + label[0].width / 2;
    const double top = label[0].cy - label[0].height / 2, bottom = label[0].cy + label[0].height / 2;
    if (left < 150 && right > 150 && top < 210 && bottom > 110)
        fail_msg("the name lies on the line: %g to %g, %g to %g", left, right, top, bottom);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curves_below_zero_have_room),
        cmocka_unit_test(bars_of_shares_end_at_one),
        cmocka_unit_test(a_wide_name_goes_behind_a_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
