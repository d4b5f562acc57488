/* Are the evaluation metrics those that follow from the study's definitions by hand? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/synthetic_events.h"

#include <math.h>
#include <stdbool.h>

extern const ws_metric ws_metric_evaluation;

typedef struct known {
    const char *column; /* without "evaluation_" */
    double value;
} known;

static void expect(const double *counter, const known *k, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char name[64];
        snprintf(name, sizeof name, "evaluation_%s", k[i].column);
        const double value = syn_value(&ws_metric_evaluation, counter, name);
        if (fabs(value - k[i].value) > 1e-12 * fabs(k[i].value))
            fail_msg("%s is %.17g, not %.17g", name, value, k[i].value);
    }
}

static void golden_example(void **state)
{
    (void)state;
    synthetic s;
    double counter[SYN_COUNTERS];
    syn_golden(&s);
    syn_measure(&s, &ws_metric_evaluation, 1, counter);
    const known k[] = {
        {"warp_instr", 16},
        {"thread_instr", 480},
        {"activity_factor", 0.9375},
        {"partial_mask_insts", 2},
        {"simd_parallelism", 480.0 / 9},
        {"distinct_kernels", 1},
        {"ai_mixed", 160.0 / 4},
        {"warp_par", 2},
        {"warp_op", 4},
        {"warp_fop", 1},
        {"warp_sop", 1},
        {"warp_glo", 2},
        {"warp_mop", 4},
        {"warp_b", 2},
        {"warp_bar", 2},
        {"warp_ato", 0},
        {"warp_shd", 0},
        {"divergent_branches", 0.5},
        {"divergent_inside", 0},
        {"section_length", 2},
        {"taken_lanes", 16},
        {"fall_through_lanes", 16},
        {"row_locality", 4},
        {"merge_ratio", 0},
    };
    expect(counter, k, sizeof k / sizeof k[0]);
    syn_fini(&s);
}

/* Two warps on opposite sides of a branch: one wide warp issues both sides. A second block in which both take one. */
static void steps_are_those_of_one_wide_warp(void **state)
{
    (void)state;
    synthetic s;
    double counter[SYN_COUNTERS];
    syn_init(&s, 2, 64);
    const uint32_t bra = syn_instr(&s, WS_CLASS_BRANCH), left = syn_instr(&s, WS_CLASS_INTEGER);
    syn_instr(&s, WS_CLASS_INTEGER);
    const uint32_t right = syn_instr(&s, WS_CLASS_INTEGER), out = syn_instr(&s, WS_CLASS_OTHER);
    for (uint64_t block = 0; block < 2; block++)
        for (unsigned warp = 0; warp < 2; warp++) {
            const bool goes_right = block == 0 && warp == 1;
            syn_branch(&s, block, warp, bra, UINT32_MAX, goes_right ? UINT32_MAX : 0, 0);
            syn_run(&s, block, warp, goes_right ? right : left, goes_right ? 1 : 2, UINT32_MAX);
            syn_run(&s, block, warp, out, 1, UINT32_MAX);
        }
    /* block 0: 1 + 2 + 1 + 1 = 5 steps, 7 warp instructions; block 1: 1 + 2 + 1 = 4 steps, 8 warp instructions */
    for (int64_t chunk = 1; chunk <= 2; chunk++) {
        syn_measure(&s, &ws_metric_evaluation, chunk, counter);
        const known k[] = {{"warp_instr", 15},     {"simd_parallelism", 15.0 * 32 / 9},
                           {"activity_factor", 1}, {"partial_mask_insts", 0},
                           {"ai_mixed", 1000},     {"row_locality", 0}};
        expect(counter, k, sizeof k / sizeof k[0]);
    }
    syn_fini(&s);
}

static void launches_weigh_by_their_instructions(void **state)
{
    (void)state;
    double sum[SYN_COUNTERS] = {0}, one[SYN_COUNTERS];
    const unsigned runs[] = {1, 9}; /* instructions of a launch; one has a full warp, one a lane */
    for (int i = 0; i < 2; i++) {
        synthetic s;
        syn_init(&s, 1, 32);
        const uint32_t pc = syn_instr(&s, WS_CLASS_INTEGER);
        for (unsigned r = 0; r < runs[i]; r++)
            syn_run(&s, 0, 0, pc, 1, i ? 1 : UINT32_MAX);
        syn_measure(&s, &ws_metric_evaluation, 1, i ? one : sum);
        syn_fini(&s);
    }
    ws_metric_combine(&ws_metric_evaluation, sum, one);
    const known k[] = {{"thread_instr", 41},
                       {"simd_parallelism", (32.0 * 32 + 9.0 * 1) / 41},
                       {"partial_mask_insts", 9},
                       {"distinct_kernels", 1}};
    expect(sum, k, sizeof k / sizeof k[0]);
}

static void parts_of_an_access_are_one_warp_instruction(void **state)
{
    (void)state;
    synthetic s;
    double counter[SYN_COUNTERS];
    syn_init(&s, 1, 32);
    const uint32_t pc = syn_memory_instr(&s, WS_SPACE_GENERIC, WS_ACCESS_REDUCE, 4);
    syn_stride(&s, 0, 0, pc, 0xff, 0, 4)->space = WS_SPACE_SHARED;
    ws_event *const part = syn_stride(&s, 0, 0, pc, 0xff00, 0, 64);
    part->space = WS_SPACE_GLOBAL;
    part->count = 0;
    syn_measure(&s, &ws_metric_evaluation, 1, counter);
    const known k[] = {{"thread_instr", 16}, {"warp_instr", 1}, {"warp_mop", 1},
                       {"warp_ato", 1},      {"warp_shd", 1},   {"row_locality", 4}};
    expect(counter, k, sizeof k / sizeof k[0]);
    syn_fini(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_example),
        cmocka_unit_test(steps_are_those_of_one_wide_warp),
        cmocka_unit_test(launches_weigh_by_their_instructions),
        cmocka_unit_test(parts_of_an_access_are_one_warp_instruction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
