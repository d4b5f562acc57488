/* decode.c - turns a kernel and the functions it may call into micro-operations with resolved operands. */
#include "collect/simt/decode_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int refuse(builder *b, const char *format, ...)
{
    char why[512];
    va_list args;
    va_start(args, format);
    vsnprintf(why, sizeof why, format, args);
    va_end(args);
    return ws_fail(WS_EUNSUPPORTED, "%s:%u:%u: kernel %s: instruction `%s` %s", b->kernel->image->module->file, b->insn->line,
                   b->insn->column, b->kernel->function->name, b->insn->text, why);
}

static int out_of_memory(void)
{
    return ws_fail(WS_EMEM, "no memory to decode a kernel");
}

/* ---- places ---- */

place temp_take(builder *b, unsigned bits)
{
    if (bits == 1)
        return PLACE(BANK_FRAME, b->temp_pred + 4 * (b->used_pred++ % TEMPS));
    if (bits <= 32)
        return PLACE(BANK_FRAME, b->temp32 + 128 * (b->used32++ % TEMPS));
    return PLACE(BANK_FRAME, b->temp64 + 256 * (b->used64++ % TEMPS));
}

static ws_type reg_type(const builder *b, uint32_t reg)
{
    return b->fn->reg[reg].type;
}

bool reg_wide(const builder *b, uint32_t reg)
{
    return ws_type_bits(reg_type(b, reg)) > 32;
}

place reg_place(const builder *b, uint32_t reg)
{
    const uint32_t slot = b->f.slot[reg];
    if (reg_type(b, reg) == WS_T_pred)
        return PLACE(BANK_FRAME, b->at_pred + 4 * slot);
    return reg_wide(b, reg) ? PLACE(BANK_FRAME, b->at64 + 256 * slot) : PLACE(BANK_FRAME, b->at32 + 128 * slot);
}

uint16_t reg_number(const builder *b, uint32_t reg)
{
    uint32_t n = b->reg_base + b->f.slot[reg];
    if (reg_type(b, reg) == WS_T_pred)
        n += b->f.slots32 + b->f.slots64;
    else if (reg_wide(b, reg))
        n += b->f.slots32;
    return (uint16_t)n;
}

/* ---- constants ---- */

typedef struct constant_key {
    uint64_t value;
    place at;
    uint8_t kind; /* 0 free, 1 32-bit, 2 64-bit, 3.. lane vectors */
} constant_key;

static uint32_t constant_space(code *c, uint32_t bytes)
{
    if (c->constant_bytes + bytes > c->constant_capacity) {
        const uint32_t capacity = (c->constant_capacity ? 2 * c->constant_capacity : 8192) + bytes;
        unsigned char *fresh = aligned_alloc(64, (capacity + 63) / 64 * 64);
        if (!fresh)
            return 0;
        if (c->constants)
            memcpy(fresh, c->constants, c->constant_bytes);
        free(c->constants);
        c->constants = fresh;
        c->constant_capacity = capacity;
    }
    const uint32_t at = c->constant_bytes;
    c->constant_bytes += bytes;
    return at;
}

/* The bucket of a constant; grows the table as needed. NULL without memory. */
static constant_key *constant_bucket(builder *b, uint8_t kind, uint64_t value)
{
    if (2 * b->constants >= b->constant_buckets) {
        const uint32_t buckets = b->constant_buckets ? 2 * b->constant_buckets : 256;
        constant_key *fresh = calloc(buckets, sizeof *fresh), *old = b->constant;
        if (!fresh)
            return NULL;
        const uint32_t old_buckets = b->constant_buckets;
        b->constant = fresh;
        b->constant_buckets = buckets;
        b->constants = 0;
        for (uint32_t i = 0; i < old_buckets; i++)
            if (old[i].kind) {
                *constant_bucket(b, old[i].kind, old[i].value) = old[i];
                b->constants++;
            }
        free(old);
    }
    uint64_t h = (value ^ ((uint64_t)kind << 56)) * 0x9e3779b97f4a7c15u;
    for (uint32_t i = (uint32_t)(h >> 32) & (b->constant_buckets - 1);; i = (i + 1) & (b->constant_buckets - 1))
        if (!b->constant[i].kind || (b->constant[i].kind == kind && b->constant[i].value == value))
            return &b->constant[i];
}

int constant_place(builder *b, bool wide, uint64_t value, place *out)
{
    if (!wide)
        value = (uint32_t)value;
    constant_key *key = constant_bucket(b, wide ? 2 : 1, value);
    if (!key)
        return out_of_memory();
    if (!key->kind) {
        const uint32_t at = constant_space(b->c, wide ? 256 : 128);
        if (!at)
            return out_of_memory();
        for (int i = 0; i < WS_WARP; i++)
            if (wide)
                ((uint64_t *)(void *)(b->c->constants + at))[i] = value;
            else
                ((uint32_t *)(void *)(b->c->constants + at))[i] = (uint32_t)value;
        *key = (constant_key){value, PLACE(BANK_CONST, at), wide ? 2 : 1};
        b->constants++;
    }
    *out = key->at;
    return WS_OK;
}

/* %laneid and %lanemask_xx: the same vectors in every warp. */
static int lane_vector_place(builder *b, ws_sreg sreg, place *out)
{
    constant_key *key = constant_bucket(b, 3, sreg);
    if (!key)
        return out_of_memory();
    if (!key->kind) {
        const uint32_t at = constant_space(b->c, 128);
        if (!at)
            return out_of_memory();
        uint32_t *v = (uint32_t *)(void *)(b->c->constants + at);
        for (uint32_t i = 0; i < WS_WARP; i++) {
            const uint32_t bit = 1u << i;
            v[i] = sreg == WS_SREG_LANEMASK_EQ   ? bit
                   : sreg == WS_SREG_LANEMASK_LT ? bit - 1
                   : sreg == WS_SREG_LANEMASK_LE ? bit | (bit - 1)
                   : sreg == WS_SREG_LANEMASK_GE ? ~(bit - 1)
                   : sreg == WS_SREG_LANEMASK_GT ? ~(bit | (bit - 1))
                                                 : i;
        }
        *key = (constant_key){sreg, PLACE(BANK_CONST, at), 3};
        b->constants++;
    }
    *out = key->at;
    return WS_OK;
}

/* The bits of an immediate as an operand of that type. */
static uint64_t immediate_bits(const ws_operand *o, ws_type want)
{
    const unsigned bits = ws_type_bits(want);
    float f;
    double d;
    if (want == WS_T_f32 && o->is_float == 2) {
        memcpy(&d, &o->imm, sizeof d);
        f = (float)d;
        uint32_t out;
        memcpy(&out, &f, sizeof out);
        return out;
    }
    if (want == WS_T_f64 && o->is_float == 1) {
        const uint32_t in = (uint32_t)o->imm;
        memcpy(&f, &in, sizeof f);
        d = (double)f;
        uint64_t out;
        memcpy(&out, &d, sizeof out);
        return out;
    }
    if ((want == WS_T_f32 || want == WS_T_f64) && o->is_float == 0 && o->imm != 0) {
        d = (double)(int64_t)o->imm;
        f = (float)d;
        uint64_t out = 0;
        if (want == WS_T_f32)
            memcpy(&out, &f, sizeof f);
        else
            memcpy(&out, &d, sizeof d);
        return out;
    }
    return bits >= 64 ? o->imm : o->imm & ((1ull << bits) - 1);
}

