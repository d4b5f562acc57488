/* test_coherence_replay.c - functional replay: the short way leaves what the controllers would, identities between
 * counts, and a reference for G-TSC that knows no caches. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/status.h"
#include "model/coherence/at_once_internal.h"
#include "model/coherence/replay.h"

#include <gsl/gsl_rng.h>
#include <stdlib.h>
#include <string.h>

enum { SMS = 4, WARPS = 4, BLOCKS = 48, BANKS = 2 };

static ws_coherence_config small_config(const char *protocol)
{
    ws_coherence_config g = ws_coherence_defaults;
    g.protocol = protocol;
    g.sms = SMS;
    g.warps = WARPS;
    g.words = 0;
    g.count = true;
    g.slices = BANKS;
    g.l1_sets = 4;
    g.l1_ways = 3;
    g.l2_sets = 2;
    g.l2_ways = 8;
    g.l1_pending = 64;
    g.l2_queue = 128;
    g.lease = ws_coherence_is_physical(protocol) ? 40 : 5;
    g.timestamp_bits = 8;
    g.spin = 7;
    return g;
}

static ws_request random_request(gsl_rng *rng, double stores, unsigned blocks)
{
    ws_request r;
    memset(&r, 0, sizeof r);
    const double what = gsl_rng_uniform(rng);
    r.kind = what < stores ? WS_REQUEST_STORE : what < stores * 1.05 ? WS_REQUEST_ATOMIC : WS_REQUEST_LOAD;
    r.poll = r.kind == WS_REQUEST_LOAD && gsl_rng_uniform(rng) < 0.02;
    r.warp = (uint16_t)gsl_rng_uniform_int(rng, WARPS);
    r.mask = (uint32_t)gsl_rng_uniform_int(rng, UINT32_MAX - 1) + 1;
    /* Some blocks are used more often than others. */
    r.block = gsl_rng_uniform_int(rng, gsl_rng_uniform(rng) < 0.5 ? 6 : blocks);
    r.who = (ws_cache_who){.pc = r.warp, .lines = 1, .rank = (uint8_t)r.warp, .lanes = 32};
    return r;
}

/* --- The short way against the controllers --- */

typedef struct direct {
    ws_coherence *c;
    uint8_t *l1[SMS], *l2[BANKS];
    ws_coherence_message queue[256];
    size_t first, last;
    ws_sent sent;
} direct;

static void direct_send(void *context, const ws_coherence_message *m)
{
    direct *const d = context;
    assert_true(d->last < 256);
    d->queue[d->last++] = *m;
    d->sent[m->type][__builtin_popcount(m->mask)]++;
}

static void direct_complete(void *context, const ws_completion *completion)
{
    (void)context;
    (void)completion;
}

/* Until nothing moves; a store of tc-strong moves when its lease has ended. */
static void direct_settle(direct *d, uint64_t *now)
{
    const ws_coherence_ports ports = {.context = d, .send = direct_send, .complete = direct_complete};
    for (bool waits = true; waits;) {
        while (d->first != d->last) {
            const ws_coherence_message m = d->queue[d->first++];
            void *const bank = d->l2[ws_coherence_slice(d->c, m.block)];
            if (m.type == WS_MESSAGE_DRAM_READ) {
                const ws_coherence_message fill = {.type = WS_MESSAGE_DRAM_FILL, .block = m.block};
                d->sent[WS_MESSAGE_DRAM_FILL][0]++;
                assert_int_equal(ws_l2_message(d->c, bank, &fill, *now, &ports), WS_OK);
            } else if (m.type == WS_MESSAGE_READ || m.type == WS_MESSAGE_WRITE || m.type == WS_MESSAGE_ATOMIC)
                assert_int_equal(ws_l2_message(d->c, bank, &m, *now, &ports), WS_OK);
            else if (m.type != WS_MESSAGE_DRAM_WRITE)
                assert_int_equal(ws_l1_message(d->c, d->l1[m.sm], &m, *now, &ports), WS_OK);
        }
        d->first = d->last = 0;
        waits = false;
        for (unsigned bank = 0; bank < BANKS; bank++) {
            const uint64_t next = ws_l2_next_time(d->c, d->l2[bank], *now);
            if (!ws_l2_waiting(d->l2[bank]) || next == WS_COHERENCE_NEVER)
                continue;
            *now = next > *now ? next : *now;
            assert_int_equal(ws_l2_advance(d->c, d->l2[bank], *now, &ports), WS_OK);
            waits = true;
        }
    }
}

