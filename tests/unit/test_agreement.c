/* test_agreement.c - do comparisons of cuts, distances and subsets come out as counted by hand, and as R has them? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "cluster/agreement.h"
#include "cluster/cluster_internal.h"
#include "cluster/coverage.h"
#include "cluster/quality.h"
#include "tests/unit/oracle.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <stdlib.h>

static double rand_of(const size_t *a, const size_t *b, size_t rows)
{
    double index;
    assert_int_equal(ws_adjusted_rand(a, b, rows, &index), WS_OK);
    return index;
}

static void test_rand_by_hand(void **state)
{
    (void)state;
    static const size_t two[] = {1, 1, 1, 2, 2, 2}, turned[] = {2, 2, 2, 1, 1, 1}, other[] = {1, 1, 2, 2, 3, 3};
    static const size_t together[] = {1, 1, 1, 1, 1, 1}, apart[] = {1, 2, 3, 4, 5, 6};
    assert_float_equal(rand_of(two, two, 6), 1, 0);
    assert_float_equal(rand_of(two, turned, 6), 1, 0);
    /* Table 2 1 0 / 0 1 2: pairs together in both 2; 6 and 3 in each; expected 6 * 3 / 15; most 4.5. */
    assert_float_equal(rand_of(two, other, 6), (2 - 1.2) / (4.5 - 1.2), 1e-15);
    assert_float_equal(rand_of(other, two, 6), (2 - 1.2) / (4.5 - 1.2), 1e-15);
    assert_float_equal(rand_of(two, together, 6), 0, 1e-15);
    assert_float_equal(rand_of(two, apart, 6), 0, 1e-15);
    assert_float_equal(rand_of(apart, apart, 6), 1, 0);
    assert_float_equal(rand_of(together, together, 6), 1, 0);
    static const size_t cross_a[] = {1, 1, 2, 2}, cross_b[] = {1, 2, 1, 2};
    assert_float_equal(rand_of(cross_a, cross_b, 4), -0.5, 1e-15); /* 0 together, 2/3 expected, 2 most */
}

static void test_shared_members(void **state)
{
    (void)state;
    static const size_t a[] = {3, 5, 9}, b[] = {9, 4, 3, 7};
    assert_int_equal(ws_members_shared(a, 3, b, 4), 2);
    assert_int_equal(ws_members_shared(a, 0, b, 4), 0);
}

static void test_distances_by_hand(void **state)
{
    (void)state;
    double r, p;
    /* A map and the same map turned, stretched and moved. */
    static const double a[] = {0, 0, 1, 0, 0, 2, 3, 3, -1, 4}, b[] = {5, 5, 5, 8, -1, 5, -4, 14, -7, 2};
    assert_int_equal(ws_distance_agreement(a, 2, b, 2, 5, 999, 1, &r, &p), WS_OK);
    assert_float_equal(r, 1, 1e-12);
    assert_true(p >= 1e-3 && p < 0.05); /* one of 120 orders */
    /* Distances 1 2 1 (0 1 2) against 1 1 2 (0 1 -1): correlation -1/2. */
    static const double line[] = {0, 1, 2}, other[] = {0, 1, -1};
    assert_int_equal(ws_distance_agreement(line, 1, other, 1, 3, 0, 1, &r, &p), WS_OK);
    assert_float_equal(r, -0.5, 1e-12);
    assert_true(isnan(p));
    assert_int_equal(ws_distance_agreement(line, 1, other, 1, 3, 99, 1, &r, NULL), WS_OK);
    static const double corners[] = {1, 0, 0, 0, 1, 0, 0, 0, 1}; /* all as far apart */
    assert_int_equal(ws_distance_agreement(line, 1, corners, 3, 3, 9, 1, &r, &p), WS_OK);
    assert_true(isnan(r) && isnan(p));
}

