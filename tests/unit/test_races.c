/* test_races.c - the worked examples of race detection, step by step, and what signatures of each size and unit come
 * to.
 *
 * A. Tabbakh, "Efficient Memory Coherence and Consistency Support for Enabling Data Sharing in GPUs", 2018, chapter 4.
 * Each access is complete before the next, unless a test holds answers back. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/status.h"
#include "model/coherence/coherence.h"
#include "model/mechanism/races/race_form.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SMS = 4, WARPS = 4, WORDS = 4, BLOCKS = 4096, NET = 64 };
enum { A = 1, B = 2, C = 3, D = 4, F = 6 };

typedef struct system {
    ws_coherence *c;
    uint32_t sms;
    void *l1[MOST_SMS], *l2, *hub;
    ws_coherence_message net[NET];
    unsigned waiting;
    bool held;               /* answers stay on the network */
    uint32_t value;          /* of the last load */
    uint32_t latest[BLOCKS]; /* of each block */
    bool done;
    uint64_t reads, writes;               /* sent */
    unsigned completions, early, refuted; /* of loads that ran ahead: with a value before its time, with a wrong one */
    ws_completion_stage stage;            /* of the last completion */
    bool ahead;                           /* loads run ahead */
    uint32_t memory[BLOCKS];
} system_;

static void sent(void *context, const ws_coherence_message *m)
{
    system_ *const s = context;
    s->reads += m->type == WS_MESSAGE_READ;
    s->writes += m->type == WS_MESSAGE_WRITE;
    assert_true(s->waiting < NET);
    s->net[s->waiting++] = *m;
}

static void completed(void *context, const ws_completion *completion)
{
    system_ *const s = context;
    if (completion->stage == WS_COMPLETE_PLACED)
        return;
    s->stage = (ws_completion_stage)completion->stage;
    s->done = s->stage == WS_COMPLETE || s->stage == WS_COMPLETE_KEPT;
    s->completions += s->done;
    s->early += s->stage == WS_COMPLETE_EARLY;
    s->refuted += s->stage == WS_COMPLETE_REFUTED;
    if (completion->kind == WS_REQUEST_LOAD && s->stage != WS_COMPLETE_REFUTED)
        s->value = s->latest[completion->block] = completion->data[0];
}

static ws_coherence_ports ports_of(system_ *s)
{
    return (ws_coherence_ports){.context = s, .send = sent, .complete = completed, .hub = s->hub};
}

static bool is_answer(const ws_coherence_message *m)
{
    return m->type == WS_MESSAGE_FILL || m->type == WS_MESSAGE_RENEW || m->type == WS_MESSAGE_ACK ||
           m->type == WS_MESSAGE_SYNC || m->type == WS_MESSAGE_CHECKED || m->type == WS_MESSAGE_ATOMIC_ACK;
}

static void deliver(system_ *s, ws_coherence_message m)
{
    const ws_coherence_ports ports = ports_of(s);
    if (m.type == WS_MESSAGE_DRAM_WRITE) {
        s->memory[m.block] = m.data[0];
    } else if (m.type == WS_MESSAGE_DRAM_READ) {
        m.type = WS_MESSAGE_DRAM_FILL;
        m.data[0] = s->memory[m.block];
        assert_int_equal(ws_l2_message(s->c, s->l2, &m, 0, &ports), WS_OK);
    } else if (is_answer(&m)) {
        ws_l1_bring(s->c, s->l1[m.sm], &m, s->hub);
        assert_int_equal(ws_l1_message(s->c, s->l1[m.sm], &m, 0, &ports), WS_OK);
    } else {
        assert_int_equal(ws_l2_message(s->c, s->l2, &m, 0, &ports), WS_OK);
    }
}

/* All but answers that are held, in the order in which they were sent. */
static void settle(system_ *s)
{
    for (unsigned i = 0; i < s->waiting;) {
        const ws_coherence_message m = s->net[i];
        if (s->held && is_answer(&m)) {
            i++;
            continue;
        }
        memmove(s->net + i, s->net + i + 1, (--s->waiting - i) * sizeof m);
        deliver(s, m);
    }
}

