/* consistency.c - the table of rules. */
#include "model/sim/sm/consistency_internal.h"

#include <string.h>

static const ws_consistency_ops *const rows[] = {
#define CONSISTENCY(identifier) &ws_consistency_##identifier,
#include "model/sim/sm/consistencies.def"
#undef CONSISTENCY
};

const ws_consistency_ops *ws_consistency_at(size_t index)
{
    return index < sizeof rows / sizeof *rows ? rows[index] : NULL;
}

const ws_consistency_ops *ws_consistency_find(const char *name)
{
    for (size_t i = 0; ws_consistency_at(i); i++)
        if (!strcmp(rows[i]->name, name))
            return rows[i];
    return NULL;
}

bool ws_consistency_full_fence(const ws_under_way *u, ws_scope scope, bool *ask)
{
    (void)scope;
    *ask = true;
    return !u->loads && !u->stores && !u->atomics;
}
