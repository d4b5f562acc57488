/* test_estimator.c - estimators, their errors and variances against closed forms and R's lm; draws against their
 * chances. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/status.h"
#include "cluster/drawing.h"
#include "cluster/estimation.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 8 };
/* The data of tests/oracle/make_estimates.R. */
static const double x[N] = {3, 7, 1, 12, 8, 5, 20, 11}, y[N] = {5, 9.5, 2, 18, 13, 6, 27, 19},
                    weight[N] = {1, 2, 3, 1, 0.5, 2, 1, 1.5}, equal[N] = {1, 1, 1, 1, 1, 1, 1, 1};

static double mean(const double *value, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += value[i];
    return sum / (double)n;
}

static double variance(const double *value, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (value[i] - mean(value, n)) * (value[i] - mean(value, n));
    return sum / (double)(n - 1);
}

/* By R 4.2's lm, without each member in turn. */
static void test_left_out_as_lm(void **state)
{
    (void)state;
    static const double expected[WS_ESTIMATORS] = {9.15715335737413, 3.12304148549774, 1.78582620024383,
                                                   1.99447213939088};
    const ws_sample s = {.members = N, .rows = 30, .weight = weight};
    double error[WS_ESTIMATORS];
    ws_estimator best;
    for (int e = 0; e < WS_ESTIMATORS; e++) {
        assert_int_equal(ws_estimator_left_out((ws_estimator)e, &s, x, y, &error[e]), WS_OK);
        assert_float_equal(error[e], expected[e], 1e-12);
    }
    /* At the members' own mean nothing is reached for. */
    double own = 0, total = 0;
    for (size_t i = 0; i < N; i++) {
        own += weight[i] * x[i];
        total += weight[i];
    }
    assert_int_equal(ws_estimator_choose(&s, x, own / total, y, error, &best), WS_OK);
    assert_int_equal(best, WS_ESTIMATOR_ratio);
    for (int e = 0; e < WS_ESTIMATORS; e++)
        assert_float_equal(error[e], expected[e], 1e-12);
    /* A base mean k times that of the members makes the ratio k times as uncertain, the plain mean not. */
    assert_int_equal(ws_estimator_choose(&s, x, 10 * own / total, y, error, &best), WS_OK);
    assert_float_equal(error[WS_ESTIMATOR_ratio], 10 * expected[WS_ESTIMATOR_ratio], 1e-11);
    assert_float_equal(error[WS_ESTIMATOR_plain], expected[WS_ESTIMATOR_plain], 1e-12);
    assert_true(error[WS_ESTIMATOR_regression] > expected[WS_ESTIMATOR_regression]);
}

static void test_means_by_hand(void **state)
{
    (void)state;
    const ws_sample s = {.members = N, .rows = 30, .weight = equal};
    const double mx = mean(x, N), my = mean(y, N), all = 9;
    double slope, sxy = 0, sxx = 0;
    for (size_t i = 0; i < N; i++) {
        sxy += (x[i] - mx) * (y[i] - my);
        sxx += (x[i] - mx) * (x[i] - mx);
    }
    const double b[WS_ESTIMATORS] = {0, 1, my / mx, sxy / sxx / 1.1};
    for (int e = 0; e < WS_ESTIMATORS; e++) {
        assert_float_equal(ws_estimator_mean((ws_estimator)e, &s, x, all, y, &slope), my + b[e] * (all - mx), 1e-12);
        assert_float_equal(slope, b[e], 1e-12);
    }
    assert_float_equal(ws_estimator_mean(WS_ESTIMATOR_plain, &s, NULL, 0, y, NULL), my, 1e-12);
}

