/* chiplet_policy_home.c - copies of other chips' lines last for a launch. */
#include "model/chiplets/chiplet_policy.h"

static ws_cct_operations launch(const ws_cct_operations *table, uint32_t everyone)
{
    (void)table;
    return (ws_cct_operations){.end_releases = everyone};
}

const ws_chiplet_policy_ops ws_chiplet_policy_home = {
    .name = "home",
    .summary = "at the end of a launch all is written back, and copies of other chips' lines are invalidated",
    .operates = true,
    .gives_up = true,
    .launch = launch,
    .finish = ws_chiplet_finish_nobody,
};
