/* estimator.c - see estimator.h. */
#include "cluster/estimator.h"

#include "base/status.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sums of weights that differ by less, relative to their terms, are equal. */
static const double NOTHING = 1e-12;

/* The members' values, summed up for the slopes. */
typedef struct moments {
    double x, y;   /* weighted means on the base and on the new machine */
    double xx, xy; /* weighted means of squares and products around them */
} moments;

static double plain_slope(const moments *m)
{
    (void)m;
    return 0;
}

static double difference_slope(const moments *m)
{
    (void)m;
    return 1;
}

static double ratio_slope(const moments *m)
{
    return m->y / m->x;
}

static double regression_slope(const moments *m)
{
    return m->xx > 0 ? m->xy / ((1 + WS_ESTIMATOR_RIDGE) * m->xx) : 0;
}

static const struct estimator {
    const char *name;
    size_t parameters, least;
    double (*slope)(const moments *m);
} estimators[WS_ESTIMATORS] = {
#define ESTIMATOR(id, slope, parameters, least, meaning) [WS_ESTIMATOR_##id] = {#id, parameters, least, slope},
#include "cluster/estimator.def"
#undef ESTIMATOR
};

const char *ws_estimator_name(ws_estimator e)
{
    return estimators[e].name;
}

static size_t count_weighted(const ws_sample *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->members; i++)
        n += s->weight[i] > 0;
    return n;
}

/* Members with a weight and, if drawn, a chance below 1. */
static size_t count_free(const ws_sample *s)
{
    size_t n = 0;
    for (size_t i = 0; s->chance && i < s->members; i++)
        n += s->weight[i] > 0 && s->chance[i] < 1;
    return s->chance ? n : count_weighted(s);
}

static moments find_moments(const ws_sample *s, const double *base, const double *value)
{
    const size_t n = s->members;
    moments m = {.y = gsl_stats_wmean(s->weight, 1, value, 1, n)};
    double total = 0;
    if (!base)
        return m;
    m.x = gsl_stats_wmean(s->weight, 1, base, 1, n);
    for (size_t i = 0; i < n; i++) {
        total += s->weight[i];
        m.xx += s->weight[i] * (base[i] - m.x) * (base[i] - m.x);
        m.xy += s->weight[i] * (base[i] - m.x) * (value[i] - m.y);
    }
    m.xx /= total;
    m.xy /= total;
    return m;
}

bool ws_estimator_applies(ws_estimator e, const ws_sample *s, const double *base)
{
    if (e == WS_ESTIMATOR_plain)
        return count_weighted(s) > 0;
    const size_t free_members = count_free(s);
    /* Of drawn members those of chance 1 add nothing to the variance, but their values make the slope. */
    if (!base || count_weighted(s) < estimators[e].least || free_members <= estimators[e].parameters)
        return false;
    double most = 0;
    for (size_t i = 0; i < s->members; i++) {
        if (e == WS_ESTIMATOR_ratio && s->weight[i] > 0 && base[i] < 0)
            return false;
        most = fmax(most, s->weight[i] > 0 ? fabs(base[i]) : 0);
    }
    return most > 0;
}

double ws_estimator_mean(ws_estimator e, const ws_sample *s, const double *base, double base_mean, const double *value,
                         double *slope)
{
    const moments m = find_moments(s, base, value);
    const double b = estimators[e].slope(&m);
    if (slope)
        *slope = b;
    return b == 0 ? m.y : m.y + b * (base_mean - m.x);
}

int ws_estimator_left_out(ws_estimator e, const ws_sample *s, const double *base, const double *value, double *error)
{
    double *const weight = malloc((s->members + 1) * sizeof *weight), total = 0, squares = 0;
    if (!weight)
        return ws_fail(WS_EMEM, "no memory to leave members out");
    memcpy(weight, s->weight, s->members * sizeof *weight);
    const ws_sample others = {.members = s->members, .rows = s->rows, .weight = weight};
    for (size_t i = 0; i < s->members; i++) {
        if (!(s->weight[i] > 0))
            continue;
        weight[i] = 0;
        const moments m = find_moments(&others, base, value);
        const double b = e == WS_ESTIMATOR_ratio && m.x == 0 ? 0 : estimators[e].slope(&m);
        const double off = m.y + (b == 0 ? 0 : b * (base[i] - m.x)) - value[i];
        weight[i] = s->weight[i];
        squares += weight[i] * off * off;
        total += weight[i];
    }
    free(weight);
    *error = sqrt(squares / total);
    return WS_OK;
}

static bool varies(const ws_sample *s, const double *base)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; base && i < s->members; i++) {
        low = s->weight[i] > 0 ? fmin(low, base[i]) : low;
        high = s->weight[i] > 0 ? fmax(high, base[i]) : high;
    }
    return low < high;
}

