/* test_pca.c - are the components those of an independent program, and do the laws of the method hold? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/spread.h"
#include "pca/pca.h"
#include "pca/pca_internal.h"
#include "tests/unit/oracle.h"

#include <fnmatch.h>
#include <stdlib.h>

static const ws_pca_options everything = {.keep = WS_PCA_KEEP_VARIANCE, .amount = 1};

static double random_unit(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return (double)(*seed >> 11) * 0x1p-53;
}

static ws_frame *random_frame(size_t rows, size_t columns, uint64_t seed)
{
    ws_frame *frame = ws_frame_create(rows, columns, 1, NULL);
    assert_non_null(frame);
    for (size_t j = 0; j < columns; j++) {
        char name[16];
        snprintf(name, sizeof name, "c%zu", j);
        assert_int_equal(ws_frame_set_column(frame, j, name, "", j % 2 ? "odd" : "even"), WS_OK);
    }
    for (size_t i = 0; i < rows; i++) {
        char name[16];
        snprintf(name, sizeof name, "r%zu", i);
        assert_int_equal(ws_frame_set_label(frame, i, 0, name), WS_OK);
    }
    for (size_t i = 0; i < rows * columns; i++)
        frame->value[i] = random_unit(&seed);
    return frame;
}

static ws_pca run(const ws_frame *frame, ws_pca_options options)
{
    ws_pca result;
    if (ws_pca_run(frame, "test", &options, &result) != WS_OK)
        fail_msg("%s", ws_message());
    return result;
}

/* ---------------------------------------------------------------- against R's prcomp */

typedef struct comparison {
    const ws_frame *mine;
    double sign[64], scale;
    const char *what;
} comparison;

static void see_eigenvalue(void *context, size_t i, size_t j, double value)
{
    const comparison *const c = context;
    (void)j;
    assert_in_range(i, 0, c->mine->rows - 1);
    assert_near(c->mine->value[i * c->mine->columns], value, 0, "eigenvalue", i);
}

/* R turns its vectors as they come; the largest loading tells which way. */
static void see_sign(void *context, size_t i, size_t j, double value)
{
    comparison *const c = context;
    const double mine = c->mine->value[i * c->mine->columns + j];
    if (fabs(mine) > 0.1)
        c->sign[j] = mine * value < 0 ? -1 : 1;
}

static void see_element(void *context, size_t i, size_t j, double value)
{
    const comparison *const c = context;
    assert_near(c->mine->value[i * c->mine->columns + j], c->sign[j] * value, c->scale, c->what, i);
}

static void test_oracle(void **state)
{
    (void)state;
    for (size_t s = 0; s < ORACLE_SETS; s++) {
        ws_frame *frame = oracle_load(oracle_sets[s], ""), *oracle = oracle_load(oracle_sets[s], ".oracle");
        ws_pca mine = run(frame, everything);
        comparison c = {.mine = mine.eigenvalues};
        oracle_each(oracle, "eigenvalue", see_eigenvalue, &c);
        c = (comparison){.mine = mine.loadings, .scale = 1, .what = "loading"};
        oracle_each(oracle, "loading", see_sign, &c);
        oracle_each(oracle, "loading", see_element, &c);
        c.mine = mine.scores;
        c.scale = 1; /* scores are of the order of the columns' standard deviation, 1 */
        c.what = "score";
        oracle_each(oracle, "score", see_element, &c);
        ws_pca_fini(&mine);
        ws_frame_destroy(frame);
        ws_frame_destroy(oracle);
    }
}

/* ---------------------------------------------------------------- laws */

static void test_eigenvalues_sum_to_columns(void **state)
{
    (void)state;
    static const size_t shapes[][2] = {{50, 7}, {7, 50}, {20, 20}, {2, 5}, {300, 1}};
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        const size_t rows = shapes[s][0], columns = shapes[s][1];
        ws_frame *frame = random_frame(rows, columns, 5 + s);
        ws_pca result = run(frame, everything);
        double sum = 0, last = INFINITY;
        assert_int_equal(result.eigenvalues->rows, rows - 1 < columns ? rows - 1 : columns);
        for (size_t i = 0; i < result.eigenvalues->rows; i++) {
            const double value = result.eigenvalues->value[4 * i];
            assert_true(value <= last);
            last = value;
            sum += value;
        }
        assert_near(sum, (double)columns, 0, "trace", s);
        assert_near(result.eigenvalues->value[4 * result.eigenvalues->rows - 2], 1, 0, "cumulative", s);
        ws_pca_fini(&result);
        ws_frame_destroy(frame);
    }
}

