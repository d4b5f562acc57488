/* test_subset.c - do subsets, their weights, speedups and errors come out as counted by hand? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/status.h"
#include "cluster/members.h"
#include "cluster/quality.h"
#include "cluster/subset.h"

#include <fnmatch.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static ws_frame *read_text(const char *text)
{
    ws_frame *frame = NULL;
    FILE *in = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
    assert_non_null(in);
    if (ws_frame_read(in, "text", &frame) != WS_OK)
        fail_msg("%s", ws_message());
    fclose(in);
    return frame;
}

/* Three clusters on a line: A B C near 0 with B in the middle, D E at 10 and 11, F alone. */
static const char points_text[] = "w,x\nA,0\nB,1\nC,2.1\nD,10\nE,11\nF,30\n";

static ws_frame *subset_of(const ws_frame *points, ws_linkage linkage, const size_t *size, size_t sizes,
                           const double *cost)
{
    ws_frame *out = NULL;
    const ws_subset_request request = {
        .method = (ws_method)linkage, .size = size, .sizes = sizes, .cost = cost, .seed = 1};
    if (ws_subset_run(points, "p.csv", &request, &out) != WS_OK)
        fail_msg("%s", ws_message());
    return out;
}

static void test_subset_by_hand(void **state)
{
    (void)state;
    static const size_t size[] = {3, 1, 6};
    static const double cost[] = {1, 2, 3, 4, 5, 5};
    ws_frame *points = read_text(points_text);
    for (int l = 0; l < WS_LINKAGES; l++) {
        ws_frame *out = subset_of(points, (ws_linkage)l, size, 3, cost);
        assert_string_equal(out->label[0], "3");
        assert_string_equal(out->label[1], ws_linkage_name((ws_linkage)l));
        assert_string_equal(out->label[2], "B D F"); /* D and E are as near to their centroid: the first */
        assert_string_equal(out->label[3], "3 2 1");
        assert_float_equal(out->value[0], 20.0 / 11, 1e-15);
        assert_string_equal(out->label[4 + 2], "D"); /* the mean of all is 9.02 */
        assert_string_equal(out->label[4 + 3], "6");
        assert_float_equal(out->value[1], 5, 0);
        assert_string_equal(out->label[8 + 2], "A B C D E F");
        assert_string_equal(out->label[8 + 3], "1 1 1 1 1 1");
        assert_float_equal(out->value[2], 1, 0);
        assert_string_equal(out->label_names[0], "size");
        assert_string_equal(out->column[0].name, "speedup");
        ws_frame_destroy(out);
    }
    ws_frame *out = subset_of(points, WS_LINKAGE_single, size, 1, NULL);
    assert_float_equal(out->value[0], 2, 0);
    ws_frame_destroy(out);
    ws_frame_destroy(points);
}

static void test_subset_refuses(void **state)
{
    (void)state;
    static const struct {
        const char *points, *message;
        size_t size;
        double first_cost;
        int code;
    } bad[] = {
        {points_text, "p.csv: expected subset sizes from 1 to 6, the number of rows, found 7", 7, 1, WS_EINPUT},
        {points_text, "p.csv: expected subset sizes from 1 to 6*found 0", 0, 1, WS_EINPUT},
        {points_text, "p.csv: row 1 (A): expected a cost of 0 or more, found -1", 2, -1, WS_EINPUT},
        {points_text, "p.csv: row 1 (A): expected a cost of 0 or more, found nan", 2, NAN, WS_EINPUT},
        {points_text, "p.csv: row 1 (A): expected a cost of 0 or more, found inf", 2, INFINITY, WS_EINPUT},
        {points_text, "p.csv: the 2 members of the subset cost nothing*", 2, 0, WS_EINPUT},
        {"w\nA\nB\n", "p.csv: expected at least one column to cluster by, found none", 1, 0, WS_EINPUT},
        {"w,x\nA,1\n", "p.csv: expected at least 2 rows to cluster, found 1", 1, 1, WS_EINPUT},
        {"w,x\nA,1\nB,NA\n", "p.csv: row 2 (B), column 'x': expected a finite number*", 1, 1, WS_EINPUT},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ws_frame *points = read_text(bad[i].points), *out = NULL;
        const double cost[6] = {bad[i].first_cost};
        const ws_subset_request request = {
            .method = WS_METHOD_complete, .size = &bad[i].size, .sizes = 1, .cost = cost, .seed = 1};
        const int rc = ws_subset_run(points, "p.csv", &request, &out);
        if (rc != bad[i].code || fnmatch(bad[i].message, ws_message(), 0) != 0)
            fail_msg("case %zu: code %d, '%s'", i, rc, ws_message());
        assert_null(out);
        ws_frame_destroy(points);
    }
}