/* (1 - n / N) s^2 / n, with N rows: Cochran 1977, theorem 2.2; for the difference with the variance of y - x. */
static void test_simple_random_sampling(void **state)
{
    (void)state;
    static const double chance[N] = {0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25};
    const size_t rows = 32;
    double weights[N], off[N];
    for (size_t i = 0; i < N; i++) {
        weights[i] = 4;
        off[i] = y[i] - x[i];
    }
    const ws_sample chosen = {.members = N, .rows = rows, .weight = equal},
                    drawn = {.members = N, .rows = rows, .weight = weights, .chance = chance};
    for (int d = 0; d < 2; d++) {
        ws_interval i;
        assert_int_equal(ws_estimator_interval(WS_ESTIMATOR_plain, d ? &drawn : &chosen, NULL, 0, y, &i), WS_OK);
        assert_float_equal(i.deviation, sqrt((1 - 0.25) * variance(y, N) / N), 1e-12);
        assert_float_equal(i.freedom, N - 1, 0);
        assert_int_equal(ws_estimator_interval(WS_ESTIMATOR_difference, d ? &drawn : &chosen, x, 9, y, &i), WS_OK);
        assert_float_equal(i.deviation, sqrt((1 - 0.25) * variance(off, N) / N), 1e-12);
    }
    /* All rows: nothing is unknown. */
    ws_interval i;
    const double certain[N] = {1, 1, 1, 1, 1, 1, 1, 1};
    assert_int_equal(ws_estimator_interval(WS_ESTIMATOR_plain, &(ws_sample){.members = N, .rows = N, .weight = equal},
                                           NULL, 0, y, &i),
                     WS_OK);
    assert_float_equal(ws_interval_half(&i, 0.95), 0, 0);
    assert_int_equal(ws_estimator_interval(WS_ESTIMATOR_plain,
                                           &(ws_sample){.members = N, .rows = N, .weight = equal, .chance = certain},
                                           NULL, 0, y, &i),
                     WS_OK);
    assert_float_equal(ws_interval_half(&i, 0.95), 0, 0);
}

/* The error of a shrunk regression at X: s^2 (1 / n - 1 / N + (X - x)^2 / S_xx / 1.1^2), s^2 from n - 2 degrees of
 * freedom. */
static void test_regression_variance(void **state)
{
    (void)state;
    const double all = 15, mx = mean(x, N), my = mean(y, N);
    double slope, sxx = 0, squares = 0;
    ws_interval i;
    const ws_sample s = {.members = N, .rows = 40, .weight = equal};
    ws_estimator_mean(WS_ESTIMATOR_regression, &s, x, all, y, &slope);
    for (size_t k = 0; k < N; k++) {
        const double e = y[k] - my - slope * (x[k] - mx);
        squares += e * e;
        sxx += (x[k] - mx) * (x[k] - mx);
    }
    assert_int_equal(ws_estimator_interval(WS_ESTIMATOR_regression, &s, x, all, y, &i), WS_OK);
    assert_float_equal(i.deviation, sqrt(squares / (N - 2) * (1.0 / N - 1.0 / 40 + pow((all - mx) / 1.1, 2) / sxx)),
                       1e-12);
    assert_float_equal(i.freedom, N - 2, 0);
}

/* Small chances: the estimator of Hansen and Hurwitz (1943) for a mean, 1 / (n (n - 1)) sum (e_i / p_i - mean)^2 / N'^2
 * with p_i = chance / n, of residuals around the weighted mean, whose mean is 0. */
static void test_small_chances(void **state)
{
    (void)state;
    double chance[N], weights[N], total = 0, centre = 0, squares = 0;
    ws_interval i;
    for (size_t k = 0; k < N; k++) {
        chance[k] = 1e-9 * (double)(k + 1);
        weights[k] = 1 / chance[k];
        total += weights[k];
    }
    for (size_t k = 0; k < N; k++)
        centre += weights[k] * y[k] / total;
    for (size_t k = 0; k < N; k++)
        squares += pow(N * (y[k] - centre) * weights[k], 2);
    assert_int_equal(
        ws_estimator_interval(WS_ESTIMATOR_plain,
                              &(ws_sample){.members = N, .rows = 1000000000, .weight = weights, .chance = chance}, NULL,
                              0, y, &i),
        WS_OK);
    assert_float_equal(i.mean, centre, 1e-12);
    assert_float_equal(i.deviation, sqrt(squares / (N * (N - 1))) / total, 1e-6 * i.deviation);
}

