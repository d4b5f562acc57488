/* test_status.c - does a message that is told in a context say it once? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/status.h"

static const struct {
    const char *message, *context, *expected;
} cases[] = {
    {"no bytes", "x.wst", "x.wst: no bytes"},
    {"x.wst: no bytes", "x.wst", "x.wst: no bytes"},
    {"x.wst:3:1: no bytes", "x.wst", "x.wst:3:1: no bytes"},
    {"x.wst.cut: no bytes", "x.wst", "x.wst: x.wst.cut: no bytes"},
    {"a/x.wst: no bytes", "x.wst", "x.wst: a/x.wst: no bytes"},
    {"machine x.wst: no bytes", "x.wst", "x.wst: machine x.wst: no bytes"},
    {"x.wst", "x.wst", "x.wst: x.wst"},
    {"", "x.wst", "x.wst: "},
    {"x.db: no bytes", "x.db: `HS`, launch 2", "x.db: `HS`, launch 2: no bytes"}, /* what both begin with, once */
    {"x.db:3:1: no bytes", "x.db: `HS`, launch 2", "x.db: `HS`, launch 2: x.db:3:1: no bytes"},
    {"a: b: no bytes", "a: b: c", "a: b: c: no bytes"},
    {"list: no bytes", "list:5:1", "list:5:1: list: no bytes"},
    {"kernel _Z4workPfi: stuck", "kernel _Z4workPfi", "kernel work(float*, int): stuck"}, /* as messages write names */
};

static void a_context_stands_once(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ws_fail(WS_EINPUT, "%s", cases[i].message);
        for (int again = 0; again < 2; again++) {
            assert_int_equal(ws_fail_context(WS_EINPUT, "%s", cases[i].context), WS_EINPUT);
            assert_string_equal(ws_message(), cases[i].expected);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_context_stands_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
