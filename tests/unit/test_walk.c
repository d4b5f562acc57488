/* test_walk.c - walks of warps through an L1: hits that are worked out by hand, occlusion by its closed form, laws that
 * hold for any launch.
 *
 * The kernel is one of B. Wang, "Mitigating GPU Memory Divergence for Data-Intensive Applications", Auburn 2015,
 * section 2.3: a divergent load of a matrix whose rows are 32 KB apart, and a word of a vector that all warps read. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "model/mechanism/divergence/keep.h"
#include "model/mechanism/divergence/terms.h"
#include "tests/unit/access_logs.h"

enum { TURNS = 64, LATENCY = 450 };
/* 32 sets of 8 lines; data come at once, whatever is between L1 and memory. */
static ws_walk_machine quick_machine(const char *index)
{
    return (ws_walk_machine){.sms = 1,
                             .room.threads = 1536,
                             .room.blocks = 8,
                             .room.registers = 1 << 20,
                             .room.shared = 49152,
                             .schedulers = 1,
                             .issue = 1,
                             .queue = 8,
                             .scheduler = {.order = WS_WALK_TURNS},
                             .l1 = {.index = index},
                             .l1_sets = 32,
                             .l1_ways = 8,
                             .mshrs = 32,
                             .merges = 8,
                             .ports = 1,
                             .l1_cycles = 0,
                             .slices = 1,
                             .l2_sets = 1,
                             .l2_ways = 1,
                             .slice_map = ws_slice_map_make(1, 1, 2, 1, false)};
}

static ws_walk_result walk(const ws_walk_machine *m, const script *s)
{
    ws_walk *w;
    ws_walk_result r = {0};
    ws_access_log *const log = log_of(s);
    assert_int_equal(ws_walk_create(m, &w), WS_OK);
    assert_int_equal(ws_walk_launch(w, log, &s->launch, &r), WS_OK);
    ws_walk_destroy(w);
    drop(log);
    return r;
}

/* A block of `warps` warps, each TURNS times: `divergent` loads of rows `stride` apart, and one line for all. */
static script *loop(unsigned warps, unsigned divergent, uint64_t stride)
{
    const uint64_t base = UINT64_C(1) << 31, coherent = base + (UINT64_C(1) << 28) + 640;
    script *const s = script_create(1, 32 * warps);
    s->launch.shared_bytes = 0;
    uint32_t pc[3];
    for (unsigned i = 0; i < 3; i++)
        pc[i] = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4);
    for (unsigned turn = 0; turn < TURNS; turn++)
        for (unsigned warp = 0; warp < warps; warp++) {
            for (unsigned k = 0; k < divergent; k++)
                access_line(s, 0, warp, pc[k], ALL_LANES, base + ((uint64_t)k << 26) + stride * 32 * warp + 4 * turn,
                            (int64_t)stride);
            access_line(s, 0, warp, pc[2], ALL_LANES, coherent + 4 * turn, 0);
        }
    return s;
}

/* Lines come at once, warps take turns: what each index keeps of ATAX and GES. */
static void test_hits(void **unused)
{
    (void)unused;
    static const struct {
        unsigned warps, divergent;
        uint64_t stride;
        const char *index;
        double hits, misses, full, missed;
    } cases[] = {
        {1, 1, 32768, "linear", 62, 2050, 0, 64},  {1, 1, 32768, "xor", 2046, 66, 62, 2},
        {1, 1, 32768, "fermi", 2046, 66, 62, 2},   {1, 1, 32768, "fup", 2046, 66, 62, 2},
        {2, 1, 32768, "xor", 126, 4098, 0, 128},   {2, 1, 32768, "fermi", 4094, 130, 124, 4},
        {3, 1, 32768, "fermi", 190, 6146, 0, 192}, {2, 1, 32768, "fup", 4094, 130, 124, 4},
        {7, 1, 32768, "fup", 14334, 450, 434, 14}, {1, 2, 16384, "linear", 62, 4098, 0, 128},
        {2, 2, 16384, "fup", 8062, 258, 248, 8},   {3, 2, 16384, "fup", 12094, 386, 372, 12},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        script *const s = loop(cases[i].warps, cases[i].divergent, cases[i].stride);
        const ws_walk_machine m = quick_machine(cases[i].index);
        const ws_walk_result r = walk(&m, s);
        assert_float_equal(r.hits, cases[i].hits, 0);
        assert_float_equal(r.misses, cases[i].misses, 0);
        assert_float_equal(r.merged, 0, 0);
        assert_float_equal(r.full[WS_LOAD_DIVERGENT], cases[i].full, 0);
        assert_float_equal(r.missed[WS_LOAD_DIVERGENT], cases[i].missed, 0);
        assert_float_equal(r.loads[WS_LOAD_DIVERGENT], cases[i].warps * cases[i].divergent * TURNS, 0);
        script_destroy(s);
    }
}

