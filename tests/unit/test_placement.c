/* test_placement.c - where CTAs run by times that are known, and what SMs share there: worked out by hand, closed
 * forms, and the law that each CTA runs. */
#include "tests/unit/close.h"
#include "tests/unit/sim_script.h"
#include "tests/unit/machine_word.h"

#include "base/status.h"
#include "model/placement/cta_scheduler.h"
#include "model/placement/placement.h"
#include "model/mechanism/sharing/touch_log.h"

#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CTAS = 6000, LIMIT = 1 << 20 };

static uint64_t work[CTAS];

static ws_launch launch_of(uint32_t x, uint32_t y)
{
    return (ws_launch){.kernel = "k",
                       .grid = {x, y, 1},
                       .block = {32, 1, 1},
                       .blocks = (uint64_t)x * y,
                       .threads_per_block = 32,
                       .warps_per_block = 1};
}

static void machine_of(ws_machine *m, uint32_t sms, uint32_t places, const char *scheduler)
{
    script_machine(m, "none");
    m->chip_sms = sms;
    m->sm_blocks = places;
    machine_word(m, chip_cta_scheduler, scheduler);
    for (unsigned i = 0; i < CTAS; i++)
        work[i] = 100;
}

static void make(const ws_machine *m, const ws_launch *l, ws_placement *p)
{
    if (ws_placement_make(m, l, l->blocks, work, p))
        fail_msg("%s", ws_message());
}

/* Three SMs with two places: who ends first gets the next; that is where waves end. */
static void waves(void **state)
{
    (void)state;
    ws_machine m;
    ws_placement p;
    machine_of(&m, 3, 2, "round-robin");
    const ws_launch l = launch_of(9, 1);
    work[4] = 10;
    work[6] = 200;
    make(&m, &l, &p);
    static const uint32_t sm[] = {0, 1, 2, 0, 1, 2, 1, 2, 0}; /* the turn is SM 2's when all of the others end */
    assert_int_equal(p.first_wave, 6);
    assert_int_equal(p.places, 2);
    for (unsigned i = 0; i < 9; i++) {
        assert_int_equal(p.order[i], i);
        assert_int_equal(p.sm[i], sm[i]);
    }
    assert_int_equal(p.busy[1], 100 + 10 + 200);
    assert_int_equal(p.makespan, 210);
    ws_placement_fini(&p);
}

/* 17 equal groups on 16 SMs: imbalance ceil(G / S) / (G / S), Tabbakh 2018, chapter 2. */
static void uneven_groups(void **state)
{
    (void)state;
    ws_machine m;
    ws_placement p;
    machine_of(&m, 16, 1, "chunked");
    ws_given given[] = {{.name = "balance", .value = 0}};
    m.cta = (ws_machine_options){.list = given, .count = 1};
    const ws_launch l = launch_of(8, 17);
    make(&m, &l, &p);
    uint64_t most = 0, sum = 0;
    for (unsigned i = 0; i < 16; i++) {
        sum += p.busy[i];
        most = p.busy[i] > most ? p.busy[i] : most;
    }
    assert_close((double)most * 16 / (double)sum, 2 / (17 / 16.0), 1e-12);
    assert_int_equal(p.makespan, 2 * 8 * 100);
    ws_placement_fini(&p);
}

static void every_cta_runs(void **state)
{
    (void)state;
    const ws_cta_scheduler_ops *o;
    for (size_t row = 0; (o = ws_cta_scheduler_at(row)); row++)
        for (unsigned seed = 0; seed < 40; seed++) {
            ws_machine m;
            ws_placement p;
            machine_of(&m, 1 + seed % 7, 1 + seed % 5, o->name);
            uint64_t random = seed + 1;
            for (unsigned i = 0; i < CTAS; i++) {
                random = random * 6364136223846793005u + 1442695040888963407u;
                work[i] = random >> 60; /* 0 too */
            }
            const ws_launch l = launch_of(1 + seed * 7 % 31, 1 + seed % 6);
            make(&m, &l, &p);
            bool seen[CTAS] = {false};
            uint64_t sum = 0, busy = 0;
            for (uint64_t i = 0; i < p.ctas; i++) {
                assert_false(seen[p.order[i]]);
                seen[p.order[i]] = true;
                assert_true(p.sm[i] < p.sms);
                sum += work[i] ? work[i] : 1;
            }
            for (uint32_t i = 0; i < p.sms; i++)
                busy += p.busy[i];
            assert_int_equal(sum, busy);
            assert_true(p.makespan * p.sms * p.places >= sum && p.makespan <= sum);
            ws_placement_fini(&p);
        }
}

static void refused(void **state)
{
    (void)state;
    ws_machine m;
    ws_placement p;
    machine_of(&m, 2, 2, "round-robin");
    ws_launch l = launch_of(4, 1);
    l.shared_bytes = m.sm_shared + 1;
    assert_int_equal(ws_placement_make(&m, &l, 4, work, &p), WS_EINPUT);
    assert_non_null(strstr(ws_message(), "shared"));
    ws_placement_fini(&p);
}

/* ------------------------------------------------------------------------------------------------ what is shared */

static const ws_touch_log_options logging = {.line_shift = 7, .limit = LIMIT};

typedef struct use {
    uint64_t line;
    bool stores;
} use;