static void test_cost_by_name(void **state)
{
    (void)state;
    ws_frame *points = read_text("w,k,x\nA,a,1\nA,b,2\nB,a,3\n");
    ws_frame *costs = read_text("w,k,s,t\nB,a,1,30\nC,c,1,NA\nA,b,1,20\nA,a,1,10\n");
    double cost[3];
    assert_int_equal(ws_subset_cost(points, costs, "c.csv", "t", "cost", cost), WS_OK);
    assert_true(cost[0] == 10 && cost[1] == 20 && cost[2] == 30);
    assert_int_equal(ws_subset_cost(points, costs, "c.csv", "u", "cost", cost), WS_EINPUT);
    assert_string_equal(ws_message(), "c.csv: there is no column 'u'");
    ws_frame *twice = read_text("w,k,t\nA,a,1\nA,a,2\nB,a,3\n");
    assert_int_equal(ws_subset_cost(points, twice, "c.csv", "t", "cost", cost), WS_EINPUT);
    assert_string_equal(ws_message(), "c.csv: expected one row named 'A/a' to take its cost from, found 2");
    ws_frame_destroy(points);
    ws_frame_destroy(costs);
    ws_frame_destroy(twice);
}

static void test_names_with_blanks_survive(void **state)
{
    (void)state;
    ws_frame *points = read_text("w,x\na b,1\n100%,5\n%20,20\n");
    static const size_t size[] = {3};
    ws_frame *subset = subset_of(points, WS_LINKAGE_single, size, 1, NULL), *errors = NULL;
    assert_string_equal(subset->label[2], "a%20b 100%25 %2520");
    const char *at = subset->label[2];
    for (size_t i = 0; i < 3; i++) {
        char *name = ws_members_next(&at);
        assert_string_equal(name, points->label[i]);
        free(name);
    }
    assert_null(ws_members_next(&at));
    const ws_frame *const subsets[] = {subset};
    const char *const names[] = {"s.csv"};
    assert_int_equal(
        ws_subset_evaluate(points, "p.csv", subsets, names, 1, &(ws_evaluation){.weights = WS_WEIGHTS_EQUAL}, &errors),
        WS_OK);
    assert_true(errors->value[1] == 0);
    ws_frame_destroy(errors);
    ws_frame_destroy(subset);
    ws_frame_destroy(points);
}

static int evaluate(const char *metrics_text, const char *subset_text, ws_evaluation evaluation, ws_frame **out)
{
    ws_frame *metrics = read_text(metrics_text), *subset = read_text(subset_text);
    const ws_frame *const subsets[] = {subset};
    const char *const names[] = {"s.csv"};
    const int rc = ws_subset_evaluate(metrics, "m.csv", subsets, names, 1, &evaluation, out);
    ws_frame_destroy(metrics);
    ws_frame_destroy(subset);
    return rc;
}

#define SUBSET "# labels: 4\nsize,linkage,members,weights,speedup\n"

static void test_errors_by_hand(void **state)
{
    (void)state;
    static const char metrics[] = "w,af,simd,zero\nA,1,10,0\nB,2,20,0\nC,3,30,0\nD,2,-20,0\n";
    ws_frame *out = NULL;
    /* Means of all: 2, 10, 0. Of A and C: 2, 20, 0. Weighted 3 to 1: 1.5, 15, 0. */
    assert_int_equal(evaluate(metrics, SUBSET "2,single,A C,3 1,2\n4,single,A B C D,1 1 1 1,1\n",
                              (ws_evaluation){.weights = WS_WEIGHTS_EQUAL}, &out),
                     WS_OK);
    static const double equal[] = {2, 0, 1, 0, 1.0 / 3, 4, 0, 0, 0, 0};
    for (size_t i = 0; i < 10; i++)
        assert_float_equal(out->value[i], equal[i], 1e-15);
    assert_string_equal(out->column[1].name, "af");
    assert_string_equal(out->column[4].name, "average");
    assert_string_equal(out->label[0], "s.csv");
    ws_frame_destroy(out);
    assert_int_equal(
        evaluate(metrics, SUBSET "2,single,A C,3 1,2\n", (ws_evaluation){.weights = WS_WEIGHTS_SIZE}, &out), WS_OK);
    static const double weighted[] = {2, 0.25, 0.5, 0, 0.25};
    for (size_t i = 0; i < 5; i++)
        assert_float_equal(out->value[i], weighted[i], 1e-15);
    ws_frame_destroy(out);
}

