/* test_sync_form.c - closed forms of barriers and semaphores: worked examples, chance by drawing it, laws. */
#include "model/mechanism/sync/sync_form.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <gsl/gsl_rng.h>

static ws_sync_shape shape(double sms, double blocks)
{
    return (ws_sync_shape){.sms = sms, .blocks = blocks, .latency = 200, .service = 2, .turn = 4, .backoff = 1023};
}

static double atomics(ws_sync_barrier b, double sms, double blocks)
{
    const ws_sync_shape h = shape(sms, blocks);
    const ws_sync_counts c = ws_sync_count(b, &h);
    assert_true(c.local_atomics + c.device_atomics == c.increments + c.swaps);
    assert_true(c.swapped <= c.swaps);
    return c.increments + c.swaps;
}

/* S, T: tree, G-SRB, cooperative (Dalmia, 2023, counted). tests/unit/test_sync.c counts the same numbers in kernels. */
static void operations(void **state)
{
    static const double rows[][5] = {{80, 2, 1922, 321, 160},
                                     {80, 8, 5762, 801, 640},
                                     {80, 32, 21122, 2721, 2560},
                                     {68, 16, 9250, 1225, 1088},
                                     {82, 16, 11154, 1477, 1312}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const double s = rows[i][0], t = rows[i][1];
        assert_true(atomics(WS_SYNC_tree, s, t) == rows[i][2]);
        assert_true(atomics(WS_SYNC_sense, s, t) == rows[i][3]);
        assert_true(atomics(WS_SYNC_cooperative, s, t) == rows[i][4]);
        assert_true(atomics(WS_SYNC_cpu, s, t) == s * t + 1);
    }
    /* With a block an SM the tree has its global counters alone. */
    assert_true(atomics(WS_SYNC_tree, 80, 1) == 4 * 80 + 2);
    const ws_sync_shape h = shape(80, 8);
    assert_true(ws_sync_count(WS_SYNC_sense, &h).device_fences == 81);
    assert_true(ws_sync_count(WS_SYNC_cpu, &h).device_fences == 641);
    assert_true(ws_sync_count(WS_SYNC_tree, &h).device_fences == 320);
}

/* Without backing off the published forms cross where S T - S - T > 2 L / s, but for what the cooperative one's polls
 * cost: twice the S T. */
static void crossover(void **state)
{
    (void)state;
    ws_sync_shape h = shape(80, 1);
    h.backoff = 0;
    for (h.service = 1; h.service < 64; h.service *= 2) {
        double least = NAN;
        for (double t = 32; t >= 1; t--)
            if (2 * h.sms * t - h.sms - t > 2 * h.latency / h.service)
                least = t;
        const double got = ws_sync_crossover(ws_sync_published, &h, 32);
        assert_true(got == least || (isnan(got) && isnan(least)));
    }
    h.latency = 1e9;
    assert_true(isnan(ws_sync_crossover(ws_sync_published, &h, 32)));
}

/* More blocks, longer round trips and slower service never make a barrier faster. */
static void laws(void **state)
{
    (void)state;
    for (int b = 0; b < WS_SYNC_BARRIERS; b++)
        for (double t = 2; t <= 32; t *= 2) {
            const ws_sync_shape h = shape(16, t);
            ws_sync_shape more = h, longer = h, slower = h, fenced = h;
            more.blocks++;
            longer.latency += 50;
            longer.backoff = slower.backoff = 0;
            slower.service++;
            fenced.fence = 100;
            ws_sync_shape still = h;
            still.backoff = 0;
            double (*const time[])(ws_sync_barrier, const ws_sync_shape *) = {ws_sync_published, ws_sync_chain};
            for (int k = 0; k < 2; k++) {
                assert_true(time[k]((ws_sync_barrier)b, &more) >= time[k]((ws_sync_barrier)b, &h));
                assert_true(time[k]((ws_sync_barrier)b, &longer) > time[k]((ws_sync_barrier)b, &still));
                assert_true(time[k]((ws_sync_barrier)b, &slower) > time[k]((ws_sync_barrier)b, &still));
                assert_true(time[k]((ws_sync_barrier)b, &fenced) >= time[k]((ws_sync_barrier)b, &h) + 200);
            }
            assert_true(ws_sync_chain((ws_sync_barrier)b, &h) > ws_sync_published((ws_sync_barrier)b, &h));
        }
}

