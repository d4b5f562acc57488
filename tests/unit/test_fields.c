/* test_fields.c - do rows of a table fill a struct from text, and say what was expected when they cannot? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/fields.h"
#include "base/status.h"

#include <string.h>

typedef struct thing {
    double power_w;
    unsigned count, ways;
    double ratio;
} thing;

static const ws_field fields[] = {
    WS_FIELD_REAL("one", "power", "W", 0, 1e6, "what it takes", thing, power_w),
    WS_FIELD_WHOLE("one", "count", "", 1, 4294967295, "of them", thing, count),
    WS_FIELD(WS_OPTION_FORM_POWER, "two", "ways", "ways", 4, 1, 64, "of a set", thing, ways),
    WS_FIELD_REAL("two", "ratio", "", -1, 1, "of this to that", thing, ratio),
};
enum { FIELDS = sizeof fields / sizeof *fields };

static int take(const ws_settings *settings, void *out)
{
    return ws_fields_read(settings, fields, FIELDS, "a thing", NULL, out);
}

static int read_text(const char *text, thing *out)
{
    return ws_settings_take("f", text, strlen(text), take, out);
}

static void every_kind_is_read(void **state)
{
    (void)state;
    thing t = {0};
    assert_int_equal(read_text("[one]\npower = 1.5 kW\ncount = 4294967295\n[two]\nways = 16 ways\nratio = -0.25\n", &t),
                     WS_OK);
    assert_true(t.power_w == 1500 && t.ratio == -0.25);
    assert_int_equal(t.count, UINT32_MAX);
    assert_int_equal(t.ways, 16);
    assert_true(ws_field_value(&fields[1], &t) == 4294967295.0 && ws_field_value(&fields[0], &t) == 1500);
}

static void one_by_its_name(void **state)
{
    (void)state;
    thing t = {.count = 7, .ratio = 0.5};
    assert_int_equal(ws_fields_set(fields, FIELDS, "one.power", "2 kW", &t), WS_OK);
    assert_true(t.power_w == 2000 && t.count == 7 && t.ratio == 0.5);
    assert_int_equal(ws_fields_set(fields, FIELDS, "two.power", "2 kW", &t), WS_ENOTFOUND);
    assert_int_equal(ws_fields_set(fields, FIELDS, "power", "2 kW", &t), WS_ENOTFOUND);
    assert_int_equal(ws_fields_set(fields, FIELDS, "one.powers", "2 kW", &t), WS_ENOTFOUND);
    assert_int_equal(ws_fields_set(fields, FIELDS, "two.ratio", "2", &t), WS_EINPUT);
    assert_non_null(strstr(ws_message(), "two.ratio = 2: expected"));
    assert_true(t.ratio == 0.5);
}

/* A zero is the same in every unit. */
static void ways_to_write_a_unit(void **state)
{
    (void)state;
    static const struct {
        const char *value;
        double power_w;
    } good[] = {{"2 W", 2}, {"2W", 2}, {"2 kW", 2000}, {"500 mW", 0.5}, {"0", 0}, {"0 kW", 0}, {"1e3\tW", 1000}};
    char why[WS_OPTION_WHY];
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        thing t = {.power_w = -1};
        assert_int_equal(ws_field_parse(&fields[0], good[i].value, &t, why), WS_OK);
        assert_true(t.power_w == good[i].power_w);
    }
    assert_true(ws_unit_factor("m", "um") == 1e-6 && ws_unit_factor("m", "m") == 1);
    assert_true(ws_unit_factor("m", "W") == 0 && ws_unit_factor("", "W") == 0 && ws_unit_factor("kW", "W") == 0);
}

