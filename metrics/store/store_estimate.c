/* store_estimate.c - weights for the launches of a sampled run, and how far the columns of its workload can be off. */
#include "metrics/store/store_internal.h"

#include "base/grow.h"
#include "base/status.h"
#include "metrics/estimate.h"
#include "metrics/metric_layout.h"
#include "metrics/performance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct sample {
    const ws_store *store;
    int64_t run;
    ws_estimate_launch *launch; /* as the estimate sorts them */
    size_t *place;              /* [n] number of a measured launch among those */
    size_t n, measured;
    ws_estimate *estimate;
} sample;

/* One family while its columns are bounded. */
typedef struct family {
    const ws_metric *metric;
    size_t counters, columns;
    double *counter; /* [measured][counters] */
    double *total;   /* [counters] weighted */
    double *value;   /* [columns] of the totals */
    double *slope;   /* [columns][counters] of a column by a counter */
    bool *open;      /* [columns] hangs on an extreme, of which a sample says little */
} family;

static int no_memory(const ws_store *store)
{
    return ws_fail(WS_EMEM, "%s: no memory for the estimate", store->path);
}

/* ------------------------------------------------------------------------------------------------ launches */

static int read_launches(sample *s)
{
    sqlite3_stmt *row;
    bool more = true;
    size_t room = 0;
    int status =
        ws_store_prepare(s->store, &row,
                         "SELECT id, stratum, slice, measured, warp_instructions, thread_instructions,"
                         " grid_x * grid_y * grid_z FROM launch WHERE run = ? AND stratum IS NOT NULL ORDER BY id",
                         "i", s->run);
    while (status == WS_OK && (status = ws_store_step(s->store, row, &more)) == WS_OK && more) {
        if (WS_GROW(s->launch, room, s->n, 1)) {
            status = no_memory(s->store);
            break;
        }
        s->launch[s->n++] = (ws_estimate_launch){.id = sqlite3_column_int64(row, 0),
                                                 .stratum = sqlite3_column_int64(row, 1),
                                                 .slice = sqlite3_column_int64(row, 2),
                                                 .measured = sqlite3_column_int(row, 3) != 0,
                                                 .warp_instructions = sqlite3_column_double(row, 4),
                                                 .thread_instructions = sqlite3_column_double(row, 5),
                                                 .blocks = sqlite3_column_double(row, 6)};
        s->measured += s->launch[s->n - 1].measured;
    }
    sqlite3_finalize(row);
    return status;
}

/* After the estimate has sorted them. */
static int number_measured(sample *s)
{
    size_t n = 0;
    s->place = calloc(s->n + 1, sizeof *s->place);
    for (size_t i = 0; s->place && i < s->n; i++) {
        s->place[i] = n;
        n += s->launch[i].measured;
    }
    return s->place ? WS_OK : no_memory(s->store);
}

static int write_weights(const sample *s)
{
    int status = WS_OK;
    for (size_t i = 0; i < s->n && status == WS_OK; i++)
        status = ws_store_exec(s->store, "UPDATE launch SET weight = ? WHERE id = ?", "di", s->launch[i].weight,
                               s->launch[i].id);
    return status;
}

/* ------------------------------------------------------------------------------------------------ counters */

static void family_fini(family *f)
{
    free(f->counter);
    free(f->total);
    free(f->value);
    free(f->slope);
    free(f->open);
}

/* Counters of one launch; *found false when the family did not measure it. */
static int read_counters(const sample *s, const family *f, size_t launch, bool *found)
{
    char signature[WS_SIGNATURE_BYTES];
    sqlite3_stmt *row;
    ws_store_signature(f->metric, signature);
    int status = ws_store_prepare(s->store, &row,
                                  "SELECT c.checksum, c.data FROM counter c JOIN family f ON f.id = c.family"
                                  " WHERE c.launch = ? AND f.name = ? AND f.signature = ?",
                                  "itt", s->launch[launch].id, f->metric->sink.name, signature);
    if (status == WS_OK)
        status = ws_store_step(s->store, row, found);
    if (status == WS_OK && *found)
        status =
            ws_store_decode(s->store, sqlite3_column_blob(row, 1), (size_t)sqlite3_column_bytes(row, 1),
                            sqlite3_column_int64(row, 0), f->counters, f->counter + s->place[launch] * f->counters);
    sqlite3_finalize(row);
    return status;
}

