/* test_coherence_walk.c - coherence protocols in every interleaving of small programs, and the violations that appear
 * without their rules. Of programs with many states the nearest are walked; --more: all of them; --slow: also all
 * programs in all variants, with counterexamples printed. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/coherence_walk.h"

static bool slow;
static size_t nearest = 4000; /* states walked of a program that is expected to be good, breadth first */

#define L(v) \
    { \
        LOAD, v, 0 \
    }
#define P(v) \
    { \
        POLL, v, 0 \
    }
#define S(v, n) \
    { \
        STORE, v, n \
    }
#define A(v, n) \
    { \
        ATOMIC, v, n \
    }
#define F \
    { \
        FENCE, 0, 0 \
    }

/* Threads 0 and 1 run on SM 0, 2 and 3 on SM 1. The outcomes are those that sequential consistency forbids:
 * J. Alglave, L. Maranget, M. Tautschnig, "Herding Cats", 2014, names them so. */
static const program litmus[] = {
    {"MP", {{S(X, 1), S(Y, 1)}, {{0}}, {L(Y), L(X)}}, {2, 0, 2}, {{2, 0, 1}, {2, 1, 0}}, 2},
    {"MP, copies there", {{S(X, 1), S(Y, 1)}, {{0}}, {L(X), L(Y), L(X)}}, {2, 0, 3}, {{2, 1, 1}, {2, 2, 0}}, 2},
    {"SB", {{S(X, 1), L(Y)}, {{0}}, {S(Y, 1), L(X)}}, {2, 0, 2}, {{0, 1, 0}, {2, 1, 0}}, 2},
    {"SB, copies there", {{L(Y), S(X, 1), L(Y)}, {{0}}, {L(X), S(Y, 1), L(X)}}, {3, 0, 3}, {{0, 2, 0}, {2, 2, 0}}, 2},
    {"SB, one SM", {{S(X, 1), L(Y)}, {S(Y, 1), L(X)}}, {2, 2}, {{0, 1, 0}, {1, 1, 0}}, 2},
    {"LB", {{L(X), S(Y, 1)}, {{0}}, {L(Y), S(X, 1)}}, {2, 0, 2}, {{0, 0, 1}, {2, 0, 1}}, 2},
    {"IRIW",
     {{S(X, 1)}, {L(X), L(Y)}, {S(Y, 1)}, {L(Y), L(X)}},
     {1, 2, 1, 2},
     {{1, 0, 1}, {1, 1, 0}, {3, 0, 1}, {3, 1, 0}},
     4},
    {"CoRR", {{S(X, 1)}, {{0}}, {L(X), L(X)}}, {1, 0, 2}, {{2, 0, 1}, {2, 1, 0}}, 2},
    {"CoWW", {{S(X, 1), S(X, 2)}, {{0}}, {L(X), L(X)}}, {2, 0, 2}, {{2, 0, 2}, {2, 1, 1}}, 2},
    {"CoWR", {{S(X, 1), L(X)}, {{0}}, {S(X, 2)}}, {2, 0, 1}, {{0, 1, 0}}, 1},
    {"2+2W", {{S(X, 1), S(Y, 2)}, {L(X)}, {S(Y, 1), S(X, 2)}, {L(Y)}}, {2, 1, 2, 1}, {{0}}, 0},
    {"2+2W, seen", {{S(X, 1), S(Y, 2), L(Y)}, {{0}}, {S(Y, 1), S(X, 2), L(X)}}, {3, 0, 3}, {{0, 2, 1}, {2, 2, 1}}, 2},
};
enum { LITMUS = sizeof litmus / sizeof *litmus };

