/* test_atomic_buffer.c - reductions that are kept beside the L1: what merges, what makes them leave, and that none is
 * lost. */
#include "sim_script.h"
#include "tests/unit/machine_word.h"

#include "model/sim/sm/atomic.h"

#include <gsl/gsl_rng.h>

enum { LINE = 128 };

/* ------------------------------------------------------------------------------------------------ the rule alone */

typedef struct kept {
    uint64_t state[4096], values[2];
    ws_atomic_buffer b;
    const ws_atomic_ops *ops;
} kept;

static void start(kept *k, uint64_t entries, uint64_t age, bool by_warp)
{
    *k = (kept){.values = {entries, age}, .ops = ws_atomic_ops_of(ws_atomic_kind_find("buffered"))};
    k->b = (ws_atomic_buffer){.state = k->state, .values = k->values, .by_warp = by_warp};
    assert_true(k->ops->state_size(k->values) <= sizeof k->state);
}

static ws_atomic_access reduction(uint64_t block, uint32_t words, uint16_t warp)
{
    return (ws_atomic_access){.block = block,
                              .words = words,
                              .warp = warp,
                              .kind = WS_REQUEST_ATOMIC,
                              .bytes = 4,
                              .op = WS_ATOMIC_ADD,
                              .order = WS_ORDER_RELAXED,
                              .scope = WS_SCOPE_GPU};
}

static ws_atomic_answer offer(const kept *k, ws_atomic_access a)
{
    return k->ops->offer(&k->b, &a);
}

/* Sends what leaves; its id. */
static unsigned send_next(const kept *k, uint64_t block, uint32_t words)
{
    ws_atomic_sum sum;
    assert_true(k->ops->leaving(&k->b, 0, &sum));
    assert_true(sum.block == block && sum.words == words);
    k->ops->left(&k->b, &sum);
    return sum.id;
}

static void what_merges(void **state)
{
    (void)state;
    kept k;
    ws_atomic_sum sum;
    start(&k, 2, 100, false);
    assert_int_equal(offer(&k, reduction(7, 1, 0)), WS_ATOMIC_KEPT);
    assert_int_equal(offer(&k, reduction(7, 3, 1)), WS_ATOMIC_KEPT);
    assert_int_equal(offer(&k, reduction(7, 1, 0)), WS_ATOMIC_KEPT);
    assert_false(k.ops->leaving(&k.b, 99, &sum));
    assert_int_equal(k.ops->waiting(&k.b), 0);
    assert_int_equal(k.ops->next_time(&k.b, 5), 100);
    assert_true(k.ops->leaving(&k.b, 100, &sum)); /* its age */
    assert_true(sum.words == 3 && sum.count[0] == 3 && sum.count[1] == 1 && sum.warp == 0);
    /* The third line takes the place of the one that was used least recently: 7. */
    assert_int_equal(offer(&k, reduction(8, 1, 0)), WS_ATOMIC_KEPT);
    assert_int_equal(offer(&k, reduction(9, 1, 0)), WS_ATOMIC_WAIT);
    assert_int_equal(k.ops->next_time(&k.b, 5), 5);
    assert_int_equal(k.ops->waiting(&k.b), 1);
    const unsigned id = send_next(&k, 7, 3);
    assert_int_equal(k.ops->waiting(&k.b), 1); /* in flight */
    assert_int_equal(offer(&k, reduction(9, 1, 0)), WS_ATOMIC_KEPT);
    k.ops->performed(&k.b, id);
    assert_int_equal(k.ops->waiting(&k.b), 0);
}

