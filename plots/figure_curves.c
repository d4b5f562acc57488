/* figure_curves.c - how do quantities change with a number that one chooses?
 *
 * data: the first column is the abscissa (rows in rising order), every other column a line with points. Columns of one
 * group share a panel whose axis is named by their unit, up to PANELS panels; gaps are missing values. */
#include "plots/figure_internal.h"

#include <string.h>

enum { PANELS = 3 };

static const double panel_px = 330, height_px = 290, key_px = 16;

typedef struct panel {
    size_t first, last; /* columns [first, last) of the frame */
    double low, high;
} panel;

static size_t find_panels(const ws_frame *data, panel *p)
{
    size_t n = 0;
    for (size_t j = 1, k; j < data->columns && n <= PANELS; j = k, n++) {
        for (k = j + 1; k < data->columns && !strcmp(data->column[k].group, data->column[j].group);)
            k++;
        if (n < PANELS)
            p[n] = (panel){j, k, INFINITY, -INFINITY};
    }
    return n;
}

static int find_range(const ws_frame *data, panel *p)
{
    for (size_t i = 0; i < data->rows; i++) {
        for (size_t j = p->first; j < p->last; j++) {
            const double v = data->value[i * data->columns + j];
            if (isfinite(v)) {
                p->low = fmin(p->low, v);
                p->high = fmax(p->high, v);
            }
        }
    }
    if (p->low > p->high)
        return ws_fail(WS_EINPUT, "column '%s' has no values to draw", data->column[p->first].name);
    p->low = fmin(p->low, 0);
    p->high = p->high > p->low ? p->high : p->low + 1;
    return WS_OK;
}

static void write_lines(const ws_frame *data, size_t column, FILE *script)
{
    for (size_t i = 0; i < data->rows; i++) {
        const double x = data->value[i * data->columns], y = data->value[i * data->columns + column];
        if (isfinite(x) && isfinite(y))
            fprintf(script, "%.9g %.9g\n", x, y);
        else
            fputc('\n', script);
    }
    fputs("\n\n", script);
}

static void write_texts(const char *array, size_t n, const char *(*text)(const ws_frame *, size_t),
                        const ws_frame *data, FILE *script)
{
    fprintf(script, "array %s[%zu]\n", array, n);
    for (size_t j = 0; j < n; j++) {
        fprintf(script, "%s[%zu] = ", array, j + 1);
        ws_script_text(script, text(data, j));
        fputc('\n', script);
    }
}

static const char *name_of(const ws_frame *data, size_t column)
{
    return data->column[column].name;
}

static const char *axis_of(const ws_frame *data, size_t column)
{
    return *data->column[column].unit ? data->column[column].unit : data->column[column].name;
}

static void write_panels(const ws_frame *data, const panel *p, size_t panels, FILE *script)
{
    fprintf(script, "array ws_first[%zu]\narray ws_last[%zu]\narray ws_low[%zu]\narray ws_high[%zu]\n", panels, panels,
            panels, panels);
    for (size_t i = 0; i < panels; i++)
        fprintf(script, "ws_first[%zu] = %zu\nws_last[%zu] = %zu\nws_low[%zu] = %.9g\nws_high[%zu] = %.9g\n", i + 1,
                p[i].first + 1, i + 1, p[i].last, i + 1, p[i].low, i + 1, p[i].high);
    write_texts("ws_name", data->columns, name_of, data, script);
    write_texts("ws_axis", data->columns, axis_of, data, script);
    fprintf(script, "array ws_color[%zu]\narray ws_marker[%zu]\n", data->columns, data->columns);
    for (size_t i = 0; i < panels; i++) {
        for (size_t j = p[i].first; j < p[i].last; j++)
            fprintf(script, "ws_color[%zu] = %u\nws_marker[%zu] = %d\n", j + 1,
                    ws_cluster_color((long)(j - p[i].first) + 1), j + 1, ws_cluster_marker((long)(j - p[i].first) + 1));
    }
}

int ws_figure_curves(const ws_plot_request *request, ws_canvas *canvas, FILE *script)
{
    const ws_frame *data = request->data;
    if (!data->rows || data->columns < 2)
        return ws_fail(WS_EINPUT, "curves need a first column to stand over, another one, and a row");
    panel p[PANELS];
    const size_t panels = find_panels(data, p);
    if (panels > PANELS)
        return ws_fail(WS_EINPUT, "curves of more than %d groups of columns do not fit one figure", PANELS);
    size_t most_lines = 1;
    for (size_t i = 0; i < panels; i++) {
        const int status = find_range(data, &p[i]);
        if (status)
            return status;
        most_lines = p[i].last - p[i].first > most_lines ? p[i].last - p[i].first : most_lines;
    }
    fputs("$lines << EOD\n", script);
    for (size_t j = 0; j < data->columns; j++)
        write_lines(data, j, script);
    fputs("EOD\n", script);
    write_panels(data, p, panels, script);
    double *x = calloc(data->rows, sizeof *x);
    if (!x)
        return ws_fail(WS_EMEM, "out of memory");
    for (size_t i = 0; i < data->rows; i++)
        x[i] = data->value[i * data->columns];
    const ws_limits limits = ws_plot_limits(x, data->rows, 0.05);
    free(x);
    ws_script_number(script, "ws_x_low", limits.low);
    ws_script_number(script, "ws_x_high", limits.high);
    ws_script_number(script, "ws_panels", (double)panels);
    const double head = most_lines > 1 ? 8 + key_px * (double)most_lines : 12;
    ws_script_number(script, "ws_head", head);
    const double width = request->width_px ? request->width_px : panel_px * (double)panels + (panels == 1 ? 120 : 0);
    *canvas = (ws_canvas){width, height_px + head, 0, width, head, height_px + head - 48};
    return WS_OK;
}
