/* test_mix.c - rates and intensities of instruction streams counted by hand. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/events.h"

extern const ws_metric ws_metric_mix;
static const ws_metric *const M = &ws_metric_mix;

/* y[i] = a * x[i] + y[i], 10 warp instructions, the last block with one lane only. */
static void test_axpy(void **unused)
{
    (void)unused;
    script *const s = script_create(5, 32);
    const uint32_t param = memory(s, WS_SPACE_PARAM, WS_ACCESS_LOAD, 8), index = arithmetic(s, 4, WS_CLASS_INTEGER);
    const uint32_t load = memory(s, WS_SPACE_GENERIC, WS_ACCESS_LOAD, 4);
    const uint32_t fma = instr(s, (ws_instr){.opcode = "fma.rn.f32", .cls = WS_CLASS_FLOAT});
    const uint32_t store = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_STORE, 4), end = arithmetic(s, 1, WS_CLASS_OTHER);
    for (unsigned block = 0; block < 5; block++) {
        const uint32_t mask = block < 4 ? ALL_LANES : 1;
        access_line(s, block, 0, param, mask, 0, 0);
        run(s, block, 0, index, 4, mask);
        access_line(s, block, 0, load, mask, 0x10000, 4);
        s->block[block].event[s->block[block].events - 1].space = WS_SPACE_GLOBAL;
        access_line(s, block, 0, load, mask, 0x20000, 4);
        s->block[block].event[s->block[block].events - 1].space = WS_SPACE_GLOBAL;
        run(s, block, 0, fma, 1, mask);
        access_line(s, block, 0, store, mask, 0x20000, 4);
        run(s, block, 0, end, 1, mask);
    }
    double *const v = measure(M, s);
    assert_column(M, v, "mix_integer_ops", 400);
    assert_column(M, v, "mix_float_ops", 100);
    assert_column(M, v, "mix_memory_ops", 400);
    assert_column(M, v, "mix_other_ops", 100);
    assert_column(M, v, "mix_special_ops", 0);
    assert_column(M, v, "mix_global_load", 200);
    assert_column(M, v, "mix_global_store", 100);
    assert_column(M, v, "mix_param_load", 100);
    assert_column(M, v, "mix_width_2", 1);
    assert_column(M, v, "mix_fma", 1);
    assert_column(M, v, "mix_fp32", 1);
    assert_column(M, v, "mix_ops_per_global_byte", 5. / 12);
    assert_column(M, v, "mix_ops_per_byte", 5. / 12);
    assert_column(M, v, "mix_flops_per_global_byte", 2. / 12);
    assert_column(M, v, "mix_global_bytes_per_instr", 1.2);
    free(v);
    script_destroy(s);
}

static void test_runs_formats_and_widths(void **unused)
{
    (void)unused;
    script *const s = script_create(2, 64);
    const uint32_t first = instr(s, (ws_instr){.opcode = "add.rn.f64", .cls = WS_CLASS_FLOAT});
    instr(s, (ws_instr){.opcode = "fma.rn.f16x2", .cls = WS_CLASS_FLOAT});
    instr(s, (ws_instr){.opcode = "sin.approx.f32", .cls = WS_CLASS_SPECIAL});
    instr(s, (ws_instr){.opcode = "mad.lo.s32", .cls = WS_CLASS_INTEGER});
    const uint32_t byte = memory(s, WS_SPACE_SHARED, WS_ACCESS_LOAD, 1);
    const uint32_t pair = memory(s, WS_SPACE_LOCAL, WS_ACCESS_STORE, 8);
    for (unsigned block = 0; block < 2; block++) {
        run(s, block, 0, first, 4, ALL_LANES); /* one run over all four */
        run(s, block, 1, first + 1, 2, 0x0f);  /* and over the middle two */
        access_line(s, block, 0, byte, ALL_LANES, 0, 1);
        access_line(s, block, 1, pair, 0x0f, 0, 8);
    }
    const double total = 32 * 4 + 4 * 2 + 32 + 4;
    double *const v = measure(M, s);
    assert_column(M, v, "mix_float_ops", 1000 * (64 + 4) / total);
    assert_column(M, v, "mix_special_ops", 1000 * 36 / total);
    assert_column(M, v, "mix_integer_ops", 1000 * 32 / total);
    assert_column(M, v, "mix_shared_load", 1000 * 32 / total);
    assert_column(M, v, "mix_local_store", 1000 * 4 / total);
    assert_column(M, v, "mix_fp64", 32. / 104);
    assert_column(M, v, "mix_fp16", 36. / 104);
    assert_column(M, v, "mix_fp32", 36. / 104);
    assert_column(M, v, "mix_fma", 36. / 68);
    assert_column(M, v, "mix_width_0", 32. / 36);
    assert_column(M, v, "mix_width_3", 4. / 36);
    assert_column(M, v, "mix_ops_per_global_byte", 1000); /* no access: the cap */
    assert_column(M, v, "mix_ops_per_byte", 136. / 64);
    free(v);
    script_destroy(s);
}

static void test_empty(void **unused)
{
    (void)unused;
    script *const s = script_create(1, 32);
    double *const v = measure(M, s);
    assert_column(M, v, "mix_integer_ops", 0);
    assert_column(M, v, "mix_ops_per_byte", 0);
    free(v);
    script_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_axpy),
        cmocka_unit_test(test_runs_formats_and_widths),
        cmocka_unit_test(test_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
