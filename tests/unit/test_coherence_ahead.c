/* test_coherence_ahead.c - loads that run ahead of earlier accesses of their warp (race detection) keep sequential
 * consistency in every interleaving, with loads that keep their values and loads that must not. Of programs with many
 * states the nearest are walked; --more: more of them; --slow: also more programs with each choice, and evictions at
 * any moment. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/coherence_walk.h"

static bool slow, more;

#define L(v) \
    { \
        LOAD, v, 0 \
    }
#define P(v) \
    { \
        POLL, v, 0 \
    }
#define S(v, n) \
    { \
        STORE, v, n \
    }
#define A(v, n) \
    { \
        ATOMIC, v, n \
    }

/* Threads 0 and 1 run on SM 0, 2 and 3 on SM 1. Outcomes are those that sequential consistency forbids. */
static const program programs[] = {
    {"MP", {{S(X, 1), S(Y, 1)}, {{0}}, {L(Y), L(X)}}, {2, 0, 2}, {{2, 0, 1}, {2, 1, 0}}, 2},
    {"MP, copies there", {{S(X, 1), S(Y, 1)}, {{0}}, {L(X), L(Y), L(X)}}, {2, 0, 3}, {{2, 1, 1}, {2, 2, 0}}, 2},
    {"MP, one SM", {{S(X, 1), S(Y, 1)}, {L(X), L(Y), L(X)}}, {2, 3}, {{1, 1, 1}, {1, 2, 0}}, 2},
    {"SB, copies there", {{L(Y), S(X, 1), L(Y)}, {{0}}, {L(X), S(Y, 1), L(X)}}, {3, 0, 3}, {{0, 2, 0}, {2, 2, 0}}, 2},
    {"SB, one SM", {{S(X, 1), L(Y)}, {S(Y, 1), L(X)}}, {2, 2}, {{0, 1, 0}, {1, 1, 0}}, 2},
    {"LB", {{L(X), S(Y, 1)}, {{0}}, {L(Y), S(X, 1)}}, {2, 0, 2}, {{0, 0, 1}, {2, 0, 1}}, 2},
    {"CoRR", {{S(X, 1)}, {{0}}, {L(X), L(X), L(X)}}, {1, 0, 3}, {{2, 0, 1}, {2, 2, 0}}, 2},
    {"CoWR", {{S(X, 1), L(X), L(Y)}, {{0}}, {S(X, 2)}}, {3, 0, 1}, {{0, 1, 0}}, 1},
    {"two that run ahead", {{S(X, 1), S(Y, 1)}, {{0}}, {L(X), L(Y), L(X), L(Y)}}, {2, 0, 4}, {{2, 1, 1}, {2, 2, 0}}, 2},
    {"neighbours", {{S(Y, 1), S(X, 1)}, {{0}}, {L(Y), L(X2), L(X), L(Y)}}, {2, 0, 4}, {{2, 2, 1}, {2, 3, 0}}, 2},
    {"atomics", {{L(X), A(X, 1), L(X)}, {{0}}, {A(X, 4), L(X)}}, {3, 0, 2}, {{0}}, 0},
    {"polls", {{S(X, 1), S(Y, 1)}, {{0}}, {L(X), P(Y), L(X)}}, {2, 0, 3}, {{2, 1, 1}, {2, 2, 0}}, 2},
    {"early store",
     {{L(X), S(X, 1)}, {L(Y), L(X), L(Y)}, {S(Y, 1), L(X)}},
     {2, 3, 2},
     {{1, 1, 1}, {1, 2, 0}, {2, 1, 0}},
     3},
    {"WRC", {{S(X, 1)}, {L(X), S(Y, 1)}, {L(X), L(Y), L(X)}}, {1, 2, 3}, {{1, 0, 1}, {2, 1, 1}, {2, 2, 0}}, 3},
};
enum { PROGRAMS = sizeof programs / sizeof *programs };

typedef struct variant {
    const char *protocol;
    uint32_t unit, hits, capacity, ways;
    bool exact, bulk, deeper;
} variant;

static const variant variants[] = {
    {0},         {.protocol = "drd-ideal"}, {.exact = true}, {.unit = 4, .exact = true}, {.hits = 1, .capacity = 1},
    {.ways = 1}, {.deeper = true},          {.bulk = true},
};
enum { VARIANTS = sizeof variants / sizeof *variants, NEAREST = 4000, FIRST = 150000, MOST = 20000000 };

/* Three threads have millions of states: the first of them, breadth first, are walked. */
static bool is_large(const program *p)
{
    return p->length[0] && p->length[1] && p->length[2];
}

/* Four loads of a thread have a hundred thousand. */
static bool is_long(const program *p)
{
    return p->length[0] + p->length[1] + p->length[2] > 5;
}

static walk walked(const program *p, const variant *v, size_t limit)
{
    walk w = {.config = small_config(v->protocol ? v->protocol : "drd-spec"),
              .program = p,
              .limit = limit,
              .evict_l1 = slow && !is_long(p),
              .end_of_time = 8};
    ws_race_config *const r = &w.config.race;
    r->ahead = true;
    r->unit = v->unit ? v->unit : r->unit;
    r->hits = v->hits ? v->hits : r->hits;
    r->capacity = v->capacity ? v->capacity : r->capacity;
    r->exact = v->exact;
    r->depth = v->bulk ? 0 : v->deeper ? 2 : 1;
    r->slots += v->deeper;
    w.config.l1_ways = w.config.l1_mshrs = v->ways ? v->ways : 2;
    const bool whole = !walk_all(&w);
    if (!whole && !w.violation[0] && limit == MOST)
        fail_msg("%s: more than %zu states", p->name, w.limit);
    if (w.violation[0])
        print_counterexample(&w);
    assert_string_equal(w.violation, "");
    assert_true(w.terminals > 0 || !whole);
    if (w.outcomes)
        fail_msg("%s: the forbidden outcome is reached", p->name);
    return w;
}

static void test_every_interleaving(void **unused)
{
    (void)unused;
    for (size_t v = 0; v < VARIANTS; v++)
        for (size_t i = 0; i < PROGRAMS; i++) {
            if (v && !slow && (is_large(&programs[i]) || is_long(&programs[i])))
                continue;
            walk w = walked(&programs[i], &variants[v], !more ? NEAREST : is_large(&programs[i]) ? FIRST : MOST);
            walk_fini(&w);
        }
}

/* Loads are early, and have to be made again, where a message comes between: else the test above would say nothing. */
static void test_loads_are_refuted(void **unused)
{
    (void)unused;
    size_t refuted = 0, early = 0;
    for (size_t i = 1; i < 3; i++) {
        walk w = walked(&programs[i], &variants[0], MOST);
        refuted += w.refuted > 0;
        early += w.early > 0;
        walk_fini(&w);
    }
    assert_int_equal(refuted, 2);
    assert_int_equal(early, 2);
}

int main(int argc, char **argv)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    slow = argc > 1 && !strcmp(argv[1], "--slow");
    more = slow || (argc > 1 && !strcmp(argv[1], "--more"));
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_interleaving),
                                       cmocka_unit_test(test_loads_are_refuted)};
    return cmocka_run_group_tests_name("coherence_ahead", tests, NULL, NULL);
}
