/* test_chips_metric.c - chiplets, homes and what stays in L2, of all or of a chiplet, from launch to launch: by hand,
 * and by lists of lines in order of use. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "metrics/collector.h"
#include "metrics/touched_pages.h"
#include "tests/unit/events.h"
#include "tests/unit/rounds.h"

#include <gsl/gsl_rng.h>

extern const ws_metric ws_metric_chips;
static const ws_metric *const M = &ws_metric_chips;

enum { LINE = 64, PAGE = 4096, COUNTERS = 128 };

/* The launches of a program. */
typedef struct program {
    void *memory;
    double counter[COUNTERS];
    bool begun;
} program;

static program begin_program(void)
{
    program p = {.memory = calloc(1, M->memory_size)};
    assert_non_null(p.memory);
    assert_true(ws_metric_counters(M) <= COUNTERS);
    return p;
}

/* The launch as ranges of `size` blocks; how: as in script_split. `counter` is of it alone. */
static void launch_in(program *p, const script *s, uint64_t size, int how, double *counter)
{
    void *const state = script_split(M, s, 0, s->launch.blocks, size, how);
    M->sink.attach(state, p->memory);
    assert_int_equal(M->finish(state, &s->launch, counter), WS_OK);
    script_drop(M, state);
    if (p->begun)
        ws_metric_combine(M, p->counter, counter);
    else
        memcpy(p->counter, counter, ws_metric_counters(M) * sizeof *counter);
    p->begun = true;
}

static double value_of(const double *counter, const char *name)
{
    double value[COUNTERS];
    assert_true(ws_metric_columns(M) <= COUNTERS);
    M->emit(counter, value);
    return column(M, value, name);
}

static void end_program(program *p)
{
    M->forget(p->memory);
    free(p->memory);
}

/* Two launches read the same 1000 lines once: half of all requests, half of all misses, are saved. As if the first had
 * written them. */
static void two_launches_use_the_same_lines(void **unused)
{
    (void)unused;
    for (unsigned writes = 0; writes < 2; writes++) {
        script *const s = script_create(1, 32);
        const uint32_t pc = memory(s, WS_SPACE_GLOBAL, writes ? WS_ACCESS_STORE : WS_ACCESS_LOAD, 4);
        for (unsigned i = 0; i < 1000; i++)
            access_line(s, 0, 0, pc, 1, (uint64_t)i * LINE, 0);
        program p = begin_program();
        double one[COUNTERS];
        launch_in(&p, s, 1, 0, one);
        assert_float_equal(value_of(one, "chips_reuse_0"), 0, 0);
        assert_true(isnan(value_of(one, "chips_same_parts")));
        launch_in(&p, s, 1, 0, one);
        assert_float_equal(value_of(one, "chips_reuse_0"), 1, 0);
        assert_float_equal(value_of(one, "chips_same_parts"), 1, 0);
        for (unsigned i = 0; i < WS_L2_SIZES; i++) {
            char name[40];
            snprintf(name, sizeof name, "chips_reuse_%u", i);
            assert_float_equal(value_of(p.counter, name), .5, 0);
            snprintf(name, sizeof name, "chips_reuse_misses_%u", i);
            assert_float_equal(value_of(p.counter, name), .5, 0);
            snprintf(name, sizeof name, "chips_fill_%u", i);
            assert_float_equal(value_of(p.counter, name), 1000. / (131072 << i), 1e-15);
        }
        for (unsigned m = 0; m < 2;
             m++) { /* one block, one chiplet, at home there: 100 - 50 = 50 points, moderate to high */
            static const char *const half[] = {"own_reuse", "own_reuse_misses", "home_reuse"};
            char name[40];
            for (size_t k = 0; k < sizeof half / sizeof *half; k++) {
                snprintf(name, sizeof name, "chips_%s_%u", half[k], m);
                assert_float_equal(value_of(p.counter, name), .5, 0);
            }
            snprintf(name, sizeof name, "chips_high_reuse_%u", m);
            assert_float_equal(value_of(p.counter, name), 1, 0);
        }
        assert_float_equal(value_of(p.counter, "chips_chiplet_reuse_3"), .5,
                           0); /* a grid's only block is of its last part */
        assert_true(isnan(value_of(p.counter, "chips_chiplet_reuse_0")));
        assert_float_equal(value_of(p.counter, "chips_launch_bytes"), 64000, 0);
        assert_float_equal(value_of(p.counter, "chips_dirty_max_0"), writes ? 1000 : 0, 0);
        end_program(&p);
        script_destroy(s);
    }
}

