/* Rainflow counting: the standard's example, an independent count of random series, and what must not change
 * a count. */
#include "model/control/rainflow.h"
#include "tests/unit/close.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

typedef struct tally {
    double range, count;
} tally;

enum { MOST = 2048 };
typedef struct counts {
    tally item[MOST];
    size_t used;
} counts;

static void add(counts *c, double range, double count)
{
    for (size_t i = 0; i < c->used; i++)
        if (fabs(c->item[i].range - range) <= 1e-9 * range) {
            c->item[i].count += count;
            return;
        }
    assert_true(c->used < MOST);
    c->item[c->used++] = (tally){range, count};
}

static void see(void *context, double range, double mean, double count)
{
    assert_true(range > 0 && isfinite(mean) && (count == 0.5 || count == 1));
    add(context, range, count);
}

static double count_of(const counts *c, double range)
{
    for (size_t i = 0; i < c->used; i++)
        if (fabs(c->item[i].range - range) <= 1e-9 * range)
            return c->item[i].count;
    return 0;
}

static double total(const counts *c)
{
    double sum = 0;
    for (size_t i = 0; i < c->used; i++)
        sum += c->item[i].count;
    return sum;
}

static void count_series(const double *value, size_t n, counts *c)
{
    ws_rainflow flow;
    c->used = 0;
    ws_rainflow_init(&flow, see, c);
    for (size_t i = 0; i < n; i++)
        ws_rainflow_add(&flow, value[i]);
    ws_rainflow_finish(&flow);
    assert_int_equal(flow.forced, 0);
}

static void assert_same(const counts *a, const counts *b)
{
    assert_int_equal(a->used, b->used);
    for (size_t i = 0; i < a->used; i++)
        assert_close(count_of(b, a->item[i].range), a->item[i].count, 1e-9);
}

static size_t turning_points(const double *value, size_t n, double *point)
{
    size_t points = 0;
    for (size_t i = 0; i < n; i++) {
        if (points && value[i] == point[points - 1])
            continue;
        if (points >= 2 && (point[points - 1] > point[points - 2]) == (value[i] > point[points - 1]))
            points--;
        point[points++] = value[i];
    }
    return points;
}

/* The four-point method on the whole series, from its start again after each cycle: an inner range that neither
 * neighbour is smaller than is a cycle, what remains is half cycles. Amzallag, Gerey, Robert, Bahuaud,
 * Standardization of the rainflow counting method for fatigue analysis (1994). */
static void count_by_four(const double *value, size_t n, counts *c)
{
    double *const p = malloc(n * sizeof *p);
    size_t points = turning_points(value, n, p);
    c->used = 0;
    for (bool found = true; found;) {
        found = false;
        for (size_t i = 0; !found && i + 3 < points; i++) {
            const double inner = fabs(p[i + 2] - p[i + 1]);
            found = inner <= fabs(p[i + 1] - p[i]) && inner <= fabs(p[i + 3] - p[i + 2]);
            if (found) {
                add(c, inner, 1);
                memmove(p + i + 1, p + i + 3, (points - i - 3) * sizeof *p);
                points -= 2;
            }
        }
    }
    for (size_t i = 0; i + 1 < points; i++)
        add(c, fabs(p[i + 1] - p[i]), 0.5);
    free(p);
}

/* ASTM E1049-85, figure 6: A..I and the table beside it. */
static void example_of_the_standard(void **state)
{
    (void)state;
    static const double series[] = {-2, 1, -3, 5, -1, 3, -4, 4, -2};
    static const double expected[] = {0, 0, 0, 0.5, 1.5, 0, 0.5, 0, 1, 0.5, 0}; /* of range 0..10 */
    counts c;
    count_series(series, 9, &c);
    for (int range = 1; range <= 10; range++)
        assert_close(count_of(&c, range), expected[range], 1e-12);
    assert_close(total(&c), 4, 1e-12);
}

static double *random_series(gsl_rng *rng, size_t n, int kind)
{
    double *const value = malloc(n * sizeof *value);
    double level = 0;
    for (size_t i = 0; i < n; i++) {
        level = 0.95 * level + gsl_ran_gaussian_ziggurat(rng, 1);
        value[i] = kind == 0   ? (double)gsl_rng_uniform_int(rng, 6) /* many equal ranges */
                   : kind == 1 ? gsl_rng_uniform(rng)
                               : level;
    }
    return value;
}

