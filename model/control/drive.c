/* drive.c - see drive.h. */
#include "model/control/drive.h"

#include "model/control/reward.h"

#include "base/status.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SECONDS_PER_HOUR = 3600 };

typedef struct drive {
    const ws_drive_request *request;
    const ws_control *control;
    size_t period_steps, periods;
    double low_w, high_w; /* range of mismatch that is cut into intervals */
    void *policy;
    gsl_rng *random; /* errors of the forecast */
    ws_plant_state plant;
    ws_observation now;
    ws_plant_flow *flow; /* [period_steps] */
    double *stored_j;    /* [period_steps] */
    double *forecast_w;  /* [horizon] */
    /* Evaluation frames, oldest first, [history] each; sums of the frame that has begun. */
    struct {
        double *load_w, *supply_w;
        size_t count;
        double load_sum, supply_sum;
        size_t steps;
    } frame;
    double steps_throughput, asleep_steps;
    size_t mode_periods[WS_CONTROL_MODES];
} drive;

size_t ws_drive_states(const ws_control *control)
{
    return (size_t)control->state_mismatch * control->state_charge;
}

static double ratio(double part, double whole)
{
    return whole > 0 ? part / whole : NAN;
}

double ws_drive_utilization(const ws_drive_totals *t)
{
    return ratio(t->direct_j + t->delivered_j, t->generated_j);
}

double ws_drive_direct_utilization(const ws_drive_totals *t)
{
    return ratio(t->direct_j, t->generated_j);
}

double ws_drive_battery_share(const ws_drive_totals *t)
{
    return ratio(t->delivered_j, t->direct_j + t->delivered_j);
}

/* Power that the load takes at the nominal point. */
static double demand(const ws_server *server, double activity, const ws_control *c)
{
    return ws_plant_power(&server->point[server->top[c->chip_nominal_level]], activity);
}

static size_t steps_in(const drive *d, size_t period)
{
    const size_t left = d->request->steps - period * d->period_steps;
    return left < d->period_steps ? left : d->period_steps;
}

static double mean_supply(const drive *d, size_t period)
{
    const size_t n = steps_in(d, period);
    const double *const supply = d->request->supply_w + period * d->period_steps;
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += supply[i];
    return sum / (double)n;
}

static double mean_load(const drive *d, size_t period)
{
    const size_t n = steps_in(d, period);
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += d->flow[i].load_w;
    return sum / (double)n;
}

static double mean_demand(const drive *d, size_t period)
{
    const size_t n = steps_in(d, period);
    const double *const activity = d->request->activity + period * d->period_steps;
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += activity[i];
    return demand(d->request->plant->server, sum / (double)n, d->control);
}

/* The range of mismatch, from the least supply against the greatest demand to the opposite, over coarse periods. What a
 * load takes can be nothing. */
static void find_range(drive *d)
{
    double least_supply = INFINITY, most_supply = -INFINITY, least_demand = INFINITY, most_demand = -INFINITY;
    for (size_t k = 0; k < d->periods; k++) {
        const double supply = mean_supply(d, k), wanted = mean_demand(d, k);
        least_supply = fmin(least_supply, supply);
        most_supply = fmax(most_supply, supply);
        least_demand = fmin(least_demand, wanted);
        most_demand = fmax(most_demand, wanted);
    }
    d->low_w = least_supply - most_demand;
    d->high_w = most_supply - (d->control->state_demand ? 0 : least_demand);
}

/* Which of `intervals` equal parts of low..high holds the value; those outside belong to the ends. */
static size_t interval_of(double value, double low, double high, size_t intervals)
{
    const double at = high > low ? (value - low) / (high - low) * (double)intervals : 0;
    return at < 0 ? 0 : at >= (double)intervals ? intervals - 1 : (size_t)at;
}

static size_t state_of(drive *d)
{
    const ws_control *const c = d->control;
    const ws_plant *const p = d->request->plant;
    const double off = d->now.supply_w - (c->state_demand ? d->now.load_w : d->now.demand_w);
    if (c->state_range) {
        d->low_w = fmin(d->low_w, off);
        d->high_w = fmax(d->high_w, off);
    }
    const size_t mismatch = interval_of(off, d->low_w, d->high_w, c->state_mismatch);
    return mismatch * c->state_charge + interval_of(d->plant.stored_j, p->floor_j, p->capacity_j, c->state_charge);
}

/* The supply to come with an error that walks away from 0: `error` after an hour. */
static void make_forecast(drive *d, size_t period)
{
    const double hours = d->control->loop_coarse / SECONDS_PER_HOUR;
    const double step = d->control->forecast_error * sqrt(hours);
    double error = 0;
    size_t n = 0;
    for (; n < d->control->forecast_horizon && period + n < d->periods; n++) {
        error += gsl_ran_gaussian_ziggurat(d->random, step);
        d->forecast_w[n] = fmax(0, mean_supply(d, period + n) * (1 + error));
    }
    d->now.forecast_w = d->forecast_w;
    d->now.forecasts = n;
}