/* 131104 lines, 32 more than 8 MB: each launch pushes all of them out of the smallest L2 before it comes to them again,
 * and none out of the others. */
static void an_l2_is_as_large_as_it_is(void **unused)
{
    enum { BLOCKS = 17, EACH = 241 };
    (void)unused;
    script *const s = script_create(BLOCKS, 32);
    const uint32_t load = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4);
    for (unsigned block = 0; block < BLOCKS; block++)
        for (unsigned i = 0; i < EACH; i++)
            access_line(s, block, 0, load, ALL_LANES, (uint64_t)(block * EACH + i) * WS_WARP * LINE, LINE);
    static const struct {
        uint64_t size;
        int how;
    } cut[] = {{BLOCKS, 0}, {5, 2}};
    for (size_t k = 0; k < sizeof cut / sizeof *cut; k++) {
        program p = begin_program();
        double one[COUNTERS];
        launch_in(&p, s, cut[k].size, cut[k].how, one);
        launch_in(&p, s, cut[k].size, cut[k].how, one);
        assert_float_equal(value_of(one, "chips_reuse_0"), 0, 0);
        assert_float_equal(value_of(one, "chips_reuse_1"), 1, 0);
        assert_float_equal(value_of(one, "chips_reuse_2"), 1, 0);
        assert_float_equal(value_of(one, "chips_own_reuse_0"), 1,
                           0); /* a half, and a quarter, of them fit into the L2 of a chiplet */
        assert_float_equal(value_of(one, "chips_home_reuse_1"), 1, 0);
        end_program(&p);
    }
    script_destroy(s);
}

/* As many lines as the L2 of a chiplet has, and one more, by one thread block: all are there again, or none, in the
 * same launch and in the next one. */
static void the_l2_of_a_chiplet(void **unused)
{
    enum { EACH = 131072 / WS_WARP, TIMES = 2 };
    (void)unused;
    for (unsigned more = 0; more < 2; more++) {
        script *const s = script_create(1, 32);
        const uint32_t load = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4);
        for (unsigned k = 0; k < TIMES; k++)
            for (unsigned i = 0; i < EACH + more; i++)
                access_line(s, 0, 0, load, i < EACH ? ALL_LANES : 1, (uint64_t)i * WS_WARP * LINE, LINE);
        const double lines = 131072 + more, all = TIMES * lines, misses = more ? all : lines;
        program p = begin_program();
        double one[COUNTERS];
        launch_in(&p, s, 1, 0, one);
        launch_in(&p, s, 1, 0, one);
        for (unsigned m = 0; m < 2; m++) {
            static const char *const name[] = {"chips_own_reuse_0", "chips_own_reuse_1", "chips_home_reuse_0",
                                               "chips_home_reuse_1"};
            assert_float_equal(value_of(one, name[m]), more ? 0 : lines / all, 1e-15);
            assert_float_equal(value_of(one, name[2 + m]), more ? 0 : lines / all, 1e-15);
        }
        assert_float_equal(value_of(one, "chips_own_reuse_misses_0"), more ? 0 : lines / misses, 1e-15);
        assert_float_equal(value_of(one, "chips_reuse_1"), lines / all, 1e-15);
        end_program(&p);
        script_destroy(s);
    }
}

/* Two quarters of a grid read a line each of one page, which is at home with the first: on four chiplets what the other
 * one reads is not kept, if only lines at home are. */
static void lines_of_others(void **unused)
{
    (void)unused;
    script *const s = script_create(4, 32);
    const uint32_t load = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4);
    access_line(s, 0, 0, load, 1, 0, 0);
    access_line(s, 1, 0, load, 1, LINE, 0);
    program p = begin_program();
    double one[COUNTERS];
    launch_in(&p, s, 1, 0, one);
    launch_in(&p, s, 1, 0, one);
    assert_float_equal(value_of(one, "chips_own_reuse_0"), 1, 0);
    assert_float_equal(value_of(one, "chips_own_reuse_1"), 1, 0);
    assert_float_equal(value_of(one, "chips_home_reuse_0"), 1, 0); /* both are of the first half */
    assert_float_equal(value_of(one, "chips_home_reuse_1"), .5, 0);
    assert_float_equal(value_of(one, "chips_chiplet_reuse_0"), 1, 0);
    assert_float_equal(value_of(one, "chips_chiplet_reuse_1"), 0, 0);
    assert_true(isnan(value_of(one, "chips_chiplet_reuse_2")));
    end_program(&p);
    script_destroy(s);
}

