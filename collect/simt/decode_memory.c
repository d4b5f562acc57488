/* decode_memory.c - loads, stores and atomics to uops with an access record. */
#include "collect/simt/async_internal.h"
#include "collect/simt/decode_internal.h"

/* The address operand: base place and constant offset. */
static int address(builder *b, const ws_operand *o, ws_space space, place *base, uint8_t *wide, int64_t *offset,
                   bool *fixed)
{
    if (o->kind != WS_OPND_ADDRESS || o->elems < 1)
        return decode_refuse(b, "needs an address in brackets");
    const ws_operand *root = &o->elem[0];
    *offset = o->offset;
    *fixed = false;
    if (root->kind == WS_OPND_REG) {
        const unsigned bits = ws_type_bits(b->fn->reg[root->reg].type);
        if (bits < 32)
            return decode_refuse(b, "uses a register of %u bits as an address", bits);
        *wide = bits > 32;
        return place_source(b, root, *wide ? WS_T_u64 : WS_T_u32, base);
    }
    *wide = 1;
    if (root->kind == WS_OPND_IMM)
        return place_constant(b, true, root->imm, base);
    if (root->kind != WS_OPND_SYMBOL)
        return decode_refuse(b, "has an address that is not supported");
    uint64_t value;
    bool relative;
    int status = place_symbol_value(b, root, &value, &relative);
    if (status)
        return status;
    if (space == WS_SPACE_GENERIC && root->variable && root->variable->space == WS_SPACE_SHARED)
        value += SHARED_WINDOW; /* a name stands for its address in the space that the instruction accesses */
    *fixed = true;
    if (relative) {
        ws_operand symbol = *root;
        return place_source(b, &symbol, WS_T_u64, base);
    }
    return place_constant(b, true, value, base);
}

int decode_address(builder *b, const ws_operand *o, ws_space space, mem_access *a)
{
    bool fixed;
    return address(b, o, space, &a->base, &a->base_wide, &a->offset, &fixed);
}

/* Destination or source registers of one element each; the vector may contain '_'. */
static int data_places(builder *b, const ws_operand *o, ws_type type, mem_access *a, bool store, destination *d)
{
    const ws_operand *elem = o->kind == WS_OPND_VECTOR ? o->elem : o;
    const unsigned n = o->kind == WS_OPND_VECTOR ? o->elems : 1;
    if (n != a->vec)
        return decode_refuse(b, "has %u registers for %u elements", n, a->vec);
    for (unsigned i = 0; i < n; i++) {
        int status;
        if (store) {
            /* Stores take the low bits of a wider register as it stands. */
            const bool is_wide_reg = elem[i].kind == WS_OPND_REG && place_reg_wide(b, elem[i].reg);
            a->data_wide[i] = is_wide_reg || ws_type_bits(type) > 32;
            if (elem[i].kind == WS_OPND_REG && !elem[i].offset &&
                ws_type_bits(b->fn->reg[elem[i].reg].type) >= ws_type_bits(type) &&
                b->fn->reg[elem[i].reg].type != WS_T_pred && ws_type_bits(b->fn->reg[elem[i].reg].type) <= 64) {
                a->data[i] = place_reg(b, elem[i].reg);
                status = WS_OK;
            } else {
                a->data_wide[i] = ws_type_bits(type) > 32;
                status = place_source(b, &elem[i], type, &a->data[i]);
            }
        } else if (elem[i].kind == WS_OPND_SINK || elem[i].kind == WS_OPND_NONE) {
            a->sink[i] = true;
            status = WS_OK;
        } else {
            if (elem[i].kind != WS_OPND_REG || b->fn->reg[elem[i].reg].type == WS_T_pred ||
                ws_type_bits(b->fn->reg[elem[i].reg].type) > 64)
                return decode_refuse(b, "loads into an operand that is not supported");
            /* Loads extend to the width of the register themselves. */
            a->data[i] = place_reg(b, elem[i].reg);
            a->data_wide[i] = place_reg_wide(b, elem[i].reg);
            if (ws_type_bits(type) > ws_type_bits(b->fn->reg[elem[i].reg].type))
                return decode_refuse(b, "loads %u bits into a register of %u", ws_type_bits(type),
                                     ws_type_bits(b->fn->reg[elem[i].reg].type));
            a->number[i] = place_reg_number(b, elem[i].reg);
            d[i] = (destination){.number = place_reg_number(b, elem[i].reg), .bits = a->data_wide[i] ? 64 : 32};
            status = WS_OK;
        }
        if (status)
            return status;
    }
    return WS_OK;
}

static uop *memory_uop(builder *b, mem_access *a)
{
    uop *const u = decode_emit_guarded_by_e(b, UOP_MEMORY);
    if (u)
        u->info = a;
    return u;
}

/* The register of a 128-bit operand. */
static int double_place(builder *b, const ws_operand *o, place *out)
{
    if (o->kind != WS_OPND_REG || !place_reg_is_double(b, o->reg))
        return decode_refuse(b, "needs 128-bit registers");
    *out = place_reg(b, o->reg);
    return WS_OK;
}