static direct *make_direct(const ws_coherence_config *g)
{
    direct *const d = calloc(1, sizeof *d);
    if (ws_coherence_create(g, &d->c))
        fail_msg("%s", ws_message());
    for (uint32_t sm = 0; sm < SMS; sm++)
        ws_l1_init(d->c, d->l1[sm] = malloc(ws_l1_bytes(d->c)), sm);
    for (uint32_t bank = 0; bank < BANKS; bank++)
        ws_l2_init(d->c, d->l2[bank] = malloc(ws_l2_bytes(d->c)), bank);
    return d;
}

static void drop_direct(direct *d)
{
    for (uint32_t sm = 0; sm < SMS; sm++)
        free(d->l1[sm]);
    for (uint32_t bank = 0; bank < BANKS; bank++)
        free(d->l2[bank]);
    ws_coherence_destroy(d->c);
    free(d);
}

typedef struct before {
    uint8_t *l1, *l2;
    ws_sent sent;
} before;

/* One access by both. Returns whether the short way took it. */
static bool compare_one(direct *d, before *b, uint32_t sm, const ws_request *r, uint64_t *now)
{
    const ws_coherence_ports ports = {.context = d, .send = direct_send, .complete = direct_complete};
    const size_t l1_bytes = ws_l1_bytes(d->c), l2_bytes = ws_l2_bytes(d->c);
    uint8_t *const bank = d->l2[ws_coherence_slice(d->c, r->block)];
    memcpy(b->l1, d->l1[sm], l1_bytes);
    memcpy(b->l2, bank, l2_bytes);
    memcpy(b->sent, d->sent, sizeof b->sent);
    const bool taken = ws_at_once(d->c, b->l1, b->l2, r, *now, b->sent);
    if (!taken) {
        assert_memory_equal(b->l1, d->l1[sm], l1_bytes);
        assert_memory_equal(b->l2, bank, l2_bytes);
        assert_memory_equal(b->sent, d->sent, sizeof b->sent);
    }
    const uint64_t then = *now;
    assert_int_equal(ws_l1_access(d->c, d->l1[sm], r, *now, &ports), WS_OK);
    direct_settle(d, now);
    if (taken) {
        assert_true(*now == then);
        assert_memory_equal(b->l1, d->l1[sm], l1_bytes);
        assert_memory_equal(b->l2, bank, l2_bytes);
        assert_memory_equal(b->sent, d->sent, sizeof b->sent);
    }
    return taken;
}

static void compare_ways(const ws_coherence_config *g, unsigned long seed, unsigned accesses)
{
    direct *const d = make_direct(g);
    assert_true(ws_at_once_applies(d->c));
    before *const b = calloc(1, sizeof *b);
    b->l1 = malloc(ws_l1_bytes(d->c));
    b->l2 = malloc(ws_l2_bytes(d->c));
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, seed);
    uint64_t now = 0;
    unsigned taken = 0;
    for (unsigned i = 0; i < accesses; i++) {
        const ws_request r = random_request(rng, 0.25, BLOCKS);
        now += gsl_rng_uniform_int(rng, 12);
        taken += compare_one(d, b, (uint32_t)gsl_rng_uniform_int(rng, SMS), &r, &now);
    }
    assert_true(taken > accesses / 2);
    gsl_rng_free(rng);
    free(b->l1);
    free(b->l2);
    free(b);
    drop_direct(d);
}

static const char *const short_names[] = {"bl", "noncoherent", "vi", "tc-strong", "tc-weak", "gtsc-sc", "gtsc-rc"};
enum { SHORT_NAMES = sizeof short_names / sizeof *short_names };

/* Every index and every replacement that goes with protocols: as many sets as they need, as few lines as they can be.
 */
