/* consistency_rc.c - release consistency as GPUs have it: accesses begin in order and end in any; fences order them. */
#include "model/sim/sm/consistency_internal.h"

static bool may_begin(const ws_under_way *u, ws_request_kind kind)
{
    (void)u, (void)kind;
    return true;
}

const ws_consistency_ops ws_consistency_rc = {
    .may_begin = may_begin,
    .may_pass = ws_consistency_full_fence,
};

/* The threads of a CTA share an L1, which has seen a store when it has taken it: the SM's requests for a line stay in
 * order. */
static bool may_pass(const ws_under_way *u, ws_scope scope, bool *ask)
{
    if (scope != WS_SCOPE_CTA)
        return ws_consistency_full_fence(u, scope, ask);
    *ask = false;
    return !u->loads && !u->atomics && !u->queued;
}

const ws_consistency_ops ws_consistency_scoped = {
    .may_begin = may_begin,
    .may_pass = may_pass,
};
