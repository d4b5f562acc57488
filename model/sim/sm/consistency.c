/* consistency.c - the table of rules. */
#include "model/sim/sm/consistency_internal.h"

static const ws_consistency_ops *const rows[] = {
#define CONSISTENCY(name, ...) &ws_consistency_##name,
#include "model/machine/consistencies.def"
};

const ws_consistency_ops *ws_consistency_ops_of(const ws_consistency_kind *kind)
{
    return rows[kind - ws_consistency_kinds];
}

bool ws_consistency_full_fence(const ws_under_way *u, ws_scope scope, bool *ask)
{
    (void)scope;
    *ask = true;
    return !u->loads && !u->stores && !u->atomics;
}
