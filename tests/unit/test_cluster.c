/* test_cluster.c - are the trees those of an independent program and of the definition, ties included? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "cluster/cluster.h"
#include "cluster/cluster_internal.h"
#include "cluster/quality.h"
#include "tests/unit/oracle.h"

#include <stdlib.h>

typedef struct points {
    size_t rows, columns;
    double *value;
} points;

static uint64_t next(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

/* levels 0: anywhere in the unit cube; else on a lattice, which makes ties and equal rows. */
static points make_points(size_t rows, size_t columns, uint64_t seed, unsigned levels)
{
    points p = {rows, columns, malloc(rows * columns * sizeof(double))};
    assert_non_null(p.value);
    for (size_t i = 0; i < rows * columns; i++)
        p.value[i] = levels ? (double)(next(&seed) % levels) : (double)(next(&seed) >> 11) * 0x1p-53;
    return p;
}

static ws_tree *build(const points *p, ws_linkage linkage)
{
    ws_tree *tree = NULL;
    if (ws_cluster_build(p->value, p->rows, p->columns, linkage, &tree) != WS_OK)
        fail_msg("%s", ws_message());
    return tree;
}

/* ---------------------------------------------------------------- against R's hclust */

typedef struct comparison {
    const ws_tree *tree;
    const double *number; /* what is compared, when it is a list */
    const size_t *whole;
    const char *what;
} comparison;

static void see_left(void *context, size_t i, size_t j, double value)
{
    (void)j;
    assert_int_equal(((const comparison *)context)->tree->merge[i].left, (long)value);
}

static void see_right(void *context, size_t i, size_t j, double value)
{
    (void)j;
    assert_int_equal(((const comparison *)context)->tree->merge[i].right, (long)value);
}

static void see_height(void *context, size_t i, size_t j, double value)
{
    (void)j;
    assert_near(((const comparison *)context)->tree->merge[i].height, value, 0, "height", i);
}

static void see_order(void *context, size_t i, size_t j, double value)
{
    (void)j;
    assert_int_equal(((const comparison *)context)->tree->order[i] + 1, (size_t)value);
}

static void see_pair(void *context, size_t i, size_t j, double value)
{
    const comparison *const c = context;
    assert_near(c->number[ws_pair(c->tree->leaves, j, i)], value, 0, "cophenetic", i);
}

static void see_number(void *context, size_t i, size_t j, double value)
{
    const comparison *const c = context;
    (void)j;
    assert_near(c->number[i], value, 0, c->what, i);
}

static void see_whole(void *context, size_t i, size_t j, double value)
{
    (void)j;
    assert_int_equal(((const comparison *)context)->whole[i], (size_t)value);
}

static const char *name_of(const char *what, ws_linkage linkage, char *text, size_t size)
{
    snprintf(text, size, "%s.%s", what, ws_linkage_name(linkage));
    return text;
}

static void compare_cuts(const ws_frame *oracle, const ws_frame *frame, const ws_tree *tree, ws_linkage linkage)
{
    size_t *cluster = malloc(tree->leaves * sizeof *cluster);
    for (size_t k = 2; k <= 7; k++) {
        char what[64], name[16];
        double mean;
        if (k != 2 && k != 4 && k != 7)
            continue;
        assert_int_equal(ws_tree_cut(tree, k, cluster), WS_OK);
        snprintf(name, sizeof name, "cut%zu", k);
        oracle_each(oracle, name_of(name, linkage, what, sizeof what), see_whole, &(comparison){.whole = cluster});
        assert_int_equal(ws_silhouette(frame->value, frame->rows, frame->columns, cluster, k, NULL, &mean), WS_OK);
        snprintf(name, sizeof name, "silhouette%zu", k);
        oracle_each(oracle, name_of(name, linkage, what, sizeof what), see_number,
                    &(comparison){.number = &mean, .what = name});
    }
    free(cluster);
}

