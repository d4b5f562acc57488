/* Generated supplies: mean and deviation for any seed, the laws of sun, wind and clouds, and what class
 * files refuse. */
#include "base/status.h"
#include "model/control/supply_internal.h"
#include "tests/unit/close.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <gsl/gsl_sf_gamma.h>

static const char *const classes[] = {"HpHv", "HpLv", "LpHv", "LpLv"};

static ws_supply_class find(const char *name)
{
    ws_supply_class type;
    if (ws_supply_class_find("data/supply", name, &type))
        fail_msg("%s", ws_message());
    return type;
}

static ws_supply generate(const ws_supply_class *type, size_t count, double step_s, uint64_t seed)
{
    ws_supply supply;
    if (ws_supply_generate(type, count, step_s, seed, &supply))
        fail_msg("%s", ws_message());
    return supply;
}

static double skewness(const ws_supply *supply)
{
    double mean, deviation, sum = 0;
    ws_supply_statistics(supply, &mean, &deviation);
    for (size_t i = 0; i < supply->count; i++)
        sum += pow((supply->power_w[i] - mean) / deviation, 3);
    return sum / (double)supply->count;
}

/* Table 7-15 of the study, for every class, length, step and seed. */
static void mean_and_deviation(void **state)
{
    (void)state;
    static const double wanted[][2] = {{135, 38}, {178, 17}, {40, 41}, {101, 14}};
    static const struct {
        size_t count;
        double step_s;
        uint64_t seeds;
    } shape[] = {{24, 3600, 20}, {1440, 60, 20}, {1000, 86.5, 10}, {14400, 60, 4}, {720, 3600, 2}, {86400, 1, 1}};
    for (size_t c = 0; c < 4; c++) {
        const ws_supply_class type = find(classes[c]);
        for (size_t i = 0; i < sizeof shape / sizeof *shape; i++)
            for (uint64_t seed = 0; seed < shape[i].seeds; seed++) {
                ws_supply supply = generate(&type, shape[i].count, shape[i].step_s, seed);
                double mean, deviation;
                ws_supply_statistics(&supply, &mean, &deviation);
                assert_true(fabs(mean / wanted[c][0] - 1) < 1e-9 && fabs(deviation / wanted[c][1] - 1) < 1e-9);
                for (size_t k = 0; k < supply.count; k++)
                    assert_true(supply.power_w[k] >= 0);
                if (c == 2)
                    assert_true(skewness(&supply) > 0.4);
                assert_string_equal(supply.name, classes[c]);
                ws_supply_fini(&supply);
            }
    }
}

static void same_seed_same_bytes(void **state)
{
    (void)state;
    const ws_supply_class type = find("hphv");
    for (uint64_t seed = 1; seed < 20; seed++) {
        ws_supply a = generate(&type, 1440, 60, seed), b = generate(&type, 1440, 60, seed);
        ws_supply other = generate(&type, 1440, 60, seed + (1ull << 32) * seed);
        assert_memory_equal(a.power_w, b.power_w, a.count * sizeof *a.power_w);
        assert_true(memcmp(a.power_w, other.power_w, a.count * sizeof *a.power_w) != 0);
        ws_supply_fini(&a);
        ws_supply_fini(&b);
        ws_supply_fini(&other);
        ws_supply_fini(&other);
    }
}

/* Correlation of the powers `lag` steps apart: 1 for lag 0, NaN for a constant supply or lag >= count. */
static double autocorrelation(const ws_supply *supply, size_t lag)
{
    double mean, deviation, sum = 0;
    ws_supply_statistics(supply, &mean, &deviation);
    if (lag >= supply->count || !(deviation > 0))
        return NAN;
    for (size_t i = lag; i < supply->count; i++)
        sum += (supply->power_w[i] - mean) * (supply->power_w[i - lag] - mean);
    return sum / ((double)(supply->count - lag) * deviation * deviation);
}

/* Minutes resemble each other, days hardly: over seeds, correlation falls with the lag. */
static void supplies_are_correlated(void **state)
{
    (void)state;
    for (size_t c = 0; c < 4; c++) {
        const ws_supply_class type = find(classes[c]);
        double minute = 0, hour = 0, six = 0;
        enum { SEEDS = 5 };
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            ws_supply supply = generate(&type, 14400, 60, seed);
            minute += autocorrelation(&supply, 1) / SEEDS;
            hour += autocorrelation(&supply, 60) / SEEDS;
            six += autocorrelation(&supply, 360) / SEEDS;
            assert_close(autocorrelation(&supply, 0), 1, 1e-12);
            assert_true(isnan(autocorrelation(&supply, supply.count)));
            ws_supply_fini(&supply);
        }
        assert_true(minute > 0.85 && minute < 0.995);
        assert_true(hour > 0.55 && hour < minute - 0.02);
        assert_true(six < hour - 0.1);
    }
}

