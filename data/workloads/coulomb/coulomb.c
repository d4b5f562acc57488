/* coulomb.c - CP, host side: random charges in a box, batch after batch to the device, and the same sums in double
 * precision. */
#include "data/workloads/harness/harness.h"

#include <math.h>

enum { WIDTH = 16, HEIGHT = 8, POINTS = 8, BATCH = 4000 }; /* as in coulomb.cu */

static const double SPACING = 0.1, DEPTH = 5.0; /* of grid and box */
static const float PLANE_Z = 2.5f;
/* A sum may be off by this part of the sum of its terms' sizes (a reciprocal root is right to 2^-22.4, additions round
 * at random, by 2^-24 of the sum so far), */
static const double TOLERANCE = 5e-7;
/* and by what a wrong distance does to the terms: up to eight roundings of a coordinate, 0 to 26, each by at most
 * 2^-20, half a unit of its last place. */
static const double BLUR = 8 * 0x1p-20;

typedef struct atom {
    float x, y, z, charge;
} atom;

/* What the device reads, in the layout of coulomb.cu. */
typedef struct device_atom {
    float x, y, dz2, charge;
} device_atom;

typedef struct plane {
    unsigned columns, rows, atoms, batch; /* batch: atoms a launch */
} plane;

/* Anywhere in the box that the plane cuts; charges of both signs. */
static atom *make_atoms(harness *h, const plane *p)
{
    atom *a = harness_host(h, p->atoms, sizeof *a);
    for (unsigned i = 0; i < p->atoms; i++) {
        a[i].x = (float)harness_uniform(h, 0, p->columns * SPACING);
        a[i].y = (float)harness_uniform(h, 0, p->rows * SPACING);
        a[i].z = (float)harness_uniform(h, 0, DEPTH);
        a[i].charge = (float)harness_uniform(h, -1, 1);
    }
    return a;
}

static unsigned smaller(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static void potential(harness *h, const plane *p, const atom *a, float *got)
{
    const size_t bytes = (size_t)p->columns * p->rows * sizeof *got;
    const CUfunction kernel = harness_kernel(h, "cp_potential");
    const CUdeviceptr constant = harness_symbol(h, "cp_atoms", BATCH * sizeof(device_atom));
    const harness_dim grid = HARNESS_DIM(p->columns / (WIDTH * POINTS), p->rows / HEIGHT);
    device_atom *const buffer = harness_host(h, p->batch, sizeof *buffer);
    CUdeviceptr d_plane = harness_upload(h, got, bytes); /* zeros */
    float spacing = (float)SPACING;

    for (unsigned first = 0; first < p->atoms; first += p->batch) {
        unsigned count = smaller(p->batch, p->atoms - first);
        for (unsigned i = 0; i < count; i++) {
            const atom *from = &a[first + i];
            const float dz = PLANE_Z - from->z;
            buffer[i] = (device_atom){from->x, from->y, dz * dz, from->charge};
        }
        harness_write(h, constant, buffer, count * sizeof *buffer);
        HARNESS_LAUNCH(h, kernel, grid, HARNESS_DIM(WIDTH, HEIGHT), 0, &d_plane, &count, &spacing);
    }
    harness_download(h, got, d_plane, bytes);
}

static void check_point(harness *h, const plane *p, const atom *a, unsigned column, unsigned row, double got)
{
    double want = 0, size = 0, slope = 0;
    for (unsigned i = 0; i < p->atoms; i++) {
        const double dx = SPACING * column - a[i].x, dy = SPACING * row - a[i].y, dz = PLANE_Z - a[i].z;
        const double near = 1 / sqrt(dx * dx + dy * dy + dz * dz), charge = fabs(a[i].charge);
        want += a[i].charge * near;
        size += charge * near;
        slope += charge * near * near;
    }
    if (!(fabs(got - want) <= TOLERANCE * size + BLUR * slope))
        harness_wrong(h, "the potential at %u, %u is %.9g, not %.9g", column, row, got, want);
}

static void run(harness *h)
{
    const plane p = {.columns = (unsigned)harness_pick(h, 256, 256, 256),
                     .rows = (unsigned)harness_pick(h, 16, 48, 256),
                     .atoms = (unsigned)harness_pick(h, 50, 5000, 200),
                     .batch = (unsigned)harness_pick(h, 30, BATCH, BATCH)};
    const atom *const a = make_atoms(h, &p);
    float *const got = harness_host(h, (size_t)p.columns * p.rows, sizeof *got);

    potential(h, &p, a, got);
    for (unsigned row = 0; row < p.rows; row++)
        for (unsigned column = 0; column < p.columns; column++)
            check_point(h, &p, a, column, row, got[(size_t)row * p.columns + column]);
}

HARNESS_WORKLOAD("CP", "data/workloads/coulomb/coulomb.ptx", run)
