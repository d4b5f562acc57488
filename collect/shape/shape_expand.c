/* shape_expand.c - which PTX instructions does a GPU not have, and what does it do in their place? */
#include "collect/shape/shape_internal.h"

typedef enum numbers {
    NUMBERS_NONE,
    NUMBERS_F32,
    NUMBERS_F64,
    NUMBERS_S32,
    NUMBERS_U32,
    NUMBERS_I32,
    NUMBERS_S64,
    NUMBERS_U64,
    NUMBERS_I64
} numbers;
typedef enum how { HOW_ANY, HOW_RN, HOW_APPROX, HOW_FTZ, HOW_FULL, HOW_HI, HOW_CONST } how;

static const struct expansion {
    uint16_t op;
    uint8_t numbers, how;
    const char *sequence;
} expansions[] = {
#define EXPAND(mnemonic, numbers, how, sequence) {WS_OP_##mnemonic, NUMBERS_##numbers, HOW_##how, sequence},
#include "collect/shape/shape_expand.def"
#undef EXPAND
};

static numbers numbers_of(const shape_node *n)
{
    if (!n->types)
        return NUMBERS_NONE;
    const ws_type type = n->type[n->types - 1];
    const bool wide = ws_type_bits(type) == 64;
    switch (ws_type_kind_of(type)) {
    case WS_KIND_FLOAT:
        return ws_type_bits(type) < 32 ? NUMBERS_NONE : wide ? NUMBERS_F64 : NUMBERS_F32;
    case WS_KIND_SINT:
        return wide ? NUMBERS_S64 : NUMBERS_S32;
    case WS_KIND_UINT:
    case WS_KIND_BITS:
        return wide ? NUMBERS_U64 : NUMBERS_U32;
    default:
        return NUMBERS_NONE;
    }
}

static bool fits_numbers(numbers is, uint8_t wanted)
{
    return is == wanted || (wanted == NUMBERS_I32 && (is == NUMBERS_S32 || is == NUMBERS_U32)) ||
           (wanted == NUMBERS_I64 && (is == NUMBERS_S64 || is == NUMBERS_U64));
}

static how how_of(const shape_node *n)
{
    const bool is_by_constant = n->operands == 3 && n->operand[2].kind == WS_CODE_IMMEDIATE && !n->round && !n->approx;
    return n->half == WS_HALF_HI ? HOW_HI
           : is_by_constant      ? HOW_CONST
           : n->full             ? HOW_FULL
           : n->approx && n->ftz ? HOW_FTZ
           : n->approx           ? HOW_APPROX
           : n->round            ? HOW_RN
                                 : HOW_APPROX; /* PTX before 1.4 named no rounding */
}

/* Special registers that are not the same for all threads are asked for at a unit of their own, S2R. */
static bool reads_special(const shape_node *n)
{
    return n->op == WS_OP_mov && n->operands == 2 &&
           (n->operand[1].kind == WS_CODE_LANE || n->operand[1].kind == WS_CODE_WARP);
}

static const char *find_sequence(const shape_node *n)
{
    if (reads_special(n))
        return "u";
    const numbers is = numbers_of(n);
    for (size_t i = 0; is && i < sizeof expansions / sizeof *expansions; i++) {
        const struct expansion *const e = &expansions[i];
        if (e->op == n->op && fits_numbers(is, e->numbers) && (e->how == HOW_ANY || e->how == how_of(n)))
            return e->sequence;
    }
    return NULL;
}

void shape_expand(shaper *s)
{
    if (s->nodes)
        s->node[0].moves++; /* R1 gets the address of the stack */
    for (uint32_t pc = 0; pc < s->nodes; pc++) {
        shape_node *const n = &s->node[pc];
        if (!n->removed && !n->is_move && n->cls != WS_CLASS_MEMORY)
            n->sequence = find_sequence(n);
    }
}
