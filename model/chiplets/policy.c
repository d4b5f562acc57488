/* policy.c - see policy.h. */
#include "model/chiplets/policy.h"

static ws_cct_operations launch_all(const ws_cct_operations *table, uint32_t everyone)
{
    (void)table;
    return (ws_cct_operations){.acquires = everyone, .end_releases = everyone};
}

static ws_cct_operations launch_table(const ws_cct_operations *table, uint32_t everyone)
{
    (void)everyone;
    return *table;
}

static ws_cct_operations launch_none(const ws_cct_operations *table, uint32_t everyone)
{
    (void)table;
    (void)everyone;
    return (ws_cct_operations){0};
}

static uint32_t finish_all(uint32_t left, uint32_t everyone)
{
    (void)left;
    return everyone;
}

static uint32_t finish_left(uint32_t left, uint32_t everyone)
{
    (void)everyone;
    return left;
}

/* Nothing is dirty then: kernels released it, or stores went through. */
static uint32_t finish_none(uint32_t left, uint32_t everyone)
{
    (void)left;
    (void)everyone;
    return 0;
}

static const ws_chiplet_policy_ops policies[] = {
#define POLICY(NAME, name, by_table, directories, operates, launch, finish, what) \
    {#name, what, by_table, directories, operates, launch, finish},
#include "model/chiplets/policies.def"
#undef POLICY
};

const ws_chiplet_policy_ops *ws_chiplet_policy_of(ws_chiplet_policy policy)
{
    return &policies[policy];
}

const char *ws_chiplet_policy_name(ws_chiplet_policy policy)
{
    return policies[policy].name;
}
