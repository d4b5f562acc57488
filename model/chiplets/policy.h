/* policy.h - the rows of policies.def. */
#ifndef WS_CHIPLET_POLICY_H
#define WS_CHIPLET_POLICY_H

typedef enum ws_chiplet_policy {
#define POLICY(NAME, name, what) WS_CHIPLET_##NAME,
#include "model/chiplets/policies.def"
#undef POLICY
    WS_CHIPLET_POLICIES
} ws_chiplet_policy;

const char *ws_chiplet_policy_name(ws_chiplet_policy policy);

#endif
