/* activity_energy.h - the joules of what a machine did. */
#ifndef WS_ACTIVITY_ENERGY_H
#define WS_ACTIVITY_ENERGY_H

#include "model/machine/machine_declared.h"
#include "model/power/power.h"

/* By the parts that the machine says it is made of, at their usual temperature. As ws_power_create fails. */
int ws_activity_energy(const ws_machine *machine, const ws_activity *did, ws_energy *out);

#endif
