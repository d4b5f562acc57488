/* evaluate.c - how far is a subset's mean from the mean of all rows?
 *
 * The form of Goswami, "Power performance co-optimization of throughput architecture using emerging technologies"
 * (2013), table 3-4: per metric, machine configuration by machine configuration, then averaged. */
#include "base/status.h"
#include "base/text.h"
#include "cluster/members.h"
#include "cluster/subset.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct part { /* rows judged together: all of one configuration */
    const char *key;
    size_t *row, rows;
} part;

typedef struct work {
    const ws_frame *metrics;
    const char *name;
    ws_row_index index;
    size_t by;                    /* label column that separates the parts; metrics->labels for none */
    part *part;                   /* in order of first appearance */
    size_t parts, *part_of, *row; /* [rows] each */
    const ws_evaluation *evaluation;
} work;

typedef struct subset { /* one row of a frame of subsets, read */
    size_t size;
    char **member;
    double *weight;
} subset;

static int no_memory(const char *name)
{
    return ws_fail(WS_EMEM, "%s: no memory to judge subsets", name);
}

static void work_fini(work *w)
{
    ws_row_index_fini(&w->index);
    free(w->part);
    free(w->part_of);
    free(w->row);
}

static int find_by(work *w)
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

static const char *key_of(const work *w, size_t row)
{
    return w->by < w->metrics->labels ? w->metrics->label[row * w->metrics->labels + w->by] : "";
}

/* Sorts the rows into parts. */
static int divide(work *w)
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
        part *const p = &w->part[w->part_of[i]];
        p->row[p->rows++] = i;
    }
    return WS_OK;
}

/* In one part a name must mean one row. */
static int check_names(const work *w)
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

static int work_init(work *w)
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
    return rc == WS_OK ? check_names(w) : rc;
}

static void subset_fini(subset *s)
{
    for (size_t i = 0; s->member && i < s->size; i++)
        free(s->member[i]);
    free(s->member);
    free(s->weight);
    *s = (subset){0};
}

static long find_label(const ws_frame *frame, const char *name)
{
    for (size_t l = 0; l < frame->labels; l++)
        if (strcmp(frame->label_names[l], name) == 0)
            return (long)l;
    return -1;
}

/* The cell of a label column that check_subsets has found. */
static const char *cell(const ws_frame *frame, size_t row, const char *name)
{
    return frame->label[row * frame->labels + (size_t)find_label(frame, name)];
}

static int check_subsets(const ws_frame *frame, const char *name)
{
    static const char *const needed[] = {"size", "linkage", "members", "weights"};
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
        if (find_label(frame, needed[i]) < 0)
            return ws_fail(WS_EINPUT, "%s: expected a frame written by the command subset, it has no text column '%s'",
                           name, needed[i]);
    return WS_OK;
}

/* The next of a list of numbers separated by blanks, or 0 when there is none that is a weight. */
static double next_weight(const char **at)
{
    const char *from = *at + strspn(*at, " ");
    const size_t n = strcspn(from, " ");
    double weight;
    *at = from + n;
    return ws_text_to_double(from, n, &weight) == WS_OK && weight > 0 && !isinf(weight) ? weight : 0;
}

static int subset_read(const ws_frame *frame, const char *name, size_t row, subset *s)
{
    const char *members = cell(frame, row, "members"), *weights = cell(frame, row, "weights");
    const size_t most = strlen(members) / 2 + 1;
    *s = (subset){0, calloc(most, sizeof *s->member), calloc(most, sizeof *s->weight)};
    if (!s->member || !s->weight)
        return no_memory(name);
    for (char *member; (member = ws_members_next(&members)); s->size++) {
        s->member[s->size] = member;
        s->weight[s->size] = next_weight(&weights);
        if (s->weight[s->size] == 0) {
            ws_fail(WS_EINPUT, "%s: row %zu: expected a positive weight for each member, found none for '%.100s'", name,
                    row + 1, member);
            s->size++;
            return WS_EINPUT;
        }
    }
    if (*members)
        return no_memory(name);
    if (s->size == 0)
        return ws_fail(WS_EINPUT, "%s: row %zu: expected the names of members, found none", name, row + 1);
    if (weights[strspn(weights, " ")])
        return ws_fail(WS_EINPUT, "%s: row %zu: expected as many weights as members, found more", name, row + 1);
    return WS_OK;
}