/* Mean over seeds of variance and covariance against the closed form; four deviations of that mean are allowed. */
static void normal_process(void **state)
{
    (void)state;
    enum { COUNT = 2000, SEEDS = 50 };
    static const double slow_s = 50, quick_s = 4, share = 0.3;
    static const size_t lags[] = {0, 1, 3, 10, 40, 100};
    double *const value = malloc(COUNT * sizeof *value);
    for (size_t l = 0; l < sizeof lags / sizeof *lags; l++) {
        double sum = 0, squares = 0;
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            assert_int_equal(ws_supply_normal_process(seed, 1, slow_s, quick_s, share, value, COUNT), WS_OK);
            double product = 0;
            for (size_t i = lags[l]; i < COUNT; i++)
                product += value[i] * value[i - lags[l]] / (double)(COUNT - lags[l]);
            sum += product;
            squares += product * product;
        }
        const double lag = (double)lags[l], mean = sum / SEEDS;
        const double error = sqrt((squares / SEEDS - mean * mean) / SEEDS);
        const double expected = (1 - share) * exp(-lag / slow_s) + share * exp(-lag / quick_s);
        assert_true(fabs(mean - expected) < 4 * error && error < 0.05);
    }
    free(value);
}

/* P(speed <= v) = 1 - exp(-(v / scale)^shape), mean and variance by the gamma function; the order of two speeds is
 * that of the normal numbers, so Kendall's tau of neighbours is 2/pi asin(correlation). */
static void weibull_speeds(void **state)
{
    (void)state;
    static const double shape = 2.1, scale = 8, decay_s = 20;
    enum { COUNT = 200000, LAG = 10 };
    double *const value = malloc(COUNT * sizeof *value);
    assert_int_equal(ws_supply_normal_process(7, 1, decay_s, 1, 0, value, COUNT), WS_OK);
    double mean = 0, squares = 0, agree = 0;
    size_t below[4] = {0};
    static const double quantile[] = {0.1, 0.5, 0.9, 0.99};
    for (size_t i = 0; i < COUNT; i++) {
        value[i] = ws_supply_weibull_speed(value[i], shape, scale);
        mean += value[i] / COUNT;
        squares += value[i] * value[i] / COUNT;
        for (size_t q = 0; q < 4; q++)
            below[q] += value[i] <= scale * pow(-log1p(-quantile[q]), 1 / shape);
    }
    for (size_t i = 0; i + 1 < COUNT; i += 2) { /* pairs far apart, each with the one LAG behind it */
        const size_t a = (i * 7919) % (COUNT - LAG), b = (a + COUNT / 2) % (COUNT - LAG);
        agree += (value[a] - value[b]) * (value[a + LAG] - value[b + LAG]) > 0 ? 1 : -1;
    }
    /* Independent values: count over twice the correlation time; tolerances are four deviations. */
    const double independent = COUNT / (2 * decay_s);
    const double mean_expected = scale * gsl_sf_gamma(1 + 1 / shape);
    const double squares_expected = scale * scale * gsl_sf_gamma(1 + 2 / shape);
    assert_true(fabs(mean - mean_expected) <
                4 * sqrt((squares_expected - mean_expected * mean_expected) / independent));
    assert_true(fabs(squares / squares_expected - 1) < 4 / sqrt(independent));
    for (size_t q = 0; q < 4; q++)
        assert_true(fabs((double)below[q] / COUNT - quantile[q]) <
                    4 * sqrt(quantile[q] * (1 - quantile[q]) / independent));
    const double tau = 2 / M_PI * asin(exp(-LAG / decay_s));
    assert_true(fabs(agree / (COUNT / 2) - tau) < 4 / sqrt(independent));
    free(value);
    /* R 4.2.2: qweibull(pnorm(c(-6, -1, 0, 2)), 2, 8); 8 * sqrt(-pnorm(6, lower.tail = FALSE, log.p = TRUE)) */
    static const double exact[][2] = {
        {-6, 2.51279942e-4}, {-1, 3.32509276}, {0, 6.66043689}, {2, 15.5603277}, {6, 36.4301141}};
    for (size_t i = 0; i < 5; i++)
        assert_true(fabs(ws_supply_weibull_speed(exact[i][0], 2, 8) / exact[i][1] - 1) < 1e-6);
}