/* Chiplet 1 has read lines 0, 1 and 3 of a group of four that is at home on chiplet 0, which then writes line 2: it
 * loses three lines that nobody wrote. */
static void a_group_of_lines_is_lost(void **unused)
{
    (void)unused;
    for (unsigned written = 2; written < 4; written++) {
        script *const s = script_create(4, 32);
        const uint32_t load = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4),
                       store = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_STORE, 4);
        access_line(s, 0, 0, store, 1, written * LINE, 0);
        for (unsigned line = 0; line < 4; line++)
            if (line != 2)
                access_line(s, 3, 0, load, 1, line * LINE, 0);
        program p = begin_program();
        double one[COUNTERS];
        launch_in(&p, s, 1, 0, one);
        assert_float_equal(value_of(one, "chips_lost_0"), written == 2, 0);
        assert_float_equal(value_of(one, "chips_lost_1"), written == 2, 0);
        if (written == 2)
            assert_float_equal(value_of(one, "chips_lost_lines_0"), 3, 0);
        else
            assert_true(isnan(value_of(one, "chips_lost_lines_0")));
        assert_float_equal(value_of(one, "chips_remote_0"), 3. / 4, 0);
        assert_float_equal(value_of(one, "chips_remote_touches_0"), 1, 0);
        end_program(&p);
        script_destroy(s);
    }
}

/* Of eight blocks, block 5 touches the page; block 3 does, too. On two chiplets 5 is number 1 of its chiplet and 3
 * number 3: the page is at home on the second one. On four both are number 1: it is at home on the lower of them. Homes
 * stay, whoever comes first later. */
static void the_first_to_touch_has_the_page(void **unused)
{
    (void)unused;
    script *const s = script_create(8, 32), *const later = script_create(8, 32);
    const uint32_t load = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4);
    memory(later, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4);
    access_line(s, 5, 0, load, 1, PAGE, 0);
    access_line(s, 3, 0, load, 1, PAGE, 0);
    access_line(s, 3, 0, load, 1, PAGE, 0);
    access_line(later, 0, 0, load, 1, PAGE + 3 * LINE, 0);
    program p = begin_program();
    double one[COUNTERS];
    launch_in(&p, s, 2, 2, one);
    assert_float_equal(value_of(one, "chips_remote_0"), 2. / 3, 1e-15);
    assert_float_equal(value_of(one, "chips_remote_1"), 1. / 3, 1e-15);
    launch_in(&p, later, 1, 1, one);
    assert_float_equal(value_of(one, "chips_remote_0"), 1, 0);
    assert_float_equal(value_of(one, "chips_remote_1"), 1, 0);
    assert_float_equal(value_of(one, "chips_same_parts"), 0, 0);
    end_program(&p);
    script_destroy(s);
    script_destroy(later);
}

/* Two kernels of a study of chiplets, on four here: A is read in quarters, and B, right behind it at a distance of 256
 * bytes, written by quarters that overlap by a line; C is used by one instruction that reads it and one that adds to
 * it, in ranges that touch. */
static void structures_and_their_ranges(void **unused)
{
    enum { A = 0x10000, B = A + 64 * LINE + 256, C = 0x30000 };
    (void)unused;
    script *const s = script_create(4, 32);
    const uint32_t a = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4),
                   b = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_STORE, 4);
    const uint32_t c = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4),
                   add = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_REDUCE, 4);
    for (unsigned block = 0; block < 4; block++) {
        access_line(s, block, 0, a, 0xffff, A + 16 * LINE * block, LINE);
        access_line(s, block, 0, b, 0x1ffff, B + 16 * LINE * block, LINE);
    }
    access_line(s, 0, 0, c, 0xff, C, LINE);
    access_line(s, 3, 0, add, 0xff, C + 8 * LINE, LINE);
    program p = begin_program();
    double one[COUNTERS];
    launch_in(&p, s, 1, 2, one);
    assert_float_equal(value_of(one, "chips_structures"), 3, 0);
    assert_float_equal(value_of(one, "chips_structures_max"), 3, 0);
    assert_float_equal(value_of(one, "chips_structures_written"), 2. / 3, 0);
    assert_float_equal(value_of(one, "chips_structures_apart"), 2. / 3, 0);
    end_program(&p);
    script_destroy(s);
}

