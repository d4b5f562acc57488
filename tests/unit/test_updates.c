/* test_updates.c - what buffers of updates keep, by distances and by following them: worked examples, closed forms,
 * brute force beside both. */
#include "model/tech/lab_tech.h"
#include "model/update_walk.h"
#include "model/mechanism/atomics/lab.h"
#include "base/lru.h"
#include "model/mechanism/atomics/update_reuse.h"

#include "base/bits.h"
#include "base/status.h"
#include "collect/trace/update.h"

#include <gsl/gsl_rng.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 4096, ALL = UINT32_MAX };
static const double near = 1e-9;

/* A log and its order, made by hand: record i is done at time i. */
typedef struct made {
    ws_update_log log;
    ws_update_record record[MOST];
    uint8_t lanes[MOST * WS_UPDATE_WORDS];
    ws_update_step step[MOST];
    uint32_t sms;
} made;

static uint32_t code_of(uint8_t op)
{
    return ws_update_code(op, WS_NUMBER_INTEGER, false, 4);
}

static void put(made *m, uint32_t sm, ws_update_kind kind, uint64_t line, uint32_t words, uint8_t op)
{
    const size_t at = m->log.records++;
    assert_true(at < MOST);
    m->record[at] = (ws_update_record){
        .line = line, .lanes = m->log.lanes_used, .words = words, .code = op ? code_of(op) : 0, .kind = (uint8_t)kind};
    for (unsigned i = 0; i < (unsigned)__builtin_popcount(words) && op; i++)
        m->lanes[m->log.lanes_used++] = 1;
    m->step[at] = (ws_update_step){.time = at, .sm = sm, .record = at};
    m->log.record = m->record;
    m->log.lanes = m->lanes;
    m->sms = sm + 1 > m->sms ? sm + 1 : m->sms;
}

static ws_update_reuse reuse_of(const made *m)
{
    ws_update_reuse r = {0};
    assert_int_equal(ws_update_reuse_add(&r, &m->log, m->step, m->sms), WS_OK);
    return r;
}

static ws_lab_result follow(const made *m, uint64_t entries)
{
    ws_lab_result r = {0};
    assert_int_equal(ws_lab_run(&m->log, m->step, m->sms, entries, NULL, true, 7, &r), WS_OK);
    return r;
}

/* Twelve adds and a maximum: distances, and buffers of all sizes. */
static void a_stream(void **state)
{
    (void)state;
    static const uint64_t line[] = {0, 1, 0, 2, 3, 0, 4, 1, 0, 5, 0, 2};
    static const uint64_t distance[] = {ALL, ALL, 1, ALL, ALL, 2, ALL, 4, 2, ALL, 1, 5};
    static const double want[][6] = {
        {1, 0, 13, 12, 0, 1}, {2, 2, 11, 8, 1, 2}, {3, 4, 9, 5, 1, 3}, {4, 4, 9, 4, 1, 4}, {6, 6, 7, 0, 1, 6}};
    ws_lru stack;
    static made m;
    ws_lru_init(&stack, WS_LRU_MOST);
    for (unsigned i = 0; i < 12; i++) {
        uint64_t d;
        assert_int_equal(ws_lru_use(&stack, line[i], &d), WS_OK);
        assert_true(d == (distance[i] == ALL ? WS_LRU_FAR : distance[i]));
        put(&m, 0, WS_UPDATE_ADDS, line[i], 1, WS_ATOMIC_ADD);
    }
    ws_lru_fini(&stack);
    put(&m, 0, WS_UPDATE_ADDS, 0, 1, WS_ATOMIC_MAX);
    ws_update_reuse r = reuse_of(&m);
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        const ws_update_buffer b = ws_update_buffer_of(&r, want[i][0]);
        assert_true(b.hits == want[i][1] && b.misses == want[i][2] && b.evictions == want[i][3] &&
                    b.mismatches == want[i][4] && b.flushed == want[i][5]);
        assert_true(follow(&m, (uint64_t)want[i][0]).messages == b.misses);
    }
    assert_true(ws_update_buffer_of(&r, INFINITY).misses == 7);
    assert_true(follow(&m, 0).messages == 7);
    ws_update_reuse_fini(&r);
}