/* Student's t as R's qt has it, and no interval without a degree of freedom. */
static void test_half_widths(void **state)
{
    (void)state;
    const ws_interval two = {.deviation = 1, .freedom = 2}, ten = {.deviation = 3, .freedom = 10},
                      none = {.deviation = (double)NAN, .freedom = 0};
    assert_float_equal(ws_interval_half(&two, 0.9), 2.91998558035372, 1e-9);
    assert_float_equal(ws_interval_half(&two, 0.95), 4.30265272974946, 1e-9);
    assert_float_equal(ws_interval_half(&ten, 0.95), 3 * 2.22813885198627, 1e-9);
    assert_true(isinf(ws_interval_half(&none, 0.95)));
    ws_interval i;
    const double one = 1;
    assert_int_equal(ws_estimator_interval(WS_ESTIMATOR_plain, &(ws_sample){.members = 1, .rows = 9, .weight = &one},
                                           NULL, 0, &one, &i),
                     WS_OK);
    assert_true(isinf(ws_interval_half(&i, 0.95)));
}

static void test_applies(void **state)
{
    (void)state;
    static const double zero[N] = {0}, negative[N] = {1, -1, 2, 3, 4, 5, 6, 7}, constant[N] = {5, 5, 5, 5, 5, 5, 5, 5},
                        some[N] = {1, 0, 1, 0, 0, 0, 0, 0};
    const ws_sample all = {.members = N, .rows = 30, .weight = equal};
    double error[WS_ESTIMATORS];
    ws_estimator best;
    for (int e = 0; e < WS_ESTIMATORS; e++) {
        assert_int_equal(ws_estimator_applies((ws_estimator)e, &all, x), true);
        assert_int_equal(ws_estimator_applies((ws_estimator)e, &all, NULL), e == WS_ESTIMATOR_plain);
        assert_int_equal(ws_estimator_applies((ws_estimator)e, &all, zero), e == WS_ESTIMATOR_plain);
        assert_int_equal(ws_estimator_applies((ws_estimator)e, &all, negative), e != WS_ESTIMATOR_ratio);
        /* Two members of a weight have no ratio and no regression. */
        assert_int_equal(
            ws_estimator_applies((ws_estimator)e, &(ws_sample){.members = N, .rows = 30, .weight = some}, x),
            e == WS_ESTIMATOR_plain || e == WS_ESTIMATOR_difference);
    }
    assert_int_equal(ws_estimator_choose(&all, constant, 5, y, error, &best), WS_OK);
    assert_int_equal(best, WS_ESTIMATOR_plain);
    assert_true(isnan(error[WS_ESTIMATOR_regression]) && isnan(error[WS_ESTIMATOR_difference]));
    /* The weights' scale and members without weight change nothing. */
    double scaled[N], y_other[N];
    ws_interval a, b;
    for (size_t k = 0; k < N; k++) {
        scaled[k] = k < 6 ? 1e6 : 0;
        y_other[k] = k < 6 ? y[k] : 1e9;
    }
    assert_int_equal(ws_estimator_interval(WS_ESTIMATOR_regression,
                                           &(ws_sample){.members = 6, .rows = 30, .weight = equal}, x, 9, y, &a),
                     WS_OK);
    assert_int_equal(ws_estimator_interval(WS_ESTIMATOR_regression,
                                           &(ws_sample){.members = N, .rows = 30, .weight = scaled}, x, 9, y_other, &b),
                     WS_OK);
    assert_float_equal(a.mean, b.mean, 1e-9);
    assert_float_equal(a.deviation, b.deviation, 1e-9);
    assert_float_equal(a.freedom, b.freedom, 0);
}

/* ---------------------------------------------------------------- draws */