static double row_distance(const ws_frame *frame, size_t a, size_t b)
{
    double sum = 0;
    for (size_t j = 0; j < frame->columns; j++) {
        const double d = frame->value[a * frame->columns + j] - frame->value[b * frame->columns + j];
        sum += d * d;
    }
    return sqrt(sum);
}

static void test_all_components_keep_distances(void **state)
{
    (void)state;
    ws_frame *frame = random_frame(9, 30, 3), *z = random_frame(9, 30, 3);
    for (size_t j = 0; j < 30; j++)
        assert_true(ws_spread_scores(frame->value + j, 9, 30, z->value + j));
    ws_pca result = run(frame, everything);
    for (size_t a = 0; a < 9; a++)
        for (size_t b = 0; b < a; b++)
            assert_near(row_distance(result.scores, a, b), row_distance(z, a, b), 0, "distance", a);
    ws_pca_fini(&result);
    ws_frame_destroy(frame);
    ws_frame_destroy(z);
}

static void test_scores_have_the_variance_of_their_component(void **state)
{
    (void)state;
    ws_frame *frame = random_frame(40, 6, 11);
    for (int whiten = 0; whiten < 2; whiten++) {
        ws_pca_options options = everything;
        options.whiten = whiten;
        ws_pca result = run(frame, options);
        for (size_t c = 0; c < result.kept; c++) {
            double squares = 0, sum = 0;
            for (size_t i = 0; i < 40; i++) {
                const double v = result.scores->value[i * result.kept + c];
                sum += v;
                squares += v * v;
            }
            assert_near(sum, 0, 1, "mean", c);
            assert_near(squares / 39, whiten ? 1 : result.eigenvalues->value[4 * c], 0, "variance", c);
        }
        ws_pca_fini(&result);
    }
    ws_frame_destroy(frame);
}

static void test_signs(void **state)
{
    (void)state;
    ws_frame *frame = random_frame(25, 9, 17);
    for (size_t i = 0; i < 25; i++) /* two columns that oppose each other: their loadings tie, the first is positive */
        frame->value[i * 9 + 4] = -3 * frame->value[i * 9 + 2] + 1;
    ws_pca result = run(frame, everything);
    for (size_t c = 0; c < result.kept; c++) {
        double most = 0;
        for (size_t j = 0; j < 9; j++)
            most = fmax(most, fabs(result.loadings->value[j * result.kept + c]));
        size_t first = 0;
        while (fabs(result.loadings->value[first * result.kept + c]) < most * (1 - 1e-9))
            first++;
        assert_true(result.loadings->value[first * result.kept + c] > 0);
    }
    ws_pca_fini(&result);
    ws_frame_destroy(frame);
}

static void test_equal_rows_get_equal_scores(void **state)
{
    (void)state;
    ws_frame *frame = random_frame(33, 21, 23);
    static const size_t twin[][2] = {{0, 32}, {5, 6}, {7, 30}, {7, 11}};
    for (size_t t = 0; t < 4; t++)
        memcpy(frame->value + twin[t][1] * 21, frame->value + twin[t][0] * 21, 21 * sizeof(double));
    ws_pca result = run(frame, (ws_pca_options){.keep = WS_PCA_KEEP_VARIANCE, .amount = 0.9});
    for (size_t t = 0; t < 4; t++)
        assert_memory_equal(result.scores->value + twin[t][0] * result.kept,
                            result.scores->value + twin[t][1] * result.kept, result.kept * sizeof(double));
    ws_pca_fini(&result);
    ws_frame_destroy(frame);
}