static const program fenced[] = {
    {"MP", {{S(X, 1), F, S(Y, 1)}, {{0}}, {L(X), L(Y), F, L(X)}}, {3, 0, 4}, {{2, 1, 1}, {2, 3, 0}}, 2},
    {"SB", {{S(X, 1), F, L(Y)}, {{0}}, {S(Y, 1), F, L(X)}}, {3, 0, 3}, {{0, 2, 0}, {2, 2, 0}}, 2},
    {"LB", {{L(X), F, S(Y, 1)}, {{0}}, {L(Y), F, S(X, 1)}}, {3, 0, 3}, {{0, 0, 1}, {2, 0, 1}}, 2},
    {"IRIW",
     {{S(X, 1)}, {L(X), F, L(Y)}, {S(Y, 1)}, {L(Y), F, L(X)}},
     {1, 3, 1, 3},
     {{1, 0, 1}, {1, 2, 0}, {3, 0, 1}, {3, 2, 0}},
     4},
    {"CoRR", {{S(X, 1)}, {{0}}, {L(X), F, L(X)}}, {1, 0, 3}, {{2, 0, 1}, {2, 2, 0}}, 2},
    {"CoRR without a fence", {{S(X, 1)}, {{0}}, {L(X), L(X)}}, {1, 0, 2}, {{2, 0, 1}, {2, 1, 0}}, 2},
    {"CoWR without a fence", {{S(X, 1), L(X)}, {{0}}, {S(X, 2)}}, {2, 0, 1}, {{0, 1, 0}}, 1},
};
enum { FENCED = sizeof fenced / sizeof *fenced };

/* Stores of an SM that alone has a copy: of the writer, of another warp of it, and again after a second reader. */
static const program sole[] = {
    {"MP, two warps of an SM",
     {{L(X), S(X, 1)}, {S(X, 2), F, S(Y, 1)}, {L(X), L(Y), F, L(X)}},
     {2, 3, 4},
     {{2, 1, 1}, {2, 3, 0}},
     2},
    {"MP, own copy", {{L(X), S(X, 1), F, S(Y, 1)}, {{0}}, {L(X), L(Y), F, L(X)}}, {4, 0, 4}, {{2, 1, 1}, {2, 3, 0}}, 2},
    {"MP, two stores",
     {{L(X), S(X, 1), S(X, 2), F, S(Y, 1)}, {{0}}, {L(X), L(Y), F, L(X)}},
     {5, 0, 4},
     {{2, 1, 1}, {2, 3, 0}},
     2},
    {"MP, both words",
     {{L(X), S(X, 1), F, S(Y, 1)}, {S(X2, 2)}, {L(X2), L(Y), F, L(X)}},
     {4, 1, 4},
     {{2, 1, 1}, {2, 3, 0}},
     2},
    {"CoWR", {{L(X), S(X, 1), F, L(X)}, {{0}}, {L(X), S(X, 2), F}}, {4, 0, 3}, {{0, 3, 0}}, 1},
};
enum { SOLE = sizeof sole / sizeof *sole };

/* Two loads and stores of each warp over both blocks and words: evictions, resets, locks, merged misses. */
static const program mixed[] = {
    {"words of one block", {{L(X), S(X, 1), L(X2)}, {{0}}, {S(X2, 2)}}, {3, 0, 1}, {{0}}, 0},
    {"stale word", {{L(X), S(X, 1), L(X2)}, {L(X2)}, {S(X2, 2), L(X)}}, {3, 1, 2}, {{0}}, 0},
    {"two stores of an SM", {{L(X), S(X, 1)}, {S(X, 2), L(X)}, {S(X2, 3)}}, {2, 2, 1}, {{0}}, 0},
    {"readers and stores", {{S(X, 1), L(Y)}, {L(X), L(X)}, {S(X, 2)}, {L(X)}}, {2, 2, 1, 1}, {{0}}, 0},
    {"both blocks", {{L(X), S(Y, 1)}, {L(Y)}, {S(X, 2), L(Y)}, {L(X)}}, {2, 1, 2, 1}, {{0}}, 0},
    {"renewals", {{L(X), S(Y, 1), L(X)}, {L(X)}, {L(Y), S(X, 2)}}, {3, 1, 2}, {{0}}, 0},
    {"store in a renewal", {{L(X), L(Y), S(X, 1), L(X)}, {L(X)}, {S(Y, 2), S(X2, 3)}}, {4, 1, 2}, {{0}}, 0},
    {"polls", {{L(X), P(X), L(X)}, {P(X), S(X2, 3)}, {S(X, 1), P(Y)}}, {3, 2, 2}, {{0}}, 0},
    {"atomics", {{L(X), A(X, 1), L(X)}, {A(X, 2)}, {A(X, 4), L(X)}}, {3, 1, 2}, {{0}}, 0},
};
enum { MIXED = sizeof mixed / sizeof *mixed };

