/* test_lease_prediction.c - predictions of the length of leases: a sequence of events worked by hand, closed forms, and
 * what L1s tell. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/status.h"
#include "model/coherence/replay.h"
#include "tests/unit/coherence_pair.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST = 100, EXPIRED = 3, EVICT = 20, STORE = 40, FLOOR = 70, MOST = 200 };

/* A slice of one set of two lines, and an L1 of two lines. */
static ws_coherence_config config_of(const char *protocol)
{
    ws_coherence_config g = ws_coherence_defaults;
    g.protocol = protocol;
    g.sms = g.warps = 1;
    g.words = 0;
    g.slices = g.l1_sets = g.l2_sets = 1;
    g.l1_ways = g.l2_ways = 2;
    g.l1_mshrs = 2;
    g.l1_pending = g.l2_queue = 8;
    g.count = true;
    g.lease = FIRST;
    g.prediction = (ws_lease_prediction){
        .on = true, .expired = EXPIRED, .evict = EVICT, .store = STORE, .floor = FLOOR, .most = MOST};
    return g;
}

/* What a controller sent last, and a slice whose DRAM answers at once. */
typedef struct bench {
    ws_coherence *c;
    void *l1, *l2;
    uint64_t fetched, fetches;
    ws_coherence_message last;
} bench;

static void port_send(void *context, const ws_coherence_message *m)
{
    bench *const b = context;
    if (m->type == WS_MESSAGE_DRAM_READ) {
        b->fetched = m->block;
        b->fetches++;
    } else {
        memcpy(&b->last, m, offsetof(ws_coherence_message, data));
    }
}

static bench *set_up(const ws_coherence_config *g)
{
    bench *const b = calloc(1, sizeof *b);
    pair_create(g, &b->c, &b->l1, &b->l2);
    return b;
}

static void tear_down(bench *b)
{
    pair_destroy(b->c, b->l1, b->l2);
    free(b);
}

static void ask(bench *b, const ws_coherence_message *m, uint64_t now)
{
    const ws_coherence_ports ports = {.context = b, .send = port_send, .complete = pair_ignore};
    assert_int_equal(ws_l2_message(b->c, b->l2, m, now, &ports), WS_OK);
    for (; b->fetches; b->fetches--) {
        const ws_coherence_message fill = {.type = WS_MESSAGE_DRAM_FILL, .block = b->fetched};
        assert_int_equal(ws_l2_message(b->c, b->l2, &fill, now, &ports), WS_OK);
    }
}

static void load(bench *b, uint64_t block, bool ended, uint64_t now)
{
    ask(b, &(ws_coherence_message){.type = WS_MESSAGE_READ, .block = block, .ended = ended}, now);
}

static void store(bench *b, uint64_t block, bool fenced, uint64_t now)
{
    ask(b, &(ws_coherence_message){.type = WS_MESSAGE_WRITE, .block = block, .mask = 1, .fenced = fenced}, now);
}

static uint64_t expiry(const bench *b, uint64_t block)
{
    return ws_l2_look(b->c, b->l2, block).expiry;
}

#define LEASE(b, cycles)           assert_int_equal(ws_l2_lease((b)->l2), cycles)
#define EXPIRY(b, block, at)       assert_int_equal(expiry(b, block), at)
#define COUNTED(b, member, events) assert_int_equal(ws_l2_counts((b)->c, (b)->l2)->member, events)

