/* figure_floor.c - how does a quantity differ over a die?
 *
 * data: a row a block of a floor plan, with its lower left corner and size in columns x, y, width, height (`warpscape
 * model power --map'). The last column besides these is shown as colour, with a number and a name in blocks that have
 * room for them. Colours span the values of the frame, not from 0. */
#include "plots/figure_internal.h"

#include "base/shown.h"

#include <string.h>

enum { X, Y, WIDTH, HEIGHT, PLACES };
static const char *const places[PLACES] = {"x", "y", "width", "height"};

static const double side_px = 420, least_px = 120, edge_px = 14, foot_px = 46, left_px = 56, scale_px = 96;
static const double name_px = 9, line_px = 12;

typedef struct floor_plan {
    const ws_frame *data;
    double *place[PLACES], *value; /* by row */
    const ws_column *shown;
    ws_limits x, y, values;
} floor_plan;

static int choose(floor_plan *f)
{
    for (size_t c = f->data->columns; c-- && !f->shown;) {
        f->shown = &f->data->column[c];
        for (size_t p = 0; p < PLACES; p++)
            if (!strcmp(f->data->column[c].name, places[p]))
                f->shown = NULL;
    }
    return f->data->rows && f->shown ? WS_OK
                                     : ws_fail(WS_EINPUT, "a floor needs rows, and a column besides x, y, width and "
                                                          "height; `warpscape model power --map' prints some");
}

static int read_columns(floor_plan *f)
{
    const size_t n = f->data->rows;
    int status = ws_plot_column(f->data, "floor", f->shown->name, n, f->value);
    for (size_t p = 0; p < PLACES && !status; p++)
        status = ws_plot_column(f->data, "floor", places[p], n, f->place[p]);
    f->x = f->y = (ws_limits){INFINITY, -INFINITY};
    for (size_t i = 0; i < n && !status; i++) {
        if (!(f->place[WIDTH][i] > 0) || !(f->place[HEIGHT][i] > 0))
            return ws_fail(WS_EINPUT, "row %zu: width and height of a block must be above 0", i + 1);
        f->x.low = fmin(f->x.low, f->place[X][i]);
        f->x.high = fmax(f->x.high, f->place[X][i] + f->place[WIDTH][i]);
        f->y.low = fmin(f->y.low, f->place[Y][i]);
        f->y.high = fmax(f->y.high, f->place[Y][i] + f->place[HEIGHT][i]);
    }
    f->values = ws_plot_limits(f->value, n, 0);
    return status;
}

/* Blocks are `px` pixels a unit of length. Letters are white on the darker half of the scale. */
static void write_blocks(const floor_plan *f, double px, bool named, FILE *script)
{
    fputs("$blocks << EOD\n", script);
    for (size_t i = 0; i < f->data->rows; i++)
        fprintf(script, "%.7g %.7g %.7g %.7g %.7g\n", f->place[X][i], f->place[X][i] + f->place[WIDTH][i],
                f->place[Y][i], f->place[Y][i] + f->place[HEIGHT][i], f->value[i]);
    fputs("EOD\n$names << EOD\n", script);
    for (size_t i = 0; i < f->data->rows; i++) {
        char name[WS_NAME_BYTES], number[32];
        ws_plot_row_name(f->data, i, name);
        snprintf(number, sizeof number, "%.4g", f->value[i]);
        const double wide = px * f->place[WIDTH][i] - 4, high = px * f->place[HEIGHT][i];
        const bool both = named && high >= 2 * line_px && ws_text_width(name, name_px) <= wide;
        if (high < line_px || ws_text_width(number, name_px) > wide)
            continue;
        const bool dark = f->value[i] > (f->values.low + f->values.high) / 2;
        const double middle = f->place[Y][i] + f->place[HEIGHT][i] / 2, half = both ? line_px / 2 / px : 0;
        fprintf(script, "%.7g %.7g %u ", f->place[X][i] + f->place[WIDTH][i] / 2, middle - half,
                dark ? 0xffffffu : WS_INK);
        ws_script_text(script, number);
        fputc('\n', script);
        if (both) {
            fprintf(script, "%.7g %.7g %u ", f->place[X][i] + f->place[WIDTH][i] / 2, middle + half,
                    dark ? 0xffffffu : WS_INK);
            ws_script_text(script, name);
            fputc('\n', script);
        }
    }
    fputs("EOD\n", script);
}

static void write_axes(const floor_plan *f, FILE *script)
{
    const long x = ws_frame_find_column(f->data, "x");
    char title[WS_NAME_BYTES];
    ws_script_number(script, "ws_x_low", f->x.low);
    ws_script_number(script, "ws_x_high", f->x.high);
    ws_script_number(script, "ws_y_low", f->y.low);
    ws_script_number(script, "ws_y_high", f->y.high);
    ws_script_number(script, "ws_low", f->values.low);
    ws_script_number(script, "ws_high", f->values.high);
    ws_script_number(script, "ws_step", ws_nice_step(f->x.high - f->x.low, 6));
    ws_script_number(script, "ws_value_step", ws_nice_step(f->values.high - f->values.low, 5));
    fputs("ws_unit = ", script);
    ws_script_string(script, x >= 0 ? f->data->column[x].unit : "");
    snprintf(title, sizeof title, *f->shown->unit ? "%.*s (%s)" : "%.*s", 200, f->shown->name, f->shown->unit);
    fputs("\nws_value_title = ", script);
    ws_script_string(script, title);
    fputc('\n', script);
}

static int draw(const ws_plot_request *request, floor_plan *f, ws_canvas *canvas, FILE *script)
{
    int status = read_columns(f);
    if (!status)
        status = ws_plot_width(request, least_px + left_px + scale_px, side_px + left_px + scale_px, canvas);
    if (status)
        return status;
    const double wide = canvas->width - left_px - scale_px;
    const double px = wide / (f->x.high - f->x.low), high = px * (f->y.high - f->y.low);
    status = ws_plot_height(request, least_px / 2 + edge_px + foot_px, high + edge_px + foot_px, canvas);
    if (status)
        return status;
    canvas->left = left_px;
    canvas->right = canvas->width - scale_px;
    canvas->top = edge_px;
    canvas->bottom = canvas->height - foot_px;
    const double fits = fmin(px, (canvas->bottom - canvas->top) / (f->y.high - f->y.low));
    canvas->right = canvas->left + fits * (f->x.high - f->x.low); /* one scale for both axes */
    canvas->bottom = canvas->top + fits * (f->y.high - f->y.low);
    write_blocks(f, fits, request->labels != WS_LABELS_NONE, script);
    write_axes(f, script);
    return WS_OK;
}

int ws_figure_floor(const ws_plot_request *request, ws_canvas *canvas, FILE *script)
{
    const size_t n = request->data->rows;
    floor_plan f = {.data = request->data};
    int status = choose(&f);
    double *const memory = status ? NULL : calloc((PLACES + 1) * n, sizeof *memory);
    if (!status && !memory)
        status = ws_fail(WS_EMEM, "out of memory");
    for (size_t p = 0; p < PLACES && memory; p++)
        f.place[p] = memory + p * n;
    f.value = memory ? memory + PLACES * n : NULL;
    if (!status)
        status = draw(request, &f, canvas, script);
    free(memory);
    return status;
}
