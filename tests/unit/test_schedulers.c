/* Warp and block schedulers against schedules worked out by hand. */
#include "model/sim/cta_scheduler.h"
#include "model/sim/scheduler.h"

#include <stdio.h>
#include <string.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Warps run ALU, ALU, LD, ALU that needs the load; ALU takes 1 cycle, LD 4. The schedule, "A1 B1 .. " by cycle. */
static void run(const char *name, unsigned warps, uint64_t active, char *schedule)
{
    const ws_warp_scheduler_ops *const ops = ws_warp_scheduler_find(name);
    assert_non_null(ops);
    uint64_t state[128] = {0}, values[4] = {active}, ready[8] = {0};
    assert_true(ops->state_size <= sizeof state);
    unsigned at[8] = {0}, left = warps;
    for (unsigned i = 0; i < warps; i++)
        ops->started(state, values, i, i);
    char *out = schedule;
    for (uint64_t now = 0; left && now < 60; now++) {
        uint64_t candidates = 0;
        for (unsigned i = 0; i < warps; i++) {
            if (at[i] == 3 && ready[i] == now)
                ops->unblocked(state, values, i);
            candidates |= (uint64_t)(at[i] < 4 && ready[i] <= now) << i;
        }
        const int warp = candidates ? ops->choose(state, values, candidates) : -1;
        if (warp >= 0) {
            assert_true(candidates >> warp & 1);
            ops->issued(state, values, (unsigned)warp);
            at[warp]++;
            ready[warp] = now + (at[warp] == 3 ? 4 : 1);
            out += snprintf(out, 4, "%c%u ", 'A' + warp, at[warp]);
            if (at[warp] == 3)
                ops->blocked(state, values, (unsigned)warp);
            if (at[warp] == 4) {
                ops->ended(state, values, (unsigned)warp);
                left--;
            }
        } else
            out += snprintf(out, 4, "- ");
    }
    assert_int_equal(left, 0);
}

static void hand_worked_schedules(void **state)
{
    (void)state;
    char s[256];
    run("gto", 3, 0, s);
    assert_string_equal(s, "A1 A2 A3 B1 B2 B3 A4 C1 C2 C3 B4 - - C4 ");
    run("lrr", 3, 0, s);
    assert_string_equal(s, "A1 B1 C1 A2 B2 C2 A3 B3 C3 - A4 B4 C4 ");
    run("two-level", 3, 8, s); /* all are active: as round robin */
    assert_string_equal(s, "A1 B1 C1 A2 B2 C2 A3 B3 C3 - A4 B4 C4 ");
    /* One place: B enters when A waits for its load; A, ready in cycle 6, when B waits from cycle 5 on but C, pending
     * for longer, is first; A enters when C waits. */
    run("two-level", 3, 1, s);
    assert_string_equal(s, "A1 A2 A3 B1 B2 B3 C1 C2 C3 A4 B4 - C4 ");
}

static void names(void **state)
{
    (void)state;
    size_t n = 0;
    for (const ws_warp_scheduler_ops *o; (o = ws_warp_scheduler_at(n)); n++) {
        assert_ptr_equal(ws_warp_scheduler_find(o->name), o);
        assert_non_null(o->options);
    }
    assert_true(n > 0);
    assert_null(ws_warp_scheduler_find("fifo"));
    n = 0;
    for (const ws_cta_scheduler_ops *o; (o = ws_cta_scheduler_at(n)); n++)
        assert_ptr_equal(ws_cta_scheduler_find(o->name), o);
    assert_true(n > 0);
    assert_null(ws_cta_scheduler_find("fifo"));
}

/* Slots are reused: age is by arrival, not by slot; and the last slot works. */
static void oldest_is_by_arrival(void **state)
{
    (void)state;
    const ws_warp_scheduler_ops *const gto = ws_warp_scheduler_find("gto"), *const lrr = ws_warp_scheduler_find("lrr");
    uint64_t memory[128] = {0}, values[1] = {0};
    gto->started(memory, values, 0, 5);
    gto->started(memory, values, 63, 2);
    const uint64_t both = UINT64_C(1) << 63 | 1;
    assert_int_equal(gto->choose(memory, values, both), 63);
    gto->issued(memory, values, 0);
    assert_int_equal(gto->choose(memory, values, both), 0);
    gto->ended(memory, values, 0);
    gto->started(memory, values, 0, 6);
    assert_int_equal(gto->choose(memory, values, both), 63);
    uint64_t turn[1] = {0};
    lrr->issued(turn, values, 63);
    assert_int_equal(lrr->choose(turn, values, both), 0);
    lrr->issued(turn, values, 0);
    assert_int_equal(lrr->choose(turn, values, both), 63);
}

static void active_set_has_its_size(void **state)
{
    (void)state;
    const ws_warp_scheduler_ops *const ops = ws_warp_scheduler_find("two-level");
    uint64_t memory[128] = {0};
    const uint64_t values[1] = {2};
    for (unsigned i = 0; i < 5; i++)
        ops->started(memory, values, i, i);
    assert_int_equal(ops->choose(memory, values, 0x1c), -1); /* 2, 3, 4 are pending */
    ops->blocked(memory, values, 0);
    ops->blocked(memory, values, 0);
    assert_int_equal(ops->choose(memory, values, 0x1c), 2);
    ops->blocked(memory, values, 1);
    ops->blocked(memory, values, 2);
    ops->blocked(memory, values, 3);
    ops->unblocked(memory, values, 0);
    assert_int_equal(ops->choose(memory, values, 1), 0);
    ops->ended(memory, values, 4);
    ops->unblocked(memory, values, 3);
    assert_int_equal(ops->choose(memory, values, 8), 3);
}

static void blocks_to_sms(void **state)
{
    (void)state;
    const ws_cta_scheduler_ops *const turn = ws_cta_scheduler_find("round-robin");
    const ws_cta_scheduler_ops *const least = ws_cta_scheduler_find("least-used");
    uint64_t memory[1] = {0};
    ws_cta_view sm[4] = {{true, 0, 4}, {true, 0, 2}, {false, 0, 0}, {true, 0, 2}};
    assert_true(turn->state_size(4) <= sizeof memory && least->state_size(4) <= sizeof memory);
    static const int expected[] = {0, 1, 3, 0, 1};
    for (uint64_t block = 0; block < 5; block++)
        assert_int_equal(turn->choose(memory, NULL, block, sm, 4), expected[block]);
    assert_int_equal(least->choose(memory, NULL, 0, sm, 4), 1);
    sm[1].room = false;
    assert_int_equal(least->choose(memory, NULL, 0, sm, 4), 3);
    for (unsigned i = 0; i < 4; i++)
        sm[i].room = false;
    assert_int_equal(turn->choose(memory, NULL, 0, sm, 4), -1);
    assert_int_equal(least->choose(memory, NULL, 0, sm, 4), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(hand_worked_schedules), cmocka_unit_test(names),
                                       cmocka_unit_test(oldest_is_by_arrival),
                                       cmocka_unit_test(active_set_has_its_size), cmocka_unit_test(blocks_to_sms)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