typedef struct variant {
    const char *protocol;
    uint32_t without, with; /* closings */
    uint32_t visibility, lease, bits, spin;
    uint32_t ways;           /* of the L1's one set */
    uint32_t queue, l2_ways; /* of the L2 */
    bool forward;            /* no request combining */
    bool evict;
    int skew;
    uint32_t ticks;
    uint32_t unit, hits, capacity, deeper; /* race detection; 0: as small_config */
    bool bulk;                             /* no signatures: epochs end all copies */
    bool exact;
    bool lax;               /* the protocol promises nothing for single loads: only outcomes count */
    bool predicted, either; /* lengths of leases, from 0 to 3 */
    bool sole;              /* private stores */
} variant;

enum { MOST = 20000000 };
static size_t total_states;

/* Walks the states of a program, up to `limit`. *whole: were these all? NULL: they must be. */
static walk walked(const program *p, const variant *v, size_t limit, bool *whole)
{
    walk w = {.config = small_config(v->protocol),
              .program = p,
              .limit = limit,
              .evict_l1 = v->evict,
              .end_of_time = 8 + v->ticks,
              .lax = v->lax};
    w.config.closings = (w.config.closings & ~v->without) | v->with;
    w.config.private_stores = v->sole;
    w.config.visibility = v->visibility ? v->visibility : 1;
    w.config.lease = v->lease ? v->lease : 2;
    w.config.timestamp_bits = v->bits ? v->bits : 16;
    w.config.spin = v->spin ? v->spin : 100;
    w.config.combine = !v->forward;
    w.config.l2_queue = v->queue ? v->queue : 8;
    w.config.l2_ways = v->l2_ways ? v->l2_ways : 1;
    w.config.l1_ways = v->ways ? v->ways : 2;
    w.config.l1_mshrs = w.config.l1_ways;
    w.config.race.unit = v->unit ? v->unit : w.config.race.unit;
    w.config.race.hits = v->hits ? v->hits : w.config.race.hits;
    w.config.race.capacity = v->capacity ? v->capacity : w.config.race.capacity;
    w.config.race.exact = v->exact;
    if (v->predicted)
        w.config.prediction =
            (ws_lease_prediction){.on = true, .either = v->either, .expired = 1, .evict = 3, .store = 2, .most = 3};
    w.config.race.depth = v->bulk ? 0 : w.config.race.depth + v->deeper;
    w.config.race.slots += v->deeper;
    w.skew[0] = v->skew < 0 ? v->skew : 0;
    w.skew[1] = v->skew > 0 ? -v->skew : 0;
    const bool all = !walk_all(&w);
    if (whole)
        *whole = all;
    else if (!all && !w.violation[0])
        fail_msg("%s, %s: more than %zu states", v->protocol, p->name, limit);
    total_states += w.states;
    if (slow)
        printf("  %-10s %-24s %9zu states %7zu ends%s\n", v->protocol, p->name, w.states, w.terminals,
               w.violation[0] ? ", violation" : "");
    return w;
}

static void expect_good(const program *p, const variant *v)
{
    bool whole = true;
    walk w = walked(p, v, nearest, nearest < MOST ? &whole : NULL);
    if (w.violation[0])
        print_counterexample(&w);
    assert_string_equal(w.violation, "");
    assert_true(w.terminals > 0 || !whole);
    if (w.outcomes)
        fail_msg("%s, %s: the forbidden outcome is reached", v->protocol, p->name);
    walk_fini(&w);
}

