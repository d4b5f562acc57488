/* description.c - test values of columns in clusters, as a frame. */
#include "cluster/description.h"

#include "base/frame_clean.h"
#include "base/spread.h"
#include "base/status.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

enum { CLUSTER, SIZE, V, P, MEAN, SD, MEAN_ALL, SD_ALL, COLUMNS };
static const ws_frame_column names[COLUMNS] = {[CLUSTER] = {"cluster", ""},
                                               [SIZE] = {"size", ""},
                                               [V] = {"v", ""},
                                               [P] = {"p", ""},
                                               [MEAN] = {"mean", ""},
                                               [SD] = {"sd", ""},
                                               [MEAN_ALL] = {"mean_all", ""},
                                               [SD_ALL] = {"sd_all", ""}};
static const ws_frame_layout layout = {.labels = {"column"}, .column = names, .columns = COLUMNS};

/* One column in one cluster. */
typedef struct finding {
    size_t column;
    double value[COLUMNS];
} finding;

typedef struct work {
    const ws_frame *frame;
    const size_t *cluster;
    size_t k;
    double level;
    size_t *size;     /* [k] */
    size_t *constant; /* [constants] columns */
    size_t constants;
    double *score, *member; /* [rows] standard scores of a column; its values in a cluster */
    finding *found;         /* [k * columns] of cluster c from c * columns */
    size_t *count;          /* [k] of them */
} work;

static int work_init(work *w)
{
    const size_t rows = w->frame->rows, columns = w->frame->columns;
    w->size = calloc(w->k, sizeof *w->size);
    w->count = calloc(w->k, sizeof *w->count);
    w->constant = calloc(columns + 1, sizeof *w->constant);
    w->score = calloc(rows + 1, sizeof *w->score);
    w->member = calloc(rows + 1, sizeof *w->member);
    w->found = calloc(w->k * columns + 1, sizeof *w->found);
    if (!w->size || !w->count || !w->constant || !w->score || !w->member || !w->found)
        return ws_fail(WS_EMEM, "no memory to describe %zu clusters by %zu columns", w->k, columns);
    for (size_t i = 0; i < rows; i++)
        w->size[w->cluster[i] - 1]++;
    return WS_OK;
}

static void work_fini(work *w)
{
    free(w->size);
    free(w->count);
    free(w->constant);
    free(w->score);
    free(w->member);
    free(w->found);
}

/* Deviation with n in the denominator, at any magnitude. */
static double deviation(const ws_spread *s, size_t n)
{
    return ldexp(s->deviation * s->half, s->exponent) * sqrt((double)(n - 1) / (double)n);
}

/* Standard scores have mean 0 and s2 = (N - 1) / N, which leaves v = their mean in the cluster * sqrt(N n / (N - n)).
 */
static void test_cluster(work *w, size_t column, size_t c, double mean_all, double sd_all)
{
    const size_t rows = w->frame->rows, columns = w->frame->columns, n = w->size[c];
    double sum = 0;
    size_t members = 0;
    for (size_t i = 0; i < rows; i++)
        if (w->cluster[i] == c + 1) {
            w->member[members++] = w->frame->value[i * columns + column];
            sum += w->score[i];
        }
    const double v = sum / (double)n * sqrt((double)rows * (double)n / (double)(rows - n));
    const double p = 2 * gsl_cdf_ugaussian_Q(fabs(v));
    if (!(p <= w->level))
        return;
    finding *const f = &w->found[c * columns + w->count[c]++];
    ws_spread spread;
    const double mean = gsl_stats_mean(w->member, 1, n);
    const double sd = n > 1 && ws_spread_measure(w->member, n, 1, &spread) ? deviation(&spread, n) : 0;
    *f = (finding){column, {(double)(c + 1), (double)n, v, p, mean, sd, mean_all, sd_all}};
}

static void test_column(work *w, size_t column)
{
    const ws_frame *const f = w->frame;
    const double *const value = f->value + column;
    ws_spread spread;
    if (!ws_spread_measure(value, f->rows, f->columns, &spread)) {
        w->constant[w->constants++] = column;
        return;
    }
    for (size_t i = 0; i < f->rows; i++)
        w->score[i] = ws_spread_score(&spread, value[i * f->columns]);
    const double mean = gsl_stats_mean(value, f->columns, f->rows), sd = deviation(&spread, f->rows);
    for (size_t c = 0; c < w->k; c++)
        test_cluster(w, column, c, mean, sd);
}

static int compare(const void *a, const void *b)
{
    const finding *const f = a, *const g = b;
    const double x = fabs(f->value[V]), y = fabs(g->value[V]);
    return x > y ? -1 : x < y ? 1 : (f->column > g->column) - (f->column < g->column);
}

static int add_cluster(const work *w, size_t c, ws_frame *out)
{
    finding *const found = w->found + c * w->frame->columns;
    int rc = WS_OK;
    if (w->count[c] == 0)
        return ws_frame_note(out, "cluster %zu: %zu rows, no column distinguishes it", c + 1, w->size[c]);
    qsort(found, w->count[c], sizeof *found, compare);
    for (size_t i = 0; rc == WS_OK && i < w->count[c]; i++) {
        const char *const label[] = {w->frame->column[found[i].column].name};
        rc = ws_frame_add_row(out, label, found[i].value);
    }
    return rc;
}

static int add_notes(const work *w, ws_frame *out)
{
    int rc = ws_frame_add_notes(out, w->frame);
    if (rc == WS_OK)
        rc = ws_frame_note_columns(out, "left out as constant", w->frame, w->constant, w->constants);
    if (rc == WS_OK)
        rc = ws_frame_note(out, "describe: means in %zu clusters of %zu rows, p up to %g", w->k, w->frame->rows,
                           w->level);
    return rc;
}

int ws_description_frame(const ws_frame *frame, const size_t *cluster, size_t k, double level, ws_frame **out)
{
    if (k < 2)
        return ws_fail(WS_EINPUT, "expected at least 2 clusters to describe, found %zu", k);
    work w = {.frame = frame, .cluster = cluster, .k = k, .level = level};
    ws_frame *described = NULL;
    int rc = work_init(&w);
    for (size_t j = 0; rc == WS_OK && j < frame->columns; j++)
        test_column(&w, j);
    if (rc == WS_OK)
        rc = ws_frame_begin(&layout, &described);
    if (rc == WS_OK)
        rc = add_notes(&w, described);
    for (size_t c = 0; rc == WS_OK && c < k; c++)
        rc = add_cluster(&w, c, described);
    work_fini(&w);
    return ws_frame_give(rc, described, out);
}
