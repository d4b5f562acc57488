/* judging.c - rows that subsets are judged by, and how far a mean over some is from that over all.
 *
 * The form of Goswami, "Power performance co-optimization of throughput architecture using emerging technologies"
 * (2013), table 3-4: per metric, machine configuration by machine configuration, then averaged. */
#include "cluster/judging.h"

#include "base/status.h"
#include "base/text.h"
#include "cluster/drawing.h"
#include "cluster/estimation_internal.h"

#include <gsl/gsl_math.h>
#include <math.h>

#include <stdlib.h>
#include <string.h>

static int no_memory(const char *name)
{
    return ws_fail(WS_EMEM, "%s: no memory to judge subsets", name);
}

void ws_judging_fini(ws_judging *w)
{
    ws_row_index_fini(&w->index);
    free(w->part);
    free(w->part_of);
    free(w->row);
    free(w->mean);
    free(w->base);
    free(w->base_mean);
    free(w->room);
}

static int find_by(ws_judging *w)
{
    const ws_frame *f = w->metrics;
    w->by = f->labels;
    if (!w->evaluation->by)
        return WS_OK;
    for (w->by = 0; w->by < f->labels; w->by++)
        if (strcmp(f->label_names[w->by], w->evaluation->by) == 0)
            break;
    if (w->by == f->labels)
        return ws_fail(WS_EINPUT, "%s: there is no label column '%s'", w->name, w->evaluation->by);
    return f->labels > 1 ? WS_OK
                         : ws_fail(WS_EINPUT, "%s: expected another label column besides '%s' to name the rows",
                                   w->name, w->evaluation->by);
}

static const char *key_of(const ws_judging *w, size_t row)
{
    return w->by < w->metrics->labels ? w->metrics->label[row * w->metrics->labels + w->by] : "";
}

/* Sorts the rows into parts. */
static int divide(ws_judging *w)
{
    const size_t n = w->metrics->rows;
    w->part = calloc(n, sizeof *w->part);
    w->part_of = calloc(n, sizeof *w->part_of);
    w->row = calloc(n, sizeof *w->row);
    if (!w->part || !w->part_of || !w->row)
        return no_memory(w->name);
    for (size_t i = 0; i < n; i++) {
        size_t p = 0;
        while (p < w->parts && strcmp(w->part[p].key, key_of(w, i)) != 0)
            p++;
        if (p == w->parts)
            w->part[w->parts++].key = key_of(w, i);
        w->part_of[i] = p;
        w->part[p].rows++;
    }
    size_t used = 0;
    for (size_t p = 0; p < w->parts; p++) {
        w->part[p].row = w->row + used;
        used += w->part[p].rows;
        w->part[p].rows = 0;
    }
    for (size_t i = 0; i < n; i++) {
        ws_judged_part *const p = &w->part[w->part_of[i]];
        p->row[p->rows++] = i;
    }
    return WS_OK;
}

/* In one part a name must mean one row. */
static int check_names(const ws_judging *w)
{
    const ws_row_index *x = &w->index;
    for (size_t i = 1; i < x->rows; i++) {
        const size_t row = x->order[i];
        for (size_t j = i; j-- > 0 && strcmp(x->name[x->order[j]], x->name[row]) == 0;)
            if (w->part_of[x->order[j]] == w->part_of[row])
                return ws_fail(WS_EINPUT, "%s: rows %zu and %zu have the same name '%s'%s", w->name, x->order[j] + 1,
                               row + 1, x->name[row], w->by < w->metrics->labels ? " and configuration" : "");
    }
    return WS_OK;
}

bool ws_judging_is_change(const ws_judging *w, size_t column)
{
    return strcmp(w->metrics->column[column].group, WS_GROUP_CHANGE) == 0;
}

static double importance(const ws_judging *w, size_t row)
{
    return w->evaluation->importance ? w->evaluation->importance[row] : 1;
}

/* The sum over the rows of a part of that power of their importance. */
static double all_importance(const ws_judging *w, size_t p, int power)
{
    double total = 0;
    if (!w->evaluation->importance)
        return (double)w->part[p].rows;
    for (size_t i = 0; i < w->part[p].rows; i++)
        total += gsl_pow_int(importance(w, w->part[p].row[i]), power);
    return total;
}

