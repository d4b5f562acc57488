/* test_coherent_level.c - caches of a machine that follow a protocol: configuration, counts, reasons, sizes of
 * messages. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/status.h"
#include "model/sim/memory/memory_level.h"
#include "tests/unit/machine_word.h"

#include <stdlib.h>
#include <string.h>

/* One SM and one slice; messages wait in a queue until they are delivered. */
typedef struct world {
    ws_machine machine;
    ws_level l1;
    ws_level l2;
    void *sm, *slice;
    ws_coherence_message queue[64];
    unsigned first, last;
    unsigned completions, sent[WS_MESSAGE_COUNT];
    uint32_t value;
} world;

static void machine_defaults(ws_machine *m)
{
    memset(m, 0, sizeof *m);
    ws_machine_defaults(m);
}

static void port_send(void *context, const ws_coherence_message *m)
{
    world *const w = context;
    assert_true(w->last < 64);
    w->sent[m->type]++;
    w->queue[w->last++] = *m;
}

static void port_complete(void *context, const ws_completion *completion)
{
    world *const w = context;
    w->completions++;
    w->value = w->l1.words && completion->data ? completion->data[0] : 0;
}

static void open_world(world *w, const char *protocol, bool data)
{
    machine_word(&w->machine, coherence_protocol, protocol);
    if (ws_coherent_create(&w->machine, data, &w->l1, &w->l2))
        fail_msg("%s", ws_message());
    w->sm = malloc(w->l1.ops->bytes(w->l1.shared));
    w->slice = malloc(w->l2.ops->bytes(w->l2.shared));
    w->l1.ops->init(w->l1.shared, w->sm, 0);
    w->l2.ops->init(w->l2.shared, w->slice, 0);
    w->first = w->last = w->completions = 0;
    memset(w->sent, 0, sizeof w->sent);
}

static void close_world(world *w)
{
    assert_int_equal(w->l1.ops->waiting(w->l1.shared, w->sm), 0);
    assert_int_equal(w->l2.ops->waiting(w->l2.shared, w->slice), 0);
    free(w->sm);
    free(w->slice);
    w->l1.ops->destroy(w->l1.shared);
    w->l2.ops->destroy(w->l2.shared);
}

static void deliver(world *w, uint64_t now)
{
    const ws_coherence_ports ports = {.context = w, .send = port_send, .complete = port_complete};
    while (w->first != w->last) {
        const ws_coherence_message m = w->queue[w->first++];
        const ws_coherence_message fill = {.type = WS_MESSAGE_DRAM_FILL, .block = m.block};
        if (m.type == WS_MESSAGE_DRAM_WRITE)
            continue;
        const bool down = m.type == WS_MESSAGE_READ || m.type == WS_MESSAGE_WRITE || m.type == WS_MESSAGE_ATOMIC;
        const int rc = m.type == WS_MESSAGE_DRAM_READ ? w->l2.ops->message(w->l2.shared, w->slice, &fill, now, &ports)
                       : down                         ? w->l2.ops->message(w->l2.shared, w->slice, &m, now, &ports)
                                                      : w->l1.ops->message(w->l1.shared, w->sm, &m, now, &ports);
        assert_int_equal(rc, WS_OK);
    }
    w->first = w->last = 0;
}

static int ask(world *w, uint8_t kind, uint16_t warp, uint64_t block, uint32_t value, uint64_t now)
{
    const ws_coherence_ports ports = {.context = w, .send = port_send, .complete = port_complete};
    const ws_request r = {.kind = kind, .warp = warp, .mask = 1, .block = block, .data = {value}};
    return w->l1.ops->request(w->l1.shared, w->sm, &r, now, &ports);
}

static void do_now(world *w, uint8_t kind, uint16_t warp, uint64_t block, uint32_t value, uint64_t now)
{
    assert_int_equal(ask(w, kind, warp, block, value, now), WS_OK);
    deliver(w, now);
}