/* Heights at which rows meet, condensed as in R's dist: pair (0,1), (0,2) ... (1,2) ... */
static void meet(const ws_tree *tree, double *height)
{
    const size_t n = tree->leaves;
    long *const cluster = malloc(n * sizeof *cluster); /* as a merge names it */
    for (size_t i = 0; i < n; i++)
        cluster[i] = -(long)(i + 1);
    for (size_t m = 0; m < n - 1; m++) {
        const ws_merge *const x = &tree->merge[m];
        for (size_t i = 0; i < n; i++)
            for (size_t j = i + 1; j < n; j++)
                if ((cluster[i] == x->left && cluster[j] == x->right) ||
                    (cluster[i] == x->right && cluster[j] == x->left))
                    height[ws_pair(n, i, j)] = x->height;
        for (size_t i = 0; i < n; i++)
            cluster[i] = cluster[i] == x->left || cluster[i] == x->right ? (long)(m + 1) : cluster[i];
    }
    free(cluster);
}

static void compare_cophenetic(const ws_frame *oracle, const ws_frame *frame, const ws_tree *tree, ws_linkage linkage)
{
    char what[64];
    double correlation;
    if (tree->leaves <= 36) {
        double *const matrix = malloc(tree->leaves * tree->leaves * sizeof *matrix);
        meet(tree, matrix);
        oracle_each(oracle, name_of("cophenetic", linkage, what, sizeof what), see_pair,
                    &(comparison){.tree = tree, .number = matrix});
        free(matrix);
    }
    assert_int_equal(ws_tree_cophenetic_correlation(tree, frame->value, frame->columns, &correlation), WS_OK);
    oracle_each(oracle, name_of("correlation", linkage, what, sizeof what), see_number,
                &(comparison){.number = &correlation, .what = "correlation"});
}

static void test_oracle(void **state)
{
    (void)state;
    size_t trees = 0;
    for (size_t s = 0; s < ORACLE_SETS; s++) {
        ws_frame *frame = oracle_load(oracle_sets[s], ""), *oracle = oracle_load(oracle_sets[s], ".oracle");
        const points p = {frame->rows, frame->columns, frame->value};
        for (int l = 0; l < WS_LINKAGES; l++) {
            char what[64];
            if (!oracle_knows(oracle, name_of("height", (ws_linkage)l, what, sizeof what)))
                continue; /* make_statistics.R says why */
            trees++;
            ws_tree *tree = build(&p, (ws_linkage)l);
            comparison c = {.tree = tree};
            oracle_each(oracle, name_of("height", (ws_linkage)l, what, sizeof what), see_height, &c);
            oracle_each(oracle, name_of("left", (ws_linkage)l, what, sizeof what), see_left, &c);
            oracle_each(oracle, name_of("right", (ws_linkage)l, what, sizeof what), see_right, &c);
            oracle_each(oracle, name_of("order", (ws_linkage)l, what, sizeof what), see_order, &c);
            compare_cuts(oracle, frame, tree, (ws_linkage)l);
            compare_cophenetic(oracle, frame, tree, (ws_linkage)l);
            ws_tree_destroy(tree);
        }
        ws_frame_destroy(frame);
        ws_frame_destroy(oracle);
    }
    assert_int_equal(trees, ORACLE_SETS * WS_LINKAGES - 1);
}

/* ---------------------------------------------------------------- against the definition, in cubic time and more */

static double centroid_distance(const points *p, const size_t *cluster, size_t a, size_t b, size_t *na, size_t *nb)
{
    double sum = 0;
    for (size_t c = 0; c < p->columns; c++) {
        double in_a = 0, in_b = 0;
        *na = *nb = 0;
        for (size_t i = 0; i < p->rows; i++) {
            if (cluster[i] == a) {
                in_a += p->value[i * p->columns + c];
                ++*na;
            }
            if (cluster[i] == b) {
                in_b += p->value[i * p->columns + c];
                ++*nb;
            }
        }
        const double d = in_a / (double)*na - in_b / (double)*nb;
        sum += d * d;
    }
    return sqrt(sum);
}

