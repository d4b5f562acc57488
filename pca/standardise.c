/* standardise.c - how far is each value from its column's mean, in standard deviations? */
#include "pca/pca_internal.h"

#include <math.h>

/* Sum with the lost low parts carried along (Neumaier 1974), so that the order of rows hardly shows in the result. */
typedef struct sum {
    double high, low;
} sum;

static void add(sum *s, double x)
{
    const double t = s->high + x;
    s->low += fabs(s->high) >= fabs(x) ? (s->high - t) + x : (x - t) + s->high;
    s->high = t;
}

bool ws_pca_standardise(const double *value, size_t n, size_t stride, double *z)
{
    double least = value[0], most = value[0];
    for (size_t i = 1; i < n; i++) {
        least = fmin(least, value[i * stride]);
        most = fmax(most, value[i * stride]);
    }
    if (least == most)
        return false;
    /* By a power of two to magnitudes up to 1, which is exact, so that neither 1e300 nor 1e-300 is trouble; then by the
     * middle and half the range to -1..1, so that a large offset costs no digits of the spread. */
    int exponent;
    frexp(fmax(fabs(least), fabs(most)), &exponent);
    const double low = scalbn(least, -exponent), high = scalbn(most, -exponent);
    const double middle = low / 2 + high / 2, half = high / 2 - low / 2;
    sum total = {0}, squares = {0};
    for (size_t i = 0; i < n; i++) {
        z[i * stride] = (scalbn(value[i * stride], -exponent) - middle) / half;
        add(&total, z[i * stride]);
    }
    const double mean = (total.high + total.low) / (double)n;
    for (size_t i = 0; i < n; i++) {
        z[i * stride] -= mean;
        add(&squares, z[i * stride] * z[i * stride]);
    }
    const double deviation = sqrt((squares.high + squares.low) / (double)(n - 1));
    for (size_t i = 0; i < n; i++)
        z[i * stride] /= deviation;
    return true;
}