static void test_constant_column_changes_nothing(void **state)
{
    (void)state;
    ws_frame *frame = random_frame(20, 6, 29), *more = random_frame(20, 8, 31);
    for (size_t i = 0; i < 20; i++) {
        memcpy(more->value + i * 8 + 1, frame->value + i * 6, 6 * sizeof(double));
        more->value[i * 8] = 0.1;
        more->value[i * 8 + 7] = 0;
    }
    ws_pca a = run(frame, everything), b = run(more, everything);
    assert_int_equal(a.kept, b.kept);
    assert_memory_equal(a.scores->value, b.scores->value, 20 * a.kept * sizeof(double));
    assert_int_equal(b.loadings->rows, 6);
    int named = 0;
    for (size_t i = 0; i < b.scores->notes; i++)
        named |= strcmp(b.scores->note[i], "dropped as constant: 2 of 8 columns: c0, c7") == 0;
    assert_true(named);
    ws_pca_fini(&a);
    ws_pca_fini(&b);
    ws_frame_destroy(frame);
    ws_frame_destroy(more);
}

static void test_scale_and_offset_change_nothing(void **state)
{
    (void)state;
    static const double scale[] = {1, 1e300, 1e-300, 1e-5, 3, 1e12}, offset[] = {1e6, 0, 0, 1, -7, 0};
    ws_frame *frame = random_frame(15, 6, 37), *other = random_frame(15, 6, 37);
    for (size_t i = 0; i < 15 * 6; i++)
        other->value[i] = frame->value[i] * scale[i % 6] + offset[i % 6];
    ws_pca a = run(frame, everything), b = run(other, everything);
    for (size_t i = 0; i < 15 * a.kept; i++)
        assert_near(a.scores->value[i], b.scores->value[i], 1, "score", i);
    ws_pca_fini(&a);
    ws_pca_fini(&b);
    ws_frame_destroy(frame);
    ws_frame_destroy(other);
}

static void test_order_of_rows_permutes_scores(void **state)
{
    (void)state;
    ws_frame *frame = random_frame(30, 8, 41), *turned = NULL;
    size_t row[30];
    for (size_t i = 0; i < 30; i++)
        row[i] = (i * 7 + 3) % 30;
    assert_int_equal(ws_frame_pick_rows(frame, row, 30, &turned), WS_OK);
    ws_pca a = run(frame, everything), b = run(turned, everything);
    for (size_t i = 0; i < 30; i++)
        for (size_t c = 0; c < a.kept; c++)
            assert_near(b.scores->value[i * a.kept + c], a.scores->value[row[i] * a.kept + c], 1, "score", i);
    ws_pca_fini(&a);
    ws_pca_fini(&b);
    ws_frame_destroy(frame);
    ws_frame_destroy(turned);
}

static void test_tiny_spreads_standardise(void **state)
{
    (void)state;
    static const double hard[][3] = {
        {1, 1 + 0x1p-52, 1 + 0x1p-51}, {0, 5e-324, 1e-323}, {-1.7e308, 0, 1.7e308}, {1e15, 1e15 + 0.125, 1e15 + 0.25}};
    for (size_t i = 0; i < 4; i++) {
        double z[3];
        assert_true(ws_spread_scores(hard[i], 3, 1, z));
        assert_near(z[0], -1, 0, "z", 0);
        assert_near(z[1], 0, 1, "z", 1);
        assert_near(z[2], 1, 0, "z", 2);
    }
    static const double same[3] = {0.1, 0.1, 0.1};
    double z[3] = {7, 7, 7};
    assert_false(ws_spread_scores(same, 3, 1, z));
    assert_true(z[1] == 7);
}

/* ---------------------------------------------------------------- choosing */

static size_t chosen(ws_pca_keep keep, double amount, const double *eigenvalue, size_t n)
{
    size_t kept = 0;
    const ws_pca_options options = {.keep = keep, .amount = amount};
    assert_int_equal(ws_pca_choose(&options, eigenvalue, n, &kept), WS_OK);
    return kept;
}

