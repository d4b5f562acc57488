/* Wear by thermal cycles: closed forms, Miner's sum, ratios of lives, and what files of constants refuse. */
#include "base/status.h"
#include "model/control/lifetime.h"
#include "tests/unit/close.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <gsl/gsl_rng.h>

static ws_fatigue read_law(const char *file)
{
    ws_fatigue law;
    if (ws_fatigue_read(file, &law))
        fail_msg("%s", ws_message());
    return law;
}

/* `periods` times low, high; then back to low. */
static ws_lifetime square_wave(const ws_fatigue *law, int periods, double low, double high)
{
    ws_lifetime life;
    ws_lifetime_init(&life, law);
    for (int i = 0; i < periods; i++) {
        for (int k = 0; k < 3; k++)
            ws_lifetime_add(&life, low);
        ws_lifetime_add(&life, high);
    }
    ws_lifetime_add(&life, low);
    ws_lifetime_finish(&life);
    return life;
}

static void square_waves(void **state)
{
    (void)state;
    const ws_fatigue law = read_law("data/tech/lifetime.ini"), solder = read_law("data/tech/lifetime_solder.ini");
    assert_true(law.exponent == 4 && solder.exponent == 2.35);
    ws_lifetime a = square_wave(&law, 1000, 320, 340), b = square_wave(&law, 1000, 320, 330);
    assert_close(a.damage, 1000 / (law.cycles * pow(law.reference_k / 20, 4)), 1e-12 * a.damage);
    assert_int_equal(a.flow.forced, 0); /* equal swings close one another */
    assert_true(a.cycles == 1000 && a.largest_k == 20 && a.count[20] == 1000 && a.wear[20] == a.damage);
    /* Half the range: 2^q times the life. */
    assert_close(ws_lifetime_relative(ws_lifetime_mtbf_s(&b, 1e5), ws_lifetime_mtbf_s(&a, 1e5)), 16, 1e-9);
    a = square_wave(&solder, 1000, 320, 340);
    b = square_wave(&solder, 1000, 320, 330);
    assert_close(ws_lifetime_relative(ws_lifetime_mtbf_s(&b, 1e5), ws_lifetime_mtbf_s(&a, 1e5)), pow(2, 2.35), 1e-9);
    /* The constant C cancels in the ratio of two lives. */
    ws_fatigue other = law;
    other.cycles *= 1000;
    const ws_lifetime long_a = square_wave(&other, 10, 320, 340), long_b = square_wave(&other, 10, 320, 345);
    const ws_lifetime short_a = square_wave(&law, 10, 320, 340), short_b = square_wave(&law, 10, 320, 345);
    assert_close(long_a.damage / long_b.damage, short_a.damage / short_b.damage, 1e-12);
}

/* Miner: ranges add up; a small ripple on a large swing counts beside it. */
static void sums(void **state)
{
    (void)state;
    const ws_fatigue law = read_law("data/tech/lifetime.ini");
    static const double series[] = {300, 340, 330, 350, 300};
    ws_lifetime life;
    ws_lifetime_init(&life, &law);
    for (size_t i = 0; i < 5; i++)
        ws_lifetime_add(&life, series[i]);
    ws_lifetime copy = life; /* counts for itself */
    ws_lifetime_finish(&life);
    const double expected = 1 / ws_fatigue_cycles(&law, 50) + 1 / ws_fatigue_cycles(&law, 10);
    assert_close(life.damage, expected, 1e-12 * expected);
    assert_close(ws_lifetime_mtbf_s(&life, 100), 100 / expected, 1e-9 / expected);
    ws_lifetime_finish(&copy);
    assert_true(copy.damage == life.damage && copy.cycles == 2);
    double count = 0, wear = 0;
    for (size_t i = 0; i < WS_LIFETIME_BINS; i++) {
        count += life.count[i];
        wear += life.wear[i];
    }
    assert_true(count == 2 && fabs(wear / life.damage - 1) < 1e-12);
    assert_true(life.count[10] == 1 && life.count[50] == 1);
}

