/* figure_timeline.c - what happened when?
 *
 * data: the first column is the time, rows in rising order; all other columns are lines over it, and columns of one
 * group that follow one another share a panel, panels from top to bottom. A column in a group "mode" is a strip of
 * colours, its numbers named by a note "modes: NAME NAME ...". Gaps are missing values. */
#include "plots/figure_internal.h"

#include <stdbool.h>
#include <string.h>

enum { MOST_PANELS = 24, MOST_NAMES = 16, NAME_BYTES = 48 };

static const double usual_px = 900, panel_px = 110, strip_px = 22, gap_px = 24, left_px = 66, foot_px = 50,
                    head_px = 26;
static const double key_px = 15, mark_px = 15, label_px = 10;

typedef struct panel {
    size_t first, last; /* columns [first, last) of the frame */
    bool strip;
    double low, high;
    double top, bottom; /* below the top of the first */
} panel;

typedef struct timeline {
    const ws_frame *data;
    panel panel[MOST_PANELS];
    size_t panels, lines;
    char mode[MOST_NAMES][NAME_BYTES];
    size_t modes; /* named */
} timeline;

static double value_at(const ws_frame *f, size_t row, size_t column)
{
    return f->value[row * f->columns + column];
}

static int find_panels(timeline *t)
{
    const ws_frame *const f = t->data;
    for (size_t j = 1, k; j < f->columns; j = k) {
        for (k = j + 1; k < f->columns && !strcmp(f->column[k].group, f->column[j].group);)
            k++;
        if (t->panels == MOST_PANELS)
            return ws_fail(WS_EINPUT,
                           "more than %d groups of columns do not fit one figure; choose some with --columns",
                           MOST_PANELS);
        t->panel[t->panels++] = (panel){.first = j, .last = k, .strip = !strcmp(f->column[j].group, "mode")};
    }
    return WS_OK;
}

static int check_time(const ws_frame *f)
{
    for (size_t i = 0; i < f->rows; i++)
        if (!isfinite(value_at(f, i, 0)) || (i && value_at(f, i, 0) <= value_at(f, i - 1, 0)))
            return ws_fail(WS_EINPUT, "row %zu: column '%s' does not rise; a timeline shows one run", i + 1,
                           f->column[0].name);
    return WS_OK;
}

/* The range of a panel's values, with 0 when that costs little room. */
static void find_range(const ws_frame *f, panel *p)
{
    p->low = INFINITY;
    p->high = -INFINITY;
    for (size_t i = 0; i < f->rows; i++)
        for (size_t j = p->first; j < p->last; j++) {
            const double v = value_at(f, i, j);
            p->low = isfinite(v) ? fmin(p->low, v) : p->low;
            p->high = isfinite(v) ? fmax(p->high, v) : p->high;
        }
    if (p->low > p->high)
        p->low = p->high = 0;
    if (p->low > 0 && p->low < p->high * 0.5)
        p->low = 0;
    const double room = p->high > p->low ? p->high - p->low : fabs(p->high) + 1;
    p->high += 0.04 * room;
    p->low -= p->low == 0 ? 0 : 0.04 * room;
}

/* "modes: energy performance" */
static void find_modes(timeline *t)
{
    static const char key[] = "modes:";
    for (size_t i = 0; i < t->data->notes; i++) {
        const char *at = t->data->note[i];
        if (strncmp(at, key, sizeof key - 1))
            continue;
        at += sizeof key - 1;
        for (int n; t->modes < MOST_NAMES && sscanf(at, " %47s%n", t->mode[t->modes], &n) == 1; at += n)
            t->modes++;
    }
}

static void mode_name(const timeline *t, size_t mode, char *name, size_t size)
{
    if (mode < t->modes)
        snprintf(name, size, "%s", t->mode[mode]);
    else
        snprintf(name, size, "mode %zu", mode + 1);
}

/* ---------------------------------------------------------------- data */