static void what_does_not_merge(void **state)
{
    (void)state;
    kept k;
    start(&k, 4, 1000, false);
    assert_int_equal(offer(&k, reduction(1, 4, 0)), WS_ATOMIC_KEPT);
    ws_atomic_access a = reduction(1, 1, 0);
    a.returns = true; /* an other word: not its concern */
    assert_int_equal(offer(&k, a), WS_ATOMIC_PASS);
    a.kind = WS_REQUEST_LOAD;
    assert_int_equal(offer(&k, a), WS_ATOMIC_PASS);
    a.words = 4;
    assert_int_equal(offer(&k, a), WS_ATOMIC_WAIT);
    send_next(&k, 1, 4);
    assert_int_equal(offer(&k, a), WS_ATOMIC_PASS);
    a = reduction(2, 1, 0);
    assert_int_equal(offer(&k, a), WS_ATOMIC_KEPT);
    a.op = WS_ATOMIC_MAX; /* an other operation on the line */
    assert_int_equal(offer(&k, a), WS_ATOMIC_WAIT);
    send_next(&k, 2, 1);
    assert_int_equal(offer(&k, a), WS_ATOMIC_KEPT);
    a.number = WS_NUMBER_SINGLE;
    assert_int_equal(offer(&k, a), WS_ATOMIC_WAIT);
    a = reduction(3, 1, 0);
    a.op = WS_ATOMIC_EXCH; /* does not commute */
    assert_int_equal(offer(&k, a), WS_ATOMIC_PASS);
    /* Where warps have times, an entry is of one. */
    start(&k, 4, 1000, true);
    assert_int_equal(offer(&k, reduction(1, 1, 0)), WS_ATOMIC_KEPT);
    assert_int_equal(offer(&k, reduction(1, 2, 1)), WS_ATOMIC_KEPT);
    assert_int_equal(offer(&k, reduction(1, 1, 0)), WS_ATOMIC_KEPT);
    a = reduction(1, 2, 0);
    a.kind = WS_REQUEST_LOAD; /* behind a barrier, a warp finds what another added */
    assert_int_equal(offer(&k, a), WS_ATOMIC_WAIT);
    send_next(&k, 1, 2);
    assert_int_equal(offer(&k, a), WS_ATOMIC_PASS);
}

static void fences(void **state)
{
    (void)state;
    kept k;
    start(&k, 4, 1000, false);
    assert_true(k.ops->reach(&k.b, WS_ATOMIC_FENCE, 0, WS_SCOPE_GPU));
    assert_int_equal(offer(&k, reduction(1, 1, 0)), WS_ATOMIC_KEPT);
    assert_int_equal(offer(&k, reduction(2, 1, 1)), WS_ATOMIC_KEPT);
    assert_true(k.ops->reach(&k.b, WS_ATOMIC_FENCE, 0, WS_SCOPE_CTA));
    assert_int_equal(k.ops->waiting(&k.b), 0);
    assert_false(k.ops->reach(&k.b, WS_ATOMIC_FENCE, 0, WS_SCOPE_GPU));
    assert_int_equal(k.ops->waiting(&k.b), 2); /* those of other warps, too */
    const unsigned first = send_next(&k, 1, 1), second = send_next(&k, 2, 1);
    assert_int_equal(offer(&k, reduction(3, 1, 1)), WS_ATOMIC_KEPT); /* behind the fence */
    assert_false(k.ops->reach(&k.b, WS_ATOMIC_FENCE, 0, WS_SCOPE_GPU));
    k.ops->performed(&k.b, first);
    assert_false(k.ops->reach(&k.b, WS_ATOMIC_FENCE, 0, WS_SCOPE_GPU));
    k.ops->performed(&k.b, second);
    assert_true(k.ops->reach(&k.b, WS_ATOMIC_FENCE, 0, WS_SCOPE_GPU));
    assert_int_equal(k.ops->waiting(&k.b), 0); /* line 3 stays */
    assert_false(k.ops->reach(&k.b, WS_ATOMIC_FENCE, 0, WS_SCOPE_SYS));
    send_next(&k, 3, 1);
    /* An access that releases is a fence for what came before. */
    start(&k, 4, 1000, false);
    assert_int_equal(offer(&k, reduction(1, 1, 0)), WS_ATOMIC_KEPT);
    ws_atomic_access release = {
        .block = 9, .words = 1, .warp = 2, .kind = WS_REQUEST_STORE, .order = WS_ORDER_RELEASE, .scope = WS_SCOPE_CTA};
    assert_int_equal(offer(&k, release), WS_ATOMIC_PASS);
    release.scope = WS_SCOPE_GPU;
    assert_int_equal(offer(&k, release), WS_ATOMIC_WAIT);
    k.ops->performed(&k.b, send_next(&k, 1, 1));
    assert_int_equal(offer(&k, release), WS_ATOMIC_PASS);
}

