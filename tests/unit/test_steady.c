/* test_steady.c - projecting what is left of a launch: exact where waves are alike, as wide as they differ, and no less
 * than what was asked for. */
#include "base/status.h"
#include "model/machine/machine_choice.h"
#include "record/simulate/steady.h"
#include "model/sim/sim_stats.h"
#include "model/machine/machine.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { WAVE = 10, INSTRUCTIONS = 1000 };
static const double t = 4.302652729911275; /* 97.5 % of Student, two degrees of freedom: R's qt(0.975, 2) */

/* A first wave that is like no other, then three with so many cycles each; a miss in ten instructions. */
static ws_steady make(double bound, const uint64_t cycles[STEADY_WAVES])
{
    ws_steady s;
    ws_steady_begin(&s, bound, &(ws_sim_sums){0});
    ws_sim_sums sums = {
        .cycles = 77777, .sm = {.warp_instructions = INSTRUCTIONS, .thread_instructions = 999}, .l2 = {.misses = 888}};
    for (uint64_t w = 1; w <= STEADY_PLACES; w++) {
        s.end[w % STEADY_PLACES] = (ws_steady_wave){.ctas = w * WAVE, .sums = sums};
        s.waves = w;
        if (w == STEADY_PLACES)
            break;
        sums.cycles += cycles[w - 1];
        sums.sm.warp_instructions += INSTRUCTIONS;
        sums.sm.thread_instructions += 32 * INSTRUCTIONS;
        sums.l2.misses += INSTRUCTIONS / 10;
    }
    s.stopped = true;
    return s;
}

static double bound_of(const ws_steady *s, const char *name, uint64_t ctas, uint64_t instructions)
{
    ws_machine *machine;
    const ws_machine_choice choice = {.config = "rtx2060-mini"};
    assert_int_equal(ws_machine_choose(&choice, &machine), WS_OK);
    double *const bound = calloc(ws_sim_stat_count(machine), sizeof *bound);
    size_t column = 0;
    while (strcmp(ws_sim_stat_at(machine, column).name, name) != 0)
        column++;
    assert_int_equal(ws_steady_bound(s, machine, ctas, instructions, bound), WS_OK);
    const double found = bound[column];
    free(bound);
    ws_machine_destroy(machine);
    return found;
}

static void close_to(double a, double b)
{
    assert_true(fabs(a - b) <= 1e-9 * fabs(b));
}

static void alike(void **state)
{
    (void)state;
    const ws_steady s = make(0.01, (uint64_t[]){500, 500, 500});
    ws_sim_sums did = s.end[s.waves % STEADY_PLACES].sums;
    const ws_sim_sums before = did;
    ws_steady_project(&s, 7 * INSTRUCTIONS, &did);
    assert_true(did.sm.warp_instructions == before.sm.warp_instructions + 7 * INSTRUCTIONS);
    assert_true(did.sm.thread_instructions == before.sm.thread_instructions + 7 * 32 * INSTRUCTIONS);
    assert_true(did.cycles == before.cycles + 7 * 500);
    assert_true(did.l2.misses == before.l2.misses + 7 * INSTRUCTIONS / 10);
    /* Waves that agree prove no more than what was asked for. */
    close_to(bound_of(&s, "cycles", 7 * WAVE, 7 * INSTRUCTIONS), 7 * 500 * t * 0.01 * sqrt(1 / 3. + 1 / 7.));
    close_to(bound_of(&s, "l2_misses", 7 * WAVE, 7 * INSTRUCTIONS), 700 * t * 0.01 * sqrt(1 / 3. + 1 / 7.));
    assert_true(bound_of(&s, "warp_instructions", 7 * WAVE, 7 * INSTRUCTIONS) == 0);
    assert_true(bound_of(&s, "ipc", 7 * WAVE, 7 * INSTRUCTIONS) == 0);
}

static void differ(void **state)
{
    (void)state;
    const ws_steady s = make(0.01, (uint64_t[]){400, 500, 600}); /* mean 500, standard deviation 100 */
    close_to(bound_of(&s, "cycles", 5 * WAVE, 5 * INSTRUCTIONS), 5 * 100 * t * sqrt(1 / 3. + 1 / 5.));
    close_to(bound_of(&s, "l2_misses", 5 * WAVE, 5 * INSTRUCTIONS), 500 * t * 0.01 * sqrt(1 / 3. + 1 / 5.));
}

/* As many instructions in half as many CTAs: each has twice as many, so as much again may be missing. */
static void other_ctas(void **state)
{
    (void)state;
    const ws_steady s = make(0.01, (uint64_t[]){500, 500, 500});
    const double same = bound_of(&s, "cycles", 8 * WAVE, 8 * INSTRUCTIONS);
    close_to(bound_of(&s, "cycles", 4 * WAVE, 8 * INSTRUCTIONS), same + 8 * 500);
    close_to(bound_of(&s, "cycles", 16 * WAVE, 8 * INSTRUCTIONS), same + 8 * 500 * 0.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alike),
        cmocka_unit_test(differ),
        cmocka_unit_test(other_ctas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