/* ---- emission ---- */

uop *emit(builder *b, uop_kind kind)
{
    code *c = b->c;
    if (c->uops == c->uop_capacity) {
        const uint32_t capacity = c->uop_capacity ? 2 * c->uop_capacity : 256;
        uop *fresh = realloc(c->uop, capacity * sizeof *fresh);
        if (!fresh)
            return NULL;
        c->uop = fresh;
        c->uop_capacity = capacity;
    }
    uop *u = &c->uop[c->uops++];
    *u = (uop){.kind = (uint8_t)kind, .pc = b->pc, .d = PLACE_NONE, .a = PLACE_NONE, .b = PLACE_NONE, .c = PLACE_NONE, .e = PLACE_NONE};
    return u;
}

static void close_run(builder *b)
{
    if (b->run == UINT32_MAX)
        return;
    uop *header = &b->c->uop[b->run];
    header->extra = b->c->uops - b->run - 1;
    header->target = b->c->uops;
    b->run = UINT32_MAX;
}

static uint8_t guard_of(const builder *b)
{
    return !b->insn->guard ? 0 : b->insn->guard->negate ? 2 : 1;
}

/* Guards: true and false predicates as immediates do not occur; the guard is always a predicate register. */
static place guard_place(const builder *b)
{
    return b->insn->guard ? reg_place(b, b->insn->guard->reg) : PLACE_NONE;
}

enum { RUN_LIMIT = 4096 }; /* instructions; keeps counts in 16 bits and slices fair */

/* Opens the group that the uops of a simple instruction go into: the current run, or a guarded group of its own. */
static int open_simple(builder *b)
{
    if (b->insn->guard) {
        close_run(b);
        uop *u = emit(b, UOP_GUARDED);
        if (!u)
            return out_of_memory();
        u->a = guard_place(b);
        u->guard = guard_of(b);
        u->count = 1;
        b->run = b->c->uops - 1;
        return WS_OK;
    }
    if (b->run != UINT32_MAX && b->c->uop[b->run].count >= RUN_LIMIT)
        close_run(b);
    if (b->run == UINT32_MAX) {
        if (!emit(b, UOP_RUN))
            return out_of_memory();
        b->run = b->c->uops - 1;
    }
    b->c->uop[b->run].count++;
    return WS_OK;
}

static void close_simple(builder *b)
{
    if (b->insn->guard)
        close_run(b);
}

int emit_special(builder *b, special_fn *fn, place d, place a, place src_b, place c, uop **out)
{
    uop *u = emit(b, UOP_SPECIAL);
    if (!u)
        return out_of_memory();
    u->special = fn;
    u->d = d;
    u->a = a;
    u->b = src_b;
    u->c = c;
    if (b->run == UINT32_MAX) { /* outside a group: carries the guard itself */
        u->guard = guard_of(b);
        u->e = guard_place(b);
    }
    if (out)
        *out = u;
    return WS_OK;
}

/* A uop that brings a value from one register width and type to another: takes `type` bits of the source and extends. */
static int emit_adapt(builder *b, place to, bool to_wide, place from, bool from_wide, ws_type type, bool extend_sign)
{
    uop *u;
    const int status = emit_special(b, exchange_adapt, to, from, PLACE_NONE, PLACE_NONE, &u);
    if (status)
        return status;
    u->wide = (uint8_t)((to_wide ? 1 : 0) | (from_wide ? 2 : 0));
    u->mode = (uint8_t)ws_type_bits(type);
    u->mode2 = extend_sign;
    return WS_OK;
}

/* ---- operands ---- */

uint32_t parameter_offset(const builder *b, const ws_variable *v, bool *found)
{
    const ws_function *fn = b->fn;
    *found = true;
    if (v >= fn->param && v < fn->param + fn->params)
        return fn->is_entry ? (uint32_t)v->offset : b->formal_offset[v - fn->param];
    if (v >= fn->ret && v < fn->ret + fn->rets)
        return b->formal_offset[fn->params + (uint32_t)(v - fn->ret)];
    if (v >= fn->var && v < fn->var + fn->vars && v->space == WS_SPACE_PARAM)
        return b->param_offset[v - fn->var];
    *found = false;
    return 0;
}

static bool shared_find(const builder *b, const ws_variable *v, uint32_t *offset)
{
    for (uint32_t i = 0; i < b->shareds; i++)
        if (b->shared[i].variable == v) {
            *offset = b->shared[i].offset;
            return true;
        }
    return false;
}

int symbol_value(builder *b, const ws_operand *o, uint64_t *value, bool *frame_relative)
{
    const ws_module *module = b->kernel->image->module;
    *frame_relative = false;
    if (o->function) {
        *value = FUNCTION_BASE + 16u * o->function->index + (uint64_t)o->offset;
        return WS_OK;
    }
    const ws_variable *v = o->variable;
    if (!v)
        return refuse(b, "refers to `%s`, which this module does not define", o->name ? o->name : "?");
    uint32_t offset;
    bool found;
    switch (v->space) {
    case WS_SPACE_SHARED:
        if (!shared_find(b, v, &offset))
            return refuse(b, "refers to shared variable `%s`, which is not placed", v->name);
        *value = offset + (uint64_t)o->offset;
        return WS_OK;
    case WS_SPACE_LOCAL:
        if (v < b->fn->var || v >= b->fn->var + b->fn->vars)
            return refuse(b, "refers to local variable `%s` outside its function", v->name);
        *value = b->local_offset[v - b->fn->var] + (uint64_t)o->offset;
        *frame_relative = !b->fn->is_entry;
        return WS_OK;
    case WS_SPACE_PARAM:
        *value = parameter_offset(b, v, &found) + (uint64_t)o->offset;
        return found ? WS_OK : refuse(b, "refers to parameter `%s` of another function", v->name);
    case WS_SPACE_GLOBAL:
    case WS_SPACE_CONST:
        if (v->owner || v->index >= module->vars || module->var[v->index] != v || !b->kernel->image->address[v->index])
            return refuse(b, "refers to `%s`, which has no storage in this module (extern without definition)", v->name);
        *value = b->kernel->image->address[v->index] + (uint64_t)o->offset;
        return WS_OK;
    default:
        return refuse(b, "uses textures, surfaces or samplers, which are not supported");
    }
}

