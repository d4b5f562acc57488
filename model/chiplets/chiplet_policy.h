/* chiplet_policy.h - policies of the L2s of chiplets, the rows of chiplet_policies.def: what they do between launches,
 * and what they are made of. The closed form (chiplet_l2.h) and the simulator's memory side call the same functions. */
#ifndef WS_CHIPLET_POLICY_H
#define WS_CHIPLET_POLICY_H

#include "model/chiplets/cct.h"
#include "base/option.h"

/* Of the closed form. */
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
    const ws_option *options; /* of machines that have it, in [package]: policy_options.h; NULL: none */
    const char *needs;        /* lines of OPTION=VALUE: what else a machine has that is to be compared with the model */
    bool by_table;            /* a coherence table is asked at each launch */
    bool directories;         /* at the homes of lines, which take copies away; stores go through */
    bool operates;            /* L2s acquire and release; else they agree by themselves */
    bool gives_up; /* a release ends copies of lines that are at home elsewhere: L2s of `home`, which has no columns of
                      agreement */
    /* Operations of a launch; `table`: those of the coherence table, none without; `everyone`: a bit for each chiplet.
     * Acquires and releases before it come first, acquires before releases. */
    ws_cct_operations (*launch)(const ws_cct_operations *table, uint32_t everyone);
    /* Chiplets that write back what is dirty at the end of the program, for its host; `left`: those of the table. Of
     * the closed form. */
    uint32_t (*finish)(uint32_t left, uint32_t everyone);
} ws_chiplet_policy_ops;

const ws_chiplet_policy_ops *ws_chiplet_policy_of(ws_chiplet_policy policy);

/* Those that a machine may have, package.coherence; NULL: there is none. */
const ws_chiplet_policy_ops *ws_package_coherence_at(size_t index);
const ws_chiplet_policy_ops *ws_package_coherence_find(const char *name);

/* What several do: nobody has an operation at a launch; nobody writes back at the end, for nothing is dirty. */
ws_cct_operations ws_chiplet_launch_nobody(const ws_cct_operations *table, uint32_t everyone);
uint32_t ws_chiplet_finish_nobody(uint32_t left, uint32_t everyone);

#endif