/* Distance of two clusters by its definition, from the rows themselves. */
static double defined_distance(const points *p, ws_linkage linkage, const size_t *cluster, size_t a, size_t b)
{
    double least = INFINITY, most = 0, sum = 0;
    size_t pairs = 0, na = 0, nb = 0;
    if (linkage == WS_LINKAGE_ward) {
        const double d = centroid_distance(p, cluster, a, b, &na, &nb);
        return d * sqrt(2 * (double)na * (double)nb / (double)(na + nb));
    }
    for (size_t i = 0; i < p->rows; i++)
        for (size_t j = 0; j < p->rows; j++)
            if (cluster[i] == a && cluster[j] == b) {
                const double d =
                    sqrt(ws_distance_square(p->value + i * p->columns, p->value + j * p->columns, p->columns));
                least = fmin(least, d);
                most = fmax(most, d);
                sum += d;
                pairs++;
            }
    return linkage == WS_LINKAGE_single ? least : linkage == WS_LINKAGE_complete ? most : sum / (double)pairs;
}

/* One row a merge: height and the two clusters, named by their lowest rows. */
typedef struct plain_merge {
    double height;
    size_t a, b;
} plain_merge;

static void brute_force(const points *p, ws_linkage linkage, plain_merge *merge)
{
    size_t *cluster = malloc(p->rows * sizeof *cluster);
    for (size_t i = 0; i < p->rows; i++)
        cluster[i] = i;
    for (size_t m = 0; m + 1 < p->rows; m++) {
        merge[m].height = INFINITY;
        for (size_t a = 0; a < p->rows; a++)
            for (size_t b = a + 1; cluster[a] == a && b < p->rows; b++) {
                if (cluster[b] != b)
                    continue;
                const double d = defined_distance(p, linkage, cluster, a, b);
                if (d < merge[m].height)
                    merge[m] = (plain_merge){d, a, b};
            }
        for (size_t i = 0; i < p->rows; i++)
            if (cluster[i] == merge[m].b)
                cluster[i] = merge[m].a;
    }
    free(cluster);
}

static size_t lowest_row(const ws_tree *tree, long part)
{
    if (part < 0)
        return (size_t)-part - 1;
    const size_t a = lowest_row(tree, tree->merge[part - 1].left), b = lowest_row(tree, tree->merge[part - 1].right);
    return a < b ? a : b;
}

static void compare_brute_force(const points *p, ws_linkage linkage)
{
    plain_merge *plain = malloc(p->rows * sizeof *plain);
    ws_tree *tree = build(p, linkage);
    brute_force(p, linkage, plain);
    for (size_t m = 0; m + 1 < p->rows; m++) {
        const size_t x = lowest_row(tree, tree->merge[m].left), y = lowest_row(tree, tree->merge[m].right);
        assert_near(tree->merge[m].height, plain[m].height, 0, ws_linkage_name(linkage), m);
        assert_int_equal(x < y ? x : y, plain[m].a);
        assert_int_equal(x < y ? y : x, plain[m].b);
    }
    ws_tree_destroy(tree);
    free(plain);
}

static void test_brute_force(void **state)
{
    (void)state;
    for (int l = 0; l < WS_LINKAGES; l++)
        for (uint64_t seed = 1; seed <= 6; seed++) {
            points p = make_points(2 + 4 * seed, 1 + seed % 4, seed, 0);
            compare_brute_force(&p, (ws_linkage)l);
            free(p.value);
        }
}

/* Where every distance is exact and tied, the rule for ties decides everything. */
static void test_brute_force_with_ties(void **state)
{
    (void)state;
    static const ws_linkage exact[] = {WS_LINKAGE_single, WS_LINKAGE_complete};
    for (size_t l = 0; l < 2; l++)
        for (uint64_t seed = 1; seed <= 12; seed++) {
            points p = make_points(10 + seed, 1 + seed % 3, seed * 77, 2 + (unsigned)seed % 4);
            compare_brute_force(&p, exact[l]);
            free(p.value);
        }
}

/* ---------------------------------------------------------------- laws */

