/* chiplet_energy.h - energy of chiplets' L2s, messages and homes of lines, with the access energies that a study
 * prints.
 *
 * The energies are those of power.accesses (model/power/power_accesses.c lists the charged accesses; P. Dalmia 2023,
 * table 3.3). Costs common to all policies are excluded: operations, L1s. */
#ifndef WS_CHIPLET_ENERGY_H
#define WS_CHIPLET_ENERGY_H

#include "model/mechanism/chiplets/chiplet_machine.h"

typedef struct ws_chiplet_costs {
    double l2_read_j, l2_write_j, message_j, home_read_j, home_write_j,
        memory_j; /* homes: L3s, or memory without L3s; memory: of a line, behind an L3 */
} ws_chiplet_costs;

/* Computes the energies; all NaN without power.accesses. WS_EINPUT, WS_EIO. */
int ws_chiplet_costs_of(const ws_machine *machine, ws_chiplet_costs *out);

typedef struct ws_chiplet_energy {
    double l2_j, network_j, home_j; /* network: including between chiplets; home: L3s and memory */
} ws_chiplet_energy;

/* Returns the energy of counts. `lines` are first reads: they read memory. An L3 keeps all lines, and takes first
 * writes directly. */
ws_chiplet_energy ws_chiplet_energy_of(const ws_chiplet_costs *costs, const ws_chiplet_counts *counts, uint64_t lines);

#endif
