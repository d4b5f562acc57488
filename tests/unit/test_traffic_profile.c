/* Profiles of traffic: what is kept of accesses, in which order machines make them, what a walk finds, bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/access_order.h"
#include "model/instruction_times.h"
#include "model/traffic_profile.h"
#include "model/traffic_time.h"
#include "tests/unit/access_logs.h"

static void what_is_kept(void **state)
{
    (void)state;
    script *const s = script_create(1, 32);
    const uint32_t add = arithmetic(s, 3, WS_CLASS_INTEGER), load = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4);
    const uint32_t store = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_STORE, 8);
    const uint32_t atomic = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_REDUCE, 4);
    const uint32_t local = memory(s, WS_SPACE_LOCAL, WS_ACCESS_LOAD, 8);
    const uint32_t fence = instr(s, (ws_instr){.opcode = "fence.acq_rel.gpu", .cls = WS_CLASS_OTHER});
    const uint32_t poll = instr(s, (ws_instr){.opcode = "ld.volatile.global.u32",
                                              .cls = WS_CLASS_MEMORY,
                                              .bytes = 4,
                                              .space = WS_SPACE_GLOBAL,
                                              .access = WS_ACCESS_LOAD});
    run(s, 0, 0, add, 3, ALL_LANES);
    access_line(s, 0, 0, load, ALL_LANES, 0x1000, 4); /* a line */
    access_line(s, 0, 0, store, 3, 0x1078, 8);        /* 2 words of a line, 2 of the next */
    access_line(s, 0, 0, atomic, 0xf, 0x2000, 0);     /* a word, one after the other */
    access_line(s, 0, 0, local, ALL_LANES, 16, 0);    /* words 4 and 5 of all lanes */
    run(s, 0, 0, fence, 1, ALL_LANES);
    access_line(s, 0, 0, poll, 1, 0x1000, 0);
    ws_access_log *const log = log_range(s, &plenty, 0, 1);
    assert_int_equal(log->entries, 1 + 2 + 4 + 2 + 1 + 1 + 1);
    assert_int_equal(log->entry[0].line, 0x1000 / 128);
    assert_int_equal(log->entry[0].before, 3);
    assert_int_equal(log->entry[1].mask, 3u << 30);
    assert_int_equal(log->entry[2].flags, WS_LOG_MORE);
    assert_int_equal(log->entry[7].line, 4);
    assert_int_equal(log->entry[7].mask, ALL_LANES);
    assert_int_equal(log->entry[7].flags, WS_LOG_LOCAL);
    assert_int_equal(log->entry[9].kind, WS_LOG_FENCE);
    assert_int_equal(log->entry[10].flags, WS_LOG_POLL);
    assert_int_equal(log->entry[11].kind, WS_LOG_END);
    assert_int_equal(log->total.loads, 4);
    assert_int_equal(log->total.polls, 1);
    assert_int_equal(log->total.stores, 2);
    assert_int_equal(log->total.store_words[2], 2);
    assert_int_equal(log->total.atomic_words[1], 4);
    assert_int_equal(log->total.fences, 1);
    assert_int_equal(log->total.wide_fences, 1);
    assert_int_equal(log->total.instructions, 9);
    assert_int_equal(log->total.accesses, 5);
    const ws_log_totals kept = ws_access_log_kept(log);
    assert_memory_equal(&kept, &log->total, sizeof kept);
    drop(log);
    script_destroy(s);
}

/* Loads and stores of `lines` lines, by blocks that differ; the same for the same seed. */
static script *random_script(unsigned blocks, unsigned warps, unsigned accesses, uint64_t lines, unsigned store_percent)
{
    script *const s = script_create(blocks, 32 * warps);
    const uint32_t add = arithmetic(s, 8, WS_CLASS_INTEGER), load = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4);
    const uint32_t store = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_STORE, 4);
    uint64_t seed = 7;
    for (unsigned b = 0; b < blocks; b++)
        for (unsigned i = 0; i < accesses * warps; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            const uint64_t line = 64 + (seed >> 40) % lines;
            run(s, b, i % warps, add, 1 + (unsigned)(seed >> 33 & 7), ALL_LANES);
            access_line(s, b, i % warps,
                        seed >> 20 & 0xff ? (seed >> 21 & 0x7f) * 100 / 128 < store_percent ? store : load : load,
                        ALL_LANES, 128 * line, 4);
        }
    return s;
}

static void the_same_in_every_cut(void **state)
{
    (void)state;
    script *const s = random_script(9, 2, 10, 40, 30);
    const size_t limits[] = {plenty, 100, 70, 1};
    for (size_t l = 0; l < 4; l++) {
        ws_access_log *const whole = log_range(s, &limits[l], 0, 9);
        assert_true(whole->entries <= limits[l]);
        assert_int_equal(whole->total.loads + whole->total.stores, 180);
        for (uint64_t cut = 1; cut < 9; cut++) {
            ws_access_log *const a = log_range(s, &limits[l], 0, cut), *const b = log_range(s, &limits[l], cut, 9);
            assert_int_equal(ws_access_log_sink(&plenty).merge(a, b, &s->launch), WS_OK);
            assert_int_equal(a->blocks, whole->blocks);
            assert_int_equal(a->entries, whole->entries);
            for (size_t i = 0; i < a->entries; i++) {
                assert_int_equal(a->entry[i].line, whole->entry[i].line);
                assert_int_equal(a->entry[i].next, whole->entry[i].next);
                assert_int_equal(a->entry[i].before, whole->entry[i].before);
            }
            assert_memory_equal(&a->total, &whole->total, sizeof a->total);
            drop(a);
            drop(b);
        }
        drop(whole);
    }
    script_destroy(s);
}

