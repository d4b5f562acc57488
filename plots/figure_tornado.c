/* figure_tornado.c - which of many options matter?
 *
 * data: a row for each option; columns in threes of one group, a panel each: the quantity at the option's low end, at
 * its high end, and as the option is. Other columns (such as the ends themselves, group "option") are written behind
 * the option's name when there are two or more of them: "loop.coarse (15 to 300)". Options that change the first panel
 * most stand on top. */
#include "plots/figure_internal.h"

#include "base/shown.h"

#include <stdbool.h>
#include <string.h>

enum { MOST_PANELS = 6, THREE = 3 };

static const double row_px = 15, panel_px = 180, least_panel_px = 30, most_names_px = 340, gap_px = 22, label_px = 10,
                    head_px = 34, foot_px = 48, least_px = 250 /* the key */;

typedef struct tornado {
    const ws_frame *data;
    size_t panel[MOST_PANELS]; /* first column of each */
    size_t panels, names;      /* columns in front of them */
    size_t *order;             /* [rows] from the top */
    double low[MOST_PANELS], high[MOST_PANELS];
} tornado;

static double value_at(const ws_frame *f, size_t row, size_t column)
{
    return f->value[row * f->columns + column];
}

static bool is_panel(const ws_frame *f, size_t column)
{
    return column + 2 < f->columns && strcmp(f->column[column].group, "option") &&
           !strcmp(f->column[column].group, f->column[column + 1].group) &&
           !strcmp(f->column[column].group, f->column[column + 2].group);
}

static int find_panels(tornado *t)
{
    const ws_frame *const f = t->data;
    while (t->names < f->columns && !is_panel(f, t->names))
        t->names++;
    for (size_t j = t->names; j + 2 < f->columns && is_panel(f, j) && t->panels < MOST_PANELS; j += THREE)
        t->panel[t->panels++] = j;
    if (!t->panels || t->names + THREE * t->panels != f->columns)
        return ws_fail(WS_EINPUT,
                       "a tornado needs columns in threes of one group: at the low end, at the high end, as it is");
    return WS_OK;
}

/* How far the ends lie from what is, in one panel; ends that are missing do not count. */
static double swing(const ws_frame *f, size_t row, size_t column)
{
    const double is = value_at(f, row, column + 2);
    double most = 0;
    for (size_t k = 0; k < 2; k++) {
        const double v = value_at(f, row, column + k);
        if (isfinite(v) && isfinite(is))
            most = fmax(most, fabs(v - is));
    }
    return most;
}

typedef struct ranked {
    double swing;
    size_t row;
} ranked;

/* Of equals the earlier row stays above. */
static int by_swing(const void *a, const void *b)
{
    const ranked *const x = a, *const y = b;
    return x->swing != y->swing ? (x->swing < y->swing) - (x->swing > y->swing) : (x->row > y->row) - (x->row < y->row);
}

static int sort_rows(tornado *t)
{
    ranked *const rank = calloc(t->data->rows, sizeof *rank);
    if (!rank)
        return ws_fail(WS_EMEM, "out of memory");
    for (size_t i = 0; i < t->data->rows; i++)
        rank[i] = (ranked){swing(t->data, i, t->panel[0]), i};
    qsort(rank, t->data->rows, sizeof *rank, by_swing);
    for (size_t i = 0; i < t->data->rows; i++)
        t->order[i] = rank[i].row;
    free(rank);
    return WS_OK;
}

static int find_ranges(tornado *t)
{
    const ws_frame *const f = t->data;
    for (size_t p = 0; p < t->panels; p++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < f->rows; i++)
            for (size_t k = 0; k < THREE; k++) {
                const double v = value_at(f, i, t->panel[p] + k);
                low = isfinite(v) ? fmin(low, v) : low;
                high = isfinite(v) ? fmax(high, v) : high;
            }
        if (low > high)
            return ws_fail(WS_EINPUT, "column '%s' has no values to draw", f->column[t->panel[p]].name);
        const double room = high > low ? high - low : fabs(high) + 1;
        t->low[p] = low - 0.06 * room;
        t->high[p] = high + 0.06 * room;
    }
    return WS_OK;
}

/* "loop.coarse (15 to 300 s)" */
static void row_name(const tornado *t, size_t row, char *name, size_t size)
{
    const ws_frame *const f = t->data;
    const char *const unit = f->labels > 1 ? f->label[row * f->labels + 1] : "";
    ws_shown(name, size, f->label[row * f->labels]);
    if (t->names >= 2) {
        const size_t used = strlen(name);
        snprintf(name + used, size - used, " (%g to %g%s%s)", value_at(f, row, 0), value_at(f, row, 1),
                 *unit ? " " : "", unit);
    }
}

/* A bar from what is to an end. */
static void write_bar(const tornado *t, size_t i, size_t column, size_t end, FILE *script)
{
    const double is = value_at(t->data, t->order[i], column + 2), v = value_at(t->data, t->order[i], column + end);
    if (isfinite(v) && isfinite(is))
        fprintf(script, "%zu %.7g %.7g %u\n", i, is, v, end ? WS_VERMILLION : WS_BLUE);
}