static void test_short_way_of_every_cache(void **unused)
{
    (void)unused;
    for (size_t index = 0; ws_cache_index_at(index); index++)
        for (size_t row = 0; ws_cache_replacement_at(row); row++) {
            const ws_cache_choice choice = {.index = ws_cache_index_at(index)->name,
                                            .replacement = ws_cache_replacement_at(row)->name};
            ws_cache cache;
            uint32_t sets = 2;
            while (sets < 1024 && ws_cache_setup(&cache, &choice, sets, 1, false))
                sets++;
            assert_true(sets < 1024);
            for (size_t i = 0; i < SHORT_NAMES && !ws_cache_replacement_at(row)->bypasses; i++) {
                ws_coherence_config g = small_config(short_names[i]);
                g.l1_sets = g.l2_sets = sets;
                g.l1_ways = sets < 8 ? 3 : 1;
                g.l2_ways = sets < 8 ? 8 : 2;
                g.l1_choice = g.l2_choice = choice;
                compare_ways(&g, row, 400);
            }
        }
}

static void test_short_way(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < SHORT_NAMES; i++) {
        ws_coherence_config g = small_config(short_names[i]);
        compare_ways(&g, 1, 5000);
        g.l1_ways = 9; /* ages in two words */
        g.l2_sets = 3; /* no power of two */
        g.stripe = 3;
        g.closings = WS_CLOSE_ALL;
        g.timestamp_bits = 16;
        compare_ways(&g, 2, 5000);
        for (unsigned either = 0; either <= 1 && ws_coherence_is_physical(short_names[i]); either++) {
            g.prediction = (ws_lease_prediction){
                .on = true, .either = either, .expired = 3, .evict = 9, .store = 5, .floor = 20, .most = 60};
            compare_ways(&g, 3, 5000);
            g.private_stores = !strcmp(short_names[i], "tc-weak");
            if (g.private_stores)
                compare_ways(&g, 4, 5000);
            g.private_stores = false;
        }
    }
}

/* With an open gap nobody but the controllers knows what happens. */
static void test_short_way_refused(void **unused)
{
    (void)unused;
    for (uint32_t bit = 1; bit <= WS_CLOSE_LOCK; bit <<= 1) {
        ws_coherence_config g = small_config("gtsc-rc");
        g.closings = WS_CLOSE_ALL & ~bit;
        ws_coherence *c;
        assert_int_equal(ws_coherence_create(&g, &c), WS_OK);
        assert_int_equal(ws_at_once_applies(c), bit == WS_CLOSE_ATOMIC || bit == WS_CLOSE_MEM_TS);
        ws_coherence_destroy(c);
    }
}

/* --- Replays --- */

/* A large L2 and an L1 of that many sets; no polls, so leases are all that matters. */
static ws_coherence_traffic replay_random(const char *protocol, uint32_t lease, double stores, uint32_t l1_sets,
                                          uint32_t l2_sets)
{
    ws_coherence_config g = small_config(protocol);
    g.l1_sets = l1_sets;
    g.l2_sets = l2_sets;
    g.lease = lease;
    g.timestamp_bits = 31;
    g.spin = UINT32_MAX;
    ws_coherence_replay *replay;
    if (ws_coherence_replay_create(&g, &ws_message_default_sizes, &replay))
        fail_msg("%s", ws_message());
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, 5);
    for (unsigned i = 0; i < 20000; i++) {
        ws_request r = random_request(rng, stores, BLOCKS);
        r.poll = false;
        if (stores == 0)
            r.kind = WS_REQUEST_LOAD;
        assert_int_equal(ws_coherence_replay_request(replay, (uint32_t)gsl_rng_uniform_int(rng, SMS), &r, i), WS_OK);
    }
    gsl_rng_free(rng);
    ws_coherence_traffic t;
    ws_coherence_replay_sum(replay, &t);
    assert_int_equal(t.waiting, 0);
    if (ws_coherence_replay_flush(replay, 20000))
        fail_msg("%s", ws_message());
    ws_coherence_replay_destroy(replay);
    return t;
}

