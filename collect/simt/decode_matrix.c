/* decode_matrix.c - mma, wmma, ldmatrix, stmatrix, movmatrix to uops. */
#include "collect/simt/decode_internal.h"
#include "collect/simt/matrix_internal.h"

#include <string.h>

/* The registers of an operand: one, or a list in braces. */
static int registers(builder *b, const ws_operand *o, bool wide, unsigned n, bool written, place *at, uint16_t *number)
{
    const ws_operand *const elem = o->kind == WS_OPND_VECTOR ? o->elem : o;
    const unsigned have = o->kind == WS_OPND_VECTOR ? o->elems : 1;
    if (have != n)
        return decode_refuse(b, "has %u registers for a matrix that takes %u", have, n);
    for (unsigned i = 0; i < n; i++) {
        if (elem[i].kind == WS_OPND_IMM && !written) {
            const int status = place_constant(b, wide, elem[i].imm, &at[i]);
            if (status)
                return status;
            continue;
        }
        const ws_type type = elem[i].kind == WS_OPND_REG ? decode_reg_type(b, elem[i].reg) : WS_T_NONE;
        if (ws_type_bits(type) != (wide ? 64 : 32))
            return decode_refuse(b, "needs registers of %d bits", wide ? 64 : 32);
        at[i] = place_reg(b, elem[i].reg);
        if (number)
            number[i] = place_reg_number(b, elem[i].reg);
    }
    return WS_OK;
}

/* All lanes take part, so lanes that were parted have to meet before it. */
static uop *together(builder *b, uop *u)
{
    if (u)
        b->c->uop[b->run].mode = 1;
    return u;
}

/* The last two operands of mma.sp. */
static int decode_metadata(builder *b, const matrix_form *f, matrix_metadata *out)
{
    const ws_operand *const reg = &b->insn->operand[ROLES], *const which = reg + 1;
    if (which->kind != WS_OPND_IMM)
        return decode_refuse(b, "takes a number as sparsity selector");
    const unsigned selector = which->imm > 3 ? 4 : (unsigned)which->imm;
    const int status = matrix_layout_metadata(f, selector & 3, b->c->arena, out);
    if (status)
        return status;
    if (selector >= out->selectors)
        return decode_refuse(
            b, out->selectors == 1 ? "takes sparsity selector 0 alone" : "takes a sparsity selector from 0 to %d",
            out->selectors - 1);
    return registers(b, reg, false, 1, false, &out->reg, NULL);
}

static int decode_product(builder *b, const matrix_form *f)
{
    const ws_insn *in = b->insn;
    static const matrix_role role[ROLES] = {ROLE_D, ROLE_A, ROLE_B, ROLE_C}; /* as operands stand */
    const bool sparse = f->op == MATRIX_SPARSE;
    const unsigned operands = ROLES + (sparse ? 2 : 0);
    if (in->operands != operands)
        return decode_refuse(b, "takes %u operands, not %u", operands, in->operands);
    matrix_product *p = ws_arena_alloc(b->c->arena, sizeof *p);
    place *list = ws_arena_alloc(b->c->arena, ROLES * MATRIX_REGS * sizeof *list);
    if (!p || !list)
        return decode_no_memory();
    p->form = *f;
    p->level = matrix_level_get();
    for (unsigned i = 0; i < ROLES; i++) {
        matrix_fragment *const part = &p->part[role[i]];
        int status = matrix_layout(f, role[i], b->c->arena, part);
        if (!status)
            status = registers(b, &in->operand[i], part->wide, part->regs, i == 0, list, i == 0 ? p->number : NULL);
        if (status)
            return status;
        part->reg = list;
        list += MATRIX_REGS;
    }
    uop *u;
    int status = sparse ? decode_metadata(b, f, &p->metadata) : WS_OK;
    if (!status)
        status = decode_emit_special(b, matrix_product_run, PLACE_NONE, PLACE_NONE, PLACE_NONE, PLACE_NONE, &u);
    if (status)
        return status;
    u->info = p;
    together(b, u);
    return WS_OK;
}

/* How many elements that follow each other in registers do so in memory too, for every lane; at most 8 bytes. */
static unsigned piece_of(const matrix_fragment *p, bool column)
{
    const unsigned n = (unsigned)p->distinct * p->per_reg, bits = matrix_bits((matrix_type)p->type);
    for (unsigned size = 64 / bits; size > 1; size /= 2) {
        bool good = n % size == 0;
        for (unsigned i = 0; i < n && good; i++)
            for (unsigned lane = 0; lane < WS_WARP && good && i % size; lane++) {
                const unsigned at = p->at[i * WS_WARP + lane], before = p->at[(i - 1) * WS_WARP + lane];
                good = column ? at == before + p->columns && at / p->columns : at == before + 1 && at % p->columns;
            }
        if (good)
            return size;
    }
    return 1;
}

static void set_access(builder *b, mem_access *a, bool store)
{
    *a = (mem_access){.space = b->insn->space ? b->insn->space : WS_SPACE_GENERIC,
                      .op = store ? MEM_STORE : MEM_LOAD,
                      .base = PLACE_NONE,
                      .compare = PLACE_NONE,
                      .value = PLACE_NONE,
                      .cache = b->c->caches++};
}