/* *found false when a measured launch lacks the family. */
static int family_init(const sample *s, const ws_metric *metric, family *f, bool *found)
{
    *f = (family){.metric = metric, .counters = ws_metric_counters(metric), .columns = ws_metric_columns(metric)};
    f->counter = calloc(s->measured * f->counters + 1, sizeof *f->counter);
    f->total = calloc(f->counters + 1, sizeof *f->total);
    f->value = calloc(f->columns + 1, sizeof *f->value);
    f->slope = calloc(f->columns * f->counters + 1, sizeof *f->slope);
    f->open = calloc(f->columns + 1, sizeof *f->open);
    *found = s->measured > 0;
    int status = f->counter && f->total && f->value && f->slope && f->open ? WS_OK : no_memory(s->store);
    bool first = true;
    double *const weighted = calloc(f->counters + 1, sizeof *weighted);
    if (!weighted)
        status = no_memory(s->store);
    for (size_t i = 0; i < s->n && status == WS_OK && *found; i++) {
        if (!s->launch[i].measured)
            continue;
        status = read_counters(s, f, i, found);
        memcpy(weighted, f->counter + s->place[i] * f->counters, f->counters * sizeof *weighted);
        ws_metric_weigh(metric, weighted, s->launch[i].weight);
        if (first)
            memcpy(f->total, weighted, f->counters * sizeof *weighted);
        else
            ws_metric_combine(metric, f->total, weighted);
        first = false;
    }
    free(weighted);
    return status;
}

/* ------------------------------------------------------------------------------------------------ slopes */

static const ws_counter *counter_at(const ws_metric *metric, size_t number)
{
    const ws_counter *c = metric->counters;
    for (size_t n; c->name && number >= (n = c->count ? c->count : 1); c++)
        number -= n;
    return c;
}

/* Columns of the totals. Bounds of histograms are those of their fractions: how many samples there are is known, or
 * much the same in all strata, and a bound of a bin is judged as a part of them. */
static void emit(const family *f, double *value)
{
    f->metric->emit(f->total, value);
    ws_metric_make_fractions(f->metric, value);
}

/* How each column answers to each counter: differences over a thousandth of it. */
static int find_slopes(const sample *s, family *f)
{
    static const double part = 1e-3;
    double *const up = calloc(f->columns + 1, sizeof *up), *const down = calloc(f->columns + 1, sizeof *down);
    int status = up && down ? WS_OK : no_memory(s->store);
    for (size_t k = 0; k < f->counters && status == WS_OK; k++) {
        const double at = f->total[k], step = part * fabs(at);
        const ws_counter *const counter = counter_at(f->metric, k);
        if (!(step > 0) || ws_metric_is_known(counter))
            continue;
        f->total[k] = at + step;
        emit(f, up);
        f->total[k] = at - step;
        emit(f, down);
        f->total[k] = at;
        for (size_t j = 0; j < f->columns; j++) {
            const double difference = isfinite(up[j]) && isfinite(down[j]) ? up[j] - down[j] : 0;
            if (counter->combine == WS_SUM)
                f->slope[j * f->counters + k] = difference / (2 * step);
            else if (difference != 0)
                f->open[j] = true;
        }
    }
    emit(f, f->value);
    free(up);
    free(down);
    return status;
}

/* ------------------------------------------------------------------------------------------------ bounds */

