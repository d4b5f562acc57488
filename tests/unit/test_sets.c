/* test_sets.c - sets that a load touches by four indices, how even they are, and how many warps a cache keeps whole.
 *
 * Strides and what becomes of them are worked out from the functions (B. Wang, "Mitigating GPU Memory Divergence for
 * Data-Intensive Applications", Auburn 2015, sections 3.2 and 3.3): lanes that differ in bits 2^s .. 2^(s+4) touch as
 * many sets as the index has independent sums of these bits. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/events.h"

extern const ws_metric ws_metric_sets;
static const ws_metric *const M = &ws_metric_sets;

enum { INDICES = 4 }; /* linear, xor, fermi, fup */

static double indexed(const double *v, const char *name, unsigned by)
{
    char text[48];
    snprintf(text, sizeof text, "%s_%u", name, by);
    return column(M, v, text);
}

static void assert_near(double got, double want)
{
    if (!(fabs(got - want) <= 1e-6 * fmax(1, fabs(want))))
        fail_msg("%.9g instead of %.9g", got, want);
}

/* Concentration of powers of two; each set that is touched has as many lines. */
static void test_powers_of_two(void **unused)
{
    (void)unused;
    static const struct {
        unsigned shift;
        double want[INDICES];
    } cases[] = {
        {7, {1, 1, 1, 1}},    {8, {2, 1, 2, 1}},     {9, {4, 1, 2, 1}},     {10, {8, 1, 2, 1}},    {11, {16, 1, 2, 1}},
        {12, {32, 1, 4, 1}},  {13, {32, 2, 2, 1}},   {14, {32, 4, 4, 1}},   {15, {32, 8, 4, 1}},   {16, {32, 16, 8, 1}},
        {17, {32, 32, 8, 1}}, {18, {32, 32, 16, 1}}, {20, {32, 32, 32, 1}}, {21, {32, 32, 32, 1}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        script *const s = script_create(1, 32);
        access_line(s, 0, 0, memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4), ALL_LANES, 0, (int64_t)1 << cases[i].shift);
        double *const v = measure(M, s);
        for (unsigned by = 0; by < INDICES; by++) {
            const double want = cases[i].want[by];
            assert_near(indexed(v, "sets_concentration", by), want);
            assert_near(indexed(v, "sets_most", by), want);
            assert_near(indexed(v, "sets_excess", by), want > 8 ? (want - 8) / want : 0);
        }
        free(v);
        script_destroy(s);
    }
}

/* Strides that are no power of two: of 31 lines xor and fup put all but one into one set, which concentration hides, of
 * 33 lines all of them. A stride of 4 MB leaves the bits of the index to the remainder by 31: lane 31 joins lane 0. */
static void test_bad_strides(void **unused)
{
    (void)unused;
    static const struct {
        uint64_t stride;
        unsigned by;
        double concentration, most;
    } cases[] = {
        {31 * 128, 0, 1, 1},     {31 * 128, 1, 16, 31},
        {31 * 128, 3, 16, 31},   {33 * 128, 0, 1, 1},
        {33 * 128, 1, 32, 32},   {33 * 128, 2, 1, 1},
        {33 * 128, 3, 32, 32},   {96 * 128, 0, 32, 32},
        {1057 * 128, 1, 32, 32}, {1057 * 128, 3, 1, 1},
        {1025 * 128, 3, 32, 32}, {3 * 128, 0, 1, 1},
        {66 * 128, 1, 16, 16},   {(uint64_t)1 << 22, 3, 32. / 31, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        script *const s = script_create(1, 32);
        access_line(s, 0, 0, memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4), ALL_LANES, 0, (int64_t)cases[i].stride);
        double *const v = measure(M, s);
        assert_near(indexed(v, "sets_concentration", cases[i].by), cases[i].concentration);
        assert_near(indexed(v, "sets_most", cases[i].by), cases[i].most);
        free(v);
        script_destroy(s);
    }
}

/* m lines over 32 sets of the linear index, as equation 3.2 has it. */
static void test_balance(void **unused)
{
    (void)unused;
    enum { ONE_EACH, ONE_SET, OVER_31 };
    static const struct {
        unsigned loads, how;
        double want;
    } cases[] = {{1, ONE_EACH, 32 / (32 / 64. * 95)},
                 {1000, ONE_EACH, 32 * 1000. * 1001 / 2 / (32000 / 64. * 32063)},
                 {1000, ONE_SET, 32000. * 32001 / 2 / (32000 / 64. * 32063)},
                 {1, ONE_SET, 32. * 33 / 2 / (32 / 64. * 95)},
                 {1000, OVER_31, 31 * 1000. * 1001 / 2 / (31000 / 64. * 31063)}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        script *const s = script_create(1, 32);
        const uint32_t load = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4);
        const int64_t stride = cases[i].how == ONE_SET ? 4096 : 128;
        for (unsigned k = 0; k < cases[i].loads; k++)
            access_line(s, 0, 0, load, cases[i].how == OVER_31 ? 0x7fffffff : ALL_LANES, 0, stride);
        double *const v = measure(M, s);
        assert_near(indexed(v, "sets_balance", 0), cases[i].want);
        free(v);
        script_destroy(s);
    }
}