static world *fresh(void)
{
    world *const w = calloc(1, sizeof *w);
    assert_non_null(w);
    machine_defaults(&w->machine);
    return w;
}

/* --- */

static void test_counts(void **unused)
{
    (void)unused;
    world *const w = fresh();
    open_world(w, "gtsc-rc", true);
    do_now(w, WS_REQUEST_LOAD, 0, 8, 0, 0);   /* misses in both */
    do_now(w, WS_REQUEST_LOAD, 1, 8, 0, 0);   /* hits */
    do_now(w, WS_REQUEST_STORE, 1, 8, 7, 0);  /* after all leases: its warp is in the future now */
    do_now(w, WS_REQUEST_STORE, 1, 16, 7, 0); /* no copy in L1, not in L2 */
    do_now(w, WS_REQUEST_LOAD, 1, 16, 0, 0);
    assert_int_equal(w->value, 7);
    do_now(w, WS_REQUEST_ATOMIC, 1, 16, 3, 0);
    assert_int_equal(w->value, 7);
    const ws_cache_counts a = w->l1.ops->counts(w->l1.shared, w->sm), b = w->l2.ops->counts(w->l2.shared, w->slice);
    assert_int_equal(a.loads, 3);
    assert_int_equal(a.stores, 2);
    assert_int_equal(a.atomics, 1);
    assert_int_equal(a.hits, 1);
    assert_int_equal(a.misses, 5);
    assert_int_equal(a.merged + a.expired, 0);
    assert_int_equal(b.loads, 2);
    assert_int_equal(b.stores, 2);
    assert_int_equal(b.atomics, 1);
    assert_int_equal(b.misses, 2);
    assert_int_equal(b.hits, 3);
    close_world(w);
    free(w);
}

/* A store moves its warp behind the lease of another block: the copy there is expired for it, and renewed without data.
 */
static void test_expired_and_merged(void **unused)
{
    (void)unused;
    world *const w = fresh();
    open_world(w, "gtsc-rc", false);
    assert_int_equal(w->l1.words, 0);
    do_now(w, WS_REQUEST_LOAD, 0, 8, 0, 0);
    do_now(w, WS_REQUEST_LOAD, 0, 16, 0, 0);
    do_now(w, WS_REQUEST_STORE, 0, 8, 0, 0);
    assert_int_equal(ask(w, WS_REQUEST_LOAD, 0, 16, 0, 0), WS_OK);
    assert_int_equal(ask(w, WS_REQUEST_LOAD, 0, 16, 0, 0), WS_OK);
    deliver(w, 0);
    assert_int_equal(w->sent[WS_MESSAGE_RENEW], 1);
    assert_int_equal(w->sent[WS_MESSAGE_FILL], 2);
    assert_int_equal(w->completions, 5);
    const ws_cache_counts a = w->l1.ops->counts(w->l1.shared, w->sm);
    assert_int_equal(a.expired, 2);
    assert_int_equal(a.merged, 1);
    assert_int_equal(a.misses, 4);
    close_world(w);
    free(w);
}

