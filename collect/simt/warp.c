/* warp.c - one warp: the dispatch loop, calls and returns. */
#include "collect/simt/simt_internal.h"

#include "base/grow.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* Warp instructions in divergent code after which lanes at a reconvergence point go ahead even when the others do not
 * look as if they were spinning (they may ask many places in turn). */
#define STUCK_INSTRUCTIONS (1ull << 20)

enum { LONGEST_SLEEP_NS = 1000000 }; /* PTX ISA, nanosleep */
enum { VAIN_POLLS = 8 };             /* in a row, and lanes are taken to wait */

enum { STRETCH = 32 }; /* warp instructions of arithmetic after which a step ends */

/* ---- frames ---- */

static void load_frame(warp *w)
{
    const frame *f = &w->frame[w->frames - 1];
    w->bank[BANK_FRAME] = f->regs;
}

static bool fail_memory(warp *w)
{
    w->state = WARP_FAULT;
    return block_fail(w->block, WS_EMEM, "no memory for the registers of a warp");
}

/* More local memory for each thread, zeros. */
static bool extend_local(warp *w, uint32_t used)
{
    if (used > w->local_capacity) {
        const uint32_t capacity = w->local_capacity ? 2 * used : used;
        sandbox *const from = &w->block->launch->device->sandbox;
        unsigned char *fresh = region_sandbox_alloc(from, (uint64_t)WS_WARP * capacity);
        if (!fresh)
            return fail_memory(w);
        for (uint32_t i = 0; i < WS_WARP && w->local; i++)
            memcpy(fresh + (size_t)i * capacity, w->local + (size_t)i * w->local_capacity, w->local_used);
        region_sandbox_free(from, w->local);
        w->local = fresh;
        w->local_capacity = capacity;
    } else if (used > w->local_used) {
        for (uint32_t i = 0; i < WS_WARP; i++)
            memset(w->local + (size_t)i * w->local_capacity + w->local_used, 0, used - w->local_used);
    }
    w->local_used = used;
    return true;
}

static void put_lanes(void *d, bool wide, uint64_t value, uint32_t exec)
{
    WS_EACH_LANE (i, exec) {
        if (wide)
            ((uint64_t *)d)[i] = value;
        else
            ((uint32_t *)d)[i] = (uint32_t)value;
    }
}

/* All threads of a warp share one height of the stack: an allocation is as large as the largest of its lanes, and what
 * some lanes give back while others of the function run elsewhere comes back when the function returns. */
bool warp_stack_run(warp *w, const uop *u, uint32_t exec)
{
    if (!exec)
        return true;
    const frame *const f = &w->frame[w->frames - 1];
    const void *const from = place_pointer(w, u->a);
    uint64_t most = 0;
    WS_EACH_LANE (i, exec) {
        const uint64_t v = u->wide ? ((const uint64_t *)from)[i] : ((const uint32_t *)from)[i];
        most = v > most ? v : most;
    }
    if (u->mode2) {
        const bool all = !(f->mask & w->live & ~exec);
        if (most > w->local_used || most < f->local_base)
            return block_fault(w, u, ws_lowest(exec), "restores the stack to %llu bytes, which stacksave did not give",
                               (unsigned long long)most);
        w->local_used = all ? (uint32_t)most : w->local_used;
        return true;
    }
    if (!u->mode) {
        put_lanes(place_pointer(w, u->d), u->wide, w->local_used, exec);
        return true;
    }
    const uint64_t at = (w->local_used + u->mode - 1u) / u->mode * u->mode;
    if (!ws_range_within(at, most, MAX_LOCAL_BYTES))
        return block_fault(w, u, ws_lowest(exec), "the thread's stack of %d bytes is used up", MAX_LOCAL_BYTES);
    if (!extend_local(w, (uint32_t)((at + most + 7) / 8 * 8)))
        return false;
    put_lanes(place_pointer(w, u->d), u->wide, at, exec);
    return true;
}