/* Two warps; one reaches the barrier after four accesses, the other after one. */
static void order_of_warps(void **state)
{
    (void)state;
    script *const s = script_create(3, 64);
    const uint32_t load = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4);
    const uint32_t bar = instr(s, (ws_instr){.opcode = "bar.sync", .cls = WS_CLASS_BARRIER});
    for (unsigned b = 0; b < 3; b++) {
        for (unsigned i = 0; i < 4; i++)
            access_line(s, b, 0, load, 1, 128 * (100 * b + i), 0);
        access_line(s, b, 1, load, 1, 128 * (100 * b + 50), 0);
        barrier(s, b, 0, bar);
        barrier(s, b, 1, bar);
        access_line(s, b, 1, load, 1, 128 * (100 * b + 51), 0);
    }
    ws_access_log *const log = log_range(s, &plenty, 0, 3);
    ws_access_order *order;
    assert_int_equal(ws_access_order_create(log, 2, 1, 5, &order), WS_OK);
    static const struct {
        uint32_t sm, line;
    } expected[] = {{0, 0}, {1, 100}, {0, 50}, {1, 150}, {0, 1},  {1, 101},
                    {0, 2}, {1, 102}, {0, 3},  {1, 103}, {0, 51}, {1, 151}};
    ws_ordered_access a;
    uint64_t now = 5;
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        assert_true(ws_access_order_next(order, &a));
        assert_int_equal(a.sm, expected[i].sm);
        assert_int_equal(a.line, expected[i].line);
        assert_true(a.now >= now);
        now = a.now;
    }
    unsigned rest = 0;
    while (ws_access_order_next(order, &a)) {
        assert_int_equal(a.line / 100, 2); /* the third block follows where one ended */
        rest++;
    }
    assert_int_equal(rest, 6);
    ws_access_order_destroy(order);
    /* CTAs at given SMs: 0 and 1 one after the other on the last of three, 2 on the first; the second has none. */
    static const uint32_t sm[] = {2, 2, 0};
    uint64_t last[3] = {0};
    assert_int_equal(ws_access_order_create_placed(log, 3, 1, 5, sm, &order), WS_OK);
    for (rest = 0; ws_access_order_next(order, &a); rest++) {
        assert_int_equal(a.sm, sm[a.line / 100]);
        assert_true(a.line / 100 >= last[a.sm]);
        last[a.sm] = a.line / 100;
    }
    assert_int_equal(rest, 18);
    ws_access_order_destroy(order);
    drop(log);
    script_destroy(s);
}

/* A refused access comes again, not before its time, and others go on. */
static void refused(void **state)
{
    (void)state;
    script *const s = script_create(1, 64);
    const uint32_t load = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4);
    for (unsigned i = 0; i < 3; i++) {
        access_line(s, 0, 0, load, 1, 128 * i, 0);
        access_line(s, 0, 1, load, 1, 128 * (10 + i), 0);
    }
    ws_access_log *const log = log_range(s, &plenty, 0, 1);
    ws_access_order *order;
    assert_int_equal(ws_access_order_create(log, 1, 1, 1, &order), WS_OK);
    static const uint64_t lines[] = {0, 10, 11, 12, 0, 1, 2};
    ws_ordered_access a;
    for (size_t i = 0; i < 7; i++) {
        assert_true(ws_access_order_next(order, &a));
        assert_int_equal(a.line, lines[i]);
        if (i == 0)
            ws_access_order_wait(order, 1000);
        assert_true(i < 4 || a.now >= 1000);
    }
    assert_false(ws_access_order_next(order, &a));
    ws_access_order_destroy(order);
    drop(log);
    script_destroy(s);
}

/* Block 0 reads X, writes Y, reads X; block 1, on another SM, reads Y before and may write X between. Both are given
 * their first lease [1, 11], so the write of Y is at 12, where the lease of X has ended. */
static void one_lease(void **state)
{
    (void)state;
    for (int writes = 0; writes < 2; writes++) {
        script *const s = script_create(2, 32);
        const uint32_t add = arithmetic(s, 64, WS_CLASS_INTEGER), load = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4);
        const uint32_t store = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_STORE, 4);
        const uint64_t x = 0x1000, y = 0x2000;
        access_line(s, 0, 0, load, 1, x, 0);
        run(s, 0, 0, add, 40, ALL_LANES);
        access_line(s, 0, 0, store, 1, y, 0);
        access_line(s, 0, 0, load, 1, x, 0);
        access_line(s, 1, 0, load, 1, y, 0);
        run(s, 1, 0, add, 10, ALL_LANES);
        access_line(s, 1, 0, writes ? store : load, 1, x, 0);
        ws_access_log *const log = log_range(s, &plenty, 0, 2);
        ws_traffic_walk *walk;
        ws_traffic_rung r;
        assert_int_equal(ws_traffic_walk_create(4, 1, &walk), WS_OK);
        assert_int_equal(ws_traffic_walk_run(walk, log, &r), WS_OK);
        assert_int_equal(r.bin[0].loads[WS_PASS_ORDER], 1);
        assert_int_equal(r.bin[0].renewed[WS_LOGIC_ORDER], !writes);
        assert_int_equal(r.bin[0].refilled[WS_LOGIC_ORDER], writes);
        assert_int_equal(r.bin[0].aged[0], 0);
        assert_int_equal(r.bin[WS_PROFILE_BINS - 1].loads[WS_PASS_ORDER], writes ? 2 : 3);
        assert_int_equal(r.jumps, 1 + writes);
        assert_int_equal(r.last_ts, 22);
        assert_int_equal(r.l2_misses, 2);
        assert_int_equal(r.remote_loads, writes);
        /* Y was leased at about 1 for 100 cycles and is written at about 42. */
        assert_in_range(r.store_wait[0], writes ? 130 : 50, writes ? 160 : 70);
        ws_traffic_walk_destroy(walk);
        drop(log);
        script_destroy(s);
    }
}

