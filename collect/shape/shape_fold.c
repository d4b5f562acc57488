/* shape_fold.c - which PTX instructions are no instruction of a GPU, because they become operands of others?
 *
 * Copies and conversions that only name a value anew; constants, parameters and what is the same for a launch, which
 * the operand of an instruction may be (an immediate, a place in constant memory); sums that only make addresses, and
 * products that go into them. What the compiler left behind and nobody needs goes, too. */
#include "collect/shape/shape_internal.h"

#include "base/status.h"

#include <stdlib.h>

enum { OFFSET_MOST = (1 << 23) - 1 }; /* of an address: 24 bits with a sign */

/* What is used in a value's place. */
typedef struct alias {
    ws_code_operand operand;
    bool is_known;
} alias;

typedef struct folder {
    shaper *s;
    alias *alias; /* [values] */
} folder;

static unsigned type_bits(const shape_node *n, unsigned i)
{
    return i < n->types ? ws_type_bits(n->type[i]) : 0;
}

static bool is_integer(const shape_node *n, unsigned i)
{
    const ws_type_kind kind = i < n->types ? ws_type_kind_of(n->type[i]) : WS_KIND_NONE;
    return kind == WS_KIND_BITS || kind == WS_KIND_UINT || kind == WS_KIND_SINT;
}

/* Between widths: a truncation takes the low register, a zero extension the register that always holds zero. Halves of
 * a register have to be cleared. */
static bool is_free_conversion(const shape_node *n)
{
    if (n->types != 2 || !is_integer(n, 0) || !is_integer(n, 1))
        return false;
    const unsigned to = type_bits(n, 0), from = type_bits(n, 1);
    const bool is_signed = ws_type_kind_of(n->type[1]) == WS_KIND_SINT;
    return to <= from ? to >= 16 : from >= 32 && !is_signed;
}

static bool is_constant(const ws_code_operand *o)
{
    return o->kind == WS_CODE_IMMEDIATE || o->kind == WS_CODE_SYMBOL || o->kind == WS_CODE_LAUNCH;
}

/* The kernel's parameters lie in constant memory; those of functions come in registers. */
static bool loads_parameter(const shaper *s, uint32_t pc, const shape_node *n)
{
    return n->op == WS_OP_ld && n->space == WS_SPACE_PARAM && pc < s->code->function[1].first_pc && n->operands == 2 &&
           n->operand[1].kind == WS_CODE_SYMBOL;
}

/* Arithmetic on nothing but constants, but for one of its operands, is a constant when that is one, too; which one does
 * not matter here, but zero stays zero. */
static bool is_of_constants(const shape_node *n, const ws_code_operand *but)
{
    const bool is_plain = n->cls == WS_CLASS_INTEGER || (n->cls == WS_CLASS_FLOAT && n->op == WS_OP_cvt);
    if (!is_plain || n->op == WS_OP_mov || n->op == WS_OP_setp || n->guarded || n->operands < 2 ||
        n->operand[0].kind != WS_CODE_REGISTER || !n->operand[0].is_written)
        return false;
    for (unsigned i = 1; i < n->operands; i++)
        if (&n->operand[i] != but && n->operand[i].kind != WS_CODE_IMMEDIATE)
            return false;
    return true;
}

/* The halves of a pair of registers by names of their own. */
static bool takes_apart(const shape_node *n)
{
    return n->op == WS_OP_mov && !n->guarded && n->operands == 3 && n->operand[1].is_written &&
           n->operand[0].kind == WS_CODE_REGISTER && n->operand[1].kind == WS_CODE_REGISTER;
}

static bool is_copy(const shaper *s, uint32_t pc, const shape_node *n)
{
    if (n->guarded || n->operands != 2 || n->operand[0].kind != WS_CODE_REGISTER || !n->operand[0].is_written ||
        n->operand[1].is_written)
        return false;
    return n->op == WS_OP_mov || n->op == WS_OP_cvta || loads_parameter(s, pc, n) ||
           (n->op == WS_OP_cvt && is_free_conversion(n));
}

static void learn_halves(folder *f, const shape_node *n)
{
    const shaper *const s = f->s;
    ws_code_operand from = n->operand[2];
    if (from.kind == WS_CODE_REGISTER && f->alias[from.reg].is_known)
        from = f->alias[from.reg].operand;
    if (from.kind != WS_CODE_REGISTER || !shape_is_single(s, from.reg) || !shape_is_single(s, n->operand[0].reg) ||
        !shape_is_single(s, n->operand[1].reg))
        return;
    for (unsigned i = 0; i < 2; i++)
        f->alias[n->operand[i].reg] = (alias){.operand = from, .is_known = true};
}