/* Enters a function: registers, parameter area, local memory. The caller pushes the first path. */
static frame *push_frame(warp *w, const proc *p)
{
    if (w->frames == w->frame_capacity) {
        const uint32_t before = w->frame_capacity;
        if (WS_GROW(w->frame, w->frame_capacity, before, 1)) {
            fail_memory(w);
            return NULL;
        }
        memset(w->frame + before, 0, (w->frame_capacity - before) * sizeof *w->frame);
    }
    frame *f = &w->frame[w->frames];
    if (f->regs_capacity < p->frame_bytes) {
        free(f->regs);
        f->regs = aligned_alloc(64, (p->frame_bytes + 63) / 64 * 64);
        f->regs_capacity = f->regs ? p->frame_bytes : 0;
        if (f->regs)
            memset(f->regs, 0, p->frame_bytes);
    }
    if (f->param_capacity < p->param_bytes * WS_WARP) {
        sandbox *const from = &w->block->launch->device->sandbox;
        region_sandbox_free(from, f->param);
        f->param = region_sandbox_alloc(from, (uint64_t)p->param_bytes * WS_WARP);
        f->param_capacity = f->param ? p->param_bytes * WS_WARP : 0;
    }
    if (!f->regs || (p->param_bytes && !f->param)) {
        fail_memory(w);
        return NULL;
    }
    if (p->zero_frame || w->block->sampled)
        memset(f->regs, 0, p->frame_bytes);
    if (p->param_bytes)
        memset(f->param, 0, p->param_bytes * WS_WARP);
    f->proc = p;
    f->local_base = w->local_used;
    f->stack_base = w->paths;
    f->call = NULL;
    f->pending = 0;
    if (!extend_local(w, w->local_used + p->local_bytes))
        return NULL;
    if (w->block->checks && p->local_bytes && f->local_base)
        checks_frame(w, f->local_base, p->local_bytes);
    w->frames++;
    load_frame(w);
    return f;
}

int warp_start(warp *w, uint32_t lanes)
{
    const code *c = w->block->launch->code;
    w->paths = w->frames = w->local_used = 0;
    w->live = lanes;
    w->instructions = 0;
    w->depth = w->turn = w->forced = 0;
    w->stuck_since = 0;
    w->step_limit = WAITING_SLICE;
    w->spin_pc = FLOW_END;
    w->slept = 0;
    memset(w->poll, 0, sizeof w->poll);
    w->yields = w->gave_way = w->phase_ended = false;
    w->vain = 0;
    w->waits_at = NULL;
    async_start(w);
    if (w->device_error)
        memset(w->device_error, 0, WS_WARP * sizeof *w->device_error);
    w->state = WARP_READY;
    w->bank[BANK_CONST] = c->constants;
    w->bank[BANK_WARP] = w->identity;
    w->bank[BANK_BLOCK] = w->block->identity;
    frame *f = push_frame(w, &c->proc[0]);
    if (!f)
        return w->block->status;
    f->mask = lanes;
    stack_push(w, (path){.pc = c->proc[0].entry, .end = FLOW_END, .mask = lanes});
    if (w->state == WARP_FAULT)
        return w->block->status;
    stack_load(w);
    return WS_OK;
}

void warp_fini(warp *w)
{
    sandbox *const from = &w->block->launch->device->sandbox;
    for (uint32_t i = 0; i < w->frame_capacity; i++) {
        free(w->frame[i].regs);
        region_sandbox_free(from, w->frame[i].param);
    }
    free(w->frame);
    free(w->path);
    region_sandbox_free(from, w->local);
    free(w->device_error);
    async_fini(w);
}

/* ---- calls ---- */

/* Copies an argument or result of each lane between two frames. */
static void move_value(frame *to, const call_value *dst, frame *from, const unsigned char *constants,
                       const call_value *src, uint32_t lanes)
{
    const uint32_t bytes = dst->bytes < src->bytes ? dst->bytes : src->bytes;
    WS_EACH_LANE (i, lanes) {
        uint64_t word = 0;
        const void *in;
        if (src->is_reg) {
            const unsigned char *bank = src->reg >> 30 == BANK_CONST ? constants : from->regs;
            const void *reg = bank + (src->reg & 0x3fffffff);
            word = src->predicate ? *(const uint32_t *)reg >> i & 1
                   : src->wide    ? ((const uint64_t *)reg)[i]
                                  : ((const uint32_t *)reg)[i];
            in = &word;
        } else {
            in = from->param + (size_t)i * from->proc->param_bytes + src->offset;
        }
        if (dst->is_reg) {
            uint64_t value = 0;
            memcpy(&value, in, bytes < 8 ? bytes : 8);
            void *reg = to->regs + (dst->reg & 0x3fffffff);
            if (dst->predicate)
                *(uint32_t *)reg = (*(uint32_t *)reg & ~(1u << i)) | (uint32_t)(value != 0) << i;
            else if (dst->wide)
                ((uint64_t *)reg)[i] = value;
            else
                ((uint32_t *)reg)[i] = (uint32_t)value;
        } else {
            memcpy(to->param + (size_t)i * to->proc->param_bytes + dst->offset, in, bytes);
        }
    }
}

