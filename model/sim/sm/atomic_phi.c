/* atomic_phi.c - updates stay in ordinary lines of the L1, beside data, until their line is given up.
 *
 * A. Mukkara, N. Beckmann, D. Sanchez, "PHI: Architectural Support for Synchronization- and Bandwidth-Efficient
 * Commutative Scatter Updates", MICRO 2019, as P. Dalmia's thesis (atomic_lab.c) has it for GPUs: a bit and an
 * operation for each line, one replacement for data and updates, and what L1s of CPUs pay for coherence left out. Lines
 * are read when an update takes one, or not before a load wants them (fetch = 0). model/sim/memory/plain_cache.c does
 * it. */
#include "model/sim/sm/atomic_internal.h"

#include <string.h>

enum { FETCH };
static const ws_option options[] = {
    [FETCH] = {"fetch", "", 1, 0, 1,
               "1: an update that takes a line has its sectors read; 0: they are read when a load wants them"},
    {NULL, NULL, 0, 0, 0, NULL},
};

bool ws_atomic_phi_fetches(const ws_machine *m)
{
    uint64_t values[WS_ATOMIC_OPTIONS];
    return ws_atomic_of(m, values) == &ws_atomic_phi && values[FETCH];
}

const ws_atomic_ops ws_atomic_phi = {
    .name = "phi",
    .summary = "updates whose result nobody reads stay in ordinary lines of plain L1s, which data may drive out, and "
               "which may drive out data",
    .options = options,
    .split = ws_coalesce,
    .in_l1 = true,
    .counts = true,
};