/* What the only definition of a value says that it is. */
static void learn_copy(folder *f, uint32_t pc)
{
    const shaper *const s = f->s;
    const shape_node *const n = &s->node[pc];
    if (takes_apart(n))
        learn_halves(f, n);
    if (!is_copy(s, pc, n) || !shape_is_single(s, n->operand[0].reg))
        return;
    ws_code_operand from = n->operand[1];
    const alias *const further = from.kind == WS_CODE_REGISTER ? &f->alias[from.reg] : NULL;
    if (further && further->is_known)
        from = further->operand;
    else if (further && !shape_is_single(s, from.reg))
        return;
    if (loads_parameter(s, pc, n))
        from = (ws_code_operand){.kind = WS_CODE_LAUNCH};
    if (from.kind != WS_CODE_REGISTER && !is_constant(&from))
        return;
    from.is_written = from.is_address = from.is_guard = false;
    f->alias[n->operand[0].reg] = (alias){.operand = from, .is_known = true};
}

/* ------------------------------------------------------------------------------------------------ constants */

static bool is_zero(const ws_code_operand *o)
{
    return o->kind == WS_CODE_IMMEDIATE && o->value == 0;
}

static bool takes_constants(const shape_node *n)
{
    return n->cls != WS_CLASS_MEMORY && n->cls != WS_CLASS_BRANCH && n->op != WS_OP_call && n->op != WS_OP_mma &&
           n->op != WS_OP_wmma;
}

/* One operand of an instruction may be in constant memory, or an immediate of 32 bits; of a double these are its upper
 * half. */
static bool may_take(const shape_node *n, const ws_code_operand *at, const ws_code_operand *constant, unsigned width)
{
    if (at->is_guard)
        return false;
    if (at->is_address) /* of what the linker places, the offset is all of the address */
        return constant->kind == WS_CODE_SYMBOL && n->space != WS_SPACE_GLOBAL && n->space != WS_SPACE_GENERIC;
    if (is_zero(constant))
        return true;
    if (!takes_constants(n))
        return false;
    const bool is_double = n->types && ws_type_kind_of(n->type[n->types - 1]) == WS_KIND_FLOAT && width == 64;
    if (is_double && constant->kind == WS_CODE_IMMEDIATE && (uint32_t)constant->value)
        return false;
    if (n->op == WS_OP_mov || n->op == WS_OP_cvta || (constant->kind == WS_CODE_IMMEDIATE && is_of_constants(n, at)))
        return true;
    for (unsigned i = 0; i < n->operands; i++)
        if (&n->operand[i] != at && !n->operand[i].is_written && is_constant(&n->operand[i]) &&
            !is_zero(&n->operand[i]))
            return false;
    return true;
}

static void replace_uses(folder *f, shape_node *n)
{
    for (unsigned i = 0; i < n->operands; i++) {
        ws_code_operand *const o = &n->operand[i];
        if (o->kind != WS_CODE_REGISTER || o->is_written || !f->alias[o->reg].is_known)
            continue;
        ws_code_operand with = f->alias[o->reg].operand;
        if (with.kind != WS_CODE_REGISTER && !may_take(n, o, &with, f->s->value[o->reg].bits))
            continue;
        with.is_address = o->is_address;
        with.is_guard = o->is_guard;
        with.negated = o->negated;
        with.value += with.kind == WS_CODE_REGISTER || o->is_address ? o->value : 0;
        *o = with;
    }
}

/* Of a node whose operands have been replaced. */
static void learn_constant(folder *f, const shape_node *n)
{
    if (!is_of_constants(n, NULL) || !shape_is_single(f->s, n->operand[0].reg))
        return;
    const ws_code_operand constant = {.kind = WS_CODE_IMMEDIATE,
                                      .value = n->op == WS_OP_cvt && !n->operand[1].value ? 0 : 1};
    f->alias[n->operand[0].reg] = (alias){.operand = constant, .is_known = true};
}

/* ------------------------------------------------------------------------------------------------ sums in addresses */

static bool is_add(const shape_node *n)
{
    return n->op == WS_OP_add && n->types == 1 && is_integer(n, 0) && type_bits(n, 0) >= 32 && n->operands == 3 &&
           !n->guarded && n->operand[0].kind == WS_CODE_REGISTER;
}