/* Three lines of one set, in turn: distance 2; an atomic takes its line out. */
static void distances(void **state)
{
    (void)state;
    script *const s = script_create(1, 32);
    const uint32_t load = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4);
    const uint32_t atomic = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_ATOMIC, 4);
    for (unsigned i = 0; i < 9; i++)
        access_line(s, 0, 0, load, 1, 128 * WS_PROFILE_SETS * (i % 3), 0);
    access_line(s, 0, 0, atomic, 1, 0, 0);
    access_line(s, 0, 0, load, 1, 0, 0);
    ws_access_log *const log = log_range(s, &plenty, 0, 1);
    ws_traffic_walk *walk;
    ws_traffic_rung r;
    assert_int_equal(ws_traffic_walk_create(1, 1, &walk), WS_OK);
    assert_int_equal(ws_traffic_walk_run(walk, log, &r), WS_OK);
    for (unsigned pass = 0; pass < WS_PROFILE_PASSES; pass++) {
        assert_int_equal(r.bin[2].loads[pass], 6);
        assert_int_equal(r.bin[WS_PROFILE_BINS - 1].loads[pass], 4);
    }
    for (unsigned k = 0; k < WS_OWNER_ORDERS; k++) {
        /* Of one SM: three lines are fetched once, the atomic writes where it is, and its line goes back at the end. In
         * an L1 of fewer ways six loads and the atomic would fetch theirs again. */
        assert_int_equal(r.owner[k].near[WS_PROFILE_BINS - 1][WS_OWNER_READ], 3);
        assert_int_equal(r.owner[k].near[WS_PROFILE_BINS - 1][WS_OWNER_FILL_OWN], 3);
        assert_int_equal(r.owner[k].near[2][WS_OWNER_READ] + r.owner[k].near[2][WS_OWNER_OWN], 0);
        assert_int_equal(r.owner[k].far[2][WS_OWNER_READ], 6);
        assert_int_equal(r.owner[k].far[2][WS_OWNER_OWN], 1);
        assert_int_equal(r.owner[k].always[WS_OWNER_PUT], 1);
    }
    assert_int_equal(r.lines, 4);
    ws_traffic_walk_destroy(walk);
    drop(log);
    script_destroy(s);
}

/* Loads of a set that an LRU L1 of so many ways hits, where atomics give lines up. */
static uint64_t hits_of(const uint8_t *line, const bool *gives_up, unsigned accesses, uint32_t ways)
{
    uint8_t held[WS_PROFILE_DEPTH]; /* the one used longest ago first */
    uint32_t used = 0;
    uint64_t hits = 0;
    for (unsigned i = 0; i < accesses; i++) {
        uint32_t at = 0;
        while (at < used && held[at] != line[i])
            at++;
        const bool there = at < used;
        hits += there && !gives_up[i];
        if (!there && (gives_up[i] || used < ways))
            at = used;
        else if (!there)
            at = 0;
        if (at < used)
            memmove(held + at, held + at + 1, --used - at);
        if (!gives_up[i])
            held[used++] = line[i];
    }
    return hits;
}

/* Lines of one set, at random; L1s of all ways of which profiles tell hit what caches of so many ways do. */
static void lines_that_atomics_give_up(void **state)
{
    (void)state;
    enum { ACCESSES = 2000, LINES = 12 };
    static uint8_t line[ACCESSES];
    static bool gives_up[ACCESSES];
    script *const s = script_create(1, 32);
    const uint32_t load = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4),
                   atomic = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_ATOMIC, 4);
    uint64_t seed = 11;
    for (unsigned i = 0; i < ACCESSES; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        line[i] = (uint8_t)((seed >> 40) % LINES);
        gives_up[i] = (seed >> 20) % 5 == 0;
        access_line(s, 0, 0, gives_up[i] ? atomic : load, 1, UINT64_C(128) * WS_PROFILE_SETS * line[i], 0);
    }
    ws_access_log *const log = log_range(s, &plenty, 0, 1);
    ws_traffic_walk *walk;
    ws_traffic_rung r;
    assert_int_equal(ws_traffic_walk_create(1, 1, &walk), WS_OK);
    assert_int_equal(ws_traffic_walk_run(walk, log, &r), WS_OK);
    for (unsigned pass = 0; pass < WS_PROFILE_PASSES; pass++) {
        uint64_t hits = 0;
        for (unsigned i = 0; i < WS_PROFILE_BINS - 1; i++) {
            hits += r.bin[i].loads[pass];
            assert_int_equal(hits, hits_of(line, gives_up, ACCESSES, ws_profile_edge[i]));
        }
    }
    ws_traffic_walk_destroy(walk);
    drop(log);
    script_destroy(s);
}

/* What a warp waits for is in the time of its launch: a chain of divisions, a load that is needed at once and one that
 * is needed later, a store that is waited for or is not. */
static uint64_t time_of(const script *s, unsigned clock)
{
    ws_access_log *const log = log_range(s, &plenty, 0, s->launch.blocks);
    ws_traffic_walk *walk;
    ws_traffic_rung r;
    assert_int_equal(ws_traffic_walk_create(4, 2, &walk), WS_OK);
    assert_int_equal(ws_traffic_walk_run(walk, log, &r), WS_OK);
    ws_traffic_walk_destroy(walk);
    drop(log);
    return r.late_cycles[clock];
}

static void time_passes(void **state)
{
    (void)state;
    enum { MISS = WS_PROFILE_L2_CYCLES + WS_PROFILE_MEMORY_CYCLES };
    script *const s = script_create(1, 32);
    const uint32_t load = instr(s, (ws_instr){.opcode = "ld.global.u32",
                                              .cls = WS_CLASS_MEMORY,
                                              .bytes = 4,
                                              .space = WS_SPACE_GLOBAL,
                                              .access = WS_ACCESS_LOAD,
                                              .dsts = 1,
                                              .dst = {7}});
    const uint32_t other = instr(s, (ws_instr){.opcode = "add.u32", .cls = WS_CLASS_INTEGER, .dsts = 1, .dst = {8}});
    const uint32_t divide = instr(s, (ws_instr){.opcode = "div.u32", .cls = WS_CLASS_INTEGER, .dsts = 1, .dst = {9}});
    const uint32_t uses = instr(s, (ws_instr){.opcode = "add.u32", .cls = WS_CLASS_INTEGER, .srcs = 2, .src = {7, 9}});
    const uint32_t store = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_STORE, 4);
    access_line(s, 0, 0, load, 1, 0x1000, 0);
    assert_in_range(time_of(s, WS_TIME_RC), MISS, MISS + 5);
    /* The load comes while the division runs. */
    run(s, 0, 0, other, 3, ALL_LANES); /* with the division and its use */
    assert_int_equal(uses, divide + 1);
    access_line(s, 0, 0, load, 1, 0x1000, 0);
    assert_in_range(time_of(s, WS_TIME_RC), MISS, MISS + 10);
    /* Two stores: the second waits for the first only where stores are waited for. */
    access_line(s, 0, 0, store, 1, 0x4000, 0);
    const uint64_t before = time_of(s, WS_TIME_RC), waited = time_of(s, WS_TIME_SC);
    access_line(s, 0, 0, store, 1, 0x6000, 0);
    assert_in_range(time_of(s, WS_TIME_RC), before, before + 5);
    assert_in_range(time_of(s, WS_TIME_SC), waited + MISS, waited + MISS + 5); /* L2 fetches the line */
    script_destroy(s);
}

