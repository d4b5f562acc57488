/* check_alike.c - which accesses are the same but for a constant in their addresses, as copies of an unrolled loop's
 * are?
 *
 * An address is a sum of registers, each so many times, and a constant: registers that one instruction defines as a
 * sum, a multiple by a constant or a conversion of others are worked out. Two accesses are alike when all but the
 * constant is the same: the sum, the opcode and the guard. Symbols count as constants: who asks knows which object the
 * bytes are in. */
#include "collect/simt/simt_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TERMS = 8, DEEPEST = 16, MANY = UINT32_MAX };

typedef struct term {
    uint32_t reg;
    uint64_t times;
} term;

typedef struct sum {
    const ws_function *fn;
    uint32_t *definition; /* [registers] number of the instruction + 1; 0: none, MANY */
    term term[TERMS];
    unsigned terms;
    bool full; /* there were more */
    uint64_t constant;
} sum;

typedef struct finder {
    uint32_t *definition, number;
} finder;

static void see_definition(void *context, uint32_t reg, bool is_def)
{
    finder *const f = context;
    if (is_def)
        f->definition[reg] = f->definition[reg] ? MANY : f->number;
}

static bool find_definitions(sum *s)
{
    s->definition = calloc(s->fn->regs + 1, sizeof *s->definition);
    finder f = {.definition = s->definition};
    for (uint32_t i = 0; s->definition && i < s->fn->insns; i++) {
        f.number = i + 1;
        flow_operands(&s->fn->insn[i], see_definition, &f);
    }
    return s->definition;
}

static void add_term(sum *s, uint32_t reg, uint64_t times)
{
    unsigned i = 0;
    while (i < s->terms && s->term[i].reg < reg)
        i++;
    if (i < s->terms && s->term[i].reg == reg) {
        s->term[i].times += times;
    } else if (s->terms == TERMS) {
        s->full = true;
    } else {
        memmove(&s->term[i + 1], &s->term[i], (s->terms++ - i) * sizeof s->term[0]);
        s->term[i] = (term){reg, times};
    }
}

static bool is_constant(const ws_operand *o)
{
    return (o->kind == WS_OPND_IMM && !o->is_float) || o->kind == WS_OPND_SYMBOL;
}

static bool is_number(const ws_operand *o)
{
    return o->kind == WS_OPND_IMM && !o->is_float;
}

static bool is_plain(const ws_operand *o)
{
    return o->kind == WS_OPND_REG && !o->negate && !o->component;
}

/* Whether a register that the instruction defines is a sum of what it reads. */
static bool is_sum(const ws_insn *in)
{
    const ws_operand *const o = in->operand;
    if (in->guard || in->cc || in->sat || in->second.kind || in->half == WS_HALF_HI || !is_plain(&o[0]))
        return false;
    for (unsigned i = 0; i < in->types; i++)
        if (ws_type_kind_of(in->type[i]) == WS_KIND_FLOAT)
            return false;
    switch (in->op) {
    case WS_OP_mov:
    case WS_OP_cvt:
    case WS_OP_cvta:
        return is_plain(&o[1]) || is_constant(&o[1]);
    case WS_OP_add:
    case WS_OP_sub:
        return (is_plain(&o[1]) || is_constant(&o[1])) && (is_plain(&o[2]) || is_constant(&o[2]));
    case WS_OP_mul:
    case WS_OP_shl:
        return is_plain(&o[1]) && is_number(&o[2]);
    case WS_OP_mad:
        return is_plain(&o[1]) && is_number(&o[2]) && (is_plain(&o[3]) || is_constant(&o[3]));
    default:
        return false;
    }
}

static void add_operand(sum *s, const ws_operand *o, uint64_t times, unsigned depth)
{
    if (o->kind != WS_OPND_REG) {
        s->constant += o->kind == WS_OPND_IMM ? times * o->imm : times * (uint64_t)o->offset;
        return;
    }
    s->constant += times * (uint64_t)o->offset;
    const uint32_t number = s->definition[o->reg];
    const ws_insn *const in = number && number != MANY && depth < DEEPEST ? &s->fn->insn[number - 1] : NULL;
    if (!in || !is_sum(in)) {
        add_term(s, o->reg, times);
        return;
    }
    const uint64_t factor = in->op == WS_OP_mul || in->op == WS_OP_mad ? in->operand[2].imm
                            : in->op == WS_OP_shl                      ? 1ull << (in->operand[2].imm & 63)
                                                                       : 1;
    add_operand(s, &in->operand[1], times * factor, depth + 1);
    if (in->op == WS_OP_add || in->op == WS_OP_sub)
        add_operand(s, &in->operand[2], in->op == WS_OP_sub ? -times : times, depth + 1);
    if (in->op == WS_OP_mad)
        add_operand(s, &in->operand[3], times, depth + 1);
}

static const ws_operand *address_of(const ws_insn *in)
{
    for (unsigned i = 0; i < in->operands; i++)
        if (in->operand[i].kind == WS_OPND_ADDRESS && in->operand[i].elems == 1)
            return &in->operand[i];
    return NULL;
}

static size_t sum_words(const sum *s, char *text, size_t size)
{
    size_t n = 0;
    *text = '\0';
    for (unsigned i = 0; i < s->terms && n < size; i++)
        if (s->term[i].times)
            n += (size_t)snprintf(text + n, size - n, " %u*%llx", s->term[i].reg, (unsigned long long)s->term[i].times);
    return n;
}

bool check_alike_words(const code *c, uint32_t pc, char *text, size_t size, uint64_t *constant)
{
    const proc *in = c->proc;
    for (uint32_t i = 0; i < c->procs; i++)
        in = c->proc[i].first_pc <= pc && (in->first_pc > pc || c->proc[i].first_pc > in->first_pc) ? &c->proc[i] : in;
    if (pc - in->first_pc >= in->function->insns)
        return false;
    const ws_insn *const what = &in->function->insn[pc - in->first_pc];
    const ws_operand *const at = address_of(what);
    sum s = {.fn = in->function, .constant = at ? (uint64_t)at->offset : 0};
    char words[TERMS * 32];
    if (!at || !find_definitions(&s))
        return false;
    add_operand(&s, &at->elem[0], 1, 0);
    const size_t length = sum_words(&s, words, sizeof words);
    free(s.definition);
    *constant = s.constant;
    const int n = snprintf(text, size, "%u %s %d.%u:%s", in->function->index, what->text,
                           what->guard ? what->guard->negate : -1, what->guard ? what->guard->reg : 0, words);
    return !s.full && length &&
           n < (int)size; /* what all threads have the same address of is no copy of a loop's for each */
}