/* The bound of column j; NaN when there is none to give. */
static double bound_of(const sample *s, const family *f, size_t j, double *u)
{
    const double *const slope = f->slope + j * f->counters;
    if (f->open[j])
        return NAN;
    for (size_t i = 0; i < s->n; i++) {
        const double *const counter = f->counter + s->place[i] * f->counters;
        u[i] = 0;
        for (size_t k = 0; k < f->counters && s->launch[i].measured; k++)
            if (slope[k] != 0)
                u[i] += slope[k] * counter[k];
    }
    const double bound = ws_estimate_bound(s->estimate, u);
    return isfinite(bound) ? bound : NAN;
}

static const char *unit_of(const ws_layout_column *column)
{
    return column->histogram ? WS_UNIT_FRACTION : column->unit;
}

static int take_bound(const sample *s, const char *name, const char *unit, double value, double bound, double tolerance,
                      ws_store_estimate *out)
{
    const double scale = ws_estimate_scale(unit, value);
    const double relative = bound == 0 ? 0 : bound / scale;
    out->columns++;
    out->within += relative <= tolerance;
    if (relative > out->worst_bound || (bound > 0 && !out->worst)) {
        char *const copy = strdup(name);
        if (!copy)
            return no_memory(s->store);
        free(out->worst);
        out->worst = copy;
        out->worst_bound = relative;
    }
    return ws_store_exec(s->store, "INSERT INTO bound(run, name, half) VALUES(?,?,?)", "itd", s->run, name, bound);
}

/* All columns of one family that frames show. Bytes copied are known of all launches. */
static int bound_family(const sample *s, const ws_layout *layout, size_t number, const ws_metric *metric,
                        double tolerance, ws_store_estimate *out)
{
    family f;
    bool found;
    double *const u = calloc(s->n + 1, sizeof *u);
    int status = family_init(s, metric, &f, &found);
    if (!u)
        status = no_memory(s->store);
    if (status == WS_OK && found)
        status = find_slopes(s, &f);
    for (size_t i = 0; i < layout->columns && status == WS_OK && found; i++) {
        const ws_layout_column *const c = &layout->column[i];
        if (c->family != number)
            continue;
        const double bound = bound_of(s, &f, c->value, u);
        if (isfinite(bound))
            status = take_bound(s, c->name, unit_of(c), f.value[c->value], bound, tolerance, out);
    }
    family_fini(&f);
    free(u);
    return status;
}

static int bound_all(const sample *s, double tolerance, ws_store_estimate *out)
{
    ws_layout layout = {0};
    size_t n;
    const ws_metric *const *const metric = ws_metrics(&n);
    int status = ws_layout_init("all", &layout);
    for (size_t i = 0; i < n && status == WS_OK; i++)
        status = bound_family(s, &layout, i, metric[i], tolerance, out);
    ws_layout_fini(&layout);
    return status;
}

static int tell(const sample *s, double tolerance, uint64_t seed, const ws_store_estimate *out)
{
    char text[512];
    int n = snprintf(text, sizeof text,
                     "%llu of %llu launches measured (tolerance %g %%, seed %llu), the others estimated;"
                     " 95 %% bounds of %llu of %llu columns are within the tolerance",
                     (unsigned long long)out->measured, (unsigned long long)out->launches, 100 * tolerance,
                     (unsigned long long)seed, (unsigned long long)out->within, (unsigned long long)out->columns);
    if (out->worst)
        snprintf(text + n, sizeof text - (size_t)n, ", the widest is %.2g %% (%s)", 100 * out->worst_bound, out->worst);
    return ws_store_exec(s->store, "UPDATE run SET sampling = ? WHERE id = ?", "ti", text, s->run);
}

int ws_store_weigh(ws_store *store, int64_t id, double tolerance, uint64_t seed, ws_store_estimate *out)
{
    sample s = {.store = store, .run = id};
    *out = (ws_store_estimate){0};
    int status = ws_store_begin_writing(store);
    if (status != WS_OK)
        return status;
    status = read_launches(&s);
    if (status == WS_OK)
        status = ws_estimate_create(s.launch, s.n, &s.estimate);
    if (status == WS_OK)
        status = number_measured(&s);
    if (status == WS_OK)
        status = write_weights(&s);
    if (status == WS_OK)
        status = bound_all(&s, tolerance, out);
    out->launches = s.n;
    out->measured = s.measured;
    if (status == WS_OK)
        status = tell(&s, tolerance, seed, out);
    status = ws_store_end(store, status);
    ws_estimate_destroy(s.estimate);
    free(s.launch);
    free(s.place);
    if (status != WS_OK) {
        free(out->worst);
        *out = (ws_store_estimate){0};
    }
    return status;
}

