/* test_coherence.c - the worked examples of G-TSC number by number, sizes of messages, refused configurations, and that
 * the length of a lease changes no count. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/status.h"
#include "model/coherence/coherence.h"

#include <gsl/gsl_rng.h>
#include <stdlib.h>
#include <string.h>

/* A machine without a network: requests are served at once in the order they are made, DRAM too, unless `hold`. */
typedef struct machine {
    ws_coherence *c;
    void *l1[4], *l2;
    bool hold; /* answers to SMs are kept */
    ws_coherence_message queue[512];
    size_t first, last;
    uint64_t sent[WS_MESSAGE_COUNT];
    ws_completion done;
    uint32_t value[WS_COHERENCE_WORDS];
    uint64_t completions;
    uint32_t memory[64][2];
    uint32_t max_ts;
} machine;

static void port_send(void *context, const ws_coherence_message *m)
{
    machine *const w = context;
    w->sent[m->type]++;
    if (m->rts > w->max_ts)
        w->max_ts = m->rts;
    assert_true(w->last - w->first < 512);
    w->queue[w->last++ % 512] = *m;
}

static void port_complete(void *context, const ws_completion *completion)
{
    machine *const w = context;
    w->done = *completion;
    w->completions++;
    if (completion->data)
        memcpy(w->value, completion->data, 2 * sizeof(uint32_t));
}

static void deliver(machine *w, const ws_coherence_message *m, const ws_coherence_ports *ports)
{
    ws_coherence_message fill = {.type = WS_MESSAGE_DRAM_FILL, .block = m->block};
    switch (m->type) {
    case WS_MESSAGE_DRAM_READ:
        memcpy(fill.data, w->memory[m->block], sizeof w->memory[0]);
        assert_int_equal(ws_l2_message(w->c, w->l2, &fill, 0, ports), WS_OK);
        break;
    case WS_MESSAGE_DRAM_WRITE:
        memcpy(w->memory[m->block], m->data, sizeof w->memory[0]);
        break;
    case WS_MESSAGE_READ:
    case WS_MESSAGE_WRITE:
    case WS_MESSAGE_ATOMIC:
    case WS_MESSAGE_OWN:
    case WS_MESSAGE_PUT:
    case WS_MESSAGE_TAKEN:
    case WS_MESSAGE_NONE:
    case WS_MESSAGE_CLEAN:
    case WS_MESSAGE_DATA:
        assert_int_equal(ws_l2_message(w->c, w->l2, m, 0, ports), WS_OK);
        break;
    default:
        if (m->unit)
            memcpy(w->value, m->data, 2 * sizeof(uint32_t));
        else
            assert_int_equal(ws_l1_message(w->c, w->l1[m->sm], m, 0, ports), WS_OK);
    }
}

static void settle(machine *w)
{
    const ws_coherence_ports ports = {.context = w, .send = port_send, .complete = port_complete};
    while (w->first != w->last) {
        const ws_coherence_message m = w->queue[w->first++ % 512];
        deliver(w, &m, &ports);
    }
}

static int access_word(machine *w, int sm, int warp, ws_request_kind kind, uint64_t block, int word, uint32_t value)
{
    const ws_coherence_ports ports = {.context = w, .send = port_send, .complete = port_complete};
    ws_request a = {.kind = (uint8_t)kind, .warp = (uint16_t)warp, .mask = 1u << word, .block = block};
    a.data[word] = value;
    const int rc = ws_l1_access(w->c, w->l1[sm], &a, 0, &ports);
    assert_true(rc >= 0);
    if (!w->hold)
        settle(w);
    return rc;
}

static ws_coherence_config config_of(const char *protocol)
{
    ws_coherence_config g = ws_coherence_defaults;
    g.protocol = protocol;
    g.sms = 4;
    g.warps = 8;
    g.words = 2;
    g.slices = 1;
    g.l1_pending = 32;
    return g;
}

