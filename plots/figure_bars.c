/* figure_bars.c - how do a few quantities of each row compare?
 *
 * data: rows whose first label is the same form a cluster. With one label each column is a bar, in its colour; with
 * more, each row is a bar, named by those of its other labels that vary, and its columns are stacked. A missing value
 * has no bar. Columns X_low and X_high beside a column X are the ends of an interval: no bars, but a whisker on that
 * of X. */
#include "plots/figure_internal.h"

#include <stdbool.h>
#include <string.h>

enum { MOST_COLUMNS = 8 }; /* as many colours stay apart */

static const double bar_px = 15, slim_px = 11, plot_px = 230, label_px = 10, key_px = 18, left_px = 62, edge_px = 18;
static const double least_px = 250;

enum { NONE = -1 }; /* in place of a column */

typedef struct chart {
    const ws_frame *data;
    bool stacked;
    size_t columns; /* that are drawn as bars */
    struct {
        size_t value;
        long low, high; /* both or NONE */
    } column[MOST_COLUMNS];
    size_t clusters, bars; /* of all clusters */
    double low, high;      /* of bars' ends, 0 included */
    double names_px;       /* room under the axis for the names of bars */
    double pitch_px;       /* from bar to bar, and between clusters */
} chart;

static double value_at(const ws_frame *f, size_t row, size_t column)
{
    return f->value[row * f->columns + column];
}

static long find(const ws_frame *f, const char *name, const char *end)
{
    char wanted[WS_NAME_BYTES];
    snprintf(wanted, sizeof wanted, "%.*s%s", (int)(sizeof wanted - 1 - strlen(end)), name, end);
    for (size_t k = 0; k < f->columns; k++)
        if (!strcmp(f->column[k].name, wanted))
            return (long)k;
    return NONE;
}

/* Is the column X_low or X_high of a column X that has both? */
static bool is_end(const ws_frame *f, size_t column)
{
    static const char *const ends[] = {"_low", "_high"};
    const char *const name = f->column[column].name;
    for (size_t e = 0; e < 2; e++) {
        const size_t length = strlen(name), tail = strlen(ends[e]);
        if (length <= tail || strcmp(name + length - tail, ends[e]) != 0)
            continue;
        char whole[WS_NAME_BYTES];
        snprintf(whole, sizeof whole, "%.*s", (int)(length - tail), name);
        return find(f, whole, "") != NONE && find(f, whole, ends[!e]) != NONE;
    }
    return false;
}

static int choose_columns(chart *c)
{
    const ws_frame *const f = c->data;
    size_t n = 0;
    for (size_t k = 0; k < f->columns; k++) {
        if (is_end(f, k))
            continue;
        if (n < MOST_COLUMNS) {
            const long low = find(f, f->column[k].name, "_low"), high = find(f, f->column[k].name, "_high");
            const bool both = low != NONE && high != NONE;
            c->column[n].value = k;
            c->column[n].low = both ? low : NONE;
            c->column[n].high = both ? high : NONE;
        }
        n++;
    }
    if (n > MOST_COLUMNS)
        return ws_fail(WS_EINPUT, "%zu columns are too many colours for bars, at most %d; choose some with --columns",
                       n, MOST_COLUMNS);
    c->columns = n;
    return WS_OK;
}

static bool opens_cluster(const chart *c, size_t row)
{
    const ws_frame *const f = c->data;
    return !c->stacked || !row || strcmp(f->label[row * f->labels], f->label[(row - 1) * f->labels]) != 0;
}

static bool varies(const ws_frame *f, size_t label)
{
    for (size_t i = 1; i < f->rows; i++)
        if (strcmp(f->label[i * f->labels + label], f->label[label]) != 0)
            return true;
    return false;
}

/* Labels of a row but the first, joined; of more than one those that tell rows apart. */
static void bar_name(const ws_frame *f, size_t row, char *name, size_t size)
{
    size_t varying = 0, length = 0;
    for (size_t k = 1; k < f->labels; k++)
        varying += varies(f, k);
    *name = '\0';
    for (size_t k = 1; k < f->labels && length < size; k++)
        if (!varying || varies(f, k))
            length += (size_t)snprintf(name + length, size - length, "%s%s", length ? "/" : "",
                                       f->label[row * f->labels + k]);
}

static void reach(chart *c, double value)
{
    c->low = fmin(c->low, value);
    c->high = fmax(c->high, value);
}