/* One of the programs must show a violation that begins so. */
static void expect_bad(const program *programs, size_t count, const variant *v, const char *begin)
{
    for (size_t i = 0; i < count; i++) {
        bool whole;
        walk w = walked(&programs[i], v, nearest < MOST ? 10 * nearest : MOST, &whole);
        const bool bad = w.violation[0] && strstr(w.violation, begin);
        if (bad && slow)
            print_counterexample(&w);
        const bool outcome = !begin[0] && w.outcomes;
        walk_fini(&w);
        if (bad || outcome)
            return;
    }
    fail_msg("%s without %#x: no program shows '%s'", v->protocol, v->without, begin);
}

/* Programs of four threads have millions of states; they are for --slow, and without evictions of their own. */
static bool is_large(const program *p)
{
    return p->length[1] && p->length[3];
}

static void sequential_litmus(const char *protocol)
{
    for (size_t i = 0; i < LITMUS; i++)
        if (slow || !is_large(&litmus[i]))
            expect_good(&litmus[i], &(variant){.protocol = protocol, .evict = slow && !is_large(&litmus[i])});
}

static void fenced_litmus(const char *protocol)
{
    for (size_t i = 0; i < FENCED; i++)
        if (slow || !is_large(&fenced[i]))
            expect_good(&fenced[i], &(variant){.protocol = protocol});
}

static void test_gtsc_litmus_sc(void **unused)
{
    (void)unused;
    sequential_litmus("gtsc-sc");
}

static void test_gtsc_litmus_rc(void **unused)
{
    (void)unused;
    fenced_litmus("gtsc-rc");
    /* Without fences release consistency lets stores pass: the fences were needed. */
    walk w = walked(&litmus[3], &(variant){.protocol = "gtsc-rc"}, MOST, NULL);
    assert_string_equal(w.violation, "");
    assert_true(w.outcomes > 0);
    walk_fini(&w);
}

static void test_gtsc_mixed(void **unused)
{
    (void)unused;
    static const variant variants[] = {
        {.protocol = "gtsc-sc", .evict = true},
        {.protocol = "gtsc-sc", .bits = 4, .lease = 5},
        {.protocol = "gtsc-sc", .visibility = 2},
        {.protocol = "gtsc-sc", .forward = true},
        {.protocol = "gtsc-rc", .evict = true},
        {.protocol = "gtsc-rc", .bits = 4, .lease = 5},
        {.protocol = "gtsc-rc", .bits = 3, .lease = 1},
        {.protocol = "gtsc-rc", .visibility = 2},
        {.protocol = "gtsc-rc", .forward = true},
        {.protocol = "gtsc-sc", .with = WS_CLOSE_MEM_TS, .evict = true},
        {.protocol = "gtsc-sc", .without = WS_CLOSE_ATOMIC},
        {.protocol = "gtsc-sc", .ways = 1},
        {.protocol = "gtsc-rc", .ways = 1},
        {.protocol = "gtsc-sc", .spin = 1, .evict = true},
        {.protocol = "gtsc-rc", .spin = 1, .bits = 4, .lease = 5},
    };
    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++)
        for (size_t i = 0; i < (slow ? (size_t)MIXED : 1); i++)
            if (!is_large(&mixed[i]) || !variants[v].evict)
                expect_good(&mixed[i], &variants[v]);
}

/* Without an L1, and with copies that die in time, loads and stores behave as if there were one memory. */
static void test_bl(void **unused)
{
    (void)unused;
    fenced_litmus("bl");
    for (size_t i = 0; i < (slow ? (size_t)MIXED : 2); i++)
        expect_good(&mixed[i], &(variant){.protocol = "bl"});
}

