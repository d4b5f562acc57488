/* sim_activity.h - conversion of a simulated machine's counts to activity.def. */
#ifndef WS_SIM_ACTIVITY_H
#define WS_SIM_ACTIVITY_H

#include "model/sim/sm/register_banks.h"

struct ws_sim;

/* Computes the machine's activity since its creation; a difference gives that of a launch or an interval. */
void ws_sim_activity(const struct ws_sim *sim, ws_activity *out);

#endif