/* A chain of `divisions` divisions, each of which needs the one before. */
static void divide(script *s, unsigned warp, uint32_t division, unsigned divisions)
{
    for (unsigned i = 0; i < divisions; i++)
        run(s, 0, warp, division, 1, ALL_LANES);
}

/* Two warps are slow in turn: behind each barrier both start with the slower one. */
static void barriers_pass(void **state)
{
    (void)state;
    enum { DIVISIONS = 8, CYCLES = WS_TIME_INT_DIV + WS_TIME_REGISTERS };
    script *const s = script_create(1, 64);
    const uint32_t division = instr(s, (ws_instr){.opcode = "div.u32",
                                                  .cls = WS_CLASS_INTEGER,
                                                  .unit = WS_UNIT_INT,
                                                  .work = WS_WORK_DIV,
                                                  .dsts = 1,
                                                  .srcs = 1,
                                                  .dst = {9},
                                                  .src = {9}});
    instr(s, (ws_instr){.opcode = "div.u32",
                        .cls = WS_CLASS_INTEGER,
                        .unit = WS_UNIT_INT,
                        .work = WS_WORK_DIV,
                        .dsts = 1,
                        .srcs = 1,
                        .dst = {9},
                        .src = {9}});
    const uint32_t bar = instr(s, (ws_instr){.opcode = "bar.sync", .cls = WS_CLASS_BARRIER});
    const uint32_t store = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_STORE, 4);
    for (unsigned warp = 0; warp < 2; warp++) {
        divide(s, warp, division + 1, warp ? DIVISIONS : 0);
        barrier(s, 0, warp, bar);
        divide(s, warp, division + 1, warp ? 0 : DIVISIONS);
        barrier(s, 0, warp, bar);
        access_line(s, 0, warp, store, 1, 0x1000, 0);
    }
    const uint64_t stored = WS_PROFILE_L2_CYCLES + WS_PROFILE_MEMORY_CYCLES;
    assert_in_range(time_of(s, WS_TIME_RC), 2 * DIVISIONS * CYCLES + stored - 10, 2 * DIVISIONS * CYCLES + stored + 20);
    script_destroy(s);
}

/* Lines of textures and constants are waited for, once an SM. */
static void fetches_pass(void **state)
{
    (void)state;
    static const ws_space spaces[WS_LOG_FETCHED] = {WS_SPACE_TEXTURE, WS_SPACE_CONST};
    for (unsigned kind = 0; kind < WS_LOG_FETCHED; kind++) {
        script *const s = script_create(1, 32);
        const uint32_t fetch = instr(s, (ws_instr){.opcode = "fetch",
                                                   .cls = WS_CLASS_MEMORY,
                                                   .unit = WS_UNIT_MEMORY,
                                                   .bytes = 4,
                                                   .space = spaces[kind],
                                                   .access = WS_ACCESS_LOAD,
                                                   .dsts = 1,
                                                   .dst = {7}});
        const uint32_t use = instr(s, (ws_instr){.opcode = "add.u32", .cls = WS_CLASS_INTEGER, .srcs = 1, .src = {7}});
        const uint32_t store = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_STORE, 4);
        uint64_t before = 0;
        for (unsigned round = 0; round < 4; round++) {
            access_line(s, 0, 0, fetch, 1, round % 2 ? 0x9000 : 0x1000, 0); /* two lines in turn: they miss once */
            run(s, 0, 0, use, 1, ALL_LANES);
            ws_access_log *const log = log_range(s, &plenty, 0, 1);
            ws_traffic_walk *walk;
            ws_traffic_rung r;
            assert_int_equal(log->total.fetches, round + 1);
            assert_int_equal(ws_access_log_kept(log).fetches, round + 1);
            assert_int_equal(ws_access_log_kept(log).instructions, log->total.instructions);
            assert_int_equal(ws_traffic_walk_create(1, 1, &walk), WS_OK);
            assert_int_equal(ws_traffic_walk_run(walk, log, &r), WS_OK);
            assert_int_equal(r.fetch_misses[kind], round < 2 ? round + 1 : 2);
            assert_int_equal(r.fetch_misses[!kind], 0);
            const uint64_t now = r.late_cycles[WS_TIME_RC], took = now - before;
            assert_in_range(took, round < 2 ? WS_PROFILE_L2_CYCLES : 1,
                            WS_PROFILE_L2_CYCLES * (round < 2) + WS_TIME_TEXTURE_LOAD + 10);
            before = now;
            ws_traffic_walk_destroy(walk);
            drop(log);
        }
        /* The line that was fetched last costs nothing more, and changes nothing else. */
        access_line(s, 0, 0, fetch, 1, 0x9000, 0);
        access_line(s, 0, 0, store, 1, 0x1000, 0);
        ws_access_log *const log = log_range(s, &plenty, 0, 1);
        assert_int_equal(log->total.fetches, 4);
        ws_access_order *order;
        ws_ordered_access a;
        assert_int_equal(ws_access_order_create(log, 1, 1, 1, &order), WS_OK);
        assert_true(ws_access_order_next(order, &a)); /* fetches are not given unless that is asked for */
        assert_int_equal(a.kind, WS_LOG_STORE);
        assert_int_equal(a.now, 1 + log->total.instructions - 1);
        assert_false(ws_access_order_next(order, &a));
        ws_access_order_destroy(order);
        drop(log);
        script_destroy(s);
    }
}

/* A load of a line with a store of another warp of its SM in flight waits for that. By hand: the first warp loads the
 * line and stores to it when that has come; the store is back a round trip to L2 later. Meanwhile the second warp,
 * which waited for a line of its own as long, loads the first one's: it hits when the store is back, and only then sets
 * out the load behind it, which misses. */
