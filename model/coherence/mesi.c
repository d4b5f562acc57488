/* mesi.c - the classical reference: write-back L1s, one owner or many readers of a block, and an inclusive L2 whose
 * directory invalidates copies before a store is done.
 *
 * M. Papamarcos, J. Patel, "A Low-Overhead Coherence Solution for Multiprocessors with Private Cache Memories", ISCA
 * 1984, for the states; L. Censier, P. Feautrier, "A New Solution to Coherence Problems in Multicache Systems", IEEE
 * Transactions on Computers 1978, for the full map of readers. docs/coherence.md has the races and choices. */
#include "model/coherence/coherence_internal.h"

/* Ownership blocks the directory until the owner has confirmed it, so what comes for it does not overtake it. Data to
 * share do not: an INVALIDATE in IV is either for an earlier copy or has overtaken the data. IVD suits both, as a load
 * that waited already was performed at L2. */
static const ws_row l1_rows[] = {
    L1_ROW(I, MISS, IV, DO_send_read),
    L1_ROW(I, STORE, IM, DO_send_own),
    L1_ROW(I, UPDATE, IM, DO_send_own),
    L1_ROW(I, INVALIDATE, I, DO_send_none),
    L1_ROW(I, FETCH, I, DO_send_none),

    L1_ROW(IV, MISS, IV, DO_join),
    L1_ROW(IV, STORE, IV, DO_park),
    L1_ROW(IV, UPDATE, IV, DO_park),
    L1_ROW(IV, FILL, S, DO_install, DO_serve_all),
    L1_ROW(IV, FILL_OWN, E, DO_install, DO_serve_all, DO_send_taken),
    L1_ROW(IV, INVALIDATE, IVD, DO_send_none),
    L1_ROW(IV, FETCH, IV, DO_send_none),
    L1_ROW(IV, BUSY, IV, DO_send_again),

    L1_ROW(IVD, MISS, IVD, DO_park),
    L1_ROW(IVD, STORE, IVD, DO_park),
    L1_ROW(IVD, UPDATE, IVD, DO_park),
    L1_ROW(IVD, FILL, I, DO_serve_all),
    L1_ROW(IVD, FILL_OWN, E, DO_install, DO_serve_all, DO_send_taken),
    L1_ROW(IVD, INVALIDATE, IVD, DO_send_none),
    L1_ROW(IVD, FETCH, IVD, DO_send_none),
    L1_ROW(IVD, BUSY, IV, DO_send_again),

    L1_ROW(IM, MISS, IM, DO_join),
    L1_ROW(IM, STORE, IM, DO_join),
    L1_ROW(IM, UPDATE, IM, DO_join),
    L1_ROW(IM, FILL_OWN, M, DO_install, DO_serve_all, DO_send_taken),
    L1_ROW(IM, INVALIDATE, IM, DO_send_none),
    L1_ROW(IM, FETCH, IM, DO_send_none),
    L1_ROW(IM, BUSY, IM, DO_send_again),

    L1_ROW(S, LOAD, S, DO_hit),
    L1_ROW(S, STORE, SM, DO_send_own),
    L1_ROW(S, UPDATE, SM, DO_send_own),
    L1_ROW(S, INVALIDATE, I, DO_send_none),
    L1_ROW(S, EVICT, I, DO_NOTHING),
    L1_ROW(S, FLUSH, I, DO_NOTHING),

    L1_ROW(SM, LOAD, SM, DO_hit),
    L1_ROW(SM, STORE, SM, DO_join),
    L1_ROW(SM, UPDATE, SM, DO_join),
    L1_ROW(SM, GRANT, M, DO_serve_all, DO_send_taken),
    L1_ROW(SM, INVALIDATE, IM, DO_send_none),
    L1_ROW(SM, BUSY, SM, DO_send_again),

    L1_ROW(E, LOAD, E, DO_hit),
    L1_ROW(E, STORE, M, DO_perform),
    L1_ROW(E, UPDATE, M, DO_perform),
    L1_ROW(E, INVALIDATE, I, DO_send_none),
    L1_ROW(E, FETCH, S, DO_send_clean),
    L1_ROW(E, EVICT, I, DO_NOTHING),
    L1_ROW(E, FLUSH, I, DO_NOTHING),

    L1_ROW(M, LOAD, M, DO_hit),
    L1_ROW(M, STORE, M, DO_perform),
    L1_ROW(M, UPDATE, M, DO_perform),
    L1_ROW(M, INVALIDATE, I, DO_send_data),
    L1_ROW(M, FETCH, S, DO_send_data),
    L1_ROW(M, EVICT, I, DO_put),
    L1_ROW(M, FLUSH, I, DO_put),
};