static void test_identities(void **unused)
{
    (void)unused;
    static const char *const names[] = {"bl", "noncoherent", "vi", "tc-weak", "gtsc-sc", "gtsc-rc"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const ws_coherence_traffic t = replay_random(names[i], 40, 0.2, 2, 2);
        assert_int_equal(t.messages[WS_MESSAGE_READ], t.messages[WS_MESSAGE_FILL] + t.messages[WS_MESSAGE_RENEW]);
        assert_int_equal(t.messages[WS_MESSAGE_WRITE], t.messages[WS_MESSAGE_ACK]);
        assert_int_equal(t.messages[WS_MESSAGE_ATOMIC], t.messages[WS_MESSAGE_ATOMIC_ACK]);
        assert_int_equal(t.messages[WS_MESSAGE_DRAM_READ], t.messages[WS_MESSAGE_DRAM_FILL]);
        assert_int_equal(t.l1.stores, t.messages[WS_MESSAGE_WRITE]);
        assert_int_equal(t.l1.loads, t.l1.hits + t.messages[WS_MESSAGE_READ] + t.l1.merged);
        /* Only where L2 must keep lines whose leases live can a read wait, and another one with it. */
        assert_true(t.l1.merged == 0 || !strcmp(names[i], "tc-weak"));
        assert_int_equal(t.l1.loads + t.l1.stores + t.l1.atomics, 20000);
        assert_int_equal(t.l2.misses, t.messages[WS_MESSAGE_DRAM_READ]);
        assert_int_equal(t.l2.hits + t.l2.misses + t.l2.merged, t.l2.loads + t.l2.stores + t.l2.atomics);
        assert_true(t.l1.evictions > 0 || i == 0);
        assert_true(t.l2.writebacks > 0);
        assert_int_equal(t.bytes[WS_MESSAGE_READ], t.messages[WS_MESSAGE_READ] * (i < 4 ? 8 : 12));
        assert_int_equal(t.flits[WS_MESSAGE_FILL], t.messages[WS_MESSAGE_FILL] * 5);
    }
}

/* Every protocol there is: each access is taken and answered, but where a store waits for leases. */
static void test_all_protocols(void **unused)
{
    (void)unused;
    for (size_t i = 0; ws_coherence_protocol_name(i); i++) {
        if (!strcmp(ws_coherence_protocol_name(i), "tc-strong"))
            continue;
        const ws_coherence_traffic t = replay_random(ws_coherence_protocol_name(i), 40, 0.2, 2, 2);
        assert_int_equal(t.l1.loads + t.l1.stores + t.l1.atomics, 20000);
        assert_int_equal(t.messages[WS_MESSAGE_DRAM_READ], t.messages[WS_MESSAGE_DRAM_FILL]);
        assert_true(t.network_messages > 20000 / 4 && t.network_bytes > 8 * t.network_messages);
    }
}

/* The length of a lease changes no count while nothing leaves L2: every time is 1 + k (lease + 1). */
static void test_lease_changes_nothing(void **unused)
{
    (void)unused;
    const ws_coherence_traffic one = replay_random("gtsc-sc", 1, 0.2, 2, 8);
    assert_int_equal(one.l2.evictions, 0);
    assert_true(one.messages[WS_MESSAGE_RENEW] > 100);
    static const uint32_t leases[] = {2, 8, 20, 100, 5000};
    for (size_t i = 0; i < sizeof leases / sizeof *leases; i++) {
        const ws_coherence_traffic t = replay_random("gtsc-sc", leases[i], 0.2, 2, 8);
        assert_memory_equal(t.messages, one.messages, sizeof t.messages);
        assert_memory_equal(t.bytes, one.bytes, sizeof t.bytes);
        assert_memory_equal(&t.l1, &one.l1, sizeof t.l1);
        assert_memory_equal(&t.l2, &one.l2, sizeof t.l2);
        /* The greatest time is the end of a lease: 1 + k (lease + 1) + lease. */
        assert_int_equal((t.last_ts - 1 - leases[i]) / (leases[i] + 1), (one.last_ts - 2) / 2);
    }
    /* In physical time it does matter. */
    const ws_coherence_traffic a = replay_random("tc-weak", 20, 0.2, 2, 8),
                               b = replay_random("tc-weak", 400, 0.2, 2, 8);
    assert_true(a.messages[WS_MESSAGE_READ] > b.messages[WS_MESSAGE_READ]);
}

/* Without stores coherence costs its timestamps: 4 bytes a request, 4 a fill. */
static void test_no_stores(void **unused)
{
    (void)unused;
    const ws_coherence_traffic plain = replay_random("noncoherent", 10, 0, 2, 8);
    const ws_coherence_traffic gtsc = replay_random("gtsc-rc", 10, 0, 2, 8);
    assert_int_equal(gtsc.messages[WS_MESSAGE_RENEW], 0);
    assert_int_equal(gtsc.network_messages, plain.network_messages);
    assert_int_equal(gtsc.network_bytes, plain.network_bytes + 4 * plain.network_messages);
    assert_int_equal(gtsc.network_flits, plain.network_flits);
}

