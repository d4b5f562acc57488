/* decode_kernel.c - turns a kernel and the functions it may call into micro-operations with resolved operands. */
#include "base/grow.h"
#include "collect/simt/decode_internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- the instruction table ---- */

typedef struct reg_list {
    builder *b;
    ws_instr *out;
} reg_list;

static void note_register(void *context, uint32_t reg, bool is_def)
{
    reg_list *l = context;
    if (is_def && l->out->dsts < WS_INSTR_DST)
        l->out->dst[l->out->dsts++] = place_reg_number(l->b, reg);
    if (!is_def && l->out->srcs < WS_INSTR_SRC)
        l->out->src[l->out->srcs++] = place_reg_number(l->b, reg);
}

/* mbarrier: arrivals and counts of bytes; who waits only reads. */
static bool changes_object(const ws_insn *in)
{
    return in->sub == WS_SUB_ASYNC_MBARRIER ||
           (in->op == WS_OP_mbarrier && in->sub != WS_SUB_TEST_WAIT && in->sub != WS_SUB_TRY_WAIT);
}

static void describe(builder *b, ws_instr *out)
{
    const ws_insn *in = b->insn;
    *out = (ws_instr){.opcode = in->text,
                      .line = in->line,
                      .column = in->column,
                      .cls = (uint8_t)ws_ptx_class(in),
                      .guarded = in->guard != NULL,
                      .reconverge = UINT32_MAX};
    if (out->cls == WS_CLASS_MEMORY) {
        out->space = in->space;
        const unsigned vec = in->vec ? in->vec : 1;
        out->bytes = b->bytes ? b->bytes
                     : in->types && in->space != WS_SPACE_TEXTURE
                         ? (uint8_t)(ws_type_bits(in->type[in->types - 1]) / 8 * vec)
                         : 0;
        out->access = in->op == WS_OP_st || in->op == WS_OP_sust || in->op == WS_OP_stmatrix ||
                              (in->op == WS_OP_wmma && !ws_ptx_dsts(in)) || in->sub == WS_SUB_ASYNC_BULK_GROUP ||
                              in->sub == WS_SUB_INIT || in->sub == WS_SUB_INVAL
                          ? WS_ACCESS_STORE
                      : in->op == WS_OP_atom                         ? WS_ACCESS_ATOMIC
                      : changes_object(in)                           ? WS_ACCESS_REDUCE
                      : in->op == WS_OP_red || in->op == WS_OP_sured ? WS_ACCESS_REDUCE
                                                                     : WS_ACCESS_LOAD;
    }
    ws_ptx_facts(in, out);
    const uint32_t home = b->f.block_of[in - b->fn->insn];
    if (out->cls == WS_CLASS_BRANCH) {
        out->conditional =
            in->guard || in->op == WS_OP_brx || (in->op == WS_OP_call && in->operand[1].kind == WS_OPND_REG);
        if (b->f.reconverge[home] != FLOW_END && (in->op == WS_OP_bra || in->op == WS_OP_brx))
            out->reconverge = b->p->first_pc + b->f.reconverge[home];
    }
    reg_list list = {b, out};
    ws_insn shown = *in;
    if (out->cls != WS_CLASS_MEMORY && (in->op == WS_OP_mma || in->op == WS_OP_wmma)) {
        /* More sources than the table has room for: the accumulator first, for chains of products run through it. */
        shown.operand[1] = in->operand[3];
        shown.operand[2] = in->operand[1];
        shown.operand[3] = in->operand[2]; /* metadata of mma.sp stays behind */
    }
    flow_operands(&shown, note_register, &list);
}

/* ---- functions ---- */

static uint32_t align_up(uint64_t x, uint64_t unit)
{
    return (uint32_t)((x + unit - 1) / unit * unit);
}

/* Marks formal parameters whose address goes into a register: they are copied to the stack (PTX ISA, mov). Loads and
 * stores of the parameter space, and calls, name a parameter without that. */
static void mark_on_stack(const ws_function *fn, const ws_operand *o, call_value *arg)
{
    if (o->kind == WS_OPND_SYMBOL && decode_within(o->variable, fn->param, fn->params))
        arg[o->variable - fn->param].on_stack = true;
    for (unsigned i = 0; i < o->elems; i++)
        mark_on_stack(fn, &o->elem[i], arg);
}

static void find_on_stack(const ws_function *fn, call_value *arg)
{
    for (uint32_t k = 0; k < fn->insns; k++) {
        const ws_insn *in = &fn->insn[k];
        for (unsigned i = 0; i < in->operands && in->op != WS_OP_call; i++)
            if (in->space != WS_SPACE_PARAM || in->operand[i].kind != WS_OPND_ADDRESS)
                mark_on_stack(fn, &in->operand[i], arg);
    }
}

