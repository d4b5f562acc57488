/* test_sim_repeats.c - the result of the cycle simulator depends on nothing but the launch and the machine: not on
 * threads, on cycles that are skipped, on where a run stops, on a checkpoint, nor on whether loads are checked; and
 * loads return what the protocol promises. */
#include "sim_random.h"
#include "tests/unit/machine_word.h"

/* ------------------------------------------------------------------------------------------------ always the same */

static void test_workers_and_slices(void **state)
{
    (void)state;
    for (unsigned i = 0; i < PROTOCOLS; i += 4) {
        ws_machine m;
        random_machine(&m, protocols[i], i);
        m.port_cycles = 16; /* few windows: threads that share a processor with others are slow to meet */
        const ws_sim_sums once = run_whole(&m, NULL, random_script(i, 6, 64, 32, 20), UINT32_MAX);
        for (unsigned workers = 2; workers <= 3; workers++) {
            const ws_sim_options options = {.workers = workers};
            const ws_sim_sums d = run_whole(&m, &options, random_script(i, 6, 64, 32, 20), UINT32_MAX);
            compare(&once, &d);
        }
        for (uint64_t slice = 1; slice < 1000; slice = slice * 5 + 2) {
            const ws_sim_sums d = run_whole(&m, NULL, random_script(i, 6, 64, 32, 20), slice);
            compare(&once, &d);
        }
    }
}

static void test_every_cycle(void **state)
{
    (void)state;
    for (unsigned i = 0; i < PROTOCOLS; i += next_protocol())
        for (unsigned seed = 0; seed < seeds; seed++) {
            ws_machine m;
            random_machine(&m, protocols[i], i + seed);
            const ws_sim_options options = {.every_cycle = true};
            const ws_sim_sums skipped = run_whole(&m, NULL, random_script(seed, 6, 96, 48, 20), 1000);
            const ws_sim_sums stepped = run_whole(&m, &options, random_script(seed, 6, 96, 48, 20), 1000);
            compare(&skipped, &stepped);
        }
}

/* Every warp scheduler as it is, with its options at their least, with every second one at its least, all at their
 * most: the same with every cycle executed, on threads, and after a checkpoint. */
static void test_warp_schedulers(void **state)
{
    (void)state;
    const ws_sim_options stepped = {.every_cycle = true}, threads = {.workers = 2};
    for (unsigned row = 0; ws_warp_scheduler_kind_at(row); row++) {
        const ws_option *const options = ws_warp_scheduler_kind_at(row)->options;
        /* Every second one of those that have options has all at their most; --more: each has all four ways. */
        for (unsigned least = thrift > 1 && options[0].name ? 3 * (row % 2) : 0; least < (options[0].name ? 4 : 1);
             least += thrift) {
            const ws_warp_scheduler_ops *const ops = ws_warp_scheduler_ops_of(ws_warp_scheduler_kind_at(row));
            const bool plain = ops->evicted || ops->reexecutes;
            ws_given given[8];
            ws_machine m;
            random_machine(&m, row % 2 || plain ? "none" : "bl", 4 * row);
            m.port_cycles = 16;
            m.sm_scheduler = ws_warp_scheduler_kind_at(row);
            m.scheduler = (ws_machine_options){.list = given};
            for (size_t i = 0; least && options[i].name; i++)
                if (least == 3 || i % least == 0)
                    given[m.scheduler.count++] = (ws_given){
                        .name = options[i].name, .value = (uint64_t)(least == 3 ? options[i].most : options[i].least)};
            const ws_sim_sums once = run_whole(&m, NULL, random_script(row, 10, 96, 64, 20), 1000);
            ws_sim_sums other = run_whole(&m, &stepped, random_script(row, 10, 96, 64, 20), 1000);
            compare(&once, &other);
            if (thrift == 1 || row % 2) { /* --more: on threads, all */
                other = run_whole(&m, &threads, random_script(row, 10, 96, 64, 20), 1000);
                compare(&once, &other);
            }
            bool done;
            other = run_in_two(&m, row, 1 + once.cycles / (2 + least), &done);
            compare(&once, &other);
        }
    }
}

/* The same on threads: few windows, as above, and a machine with both an L3 and L2s on the side of who asks. */
static void test_levels_on_threads(void **state)
{
    (void)state;
    const ws_sim_options threads = {.workers = 3};
    ws_machine m;
    random_machine(&m, "none", 10);
    assert_true(m.l3_size && ws_machine_keeps_remote(&m));
    m.port_cycles = 16;
    const ws_sim_sums once = run_whole(&m, NULL, random_script(1, 6, 64, 32, 20), UINT32_MAX);
    const ws_sim_sums other = run_whole(&m, &threads, random_script(1, 6, 64, 32, 20), UINT32_MAX);
    compare(&once, &other);
}

/* A machine that has run a launch runs the next one; caches of L2 are warm then. */
static void test_two_launches(void **state)
{
    (void)state;
    for (unsigned i = 0; i < PROTOCOLS; i++) {
        ws_machine m;
        script_machine(&m, protocols[i]);
        ws_sim *const sim = script_sim(&m, NULL);
        uint64_t misses = 0;
        for (unsigned launch = 0; launch < 2; launch++) {
            script *const s = script_make(2, 32);
            for (unsigned k = 0; k < 64; k++)
                script_add(s, k % 2, 0, LOAD, (uint64_t)k * LINE);
            ws_sim_sums sums;
            assert_int_equal(script_run(sim, s, 1000), WS_OK);
            ws_sim_sum(sim, &sums);
            assert_int_equal(sums.l2.misses - misses, launch ? 0 : 64);
            assert_int_equal(sums.sm.ctas, 2 * (launch + 1));
            misses = sums.l2.misses;
            ws_sim_end(sim);
            s->source.ops->destroy(&s->source);
        }
        ws_sim_destroy(sim);
    }
}

