/* Does the fan-out put ranges together in block order, whatever the order and the threads that closed them? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/status.h"
#include "collect/trace/fanout.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

/* A sink that writes down the blocks it saw: concatenation is associative and not commutative. */
typedef struct tape {
    uint64_t *block;
    size_t n;
    uint64_t values;
} tape;

static atomic_int live; /* tapes between init and fini */
static atomic_int merges_until_failure, begins_until_failure;

static int tape_init(void *p, const ws_launch *launch)
{
    tape *const t = p;
    t->block = calloc(launch->blocks, sizeof *t->block);
    assert_non_null(t->block);
    atomic_fetch_add(&live, 1);
    return WS_OK;
}

static int tape_begin(void *p, const ws_launch *launch, uint64_t block)
{
    (void)p, (void)launch, (void)block;
    return atomic_fetch_sub(&begins_until_failure, 1) == 1 ? ws_fail(WS_ELIMIT, "begin") : WS_OK;
}

static int tape_events(void *p, const ws_launch *launch, const ws_batch *batch)
{
    (void)launch;
    tape *const t = p;
    for (size_t i = 0; i < batch->events; i++)
        t->block[t->n++] = batch->block;
    return WS_OK;
}

static int tape_merge(void *into, void *from, const ws_launch *launch)
{
    (void)launch;
    tape *const a = into;
    const tape *const b = from;
    for (size_t i = 0; i < b->n; i++)
        a->block[a->n++] = b->block[i];
    a->values += b->values;
    return atomic_fetch_sub(&merges_until_failure, 1) == 1 ? ws_fail(WS_EMEM, "merge") : WS_OK;
}

static void tape_fini(void *p)
{
    tape *const t = p;
    free(t->block);
    if (t->block)
        atomic_fetch_sub(&live, 1);
}

static int odd_block(const ws_launch *launch, uint64_t block)
{
    (void)launch;
    return block % 2;
}

static int tape_values(void *p, const ws_launch *launch, uint64_t block, const ws_value *value, size_t n)
{
    (void)launch, (void)value;
    tape *const t = p;
    assert_true(block % 2);
    t->values += n;
    return WS_OK;
}

static const ws_sink tape_sink = {
    .name = "tape",
    .wants = WS_WANT_RUN,
    .state_size = sizeof(tape),
    .init = tape_init,
    .block_begin = tape_begin,
    .events = tape_events,
    .merge = tape_merge,
    .fini = tape_fini,
};
static const ws_sink value_sink = {
    .name = "values",
    .wants = WS_WANT_BRANCH,
    .state_size = sizeof(tape),
    .init = tape_init,
    .events = tape_events,
    .merge = tape_merge,
    .fini = tape_fini,
    .sample_block = odd_block,
    .values = tape_values,
};
static const ws_sink *const sinks[] = {&tape_sink, &value_sink};

static int refuse(void *p, const ws_launch *launch)
{
    (void)p, (void)launch;
    return ws_fail(WS_EMEM, "init");
}

static ws_launch launch_of(uint64_t blocks)
{
    return (ws_launch){.kernel = "k", .blocks = blocks};
}

static int feed(ws_range *range, uint64_t block)
{
    const ws_event event[1] = {{.kind = WS_EVENT_RUN, .count = 1, .exec = 1, .active = 1}};
    const ws_batch batch = {.block = block, .event = event, .events = 1};
    const int status = ws_range_block_begin(range, block);
    if (status != WS_OK)
        return status;
    assert_int_equal(ws_range_events(range, &batch), WS_OK);
    assert_int_equal(ws_range_values(range, block, NULL, 3), WS_OK);
    return ws_range_block_end(range, block);
}

static int run_range(ws_fanout *f, uint64_t first, uint64_t end)
{
    ws_range *range;
    assert_int_equal(ws_range_open(f, first, &range), WS_OK);
    for (uint64_t b = first; b < end; b++) {
        const int status = feed(range, b);
        if (status != WS_OK) {
            assert_int_equal(ws_range_close(range, b), WS_OK);
            return status;
        }
    }
    return ws_range_close(range, end);
}

