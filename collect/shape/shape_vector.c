/* shape_vector.c - which loads of shared or constant memory does an assembler join, because they read words side by
 * side?
 *
 * Two or four loads of four bytes, or two of eight, from one value with offsets in a row, in one region, with no store
 * between them that may touch them. Whether the address is a multiple of what the wide load reads is seen when it is
 * run: who runs the shape makes single loads of it where it is not. An assembler has to prove it. */
#include "collect/shape/shape_internal.h"

#include "base/status.h"

enum { MOST_BYTES = 16 };

static bool may_join(const shaper *s, uint32_t pc)
{
    const ws_instr *const in = &s->launch->instr[pc];
    const shape_node *const n = &s->node[pc];
    const ws_code_operand *const base = shape_address_of(n);
    return n->op == WS_OP_ld && !n->removed && !n->guarded &&
           (in->space == WS_SPACE_SHARED || in->space == WS_SPACE_CONST) && in->order <= WS_ORDER_WEAK &&
           !in->uncached && (in->bytes == 4 || in->bytes == 8) && n->vec <= 1 && n->operands == 2 &&
           n->operand[0].kind == WS_CODE_REGISTER && shape_is_single(s, n->operand[0].reg) && base &&
           (base->kind == WS_CODE_SYMBOL || base->kind == WS_CODE_REGISTER);
}

static bool is_same_base(const shape_node *a, const shape_node *b)
{
    const ws_code_operand *const p = shape_address_of(a), *const q = shape_address_of(b);
    return p->kind == q->kind && (p->kind == WS_CODE_SYMBOL || p->reg == q->reg);
}

/* The base has another value behind it. */
static bool moves_base(const shaper *s, uint32_t pc, const ws_code_operand *base)
{
    const shape_node *const n = &s->node[pc];
    for (unsigned i = 0; i < n->operands && base->kind == WS_CODE_REGISTER && !n->removed; i++)
        if (n->operand[i].is_written && n->operand[i].kind == WS_CODE_REGISTER && n->operand[i].reg == base->reg)
            return true;
    return false;
}

static bool stores(const shaper *s, uint32_t pc)
{
    const ws_instr *const in = &s->launch->instr[pc];
    return in->cls == WS_CLASS_MEMORY && in->access != WS_ACCESS_LOAD &&
           (in->space == WS_SPACE_SHARED || in->space == WS_SPACE_GENERIC);
}

/* The load of the region behind `pc` that reads at this distance from it; NOBODY. */
static uint32_t find_partner(const shaper *s, const ws_shape_region *r, uint32_t pc, int64_t distance)
{
    const int64_t from = shape_address_of(&s->node[pc])->value;
    const ws_code_operand *const base = shape_address_of(&s->node[pc]);
    for (uint32_t at = pc + 1; at < r->end_pc && !stores(s, at) && !moves_base(s, at - 1, base); at++)
        if (!s->joined[at] && may_join(s, at) && s->launch->instr[at].space == s->launch->instr[pc].space &&
            s->launch->instr[at].bytes == s->launch->instr[pc].bytes && is_same_base(&s->node[pc], &s->node[at]) &&
            shape_address_of(&s->node[at])->value - from == distance)
            return at;
    return NOBODY;
}

/* Up to `loads` from `pc` on, at rising offsets. */
static unsigned find_loads(const shaper *s, const ws_shape_region *r, uint32_t pc, unsigned loads, uint32_t *found)
{
    const unsigned bytes = s->launch->instr[pc].bytes;
    found[0] = pc;
    if ((uint64_t)shape_address_of(&s->node[pc])->value % (loads * bytes))
        return 1;
    for (unsigned i = 1; i < loads; i++) {
        found[i] = find_partner(s, r, pc, (int64_t)i * bytes);
        if (found[i] == NOBODY)
            return i;
    }
    return loads;
}

/* Loads in offset order: the first in the text has the place of all, so it has to be the one with the lowest offset. */
static void join_from(shaper *s, const ws_shape_region *r, uint32_t pc)
{
    uint32_t found[MOST_BYTES / 4];
    const unsigned bytes = s->launch->instr[pc].bytes;
    unsigned loads = MOST_BYTES / bytes;
    while (loads > 1 && find_loads(s, r, pc, loads, found) < loads)
        loads /= 2;
    for (unsigned i = 0; i < loads && loads > 1; i++) {
        s->joined[found[i]] = pc + 1;
        s->next_load[found[i]] = i + 1 < loads ? found[i + 1] : NOBODY;
    }
}

void shape_vector(shaper *s)
{
    for (uint32_t i = 0; i < s->regions; i++)
        for (uint32_t pc = s->region[i].first_pc; pc < s->region[i].end_pc; pc++)
            if (!s->joined[pc] && may_join(s, pc))
                join_from(s, &s->region[i], pc);
}
