/* events.h - synthetic launches for tests of metric families, one line an event.
 *
 * A script holds an instruction table and the events of some blocks. measure() feeds it to a family in one go and then
 * cut into ranges in several ways, merged from the left, from the right and pairwise: every counter has to come out
 * bit-identical. So each test of a value is also a test of the merge law. */
#ifndef WS_TEST_EVENTS_H
#define WS_TEST_EVENTS_H

#include "base/status.h"
#include "collect/ptx/module.h"
#include "metrics/metric.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCRIPT_INSTRS = 256, SCRIPT_ALL = -1 };
#define ALL_LANES ((uint32_t)SCRIPT_ALL)

typedef struct script_block {
    ws_event *event;
    uint64_t *address;
    size_t events, addresses;
    ws_value *value;
    size_t values;
    uint64_t *word; /* 64 a value: before, after */
} script_block;

typedef struct script {
    ws_launch launch;
    ws_instr instr[SCRIPT_INSTRS];
    script_block *block;
} script;

static inline void *script_grow(void *p, size_t n, size_t size)
{
    if (n && (n & (n - 1)))
        return p;
    p = realloc(p, (n ? 2 * n : 1) * size);
    assert_non_null(p);
    return p;
}

/* A launch of `blocks` blocks with `threads` threads each; every block is begun and empty. */
static inline script *script_create(unsigned blocks, unsigned threads)
{
    script *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->block = calloc(blocks, sizeof *s->block);
    assert_non_null(s->block);
    s->launch = (ws_launch){.kernel = "test",
                            .grid = {blocks, 1, 1},
                            .block = {threads, 1, 1},
                            .blocks = blocks,
                            .threads_per_block = threads,
                            .warps_per_block = (threads + 31) / 32,
                            .registers = 16,
                            .shared_bytes = 49152,
                            .local_bytes = 64,
                            .instr = s->instr};
    return s;
}

static inline void script_destroy(script *s)
{
    for (uint64_t i = 0; i < s->launch.blocks; i++) {
        free(s->block[i].event);
        free(s->block[i].address);
        free(s->block[i].value);
        free(s->block[i].word);
    }
    free(s->block);
    free(s);
}

/* Adds an instruction to the table, with the facts that its text tells; returns its pc. */
static inline uint32_t instr(script *s, ws_instr row)
{
    assert_true(s->launch.instrs < SCRIPT_INSTRS);
    if (!row.opcode)
        row.opcode = "add.s32";
    ws_ptx_facts_of_text(row.opcode, &row);
    s->instr[s->launch.instrs] = row;
    return (uint32_t)s->launch.instrs++;
}

/* n arithmetic instructions in a row; returns the first pc. */
static inline uint32_t arithmetic(script *s, unsigned n, ws_class cls)
{
    const uint32_t pc = (uint32_t)s->launch.instrs;
    for (unsigned i = 0; i < n; i++)
        instr(s, (ws_instr){.cls = (uint8_t)cls});
    return pc;
}

static inline uint32_t memory(script *s, ws_space space, ws_access access, unsigned bytes)
{
    return instr(s, (ws_instr){.opcode = access == WS_ACCESS_LOAD ? "ld" : "st",
                               .cls = WS_CLASS_MEMORY,
                               .space = (uint8_t)space,
                               .access = (uint8_t)access,
                               .bytes = (uint8_t)bytes});
}

static inline uint32_t conditional(script *s)
{
    return instr(s, (ws_instr){.opcode = "bra", .cls = WS_CLASS_BRANCH, .guarded = 1, .conditional = 1});
}

static inline ws_event *event(script *s, unsigned block, ws_event ev)
{
    script_block *const b = &s->block[block];
    b->event = script_grow(b->event, b->events, sizeof *b->event);
    b->event[b->events] = ev;
    return &b->event[b->events++];
}

static inline void run(script *s, unsigned block, unsigned warp, uint32_t pc, unsigned count, uint32_t mask)
{
    event(s, block,
          (ws_event){.pc = pc,
                     .warp = (uint16_t)warp,
                     .count = (uint16_t)count,
                     .active = mask,
                     .exec = mask,
                     .kind = WS_EVENT_RUN});
}

static inline void branch(script *s, unsigned block, unsigned warp, uint32_t pc, uint32_t active, uint32_t taken)
{
    event(s, block,
          (ws_event){.pc = pc,
                     .warp = (uint16_t)warp,
                     .count = 1,
                     .active = active,
                     .exec = active,
                     .taken = taken,
                     .kind = WS_EVENT_BRANCH});
}

static inline void barrier(script *s, unsigned block, unsigned warp, uint32_t pc)
{
    event(s, block,
          (ws_event){.pc = pc,
                     .warp = (uint16_t)warp,
                     .count = 1,
                     .active = ALL_LANES,
                     .exec = ALL_LANES,
                     .kind = WS_EVENT_BARRIER});
}

/* An access with the 32 addresses given; those of lanes not in mask are cleared as the engine does. */
static inline ws_event *access_at(script *s, unsigned block, unsigned warp, uint32_t pc, uint32_t mask,
                                  const uint64_t *address)
{
    script_block *const b = &s->block[block];
    b->address = script_grow(b->address, b->addresses, WS_WARP * sizeof *b->address);
    for (unsigned lane = 0; lane < WS_WARP; lane++)
        b->address[b->addresses * WS_WARP + lane] = mask >> lane & 1 ? address[lane] : 0;
    return event(s, block,
                 (ws_event){.pc = pc,
                            .warp = (uint16_t)warp,
                            .count = 1,
                            .active = mask,
                            .exec = mask,
                            .addresses = (uint32_t)b->addresses++,
                            .kind = WS_EVENT_MEMORY,
                            .space = s->instr[pc].space});
}

