/* sass.h - what is known of an instruction of NVIDIA's machines by its spelling; see sass_opcode.def. */
#ifndef WS_SASS_H
#define WS_SASS_H

#include "collect/trace/event.h"

#include <stdbool.h>

typedef enum ws_sass_flow {
    WS_SASS_NONE,
    WS_SASS_JUMP,
    WS_SASS_PART,
    WS_SASS_END,
    WS_SASS_BLOCK,
    WS_SASS_WARP,
    WS_SASS_BULK
} ws_sass_flow;

typedef struct ws_sass {
    const char *name;     /* before the first dot */
    const char *machines; /* "KPVTAH", - for those that do not have it */
    uint8_t cls, space, access, flow, unit, work;
} ws_sass;

/* The row of an opcode, modifiers or not behind its first dot; NULL when there is none. */
const ws_sass *ws_sass_find(const char *opcode);

/* Order, scope, atomic, number, unit, work and the flags of *out by the spelling and out->cls; the rest stays. */
void ws_sass_facts(const char *opcode, ws_instr *out);

/* Is `word` one of the words between the dots? */
bool ws_sass_has(const char *opcode, const char *word);

/* Bytes that a lane accesses, by the modifiers: U8 S8 -> 1, U16 S16 F16 BF16 -> 2, 64 F64 -> 8, 128 -> 16, else 4. Of
 * matrix loads (LDSM, STSM) what a lane gets: 4 a matrix. */
unsigned ws_sass_bytes(const char *opcode);

#endif