/* Where fences of an SM take turns, the last of its blocks waits for T - 1 others: in the cooperative barrier twice, in
 * G-CPUSRB at the arrival; in the others one block of an SM has fences. */
static void fences_in_turns(void **state)
{
    (void)state;
    double (*const time[])(ws_sync_barrier, const ws_sync_shape *) = {ws_sync_published, ws_sync_chain};
    for (int b = 0; b < WS_SYNC_BARRIERS; b++)
        for (double t = 1; t <= 32; t *= 2)
            for (int k = 0; k < 2; k++) {
                ws_sync_shape h = shape(16, t);
                h.fence = 100;
                const double beside = time[k]((ws_sync_barrier)b, &h), more = 100 * (t - 1);
                h.fence_turns = true;
                assert_float_equal(time[k]((ws_sync_barrier)b, &h) - beside,
                                   b == WS_SYNC_cooperative ? 2 * more
                                   : b == WS_SYNC_cpu       ? more
                                                            : 0,
                                   1e-6);
            }
}

static void overshoot(void **state)
{
    (void)state;
    ws_sync_shape h = shape(4, 4);
    h.latency = 0; /* waits of 4, 12, 28, 60 ... cycles, one behind the other */
    assert_true(ws_sync_overshoot(&h, 4) == 2);
    assert_true(ws_sync_overshoot(&h, 5) == 6);
    assert_true(ws_sync_overshoot(&h, 45) == 30);
    assert_true(ws_sync_overshoot(&h, 1e6) == 4 * 1023 / 2.0);
    h.backoff = 0;
    assert_true(ws_sync_overshoot(&h, 1e6) == 0);
}

/* A application with 3 % in barriers cannot gain more. */
static void gain(void **state)
{
    (void)state;
    assert_true(fabs(ws_sync_gain(0.9, 1 / 3.0) - 0.6) < 1e-12);
    assert_true(ws_sync_gain(0.03, 0) == 0.03);
    assert_true(ws_sync_gain(0.5, 1) == 0);
    assert_true(ws_sync_gain(0.5, 1.1) < 0);
}

/* One of the entrants or the leaver gets the lock, at random, until the leaver has: four, 32 and 80 locks in the mean
 * for 3, 31 and 79 entrants. */
static void leaving_by_chance(void **state)
{
    enum { DRAWS = 200000 };
    static const double entrants[] = {3, 31, 79};
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_taus2);
    (void)state;
    for (size_t i = 0; i < sizeof entrants / sizeof *entrants; i++) {
        const double expected = ws_sync_spin_acquisitions(entrants[i]);
        double sum = 0, late = 0;
        for (int n = 0; n < DRAWS; n++) {
            double locks = 1;
            while (gsl_rng_uniform_int(rng, (unsigned long)entrants[i] + 1))
                locks++;
            sum += locks;
            late += locks > 2 * expected;
        }
        assert_true(expected == entrants[i] + 1);
        assert_true(fabs(sum / DRAWS / expected - 1) < 0.02);
        assert_true(fabs(late / DRAWS - ws_sync_spin_tail(entrants[i], 2 * expected)) < 0.01);
    }
    gsl_rng_free(rng);
    assert_true(ws_sync_spin_tail(0, 1) == 0);
    assert_true(ws_sync_priority_acquisitions(0) == 1);
    assert_true(ws_sync_priority_acquisitions(3) == 4);
}

