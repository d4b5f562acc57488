/* test_method.c - do the ways to choose rows keep what they promise, and come out as in R? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "cluster/method.h"
#include "cluster/quality.h"
#include "tests/unit/oracle.h"

#include <stdlib.h>

enum { ROWS = 34, COLUMNS = 3 };

static double random_unit(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return (double)(*seed >> 11) * 0x1p-53;
}

static void fill(double *point, size_t n, uint64_t seed)
{
    for (size_t i = 0; i < n; i++)
        point[i] = floor(20 * random_unit(&seed)) / 4; /* on a grid: ties, and now and then equal rows */
}

typedef struct choice {
    size_t cluster[ROWS], member[ROWS];
    double weight[ROWS];
} choice;

static choice choose(const double *point, size_t rows, ws_method method, size_t k, uint64_t seed)
{
    ws_selection *selection = NULL;
    choice c = {0};
    if (ws_selection_create(point, rows, COLUMNS, method, seed, &selection) != WS_OK)
        fail_msg("%s", ws_message());
    assert_int_equal(ws_selection_choose(selection, k, c.cluster, c.member, c.weight), WS_OK);
    ws_selection_destroy(selection);
    return c;
}

static double distance(const double *point, size_t i, size_t j)
{
    double square = 0;
    for (size_t c = 0; c < COLUMNS; c++)
        square += pow(point[i * COLUMNS + c] - point[j * COLUMNS + c], 2);
    return sqrt(square);
}

/* Every method, also one that is new: k members, each in its own cluster; clusters in order; weights that sum to the
 * rows; the same again with the same seed. */
static void every_method_keeps_the_rules(void **state)
{
    (void)state;
    double point[ROWS * COLUMNS];
    for (uint64_t seed = 1; seed <= 6; seed++) {
        fill(point, ROWS * COLUMNS, seed);
        if (seed == 6)
            for (size_t i = 0; i < ROWS * COLUMNS; i++)
                point[i] = 3; /* all rows the same */
        for (int m = 0; m < WS_METHODS; m++)
            for (size_t k = 1; k <= ROWS; k += k < 6 ? 1 : 7) {
                const choice c = choose(point, ROWS, (ws_method)m, k, seed),
                             again = choose(point, ROWS, (ws_method)m, k, seed);
                double sum = 0;
                size_t highest = 0;
                for (size_t i = 0; i < ROWS; i++) {
                    assert_in_range(c.cluster[i], 1, highest + 1); /* numbered as they appear */
                    highest = c.cluster[i] > highest ? c.cluster[i] : highest;
                }
                assert_int_equal(highest, k);
                for (size_t i = 0; i < k; i++) {
                    assert_int_equal(c.cluster[c.member[i]], i + 1);
                    assert_true(c.weight[i] >= 0);
                    sum += c.weight[i];
                }
                assert_float_equal(sum, ROWS, 1e-9);
                assert_memory_equal(&c, &again, sizeof c);
            }
    }
}

static void words_name_methods(void **state)
{
    (void)state;
    ws_method method;
    for (int m = 0; m < WS_METHODS; m++) {
        assert_int_equal(ws_method_find(ws_method_name((ws_method)m), &method), WS_OK);
        assert_int_equal(method, m);
    }
    assert_int_equal(ws_method_find("best", &method), WS_EINPUT);
    for (int m = 0; m < WS_METHODS; m++)
        assert_non_null(strstr(ws_message(), ws_method_name((ws_method)m)));
}

/* ---------------------------------------------------------------- support points */

/* The energy distance as it is defined, of members with weights that sum to 1 and all rows; up to a constant. */
static double energy(const double *point, size_t rows, const size_t *member, const double *weight, size_t k)
{
    double sum = 0;
    for (size_t s = 0; s < k; s++) {
        for (size_t i = 0; i < rows; i++)
            sum += 2 * weight[s] * distance(point, i, member[s]) / (double)rows;
        for (size_t t = 0; t < k; t++)
            sum -= weight[s] * weight[t] * distance(point, member[s], member[t]);
    }
    return sum;
}

/* No exchange of a member lowers the energy of equal weights, and no shift of weight that of the weights found. */
static void support_points_cannot_be_bettered(void **state)
{
    (void)state;
    double point[ROWS * COLUMNS], equal[ROWS], weight[ROWS];
    for (uint64_t seed = 1; seed <= 8; seed++) {
        fill(point, ROWS * COLUMNS, seed * 77);
        const size_t k = 1 + seed;
        const choice c = choose(point, ROWS, WS_METHOD_support, k, 1);
        for (size_t i = 0; i < k; i++) {
            equal[i] = 1 / (double)k;
            weight[i] = c.weight[i] / ROWS;
        }
        const double least = energy(point, ROWS, c.member, equal, k),
                     weighted = energy(point, ROWS, c.member, weight, k);
        assert_true(weighted <= least + 1e-12);
        for (size_t i = 0; i < k; i++)
            for (size_t j = 0; j < ROWS; j++) {
                size_t other[ROWS];
                memcpy(other, c.member, sizeof other);
                other[i] = j;
                assert_true(energy(point, ROWS, other, equal, k) >= least - 1e-9);
            }
        for (size_t i = 0; i < k; i++)
            for (size_t j = 0; j < k; j++) {
                double shifted[ROWS];
                const double step = fmin(1e-4, weight[i]);
                memcpy(shifted, weight, sizeof shifted);
                shifted[i] -= step;
                shifted[j] += step;
                assert_true(energy(point, ROWS, c.member, shifted, k) >= weighted - 1e-12);
            }
    }
}

/* Of few rows all subsets can be tried. One exchange at a time may end above the least energy, but not often and not
 * far. */
