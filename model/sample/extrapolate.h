/* extrapolate.h - what do simulated launches say of all, and how far can it be off?
 *
 * The total is the weighted sum. Its variance is that of stratified sampling (W. G. Cochran, "Sampling Techniques", 3rd
 * edition, 1977, theorem 5.3) with, for each stratum, the squared coefficient of variation
 *
 *     ((n - 1) measured^2 + WS_PRIOR prior^2) / (n - 1 + WS_PRIOR)
 *
 * where `measured` is that of its n simulated launches, and `prior` the greater of what the list says of the stratum
 * and of what simulated launches of all strata say together: one launch, or two, say little by themselves. The interval
 * is that of Student's t with the degrees of freedom after Satterthwaite (Cochran, section 5.4), n - 1 + WS_PRIOR for
 * each stratum. Strata that are simulated whole add nothing. */
#ifndef WS_EXTRAPOLATE_H
#define WS_EXTRAPOLATE_H

#include "model/sample/launch_list.h"

enum { WS_PRIOR = 4 };

/* value[i * stride] is that of listed[i]. *bound is half of the interval at that confidence, infinite when nothing is
 * known of the spread of a stratum that is not simulated whole. WS_EMEM. */
int ws_extrapolate(const ws_listed_launch *listed, size_t n, const double *value, size_t stride, double confidence,
                   double *total, double *bound);

#endif
