/* test_ledger.c - rows of comparisons: what is judged, and sums over kinds. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/status.h"
#include "model/mechanism/verification.h"

#include <math.h>

enum { EXACT, NEAR, MANY = 1000 };
static const char *const labels[WS_LEDGER_LABELS] = {"workload", "kernel", "policy", "quantity"};

static void add(ws_ledger *l, unsigned kind, double predicted, double simulated, double band, ws_verdict verdict)
{
    const ws_comparison row = {.label = {"BFS", "all", "x", "hits"},
                               .kind = kind,
                               .load = 0.5,
                               .predicted = predicted,
                               .simulated = simulated,
                               .error = ws_relative_error(predicted, simulated),
                               .band = band,
                               .verdict = verdict};
    assert_int_equal(ws_ledger_add(l, &row), WS_OK);
}

static void test_empty(void **state)
{
    ws_ledger l;
    ws_ledger_sum sum;
    (void)state;
    assert_int_equal(ws_ledger_init(&l, labels, false), WS_OK);
    sum = ws_ledger_sum_of(&l, WS_LEDGER_ALL);
    assert_int_equal(sum.rows, 0);
    assert_true(sum.median == 0 && sum.most == 0);
    assert_int_equal(ws_ledger_refuse(0), WS_OK);
    assert_int_equal(ws_ledger_refuse(1), WS_EVERIFY);
    ws_ledger_fini(&l);
}

/* Traces without a launch are an error, not an empty table. */
static void test_no_launch(void **state)
{
    ws_verification v = {0};
    (void)state;
    assert_int_equal(ws_ledger_init(&v.ledger, labels, false), WS_OK);
    assert_int_equal(ws_verification_require_rows(&v), WS_ENOTFOUND);
    assert_string_equal(ws_message(), "no launch in the traces");
    add(&v.ledger, EXACT, 4, 4, 0, WS_BY_BAND);
    assert_int_equal(ws_verification_require_rows(&v), WS_OK);
    ws_ledger_fini(&v.ledger);
}

/* A band judges, nothing does without one, and the model's own word counts before either. */
static void test_judged(void **state)
{
    ws_ledger l;
    ws_ledger_sum exact, near;
    (void)state;
    assert_int_equal(ws_ledger_init(&l, labels, false), WS_OK);
    add(&l, EXACT, 4, 4, 0, WS_BY_BAND);
    add(&l, EXACT, 4, 5, 0, WS_BY_BAND);
    add(&l, NEAR, 12, 10, 0.25, WS_BY_BAND);
    add(&l, NEAR, 20, 10, NAN, WS_BY_BAND);
    add(&l, NEAR, 15, 10, NAN, WS_WITHIN);
    add(&l, NEAR, 10, 10, 1, WS_BEYOND);
    exact = ws_ledger_sum_of(&l, EXACT);
    near = ws_ledger_sum_of(&l, NEAR);
    assert_true(exact.rows == 2 && exact.judged == 2 && exact.within == 1);
    assert_true(near.rows == 4 && near.judged == 3 && near.within == 2);
    assert_true(near.most == 1 && near.median == (0.2 + 0.5) / 2);
    assert_int_equal(l.frame->columns, 5);
    assert_true(isnan(l.frame->value[3 * 5 + 4]) && l.frame->value[4 * 5 + 4] == 1 && l.frame->value[5 * 5 + 4] == 0);
    ws_ledger_fini(&l);
}

static void test_errors(void **state)
{
    (void)state;
    assert_true(ws_relative_error(0, 0) == 0 && ws_relative_error(7, 7) == 0);
    assert_true(isinf(ws_relative_error(1, 0)));
    assert_true(ws_relative_error(1, 2) == 0.5 && ws_relative_error(-1, -2) == 0.5);
}

/* Rows stay what they were while the ledger grows; a load is the first column. */
static void test_many_rows_with_loads(void **state)
{
    ws_ledger l;
    (void)state;
    assert_int_equal(ws_ledger_init(&l, labels, true), WS_OK);
    for (int i = 0; i < MANY; i++)
        add(&l, EXACT, i, i, 0, WS_BY_BAND);
    assert_int_equal(l.frame->rows, MANY);
    assert_string_equal(l.frame->column[0].name, "load");
    for (size_t i = 0; i < MANY; i++) {
        assert_true(l.frame->value[i * 6] == 0.5 && l.frame->value[i * 6 + 1] == (double)i);
        assert_string_equal(l.frame->label[i * WS_LEDGER_LABELS + 3], "hits");
    }
    ws_ledger_fini(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_no_launch),
        cmocka_unit_test(test_judged),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_many_rows_with_loads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
