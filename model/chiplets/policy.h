/* policy.h - policies of the L2s of chiplets: the rows of policies.def, and their operations between kernels. */
#ifndef WS_CHIPLET_POLICY_H
#define WS_CHIPLET_POLICY_H

#include "model/chiplets/cct.h"

typedef enum ws_chiplet_policy {
#define POLICY(NAME, name, by_table, directories, operates, launch, finish, what) WS_CHIPLET_##NAME,
#include "model/chiplets/policies.def"
#undef POLICY
    WS_CHIPLET_POLICIES
} ws_chiplet_policy;

typedef struct ws_chiplet_policy_ops {
    const char *name, *what;
    bool by_table, directories, operates; /* policies.def */
    /* Operations of a launch; `table`: those of the coherence table, `everyone`: a bit for each chiplet. */
    ws_cct_operations (*launch)(const ws_cct_operations *table, uint32_t everyone);
    /* Chiplets that write back what is dirty at the end of the program, for its host; `left`: those of the table. */
    uint32_t (*finish)(uint32_t left, uint32_t everyone);
} ws_chiplet_policy_ops;

const ws_chiplet_policy_ops *ws_chiplet_policy_of(ws_chiplet_policy policy);
const char *ws_chiplet_policy_name(ws_chiplet_policy policy);

#endif