static void loads_wait_for_stores_in_flight(void **state)
{
    (void)state;
    enum { STORED = WS_PROFILE_L2_CYCLES, MISS = WS_PROFILE_L2_CYCLES + WS_PROFILE_MEMORY_CYCLES, ISSUE = 20 };
    script *const s = script_create(1, 64);
    const uint32_t load = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4),
                   store = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_STORE, 4);
    access_line(s, 0, 0, load, 1, 0x1000, 0);
    access_line(s, 0, 0, store, 1, 0x1000, 0);
    const uint32_t add = arithmetic(s, 8, WS_CLASS_INTEGER);
    access_line(s, 0, 1, load, 1, 0x5000, 0);
    run(s, 0, 1, add, 4, ALL_LANES);
    access_line(s, 0, 1, load, 1, 0x1000, 0);
    access_line(s, 0, 1, load, 1, 0x9000, 0);
    ws_access_log *const log = log_range(s, &plenty, 0, 1);
    for (uint32_t i = 0; i < log->entries; i++)
        log->entry[i].slack = 0;
    ws_traffic_walk *walk;
    ws_traffic_rung r;
    assert_int_equal(ws_traffic_walk_create(1, 1, &walk), WS_OK);
    assert_int_equal(ws_traffic_walk_run(walk, log, &r), WS_OK);
    assert_in_range(r.late_cycles[WS_TIME_RC], MISS + STORED + WS_PROFILE_HIT_CYCLES + MISS,
                    MISS + STORED + WS_PROFILE_HIT_CYCLES + MISS + ISSUE);
    /* Without leases nothing waits for a store: its trip less. */
    assert_in_range(r.late_cycles[WS_TIME_PLAIN], 2 * MISS, 2 * MISS + ISSUE);
    ws_traffic_walk_destroy(walk);
    drop(log);
    script_destroy(s);
}

/* A store to a line that has one in flight gives the copy up; so the load behind fetches it again. When the first one
 * is back, it does not. Without time it never does. */
static void stores_in_flight(void **state)
{
    (void)state;
    for (int far = 0; far < 2; far++) {
        script *const s = script_create(1, 32);
        const uint32_t add = arithmetic(s, 64, WS_CLASS_INTEGER), load = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4);
        const uint32_t store = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_STORE, 4);
        access_line(s, 0, 0, load, 1, 0x1000, 0);
        for (unsigned i = 0; i < 8; i++)
            run(s, 0, 0, add, 64, ALL_LANES);
        access_line(s, 0, 0, store, 1, 0x1000, 0);
        for (unsigned i = 0; i < 8; i++)
            run(s, 0, 0, add, far ? 64 : 1, ALL_LANES);
        access_line(s, 0, 0, store, 1, 0x1000, 0);
        access_line(s, 0, 0, load, 1, 0x1000, 0);
        ws_access_log *const log = log_range(s, &plenty, 0, 1);
        ws_traffic_walk *walk;
        ws_traffic_rung r;
        assert_int_equal(ws_traffic_walk_create(4, 1, &walk), WS_OK);
        assert_int_equal(ws_traffic_walk_run(walk, log, &r), WS_OK);
        assert_int_equal(r.bin[0].refilled[WS_LOGIC_RC], !far);
        assert_int_equal(r.bin[0].refilled[WS_LOGIC_SC], 0);
        assert_int_equal(r.bin[0].refilled[WS_LOGIC_ORDER], 0);
        ws_traffic_walk_destroy(walk);
        drop(log);
        script_destroy(s);
    }
}

/* A lease of 200 cycles, too short for a load behind another's miss, is long enough where memory takes no time. */
static void leases_end_while_warps_wait(void **state)
{
    (void)state;
    script *const s = script_create(1, 32);
    const uint32_t load = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4);
    access_line(s, 0, 0, load, 1, 0x1000, 0);
    for (uint64_t i = 1; i <= 3; i++)
        access_line(s, 0, 0, load, 1, 0x1000 + 128 * i, 0);
    access_line(s, 0, 0, load, 1, 0x1000, 0);
    ws_access_log *const log = log_range(s, &plenty, 0, 1);
    ws_traffic_walk *walk;
    ws_traffic_rung r;
    for (uint32_t i = 0; i < log->entries; i++)
        log->entry[i].slack = 0;
    assert_int_equal(ws_traffic_walk_create(4, 1, &walk), WS_OK);
    assert_int_equal(ws_traffic_walk_run(walk, log, &r), WS_OK);
    assert_int_equal(r.bin[0].aged[1], 0);
    assert_int_equal(r.bin[0].late[1], 1);
    assert_int_equal(r.bin[0].late[3], 0); /* 800 cycles */
    ws_traffic_walk_destroy(walk);
    drop(log);
    script_destroy(s);
}

static ws_traffic_profile *profile_of(ws_profiler *profiler, const script *s)
{
    ws_traffic_profile *const p = calloc(1, sizeof *p);
    assert_non_null(p);
    const ws_metric m = {.sink = *ws_profiler_sink(profiler)};
    void *const kept = calloc(1, m.sink.state_size);
    assert_non_null(kept);
    m.sink.attach(kept, m.sink.context);
    assert_int_equal(m.sink.init(kept, &s->launch), WS_OK);
    for (uint64_t block = 0; block < s->launch.blocks; block++)
        script_feed(&m, s, kept, block, 3);
    assert_int_equal(ws_profiler_finish(profiler, &s->launch, kept, p), WS_OK);
    m.sink.fini(kept);
    free(kept);
    return p;
}

/* Rungs that share a walk until a launch needs more are what they would be alone, with any number of threads. */
static void rungs_that_part(unsigned workers)
{
    script *const few = random_script(6, 1, 20, 60, 25), *const many = random_script(90, 1, 20, 60, 25);
    ws_profiler *profiler;
    assert_int_equal(ws_profiler_create(&profiler), WS_OK);
    ws_profiler_set_workers(profiler, workers);
    free(profile_of(profiler, few));
    ws_traffic_profile *const p = profile_of(profiler, many);
    for (unsigned i = 0; i < WS_PROFILE_RUNGS; i++) {
        ws_traffic_walk *walk;
        ws_traffic_rung r;
        const uint32_t sms = ws_profile_sms[i / WS_PROFILE_RESIDENTS];
        assert_int_equal(ws_traffic_walk_create(sms, ws_profile_residents[i % WS_PROFILE_RESIDENTS], &walk), WS_OK);
        ws_access_log *const first = log_range(few, &plenty, 0, 6), *const second = log_range(many, &plenty, 0, 90);
        assert_int_equal(ws_traffic_walk_run(walk, first, &r), WS_OK);
        assert_int_equal(ws_traffic_walk_run(walk, second, &r), WS_OK);
        assert_memory_equal(&r, &p->rung[i], sizeof r);
        drop(first);
        drop(second);
        ws_traffic_walk_destroy(walk);
    }
    free(p);
    ws_profiler_destroy(profiler);
    script_destroy(few);
    script_destroy(many);
}