static bool enter(warp *w, const uop *u, const proc *callee, uint32_t lanes, uint32_t pending)
{
    const call_site *site = u->info;
    const unsigned depth = w->block->launch->device->call_depth;
    if (w->frames >= depth)
        return block_fault(w, u, ws_lowest(lanes), "call depth of %u exceeded (endless recursion?)", depth);
    if (!ws_range_within(w->local_used, callee->local_bytes, MAX_LOCAL_BYTES))
        return block_fault(w, u, ws_lowest(lanes), "the thread's stack of %d bytes is used up", MAX_LOCAL_BYTES);
    const uint16_t level = w->path[w->paths - 1].level;
    frame *f = push_frame(w, callee);
    if (!f)
        return false;
    f->mask = lanes;
    f->call = u;
    f->pending = pending;
    frame *caller = f - 1;
    const uint32_t n = site->args < callee->formal_args ? site->args : callee->formal_args;
    for (uint32_t i = 0; i < n; i++)
        move_value(f, &callee->arg[i], caller, w->bank[BANK_CONST], &site->arg[i], lanes);
    for (uint32_t i = 0; i < callee->formal_args; i++) {
        const call_value *v = &callee->arg[i];
        WS_EACH_LANE (lane, v->on_stack ? lanes : 0) {
            memcpy(w->local + (size_t)lane * w->local_capacity + f->local_base + v->local,
                   f->param + (size_t)lane * callee->param_bytes + v->offset, v->bytes);
            if (w->block->checks)
                checks_wrote(w, WS_SPACE_LOCAL, (unsigned)lane, f->local_base + v->local, v->bytes);
        }
    }
    stack_push(w, (path){.pc = callee->entry, .end = FLOW_END, .mask = lanes, .level = level});
    if (w->state == WARP_FAULT)
        return false;
    stack_load(w);
    return true;
}

/* Starts a call for the first lane that still has to call and all that call the same function. */
static bool call_group(warp *w, const uop *u, uint32_t lanes)
{
    const call_site *site = u->info;
    const code *c = w->block->launch->code;
    if (site->callee >= 0)
        return enter(w, u, &c->proc[site->callee], lanes, 0);
    const void *reg = place_pointer(w, site->target);
    uint64_t target = 0;
    uint32_t group = 0;
    WS_EACH_LANE (i, lanes) {
        const uint64_t t = site->target_wide ? ((const uint64_t *)reg)[i] : ((const uint32_t *)reg)[i];
        if (!group)
            target = t;
        if (t == target)
            group |= 1u << i;
    }
    const uint64_t index = (target - FUNCTION_BASE) / 16;
    const bool is_function = target >= FUNCTION_BASE && (target - FUNCTION_BASE) % 16 == 0 && index <= UINT32_MAX;
    const proc *const callee = is_function ? kernel_code_find(c, (uint32_t)index) : NULL;
    if (!callee)
        return block_fault(w, u, ws_lowest(group), "call through a pointer that is no function: 0x%llx",
                           (unsigned long long)target);
    return enter(w, u, callee, group, lanes & ~group);
}

/* All lanes of the running function have returned or exited: results go to the caller, which goes on. */
static bool leave(warp *w)
{
    frame *f = &w->frame[w->frames - 1], *caller = f - 1;
    const uop *u = f->call;
    const call_site *site = u->info;
    const uint32_t back = f->mask & w->live, pending = f->pending & w->live;
    const uint32_t n = site->rets < f->proc->formal_rets ? site->rets : f->proc->formal_rets;
    for (uint32_t i = 0; i < n; i++)
        move_value(caller, &site->ret[i], f, w->bank[BANK_CONST], &f->proc->ret[i], back);
    w->local_used = f->local_base;
    w->frames--;
    load_frame(w);
    return pending ? call_group(w, u, pending) : true;
}

