/* atomic_owned.c - atomics are done in the L1 that owns their line; data are owned by nobody.
 *
 * hLRC: J. Alsop, M. Orr, B. Beckmann, D. Wood, "Lazy Release Consistency for GPUs", MICRO 2016, as P. Dalmia's thesis
 * (atomic_lab.c) compares with it. The L1 asks L2 for the line; of another L1 that owns it, L2 gets it back first. An
 * owned line stays until it is given up for another, or another L1 wants it, beyond launches, too. Atomics of all
 * kinds, whatever becomes of their results, go this way. model/sim/memory/plain_l1.c and line_owners.h do it. */
#include "model/sim/sm/atomic_internal.h"

const ws_atomic_ops ws_atomic_owned = {
    .split = ws_coalesce,
};
