/* test_ilp.c - chains, independent instructions and mixtures whose depth is known. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/events.h"

#include <gsl/gsl_rng.h>

extern const ws_metric ws_metric_ilp;
static const ws_metric *const M = &ws_metric_ilp;

/* dst = op(a, b) */
static uint32_t op(script *s, uint16_t dst, uint16_t a, uint16_t b)
{
    return instr(s, (ws_instr){.cls = WS_CLASS_FLOAT, .dsts = 1, .srcs = 2, .dst = {dst}, .src = {a, b}});
}

static void test_chain(void **unused)
{
    (void)unused;
    script *const s = script_create(3, 64);
    const uint32_t pc = op(s, 1, 1, 2); /* r1 = r1 + r2, 600 times; r2 comes from nowhere */
    for (unsigned block = 0; block < 3; block++)
        for (unsigned i = 0; i < 600; i++)
            for (unsigned warp = 0; warp < 2; warp++)
                run(s, block, warp, pc, 1, ALL_LANES);
    double *const v = measure(M, s);
    assert_column(M, v, "ilp_window_32", 1);
    assert_column(M, v, "ilp_window_256", 1);
    assert_column(M, v, "ilp_distance_mean", 1);
    assert_column(M, v, "ilp_distance_0", 1);
    assert_column(M, v, "ilp_uses_mean", 599. / 600);
    assert_column(M, v, "ilp_used_0", 1. / 600);
    assert_column(M, v, "ilp_used_1", 599. / 600);
    assert_column(M, v, "ilp_operands", 2);
    free(v);
    script_destroy(s);
}

static void test_independent(void **unused)
{
    (void)unused;
    script *const s = script_create(2, 32);
    const uint32_t pc = op(s, 3, 1, 2);
    for (unsigned block = 0; block < 2; block++)
        for (unsigned i = 0; i < 512; i++)
            run(s, block, 0, pc, 1, ALL_LANES);
    double *const v = measure(M, s);
    assert_column(M, v, "ilp_window_32", 32);
    assert_column(M, v, "ilp_window_64", 64);
    assert_column(M, v, "ilp_window_128", 128);
    assert_column(M, v, "ilp_window_256", 256);
    assert_column(M, v, "ilp_distance_mean", 0);
    assert_column(M, v, "ilp_used_0", 1);
    free(v);
    script_destroy(s);
}

/* Four chains side by side, delivered as runs that cross window ends; 96 instructions: windows of 32 are full, of 64
 * one full and one half, of 128 and 256 one partly filled. */
static void test_four_chains_in_runs(void **unused)
{
    (void)unused;
    script *const s = script_create(1, 32);
    const uint32_t pc = op(s, 1, 1, 9);
    op(s, 2, 2, 9);
    op(s, 3, 3, 9);
    op(s, 4, 4, 4);
    for (unsigned i = 0; i < 24; i++)
        run(s, 0, 0, pc, 4, ALL_LANES);
    double *const v = measure(M, s);
    assert_column(M, v, "ilp_window_32", 4);
    assert_column(M, v, "ilp_window_64", 4);
    assert_column(M, v, "ilp_window_256", 4);
    assert_column(M, v, "ilp_distance_mean", 4);
    assert_column(M, v, "ilp_distance_2", 1);
    /* r4 is read twice by the one instruction */
    assert_column(M, v, "ilp_uses_mean", 23. * 5 / 96);
    assert_column(M, v, "ilp_used_0", 4. / 96);
    assert_column(M, v, "ilp_used_1", 69. / 96);
    assert_column(M, v, "ilp_used_2", 23. / 96);
    free(v);
    script_destroy(s);
}

/* A value that stays in its register over a window's end no longer delays anybody. */
static void test_windows_forget(void **unused)
{
    (void)unused;
    script *const s = script_create(1, 32);
    const uint32_t chain = op(s, 1, 1, 1), use = op(s, 2, 1, 1);
    for (unsigned i = 0; i < 32; i++)
        run(s, 0, 0, chain, 1, ALL_LANES); /* window 1: depth 32 */
    for (unsigned i = 0; i < 32; i++)
        run(s, 0, 0, use, 1, ALL_LANES); /* window 2: depth 1; windows of 64: depth 33 */
    double *const v = measure(M, s);
    assert_column(M, v, "ilp_window_32", 64. / 33);
    assert_column(M, v, "ilp_window_64", 64. / 33);
    free(v);
    script_destroy(s);
}

/* Against a plain computation that keeps everything: random registers, several warps and blocks. */
static void test_random_against_plain(void **unused)
{
    (void)unused;
    enum { REGS = 12, CODE = 40, LENGTH = 700, BLOCKS = 3 };
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_taus2);
    gsl_rng_set(rng, 3);
    script *const s = script_create(BLOCKS, 32);
    for (unsigned i = 0; i < CODE; i++)
        op(s, (uint16_t)gsl_rng_uniform_int(rng, REGS), (uint16_t)gsl_rng_uniform_int(rng, REGS),
           (uint16_t)gsl_rng_uniform_int(rng, REGS));
    const unsigned window[] = {32, 64, 128, 256};
    double depth[4] = {0}, total = 0;
    for (unsigned block = 0; block < BLOCKS; block++) {
        uint32_t trace[LENGTH];
        unsigned n = 0;
        while (n < LENGTH) {
            const uint32_t pc = (uint32_t)gsl_rng_uniform_int(rng, CODE);
            unsigned count = 1 + (unsigned)gsl_rng_uniform_int(rng, CODE - pc);
            count = count < LENGTH - n ? count : LENGTH - n;
            run(s, block, 0, pc, count, ALL_LANES);
            for (unsigned k = 0; k < count; k++)
                trace[n++] = pc + k;
        }
        total += n;
        for (unsigned w = 0; w < 4; w++) {
            for (unsigned first = 0; first < n; first += window[w]) {
                unsigned level[REGS] = {0}, top = 0;
                for (unsigned i = first; i < n && i < first + window[w]; i++) {
                    const ws_instr *const in = &s->instr[trace[i]];
                    const unsigned a = level[in->src[0]], b = level[in->src[1]];
                    level[in->dst[0]] = (a > b ? a : b) + 1;
                    top = level[in->dst[0]] > top ? level[in->dst[0]] : top;
                }
                depth[w] += top;
            }
        }
    }
    double *const v = measure(M, s);
    assert_column(M, v, "ilp_window_32", total / depth[0]);
    assert_column(M, v, "ilp_window_64", total / depth[1]);
    assert_column(M, v, "ilp_window_128", total / depth[2]);
    assert_column(M, v, "ilp_window_256", total / depth[3]);
    free(v);
    gsl_rng_free(rng);
    script_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chain),
        cmocka_unit_test(test_independent),
        cmocka_unit_test(test_four_chains_in_runs),
        cmocka_unit_test(test_windows_forget),
        cmocka_unit_test(test_random_against_plain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
