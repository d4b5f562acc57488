/* matrix_layout.c - which lane holds which element of a matrix?
 *
 * For mma the PTX ISA draws it (9.7.14, "Matrix Fragments for mma"): with g = lane / 4 and t = lane mod 4, a register of
 * A holds elements of row g, those of B elements of column g, as many neighbours as fit, those of group t; further
 * registers step by 8 rows first, then by the width of a group of four. C has pairs at columns 2t and 2t + 1. One rule so
 * gives all shapes but the first, m8n8k4 on f16. For wmma the ISA leaves it open; the same rule is used, which is what
 * compilers make of wmma on sm_75 and later: an m16n16k16 is two m16n8k16 side by side. There, fragments of f16 are
 * declared with 8 registers and hold each element more than once, when they need fewer. */
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
    const unsigned bits = matrix_bits(type), depth = type == MATRIX_B1 ? f->k / 32u : f->k;
    *out = (matrix_fragment){.type = (uint8_t)type, .batch = f->quads ? 4 : 1, .wide = bits == 64};
    out->rows = (uint16_t)(role == ROLE_B ? depth : f->m);
    out->columns = (uint16_t)(role == ROLE_A ? depth : f->n);
    out->per_reg = (uint8_t)(bits < 32 ? 32 / bits : 1);
    /* Four small products have twice the lanes' share: each factor is held by lanes of its own. */
    out->distinct = (uint8_t)(out->rows * out->columns * out->batch / (WS_WARP * out->per_reg));
    const bool repeats = type == MATRIX_F16 && role < ROLE_C && f->op != MATRIX_MMA;
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