/* An access at base + stride * lane. */
static inline void access_line(script *s, unsigned block, unsigned warp, uint32_t pc, uint32_t mask, uint64_t base,
                               int64_t stride)
{
    uint64_t address[WS_WARP];
    for (unsigned lane = 0; lane < WS_WARP; lane++)
        address[lane] = base + (uint64_t)stride * lane;
    access_at(s, block, warp, pc, mask, address);
}

static inline void script_feed(const ws_metric *m, const script *s, void *state, uint64_t block, size_t batch)
{
    const script_block *const b = &s->block[block];
    if (m->sink.block_begin)
        assert_int_equal(m->sink.block_begin(state, &s->launch, block), WS_OK);
    for (size_t at = 0; at < b->events; at += batch) {
        const size_t n = b->events - at < batch ? b->events - at : batch;
        const ws_batch feed = {.block = block, .event = b->event + at, .events = n, .address = b->address};
        assert_int_equal(m->sink.events(state, &s->launch, &feed), WS_OK);
    }
    if (b->values && m->sink.values && m->sink.sample_block(&s->launch, block))
        assert_int_equal(m->sink.values(state, &s->launch, block, b->value, b->values), WS_OK);
    if (m->sink.block_end)
        assert_int_equal(m->sink.block_end(state, &s->launch, block), WS_OK);
}

/* A state that has seen the blocks first .. end-1. */
static inline void *script_range(const ws_metric *m, const script *s, uint64_t first, uint64_t end, size_t batch)
{
    void *const state = calloc(1, m->sink.state_size);
    assert_non_null(state);
    if (m->sink.init)
        assert_int_equal(m->sink.init(state, &s->launch), WS_OK);
    for (uint64_t block = first; block < end; block++)
        script_feed(m, s, state, block, batch);
    return state;
}

static inline void script_drop(const ws_metric *m, void *state)
{
    if (m->sink.fini)
        m->sink.fini(state);
    free(state);
}

/* Cuts [first, end) into ranges of `size` blocks; how: 0 merges from the left, 1 from the right, 2 in halves. */
static inline void *script_split(const ws_metric *m, const script *s, uint64_t first, uint64_t end, uint64_t size,
                                 int how)
{
    if (end - first <= size)
        return script_range(m, s, first, end, 3);
    const uint64_t pieces = (end - first + size - 1) / size;
    const uint64_t cut = first + size * (how == 0 ? pieces - 1 : how == 1 ? 1 : pieces / 2);
    void *const left = script_split(m, s, first, cut, size, how);
    void *const right = script_split(m, s, cut, end, size, how);
    assert_int_equal(m->sink.merge(left, right, &s->launch), WS_OK);
    script_drop(m, right);
    return left;
}

static inline double *script_finish(const ws_metric *m, const script *s, void *state)
{
    double *const counter = calloc(ws_metric_counters(m), sizeof *counter);
    assert_non_null(counter);
    assert_int_equal(m->finish(state, &s->launch, counter), WS_OK);
    script_drop(m, state);
    return counter;
}

/* Counters of the script, after the merge law has been checked. The caller frees them. */
static inline double *count_script(const ws_metric *m, const script *s)
{
    const uint64_t blocks = s->launch.blocks, sizes[] = {1, 2, 3, (blocks + 1) / 2};
    double *const whole = script_finish(m, s, script_range(m, s, 0, blocks, 1000000));
    for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (int how = 0; how < 3; how++) {
            double *const parts = script_finish(m, s, script_split(m, s, 0, blocks, sizes[i], how));
            assert_memory_equal(whole, parts, ws_metric_counters(m) * sizeof *whole);
            free(parts);
        }
    }
    return whole;
}

/* Columns of the script. The caller frees them. Every one has to be a number. */
static inline double *measure(const ws_metric *m, const script *s)
{
    double *const counter = count_script(m, s);
    const size_t n = ws_metric_columns(m);
    double *const value = calloc(n, sizeof *value);
    assert_non_null(value);
    m->emit(counter, value);
    for (size_t i = 0; i < n; i++)
        assert_true(isfinite(value[i]));
    free(counter);
    return value;
}

/* The column of that name; bins are "name_3". */
static inline double column(const ws_metric *m, const double *value, const char *name)
{
    char text[64];
    for (const ws_metric_column *c = m->columns; c->name; c++) {
        for (unsigned bin = 0; bin < (c->count ? c->count : 1); bin++, value++) {
            if (c->count > 1)
                snprintf(text, sizeof text, "%s_%u", c->name, bin);
            else
                snprintf(text, sizeof text, "%s", c->name);
            if (!strcmp(text, name))
                return *value;
        }
    }
    fail_msg("no column %s", name);
    return NAN;
}

#define assert_column(metric, value, name, want) \
    do { \
        const double got_ = column(metric, value, name), want_ = (want); \
        if (!(fabs(got_ - want_) <= 1e-12 * fmax(1, fabs(want_)))) \
            fail_msg("%s is %.17g, expected %.17g", name, got_, want_); \
    } while (0)

#endif