/* Ends of the interval of bar k of a row, whose bar begins at `from`; false: it has none. */
static bool interval_of(const chart *c, size_t row, size_t k, double from, double *low, double *high)
{
    if (c->column[k].low == NONE)
        return false;
    *low = from + value_at(c->data, row, (size_t)c->column[k].low);
    *high = from + value_at(c->data, row, (size_t)c->column[k].high);
    return isfinite(*low) && isfinite(*high) && isfinite(value_at(c->data, row, c->column[k].value));
}

static int measure(chart *c)
{
    const ws_frame *const f = c->data;
    for (size_t i = 0; i < f->rows; i++) {
        double sum = 0;
        for (size_t k = 0; k < c->columns; k++) {
            const double v = value_at(f, i, c->column[k].value);
            double low, high;
            if (!isfinite(v))
                continue;
            if (c->stacked && v < 0)
                return ws_fail(WS_EINPUT, "column '%s' of row %zu is %g; what is stacked must not be negative",
                               f->column[c->column[k].value].name, i + 1, v);
            if (interval_of(c, i, k, c->stacked ? sum : 0, &low, &high)) {
                reach(c, low);
                reach(c, high);
            }
            sum = c->stacked ? sum + v : v;
            reach(c, sum);
        }
        char name[WS_NAME_BYTES] = "";
        if (c->stacked)
            bar_name(f, i, name, sizeof name);
        c->names_px = fmax(c->names_px, fmin(ws_text_width(name, label_px), 130));
        c->clusters += opens_cluster(c, i);
        c->bars += c->stacked ? 1 : c->columns;
    }
    if (c->high <= c->low)
        return ws_fail(WS_EINPUT, "column '%s' has no values to draw", f->column[0].name);
    return WS_OK;
}

static void write_bar(FILE *script, double at, double from, double to, size_t color)
{
    if (isfinite(to))
        fprintf(script, "%.7g %.7g %.7g %u\n", at, from, to, ws_cluster_color((long)color + 1));
}

/* Bars stand at 0, 1, 2, ...; between clusters one place is free. Either all bars are written or all whiskers. */
static size_t write_places(const chart *c, bool whiskers, FILE *script)
{
    const ws_frame *const f = c->data;
    size_t intervals = 0;
    double at = 0;
    for (size_t i = 0; i < f->rows; i++) {
        double sum = 0;
        at += i && opens_cluster(c, i);
        for (size_t k = 0; k < c->columns; k++) {
            const double v = value_at(f, i, c->column[k].value);
            double low, high;
            const bool interval = interval_of(c, i, k, sum, &low, &high);
            intervals += interval;
            if (!whiskers)
                write_bar(script, at, sum, sum + v, k);
            else if (interval)
                fprintf(script, "%.7g %.7g %.7g\n", at, low, high);
            sum += c->stacked && isfinite(v) ? v : 0;
            at += !c->stacked;
        }
        at += c->stacked;
    }
    return intervals;
}

/* A block without a line would end gnuplot, so its number of lines comes with it. */
static void write_bars(const chart *c, FILE *script)
{
    fputs("$bars << EOD\n", script);
    const size_t whiskers = write_places(c, false, script);
    fprintf(script, "EOD\nws_whiskers = %zu\n", whiskers);
    if (!whiskers)
        return;
    fputs("$whiskers << EOD\n", script);
    write_places(c, true, script);
    fputs("EOD\n", script);
}

static void write_name(FILE *script, const char *what, size_t number, double at, const char *name)
{
    fprintf(script, "ws_%s_at[%zu] = %.7g\nws_%s_name[%zu] = ", what, number, at, what, number);
    ws_script_string(script, name);
    fputc('\n', script);
}

/* gnuplot knows no array without an element. */
static void open_names(FILE *script, const char *what, size_t count)
{
    const size_t room = count + !count;
    fprintf(script, "ws_%ss = %zu\narray ws_%s_at[%zu]\narray ws_%s_name[%zu]\n", what, count, what, room, what, room);
}

static void write_bar_names(const chart *c, FILE *script)
{
    double at = 0;
    open_names(script, "bar", c->stacked ? c->bars : 0);
    for (size_t i = 0; i < c->data->rows && c->stacked; i++, at++) {
        char name[WS_NAME_BYTES];
        at += i && opens_cluster(c, i);
        bar_name(c->data, i, name, sizeof name);
        ws_text_fit(name, label_px, c->names_px);
        write_name(script, "bar", i + 1, at, name);
    }
}

