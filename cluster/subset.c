/* subset.c - which few rows can stand for all of them, and what does that save? */
#include "cluster/subset.h"
#include "base/c_locale.h"
#include "base/status.h"
#include "cluster/caution.h"
#include "cluster/members.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { WEIGHT_DIGITS = 6 };

static int no_memory(const char *name)
{
    return ws_fail(WS_EMEM, "%s: no memory for a subset", name);
}

static int check_cost(const ws_frame *features, const char *name, const double *cost)
{
    for (size_t i = 0; cost && i < features->rows; i++)
        if (!(cost[i] >= 0) || isinf(cost[i])) {
            char row[200];
            ws_frame_row_name(features, i, row, sizeof row);
            return ws_fail(WS_EINPUT, "%s: row %zu (%s): expected a cost of 0 or more, found %g", name, i + 1, row,
                           cost[i]);
        }
    return WS_OK;
}

static int check_request(const ws_frame *features, const char *name, const ws_subset_request *request)
{
    if (features->columns == 0)
        return ws_fail(WS_EINPUT, "%s: expected at least one column to cluster by, found none", name);
    for (size_t s = 0; s < request->sizes; s++)
        if (request->size[s] == 0 || request->size[s] > features->rows)
            return ws_fail(WS_EINPUT, "%s: expected subset sizes from 1 to %zu, the number of rows, found %zu", name,
                           features->rows, request->size[s]);
    return check_cost(features, name, request->cost);
}

typedef struct work {
    const ws_frame *features;
    const char *name;
    const ws_selection *selection;
    const double *cost;
    char *const *row_name;
    size_t *cluster, *member; /* each [rows] */
    double *weight;           /* [rows] */
} work;

/* As frames have numbers, whatever the locale. */
static void write_weight(double weight, FILE *out)
{
    const locale_t before = ws_c_locale_enter();
    fprintf(out, "%.*g", WEIGHT_DIGITS, weight);
    ws_c_locale_leave(before);
}

/* Names of the members, then how many rows each stands for, as two lists. */
static int set_lists(const work *w, size_t k, ws_frame *frame, size_t row)
{
    for (size_t list = 0; list < 2; list++) {
        char *text = NULL;
        size_t bytes = 0;
        FILE *out = open_memstream(&text, &bytes);
        if (!out)
            return no_memory(w->name);
        for (size_t c = 0; c < k; c++) {
            if (c)
                fputc(' ', out);
            if (list == 0)
                ws_members_write(w->row_name[w->member[c]], out);
            else
                write_weight(w->weight[c], out);
        }
        int rc = ferror(out) ? WS_EMEM : WS_OK;
        if (fclose(out) != 0)
            rc = WS_EMEM;
        if (rc == WS_OK)
            rc = ws_frame_set_label(frame, row, 2 + list, text);
        free(text);
        if (rc != WS_OK)
            return no_memory(w->name);
    }
    return WS_OK;
}

static int find_speedup(const work *w, size_t k, double *speedup)
{
    double all = 0, members = 0;
    for (size_t i = 0; i < w->features->rows; i++)
        all += w->cost ? w->cost[i] : 1;
    for (size_t c = 0; c < k; c++)
        members += w->cost ? w->cost[w->member[c]] : 1;
    if (!(members > 0))
        return ws_fail(WS_EINPUT, "%s: the %zu members of the subset cost nothing, so there is no speedup", w->name, k);
    *speedup = all / members;
    return WS_OK;
}

static int warn(const work *w, ws_method method, size_t k, ws_frame *frame)
{
    char what[64];
    snprintf(what, sizeof what, "members by %s", ws_method_name(method));
    int rc = ws_caution_crowd(frame, w->weight, k, w->features->rows, what);
    snprintf(what, sizeof what, "groups by %s", ws_method_name(method));
    if (rc == WS_OK && ws_method_groups(method))
        rc = ws_caution_shape(frame, w->features, w->cluster, k, what);
    return rc;
}

static int fill_row(work *w, ws_method method, size_t k, ws_frame *frame, size_t row)
{
    char size[32];
    snprintf(size, sizeof size, "%zu", k);
    int rc = ws_selection_choose(w->selection, k, w->cluster, w->member, w->weight);
    if (rc == WS_OK)
        rc = ws_frame_set_label(frame, row, 0, size);
    if (rc == WS_OK)
        rc = ws_frame_set_label(frame, row, 1, ws_method_name(method));
    if (rc == WS_OK)
        rc = set_lists(w, k, frame, row);
    if (rc == WS_OK)
        rc = warn(w, method, k, frame);
    return rc == WS_OK ? find_speedup(w, k, &frame->value[row]) : rc;
}

int ws_subset_run(const ws_frame *features, const char *name, const ws_subset_request *request, ws_frame **out)
{
    static const char *const labels[] = {"size", "method", "members", "weights"};
    const size_t n = features->rows;
    ws_selection *selection = NULL;
    ws_frame *frame = NULL;
    ws_row_index index = {0};
    size_t *space = NULL;
    double *weight = NULL;
    int rc = check_request(features, name, request);
    if (rc == WS_OK)
        rc = ws_frame_require_finite(features, name);
    if (rc == WS_OK) {
        rc = ws_selection_create(features->value, n, features->columns, request->method, request->seed, &selection);
        if (rc != WS_OK)
            ws_fail_context(rc, "%s", name);
    }
    if (rc == WS_OK) {
        frame = ws_frame_create(request->sizes, 1, 4, labels);
        space = malloc(2 * n * sizeof *space);
        weight = malloc(n * sizeof *weight);
        rc = frame && space && weight ? ws_frame_set_column(frame, 0, "speedup", "ratio", "") : no_memory(name);
    }
    if (rc == WS_OK)
        rc = ws_row_index_init(&index, features, features->labels);
    for (size_t i = 0; rc == WS_OK && i < features->notes; i++)
        rc = ws_frame_note(frame, "%s", features->note[i]);
    if (rc == WS_OK && !request->cost)
        rc = ws_frame_note(frame, "cost: the same for every row");
    work w = {features, name, selection, request->cost, index.name, space, space ? space + n : NULL, weight};
    for (size_t s = 0; rc == WS_OK && s < request->sizes; s++)
        rc = fill_row(&w, request->method, request->size[s], frame, s);
    free(space);
    free(weight);
    ws_row_index_fini(&index);
    ws_selection_destroy(selection);
    return ws_frame_give(rc, frame, out);
}

int ws_subset_cost(const ws_frame *rows, const ws_frame *costs, const char *costs_name, const char *column,
                   double *cost)
{
    const long j = ws_frame_find_column(costs, column);
    if (j < 0)
        return ws_frame_refuse_column(costs, costs_name, column, "");
    ws_row_index index, wanted;
    int rc = ws_row_index_init(&index, costs, costs->labels);
    if (rc != WS_OK)
        return rc;
    rc = ws_row_index_init(&wanted, rows, rows->labels);
    for (size_t i = 0; rc == WS_OK && i < rows->rows; i++) {
        size_t first;
        const size_t found = ws_row_index_find(&index, wanted.name[i], &first);
        if (found == 1)
            cost[i] = costs->value[index.order[first] * costs->columns + (size_t)j];
        else
            rc = ws_fail(WS_EINPUT, "%s: expected one row named '%s' to take its cost from, found %zu", costs_name,
                         wanted.name[i], found);
    }
    ws_row_index_fini(&index);
    ws_row_index_fini(&wanted);
    return rc;
}
