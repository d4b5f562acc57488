/* quality.c - are the clusters of a cut tight and apart, and which row stands for each? */
#include "cluster/quality.h"
#include "base/status.h"
#include "cluster/cluster_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_CLUSTERS = 2, CUTS = 32 /* cuts for which distances are found once */ };

static int no_memory(void)
{
    return ws_fail(WS_EMEM, "no memory to judge the clusters");
}

static double silhouette_of(const double *sum, const size_t *count, size_t own, size_t k)
{
    if (count[own] < 2)
        return 0;
    const double a = sum[own] / (double)(count[own] - 1);
    double b = INFINITY;
    for (size_t c = 0; c < k; c++)
        if (c != own)
            b = fmin(b, sum[c] / (double)count[c]);
    const double most = fmax(a, b);
    return most > 0 ? (b - a) / most : 0;
}

typedef struct judge { /* the silhouettes of a cut */
    const size_t *cluster;
    size_t k;
    double *sum;   /* [k] */
    size_t *count; /* [k] */
    double *width; /* [rows]; NULL: not asked for */
    double total;
} judge;

static void judge_fini(judge *j)
{
    free(j->sum);
    free(j->count);
}

static int judge_init(judge *j, size_t rows, const size_t *cluster, size_t k, double *width)
{
    *j = (judge){.cluster = cluster, .k = k, .width = width};
    j->sum = malloc(k * sizeof *j->sum);
    j->count = calloc(k, sizeof *j->count);
    if (!j->sum || !j->count)
        return no_memory();
    for (size_t i = 0; i < rows; i++)
        j->count[cluster[i] - 1]++;
    return WS_OK;
}

static void judge_row(judge *j, const double *distance, size_t rows, size_t i)
{
    memset(j->sum, 0, j->k * sizeof *j->sum);
    for (size_t other = 0; other < rows; other++)
        j->sum[j->cluster[other] - 1] += distance[other];
    const double s = silhouette_of(j->sum, j->count, j->cluster[i] - 1, j->k);
    j->total += s;
    if (j->width)
        j->width[i] = s;
}

/* Finds the distances once for all cuts. */
static int judge_all(const double *point, size_t rows, size_t columns, judge *judges, size_t n)
{
    double *const packed = ws_distance_pack(point, rows, columns), *const space = malloc(2 * rows * sizeof *space);
    const int rc = packed && space ? WS_OK : no_memory();
    for (size_t i = 0; rc == WS_OK && i < rows; i++) {
        double *const distance[2] = {space, space + rows};
        if (i % 2 == 0)
            ws_distance_rows(point, packed, rows, columns, i, 0, distance);
        for (size_t j = 0; j < n; j++)
            judge_row(&judges[j], distance[i % 2], rows, i);
    }
    free(packed);
    free(space);
    return rc;
}

int ws_silhouette(const double *point, size_t rows, size_t columns, const size_t *cluster, size_t k, double *width,
                  double *mean)
{
    judge j;
    int rc = judge_init(&j, rows, cluster, k, width);
    if (rc == WS_OK)
        rc = judge_all(point, rows, columns, &j, 1);
    *mean = j.total / (double)rows;
    judge_fini(&j);
    return rc;
}

/* Cuts into k, k + 1, ... clusters, n of them. cluster: room for n * rows. */
static int judge_cuts(const ws_tree *tree, const double *point, size_t columns, size_t k, size_t n, size_t *cluster,
                      double *mean)
{
    const size_t rows = tree->leaves;
    judge judges[CUTS] = {0};
    int rc = WS_OK;
    for (size_t i = 0; rc == WS_OK && i < n; i++) {
        rc = ws_tree_cut(tree, k + i, cluster + i * rows);
        if (rc == WS_OK)
            rc = judge_init(&judges[i], rows, cluster + i * rows, k + i, NULL);
    }
    if (rc == WS_OK)
        rc = judge_all(point, rows, columns, judges, n);
    for (size_t i = 0; i < n; i++) {
        mean[i] = judges[i].total / (double)rows;
        judge_fini(&judges[i]);
    }
    return rc;
}

int ws_tree_silhouettes(const ws_tree *tree, const double *point, size_t columns, size_t most, double *mean)
{
    size_t *cluster = malloc(CUTS * tree->leaves * sizeof *cluster);
    int rc = cluster ? WS_OK : no_memory();
    for (size_t k = LEAST_CLUSTERS, n; rc == WS_OK && k <= most; k += n) {
        n = most - k + 1 < CUTS ? most - k + 1 : CUTS;
        rc = judge_cuts(tree, point, columns, k, n, cluster, mean + k - LEAST_CLUSTERS);
    }
    free(cluster);
    return rc;
}

/* centroid[k * columns], freed by the caller; NULL when memory is short. */
static double *centroids(const double *point, size_t rows, size_t columns, const size_t *cluster, size_t k)
{
    double *centroid = calloc(k * columns + 1, sizeof *centroid);
    size_t *count = calloc(k, sizeof *count);
    for (size_t i = 0; centroid && count && i < rows; i++) {
        count[cluster[i] - 1]++;
        for (size_t c = 0; c < columns; c++)
            centroid[(cluster[i] - 1) * columns + c] += point[i * columns + c];
    }
    if (!count) {
        free(centroid);
        return NULL;
    }
    for (size_t i = 0; centroid && i < k * columns; i++)
        centroid[i] /= (double)count[i / columns];
    free(count);
    return centroid;
}

int ws_within_squares(const double *point, size_t rows, size_t columns, const size_t *cluster, size_t k, double *sum)
{
    double *centroid = centroids(point, rows, columns, cluster, k);
    if (!centroid)
        return no_memory();
    *sum = 0;
    for (size_t i = 0; i < rows; i++)
        *sum += ws_distance_square(point + i * columns, centroid + (cluster[i] - 1) * columns, columns);
    free(centroid);
    return WS_OK;
}

int ws_representatives(const double *point, size_t rows, size_t columns, const size_t *cluster, size_t k,
                       size_t *member, double *distance)
{
    static const double as_near = 1 + 1e-9;
    double *centroid = centroids(point, rows, columns, cluster, k);
    double *to_centroid = malloc(rows * sizeof *to_centroid), *least = malloc(k * sizeof *least);
    const int rc = centroid && to_centroid && least ? WS_OK : no_memory();
    for (size_t c = 0; rc == WS_OK && c < k; c++) {
        least[c] = INFINITY;
        member[c] = rows;
    }
    for (size_t i = 0; rc == WS_OK && i < rows; i++) {
        const size_t c = cluster[i] - 1;
        to_centroid[i] = sqrt(ws_distance_square(point + i * columns, centroid + c * columns, columns));
        least[c] = fmin(least[c], to_centroid[i]);
    }
    for (size_t i = 0; rc == WS_OK && i < rows; i++) {
        const size_t c = cluster[i] - 1;
        if (member[c] == rows && to_centroid[i] <= least[c] * as_near)
            member[c] = i;
    }
    if (rc == WS_OK && distance)
        memcpy(distance, to_centroid, rows * sizeof *distance);
    free(centroid);
    free(to_centroid);
    free(least);
    return rc;
}
