/* matrix_layout.c - which lane holds which element of a matrix?
 *
 * For mma the PTX ISA draws it (9.7.14, "Matrix Fragments for mma"): with g = lane / 4 and t = lane mod 4, a register
 * of A holds elements of row g, those of B elements of column g, as many neighbours as fit, those of group t; further
 * registers step by 8 rows first, then by the width of a group of four. C has pairs at columns 2t and 2t + 1. One rule
 * so gives all shapes but the first, m8n8k4 on f16. For wmma the ISA leaves it open; the same rule is used, which is
 * what compilers make of wmma on sm_75 and later: an m16n16k16 is two m16n8k16 side by side. There, fragments of f16
 * are declared with 8 registers and hold each element more than once, when they need fewer.
 *
 * Of mma.sp (9.7.14.6.2) A is what is kept, half as wide, and laid out like a dense A of that width. */
#include "collect/simt/matrix_internal.h"

typedef struct cell {
    unsigned matrix, row, column;
} cell;

/* m8n8k4 on f16, by the figures of the ISA: lanes 0-3 and 16-19 make the first product, and so on. */
static cell quad_cell(const matrix_form *f, matrix_role role, unsigned lane, unsigned i)
{
    const unsigned low = lane % 4, half = lane >= 16 ? 4 : 0;
    cell c = {.matrix = lane / 4 % 4};
    if (role == ROLE_A) {
        c.row = half + (f->column[0] ? i : low);
        c.column = f->column[0] ? low : i;
    } else if (role == ROLE_B) {
        c.row = f->column[1] ? i : low;
        c.column = half + (f->column[1] ? low : i);
    } else if (f->type[role] == MATRIX_F16) {
        c.row = half + low;
        c.column = i;
    } else {
        c.row = half + (low & 1) + (i & 2);
        c.column = (i & 4) + (low & 2) + (i & 1);
    }
    return c;
}

/* Element i of a lane: register i / per_reg, place i mod per_reg in it. */
static cell plain_cell(const matrix_fragment *p, matrix_role role, unsigned lane, unsigned i)
{
    const unsigned g = lane / 4, t = lane % 4;
    if (role >= ROLE_C) {
        const unsigned tile = i / 2, down = p->rows / 8u;
        return (cell){0, 8 * (tile % down) + g, 8 * (tile / down) + 2 * t + i % 2};
    }
    const unsigned reg = i / p->per_reg, e = i % p->per_reg, width = 4u * p->per_reg;
    if (role == ROLE_A) {
        const unsigned down = p->rows / 8u;
        return (cell){0, 8 * (reg % down) + g, reg / down * width + p->per_reg * t + e};
    }
    const unsigned down = p->rows / width;
    return (cell){0, reg % down * width + p->per_reg * t + e, 8 * (reg / down) + g};
}

static void set_size(const matrix_form *f, matrix_role role, matrix_fragment *out)
{
    const matrix_type type = (matrix_type)f->type[role];
    const unsigned bits = matrix_bits(type), k = f->op == MATRIX_SPARSE && role == ROLE_A ? f->k / 2u : f->k;
    const unsigned depth = type == MATRIX_B1 ? k / 32 : k;
    *out = (matrix_fragment){.type = (uint8_t)type, .batch = f->quads ? 4 : 1, .wide = bits == 64};
    out->rows = (uint16_t)(role == ROLE_B ? depth : f->m);
    out->columns = (uint16_t)(role == ROLE_A ? depth : f->n);
    out->per_reg = (uint8_t)(bits < 32 ? 32 / bits : 1);
    /* Four small products have twice the lanes' share: each factor is held by lanes of its own. */
    out->distinct = (uint8_t)(out->rows * out->columns * out->batch / (WS_WARP * out->per_reg));
    const bool repeats = type == MATRIX_F16 && role < ROLE_C && f->op >= MATRIX_WMMA;
    out->regs = repeats ? MATRIX_REGS : out->distinct;
}

int matrix_layout(const matrix_form *f, matrix_role role, ws_arena *arena, matrix_fragment *out)
{
    set_size(f, role, out);
    const unsigned n = (unsigned)out->distinct * out->per_reg;
    uint16_t *const at = ws_arena_alloc(arena, 2 * n * WS_WARP * sizeof *at);
    if (!at)
        return ws_fail(WS_EMEM, "no memory to decode a kernel");
    uint16_t *const from = at + n * WS_WARP;
    for (unsigned i = 0; i < n; i++)
        for (unsigned lane = 0; lane < WS_WARP; lane++) {
            const cell c = f->quads ? quad_cell(f, role, lane, i) : plain_cell(out, role, lane, i);
            const unsigned element = (c.matrix * out->rows + c.row) * out->columns + c.column;
            at[i * WS_WARP + lane] = (uint16_t)element;
            from[element] = (uint16_t)((i / out->per_reg * WS_WARP + lane) * out->per_reg + i % out->per_reg);
        }
    out->at = at;
    out->from = from;
    return WS_OK;
}

/* By the figures of the ISA: a row has 4, 8 or 16 chunks, a warp's 16 rows so need one, two or four lanes of each group
 * of four. Elements of 16 bits and more: a lane has 4 chunks of row g in its low half, and of row g + 8 in the other.
 * Smaller ones: a lane has 8 chunks, even lanes those of row g, odd ones of row g + 8. */
int matrix_layout_metadata(const matrix_form *f, unsigned selector, ws_arena *arena, matrix_metadata *out)
{
    const unsigned bits = matrix_bits((matrix_type)f->type[ROLE_A]);
    *out = (matrix_metadata){.chunk = bits == 32  ? 2
                                      : bits == 4 ? 8
                                                  : 4,
                             .together = bits == 4 ? 2 : 1,
                             .reg = PLACE_NONE};
    const unsigned chunks = f->k / out->chunk, lanes = chunks / 4;
    out->chunks = (uint8_t)chunks;
    out->selectors = (uint8_t)(4 / lanes);
    uint8_t *const at = ws_arena_alloc(arena, f->m * chunks);
    if (!at)
        return ws_fail(WS_EMEM, "no memory to decode a kernel");
    for (unsigned row = 0; row < f->m; row++)
        for (unsigned c = 0; c < chunks; c++) {
            const unsigned half = row / 8, first = row % 8 * 4 + selector * lanes;
            const unsigned lane = first + (bits >= 16 ? c / 4 : half + 2 * (c / 8)),
                           nibble = bits >= 16 ? 4 * half + c % 4 : c % 8;
            at[row * chunks + c] = (uint8_t)(lane * 8 + nibble);
        }
    out->at = at;
    return WS_OK;
}
