/* atomic.c - the table of what becomes of atomic operations on their way out of an SM. */
#include "model/sim/sm/atomic_internal.h"

static const ws_atomic_ops *const rules[] = {
#define ATOMIC(name, ...) &ws_atomic_##name,
#include "model/machine/atomics.def"
};

const ws_atomic_ops *ws_atomic_ops_of(const ws_atomic_kind *kind)
{
    return rules[kind - ws_atomic_kinds];
}

ws_atomic_split *ws_atomic_split_of(const ws_atomic_kind *kind, const uint64_t *values)
{
    const bool turns = kind->combines && !ws_atomic_combines(kind, values);
    return turns ? ws_atomic_split_serial : ws_atomic_ops_of(kind)->split;
}