/* A special register: where it stands, or a uop that reads it. */
static int sreg_place(builder *b, const ws_operand *o, place *out, bool *wide)
{
    const unsigned axis = o->component;
    *wide = false;
    switch ((ws_sreg)o->sreg) {
    case WS_SREG_TID: *out = PLACE(BANK_WARP, WARP_TID + 128 * axis); break;
    case WS_SREG_WARPID: *out = PLACE(BANK_WARP, WARP_WARPID); return WS_OK;
    case WS_SREG_NTID: *out = PLACE(BANK_BLOCK, BLOCK_NTID + 128 * axis); break;
    case WS_SREG_CTAID:
    case WS_SREG_CLUSTERID: *out = PLACE(BANK_BLOCK, BLOCK_CTAID + 128 * axis); break;
    case WS_SREG_NCTAID:
    case WS_SREG_NCLUSTERID: *out = PLACE(BANK_BLOCK, BLOCK_NCTAID + 128 * axis); break;
    case WS_SREG_CLUSTER_NCTAID:
    case WS_SREG_CLUSTER_NCTARANK: return constant_place(b, false, 1, out);
    case WS_SREG_CLUSTER_CTAID:
    case WS_SREG_CLUSTER_CTARANK:
    case WS_SREG_PM: return constant_place(b, false, 0, out);
    case WS_SREG_LANEID:
    case WS_SREG_LANEMASK_EQ:
    case WS_SREG_LANEMASK_LE:
    case WS_SREG_LANEMASK_LT:
    case WS_SREG_LANEMASK_GE:
    case WS_SREG_LANEMASK_GT: return lane_vector_place(b, o->sreg, out);
    case WS_SREG_NWARPID: *out = PLACE(BANK_BLOCK, BLOCK_NWARPID); return WS_OK;
    case WS_SREG_SMID: *out = PLACE(BANK_BLOCK, BLOCK_SMID); return WS_OK;
    case WS_SREG_NSMID: return constant_place(b, false, SMS, out);
    case WS_SREG_GRIDID: *out = PLACE(BANK_BLOCK, BLOCK_GRIDID); return WS_OK;
    case WS_SREG_DYNAMIC_SMEM: *out = PLACE(BANK_BLOCK, BLOCK_DYNAMIC_SMEM); return WS_OK;
    case WS_SREG_TOTAL_SMEM:
    case WS_SREG_AGGR_SMEM: *out = PLACE(BANK_BLOCK, BLOCK_TOTAL_SMEM); return WS_OK;
    case WS_SREG_WARPSZ: return constant_place(b, false, WS_WARP, out);
    case WS_SREG_ENVREG:
        if (o->component == 1 || o->component == 2) {
            *out = PLACE(BANK_BLOCK, o->component == 1 ? BLOCK_ENVREG1 : BLOCK_ENVREG2);
            return WS_OK;
        }
        return constant_place(b, false, 0, out);
    case WS_SREG_CLOCK:
    case WS_SREG_CLOCK_HI:
    case WS_SREG_CLOCK64:
    case WS_SREG_GLOBALTIMER:
    case WS_SREG_GLOBALTIMER_LO:
    case WS_SREG_GLOBALTIMER_HI: {
        *wide = o->sreg == WS_SREG_CLOCK64 || o->sreg == WS_SREG_GLOBALTIMER;
        *out = temp_take(b, *wide ? 64 : 32);
        uop *u;
        const int status = emit_special(b, exchange_clock, *out, PLACE_NONE, PLACE_NONE, PLACE_NONE, &u);
        if (!status) {
            u->wide = *wide;
            u->mode = o->sreg == WS_SREG_CLOCK_HI || o->sreg == WS_SREG_GLOBALTIMER_HI;
        }
        return status;
    }
    default: return refuse(b, "reads a special register that is not supported");
    }
    return axis > 2 ? constant_place(b, false, 0, out) : WS_OK; /* .w reads as zero */
}

/* Brings a register that is not as wide as the instruction's type into a temporary of that type. */
static int narrowed(builder *b, place from, unsigned from_bits, ws_type want, place *out)
{
    const unsigned bits = ws_type_bits(want);
    const bool from_wide = from_bits > 32, to_wide = bits > 32;
    if (from_wide == to_wide && (bits >= from_bits || bits >= 32)) {
        *out = from;
        return WS_OK;
    }
    *out = temp_take(b, bits);
    const bool extend_sign = to_wide && ws_type_kind_of(want) == WS_KIND_SINT;
    ws_type taken = want;
    if (to_wide) /* widening: all bits that the source has */
        taken = from_bits == 8 ? WS_T_b8 : from_bits == 16 ? WS_T_b16 : WS_T_b32;
    return emit_adapt(b, *out, to_wide, from, from_wide, taken, extend_sign);
}

int source_place(builder *b, const ws_operand *o, ws_type want, place *out)
{
    uint64_t value;
    bool relative, wide;
    int status;
    switch (o->kind) {
    case WS_OPND_REG: {
        const ws_type have = reg_type(b, o->reg);
        if ((want == WS_T_pred) != (have == WS_T_pred))
            return refuse(b, "mixes predicate and data registers");
        if (want == WS_T_pred) {
            *out = reg_place(b, o->reg);
            if (!o->negate)
                return WS_OK;
            const place to = temp_take(b, 1);
            uop *u;
            status = emit_special(b, exchange_combine, to, *out, PLACE_NONE, PLACE_NONE, &u);
            if (!status)
                u->mode2 = 4; /* plain negation */
            *out = to;
            return status;
        }
        if (ws_type_bits(have) > 64)
            return refuse(b, "uses 128-bit registers, which are not supported");
        return narrowed(b, reg_place(b, o->reg), ws_type_bits(have), want, out);
    }
    case WS_OPND_IMM:
        if (want == WS_T_pred) {
            status = constant_place(b, false, o->imm ? UINT32_MAX : 0, out);
            return status;
        }
        return constant_place(b, ws_type_bits(want) > 32, immediate_bits(o, want), out);
    case WS_OPND_SREG:
        if (o->sreg == WS_SREG_IS_EXPLICIT_CLUSTER)
            return constant_place(b, false, 0, out);
        status = sreg_place(b, o, out, &wide);
        return status ? status : narrowed(b, *out, wide ? 64 : 32, want, out);
    case WS_OPND_SYMBOL:
        status = symbol_value(b, o, &value, &relative);
        if (status)
            return status;
        wide = ws_type_bits(want) > 32;
        status = constant_place(b, wide, value, out);
        if (!status && relative) { /* the frame's local memory starts where its caller's ends */
            const place to = temp_take(b, wide ? 64 : 32);
            uop *u;
            status = emit_special(b, exchange_uniform, to, *out, PLACE_NONE, PLACE_NONE, &u);
            if (!status)
                u->wide = wide;
            *out = to;
        }
        return status;
    default: return refuse(b, "has an operand that is not supported here");
    }
}

int destination_place(builder *b, const ws_operand *o, ws_type type, destination *d)
{
    const bool wide = ws_type_bits(type) > 32;
    *d = (destination){.type = type};
    if (o->kind == WS_OPND_SINK || o->kind == WS_OPND_NONE) {
        d->at = temp_take(b, type == WS_T_pred ? 1 : wide ? 64 : 32);
        return WS_OK;
    }
    if (o->kind != WS_OPND_REG)
        return refuse(b, "needs a register as destination");
    const ws_type have = reg_type(b, o->reg);
    if ((have == WS_T_pred) != (type == WS_T_pred))
        return refuse(b, "mixes predicate and data registers");
    d->reg = d->at = reg_place(b, o->reg);
    if (type == WS_T_pred)
        return WS_OK;
    if (ws_type_bits(have) > 64)
        return refuse(b, "uses 128-bit registers, which are not supported");
    d->number = reg_number(b, o->reg);
    d->bits = reg_wide(b, o->reg) ? 64 : 32;
    d->reg_is_wide = reg_wide(b, o->reg);
    const bool is_signed = ws_type_kind_of(type) == WS_KIND_SINT;
    d->adapt = d->reg_is_wide != wide || (is_signed && ws_type_bits(type) < ws_type_bits(have));
    if (d->adapt)
        d->at = temp_take(b, wide ? 64 : 32);
    return WS_OK;
}