/* A changed block that an L1 gives up (PUT) travels before the answer of the same L1 to what the slice asks meanwhile;
 * so after the last answer the slice's data are good. */
static const ws_row l2_rows[] = {
    L2_ROW(I, READ, IV, SLICE_fetch, SLICE_queue),
    L2_ROW(I, READ_PLAIN, IV, SLICE_fetch, SLICE_queue),
    L2_ROW(I, OWN, IV, SLICE_fetch, SLICE_queue),
    L2_ROW(I, BLOCKED, I, SLICE_queue),
    L2_ROW(IV, BLOCKED, IV, SLICE_queue),
    L2_ROW(IV, FILL, V, SLICE_fill),

    L2_ROW(V, READ, VOW, SLICE_give),
    L2_ROW(V, READ_PLAIN, V, SLICE_show),
    L2_ROW(V, OWN, VOW, SLICE_give),
    L2_ROW(V, BLOCKED, V, SLICE_queue),
    L2_ROW(V, EVICT, I, SLICE_retire),

    L2_ROW(VS, READ, VS, SLICE_share),
    L2_ROW(VS, READ_PLAIN, VS, SLICE_show),
    L2_ROW(VS, OWN, VOW, SLICE_give),
    L2_ROW(VS, OWN_OTHERS, VC, SLICE_invalidate, SLICE_queue),
    L2_ROW(VS, BLOCKED, VS, SLICE_queue),
    L2_ROW(VS, EVICT, I, SLICE_retire),
    L2_ROW(VS, RECALL, VR, SLICE_recall),

    L2_ROW(VO, READ, VOW, SLICE_give), /* its owner has given a clean copy up */
    L2_ROW(VO, OWN, VOW, SLICE_give),
    L2_ROW(VO, READ_OWNED, VF, SLICE_ask_owner, SLICE_queue),
    L2_ROW(VO, OWN_OTHERS, VC, SLICE_invalidate, SLICE_queue),
    L2_ROW(VO, BLOCKED, VO, SLICE_queue),
    L2_ROW(VO, PUT, V, SLICE_take, SLICE_forget),
    L2_ROW(VO, RECALL, VR, SLICE_recall),

    L2_ROW(VOW, BLOCKED, VOW, SLICE_queue),
    L2_ROW(VOW, TAKEN, VO, SLICE_NOTHING),

    L2_ROW(VF, BLOCKED, VF, SLICE_queue),
    L2_ROW(VF, PUT, VF, SLICE_take),
    L2_ROW(VF, DATA, VS, SLICE_take),
    L2_ROW(VF, CLEAN, VS, SLICE_NOTHING),
    L2_ROW(VF, NONE, V, SLICE_forget),

    L2_ROW(VC, BLOCKED, VC, SLICE_queue),
    L2_ROW(VC, PUT, VC, SLICE_take),
    L2_ROW(VC, DATA, VS, SLICE_take),
    L2_ROW(VC, NONE_MORE, VC, SLICE_NOTHING),
    L2_ROW(VC, NONE, VS, SLICE_NOTHING),

    L2_ROW(VR, BLOCKED, VR, SLICE_queue),
    L2_ROW(VR, PUT, VR, SLICE_take),
    L2_ROW(VR, DATA, I, SLICE_take, SLICE_retire),
    L2_ROW(VR, NONE_MORE, VR, SLICE_NOTHING),
    L2_ROW(VR, NONE, I, SLICE_retire),
};

/* Without WS_CLOSE_INV_ACK ownership goes out together with the invalidations of shared copies; their answers, which
 * nobody waits for, come at any time. */
static const ws_variant open_rows[] = {
    {WS_CLOSE_INV_ACK, L2_ROW(VS, OWN_OTHERS, VOW, SLICE_invalidate, SLICE_give)},
    {WS_CLOSE_INV_ACK, L2_ROW(VOW, NONE_MORE, VOW, SLICE_NOTHING)},
    {WS_CLOSE_INV_ACK, L2_ROW(VOW, NONE, VOW, SLICE_NOTHING)},
    {WS_CLOSE_INV_ACK, L2_ROW(VO, NONE_MORE, VO, SLICE_NOTHING)},
    {WS_CLOSE_INV_ACK, L2_ROW(VO, NONE, VO, SLICE_NOTHING)},
};

const ws_protocol ws_protocol_mesi = {
    .name = "mesi",
    .summary = "write-back L1s under a directory in L2 that invalidates copies before a store, sequentially consistent",
    .promise = WS_PROMISE_OWNED,
    WS_PROTOCOL_ROWS(l1_rows, l2_rows),
    .open = open_rows,
    .open_rows = sizeof open_rows / sizeof *open_rows,
    .sequential = true,
    .directory = true,
};