static void test_rules_of_choice(void **state)
{
    (void)state;
    static const double e[] = {4, 3, 1 + 1e-15, 1, 1};
    assert_int_equal(chosen(WS_PCA_KEEP_KAISER, 0, e, 5), 2);
    assert_int_equal(chosen(WS_PCA_KEEP_VARIANCE, 0, e, 5), 1);
    assert_int_equal(chosen(WS_PCA_KEEP_VARIANCE, 0.4, e, 5), 1);
    assert_int_equal(chosen(WS_PCA_KEEP_VARIANCE, 0.41, e, 5), 2);
    assert_int_equal(chosen(WS_PCA_KEEP_VARIANCE, 0.7, e, 5), 2); /* 0.7 * 10 is not 7 in doubles, but it is meant */
    assert_int_equal(chosen(WS_PCA_KEEP_VARIANCE, 1, e, 5), 5);
    assert_int_equal(chosen(WS_PCA_KEEP_FIXED, 5, e, 5), 5);
    static const double flat[] = {1, 1, 1};
    assert_int_equal(chosen(WS_PCA_KEEP_KAISER, 0, flat, 3), 1);
    size_t kept;
    const ws_pca_options six = {.keep = WS_PCA_KEEP_FIXED, .amount = 6};
    assert_int_equal(ws_pca_choose(&six, e, 5, &kept), WS_EINPUT);
    assert_non_null(strstr(ws_message(), "from 1 to 5"));
}

static void test_subspace(void **state)
{
    (void)state;
    ws_frame *frame = random_frame(12, 7, 43);
    ws_pca_options options = everything;
    options.subspace = "odd";
    ws_pca result = run(frame, options);
    assert_int_equal(result.loadings->rows, 3);
    assert_string_equal(result.loadings->label[0], "c1");
    assert_string_equal(result.scores->column[0].group, "odd");
    ws_pca_fini(&result);
    options.subspace = "DV";
    assert_int_equal(ws_pca_run(frame, "f.csv", &options, &result), WS_EINPUT);
    assert_string_equal(ws_message(), "f.csv: no column belongs to the subspace 'DV'; there are even, odd");
    ws_frame_destroy(frame);
}

static void test_missing_values(void **state)
{
    (void)state;
    ws_frame *frame = random_frame(10, 5, 47);
    frame->value[3 * 5 + 2] = NAN;
    ws_pca_options options = everything;
    ws_pca result;
    assert_int_equal(ws_pca_run(frame, "f.csv", &options, &result), WS_EINPUT);
    assert_int_equal(
        fnmatch("f.csv: row 4 (r3), column 'c2': expected a finite number, found a missing value*", ws_message(), 0),
        0);
    assert_null(result.scores);
    options.missing = WS_MISSING_COLUMNS;
    result = run(frame, options);
    assert_int_equal(result.loadings->rows, 4);
    assert_string_equal(result.scores->note[0], "dropped for missing values: 1 of 5 columns: c2");
    ws_pca_fini(&result);
    options.missing = WS_MISSING_ROWS;
    result = run(frame, options);
    assert_int_equal(result.scores->rows, 9);
    assert_string_equal(result.scores->label[3], "r4");
    assert_string_equal(result.scores->note[0], "dropped for missing values: 1 of 10 rows: r3");
    ws_pca_fini(&result);
    for (size_t i = 0; i < 10; i++)
        frame->value[i * 5 + i % 5] = INFINITY;
    assert_int_equal(ws_pca_run(frame, "f.csv", &options, &result), WS_EINPUT);
    assert_non_null(strstr(ws_message(), "every row holds"));
    options.missing = WS_MISSING_COLUMNS;
    assert_int_equal(ws_pca_run(frame, "f.csv", &options, &result), WS_EINPUT);
    assert_non_null(strstr(ws_message(), "every column holds"));
    ws_frame_destroy(frame);
}

