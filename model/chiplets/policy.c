/* policy.c - see policy.h. */
#include "model/chiplets/policy.h"

static ws_cct_operations boundary_launch(const ws_cct_operations *table, uint32_t everyone)
{
    (void)table;
    return (ws_cct_operations){.acquires = everyone, .end_releases = everyone};
}

/* Nothing is dirty between kernels. */
static uint32_t boundary_finish(uint32_t left, uint32_t everyone)
{
    (void)left;
    (void)everyone;
    return 0;
}

static ws_cct_operations cpcoh_launch(const ws_cct_operations *table, uint32_t everyone)
{
    (void)everyone;
    return *table;
}

static uint32_t cpcoh_finish(uint32_t left, uint32_t everyone)
{
    (void)everyone;
    return left;
}

static ws_cct_operations ideal_launch(const ws_cct_operations *table, uint32_t everyone)
{
    (void)table;
    (void)everyone;
    return (ws_cct_operations){0};
}

static uint32_t ideal_finish(uint32_t left, uint32_t everyone)
{
    (void)left;
    return everyone;
}

static ws_cct_operations hmg_launch(const ws_cct_operations *table, uint32_t everyone)
{
    (void)table;
    (void)everyone;
    return (ws_cct_operations){0};
}

/* Stores went through. */
static uint32_t hmg_finish(uint32_t left, uint32_t everyone)
{
    (void)left;
    (void)everyone;
    return 0;
}

static const ws_chiplet_policy_ops policies[] = {
#define POLICY(NAME, name, by_table, directories, operates, what) \
    {#name, what, by_table, directories, operates, name##_launch, name##_finish},
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
