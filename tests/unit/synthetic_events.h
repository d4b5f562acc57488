/* synthetic_events.h - makes launches out of hand-written events and runs a metric family over them (tests only).
 *
 *     synthetic s;
 *     syn_init(&s, 2, 64);                                    two blocks of 64 threads
 *     const uint32_t add = syn_instr(&s, WS_CLASS_INTEGER);   one instruction of the kernel
 *     syn_run(&s, 0, 1, add, 1, ~0u);                         block 0, warp 1 executes it with all lanes
 *     syn_measure(&s, &ws_metric_x, 1, counter);              in ranges of one block each
 *     assert(syn_value(&ws_metric_x, counter, "X") == 32);
 *     syn_fini(&s);
 *
 * Include after cmocka.h. */
#ifndef SYNTHETIC_EVENTS_H
#define SYNTHETIC_EVENTS_H

#include "base/status.h"
#include "collect/trace/fanout.h"
#include "metrics/metric.h"

#include <gsl/gsl_rng.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SYN_INSTRS = 64, SYN_COUNTERS = 512 };

typedef struct syn_block {
    ws_event *event;
    uint64_t *address;
    size_t events, accesses;
} syn_block;

typedef struct synthetic {
    ws_launch launch;
    ws_instr instr[SYN_INSTRS];
    syn_block *block;
} synthetic;

static inline void syn_init(synthetic *s, uint64_t blocks, uint32_t threads)
{
    memset(s, 0, sizeof *s);
    s->block = calloc(blocks, sizeof *s->block);
    assert_non_null(s->block);
    s->launch = (ws_launch){.kernel = "synthetic",
                            .grid = {(uint32_t)blocks, 1, 1},
                            .block = {threads, 1, 1},
                            .blocks = blocks,
                            .threads_per_block = threads,
                            .warps_per_block = (threads + WS_WARP - 1) / WS_WARP,
                            .instr = s->instr};
}

static inline void syn_fini(synthetic *s)
{
    for (uint64_t b = 0; b < s->launch.blocks; b++) {
        free(s->block[b].event);
        free(s->block[b].address);
    }
    free(s->block);
}

/* Adds an instruction of a class; returns its pc. */
static inline uint32_t syn_instr(synthetic *s, ws_class cls)
{
    assert_true(s->launch.instrs < SYN_INSTRS);
    s->instr[s->launch.instrs] = (ws_instr){.opcode = "synthetic", .cls = (uint8_t)cls, .reconverge = UINT32_MAX};
    return (uint32_t)s->launch.instrs++;
}

/* Adds a memory instruction; returns its pc. */
static inline uint32_t syn_memory_instr(synthetic *s, ws_space space, ws_access access, unsigned bytes)
{
    const uint32_t pc = syn_instr(s, WS_CLASS_MEMORY);
    s->instr[pc].space = (uint8_t)space;
    s->instr[pc].access = (uint8_t)access;
    s->instr[pc].bytes = (uint8_t)bytes;
    return pc;
}

static inline ws_event *syn_event(synthetic *s, uint64_t block, unsigned warp, uint32_t pc, ws_event_kind kind,
                                  uint32_t exec)
{
    syn_block *const b = &s->block[block];
    b->event = realloc(b->event, (b->events + 1) * sizeof *b->event);
    assert_non_null(b->event);
    ws_event *const ev = &b->event[b->events++];
    *ev = (ws_event){.pc = pc, .warp = (uint16_t)warp, .count = 1, .active = exec, .exec = exec, .kind = (uint8_t)kind};
    return ev;
}

static inline ws_event *syn_run(synthetic *s, uint64_t block, unsigned warp, uint32_t pc, unsigned count, uint32_t exec)
{
    ws_event *const ev = syn_event(s, block, warp, pc, WS_EVENT_RUN, exec);
    ev->count = (uint16_t)count;
    return ev;
}

/* Lanes of exec access address[lane]; address holds 32. */
static inline ws_event *syn_access(synthetic *s, uint64_t block, unsigned warp, uint32_t pc, uint32_t exec,
                                   const uint64_t *address)
{
    syn_block *const b = &s->block[block];
    ws_event *const ev = syn_event(s, block, warp, pc, WS_EVENT_MEMORY, exec);
    b->address = realloc(b->address, (b->accesses + 1) * WS_WARP * sizeof *b->address);
    assert_non_null(b->address);
    for (unsigned lane = 0; lane < WS_WARP; lane++)
        b->address[b->accesses * WS_WARP + lane] = exec >> lane & 1 ? address[lane] : 0;
    ev->addresses = (uint32_t)b->accesses++;
    ev->space = s->instr[pc].space;
    return ev;
}