static void test_frames_without_components(void **state)
{
    (void)state;
    static const struct {
        size_t rows, columns;
        const char *message;
        int code;
    } bad[] = {
        {0, 3, "t: expected at least 2 rows to compare, found 0", WS_EINPUT},
        {1, 3, "t: expected at least 2 rows to compare, found 1", WS_EINPUT},
        {4, 0, "t: expected at least one column of numbers, found none", WS_EINPUT},
        {4, 3, "t: no column varies; all 4 rows are the same", WS_ENUMERIC},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ws_frame *frame = random_frame(bad[i].rows, bad[i].columns, 3);
        for (size_t v = 0; v < bad[i].rows * bad[i].columns; v++)
            frame->value[v] = 0.1;
        ws_pca result;
        assert_int_equal(ws_pca_run(frame, "t", &everything, &result), bad[i].code);
        assert_string_equal(ws_message(), bad[i].message);
        assert_null(result.scores);
        ws_frame_destroy(frame);
    }
}

static void test_same_bytes_every_time(void **state)
{
    (void)state;
    ws_frame *frame = random_frame(120, 50, 53);
    ws_pca a = run(frame, everything), b = run(frame, everything);
    assert_memory_equal(a.scores->value, b.scores->value, 120 * a.kept * sizeof(double));
    assert_memory_equal(a.loadings->value, b.loadings->value, 50 * a.kept * sizeof(double));
    ws_pca_fini(&a);
    ws_pca_fini(&b);
    ws_frame_destroy(frame);
}

/* ---------------------------------------------------------------- ranks */

static void test_ranks(void **state)
{
    (void)state;
    double value[] = {3, 9, -1, 9, 3, 9, 1e300};
    static const double rank[] = {2.5, 5, 1, 5, 2.5, 5, 7};
    size_t order[7];
    ws_pca_rank(value, 7, 1, order);
    for (size_t i = 0; i < 7; i++)
        assert_float_equal(value[i], rank[i], 0);
}

/* Components of ranks are those of R, and any rising change of a column leaves them as they are. */
static void test_ranks_against_r(void **state)
{
    (void)state;
    static const char *const sets[] = {"mixed", "states"};
    ws_frame *oracle = NULL;
    assert_int_equal(ws_frame_load("tests/oracle/methods.oracle.csv", &oracle), WS_OK);
    for (size_t s = 0; s < 2; s++) {
        ws_frame *f = oracle_load(sets[s], "");
        const ws_pca_options options = {.keep = WS_PCA_KEEP_VARIANCE, .amount = 1, .ranks = true};
        ws_pca a = run(f, options);
        size_t compared = 0;
        for (size_t row = 0; row < oracle->rows; row++)
            if (!strcmp(oracle->label[2 * row], sets[s]) && !strcmp(oracle->label[2 * row + 1], "ranks")) {
                const size_t i = (size_t)oracle->value[3 * row] - 1;
                assert_near(i < a.eigenvalues->rows ? a.eigenvalues->value[4 * i] : 0, oracle->value[3 * row + 2], 1,
                            sets[s], i);
                compared++;
            }
        assert_true(compared > 1);
        for (size_t i = 0; i < f->rows * f->columns; i++)
            f->value[i] = f->value[i] < 0 ? f->value[i] : 5 * pow(f->value[i], 3);
        ws_pca b = run(f, options);
        assert_memory_equal(a.scores->value, b.scores->value, a.scores->rows * a.scores->columns * sizeof(double));
        ws_pca_fini(&a);
        ws_pca_fini(&b);
        ws_frame_destroy(f);
    }
    ws_frame_destroy(oracle);
}

/* ---------------------------------------------------------------- rotation */

static const ws_pca_options rotated = {.keep = WS_PCA_KEEP_FIXED, .rotation = WS_PCA_VARIMAX};

/* The criterion that varimax maximises, times the square of the rows: loadings of row length 1. */
static double criterion(const double *loading, size_t rows, size_t k)
{
    double sum = 0;
    for (size_t c = 0; c < k; c++) {
        double fourth = 0, second = 0;
        for (size_t j = 0; j < rows; j++) {
            double length = 0;
            for (size_t i = 0; i < k; i++)
                length += pow(loading[j * k + i], 2);
            const double square = pow(loading[j * k + c], 2) / length;
            fourth += square * square;
            second += square;
        }
        sum += (double)rows * fourth - second * second;
    }
    return sum;
}