int destination_finish(builder *b, const destination *d)
{
    if (d->adapt) {
        const bool from_wide = ws_type_bits(d->type) > 32;
        const int status =
            emit_adapt(b, d->reg, d->reg_is_wide, d->at, from_wide, d->type, ws_type_kind_of(d->type) == WS_KIND_SINT);
        if (status)
            return status;
    }
    if (d->bits) {
        uop *u = &b->c->uop[b->c->uops - 1];
        u->dst_bits = d->bits;
        u->dst_reg = d->number;
    }
    return WS_OK;
}

/* ---- simple instructions ---- */

static int decode_arithmetic(builder *b)
{
    const ws_insn *in = b->insn;
    ws_lanes_fn *fn;
    ws_lanes_shape shape;
    int status = ws_lanes_find(in, &fn, &shape);
    if (status)
        return refuse(b, "%s", ws_message());
    place src[4] = {PLACE_NONE, PLACE_NONE, PLACE_NONE, PLACE_NONE};
    for (unsigned i = 0; i < shape.srcs; i++) {
        status = source_place(b, &in->operand[1 + i], shape.src[i], &src[i]);
        if (status)
            return status;
    }
    if (shape.controlled) {
        status = constant_place(b, true, shape.control, &src[3]);
        if (status)
            return status;
    }
    const bool combine = in->op == WS_OP_setp && (in->boolop || in->second.kind == WS_OPND_REG);
    destination d;
    status = destination_place(b, &in->operand[0], shape.dst, &d);
    if (status)
        return status;
    place third = PLACE_NONE, second = PLACE_NONE;
    if (combine && in->boolop) {
        status = source_place(b, &in->operand[3], WS_T_pred, &third);
        if (status)
            return status;
    }
    const place bare = combine ? temp_take(b, 1) : d.at;
    uop *u = emit(b, UOP_LANES);
    if (!u)
        return out_of_memory();
    u->fn = fn;
    u->d = bare;
    u->a = src[0];
    u->b = src[1];
    u->c = src[2];
    u->e = shape.carry ? PLACE(BANK_FRAME, b->cc) : src[3];
    if (combine) {
        if (in->second.kind == WS_OPND_REG)
            second = reg_place(b, in->second.reg);
        status = emit_special(b, exchange_combine, d.at, bare, third, second, &u);
        if (status)
            return status;
        u->mode = in->boolop;
        u->mode2 = (uint8_t)((in->boolop ? 1 : 0) | (in->second.kind == WS_OPND_REG ? 2 : 0));
        return WS_OK;
    }
    return destination_finish(b, &d);
}

/* mov with a vector on one side: packs or unpacks registers. */
static int decode_pack(builder *b)
{
    const ws_insn *in = b->insn;
    const bool packs = in->operand[1].kind == WS_OPND_VECTOR;
    const ws_operand *vector = &in->operand[packs ? 1 : 0], *scalar = &in->operand[packs ? 0 : 1];
    const unsigned n = vector->elems, bits = ws_type_bits(in->type[0]);
    if (n < 2 || n > 8 || bits > 64 || bits % n)
        return refuse(b, "packs or unpacks a vector that does not fit its type");
    static const ws_type by_bytes[9] = {0, WS_T_b8, WS_T_b16, 0, WS_T_b32, 0, 0, 0, WS_T_b64};
    const ws_type part = by_bytes[bits / n / 8 <= 8 ? bits / n / 8 : 0];
    place *list = ws_arena_alloc(b->c->arena, 8 * sizeof *list);
    destination d[8];
    if (!list)
        return out_of_memory();
    if (part == WS_T_NONE)
        return refuse(b, "packs or unpacks elements of an unusual size");
    uop *u;
    int status = WS_OK;
    if (packs) {
        for (unsigned i = 0; i < n && !status; i++)
            status = source_place(b, &vector->elem[i], part, &list[i]);
        if (!status)
            status = destination_place(b, scalar, in->type[0], &d[0]);
        if (!status)
            status = emit_special(b, exchange_pack, d[0].at, PLACE_NONE, PLACE_NONE, PLACE_NONE, &u);
    } else {
        place from;
        status = source_place(b, scalar, in->type[0], &from);
        for (unsigned i = 0; i < n && !status; i++) {
            status = destination_place(b, &vector->elem[i], part, &d[i]);
            list[i] = d[i].at;
        }
        if (!status)
            status = emit_special(b, exchange_unpack, PLACE_NONE, from, PLACE_NONE, PLACE_NONE, &u);
    }
    if (status)
        return status;
    u->mode = (uint8_t)n;
    u->mode2 = (uint8_t)(bits / n);
    u->wide = bits > 32;
    u->info = list;
    for (unsigned i = 0; i < (packs ? 1 : n) && !status; i++)
        if (packs || d[i].adapt) /* several destinations of one uop are not reported to value sinks */
            status = destination_finish(b, &d[i]);
    return status;
}

/* Lane function of a plain two-operand instruction that the module does not contain. */
static int plain_lanes(ws_op op, ws_type type, ws_lanes_fn **fn)
{
    ws_lanes_shape shape;
    const ws_insn in = {.op = (uint16_t)op, .types = 1, .type = {(uint8_t)type}, .vec = 1, .operands = op == WS_OP_mov ? 2 : 3, .text = "plain"};
    return ws_lanes_find(&in, fn, &shape);
}

static uint64_t window_base(ws_space space)
{
    return space == WS_SPACE_SHARED ? SHARED_WINDOW : space == WS_SPACE_LOCAL ? LOCAL_WINDOW : space == WS_SPACE_PARAM ? PARAM_WINDOW : 0;
}

static int decode_cvta(builder *b)
{
    const ws_insn *in = b->insn;
    const ws_type type = in->type[0];
    const bool wide = ws_type_bits(type) > 32;
    uint64_t base = window_base(in->space);
    if (in->sub == WS_SUB_TO)
        base = -base;
    place from, shift;
    destination d;
    int status = source_place(b, &in->operand[1], type, &from);
    if (!status)
        status = destination_place(b, &in->operand[0], type, &d);
    if (!status)
        status = constant_place(b, wide, base, &shift);
    if (status)
        return status;
    uop *u = emit(b, UOP_LANES);
    if (!u)
        return out_of_memory();
    u->d = d.at;
    u->a = from;
    u->b = shift;
    status = plain_lanes(base ? WS_OP_add : WS_OP_mov, wide ? WS_T_u64 : WS_T_u32, &u->fn);
    return status ? refuse(b, "%s", ws_message()) : destination_finish(b, &d);
}

