/* test_trace_cache.c - column walks of matrices through caches of 256 lines: what hits, what misses and why, what is
 * cached whole.
 *
 * The kernels are those of Wang, "Mitigating GPU Memory Divergence for Data-Intensive Applications", Auburn 2015,
 * chapter 2: ATAX reads a column of a matrix with rows of 32 KB and one word of a vector, GES columns of two matrices
 * with rows of 16 KB. */
#include "model/cache/trace_cache.h"

#include "base/status.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { LANES = 32, LINE = 128, TURNS = 64, MOST_WARPS = 8, MOST_LOADS = 3 };
#define BASE   UINT64_C(0x80000000)
#define VECTOR (BASE + (UINT64_C(1) << 28) + 640) /* in another set than the lines of lane 0 */

typedef struct kernel {
    ws_trace_load load[TURNS * MOST_WARPS * MOST_LOADS];
    size_t loads;
    uint64_t line[TURNS * MOST_WARPS * MOST_LOADS][LANES];
} kernel;

static void add(kernel *k, uint32_t warp, uint32_t turn, uint32_t pc, uint64_t base, uint64_t stride)
{
    uint64_t *const line = k->line[k->loads];
    const uint32_t lines = stride ? LANES : 1;
    for (uint64_t lane = 0; lane < lines; lane++)
        line[lane] = (base + stride * (LANES * warp + lane) + 4 * turn) / LINE;
    k->load[k->loads++] = (ws_trace_load){.line = line, .lines = lines, .pc = pc, .warp = warp, .turn = turn};
}

static kernel *make(bool two, uint32_t warps, uint64_t vector)
{
    kernel *const k = calloc(1, sizeof *k);
    for (uint32_t warp = warps; warp-- > 0;) /* in any order */
        for (uint32_t turn = 0; turn < TURNS; turn++) {
            add(k, warp, turn, 0, BASE, two ? 16384 : 32768);
            if (two)
                add(k, warp, turn, 1, BASE + (UINT64_C(1) << 26), 16384);
            add(k, warp, turn, 2, vector, 0);
        }
    return k;
}

static ws_trace_counts run(const char *index, uint32_t sets, uint32_t ways, bool two, uint32_t warps, uint64_t vector)
{
    kernel *const k = make(two, warps, vector);
    ws_trace_counts c;
    if (ws_trace_cache_run(&(ws_cache_choice){.index = index}, sets, ways, k->load, k->loads, &c))
        fail_msg("%s", ws_message());
    free(k);
    return c;
}

/* The whole matrix, from a list of sets in another language: accesses that hit, cold, by the same warp, by another;
 * divergent loads served whole, in part, not at all. */
typedef struct cell {
    const char *index;
    uint32_t sets, ways;
    bool two;
    uint32_t warps;
    uint64_t hits, cold, intra, inter, full, partial, missed;
} cell;

