/* stencil3d.c - ST3D: what does a block that climbs through the layers of a box save of its loads? Host side of
 * stencil3d.cu. */
#include "data/workloads/harness/harness.h"

#include <string.h>

enum { TILE_X = 32, TILE_Y = 4 };

/* Weights of a value and of each of its six neighbours. They add up to 1, and are exact in single precision. */
static const double OWN = 0.25, NEIGHBOUR = 0.125;

/* Operations of a step that round, each by at most 2^-24 of values that stay below 1. The weights take errors of
 * earlier steps over as they are. */
static const double ROUNDINGS = 8;

typedef struct box {
    long nx, ny, nz;
    int steps;
} box;

static void step_on_cpu(double *to, const double *from, const box *b)
{
    const long row = b->nx, area = b->nx * b->ny;
    for (long z = 1; z < b->nz - 1; z++)
        for (long y = 1; y < b->ny - 1; y++)
            for (long x = 1; x < b->nx - 1; x++) {
                const long at = z * area + y * row + x;
                const double six =
                    from[at - 1] + from[at + 1] + from[at - row] + from[at + row] + from[at - area] + from[at + area];
                to[at] = OWN * from[at] + NEIGHBOUR * six;
            }
}

static void smooth_on_cpu(harness *h, const box *b, float *value, size_t n)
{
    double *from = harness_host(h, n, sizeof *from), *to = harness_host(h, n, sizeof *to);
    for (size_t i = 0; i < n; i++)
        from[i] = to[i] = value[i];
    for (int step = 0; step < b->steps; step++) {
        step_on_cpu(to, from, b);
        double *const swap = from;
        from = to;
        to = swap;
    }
    for (size_t i = 0; i < n; i++)
        value[i] = (float)from[i];
}

static void smooth_on_device(harness *h, const box *b, float *value, size_t n)
{
    CUdeviceptr from = harness_upload(h, value, n * sizeof *value), to = harness_upload(h, value, n * sizeof *value);
    const CUfunction kernel = harness_kernel(h, "st3d_step");
    const harness_dim grid = HARNESS_DIM((b->nx + 2 * TILE_X - 1) / (2 * TILE_X), (b->ny + TILE_Y - 1) / TILE_Y);
    float own = (float)OWN, neighbour = (float)NEIGHBOUR;
    int nx = (int)b->nx, ny = (int)b->ny, nz = (int)b->nz;

    for (int step = 0; step < b->steps; step++) {
        HARNESS_LAUNCH(h, kernel, grid, HARNESS_DIM(TILE_X, TILE_Y), 0, &own, &neighbour, &from, &to, &nx, &ny, &nz);
        harness_swap(&from, &to);
    }
    harness_download(h, value, from, n * sizeof *value);
}

static void run(harness *h)
{
    const box b = {.nx = harness_pick(h, 70, 128, 128),
                   .ny = harness_pick(h, 10, 128, 128),
                   .nz = harness_pick(h, 6, 32, 32),
                   .steps = (int)harness_pick(h, 4, 8, 100)};
    const size_t n = (size_t)(b.nx * b.ny * b.nz);
    float *const got = harness_random_floats(h, n, 0, 1), *const want = harness_host(h, n, sizeof *want);

    memcpy(want, got, n * sizeof *want);
    smooth_on_device(h, &b, got, n);
    smooth_on_cpu(h, &b, want, n);
    harness_check_floats(h, "value", got, want, n, 0, b.steps * ROUNDINGS * 0x1p-24);
}

HARNESS_WORKLOAD("ST3D", "data/workloads/stencil3d/stencil3d.ptx", run)