static int decode_isspacep(builder *b)
{
    const ws_insn *in = b->insn;
    place from;
    destination d;
    const ws_operand *o = &in->operand[1];
    const bool wide = o->kind == WS_OPND_REG ? reg_wide(b, o->reg) : b->kernel->image->module->address_bits == 64;
    int status = source_place(b, o, wide ? WS_T_u64 : WS_T_u32, &from);
    if (!status)
        status = destination_place(b, &in->operand[0], WS_T_pred, &d);
    uop *u;
    if (!status)
        status = emit_special(b, exchange_isspacep, d.at, from, PLACE_NONE, PLACE_NONE, &u);
    if (!status) {
        u->mode = in->space;
        u->wide = wide;
    }
    return status;
}

/* shfl vote match redux activemask elect: one row each. */
static int decode_exchange(builder *b)
{
    const ws_insn *in = b->insn;
    static const struct {
        ws_op op;
        special_fn *fn;
        unsigned sources;
    } rows[] = {
        {WS_OP_shfl, exchange_shfl, 3},   {WS_OP_vote, exchange_vote, 1},   {WS_OP_match, exchange_match, 1},
        {WS_OP_redux, exchange_redux, 1}, {WS_OP_activemask, exchange_activemask, 0}, {WS_OP_elect, exchange_elect, 0},
    };
    unsigned row = 0;
    while (rows[row].op != in->op)
        row++;
    const ws_type type = in->types ? in->type[0] : WS_T_b32;
    const bool vote = in->op == WS_OP_vote;
    const bool wide = ws_type_bits(type) > 32;
    const ws_type source_type = vote ? WS_T_pred : in->op == WS_OP_redux || in->op == WS_OP_match || in->op == WS_OP_shfl ? type : WS_T_b32;
    const ws_type result = in->op == WS_OP_elect ? WS_T_b32 : in->op == WS_OP_match ? WS_T_b32 : type;
    place src[3] = {PLACE_NONE, PLACE_NONE, PLACE_NONE};
    destination d;
    int status = WS_OK;
    for (unsigned i = 0; i < rows[row].sources && !status; i++)
        status = source_place(b, &in->operand[1 + i], i == 0 ? source_type : WS_T_b32, &src[i]);
    if (!status)
        status = destination_place(b, &in->operand[0], result, &d);
    place second = PLACE_NONE;
    if (in->second.kind == WS_OPND_REG)
        second = reg_place(b, in->second.reg);
    uop *u;
    if (!status)
        status = emit_special(b, rows[row].fn, d.at, src[0], src[1], src[2], &u);
    if (status)
        return status;
    u->mode = in->sub;
    u->mode2 = in->second.kind == WS_OPND_REG;
    u->wide = wide;
    /* The second destination rides in `info` as a number: all three sources are taken. */
    place *extra = ws_arena_alloc(b->c->arena, 2 * sizeof *extra);
    if (!extra)
        return out_of_memory();
    extra[0] = second;
    extra[1] = type;
    u->info = extra;
    return destination_finish(b, &d);
}

/* ---- control ---- */

static int decode_bra(builder *b)
{
    close_run(b);
    uop *u = emit(b, UOP_BRA);
    if (!u)
        return out_of_memory();
    u->a = guard_place(b);
    u->guard = guard_of(b);
    u->target = b->insn->operand[0].target; /* instruction numbers; resolved when the function is complete */
    u->extra = b->f.reconverge[b->f.block_of[b->insn - b->fn->insn]];
    return WS_OK;
}

typedef struct brx_table {
    uint32_t n;
    uint32_t target[];
} brx_table;

static int decode_brx(builder *b)
{
    const ws_insn *in = b->insn;
    const ws_list *list = NULL;
    for (unsigned i = 0; i < in->operands; i++)
        if (in->operand[i].kind == WS_OPND_TARGETS)
            list = &b->fn->list[in->operand[i].target];
    if (!list || list->kind != 0)
        return refuse(b, "has no list of branch targets");
    close_run(b);
    place index;
    const int status = source_place(b, &in->operand[0], WS_T_u32, &index);
    if (status)
        return status;
    brx_table *table = ws_arena_alloc(b->c->arena, sizeof *table + list->n * sizeof *table->target);
    uop *u = emit(b, UOP_BRX);
    if (!u || !table)
        return out_of_memory();
    table->n = list->n;
    memcpy(table->target, list->target, list->n * sizeof *table->target);
    u->a = guard_place(b);
    u->guard = guard_of(b);
    u->b = index;
    u->extra = b->f.reconverge[b->f.block_of[in - b->fn->insn]];
    u->info = table;
    return WS_OK;
}

/* Describes the arguments or results of a call, from the list at the call site. */
static int call_values(builder *b, const ws_operand *list, call_value **out, uint32_t *n)
{
    *n = list->elems;
    *out = ws_arena_alloc(b->c->arena, (list->elems + 1) * sizeof **out);
    if (!*out)
        return out_of_memory();
    for (unsigned i = 0; i < list->elems; i++) {
        const ws_operand *o = &list->elem[i];
        call_value *v = &(*out)[i];
        bool found = false;
        if (o->kind == WS_OPND_SYMBOL && o->variable && o->variable->space == WS_SPACE_PARAM) {
            v->offset = parameter_offset(b, o->variable, &found);
            v->bytes = (uint32_t)o->variable->size;
            if (!found || (b->fn->is_entry && o->variable >= b->fn->param && o->variable < b->fn->param + b->fn->params))
                return refuse(b, "passes kernel parameter `%s` by name, which is not supported", o->variable->name);
        } else if (o->kind == WS_OPND_REG && reg_type(b, o->reg) != WS_T_pred) {
            v->is_reg = true;
            v->wide = reg_wide(b, o->reg);
            v->reg = reg_place(b, o->reg);
            v->bytes = ws_type_bits(reg_type(b, o->reg)) / 8;
        } else if (o->kind == WS_OPND_IMM) {
            v->is_reg = v->wide = true;
            v->bytes = 8;
            const int status = constant_place(b, true, o->imm, &v->reg);
            if (status)
                return status;
        } else {
            return refuse(b, "passes an argument of a kind that is not supported");
        }
    }
    return WS_OK;
}

static int decode_call(builder *b)
{
    const ws_insn *in = b->insn;
    close_run(b);
    call_site *site = ws_arena_alloc(b->c->arena, sizeof *site);
    if (!site)
        return out_of_memory();
    site->insn = in;
    int status = call_values(b, &in->operand[0], &site->ret, &site->rets);
    if (!status)
        status = call_values(b, &in->operand[2], &site->arg, &site->args);
    if (status)
        return status;
    const ws_operand *target = &in->operand[1];
    if (target->kind == WS_OPND_REG) {
        site->callee = -1;
        site->target_wide = reg_wide(b, target->reg);
        site->target = reg_place(b, target->reg);
    } else if (target->function && target->function->has_body) {
        site->callee = (int32_t)b->c->proc_of[target->function->index];
    } else {
        site->callee = -2;
        site->builtin = (uint8_t)builtin_find(target->name ? target->name : "");
        if (!site->builtin)
            return refuse(b, "calls `%s`, which this module does not define", target->name ? target->name : "?");
        if (site->builtin == BUILTIN_MALLOC)
            b->kernel->mallocs = true;
    }
    uop *u = emit(b, UOP_CALL);
    if (!u)
        return out_of_memory();
    u->a = guard_place(b);
    u->guard = guard_of(b);
    u->info = site;
    return WS_OK;
}

