/* decode_wide.c - instructions that need more than one plain operation: 128-bit moves, setp on packed halves, lop3 with
 * a predicate. They are made of uops that there are already. */
#include "collect/simt/decode_internal.h"

/* A plain instruction of these operands that the module does not contain. */
static int lanes_uop(builder *b, const ws_insn *in, place d, place a, place src_b, place c, place e)
{
    ws_lanes_fn *fn;
    ws_lanes_shape shape;
    if (ws_lanes_find(in, &fn, &shape))
        return decode_refuse(b, "is not supported: %s", ws_message());
    uop *u = decode_emit(b, UOP_LANES);
    if (!u)
        return decode_no_memory();
    u->fn = fn;
    u->d = d;
    u->a = a;
    u->b = src_b;
    u->c = c;
    u->e = e;
    return WS_OK;
}

/* p = bare op c; without an operation p = bare. */
static int combine(builder *b, place p, place bare, uint8_t operation, place c)
{
    uop *u;
    const int status = decode_emit_special(b, exchange_combine, p, bare, c, PLACE_NONE, &u);
    if (status)
        return status;
    u->mode = operation;
    u->mode2 = operation ? 1 : 0;
    return WS_OK;
}

/* ---- 128 bits ---- */

static bool is_double(const builder *b, const ws_operand *o)
{
    return o->kind == WS_OPND_REG && place_reg_is_double(b, o->reg);
}

bool decode_is_double(const builder *b)
{
    return b->insn->types && b->insn->type[0] == WS_T_b128;
}

static int move_of(builder *b, ws_type type, place to, place from)
{
    const ws_insn plain = {
        .op = WS_OP_mov, .types = 1, .type = {(uint8_t)type}, .vec = 1, .operands = 2, .text = "mov"};
    return lanes_uop(b, &plain, to, from, PLACE_NONE, PLACE_NONE, PLACE_NONE);
}

static int move(builder *b, place to, place from)
{
    return move_of(b, WS_T_b64, to, from);
}

/* The two halves of the source: registers or constants of 64 bits. A number or an address fills the lower one, the
 * upper one is 0; four words are two of each (ptxas 13.0 makes the same code of both spellings). */
static int double_source(builder *b, const ws_operand *from, place half[2])
{
    if (is_double(b, from)) {
        for (unsigned i = 0; i < 2; i++)
            half[i] = place_half(place_reg(b, from->reg), i);
        return WS_OK;
    }
    if ((from->kind == WS_OPND_IMM && !from->is_float) || from->kind == WS_OPND_SYMBOL) {
        const int status = place_source(b, from, WS_T_b64, &half[0]);
        return status ? status : place_constant(b, true, 0, &half[1]);
    }
    if (from->kind != WS_OPND_VECTOR || (from->elems != 2 && from->elems != 4))
        return decode_refuse(b, "moves a 128-bit register, an integer, two halves of 64 bits or four words of 32");
    for (unsigned i = 0; i < 2 && from->elems == 2; i++) {
        const int status = place_source(b, &from->elem[i], WS_T_b64, &half[i]);
        if (status)
            return status;
    }
    for (unsigned i = 0; i < 2 && from->elems == 4; i++) {
        place *const word = ws_arena_alloc(b->c->arena, 2 * sizeof *word);
        uop *u;
        int status = word ? place_source(b, &from->elem[2 * i], WS_T_b32, &word[0]) : decode_no_memory();
        if (!status)
            status = place_source(b, &from->elem[2 * i + 1], WS_T_b32, &word[1]);
        half[i] = place_take_temp(b, 64);
        if (!status)
            status = decode_emit_special(b, exchange_pack, half[i], PLACE_NONE, PLACE_NONE, PLACE_NONE, &u);
        if (status)
            return status;
        u->mode = 2;
        u->mode2 = 32;
        u->wide = true;
        u->info = word;
    }
    return WS_OK;
}

