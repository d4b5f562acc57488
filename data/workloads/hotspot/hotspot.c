/* hotspot.c - HS: how much work does a tiled stencil repeat to save launches? Host side of hotspot.cu. */
#include "data/workloads/harness/harness.h"

enum { TILE = 16, PYRAMID = 2 };

/* Thermal model of Huang et al., HotSpot (2006): a slab of silicon, lumped into cells that conduct to their four
 * neighbours and to the surroundings. SI units; temperatures in degrees Celsius. */
static const double chip_side = 0.016, chip_thickness = 0.0005, capacity_factor = 0.5;
static const double conductivity = 100, heat_capacity = 1.75e6, power_density = 3e6, precision = 0.001;

typedef struct coefficients {
    float step_over_capacity, rx_inverse, ry_inverse, rz_inverse, ambient;
} coefficients;

static coefficients derive(long side)
{
    const double cell = chip_side / (double)side;
    const double capacity = capacity_factor * heat_capacity * chip_thickness * cell * cell;
    const double slope = power_density / (capacity_factor * chip_thickness * heat_capacity);
    const double r_side = cell / (2 * conductivity * chip_thickness * cell);
    const double r_up = chip_thickness / (conductivity * cell * cell);
    return (coefficients){(float)(precision / slope / capacity), (float)(1 / r_side), (float)(1 / r_side),
                          (float)(1 / r_up), 80};
}

static float at(const float *t, long side, long y, long x)
{
    y = y < 0 ? 0 : y < side ? y : side - 1;
    x = x < 0 ? 0 : x < side ? x : side - 1;
    return t[y * side + x];
}

static void step_on_cpu(float *to, const float *from, const float *power, long side, const coefficients *c)
{
    for (long y = 0; y < side; y++) {
        for (long x = 0; x < side; x++) {
            const float t = from[y * side + x];
            to[y * side + x] = t + c->step_over_capacity *
                                       (power[y * side + x] +
                                        (at(from, side, y + 1, x) + at(from, side, y - 1, x) - 2 * t) * c->ry_inverse +
                                        (at(from, side, y, x + 1) + at(from, side, y, x - 1) - 2 * t) * c->rx_inverse +
                                        (c->ambient - t) * c->rz_inverse);
        }
    }
}

static void swap_pointers(float **a, float **b)
{
    float *const keep = *a;
    *a = *b;
    *b = keep;
}

static CUdeviceptr heat_on_device(harness *h, const float *power, const float *start, long side, int total,
                                  coefficients c)
{
    const size_t bytes = (size_t)(side * side) * sizeof(float);
    CUdeviceptr d_power = harness_upload(h, power, bytes);
    CUdeviceptr from = harness_upload(h, start, bytes), to = harness_device(h, bytes);
    const CUfunction kernel = harness_kernel(h, "hotspot_steps");
    int d_side = (int)side;

    for (int done = 0; done < total; done += PYRAMID) {
        int steps = total - done < PYRAMID ? total - done : PYRAMID;
        const long inner = TILE - 2 * steps;
        const long blocks = (side + inner - 1) / inner;
        HARNESS_LAUNCH(h, kernel, HARNESS_DIM(blocks, blocks), HARNESS_DIM(TILE, TILE), 0, &d_power, &from, &to,
                       &d_side, &steps, &c.step_over_capacity, &c.rx_inverse, &c.ry_inverse, &c.rz_inverse, &c.ambient);
        harness_swap(&from, &to);
    }
    return from;
}

/* With more cells a step in time is too long for them: temperatures run away. */
static const harness_size input_sizes[] = {
    {"side", "cells of the chip along each side", {40, 300, 150}, 2, 1024, 1},
    {"steps", "steps of time", {5, 15, 20}, 1, 1000, 1},
    {0},
};

static void run(harness *h)
{
    const long side = harness_get_size(h, "side");
    const int total = (int)harness_get_size(h, "steps");
    const size_t n = (size_t)(side * side);
    const coefficients c = derive(side);
    const double cell = chip_side / (double)side;
    float *want = harness_random_floats(h, n, 40, 90), *scratch = harness_host(h, n, sizeof *scratch);
    const float *const power = harness_random_floats(h, n, 0, power_density * chip_thickness * cell * cell);
    float *const got = harness_host(h, n, sizeof *got);

    const CUdeviceptr result = heat_on_device(h, power, want, side, total, c);
    harness_download(h, got, result, n * sizeof *got);
    for (int i = 0; i < total; i++) {
        step_on_cpu(scratch, want, power, side, &c);
        swap_pointers(&want, &scratch);
    }
    /* Fused multiply-adds on the device: the two differ by a few rounding steps of 2^-24 a time step. */
    harness_check_floats(h, "temperature", got, want, n, 5e-6, 0);
}

HARNESS_WORKLOAD_OF("HS", "data/workloads/hotspot/hotspot.ptx", run, input_sizes)
