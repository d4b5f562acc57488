/* power_machine.h - quantities of workloads on a machine by the power model: cycles, energy, traffic. */
#ifndef WS_POWER_MACHINE_H
#define WS_POWER_MACHINE_H

#include "model/mechanism/quantities.h"

/* Quantities over all launches, from profiles, replays or simulations. For a machine without known energies
 * (ws_power_create returns WS_EUNSUPPORTED) energies are missing, but not time and traffic. measure() returns
 * WS_ENOTFOUND without a launch; otherwise failures of ws_power_create, a simulation or an estimate. */
extern const ws_quantities ws_power_quantities;

#endif