/* Two SMs update a word in turn, ten times each. */
static void one_word_of_two_sms(void **state)
{
    (void)state;
    static made m;
    for (unsigned i = 0; i < 20; i++)
        put(&m, i % 2, WS_UPDATE_ADDS, 5, 1, WS_ATOMIC_ADD);
    ws_update_reuse r = reuse_of(&m);
    assert_true(r.hottest == 20 && r.hottest_of_sm == 10);
    assert_true(r.rounds[WS_UPDATE_ADDS] == 20);
    for (double lines = 1; lines < 300; lines *= 3) {
        assert_true(ws_update_buffer_of(&r, lines).hits == 18);
        assert_true(ws_distances_below(&r.phi, lines) == 18);
        assert_true(ws_distances_all(&r.owned) - ws_distances_below(&r.owned, lines) == 20);
    }
    assert_true(r.migrations == 19);
    const ws_lab_result values = follow(&m, 8);
    assert_true(values.messages == 2 && values.elements == 1 && values.different == 0);
    ws_update_reuse_fini(&r);
}

/* A0 D1 D2 A0 D3 D4 A0 in two lines. */
static void data_among_updates(void **state)
{
    (void)state;
    static const unsigned line[] = {0, 1, 2, 0, 3, 4, 0};
    static made m;
    for (unsigned i = 0; i < 7; i++)
        put(&m, 0, line[i] ? WS_UPDATE_LOAD : WS_UPDATE_ADDS, line[i], 1, line[i] ? WS_ATOMIC_NONE : WS_ATOMIC_ADD);
    ws_update_reuse r = reuse_of(&m);
    assert_true(ws_distances_below(&r.phi, 2) == 0 && ws_distances_all(&r.phi) == 3);
    assert_true(ws_distances_below(&r.phi, 3) == 2);
    assert_true(ws_distances_below(&r.loads_beside, 2) == 0 && ws_distances_all(&r.loads_beside) == 4);
    assert_true(ws_update_buffer_of(&r, 1).hits == 2 && ws_update_buffer_of(&r, 1).misses == 1);
    ws_update_reuse_fini(&r);
}

/* 8192 warps of 32 random values over 256 and over 8192 counters of 4 bytes, on 80 SMs: lines a warp, and what buffers
 * send. */
static void histograms(void **state)
{
    (void)state;
    static const struct {
        unsigned bins, entries;
        double lines, messages, less;
    } want[] = {{256, 8, 7.8885, 640, 0.990}, {8192, 256, 30.136, 20480, 0.917}};
    enum { SMS = 80, WARPS = 8192, BIN_LINES = 32 };
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (unsigned i = 0; i < 2; i++) {
        const unsigned lines = want[i].bins / BIN_LINES;
        assert_true(fabs(lines * (1 - pow(1 - 1.0 / lines, 32)) - want[i].lines) < 5e-4 * want[i].lines);
        ws_update_log log = {0};
        log.record = calloc((size_t)WARPS * 32, sizeof *log.record);
        log.lanes = calloc((size_t)WARPS * 32 * 32, 1);
        ws_update_step *const step = calloc((size_t)WARPS * 32, sizeof *step);
        for (unsigned warp = 0; warp < WARPS; warp++) {
            uint32_t words[256] = {0}, lanes[8192] = {0};
            for (unsigned lane = 0; lane < 32; lane++) {
                const unsigned bin = (unsigned)gsl_rng_uniform_int(rng, want[i].bins);
                words[bin / BIN_LINES] |= 1u << bin % BIN_LINES;
                lanes[bin]++;
            }
            for (unsigned line = 0; line < lines; line++) {
                if (!words[line])
                    continue;
                step[log.records] =
                    (ws_update_step){.time = warp / SMS, .sm = warp % SMS, .record = (uint32_t)log.records};
                log.record[log.records++] = (ws_update_record){.line = line,
                                                               .lanes = log.lanes_used,
                                                               .words = words[line],
                                                               .code = code_of(WS_ATOMIC_ADD),
                                                               .kind = WS_UPDATE_ADDS};
                WS_EACH_LANE (word, words[line])
                    log.lanes[log.lanes_used++] = (uint8_t)lanes[line * BIN_LINES + word];
            }
        }
        ws_update_reuse r = {0};
        assert_int_equal(ws_update_reuse_add(&r, &log, step, SMS), WS_OK);
        assert_true(fabs(r.kinds[WS_UPDATE_ADDS] / (want[i].lines * WARPS) - 1) < 0.002);
        assert_true(r.lanes == WARPS * 32);
        const double sent = ws_update_buffer_of(&r, want[i].entries).misses;
        assert_true(sent <= want[i].messages && fabs(1 - sent / r.kinds[WS_UPDATE_ADDS] - want[i].less) < 0.002);
        ws_lab_result values = {0};
        assert_int_equal(ws_lab_run(&log, step, SMS, want[i].entries, NULL, true, 1, &values), WS_OK);
        assert_true(values.messages == sent && values.different == 0 && values.elements == want[i].bins);
        ws_update_reuse_fini(&r);
        free(log.record);
        free(log.lanes);
        free(step);
    }
    gsl_rng_free(rng);
}

