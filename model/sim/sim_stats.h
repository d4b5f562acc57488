/* sim_stats.h - what a simulation reports of a launch: rows of sim_stats.def, messages by type, then rows of parts that
 * not every machine has. */
#ifndef WS_SIM_STATS_H
#define WS_SIM_STATS_H

#include "model/sim/sim.h"

typedef struct ws_sim_stat {
    const char *name, *unit, *meaning;
    bool adds_up; /* the sum over launches is that of all of them */
} ws_sim_stat;

/* Of that machine; NULL: those that every machine has, which come first. */
size_t ws_sim_stat_count(const ws_machine *machine);
/* The strings are the library's. */
ws_sim_stat ws_sim_stat_at(const ws_machine *machine, size_t index);

/* Number i of all columns that some machine has; its name is NULL behind the last. */
ws_sim_stat ws_sim_stat_of_any(size_t index);

/* after - before: what happened in between. The greatest timestamp and latency, and the use of
 * channels and frames, are those of `after`. */
void ws_sim_sums_subtract(const ws_sim_sums *after, const ws_sim_sums *before, ws_sim_sums *difference);

/* As if `more` had happened `weight` times, too: each count rounded. */
void ws_sim_sums_add(ws_sim_sums *sum, const ws_sim_sums *more, double weight);

/* value[ws_sim_stat_count(m)]; NaN where there is nothing to divide by. */
void ws_sim_stat_values(const ws_sim_sums *d, const ws_machine *m, double *value);

#endif