static int find_means(ws_judging *w)
{
    const size_t columns = w->metrics->columns;
    w->mean = calloc(w->parts * columns, sizeof *w->mean);
    if (!w->mean)
        return no_memory(w->name);
    for (size_t p = 0; p < w->parts; p++)
        for (size_t j = 0; j < columns; j++) {
            double *const mean = &w->mean[p * columns + j];
            for (size_t i = 0; i < w->part[p].rows; i++) {
                const size_t row = w->part[p].row[i];
                *mean += importance(w, row) * w->metrics->value[row * columns + j];
            }
            *mean /= all_importance(w, p, 1);
        }
    for (size_t j = 0; j < columns; j++)
        w->changes += ws_judging_is_change(w, j);
    return w->changes < columns
               ? WS_OK
               : ws_fail(WS_EINPUT, "%s: expected at least one column that is no change, found none", w->name);
}

/* Values of the same rows on the base, by name; of a row in several parts the base has one. */
static int find_base(ws_judging *w)
{
    const ws_frame *const f = w->metrics, *const base = w->evaluation->base;
    ws_row_index index = {0};
    if (!base)
        return WS_OK;
    w->base = malloc(f->rows * f->columns * sizeof *w->base);
    w->base_mean = calloc(w->parts * f->columns, sizeof *w->base_mean);
    int rc = w->base && w->base_mean ? ws_row_index_init(&index, base, base->labels) : no_memory(w->name);
    for (size_t i = 0; rc == WS_OK && i < f->rows; i++) {
        size_t row;
        rc = ws_row_index_only(&index, w->evaluation->base_name, w->index.name[i], w->name, &row);
        if (rc != WS_OK)
            break;
        const double total = all_importance(w, w->part_of[i], 1);
        for (size_t j = 0; j < f->columns; j++) {
            const long c = ws_frame_find_column(base, f->column[j].name);
            const double value = c < 0 ? (double)NAN : base->value[row * base->columns + (size_t)c];
            w->base[i * f->columns + j] = value;
            w->base_mean[w->part_of[i] * f->columns + j] += importance(w, i) * value / total;
            if (c >= 0 && !isfinite(value))
                rc = ws_fail(WS_EINPUT, "%s: row '%s', column '%s': expected a finite number", w->evaluation->base_name,
                             w->index.name[i], f->column[j].name);
        }
    }
    ws_row_index_fini(&index);
    return rc;
}

int ws_judging_init(ws_judging *w)
{
    if (w->metrics->rows == 0)
        return ws_fail(WS_EINPUT, "%s: expected rows to judge subsets by, found none", w->name);
    if (w->metrics->columns == 0)
        return ws_fail(WS_EINPUT, "%s: expected at least one metric column, found none", w->name);
    int rc = ws_frame_require_finite(w->metrics, w->name);
    if (rc == WS_OK)
        rc = find_by(w);
    if (rc == WS_OK)
        rc = ws_row_index_init(&w->index, w->metrics, w->by);
    if (rc == WS_OK)
        rc = divide(w);
    if (rc == WS_OK)
        rc = check_names(w);
    if (rc == WS_OK)
        rc = find_means(w);
    if (rc == WS_OK && !(w->room = calloc(5 * w->metrics->rows, sizeof *w->room)))
        rc = no_memory(w->name);
    return rc == WS_OK ? find_base(w) : rc;
}

void ws_judged_subset_fini(ws_judged_subset *s)
{
    for (size_t i = 0; s->member && i < s->size; i++)
        free(s->member[i]);
    free(s->member);
    free(s->weight);
    *s = (ws_judged_subset){0};
}

static long find_label(const ws_frame *frame, const char *name)
{
    for (size_t l = 0; l < frame->labels; l++)
        if (strcmp(frame->label_names[l], name) == 0)
            return (long)l;
    return -1;
}

/* How the members were chosen; older frames call it linkage. */
const char *ws_judged_method(const ws_frame *frame, size_t row)
{
    const long method = find_label(frame, "method");
    return frame->label[row * frame->labels + (size_t)(method >= 0 ? method : find_label(frame, "linkage"))];
}

/* The cell of a label column that check_subsets has found. */
static const char *cell(const ws_frame *frame, size_t row, const char *name)
{
    return frame->label[row * frame->labels + (size_t)find_label(frame, name)];
}

static int check_subsets(const ws_frame *frame, const char *name)
{
    static const char *const needed[] = {"size", "method", "members", "weights"};
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
        if (find_label(frame, needed[i]) < 0 && (i != 1 || find_label(frame, "linkage") < 0))
            return ws_fail(WS_EINPUT, "%s: expected a frame written by the command subset, it has no text column '%s'",
                           name, needed[i]);
    return WS_OK;
}

/* The next of a list of numbers separated by blanks, or -1 when there is none that is a weight. */
static double next_weight(const char **at)
{
    const char *from = *at + strspn(*at, " ");
    const size_t n = strcspn(from, " ");
    double weight;
    *at = from + n;
    return ws_text_to_double(from, n, &weight) == WS_OK && weight >= 0 && !isinf(weight) ? weight : -1;
}

