/* estimation.c - see estimation.h. */
#include "cluster/estimation.h"

#include "base/status.h"
#include "cluster/estimation_internal.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int no_memory(void)
{
    return ws_fail(WS_EMEM, "no memory for estimates");
}

/* ---------------------------------------------------------------- rows that meet */

static void fini(ws_estimating *w)
{
    ws_judged_subset_fini(&w->subset);
    for (size_t i = 0; w->row_of && i < w->asked->bases; i++)
        free(w->row_of[i]);
    for (size_t i = 0; w->now_of && i < w->asked->machines; i++)
        free(w->now_of[i]);
    free(w->row_of);
    free(w->now_of);
    free(w->member);
    free(w->chance);
    free(w->share);
    free(w->x);
}

/* The row of each name. `missing` says of what a frame lacks rows. */
static int find_rows(const ws_measured *on, char *const *name, size_t names, const char *missing, size_t *row)
{
    ws_row_index index = {0};
    size_t absent = 0, first_absent = 0;
    int rc = ws_row_index_init(&index, on->frame, on->frame->labels);
    for (size_t i = 0; rc == WS_OK && i < names; i++) {
        size_t first;
        const size_t found = ws_row_index_find(&index, name[i], &first);
        if (found > 1)
            rc = ws_fail(WS_EINPUT, "%s: expected one row '%s', found %zu", on->path, name[i], found);
        if (found == 0 && !absent++)
            first_absent = i;
        if (found == 1)
            row[i] = index.order[first];
    }
    if (rc == WS_OK && absent)
        rc = ws_fail(WS_EINPUT, "%s: expected a row '%s', %s; found none (%zu of %zu are missing)", on->path,
                     name[first_absent], missing, absent, names);
    ws_row_index_fini(&index);
    return rc;
}

static int read_members(ws_estimating *w)
{
    const ws_measured *const m = &w->asked->members;
    static const ws_evaluation by_method = {.weights = WS_WEIGHTS_METHOD};
    const ws_judging reader = {.evaluation = &by_method};
    size_t subsets = 0;
    int rc = ws_judged_count(&m->frame, &m->path, 1, &subsets);
    if (rc == WS_OK)
        rc = ws_judged_subset_read(&reader, m->frame, m->path, w->asked->row, &w->subset);
    if (rc == WS_OK && w->subset.size < 2)
        rc = ws_fail(WS_EINPUT, "%s: expected 2 members or more, as one has no interval, found %zu", m->path,
                     w->subset.size);
    for (size_t i = 0; rc == WS_OK && i < w->subset.size; i++)
        for (size_t j = 0; j < i; j++)
            if (!strcmp(w->subset.member[i], w->subset.member[j]))
                rc =
                    ws_fail(WS_EINPUT, "%s: expected each member once, found '%s' twice", m->path, w->subset.member[i]);
    return rc;
}

/* Probabilities of drawn members, from their weights. */
static int read_chances(ws_estimating *w)
{
    w->chance = w->subset.drawn ? calloc(w->subset.size + 1, sizeof *w->chance) : NULL;
    for (size_t i = 0; w->chance && i < w->subset.size; i++)
        w->chance[i] = 1 / w->subset.weight[i];
    return w->chance || !w->subset.drawn ? WS_OK : no_memory();
}

static int meet_bases(ws_estimating *w)
{
    const ws_estimation *const a = w->asked;
    ws_row_index names = {0};
    int rc = ws_row_index_init(&names, a->base[0].frame, a->base[0].frame->labels);
    for (size_t b = 0; rc == WS_OK && b < a->bases; b++) {
        char missing[300];
        snprintf(missing, sizeof missing, "as %s has it", a->base[0].path);
        w->row_of[b] = calloc(w->rows + 1, sizeof **w->row_of);
        if (!w->row_of[b])
            rc = no_memory();
        else if (a->base[b].frame->rows != w->rows)
            rc = ws_fail(WS_EINPUT, "%s: expected the %zu rows of %s, found %zu", a->base[b].path, w->rows,
                         a->base[0].path, a->base[b].frame->rows);
        else
            rc = find_rows(&a->base[b], names.name, w->rows, missing, w->row_of[b]);
    }
    ws_row_index_fini(&names);
    return rc;
}

/* The parts of rows in the mean of all, and the weights of members. Weights of chosen members have the importance in
 * them; those of drawn ones are 1 / probability. */
