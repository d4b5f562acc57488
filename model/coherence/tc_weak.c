/* tc_weak.c - temporal coherence, release consistent: a store is performed at once and its ack says when all
 * copies will be dead (GWCT); a fence waits until then.
 *
 * I. Singh, A. Shriraman, W. Fung, M. O'Connor, T. Aamodt, "Cache Coherence for GPU Architectures", HPCA 2013, as
 * the baseline of Tabbakh, Qian, Annavaram 2018 describes it. L2 is inclusive: a line stays while its lease lives. */
#include "model/coherence/coherence_internal.h"

/* The copy takes the store and keeps its lease, which grows with L2's where the copy has all of its data. */
static const ws_row l1_rows[] = {
#include "model/coherence/l1_lease.def"
    L1_ROW(V, STORE, V, DO_write_line, DO_send_write),
    L1_ROW(V, ACK, V, DO_extend),
};

static const ws_row l2_rows[] = {
#include "model/coherence/l2_plain.def"
};

const ws_protocol ws_protocol_tc_weak = {
    .name = "tc-weak",
    .summary = "leases in physical time, release consistent: a fence waits until all copies are dead",
    .promise = WS_PROMISE_PHYSICAL,
    WS_PROTOCOL_ROWS(l1_rows, l2_rows),
    .lease = WS_LEASE_PHYSICAL,
};