static void test_probability_of_chance(void **state)
{
    (void)state;
    /* Of three points in two orders: 2 of the 6 shuffles give the original correlation back, none a higher one. */
    static const double line[] = {0, 1, 3}, same[] = {0, 2, 6};
    double r, p, again;
    assert_int_equal(ws_distance_agreement(line, 1, same, 1, 3, 6000, 7, &r, &p), WS_OK);
    assert_float_equal(r, 1, 1e-12);
    assert_float_equal(p, 1.0 / 6, 0.02);
    assert_int_equal(ws_distance_agreement(line, 1, same, 1, 3, 6000, 7, &r, &again), WS_OK);
    assert_true(p == again);
    assert_int_equal(ws_distance_agreement(line, 1, same, 1, 3, 6000, 8, &r, &again), WS_OK);
    assert_true(p != again);
}

/* ---------------------------------------------------------------- against the definition */

/* Distances of mean 0 and squares that sum to 1; `far`: one pair is so far apart that the others have few bits left. */
static double *draw_distances(gsl_rng *rng, size_t rows, bool far)
{
    const size_t n = rows * (rows - 1) / 2;
    double *const d = malloc(n * sizeof *d), mean = 0, squares = 0;
    for (size_t i = 0; i < n; i++)
        d[i] = gsl_rng_uniform(rng);
    if (far)
        d[n / 2] = 1e6;
    for (size_t i = 0; i < n; i++)
        mean += d[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        squares += (d[i] - mean) * (d[i] - mean);
    for (size_t i = 0; i < n; i++)
        d[i] = (d[i] - mean) / sqrt(squares);
    return d;
}

/* Mantel's sum over all pairs of rows. */
static double mantel(const double *a, const double *b, size_t rows, const size_t *order)
{
    double sum = 0;
    for (size_t i = 0, pair = 0; i < rows; i++)
        for (size_t j = i + 1; j < rows; j++, pair++) {
            const size_t p = order[i] < order[j] ? order[i] : order[j], q = order[i] + order[j] - p;
            sum += a[pair] * b[p * rows - p * (p + 1) / 2 + q - p - 1];
        }
    return sum;
}

/* Every shuffle is the least one that counts once, so that no reserve can hide a wrong sum. */
static void test_shuffles_are_counted_as_defined(void **state)
{
    (void)state;
    enum { SHUFFLES = 21, SEED = 3 };
    static const size_t sizes[] = {2, 3, 9, 10, 17, 70};
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t s = 0; s < 2 * sizeof sizes / sizeof *sizes; s++) {
        const size_t rows = sizes[s / 2];
        double *const a = draw_distances(rng, rows, s % 2), *const b = draw_distances(rng, rows, s % 2), r[SHUFFLES];
        size_t order[70], higher;
        if (rows == 2)
            a[0] = b[0] = 1;
        for (size_t i = 0; i < rows; i++)
            order[i] = i;
        gsl_rng *const again = gsl_rng_alloc(gsl_rng_mt19937);
        gsl_rng_set(again, SEED);
        for (size_t i = 0; i < SHUFFLES; i++) {
            gsl_ran_shuffle(again, order, rows, sizeof *order);
            r[i] = mantel(a, b, rows, order);
        }
        for (size_t i = 0; i < SHUFFLES; i++) {
            size_t expected = 0;
            for (size_t j = 0; j < SHUFFLES; j++)
                expected += r[j] >= r[i] - 1e-12;
            assert_int_equal(ws_count_shuffles(a, b, rows, SHUFFLES, SEED, r[i] - 1e-12, &higher), WS_OK);
            assert_int_equal(higher, expected);
        }
        gsl_rng_free(again);
        free(a);
        free(b);
    }
    gsl_rng_free(rng);
}

/* More cuts than are judged at once: each as it is judged alone. */
static void test_silhouettes_of_all_cuts(void **state)
{
    (void)state;
    ws_frame *const f = oracle_points("mixed");
    ws_tree *tree = NULL;
    double mean[100], alone;
    size_t *const cut = calloc(f->rows, sizeof *cut), most = f->rows - 1 < 70 ? f->rows - 1 : 70;
    assert_true(most > 32);
    assert_int_equal(ws_cluster_build(f->value, f->rows, f->columns, WS_LINKAGE_average, &tree), WS_OK);
    assert_int_equal(ws_tree_silhouettes(tree, f->value, f->columns, most, mean), WS_OK);
    for (size_t k = 2; k <= most; k++) {
        assert_int_equal(ws_tree_cut(tree, k, cut), WS_OK);
        assert_int_equal(ws_silhouette(f->value, f->rows, f->columns, cut, k, NULL, &alone), WS_OK);
        assert_true(mean[k - 2] == alone);
    }
    ws_tree_destroy(tree);
    ws_frame_destroy(f);
    free(cut);
}

