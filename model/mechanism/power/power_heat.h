/* power_heat.h - how hot does a chip get from what it does, when its leakage follows its temperature? */
#ifndef WS_POWER_HEAT_H
#define WS_POWER_HEAT_H

#include "base/frame.h"
#include "model/activity.h"
#include "model/power/power.h"

/* The temperature of the hottest block of the die (data/tech/thermal_NAME.ini, or a path) at which the mean power of
 * `did` holds it: the fixed point of leakage and heat. Power of a component is in the blocks of its part, or of its
 * group's, as their areas; without a part in all blocks. WS_EINPUT: there is no such temperature below 500 K, the chip
 * would run away; a part is neither a component nor a group. */
int ws_power_heat(const ws_machine *machine, const ws_power_options *options, const char *thermal,
                  const ws_activity *did, double *kelvin);

/* The blocks of the die after that power for ever, on a chip that leaks as at options->temperature_k: label block;
 * columns x, y, width, height (mm), watts, density (W/mm2), temperature (K). The caller frees it. Failures as above. */
int ws_power_heat_frame(const ws_machine *machine, const ws_power_options *options, const char *thermal,
                        const ws_activity *did, ws_frame **out);

#endif