static const cell cells[] = {
    {"linear", 32, 8, false, 1, 62, 66, 1984, 0, 0, 0, 64},
    {"linear", 32, 8, false, 2, 126, 130, 2976, 992, 0, 0, 128},
    {"linear", 32, 8, false, 3, 190, 194, 4464, 1488, 0, 0, 192},
    {"linear", 32, 8, false, 7, 446, 450, 10416, 3472, 0, 0, 448},
    {"linear", 32, 8, false, 8, 510, 514, 11904, 3968, 0, 0, 512},
    {"linear", 8, 32, false, 1, 2046, 66, 0, 0, 62, 0, 2},
    {"linear", 8, 32, false, 2, 126, 130, 0, 3968, 0, 0, 128},
    {"linear", 8, 32, false, 3, 190, 194, 0, 5952, 0, 0, 192},
    {"linear", 8, 32, false, 7, 446, 450, 0, 13888, 0, 0, 448},
    {"linear", 8, 32, false, 8, 510, 514, 0, 15872, 0, 0, 512},
    {"xor", 32, 8, false, 1, 2046, 66, 0, 0, 62, 0, 2},
    {"xor", 32, 8, false, 2, 126, 130, 0, 3968, 0, 0, 128},
    {"xor", 32, 8, false, 3, 190, 194, 0, 5952, 0, 0, 192},
    {"xor", 32, 8, false, 7, 446, 450, 0, 13888, 0, 0, 448},
    {"xor", 32, 8, false, 8, 510, 514, 0, 15872, 0, 0, 512},
    {"fermi", 32, 8, false, 1, 2046, 66, 0, 0, 62, 0, 2},
    {"fermi", 32, 8, false, 2, 4094, 130, 0, 0, 124, 0, 4},
    {"fermi", 32, 8, false, 3, 190, 194, 0, 5952, 0, 0, 192},
    {"fermi", 32, 8, false, 7, 446, 450, 0, 13888, 0, 0, 448},
    {"fermi", 32, 8, false, 8, 510, 514, 0, 15872, 0, 0, 512},
    {"fup", 32, 8, false, 1, 2046, 66, 0, 0, 62, 0, 2},
    {"fup", 32, 8, false, 2, 4094, 130, 0, 0, 124, 0, 4},
    {"fup", 32, 8, false, 3, 6142, 194, 0, 0, 186, 0, 6},
    {"fup", 32, 8, false, 7, 14334, 450, 0, 0, 434, 0, 14},
    {"fup", 32, 8, false, 8, 15886, 514, 0, 496, 0, 496, 16},
    {"linear", 32, 8, true, 1, 62, 130, 3968, 0, 0, 0, 128},
    {"linear", 32, 8, true, 2, 126, 258, 6944, 992, 0, 0, 256},
    {"linear", 32, 8, true, 3, 190, 386, 10416, 1488, 0, 0, 384},
    {"linear", 32, 8, true, 7, 446, 898, 24304, 3472, 0, 0, 896},
    {"linear", 32, 8, true, 8, 510, 1026, 27776, 3968, 0, 0, 1024},
    {"linear", 8, 32, true, 1, 62, 130, 3968, 0, 0, 0, 128},
    {"linear", 8, 32, true, 2, 126, 258, 3968, 3968, 0, 0, 256},
    {"linear", 8, 32, true, 3, 190, 386, 5952, 5952, 0, 0, 384},
    {"linear", 8, 32, true, 7, 446, 898, 13888, 13888, 0, 0, 896},
    {"linear", 8, 32, true, 8, 510, 1026, 15872, 15872, 0, 0, 1024},
    {"xor", 32, 8, true, 1, 4030, 130, 0, 0, 124, 0, 4},
    {"xor", 32, 8, true, 2, 126, 258, 0, 7936, 0, 0, 256},
    {"xor", 32, 8, true, 3, 190, 386, 0, 11904, 0, 0, 384},
    {"xor", 32, 8, true, 7, 446, 898, 0, 27776, 0, 0, 896},
    {"xor", 32, 8, true, 8, 510, 1026, 0, 31744, 0, 0, 1024},
    {"fermi", 32, 8, true, 1, 4030, 130, 0, 0, 124, 0, 4},
    {"fermi", 32, 8, true, 2, 8062, 258, 0, 0, 248, 0, 8},
    {"fermi", 32, 8, true, 3, 4158, 386, 0, 7936, 124, 0, 260},
    {"fermi", 32, 8, true, 7, 446, 898, 0, 27776, 0, 0, 896},
    {"fermi", 32, 8, true, 8, 510, 1026, 0, 31744, 0, 0, 1024},
    {"fup", 32, 8, true, 1, 4030, 130, 0, 0, 124, 0, 4},
    {"fup", 32, 8, true, 2, 8062, 258, 0, 0, 248, 0, 8},
    {"fup", 32, 8, true, 3, 12094, 386, 0, 0, 372, 0, 12},
    {"fup", 32, 8, true, 4, 15630, 514, 248, 248, 0, 496, 16},
    {"fup", 32, 8, true, 7, 446, 898, 0, 27776, 0, 0, 896},
    {"fup", 32, 8, true, 8, 510, 1026, 0, 31744, 0, 0, 1024},
};
enum { CELLS = sizeof cells / sizeof *cells };

