/* decode.c - one instruction to uops, by kind. */
#include "collect/simt/decode_internal.h"

#include <string.h>

/* ---- simple instructions ---- */

static int decode_arithmetic(builder *b)
{
    const ws_insn *in = b->insn;
    ws_lanes_fn *fn;
    ws_lanes_shape shape;
    int status = ws_lanes_find(in, &fn, &shape);
    if (status)
        return decode_refuse(b, "is not supported: %s", ws_message());
    place src[4] = {PLACE_NONE, PLACE_NONE, PLACE_NONE, PLACE_NONE};
    for (unsigned i = 0; i < shape.srcs; i++) {
        status = place_source(b, &in->operand[1 + i], shape.src[i], &src[i]);
        if (status)
            return status;
    }
    if (shape.controlled) {
        status = place_constant(b, true, shape.control, &src[3]);
        if (status)
            return status;
    }
    const bool combine = in->op == WS_OP_setp && (in->boolop || in->second.kind == WS_OPND_REG);
    destination d;
    status = place_destination(b, &in->operand[0], shape.dst, &d);
    if (status)
        return status;
    place third = PLACE_NONE, second = PLACE_NONE;
    if (combine && in->boolop) {
        status = place_source(b, &in->operand[3], WS_T_pred, &third);
        if (status)
            return status;
    }
    const place bare = combine ? place_take_temp(b, 1) : d.at;
    uop *u = decode_emit(b, UOP_LANES);
    if (!u)
        return decode_no_memory();
    u->fn = fn;
    u->d = bare;
    u->a = src[0];
    u->b = src[1];
    u->c = src[2];
    u->e = shape.carry ? PLACE(BANK_FRAME, b->cc) : src[3];
    if (combine) {
        if (in->second.kind == WS_OPND_REG)
            second = place_reg(b, in->second.reg);
        status = decode_emit_special(b, exchange_combine, d.at, bare, third, second, &u);
        if (status)
            return status;
        u->mode = in->boolop;
        u->mode2 = (uint8_t)((in->boolop ? 1 : 0) | (in->second.kind == WS_OPND_REG ? 2 : 0));
        return WS_OK;
    }
    return place_finish(b, &d);
}

/* mov with a vector on one side: packs or unpacks registers. */
static int decode_pack(builder *b)
{
    const ws_insn *in = b->insn;
    const bool packs = in->operand[1].kind == WS_OPND_VECTOR;
    const ws_operand *vector = &in->operand[packs ? 1 : 0], *scalar = &in->operand[packs ? 0 : 1];
    const unsigned n = vector->elems, bits = ws_type_bits(in->type[0]);
    if (n < 2 || n > 8 || bits > 64 || bits % n)
        return decode_refuse(b, "packs or unpacks a vector that does not fit its type");
    static const ws_type by_bytes[9] = {0, WS_T_b8, WS_T_b16, 0, WS_T_b32, 0, 0, 0, WS_T_b64};
    const ws_type part = by_bytes[bits / n / 8 <= 8 ? bits / n / 8 : 0];
    place *list = ws_arena_alloc(b->c->arena, 8 * sizeof *list);
    destination d[8];
    if (!list)
        return decode_no_memory();
    if (part == WS_T_NONE)
        return decode_refuse(b, "packs or unpacks elements of an unusual size");
    uop *u;
    int status = WS_OK;
    if (packs) {
        for (unsigned i = 0; i < n && !status; i++)
            status = place_source(b, &vector->elem[i], part, &list[i]);
        if (!status)
            status = place_destination(b, scalar, in->type[0], &d[0]);
        if (!status)
            status = decode_emit_special(b, exchange_pack, d[0].at, PLACE_NONE, PLACE_NONE, PLACE_NONE, &u);
    } else {
        place from;
        status = place_source(b, scalar, in->type[0], &from);
        for (unsigned i = 0; i < n && !status; i++) {
            status = place_destination(b, &vector->elem[i], part, &d[i]);
            list[i] = d[i].at;
        }
        if (!status)
            status = decode_emit_special(b, exchange_unpack, PLACE_NONE, from, PLACE_NONE, PLACE_NONE, &u);
    }
    if (status)
        return status;
    u->mode = (uint8_t)n;
    u->mode2 = (uint8_t)(bits / n);
    u->wide = bits > 32;
    u->info = list;
    for (unsigned i = 0; i < (packs ? 1 : n) && !status; i++)
        if (packs || d[i].adapt) /* several destinations of one uop are not reported to value sinks */
            status = place_finish(b, &d[i]);
    return status;
}