static void turbine_and_sky(void **state)
{
    (void)state;
    assert_true(ws_supply_turbine(2.9, 3, 12, 25) == 0 && ws_supply_turbine(3, 3, 12, 25) == 0);
    assert_close(ws_supply_turbine(6, 3, 12, 25), (216 - 27.0) / (1728 - 27), 1e-12);
    assert_true(ws_supply_turbine(12, 3, 12, 25) == 1 && ws_supply_turbine(24.9, 3, 12, 25) == 1);
    assert_true(ws_supply_turbine(25, 3, 12, 25) == 0 && ws_supply_turbine(NAN, 3, 12, 25) == 0);

    ws_supply_class type = find("LpHv");
    type.latitude_deg = 23.45; /* in the zenith at the summer solstice, day 172 */
    assert_close(ws_supply_clear_sky(&type, 172, 12), 1098 * exp(-0.059), 0.01);
    type.latitude_deg = 40;
    /* Day length at a declination of 23.45 degrees: 2/15 acos(-tan 40 tan 23.45) = 14.84 h */
    const double half = acos(-tan(40 * M_PI / 180) * tan(23.45 * M_PI / 180)) * 180 / M_PI / 15;
    assert_true(ws_supply_clear_sky(&type, 172, 12 + half + 0.01) == 0);
    assert_true(ws_supply_clear_sky(&type, 172, 12 + half - 0.3) > 0);
    assert_close(ws_supply_clear_sky(&type, 172, 9), ws_supply_clear_sky(&type, 172, 15), 1e-9);
    /* Clouds: half the span at the quantile of the cover, and all of it far from there. */
    assert_close(ws_supply_cloud_index(&type, -8), type.cloudy_index, 1e-9);
    assert_close(ws_supply_cloud_index(&type, 8), type.clear_index, 1e-9);
    type.cover = 0.5;
    assert_close(ws_supply_cloud_index(&type, 0), (type.cloudy_index + type.clear_index) / 2, 1e-12);
}

static void matching(void **state)
{
    (void)state;
    enum { COUNT = 500 };
    double value[COUNT], before[COUNT];
    static const double deviations[] = {0, 1, 10, 57, 58, 80, 100, 200, 500};
    for (size_t d = 0; d < sizeof deviations / sizeof *deviations; d++) {
        for (size_t i = 0; i < COUNT; i++)
            before[i] = value[i] = 3 + (double)(i * 37 % COUNT);
        assert_int_equal(ws_supply_match(value, COUNT, 100, deviations[d]), WS_OK);
        double mean = 0, squares = 0;
        for (size_t i = 0; i < COUNT; i++) {
            mean += value[i] / COUNT;
            squares += (value[i] - 100) * (value[i] - 100) / COUNT;
            assert_true(value[i] >= 0);
            for (size_t k = 0; k < i; k++)
                assert_true(deviations[d] == 0 || (before[i] < before[k]) == (value[i] < value[k]));
        }
        assert_close(mean, 100, 1e-9);
        assert_close(sqrt(squares), deviations[d], 1e-9 * (1 + deviations[d]));
    }
    /* The bend begins where the straight line ends: nothing jumps. */
    double line[2] = {0, 2}, bent[2] = {0, 2};
    assert_int_equal(ws_supply_match(line, 2, 1, 1 - 1e-9), WS_OK);
    assert_true(fabs(line[0] - 1e-9) < 1e-12 && fabs(line[1] - 2) < 1e-6);
    assert_int_equal(ws_supply_match(bent, 2, 1, 1.5), WS_ENUMERIC); /* two values vary by their mean at most */
    double still[3] = {5, 5, 5};
    assert_int_equal(ws_supply_match(still, 3, 1, 0.1), WS_ENUMERIC);
    assert_non_null(strstr(ws_message(), "take a longer trace"));
}

/* A turbine that always gives its rated power, so that what is laid over it can be seen alone. */
static const char steady[] = "[class]\nname = S\nmean = 100 W\ndeviation = 10 W\n[plant]\nsun = 0\nwind = 1\n"
                             "[wind]\nshape = 8\nscale = 30 m/s\nweather_time = 1 h\ngust_time = 10 s\n"
                             "gust_share = 0\ncut_in = 0 m/s\nrated = 0.2 m/s\ncut_out = 100 m/s\n";

