/* vi.c - self-invalidation: a copy is valid until a fence of its SM, which gives up all copies. Coherent for
 * programs that are ordered by fences. */
#include "model/coherence/coherence_internal.h"

static const ws_row l1_rows[] = {
#include "model/coherence/l1_write_through.def"
};

static const ws_row l2_rows[] = {
#include "model/coherence/l2_plain.def"
};

const ws_protocol ws_protocol_vi = {
    .name = "vi",
    .summary = "write-through L1 that invalidates all copies at every fence",
    .promise = WS_PROMISE_EVENTUAL,
    WS_PROTOCOL_ROWS(l1_rows, l2_rows),
    .fence_flushes = true,
};
