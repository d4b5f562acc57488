/* decode.h - what the pipeline of an SM needs to know of each instruction of a launch: unit, times, registers. */
#ifndef WS_DECODE_H
#define WS_DECODE_H

#include "collect/trace/event.h"
#include "model/sim/machine.h"

#include <stdbool.h>
#include <string.h>

typedef enum ws_unit {
    WS_UNIT_SP,
    WS_UNIT_INT,
    WS_UNIT_DP,
    WS_UNIT_SFU,
    WS_UNIT_MEMORY,
    WS_UNIT_NONE, /* barriers, exit, fences: no unit is kept busy */
    WS_UNITS
} ws_unit;

typedef struct ws_decoded {
    uint8_t unit;       /* ws_unit, that the machine has: integers go to SP units where there are no others */
    uint8_t dsts, srcs; /* registers, each once */
    bool fence;         /* waits until the warp's earlier accesses are visible */
    bool poll;          /* load: volatile, acquire, relaxed beyond the block, .cv: ask L2 (coherence.polls) */
    uint16_t latency, initiation; /* cycles; initiation with the machine's lanes taken into account */
    uint16_t dst[WS_INSTR_DST], src[WS_INSTR_SRC];
} ws_decoded;

/* Does a warp only say that it is at the barrier, and go on? */
static inline bool ws_is_arrival(const ws_instr *instr)
{
    return strstr(instr->opcode, ".arrive") || strstr(instr->opcode, ".ARV");
}

/* Decodes instr[0..instrs) of the launch by the rows of sim_opcodes.def; out[instrs] is the caller's. *registers: one
 * more than the highest register number. */
int ws_decode_launch(const ws_launch *launch, const ws_machine *machine, ws_decoded *out, uint32_t *registers);

#endif
