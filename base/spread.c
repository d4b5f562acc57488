/* spread.c - see spread.h. */
#include "base/spread.h"

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

static double scaled(const ws_spread *s, double x)
{
    return (scalbn(x, -s->exponent) - s->middle) / s->half;
}

bool ws_spread_measure(const double *value, size_t n, size_t stride, ws_spread *out)
{
    double least = value[0], most = value[0];
    for (size_t i = 1; i < n; i++) {
        least = fmin(least, value[i * stride]);
        most = fmax(most, value[i * stride]);
    }
    if (least == most)
        return false;
    /* By a power of two to magnitudes up to 1, which is exact; then by the middle and half the range. */
    ws_spread s = {0};
    frexp(fmax(fabs(least), fabs(most)), &s.exponent);
    const double low = scalbn(least, -s.exponent), high = scalbn(most, -s.exponent);
    s.middle = low / 2 + high / 2;
    s.half = high / 2 - low / 2;
    sum total = {0}, squares = {0};
    for (size_t i = 0; i < n; i++)
        add(&total, scaled(&s, value[i * stride]));
    s.mean = (total.high + total.low) / (double)n;
    for (size_t i = 0; i < n; i++) {
        const double from_mean = scaled(&s, value[i * stride]) - s.mean;
        add(&squares, from_mean * from_mean);
    }
    s.deviation = sqrt((squares.high + squares.low) / (double)(n - 1));
    *out = s;
    return true;
}

double ws_spread_score(const ws_spread *s, double x)
{
    return (scaled(s, x) - s->mean) / s->deviation;
}

bool ws_spread_scores(const double *value, size_t n, size_t stride, double *score)
{
    ws_spread s;
    if (!ws_spread_measure(value, n, stride, &s))
        return false;
    for (size_t i = 0; i < n; i++)
        score[i * stride] = ws_spread_score(&s, value[i * stride]);
    return true;
}

bool ws_spread_unit(const double *value, size_t n, size_t stride, double *unit)
{
    const double length = sqrt((double)n - 1);
    ws_spread s;
    if (!ws_spread_measure(value, n, stride, &s))
        return false;
    for (size_t i = 0; i < n; i++)
        unit[i] = ws_spread_score(&s, value[i * stride]) / length;
    return true;
}

double ws_spread_relative(const ws_spread *s)
{
    return s->half / (fabs(s->middle) + s->half);
}