/* ------------------------------------------------------------------------------------------------ in a machine */

static void machine(ws_machine *m, const char *protocol, const char *atomics)
{
    script_machine(m, protocol);
    machine_word(m, sm_atomics, atomics);
}

/* Messages with atomics that one warp sends: five reductions of all lanes on one word, `between`, five more. */
static uint64_t atomics_sent(const char *rule, uint32_t between, uint64_t address)
{
    ws_machine m;
    ws_sim_sums sums;
    machine(&m, "none", rule);
    script *const s = script_make(1, 32);
    for (unsigned i = 0; i < 10; i++) {
        if (i == 5 && between != ADD)
            script_add(s, 0, 0, between, address);
        script_add(s, 0, 0, REDUCE, 0)->stride = 0;
    }
    ws_sim *const sim = script_sim(&m, NULL);
    if (script_run(sim, s, 1000))
        fail_msg("%s", ws_message());
    ws_sim_sum(sim, &sums);
    assert_int_equal(sums.messages[WS_MESSAGE_ATOMIC], sums.messages[WS_MESSAGE_ATOMIC_ACK]);
    assert_int_equal(sums.sm.atomics, 10 + (between == REDUCE_MAX || between == REDUCE_RELEASE || between == ATOMIC));
    ws_sim_destroy(sim);
    s->source.ops->destroy(&s->source);
    return sums.messages[WS_MESSAGE_ATOMIC];
}

static void messages(void **state)
{
    (void)state;
    assert_int_equal(atomics_sent("serial", ADD, 0), 320);
    assert_int_equal(atomics_sent("combined", ADD, 0), 10);
    assert_int_equal(atomics_sent("buffered", ADD, 0), 1);
    assert_int_equal(atomics_sent("buffered", FENCE, 0), 2);
    assert_int_equal(atomics_sent("buffered", FENCE_BLOCK, 0), 1);
    assert_int_equal(atomics_sent("buffered", LOAD, 0), 2);
    assert_int_equal(atomics_sent("buffered", LOAD, LINE), 1);
    assert_int_equal(atomics_sent("buffered", STORE, 64), 1);     /* other words of the line */
    assert_int_equal(atomics_sent("buffered", REDUCE_MAX, 0), 3); /* 32 of them merge, too */
    assert_int_equal(atomics_sent("buffered", REDUCE_RELEASE, LINE), 3);
    assert_int_equal(atomics_sent("buffered", ATOMIC, 0), 3); /* lanes at words 0 .. 31 */
}

/* A warp that adds to a word and then looks at it finds its own sum; a fence makes it wait for the answer. */
static void a_fence_takes_the_trip(void **state)
{
    (void)state;
    uint64_t cycles[2];
    for (unsigned fence = 0; fence < 2; fence++) {
        ws_machine m;
        ws_sim_sums sums;
        machine(&m, "none", "buffered");
        script *const s = script_make(1, 32);
        script_add(s, 0, 0, REDUCE, 0);
        script_add(s, 0, 0, fence ? FENCE : FENCE_BLOCK, 0);
        for (unsigned i = 0; i < 40; i++)
            script_add(s, 0, 0, ADD, 0);
        ws_sim *const sim = script_sim(&m, NULL);
        assert_int_equal(script_run(sim, s, 1000), WS_OK);
        ws_sim_sum(sim, &sums);
        cycles[fence] = sums.sm.stall_order;
        ws_sim_destroy(sim);
        s->source.ops->destroy(&s->source);
    }
    assert_true(cycles[0] < 10); /* until the buffer has it */
    assert_true(cycles[1] > 50); /* to L2 and back */
}

/* Adds of lanes on few words, fences, loads and atomics between; counts[word] are the operations, those of an
 * instruction's lanes on one word as one where they are combined. */
