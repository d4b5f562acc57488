/* test_sharing_monitor.c - what SMs share, worked out by hand; and tables that thin themselves. */
#include "base/status.h"
#include "model/sim/sm/sharing_monitor.h"

#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { SMS = 5, BLOCKS = 64 };

static ws_sharing_monitor *monitors[SMS];

static void begin(uint32_t blocks)
{
    for (unsigned i = 0; i < SMS; i++) {
        free(monitors[i]);
        monitors[i] = malloc(ws_sharing_bytes(blocks));
        assert_non_null(monitors[i]);
        ws_sharing_begin(monitors[i], blocks);
    }
}

static void bring(unsigned sm, uint64_t block, uint64_t now)
{
    ws_sharing_load(monitors[sm], block, WS_LOAD_MISSED, now);
    ws_sharing_filled(monitors[sm], block, now + 100);
}

/* Tabbakh 2018, chapter 2: block A used by one SM and B by four lie in 5 lines of L1s (and 2 of L2: 7 for 2, a factor
 * of 3.5). */
static void capacity(void **state)
{
    (void)state;
    ws_sharing_counts c = {0};
    begin(BLOCKS);
    bring(0, 1000, 0);
    for (unsigned sm = 1; sm < SMS; sm++)
        bring(sm, 2000, 0);
    bring(2, 3000, 0);
    ws_sharing_left(monitors[2], 3000);
    assert_int_equal(ws_sharing_sample(monitors, SMS, &c), WS_OK);
    assert_int_equal(c.sampled_copies, 5);
    assert_int_equal(c.sampled_blocks, 2);
    assert_int_equal(ws_sharing_collect(monitors, SMS, &c), WS_OK);
    assert_int_equal(c.blocks, 3);
    assert_int_equal(c.copies, 6);
    assert_int_equal(c.shared_blocks, 1);
    assert_int_equal(c.shared_copies, 4);
    assert_int_equal(c.first_missed, 6);
    assert_int_equal(c.stays, 6);
}

/* Block 7 is shared: in SM 0 a miss, two merged, hits 50 and 1000 cycles after the fill, gone, a second miss. Block 8
 * is SM 1's alone, with six hits. A store of SM 2 shares 7, too; what hits without having come counts for nothing. */
static void in_time(void **state)
{
    (void)state;
    ws_sharing_counts c = {0};
    begin(BLOCKS);
    ws_sharing_load(monitors[0], 7, WS_LOAD_MISSED, 0);
    ws_sharing_load(monitors[0], 7, WS_LOAD_MERGED, 1);
    ws_sharing_load(monitors[0], 7, WS_LOAD_MERGED, 2);
    ws_sharing_filled(monitors[0], 7, 200);
    ws_sharing_filled(monitors[0], 7, 210); /* another sector: the same stay */
    ws_sharing_load(monitors[0], 7, WS_LOAD_HIT, 250);
    ws_sharing_load(monitors[0], 7, WS_LOAD_HIT, 1200);
    ws_sharing_left(monitors[0], 7);
    ws_sharing_load(monitors[0], 7, WS_LOAD_MISSED, 1300);
    ws_sharing_store(monitors[2], 7);
    bring(1, 8, 0);
    for (unsigned i = 0; i < 6; i++)
        ws_sharing_load(monitors[1], 8, WS_LOAD_HIT, 101);
    ws_sharing_load(monitors[3], 9, WS_LOAD_HIT, 5000);
    ws_sharing_left(monitors[3], 10);
    ws_sharing_cta_began(monitors[0], 3, 7, 10);
    ws_sharing_cta_ended(monitors[0], 3, 110);
    ws_sharing_cta_began(monitors[4], 0, 9, 50);
    ws_sharing_cta_ended(monitors[4], 0, 350);
    ws_sharing_stores(monitors[0], 3, 2);
    ws_sharing_stores(monitors[0], 4, 2);
    ws_sharing_stores(monitors[4], 1, 1);
    assert_int_equal(ws_sharing_collect(monitors, SMS, &c), WS_OK);
    const ws_sharing_counts expected = {.stores_sent = 3,
                                        .stores_abreast = 8,
                                        .storers_abreast = 5,
                                        .stores_most = 12,
                                        .launches = 1,
                                        .blocks = 3,
                                        .shared_blocks = 1,
                                        .by_1 = 2,
                                        .by_2 = 3,
                                        .by_3 = 3,
                                        .by_4 = 3,
                                        .by_6 = 3,
                                        .by_8 = 3,
                                        .by_12 = 3,
                                        .by_16 = 3,
                                        .copies = 4,
                                        .shared_copies = 2,
                                        .missed = 3,
                                        .merged = 2,
                                        .shared_missed = 2,
                                        .shared_merged = 2,
                                        .first_missed = 2,
                                        .shared_near = 1,
                                        .shared_far = 1,
                                        .stays = 2,
                                        .stay_hits = 8,
                                        .busy_stays = 1,
                                        .ctas = 2,
                                        .cta_cycles = 400,
                                        .cta_shortest = 200,
                                        .cta_longest = 600};
    assert_memory_equal(&c, &expected, sizeof c);
    uint64_t cta, cycles;
    assert_true(ws_sharing_take_ended(monitors[4], &cta, &cycles) && cta == 9 && cycles == 300);
    assert_false(ws_sharing_take_ended(monitors[4], &cta, &cycles));
}

