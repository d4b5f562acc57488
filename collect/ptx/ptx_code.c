/* ptx_code.c - the operands of a kernel and of the functions it may call, as one list (collect/trace/code.h). */
#include "base/status.h"
#include "collect/ptx/module.h"

typedef struct lister {
    ws_code_function *function;
    ws_code_instr *instr;
    ws_code_operand *operand; /* NULL: they are counted */
    uint32_t *target;
    uint8_t *bits;
    uint32_t *first_of; /* [lists of the function] where the targets of a table stand; 0: not yet, else one more */
    size_t operands, targets;
    uint32_t first_pc, first_reg; /* of the function */
} lister;

static uint8_t kind_of_special(uint16_t sreg)
{
    switch (sreg) {
    case WS_SREG_TID:
    case WS_SREG_LANEID:
    case WS_SREG_LANEMASK_EQ:
    case WS_SREG_LANEMASK_LE:
    case WS_SREG_LANEMASK_LT:
    case WS_SREG_LANEMASK_GE:
    case WS_SREG_LANEMASK_GT:
        return WS_CODE_LANE;
    case WS_SREG_NTID:
    case WS_SREG_NCTAID:
    case WS_SREG_NWARPID:
    case WS_SREG_NSMID:
    case WS_SREG_GRIDID:
    case WS_SREG_ENVREG:
    case WS_SREG_TOTAL_SMEM:
    case WS_SREG_DYNAMIC_SMEM:
    case WS_SREG_AGGR_SMEM:
    case WS_SREG_NCLUSTERID:
    case WS_SREG_CLUSTER_NCTAID:
    case WS_SREG_CLUSTER_NCTARANK:
    case WS_SREG_IS_EXPLICIT_CLUSTER:
    case WS_SREG_WARPSZ:
    case WS_SREG_RESERVED_SMEM:
        return WS_CODE_LAUNCH;
    default:
        return WS_CODE_WARP;
    }
}

static void put_operand(lister *l, const ws_code_operand *operand)
{
    if (l->operand)
        l->operand[l->operands] = *operand;
    l->operands++;
}

static void put_target(lister *l, uint32_t target)
{
    if (l->target)
        l->target[l->targets] = l->first_pc + target;
    l->targets++;
}

static void list_operand(lister *l, const ws_operand *o, ws_code_operand as)
{
    switch (o->kind) {
    case WS_OPND_REG:
        as.kind = WS_CODE_REGISTER;
        as.reg = l->first_reg + o->reg;
        as.negated = o->negate;
        put_operand(l, &as);
        break;
    case WS_OPND_IMM:
        as.kind = WS_CODE_IMMEDIATE;
        as.value += (int64_t)o->imm;
        put_operand(l, &as);
        break;
    case WS_OPND_SYMBOL:
        as.kind = WS_CODE_SYMBOL;
        as.value += o->offset;
        put_operand(l, &as);
        break;
    case WS_OPND_SREG:
        as.kind = kind_of_special(o->sreg);
        put_operand(l, &as);
        break;
    case WS_OPND_ADDRESS:
        as.is_address = true;
        as.is_written = false; /* what is inside is read even where the access writes */
        as.value = o->offset;
        for (unsigned i = 0; i < o->elems; i++, as.value = 0)
            list_operand(l, &o->elem[i], as);
        break;
    case WS_OPND_VECTOR:
        for (unsigned i = 0; i < o->elems; i++)
            list_operand(l, &o->elem[i], as);
        break;
    default:
        break;
    }
}

/* The targets of a table stand once, however many branches go through it. */
static void list_table(lister *l, const ws_list *list, uint32_t *first_of, ws_code_instr *at)
{
    if (!*first_of) {
        *first_of = (uint32_t)l->targets + 1;
        for (uint32_t k = 0; k < list->n; k++)
            put_target(l, list->target[k]);
    }
    at->target = *first_of - 1;
    at->targets = list->n;
}

/* An instruction has one label or one table. */
static void list_targets(lister *l, const ws_function *fn, const ws_insn *in, ws_code_instr *at)
{
    for (unsigned i = 0; i < in->operands; i++) {
        const ws_operand *const o = &in->operand[i];
        if (o->kind == WS_OPND_TARGETS && o->target < fn->lists && !fn->list[o->target].kind)
            list_table(l, &fn->list[o->target], &l->first_of[o->target], at);
        if (o->kind == WS_OPND_LABEL) {
            put_target(l, o->target);
            at->targets++;
        }
    }
}

