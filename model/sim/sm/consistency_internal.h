/* consistency_internal.h - rows of consistencies.def, and shared functions. */
#ifndef WS_CONSISTENCY_INTERNAL_H
#define WS_CONSISTENCY_INTERNAL_H

#include "model/sim/sm/consistency.h"

#define CONSISTENCY(name, ...) extern const ws_consistency_ops ws_consistency_##name;
#include "model/machine/consistencies.def"

/* A fence of any scope waits until all accesses are complete, and for the L1. */
bool ws_consistency_full_fence(const ws_under_way *under_way, ws_scope scope, bool *ask);

#endif