static void test_reasons(void **unused)
{
    (void)unused;
    world *const w = fresh();
    w->machine.l1_mshrs = 2;
    w->machine.l1_merges = 2;
    w->machine.l1_ways = 1;
    w->machine.l1_sets = 4;
    open_world(w, "gtsc-sc", false);
    assert_int_equal(ask(w, WS_REQUEST_LOAD, 0, 0, 0, 0), WS_OK);
    assert_int_equal(ask(w, WS_REQUEST_LOAD, 1, 4, 0, 0), WS_REFUSED_LINE); /* its only way is waiting */
    assert_int_equal(ask(w, WS_REQUEST_LOAD, 1, 1, 0, 0), WS_OK);
    assert_int_equal(ask(w, WS_REQUEST_LOAD, 2, 2, 0, 0), WS_REFUSED_MSHR);
    assert_int_equal(ask(w, WS_REQUEST_LOAD, 2, 0, 0, 0), WS_OK);
    assert_int_equal(ask(w, WS_REQUEST_LOAD, 3, 0, 0, 0), WS_OK);
    assert_int_equal(ask(w, WS_REQUEST_LOAD, 4, 0, 0, 0), WS_REFUSED_MERGE);
    const ws_request fence = {.kind = WS_REQUEST_FENCE, .warp = 0, .tag = 1};
    const ws_coherence_ports ports = {.context = w, .send = port_send, .complete = port_complete};
    assert_int_equal(w->l1.ops->request(w->l1.shared, w->sm, &fence, 0, &ports), WS_REFUSED);
    const ws_cache_counts a = w->l1.ops->counts(w->l1.shared, w->sm);
    assert_int_equal(a.loads, 4);
    assert_int_equal(a.refused_line, 1);
    assert_int_equal(a.refused_mshr, 1);
    assert_int_equal(a.refused_merge, 1);
    assert_int_equal(a.refused_other, 1);
    deliver(w, 0);
    close_world(w);
    free(w);
}

/* A fence of tc-weak waits for the end of the lease that its warp's store left alive, and says when that is. */
static void test_fence_time(void **unused)
{
    (void)unused;
    world *const w = fresh();
    open_world(w, "tc-weak", true);
    do_now(w, WS_REQUEST_LOAD, 0, 8, 0, 100); /* lease to 500 */
    do_now(w, WS_REQUEST_STORE, 1, 8, 5, 200);
    const ws_request fence = {.kind = WS_REQUEST_FENCE, .warp = 1};
    assert_int_equal(ask(w, WS_REQUEST_FENCE, 1, 0, 0, 300), WS_REFUSED);
    assert_int_equal(w->l1.ops->next_time(w->l1.shared, w->sm, &fence, 300), 501);
    assert_int_equal(ask(w, WS_REQUEST_FENCE, 1, 0, 0, 501), WS_OK);
    assert_true(w->l1.ops->next_time(w->l1.shared, w->sm, &fence, 501) == WS_COHERENCE_NEVER);
    close_world(w);
    free(w);
}

/* A store of tc-strong waits in L2, and L2 says until when. */
static void test_strong_store(void **unused)
{
    (void)unused;
    world *const w = fresh();
    open_world(w, "tc-strong", true);
    do_now(w, WS_REQUEST_LOAD, 0, 8, 0, 100);
    do_now(w, WS_REQUEST_STORE, 1, 8, 5, 200);
    assert_int_equal(w->l2.ops->waiting(w->l2.shared, w->slice), 1);
    assert_int_equal(w->l2.ops->next_time(w->l2.shared, w->slice, NULL, 200), 501);
    const ws_coherence_ports ports = {.context = w, .send = port_send, .complete = port_complete};
    assert_int_equal(w->l2.ops->advance(w->l2.shared, w->slice, 501, &ports), WS_OK);
    deliver(w, 501);
    assert_int_equal(w->completions, 2);
    close_world(w);
    free(w);
}

static void test_replace_and_flush(void **unused)
{
    (void)unused;
    world *const w = fresh();
    w->machine.memory_channels = 1; /* one slice has all blocks */
    w->machine.l2_ways = 2;
    w->machine.l2_sets = 1;
    open_world(w, "noncoherent", true);
    do_now(w, WS_REQUEST_LOAD, 0, 8, 0, 0);
    do_now(w, WS_REQUEST_LOAD, 0, 16, 0, 0);
    do_now(w, WS_REQUEST_STORE, 0, 8, 4, 0);
    do_now(w, WS_REQUEST_LOAD, 0, 24, 0, 0); /* in place of 16, which is older and clean */
    do_now(w, WS_REQUEST_LOAD, 0, 32, 0, 0); /* in place of 8, which is dirty */
    assert_int_equal(w->sent[WS_MESSAGE_DRAM_WRITE], 1);
    ws_cache_counts b = w->l2.ops->counts(w->l2.shared, w->slice);
    assert_int_equal(b.evictions, 2);
    assert_int_equal(b.writebacks, 1);
    const ws_coherence_ports ports = {.context = w, .send = port_send, .complete = port_complete};
    do_now(w, WS_REQUEST_LOAD, 0, 32, 0, 0);
    assert_int_equal(w->l1.ops->counts(w->l1.shared, w->sm).hits, 1);
    assert_int_equal(w->l1.ops->flush(w->l1.shared, w->sm, 0, &ports), WS_OK);
    do_now(w, WS_REQUEST_LOAD, 0, 32, 0, 0);
    assert_int_equal(w->l1.ops->counts(w->l1.shared, w->sm).hits, 1);
    close_world(w);
    free(w);
}

