/* sim_script.h - launches made of lists of steps, for tests of the cycle simulator: a source in memory, and a machine
 * that is small and all of whose times are known. */
#ifndef WS_TEST_SIM_SCRIPT_H
#define WS_TEST_SIM_SCRIPT_H

#include "base/status.h"
#include "model/sim/sim.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/facts.h"
#include "tests/unit/machine_word.h"

/* Registers: an add needs what it wrote before; a load writes 3, its use reads it; all else is free of the others. */
#define SCRIPT_MEMORY(name, op, where, what, size, target) \
    INSTR(name, op, WS_CLASS_MEMORY, WS_SPACE_##where, WS_ACCESS_##what, size, target, 2)
#define SCRIPT_INSTRS \
    INSTR(ADD, "add.u32", WS_CLASS_INTEGER, 0, 0, 0, 1, 1) \
    INSTR(USE, "add.u32", WS_CLASS_INTEGER, 0, 0, 0, 4, 3) \
    INSTR(FREE, "add.u32", WS_CLASS_INTEGER, 0, 0, 0, 5, 6) \
    INSTR(DIVIDE, "div.s32", WS_CLASS_INTEGER, 0, 0, 0, 7, 8) \
    INSTR(BRANCH, "bra", WS_CLASS_BRANCH, 0, 0, 0, 0, 0) \
    INSTR(BARRIER, "bar.sync", WS_CLASS_BARRIER, 0, 0, 0, 0, 0) \
    INSTR(ARRIVE, "bar.arrive", WS_CLASS_BARRIER, 0, 0, 0, 0, 0) \
    INSTR(FENCE_CTA, "membar.cta", WS_CLASS_OTHER, 0, 0, 0, 0, 0) \
    INSTR(FENCE, "membar.gl", WS_CLASS_OTHER, 0, 0, 0, 0, 0) \
    SCRIPT_MEMORY(LOAD, "ld.global.u32", GLOBAL, LOAD, 4, 3) \
    SCRIPT_MEMORY(LOAD2, "ld.global.u32", GLOBAL, LOAD, 4, 9) \
    SCRIPT_MEMORY(VECTOR, "ld.global.v4.u32", GLOBAL, LOAD, 16, 3) \
    SCRIPT_MEMORY(POLL, "ld.volatile.global.u32", GLOBAL, LOAD, 4, 3) \
    SCRIPT_MEMORY(STORE, "st.global.u32", GLOBAL, STORE, 4, 0) \
    SCRIPT_MEMORY(ATOMIC, "atom.global.add.u32", GLOBAL, ATOMIC, 4, 3) \
    SCRIPT_MEMORY(SHARED_LOAD, "ld.shared.u32", SHARED, LOAD, 4, 3) \
    SCRIPT_MEMORY(SHARED_LOAD2, "ld.shared.u32", SHARED, LOAD, 4, 9) \
    SCRIPT_MEMORY(SHARED_STORE, "st.shared.u32", SHARED, STORE, 4, 0) \
    SCRIPT_MEMORY(LOCAL_LOAD, "ld.local.u32", LOCAL, LOAD, 4, 3) \
    SCRIPT_MEMORY(LOCAL_STORE, "st.local.u32", LOCAL, STORE, 4, 0) \
    SCRIPT_MEMORY(LOCAL_WIDE, "ld.local.u64", LOCAL, LOAD, 8, 3) \
    SCRIPT_MEMORY(CONSTANT, "ld.const.u32", CONST, LOAD, 4, 3) \
    SCRIPT_MEMORY(PARAMETER, "ld.param.u32", PARAM, LOAD, 4, 3) \
    SCRIPT_MEMORY(TEXTURE, "tex.2d.v4.f32.f32", TEXTURE, LOAD, 0, 3) \
    SCRIPT_MEMORY(SURFACE_LOAD, "suld.b.2d.b32", TEXTURE, LOAD, 0, 3) \
    SCRIPT_MEMORY(SURFACE_STORE, "sust.b.2d.b32", TEXTURE, STORE, 0, 0) \
    SCRIPT_MEMORY(GENERIC, "ld.u32", GENERIC, LOAD, 4, 3) \
    SCRIPT_MEMORY(REDUCE, "red.global.add.u32", GLOBAL, REDUCE, 4, 0) \
    SCRIPT_MEMORY(REDUCE_MAX, "red.global.max.u32", GLOBAL, REDUCE, 4, 0) \
    SCRIPT_MEMORY(REDUCE_RELEASE, "red.release.gpu.global.add.u32", GLOBAL, REDUCE, 4, 0) \
    INSTR(FENCE_BLOCK, "membar.cta", WS_CLASS_OTHER, 0, 0, 0, 0, 0)

enum {
#define INSTR(name, op, cls, space, access, size, target, source) name,
    SCRIPT_INSTRS
#undef INSTR
        INSTRS
};

static ws_instr script_instrs[INSTRS + 8] = {
#define INSTR(name, op, class, where, what, size, target, source) \
    {.opcode = op, \
     .cls = class, \
     .space = where, \
     .access = what, \
     .bytes = size, \
     .line = name + 1, \
     .dsts = (target) != 0, \
     .srcs = (source) != 0, \
     .dst = {target}, \
     .src = {source}},
    SCRIPT_INSTRS
#undef INSTR
};

/* One step of a warp; of memory, lane i is at base + i * stride. */
typedef struct step {
    uint32_t instr, exec, active, detail;
    uint64_t base;
    int64_t stride;
    uint8_t depth, space, texel, further;
    bool part; /* of the instruction before */
    uint16_t run;
} step;

typedef struct script_warp {
    step *step;
    size_t steps, room;
} script_warp;

typedef struct script {
    ws_source source;
    ws_launch launch;
    script_warp *warp;   /* [blocks][warps] */
    bool once, *started; /* [blocks]; once: none may start again */
    struct {
        uint64_t block;
        size_t at[64];
        uint64_t address[WS_EVENT_ADDRESSES * WS_WARP];
        bool used;
    } * slot;
} script;

static inline int script_begin(ws_source *source, uint32_t slot, uint64_t block)
{
    script *const s = (script *)source;
    assert_true(slot < source->slots && block < source->ctas && !(s->once && s->started[block]));
    memset(&s->slot[slot], 0, sizeof s->slot[slot]);
    s->slot[slot].block = block;
    s->started[block] = true;
    s->slot[slot].used = true;
    return WS_OK;
}

static inline int script_next(ws_source *source, uint32_t slot, uint32_t warp, ws_step *out, bool *found)
{
    script *const s = (script *)source;
    const script_warp *const w = &s->warp[s->slot[slot].block * s->launch.warps_per_block + warp];
    *found = s->slot[slot].at[warp] < w->steps;
    if (!*found)
        return WS_OK;
    const step *const p = &w->step[s->slot[slot].at[warp]++];
    const ws_instr *const instr = &script_instrs[p->instr];
    *out = (ws_step){.pc = p->instr,
                     .active = p->active,
                     .exec = p->exec,
                     .detail = p->detail,
                     .count = p->part  ? 0
                              : p->run ? p->run
                                       : 1,
                     .kind = instr->cls == WS_CLASS_MEMORY    ? WS_EVENT_MEMORY
                             : instr->cls == WS_CLASS_BRANCH  ? WS_EVENT_BRANCH
                             : instr->cls == WS_CLASS_BARRIER ? WS_EVENT_BARRIER
                                                              : WS_EVENT_RUN,
                     .depth = p->depth,
                     .space = p->space ? p->space : instr->space,
                     .texel = p->texel,
                     .further = p->further,
                     .address = s->slot[slot].address};
    for (unsigned i = 0; i < (1u + p->further) * WS_WARP; i++)
        s->slot[slot].address[i] = p->base + (uint64_t)((int64_t)i * p->stride);
    return WS_OK;
}

static inline void script_end(ws_source *source, uint32_t slot)
{
    assert_true(((script *)source)->slot[slot].used);
    ((script *)source)->slot[slot].used = false;
}

/* Of no register it is known. */
static inline void script_give_values(ws_source *source)
{
    (void)source;
}

static inline void script_destroy(ws_source *source)
{
    script *const s = (script *)source;
    for (uint64_t i = 0; i < s->launch.blocks * s->launch.warps_per_block; i++)
        free(s->warp[i].step);
    free(s->warp);
    free(s->started);
    free(s->slot);
    free(s);
}

static const ws_source_ops script_ops = {.parallel = true,
                                         .repeatable = true,
                                         .give_values = script_give_values,
                                         .begin = script_begin,
                                         .next = script_next,
                                         .end = script_end,
                                         .destroy = script_destroy};

static inline script *script_make(uint32_t blocks, uint32_t threads)
{
    const uint32_t warps = (threads + WS_WARP - 1) / WS_WARP;
    script *const s = calloc(1, sizeof *s);
    assert_non_null(s);
    for (unsigned i = 0; i < INSTRS; i++)
        script_instrs[i] = with_facts(script_instrs[i]);
    s->launch = (ws_launch){.kernel = "script",
                            .grid = {blocks, 1, 1},
                            .block = {threads, 1, 1},
                            .blocks = blocks,
                            .threads_per_block = threads,
                            .warps_per_block = warps,
                            .registers = 16,
                            .instr = script_instrs,
                            .instrs = INSTRS};
    s->source = (ws_source){.ops = &script_ops, .launch = &s->launch, .ctas = blocks, .slots = 256};
    s->warp = calloc((size_t)blocks * warps, sizeof *s->warp);
    s->started = calloc(blocks, sizeof *s->started);
    s->slot = calloc(s->source.slots, sizeof *s->slot);
    assert_true(s->warp && s->started && s->slot);
    return s;
}

/* Adds a step of the whole warp, lanes 4 bytes apart; returns it to change what is different. */
static inline step *script_add(script *s, uint32_t block, uint32_t warp, uint32_t instr, uint64_t base)
{
    script_warp *const w = &s->warp[(size_t)block * s->launch.warps_per_block + warp];
    if (w->steps == w->room) {
        w->room = w->room ? w->room * 2 : 16;
        w->step = realloc(w->step, w->room * sizeof *w->step);
        assert_non_null(w->step);
    }
    const uint32_t left = s->launch.threads_per_block - warp * WS_WARP;
    const uint32_t lanes = left >= WS_WARP ? UINT32_MAX : (1u << left) - 1;
    step *const p = &w->step[w->steps++];
    *p = (step){.instr = instr, .exec = lanes, .active = lanes, .base = base, .stride = 4};
    return p;
}

/* Two SMs, one slice, one channel; every clock the same; no latency of the register file. */
static inline void script_machine(ws_machine *m, const char *protocol)
{
    memset(m, 0, sizeof *m);
    ws_machine_defaults(m);
    m->name = "small";
    m->folder = "data/tech";
    m->chip_sms = 2;
    m->chip_network_clock = m->chip_l2_clock = m->chip_core_clock = 924000; /* that of the memory */
    m->memory_channels = 1;
    machine_word(m, registers_file, "ideal");
    machine_word(m, network_kind, "crossbar");
    machine_word(m, coherence_protocol, protocol);
}

/* Settles the machine and creates a simulation of it. */
static inline int script_create(const ws_machine *machine, const ws_sim_options *options, ws_sim **out)
{
    const int status = machine_settle(machine);
    return status ? status : ws_sim_create(machine, options, out);
}

static inline ws_sim *script_sim(const ws_machine *m, const ws_sim_options *options)
{
    ws_sim *sim;
    if (script_create(m, options, &sim))
        fail_msg("%s", ws_message());
    return sim;
}

/* Runs to the end in slices of so many cycles. */
static inline int script_run(ws_sim *sim, script *s, uint64_t slice)
{
    bool done = false;
    int status = ws_sim_begin(sim, &s->source);
    while (!status && !done)
        status = ws_sim_run(sim, ws_sim_now(sim) + slice, &done);
    return status;
}

/* Runs to the end; the script is gone then. */
static inline ws_sim_sums script_sums(const ws_machine *m, script *s)
{
    ws_sim *const sim = script_sim(m, NULL);
    ws_sim_sums sums;
    if (script_run(sim, s, 1000))
        fail_msg("%s", ws_message());
    ws_sim_sum(sim, &sums);
    ws_sim_end(sim);
    ws_sim_destroy(sim);
    s->source.ops->destroy(&s->source);
    return sums;
}

#endif
