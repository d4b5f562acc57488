/* Do weights of a sample give the totals that are known, and do bounds hold what they promise? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/status.h"
#include "metrics/estimate.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <string.h>

enum { MOST = 2000 };

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.17g instead of %.17g", value, expected);
}

typedef struct population {
    ws_estimate_launch launch[MOST];
    double y[MOST]; /* by id */
    size_t n;
} population;

static double total_of(const population *p, double (*of)(const ws_estimate_launch *))
{
    double sum = 0;
    for (size_t i = 0; i < p->n; i++)
        sum += of(&p->launch[i]);
    return sum;
}

static double warps(const ws_estimate_launch *l)
{
    return l->warp_instructions;
}
static double weighted_warps(const ws_estimate_launch *l)
{
    return l->weight * l->warp_instructions;
}
static double threads(const ws_estimate_launch *l)
{
    return l->thread_instructions;
}
static double weighted_threads(const ws_estimate_launch *l)
{
    return l->weight * l->thread_instructions;
}
static double weights(const ws_estimate_launch *l)
{
    return l->weight;
}

/* Four certain launches, then slices of `size`, one of each drawn; y = 3 + 2 warp + noise, threads nearly
 * proportional. */
static void make(population *p, gsl_rng *rng, size_t n, size_t size, double noise, int64_t stratum)
{
    const size_t first = p->n;
    for (size_t i = 0; i < n; i++) {
        const size_t slice = i < 4 ? i : 4 + (i - 4) / size;
        ws_estimate_launch *const l = &p->launch[p->n];
        const double warp = 100 + gsl_rng_uniform_int(rng, 900);
        *l = (ws_estimate_launch){.id = (int64_t)p->n,
                                  .stratum = stratum,
                                  .slice = (int64_t)slice,
                                  .measured = i < 4,
                                  .warp_instructions = warp,
                                  .thread_instructions = 30 * warp + 50 * gsl_ran_gaussian(rng, 1),
                                  .blocks = 10};
        p->y[p->n++] = 3 + 2 * warp + noise * gsl_ran_gaussian(rng, 1);
    }
    for (size_t i = 4; i < n; i += size) {
        const size_t lot = i + gsl_rng_uniform_int(rng, size);
        if (lot < n)
            p->launch[first + lot].measured = true;
    }
}

static double estimated(const population *p)
{
    double sum = 0;
    for (size_t i = 0; i < p->n; i++)
        sum += p->launch[i].weight * (p->launch[i].measured ? p->y[p->launch[i].id] : 0);
    return sum;
}

static double true_total(const population *p)
{
    double sum = 0;
    for (size_t i = 0; i < p->n; i++)
        sum += p->y[i];
    return sum;
}

static double bound_of(const population *p, const ws_estimate *e)
{
    double u[MOST];
    for (size_t i = 0; i < p->n; i++) /* sorted: by place, not by id; what was not measured must not be looked at */
        u[i] = p->launch[i].measured ? p->y[p->launch[i].id] : NAN;
    return ws_estimate_bound(e, u);
}

static void weights_give_the_totals_that_are_known(void **state)
{
    (void)state;
    static population p;
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_taus2);
    ws_estimate *e;
    p.n = 0;
    make(&p, rng, 400, 10, 0, 7);
    make(&p, rng, 300, 7, 0, 2);
    assert_int_equal(ws_estimate_create(p.launch, p.n, &e), WS_OK);
    assert_near(total_of(&p, weights), 700, 1e-6);
    assert_near(total_of(&p, weighted_warps), total_of(&p, warps), 1e-6 * total_of(&p, warps));
    assert_near(total_of(&p, weighted_threads), total_of(&p, threads), 1e-6 * total_of(&p, threads));
    for (size_t i = 0; i < p.n; i++)
        assert_true(p.launch[i].measured ? p.launch[i].weight > 0 : p.launch[i].weight == 0);
    /* what is linear in what is known is known */
    assert_near(estimated(&p), true_total(&p), 1e-6 * true_total(&p));
    assert_true(bound_of(&p, e) < 1e-6 * true_total(&p));
    ws_estimate_destroy(e);
    gsl_rng_free(rng);
}