static void write_cluster_names(const chart *c, FILE *script)
{
    const ws_frame *const f = c->data;
    double at = 0;
    size_t number = 0;
    open_names(script, "cluster", c->clusters);
    for (size_t i = 0, end; i < f->rows; i = end) {
        for (end = i + 1; end < f->rows && !opens_cluster(c, end);)
            end++;
        const double bars = (double)(c->stacked ? end - i : c->columns);
        char name[WS_NAME_BYTES];
        snprintf(name, sizeof name, "%s", f->label[i * f->labels]);
        ws_text_fit(name, label_px, (bars + 0.8) * c->pitch_px);
        write_name(script, "cluster", ++number, at + (bars - 1) / 2, name);
        at += bars + 1;
    }
}

/* One line of names after another, as wide as the picture. Returns their number. */
static size_t write_key(const chart *c, double right, FILE *script)
{
    static const double mark_px = 16, gap_px = 16;
    double x = left_px;
    size_t line = 0;
    for (const char *const *name = (const char *const[]){"x", "y", "color", "name", NULL}; *name; name++)
        fprintf(script, "array ws_key_%s[%zu]\n", *name, c->columns);
    for (size_t k = 0; k < c->columns; k++) {
        const char *const column = c->data->column[c->column[k].value].name;
        const double width = mark_px + ws_text_width(column, label_px);
        if (x > left_px && x + width > right) {
            x = left_px;
            line++;
        }
        fprintf(script, "ws_key_x[%zu] = %.7g\nws_key_y[%zu] = %zu\n", k + 1, x, k + 1, line);
        fprintf(script, "ws_key_color[%zu] = %u\nws_key_name[%zu] = ", k + 1, ws_cluster_color((long)k + 1), k + 1);
        ws_script_string(script, column);
        fputc('\n', script);
        x += width + gap_px;
    }
    fprintf(script, "ws_keys = %zu\n", c->columns);
    return line + 1;
}

/* What the first column is measured in, and the group that it is in or, when it is the only one, its name. */
static void write_axis(const chart *chosen, FILE *script)
{
    const ws_column *const c = &chosen->data->column[chosen->column[0].value];
    char text[2 * WS_NAME_BYTES + 4];
    const bool unit = *c->unit && strcmp(c->unit, "ratio") != 0;
    const char *const what = chosen->columns == 1 ? c->name : c->group;
    snprintf(text, sizeof text, unit && *what ? "%s (%s)" : "%s%s", what, unit ? c->unit : "");
    fputs("ws_axis = ", script);
    ws_script_string(script, text);
    fputc('\n', script);
}

int ws_figure_bars(const ws_plot_request *request, ws_canvas *canvas, FILE *script)
{
    const ws_frame *const f = request->data;
    chart c = {.data = f, .stacked = f->labels > 1};
    if (!f->rows || !f->columns)
        return ws_fail(WS_EINPUT, "bars need a row and a column");
    int status = choose_columns(&c);
    if (!status)
        status = measure(&c);
    if (status)
        return status;
    const double places = (double)(c.bars + c.clusters);
    const double usual_px = ws_plot_pitch(c.bars + c.clusters, c.stacked || c.columns < 4 ? bar_px : slim_px);
    const double wanted_px = request->width_px ? request->width_px - left_px - edge_px : least_px;
    c.pitch_px = request->width_px ? fmax(wanted_px, 40) / places : fmax(usual_px, least_px / places);
    const double right = left_px + places * c.pitch_px;
    const double head = 10 + key_px * (double)write_key(&c, right, script);
    const double bottom = head + plot_px, foot = (c.stacked ? c.names_px + 4 : 0) + 24;
    *canvas = (ws_canvas){right + edge_px, bottom + foot, left_px, right, head, bottom};
    write_bars(&c, script);
    write_bar_names(&c, script);
    write_cluster_names(&c, script);
    write_axis(&c, script);
    const double step = ws_nice_step(c.high - c.low, 6);
    ws_script_number(script, "ws_step", step);
    ws_script_number(script, "ws_low", floor(c.low / step) * step);
    ws_script_number(script, "ws_high", ceil(c.high / step) * step);
    ws_script_number(script, "ws_places", places);
    ws_script_number(script, "ws_foot", foot);
    ws_script_number(script, "ws_key_pitch", key_px);
    ws_script_number(script, "ws_head", head);
    return WS_OK;
}
