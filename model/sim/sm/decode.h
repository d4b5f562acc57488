/* decode.h - what the pipeline of an SM needs to know of each instruction of a launch: unit, times, registers. */
#ifndef WS_DECODE_H
#define WS_DECODE_H

#include "collect/trace/event.h"
#include "model/operation.h"
#include "model/machine/machine_declared.h"

#include <stdbool.h>

typedef struct ws_decoded {
    uint8_t unit;       /* ws_unit, that the machine has: integers go to SP units where there are no others, products of
                         matrices to tensor units where       there are such */
    uint8_t dsts, srcs; /* registers, each once */
    bool fence;         /* waits until the warp's earlier accesses are visible */
    bool poll;          /* ws_instr_is_poll: ask L2 (coherence.polls) */
    bool update;        /* commutes, unordered, and nobody reads what it found: collect/trace/update.h */
    ws_operation_count operation;
    uint32_t latency, initiation; /* cycles; initiation with the machine's lanes taken into account */
    uint16_t dst[WS_INSTR_DST], src[WS_INSTR_SRC];
} ws_decoded;

/* Decodes instr[0..instrs) of the launch for a machine; out[instrs] is the caller's. *registers: one more than the
 * highest register number. WS_EINPUT: a damaged table. */
int ws_decode_launch(const ws_launch *launch, const ws_machine *machine, ws_decoded *out, uint32_t *registers);

/* Do the updates of this kernel (mangled name) count as such: does sm.commutative name it? */
bool ws_machine_is_commutative(const ws_machine *machine, const char *kernel);

/* For how many cycles a lane's operation of each class keeps the units of its kind in an SM, [WS_OPERATIONS], and which
 * kind that is (ws_unit); of products of matrices a multiply-add. Classes whose instructions need no unit: 0. */
void ws_decode_operations(const ws_machine *machine, double *cycles, uint8_t *unit);

#endif
