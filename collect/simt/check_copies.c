/* check_copies.c - which loads only bring what stores put elsewhere? To copy some bytes that nobody has written is no
 * error: structs have gaps, and pipelines move what they do not use yet.
 *
 * Of each function, whatever the order of its instructions: a register is used when an instruction other than a store
 * of its value, or than one that passes its bits on to a register that is not used, reads it. It is given away when a
 * store to global memory, or to a generic address, has its value, or that of a register that its bits are passed on to.
 */
#include "collect/simt/simt_internal.h"

#include <stdlib.h>
#include <string.h>

typedef struct uses {
    bool *used; /* [registers] */
    bool changed;
    bool all_unused; /* of the registers that an instruction defines */
    bool any_used;   /* of these */
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
    u->any_used = u->any_used || (is_def && u->used[reg]);
}

static bool is_unused(const uses *u, const ws_insn *in)
{
    uses seen = {.used = u->used, .all_unused = true};
    flow_operands(in, see_definition, &seen);
    return seen.all_unused;
}

static bool has_used(const uses *u, const ws_insn *in)
{
    uses seen = {.used = u->used};
    flow_operands(in, see_definition, &seen);
    return seen.any_used;
}

/* Puts bits of its operands into its result, as an assignment to a bit field does with those of the others. */
static bool passes_on(const ws_insn *in)
{
    return in->op == WS_OP_mov || in->op == WS_OP_and || in->op == WS_OP_or || in->op == WS_OP_bfi;
}

/* What of it reads registers for more than to pass them on. */
static void look_at(uses *u, const ws_insn *in)
{
    if (in->op == WS_OP_st && in->space != WS_SPACE_PARAM) {
        ws_insn address = *in;
        address.operands = 1; /* the value follows */
        flow_operands(&address, see_use, u);
    } else if (!passes_on(in) || !is_unused(u, in)) {
        flow_operands(in, see_use, u);
    }
}

/* Which registers it gives away; `given` has them where `used` is for look_at. */
static void look_where(uses *given, const ws_insn *in)
{
    if (in->op == WS_OP_st && (in->space == WS_SPACE_GLOBAL || in->space == WS_SPACE_GENERIC)) {
        ws_insn value = *in;
        value.operand[0].kind = WS_OPND_NONE;
        flow_operands(&value, see_use, given);
    } else if (passes_on(in) && has_used(given, in)) {
        flow_operands(in, see_use, given);
    }
}

static void look_at_all(const ws_function *fn, uses *u, void (*look)(uses *u, const ws_insn *in))
{
    u->changed = true;
    while (u->changed) {
        u->changed = false;
        for (uint32_t i = 0; i < fn->insns; i++)
            look(u, &fn->insn[i]);
    }
}

static void find_copies(const ws_function *fn, bool *used, bool *given_away, uint8_t *copies)
{
    uses u = {.used = used}, given = {.used = given_away};
    look_at_all(fn, &u, look_at);
    look_at_all(fn, &given, look_where);
    for (uint32_t i = 0; i < fn->insns; i++)
        if (fn->insn[i].op == WS_OP_ld && is_unused(&u, &fn->insn[i]))
            copies[i] = has_used(&given, &fn->insn[i]) ? COPY_GIVEN : COPY_KEPT;
}

const uint8_t *check_copies(code *c)
{
    uint8_t *const copies = c->copies ? NULL : ws_arena_alloc(c->arena, (c->instrs + 1) * sizeof *copies);
    if (!copies)
        return c->copies;
    for (uint32_t i = 0; i < c->procs; i++) {
        const ws_function *const fn = c->proc[i].function;
        bool *const used = calloc(2 * (fn->regs + 1), sizeof *used);
        memset(copies + c->proc[i].first_pc, COPY_NONE, fn->insns);
        if (used)
            find_copies(fn, used, used + fn->regs + 1, copies + c->proc[i].first_pc);
        free(used);
    }
    c->copies = copies;
    return copies;
}