static int share_out(ws_estimating *w)
{
    const double *const v = w->asked->importance;
    const size_t n = w->subset.size;
    double total = 0, squares = 0;
    w->share = calloc(w->rows + 2 * n + 1, sizeof *w->share);
    if (!w->share)
        return no_memory();
    w->weight = w->share + w->rows;
    w->member_share = w->weight + n;
    for (size_t i = 0; i < w->rows; i++)
        total += v ? v[i] : 1;
    for (size_t i = 0; i < w->rows; i++) {
        w->share[i] = (v ? v[i] : 1) / total;
        squares += w->share[i] * w->share[i];
    }
    for (size_t i = 0; i < n; i++) {
        w->weight[i] = w->subset.weight[i] * (v && w->chance ? v[w->member[i]] : 1);
        w->member_share[i] = w->share[w->member[i]];
    }
    w->sample = (ws_sample){.members = n,
                            .rows = w->rows,
                            .weight = w->weight,
                            .share = v ? w->member_share : NULL,
                            .shares = squares,
                            .chance = w->chance};
    return WS_OK;
}

double ws_estimating_mean(const ws_estimating *w, const double *value)
{
    return w->asked->importance ? gsl_stats_wmean(w->share, 1, value, 1, w->rows) : gsl_stats_mean(value, 1, w->rows);
}

static int meet(ws_estimating *w)
{
    const ws_estimation *const a = w->asked;
    int rc = read_members(w);
    if (rc == WS_OK)
        rc = read_chances(w);
    w->rows = a->base[0].frame->rows;
    if (rc == WS_OK) {
        const size_t most = w->rows > w->subset.size ? w->rows : w->subset.size;
        w->row_of = calloc(a->bases + 1, sizeof *w->row_of);
        w->now_of = calloc(a->machines + 1, sizeof *w->now_of);
        w->member = calloc(w->subset.size + 1, sizeof *w->member);
        w->x = calloc(3 * most + 3, sizeof *w->x);
        w->y = w->x + most;
        w->all = w->y + most;
        rc = w->row_of && w->now_of && w->member && w->x ? WS_OK : no_memory();
    }
    if (rc == WS_OK)
        rc = meet_bases(w);
    if (rc == WS_OK)
        rc = find_rows(&a->base[0], w->subset.member, w->subset.size, "a member", w->member);
    for (size_t k = 0; rc == WS_OK && k < a->machines; k++) {
        w->now_of[k] = calloc(w->subset.size + 1, sizeof **w->now_of);
        rc = w->now_of[k] ? find_rows(&a->now[k], w->subset.member, w->subset.size, "a member", w->now_of[k])
                          : no_memory();
    }
    return rc == WS_OK ? share_out(w) : rc;
}

/* ---------------------------------------------------------------- values */

double ws_estimating_value(const ws_measured *on, size_t row, const char *column)
{
    const long j = ws_frame_find_column(on->frame, column);
    return j < 0 ? NAN : on->frame->value[row * on->frame->columns + (size_t)j];
}

static int check_value(const ws_measured *on, size_t row, const char *column)
{
    if (isfinite(ws_estimating_value(on, row, column)))
        return WS_OK;
    if (ws_frame_find_column(on->frame, column) < 0)
        return ws_frame_refuse_column(on->frame, on->path, column, "");
    char name[200];
    ws_frame_row_name(on->frame, row, name, sizeof name);
    return ws_fail(WS_EINPUT, "%s: row %zu (%s), column '%s': expected a finite number (or leave it out with --drop)",
                   on->path, row + 1, name, column);
}

static int check_column(const ws_estimating *w, const char *column)
{
    const ws_estimation *const a = w->asked;
    int rc = WS_OK;
    for (size_t b = 0; b < a->bases; b++)
        for (size_t i = 0; rc == WS_OK && i < w->rows; i++)
            rc = check_value(&a->base[b], w->row_of[b][i], column);
    for (size_t k = 0; k < a->machines; k++)
        for (size_t i = 0; rc == WS_OK && i < w->subset.size; i++)
            rc = check_value(&a->now[k], w->now_of[k][i], column);
    return rc;
}