static void list_instruction(lister *l, const ws_function *fn, const ws_insn *in, ws_code_instr *at)
{
    *at = (ws_code_instr){.operand = (uint32_t)l->operands, .target = (uint32_t)l->targets};
    const unsigned dsts = in->op == WS_OP_call ? 1 : ws_ptx_dsts(in);
    for (unsigned i = 0; i < dsts && i < in->operands; i++)
        list_operand(l, &in->operand[i], (ws_code_operand){.is_written = true});
    list_operand(l, &in->second, (ws_code_operand){.is_written = true});
    for (unsigned i = dsts; i < in->operands; i++)
        list_operand(l, &in->operand[i], (ws_code_operand){0});
    if (in->guard)
        list_operand(l, in->guard, (ws_code_operand){.is_guard = true});
    list_targets(l, fn, in, at);
}

static void list_function(lister *l, const ws_function *fn)
{
    ws_code_instr counted;
    for (uint32_t i = 0; i < fn->lists; i++)
        l->first_of[i] = 0;
    for (uint32_t i = 0; i < fn->insns; i++)
        list_instruction(l, fn, &fn->insn[i], l->instr ? &l->instr[l->first_pc + i] : &counted);
    for (uint32_t r = 0; l->bits && r < fn->regs; r++)
        l->bits[l->first_reg + r] = (uint8_t)ws_type_bits(fn->reg[r].type);
}

static uint32_t threads_of(const ws_function *fn)
{
    const uint32_t *const said = fn->reqntid[0] ? fn->reqntid : fn->maxntid;
    uint32_t threads = said[0];
    for (int i = 1; i < 3; i++)
        threads *= said[i] ? said[i] : 1;
    return threads;
}

static void list_all(lister *l, const ws_function *const *function, size_t functions)
{
    l->first_pc = l->first_reg = 0;
    l->operands = l->targets = 0;
    for (size_t i = 0; i < functions; i++) {
        const ws_function *const fn = function[i];
        if (l->function)
            l->function[i] = (ws_code_function){.first_pc = l->first_pc,
                                                .first_reg = l->first_reg,
                                                .most_registers = fn->maxnreg,
                                                .most_threads = threads_of(fn),
                                                .least_blocks = fn->minnctapersm};
        list_function(l, fn);
        l->first_pc += fn->insns;
        l->first_reg += fn->regs;
    }
    if (l->function)
        l->function[functions] = (ws_code_function){.first_pc = l->first_pc, .first_reg = l->first_reg};
    if (l->instr)
        l->instr[l->first_pc] = (ws_code_instr){.operand = (uint32_t)l->operands};
}

int ws_ptx_code(const ws_function *const *function, size_t functions, ws_arena *arena, ws_code **out)
{
    size_t lists = 0;
    for (size_t i = 0; i < functions; i++)
        lists = function[i]->lists > lists ? function[i]->lists : lists;
    lister l = {.first_of = ws_arena_alloc(arena, (lists + 1) * sizeof *l.first_of)};
    if (!l.first_of)
        return ws_fail(WS_EMEM, "no memory for the operands of a kernel");
    list_all(&l, function, functions);
    ws_code *const code = ws_arena_alloc(arena, sizeof *code);
    l.function = ws_arena_alloc(arena, (functions + 1) * sizeof *l.function);
    l.instr = ws_arena_alloc(arena, ((size_t)l.first_pc + 1) * sizeof *l.instr);
    l.operand = ws_arena_alloc(arena, (l.operands + 1) * sizeof *l.operand);
    l.target = ws_arena_alloc(arena, (l.targets + 1) * sizeof *l.target);
    l.bits = ws_arena_alloc(arena, (size_t)l.first_reg + 1);
    if (!code || !l.function || !l.instr || !l.operand || !l.target || !l.bits)
        return ws_fail(WS_EMEM, "no memory for the operands of a kernel");
    list_all(&l, function, functions);
    *code = (ws_code){.function = l.function,
                      .instr = l.instr,
                      .operand = l.operand,
                      .target = l.target,
                      .bits = l.bits,
                      .functions = functions,
                      .instrs = l.first_pc,
                      .operands = l.operands,
                      .targets = l.targets,
                      .registers = l.first_reg};
    *out = code;
    return WS_OK;
}