static script *random_sums(unsigned seed, unsigned words, bool combined, uint32_t *counts)
{
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, seed);
    script *const s = script_make(10, 96);
    memset(counts, 0, words * sizeof *counts);
    for (uint32_t block = 0; block < 10; block++)
        for (uint32_t warp = 0; warp < 3; warp++)
            for (unsigned i = 0; i < 60; i++) {
                const unsigned what = (unsigned)gsl_rng_uniform_int(rng, 16);
                const uint32_t instr = what < 11   ? REDUCE
                                       : what < 12 ? ATOMIC
                                       : what < 14 ? LOAD
                                       : what < 15 ? FENCE
                                                   : FREE;
                step *const p = script_add(s, block, warp, instr, 4 * gsl_rng_uniform_int(rng, words - 32));
                p->stride = gsl_rng_uniform_int(rng, 2) * 4;
                for (unsigned lane = 0;
                     lane < (combined && !p->stride ? 1 : 32) && (instr == REDUCE || instr == ATOMIC); lane++)
                    counts[(p->base + lane * (uint64_t)p->stride) / 4]++;
                if (i % 20 == 19)
                    script_add(s, block, warp, BARRIER, 0);
            }
    gsl_rng_free(rng);
    return s;
}

/* Under every protocol that takes the rule, every load is right, and in the end each word has what was added to it. */
static void nothing_is_lost(void **state)
{
    (void)state;
    enum { WORDS = 160 };
    static const char *const protocols[] = {
#define PROTOCOL(id, name) name,
#include "model/coherence/protocols.def"
#undef PROTOCOL
    };
    enum { PROTOCOLS = sizeof protocols / sizeof *protocols };
    for (unsigned turn = 0; turn < 2 * PROTOCOLS; turn++) {
        const unsigned i = turn % PROTOCOLS;
        ws_machine m;
        uint32_t counts[WORDS];
        const bool lab = turn / PROTOCOLS; /* a local atomic buffer: the same, with loads that pass by */
        machine(&m, protocols[i], lab ? "lab" : "buffered");
        m.l1_mshrs = 4;
        m.port_packets = 3;
        m.sm_blocks = 2;
        ws_given given[] = {{.name = "entries", .value = 3}, {.name = "age", .value = i % 2 ? 150 : 100000}};
        m.atomics = (ws_machine_options){.list = given, .count = lab ? 1 : 2};
        const ws_sim_options options = {.check = true};
        ws_sim *sim;
        if (ws_coherence_is_sequential(protocols[i])) {
            assert_int_equal(script_create(&m, &options, &sim), WS_EINPUT);
            assert_non_null(strstr(ws_message(), lab ? "sm.atomics = lab" : "sm.atomics = buffered"));
            continue;
        }
        ws_sim_sums sums[2];
        for (unsigned every = 0; every < 2; every++) {
            const ws_sim_options how = {.check = true, .every_cycle = every};
            script *const s = random_sums(i, WORDS, lab, counts);
            sim = script_sim(&m, &how);
            if (script_run(sim, s, 1000))
                fail_msg("%s: %s", protocols[i], ws_message());
            assert_true(ws_sim_checked(sim) > 100);
            for (unsigned word = 0; word < WORDS; word++)
                if (ws_sim_value(sim, word / 32, word % 32) != counts[word])
                    fail_msg("%s: word %u is %u, not %u", protocols[i], word, ws_sim_value(sim, word / 32, word % 32),
                             counts[word]);
            ws_sim_sum(sim, &sums[every]);
            ws_sim_destroy(sim);
            s->source.ops->destroy(&s->source);
        }
        assert_int_equal(sums[0].cycles, sums[1].cycles);
        assert_memory_equal(&sums[0].sm, &sums[1].sm, sizeof sums->sm);
        assert_memory_equal(sums[0].messages, sums[1].messages, sizeof sums->messages);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_merges), cmocka_unit_test(what_does_not_merge),    cmocka_unit_test(fences),
        cmocka_unit_test(messages),    cmocka_unit_test(a_fence_takes_the_trip), cmocka_unit_test(nothing_is_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
