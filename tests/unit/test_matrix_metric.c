/* test_matrix_metric.c - multiply-adds of products of matrices, counted by hand. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/events.h"

extern const ws_metric ws_metric_matrix;
static const ws_metric *const M = &ws_metric_matrix;

static uint32_t product(script *s, const char *opcode, ws_class cls)
{
    return instr(s, (ws_instr){.opcode = opcode, .cls = (uint8_t)cls, .work = WS_WORK_MATRIX});
}

/* 100 warp instructions in each of two blocks, some of products; one that no lane executes counts nothing, one of half
 * of a warp's lanes the whole product. */
static void test_kinds(void **unused)
{
    (void)unused;
    script *const s = script_create(2, 32);
    const uint32_t plain = arithmetic(s, 1, WS_CLASS_INTEGER);
    const uint32_t mixed = product(s, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", WS_CLASS_FLOAT);
    const uint32_t half = product(s, "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16", WS_CLASS_FLOAT);
    const uint32_t twice = product(s, "wmma.mma.sync.aligned.row.col.m8n8k4.f64.f64.f64.f64", WS_CLASS_FLOAT);
    const uint32_t byte = product(s, "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", WS_CLASS_INTEGER);
    for (unsigned block = 0; block < 2; block++) {
        for (unsigned i = 0; i < 90; i++)
            run(s, block, 0, plain, 1, ALL_LANES);
        run(s, block, 0, mixed, 4, ALL_LANES); /* all four in a row */
        run(s, block, 0, mixed, 1, ALL_LANES);
        run(s, block, 0, byte, 1, 0);
        run(s, block, 0, half, 1, ALL_LANES);
        run(s, block, 0, twice, 1, ALL_LANES);
        run(s, block, 0, byte, 1, ALL_LANES);
        run(s, block, 0, plain, 1, ALL_LANES);
    }
    double *const v = measure(M, s);
    const double per_thousand = 1000. / (99 * 32);
    assert_column(M, v, "matrix_mixed", 2 * 16 * 8 * 16 * per_thousand);
    assert_column(M, v, "matrix_half", 2 * 16 * 8 * 8 * per_thousand);
    assert_column(M, v, "matrix_twice", 2 * 8 * 8 * 4 * per_thousand);
    assert_column(M, v, "matrix_byte", 2 * 16 * 8 * 32 * per_thousand);
    assert_column(M, v, "matrix_tf32", 0);
    assert_column(M, v, "matrix_nibble", 0);
    assert_column(M, v, "matrix_bit", 0);
    assert_column(M, v, "matrix_float_ops", 6 * 32 * per_thousand);
    assert_column(M, v, "matrix_integer_ops", 2 * 32 * per_thousand);
    free(v);
    script_destroy(s);
}

static void test_none(void **unused)
{
    (void)unused;
    script *const s = script_create(1, 32);
    run(s, 0, 0, arithmetic(s, 3, WS_CLASS_FLOAT), 3, ALL_LANES);
    double *const v = measure(M, s);
    for (const ws_metric_column *c = M->columns; c->name; c++)
        assert_column(M, v, c->name, 0);
    free(v);
    script_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_kinds), cmocka_unit_test(test_none)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
