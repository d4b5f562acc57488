/* consistency.h - what may a warp have under way in memory that other warps see, and what does a fence wait for? One
 * rule is one file and one row of consistencies.def; the protocol of the caches may be stricter. */
#ifndef WS_CONSISTENCY_H
#define WS_CONSISTENCY_H

#include "collect/trace/instr.h"
#include "model/coherence/coherence.h"
#include "model/machine/consistency_kind.h"

/* Instructions of a warp that are not complete: loads without their data, stores and atomics that are not performed. */
typedef struct ws_under_way {
    uint16_t loads, stores, atomics;
    uint16_t queued;   /* of all of them, those that the caches have not taken */
    uint16_t unplaced; /* ... that have no place in the order of all accesses yet: where the L1 says so */
} ws_under_way;

typedef struct ws_consistency_ops {
    /* May an access of that kind begin? */
    bool (*may_begin)(const ws_under_way *under_way, ws_request_kind kind);
    /* Is a fence of that scope reached? *ask: the L1 has to agree, too: others must see the warp's stores. */
    bool (*may_pass)(const ws_under_way *under_way, ws_scope scope, bool *ask);
} ws_consistency_ops;

const ws_consistency_ops *ws_consistency_ops_of(const ws_consistency_kind *kind);

#endif
