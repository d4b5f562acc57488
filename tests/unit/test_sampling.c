/* Do plans choose as many launches as closed forms say, do weights give back what is known, and do intervals hold as
 * often as they say? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/status.h"
#include "model/sample/extrapolate.h"
#include "model/sample/launch_list.h"
#include "model/sample/sampling_internal.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 2000, FEATURES = 2 };
static const double share[FEATURES] = {0.25, 1};

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.17g instead of %.17g", value, expected);
}

typedef struct program {
    ws_sample_launch launch[MOST];
    double feature[MOST][FEATURES];
    size_t n;
} program;

static void add_launch(program *p, const char *kernel, double time, double feature)
{
    const size_t i = p->n++;
    p->feature[i][0] = time;
    p->feature[i][1] = feature;
    p->launch[i] = (ws_sample_launch){
        .kernel = kernel, .number = i + 1, .time = time, .instructions = time, .threads = 64, .feature = p->feature[i]};
}

static ws_sample_plan plan_of(program *p)
{
    ws_sample_plan plan;
    ws_sample_plan_init(&plan);
    plan.launch = p->launch;
    plan.launches = p->n;
    plan.features = FEATURES;
    plan.share = share;
    return plan;
}

static const ws_sample_method *method_named(const char *name)
{
    const ws_sample_method *m;
    for (size_t i = 0; (m = ws_sample_method_at(i)); i++)
        if (!strcmp(m->name, name))
            return m;
    fail_msg("no method %s", name);
    return NULL;
}

/* ------------------------------------------------------------------------------------------------ allocation */

/* One stratum: n = N z^2 v^2 / (N e^2 + z^2 v^2), rounded up (Cochran, equations 4.1 and 4.2). */
static void test_allocation_of_one(void **unused)
{
    (void)unused;
    for (size_t launches = 2; launches < 5000; launches = launches * 3 / 2)
        for (double spread = 0.01; spread < 2; spread *= 1.7) {
            const double z = 1.96, e = 0.02, zv = z * z * spread * spread, n = (double)launches;
            ws_allocation a = {.launches = launches, .time = 7 * n, .spread = spread};
            const double bound = allocate_launches(&a, 1, a.time, e, z);
            assert_near((double)a.chosen, fmax(1, ceil(n * zv / (n * e * e + zv) - 1e-6)), 1e-9);
            assert_true(bound <= e * (1 + 1e-12));
            assert_near(bound, z * spread * sqrt(1 / (double)a.chosen - 1 / n), 1e-12);
        }
}

/* Several: in proportion to launches * spread * sqrt(time of a launch), so equal ones get as many. */
static void test_allocation_of_several(void **unused)
{
    (void)unused;
    ws_allocation a[] = {{.launches = 100000, .time = 100000, .spread = 0.3},
                         {.launches = 100000, .time = 100000, .spread = 0.3},
                         {.launches = 100000, .time = 100000, .spread = 0.6},
                         {.launches = 100000, .time = 400000, .spread = 0.3},
                         {.launches = 1, .time = 5, .spread = 0},
                         {.launches = 1000, .time = 1000, .spread = 0}};
    const double bound = allocate_launches(a, 6, 701005, 0.01, 1.96);
    assert_true(bound <= 0.01 && bound > 0.0098);
    assert_int_equal(a[0].chosen, a[1].chosen);
    assert_near((double)a[2].chosen / (double)a[0].chosen, 2, 0.02);
    assert_near((double)a[3].chosen / (double)a[0].chosen, 2, 0.02);
    assert_int_equal(a[4].chosen, 1);
    assert_int_equal(a[5].chosen, 1);
    allocate_launches(a, 6, 701005, 0, 1.96);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(a[i].chosen, a[i].launches);
}

/* ------------------------------------------------------------------------------------------------ splits */

