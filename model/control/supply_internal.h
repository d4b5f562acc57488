/* supply_internal.h - the processes behind a generated supply, for tests of their laws, and curves that
 * readers share. */
#ifndef WS_CONTROL_SUPPLY_INTERNAL_H
#define WS_CONTROL_SUPPLY_INTERNAL_H

#include "model/control/supply.h"

#include <stddef.h>
#include <stdint.h>

/* A stationary Gaussian process of mean 0 and variance 1: the sum of a slow and a quick first-order one, so that values
 * a time t apart are correlated by (1 - share) exp(-t/slow) + share exp(-t/quick). WS_EMEM. */
int ws_supply_normal_process(uint64_t seed, double step_s, double slow_s, double quick_s, double quick_share,
                             double *value, size_t count);

/* The speed that stands as high among Weibull speeds as z among normal numbers. */
double ws_supply_weibull_speed(double z, double shape, double scale);

/* Power of a turbine in parts of its rated power: 0 below cut-in and from cut-out on, 1 from rated on, between them as
 * the cube of the speed. */
double ws_supply_turbine(double speed, double cut_in, double rated, double cut_out);

/* Irradiance on level ground under a clear sky, W/m2; day of the year from 1, solar hour 0..24. */
double ws_supply_clear_sky(const ws_supply_class *type, double day, double hour);

/* Part of the clear-sky power that clouds leave when the normal process is z. */
double ws_supply_cloud_index(const ws_supply_class *type, double z);

/* Stretches value[0..count), not negative, so that it keeps its order, is not negative and has that mean and deviation.
 * WS_ENUMERIC when that cannot be. */
int ws_supply_match(double *value, size_t count, double mean, double deviation);

#endif
