/* estimator.h - the mean of one outcome over all rows, from its values for a few members and the base machine's values
 * for all rows; with its variance and interval.
 *
 * Estimate = y + b (X - x). y and x are the members' weighted means on the new machine and on the base, X is the base's
 * mean of all rows. The slope b is 0 (plain), 1 (difference), y / x (ratio) or that of a regression, shrunk
 * (regression): Cochran, Sampling Techniques (1977), chapters 6 and 7; Sarndal, Swensson and Wretman, Model Assisted
 * Survey Sampling (1992), chapters 6 and 7. */
#ifndef WS_ESTIMATOR_H
#define WS_ESTIMATOR_H

#include <stdbool.h>
#include <stddef.h>

typedef enum ws_estimator {
#define ESTIMATOR(name, slope, parameters, least, meaning) WS_ESTIMATOR_##name,
#include "cluster/estimator.def"
#undef ESTIMATOR
    WS_ESTIMATORS
} ws_estimator;

const char *ws_estimator_name(ws_estimator estimator);

/* Ridge of the regression: the slope is S_xy / ((1 + ridge) S_xx), with sums of squares around the members' means. */
#define WS_ESTIMATOR_RIDGE 0.1

/* Members of a set of `rows` rows. Weights are 0 or more, in any scale; members with weight 0 are ignored. */
typedef struct ws_sample {
    size_t members, rows;
    const double *weight; /* [members] */
    const double *share;  /* [members] parts that the members' values have in the mean of all rows; NULL: 1 / rows */
    double shares;        /* sum of the squares of the shares of all rows; used with `share` */
    const double *chance; /* [members] probability of inclusion in 0..1, if members were drawn; NULL if they were chosen
                             otherwise. The weights of drawn members are 1 / chance. */
} ws_sample;

/* Returns whether the estimator is defined for these members: enough of them, and for the ratio values on the base that
 * are 0 or more and not all 0. `base` NULL: only plain is. */
bool ws_estimator_applies(ws_estimator estimator, const ws_sample *sample, const double *base);

/* Estimate from value[members] and base[members], with the base's mean over all rows. `base` may be NULL for plain.
 * Stores the slope unless `slope` is NULL. The estimator must apply. */
double ws_estimator_mean(ws_estimator estimator, const ws_sample *sample, const double *base, double base_mean,
                         const double *value, double *slope);

/* Sets *error to the root of the mean square of the members' errors when each is estimated from the others, weighted.
 * WS_EMEM. */
int ws_estimator_left_out(ws_estimator estimator, const ws_sample *sample, const double *base, const double *value,
                          double *error);

/* Cross-validation. Sets error[WS_ESTIMATORS], NaN for an estimator that does not apply, and *best to the one with the
 * least; of equal errors the earliest. The error is that of ws_estimator_left_out times the reach, the root of the sum
 * of (w g)^2 over the sum of w^2, at least 1: an estimate for a base mean far from the members' is worse than estimates
 * for members. Values that do not vary on the base leave only plain. WS_EMEM. */
int ws_estimator_choose(const ws_sample *sample, const double *base, double base_mean, const double *value,
                        double *error, ws_estimator *best);

typedef struct ws_interval {
    double mean, slope;
    double deviation; /* standard error of the mean; NaN without a degree of freedom */
    double freedom;   /* degrees of freedom of Student's t */
} ws_interval;

/* Estimate and standard error. With weights w of sum 1, the estimate is the sum of w g value (difference: plus a
 * constant) with g = 1 (plain, difference), X / x (ratio), 1 + (X - x) (x_i - x) / ((1 + ridge) sum w (x_i - x)^2)
 * (regression). Residuals e are value - y - b (x_i - x).
 *
 * Drawn members: Hajek's variance for a fixed size and unequal probabilities p (Hajek 1964; Matei and Tille 2005), of
 * residuals weighted by g (Sarndal, Swensson and Wretman 1992, section 6.6). With m members of p < 1, N' = sum of 1 /
 * p, V = m / (m - parameters) sum (1 - p) (g e / p - A)^2 / N'^2,   A = sum (1 - p) g e / p / sum (1 - p). Equal
 * chances n / N give (1 - n / N) s^2 / n; small ones the estimator of Hansen and Hurwitz (1943).
 *
 * Chosen members: the variance of the error if the residuals of all rows are alike and independent,
 *     V = s^2 (sum (w g)^2 - 2 sum w g u + sum over all rows of u^2),   s^2 = n / (n - parameters) sum w e^2,
 * with shares u = 1 / N unless rows differ in importance.
 * Equal weights of plain give (1 - n / N) s^2 / n. WS_EMEM. */
int ws_estimator_interval(ws_estimator estimator, const ws_sample *sample, const double *base, double base_mean,
                          const double *value, ws_interval *out);

/* Returns half the width of the interval of that confidence, 0..1, by Student's t: infinite without a degree of
 * freedom, NaN deviation. */
double ws_interval_half(const ws_interval *interval, double confidence);

#endif
