/* stencilflags.c - STN: what does a stencil gain when blocks wait for neighbours alone? Host side of stencilflags.cu.
 */
#include "data/workloads/harness/together.h"

#include <math.h>
#include <string.h>

enum { TILE = 32, THREADS = 256, SIDES = 4, PARITIES = 2, BUMPS = 6 };

typedef struct membrane {
    int width, height, steps;
    float *start, *stiffness;
} membrane;

/* A few bumps at rest on a membrane whose stiffness differs from cell to cell, below 1/2, where the steps are stable.
 */
static membrane make_membrane(harness *h)
{
    membrane m = {.width = (int)harness_get_size(h, "width"),
                  .height = (int)harness_get_size(h, "height"),
                  .steps = (int)harness_get_size(h, "steps")};
    const size_t cells = (size_t)m.width * (size_t)m.height;
    m.start = harness_host(h, cells, sizeof *m.start);
    m.stiffness = harness_random_floats(h, cells, 0.1, 0.45);
    for (int b = 0; b < BUMPS; b++) {
        const double x = harness_uniform(h, 0, m.width), y = harness_uniform(h, 0, m.height);
        const double high = harness_uniform(h, -1, 1), wide = harness_uniform(h, 2, 12);
        for (int i = 0; i < m.height; i++) {
            for (int k = 0; k < m.width; k++) {
                const double square = ((k - x) * (k - x) + (i - y) * (i - y)) / (wide * wide);
                m.start[i * m.width + k] += (float)(high * exp(-square));
            }
        }
    }
    return m;
}

/* The same equation in double precision, the whole membrane a step. */
static void move_on_cpu(harness *h, const membrane *m, float *result)
{
    const size_t row = (size_t)m->width + 2, cells = row * ((size_t)m->height + 2);
    double *now = harness_host(h, cells, sizeof *now), *before = harness_host(h, cells, sizeof *before);
    for (int i = 0; i < m->height; i++)
        for (int k = 0; k < m->width; k++)
            now[(size_t)(i + 1) * row + (size_t)k + 1] = m->start[i * m->width + k];
    memcpy(before, now, cells * sizeof *now);
    for (int step = 0; step < m->steps; step++) {
        for (int i = 0; i < m->height; i++) {
            for (int k = 0; k < m->width; k++) {
                const size_t c = (size_t)(i + 1) * row + (size_t)k + 1;
                const double pull = now[c - 1] + now[c + 1] + now[c - row] + now[c + row] - 4 * now[c];
                before[c] = 2 * now[c] - before[c] + (double)m->stiffness[i * m->width + k] * pull;
            }
        }
        double *const after = before;
        before = now;
        now = after;
    }
    for (int i = 0; i < m->height; i++)
        for (int k = 0; k < m->width; k++)
            result[i * m->width + k] = (float)now[(size_t)(i + 1) * row + (size_t)k + 1];
}

static void move_on_device(harness *h, const membrane *m, float *result)
{
    const size_t bytes = (size_t)m->width * (size_t)m->height * sizeof *result;
    int width = m->width, height = m->height, steps = m->steps, tiles_x = (width + TILE - 1) / TILE;
    const unsigned tiles = (unsigned)(tiles_x * ((height + TILE - 1) / TILE));
    int *const unset = harness_host(h, tiles, sizeof *unset);
    CUdeviceptr start = harness_upload(h, m->start, bytes), stiffness = harness_upload(h, m->stiffness, bytes);
    CUdeviceptr d_result = harness_device(h, bytes), flag = harness_upload(h, unset, tiles * sizeof *unset);
    CUdeviceptr border = harness_device(h, (size_t)PARITIES * tiles * SIDES * TILE * sizeof(float));

    HARNESS_LAUNCH_TOGETHER(h, harness_kernel(h, "stn_wave"), tiles, THREADS, &start, &stiffness, &d_result, &border,
                            &flag, &width, &height, &tiles_x, &steps);
    harness_download(h, result, d_result, bytes);
}

static const harness_size input_sizes[] = {
    {"width", "cells of a row; a block has 32 x 32", {50, 300, 400}, 1, 2048, 1},
    {"height", "rows of cells", {70, 250, 256}, 1, 2048, 1},
    {"steps", "time steps", {8, 60, 100}, 1, 10000, 1},
    {0},
};

static void run(harness *h)
{
    const membrane m = make_membrane(h);
    const size_t cells = (size_t)m.width * (size_t)m.height;
    float *const got = harness_host(h, cells, sizeof *got), *const want = harness_host(h, cells, sizeof *want);

    move_on_device(h, &m, got);
    move_on_cpu(h, &m, want);
    /* A step rounds values of about 1 a few times (1e-7 each); what it adds goes on moving, so errors of many steps
     * add up like a path with random turns of its speed: steps to the power 3/2. */
    harness_check_floats(h, "membrane", got, want, cells, 0, 1e-7 * pow(m.steps, 1.5) + 1e-7);
}

HARNESS_WORKLOAD_OF("STN", "data/workloads/stencilflags/stencilflags.ptx", run, input_sizes)