static int setup(void **state)
{
    (void)state;
    atomic_store(&live, 0);
    atomic_store(&merges_until_failure, 0);
    atomic_store(&begins_until_failure, 0);
    return 0;
}

static void expect_all(ws_fanout *f, uint64_t blocks)
{
    const tape *const t = ws_fanout_state(f, 0);
    assert_non_null(t);
    assert_int_equal(t->n, blocks);
    for (uint64_t b = 0; b < blocks; b++)
        assert_int_equal(t->block[b], b);
    const tape *const v = ws_fanout_state(f, 1);
    assert_int_equal(v->values, 3 * (blocks / 2));
}

static void any_order_of_closing_gives_block_order(void **state)
{
    (void)state;
    enum { CHUNKS = 6, CHUNK = 3 };
    const ws_launch launch = launch_of(CHUNKS * CHUNK);
    for (unsigned seed = 1; seed <= 50; seed++) {
        unsigned order[CHUNKS];
        for (unsigned i = 0; i < CHUNKS; i++)
            order[i] = i;
        srand(seed);
        for (unsigned i = CHUNKS - 1; i > 0; i--) {
            const unsigned j = (unsigned)rand() % (i + 1), keep = order[i];
            order[i] = order[j];
            order[j] = keep;
        }
        ws_fanout *f;
        assert_int_equal(ws_fanout_create(sinks, 2, &launch, &f), WS_OK);
        for (unsigned i = 0; i < CHUNKS; i++)
            assert_int_equal(run_range(f, order[i] * CHUNK, order[i] * CHUNK + CHUNK), WS_OK);
        assert_int_equal(atomic_load(&live), 2); /* all merged into one */
        expect_all(f, launch.blocks);
        ws_fanout_destroy(f);
        assert_int_equal(atomic_load(&live), 0);
    }
}

static void finished_ranges_in_wait_are_no_more_than_the_gaps(void **state)
{
    (void)state;
    const ws_launch launch = launch_of(100);
    ws_fanout *f;
    ws_range *first;
    assert_int_equal(ws_fanout_create(sinks, 2, &launch, &f), WS_OK);
    assert_int_equal(ws_range_open(f, 0, &first), WS_OK);
    for (uint64_t b = 1; b < 100; b++) {
        assert_int_equal(run_range(f, b, b + 1), WS_OK);
        assert_int_equal(atomic_load(&live), 4); /* the open one and one finished */
    }
    assert_null(ws_fanout_state(f, 0));
    assert_int_equal(feed(first, 0), WS_OK);
    assert_int_equal(ws_range_close(first, 1), WS_OK);
    expect_all(f, 100);
    ws_fanout_destroy(f);
}

typedef struct job {
    ws_fanout *fanout;
    atomic_ullong *next;
    uint64_t blocks;
} job;

static void *worker(void *p)
{
    const job *const j = p;
    for (uint64_t b; (b = atomic_fetch_add(j->next, 1)) < j->blocks;) {
        ws_range *range;
        if (ws_range_open(j->fanout, b, &range) != WS_OK || feed(range, b) != WS_OK || ws_range_close(range, b + 1))
            abort();
    }
    return NULL;
}

static void threads_agree(void **state)
{
    (void)state;
    const ws_launch launch = launch_of(600);
    ws_fanout *f;
    atomic_ullong next = 0;
    pthread_t thread[4];
    assert_int_equal(ws_fanout_create(sinks, 2, &launch, &f), WS_OK);
    job j = {f, &next, launch.blocks};
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, worker, &j), 0);
    for (int i = 0; i < 4; i++)
        pthread_join(thread[i], NULL);
    assert_int_equal(atomic_load(&live), 2);
    expect_all(f, launch.blocks);
    ws_fanout_destroy(f);
    assert_int_equal(atomic_load(&live), 0);
}

