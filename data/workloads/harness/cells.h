/* cells.h - recurrent networks on the host: sizes, weights, inputs, and the loop over steps. The cell itself is the
 * workload's. */
#ifndef WS_HARNESS_CELLS_H
#define WS_HARNESS_CELLS_H

#include "data/workloads/harness/harness.h"

#include <math.h>

enum { CELL_THREADS = 64, CELL_MOST_GATES = 4 };

#define HARNESS_CELL_SIZES \
    {"inputs", "numbers of an input", {40, 128, 256}, 1, 4096, 1}, {"units", "units", {48, 128, 256}, 1, 4096, 1}, \
        {"samples", "sequences at a time", {2, 4, 8}, 1, 1024, 1}, \
    { \
        "steps", "inputs of a sequence, a launch each", {2, 5, 16}, 1, 1000, 1 \
    }

/* Weights of the input and of former units, and biases, gate by gate as in cells.cuh. Samples stand one behind the
 * other. */
typedef struct harness_cells {
    int gates, inputs, units, samples, steps;
    float *from_input, *from_units, *bias, *input; /* input: steps * samples * inputs */
    CUdeviceptr d_from_input, d_from_units, d_bias, d_input;
} harness_cells;

static inline harness_cells harness_make_cells(harness *h, int gates)
{
    harness_cells c = {.gates = gates,
                       .inputs = (int)harness_get_size(h, "inputs"),
                       .units = (int)harness_get_size(h, "units"),
                       .samples = (int)harness_get_size(h, "samples"),
                       .steps = (int)harness_get_size(h, "steps")};
    const size_t inputs = (size_t)c.inputs, units = (size_t)c.units, biases = (size_t)gates * units;
    const size_t all = (size_t)c.steps * (size_t)c.samples * inputs;
    const double a = 1.5 / sqrt(c.inputs), b = 1.5 / sqrt(c.units); /* so that gates are neither shut nor open */
    c.from_input = harness_random_floats(h, biases * inputs, -a, a);
    c.from_units = harness_random_floats(h, biases * units, -b, b);
    c.bias = harness_random_floats(h, biases, -0.5, 0.5);
    c.input = harness_random_floats(h, all, -1, 1);
    c.d_from_input = harness_upload(h, c.from_input, biases * inputs * sizeof *c.from_input);
    c.d_from_units = harness_upload(h, c.from_units, biases * units * sizeof *c.from_units);
    c.d_bias = harness_upload(h, c.bias, biases * sizeof *c.bias);
    c.d_input = harness_upload(h, c.input, all * sizeof *c.input);
    return c;
}

/* Sums of the gates of a unit in double precision, those over the input and over former units apart. */
static inline void harness_add_gates(const harness_cells *c, const float *input, const double *before, int unit,
                                     double *of_input, double *of_units)
{
    for (int gate = 0; gate < c->gates; gate++) {
        of_input[gate] = (double)c->bias[gate * c->units + unit];
        of_units[gate] = 0;
        for (int k = 0; k < c->inputs; k++)
            of_input[gate] += (double)c->from_input[(gate * c->inputs + k) * c->units + unit] * (double)input[k];
        for (int k = 0; k < c->units; k++)
            of_units[gate] += (double)c->from_units[(gate * c->units + k) * c->units + unit] * before[k];
    }
}

static inline double harness_sigmoid(double x)
{
    return 1 / (1 + exp(-x));
}

/* All sequences in double precision: next() makes a unit of its sums, and may change its memory. */
static inline void harness_run_cells(harness *h, const harness_cells *c,
                                     double (*next)(const double *of_input, const double *of_units, double was,
                                                    double *memory),
                                     float *result)
{
    const size_t units = (size_t)c->units;
    double *before = harness_host(h, units, sizeof *before), *after = harness_host(h, units, sizeof *after);
    double *const memory = harness_host(h, units, sizeof *memory);
    for (int sample = 0; sample < c->samples; sample++) {
        for (size_t u = 0; u < units; u++)
            before[u] = memory[u] = 0;
        for (int step = 0; step < c->steps; step++) {
            for (int u = 0; u < c->units; u++) {
                double of_input[CELL_MOST_GATES], of_units[CELL_MOST_GATES];
                harness_add_gates(c, &c->input[(step * c->samples + sample) * c->inputs], before, u, of_input,
                                  of_units);
                after[u] = next(of_input, of_units, before[u], &memory[u]);
            }
            double *const was = before;
            before = after;
            after = was;
        }
        for (size_t u = 0; u < units; u++)
            result[(size_t)sample * units + u] = (float)before[u];
    }
}

/* How far units may be off: sums of terms of which most cancel, and what former steps were off. */
static inline double harness_cells_tolerance(const harness_cells *c)
{
    return 1e-6 * sqrt(c->inputs + c->units) / 4 + 1e-6 * c->steps;
}

#endif
