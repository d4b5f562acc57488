/* myocyte.c - MYO: potentials of heart muscle cells over time. Host side of myocyte.cu; the CPU solves the same
 * equations by GSL, with another formula and smaller errors. */
#include "data/workloads/harness/harness.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>
#include <math.h>
#include <string.h>

enum { WARP = 32, STAGES = 6 };
/* As in myocyte.cu. */
enum { X1, M, H, J, D, F, GATES, CALCIUM = GATES, POTENTIAL, VARIABLES };

/* As in myocyte.cu. */
typedef struct rate {
    float of_exp, growth, shift, slope, zero, below, plus;
} rate;
typedef struct constants {
    rate opens[GATES], closes[GATES];
    float of_stage[STAGES][STAGES], of_step[STAGES], of_error[STAGES];
    float allowed[VARIABLES];
    float first_step, least_step, stimulus_ends;
} constants;
typedef struct cell {
    float stimulus, slow;
} cell;

/* Beeler and Reuter 1977, table 1, per ms; Fehlberg 1969, table III, whose formula of fifth order takes the step. */
static const constants published = {
    .opens = {[X1] = {0.0005F, 0.083F, 50, 0, 0, 0.057F, 1},
              [M] = {0, 0, 47, -1, 47, -0.1F, -1},
              [H] = {0.126F, -0.25F, 77, 0, 0, 0, 0},
              [J] = {0.055F, -0.25F, 78, 0, 0, -0.2F, 1},
              [D] = {0.095F, -0.01F, -5, 0, 0, -0.072F, 1},
              [F] = {0.012F, -0.008F, 28, 0, 0, 0.15F, 1}},
    .closes = {[X1] = {0.0013F, -0.06F, 20, 0, 0, -0.04F, 1},
               [M] = {40, -0.056F, 72, 0, 0, 0, 0},
               [H] = {1.7F, 0, 22.5F, 0, 0, -0.082F, 1},
               [J] = {0.3F, 0, 32, 0, 0, -0.1F, 1},
               [D] = {0.07F, -0.017F, 44, 0, 0, 0.05F, 1},
               [F] = {0.0065F, -0.02F, 30, 0, 0, -0.2F, 1}},
    .of_stage = {[1] = {1.0F / 4},
                 [2] = {3.0F / 32, 9.0F / 32},
                 [3] = {1932.0F / 2197, -7200.0F / 2197, 7296.0F / 2197},
                 [4] = {439.0F / 216, -8, 3680.0F / 513, -845.0F / 4104},
                 [5] = {-8.0F / 27, 2, -3544.0F / 2565, 1859.0F / 4104, -11.0F / 40}},
    .of_step = {16.0F / 135, 0, 6656.0F / 12825, 28561.0F / 56430, -9.0F / 50, 2.0F / 55},
    .of_error = {1.0F / 360, 0, -128.0F / 4275, -2197.0F / 75240, 1.0F / 50, 2.0F / 55},
    .allowed = {[X1] = 1e-5F, 1e-5F, 1e-5F, 1e-5F, 1e-5F, 1e-5F, [CALCIUM] = 1e-10F, [POTENTIAL] = 1e-3F},
    .first_step = 0.01F,
    .least_step = 1e-5F,
    .stimulus_ends = 1,
};

/* A cell at rest; its gates start in the steady state of this potential. */
static const double resting_potential = -84.57, resting_calcium = 1.8e-7;

static const harness_size input_sizes[] = {
    {"cells", "a block each", {2, 16, 100}, 1, 65536, 1},
    {"milliseconds", "a launch each", {4, 40, 100}, 1, 10000, 1},
    {0},
};

static double rate_at(const rate *r, double v)
{
    const double above = (double)r->of_exp * exp((double)r->growth * (v + (double)r->shift)) +
                         (double)r->slope * (v + (double)r->zero),
                 below = exp((double)r->below * (v + (double)r->shift)) + (double)r->plus;
    return below == 0 ? (double)r->slope / (double)r->below : above / below;
}

/* What the solver asks: derivatives of the variables of a cell, per ms. */
typedef struct question {
    const cell *c;
    double stimulus;
} question;

static int derive(double t, const double y[], double out[], void *context)
{
    (void)t;
    const question *const q = context;
    const double v = y[POTENTIAL], slow = (double)q->c->slow * y[D] * y[F] * (v - (-82.3 - 13.0287 * log(y[CALCIUM]))),
                 from_rest = v + 23,
                 steady = 0.35 * (4 * expm1(0.04 * (v + 85)) / (exp(0.08 * (v + 53)) + exp(0.04 * (v + 53))) +
                                  (from_rest == 0 ? 0.2 / 0.04 : 0.2 * from_rest / -expm1(-0.04 * from_rest))),
                 delayed = y[X1] * 0.8 * expm1(0.04 * (v + 77)) / exp(0.04 * (v + 35)),
                 sodium = (4 * pow(y[M], 3) * y[H] * y[J] + 0.003) * (v - 50);
    for (int i = 0; i < GATES; i++)
        out[i] = rate_at(&published.opens[i], v) * (1 - y[i]) - rate_at(&published.closes[i], v) * y[i];
    out[CALCIUM] = -1e-7 * slow + 0.07 * (1e-7 - y[CALCIUM]);
    out[POTENTIAL] = q->stimulus - steady - delayed - sodium - slow;
    return GSL_SUCCESS;
}