/* ------------------------------------------------------------------------------------------------ checkpoints */

static void test_checkpoint(void **state)
{
    (void)state;
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (unsigned i = 0; i < PROTOCOLS; i += next_protocol()) {
        ws_machine m;
        random_machine(&m, protocols[i], i);
        m.l2_warm = 1;
        const ws_sim_sums whole = run_whole(&m, NULL, random_script(i, 10, 96, 64, 20), 1000);
        bool done = false;
        for (unsigned k = 0; k < draws(3) && !done; k++) {
            const ws_sim_sums parts = run_in_two(&m, i, 1 + under(rng, (unsigned)whole.cycles), &done);
            compare(&whole, &parts);
        }
    }
    gsl_rng_free(rng);
}

/* A state that ends early is refused wherever it ends; so is one of another machine. */
static void test_checkpoint_that_ends_early(void **state)
{
    (void)state;
    ws_machine m;
    bool done;
    ws_bytes bytes = {0};
    random_machine(&m, "gtsc-rc", 1);
    script *const s = random_script(1, 10, 96, 64, 20);
    ws_sim *sim = script_sim(&m, NULL);
    assert_int_equal(ws_sim_begin(sim, &s->source), WS_OK);
    assert_int_equal(ws_sim_run(sim, 700, &done), WS_OK);
    assert_int_equal(ws_sim_save(sim, &bytes), WS_OK);
    ws_sim_end(sim);
    ws_sim_destroy(sim);
    for (size_t length = 0; length < bytes.length; length += 1 + bytes.length / 23) {
        ws_reader reader = {.next = bytes.data, .end = bytes.data + length};
        sim = script_sim(&m, NULL);
        assert_int_equal(ws_sim_begin(sim, &s->source), WS_OK);
        assert_int_equal(ws_sim_load(sim, &reader), WS_EINPUT);
        ws_sim_destroy(sim);
    }
    m.l1_sets = 4;
    ws_reader reader = ws_reader_of(&bytes);
    sim = script_sim(&m, NULL);
    assert_int_equal(ws_sim_begin(sim, &s->source), WS_OK);
    assert_int_equal(ws_sim_load(sim, &reader), WS_EINPUT);
    ws_sim_destroy(sim);
    s->source.ops->destroy(&s->source);
    ws_bytes_fini(&bytes);
}

/* ------------------------------------------------------------------------------------------------ what loads return */

static void test_check(void **state)
{
    (void)state;
    for (unsigned i = 1; i < PROTOCOLS; i++)
        for (unsigned seed = 0; seed < seeds; seed++) {
            ws_machine m;
            random_machine(&m, protocols[i], i + seed);
            m.l3_size = 4 * m.l3_ways * LINE;
            const ws_sim_options options = {.check = true};
            ws_sim *const sim = script_sim(&m, &options);
            script *const s = random_script(100 + seed, 12, 128, 60, 6);
            if (script_run(sim, s, 1000))
                fail_msg("%s, seed %u: %s", protocols[i], seed, ws_message());
            assert_true(ws_sim_checked(sim) > 500);
            ws_sim_end(sim);
            ws_sim_destroy(sim);
            s->source.ops->destroy(&s->source);
        }
}

/* Copies that nobody invalidates do not keep a stronger promise, and the check says so. */
static void test_check_finds_violations(void **state)
{
    (void)state;
    const ws_promise rule = WS_PROMISE_PHYSICAL;
    ws_machine m;
    random_machine(&m, "noncoherent", 0);
    const ws_sim_options options = {.check = true, .rule = &rule};
    ws_sim *const sim = script_sim(&m, &options);
    script *const s = random_script(100, 12, 128, 60, 6);
    assert_int_equal(script_run(sim, s, 1000), WS_EVERIFY);
    assert_non_null(strstr(ws_message(), "SM"));
    ws_sim_destroy(sim);
    s->source.ops->destroy(&s->source);
}

/* Values travel or do not: the machine does the same. */
static void test_check_changes_nothing(void **state)
{
    (void)state;
    for (unsigned i = 1; i < PROTOCOLS; i += next_protocol()) {
        ws_machine m;
        random_machine(&m, protocols[i], i);
        const ws_sim_options options = {.check = true};
        const ws_sim_sums without = run_whole(&m, NULL, random_script(i, 10, 96, 64, 20), 1000);
        const ws_sim_sums with = run_whole(&m, &options, random_script(i, 10, 96, 64, 20), 1000);
        compare(&without, &with);
    }
}

int main(int argc, char **argv)
{
    sim_random_begin(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_workers_and_slices),
        cmocka_unit_test(test_every_cycle),
        cmocka_unit_test(test_warp_schedulers),
        cmocka_unit_test(test_levels_on_threads),
        cmocka_unit_test(test_two_launches),
        cmocka_unit_test(test_checkpoint),
        cmocka_unit_test(test_checkpoint_that_ends_early),
        cmocka_unit_test(test_check),
        cmocka_unit_test(test_check_finds_violations),
        cmocka_unit_test(test_check_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