static machine *make(const ws_coherence_config *g)
{
    machine *const w = calloc(1, sizeof *w);
    assert_non_null(w);
    if (ws_coherence_create(g, &w->c))
        fail_msg("%s", ws_message());
    for (uint32_t sm = 0; sm < 4; sm++) {
        w->l1[sm] = malloc(ws_l1_bytes(w->c));
        ws_l1_init(w->c, w->l1[sm], sm);
    }
    w->l2 = malloc(ws_l2_bytes(w->c));
    ws_l2_init(w->c, w->l2, 0);
    return w;
}

static void drop(machine *w)
{
    for (int sm = 0; sm < 4; sm++)
        free(w->l1[sm]);
    free(w->l2);
    ws_coherence_destroy(w->c);
    free(w);
}

static void check_lease(ws_line_view v, uint32_t wts, uint32_t rts)
{
    assert_int_not_equal(v.state, 0);
    assert_int_equal(v.wts, wts);
    assert_int_equal(v.rts, rts);
}

/* Fig. 9: SM 0 loads X, stores Y, loads X; SM 1 loads Y, stores X, loads Y. The example gives X a lease of 5 and Y
 * one of 10; here the machine's lease is 10 and X's end is set to 6 after its fill, in L2 and in the copy. */
static void test_figure_9(void **unused)
{
    (void)unused;
    enum { X = 0, Y = 1 };
    ws_coherence_config g = config_of("gtsc-sc");
    g.lease = 5;
    machine *w = make(&g);
    access_word(w, 0, 0, WS_REQUEST_LOAD, X, 0, 0);
    check_lease(ws_l2_look(w->c, w->l2, X), 1, 6);
    check_lease(ws_l1_look(w->c, w->l1[0], X), 1, 6);
    assert_int_equal(ws_l1_warp_ts(w->c, w->l1[0], 0), 1);
    access_word(w, 1, 0, WS_REQUEST_LOAD, Y, 0, 0);
    /* Y's lease of 10. */
    assert_int_equal(ws_l2_set_rts(w->c, w->l2, Y, 11), WS_OK);
    assert_int_equal(ws_l1_evict(w->c, w->l1[1], Y, NULL), WS_OK);
    assert_int_equal(ws_l1_set_copy(w->c, w->l1[1], Y, 1, 11), WS_OK);
    access_word(w, 0, 0, WS_REQUEST_STORE, Y, 0, 70);
    assert_int_equal(ws_l2_look(w->c, w->l2, Y).wts, 12);
    assert_int_equal(ws_l1_warp_ts(w->c, w->l1[0], 0), 12);
    access_word(w, 1, 0, WS_REQUEST_STORE, X, 0, 80);
    check_lease(ws_l2_look(w->c, w->l2, X), 7, 12);
    assert_int_equal(ws_l1_warp_ts(w->c, w->l1[1], 0), 7);
    assert_int_equal(ws_l1_look(w->c, w->l1[1], X).state, 0); /* stores allocate no line */
    access_word(w, 0, 0, WS_REQUEST_LOAD, X, 0, 0);
    check_lease(ws_l1_look(w->c, w->l1[0], X), 7, 17); /* the paper prints 15, max(12, 12 + 5) is 17 */
    assert_int_equal(w->done.time, 12);
    assert_int_equal(w->value[0], 80);
    access_word(w, 1, 0, WS_REQUEST_LOAD, Y, 0, 0);
    assert_int_equal(w->done.time, 7);
    assert_int_equal(w->value[0], 0); /* a hit: the old value, logically before the store at 12 */
    assert_int_equal(w->sent[WS_MESSAGE_READ], 3);
    assert_int_equal(w->sent[WS_MESSAGE_FILL], 3);
    assert_int_equal(w->sent[WS_MESSAGE_RENEW], 0);
    assert_int_equal(w->sent[WS_MESSAGE_WRITE], 2);
    assert_int_equal(w->sent[WS_MESSAGE_ACK], 2);
    assert_int_equal(w->sent[WS_MESSAGE_DRAM_READ], 2);
    drop(w);
    /* The other half with its own lease: Y [1, 11] becomes [12, 22]. */
    g.lease = 10;
    w = make(&g);
    access_word(w, 1, 0, WS_REQUEST_LOAD, Y, 0, 0);
    check_lease(ws_l1_look(w->c, w->l1[1], Y), 1, 11);
    access_word(w, 0, 0, WS_REQUEST_STORE, Y, 0, 70);
    check_lease(ws_l2_look(w->c, w->l2, Y), 12, 22);
    drop(w);
}

