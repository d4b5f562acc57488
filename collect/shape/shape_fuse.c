/* shape_fuse.c - which instructions does an assembler make one of? Sums of three (IADD3), functions of three words'
 * bits (LOP3), products and sums of integers (IMAD), logic whose result is compared with zero (LOP3 writes a
 * predicate), signs and magnitudes that operands of floating point have. */
#include "collect/shape/shape_internal.h"

#include "base/status.h"

#include <string.h>

enum { MOST_SOURCES = 3 };

static bool is_word(const shape_node *n)
{
    return n->types == 1 && ws_type_bits(n->type[0]) == 32 && ws_type_kind_of(n->type[0]) != WS_KIND_FLOAT;
}

static bool is_sum(const shape_node *n)
{
    return (n->op == WS_OP_add || n->op == WS_OP_sub) && is_word(n);
}

static bool is_logic(const shape_node *n)
{
    return (n->op == WS_OP_and || n->op == WS_OP_or || n->op == WS_OP_xor || n->op == WS_OP_not) && is_word(n);
}

static bool is_test(const shape_node *n)
{
    return n->op == WS_OP_setp && is_word(n) && !n->boolop && (n->cmp == WS_CMP_EQ || n->cmp == WS_CMP_NE) &&
           n->operands == 3 && n->operand[2].kind == WS_CODE_IMMEDIATE && n->operand[2].value == 0;
}

static bool is_product(const shape_node *n)
{
    return n->op == WS_OP_mul && is_word(n) && n->half == WS_HALF_LO;
}

static bool is_sign(const shape_node *n)
{
    return (n->op == WS_OP_neg || n->op == WS_OP_abs) && n->types == 1 && ws_type_kind_of(n->type[0]) == WS_KIND_FLOAT;
}

static bool takes_signs(const shape_node *n)
{
    return n->types && ws_type_kind_of(n->type[n->types - 1]) == WS_KIND_FLOAT &&
           (n->op == WS_OP_add || n->op == WS_OP_sub || n->op == WS_OP_mul || n->op == WS_OP_fma ||
            n->op == WS_OP_mad || n->op == WS_OP_setp || n->op == WS_OP_min || n->op == WS_OP_max);
}

/* What makes the operand, for this node alone, from values that nobody writes again. */
static shape_node *maker_of(const shaper *s, const ws_code_operand *o)
{
    if (o->kind != WS_CODE_REGISTER || o->is_written || o->is_guard || !shape_is_single(s, o->reg) ||
        s->value[o->reg].uses != 1)
        return NULL;
    shape_node *const n = &s->node[s->value[o->reg].def];
    if (n->removed || n->guarded || !n->operands || !n->operand[0].is_written || n->operand[0].reg != o->reg)
        return NULL;
    for (unsigned i = 1; i < n->operands; i++)
        if (n->operand[i].kind == WS_CODE_REGISTER &&
            (n->operand[i].is_written || !shape_is_single(s, n->operand[i].reg)))
            return NULL;
    return n;
}

static bool go_together(const shape_node *outer, const shape_node *inner)
{
    if (is_sign(inner))
        return takes_signs(outer);
    if (is_test(outer))
        return is_logic(inner);
    return (is_sum(outer) && (is_sum(inner) || (is_product(inner) && outer->op == WS_OP_add))) ||
           (is_logic(outer) && is_logic(inner));
}

static unsigned count_constants(const shape_node *n)
{
    unsigned constants = 0;
    for (unsigned i = 0; i < n->operands; i++)
        constants += n->operand[i].kind != WS_CODE_REGISTER &&
                     !(n->operand[i].kind == WS_CODE_IMMEDIATE && !n->operand[i].value);
    return constants;
}

/* Operand `at` is replaced by the operands of the node that makes it. */
static int join(shaper *s, shape_node *outer, unsigned at, shape_node *inner)
{
    ws_code_operand *const operand =
        ws_arena_alloc(s->arena, (size_t)(outer->operands + inner->operands) * sizeof *operand);
    if (!operand)
        return ws_fail(WS_EMEM, "no memory for the shape of a kernel");
    memcpy(operand, outer->operand, at * sizeof *operand);
    memcpy(operand + at, inner->operand + 1, (inner->operands - 1u) * sizeof *operand);
    memcpy(operand + at + inner->operands - 1, outer->operand + at + 1, (outer->operands - at - 1u) * sizeof *operand);
    if (is_product(inner))
        outer->op = WS_OP_mad;
    outer->operand = operand;
    outer->operands = (uint16_t)(outer->operands + inner->operands - 2);
    inner->removed = true;
    return WS_OK;
}

static int fuse_node(shaper *s, shape_node *n)
{
    for (unsigned i = 1; i < n->operands; i++) {
        shape_node *const inner = maker_of(s, &n->operand[i]);
        if (!inner || !go_together(n, inner) ||
            (!is_sign(inner) && n->operands + inner->operands - 3u > MOST_SOURCES) ||
            count_constants(n) + count_constants(inner) > 1)
            continue;
        const int status = join(s, n, i, inner);
        if (status)
            return status;
        i--;
    }
    return WS_OK;
}

int shape_fuse(shaper *s)
{
    int status = WS_OK;
    for (uint32_t pc = 0; pc < s->nodes && !status; pc++) {
        shape_node *const n = &s->node[pc];
        if (!n->removed && !n->guarded && (is_sum(n) || is_logic(n) || is_test(n) || takes_signs(n)))
            status = fuse_node(s, n);
    }
    shape_count(s);
    return status;
}
