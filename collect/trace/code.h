/* code.h - what the instructions of a launch say beyond the facts that events need: operands in their order, registers
 * as the text names them, where control goes. Who wants to know what an assembler would make of a kernel reads it
 * (collect/shape). */
#ifndef WS_CODE_H
#define WS_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum ws_code_kind {
    WS_CODE_REGISTER,  /* reg */
    WS_CODE_IMMEDIATE, /* value */
    WS_CODE_SYMBOL,    /* address of a variable or function, or a parameter; value: what is added */
    WS_CODE_LAUNCH,    /* special register that is the same for all threads of the launch */
    WS_CODE_WARP,      /* ... that may differ between warps, or from one moment to the next */
    WS_CODE_LANE,      /* ... that differs between lanes */
    WS_CODE_KINDS
} ws_code_kind;

/* An operand, those of vectors one by one. Results come first. */
typedef struct ws_code_operand {
    uint8_t kind; /* ws_code_kind */
    bool is_written : 1;
    bool is_address : 1; /* in [ ]: of a REGISTER value is what is added to it */
    bool is_guard : 1;   /* the guard predicate; it is the last */
    bool negated : 1;    /* of a predicate */
    uint32_t reg;        /* REGISTER: number in ws_code.bits */
    int64_t value;
} ws_code_operand;

typedef struct ws_code_instr {
    uint32_t operand; /* its first in ws_code.operand; those of the next one say where they end */
    uint32_t target;  /* its first in ws_code.target; branches through one table share its targets */
    uint32_t targets;
} ws_code_instr;

/* The kernel, then the functions that it may call, in the order of their instructions. */
typedef struct ws_code_function {
    uint32_t first_pc, first_reg; /* the next one's say where they end */
    uint32_t most_registers;      /* .maxnreg; 0: not said */
    uint32_t most_threads;        /* of a block, by .maxntid or .reqntid; 0: not said */
    uint32_t least_blocks;        /* .minnctapersm; 0: not said */
} ws_code_function;

typedef struct ws_code {
    const ws_code_function *function; /* [functions + 1]: behind the last, first_pc and first_reg of nobody */
    const ws_code_instr *instr;       /* [instrs + 1] */
    const ws_code_operand *operand;   /* [operands] */
    const uint32_t
        *target;         /* [targets] pcs that a branch may go to, besides the next; one behind the function: its end */
    const uint8_t *bits; /* [registers] 1 for predicates */
    size_t functions, instrs, operands, targets, registers;
} ws_code;

#endif
