/* figure_scores.c - which workloads lie near one another in the plane of two components?
 *
 * data: a row a workload; x, y: the columns to show. groups: colour and marker. variance: shares for the axis titles.
 * labels: whose names are shown; long ones that do not fit beside one another are shortened in the middle, and what
 * then has no room is left out, those that stand for their cluster last. */
#include "plots/plane.h"

static const double margin = 0.09; /* around the points, a fraction of their extent */

static int draw(const ws_plane_rows *rows, const ws_plot_request *request, ws_canvas *canvas, ws_plane_names *names,
                FILE *script)
{
    int status = ws_plot_width(request, 200, 640, canvas);
    if (status)
        return status;
    canvas->left = 62;
    canvas->right = canvas->width - 16;
    canvas->top = 14;
    const ws_plane plane = {ws_plot_limits(rows->x, rows->n, margin), ws_plot_limits(rows->y, rows->n, margin), canvas};
    ws_plane_rows_name(rows, request, names, canvas);
    const ws_plane_height height = {.least_px = 150, .usual_px = 0.72 * canvas->width + 16, .foot_px = 50};
    status = ws_plane_settle(request, &height, names, &plane, canvas);
    if (status)
        return status;
    ws_plane_rows_write(rows, request, &plane, script);
    ws_plane_names_write(names, &plane, script);
    return WS_OK;
}

int ws_figure_scores(const ws_plot_request *request, ws_canvas *canvas, FILE *script)
{
    ws_plane_rows rows;
    ws_plane_names names = {0};
    int status = ws_plane_rows_init(&rows, request, "scores");
    if (!status)
        status = ws_plane_names_init(&names, rows.n);
    if (!status)
        status = draw(&rows, request, canvas, &names, script);
    ws_plane_names_fini(&names);
    ws_plane_rows_fini(&rows);
    return status;
}
