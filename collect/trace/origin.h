/* origin.h - where in the source text the instructions of a launch come from, as the compiler told.
 *
 * PTX has it in .loc and .file directives, which nvcc and clang write with -lineinfo or -gline-tables-only. Whoever
 * shows a person an instruction reads it; nothing that is counted or timed depends on it. */
#ifndef WS_ORIGIN_H
#define WS_ORIGIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The name of a file that was not told, where lines are known all the same: tracers of Accel-Sim leave it out. */
#define WS_PLACE_UNNAMED "?"

/* A point of the source text. */
typedef struct ws_place {
    const char *file;     /* as the compiler wrote it; NULL: the place is not known */
    const char *function; /* mangled name of the function that was inlined here; NULL: not inlined, or not told */
    uint32_t line, column;
    uint32_t inlined_at; /* index of the place of the call that was inlined; 0: none */
} ws_place;

/* Of the instructions of a launch. Place 0 is the one that is not known; a call stands before what was inlined at it.
 */
typedef struct ws_origin {
    const ws_place *place; /* [places] */
    size_t places, instrs;
    const uint32_t *of;      /* [instrs] index of the place */
    const char *const *text; /* [instrs] the instruction with its operands, as written; NULL: not known */
} ws_origin;

/* The place of instruction pc, or NULL when it is not known. */
static inline const ws_place *ws_origin_place(const ws_origin *origin, uint32_t pc)
{
    const uint32_t at = origin && pc < origin->instrs ? origin->of[pc] : 0;
    return at ? &origin->place[at] : NULL;
}

/* "a.cu:28", or "deep.cuh:6 in a.cu:28" for what was inlined: the place itself, then where the kernel's own text calls
 * it; "line 28" of a file that was not told. False when the place is not known; out is empty then. Paths are cut to
 * their last component. */
bool ws_origin_words(const ws_origin *origin, uint32_t pc, char *out, size_t size);

bool ws_place_has_name(const ws_place *place); /* of its file */

/* The same of place `at` > 0 of a list. */
void ws_place_words(const ws_place *place, uint32_t at, char *out, size_t size);

#endif
