/* hotspot3d.c - H3D: what stays in a cache of layers that a launch writes and the next reads? Host side of
 * hotspot3d.cu. */
#include "data/workloads/harness/matrix.h"

enum { TILE_X = 64, TILE_Y = 4 };

/* A chip and its materials, as in K. Skadron, M. Stan et al., Temperature-Aware Microarchitecture: Modeling and
 * Implementation, 2004, and the programs of the suite Rodinia: watts a kelvin a metre, joules a kelvin a cubic metre,
 * metres. */
static const double CONDUCTIVITY = 100, HEAT_OF_SILICON = 1.75e6, CHIP_SIDE = 0.016, CHIP_THICKNESS = 0.0005,
                    AMBIENT = 80;
static const double FACTOR_CHIP = 0.5;      /* what of a cell's heat capacity counts */
static const double POWER_DENSITY = 3e6;    /* at most, watts a square metre */
static const double STABLE = 0.8;           /* of the longest step that does not run away */
static const double COOLING_OF_LAYER = 0.1; /* heat to the ambient, to that to the layer above */

static const harness_size input_sizes[] = {
    {"width", "cells of a layer along x", {37, 96, 512}, 1, 4096, 1},
    {"depth", "cells of a layer along y", {21, 80, 512}, 1, 4096, 1},
    {"layers", "layers", {3, 8, 8}, 1, 64, 1},
    {"steps", "steps of time, a launch each", {3, 6, 20}, 1, 1000, 1},
    {0},
};

/* As in hotspot3d.cu. */
typedef struct shares {
    float across, along, upward, own, per_watt, of_ambient, ambient;
} shares;

typedef struct stack {
    long wide, deep, layers;
    size_t cells;
} stack;

/* Heat flows by the gradient through a cell's faces; the step in time is as long as the fastest of these allows. */
static shares derive(const stack *s)
{
    const double dx = CHIP_SIDE / (double)s->wide, dy = CHIP_SIDE / (double)s->deep,
                 dz = CHIP_THICKNESS / (double)s->layers;
    const double capacity = FACTOR_CHIP * HEAT_OF_SILICON * dx * dy * dz;
    const double across = CONDUCTIVITY * dy * dz / dx, along = CONDUCTIVITY * dx * dz / dy,
                 upward = CONDUCTIVITY * dx * dy / dz;
    const double out = COOLING_OF_LAYER * upward, step = STABLE * capacity / (2 * (across + along + upward) + out),
                 gain = step / capacity;
    return (shares){.across = (float)(gain * across),
                    .along = (float)(gain * along),
                    .upward = (float)(gain * upward),
                    .own = (float)(1 - gain * (2 * (across + along + upward) + out)),
                    .per_watt = (float)gain,
                    .of_ambient = (float)(gain * out),
                    .ambient = (float)AMBIENT};
}

/* The element at x, y, z, or the nearest inside. */
static double look(const double *t, const stack *s, long x, long y, long z)
{
    x = x < 0 ? 0 : x < s->wide ? x : s->wide - 1;
    y = y < 0 ? 0 : y < s->deep ? y : s->deep - 1;
    z = z < 0 ? 0 : z < s->layers ? z : s->layers - 1;
    return t[(z * s->deep + y) * s->wide + x];
}

static void step_on_cpu(double *to, const double *from, const float *power, const stack *s, const shares *c)
{
    for (long z = 0, at = 0; z < s->layers; z++)
        for (long y = 0; y < s->deep; y++)
            for (long x = 0; x < s->wide; x++, at++)
                to[at] = (double)c->own * from[at] +
                         (double)c->across * (look(from, s, x - 1, y, z) + look(from, s, x + 1, y, z)) +
                         (double)c->along * (look(from, s, x, y - 1, z) + look(from, s, x, y + 1, z)) +
                         (double)c->upward * (look(from, s, x, y, z - 1) + look(from, s, x, y, z + 1)) +
                         (double)c->per_watt * (double)power[at] + (double)c->of_ambient * AMBIENT;
}

static void heat_on_cpu(harness *h, const stack *s, const float *power, const shares *c, long steps, float *temperature)
{
    double *from = harness_host(h, s->cells, sizeof *from), *to = harness_host(h, s->cells, sizeof *to);
    for (size_t i = 0; i < s->cells; i++)
        from[i] = temperature[i];
    for (; steps > 0; steps--) {
        step_on_cpu(to, from, power, s, c);
        double *const swap = from;
        from = to;
        to = swap;
    }
    for (size_t i = 0; i < s->cells; i++)
        temperature[i] = (float)from[i];
}

static void run(harness *h)
{
    stack s = {.wide = harness_get_size(h, "width"),
               .deep = harness_get_size(h, "depth"),
               .layers = harness_get_size(h, "layers")};
    s.cells = (size_t)(s.wide * s.deep * s.layers);
    const long steps = harness_get_size(h, "steps");
    const double area = CHIP_SIDE * CHIP_SIDE / (double)(s.wide * s.deep);
    float *const want = harness_random_floats(h, s.cells, 40, 90), *const got = harness_host(h, s.cells, sizeof *got);
    const float *const power = harness_random_floats(h, s.cells, 0, POWER_DENSITY * area / (double)s.layers);
    const size_t bytes = s.cells * sizeof *got;
    CUdeviceptr d_power = harness_upload(h, power, bytes), from = harness_upload(h, want, bytes),
                to = harness_device(h, bytes);
    shares c = derive(&s);
    int wide = (int)s.wide, deep = (int)s.deep, layers = (int)s.layers;

    for (long step = 0; step < steps; step++) {
        HARNESS_LAUNCH(h, harness_kernel(h, "h3d_step"),
                       HARNESS_DIM(harness_blocks(wide, TILE_X), harness_blocks(deep, TILE_Y)),
                       HARNESS_DIM(TILE_X, TILE_Y), 0, &d_power, &from, &to, &wide, &deep, &layers, &c);
        harness_swap(&from, &to);
    }
    harness_download(h, got, from, bytes);
    heat_on_cpu(h, &s, power, &c, steps, want);
    /* Shares are positive and add up to one: a step adds its own ten roundings, and takes former ones over as they are.
     */
    harness_check_floats(h, "temperature", got, want, s.cells, 1e-6 + 6e-7 * sqrt((double)steps), 0);
}

HARNESS_WORKLOAD_OF("H3D", "data/workloads/hotspot3d/hotspot3d.ptx", run, input_sizes)
