/* sass.h - properties of NVIDIA machine instructions by opcode; see sass_opcode.def. */
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
    const char *machines; /* such as "KPVTAH", with - for machines that lack it */
    uint8_t cls, space, access, flow, unit, work;
} ws_sass;

/* Returns the row of an opcode, with or without modifiers; NULL if unknown. */
const ws_sass *ws_sass_find(const char *opcode);

/* Sets order, scope, atomic, number, unit, work and the flags of *out from the opcode and out->cls; other members stay
 * unchanged. */
void ws_sass_facts(const char *opcode, ws_instr *out);

/* Returns whether the opcode has `word` between its dots. */
bool ws_sass_has(const char *opcode, const char *word);

/* Returns the bytes per lane by the modifiers: U8 S8 -> 1, U16 S16 F16 BF16 -> 2, 64 F64 -> 8, 128 -> 16, else 4. For
 * matrix loads and stores (LDSM, STSM): the bytes of a lane, 4 per matrix. */
unsigned ws_sass_bytes(const char *opcode);

#endif