/* Fig. 10: a copy [1, 5], L2 has given leases up to 10. Warp 1 stores; warp 2 may read only when the ack is there. */
static void test_figure_10(void **unused)
{
    (void)unused;
    ws_coherence_config g = config_of("gtsc-sc");
    g.lease = 4;
    machine *const w = make(&g);
    access_word(w, 0, 0, WS_REQUEST_LOAD, 0, 0, 0);
    check_lease(ws_l1_look(w->c, w->l1[0], 0), 1, 5);
    assert_int_equal(ws_l2_set_rts(w->c, w->l2, 0, 10), WS_OK);
    memset(w->sent, 0, sizeof w->sent);
    w->hold = true;
    access_word(w, 0, 1, WS_REQUEST_STORE, 0, 0, 7);
    w->completions = 0;
    access_word(w, 0, 2, WS_REQUEST_LOAD, 0, 0, 0);
    assert_int_equal(w->completions, 0); /* parked */
    settle(w);
    assert_int_equal(w->completions, 2);
    assert_int_equal(w->done.kind, WS_REQUEST_LOAD);
    assert_int_equal(w->done.time, 11);
    assert_int_equal(w->value[0], 7);
    check_lease(ws_l1_look(w->c, w->l1[0], 0), 11, 15); /* the paper's 20 is wts + lease - 1 with lease 10 */
    assert_int_equal(ws_l1_warp_ts(w->c, w->l1[0], 1), 11);
    assert_int_equal(ws_l1_warp_ts(w->c, w->l1[0], 2), 11);
    assert_int_equal(w->sent[WS_MESSAGE_WRITE], 1);
    assert_int_equal(w->sent[WS_MESSAGE_READ], 0);
    drop(w);
}

/* Fig. 11: three warps miss the same block at times 1, 7, 9; one read, then one renewal for the two it does not
 * cover. */
static void test_figure_11(void **unused)
{
    (void)unused;
    for (int combine = 0; combine < 2; combine++) {
        ws_coherence_config g = config_of("gtsc-sc");
        g.lease = 4;
        g.combine = combine;
        machine *const w = make(&g);
        ws_l1_set_warp_ts(w->c, w->l1[0], 2, 7);
        ws_l1_set_warp_ts(w->c, w->l1[0], 3, 9);
        w->hold = true;
        for (int warp = 1; warp <= 3; warp++)
            access_word(w, 0, warp, WS_REQUEST_LOAD, 0, 0, 0);
        settle(w);
        assert_int_equal(w->completions, 3);
        assert_int_equal(w->sent[WS_MESSAGE_READ], combine ? 2 : 3);
        assert_int_equal(w->sent[WS_MESSAGE_FILL], combine ? 1 : 3);
        assert_int_equal(w->sent[WS_MESSAGE_RENEW], combine ? 1 : 0);
        assert_int_equal(ws_l1_look(w->c, w->l1[0], 0).rts, 13);
        drop(w);
    }
}

/* A polled store is seen: the spinning warp's time moves (closing 5), and a poll goes to L2 at once. */
static void test_spinning(void **unused)
{
    (void)unused;
    for (int closed = 0; closed < 2; closed++) {
        ws_coherence_config g = config_of("gtsc-rc");
        g.spin = 4;
        if (!closed)
            g.closings &= ~(uint32_t)WS_CLOSE_SPIN;
        machine *const w = make(&g);
        access_word(w, 1, 0, WS_REQUEST_LOAD, 0, 0, 0);
        access_word(w, 0, 0, WS_REQUEST_STORE, 0, 0, 5);
        int tries = 0;
        do
            access_word(w, 1, 0, WS_REQUEST_LOAD, 0, 0, 0);
        while (w->value[0] != 5 && ++tries < 1000);
        assert_int_equal(tries, closed ? 43 : 1000); /* from time 1 to 12, a step each 4 reads, the fill's included */
        drop(w);
    }
}