static void test_configurations_are_averaged(void **state)
{
    (void)state;
    static const char metrics[] = "# labels: 2\nw,config,af\nA,base,1\nB,base,3\nA,big,30\nB,big,10\nC,big,20\n";
    ws_frame *out = NULL;
    /* A stands for all: base |1 - 2| / 2 = 0.5, big |30 - 20| / 20 = 0.5; B: 0.5 and 0.5; A B: 0 and 0 */
    assert_int_equal(evaluate(metrics, SUBSET "1,single,A,2,2\n2,single,A B,1 1,1\n",
                              (ws_evaluation){.by = "config", .weights = WS_WEIGHTS_EQUAL}, &out),
                     WS_OK);
    assert_float_equal(out->value[1], 0.5, 1e-15);
    assert_float_equal(out->value[3 + 1], 0, 1e-15);
    ws_frame_destroy(out);
    out = NULL;
    assert_int_equal(evaluate(metrics, SUBSET "1,single,C,2,2\n",
                              (ws_evaluation){.by = "config", .weights = WS_WEIGHTS_EQUAL}, &out),
                     WS_EINPUT);
    assert_string_equal(ws_message(),
                        "m.csv: expected a row 'C', a member of a subset, where config is base; found none");
    assert_int_equal(evaluate(metrics, SUBSET "1,single,A,2,2\n", (ws_evaluation){.by = "machine"}, &out), WS_EINPUT);
    assert_string_equal(ws_message(), "m.csv: there is no label column 'machine'");
    assert_null(out);
}

static void test_undefined_error_is_missing(void **state)
{
    (void)state;
    ws_frame *out = NULL;
    assert_int_equal(evaluate("w,x,y\nA,1,0\nB,-1,0\n", SUBSET "1,single,A,2,2\n",
                              (ws_evaluation){.weights = WS_WEIGHTS_EQUAL}, &out),
                     WS_OK);
    assert_true(isnan(out->value[1]) && out->value[2] == 0 && isnan(out->value[3]));
    ws_frame_destroy(out);
}