static ws_supply_class parse(const char *more)
{
    char text[2048];
    const int length = snprintf(text, sizeof text, "%s%s", steady, more);
    ws_supply_class type;
    if (ws_supply_class_parse("s", text, (size_t)length, &type))
        fail_msg("%s", ws_message());
    return type;
}

/* Part of the time spent nearer to the least value than to the most. */
static double low_part(const ws_supply *supply)
{
    double least = INFINITY, most = 0, low = 0;
    for (size_t i = 0; i < supply->count; i++) {
        least = fmin(least, supply->power_w[i]);
        most = fmax(most, supply->power_w[i]);
    }
    for (size_t i = 0; i < supply->count; i++)
        low += supply->power_w[i] < (least + most) / 2;
    return low / (double)supply->count;
}

static void slow_periods_peaks_and_surges(void **state)
{
    (void)state;
    ws_supply_class type = parse("");
    ws_supply supply;
    assert_int_equal(ws_supply_generate(&type, 1440, 60, 1, &supply), WS_ENUMERIC);
    /* Gaps of 12 h and slow periods of 3 h in the mean: a fifth of the time. */
    type = parse("[slow]\nper_day = 2\nduration = 3 h\nfactor = 0.5\n");
    supply = generate(&type, 1440 * 200, 60, 3);
    assert_true(fabs(low_part(&supply) - 0.2) < 0.02);
    ws_supply_fini(&supply);
    /* Surges of random height are brief: the median is the power without any. */
    type = parse("[surge]\nper_day = 3\nduration = 20 min\nheight = 0.5\n");
    supply = generate(&type, 1440 * 30, 60, 3);
    assert_true(low_part(&supply) > 0.97 && skewness(&supply) > 3);
    ws_supply_fini(&supply);
    type = parse("[peak]\nhour = 14 h\nwidth = 2 h\ngain = 0.5\n");
    supply = generate(&type, 1440 * 2, 60, 3);
    for (size_t i = 0; i + 1 < 1440; i++) {
        assert_close(supply.power_w[i], supply.power_w[i + 1440], 1e-9);
        if (i >= 2 * 60) /* rises until 14 h, falls behind it; from 2 h on, since the bell goes round */
            assert_true((supply.power_w[i + 1] > supply.power_w[i]) == (i < 14 * 60 - 1) || i == 14 * 60 - 1);
    }
    ws_supply_fini(&supply);
}

/* Panels alone: nothing at night, most at noon, in each class of weather. */
static void nights_are_dark(void **state)
{
    (void)state;
    ws_supply_class type = find("LpHv");
    type.sun_share = 1;
    type.wind_share = 0;
    type.surge_per_day = 0;
    type.deviation_w = 80; /* so much that no firm part is left */
    double hour[24] = {0};
    for (uint64_t seed = 0; seed < 10; seed++) {
        ws_supply supply = generate(&type, 24 * 60 * 10, 60, seed);
        for (size_t i = 0; i < supply.count; i++)
            hour[i / 60 % 24] += supply.power_w[i];
        ws_supply_fini(&supply);
    }
    for (size_t i = 0; i < 24; i++) {
        assert_true(i < 6 || i >= 18 ||
                    hour[i] > 0); /* the days behind the equinox: up from 6 to 18 h, and a little more */
        assert_true((i >= 5 && i < 19) || hour[i] == 0);
        assert_true(hour[i] <= hour[11] || hour[i] <= hour[12] || hour[i] <= hour[13]);
    }
}

static void copies(void **state)
{
    (void)state;
    static const double power[] = {1, 0, 2.5};
    ws_supply supply;
    assert_int_equal(ws_supply_copy("hand", power, 3, 60, &supply), WS_OK);
    assert_true(supply.count == 3 && supply.step_s == 60 && supply.power_w[2] == 2.5);
    ws_supply_fini(&supply);
    static const double bad[] = {1, -1, NAN, INFINITY};
    for (size_t i = 1; i < 4; i++)
        assert_int_equal(ws_supply_copy("hand", bad + i, 1, 60, &supply), WS_EINPUT);
    assert_int_equal(ws_supply_copy("hand", power, 0, 60, &supply), WS_EINPUT);
    assert_int_equal(ws_supply_copy("hand", power, 1, 0, &supply), WS_EINPUT);
    assert_int_equal(ws_supply_copy("hand", bad, 2, 60, &supply), WS_EINPUT);
    assert_string_equal(ws_message(), "supply hand, step 2: -1 W; expected 0 or more");
    assert_null(supply.power_w);
}

