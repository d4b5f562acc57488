/* test_branch.c - rates and entropies of branches whose outcomes follow a rule. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/events.h"

#include <gsl/gsl_rng.h>

extern const ws_metric ws_metric_branch;
static const ws_metric *const M = &ws_metric_branch;

/* Three branches of one source line are three sites; uniform, split in halves, never taken. */
static void test_rates(void **unused)
{
    (void)unused;
    script *const s = script_create(4, 64);
    const uint32_t a = conditional(s), b = conditional(s), c = conditional(s), add = arithmetic(s, 5, WS_CLASS_INTEGER);
    const uint32_t ret = instr(s, (ws_instr){.cls = WS_CLASS_BRANCH});
    for (unsigned block = 0; block < 4; block++) {
        for (unsigned warp = 0; warp < 2; warp++) {
            branch(s, block, warp, a, ALL_LANES, ALL_LANES);
            branch(s, block, warp, b, ALL_LANES, 0x000000ff);
            branch(s, block, warp, c, 0x000000ff, 0);
            run(s, block, warp, add, 5, ALL_LANES);
            branch(s, block, warp, ret, ALL_LANES, ALL_LANES);
        }
    }
    double *const v = measure(M, s);
    assert_column(M, v, "branch_per_kinstr", 4000. / 9);
    assert_column(M, v, "branch_conditional", 3. / 4);
    assert_column(M, v, "branch_taken", (32. + 8) / (32 + 32 + 8));
    assert_column(M, v, "branch_divergent", 1. / 3);
    assert_column(M, v, "branch_minority", 8. / 32);
    assert_column(M, v, "branch_linear_0", 2 * 8. / 72);
    assert_column(M, v, "branch_linear_8", 2 * 8. / 72);
    assert_column(M, v, "branch_yokota", (.25 * 2 + .75 * log2(4. / 3)) * 32 / 72 / 8);
    assert_column(M, v, "branch_sites", 3);
    assert_column(M, v, "branch_sites_90", 3); /* 64 of 72 is 88.9 % */
    free(v);
    script_destroy(s);
}

/* Taken, not taken, taken ...: half of the outcomes without history, none with one bit of it but for the start. */
static void test_alternating_outcomes(void **unused)
{
    (void)unused;
    enum { TURNS = 64 };
    script *const s = script_create(3, 32);
    const uint32_t b = conditional(s);
    for (unsigned block = 0; block < 3; block++)
        for (unsigned i = 0; i < TURNS; i++)
            branch(s, block, 0, b, ALL_LANES, i % 2 ? 0 : ALL_LANES);
    double *const v = measure(M, s);
    assert_column(M, v, "branch_taken", .5);
    assert_column(M, v, "branch_linear_0", 1);
    assert_column(M, v, "branch_linear_1", 0);
    assert_column(M, v, "branch_linear_8", 0);
    /* windows of 8, zeros before the start: 1 10 101 1010 10101 101010 once each, then 01010101 and 10101010 */
    const double bits = 6 * log2(64) + 2 * 29 * log2(64 / 29.);
    assert_column(M, v, "branch_yokota", bits / 64 / 8);
    free(v);
    script_destroy(s);
}

/* Lanes part ways and each keeps its own history: lane i leaves a loop after i + 1 turns. */
static void test_loop_with_different_trips(void **unused)
{
    (void)unused;
    script *const s = script_create(2, 32);
    const uint32_t b = conditional(s);
    for (unsigned block = 0; block < 2; block++)
        for (unsigned turn = 0; turn < 32; turn++)
            branch(s, block, 0, b, ALL_LANES << turn, ALL_LANES << turn << 1);
    double *const v = measure(M, s);
    /* 32 + 31 + ... + 1 outcomes, 32 of them not taken */
    assert_column(M, v, "branch_taken", (528. - 32) / 528);
    assert_column(M, v, "branch_divergent", 31. / 32);
    assert_column(M, v, "branch_linear_0", 2 * 32. / 528);
    /* a thread in its k-th turn (k < 8) has history of k ones: per k one lane leaves, 31 - k stay */
    assert_column(M, v, "branch_linear_8", 2 * 32. / 528);
    free(v);
    script_destroy(s);
}

/* The shortcut for warps in step gives what counting lane by lane gives. */
static void test_random_against_plain_count(void **unused)
{
    (void)unused;
    enum { BLOCKS = 7, WARPS = 3, TURNS = 60, SITES = 2 };
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_taus2);
    gsl_rng_set(rng, 5);
    script *const s = script_create(BLOCKS, WARPS * 32 - 10);
    const uint32_t first = conditional(s);
    conditional(s);
    static uint64_t outcome[SITES][256][2];
    memset(outcome, 0, sizeof outcome);
    for (unsigned block = 0; block < BLOCKS; block++) {
        uint8_t history[WARPS][SITES][32] = {{{0}}};
        for (unsigned i = 0; i < TURNS * WARPS; i++) {
            const unsigned warp = i % WARPS, at = (unsigned)gsl_rng_uniform_int(rng, SITES);
            const uint32_t lanes = warp == WARPS - 1 ? 0x003fffff : ALL_LANES;
            const uint32_t active = block % 2 && i > 90 ? lanes & (uint32_t)gsl_rng_get(rng) : lanes;
            const uint32_t taken = i % 3 ? (i % 2 ? 0 : active) : active & (uint32_t)gsl_rng_get(rng);
            branch(s, block, warp, first + at, active, taken);
            for (unsigned lane = 0; lane < 32; lane++) {
                if (!(active >> lane & 1))
                    continue;
                const unsigned t = taken >> lane & 1;
                uint8_t *const h = &history[warp][at][lane];
                outcome[at][*h][t]++;
                *h = (uint8_t)(*h << 1 | t);
            }
        }
    }
    double wrong = 0, all = 0;
    for (unsigned at = 0; at < SITES; at++)
        for (unsigned h = 0; h < 256; h++) {
            wrong += (double)(outcome[at][h][0] < outcome[at][h][1] ? outcome[at][h][0] : outcome[at][h][1]);
            all += (double)(outcome[at][h][0] + outcome[at][h][1]);
        }
    double *const v = measure(M, s);
    assert_column(M, v, "branch_linear_8", 2 * wrong / all);
    free(v);
    gsl_rng_free(rng);
    script_destroy(s);
}

static void test_no_branches(void **unused)
{
    (void)unused;
    script *const s = script_create(1, 32);
    run(s, 0, 0, arithmetic(s, 3, WS_CLASS_FLOAT), 3, ALL_LANES);
    double *const v = measure(M, s);
    assert_column(M, v, "branch_linear_0", 0);
    assert_column(M, v, "branch_sites", 0);
    free(v);
    script_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rates),
        cmocka_unit_test(test_alternating_outcomes),
        cmocka_unit_test(test_loop_with_different_trips),
        cmocka_unit_test(test_random_against_plain_count),
        cmocka_unit_test(test_no_branches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