/* --- The greedy cover of leases: G-TSC told without caches or messages --- */

typedef struct cover {
    uint32_t copy_wts[SMS][BLOCKS], copy_rts[SMS][BLOCKS]; /* wts 0: no copy */
    uint32_t wts[BLOCKS], rts[BLOCKS], warp[SMS][WARPS];
    uint64_t fills, renewals, expired;
} cover;

static void cover_load(cover *k, uint32_t lease, unsigned sm, unsigned warp, unsigned block)
{
    uint32_t *const t = &k->warp[sm][warp], *const w = &k->copy_wts[sm][block], *const r = &k->copy_rts[sm][block];
    if (!*w || *t > *r) {
        k->expired += *w != 0;
        if (k->rts[block] < *t + lease)
            k->rts[block] = *t + lease;
        *(*w == k->wts[block] ? &k->renewals : &k->fills) += 1;
        *w = k->wts[block];
        *r = k->rts[block];
    }
    if (*t < *w)
        *t = *w;
}

static void cover_store(cover *k, uint32_t lease, unsigned sm, unsigned warp, unsigned block)
{
    uint32_t *const t = &k->warp[sm][warp], *const w = &k->copy_wts[sm][block];
    const bool same = *w == k->wts[block];
    k->wts[block] = k->rts[block] + 1 > *t ? k->rts[block] + 1 : *t;
    k->rts[block] = k->wts[block] + lease;
    *t = k->wts[block];
    *w = same ? k->wts[block] : 0;
    k->copy_rts[sm][block] = k->rts[block];
}

static void test_greedy_cover(void **unused)
{
    (void)unused;
    const uint32_t lease = 10;
    ws_coherence_config g = small_config("gtsc-sc");
    g.l1_sets = g.l2_sets = BLOCKS;
    g.lease = lease;
    g.timestamp_bits = 31;
    g.spin = UINT32_MAX;
    ws_coherence_replay *replay;
    assert_int_equal(ws_coherence_replay_create(&g, &ws_message_default_sizes, &replay), WS_OK);
    cover *const k = calloc(1, sizeof *k);
    for (unsigned block = 0; block < BLOCKS; block++) {
        k->wts[block] = 1;
        k->rts[block] = 1 + lease;
    }
    for (unsigned i = 0; i < SMS * WARPS; i++)
        k->warp[i / WARPS][i % WARPS] = 1;
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, 9);
    uint64_t stores = 0;
    for (unsigned i = 0; i < 30000; i++) {
        ws_request r = random_request(rng, 0.15, BLOCKS);
        r.poll = false;
        r.kind = r.kind == WS_REQUEST_LOAD ? WS_REQUEST_LOAD : WS_REQUEST_STORE;
        const uint32_t sm = (uint32_t)gsl_rng_uniform_int(rng, SMS);
        (r.kind == WS_REQUEST_LOAD ? cover_load : cover_store)(k, lease, sm, r.warp, (unsigned)r.block);
        stores += r.kind == WS_REQUEST_STORE;
        assert_int_equal(ws_coherence_replay_request(replay, sm, &r, 0), WS_OK);
    }
    ws_coherence_traffic t;
    ws_coherence_replay_sum(replay, &t);
    assert_int_equal(t.messages[WS_MESSAGE_FILL], k->fills);
    assert_int_equal(t.messages[WS_MESSAGE_RENEW], k->renewals);
    assert_int_equal(t.l1.expired, k->expired);
    assert_int_equal(t.messages[WS_MESSAGE_WRITE], stores);
    uint32_t last = 0;
    for (unsigned block = 0; block < BLOCKS; block++)
        last = k->rts[block] > last ? k->rts[block] : last;
    assert_int_equal(t.last_ts, last);
    assert_true(k->renewals > 1000);
    assert_true(k->fills > 1000);
    gsl_rng_free(rng);
    free(k);
    ws_coherence_replay_destroy(replay);
}

/* --- Physical time --- */

static int ask(ws_coherence_replay *replay, uint32_t sm, uint8_t kind, uint64_t block, uint64_t now)
{
    ws_request r;
    memset(&r, 0, sizeof r);
    r.kind = kind;
    r.block = block;
    r.mask = 1;
    r.tag = (uint16_t)now;
    return ws_coherence_replay_request(replay, sm, &r, now);
}

