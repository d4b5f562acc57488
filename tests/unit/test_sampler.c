/* Does the sampler measure what it has to, leave out what it may, and draw the same lots again? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/status.h"
#include "metrics/sampler.h"
#include "tests/unit/synthetic_events.h"

enum { LAUNCHES = 400 };

typedef struct bench {
    ws_collector *collector;
    ws_sampler *sampler;
    unsigned measured;
    ws_sampler_choice choice[LAUNCHES];
} bench;

/* A launch of one warp with so many arithmetic instructions and stores; measured when the sampler wants it. */
static void run(bench *b, unsigned i, const char *kernel, uint64_t blocks, unsigned arithmetic, unsigned branches)
{
    const ws_sampler_launch about = {.kernel = kernel, .block = {32, 1, 1}, .blocks = blocks};
    synthetic s;
    size_t sinks;
    ws_fanout *fanout;
    assert_int_equal(ws_sampler_choose(b->sampler, &about, &b->choice[i]), WS_OK);
    if (b->choice[i].measure) {
        syn_init(&s, 1, 32);
        const uint32_t integer = syn_instr(&s, WS_CLASS_INTEGER), special = syn_instr(&s, WS_CLASS_SPECIAL);
        for (unsigned k = 0; k < arithmetic; k++)
            syn_run(&s, 0, 0, integer, 1, UINT32_MAX);
        for (unsigned k = 0; k < branches; k++)
            syn_run(&s, 0, 0, special, 1, UINT32_MAX >> k);
        const ws_sink *const *const sink = ws_collector_sinks(b->collector, &sinks);
        assert_int_equal(ws_fanout_create(sink, sinks, &s.launch, &fanout), WS_OK);
        syn_deliver(&s, fanout, 0, 1, 100);
        for (size_t k = 0; k < sinks; k++)
            assert_int_equal(ws_collector_collect(b->collector, &s.launch, k, ws_fanout_state(fanout, k)), WS_OK);
        ws_fanout_destroy(fanout);
        syn_fini(&s);
        b->measured++;
    }
    assert_int_equal(ws_sampler_ran(b->sampler, arithmetic + branches, 32 * (arithmetic + branches)), WS_OK);
}

static void begin(bench *b, double tolerance, uint64_t seed)
{
    *b = (bench){0};
    assert_int_equal(ws_collector_create("all", &b->collector), WS_OK);
    assert_int_equal(ws_sampler_create(tolerance, seed, b->collector, &b->sampler), WS_OK);
}

static void end(bench *b)
{
    ws_sampler_destroy(b->sampler);
    ws_collector_destroy(b->collector);
}

static void equal_launches_are_soon_left_out(void **state)
{
    (void)state;
    bench b;
    begin(&b, 0.05, 1);
    for (unsigned i = 0; i < LAUNCHES; i++)
        run(&b, i, "same", 8, 20, 3);
    for (unsigned i = 0; i < 4; i++)
        assert_true(b.choice[i].measure && b.choice[i].slice == i);
    assert_in_range(b.measured, 10, 40); /* slices are at most a quarter of what was before: 4 ln(400 / 16) and some */
    end(&b);
}

static void every_slice_has_one_measured_launch(void **state)
{
    (void)state;
    bench b;
    begin(&b, 0.05, 3);
    for (unsigned i = 0; i < LAUNCHES; i++)
        run(&b, i, "same", 8, 20, i % 7);
    for (unsigned i = 0, in_slice = 0; i < LAUNCHES; i++) {
        in_slice =
            i && b.choice[i].slice == b.choice[i - 1].slice ? in_slice + b.choice[i].measure : b.choice[i].measure;
        assert_true(in_slice <= 1);
        assert_true(!i || b.choice[i].slice - b.choice[i - 1].slice <= 1);
        if (i + 1 < LAUNCHES && b.choice[i + 1].slice != b.choice[i].slice)
            assert_int_equal(in_slice, 1);
    }
    end(&b);
}