/* With one warp too many nearly all lines hit, and no divergent load is served whole. */
static void test_partial(void **unused)
{
    (void)unused;
    script *const s = loop(8, 1, 32768);
    const ws_walk_machine m = quick_machine("fup");
    const ws_walk_result r = walk(&m, s);
    assert_true(r.hits > .9 * r.accesses);
    assert_float_equal(r.full[WS_LOAD_DIVERGENT], 0, 0);
    assert_true(r.missed[WS_LOAD_DIVERGENT] <= 16);
    script_destroy(s);
}

static void test_warps_kept(void **unused)
{
    (void)unused;
    static const struct {
        unsigned divergent;
        uint64_t stride;
        const char *index;
        uint32_t warps;
    } cases[] = {{1, 32768, "linear", 0}, {1, 32768, "xor", 1}, {1, 32768, "fermi", 2}, {1, 32768, "fup", 7},
                 {2, 16384, "fermi", 2},  {2, 16384, "fup", 3}, {0, 32768, "fup", 0} /* no divergent load */};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        script *const s = loop(8, cases[i].divergent, cases[i].stride);
        const ws_walk_machine m = quick_machine(cases[i].index);
        ws_access_log *const log = log_of(s);
        uint32_t warps = UINT32_MAX;
        assert_int_equal(ws_walk_keeps(&m, log, &s->launch, &warps), WS_OK);
        assert_int_equal(warps, cases[i].warps);
        drop(log);
        script_destroy(s);
    }
}

/* Loads of 32 lines that all miss, one behind the other: with 32 MSHRs and a latency L the port stands still for 32 L /
 * 32 - 32 cycles a load; with 64 of them half as long, 32 L / 64 - 32. */
static void test_occlusion(void **unused)
{
    (void)unused;
    enum { WARPS = 32, LOADS = 20 };
    script *const s = script_create(1, 32 * WARPS);
    s->launch.shared_bytes = 0;
    const uint32_t load = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4);
    for (unsigned i = 0; i < LOADS; i++)
        for (unsigned warp = 0; warp < WARPS; warp++)
            access_line(s, 0, warp, load, ALL_LANES, (uint64_t)(i * WARPS + warp) << 13, 128);
    for (uint32_t mshrs = 32; mshrs <= 64; mshrs += 32) {
        ws_walk_machine m = quick_machine("linear");
        m.mshrs = mshrs;
        m.l2_cycles = LATENCY;
        m.l1_ways = 64; /* of lines there is no lack */
        const ws_walk_result r = walk(&m, s);
        const double loads = WARPS * LOADS, expected = 32. * LATENCY / mshrs - 32;
        assert_true(fabs(r.mshr_stalls / loads - expected) < .02 * expected);
        const ws_walk_bound bound = ws_walk_bound_of(&m, &r);
        assert_int_equal(bound.binding, WS_TERM_mshrs);
        assert_true(fabs(bound.term[WS_TERM_mshrs] - r.misses * LATENCY / mshrs) < 1e-6 * r.cycles);
    }
    script_destroy(s);
}

