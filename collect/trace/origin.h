/* origin.h - source positions of a launch's instructions, as recorded by the compiler.
 *
 * PTX has them in .loc and .file directives, which nvcc and clang write with -lineinfo or -gline-tables-only. They
 * serve reports of instructions; no count or time depends on them. */
#ifndef WS_ORIGIN_H
#define WS_ORIGIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Name of an unknown file with known lines: tracers of Accel-Sim omit the name. */
#define WS_PLACE_UNNAMED "?"

/* Position in the source text. */
typedef struct ws_place {
    const char *file;     /* as the compiler wrote it; NULL: the place is not known */
    const char *function; /* mangled name of the function inlined here; NULL: not inlined, or not known */
    uint32_t line, column;
    uint32_t inlined_at; /* index of the place of the inlined call; 0: none */
} ws_place;

/* Places of the instructions of a launch. Place 0 is the unknown place; a call precedes the places inlined at it. */
typedef struct ws_origin {
    const ws_place *place; /* [places] */
    size_t places, instrs;
    const uint32_t *of;      /* [instrs] index of the place */
    const char *const *text; /* [instrs] the instruction with its operands, as written; NULL: not known */
} ws_origin;

/* Returns the place of instruction pc, or NULL if it is not known. */
static inline const ws_place *ws_origin_place(const ws_origin *origin, uint32_t pc)
{
    const uint32_t at = origin && pc < origin->instrs ? origin->of[pc] : 0;
    return at ? &origin->place[at] : NULL;
}

/* Writes "a.cu:28", or "deep.cuh:6 in a.cu:28" for inlined code: the place itself, followed by the call in the kernel's
 * text. The place in an unknown file is "line 28". Returns false with an empty text if the place is not known. Paths
 * are cut to their last component. */
bool ws_origin_words(const ws_origin *origin, uint32_t pc, char *out, size_t size);

bool ws_place_has_name(const ws_place *place); /* whether its file is known */

/* Writes the words of place `at` > 0 of a list, as ws_origin_words. */
void ws_place_words(const ws_place *place, uint32_t at, char *out, size_t size);

#endif