/* The end that lies farther off; of equals the low one. */
static size_t far_end(const ws_frame *f, size_t row, size_t column)
{
    const double is = value_at(f, row, column + 2);
    return fabs(value_at(f, row, column + 1) - is) > fabs(value_at(f, row, column) - is);
}

/* "row from to colour": the longer bar first, as both may lie on one side. */
static void write_bars(const tornado *t, FILE *script)
{
    const ws_frame *const f = t->data;
    fputs("$bars << EOD\n", script);
    for (size_t p = 0; p < t->panels; p++) {
        fputs(p ? "\n\n-9 0 0 0\n" : "-9 0 0 0\n", script); /* gnuplot wants a point in every panel */
        for (size_t i = 0; i < f->rows; i++) {
            const size_t far = far_end(f, t->order[i], t->panel[p]);
            write_bar(t, i, t->panel[p], far, script);
            write_bar(t, i, t->panel[p], !far, script);
        }
    }
    fputs("EOD\n", script);
}

static double names_width(const tornado *t)
{
    double widest = 0;
    for (size_t i = 0; i < t->data->rows; i++) {
        char name[WS_NAME_BYTES];
        row_name(t, i, name, sizeof name);
        widest = fmax(widest, ws_text_width(name, label_px));
    }
    return fmin(widest, most_names_px);
}

static void write_names(const tornado *t, double names_px, FILE *script)
{
    fputs("$names << EOD\n", script);
    for (size_t i = 0; i < t->data->rows; i++) {
        char name[WS_NAME_BYTES] = "";
        if (names_px > 0)
            row_name(t, t->order[i], name, sizeof name);
        ws_text_fit(name, label_px, names_px);
        fprintf(script, "%zu ", i);
        ws_script_text(script, name);
        fputc('\n', script);
    }
    fputs("EOD\n", script);
}

static void write_panels(const tornado *t, double width_px, FILE *script)
{
    fprintf(script, "array ws_low[%zu]\narray ws_high[%zu]\narray ws_step[%zu]\narray ws_name[%zu]\narray ws_is[%zu]\n",
            t->panels, t->panels, t->panels, t->panels, t->panels);
    for (size_t p = 0; p < t->panels; p++) {
        const double is = value_at(t->data, t->order[0], t->panel[p] + 2);
        fprintf(script,
                "ws_low[%zu] = %.7g\nws_high[%zu] = %.7g\nws_step[%zu] = %.7g\nws_is[%zu] = %.7g\nws_name[%zu] = ",
                p + 1, t->low[p], p + 1, t->high[p], p + 1, ws_nice_step(t->high[p] - t->low[p], 4), p + 1, is, p + 1);
        char name[WS_NAME_BYTES], whole[WS_NAME_BYTES];
        const ws_column *const first = &t->data->column[t->panel[p]];
        snprintf(whole, sizeof whole, *first->unit ? "%s (%s)" : "%s", *first->group ? first->group : first->name,
                 first->unit);
        ws_shown(name, sizeof name, whole);
        ws_text_fit(name, WS_FONT_PX, width_px);
        ws_script_string(script, name);
        fputc('\n', script);
    }
}

static int lay_out(const ws_plot_request *request, const tornado *t, double *names, ws_canvas *canvas)
{
    const double ends = head_px + foot_px, panels = (double)t->panels;
    *names = ws_plot_rows_names(request, t->data->rows, row_px, ends, names_width(t), 0.4);
    const double fixed = *names + 16 + panels * gap_px + 8;
    int status =
        ws_plot_width(request, fmax(fixed + panels * least_panel_px, least_px), fixed + panels * panel_px, canvas);
    if (!status)
        status = ws_plot_rows_height(request, t->data->rows, row_px, ends, *names, canvas);
    canvas->left = *names + 16;
    canvas->right = canvas->width - 8;
    canvas->top = head_px;
    canvas->bottom = canvas->height - foot_px;
    return status;
}

int ws_figure_tornado(const ws_plot_request *request, ws_canvas *canvas, FILE *script)
{
    const ws_frame *const f = request->data;
    tornado t = {.data = f};
    if (!f->rows)
        return ws_fail(WS_EINPUT, "a tornado needs a row");
    double names = 0;
    int status = find_panels(&t);
    if (!status)
        status = find_ranges(&t);
    t.order = calloc(f->rows, sizeof *t.order);
    if (!status && !t.order)
        status = ws_fail(WS_EMEM, "out of memory");
    if (!status)
        status = sort_rows(&t);
    if (!status)
        status = lay_out(request, &t, &names, canvas);
    if (!status) {
        write_bars(&t, script);
        write_names(&t, names, script);
        write_panels(&t, (canvas->right - canvas->left) / (double)t.panels - gap_px / 2, script);
        fprintf(script, "ws_rows = %zu\nws_panels = %zu\n", f->rows, t.panels);
        ws_script_number(script, "ws_gap", gap_px);
    }
    free(t.order);
    return status;
}
