/* sass_spelling.h - Accel-Sim's names of instructions; see sass_of_ptx.def. */
#ifndef WS_SASS_SPELLING_H
#define WS_SASS_SPELLING_H

#include "collect/trace/event.h"

#include <stdbool.h>

enum { WS_SASS_SPELLING = 64 }; /* bytes of a name */

/* Call parameters are registers in SASS: storing one is a move, without addresses. */
static inline bool ws_sass_is_move(const ws_instr *instr)
{
    return instr->space == WS_SPACE_PARAM && instr->access == WS_ACCESS_STORE;
}

/* Writes the SASS opcode of an instruction: itself for SASS, the equivalent for PTX. Accel-Sim's header for Ampere
 * lists it. */
void ws_sass_spell(ws_isa isa, const ws_instr *instr, char name[WS_SASS_SPELLING]);

#endif
