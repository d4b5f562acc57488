/* figure_front.c - which points does no other one better in both of two columns?
 *
 * data: a row a point, with a column `front` of 0 and 1 (`warpscape explore', `model memory'). Shown are seconds and
 * joules, or their changes, where the frame has them, else its first two columns besides `front`. Points of the front
 * are joined and have their names. */
#include "plots/plane.h"

#include <string.h>

enum { MOST_NAMES = 60 };

static const char *const usual[][2] = {{"seconds", "joules"}, {"cycles_change", "joules_change"}};

static size_t find(const ws_frame *data, const char *name)
{
    size_t c = 0;
    while (c < data->columns && strcmp(data->column[c].name, name) != 0)
        c++;
    return c;
}

/* The columns that are shown. */
static int choose(const ws_frame *data, size_t shown[2])
{
    size_t n = 0;
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
        shown[0] = find(data, usual[i][0]);
        shown[1] = find(data, usual[i][1]);
        if (shown[0] < data->columns && shown[1] < data->columns)
            return WS_OK;
    }
    for (size_t c = 0; c < data->columns && n < 2; c++)
        if (strcmp(data->column[c].name, "front") != 0)
            shown[n++] = c;
    return n == 2 ? WS_OK : ws_fail(WS_EINPUT, "a front needs two columns besides `front'; the frame has %zu", n);
}

typedef struct points {
    double *x, *y, *front;
    char *ringed;
    size_t *row, on; /* rows of the front, by x */
} points;

static void find_front(points *p, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        p->ringed[i] = p->front[i] > 0;
        if (!p->ringed[i])
            continue;
        size_t at = p->on++;
        for (; at &&
               (p->x[p->row[at - 1]] > p->x[i] || (p->x[p->row[at - 1]] == p->x[i] && p->y[p->row[at - 1]] < p->y[i]));
             at--)
            p->row[at] = p->row[at - 1];
        p->row[at] = i;
    }
}

/* From a point to the next that is slower and takes less: between them, as much as the first. */
static void write_front(const points *p, FILE *script)
{
    fputs("$front << EOD\n", script);
    for (size_t i = 0; i < p->on; i++) {
        if (i)
            fprintf(script, "%.7g %.7g\n", p->x[p->row[i]], p->y[p->row[i - 1]]);
        fprintf(script, "%.7g %.7g\n", p->x[p->row[i]], p->y[p->row[i]]);
    }
    fputs("EOD\n", script);
}

static void write_points(const points *p, size_t n, FILE *script)
{
    fputs("$points << EOD\n", script);
    for (size_t i = 0; i < n; i++)
        fprintf(script, "%.7g %.7g %u %d\n", p->x[i], p->y[i], p->ringed[i] ? WS_VERMILLION : WS_BLUE, p->ringed[i]);
    fputs("EOD\n", script);
}

static void write_axis(const ws_column *column, const char *axis, ws_limits limits, FILE *script)
{
    char text[WS_NAME_BYTES + 32], variable[24];
    snprintf(text, sizeof text, *column->unit ? "%.*s (%s)" : "%.*s", WS_NAME_BYTES, column->name, column->unit);
    fprintf(script, "ws_%s_title = ", axis);
    ws_script_string(script, text);
    fputc('\n', script);
    snprintf(variable, sizeof variable, "ws_%s_low", axis);
    ws_script_number(script, variable, limits.low);
    snprintf(variable, sizeof variable, "ws_%s_high", axis);
    ws_script_number(script, variable, limits.high);
}

/* What names keep clear of: points behind the front, and its steps. */
static void add_obstacles(const points *p, size_t n, ws_plane_names *names)
{
    for (size_t i = 0; i < n; i++)
        if (!p->ringed[i])
            ws_plane_names_add(names, p->x[i], p->y[i], WS_POINT_PX, NULL, i, 0, WS_INK);
    for (size_t i = 1; i < p->on; i++) {
        const double x0 = p->x[p->row[i - 1]], y0 = p->y[p->row[i - 1]], x1 = p->x[p->row[i]], y1 = p->y[p->row[i]];
        ws_plane_names_line(names, x0, y0, x1, y0);
        ws_plane_names_line(names, x1, y0, x1, y1);
    }
}

static void add_names(const ws_plot_request *request, const points *p, ws_plane_names *names, ws_canvas *canvas)
{
    const bool named = request->labels != WS_LABELS_NONE && p->on <= MOST_NAMES;
    if (!named && request->labels != WS_LABELS_NONE)
        ws_plot_note(canvas, "Names are left out: %zu points on the front, more than %d.", p->on, MOST_NAMES);
    for (size_t i = 0; i < p->on; i++)
        ws_plane_names_add(names, p->x[p->row[i]], p->y[p->row[i]], WS_RING_PX, named ? request->data : NULL, p->row[i],
                           0, WS_INK);
    if (named)
        add_obstacles(p, request->data->rows, names);
}

static int draw(const ws_plot_request *request, const size_t shown[2], ws_canvas *canvas, points *p,
                ws_plane_names *names, FILE *script)
{
    const ws_frame *const data = request->data;
    const size_t n = data->rows;
    int status = ws_plot_column(data, "front", data->column[shown[0]].name, n, p->x);
    if (!status)
        status = ws_plot_column(data, "front", data->column[shown[1]].name, n, p->y);
    if (!status)
        status = ws_plot_column(data, "front", "front", n, p->front);
    if (!status)
        status = ws_plane_names_init(names, 3 * n); /* points, and two lines a step */
    if (status)
        return status;
    find_front(p, n);
    const ws_plane plane = {ws_plot_limits(p->x, n, 0.09), ws_plot_limits(p->y, n, 0.09), canvas};
    add_names(request, p, names, canvas);
    const ws_plane_height height = {.least_px = 150, .usual_px = 0.72 * canvas->width + 16, .foot_px = 50};
    status = ws_plane_settle(request, &height, names, &plane, canvas);
    if (status)
        return status;
    write_points(p, n, script);
    write_front(p, script);
    write_axis(&data->column[shown[0]], "x", plane.x, script);
    write_axis(&data->column[shown[1]], "y", plane.y, script);
    ws_plane_names_write(names, &plane, script);
    return WS_OK;
}

int ws_figure_front(const ws_plot_request *request, ws_canvas *canvas, FILE *script)
{
    const ws_frame *data = request->data;
    const size_t n = data->rows;
    size_t shown[2];
    if (!n || find(data, "front") == data->columns)
        return ws_fail(WS_EINPUT, "a front needs rows and a column `front'; `warpscape explore' and `warpscape model "
                                  "memory' with several organisations have one");
    int status = choose(data, shown);
    if (!status)
        status = ws_plot_width(request, 200, 640, canvas);
    if (status)
        return status;
    canvas->left = 76;
    canvas->right = canvas->width - 16;
    canvas->top = 14;
    points p = {.x = calloc(3 * n, sizeof *p.x), .ringed = calloc(n, 1), .row = calloc(n, sizeof *p.row)};
    p.y = p.x + n;
    p.front = p.y + n;
    ws_plane_names names = {0};
    status =
        p.x && p.ringed && p.row ? draw(request, shown, canvas, &p, &names, script) : ws_fail(WS_EMEM, "out of memory");
    ws_plane_names_fini(&names);
    free(p.x);
    free(p.ringed);
    free(p.row);
    return status;
}
