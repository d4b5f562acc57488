/* ptx_variants.h - spellings of instructions: ptx_variants.def, and each of the opcodes that a row stands for. */
#ifndef TESTS_PTX_VARIANTS_H
#define TESTS_PTX_VARIANTS_H

#include "collect/ptx/words.h"

#include <stdio.h>
#include <string.h>

enum { SPELLING_BYTES = 160 };

typedef struct spelling {
    const char *pattern, *operands;
} spelling;

static const spelling variants[] = {
#define V(pattern, operands) {pattern, operands},
#include "tests/unit/ptx_variants.def"
#undef V
};
enum { VARIANTS = sizeof variants / sizeof *variants };

typedef void spelling_use(void *context, const char *opcode, const char *operands);

/* $ in the operands: as many registers as the opcode's .v2 or .v4 say. */
static inline void with_vector(const char *opcode, const char *operands, char *out, size_t size)
{
    const char *const mark = strchr(operands, '$');
    const char *const registers = strstr(opcode, ".v4")   ? "{%r1, %r2, %r3, %r4}"
                                  : strstr(opcode, ".v2") ? "{%r1, %r2}"
                                                          : "%r1";
    if (mark)
        snprintf(out, size, "%.*s%s%s", (int)(mark - operands), operands, registers, mark + 1);
    else
        snprintf(out, size, "%s", operands);
}

/* Every choice of every {a,b}, behind `before`; returns how many spellings were used. */
static inline unsigned expand(const char *before, const spelling *s, spelling_use *use, void *context)
{
    char opcode[SPELLING_BYTES];
    const char *const open = strchr(s->pattern, '{');
    if (!open) {
        char filled[SPELLING_BYTES];
        snprintf(opcode, sizeof opcode, "%s%s", before, s->pattern);
        with_vector(opcode, s->operands, filled, sizeof filled);
        use(context, opcode, filled);
        return 1;
    }
    const spelling rest = {strchr(open, '}') + 1, s->operands};
    unsigned n = 0;
    for (const char *choice = open + 1; choice < rest.pattern;) {
        const size_t length = strcspn(choice, ",}");
        snprintf(opcode, sizeof opcode, "%s%.*s%.*s", before, (int)(open - s->pattern), s->pattern, (int)length,
                 choice);
        n += expand(opcode, &rest, use, context);
        choice += length + 1;
    }
    return n;
}

#endif
