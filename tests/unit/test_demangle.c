/* test_demangle.c - does a message say its cause, however long the name of the kernel is that it is about? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/demangle.h"
#include "base/status.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { LONG = 4000 };

/* A name of 4,000 characters, mangled or not. */
static char *long_name(bool mangled)
{
    char *const name = malloc(LONG + 1);
    assert_non_null(name);
    memset(name, 'k', LONG);
    name[0] = 'A';
    name[LONG - 1] = 'z';
    name[LONG] = '\0';
    if (mangled) {
        memcpy(name, "_Z3993A", 7);
        memcpy(name + LONG - 1, "v", 1);
    }
    return name;
}

static void messages_have_names_for_people(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"kernel _Z4workPfi: stuck", "kernel work(float*, int): stuck"},
        {"run: app: kernel _Z4workPfi: stuck", "run: app: kernel work(float*, int): stuck"},
        {"kernel plain: stuck", "kernel plain: stuck"},
        {"kernel _Zap: stuck", "kernel _Zap: stuck"},                       /* not a mangled name */
        {"no kernel _Z4workPfi in x.ptx", "no kernel _Z4workPfi in x.ptx"}, /* what was typed */
        {"`^_Z4work(`: missing )", "`^_Z4work(`: missing )"},
        {"_Z4workPfi.ptx: kernel : x", "_Z4workPfi.ptx: kernel : x"},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[256];
        ws_demangle_message(text, sizeof text, cases[i][0]);
        assert_string_equal(text, cases[i][1]);
        ws_fail(WS_EINPUT, "%s", cases[i][0]);
        assert_string_equal(ws_message(), cases[i][1]);
        ws_fail(WS_EINPUT, "%s", ws_message());
        assert_string_equal(ws_message(), cases[i][1]);
    }
}

static void causes_survive_long_names(void **state)
{
    (void)state;
    for (int mangled = 0; mangled < 2; mangled++) {
        char *const name = long_name(mangled);
        ws_fail(WS_EFAULT, "kernel %s: x.ptx:3: invalid write", name);
        assert_memory_equal(ws_message(), "kernel Akkk", 11);
        assert_true(strlen(ws_message()) < 300);
        assert_non_null(strstr(ws_message(), mangled ? "kk(): x.ptx:3: invalid write" : "kz: x.ptx:3: invalid write"));
        assert_non_null(strstr(ws_message(), "k ... k"));
        ws_fail_context(WS_EFAULT, "function %s of module m", name);
        assert_non_null(strstr(ws_message(), " of module m: kernel Akkk"));
        assert_non_null(strstr(ws_message(), ": x.ptx:3: invalid write"));
        free(name);
    }
}

/* What is too long without any name in it keeps both ends, whole letters. */
static void the_middle_is_what_goes(void **state)
{
    (void)state;
    char text[64], letters[301];
    for (size_t i = 0; i < sizeof letters - 1; i += 2)
        memcpy(letters + i, "\xc3\xa9", 3);
    ws_demangle_message(text, sizeof text, letters);
    assert_true(strlen(text) < sizeof text && strlen(text) > sizeof text - 6);
    assert_int_equal(strspn(text, "\xc3\xa9") % 2, 0);
    assert_memory_equal(strstr(text, " ... ") + 5, "\xc3\xa9", 2);
}

static void names_without_parameters(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {{"_Z4vaddPKfS0_Pfi", "vadd"},
                                           {"_Z4scanIiEvPT_PFvS0_E", "scan<int>"},
                                           {"_ZN12_GLOBAL__N_14workEi", "(anonymous namespace)::work"},
                                           {"plain", "plain"},
                                           {"_Zx", "_Zx"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char *const name = ws_demangle_short(pairs[i][0]);
        assert_string_equal(name, pairs[i][1]);
        free(name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_without_parameters), cmocka_unit_test(messages_have_names_for_people),
        cmocka_unit_test(causes_survive_long_names), cmocka_unit_test(the_middle_is_what_goes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
