/* noncoherent.c - a write-through L1 that nobody keeps coherent: what would coherence cost at least? */
#include "model/coherence/coherence_internal.h"

static const ws_row l1_rows[] = {
#include "model/coherence/l1_write_through.def"
};

static const ws_row l2_rows[] = {
#include "model/coherence/l2_plain.def"
};

const ws_protocol ws_protocol_noncoherent = {
    .name = "noncoherent",
    .summary = "write-through L1 without coherence; correct only if SMs share no data that change",
    .promise = WS_PROMISE_EVENTUAL,
    WS_PROTOCOL_ROWS(l1_rows, l2_rows),
};
