/* allocate.c - how many launches of each stratum?
 *
 * The total of a stratum of N launches with times of mean m and deviation s, of which n are drawn, has the variance N^2
 * s^2 (1 - n/N) / n; for a given sum of variances, n in proportion to N s / sqrt(cost of a launch) costs least: J.
 * Neyman, "On the Two Different Aspects of the Representative Method", Journal of the Royal Statistical Society 97,
 * 1934; with costs W. G. Cochran, "Sampling Techniques", 3rd edition, 1977, section 5.5. A launch costs its time. */
#include "model/sample/sampling_internal.h"

#include <math.h>

enum { HALVINGS = 200 };

double allocate_error(const ws_allocation *a, double quantile)
{
    return quantile * a->time * a->spread * sqrt(1.0 / (double)a->chosen - 1.0 / (double)a->launches);
}

/* The bound when the strata get `factor` times their proportion, rounded up. */
static double take(ws_allocation *a, size_t n, double quantile, double factor)
{
    double squares = 0;
    for (size_t i = 0; i < n; i++) {
        const double launches = (double)a[i].launches;
        const double wanted = ceil(factor * a[i].spread * sqrt(a[i].time * launches));
        a[i].chosen = !(wanted > 1) ? 1 : wanted < launches ? (size_t)wanted : a[i].launches;
        const double error = allocate_error(&a[i], quantile);
        squares += error * error;
    }
    return sqrt(squares);
}

double allocate_launches(ws_allocation *a, size_t n, double total, double error, double quantile)
{
    double low = 0, high = 1, bound = take(a, n, quantile, 0);
    if (bound <= error * total)
        return bound / total;
    double all = 0; /* a factor with which every stratum is taken whole */
    for (size_t i = 0; i < n; i++)
        if (a[i].spread > 0 && a[i].time > 0)
            all = fmax(all, (double)a[i].launches / (a[i].spread * sqrt(a[i].time * (double)a[i].launches)));
    high = all * 2;
    for (int i = 0; i < HALVINGS && low < high; i++) {
        const double middle = low + (high - low) / 2;
        if (middle <= low || middle >= high)
            break;
        if (take(a, n, quantile, middle) <= error * total)
            high = middle;
        else
            low = middle;
    }
    return take(a, n, quantile, high) / total;
}