/* ------------------------------------------------------------------------------------------------------- line by line
 */

enum { PAGES = 24, LINES = PAGES * 64 };

/* Everything there is to know of lines, and how often they were used so far; L2s are never full here. */
typedef struct naive {
    bool known[PAGES], in_l2[LINES], in_own[3][4][LINES]; /* of a machine's chiplet: it has asked for the line */
    unsigned home[3][PAGES], parts[PAGES];
    bool ever[LINES];
} naive;

typedef struct naive_launch {
    unsigned n;
    struct {
        unsigned block, line;
        bool writes;
    } at[2000];
} naive_launch;

static const unsigned chiplets_of[3] = {2, 4, 4};

static unsigned chiplet_of(unsigned block, unsigned blocks, unsigned chiplets, unsigned *number)
{
    unsigned c = chiplets - 1;
    while (block < blocks * c / chiplets)
        c--;
    *number = block - blocks * c / chiplets;
    return c;
}

static void naive_homes(naive *z, const naive_launch *l, unsigned blocks)
{
    for (unsigned page = 0; page < PAGES; page++) {
        unsigned best[2] = {~0u, ~0u};
        bool here = false;
        for (unsigned i = 0; i < l->n; i++)
            for (unsigned m = 0; m < 2 && l->at[i].line / 64 == page; m++) {
                unsigned number;
                const unsigned c = chiplet_of(l->at[i].block, blocks, chiplets_of[m], &number);
                here = true;
                if (number * 8 + c < best[m] && !z->known[page]) {
                    best[m] = number * 8 + c;
                    z->home[m][page] = c;
                }
            }
        z->home[2][page] = (page & 3) ^ (page >> 2 & 3) ^ (page >> 4 & 3);
        z->known[page] |= here;
    }
}

typedef struct naive_sums {
    double own_found[3], own_misses[3], home_found[3], chiplet_found[4],
        chiplet_requests[4]; /* chiplets of machine 1 */
    double requests, found, misses, again, same, fresh, remote[3], remote_lines[3], dirty[3], shared[3], lost[3],
        lost_lines[3];
} naive_sums;

static void naive_machine(naive *z, const naive_launch *l, unsigned blocks, unsigned m, naive_sums *sum)
{
    static bool touched[4][LINES], written[4][LINES];
    memset(touched, 0, sizeof touched);
    memset(written, 0, sizeof written);
    for (unsigned i = 0; i < l->n; i++) {
        unsigned number;
        const unsigned c = chiplet_of(l->at[i].block, blocks, chiplets_of[m], &number);
        touched[c][l->at[i].line] = true;
        written[c][l->at[i].line] |= l->at[i].writes;
        sum->remote[m] += z->home[m][l->at[i].line / 64] != c;
        sum->chiplet_requests[c] += m == 1;
    }
    for (unsigned c = 0; c < chiplets_of[m]; c++)
        for (unsigned line = 0; line < LINES; line++) {
            const bool again = touched[c][line] && z->in_own[m][c][line], home = z->home[m][line / 64] == c;
            sum->own_found[m] += again;
            sum->own_misses[m] += touched[c][line];
            sum->home_found[m] += again && home;
            sum->chiplet_found[c] += m == 1 && again && home;
            z->in_own[m][c][line] |= touched[c][line];
        }
    for (unsigned c = 0; c < chiplets_of[m]; c++)
        for (unsigned line = 0; line < LINES; line++) {
            const bool home = z->home[m][line / 64] == c;
            sum->remote_lines[m] += !home && touched[c][line];
            sum->dirty[m] += home && written[c][line];
            if (home || line % 4)
                continue;
            bool has = false, hurt = false;
            unsigned kept = 0;
            for (unsigned k = line; k < line + 4; k++) {
                bool others = false;
                for (unsigned d = 0; d < 4; d++)
                    others |= d != c && written[d][k];
                has |= touched[c][k];
                hurt |= others && !touched[c][k];
                kept += touched[c][k] && !others;
            }
            sum->shared[m] += has;
            sum->lost[m] += has && hurt;
            sum->lost_lines[m] += has && hurt ? kept : 0;
        }
}

