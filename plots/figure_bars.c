/* figure_bars.c - how do a few quantities of each row compare?
 *
 * data: rows whose first label is the same form a cluster. With one label each column is a bar, in its colour, and
 * columns of one unit share a panel. With more, each row is a bar, named by those of its other labels that vary, and
 * columns that may be summed are stacked: those of one unit that is an amount, or shares of one whole (each row's sum
 * is 1). Other columns have a panel each; stack of the request says that columns of one unit are parts. A bar beyond
 * the limit of the request is cut, with its value beside. A missing value has no bar. Columns X_low and X_high beside a
 * column X are the ends of an interval: no bars, but a whisker on that of X. */
#include "plots/figure_internal.h"

#include "base/shown.h"

#include <stdbool.h>
#include <string.h>

enum { MOST_COLUMNS = 8, NONE = -1 /* in place of a column */ }; /* as many colours stay apart */

static const double bar_px = 15, slim_px = 11, plot_px = 230, panel_px = 120, least_panel_px = 40, gap_px = 16;
static const double label_px = 10, key_px = 18, least_left_px = 62, title_px = 34, edge_px = 18, least_px = 250,
                    most_name_px = 130;
static const double apart_px = 4; /* at least, from the name of one cluster to the next */
static const double least_name_px = 8, least_cluster_px = 14, least_bar_px = 0.5;
static const double cut_room = 0.16; /* of a bar that is cut: beside its end */
static const double rounding = 1e-6; /* of a step of an axis: less than anyone sees */

typedef struct panel {
    size_t column[MOST_COLUMNS], columns; /* of the chart */
    double low, high;                     /* of bars' ends, 0 included */
    double top, bottom;                   /* below the top of the first */
} panel;

typedef struct chart {
    const ws_frame *data;
    bool rows_are_bars; /* else each column is one */
    double limit;       /* beyond which bars are cut; INFINITY: none is */
    size_t columns;     /* that are drawn as bars */
    struct {
        size_t value;
        long low, high; /* both or NONE */
    } column[MOST_COLUMNS];
    panel panel[MOST_COLUMNS];
    bool nameless;         /* no names of rows are asked for */
    size_t panels, most;   /* most: columns of a panel */
    size_t clusters, bars; /* of all clusters, in the panel that has most */
    double names_px;       /* room under the axis for the names of bars; 0: they have none */
    double pitch_px;       /* from bar to bar, and between clusters */
    double left_px;        /* room for the numbers of the axes */
} chart;

static double value_at(const ws_frame *f, size_t row, size_t column)
{
    return f->value[row * f->columns + column];
}

static double bar_value(const chart *c, size_t row, size_t k)
{
    return value_at(c->data, row, c->column[k].value);
}

static const ws_column *head_of(const chart *c, size_t k)
{
    return &c->data->column[c->column[k].value];
}

static long find(const ws_frame *f, const char *name, const char *end)
{
    char wanted[WS_NAME_BYTES];
    snprintf(wanted, sizeof wanted, "%.*s%s", (int)(sizeof wanted - 1 - strlen(end)), name, end);
    return ws_frame_find_column(f, wanted);
}

static int fail_colors(size_t columns)
{
    return ws_fail(WS_EINPUT, "%zu columns are too many colours for bars, at most %d; choose some with --columns",
                   columns, MOST_COLUMNS);
}