/* The stream of twelve adds and a maximum, as profiles keep it: what buffers of 1, 2, 4 and all lines hit, and a word a
 * message. */
static void a_stream_in_a_profile(void **state)
{
    (void)state;
    static const uint64_t line[] = {0, 1, 0, 2, 3, 0, 4, 1, 0, 5, 0, 2};
    static const struct {
        unsigned size;
        uint64_t hits;
    } want[] = {{0, 0}, {1, 2}, {2, 4}, {WS_PROFILE_BUFFERS - 1, 6}};
    ws_traffic_rung rung = {0};
    ws_update_walk *walk;
    assert_int_equal(ws_update_walk_create(2, &rung, &walk), WS_OK);
    for (unsigned i = 0; i < 12; i++)
        assert_int_equal(ws_update_walk_see(walk, 1, line[i], 1, code_of(WS_ATOMIC_ADD)), WS_OK);
    assert_int_equal(ws_update_walk_see(walk, 1, 0, 1, code_of(WS_ATOMIC_MAX)), WS_OK);
    ws_update_walk_flush(walk, 1);
    ws_update_walk_destroy(walk);
    assert_int_equal(rung.update_requests, 13);
    for (unsigned i = 0; i < sizeof want / sizeof *want; i++) {
        assert_int_equal(rung.update_hits[want[i].size], want[i].hits);
        assert_int_equal(rung.update_words[want[i].size], 13 - want[i].hits);
    }
}

static uint32_t slice_by_line(const void *slices, uint64_t line)
{
    return (uint32_t)(line % *(const uint32_t *)slices);
}

/* Random updates of two operations of 6 SMs on 3 chips: distances of what comes to each part of a chip's buffer tell,
 * for all sizes, what following it entry by entry sends home; memory is the same at the end. By hand, at first: two SMs
 * of a chip that share a line, and a third one of another chip. */
static void buffers_of_chips(void **state)
{
    (void)state;
    static made m;
    static const uint32_t slices = 2;
    ws_chip_reuse reuse = {0};
    memset(&m, 0, sizeof m);
    for (unsigned i = 0; i < 12; i++)
        put(&m, i % 3, WS_UPDATE_ADDS, 0, 1, WS_ATOMIC_ADD);
    m.sms = 4;
    ws_lab_result r = {0};
    ws_lab_chips chips = {
        .chips = 2, .slices = slices, .entries = 1, .slice_of = slice_by_line, .context = &slices, .reuse = &reuse};
    assert_int_equal(ws_lab_run(&m.log, m.step, m.sms, 1, &chips, true, 3, &r), WS_OK);
    const ws_update_buffer by_hand = ws_chip_reuse_of(&reuse, 1);
    assert_true(r.messages == 2 && reuse.requests == 3 && by_hand.hits == 1 && by_hand.misses == 2 &&
                by_hand.flushed == 2 && by_hand.evictions == 0);
    ws_buffer_reuse_fini(&reuse.buffer);
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (unsigned round = 0; round < 30; round++) {
        memset(&m, 0, sizeof m);
        m.sms = 6;
        for (unsigned i = 0; i < 1000; i++)
            put(&m, (unsigned)gsl_rng_uniform_int(rng, 6), WS_UPDATE_ADDS, gsl_rng_uniform_int(rng, 24),
                1u << gsl_rng_uniform_int(rng, 2),
                round % 2 && gsl_rng_uniform_int(rng, 9) == 0 ? WS_ATOMIC_MAX : WS_ATOMIC_ADD);
        const uint64_t of_sms = (uint64_t[]){WS_LAB_NOTHING, 1, 3, 0}[round % 4];
        reuse = (ws_chip_reuse){0};
        chips = (ws_lab_chips){
            .chips = 3, .slices = slices, .entries = 1, .slice_of = slice_by_line, .context = &slices, .reuse = &reuse};
        for (chips.entries = 1; chips.entries < 14; chips.entries++, chips.reuse = NULL) {
            r = (ws_lab_result){0};
            assert_int_equal(ws_lab_run(&m.log, m.step, m.sms, of_sms, &chips, true, round, &r), WS_OK);
            const ws_update_buffer b = ws_chip_reuse_of(&reuse, (double)chips.entries);
            assert_true(b.misses == r.messages && b.hits + b.misses == reuse.requests && r.different == 0);
            assert_true(b.evictions >= 0 && b.misses == b.evictions + b.mismatches + b.flushed);
        }
        assert_true(of_sms != WS_LAB_NOTHING || reuse.requests == 1000);
        ws_buffer_reuse_fini(&reuse.buffer);
    }
    gsl_rng_free(rng);
}