/* Self-invalidation keeps its promise with fences, and only then. */
static void test_vi(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < 2; i++)
        expect_good(&fenced[i], &(variant){.protocol = "vi", .lax = true});
    expect_bad(&litmus[1], 1, &(variant){.protocol = "vi", .lax = true}, "");
    expect_bad(&fenced[0], 1, &(variant){.protocol = "noncoherent", .lax = true}, "");
}

static void test_tc_strong(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < LITMUS; i++)
        if (!is_large(&litmus[i]) && (slow || i < 3 || i == 7))
            expect_good(&litmus[i], &(variant){.protocol = "tc-strong", .ticks = 6, .evict = slow});
    /* The copy of an SM whose clock is late lives too long. */
    expect_bad(litmus, 4, &(variant){.protocol = "tc-strong", .ticks = 6, .skew = 2}, "write atomicity");
    /* Leases of any length, each another one than the last. */
    for (size_t i = 0; i < LITMUS; i++)
        for (int either = 0; either <= 1; either++)
            if (!is_large(&litmus[i]) && (slow || i < 3 || i == 7))
                expect_good(
                    &litmus[i],
                    &(variant){
                        .protocol = "tc-strong", .ticks = 6, .evict = slow, .predicted = true, .either = either});
    expect_bad(litmus, 4, &(variant){.protocol = "tc-strong", .ticks = 6, .skew = 2, .predicted = true},
               "write atomicity");
}

static void test_tc_weak(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < (slow ? 3 : 2); i++)
        expect_good(&fenced[i], &(variant){.protocol = "tc-weak", .ticks = 6, .lax = true});
    expect_bad(fenced, 2, &(variant){.protocol = "tc-weak", .ticks = 6, .skew = 2, .lax = true}, "");
    for (size_t i = 0; i < (slow ? 3 : 2); i++)
        for (int either = 0; either <= 1; either++)
            expect_good(
                &fenced[i],
                &(variant){.protocol = "tc-weak", .ticks = 6, .lax = true, .predicted = true, .either = either});
    expect_bad(fenced, 2, &(variant){.protocol = "tc-weak", .ticks = 6, .skew = 2, .lax = true, .predicted = true}, "");
}

/* A store of the only SM with a copy is visible at once, but for leases that others had before. The states of these
 * programs are millions: all are for --slow. tests/unit/test_lease_sole.c shows what is wrong without WS_CLOSE_SOLE. */
static void test_private_stores(void **unused)
{
    (void)unused;
    const variant weak = {.protocol = "tc-weak", .ticks = 6, .lax = true, .sole = true, .l2_ways = 2};
    variant predicted = weak, skewed = weak, evicting = weak;
    predicted.predicted = true;
    evicting.evict = true;
    skewed.skew = 2;
    skewed.l2_ways = 1;
    for (size_t i = 0; i < (slow ? 3 : 2); i++)
        expect_good(&fenced[i], &weak);
    for (size_t i = 0; i < SOLE && (slow || nearest < MOST); i++) {
        expect_good(&sole[i], &weak);
        if (slow)
            expect_good(&sole[i], &predicted);
        if (slow)
            expect_good(&sole[i], &evicting);
    }
    expect_bad(fenced, 2, &skewed, "");
}

/* A queue of one sends requests back (BUSY). */
static void test_mesi(void **unused)
{
    (void)unused;
    sequential_litmus("mesi");
    static const variant variants[] = {
        {.protocol = "mesi", .evict = true},
        {.protocol = "mesi", .ways = 1, .evict = true},
        {.protocol = "mesi", .queue = 1},
        {.protocol = "mesi", .l2_ways = 2, .evict = true},
    };
    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++)
        for (size_t i = 0; i < (slow ? (size_t)MIXED : 3); i++)
            if (slow ? !is_large(&mixed[i]) || !variants[v].evict : !is_large(&mixed[i]))
                expect_good(&mixed[i], &variants[v]);
    expect_good(&mixed[MIXED - 1], &(variant){.protocol = "mesi"});
}

