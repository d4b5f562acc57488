/* test_lease_sole.c - stores of the only SM with a copy under tc-weak: events of a slice and of an L1 worked by hand.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/status.h"
#include "model/coherence/coherence.h"
#include "tests/unit/coherence_pair.h"

#include <stdlib.h>
#include <string.h>

enum { LEASE = 100, SENT = 8 };

typedef struct bench {
    ws_coherence *c;
    void *l1, *l2;
    ws_coherence_message sent[SENT];
    unsigned count;
} bench;

static void port_send(void *context, const ws_coherence_message *m)
{
    bench *const b = context;
    assert_true(b->count < SENT);
    memcpy(&b->sent[b->count++], m, offsetof(ws_coherence_message, data));
}

static ws_coherence_config config_of(bool private_stores)
{
    ws_coherence_config g = ws_coherence_defaults;
    g.protocol = "tc-weak";
    g.sms = g.slices = 1;
    g.warps = 4;
    g.words = 0;
    g.lease = LEASE;
    g.private_stores = private_stores;
    return g;
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

static ws_coherence_ports ports_of(bench *b)
{
    return (ws_coherence_ports){.context = b, .send = port_send, .complete = pair_ignore};
}

/* The slice's answer; DRAM answers at once. */
static const ws_coherence_message *ask(bench *b, ws_coherence_message m, uint64_t now)
{
    const ws_coherence_ports ports = ports_of(b);
    b->count = 0;
    assert_int_equal(ws_l2_message(b->c, b->l2, &m, now, &ports), WS_OK);
    if (b->sent[0].type == WS_MESSAGE_DRAM_READ) {
        b->count = 0;
        const ws_coherence_message fill = {.type = WS_MESSAGE_DRAM_FILL, .block = m.block};
        assert_int_equal(ws_l2_message(b->c, b->l2, &fill, now, &ports), WS_OK);
    }
    assert_int_equal(b->count, 1);
    return &b->sent[0];
}

static void load(bench *b, uint16_t sm, uint64_t now, uint64_t end)
{
    assert_int_equal(ask(b, (ws_coherence_message){.type = WS_MESSAGE_READ, .sm = sm}, now)->expiry, end);
}

/* `claimed`: the end of the copy's lease; `visible`: what the ack says; `end`: the slice's lease behind it. */
static void store(bench *b, uint16_t sm, uint64_t claimed, uint64_t now, bool match, uint64_t visible, uint64_t end)
{
    const ws_coherence_message *const ack =
        ask(b, (ws_coherence_message){.type = WS_MESSAGE_WRITE, .sm = sm, .mask = 1, .expiry = claimed}, now);
    assert_int_equal(ack->match, match);
    assert_int_equal(ack->expiry, visible);
    assert_int_equal(ws_l2_look(b->c, b->l2, 0).expiry, end);
}

static void see_events(bool closed)
{
    ws_coherence_config g = config_of(true);
    if (!closed)
        g.closings &= ~(uint32_t)WS_CLOSE_SOLE;
    bench *const b = set_up(&g);
    load(b, 0, 10, 110);
    store(b, 0, 110, 20, true, 0, 111);    /* SM 0 alone has a copy */
    store(b, 0, 111, 21, true, 0, 112);    /* its next store, which knows of the one before */
    store(b, 1, 0, 22, false, 113, 113);   /* SM 1 has none: that of SM 0 must end first */
    store(b, 0, 112, 23, false, 114, 114); /* SM 0's lacks the store of SM 1 */
    load(b, 1, 30, 130);
    store(b, 1, 130, 31, true, 131, 131); /* the newest copy, not the only one */
    /* Another warp of SM 1. The copies that SM 0 may have are older than both stores, and end at 130. */
    store(b, 1, 131, 32, true, closed ? 131 : 0, 132);
    load(b, 0, 200, 300); /* all leases have ended */
    store(b, 0, 300, 210, true, 0, 301);
    load(b, 1, 220, 320);
    store(b, 0, 301, 230, false, 321, 321); /* the line's lease is SM 1's now */
    const ws_coherence_message *const old = ask(b, (ws_coherence_message){.type = WS_MESSAGE_ATOMIC, .mask = 1}, 240);
    assert_int_equal(old->expiry, 322);     /* an atomic has no copy */
    store(b, 0, 322, 400, false, 323, 322); /* ended on the way: nobody can read a copy */
    tear_down(b);
}