/* Four words of 32 bits from two halves. */
static int unpack_double(builder *b, const ws_operand *to, const place half[2])
{
    int status = WS_OK;
    for (unsigned i = 0; i < 2 && !status; i++) {
        place *const word = ws_arena_alloc(b->c->arena, 2 * sizeof *word);
        destination d[2];
        uop *u;
        status = word ? WS_OK : decode_no_memory();
        for (unsigned k = 0; k < 2 && !status; k++) {
            status = place_destination(b, &to->elem[2 * i + k], WS_T_b32, &d[k]);
            word[k] = d[k].at;
        }
        if (!status)
            status = decode_emit_special(b, exchange_unpack, PLACE_NONE, half[i], PLACE_NONE, PLACE_NONE, &u);
        if (status)
            return status;
        u->mode = 2;
        u->mode2 = 32;
        u->wide = true;
        u->info = word;
        for (unsigned k = 0; k < 2 && !status; k++)
            status = d[k].adapt ? place_finish(b, &d[k]) : WS_OK;
    }
    return status;
}

/* mov.b128: its values are not reported to sinks. */
int decode_double(builder *b)
{
    const ws_operand *const to = &b->insn->operand[0];
    const bool unpacks = to->kind == WS_OPND_VECTOR;
    place half[2], low;
    destination d[2];
    int status = double_source(b, &b->insn->operand[1], half);
    if (status)
        return status;
    if (unpacks && to->elems == 4)
        return unpack_double(b, to, half);
    if (unpacks ? to->elems != 2 : !is_double(b, to))
        return decode_refuse(b, "moves to a 128-bit register, two of 64 bits or four of 32");
    for (unsigned i = 0; i < 2 && unpacks && !status; i++)
        status = place_destination(b, &to->elem[i], WS_T_b64, &d[i]);
    if (status)
        return status;
    low = place_take_temp(b, 64); /* the halves may be parts of the destination's own: both are read first */
    status = move(b, low, half[0]);
    if (!status)
        status = move(b, unpacks ? d[1].at : place_half(place_reg(b, to->reg), 1), half[1]);
    if (!status && unpacks)
        status = place_finish(b, &d[1]);
    if (!status)
        status = move(b, unpacks ? d[0].at : place_reg(b, to->reg), low);
    return !status && unpacks ? place_finish(b, &d[0]) : status;
}

/* ---- vectors ---- */

/* mov.v4.u32 V, 5 */
static int vector_of_number(builder *b)
{
    const ws_insn *const in = b->insn;
    static const ws_operand zero = {.kind = WS_OPND_IMM};
    int status = WS_OK;
    for (unsigned i = 0; i < in->vec && !status; i++) {
        place source;
        destination d;
        status = place_source(b, i ? &zero : &in->operand[1], (ws_type)in->type[0], &source);
        if (!status)
            status = place_destination(b, &in->operand[0].elem[i], (ws_type)in->type[0], &d);
        if (!status)
            status = move_of(b, (ws_type)in->type[0], d.at, source);
        if (!status)
            status = place_finish(b, &d);
    }
    return status;
}

/* mov.v4.f32 {a, b, c, d}, V: the elements one by one, all read before one is written, since they may be the same
 * registers. */
int decode_vector_move(builder *b)
{
    const ws_insn *const in = b->insn;
    const ws_operand *const to = &in->operand[0], *const from = &in->operand[1];
    const ws_type type = in->type[0];
    const unsigned bits = ws_type_bits(type);
    place value[4];
    if (from->kind == WS_OPND_IMM &&
        to->kind == WS_OPND_VECTOR) /* as ptxas 13.0: the first element, the others are 0 */
        return vector_of_number(b);
    if (to->kind != WS_OPND_VECTOR || from->kind != WS_OPND_VECTOR || in->vec > 4 || bits < 8 || bits > 64)
        return decode_refuse(
            b, "is not supported: only vectors of 2 or 4 elements of 8 to 64 bits are moved, in { } on both sides");
    int status = WS_OK;
    for (unsigned i = 0; i < in->vec && !status; i++) {
        place source;
        status = place_source(b, &from->elem[i], type, &source);
        value[i] = place_take_temp(b, bits);
        if (!status)
            status = move_of(b, type, value[i], source);
    }
    for (unsigned i = 0; i < in->vec && !status; i++) {
        destination d;
        status = place_destination(b, &to->elem[i], type, &d);
        if (!status)
            status = move_of(b, type, d.at, value[i]);
        if (!status)
            status = place_finish(b, &d);
    }
    return status;
}

