/* chiplet_energy.h - what do L2s of chiplets, messages and homes of lines cost in joules, each access as a study prints
 * it?
 *
 * Prices are those of power.accesses (model/power/power_accesses.c says what is paid for; P. Dalmia 2023, table 3.3).
 * What policies share is not here: operations, L1s. */
#ifndef WS_CHIPLET_ENERGY_H
#define WS_CHIPLET_ENERGY_H

#include "model/mechanism/chiplets/chiplet_machine.h"

typedef struct ws_chiplet_costs {
    double l2_read_j, l2_write_j, message_j, home_read_j, home_write_j,
        memory_j; /* homes: L3s, or memory where there are none; memory: of a line, behind an L3 */
} ws_chiplet_costs;

/* All NaN where the machine has no power.accesses. WS_EINPUT, WS_EIO. */
int ws_chiplet_costs_of(const ws_machine *machine, ws_chiplet_costs *out);

typedef struct ws_chiplet_energy {
    double l2_j, network_j, home_j; /* network: also between chiplets; home: L3s and memory */
} ws_chiplet_energy;

/* Of counts; `lines` were read that nobody had wanted before: memory is read for these, an L3 keeps all, and takes what
 * is written first as it comes. */
ws_chiplet_energy ws_chiplet_energy_of(const ws_chiplet_costs *costs, const ws_chiplet_counts *counts, uint64_t lines);

#endif