/* The halves of what a 128-bit access reads or writes. A stored number fills the lower one, as in mov.b128. */
static int double_data(builder *b, const ws_operand *o, bool store, mem_access *a)
{
    place whole = PLACE_NONE;
    a->data_wide[0] = a->data_wide[1] = 1;
    if (store && o->kind == WS_OPND_IMM && !o->is_float) {
        const int status = place_constant(b, true, o->imm, &a->data[0]);
        return status ? status : place_constant(b, true, 0, &a->data[1]);
    }
    const int status = double_place(b, o, &whole);
    for (unsigned i = 0; i < 2; i++)
        a->data[i] = place_half(whole, i);
    return status;
}

/* ld.b128, st.b128: two words of 64 bits. */
static int decode_plain_double(builder *b, mem_access *a)
{
    const ws_insn *in = b->insn;
    const bool store = in->op == WS_OP_st;
    const ws_operand *const where = &in->operand[store ? 0 : 1], *const data = &in->operand[store ? 1 : 0];
    bool fixed;
    if (in->vec > 1 || a->space == WS_SPACE_PARAM)
        return decode_refuse(b, "accesses elements of 128 bits in a way that is not supported");
    a->op = store ? MEM_STORE : MEM_LOAD;
    a->bytes = 8;
    a->vec = 2;
    int status = address(b, where, (ws_space)a->space, &a->base, &a->base_wide, &a->offset, &fixed);
    if (!status)
        status = double_data(b, data, store, a);
    if (status)
        return status;
    return memory_uop(b, a) ? WS_OK : decode_no_memory();
}

static int decode_plain(builder *b, mem_access *a)
{
    const ws_insn *in = b->insn;
    const bool store = in->op == WS_OP_st;
    const ws_type type = in->type[0];
    const unsigned bits = ws_type_bits(type);
    if (bits == 128)
        return decode_plain_double(b, a);
    if (bits < 8 || bits > 64)
        return decode_refuse(b, "accesses elements of %u bits, which is not supported", bits);
    a->op = store ? MEM_STORE : MEM_LOAD;
    a->bytes = (uint8_t)(bits / 8);
    a->vec = in->vec ? in->vec : 1;
    a->sign = ws_type_kind_of(type) == WS_KIND_SINT;
    bool fixed;
    const ws_operand *where = &in->operand[store ? 0 : 1];
    if (a->space == WS_SPACE_PARAM && where->elems && decode_on_stack(b, where->elem[0].variable))
        a->space = WS_SPACE_LOCAL;
    int status = address(b, where, a->space, &a->base, &a->base_wide, &a->offset, &fixed);
    destination d[8] = {0};
    if (!status)
        status = data_places(b, &in->operand[store ? 1 : 0], type, a, store, d);
    if (status)
        return status;
    if (a->space == WS_SPACE_PARAM && fixed && b->fn->is_entry) {
        const ws_variable *v = in->operand[store ? 0 : 1].elem[0].variable;
        a->kernel_param = decode_within(v, b->fn->param, b->fn->params);
    } else {
        a->kernel_param =
            a->space == WS_SPACE_PARAM && b->fn->is_entry; /* through a register: the kernel's parameters */
    }
    if (a->kernel_param && store)
        return decode_refuse(b, "writes a kernel parameter");
    uop *u = memory_uop(b, a);
    if (!u)
        return decode_no_memory();
    u->dst_bits = d[0].bits;
    u->dst_reg = d[0].number;
    return WS_OK;
}

/* Atomics on vectors are an atomic for each element. */
static int atomic_elements(builder *b, mem_access *a, ws_type type, unsigned first)
{
    const ws_operand *const values = &b->insn->operand[first + 1], *const old = &b->insn->operand[0];
    for (unsigned i = 0; i < a->vec; i++) {
        const int status = place_source(b, &values->elem[i], type, &a->element[i]);
        if (status)
            return status;
        a->sink[i] = !a->returns || old->elem[i].kind == WS_OPND_NONE;
        if (a->sink[i])
            continue;
        if (old->elem[i].kind != WS_OPND_REG || ws_type_bits(decode_reg_type(b, old->elem[i].reg)) > 32)
            return decode_refuse(b, "needs registers of up to 32 bits");
        a->data[i] = place_reg(b, old->elem[i].reg);
        a->number[i] = place_reg_number(b, old->elem[i].reg);
    }
    return WS_OK;
}

/* atom.cas.b128, atom.exch.b128 */
static int decode_atomic_double(builder *b, mem_access *a)
{
    const ws_insn *in = b->insn;
    const bool cas = in->sub == WS_SUB_CAS;
    bool fixed;
    if (in->op != WS_OP_atom || (!cas && in->sub != WS_SUB_EXCH) || in->vec > 1)
        return decode_refuse(b, "is not supported: 128 bits have .cas and .exch only");
    a->op = MEM_ATOMIC;
    a->bytes = 16;
    a->vec = 1;
    a->type = WS_T_b128;
    a->sub = in->sub;
    a->returns = in->operand[0].kind == WS_OPND_REG;
    a->synchronises = 1;
    int status = address(b, &in->operand[1], (ws_space)a->space, &a->base, &a->base_wide, &a->offset, &fixed);
    if (!status && a->returns)
        status = double_place(b, &in->operand[0], &a->data[0]);
    if (!status && cas)
        status = double_place(b, &in->operand[2], &a->compare);
    if (!status)
        status = double_place(b, &in->operand[2 + cas], &a->value);
    if (status)
        return status;
    return memory_uop(b, a) ? WS_OK : decode_no_memory();
}

