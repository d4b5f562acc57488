/* shape_nodes.c - a launch's instructions as nodes that can be changed, and who writes and reads which value. */
#include "collect/shape/shape_internal.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

static int no_memory(void)
{
    return ws_fail(WS_EMEM, "no memory for the shape of a kernel");
}

static void make_node(shaper *s, uint32_t pc, ws_code_operand *operand)
{
    const ws_instr *const in = &s->launch->instr[pc];
    ws_insn form;
    ws_ptx_form_of_text(in->opcode, &form);
    s->node[pc] = (shape_node){.op = form.op,
                               .types = form.types,
                               .vec = form.vec,
                               .half = form.half,
                               .sub = form.sub,
                               .round = form.round,
                               .space = in->space,
                               .boolop = form.boolop,
                               .cmp = form.cmp,
                               .approx = form.approx,
                               .full = form.full,
                               .ftz = form.ftz,
                               .guarded = in->guarded,
                               .cls = in->cls,
                               .operand = operand,
                               .operands = (uint16_t)(s->code->instr[pc + 1].operand - s->code->instr[pc].operand)};
    memcpy(s->node[pc].type, form.type, sizeof form.type);
}

int shape_make_nodes(shaper *s)
{
    const ws_code *const c = s->code;
    s->nodes = (uint32_t)c->instrs;
    s->node = ws_arena_alloc(s->arena, (c->instrs + 1) * sizeof *s->node);
    ws_code_operand *const operand = ws_arena_alloc(s->arena, (c->operands + 1) * sizeof *operand);
    s->over = ws_arena_alloc(s->arena, (c->instrs + 1) * sizeof *s->over);
    s->joined = ws_arena_alloc(s->arena, (c->instrs + 1) * sizeof *s->joined);
    s->next_load = ws_arena_alloc(s->arena, (c->instrs + 1) * sizeof *s->next_load);
    s->values = (uint32_t)c->registers;
    s->value_room = s->values + 64;
    s->value = malloc(s->value_room * sizeof *s->value);
    if (!s->node || !operand || !s->over || !s->joined || !s->next_load || !s->value)
        return no_memory();
    memcpy(operand, c->operand, c->operands * sizeof *operand);
    for (uint32_t pc = 0; pc < s->nodes; pc++)
        make_node(s, pc, operand + c->instr[pc].operand);
    for (uint32_t v = 0; v < s->values; v++)
        s->value[v] = (shape_value){.bits = c->bits[v]};
    shape_count(s);
    return WS_OK;
}

void shape_count(shaper *s)
{
    for (uint32_t v = 0; v < s->values; v++)
        s->value[v] = (shape_value){.bits = s->value[v].bits};
    for (uint32_t pc = 0; pc < s->nodes; pc++) {
        const shape_node *const n = &s->node[pc];
        for (unsigned i = 0; i < n->operands && !n->removed; i++) {
            const ws_code_operand *const o = &n->operand[i];
            if (o->kind != WS_CODE_REGISTER)
                continue;
            if (!o->is_written) {
                s->value[o->reg].uses++;
                continue;
            }
            s->value[o->reg].defs += 1 + n->guarded; /* a guarded one leaves what was there */
            s->value[o->reg].def = pc;
            s->value[o->reg].is_sure |= !n->guarded;
        }
    }
}
