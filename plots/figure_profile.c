/* figure_profile.c - what shape has each workload?
 *
 * data: a row a workload, LEAST_AXES to MOST_AXES columns. Each column is stretched from the lowest value of any row (centre) to the
 * highest (rim). groups: colours. One star a workload; long column names are numbered and listed below. */
#include "plots/figure_internal.h"

#include "base/shown.h"

#include <string.h>

enum { LEAST_AXES = 3, MOST_AXES = 12, MOST_STARS = 300, SHORT_NAME = 5, RINGS = 2 };

/* A panel is as wide as the longest name needs, within limits; longer names are shortened. */
static const double least_panel_px = 118, most_panel_px = 200, title_px = 10.5, title_gap_px = 12, usual_radius_px = 38,
                    least_radius_px = 15, above_px = 34, below_px = 14, name_px = 10, key_px = 14, edge_px = 8;
enum { LETTERS_PX = 12 }; /* of the axes' names, beside the rim */

/* Stars in rows and columns, `across` of them to a row. */
typedef struct sky {
    size_t across, down, axes;
    double panel_px, pitch_px, radius_px; /* width and height of a panel, radius of a star */
    double key_column_px;                 /* of the columns of the key below; 0: there is none */
    size_t key_across, key_lines;
} sky;

typedef struct star {
    double cx, cy, radius_px;
    size_t axes;
} star;

static double spoke_x(const star *s, size_t axis, double reach)
{
    return s->cx + sin(2 * M_PI * (double)axis / (double)s->axes) * reach * s->radius_px;
}

static double spoke_y(const star *s, size_t axis, double reach)
{
    return s->cy - cos(2 * M_PI * (double)axis / (double)s->axes) * reach * s->radius_px;
}

static double panel_width(const ws_frame *data)
{
    return fmin(fmax(ws_rows_width(data, title_px) + title_gap_px, least_panel_px), most_panel_px);
}

static star star_at(const sky *y, size_t row)
{
    return (star){edge_px + ((double)(row % y->across) + 0.5) * y->panel_px,
                  above_px + y->radius_px + (double)(row / y->across) * y->pitch_px, y->radius_px, y->axes};
}

static void write_web(const star *s, FILE *script)
{
    for (int ring = 1; ring <= RINGS; ring++) {
        for (size_t a = 0; a <= s->axes; a++)
            fprintf(script, "%.2f %.2f\n", spoke_x(s, a % s->axes, (double)ring / RINGS),
                    spoke_y(s, a % s->axes, (double)ring / RINGS));
        fputc('\n', script);
    }
    for (size_t a = 0; a < s->axes; a++)
        fprintf(script, "%.2f %.2f\n%.2f %.2f\n\n", s->cx, s->cy, spoke_x(s, a, 1), spoke_y(s, a, 1));
}

static void write_polygon(const ws_frame *data, size_t row, const ws_limits *limits, const star *s, FILE *script)
{
    for (size_t a = 0; a <= s->axes; a++) {
        const size_t axis = a % s->axes;
        const double span = limits[axis].high - limits[axis].low, v = data->value[row * data->columns + axis];
        const double reach = span > 0 ? (v - limits[axis].low) / span : 0.5;
        fprintf(script, "%.2f %.2f\n", spoke_x(s, axis, reach), spoke_y(s, axis, reach));
    }
}

static int names_are_short(const ws_frame *data)
{
    for (size_t j = 0; j < data->columns; j++) {
        if (strlen(data->column[j].name) > SHORT_NAME)
            return 0;
    }
    return 1;
}

static void write_names(const ws_frame *data, const star *s, int short_names, FILE *script)
{
    for (size_t a = 0; a < s->axes; a++) {
        char number[24];
        snprintf(number, sizeof number, "%zu", a + 1);
        fprintf(script, "%.2f %.2f ", spoke_x(s, a, 1) + sin(2 * M_PI * (double)a / (double)s->axes) * 9,
                spoke_y(s, a, 1) - cos(2 * M_PI * (double)a / (double)s->axes) * 7);
        ws_script_text(script, short_names ? data->column[a].name : number);
        fputc('\n', script);
    }
}

/* The columns by number, below the stars. */
static void write_key(const ws_frame *data, const sky *y, double top, FILE *script)
{
    fputs("$key << EOD\n", script);
    for (size_t j = 0; y->key_lines && j < data->columns; j++) {
        char name[WS_NAME_BYTES], text[WS_NAME_BYTES + 24];
        ws_shown(name, sizeof name, data->column[j].name);
        ws_text_fit(name, name_px, y->key_column_px - 36);
        snprintf(text, sizeof text, "%zu  %s", j + 1, name);
        fprintf(script, "%.2f %.2f ", 2 * edge_px + (double)(j % y->key_across) * y->key_column_px,
                top + key_px * (double)(j / y->key_across));
        ws_script_text(script, text);
        fputc('\n', script);
    }
    fputs("EOD\n", script);
}