static void test_equal_rows_merge_at_zero(void **state)
{
    (void)state;
    for (int l = 0; l < WS_LINKAGES; l++) {
        points p = make_points(41, 13, 5, 0);
        static const size_t twin[][2] = {{0, 40}, {3, 4}, {3, 17}, {20, 21}};
        for (size_t t = 0; t < 4; t++)
            memcpy(p.value + twin[t][1] * 13, p.value + twin[t][0] * 13, 13 * sizeof(double));
        ws_tree *tree = build(&p, (ws_linkage)l);
        for (size_t m = 0; m < 4; m++)
            assert_true(tree->merge[m].height == 0);
        assert_true(tree->merge[4].height > 0);
        ws_tree_destroy(tree);
        free(p.value);
    }
}

static void test_all_rows_equal(void **state)
{
    (void)state;
    for (int l = 0; l < WS_LINKAGES; l++) {
        points p = make_points(50, 3, 5, 1);
        ws_tree *tree = build(&p, (ws_linkage)l);
        double correlation = 0;
        for (size_t m = 0; m < 49; m++) {
            assert_true(tree->merge[m].height == 0);
            assert_int_equal(tree->merge[m].size, m + 2);
            assert_int_equal(m ? tree->merge[m].left : -1, m ? -(long)(m + 2) : -1);
        }
        assert_int_equal(ws_tree_cophenetic_correlation(tree, p.value, 3, &correlation), WS_OK);
        assert_true(isnan(correlation));
        ws_tree_destroy(tree);
        free(p.value);
    }
}

static void test_order_of_rows_permutes_the_tree(void **state)
{
    (void)state;
    enum { N = 37 };
    for (int l = 0; l < WS_LINKAGES; l++) {
        points p = make_points(N, 6, 9, 0), q = make_points(N, 6, 9, 0);
        for (size_t i = 0; i < N; i++)
            memcpy(q.value + (i * 8 + 5) % N * 6, p.value + i * 6, 6 * sizeof(double));
        ws_tree *a = build(&p, (ws_linkage)l), *b = build(&q, (ws_linkage)l);
        double *x = malloc(N * N * sizeof *x), *y = malloc(N * N * sizeof *y);
        meet(a, x);
        meet(b, y);
        for (size_t i = 0; i < N; i++)
            for (size_t j = i + 1; j < N; j++) {
                const size_t s = (i * 8 + 5) % N, t = (j * 8 + 5) % N;
                assert_near(x[ws_pair(N, i, j)], s < t ? y[ws_pair(N, s, t)] : y[ws_pair(N, t, s)], 0, "pair", i);
            }
        free(x);
        free(y);
        ws_tree_destroy(a);
        ws_tree_destroy(b);
        free(p.value);
        free(q.value);
    }
}

static void test_constant_column_changes_nothing(void **state)
{
    (void)state;
    for (int l = 0; l < WS_LINKAGES; l++) {
        points p = make_points(30, 5, 13, 0), q = make_points(30, 6, 1, 0);
        for (size_t i = 0; i < 30; i++) {
            memcpy(q.value + i * 6, p.value + i * 5, 5 * sizeof(double));
            q.value[i * 6 + 5] = 1e9;
        }
        ws_tree *a = build(&p, (ws_linkage)l), *b = build(&q, (ws_linkage)l);
        for (size_t m = 0; m < 29; m++)
            assert_true(a->merge[m].height == b->merge[m].height && a->merge[m].left == b->merge[m].left &&
                        a->merge[m].right == b->merge[m].right && a->merge[m].size == b->merge[m].size);
        ws_tree_destroy(a);
        ws_tree_destroy(b);
        free(p.value);
        free(q.value);
    }
}

static void test_complete_is_above_single(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed < 20; seed++) {
        points p = make_points(60, 1 + seed % 7, seed, seed % 2 ? 0 : 5);
        ws_tree *single = build(&p, WS_LINKAGE_single), *complete = build(&p, WS_LINKAGE_complete);
        for (size_t m = 0; m < 59; m++)
            assert_true(complete->merge[m].height >= single->merge[m].height);
        ws_tree_destroy(single);
        ws_tree_destroy(complete);
        free(p.value);
    }
}

