/* decode.h - decoded instructions of a launch for the pipeline of an SM: unit, latencies, registers. */
#ifndef WS_DECODE_H
#define WS_DECODE_H

#include "collect/trace/event.h"
#include "model/machine/machine_declared.h"
#include "model/machine/operation_times.h"
#include "model/operation.h"

#include <stdbool.h>

typedef struct ws_decoded {
    uint8_t unit;       /* as latency and initiation: ws_instr_times */
    uint8_t dsts, srcs; /* registers, each once */
    bool fence;         /* waits until the warp's earlier accesses are visible */
    bool poll;          /* ws_instr_is_poll: goes to L2 (coherence.polls) */
    bool update;        /* commutative, unordered, and its old value is not used: collect/trace/update.h */
    ws_operation_count operation;
    uint32_t latency, initiation;
    uint16_t dst[WS_INSTR_DST], src[WS_INSTR_SRC];
} ws_decoded;

/* Decodes instr[0..instrs) of the launch for a machine into out[instrs], owned by the caller. *registers: the highest
 * register number plus one. WS_EINPUT: a damaged table. */
int ws_decode_launch(const ws_launch *launch, const ws_machine *machine, ws_decoded *out, uint32_t *registers);

#endif