static void write_stars(const ws_frame *data, const ws_limits *limits, const sky *y, const long *cluster, FILE *script)
{
    const int short_names = names_are_short(data);
    fputs("$web << EOD\n", script);
    for (size_t i = 0; i < data->rows; i++) {
        const star s = star_at(y, i);
        write_web(&s, script);
    }
    fputs("EOD\n$stars << EOD\n", script);
    for (size_t i = 0; i < data->rows; i++) {
        const star s = star_at(y, i);
        write_polygon(data, i, limits, &s, script);
        fputs("\n\n", script);
    }
    fputs("EOD\n$axes << EOD\n", script);
    for (size_t i = 0; i < data->rows; i++) {
        const star s = star_at(y, i);
        write_names(data, &s, short_names, script);
    }
    fputs("EOD\n$titles << EOD\n", script);
    char name[WS_NAME_BYTES];
    for (size_t i = 0; i < data->rows; i++) {
        const star s = star_at(y, i);
        ws_plot_row_name(data, i, name);
        ws_text_fit(name, title_px, y->panel_px - title_gap_px);
        fprintf(script, "%.2f %.2f ", s.cx, s.cy - s.radius_px - 20);
        ws_script_text(script, name);
        fputc('\n', script);
    }
    fputs("EOD\n", script);
    fprintf(script, "array ws_color[%zu]\n", data->rows);
    for (size_t i = 0; i < data->rows; i++)
        fprintf(script, "ws_color[%zu] = %u\n", i + 1, cluster[i] ? ws_cluster_color(cluster[i]) : WS_BLUE);
}

static double key_width(const ws_frame *data)
{
    double widest = 0;
    for (size_t j = 0; j < data->columns; j++)
        widest = fmax(widest, ws_text_width(data->column[j].name, name_px));
    return widest + 36;
}

static int find_limits(const ws_frame *data, ws_limits *limits)
{
    double *column = calloc(data->rows, sizeof *column);
    if (!column)
        return ws_fail(WS_EMEM, "out of memory");
    int status = WS_OK;
    for (size_t j = 0; j < data->columns && !status; j++) {
        status = ws_plot_column(data, "profile", data->column[j].name, data->rows, column);
        limits[j] = (ws_limits){INFINITY, -INFINITY};
        for (size_t i = 0; i < data->rows && !status; i++)
            limits[j] = (ws_limits){fmin(limits[j].low, column[i]), fmax(limits[j].high, column[i])};
    }
    free(column);
    return status;
}

/* As many columns of stars as fit the width, stretched to it; rows of stars by their height. */
static int lay_out(const ws_plot_request *request, sky *y, ws_canvas *canvas)
{
    const ws_frame *data = request->data;
    const double natural_px = panel_width(data), inner = request->width_px - 2 * edge_px;
    const double wanted = request->width_px ? inner : data->rows <= 6 ? 3 * natural_px : 7 * least_panel_px;
    *y = (sky){.across = (size_t)fmax(wanted / natural_px, 1), .axes = data->columns};
    y->across = y->across < data->rows ? y->across : data->rows;
    const double most_down = fmax(floor((request->height_px - 100.0) / (above_px + below_px + 2 * least_radius_px)), 1);
    if (request->height_px && !request->width_px) /* a low figure is a wide one */
        y->across = (size_t)fmax((double)y->across, ceil((double)data->rows / most_down));
    y->down = (data->rows + y->across - 1) / y->across;
    int status = ws_plot_width(request, least_panel_px + 2 * edge_px,
                               fmax(2 * edge_px + (double)y->across * natural_px, 260), canvas);
    if (status)
        return status;
    y->panel_px = request->width_px ? (canvas->width - 2 * edge_px) / (double)y->across : natural_px;
    if (!names_are_short(data)) {
        y->key_column_px = fmin(key_width(data), canvas->width - 2 * edge_px);
        y->key_across = (size_t)fmax((canvas->width - 2 * edge_px) / y->key_column_px, 1);
        y->key_lines = (data->columns + y->key_across - 1) / y->key_across;
    }
    const double key = y->key_lines ? 16 + key_px * (double)y->key_lines : 0, down = (double)y->down;
    const double around = above_px + below_px;
    status = ws_plot_height(request, edge_px + key + down * (around + 2 * least_radius_px),
                            edge_px + key + down * (around + 2 * usual_radius_px), canvas);
    y->pitch_px = (canvas->height - edge_px - key) / down;
    y->radius_px = fmin((y->pitch_px - around) / 2, y->panel_px / 2 - LETTERS_PX);
    canvas->right = canvas->width;
    canvas->bottom = canvas->height;
    return status;
}

int ws_figure_profile(const ws_plot_request *request, ws_canvas *canvas, FILE *script)
{
    const ws_frame *data = request->data;
    if (!data->rows || data->columns < LEAST_AXES || data->columns > MOST_AXES)
        return ws_fail(WS_EINPUT,
                       "a star needs %d to %d columns and at least one row; the frame has %zu columns and %zu rows",
                       LEAST_AXES, MOST_AXES, data->columns, data->rows);
    if (data->rows > MOST_STARS)
        return ws_fail(WS_EINPUT, "stars of more than %d rows fit no page; the frame has %zu rows", MOST_STARS,
                       data->rows);
    ws_limits limits[MOST_AXES];
    sky y = {0};
    int status = find_limits(data, limits);
    long *cluster = calloc(data->rows, sizeof *cluster);
    char *representative = calloc(data->rows, 1);
    if (!status && (!cluster || !representative))
        status = ws_fail(WS_EMEM, "out of memory");
    if (!status)
        status = ws_plot_groups(request, cluster, representative);
    if (!status)
        status = lay_out(request, &y, canvas);
    if (!status) {
        write_stars(data, limits, &y, cluster, script);
        write_key(data, &y, edge_px + (double)y.down * y.pitch_px + 10, script);
        ws_script_number(script, "ws_stars", (double)data->rows);
    }
    free(cluster);
    free(representative);
    return status;
}