/* Where did the energy of a step go that is in none of the accounts? */
static double imbalance(const ws_plant *p, const ws_plant_flow *f, double supply_w, double before_j, double after_j)
{
    const double supply = supply_w - f->direct_w - f->charged_w - f->curtailed_w;
    const double load = f->load_w - f->direct_w - f->delivered_w;
    const double store = (after_j - before_j) / p->step_s -
                         (f->charged_w * p->charge_efficiency - f->delivered_w / p->discharge_efficiency);
    const double scale = supply_w + f->load_w + before_j / p->step_s;
    return scale > 0 ? (fabs(supply) + fabs(load) + fabs(store)) / scale : 0;
}

static void add_flow(drive *d, const ws_plant_flow *f, double supply_w, ws_drive_totals *t)
{
    t->generated_j += supply_w;
    t->direct_j += f->direct_w;
    t->delivered_j += f->delivered_w;
    t->charged_j += f->charged_w;
    t->curtailed_j += f->curtailed_w;
    d->steps_throughput += f->throughput;
    d->asleep_steps += f->point == 0;
}

/* Forgets the oldest frames, as many as `fresh` new ones need. */
static void make_room(drive *d, size_t fresh)
{
    const size_t room = d->control->loop_history;
    const size_t kept = fresh >= room ? 0 : d->frame.count + fresh > room ? room - fresh : d->frame.count;
    memmove(d->frame.load_w, d->frame.load_w + d->frame.count - kept, kept * sizeof *d->frame.load_w);
    memmove(d->frame.supply_w, d->frame.supply_w + d->frame.count - kept, kept * sizeof *d->frame.supply_w);
    d->frame.count = kept;
}

/* Power of load and supply in the last `history` evaluation frames. */
static void remember(drive *d, const double *supply_w, size_t steps)
{
    const size_t length = d->control->loop_frame, room = d->control->loop_history;
    size_t fresh = (d->frame.steps + steps) / length;
    make_room(d, fresh);
    for (size_t i = 0; i < steps; i++) {
        d->frame.load_sum += d->flow[i].load_w;
        d->frame.supply_sum += supply_w[i];
        if (++d->frame.steps < length)
            continue;
        if (fresh-- <= room) {
            d->frame.load_w[d->frame.count] = d->frame.load_sum / (double)length;
            d->frame.supply_w[d->frame.count++] = d->frame.supply_sum / (double)length;
        }
        d->frame.load_sum = d->frame.supply_sum = 0;
        d->frame.steps = 0;
    }
}

/* What the study's reward divides by. */
static double variability(const drive *d)
{
    const ws_control *const c = d->control;
    const double *const series = c->learning_series ? d->frame.supply_w : d->frame.load_w;
    const double all = ws_reward_variability(d->frame.load_w, series, d->frame.count);
    return c->learning_averaged && d->frame.count ? all / (double)d->frame.count : all;
}

/* Analyze: runs a period in the mode chosen; its throughput and reward. */
static double run_period(drive *d, size_t period, ws_drive_totals *t)
{
    const ws_drive_request *const r = d->request;
    const size_t n = steps_in(d, period), begin = period * d->period_steps;
    const double before = d->steps_throughput;
    for (size_t i = 0; i < n; i++) {
        const double stored = d->plant.stored_j, supply = r->supply_w[begin + i];
        d->flow[i] = ws_plant_step(r->plant, &d->plant, d->now.mode, supply, r->activity[begin + i]);
        d->stored_j[i] = d->plant.stored_j;
        t->imbalance = fmax(t->imbalance, imbalance(r->plant, &d->flow[i], supply, stored, d->plant.stored_j));
        add_flow(d, &d->flow[i], supply, t);
    }
    remember(d, r->supply_w + begin, n);
    d->now.throughput = (d->steps_throughput - before) / (double)n;
    return fmin(1, ws_reward(d->now.throughput, variability(d), d->control->learning_variability_floor));
}

static int tell_watchers(const drive *d, const ws_drive_period *period)
{
    int rc = WS_OK;
    for (size_t i = 0; i < d->request->watchers && !rc; i++)
        rc = d->request->watcher[i].period(d->request->watcher[i].context, period);
    return rc;
}

