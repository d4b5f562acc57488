/* extrapolate.h - estimate of a program's total from simulated launches, with its confidence interval.
 *
 * The total is the weighted sum. Its variance is that of stratified sampling (W. G. Cochran, "Sampling Techniques", 3rd
 * edition, 1977, theorem 5.3). The squared coefficient of variation of a stratum is
 *
 *     ((n - 1) measured^2 + WS_PRIOR prior^2) / (n - 1 + WS_PRIOR)
 *
 * with `measured` that of its n simulated launches, and `prior` the greater of the list's value for the stratum and the
 * pooled value of simulated launches of all strata, because one or two launches give little evidence. The interval is
 * Student's t with Satterthwaite's degrees of freedom (Cochran, section 5.4), n - 1 + WS_PRIOR for each stratum.
 * Completely simulated strata add no variance. */
#ifndef WS_EXTRAPOLATE_H
#define WS_EXTRAPOLATE_H

#include "model/sample/launch_list.h"

enum { WS_PRIOR = 4 };

/* Estimates *total from value[i * stride], the value of listed[i]. *bound is half of the interval at that confidence;
 * infinite if the spread of an incompletely simulated stratum is unknown. WS_EMEM. */
int ws_extrapolate(const ws_listed_launch *listed, size_t n, const double *value, size_t stride, double confidence,
                   double *total, double *bound);

#endif