static void test_evaluate_refuses(void **state)
{
    (void)state;
    static const char metrics[] = "w,af\nA,1\nB,2\n";
    static const struct {
        const char *metrics, *subset, *message;
    } bad[] = {
        {metrics, "w,x\nA,1\n", "s.csv: expected a frame written by the command subset, it has no text column 'size'"},
        {metrics, SUBSET "1,single,X,2,2\n", "m.csv: expected a row 'X', a member of a subset; found none"},
        {metrics, SUBSET "1,single,,2,2\n", "s.csv: row 1: expected the names of members, found none"},
        {metrics, SUBSET "2,single,A B,2,2\n",
         "s.csv: row 1: expected a weight of 0 or more for each member, found none for 'B'"},
        {metrics, SUBSET "2,single,A B,2 x,2\n", "s.csv: row 1: expected a weight of 0 or more*for 'B'"},
        {metrics, SUBSET "2,single,A B,-1 1,2\n", "s.csv: row 1: expected a weight of 0 or more*for 'A'"},
        {metrics, SUBSET "2,single,A B,0 0,2\n", "s.csv: row 1: expected a weight above 0 for some member, found none"},
        {metrics, SUBSET "2,single,A B,2 inf,2\n", "s.csv: row 1: expected a weight of 0 or more*for 'B'"},
        {metrics, SUBSET "1,single,A,1 2,2\n", "s.csv: row 1: expected as many weights as members, found more"},
        {"w,af\nA,1\nA,2\n", SUBSET "1,single,A,2,2\n", "m.csv: rows 1 and 2 have the same name 'A'"},
        {"w,af\nA,1\nB,NA\n", SUBSET "1,single,A,2,2\n", "m.csv: row 2 (B), column 'af': expected a finite number*"},
        {"w,size\nA,1\nB,2\n", SUBSET "1,single,A,2,2\n", "m.csv: a metric named 'size' would be taken*"},
        {"w\nA\nB\n", SUBSET "1,single,A,2,2\n", "m.csv: expected at least one metric column, found none"},
        {"w,x\n", SUBSET "1,single,A,2,2\n", "m.csv: expected rows to judge subsets by, found none"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ws_frame *out = NULL;
        const int rc = evaluate(bad[i].metrics, bad[i].subset, (ws_evaluation){.weights = WS_WEIGHTS_EQUAL}, &out);
        if (rc != WS_EINPUT || fnmatch(bad[i].message, ws_message(), 0) != 0)
            fail_msg("case %zu: code %d, '%s'", i, rc, ws_message());
        assert_null(out);
    }
}

/* The share of all subsets of two of four rows that are better, counted; and their mean error. */
static void test_chance_by_hand(void **state)
{
    (void)state;
    static const char metrics[] = "w,x\nA,1\nB,2\nC,3\nD,10\n"; /* mean 4 */
    ws_frame *out = NULL;
    const ws_evaluation evaluation = {.weights = WS_WEIGHTS_EQUAL, .random = 60000, .seed = 3};
    assert_int_equal(evaluate(metrics, SUBSET "2,single,A B,2 2,2\n2,single,B C,2 2,2\n4,single,A B C D,1 1 1 1,1\n",
                              evaluation, &out),
                     WS_OK);
    /* |AB 1.5 - 4| = 2.5, AC 2, AD 1.5, BC 1.5, BD 2, CD 2.5 */
    assert_string_equal(out->column[3].name, "percentile");
    assert_string_equal(out->column[4].name, "random");
    assert_float_equal(out->value[3], 100 * (4 + 0.5 * 2) / 6, 1);
    assert_float_equal(out->value[7 + 3], 100 * (0.5 * 2) / 6, 1);
    assert_float_equal(out->value[4], 12.0 / 6 / 4, 0.005);
    assert_float_equal(out->value[5], 1.5 / 4, 0); /* a tenth is below, and above, what a third each has */
    assert_float_equal(out->value[6], 2.5 / 4, 0);
    assert_float_equal(out->value[14 + 3], 50, 0); /* all subsets of all rows are the same one */
    assert_float_equal(out->value[14 + 4], 0, 0);
    ws_frame_destroy(out);
    out = NULL;
    assert_int_equal(evaluate(metrics, SUBSET "5,single,A B C D A,1 1 1 1 1,1\n", evaluation, &out), WS_EINPUT);
    assert_string_equal(ws_message(),
                        "m.csv: expected at least 5 rows that every part has, to draw subsets from, found 4");
}

/* Columns of the group `change` are averaged apart. */
static void test_changes_are_averaged_apart(void **state)
{
    (void)state;
    static const char metrics[] = "# column faster group=change\n# column slower group=change\n# labels: 1\n"
                                  "w,x,faster,slower\nA,1,1,0.5\nB,3,3,1.5\n";
    ws_frame *out = NULL;
    const ws_evaluation evaluation = {.weights = WS_WEIGHTS_EQUAL, .random = 10, .seed = 1};
    assert_int_equal(evaluate(metrics, SUBSET "1,single,A,2,2\n", evaluation, &out), WS_OK);
    static const char *const names[] = {"size",
                                        "x",
                                        "faster",
                                        "slower",
                                        "average",
                                        "changes",
                                        "percentile",
                                        "random",
                                        "random_low",
                                        "random_high",
                                        "changes_percentile",
                                        "changes_random",
                                        "changes_random_low",
                                        "changes_random_high"};
    static const double values[] = {1, 0.5, 0.5, 0.5, 0.5, 0.5, 50, 0.5, 0.5, 0.5, 50, 0.5, 0.5, 0.5};
    assert_int_equal(out->columns, sizeof names / sizeof *names);
    for (size_t j = 0; j < out->columns; j++) {
        assert_string_equal(out->column[j].name, names[j]);
        assert_float_equal(out->value[j], values[j], 1e-12);
    }
    ws_frame_destroy(out);
    out = NULL;
    assert_int_equal(
        evaluate("# column f group=change\n# labels: 1\nw,f\nA,1\nB,3\n", SUBSET "1,single,A,2,2\n", evaluation, &out),
        WS_EINPUT);
    assert_string_equal(ws_message(), "m.csv: expected at least one column that is no change, found none");
}

/* Means weighted where the method says so, when nobody else does. */
static void test_weights_follow_the_method(void **state)
{
    (void)state;
    static const char metrics[] = "w,x\nA,1\nB,2\nC,3\nD,10\n";
    ws_frame *out = NULL;
    assert_int_equal(
        evaluate(metrics,
                 "# labels: 4\nsize,method,members,weights,speedup\n2,support,A D,3 1,2\n2,complete,A D,3 1,2\n",
                 (ws_evaluation){0}, &out),
        WS_OK);
    assert_float_equal(out->value[1], (4 - 3.25) / 4, 1e-15);
    assert_float_equal(out->value[3 + 1], (5.5 - 4) / 4, 1e-15);
    assert_string_equal(out->label[1], "support");
    ws_frame_destroy(out);
}

static void test_leave_one_out_by_hand(void **state)
{
    (void)state;
    /* Means 2, 20, 5. A is off by 0.5, 0, 0.8; B by 0.5, 0, 0.8 the other way; C by 0, 0.5 and 0. */
    static const char metrics[] = "# labels: 2\nw,machine,x\nA,one,1\nB,one,3\nC,one,2\nA,two,20\nB,two,20\nC,two,20\n"
                                  "A,three,1\nB,three,9\nC,three,5\n";
    ws_frame *m = read_text(metrics), *s = read_text(SUBSET "1,single,A,3,3\n1,single,C,3,3\n2,single,A B,2 1,1\n"),
             *out = NULL;
    const ws_frame *const subsets[] = {s};
    const char *const names[] = {"s.csv"};
    const ws_evaluation evaluation = {.by = "machine", .weights = WS_WEIGHTS_EQUAL};
    assert_int_equal(ws_subset_leave_one_out(m, "m.csv", subsets, names, 1, &evaluation, &out), WS_OK);
    assert_int_equal(out->rows, 6); /* two sizes, three machines */
    for (size_t i = 0; i < 6; i++) {
        assert_string_equal(out->label[4 * i], i < 3 ? "1" : "2");
        assert_float_equal(out->value[2 * i], 0, 1e-15); /* C, and A with B, are right everywhere */
        assert_float_equal(out->value[2 * i + 1], 0, 1e-15);
    }
    ws_frame_destroy(out);
    out = NULL;
    ws_frame *const only = read_text(SUBSET "1,single,A,3,3\n");
    const ws_frame *const first[] = {only};
    assert_int_equal(ws_subset_leave_one_out(m, "m.csv", first, names, 1, &evaluation, &out), WS_OK);
    static const double other[] = {0.4, 0.65, 0.25}, here[] = {0.5, 0, 0.8};
    for (size_t i = 0; i < 3; i++) {
        assert_float_equal(out->value[2 * i], other[i], 1e-15);
        assert_float_equal(out->value[2 * i + 1], here[i], 1e-15);
    }
    ws_frame_destroy(out);
    out = NULL;
    ws_frame *const one = read_text("# labels: 2\nw,machine,x\nA,one,1\nB,one,3\n");
    assert_int_equal(ws_subset_leave_one_out(one, "m.csv", first, names, 1, &evaluation, &out), WS_EINPUT);
    assert_string_equal(ws_message(),
                        "m.csv: expected rows of two machines or more, to leave one out, found those of 1");
    ws_frame_destroy(one);
    ws_frame_destroy(only);
    ws_frame_destroy(m);
    ws_frame_destroy(s);
}

/* What a stranger must know before trusting members is said. */
static void test_cautions(void **state)
{
    (void)state;
    static const char crowd[] = "w,x\nA,0\nB,0.1\nC,0.2\nD,0.3\nE,9\n", groups[] = "w,x\nA,0\nB,0.1\nC,5\nD,5.1\n",
                      even[] = "w,x,y\nA,0,0\nB,1,0\nC,0,1\nD,1,1\nE,2,0\nF,2,1\nG,0,2\nH,1,2\nI,2,2\n";
    static const struct {
        const char *text, *caution; /* a note that is there, or NULL when none is */
    } each[] = {{crowd, "caution: of 2 members by single one stands for 4 of 5 rows*"},
                {groups, NULL},
                {even, "caution: 2 groups by single have a silhouette of*"}};
    for (size_t i = 0; i < sizeof each / sizeof *each; i++) {
        static const size_t two[] = {2};
        ws_frame *points = read_text(each[i].text), *out = subset_of(points, WS_LINKAGE_single, two, 1, NULL);
        bool said = false, cautioned = false;
        for (size_t n = 0; n < out->notes; n++) {
            said |= each[i].caution && fnmatch(each[i].caution, out->note[n], 0) == 0;
            cautioned |= strncmp(out->note[n], "caution", 7) == 0;
        }
        assert_int_equal(said, each[i].caution != NULL);
        assert_int_equal(cautioned, each[i].caution != NULL);
        ws_frame_destroy(points);
        ws_frame_destroy(out);
    }
}

/* ---------------------------------------------------------------- quality */

static void test_silhouette_by_hand(void **state)
{
    (void)state;
    static const double x[] = {0, 1, 5};
    static const size_t cluster[] = {1, 1, 2};
    double width[3], mean;
    assert_int_equal(ws_silhouette(x, 3, 1, cluster, 2, width, &mean), WS_OK);
    assert_float_equal(width[0], (5.0 - 1) / 5, 1e-15);
    assert_float_equal(width[1], (4.0 - 1) / 4, 1e-15);
    assert_float_equal(width[2], 0, 0);
    assert_float_equal(mean, (0.8 + 0.75) / 3, 1e-15);
}

/* Three tight groups far apart: every measure must say three. */
static void test_quality_finds_the_groups(void **state)
{
    (void)state;
    ws_frame *points = ws_frame_create(30, 2, 1, NULL), *quality = NULL;
    uint64_t seed = 7;
    for (size_t i = 0; i < 60; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        points->value[i] = 10 * (double)(i / 2 % 3) * (i % 2 ? 1 : -0.5) + (double)(seed >> 11) * 0x1p-53;
    }
    ws_tree *tree = NULL;
    assert_int_equal(ws_cluster_build(points->value, 30, 2, WS_LINKAGE_average, &tree), WS_OK);
    assert_int_equal(ws_quality_frame(points, tree, WS_LINKAGE_average, 8, 20, 1, &quality), WS_OK);
    assert_int_equal(quality->rows, 7);
    size_t best = 0;
    for (size_t i = 0; i < 7; i++) {
        best = quality->value[i * 6 + 1] > quality->value[best * 6 + 1] ? i : best;
        assert_true(i == 0 || quality->value[i * 6 + 2] <= quality->value[(i - 1) * 6 + 2]);
    }
    assert_true(quality->value[best * 6] == 3);
    /* Tibshirani's rule: the first k with gap(k) >= gap(k + 1) - error(k + 1). */
    assert_true(quality->value[6 + 4] >= quality->value[12 + 4] - quality->value[12 + 5]);
    assert_true(quality->value[4] < quality->value[6 + 4] - quality->value[6 + 5]);
    ws_frame *again = NULL;
    assert_int_equal(ws_quality_frame(points, tree, WS_LINKAGE_average, 8, 20, 1, &again), WS_OK);
    assert_memory_equal(quality->value, again->value, 7 * 6 * sizeof(double));
    ws_frame_destroy(again);
    ws_frame_destroy(quality);
    assert_int_equal(ws_quality_frame(points, tree, WS_LINKAGE_average, 30, 0, 1, &again), WS_EINPUT);
    assert_int_equal(ws_quality_frame(points, tree, WS_LINKAGE_average, 1, 0, 1, &again), WS_EINPUT);
    ws_tree_destroy(tree);
    ws_frame_destroy(points);
}

static void test_gap_of_equal_rows_is_missing(void **state)
{
    (void)state;
    static const double x[] = {0, 0, 5, 5};
    double gap[3], error[3];
    assert_int_equal(ws_gap_statistic(x, 4, 1, WS_LINKAGE_single, 3, 5, 1, gap, error), WS_OK);
    assert_true(isfinite(gap[0]) && isnan(gap[1]) && isnan(gap[2]) && isnan(error[2]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_subset_by_hand),
        cmocka_unit_test(test_subset_refuses),
        cmocka_unit_test(test_cost_by_name),
        cmocka_unit_test(test_names_with_blanks_survive),
        cmocka_unit_test(test_errors_by_hand),
        cmocka_unit_test(test_configurations_are_averaged),
        cmocka_unit_test(test_undefined_error_is_missing),
        cmocka_unit_test(test_evaluate_refuses),
        cmocka_unit_test(test_chance_by_hand),
        cmocka_unit_test(test_changes_are_averaged_apart),
        cmocka_unit_test(test_weights_follow_the_method),
        cmocka_unit_test(test_leave_one_out_by_hand),
        cmocka_unit_test(test_cautions),
        cmocka_unit_test(test_silhouette_by_hand),
        cmocka_unit_test(test_quality_finds_the_groups),
        cmocka_unit_test(test_gap_of_equal_rows_is_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
