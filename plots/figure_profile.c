/* figure_profile.c - what shape has each workload?
 *
 * data: a row a workload, LEAST_AXES to MOST_AXES columns. Each column is stretched from the lowest value of any row
 * (centre) to the highest (rim), also of rows that are not drawn, so that pages compare. groups: colours. One star a
 * workload; columns are listed below with both ends, long names numbered. first, last: rows that are drawn, a page of
 * them; else the first PAGE. labels: whose names are shown. */
#include "plots/figure_internal.h"

#include "base/shown.h"

#include <string.h>

enum { LEAST_AXES = 3, MOST_AXES = 12, MOST_STARS = 300, PAGE = 40, SHORT_NAME = 5, RINGS = 2 };

/* A panel is as wide as the longest name needs, within limits; longer names are shortened. */
static const double least_panel_px = 118, most_panel_px = 200, title_px = 10.5, title_gap_px = 12, usual_radius_px = 38,
                    least_radius_px = 15, above_px = 34, below_px = 14, name_px = 10, key_px = 14, edge_px = 8;
enum { KEY_PART = 96 };
static const double key_gap_px = 16;
enum { LETTERS_PX = 12 }; /* of the axes' names, beside the rim */

/* Stars in rows and columns, `across` of them to a row. */
typedef struct sky {
    size_t across, down, axes;
    size_t first, stars;                  /* rows that are drawn: the first one, their number */
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

static star star_at(const sky *y, size_t place)
{
    return (star){edge_px + ((double)(place % y->across) + 0.5) * y->panel_px,
                  above_px + y->radius_px + (double)(place / y->across) * y->pitch_px, y->radius_px, y->axes};
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

/* What stands before and behind the name of a column in the key: "3  ", " (0.1 to 0.52 bytes)". */
static void key_parts(const ws_frame *data, const ws_limits *limits, size_t j, char before[KEY_PART],
                      char behind[KEY_PART])
{
    char unit[KEY_PART / 2];
    ws_shown(unit, sizeof unit, strcmp(data->column[j].unit, "ratio") ? data->column[j].unit : "");
    *before = '\0';
    if (!names_are_short(data))
        snprintf(before, KEY_PART, "%zu  ", j + 1);
    snprintf(behind, KEY_PART, " (%.3g to %.3g%s%s)", limits[j].low, limits[j].high, *unit ? " " : "", unit);
}

/* The scale: columns with the values of centre and rim, below the stars. */
static void write_key(const ws_frame *data, const ws_limits *limits, const sky *y, double top, FILE *script)
{
    fputs("$key << EOD\n", script);
    for (size_t j = 0; j < data->columns; j++) {
        char name[WS_NAME_BYTES], text[WS_NAME_BYTES + 2 * KEY_PART], before[KEY_PART], behind[KEY_PART];
        key_parts(data, limits, j, before, behind);
        ws_shown(name, sizeof name, data->column[j].name);
        ws_text_fit(name, name_px,
                    y->key_column_px - key_gap_px - ws_text_width(before, name_px) - ws_text_width(behind, name_px));
        snprintf(text, sizeof text, "%s%s%s", before, name, behind);
        fprintf(script, "%.2f %.2f ", 2 * edge_px + (double)(j % y->key_across) * y->key_column_px,
                top + key_px * (double)(j / y->key_across));
        ws_script_text(script, text);
        fputc('\n', script);
    }
    fputs("EOD\n", script);
}

static void write_titles(const ws_plot_request *request, const sky *y, const char *representative, FILE *script)
{
    fputs("$titles << EOD\n", script);
    for (size_t i = 0; i < y->stars; i++) {
        const star s = star_at(y, i);
        char name[WS_NAME_BYTES] = "";
        if (request->labels == WS_LABELS_ALL ||
            (request->labels == WS_LABELS_REPRESENTATIVES && representative[y->first + i]))
            ws_plot_row_name(request->data, y->first + i, name);
        ws_text_fit(name, title_px, y->panel_px - title_gap_px);
        fprintf(script, "%.2f %.2f ", s.cx, s.cy - s.radius_px - 20);
        ws_script_text(script, name);
        fputc('\n', script);
    }
    fputs("EOD\n", script);
}

static void write_stars(const ws_frame *data, const ws_limits *limits, const sky *y, const long *cluster, FILE *script)
{
    const int short_names = names_are_short(data);
    fputs("$web << EOD\n", script);
    for (size_t i = 0; i < y->stars; i++) {
        const star s = star_at(y, i);
        write_web(&s, script);
    }
    fputs("EOD\n$stars << EOD\n", script);
    for (size_t i = 0; i < y->stars; i++) {
        const star s = star_at(y, i);
        write_polygon(data, y->first + i, limits, &s, script);
        fputs("\n\n", script);
    }
    fputs("EOD\n$axes << EOD\n", script);
    for (size_t i = 0; i < y->stars; i++) {
        const star s = star_at(y, i);
        write_names(data, &s, short_names, script);
    }
    fputs("EOD\n", script);
    fprintf(script, "array ws_color[%zu]\n", y->stars);
    for (size_t i = 0; i < y->stars; i++)
        fprintf(script, "ws_color[%zu] = %u\n", i + 1,
                cluster[y->first + i] ? ws_cluster_color(cluster[y->first + i]) : WS_BLUE);
}

static double key_width(const ws_frame *data, const ws_limits *limits)
{
    double widest = 0;
    for (size_t j = 0; j < data->columns; j++) {
        char name[WS_NAME_BYTES], before[KEY_PART], behind[KEY_PART];
        key_parts(data, limits, j, before, behind);
        ws_shown(name, sizeof name, data->column[j].name);
        widest = fmax(widest,
                      ws_text_width(before, name_px) + ws_text_width(name, name_px) + ws_text_width(behind, name_px));
    }
    return widest + key_gap_px + 1; /* so that the widest is not cut by rounding */
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

/* The page of rows that is drawn. */
static int choose_rows(const ws_plot_request *request, sky *y)
{
    const size_t rows = request->data->rows;
    if (request->first > rows || request->last > rows)
        return ws_fail(WS_EINPUT, "--rows %zu-%zu: there are %zu rows", request->first, request->last, rows);
    y->first = request->first ? request->first - 1 : 0;
    y->stars = request->last ? request->last - y->first : rows < PAGE ? rows : PAGE;
    if (y->stars > MOST_STARS)
        return ws_fail(WS_EINPUT, "stars of more than %d rows fit no page; --rows %zu-%zu has %zu", MOST_STARS,
                       request->first, request->last, y->stars);
    return WS_OK;
}

/* Where width and height are asked for, but no rows: as many stars as they have room for. */
static void fit_page(const ws_plot_request *request, double key_px_below, sky *y)
{
    enum { NOTES = 3 }; /* lines, the most that a page has */
    const double title = request->title && *request->title ? WS_TITLE_PX : 0,
                 notes = WS_NOTE_PX + NOTES * WS_NOTE_LINE_PX;
    const double room = request->height_px - title - notes - edge_px - key_px_below;
    const double down = fmax(floor(room / (above_px + below_px + 2 * least_radius_px)), 1);
    if (!request->last && request->height_px && request->width_px)
        y->stars = (size_t)fmin((double)y->stars, (double)y->across * down);
}

/* What the page leaves out stands below it. */
static void write_notes(const ws_plot_request *request, const sky *y, ws_canvas *canvas)
{
    const size_t rows = request->data->rows;
    ws_plot_note(canvas, "Centre to rim: lowest to highest value of all rows.");
    if (y->stars < rows)
        ws_plot_note(canvas, "Rows %zu to %zu of %zu; --rows shows others.", y->first + 1, y->first + y->stars, rows);
}

/* As many columns of stars as fit the width, stretched to it; rows of stars by their height. */
static int lay_out(const ws_plot_request *request, const ws_limits *limits, sky *y, ws_canvas *canvas)
{
    const ws_frame *data = request->data;
    const double natural_px = panel_width(data), inner = request->width_px - 2 * edge_px;
    const double wanted = request->width_px ? inner : y->stars <= 6 ? 3 * natural_px : 7 * least_panel_px;
    y->across = (size_t)fmax(wanted / natural_px, 1);
    y->across = y->across < y->stars ? y->across : y->stars;
    const double most_down = fmax(floor((request->height_px - 120.0) / (above_px + below_px + 2 * least_radius_px)), 1);
    if (request->height_px && !request->width_px) /* a low figure is a wide one */
        y->across = (size_t)fmax((double)y->across, ceil((double)y->stars / most_down));
    int status = ws_plot_width(request, least_panel_px + 2 * edge_px,
                               fmax(2 * edge_px + (double)y->across * natural_px, 260), canvas);
    if (status)
        return status;
    y->panel_px = request->width_px ? (canvas->width - 2 * edge_px) / (double)y->across : natural_px;
    y->key_column_px = fmin(key_width(data, limits), canvas->width - 2 * edge_px);
    y->key_across = (size_t)fmax((canvas->width - 2 * edge_px) / y->key_column_px, 1);
    y->key_lines = (data->columns + y->key_across - 1) / y->key_across;
    const double key = 16 + key_px * (double)y->key_lines;
    fit_page(request, key, y);
    write_notes(request, y, canvas);
    y->down = (y->stars + y->across - 1) / y->across;
    const double down = (double)y->down;
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
    ws_limits limits[MOST_AXES];
    sky y = {.axes = data->columns};
    int status = find_limits(data, limits);
    long *cluster = calloc(data->rows, sizeof *cluster);
    char *representative = calloc(data->rows, 1);
    if (!status && (!cluster || !representative))
        status = ws_fail(WS_EMEM, "out of memory");
    if (!status)
        status = ws_plot_groups(request, cluster, representative);
    if (!status)
        status = choose_rows(request, &y);
    if (!status)
        status = lay_out(request, limits, &y, canvas);
    if (!status) {
        write_stars(data, limits, &y, cluster, script);
        write_titles(request, &y, representative, script);
        write_key(data, limits, &y, edge_px + (double)y.down * y.pitch_px + 10, script);
        ws_script_number(script, "ws_stars", (double)y.stars);
    }
    free(cluster);
    free(representative);
    return status;
}