static int ask(system_ *s, uint32_t sm, uint32_t warp, uint8_t kind, uint64_t block, uint32_t value)
{
    static uint16_t tag;
    ws_request r = {.kind = kind,
                    .warp = (uint16_t)warp,
                    .tag = tag++,
                    .mask = 1,
                    .block = block,
                    .ahead = s->ahead && kind == WS_REQUEST_LOAD};
    r.data[0] = value;
    const ws_coherence_ports ports = ports_of(s);
    s->done = false;
    const int rc = ws_l1_access(s->c, s->l1[sm], &r, 0, &ports);
    if (!rc)
        settle(s);
    return rc;
}

static uint32_t ld(system_ *s, uint32_t sm, uint64_t block)
{
    assert_int_equal(ask(s, sm, 0, WS_REQUEST_LOAD, block, 0), WS_OK);
    assert_true(s->done);
    return s->value;
}

static void st(system_ *s, uint32_t sm, uint64_t block, uint32_t value)
{
    assert_int_equal(ask(s, sm, 0, WS_REQUEST_STORE, block, value), WS_OK);
    assert_true(s->done);
}

static ws_coherence_config config_of(const char *protocol, uint32_t sms)
{
    ws_coherence_config g = ws_coherence_defaults;
    g.protocol = protocol;
    g.sms = sms;
    g.warps = WARPS;
    g.words = WORDS;
    g.l1_sets = 1;
    g.l1_ways = 32;
    g.l2_sets = 256;
    g.l2_ways = 16;
    g.slices = 1;
    g.count = true;
    g.race.block = WORDS * 4;
    g.race.unit = WORDS * 4;
    return g;
}

static system_ *make(const ws_coherence_config *g)
{
    system_ *const s = calloc(1, sizeof *s);
    if (ws_coherence_create(g, &s->c))
        fail_msg("%s", ws_message());
    s->sms = g->sms;
    s->ahead = g->race.ahead;
    for (uint32_t sm = 0; sm < s->sms; sm++) {
        s->l1[sm] = malloc(ws_l1_bytes(s->c));
        ws_l1_init(s->c, s->l1[sm], sm);
    }
    s->l2 = malloc(ws_l2_bytes(s->c));
    ws_l2_init(s->c, s->l2, 0);
    s->hub = malloc(ws_hub_bytes(s->c) + 1);
    ws_hub_init(s->c, s->hub);
    return s;
}

static void drop(system_ *s)
{
    for (uint32_t sm = 0; sm < s->sms; sm++)
        free(s->l1[sm]);
    free(s->l2);
    free(s->hub);
    ws_coherence_destroy(s->c);
    free(s);
}

/* Epochs that the SM has begun. */
static uint32_t epochs(const system_ *s, uint32_t sm)
{
    return ws_l1_race_epoch(s->c, s->l1[sm]) - 1;
}

static ws_race_counts at_l1(const system_ *s, uint32_t sm)
{
    return ws_l1_race_counts(s->c, s->l1[sm]);
}

static ws_race_counts at_hub(const system_ *s)
{
    return ws_hub_race_counts(s->c, s->hub);
}

static const char *const all[] = {"drd", "drd-spec", "drd-ideal"};
enum { ALL = sizeof all / sizeof *all };

/* Data that nobody changed are not fetched again. */
static void unchanged_data(void **unused)
{
    (void)unused;
    for (size_t p = 0; p < ALL; p++) {
        const ws_coherence_config g = config_of(all[p], 2);
        system_ *const s = make(&g);
        ld(s, 0, A);
        ld(s, 1, A);
        ld(s, 1, B);
        st(s, 1, B, 1);
        assert_int_equal(epochs(s, 1), 1);
        assert_int_equal(ld(s, 0, B), 1);
        assert_int_equal(epochs(s, 0), 1);
        assert_int_equal(at_hub(s).race_syncs, 1);
        const uint64_t reads = s->reads;
        assert_int_equal(ld(s, 0, A), 0);
        assert_int_equal(ld(s, 1, A), 0);
        assert_int_equal(s->reads, reads);
        assert_int_equal(reads, 4);
        drop(s);
    }
}