/* All counts are the same for every lease as long as L2 evicts nothing, and the greatest time is 1 + k (lease + 1)
 * + lease: both sides of every comparison are stretched alike. */
static void test_lease_invariance(void **unused)
{
    (void)unused;
    uint64_t counts[WS_MESSAGE_COUNT];
    uint32_t periods = 0;
    static const uint32_t leases[] = {1, 2, 5, 10, 50, 100};
    for (size_t i = 0; i < sizeof leases / sizeof *leases; i++) {
        ws_coherence_config g = config_of("gtsc-sc");
        g.lease = leases[i];
        g.timestamp_bits = 31;
        g.l1_sets = 4;
        g.l1_ways = 4;
        g.closings &= ~(uint32_t)WS_CLOSE_SPIN;
        machine *const w = make(&g);
        gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
        gsl_rng_set(rng, 7);
        for (int n = 0; n < 20000; n++) {
            const int sm = (int)gsl_rng_uniform_int(rng, 4), warp = (int)gsl_rng_uniform_int(rng, 8);
            const bool store = gsl_rng_uniform_int(rng, 10) == 0;
            access_word(w, sm, warp, store ? WS_REQUEST_STORE : WS_REQUEST_LOAD, gsl_rng_uniform_int(rng, 64), 0,
                        (uint32_t)n);
        }
        gsl_rng_free(rng);
        assert_int_equal(w->sent[WS_MESSAGE_FILL] + w->sent[WS_MESSAGE_RENEW], w->sent[WS_MESSAGE_READ]);
        assert_int_equal(w->sent[WS_MESSAGE_ACK], w->sent[WS_MESSAGE_WRITE]);
        assert_true(w->sent[WS_MESSAGE_RENEW] > 100);
        assert_int_equal((w->max_ts - 1 - leases[i]) % (leases[i] + 1), 0);
        if (i == 0) {
            memcpy(counts, w->sent, sizeof counts);
            periods = (w->max_ts - 1 - leases[i]) / (leases[i] + 1);
        }
        assert_memory_equal(counts, w->sent, sizeof counts);
        assert_int_equal((w->max_ts - 1 - leases[i]) / (leases[i] + 1), periods);
        drop(w);
    }
}

/* Timestamps of 6 bits wrap many times; loads still return what a memory without caches would at some legal time:
 * here, as accesses follow each other one by one, a load after a fence-like poll returns the last store. */
static void test_resets(void **unused)
{
    (void)unused;
    ws_coherence_config g = config_of("gtsc-sc");
    g.timestamp_bits = 6;
    machine *const w = make(&g);
    for (uint32_t n = 1; n <= 500; n++) {
        const ws_coherence_ports ports = {.context = w, .send = port_send, .complete = port_complete};
        access_word(w, (int)(n % 4), 0, WS_REQUEST_STORE, n % 3, 0, n);
        const ws_request poll = {.kind = WS_REQUEST_LOAD, .poll = true, .warp = 1, .mask = 1, .block = n % 3};
        assert_int_equal(ws_l1_access(w->c, w->l1[(n + 1) % 4], &poll, 0, &ports), WS_OK);
        settle(w);
        assert_int_equal(w->value[0], n);
    }
    assert_true(ws_l2_epoch(w->l2) > 20);
    assert_true(w->max_ts < 64);
    drop(w);
}

