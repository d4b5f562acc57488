/* meshes.h - hydrodynamics on meshes, on the host: which corners of cells are at a point, and how long the next step
 * may be. */
#ifndef WS_HARNESS_MESHES_H
#define WS_HARNESS_MESHES_H

#include "data/workloads/harness/matrix.h"

enum { MESH_THREADS = 128 };

/* A gas, its viscosity against shocks (J. von Neumann, R. Richtmyer, A Method for the Numerical Calculation of
 * Hydrodynamic Shocks, 1950; R. Landshoff, 1955), and what bounds a step: as in the kernels. */
typedef struct mesh_gas {
    double gamma, quadratic, linear; /* ratio of heats; factors of the viscosity */
    double courant, change;          /* of the time that sound needs through a cell, and that its volume needs to go */
} mesh_gas;

/* Numbers of corners, point by point: those at point p are corner[first[p]] .. corner[first[p + 1] - 1], in rising
 * order. */
typedef struct mesh_corners {
    int *first, *corner;
    CUdeviceptr d_first, d_corner;
} mesh_corners;

/* point: that of each of n corners. */
static inline mesh_corners mesh_gather(harness *h, const int *point, size_t n, size_t points)
{
    mesh_corners c = {.first = harness_host(h, points + 1, sizeof(int)), .corner = harness_host(h, n, sizeof(int))};
    int *const at = harness_host(h, points, sizeof *at);
    for (size_t i = 0; i < n; i++)
        c.first[point[i] + 1]++;
    for (size_t p = 0; p < points; p++) {
        c.first[p + 1] += c.first[p];
        at[p] = c.first[p];
    }
    for (size_t i = 0; i < n; i++)
        c.corner[at[point[i]]++] = (int)i;
    c.d_first = harness_upload(h, c.first, (points + 1) * sizeof *c.first);
    c.d_corner = harness_upload(h, c.corner, n * sizeof *c.corner);
    return c;
}

static inline CUdeviceptr mesh_upload(harness *h, const double *at, size_t n)
{
    return harness_upload(h, at, n * sizeof *at);
}

static inline double *mesh_download(harness *h, CUdeviceptr from, size_t n)
{
    double *const to = harness_host(h, n, sizeof *to);
    harness_download(h, to, from, n * sizeof *to);
    return to;
}

/* The least of n numbers on the device, by a kernel made of least_of_block(). */
static inline double mesh_least(harness *h, const char *kernel, CUdeviceptr number, CUdeviceptr part, int n)
{
    enum { PARTS = 64 };
    const long blocks = harness_blocks(n, MESH_THREADS);
    double some[PARTS], least = HUGE_VAL;
    HARNESS_LAUNCH(h, harness_kernel(h, kernel), HARNESS_DIM(blocks), HARNESS_DIM(MESH_THREADS), 0, &number, &part, &n);
    for (long begin = 0; begin < blocks; begin += PARTS) {
        const long end = begin + PARTS < blocks ? begin + PARTS : blocks;
        harness_download(h, some, part + (size_t)begin * sizeof *some, (size_t)(end - begin) * sizeof *some);
        for (long i = begin; i < end; i++)
            least = fmin(least, some[i - begin]);
    }
    return least;
}

/* A step may be a tenth longer than the last one. */
static inline double mesh_next_step(double last, double limit)
{
    return fmin(1.1 * last, limit);
}

#endif