static int decode_leave(builder *b, uop_kind kind)
{
    close_run(b);
    uop *u = emit(b, kind);
    if (!u)
        return out_of_memory();
    u->a = guard_place(b);
    u->guard = guard_of(b);
    return WS_OK;
}

/* bar and barrier: sync, arrive, red, and the warp-level bar.warp.sync. */
static int decode_barrier(builder *b)
{
    const ws_insn *in = b->insn;
    close_run(b);
    const bool red = in->sub == WS_SUB_RED;
    const unsigned first = red ? 1 : 0;
    place number = PLACE_NONE, threads = PLACE_NONE, vote = PLACE_NONE;
    destination d = {.at = PLACE_NONE};
    int status = WS_OK;
    bool counted = false;
    if (in->sub != WS_SUB_WARP && in->operands > first) {
        status = source_place(b, &in->operand[first], WS_T_u32, &number);
        unsigned last = in->operands - 1;
        if (red && !status)
            status = source_place(b, &in->operand[last--], WS_T_pred, &vote);
        counted = last > first;
        if (counted && !status)
            status = source_place(b, &in->operand[first + 1], WS_T_u32, &threads);
    }
    if (red && !status)
        status = destination_place(b, &in->operand[0], in->boolop == WS_SUB_POPC ? WS_T_u32 : WS_T_pred, &d);
    if (status)
        return status;
    uop *u = emit(b, UOP_BARRIER);
    if (!u)
        return out_of_memory();
    u->e = guard_place(b);
    u->guard = guard_of(b);
    u->a = number;
    u->b = threads;
    u->c = vote;
    u->d = d.at;
    u->mode = in->sub ? in->sub : WS_SUB_SYNC;
    u->mode2 = in->boolop;
    u->wide = counted;
    return red ? destination_finish(b, &d) : WS_OK;
}

/* An instruction that has no effect here but is counted: fences order memory, prefetches and hints do nothing. */
static int decode_effectless(builder *b)
{
    return emit_special(b, b->insn->op == WS_OP_membar || b->insn->op == WS_OP_fence ? exchange_fence : exchange_nothing,
                        PLACE_NONE, PLACE_NONE, PLACE_NONE, PLACE_NONE, NULL);
}

static int simple(builder *b, int (*decode)(builder *))
{
    int status = open_simple(b);
    if (!status)
        status = decode(b);
    close_simple(b);
    return status;
}

static int decode_insn(builder *b)
{
    const ws_insn *in = b->insn;
    if (in->unsupported)
        return refuse(b, "is not supported: %s", in->unsupported);
    switch ((ws_op)in->op) {
    case WS_OP_bra: return decode_bra(b);
    case WS_OP_brx: return decode_brx(b);
    case WS_OP_call: return decode_call(b);
    case WS_OP_ret: return decode_leave(b, UOP_RET);
    case WS_OP_exit: return decode_leave(b, UOP_EXIT);
    case WS_OP_trap: return decode_leave(b, UOP_TRAP);
    case WS_OP_brkpt:
    case WS_OP_nanosleep: return decode_leave(b, UOP_YIELD);
    case WS_OP_bar:
    case WS_OP_barrier: return decode_barrier(b);
    case WS_OP_ld:
    case WS_OP_ldu:
    case WS_OP_st:
    case WS_OP_atom:
    case WS_OP_red:
        close_run(b);
        return decode_memory(b);
    case WS_OP_cp:
        if (in->sub != WS_SUB_ASYNC_CA && in->sub != WS_SUB_ASYNC_CG) /* groups complete at once: copies are done in place */
            return in->sub == WS_SUB_ASYNC_MBARRIER ? refuse(b, "is not supported: mbarrier objects") : simple(b, decode_effectless);
        close_run(b);
        return decode_memory(b);
    case WS_OP_shfl:
    case WS_OP_vote:
    case WS_OP_match:
    case WS_OP_redux:
    case WS_OP_activemask:
    case WS_OP_elect: return simple(b, decode_exchange);
    case WS_OP_cvta: return simple(b, decode_cvta);
    case WS_OP_isspacep: return simple(b, decode_isspacep);
    case WS_OP_membar:
    case WS_OP_fence:
    case WS_OP_prefetch:
    case WS_OP_prefetchu:
    case WS_OP_pmevent:
    case WS_OP_discard:
    case WS_OP_applypriority: return simple(b, decode_effectless);
    case WS_OP_mov:
        if (in->operand[0].kind == WS_OPND_VECTOR || in->operand[1].kind == WS_OPND_VECTOR)
            return simple(b, decode_pack);
        return simple(b, decode_arithmetic);
    default: return simple(b, decode_arithmetic);
    }
}

/* ---- the instruction table ---- */

typedef struct reg_list {
    builder *b;
    ws_instr *out;
} reg_list;

static void note_register(void *context, uint32_t reg, bool is_def)
{
    reg_list *l = context;
    if (is_def && l->out->dsts < WS_INSTR_DST)
        l->out->dst[l->out->dsts++] = reg_number(l->b, reg);
    if (!is_def && l->out->srcs < WS_INSTR_SRC)
        l->out->src[l->out->srcs++] = reg_number(l->b, reg);
}

static void describe(builder *b, ws_instr *out)
{
    const ws_insn *in = b->insn;
    *out = (ws_instr){.opcode = in->text, .line = in->line, .column = in->column, .cls = (uint8_t)ws_ptx_class(in),
                      .guarded = in->guard != NULL, .reconverge = UINT32_MAX};
    if (out->cls == WS_CLASS_MEMORY) {
        out->space = in->space;
        const unsigned vec = in->vec ? in->vec : 1;
        out->bytes = in->types ? (uint8_t)(ws_type_bits(in->type[in->types - 1]) / 8 * vec) : 0;
        out->access = in->op == WS_OP_st     ? WS_ACCESS_STORE
                      : in->op == WS_OP_atom ? WS_ACCESS_ATOMIC
                      : in->op == WS_OP_red  ? WS_ACCESS_REDUCE
                                             : WS_ACCESS_LOAD;
    }
    const uint32_t home = b->f.block_of[in - b->fn->insn];
    if (out->cls == WS_CLASS_BRANCH) {
        out->conditional = in->guard || in->op == WS_OP_brx || (in->op == WS_OP_call && in->operand[1].kind == WS_OPND_REG);
        if (b->f.reconverge[home] != FLOW_END && (in->op == WS_OP_bra || in->op == WS_OP_brx))
            out->reconverge = b->p->first_pc + b->f.reconverge[home];
    }
    reg_list list = {b, out};
    flow_operands(in, note_register, &list);
}