/* Lane function of a plain two-operand instruction that the module does not contain. */
static int plain_lanes(ws_op op, ws_type type, ws_lanes_fn **fn)
{
    ws_lanes_shape shape;
    const ws_insn in = {.op = (uint16_t)op,
                        .types = 1,
                        .type = {(uint8_t)type},
                        .vec = 1,
                        .operands = op == WS_OP_mov ? 2 : 3,
                        .text = "plain"};
    return ws_lanes_find(&in, fn, &shape);
}

static uint64_t window_base(ws_space space)
{
    return space == WS_SPACE_SHARED  ? SHARED_WINDOW
           : space == WS_SPACE_LOCAL ? LOCAL_WINDOW
           : space == WS_SPACE_PARAM ? PARAM_WINDOW
                                     : 0;
}

static int decode_cvta(builder *b)
{
    const ws_insn *in = b->insn;
    const ws_type type = in->type[0];
    const bool wide = ws_type_bits(type) > 32;
    uint64_t base = window_base(in->space);
    if (in->sub == WS_SUB_TO)
        base = -base;
    place from, shift;
    destination d;
    int status = place_source(b, &in->operand[1], type, &from);
    if (!status)
        status = place_destination(b, &in->operand[0], type, &d);
    if (!status)
        status = place_constant(b, wide, base, &shift);
    if (status)
        return status;
    uop *u = decode_emit(b, UOP_LANES);
    if (!u)
        return decode_no_memory();
    u->d = d.at;
    u->a = from;
    u->b = shift;
    status = plain_lanes(base ? WS_OP_add : WS_OP_mov, wide ? WS_T_u64 : WS_T_u32, &u->fn);
    return status ? decode_refuse(b, "%s", ws_message()) : place_finish(b, &d);
}

static int decode_isspacep(builder *b)
{
    const ws_insn *in = b->insn;
    place from;
    destination d;
    const ws_operand *o = &in->operand[1];
    const bool wide = o->kind == WS_OPND_REG ? place_reg_wide(b, o->reg) : b->kernel->image->module->address_bits == 64;
    int status = place_source(b, o, wide ? WS_T_u64 : WS_T_u32, &from);
    if (!status)
        status = place_destination(b, &in->operand[0], WS_T_pred, &d);
    uop *u;
    if (!status)
        status = decode_emit_special(b, exchange_isspacep, d.at, from, PLACE_NONE, PLACE_NONE, &u);
    if (!status) {
        u->mode = in->space;
        u->mode2 = in->shared_cta;
        u->wide = wide;
    }
    return status;
}

/* createpolicy: what it makes is a hint for caches, and none is modelled here that would take it. */
static int decode_policy(builder *b)
{
    ws_lanes_fn *fn;
    place policy;
    destination d;
    int status = place_destination(b, &b->insn->operand[0], WS_T_b64, &d);
    if (!status)
        status = place_constant(b, true, 0, &policy);
    if (!status && plain_lanes(WS_OP_mov, WS_T_b64, &fn))
        status = decode_refuse(b, "%s", ws_message());
    if (status)
        return status;
    uop *u = decode_emit(b, UOP_LANES);
    if (!u)
        return decode_no_memory();
    u->fn = fn;
    u->d = d.at;
    u->a = policy;
    return place_finish(b, &d);
}

