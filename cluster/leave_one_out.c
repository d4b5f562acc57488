/* leave_one_out.c - how good is the subset that was best on other machines? */
#include "base/status.h"
#include "cluster/judging.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static int no_memory(const char *name)
{
    return ws_fail(WS_EMEM, "%s: no memory to judge subsets", name);
}

typedef struct candidate { /* one subset, judged in each part */
    const char *subset, *method;
    size_t size;
    double *of[WS_JUDGED_KINDS]; /* [parts] */
} candidate;

static int candidate_init(const ws_judging *w, const ws_frame *frame, const char *name, size_t row, candidate *c)
{
    ws_judged_subset s;
    ws_judged *const error = calloc(w->metrics->columns, sizeof *error);
    int rc = ws_judged_subset_read(w, frame, name, row, &s);
    *c = (candidate){name,
                     ws_judged_method(frame, row),
                     s.size,
                     {calloc(w->parts, sizeof(double)), calloc(w->parts, sizeof(double))}};
    if (rc == WS_OK && (!error || !c->of[WS_LEVELS] || !c->of[WS_CHANGES]))
        rc = no_memory(w->name);
    for (size_t p = 0; rc == WS_OK && p < w->parts; p++) {
        rc = ws_judging_errors(w, p, &s, error);
        if (rc != WS_OK)
            break;
        c->of[WS_LEVELS][p] = ws_judging_average(w, error, false);
        c->of[WS_CHANGES][p] = w->changes ? ws_judging_average(w, error, true) : 0;
    }
    free(error);
    ws_judged_subset_fini(&s);
    return rc;
}

static double error_elsewhere(const ws_judging *w, const candidate *c, size_t without)
{
    double sum = 0;
    for (size_t p = 0; p < w->parts; p++)
        sum += p == without ? 0 : c->of[WS_LEVELS][p] / (double)(w->parts - 1);
    return sum;
}

/* The row of a size and a part that was left out. */
static int fill_left_out(const ws_judging *w, const candidate *all, size_t count, size_t size, size_t part_out,
                         ws_frame *out, size_t row)
{
    const candidate *best = NULL;
    char text[32];
    for (size_t i = 0; i < count; i++)
        if (all[i].size == size &&
            (!best || error_elsewhere(w, &all[i], part_out) < error_elsewhere(w, best, part_out)))
            best = &all[i];
    assert(best); /* sizes are those of candidates */
    snprintf(text, sizeof text, "%zu", size);
    const char *const label[] = {text, w->part[part_out].key, best->subset, best->method};
    int rc = WS_OK;
    for (size_t l = 0; rc == WS_OK && l < 4; l++)
        rc = ws_frame_set_label(out, row, l, label[l]);
    double *const value = out->value + row * out->columns;
    value[0] = error_elsewhere(w, best, part_out);
    value[1] = best->of[WS_LEVELS][part_out];
    if (w->changes)
        value[2] = best->of[WS_CHANGES][part_out];
    return rc;
}

static int make_left_out(const ws_judging *w, const candidate *all, size_t count, ws_frame **out)
{
    const char *const labels[] = {"size", w->evaluation->by, "subset", "method"};
    size_t sizes = 0, *const size = calloc(count, sizeof *size);
    if (!size)
        return no_memory(w->name);
    for (size_t i = 0; i < count; i++) {
        size_t known = 0;
        while (known < sizes && size[known] != all[i].size)
            known++;
        if (known == sizes)
            size[sizes++] = all[i].size;
    }
    ws_frame *const frame = *out = ws_frame_create(sizes * w->parts, 2 + (w->changes > 0), 4, labels);
    int rc = frame ? ws_frame_set_column(frame, 0, "other", "ratio", "error") : no_memory(w->name);
    if (rc == WS_OK)
        rc = ws_frame_set_column(frame, 1, "average", "ratio", "error");
    if (rc == WS_OK && w->changes)
        rc = ws_frame_set_column(frame, 2, "changes", "ratio", "error");
    if (rc == WS_OK)
        rc = ws_judging_note(w, frame);
    for (size_t i = 0; rc == WS_OK && i < sizes * w->parts; i++)
        rc = fill_left_out(w, all, count, size[i / w->parts], i % w->parts, frame, i);
    free(size);
    return rc;
}

int ws_subset_leave_one_out(const ws_frame *metrics, const char *name, const ws_frame *const *frames,
                            const char *const *frame_name, size_t count, const ws_evaluation *evaluation,
                            ws_frame **out)
{
    ws_judging w = {.metrics = metrics, .name = name, .evaluation = evaluation};
    size_t rows = 0, made = 0;
    ws_frame *frame = NULL;
    int rc = ws_judging_init(&w);
    if (rc == WS_OK && w.parts < 2)
        rc = ws_fail(WS_EINPUT, "%s: expected rows of two machines or more, to leave one out, found those of %zu", name,
                     w.parts);
    if (rc == WS_OK)
        rc = ws_judged_count(frames, frame_name, count, &rows);
    candidate *const all = calloc(rows + 1, sizeof *all);
    if (rc == WS_OK && !all)
        rc = no_memory(name);
    for (size_t f = 0; rc == WS_OK && f < count; f++)
        for (size_t i = 0; rc == WS_OK && i < frames[f]->rows; i++)
            rc = candidate_init(&w, frames[f], frame_name[f], i, &all[made++]);
    if (rc == WS_OK)
        rc = make_left_out(&w, all, rows, &frame);
    for (size_t i = 0; all && i < made; i++)
        for (int kind = 0; kind < WS_JUDGED_KINDS; kind++)
            free(all[i].of[kind]);
    free(all);
    ws_judging_fini(&w);
    return ws_frame_give(rc, frame, out);
}