/* After paths changed: finds what runs next. False when the warp is done, waits, or failed. */
static bool settle(warp *w)
{
    for (;;) {
        if (w->state == WARP_FAULT)
            return false;
        if (!stack_settle(w, w->frame[w->frames - 1].stack_base)) {
            if (w->frames == 1) {
                w->state = WARP_DONE;
                w->block->live_warps--;
                return false;
            }
            if (!leave(w)) {
                w->state = WARP_FAULT;
                return false;
            }
            continue;
        }
        if (!w->path[w->paths - 1].blocked)
            return true;
        if (stack_unblock(w))
            return true;
        if (w->state != WARP_FAULT)
            w->state = WARP_BARRIER;
        return false;
    }
}

/* ---- dispatch ---- */

static inline uint8_t event_depth(const warp *w)
{
    return (uint8_t)(w->depth < 255 ? w->depth : 255);
}

static bool emit_run(warp *w, uint32_t pc, uint32_t count, uint32_t active, uint32_t exec)
{
    block *b = w->block;
    if (!(b->wants & WS_WANT_RUN))
        return true;
    ws_event *ev = block_event(b);
    if (!ev)
        return false;
    *ev = (ws_event){.pc = pc,
                     .warp = (uint16_t)w->index,
                     .count = (uint16_t)count,
                     .active = active,
                     .exec = exec,
                     .kind = WS_EVENT_RUN,
                     .depth = event_depth(w)};
    return true;
}

static bool emit_branch(warp *w, uint32_t pc, uint32_t active, uint32_t taken)
{
    block *b = w->block;
    if (!(b->wants & WS_WANT_BRANCH))
        return true;
    ws_event *ev = block_event(b);
    if (!ev)
        return false;
    *ev = (ws_event){.pc = pc,
                     .warp = (uint16_t)w->index,
                     .count = 1,
                     .active = active,
                     .exec = active,
                     .taken = taken,
                     .kind = WS_EVENT_BRANCH,
                     .depth = event_depth(w)};
    return true;
}

/* One uop of a group on the lanes of a mask. */
static inline bool run_uop(warp *w, const uop *u, const ws_mask *m)
{
    if (__builtin_expect(u->kind == UOP_LANES, 1)) {
        u->fn(place_pointer(w, u->d), place_pointer(w, u->a), place_pointer(w, u->b), place_pointer(w, u->c),
              place_pointer(w, u->e), m);
        return true;
    }
    return u->special(w, u, m->bits);
}

/* The same with the values reported that the uop replaces. */
static bool run_uop_watched(warp *w, const uop *u, const ws_mask *m)
{
    if (!u->dst_bits || !m->bits)
        return run_uop(w, u, m);
    uint64_t before[WS_WARP], after[WS_WARP];
    const bool wide = u->dst_bits == 64;
    const void *d = place_pointer(w, u->d);
    for (int i = 0; i < WS_WARP; i++)
        before[i] = wide ? ((const uint64_t *)d)[i] : ((const uint32_t *)d)[i];
    if (!run_uop(w, u, m))
        return false;
    for (int i = 0; i < WS_WARP; i++)
        after[i] = wide ? ((const uint64_t *)d)[i] : ((const uint32_t *)d)[i];
    const ws_value value = {.pc = u->pc,
                            .warp = (uint16_t)w->index,
                            .bytes = wide ? 8 : 4,
                            .exec = m->bits,
                            .reg = u->dst_reg,
                            .before = before,
                            .after = after};
    return block_values(w->block, &value);
}

static bool run_group(warp *w, const uop *u, uint32_t n, const ws_mask *m)
{
    if (__builtin_expect(w->block->sampled, 0)) {
        for (uint32_t i = 0; i < n; i++)
            if (!run_uop_watched(w, u + i, m))
                return false;
        return true;
    }
    for (uint32_t i = 0; i < n; i++)
        if (!run_uop(w, u + i, m))
            return false;
    return true;
}

