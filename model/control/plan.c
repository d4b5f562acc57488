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
        const double before = state.stored_j;
        const ws_plant_flow f = ws_plant_step(&endless, &state, mode, supply_w[i], activity[i]);
        gain += f.throughput;
        /* What is delivered is there when the step begins, and so is the room for what is charged. */
        least = ws_least(least, before - f.delivered_w / plant->discharge_efficiency * plant->step_s);
        most = -ws_least(-most, -before - f.charged_w * plant->charge_efficiency * plant->step_s);
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

double ws_outlook_gain(const ws_outlook *o, ws_plant_state *state)
{
    state->drained = state->drained && state->stored_j < o->plant->resume_j;
    if (!state->drained && state->stored_j >= o->low_j && state->stored_j <= o->high_j) {
        state->stored_j += o->change_j;
        return o->gain;
    }
    double gain = 0;
    for (size_t i = 0; i < o->steps; i++)
        gain += ws_plant_step(o->plant, state, o->mode, o->supply_w[i], o->activity[i]).throughput;
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

size_t ws_plan_points(size_t cells)
{
    return 2 * (cells + 1);
}

/* Where the grid of a battery that is drawn, or of one that ran empty, begins. */
static size_t grid_of(size_t cells, const ws_plant_state *state)
{
    return state->drained ? cells + 1 : 0;
}

size_t ws_plan_cell(const ws_plant *plant, size_t cells, const ws_plant_state *state)
{
    return grid_of(cells, state) + (size_t)(place_of(plant, cells, state->stored_j) + 0.5);
}

/* The value of a state among value[ws_plan_points(cells)]. */
static double value_at(const ws_plan_problem *p, const double *value, const ws_plant_state *state)
{
    const double at = place_of(p->plant, p->cells, state->stored_j);
    const size_t below = (size_t)at;
    const double *const from = value + grid_of(p->cells, state) + below;
    return below == p->cells ? *from : *from + (at - (double)below) * (from[1] - *from);
}

static ws_plant_state state_at(const ws_plan_problem *p, size_t point)
{
    const size_t cell = point % (p->cells + 1);
    return (ws_plant_state){.stored_j = p->plant->floor_j + cell_size(p->plant, p->cells) * (double)cell,
                            .drained = point != cell};
}

/* value of the period before `next`. */
static void step_back(const ws_plan_problem *p, const ws_outlook *outlook, const double *next, double *value,
                      uint8_t *mode)
{
    for (size_t point = 0; point < ws_plan_points(p->cells); point++) {
        const ws_plant_state begin = state_at(p, point);
        if (begin.drained &&
            begin.stored_j >= p->plant->resume_j) { /* it is drawn again: as if it had never run empty */
            value[point] = value[point - (p->cells + 1)];
            if (mode)
                mode[point] = mode[point - (p->cells + 1)];
            continue;
        }
        double greatest = -INFINITY;
        for (unsigned m = 0; m < p->plant->modes; m++) {
            ws_plant_state state = begin;
            const double gain = ws_outlook_gain(&outlook[m], &state), sum = gain + value_at(p, next, &state);
            if (sum > greatest) {
                greatest = sum;
                if (mode)
                    mode[point] = (uint8_t)m;
            }
        }
        value[point] = greatest;
    }
}

int ws_plan_solve(const ws_plan_problem *p, const ws_plant_state *state, uint8_t *mode, double *value)
{
    const size_t periods = (p->total_steps + p->steps - 1) / p->steps, points = ws_plan_points(p->cells);
    double *const memory = malloc(2 * points * sizeof *memory);
    if (!memory)
        return ws_fail(WS_EMEM, "out of memory");
    double *now = memory, *next = memory + points;
    for (size_t point = 0; point < points; point++)
        next[point] = (state_at(p, point).stored_j - p->plant->floor_j) * p->end_value;
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
    *value = value_at(p, next, state);
    free(memory);
    return WS_OK;
}