/* alloca, stacksave, stackrestore: the thread's stack is its local memory. */
static int decode_stack(builder *b)
{
    const ws_insn *in = b->insn;
    const bool allocates = in->op == WS_OP_alloca, restores = in->op == WS_OP_stackrestore;
    const ws_type type = in->type[0];
    place from = PLACE_NONE;
    destination d = {.at = PLACE_NONE};
    uop *u;
    int status = WS_OK;
    if (allocates || restores)
        status = place_source(b, &in->operand[allocates], type, &from);
    if (!status && !restores)
        status = place_destination(b, &in->operand[0], type, &d);
    if (!status)
        status = decode_emit_special(b, warp_stack_run, d.at, from, PLACE_NONE, PLACE_NONE, &u);
    if (status)
        return status;
    const ws_operand *align = &in->operand[2];
    if (allocates && in->operands > 2 &&
        (align->kind != WS_OPND_IMM || align->imm == 0 || align->imm & (align->imm - 1) || align->imm > 128))
        return decode_refuse(b, "needs an alignment of 1 to 128 bytes, a power of two");
    u->mode = allocates ? (in->operands > 2 && align->imm > 8 ? (uint8_t)align->imm : 8) : 0;
    u->mode2 = restores;
    u->wide = ws_type_bits(type) > 32;
    return restores ? WS_OK : place_finish(b, &d);
}

/* mapa d, address, rank; getctarank d, address: without .shared::cluster the addresses are generic. */
static int decode_cluster(builder *b)
{
    const ws_insn *in = b->insn;
    const bool rank = in->op == WS_OP_getctarank;
    const ws_type type = in->type[0];
    place from, block_rank = PLACE_NONE;
    destination d;
    uop *u;
    int status = place_source(b, &in->operand[1], type, &from);
    if (!status && !rank)
        status = place_source(b, &in->operand[2], WS_T_u32, &block_rank);
    if (!status)
        status = place_destination(b, &in->operand[0], rank ? WS_T_u32 : type, &d);
    if (!status)
        status = decode_emit_special(b, rank ? exchange_rank : exchange_map, d.at, from, block_rank, PLACE_NONE, &u);
    if (status)
        return status;
    u->wide = ws_type_bits(type) > 32;
    u->mode = in->space != WS_SPACE_SHARED;
    return place_finish(b, &d);
}

/* shfl vote match redux activemask elect: one row each. */
static int decode_exchange(builder *b)
{
    const ws_insn *in = b->insn;
    static const struct {
        ws_op op;
        special_fn *fn;
        unsigned sources;
    } rows[] = {
        {WS_OP_shfl, exchange_shfl, 3},
        {WS_OP_vote, exchange_vote, 1},
        {WS_OP_match, exchange_match, 1},
        {WS_OP_redux, exchange_redux, 1},
        {WS_OP_activemask, exchange_activemask, 0},
        {WS_OP_elect, exchange_elect, 0},
    };
    unsigned row = 0;
    while (rows[row].op != in->op)
        row++;
    const ws_type type = in->types ? in->type[0] : WS_T_b32;
    const bool vote = in->op == WS_OP_vote;
    const bool wide = ws_type_bits(type) > 32;
    const ws_type source_type = vote                                                                     ? WS_T_pred
                                : in->op == WS_OP_redux || in->op == WS_OP_match || in->op == WS_OP_shfl ? type
                                                                                                         : WS_T_b32;
    const ws_type result = in->op == WS_OP_elect ? WS_T_b32 : in->op == WS_OP_match ? WS_T_b32 : type;
    place src[3] = {PLACE_NONE, PLACE_NONE, PLACE_NONE};
    destination d;
    int status = WS_OK;
    for (unsigned i = 0; i < rows[row].sources && !status; i++)
        status = place_source(b, &in->operand[1 + i], i == 0 ? source_type : WS_T_b32, &src[i]);
    if (!status)
        status = place_destination(b, &in->operand[0], result, &d);
    place second = PLACE_NONE, members = PLACE_NONE;
    const unsigned mask = 1 + rows[row].sources; /* forms before .sync have none */
    if (!status && in->op != WS_OP_activemask && mask < in->operands)
        status = place_source(b, &in->operand[mask], WS_T_b32, &members);
    if (in->second.kind == WS_OPND_REG)
        second = place_reg(b, in->second.reg);
    uop *u;
    if (!status)
        status = decode_emit_special(b, rows[row].fn, d.at, src[0], src[1], src[2], &u);
    if (status)
        return status;
    u->mode = in->sub;
    u->mode2 = (uint8_t)((in->second.kind == WS_OPND_REG ? 1 : 0) | (in->abs ? 2 : 0) | (in->nan ? 4 : 0));
    u->wide = wide;
    if (in->op == WS_OP_redux && type == WS_T_f32 && in->sub != WS_SUB_MIN && in->sub != WS_SUB_MAX)
        return decode_refuse(b, "is not supported: floats have .min and .max only");
    if (in->op == WS_OP_redux && type != WS_T_f32 && (in->abs || in->nan))
        return decode_refuse(b, "is not supported: floats alone have .abs and .NaN");
    /* The second destination rides in `info` as a number, as does the mask of lanes: a shuffle takes all three sources.
     */
    place *extra = ws_arena_alloc(b->c->arena, 3 * sizeof *extra);
    if (!extra)
        return decode_no_memory();
    extra[2] = members;
    extra[0] = second;
    extra[1] = type;
    u->info = extra;
    b->c->uop[b->run].mode = 1;
    return place_finish(b, &d);
}

