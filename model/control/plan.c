/* plan.c - see plan.h. */
#include "model/control/plan.h"

#include "base/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void ws_outlook_init(const ws_plant *plant, unsigned mode, const double *supply_w, const double *activity, size_t steps,
                     ws_outlook *outlook)
{
    /* A battery that is never empty or full shows what the mode wants; where that fits between floor and capacity, it
     * is what happens, as a step asks the battery for what it wants and nothing else. */
    ws_plant endless = *plant;
    ws_plant_state state = {0};
    double least = 0, most = 0, gain = 0;
    endless.capacity_j = INFINITY;
    endless.floor_j = -INFINITY;
    for (size_t i = 0; i < steps; i++) {
        gain += ws_plant_step(&endless, &state, mode, supply_w[i], activity[i]).throughput;
        least = ws_least(least, state.stored_j);
        most = -ws_least(-most, -state.stored_j);
    }
    *outlook = (ws_outlook){.plant = plant,
                            .supply_w = supply_w,
                            .activity = activity,
                            .steps = steps,
                            .mode = mode,
                            .gain = gain,
                            .change_j = state.stored_j,
                            .low_j = plant->floor_j - least,
                            .high_j = plant->capacity_j - most};
}

double ws_outlook_gain(const ws_outlook *o, double *stored_j)
{
    if (*stored_j >= o->low_j && *stored_j <= o->high_j) {
        *stored_j += o->change_j;
        return o->gain;
    }
    ws_plant_state state = {.stored_j = *stored_j};
    double gain = 0;
    for (size_t i = 0; i < o->steps; i++)
        gain += ws_plant_step(o->plant, &state, o->mode, o->supply_w[i], o->activity[i]).throughput;
    *stored_j = state.stored_j;
    return gain;
}

static double cell_size(const ws_plant *plant, size_t cells)
{
    return (plant->capacity_j - plant->floor_j) / (double)cells;
}

/* Where on the grid stored_j is, 0 to cells. */
static double place_of(const ws_plant *plant, size_t cells, double stored_j)
{
    const double size = cell_size(plant, cells), at = size > 0 ? (stored_j - plant->floor_j) / size : 0;
    return at < 0 ? 0 : at > (double)cells ? (double)cells : at;
}

size_t ws_plan_cell(const ws_plant *plant, size_t cells, double stored_j)
{
    return (size_t)(place_of(plant, cells, stored_j) + 0.5);
}

/* The value of stored_j among value[cells + 1]. */
static double value_at(const ws_plan_problem *p, const double *value, double stored_j)
{
    const double at = place_of(p->plant, p->cells, stored_j);
    const size_t below = (size_t)at;
    return below == p->cells ? value[below] : value[below] + (at - (double)below) * (value[below + 1] - value[below]);
}

/* value of the period before `next`. */
static void step_back(const ws_plan_problem *p, const ws_outlook *outlook, const double *next, double *value,
                      uint8_t *mode)
{
    for (size_t cell = 0; cell <= p->cells; cell++) {
        double greatest = -INFINITY;
        for (unsigned m = 0; m < p->plant->modes; m++) {
            double stored = p->plant->floor_j + cell_size(p->plant, p->cells) * (double)cell;
            const double gain = ws_outlook_gain(&outlook[m], &stored), sum = gain + value_at(p, next, stored);
            if (sum > greatest) {
                greatest = sum;
                if (mode)
                    mode[cell] = (uint8_t)m;
            }
        }
        value[cell] = greatest;
    }
}

int ws_plan_solve(const ws_plan_problem *p, double stored_j, uint8_t *mode, double *value)
{
    const size_t periods = (p->total_steps + p->steps - 1) / p->steps, points = p->cells + 1;
    double *const memory = malloc(2 * points * sizeof *memory);
    if (!memory)
        return ws_fail(WS_EMEM, "out of memory");
    double *now = memory, *next = memory + points;
    for (size_t cell = 0; cell < points; cell++)
        next[cell] = cell_size(p->plant, p->cells) * (double)cell * p->end_value;
    for (size_t k = periods; k-- > 0;) {
        ws_outlook outlook[WS_CONTROL_MODES];
        const size_t begin = k * p->steps, left = p->total_steps - begin;
        for (unsigned m = 0; m < p->plant->modes; m++)
            ws_outlook_init(p->plant, m, p->supply_w + begin, p->activity + begin, left < p->steps ? left : p->steps,
                            &outlook[m]);
        step_back(p, outlook, next, now, mode ? mode + k * points : NULL);
        double *const other = now;
        now = next;
        next = other;
    }
    *value = value_at(p, next, stored_j);
    free(memory);
    return WS_OK;
}