/* One warp whose load needs nothing but itself: issue, the way there and back, nothing else. */
static void test_one_load(void **unused)
{
    (void)unused;
    script *const s = script_create(1, 32);
    s->launch.shared_bytes = 0;
    access_line(s, 0, 0, memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4), ALL_LANES, 0, 4);
    ws_walk_machine m = quick_machine("linear");
    m.l2_cycles = 100;
    m.memory_cycles = 200;
    m.request_cycles = 1;
    m.line_cycles = 5;
    m.memory_line_cycles = 7;
    const ws_walk_result r = walk(&m, s);
    /* asked one cycle after issue: links of the SM and of the slice, memory, L2 and the way, links of the slice and of
     * the SM */
    assert_float_equal(r.miss_cycles, 1 + 1 + 7 + 200 + 100 + 5 + 5, 0);
    assert_float_equal(r.cycles, 1 + r.miss_cycles, 0);
    assert_float_equal(r.memory_lines, 1, 0);
    const ws_walk_bound bound = ws_walk_bound_of(&m, &r);
    assert_int_equal(bound.binding, WS_WALK_TERMS);
    assert_string_equal(ws_walk_term_name(bound.binding), "latency");
    script_destroy(s);
}

/* A divergent load into one set of eight lines, chosen at the miss: its 32 lines come in four rounds, and the port
 * waits for three of them. Chosen at the fill, none waits. */
static void test_conflicts(void **unused)
{
    (void)unused;
    script *const s = script_create(1, 32);
    s->launch.shared_bytes = 0;
    access_line(s, 0, 0, memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4), ALL_LANES, 0, 4096);
    ws_walk_machine m = quick_machine("linear");
    m.l2_cycles = LATENCY;
    ws_walk_result r = walk(&m, s);
    assert_float_equal(r.conflict_rounds, 3, 0);
    assert_float_equal(r.concentration, 32, 0);
    assert_true(fabs(r.set_stalls - 3 * LATENCY) <= 32);
    m.on_fill = true;
    r = walk(&m, s);
    assert_float_equal(r.set_stalls, 0, 0);
    script_destroy(s);
}

/* With fermi two warps fit: of eight, two that may load keep their lines, all together keep none. */
static void test_limit(void **unused)
{
    (void)unused;
    script *const s = loop(8, 1, 32768);
    ws_walk_machine m = quick_machine("fermi");
    m.l2_cycles = LATENCY;
    const ws_walk_result all = walk(&m, s);
    m.scheduler = (ws_walk_scheduler){.order = WS_WALK_TURNS, .hold = WS_WALK_LIMIT, .limit = 2};
    const ws_walk_result two = walk(&m, s);
    assert_float_equal(all.full[WS_LOAD_DIVERGENT], 0, 0);
    assert_true(two.full[WS_LOAD_DIVERGENT] >=
                .7 * two.loads[WS_LOAD_DIVERGENT]); /* the rest waits for what is on its way */
    assert_true(two.cycles < all.cycles / 2);
    assert_float_equal(two.accesses, all.accesses, 0);
    script_destroy(s);
}

/* Blocks of warps that load, store and meet at barriers; the same for the same seed. */
static script *random_script(uint64_t seed)
{
    enum { BLOCKS = 7, WARPS = 5, STEPS = 60 };
    script *const s = script_create(BLOCKS, 32 * WARPS);
    s->launch.shared_bytes = 0;
    const uint32_t add = arithmetic(s, 8, WS_CLASS_INTEGER), store = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_STORE, 4);
    const uint32_t load = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4),
                   wide = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4);
    const uint32_t atomic = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_ATOMIC, 4),
                   wait = instr(s, (ws_instr){.cls = WS_CLASS_BARRIER});
    for (unsigned block = 0; block < BLOCKS; block++)
        for (unsigned i = 0; i < STEPS; i++) {
            for (unsigned warp = 0; warp < WARPS; warp++) {
                seed = seed * 6364136223846793005u + 1442695040888963407u;
                const uint32_t pcs[] = {load, wide, wide, store, load, atomic, load, wide};
                const unsigned kind = seed >> 61;
                run(s, block, warp, add, 1 + (unsigned)(seed >> 33 & 7), ALL_LANES);
                access_line(s, block, warp, pcs[kind], ALL_LANES, (seed >> 40 & 0xff) * 128,
                            pcs[kind] == wide ? 4096 : 4);
            }
            for (unsigned warp = 0; warp < WARPS && i % 9 == 8; warp++)
                barrier(s, block, warp, wait);
        }
    return s;
}

/* Whatever holds loads back, and wherever lines are chosen: each access is one of three things, no term is longer than
 * the time, and a second walk is the same. */
