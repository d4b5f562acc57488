/* A stack of the lines of a set, some of which are given up, against LRU sets of all its ways: streams by hand and at
 * random. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/set_stack.h"

#include <gsl/gsl_rng.h>
#include <stdbool.h>
#include <string.h>

enum { WAYS = WS_SET_DEPTH, STEPS = 4000 };

/* An LRU set of so many ways. */
typedef struct lru {
    struct {
        uint64_t line, used;
        bool there;
    } way[WAYS];
    unsigned ways;
} lru;

static bool use(lru *c, uint64_t line, uint64_t now)
{
    unsigned at = 0;
    for (unsigned i = 0; i < c->ways; i++) {
        if (c->way[i].there && c->way[i].line == line) {
            c->way[i].used = now;
            return true;
        }
        if (c->way[at].there && (!c->way[i].there || c->way[i].used < c->way[at].used))
            at = i;
    }
    c->way[at].line = line;
    c->way[at].used = now;
    c->way[at].there = true;
    return false;
}

static void drop(lru *c, uint64_t line)
{
    for (unsigned i = 0; i < c->ways; i++)
        c->way[i].there &= c->way[i].line != line;
}

static void use_at(ws_set_stack *s, uint64_t line, uint32_t depth)
{
    assert_int_equal(ws_set_stack_depth(s, line), depth);
    ws_set_stack_use(s, line, depth);
}

/* 3 2 1; 2 is given up; 1 is used and leaves its hole; what is new fills that. */
static void by_hand(void **state)
{
    (void)state;
    ws_set_stack s = {0};
    for (uint64_t line = 1; line <= 3; line++)
        use_at(&s, line, WAYS);
    ws_set_stack_drop(&s, ws_set_stack_depth(&s, 2));
    use_at(&s, 3, 0);
    use_at(&s, 1, 2); /* a set of two ways evicted it, and has room for it */
    use_at(&s, 3, 1);
    use_at(&s, 4, WAYS);
    use_at(&s, 1, 2);
    use_at(&s, 3, 2);
    use_at(&s, 2, WAYS);
    ws_set_stack_drop(&s, WAYS); /* nothing */
    use_at(&s, 4, 3);
}

/* Sets of all ways at once; and who keeps something at the place of a line finds it there as long as the line is in the
 * stack. */
static void against_each_set(void **state)
{
    (void)state;
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (unsigned seed = 1; seed <= 24; seed++) {
        static lru set[WAYS + 1];
        ws_set_stack s = {0};
        uint64_t kept[WAYS];
        const unsigned long lines = 4 + 8 * (seed % 6), drops = 1 + 12 * (seed % 5);
        gsl_rng_set(rng, seed);
        memset(set, 0, sizeof set);
        for (unsigned i = 1; i <= WAYS; i++)
            set[i].ways = i;
        for (uint64_t now = 1; now <= STEPS; now++) {
            const uint64_t line = gsl_rng_uniform_int(rng, lines);
            const uint32_t depth = ws_set_stack_depth(&s, line);
            assert_true(depth <= WAYS);
            if (depth < WAYS)
                assert_int_equal(kept[s.place[depth]], line);
            if (gsl_rng_uniform_int(rng, 100) < drops) {
                ws_set_stack_drop(&s, depth);
                ws_set_stack_drop(&s, depth); /* once is enough */
                assert_int_equal(ws_set_stack_depth(&s, line), WAYS);
                for (unsigned i = 1; i <= WAYS; i++)
                    drop(&set[i], line);
                continue;
            }
            kept[ws_set_stack_use(&s, line, depth)] = line;
            for (unsigned i = 1; i <= WAYS; i++)
                assert_int_equal(use(&set[i], line, now), depth < i);
        }
    }
    gsl_rng_free(rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(against_each_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