static void test_mesi_without_inv_ack(void **unused)
{
    (void)unused;
    expect_bad(mixed, 3, &(variant){.protocol = "mesi", .without = WS_CLOSE_INV_ACK}, "one owner");
}

/* Spins until it sees the store, as far as a program without branches can. */
static const program spin = {
    "SPIN", {{S(Y, 1), S(X, 1)}, {{0}}, {L(X), L(X), L(X), L(X), L(X), L(X)}}, {2, 0, 6}, {{0}}, 0};

/* MP where the message comes with its neighbour, which was asked for first. */
static const program neighbours = {
    "MP, neighbours", {{S(Y, 1), S(X, 1)}, {{0}}, {L(Y), L(X2), L(X), L(Y)}}, {2, 0, 4}, {{2, 2, 1}, {2, 3, 0}}, 2};

static void test_drd(void **unused)
{
    (void)unused;
    static const variant variants[] = {
        {.protocol = "drd"},
        {.protocol = "drd-spec"},
        {.protocol = "drd-ideal"},
        {.protocol = "drd", .exact = true},
        {.protocol = "drd-spec", .exact = true},
        {.protocol = "drd", .hits = 1, .evict = true},
        {.protocol = "drd-spec", .hits = 1, .evict = true},
        {.protocol = "drd-spec", .unit = 4, .exact = true},
        {.protocol = "drd-spec", .unit = 1, .hits = 1},
        {.protocol = "drd-spec", .unit = 16},
        {.protocol = "drd-spec", .capacity = 1, .hits = 1},
        {.protocol = "drd-ideal", .unit = 4, .hits = 1, .evict = true},
        {.protocol = "drd-spec", .ways = 1},
        {.protocol = "drd-spec", .deeper = 1},
        {.protocol = "drd", .deeper = 2, .evict = true},
        {.protocol = "drd-spec", .bulk = true},
        {.protocol = "drd", .bulk = true, .hits = 1},
    };
    enum { TWO_AND_TWO_SEEN = LITMUS - 1, IRIW = 6, FEW = 2 };
    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++) {
        for (size_t i = 0; i < LITMUS; i++)
            if (!is_large(&litmus[i]) && (slow || (i < TWO_AND_TWO_SEEN && !variants[v].evict)))
                expect_good(&litmus[i], &variants[v]);
        for (size_t i = 0; i < (slow && !variants[v].evict ? (size_t)MIXED : FEW); i++)
            if (!is_large(&mixed[i]) && (slow || !variants[v].evict))
                expect_good(&mixed[i], &variants[v]);
        expect_good(&spin, &variants[v]);
        expect_good(&neighbours, &variants[v]);
    }
    if (slow)
        expect_good(&litmus[IRIW], &(variant){.protocol = "drd"});
}

/* Warps of an SM: one stores, the other sees that, and in its copy not what SM 1 has stored, which does not see it. */
static const program early = {"early store",
                              {{L(X), S(X, 1)}, {L(Y), L(X), L(Y)}, {S(Y, 1), L(X)}},
                              {2, 3, 2},
                              {{1, 1, 1}, {1, 2, 0}, {2, 1, 0}},
                              3};

/* What the lock of lines with stores in flight is for, and what the consistency of a GPU alone shows. */
static void test_drd_without_lock(void **unused)
{
    (void)unused;
    expect_good(&early, &(variant){.protocol = "drd"});
    expect_good(&early, &(variant){.protocol = "drd-ideal"});
    expect_bad(&early, 1, &(variant){.protocol = "drd-ideal", .without = WS_CLOSE_LOCK, .lax = true}, "");
    expect_bad(&early, 1, &(variant){.protocol = "drd-ideal", .without = WS_CLOSE_LOCK}, "order");
    expect_bad(&litmus[1], 1, &(variant){.protocol = "noncoherent", .lax = true}, "");
    expect_bad(&litmus[3], 1, &(variant){.protocol = "noncoherent", .lax = true}, "");
}

