/* decode_place.c - where operands of uops stand: registers, temporaries, constants, special registers, addresses. */
#include "base/grow.h"
#include "collect/simt/decode_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int decode_refuse(builder *b, const char *format, ...)
{
    char *why = NULL;
    va_list args;
    va_start(args, format);
    if (vasprintf(&why, format, args) < 0)
        why = NULL;
    va_end(args);
    const int status = ws_fail(WS_EUNSUPPORTED, "%s:%u:%u: kernel %s: instruction `%s` %s", b->fn->file, b->insn->line,
                               b->insn->column, b->kernel->function->name, b->insn->text, why ? why : "cannot run");
    free(why);
    return status;
}

int decode_no_memory(void)
{
    return ws_fail(WS_EMEM, "no memory to decode a kernel");
}

/* ---- numbers of things ---- */

const uint32_t *place_number_find(const ws_table *numbers, const void *thing)
{
    return ws_table_find(numbers, (uintptr_t)thing);
}

bool place_number_add(ws_table *numbers, const void *thing, uint32_t number)
{
    uint32_t *const value = ws_table_put(numbers, (uintptr_t)thing);
    if (value)
        *value = number;
    return value;
}

/* ---- places ---- */

place place_take_temp(builder *b, unsigned bits)
{
    if (bits == 1)
        return PLACE(BANK_FRAME, b->temp_pred + 4 * (b->used_pred++ % TEMPS));
    if (bits <= 32)
        return PLACE(BANK_FRAME, b->temp32 + 128 * (b->used32++ % TEMPS));
    return PLACE(BANK_FRAME, b->temp64 + 256 * (b->used64++ % TEMPS));
}

ws_type decode_reg_type(const builder *b, uint32_t reg)
{
    return b->fn->reg[reg].type;
}

bool place_reg_wide(const builder *b, uint32_t reg)
{
    return ws_type_bits(decode_reg_type(b, reg)) > 32;
}

bool place_reg_is_double(const builder *b, uint32_t reg)
{
    return ws_type_bits(decode_reg_type(b, reg)) > 64;
}

place place_reg(const builder *b, uint32_t reg)
{
    const uint32_t slot = b->f.slot[reg];
    if (decode_reg_type(b, reg) == WS_T_pred)
        return PLACE(BANK_FRAME, b->at_pred + 4 * slot);
    if (place_reg_is_double(b, reg))
        return PLACE(BANK_FRAME, b->at128 + 512 * slot);
    return place_reg_wide(b, reg) ? PLACE(BANK_FRAME, b->at64 + 256 * slot) : PLACE(BANK_FRAME, b->at32 + 128 * slot);
}

uint16_t place_reg_number(const builder *b, uint32_t reg)
{
    uint32_t n = b->reg_base + b->f.slot[reg];
    if (decode_reg_type(b, reg) == WS_T_pred)
        n += b->f.slots32 + b->f.slots64;
    else if (place_reg_is_double(b, reg))
        n += b->f.slots32 + b->f.slots64 + b->f.slots_pred;
    else if (place_reg_wide(b, reg))
        n += b->f.slots32;
    return (uint16_t)n;
}

/* ---- constants ---- */

typedef struct constant_key {
    uint64_t value;
    place at;
    uint8_t kind; /* 0 free, 1 32-bit, 2 64-bit, 3.. lane vectors */
} constant_key;