static void write_line(const ws_frame *f, size_t column, FILE *script)
{
    for (size_t i = 0; i < f->rows; i++) {
        const double v = value_at(f, i, column);
        if (isfinite(v))
            fprintf(script, "%.7g %.7g\n", value_at(f, i, 0), v);
        else
            fputc('\n', script);
    }
    fputs("\n\n", script);
}

/* "from to colour" of each stretch of one mode. A row's time is the end of what it tells. */
static void write_strip(const ws_frame *f, size_t column, FILE *script)
{
    double from = 0;
    for (size_t i = 0; i < f->rows; i++) {
        const double v = value_at(f, i, column);
        if (i + 1 < f->rows && value_at(f, i + 1, column) == v)
            continue;
        if (isfinite(v) && v >= 0)
            fprintf(script, "%.7g %.7g %u\n", from, value_at(f, i, 0), ws_cluster_color((long)v + 1));
        from = value_at(f, i, 0);
    }
    fputs("\n\n", script);
}

static void write_data(timeline *t, FILE *script)
{
    fputs("$lines << EOD\n", script);
    for (size_t p = 0; p < t->panels; p++)
        for (size_t j = t->panel[p].first; j < t->panel[p].last; j++, t->lines++)
            (t->panel[p].strip ? write_strip : write_line)(t->data, j, script);
    fputs("EOD\n", script);
}

/* ---------------------------------------------------------------- names */

static double widest_name(const timeline *t)
{
    double widest = 0;
    for (size_t p = 0; p < t->panels; p++)
        for (size_t j = t->panel[p].first; j < t->panel[p].last && !t->panel[p].strip; j++)
            widest = fmax(widest, ws_text_width(t->data->column[j].name, label_px));
    for (size_t m = 0; m < t->modes; m++)
        widest = fmax(widest, ws_text_width(t->mode[m], label_px));
    return fmin(widest, 180);
}

/* What a panel is called: its group, or its only column; and the unit. */
static void write_title(const ws_frame *f, const panel *p, size_t number, FILE *script)
{
    char text[2 * WS_NAME_BYTES + 4];
    const ws_column *const c = &f->column[p->first];
    const char *const what = *c->group ? c->group : c->name;
    const bool unit = *c->unit && strcmp(c->unit, "ratio") != 0;
    snprintf(text, sizeof text, unit ? "%s (%s)" : "%s", what, c->unit);
    fprintf(script, "ws_title_of[%zu] = ", number);
    ws_script_string(script, text);
    fputc('\n', script);
}

typedef struct key {
    FILE *script;
    size_t entries;
} key;

static void write_entry(key *k, double y, uint32_t color, const char *name)
{
    k->entries++;
    fprintf(k->script, "ws_key_y[%zu] = %.7g\nws_key_color[%zu] = %u\nws_key_name[%zu] = ", k->entries, y, k->entries,
            color, k->entries);
    ws_script_string(k->script, name);
    fputc('\n', k->script);
}

/* Modes that are there, beside the strip. */
static void write_mode_entries(const timeline *t, const panel *p, key *k)
{
    size_t most = 0, line = 0;
    for (size_t i = 0; i < t->data->rows; i++) {
        const double v = value_at(t->data, i, p->first);
        if (v >= 0 && v < MOST_NAMES && (size_t)v > most)
            most = (size_t)v;
    }
    most = t->modes > most + 1 ? t->modes - 1 : most;
    for (size_t m = 0; m <= most; m++) {
        char name[NAME_BYTES];
        mode_name(t, m, name, sizeof name);
        write_entry(k, p->top + key_px * (double)line++, ws_cluster_color((long)m + 1), name);
    }
}

static void write_key(const timeline *t, FILE *script)
{
    const size_t room = t->lines + MOST_NAMES * t->panels;
    key k = {.script = script};
    fprintf(script, "array ws_key_y[%zu]\narray ws_key_color[%zu]\narray ws_key_name[%zu]\n", room, room, room);
    for (size_t p = 0; p < t->panels; p++) {
        const panel *const at = &t->panel[p];
        if (at->strip)
            write_mode_entries(t, at, &k);
        for (size_t j = at->first; j < at->last && !at->strip && at->last - at->first > 1; j++)
            write_entry(&k, at->top + key_px * (double)(j - at->first), ws_cluster_color((long)(j - at->first) + 1),
                        t->data->column[j].name);
    }
    fprintf(script, "ws_keys = %zu\n", k.entries);
}