static void elastic_cycles(void **state)
{
    (void)state;
    ws_fatigue law = read_law("data/tech/lifetime.ini");
    law.elastic_k = 10;
    const ws_lifetime small = square_wave(&law, 5, 320, 330), larger = square_wave(&law, 5, 320, 330.5);
    assert_true(small.damage == 0 && small.cycles == 5 && larger.damage > 0);
    assert_true(isinf(ws_fatigue_cycles(&law, 10)) && ws_fatigue_cycles(&law, 100) == law.cycles);
    const double none = ws_lifetime_mtbf_s(&small, 10), some = ws_lifetime_mtbf_s(&larger, 10);
    assert_true(isinf(none) && ws_lifetime_relative(none, none) == 1);
    assert_true(isinf(ws_lifetime_relative(none, some)) && ws_lifetime_relative(some, none) == 0);
}

/* A range wider than all bins goes into the last; a value that is no number is skipped. */
static void edges(void **state)
{
    (void)state;
    const ws_fatigue law = read_law("data/tech/lifetime.ini");
    ws_lifetime life = square_wave(&law, 1, 0, 1000);
    assert_true(life.count[WS_LIFETIME_BINS - 1] == 1 && life.largest_k == 1000);
    ws_lifetime_init(&life, &law);
    ws_lifetime_add(&life, NAN);
    ws_lifetime_finish(&life);
    assert_true(life.flow.ignored == 1 && life.damage == 0);
}

/* Damage grows with every exponent's law when all temperatures swing more. */
static void larger_swings_wear_more(void **state)
{
    (void)state;
    const ws_fatigue laws[] = {read_law("data/tech/lifetime.ini"), read_law("data/tech/lifetime_solder.ini")};
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t l = 0; l < 2; l++) {
        ws_lifetime small, large;
        ws_lifetime_init(&small, &laws[l]);
        ws_lifetime_init(&large, &laws[l]);
        for (int i = 0; i < 3000; i++) {
            const double u = gsl_rng_uniform(rng);
            ws_lifetime_add(&small, 320 + 10 * u);
            ws_lifetime_add(&large, 310 + 30 * u);
        }
        ws_lifetime_finish(&small);
        ws_lifetime_finish(&large);
        assert_close(large.damage / small.damage, pow(3, laws[l].exponent), 1e-6 * large.damage / small.damage);
    }
    gsl_rng_free(rng);
}

static void refused_laws(void **state)
{
    (void)state;
    static const char good[] = "[fatigue]\ncycles = 10\nreference = 10 K\nexponent = 4\nelastic = 0 K\nbin = 1 K\n";
    static const struct {
        const char *line, *instead, *message;
    } bad[] = {
        {"exponent = 4", "exponent = 40", "f:4:12: exponent = 40: expected 0.5 to 12 (q of N_f = C dT^-q)"},
        {"exponent = 4", "exponent = four", "expected a number and its unit"},
        {"exponent = 4\n", "", "f: [fatigue] lacks exponent"},
        {"reference = 10 K", "reference = 10 C", "expected the unit K"},
        {"elastic = 0 K", "elastic = -1 K", "expected 0 to 1000 K"},
        {"bin = 1 K", "bin = 0 K", "expected 0.001 to 100 K"},
        {"bin = 1 K", "bin = 1 K\nbins = 3", "f:7:1: a law of fatigue has no bins in section [fatigue]"},
        {"[fatigue]", "[wear]", "f:2:1: a law of fatigue has no cycles in section [wear]"},
    };
    ws_fatigue law;
    assert_int_equal(ws_fatigue_parse("f", good, strlen(good), &law), WS_OK);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const char *const at = strstr(good, bad[i].line);
        char text[512];
        const int length =
            snprintf(text, sizeof text, "%.*s%s%s", (int)(at - good), good, bad[i].instead, at + strlen(bad[i].line));
        assert_int_equal(ws_fatigue_parse("f", text, (size_t)length, &law), WS_EINPUT);
        if (!strstr(ws_message(), bad[i].message))
            fail_msg("'%s' does not say '%s'", ws_message(), bad[i].message);
    }
    assert_int_equal(ws_fatigue_read("no/such.ini", &law), WS_EIO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(square_waves),
        cmocka_unit_test(sums),
        cmocka_unit_test(elastic_cycles),
        cmocka_unit_test(edges),
        cmocka_unit_test(larger_swings_wear_more),
        cmocka_unit_test(refused_laws),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
