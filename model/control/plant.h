/* plant.h - energy flow between supply, server and battery in one step.
 *
 *     supply = direct + charged + curtailed                        load = direct + delivered
 *     stored' - stored = charged * charge_efficiency - delivered / discharge_efficiency
 *
 * A server has two cords, one to the supply and one to the battery. A mode is a budget for each: the supply, and the
 * part of the battery's power that it may draw. Load tuning takes the highest operating point from the mode's least
 * level up that both can power, otherwise sleep. While the load exceeds the supply, the battery provides the mode's
 * priority of it, and the supply the rest; unused supply is stored. Thus an energy-oriented mode (no battery) follows
 * the supply down to gated cores and sleep. A performance-oriented mode holds the nominal point from the battery,
 * stores the supply meanwhile, and sleeps if neither can power it. Source: Goswami (2013), sections 5.1.1
 * (cords), 5.1.2 (priorities), 5.1.3 (load tuning) and 5.2.1 (supply that is stored first). */
#ifndef WS_PLANT_H
#define WS_PLANT_H

#include "model/control/server.h"

typedef struct ws_plant_mode {
    double draw_w;   /* maximum draw from the battery, at the load */
    double priority; /* share of a load above the supply that the battery provides before the supply, 0 to 1 */
    size_t top;      /* highest operating point */
    size_t least;    /* lowest one except sleep */
} ws_plant_mode;

typedef struct ws_plant {
    const ws_server *server;
    ws_plant_mode mode[WS_CONTROL_MODES];
    size_t modes;
    double step_s;
    double capacity_j, floor_j, start_j;
    double resume_j; /* stored energy at which a drained battery is used again */
    double charge_w; /* maximum charging power */
    double charge_efficiency, discharge_efficiency;
} ws_plant;

/* State that changes between steps. */
typedef struct ws_plant_state {
    double stored_j;
    bool drained; /* the battery ran empty under a load, and has not since reached resume_j */
    size_t point; /* operating point of the previous step, where the next search begins */
} ws_plant_state;

/* Means over one step. */
typedef struct ws_plant_flow {
    double load_w, direct_w, delivered_w, charged_w, curtailed_w;
    double throughput; /* relative to the nominal one */
    size_t point;      /* the operating point */
} ws_plant_flow;

/* Initialises a plant; the server is borrowed. */
void ws_plant_init(const ws_control *control, const ws_server *server, ws_plant *plant);
ws_plant_state ws_plant_start(const ws_plant *plant);

static inline double ws_plant_power(const ws_operating_point *point, double activity)
{
    return point->fixed_w + activity * point->active_w;
}

/* Returns the highest operating point up to `top` that needs at most budget_w. Power rises with the index. */
static inline size_t ws_plant_tune(const ws_server *server, size_t from, size_t top, double activity, double budget_w)
{
    size_t i = from < top ? from : top;
    while (i < top && ws_plant_power(&server->point[i + 1], activity) <= budget_w)
        i++;
    while (i && ws_plant_power(&server->point[i], activity) > budget_w)
        i--;
    return i;
}

/* Returns the maximum power of the battery in a step. */
static inline double ws_plant_available(const ws_plant *p, double stored_j)
{
    const double above = stored_j - p->floor_j;
    return above > 0 ? above * p->discharge_efficiency / p->step_s : 0;
}

static inline double ws_least(double a, double b)
{
    return a < b ? a : b;
}

/* Returns the power that the battery can provide in this step, and marks a battery that cannot provide what the mode
 * would use. */
static inline double ws_plant_drawable(const ws_plant *p, ws_plant_state *state, const ws_plant_mode *m,
                                       double supply_w, double activity)
{
    state->drained = state->drained && state->stored_j < p->resume_j;
    const double available = state->drained ? 0 : ws_plant_available(p, state->stored_j);
    if (available >= m->draw_w)
        return m->draw_w;
    const size_t wanted = ws_plant_tune(p->server, state->point, m->top, activity, supply_w + m->draw_w);
    state->drained = state->drained ||
                     (wanted >= m->least && ws_plant_power(&p->server->point[wanted], activity) > supply_w + available);
    return available;
}

/* Returns the power from the supply to a load; the battery, which can provide drawable_w, provides the rest. */
static inline double ws_plant_direct(const ws_plant_mode *m, double load_w, double supply_w, double drawable_w)
{
    const double first = ws_least(m->priority * load_w, drawable_w);
    return load_w <= supply_w ? load_w : ws_least(supply_w, load_w - first);
}

/* Executes a step of plant->step_s in mode `mode` with this supply and activity. */
static inline ws_plant_flow ws_plant_step(const ws_plant *p, ws_plant_state *state, unsigned mode, double supply_w,
                                          double activity)
{
    const ws_plant_mode *const m = &p->mode[mode];
    const double drawable = ws_plant_drawable(p, state, m, supply_w, activity);
    state->point = ws_plant_tune(p->server, state->point, m->top, activity, supply_w + drawable);
    const size_t at = state->point < m->least ? 0 : state->point;
    const ws_operating_point *const point = &p->server->point[at];
    const double load = ws_plant_power(point, activity), direct = ws_plant_direct(m, load, supply_w, drawable);
    const double delivered = load - direct, surplus = supply_w - direct;
    const double room = (p->capacity_j - state->stored_j) / (p->charge_efficiency * p->step_s);
    const double charged = ws_least(surplus, ws_least(p->charge_w, room > 0 ? room : 0));
    state->stored_j += (charged * p->charge_efficiency - delivered / p->discharge_efficiency) * p->step_s;
    return (ws_plant_flow){.load_w = load,
                           .direct_w = direct,
                           .delivered_w = delivered,
                           .charged_w = charged,
                           .curtailed_w = surplus - charged,
                           .throughput = activity * point->throughput,
                           .point = at};
}

#endif
