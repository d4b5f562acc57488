/* sampling_internal.h - what methods of sampling share. */
#ifndef WS_SAMPLING_INTERNAL_H
#define WS_SAMPLING_INTERNAL_H

#include "model/sample/sampling.h"

#define METHOD(name, counts, bounded, meaning) extern int method_##name(ws_sample_plan *plan);
#include "model/sample/methods.def"
#undef METHOD

/* Nothing is chosen, and there are no strata. */
void sampling_start(ws_sample_plan *plan);

/* Standard deviation over mean of the values (population, not sample); 0 of less than two, or when all are 0. */
double sampling_spread(const double *value, size_t n);

/* Launches in order of kernel, those of one kernel in order of their numbers. The caller frees it; NULL when memory is
 * short. */
size_t *sampling_by_kernel(const ws_sample_plan *plan);

/* A new stratum with these launches, in order of their numbers. WS_EMEM. */
int sampling_add_stratum(ws_sample_plan *plan, const size_t *launch, size_t n, double spread);

/* 0 <= result < n, n > 0; the state moves on. */
size_t sampling_draw(uint64_t *state, size_t n);

/* Cuts n values into classes: class_of[i] from 0 on, in rising order of values, so few that each has a spread of at
 * most `most` where the sum of squares of their logarithms is least (exactly, but that values closer than a thousandth
 * count as one). *classes is their number. WS_EMEM. */
int split_optimal(const double *value, size_t n, double most, size_t *class_of, size_t *classes);

/* Cuts where a kernel density estimate is least, with a smaller bandwidth until each class has a spread below `most`.
 * WS_EMEM. */
int split_density(const double *value, size_t n, double most, size_t *class_of, size_t *classes);

/* How many launches of each stratum to take so that the total's interval is at most error * total: at least 1, at most
 * all, in proportion to launches * spread * square root of a launch's time, which is what costs least (Neyman, with
 * costs). `quantile` as ws_sample_quantile. Returns half of the interval, relative. */
typedef struct ws_allocation {
    size_t launches; /* in */
    double time, spread;
    size_t chosen; /* out */
} ws_allocation;
double allocate_launches(ws_allocation *stratum, size_t n, double total, double error, double quantile);

/* Half of the interval of a stratum's total. */
double allocate_error(const ws_allocation *stratum, double quantile);

#endif
