/* bl.c - the baseline: no L1. Every load has its own request and answer; nothing is merged. */
#include "model/coherence/coherence_internal.h"

static const ws_row l1_rows[] = {
    L1_ROW(I, MISS, I, DO_send_alone), L1_ROW(I, STORE, I, DO_send_write),  L1_ROW(I, UPDATE, I, DO_send_update),
    L1_ROW(I, FILL, I, DO_serve),      L1_ROW(I, ACK_OTHER, I, DO_NOTHING),
};

static const ws_row l2_rows[] = {
#include "model/coherence/l2_plain.def"
};

const ws_protocol ws_protocol_bl = {
    .name = "bl",
    .summary = "no L1: every access goes to L2, coherent by construction",
    .promise = WS_PROMISE_PHYSICAL,
    WS_PROTOCOL_ROWS(l1_rows, l2_rows),
};
