/* policy_threshold.c - fixed rules: energy first while the supply comes near the demand, performance first when
 * throughput has dropped, else as before. Source: Goswami (2013), section 5.1.3, which describes the rules without
 * their thresholds. */
#include "model/control/policy.h"

#include "base/status.h"

#include <stdlib.h>

typedef struct rules {
    double supply, throughput;
    unsigned thrifty, eager, mode;
} rules;

static int create(const ws_policy_setup *setup, void **state)
{
    const ws_control *const c = setup->control;
    rules *const r = malloc(sizeof *r);
    if (!r)
        return ws_fail(WS_EMEM, "out of memory");
    *r = (rules){.supply = c->threshold_supply,
                 .throughput = c->threshold_throughput,
                 .thrifty = ws_policy_thrifty(c),
                 .eager = ws_policy_eager(c)};
    r->mode = r->thrifty;
    *state = r;
    return WS_OK;
}

static unsigned choose(void *state, const ws_observation *now)
{
    rules *const r = state;
    if (now->supply_w >= r->supply * now->demand_w)
        r->mode = r->thrifty;
    else if (now->throughput < r->throughput)
        r->mode = r->eager;
    return r->mode;
}

const ws_policy ws_policy_threshold = {
    .name = "threshold", .summary = "fixed thresholds of supply and throughput", .create = create, .choose = choose};
