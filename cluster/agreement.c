/* agreement.c - do two views of the same rows say the same? */
#include "cluster/agreement.h"

#include "base/spread.h"
#include "base/status.h"
#include "cluster/cluster_internal.h"
#include "cluster/quality.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

static int no_memory(void)
{
    return ws_fail(WS_EMEM, "no memory to compare clusters");
}

/* ---------------------------------------------------------------- partitions */

static double pairs(size_t n)
{
    return 0.5 * (double)n * ((double)n - 1);
}

static size_t highest(const size_t *cluster, size_t rows)
{
    size_t most = 0;
    for (size_t i = 0; i < rows; i++)
        most = cluster[i] > most ? cluster[i] : most;
    return most;
}

static double sum_of_pairs(const size_t *count, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += pairs(count[i]);
    return sum;
}

int ws_adjusted_rand(const size_t *a, const size_t *b, size_t rows, double *index)
{
    const size_t ka = highest(a, rows), kb = highest(b, rows);
    size_t *count = calloc(ka * kb + ka + kb + 1, sizeof *count);
    if (!count)
        return no_memory();
    size_t *const in_a = count + ka * kb, *const in_b = in_a + ka;
    for (size_t i = 0; i < rows; i++) {
        count[(a[i] - 1) * kb + b[i] - 1]++;
        in_a[a[i] - 1]++;
        in_b[b[i] - 1]++;
    }
    const double together = sum_of_pairs(count, ka * kb), of_a = sum_of_pairs(in_a, ka), of_b = sum_of_pairs(in_b, kb);
    const double expected = rows > 1 ? of_a * of_b / pairs(rows) : 0, most = (of_a + of_b) / 2;
    *index = most > expected ? (together - expected) / (most - expected) : 1;
    free(count);
    return WS_OK;
}

size_t ws_members_shared(const size_t *a, size_t a_members, const size_t *b, size_t b_members)
{
    size_t shared = 0;
    for (size_t i = 0; i < a_members; i++)
        for (size_t j = 0; j < b_members; j++)
            shared += a[i] == b[j];
    return shared;
}

/* ---------------------------------------------------------------- distances */

/* Shifts distances to mean 0 and scales them to squares that sum to 1; false when they are all equal. */
static bool normalise(double *distance, size_t n)
{
    static const double rounding = 1e-12;
    ws_spread s;
    return n > 1 && ws_spread_measure(distance, n, 1, &s) && ws_spread_relative(&s) > rounding &&
           ws_spread_unit(distance, n, 1, distance);
}

/* Correlation of the same rows. */
static double correlate(const double *a, const double *b, size_t pairs)
{
    double sum = 0;
    for (size_t i = 0; i < pairs; i++)
        sum += a[i] * b[i];
    return sum;
}

static int permute(const double *a, const double *b, size_t rows, size_t permutations, uint64_t seed,
                   double correlation, double *probability)
{
    /* A shuffle that gives back the same pairs may differ from the original by the rounding of another order. */
    static const double rounding = 1e-12;
    size_t higher;
    if (!permutations)
        return WS_OK;
    const int rc = ws_count_shuffles(a, b, rows, permutations, seed, correlation - rounding, &higher);
    if (rc == WS_OK)
        *probability = (1 + (double)higher) / (1 + (double)permutations);
    return rc;
}

int ws_distance_agreement(const double *a, size_t a_columns, const double *b, size_t b_columns, size_t rows,
                          size_t permutations, uint64_t seed, double *correlation, double *probability)
{
    const size_t n = rows * (rows - 1) / 2;
    double *da = NULL, *db = NULL, dummy;
    if (!probability)
        probability = &dummy;
    *correlation = *probability = NAN;
    int rc = ws_distance_ask(rows, permutations ? 3 : 2); /* the third: of 16 bits, in shuffles.c */
    if (rc == WS_OK)
        rc = ws_distance_matrix(a, rows, a_columns, false, &da);
    if (rc == WS_OK)
        rc = ws_distance_matrix(b, rows, b_columns, false, &db);
    if (rc == WS_OK && normalise(da, n) && normalise(db, n)) {
        static const double rounding = 1e-14;
        const double r = correlate(da, db, n);
        *correlation = fabs(r) > 1 - rounding ? copysign(1, r) : r;
        rc = permute(da, db, rows, permutations, seed, *correlation, probability);
    }
    free(da);
    free(db);
    return rc;
}

/* ---------------------------------------------------------------- views */

enum { RAND, MEMBERS, DISTANCES, PROBABILITY, COLUMNS };

typedef struct cut {
    size_t *cluster, *member; /* [rows] each */
} cut;

