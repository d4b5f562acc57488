/* figure_timeline.c - what happened when?
 *
 * data: the first column is the time, rows in rising order; all other columns are lines over it, and columns of one
 * group and unit that follow one another share a panel, panels from top to bottom. A column in a group "mode" is a
 * strip of colours, its numbers named by a note "modes: NAME NAME ...". Gaps are missing values. A strip is painted by
 * pixels, each in the colour of the mode that holds longest in it: narrower stretches would blend into colours that no
 * mode has. */
#include "plots/figure_internal.h"

#include "base/shown.h"

#include <stdbool.h>
#include <string.h>

enum { MOST_PANELS = 24, MOST_NAMES = WS_KINDS, MOST_LINES = WS_KINDS, HELD = MOST_NAMES + 1, NAME_BYTES = 48 };

static const double usual_px = 900, panel_px = 110, least_panel_px = 36, least_plot_px = 60, strip_px = 22, gap_px = 24,
                    left_px = 66, foot_px = 50, head_px = 26;
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
    size_t modes;    /* named */
    size_t left_out; /* lines beyond MOST_LINES of a panel */
    double begin, end;
    size_t pixels; /* width of a panel */
} timeline;

static double value_at(const ws_frame *f, size_t row, size_t column)
{
    return f->value[row * f->columns + column];
}

