/* quality.c - are the clusters of a cut tight and apart, and which row stands for each? */
#include "cluster/quality.h"
#include "base/status.h"
#include "cluster/cluster_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

typedef struct judge {               /* of silhouettes */
    double *packed, *distance, *sum; /* of the points; [2 * rows]; [k] */
    size_t *count;                   /* [k] */
} judge;

static int judge_init(judge *j, const double *point, size_t rows, size_t columns, const size_t *cluster, size_t k)
{
    j->packed = ws_distance_pack(point, rows, columns);
    j->distance = malloc(2 * rows * sizeof *j->distance);
    j->sum = malloc(k * sizeof *j->sum);
    j->count = calloc(k, sizeof *j->count);
    if (!j->packed || !j->distance || !j->sum || !j->count)
        return no_memory();
    for (size_t i = 0; i < rows; i++)
        j->count[cluster[i] - 1]++;
    return WS_OK;
}

int ws_silhouette(const double *point, size_t rows, size_t columns, const size_t *cluster, size_t k, double *width,
                  double *mean)
{
    judge j = {0};
    const int rc = judge_init(&j, point, rows, columns, cluster, k);
    double total = 0;
    for (size_t i = 0; rc == WS_OK && i < rows; i++) {
        double *const distance[2] = {j.distance, j.distance + rows};
        if (i % 2 == 0)
            ws_distance_rows(point, j.packed, rows, columns, i, 0, distance);
        memset(j.sum, 0, k * sizeof *j.sum);
        for (size_t other = 0; other < rows; other++)
            j.sum[cluster[other] - 1] += distance[i % 2][other];
        const double s = silhouette_of(j.sum, j.count, cluster[i] - 1, k);
        total += s;
        if (width)
            width[i] = s;
    }
    free(j.packed);
    free(j.distance);
    free(j.sum);
    free(j.count);
    *mean = total / (double)rows;
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
