/* matrix_internal.h - shared declarations of the files of matrix instructions.
 *
 *   matrix_form.c    parses an instruction's words: matrices, their shapes, types and layouts
 *   matrix_layout.c  maps elements to lanes and registers
 *   matrix_level.c   vector code: the product, and addresses
 *   decode_matrix.c  decodes to uops;  matrix_run.c: executes them */
#ifndef WS_MATRIX_INTERNAL_H
#define WS_MATRIX_INTERNAL_H

#include "collect/simt/simt_internal.h"

typedef enum matrix_type {
    MATRIX_NONE,
    MATRIX_F16,
    MATRIX_BF16,
    MATRIX_TF32,
    MATRIX_F32,
    MATRIX_F64,
    MATRIX_E4M3,
    MATRIX_E5M2,
    MATRIX_S32,
    MATRIX_S8,
    MATRIX_U8,
    MATRIX_S4,
    MATRIX_U4,
    MATRIX_B1, /* elements are words of 32 bits each */
    MATRIX_TYPES
} matrix_type;

typedef enum matrix_role { ROLE_A, ROLE_B, ROLE_C, ROLE_D, ROLES } matrix_role;

typedef enum matrix_op { MATRIX_MMA, MATRIX_SPARSE, MATRIX_WMMA, MATRIX_LOAD, MATRIX_STORE } matrix_op;

/* Parsed words of an mma or wmma instruction. For loads and stores, `role` selects the matrix. */
typedef struct matrix_form {
    uint8_t op;          /* matrix_op */
    uint8_t role;        /* LOAD, STORE */
    uint8_t type[ROLES]; /* matrix_type; only that of `role` for loads and stores */
    uint16_t m, n, k;
    bool column[2]; /* A, B are column-major; for loads and stores column[0] is that of the matrix */
    bool satfinite;
    bool conjunction; /* of bits: and instead of xor */
    bool quads;       /* mma.m8n8k4 on f16: four products, one for each pair of groups of four lanes */
} matrix_form;

/* Parses the words of an mma or wmma. Returns false with *why for an unknown word or an invalid combination. */
bool matrix_form_read(const char *opcode, matrix_form *f, char *why, size_t size);

unsigned matrix_bits(matrix_type type); /* bits of an element in registers */

enum { MATRIX_REGS = 8, MATRIX_REG_ELEMENTS = 8 };

/* A matrix in the registers of a warp. Elements of a register are numbered from its low bits. */
typedef struct matrix_fragment {
    uint8_t type;
    uint8_t regs;           /* registers named by the instruction */
    uint8_t distinct;       /* number of different registers; register i equals register i modulo this */
    uint8_t per_reg;        /* elements per register */
    bool wide;              /* 64-bit registers */
    uint16_t rows, columns; /* of one matrix of elements */
    uint16_t batch;         /* number of matrices; four for quads, else one */
    const uint16_t *at;     /* [distinct * per_reg][WS_WARP] (matrix * rows + row) * columns + column */
    const uint16_t *from;   /* [rows * columns * batch] the inverse: (register * WS_WARP + lane) * per_reg + element */
    const place *reg;       /* [regs] */
} matrix_fragment;

/* Computes the distribution of matrix `role` over the lanes; `at` is allocated in the arena, `reg` is the caller's. */
int matrix_layout(const matrix_form *f, matrix_role role, ws_arena *arena, matrix_fragment *out);

/* Metadata of mma.sp, which selects the kept elements of A: 4 bits for each chunk of adjacent elements of a row. */
typedef struct matrix_metadata {
    uint8_t chunk;     /* elements in a chunk; half of them are kept */
    uint8_t chunks;    /* chunks in a row */
    uint8_t together;  /* number of adjacent elements kept or dropped together */
    uint8_t selectors; /* valid selectors of the instruction: lanes of a group of four that hold the metadata */
    const uint8_t *at; /* [rows][chunks] lane * 8 + index of the 4 bits in its register */
    place reg;
} matrix_metadata;

int matrix_layout_metadata(const matrix_form *f, unsigned selector, ws_arena *arena, matrix_metadata *out);

typedef struct matrix_product {
    matrix_form form;
    matrix_fragment part[ROLES];
    matrix_metadata metadata; /* of mma.sp */
    const struct matrix_level *level;
    uint16_t number[MATRIX_REGS]; /* registers of D, for value sinks */
} matrix_product;

enum { MATRIX_MOST = 16 * 64 }; /* limit of elements in a matrix, all four of quads together */

static inline bool matrix_is_whole(matrix_type type)
{
    return type >= MATRIX_S32;
}

/* A load or store of a fragment, in pieces of elements that are also consecutive in memory. */
typedef struct matrix_transfer {
    mem_access access; /* space and address, for checks and messages */
    matrix_fragment part;
    bool column, store;
    uint8_t piece;   /* elements in a piece */
    uint8_t bytes;   /* of a piece */
    uint16_t length; /* elements in a row or column, used without a stride */
    const uint16_t *major,
        *minor;   /* [pieces][WS_WARP] row (or column) and position in it of the start of a lane's piece */
    place stride; /* in elements, or PLACE_NONE: contiguous rows */
    const struct matrix_level *level;
    uint16_t number[MATRIX_REGS];
} matrix_transfer;

/* Compiled once per instruction-set level. */
typedef struct matrix_level {
    /* Computes D = A B + C on the registers of the four. docs/arithmetic.md documents the order. `metadata`: for
     * mma.sp. */
    void (*multiply)(const matrix_product *p, void *const reg[ROLES][MATRIX_REGS], const uint32_t *metadata);
    /* Computes the start address of each lane's pieces. stride may be NULL. */
    void (*addresses)(const matrix_transfer *t, const void *base, const uint32_t *stride, unsigned pieces,
                      uint64_t (*address)[WS_WARP]);
} matrix_level;
/* Returns the best level of this processor, the same as ws_lanes_level() unless that was set explicitly. */
const matrix_level *matrix_level_get(void);
extern const matrix_level ws_matrix_level_plain, ws_matrix_level_avx2, ws_matrix_level_avx512;

/* ldmatrix, stmatrix: 8 x 8 matrices of 16 bits, with one lane's address per row of 16 bytes. */
typedef struct matrix_rows {
    mem_access access;
    uint8_t matrices;
    bool transposed, store;
    place reg[4];
    uint16_t number[4];
} matrix_rows;

special_fn matrix_product_run, matrix_transpose_run;
access_fn matrix_transfer_run, matrix_rows_run;

#endif