static void test_chances_by_hand(void **state)
{
    (void)state;
    double chance[5];
    /* 10 of 14 would be 1.43 of 2 members: certain, and one of the other four */
    assert_int_equal(ws_draw_chances((const double[]){1, 1, 10, 1, 1}, 5, 2, NULL, NULL, chance), WS_OK);
    for (size_t i = 0; i < 5; i++)
        assert_float_equal(chance[i], i == 2 ? 1 : 0.25, 1e-15);
    /* certain one after another: 8 of 12; then 3 of 4 for two */
    assert_int_equal(ws_draw_chances((const double[]){8, 3, 0.5, 0.5}, 4, 3, NULL, NULL, chance), WS_OK);
    assert_true(chance[0] == 1 && chance[1] == 1);
    assert_float_equal(chance[2], 0.5, 1e-15);
    const bool required[5] = {true}, excluded[5] = {false, true};
    assert_int_equal(ws_draw_chances((const double[]){1, 1, 1, 1, 2}, 5, 3, required, excluded, chance), WS_OK);
    assert_true(chance[0] == 1 && chance[1] == 0 && chance[4] == 1);
    assert_float_equal(chance[2], 0.5, 1e-15);
    assert_int_equal(ws_draw_chances((const double[]){1, 1, 1, 1, 1}, 5, 5, NULL, excluded, chance), WS_EINPUT);
    assert_int_equal(ws_draw_chances((const double[]){1, 1, 1, 1, 1}, 5, 0, required, NULL, chance), WS_EINPUT);
    /* rows of size 0 are members only if required */
    assert_int_equal(ws_draw_chances((const double[]){0, 3, 0, 1, 0}, 5, 3, required, NULL, chance), WS_OK);
    for (size_t i = 0; i < 5; i++)
        assert_float_equal(chance[i], i < 2 || i == 3 ? 1 : 0, 0);
    assert_int_equal(ws_draw_chances((const double[]){0, 3, 0, 1, 0}, 5, 3, NULL, NULL, chance), WS_EINPUT);
    assert_int_equal(ws_draw_chances((const double[]){1, 2, 3, 4, 5}, 5, 5, NULL, NULL, chance), WS_OK);
    for (size_t i = 0; i < 5; i++)
        assert_float_equal(chance[i], 1, 0);
}

/* Every draw has n different members, and rows are drawn as often as their chances say, within five standard errors.
 * The mean of the estimates of Horvitz and Thompson (1952) is then the total. */
static void test_draws_follow_chances(void **state)
{
    (void)state;
    enum { ROWS = 40, MEMBERS = 11, DRAWS = 20000 };
    double size[ROWS], chance[ROWS], value[ROWS], total = 0, estimated = 0, drawn[ROWS] = {0}, spread = 0;
    size_t order[ROWS], member[ROWS];
    for (size_t i = 0; i < ROWS; i++) {
        size[i] = i < 2 ? 100 : 1 + (double)(i % 7);
        value[i] = (double)((i * 13) % 17);
        total += value[i];
    }
    assert_int_equal(ws_draw_chances(size, ROWS, MEMBERS, NULL, NULL, chance), WS_OK);
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t d = 0; d < DRAWS; d++) {
        assert_int_equal(ws_draw_members(rng, chance, ROWS, order, member), MEMBERS);
        for (size_t m = 0; m < MEMBERS; m++) {
            assert_true(m == 0 || member[m] > member[m - 1]);
            drawn[member[m]]++;
            estimated += value[member[m]] / chance[member[m]] / DRAWS;
        }
    }
    gsl_rng_free(rng);
    for (size_t i = 0; i < ROWS; i++) {
        assert_true(fabs(drawn[i] / DRAWS - chance[i]) <= 5 * sqrt(chance[i] * (1 - chance[i]) / DRAWS));
        spread += value[i] * value[i] / chance[i] / DRAWS;
    }
    assert_true(fabs(estimated - total) <= 5 * sqrt(spread));
}

