/* test_stability.c - does the bootstrap over columns tell a firm subset from an accidental one, and always the same? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/status.h"
#include "cluster/stability.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Columns as they are: the points. */
static int keep(const ws_frame *features, void *context, ws_frame **points)
{
    (void)context;
    size_t *row = malloc(features->rows * sizeof *row);
    assert_non_null(row);
    for (size_t i = 0; i < features->rows; i++)
        row[i] = i;
    const int rc = ws_frame_pick_rows(features, row, features->rows, points);
    free(row);
    return rc;
}

static int refuse(const ws_frame *features, void *context, ws_frame **points)
{
    (void)features;
    (void)context;
    (void)points;
    return ws_fail(WS_ENUMERIC, "no reduction today");
}

static ws_frame *make(size_t rows, size_t columns, double (*value)(size_t row, size_t column))
{
    static const char *const label[] = {"row"};
    ws_frame *f = ws_frame_create(rows, columns, 1, label);
    assert_non_null(f);
    char name[16];
    for (size_t i = 0; i < rows; i++) {
        snprintf(name, sizeof name, "r%zu", i);
        assert_int_equal(ws_frame_set_label(f, i, 0, name), WS_OK);
        for (size_t c = 0; c < columns; c++)
            f->value[i * columns + c] = value(i, c);
    }
    for (size_t c = 0; c < columns; c++) {
        snprintf(name, sizeof name, "c%zu", c);
        assert_int_equal(ws_frame_set_column(f, c, name, "", ""), WS_OK);
    }
    return f;
}

/* Three rows about each of three centres, the middle one of each in the middle of all columns. */
static double groups(size_t row, size_t column)
{
    return column == 5 ? 1 : 100 * (double)(row / 3) + (double)(row % 3) * (1 + 0.1 * (double)column);
}

static double noise(size_t row, size_t column)
{
    uint64_t z = (row * 131 + column + 1) * UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    return (double)(z >> 40) / 65536;
}

static ws_stability run(const ws_frame *f, size_t draws, uint64_t seed, unsigned workers)
{
    static const size_t size[] = {3, 5};
    const ws_stability_request request = {.method = WS_METHOD_complete,
                                          .size = size,
                                          .sizes = 2,
                                          .draws = draws,
                                          .seed = seed,
                                          .workers = workers,
                                          .reduce = keep};
    ws_stability out;
    if (ws_stability_run(f, "f", &request, &out) != WS_OK)
        fail_msg("%s", ws_message());
    return out;
}

static void test_firm_groups_survive(void **state)
{
    (void)state;
    ws_frame *f = make(9, 6, groups);
    ws_stability s = run(f, 50, 1, 1);
    assert_int_equal(s.rows->rows, 18);
    assert_string_equal(s.rows->label_names[0], "size");
    assert_string_equal(s.rows->label_names[1], "row");
    for (size_t i = 0; i < 9; i++) { /* size 3 */
        const double *const v = s.rows->value + 4 * i;
        assert_float_equal(v[0], (double)(i % 3 == 1), 0);
        assert_float_equal(v[1], 1 + (double)(i / 3), 0);
        assert_float_equal(v[2], (double)(i % 3 == 1), 0); /* in every draw, and no other row in any */
        assert_float_equal(v[3], 1, 0);
    }
    for (size_t c = 0; c < 3; c++)
        assert_float_equal(s.sizes->value[c], 1, 1e-12);
    double chosen = 0; /* every draw chooses five of size 5 */
    for (size_t i = 9; i < 18; i++)
        chosen += s.rows->value[4 * i + 2];
    assert_float_equal(chosen, 5, 1e-12);
    ws_stability_fini(&s);
    ws_frame_destroy(f);
}

static void test_noise_does_not(void **state)
{
    (void)state;
    ws_frame *f = make(20, 8, noise);
    ws_stability s = run(f, 200, 1, 2);
    for (size_t k = 0; k < 2; k++) {
        assert_true(s.sizes->value[3 * k] < 0.7);
        assert_true(s.sizes->value[3 * k + 1] < 0.7);
        assert_true(s.sizes->value[3 * k + 2] <= s.sizes->value[3 * k + 1]);
    }
    ws_stability_fini(&s);
    ws_frame_destroy(f);
}

static void test_workers_change_nothing(void **state)
{
    (void)state;
    ws_frame *f = make(20, 8, noise);
    ws_stability one = run(f, 101, 3, 1), three = run(f, 101, 3, 3), other = run(f, 101, 4, 3);
    assert_memory_equal(one.rows->value, three.rows->value, one.rows->rows * 4 * sizeof(double));
    assert_memory_equal(one.sizes->value, three.sizes->value, 2 * 3 * sizeof(double));
    assert_memory_not_equal(one.rows->value, other.rows->value, one.rows->rows * 4 * sizeof(double));
    ws_stability_fini(&one);
    ws_stability_fini(&three);
    ws_stability_fini(&other);
    ws_frame_destroy(f);
}

static void test_one_column_is_drawn_again_and_again(void **state)
{
    (void)state;
    ws_frame *f = make(9, 1, groups);
    ws_stability s = run(f, 10, 1, 1);
    for (size_t i = 0; i < 18; i++)
        assert_float_equal(s.rows->value[4 * i + 2], s.rows->value[4 * i], 0);
    ws_stability_fini(&s);
    ws_frame_destroy(f);
}

static void refuses(const ws_frame *f, ws_stability_request request, int status, const char *words)
{
    ws_stability out;
    assert_int_equal(ws_stability_run(f, "f.csv", &request, &out), status);
    assert_non_null(strstr(ws_message(), words));
    assert_null(out.rows);
    assert_null(out.sizes);
}

static double same(size_t row, size_t column)
{
    (void)row;
    return (double)column;
}

static void test_refuses(void **state)
{
    (void)state;
    static const size_t ten = 10, two = 2, none = 0;
    ws_frame *f = make(9, 6, groups), *flat = make(4, 3, same);
    const ws_stability_request good = {
        .method = WS_METHOD_single, .size = &two, .sizes = 1, .draws = 9, .seed = 1, .workers = 3, .reduce = keep};
    ws_stability_request wrong = good;
    wrong.size = &ten;
    refuses(f, wrong, WS_EINPUT, "sizes from 1 to 9");
    wrong.size = &none;
    refuses(f, wrong, WS_EINPUT, "found 0");
    wrong = good;
    wrong.draws = 0;
    refuses(f, wrong, WS_EINPUT, "at least one draw");
    wrong = good;
    wrong.reduce = refuse;
    refuses(f, wrong, WS_ENUMERIC, "no reduction today");
    refuses(flat, good, WS_ENUMERIC, "no column varies");
    f->value[7] = NAN;
    refuses(f, good, WS_EINPUT, "f.csv");
    ws_frame_destroy(f);
    ws_frame_destroy(flat);
}

/* docs/statistics.md: 1000 up to 1000 rows, then for the same time, at least 100. */
static void test_usual_draws(void **state)
{
    (void)state;
    assert_int_equal(ws_stability_draws(2), 1000);
    assert_int_equal(ws_stability_draws(1000), 1000);
    assert_int_equal(ws_stability_draws(2000), 250);
    assert_int_equal(ws_stability_draws(4000), 100);
    assert_int_equal(ws_stability_draws(SIZE_MAX), 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_firm_groups_survive),
        cmocka_unit_test(test_noise_does_not),
        cmocka_unit_test(test_workers_change_nothing),
        cmocka_unit_test(test_one_column_is_drawn_again_and_again),
        cmocka_unit_test(test_refuses),
        cmocka_unit_test(test_usual_draws),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