static void check_sums(const ws_trace_counts *c, const cell *e)
{
    const uint64_t lines = e->two ? 2 * LANES + 1 : LANES + 1;
    assert_int_equal(c->accesses, lines * TURNS * e->warps);
    assert_int_equal(c->accesses, c->hits + c->miss[WS_MISS_COLD] + c->miss[WS_MISS_INTRA] + c->miss[WS_MISS_INTER]);
    uint64_t loads = 0, by_misses = 0;
    for (int of = 0; of < WS_LOAD_CLASSES; of++) {
        loads += c->load[of].full + c->load[of].partial + c->load[of].missed;
        for (int n = 0; n < WS_MPLI_CLASSES; n++)
            by_misses += c->load[of].mpli[n];
        assert_int_equal(c->load[of].mpli[WS_MPLI_0], c->load[of].full);
    }
    assert_int_equal(loads, (e->two ? 3 : 2) * TURNS * e->warps);
    assert_int_equal(loads, by_misses);
    assert_int_equal(c->load[WS_LOAD_DIVERGENT].mpli[WS_MPLI_FULL], c->load[WS_LOAD_DIVERGENT].missed);
    assert_int_equal(c->load[WS_LOAD_COHERENT].partial, 0);
}

static void columns_of_matrices(void **state)
{
    (void)state;
    for (size_t i = 0; i < CELLS; i++) {
        const cell *const e = &cells[i];
        const ws_trace_counts c = run(e->index, e->sets, e->ways, e->two, e->warps, VECTOR);
        const ws_trace_loads *const d = &c.load[WS_LOAD_DIVERGENT];
        check_sums(&c, e);
        if (c.hits != e->hits || c.miss[WS_MISS_COLD] != e->cold || c.miss[WS_MISS_INTRA] != e->intra ||
            c.miss[WS_MISS_INTER] != e->inter || d->full != e->full || d->partial != e->partial ||
            d->missed != e->missed)
            fail_msg("%s %s %ux%u %u warps: %lu/%lu/%lu/%lu; %lu/%lu/%lu", e->two ? "GES" : "ATAX", e->index, e->sets,
                     e->ways, e->warps, c.hits, c.miss[WS_MISS_COLD], c.miss[WS_MISS_INTRA], c.miss[WS_MISS_INTER],
                     d->full, d->partial, d->missed);
    }
}

/* Warps that a cache keeps whole, by adding up lines: that many and no more have no partial and few missed loads in the
 * runs. */
static void warps_that_fit_are_served_whole(void **state)
{
    (void)state;
    static const struct {
        const char *index;
        bool two;
        uint32_t warps;
    } rows[] = {{"linear", false, 0}, {"xor", false, 1}, {"fermi", false, 2}, {"fup", false, 7},
                {"linear", true, 0},  {"fup", true, 3},  {"fermi", true, 2}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t fit;
        kernel *const k = make(rows[i].two, MOST_WARPS, VECTOR);
        const ws_cache_choice choice = {.index = rows[i].index};
        assert_int_equal(ws_trace_cache_warps(&choice, 32, 8, k->load, k->loads, 5, &fit), WS_OK);
        assert_int_equal(fit, rows[i].warps);
        assert_int_equal(ws_trace_cache_warps(&choice, 32, 8, k->load, k->loads, TURNS, &fit), WS_OK);
        assert_int_equal(fit, 0); /* nobody has such a turn */
        free(k);
        for (uint32_t warps = 1; warps <= rows[i].warps + 1 && warps <= MOST_WARPS; warps++) {
            const ws_trace_counts c = run(rows[i].index, 32, 8, rows[i].two, warps, VECTOR);
            const ws_trace_loads *const d = &c.load[WS_LOAD_DIVERGENT];
            /* Each line serves 32 turns: of 64, two bring lines, if all fit. */
            const bool whole = d->missed == 2u * warps * (rows[i].two ? 2 : 1) && !d->partial;
            assert_int_equal(whole, warps <= rows[i].warps);
        }
    }
}