static void test_gtsc_without_lock(void **unused)
{
    (void)unused;
    expect_bad(mixed, MIXED, &(variant){.protocol = "gtsc-sc", .without = WS_CLOSE_LOCK}, "invariant 5");
}

static void test_gtsc_without_match(void **unused)
{
    (void)unused;
    expect_bad(mixed, MIXED, &(variant){.protocol = "gtsc-sc", .without = WS_CLOSE_MATCH}, "invariant 2");
}

static void test_gtsc_without_2_to_4(void **unused)
{
    (void)unused;
    expect_bad(
        mixed, MIXED,
        &(variant){.protocol = "gtsc-sc", .evict = true, .without = WS_CLOSE_ABSENT | WS_CLOSE_COUNT | WS_CLOSE_RENEW},
        "invariant");
}

/* Timestamps of 4 bits start again within these programs. */
static void test_gtsc_resets(void **unused)
{
    (void)unused;
    unsigned most = 0;
    for (size_t i = 0; i < MIXED; i++) {
        if (is_large(&mixed[i]) || (!slow && i > 4))
            continue;
        walk w = walked(&mixed[i], &(variant){.protocol = "gtsc-sc", .bits = 4, .lease = 5}, MOST, NULL);
        if (w.violation[0])
            print_counterexample(&w);
        assert_string_equal(w.violation, "");
        most = w.epochs > most ? w.epochs : most;
        walk_fini(&w);
    }
    assert_true(most >= 2);
    expect_bad(mixed, 2, &(variant){.protocol = "gtsc-sc", .without = WS_CLOSE_EPOCH, .bits = 4, .lease = 5},
               "invariant 5");
}

/* Gaps 2 and 3, each alone. Gap 4 alone shows no wrong load: without its pins a renewal comes back to nothing and is
 * asked for again; nor does gap 6: the old copy of the atomic's SM has a lease that ends before. */
static void test_gtsc_single_gaps(void **unused)
{
    (void)unused;
    static const uint32_t bad[] = {WS_CLOSE_ABSENT, WS_CLOSE_COUNT}, good[] = {WS_CLOSE_RENEW, WS_CLOSE_ATOMIC};
    for (size_t i = 0; i < 2; i++) {
        expect_bad(&mixed[2], 1, &(variant){.protocol = "gtsc-sc", .evict = true, .without = bad[i]}, "invariant 2");
        expect_good(&mixed[slow ? 2 : 0], &(variant){.protocol = "gtsc-sc", .evict = true, .without = good[i]});
    }
}

int main(int argc, char **argv)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    slow = argc > 1 && !strcmp(argv[1], "--slow");
    if (slow || (argc > 1 && !strcmp(argv[1], "--more")))
        nearest = MOST;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_drd),
        cmocka_unit_test(test_drd_without_lock),
        cmocka_unit_test(test_mesi),
        cmocka_unit_test(test_mesi_without_inv_ack),
        cmocka_unit_test(test_gtsc_litmus_sc),
        cmocka_unit_test(test_gtsc_litmus_rc),
        cmocka_unit_test(test_bl),
        cmocka_unit_test(test_vi),
        cmocka_unit_test(test_tc_strong),
        cmocka_unit_test(test_tc_weak),
        cmocka_unit_test(test_private_stores),
        cmocka_unit_test(test_gtsc_resets),
        cmocka_unit_test(test_gtsc_single_gaps),
        cmocka_unit_test(test_gtsc_mixed),
        cmocka_unit_test(test_gtsc_without_lock),
        cmocka_unit_test(test_gtsc_without_match),
        cmocka_unit_test(test_gtsc_without_2_to_4),
    };
    const int failed = cmocka_run_group_tests_name("coherence_walk", tests, NULL, NULL);
    printf("%zu states\n", total_states);
    return failed;
}
