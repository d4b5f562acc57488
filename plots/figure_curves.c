/* figure_curves.c - how do quantities change with a number that one chooses?
 *
 * data: the first column is the abscissa, every other column a line with points. Rows follow one another in rising
 * order; where the first column falls back, another series begins, named by its row (say, another linkage). Columns of
 * one group share a panel, up to PANELS panels; gaps are missing values. */
#include "plots/figure_internal.h"

#include <stdbool.h>
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

/* First row behind the series that starts at `first`. */
static size_t series_end(const ws_frame *data, size_t first)
{
    size_t i = first + 1;
    while (i < data->rows && data->value[i * data->columns] > data->value[(i - 1) * data->columns])
        i++;
    return i;
}

static size_t count_series(const ws_frame *data)
{
    size_t n = 0;
    for (size_t i = 0; i < data->rows; i = series_end(data, i))
        n++;
    return n;
}

static void write_points(const ws_frame *data, size_t column, size_t first, size_t end, FILE *script)
{
    for (size_t i = first; i < end; i++) {
        const double x = data->value[i * data->columns], y = data->value[i * data->columns + column];
        if (isfinite(x) && isfinite(y))
            fprintf(script, "%.7g %.7g\n", x, y);
        else
            fputc('\n', script);
    }
    fputs("\n\n", script);
}

/* "complete: silhouette", or without what all lines have in common. */
static void write_line_name(const ws_frame *data, const panel *p, size_t column, size_t first, size_t series,
                            FILE *script)
{
    char row[WS_NAME_BYTES], name[2 * WS_NAME_BYTES + 4];
    ws_frame_row_name(data, first, row, sizeof row);
    if (series == 1)
        snprintf(name, sizeof name, "%s", data->column[column].name);
    else if (p->last - p->first == 1)
        snprintf(name, sizeof name, "%s", row);
    else
        snprintf(name, sizeof name, "%s: %s", row, data->column[column].name);
    ws_script_string(script, name);
}

/* What a column is measured in: "error", "distance (m)"; a ratio needs no word. */
static void write_axis(const ws_frame *data, size_t column, bool by_group, FILE *script)
{
    const ws_column *c = &data->column[column];
    char text[2 * WS_NAME_BYTES + 4];
    const char *what = by_group && *c->group ? c->group : c->name;
    if (*c->unit && strcmp(c->unit, "ratio") && strcmp(c->unit, what))
        snprintf(text, sizeof text, "%s (%s)", what, c->unit);
    else
        snprintf(text, sizeof text, "%s", what);
    ws_script_string(script, text);
    fputc('\n', script);
}

/* The lines of a panel: their points into the data block, and to `text` their names, colours and markers. */
static size_t write_lines(const ws_frame *data, const panel *p, size_t lines, FILE *script, FILE *text)
{
    const size_t series = count_series(data);
    size_t in_panel = 0;
    for (size_t j = p->first; j < p->last; j++) {
        for (size_t i = 0, end; i < data->rows; i = end) {
            end = series_end(data, i);
            write_points(data, j, i, end, script);
            lines++;
            in_panel++;
            fprintf(text, "ws_name[%zu] = ", lines);
            write_line_name(data, p, j, i, series, text);
            fprintf(text, "\nws_color[%zu] = %u\nws_marker[%zu] = %d\n", lines, ws_cluster_color((long)in_panel), lines,
                    ws_cluster_marker((long)in_panel));
        }
    }
    return lines;
}

static int write_panels(const ws_frame *data, const panel *p, size_t panels, FILE *script)
{
    char *texts = NULL;
    size_t bytes, lines = 0;
    FILE *text = open_memstream(&texts, &bytes);
    if (!text)
        return ws_fail(WS_EMEM, "out of memory");
    fputs("$lines << EOD\n", script);
    for (size_t i = 0; i < panels; i++) {
        fprintf(text, "ws_first[%zu] = %zu\n", i + 1, lines + 1);
        lines = write_lines(data, &p[i], lines, script, text);
        fprintf(text, "ws_last[%zu] = %zu\nws_low[%zu] = %.7g\nws_high[%zu] = %.7g\nws_axis[%zu] = ", i + 1, lines,
                i + 1, p[i].low, i + 1, p[i].high, i + 1);
        write_axis(data, p[i].first, true, text);
    }
    fputs("EOD\n", script);
    const int failed = fclose(text);
    for (size_t i = 0; i < 5; i++)
        fprintf(script, "array %s[%zu]\n", (const char *[]){"ws_first", "ws_last", "ws_low", "ws_high", "ws_axis"}[i],
                panels);
    for (size_t i = 0; i < 3; i++)
        fprintf(script, "array %s[%zu]\n", (const char *[]){"ws_name", "ws_color", "ws_marker"}[i], lines);
    fputs(failed ? "" : texts, script);
    free(texts);
    fputs("ws_x_title = ", script);
    write_axis(data, 0, false, script);
    return failed ? ws_fail(WS_EMEM, "out of memory") : WS_OK;
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
        const int found = find_range(data, &p[i]);
        if (found)
            return found;
        most_lines = p[i].last - p[i].first > most_lines ? p[i].last - p[i].first : most_lines;
    }
    most_lines *= count_series(data);
    const int status = write_panels(data, p, panels, script);
    if (status)
        return status;
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