static void rungs_part_on_one_thread(void **state)
{
    (void)state;
    rungs_that_part(1);
}

static void rungs_part_on_three_threads(void **state)
{
    (void)state;
    rungs_that_part(3);
}

static void bytes(void **state)
{
    (void)state;
    script *const s = random_script(20, 2, 20, 100, 25);
    ws_profiler *profiler;
    assert_int_equal(ws_profiler_create(&profiler), WS_OK);
    ws_traffic_profile *const p = profile_of(profiler, s), *const q = calloc(1, sizeof *q);
    ws_bytes b = {0};
    ws_traffic_profile_write(p, &b);
    assert_false(b.failed);
    assert_true(b.length < 16384);
    assert_int_equal(ws_traffic_profile_read(b.data, b.length, q), WS_OK);
    assert_memory_equal(p, q, sizeof *p);
    for (size_t n = 0; n < b.length; n++)
        assert_int_equal(ws_traffic_profile_read(b.data, n, q), WS_EINPUT);
    b.data[0]++;
    assert_int_equal(ws_traffic_profile_read(b.data, b.length, q), WS_EVERSION);
    ws_bytes_fini(&b);
    free(p);
    free(q);
    ws_profiler_destroy(profiler);
    script_destroy(s);
}

/* Messages OWN of 16 SMs, each with a warp that adds 20 times to as many lines, in slices of their own. */
static double owned_lines(unsigned lines)
{
    script *const s = script_create(16, 32);
    const uint32_t atomic = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_ATOMIC, 4);
    for (unsigned block = 0; block < 16; block++)
        for (unsigned i = 0; i < 20; i++)
            access_line(s, block, 0, atomic, (1u << lines) - 1, 0x10000, WS_LOG_LINE * WS_PROFILE_STRIPE);
    ws_access_log *const log = log_range(s, &plenty, 0, 16);
    ws_traffic_walk *walk;
    ws_traffic_rung r;
    double sum = 0;
    assert_int_equal(ws_traffic_walk_create(16, 1, &walk), WS_OK);
    assert_int_equal(ws_traffic_walk_run(walk, log, &r), WS_OK);
    for (unsigned i = 0; i < WS_PROFILE_BINS; i++)
        sum += (double)r.owner[WS_OWNER_LATE].near[i][WS_OWNER_OWN];
    ws_traffic_walk_destroy(walk);
    drop(log);
    script_destroy(s);
    return sum / lines;
}

/* MSHRs of an SM: a read that waits for its line keeps one, and the others go on. By hand: blocks of one SM come every
 * BLOCK_CYCLES. */
static void reads_overtake_one_that_waits(void **state)
{
    (void)state;
    enum { WAITS = 10000, LATENCY = WS_PROFILE_L2_CYCLES, BLOCK = WS_PROFILE_BLOCK_CYCLES, MSHRS = WS_PROFILE_MSHRS };
    ws_traffic_time *time;
    assert_int_equal(ws_traffic_time_create(1, 1, 1, 0, WS_TIME_OWN, WS_TIME_OWN + 1, WS_TIME_OWN, &time), WS_OK);
    for (uint32_t i = 0; i < MSHRS; i++) {
        const ws_ordered_access a = {.line = (uint64_t)i * WS_PROFILE_STRIPE};
        assert_int_equal(ws_traffic_time_room(time, &a, 0), 0);
        assert_int_equal(ws_traffic_time_wait(time, &a, 0, LATENCY, i ? 0 : WAITS).there,
                         i ? LATENCY + i * BLOCK : LATENCY + WAITS);
    }
    const ws_ordered_access next = {.line = 0};
    for (uint32_t ahead = 0; ahead < MSHRS - 1; ahead++)
        assert_int_equal(ws_traffic_time_room(time, &next, ahead), LATENCY + (ahead + 1) * BLOCK);
    assert_int_equal(ws_traffic_time_room(time, &next, MSHRS - 1), LATENCY + WAITS);
    ws_traffic_time_destroy(time);
}

/* SMs write lines at random. No schedule takes longer than all writes one after the other, each with the trips of its
 * request, of asking another SM and of confirming ownership (a way and a half), the line from memory, and its block at
 * two ports. */
static void owners_take_bounded_time(void **state)
{
    (void)state;
    enum { BLOCKS = 16, WARPS = 4, TIMES = 16, LINES = 256 };
    script *const s = script_create(BLOCKS, 32 * WARPS);
    const uint32_t atomic = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_ATOMIC, 4);
    uint64_t seed = 5;
    for (unsigned b = 0; b < BLOCKS; b++)
        for (unsigned i = 0; i < WARPS * TIMES; i++) {
            uint64_t address[WS_WARP];
            for (unsigned lane = 0; lane < WS_WARP; lane++) {
                seed = seed * 6364136223846793005u + 1442695040888963407u;
                address[lane] = 0x100000 + (seed >> 40) % LINES * WS_LOG_LINE;
            }
            access_at(s, b, i % WARPS, atomic, ALL_LANES, address);
        }
    ws_access_log *const log = log_range(s, &plenty, 0, BLOCKS);
    const uint64_t accesses = log->total.atomics;
    assert_in_range(accesses, BLOCKS * WARPS * TIMES * 28, BLOCKS * WARPS * TIMES * 32);
    static const uint32_t sms[] = {1, 4, 16};
    for (unsigned i = 0; i < 3; i++) {
        ws_traffic_walk *walk;
        ws_traffic_rung r;
        assert_int_equal(ws_traffic_walk_create(sms[i], 2, &walk), WS_OK);
        assert_int_equal(ws_traffic_walk_run(walk, log, &r), WS_OK);
        const uint64_t each = 3 * 2 * WS_PROFILE_L2_CYCLES + WS_PROFILE_MEMORY_CYCLES + 2 * WS_PROFILE_BLOCK_CYCLES;
        assert_in_range(r.owner[WS_OWNER_LATE].cycles, accesses / sms[i], accesses * each);
        ws_traffic_walk_destroy(walk);
    }
    drop(log);
    script_destroy(s);
}