static void compare_rotation(const ws_frame *oracle, const char *set, size_t k)
{
    char name[32];
    snprintf(name, sizeof name, "%s_%zu", set, k);
    ws_frame *f = oracle_load(set, "");
    ws_pca_options options = rotated;
    options.amount = (double)k;
    ws_pca mine = run(f, options);
    assert_string_equal(mine.scores->column[0].name, "RC1");
    const size_t lead = 3, columns = mine.loadings->rows;
    assert_int_equal(mine.rotation->columns, lead + k);
    size_t seen = 0;
    for (size_t row = 0; row < oracle->rows; row++) {
        const double *const o = oracle->value + 3 * row;
        const char *const what = oracle->label[2 * row + 1];
        if (strcmp(oracle->label[2 * row], name) != 0 || !strcmp(what, "default"))
            continue;
        const size_t i = (size_t)o[0] - 1, j = o[1] > 0 ? (size_t)o[1] - 1 : 0;
        const double value = !strcmp(what, "loading")    ? mine.loadings->value[i * k + j]
                             : !strcmp(what, "rotation") ? mine.rotation->value[j * (lead + k) + lead + i]
                             : !strcmp(what, "score")    ? mine.scores->value[i * k + j]
                                                         : mine.rotation->value[i * (lead + k)];
        if (fabs(value - o[2]) > 2e-7) /* R stops when its criterion does not rise any more */
            fail_msg("%s %s %zu %zu: %.17g, R says %.17g", name, what, i + 1, j + 1, value, o[2]);
        seen++;
    }
    assert_int_equal(seen, columns * k + k * k + 5 * k + k);
    ws_pca_fini(&mine);
    ws_frame_destroy(f);
}

static void test_varimax_against_r(void **state)
{
    (void)state;
    ws_frame *oracle = NULL;
    assert_int_equal(ws_frame_load("tests/oracle/varimax.oracle.csv", &oracle), WS_OK);
    for (size_t k = 2; k <= 4; k++) {
        compare_rotation(oracle, "mixed", k);
        compare_rotation(oracle, "states", k);
    }
    ws_frame_destroy(oracle);
}

/* The rotation is orthogonal, keeps communalities, and nothing beats it: neither the start, nor a small turn of a
 * plane. */
static void test_varimax_laws(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        const size_t rows = 3 + seed * 7 % 29, k = 2 + seed % (rows < 8 ? rows - 1 : 7);
        double loading[64 * 8], turned[64 * 8], rotation[64];
        uint64_t state_of = seed * 77;
        for (size_t i = 0; i < rows * k; i++)
            loading[i] = 2 * random_unit(&state_of) - 1;
        assert_int_equal(ws_pca_varimax(loading, rows, k, rotation), WS_OK);
        for (size_t a = 0; a < k; a++)
            for (size_t b = 0; b < k; b++) {
                double product = 0;
                for (size_t i = 0; i < k; i++)
                    product += rotation[i * k + a] * rotation[i * k + b];
                assert_near(product, a == b, 1e-5, "orthogonal", a);
            }
        memset(turned, 0, sizeof turned);
        for (size_t j = 0; j < rows; j++) {
            double before = 0, after = 0;
            for (size_t c = 0; c < k; c++) {
                for (size_t i = 0; i < k; i++)
                    turned[j * k + c] += loading[j * k + i] * rotation[i * k + c];
                before += pow(loading[j * k + c], 2);
                after += pow(turned[j * k + c], 2);
            }
            assert_near(before, after, 0, "communality", j);
        }
        const double best = criterion(turned, rows, k);
        assert_true(best >= criterion(loading, rows, k));
        for (size_t x = 0; x < k; x++)
            for (size_t y = x + 1; y < k; y++)
                for (int step = -18; step <= 18; step++) { /* every 2.5 degrees */
                    double other[64 * 8];
                    memcpy(other, turned, sizeof other);
                    const double angle = M_PI / 72 * step;
                    for (size_t j = 0; j < rows; j++) {
                        const double a = turned[j * k + x], b = turned[j * k + y];
                        other[j * k + x] = a * cos(angle) + b * sin(angle);
                        other[j * k + y] = b * cos(angle) - a * sin(angle);
                    }
                    assert_true(criterion(other, rows, k) <= best * (1 + 1e-12));
                }
    }
}

