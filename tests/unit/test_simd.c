/* test_simd.c - lane efficiency on streams small enough to count by hand. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/events.h"

extern const ws_metric ws_metric_simd;
static const ws_metric *const M = &ws_metric_simd;

/* The example of docs/metrics-study.md: one block of two warps, nine and seven instructions, 480 of 512 lanes. */
static void test_golden_example(void **unused)
{
    (void)unused;
    script *const s = script_create(1, 64);
    const uint32_t param = memory(s, WS_SPACE_PARAM, WS_ACCESS_LOAD, 8), mov = arithmetic(s, 2, WS_CLASS_INTEGER);
    const uint32_t bra = conditional(s), add = arithmetic(s, 2, WS_CLASS_FLOAT);
    const uint32_t store = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_STORE, 4);
    const uint32_t bar = instr(s, (ws_instr){.cls = WS_CLASS_BARRIER}), end = arithmetic(s, 1, WS_CLASS_OTHER);
    for (unsigned warp = 0; warp < 2; warp++) {
        access_line(s, 0, warp, param, ALL_LANES, 0, 0);
        run(s, 0, warp, mov, 2, ALL_LANES);
        branch(s, 0, warp, bra, ALL_LANES, warp ? ALL_LANES : 0xffff0000);
        if (!warp)
            run(s, 0, warp, add, 2, 0x0000ffff);
        access_line(s, 0, warp, store, ALL_LANES, 4096 + warp * 128, 4);
        barrier(s, 0, warp, bar);
        run(s, 0, warp, end, 1, ALL_LANES);
    }
    double *const v = measure(M, s);
    assert_column(M, v, "simd_efficiency", 480. / 512);
    assert_column(M, v, "simd_divergence_efficiency", 480. / 512);
    assert_column(M, v, "simd_predication_efficiency", 1);
    assert_column(M, v, "simd_full", 14. / 16);
    assert_column(M, v, "simd_lanes_3", 2. / 16);
    assert_column(M, v, "simd_lanes_7", 14. / 16);
    free(v);
    script_destroy(s);
}

static void test_guards_and_partial_warps(void **unused)
{
    (void)unused;
    script *const s = script_create(5, 40); /* warps of 32 and 8 threads */
    const uint32_t plain = arithmetic(s, 1, WS_CLASS_INTEGER);
    const uint32_t guarded = instr(s, (ws_instr){.cls = WS_CLASS_INTEGER, .guarded = 1});
    for (unsigned block = 0; block < 5; block++) {
        run(s, block, 0, plain, 2, ALL_LANES); /* the guard holds for all: part of a run */
        run(s, block, 1, plain, 1, 0xff);
        event(s, block,
              (ws_event){.pc = guarded, .warp = 1, .count = 1, .active = 0xff, .exec = 0x3, .kind = WS_EVENT_RUN});
    }
    double *const v = measure(M, s);
    assert_column(M, v, "simd_efficiency", (64. + 8 + 2) / 128);
    assert_column(M, v, "simd_divergence_efficiency", 1);
    assert_column(M, v, "simd_predication_efficiency", (32. + 2) / (32 + 8));
    assert_column(M, v, "simd_lanes_1", .5);
    free(v);
    script_destroy(s);
}

/* A generic access with lanes in two spaces comes as two events, the second without a count. */
static void test_access_in_two_spaces(void **unused)
{
    (void)unused;
    script *const s = script_create(1, 32);
    const uint32_t load = instr(
        s, (ws_instr){
               .cls = WS_CLASS_MEMORY, .space = WS_SPACE_GLOBAL, .guarded = 1, .access = WS_ACCESS_LOAD, .bytes = 4});
    const uint64_t address[WS_WARP] = {0};
    ws_event *ev = access_at(s, 0, 0, load, 0x0000ffff, address);
    ev->active = ALL_LANES;
    ev = access_at(s, 0, 0, load, 0x00ff0000, address);
    ev->active = ALL_LANES;
    ev->count = 0;
    double *const v = measure(M, s);
    assert_column(M, v, "simd_efficiency", 24. / 32);
    assert_column(M, v, "simd_predication_efficiency", 24. / 32);
    free(v);
    script_destroy(s);
}

static void test_empty_launch(void **unused)
{
    (void)unused;
    script *const s = script_create(2, 32);
    double *const v = measure(M, s);
    assert_column(M, v, "simd_efficiency", 0);
    free(v);
    script_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden_example),
        cmocka_unit_test(test_guards_and_partial_warps),
        cmocka_unit_test(test_access_in_two_spaces),
        cmocka_unit_test(test_empty_launch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