/* Whether the mean over members of that row is to be weighted. */
static bool is_weighted(const ws_judging *w, const ws_frame *frame, size_t row)
{
    ws_method method;
    if (w->evaluation->weights != WS_WEIGHTS_METHOD)
        return w->evaluation->weights == WS_WEIGHTS_SIZE;
    if (!strcmp(ws_judged_method(frame, row), WS_DRAW_METHOD))
        return true;
    return ws_method_find(ws_judged_method(frame, row), &method) == WS_OK && ws_method_weighted(method);
}

int ws_judged_subset_read(const ws_judging *w, const ws_frame *frame, const char *name, size_t row, ws_judged_subset *s)
{
    const char *members = cell(frame, row, "members"), *weights = cell(frame, row, "weights");
    const size_t most = strlen(members) / 2 + 1;
    const bool weighted = is_weighted(w, frame, row);
    double total = 0;
    *s = (ws_judged_subset){0, calloc(most, sizeof *s->member), calloc(most, sizeof *s->weight), weighted,
                            weighted && !strcmp(ws_judged_method(frame, row), WS_DRAW_METHOD)};
    if (!s->member || !s->weight)
        return no_memory(name);
    for (char *member; (member = ws_members_next(&members)); s->size++) {
        s->member[s->size] = member;
        s->weight[s->size] = next_weight(&weights);
        if (s->weight[s->size] < 0) {
            ws_fail(WS_EINPUT, "%s: row %zu: expected a weight of 0 or more for each member, found none for '%.100s'",
                    name, row + 1, member);
            s->size++;
            return WS_EINPUT;
        }
        total += s->weight[s->size];
        if (s->drawn && s->weight[s->size] < 1) {
            ws_fail(WS_EINPUT,
                    "%s: row %zu: expected weights of 1 or more for drawn members (1 / probability), found %g", name,
                    row + 1, s->weight[s->size]);
            s->size++;
            return WS_EINPUT;
        }
        if (!weighted)
            s->weight[s->size] = 1;
    }
    if (*members)
        return no_memory(name);
    if (s->size == 0)
        return ws_fail(WS_EINPUT, "%s: row %zu: expected the names of members, found none", name, row + 1);
    if (weights[strspn(weights, " ")])
        return ws_fail(WS_EINPUT, "%s: row %zu: expected as many weights as members, found more", name, row + 1);
    if (!(total > 0))
        return ws_fail(WS_EINPUT, "%s: row %zu: expected a weight above 0 for some member, found none", name, row + 1);
    return WS_OK;
}

/* Has a part a row of that name? */
bool ws_judging_has_row(const ws_judging *w, size_t p, const char *name, size_t *row)
{
    size_t first;
    const size_t found = ws_row_index_find(&w->index, name, &first);
    for (size_t i = first; i < first + found; i++)
        if (w->part_of[w->index.order[i]] == p) {
            *row = w->index.order[i];
            return true;
        }
    return false;
}

static int find_row(const ws_judging *w, size_t p, const char *member, size_t *row)
{
    if (ws_judging_has_row(w, p, member, row))
        return WS_OK;
    const bool parted = w->by < w->metrics->labels;
    return ws_fail(WS_EINPUT, "%s: expected a row '%s', a member of a subset%s%s%s%s; found none", w->name, member,
                   parted ? ", where " : "", parted ? w->metrics->label_names[w->by] : "", parted ? " is " : "",
                   w->part[p].key);
}

static double relative_error(double mine, double all)
{
    if (all != 0)
        return fabs(mine - all) / fabs(all);
    return mine == 0 ? 0 : NAN;
}

/* The mean of one metric over rows of one part; with a base, the estimate. */
static int judge_metric(const ws_judging *w, size_t p, size_t j, const size_t *row, const ws_sample *sample,
                        ws_judged *out)
{
    static const ws_estimation usual = {.confidence = WS_JUDGED_CONFIDENCE};
    const size_t columns = w->metrics->columns, n = sample->members;
    const double all = w->mean[p * columns + j];
    double *const value = w->room, *const base = w->room + w->metrics->rows;
    for (size_t m = 0; m < n; m++) {
        value[m] = w->metrics->value[row[m] * columns + j];
        base[m] = w->base ? w->base[row[m] * columns + j] : NAN;
    }
    *out = (ws_judged){NAN, NAN, NAN};
    if (!w->base) {
        out->error = relative_error(ws_estimator_mean(WS_ESTIMATOR_plain, sample, NULL, 0, value, NULL), all);
        return WS_OK;
    }
    ws_estimated e = {0};
    const bool known = !isnan(base[0]);
    const int rc =
        ws_estimate_one(&usual, sample, known ? base : NULL, known ? w->base_mean[p * columns + j] : 0, value, &e);
    const double half = ws_estimation_widening(n) * ws_interval_half(&e.interval, usual.confidence);
    out->error = relative_error(e.interval.mean, all);
    out->covered = fabs(e.interval.mean - all) <= half;
    out->half = all != 0 ? half / fabs(all) : NAN;
    return rc;
}