static void handing_over(void **state)
{
    (void)state;
    const ws_sync_shape h = shape(1, 1);
    double sum = 0;
    for (int k = 0; k < 32; k++)
        sum += ws_sync_hold(&h) * ws_sync_spin_acquisitions(k);
    assert_true(ws_sync_hold(&h) == 400);
    assert_true(ws_sync_spin_handover(&h, 32) == sum);
    assert_true(ws_sync_priority_handover(&h, 32) == 2 * 32 * 400);
    assert_true(ws_sync_spin_handover(&h, 3) ==
                ws_sync_priority_handover(&h, 3)); /* with fewer than four blocks spinning is as good */
    assert_true(ws_sync_spin_handover(&h, 4) > ws_sync_priority_handover(&h, 4));
}

/* A lone block has nobody in its way; with others, spinning grows as the square, priority does not; neither is below
 * the study's form, which has two round trips for a lock. */
static void rounds(void **state)
{
    (void)state;
    ws_sync_shape h = shape(1, 1);
    assert_true(ws_sync_spin_chain(&h, 1) == 8 * h.latency);
    assert_true(ws_sync_priority_chain(&h, 1) == 11 * h.latency);
    assert_true(ws_sync_spin_chain(&h, 4) == 4 * (8 + 3 * 2) * h.latency);
    for (double n = 1; n <= 32; n++) {
        assert_true(ws_sync_priority_chain(&h, n) == n * ws_sync_priority_chain(&h, 1));
        assert_true(ws_sync_spin_chain(&h, n) >= ws_sync_spin_handover(&h, n));
        assert_true(ws_sync_priority_chain(&h, n) >= ws_sync_priority_handover(&h, n));
        assert_true((ws_sync_priority_chain(&h, n) < ws_sync_spin_chain(&h, n)) == (n > 2)); /* 2 (n - 1) + 8 > 11 */
    }
    h.fence = 7;
    assert_true(ws_sync_priority_chain(&h, 2) == 2 * (11 * h.latency + 4 * 7));
}

/* All times of all forms are within the bounds of work, and those far outside are refused. */
static void bounds(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 4 * 6 * 4 * 3; i++) {
        static const double fences[] = {0, 100, 4000}, turns[] = {0, 4, 50, 1000}, sms[] = {1, 4, 80, 132};
        ws_sync_shape h = shape(sms[i % 4], 1 << i / 4 % 6);
        h.turn = turns[i / 24 % 4];
        h.fence = fences[i / 96];
        for (unsigned way = 0; way < 2; way++) {
            h.fence_turns = way;
            for (int b = 0; b < WS_SYNC_BARRIERS; b++) {
                assert_int_equal(ws_sync_check_barrier((ws_sync_barrier)b, &h, ws_sync_chain((ws_sync_barrier)b, &h)),
                                 0);
                assert_int_equal(
                    ws_sync_check_barrier((ws_sync_barrier)b, &h, ws_sync_published((ws_sync_barrier)b, &h)), 0);
                assert_int_not_equal(ws_sync_check_barrier((ws_sync_barrier)b, &h, h.latency - 1), 0);
                assert_int_not_equal(ws_sync_check_barrier((ws_sync_barrier)b, &h, 1e12), 0);
            }
            const double semaphore[] = {ws_sync_spin_chain(&h, h.blocks), ws_sync_priority_chain(&h, h.blocks),
                                        ws_sync_spin_handover(&h, h.blocks), ws_sync_priority_handover(&h, h.blocks)};
            for (size_t k = 0; k < sizeof semaphore / sizeof *semaphore; k++)
                assert_int_equal(ws_sync_check_semaphore("semaphore", &h, h.blocks, semaphore[k]), 0);
            assert_int_not_equal(ws_sync_check_semaphore("semaphore", &h, h.blocks, h.latency - 1), 0);
            assert_int_not_equal(ws_sync_check_semaphore("semaphore", &h, h.blocks, 1e12), 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations),
        cmocka_unit_test(crossover),
        cmocka_unit_test(laws),
        cmocka_unit_test(fences_in_turns),
        cmocka_unit_test(overshoot),
        cmocka_unit_test(gain),
        cmocka_unit_test(leaving_by_chance),
        cmocka_unit_test(handing_over),
        cmocka_unit_test(rounds),
        cmocka_unit_test(bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