/* Simple structure that was turned by 30 degrees is found again: in two columns Kaiser's angle is exact. */
static void test_varimax_by_hand(void **state)
{
    (void)state;
    static const double simple[][2] = {{0.9, 0}, {0.5, 0}, {0, 0.8}, {0, 0.3}, {0, 0}};
    double loading[10], rotation[4];
    const double c = cos(M_PI / 6), s = sin(M_PI / 6);
    for (size_t j = 0; j < 5; j++) {
        loading[2 * j] = c * simple[j][0] - s * simple[j][1];
        loading[2 * j + 1] = s * simple[j][0] + c * simple[j][1];
    }
    assert_int_equal(ws_pca_varimax(loading, 5, 2, rotation), WS_OK);
    assert_near(rotation[0], c, 0, "cosine", 0);
    assert_near(rotation[1], -s, 0, "sine", 0);
    assert_near(rotation[2], s, 0, "sine", 1);
    assert_near(rotation[3], c, 0, "cosine", 1);
    /* Equal everywhere: no plane has a maximum, and nothing turns. */
    static const double flat[] = {1, 0, 0.5, 0.8660254037844386, -0.5, 0.8660254037844386};
    const double octagon[] = {1, 0, M_SQRT1_2, M_SQRT1_2, 0, 1, -M_SQRT1_2, M_SQRT1_2};
    assert_int_equal(ws_pca_varimax(octagon, 4, 2, rotation), WS_OK);
    assert_int_equal(ws_pca_varimax(flat, 3, 2, rotation), WS_OK);
    assert_near(rotation[0] * rotation[3] - rotation[1] * rotation[2], 1, 0, "rotation", 0);
    const double none[] = {0, 0, 0, 0};
    assert_int_equal(ws_pca_varimax(none, 2, 2, rotation), WS_OK);
    assert_near(rotation[0], 1, 0, "rotation", 0);
}

/* Scores are uncorrelated, of variance 1, and times the loadings they are what the components before explain of the
 * columns. */
static void test_rotated_scores(void **state)
{
    (void)state;
    ws_frame *f = random_frame(40, 9, 3);
    ws_pca_options options = rotated;
    options.amount = 4;
    ws_pca a = run(f, options);
    options.rotation = WS_PCA_UNROTATED;
    ws_pca b = run(f, options);
    for (size_t x = 0; x < 4; x++)
        for (size_t y = 0; y < 4; y++) {
            double product = 0;
            for (size_t i = 0; i < 40; i++)
                product += a.scores->value[4 * i + x] * a.scores->value[4 * i + y] / 39;
            assert_near(product, x == y, 1e-3, "score", x);
        }
    for (size_t i = 0; i < 40; i++)
        for (size_t j = 0; j < 9; j++) {
            double mine = 0, other = 0;
            for (size_t c = 0; c < 4; c++) {
                mine += a.scores->value[4 * i + c] * a.loadings->value[4 * j + c];
                other += b.scores->value[4 * i + c] * b.loadings->value[4 * j + c];
            }
            assert_near(mine, other, 1e-3, "explained", i);
        }
    double variance = 0, eigenvalues = 0;
    for (size_t c = 0; c < 4; c++) {
        variance += a.rotation->value[7 * c];
        eigenvalues += b.eigenvalues->value[4 * c];
        assert_true(c == 0 || a.rotation->value[7 * c] <= a.rotation->value[7 * (c - 1)]);
    }
    assert_near(variance, eigenvalues, 0, "variance", 0);
    assert_near(a.rotation->value[7 * 3 + 2], b.eigenvalues->value[4 * 3 + 2], 0, "cumulative", 0);
    assert_memory_equal(a.eigenvalues->value, b.eigenvalues->value, a.eigenvalues->rows * 4 * sizeof(double));
    assert_null(b.rotation);
    ws_pca_fini(&a);
    ws_pca_fini(&b);
    ws_frame_destroy(f);
}

/* ---------------------------------------------------------------- other rows in the components of a frame */