static uint32_t bytes_of(const world *w, uint8_t type, uint32_t mask)
{
    const ws_coherence_message m = {.type = type, .mask = mask};
    return w->l1.ops->message_bytes(w->l1.shared, &w->machine, &m);
}

static void test_sizes(void **unused)
{
    (void)unused;
    world *const w = fresh();
    open_world(w, "gtsc-rc", false);
    assert_int_equal(bytes_of(w, WS_MESSAGE_READ, 0), 12);
    assert_int_equal(bytes_of(w, WS_MESSAGE_FILL, 0), 140);
    assert_int_equal(bytes_of(w, WS_MESSAGE_RENEW, 0), 10);
    assert_int_equal(bytes_of(w, WS_MESSAGE_WRITE, 0xff), 8 + 4 + 32);
    assert_int_equal(bytes_of(w, WS_MESSAGE_ACK, 0), 12);
    close_world(w);
    open_world(w, "tc-weak", false);
    assert_int_equal(bytes_of(w, WS_MESSAGE_FILL, 0), 140);
    assert_int_equal(bytes_of(w, WS_MESSAGE_ACK, 0), 12);
    close_world(w);
    w->machine.l1_sector = 32;
    assert_int_equal(ws_plain_l1_create(&w->machine, &w->l1), WS_OK);
    assert_int_equal(bytes_of(w, WS_MESSAGE_READ, 0), 8);
    assert_int_equal(bytes_of(w, WS_MESSAGE_WRITE, 0x11), 16);
    assert_int_equal(bytes_of(w, WS_MESSAGE_FILL, 0), 136);
    assert_int_equal(bytes_of(w, WS_MESSAGE_FILL, 0x101), 72);
    w->machine.l1_sector = 128;
    assert_int_equal(bytes_of(w, WS_MESSAGE_FILL, 0x100), 136);
    assert_int_equal(bytes_of(w, WS_MESSAGE_ACK, 0), 8);
    w->l1.ops->destroy(w->l1.shared);
    free(w);
}

static void expect_refused(world *w, const char *part)
{
    assert_int_equal(ws_coherent_create(&w->machine, true, &w->l1, &w->l2), WS_EINPUT);
    assert_non_null(strstr(ws_message(), part));
    assert_null(w->l1.shared);
    machine_defaults(&w->machine);
    machine_word(&w->machine, coherence_protocol, "gtsc-rc");
}

static void test_refused(void **unused)
{
    (void)unused;
    static const ws_protocol magic = {.name = "magic"};
    world *const w = fresh();
    w->machine.coherence_protocol = &magic;
    expect_refused(w, "magic");
    w->machine.l1_mshrs = w->machine.l1_merges = 4096;
    expect_refused(w, "mshrs");
    w->machine.l2_line = 64;
    expect_refused(w, "one size");
    w->machine.l2_stripe = 64;
    expect_refused(w, "stripe");
    w->machine.coherence_lease = 100000;
    expect_refused(w, "lease");
    free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),       cmocka_unit_test(test_expired_and_merged),
        cmocka_unit_test(test_reasons),      cmocka_unit_test(test_fence_time),
        cmocka_unit_test(test_strong_store), cmocka_unit_test(test_replace_and_flush),
        cmocka_unit_test(test_sizes),        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
