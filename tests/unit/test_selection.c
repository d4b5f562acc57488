/* Are launches selected by number and by name, mangled or not? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/demangle.h"
#include "base/status.h"
#include "record/selection.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static ws_launch_selection *select_by(const char *kernels, const char *launches)
{
    ws_launch_selection *s;
    assert_int_equal(ws_launch_selection_create(kernels, launches, "program", &s), WS_OK);
    return s;
}

static void nothing_asked_selects_all(void **state)
{
    (void)state;
    assert_null(select_by(NULL, NULL));
    assert_true(ws_launch_selection_has(NULL, "k", "k", 7));
}

static void ranges_may_be_open(void **state)
{
    (void)state;
    static const struct {
        const char *text, *in, *out; /* launches as ws_launch counts them, 0 to 9, one a letter */
    } cases[] = {
        {"4", "3", "0124"}, {"3-5", "234", "015"}, {"-2", "01", "2"}, {"9-", "89", "7"}, {"1,6-7,10-", "0569", "1478"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ws_launch_selection *const s = select_by(NULL, cases[i].text);
        for (const char *c = cases[i].in; *c; c++)
            assert_true(ws_launch_selection_has(s, "k", "k", (uint64_t)(*c - '0')));
        for (const char *c = cases[i].out; *c; c++)
            assert_false(ws_launch_selection_has(s, "k", "k", (uint64_t)(*c - '0')));
        ws_launch_selection_destroy(s);
    }
}

static void lists_are_files(void **state)
{
    (void)state;
    char path[] = "/tmp/warpscape-list-XXXXXX";
    const int fd = mkstemp(path);
    FILE *const out = fdopen(fd, "w");
    fputs("workload,launch,weight\nprogram,3,2\nother,4,1\nprogram,7,1\n", out);
    fclose(out);
    ws_launch_selection *const s = select_by(NULL, path);
    for (uint64_t i = 0; i < 9; i++)
        assert_int_equal(ws_launch_selection_has(s, "k", "k", i), i == 2 || i == 6);
    ws_launch_selection_destroy(s);
    ws_launch_selection *none;
    assert_int_equal(ws_launch_selection_create(NULL, path, "third", &none), WS_ENOTFOUND);
    unlink(path);
}

static void wrong_ranges_are_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {"",   "x",  "-",   "1-0", "1,,2", "1 2", "1-2-3", "99999999999999999999",
                                        "+1", "1,", "0x1", "0",   "0-3",  "-0"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ws_launch_selection *s;
        assert_int_equal(ws_launch_selection_create(NULL, wrong[i], "program", &s), WS_EINPUT);
        assert_non_null(strstr(ws_message(), wrong[i]));
        assert_null(s);
    }
    char many[400] = "1";
    for (int i = 0; i < 70; i++)
        strcat(many, ",1");
    ws_launch_selection *s;
    assert_int_equal(ws_launch_selection_create(NULL, many, "program", &s), WS_EINPUT);
    assert_non_null(strstr(ws_message(), "at most 64"));
}

static void names_match_both_ways(void **state)
{
    (void)state;
    ws_launch_selection *const plain = select_by("vadd\\(", NULL), *const mangled = select_by("^_Z4vadd", NULL);
    assert_true(ws_launch_selection_has(plain, "_Z4vaddPf", "vadd(float*)", 0));
    assert_true(ws_launch_selection_has(mangled, "_Z4vaddPf", "vadd(float*)", 0));
    assert_false(ws_launch_selection_has(mangled, "_Z4vsubPf", "vsub(float*)", 0));
    ws_launch_selection_destroy(plain);
    ws_launch_selection_destroy(mangled);
    ws_launch_selection *s;
    assert_int_equal(ws_launch_selection_create("(", NULL, "program", &s), WS_EINPUT);
    assert_non_null(strstr(ws_message(), "not a regular expression"));
}

static void both_have_to_agree(void **state)
{
    (void)state;
    ws_launch_selection *const s = select_by("a", "2-3");
    assert_true(ws_launch_selection_has(s, "a", "a", 1));
    assert_false(ws_launch_selection_has(s, "b", "b", 1));
    assert_false(ws_launch_selection_has(s, "a", "a", 3));
    ws_launch_selection_destroy(s);
}

static void names_are_demangled(void **state)
{
    (void)state;
    static const char *const names[][2] = {
        {"_Z4vaddPKfS0_Pfi", "vadd(float const*, float const*, float*, int)"},
        {"_Z5scaleIfEvPT_S0_i", "void scale<float>(float*, float, int)"},
        {"_ZN3tid6kernelENS_1aEi", "tid::kernel(tid::a, int)"},
        {"bfs_expand", "bfs_expand"},
        {"_Zwrong", "_Zwrong"},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *const text = ws_demangle(names[i][0]);
        assert_string_equal(text, names[i][1]);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_asked_selects_all), cmocka_unit_test(ranges_may_be_open),
        cmocka_unit_test(lists_are_files),           cmocka_unit_test(wrong_ranges_are_refused),
        cmocka_unit_test(names_match_both_ways),     cmocka_unit_test(both_have_to_agree),
        cmocka_unit_test(names_are_demangled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
