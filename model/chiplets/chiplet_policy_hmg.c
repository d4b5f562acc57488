/* chiplet_policy_hmg.c - directories at the homes of lines (region_directory.h). X. Ren and others, "HMG: Extending
 * Cache Coherence Protocols Across Modern Hierarchical Multi-GPU Systems", HPCA 2020. */
#include "model/chiplets/policy_options.h"

const ws_chiplet_policy_ops ws_chiplet_policy_hmg = {
    .name = "hmg",
    .summary = "L2s write through, and directories at the homes of lines invalidate copies",
    .options = ws_policy_directory_options,
    .needs = "l2.write=through\npackage.remote_read=1\npackage.remote_store=back",
    .directories = true,
    .launch = ws_chiplet_launch_nobody,
    .finish = ws_chiplet_finish_nobody,
};