static void check_states(const machine *w, const char *sm0, const char *sm1, const char *bank)
{
    assert_string_equal(ws_l1_state_name(ws_l1_look(w->c, w->l1[0], 0).state), sm0);
    assert_string_equal(ws_l1_state_name(ws_l1_look(w->c, w->l1[1], 0).state), sm1);
    assert_string_equal(ws_l2_state_name(ws_l2_look(w->c, w->l2, 0).state), bank);
}

/* What the machine sent since the last call, besides DRAM. */
static void check_sent(machine *w, const uint64_t (*expected)[2], size_t count)
{
    uint64_t others = 0;
    for (unsigned type = 0; type < WS_MESSAGE_DRAM_READ; type++)
        others += w->sent[type];
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(w->sent[expected[i][0]], expected[i][1]);
        others -= expected[i][1];
    }
    assert_int_equal(others, 0);
    memset(w->sent, 0, sizeof w->sent);
}

#define SENT(w, ...) \
    check_sent(w, (const uint64_t[][2]){__VA_ARGS__}, sizeof((uint64_t[][2]){__VA_ARGS__}) / (2 * sizeof(uint64_t)))

static void test_mesi(void **unused)
{
    (void)unused;
    const ws_coherence_config g = config_of("mesi");
    machine *const w = make(&g);
    const ws_coherence_ports ports = {.context = w, .send = port_send, .complete = port_complete};
    access_word(w, 0, 0, WS_REQUEST_LOAD, 0, 0, 0);
    check_states(w, "E", "I", "VO");
    SENT(w, {WS_MESSAGE_READ, 1}, {WS_MESSAGE_FILL_OWN, 1}, {WS_MESSAGE_TAKEN, 1});
    access_word(w, 0, 0, WS_REQUEST_STORE, 0, 0, 5); /* nobody hears of it */
    check_states(w, "M", "I", "VO");
    check_sent(w, NULL, 0);
    access_word(w, 1, 0, WS_REQUEST_LOAD, 0, 0, 0);
    assert_int_equal(w->value[0], 5);
    check_states(w, "S", "S", "VS");
    SENT(w, {WS_MESSAGE_READ, 1}, {WS_MESSAGE_FETCH, 1}, {WS_MESSAGE_DATA, 1}, {WS_MESSAGE_FILL, 1});
    access_word(w, 1, 0, WS_REQUEST_ATOMIC, 0, 0, 2);
    assert_int_equal(w->value[0], 5);
    check_states(w, "I", "M", "VO");
    SENT(w, {WS_MESSAGE_OWN, 1}, {WS_MESSAGE_INVALIDATE, 1}, {WS_MESSAGE_NONE, 1}, {WS_MESSAGE_GRANT, 1},
         {WS_MESSAGE_TAKEN, 1});
    access_word(w, 0, 0, WS_REQUEST_STORE, 0, 1, 9); /* takes the changed block over */
    check_states(w, "M", "I", "VO");
    SENT(w, {WS_MESSAGE_OWN, 1}, {WS_MESSAGE_INVALIDATE, 1}, {WS_MESSAGE_DATA, 1}, {WS_MESSAGE_FILL_OWN, 1},
         {WS_MESSAGE_TAKEN, 1});
    /* A cache that follows no protocol reads what the owner has, and is not noted. */
    const ws_coherence_message plain = {.type = WS_MESSAGE_READ, .sm = 2, .unit = 1};
    assert_int_equal(ws_l2_message(w->c, w->l2, &plain, 0, &ports), WS_OK);
    settle(w);
    assert_int_equal(w->value[0], 7);
    assert_int_equal(w->value[1], 9);
    check_states(w, "S", "I", "VS");
    SENT(w, {WS_MESSAGE_FETCH, 1}, {WS_MESSAGE_DATA, 1}, {WS_MESSAGE_FILL, 1});
    access_word(w, 0, 0, WS_REQUEST_STORE, 0, 0, 8); /* the only reader: nobody is asked */
    check_states(w, "M", "I", "VO");
    SENT(w, {WS_MESSAGE_OWN, 1}, {WS_MESSAGE_GRANT, 1}, {WS_MESSAGE_TAKEN, 1});
    assert_int_equal(ws_l1_flush(w->c, w->l1[0], &ports), WS_OK);
    settle(w);
    check_states(w, "I", "I", "V");
    SENT(w, {WS_MESSAGE_PUT, 1});
    assert_int_equal(ws_l2_look(w->c, w->l2, 0).data[0], 8);
    assert_true(ws_l2_look(w->c, w->l2, 0).dirty);
    drop(w);
}