/* Heights never fall, sizes add up, each part is used once, and the order has every row once and no crossing. */
static void test_trees_are_well_formed(void **state)
{
    (void)state;
    for (int l = 0; l < WS_LINKAGES; l++)
        for (uint64_t seed = 1; seed < 30; seed++) {
            points p = make_points(2 + seed * 9, 1 + seed % 5, seed, seed % 3 ? 0 : 3);
            ws_tree *tree = build(&p, (ws_linkage)l);
            const size_t n = p.rows;
            char *used = calloc(2 * n, 1);
            for (size_t m = 0; m < n - 1; m++) {
                const ws_merge *const x = &tree->merge[m];
                size_t size = 0;
                const long parts[] = {x->left, x->right};
                for (size_t k = 0; k < 2; k++) {
                    assert_true(parts[k] != 0 && parts[k] >= -(long)n && parts[k] <= (long)m);
                    assert_int_equal(used[parts[k] < 0 ? (size_t)-parts[k] - 1 : n + (size_t)parts[k] - 1]++, 0);
                    size += parts[k] < 0 ? 1 : tree->merge[parts[k] - 1].size;
                }
                assert_int_equal(size, x->size);
                assert_true(m == 0 || x->height >= tree->merge[m - 1].height);
            }
            memset(used, 0, 2 * n);
            for (size_t i = 0; i < n; i++)
                assert_int_equal(used[tree->order[i]]++, 0);
            free(used);
            ws_tree_destroy(tree);
            free(p.value);
        }
}

static void test_every_cut_has_its_clusters(void **state)
{
    (void)state;
    points p = make_points(45, 3, 21, 4);
    size_t cluster[45], coarser[45];
    for (int l = 0; l < WS_LINKAGES; l++) {
        ws_tree *tree = build(&p, (ws_linkage)l);
        for (size_t i = 0; i < 45; i++)
            coarser[i] = 1;
        for (size_t k = 1; k <= 45; k++) {
            size_t most = 0;
            assert_int_equal(ws_tree_cut(tree, k, cluster), WS_OK);
            for (size_t i = 0; i < 45; i++) {
                assert_in_range(cluster[i], 1, most + 1); /* numbered as they appear */
                most = cluster[i] > most ? cluster[i] : most;
                for (size_t j = 0; j < i; j++)
                    assert_true(cluster[i] != cluster[j] || coarser[i] == coarser[j]); /* nested */
            }
            assert_int_equal(most, k);
            memcpy(coarser, cluster, sizeof cluster);
        }
        assert_int_equal(ws_tree_clusters_at(tree, INFINITY), 1);
        assert_int_equal(ws_tree_clusters_at(tree, tree->merge[43].height), 1);
        assert_in_range(ws_tree_clusters_at(tree, 0), 2, 45);
        ws_tree_destroy(tree);
    }
    free(p.value);
}

static void test_cut_height_separates(void **state)
{
    (void)state;
    points p = make_points(25, 3, 27, 0);
    ws_tree *tree = build(&p, WS_LINKAGE_average);
    for (size_t k = 1; k <= 25; k++)
        assert_int_equal(ws_tree_clusters_at(tree, ws_tree_cut_height(tree, k)), k);
    ws_tree_destroy(tree);
    free(p.value);
}

/* A chain of rows is the deepest tree there is: nothing may recurse along it. */
static void test_long_chain(void **state)
{
    (void)state;
    enum { N = 3000 };
    points p = {N, 1, malloc(N * sizeof(double))};
    for (size_t i = 0; i < N; i++)
        p.value[i] = (double)i * (double)i;
    ws_tree *tree = build(&p, WS_LINKAGE_single);
    ws_frame *rows = ws_frame_create(N, 0, 1, NULL);
    for (size_t m = 0; m + 1 < N; m++)
        assert_true(tree->merge[m].height == 2 * (double)m + 1);
    char *text = NULL;
    size_t size = 0, open = 0;
    FILE *out = open_memstream(&text, &size);
    assert_int_equal(ws_tree_write_newick(tree, rows, out), WS_OK);
    fclose(out);
    for (size_t i = 0; i < size; i++)
        open += text[i] == '(';
    assert_int_equal(open, N - 1);
    free(text);
    ws_frame_destroy(rows);
    ws_tree_destroy(tree);
    free(p.value);
}