/* The old value, which sequential consistency allows. */
static void old_value(void **unused)
{
    (void)unused;
    for (size_t p = 0; p < ALL; p++) {
        const ws_coherence_config g = config_of(all[p], 2);
        system_ *const s = make(&g);
        ld(s, 0, A);
        ld(s, 1, B);
        st(s, 1, B, 1);
        assert_int_equal(ld(s, 0, B), 1);
        st(s, 1, A, 1);
        const uint64_t reads = s->reads;
        assert_int_equal(ld(s, 0, A), 0);
        assert_int_equal(s->reads, reads);
        drop(s);
    }
}

static void overview(void **unused)
{
    (void)unused;
    for (size_t p = 0; p < ALL; p++) {
        const ws_coherence_config g = config_of(all[p], 2);
        system_ *const s = make(&g);
        ld(s, 1, A);
        st(s, 0, A, 1);
        st(s, 0, B, 2);
        assert_int_equal(epochs(s, 0), 2);
        assert_int_equal(epochs(s, 1), 0);
        assert_int_equal(ld(s, 1, B), 2);
        assert_int_equal(epochs(s, 1), 1);
        st(s, 0, C, 3);
        st(s, 0, D, 4);
        assert_int_equal(ld(s, 1, A), 1); /* of the epoch before, and stored to */
        assert_int_equal(at_l1(s, 1).found, 1);
        assert_int_equal(epochs(s, 1), 1);
        assert_int_equal(ld(s, 1, D), 4);
        assert_int_equal(epochs(s, 1), 2);
        assert_int_equal(ld(s, 1, C), 3);
        assert_int_equal(epochs(s, 1), 2);
        const uint64_t hits = ws_l1_counts(s->c, s->l1[1])->hits;
        assert_int_equal(ld(s, 1, C), 3); /* fetched in this epoch, so the filter is not asked */
        assert_int_equal(ws_l1_counts(s->c, s->l1[1])->hits, hits + 1);
        assert_int_equal(epochs(s, 0), 4);
        const ws_race_counts hub = at_hub(s), l1 = at_l1(s, 1);
        assert_int_equal(hub.store_syncs, 4);
        assert_int_equal(hub.race_syncs, 2);
        assert_int_equal(hub.forced_syncs, 0);
        assert_int_equal(hub.probes, 5);
        assert_int_equal(s->reads, 5);
        assert_int_equal(l1.found, 1);
        assert_int_equal(l1.expired, 0);
        drop(s);
    }
}

/* Four SMs: each has in its signature what the others stored, until it reads of that. */
static void fan_out(void **unused)
{
    (void)unused;
    const ws_coherence_config g = config_of("drd", 4);
    system_ *const s = make(&g);
    st(s, 0, A, 1);
    st(s, 1, B, 2); /* begins an epoch with {A} */
    assert_int_equal(at_hub(s).entries, 1);
    assert_int_equal(ld(s, 2, A), 1);
    assert_int_equal(ld(s, 3, B), 2);
    assert_int_equal(at_hub(s).race_syncs, 2);
    assert_int_equal(at_hub(s).entries, 1 + 2 + 2);
    assert_int_equal(ld(s, 2, B), 2); /* in the filter now, no race any more */
    assert_int_equal(ld(s, 0, B), 2); /* SM 0 has {B} */
    assert_int_equal(at_hub(s).race_syncs, 3);
    assert_int_equal(epochs(s, 0), 2);
    assert_int_equal(epochs(s, 2), 1);
    drop(s);
}

