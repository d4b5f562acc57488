/* coalesce_internal.h - the rules of atomics.def. */
#ifndef WS_COALESCE_INTERNAL_H
#define WS_COALESCE_INTERNAL_H

#include "model/sim/coalesce.h"

#define ATOMIC(name) extern const ws_atomic_ops ws_atomic_##name;
#include "model/sim/atomics.def"
#undef ATOMIC

#endif
