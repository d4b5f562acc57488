/* tc_strong.c - temporal coherence with write atomicity: leases in physical time on clocks that all caches share;
 * a store waits at L2 until all leases of the block ended, later requests for the block behind it.
 *
 * I. Singh, A. Shriraman, W. Fung, M. O'Connor, T. Aamodt, "Cache Coherence for GPU Architectures", HPCA 2013, as
 * the baseline of Tabbakh, Qian, Annavaram 2018 describes it. L2 is inclusive: a line stays while its lease lives. */
#include "model/coherence/coherence_internal.h"

/* A store gives the copy up. The data of a read that is in flight then may lack the store: IVD. */
static const ws_row l1_rows[] = {
#include "model/coherence/l1_lease.def"
    L1_ROW(V, STORE, I, DO_send_write),
};

static const ws_row l2_rows[] = {
#include "model/coherence/l2_plain.def"
};

const ws_protocol ws_protocol_tc_strong = {
    .name = "tc-strong",
    .summary = "leases in physical time, sequentially consistent: a store waits until all copies are dead",
    .promise = WS_PROMISE_PHYSICAL,
    WS_PROTOCOL_ROWS(l1_rows, l2_rows),
    .lease = WS_LEASE_PHYSICAL,
    .sequential = true,
    .strong_writes = true,
};