/* A launch of one long CTA and one of three short ones: the mean CTA lies between the extremes of both together, and so
 * do stores. */
static void two_launches(void **state)
{
    (void)state;
    ws_sharing_counts c = {0};
    for (unsigned ctas = 1; ctas <= 3; ctas += 2) {
        begin(BLOCKS);
        for (unsigned i = 0; i < ctas; i++) {
            ws_sharing_cta_began(monitors[i], 0, i, 0);
            ws_sharing_cta_ended(monitors[i], 0, ctas == 1 ? 10 : 1000);
            ws_sharing_stores(monitors[i], ctas, 1);
        }
        assert_int_equal(ws_sharing_collect(monitors, SMS, &c), WS_OK);
    }
    assert_int_equal(c.ctas, 4);
    assert_int_equal(c.cta_cycles, 10 + 3 * 1000);
    assert_int_equal(c.cta_shortest, c.cta_cycles); /* those of a launch are alike, so their mean is both extremes */
    assert_int_equal(c.cta_longest, c.cta_cycles);
    assert_int_equal(c.stores_most, c.stores_abreast);
}

/* 20000 blocks, of which SMs 0 and 1 share half, in tables of 1000: the sample tells the shares, and each block of it
 * was followed from its first use. */
static void a_sample(void **state)
{
    (void)state;
    ws_sharing_counts c = {0};
    begin(1000);
    for (unsigned turn = 0; turn < 2; turn++)
        for (uint64_t block = 0; block < 20000; block++) {
            ws_sharing_load(monitors[0], block, turn ? WS_LOAD_MERGED : WS_LOAD_MISSED, 0);
            if (block % 2)
                ws_sharing_load(monitors[1], block, turn ? WS_LOAD_MERGED : WS_LOAD_MISSED, 0);
        }
    assert_int_equal(ws_sharing_collect(monitors, SMS, &c), WS_OK);
    assert_int_equal(c.missed, c.merged);
    assert_int_equal(c.first_missed, c.missed);
    assert_int_equal(c.copies, c.missed);
    assert_int_equal(c.blocks + c.shared_blocks, c.copies);
    /* 500 blocks or so of 20000, each for 32 or so: four standard deviations. */
    assert_in_range(c.blocks, 20000 - 3600, 20000 + 3600);
    assert_in_range(100 * c.shared_blocks / c.blocks, 41, 59);
}

static int free_all(void **state)
{
    (void)state;
    for (unsigned i = 0; i < SMS; i++)
        free(monitors[i]);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(capacity),
        cmocka_unit_test(in_time),
        cmocka_unit_test(two_launches),
        cmocka_unit_test(a_sample),
    };
    return cmocka_run_group_tests(tests, NULL, free_all);
}
