/* test_description.c - are test values of clusters those of R, and do the laws of the method hold? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "cluster/cluster.h"
#include "cluster/description.h"
#include "tests/unit/oracle.h"

#include <stdlib.h>

enum { CLUSTER, SIZE, V, P, MEAN, SD, MEAN_ALL, SD_ALL, COLUMNS };
enum { CLUSTERS = 4 }; /* of make_description.R */

static ws_frame *describe(const ws_frame *frame, const size_t *cluster, size_t k, double level)
{
    ws_frame *out = NULL;
    if (ws_description_frame(frame, cluster, k, level, &out) != WS_OK)
        fail_msg("%s", ws_message());
    assert_int_equal(out->columns, COLUMNS);
    return out;
}

/* The row of a column in a cluster, or NULL. */
static const double *find(const ws_frame *out, const char *column, size_t cluster)
{
    for (size_t i = 0; i < out->rows; i++)
        if (out->value[i * COLUMNS + CLUSTER] == (double)cluster && strcmp(out->label[i], column) == 0)
            return out->value + i * COLUMNS;
    return NULL;
}

/* A frame of one label and columns a, b ... */
static ws_frame *make_frame(size_t rows, size_t columns, const double *value)
{
    ws_frame *frame = ws_frame_create(rows, columns, 1, NULL);
    assert_non_null(frame);
    memcpy(frame->value, value, rows * columns * sizeof *value);
    for (size_t j = 0; j < columns; j++)
        assert_int_equal(ws_frame_set_column(frame, j, (const char[]){(char)('a' + j), 0}, "", ""), WS_OK);
    return frame;
}

static void compare(const ws_frame *oracle, const char *set)
{
    static const char *const names[COLUMNS] = {
        [V] = "v", [P] = "p", [MEAN] = "mean", [SD] = "sd", [MEAN_ALL] = "mean_all", [SD_ALL] = "sd_all"};
    ws_frame *points = oracle_points(set);
    size_t *cluster = malloc(points->rows * sizeof *cluster), seen = 0;
    ws_tree *tree = NULL;
    assert_int_equal(ws_cluster_build(points->value, points->rows, points->columns, WS_LINKAGE_complete, &tree), WS_OK);
    assert_int_equal(ws_tree_cut(tree, CLUSTERS, cluster), WS_OK);
    ws_frame *out = describe(points, cluster, CLUSTERS, 1);
    for (size_t row = 0; row < oracle->rows; row++) {
        const double *const o = oracle->value + 3 * row;
        if (strcmp(oracle->label[2 * row], set) != 0)
            continue;
        const double *const mine = find(out, points->column[(size_t)o[1] - 1].name, (size_t)o[0]);
        assert_non_null(mine);
        for (size_t c = V; c < COLUMNS; c++)
            if (strcmp(names[c], oracle->label[2 * row + 1]) == 0) {
                assert_near(mine[c], o[2], c == P ? 0 : 1, names[c], row);
                seen++;
            }
    }
    assert_int_equal(seen, CLUSTERS * points->columns * (COLUMNS - V));
    assert_int_equal(out->rows, CLUSTERS * points->columns);
    ws_frame_destroy(out);
    ws_tree_destroy(tree);
    free(cluster);
    ws_frame_destroy(points);
}

static void test_oracle(void **state)
{
    (void)state;
    ws_frame *oracle = NULL;
    assert_int_equal(ws_frame_load("tests/oracle/description.oracle.csv", &oracle), WS_OK);
    compare(oracle, "mixed");
    compare(oracle, "states");
    ws_frame_destroy(oracle);
}

/* 0 0 0 3 3 in clusters of 3 and 2: mean 1.2, s2 2.16, v = 1.2 / sqrt(2.16 / 3 * 2 / 4) = 2, and as much in the other.
 */
