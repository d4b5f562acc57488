/* wst_code.c - operands and targets of a kernel's instructions behind their table: how are they written, what is
 * believed of them? */
#include "collect/wst/wst_file_internal.h"

enum { KIND = 7, WRITTEN = 8, ADDRESS = 16, GUARD = 32, NEGATED = 64 }; /* of an operand's first byte */
_Static_assert(WS_CODE_KINDS <= KIND + 1, "the kind of an operand has three bits");

/* ------------------------------------------------------------------------------------------------ writing */

static void add_operand(ws_bytes *to, const ws_code_operand *o)
{
    const uint8_t head = (uint8_t)(o->kind | (o->is_written ? WRITTEN : 0) | (o->is_address ? ADDRESS : 0) |
                                   (o->is_guard ? GUARD : 0) | (o->negated ? NEGATED : 0));
    ws_bytes_add(to, &head, 1);
    if (o->kind == WS_CODE_REGISTER)
        ws_bytes_add_varint(to, o->reg);
    if (o->kind != WS_CODE_REGISTER || o->is_address)
        ws_bytes_add_varint(to, ws_zigzag(o->value));
}

static void add_instruction(ws_bytes *to, const ws_code *c, size_t pc)
{
    const ws_code_instr *const in = &c->instr[pc];
    ws_bytes_add_varint(to, in[1].operand - in->operand);
    for (uint32_t i = in->operand; i < in[1].operand; i++)
        add_operand(to, &c->operand[i]);
    ws_bytes_add_varint(to, in->targets);
    for (uint32_t i = 0; i < in->targets; i++)
        ws_bytes_add_varint(to, c->target[in->target + i]);
}

/* Each branch is written with all of its targets, also where several share them. */
static uint64_t targets_written(const ws_code *c)
{
    uint64_t n = 0;
    for (size_t pc = 0; pc < c->instrs; pc++)
        n += c->instr[pc].targets;
    return n;
}

void ws_wst_code_add(ws_bytes *to, const ws_code *c)
{
    ws_bytes_add_varint(to, c ? c->functions : 0);
    for (size_t f = 0; c && f < c->functions; f++) {
        const ws_code_function *const at = &c->function[f];
        ws_bytes_add_varint(to, at[1].first_pc - at->first_pc);
        ws_bytes_add_varint(to, at[1].first_reg - at->first_reg);
        ws_bytes_add_varint(to, at->most_registers);
        ws_bytes_add_varint(to, at->most_threads);
        ws_bytes_add_varint(to, at->least_blocks);
    }
    if (!c || !c->functions)
        return;
    ws_bytes_add(to, c->bits, c->registers);
    ws_bytes_add_varint(to, c->operands);
    ws_bytes_add_varint(to, targets_written(c));
    for (size_t pc = 0; pc < c->instrs; pc++)
        add_instruction(to, c, pc);
}

/* ------------------------------------------------------------------------------------------------ reading */

static bool read_functions(ws_reader *r, ws_arena *arena, size_t instrs, ws_code *c)
{
    c->functions = ws_read_up_to(r, (uint64_t)(r->end - r->next)); /* each takes more than a byte */
    if (!c->functions)
        return !r->failed;
    ws_code_function *const f = ws_arena_alloc(arena, (c->functions + 1) * sizeof *f);
    uint64_t pc = 0, reg = 0;
    for (size_t i = 0; f && i < c->functions; i++) {
        f[i].first_pc = (uint32_t)pc;
        f[i].first_reg = (uint32_t)reg;
        pc += ws_read_up_to(r, instrs - pc);
        reg += ws_read_up_to(r, (uint64_t)(r->end - r->next));
        f[i].most_registers = (uint32_t)ws_read_up_to(r, UINT32_MAX);
        f[i].most_threads = (uint32_t)ws_read_up_to(r, UINT32_MAX);
        f[i].least_blocks = (uint32_t)ws_read_up_to(r, UINT32_MAX);
        if (reg > UINT32_MAX)
            r->failed = true;
    }
    if (!f || r->failed || pc != instrs)
        return false;
    f[c->functions] = (ws_code_function){.first_pc = (uint32_t)pc, .first_reg = (uint32_t)reg};
    c->function = f;
    c->registers = reg;
    return true;
}

