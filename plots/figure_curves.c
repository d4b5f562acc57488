/* figure_curves.c - how do quantities change with a number that one chooses?
 *
 * data: the first column is the abscissa, every other column a line with points. Rows follow one another in rising
 * order; where the first column falls back, another series begins, named by its row (say, another linkage). Columns of
 * one group and unit share a panel, up to PANELS panels; gaps are missing values. Of more lines than eyes tell apart,
 * those are shown whose values lie farthest apart (most: how many in a panel, 12), and a note says so. Two columns
 * NAME_low and NAME_high of a panel, of which all series have the same values, are no lines but a band between them. */
#include "plots/figure_internal.h"

#include "base/shown.h"

#include <stdbool.h>
#include <string.h>

enum { PANELS = 6, SHOWN = 12 };

static const double panel_px = 330, height_px = 290, key_px = 16, left_px = 62, right_px = 16, foot_px = 48,
                    label_px = 10;
static const double least_plot_px = 60, mark_px = 34;
static const double beyond = 0.06; /* of the range: room for marks at the ends of an axis that does not end at 0 */

typedef struct line {
    size_t column, first, end; /* rows [first, end) of the frame */
    double span;               /* highest minus lowest value */
    size_t place;              /* in the order of the frame */
} line;

typedef struct panel {
    size_t first, last;         /* columns [first, last) of the frame */
    size_t low_edge, high_edge; /* columns of a band; 0: there is none */
    line *line;                 /* [lines] those that are shown, in the order of the frame */
    size_t lines, all;
    double low, high;
} panel;

static size_t find_panels(const ws_frame *data, panel *p)
{
    size_t n = 0;
    for (size_t j = 1, k; j < data->columns && n <= PANELS; j = k, n++) {
        for (k = j + 1; k < data->columns && ws_plot_together(&data->column[j], &data->column[k]);)
            k++;
        if (n < PANELS)
            p[n] = (panel){.first = j, .last = k};
    }
    return n;
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

/* Is the column's name `stem`, so many bytes, with that ending? */
static bool is_edge(const char *name, const char *stem, size_t bytes, const char *ending)
{
    return strncmp(name, stem, bytes) == 0 && strcmp(name + bytes, ending) == 0;
}

/* The first two columns of a panel that are the edges of a band. */
static void find_band(const ws_frame *data, panel *p)
{
    static const char low[] = "_low", high[] = "_high";
    for (size_t j = p->first; j < p->last && !p->low_edge; j++) {
        const char *const name = data->column[j].name;
        const size_t n = strlen(name), stem = n - (sizeof low - 1);
        if (n < sizeof low || strcmp(name + stem, low) != 0)
            continue;
        for (size_t k = p->first; k < p->last; k++)
            if (is_edge(data->column[k].name, name, stem, high)) {
                p->low_edge = j;
                p->high_edge = k;
            }
    }
}

static bool is_line(const panel *p, size_t column)
{
    return !p->low_edge || (column != p->low_edge && column != p->high_edge);
}

static double value_at(const ws_frame *data, size_t row, size_t column)
{
    return data->value[row * data->columns + column];
}

/* What a line spans; less than nothing when it has no value. */
static double span_of(const ws_frame *data, const line *l)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t i = l->first; i < l->end; i++) {
        const double v = value_at(data, i, l->column);
        if (isfinite(v) && isfinite(value_at(data, i, 0))) {
            low = fmin(low, v);
            high = fmax(high, v);
        }
    }
    return high - low;
}

static int by_span(const void *a, const void *b)
{
    const line *const x = a, *const y = b;
    return x->span != y->span ? (x->span < y->span) - (x->span > y->span)
                              : (x->place > y->place) - (x->place < y->place);
}

static int by_place(const void *a, const void *b)
{
    const line *const x = a, *const y = b;
    return (x->place > y->place) - (x->place < y->place);
}

/* The lines of a panel that are shown: all, or the `most` that span most. */
static int choose_lines(const ws_frame *data, size_t series, size_t most, panel *p)
{
    find_band(data, p);
    const size_t columns = p->last - p->first - (p->low_edge ? 2 : 0);
    p->all = series * columns;
    p->line = calloc(p->all + 1, sizeof *p->line);
    if (!p->line)
        return ws_fail(WS_EMEM, "out of memory");
    size_t n = 0;
    for (size_t j = p->first; j < p->last; j++) {
        for (size_t i = 0, end; is_line(p, j) && i < data->rows; i = end, n++) {
            end = series_end(data, i);
            p->line[n] = (line){.column = j, .first = i, .end = end, .place = n};
            p->line[n].span = span_of(data, &p->line[n]);
        }
    }
    p->lines = n < most ? n : most;
    qsort(p->line, n, sizeof *p->line, n > most ? by_span : by_place);
    qsort(p->line, p->lines, sizeof *p->line, by_place);
    return WS_OK;
}