/* ---------------------------------------------------------------- layout */

/* Heights of panels: enough for their keys. Returns where the last one ends. */
static double place_panels(timeline *t)
{
    double top = 0;
    for (size_t i = 0; i < t->panels; i++) {
        panel *const p = &t->panel[i];
        const double lines = p->strip ? (double)t->modes : (double)(p->last - p->first);
        p->top = top + (i ? gap_px : 0);
        p->bottom = p->top + fmax(p->strip ? strip_px : panel_px, p->strip ? 0 : lines * key_px);
        top = fmax(p->bottom, p->top + lines * key_px);
    }
    return top;
}

static void write_panels(const timeline *t, FILE *script)
{
    static const char *const arrays[] = {"first",  "last",      "strip", "low",     "high",
                                         "top_of", "bottom_of", "step",  "title_of"};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        fprintf(script, "array ws_%s[%zu]\n", arrays[i], t->panels);
    size_t line = 0;
    for (size_t i = 0; i < t->panels; i++) {
        const panel *const p = &t->panel[i];
        fprintf(script, "ws_first[%zu] = %zu\nws_last[%zu] = %zu\nws_strip[%zu] = %d\n", i + 1, line, i + 1,
                line + p->last - p->first - 1, i + 1, p->strip);
        fprintf(script, "ws_low[%zu] = %.7g\nws_high[%zu] = %.7g\nws_step[%zu] = %.7g\n", i + 1, p->low, i + 1, p->high,
                i + 1, ws_nice_step(p->high - p->low, 4));
        fprintf(script, "ws_top_of[%zu] = %.7g\nws_bottom_of[%zu] = %.7g\n", i + 1, p->top, i + 1, p->bottom);
        write_title(t->data, p, i + 1, script);
        line += p->last - p->first;
    }
    fprintf(script, "array ws_color[%zu]\n", t->lines);
    for (size_t i = 0, at = 1; i < t->panels; i++)
        for (size_t j = t->panel[i].first; j < t->panel[i].last; j++, at++)
            fprintf(script, "ws_color[%zu] = %u\n", at, ws_cluster_color((long)(j - t->panel[i].first) + 1));
}

int ws_figure_timeline(const ws_plot_request *request, ws_canvas *canvas, FILE *script)
{
    timeline *const t = calloc(1, sizeof *t);
    if (!t)
        return ws_fail(WS_EMEM, "out of memory");
    const ws_frame *const f = t->data = request->data;
    int status = f->rows && f->columns > 1
                     ? WS_OK
                     : ws_fail(WS_EINPUT, "a timeline needs a first column, another one, and a row");
    if (!status)
        status = check_time(f);
    if (!status)
        status = find_panels(t);
    if (!status) {
        for (size_t p = 0; p < t->panels; p++)
            find_range(f, &t->panel[p]);
        find_modes(t);
        const double bottom = place_panels(t), names = widest_name(t);
        const double width = request->width_px ? request->width_px : usual_px, right = width - names - mark_px - 18;
        write_data(t, script);
        write_panels(t, script);
        write_key(t, script);
        const char *const unit = f->column[0].unit;
        char title[WS_NAME_BYTES];
        snprintf(title, sizeof title, *unit ? "%s (%s)" : "%s", f->column[0].name, unit);
        fputs("ws_x_title = ", script);
        ws_script_string(script, title);
        fputc('\n', script);
        ws_script_number(script, "ws_begin", fmin(0, value_at(f, 0, 0)));
        ws_script_number(script, "ws_end", value_at(f, f->rows - 1, 0));
        fprintf(script, "ws_panels = %zu\n", t->panels);
        *canvas = (ws_canvas){width, head_px + bottom + foot_px, left_px, right, head_px, head_px + bottom};
    }
    free(t);
    return status;
}