/* One turn of Algorithm 1, from Switch to Learn. */
static int turn(drive *d, size_t period, ws_drive_totals *t)
{
    const ws_drive_request *const r = d->request;
    const ws_policy *const policy = r->policy;
    const unsigned before = d->now.mode;
    const size_t state = d->now.state;
    d->now.interval = period;
    d->now.plant = d->plant;
    if (policy->forecast)
        make_forecast(d, period);
    d->now.mode = policy->choose(d->policy, &d->now);
    t->switches += period && d->now.mode != before;
    d->mode_periods[d->now.mode]++;
    const double reward = run_period(d, period, t);
    t->reward += reward;
    d->now.supply_w = mean_supply(d, period);
    d->now.demand_w = mean_demand(d, period);
    d->now.load_w = mean_load(d, period);
    d->now.state = state_of(d);
    if (policy->learn)
        policy->learn(d->policy,
                      &(ws_experience){.state = state, .next = d->now.state, .mode = d->now.mode, .reward = reward});
    if (!r->watchers)
        return WS_OK;
    return tell_watchers(d, &(ws_drive_period){.index = period,
                                               .steps = steps_in(d, period),
                                               .supply_w = r->supply_w + period * d->period_steps,
                                               .flow = d->flow,
                                               .stored_j = d->stored_j,
                                               .activity = r->activity + period * d->period_steps,
                                               .mode = d->now.mode,
                                               .state = state,
                                               .reward = reward,
                                               .values = policy->values ? policy->values(d->policy) : NULL,
                                               .states = ws_drive_states(d->control),
                                               .modes = d->control->modes,
                                               .least_w = d->low_w,
                                               .most_w = d->high_w});
}

/* Before the first period: as if it had been like its own first step, in the thrifty mode. */
static void look_first(drive *d)
{
    d->plant = ws_plant_start(d->request->plant);
    d->now = (ws_observation){.supply_w = d->request->supply_w[0],
                              .demand_w = demand(d->request->plant->server, d->request->activity[0], d->control),
                              .throughput = 1,
                              .mode = ws_policy_thrifty(d->control)};
    d->now.load_w = d->now.demand_w;
    if (d->control->state_range)
        d->low_w = d->high_w = d->now.supply_w - d->now.demand_w;
    d->now.state = state_of(d);
}

static int open_policy(drive *d)
{
    const ws_drive_request *const r = d->request;
    ws_policy_setup setup = {.control = d->control,
                             .plant = r->plant,
                             .states = ws_drive_states(d->control),
                             .modes = d->control->modes,
                             .seed = r->seed};
    if (r->policy->foresight) {
        setup.supply_w = r->supply_w;
        setup.activity = r->activity;
        setup.steps = r->steps;
    }
    return r->policy->create(&setup, &d->policy);
}

static void close_drive(drive *d)
{
    if (d->policy)
        (d->request->policy->destroy ? d->request->policy->destroy : free)(d->policy);
    free(d->flow);
    free(d->stored_j);
    free(d->forecast_w);
    free(d->frame.load_w);
    free(d->frame.supply_w);
    if (d->random)
        gsl_rng_free(d->random);
}

static int open_drive(drive *d)
{
    d->flow = malloc(d->period_steps * sizeof *d->flow);
    d->stored_j = malloc(d->period_steps * sizeof *d->stored_j);
    d->forecast_w = malloc(d->control->forecast_horizon * sizeof *d->forecast_w);
    d->frame.load_w = malloc(d->control->loop_history * sizeof *d->frame.load_w);
    d->frame.supply_w = malloc(d->control->loop_history * sizeof *d->frame.supply_w);
    d->random = gsl_rng_alloc(gsl_rng_taus2);
    if (!d->flow || !d->stored_j || !d->forecast_w || !d->frame.load_w || !d->frame.supply_w || !d->random)
        return ws_fail(WS_EMEM, "out of memory");
    gsl_rng_set(d->random, (unsigned long)(d->request->seed ^ d->request->seed >> 32));
    find_range(d);
    look_first(d);
    return open_policy(d);
}

/* Sums of steps and periods to energies, means and shares. */
static void finish(const drive *d, ws_drive_totals *t)
{
    const ws_plant *const p = d->request->plant;
    const double steps = (double)d->request->steps;
    t->seconds = steps * p->step_s;
    t->generated_j *= p->step_s;
    t->direct_j *= p->step_s;
    t->delivered_j *= p->step_s;
    t->charged_j *= p->step_s;
    t->curtailed_j *= p->step_s;
    t->lost_j = t->charged_j * (1 - p->charge_efficiency) + t->delivered_j * (1 / p->discharge_efficiency - 1);
    t->start_j = p->start_j;
    t->end_j = d->plant.stored_j;
    t->throughput = d->steps_throughput / steps;
    t->reward /= (double)d->periods;
    t->asleep = d->asleep_steps / steps;
    for (size_t m = 0; m < d->control->modes; m++)
        t->mode_share[m] = (double)d->mode_periods[m] / (double)d->periods;
}

int ws_drive(const ws_drive_request *request, ws_drive_totals *totals)
{
    const size_t period_steps = (size_t)round(request->control->loop_coarse / request->control->loop_fine);
    drive d = {.request = request,
               .control = request->control,
               .period_steps = period_steps,
               .periods = (request->steps + period_steps - 1) / period_steps};
    *totals = (ws_drive_totals){0};
    if (!request->steps)
        return ws_fail(WS_EINPUT, "the supply has no values");
    int rc = open_drive(&d);
    for (size_t k = 0; k < d.periods && !rc; k++)
        rc = turn(&d, k, totals);
    if (!rc)
        finish(&d, totals);
    close_drive(&d);
    return rc;
}