/* The row of that name in a part. */
static int find_row(const work *w, size_t p, const char *member, size_t *row)
{
    size_t first;
    const size_t found = ws_row_index_find(&w->index, member, &first);
    for (size_t i = first; i < first + found; i++)
        if (w->part_of[w->index.order[i]] == p) {
            *row = w->index.order[i];
            return WS_OK;
        }
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

/* Adds one part's errors, divided by the number of parts, to error[columns]. */
static int add_errors(const work *w, size_t p, const subset *s, double *error)
{
    const size_t columns = w->metrics->columns;
    double *mine = calloc(2 * columns, sizeof *mine), *const all = mine ? mine + columns : NULL;
    if (!mine)
        return no_memory(w->name);
    double total = 0;
    int rc = WS_OK;
    for (size_t m = 0; rc == WS_OK && m < s->size; m++) {
        size_t row = 0;
        const double weight = w->evaluation->weighted ? s->weight[m] : 1;
        rc = find_row(w, p, s->member[m], &row);
        total += weight;
        for (size_t j = 0; rc == WS_OK && j < columns; j++)
            mine[j] += weight * w->metrics->value[row * columns + j];
    }
    for (size_t i = 0; i < w->part[p].rows; i++)
        for (size_t j = 0; j < columns; j++)
            all[j] += w->metrics->value[w->part[p].row[i] * columns + j];
    for (size_t j = 0; rc == WS_OK && j < columns; j++)
        error[j] += relative_error(mine[j] / total, all[j] / (double)w->part[p].rows) / (double)w->parts;
    free(mine);
    return rc;
}

/* value: size, the errors, their average. */
static int judge(const work *w, const subset *s, double *value)
{
    const size_t columns = w->metrics->columns;
    int rc = WS_OK;
    for (size_t j = 0; j < columns + 2; j++)
        value[j] = 0;
    for (size_t p = 0; rc == WS_OK && p < w->parts; p++)
        rc = add_errors(w, p, s, value + 1);
    value[0] = (double)s->size;
    for (size_t j = 0; j < columns; j++)
        value[columns + 1] += value[1 + j] / (double)columns;
    return rc;
}

static int judge_frame(const work *w, const ws_frame *frame, const char *name, ws_frame *out, size_t *row)
{
    int rc = WS_OK;
    for (size_t i = 0; rc == WS_OK && i < frame->rows; i++, ++*row) {
        subset s;
        rc = subset_read(frame, name, i, &s);
        if (rc == WS_OK)
            rc = judge(w, &s, out->value + *row * out->columns);
        if (rc == WS_OK)
            rc = ws_frame_set_label(out, *row, 0, name);
        if (rc == WS_OK)
            rc = ws_frame_set_label(out, *row, 1, cell(frame, i, "linkage"));
        subset_fini(&s);
    }
    return rc;
}

static int name_columns(const work *w, ws_frame *out)
{
    const size_t columns = w->metrics->columns;
    int rc = ws_frame_set_column(out, 0, "size", "rows", "");
    for (size_t j = 0; rc == WS_OK && j < columns; j++) {
        const ws_column *c = &w->metrics->column[j];
        if (strcmp(c->name, "size") == 0 || strcmp(c->name, "average") == 0)
            return ws_fail(WS_EINPUT, "%s: a metric named '%s' would be taken for a column of the result; rename it",
                           w->name, c->name);
        rc = ws_frame_set_column(out, j + 1, c->name, "ratio", "error");
    }
    return rc == WS_OK ? ws_frame_set_column(out, columns + 1, "average", "ratio", "error") : rc;
}

int ws_subset_evaluate(const ws_frame *metrics, const char *name, const ws_frame *const *frames,
                       const char *const *frame_name, size_t count, const ws_evaluation *evaluation, ws_frame **out)
{
    static const char *const labels[] = {"subset", "linkage"};
    work w = {.metrics = metrics, .name = name, .evaluation = evaluation};
    size_t rows = 0, row = 0;
    int rc = work_init(&w);
    for (size_t i = 0; rc == WS_OK && i < count; i++) {
        rc = check_subsets(frames[i], frame_name[i]);
        rows += frames[i]->rows;
    }
    ws_frame *frame = rc == WS_OK ? ws_frame_create(rows, metrics->columns + 2, 2, labels) : NULL;
    if (rc == WS_OK)
        rc = frame ? name_columns(&w, frame) : no_memory(name);
    for (size_t i = 0; rc == WS_OK && i < metrics->notes; i++)
        rc = ws_frame_note(frame, "%s", metrics->note[i]);
    if (rc == WS_OK)
        rc = ws_frame_note(frame, "error: |mean of the subset - mean of all %zu rows| / |mean of all|, %s, %zu part%s",
                           metrics->rows, evaluation->weighted ? "members weighted by cluster size" : "members equal",
                           w.parts, w.parts == 1 ? "" : "s averaged");
    for (size_t i = 0; rc == WS_OK && i < count; i++)
        rc = judge_frame(&w, frames[i], frame_name[i], frame, &row);
    work_fini(&w);
    if (rc == WS_OK)
        *out = frame;
    else
        ws_frame_destroy(frame);
    return rc;
}