static void test_slice(void **unused)
{
    (void)unused;
    see_events(true);
    see_events(false); /* what the public simulator does: a fence of that warp would be passed too early */
}

/* Without the rule a store always waits for the lease, which stays. */
static void test_off(void **unused)
{
    (void)unused;
    const ws_coherence_config g = config_of(false);
    bench *const b = set_up(&g);
    load(b, 0, 10, 110);
    store(b, 0, 110, 20, true, 111, 110);
    store(b, 0, 0, 20, true, 111, 110);
    tear_down(b);
}

static void access(bench *b, uint8_t kind, uint16_t warp, uint64_t now)
{
    const ws_coherence_ports ports = ports_of(b);
    const ws_request r = {.kind = kind, .warp = warp, .mask = 1};
    assert_int_equal(ws_l1_access(b->c, b->l1, &r, now, &ports), WS_OK);
}

static void hear(bench *b, const ws_coherence_message *m, uint64_t now)
{
    const ws_coherence_ports ports = ports_of(b);
    assert_int_equal(ws_l1_message(b->c, b->l1, m, now, &ports), WS_OK);
}

static ws_coherence_message answer(const ws_coherence_message *to, uint8_t type, bool match, uint64_t expiry)
{
    return (ws_coherence_message){
        .type = type, .id = to->id, .warp = to->warp, .block = to->block, .match = match, .expiry = expiry};
}

/* Stores in flight count; each ack that matches adds a cycle to the copy, in any order. */
static void test_l1(void **unused)
{
    (void)unused;
    const ws_coherence_config g = config_of(true);
    bench *const b = set_up(&g);
    access(b, WS_REQUEST_STORE, 0, 0);
    assert_int_equal(b->sent[0].expiry, 0);
    access(b, WS_REQUEST_LOAD, 1, 0);
    ws_coherence_message m = answer(&b->sent[0], WS_MESSAGE_ACK, false, 0);
    hear(b, &m, 5);
    m = answer(&b->sent[1], WS_MESSAGE_FILL, false, 105);
    hear(b, &m, 10);
    b->count = 0;
    for (uint16_t warp = 0; warp < 3; warp++) {
        access(b, WS_REQUEST_STORE, warp, 20);
        assert_int_equal(b->sent[warp].expiry, 105u + warp);
    }
    m = answer(&b->sent[2], WS_MESSAGE_ACK, true, 0);
    hear(b, &m, 30);
    m = answer(&b->sent[0], WS_MESSAGE_ACK, true, 0);
    hear(b, &m, 31);
    assert_int_equal(ws_l1_look(b->c, b->l1, 0).expiry, 107);
    m = answer(&b->sent[1], WS_MESSAGE_ACK, false, 90); /* another SM has stored in between */
    hear(b, &m, 32);
    assert_int_equal(ws_l1_look(b->c, b->l1, 0).expiry, 107);
    assert_int_equal(ws_l1_gwct(b->c, b->l1, 1), 90);
    assert_int_equal(ws_l1_gwct(b->c, b->l1, 0), 0);
    b->count = 0;
    access(b, WS_REQUEST_STORE, 3, 108); /* the copy has ended */
    assert_int_equal(b->sent[0].expiry, 0);
    tear_down(b);
}

static void test_bytes_and_refusals(void **unused)
{
    (void)unused;
    static const ws_message_sizes sizes = {
        .header_bytes = 8, .block_bytes = 128, .timestamp_bytes = 2, .expiry_bytes = 4, .flit_bytes = 32};
    for (int on = 0; on <= 1; on++) {
        const ws_coherence_config g = config_of(on);
        bench *const b = set_up(&g);
        assert_int_equal(ws_message_bytes(b->c, WS_MESSAGE_WRITE, 32, &sizes), on ? 44 : 40);
        assert_int_equal(ws_message_bytes(b->c, WS_MESSAGE_ACK, 0, &sizes), 12);
        tear_down(b);
    }
    static const char *const others[] = {"tc-strong", "gtsc-rc", "bl"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        ws_coherence_config g = config_of(true);
        ws_coherence *c;
        g.protocol = others[i];
        assert_int_equal(ws_coherence_create(&g, &c), WS_EINPUT);
        assert_non_null(strstr(ws_message(), "private_stores is a rule of tc-weak"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slice),
        cmocka_unit_test(test_off),
        cmocka_unit_test(test_l1),
        cmocka_unit_test(test_bytes_and_refusals),
    };
    return cmocka_run_group_tests_name("lease_sole", tests, NULL, NULL);
}