/* Lane i accesses base + i * stride. */
static inline ws_event *syn_stride(synthetic *s, uint64_t block, unsigned warp, uint32_t pc, uint32_t exec,
                                   uint64_t base, int64_t stride)
{
    uint64_t address[WS_WARP];
    for (unsigned lane = 0; lane < WS_WARP; lane++)
        address[lane] = base + (uint64_t)(stride * (int64_t)lane);
    return syn_access(s, block, warp, pc, exec, address);
}

static inline ws_event *syn_branch(synthetic *s, uint64_t block, unsigned warp, uint32_t pc, uint32_t active,
                                   uint32_t taken, unsigned depth)
{
    ws_event *const ev = syn_event(s, block, warp, pc, WS_EVENT_BRANCH, active);
    ev->taken = taken;
    ev->depth = (uint8_t)depth;
    return ev;
}

static inline ws_event *syn_reconverge(synthetic *s, uint64_t block, unsigned warp, uint32_t pc, uint32_t section)
{
    ws_event *const ev = syn_event(s, block, warp, pc, WS_EVENT_RECONVERGE, UINT32_MAX);
    ev->count = 0;
    ev->section = section;
    return ev;
}

static inline ws_event *syn_barrier(synthetic *s, uint64_t block, unsigned warp, uint32_t pc, uint32_t exec)
{
    return syn_event(s, block, warp, pc, WS_EVENT_BARRIER, exec);
}

/* Delivers blocks [first, end) as one range, the events of a block in batches of at most `slice`. */
static inline void syn_deliver(const synthetic *s, ws_fanout *fanout, uint64_t first, uint64_t end, size_t slice)
{
    ws_range *range;
    assert_int_equal(ws_range_open(fanout, first, &range), WS_OK);
    for (uint64_t b = first; b < end; b++) {
        const syn_block *const block = &s->block[b];
        assert_int_equal(ws_range_block_begin(range, b), WS_OK);
        for (size_t i = 0; i < block->events; i += slice) {
            const size_t rest = block->events - i;
            const ws_batch batch = {.block = b,
                                    .event = block->event + i,
                                    .events = rest < slice ? rest : slice,
                                    .address = block->address};
            assert_int_equal(ws_range_events(range, &batch), WS_OK);
        }
        assert_int_equal(ws_range_block_end(range, b), WS_OK);
    }
    assert_int_equal(ws_range_close(range, end), WS_OK);
}

/* Runs the family over ranges of `chunk` blocks, closed in rising order, or in falling order when chunk is negative. */
static inline void syn_measure(const synthetic *s, const ws_metric *metric, int64_t chunk, double *counter)
{
    const ws_sink *const sink = &metric->sink;
    const uint64_t size = (uint64_t)(chunk < 0 ? -chunk : chunk), blocks = s->launch.blocks;
    const uint64_t chunks = (blocks + size - 1) / size;
    ws_fanout *fanout;
    assert_true(ws_metric_counters(metric) <= SYN_COUNTERS);
    assert_int_equal(ws_fanout_create(&sink, 1, &s->launch, &fanout), WS_OK);
    for (uint64_t i = 0; i < chunks; i++) {
        const uint64_t first = (chunk < 0 ? chunks - 1 - i : i) * size;
        syn_deliver(s, fanout, first, first + size < blocks ? first + size : blocks, 7);
    }
    void *const state = ws_fanout_state(fanout, 0);
    assert_non_null(state);
    assert_int_equal(metric->finish(state, &s->launch, counter), WS_OK);
    ws_fanout_destroy(fanout);
}

