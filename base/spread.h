/* spread.h - mean and standard deviation of a column, and standard scores, at any magnitude. */
#ifndef WS_SPREAD_H
#define WS_SPREAD_H

#include <stdbool.h>
#include <stddef.h>

/* Values scaled to -1..1, so that neither extreme magnitudes (1e300, 1e-300) nor a large offset cost digits: (x *
 * 2^-exponent - middle) / half. Mean and deviation are those of the scaled values. */
typedef struct ws_spread {
    int exponent;
    double middle, half, mean, deviation;
} ws_spread;

/* Measures value[i * stride], i < n, n > 1, all finite; the deviation has n - 1 in its denominator. Returns false, with
 * *out unchanged, if all values are equal. */
bool ws_spread_measure(const double *value, size_t n, size_t stride, ws_spread *out);

/* Returns the standard score of x: its distance from the mean in standard deviations; infinite beyond the range of
 * double. */
double ws_spread_score(const ws_spread *s, double x);

/* Sets score[i * stride], i < n, n > 1, to the standard score of value[i * stride] among the values; `score` may be
 * `value`. Returns false, with score unchanged, if all values are equal. */
bool ws_spread_scores(const double *value, size_t n, size_t stride, double *score);

/* Sets unit[i], i < n, to value[i * stride] minus the mean, scaled to a vector of length 1. The inner product of two
 * such vectors is the correlation of their values (K. Pearson, 1895). `unit` may be `value` if stride is 1. Returns
 * false, with unit unchanged, if all values are equal. */
bool ws_spread_unit(const double *value, size_t n, size_t stride, double *unit);

/* Returns half the range of the values over their largest magnitude, 0 to 1. */
double ws_spread_relative(const ws_spread *s);

#endif
