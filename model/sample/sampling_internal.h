/* sampling_internal.h - shared parts of sampling methods. */
#ifndef WS_SAMPLING_INTERNAL_H
#define WS_SAMPLING_INTERNAL_H

#include "model/sample/sampling.h"

#define METHOD(name, counts, bounded, meaning) extern int method_##name(ws_sample_plan *plan);
#include "model/sample/methods.def"
#undef METHOD

/* Clears the selection and the strata. */
void sampling_start(ws_sample_plan *plan);

/* Returns the standard deviation over the mean of the values (population, not sample); 0 for fewer than two, or if all
 * are 0. */
double sampling_spread(const double *value, size_t n);

/* Returns launches ordered by kernel, and by number within a kernel. The caller frees it; NULL: out of memory. */
size_t *sampling_by_kernel(const ws_sample_plan *plan);

/* Adds a stratum of these launches, which are in order of their numbers. WS_EMEM. */
int sampling_add_stratum(ws_sample_plan *plan, const size_t *launch, size_t n, double spread);

/* Returns a random number, 0 <= result < n, n > 0, and advances the state. */
size_t sampling_draw(uint64_t *state, size_t n);

/* Splits n values into classes: class_of[i] from 0, in rising order of values. It uses the fewest classes for which
 * each class has a spread of at most `most`, at the least sum of squares of their logarithms (exact, except that values
 * closer than a thousandth count as one). *classes is their number. WS_EMEM. */
int split_optimal(const double *value, size_t n, double most, size_t *class_of, size_t *classes);

/* Splits at the minima of a kernel density estimate, with shrinking bandwidth until each class has a spread below
 * `most`. WS_EMEM. */
int split_density(const double *value, size_t n, double most, size_t *class_of, size_t *classes);

/* Computes the launches to select of each stratum so that the total's interval is at most error * total: at least 1, at
 * most all, in proportion to launches * spread * square root of a launch's time, which costs least (Neyman, with
 * costs). `quantile` as ws_sample_quantile. Returns half of the relative interval. */
typedef struct ws_allocation {
    size_t launches; /* input */
    double time, spread;
    size_t chosen; /* output */
} ws_allocation;
double allocate_launches(ws_allocation *stratum, size_t n, double total, double error, double quantile);

/* Returns half of the interval of a stratum's total. */
double allocate_error(const ws_allocation *stratum, double quantile);

#endif
