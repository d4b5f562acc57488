/* figure_scores.c - which workloads lie near one another in the plane of two components?
 *
 * data: a row a workload; x, y: the columns to show. groups: colour and marker. variance: shares for the axis titles.
 * Up to MOST_LABELS rows are labelled; where long names do not fit beside one another, they are shortened in the middle. */
#include "plots/figure_internal.h"
#include "plots/placement.h"

enum { MOST_LABELS = 200 };

static const double point_px = 3.8, ring_px = 6.5, label_px = 10, label_gap_px = 5;

typedef struct plane {
    ws_limits x, y;
    const ws_canvas *canvas;
} plane;

static double to_px_x(const plane *p, double x)
{
    return p->canvas->left + (x - p->x.low) / (p->x.high - p->x.low) * (p->canvas->right - p->canvas->left);
}

static double to_px_y(const plane *p, double y)
{
    return p->canvas->bottom - (y - p->y.low) / (p->y.high - p->y.low) * (p->canvas->bottom - p->canvas->top);
}

static double from_px_x(const plane *p, double px)
{
    return p->x.low + (px - p->canvas->left) / (p->canvas->right - p->canvas->left) * (p->x.high - p->x.low);
}

static double from_px_y(const plane *p, double px)
{
    return p->y.low + (p->canvas->bottom - px) / (p->canvas->bottom - p->canvas->top) * (p->y.high - p->y.low);
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

/* Places the names of n rows, cut to width_px where they are longer; the number of faults left, or -1. */
static long place_names(const ws_frame *data, const plane *p, const double *x, const double *y,
                        const char *representative, double width_px, ws_label *label, size_t n)
{
    const ws_canvas *c = p->canvas;
    const ws_box area = {c->left + 2, c->top + 2, c->right - 2, c->bottom - 2};
    char name[WS_NAME_BYTES];
    for (size_t i = 0; i < n; i++) {
        ws_plot_row_name(data, i, name);
        ws_text_fit(name, label_px, width_px);
        label[i] = (ws_label){.x = to_px_x(p, x[i]),
                              .y = to_px_y(p, y[i]),
                              .radius = representative[i] ? ring_px : point_px,
                              .width = ws_text_width(name, label_px) + label_gap_px,
                              .height = label_px * 1.15};
    }
    return ws_labels_place(label, n, &area);
}

/* Text right of its point begins at its left edge, text left of it ends at its right one: the viewer's font may be
 * narrower than the estimate, and the gap should be at the far end. */
static int alignment(const ws_label *l)
{
    const double inner = l->width / 2 - 1;
    return l->cx - inner >= l->x ? 1 : l->cx + inner <= l->x ? -1 : 0;
}

static void write_label(const plane *p, const ws_label *l, const char *name, FILE *script)
{
    const int side = alignment(l);
    fprintf(script, "%.7g %.7g ", from_px_x(p, l->cx - side * (l->width - label_gap_px) / 2), from_px_y(p, l->cy));
    ws_script_text(script, name);
    fprintf(script, " %d\n", side);
}

static int write_labels(const ws_frame *data, const plane *p, const double *x, const double *y,
                        const char *representative, FILE *script)
{
    static const double widths_px[] = {320, 160, 120, 90, 70, 55};
    const size_t n = data->rows <= MOST_LABELS ? data->rows : 0;
    ws_label *label = calloc(n + 1, sizeof *label);
    if (!label)
        return ws_fail(WS_EMEM, "out of memory");
    long faults = 1;
    double width_px = 0;
    for (size_t w = 0; faults > 0 && w < sizeof widths_px / sizeof widths_px[0]; w++) {
        width_px = widths_px[w];
        faults = place_names(data, p, x, y, representative, width_px, label, n);
    }
    fputs("$labels << EOD\n", script);
    for (size_t i = 0; i < n && faults >= 0; i++) {
        char name[WS_NAME_BYTES];
        ws_plot_row_name(data, i, name);
        ws_text_fit(name, label_px, width_px);
        write_label(p, &label[i], name, script);
    }
    fputs("EOD\n$leaders << EOD\n", script);
    for (size_t i = 0; i < n && faults >= 0; i++) {
        if (label[i].leader)
            fprintf(script, "%.7g %.7g\n%.7g %.7g\n\n", x[i], y[i], from_px_x(p, label[i].lx),
                    from_px_y(p, label[i].ly));
    }
    fputs("EOD\n", script);
    ws_script_number(script, "ws_labels", (double)n);
    free(label);
    return faults < 0 ? ws_fail(WS_EMEM, "out of memory") : WS_OK;
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
    const plane p = {ws_plot_limits(x, data->rows, 0.09), ws_plot_limits(y, data->rows, 0.09), canvas};
    write_points(data->rows, x, y, cluster, representative, script);
    ws_script_number(script, "ws_x_low", p.x.low);
    ws_script_number(script, "ws_x_high", p.x.high);
    ws_script_number(script, "ws_y_low", p.y.low);
    ws_script_number(script, "ws_y_high", p.y.high);
    write_axis_title(request, "ws_x_title", request->x, script);
    write_axis_title(request, "ws_y_title", request->y, script);
    return write_labels(data, &p, x, y, representative, script);
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