static double squares_in(const double *value, size_t first, size_t end)
{
    double mean = 0, squares = 0;
    for (size_t i = first; i < end; i++)
        mean += log(value[i]) / (double)(end - first);
    for (size_t i = first; i < end; i++)
        squares += (log(value[i]) - mean) * (log(value[i]) - mean);
    return squares;
}

/* Of all ways to cut sorted values into so many classes, as bits, the one with the least squares of logarithms. */
static double least_squares(const double *value, size_t n, size_t classes)
{
    double least = INFINITY;
    for (unsigned cuts = 0; cuts < 1u << (n - 1); cuts++) {
        if ((size_t)__builtin_popcount(cuts) + 1 != classes)
            continue;
        double sum = 0;
        for (size_t i = 1, first = 0; i <= n; i++)
            if (i == n || cuts >> (i - 1) & 1) {
                sum += squares_in(value, first, i);
                first = i;
            }
        least = fmin(least, sum);
    }
    return least;
}

static double squares_of_classes(const double *value, const size_t *class_of, size_t n, size_t classes, double *widest)
{
    double sum = 0;
    *widest = 0;
    for (size_t k = 0; k < classes; k++) {
        double part[16];
        size_t m = 0;
        for (size_t i = 0; i < n; i++)
            if (class_of[i] == k)
                part[m++] = value[i];
        assert_true(m > 0);
        sum += squares_in(part, 0, m);
        *widest = fmax(*widest, sampling_spread(part, m));
    }
    return sum;
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void test_split_is_optimal(void **unused)
{
    (void)unused;
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int round = 0; round < 60; round++) {
        double value[11], widest;
        size_t class_of[11], classes;
        for (size_t i = 0; i < 11; i++)
            value[i] = exp(2 * gsl_rng_uniform(rng));
        qsort(value, 11, sizeof *value, compare_doubles);
        assert_int_equal(split_optimal(value, 11, 0.15, class_of, &classes), WS_OK);
        const double squares = squares_of_classes(value, class_of, 11, classes, &widest);
        assert_true(widest <= 0.15);
        assert_near(squares, least_squares(value, 11, classes), 1e-9);
        for (size_t i = 1; i < 11; i++)
            assert_true(class_of[i] >= class_of[i - 1]);
    }
    gsl_rng_free(rng);
}

static void test_splits_of_bumps(void **unused)
{
    (void)unused;
    static double value[3000];
    static size_t class_of[3000];
    size_t classes;
    for (size_t i = 0; i < 3000; i++)
        value[i] = (double)(i % 3 + 1) * 1000 + (double)(i % 7);
    assert_int_equal(split_optimal(value, 3000, 0.1, class_of, &classes), WS_OK);
    assert_int_equal(classes, 3);
    for (size_t i = 0; i < 3000; i++)
        assert_int_equal(class_of[i], i % 3);
    assert_int_equal(split_density(value, 3000, 0.1, class_of, &classes), WS_OK);
    assert_int_equal(classes, 3);
    for (size_t i = 0; i < 3000; i++)
        assert_int_equal(class_of[i], i % 3);
    for (size_t i = 0; i < 3000; i++) /* more values than are cut one by one */
        value[i] = 1 + (double)i;
    assert_int_equal(split_optimal(value, 3000, 0.2, class_of, &classes), WS_OK);
    assert_true(classes > 8 && classes < 60); /* narrow ones reach from x to 2 x */
    for (size_t i = 0; i < 3000; i++)         /* nothing to cut */
        value[i] = 5;
    assert_int_equal(split_optimal(value, 3000, 0, class_of, &classes), WS_OK);
    assert_int_equal(classes, 1);
    assert_int_equal(split_density(value, 3000, 0.1, class_of, &classes), WS_OK);
    assert_int_equal(classes, 1);
}

/* ------------------------------------------------------------------------------------------------ plans */