/* A change is a ratio, so both of its values must be above 0. */
static int check_change(const ws_estimating *w)
{
    const ws_estimation *const a = w->asked;
    int rc = check_column(w, a->change_of);
    for (size_t i = 0; rc == WS_OK && i < w->subset.size; i++) {
        if (!(ws_estimating_value(&a->base[0], w->row_of[0][w->member[i]], a->change_of) > 0))
            rc = ws_fail(WS_EINPUT, "%s: %s: expected %s above 0 to see a change in", a->base[0].path,
                         w->subset.member[i], a->change_of);
        for (size_t k = 0; rc == WS_OK && k < a->machines; k++)
            if (!(ws_estimating_value(&a->now[k], w->now_of[k][i], a->change_of) > 0))
                rc = ws_fail(WS_EINPUT, "%s: %s: expected %s above 0 to see a change in", a->now[k].path,
                             w->subset.member[i], a->change_of);
    }
    return rc;
}

static int check_work(const ws_estimating *w, const ws_measured *on, const size_t *row, size_t rows, const size_t *base)
{
    const ws_estimation *const a = w->asked;
    for (size_t i = 0; i < rows; i++) {
        const double was = ws_estimating_value(&a->base[0], base ? base[i] : i, a->work);
        const double is = ws_estimating_value(on, row[i], a->work);
        if (fabs(is - was) <= WS_ESTIMATION_SAME * fmax(fabs(is), fabs(was)))
            continue;
        char name[200];
        ws_frame_row_name(on->frame, row[i], name, sizeof name);
        return ws_fail(WS_EINPUT,
                       "%s: %s has %.6g %s, and %.6g on the base %s: a base needs the same inputs, sizes and seeds "
                       "(--work NAME checks another column, --work none nothing)",
                       on->path, name, is, a->work, was, a->base[0].path);
    }
    return WS_OK;
}

static int check(const ws_estimating *w)
{
    const ws_estimation *const a = w->asked;
    int rc = a->outcomes ? WS_OK : ws_fail(WS_EINPUT, "%s: expected outcomes to estimate, found none", a->base[0].path);
    for (size_t o = 0; rc == WS_OK && o < a->outcomes; o++)
        rc = check_column(w, a->outcome[o]);
    if (rc == WS_OK && a->change_of)
        rc = check_change(w);
    if (rc == WS_OK && a->work)
        rc = check_column(w, a->work);
    for (size_t b = 1; rc == WS_OK && a->work && b < a->bases; b++)
        rc = check_work(w, &a->base[b], w->row_of[b], w->rows, w->row_of[0]);
    for (size_t k = 0; rc == WS_OK && a->work && k < a->machines; k++)
        rc = check_work(w, &a->now[k], w->now_of[k], w->subset.size, w->member);
    return rc;
}

/* ---------------------------------------------------------------- one outcome */

int ws_estimate_one(const ws_estimation *asked, const ws_sample *sample, const double *base, double base_mean,
                    const double *value, ws_estimated *out)
{
    int rc = ws_estimator_choose(sample, base, base_mean, value, out->error, &out->estimator);
    if (rc == WS_OK && asked->estimated_by && !isnan(out->error[asked->estimator]))
        out->estimator = asked->estimator;
    if (rc == WS_OK)
        rc = ws_estimator_interval(out->estimator, sample, base, base_mean, value, &out->interval);
    return rc;
}

enum { ESTIMATE, LOW, HIGH, BASE, MEMBERS, SLOPE, ERRORS, COLUMNS = ERRORS + WS_ESTIMATORS };

typedef struct result {
    ws_frame *frame;
    size_t row;
    double factor;
    size_t chosen[WS_ESTIMATORS];
    char *constant, *negative, *exact; /* outcomes for the notes of caution */
} result;

static int add_name(char **list, const char *machine, const char *outcome)
{
    char *longer = NULL;
    if (asprintf(&longer, "%s%s%s %s", *list ? *list : "", *list ? ", " : "", machine, outcome) < 0)
        return no_memory();
    free(*list);
    *list = longer;
    return WS_OK;
}

static bool is_constant(const double *value, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (value[i] != value[0])
            return false;
    return true;
}

static bool is_positive(const double *value, size_t n)
{
    for (size_t i = 0; value && i < n; i++)
        if (value[i] < 0)
            return false;
    return true;
}

/* Half the width of an interval by the factor; one without a width keeps none, however large the factor. */
static double widened(const ws_estimating *w, const result *r, const ws_interval *interval)
{
    const double half = ws_interval_half(interval, w->asked->confidence);
    return half > 0 ? r->factor * half : 0;
}

