/* supply_file.c - what power does a table of measured sun, wind or power mean, step by step?
 *
 * Rows become pieces of constant power, gaps pieces whose power changes linearly; a step of the supply is the integral
 * over it, so energy is conserved exactly. */
#include "model/control/supply_file_internal.h"

#include "base/grow.h"
#include "base/input.h"
#include "base/status.h"
#include "base/text.h"
#include "model/control/supply_internal.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define MOST_VALUE 1e15 /* W, W/m2, m/s, C: sums of squares stay finite */

typedef struct row {
    double time_s, power_w; /* power NaN: missing */
    int line;
} row;

typedef struct table {
    const char *file, *text;
    size_t length, at;
    int line; /* of the text up to `at` */
    const ws_supply_plant *plant;
    const ws_supply_options *options;
    ws_supply_header header;
    ws_supply_report report;
    row *rows;
    size_t room;
    double first_s;    /* time of the first row, as the file counts */
    double interval_s; /* median of the intervals */
} table;

static int no_memory(const char *file)
{
    return ws_fail(WS_EMEM, "%s: no memory for a table of this size", file);
}

/* The next line that is neither empty nor a comment; false at the end. */
static bool next_line(table *t, ws_supply_line *line)
{
    while (t->at < t->length) {
        const char *const from = t->text + t->at, *const newline = memchr(from, '\n', t->length - t->at);
        const size_t length = newline ? (size_t)(newline - from) : t->length - t->at;
        t->at += length + 1;
        t->line++;
        size_t blank = 0;
        while (blank < length && strchr(" \t\r,;", from[blank]) && from[blank])
            blank++;
        if (blank < length && from[blank] != '#') {
            *line = (ws_supply_line){from, length, t->line};
            return true;
        }
    }
    return false;
}

static int find_header(table *t)
{
    if (t->length >= 3 && !memcmp(t->text, "\xef\xbb\xbf", 3)) { /* byte order mark */
        t->text += 3;
        t->length -= 3;
    }
    ws_supply_line lines[WS_SUPPLY_HEAD];
    size_t count = 0, index;
    while (count < WS_SUPPLY_HEAD && next_line(t, &lines[count]))
        count++;
    const int rc = ws_supply_find_header(t->file, lines, count, t->options, &t->header, &index);
    if (rc)
        return rc;
    t->at = (size_t)(lines[index].text - t->text) + lines[index].length + 1;
    t->line = lines[index].number;
    strcpy(t->report.columns, t->header.columns);
    return WS_OK;
}

/* Values that stand for "not measured" in NREL's files. */
static bool is_mark(double number)
{
    static const double marks[] = {-999, -9999, -99999, -6999, -7999, -999.9, -9999.9};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (number == marks[i])
            return true;
    return isnan(number);
}

/* Number in the cell of a quantity, in W, W/m2, m/s or C; NaN when it is missing. */
static int read_cell(table *t, int quantity, int line, const ws_cell *cells, size_t count, double *number)
{
    const size_t at = t->header.at[quantity];
    if (at >= count)
        return ws_fail(WS_EINPUT, "%s:%d:1: a row of %zu cells; the value is in cell %zu", t->file, line, count,
                       at + 1);
    const ws_cell cell = cells[at];
    if (cell.length == 4 && !strncasecmp(cell.text, "null", 4))
        *number = NAN;
    else if (ws_text_to_double(cell.text, cell.length, number) || isinf(*number))
        return ws_fail(WS_EINPUT, "%s:%d:%zu: expected a number, found '%.*s'", t->file, line, cell.column,
                       (int)(cell.length < 40 ? cell.length : 40), cell.text);
    *number = is_mark(*number) ? NAN : *number * t->header.factor[quantity];
    if (fabs(*number) > MOST_VALUE)
        return ws_fail(WS_EINPUT, "%s:%d:%zu: %.*s is beyond all measure", t->file, line, cell.column,
                       (int)(cell.length < 40 ? cell.length : 40), cell.text);
    if (*number < 0 && quantity == WS_SUPPLY_SPEED)
        return ws_fail(WS_EINPUT, "%s:%d:%zu: a wind speed of %.*s is below 0", t->file, line, cell.column,
                       (int)(cell.length < 40 ? cell.length : 40), cell.text);
    if (*number < 0 && quantity != WS_SUPPLY_TEMPERATURE) { /* zero of the instrument, or what a plant uses at night */
        t->report.negative++;
        *number = 0;
    }
    return WS_OK;
}