static void make_program(program *p, gsl_rng *rng)
{
    static const char *const kernels[] = {"a", "b", "c", "d", "e"};
    p->n = 0;
    const size_t n = 1 + gsl_rng_uniform_int(rng, 300);
    for (size_t i = 0; i < n; i++) {
        const size_t k = gsl_rng_uniform_int(rng, 5);
        add_launch(p, kernels[k], exp(3 * (double)k * gsl_rng_uniform(rng)), gsl_rng_uniform_int(rng, 3) ? 1 : 2);
    }
}

/* Each method: what was chosen has a reason and a weight, weights of strata give the known time back exactly, those of
 * Sieve the instructions, those of the others the number of launches; the same seed chooses the same. */
static void test_weights_give_what_is_known(void **unused)
{
    (void)unused;
    static program p;
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    const ws_sample_method *m;
    for (int round = 0; round < 40; round++) {
        make_program(&p, rng);
        for (size_t k = 0; (m = ws_sample_method_at(k)); k++) {
            ws_sample_plan plan = plan_of(&p);
            double weights = 0, weighted = 0, all = 0, again[MOST];
            plan.split = strcmp(m->name, "sieve") ? 0 : 0.4;
            plan.count = 1 + gsl_rng_uniform_int(rng, p.n);
            assert_int_equal(ws_sample_choose(m, &plan), WS_OK);
            size_t members = 0, chosen = 0;
            for (size_t s = 0; s < plan.strata; s++) {
                members += plan.stratum[s].launches;
                chosen += plan.stratum[s].chosen;
            }
            assert_int_equal(members, p.n);
            assert_int_equal(chosen, ws_sample_chosen(&plan, NULL));
            for (size_t i = 0; i < p.n; i++) {
                assert_true((p.launch[i].weight > 0) == (p.launch[i].reason != NULL));
                again[i] = p.launch[i].weight;
                weights += p.launch[i].weight;
                weighted += p.launch[i].weight * p.launch[i].time;
                all += p.launch[i].time;
            }
            if (!strcmp(m->name, "strata") || !strcmp(m->name, "sieve"))
                assert_near(weighted, all, 1e-9 * all);
            else
                assert_near(weights, (double)p.n, 1e-9);
            if (!strcmp(m->name, "strata"))
                assert_true(plan.bound <= plan.error * (1 + 1e-12));
            if (!strcmp(m->name, "random"))
                assert_int_equal(chosen, plan.count);
            assert_int_equal(ws_sample_choose(m, &plan), WS_OK);
            for (size_t i = 0; i < p.n; i++)
                assert_true(p.launch[i].weight == again[i]);
            ws_sample_plan_fini(&plan);
        }
    }
    gsl_rng_free(rng);
}

/* A kernel with one launch has weight 1 and no error; of launches that are all alike the second is taken, and stands
 * for all. */
static void test_one_and_second(void **unused)
{
    (void)unused;
    static program p;
    p.n = 0;
    add_launch(&p, "once", 1000, 1);
    for (int i = 0; i < 500; i++)
        add_launch(&p, "again", 10, 1);
    ws_sample_plan plan = plan_of(&p);
    assert_int_equal(ws_sample_choose(method_named("strata"), &plan), WS_OK);
    assert_near(p.launch[0].weight, 1, 0);
    assert_string_equal(p.launch[0].reason, "only");
    assert_near(plan.stratum[p.launch[0].stratum].error, 0, 0);
    assert_true(p.launch[1].weight == 0);
    assert_near(p.launch[2].weight, 500 / (double)plan.stratum[p.launch[2].stratum].chosen, 1);
    assert_string_equal(p.launch[2].reason, "second");
    /* Where the first one matters, it is simulated, too, and stands for itself. */
    p.n = 6;
    plan.launches = 6;
    for (int i = 1; i < 6; i++)
        p.feature[i][0] = p.launch[i].time = 1000;
    assert_int_equal(ws_sample_choose(method_named("strata"), &plan), WS_OK);
    assert_string_equal(p.launch[1].reason, "first");
    assert_near(p.launch[1].weight, 1, 0);
    assert_true(p.launch[2].weight >= 1);
    ws_sample_plan_fini(&plan);
}