static int choose_columns(chart *c)
{
    const ws_frame *const f = c->data;
    size_t n = 0;
    if (f->columns > 3 * MOST_COLUMNS) /* more than all intervals have */
        return fail_colors(f->columns);
    for (size_t k = 0; k < f->columns; k++) {
        if (ws_frame_is_limit(f, k))
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
    c->columns = n;
    return n > MOST_COLUMNS ? fail_colors(n) : WS_OK;
}

/* ---------------------------------------------------------------- what may be summed */

static bool is_one_of(const char *text, const char *const *word)
{
    while (*word && strcasecmp(text, *word))
        word++;
    return *word != NULL;
}

/* Units of shares: parts of one whole may be summed, shares of different wholes not. */
static bool is_share(const char *unit)
{
    static const char *const shares[] = {"ratio", "fraction", "share", "%", "percent", NULL};
    return is_one_of(unit, shares);
}

/* Units of states, not of amounts: two temperatures have no sum. */
static bool is_state(const char *unit)
{
    static const char *const states[] = {"K",   "C",   "\u00b0C", "F",     "\u00b0F", "V", "Hz",
                                         "kHz", "MHz", "GHz",     "error", "speedup", NULL};
    return is_one_of(unit, states);
}

/* Does a word of the name, between underscores or other signs, say that the column is no amount but one of many, such
 * as a mean? */
static bool names_state(const char *name)
{
    static const char *const words[] = {"mean", "average", "avg",  "median", "min",   "max",        "least",  "most",
                                        "peak", "latency", "rate", "error",  "ratio", "efficiency", "stddev", NULL};
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    for (size_t length; *(name += strcspn(name, letters)); name += length) {
        char word[16];
        length = strspn(name, letters);
        snprintf(word, sizeof word, "%.*s", (int)length, name);
        if (is_one_of(word, words))
            return true;
    }
    return false;
}

/* May what stands in a column be stacked on others of its unit? Below the axis there is no stack. */
static bool is_amount(const chart *c, size_t k)
{
    const ws_column *const column = head_of(c, k);
    return *column->unit && !is_share(column->unit) && !is_state(column->unit) && !names_state(column->name);
}

static bool is_below(const chart *c, size_t k)
{
    for (size_t i = 0; i < c->data->rows; i++)
        if (bar_value(c, i, k) < 0)
            return true;
    return false;
}

static bool same_unit(const chart *c, size_t a, size_t b)
{
    return strcmp(head_of(c, a)->unit, head_of(c, b)->unit) == 0;
}

/* Are the columns of k's unit the parts of one whole in every row? Then each of them may be stacked. */
static bool is_part(const chart *c, size_t k)
{
    const double whole = strcasecmp(head_of(c, k)->unit, "%") && strcasecmp(head_of(c, k)->unit, "percent") ? 1 : 100;
    if (!is_share(head_of(c, k)->unit))
        return false;
    for (size_t i = 0; i < c->data->rows; i++) {
        double sum = 0;
        for (size_t j = 0; j < c->columns; j++)
            sum += same_unit(c, j, k) ? bar_value(c, i, j) : 0;
        if (!(fabs(sum - whole) <= 1e-3 * whole))
            return false;
    }
    return true;
}

/* Panels: columns of one unit side by side; as stacks only those that may be summed, each other column alone. */
static int find_panels(chart *c, bool stack)
{
    for (size_t k = 0; k < c->columns; k++) {
        if (stack && !same_unit(c, k, 0))
            return ws_fail(
                WS_EINPUT,
                "--stack: '%s' (%s) and '%s' (%s) have different units and no sum; choose columns of one unit",
                head_of(c, 0)->name, *head_of(c, 0)->unit ? head_of(c, 0)->unit : "none", head_of(c, k)->name,
                *head_of(c, k)->unit ? head_of(c, k)->unit : "none");
        if (stack && is_below(c, k))
            return ws_fail(WS_EINPUT, "--stack: column '%s' has values below 0, which cannot be stacked",
                           head_of(c, k)->name);
    }
    bool summed[MOST_COLUMNS];
    for (size_t k = 0; k < c->columns; k++)
        summed[k] = !c->rows_are_bars || stack || ((is_amount(c, k) || is_part(c, k)) && !is_below(c, k));
    for (size_t k = 0; k < c->columns; k++) {
        size_t p = 0;
        while (p < c->panels && !(summed[k] && summed[c->panel[p].column[0]] && same_unit(c, k, c->panel[p].column[0])))
            p++;
        c->panels += p == c->panels;
        c->panel[p].column[c->panel[p].columns++] = k;
        c->most = c->panel[p].columns > c->most ? c->panel[p].columns : c->most;
    }
    return WS_OK;
}

/* ---------------------------------------------------------------- clusters and names */

static bool opens_cluster(const chart *c, size_t row)
{
    const ws_frame *const f = c->data;
    return !c->rows_are_bars || !row || strcmp(f->label[row * f->labels], f->label[(row - 1) * f->labels]) != 0;
}

static bool varies(const ws_frame *f, size_t label)
{
    for (size_t i = 1; i < f->rows; i++)
        if (strcmp(f->label[i * f->labels + label], f->label[label]) != 0)
            return true;
    return false;
}

/* Labels of a row but the first, joined; of more than one those that tell rows apart. */
static void bar_name(const ws_frame *f, const bool *used, size_t row, char name[WS_NAME_BYTES])
{
    char whole[WS_NAME_BYTES] = "";
    size_t length = 0;
    for (size_t k = 1; k < f->labels && length < sizeof whole; k++)
        if (used[k])
            length += (size_t)snprintf(whole + length, sizeof whole - length, "%s%s", length ? "/" : "",
                                       f->label[row * f->labels + k]);
    ws_shown(name, WS_NAME_BYTES, whole);
}

/* Which labels name bars; freed by the caller. */
static bool *find_naming(const ws_frame *f)
{
    bool *const used = calloc(f->labels + 1, sizeof *used);
    size_t varying = 0;
    for (size_t k = 1; used && k < f->labels; k++)
        varying += used[k] = ws_frame_label_names(f, k) && varies(f, k);
    for (size_t k = 1; used && !varying && k < f->labels; k++)
        used[k] = ws_frame_label_names(f, k);
    return used;
}

/* ---------------------------------------------------------------- values */

static bool is_cut(const chart *c, double value)
{
    return fabs(value) > c->limit;
}

static double end_of(const chart *c, double value)
{
    return is_cut(c, value) ? copysign(c->limit, value) : value;
}

static void reach(const chart *c, panel *p, double value)
{
    p->low = fmin(p->low, end_of(c, value));
    p->high = fmax(p->high, end_of(c, value));
}

/* Ends of the interval of bar k of a row, whose bar begins at `from`; false: it has none. */
static bool interval_of(const chart *c, size_t row, size_t k, double from, double *low, double *high)
{
    if (c->column[k].low == NONE)
        return false;
    *low = from + value_at(c->data, row, (size_t)c->column[k].low);
    *high = from + value_at(c->data, row, (size_t)c->column[k].high);
    return isfinite(*low) && isfinite(*high) && isfinite(bar_value(c, row, k));
}

static int measure_panel(const chart *c, panel *p)
{
    for (size_t i = 0; i < c->data->rows; i++) {
        double sum = 0;
        for (size_t n = 0; n < p->columns; n++) {
            const double v = bar_value(c, i, p->column[n]);
            double low, high;
            if (!isfinite(v))
                continue;
            if (interval_of(c, i, p->column[n], c->rows_are_bars ? sum : 0, &low, &high)) {
                reach(c, p, low);
                reach(c, p, high);
            }
            sum = c->rows_are_bars ? sum + v : v;
            reach(c, p, sum);
        }
    }
    if (p->high <= p->low && c->panels == 1)
        return ws_fail(WS_EINPUT, "column '%s' has no values to draw", head_of(c, p->column[0])->name);
    if (p->high == c->limit) /* values of bars that are cut stand above them */
        p->high *= 1 + cut_room;
    if (p->low == -c->limit)
        p->low *= 1 + cut_room;
    if (p->high <= p->low) /* zeros or nothing beside panels that have something */
        p->high = p->low + 1;
    return WS_OK;
}

static void measure_rows(chart *c, const bool *naming)
{
    for (size_t i = 0; i < c->data->rows; i++) {
        char name[WS_NAME_BYTES] = "";
        if (c->rows_are_bars)
            bar_name(c->data, naming, i, name);
        c->names_px = fmax(c->names_px, fmin(ws_text_width(name, label_px), most_name_px));
        c->clusters += opens_cluster(c, i);
        c->bars += c->rows_are_bars ? 1 : c->most;
    }
}

static void write_bar(FILE *script, double at, double from, double to, size_t color)
{
    if (isfinite(to))
        fprintf(script, "%.7g %.7g %.7g %u\n", at, from, to, ws_cluster_color((long)color + 1));
}

/* Bars stand at 0, 1, 2, ...; between clusters one place is free, and fewer bars than the fullest panel has stand in
 * the middle of their places. Either all bars are written or all whiskers. */
static size_t write_places(const chart *c, const panel *p, bool whiskers, FILE *script)
{
    size_t intervals = 0;
    double place = 0;
    for (size_t i = 0; i < c->data->rows; i++) {
        double sum = 0;
        place += i && opens_cluster(c, i);
        for (size_t n = 0; n < p->columns; n++) {
            const size_t k = p->column[n];
            const double v = bar_value(c, i, k);
            const double at = c->rows_are_bars ? place : place + (double)n + (double)(c->most - p->columns) / 2;
            double low, high;
            const bool interval = interval_of(c, i, k, sum, &low, &high);
            intervals += interval;
            if (!whiskers)
                write_bar(script, at, sum, end_of(c, sum + v), k);
            else if (interval)
                fprintf(script, "%.7g %.7g %.7g\n", at, end_of(c, low), end_of(c, high));
            sum += c->rows_are_bars && isfinite(v) ? v : 0;
        }
        place += c->rows_are_bars ? 1 : (double)c->most;
    }
    return intervals;
}

/* A block without a line would end gnuplot, so a point far off begins each. */
static void write_data(const chart *c, FILE *script)
{
    for (int whiskers = 0; whiskers < 2; whiskers++) {
        fprintf(script, "$%s << EOD\n", whiskers ? "whiskers" : "bars");
        for (size_t p = 0; p < c->panels; p++) {
            fputs(p ? "\n\n-9 0 0 0\n" : "-9 0 0 0\n", script);
            write_places(c, &c->panel[p], whiskers, script);
        }
        fputs("EOD\n", script);
    }
}

/* ---------------------------------------------------------------- letters */

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

static void write_bar_names(const chart *c, const bool *naming, FILE *script)
{
    double at = 0;
    const bool named = c->rows_are_bars && c->names_px > 0;
    open_names(script, "bar", named ? c->bars : 0);
    for (size_t i = 0; i < c->data->rows && named; i++, at++) {
        char name[WS_NAME_BYTES];
        at += i && opens_cluster(c, i);
        bar_name(c->data, naming, i, name);
        ws_text_fit(name, label_px, c->names_px);
        write_name(script, "bar", i + 1, at, name);
    }
}

/* Bars of the panel that are cut, from number `cuts` on; without a script they are counted. */
static size_t write_panel_cuts(const chart *c, size_t number, size_t cuts, FILE *script)
{
    const panel *const p = &c->panel[number];
    double place = 0;
    for (size_t i = 0; i < c->data->rows; i++, place += (double)c->most + 1)
        for (size_t n = 0; n < p->columns; n++) {
            const double v = bar_value(c, i, p->column[n]);
            if (!isfinite(v) || !is_cut(c, v))
                continue;
            char value[32];
            snprintf(value, sizeof value, "%.3g", v);
            if (script) {
                write_name(script, "cut", ++cuts, place + (double)n + (double)(c->most - p->columns) / 2, value);
                fprintf(script, "ws_cut_end[%zu] = %.7g\nws_cut_panel[%zu] = %zu\n", cuts, end_of(c, v), cuts,
                        number + 1);
            } else {
                cuts++;
            }
        }
    return cuts;
}

static void write_cuts(const chart *c, FILE *script)
{
    size_t all = 0, cuts = 0;
    for (size_t p = 0; p < c->panels; p++)
        all = write_panel_cuts(c, p, all, NULL);
    open_names(script, "cut", all);
    fprintf(script, "array ws_cut_end[%zu]\narray ws_cut_panel[%zu]\n", all + !all, all + !all);
    for (size_t p = 0; p < c->panels; p++)
        cuts = write_panel_cuts(c, p, cuts, script);
}

/* Names of clusters that are too narrow for a letter are left out: true when there is one. */
static bool write_cluster_names(const chart *c, FILE *script)
{
    const ws_frame *const f = c->data;
    double at = 0;
    size_t number = 0;
    bool left_out = false;
    open_names(script, "cluster", c->clusters);
    for (size_t i = 0, end; i < f->rows; i = end) {
        for (end = i + 1; end < f->rows && !opens_cluster(c, end);)
            end++;
        const double bars = (double)(c->rows_are_bars ? end - i : c->most);
        const double room = (bars + 1) * c->pitch_px - apart_px; /* half the free places beside it are its own */
        char name[WS_NAME_BYTES];
        ws_shown(name, sizeof name, f->label[i * f->labels]);
        ws_text_fit(name, label_px, room);
        left_out = left_out || (room < least_cluster_px && !c->nameless);
        write_name(script, "cluster", ++number, at + (bars - 1) / 2,
                   room < least_cluster_px || c->nameless ? "" : name);
        at += bars + 1;
    }
    return left_out;
}

/* One line of names after another, as wide as the picture. Returns their number. */
static size_t write_key(const chart *c, double right, FILE *script)
{
    static const double mark_px = 16, next_px = 16;
    double x = c->left_px;
    size_t line = 0;
    for (const char *const *name = (const char *const[]){"x", "y", "color", "name", NULL}; *name; name++)
        fprintf(script, "array ws_key_%s[%zu]\n", *name, c->columns);
    for (size_t k = 0; k < c->columns; k++) {
        char column[WS_NAME_BYTES];
        ws_shown(column, sizeof column, head_of(c, k)->name);
        ws_text_fit(column, label_px, right - c->left_px - mark_px);
        const double width = mark_px + ws_text_width(column, label_px);
        if (x > c->left_px && x + width > right) {
            x = c->left_px;
            line++;
        }
        fprintf(script, "ws_key_x[%zu] = %.7g\nws_key_y[%zu] = %zu\n", k + 1, x, k + 1, line);
        fprintf(script, "ws_key_color[%zu] = %u\nws_key_name[%zu] = ", k + 1, ws_cluster_color((long)k + 1), k + 1);
        ws_script_string(script, column);
        fputc('\n', script);
        x += width + next_px;
    }
    fprintf(script, "ws_keys = %zu\n", c->columns);
    return line + 1;
}

/* What a panel's columns are measured in, and the group that they are in or, when there is one, its name. */
static void write_axis(const chart *c, const panel *p, FILE *script)
{
    const ws_column *const first = head_of(c, p->column[0]);
    char what[WS_NAME_BYTES], unit[WS_NAME_BYTES], text[2 * WS_NAME_BYTES + 4];
    bool one_group = true;
    for (size_t n = 1; n < p->columns; n++)
        one_group = one_group && !strcmp(head_of(c, p->column[n])->group, first->group);
    ws_shown(what, sizeof what, p->columns == 1 ? first->name : one_group ? first->group : "");
    ws_shown(unit, sizeof unit, strcmp(first->unit, "ratio") || (!*what && c->panels > 1) ? first->unit : "");
    snprintf(text, sizeof text, *unit && *what ? "%s (%s)" : "%s%s", what, unit);
    if (!*text) /* columns that have no more than this in common */
        snprintf(text, sizeof text, "%s", *first->unit ? first->unit : "value");
    text[WS_NAME_BYTES - 1] = '\0';
    ws_text_fit(text, WS_FONT_PX, p->bottom - p->top);
    ws_script_string(script, text);
    fputc('\n', script);
}

static double panel_step(const chart *c, const panel *p)
{
    return ws_nice_step(p->high - p->low, c->panels == 1 ? 6 : 4);
}

/* Ends of an axis: whole steps around the bars. A sum that rounding alone puts beyond one does not begin another. */
static double axis_low(const panel *p, double step)
{
    return floor(p->low / step + rounding) * step;
}

static double axis_high(const panel *p, double step)
{
    return ceil(p->high / step - rounding) * step;
}

static void write_panels(const chart *c, FILE *script)
{
    static const char *const arrays[] = {"low_of", "high_of", "step_of", "top_of", "bottom_of", "axis_of"};
    fprintf(script, "ws_panels = %zu\n", c->panels);
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        fprintf(script, "array ws_%s[%zu]\n", arrays[i], c->panels);
    for (size_t i = 0; i < c->panels; i++) {
        const panel *const p = &c->panel[i];
        const double step = panel_step(c, p);
        fprintf(script, "ws_low_of[%zu] = %.7g\nws_high_of[%zu] = %.7g\nws_step_of[%zu] = %.7g\n", i + 1,
                axis_low(p, step), i + 1, axis_high(p, step), i + 1, step);
        fprintf(script, "ws_top_of[%zu] = %.7g\nws_bottom_of[%zu] = %.7g\nws_axis_of[%zu] = ", i + 1, p->top, i + 1,
                p->bottom, i + 1);
        write_axis(c, p, script);
    }
}

/* ---------------------------------------------------------------- layout */

/* The axes' numbers stand between their titles and the bars. */
static double numbers_width(const chart *c)
{
    double widest = 0;
    for (size_t i = 0; i < c->panels; i++) {
        const double step = panel_step(c, &c->panel[i]), end = axis_high(&c->panel[i], step);
        for (double value = axis_low(&c->panel[i], step); value < end + step / 2; value += step) {
            char number[32];
            snprintf(number, sizeof number, "%g", fabs(value) < step / 2 ? 0 : value);
            widest = fmax(widest, ws_text_width(number, WS_FONT_PX));
        }
    }
    return widest;
}

static int lay_out_width(const ws_plot_request *request, chart *c, ws_canvas *canvas)
{
    const double places = (double)(c->bars + c->clusters);
    const double usual = ws_plot_pitch(c->bars + c->clusters, c->rows_are_bars || c->most < 4 ? bar_px : slim_px);
    c->left_px = fmax(least_left_px, title_px + numbers_width(c));
    const double sides = c->left_px + edge_px;
    const int status = ws_plot_width(request, sides + 80, sides + fmax(usual * places, least_px), canvas);
    if (status)
        return status;
    c->pitch_px = (canvas->width - sides) / places;
    canvas->left = c->left_px;
    canvas->right = canvas->width - edge_px;
    return c->pitch_px >= least_bar_px
               ? WS_OK
               : ws_fail(WS_EINPUT, "%zu bars do not fit a figure of %.0f pixels; choose some rows, or fewer --columns",
                         c->bars, canvas->width);
}

static int lay_out_height(const ws_plot_request *request, chart *c, double head, bool unnamed, ws_canvas *canvas)
{
    const bool crowded = c->names_px > 0 && c->pitch_px < least_name_px;
    if (crowded)
        c->names_px = 0;
    if (crowded || unnamed)
        ws_plot_note(canvas, "Names are left out where there is no room for letters.");
    if (c->rows_are_bars && request->height_px)
        c->names_px = fmin(c->names_px, floor(0.3 * request->height_px));
    const double foot = (c->names_px > 0 ? c->names_px + 4 : 0) + 24, panels = (double)c->panels;
    const double fixed = head + foot + gap_px * (panels - 1);
    int status = ws_plot_height(request, fixed + panels * least_panel_px,
                                fixed + panels * (c->panels == 1 ? plot_px : panel_px), canvas);
    const double each = (canvas->height - fixed) / panels;
    for (size_t p = 0; p < c->panels; p++) {
        c->panel[p].top = (double)p * (each + gap_px);
        c->panel[p].bottom = c->panel[p].top + each;
    }
    canvas->top = head;
    canvas->bottom = canvas->height - foot;
    return status;
}

static int draw(const ws_plot_request *request, chart *c, const bool *naming, ws_canvas *canvas, FILE *script)
{
    measure_rows(c, naming);
    if (c->nameless)
        c->names_px = 0;
    int status = lay_out_width(request, c, canvas);
    if (status)
        return status;
    const double head = 10 + key_px * (double)write_key(c, canvas->right, script);
    const bool unnamed = write_cluster_names(c, script);
    status = lay_out_height(request, c, head, unnamed, canvas);
    if (status)
        return status;
    write_data(c, script);
    write_bar_names(c, naming, script);
    write_cuts(c, script);
    write_panels(c, script);
    ws_script_number(script, "ws_places", (double)(c->bars + c->clusters));
    ws_script_number(script, "ws_foot", canvas->height - canvas->bottom);
    ws_script_number(script, "ws_key_pitch", key_px);
    ws_script_number(script, "ws_head", head);
    return WS_OK;
}

int ws_figure_bars(const ws_plot_request *request, ws_canvas *canvas, FILE *script)
{
    const ws_frame *const f = request->data;
    chart c = {.data = f,
               .nameless = request->labels == WS_LABELS_NONE,
               .rows_are_bars = f->labels > 1 || request->stack,
               .limit = request->limit > 0 ? request->limit : (double)INFINITY};
    if (c.rows_are_bars && request->limit > 0)
        return ws_fail(WS_EINPUT, "--limit: bars that may be stacks are not cut; it is for bars of columns side by "
                                  "side, of rows with one label");
    if (!f->rows || !f->columns)
        return ws_fail(WS_EINPUT, "bars need a row and a column");
    int status = choose_columns(&c);
    if (!status)
        status = find_panels(&c, request->stack);
    for (size_t p = 0; p < c.panels && !status; p++)
        status = measure_panel(&c, &c.panel[p]);
    bool *const naming = find_naming(f);
    if (!status && !naming)
        status = ws_fail(WS_EMEM, "out of memory");
    if (!status)
        status = draw(request, &c, naming, canvas, script);
    free(naming);
    return status;
}
