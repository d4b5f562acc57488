/* test_roofline.c - are the roofs of a machine those of its data sheet, and do kernels stand under the one that they
 * should? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/status.h"
#include "model/mechanism/roofline/roofline.h"
#include "tests/unit/machine_word.h"

#include <math.h>
#include <string.h>

static void assert_near(double got, double wanted, double share)
{
    if (!(fabs(got - wanted) <= share * fabs(wanted)))
        fail_msg("%.9g instead of %.9g", got, wanted);
}

static ws_machine *read_machine(const char *name, ws_roofline *roofline)
{
    ws_machine *machine = NULL;
    if (ws_machine_read("data", name, &machine))
        fail_msg("%s: %s", name, ws_message());
    ws_roofline_init(machine, roofline);
    return machine;
}

/* NVIDIA Tesla V100 GPU Architecture, 2017: an SM has 64 lanes for floats, 32 for doubles, 64 for integers and 16 for
 * special functions, four schedulers of one instruction, 32 banks; 80 of them. HBM2 of 4096 bits at 850 MHz, twice a
 * cycle: 870 GB/s. */
static void test_data_sheet(void **state)
{
    (void)state;
    ws_roofline r;
    ws_machine *const m = read_machine("qv100", &r);
    assert_near(r.rate[WS_CEILING_issue], 80 * 4, 0);
    assert_near(r.rate[WS_CEILING_single], 80 * 64 * 2, 0);
    assert_near(r.rate[WS_CEILING_twice], 80 * 32 * 2, 0);
    assert_near(r.rate[WS_CEILING_special], 80 * 16, 0);
    assert_near(r.rate[WS_CEILING_matrix], 80 * 8 * 64 * 2, 0); /* eight tensor cores of 64 multiply-adds */
    assert_near(r.product[WS_MATRIX_half], 1, 0);
    assert_near(r.rate[WS_CEILING_shared], 80 * 32 * 4, 0);
    assert_near(r.rate[WS_CEILING_dram] * r.hertz, 4096 / 8 * 2 * 850e6, 1e-9);
    assert_near(r.l2_sectors * WS_ROOFLINE_SECTOR, 6 << 20, 0);
    ws_machine_destroy(m);
}

/* NVIDIA H100 Tensor Core GPU Architecture, 2022: 989.4 Tflop/s of halves, half of that of tf32, twice of 8 bits,
 * and 66.9 of doubles at 1980 MHz. A machine without tensor units has products at the rate of its floats. */
static void test_products(void **state)
{
    (void)state;
    static const struct {
        ws_matrix_kind kind;
        double tera, share;
    } sheet[] = {{WS_MATRIX_mixed, 989.4, 0.001},
                 {WS_MATRIX_half, 989.4, 0.001},
                 {WS_MATRIX_tf32, 494.7, 0.001},
                 {WS_MATRIX_byte, 1978.9, 0.001},
                 {WS_MATRIX_twice, 66.9 * 1830 / 1980, 0.001}};
    ws_roofline r;
    double cycle[WS_CEILINGS];
    ws_machine *m = read_machine("h100", &r);
    for (size_t i = 0; i < sizeof sheet / sizeof *sheet; i++) {
        ws_roofline_counts c = {0};
        c.product[sheet[i].kind] = 1e12 / 2;
        assert_int_equal(ws_roofline_times(&r, &c, cycle), WS_CEILING_matrix);
        assert_near(r.hertz / cycle[WS_CEILING_matrix], sheet[i].tera, sheet[i].share);
        assert_near(ws_roofline_operations(&c), 1e12, 0);
    }
    ws_machine_destroy(m);
    m = read_machine("titanx", &r);
    assert_near(r.rate[WS_CEILING_matrix] / r.product[WS_MATRIX_tf32], r.rate[WS_CEILING_single], 1e-9);
    ws_machine_destroy(m);
}

/* daxpy: two flop, two loads and a store of a double an element: 1/12 flop a byte (Williams, Waterman, Patterson 2009).
 */
static void test_daxpy(void **state)
{
    (void)state;
    const double n = 1 << 24, sectors = n * 8 / WS_ROOFLINE_SECTOR;
    const ws_roofline_counts c = {.instructions = 10 * n / 32,
                                  .twice = 2 * n,
                                  .integer = 4 * n,
                                  .asked = 3 * sectors,
                                  .stored = sectors,
                                  .touched = 2 * sectors,
                                  .read = 2 * sectors,
                                  .moved = 3 * sectors,
                                  .passing = 3 * sectors};
    double cycle[WS_CEILINGS];
    ws_roofline r;
    ws_machine *const m = read_machine("qv100", &r);
    assert_int_equal(ws_roofline_times(&r, &c, cycle), WS_CEILING_dram);
    assert_near(cycle[WS_CEILING_dram], 12 * 2 * n / r.rate[WS_CEILING_dram], 1e-12);
    assert_near(cycle[WS_CEILING_twice], 2 * n / r.rate[WS_CEILING_twice], 1e-12);
    const double least = ws_roofline_least(&r, &c);
    assert_true(least < cycle[WS_CEILING_dram] &&
                least > 0.5 * cycle[WS_CEILING_dram]); /* y may go once, and L2 has 6 of 268 MB, twice */
    ws_machine_destroy(m);
}