/* Lays out frame, local memory and the parameter area of a function. */
/* Registers and temporaries in the order of their sizes; a place has 30 bits for an offset. */
static int lay_out_registers(builder *b)
{
    proc *const p = b->p;
    const uint64_t bytes = 4 * ((uint64_t)b->f.slots_pred + TEMPS + 1) + 256 + 256 * ((uint64_t)b->f.slots64 + TEMPS) +
                           512 * (uint64_t)b->f.slots128 + 128 * ((uint64_t)b->f.slots32 + TEMPS);
    if (bytes > PLACE_BYTES)
        return ws_fail(WS_EUNSUPPORTED,
                       "%s:%u:%u: function %s: registers of %llu bytes a warp are live, at most %u are possible",
                       b->fn->file, b->fn->line, b->fn->column, b->fn->name, (unsigned long long)bytes, PLACE_BYTES);
    b->at_pred = 0;
    b->temp_pred = b->at_pred + 4 * b->f.slots_pred;
    b->cc = b->temp_pred + 4 * TEMPS;
    b->at64 = align_up(b->cc + 4, 256);
    b->temp64 = b->at64 + 256 * b->f.slots64;
    b->at128 = b->temp64 + 256 * TEMPS;
    b->at32 = b->at128 + 512 * b->f.slots128;
    b->temp32 = b->at32 + 128 * b->f.slots32;
    p->frame_bytes = b->temp32 + 128 * TEMPS;
    p->live_max = b->f.live_max;
    p->zero_frame = b->f.live_at_entry;
    return WS_OK;
}

/* The next place for a variable of a thread's own, in a part of `*used` bytes. */
static int place_variable(const builder *b, const char *file, const ws_variable *v, uint64_t *used, uint32_t *offset)
{
    const uint64_t at = align_up(*used, v->align ? v->align : 1);
    if (!ws_range_within(at, v->size, MAX_LOCAL_BYTES))
        return ws_fail(WS_EUNSUPPORTED, "%s:%u:%u: kernel %s: variable `%s` needs more than %d bytes per thread", file,
                       v->line, v->column, b->kernel->function->name, v->name, MAX_LOCAL_BYTES);
    *offset = (uint32_t)at;
    *used = at + v->size;
    return WS_OK;
}