/* One line goes from SM to SM, and each does all it has to do with it. Of several, SMs stand in another order at each
 * slice; a line is taken away again while its SM waits for the others. */
static void lines_one_by_one(void **state)
{
    (void)state;
    assert_float_equal(owned_lines(1), 16, 1e-9);
    assert_true(owned_lines(4) > 3 * 16);
}

/* Readers of a line are the bits of a word. */
static void most_sms(void **state)
{
    (void)state;
    ws_traffic_walk *walk;
    assert_int_equal(ws_traffic_walk_create(64, 1, &walk), WS_OK);
    ws_traffic_walk_destroy(walk);
    assert_int_equal(ws_traffic_walk_create(65, 1, &walk), WS_EUNSUPPORTED);
    assert_null(walk);
    assert_non_null(strstr(ws_message(), "at most 64 SMs, not 65"));
    assert_true(ws_profile_sms[WS_PROFILE_SMS - 1] <= 64);
}

/* Warps of a block that store and fence, three times. */
static ws_traffic_rung fenced(const char *opcode, unsigned warps)
{
    script *const s = script_create(1, 32 * warps);
    const uint32_t store = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_STORE, 4),
                   fence = instr(s, (ws_instr){.opcode = opcode, .cls = WS_CLASS_OTHER});
    for (unsigned i = 0; i < 3; i++)
        for (unsigned warp = 0; warp < warps; warp++) {
            access_line(s, 0, warp, store, 1, 0x1000 * (warp + 1), 0);
            run(s, 0, warp, fence, 1, ALL_LANES);
        }
    ws_access_log *const log = log_range(s, &plenty, 0, 1);
    ws_traffic_walk *walk;
    ws_traffic_rung r;
    assert_int_equal(ws_traffic_walk_create(4, 2, &walk), WS_OK);
    assert_int_equal(ws_traffic_walk_run(walk, log, &r), WS_OK);
    ws_traffic_walk_destroy(walk);
    drop(log);
    script_destroy(s);
    return r;
}

/* A warp takes as much longer as its fences take; of several warps all of theirs where they take turns, but for what
 * they hide. */
static void fences_that_take_time(void **state)
{
    (void)state;
    enum { FENCES = 3, WARPS = 4, TURN = 8 };
    const ws_traffic_rung one = fenced("membar.gl", 1), all = fenced("membar.gl", WARPS),
                          local = fenced("membar.cta", WARPS);
    for (unsigned i = 0; i < WS_PROFILE_FENCES; i++) {
        const uint64_t cost = ws_profile_fence[i];
        assert_int_equal(one.fence_cycles[WS_FENCE_BESIDE][i], FENCES * cost);
        assert_int_equal(one.fence_cycles[WS_FENCE_TURNS][i], FENCES * cost);
        assert_in_range(all.fence_cycles[WS_FENCE_BESIDE][i], FENCES * cost - TURN, FENCES * cost + TURN);
        assert_in_range(all.fence_cycles[WS_FENCE_TURNS][i], (WARPS - 1 + FENCES) * cost - WARPS * TURN,
                        WARPS * FENCES * cost);
        for (unsigned way = 0; way < WS_FENCE_WAYS; way++)
            assert_int_equal(local.fence_cycles[way][i], 0);
    }
    /* A fence that waits for its warp's store is in nobody's way. */
    assert_in_range(all.late_cycles[WS_CLOCK_PLAIN], one.late_cycles[WS_CLOCK_PLAIN],
                    one.late_cycles[WS_CLOCK_PLAIN] + WARPS * TURN);
    /* As long as the fences of the others take longer than a store, there is always one that waits. */
    const uint64_t dear = ws_profile_fence[WS_PROFILE_FENCES - 1],
                   store = WS_PROFILE_L2_CYCLES + WS_PROFILE_MEMORY_CYCLES;
    assert_true((WARPS - 1) * dear > store);
    assert_in_range(all.fence_cycles[WS_FENCE_TURNS][WS_PROFILE_FENCES - 1] + all.late_cycles[WS_CLOCK_PLAIN],
                    WARPS * FENCES * dear, WARPS * FENCES * dear + store + WARPS * TURN);
}

/* A warp: a word of line 10, another sector of it, a store to it, its first word again, and line 11. All lie in one
 * stripe, so one slice gets all requests. */
static void sectors_and_slices(void **state)
{
    (void)state;
    script *const s = script_create(1, 32);
    const uint32_t load = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4);
    const uint32_t store = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_STORE, 4);
    access_line(s, 0, 0, load, 1, 1280, 0);
    access_line(s, 0, 0, load, 1, 1280 + WS_PROFILE_SECTOR, 0);
    access_line(s, 0, 0, store, 1, 1280, 0);
    access_line(s, 0, 0, load, 1, 1280, 0);
    access_line(s, 0, 0, load, 1, 1280 + 128, 0);
    ws_profiler *profiler;
    assert_int_equal(ws_profiler_create(&profiler), WS_OK);
    ws_traffic_profile *const p = profile_of(profiler, s);
    const ws_traffic_rung *const r = &p->rung[0];
    const ws_reuse_bin *const near = &r->bin[0], *const cold = &r->bin[WS_PROFILE_BINS - 1];
    assert_int_equal(near->loads[WS_PASS_ORDER], 2);
    assert_int_equal(near->sectors, 2);
    assert_int_equal(near->new_sectors, 1);
    assert_int_equal(near->partial, 1);
    assert_int_equal(near->stored, 1);
    assert_int_equal(cold->loads[WS_PASS_ORDER], 2);
    assert_int_equal(cold->sectors, 2);
    assert_int_equal(cold->new_sectors, 2);
    assert_int_equal(cold->stored, 0);
    assert_int_equal(r->requests, 3); /* two misses, a store */
    for (unsigned i = 0; i < WS_PROFILE_SLICINGS; i++)
        assert_int_equal(r->busiest[i], 3);
    free(p);
    ws_profiler_destroy(profiler);
    script_destroy(s);
}