/* What was fetched two epochs ago is gone, whatever it is; that is all that happens to who stores for itself. */
static void window(void **unused)
{
    (void)unused;
    const ws_coherence_config g = config_of("drd", 2);
    system_ *const s = make(&g);
    enum { LINES = 8 };
    for (uint64_t i = 0; i < LINES; i++)
        ld(s, 0, 100 + i);
    st(s, 0, B, 1);
    ld(s, 0, 100); /* an epoch ago */
    assert_int_equal(at_l1(s, 0).expired, 0);
    st(s, 0, B, 2);
    for (uint64_t i = 0; i < LINES; i++)
        ld(s, 0, 100 + i);
    assert_int_equal(at_l1(s, 0).expired, LINES);
    assert_int_equal(at_l1(s, 0).found, 0);
    assert_int_equal(at_hub(s).race_syncs + at_hub(s).forced_syncs, 0);
    assert_int_equal(at_hub(s).signatures, 0); /* all of them are empty */
    drop(s);
}

/* Store buffering: not both see 0. */
static void store_buffering(void **unused)
{
    (void)unused;
    for (size_t p = 0; p < ALL; p++) {
        const ws_coherence_config g = config_of(all[p], 2);
        system_ *s = make(&g);
        for (uint32_t sm = 0; sm < 2; sm++) {
            ld(s, sm, A);
            ld(s, sm, B);
        }
        st(s, 0, A, 1); /* at a similar pace */
        assert_int_equal(epochs(s, 0), 1);
        st(s, 1, B, 1);
        assert_int_equal(epochs(s, 1), 1);
        assert_int_equal(ld(s, 0, B), 0);
        assert_int_equal(ld(s, 1, A), 1);
        assert_int_equal(at_l1(s, 1).found, 1);
        assert_int_equal(at_hub(s).race_syncs, 0);
        st(s, 0, C, 1);
        assert_int_equal(epochs(s, 0), 2);
        assert_int_equal(ld(s, 1, C), 1);
        assert_int_equal(at_hub(s).race_syncs, 1);
        assert_int_equal(epochs(s, 1), 2);
        drop(s);
        s = make(&g);
        for (uint32_t sm = 0; sm < 2; sm++) {
            ld(s, sm, A);
            ld(s, sm, B);
        }
        st(s, 0, A, 1); /* SM 0 far ahead */
        assert_int_equal(ld(s, 0, B), 0);
        st(s, 0, C, 1);
        assert_int_equal(epochs(s, 0), 2);
        st(s, 1, B, 1);
        assert_int_equal(epochs(s, 1), 1);
        assert_int_equal(ld(s, 1, A), 1);
        assert_int_equal(at_l1(s, 1).found, 1);
        assert_int_equal(ld(s, 1, C), 1); /* that it was stored is in the filter already: no race */
        assert_int_equal(at_hub(s).race_syncs, 0);
        assert_int_equal(epochs(s, 1), 1);
        drop(s);
    }
}

/* Who polls copies sees the store in the end; without detection never. */
static void spinning(void **unused)
{
    (void)unused;
    static const char *const protocols[] = {"noncoherent", "drd", "drd-spec", "drd-ideal"};
    for (size_t p = 0; p < 4; p++)
        for (uint32_t hits = 1; hits < 9; hits++) {
            ws_coherence_config g = config_of(protocols[p], 2);
            g.race.hits = hits;
            system_ *const s = make(&g);
            ld(s, 1, A);
            st(s, 0, A, 1);
            uint32_t turns = 1;
            while (turns < 100 && !ld(s, 1, A))
                turns++;
            assert_int_equal(turns, p == 0 ? 100
                                    : p == 1
                                        ? hits + 1
                                        : hits + 2); /* the load that asks sees the old copy, but where it stalls */
            drop(s);
        }
}

/* A check of a copy that is good brings no data. */
static void checked_copy(void **unused)
{
    (void)unused;
    ws_coherence_config g = config_of("drd", 2);
    system_ *const s = make(&g);
    for (unsigned i = 0; i < 1 + 4 + 1 + 4 + 1; i++)
        ld(s, 1, A);
    assert_int_equal(at_l1(s, 1).checks, 2);
    assert_int_equal(ws_l2_counts(s->c, s->l2)->misses, 1);
    assert_int_equal(s->reads, 3);
    drop(s);
}