static int lay_out(builder *b)
{
    const ws_function *fn = b->fn;
    proc *p = b->p;
    int status = lay_out_registers(b);
    if (status)
        return status;
    b->local_offset = ws_arena_alloc(b->c->arena, (fn->vars + 1) * sizeof(uint32_t));
    b->param_offset = ws_arena_alloc(b->c->arena, (fn->vars + 1) * sizeof(uint32_t));
    b->formal_offset = ws_arena_alloc(b->c->arena, (fn->params + fn->rets + 1) * sizeof(uint32_t));
    p->arg = ws_arena_alloc(b->c->arena, (CALL_PARTS * fn->params + 1) * sizeof *p->arg);
    p->ret = ws_arena_alloc(b->c->arena, (CALL_PARTS * fn->rets + 1) * sizeof *p->ret);
    b->table = ws_arena_alloc(b->c->arena, (fn->lists + 1) * sizeof *b->table);
    if (!b->local_offset || !b->param_offset || !b->formal_offset || !p->arg || !p->ret || !b->table)
        return decode_no_memory();
    uint64_t local = fn->is_entry ? b->module_local_bytes : 0, param = 0;
    p->formal_args = fn->params;
    p->formal_rets = fn->rets;
    if (!fn->is_entry)
        find_on_stack(fn, p->arg);
    for (uint32_t i = 0; !fn->is_entry && i < fn->params + fn->rets; i++) {
        const bool is_ret = i >= fn->params;
        const ws_variable *v = is_ret ? &fn->ret[i - fn->params] : &fn->param[i];
        const uint32_t *regs = is_ret ? fn->ret_reg : fn->param_reg;
        const uint32_t reg = regs ? regs[is_ret ? i - fn->params : i] : UINT32_MAX;
        call_value *out = is_ret ? &p->ret[i - fn->params] : &p->arg[i];
        if (reg != UINT32_MAX) {
            call_value part[CALL_PARTS] = {{0}};
            unsigned parts = 0;
            for (unsigned k = 0; k < v->vec; k++)
                parts += decode_values_in_register(b, reg + k, part + parts);
            decode_keep_parts(part, parts, out, is_ret ? p->ret : p->arg, is_ret ? &p->formal_rets : &p->formal_args);
        } else {
            status = place_variable(b, fn->file, v, &param, &b->formal_offset[i]);
            *out = (call_value){.offset = b->formal_offset[i], .bytes = (uint32_t)v->size, .on_stack = out->on_stack};
            if (!status && out->on_stack)
                status = place_variable(b, fn->file, v, &local, &out->local);
            if (status)
                return status;
        }
    }
    for (uint32_t i = 0; i < fn->vars; i++) {
        const ws_variable *v = &fn->var[i];
        uint64_t *at_space = v->space == WS_SPACE_LOCAL ? &local : v->space == WS_SPACE_PARAM ? &param : NULL;
        if (!at_space)
            continue;
        status = place_variable(b, fn->file, v, at_space,
                                v->space == WS_SPACE_LOCAL ? &b->local_offset[i] : &b->param_offset[i]);
        if (status)
            return status;
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
        if (u->kind == UOP_BRA)
            u->target = b->uop_of[u->target < n ? u->target : n];
    }
    for (uint32_t l = 0; l < b->fn->lists; l++) {
        brx_table *const table = b->table[l];
        for (uint32_t k = 0; table && k < table->n; k++)
            table->target[k] = b->uop_of[table->target[k] < n ? table->target[k] : n];
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
        status = decode_no_memory();
    p->entry = b->c->uops;
    b->run = UINT32_MAX;
    for (uint32_t i = 0; i < b->fn->insns && !status; i++) {
        b->insn = &b->fn->insn[i];
        b->pc = p->first_pc + i;
        b->used32 = b->used64 = b->used_pred = 0;
        b->bytes = 0;
        if (b->f.start[b->f.block_of[i]] == i)
            decode_close_run(b);
        if (b->run == UINT32_MAX)
            b->uop_of[i] = b->c->uops;
        status = decode_insn(b);
        describe(b, &b->c->instr[b->pc]);
    }
    if (!status) { /* running off the end of the text returns, uncounted */
        decode_close_run(b);
        b->uop_of[b->fn->insns] = b->c->uops;
        uop *u = decode_emit(b, UOP_RET);
        if (u)
            u->mode = 1;
        else
            status = decode_no_memory();
    }
    if (!status)
        resolve_branches(b, p->entry);
    b->reg_base += b->f.slots32 + b->f.slots64 + b->f.slots_pred + b->f.slots128;
    free(b->uop_of);
    b->uop_of = NULL;
    flow_fini(&b->f);
    return status;
}

/* ---- what a kernel reaches ---- */

typedef struct reach {
    builder *b;
    const ws_function **queue;
    uint32_t n, capacity;
    bool indirect;
    int status;
} reach;

static void enqueue(reach *r, const ws_function *fn)
{
    if (WS_GROW(r->queue, r->capacity, r->n, 1)) {
        r->status = decode_no_memory();
        return;
    }
    if (!place_number_add(&r->b->proc_of, fn, r->n))
        r->status = decode_no_memory();
    r->queue[r->n++] = fn;
}

static void reach_function(reach *r, const ws_function *fn)
{
    if (fn->has_body && !fn->is_entry && !place_number_find(&r->b->proc_of, fn))
        enqueue(r, fn);
}

static int place_shared(builder *b, const ws_variable *v)
{
    if (place_number_find(&b->placed, v))
        return WS_OK;
    if (!place_number_add(&b->placed, v, b->shareds))
        return decode_no_memory();
    if (WS_GROW(b->shared, b->shared_capacity, b->shareds, 1))
        return decode_no_memory();
    b->shared[b->shareds++] = (shared_place){v, UINT32_MAX};
    return WS_OK;
}

/* A thread's copy of a .local variable of the module. */
static void place_local(reach *r, const ws_variable *v)
{
    builder *b = r->b;
    if (place_number_find(&b->placed, v))
        return;
    uint64_t used = b->module_local_bytes;
    uint32_t at;
    r->status = place_variable(b, b->kernel->image->module->file, v, &used, &at);
    if (r->status)
        return;
    if (!place_number_add(&b->placed, v, at))
        r->status = decode_no_memory();
    b->module_local_bytes = (uint32_t)used;
}

static void reach_operand(reach *r, const ws_operand *o)
{
    if (o->kind == WS_OPND_SYMBOL) {
        if (o->function)
            reach_function(r, o->function);
        if (o->variable && o->variable->space == WS_SPACE_SHARED && !r->status)
            r->status = place_shared(r->b, o->variable);
        if (o->variable && o->variable->space == WS_SPACE_LOCAL && !o->variable->owner && !r->status)
            place_local(r, o->variable);
        if (o->variable && o->variable->space == WS_SPACE_CONST) {
            builder *b = r->b;
            if (place_number_find(&b->placed, o->variable))
                return;
            if (!place_number_add(&b->placed, o->variable, 0))
                r->status = decode_no_memory();
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
    if ((in->op == WS_OP_atom && space != WS_SPACE_LOCAL) || in->op == WS_OP_nanosleep || in->sub == WS_SUB_TEST_WAIT ||
        in->sub == WS_SUB_TRY_WAIT ||
        (in->op == WS_OP_ld && in->coherent && space != WS_SPACE_LOCAL && space != WS_SPACE_PARAM) ||
        (in->op != WS_OP_red && in->order > WS_ORDER_WEAK && space != WS_SPACE_LOCAL && space != WS_SPACE_PARAM))
        r->b->c->waits = true;
    for (unsigned i = 0; i < in->operands; i++)
        reach_operand(r, &in->operand[i]);
}

/* Collects the functions, shared and constant variables that the kernel uses. */
static int reach_all(builder *b, reach *r)
{
    r->b = b;
    enqueue(r, b->kernel->function);
    for (uint32_t i = 0; i < r->n && !r->status; i++)
        for (uint32_t k = 0; k < r->queue[i]->insns; k++)
            reach_insn(r, &r->queue[i]->insn[k]);
    return r->status;
}

/* Where they lie, for messages. */
static int name_shared(const builder *b)
{
    code *const c = &b->kernel->code;
    c->shared = ws_arena_alloc(c->arena, (b->shareds + 1) * sizeof *c->shared);
    if (!c->shared)
        return decode_no_memory();
    for (uint32_t i = 0; i < b->shareds; i++) {
        const ws_variable *const v = b->shared[i].variable;
        c->shared[c->shareds++] = (shared_name){v->name, b->shared[i].offset, v->unsized ? 0 : (uint32_t)v->size};
    }
    return WS_OK;
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
        const bool fits = ws_range_within(at, v->size, MAX_SHARED_BYTES);
        at += v->size;
        if (!fits)
            return ws_fail(WS_EUNSUPPORTED, "%s:%u:%u: kernel %s: shared variables need more than %d bytes",
                           v->owner ? v->owner->file : v->file, v->line, v->column, b->kernel->function->name,
                           MAX_SHARED_BYTES);
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
    return name_shared(b);
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

static int by_function(const void *a, const void *b)
{
    const code_function *const x = a, *const y = b;
    return x->index < y->index ? -1 : x->index > y->index;
}

/* What calls through pointers look through. */
static int list_functions(code *c)
{
    c->by_function = ws_arena_alloc(c->arena, c->procs * sizeof *c->by_function);
    if (!c->by_function)
        return decode_no_memory();
    for (uint32_t i = 0; i < c->procs; i++)
        c->by_function[i] = (code_function){c->proc[i].function->index, i};
    qsort(c->by_function, c->procs, sizeof *c->by_function, by_function);
    return WS_OK;
}

const proc *kernel_code_find(const code *c, uint32_t function)
{
    const code_function key = {.index = function};
    const code_function *const found = bsearch(&key, c->by_function, c->procs, sizeof key, by_function);
    return found && found->proc ? &c->proc[found->proc] : NULL; /* the first is the kernel, which nobody calls */
}

static int check_directives(const ws_function *fn)
{
    if (fn->blocks_are_clusters && (!fn->cluster[0] || !fn->reqntid[0]))
        return ws_fail(WS_EUNSUPPORTED, "%s:%u:%u: kernel %s: .blocksareclusters needs .reqntid and .reqnctapercluster",
                       fn->file, fn->line, fn->column, fn->name);
    return WS_OK;
}

int kernel_code_build(ws_kernel *kernel)
{
    builder b = {.kernel = kernel, .c = &kernel->code, .proc_of = WS_TABLE(uint32_t), .placed = WS_TABLE(uint32_t)};
    code *c = &kernel->code;
    reach r = {0};
    kernel->const_bytes = kernel->function->param_bytes;
    c->arena = ws_arena_create();
    int status = c->arena ? check_directives(kernel->function) : decode_no_memory();
    if (!status)
        status = reach_all(&b, &r);
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
            status = decode_no_memory();
        else if (decode_constant_space(c, 256) == 0 && c->constants)
            memset(c->constants, 0, 256);
        else
            status = decode_no_memory();
    }
    if (!status)
        status = ws_ptx_code(r.queue, r.n, c->arena, &c->listing);
    if (!status)
        status = ws_ptx_origin(r.queue, r.n, c->arena, &c->origin);
    if (!status)
        status = list_functions(c);
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
    ws_table_fini(&b.placed);
    ws_table_fini(&b.proc_of);
    free(r.queue);
    free(b.constant);
    if (status)
        kernel_code_fini(c);
    return status;
}

void kernel_code_fini(code *c)
{
    free(c->uop);
    free(c->constants);
    ws_arena_destroy(c->arena);
    *c = (code){0};
}
