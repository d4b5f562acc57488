/* test_placement.c - do labels keep clear of one another, of the points and of the edge? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "plots/placement.h"

#include <gsl/gsl_rng.h>
#include <string.h>

enum { LABELS = 38 };

static const ws_box page = {0, 0, 560, 400};

static void scatter(ws_label *label, size_t n, unsigned long seed)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
    gsl_rng_set(rng, seed);
    for (size_t i = 0; i < n; i++)
        label[i] = (ws_label){.x = 20 + 520 * gsl_rng_uniform(rng),
                              .y = 20 + 360 * gsl_rng_uniform(rng),
                              .radius = 4,
                              .width = 15 + 40 * gsl_rng_uniform(rng),
                              .height = 11};
    gsl_rng_free(rng);
}

static int covers(const ws_label *l, double x, double y)
{
    return x > l->cx - l->width / 2 && x < l->cx + l->width / 2 && y > l->cy - l->height / 2 &&
           y < l->cy + l->height / 2;
}

static int overlap(const ws_label *a, const ws_label *b)
{
    return 2 * (a->cx > b->cx ? a->cx - b->cx : b->cx - a->cx) < a->width + b->width - 1e-9 &&
           2 * (a->cy > b->cy ? a->cy - b->cy : b->cy - a->cy) < a->height + b->height - 1e-9;
}

static void assert_clear(const ws_label *label, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        assert_true(label[i].cx - label[i].width / 2 >= page.left && label[i].cx + label[i].width / 2 <= page.right);
        assert_true(label[i].cy - label[i].height / 2 >= page.top && label[i].cy + label[i].height / 2 <= page.bottom);
        for (size_t j = 0; j < n; j++) {
            assert_false(covers(&label[i], label[j].x, label[j].y));
            assert_false(i != j && overlap(&label[i], &label[j]));
        }
    }
}

static void spread_points_have_clear_labels(void **state)
{
    (void)state;
    ws_label label[LABELS];
    for (unsigned long seed = 1; seed <= 20; seed++) {
        scatter(label, LABELS, seed);
        assert_int_equal(ws_labels_place(label, LABELS, &page), 0);
        assert_clear(label, LABELS);
    }
}

static void a_heap_of_points_is_spread_with_leaders(void **state)
{
    (void)state;
    ws_label label[12];
    for (size_t i = 0; i < 12; i++)
        label[i] =
            (ws_label){.x = 280 + (double)(i % 3), .y = 200 + (double)(i / 3), .radius = 4, .width = 30, .height = 11};
    assert_int_equal(ws_labels_place(label, 12, &page), 0);
    assert_clear(label, 12);
    int leaders = 0;
    for (size_t i = 0; i < 12; i++)
        leaders += label[i].leader;
    assert_in_range(leaders, 4, 12);
}

static void leaders_end_at_the_edge_of_the_text(void **state)
{
    (void)state;
    ws_label label[12];
    for (size_t i = 0; i < 12; i++)
        label[i] = (ws_label){.x = 280, .y = 200, .radius = 4, .width = 30, .height = 11};
    ws_labels_place(label, 12, &page);
    for (size_t i = 0; i < 12; i++) {
        assert_false(covers(&label[i], label[i].lx + (label[i].lx - label[i].cx) * 1e-6,
                            label[i].ly + (label[i].ly - label[i].cy) * 1e-6));
        assert_true(label[i].lx >= label[i].cx - label[i].width / 2 - 1e-9 &&
                    label[i].lx <= label[i].cx + label[i].width / 2 + 1e-9);
    }
}

static void corners_keep_their_labels_inside(void **state)
{
    (void)state;
    ws_label label[4] = {{.x = 1, .y = 1}, {.x = 559, .y = 1}, {.x = 1, .y = 399}, {.x = 559, .y = 399}};
    for (size_t i = 0; i < 4; i++)
        label[i].radius = 4, label[i].width = 60, label[i].height = 11;
    assert_int_equal(ws_labels_place(label, 4, &page), 0);
    assert_clear(label, 4);
}

static void the_same_points_give_the_same_places(void **state)
{
    (void)state;
    ws_label one[LABELS], other[LABELS];
    scatter(one, LABELS, 5);
    scatter(other, LABELS, 5);
    ws_labels_place(one, LABELS, &page);
    ws_labels_place(other, LABELS, &page);
    for (size_t i = 0; i < LABELS; i++) {
        assert_true(one[i].cx == other[i].cx && one[i].cy == other[i].cy);
        assert_int_equal(one[i].leader, other[i].leader);
    }
}

static void overlaps_that_stay_are_counted(void **state)
{
    (void)state;
    const ws_box narrow = {0, 0, 32, 12};
    ws_label label[3];
    for (size_t i = 0; i < 3; i++)
        label[i] = (ws_label){.x = 16, .y = 6, .radius = 1, .width = 30, .height = 11};
    assert_true(ws_labels_place(label, 3, &narrow) > 0 || label[1].leader || label[2].leader);
    assert_int_equal(ws_labels_place(label, 0, &narrow), 0);
}

static void covered_points_are_counted(void **state)
{
    (void)state;
    enum { ACROSS = 30, DOWN = 20 };
    static ws_label label[ACROSS * DOWN]; /* a lattice too narrow for any text between its points */
    for (size_t i = 0; i < ACROSS * DOWN; i++)
        label[i] = (ws_label){.x = 10.0 + 18 * (double)(i % ACROSS),
                              .y = 10.0 + 18 * (double)(i / ACROSS),
                              .radius = 4,
                              .width = i == 10 * ACROSS + 15 ? 60 : 0.1,
                              .height = i == 10 * ACROSS + 15 ? 11 : 0.1};
    assert_in_range(ws_labels_place(label, ACROSS * DOWN, &page), 1, 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spread_points_have_clear_labels),
        cmocka_unit_test(a_heap_of_points_is_spread_with_leaders),
        cmocka_unit_test(leaders_end_at_the_edge_of_the_text),
        cmocka_unit_test(corners_keep_their_labels_inside),
        cmocka_unit_test(the_same_points_give_the_same_places),
        cmocka_unit_test(overlaps_that_stay_are_counted),
        cmocka_unit_test(covered_points_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