/* Loads, evictions and stores of a weak protocol, one after the other. */
static void test_by_hand(void **unused)
{
    (void)unused;
    const ws_coherence_config g = config_of("tc-weak");
    bench *const b = set_up(&g);
    LEASE(b, 100);
    load(b, 0, true, 10); /* the block is not in L2: there is no lease that could have been longer */
    LEASE(b, 100);
    EXPIRY(b, 0, 110);
    load(b, 0, true, 50); /* of another SM the lease runs */
    LEASE(b, 100);
    EXPIRY(b, 0, 150);
    load(b, 0, true, 150); /* the end of a lease belongs to it */
    LEASE(b, 100);
    EXPIRY(b, 0, 250);
    load(b, 0, false, 251); /* of an SM without a copy: a longer lease is of no use to it */
    LEASE(b, 100);
    load(b, 0, true, 352); /* both have ended: the load gets the longer lease */
    LEASE(b, 103);
    EXPIRY(b, 0, 455);
    load(b, 0, true, 456);
    LEASE(b, 106);
    EXPIRY(b, 0, 562);
    COUNTED(b, lease_loads, 2);

    store(b, 0, false, 460); /* no warp of the SM has passed a fence */
    LEASE(b, 106);
    COUNTED(b, lease_stores, 0);
    store(b, 0, true, 562);
    LEASE(b, 66);
    store(b, 0, true, 562); /* the floor is 70 */
    LEASE(b, 66);
    COUNTED(b, lease_stores, 2);
    store(b, 0, true, 563); /* the lease has ended */
    COUNTED(b, lease_stores, 2);

    load(b, 1, false, 600);
    EXPIRY(b, 1, 666);
    COUNTED(b, lease_evictions, 0);
    load(b, 2, false, 601); /* block 0 is the one used longest ago, and its lease has ended */
    EXPIRY(b, 2, 667);
    COUNTED(b, lease_evictions, 0);
    LEASE(b, 66);
    load(b, 3, false, 602); /* block 1 would leave, and stays: the load waits for the end of its lease */
    LEASE(b, 46);
    load(b, 3, false, 603); /* behind the first one for the same block */
    LEASE(b, 46);
    load(b, 4, false, 604);
    LEASE(b, 26);
    COUNTED(b, lease_evictions, 2);
    EXPIRY(b, 1, 666); /* leases that were given stay */
    COUNTED(b, leases, 8);
    COUNTED(b, lease_cycles, 100 + 100 + 100 + 100 + 103 + 106 + 66 + 66);
    tear_down(b);
}

/* Where either end counts, three more loads of the same sequence do. */
static void test_either(void **unused)
{
    (void)unused;
    ws_coherence_config g = config_of("tc-weak");
    g.prediction.either = true;
    bench *const b = set_up(&g);
    load(b, 0, false, 10);
    LEASE(b, 100);
    load(b, 0, false, 20); /* neither */
    LEASE(b, 100);
    load(b, 0, true, 50);
    LEASE(b, 103);
    EXPIRY(b, 0, 153);
    load(b, 0, false, 154);
    LEASE(b, 106);
    load(b, 0, true, 300);
    LEASE(b, 109);
    load(b, 1, true, 301); /* the L1's copy outlived the line in L2 */
    LEASE(b, 112);
    tear_down(b);
}

/* It never leaves what it may be. */
static void test_bounds(void **unused)
{
    (void)unused;
    ws_coherence_config g = config_of("tc-strong");
    g.prediction.expired = UINT32_MAX;
    g.prediction.evict = UINT32_MAX;
    g.prediction.floor = 0;
    bench *b = set_up(&g);
    load(b, 0, false, 10);
    load(b, 0, true, 111);
    LEASE(b, MOST);
    load(b, 0, true, 312);
    LEASE(b, MOST);
    EXPIRY(b, 0, 512);
    store(b, 0, false, 400); /* waits for the lease, fences or not */
    LEASE(b, MOST - STORE);
    assert_int_equal(ws_l2_waiting(b->l2), 1);
    store(b, 0, false, 401); /* so does the one behind it */
    LEASE(b, MOST - 2 * STORE);
    load(b, 1, false, 402);
    load(b, 2, false, 403); /* block 0 would leave */
    LEASE(b, 0);
    store(b, 0, false, 404);
    LEASE(b, 0);
    tear_down(b);
    g.prediction.expired = 5;
    b = set_up(&g);
    load(b, 0, false, 10);
    load(b, 1, false, 11);
    load(b, 2, false, 12);
    LEASE(b, 0);
    assert_int_equal(expiry(b, 1), 111);
    load(b, 1, true, 60); /* a lease of no cycles shortens none that was given */
    EXPIRY(b, 1, 111);
    load(b, 1, true, 112); /* and from nothing it grows again */
    LEASE(b, 5);
    EXPIRY(b, 1, 117);
    tear_down(b);
}

/* n loads of an SM, each when both leases have ended: the sum of 1 to n. */
static void test_closed_form(void **unused)
{
    (void)unused;
    static const char *const protocols[] = {"tc-weak", "tc-strong"};
    for (size_t i = 0; i < sizeof protocols / sizeof *protocols; i++)
        for (unsigned n = 1; n <= 33; n += 8) {
            ws_coherence_config g = config_of(protocols[i]);
            g.prediction.most = 1 << 20;
            ws_coherence_replay *replay;
            if (ws_coherence_replay_create(&g, &ws_message_default_sizes, &replay))
                fail_msg("%s", ws_message());
            const ws_request r = {.kind = WS_REQUEST_LOAD, .mask = 1};
            for (unsigned k = 0; k <= n; k++)
                assert_int_equal(ws_coherence_replay_request(replay, 0, &r, 1000 * (k + 1)), WS_OK);
            ws_coherence_traffic t;
            ws_coherence_replay_sum(replay, &t);
            ws_coherence_replay_destroy(replay);
            assert_int_equal(t.l1.expired, n);
            assert_int_equal(t.l2.lease_loads, n);
            assert_int_equal(t.l2.leases, n + 1);
            assert_int_equal(t.l2.lease_cycles, FIRST * (n + 1) + EXPIRED * n * (n + 1) / 2);
        }
}

