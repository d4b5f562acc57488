/* srad2.c - SRAD2: what stays of differences and coefficients that one kernel leaves for the other? Host side of
 * srad2.cu. */
#include "data/workloads/harness/matrix.h"

#include <stdbool.h>

enum { SIDE = 16, DIRECTIONS = 4 };

static const double LAMBDA = 0.5;

static const harness_size input_sizes[] = {
    {"rows", "rows", {45, 150, 512}, 1, 8192, 1},
    {"columns", "columns", {61, 200, 512}, 1, 8192, 1},
    {"region", "rows and columns, from the first corner, that the speckle is measured in", {16, 64, 128}, 2, 8192, 1},
    {"rounds", "rounds, two launches each", {2, 4, 2}, 1, 100, 1},
    {0},
};

typedef struct picture {
    long rows, columns, region_rows, region_columns;
    size_t pixels;
} picture;

/* Variance over squared mean in the region. */
static double speckle(const picture *p, const double *image)
{
    const double n = (double)(p->region_rows * p->region_columns);
    double sum = 0, squares = 0;
    for (long y = 0; y < p->region_rows; y++)
        for (long x = 0; x < p->region_columns; x++)
            sum += image[y * p->columns + x];
    for (long y = 0; y < p->region_rows; y++)
        for (long x = 0; x < p->region_columns; x++)
            squares += pow(image[y * p->columns + x] - sum / n, 2);
    return squares / n / pow(sum / n, 2);
}

/* From pixel i to its neighbour, or to itself at the edge: north, south, west, east. */
static size_t beside(const picture *p, size_t i, int direction)
{
    const size_t columns = (size_t)p->columns, x = i % columns;
    switch (direction) {
    case 0:
        return i >= columns ? i - columns : i;
    case 1:
        return i + columns < p->pixels ? i + columns : i;
    case 2:
        return x > 0 ? i - 1 : i;
    default:
        return x + 1 < columns ? i + 1 : i;
    }
}

static double coefficient_on_cpu(const picture *p, const double *image, size_t i, double noise)
{
    double squares = 0, sum = 0;
    for (int d = 0; d < DIRECTIONS; d++) {
        const double step = (image[beside(p, i, d)] - image[i]) / image[i];
        squares += step * step;
        sum += step;
    }
    const double local = (squares / 2 - sum * sum / 16) / pow(1 + sum / 4, 2);
    return fmin(1, fmax(0, 1 / (1 + (local - noise) / (noise * (1 + noise)))));
}

/* Flows between neighbours with the coefficient of the one to the south or east. next, c: scratch. */
static void diffuse_on_cpu(const picture *p, double *image, double *next, double *c)
{
    const double noise = speckle(p, image);
    for (size_t i = 0; i < p->pixels; i++)
        c[i] = coefficient_on_cpu(p, image, i, noise);
    for (size_t i = 0; i < p->pixels; i++) {
        next[i] = image[i];
        for (int d = 0; d < DIRECTIONS; d++) {
            const size_t other = beside(p, i, d);
            next[i] += LAMBDA / 4 * c[d == 1 || d == 3 ? other : i] * (image[other] - image[i]);
        }
    }
    for (size_t i = 0; i < p->pixels; i++)
        image[i] = next[i];
}

static double speckle_of_device(const picture *p, harness *h, CUdeviceptr image, float *got, double *wide)
{
    harness_download(h, got, image, (size_t)(p->region_rows * p->columns) * sizeof *got);
    for (long i = 0; i < p->region_rows * p->columns; i++)
        wide[i] = (double)got[i];
    return speckle(p, wide);
}

static void run(harness *h)
{
    picture p = {.rows = harness_get_size(h, "rows"), .columns = harness_get_size(h, "columns")};
    const long region = harness_get_size(h, "region"), rounds = harness_get_size(h, "rounds");
    p.pixels = (size_t)(p.rows * p.columns);
    p.region_rows = region < p.rows ? region : p.rows;
    p.region_columns = region < p.columns ? region : p.columns;
    if (p.pixels < 2)
        harness_refuse(h, "a picture of one pixel has no speckle");
    double *const want = harness_host(h, p.pixels, sizeof *want), *const next = harness_host(h, p.pixels, sizeof *next),
                  *const c = harness_host(h, p.pixels, sizeof *c);
    float *const got = harness_host(h, p.pixels, sizeof *got), *const rounded =
                                                                   harness_host(h, p.pixels, sizeof *rounded);
    for (size_t i = 0; i < p.pixels; i++) {
        const bool bright = hypot((double)((long)i % p.columns) - 0.5 * (double)p.columns,
                                  (double)((long)i / p.columns) - 0.5 * (double)p.rows) <
                            0.3 * (double)(p.rows < p.columns ? p.rows : p.columns);
        got[i] = (float)exp(harness_uniform(h, 0, 0.5) + (bright ? 0.5 : 0)); /* a disc under noise */
        want[i] = (double)got[i];
    }
    CUdeviceptr image = harness_upload(h, got, p.pixels * sizeof *got),
                difference = harness_device(h, DIRECTIONS * p.pixels * sizeof *got);
    CUdeviceptr coefficient = harness_device(h, p.pixels * sizeof *got);
    const harness_dim grid = HARNESS_DIM(harness_blocks(p.columns, SIDE), harness_blocks(p.rows, SIDE)),
                      block = HARNESS_DIM(SIDE, SIDE);
    int rows = (int)p.rows, columns = (int)p.columns;
    float lambda = (float)LAMBDA;

    for (long round = 0; round < rounds; round++) {
        float noise = (float)speckle_of_device(&p, h, image, got, next);
        HARNESS_LAUNCH(h, harness_kernel(h, "sr2_coefficient"), grid, block, 0, &image, &difference, &coefficient,
                       &rows, &columns, &noise);
        HARNESS_LAUNCH(h, harness_kernel(h, "sr2_update"), grid, block, 0, &image, &difference, &coefficient, &rows,
                       &columns, &lambda);
    }
    harness_download(h, got, image, p.pixels * sizeof *got);
    for (long round = 0; round < rounds; round++)
        diffuse_on_cpu(&p, want, next, c);
    for (size_t i = 0; i < p.pixels; i++)
        rounded[i] = (float)want[i];
    /* A round rounds ten times or so, at 2^-24; coefficients hang on the speckle, which shrinks, and make of that some
     * times as much. */
    harness_check_floats(h, "pixel", got, rounded, p.pixels, 2e-6 * (double)(1 + rounds), 0);
}

HARNESS_WORKLOAD_OF("SRAD2", "data/workloads/srad2/srad2.ptx", run, input_sizes)
