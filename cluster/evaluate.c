/* evaluate.c - how far is a subset's mean from the mean of all rows, and from what chance gives? */
#include "base/status.h"
#include "cluster/judging.h"

#include <stdlib.h>
#include <string.h>

static int no_memory(const char *name)
{
    return ws_fail(WS_EMEM, "%s: no memory to judge subsets", name);
}

enum { COVERED, HALF_WIDTH, INTERVAL_COLUMNS };

static size_t columns_out(const ws_judging *w)
{
    const size_t kinds = w->changes ? WS_JUDGED_KINDS : 1;
    return 1 + w->metrics->columns + kinds + (w->evaluation->base ? INTERVAL_COLUMNS : 0) +
           (w->evaluation->random ? WS_CHANCE_COLUMNS * kinds : 0);
}

/* value: size, the errors, their averages, and how chance does. */
static int judge(const ws_judging *w, const ws_judged_subset *s, const ws_chance *c, double *value)
{
    const size_t columns = w->metrics->columns, kinds = w->changes ? WS_JUDGED_KINDS : 1;
    double *const error = value + 1, *const averages = error + columns, *const interval = averages + kinds;
    double *const random = interval + (w->evaluation->base ? INTERVAL_COLUMNS : 0);
    ws_judged *const one = calloc(columns, sizeof *one), *const sum = calloc(columns, sizeof *sum);
    int rc = one && sum ? WS_OK : no_memory(w->name);
    memset(value, 0, columns_out(w) * sizeof *value);
    value[0] = (double)s->size;
    for (size_t p = 0; rc == WS_OK && p < w->parts; p++) {
        rc = ws_judging_errors(w, p, s, one);
        for (size_t j = 0; rc == WS_OK && j < columns; j++) {
            error[j] += one[j].error / (double)w->parts;
            sum[j].error = error[j];
            for (size_t i = 0; w->evaluation->base && i < INTERVAL_COLUMNS; i++)
                interval[i] += (i == COVERED ? one[j].covered : one[j].half) / (double)(w->parts * columns);
        }
    }
    for (size_t kind = 0; rc == WS_OK && kind < kinds; kind++) {
        averages[kind] = ws_judging_average(w, sum, kind == WS_CHANGES);
        if (c->draws)
            ws_chance_compare(c, (int)kind, averages[kind], random + WS_CHANCE_COLUMNS * kind);
    }
    free(one);
    free(sum);
    return rc;
}

static int judge_frame(const ws_judging *w, const ws_frame *frame, const char *name, ws_frame *out, size_t *row)
{
    ws_chance c = {0};
    int rc = WS_OK;
    for (size_t i = 0; rc == WS_OK && i < frame->rows; i++, ++*row) {
        ws_judged_subset s;
        rc = ws_judged_subset_read(w, frame, name, i, &s);
        if (rc == WS_OK && w->evaluation->random && c.size != s.size) {
            ws_chance_fini(&c);
            rc = ws_chance_init(w, s.size, &c);
        }
        if (rc == WS_OK)
            rc = judge(w, &s, &c, out->value + *row * out->columns);
        if (rc == WS_OK)
            rc = ws_frame_set_label(out, *row, 0, name);
        if (rc == WS_OK)
            rc = ws_frame_set_label(out, *row, 1, ws_judged_method(frame, i));
        ws_judged_subset_fini(&s);
    }
    ws_chance_fini(&c);
    return rc;
}

static int name_columns(const ws_judging *w, ws_frame *out)
{
    static const char *const averages[WS_JUDGED_KINDS] = {"average", "changes"}, *const groups[WS_JUDGED_KINDS] = {
                                                                                     "error", WS_GROUP_CHANGE};
    static const char *const randoms[WS_JUDGED_KINDS][WS_CHANCE_COLUMNS] = {
        {"percentile", "random", "random_low", "random_high"},
        {"changes_percentile", "changes_random", "changes_random_low", "changes_random_high"}};
    const size_t columns = w->metrics->columns, kinds = w->changes ? WS_JUDGED_KINDS : 1;
    size_t at = 0;
    int rc = ws_frame_set_column(out, at++, "size", "rows", "");
    for (size_t j = 0; rc == WS_OK && j < columns; j++)
        rc = ws_frame_set_column(out, at++, w->metrics->column[j].name, "ratio",
                                 ws_judging_is_change(w, j) ? WS_GROUP_CHANGE : "error");
    for (size_t kind = 0; rc == WS_OK && kind < kinds; kind++)
        rc = ws_frame_set_column(out, at++, averages[kind], "ratio", groups[kind]);
    for (size_t c = 0; rc == WS_OK && w->evaluation->base && c < INTERVAL_COLUMNS; c++)
        rc = ws_frame_set_column(out, at++, c == COVERED ? "covered" : "half_width", "ratio", "interval");
    for (size_t kind = 0; rc == WS_OK && kind < kinds && w->evaluation->random; kind++) {
        rc = ws_frame_set_column(out, at++, randoms[kind][0], "%", "chance");
        for (size_t i = 1; rc == WS_OK && i < WS_CHANCE_COLUMNS; i++)
            rc = ws_frame_set_column(out, at++, randoms[kind][i], "ratio", groups[kind]);
    }
    for (size_t j = 0; rc == WS_OK && j < columns; j++)
        for (size_t i = 0; i < out->columns; i++)
            if (i != j + 1 && strcmp(out->column[i].name, w->metrics->column[j].name) == 0)
                return ws_fail(WS_EINPUT,
                               "%s: a metric named '%s' would be taken for a column of the result; rename it", w->name,
                               out->column[i].name);
    return rc;
}

int ws_subset_evaluate(const ws_frame *metrics, const char *name, const ws_frame *const *frames,
                       const char *const *frame_name, size_t count, const ws_evaluation *evaluation, ws_frame **out)
{
    static const char *const labels[] = {"subset", "method"};
    ws_judging w = {.metrics = metrics, .name = name, .evaluation = evaluation};
    size_t rows = 0, row = 0;
    int rc = ws_judging_init(&w);
    if (rc == WS_OK)
        rc = ws_judged_count(frames, frame_name, count, &rows);
    ws_frame *frame = rc == WS_OK ? ws_frame_create(rows, columns_out(&w), 2, labels) : NULL;
    if (rc == WS_OK)
        rc = frame ? name_columns(&w, frame) : no_memory(name);
    if (rc == WS_OK)
        rc = ws_judging_note(&w, frame);
    for (size_t i = 0; rc == WS_OK && i < count; i++)
        rc = judge_frame(&w, frames[i], frame_name[i], frame, &row);
    ws_judging_fini(&w);
    return ws_frame_give(rc, frame, out);
}
