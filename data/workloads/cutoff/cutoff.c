/* cutoff.c - CUT: what do blocks share that read the bins of atoms around them? Host side of cutoff.cu. */
#include "data/workloads/harness/harness.h"

#include <math.h>

enum { SIDE = 8, THREADS = 128, SLOTS = 8, TENTHS = 10, MOST_POINTS = 256 };

static const double SPACING = 0.5, BIN = 4; /* angstroms; a bin is SIDE points wide */

static const harness_size input_sizes[] = {
    {"points", "lattice points of a side, half an angstrom apart", {16, 24, 48}, SIDE, MOST_POINTS, SIDE},
    {"cutoff", "tenths of an angstrom that a charge reaches", {40, 60, 80}, 10, 400, 1},
    {"atoms", "atoms of a bin of 4 angstroms squared, in the mean", {5, 6, 6}, 1, 100, 1},
    {0},
};

typedef struct atom { /* as in cutoff.cu */
    float x, y, z, charge;
} atom;

typedef struct lattice {
    int points, reach;
    float spacing, cutoff;
} lattice;

typedef struct input {
    lattice l;
    size_t atoms, left; /* left: those for which a bin had no slot, the first of `rest` */
    atom *atom, *bin, *rest;
    size_t slots;
} input;

/* Atoms anywhere from a cutoff before the lattice to a cutoff behind it. */
static input make_input(harness *h)
{
    const int points = (int)harness_get_size(h, "points");
    const double cutoff = (double)harness_get_size(h, "cutoff") / TENTHS;
    input in = {
        .l = {.points = points, .reach = (int)ceil(cutoff / BIN), .spacing = (float)SPACING, .cutoff = (float)cutoff}};
    const int bins = points / SIDE + 2 * in.l.reach;
    const size_t cubes = (size_t)bins * (size_t)bins * (size_t)bins;
    const double low = -in.l.reach * BIN, high = low + bins * BIN;
    in.atoms = cubes * (size_t)harness_get_size(h, "atoms");
    in.slots = cubes * SLOTS;
    in.atom = harness_host(h, in.atoms, sizeof *in.atom);
    in.rest = harness_host(h, in.atoms, sizeof *in.rest);
    in.bin = harness_host(h, in.slots, sizeof *in.bin);
    int *const used = harness_host(h, cubes, sizeof *used);
    for (size_t i = 0; i < in.atoms; i++) {
        atom *const a = &in.atom[i];
        *a = (atom){(float)harness_uniform(h, low, high), (float)harness_uniform(h, low, high),
                    (float)harness_uniform(h, low, high),
                    (float)(harness_uniform(h, 0.1, 1) * (harness_integer(h, 2) ? 1 : -1))};
        const int x = (int)fmin(floor(((double)a->x - low) / BIN), bins - 1),
                  y = (int)fmin(floor(((double)a->y - low) / BIN), bins - 1);
        const int z = (int)fmin(floor(((double)a->z - low) / BIN), bins - 1);
        const size_t cube = ((size_t)z * (size_t)bins + (size_t)y) * (size_t)bins + (size_t)x;
        if (used[cube] < SLOTS)
            in.bin[cube * SLOTS + (size_t)used[cube]++] = *a;
        else
            in.rest[in.left++] = *a;
    }
    return in;
}

/* Adds what n atoms do, each to the points around it. size takes the sum of the terms' sizes and of how much rounding
 * of coordinates changes them; NULL when not wanted. */
static void add_on_cpu(const lattice *l, const atom *charges, size_t n, double *sum, double *size)
{
    const double cutoff = (double)l->cutoff, reach = cutoff / SPACING;
    for (size_t i = 0; i < n; i++) {
        const double at[3] = {(double)charges[i].x, (double)charges[i].y, (double)charges[i].z},
                     q = (double)charges[i].charge;
        int from[3], to[3];
        for (int d = 0; d < 3; d++) {
            from[d] = (int)fmax(0, ceil(at[d] / SPACING - reach));
            to[d] = (int)fmin(l->points - 1, floor(at[d] / SPACING + reach));
        }
        for (int z = from[2]; z <= to[2]; z++) {
            for (int y = from[1]; y <= to[1]; y++) {
                for (int x = from[0]; x <= to[0]; x++) {
                    const double dx = at[0] - x * SPACING, dy = at[1] - y * SPACING, dz = at[2] - z * SPACING;
                    const double r2 = dx * dx + dy * dy + dz * dz, s = 1 - r2 / (cutoff * cutoff);
                    const size_t p = ((size_t)z * (size_t)l->points + (size_t)y) * (size_t)l->points + (size_t)x;
                    if (s <= 0)
                        continue;
                    sum[p] += q / sqrt(r2) * s * s;
                    if (size)
                        size[p] += fabs(q) / sqrt(r2) * (s + l->points * SPACING / sqrt(r2));
                }
            }
        }
    }
}

static void run(harness *h)
{
    const input in = make_input(h);
    const size_t side = (size_t)in.l.points, points = side * side * side;
    float *const potential = harness_host(h, points, sizeof *potential);
    double *const got = harness_host(h, points, sizeof *got), *const want = harness_host(h, points, sizeof *want);
    double *const size = harness_host(h, points, sizeof *size);
    CUdeviceptr bin = harness_upload(h, in.bin, in.slots * sizeof *in.bin),
                d_potential = harness_device(h, points * sizeof *potential);
    lattice l = in.l;
    const size_t blocks = side / SIDE;

    HARNESS_LAUNCH(h, harness_kernel(h, "cut_potential"), HARNESS_DIM(blocks, blocks, blocks), HARNESS_DIM(THREADS), 0,
                   &bin, &d_potential, &l);
    harness_download(h, potential, d_potential, points * sizeof *potential);
    for (size_t p = 0; p < points; p++)
        got[p] = (double)potential[p];
    add_on_cpu(&in.l, in.rest, in.left, got, NULL); /* what bins had no slot for is the CPU's */
    add_on_cpu(&in.l, in.atom, in.atoms, want, size);
    for (size_t p = 0; p < points; p++)
        if (!(fabs(got[p] - want[p]) <= 5e-7 * size[p] + 1e-6))
            harness_wrong(h, "potential[%zu] is %g where the CPU has %g (tolerance %g)", p, got[p], want[p],
                          5e-7 * size[p] + 1e-6);
}

HARNESS_WORKLOAD_OF("CUT", "data/workloads/cutoff/cutoff.ptx", run, input_sizes)
