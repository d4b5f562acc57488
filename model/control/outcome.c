/* outcome.c - what is told of a run, and of many: see experiment.h and outcomes.def. */
#include "model/control/experiment_internal.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

enum { SECONDS_PER_HOUR = 3600, ARITHMETIC = false, GEOMETRIC = true };

static const ws_outcome outcomes[] = {
#define OUTCOME(name, unit, mean, value, meaning) {#name, unit, meaning, mean},
#include "model/control/outcomes.def"
#undef OUTCOME
};

const ws_outcome *ws_outcome_at(size_t index)
{
    return index < WS_OUTCOMES ? &outcomes[index] : NULL;
}

/* What is 0 and 0 is the same; a number over 0 is infinitely more. */
static double ratio(double a, double b)
{
    return a == b ? 1 : a / b;
}

void ws_outcome_values(const ws_run *r, const ws_run *b, const ws_run *optimum, double *value)
{
    static const ws_run unknown = {.totals.throughput = NAN};
    const ws_run *const o = optimum ? optimum : &unknown;
    size_t i = 0;
#define OUTCOME(name, unit, mean, expression, meaning) value[i++] = expression;
#include "model/control/outcomes.def"
#undef OUTCOME
}

/* ------------------------------------------------------------------------------------------------ means */

typedef struct range {
    size_t first, end;
} range;

static range range_of(long which, size_t count)
{
    return which == WS_EXPERIMENT_ALL ? (range){0, count} : (range){(size_t)which, (size_t)which + 1};
}

/* Mean over the supplies and loads in one seed; of logarithms for what is averaged geometrically. */
static double mean_of(const ws_experiment_result *r, range sources, range loads, size_t policy, size_t seed,
                      size_t outcome)
{
    double sum = 0;
    for (size_t s = sources.first; s < sources.end; s++)
        for (size_t l = loads.first; l < loads.end; l++) {
            const double v = ws_experiment_at(r, s, l, policy, seed)[outcome];
            sum += outcomes[outcome].geometric ? log(v) : v;
        }
    return sum / (double)((sources.end - sources.first) * (loads.end - loads.first));
}

/* Student, The probable error of a mean (1908). */
static double half_width(double squares, size_t n)
{
    if (n < 2)
        return NAN;
    const double deviation = sqrt(squares / (double)(n - 1));
    return gsl_cdf_tdist_Pinv(0.975, (double)(n - 1)) * deviation / sqrt((double)n);
}

static ws_estimate estimate_of(double mean, double half, bool geometric)
{
    if (geometric)
        return (ws_estimate){exp(mean), exp(mean - half), exp(mean + half)};
    return (ws_estimate){mean, mean - half, mean + half};
}

void ws_experiment_estimate(const ws_experiment_result *r, long source, long load, size_t policy, ws_estimate *estimate)
{
    const range sources = range_of(source, r->sources), loads = range_of(load, r->loads);
    for (size_t i = 0; i < WS_OUTCOMES; i++) {
        double mean = 0, squares = 0; /* Welford, Note on a method for calculating corrected sums of squares (1962) */
        for (size_t k = 0; k < r->seeds; k++) {
            const double v = mean_of(r, sources, loads, policy, k, i), off = v - mean;
            mean = k ? mean + off / (double)(k + 1) : v;
            squares += off * (v - mean);
        }
        estimate[i] = estimate_of(mean, half_width(squares, r->seeds), outcomes[i].geometric);
    }
}