static void random_series_by_another_method(void **state)
{
    (void)state;
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    counts *const mine = malloc(sizeof *mine), *const other = malloc(sizeof *other);
    for (int round = 0; round < 300; round++) {
        const size_t n = 1 + gsl_rng_uniform_int(rng, 300);
        double *const value = random_series(rng, n, round % 3);
        count_series(value, n, mine);
        count_by_four(value, n, other);
        assert_same(mine, other);
        double *const point = malloc(n * sizeof *point);
        assert_close(total(mine), (double)(turning_points(value, n, point) - 1) / 2, 1e-9);
        free(point);
        free(value);
    }
    free(mine);
    free(other);
    gsl_rng_free(rng);
}

/* Upside down, moved, scaled, backwards, with values between the turning points: the same cycles. */
static void invariances(void **state)
{
    (void)state;
    enum { COUNT = 200 };
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    counts *const base = malloc(sizeof *base), *const changed = malloc(sizeof *changed);
    for (int round = 0; round < 30; round++) {
        double *const value = random_series(rng, COUNT, 1 + round % 2), other[2 * COUNT];
        count_series(value, COUNT, base);
        for (size_t i = 0; i < COUNT; i++)
            other[i] = 300 - 0.5 * value[i];
        count_series(other, COUNT, changed);
        for (size_t i = 0; i < changed->used; i++)
            changed->item[i].range *= 2;
        assert_int_equal(base->used, changed->used);
        assert_close(total(base), total(changed), 1e-9);
        for (size_t i = 0; i < base->used; i++) /* the same order; 300 costs digits */
            assert_true(fabs(changed->item[i].range - base->item[i].range) < 1e-12 * 600 &&
                        changed->item[i].count == base->item[i].count);
        for (size_t i = 0; i < COUNT; i++)
            other[i] = value[COUNT - 1 - i];
        count_series(other, COUNT, changed);
        assert_same(base, changed);
        for (size_t i = 0; i < COUNT; i++) {
            other[2 * i] = value[i];
            other[2 * i + 1] = i + 1 < COUNT ? (value[i] + value[i + 1]) / 2 : value[i];
        }
        count_series(other, 2 * COUNT, changed);
        assert_same(base, changed);
        free(value);
    }
    free(base);
    free(changed);
    gsl_rng_free(rng);
}

static void edges(void **state)
{
    (void)state;
    counts c;
    count_series(NULL, 0, &c);
    assert_int_equal(c.used, 0);
    count_series((const double[]){5, 5, 5}, 3, &c);
    assert_int_equal(c.used, 0);
    count_series((const double[]){5, 5, 6, 7, 7}, 5, &c);
    assert_true(c.used == 1 && c.item[0].range == 2 && c.item[0].count == 0.5);
    ws_rainflow flow;
    ws_rainflow_init(&flow, see, &c);
    c.used = 0;
    static const double holes[] = {1, NAN, 3, INFINITY, 1};
    for (size_t i = 0; i < 5; i++)
        ws_rainflow_add(&flow, holes[i]);
    ws_rainflow_finish(&flow);
    assert_true(flow.ignored == 2 && flow.reversals == 1);
    assert_true(c.used == 1 && c.item[0].count == 1);
    /* A new series behind it is counted for itself. */
    ws_rainflow_add(&flow, 10);
    ws_rainflow_add(&flow, 14);
    ws_rainflow_finish(&flow);
    assert_close(count_of(&c, 4), 0.5, 0);
}

static void sum_up(void *context, double range, double mean, double count)
{
    (void)mean;
    ((double *)context)[0] += count;
    ((double *)context)[1] += range * count;
}

/* A swing that dies away closes nothing: memory stays, the oldest half cycles are counted early and none is lost. */
static void bounded_memory(void **state)
{
    (void)state;
    enum { SWINGS = 3000 };
    double sums[2] = {0, 0}, expected = 0;
    ws_rainflow flow;
    ws_rainflow_init(&flow, sum_up, sums);
    for (int i = 0; i < SWINGS; i++) {
        ws_rainflow_add(&flow, (i % 2 ? -1 : 1) * (double)(SWINGS - i));
        expected += i ? 0.5 * (2.0 * (SWINGS - i) + 1) : 0;
    }
    ws_rainflow_finish(&flow);
    assert_int_equal(flow.forced, SWINGS - WS_RAINFLOW_OPEN);
    assert_close(sums[0], (SWINGS - 1) / 2.0, 1e-9);
    assert_close(sums[1], expected, 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(example_of_the_standard),
        cmocka_unit_test(random_series_by_another_method),
        cmocka_unit_test(invariances),
        cmocka_unit_test(edges),
        cmocka_unit_test(bounded_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