/* ---------------------------------------------------------------- against R */

enum { MOST = 8 };

static double oracle_value(const ws_frame *oracle, const char *set, const char *what, ws_linkage linkage, size_t i)
{
    char name[64];
    snprintf(name, sizeof name, "%s%s%s", what, linkage < WS_LINKAGES ? "." : "",
             linkage < WS_LINKAGES ? ws_linkage_name(linkage) : "");
    for (size_t row = 0; row < oracle->rows; row++)
        if (!strcmp(oracle->label[2 * row], set) && !strcmp(oracle->label[2 * row + 1], name) &&
            oracle->value[3 * row] == (double)i)
            return oracle->value[3 * row + 2];
    fail_msg("the oracle does not know %s %s %zu", set, name, i);
    return NAN;
}

static void check_linkage(const ws_frame *oracle, const char *set, const ws_frame *f, ws_linkage linkage)
{
    enum { REFERENCES = 400 };
    ws_tree *tree = NULL, *complete = NULL;
    double gap[MOST], error[MOST], value;
    size_t *cut = calloc(f->rows, sizeof *cut), *other = calloc(f->rows, sizeof *other);
    assert_int_equal(ws_cluster_build(f->value, f->rows, f->columns, linkage, &tree), WS_OK);
    assert_int_equal(ws_cluster_build(f->value, f->rows, f->columns, WS_LINKAGE_complete, &complete), WS_OK);
    assert_int_equal(ws_gap_statistic(f->value, f->rows, f->columns, linkage, MOST, REFERENCES, 5, gap, error), WS_OK);
    for (size_t k = 1; k <= MOST; k++) {
        assert_int_equal(ws_tree_cut(tree, k, cut), WS_OK);
        assert_int_equal(ws_tree_cut(complete, k, other), WS_OK);
        assert_int_equal(ws_within_squares(f->value, f->rows, f->columns, cut, k, &value), WS_OK);
        assert_near(log(value / 2), oracle_value(oracle, set, "logw", linkage, k), 1, "logw", k);
        /* Theirs has an error of its own. The error's factor sqrt(1 + 1/B) is all but 1. */
        const double theirs = oracle_value(oracle, set, "gap", linkage, k);
        const double spread = oracle_value(oracle, set, "error", linkage, k);
        assert_true(fabs(gap[k - 1] - theirs) < 5 * spread * sqrt(1.0 / REFERENCES + 1.0 / 2000));
        assert_true(fabs(error[k - 1] / spread - 1) < 0.25);
        if (k < 2)
            continue;
        assert_int_equal(ws_silhouette(f->value, f->rows, f->columns, cut, k, NULL, &value), WS_OK);
        assert_near(value, oracle_value(oracle, set, "silhouette", linkage, k), 1, "silhouette", k);
        assert_near(rand_of(other, cut, f->rows), oracle_value(oracle, set, "rand", linkage, k), 1, "rand", k);
    }
    for (size_t k = 1; k <= MOST; k++) {
        gap[k - 1] = oracle_value(oracle, set, "gap", linkage, k);
        error[k - 1] = oracle_value(oracle, set, "error", linkage, k);
    }
    assert_int_equal(ws_gap_choice(gap, error, MOST), (size_t)oracle_value(oracle, set, "tibshirani", linkage, 0));
    ws_tree_destroy(tree);
    ws_tree_destroy(complete);
    free(cut);
    free(other);
}

static void test_oracle(void **state)
{
    (void)state;
    static const char *const sets[] = {"mixed", "states"};
    ws_frame *oracle = NULL;
    assert_int_equal(ws_frame_load("tests/oracle/choice.oracle.csv", &oracle), WS_OK);
    for (size_t s = 0; s < 2; s++) {
        ws_frame *f = oracle_points(sets[s]);
        for (int l = 0; l < WS_LINKAGES; l++)
            check_linkage(oracle, sets[s], f, (ws_linkage)l);
        for (size_t c = 0; c < f->columns; c++) {
            ws_frame *one = NULL;
            double r;
            assert_int_equal(ws_frame_pick_columns(f, &c, 1, &one), WS_OK);
            assert_int_equal(ws_distance_agreement(f->value, f->columns, one->value, 1, f->rows, 0, 1, &r, NULL),
                             WS_OK);
            assert_near(r, oracle_value(oracle, sets[s], "mantel", WS_LINKAGES, c + 1), 1, "mantel", c);
            ws_frame_destroy(one);
        }
        ws_frame_destroy(f);
    }
    ws_frame_destroy(oracle);
}