/* ---- control ---- */

static int decode_bra(builder *b)
{
    decode_close_run(b);
    uop *u = decode_emit_guarded(b, UOP_BRA);
    if (!u)
        return decode_no_memory();
    u->target = b->insn->operand[0].target; /* instruction numbers; resolved when the function is complete */
    u->extra = b->f.reconverge[b->f.block_of[b->insn - b->fn->insn]];
    return WS_OK;
}

/* One for all branches that name the list. */
static const brx_table *branch_table(builder *b, const ws_list *list)
{
    brx_table **const table = &b->table[list - b->fn->list];
    if (!*table) {
        *table = ws_arena_alloc(b->c->arena, sizeof **table + list->n * sizeof *(*table)->target);
        if (!*table)
            return NULL;
        (*table)->n = list->n;
        memcpy((*table)->target, list->target, list->n * sizeof *(*table)->target);
    }
    return *table;
}

static int decode_brx(builder *b)
{
    const ws_insn *in = b->insn;
    const ws_list *list = NULL;
    for (unsigned i = 0; i < in->operands; i++)
        if (in->operand[i].kind == WS_OPND_TARGETS)
            list = &b->fn->list[in->operand[i].target];
    if (!list || list->kind != 0)
        return decode_refuse(b, "has no list of branch targets");
    decode_close_run(b);
    place index;
    const int status = place_source(b, &in->operand[0], WS_T_u32, &index);
    if (status)
        return status;
    const brx_table *const table = branch_table(b, list);
    uop *u = decode_emit_guarded(b, UOP_BRX);
    if (!u || !table)
        return decode_no_memory();
    u->b = index;
    u->extra = b->f.reconverge[b->f.block_of[in - b->fn->insn]];
    u->info = table;
    return WS_OK;
}

unsigned decode_values_in_register(const builder *b, uint32_t reg, call_value *out)
{
    const ws_type type = decode_reg_type(b, reg);
    const bool is_double = place_reg_is_double(b, reg);
    for (unsigned i = 0; i <= is_double; i++)
        out[i] = (call_value){.is_reg = true,
                              .wide = place_reg_wide(b, reg),
                              .predicate = type == WS_T_pred,
                              .reg = place_half(place_reg(b, reg), i),
                              .bytes = is_double ? 8 : (ws_type_bits(type) + 7) / 8};
    return 1 + is_double;
}

void decode_keep_parts(const call_value *part, unsigned parts, call_value *first, call_value *list, uint32_t *n)
{
    *first = part[0];
    for (unsigned i = 1; i < parts; i++)
        list[(*n)++] = part[i];
}

/* ---- what a call passes, against what the function declares ---- */