static int find_range(const ws_frame *data, panel *p)
{
    p->low = INFINITY;
    p->high = -INFINITY;
    for (size_t k = 0; k < p->lines; k++) {
        for (size_t i = p->line[k].first; i < p->line[k].end; i++) {
            const double v = value_at(data, i, p->line[k].column);
            p->low = isfinite(v) ? fmin(p->low, v) : p->low;
            p->high = isfinite(v) ? fmax(p->high, v) : p->high;
        }
    }
    for (size_t i = 0; p->low_edge && i < data->rows; i++)
        p->high = fmax(p->high, value_at(data, i, p->high_edge)); /* a missing one is passed over */
    if (p->low > p->high)
        return ws_fail(WS_EINPUT, "column '%s' has no values to draw", data->column[p->first].name);
    p->high = p->high > fmin(p->low, 0) ? p->high : fmin(p->low, 0) + 1;
    p->low = p->low < 0 ? p->low - beyond * (p->high - p->low) : 0;
    return WS_OK;
}

/* A missing value is a point that nobody draws, a gap: empty lines, two in a row, would begin the points of the next
 * line. */
static void write_points(const ws_frame *data, size_t column, size_t first, size_t end, FILE *script)
{
    for (size_t i = first; i < end; i++) {
        const double x = data->value[i * data->columns], y = data->value[i * data->columns + column];
        if (isfinite(x) && isfinite(y))
            fprintf(script, "%.7g %.7g\n", x, y);
        else
            fputs("NaN NaN\n", script);
    }
    fputs("\n\n", script);
}

/* The band's edges at each abscissa, of the first series; a point that nobody draws when there is none. */
static void write_band(const ws_frame *data, const panel *p, FILE *script)
{
    for (size_t i = 0; p->low_edge && i < series_end(data, 0); i++)
        if (isfinite(value_at(data, i, p->low_edge)) && isfinite(value_at(data, i, p->high_edge)))
            fprintf(script, "%.7g %.7g %.7g\n", value_at(data, i, 0), value_at(data, i, p->low_edge),
                    value_at(data, i, p->high_edge));
    fputs(p->low_edge ? "\n\n" : "0 0 0\n\n\n", script);
}

/* What a band is called: the name of its edges without their ending. */
static void write_band_name(const ws_frame *data, const panel *p, FILE *text)
{
    char name[WS_NAME_BYTES] = "";
    if (p->low_edge) {
        ws_shown(name, sizeof name, data->column[p->low_edge].name);
        char *const end = strrchr(name, '_');
        if (end)
            *end = '\0';
    }
    ws_script_string(text, name);
}

/* "complete: silhouette", or without what all lines have in common. */
static void write_line_name(const ws_frame *data, const panel *p, const line *l, size_t series, double width_px,
                            FILE *script)
{
    char row[WS_NAME_BYTES], column[WS_NAME_BYTES], name[2 * WS_NAME_BYTES + 4];
    ws_plot_row_name(data, l->first, row);
    ws_shown(column, sizeof column, data->column[l->column].name);
    if (series == 1)
        snprintf(name, sizeof name, "%s", column);
    else if (p->all == series)
        snprintf(name, sizeof name, "%s", row);
    else
        snprintf(name, sizeof name, "%s: %s", row, column);
    name[WS_NAME_BYTES - 1] = '\0';
    ws_text_fit(name, label_px, width_px);
    ws_script_string(script, name);
}

/* What an axis says: "error", "distance (m)"; a ratio needs no word beside another. */
static void write_axis(const ws_column *c, const char *what, FILE *script)
{
    char text[2 * WS_NAME_BYTES + 4];
    if (*c->unit && *what && strcmp(c->unit, "ratio") && strcmp(c->unit, what))
        snprintf(text, sizeof text, "%s (%s)", what, c->unit);
    else
        snprintf(text, sizeof text, "%s", *what ? what : *c->unit ? c->unit : "value");
    ws_script_string(script, text);
    fputc('\n', script);
}

/* The lines of a panel: their points into the data block, and to `text` their names, colours and markers. */
static size_t write_lines(const ws_frame *data, const panel *p, size_t series, size_t lines, double width_px,
                          FILE *script, FILE *text)
{
    for (size_t k = 0; k < p->lines; k++) {
        const line *const l = &p->line[k];
        write_points(data, l->column, l->first, l->end, script);
        lines++;
        fprintf(text, "ws_name[%zu] = ", lines);
        write_line_name(data, p, l, series, width_px - mark_px, text);
        fprintf(text, "\nws_color[%zu] = %u\nws_marker[%zu] = %d\n", lines, ws_kind_color(k % WS_KINDS), lines,
                ws_cluster_marker((long)k + 1));
    }
    return lines;
}

