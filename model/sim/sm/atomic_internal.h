/* atomic_internal.h - rules of atomics.def. */
#ifndef WS_ATOMIC_INTERNAL_H
#define WS_ATOMIC_INTERNAL_H

#include "model/machine/atomic_rows.h"
#include "model/sim/sm/atomic.h"

#define ATOMIC(name, ...) extern const ws_atomic_ops ws_atomic_##name;
#include "model/machine/atomics.def"

/* Lanes that update the same word are served one after the other. */
unsigned ws_atomic_split_serial(const uint64_t address[32], uint32_t exec, unsigned bytes, unsigned line,
                                ws_touch *out);

#endif