static ws_frame *load(const char *path)
{
    ws_frame *frame = NULL;
    if (ws_frame_load(path, &frame) != WS_OK)
        fail_msg("%s", ws_message());
    return frame;
}

static ws_frame *project(const ws_frame *map, const ws_pca *pca, ws_pca_options options, const ws_frame *rows)
{
    ws_frame *scores = NULL;
    if (ws_pca_onto(map, "map", &options, pca, rows, "rows", &scores) != WS_OK)
        fail_msg("%s", ws_message());
    return scores;
}

static void see_score(void *context, size_t i, size_t j, double value)
{
    const ws_frame *const mine = context;
    const double got = mine->value[i * mine->columns + j];
    if (fabs(got - value) > 1e-12 * fmax(1, fabs(value)))
        fail_msg("row %zu, component %zu: %.17g, the oracle says %.17g", i + 1, j + 1, got, value);
}

/* Columns at 1e300, 1e-300 and an offset of 1e12: their own rows stand where they stood, others where exact arithmetic
 * puts them. */
static void test_onto_at_any_magnitude(void **state)
{
    (void)state;
    ws_frame *const map = load("tests/oracle/onto_map.csv");
    ws_frame *const rows = load("tests/oracle/onto_rows.csv");
    ws_frame *const oracle = load("tests/oracle/onto.oracle.csv");
    ws_pca pca = run(map, everything);
    assert_int_equal(pca.kept, 4);
    ws_frame *const own = project(map, &pca, everything, map), *const others = project(map, &pca, everything, rows);
    assert_memory_equal(own->value, pca.scores->value, own->rows * own->columns * sizeof *own->value);
    oracle_each(oracle, "score", see_score, own);
    oracle_each(oracle, "onto", see_score, others);
    ws_frame_destroy(others);
    ws_frame_destroy(own);
    ws_pca_fini(&pca);
    ws_frame_destroy(oracle);
    ws_frame_destroy(rows);
    ws_frame_destroy(map);
}

/* The same of ranks, of whitened and of rotated scores, and of all of them. */
static void test_own_rows_stand_where_they_stood(void **state)
{
    (void)state;
    ws_frame *const map = load("tests/oracle/onto_map.csv");
    for (unsigned how = 0; how < 8; how++) {
        ws_pca_options options = everything;
        options.ranks = how & 1;
        options.whiten = how & 2;
        options.rotation = how & 4 ? WS_PCA_VARIMAX : WS_PCA_UNROTATED;
        ws_pca pca = run(map, options);
        ws_frame *const own = project(map, &pca, options, map);
        assert_memory_equal(own->value, pca.scores->value, own->rows * own->columns * sizeof *own->value);
        ws_frame_destroy(own);
        ws_pca_fini(&pca);
    }
    ws_frame_destroy(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_oracle),
        cmocka_unit_test(test_eigenvalues_sum_to_columns),
        cmocka_unit_test(test_all_components_keep_distances),
        cmocka_unit_test(test_scores_have_the_variance_of_their_component),
        cmocka_unit_test(test_signs),
        cmocka_unit_test(test_equal_rows_get_equal_scores),
        cmocka_unit_test(test_constant_column_changes_nothing),
        cmocka_unit_test(test_scale_and_offset_change_nothing),
        cmocka_unit_test(test_order_of_rows_permutes_scores),
        cmocka_unit_test(test_tiny_spreads_standardise),
        cmocka_unit_test(test_rules_of_choice),
        cmocka_unit_test(test_subspace),
        cmocka_unit_test(test_ranks),
        cmocka_unit_test(test_ranks_against_r),
        cmocka_unit_test(test_varimax_against_r),
        cmocka_unit_test(test_varimax_laws),
        cmocka_unit_test(test_varimax_by_hand),
        cmocka_unit_test(test_rotated_scores),
        cmocka_unit_test(test_onto_at_any_magnitude),
        cmocka_unit_test(test_own_rows_stand_where_they_stood),
        cmocka_unit_test(test_missing_values),
        cmocka_unit_test(test_frames_without_components),
        cmocka_unit_test(test_same_bytes_every_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
