/* test_off_chip.c - are accesses followed in the order in which a machine would make them, in every split of the
 * blocks? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/status.h"
#include "metrics/off_chip.h"

#include <gsl/gsl_rng.h>
#include <string.h>

enum { THREADS = 128, WARPS = 4, ROW_BYTES = 65536 /* from one row of a bank to its next */ };

static ws_instr instr[] = {{.cls = WS_CLASS_MEMORY, .access = WS_ACCESS_LOAD, .bytes = 4},
                           {.cls = WS_CLASS_MEMORY, .access = WS_ACCESS_STORE, .bytes = 4},
                           {.cls = WS_CLASS_INTEGER},
                           {.cls = WS_CLASS_BARRIER}};
enum { LOAD, STORE, PLAIN, BARRIER };

static ws_launch launch_of(uint64_t blocks)
{
    return (ws_launch){.kernel = "k",
                       .blocks = blocks,
                       .threads_per_block = THREADS,
                       .warps_per_block = WARPS,
                       .instr = instr,
                       .instrs = 4};
}

/* One warp does one thing; lane 0 alone accesses memory. */
static void see(ws_off_chip *t, const ws_launch *l, uint64_t block, uint16_t warp, uint32_t what, uint64_t address,
                uint16_t count)
{
    uint64_t lanes[WS_WARP] = {address};
    const ws_event ev = {.pc = what,
                         .warp = warp,
                         .count = count,
                         .active = 1,
                         .exec = 1,
                         .space = WS_SPACE_GLOBAL,
                         .kind = what <= STORE     ? WS_EVENT_MEMORY
                                 : what == BARRIER ? WS_EVENT_BARRIER
                                                   : WS_EVENT_RUN};
    const ws_batch batch = {.block = block, .event = &ev, .events = 1, .address = lanes};
    assert_int_equal(ws_off_chip_see(t, l, &batch), WS_OK);
}

static ws_off_chip *tracker(const ws_launch *l)
{
    ws_off_chip *t;
    assert_int_equal(ws_off_chip_create(&ws_board_frozen, l, &t), WS_OK);
    return t;
}

static ws_off_chip_count finish(ws_off_chip *t)
{
    ws_off_chip_count n;
    assert_int_equal(ws_off_chip_finish(t, &n), WS_OK);
    ws_off_chip_destroy(t);
    return n;
}

/* Two blocks, each alone on its multiprocessor, walk over two rows of one bank: one after another they would make two
 * runs. */
static void resident_blocks_take_turns_at_rows(void **state)
{
    (void)state;
    const ws_launch l = launch_of(2);
    ws_off_chip *const t = tracker(&l);
    for (uint64_t block = 0; block < 2; block++) {
        for (unsigned i = 0; i < 4; i++)
            see(t, &l, block, 0, STORE, block * ROW_BYTES + i * 64, 1);
        assert_int_equal(ws_off_chip_block_end(t, block), WS_OK);
    }
    const ws_off_chip_count n = finish(t);
    assert_int_equal(n.accesses, 8);
    assert_int_equal(n.runs, 8);
    assert_int_equal(n.mergeable, 0);
}

/* Warp 1 asks for what warp 0 has asked for so many of its turns before, of 4 cycles each. */
static uint64_t shared_after(unsigned turns, uint32_t what)
{
    const ws_launch l = launch_of(1);
    ws_off_chip *const t = tracker(&l);
    see(t, &l, 0, 0, what, 0, 1);
    see(t, &l, 0, 1, PLAIN, 0, (uint16_t)turns);
    see(t, &l, 0, 1, what, 0, 1);
    assert_int_equal(ws_off_chip_block_end(t, 0), WS_OK);
    return finish(t).mergeable;
}

static void a_request_is_under_way_for_its_latency(void **state)
{
    (void)state;
    assert_int_equal(shared_after(1, LOAD), 1);
    assert_int_equal(shared_after(WS_LATENCY / WARPS - 1, LOAD),
                     1); /* and the one cycle that warp 1 stands behind warp 0 */
    assert_int_equal(shared_after(WS_LATENCY / WARPS, LOAD), 0);
    assert_int_equal(shared_after(WS_LATENCY / WARPS - 1, STORE), 1);
}