static void energies(void **state)
{
    (void)state;
    ws_lab_tech t;
    assert_int_equal(ws_lab_tech_read("data/tech/lab_12nm.ini", &t), WS_OK);
    const double at_l2 = t.network_message + t.l2_read + t.l2_write;
    assert_true(fabs(at_l2 - 681.6575) < near);
    const ws_lab_energy eight = ws_lab_energy_of(&t, 8, false);
    assert_true(fabs(eight.read_pj + eight.write_pj - 0.1946) < near);
    assert_true(fabs(64622 * at_l2 * 1e-6 - 44.05) < 0.005);
    assert_true(fabs((64622 * 0.1946 + 640 * at_l2) * 1e-6 - 0.449) < 0.0005);
    assert_true(at_l2 / (eight.read_pj + eight.write_pj) > 3500);
    /* The straight line is the table from 64 lines on, and half of it below. */
    for (double lines = 64; lines <= 256; lines *= 2)
        assert_true(fabs(ws_lab_energy_of(&t, lines, true).read_pj - ws_lab_energy_of(&t, lines, false).read_pj) <
                    2e-4);
    assert_true(fabs(ws_lab_energy_of(&t, 32, false).read_pj - 0.1762) < near);
    assert_true(fabs(ws_lab_energy_of(&t, 8, true).read_pj - 0.0881 / 2) < near);
    assert_true(ws_lab_energy_of(&t, INFINITY, true).write_pj == t.buffer_write_inf);
}

/* A buffer of 64 lines takes 8 KB, an operation 4 bits of a line: 32 B, and 512 B, four lines, in a memory of 1024
 * lines. */
static void sizes(void **state)
{
    (void)state;
    enum { LINE = 128, OPERATION_BITS = 4 };
    assert_int_equal(WS_UPDATE_WORDS * 4, LINE);
    assert_int_equal(64 * LINE, 8192);
    assert_true(WS_ATOMICS <= 1 << OPERATION_BITS);
    assert_int_equal(64 * OPERATION_BITS / 8, 32);
    assert_int_equal(1024 * OPERATION_BITS / 8, 512);
    assert_int_equal(512 / LINE, 4);
}

static void operations(void **state)
{
    (void)state;
    const uint32_t lowest = (uint32_t)INT32_MIN;
    assert_int_equal(ws_lab_apply(ws_update_code(WS_ATOMIC_MIN, WS_NUMBER_INTEGER, true, 4), 1, lowest), lowest);
    assert_int_equal(ws_lab_apply(ws_update_code(WS_ATOMIC_MIN, WS_NUMBER_INTEGER, false, 4), 1, lowest), 1);
    assert_int_equal(ws_lab_apply(ws_update_code(WS_ATOMIC_MAX, WS_NUMBER_INTEGER, true, 8), 5, UINT64_MAX), 5);
    assert_int_equal(ws_lab_apply(code_of(WS_ATOMIC_ADD), UINT32_MAX, 2), 1);
    assert_int_equal(ws_lab_apply(code_of(WS_ATOMIC_AND), 6, 3), 2);
    assert_int_equal(ws_lab_apply(code_of(WS_ATOMIC_OR), 6, 3), 7);
    assert_int_equal(ws_lab_apply(code_of(WS_ATOMIC_XOR), 6, 3), 5);
    const float one = 1.5f, two = -2.25f, sum = one + two;
    uint32_t a, b, c;
    memcpy(&a, &one, 4);
    memcpy(&b, &two, 4);
    memcpy(&c, &sum, 4);
    assert_int_equal(ws_lab_apply(ws_update_code(WS_ATOMIC_ADD, WS_NUMBER_SINGLE, false, 4), a, b), c);
    assert_int_equal(ws_lab_apply(ws_update_code(WS_ATOMIC_MIN, WS_NUMBER_SINGLE, false, 4), a, b), b);
    assert_int_equal(ws_lab_apply(ws_update_code(WS_ATOMIC_MAX, WS_NUMBER_SINGLE, false, 4), a, b), a);
}