/* Where pieces begin, as numbers of rows and of elements in a row; of columns when it lies by columns. */
static int set_pieces(builder *b, matrix_transfer *t)
{
    const matrix_fragment *const p = &t->part;
    const unsigned pieces = (unsigned)p->distinct * p->per_reg / t->piece;
    uint16_t *const major = ws_arena_alloc(b->c->arena, 2 * sizeof *major * pieces * WS_WARP);
    if (!major)
        return decode_no_memory();
    uint16_t *const minor = major + pieces * WS_WARP;
    for (unsigned k = 0; k < pieces; k++)
        for (unsigned lane = 0; lane < WS_WARP; lane++) {
            const unsigned at = p->at[k * t->piece * WS_WARP + lane], row = at / p->columns, column = at % p->columns;
            major[k * WS_WARP + lane] = (uint16_t)(t->column ? column : row);
            minor[k * WS_WARP + lane] = (uint16_t)(t->column ? row : column);
        }
    t->length = t->column ? p->rows : p->columns;
    t->major = major;
    t->minor = minor;
    t->level = matrix_level_get();
    return WS_OK;
}

static int decode_transfer(builder *b, const matrix_form *f)
{
    const ws_insn *in = b->insn;
    const bool store = f->op == MATRIX_STORE;
    if (in->operands < 2 || in->operands > 3)
        return decode_refuse(b, "takes registers, an address, and a stride");
    matrix_transfer *t = ws_arena_alloc(b->c->arena, sizeof *t);
    place *list = ws_arena_alloc(b->c->arena, MATRIX_REGS * sizeof *list);
    if (!t || !list)
        return decode_no_memory();
    *t = (matrix_transfer){.column = f->column[0], .store = store, .stride = PLACE_NONE};
    set_access(b, &t->access, store);
    int status = matrix_layout(f, (matrix_role)f->role, b->c->arena, &t->part);
    if (!status)
        status = registers(b, &in->operand[store], t->part.wide, t->part.regs, !store, list, t->number);
    if (!status)
        status = decode_address(b, &in->operand[!store], (ws_space)t->access.space, &t->access);
    if (!status && in->operands > 2)
        status = place_source(b, &in->operand[2], WS_T_u32, &t->stride);
    if (status)
        return status;
    t->part.reg = list;
    t->piece = (uint8_t)piece_of(&t->part, t->column);
    t->bytes = (uint8_t)(t->piece * matrix_bits((matrix_type)t->part.type) / 8);
    b->bytes = t->bytes;
    status = set_pieces(b, t);
    if (status)
        return status;
    return decode_emit_access(b, matrix_transfer_run, t, 1);
}

/* Is there a word of the opcode that is none of those? */
static bool has_other_word(const char *opcode, const char *const *known)
{
    for (const char *word = strchr(opcode, '.'); word; word = strchr(word + 1, '.')) {
        const size_t length = strcspn(word + 1, ".");
        const char *const *k = known;
        while (*k && (strlen(*k) != length || memcmp(*k, word + 1, length) != 0))
            k++;
        if (!*k)
            return true;
    }
    return false;
}

/* ldmatrix, stmatrix: .m8n8 .x1 .x2 .x4, .trans, .b16 */
static int decode_rows(builder *b)
{
    const ws_insn *in = b->insn;
    static const char *const known[] = {"sync",        "aligned",         "m8n8", "x1", "x2", "x4", "trans", "shared",
                                        "shared::cta", "shared::cluster", "b16",  NULL};
    const bool store = in->op == WS_OP_stmatrix;
    if (has_other_word(in->text, known) || in->operands != 2)
        return decode_refuse(b, "is not supported: matrices of this shape");
    matrix_rows *r = ws_arena_alloc(b->c->arena, sizeof *r);
    if (!r)
        return decode_no_memory();
    *r = (matrix_rows){.store = store,
                       .transposed = strstr(in->text, ".trans") != NULL,
                       .matrices = strstr(in->text, ".x4")   ? 4
                                   : strstr(in->text, ".x2") ? 2
                                                             : 1};
    set_access(b, &r->access, store);
    int status = registers(b, &in->operand[store], false, r->matrices, !store, r->reg, r->number);
    if (!status)
        status = decode_address(b, &in->operand[!store], (ws_space)r->access.space, &r->access);
    if (status)
        return status;
    b->bytes = 4;
    return decode_emit_access(b, matrix_rows_run, r, 1);
}

static int decode_transpose(builder *b)
{
    const ws_insn *in = b->insn;
    static const char *const known[] = {"sync", "aligned", "m8n8", "trans", "b16", NULL};
    destination d = {.at = PLACE_NONE};
    place from;
    if (has_other_word(in->text, known) || in->operands != 2)
        return decode_refuse(b, "is not supported: matrices of this shape");
    int status = place_source(b, &in->operand[1], WS_T_b32, &from);
    if (!status)
        status = place_destination(b, &in->operand[0], WS_T_b32, &d);
    uop *u;
    if (!status)
        status = decode_emit_special(b, matrix_transpose_run, d.at, from, PLACE_NONE, PLACE_NONE, &u);
    if (status)
        return status;
    together(b, u);
    return place_finish(b, &d);
}

static int grouped(builder *b, int (*decode)(builder *, const matrix_form *), const matrix_form *f)
{
    int status = decode_open_simple(b);
    if (!status)
        status = decode(b, f);
    decode_close_simple(b);
    return status;
}

int decode_matrix(builder *b)
{
    matrix_form form;
    char why[128];
    switch ((ws_op)b->insn->op) {
    case WS_OP_ldmatrix:
    case WS_OP_stmatrix:
        decode_close_run(b);
        return decode_rows(b);
    case WS_OP_movmatrix: {
        int status = decode_open_simple(b);
        if (!status)
            status = decode_transpose(b);
        decode_close_simple(b);
        return status;
    }
    case WS_OP_wgmma:
        return decode_refuse(b, "is not supported: products of four warps together");
    default:
        break;
    }
    if (!matrix_form_read(b->insn->text, &form, why, sizeof why))
        return decode_refuse(b, "is not supported: %s", why);
    if (form.op < MATRIX_LOAD)
        return grouped(b, decode_product, &form);
    decode_close_run(b);
    return decode_transfer(b, &form);
}