/* Temperature of the cells from that of the air by the nominal operating cell temperature: Ross, Flat-plate
 * photovoltaic array design optimization (1980). Without a temperature they are at 25 C. */
static double panel_power(const ws_supply_plant *p, double irradiance, double air_c)
{
    const double cell_c = isnan(air_c) ? 25 : air_c + (p->panel_noct_c - 20) / 800 * irradiance;
    return p->panel_area_m2 * p->panel_efficiency * irradiance * fmax(0, 1 + p->panel_coefficient * (cell_c - 25));
}

/* The speed grows with height by a power law: Burton, Sharpe, Jenkins, Bossanyi, Wind Energy Handbook (2001),
 * chapter 2. */
static double turbine_power(const ws_supply_plant *p, double speed, double height_m)
{
    const double at_hub = height_m > 0 ? speed * pow(p->turbine_hub_m / height_m, p->turbine_shear) : speed;
    return p->turbine_w * ws_supply_turbine(at_hub, p->turbine_cut_in, p->turbine_rated, p->turbine_cut_out);
}

static int read_power(table *t, int line, const ws_cell *cells, size_t count, double *power)
{
    double value[WS_SUPPLY_QUANTITIES] = {0, 0, 0, NAN};
    for (int q = 0; q < WS_SUPPLY_QUANTITIES; q++) {
        const int rc = t->header.at[q] == WS_SUPPLY_NONE ? WS_OK : read_cell(t, q, line, cells, count, &value[q]);
        if (rc)
            return rc;
    }
    const double speed = value[WS_SUPPLY_SPEED];
    *power = value[WS_SUPPLY_POWER];
    if (t->header.at[WS_SUPPLY_IRRADIANCE] != WS_SUPPLY_NONE)
        *power += panel_power(t->plant, value[WS_SUPPLY_IRRADIANCE], value[WS_SUPPLY_TEMPERATURE]);
    if (t->header.at[WS_SUPPLY_SPEED] != WS_SUPPLY_NONE)
        *power += isnan(speed) ? NAN : turbine_power(t->plant, speed, t->header.height_m);
    t->report.missing_cells += isnan(*power);
    return WS_OK;
}

static int add_row(table *t, const row *r, size_t column)
{
    const size_t n = t->report.rows;
    if (n && r->time_s <= t->rows[n - 1].time_s)
        return ws_fail(WS_EINPUT, "%s:%d:%zu: time runs backwards or stands still: %g s after the row of line %d",
                       t->file, r->line, column, r->time_s - t->rows[n - 1].time_s, t->rows[n - 1].line);
    if (WS_GROW(t->rows, t->room, n, 1))
        return no_memory(t->file);
    t->rows[t->report.rows++] = *r;
    return WS_OK;
}

