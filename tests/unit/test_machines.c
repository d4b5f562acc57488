/* test_machines.c - do the study's machines differ where their numbers do, and nowhere else? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/events.h"

extern const ws_metric ws_metric_machines;

static const ws_metric *const m = &ws_metric_machines;

enum { ACCESS_BYTES = 4, BLOCK_BYTES = 64 };

static void expect(const script *s, const char *name, double expected)
{
    double *const value = measure(m, s);
    assert_float_equal(column(m, value, name), expected, 1e-9);
    free(value);
}

/* One lane of block `block` loads from the address. */
static void load(script *s, unsigned block, uint32_t pc, uint64_t address)
{
    access_line(s, block, 0, pc, 1, address, 0);
}

/* Nine blocks of the grid load the same word: on eight multiprocessors the ninth meets the first's, on more nobody's.
 */
static void multiprocessors_take_blocks_in_turn(void **state)
{
    (void)state;
    script *s = script_create(9, 32);
    const uint32_t pc = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, ACCESS_BYTES);
    for (unsigned b = 0; b < 9; b++)
        load(s, b, pc, 4096);
    expect(s, "config1_merge_misses", 1.0 / 9);
    expect(s, "config2_merge_misses", 1.0 / 9);
    expect(s, "baseline_merge_misses", 0);
    expect(s, "config3_merge_misses", 0);
    expect(s, "config5_merge_misses", 0);
    expect(s, "config1_M_m_1", 1); /* the launch is in the bin of 0.11 */
    expect(s, "baseline_M_m_0", 1);
    script_destroy(s);
}

/* Blocks of 512 threads that load one word: a multiprocessor of Config 2 holds one at a time, of Config 1 two, and of
 * Config 5 four, which share the request of the first. */
static void a_multiprocessor_holds_as_many_blocks_as_threads_ask(void **state)
{
    (void)state;
    script *s = script_create(880, 512);
    const uint32_t pc = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, ACCESS_BYTES);
    for (unsigned b = 0; b < 880; b++)
        load(s, b, pc, 4096);
    expect(s, "config2_merge_misses", 0);
    expect(s, "config1_merge_misses", 0.5);
    expect(s, "config5_merge_misses", 0.75);
    script_destroy(s);
}

/* Sixteen loads 2 KiB apart: with 8 channels all in one, 8 to a row; with 11 each elsewhere. */
static void channels_spread_addresses(void **state)
{
    (void)state;
    script *s = script_create(1, 32);
    const uint32_t pc = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, ACCESS_BYTES);
    for (unsigned i = 0; i < 16; i++)
        load(s, 0, pc, (uint64_t)i * 2048);
    expect(s, "config1_row_locality", 8);
    expect(s, "config3_row_locality", 8);
    expect(s, "config4_row_locality", 1);
    expect(s, "config5_row_locality", 1);
    expect(s, "config1_R_7", 1); /* from 8 up to 16 */
    expect(s, "config4_R_0", 1);
    script_destroy(s);
}

static void no_access_is_no_sample(void **state)
{
    (void)state;
    script *s = script_create(2, 32);
    run(s, 0, 0, arithmetic(s, 1, WS_CLASS_INTEGER), 1, ALL_LANES);
    double *const counter = count_script(m, s);
    double value[6 * 22];
    m->emit(counter, value);
    for (size_t i = 0; i < sizeof value / sizeof value[0]; i++)
        assert_true(i % 22 < 20 ? value[i] == 0 : isnan(value[i]));
    free(counter);
    script_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(multiprocessors_take_blocks_in_turn),
        cmocka_unit_test(a_multiprocessor_holds_as_many_blocks_as_threads_ask),
        cmocka_unit_test(channels_spread_addresses),
        cmocka_unit_test(no_access_is_no_sample),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