/* The copies of A to D, fetched one epoch after another, and what becomes of them `depth` signatures deep. SM 1 stores
 * to B in the second. */
static void depths(void **unused)
{
    (void)unused;
    for (size_t p = 0; p < ALL; p++)
        for (uint32_t depth = 0; depth < 5; depth++) {
            ws_coherence_config g = config_of(all[p], 2);
            g.race.depth = depth;
            system_ *const s = make(&g);
            for (uint64_t block = A; block <= D; block++) {
                ld(s, 0, block);
                if (block == B)
                    st(s, 1, B, 1);
                st(s, 0, F + block, 1); /* an epoch of its own */
            }
            const uint64_t reads = s->reads;
            for (uint64_t block = A; block <= D; block++)
                assert_int_equal(ld(s, 0, block), block == B);
            /* D is one epoch old, A four; B is found from depth 3 on, where its copy is not too old. */
            const ws_race_counts c = at_l1(s, 0);
            assert_int_equal(c.found, depth >= 3);
            assert_int_equal(c.expired, 4 - (depth > 3 ? 4 : depth));
            assert_int_equal(s->reads - reads, c.expired + c.found);
            assert_int_equal(at_hub(s).signatures, depth ? 2 : 0); /* one to each SM */
            drop(s);
        }
}

/* One of two lines that an instruction of SM 0 stores to. */
static void store_part(system_ *s, uint64_t block)
{
    ws_request r = {.kind = WS_REQUEST_STORE, .tag = 5, .mask = 1, .block = block, .who.lines = 2, .data = {1}};
    const ws_coherence_ports ports = ports_of(s);
    assert_int_equal(ws_l1_access(s->c, s->l1[0], &r, 0, &ports), WS_OK);
    settle(s);
}

/* Stores of an instruction that begin one epoch: nobody in the SM sees the first before the second is performed, with a
 * copy or without, and other SMs do, by a race. */
static void together(void **unused)
{
    (void)unused;
    for (size_t p = 0; p < ALL; p++)
        for (unsigned copy = 0; copy < 2; copy++)
            for (unsigned one = 0; one < 2; one++) {
                ws_coherence_config g = config_of(all[p], 2);
                g.race.together = one;
                system_ *const s = make(&g);
                ld(s, 0, C);
                ld(s, 1, C);
                if (copy)
                    ld(s, 0, A);
                s->completions = 0;
                store_part(s, A);
                assert_int_equal(epochs(s, 0), !one);
                assert_int_equal(s->completions, !one);
                if (one)
                    assert_int_equal(ask(s, 0, 1, WS_REQUEST_LOAD, A, 0), WS_COHERENCE_RETRY);
                assert_int_equal(ask(s, 0, 1, WS_REQUEST_LOAD, C, 0), WS_OK); /* the rest goes on */
                assert_int_equal(ld(s, 1, A), 1);
                assert_int_equal(epochs(s, 1), 1);
                s->completions = 0;
                store_part(s, B);
                assert_int_equal(s->completions, one ? 2 : 1);
                assert_int_equal(epochs(s, 0), one ? 1 : 2);
                assert_int_equal(at_hub(s).store_syncs, one ? 1 : 2);
                assert_int_equal(ld(s, 0, A), 1);
                st(s, 0, D, 1); /* one of a line is as ever */
                assert_int_equal(epochs(s, 0), one ? 2 : 3);
                drop(s);
            }
}

/* Loads of a warp that waited for the fetch of another, which the first of the two stores overtook. */
static void together_in_flight(void **unused)
{
    (void)unused;
    for (size_t p = 1; p < ALL; p++) {
        ws_coherence_config g = config_of(all[p], 2);
        g.race.together = true;
        system_ *const s = make(&g);
        s->held = true;
        assert_int_equal(ask(s, 0, 1, WS_REQUEST_LOAD, A, 0), WS_OK);
        assert_int_equal(ask(s, 0, 2, WS_REQUEST_LOAD, A, 0), WS_OK);
        store_part(s, A);
        s->completions = 0;
        s->held = false;
        settle(s);
        assert_int_equal(s->completions, 1); /* the first load, which came before the store */
        assert_int_equal(s->value, 0);
        store_part(s, B);
        assert_int_equal(s->completions, 4);
        assert_int_equal(s->value, 1);
        assert_int_equal(ws_l1_waiting(s->l1[0]), 0);
        drop(s);
    }
}

