/* policy.c - which policies are there? */
#include "model/control/policy.h"

#include <string.h>

static const ws_policy *const policies[] = {
#define POLICY(name) &ws_policy_##name,
#include "model/control/policies.def"
#undef POLICY
};

const ws_policy *ws_policy_at(size_t index)
{
    return index < sizeof policies / sizeof *policies ? policies[index] : NULL;
}

const ws_policy *ws_policy_find(const char *name)
{
    for (size_t i = 0; ws_policy_at(i); i++)
        if (!strcmp(policies[i]->name, name))
            return policies[i];
    return NULL;
}

static bool goes_higher(const ws_control *c, const ws_mode *a, const ws_mode *b)
{
    return ws_control_level_of(c, a->level) > ws_control_level_of(c, b->level);
}

unsigned ws_policy_thrifty(const ws_control *c)
{
    unsigned best = 0;
    for (unsigned i = 1; i < c->modes; i++)
        if (c->mode[i].battery < c->mode[best].battery ||
            (c->mode[i].battery == c->mode[best].battery && goes_higher(c, &c->mode[i], &c->mode[best])))
            best = i;
    return best;
}

unsigned ws_policy_eager(const ws_control *c)
{
    unsigned best = 0;
    for (unsigned i = 1; i < c->modes; i++)
        if (c->mode[i].battery > c->mode[best].battery ||
            (c->mode[i].battery == c->mode[best].battery && goes_higher(c, &c->mode[i], &c->mode[best])))
            best = i;
    return best;
}
