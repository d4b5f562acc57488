/* figure_scores.c - which workloads lie near one another in the plane of two components?
 *
 * data: a row a workload; x, y: the columns to show. groups: colour and marker. variance: shares for the axis titles.
 * Up to MOST_LABELS rows are labelled; where long names do not fit beside one another, they are shortened in the middle. */
#include "plots/figure_internal.h"
#include "plots/plane.h"

enum { MOST_LABELS = 200 };

static void write_axis_title(const ws_plot_request *request, const char *variable, size_t column, FILE *script)
{
    char title[WS_NAME_BYTES + 32];
    const char *name = request->data->column[column].name;
    const double share = ws_plot_share(request, column);
    if (isfinite(share))
        snprintf(title, sizeof title, "%.*s (%.1f %% of the variance)", WS_NAME_BYTES, name, 100 * share);
    else
        snprintf(title, sizeof title, "%.*s", WS_NAME_BYTES, name);
    fprintf(script, "%s = ", variable);
    ws_script_string(script, title);
    fputc('\n', script);
}

static void write_points(size_t n, const double *x, const double *y, const long *cluster, const char *representative,
                         FILE *script)
{
    fputs("$points << EOD\n", script);
    for (size_t i = 0; i < n; i++)
        fprintf(script, "%.7g %.7g %u %d %d\n", x[i], y[i], cluster[i] ? ws_cluster_color(cluster[i]) : WS_BLUE,
                ws_cluster_marker(cluster[i]), representative[i]);
    fputs("EOD\n", script);
}

static int draw_points(const ws_plot_request *request, ws_canvas *canvas, FILE *script, double *x, double *y,
                       long *cluster, char *representative)
{
    const ws_frame *data = request->data;
    int status = ws_plot_column(data, "scores", data->column[request->x].name, data->rows, x);
    if (!status)
        status = ws_plot_column(data, "scores", data->column[request->y].name, data->rows, y);
    if (!status)
        status = ws_plot_groups(request, cluster, representative);
    if (status)
        return status;
    const ws_plane p = {ws_plot_limits(x, data->rows, 0.09), ws_plot_limits(y, data->rows, 0.09), canvas};
    write_points(data->rows, x, y, cluster, representative, script);
    ws_script_number(script, "ws_x_low", p.x.low);
    ws_script_number(script, "ws_x_high", p.x.high);
    ws_script_number(script, "ws_y_low", p.y.low);
    ws_script_number(script, "ws_y_high", p.y.high);
    write_axis_title(request, "ws_x_title", request->x, script);
    write_axis_title(request, "ws_y_title", request->y, script);
    return ws_plane_write_names(data, &p, x, y, representative, data->rows <= MOST_LABELS ? data->rows : 0, NULL,
                                script);
}

int ws_figure_scores(const ws_plot_request *request, ws_canvas *canvas, FILE *script)
{
    const ws_frame *data = request->data;
    const size_t n = data->rows;
    if (!n || request->x >= data->columns || request->y >= data->columns || request->x == request->y)
        return ws_fail(WS_EINPUT,
                       "a scatter plot needs two different columns and a row; the frame has %zu rows and %zu columns",
                       n, data->columns);
    int status = ws_plot_width(request, 200, 640, canvas);
    if (!status && n > MOST_LABELS)
        ws_plot_note(canvas, "Names are left out: %zu rows, more than %d.", n, MOST_LABELS);
    if (!status)
        status = ws_plot_height(request, 150, 0.72 * canvas->width + 16, canvas);
    if (status)
        return status;
    canvas->left = 62;
    canvas->right = canvas->width - 16;
    canvas->top = 14;
    canvas->bottom = canvas->height - 50;
    double *value = calloc(2 * n, sizeof *value);
    long *cluster = calloc(n, sizeof *cluster);
    char *representative = calloc(n, 1);
    status = WS_EMEM;
    if (value && cluster && representative)
        status = draw_points(request, canvas, script, value, value + n, cluster, representative);
    else
        ws_fail(WS_EMEM, "out of memory");
    free(value);
    free(cluster);
    free(representative);
    return status;
}