/* brx.idx: lanes go to table[index]; an index beyond the table is an error of the program. */
static bool run_brx(warp *w, const uop *u, uint32_t next, uint32_t exec)
{
    const struct {
        uint32_t n;
        uint32_t target[];
    } *table = u->info;
    const uint32_t *index = place_pointer(w, u->b);
    uint32_t target[WS_WARP + 1], mask[WS_WARP + 1], n = 0, rest = exec;
    const uint32_t stay = w->mask.bits & ~exec;
    while (rest) {
        const uint32_t lane = ws_lowest(rest), value = index[lane];
        if (value >= table->n)
            return block_fault(w, u, lane, "branch index %u beyond its table of %u targets", value, table->n);
        uint32_t same = 0;
        WS_EACH_LANE (i, rest)
            if (index[i] < table->n && table->target[index[i]] == table->target[value])
                same |= 1u << i;
        target[n] = table->target[value];
        mask[n++] = same;
        rest &= ~same;
    }
    if (stay) {
        target[n] = next;
        mask[n++] = stay;
    }
    if (n == 1)
        w->path[w->paths - 1].pc = target[0];
    else
        stack_switch(w, target, mask, n, u, u->extra);
    return w->state != WARP_FAULT;
}

bool warp_spins(warp *w)
{
    const frame *f = &w->frame[w->frames - 1];
    const uint32_t pc = w->path[w->paths - 1].pc;
    const uint64_t hash = XXH3_64bits(f->regs, f->proc->frame_bytes);
    const bool same = w->spin_pc == pc && w->spin_hash == hash && w->spin_frames == w->frames;
    w->spin_pc = pc;
    w->spin_hash = hash;
    w->spin_frames = w->frames;
    return same;
}

void warp_polled(warp *w, const uop *u, uint64_t seen)
{
    unsigned i = 0;
    while (i + 1 < POLLS && w->poll[i].at && w->poll[i].at != u)
        i++;
    const bool same = w->poll[i].at == u && w->poll[i].seen == seen;
    w->poll[i] = (poll){u, seen};
    w->vain = same ? w->vain + 1 : 0;
    if (w->vain == VAIN_POLLS)
        w->step_limit = w->instructions; /* who steps need not wait for the end of a slice */
}

/* A slice ended in the middle of things. In divergent code lanes may be waiting for lanes of another side, or for some
 * that stand at a reconvergence point: they get their turn, one remedy after the other. */
static void slice_end(warp *w)
{
    w->step_limit = w->instructions + WAITING_SLICE;
    /* Accesses that others can answer see nothing new. Registers may change meanwhile: who waits may count his tries,
     * or look at a clock. */
    const bool in_vain = w->vain >= VAIN_POLLS;
    if (!w->depth || !w->block->launch->code->waits) {
        w->stuck_since = w->instructions;
        return;
    }
    const bool long_stuck = w->instructions - w->stuck_since >= STUCK_INSTRUCTIONS;
    if (!in_vain && !warp_spins(w) && !long_stuck)
        return;
    w->stuck_since = w->instructions;
    w->spin_pc = FLOW_END;
    w->vain = 0;
    const bool moved = w->turn++ % 2 ? stack_release(w) || stack_rotate(w) : stack_rotate(w) || stack_release(w);
    (void)moved; /* either remedy may have nothing to do: then it is another warp or block that has to move */
}

/* nanosleep: the warp sleeps as long as the lane that sleeps longest. */
static void sleep(warp *w, const uop *u, uint32_t exec)
{
    const uint32_t *const ns = place_pointer(w, u->b);
    uint32_t most = 0;
    WS_EACH_LANE (i, exec)
        most = ns[i] > most ? ns[i] : most;
    w->slept += most < LONGEST_SLEEP_NS ? most : LONGEST_SLEEP_NS;
}

/* Arithmetic: what no other warp sees and what sees no other warp. */
static bool is_arithmetic(const uop *u)
{
    return u->kind == UOP_RUN || u->kind == UOP_GUARDED || u->kind == UOP_LANES || u->kind == UOP_SPECIAL;
}

/* Uops before which lanes that were parted have to come together. */
static bool synchronises(const uop *u)
{
    switch ((uop_kind)u->kind) {
    case UOP_BARRIER:
        return true;
    case UOP_RUN:
    case UOP_GUARDED:
    case UOP_ACCESS:
        return u->mode;
    case UOP_CALL: /* inside, they could not be brought together with lanes outside */
        return ((const call_site *)u->info)->callee != -2;
    default:
        return false;
    }
}

/* Whether the warp lets the others of its block go first: before each store that they might see, once. */
static inline bool lets_others_go_first(warp *w, const uop *u)
{
    const mem_access *const a = u->info;
    const bool visible = a->op == MEM_STORE && (a->space == WS_SPACE_GLOBAL || a->space == WS_SPACE_GENERIC);
    w->gave_way = visible && !w->gave_way;
    return w->gave_way;
}

