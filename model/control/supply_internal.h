/* supply_internal.h - random processes of generated supplies, exposed for tests of their laws, and shared curves. */
#ifndef WS_CONTROL_SUPPLY_INTERNAL_H
#define WS_CONTROL_SUPPLY_INTERNAL_H

#include "model/control/supply.h"

#include <stddef.h>
#include <stdint.h>

/* Generates a stationary Gaussian process of mean 0 and variance 1: the sum of a slow and a quick first-order one.
 * Values a time t apart have the correlation (1 - share) exp(-t/slow) + share exp(-t/quick). WS_EMEM. */
int ws_supply_normal_process(uint64_t seed, double step_s, double slow_s, double quick_s, double quick_share,
                             double *value, size_t count);

/* Returns the Weibull speed at the quantile of the normal number z. */
double ws_supply_weibull_speed(double z, double shape, double scale);

/* Returns the power of a turbine relative to its rated power: 0 below cut-in and from cut-out up, 1 from rated up,
 * between them the cube of the speed. */
double ws_supply_turbine(double speed, double cut_in, double rated, double cut_out);

/* Returns the irradiance on level ground under a clear sky, W/m2; day of the year from 1, solar hour 0..24. */
double ws_supply_clear_sky(const ws_supply_class *type, double day, double hour);

/* Returns the share of clear-sky power that clouds leave at value z of the normal process. */
double ws_supply_cloud_index(const ws_supply_class *type, double z);

/* Transforms non-negative value[0..count) to that mean and deviation, keeping their order and sign. WS_ENUMERIC if that
 * is impossible. */
int ws_supply_match(double *value, size_t count, double mean, double deviation);

#endif