static int decode_atomic(builder *b, mem_access *a)
{
    const ws_insn *in = b->insn;
    const bool returns = in->op == WS_OP_atom;
    const ws_type type = in->type[0];
    const unsigned bits = ws_type_bits(type), first = returns ? 1 : 0;
    const bool vector = in->vec > 1;
    if (bits == 128)
        return decode_atomic_double(b, a);
    if ((bits != 16 && bits != 32 && bits != 64) ||
        (vector && (bits * in->vec > 128 || ws_type_kind_of(type) != WS_KIND_FLOAT || bits == 64)))
        return decode_refuse(b, "is an atomic on elements of %u bits%s, which is not supported", bits,
                             vector ? " in vectors" : "");
    a->op = MEM_ATOMIC;
    a->bytes = (uint8_t)(bits / 8);
    a->vec = in->vec;
    a->type = (uint8_t)type;
    a->sub = in->sub;
    a->wide = bits > 32;
    a->synchronises = 1;
    if (!(in->sub >= WS_SUB_AND && in->sub <= WS_SUB_EXCH))
        return decode_refuse(b, "has an atomic operation that is not supported");
    bool fixed;
    int status = address(b, &in->operand[first], a->space, &a->base, &a->base_wide, &a->offset, &fixed);
    const bool cas = in->sub == WS_SUB_CAS;
    if (!status && cas)
        status = place_source(b, &in->operand[first + 1], type, &a->compare);
    destination d = {0};
    /* atom with '_' as destination is a reduction by another name. */
    a->returns = returns && in->operand[0].kind != WS_OPND_SINK;
    if (!status && vector)
        status = atomic_elements(b, a, type, first);
    else if (!status)
        status = place_source(b, &in->operand[first + (cas ? 2 : 1)], type, &a->value);
    if (!status && a->returns && !vector)
        status = place_destination(b, &in->operand[0], type, &d);
    if (status)
        return status;
    if (!vector)
        a->data[0] = d.at;
    if (ws_type_kind_of(type) == WS_KIND_FLOAT && bits != 64 &&
        type != WS_T_f32) { /* f16, f16x2, bf16 ...: by lane arithmetic */
        ws_lanes_shape shape;
        const ws_insn add = {.op = in->sub == WS_SUB_ADD   ? WS_OP_add
                                   : in->sub == WS_SUB_MIN ? WS_OP_min
                                                           : WS_OP_max,
                             .types = 1,
                             .type = {(uint8_t)type},
                             .vec = 1,
                             .operands = 3,
                             .text = in->text,
                             .round = WS_RND_DEFAULT};
        status = ws_lanes_find(&add, &a->combine, &shape);
        if (status)
            return decode_refuse(b, "%s", ws_message());
    }
    uop *u = memory_uop(b, a);
    if (!u)
        return decode_no_memory();
    return a->returns && !vector ? place_finish(b, &d) : WS_OK;
}

/* st.async, red.async: the access, and then its bytes at an mbarrier object. */
static int decode_signal(builder *b, async_op *op)
{
    const ws_insn *const in = b->insn;
    op->object = (mem_access){.space = WS_SPACE_SHARED, .op = MEM_ATOMIC, .cache = b->c->caches++};
    op->object.base = op->object.compare = op->object.value = PLACE_NONE;
    const int status = decode_address(b, &in->operand[2], WS_SPACE_SHARED, &op->object);
    uop *const u = &b->c->uop[b->c->uops - 1];
    if (status)
        return status;
    if (u->kind != UOP_MEMORY)
        return decode_refuse(b, "signals an object with an address that is not supported");
    u->kind = UOP_ACCESS;
    u->access = async_store_run;
    u->info = op;
    return WS_OK;
}

int decode_memory(builder *b)
{
    const ws_insn *in = b->insn;
    async_op *const op = in->signals ? ws_arena_alloc(b->c->arena, sizeof *op) : NULL;
    mem_access *a = op ? &op->access : in->signals ? NULL : ws_arena_alloc(b->c->arena, sizeof *a);
    if (!a)
        return decode_no_memory();
    a->space = in->space;
    a->synchronises = in->order > WS_ORDER_WEAK || in->coherent;
    a->cache = b->c->caches++;
    a->base = a->compare = a->value = PLACE_NONE;
    if (a->space == WS_SPACE_NONE)
        a->space = WS_SPACE_GENERIC;
    const int status = in->op == WS_OP_atom || in->op == WS_OP_red ? decode_atomic(b, a) : decode_plain(b, a);
    return status || !op ? status : decode_signal(b, op);
}