static void failures_leak_nothing_and_show_no_result(void **state)
{
    (void)state;
    const ws_launch launch = launch_of(4);
    ws_fanout *f;

    assert_int_equal(ws_fanout_create(sinks, 2, &launch, &f), WS_OK);
    atomic_store(&merges_until_failure, 3); /* the second merge of the two sinks fails */
    assert_int_equal(run_range(f, 0, 1), WS_OK);
    assert_int_equal(run_range(f, 1, 2), WS_OK);
    assert_int_equal(run_range(f, 2, 3), WS_EMEM);
    assert_string_equal(ws_message(), "merge");
    assert_int_equal(run_range(f, 3, 4), WS_OK);
    assert_null(ws_fanout_state(f, 0));
    ws_fanout_destroy(f);
    assert_int_equal(atomic_load(&live), 0);

    assert_int_equal(ws_fanout_create(sinks, 2, &launch, &f), WS_OK);
    atomic_store(&begins_until_failure, 2);
    assert_int_equal(run_range(f, 0, 3), WS_ELIMIT);
    assert_int_equal(run_range(f, 3, 4), WS_OK);
    assert_null(ws_fanout_state(f, 0));
    ws_fanout_destroy(f);
    assert_int_equal(atomic_load(&live), 0);

    const ws_sink bad = {.name = "bad", .state_size = 8, .init = refuse, .merge = tape_merge, .wants = WS_WANT_RUN};
    const ws_sink *const with_bad[] = {&tape_sink, &bad, &value_sink};
    ws_range *range;
    assert_int_equal(ws_fanout_create(with_bad, 3, &launch, &f), WS_OK);
    assert_int_equal(ws_range_open(f, 0, &range), WS_EMEM);
    assert_null(range);
    ws_fanout_destroy(f);
    assert_int_equal(atomic_load(&live), 0);
}

static void a_launch_cut_short_has_no_state(void **state)
{
    (void)state;
    const ws_launch launch = launch_of(4);
    ws_fanout *f;
    ws_range *range;
    assert_int_equal(ws_fanout_create(sinks, 2, &launch, &f), WS_OK);
    assert_int_equal(run_range(f, 0, 3), WS_OK);
    assert_null(ws_fanout_state(f, 0));
    assert_int_equal(ws_range_open(f, 3, &range), WS_OK);
    assert_int_equal(ws_range_close(range, 3), WS_OK); /* an empty range changes nothing */
    assert_int_equal(ws_range_open(f, 3, &range), WS_OK);
    assert_int_equal(feed(range, 3), WS_OK);
    assert_null(ws_fanout_state(f, 0));
    ws_fanout_destroy(f); /* with a range open */
    assert_int_equal(atomic_load(&live), 0);
    ws_fanout_destroy(NULL);
}

static void wants_and_samples_are_the_union(void **state)
{
    (void)state;
    const ws_launch launch = launch_of(2);
    ws_fanout *f;
    assert_int_equal(ws_fanout_create(sinks, 2, &launch, &f), WS_OK);
    assert_int_equal(ws_fanout_wants(f), WS_WANT_RUN | WS_WANT_BRANCH);
    assert_int_equal(ws_fanout_samples(f, 0), 0);
    assert_int_equal(ws_fanout_samples(f, 1), 1);
    ws_fanout_destroy(f);
    assert_int_equal(ws_fanout_create(sinks, 1, &launch, &f), WS_OK);
    assert_int_equal(ws_fanout_samples(f, 1), 0);
    ws_fanout_destroy(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(any_order_of_closing_gives_block_order, setup),
        cmocka_unit_test_setup(finished_ranges_in_wait_are_no_more_than_the_gaps, setup),
        cmocka_unit_test_setup(threads_agree, setup),
        cmocka_unit_test_setup(failures_leak_nothing_and_show_no_result, setup),
        cmocka_unit_test_setup(a_launch_cut_short_has_no_state, setup),
        cmocka_unit_test_setup(wants_and_samples_are_the_union, setup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