static void test_sizes(void **state)
{
    (void)state;
    double size[4];
    ws_frame *const f = ws_frame_create(4, 3, 1, NULL);
    static const double value[] = {1, 0, 30, 3, 0, 10, 0, 0, 0, 4, 0, 0}; /* means 2, 0, 10 */
    memcpy(f->value, value, sizeof value);
    assert_int_equal(ws_draw_sizes(f, "f", size), WS_OK);
    assert_float_equal(size[0], (0.5 + 3) / 2, 1e-15);
    assert_float_equal(size[1], (1.5 + 1) / 2, 1e-15);
    assert_float_equal(size[2], WS_DRAW_LEAST, 0);
    assert_float_equal(size[3], 1, 1e-15);
    memset(f->value, 0, sizeof value);
    assert_int_equal(ws_draw_sizes(f, "f", size), WS_EINPUT);
    f->value[0] = NAN;
    assert_int_equal(ws_draw_sizes(f, "f", size), WS_EINPUT);
    ws_frame_destroy(f);
}

/* Where theory holds, normal residuals, unwidened intervals of regression hold as often as they say: 95 %, within two
 * percentage points, in 4000 draws of 15 of 150. */
static void test_coverage(void **state)
{
    (void)state;
    enum { ROWS = 150, MEMBERS = 15, DRAWS = 4000 };
    double base[ROWS], value[ROWS], size[ROWS], chance[ROWS], xs[MEMBERS], ys[MEMBERS], w[MEMBERS], p[MEMBERS];
    size_t order[ROWS], member[ROWS], held[2] = {0, 0};
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t i = 0; i < ROWS; i++) {
        base[i] = 10 + gsl_ran_gaussian(rng, 2);
        value[i] = 5 + 3 * base[i] + gsl_ran_gaussian(rng, 2);
        size[i] = base[i];
    }
    assert_int_equal(ws_draw_chances(size, ROWS, MEMBERS, NULL, NULL, chance), WS_OK);
    for (size_t d = 0; d < DRAWS; d++) {
        ws_draw_members(rng, chance, ROWS, order, member);
        for (size_t m = 0; m < MEMBERS; m++) {
            xs[m] = base[member[m]];
            ys[m] = value[member[m]];
            p[m] = chance[member[m]];
            w[m] = 1 / p[m];
        }
        const ws_sample s = {.members = MEMBERS, .rows = ROWS, .weight = w, .chance = p};
        for (int k = 0; k < 2; k++) {
            ws_interval i;
            assert_int_equal(ws_estimator_interval(k ? WS_ESTIMATOR_regression : WS_ESTIMATOR_plain, &s, xs,
                                                   mean(base, ROWS), ys, &i),
                             WS_OK);
            held[k] += fabs(i.mean - mean(value, ROWS)) <= ws_interval_half(&i, 0.95);
        }
    }
    gsl_rng_free(rng);
    for (int k = 0; k < 2; k++)
        assert_true(fabs((double)held[k] / DRAWS - 0.95) < 0.02);
}

/* The defaults fall with the number of members, and lie between their rows. */
static void test_default_widening(void **state)
{
    (void)state;
    for (size_t n = 2; n < 40; n++) {
        assert_true(ws_estimation_widening(n) >= ws_estimation_widening(n + 1));
        assert_true(ws_estimation_widening(n) >= 1);
    }
    assert_float_equal(ws_estimation_widening(10), (ws_estimation_widening(8) + ws_estimation_widening(12)) / 2, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_left_out_as_lm),
        cmocka_unit_test(test_means_by_hand),
        cmocka_unit_test(test_simple_random_sampling),
        cmocka_unit_test(test_regression_variance),
        cmocka_unit_test(test_small_chances),
        cmocka_unit_test(test_half_widths),
        cmocka_unit_test(test_applies),
        cmocka_unit_test(test_chances_by_hand),
        cmocka_unit_test(test_draws_follow_chances),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_coverage),
        cmocka_unit_test(test_default_widening),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
