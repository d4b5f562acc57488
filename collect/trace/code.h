/* code.h - operands, registers and branch targets of a launch's instructions, beyond the facts that events need.
 *
 * Operands are in the order of the text. The code serves the estimate of an assembler's output (collect/shape). */
#ifndef WS_CODE_H
#define WS_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum ws_code_kind {
    WS_CODE_REGISTER,  /* reg */
    WS_CODE_IMMEDIATE, /* value */
    WS_CODE_SYMBOL,    /* address of a variable or function, or a parameter; value: the offset added */
    WS_CODE_LAUNCH,    /* special register with one value for all threads of the launch */
    WS_CODE_WARP,      /* special register that may differ between warps, or change over time */
    WS_CODE_LANE,      /* special register that differs between lanes */
    WS_CODE_KINDS
} ws_code_kind;

/* Operand; elements of vectors are separate operands. Results come first. */
typedef struct ws_code_operand {
    uint8_t kind; /* ws_code_kind */
    bool is_written : 1;
    bool is_address : 1; /* in [ ]; of a REGISTER, value is the offset added */
    bool is_guard : 1;   /* guard predicate; the last operand */
    bool negated : 1;    /* of a predicate */
    uint32_t reg;        /* REGISTER: number in ws_code.bits */
    int64_t value;
} ws_code_operand;

typedef struct ws_code_instr {
    uint32_t operand; /* index of its first in ws_code.operand; they end at those of the next instruction */
    uint32_t target;  /* index of its first in ws_code.target; branches through one table share targets */
    uint32_t targets;
} ws_code_instr;

/* The kernel, followed by the functions that it may call, in the order of their instructions. */
typedef struct ws_code_function {
    uint32_t first_pc, first_reg; /* they end at those of the next function */
    uint32_t most_registers;      /* .maxnreg; 0: not given */
    uint32_t most_threads;        /* of a block, by .maxntid or .reqntid; 0: not given */
    uint32_t least_blocks;        /* .minnctapersm; 0: not given */
} ws_code_function;

typedef struct ws_code {
    const ws_code_function *function; /* [functions + 1]; the last one only has the ends: first_pc and first_reg */
    const ws_code_instr *instr;       /* [instrs + 1] */
    const ws_code_operand *operand;   /* [operands] */
    const uint32_t *target;           /* [targets] branch pcs without the next one; past the function: its end */
    const uint8_t *bits;              /* [registers] 1 for predicates */
    size_t functions, instrs, operands, targets, registers;
} ws_code;

#endif