/* The sum of a register and a constant that an address can hold: that is what the value is, for addresses. */
static void learn_sum(folder *f, uint32_t pc)
{
    const shaper *const s = f->s;
    const shape_node *const n = &s->node[pc];
    if (n->removed || !is_add(n) || !shape_is_single(s, n->operand[0].reg))
        return;
    const ws_code_operand *const a = &n->operand[1], *const b = &n->operand[2];
    const ws_code_operand *const base = a->kind == WS_CODE_REGISTER ? a : b, *const more = base == a ? b : a;
    if (base->kind != WS_CODE_REGISTER || (more->kind != WS_CODE_IMMEDIATE && more->kind != WS_CODE_SYMBOL) ||
        !shape_is_single(s, base->reg))
        return;
    ws_code_operand sum = *base;
    sum.value = more->value;
    const alias *const further = &f->alias[base->reg];
    if (further->is_known && further->operand.kind == WS_CODE_REGISTER) {
        sum.reg = further->operand.reg;
        sum.value += further->operand.value;
    }
    if (sum.value > OFFSET_MOST || sum.value < -OFFSET_MOST - 1)
        return;
    f->alias[n->operand[0].reg] = (alias){.operand = sum, .is_known = true};
}

static void replace_bases(folder *f, shape_node *n)
{
    for (unsigned i = 0; i < n->operands && n->cls == WS_CLASS_MEMORY; i++) {
        ws_code_operand *const o = &n->operand[i];
        if (o->kind != WS_CODE_REGISTER || !o->is_address || !f->alias[o->reg].is_known)
            continue;
        const ws_code_operand *const sum = &f->alias[o->reg].operand;
        const int64_t value = o->value + sum->value;
        if (value > OFFSET_MOST || value < -OFFSET_MOST - 1)
            continue;
        o->reg = sum->reg;
        o->value = value;
    }
}

/* ------------------------------------------------------------------------------------------------ products in sums */

/* The node that makes a value, if it is the only one and nobody guards it. */
static shape_node *maker_of(const shaper *s, const ws_code_operand *o)
{
    if (o->kind != WS_CODE_REGISTER || !shape_is_single(s, o->reg))
        return NULL;
    shape_node *const n = &s->node[s->value[o->reg].def];
    return n->removed || n->guarded || n->operands != 3 || n->operand[0].reg != o->reg ? NULL : n;
}

static bool is_wide_product(const shape_node *n)
{
    return n->op == WS_OP_mul && n->half == WS_HALF_WIDE && n->types == 1 && type_bits(n, 0) == 32;
}

static bool is_shift(const shape_node *n, unsigned bits)
{
    return n->op == WS_OP_shl && type_bits(n, 0) == bits && n->operand[2].kind == WS_CODE_IMMEDIATE &&
           (uint64_t)n->operand[2].value < 32;
}

/* The operand of the sum that a product or a shift makes, which goes into it: IMAD.WIDE, LEA. 0: none. */
static unsigned find_product(const shaper *s, const shape_node *sum)
{
    const unsigned bits = type_bits(sum, 0);
    for (unsigned i = 1; i <= 2; i++) {
        const shape_node *const n = maker_of(s, &sum->operand[i]);
        if (n && n->operand[1].kind == WS_CODE_REGISTER && shape_is_single(s, n->operand[1].reg) &&
            (is_shift(n, bits) || (bits == 64 && is_wide_product(n))))
            return i;
    }
    return 0;
}

static int join_product(shaper *s, shape_node *sum)
{
    const unsigned at = find_product(s, sum);
    if (!at)
        return WS_OK;
    const shape_node *const product = maker_of(s, &sum->operand[at]);
    ws_code_operand *const operand = ws_arena_alloc(s->arena, 4 * sizeof *operand);
    if (!operand)
        return ws_fail(WS_EMEM, "no memory for the shape of a kernel");
    operand[0] = sum->operand[0];
    operand[1] = product->operand[1];
    operand[2] = product->operand[2];
    operand[3] = sum->operand[3 - at];
    sum->op =
        is_wide_product(product) ? WS_OP_mad : WS_OP_vshl; /* nothing else is made of video shifts: stands for LEA */
    if (is_wide_product(product)) {                        /* its operands say of what */
        sum->half = product->half;
        sum->type[0] = product->type[0];
    }
    sum->operand = operand;
    sum->operands = 4;
    return WS_OK;
}

/* All sums that a product goes into take it, or none does: else it is there anyway. */
static bool is_only_in_sums(const shaper *s, const shape_node *sum, const uint32_t *sums)
{
    const unsigned at = find_product(s, sum);
    return at && s->value[sum->operand[at].reg].uses == sums[sum->operand[at].reg];
}

