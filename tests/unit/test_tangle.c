/* test_tangle.c - is the entanglement dendextend's, and are branches turned as far as a turn helps? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/status.h"
#include "cluster/cluster.h"
#include "cluster/tangle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double entanglement(const size_t *a, const size_t *b, size_t n)
{
    double e;
    assert_int_equal(ws_entanglement(a, b, n, &e), WS_OK);
    return e;
}

static double of(const ws_tree *a, const ws_tree *b)
{
    return entanglement(a->order, b->order, a->leaves);
}

static uint64_t next(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

static ws_tree *random_tree(size_t rows, ws_linkage linkage, uint64_t seed)
{
    double *const point = malloc(2 * rows * sizeof *point);
    ws_tree *tree = NULL;
    for (size_t i = 0; i < 2 * rows; i++)
        point[i] = (double)(next(&seed) >> 40);
    assert_int_equal(ws_cluster_build(point, rows, 2, linkage, &tree), WS_OK);
    free(point);
    return tree;
}

/* The leaf order that follows from the merges. */
static size_t walk(const ws_tree *tree, long part, size_t *order)
{
    if (part < 0) {
        *order = (size_t)-part - 1;
        return 1;
    }
    const size_t left = walk(tree, tree->merge[part - 1].left, order);
    return left + walk(tree, tree->merge[part - 1].right, order + left);
}

static void check_order(const ws_tree *tree)
{
    size_t *const order = malloc(tree->leaves * sizeof *order);
    assert_int_equal(walk(tree, (long)tree->leaves - 1, order), tree->leaves);
    assert_memory_equal(order, tree->order, tree->leaves * sizeof *order);
    free(order);
}

/* The places of 1 2 5 3 4 (R's average linkage of 1..5) and 5 4 3 2 1 differ by 4, 2, 2, 1 and 3; those of opposite
 * orders by 4, 2, 0, 2 and 4. The same sums in R give the 0.91 that the manual of dendextend's entanglement() prints
 * for complete and single linkage of its 150 irises. */
static void test_entanglement(void **state)
{
    (void)state;
    static const size_t up[] = {0, 1, 4, 2, 3}, down[] = {4, 3, 2, 1, 0}, pairs[] = {1, 0, 3, 2},
                        plain[] = {0, 1, 2, 3}, back[] = {3, 2, 1, 0};
    assert_float_equal(entanglement(up, down, 5), 0.9167078, 5e-8);
    assert_float_equal(entanglement(down, up, 5), 0.9167078, 5e-8);
    assert_float_equal(entanglement(plain, pairs, 4), 4 / (2 * pow(3, 1.5) + 2), 1e-15);
    assert_true(entanglement(plain, plain, 4) == 0);
    assert_true(entanglement(plain, back, 4) == 1);
    assert_true(entanglement((const size_t[]){0, 1}, (const size_t[]){1, 0}, 2) == 1);
}

/* A tree whose branches were turned at random, all of them or some, is found again. */
static void test_turned_trees_are_untangled(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        const size_t n = 2 + seed * seed % 90;
        uint64_t coin = seed * 91;
        ws_tree *a = random_tree(n, WS_LINKAGE_average, seed), *b = random_tree(n, WS_LINKAGE_average, seed);
        for (size_t m = 0; m + 1 < n; m++)
            if (seed % 2 || next(&coin) & 64) {
                const long part = b->merge[m].left;
                b->merge[m].left = b->merge[m].right;
                b->merge[m].right = part;
            }
        (void)walk(b, (long)n - 1, b->order);
        if (seed % 2)
            assert_true(of(a, b) == 1);
        assert_int_equal(ws_trees_untangle(a, b), WS_OK);
        assert_true(of(a, b) == 0);
        check_order(a);
        check_order(b);
        ws_tree_destroy(a);
        ws_tree_destroy(b);
    }
}

/* Trees of different rows: less entangled than before, no single turn helps, clusters and heights are the same. */
static void test_no_turn_helps(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        const size_t n = 3 + seed * 7 % 40;
        ws_tree *a = random_tree(n, WS_LINKAGE_complete, seed), *b = random_tree(n, WS_LINKAGE_single, seed + 100);
        size_t before[64], after[64];
        const double start = of(a, b);
        assert_int_equal(ws_tree_cut(b, n / 3 + 1, before), WS_OK);
        assert_int_equal(ws_trees_untangle(a, b), WS_OK);
        assert_int_equal(ws_tree_cut(b, n / 3 + 1, after), WS_OK);
        assert_memory_equal(before, after, n * sizeof *before);
        const double end = of(a, b);
        assert_true(end <= start);
        ws_tree *const trees[] = {a, b};
        for (size_t t = 0; t < 2; t++) {
            check_order(trees[t]);
            for (size_t m = 0; m + 1 < n; m++) {
                ws_merge *const merge = &trees[t]->merge[m];
                for (int back = 0; back < 2; back++) {
                    const long part = merge->left;
                    merge->left = merge->right;
                    merge->right = part;
                    (void)walk(trees[t], (long)n - 1, trees[t]->order);
                    assert_true(of(a, b) >= end * (1 - 1e-8));
                }
            }
        }
        ws_tree_destroy(a);
        ws_tree_destroy(b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_entanglement),
        cmocka_unit_test(test_turned_trees_are_untangled),
        cmocka_unit_test(test_no_turn_helps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
