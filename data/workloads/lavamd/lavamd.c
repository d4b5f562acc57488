/* lavamd.c - LMD: what do boxes of particles read of one another? Host side of lavamd.cu. */
#include "data/workloads/harness/harness.h"

#include <math.h>

enum { AROUND = 27, MOST_PARTICLES = 128, DIMENSIONS = 3 };

static const double alpha = 0.5;

static const harness_size input_sizes[] = {
    {"boxes", "boxes along each edge of the cube", {2, 4, 10}, 1, 40, 1},
    {"particles", "of a box", {32, 100, 100}, 1, MOST_PARTICLES, 1},
    {"threads", "threads of a block", {32, 128, 128}, 32, 1024, 32},
    {0},
};

/* As in lavamd.cu. */
typedef struct particle {
    float x, y, z, charge;
} particle;
typedef struct effect {
    float potential, x, y, z;
} effect;

/* Boxes that touch a box, itself first. */
static void find_neighbours(int boxes, int box, int *out)
{
    const int at[DIMENSIONS] = {box % boxes, box / boxes % boxes, box / boxes / boxes};
    int n = 0;
    out[n++] = box;
    for (int k = 0; k < AROUND; k++) {
        const int x = at[0] + k % 3 - 1, y = at[1] + k / 3 % 3 - 1, z = at[2] + k / 9 - 1;
        const int other = (z * boxes + y) * boxes + x;
        if (x >= 0 && x < boxes && y >= 0 && y < boxes && z >= 0 && z < boxes && other != box)
            out[n++] = other;
    }
    while (n < AROUND)
        out[n++] = -1;
}

static void add_effect(const particle *a, const particle *b, double *potential, double *force)
{
    const double d[DIMENSIONS] = {(double)a->x - (double)b->x, (double)a->y - (double)b->y,
                                  (double)a->z - (double)b->z};
    const double falls = exp(-alpha * alpha * (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]));
    *potential += (double)b->charge * falls;
    for (int i = 0; i < DIMENSIONS; i++)
        force[i] += 2 * falls * (double)b->charge * d[i];
}

static void run(harness *h)
{
    const long boxes = harness_get_size(h, "boxes"), of_box = harness_get_size(h, "particles"),
               threads = harness_get_size(h, "threads"), all = boxes * boxes * boxes, n = all * of_box;
    particle *const places = harness_host(h, (size_t)n, sizeof *places);
    int *const neighbours = harness_host(h, (size_t)(all * AROUND), sizeof *neighbours);
    for (long box = 0; box < all; box++) {
        find_neighbours((int)boxes, (int)box, neighbours + box * AROUND);
        const double at[DIMENSIONS] = {(double)(box % boxes), (double)(box / boxes % boxes),
                                       (double)(box / boxes / boxes)};
        for (long i = 0; i < of_box; i++)
            places[box * of_box + i] =
                (particle){(float)(at[0] + harness_uniform(h, 0, 1)), (float)(at[1] + harness_uniform(h, 0, 1)),
                           (float)(at[2] + harness_uniform(h, 0, 1)), (float)harness_uniform(h, 0.1, 1)};
    }
    effect *const got = harness_host(h, (size_t)n, sizeof *got), *const want = harness_host(h, (size_t)n, sizeof *want);
    CUdeviceptr d_places = harness_upload(h, places, (size_t)n * sizeof *places),
                d_neighbours = harness_upload(h, neighbours, (size_t)(all * AROUND) * sizeof *neighbours),
                d_effects = harness_upload(h, got, (size_t)n * sizeof *got);
    int particles = (int)of_box;
    float alpha2 = (float)(alpha * alpha);
    HARNESS_LAUNCH(h, harness_kernel(h, "lmd_forces"), HARNESS_DIM(all), HARNESS_DIM(threads), 0, &d_places,
                   &d_neighbours, &d_effects, &particles, &alpha2);
    harness_download(h, got, d_effects, (size_t)n * sizeof *got);

    for (long i = 0; i < n; i++) {
        double potential = 0, force[DIMENSIONS] = {0};
        const int *const around = neighbours + i / of_box * AROUND;
        for (int k = 0; k < AROUND && around[k] >= 0; k++)
            for (long j = 0; j < of_box; j++)
                add_effect(&places[i], &places[around[k] * of_box + j], &potential, force);
        want[i] = (effect){(float)potential, (float)force[0], (float)force[1], (float)force[2]};
    }
    /* Components of a force cancel, so what a sum of floats loses is a share of the potential. */
    harness_check_floats(h, "effect", &got->potential, &want->potential, (size_t)n * (DIMENSIONS + 1), 1e-4,
                         1e-5 * (double)(AROUND * of_box));
}

HARNESS_WORKLOAD_OF("LMD", "data/workloads/lavamd/lavamd.ptx", run, input_sizes)
