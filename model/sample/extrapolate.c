/* extrapolate.c - weighted sums and their intervals: see extrapolate.h. */
#include "model/sample/extrapolate.h"

#include "base/status.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

static const double most_freedom = 1e6; /* beyond it, t is the normal distribution */

typedef struct stratum {
    double n, launches, spread; /* simulated; of all; as the list says, NaN: it does not */
    double sum, weighted, mean, squares;
} stratum;

static int compare_strata(const void *a, const void *b, void *context)
{
    const ws_listed_launch *const l = context;
    const size_t i = *(const size_t *)a, j = *(const size_t *)b;
    const double x = l[i].stratum, y = l[j].stratum;
    if (isnan(x) || isnan(y)) /* each by itself, behind the others */
        return isnan(x) && isnan(y) ? (i > j) - (i < j) : isnan(x) ? 1 : -1;
    return x != y ? (x > y ? 1 : -1) : (i > j) - (i < j);
}

static stratum sum_up(const ws_listed_launch *l, const size_t *order, size_t n, const double *value, size_t stride)
{
    stratum s = {.n = (double)n, .launches = l[order[0]].launches, .spread = l[order[0]].spread};
    double weights = 0;
    for (size_t i = 0; i < n; i++) {
        const double v = value[order[i] * stride];
        weights += l[order[i]].weight;
        s.sum += v;
        s.weighted += l[order[i]].weight * v;
    }
    s.mean = s.sum / s.n;
    for (size_t i = 0; i < n; i++) {
        const double d = value[order[i] * stride] - s.mean;
        s.squares += d * d;
    }
    if (isnan(s.launches))
        s.launches = fmax(weights, s.n);
    return s;
}

/* Squared coefficient of variation that simulated launches of all strata show together; NaN when none has two. */
static double pool(const stratum *s, size_t n)
{
    double squares = 0, freedom = 0;
    for (size_t i = 0; i < n; i++)
        if (s[i].n > 1 && s[i].mean != 0) {
            squares += s[i].squares / (s[i].mean * s[i].mean);
            freedom += s[i].n - 1;
        }
    return freedom > 0 ? squares / freedom : NAN;
}

static double half_interval(const stratum *s, size_t n, double confidence)
{
    const double pooled = pool(s, n);
    double all = 0, over_freedom = 0;
    for (size_t i = 0; i < n; i++) {
        if (s[i].n >= s[i].launches || s[i].weighted == 0)
            continue;
        const double prior = fmax(s[i].spread * s[i].spread, pooled); /* that of the two that is a number */
        if (isnan(prior))
            return INFINITY;
        const double freedom = s[i].n - 1 + WS_PRIOR;
        const double measured = s[i].mean != 0 ? s[i].squares / (s[i].mean * s[i].mean) : 0;
        const double variance = (measured + WS_PRIOR * prior) / freedom;
        const double part = s[i].weighted * s[i].weighted * variance * (1 - s[i].n / s[i].launches) / s[i].n;
        all += part;
        over_freedom += part * part / freedom;
    }
    if (!(all > 0))
        return isnan(all) ? INFINITY : 0;
    const double freedom = all * (all / over_freedom); /* no number where squares are beyond all numbers */
    return freedom > 0 && freedom < most_freedom ? gsl_cdf_tdist_Pinv(0.5 + confidence / 2, freedom) * sqrt(all)
                                                 : gsl_cdf_ugaussian_Pinv(0.5 + confidence / 2) * sqrt(all);
}

int ws_extrapolate(const ws_listed_launch *l, size_t n, const double *value, size_t stride, double confidence,
                   double *total, double *bound)
{
    size_t *const order = malloc((n + 1) * sizeof *order);
    stratum *const s = malloc((n + 1) * sizeof *s);
    size_t strata = 0;
    *total = *bound = 0;
    if (!order || !s) {
        free(order);
        free(s);
        return ws_fail(WS_EMEM, "no memory to extrapolate launches");
    }
    for (size_t i = 0; i < n; i++) {
        order[i] = i;
        *total += l[i].weight * value[i * stride];
    }
    qsort_r(order, n, sizeof *order, compare_strata, (void *)(uintptr_t)l);
    for (size_t begin = 0, end; begin < n; begin = end) {
        for (end = begin + 1; end < n && l[order[end]].stratum == l[order[begin]].stratum; end++)
            ;
        s[strata++] = sum_up(l, order + begin, end - begin, value, stride);
    }
    *bound = half_interval(s, strata, confidence);
    free(order);
    free(s);
    return WS_OK;
}