static void test_choice_by_hand(void **state)
{
    (void)state;
    static const double rising[] = {0, 1, 2, 3}, none[] = {0, 0, 0, 0}, error[] = {0, 0.1, 0.1, 0.1};
    static const double knee[] = {0.1, 0.5, 1.4, 1.45}, gone[] = {NAN, NAN, NAN, NAN};
    assert_int_equal(ws_gap_choice(rising, error, 4), 4);
    assert_int_equal(ws_gap_choice(none, error, 4), 1);
    assert_int_equal(ws_gap_choice(knee, error, 4), 3); /* 1.4 >= 1.45 - 0.1 */
    assert_int_equal(ws_gap_choice(gone, error, 4), 4);
}

/* Twelve rows in groups far apart. */
static ws_frame *make_groups(size_t groups)
{
    static const char *const label[] = {"row"};
    ws_frame *f = ws_frame_create(12, 2, 1, label);
    assert_non_null(f);
    for (size_t i = 0; i < 12; i++) {
        f->value[2 * i] = 100 * (double)(i % groups) + 0.3 * (double)(i / groups);
        f->value[2 * i + 1] = 70 * (double)(i % groups == 1) - 0.4 * (double)(i * i % 5);
        assert_int_equal(ws_frame_set_label(f, i, 0, (const char[]){(char)('A' + i), 0}), WS_OK);
    }
    assert_int_equal(ws_frame_set_column(f, 0, "PC1", "", ""), WS_OK);
    assert_int_equal(ws_frame_set_column(f, 1, "PC2", "", ""), WS_OK);
    return f;
}

/* Two groups are found by both; three by the silhouette (in the gap, one cluster beats two, and the first wins). */
static void test_groups_are_counted(void **state)
{
    (void)state;
    ws_frame *choice = NULL;
    for (size_t groups = 2; groups <= 3; groups++) {
        ws_frame *f = make_groups(groups);
        assert_int_equal(ws_choice_frame(f, 6, groups == 2 ? 50 : 0, 1, &choice), WS_OK);
        assert_int_equal(choice->rows, WS_LINKAGES);
        assert_int_equal(choice->columns, groups == 2 ? 5 : 3);
        for (size_t l = 0; l < choice->rows; l++) {
            assert_string_equal(choice->label[l], ws_linkage_name((ws_linkage)l));
            const double *const v = choice->value + l * choice->columns;
            assert_true(v[0] > 0.9 && v[0] <= 1); /* cophenetic */
            assert_int_equal((size_t)v[1], groups);
            assert_true(v[2] > 0.9 && v[2] <= 1);
            if (groups == 2) {
                assert_int_equal((size_t)v[3], groups);
                assert_true(v[4] > 1);
            }
        }
        ws_frame_destroy(choice);
        assert_int_equal(ws_choice_frame(f, 12, 0, 1, &choice), WS_EINPUT);
        assert_int_equal(ws_choice_frame(f, 1, 0, 1, &choice), WS_EINPUT);
        ws_frame_destroy(f);
    }
}

