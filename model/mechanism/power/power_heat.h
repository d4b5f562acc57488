/* power_heat.h - temperature of a chip with temperature-dependent leakage. */
#ifndef WS_POWER_HEAT_H
#define WS_POWER_HEAT_H

#include "base/frame.h"
#include "model/activity.h"
#include "model/power/power.h"

/* Computes the temperature of the hottest block of the die (data/tech/thermal_NAME.ini, or a path) at which the mean
 * power of `did` keeps it: the fixed point of leakage and heat. The power of a component is distributed by area over
 * the blocks of its part, or of its group's part; without a part over all blocks. WS_EINPUT if there is no such
 * temperature below 500 K (thermal runaway), or if a part is neither a component nor a group. */
int ws_power_heat(const ws_machine *machine, const ws_power_options *options, const char *thermal,
                  const ws_activity *did, double *kelvin);

/* Makes a frame of the die's blocks in the steady state of that power, with leakage at options->temperature_k: label
 * block; columns x, y, width, height (mm), watts, density (W/mm2), temperature (K). The caller frees it. Fails as
 * above. */
int ws_power_heat_frame(const ws_machine *machine, const ws_power_options *options, const char *thermal,
                        const ws_activity *did, ws_frame **out);

#endif