/* Feeds a CTA's warp that touches lines one by one. */
static void feed(const ws_sink *sink, void *state, const ws_launch *l, uint64_t cta, const use *uses, unsigned n)
{
    uint64_t address[WS_WARP];
    assert_int_equal(sink->block_begin(state, l, cta), WS_OK);
    for (unsigned i = 0; i < n; i++) {
        for (unsigned lane = 0; lane < WS_WARP; lane++)
            address[lane] = uses[i].line * 128 + 4 * lane;
        const ws_event ev = {.pc = uses[i].stores,
                             .count = 1,
                             .active = UINT32_MAX,
                             .exec = UINT32_MAX,
                             .kind = WS_EVENT_MEMORY,
                             .space = WS_SPACE_GLOBAL};
        const ws_batch batch = {.block = cta, .event = &ev, .events = 1, .address = address};
        assert_int_equal(sink->events(state, l, &batch), WS_OK);
    }
    assert_int_equal(sink->block_end(state, l, cta), WS_OK);
}

static const ws_instr instrs[] = {
    {.opcode = "ld", .cls = WS_CLASS_MEMORY, .space = WS_SPACE_GLOBAL, .access = WS_ACCESS_LOAD, .bytes = 4},
    {.opcode = "st", .cls = WS_CLASS_MEMORY, .space = WS_SPACE_GLOBAL, .access = WS_ACCESS_STORE, .bytes = 4}};

static ws_touch_log begin_log(const ws_sink *sink, ws_launch *l)
{
    ws_touch_log log = {0};
    l->instr = instrs;
    l->instrs = 2;
    sink->attach(&log, sink->context);
    return log;
}

/* Block A of one SM and B of four, the thesis's example: 5 lines in L1s and 2 in L2 for 2 blocks, 3.5. CTA 5 only
 * stores to B. */
static void capacity(void **state)
{
    (void)state;
    ws_launch l = launch_of(6, 1);
    const ws_sink sink = ws_touch_log_sink(&logging);
    ws_touch_log log = begin_log(&sink, &l), other = begin_log(&sink, &l);
    static const uint32_t sm[] = {0, 1, 2, 3, 3, 4};
    feed(&sink, &log, &l, 0, (use[]){{.line = 10}, {.line = 10}}, 2);
    for (unsigned cta = 1; cta < 6; cta++)
        feed(&sink, cta < 3 ? &log : &other, &l, cta, (use[]){{.line = 20, .stores = cta == 5}}, 1);
    assert_int_equal(sink.merge(&log, &other, &l), WS_OK);
    ws_touch_log_sort(&log);
    ws_sharers s = {0};
    ws_touch_log_sharers(&log, sm, &s);
    assert_close(s.blocks, 2, 0);
    assert_close(s.copies / s.blocks + 1, 3.5, 0);
    assert_close(s.shared, 1, 0);
    assert_close(s.shared_copies, 4, 0);
    assert_close(s.loads, 2 + 4, 0);
    assert_close(s.first_loads, 1 + 3, 0); /* SM 4 does not read */
    assert_int_equal(log.ctas, 6);
    assert_int_equal(log.work[0], 2);
    assert_int_equal(log.work[5], 1);
    sink.fini(&log);
    sink.fini(&other);
}

/* Block n is shared by CTAs n .. n + k - 1: k SMs in turn, 1 + (k - 1) / N by groups of N. */
static double sharers_of_runs(unsigned k, const char *scheduler, uint64_t chunk, size_t limit)
{
    ws_machine m;
    ws_placement p;
    ws_sharers s = {0};
    const ws_touch_log_options options = {.line_shift = 7, .limit = limit};
    ws_given given[] = {{.name = "chunk", .value = chunk}, {.name = "balance", .value = 0}};
    machine_of(&m, 15, 2, scheduler);
    if (chunk)
        m.cta = (ws_machine_options){.list = given, .count = 2};
    ws_launch l = launch_of(CTAS, 1);
    const ws_sink sink = ws_touch_log_sink(&options);
    ws_touch_log log = begin_log(&sink, &l);
    for (unsigned cta = 0; cta < CTAS; cta++) {
        use uses[16];
        for (unsigned i = 0; i < k; i++)
            uses[i] = (use){.line = cta + 15 - i}; /* so that lines 15 on have k users, but for the ends */
        feed(&sink, &log, &l, cta, uses, k);
    }
    make(&m, &l, &p);
    ws_touch_log_sort(&log);
    ws_touch_log_sharers(&log, p.sm, &s);
    assert_true(limit < LIMIT || !log.level);
    assert_true(limit == LIMIT || log.level);
    ws_placement_fini(&p);
    sink.fini(&log);
    return s.copies / s.blocks;
}

static void runs_of_k(void **state)
{
    (void)state;
    static const unsigned run_of[] = {2, 3, 5, 8};
    for (unsigned i = 0; i < 4; i++) {
        const double k = run_of[i], q8 = 1 + (k - 1) / 8, q16 = 1 + (k - 1) / 16;
        assert_close(sharers_of_runs(run_of[i], "round-robin", 0, LIMIT), k, 0.02 * k);
        assert_close(sharers_of_runs(run_of[i], "chunked", 8, LIMIT), q8, 0.02 * q8);
        assert_close(sharers_of_runs(run_of[i], "chunked", 16, LIMIT), q16, 0.02 * q16);
    }
    /* A sample of about 2000 blocks of 6000: four standard deviations of (0 or 1) of 1 / 8. */
    assert_close(sharers_of_runs(2, "chunked", 8, 6000), 1.125, 4 * 0.33 / 35);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waves),   cmocka_unit_test(uneven_groups), cmocka_unit_test(every_cta_runs),
        cmocka_unit_test(refused), cmocka_unit_test(capacity),      cmocka_unit_test(runs_of_k),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
