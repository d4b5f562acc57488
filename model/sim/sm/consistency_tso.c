/* consistency_tso.c - total store order: loads in their order, stores in theirs, and a load may pass the stores before
 * it. An atomic is both. (Sewell and others, x86-TSO, CACM 53(7), 2010.) */
#include "model/sim/sm/consistency_internal.h"

static bool may_begin(const ws_under_way *u, ws_request_kind kind)
{
    if (u->loads || u->atomics)
        return false;
    return kind == WS_REQUEST_LOAD || !u->stores;
}

const ws_consistency_ops ws_consistency_tso = {
    .may_begin = may_begin,
    .may_pass = ws_consistency_full_fence,
};