/* One row of the result: value[members] on the new machine, and the base's for all rows or NULL. */
static int add_row(const ws_estimating *w, const char *machine, const char *outcome, const double *all,
                   const double *value, result *r)
{
    const size_t n = w->subset.size;
    double *const cell = r->frame->value + r->row * COLUMNS;
    const double mean = all ? ws_estimating_mean(w, all) : 0;
    ws_estimated e = {0};
    for (size_t i = 0; all && i < n; i++)
        w->x[i] = all[w->member[i]];
    const double *const base = all ? w->x : NULL;
    int rc = ws_estimate_one(w->asked, &w->sample, base, mean, value, &e);
    if (rc == WS_OK && all && is_constant(w->x, n))
        rc = add_name(&r->constant, machine, outcome);
    const bool bounded = is_positive(value, n) && is_positive(all, w->rows);
    double half = widened(w, r, &e.interval);
    if (rc == WS_OK && e.interval.mean < 0 && bounded) {
        /* The line left the range of the values; the members' mean does not, and its interval must reach the estimate.
         */
        const double off = e.interval.mean;
        e.estimator = WS_ESTIMATOR_plain;
        rc = ws_estimator_interval(WS_ESTIMATOR_plain, &w->sample, NULL, 0, value, &e.interval);
        half = fmax(widened(w, r, &e.interval), e.interval.mean - off);
        if (rc == WS_OK)
            rc = add_name(&r->negative, machine, outcome);
    }
    if (rc == WS_OK && half == 0 && n < w->rows)
        rc = add_name(&r->exact, machine, outcome);
    cell[ESTIMATE] = e.interval.mean;
    cell[LOW] = bounded ? fmax(0, e.interval.mean - half) : e.interval.mean - half;
    cell[HIGH] = e.interval.mean + half;
    cell[BASE] = all ? mean : NAN;
    cell[MEMBERS] = ws_estimator_mean(WS_ESTIMATOR_plain, &w->sample, NULL, 0, value, NULL);
    cell[SLOPE] = e.interval.slope;
    memcpy(cell + ERRORS, e.error, sizeof e.error);
    r->chosen[e.estimator]++;
    const char *const label[] = {machine, outcome, ws_estimator_name(e.estimator)};
    for (size_t l = 0; rc == WS_OK && l < 3; l++)
        rc = ws_frame_set_label(r->frame, r->row, l, label[l]);
    r->row++;
    return rc;
}

static int add_level(const ws_estimating *w, size_t k, const char *outcome, result *r)
{
    const ws_estimation *const a = w->asked;
    for (size_t i = 0; i < w->rows; i++)
        w->all[i] = ws_estimating_value(&a->base[0], w->row_of[0][i], outcome);
    for (size_t i = 0; i < w->subset.size; i++)
        w->y[i] = ws_estimating_value(&a->now[k], w->now_of[k][i], outcome);
    return add_row(w, a->now[k].machine, outcome, w->all, w->y, r);
}

/* The change from machine `from` to k: from the base if `from` is that number of machines. Of bases, that between the
 * first two informs it. */
static int add_change(const ws_estimating *w, size_t from, size_t k, result *r)
{
    const ws_estimation *const a = w->asked;
    const bool of_base = from == a->machines;
    char *machine = NULL, *outcome = NULL;
    for (size_t i = 0; i < w->subset.size; i++) {
        const double before = of_base ? ws_estimating_value(&a->base[0], w->row_of[0][w->member[i]], a->change_of)
                                      : ws_estimating_value(&a->now[from], w->now_of[from][i], a->change_of);
        w->y[i] = before / ws_estimating_value(&a->now[k], w->now_of[k][i], a->change_of);
    }
    bool known = a->bases > 1;
    for (size_t i = 0; known && i < w->rows; i++) {
        w->all[i] = ws_estimating_value(&a->base[0], w->row_of[0][i], a->change_of) /
                    ws_estimating_value(&a->base[1], w->row_of[1][i], a->change_of);
        known = isfinite(w->all[i]);
    }
    int rc = asprintf(&machine, "%s/%s", of_base ? a->base[0].machine : a->now[from].machine, a->now[k].machine) < 0 ||
                     asprintf(&outcome, "change of %s", a->change_of) < 0
                 ? no_memory()
                 : add_row(w, machine, outcome, known ? w->all : NULL, w->y, r);
    free(machine);
    free(outcome);
    return rc;
}