/* Every load falls into one set, the next one into the next set: balanced, and yet as concentrated as can be. */
static void test_balance_hides(void **unused)
{
    (void)unused;
    script *const s = script_create(1, 32);
    const uint32_t load = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4);
    for (unsigned i = 0; i < 3200; i++)
        access_line(s, 0, 0, load, ALL_LANES, 128 * i, 4096);
    double *const v = measure(M, s);
    assert_true(fabs(indexed(v, "sets_balance", 0) - 1) < 1e-3);
    assert_near(indexed(v, "sets_concentration", 0), 32);
    free(v);
    script_destroy(s);
}

/* A loop with `divergent` loads of a stride and one line that all warps read: what `warps` warps do, `turns` times. */
static double *loop(unsigned warps, unsigned divergent, int64_t stride, unsigned turns)
{
    script *const s = script_create(2, 32 * warps);
    uint32_t pc[3];
    const uint64_t base = (uint64_t)1 << 31, coherent = base + ((uint64_t)1 << 28) + 640;
    for (unsigned i = 0; i < 3; i++)
        pc[i] = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4);
    for (unsigned block = 0; block < 2; block++)
        for (unsigned turn = 0; turn < turns; turn++)
            for (unsigned warp = 0; warp < warps; warp++) {
                for (unsigned k = 0; k < divergent; k++)
                    access_line(s, block, warp, pc[k], ALL_LANES,
                                base + ((uint64_t)k << 26) + (uint64_t)stride * 32 * warp + 4 * turn, stride);
                access_line(s, block, warp, pc[2], ALL_LANES, coherent + 4 * turn, 0);
            }
    double *const v = measure(M, s);
    script_destroy(s);
    return v;
}

/* Section 2.3.2 and table 3.2: 33 lines for a divergent and a shared one. Seven such warps fit without conflicts, three
 * with two divergent loads; with the lines in 8 sets of 32 only two. */
static void test_rounds(void **unused)
{
    (void)unused;
    double *v = loop(3, 1, 32768, 5);
    assert_column(M, v, "sets_round_lines", 33);
    assert_near(indexed(v, "sets_round_warps", 0), 0);
    assert_near(indexed(v, "sets_round_warps", 1), 1);
    assert_near(indexed(v, "sets_round_warps", 2), 2);
    assert_near(indexed(v, "sets_round_warps", 3), 7);
    free(v);
    v = loop(2, 2, 16384, 3);
    assert_column(M, v, "sets_round_lines", 65);
    assert_near(indexed(v, "sets_round_warps", 3), 3);
    free(v);
}

/* Lines that a round uses twice count once; it has no more than it keeps without counting lines twice. A kernel without
 * divergent loads has no warps that fit. */
static void test_round_lines(void **unused)
{
    (void)unused;
    script *s = script_create(1, 32);
    uint32_t pc[20];
    for (unsigned i = 0; i < 20; i++)
        pc[i] = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4);
    access_line(s, 0, 0, pc[0], ALL_LANES, 0, 4);
    access_line(s, 0, 0, pc[1], ALL_LANES, 0, 8);
    access_line(s, 0, 0, pc[0], ALL_LANES, 0, 4);
    double *v = measure(M, s);
    assert_column(M, v, "sets_round_lines", 1.5);
    assert_near(indexed(v, "sets_round_warps", 3), 0);
    free(v);
    script_destroy(s);

    /* 19 loads of 32 lines in a round, the last ten of them those of the first ten: 8 of them, 256 lines, are kept, so
     * the other two are taken as new */
    s = script_create(1, 32);
    for (unsigned i = 0; i < 20; i++)
        pc[i] = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4);
    for (unsigned i = 0; i < 20; i++)
        access_line(s, 0, 0, pc[i], ALL_LANES, (uint64_t)(i % 10) << 30, 128);
    v = measure(M, s);
    assert_column(M, v, "sets_round_lines", 20 * 32);
    free(v);
    script_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_powers_of_two), cmocka_unit_test(test_bad_strides), cmocka_unit_test(test_balance),
        cmocka_unit_test(test_balance_hides), cmocka_unit_test(test_rounds),      cmocka_unit_test(test_round_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
