/* test_correlation.c - trees of columns beside a search that knows nothing but the definition of 1 - |r| and of the
 * linkage. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/status.h"
#include "cluster/correlation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 9, COLUMNS = 7, PAIRS = COLUMNS * (COLUMNS - 1) / 2 };

static ws_frame *frame_of(size_t rows, size_t columns)
{
    static const char *const label[] = {"row"};
    ws_frame *const frame = ws_frame_create(rows, columns, 1, label);
    assert_non_null(frame);
    uint32_t state = 7;
    for (size_t i = 0; i < rows * columns; i++) {
        state = state * 1664525u + 1013904223u; /* Numerical Recipes' generator */
        frame->value[i] = (double)(state >> 16) / 65536;
    }
    for (size_t j = 0; j < columns; j++) {
        char name[8];
        snprintf(name, sizeof name, "c%zu", j + 1);
        assert_int_equal(ws_frame_set_column(frame, j, name, "", ""), WS_OK);
    }
    return frame;
}

/* r by the formula of sums, which ours does not use. */
static double far_apart(const ws_frame *f, size_t a, size_t b)
{
    double n = (double)f->rows, x = 0, y = 0, xx = 0, yy = 0, xy = 0;
    for (size_t i = 0; i < f->rows; i++) {
        const double p = f->value[i * f->columns + a], q = f->value[i * f->columns + b];
        x += p, y += q, xx += p * p, yy += q * q, xy += p * q;
    }
    return 1 - fabs((n * xy - x * y) / sqrt((n * xx - x * x) * (n * yy - y * y)));
}

/* Distance of two clusters by the definition of the linkage: over all pairs of members. */
static double between(const ws_frame *f, const size_t *cluster, size_t a, size_t b, ws_linkage linkage)
{
    double least = INFINITY, most = 0, sum = 0;
    size_t pairs = 0;
    for (size_t i = 0; i < f->columns; i++)
        for (size_t j = 0; j < f->columns; j++)
            if (cluster[i] == a && cluster[j] == b) {
                const double d = far_apart(f, i, j);
                least = fmin(least, d), most = fmax(most, d), sum += d, pairs++;
            }
    return linkage == WS_LINKAGE_single ? least : linkage == WS_LINKAGE_complete ? most : sum / (double)pairs;
}

static void trees_are_those_of_the_definition(void **state)
{
    static const ws_linkage linkages[] = {WS_LINKAGE_single, WS_LINKAGE_complete, WS_LINKAGE_average};
    (void)state;
    ws_frame *const f = frame_of(ROWS, COLUMNS);
    double *distance;
    assert_int_equal(ws_correlation_distances(f, &distance), WS_OK);
    for (size_t l = 0; l < 3; l++) {
        ws_tree *tree;
        size_t cluster[COLUMNS];
        for (size_t j = 0; j < COLUMNS; j++)
            cluster[j] = j;
        assert_int_equal(ws_correlation_tree(distance, COLUMNS, linkages[l], &tree), WS_OK);
        for (size_t m = 0; m + 1 < COLUMNS; m++) {
            double least = INFINITY;
            size_t a = 0, b = 0;
            for (size_t i = 0; i < COLUMNS; i++)
                for (size_t j = i + 1; j < COLUMNS; j++)
                    if (cluster[i] != cluster[j] && between(f, cluster, cluster[i], cluster[j], linkages[l]) < least) {
                        least = between(f, cluster, cluster[i], cluster[j], linkages[l]);
                        a = cluster[i], b = cluster[j];
                    }
            assert_true(fabs(tree->merge[m].height - least) < 1e-12);
            for (size_t j = 0; j < COLUMNS; j++)
                cluster[j] = cluster[j] == b ? a : cluster[j];
        }
        ws_tree_destroy(tree);
    }
    free(distance);
    ws_frame_destroy(f);
}

/* A column and its negative are the same; one that has nothing to do with it is 1 away, or less. */
static void signs_do_not_matter(void **state)
{
    (void)state;
    static const double value[] = {1, -2, 1, 2, -4, -1, 3, -6, 1, 4, -8, -1};
    ws_frame *const f = frame_of(4, 3);
    memcpy(f->value, value, sizeof value);
    double *distance;
    assert_int_equal(ws_correlation_distances(f, &distance), WS_OK);
    assert_true(distance[0] == 0);
    assert_true(fabs(distance[1] - (1 - 2 / sqrt(20.0))) < 1e-12); /* x = 1 .. 4, y = 1 -1 1 -1: r = -2 / sqrt(5 * 4) */
    ws_tree *tree;
    ws_frame *groups;
    assert_int_equal(ws_correlation_tree(distance, 3, WS_LINKAGE_complete, &tree), WS_OK);
    assert_int_equal(ws_correlation_groups(f, distance, tree, 2, &groups), WS_OK);
    static const double expected[] = {1, 1, 1, 0, 2, 1};
    assert_memory_equal(groups->value, expected, sizeof expected);
    ws_frame_destroy(groups);
    ws_tree_destroy(tree);
    free(distance);
    ws_frame_destroy(f);
}

/* r of x = 1 2 3 4 and y = 1 -1 1 -1, whatever their units and offsets. */
static void magnitudes_do_not_matter(void **state)
{
    (void)state;
    static const double scale[] = {1e300, 1e-300, 1, 5e-324}, offset[] = {0, 0, 1e12, 0};
    ws_frame *const f = frame_of(4, 2);
    for (size_t i = 0; i < 16; i++) {
        for (size_t row = 0; row < 4; row++) {
            f->value[2 * row] = ((double)row + 1) * scale[i / 4] + offset[i / 4];
            f->value[2 * row + 1] = (row % 2 ? -1 : 1) * scale[i % 4] + offset[i % 4];
        }
        double *distance;
        assert_int_equal(ws_correlation_distances(f, &distance), WS_OK);
        assert_true(fabs(distance[0] - (1 - 2 / sqrt(20.0))) < 1e-12);
        free(distance);
    }
    ws_frame_destroy(f);
}

static void what_cannot_correlate_is_refused(void **state)
{
    (void)state;
    ws_frame *const f = frame_of(4, 2), *const one = frame_of(4, 1);
    double *distance;
    assert_int_equal(ws_correlation_distances(one, &distance), WS_EINPUT);
    assert_non_null(strstr(ws_message(), "at least 2 columns"));
    for (size_t i = 0; i < 4; i++)
        f->value[2 * i + 1] = 0.1;
    assert_int_equal(ws_correlation_distances(f, &distance), WS_EINPUT);
    assert_non_null(strstr(ws_message(), "'c2' does not vary"));
    f->value[1] = NAN;
    assert_int_equal(ws_correlation_distances(f, &distance), WS_EINPUT);
    assert_non_null(strstr(ws_message(), "no number in column 'c2'"));
    ws_frame_destroy(f);
    ws_frame_destroy(one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_are_those_of_the_definition),
        cmocka_unit_test(signs_do_not_matter),
        cmocka_unit_test(magnitudes_do_not_matter),
        cmocka_unit_test(what_cannot_correlate_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