/* ---- functions ---- */

static uint32_t align_up(uint64_t x, uint64_t unit)
{
    return (uint32_t)((x + unit - 1) / unit * unit);
}

/* Lays out frame, local memory and the parameter area of a function. */
static int lay_out(builder *b)
{
    const ws_function *fn = b->fn;
    proc *p = b->p;
    uint32_t at = 0;
    b->at_pred = at;
    b->temp_pred = b->at_pred + 4 * b->f.slots_pred;
    b->cc = b->temp_pred + 4 * TEMPS;
    at = align_up(b->cc + 4, 256);
    b->at64 = at;
    b->temp64 = b->at64 + 256 * b->f.slots64;
    b->at32 = b->temp64 + 256 * TEMPS;
    b->temp32 = b->at32 + 128 * b->f.slots32;
    p->frame_bytes = b->temp32 + 128 * TEMPS;
    p->live_max = b->f.live_max;
    p->zero_frame = b->f.live_at_entry;

    b->local_offset = ws_arena_alloc(b->c->arena, (fn->vars + 1) * sizeof(uint32_t));
    b->param_offset = ws_arena_alloc(b->c->arena, (fn->vars + 1) * sizeof(uint32_t));
    b->formal_offset = ws_arena_alloc(b->c->arena, (fn->params + fn->rets + 1) * sizeof(uint32_t));
    p->arg = ws_arena_alloc(b->c->arena, (fn->params + 1) * sizeof *p->arg);
    p->ret = ws_arena_alloc(b->c->arena, (fn->rets + 1) * sizeof *p->ret);
    if (!b->local_offset || !b->param_offset || !b->formal_offset || !p->arg || !p->ret)
        return out_of_memory();
    uint64_t local = 0, param = 0;
    for (uint32_t i = 0; !fn->is_entry && i < fn->params + fn->rets; i++) {
        const bool is_ret = i >= fn->params;
        const ws_variable *v = is_ret ? &fn->ret[i - fn->params] : &fn->param[i];
        const uint32_t *regs = is_ret ? fn->ret_reg : fn->param_reg;
        const uint32_t reg = regs ? regs[is_ret ? i - fn->params : i] : UINT32_MAX;
        call_value *out = is_ret ? &p->ret[i - fn->params] : &p->arg[i];
        if (reg != UINT32_MAX) {
            *out = (call_value){.is_reg = true, .wide = reg_wide(b, reg), .reg = reg_place(b, reg), .bytes = ws_type_bits(reg_type(b, reg)) / 8};
        } else {
            param = align_up(param, v->align ? v->align : 1);
            b->formal_offset[i] = (uint32_t)param;
            *out = (call_value){.offset = (uint32_t)param, .bytes = (uint32_t)v->size};
            param += v->size;
        }
    }
    p->formal_args = fn->params;
    p->formal_rets = fn->rets;
    for (uint32_t i = 0; i < fn->vars; i++) {
        const ws_variable *v = &fn->var[i];
        uint64_t *at_space = v->space == WS_SPACE_LOCAL ? &local : v->space == WS_SPACE_PARAM ? &param : NULL;
        if (!at_space)
            continue;
        *at_space = align_up(*at_space, v->align ? v->align : 1);
        (v->space == WS_SPACE_LOCAL ? b->local_offset : b->param_offset)[i] = (uint32_t)*at_space;
        *at_space += v->size;
        if (*at_space > MAX_LOCAL_BYTES)
            return ws_fail(WS_EUNSUPPORTED, "%s:%u:%u: kernel %s: variable `%s` needs more than %d bytes per thread",
                           b->kernel->image->module->file, v->line, v->column, b->kernel->function->name, v->name, MAX_LOCAL_BYTES);
    }
    p->local_bytes = align_up(local, 16);
    p->param_bytes = align_up(param, 16);
    return WS_OK;
}

/* Replaces instruction numbers in branches by uop numbers. */
static void resolve_branches(builder *b, uint32_t first)
{
    const uint32_t n = b->fn->insns;
    for (uint32_t i = first; i < b->c->uops; i++) {
        uop *u = &b->c->uop[i];
        if (u->kind != UOP_BRA && u->kind != UOP_BRX)
            continue;
        if (u->extra != FLOW_END)
            u->extra = b->uop_of[u->extra];
        if (u->kind == UOP_BRA) {
            u->target = b->uop_of[u->target < n ? u->target : n];
        } else {
            brx_table *table = (brx_table *)(uintptr_t)u->info;
            for (uint32_t k = 0; k < table->n; k++)
                table->target[k] = b->uop_of[table->target[k] < n ? table->target[k] : n];
        }
    }
}

static int decode_function(builder *b, proc *p)
{
    b->p = p;
    b->fn = p->function;
    int status = flow_init(&b->f, b->fn);
    if (status)
        return status;
    status = lay_out(b);
    b->uop_of = calloc(b->fn->insns + 1, sizeof *b->uop_of);
    if (!status && !b->uop_of)
        status = out_of_memory();
    p->entry = b->c->uops;
    b->run = UINT32_MAX;
    for (uint32_t i = 0; i < b->fn->insns && !status; i++) {
        b->insn = &b->fn->insn[i];
        b->pc = p->first_pc + i;
        b->used32 = b->used64 = b->used_pred = 0;
        if (b->f.start[b->f.block_of[i]] == i)
            close_run(b);
        if (b->run == UINT32_MAX)
            b->uop_of[i] = b->c->uops;
        status = decode_insn(b);
        describe(b, &b->c->instr[b->pc]);
    }
    if (!status) { /* running off the end of the text returns, uncounted */
        close_run(b);
        b->uop_of[b->fn->insns] = b->c->uops;
        uop *u = emit(b, UOP_RET);
        if (u)
            u->mode = 1;
        else
            status = out_of_memory();
    }
    if (!status)
        resolve_branches(b, p->entry);
    b->reg_base += b->f.slots32 + b->f.slots64 + b->f.slots_pred;
    free(b->uop_of);
    b->uop_of = NULL;
    flow_fini(&b->f);
    return status;
}

/* ---- what a kernel reaches ---- */

typedef struct reach {
    builder *b;
    uint32_t *proc_of;
    const ws_function **queue;
    uint32_t n;
    bool indirect;
    int status;
} reach;

static void reach_function(reach *r, const ws_function *fn)
{
    if (fn->has_body && !fn->is_entry && r->proc_of[fn->index] == UINT32_MAX) {
        r->proc_of[fn->index] = r->n;
        r->queue[r->n++] = fn;
    }
}

static int place_shared(builder *b, const ws_variable *v)
{
    uint32_t offset;
    if (shared_find(b, v, &offset))
        return WS_OK;
    if (b->shareds == b->shared_capacity) {
        const uint32_t capacity = b->shared_capacity ? 2 * b->shared_capacity : 16;
        shared_place *fresh = realloc(b->shared, capacity * sizeof *fresh);
        if (!fresh)
            return out_of_memory();
        b->shared = fresh;
        b->shared_capacity = capacity;
    }
    b->shared[b->shareds++] = (shared_place){v, UINT32_MAX};
    return WS_OK;
}