static int read_rows(table *t)
{
    ws_supply_line line;
    ws_cell cells[WS_SUPPLY_CELLS];
    ws_supply_calendar calendar = {0};
    int rc = WS_OK;
    while (!rc && next_line(t, &line)) {
        const size_t count = ws_supply_split(line.text, line.length, t->header.delimiter, cells);
        row r = {.line = line.number};
        rc = ws_supply_time(&t->header, line.number, cells, count, &calendar, &r.time_s);
        if (!rc && !t->report.rows)
            t->first_s = r.time_s;
        r.time_s -= t->first_s; /* from 0, so that no digits are lost */
        if (!rc)
            rc = read_power(t, line.number, cells, count, &r.power_w);
        if (!rc)
            rc = add_row(t, &r, cells[t->header.time[0]].column);
    }
    t->report.jumps = calendar.jumps;
    if (!rc && t->report.rows < 2)
        rc = ws_fail(WS_EINPUT, "%s:%d:1: %zu rows of data after the header; expected two or more", t->file,
                     t->header.line, t->report.rows);
    return rc;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int find_interval(table *t)
{
    const size_t n = t->report.rows - 1;
    double *const interval = malloc(n * sizeof *interval);
    if (!interval)
        return no_memory(t->file);
    for (size_t i = 0; i < n; i++)
        interval[i] = t->rows[i + 1].time_s - t->rows[i].time_s;
    qsort(interval, n, sizeof *interval, by_size);
    t->interval_s = t->report.file_step_s = interval[n / 2];
    free(interval);
    return WS_OK;
}

/* From from_s to to_s, power goes in a straight line from from_w to to_w. */
typedef struct piece {
    double from_s, to_s, from_w, to_w;
} piece;

/* Takes pieces in order and hands out steps. */
typedef struct sampler {
    double step_s, *power, energy; /* energy of the step that is not full yet */
    size_t count, done;
} sampler;

static void add_piece(sampler *s, const piece *p)
{
    double from = p->from_s;
    const double slope = p->to_s > p->from_s ? (p->to_w - p->from_w) / (p->to_s - p->from_s) : 0;
    while (s->done < s->count && from < p->to_s) {
        const double end = (double)(s->done + 1) * s->step_s, to = end < p->to_s ? end : p->to_s;
        const double middle = p->from_w + slope * ((from + to) / 2 - p->from_s);
        s->energy += middle * (to - from);
        from = to;
        if (to == end) {
            s->power[s->done++] = fmax(0, s->energy / s->step_s);
            s->energy = 0;
        }
    }
}

/* A gap between the power before and behind it; only one of them at the ends of the file. */
static int fill_gap(table *t, sampler *s, double from_s, double to_s, double from_w, double to_w, int line)
{
    const double limit = t->options->gap_s > 0 ? t->options->gap_s : WS_SUPPLY_GAP_S, length = to_s - from_s;
    if (length > limit * (1 + 1e-9))
        return ws_fail(WS_EINPUT,
                       "%s:%d:1: nothing was measured for %g s before this row; gaps of up to %g s are filled", t->file,
                       line, length, limit);
    t->report.gaps++;
    t->report.filled_s += length;
    t->report.longest_gap_s = fmax(t->report.longest_gap_s, length);
    add_piece(s, &(piece){from_s, to_s, isnan(from_w) ? to_w : from_w, isnan(to_w) ? from_w : to_w});
    return WS_OK;
}

/* Where the value of row i ends: at the next row, but after one interval when rows are missing there. */
static double end_of(const table *t, size_t i)
{
    const double own = t->rows[i].time_s + t->interval_s;
    if (i + 1 == t->report.rows)
        return own;
    const double next = t->rows[i + 1].time_s;
    return next - t->rows[i].time_s > 1.5 * t->interval_s ? own : next;
}

static int sample_rows(table *t, sampler *s)
{
    double covered_s = 0, last_w = NAN; /* so far, and the power there */
    int rc = WS_OK;
    for (size_t i = 0; !rc && i < t->report.rows; i++) {
        const row *const r = &t->rows[i];
        if (i && r->time_s - t->rows[i - 1].time_s > 1.5 * t->interval_s)
            t->report.missing_rows +=
                (size_t)fmin(round((r->time_s - t->rows[i - 1].time_s) / t->interval_s) - 1, 1e15);
        if (isnan(r->power_w))
            continue;
        if (r->time_s > covered_s)
            rc = fill_gap(t, s, covered_s, r->time_s, last_w, r->power_w, r->line);
        covered_s = end_of(t, i);
        last_w = r->power_w;
        if (!rc)
            add_piece(s, &(piece){r->time_s, covered_s, r->power_w, r->power_w});
    }
    const size_t last = t->report.rows - 1;
    if (!rc && isnan(last_w))
        return ws_fail(WS_EINPUT, "%s:%d:1: no row has a value of %s", t->file, t->header.line, t->report.columns);
    if (!rc && end_of(t, last) > covered_s)
        rc = fill_gap(t, s, covered_s, end_of(t, last), last_w, NAN, t->rows[last].line);
    return rc;
}

static int scale(const table *t, ws_supply *supply)
{
    double mean, deviation;
    ws_supply_statistics(supply, &mean, &deviation);
    if (t->options->scale_mean_w == 0)
        return WS_OK;
    if (!(mean > 0))
        return ws_fail(WS_EINPUT, "%s: gives no power at all; no factor makes its mean %g W", t->file,
                       t->options->scale_mean_w);
    for (size_t i = 0; i < supply->count; i++)
        supply->power_w[i] *= t->options->scale_mean_w / mean;
    return WS_OK;
}

static int resample(table *t, ws_supply *out)
{
    const double step_s = t->options->step_s > 0 ? t->options->step_s : t->interval_s;
    const double steps = floor(end_of(t, t->report.rows - 1) / step_s * (1 + 1e-12));
    if (!(steps >= 1 && steps <= WS_SUPPLY_MOST))
        return ws_fail(WS_EINPUT, "%s: %g s of data make %.0f steps of %g s; expected 1 to %d", t->file,
                       end_of(t, t->report.rows - 1), steps, step_s, WS_SUPPLY_MOST);
    *out = (ws_supply){.count = (size_t)steps, .step_s = step_s, .name = ws_text_stem(t->file)};
    out->power_w = calloc(out->count, sizeof *out->power_w);
    if (!out->power_w || !out->name)
        return no_memory(t->file);
    sampler s = {.step_s = step_s, .power = out->power_w, .count = out->count};
    const int rc = sample_rows(t, &s);
    if (!rc && s.done < s.count) /* the last step ends within rounding of the last row */
        s.power[s.done] = s.energy / step_s;
    return rc ? rc : scale(t, out);
}

static int check_options(const ws_supply_options *o)
{
    if (!(o->step_s >= 0 && o->step_s < INFINITY))
        return ws_fail(WS_EINPUT, "a supply's step of %g s; expected more than 0, or 0 for the file's own", o->step_s);
    if (!(o->gap_s >= 0))
        return ws_fail(WS_EINPUT, "gaps of up to %g s; expected more than 0, or 0 for %g s", o->gap_s, WS_SUPPLY_GAP_S);
    if (!(o->scale_mean_w >= 0 && o->scale_mean_w < INFINITY))
        return ws_fail(WS_EINPUT, "a mean of %g W; expected more than 0, or 0 for that of the file", o->scale_mean_w);
    return WS_OK;
}

int ws_supply_parse(const char *file, const char *text, size_t length, const ws_supply_plant *plant,
                    const ws_supply_options *options, ws_supply *out, ws_supply_report *report)
{
    *out = (ws_supply){0};
    table t = {.file = file, .text = text, .length = length, .plant = plant, .options = options};
    int rc = check_options(options);
    if (!rc && memchr(text, 0, length))
        rc = ws_fail(WS_EINPUT, "%s: a zero byte; expected a table as text", file);
    if (!rc)
        rc = find_header(&t);
    if (!rc)
        rc = read_rows(&t);
    if (!rc)
        rc = find_interval(&t);
    if (!rc)
        rc = resample(&t, out);
    free(t.rows);
    if (report)
        *report = t.report;
    if (rc)
        ws_supply_fini(out);
    return rc;
}

int ws_supply_read(const char *path, const ws_supply_plant *plant, const ws_supply_options *options, ws_supply *out,
                   ws_supply_report *report)
{
    *out = (ws_supply){0};
    static const ws_input input = {
        .what = "a table of a plant's power", .most_bytes = 512 << 20, .source = WS_INPUT_PIPES};
    char *text;
    size_t length;
    int rc = ws_input_read(path, &input, &text, &length);
    if (!rc)
        rc = ws_supply_parse(path, text, length, plant, options, out, report);
    free(text);
    return rc;
}