/* Whatever the width of the vectors, each pair has the bits of a plain loop over the columns. */
static void test_distances_are_those_of_a_plain_loop(void **state)
{
    (void)state;
    for (size_t rows = 2; rows < 40; rows++) {
        points p = make_points(rows, rows % 11 + 1, rows, 0);
        double *square = NULL, *packed = ws_distance_pack(p.value, rows, p.columns);
        double *const distance[2] = {malloc(rows * sizeof(double)), malloc(rows * sizeof(double))};
        assert_int_equal(ws_distance_matrix(p.value, rows, p.columns, true, &square), WS_OK);
        for (size_t i = 0; i < rows; i++) {
            ws_distance_rows(p.value, packed, rows, p.columns, i, 0, distance);
            for (size_t j = 0; j < rows; j++) {
                const double plain = ws_distance_square(p.value + i * p.columns, p.value + j * p.columns, p.columns);
                assert_true(distance[0][j] == sqrt(plain));
                assert_true(j <= i || square[ws_pair(rows, i, j)] == plain);
            }
        }
        free(square);
        free(packed);
        free(distance[0]);
        free(distance[1]);
        free(p.value);
    }
}

/* A unit of measurement changes heights alone; where squares would lose digits or overflow, the points are refused. */
static void test_magnitudes(void **state)
{
    (void)state;
    points p = make_points(20, 3, 61, 0), scaled = make_points(20, 3, 61, 0);
    for (int l = 0; l < WS_LINKAGES; l++) {
        const ws_linkage linkage = (ws_linkage)l;
        ws_tree *const tree = build(&p, linkage);
        double correlation, other_correlation;
        assert_int_equal(ws_tree_cophenetic_correlation(tree, p.value, p.columns, &correlation), WS_OK);
        for (int exponent = -1060; exponent <= 1000; exponent += 20) {
            ws_tree *other = NULL;
            for (size_t i = 0; i < p.rows * p.columns; i++)
                scaled.value[i] = scalbn(p.value[i], exponent);
            const int rc = ws_cluster_build(scaled.value, p.rows, p.columns, linkage, &other);
            assert_int_equal(rc, abs(exponent) > 450 ? WS_ENUMERIC : WS_OK);
            if (rc)
                continue;
            for (size_t m = 0; m + 1 < p.rows; m++) {
                assert_int_equal(other->merge[m].left, tree->merge[m].left);
                assert_int_equal(other->merge[m].right, tree->merge[m].right);
                assert_true(other->merge[m].height == scalbn(tree->merge[m].height, exponent));
            }
            assert_int_equal(ws_tree_cophenetic_correlation(other, scaled.value, p.columns, &other_correlation), WS_OK);
            assert_float_equal(other_correlation, correlation, 1e-12);
            ws_tree_destroy(other);
        }
        ws_tree_destroy(tree);
    }
    free(scaled.value);
    free(p.value);
}

/* ---------------------------------------------------------------- what it refuses, what it writes */