/* The interval holds the truth in about 95 of 100 samples: at least 900 of 1000 (at 0.95 that fails once in 10^10). */
static void bounds_hold_as_often_as_they_say(void **state)
{
    (void)state;
    static population p;
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_taus2);
    const struct {
        size_t n, size;
    } shapes[] = {{300, 10}, {60, 4}, {1500, 40}};
    for (size_t shape = 0; shape < sizeof shapes / sizeof *shapes; shape++) {
        unsigned held = 0;
        double width = 0, error = 0;
        for (unsigned round = 0; round < 1000; round++) {
            ws_estimate *e;
            p.n = 0;
            make(&p, rng, shapes[shape].n, shapes[shape].size, 100, 0);
            assert_int_equal(ws_estimate_create(p.launch, p.n, &e), WS_OK);
            const double bound = bound_of(&p, e), off = fabs(estimated(&p) - true_total(&p));
            held += off <= bound;
            width += bound;
            error += off;
            ws_estimate_destroy(e);
        }
        if (held < 900)
            fail_msg("%zu launches in slices of %zu: held %u times", shapes[shape].n, shapes[shape].size, held);
        assert_true(width < 8 * error); /* a bound that is never passed because it is huge would be no use */
    }
    gsl_rng_free(rng);
}

static void one_stratum_measured_whole_has_no_error(void **state)
{
    (void)state;
    ws_estimate *e;
    ws_estimate_launch l[3] = {{.id = 0, .stratum = 5, .slice = 0, .measured = true, .warp_instructions = 1},
                               {.id = 1, .stratum = 5, .slice = 1, .measured = true, .warp_instructions = 9},
                               {.id = 2, .stratum = 5, .slice = 2, .measured = true, .warp_instructions = 4}};
    const double u[3] = {10, -3, 99};
    assert_int_equal(ws_estimate_create(l, 3, &e), WS_OK);
    for (size_t i = 0; i < 3; i++)
        assert_near(l[i].weight, 1, 0);
    assert_near(ws_estimate_bound(e, u), 0, 0);
    ws_estimate_destroy(e);
}

static void an_end_within_a_slice_joins_the_one_before(void **state)
{
    (void)state;
    ws_estimate *e;
    ws_estimate_launch l[6];
    for (int i = 0; i < 6; i++)
        l[i] = (ws_estimate_launch){
            .id = i, .slice = i < 3 ? i : 3, .measured = i < 3, .warp_instructions = 10, .blocks = 1};
    const double u[6] = {5, 7, 6, NAN, NAN, NAN};
    assert_int_equal(ws_estimate_create(l, 6, &e), WS_OK);
    assert_near(l[0].weight, 1, 0);
    assert_near(l[2].weight, 4, 1e-9);
    /* spread 4 * 3, variance of 5, 7, 6 is 1, two degrees of freedom: t = 4.302653 */
    assert_near(ws_estimate_bound(e, u), 4.302653 * sqrt(12), 1e-4);
    ws_estimate_destroy(e);
}

static void one_measured_launch_of_many_tells_no_error(void **state)
{
    (void)state;
    ws_estimate *e;
    ws_estimate_launch l[4];
    for (int i = 0; i < 4; i++)
        l[i] = (ws_estimate_launch){.id = i, .measured = i == 2, .warp_instructions = 10};
    const double u[4] = {NAN, NAN, 1, NAN};
    assert_int_equal(ws_estimate_create(l, 4, &e), WS_OK);
    assert_near(l[2].weight, 4, 1e-9);
    assert_true(isinf(ws_estimate_bound(e, u)));
    ws_estimate_destroy(e);
}

static void what_is_no_sample_is_refused(void **state)
{
    (void)state;
    ws_estimate *e;
    ws_estimate_launch two[2] = {{.measured = true}, {.measured = true}}, none[2] = {{.id = 0}, {.id = 1}};
    assert_int_equal(ws_estimate_create(two, 2, &e), WS_EINPUT);
    assert_non_null(strstr(ws_message(), "two measured launches"));
    assert_int_equal(ws_estimate_create(none, 2, &e), WS_EINPUT);
    assert_null(e);
}

static void errors_are_held_against_a_scale(void **state)
{
    (void)state;
    assert_near(ws_estimate_scale("ratio", 0.01), 1, 0);
    assert_near(ws_estimate_scale("fraction", 0), 1, 0);
    assert_near(ws_estimate_scale("ratio", 7), 7, 0);
    assert_near(ws_estimate_scale("instr", -200), 200, 0);
    assert_near(ws_estimate_scale("1/kinstr", 3), 10, 0);
    assert_near(ws_estimate_scale("1/kinstr", 300), 300, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_give_the_totals_that_are_known),
        cmocka_unit_test(bounds_hold_as_often_as_they_say),
        cmocka_unit_test(one_stratum_measured_whole_has_no_error),
        cmocka_unit_test(an_end_within_a_slice_joins_the_one_before),
        cmocka_unit_test(one_measured_launch_of_many_tells_no_error),
        cmocka_unit_test(what_is_no_sample_is_refused),
        cmocka_unit_test(errors_are_held_against_a_scale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