/* What was stored before L1s were emptied is news to nobody. */
static void new_launch(void **unused)
{
    (void)unused;
    for (size_t p = 0; p < ALL; p++) {
        const ws_coherence_config g = config_of(all[p], 2);
        system_ *const s = make(&g);
        ld(s, 0, A);
        st(s, 1, A, 1);
        const ws_coherence_ports ports = ports_of(s);
        for (uint32_t sm = 0; sm < 2; sm++)
            assert_int_equal(ws_l1_flush(s->c, s->l1[sm], &ports), WS_OK);
        ws_hub_flush(s->c, s->hub);
        assert_int_equal(ld(s, 0, A), 1);
        assert_int_equal(at_hub(s).race_syncs, 0);
        assert_int_equal(ws_hub_race_epoch(s->c, s->hub, 0), epochs(s, 0) + 1);
        st(s, 1, A, 2);
        for (unsigned i = 0; i < 4; i++)
            assert_int_equal(ld(s, 0, A), 1);
        ld(s, 0, A); /* asks, at the latest */
        assert_int_equal(ld(s, 0, A), 2);
        assert_int_equal(at_hub(s).race_syncs, 1);
        drop(s);
    }
}

/* SM 0 has A; the answer to its load of F, a race, is held back. */
static system_ *racing_on(const ws_coherence_config *g, bool also_a)
{
    system_ *const s = make(g);
    ld(s, 0, D);
    st(s, 1, D, 1);
    ld(s, 0, A);
    ld(s, 0, D); /* an epoch begins, or it is a hit */
    st(s, 1, F, 1);
    if (also_a)
        st(s, 1, A, 2);
    s->held = true;
    assert_int_equal(ask(s, 0, 0, WS_REQUEST_LOAD, F, 0), WS_OK);
    assert_false(s->done);
    return s;
}

static system_ *racing(const char *protocol, bool also_a)
{
    const ws_coherence_config g = config_of(protocol, 2);
    return racing_on(&g, also_a);
}

static void let_go(system_ *s)
{
    s->held = false;
    settle(s);
    assert_int_equal(s->waiting, 0);
}

/* A load of a copy before the answer: who stalls takes none; who speculates does, and the copy lives on when the
 * signature does not have it. */
static void speculation(void **unused)
{
    (void)unused;
    system_ *s = racing("drd", false);
    assert_int_equal(ask(s, 0, 1, WS_REQUEST_LOAD, A, 0), WS_COHERENCE_RETRY);
    let_go(s);
    drop(s);
    s = racing("drd-spec", false);
    const uint32_t before = epochs(s, 0);
    assert_int_equal(ask(s, 0, 1, WS_REQUEST_LOAD, A, 0), WS_OK);
    assert_true(s->done && s->value == 0);
    let_go(s);
    assert_int_equal(epochs(s, 0), before + 1);
    assert_int_equal(at_l1(s, 0).speculative, 1);
    assert_int_equal(at_l1(s, 0).carried, 1);
    st(s, 0, C, 1); /* one more epoch: A would be two epochs old */
    const uint64_t reads = s->reads;
    assert_int_equal(ld(s, 0, A), 0);
    assert_int_equal(s->reads, reads);
    drop(s);
    s = racing("drd-spec", true);
    assert_int_equal(ask(s, 0, 1, WS_REQUEST_LOAD, A, 0), WS_OK);
    assert_true(s->done && s->value == 0);
    let_go(s);
    assert_int_equal(at_l1(s, 0).carried, 0);
    assert_int_equal(at_l1(s, 0).refuted, 1);
    assert_int_equal(ld(s, 0, A), 2);
    drop(s);
    /* The same without speculation: the load comes after the epoch has begun, and one later the copy is gone. */
    s = racing("drd-ideal", false);
    let_go(s);
    st(s, 0, C, 1);
    ld(s, 0, A);
    assert_int_equal(at_l1(s, 0).expired, 1);
    drop(s);
}