static void naive_run(naive *z, const naive_launch *l, unsigned blocks, naive_sums *sum)
{
    bool now[LINES] = {false};
    unsigned parts[PAGES] = {0};
    naive_sums s = {.requests = l->n};
    const naive before = *z;
    naive_homes(z, l, blocks);
    for (unsigned i = 0; i < l->n; i++) {
        const unsigned line = l->at[i].line;
        unsigned number;
        s.found += !now[line] && z->in_l2[line];
        s.misses += !now[line];
        s.fresh += !z->ever[line];
        now[line] = z->ever[line] = true;
        parts[line / 64] |= 1u << chiplet_of(l->at[i].block, blocks, 4, &number);
    }
    for (unsigned line = 0; line < LINES; line++)
        z->in_l2[line] |= now[line];
    for (unsigned page = 0; page < PAGES; page++)
        if (parts[page]) {
            s.again += before.known[page];
            s.same += before.known[page] && z->parts[page] == parts[page];
            z->parts[page] = parts[page];
        }
    for (unsigned m = 0; m < 3; m++)
        naive_machine(z, l, blocks, m, &s);
    *sum = s;
}

static void expect(const double *counter, const char *name, double a, double b)
{
    const double got = value_of(counter, name);
    if (b == 0 ? !isnan(got) : fabs(got - a / b) > 1e-12)
        fail_msg("%s is %.17g, expected %g / %g", name, got, a, b);
}

static void line_by_line_is_the_same(void **unused)
{
    (void)unused;
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_taus2);
    for (unsigned round = 0; round < rounds_of(40); round++) {
        gsl_rng_set(rng, round + 1);
        naive *const z = calloc(1, sizeof *z);
        naive_launch *const l = malloc(sizeof *l);
        assert_true(z && l);
        program p = begin_program();
        for (unsigned k = 0; k < 5; k++) {
            const unsigned blocks = 1 + (unsigned)gsl_rng_uniform_int(rng, 13),
                           pages = 1 + (unsigned)gsl_rng_uniform_int(rng, PAGES);
            script *const s = script_create(blocks, 32);
            const uint32_t pc[] = {memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4),
                                   memory(s, WS_SPACE_GLOBAL, WS_ACCESS_STORE, 4),
                                   memory(s, WS_SPACE_GLOBAL, WS_ACCESS_REDUCE, 4)};
            l->n = 0;
            for (unsigned block = 0; block < blocks; block++)
                for (unsigned i = (unsigned)gsl_rng_uniform_int(rng, 40); i > 0; i--) {
                    const unsigned line = (unsigned)gsl_rng_uniform_int(rng, pages * 64),
                                   how = (unsigned)gsl_rng_uniform_int(rng, 3);
                    access_line(s, block, 0, pc[how], 1, (uint64_t)line * LINE, 0);
                    l->at[l->n].block = block;
                    l->at[l->n].line = line;
                    l->at[l->n++].writes = how > 0;
                }
            naive_sums want;
            double one[COUNTERS];
            naive_run(z, l, blocks, &want);
            launch_in(&p, s, 1 + gsl_rng_uniform_int(rng, 4), (int)gsl_rng_uniform_int(rng, 3), one);
            expect(one, "chips_reuse_0", want.found, want.requests);
            expect(one, "chips_reuse_misses_2", want.found, want.misses);
            expect(one, "chips_fill_0", want.fresh, 131072);
            expect(one, "chips_same_parts", want.same, want.again);
            for (unsigned m = 0; m < 3; m++) {
                char name[40];
#define EXPECT(column_name, a, b) (snprintf(name, sizeof name, "chips_" column_name "_%u", m), expect(one, name, a, b))
                EXPECT("own_reuse", want.own_found[m], want.requests);
                EXPECT("own_reuse_misses", want.own_found[m], want.own_misses[m]);
                EXPECT("home_reuse", want.home_found[m], want.requests);
                EXPECT("high_reuse", want.home_found[m] > .15 * want.requests, want.requests > 0);
                EXPECT("remote", want.remote[m], want.requests);
                EXPECT("remote_touches", want.remote[m], want.remote_lines[m]);
                EXPECT("dirty", want.dirty[m], chiplets_of[m]);
                EXPECT("lost", want.lost[m], want.shared[m]);
                EXPECT("lost_lines", want.lost_lines[m], want.lost[m]);
            }
            for (unsigned c = 0; c < 4; c++) {
                char name[40];
                snprintf(name, sizeof name, "chips_chiplet_reuse_%u", c);
                expect(one, name, want.chiplet_found[c], want.chiplet_requests[c]);
            }
            script_destroy(s);
        }
        end_program(&p);
        free(z);
        free(l);
    }
    gsl_rng_free(rng);
}