static void test_refused(void **unused)
{
    (void)unused;
    static program p;
    p.n = 0;
    ws_sample_plan plan = plan_of(&p);
    assert_int_equal(ws_sample_choose(method_named("strata"), &plan), WS_EINPUT);
    add_launch(&p, "a", 1, 1);
    plan.launches = 1;
    plan.count = 2;
    assert_int_equal(ws_sample_choose(method_named("random"), &plan), WS_EINPUT);
    assert_non_null(strstr(ws_message(), "2 launches cannot be chosen of 1"));
    plan.count = 0;
    assert_int_equal(ws_sample_choose(method_named("pka"), &plan), WS_EINPUT);
    ws_sample_plan_fini(&plan);
}

/* ------------------------------------------------------------------------------------------------ intervals */

/* Two strata by hand. */
static void test_extrapolation_by_hand(void **unused)
{
    (void)unused;
    const ws_listed_launch l[] = {{.weight = 5, .stratum = 1, .launches = 10, .spread = 0.1},
                                  {.weight = 5, .stratum = 1, .launches = 10, .spread = 0.1},
                                  {.weight = 1, .stratum = 2, .launches = 1, .spread = 0}};
    const double value[] = {9, 11, 1000};
    double total, bound;
    assert_int_equal(ws_extrapolate(l, 3, value, 1, 0.95, &total, &bound), WS_OK);
    assert_near(total, 1100, 1e-9);
    /* Measured: s^2 = 2 of a mean of 10, so a squared coefficient of variation of 0.02, which is also that of all
     * strata together; the list says 0.01. (1 * 0.02 + 4 * 0.02) / 5 = 0.02; variance 100^2 * 0.02 * (1 - 2/10) / 2 =
     * 80; t of 5 degrees: 2.5706. */
    assert_near(bound, 2.570581835636314 * sqrt(80), 1e-6);
    const ws_listed_launch alone = {.weight = 4, .stratum = NAN, .launches = NAN, .spread = NAN};
    assert_int_equal(ws_extrapolate(&alone, 1, value, 1, 0.95, &total, &bound), WS_OK);
    assert_true(isinf(bound)); /* nobody knows */
    assert_int_equal(ws_extrapolate(l + 2, 1, value, 1, 0.95, &total, &bound), WS_OK);
    assert_near(bound, 0, 0); /* whole */
}

/* Populations whose times go with what is known but for 2 % of noise, which is what plans take: intervals of 95 % hold
 * in at least 93 %. */
static void test_intervals_hold(void **unused)
{
    (void)unused;
    static program p;
    static double time[MOST];
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    int held = 0, planned = 0, rounds = 400;
    for (int round = 0; round < rounds; round++) {
        double all = 0, total, bound, value[MOST];
        ws_listed_launch listed[MOST];
        size_t n = 0;
        make_program(&p, rng);
        ws_sample_plan plan = plan_of(&p);
        plan.seed = (uint64_t)round;
        plan.cold = 0;
        assert_int_equal(ws_sample_choose(method_named("strata"), &plan), WS_OK);
        for (size_t i = 0; i < p.n; i++) {
            all += time[i] = p.launch[i].time * exp(gsl_ran_gaussian(rng, 0.02));
            const ws_sample_stratum *const s = &plan.stratum[p.launch[i].stratum];
            if (p.launch[i].weight > 0) {
                value[n] = time[i];
                listed[n++] = (ws_listed_launch){.weight = p.launch[i].weight,
                                                 .stratum = (double)p.launch[i].stratum,
                                                 .launches = (double)s->launches,
                                                 .spread = s->spread};
            }
        }
        assert_int_equal(ws_extrapolate(listed, n, value, 1, 0.95, &total, &bound), WS_OK);
        held += fabs(total - all) <= bound + 1e-9 * all;
        planned += fabs(total - all) <= plan.bound * all + 1e-9 * all;
        ws_sample_plan_fini(&plan);
    }
    gsl_rng_free(rng);
    if (held < rounds * 93 / 100 || planned < rounds * 93 / 100)
        fail_msg("intervals hold in %d, planned bounds in %d of %d", held, planned, rounds);
}