uint32_t decode_constant_space(code *c, uint32_t bytes)
{
    if (!ws_range_within(c->constant_bytes, bytes, PLACE_BYTES))
        return 0;
    if (!ws_range_within(c->constant_bytes, bytes, c->constant_capacity)) {
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

int place_constant(builder *b, bool wide, uint64_t value, place *out)
{
    if (!wide)
        value = (uint32_t)value;
    constant_key *key = constant_bucket(b, wide ? 2 : 1, value);
    if (!key)
        return decode_no_memory();
    if (!key->kind) {
        const uint32_t at = decode_constant_space(b->c, wide ? 256 : 128);
        if (!at)
            return decode_no_memory();
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
        return decode_no_memory();
    if (!key->kind) {
        const uint32_t at = decode_constant_space(b->c, 128);
        if (!at)
            return decode_no_memory();
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
    if (want == WS_T_f32 && o->is_float == 2)
        return ws_f32_bits((float)ws_f64_from_bits(o->imm));
    if (want == WS_T_f64 && o->is_float == 1)
        return ws_f64_bits(ws_f32_from_bits((uint32_t)o->imm));
    if ((want == WS_T_f32 || want == WS_T_f64) && o->is_float == 0 && o->imm != 0) {
        const double d = (double)(int64_t)o->imm;
        return want == WS_T_f32 ? ws_f32_bits((float)d) : ws_f64_bits(d);
    }
    return bits >= 64 ? o->imm : o->imm & ((1ull << bits) - 1);
}

/* ---- emission ---- */

uop *decode_emit(builder *b, uop_kind kind)
{
    code *c = b->c;
    if (WS_GROW(c->uop, c->uop_capacity, c->uops, 1))
        return NULL;
    uop *u = &c->uop[c->uops++];
    *u = (uop){.kind = (uint8_t)kind,
               .pc = b->pc,
               .d = PLACE_NONE,
               .a = PLACE_NONE,
               .b = PLACE_NONE,
               .c = PLACE_NONE,
               .e = PLACE_NONE};
    return u;
}

uop *decode_emit_guarded(builder *b, uop_kind kind)
{
    uop *const u = decode_emit(b, kind);
    if (u) {
        u->a = decode_guard_place(b);
        u->guard = decode_guard(b);
    }
    return u;
}

uop *decode_emit_guarded_by_e(builder *b, uop_kind kind)
{
    uop *const u = decode_emit(b, kind);
    if (u) {
        u->e = decode_guard_place(b);
        u->guard = decode_guard(b);
    }
    return u;
}

int decode_emit_access(builder *b, access_fn *run, const void *info, uint8_t mode)
{
    uop *const u = decode_emit_guarded_by_e(b, UOP_ACCESS);
    if (!u)
        return decode_no_memory();
    u->access = run;
    u->info = info;
    u->mode = mode;
    return WS_OK;
}

void decode_close_run(builder *b)
{
    if (b->run == UINT32_MAX)
        return;
    uop *header = &b->c->uop[b->run];
    header->extra = b->c->uops - b->run - 1;
    header->target = b->c->uops;
    b->run = UINT32_MAX;
}

uint8_t decode_guard(const builder *b)
{
    return !b->insn->guard ? 0 : b->insn->guard->negate ? 2 : 1;
}

/* Guards: true and false predicates as immediates do not occur; the guard is always a predicate register. */
place decode_guard_place(const builder *b)
{
    return b->insn->guard ? place_reg(b, b->insn->guard->reg) : PLACE_NONE;
}

enum { RUN_LIMIT = 4096 }; /* instructions; keeps counts in 16 bits and slices fair */

/* Opens the group that the uops of a simple instruction go into: the current run, or a guarded group of its own. */
int decode_open_simple(builder *b)
{
    if (b->insn->guard) {
        decode_close_run(b);
        uop *u = decode_emit_guarded(b, UOP_GUARDED);
        if (!u)
            return decode_no_memory();
        u->count = 1;
        b->run = b->c->uops - 1;
        return WS_OK;
    }
    if (b->run != UINT32_MAX && b->c->uop[b->run].count >= RUN_LIMIT)
        decode_close_run(b);
    if (b->run == UINT32_MAX) {
        if (!decode_emit(b, UOP_RUN))
            return decode_no_memory();
        b->run = b->c->uops - 1;
    }
    b->c->uop[b->run].count++;
    return WS_OK;
}

void decode_close_simple(builder *b)
{
    if (b->insn->guard)
        decode_close_run(b);
}

int decode_emit_special(builder *b, special_fn *fn, place d, place a, place src_b, place c, uop **out)
{
    uop *u = decode_emit(b, UOP_SPECIAL);
    if (!u)
        return decode_no_memory();
    u->special = fn;
    u->d = d;
    u->a = a;
    u->b = src_b;
    u->c = c;
    if (b->run == UINT32_MAX) { /* outside a group: carries the guard itself */
        u->guard = decode_guard(b);
        u->e = decode_guard_place(b);
    }
    if (out)
        *out = u;
    return WS_OK;
}

/* A uop that brings a value from one register width and type to another: takes `type` bits of the source and extends.
 */
static int emit_adapt(builder *b, place to, bool to_wide, place from, bool from_wide, ws_type type, bool extend_sign)
{
    uop *u;
    const int status = decode_emit_special(b, exchange_adapt, to, from, PLACE_NONE, PLACE_NONE, &u);
    if (status)
        return status;
    u->wide = (uint8_t)((to_wide ? 1 : 0) | (from_wide ? 2 : 0));
    u->mode = (uint8_t)ws_type_bits(type);
    u->mode2 = extend_sign;
    return WS_OK;
}

/* ---- operands ---- */

uint32_t place_parameter_offset(const builder *b, const ws_variable *v, bool *found)
{
    const ws_function *fn = b->fn;
    *found = true;
    if (decode_within(v, fn->param, fn->params))
        return fn->is_entry ? (uint32_t)v->offset : b->formal_offset[v - fn->param];
    if (decode_within(v, fn->ret, fn->rets))
        return b->formal_offset[fn->params + (uint32_t)(v - fn->ret)];
    if (decode_within(v, fn->var, fn->vars) && v->space == WS_SPACE_PARAM)
        return b->param_offset[v - fn->var];
    *found = false;
    return 0;
}

static bool shared_offset(const builder *b, const ws_variable *v, uint32_t *offset)
{
    const uint32_t *const index = place_number_find(&b->placed, v);
    if (index)
        *offset = b->shared[*index].offset;
    return index;
}

int place_symbol_value(builder *b, const ws_operand *o, uint64_t *value, bool *frame_relative)
{
    const ws_module *module = b->kernel->image->module;
    *frame_relative = false;
    if (o->function) {
        *value = FUNCTION_BASE + 16u * o->function->index + (uint64_t)o->offset;
        return WS_OK;
    }
    const ws_variable *v = o->variable;
    if (!v)
        return decode_refuse(b, "refers to `%s`, which this module does not define", o->name ? o->name : "?");
    uint32_t offset;
    const uint32_t *at;
    bool found;
    switch (v->space) {
    case WS_SPACE_SHARED:
        if (!shared_offset(b, v, &offset))
            return decode_refuse(b, "refers to shared variable `%s`, which is not placed", v->name);
        *value = offset + (uint64_t)o->offset;
        return WS_OK;
    case WS_SPACE_LOCAL:
        at = place_number_find(&b->placed, v);
        if (at) {
            *value = *at + (uint64_t)o->offset;
            return WS_OK;
        }
        if (!decode_within(v, b->fn->var, b->fn->vars))
            return decode_refuse(b, "refers to local variable `%s` outside its function", v->name);
        *value = b->local_offset[v - b->fn->var] + (uint64_t)o->offset;
        *frame_relative = !b->fn->is_entry;
        return WS_OK;
    case WS_SPACE_PARAM:
        if (decode_on_stack(b, v)) {
            *value = b->p->arg[v - b->fn->param].local + (uint64_t)o->offset;
            *frame_relative = true;
            return WS_OK;
        }
        *value = place_parameter_offset(b, v, &found) + (uint64_t)o->offset;
        return found ? WS_OK : decode_refuse(b, "refers to parameter `%s` of another function", v->name);
    case WS_SPACE_GLOBAL:
    case WS_SPACE_CONST:
        if (v->owner || v->index >= module->vars || module->var[v->index] != v || !b->kernel->image->address[v->index])
            return decode_refuse(b, "refers to `%s`, which has no storage in this module (extern without definition)",
                                 v->name);
        *value = b->kernel->image->address[v->index] + (uint64_t)o->offset;
        return WS_OK;
    case WS_SPACE_TEXTURE: /* its handle */
        if (v->owner || !b->kernel->image->address[v->index])
            return decode_refuse(b, "refers to `%s`, which has no storage in this module (extern without definition)",
                                 v->name);
        *value = b->kernel->image->address[v->index];
        return WS_OK;
    default:
        return decode_refuse(b, "uses a name of a kind that is not supported");
    }
}

/* Those of clusters are set in blocks of kernels that read one. */
static place cluster_place(builder *b, ws_sreg sreg)
{
    b->c->reads_cluster = true;
    return PLACE(BANK_BLOCK, sreg == WS_SREG_CLUSTERID          ? BLOCK_CLUSTERID
                             : sreg == WS_SREG_NCLUSTERID       ? BLOCK_NCLUSTERID
                             : sreg == WS_SREG_CLUSTER_CTAID    ? BLOCK_CLUSTER_CTAID
                             : sreg == WS_SREG_CLUSTER_NCTAID   ? BLOCK_CLUSTER_NCTAID
                             : sreg == WS_SREG_CLUSTER_CTARANK  ? BLOCK_CLUSTER_RANK
                             : sreg == WS_SREG_CLUSTER_NCTARANK ? BLOCK_CLUSTER_RANKS
                                                                : BLOCK_CLUSTER_EXPLICIT);
}

/* A special register: where it stands, or a uop that reads it. */
static int sreg_place(builder *b, const ws_operand *o, place *out, bool *wide)
{
    const unsigned axis = o->component;
    *wide = false;
    switch ((ws_sreg)o->sreg) {
    case WS_SREG_TID:
        *out = PLACE(BANK_WARP, WARP_TID + 128 * axis);
        break;
    case WS_SREG_WARPID:
        *out = PLACE(BANK_WARP, WARP_WARPID);
        return WS_OK;
    case WS_SREG_NTID:
        *out = PLACE(BANK_BLOCK, BLOCK_NTID + 128 * axis);
        break;
    case WS_SREG_CTAID:
        *out = PLACE(BANK_BLOCK, BLOCK_CTAID + 128 * axis);
        break;
    case WS_SREG_NCTAID:
        *out = PLACE(BANK_BLOCK, BLOCK_NCTAID + 128 * axis);
        break;
    case WS_SREG_CLUSTERID:
    case WS_SREG_NCLUSTERID:
    case WS_SREG_CLUSTER_CTAID:
    case WS_SREG_CLUSTER_NCTAID:
        *out = cluster_place(b, (ws_sreg)o->sreg) + 128 * axis;
        break;
    case WS_SREG_CLUSTER_CTARANK:
    case WS_SREG_CLUSTER_NCTARANK:
        *out = cluster_place(b, (ws_sreg)o->sreg);
        return WS_OK;
    case WS_SREG_PM:
    case WS_SREG_RESERVED_SMEM: /* nothing of shared memory is */
        return place_constant(b, false, 0, out);
    case WS_SREG_CURRENT_GRAPH_EXEC: /* no graph launches itself */
        *wide = true;
        return place_constant(b, true, 0, out);
    case WS_SREG_LANEID:
    case WS_SREG_LANEMASK_EQ:
    case WS_SREG_LANEMASK_LE:
    case WS_SREG_LANEMASK_LT:
    case WS_SREG_LANEMASK_GE:
    case WS_SREG_LANEMASK_GT:
        return lane_vector_place(b, o->sreg, out);
    case WS_SREG_NWARPID:
        *out = PLACE(BANK_BLOCK, BLOCK_NWARPID);
        return WS_OK;
    case WS_SREG_SMID:
        *out = PLACE(BANK_BLOCK, BLOCK_SMID);
        return WS_OK;
    case WS_SREG_NSMID:
        return place_constant(b, false, SMS, out);
    case WS_SREG_GRIDID:
        *out = PLACE(BANK_BLOCK, BLOCK_GRIDID);
        return WS_OK;
    case WS_SREG_DYNAMIC_SMEM:
        *out = PLACE(BANK_BLOCK, BLOCK_DYNAMIC_SMEM);
        return WS_OK;
    case WS_SREG_TOTAL_SMEM:
    case WS_SREG_AGGR_SMEM:
        *out = PLACE(BANK_BLOCK, BLOCK_TOTAL_SMEM);
        return WS_OK;
    case WS_SREG_WARPSZ:
        return place_constant(b, false, WS_WARP, out);
    case WS_SREG_ENVREG:
        if (o->component == 1 || o->component == 2) {
            *out = PLACE(BANK_BLOCK, o->component == 1 ? BLOCK_ENVREG1 : BLOCK_ENVREG2);
            return WS_OK;
        }
        return place_constant(b, false, 0, out);
    case WS_SREG_CLOCK:
    case WS_SREG_CLOCK_HI:
    case WS_SREG_CLOCK64:
    case WS_SREG_GLOBALTIMER:
    case WS_SREG_GLOBALTIMER_LO:
    case WS_SREG_GLOBALTIMER_HI: {
        *wide = o->sreg == WS_SREG_CLOCK64 || o->sreg == WS_SREG_GLOBALTIMER;
        *out = place_take_temp(b, *wide ? 64 : 32);
        uop *u;
        const int status = decode_emit_special(b, exchange_clock, *out, PLACE_NONE, PLACE_NONE, PLACE_NONE, &u);
        if (!status) {
            u->wide = *wide;
            u->mode = o->sreg == WS_SREG_CLOCK_HI || o->sreg == WS_SREG_GLOBALTIMER_HI;
            u->mode2 = o->sreg == WS_SREG_GLOBALTIMER || o->sreg == WS_SREG_GLOBALTIMER_LO ||
                       o->sreg == WS_SREG_GLOBALTIMER_HI;
        }
        return status;
    }
    default:
        return decode_refuse(b, "reads a special register that is not supported");
    }
    return axis > 2 ? place_constant(b, false, 0, out) : WS_OK; /* .w reads as zero */
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
    *out = place_take_temp(b, bits);
    const bool extend_sign = to_wide && ws_type_kind_of(want) == WS_KIND_SINT;
    ws_type taken = want;
    if (to_wide) /* widening: all bits that the source has */
        taken = from_bits == 8 ? WS_T_b8 : from_bits == 16 ? WS_T_b16 : WS_T_b32;
    return emit_adapt(b, *out, to_wide, from, from_wide, taken, extend_sign);
}

/* A register and a number, added at the register's width before the instruction reads it (ptxas 13.0 makes the code of
 * an add in front). */
static int sum_place(builder *b, const ws_operand *o, place *out)
{
    const unsigned bits = ws_type_bits(decode_reg_type(b, o->reg));
    place number;
    uop *u;
    int status = place_constant(b, bits > 32, (uint64_t)o->offset, &number);
    *out = place_take_temp(b, bits);
    if (!status)
        status = decode_emit_special(b, exchange_add, *out, place_reg(b, o->reg), number, PLACE_NONE, &u);
    if (status)
        return status;
    u->mode = (uint8_t)bits;
    u->wide = bits > 32;
    b->sums++;
    return WS_OK;
}

int place_source(builder *b, const ws_operand *o, ws_type want, place *out)
{
    uint64_t value;
    bool relative, wide;
    int status;
    switch (o->kind) {
    case WS_OPND_REG: {
        const ws_type have = decode_reg_type(b, o->reg);
        if ((want == WS_T_pred) != (have == WS_T_pred))
            return decode_refuse(b, "mixes predicate and data registers");
        if (want == WS_T_pred) {
            *out = place_reg(b, o->reg);
            if (!o->negate)
                return WS_OK;
            const place to = place_take_temp(b, 1);
            uop *u;
            status = decode_emit_special(b, exchange_combine, to, *out, PLACE_NONE, PLACE_NONE, &u);
            if (!status)
                u->mode2 = 4; /* plain negation */
            *out = to;
            return status;
        }
        if (ws_type_bits(have) > 64)
            return decode_refuse(b, "has a 128-bit register where the instruction takes none");
        place from = place_reg(b, o->reg);
        status = o->offset ? sum_place(b, o, &from) : WS_OK;
        return status ? status : narrowed(b, from, ws_type_bits(have), want, out);
    }
    case WS_OPND_IMM:
        if (want == WS_T_pred) {
            status = place_constant(b, false, o->imm ? UINT32_MAX : 0, out);
            return status;
        }
        return place_constant(b, ws_type_bits(want) > 32, immediate_bits(o, want), out);
    case WS_OPND_SREG:
        if (o->sreg == WS_SREG_IS_EXPLICIT_CLUSTER) {
            if (want != WS_T_pred)
                return decode_refuse(b, "mixes predicate and data registers");
            *out = cluster_place(b, WS_SREG_IS_EXPLICIT_CLUSTER);
            return WS_OK;
        }
        status = sreg_place(b, o, out, &wide);
        return status ? status : narrowed(b, *out, wide ? 64 : 32, want, out);
    case WS_OPND_SYMBOL:
        status = place_symbol_value(b, o, &value, &relative);
        if (status)
            return status;
        wide = ws_type_bits(want) > 32;
        status = place_constant(b, wide, value, out);
        if (!status && relative) { /* the frame's local memory starts where its caller's ends */
            const place to = place_take_temp(b, wide ? 64 : 32);
            uop *u;
            status = decode_emit_special(b, exchange_uniform, to, *out, PLACE_NONE, PLACE_NONE, &u);
            if (!status)
                u->wide = wide;
            *out = to;
        }
        return status;
    default:
        return decode_refuse(b, "has an operand that is not supported here");
    }
}

int place_destination(builder *b, const ws_operand *o, ws_type type, destination *d)
{
    const bool wide = ws_type_bits(type) > 32;
    *d = (destination){.type = type};
    if (o->kind == WS_OPND_SINK || o->kind == WS_OPND_NONE) {
        d->at = place_take_temp(b, type == WS_T_pred ? 1 : wide ? 64 : 32);
        return WS_OK;
    }
    if (o->kind != WS_OPND_REG)
        return decode_refuse(b, "needs a register as destination");
    const ws_type have = decode_reg_type(b, o->reg);
    if ((have == WS_T_pred) != (type == WS_T_pred))
        return decode_refuse(b, "mixes predicate and data registers");
    d->reg = d->at = place_reg(b, o->reg);
    if (type == WS_T_pred)
        return WS_OK;
    if (ws_type_bits(have) > 64)
        return decode_refuse(b, "has a 128-bit register where the instruction takes none");
    d->number = place_reg_number(b, o->reg);
    d->bits = place_reg_wide(b, o->reg) ? 64 : 32;
    d->reg_is_wide = place_reg_wide(b, o->reg);
    const bool is_signed = ws_type_kind_of(type) == WS_KIND_SINT;
    d->adapt = d->reg_is_wide != wide || (is_signed && ws_type_bits(type) < ws_type_bits(have));
    if (d->adapt)
        d->at = place_take_temp(b, wide ? 64 : 32);
    return WS_OK;
}

int place_finish(builder *b, const destination *d)
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
