/* policy_threshold.c - fixed rules: energy first while there is power headroom, performance first when throughput has
 * dropped, else as before. Source: Goswami (2013), section 5.1.3 (page 94), which describes the rules without their
 * thresholds. `change` reads rises and drops as those since the period before. */
#include "model/control/policy.h"

#include "base/status.h"

#include <stdlib.h>

typedef struct rules {
    double supply, throughput; /* thresholds of supply over demand and of the nominal throughput; with change, of their
                                  rise and drop */
    bool change, started;      /* started: a period was seen */
    double supply_before, throughput_before; /* of the period before the last */
    unsigned thrifty, eager, mode;
} rules;

static int create(const ws_policy_setup *setup, void **state)
{
    const ws_control *const c = setup->control;
    rules *const r = malloc(sizeof *r);
    if (!r)
        return ws_fail(WS_EMEM, "out of memory");
    *r = (rules){.supply = c->threshold_change ? c->threshold_step : c->threshold_supply,
                 .throughput = c->threshold_change ? c->threshold_step : c->threshold_throughput,
                 .change = c->threshold_change,
                 .thrifty = ws_policy_thrifty(c),
                 .eager = ws_policy_eager(c)};
    r->mode = r->thrifty;
    *state = r;
    return WS_OK;
}

static unsigned choose(void *state, const ws_observation *now)
{
    rules *const r = state;
    const double supply = now->supply_w / now->demand_w;
    const bool headroom = r->change ? r->started && supply - r->supply_before >= r->supply : supply >= r->supply;
    const bool dropped = r->change ? r->started && r->throughput_before - now->throughput >= r->throughput
                                   : now->throughput < r->throughput;
    if (headroom || dropped)
        r->mode = headroom ? r->thrifty : r->eager;
    r->supply_before = supply;
    r->throughput_before = now->throughput;
    r->started = true;
    return r->mode;
}

const ws_policy ws_policy_threshold = {
    .name = "threshold", .summary = "fixed thresholds of supply and throughput", .create = create, .choose = choose};