/* How far a warp runs at a time: until it waits, ends or fails, until its slice ends, and
 * to a store: until it gives way to the others;
 * one step: a stretch of arithmetic or one other instruction. */
typedef enum leg { LEG_SLICE, LEG_TO_STORE, LEG_STEP } leg;

/* How many lanes execute, where it is known how many are active: counting bits takes a while without an instruction for
 * it. */
static inline uint32_t executing(uint32_t exec, uint32_t active, uint32_t lanes)
{
    return exec == active ? lanes : (uint32_t)ws_popcount(exec);
}

/* Counts an instruction that this many threads executed. */
#define DID(lanes_) \
    do { \
        w->instructions++; \
        warps++; \
        threads += (lanes_); \
    } while (0)

/* Compiled once for each kind of leg, so that none pays for the others. */
static inline __attribute__((always_inline)) void dispatch(warp *w, const uint64_t limit, const leg how)
{
    const bool stepped = how == LEG_STEP;
    block *b = w->block;
    worker *k = b->worker;
    const uop *uops = b->launch->code->uop;
    const uint64_t before = w->instructions;
    uint64_t threads = 0, warps = 0;
    bool stretch = false; /* so far the step is arithmetic */
    if (!settle(w))
        goto out;
    for (;;) {
        path *top = &w->path[w->paths - 1];
        const uint32_t end = top->end;
        uint32_t pc = top->pc;
        const uint32_t active = w->mask.bits, lanes = ws_popcount(active);
        /* Straight on until the path changes. */
        for (;;) {
            if (pc == end) {
                top->pc = pc;
                break;
            }
            const uop *u = &uops[pc];
            if (stepped) {
                const bool arithmetic = is_arithmetic(u), begun = w->instructions != before;
                if (begun && !(stretch && arithmetic && w->instructions - before < STRETCH)) {
                    top->pc = pc;
                    goto out;
                }
                stretch = arithmetic;
            }
            if (__builtin_expect(w->forced, 0)) {
                if (synchronises(u) && !top->met) {
                    top->pc = pc;
                    if (stack_meet(w))
                        w->path[w->paths - 1].met = true;
                    break;
                }
                top->met = false;
            }
            switch ((uop_kind)u->kind) {
            case UOP_RUN:
                if (!run_group(w, u + 1, u->extra, &w->mask) || !emit_run(w, u->pc, u->count, active, active))
                    goto fault;
                w->instructions += u->count;
                warps += u->count;
                threads += (uint64_t)u->count * lanes;
                pc = u->target;
                continue;
            case UOP_MEMORY: {
                if (how == LEG_TO_STORE && lets_others_go_first(w, u)) {
                    top->pc = pc;
                    if (w->instructions >= w->step_limit) /* a path may spin and store: others have to get their turn */
                        slice_end(w);
                    goto out;
                }
                const uint32_t exec = guard_mask(w, u->guard, u->e, active);
                if (!access_run(w, u, exec, active))
                    goto fault;
                DID(executing(exec, active, lanes));
                pc++;
                continue;
            }
            case UOP_ACCESS: {
                const uint32_t exec = guard_mask(w, u->guard, u->e, active);
                if (!u->access(w, u, exec, active))
                    goto fault;
                DID(executing(exec, active, lanes));
                pc++;
                if (__builtin_expect(w->yields, 0)) {
                    w->yields = false;
                    top->pc = pc;
                    slice_end(w);
                    goto out;
                }
                continue;
            }
            case UOP_GUARDED: {
                const uint32_t exec = guard_mask(w, u->guard, u->a, active);
                if (exec == active) {
                    if (!run_group(w, u + 1, u->extra, &w->mask))
                        goto fault;
                } else if (exec) {
                    ws_mask m;
                    m.bits = ~exec;
                    mask_set(&m, exec);
                    if (!run_group(w, u + 1, u->extra, &m))
                        goto fault;
                }
                if (!emit_run(w, u->pc, 1, active, exec))
                    goto fault;
                DID(executing(exec, active, lanes));
                pc = u->target;
                continue;
            }
            case UOP_LANES:
            case UOP_SPECIAL: { /* a conversion that belongs to the instruction before or after */
                const uint32_t exec = u->kind == UOP_SPECIAL ? guard_mask(w, u->guard, u->e, active) : active;
                ws_mask m;
                m.bits = ~exec;
                mask_set(&m, exec);
                if (!(b->sampled ? run_uop_watched(w, u, &m) : run_uop(w, u, &m)))
                    goto fault;
                pc++;
                continue;
            }
            case UOP_BRA: {
                const uint32_t taken = guard_mask(w, u->guard, u->a, active);
                if (!emit_branch(w, u->pc, active, taken))
                    goto fault;
                DID(lanes);
                if (taken == active || taken == 0) {
                    pc = taken ? u->target : pc + 1;
                    if (__builtin_expect(w->instructions >= limit, 0)) {
                        top->pc = pc;
                        slice_end(w);
                        goto out;
                    }
                    continue;
                }
                stack_diverge(w, u, taken, pc + 1);
                break;
            }
            case UOP_BRX: {
                const uint32_t exec = guard_mask(w, u->guard, u->a, active);
                if (!emit_branch(w, u->pc, active, exec))
                    goto fault;
                DID(lanes);
                if (!run_brx(w, u, pc + 1, exec))
                    goto fault;
                break;
            }
            case UOP_CALL: {
                const uint32_t exec = guard_mask(w, u->guard, u->a, active);
                const call_site *site = u->info;
                if (!emit_branch(w, u->pc, active, exec))
                    goto fault;
                DID(lanes);
                if (exec && site->callee == -2) {
                    if (!builtin_call(w, u, exec))
                        goto fault;
                } else if (exec) {
                    top->pc = pc + 1;
                    if (!call_group(w, u, exec))
                        goto fault;
                    break;
                }
                pc++;
                continue;
            }
            case UOP_RET:
            case UOP_EXIT: {
                const uint32_t exec = guard_mask(w, u->guard, u->a, active);
                if (!u->mode) {
                    if (u->kind == UOP_RET ? !emit_branch(w, u->pc, active, exec)
                                           : !emit_run(w, u->pc, 1, active, exec))
                        goto fault;
                    DID(u->kind == UOP_RET ? lanes : executing(exec, active, lanes));
                }
                top->pc = pc + 1;
                const bool exits = u->kind == UOP_EXIT || w->frames == 1;
                stack_remove(w, exec, exits ? 0 : w->frame[w->frames - 1].stack_base);
                if (exits && exec) {
                    async_finish(w, exec);
                    w->live &= ~exec;
                    if (b->checks)
                        checks_settle(w, exec);
                    block_barrier_leave(b);
                }
                break;
            }
            case UOP_BARRIER: {
                const uint32_t exec = guard_mask(w, u->guard, u->e, active);
                bool wait = false;
                DID(executing(exec, active, lanes));
                top->pc = pc + 1;
                if (!block_barrier_arrive(w, u, exec, &wait))
                    goto fault;
                pc++;
                if (wait)
                    break;
                continue;
            }
            case UOP_TRAP: {
                const uint32_t exec = guard_mask(w, u->guard, u->a, active);
                if (exec) {
                    block_fault(w, u, ws_lowest(exec), "trap instruction");
                    goto fault;
                }
                if (!emit_run(w, u->pc, 1, active, exec))
                    goto fault;
                w->instructions++;
                warps++;
                pc++;
                continue;
            }
            case UOP_YIELD: {
                const uint32_t exec = guard_mask(w, u->guard, u->a, active);
                if (!emit_run(w, u->pc, 1, active, exec))
                    goto fault;
                DID(executing(exec, active, lanes));
                top->pc = pc + 1;
                if (u->mode)
                    sleep(w, u, exec);
                slice_end(w);
                goto out;
            }
            }
            break;
        }
        if (w->state == WARP_FAULT || !settle(w))
            goto out;
        if (w->instructions >= limit) {
            slice_end(w);
            goto out;
        }
    }
fault:
    w->state = WARP_FAULT;
out:
    k->thread_instructions += threads;
    k->warp_instructions += warps;
}
#undef DID

void warp_run(warp *w, uint64_t slice)
{
    dispatch(w, w->instructions + slice, LEG_SLICE);
}

void warp_run_to_store(warp *w, uint64_t slice)
{
    dispatch(w, w->instructions + slice, LEG_TO_STORE);
}

void warp_step(warp *w)
{
    dispatch(w, w->step_limit, LEG_STEP);
}
