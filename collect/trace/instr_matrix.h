/* instr_matrix.h - size and operand type of the matrix product that an instruction computes. */
#ifndef WS_INSTR_MATRIX_H
#define WS_INSTR_MATRIX_H

#include "collect/trace/instr.h"

/* Operand types that tensor units distinguish: MATRIX_KIND( name, meaning ). */
#define WS_MATRIX_KINDS(MATRIX_KIND) \
    MATRIX_KIND(half, "halves (f16), summed as halves") \
    MATRIX_KIND(mixed, "halves (f16, bf16), summed as floats") \
    MATRIX_KIND(tf32, "floats of 19 bits (tf32)") \
    MATRIX_KIND(twice, "doubles") \
    MATRIX_KIND(byte, "numbers of 8 bits, whole or floating") \
    MATRIX_KIND(nibble, "whole numbers of 4 bits") \
    MATRIX_KIND(bit, "single bits")

typedef enum ws_matrix_kind {
#define MATRIX_KIND(name, meaning) WS_MATRIX_##name,
    WS_MATRIX_KINDS(MATRIX_KIND)
#undef MATRIX_KIND
        WS_MATRIX_KINDS_END
} ws_matrix_kind;

typedef struct ws_matrix {
    ws_matrix_kind kind;
    uint32_t multiplies; /* multiply-adds of the warp; of a sparse product, only those executed */
} ws_matrix;

/* Returns the matrix product of an instruction whose work is WS_WORK_MATRIX, from its opcode. Opcodes are PTX (wmma,
 * mma, wgmma: .m16n8k16) or SASS (HMMA.16816; Volta's HMMA.884.STEPn is a part of its m8n8k4). An opcode without a
 * shape means 16 x 8 x 8. */
ws_matrix ws_instr_matrix(const ws_instr *instr);

#endif