static bool kinds_differ(ws_type a, ws_type b)
{
    const ws_type_kind x = ws_type_kind_of(a), y = ws_type_kind_of(b);
    return x != WS_KIND_BITS && y != WS_KIND_BITS && (x == WS_KIND_FLOAT) != (y == WS_KIND_FLOAT);
}

static bool register_fits(const builder *b, uint32_t reg, const ws_variable *formal)
{
    const ws_type type = decode_reg_type(b, reg);
    return (type == WS_T_pred) == (formal->type == WS_T_pred) && ws_type_bits(type) == ws_type_bits(formal->type) &&
           !kinds_differ(type, (ws_type)formal->type);
}

/* As ptxas takes them (PTX ISA, call: types and sizes of both lists match). */
static bool value_fits(const builder *b, const ws_operand *o, const ws_variable *formal)
{
    switch (o->kind) {
    case WS_OPND_NONE: /* a result that is not kept */
        return true;
    case WS_OPND_REG:
        return formal->vec == 1 && register_fits(b, o->reg, formal) &&
               (formal->space != WS_SPACE_PARAM || formal->size * 8 == ws_type_bits((ws_type)formal->type));
    case WS_OPND_VECTOR:
        if (formal->space == WS_SPACE_PARAM || formal->vec != o->elems)
            return false;
        for (unsigned i = 0; i < o->elems; i++)
            if (o->elem[i].kind != WS_OPND_REG || !register_fits(b, o->elem[i].reg, formal))
                return false;
        return true;
    case WS_OPND_IMM:
        return formal->vec == 1 && formal->type != WS_T_pred && formal->size <= 8 &&
               (o->is_float
                    ? ws_type_kind_of(formal->type) == WS_KIND_FLOAT || ws_type_kind_of(formal->type) == WS_KIND_BITS
                    : ws_type_kind_of(formal->type) != WS_KIND_FLOAT);
    case WS_OPND_SYMBOL:
        return !o->variable || (o->variable->size == formal->size && o->variable->vec == formal->vec &&
                                ws_type_bits(o->variable->type) == ws_type_bits(formal->type) &&
                                !kinds_differ((ws_type)o->variable->type, (ws_type)formal->type));
    default:
        return false;
    }
}

static int check_values(builder *b, const ws_operand *list, const ws_variable *formal, uint32_t formals, bool returns)
{
    const char *const what = returns ? "result" : "argument";
    if (list->elems != formals)
        return decode_refuse(b, "has %u %s%s where the function has %u", list->elems, what, list->elems == 1 ? "" : "s",
                             formals);
    for (unsigned i = 0; i < list->elems; i++)
        if (!value_fits(b, &list->elem[i], &formal[i]))
            return decode_refuse(b, "has %s %u of another type or size than `%s` of the function", what, i + 1,
                                 formal[i].name);
    return WS_OK;
}

/* Of a call through a register its prototype says what the function takes. */
static int check_call(builder *b)
{
    const ws_insn *const in = b->insn;
    const ws_function *const fn = in->operand[1].kind == WS_OPND_SYMBOL ? in->operand[1].function : NULL;
    const ws_list *const list = in->operands > 3 ? &b->fn->list[in->operand[3].target] : NULL;
    int status = WS_OK;
    if (fn && fn->has_body) {
        status = check_values(b, &in->operand[0], fn->ret, fn->rets, true);
        return status ? status : check_values(b, &in->operand[2], fn->param, fn->params, false);
    }
    if (list && list->kind == 2) {
        status = check_values(b, &in->operand[0], list->ret, list->rets, true);
        return status ? status : check_values(b, &in->operand[2], list->param, list->params, false);
    }
    return WS_OK;
}

