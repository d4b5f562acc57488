/* test_consistency.c - what a warp may have under way under each rule: from the rules alone, and as times of a machine.
 */
#include "sim_script.h"
#include "tests/unit/machine_word.h"

enum { LINE = 128 };

static bool begins(const char *rule, ws_under_way u, ws_request_kind kind)
{
    return ws_consistency_ops_of(ws_consistency_kind_find(rule))->may_begin(&u, kind);
}

/* Which of load, store, atomic may pass which of load, store, atomic under way: rows of the definition. */
static void test_rules(void **state)
{
    (void)state;
    static const struct {
        const char *rule;
        bool passes[3][3]; /* [under way][next] */
    } expected[] = {
        {"sc", {{false, false, false}, {false, false, false}, {false, false, false}}},
        {"tso", {{false, false, false}, {true, false, false}, {false, false, false}}},
        {"rc", {{true, true, true}, {true, true, true}, {true, true, true}}},
        {"scoped", {{true, true, true}, {true, true, true}, {true, true, true}}},
    };
    static const ws_under_way one[] = {{.loads = 1}, {.stores = 1}, {.atomics = 1}};
    static const ws_request_kind kinds[] = {WS_REQUEST_LOAD, WS_REQUEST_STORE, WS_REQUEST_ATOMIC};
    for (size_t i = 0; ws_consistency_kind_at(i); i++) {
        size_t row = 0;
        while (row < sizeof expected / sizeof *expected &&
               strcmp(expected[row].rule, ws_consistency_kind_at(i)->name) != 0)
            row++;
        if (row == sizeof expected / sizeof *expected)
            fail_msg("this test does not say what %s allows", ws_consistency_kind_at(i)->name);
        for (unsigned u = 0; u < 3; u++)
            for (unsigned k = 0; k < 3; k++)
                assert_int_equal(begins(expected[row].rule, one[u], kinds[k]), expected[row].passes[u][k]);
        for (unsigned k = 0; k < 3; k++)
            assert_true(begins(expected[row].rule, (ws_under_way){0}, kinds[k]));
    }
}

static void test_fences(void **state)
{
    (void)state;
    const ws_under_way none = {0}, load = {.loads = 1}, store = {.stores = 1}, queued = {.stores = 1, .queued = 1};
    for (size_t i = 0; ws_consistency_kind_at(i); i++) {
        const ws_consistency_ops *const rule = ws_consistency_ops_of(ws_consistency_kind_at(i));
        for (ws_scope scope = WS_SCOPE_NONE; scope < WS_SCOPES; scope++) {
            bool ask;
            const bool scoped = !strcmp(ws_consistency_kind_at(i)->name, "scoped") && scope == WS_SCOPE_CTA;
            assert_true(rule->may_pass(&none, scope, &ask));
            assert_int_equal(ask, !scoped);
            assert_false(rule->may_pass(&load, scope, &ask));
            assert_int_equal(rule->may_pass(&store, scope, &ask), scoped);
            assert_false(rule->may_pass(&queued, scope, &ask));
        }
    }
}

/* Cycles of one warp that does these things, one line each. */
static uint64_t cycles_of(const char *rule, const uint32_t *instr, size_t count)
{
    ws_machine m;
    script_machine(&m, "none");
    m.port_cycles = 1;
    machine_word(&m, coherence_consistency, rule);
    script *const s = script_make(1, 32);
    for (size_t i = 0; i < count; i++)
        script_add(s, 0, 0, instr[i], i * LINE);
    ws_sim *const sim = script_sim(&m, NULL);
    if (script_run(sim, s, 100000))
        fail_msg("%s", ws_message());
    ws_sim_sums sums;
    ws_sim_sum(sim, &sums);
    ws_sim_end(sim);
    ws_sim_destroy(sim);
    s->source.ops->destroy(&s->source);
    return sums.sm.busy_cycles;
}

/* One after the other, loads to lines that miss take as often as long; together hardly longer than one. */
static void test_times(void **state)
{
    (void)state;
    static const uint32_t loads[] = {LOAD, LOAD2, ATOMIC}, mixed[] = {STORE, LOAD, STORE, LOAD2};
    const uint64_t one = cycles_of("rc", loads, 1), store = cycles_of("rc", mixed, 1);
    assert_true(cycles_of("rc", loads, 2) < one + one / 2);
    assert_true(cycles_of("sc", loads, 3) > 3 * one - one / 2);
    assert_true(cycles_of("tso", loads, 3) > 3 * one - one / 2);
    /* A load passes a store under tso, not under sc; the second store waits for the first. */
    assert_true(cycles_of("sc", mixed, 2) > one + store - one / 4);
    assert_true(cycles_of("tso", mixed, 2) < (one > store ? one : store) + one / 2);
    assert_true(cycles_of("rc", mixed, 4) < cycles_of("tso", mixed, 4));
    assert_true(cycles_of("tso", mixed, 4) < cycles_of("sc", mixed, 4));
}

/* A fence of CTA scope behind a store is free under scoped; one of the whole GPU is not. */
static void test_scopes(void **state)
{
    (void)state;
    static const uint32_t cta[] = {STORE, FENCE_CTA, LOAD, USE}, gpu[] = {STORE, FENCE, LOAD, USE};
    const uint64_t full = cycles_of("rc", gpu, 4);
    assert_int_equal(cycles_of("rc", cta, 4), full);
    assert_int_equal(cycles_of("scoped", gpu, 4), full);
    assert_true(cycles_of("scoped", cta, 4) + 20 < full);
}

/* A protocol that is sequential by itself is not made weaker; one that is not is made stronger. */
static void test_with_protocols(void **state)
{
    (void)state;
    ws_machine *m;
    static const char text[] = "[coherence]\nprotocol = gtsc-sc\nconsistency = rc\n";
    assert_int_equal(ws_machine_parse("data", "f", text, sizeof text - 1, &m), WS_EINPUT);
    assert_string_equal(
        ws_message(), "f:3:15: coherence.consistency = rc: under coherence.protocol = gtsc-sc a warp has one access in "
                      "flight; expected protocol or sc");
    static const char stronger[] = "[coherence]\nprotocol = gtsc-rc\nconsistency = sc\n";
    assert_int_equal(ws_machine_parse("data", "f", stronger, sizeof stronger - 1, &m), WS_OK);
    assert_string_equal(ws_machine_consistency(m)->name, "sc");
    ws_machine_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rules),  cmocka_unit_test(test_fences),         cmocka_unit_test(test_times),
        cmocka_unit_test(test_scopes), cmocka_unit_test(test_with_protocols),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
