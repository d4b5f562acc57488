/* activity_energy.h - activity of a machine: what closed forms of it need, and its joules. */
#ifndef WS_ACTIVITY_ENERGY_H
#define WS_ACTIVITY_ENERGY_H

#include "model/machine/machine.h"
#include "model/power/power.h"

/* Bursts of memory that make a line of L2, at least 1: for model/coherence/traffic_activity.h. As of ws_machine_part.
 */
int ws_activity_bursts(const ws_machine *machine, uint32_t *bursts);

/* By the parts that the machine says it is made of, at their usual temperature. As ws_power_create fails. */
int ws_activity_energy(const ws_machine *machine, const ws_activity *did, ws_energy *out);

#endif