static void test_laws(void **unused)
{
    (void)unused;
    static const ws_walk_scheduler how[] = {
        {.order = WS_WALK_OLDEST},
        {.order = WS_WALK_TURNS},
        {.hold = WS_WALK_LIMIT, .limit = 1},
        {.hold = WS_WALK_LIMIT, .limit = 2, .together = true, .all = true},
        {.hold = WS_WALK_LOCALITY, .throttle = 8, .base = 100},
        {.hold = WS_WALK_OCCLUSION, .percent = 50, .most = 31},
        {.hold = WS_WALK_LEARNED, .most = 31, .rule = {.most_count = 128, .first = 4, .least = 1, .most = 48}},
        {.hold = WS_WALK_PROTECTED, .rule = {.most_count = 128, .first = 2, .least = 1, .most = 48}},
        {.hold = WS_WALK_PROTECTED, .all = true, .rule = {.most_count = 128, .first = 2, .least = 1, .most = 48}},
    };
    double lines = 0;
    for (size_t i = 0; i < 4 * (sizeof how / sizeof *how); i++) {
        script *const s = random_script(3);
        ws_walk_machine m = quick_machine(i & 1 ? "fup" : "linear");
        m.scheduler = how[i / 4];
        m.on_fill = i & 2;
        m.schedulers = 2;
        m.l2_cycles = 120;
        m.memory_cycles = 80;
        m.request_cycles = 1;
        m.line_cycles = 5;
        m.store_cycles = 5;
        m.memory_line_cycles = 3;
        const ws_walk_result r = walk(&m, s);
        const ws_walk_bound bound = ws_walk_bound_of(&m, &r);
        if (i / 4 % 4 == i % 4) {
            const ws_walk_result again = walk(&m, s);
            assert_memory_equal(&r, &again, sizeof r);
        }
        assert_float_equal(r.hits + r.merged + r.misses, r.accesses, 0);
        assert_true(r.full[WS_LOAD_DIVERGENT] + r.missed[WS_LOAD_DIVERGENT] <= r.loads[WS_LOAD_DIVERGENT]);
        assert_true(r.most >= r.concentration && r.concentration >= r.loads[WS_LOAD_DIVERGENT]);
        for (unsigned t = 0; t < WS_WALK_TERMS; t++)
            assert_true(bound.term[t] <= r.cycles * (1 + 1e-9));
        ws_walk_result beyond = r;
        assert_int_equal(ws_walk_check(&m, "kernel", &r), WS_OK);
        beyond.cycles = 1e-3 + r.instructions / m.schedulers * 0.99;
        assert_int_equal(ws_walk_check(&m, "kernel", &beyond), WS_EVERIFY);
        beyond.cycles = r.cycles * 1e6;
        assert_int_equal(ws_walk_check(&m, "kernel", &beyond), WS_EVERIFY);
        lines = i ? lines : r.accesses;
        assert_float_equal(r.accesses, lines, 0);
        script_destroy(s);
    }
}

/* A replacement that does not keep all lines, blocks that do not fit, blocks of more warps than an SM has. */
static void test_limits(void **unused)
{
    (void)unused;
    script *s = random_script(5);
    ws_walk_machine m = quick_machine("fermi");
    m.l1.replacement = "dacache";
    m.l2_cycles = 100;
    const ws_walk_result r = walk(&m, s);
    assert_float_equal(r.hits + r.merged + r.misses, r.accesses, 0);
    assert_int_equal(ws_walk_residents(&m, &s->launch), 8);
    s->launch.registers = 64;
    m.room.registers = 32768;
    assert_int_equal(ws_walk_residents(&m, &s->launch), 3);
    m.l1_sets = 16; /* not for that hash */
    ws_walk *w;
    assert_int_equal(ws_walk_create(&m, &w), WS_EINPUT);
    assert_null(w);
    script_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hits),      cmocka_unit_test(test_partial),  cmocka_unit_test(test_warps_kept),
        cmocka_unit_test(test_occlusion), cmocka_unit_test(test_one_load), cmocka_unit_test(test_conflicts),
        cmocka_unit_test(test_limit),     cmocka_unit_test(test_laws),     cmocka_unit_test(test_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