/* Each count alone is bound by its own roof, in proportion; sums of launches are no shorter than the sum's. */
static void test_each_roof(void **state)
{
    (void)state;
    static const struct {
        ws_roofline_counts counts;
        ws_ceiling bound;
    } alone[] = {
        {{.instructions = 1e6}, WS_CEILING_issue},
        {{.single = 1e6}, WS_CEILING_single},
        {{.twice = 1e6}, WS_CEILING_twice},
        {{.special = 1e6}, WS_CEILING_special},
        {{.integer = 1e6}, WS_CEILING_integer},
        {{.passes = 1e6}, WS_CEILING_shared},
        {{.product[WS_MATRIX_mixed] = 1e6}, WS_CEILING_matrix},
        {{.asked = 1e6}, WS_CEILING_l1},
        {{.passing = 1e6}, WS_CEILING_l2},
        {{.moved = 1e6}, WS_CEILING_dram},
    };
    static const char *const machine[] = {"qv100", "rtx2060", "gtsc", "fermi", "rtx3090", "titanx"};
    assert_int_equal(sizeof alone / sizeof *alone, WS_CEILINGS);
    for (size_t k = 0; k < sizeof machine / sizeof *machine; k++) {
        ws_roofline r;
        ws_machine *const m = read_machine(machine[k], &r);
        double one[WS_CEILINGS], two[WS_CEILINGS];
        for (size_t i = 0; i < WS_CEILINGS; i++) {
            ws_roofline_counts c = alone[i].counts;
            assert_true(r.rate[i] > 0 && isfinite(r.rate[i]));
            assert_int_equal(ws_roofline_times(&r, &c, one), alone[i].bound);
            ws_roofline_add(&c, &alone[i].counts);
            ws_roofline_times(&r, &c, two);
            assert_near(two[i], 2 * one[i], 1e-12);
        }
        ws_machine_destroy(m);
    }
}

/* What L2 may hold is no bound, and of a sketch five standard errors are left aside. */
static void test_least(void **state)
{
    (void)state;
    ws_roofline r;
    ws_machine *const m = read_machine("qv100", &r);
    ws_roofline_counts c = {.touched = 2 * r.l2_sectors};
    assert_near(ws_roofline_least(&r, &c), 0, 0);
    c.touched *= 10;
    const double sure = c.touched * (1 - 5 * 1.04 / 128) - 2 * r.l2_sectors;
    assert_near(ws_roofline_least(&r, &c), sure * WS_ROOFLINE_SECTOR / r.rate[WS_CEILING_dram], 1e-12);
    machine_word(m, coherence_protocol, "gtsc-rc"); /* stores may stay in L1s */
    c = (ws_roofline_counts){.read = 1e6, .stored = 1e6, .passing = 2e6};
    assert_near(ws_roofline_least(&r, &c), 0, 0);
    ws_machine_destroy(m);
}

/* 3200 instructions at 320 a cycle, and nothing else: ten cycles, neither less nor more. */
static void test_bounds(void **state)
{
    (void)state;
    ws_roofline r;
    ws_machine *const m = read_machine("qv100", &r);
    const ws_roofline_counts c = {.instructions = 3200};
    double cycle[WS_CEILINGS];
    assert_int_equal(ws_roofline_check(&r, "kernel", &c, cycle[ws_roofline_times(&r, &c, cycle)]), WS_OK);
    assert_int_equal(ws_roofline_check(&r, "kernel", &c, 9.9), WS_EVERIFY);
    assert_non_null(strstr(
        ws_message(), "closed form roofline, kernel `kernel`: 9.9 cycles are below the bound `issue` of 10 cycles"));
    assert_int_equal(ws_roofline_check(&r, "kernel", &c, 1e12), WS_EVERIFY);
    ws_machine_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_data_sheet), cmocka_unit_test(test_products),
                                       cmocka_unit_test(test_daxpy),      cmocka_unit_test(test_each_roof),
                                       cmocka_unit_test(test_least),      cmocka_unit_test(test_bounds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
