/* atomic_phi.c - updates stay in ordinary lines of the L1, beside data, until their line is given up.
 *
 * A. Mukkara, N. Beckmann, D. Sanchez, "PHI: Architectural Support for Synchronization- and Bandwidth-Efficient
 * Commutative Scatter Updates", MICRO 2019, as P. Dalmia's thesis (atomic_lab.c) has it for GPUs: a bit and an
 * operation for each line, one replacement for data and updates, and what L1s of CPUs pay for coherence left out. Lines
 * are read when an update takes one, or not before a load wants them (fetch = 0). model/sim/memory/plain_cache.c does
 * it. */
#include "model/sim/sm/atomic_internal.h"

const ws_atomic_ops ws_atomic_phi = {
    .split = ws_coalesce,
};
