/* The table of divergent loads: who comes in, what it counts, who has to leave. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "model/sim/sm/divergent_loads.h"

enum { WHOLE = 1000 };

static uint32_t missed(const ws_divergent_loads *t, uint32_t pc)
{
    const ws_divergent_load *const load = ws_divergent_find(t, pc);
    assert_non_null(load);
    return ws_divergent_missed(load, WHOLE);
}

/* A load of two blocks does not come in; one that is there is counted whatever it touches. */
static void only_divergent_loads_come_in(void **state)
{
    (void)state;
    ws_divergent_loads t = {0};
    ws_divergent_learn(&t, 4, 0, 1, 1);
    ws_divergent_learn(&t, 4, 0, 2, 2);
    assert_null(ws_divergent_find(&t, 0));
    ws_divergent_learn(&t, 4, 0, 3, 3);
    assert_int_equal(missed(&t, 0), 1000);
    ws_divergent_learn(&t, 4, 0, 1, 0);
    assert_int_equal(missed(&t, 0), 750);
    assert_int_equal(ws_divergent_find(&t, 0)->last, 1);
    assert_int_equal(ws_divergent_find(&t, 0)->count, 2);
    assert_null(ws_divergent_find(&t, 1));
}

/* With the 31st load all counts are halved, of the others, too; the part that missed stays. */
static void counts_age(void **state)
{
    (void)state;
    ws_divergent_loads t = {0};
    ws_divergent_learn(&t, 4, 8, 32, 32);
    for (unsigned i = 0; i < WS_DIVERGENT_COUNT; i++)
        ws_divergent_learn(&t, 4, 9, 32, 8);
    const ws_divergent_load *const often = ws_divergent_find(&t, 9), *const once = ws_divergent_find(&t, 8);
    assert_int_equal(often->count, 15);
    assert_int_equal(often->touches, 31 * 32 / 2);
    assert_int_equal(missed(&t, 9), 250);
    assert_int_equal(once->count, 0);
    assert_int_equal(once->touches, 16);
    assert_int_equal(missed(&t, 8), 1000);
    /* What nothing is counted of misses always. */
    const ws_divergent_load empty = {.seen = 1};
    assert_int_equal(ws_divergent_missed(&empty, WHOLE), WHOLE);
}

/* Of a full table the load leaves that is not counted any more, though others were seen longer ago; else the one that
 * was. */
static void the_forgotten_leave_first(void **state)
{
    (void)state;
    ws_divergent_loads t = {0};
    ws_divergent_learn(&t, 3, 1, 32, 1);
    ws_divergent_learn(&t, 3, 1, 32, 1); /* 2, halved to 1 */
    ws_divergent_learn(&t, 3, 2, 32, 1); /* 1, halved to 0 */
    for (unsigned i = 0; i < WS_DIVERGENT_COUNT; i++)
        ws_divergent_learn(&t, 3, 3, 32, 1);
    ws_divergent_learn(&t, 3, 4, 32, 1);
    assert_null(ws_divergent_find(&t, 2));
    assert_non_null(ws_divergent_find(&t, 1));
    ws_divergent_learn(&t, 3, 5, 32, 1);
    assert_null(ws_divergent_find(&t, 1));
    assert_non_null(ws_divergent_find(&t, 3));
    assert_non_null(ws_divergent_find(&t, 4));
    /* One that is seen again is not the oldest any more. */
    ws_divergent_learn(&t, 3, 3, 32, 1);
    ws_divergent_learn(&t, 3, 6, 32, 1);
    assert_null(ws_divergent_find(&t, 4));
}

/* All its places are used, and no more. */
static void it_has_so_many_places(void **state)
{
    (void)state;
    for (unsigned places = 1; places <= WS_DIVERGENT_PLACES; places++) {
        ws_divergent_loads t = {0};
        unsigned there = 0;
        for (uint32_t pc = 0; pc < 2 * WS_DIVERGENT_PLACES; pc++)
            ws_divergent_learn(&t, places, pc, 32, 32);
        for (uint32_t pc = 0; pc < 2 * WS_DIVERGENT_PLACES; pc++)
            there += ws_divergent_find(&t, pc) != NULL;
        assert_int_equal(there, places);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_divergent_loads_come_in),
        cmocka_unit_test(counts_age),
        cmocka_unit_test(the_forgotten_leave_first),
        cmocka_unit_test(it_has_so_many_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
