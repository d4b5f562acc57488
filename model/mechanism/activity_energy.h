/* activity_energy.h - energy of a machine's activity. */
#ifndef WS_ACTIVITY_ENERGY_H
#define WS_ACTIVITY_ENERGY_H

#include "model/machine/machine_declared.h"
#include "model/power/power.h"

/* Computes it from the parts that the machine names, at their usual temperature. Fails as ws_power_create does. */
int ws_activity_energy(const ws_machine *machine, const ws_activity *did, ws_energy *out);

#endif
