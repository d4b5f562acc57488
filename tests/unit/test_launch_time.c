/* The time of a launch from its counts: limits, the bounds of closed queueing networks, and exact mean value analysis.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/launch_time.h"

#include <math.h>

static ws_time_launch launch(double blocks, double warps, double sms, double residents)
{
    return (ws_time_launch){.blocks = blocks, .warps_per_block = warps, .sms = sms, .residents = residents};
}

static double sum_of(const double *part)
{
    double sum = 0;
    for (unsigned i = 0; i < WS_TIME_PARTS; i++)
        sum += part[i];
    return sum;
}

/* A lone warp has no queues. */
static void alone(void **state)
{
    (void)state;
    double part[WS_TIME_PARTS];
    ws_time_launch l = launch(1, 1, 4, 2);
    l.launch_cycles = 30;
    l.dispatch_cycles = 2;
    l.dependence = 100;
    l.loads = 50;
    ws_time_add(&l, WS_TIME_PART_issue, false, 80, 1);
    ws_time_add(&l, WS_TIME_PART_memory, true, 1000, 1);
    assert_float_equal(ws_launch_time(&l, part), 182, 1e-9);
    assert_float_equal(part[WS_TIME_PART_launch], 32, 1e-9);
    assert_float_equal(part[WS_TIME_PART_dependence], 100, 1e-9);
    assert_float_equal(part[WS_TIME_PART_loads], 50, 1e-9);
    assert_float_equal(sum_of(part), 182, 1e-9);
}

/* With many warps the busiest station sets the time, of an SM or of the chip. */
static void saturated(void **state)
{
    (void)state;
    double part[WS_TIME_PARTS];
    for (unsigned chip = 0; chip < 2; chip++) {
        ws_time_launch l = launch(64, 32, 4, 16);
        l.dependence = 10;
        ws_time_add(&l, WS_TIME_PART_units, chip, 1e6, 2);
        const double least = 1e6 / 2 / (chip ? 1 : 4);
        const double time = ws_launch_time(&l, part);
        assert_true(time >= least * (1 - 1e-3) && time < 1.01 * least);
        assert_float_equal(part[WS_TIME_PART_units] + part[WS_TIME_PART_dependence], time, 1e-6 * time);
    }
}

/* Blocks beyond the capacity run in another wave. */
static void waves(void **state)
{
    (void)state;
    double part[WS_TIME_PARTS];
    for (unsigned blocks = 1; blocks <= 24; blocks++) {
        ws_time_launch l = launch(blocks, 4, 4, 2);
        l.dependence = 100.0 * 4 * blocks;
        assert_float_equal(ws_launch_time(&l, part), 100 * ceil(blocks / 8.), 1e-9);
    }
    ws_time_launch none = launch(4, 0, 4, 2);
    none.launch_cycles = 7;
    assert_float_equal(ws_launch_time(&none, part), 7, 0);
}

/* Exact mean value analysis of n customers with a delay and stations of one server (Reiser and Lavenberg, 1980): the
 * queue that a customer finds is that of n - 1. */
static double exact(unsigned n, double delay, const double *d, unsigned stations)
{
    double queue[8] = {0}, time = 0;
    for (unsigned k = 1; k <= n; k++) {
        double residence[8];
        time = delay;
        for (unsigned i = 0; i < stations; i++) {
            residence[i] = d[i] * (1 + queue[i]);
            time += residence[i];
        }
        for (unsigned i = 0; i < stations; i++)
            queue[i] = k / time * residence[i];
    }
    return time;
}

/* The warp's own time includes service, so the delay of the network is the rest. Bard's and Schweitzer's
 * approximation is known to be off by some 15 % at most for such networks, near the knee. */
static void beside_exact(void **state)
{
    (void)state;
    static const struct {
        double delay, d[3];
    } cases[] = {{1000, {10, 5, 1}}, {200, {40, 40, 40}}, {50, {30, 2, 2}}, {0, {10, 10, 5}}, {3000, {100, 90, 80}}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (unsigned n = 1; n <= 64; n *= 2) {
            double part[WS_TIME_PARTS];
            ws_time_launch l = launch(1, n, 1, 1);
            double served = 0;
            for (unsigned i = 0; i < 3; i++) {
                ws_time_add(&l, WS_TIME_PART_network, false, cases[c].d[i] * n, 1);
                served += cases[c].d[i];
            }
            l.dependence = (cases[c].delay + served) * n;
            const double is = ws_launch_time(&l, part), should = exact(n, cases[c].delay, cases[c].d, 3);
            assert_true(is > 0.85 * should && is < 1.15 * should);
            assert_true(n > 1 || fabs(is - should) < 1e-9);
        }
}

/* More of anything takes no less; more servers no more. */
static void monotone(void **state)
{
    (void)state;
    double part[WS_TIME_PARTS];
    for (unsigned chip = 0; chip < 2; chip++)
        for (unsigned step = 0; step < 200; step++) {
            double time[4];
            for (unsigned change = 0; change < 4; change++) {
                ws_time_launch l = launch(1 + step % 50, 1 + step % 7, 8, 4);
                l.dependence = 100 * l.blocks * l.warps_per_block * (change == 1 ? 1.1 : 1);
                l.loads = 10.0 * step;
                ws_time_add(&l, WS_TIME_PART_l1, chip, 37.0 * step * (change == 2 ? 1.1 : 1), change == 3 ? 3 : 2);
                ws_time_add(&l, WS_TIME_PART_memory, true, 11.0 * step, 1);
                time[change] = ws_launch_time(&l, part);
                assert_float_equal(sum_of(part), time[change], 1e-6 * time[change]);
            }
            assert_true(time[1] >= time[0] && time[2] >= time[0] - 1e-6 * time[0] && time[3] <= time[0] * (1 + 1e-6));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alone),        cmocka_unit_test(saturated), cmocka_unit_test(waves),
        cmocka_unit_test(beside_exact), cmocka_unit_test(monotone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
