/* consistency.h - consistency rules: outstanding accesses of a warp, and completion of fences. A rule is one file and
 * one row of consistencies.def; the protocol of the caches may be stricter. */
#ifndef WS_CONSISTENCY_H
#define WS_CONSISTENCY_H

#include "collect/trace/instr.h"
#include "model/coherence/coherence.h"
#include "model/machine/consistency_kind.h"

/* Incomplete instructions of a warp: loads without their data, stores and atomics that are not performed. */
typedef struct ws_under_way {
    uint16_t loads, stores, atomics;
    uint16_t queued;   /* of them: not yet taken by the caches */
    uint16_t unplaced; /* of them: without a place in the global order, if the L1 reports it */
} ws_under_way;

typedef struct ws_consistency_ops {
    /* Returns whether an access of that kind may begin. */
    bool (*may_begin)(const ws_under_way *under_way, ws_request_kind kind);
    /* Returns whether a fence of that scope may be passed. *ask: the L1 must also agree, so that others see the warp's
     * stores. */
    bool (*may_pass)(const ws_under_way *under_way, ws_scope scope, bool *ask);
} ws_consistency_ops;

const ws_consistency_ops *ws_consistency_ops_of(const ws_consistency_kind *kind);

#endif