/* Instructions whose lines crowd into one of 32 sets: 1, 2 and 32 lines. */
static void lines_in_a_set(void **state)
{
    (void)state;
    script *const s = script_create(1, 32);
    const uint32_t load = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4);
    access_line(s, 0, 0, load, ALL_LANES, 0, 4);
    access_line(s, 0, 0, load, 3, 0, 128 * WS_LOG_SETS);
    access_line(s, 0, 0, load, ALL_LANES, 0, 128 * WS_LOG_SETS);
    ws_profiler *profiler;
    assert_int_equal(ws_profiler_create(&profiler), WS_OK);
    ws_traffic_profile *const p = profile_of(profiler, s);
    const uint64_t expected[WS_LOG_CROWDS] = {1, 1, 0, 0, 0, 1};
    assert_memory_equal(p->crowds, expected, sizeof expected);
    free(p);
    ws_profiler_destroy(profiler);
    script_destroy(s);
}

/* Each group has one slack, and more causes of misses leave fewer groups that hit, at any distance. */
static void groups_of_loads(void **state)
{
    (void)state;
    script *const s = random_script(40, 2, 30, 60, 25);
    ws_profiler *profiler;
    assert_int_equal(ws_profiler_create(&profiler), WS_OK);
    ws_traffic_profile *const p = profile_of(profiler, s);
    for (unsigned i = 0; i < WS_PROFILE_RUNGS; i++) {
        const ws_traffic_rung *const r = &p->rung[i];
        uint64_t groups[WS_GROUP_MISSES] = {0}, slacks = 0, loads = 0;
        for (unsigned k = 0; k < WS_PROFILE_SLACKS; k++)
            slacks += r->group_slack[k];
        for (unsigned bin = 0; bin < WS_PROFILE_BINS; bin++) {
            loads += r->bin[bin].loads[WS_PASS_ORDER];
            assert_true(r->bin[bin].new_sectors <= r->bin[bin].sectors);
            for (unsigned k = 0; k < WS_GROUP_MISSES; k++)
                groups[k] += r->groups[k][bin];
            for (unsigned k = 1; k < WS_GROUP_MISSES && bin + 1 < WS_PROFILE_BINS; k++)
                assert_true(groups[k] <= groups[0]);
        }
        for (unsigned k = 0; k < WS_GROUP_MISSES; k++)
            assert_int_equal(groups[k], slacks);
        assert_true(slacks > 0 && slacks <= loads);
        assert_true(r->groups_far <= slacks && r->groups_joined <= slacks);
        for (unsigned k = 0; k < WS_PROFILE_SLICINGS; k++)
            assert_in_range(r->busiest[k], (r->requests + ws_profile_slices[k] - 1) / ws_profile_slices[k],
                            r->requests);
    }
    free(p);
    ws_profiler_destroy(profiler);
    script_destroy(s);
}

/* An instruction waits for the result of the one before it, and the next for none: by what it waits for, once a warp.
 */
static void waits_by_producer(void **state)
{
    (void)state;
    script *const s = script_create(2, 64);
    const uint32_t divide = instr(
        s,
        (ws_instr){
            .opcode = "div", .cls = WS_CLASS_INTEGER, .unit = WS_UNIT_INT, .work = WS_WORK_DIV, .dsts = 1, .dst = {1}});
    instr(s, (ws_instr){.opcode = "add",
                        .cls = WS_CLASS_INTEGER,
                        .unit = WS_UNIT_INT,
                        .work = WS_WORK_ADD,
                        .srcs = 1,
                        .src = {1},
                        .dsts = 1,
                        .dst = {2}});
    instr(
        s,
        (ws_instr){
            .opcode = "add", .cls = WS_CLASS_INTEGER, .unit = WS_UNIT_INT, .work = WS_WORK_ADD, .dsts = 1, .dst = {3}});
    for (unsigned block = 0; block < 2; block++)
        for (unsigned w = 0; w < 2; w++)
            run(s, block, w, divide, 3, ALL_LANES);
    ws_profiler *profiler;
    assert_int_equal(ws_profiler_create(&profiler), WS_OK);
    ws_traffic_profile *const p = profile_of(profiler, s);
    for (unsigned i = 0; i < WS_CHAIN_WAITS; i++) {
        const bool is = i == WS_WORK_DIV * WS_NUMBERS + WS_NUMBER_INTEGER;
        assert_int_equal(p->work.waits[i], is ? 4 : 0);
        assert_int_equal(p->work.passed[i], is ? 4 : 0);
    }
    free(p);
    ws_profiler_destroy(profiler);
    script_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sectors_and_slices),
        cmocka_unit_test(lines_in_a_set),
        cmocka_unit_test(groups_of_loads),
        cmocka_unit_test(waits_by_producer),
        cmocka_unit_test(what_is_kept),
        cmocka_unit_test(the_same_in_every_cut),
        cmocka_unit_test(order_of_warps),
        cmocka_unit_test(refused),
        cmocka_unit_test(one_lease),
        cmocka_unit_test(distances),
        cmocka_unit_test(rungs_part_on_one_thread),
        cmocka_unit_test(rungs_part_on_three_threads),
        cmocka_unit_test(bytes),
        cmocka_unit_test(time_passes),
        cmocka_unit_test(stores_in_flight),
        cmocka_unit_test(loads_wait_for_stores_in_flight),
        cmocka_unit_test(barriers_pass),
        cmocka_unit_test(fetches_pass),
        cmocka_unit_test(leases_end_while_warps_wait),
        cmocka_unit_test(most_sms),
        cmocka_unit_test(lines_one_by_one),
        cmocka_unit_test(reads_overtake_one_that_waits),
        cmocka_unit_test(owners_take_bounded_time),
        cmocka_unit_test(lines_that_atomics_give_up),
        cmocka_unit_test(fences_that_take_time),
    };
    return cmocka_run_group_tests_name("traffic_profile", tests, NULL, NULL);
}