/* ---- setp on packed halves ---- */

/* The two halves of a register, each in a register of its own. */
static int halves(builder *b, const ws_operand *o, ws_type type, place *half)
{
    place from;
    uop *u;
    place *const list = ws_arena_alloc(b->c->arena, 2 * sizeof *list);
    int status = list ? place_source(b, o, type, &from) : decode_no_memory();
    if (!status)
        status = decode_emit_special(b, exchange_unpack, PLACE_NONE, from, PLACE_NONE, PLACE_NONE, &u);
    if (status)
        return status;
    for (unsigned i = 0; i < 2; i++)
        list[i] = half[i] = place_take_temp(b, 16);
    u->mode = 2;
    u->mode2 = 16;
    u->info = list;
    return WS_OK;
}

/* setp.cmp{.op}.f16x2 p|q, a, b{, c}: p from the lower halves, q from the upper ones. */
int decode_setp_pair(builder *b)
{
    const ws_insn *in = b->insn;
    ws_insn one = *in;
    place x[2], y[2], c = PLACE_NONE;
    one.type[0] = in->type[0] == WS_T_f16x2 ? WS_T_f16 : WS_T_bf16;
    one.boolop = 0;
    one.operands = 3;
    int status = halves(b, &in->operand[1], in->type[0], x);
    if (!status)
        status = halves(b, &in->operand[2], in->type[0], y);
    if (!status && in->boolop)
        status = place_source(b, &in->operand[3], WS_T_pred, &c);
    for (unsigned i = 0; i < 2 && !status; i++) {
        const ws_operand *const to = i ? &in->second : &in->operand[0];
        const place bare = place_take_temp(b, 1);
        destination d;
        if (to->kind == WS_OPND_NONE)
            return decode_refuse(b, "needs a pair of predicates p|q");
        status = place_destination(b, to, WS_T_pred, &d);
        if (!status)
            status = lanes_uop(b, &one, bare, x[i], y[i], PLACE_NONE, PLACE_NONE);
        x[i] = d.at;
        y[i] = bare;
    }
    /* c may be p: it is read by both before either is written. */
    place combined[2];
    for (unsigned i = 0; i < 2 && !status; i++) {
        combined[i] = place_take_temp(b, 1);
        status = combine(b, combined[i], y[i], in->boolop, c);
    }
    for (unsigned i = 0; i < 2 && !status; i++)
        status = combine(b, x[i], combined[i], 0, PLACE_NONE);
    return status;
}

/* ---- lop3 with a predicate ---- */

/* lop3.op.b32 d|p, a, b, c, table, q: p = (d != 0) op q. */
int decode_lop3(builder *b)
{
    const ws_insn *in = b->insn;
    ws_insn plain = *in;
    static const ws_insn test = {
        .op = WS_OP_setp, .types = 1, .type = {WS_T_b32}, .cmp = WS_CMP_NE, .vec = 1, .operands = 3, .text = "setp"};
    place src[4], q, zero;
    destination d = {.at = PLACE_NONE}, p = {.at = PLACE_NONE};
    plain.boolop = 0;
    plain.operands = 5;
    if (in->operands != 6 || in->second.kind == WS_OPND_NONE)
        return decode_refuse(b, "needs d|p, three sources, a table and a predicate");
    int status = WS_OK;
    for (unsigned i = 0; i < 4 && !status; i++)
        status = place_source(b, &in->operand[1 + i], WS_T_b32, &src[i]);
    if (!status)
        status = place_source(b, &in->operand[5], WS_T_pred, &q);
    if (!status)
        status = place_constant(b, false, 0, &zero);
    if (!status)
        status = place_destination(b, &in->operand[0], WS_T_b32, &d);
    if (!status)
        status = place_destination(b, &in->second, WS_T_pred, &p);
    const place bare = place_take_temp(b, 1);
    if (!status)
        status = lanes_uop(b, &plain, d.at, src[0], src[1], src[2], src[3]);
    if (!status)
        status = place_finish(b, &d);
    if (!status)
        status = lanes_uop(b, &test, bare, d.at, zero, PLACE_NONE, PLACE_NONE);
    return status ? status : combine(b, p.at, bare, in->boolop, q);
}
