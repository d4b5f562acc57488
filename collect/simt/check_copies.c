/* check_copies.c - which loads only bring what stores put elsewhere? To copy bytes that nobody has written is no error: structs have
 * gaps, and pipelines move what they do not use yet.
 *
 * Of each function, whatever the order of its instructions: a register is used when an instruction other than a store of its value or a move
 * to a register that is not used reads it. */
#include "collect/simt/simt_internal.h"

#include <stdlib.h>

typedef struct uses {
    bool *used;      /* [registers] */
    bool changed;
    bool all_unused; /* of the registers that an instruction defines */
} uses;

static void see_use(void *context, uint32_t reg, bool is_def)
{
    uses *const u = context;
    if (is_def || u->used[reg])
        return;
    u->used[reg] = u->changed = true;
}

static void see_definition(void *context, uint32_t reg, bool is_def)
{
    uses *const u = context;
    u->all_unused = u->all_unused && !(is_def && u->used[reg]);
}

static bool is_unused(const uses *u, const ws_insn *in)
{
    uses seen = {.used = u->used, .all_unused = true};
    flow_operands(in, see_definition, &seen);
    return seen.all_unused;
}

/* What of it reads registers for more than to pass them on. */
static void look_at(uses *u, const ws_insn *in)
{
    if (in->op == WS_OP_st && in->space != WS_SPACE_PARAM) {
        ws_insn address = *in;
        address.operands = 1; /* the value follows */
        flow_operands(&address, see_use, u);
    } else if (in->op != WS_OP_mov || !is_unused(u, in)) {
        flow_operands(in, see_use, u);
    }
}

static void find_copies(const ws_function *fn, bool *used, bool *copies)
{
    uses u = {.used = used, .changed = true};
    while (u.changed) {
        u.changed = false;
        for (uint32_t i = 0; i < fn->insns; i++)
            look_at(&u, &fn->insn[i]);
    }
    for (uint32_t i = 0; i < fn->insns; i++)
        copies[i] = fn->insn[i].op == WS_OP_ld && is_unused(&u, &fn->insn[i]);
}

const bool *check_copies(code *c)
{
    bool *const copies = c->copies ? NULL : ws_arena_alloc(c->arena, (c->instrs + 1) * sizeof *copies);
    if (!copies)
        return c->copies;
    for (uint32_t i = 0; i < c->procs; i++) {
        const ws_function *const fn = c->proc[i].function;
        bool *const used = calloc(fn->regs + 1, sizeof *used);
        for (uint32_t k = 0; k < fn->insns; k++)
            copies[c->proc[i].first_pc + k] = false;
        if (used)
            find_copies(fn, used, copies + c->proc[i].first_pc);
        free(used);
    }
    c->copies = copies;
    return copies;
}
