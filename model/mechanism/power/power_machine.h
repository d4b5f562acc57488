/* power_machine.h - quantities of workloads on a machine by the model of power: cycles, energy, traffic. */
#ifndef WS_POWER_MACHINE_H
#define WS_POWER_MACHINE_H

#include "model/mechanism/quantities.h"

/* Of all launches, from profiles, replays or simulations. A machine may have no energies (ws_power_create returns
 * WS_EUNSUPPORTED): these are missing then, and time and traffic are there. measure() returns WS_ENOTFOUND when there
 * is no launch; else what ws_power_create, a simulation or an estimate returns. */
extern const ws_quantities ws_power_quantities;

#endif
