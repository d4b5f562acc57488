/* chiplet_policy.c - see chiplet_policy.h. */
#include "model/chiplets/chiplet_policy.h"

#include <string.h>

#define POLICY(name, NAME)    extern const ws_chiplet_policy_ops ws_chiplet_policy_##name;
#define PREDICTED(name, NAME) POLICY(name, NAME)
#define SIMULATED(name, NAME) POLICY(name, NAME)
#include "model/chiplets/chiplet_policies.def"
#undef SIMULATED
#undef PREDICTED
#undef POLICY

static const ws_chiplet_policy_ops *const predicted[] = {
#define POLICY(name, NAME)    &ws_chiplet_policy_##name,
#define PREDICTED(name, NAME) &ws_chiplet_policy_##name,
#define SIMULATED(name, NAME)
#include "model/chiplets/chiplet_policies.def"
#undef SIMULATED
#undef PREDICTED
};

static const ws_chiplet_policy_ops *const simulated[] = {
#define PREDICTED(name, NAME)
#define SIMULATED(name, NAME) &ws_chiplet_policy_##name,
#include "model/chiplets/chiplet_policies.def"
#undef SIMULATED
#undef PREDICTED
#undef POLICY
};

const ws_chiplet_policy_ops *ws_chiplet_policy_of(ws_chiplet_policy policy)
{
    return predicted[policy];
}

const ws_chiplet_policy_ops *ws_package_coherence_at(size_t index)
{
    return index < sizeof simulated / sizeof *simulated ? simulated[index] : NULL;
}

const ws_chiplet_policy_ops *ws_package_coherence_find(const char *name)
{
    for (size_t i = 0; ws_package_coherence_at(i); i++)
        if (!strcmp(simulated[i]->name, name))
            return simulated[i];
    return NULL;
}

ws_cct_operations ws_chiplet_launch_nobody(const ws_cct_operations *table, uint32_t everyone)
{
    (void)table, (void)everyone;
    return (ws_cct_operations){0};
}

uint32_t ws_chiplet_finish_nobody(uint32_t left, uint32_t everyone)
{
    (void)left, (void)everyone;
    return 0;
}
