/* tc_weak.c - temporal coherence, release consistent: a store is performed at once and its ack says when all
 * copies will be dead (GWCT); a fence waits until then.
 *
 * I. Singh, A. Shriraman, W. Fung, M. O'Connor, T. Aamodt, "Cache Coherence for GPU Architectures", HPCA 2013, as
 * the baseline of Tabbakh, Qian, Annavaram 2018 describes it. L2 is inclusive: a line stays while its lease lives. */
#include "model/coherence/coherence_internal.h"

/* The copy takes the store and keeps its lease. */
static const ws_row l1_rows[] = {
    L1_ROW(I, MISS, IV, DO_send_read),
    L1_ROW(I, STORE, I, DO_send_write),
    L1_ROW(I, UPDATE, I, DO_send_update),
    L1_ROW(I, ACK_OTHER, I, DO_NOTHING),

    L1_ROW(IV, MISS, IV, DO_join),
    L1_ROW(IV, STORE, IVD, DO_send_write),
    L1_ROW(IV, UPDATE, IVD, DO_send_update),
    L1_ROW(IV, FILL, V, DO_install, DO_serve, DO_wake),
    L1_ROW(IV, FILL_MORE, IV, DO_serve),
    L1_ROW(IV, ACK_OTHER, IV, DO_NOTHING),
    L1_ROW(IV, FLUSH, IVD, DO_NOTHING),

    L1_ROW(IVD, MISS, IVD, DO_park),
    L1_ROW(IVD, STORE, IVD, DO_send_write),
    L1_ROW(IVD, UPDATE, IVD, DO_send_update),
    L1_ROW(IVD, FILL, I, DO_serve, DO_wake),
    L1_ROW(IVD, FILL_MORE, IVD, DO_serve),
    L1_ROW(IVD, ACK_OTHER, IVD, DO_NOTHING),
    L1_ROW(IVD, FLUSH, IVD, DO_NOTHING),

    L1_ROW(V, LOAD, V, DO_hit),
    L1_ROW(V, MISS, IV, DO_send_read),
    L1_ROW(V, STORE, V, DO_write_line, DO_send_write),
    L1_ROW(V, UPDATE, I, DO_send_update),
    L1_ROW(V, ACK_OTHER, V, DO_NOTHING),
    L1_ROW(V, EVICT, I, DO_NOTHING),
    L1_ROW(V, FLUSH, I, DO_NOTHING),
};

static const ws_row l2_rows[] = {
#include "model/coherence/l2_plain.def"
};

const ws_protocol ws_protocol_tc_weak = {
    .name = "tc-weak",
    .summary = "leases in physical time, release consistent: a fence waits until all copies are dead",
    .promise = WS_PROMISE_PHYSICAL,
    .l1 = l1_rows,
    .l1_rows = sizeof l1_rows / sizeof *l1_rows,
    .l2 = l2_rows,
    .l2_rows = sizeof l2_rows / sizeof *l2_rows,
    .lease = LEASE_PHYSICAL,
};