static int join_products(shaper *s)
{
    uint32_t *const sums = calloc((size_t)s->values + 1, sizeof *sums);
    int status = sums ? WS_OK : ws_fail(WS_EMEM, "no memory for the shape of a kernel");
    for (uint32_t pc = 0; pc < s->nodes && !status; pc++) {
        const shape_node *const n = &s->node[pc];
        const unsigned at = !n->removed && is_add(n) ? find_product(s, n) : 0;
        if (at)
            sums[n->operand[at].reg]++;
    }
    for (uint32_t pc = 0; pc < s->nodes && !status; pc++)
        if (!s->node[pc].removed && is_add(&s->node[pc]) && is_only_in_sums(s, &s->node[pc], sums))
            status = join_product(s, &s->node[pc]);
    free(sums);
    return status;
}

/* ------------------------------------------------------------------------------------------------ what nobody needs */

static bool has_effect(const shape_node *n)
{
    return n->cls == WS_CLASS_BRANCH || n->cls == WS_CLASS_BARRIER || n->cls == WS_CLASS_EXCHANGE ||
           n->cls == WS_CLASS_OTHER ||
           (n->cls == WS_CLASS_MEMORY && !(n->op == WS_OP_ld && n->space == WS_SPACE_PARAM));
}

static void drop_unused(shaper *s)
{
    shape_count(s);
    for (uint32_t pc = s->nodes; pc-- > 0;) {
        shape_node *const n = &s->node[pc];
        bool used = n->removed || has_effect(n) || !n->operands || !n->operand[0].is_written;
        for (unsigned i = 0; i < n->operands && !used; i++)
            used = n->operand[i].is_written &&
                   (n->operand[i].kind != WS_CODE_REGISTER || s->value[n->operand[i].reg].uses);
        if (used)
            continue;
        n->removed = true;
        for (unsigned i = 0; i < n->operands; i++)
            if (n->operand[i].kind == WS_CODE_REGISTER && !n->operand[i].is_written)
                s->value[n->operand[i].reg].uses--;
    }
    shape_count(s);
}

/* The second constant of an instruction has to be in a register, where it stays for all that want it. */
static void share_literals(shaper *s)
{
    enum { LITERALS = 64 };
    int64_t literal[LITERALS];
    size_t literals = 0, function = 0;
    for (uint32_t pc = 0; pc < s->nodes; pc++) {
        shape_node *const n = &s->node[pc];
        while (function + 1 < s->code->functions && s->code->function[function + 1].first_pc <= pc) {
            function++;
            literals = 0;
        }
        const ws_code_operand *const o = n->removed || n->op != WS_OP_mad || n->operands < 4 ? NULL : n->operand;
        if (!o || !is_constant(&o[3]) || is_zero(&o[3]) || o[2].kind != WS_CODE_IMMEDIATE || literals == LITERALS)
            continue;
        bool known = false;
        for (size_t i = 0; i < literals; i++)
            known |= literal[i] == o[2].value;
        if (known)
            continue;
        literal[literals++] = o[2].value;
        n->moves++;
    }
}

/* Constants that are left where they were put into registers, and a parameter that is loaded for its value alone. */
static void mark_moves(shaper *s)
{
    for (uint32_t pc = 0; pc < s->nodes; pc++) {
        shape_node *const n = &s->node[pc];
        if (!n->removed && is_copy(s, pc, n) && (is_constant(&n->operand[1]) || loads_parameter(s, pc, n)))
            n->is_move = true;
    }
}

/* Marks copies whose value nobody asks for any more; the rest of drop_unused is about what they leave. */
static void forget(folder *f)
{
    for (uint32_t v = 0; v < f->s->values; v++)
        f->alias[v].is_known = false;
}

int shape_fold(shaper *s)
{
    folder f = {.s = s, .alias = calloc((size_t)s->values + 1, sizeof *f.alias)};
    if (!f.alias)
        return ws_fail(WS_EMEM, "no memory for the shape of a kernel");
    for (uint32_t pc = 0; pc < s->nodes; pc++)
        learn_copy(&f, pc);
    for (uint32_t pc = 0; pc < s->nodes; pc++) {
        replace_uses(&f, &s->node[pc]);
        learn_constant(&f, &s->node[pc]);
    }
    drop_unused(s);
    forget(&f);
    for (uint32_t pc = 0; pc < s->nodes; pc++)
        learn_sum(&f, pc);
    for (uint32_t pc = 0; pc < s->nodes; pc++)
        replace_bases(&f, &s->node[pc]);
    drop_unused(s);
    const int status = join_products(s);
    drop_unused(s);
    mark_moves(s);
    share_literals(s);
    free(f.alias);
    return status;
}