/* One argument or result: a value, or one for each element of a vector and each half of 128 bits. */
static int call_value_of(builder *b, const ws_operand *o, call_value *v, uint32_t *n)
{
    bool found = false;
    switch (o->kind) {
    case WS_OPND_SYMBOL:
        if (!o->variable || o->variable->space != WS_SPACE_PARAM)
            break;
        v->offset = place_parameter_offset(b, o->variable, &found);
        v->bytes = (uint32_t)o->variable->size;
        if (!found || (b->fn->is_entry && decode_within(o->variable, b->fn->param, b->fn->params)))
            return decode_refuse(b, "passes kernel parameter `%s` by name, which is not supported", o->variable->name);
        ++*n;
        return WS_OK;
    case WS_OPND_REG:
        if (o->negate)
            break;
        *n += decode_values_in_register(b, o->reg, v);
        return WS_OK;
    case WS_OPND_VECTOR:
        if (o->elems > CALL_PARTS)
            break;
        for (unsigned i = 0; i < o->elems; i++) {
            if (o->elem[i].kind != WS_OPND_REG)
                return decode_refuse(b, "passes a vector of something else than registers");
            *n += decode_values_in_register(b, o->elem[i].reg, v + *n);
        }
        return WS_OK;
    case WS_OPND_IMM:
        *v = (call_value){.is_reg = true, .wide = true, .bytes = 8};
        ++*n;
        return place_constant(b, true, o->imm, &v->reg);
    default:
        break;
    }
    return decode_refuse(b, "passes an argument of a kind that is not supported");
}

/* A result that the caller discards goes into scratch registers, as many as it has values. */
static int unkept_values(builder *b, const ws_variable *formal, call_value *v, uint32_t *n)
{
    const unsigned values = formal ? formal->vec * (ws_type_bits(formal->type) > 64 ? 2u : 1u) : 1;
    for (unsigned i = 0; i < values; i++)
        v[i] = (call_value){.is_reg = true,
                            .wide = !formal || formal->type != WS_T_pred,
                            .predicate = formal && formal->type == WS_T_pred,
                            .reg = place_take_temp(b, formal && formal->type == WS_T_pred ? 1 : 64),
                            .bytes = 8};
    *n += values;
    return WS_OK;
}

/* Describes the arguments or results of a call, from the list at the call site. `formal`: of the function, or NULL. */
static int call_values(builder *b, const ws_operand *list, const ws_variable *formal, call_value **out, uint32_t *n)
{
    *n = list->elems;
    *out = ws_arena_alloc(b->c->arena, (CALL_PARTS * list->elems + 1) * sizeof **out);
    if (!*out)
        return decode_no_memory();
    for (unsigned i = 0; i < list->elems; i++) {
        const ws_operand *const o = &list->elem[i];
        call_value part[CALL_PARTS] = {{0}};
        uint32_t parts = 0;
        const int status = o->kind == WS_OPND_NONE ? unkept_values(b, formal ? &formal[i] : NULL, part, &parts)
                                                   : call_value_of(b, o, part, &parts);
        if (status)
            return status;
        decode_keep_parts(part, parts, &(*out)[i], *out, n);
    }
    return WS_OK;
}

static int decode_call(builder *b)
{
    const ws_insn *in = b->insn;
    decode_close_run(b);
    call_site *site = ws_arena_alloc(b->c->arena, sizeof *site);
    if (!site)
        return decode_no_memory();
    site->insn = in;
    const ws_operand *target = &in->operand[1];
    const ws_function *const known = target->kind == WS_OPND_SYMBOL ? target->function : NULL;
    int status = check_call(b);
    if (!status)
        status = call_values(b, &in->operand[0], known && known->has_body ? known->ret : NULL, &site->ret, &site->rets);
    if (!status)
        status = call_values(b, &in->operand[2], NULL, &site->arg, &site->args);
    if (status)
        return status;
    if (target->kind == WS_OPND_REG) {
        site->callee = -1;
        site->target_wide = place_reg_wide(b, target->reg);
        site->target = place_reg(b, target->reg);
    } else if (target->function && target->function->is_entry) {
        return decode_refuse(b, "calls `%s`, which is a kernel", target->function->name);
    } else if (target->function && target->function->has_body) {
        site->callee = (int32_t)*place_number_find(&b->proc_of, target->function);
    } else {
        site->callee = -2;
        site->builtin = (uint8_t)builtin_find(target->name ? target->name : "");
        const char *const called = target->name ? target->name : "";
        if (!site->builtin && (!strncmp(called, "cuda", 4) || !strncmp(called, "__cuda", 6)))
            return decode_refuse(b, "calls `%s` of the device runtime, which is not there", called);
        if (!site->builtin)
            return decode_refuse(b, "calls `%s`, which this module does not define", target->name ? target->name : "?");
        b->kernel->mallocs |= builtin_needs_heap(site->builtin);
        b->kernel->ordered |= builtin_is_ordered(site->builtin);
    }
    uop *u = decode_emit_guarded(b, UOP_CALL);
    if (!u)
        return decode_no_memory();
    u->info = site;
    return WS_OK;
}

