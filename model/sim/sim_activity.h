/* sim_activity.h - from what the parts of a simulated machine count to activity.def. */
#ifndef WS_SIM_ACTIVITY_H
#define WS_SIM_ACTIVITY_H

#include "model/sim/sm/register_banks.h"

struct ws_sim;

/* All that the machine did since it was made; what a launch or an interval did is a difference. */
void ws_sim_activity(const struct ws_sim *sim, ws_activity *out);

#endif
