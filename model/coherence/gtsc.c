/* gtsc.c - G-TSC: every copy carries a lease in logical time, a store goes right after all leases and never waits.
 *
 * X. Tabbakh, X. Qian, M. Annavaram, "G-TSC: Timestamp Based Coherence for GPUs", HPCA 2018, sections III to V,
 * with the gaps closed that docs/coherence.md describes. Sequential consistency and release consistency differ
 * only in how many accesses of a warp may be in flight. */
#include "model/coherence/coherence_internal.h"

static const ws_row l1_rows[] = {
    L1_ROW(I, MISS, IV, DO_send_read),
    L1_ROW(I, STORE, I, DO_send_write),
    L1_ROW(I, UPDATE, I, DO_send_update),
    L1_ROW(I, ACK_OTHER, I, DO_NOTHING),

    L1_ROW(IV, MISS, IV, DO_join),
    L1_ROW(IV, STORE, IV, DO_send_write),
    L1_ROW(IV, UPDATE, IV, DO_send_update),
    L1_ROW(IV, FILL, V, DO_install, DO_wake),
    L1_ROW(IV, FILL_MORE, VR, DO_install, DO_wake),
    L1_ROW(IV, RENEW, IV, DO_resend),
    L1_ROW(IV, RENEW_MORE, IV, DO_resend),
    L1_ROW(IV, STALE, IV, DO_resend),
    L1_ROW(IV, ACK_OTHER, IV, DO_NOTHING),
    L1_ROW(IV, RESET, IV, DO_NOTHING),

    L1_ROW(V, LOAD, V, DO_hit),
    L1_ROW(V, MISS, VR, DO_send_read),
    L1_ROW(V, STORE, VW, DO_write_line, DO_lock, DO_send_write),
    L1_ROW(V, UPDATE, I, DO_send_update),
    L1_ROW(V, ACK_OTHER, V, DO_NOTHING),
    L1_ROW(V, EVICT, I, DO_NOTHING),
    L1_ROW(V, FLUSH, I, DO_NOTHING),
    L1_ROW(V, RESET, I, DO_NOTHING),

    L1_ROW(VR, LOAD, VR, DO_hit),
    L1_ROW(VR, MISS, VR, DO_join),
    L1_ROW(VR, STORE, VRW, DO_write_line, DO_lock, DO_send_write),
    L1_ROW(VR, UPDATE, VR, DO_send_update),
    L1_ROW(VR, FILL, V, DO_install, DO_wake),
    L1_ROW(VR, FILL_MORE, VR, DO_install, DO_wake),
    L1_ROW(VR, RENEW, V, DO_renew, DO_wake),
    L1_ROW(VR, RENEW_MORE, VR, DO_renew, DO_wake),
    L1_ROW(VR, ACK_OTHER, VR, DO_NOTHING),
    L1_ROW(VR, RESET, IV, DO_NOTHING),

    L1_ROW(VW, LOAD, VW, DO_hit),
    L1_ROW(VW, MISS, VW, DO_park),
    L1_ROW(VW, HELD, VW, DO_park),
    L1_ROW(VW, STORE, VW, DO_write_line, DO_lock, DO_send_write),
    L1_ROW(VW, UPDATE, VW, DO_send_update),
    L1_ROW(VW, ACK, V, DO_take_ack, DO_wake),
    L1_ROW(VW, ACK_MORE, VW, DO_take_ack),
    L1_ROW(VW, ACK_BAD, I, DO_wake),
    L1_ROW(VW, ACK_OTHER, VW, DO_NOTHING),
    L1_ROW(VW, RESET, I, DO_NOTHING),

    L1_ROW(VRW, LOAD, VRW, DO_hit),
    L1_ROW(VRW, MISS, VRW, DO_park),
    L1_ROW(VRW, HELD, VRW, DO_park),
    L1_ROW(VRW, STORE, VRW, DO_write_line, DO_lock, DO_send_write),
    L1_ROW(VRW, UPDATE, VRW, DO_send_update),
    L1_ROW(VRW, FILL, VW, DO_install),
    L1_ROW(VRW, FILL_MORE, VRW, DO_install),
    L1_ROW(VRW, RENEW, VW, DO_NOTHING),
    L1_ROW(VRW, RENEW_MORE, VRW, DO_NOTHING),
    L1_ROW(VRW, ACK, VR, DO_take_ack, DO_wake),
    L1_ROW(VRW, ACK_MORE, VRW, DO_take_ack),
    L1_ROW(VRW, ACK_BAD, IV, DO_wake),
    L1_ROW(VRW, ACK_OTHER, VRW, DO_NOTHING),
    L1_ROW(VRW, RESET, IV, DO_NOTHING),
};

static const ws_row l2_rows[] = {
#include "model/coherence/l2_plain.def"
};

/* What happens in the published machine where nothing is said (docs/coherence.md, "Gaps"). Without closing 4 a line is
 * not pinned while it waits for a renewal, and what arrives is applied to whatever is there. Without the fields that
 * closing 7 adds, a renewal from before a reset finds lines that did not ask. */
const ws_variant ws_gtsc_open[] = {
    {WS_CLOSE_ABSENT, L1_ROW(V, ACK, V, DO_take_ack, DO_wake)},
    {WS_CLOSE_ABSENT, L1_ROW(VR, ACK, VR, DO_take_ack, DO_wake)},
    {WS_CLOSE_ATOMIC, L1_ROW(V, UPDATE, V, DO_send_update)},
    {WS_CLOSE_RENEW, L1_ROW(VR, EVICT, I, DO_NOTHING)},
    {WS_CLOSE_RENEW, L1_ROW(VR, RENEW, V, DO_renew_blind, DO_wake)},
    {WS_CLOSE_RENEW, L1_ROW(VR, RENEW_MORE, VR, DO_renew_blind, DO_wake)},
    {WS_CLOSE_RENEW, L1_ROW(VRW, RENEW, VW, DO_renew_blind)},
    {WS_CLOSE_RENEW, L1_ROW(VRW, RENEW_MORE, VRW, DO_renew_blind)},
    {WS_CLOSE_RENEW, L1_ROW(I, FILL, I, DO_wake)},
    {WS_CLOSE_RENEW, L1_ROW(I, RENEW, I, DO_wake)},
    {WS_CLOSE_RENEW, L1_ROW(V, FILL, V, DO_install, DO_wake)},
    {WS_CLOSE_RENEW, L1_ROW(V, RENEW, V, DO_renew_blind, DO_wake)},
    {WS_CLOSE_RENEW, L1_ROW(VW, FILL, VW, DO_install)},
    {WS_CLOSE_RENEW, L1_ROW(VW, RENEW, VW, DO_renew_blind)},
};
const size_t ws_gtsc_open_count = sizeof ws_gtsc_open / sizeof *ws_gtsc_open;

const ws_protocol ws_protocol_gtsc_sc = {
    .name = "gtsc-sc",
    .summary = "timestamp coherence in logical time, sequentially consistent: one access of a warp in flight",
    .promise = WS_PROMISE_LOGICAL,
    .sequential = true,
    .lease = WS_LEASE_LOGICAL,
    WS_PROTOCOL_ROWS(l1_rows, l2_rows),
};

const ws_protocol ws_protocol_gtsc_rc = {
    .name = "gtsc-rc",
    .summary = "timestamp coherence in logical time, release consistent: order only at fences",
    .promise = WS_PROMISE_LOGICAL,
    .lease = WS_LEASE_LOGICAL,
    WS_PROTOCOL_ROWS(l1_rows, l2_rows),
};
