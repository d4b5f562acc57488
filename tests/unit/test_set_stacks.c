/* test_set_stacks.c - caches that know who shares, one set of two ways: hits counted by hand from the rules of
 * set_stacks.h. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/status.h"
#include "model/mechanism/sharing/set_stacks.h"

static ws_set_stacks stacks_of(ws_stack_rule rule, uint32_t spare, ws_stack_fill fill)
{
    ws_set_stacks s = {.rule = rule, .sets = 1, .ways = 2, .spare = spare, .fill = fill};
    assert_int_equal(ws_set_stacks_init(&s), WS_OK);
    return s;
}

static bool hits(ws_set_stacks *s, char block, uint32_t sm, bool shared)
{
    return ws_set_stacks_use(s, &(ws_stack_use){.block = (uint64_t)block, .sm = sm, .shared = shared});
}

static bool local(ws_set_stacks *s, char block, bool stores)
{
    return ws_set_stacks_use(s, &(ws_stack_use){.block = (uint64_t)block, .local = true, .stores = stores});
}

/* The last used goes last. */
static void plain(void **state)
{
    static const char uses[] = "abacbcaa", expected[] = "00100101";
    (void)state;
    ws_set_stacks s = stacks_of(WS_STACKS_PLAIN, 0, WS_STACKS_FILL_SHARED);
    for (unsigned i = 0; uses[i]; i++)
        assert_int_equal(hits(&s, uses[i], 0, false), expected[i] == '1');
    ws_set_stacks_clear(&s);
    assert_false(hits(&s, 'a', 0, false));
    ws_set_stacks_drop(&s, &(ws_stack_use){.block = 'a'});
    assert_false(ws_set_stacks_touch(&s, &(ws_stack_use){.block = 'a'}));
    ws_set_stacks_fini(&s);
}

/* A private block that is last is spared once: then shared ones have no place, and private ones take its. */
static void private_blocks_are_spared(void **state)
{
    (void)state;
    for (int then = 0; then < 2; then++) {
        ws_set_stacks s = stacks_of(WS_STACKS_L1, 1, WS_STACKS_FILL_SHARED);
        assert_false(hits(&s, 'p', 0, false));
        assert_false(hits(&s, 's', 0, true));
        assert_false(hits(&s, 't', 0, true)); /* in the place of s */
        assert_true(hits(&s, 't', 0, true));
        if (then) {
            assert_false(hits(&s, 'q', 0, false)); /* of p */
            assert_true(hits(&s, 'q', 0, false) && hits(&s, 't', 0, true));
            assert_false(hits(&s, 'p', 0, false)); /* q is used before t, and spared: t goes */
            assert_true(hits(&s, 'q', 0, false) && hits(&s, 'p', 0, false));
            assert_false(hits(&s, 't', 0, true)); /* none of private ones alone */
            assert_false(hits(&s, 't', 0, true));
        } else {
            assert_false(hits(&s, 'u', 0, true));
            assert_false(hits(&s, 'u', 0, true));
            assert_true(hits(&s, 't', 0, true) && hits(&s, 'p', 0, false));
        }
        ws_set_stacks_fini(&s);
    }
    ws_set_stacks again = stacks_of(WS_STACKS_L1, 1, WS_STACKS_FILL_SHARED);
    assert_false(hits(&again, 'p', 0, false) || hits(&again, 's', 0, true) || hits(&again, 't', 0, true));
    assert_true(hits(&again, 'p', 0, false) && hits(&again, 't', 0, true)); /* p is used, so it is spared anew */
    assert_false(hits(&again, 'u', 0, true));
    assert_true(hits(&again, 'u', 0, true) && hits(&again, 'p', 0, false));
    ws_set_stacks_fini(&again);
    ws_set_stacks dead = stacks_of(WS_STACKS_L1, 1, WS_STACKS_FILL_DEAD);
    assert_false(hits(&dead, 'p', 0, false) || hits(&dead, 'q', 0, false));
    assert_false(hits(&dead, 's', 0, true));                               /* p is spared: s has no place */
    assert_true(hits(&dead, 'q', 0, false) && !hits(&dead, 's', 0, true)); /* p is dead, and goes */
    assert_true(hits(&dead, 's', 0, true) && hits(&dead, 'q', 0, false) && !hits(&dead, 'p', 0, false));
    ws_set_stacks_fini(&dead);
    ws_set_stacks never = stacks_of(WS_STACKS_L1, 1, WS_STACKS_FILL_NEVER);
    assert_false(hits(&never, 's', 0, true));
    assert_false(hits(&never, 's', 0, true));
    ws_set_stacks_fini(&never);
}

/* What a second SM uses is shared, and stays while there is a private block; local memory never takes its place. */
static void shared_blocks_stay(void **state)
{
    (void)state;
    ws_set_stacks s = stacks_of(WS_STACKS_L2, 0, WS_STACKS_FILL_SHARED);
    assert_false(hits(&s, 'a', 0, false));
    assert_false(hits(&s, 'b', 0, false));
    assert_true(hits(&s, 'a', 1, false));
    assert_true(ws_set_stacks_is_shared(&s, 0, 'a'));
    assert_false(ws_set_stacks_is_shared(&s, 0, 'b'));
    assert_false(hits(&s, 'c', 0, false)); /* in the place of b */
    assert_false(hits(&s, 'b', 0, false)); /* of c, though a was used before it */
    assert_true(hits(&s, 'a', 0, false));
    assert_false(local(&s, 'l', false)); /* a load has no place */
    assert_false(local(&s, 'l', true));  /* a store that of b */
    assert_true(local(&s, 'l', false));
    assert_false(hits(&s, 'b', 0, false)); /* of l */
    assert_true(hits(&s, 'b', 1, false));  /* both are shared */
    assert_false(local(&s, 'l', true));
    assert_false(local(&s, 'l', true));
    assert_false(hits(&s, 'd', 0, false)); /* in the place of a, used last before b */
    assert_true(hits(&s, 'b', 0, false) && hits(&s, 'd', 0, false));
    assert_false(ws_set_stacks_is_shared(&s, 0, 'a'));
    ws_set_stacks_fini(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain),
        cmocka_unit_test(private_blocks_are_spared),
        cmocka_unit_test(shared_blocks_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
