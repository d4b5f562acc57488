/* test_text.c - do numbers survive the way through text, and is nothing else taken for a number? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/c_locale.h"
#include "base/status.h"
#include "base/text.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double from_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void assert_survives(double value)
{
    char text[WS_NUMBER_BYTES];
    const size_t n = ws_text_from_double(value, text);
    assert_int_equal(n, strlen(text));
    double back;
    assert_int_equal(ws_text_to_double(text, n, &back), WS_OK);
    const locale_t before = ws_c_locale_enter();
    const double libc = strtod(text, NULL);
    ws_c_locale_leave(before);
    if (memcmp(&value, &back, sizeof back) != 0 || memcmp(&value, &libc, sizeof libc) != 0)
        fail_msg("%a was written %s and read %a, by the C library %a", value, text, back, libc);
}

static unsigned significant(const char *text)
{
    unsigned n = 0, zeros = 0, started = 0;
    for (; *text && *text != 'e'; text++) {
        if (*text < '0' || *text > '9' || (!started && *text == '0'))
            continue;
        started = 1;
        zeros = *text == '0' ? zeros + 1 : 0;
        n++;
    }
    return n - zeros;
}

/* No text of fewer digits may mean the same double; printf rounds correctly, so it finds one if there is one. */
static void assert_shortest(double value)
{
    char text[WS_NUMBER_BYTES], other[40];
    ws_text_from_double(value, text);
    const unsigned n = significant(text);
    if (n < 2)
        return;
    snprintf(other, sizeof other, "%.*e", (int)n - 2, value);
    if (strtod(other, NULL) == value)
        fail_msg("%a was written %s but %s is enough", value, text, other);
}

static uint64_t next(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

static void test_random_bits_survive(void **state)
{
    (void)state;
    uint64_t seed = 88172645463325252u;
    for (int i = 0; i < 100000; i++) {
        const double value = from_bits(next(&seed));
        if (!isnan(value)) {
            assert_survives(value);
            assert_shortest(value);
        }
    }
}

static void test_every_exponent_survives(void **state)
{
    (void)state;
    for (uint64_t e = 0; e < 2047; e++)
        for (uint64_t m = 0; m < 3; m++) {
            assert_survives(from_bits(e << 52 | m));
            assert_survives(from_bits(e << 52 | (UINT64_C(0xfffffffffffff) - m)));
            assert_shortest(from_bits(e << 52 | m));
        }
}

static void test_known_forms(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } known[] = {
        {0.0, "0"},
        {-0.0, "-0"},
        {1.0, "1"},
        {-1.5, "-1.5"},
        {0.1, "0.1"},
        {1.0 / 3, "0.3333333333333333"},
        {100, "100"},
        {1e15, "1000000000000000"},
        {1e16, "1e+16"},
        {9007199254740993.0, "9007199254740992"},
        {1e17, "1e+17"},
        {1e-6, "1e-06"},
        {1e-7, "1e-07"},
        {123456.789, "123456.789"},
        {5e-324, "5e-324"},
        {DBL_MIN, "2.2250738585072014e-308"},
        {DBL_MAX, "1.7976931348623157e+308"},
        {INFINITY, "Inf"},
        {-INFINITY, "-Inf"},
        {NAN, "NA"},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        char text[WS_NUMBER_BYTES];
        ws_text_from_double(known[i].value, text);
        assert_string_equal(text, known[i].text);
    }
}

static void test_longest_fits(void **state)
{
    (void)state;
    char text[WS_NUMBER_BYTES];
    assert_in_range(ws_text_from_double(-2.2250738585072014e-308, text), 1, WS_NUMBER_BYTES - 1);
    assert_in_range(ws_text_from_double(-1.2345678901234567e-5, text), 1, WS_NUMBER_BYTES - 1);
}

static void test_reads(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value;
    } good[] = {
        {"1", 1},
        {"+1", 1},
        {" 2\t", 2},
        {".5", 0.5},
        {"5.", 5},
        {"1e3", 1000},
        {"1E-2", 0.01},
        {"-0", -0.0},
        {"Inf", INFINITY},
        {"-inf", -INFINITY},
        {"+Inf", INFINITY},
        {"Infinity", INFINITY},
        {"0e999999999999", 0},
        {"1e-400", 0},
        {"00000000000000000000000000001", 1},
        {"0.00000000000000000000000000000001e32", 1},
        {"9007199254740993", 9007199254740992.0},
        {"9007199254740993.0000000000000000000000001", 9007199254740994.0},
        {"0.1000000000000000055511151231257827021181583404541015625", 0.1},
        {"1.00000000000000011102230246251565404236316680908203125", 1},
    };
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        double value;
        if (ws_text_to_double(good[i].text, strlen(good[i].text), &value) != WS_OK)
            fail_msg("'%s' was refused", good[i].text);
        if (memcmp(&value, &good[i].value, sizeof value) != 0)
            fail_msg("'%s' was read as %a", good[i].text, value);
    }
    static const char *const missing[] = {"", " ", "NA", "na", "NaN", "nan"};
    for (size_t i = 0; i < sizeof missing / sizeof missing[0]; i++) {
        double value = 0;
        assert_int_equal(ws_text_to_double(missing[i], strlen(missing[i]), &value), WS_OK);
        assert_true(isnan(value));
    }
}

static void test_refuses(void **state)
{
    (void)state;
    static const char *const bad[] = {"x",     "1x",     "0x10",   "1 2",     "--1",          "+-1", ".",
                                      "-",     "e5",     "1e",     "1e+",     "1e5.",         "1,5", "1.2.3",
                                      "1e309", "-1e400", "nan(1)", "Infinit", "TRUE",         "1d5", "1_000",
                                      "NULL",  "+NA",    "\n",     "\"1\"",   "1e99999999999"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        double value;
        if (ws_text_to_double(bad[i], strlen(bad[i]), &value) != WS_EINPUT)
            fail_msg("'%s' was taken for a number", bad[i]);
    }
}

static void test_whole_numbers(void **state)
{
    (void)state;
    size_t value = 7;
    assert_int_equal(ws_text_to_size("0", 0, &value), WS_OK);
    assert_int_equal(value, 0);
    assert_int_equal(ws_text_to_size("18446744073709551615", SIZE_MAX, &value), WS_OK);
    assert_true(value == SIZE_MAX);
    static const char *const bad[] = {"", "-1", "+1", "1 ", "1.0", "18446744073709551616", "99999999999999999999999"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_int_equal(ws_text_to_size(bad[i], SIZE_MAX, &value), WS_EINPUT);
    assert_int_equal(ws_text_to_size("11", 10, &value), WS_EINPUT);
    assert_int_equal(ws_text_to_size("5", 4, &value), WS_EINPUT);
}

static void test_stems(void **state)
{
    (void)state;
    static const char *const of[][2] = {
        {"MM.wst", "MM"}, {"a.b/MM.wst", "MM"},     {"/a/MM.tar.zst", "MM.tar"},
        {"a.b/MM", "MM"}, {"a/.hidden", ".hidden"}, {"a/", ""},
    };
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        char *const stem = ws_text_stem(of[i][0]);
        assert_string_equal(stem, of[i][1]);
        free(stem);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_bits_survive),
        cmocka_unit_test(test_every_exponent_survives),
        cmocka_unit_test(test_known_forms),
        cmocka_unit_test(test_longest_fits),
        cmocka_unit_test(test_reads),
        cmocka_unit_test(test_refuses),
        cmocka_unit_test(test_whole_numbers),
        cmocka_unit_test(test_stems),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