/* ---------------------------------------------------------------- the frame */

static int name_columns(ws_frame *frame)
{
    static const char *const names[] = {"estimate", "low", "high", "base", "members", "slope"};
    int rc = WS_OK;
    for (size_t c = 0; rc == WS_OK && c < ERRORS; c++)
        rc = ws_frame_set_column(frame, c, names[c], "", "");
    for (size_t e = 0; rc == WS_OK && e < WS_ESTIMATORS; e++) {
        char name[64];
        snprintf(name, sizeof name, "error_%s", ws_estimator_name((ws_estimator)e));
        rc = ws_frame_set_column(frame, ERRORS + e, name, "", "left out");
    }
    return rc;
}

static int note(const ws_estimating *w, const result *r, ws_frame *frame)
{
    const ws_estimation *const a = w->asked;
    int rc = ws_frame_note(frame, "members: %zu of %zu rows, %s", w->subset.size, w->rows,
                           w->chance ? "drawn with known probabilities" : "chosen");
    if (rc == WS_OK && a->work)
        rc = ws_frame_note(frame, "inputs: %s of each member agrees with the base within %g %%", a->work,
                           100 * WS_ESTIMATION_SAME);
    else if (rc == WS_OK)
        rc = ws_frame_note(frame, "inputs: not checked, no column of work is compared; a base needs the same inputs");
    char chosen[300] = "";
    for (size_t e = 0, used = 0; e < WS_ESTIMATORS && used < sizeof chosen; e++)
        if (r->chosen[e])
            used += (size_t)snprintf(chosen + used, sizeof chosen - used, "%s%s %zu", used ? ", " : "",
                                     ws_estimator_name((ws_estimator)e), r->chosen[e]);
    if (rc == WS_OK)
        rc =
            ws_frame_note(frame, "estimators: %s%s; %s", a->estimated_by ? "as asked, where they apply: " : "", chosen,
                          a->estimated_by ? "errors of all in the columns error_..."
                                          : "for each row that with the least error when each member is estimated from "
                                            "the others (columns error_...)");
    if (rc == WS_OK && r->constant)
        rc = ws_frame_note(
            frame, "caution: the base does not vary over the members, so they alone say what the estimate is: %s",
            r->constant);
    if (rc == WS_OK && r->negative)
        rc =
            ws_frame_note(frame,
                          "caution: estimated below 0, which no value is; replaced by the mean of the members, with an "
                          "interval that reaches the estimate: %s",
                          r->negative);
    if (rc == WS_OK && r->exact)
        rc =
            ws_frame_note(frame,
                          "caution: the estimator fits the members exactly, so the interval has no width, though other "
                          "rows may differ: %s",
                          r->exact);
    return rc;
}

int ws_estimation_run(const ws_estimation *asked, ws_frame **out)
{
    static const char *const labels[] = {"machine", "outcome", "estimator"};
    ws_estimating w = {.asked = asked};
    const size_t changes = asked->change_of ? asked->machines * (asked->machines + 1) / 2 : 0;
    result r = {.frame = NULL};
    int rc = meet(&w);
    if (rc == WS_OK)
        rc = check(&w);
    if (rc == WS_OK) {
        r.frame = ws_frame_create(asked->machines * asked->outcomes + changes, COLUMNS, 3, labels);
        rc = r.frame ? name_columns(r.frame) : no_memory();
    }
    if (rc == WS_OK)
        rc = ws_estimating_widen(&w, &r.factor, r.frame);
    for (size_t k = 0; k < asked->machines; k++)
        for (size_t o = 0; rc == WS_OK && o < asked->outcomes; o++)
            rc = add_level(&w, k, asked->outcome[o], &r);
    for (size_t k = 0; asked->change_of && k < asked->machines; k++)
        for (size_t from = 0; rc == WS_OK && from <= asked->machines; from++)
            if (from < k || from == asked->machines)
                rc = add_change(&w, from, k, &r);
    if (rc == WS_OK)
        rc = note(&w, &r, r.frame);
    free(r.constant);
    free(r.negative);
    free(r.exact);
    fini(&w);
    return ws_frame_give(rc, r.frame, out);
}