static bool read_operand(ws_reader *r, const ws_code *c, ws_code_operand *o)
{
    const uint8_t *const head = ws_read_bytes(r, 1);
    if (!head || *head > (KIND | WRITTEN | ADDRESS | GUARD | NEGATED) || (*head & KIND) >= WS_CODE_KINDS)
        return false;
    *o = (ws_code_operand){.kind = *head & KIND,
                           .is_written = *head & WRITTEN,
                           .is_address = *head & ADDRESS,
                           .is_guard = *head & GUARD,
                           .negated = *head & NEGATED};
    if (o->kind == WS_CODE_REGISTER) {
        o->reg = (uint32_t)ws_read_up_to(r, UINT32_MAX);
        if (o->reg >= c->registers)
            return false;
    }
    if (o->kind != WS_CODE_REGISTER || o->is_address)
        o->value = ws_unzigzag(ws_read_varint(r));
    return !r->failed;
}

typedef struct filler {
    ws_code_instr *instr;
    ws_code_operand *operand;
    uint32_t *target;
    uint32_t operands, targets;
} filler;

static bool read_instruction(ws_reader *r, const ws_code *c, size_t pc, filler *f)
{
    f->instr[pc] = (ws_code_instr){.operand = f->operands, .target = f->targets};
    for (uint64_t left = ws_read_up_to(r, c->operands - f->operands); left; left--)
        if (!read_operand(r, c, &f->operand[f->operands++]))
            return false;
    for (uint64_t left = ws_read_up_to(r, c->targets - f->targets); left; left--)
        f->target[f->targets++] = (uint32_t)ws_read_up_to(r, c->instrs);
    f->instr[pc].targets = f->targets - f->instr[pc].target;
    return !r->failed;
}

static bool read_all(ws_reader *r, ws_arena *arena, size_t instrs, ws_code *c)
{
    const uint8_t *const bits = ws_read_bytes(r, c->registers);
    const uint64_t room = (uint64_t)(r->end - r->next);
    c->operands = ws_read_up_to(r, room < UINT32_MAX ? room : UINT32_MAX);
    c->targets = ws_read_up_to(r, room < UINT32_MAX ? room : UINT32_MAX);
    if (r->failed)
        return false;
    uint8_t *const kept = ws_arena_alloc(arena, c->registers + 1);
    filler f = {.instr = ws_arena_alloc(arena, (instrs + 1) * sizeof *f.instr),
                .operand = ws_arena_alloc(arena, (c->operands + 1) * sizeof *f.operand),
                .target = ws_arena_alloc(arena, (c->targets + 1) * sizeof *f.target)};
    if (!kept || !f.instr || !f.operand || !f.target)
        return false;
    memcpy(kept, bits, c->registers);
    c->instrs = instrs;
    for (size_t pc = 0; pc < instrs; pc++)
        if (!read_instruction(r, c, pc, &f))
            return false;
    f.instr[instrs] = (ws_code_instr){.operand = f.operands};
    c->instr = f.instr;
    c->operand = f.operand;
    c->target = f.target;
    c->bits = kept;
    return f.operands == c->operands && f.targets == c->targets;
}

bool ws_wst_code_read(ws_reader *r, ws_arena *arena, size_t instrs, const ws_code **out)
{
    ws_code *const c = ws_arena_alloc(arena, sizeof *c);
    *out = NULL;
    if (!c || !read_functions(r, arena, instrs, c))
        return false;
    if (!c->functions)
        return true;
    if (!read_all(r, arena, instrs, c))
        return false;
    *out = c;
    return true;
}
