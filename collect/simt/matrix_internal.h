/* matrix_internal.h - what the files of matrix instructions share.
 *
 *   matrix_form.c    the words of an instruction: which matrices, how large, of what, in what order
 *   matrix_layout.c  which lane and register holds which element
 *   matrix_level.c   the product, and addresses: the vector parts
 *   decode_matrix.c  to uops;  matrix_run.c: what they do */
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
    MATRIX_B1, /* elements are words of 32 of them */
    MATRIX_TYPES
} matrix_type;

typedef enum matrix_role { ROLE_A, ROLE_B, ROLE_C, ROLE_D, ROLES } matrix_role;

typedef enum matrix_op { MATRIX_MMA, MATRIX_SPARSE, MATRIX_WMMA, MATRIX_LOAD, MATRIX_STORE } matrix_op;

/* An instruction of mma or wmma as its words say. Of loads and stores, `role` says which matrix. */
typedef struct matrix_form {
    uint8_t op;          /* matrix_op */
    uint8_t role;        /* LOAD, STORE */
    uint8_t type[ROLES]; /* matrix_type; of loads and stores only that of `role` */
    uint16_t m, n, k;
    bool column[2]; /* A, B lie column after column; loads and stores: column[0] is that of the matrix */
    bool satfinite;
    bool conjunction; /* of bits: and, not xor */
    bool quads;       /* mma.m8n8k4 on f16: four products, one for each pair of groups of four lanes */
} matrix_form;

/* Reads the words of an mma or wmma. False: *why says what is not known, or goes together with nothing. */
bool matrix_form_read(const char *opcode, matrix_form *f, char *why, size_t size);

unsigned matrix_bits(matrix_type type); /* of an element as registers hold it */

enum { MATRIX_REGS = 8, MATRIX_REG_ELEMENTS = 8 };

/* A matrix in the registers of a warp. Elements of a register count from its low bits. */
typedef struct matrix_fragment {
    uint8_t type;
    uint8_t regs;           /* that the instruction names */
    uint8_t distinct;       /* of them; register i holds what register i modulo this one holds */
    uint8_t per_reg;        /* elements in one */
    bool wide;              /* 64-bit registers */
    uint16_t rows, columns; /* of one matrix of elements */
    uint16_t batch;         /* matrices; four for quads, else one */
    const uint16_t *at;     /* [distinct * per_reg][WS_WARP] (matrix * rows + row) * columns + column */
    const uint16_t *from;   /* [rows * columns * batch] the inverse: (register * WS_WARP + lane) * per_reg + element */
    const place *reg;       /* [regs] */
} matrix_fragment;

/* How the lanes hold matrix `role` of the form; `at` comes from the arena, `reg` is the caller's. */
int matrix_layout(const matrix_form *f, matrix_role role, ws_arena *arena, matrix_fragment *out);

/* Where mma.sp says which elements of A are kept: 4 bits for each chunk of neighbours of a row. */
typedef struct matrix_metadata {
    uint8_t chunk;     /* elements: half of them are kept */
    uint8_t chunks;    /* of a row */
    uint8_t together;  /* neighbours that are kept or not as one */
    uint8_t selectors; /* that the instruction may name: which lanes of a group of four have the metadata */
    const uint8_t *at; /* [rows][chunks] lane * 8 + which 4 bits of its register */
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

enum { MATRIX_MOST = 16 * 64 }; /* elements of a matrix, of all four of quads together */

static inline bool matrix_is_whole(matrix_type type)
{
    return type >= MATRIX_S32;
}

/* A load or store of a fragment: pieces of consecutive elements that also are neighbours in memory. */
typedef struct matrix_transfer {
    mem_access access; /* space, address, for checks and messages */
    matrix_fragment part;
    bool column, store;
    uint8_t piece;                 /* elements in one */
    uint8_t bytes;                 /* of a piece */
    uint16_t length;               /* elements of a row, or column, when there is no stride */
    const uint16_t *major, *minor; /* [pieces][WS_WARP] which row, or column, and where in it a lane's piece begins */
    place stride;                  /* in elements, or PLACE_NONE: rows without a gap */
    const struct matrix_level *level;
    uint16_t number[MATRIX_REGS];
} matrix_transfer;

/* Compiled once per instruction-set level. */
typedef struct matrix_level {
    /* D = A B + C on the registers of the four. docs/arithmetic.md says in what order. `metadata` is that of mma.sp. */
    void (*multiply)(const matrix_product *p, void *const reg[ROLES][MATRIX_REGS], const uint32_t *metadata);
    /* Where the pieces of each lane begin. stride may be NULL. */
    void (*addresses)(const matrix_transfer *t, const void *base, const uint32_t *stride, unsigned pieces,
                      uint64_t (*address)[WS_WARP]);
} matrix_level;
/* The best level of this processor; the same as ws_lanes_level() unless that was set by hand. */
const matrix_level *matrix_level_get(void);
extern const matrix_level ws_matrix_level_plain, ws_matrix_level_avx2, ws_matrix_level_avx512;

/* ldmatrix, stmatrix: 8 x 8 matrices of 16 bits, a row of 16 bytes at the address of one lane each. */
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