static void tell_bank(machine *w, uint8_t type, uint16_t sm, bool has_copy)
{
    const ws_coherence_ports ports = {.context = w, .send = port_send, .complete = port_complete};
    const ws_coherence_message m = {.type = type, .sm = sm, .has_copy = has_copy};
    assert_int_equal(ws_l2_message(w->c, w->l2, &m, 0, &ports), WS_OK);
}

static void expect_from_bank(machine *w, uint8_t type, uint16_t sm)
{
    assert_true(w->first < w->last);
    assert_int_equal(w->queue[w->first].type, type);
    assert_int_equal(w->queue[w->first++].sm, sm);
}

/* Readers far apart in the map of a large machine; ownership goes out after the last answer, and not before. */
static void test_mesi_many_sms(void **unused)
{
    (void)unused;
    static const uint16_t sms[] = {0, 63, 64, 130, 999};
    enum { READERS = sizeof sms / sizeof *sms, WRITER = 2 };
    ws_coherence_config g = config_of("mesi");
    g.sms = 1000;
    machine *const w = make(&g);
    assert_int_equal(ws_l2_warm(w->c, w->l2, 0), WS_OK);
    tell_bank(w, WS_MESSAGE_READ, sms[0], false);
    expect_from_bank(w, WS_MESSAGE_FILL_OWN, sms[0]);
    tell_bank(w, WS_MESSAGE_READ, sms[1], false); /* waits for what follows */
    assert_true(w->first == w->last);
    tell_bank(w, WS_MESSAGE_TAKEN, sms[0], false);
    expect_from_bank(w, WS_MESSAGE_FETCH, sms[0]);
    tell_bank(w, WS_MESSAGE_CLEAN, sms[0], false);
    expect_from_bank(w, WS_MESSAGE_FILL, sms[1]);
    for (size_t i = 2; i < READERS; i++) {
        tell_bank(w, WS_MESSAGE_READ, sms[i], false);
        expect_from_bank(w, WS_MESSAGE_FILL, sms[i]);
    }
    tell_bank(w, WS_MESSAGE_OWN, sms[WRITER], true);
    for (size_t i = 0; i < READERS; i++)
        if (i != WRITER)
            expect_from_bank(w, WS_MESSAGE_INVALIDATE, sms[i]);
    for (size_t i = 0; i < READERS; i++) {
        assert_true(w->first == w->last);
        if (i != WRITER)
            tell_bank(w, WS_MESSAGE_NONE, sms[i], false);
    }
    expect_from_bank(w, WS_MESSAGE_GRANT, sms[WRITER]);
    assert_true(w->first == w->last);
    drop(w);
}