/* Lines come again within a launch at all distances around those of small stacks: what ranges miss must not hang on how
 * they were cut. */
static void cuts_of_a_long_launch(void **unused)
{
    enum { BLOCKS = 24, EACH = 300, SPAN = 400000 };
    (void)unused;
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_taus2);
    script *const s = script_create(BLOCKS, 32);
    const uint32_t load = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4);
    for (unsigned i = 0; i < BLOCKS * EACH; i++)
        access_line(s, i / EACH, 0, load, ALL_LANES, gsl_rng_uniform_int(rng, SPAN) * LINE, LINE);
    double whole[COUNTERS], first[COUNTERS];
    for (unsigned k = 0; k < 1 + rounds_of(3); k++) {
        program p = begin_program();
        double one[COUNTERS];
        launch_in(&p, s, k ? 2 * k + 1 : BLOCKS, (int)k % 3, k ? one : first);
        if (k)
            assert_memory_equal(first, one, ws_metric_counters(M) * sizeof *one);
        launch_in(&p, s, k ? 7 : BLOCKS, 2, k ? one : whole);
        if (k)
            assert_memory_equal(whole, one, ws_metric_counters(M) * sizeof *one);
        end_program(&p);
    }
    assert_true(value_of(whole, "chips_reuse_0") > 0.05);
    assert_true(value_of(whole, "chips_reuse_0") <
                value_of(whole, "chips_reuse_2")); /* the smallest L2 does not hold all of it */
    assert_true(value_of(whole, "chips_own_reuse_1") > value_of(whole, "chips_home_reuse_1"));
    script_destroy(s);
    gsl_rng_free(rng);
}

/* The collector hands a family what it left after the launch before. */
static void the_collector_remembers(void **unused)
{
    (void)unused;
    ws_collector *collector;
    size_t n, at = 0;
    assert_int_equal(ws_collector_create("synchronization", &collector), WS_OK);
    const ws_sink *const *const sink = ws_collector_sinks(collector, &n);
    while (at < n && strcmp(sink[at]->name, M->sink.name) != 0)
        at++;
    assert_true(at < n && sink[at]->context);
    script *const s = script_create(1, 32);
    access_line(s, 0, 0, memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4), 1, 0, 0);
    for (unsigned k = 0; k < 2; k++) {
        void *const state = script_range(M, s, 0, 1, 9);
        sink[at]->attach(state, sink[at]->context);
        assert_int_equal(ws_collector_collect(collector, &s->launch, at, state), WS_OK);
        assert_float_equal(value_of(ws_collector_counters(collector, at), "chips_reuse_0"), k, 0);
        script_drop(M, state);
    }
    ws_collector_drop_values(collector);
    assert_ptr_equal(ws_collector_sinks(collector, &n)[at], sink[at]);
    ws_collector_destroy(collector);
    script_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_launches_use_the_same_lines),
        cmocka_unit_test(an_l2_is_as_large_as_it_is),
        cmocka_unit_test(a_group_of_lines_is_lost),
        cmocka_unit_test(the_first_to_touch_has_the_page),
        cmocka_unit_test(structures_and_their_ranges),
        cmocka_unit_test(line_by_line_is_the_same),
        cmocka_unit_test(cuts_of_a_long_launch),
        cmocka_unit_test(the_l2_of_a_chiplet),
        cmocka_unit_test(lines_of_others),
        cmocka_unit_test(the_collector_remembers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