/* All states of a cell, `apart` values apart, from the first. */
static void solve(harness *h, const cell *c, long milliseconds, size_t apart, float *states)
{
    question q = {.c = c};
    const gsl_odeiv2_system equations = {derive, NULL, VARIABLES, &q};
    gsl_odeiv2_driver *const driver =
        gsl_odeiv2_driver_alloc_y_new(&equations, gsl_odeiv2_step_rk8pd, (double)published.first_step, 1e-12, 1e-8);
    if (driver == NULL)
        harness_refuse(h, "no memory for the solver");
    double y[VARIABLES], t = 0;
    for (int i = 0; i < VARIABLES; i++)
        y[i] = (double)states[i];
    int rc = GSL_SUCCESS;
    for (long ms = 0; ms < milliseconds && rc == GSL_SUCCESS; ms++) {
        q.stimulus = ms < (long)published.stimulus_ends ? (double)c->stimulus : 0;
        gsl_odeiv2_driver_reset(driver); /* the stimulus jumps */
        rc = gsl_odeiv2_driver_apply(driver, &t, (double)(ms + 1), y);
        for (int i = 0; i < VARIABLES; i++)
            states[(size_t)(ms + 1) * apart + (size_t)i] = (float)y[i];
    }
    gsl_odeiv2_driver_free(driver);
    if (rc != GSL_SUCCESS)
        harness_refuse(h, "the CPU's solver ends with: %s", gsl_strerror(rc));
}

static void set_first(float *states, long cells)
{
    for (long c = 0; c < cells; c++) {
        float *const y = states + c * VARIABLES;
        for (int i = 0; i < GATES; i++) {
            const double opens = rate_at(&published.opens[i], resting_potential);
            y[i] = (float)(opens / (opens + rate_at(&published.closes[i], resting_potential)));
        }
        y[CALCIUM] = (float)resting_calcium;
        y[POTENTIAL] = (float)resting_potential;
    }
}

/* Variables `from` to before `to` of all states, one behind the other. */
static float *pick(harness *h, const float *states, size_t n, int from, int to)
{
    float *const out = harness_host(h, n * (size_t)(to - from), sizeof *out);
    for (size_t i = 0; i < n; i++)
        memcpy(out + i * (size_t)(to - from), states + i * VARIABLES + (size_t)from, (size_t)(to - from) * sizeof *out);
    return out;
}

static void run(harness *h)
{
    const long cells = harness_get_size(h, "cells"), milliseconds = harness_get_size(h, "milliseconds");
    const size_t apart = (size_t)cells * VARIABLES, n = (size_t)cells * (size_t)(milliseconds + 1);
    cell *const of = harness_host(h, (size_t)cells, sizeof *of);
    float *const got = harness_host(h, n, VARIABLES * sizeof *got),
                 *const want = harness_host(h, n, VARIABLES * sizeof *want),
                 *const steps = harness_host(h, (size_t)cells, sizeof *steps);
    for (long c = 0; c < cells; c++) {
        of[c] = (cell){.stimulus = (float)harness_uniform(h, 30, 50), .slow = (float)harness_uniform(h, 0.07, 0.11)};
        steps[c] = published.first_step;
    }
    set_first(want, cells);

    CUdeviceptr d_constants = harness_upload(h, &published, sizeof published),
                d_cells = harness_upload(h, of, (size_t)cells * sizeof *of),
                d_steps = harness_upload(h, steps, (size_t)cells * sizeof *steps),
                d_states = harness_upload(h, want, n * VARIABLES * sizeof *want);
    const CUfunction advance = harness_kernel(h, "myo_advance");
    for (int ms = 0; ms < milliseconds; ms++) {
        CUdeviceptr before = d_states + (size_t)ms * apart * sizeof *want;
        HARNESS_LAUNCH(h, advance, HARNESS_DIM(cells), HARNESS_DIM(WARP), 0, &d_constants, &d_cells, &before, &d_steps,
                       &ms);
    }
    harness_download(h, got, d_states, n * VARIABLES * sizeof *got);

    for (long c = 0; c < cells; c++)
        solve(h, &of[c], milliseconds, apart, want + c * VARIABLES);
    /* Ten times what a step may err. */
    harness_check_floats(h, "gate", pick(h, got, n, X1, GATES), pick(h, want, n, X1, GATES), n * GATES, 0, 1e-4);
    harness_check_floats(h, "calcium", pick(h, got, n, CALCIUM, CALCIUM + 1), pick(h, want, n, CALCIUM, CALCIUM + 1), n,
                         1e-3, 0);
    harness_check_floats(h, "potential", pick(h, got, n, POTENTIAL, VARIABLES), pick(h, want, n, POTENTIAL, VARIABLES),
                         n, 0, 1e-2);
}

HARNESS_WORKLOAD_OF("MYO", "data/workloads/myocyte/myocyte.ptx", run, input_sizes)