/* Blocks of five warps that do everything: every kind of event, class, space and mask, without sense. */
static inline void syn_noise(synthetic *s, gsl_rng *rng, uint64_t blocks)
{
    syn_init(s, blocks, 32 * 5);
    s->launch.local_bytes = 64;
    for (int cls = 0; cls < WS_CLASSES; cls++)
        if (cls != WS_CLASS_MEMORY)
            syn_instr(s, (ws_class)cls);
    const uint32_t first_access = (uint32_t)s->launch.instrs;
    for (int space = WS_SPACE_GLOBAL; space < WS_SPACES; space++)
        syn_memory_instr(s, (ws_space)space, space % 2 ? WS_ACCESS_REDUCE : WS_ACCESS_LOAD, space % 3 ? 4 : 8);
    for (uint64_t block = 0; block < blocks; block++)
        for (int i = 0; i < 60; i++) {
            const unsigned warp = (unsigned)gsl_rng_uniform_int(rng, 5);
            const uint32_t mask = gsl_rng_uniform_int(rng, 2) ? UINT32_MAX : (uint32_t)gsl_rng_get(rng) | 1;
            const uint32_t accesses = (uint32_t)(s->launch.instrs - first_access);
            switch (gsl_rng_uniform_int(rng, 4)) {
            case 0:
                syn_run(s, block, warp, (uint32_t)gsl_rng_uniform_int(rng, 3), 1 + gsl_rng_uniform_int(rng, 4) / 3,
                        mask);
                break;
            case 1:
                syn_stride(s, block, warp, first_access + (uint32_t)gsl_rng_uniform_int(rng, accesses), mask,
                           64 * gsl_rng_uniform_int(rng, 3000), (int64_t)gsl_rng_uniform_int(rng, 70));
                break;
            case 2:
                syn_branch(s, block, warp, 3, mask, mask & (uint32_t)gsl_rng_get(rng), gsl_rng_uniform_int(rng, 3));
                break;
            default:
                syn_reconverge(s, block, warp, 3, (uint32_t)gsl_rng_uniform_int(rng, 2000));
            }
        }
}

/* One block of 64 threads (16 warp instructions, 480 thread instructions): ld.param; mov; setp tid<16; @!p bra L;
 * add.f32; sin; L: st.global [4096 + 4 * tid]; bar; exit. Warp 0 diverges, warp 1 jumps with all its lanes. */
static inline void syn_golden(synthetic *s)
{
    syn_init(s, 1, 64);
    const uint32_t ld = syn_memory_instr(s, WS_SPACE_PARAM, WS_ACCESS_LOAD, 8);
    const uint32_t mov = syn_instr(s, WS_CLASS_INTEGER);
    syn_instr(s, WS_CLASS_INTEGER);
    const uint32_t bra = syn_instr(s, WS_CLASS_BRANCH), add = syn_instr(s, WS_CLASS_FLOAT);
    syn_instr(s, WS_CLASS_SPECIAL);
    const uint32_t st = syn_memory_instr(s, WS_SPACE_GLOBAL, WS_ACCESS_STORE, 4);
    const uint32_t bar = syn_instr(s, WS_CLASS_BARRIER), out = syn_instr(s, WS_CLASS_OTHER);
    for (unsigned warp = 0; warp < 2; warp++) {
        const uint32_t all = UINT32_MAX, taken = warp == 0 ? 0xffff0000u : all;
        syn_stride(s, 0, warp, ld, all, 0, 0);
        syn_run(s, 0, warp, mov, 2, all);
        syn_branch(s, 0, warp, bra, all, taken, 0);
        if (warp == 0) {
            syn_run(s, 0, warp, add, 2, 0x0000ffffu)->depth = 1;
            syn_reconverge(s, 0, warp, bra, 2);
        }
        syn_stride(s, 0, warp, st, all, 4096 + 128 * warp, 4);
        syn_barrier(s, 0, warp, bar, all);
        syn_run(s, 0, warp, out, 1, all);
    }
}

/* The column of that name ("I_sop", "D_bra_3") from counters. */
static inline double syn_value(const ws_metric *metric, const double *counter, const char *name)
{
    double value[SYN_COUNTERS];
    size_t at = 0;
    assert_true(ws_metric_columns(metric) <= SYN_COUNTERS);
    metric->emit(counter, value);
    for (const ws_metric_column *c = metric->columns; c->name; c++)
        for (unsigned i = 0; i < (c->count ? c->count : 1); i++, at++) {
            char text[64];
            if (c->count > 1)
                snprintf(text, sizeof text, "%s_%u", c->name, i);
            else
                snprintf(text, sizeof text, "%s", c->name);
            if (strcmp(text, name) == 0)
                return value[at];
        }
    fail_msg("%s has no column %s", metric->sink.name, name);
    return 0;
}

#endif
