/* policy_fixed.c - one mode for ever: energy-oriented and performance-oriented (Goswami (2013), section 5.2: the
 * designs that Chameleon is compared with). */
#include "model/control/policy.h"

#include "base/status.h"

#include <stdlib.h>

static int create(unsigned mode, void **state)
{
    unsigned *const fixed = malloc(sizeof *fixed);
    if (!fixed)
        return ws_fail(WS_EMEM, "out of memory");
    *fixed = mode;
    *state = fixed;
    return WS_OK;
}

static int create_energy(const ws_policy_setup *setup, void **state)
{
    return create(ws_policy_thrifty(setup->control), state);
}

static int create_performance(const ws_policy_setup *setup, void **state)
{
    return create(ws_policy_eager(setup->control), state);
}

static unsigned choose(void *state, const ws_observation *now)
{
    (void)now;
    return *(const unsigned *)state;
}

const ws_policy ws_policy_energy = {
    .name = "energy", .summary = "always follows the supply", .create = create_energy, .choose = choose};

const ws_policy ws_policy_performance = {.name = "performance",
                                         .summary = "always covers the deficit from the battery",
                                         .create = create_performance,
                                         .choose = choose};
