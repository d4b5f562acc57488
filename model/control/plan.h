/* plan.h - optimal sequence of modes for the battery, with known supply and activity.
 *
 * Dynamic programming (Bellman, Dynamic Programming, 1957) backwards over periods, on a grid of the stored energy, with
 * linear interpolation. A battery that ran empty and waits has a separate grid. */
#ifndef WS_PLAN_H
#define WS_PLAN_H

#include "model/control/plant.h"

#include <stdint.h>

/* Effect of a mode in one period, for any charge at its start. */
typedef struct ws_outlook {
    const ws_plant *plant;
    const double *supply_w, *activity; /* [steps] */
    size_t steps;
    unsigned mode;
    /* While the battery is neither empty nor full: sum of throughput over the steps, change of the stored energy, and
     * the range of stored energy at the start for which that holds. */
    double gain, change_j, low_j, high_j;
} ws_outlook;

/* All pointers are borrowed. */
void ws_outlook_init(const ws_plant *plant, unsigned mode, const double *supply_w, const double *activity, size_t steps,
                     ws_outlook *outlook);

/* Returns the gain of the period that begins in `state`, and advances `state` to its end. */
double ws_outlook_gain(const ws_outlook *outlook, ws_plant_state *state);

typedef struct ws_plan_problem {
    const ws_plant *plant;
    const double *supply_w, *activity; /* [periods * steps]; the last period may be shorter */
    size_t total_steps, steps;         /* of the problem; of a period */
    size_t cells;                      /* of the grid, from the floor to the capacity */
    double end_value;                  /* of a stored joule at the end, in steps of nominal throughput */
} ws_plan_problem;

/* Returns the points of the grid: cells + 1 for a battery in use, and as many for one that ran empty. */
size_t ws_plan_points(size_t cells);

/* Computes the value of the best plan from `state`: the sum of throughput over steps. `mode`, if not NULL, gets the
 * best mode of each period and point of the grid: [periods * ws_plan_points(cells)]. WS_EMEM. */
int ws_plan_solve(const ws_plan_problem *problem, const ws_plant_state *state, uint8_t *mode, double *value);

/* Returns the point of the grid nearest to `state`. */
size_t ws_plan_cell(const ws_plant *plant, size_t cells, const ws_plant_state *state);

#endif
