/* op_names.h - names of opcodes. */
#ifndef TESTS_OP_NAMES_H
#define TESTS_OP_NAMES_H

#include "collect/ptx/words.h"

static inline const char *op_name(unsigned op)
{
    static const char *const names[WS_OPS] = {
        [WS_OP_UNKNOWN] = "unknown",
#define OP(name, ...) [WS_OP_##name] = #name,
#include "collect/ptx/opcode.def"
#undef OP
    };
    return names[op];
}

#endif