static int decode_leave(builder *b, uop_kind kind)
{
    decode_close_run(b);
    return decode_emit_guarded(b, kind) ? WS_OK : decode_no_memory();
}

/* The others get their turn, and the warp's clocks go on by what it sleeps. */
static int decode_sleep(builder *b)
{
    place ns;
    const int status = place_source(b, &b->insn->operand[0], WS_T_u32, &ns);
    if (status)
        return status;
    const int left = decode_leave(b, UOP_YIELD);
    if (!left) {
        b->c->uop[b->c->uops - 1].b = ns;
        b->c->uop[b->c->uops - 1].mode = 1;
    }
    return left;
}

/* bar and barrier: sync, arrive, red, and the warp-level bar.warp.sync. */
static int decode_barrier(builder *b)
{
    const ws_insn *in = b->insn;
    decode_close_run(b);
    if (in->scope == WS_SCOPE_CLUSTER) {
        uop *const u = decode_emit_guarded_by_e(b, UOP_BARRIER);
        if (!u)
            return decode_no_memory();
        u->mode = in->sub == WS_SUB_WAIT ? WS_SUB_WAIT : WS_SUB_ARRIVE;
        u->mode2 = WS_SCOPE_CLUSTER;
        return WS_OK;
    }
    const bool red = in->sub == WS_SUB_RED;
    const unsigned first = red ? 1 : 0;
    place number = PLACE_NONE, threads = PLACE_NONE, vote = PLACE_NONE;
    destination d = {.at = PLACE_NONE};
    int status = WS_OK;
    bool counted = false;
    if (in->sub == WS_SUB_WARP && in->operands)
        status = place_source(b, &in->operand[0], WS_T_u32, &number);
    if (in->sub != WS_SUB_WARP && in->operands > first) {
        status = place_source(b, &in->operand[first], WS_T_u32, &number);
        unsigned last = in->operands - 1;
        if (red && !status)
            status = place_source(b, &in->operand[last--], WS_T_pred, &vote);
        counted = last > first;
        if (counted && !status)
            status = place_source(b, &in->operand[first + 1], WS_T_u32, &threads);
    }
    if (red && !status)
        status = place_destination(b, &in->operand[0], in->boolop == WS_SUB_POPC ? WS_T_u32 : WS_T_pred, &d);
    if (status)
        return status;
    uop *u = decode_emit_guarded_by_e(b, UOP_BARRIER);
    if (!u)
        return decode_no_memory();
    u->a = number;
    u->b = threads;
    u->c = vote;
    u->d = d.at;
    u->count = in->op == WS_OP_bar || in->aligned;
    u->mode = in->sub ? in->sub : WS_SUB_SYNC;
    u->mode2 = in->boolop;
    u->wide = counted;
    return red ? place_finish(b, &d) : WS_OK;
}

/* An instruction that has no effect here but is counted: fences order memory, prefetches and hints do nothing. */
static int decode_effectless(builder *b)
{
    const bool fences = b->insn->op == WS_OP_membar || b->insn->op == WS_OP_fence;
    return decode_emit_special(b, fences ? exchange_fence : exchange_nothing, PLACE_NONE, PLACE_NONE, PLACE_NONE,
                               PLACE_NONE, NULL);
}

static int simple(builder *b, int (*decode)(builder *))
{
    int status = decode_open_simple(b);
    if (!status)
        status = decode(b);
    decode_close_simple(b);
    return status;
}