static void test_views(void **state)
{
    (void)state;
    static const size_t size[] = {3, 5};
    const ws_agreement_request request = {size, 2, 99, 1};
    ws_frame *f = make_groups(3), *out = NULL;
    const ws_view view[] = {{"one", f, WS_METHOD_single}, {"one", f, WS_METHOD_complete}, {"two", f, WS_METHOD_ward}};
    assert_int_equal(ws_agreement_frame(view, 3, &request, &out), WS_OK);
    assert_int_equal(out->rows, 6);
    assert_string_equal(out->label[0], "one single");
    assert_string_equal(out->label[1], "one complete");
    assert_string_equal(out->label[2], "3");
    assert_string_equal(out->label[3 * 5], "one complete");
    assert_string_equal(out->label[3 * 5 + 1], "two ward");
    for (size_t i = 0; i < 6; i++) {
        assert_float_equal(out->value[4 * i + 2], 1, 1e-12);
        if (i % 2 == 0) {
            assert_float_equal(out->value[4 * i], 1, 0); /* three groups, whatever the linkage */
            assert_float_equal(out->value[4 * i + 1], 1, 0);
        }
    }
    ws_frame_destroy(out);
    static const size_t wrong[] = {13};
    const ws_agreement_request refused = {wrong, 1, 0, 1};
    assert_int_equal(ws_agreement_frame(view, 2, &refused, &out), WS_EINPUT);
    assert_non_null(strstr(ws_message(), "from 1 to 12"));
    ws_frame_destroy(f);
}

/* ---------------------------------------------------------------- coverage */

static ws_frame *line_of(const double *x, size_t n)
{
    ws_frame *const f = ws_frame_create(n, 1, 1, NULL);
    assert_int_equal(ws_frame_set_column(f, 0, "PC1", "", ""), WS_OK);
    for (size_t i = 0; i < n; i++) {
        const char name[] = {(char)('A' + i), '\0'};
        assert_int_equal(ws_frame_set_label(f, i, 0, name), WS_OK);
        f->value[i] = x[i];
    }
    return f;
}

/* Nearest neighbours are 1, 1, 2 and 7 away. */
static void test_places_by_hand(void **state)
{
    (void)state;
    static const double suite[] = {0, 1, 3, 10}, placed[] = {1, 4.5, 30, 12}, distance[] = {0, 1.5, 20, 2},
                        percentile[] = {0, 50, 100, 62.5};
    ws_frame *points = line_of(suite, 4), *others = line_of(placed, 4), *out = NULL;
    assert_int_equal(ws_coverage_place(points, "p.csv", others, &out), WS_OK);
    for (size_t i = 0; i < 4; i++) {
        assert_float_equal(out->value[2 * i], distance[i], 1e-15);
        assert_float_equal(out->value[2 * i + 1], percentile[i], 1e-12);
    }
    assert_string_equal(out->label[1], "B");
    assert_string_equal(out->label[2 * 2 + 1], "D");
    ws_frame_destroy(out);
    out = NULL;
    assert_int_equal(ws_frame_set_column(others, 0, "PC2", "", ""), WS_OK);
    assert_int_equal(ws_coverage_place(points, "p.csv", others, &out), WS_EINPUT);
    assert_null(out);
    ws_frame_destroy(points);
    ws_frame_destroy(others);
}

/* The widest gap of a line is the middle of its widest interval; the next one the middle of what is widest then. */
static void test_holes_of_a_line(void **state)
{
    (void)state;
    static const double suite[] = {0, 1, 3, 10, 14};
    ws_frame *points = line_of(suite, 5), *out = NULL;
    assert_int_equal(ws_coverage_holes(points, "p.csv", 2, 1, &out), WS_OK);
    assert_float_equal(out->value[0], 3.5, 0.01);
    assert_float_equal(out->value[1], 3.5 / 2, 0.01); /* neighbours 1 1 2 4 4 */
    assert_float_equal(out->value[WS_COVERAGE_LEAD], 6.5, 0.01);
    assert_float_equal(out->value[out->columns], 2, 0.01);
    assert_float_equal(out->value[out->columns + WS_COVERAGE_LEAD], 12, 0.01);
    ws_frame_destroy(out);
    ws_frame_destroy(points);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rand_by_hand),
        cmocka_unit_test(test_shared_members),
        cmocka_unit_test(test_distances_by_hand),
        cmocka_unit_test(test_probability_of_chance),
        cmocka_unit_test(test_shuffles_are_counted_as_defined),
        cmocka_unit_test(test_silhouettes_of_all_cuts),
        cmocka_unit_test(test_oracle),
        cmocka_unit_test(test_choice_by_hand),
        cmocka_unit_test(test_groups_are_counted),
        cmocka_unit_test(test_views),
        cmocka_unit_test(test_places_by_hand),
        cmocka_unit_test(test_holes_of_a_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
