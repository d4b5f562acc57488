/* sim_stats.h - statistics of a launch: rows of sim_stats.def, messages by type, and rows of optional components. */
#ifndef WS_SIM_STATS_H
#define WS_SIM_STATS_H

#include "model/sim/sim.h"

typedef struct ws_sim_stat {
    const char *name, *unit, *meaning;
    bool adds_up; /* additive over launches */
} ws_sim_stat;

/* Returns the number of columns of a machine; NULL: those common to all machines, which come first. */
size_t ws_sim_stat_count(const ws_machine *machine);
/* Returns a column; the strings are static. */
ws_sim_stat ws_sim_stat_at(const ws_machine *machine, size_t index);

/* Returns column i of all columns of any machine; its name is NULL past the last. */
ws_sim_stat ws_sim_stat_of_any(size_t index);

/* Computes after - before. The greatest timestamp and latency, and the use of channels and frames, are those of
 * `after`. */
void ws_sim_sums_subtract(const ws_sim_sums *after, const ws_sim_sums *before, ws_sim_sums *difference);

/* Adds `more` times `weight`; each count is rounded. */
void ws_sim_sums_add(ws_sim_sums *sum, const ws_sim_sums *more, double weight);

/* Computes value[ws_sim_stat_count(m)]; NaN for a divisor of 0. */
void ws_sim_stat_values(const ws_sim_sums *d, const ws_machine *m, double *value);

#endif
