/* myocyte.cu - MYO: potentials of heart muscle cells over time. After Myocyte of Rodinia (L. Szafaryn, K. Skadron, J. Saucerman, Experiences Accelerating MATLAB
 * Systems Biology Applications, 2009) with a smaller cell, that of G. Beeler and H. Reuter, Reconstruction of the action potential of ventricular myocardial fibres,
 * 1977; code of our own.
 *
 * A block has a cell, and a thread one of its variables: most of a warp is idle, and threads with gates, calcium and potential take turns. A launch takes all cells
 * on by a millisecond, in steps that the embedded formulas of E. Fehlberg, Low-Order Classical Runge-Kutta Formulas with Stepsize Control, 1969, choose. */
#include "../harness/device.h"

enum { X1, M, H, J, D, F, GATES, CALCIUM = GATES, POTENTIAL, VARIABLES, STAGES = 6, WARP = 32 };

/* A rate of a gate at a potential v: (of_exp exp(growth (v + shift)) + slope (v + zero)) / (exp(below (v + shift)) + plus). */
struct rate {
    float of_exp, growth, shift, slope, zero, below, plus;
};
/* Opening and closing of each gate; what a stage takes of the stages before it, what a step takes of all stages, and the difference to the formula of a lower order;
 * for each variable the error that a step may have. */
struct constants {
    rate opens[GATES], closes[GATES];
    float of_stage[STAGES][STAGES], of_step[STAGES], of_error[STAGES];
    float allowed[VARIABLES];
    float first_step, least_step, stimulus_ends; /* ms */
};
/* Per cm2: current of the stimulus (uA), and conductance for the slow current (mS). */
struct cell {
    float stimulus, slow;
};

/* x / (1 - exp(-by x)), which has a limit at 0. */
DEVICE float leaving(float x, float by)
{
    const float below = 1 - __expf(-by * x);
    return below == 0 ? 1 / by : x / below;
}

DEVICE float rate_at(const rate *r, float v)
{
    const float above = r->of_exp * __expf(r->growth * (v + r->shift)) + r->slope * (v + r->zero),
                below = __expf(r->below * (v + r->shift)) + r->plus;
    return below == 0 ? r->slope / r->below : above / below;
}

DEVICE float slow_current(const cell *c, const float *y)
{
    const float reversal = -82.3f - 13.0287f * __logf(y[CALCIUM]);
    return c->slow * y[D] * y[F] * (y[POTENTIAL] - reversal);
}

/* Derivative of a variable, per ms. */
DEVICE float derive(const constants *k, const cell *c, const float *y, int variable, float stimulus)
{
    const float v = y[POTENTIAL];
    if (variable < GATES)
        return rate_at(&k->opens[variable], v) * (1 - y[variable]) - rate_at(&k->closes[variable], v) * y[variable];
    if (variable == CALCIUM)
        return -1e-7f * slow_current(c, y) + 0.07f * (1e-7f - y[CALCIUM]);
    const float steady = 0.35f * (4 * (__expf(0.04f * (v + 85)) - 1) / (__expf(0.08f * (v + 53)) + __expf(0.04f * (v + 53))) + 0.2f * leaving(v + 23, 0.04f)),
                delayed = y[X1] * 0.8f * (__expf(0.04f * (v + 77)) - 1) / __expf(0.04f * (v + 35)),
                sodium = (4 * y[M] * y[M] * y[M] * y[H] * y[J] + 0.003f) * (v - 50);
    return stimulus - steady - delayed - sodium - slow_current(c, y);
}

/* states: those of all cells before the launch's millisecond, and behind them those after it. steps: the step that each cell takes next, ms. */
KERNEL __launch_bounds__(WARP) myo_advance(const constants *k, const cell *cells, float *states, float *steps, int millisecond)
{
    __shared__ float y[VARIABLES], trial[VARIABLES], slope[STAGES][VARIABLES], worst[VARIABLES];
    const cell *const c = &cells[blockIdx.x];
    const int i = threadIdx.x;
    const bool has = i < VARIABLES;
    const float stimulus = millisecond < k->stimulus_ends ? c->stimulus : 0;
    float done = 0, step = steps[blockIdx.x];

    if (has)
        y[i] = states[blockIdx.x * VARIABLES + i];
    while (done < 1) {
        const float now = fminf(step, 1 - done);
        for (int s = 0; s < STAGES; s++) {
            if (has) {
                float at = y[i];
                for (int r = 0; r < s; r++)
                    at += now * k->of_stage[s][r] * slope[r][i];
                trial[i] = at;
            }
            __syncthreads();
            if (has)
                slope[s][i] = derive(k, c, trial, i, stimulus);
            __syncthreads();
        }
        float change = 0, error = 0;
        if (has) {
            for (int s = 0; s < STAGES; s++) {
                change += now * k->of_step[s] * slope[s][i];
                error += now * k->of_error[s] * slope[s][i];
            }
            worst[i] = fabsf(error) / k->allowed[i];
        }
        __syncthreads();
        error = worst[0];
        for (int r = 1; r < VARIABLES; r++)
            error = fmaxf(error, worst[r]);
        const bool good = error <= 1 || now <= k->least_step;
        if (good) {
            if (has)
                y[i] += change;
            done = now < step ? 1 : done + now; /* a step that was cut off ends the millisecond */
        }
        /* A step that was cut off and was good says nothing of the next. */
        if (!good || now == step)
            step = fmaxf(now * fminf(fmaxf(0.9f * powf(fmaxf(error, 1e-6f), -0.2f), 0.2f), 4), k->least_step);
        __syncthreads();
    }
    if (has)
        states[(gridDim.x + blockIdx.x) * VARIABLES + i] = y[i];
    if (i == 0)
        steps[blockIdx.x] = step;
}