static void support_points_are_near_the_best(void **state)
{
    (void)state;
    enum { FEW = 9, K = 3, TRIES = 40 };
    double point[FEW * COLUMNS], found_all = 0, least_all = 0;
    for (uint64_t seed = 1; seed <= TRIES; seed++) {
        fill(point, FEW * COLUMNS, seed * 991);
        static const double equal[] = {1.0 / K, 1.0 / K, 1.0 / K};
        const choice c = choose(point, FEW, WS_METHOD_support, K, 1);
        double least = INFINITY, none = 0;
        for (size_t a = 0; a < FEW; a++)
            for (size_t b = a + 1; b < FEW; b++)
                for (size_t d = b + 1; d < FEW; d++)
                    least = fmin(least, energy(point, FEW, (size_t[]){a, b, d}, equal, K));
        for (size_t i = 0; i < FEW; i++)
            for (size_t j = 0; j < FEW; j++)
                none += distance(point, i, j) / (FEW * FEW); /* the energy of all rows: none is lower */
        found_all += energy(point, FEW, c.member, equal, K) - none;
        least_all += least - none;
        assert_true(least >= none - 1e-9);
    }
    assert_true(found_all <= 1.1 * least_all);
}

/* All rows as members stand for themselves. */
static void all_rows_weigh_one(void **state)
{
    (void)state;
    double point[ROWS * COLUMNS];
    uint64_t seed = 5;
    for (size_t i = 0; i < ROWS * COLUMNS; i++)
        point[i] = random_unit(&seed); /* no two are equal */
    const choice c = choose(point, ROWS, WS_METHOD_support, ROWS, 1);
    for (size_t i = 0; i < ROWS; i++)
        assert_float_equal(c.weight[i], 1, 1e-6);
}

/* ---------------------------------------------------------------- against R */

static double oracle_value(const ws_frame *oracle, const char *set, const char *what, size_t i)
{
    for (size_t row = 0; row < oracle->rows; row++)
        if (!strcmp(oracle->label[2 * row], set) && !strcmp(oracle->label[2 * row + 1], what) &&
            oracle->value[3 * row] == (double)i)
            return oracle->value[3 * row + 2];
    fail_msg("the oracle does not know %s %s %zu", set, what, i);
    return NAN;
}

static double distances_to_members(const ws_frame *f, const size_t *member, size_t k)
{
    double sum = 0;
    for (size_t i = 0; i < f->rows; i++) {
        double nearest = INFINITY;
        for (size_t c = 0; c < k; c++) {
            double square = 0;
            for (size_t j = 0; j < f->columns; j++)
                square += pow(f->value[i * f->columns + j] - f->value[member[c] * f->columns + j], 2);
            nearest = fmin(nearest, sqrt(square));
        }
        sum += nearest;
    }
    return sum;
}

static void medoids_and_means_are_those_of_r(void **state)
{
    (void)state;
    static const char *const sets[] = {"mixed", "states"};
    ws_frame *oracle = NULL;
    assert_int_equal(ws_frame_load("tests/oracle/methods.oracle.csv", &oracle), WS_OK);
    for (size_t s = 0; s < 2; s++) {
        ws_frame *f = oracle_points(sets[s]);
        size_t *cluster = calloc(f->rows, sizeof *cluster), *member = calloc(f->rows, sizeof *member);
        double *weight = calloc(f->rows, sizeof *weight), sum;
        ws_selection *medoids = NULL, *means = NULL;
        assert_int_equal(ws_selection_create(f->value, f->rows, f->columns, WS_METHOD_kmedoids, 1, &medoids), WS_OK);
        assert_int_equal(ws_selection_create(f->value, f->rows, f->columns, WS_METHOD_kmeans, 1, &means), WS_OK);
        for (size_t k = 2; k <= 8; k++) {
            assert_int_equal(ws_selection_choose(medoids, k, cluster, member, weight), WS_OK);
            assert_near(distances_to_members(f, member, k), oracle_value(oracle, sets[s], "pam", k), 1, sets[s], k);
            assert_int_equal(ws_selection_choose(means, k, cluster, member, weight), WS_OK);
            assert_int_equal(ws_within_squares(f->value, f->rows, f->columns, cluster, k, &sum), WS_OK);
            assert_near(sum, oracle_value(oracle, sets[s], "kmeans", k), 1, sets[s], k);
        }
        ws_selection_destroy(medoids);
        ws_selection_destroy(means);
        free(cluster);
        free(member);
        free(weight);
        ws_frame_destroy(f);
    }
    ws_frame_destroy(oracle);
}

static void refuses_what_cannot_be_chosen_from(void **state)
{
    (void)state;
    static const double point[] = {1, 2, 3}, huge[] = {1e308, 0, 0, -1e308, 0, 0};
    for (int m = 0; m < WS_METHODS; m++) {
        ws_selection *selection = NULL;
        assert_int_equal(ws_selection_create(point, 1, COLUMNS, (ws_method)m, 1, &selection), WS_EINPUT);
        assert_null(selection);
    }
    ws_selection *selection = NULL;
    assert_int_equal(ws_selection_create(huge, 2, COLUMNS, WS_METHOD_support, 1, &selection), WS_ENUMERIC);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_keeps_the_rules),
        cmocka_unit_test(words_name_methods),
        cmocka_unit_test(support_points_cannot_be_bettered),
        cmocka_unit_test(support_points_are_near_the_best),
        cmocka_unit_test(all_rows_weigh_one),
        cmocka_unit_test(medoids_and_means_are_those_of_r),
        cmocka_unit_test(refuses_what_cannot_be_chosen_from),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