static int access_l1(bench *b, uint8_t kind, bool poll, uint64_t now)
{
    const ws_coherence_ports ports = {.context = b, .send = port_send, .complete = pair_ignore};
    b->last = (ws_coherence_message){.type = WS_MESSAGE_COUNT};
    return ws_l1_access(b->c, b->l1, &(ws_request){.kind = kind, .poll = poll, .mask = 1}, now, &ports);
}

static void answer(bench *b, uint8_t type, uint64_t end, uint64_t now)
{
    const ws_coherence_ports ports = {.context = b, .send = port_send, .complete = pair_ignore};
    ws_coherence_message m = b->last;
    m.type = type;
    m.expiry = end;
    assert_int_equal(ws_l1_message(b->c, b->l1, &m, now, &ports), WS_OK);
}

/* A read says whether the copy has ended, a store whether a fence was passed. */
static void test_what_an_l1_tells(void **unused)
{
    (void)unused;
    for (int on = 1; on >= 0; on--) {
        ws_coherence_config g = config_of("tc-weak");
        g.prediction.on = on;
        bench *const b = set_up(&g);
        assert_int_equal(access_l1(b, WS_REQUEST_LOAD, false, 1), WS_OK);
        assert_int_equal(b->last.type, WS_MESSAGE_READ);
        assert_false(b->last.ended);
        answer(b, WS_MESSAGE_FILL, 50, 10);
        assert_int_equal(access_l1(b, WS_REQUEST_LOAD, false, 50), WS_OK);
        assert_int_equal(b->last.type, WS_MESSAGE_COUNT); /* a hit */
        assert_int_equal(access_l1(b, WS_REQUEST_LOAD, false, 51), WS_OK);
        assert_int_equal(b->last.type, WS_MESSAGE_READ);
        assert_true(b->last.ended);
        answer(b, WS_MESSAGE_FILL, 90, 60);
        assert_int_equal(access_l1(b, WS_REQUEST_LOAD, true, 95), WS_OK);
        assert_int_equal(b->last.type, WS_MESSAGE_READ);
        assert_false(b->last.ended); /* a poll asks L2 whatever the copy is */
        answer(b, WS_MESSAGE_FILL, 120, 100);
        assert_int_equal(access_l1(b, WS_REQUEST_STORE, false, 101), WS_OK);
        assert_int_equal(b->last.type, WS_MESSAGE_WRITE);
        assert_false(b->last.fenced);
        answer(b, WS_MESSAGE_ACK, 121, 110);
        assert_int_equal(access_l1(b, WS_REQUEST_FENCE, false, 111), WS_COHERENCE_RETRY);
        assert_int_equal(access_l1(b, WS_REQUEST_FENCE, false, 121), WS_OK);
        assert_int_equal(access_l1(b, WS_REQUEST_STORE, false, 122), WS_OK);
        assert_int_equal(b->last.fenced, on);
        tear_down(b);
    }
}

static void expect_refused(const ws_coherence_config *g, const char *reason)
{
    ws_coherence *c;
    assert_int_equal(ws_coherence_create(g, &c), WS_EINPUT);
    assert_string_equal(ws_message(), reason);
}

static void test_refused(void **unused)
{
    (void)unused;
    ws_coherence_config g = config_of("gtsc-rc");
    expect_refused(&g, "coherence: lengths of leases in physical time are predicted; gtsc-rc has none");
    g = config_of("tc-weak");
    g.prediction.most = FIRST - 1;
    expect_refused(&g, "coherence: prediction.most is 99, expected 100 (lease) to 536870912");
    g.prediction.most = UINT32_MAX;
    expect_refused(&g, "coherence: prediction.most is 4294967295, expected 100 (lease) to 536870912");
    g.lease = UINT32_MAX;
    expect_refused(&g, "coherence: lease is 4294967295, expected 0 to 536870912");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),     cmocka_unit_test(test_either),           cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_closed_form), cmocka_unit_test(test_what_an_l1_tells), cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests_name("lease_prediction", tests, NULL, NULL);
}
