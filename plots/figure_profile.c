/* figure_profile.c - what shape has each workload?
 *
 * data: a row a workload, LEAST_AXES to MOST_AXES columns. Each column is stretched from the lowest value of any row (centre) to the
 * highest (rim). groups: colours. One star a workload; long column names are numbered and listed below. */
#include "plots/figure_internal.h"

#include <string.h>

enum { LEAST_AXES = 3, MOST_AXES = 12, MOST_STARS = 300, SHORT_NAME = 5, RINGS = 2 };

/* A panel is as wide as the longest name needs, within limits; longer names are shortened. */
static const double least_panel_px = 118, most_panel_px = 200, title_px = 10.5, title_gap_px = 12, radius_px = 38,
                    head_px = 18, name_px = 10, key_px = 14;

typedef struct star {
    double cx, cy;
    size_t axes;
} star;

static double spoke_x(const star *s, size_t axis, double reach)
{
    return s->cx + sin(2 * M_PI * (double)axis / (double)s->axes) * reach * radius_px;
}

static double spoke_y(const star *s, size_t axis, double reach)
{
    return s->cy - cos(2 * M_PI * (double)axis / (double)s->axes) * reach * radius_px;
}

static double panel_width(const ws_frame *data)
{
    return fmin(fmax(ws_rows_width(data, title_px) + title_gap_px, least_panel_px), most_panel_px);
}

static star star_at(size_t row, size_t across, size_t axes, double panel_px)
{
    return (star){8 + ((double)(row % across) + 0.5) * panel_px,
                  4 + head_px + 12 + radius_px + (double)(row / across) * (least_panel_px + 6), axes};
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

/* The columns by number, `across` to a line. Returns how many lines. */
static size_t write_key(const ws_frame *data, size_t across, double top, double column_px, FILE *script)
{
    fputs("$key << EOD\n", script);
    for (size_t j = 0; j < data->columns; j++) {
        char text[WS_NAME_BYTES + 24];
        snprintf(text, sizeof text, "%zu  %.*s", j + 1, WS_NAME_BYTES, data->column[j].name);
        fprintf(script, "%.2f %.2f ", 16 + (double)(j % across) * column_px, top + key_px * (double)(j / across));
        ws_script_text(script, text);
        fputc('\n', script);
    }
    fputs("EOD\n", script);
    return (data->columns + across - 1) / across;
}

static void write_stars(const ws_frame *data, const ws_limits *limits, size_t across, const long *cluster, FILE *script)
{
    const double panel_px = panel_width(data);
    const int short_names = names_are_short(data);
    fputs("$web << EOD\n", script);
    for (size_t i = 0; i < data->rows; i++) {
        const star s = star_at(i, across, data->columns, panel_px);
        write_web(&s, script);
    }
    fputs("EOD\n$stars << EOD\n", script);
    for (size_t i = 0; i < data->rows; i++) {
        const star s = star_at(i, across, data->columns, panel_px);
        write_polygon(data, i, limits, &s, script);
        fputs("\n\n", script);
    }
    fputs("EOD\n$axes << EOD\n", script);
    for (size_t i = 0; i < data->rows; i++) {
        const star s = star_at(i, across, data->columns, panel_px);
        write_names(data, &s, short_names, script);
    }
    fputs("EOD\n$titles << EOD\n", script);
    char name[WS_NAME_BYTES];
    for (size_t i = 0; i < data->rows; i++) {
        const star s = star_at(i, across, data->columns, panel_px);
        ws_frame_row_name(data, i, name, sizeof name);
        ws_text_fit(name, title_px, panel_px - title_gap_px);
        fprintf(script, "%.2f %.2f ", s.cx, s.cy - radius_px - 20);
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
    int status = find_limits(data, limits);
    long *cluster = calloc(data->rows, sizeof *cluster);
    char *representative = calloc(data->rows, 1);
    if (!status && (!cluster || !representative))
        status = ws_fail(WS_EMEM, "out of memory");
    if (!status)
        status = ws_plot_groups(request, cluster, representative);
    if (!status) {
        const double panel_px = panel_width(data);
        const double wanted = request->width_px ? request->width_px
                              : data->rows <= 6 ? 3 * panel_px + 16
                                                : 7 * least_panel_px + 16;
        size_t across = (size_t)fmax((wanted - 16) / panel_px, 1);
        across = across < data->rows ? across : data->rows;
        const double width = fmax(16 + (double)across * panel_px, 260);
        const size_t down = (data->rows + across - 1) / across;
        double height = 8 + (double)down * (least_panel_px + 6);
        write_stars(data, limits, across, cluster, script);
        const double column = fmin(key_width(data), width - 16);
        if (names_are_short(data))
            fputs("$key << EOD\nEOD\n", script);
        else
            height += 16 + key_px * (double)write_key(data, (size_t)fmax((width - 16) / column, 1), height + 10, column,
                                                      script);
        *canvas = (ws_canvas){width, height, 0, width, 0, height};
        ws_script_number(script, "ws_stars", (double)data->rows);
    }
    free(cluster);
    free(representative);
    return status;
}
