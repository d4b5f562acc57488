/* plane_rows.c - where do rows lie in the plane of two of their columns, and which of them have names? */
#include "plots/plane.h"

enum { MOST_NAMES = 200 };

int ws_plane_rows_init(ws_plane_rows *r, const ws_plot_request *request, const char *figure)
{
    const ws_frame *const data = request->data;
    const size_t n = data->rows;
    *r = (ws_plane_rows){0};
    if (!n || request->x >= data->columns || request->y >= data->columns || request->x == request->y)
        return ws_fail(WS_EINPUT,
                       "a scatter plot needs two different columns and a row; the frame has %zu rows and %zu columns",
                       n, data->columns);
    *r = (ws_plane_rows){n, calloc(n, sizeof *r->x), calloc(n, sizeof *r->y), calloc(n, sizeof *r->cluster),
                         calloc(n, 1)};
    if (!r->x || !r->y || !r->cluster || !r->representative)
        return ws_fail(WS_EMEM, "out of memory");
    int status = ws_plot_column(data, figure, data->column[request->x].name, n, r->x);
    if (!status)
        status = ws_plot_column(data, figure, data->column[request->y].name, n, r->y);
    return status ? status : ws_plot_groups(request, r->cluster, r->representative);
}

void ws_plane_rows_fini(ws_plane_rows *r)
{
    free(r->x);
    free(r->y);
    free(r->cluster);
    free(r->representative);
    *r = (ws_plane_rows){0};
}

void ws_plane_rows_name(const ws_plane_rows *r, const ws_plot_request *request, ws_plane_names *names,
                        ws_canvas *canvas)
{
    const bool all = request->labels == WS_LABELS_ALL && r->n <= MOST_NAMES, none = request->labels == WS_LABELS_NONE;
    if (!all && request->labels == WS_LABELS_ALL)
        ws_plot_note(canvas,
                     request->groups ? "Names of representatives only: %zu rows, more than %d."
                                     : "Names are left out: %zu rows, more than %d.",
                     r->n, MOST_NAMES);
    for (size_t i = 0; i < r->n; i++) {
        const bool named = !none && (all || r->representative[i]);
        ws_plane_names_add(names, r->x[i], r->y[i], r->representative[i] ? WS_RING_PX : WS_POINT_PX,
                           named ? request->data : NULL, i, r->representative[i], WS_INK);
    }
}

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

void ws_plane_rows_write(const ws_plane_rows *r, const ws_plot_request *request, const ws_plane *plane, FILE *script)
{
    fputs("$points << EOD\n", script);
    for (size_t i = 0; i < r->n; i++)
        fprintf(script, "%.7g %.7g %u %d %d\n", r->x[i], r->y[i],
                r->cluster[i] ? ws_cluster_color(r->cluster[i]) : WS_BLUE, ws_cluster_marker(r->cluster[i]),
                r->representative[i]);
    fputs("EOD\n", script);
    ws_script_number(script, "ws_x_low", plane->x.low);
    ws_script_number(script, "ws_x_high", plane->x.high);
    ws_script_number(script, "ws_y_low", plane->y.low);
    ws_script_number(script, "ws_y_high", plane->y.high);
    write_axis_title(request, "ws_x_title", request->x, script);
    write_axis_title(request, "ws_y_title", request->y, script);
}
