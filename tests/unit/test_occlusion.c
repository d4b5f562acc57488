/* Closed forms of memory occlusion: against numbers worked out by hand, a model of MSHRs, and the simulator. */
#include "sim_script.h"
#include "tests/unit/machine_word.h"

#include "model/occlusion.h"

#include <math.h>

static void assert_close(double a, double b)
{
    if (!(fabs(a - b) <= 1e-9 * fmax(1, fabs(b))))
        fail_msg("%.12g is not %.12g", a, b);
}

/* ------------------------------------------------------------------------------------------------ by hand */

static void waits_for_mshrs(void **state)
{
    (void)state;
    ws_occlusion o = {.accesses = 32, .misses = 32, .mshrs = 32, .latency = 450};
    assert_close(ws_occlusion_cycles(&o), 418);
    o.misses = 16;
    assert_close(ws_occlusion_cycles(&o), 193);
    o.misses = 8;
    assert_close(ws_occlusion_cycles(&o), 80.5);
    o.misses = 2;
    assert_close(ws_occlusion_cycles(&o), 0);
}

/* Up to a third of lanes, three or more full loads are let go on 32 MSHRs; from there to a half two, then one. */
static void admitted_loads(void **state)
{
    (void)state;
    static const struct {
        uint32_t percent, loads;
    } rows[] = {{5, 20}, {10, 10}, {20, 5}, {25, 4}, {30, 3},  {33, 3},        {34, 2},
                {35, 2}, {50, 2},  {51, 1}, {55, 1}, {100, 1}, {0, UINT32_MAX}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(ws_occlusion_admitted(32, 32, rows[i].percent), rows[i].loads);
    assert_int_equal(ws_occlusion_admitted(32, 10, 50), 6);
    assert_int_equal(ws_occlusion_admitted(16, 32, 100), 0); /* the clamp of a prediction is there for this */
}

static void a_line_up_to_the_knee(void **state)
{
    (void)state;
    /* 4 more by rank up to rank 3, then as many as there are; a rank with one load in a thousand is not looked at. */
    const uint64_t loads[] = {100, 50, 100, 10, 10, 1}, taken[] = {200, 300, 1000, 140, 138, 32};
    ws_rank_trend t = ws_rank_trend_of(loads, taken, 6);
    assert_close(t.knee, 3);
    assert_close(t.slope, 4);
    assert_close(t.fit, 1);
    const uint64_t bent[] = {200, 150, 1000, 140, 138, 32}; /* means 2, 3, 10, 14 */
    t = ws_rank_trend_of(loads, bent, 6);
    assert_true(t.slope > 4 && t.fit > 0.9 && t.fit < 0.99);
    const uint64_t two[] = {100, 300}, none[] = {0, 0}, flat[] = {200, 100, 200, 20, 20, 2};
    t = ws_rank_trend_of(loads, two, 2);
    assert_close(t.slope, 5);
    assert_true(isnan(t.fit) && t.knee == 1);
    t = ws_rank_trend_of(none, none, 2);
    assert_true(isnan(t.knee) && isnan(t.slope) && isnan(t.fit));
    t = ws_rank_trend_of(loads, flat, 6);
    assert_true(t.knee == 0 && isnan(t.slope) && isnan(t.fit));
}

/* ------------------------------------------------------------------------------------------------ a model of MSHRs */

/* Loads without a pause, one access a cycle, its misses first. Returns the cycles that load `count` waited for MSHRs.
 */
static uint64_t model_wait(unsigned accesses, unsigned misses, unsigned mshrs, uint64_t latency, unsigned count)
{
    uint64_t free_at[64] = {0}, now = 0, waits = 0;
    unsigned next = 0;
    for (unsigned load = 0; load <= count; load++) {
        waits = 0;
        for (unsigned i = 0; i < accesses; i++, now++)
            if (i < misses) {
                const uint64_t wait = free_at[next] > now ? free_at[next] - now : 0;
                waits += wait;
                now += wait;
                free_at[next] = now + latency;
                next = (next + 1) % mshrs;
            }
    }
    return waits;
}

static void a_model_agrees(void **state)
{
    (void)state;
    static const struct {
        unsigned misses, every; /* loads after which MSHRs come round */
        uint64_t longest;
    } rows[] = {{32, 1, 418}, {16, 2, 386}, {8, 4, 322}};
    for (size_t i = 0; i < 3; i++) {
        const ws_occlusion o = {.accesses = 32, .misses = rows[i].misses, .mshrs = 32, .latency = 450};
        uint64_t sum = 0, longest = 0;
        for (unsigned load = 0; load < rows[i].every; load++) {
            const uint64_t wait = model_wait(32, rows[i].misses, 32, 450, 40 + load);
            sum += wait;
            longest = wait > longest ? wait : longest;
        }
        assert_close((double)sum / rows[i].every, ws_occlusion_cycles(&o));
        assert_int_equal(longest, rows[i].longest);
    }
}

/* ------------------------------------------------------------------------------------------------ the simulator */

enum { WARPS = 16, LOADS = 20, MSHRS = 8 };

/* Loads of so many lines of which all miss, of that many warps in turn; memory is far away, and has room for all. */
static ws_sim_sums simulate(unsigned warps, unsigned lines)
{
    ws_machine m;
    ws_sim_sums d;
    script_machine(&m, "none");
    m.chip_sms = 1;
    m.l1_mshrs = MSHRS;
    m.sm_memory_queue = 2;
    m.l2_latency = 300;
    machine_word(&m, memory_channel, "fixed");
    script *const s = script_make(1, warps * 32);
    for (uint32_t i = 0; i < warps * LOADS; i++) {
        step *const p = script_add(s, 0, i % warps, LOAD, (uint64_t)i * lines * 128);
        p->exec = UINT32_MAX >> (32 - lines);
        p->stride = 128;
        script_add(s, 0, i % warps, USE, 0);
    }
    ws_sim *const sim = script_sim(&m, NULL);
    assert_int_equal(script_run(sim, s, 1000), WS_OK);
    ws_sim_sum(sim, &d);
    assert_int_equal(d.l1.misses, warps * LOADS * lines);
    ws_sim_destroy(sim);
    s->source.ops->destroy(&s->source);
    return d;
}

/* What a load waits beyond its accesses, its share of the unit's time, and the time of all, against the forms. The
 * latency of memory is that of one load alone. */
static void compare_with_forms(unsigned lines)
{
    const ws_sim_sums alone = simulate(1, 1), d = simulate(WARPS, lines);
    const double latency = (double)alone.sm.load_latency / LOADS, loads = WARPS * LOADS;
    const ws_occlusion o = {.accesses = lines, .misses = lines, .mshrs = MSHRS, .latency = latency};
    assert_true(latency > 300 && d.sm.divergent_loads == WARPS * LOADS);
    const double wait = (double)d.sm.load_store_mshr / loads,
                 share = (double)d.sm.load_store_mshr / (double)d.sm.load_store_busy;
    const double formed = ws_occlusion_cycles(&o), formed_share = formed / (formed + lines),
                 least = (double)d.l1.misses * latency / MSHRS;
    if (fabs(wait / formed - 1) > 0.03 || fabs(share - formed_share) > 0.01 ||
        fabs((double)d.cycles / least - 1) > 0.03)
        fail_msg("%u lines: waits %.1f, not %.1f; share %.3f, not %.3f; %llu cycles, not %.0f", lines, wait, formed,
                 share, formed_share, (unsigned long long)d.cycles, least);
}

static void the_simulator_agrees(void **state)
{
    (void)state;
    for (unsigned lines = 4; lines <= 32; lines *= 2)
        compare_with_forms(lines);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waits_for_mshrs),       cmocka_unit_test(admitted_loads),

        cmocka_unit_test(a_line_up_to_the_knee), cmocka_unit_test(a_model_agrees),
        cmocka_unit_test(the_simulator_agrees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