static void test_waiting(void **unused)
{
    (void)unused;
    ws_coherence_config g = small_config("tc-strong");
    ws_coherence_replay *replay;
    ws_coherence_traffic t;
    assert_int_equal(ws_coherence_replay_create(&g, &ws_message_default_sizes, &replay), WS_OK);
    assert_int_equal(ask(replay, 0, WS_REQUEST_LOAD, 4, 10), WS_OK); /* a lease to 50 */
    assert_true(ws_coherence_replay_next_time(replay) == WS_COHERENCE_NEVER);
    assert_int_equal(ask(replay, 1, WS_REQUEST_STORE, 4, 20), WS_OK);
    assert_int_equal(ws_coherence_replay_next_time(replay), 51);
    assert_int_equal(ask(replay, 1, WS_REQUEST_LOAD, 8, 21), WS_COHERENCE_RETRY); /* its warp waits */
    assert_int_equal(ask(replay, 2, WS_REQUEST_LOAD, 4, 22), WS_OK);              /* behind the store */
    ws_coherence_replay_sum(replay, &t);
    assert_int_equal(t.waiting, 2);
    assert_int_equal(t.messages[WS_MESSAGE_ACK], 0);
    assert_int_equal(ws_coherence_replay_flush(replay, 22), WS_EINPUT);
    assert_int_equal(ask(replay, 1, WS_REQUEST_LOAD, 8, 51), WS_OK);
    ws_coherence_replay_sum(replay, &t);
    assert_int_equal(t.waiting, 0);
    assert_int_equal(t.messages[WS_MESSAGE_ACK], 1);
    assert_int_equal(t.messages[WS_MESSAGE_FILL], 3);
    ws_coherence_replay_destroy(replay);

    g = small_config("tc-weak");
    assert_int_equal(ws_coherence_replay_create(&g, &ws_message_default_sizes, &replay), WS_OK);
    assert_int_equal(ask(replay, 0, WS_REQUEST_LOAD, 4, 10), WS_OK);
    assert_int_equal(ask(replay, 1, WS_REQUEST_STORE, 4, 20), WS_OK);
    assert_int_equal(ask(replay, 1, WS_REQUEST_FENCE, 0, 21), WS_COHERENCE_RETRY);
    assert_int_equal(ws_coherence_replay_fence_time(replay, 1, 0), 51);
    assert_int_equal(ask(replay, 1, WS_REQUEST_FENCE, 0, 51), WS_OK);
    ws_coherence_replay_sum(replay, &t);
    assert_int_equal(t.fences, 1);
    ws_coherence_replay_destroy(replay);
}

/* A directory asks L1s before it answers; all of that has happened when the request returns, and a launch can end. */
static void test_mesi(void **unused)
{
    (void)unused;
    const ws_coherence_config g = small_config("mesi");
    ws_coherence_replay *replay;
    ws_coherence_traffic t;
    assert_int_equal(ws_coherence_replay_create(&g, &ws_message_default_sizes, &replay), WS_OK);
    assert_int_equal(ask(replay, 0, WS_REQUEST_STORE, 4, 1), WS_OK);
    assert_int_equal(ask(replay, 1, WS_REQUEST_LOAD, 4, 2), WS_OK);
    assert_int_equal(ask(replay, 2, WS_REQUEST_STORE, 4, 3), WS_OK);
    assert_int_equal(ws_coherence_replay_flush(replay, 4), WS_OK);
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, 11);
    for (uint64_t n = 0; n < 20000; n++) {
        ws_request r = random_request(rng, 0.2, 60);
        r.tag = (uint16_t)n;
        assert_int_equal(ws_coherence_replay_request(replay, (uint32_t)gsl_rng_uniform_int(rng, SMS), &r, n), WS_OK);
    }
    gsl_rng_free(rng);
    if (ws_coherence_replay_flush(replay, 20000))
        fail_msg("%s", ws_message());
    ws_coherence_replay_sum(replay, &t);
    const uint64_t *const m = t.messages;
    assert_int_equal(t.waiting, 0);
    assert_int_equal(m[WS_MESSAGE_BUSY], 0);
    assert_int_equal(m[WS_MESSAGE_READ] + m[WS_MESSAGE_OWN],
                     m[WS_MESSAGE_FILL] + m[WS_MESSAGE_FILL_OWN] + m[WS_MESSAGE_GRANT]);
    assert_int_equal(m[WS_MESSAGE_READ] + m[WS_MESSAGE_OWN], t.l1.misses);
    assert_int_equal(m[WS_MESSAGE_PUT], t.l1.writebacks);
    assert_int_equal(m[WS_MESSAGE_FILL_OWN] + m[WS_MESSAGE_GRANT], m[WS_MESSAGE_TAKEN]);
    assert_int_equal(m[WS_MESSAGE_INVALIDATE] + m[WS_MESSAGE_FETCH],
                     m[WS_MESSAGE_NONE] + m[WS_MESSAGE_CLEAN] + m[WS_MESSAGE_DATA]);
    assert_true(m[WS_MESSAGE_GRANT] > 100 && m[WS_MESSAGE_PUT] > 100 && m[WS_MESSAGE_FETCH] > 100);
    ws_coherence_replay_destroy(replay);
}