static int find_panels(timeline *t)
{
    const ws_frame *const f = t->data;
    for (size_t j = 1, k; j < f->columns; j = k) {
        for (k = j + 1; k < f->columns && ws_plot_together(&f->column[j], &f->column[k]);)
            k++;
        const bool strip = !strcmp(f->column[j].group, "mode");
        if (strip) /* a strip has room for one column */
            k = j + 1;
        if (t->panels == MOST_PANELS)
            return ws_fail(WS_EINPUT,
                           "more than %d groups of columns do not fit one figure; choose some with --columns",
                           MOST_PANELS);
        const size_t last = k - j > MOST_LINES ? j + MOST_LINES : k;
        t->left_out += k - last;
        t->panel[t->panels++] = (panel){.first = j, .last = last, .strip = strip};
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
        ws_shown(name, size, t->mode[mode]);
    else if (mode == MOST_NAMES)
        snprintf(name, size, "modes from %zu", mode + 1);
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

/* The kind that a value of a strip is: a mode, one of those without a colour of their own (MOST_NAMES),
 * or none (-1). */
static long kind_of(double value)
{
    return !(value >= 0) || value != floor(value) ? -1 : value < MOST_NAMES ? (long)value : MOST_NAMES;
}

/* Adds the stretch [from, to), in pixels, to the time that its kind has in each pixel. */
static void add_stretch(double *held, size_t pixels, double from, double to, long kind)
{
    for (size_t x = (size_t)fmax(from, 0); kind >= 0 && x < pixels && (double)x < to; x++)
        held[x * HELD + (size_t)kind] += fmin(to, (double)x + 1) - fmax(from, (double)x);
}

static long longest(const double held[HELD])
{
    long most = -1;
    for (long kind = 0; kind <= MOST_NAMES; kind++)
        if (held[kind] > (most < 0 ? 1e-9 : held[most]))
            most = kind;
    return most;
}

/* "from to colour", in pixels, of each run of one colour. A row's time is the end of what it tells. */
static int write_strip(const timeline *t, size_t column, FILE *script)
{
    const ws_frame *const f = t->data;
    const size_t pixels = t->pixels;
    double *const held = calloc(pixels, HELD * sizeof *held);
    if (!held)
        return ws_fail(WS_EMEM, "out of memory");
    double from = 0;
    for (size_t i = 0; i < f->rows; i++) {
        const double to = (value_at(f, i, 0) - t->begin) / (t->end - t->begin) * (double)pixels;
        add_stretch(held, pixels, from, to, kind_of(value_at(f, i, column)));
        from = to;
    }
    for (size_t x = 0, next; x < pixels; x = next) {
        const long kind = longest(held + x * HELD);
        for (next = x + 1; next < pixels && longest(held + next * HELD) == kind;)
            next++;
        if (kind >= 0)
            fprintf(script, "%zu %zu %u\n", x, next, ws_kind_color((size_t)kind));
    }
    fputs("\n\n", script);
    free(held);
    return WS_OK;
}

static int write_data(timeline *t, FILE *script)
{
    int status = WS_OK;
    fputs("$lines << EOD\n", script);
    for (size_t p = 0; p < t->panels; p++)
        for (size_t j = t->panel[p].first; j < t->panel[p].last && !status; j++, t->lines++) {
            if (t->panel[p].strip)
                status = write_strip(t, j, script);
            else
                write_line(t->data, j, script);
        }
    fputs("EOD\n", script);
    return status;
}

/* ---------------------------------------------------------------- names */

static double widest_name(const timeline *t)
{
    double widest = 0;
    for (size_t p = 0; p < t->panels; p++)
        for (size_t j = t->panel[p].first; j < t->panel[p].last && !t->panel[p].strip; j++)
            widest = fmax(widest, ws_text_width(t->data->column[j].name, label_px));
    if (!t->modes)
        widest = fmax(widest, ws_text_width("modes from 99", label_px));
    for (size_t m = 0; m < t->modes; m++)
        widest = fmax(widest, ws_text_width(t->mode[m], label_px));
    return fmin(widest, 180);
}

/* What a panel is called: its group, or its only column; and the unit. */
static void write_title(const ws_frame *f, const panel *p, size_t number, FILE *script)
{
    char text[2 * WS_NAME_BYTES + 4];
    const ws_column *const c = &f->column[p->first];
    const char *const what = ws_plot_panel_name(c, p->last - p->first);
    const bool unit = *c->unit && (strcmp(c->unit, "ratio") != 0 || !*what);
    snprintf(text, sizeof text, unit && *what ? "%s (%s)" : "%s%s", what, unit ? c->unit : "");
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

/* Which modes a strip's key names: those that the note names, and those that are there. */
static size_t find_named(const timeline *t, const panel *p, bool named[MOST_NAMES + 1])
{
    size_t n = 0;
    for (size_t m = 0; m <= MOST_NAMES; m++)
        named[m] = m < t->modes;
    for (size_t i = 0; i < t->data->rows; i++) {
        const long kind = kind_of(value_at(t->data, i, p->first));
        if (kind >= 0)
            named[kind] = true;
    }
    for (size_t m = 0; m <= MOST_NAMES; m++)
        n += named[m];
    return n;
}

static void write_mode_entries(const timeline *t, const panel *p, double names_px, key *k)
{
    bool named[MOST_NAMES + 1];
    size_t line = 0;
    find_named(t, p, named);
    for (size_t m = 0; m <= MOST_NAMES; m++) {
        char name[WS_NAME_BYTES];
        if (!named[m])
            continue;
        mode_name(t, m, name, sizeof name);
        ws_text_fit(name, label_px, names_px);
        write_entry(k, p->top + key_px * (double)line++, ws_kind_color(m), name);
    }
}

static void write_key(const timeline *t, double names_px, FILE *script)
{
    const size_t room = t->lines + (MOST_NAMES + 1) * t->panels;
    key k = {.script = script};
    fprintf(script, "array ws_key_y[%zu]\narray ws_key_color[%zu]\narray ws_key_name[%zu]\n", room, room, room);
    for (size_t p = 0; p < t->panels; p++) {
        const panel *const at = &t->panel[p];
        if (at->strip)
            write_mode_entries(t, at, names_px, &k);
        for (size_t j = at->first; j < at->last && !at->strip && at->last - at->first > 1; j++) {
            char name[WS_NAME_BYTES];
            ws_shown(name, sizeof name, t->data->column[j].name);
            ws_text_fit(name, label_px, names_px);
            write_entry(&k, at->top + key_px * (double)(j - at->first), ws_kind_color(j - at->first), name);
        }
    }
    fprintf(script, "ws_keys = %zu\n", k.entries);
}

/* ---------------------------------------------------------------- layout */

static double key_lines(const timeline *t, const panel *p)
{
    bool named[MOST_NAMES + 1];
    return p->strip ? (double)find_named(t, p, named) : p->last - p->first > 1 ? (double)(p->last - p->first) : 0;
}

/* Heights of panels: each curve_px, enough for their keys. Returns where the last one ends. */
static double place_panels(timeline *t, double curve_px)
{
    double top = 0;
    for (size_t i = 0; i < t->panels; i++) {
        panel *const p = &t->panel[i];
        const double lines = key_lines(t, p);
        p->top = top + (i ? gap_px : 0);
        p->bottom = p->top + (p->strip ? strip_px : fmax(curve_px, lines * key_px));
        top = fmax(p->bottom, p->top + lines * key_px);
    }
    return top;
}

/* The height of curves that makes the panels as high as they should be; keys may hold some of them up. */
static double fit_curves(timeline *t, double wanted_px)
{
    double low = least_panel_px, high = wanted_px;
    for (int step = 0; step < 60; step++) {
        const double middle = (low + high) / 2;
        if (place_panels(t, middle) > wanted_px)
            high = middle;
        else
            low = middle;
    }
    return low;
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
            fprintf(script, "ws_color[%zu] = %u\n", at, ws_kind_color(j - t->panel[i].first));
}

static int lay_out(const ws_plot_request *request, timeline *t, double *names, ws_canvas *canvas)
{
    *names = ws_plot_names_room(request, ceil(widest_name(t)), 0.3);
    const double aside = left_px + *names + mark_px + 18, ends = head_px + foot_px;
    int status = ws_plot_width(request, aside + least_plot_px, usual_px, canvas);
    if (t->left_out)
        ws_plot_note(canvas, "%zu lines are left out: the first %d of a group are shown.", t->left_out, MOST_LINES);
    if (!status)
        status =
            ws_plot_height(request, ends + place_panels(t, least_panel_px), ends + place_panels(t, panel_px), canvas);
    if (status)
        return status;
    canvas->left = left_px;
    t->pixels = (size_t)(canvas->width - aside);
    canvas->right = left_px + (double)t->pixels;
    canvas->top = head_px;
    const double bottom = place_panels(t, request->height_px ? fit_curves(t, canvas->height - ends) : panel_px);
    canvas->bottom = head_px + bottom;
    t->begin = fmin(0, value_at(t->data, 0, 0));
    t->end = value_at(t->data, t->data->rows - 1, 0);
    if (!(t->end > t->begin)) /* one moment, 0 */
        t->end = t->begin + 1;
    return WS_OK;
}

static void write_axis(const ws_frame *f, FILE *script)
{
    const char *const unit = f->column[0].unit;
    char title[WS_NAME_BYTES];
    snprintf(title, sizeof title, *unit ? "%s (%s)" : "%s", f->column[0].name, unit);
    fputs("ws_x_title = ", script);
    ws_script_string(script, title);
    fputc('\n', script);
}

int ws_figure_timeline(const ws_plot_request *request, ws_canvas *canvas, FILE *script)
{
    timeline *const t = calloc(1, sizeof *t);
    if (!t)
        return ws_fail(WS_EMEM, "out of memory");
    const ws_frame *const f = t->data = request->data;
    double names = 0;
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
        status = lay_out(request, t, &names, canvas);
    }
    if (!status)
        status = write_data(t, script);
    if (!status) {
        write_panels(t, script);
        write_key(t, names, script);
        write_axis(f, script);
        ws_script_number(script, "ws_begin", t->begin);
        ws_script_number(script, "ws_end", t->end);
        fprintf(script, "ws_panels = %zu\nws_pixels = %zu\n", t->panels, t->pixels);
    }
    free(t);
    return status;
}