static void test_refuses(void **state)
{
    (void)state;
    ws_tree *tree = NULL;
    static const double one[] = {1, 2}, huge[] = {-1e300, 1e300};
    assert_int_equal(ws_cluster_build(one, 1, 2, WS_LINKAGE_single, &tree), WS_EINPUT);
    assert_string_equal(ws_message(), "expected at least 2 rows to cluster, found 1");
    assert_int_equal(ws_cluster_build(one, 0, 2, WS_LINKAGE_single, &tree), WS_EINPUT);
    assert_int_equal(ws_cluster_build(huge, 2, 1, WS_LINKAGE_complete, &tree), WS_ENUMERIC);
    assert_int_equal(ws_cluster_build(one, (size_t)1 << 31, 0, WS_LINKAGE_single, &tree), WS_ELIMIT);
    assert_non_null(strstr(ws_message(), "GiB"));
    assert_null(tree);
    ws_linkage linkage;
    assert_int_equal(ws_linkage_find("median", &linkage), WS_EINPUT);
    assert_non_null(strstr(ws_message(), "unknown linkage 'median'; there are single complete average ward"));
    assert_int_equal(ws_linkage_find("ward", &linkage), WS_OK);
    assert_int_equal(linkage, WS_LINKAGE_ward);
}

static ws_frame *named_rows(void)
{
    static const char *const names[] = {"BFS", "it's", "a b", "x_y"};
    ws_frame *rows = ws_frame_create(4, 1, 1, NULL);
    static const double value[] = {0, 1, 4, 10};
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(ws_frame_set_label(rows, i, 0, names[i]), WS_OK);
        rows->value[i] = value[i];
    }
    assert_int_equal(ws_frame_set_column(rows, 0, "x", "", ""), WS_OK);
    return rows;
}

static void test_newick(void **state)
{
    (void)state;
    ws_frame *rows = named_rows();
    const points p = {4, 1, rows->value};
    ws_tree *tree = build(&p, WS_LINKAGE_single);
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_int_equal(ws_tree_write_newick(tree, rows, out), WS_OK);
    fclose(out);
    assert_string_equal(text, "('x_y':3,('a b':1.5,(BFS:0.5,'it''s':0.5):1):1.5);\n");
    free(text);
    ws_tree_destroy(tree);
    ws_frame_destroy(rows);
}

static void test_frames(void **state)
{
    (void)state;
    ws_frame *rows = named_rows(), *merges = NULL, *groups = NULL;
    const points p = {4, 1, rows->value};
    ws_tree *tree = build(&p, WS_LINKAGE_complete);
    assert_int_equal(ws_tree_frame(tree, rows, &merges), WS_OK);
    static const double expected[] = {-1, -2, 1, 2, -3, 1, 4, 3, -4, 2, 10, 4};
    assert_memory_equal(merges->value, expected, sizeof expected);
    assert_string_equal(merges->label[0], "1");
    assert_string_equal(merges->label[1], "BFS");
    assert_string_equal(merges->label[4], "a b");
    assert_string_equal(merges->label[5], "");
    assert_int_equal(ws_assignment_frame(rows, tree, 2, &groups), WS_OK);
    static const double cut[] = {1, 0, 5.0 / 3, 1, 1, 2.0 / 3, 1, 0, 7.0 / 3, 2, 1, 0};
    for (size_t i = 0; i < 12; i++)
        assert_near(groups->value[i], cut[i], 0, "assignment", i);
    ws_frame_destroy(merges);
    ws_frame_destroy(groups);
    ws_tree_destroy(tree);
    ws_frame_destroy(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_oracle),
        cmocka_unit_test(test_brute_force),
        cmocka_unit_test(test_brute_force_with_ties),
        cmocka_unit_test(test_equal_rows_merge_at_zero),
        cmocka_unit_test(test_all_rows_equal),
        cmocka_unit_test(test_order_of_rows_permutes_the_tree),
        cmocka_unit_test(test_constant_column_changes_nothing),
        cmocka_unit_test(test_complete_is_above_single),
        cmocka_unit_test(test_trees_are_well_formed),
        cmocka_unit_test(test_every_cut_has_its_clusters),
        cmocka_unit_test(test_cut_height_separates),
        cmocka_unit_test(test_long_chain),
        cmocka_unit_test(test_distances_are_those_of_a_plain_loop),
        cmocka_unit_test(test_magnitudes),
        cmocka_unit_test(test_refuses),
        cmocka_unit_test(test_newick),
        cmocka_unit_test(test_frames),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