/* A bank whose queue is full refuses; what it refused comes behind, in order, and nothing is lost. */
static void test_full_queue(void **unused)
{
    (void)unused;
    ws_coherence_config g = small_config("tc-strong");
    g.l2_queue = 1;
    ws_coherence_replay *replay;
    ws_coherence_traffic t;
    assert_int_equal(ws_coherence_replay_create(&g, &ws_message_default_sizes, &replay), WS_OK);
    assert_int_equal(ask(replay, 0, WS_REQUEST_LOAD, 4, 10), WS_OK);
    assert_int_equal(ask(replay, 1, WS_REQUEST_STORE, 4, 20), WS_OK);
    assert_int_equal(ask(replay, 2, WS_REQUEST_STORE, 4, 21), WS_OK);              /* on its way */
    assert_int_equal(ask(replay, 3, WS_REQUEST_STORE, 4, 22), WS_COHERENCE_RETRY); /* no way */
    for (uint64_t now; (now = ws_coherence_replay_next_time(replay)) != WS_COHERENCE_NEVER;)
        assert_int_equal(ws_coherence_replay_advance(replay, now), WS_OK);
    ws_coherence_replay_sum(replay, &t);
    assert_int_equal(t.waiting, 0);
    assert_int_equal(t.messages[WS_MESSAGE_ACK], 2);
    ws_coherence_replay_destroy(replay);
}

static void test_resets(void **unused)
{
    (void)unused;
    ws_coherence_config g = small_config("gtsc-rc");
    g.timestamp_bits = 6;
    ws_coherence_replay *replay;
    ws_coherence_traffic t;
    assert_int_equal(ws_coherence_replay_create(&g, &ws_message_default_sizes, &replay), WS_OK);
    for (unsigned i = 0; i < 100; i++)
        assert_int_equal(ask(replay, i % SMS, WS_REQUEST_STORE, 4, 0), WS_OK);
    ws_coherence_replay_sum(replay, &t);
    /* A store moves its block by lease + 1 = 6; the first is at 7 or, after a reset, too. */
    assert_in_range(t.resets, 9, 12);
    assert_in_range(t.last_ts, 9 * 63, 13 * 63);
    assert_int_equal(t.messages[WS_MESSAGE_ACK], 100);
    ws_coherence_replay_destroy(replay);
}

static void test_refused(void **unused)
{
    (void)unused;
    ws_coherence_config g = small_config("magic");
    ws_coherence_replay *replay;
    assert_int_equal(ws_coherence_replay_create(&g, &ws_message_default_sizes, &replay), WS_EINPUT);
    assert_null(replay);
    assert_non_null(strstr(ws_message(), "magic"));
    ws_coherence_replay_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_short_way),
        cmocka_unit_test(test_short_way_of_every_cache),
        cmocka_unit_test(test_short_way_refused),
        cmocka_unit_test(test_identities),
        cmocka_unit_test(test_all_protocols),
        cmocka_unit_test(test_lease_changes_nothing),
        cmocka_unit_test(test_no_stores),
        cmocka_unit_test(test_greedy_cover),
        cmocka_unit_test(test_mesi),
        cmocka_unit_test(test_waiting),
        cmocka_unit_test(test_full_queue),
        cmocka_unit_test(test_resets),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