/* The same warp: its load of A hits while the answer to its load of F is missing. It is kept when there is no race, or
 * A is not in the signature; else it is made again. Until then the warp stores nothing. */
static void running_ahead(void **unused)
{
    (void)unused;
    ws_coherence_config g = config_of("drd-spec", 2);
    g.race.ahead = true;
    for (unsigned news = 0; news < 3; news++) { /* none; F; F and A */
        system_ *const s = news ? racing_on(&g, news == 2) : make(&g);
        if (!news) {
            ld(s, 0, A);
            s->held = true;
            assert_int_equal(ask(s, 0, 0, WS_REQUEST_LOAD, F, 0), WS_OK);
        }
        const unsigned completions = s->completions;
        assert_int_equal(ask(s, 0, 0, WS_REQUEST_LOAD, A, 0), WS_OK);
        assert_int_equal(s->early, 1);
        assert_true(s->stage == WS_COMPLETE_EARLY && s->value == 0);
        assert_int_equal(ask(s, 0, 0, WS_REQUEST_STORE, B, 3), WS_COHERENCE_RETRY);
        assert_int_equal(s->completions, completions);
        let_go(s);
        assert_int_equal(s->completions, completions + 2);
        assert_int_equal(s->refuted, news == 2);
        assert_int_equal(at_l1(s, 0).kept, news < 2);
        assert_int_equal(at_l1(s, 0).failed, news == 2);
        assert_int_equal(s->latest[A], news == 2 ? 2 : 0);
        assert_int_equal(s->latest[F], news > 0);
        drop(s);
    }
}

/* --- Random accesses --- */

static uint64_t seed;

static uint32_t drawn(uint32_t below)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(seed >> 33) % below;
}

/* Loads and stores of four SMs, one of `every` a store, of `blocks` blocks. */
static ws_race_counts random_run(const ws_coherence_config *g, unsigned accesses, uint32_t every, uint32_t blocks)
{
    system_ *const s = make(g);
    seed = 7;
    for (unsigned i = 0; i < accesses; i++) {
        const uint32_t sm = drawn(g->sms), block = drawn(blocks);
        if (drawn(every))
            ld(s, sm, block);
        else
            st(s, sm, block, i + 1);
    }
    ws_race_counts sum = at_hub(s);
    for (uint32_t sm = 0; sm < g->sms; sm++) {
        const ws_race_counts of = at_l1(s, sm);
#define COUNT(name, meaning) sum.name += of.name;
#include "model/coherence/race_counts.def"
#undef COUNT
    }
    drop(s);
    return sum;
}

static double forced_share(const ws_race_counts *c)
{
    return (double)c->forced_syncs / (double)(c->forced_syncs + c->race_syncs);
}

/* Larger signatures and larger units force fewer epochs. Three SMs read, now and then what one has stored, or what lies
 * beside. */
static ws_race_counts readers_run(uint32_t bits, uint32_t unit, bool exact)
{
    ws_coherence_config g = config_of("drd", 4);
    g.race.bits = bits;
    g.race.unit = unit;
    g.race.exact = exact;
    g.l2_ways = 64;
    system_ *const s = make(&g);
    seed = 9;
    for (unsigned i = 0; i < 40000; i++) {
        if (drawn(4))
            st(s, 0, 4 * drawn(500), i + 1);
        else if (drawn(40))
            ld(s, 1 + drawn(3), 2000 + drawn(2000));
        else
            ld(s, 1 + drawn(3), drawn(2000));
    }
    const ws_race_counts c = at_hub(s);
    drop(s);
    return c;
}