static void test_sizes(void **unused)
{
    (void)unused;
    static const struct {
        const char *protocol;
        ws_message_type type;
        uint32_t bytes, flits;
    } rows[] = {
        {"gtsc-sc", WS_MESSAGE_READ, 12, 1},  {"gtsc-sc", WS_MESSAGE_FILL, 140, 5},
        {"gtsc-sc", WS_MESSAGE_RENEW, 10, 1}, {"bl", WS_MESSAGE_READ, 8, 1},
        {"bl", WS_MESSAGE_FILL, 136, 5},      {"bl", WS_MESSAGE_WRITE, 40, 2},
        {"bl", WS_MESSAGE_ACK, 8, 1},         {"tc-weak", WS_MESSAGE_READ, 8, 1},
        {"tc-weak", WS_MESSAGE_FILL, 140, 5}, {"tc-weak", WS_MESSAGE_ACK, 12, 1},
        {"tc-strong", WS_MESSAGE_ACK, 8, 1},  {"tc-strong", WS_MESSAGE_WRITE, 40, 2},
        {"gtsc-sc", WS_MESSAGE_WRITE, 44, 2}, {"gtsc-sc", WS_MESSAGE_ACK, 12, 1},
        {"mesi", WS_MESSAGE_READ, 8, 1},      {"mesi", WS_MESSAGE_OWN, 8, 1},
        {"mesi", WS_MESSAGE_FILL, 136, 5},    {"mesi", WS_MESSAGE_FILL_OWN, 136, 5},
        {"mesi", WS_MESSAGE_PUT, 136, 5},     {"mesi", WS_MESSAGE_DATA, 136, 5},
        {"mesi", WS_MESSAGE_GRANT, 8, 1},     {"mesi", WS_MESSAGE_INVALIDATE, 8, 1},
        {"mesi", WS_MESSAGE_NONE, 8, 1},      {"mesi", WS_MESSAGE_TAKEN, 8, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const ws_coherence_config g = config_of(rows[i].protocol);
        ws_coherence *c;
        assert_int_equal(ws_coherence_create(&g, &c), WS_OK);
        const uint32_t bytes = ws_message_bytes(c, rows[i].type, 32, &ws_message_default_sizes);
        assert_int_equal(bytes, rows[i].bytes);
        assert_int_equal(ws_message_flits(bytes, &ws_message_default_sizes), rows[i].flits);
        ws_coherence_destroy(c);
    }
}

static void refused(ws_coherence_config g, const char *words)
{
    ws_coherence *c;
    assert_int_equal(ws_coherence_create(&g, &c), WS_EINPUT);
    assert_null(c);
    assert_non_null(strstr(ws_message(), words));
}

static void test_refused(void **unused)
{
    (void)unused;
    ws_coherence_config g = config_of("mosi");
    refused(g, "mosi");
    g = config_of("gtsc-sc");
    g.l1_ways = 0;
    refused(g, "l1_ways is 0, expected 1 to 4096");
    g = config_of("gtsc-sc");
    g.timestamp_bits = 4;
    refused(g, "a lease of 10 does not fit");
    g.closings = 1u << 30;
    refused(g, "closings");
    g = config_of("mesi");
    g.combine = false;
    refused(g, "combine cannot be off");
}

/* Each protocol has a name and a sentence, and its rows name states, events and actions that exist. */
static void test_tables(void **unused)
{
    (void)unused;
    for (size_t i = 0; ws_coherence_protocol_name(i); i++) {
        const ws_coherence_config g = config_of(ws_coherence_protocol_name(i));
        assert_non_null(ws_coherence_protocol_summary(g.protocol));
        ws_coherence *c;
        assert_int_equal(ws_coherence_create(&g, &c), WS_OK);
        ws_transition a, b;
        size_t rows = 0;
        while (ws_coherence_l1_row(c, rows, &a)) {
            assert_non_null(a.state);
            for (size_t j = 0; j < rows; j++) {
                assert_true(ws_coherence_l1_row(c, j, &b));
                assert_false(a.state == b.state && a.event == b.event); /* a pair stands once */
            }
            rows++;
        }
        assert_true(rows > 3);
        assert_true(ws_coherence_l2_row(c, 0, &a));
        ws_coherence_destroy(c);
    }
    assert_null(ws_coherence_protocol_summary("no such protocol"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_figure_9), cmocka_unit_test(test_figure_10),        cmocka_unit_test(test_figure_11),
        cmocka_unit_test(test_spinning), cmocka_unit_test(test_lease_invariance), cmocka_unit_test(test_resets),
        cmocka_unit_test(test_mesi),     cmocka_unit_test(test_mesi_many_sms),    cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_refused),  cmocka_unit_test(test_tables),
    };
    return cmocka_run_group_tests_name("coherence", tests, NULL, NULL);
}
