/* test_neighbours.c - distances of thread blocks, SMs by fixed maps, stores between uses, worked out by hand. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/events.h"

extern const ws_metric ws_metric_neighbours;
static const ws_metric *const M = &ws_metric_neighbours;

static void touch(script *s, unsigned block, uint32_t pc, uint64_t line)
{
    access_line(s, block, 0, pc, ALL_LANES, line * 128, 4);
}

/* Line 1: thread blocks 0, 1, 3; line 2: 0 and 7; line 3: 2 alone; line 4: 5 and 45, on the same of 15 SMs in turn. */
static void distances_and_sms(void **unused)
{
    (void)unused;
    script *const s = script_create(60, 32);
    s->launch.grid[0] = 6;
    s->launch.grid[1] = 10;
    const uint32_t load = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4);
    static const struct {
        unsigned block, line;
    } uses[] = {{0, 1}, {1, 1}, {3, 1}, {0, 2}, {7, 2}, {2, 3}, {5, 4}, {45, 4}};
    for (unsigned b = 0; b < 60; b++)
        for (unsigned i = 0; i < sizeof uses / sizeof *uses; i++)
            if (uses[i].block == b)
                touch(s, b, load, uses[i].line);
    double *const v = measure(M, s);
    assert_column(M, v, "neighbours_pairs", 4 / 4.0);
    assert_column(M, v, "neighbours_distance_0", 1 / 4.0);
    assert_column(M, v, "neighbours_distance_1", 1 / 4.0);
    assert_column(M, v, "neighbours_distance_2", 0);
    assert_column(M, v, "neighbours_distance_4", 1 / 4.0); /* 7 */
    assert_column(M, v, "neighbours_distance_6", 1 / 4.0); /* 40 */
    assert_column(M, v, "neighbours_near", 2 / 4.0);
    /* In turn: 3 SMs, 2, 1, and 5 % 15 = 5, 45 % 15 = 0. By 8: 1, 1, 1, 2. By 16: the last on SMs 0 and 2. By rows of
     * 6: 1; 0 and 1; 1; 0 and 7. */
    assert_column(M, v, "neighbours_sm_shared_0", 3 / 4.0);
    assert_column(M, v, "neighbours_sm_sharers_0", 7 / 3.0);
    assert_column(M, v, "neighbours_sm_copies_0", 8 / 4.0);
    assert_column(M, v, "neighbours_sm_shared_1", 1 / 4.0);
    assert_column(M, v, "neighbours_sm_copies_1", 5 / 4.0);
    assert_column(M, v, "neighbours_sm_shared_2", 1 / 4.0);
    assert_column(M, v, "neighbours_sm_shared_3", 2 / 4.0);
    assert_column(M, v, "neighbours_sm_sharers_3", 2);
    free(v);
    script_destroy(s);
}

/* Load A, store B, store C, load A, load A; the next thread block begins anew. */
static void stores_between_uses(void **unused)
{
    (void)unused;
    script *const s = script_create(2, 32);
    const uint32_t load = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4),
                   store = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_STORE, 4);
    for (unsigned b = 0; b < 2; b++) {
        touch(s, b, load, 1);
        touch(s, b, store, 2);
        touch(s, b, store, 3 + b);
        touch(s, b, load, 1);
        touch(s, b, load, 1);
    }
    double *const v = measure(M, s);
    assert_column(M, v, "neighbours_stored_between", 1 / 2.0);
    assert_column(M, v, "neighbours_stores_between", (2 + 0) / 2.0);
    free(v);
    script_destroy(s);
}

/* Many lines: runs of two thread blocks, one after the other. The sample tells the share within its error. */
static void a_sample(void **unused)
{
    (void)unused;
    enum { BLOCKS = 32, LINES = 1 << 13 };
    script *const s = script_create(BLOCKS, 32);
    const uint32_t load = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4);
    for (unsigned b = 0; b < BLOCKS; b++)
        for (uint64_t i = 0; i < LINES; i += 32) {
            access_line(s, b, 0, load, ALL_LANES, (b * (uint64_t)LINES + i) * 128, 128);
            access_line(s, b, 0, load, 0x11111111, ((b + 1) * (uint64_t)LINES + i) * 128, 128);
        }
    double *const v = measure(M, s);
    const double all = BLOCKS * LINES + LINES / 4, shared = (BLOCKS - 1) * LINES / 4;
    assert_true(fabs(column(M, v, "neighbours_pairs") - shared / all) < 4 * .01);
    assert_true(fabs(column(M, v, "neighbours_sm_shared_0") - shared / all) < 4 * .01);
    assert_column(M, v, "neighbours_distance_0", 1);
    free(v);
    script_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_and_sms),
        cmocka_unit_test(stores_between_uses),
        cmocka_unit_test(a_sample),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
