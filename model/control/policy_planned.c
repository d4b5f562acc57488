/* policy_planned.c - those who look ahead: the optimum of one who knows the whole future, and the plan of one who has a
 * forecast for a while (model-predictive control: plan to the horizon, do the first step, plan again). */
#include "model/control/plan.h"
#include "model/control/policy.h"

#include "base/status.h"

#include <math.h>
#include <stdlib.h>

/* --- The optimum --- */

typedef struct foresight {
    const ws_plant *plant;
    size_t cells, periods;
    uint8_t mode[]; /* [periods * ws_plan_points(cells)] */
} foresight;

static int create_optimum(const ws_policy_setup *s, void **state)
{
    const size_t steps = (size_t)round(s->control->loop_coarse / s->control->loop_fine);
    const size_t cells = s->control->optimum_cells, periods = (s->steps + steps - 1) / steps;
    foresight *const f = malloc(sizeof *f + periods * ws_plan_points(cells));
    if (!f)
        return ws_fail(WS_EMEM,
                       "out of memory: the optimum needs %zu bytes; a shorter time or fewer optimum.cells help",
                       periods * ws_plan_points(cells));
    f->plant = s->plant;
    f->cells = cells;
    f->periods = periods;
    const ws_plan_problem problem = {.plant = s->plant,
                                     .supply_w = s->supply_w,
                                     .activity = s->activity,
                                     .total_steps = s->steps,
                                     .steps = steps,
                                     .cells = cells};
    const ws_plant_state start = ws_plant_start(s->plant);
    double value;
    const int rc = ws_plan_solve(&problem, &start, f->mode, &value);
    if (rc)
        free(f);
    else
        *state = f;
    return rc;
}

static unsigned choose_optimum(void *state, const ws_observation *now)
{
    const foresight *const f = state;
    const size_t period = now->interval < f->periods ? now->interval : f->periods - 1;
    return f->mode[period * ws_plan_points(f->cells) + ws_plan_cell(f->plant, f->cells, &now->plant)];
}

const ws_policy ws_policy_optimum = {.name = "optimum",
                                     .summary = "dynamic programming with full knowledge of supply and load",
                                     .foresight = true,
                                     .create = create_optimum,
                                     .choose = choose_optimum};

/* --- A plan by forecast --- */

typedef struct planner {
    ws_plant plant; /* with a coarse period as its step */
    size_t cells;
    double end_value;
    double *activity; /* [horizon], all 1: only supply is forecast */
    uint8_t *mode;    /* [horizon * ws_plan_points(cells)] */
} planner;

static void destroy_planner(void *state)
{
    planner *const p = state;
    if (p) {
        free(p->activity);
        free(p->mode);
    }
    free(p);
}

static int create_planner(const ws_policy_setup *s, void **state)
{
    const size_t horizon = s->control->forecast_horizon, cells = s->control->forecast_cells;
    planner *const p = calloc(1, sizeof *p);
    if (p) {
        p->activity = malloc(horizon * sizeof *p->activity);
        p->mode = malloc(horizon * ws_plan_points(cells));
    }
    if (!p || !p->activity || !p->mode) {
        destroy_planner(p);
        return ws_fail(WS_EMEM, "out of memory");
    }
    p->plant = *s->plant;
    p->plant.step_s = s->control->loop_coarse;
    p->cells = cells;
    /* A joule that is left keeps the nominal point up for this part of a coarse period. */
    p->end_value = s->plant->discharge_efficiency / (s->plant->server->nominal_w * p->plant.step_s);
    for (size_t i = 0; i < horizon; i++)
        p->activity[i] = 1;
    *state = p;
    return WS_OK;
}

static unsigned choose_planned(void *state, const ws_observation *now)
{
    planner *const p = state;
    double value;
    const ws_plan_problem problem = {.plant = &p->plant,
                                     .supply_w = now->forecast_w,
                                     .activity = p->activity,
                                     .total_steps = now->forecasts,
                                     .steps = 1,
                                     .cells = p->cells,
                                     .end_value = p->end_value};
    if (!now->forecasts || ws_plan_solve(&problem, &now->plant, p->mode, &value))
        return now->mode;
    return p->mode[ws_plan_cell(&p->plant, p->cells, &now->plant)];
}

const ws_policy ws_policy_predictive = {.name = "predictive",
                                        .summary = "plans ahead by a short forecast of the supply, again each period",
                                        .forecast = true,
                                        .create = create_planner,
                                        .destroy = destroy_planner,
                                        .choose = choose_planned};
