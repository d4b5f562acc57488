/* policy.c - see policy.h. */
#include "model/chiplets/policy.h"

const char *ws_chiplet_policy_name(ws_chiplet_policy policy)
{
    static const char *const names[] = {
#define POLICY(NAME, name, what) name,
#include "model/chiplets/policies.def"
#undef POLICY
    };
    return names[policy];
}
