/* kmeansrows.c - KMN: what if each lane comes back to the lines of its own point for every centre? Host side of
 * kmeansrows.cu. */
#include "data/workloads/harness/matrix.h"

#include <limits.h>
#include <string.h>

enum { THREADS = 256 };

static const harness_size input_sizes[] = {
    {"points", "points", {256, 4096, 28672}, 1, 1048576, 1},
    {"features", "numbers of a point", {34, 34, 136}, 1, 1024, 1},
    {"pitch", "floats from a point to the next", {34, 34, 136}, 1, 65536, 1},
    {"clusters", "centres, not more than points", {5, 5, 5}, 1, 64, 1},
    {"rounds", "times that points are assigned and centres moved", {2, 2, 2}, 1, 100, 1},
    {0},
};

static double squared_distance(const float *a, const float *b, long n)
{
    double sum = 0;
    for (long i = 0; i < n; i++)
        sum += ((double)a[i] - (double)b[i]) * ((double)a[i] - (double)b[i]);
    return sum;
}

/* Each point's centre is its nearest; where two are as near but for rounding, either. */
static void check_members(harness *h, const harness_matrix *points, const float *centre, long clusters,
                          const int *member)
{
    const long features = points->columns;
    for (long p = 0; p < points->rows; p++) {
        if (member[p] < 0 || member[p] >= clusters)
            harness_wrong(h, "point %ld belongs to centre %d of %ld", p, member[p], clusters);
        const float *const point = points->at + p * features;
        const double has = squared_distance(point, centre + member[p] * features, features);
        for (long c = 0; c < clusters; c++)
            if (squared_distance(point, centre + c * features, features) < has * (1 - 1e-5))
                harness_wrong(h, "point %ld belongs to centre %d, though centre %ld is nearer", p, member[p], c);
    }
}

/* Each centre becomes the mean of its points; one without points stays. */
static void move_centres(harness *h, const harness_matrix *points, float *centre, long clusters, const int *member)
{
    const long features = points->columns;
    double *const sum = harness_host(h, (size_t)(clusters * features), sizeof *sum);
    long *const n = harness_host(h, (size_t)clusters, sizeof *n);
    for (long p = 0; p < points->rows; p++) {
        n[member[p]]++;
        for (long f = 0; f < features; f++)
            sum[member[p] * features + f] += (double)points->at[p * features + f];
    }
    for (long c = 0; c < clusters; c++)
        for (long f = 0; n[c] && f < features; f++)
            centre[c * features + f] = (float)(sum[c * features + f] / (double)n[c]);
}

static void run(harness *h)
{
    const long n = harness_get_size(h, "points"), features = harness_get_size(h, "features"),
               clusters = harness_get_size(h, "clusters");
    if (n < clusters)
        harness_refuse(h, "points=%ld are less than clusters=%ld, which begin at points", n, clusters);
    if (n * harness_get_size(h, "pitch") > INT_MAX)
        harness_refuse(h, "points=%ld times pitch=%ld is more than %d floats", n, harness_get_size(h, "pitch"),
                       INT_MAX);
    const harness_matrix points = harness_random_matrix(h, n, features, harness_get_size(h, "pitch"), 0, 1);
    const size_t centre_bytes = (size_t)(clusters * features) * sizeof(float);
    float *const centre = harness_host(h, centre_bytes, 1);
    int *const member = harness_host(h, (size_t)n, sizeof *member);
    memcpy(centre, points.at, centre_bytes);
    CUdeviceptr d_points = points.device, d_centre = harness_upload(h, centre, centre_bytes),
                d_member = harness_device(h, (size_t)n * sizeof *member);
    int d_n = (int)n, d_features = (int)features, d_pitch = (int)points.pitch, d_clusters = (int)clusters;

    for (long round = harness_get_size(h, "rounds"); round > 0; round--) {
        HARNESS_LAUNCH(h, harness_kernel(h, "kmn_assign"), HARNESS_DIM(harness_blocks(n, THREADS)),
                       HARNESS_DIM(THREADS), 0, &d_points, &d_centre, &d_member, &d_n, &d_features, &d_pitch,
                       &d_clusters);
        harness_download(h, member, d_member, (size_t)n * sizeof *member);
        check_members(h, &points, centre, clusters, member);
        move_centres(h, &points, centre, clusters, member);
        harness_write(h, d_centre, centre, centre_bytes);
    }
}

HARNESS_WORKLOAD_OF("KMN", "data/workloads/kmeansrows/kmeansrows.ptx", run, input_sizes)