static void a_smaller_tolerance_measures_more(void **state)
{
    (void)state;
    static const double tolerance[] = {0.2, 0.004, 0.00001};
    unsigned measured[3];
    for (unsigned k = 0; k < 3; k++) {
        bench b;
        begin(&b, tolerance[k], 1);
        for (unsigned i = 0; i < LAUNCHES; i++)
            run(&b, i, "varies", 8, 20 + i * 7919 % 31, i * 104729 % 13);
        measured[k] = b.measured;
        end(&b);
    }
    assert_true(measured[0] < measured[1] && measured[1] < measured[2]);
    /* But where the first few launches fit exactly in all columns but the twentieth that may miss: that depends on how
     * many do not vary here. */
    assert_in_range(measured[2], LAUNCHES - LAUNCHES / 100, LAUNCHES);
}

static void other_kernels_and_shapes_are_other_strata(void **state)
{
    (void)state;
    bench b;
    begin(&b, 0.05, 1);
    run(&b, 0, "a", 8, 5, 0);
    run(&b, 1, "b", 8, 5, 0);
    run(&b, 2, "a", 15, 5, 0);
    run(&b, 3, "a", 16, 5, 0);
    assert_int_equal(b.choice[0].stratum, 0);
    assert_int_equal(b.choice[1].stratum, 1);
    assert_int_equal(b.choice[2].stratum, 0); /* the same octave */
    assert_int_equal(b.choice[3].stratum, 2);
    assert_int_equal(b.measured, 4);
    end(&b);
}

static void the_same_seed_draws_the_same_lots(void **state)
{
    (void)state;
    bench b[3];
    unsigned same = 0;
    for (unsigned k = 0; k < 3; k++) {
        begin(&b[k], 0.05, k < 2 ? 11 : 12);
        for (unsigned i = 0; i < LAUNCHES; i++)
            run(&b[k], i, "same", 8, 20, 3);
        end(&b[k]);
    }
    assert_memory_equal(b[0].choice, b[1].choice, sizeof b[0].choice);
    for (unsigned i = 0; i < LAUNCHES; i++)
        same += b[0].choice[i].measure == b[2].choice[i].measure;
    assert_true(same < LAUNCHES);
}

/* Whether the next launch of the kernel would be left out, in the slice of the last. */
static bool left_out_next(const bench *b)
{
    const ws_sampler_launch about = {.kernel = "same", .block = {32, 1, 1}, .blocks = 8};
    ws_sampler_choice next;
    assert_int_equal(ws_sampler_choose(b->sampler, &about, &next), WS_OK);
    return !next.measure;
}

static void a_strange_launch_has_the_next_one_measured(void **state)
{
    (void)state;
    bench b;
    unsigned i = 0;
    begin(&b, 0.05, 1);
    do /* up to a launch that is measured within a long slice, so that the next one is not */
        run(&b, i, "same", 8, 20, 3);
    while (i++ < 100 || !b.choice[i - 1].measure || !left_out_next(&b));
    const unsigned strange = i;
    run(&b, i++, "same", 8, 200, 3);
    assert_false(b.choice[strange].measure);
    do /* to the end of its slice; then comes one of a single launch */
        run(&b, i, "same", 8, 20, 3);
    while (b.choice[i++].slice == b.choice[strange].slice);
    assert_true(b.choice[i - 1].measure);
    run(&b, i, "same", 8, 20, 3);
    assert_int_equal(b.choice[i].slice, b.choice[i - 1].slice + 1);
    end(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_launches_are_soon_left_out),
        cmocka_unit_test(every_slice_has_one_measured_launch),
        cmocka_unit_test(a_smaller_tolerance_measures_more),
        cmocka_unit_test(other_kernels_and_shapes_are_other_strata),
        cmocka_unit_test(the_same_seed_draws_the_same_lots),
        cmocka_unit_test(a_strange_launch_has_the_next_one_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
