/* shape_predicate.c - which branches go over so little that an assembler lets all lanes pass, and guards what lies
 * between?
 *
 * If-conversion (Allen, Kennedy, Porterfield, Warren, "Conversion of Control Dependence to Data Dependence", 1983) of a
 * forward branch over a few instructions that nobody else jumps into, none of which branches, waits, talks to other
 * lanes or is ordered among accesses. The branch is gone, and what it went over is issued for all lanes, also where
 * none does it. */
#include "collect/shape/shape_internal.h"

#include "base/status.h"

#include <stdlib.h>

/* Instructions that are left of what the branch goes over, those that ptxas 13.0 guards at most; loads of global memory
 * count only as what can be under way. */
enum { MOST_GUARDED = 8, MOST_LOADS = 16 };

static bool may_be_guarded(const shaper *s, uint32_t pc)
{
    const ws_instr *const in = &s->launch->instr[pc];
    const bool is_plain =
        in->cls == WS_CLASS_INTEGER || in->cls == WS_CLASS_FLOAT || in->cls == WS_CLASS_SPECIAL ||
        (in->cls == WS_CLASS_MEMORY && (in->access == WS_ACCESS_LOAD || in->access == WS_ACCESS_STORE) &&
         in->order <= WS_ORDER_WEAK && in->space != WS_SPACE_TEXTURE && !in->uncached);
    return is_plain && !in->guarded && s->node[pc].op != WS_OP_div && s->node[pc].op != WS_OP_rem;
}

static bool goes_over_little(const shaper *s, uint32_t pc, uint32_t target, const bool *is_target)
{
    unsigned left = 0, loads = 0;
    for (uint32_t at = pc + 1; at < target; at++) {
        const ws_instr *const in = &s->launch->instr[at];
        const bool is_load = in->access == WS_ACCESS_LOAD && in->space == WS_SPACE_GLOBAL;
        loads += !s->node[at].removed && is_load;
        left += !s->node[at].removed && !is_load;
        if (is_target[at] || left > MOST_GUARDED || loads > MOST_LOADS ||
            (!s->node[at].removed && !may_be_guarded(s, at)))
            return false;
    }
    return left + loads > 0;
}

/* The guard of a branch, as what it goes over reads it. */
static int guard_node(shaper *s, shape_node *n, const ws_code_operand *guard)
{
    ws_code_operand *const operand = ws_arena_alloc(s->arena, (n->operands + 1u) * sizeof *operand);
    if (!operand)
        return ws_fail(WS_EMEM, "no memory for the shape of a kernel");
    for (unsigned i = 0; i < n->operands; i++)
        operand[i] = n->operand[i];
    operand[n->operands++] = *guard;
    n->operand = operand;
    n->guarded = true;
    return WS_OK;
}

static int convert(shaper *s, uint32_t pc, uint32_t target)
{
    const shape_node *const branch = &s->node[pc];
    const ws_code_operand *const guard = &branch->operand[branch->operands - 1];
    int status = WS_OK;
    for (uint32_t at = pc + 1; at < target && !status; at++) {
        s->over[at] = pc + 1;
        if (!s->node[at].removed)
            status = guard_node(s, &s->node[at], guard);
    }
    s->node[pc].removed = true;
    return status;
}

int shape_predicate(shaper *s)
{
    const ws_code *const c = s->code;
    bool *const is_target = calloc((size_t)s->nodes + 2, sizeof *is_target);
    int status = is_target ? WS_OK : ws_fail(WS_EMEM, "no memory for the shape of a kernel");
    for (size_t i = 0; i < c->targets && !status; i++)
        if (c->target[i] <= s->nodes)
            is_target[c->target[i]] = true;
    for (uint32_t pc = 0; pc < s->nodes && !status; pc++) {
        const shape_node *const n = &s->node[pc];
        const uint32_t target = c->instr[pc].targets == 1 ? c->target[c->instr[pc].target] : 0;
        const bool is_skip = n->op == WS_OP_bra && n->guarded && !n->removed && target > pc + 1 && target < s->nodes &&
                             n->operands && n->operand[n->operands - 1].is_guard;
        if (is_skip && goes_over_little(s, pc, target, is_target))
            status = convert(s, pc, target);
    }
    free(is_target);
    shape_count(s);
    return status;
}