static void test_by_hand(void **state)
{
    (void)state;
    ws_frame *frame = make_frame(5, 1, (const double[]){0, 0, 0, 3, 3});
    ws_frame *out = describe(frame, (const size_t[]){1, 1, 1, 2, 2}, 2, 0.05);
    assert_int_equal(out->rows, 2);
    const double *const v = out->value;
    const double expected[2][COLUMNS] = {{1, 3, -2, 0.045500263896358417, 0, 0, 1.2, sqrt(2.16)},
                                         {2, 2, 2, 0.045500263896358417, 3, 0, 1.2, sqrt(2.16)}};
    for (size_t i = 0; i < 2 * (size_t)COLUMNS; i++)
        assert_near(v[i], expected[i / COLUMNS][i % COLUMNS], 1e-6, "by hand", i);
    ws_frame_destroy(out);
    out = describe(frame, (const size_t[]){1, 1, 1, 2, 2}, 2, 0.045);
    assert_int_equal(out->rows, 0);
    assert_int_equal(out->notes, 3);
    assert_string_equal(out->note[1], "cluster 1: 3 rows, no column distinguishes it");
    ws_frame_destroy(out);
    ws_frame_destroy(frame);
}

/* Rows are ordered by |v|, equal ones by column; constant columns have none. */
static void test_order(void **state)
{
    (void)state;
    ws_frame *frame =
        make_frame(6, 4, (const double[]){1, 0, 7, 9, 2, 0, 7, 9, 2, 0, 7, 8, 1, 5, 7, 1, 2, 5, 7, 1, 1, 5, 7, 2});
    ws_frame *out = describe(frame, (const size_t[]){1, 1, 1, 2, 2, 2}, 2, 1);
    static const char *const order[] = {"b", "d", "a"};
    assert_int_equal(out->rows, 6);
    for (size_t i = 0; i < 6; i++)
        assert_string_equal(out->label[i], order[i % 3]);
    assert_string_equal(out->note[0], "left out as constant: 1 of 4 columns: c");
    ws_frame_destroy(out);
    for (size_t i = 0; i < 6; i++)
        frame->value[4 * i] = frame->value[4 * i + 3] = -frame->value[4 * i + 1];
    out = describe(frame, (const size_t[]){1, 1, 1, 2, 2, 2}, 2, 1);
    static const char *const tied[] = {"a", "b", "d"};
    for (size_t i = 0; i < 6; i++)
        assert_string_equal(out->label[i], tied[i % 3]);
    ws_frame_destroy(out);
    ws_frame_destroy(frame);
}

/* v depends neither on the unit of a column nor on its offset; weighted by sizes, the means of clusters are that of
 * all. */
static void test_scale(void **state)
{
    (void)state;
    enum { N = 12 };
    static const double scale[] = {1, 1e300, 1e-300, -2.5}, offset[] = {0, 0, 0, 1e9};
    const size_t cluster[N] = {1, 2, 1, 3, 3, 2, 1, 1, 3, 2, 1, 1}, size[] = {6, 3, 3};
    double value[N], first[3] = {0}, sd[3] = {0};
    for (size_t s = 0; s < sizeof scale / sizeof scale[0]; s++) {
        double sum = 0;
        for (size_t i = 0; i < N; i++)
            value[i] = offset[s] + scale[s] * (double)(i * i % 7);
        ws_frame *frame = make_frame(N, 1, value), *const out = describe(frame, cluster, 3, 1);
        for (size_t c = 0; c < 3; c++) {
            const double *const v = find(out, "a", c + 1);
            assert_non_null(v);
            first[c] = s ? first[c] : v[V];
            assert_near(v[V], scale[s] < 0 ? -first[c] : first[c], 1, "v", s);
            sd[c] = s ? sd[c] : v[SD];
            assert_near(v[SD], fabs(scale[s]) * sd[c], 0, "sd", s);
            assert_int_equal((size_t)v[SIZE], size[c]);
            sum += v[MEAN] * v[SIZE] / N;
        }
        assert_near(sum, out->value[MEAN_ALL], 0, "mean", s);
        ws_frame_destroy(out);
        ws_frame_destroy(frame);
    }
}

static void test_one_cluster(void **state)
{
    (void)state;
    ws_frame *frame = make_frame(2, 1, (const double[]){0, 1}), *out = NULL;
    assert_int_equal(ws_description_frame(frame, (const size_t[]){1, 1}, 1, 1, &out), WS_EINPUT);
    assert_null(out);
    ws_frame_destroy(frame);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_oracle), cmocka_unit_test(test_by_hand),     cmocka_unit_test(test_order),
        cmocka_unit_test(test_scale),  cmocka_unit_test(test_one_cluster),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