static int write_panels(const ws_frame *data, const panel *p, size_t panels, size_t series, double width_px,
                        FILE *script)
{
    char *texts = NULL;
    size_t bytes, lines = 0;
    FILE *text = open_memstream(&texts, &bytes);
    if (!text)
        return ws_fail(WS_EMEM, "out of memory");
    fputs("$bands << EOD\n", script);
    for (size_t i = 0; i < panels; i++)
        write_band(data, &p[i], script);
    fputs("EOD\n$lines << EOD\n", script);
    for (size_t i = 0; i < panels; i++) {
        fprintf(text, "ws_banded[%zu] = %d\nws_band_name[%zu] = ", i + 1, p[i].low_edge > 0, i + 1);
        write_band_name(data, &p[i], text);
        fputc('\n', text);
        fprintf(text, "ws_first[%zu] = %zu\n", i + 1, lines + 1);
        lines = write_lines(data, &p[i], series, lines, width_px, script, text);
        fprintf(text, "ws_last[%zu] = %zu\nws_low[%zu] = %.7g\nws_high[%zu] = %.7g\nws_axis[%zu] = ", i + 1, lines,
                i + 1, p[i].low, i + 1, p[i].high, i + 1);
        write_axis(&data->column[p[i].first], ws_plot_panel_name(&data->column[p[i].first], p[i].last - p[i].first),
                   text);
    }
    fputs("EOD\n", script);
    const int failed = fclose(text);
    static const char *const arrays[] = {"ws_first", "ws_last",   "ws_low",      "ws_high",
                                         "ws_axis",  "ws_banded", "ws_band_name"};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        fprintf(script, "array %s[%zu]\n", arrays[i], panels);
    for (size_t i = 0; i < 3; i++)
        fprintf(script, "array %s[%zu]\n", (const char *[]){"ws_name", "ws_color", "ws_marker"}[i], lines);
    fputs(failed ? "" : texts, script);
    free(texts);
    fputs("ws_x_title = ", script);
    write_axis(&data->column[0], data->column[0].name, script);
    return failed ? ws_fail(WS_EMEM, "out of memory") : WS_OK;
}

static int write_abscissa(const ws_frame *data, double width_px, FILE *script)
{
    double *x = calloc(data->rows, sizeof *x);
    if (!x)
        return ws_fail(WS_EMEM, "out of memory");
    bool whole = true; /* what is counted has no tics in between */
    for (size_t i = 0; i < data->rows; i++) {
        x[i] = value_at(data, i, 0);
        whole = whole && x[i] == floor(x[i]);
    }
    const ws_limits limits = ws_plot_limits(x, data->rows, 0.05);
    free(x);
    ws_script_number(script, "ws_x_low", limits.low);
    ws_script_number(script, "ws_x_high", limits.high);
    char number[32];
    snprintf(number, sizeof number, "%g", limits.high - limits.low > 10 ? floor(limits.high) : 0.25);
    const double steps = width_px / (ws_text_width(number, WS_FONT_PX) + 8);
    const double step = ws_nice_step(limits.high - limits.low, (int)fmin(fmax(steps, 1), 12));
    ws_script_number(script, "ws_x_step", whole ? fmax(step, 1) : step);
    return WS_OK;
}

static int lay_out(const ws_plot_request *request, const panel *p, size_t panels, double *head, ws_canvas *canvas)
{
    size_t most = 1, shown = 0, all = 0;
    for (size_t i = 0; i < panels; i++) {
        const size_t keys = p[i].lines + (p[i].low_edge > 0);
        most = keys > most ? keys : most;
        shown += p[i].lines;
        all += p[i].all;
    }
    int status = ws_plot_width(request, (left_px + right_px + least_plot_px) * (double)panels,
                               panel_px * (double)panels + (panels == 1 ? 120 : 0), canvas);
    if (!status && shown < all)
        ws_plot_note(canvas, "%zu of %zu lines: those whose highest and lowest values lie farthest apart.", shown, all);
    *head = most > 1 ? 8 + key_px * (double)most : 12;
    if (!status)
        status = ws_plot_height(request, 100 + *head, height_px + *head, canvas);
    canvas->right = canvas->width;
    canvas->top = *head;
    canvas->bottom = canvas->height - foot_px;
    return status;
}

int ws_figure_curves(const ws_plot_request *request, ws_canvas *canvas, FILE *script)
{
    const ws_frame *data = request->data;
    if (!data->rows || data->columns < 2)
        return ws_fail(WS_EINPUT, "curves need a first column to stand over, another one, and a row");
    panel p[PANELS + 1] = {0};
    const size_t panels = find_panels(data, p), series = count_series(data);
    if (panels > PANELS)
        return ws_fail(
            WS_EINPUT,
            "columns of more than %d groups and units do not fit one figure of curves; choose some with --columns",
            PANELS);
    int status = WS_OK;
    for (size_t i = 0; i < panels && !status; i++) {
        status = choose_lines(data, series, request->most ? request->most : SHOWN, &p[i]);
        if (!status)
            status = find_range(data, &p[i]);
    }
    double head = 0;
    if (!status)
        status = lay_out(request, p, panels, &head, canvas);
    const double width_px = canvas->width / (double)panels - left_px - right_px;
    if (!status)
        status = write_panels(data, p, panels, series, width_px, script);
    if (!status)
        status = write_abscissa(data, width_px, script);
    for (size_t i = 0; i < PANELS; i++)
        free(p[i].line);
    if (status)
        return status;
    ws_script_number(script, "ws_panels", (double)panels);
    ws_script_number(script, "ws_head", head);
    return WS_OK;
}
