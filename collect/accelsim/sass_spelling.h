/* sass_spelling.h - what Accel-Sim calls an instruction of ours; see sass_of_ptx.def. */
#ifndef WS_SASS_SPELLING_H
#define WS_SASS_SPELLING_H

#include "collect/trace/event.h"

#include <stdbool.h>

enum { WS_SASS_SPELLING = 64 }; /* bytes of a name */

/* Parameters of calls are registers in SASS: storing one is a move, without addresses. */
static inline bool ws_sass_is_move(const ws_instr *instr)
{
    return instr->space == WS_SPACE_PARAM && instr->access == WS_ACCESS_STORE;
}

/* The SASS opcode for an instruction: a SASS one is its own, of PTX the one that stands for it. It is one that
 * Accel-Sim's header for Ampere knows. */
void ws_sass_spell(ws_isa isa, const ws_instr *instr, char name[WS_SASS_SPELLING]);

#endif