/* Where the vector's line falls into the set of the matrix's, one line more than ways goes round. */
static void one_line_too_many(void **state)
{
    (void)state;
    const ws_trace_counts wide = run("linear", 8, 32, false, 1, BASE + (UINT64_C(1) << 28));
    assert_int_equal(wide.hits, 0);
    const ws_trace_counts twice = run("xor", 32, 8, false, 1, BASE + (UINT64_C(1) << 28));
    assert_int_equal(twice.load[WS_LOAD_DIVERGENT].full, 0);
}

/* Nearly half of the misses of GES are the load's own, even with all ways in 8 sets. */
static void two_matrices_push_themselves_out(void **state)
{
    (void)state;
    const ws_trace_counts c = run("linear", 8, 32, true, 3, VECTOR);
    const double misses = (double)(c.miss[WS_MISS_COLD] + c.miss[WS_MISS_INTRA] + c.miss[WS_MISS_INTER]);
    assert_true(c.miss[WS_MISS_INTRA] / misses > 0.483 && c.miss[WS_MISS_INTRA] / misses < 0.485);
}

/* 64 lines through 4 that are never given up: what a policy does not keep is its own warp's miss when it comes again.
 */
static void other_rows_and_bad_loads(void **state)
{
    (void)state;
    uint64_t lines[2] = {1, 2}, none[1] = {UINT64_MAX};
    ws_trace_counts c;
    uint32_t fit;
    const ws_trace_load good = {.line = lines, .lines = 2};
    static const struct {
        uint32_t lines, warp;
        bool none;
        const char *says;
    } bad[] = {{0, 0, false, "load 1 has 0 lines, expected 1 to 65535"},
               {1, 65536, false, "load 1 is of warp 65536, expected at most 65535"},
               {1, 0, true, "load 1 has line 18446744073709551615"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const ws_trace_load both[] = {good,
                                      {.line = bad[i].none ? none : lines, .lines = bad[i].lines, .warp = bad[i].warp}};
        assert_int_equal(ws_trace_cache_run(&(ws_cache_choice){0}, 4, 2, both, 2, &c), WS_EINPUT);
        assert_non_null(strstr(ws_message(), bad[i].says));
        assert_int_equal(ws_trace_cache_warps(&(ws_cache_choice){0}, 4, 2, both, 2, 0, &fit), WS_EINPUT);
    }
    assert_int_equal(ws_trace_cache_run(&(ws_cache_choice){.index = "fup"}, 2, 2, &good, 1, &c), WS_EINPUT);
    assert_int_equal(ws_trace_cache_run(&(ws_cache_choice){.replacement = "srrip"}, 4, 2, &good, 1, &c), WS_OK);
    assert_int_equal(c.miss[WS_MISS_COLD], 2);
    assert_int_equal(ws_trace_cache_run(&(ws_cache_choice){0}, 4, 2, NULL, 0, &c), WS_OK);
    assert_int_equal(c.accesses, 0);
    assert_int_equal(ws_trace_cache_warps(&(ws_cache_choice){0}, 4, 2, NULL, 0, 0, &fit), WS_OK);
    assert_int_equal(fit, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_of_matrices),      cmocka_unit_test(warps_that_fit_are_served_whole),
        cmocka_unit_test(one_line_too_many),        cmocka_unit_test(two_matrices_push_themselves_out),
        cmocka_unit_test(other_rows_and_bad_loads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
