/* kmeans.c - KM, host side: makes points around known centres, lets the device assign them and moves the centres
 * until few points change, and compares every assignment with the nearest centre in double precision. */
#include "data/workloads/harness/harness.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { FEATURES = 34, CLUSTERS = 5, THREADS = 256, CENTRE_WORDS = 2048, MAX_ROUNDS = 50 };

static const double FEW_CHANGES = 0.001; /* end when a round changes the centre of at most this fraction of points */
static const double NOISE = 1.2;         /* half width of a cluster; its true centre lies in [0, 1) in each feature */
static const double TIE = 1e-5;          /* a centre this much farther than the nearest, relatively, is right too */

typedef struct clustering {
    size_t points;
    float *row;                 /* [points * FEATURES] */
    float centre[CENTRE_WORDS]; /* [CLUSTERS * FEATURES], as large as the variable on the device */
    int *member;                /* [points] */
} clustering;

static void make_points(harness *h, clustering *c)
{
    double middle[CLUSTERS][FEATURES];
    for (int k = 0; k < CLUSTERS; k++)
        for (int f = 0; f < FEATURES; f++)
            middle[k][f] = harness_uniform(h, 0, 1);
    for (size_t p = 0; p < c->points; p++) {
        const unsigned k = harness_integer(h, CLUSTERS);
        for (int f = 0; f < FEATURES; f++)
            c->row[p * FEATURES + f] = (float)(middle[k][f] + harness_uniform(h, -NOISE, NOISE));
    }
    memcpy(c->centre, c->row, sizeof(float) * CLUSTERS * FEATURES); /* the first points are the first centres */
}

static double squared_distance(const float *a, const float *b)
{
    double sum = 0;
    for (int f = 0; f < FEATURES; f++) {
        const double d = (double)a[f] - b[f];
        sum += d * d;
    }
    return sum;
}

/* Ends the program when a point is not with its nearest centre; returns the sum of squared distances. */
static double check_members(harness *h, const clustering *c, int round)
{
    double total = 0;
    for (size_t p = 0; p < c->points; p++) {
        double distance[CLUSTERS], nearest = DBL_MAX;
        for (int k = 0; k < CLUSTERS; k++) {
            distance[k] = squared_distance(c->row + p * FEATURES, c->centre + k * FEATURES);
            nearest = fmin(nearest, distance[k]);
        }
        const int got = c->member[p];
        if (got < 0 || got >= CLUSTERS || distance[got] > nearest * (1 + TIE))
            harness_wrong(h, "round %d: point %zu is given to centre %d, which is not its nearest", round, p, got);
        total += distance[got];
    }
    return total;
}

/* Moves each centre to the mean of its points; one without points stays. */
static void move_centres(clustering *c)
{
    double sum[CLUSTERS][FEATURES] = {{0}};
    size_t count[CLUSTERS] = {0};
    for (size_t p = 0; p < c->points; p++) {
        const int k = c->member[p];
        count[k]++;
        for (int f = 0; f < FEATURES; f++)
            sum[k][f] += c->row[p * FEATURES + f];
    }
    for (int k = 0; k < CLUSTERS; k++)
        for (int f = 0; count[k] && f < FEATURES; f++)
            c->centre[k * FEATURES + f] = (float)(sum[k][f] / (double)count[k]);
}

static size_t count_changes(const int *now, const int *before, size_t n)
{
    size_t changes = 0;
    for (size_t i = 0; i < n; i++)
        changes += now[i] != before[i];
    return changes;
}

static const harness_size input_sizes[] = {
    {"points", "points", {300, 10000, 93500}, 1, 1000000, 1},
    {0},
};

static void run(harness *h)
{
    clustering c = {.points = (size_t)harness_get_size(h, "points")};
    c.row = harness_host(h, c.points * FEATURES, sizeof *c.row);
    c.member = harness_host(h, c.points, sizeof *c.member);
    int *before = harness_host(h, c.points, sizeof *before);
    make_points(h, &c);
    memset(before, -1, c.points * sizeof *before);

    CUdeviceptr rows = harness_upload(h, c.row, c.points * FEATURES * sizeof(float));
    CUdeviceptr columns = harness_device(h, c.points * FEATURES * sizeof(float));
    CUdeviceptr member = harness_device(h, c.points * sizeof(int));
    CUtexObject points_texture = harness_texture_linear(h, columns, CU_AD_FORMAT_FLOAT, 1, c.points * FEATURES);
    const CUdeviceptr centre = harness_symbol(h, "km_centre", sizeof c.centre);
    CUfunction transpose = harness_kernel(h, "km_transpose");
    CUfunction assign = harness_kernel(h, "km_assign");
    unsigned points = (unsigned)c.points, features = FEATURES, clusters = CLUSTERS;
    const harness_dim grid = HARNESS_DIM((c.points + THREADS - 1) / THREADS), block = HARNESS_DIM(THREADS);

    HARNESS_LAUNCH(h, transpose, grid, block, 0, &rows, &columns, &points, &features);
    size_t changes = c.points;
    double spread = DBL_MAX;
    for (int round = 0; round < MAX_ROUNDS && changes > (size_t)(FEW_CHANGES * (double)c.points); round++) {
        harness_write(h, centre, c.centre, sizeof c.centre);
        HARNESS_LAUNCH(h, assign, grid, block, 0, &points_texture, &member, &points, &features, &clusters);
        harness_download(h, c.member, member, c.points * sizeof(int));
        const double closer = check_members(h, &c, round);
        if (closer > spread * (1 + TIE)) /* each half of a round can only bring points and centres together */
            harness_wrong(h, "round %d: squared distances rose from %g to %g", round, spread, closer);
        spread = closer;
        changes = count_changes(c.member, before, c.points);
        memcpy(before, c.member, c.points * sizeof(int));
        move_centres(&c);
    }
}

HARNESS_WORKLOAD_OF("KM", "data/workloads/kmeans/kmeans.ptx", run, input_sizes)