/* Random streams with ordering points: distances for all sizes, and buffers followed entry by entry, are the same. */
static void beside_brute_force(void **state)
{
    (void)state;
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    static made m;
    for (unsigned seed = 1; seed < 60; seed++) {
        gsl_rng_set(rng, seed);
        m.log = (ws_update_log){0};
        m.sms = 0;
        const unsigned lines = 2 + (unsigned)gsl_rng_uniform_int(rng, 40),
                       sms = 1 + (unsigned)gsl_rng_uniform_int(rng, 4);
        for (unsigned i = 0; i < 800; i++) {
            const unsigned what = (unsigned)gsl_rng_uniform_int(rng, 40);
            const uint32_t sm = (uint32_t)gsl_rng_uniform_int(rng, sms), words = 1u << gsl_rng_uniform_int(rng, 32) | 1;
            const ws_update_kind kind = what == 0   ? WS_UPDATE_POINT
                                        : what < 8  ? WS_UPDATE_LOAD
                                        : what < 10 ? WS_UPDATE_OTHER
                                                    : WS_UPDATE_ADDS;
            put(&m, sm, kind, gsl_rng_uniform_int(rng, lines), words,
                kind == WS_UPDATE_ADDS    ? (what < 14 ? WS_ATOMIC_OR : WS_ATOMIC_ADD)
                : kind == WS_UPDATE_OTHER ? WS_ATOMIC_EXCH
                                          : 0);
        }
        ws_update_reuse r = reuse_of(&m);
        for (unsigned entries = 1; entries < 50; entries += 1 + entries / 4) {
            const ws_update_buffer b = ws_update_buffer_of(&r, entries);
            const ws_lab_result f = follow(&m, entries);
            if (f.messages != b.misses)
                fail_msg("seed %u, %u entries: %.0f followed, %.0f by distances", seed, entries, f.messages, b.misses);
            assert_true(b.evictions >= 0 && b.misses == b.evictions + b.mismatches + b.flushed);
            assert_true(f.updates == b.hits + b.misses && f.different == 0 && f.elements + f.mixed > 0);
        }
        assert_true(follow(&m, 0).messages == ws_update_buffer_of(&r, INFINITY).misses);
        ws_update_reuse_fini(&r);
    }
    gsl_rng_free(rng);
}

/* CTAs of an SM go side by side, as many as it has places; the next one begins where one has ended. */
static void order_of_warps(void **state)
{
    (void)state;
    static made m;
    size_t first[] = {0, 2, 4};
    uint64_t length[] = {10, 4, 3}, order[] = {0, 1, 2};
    uint32_t sm[] = {0, 0, 0};
    const uint32_t at[] = {0, 9, 1, 3, 0, 2};
    for (unsigned i = 0; i < 6; i++) {
        put(&m, 0, WS_UPDATE_ADDS, i, 1, WS_ATOMIC_ADD);
        m.record[i].at = at[i];
    }
    m.log.first = first;
    m.log.length = length;
    m.log.ctas = 3;
    ws_update_step *steps;
    const ws_placement p = {.sms = 1, .places = 2, .sm = sm, .order = order};
    assert_int_equal(ws_update_order(&m.log, &p, &steps), WS_OK);
    static const uint64_t line[] = {0, 2, 3, 4, 5, 1}, time[] = {0, 1, 3, 4, 6, 9};
    for (unsigned i = 0; i < 6; i++) {
        assert_int_equal(m.record[steps[i].record].line, line[i]);
        assert_int_equal(steps[i].time, time[i]);
    }
    free(steps);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stream),
        cmocka_unit_test(one_word_of_two_sms),
        cmocka_unit_test(data_among_updates),
        cmocka_unit_test(histograms),
        cmocka_unit_test(a_stream_in_a_profile),
        cmocka_unit_test(buffers_of_chips),
        cmocka_unit_test(energies),
        cmocka_unit_test(sizes),
        cmocka_unit_test(operations),
        cmocka_unit_test(beside_brute_force),
        cmocka_unit_test(order_of_warps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