static void shares(void **unused)
{
    (void)unused;
    static const uint32_t units[] = {1, 16, 64};
    double of_unit[3][3];
    for (unsigned u = 0; u < 3; u++)
        for (unsigned b = 0; b < 3; b++) {
            const ws_race_counts c = readers_run(1024u << 2 * b, units[u], false);
            assert_int_equal(c.missed, 0);
            of_unit[u][b] = forced_share(&c);
        }
    for (unsigned u = 0; u < 3; u++)
        assert_true(of_unit[u][0] > of_unit[u][1] && of_unit[u][1] > of_unit[u][2]);
    for (unsigned b = 0; b < 3; b++)
        assert_true(of_unit[0][b] > of_unit[1][b] && of_unit[1][b] > of_unit[2][b]);
    const ws_race_counts exact = readers_run(1024, 16, true), filter = readers_run(1024, 16, false);
    assert_int_equal(exact.false_syncs, 0);
    assert_true(filter.false_syncs > 0 && filter.race_syncs > exact.race_syncs);
}

/* The closed form against the controllers. */
static void closed_form(void **unused)
{
    (void)unused;
    static const uint32_t every[] = {2, 4, 8};
    for (unsigned i = 0; i < 3; i++)
        for (uint32_t capacity = 2; capacity <= 16; capacity *= 2) {
            ws_coherence_config g = config_of("drd", 4);
            g.race.exact = true;
            g.race.capacity = capacity;
            g.race.hits = 1000;
            const unsigned accesses = 60000;
            const ws_race_counts c = random_run(&g, accesses, every[i], 24);
            const ws_race_form form = {.sms = 4,
                                       .store_syncs = (double)c.store_syncs,
                                       .race_syncs = (double)c.race_syncs,
                                       .units = 1,
                                       .capacity = capacity};
            ws_race_syncs predicted;
            assert_int_equal(ws_race_form_syncs(&form, &predicted), WS_OK);
            if (c.forced_syncs > 400)
                assert_true(fabs(predicted.forced / (double)c.forced_syncs - 1) < 0.1);
            else
                assert_true(fabs(predicted.forced - (double)c.forced_syncs) < 100);
        }
    /* A line used again after d accesses, epochs at a rate v an access. */
    assert_true(fabs(ws_race_form_expired(1, 0, 0.1, 20) - (1 - exp(-2) * 3)) < 1e-12);
    assert_true(fabs(ws_race_form_filtered(1, 0, 0.1, 20) - 2 * exp(-2)) < 1e-12);
    assert_true(ws_race_form_expired(1, 0, 0, 20) == 0 && ws_race_form_filtered(1, 0, 0, 20) == 0);
    /* With three signatures and one store of the SM; without any. */
    assert_true(fabs(ws_race_form_expired(3, 1, 0.1, 20) - (1 - exp(-2) * 5)) < 1e-12);
    assert_true(fabs(ws_race_form_filtered(3, 1, 0.1, 20) - 5 * exp(-2)) < 1e-12);
    assert_true(fabs(ws_race_form_expired(0, 0, 0.1, 20) - (1 - exp(-2))) < 1e-12 &&
                ws_race_form_filtered(0, 0, 0.1, 20) == 0);
    assert_true(ws_race_form_expired(0, 1, 0, 20) == 1 && ws_race_form_filtered(0, 1, 0, 20) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unchanged_data), cmocka_unit_test(old_value),     cmocka_unit_test(overview),
        cmocka_unit_test(fan_out),        cmocka_unit_test(window),        cmocka_unit_test(store_buffering),
        cmocka_unit_test(spinning),       cmocka_unit_test(checked_copy),  cmocka_unit_test(depths),
        cmocka_unit_test(new_launch),     cmocka_unit_test(together),      cmocka_unit_test(together_in_flight),
        cmocka_unit_test(speculation),    cmocka_unit_test(running_ahead), cmocka_unit_test(shares),
        cmocka_unit_test(closed_form),
    };
    return cmocka_run_group_tests_name("races", tests, NULL, NULL);
}
