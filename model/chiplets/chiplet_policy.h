/* chiplet_policy.h - coherence policies of the L2s of chiplets, rows of chiplet_policies.def: operations between
 * launches, and components. The closed form (chiplet_l2.h) and the simulator's memory side call the same functions. */
#ifndef WS_CHIPLET_POLICY_H
#define WS_CHIPLET_POLICY_H

#include "model/chiplets/cct.h"
#include "base/option.h"

/* Policies of the closed form. */
typedef enum ws_chiplet_policy {
#define POLICY(name, NAME)    WS_CHIPLET_##NAME,
#define PREDICTED(name, NAME) WS_CHIPLET_##NAME,
#define SIMULATED(name, NAME)
#include "model/chiplets/chiplet_policies.def"
#undef SIMULATED
#undef PREDICTED
#undef POLICY
    WS_CHIPLET_POLICIES
} ws_chiplet_policy;

typedef struct ws_chiplet_policy_ops {
    const char *name, *summary;
    const ws_option *options; /* of machines with this policy, in [package]: policy_options.h; NULL: none */
    const char *needs;        /* lines of OPTION=VALUE: further settings of a machine that is compared with the model */
    bool by_table;            /* a coherence table is used at each launch */
    bool directories;         /* directories at the homes of lines invalidate copies; stores are written through */
    bool operates;            /* L2s acquire and release; otherwise coherence is automatic */
    bool gives_up; /* a release invalidates copies of remote lines: L2s of `home`, which has no columns of coherence
                      operations */
    /* Returns the operations of a launch. `table`: those of the coherence table, empty without one; `everyone`: one bit
     * for each chiplet. Acquires and releases before it come first, acquires before releases. */
    ws_cct_operations (*launch)(const ws_cct_operations *table, uint32_t everyone);
    /* Returns the chiplets that write back dirty data at the end of the program, for its host; `left`: those of the
     * table. For the closed form. */
    uint32_t (*finish)(uint32_t left, uint32_t everyone);
} ws_chiplet_policy_ops;

const ws_chiplet_policy_ops *ws_chiplet_policy_of(ws_chiplet_policy policy);

/* Policies that a machine may have, package.coherence; NULL: unknown. */
const ws_chiplet_policy_ops *ws_package_coherence_at(size_t index);
const ws_chiplet_policy_ops *ws_package_coherence_find(const char *name);

/* Shared functions: no operation at a launch; no write-back at the end, as nothing is dirty. */
ws_cct_operations ws_chiplet_launch_nobody(const ws_cct_operations *table, uint32_t everyone);
uint32_t ws_chiplet_finish_nobody(uint32_t left, uint32_t everyone);

#endif