/* Cuts of view v into each size: cut[s]. */
static int cut_view(const ws_view *view, const ws_agreement_request *request, cut *cuts)
{
    const ws_frame *f = view->points;
    ws_selection *selection = NULL;
    double *const weight = calloc(f->rows + 1, sizeof *weight);
    int rc = weight ? ws_selection_create(f->value, f->rows, f->columns, view->method, request->seed, &selection)
                    : no_memory();
    for (size_t s = 0; rc == WS_OK && s < request->sizes; s++) {
        cuts[s] = (cut){calloc(f->rows, sizeof *cuts[s].cluster), calloc(f->rows, sizeof *cuts[s].member)};
        rc = cuts[s].cluster && cuts[s].member
                 ? ws_selection_choose(selection, request->size[s], cuts[s].cluster, cuts[s].member, weight)
                 : no_memory();
    }
    free(weight);
    ws_selection_destroy(selection);
    return rc;
}

static int name_row(ws_frame *frame, size_t row, const ws_view *a, const ws_view *b, size_t size)
{
    char text[300];
    snprintf(text, sizeof text, "%.200s %s", a->name, ws_method_name(a->method));
    int rc = ws_frame_set_label(frame, row, 0, text);
    snprintf(text, sizeof text, "%.200s %s", b->name, ws_method_name(b->method));
    if (rc == WS_OK)
        rc = ws_frame_set_label(frame, row, 1, text);
    snprintf(text, sizeof text, "%zu", size);
    return rc == WS_OK ? ws_frame_set_label(frame, row, 2, text) : rc;
}

/* Rows of one pair of views, from `row` on. */
static int compare(const ws_view *a, const ws_view *b, const cut *of_a, const cut *of_b,
                   const ws_agreement_request *request, ws_frame *frame, size_t row)
{
    double distances, probability;
    int rc = ws_distance_agreement(a->points->value, a->points->columns, b->points->value, b->points->columns,
                                   a->points->rows, request->permutations, request->seed, &distances, &probability);
    for (size_t s = 0; rc == WS_OK && s < request->sizes; s++) {
        const size_t k = request->size[s];
        double *const value = frame->value + (row + s) * frame->columns;
        rc = name_row(frame, row + s, a, b, k);
        if (rc == WS_OK)
            rc = ws_adjusted_rand(of_a[s].cluster, of_b[s].cluster, a->points->rows, &value[RAND]);
        value[MEMBERS] = (double)ws_members_shared(of_a[s].member, k, of_b[s].member, k) / (double)k;
        value[DISTANCES] = distances;
        value[PROBABILITY] = probability;
    }
    return rc;
}

static int check(const ws_view *view, const ws_agreement_request *request)
{
    const size_t rows = view->points->rows;
    if (rows < 2)
        return ws_fail(WS_EINPUT, "expected at least two rows to compare, found %zu", rows);
    for (size_t s = 0; s < request->sizes; s++)
        if (request->size[s] < 1 || request->size[s] > rows)
            return ws_fail(WS_EINPUT, "expected sizes from 1 to %zu, the number of rows, found %zu", rows,
                           request->size[s]);
    return WS_OK;
}

int ws_agreement_frame(const ws_view *view, size_t views, const ws_agreement_request *request, ws_frame **out)
{
    static const char *const label[] = {"first", "second", "size"};
    static const char *const name[COLUMNS] = {"adjusted_rand", "members", "distances", "probability"};
    const size_t sizes = request->sizes;
    int rc = check(view, request);
    if (rc != WS_OK)
        return rc;
    cut *cuts = calloc(views * sizes + 1, sizeof *cuts);
    ws_frame *frame = ws_frame_create(views * (views - 1) / 2 * sizes, COLUMNS, 3, label);
    rc = cuts && frame ? WS_OK : no_memory();
    for (size_t c = 0; rc == WS_OK && c < COLUMNS; c++)
        rc = ws_frame_set_column(frame, c, name[c], "ratio", "");
    for (size_t v = 0; rc == WS_OK && v < views; v++)
        rc = cut_view(&view[v], request, cuts + v * sizes);
    for (size_t a = 0, row = 0; rc == WS_OK && a < views; a++)
        for (size_t b = a + 1; rc == WS_OK && b < views; b++, row += sizes)
            rc = compare(&view[a], &view[b], cuts + a * sizes, cuts + b * sizes, request, frame, row);
    for (size_t i = 0; cuts && i < views * sizes; i++) {
        free(cuts[i].cluster);
        free(cuts[i].member);
    }
    free(cuts);
    return ws_frame_give(rc, frame, out);
}