/* ------------------------------------------------------------------------------------------------ as a frame */

static int fill_bounds(const ws_store *store, int64_t run, const ws_layout *layout, ws_frame *frame, size_t at)
{
    sqlite3_stmt *row;
    bool more = true;
    double *const out = frame->value + at * frame->columns;
    for (size_t i = 0; i < layout->columns; i++)
        out[i] = NAN;
    int status = ws_store_prepare(store, &row, "SELECT name, half FROM bound WHERE run = ?", "i", run);
    while (status == WS_OK && (status = ws_store_step(store, row, &more)) == WS_OK && more)
        for (size_t i = 0; i < layout->columns; i++)
            if (!strcmp(layout->column[i].name, ws_store_text(row, 0)))
                out[i] = sqlite3_column_double(row, 1);
    sqlite3_finalize(row);
    return status;
}

static int see_sampled(const ws_store *store, const ws_layout *layout, ws_frame *frame, size_t *rows)
{
    sqlite3_stmt *run;
    bool more = true;
    *rows = 0;
    int status = ws_store_prepare_runs(store, &run);
    while (status == WS_OK && (status = ws_store_next_shown(store, run, &more)) == WS_OK && more) {
        if (!*ws_store_text(run, 10))
            continue;
        if (frame) {
            status = ws_frame_note(frame, "sampled: %s: %s", ws_store_text(run, 1), ws_store_text(run, 10));
            if (status == WS_OK)
                status = ws_frame_set_label(frame, *rows, 0, ws_store_text(run, 1));
            if (status == WS_OK)
                status = fill_bounds(store, sqlite3_column_int64(run, 0), layout, frame, *rows);
        }
        ++*rows;
    }
    sqlite3_finalize(run);
    return status;
}

static int make_bounds(const ws_store *store, const ws_layout *layout, const char *set, ws_frame **out)
{
    static const char *const labels[] = {"workload"};
    size_t rows;
    int status = see_sampled(store, layout, NULL, &rows);
    if (status == WS_OK && !rows)
        status = ws_fail(WS_ENOTFOUND, "%s: no workload in it was sampled (see `warpscape run --sample`)", store->path);
    if (status != WS_OK)
        return status;
    ws_frame *const frame = ws_frame_create(rows, layout->columns, 1, labels);
    if (!frame)
        return no_memory(store);
    status = ws_frame_note(frame, "bounds: half of the 95 %% confidence intervals of metrics %s per workload",
                           set ? set : "all");
    if (status == WS_OK)
        status = ws_frame_note(frame, WS_NOTE_FRACTIONS);
    for (size_t i = 0; i < layout->columns && status == WS_OK; i++)
        status =
            ws_frame_set_column(frame, i, layout->column[i].name, unit_of(&layout->column[i]), layout->column[i].group);
    if (status == WS_OK)
        status = see_sampled(store, layout, frame, &rows);
    return ws_frame_give(status, frame, out);
}

int ws_store_bounds(ws_store *store, const char *set, ws_frame **out)
{
    ws_layout layout = {0};
    *out = NULL;
    if (set && strcmp(set, WS_SET_PERFORMANCE) == 0)
        return ws_fail(
            WS_EINPUT,
            "bounds are of what is measured, not of features made from it: use the set study, modern or all");
    int status = ws_layout_init(set, &layout);
    if (status == WS_OK)
        status = ws_store_begin_reading(store);
    if (status == WS_OK)
        status = ws_store_end(store, make_bounds(store, &layout, set, out));
    ws_layout_fini(&layout);
    return status;
}
