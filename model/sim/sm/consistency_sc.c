/* consistency_sc.c - sequential consistency the simple way: an access begins when the one before is complete. */
#include "model/sim/sm/consistency_internal.h"

static bool may_begin(const ws_under_way *u, ws_request_kind kind)
{
    (void)kind;
    return !u->loads && !u->stores && !u->atomics;
}

const ws_consistency_ops ws_consistency_sc = {
    .may_begin = may_begin,
    .may_pass = ws_consistency_full_fence,
};