static void what_does_not_suit_is_said(void **state)
{
    (void)state;
    static const struct {
        size_t field;
        const char *value, *why;
    } bad[] = {
        {0, "", "expected a number and its unit"},
        {0, "much", "expected a number and its unit"},
        {0, "1.2.3 W", "expected a number and its unit"},
        {0, "5", "expected the unit W, kW or mW"},
        {0, "5 J", "expected the unit W, kW or mW"},
        {0, "-1 W", "expected 0 to 1e+06 W (what it takes)"},
        {0, "1001 kW", "expected 0 to 1e+06 W (what it takes)"},
        {1, "1 W", "expected a number without a unit"},
        {1, "0", "expected a whole number from 1 to 4294967295 (of them)"},
        {1, "1.5", "expected a whole number from 1 to 4294967295 (of them)"},
        {1, "4294967296", "expected a whole number from 1 to 4294967295 (of them)"},
        {2, "12 ways", "expected a power of two"},
        {2, "12", "expected the unit ways"},
        {3, "1e999", "expected a number and its unit"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const thing before = {.power_w = 7, .count = 7, .ways = 7, .ratio = 7};
        thing t = before;
        char why[WS_OPTION_WHY];
        assert_int_equal(ws_field_parse(&fields[bad[i].field], bad[i].value, &t, why), WS_EINPUT);
        assert_string_equal(why, bad[i].why);
        assert_true(t.power_w == 7 && t.count == 7 && t.ways == 7 && t.ratio == 7);
    }
}

/* A count needs its unit where it can be written in several ways. */
static void counts(void **state)
{
    (void)state;
    enum { CLOCK, LATENCY };
    static const ws_field rows[] = {
        [CLOCK] = WS_FIELD_OF(WS_OPTION_FORM_COUNT, "two", "clock", "kHz", 1, 10000000, "of all", thing, count),
        [LATENCY] = WS_FIELD_OF(WS_OPTION_FORM_COUNT, "two", "latency", "cycles", 0, 1000, "", thing, count),
    };
    static const struct {
        int row;
        const char *value;
        unsigned count;
        const char *why;
    } all[] = {
        {CLOCK, "1.4 GHz", 1400000, ""},
        {CLOCK, "1.001 MHz", 1001, ""},
        {CLOCK, "1400", 7, "expected the unit kHz, MHz or GHz"},
        {CLOCK, "1400 MB", 7, "expected the unit kHz, MHz or GHz"},
        {CLOCK, "0", 7, "expected a whole number from 1 to 10000000 kHz (of all)"},
        {LATENCY, "20", 20, ""},
        {LATENCY, "20 cycles", 20, ""},
        {LATENCY, "0", 0, ""},
        {LATENCY, "3 ns", 7, "expected the unit cycles or none"},
        {LATENCY, "2.5", 7, "expected a whole number from 0 to 1000 cycles"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        thing t = {.count = 7};
        char why[WS_OPTION_WHY] = "";
        assert_int_equal(ws_field_parse(&rows[all[i].row], all[i].value, &t, why), *all[i].why ? WS_EINPUT : WS_OK);
        assert_string_equal(why, all[i].why);
        assert_int_equal(t.count, all[i].count);
    }
}

/* A number with a fallback may be missing. */
static void fallbacks(void **state)
{
    (void)state;
    thing t = {0};
    assert_int_equal(read_text("[one]\npower = 1 W\ncount = 1\n[two]\nratio = 0\n", &t), WS_OK);
    assert_int_equal(t.ways, 4);
}

static void files_that_do_not_suit(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"[one]\ncount = 1\n[two]\nways = 1 ways\nratio = 0\n", "f: [one] lacks power (what it takes)"},
        {"[one]\npower = 3\n", "f:2:9: power = 3: expected the unit W, kW or mW"},
        {"[one]\npower = 3 W\nratio = 1\n", "f:3:1: a thing has no ratio in section [one]"},
        {"power = 3 W\n", "f:1:1: a thing has no power in section []"},
        {"[one]\npower\n", "f:2:1: expected `name = value` or [section]"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        thing t;
        assert_int_equal(read_text(bad[i].text, &t), WS_EINPUT);
        assert_string_equal(ws_message(), bad[i].message);
    }
}

/* Others may read a section, or one name of a section. */
static void names_of_others(void **state)
{
    (void)state;
    static const char text[] = "[one]\nname = x\n[blocks]\na = 1\n";
    static const char *const section[] = {"blocks", "one.name", NULL}, *const half[] = {"blocks", "one.na", "block",
                                                                                        NULL};
    ws_settings *settings;
    assert_int_equal(ws_settings_parse("f", text, strlen(text), &settings), WS_OK);
    assert_int_equal(ws_fields_check(settings, fields, FIELDS, "a thing", section), WS_OK);
    assert_int_equal(ws_fields_check(settings, fields, FIELDS, "a thing", half), WS_EINPUT);
    assert_string_equal(ws_message(), "f:2:1: a thing has no name in section [one]");
    assert_int_equal(ws_fields_check(settings, fields, FIELDS, "a thing", NULL), WS_EINPUT);
    ws_settings_destroy(settings);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_is_read),
        cmocka_unit_test(one_by_its_name),
        cmocka_unit_test(ways_to_write_a_unit),
        cmocka_unit_test(what_does_not_suit_is_said),
        cmocka_unit_test(counts),
        cmocka_unit_test(fallbacks),
        cmocka_unit_test(files_that_do_not_suit),
        cmocka_unit_test(names_of_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
