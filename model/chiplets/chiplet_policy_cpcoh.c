/* chiplet_policy_cpcoh.c - CPCoh: those L2s acquire and release that the coherence table of a command processor says
 * (cct.h). */
#include "model/chiplets/policy_options.h"

static ws_cct_operations launch(const ws_cct_operations *table, uint32_t everyone)
{
    (void)everyone;
    return *table;
}

static uint32_t finish(uint32_t left, uint32_t everyone)
{
    (void)everyone;
    return left;
}

const ws_chiplet_policy_ops ws_chiplet_policy_cpcoh = {
    .name = "cpcoh",
    .summary =
        "a command processor knows the data of launches on each chip, and L2s write back and invalidate only as needed",
    .options = ws_policy_table_options,
    .by_table = true,
    .operates = true,
    .launch = launch,
    .finish = finish,
};
