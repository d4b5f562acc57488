/* reward.h - what a mode was worth: throughput over the variability of load power.
 *
 *     R = IPS / max(A * F, floor)                                                     (5-1)
 *     A = standard deviation of the load power x(n)
 *     F = 1/2 * sum over n of |sgn(x(n) - mean) - sgn(x(n-1) - mean)|                 (5-2)
 *
 * sgn is 1 from 0 on, -1 below: F counts how often a power series crosses its mean. Source: Goswami (2013), section
 * 5.1.3, where the second index is lost in print. The floor keeps steady power from dividing by 0; chosen. */
#ifndef WS_REWARD_H
#define WS_REWARD_H

#include <stddef.h>

/* A of load_w[count] times F of series_w[count] (load_w too, or the supply), in W; 0 for fewer than two samples. */
double ws_reward_variability(const double *load_w, const double *series_w, size_t count);

/* R times floor_w: throughput itself when load power is steady, less when it is not. With throughput in shares of the
 * nominal one it lies in 0..1 for all loads, which learning needs. */
double ws_reward(double throughput, double variability_w, double floor_w);

#endif