/* influence[i] is w g: what the estimate gains if the value of member i grows by 1. */
static void find_influence(ws_estimator e, const ws_sample *s, const double *base, double base_mean, double *influence)
{
    const moments m = find_moments(s, base, s->weight);
    double total = 0;
    for (size_t i = 0; i < s->members; i++)
        total += s->weight[i];
    for (size_t i = 0; i < s->members; i++) {
        double g = 1;
        if (e == WS_ESTIMATOR_ratio)
            g = base_mean / m.x;
        if (e == WS_ESTIMATOR_regression && m.xx > 0)
            g += (base_mean - m.x) * (base[i] - m.x) / ((1 + WS_ESTIMATOR_RIDGE) * m.xx);
        influence[i] = s->weight[i] / total * g;
    }
}

/* How much farther the base's mean is from the members than they are from each other. */
static double reach(const ws_sample *s, const double *influence)
{
    double total = 0, plain = 0, squares = 0;
    for (size_t i = 0; i < s->members; i++) {
        total += s->weight[i];
        plain += s->weight[i] * s->weight[i];
        squares += influence[i] * influence[i];
    }
    return fmax(1, sqrt(squares / plain) * total);
}

int ws_estimator_choose(const ws_sample *s, const double *base, double base_mean, const double *value, double *error,
                        ws_estimator *best)
{
    const bool informs = varies(s, base);
    double *const influence = calloc(s->members + 1, sizeof *influence);
    int rc = influence ? WS_OK : ws_fail(WS_EMEM, "no memory to compare estimators");
    *best = WS_ESTIMATOR_plain;
    for (int e = 0; rc == WS_OK && e < WS_ESTIMATORS; e++) {
        error[e] = NAN;
        if (count_weighted(s) < 2 || (e != WS_ESTIMATOR_plain && !informs) ||
            !ws_estimator_applies((ws_estimator)e, s, base))
            continue;
        rc = ws_estimator_left_out((ws_estimator)e, s, base, value, &error[e]);
        find_influence((ws_estimator)e, s, base, base_mean, influence);
        error[e] *= reach(s, influence);
        if (error[e] < error[*best])
            *best = (ws_estimator)e;
    }
    free(influence);
    return rc;
}

/* Hajek's variance of the mean of residuals of drawn members. */
static double drawn_variance(const ws_sample *s, const double *influence, const double *residual, size_t parameters,
                             double *freedom)
{
    const size_t m = count_free(s);
    double open = 0, centre = 0, squares = 0;
    *freedom = m > parameters ? (double)(m - parameters) : 0;
    if (m == 0) /* every member was certain: all rows are known */
        return 0;
    for (size_t i = 0; i < s->members; i++) {
        open += 1 - s->chance[i];
        centre += (1 - s->chance[i]) * influence[i] * residual[i];
    }
    for (size_t i = 0; i < s->members; i++) {
        const double off = influence[i] * residual[i] - centre / open; /* w g e with w = 1 / (p N') */
        squares += (1 - s->chance[i]) * off * off;
    }
    return *freedom > 0 ? (double)m / *freedom * squares : NAN;
}

/* The variance if the residuals of chosen members are like those of the other rows. */
static double chosen_variance(const ws_sample *s, const double *influence, const double *residual, size_t parameters,
                              double *freedom)
{
    const size_t n = count_weighted(s);
    double total = 0, squares = 0, alike = s->share ? s->shares : 1 / (double)s->rows;
    *freedom = n > parameters ? (double)(n - parameters) : 0;
    for (size_t i = 0; i < s->members; i++)
        total += s->weight[i];
    for (size_t i = 0; i < s->members; i++) {
        squares += s->weight[i] / total * residual[i] * residual[i];
        alike += influence[i] * influence[i] - 2 * influence[i] * (s->share ? s->share[i] : 1 / (double)s->rows);
    }
    if (alike < NOTHING / (double)s->rows) /* all rows, equally: nothing is unknown */
        return 0;
    return *freedom > 0 ? (double)n / *freedom * squares * alike : NAN;
}

int ws_estimator_interval(ws_estimator e, const ws_sample *s, const double *base, double base_mean, const double *value,
                          ws_interval *out)
{
    double *const residual = calloc(2 * s->members + 1, sizeof *residual), *const influence = residual + s->members;
    if (!residual)
        return ws_fail(WS_EMEM, "no memory for residuals");
    *out = (ws_interval){0};
    out->mean = ws_estimator_mean(e, s, base, base_mean, value, &out->slope);
    const moments m = find_moments(s, base, value);
    for (size_t i = 0; i < s->members; i++)
        residual[i] = value[i] - m.y - (out->slope == 0 ? 0 : out->slope * (base[i] - m.x));
    find_influence(e, s, base, base_mean, influence);
    const size_t parameters = estimators[e].parameters;
    out->deviation = sqrt(s->chance ? drawn_variance(s, influence, residual, parameters, &out->freedom)
                                    : chosen_variance(s, influence, residual, parameters, &out->freedom));
    free(residual);
    return WS_OK;
}

double ws_interval_half(const ws_interval *i, double confidence)
{
    if (i->deviation == 0)
        return 0;
    return i->freedom > 0 ? gsl_cdf_tdist_Pinv((1 + confidence) / 2, i->freedom) * i->deviation : INFINITY;
}