/* ------------------------------------------------------------------------------------------------ lists */

static int load_text(const char *text, ws_launch_list **out)
{
    FILE *const in = tmpfile();
    assert_non_null(in);
    fputs(text, in);
    rewind(in);
    const int status = ws_launch_list_read(in, "list.csv", out);
    fclose(in);
    return status;
}

static void test_lists_by_hand(void **unused)
{
    (void)unused;
    const ws_listed_launch *first;
    ws_launch_list *list;
    size_t n;
    assert_int_equal(load_text("workload,launch,weight\nB,7,2\nA,3,1.5\nB,2,4\n", &list), WS_OK);
    assert_int_equal(ws_launch_list_of(list, "B", &first, &n), WS_OK);
    assert_int_equal(n, 2);
    assert_int_equal(first[0].number, 2);
    assert_int_equal(first[0].line, 4);
    assert_near(first[1].weight, 2, 0);
    assert_int_equal(ws_listed_find(first, n, 7), 1);
    assert_int_equal(ws_listed_find(first, n, 3), n);
    assert_int_equal(ws_launch_list_of(list, "C", &first, &n), WS_ENOTFOUND);
    assert_non_null(strstr(ws_message(), "A, B"));
    ws_launch_list_destroy(list);
}

static void test_bad_lists(void **unused)
{
    (void)unused;
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"", "header"},
        {"a,b\nx,1\n", "columns workload"},
        {"workload,launch,weight\n", "no launches"},
        {"workload,launch,weight\nA,0,1\n", ":2: expected the number of a launch"},
        {"workload,launch,weight\nA,1,1\nA,1.5,1\n", ":3: expected the number of a launch"},
        {"workload,launch,weight\nA,NA,1\n", ":2: expected the number of a launch"},
        {"workload,launch,weight\nA,1,0\n", ":2: expected the number of launches"},
        {"workload,launch,weight\nA,1,-1\n", ":2: expected the number of launches"},
        {"workload,launch,weight\nA,1,Inf\n", ":2: expected the number of launches"},
        {"workload,launch,weight\nA,1,NA\n", ":2: expected the number of launches"},
        {"workload,launch,weight\n# x\n\nA,1,1\nB,1,1\nA,1,1\n",
         ":6: launch 1 of A is listed again; the first time in line 4"},
        {"workload,launch,weight,stratum\nA,1,1,Inf\n", ":2: expected a number"},
        {"workload,launch,weight,stratum,launches\nA,1,1,1,0\n", ":2: expected the number of launches of the stratum"},
        {"workload,launch,weight,stratum,launches\nA,1,1,1,3\nA,2,1,1,4\n",
         ":3: stratum 1 has 4 launches here and 3 in line 2"},
        {"workload,launch,weight,stratum,launches\nA,1,1,1,1\nA,2,1,1,1\n", "to have 1 launches, but 2"},
        {"workload,launch,weight,spread\nA,1,1,-0.1\n", ":2: expected a coefficient"},
        {"workload,launch,weight\nA,1\n", ":2:"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ws_launch_list *list;
        if (load_text(bad[i].text, &list) != WS_EINPUT || !strstr(ws_message(), bad[i].says))
            fail_msg("'%s' says '%s'", bad[i].text, ws_message());
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_allocation_of_one),
        cmocka_unit_test(test_allocation_of_several),
        cmocka_unit_test(test_split_is_optimal),
        cmocka_unit_test(test_splits_of_bumps),
        cmocka_unit_test(test_weights_give_what_is_known),
        cmocka_unit_test(test_one_and_second),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_extrapolation_by_hand),
        cmocka_unit_test(test_intervals_hold),
        cmocka_unit_test(test_lists_by_hand),
        cmocka_unit_test(test_bad_lists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