static int decode_by_opcode(builder *b)
{
    const ws_insn *in = b->insn;
    if (in->unsupported)
        return decode_refuse(b, "is not supported: %s", in->unsupported);
    switch ((ws_op)in->op) {
    case WS_OP_bra:
        return decode_bra(b);
    case WS_OP_brx:
        return decode_brx(b);
    case WS_OP_call:
        return decode_call(b);
    case WS_OP_ret:
        return decode_leave(b, UOP_RET);
    case WS_OP_exit:
        return decode_leave(b, UOP_EXIT);
    case WS_OP_trap:
        return decode_leave(b, UOP_TRAP);
    case WS_OP_brkpt:
        return decode_leave(b, UOP_YIELD);
    case WS_OP_nanosleep:
        return decode_sleep(b);
    case WS_OP_bar:
    case WS_OP_barrier:
        return decode_barrier(b);
    case WS_OP_ld:
    case WS_OP_ldu:
    case WS_OP_st:
    case WS_OP_atom:
    case WS_OP_red:
        decode_close_run(b);
        return decode_memory(b);
    case WS_OP_cp:
        return in->sub == WS_SUB_ASYNC_PREFETCH ? simple(b, decode_effectless) : decode_async(b);
    case WS_OP_shfl:
    case WS_OP_vote:
    case WS_OP_match:
    case WS_OP_redux:
    case WS_OP_activemask:
    case WS_OP_elect:
        return simple(b, decode_exchange);
    case WS_OP_cvta:
        return simple(b, decode_cvta);
    case WS_OP_mapa:
    case WS_OP_getctarank:
        return simple(b, decode_cluster);
    case WS_OP_isspacep:
        return simple(b, decode_isspacep);
    case WS_OP_membar:
    case WS_OP_fence:
    case WS_OP_prefetch:
    case WS_OP_prefetchu:
    case WS_OP_pmevent:
    case WS_OP_discard:
    case WS_OP_applypriority:
    case WS_OP_griddepcontrol:
    case WS_OP_setmaxnreg:
        return simple(b, decode_effectless);
    case WS_OP_setp:
        return simple(b,
                      in->type[0] == WS_T_f16x2 || in->type[0] == WS_T_bf16x2 ? decode_setp_pair : decode_arithmetic);
    case WS_OP_lop3:
        return simple(b, in->boolop ? decode_lop3 : decode_arithmetic);
    case WS_OP_createpolicy:
        return simple(b, decode_policy);
    case WS_OP_alloca:
    case WS_OP_stacksave:
    case WS_OP_stackrestore:
        return simple(b, decode_stack);
    case WS_OP_mov:
        if (in->vec > 1)
            return simple(b, decode_vector_move);
        if (decode_is_double(b))
            return simple(b, decode_double);
        if (in->operand[0].kind == WS_OPND_VECTOR || in->operand[1].kind == WS_OPND_VECTOR)
            return simple(b, decode_pack);
        return simple(b, decode_arithmetic);
    case WS_OP_tex:
    case WS_OP_tld4:
    case WS_OP_suld:
    case WS_OP_sust:
    case WS_OP_sured:
        decode_close_run(b);
        return decode_texture(b);
    case WS_OP_txq:
    case WS_OP_suq:
        return simple(b, decode_texture);
    case WS_OP_wmma:
    case WS_OP_mma:
    case WS_OP_wgmma:
    case WS_OP_ldmatrix:
    case WS_OP_stmatrix:
    case WS_OP_movmatrix:
        return decode_matrix(b);
    case WS_OP_mbarrier:
        return decode_mbarrier(b);
    default:
        return simple(b, decode_arithmetic);
    }
}

int decode_insn(builder *b)
{
    const ws_insn *const in = b->insn;
    unsigned sums = 0;
    for (unsigned i = 0; i < in->operands; i++)
        sums += in->operand[i].kind == WS_OPND_REG && in->operand[i].offset;
    b->sums = 0;
    const int status = decode_by_opcode(b);
    return !status && b->sums < sums ? decode_refuse(b, "takes no sum of a register and a number") : status;
}