int ws_judging_errors_of_rows(const ws_judging *w, size_t p, const size_t *row, const ws_judged_subset *s, size_t size,
                              ws_judged *judged)
{
    double *const by = w->room + 2 * w->metrics->rows, *const chance = w->room + 3 * w->metrics->rows;
    double *const share = w->room + 4 * w->metrics->rows;
    const double equal = (double)size / (double)w->part[p].rows, total = all_importance(w, p, 1);
    int rc = WS_OK;
    for (size_t m = 0; m < size; m++) { /* weights of chosen members have the importance in them */
        by[m] = s ? s->weight[m] : 1;
        if (!s || s->drawn || !s->weighted)
            by[m] *= importance(w, row[m]);
        share[m] = importance(w, row[m]) / total;
        chance[m] = s ? fmin(1, 1 / s->weight[m]) : fmin(1, equal);
    }
    const ws_sample sample = {.members = size,
                              .rows = w->part[p].rows,
                              .weight = by,
                              .share = w->evaluation->importance ? share : NULL,
                              .shares = all_importance(w, p, 2) / (total * total),
                              .chance = !s || s->drawn ? chance : NULL};
    for (size_t j = 0; rc == WS_OK && j < w->metrics->columns; j++)
        rc = judge_metric(w, p, j, row, &sample, &judged[j]);
    return rc;
}

/* The mean of errors of one kind: of changes, or of the others. */
double ws_judging_average(const ws_judging *w, const ws_judged *judged, bool changes)
{
    const size_t columns = w->metrics->columns, n = changes ? w->changes : columns - w->changes;
    double sum = 0;
    for (size_t j = 0; j < columns; j++)
        if (ws_judging_is_change(w, j) == changes)
            sum += judged[j].error / (double)n;
    return sum;
}

/* One part's errors into judged[columns]. */
int ws_judging_errors(const ws_judging *w, size_t p, const ws_judged_subset *s, ws_judged *judged)
{
    size_t *const row = calloc(s->size + 1, sizeof *row);
    int rc = row ? WS_OK : no_memory(w->name);
    if (rc == WS_OK && s->size > w->metrics->rows)
        rc = ws_fail(WS_EINPUT, "%s: expected at least as many rows as members, %zu, found %zu", w->name, s->size,
                     w->metrics->rows);
    for (size_t m = 0; rc == WS_OK && m < s->size; m++)
        rc = find_row(w, p, s->member[m], &row[m]);
    if (rc == WS_OK)
        rc = ws_judging_errors_of_rows(w, p, row, s, s->size, judged);
    free(row);
    return rc;
}

static const char *weights_text(const ws_evaluation *e)
{
    return e->weights == WS_WEIGHTS_SIZE    ? "members weighted by what they stand for"
           : e->weights == WS_WEIGHTS_EQUAL ? "members equal"
                                            : "members weighted where the method says so";
}

int ws_judging_note(const ws_judging *w, ws_frame *frame)
{
    const ws_evaluation *const e = w->evaluation;
    int rc = WS_OK;
    for (size_t i = 0; rc == WS_OK && i < w->metrics->notes; i++)
        rc = ws_frame_note(frame, "%s", w->metrics->note[i]);
    if (rc == WS_OK)
        rc = ws_frame_note(frame, "error: |%s of the subset - mean of all %zu rows| / |mean of all|, %s, %zu part%s",
                           e->base ? "estimate" : "mean", w->metrics->rows, weights_text(e), w->parts,
                           w->parts == 1 ? "" : "s averaged");
    if (rc == WS_OK && e->base)
        rc = ws_frame_note(frame, "base: %s; intervals of %g %%, widened by the default for the number of members",
                           e->base_name, 100 * WS_JUDGED_CONFIDENCE);
    if (rc == WS_OK && e->random)
        rc = ws_frame_note(frame, "chance: percentile among %zu random subsets of the size, members equal, seed %llu",
                           e->random, (unsigned long long)e->seed);
    return rc;
}

int ws_judged_count(const ws_frame *const *frames, const char *const *frame_name, size_t count, size_t *rows)
{
    int rc = WS_OK;
    for (size_t i = 0; rc == WS_OK && i < count; i++) {
        rc = check_subsets(frames[i], frame_name[i]);
        *rows += frames[i]->rows;
    }
    return rc;
}
