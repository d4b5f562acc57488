/* reward.h - reward of a mode: throughput over the variability of load power.
 *
 *     R = IPS / max(A * F, floor)                                                     (5-1)
 *     A = standard deviation of the load power x(n)
 *     F = 1/2 * sum over n of |sgn(x(n) - mean) - sgn(x(n-1) - mean)|                 (5-2)
 *
 * sgn is 1 from 0 up, -1 below: F counts how often a power series crosses its mean. Source: Goswami (2013),
 * section 5.1.3, where the second index is lost in print. The floor, chosen here, avoids a division by 0 at steady
 * power. */
#ifndef WS_REWARD_H
#define WS_REWARD_H

#include <stddef.h>

/* Returns A of load_w[count] times F of series_w[count] (load_w or the supply), in W; 0 for fewer than two samples. */
double ws_reward_variability(const double *load_w, const double *series_w, size_t count);

/* Returns R times floor_w: the throughput at steady load power, less otherwise. With throughput relative to the nominal
 * one it is in 0..1 for all loads, as learning requires. */
double ws_reward(double throughput, double variability_w, double floor_w);

#endif