/* A warp waits for its load, and whoever meets it at a barrier with it; nobody waits for a store. */
static void loads_and_barriers_are_waited_for(void **state)
{
    (void)state;
    for (uint32_t what = LOAD; what <= STORE; what++) {
        const ws_launch l = launch_of(1);
        ws_off_chip *const t = tracker(&l);
        see(t, &l, 0, 0, what, 0, 1);
        for (uint16_t warp = 0; warp < WARPS; warp++)
            see(t, &l, 0, warp, BARRIER, 0, 1);
        see(t, &l, 0, 1, what, 0, 1);
        assert_int_equal(ws_off_chip_block_end(t, 0), WS_OK);
        assert_int_equal(finish(t).mergeable, what == STORE);
    }
}

/* A block with far more accesses than are kept: those that are counted have the proportions of all. */
static void long_blocks_are_followed_in_windows(void **state)
{
    (void)state;
    const uint64_t all = 40 * WS_RECORDS;
    const ws_launch l = launch_of(1);
    ws_off_chip *const t = tracker(&l);
    for (uint64_t i = 0; i < all; i++)
        see(t, &l, 0, 0, STORE, i / 2 * 64, 1); /* each block of memory twice */
    assert_int_equal(ws_off_chip_block_end(t, 0), WS_OK);
    const ws_off_chip_count n = finish(t);
    assert_true((double)n.accesses > 0.3 * (double)all && n.accesses < all);
    assert_true((double)n.mergeable > 0.49 * (double)n.accesses && (double)n.mergeable < 0.51 * (double)n.accesses);
}

static void random_block(ws_off_chip *t, const ws_launch *l, uint64_t block)
{
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_taus2);
    gsl_rng_set(rng, block + 1);
    for (unsigned i = 0; i < 200; i++)
        see(t, l, block, (uint16_t)gsl_rng_uniform_int(rng, WARPS), (uint32_t)gsl_rng_uniform_int(rng, BARRIER),
            gsl_rng_uniform_int(rng, 400) * 1000, (uint16_t)(1 + gsl_rng_uniform_int(rng, 3)));
    assert_int_equal(ws_off_chip_block_end(t, block), WS_OK);
    gsl_rng_free(rng);
}

/* Ranges of consecutive blocks, cut anywhere and joined in any order of neighbours. */
static void every_split_of_the_blocks_gives_the_same(void **state)
{
    (void)state;
    enum { BLOCKS = 300, RANGES = 7 }; /* waves have 64 blocks */
    const ws_launch l = launch_of(BLOCKS);
    ws_off_chip *const whole = tracker(&l);
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_taus2);
    for (uint64_t b = 0; b < BLOCKS; b++)
        random_block(whole, &l, b);
    const ws_off_chip_count expected = finish(whole);
    assert_true(expected.mergeable > 0 && expected.runs < expected.accesses);
    for (unsigned round = 0; round < 20; round++) {
        ws_off_chip *part[RANGES];
        uint64_t cut[RANGES + 1] = {0};
        for (unsigned i = 1; i <= RANGES; i++)
            cut[i] = i == RANGES ? BLOCKS : cut[i - 1] + gsl_rng_uniform_int(rng, BLOCKS - cut[i - 1]);
        for (unsigned i = 0; i < RANGES; i++) {
            part[i] = tracker(&l);
            for (uint64_t b = cut[i]; b < cut[i + 1]; b++)
                random_block(part[i], &l, b);
        }
        for (unsigned left = RANGES; left > 1; left--) {
            const unsigned at = (unsigned)gsl_rng_uniform_int(rng, left - 1);
            assert_int_equal(ws_off_chip_join(part[at], part[at + 1]), WS_OK);
            ws_off_chip_destroy(part[at + 1]);
            memmove(part + at + 1, part + at + 2, (left - at - 2) * sizeof *part);
        }
        const ws_off_chip_count n = finish(part[0]);
        assert_memory_equal(&n, &expected, sizeof n);
    }
    gsl_rng_free(rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(resident_blocks_take_turns_at_rows),
        cmocka_unit_test(a_request_is_under_way_for_its_latency),
        cmocka_unit_test(loads_and_barriers_are_waited_for),
        cmocka_unit_test(long_blocks_are_followed_in_windows),
        cmocka_unit_test(every_split_of_the_blocks_gives_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
