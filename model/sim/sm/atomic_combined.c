/* atomic_combined.c - lanes that update one word are combined before they leave the SM: one touch a block. */
#include "model/sim/sm/atomic_internal.h"

const ws_atomic_ops ws_atomic_combined = {
    .split = ws_coalesce,
};
