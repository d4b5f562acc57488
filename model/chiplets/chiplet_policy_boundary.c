/* chiplet_policy_boundary.c - all L2s acquire when a launch begins, and all release when it ends. */
#include "model/chiplets/chiplet_policy.h"

static ws_cct_operations launch(const ws_cct_operations *table, uint32_t everyone)
{
    (void)table;
    return (ws_cct_operations){.acquires = everyone, .end_releases = everyone};
}

const ws_chiplet_policy_ops ws_chiplet_policy_boundary = {
    .name = "boundary",
    .summary = "a launch begins with L2s that are empty, and ends when all is written back",
    .operates = true,
    .launch = launch,
    .finish = ws_chiplet_finish_nobody,
};