static void refused_requests(void **state)
{
    (void)state;
    const ws_supply_class type = find("tplv"); /* an alias */
    assert_string_equal(type.name, "LpLv");
    ws_supply supply;
    assert_int_equal(ws_supply_generate(&type, 86399, 1, 1, &supply), WS_EINPUT);
    assert_string_equal(ws_message(), "86399 steps of 1 s; a trace of class LpLv lasts a day (86400 s) or longer");
    assert_int_equal(ws_supply_generate(&type, 864000, 0.5, 1, &supply), WS_EINPUT);
    assert_int_equal(ws_supply_generate(&type, 864000, 3601, 1, &supply), WS_EINPUT);
    assert_int_equal(ws_supply_generate(&type, 864000, NAN, 1, &supply), WS_EINPUT);
    assert_int_equal(ws_supply_generate(&type, 1u << 30, 1, 1, &supply), WS_EINPUT);
    ws_supply_class none;
    assert_int_equal(ws_supply_class_find("data/supply", "hp", &none), WS_ENOTFOUND);
    assert_string_equal(ws_message(), "no class of supplies is called 'hp'; data/supply has hphv, hplv, lphv, lplv");
    assert_int_equal(ws_supply_class_find("no/such", "hphv", &none), WS_EIO);
}

static void refused_classes(void **state)
{
    (void)state;
    static const struct {
        const char *line, *instead, *message;
    } bad[] = {
        {"mean = 100 W", "mean = 100 MJ", "s:3:8: mean = 100 MJ: expected the unit W, kW or mW"},
        {"mean = 100 W", "mean = 0 W", "expected 0.001 to 1e+09 W (mean power of a trace)"},
        {"mean = 100 W", "", "s: [class] lacks mean"},
        {"name = S\n", "", "s: [class] lacks name"},
        {"name = S", "name = abcdefghijklmnopqrstuvwxyz0123456789", "at most 31 characters"},
        {"sun = 0", "sun = 0.5", "[plant] has sun, but section [sun] is missing"},
        {"wind = 1", "wind = 0", "nothing gives power"},
        {"wind = 1", "wind = 1.5", "expected 0 to 1 (turbines' part"},
        {"wind = 1", "wind = 1 W", "expected a number without a unit"},
        {"rated = 0.2 m/s", "rated = 0.2 mph", "expected the unit m/s"},
        {"cut_in = 0 m/s", "cut_in = 0.3 m/s", "cut_in < rated < cut_out, not 0.3, 0.2, 100 m/s"},
        {"shape = 8\n", "", "[wind] lacks shape"},
        {"gust_time = 10 s", "gust_time = 10 y", "expected the unit s, ms, min, h or d"},
        {"gust_time = 10 s", "gust_time = 10 s\ngusts = 3",
         "s:13:1: a class of supplies has no gusts in section [wind]"},
        {"mean = 100 W", "mean = nan W", "expected a number and its unit"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const char *const at = strstr(steady, bad[i].line);
        assert_non_null(at);
        char text[2048];
        const int length = snprintf(text, sizeof text, "%.*s%s%s", (int)(at - steady), steady, bad[i].instead,
                                    at + strlen(bad[i].line));
        ws_supply_class type;
        assert_int_equal(ws_supply_class_parse("s", text, (size_t)length, &type), WS_EINPUT);
        if (!strstr(ws_message(), bad[i].message))
            fail_msg("'%s' does not say '%s'", ws_message(), bad[i].message);
    }
    const ws_supply_class type = parse("[slow]\nper_day = 1\nduration = 2 d\nfactor = 0\n");
    assert_true(type.slow_s == 2 * 86400 && type.wind_weather_s == 3600 && type.peak_gain == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mean_and_deviation),
        cmocka_unit_test(same_seed_same_bytes),
        cmocka_unit_test(supplies_are_correlated),
        cmocka_unit_test(normal_process),
        cmocka_unit_test(weibull_speeds),
        cmocka_unit_test(turbine_and_sky),
        cmocka_unit_test(matching),
        cmocka_unit_test(slow_periods_peaks_and_surges),
        cmocka_unit_test(nights_are_dark),
        cmocka_unit_test(copies),
        cmocka_unit_test(refused_requests),
        cmocka_unit_test(refused_classes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