static void reach_operand(reach *r, const ws_operand *o)
{
    if (o->kind == WS_OPND_SYMBOL) {
        if (o->function)
            reach_function(r, o->function);
        if (o->variable && o->variable->space == WS_SPACE_SHARED && !r->status)
            r->status = place_shared(r->b, o->variable);
        if (o->variable && o->variable->space == WS_SPACE_CONST) {
            builder *b = r->b;
            for (uint32_t i = 0; i < b->constvars; i++)
                if (b->constvar[i] == o->variable)
                    return;
            b->constvar[b->constvars++] = o->variable;
            b->kernel->const_bytes += (uint32_t)o->variable->size;
        }
    }
    for (unsigned i = 0; i < o->elems; i++)
        reach_operand(r, &o->elem[i]);
}

/* Functions whose address somebody takes may be called through a register. */
static void reach_addresses(reach *r)
{
    const ws_module *m = r->b->kernel->image->module;
    for (uint32_t v = 0; v < m->vars; v++)
        for (uint32_t k = 0; k < m->var[v]->relocs; k++) {
            const ws_function *fn = ws_module_function(m, m->var[v]->reloc[k].name);
            if (fn)
                reach_function(r, fn);
        }
    for (uint32_t f = 0; f < m->functions; f++)
        for (uint32_t i = 0; i < m->function[f]->insns; i++) {
            const ws_insn *in = &m->function[f]->insn[i];
            for (unsigned k = in->op == WS_OP_call ? 2 : 0; k < in->operands; k++)
                if (in->operand[k].kind == WS_OPND_SYMBOL && in->operand[k].function)
                    reach_function(r, in->operand[k].function);
        }
}

static void reach_insn(reach *r, const ws_insn *in)
{
    const ws_space space = in->space;
    if (in->op == WS_OP_call && in->operand[1].kind == WS_OPND_REG && !r->indirect) {
        r->indirect = true;
        reach_addresses(r);
    }
    /* A reduction brings nothing back, so nobody can wait with one. */
    if ((in->op == WS_OP_atom && space != WS_SPACE_LOCAL) || in->op == WS_OP_nanosleep ||
        (in->op != WS_OP_red && in->order > WS_ORDER_WEAK && space != WS_SPACE_LOCAL && space != WS_SPACE_PARAM))
        r->b->c->waits = true;
    for (unsigned i = 0; i < in->operands; i++)
        reach_operand(r, &in->operand[i]);
}

/* Collects the functions, shared and constant variables that the kernel uses. */
static int reach_all(builder *b, reach *r)
{
    const ws_module *m = b->kernel->image->module;
    r->b = b;
    r->proc_of = ws_arena_alloc(b->c->arena, (m->functions + 1) * sizeof *r->proc_of);
    r->queue = ws_arena_alloc(b->c->arena, (m->functions + 1) * sizeof *r->queue);
    b->constvar = ws_arena_alloc(b->c->arena, (m->vars + 1) * sizeof *b->constvar);
    if (!r->proc_of || !r->queue || !b->constvar)
        return out_of_memory();
    memset(r->proc_of, 0xff, m->functions * sizeof *r->proc_of);
    r->queue[r->n++] = b->kernel->function;
    for (uint32_t i = 0; i < r->n && !r->status; i++)
        for (uint32_t k = 0; k < r->queue[i]->insns; k++)
            reach_insn(r, &r->queue[i]->insn[k]);
    b->c->proc_of = r->proc_of;
    return r->status;
}

/* Static shared variables one after the other; those without a size share the dynamic part behind them. */
static int lay_out_shared(builder *b)
{
    uint64_t at = 0, dynamic_align = 16;
    for (uint32_t i = 0; i < b->shareds; i++) {
        const ws_variable *v = b->shared[i].variable;
        const uint64_t align = v->align ? v->align : 1;
        if (v->unsized) {
            dynamic_align = align > dynamic_align ? align : dynamic_align;
            continue;
        }
        at = (at + align - 1) / align * align;
        b->shared[i].offset = (uint32_t)at;
        at += v->size;
        if (at > MAX_SHARED_BYTES)
            return ws_fail(WS_EUNSUPPORTED, "%s:%u:%u: kernel %s: shared variables need more than %d bytes",
                           b->kernel->image->module->file, v->line, v->column, b->kernel->function->name, MAX_SHARED_BYTES);
    }
    bool dynamic = false;
    for (uint32_t i = 0; i < b->shareds; i++)
        dynamic = dynamic || b->shared[i].variable->unsized;
    if (dynamic)
        at = (at + dynamic_align - 1) / dynamic_align * dynamic_align;
    for (uint32_t i = 0; i < b->shareds; i++)
        if (b->shared[i].variable->unsized)
            b->shared[i].offset = (uint32_t)at;
    b->kernel->shared_bytes = (uint32_t)at;
    return WS_OK;
}

/* Registers of the deepest call chain cannot be known with recursion: the kernel's own and its worst callee's. */
static uint32_t register_estimate(const code *c)
{
    uint32_t callee = 0;
    for (uint32_t i = 1; i < c->procs; i++)
        if (c->proc[i].live_max > callee)
            callee = c->proc[i].live_max;
    return c->proc[0].live_max + callee;
}

int code_build(ws_kernel *kernel)
{
    builder b = {.kernel = kernel, .c = &kernel->code};
    code *c = &kernel->code;
    reach r = {0};
    kernel->const_bytes = kernel->function->param_bytes;
    c->arena = ws_arena_create();
    int status = c->arena ? reach_all(&b, &r) : out_of_memory();
    if (!status)
        status = lay_out_shared(&b);
    if (!status) {
        c->procs = r.n;
        c->proc = ws_arena_alloc(c->arena, r.n * sizeof *c->proc);
        for (uint32_t i = 0; i < r.n; i++) {
            if (c->proc) {
                c->proc[i].function = r.queue[i];
                c->proc[i].first_pc = c->instrs;
            }
            c->instrs += r.queue[i]->insns;
        }
        c->instr = ws_arena_alloc(c->arena, (c->instrs + 1) * sizeof *c->instr);
        if (!c->proc || !c->instr)
            status = out_of_memory();
        else if (constant_space(c, 256) == 0 && c->constants)
            memset(c->constants, 0, 256);
        else
            status = out_of_memory();
    }
    for (uint32_t i = 0; i < c->procs && !status; i++)
        status = decode_function(&b, &c->proc[i]);
    if (!status) {
        kernel->registers = register_estimate(c);
        uint32_t deepest = 0; /* local memory of the kernel and of its largest callee */
        for (uint32_t i = 1; i < c->procs; i++)
            deepest = c->proc[i].local_bytes > deepest ? c->proc[i].local_bytes : deepest;
        kernel->local_bytes = c->proc[0].local_bytes + deepest;
    }
    flow_fini(&b.f);
    free(b.uop_of);
    free(b.shared);
    free(b.constant);
    if (status)
        code_fini(c);
    return status;
}

void code_fini(code *c)
{
    free(c->uop);
    free(c->constants);
    ws_arena_destroy(c->arena);
    *c = (code){0};
}
