/* power_heat.h - how hot does a chip get from what it does, when its leakage follows its temperature? */
#ifndef WS_POWER_HEAT_H
#define WS_POWER_HEAT_H

#include "model/activity.h"
#include "model/power/power.h"

/* The temperature of the hottest block of the die (data/tech/thermal_NAME.ini, or a path) at which the mean power of
 * `did` holds it: the fixed point of leakage and heat. Power of the blocks is as their areas. WS_EINPUT: there is no
 * such temperature below 500 K, the chip would run away. */
int ws_power_heat(const ws_machine *machine, const ws_power_options *options, const char *thermal,
                  const ws_activity *did, double *kelvin);

#endif
