/* test_check.c - does the detector of races find the races of random programs, and no others? Held against a reference
 * that keeps every access and a full vector clock a warp: no false alarm, and hardly a race that is not seen. And: bits
 * of what is written, findings that are told once, lists of checks. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/status.h"
#include "collect/check/checker.h"
#include "collect/check/race_check.h"
#include "collect/check/written.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the reference ---- */

enum { BLOCKS = 3, WARPS = 3, ALL = BLOCKS * WARPS, WORDS = 24, VARIABLES = 3, STEPS = 300, MOST = 4 * STEPS };

typedef struct clocks {
    uint32_t of[ALL];
} clocks;

typedef struct past {
    unsigned who;
    uint32_t when; /* of its own clock */
    unsigned word;
    bool writes;
} past;

/* Clocks across blocks with an entry a warp; a release leaves all that was fenced, an acquire takes it. */
typedef struct reference {
    clocks seen[ALL], fenced[ALL], fenced_block[ALL];
    clocks left[VARIABLES], left_block[BLOCKS][VARIABLES];
    past past[MOST];
    unsigned pasts;
} reference;

static void take(clocks *to, const clocks *from)
{
    for (unsigned i = 0; i < ALL; i++)
        to->of[i] = from->of[i] > to->of[i] ? from->of[i] : to->of[i];
}

/* What warps of a block know of each other, which is all that a fence of the block makes visible. */
static void take_block(clocks *to, const clocks *from, unsigned block)
{
    for (unsigned i = block * WARPS; i < (block + 1) * WARPS; i++)
        to->of[i] = from->of[i] > to->of[i] ? from->of[i] : to->of[i];
}

/* True: an earlier access of another warp collides and does not come before. */
static bool reference_see(reference *r, unsigned who, unsigned word, bool writes)
{
    bool race = false;
    for (unsigned i = 0; i < r->pasts; i++) {
        const past *const p = &r->past[i];
        race |= p->who != who && p->word == word && (p->writes || writes) && r->seen[who].of[p->who] < p->when;
    }
    r->past[r->pasts++] = (past){who, r->seen[who].of[who] + 1, word, writes};
    return race;
}

static void reference_tick(reference *r, unsigned who)
{
    r->seen[who].of[who]++;
}

static void reference_barrier(reference *r, unsigned block)
{
    clocks all = {{0}}, fenced = {{0}}, fenced_block = {{0}};
    for (unsigned w = block * WARPS; w < (block + 1) * WARPS; w++) {
        reference_tick(r, w);
        take(&all, &r->seen[w]);
        take(&fenced, &r->fenced[w]);
        take(&fenced_block, &r->fenced_block[w]);
    }
    for (unsigned w = block * WARPS; w < (block + 1) * WARPS; w++) {
        take(&r->seen[w], &all);
        take(&r->fenced[w], &fenced);
        take(&r->fenced_block[w], &fenced_block);
        take_block(&r->fenced_block[w], &all, block);
    }
}

/* ---- random programs ---- */

/* S. Vigna's splitmix64, from 0 to n - 1. */
static uint64_t below(uint64_t *random, uint64_t n)
{
    uint64_t z = (*random += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (z ^ z >> 31) % n;
}

typedef struct counts {
    unsigned accesses, races, missed;
} counts;

/* One program: each step a random warp does something. What is found is a race. */
static void run_program(uint64_t seed, counts *c)
{
    uint64_t random = seed << 32;
    ws_race *const r = ws_race_create();
    ws_race_block *block[BLOCKS];
    reference *const ref = calloc(1, sizeof *ref);
    assert_non_null(r);
    assert_non_null(ref);
    assert_true(ws_race_begin(r, BLOCKS, WARPS));
    for (unsigned b = 0; b < BLOCKS; b++)
        assert_non_null(block[b] = ws_race_block_begin(r, b, 64));
    for (unsigned step = 0; step < STEPS; step++) {
        const unsigned who = (unsigned)below(&random, ALL), b = who / WARPS, w = who % WARPS;
        const unsigned word = (unsigned)below(&random, WORDS), variable = (unsigned)below(&random, VARIABLES);
        const uint64_t at = UINT64_C(0x200000001000) + 4 * word, flag = UINT64_C(0x200000009000) + 64 * variable;
        switch (below(&random, 6)) {
        case 0:
            for (unsigned i = 0; i < WARPS; i++)
                ws_race_arrive(block[b], i, 0);
            for (unsigned i = 0; i < WARPS; i++)
                ws_race_pass(block[b], i, 0);
            ws_race_close(block[b], 0);
            reference_barrier(ref, b);
            break;
        case 1: { /* a fence, of the block or of all */
            const bool all = below(&random, 2);
            ws_race_fence(block[b], w, all ? WS_RACE_OF_ALL : WS_RACE_OF_BLOCK);
            reference_tick(ref, who);
            take_block(&ref->fenced_block[who], &ref->seen[who], b);
            if (all)
                take(&ref->fenced[who], &ref->seen[who]);
            break;
        }
        case 2:
            ws_race_release(r, block[b], w, false, flag, WS_RACE_OF_ALL);
            take(&ref->left[variable], &ref->fenced[who]);
            take_block(&ref->left_block[b][variable], &ref->fenced_block[who], b);
            break;
        case 3:
            ws_race_acquire(r, block[b], w, false, flag, WS_RACE_OF_ALL);
            take(&ref->seen[who], &ref->left[variable]);
            take(&ref->seen[who], &ref->left_block[b][variable]);
            break;
        default: {
            const bool writes = below(&random, 2);
            const ws_race_access a = {.warp = w, .pc = step, .writes = writes, .changes = writes};
            ws_race_other other;
            const bool found = ws_race_see(r, block[b], &a, false, at, 4, &other),
                       is = reference_see(ref, who, word, writes);
            if (found && !is)
                fail_msg("seed %llu, step %u: warp %u %s word %u: a race, and it is none", (unsigned long long)seed,
                         step, who, writes ? "writes" : "reads", word);
            c->races += is;
            c->missed += is && !found;
            c->accesses++;
        }
        }
    }
    for (unsigned b = 0; b < BLOCKS; b++)
        ws_race_block_end(r, block[b]);
    ws_race_end(r);
    ws_race_destroy(r);
    free(ref);
}

static void test_random_programs(void **unused)
{
    enum { PROGRAMS = 3000, ONE_IN = 1000 };
    counts c = {0};
    (void)unused;
    for (uint64_t seed = 1; seed <= PROGRAMS; seed++)
        run_program(seed, &c);
    assert_in_range(c.races, c.accesses / 10,
                    c.accesses - c.accesses / 10); /* both happen often enough to be told apart */
    if (c.missed > c.races / ONE_IN)               /* no more accesses of a word are kept than race_check.c says */
        fail_msg("%u of %u races are missed", c.missed, c.races);
    print_message("%u of %u races missed, of %u accesses\n", c.missed, c.races, c.accesses);
}

/* ---- single rules ---- */

typedef struct pair {
    ws_race *r;
    ws_race_block *b[2];
} pair;

static pair open_pair(void)
{
    pair p = {.r = ws_race_create()};
    assert_true(ws_race_begin(p.r, 2, 2));
    for (unsigned i = 0; i < 2; i++)
        p.b[i] = ws_race_block_begin(p.r, i, 256);
    return p;
}

static void close_pair(pair *p)
{
    for (unsigned i = 0; i < 2; i++)
        ws_race_block_end(p->r, p->b[i]);
    ws_race_end(p->r);
    ws_race_destroy(p->r);
}

static bool see(pair *p, unsigned block, unsigned warp, bool shared, uint64_t at, unsigned bytes, ws_race_access how)
{
    ws_race_other other;
    how.warp = warp;
    return ws_race_see(p->r, p->b[block], &how, shared, at, bytes, &other);
}

/* Bytes; 0 where a sanitizer allocates. */
static size_t allocated(void)
{
    const struct mallinfo2 now = mallinfo2();
    return now.uordblks + now.hblkhd;
}

/* Blocks one after the other, each of which leaves two readers of each word of its shared memory. What is kept of a
 * block that is over is given back, so many blocks take the memory of a few. */
static void test_blocks_give_back_what_is_kept(void **unused)
{
    enum { MANY = 400, FEW = 8, READ = 64 };
    const ws_race_access load = {0};
    ws_race_other other;
    size_t after_few = 0;
    ws_race *const r = ws_race_create();
    (void)unused;
    assert_true(ws_race_begin(r, MANY, 2));
    for (unsigned i = 0; i < MANY; i++) {
        ws_race_block *const b = ws_race_block_begin(r, i, READ * 4);
        for (unsigned word = 0; word < READ; word++)
            for (uint32_t warp = 0; warp < 2; warp++) {
                ws_race_access a = load;
                a.warp = warp;
                assert_false(ws_race_see(r, b, &a, true, word * 4, 4, &other));
            }
        ws_race_block_end(r, b);
        if (i == FEW)
            after_few = allocated();
    }
    assert_true(allocated() <= after_few);
    ws_race_end(r);
    ws_race_destroy(r);
}

static void test_bytes(void **unused)
{
    const ws_race_access store = {.writes = true, .changes = true}, same = {.writes = true}, load = {0};
    pair p = open_pair();
    (void)unused;
    for (unsigned i = 0; i < 4; i++) /* four warps, a byte of one word each */
        assert_false(see(&p, i / 2, i % 2, false, 0x1000 + i, 1, store));
    assert_true(see(&p, 0, 1, false, 0x1000, 1, load));  /* of warp 0 */
    assert_false(see(&p, 0, 1, false, 0x1001, 1, load)); /* its own */
    assert_true(see(&p, 1, 1, false, 0xffe, 4, load));   /* reaches into it */
    assert_false(see(&p, 0, 0, false, 0x2000, 4, same));
    assert_false(see(&p, 0, 1, false, 0x2000, 4, same)); /* equal values */
    assert_false(see(&p, 0, 1, false, 0x2000, 4, load));
    assert_true(see(&p, 1, 0, false, 0x2000, 4, store));
    assert_false(see(&p, 0, 0, true, 0x20, 4, store)); /* shared memory is each block's own */
    assert_false(see(&p, 1, 0, true, 0x20, 4, store));
    assert_true(see(&p, 1, 1, true, 0x20, 4, load));
    assert_false(see(&p, 0, 0, true, 0x40, 4, same)); /* what shared memory has before is nobody's value */
    assert_false(see(&p, 0, 1, true, 0x40, 4, same));
    assert_true(see(&p, 0, 1, true, 0x40, 4, load));
    ws_race_forget(p.r, 0x2000, 4);
    assert_false(see(&p, 0, 1, false, 0x2000, 4, store));
    close_pair(&p);
}

static void test_strong(void **unused)
{
    const ws_race_access of_all = {.writes = true, .changes = true, .atomic = true, .reach = WS_RACE_OF_ALL};
    const ws_race_access of_block = {.writes = true, .changes = true, .atomic = true, .reach = WS_RACE_OF_BLOCK},
                         plain = {.writes = true, .changes = true};
    pair p = open_pair();
    (void)unused;
    assert_false(see(&p, 0, 0, false, 0x1000, 4, of_all));
    assert_false(see(&p, 1, 0, false, 0x1000, 4, of_all));
    assert_true(see(&p, 1, 1, false, 0x1000, 4, plain));
    assert_false(see(&p, 0, 0, false, 0x2000, 4, of_block));
    assert_false(see(&p, 0, 1, false, 0x2000, 4, of_block)); /* atomic for each other */
    assert_true(see(&p, 1, 0, false, 0x2000, 4, of_block));  /* not across blocks */
    /* The last to count puts the counter back by a plain store: it has seen the others. */
    assert_false(see(&p, 0, 0, false, 0x3000, 4, of_all));
    ws_race_acquire(p.r, p.b[1], 0, false, 0x3000, WS_RACE_OF_ALL);
    assert_false(see(&p, 1, 0, false, 0x3000, 4, of_all));
    assert_false(see(&p, 1, 0, false, 0x3000, 4, plain));
    close_pair(&p);
}

/* Producers arrive and go on, a consumer waits: what they do later is not before the barrier. */
static void test_arrive(void **unused)
{
    const ws_race_access store = {.writes = true, .changes = true}, load = {0};
    pair p = open_pair();
    (void)unused;
    assert_false(see(&p, 0, 0, true, 0, 4, store));
    ws_race_arrive(p.b[0], 0, 3);
    assert_false(see(&p, 0, 0, true, 4, 4, store));
    ws_race_arrive(p.b[0], 1, 3);
    ws_race_pass(p.b[0], 1, 3);
    ws_race_close(p.b[0], 3);
    assert_false(see(&p, 0, 1, true, 0, 4, load));
    assert_true(see(&p, 0, 1, true, 4, 4, load));
    assert_true(see(&p, 0, 0, true, 0, 4, store)); /* it was not told that it has been read */
    close_pair(&p);
}

static void test_launches(void **unused)
{
    const ws_race_access store = {.writes = true, .changes = true};
    pair p = open_pair();
    (void)unused;
    assert_false(see(&p, 0, 0, false, 0x1000, 4, store));
    assert_false(ws_race_begin(p.r, 1, 1)); /* one is under way */
    for (unsigned i = 0; i < 2; i++)
        ws_race_block_end(p.r, p.b[i]);
    ws_race_end(p.r);
    assert_true(ws_race_begin(p.r, 2, 2));
    for (unsigned i = 0; i < 2; i++)
        p.b[i] = ws_race_block_begin(p.r, i, 256);
    assert_false(see(&p, 1, 1, false, 0x1000, 4, store)); /* launches come after each other */
    close_pair(&p);
    ws_race *const r = ws_race_create();
    assert_false(ws_race_begin(r, UINT64_C(1) << 31, 32));
    ws_race_destroy(r);
}

/* ---- written ---- */

static void test_written(void **unused)
{
    enum { BYTES = 600, ROUNDS = 4000 };
    uint64_t random = 5;
    ws_written *const w = ws_written_create();
    bool is[2][BYTES];
    const uint64_t base[2] = {0x10000, 0x20000};
    (void)unused;
    for (unsigned k = 0; k < 2; k++) {
        ws_written_fresh(w, base[k], BYTES);
        memset(is[k], 0, sizeof is[k]);
    }
    for (unsigned i = 0; i < ROUNDS; i++) {
        const unsigned k = (unsigned)below(&random, 2), from = (unsigned)below(&random, BYTES),
                       n = 1 + (unsigned)below(&random, 40);
        const unsigned bytes = from + n > BYTES ? BYTES - from : n, to = (unsigned)below(&random, BYTES - bytes + 1);
        bool copy[40];
        switch (below(&random, 5)) {
        case 0:
            ws_written_store(w, base[k] + from, bytes);
            memset(is[k] + from, 1, bytes);
            break;
        case 1:
            ws_written_copy(w, base[!k] + to, base[k] + from, bytes);
            memcpy(copy, is[k] + from, bytes);
            memcpy(is[!k] + to, copy, bytes);
            break;
        case 2:
            ws_written_fresh(w, base[k] + from, bytes);
            memset(is[k] + from, 0, bytes);
            break;
        case 3: {
            bool any = false;
            for (unsigned at = from; at < from + bytes; at++)
                any = any || is[k][at];
            const uint64_t before = from ? 0 : 100,
                           behind = from + bytes == BYTES ? 100 : 0; /* beyond the stretch nothing is seen */
            assert_int_equal(
                ws_written_near(w, base[k] + from, base[k] + from - before, base[k] + from + bytes + behind), any);
            break;
        }
        default: {
            unsigned first = from;
            while (first < from + bytes && is[k][first])
                first++;
            assert_int_equal(ws_written_first(w, base[k] + from, bytes), base[k] + first);
        }
        }
    }
    assert_int_equal(ws_written_first(w, 0x30000, 100), 0x30000 + 100); /* nothing is known of it */
    assert_true(ws_written_near(w, 0x30000, 0x30000, 0x30000 + 100));
    ws_written_forget(w, base[0], BYTES);
    assert_int_equal(ws_written_first(w, base[0], BYTES), base[0] + BYTES);
    ws_written_destroy(w);
}

/* ---- findings ---- */

typedef struct heard {
    char text[2048];
    unsigned findings, lines;
} heard;

static void hear(void *context, bool is_finding, const char *line)
{
    heard *const h = context;
    const size_t n = strlen(h->text);
    h->findings += is_finding;
    h->lines++;
    snprintf(h->text + n, sizeof h->text - n, "%s\n", line);
}

static void test_findings(void **unused)
{
    heard h = {.text = ""};
    ws_checker *const c = ws_checker_create(1u << WS_CHECK_RACE | 1u << WS_CHECK_SYNC, hear, &h);
    const ws_finding_at a = {WS_FINDING_RACE_WARPS, "k", 1, 2}, b = {WS_FINDING_RACE_WARPS, "k", 3, 2};
    (void)unused;
    assert_true(ws_checker_wants(c, WS_CHECK_SYNC));
    assert_false(ws_checker_wants(c, WS_CHECK_INIT));
    assert_false(ws_checker_wants(NULL, WS_CHECK_RACE));
    assert_false(ws_checker_again(c, &a));
    ws_checker_add(c, &a, "x:1 and x:2", "here");
    assert_true(ws_checker_again(c, &a));
    assert_false(ws_checker_again(c, &b));
    ws_checker_add(c, &b, "x:1 and x:2", "there"); /* another instruction of the same line */
    ws_checker_flush(c);
    assert_string_equal(h.text, "race: race of warps of a block: here; 3 times\n");
    assert_true(ws_checker_again(c, &b));
    ws_checker_flush(c);
    assert_int_equal(h.lines, 1);
    ws_checker_cannot(c, "k", "no");
    ws_checker_cannot(c, "k", "no");
    ws_checker_cannot(c, "k", "neither");
    ws_checker_flush(c);
    assert_int_equal(h.lines, 1); /* the family goes on */
    ws_checker_flush_family(c);
    ws_checker_flush_family(c);
    assert_string_equal(h.text, "race: race of warps of a block: here; 3 times\ncheck: kernel k: no; 2 "
                                "launches\ncheck: kernel k: neither; 1 launch\n");
    ws_checker_cannot(c, "k", "no");
    ws_checker_finish(c);
    assert_string_equal(
        h.text,
        "race: race of warps of a block: here; 3 times\ncheck: kernel k: no; 2 launches\ncheck: kernel k: neither; 1 "
        "launch\n"
        "check: kernel k: no: 1 more launch later\nrace: race of warps of a block: x:1 and x:2: 1 more time later\n");
    assert_int_equal(h.findings, 1);
    assert_int_equal(ws_checker_findings(c, WS_CHECK_RACE), 1);
    assert_int_equal(ws_checker_findings(c, WS_CHECK_SYNC), 0);
    ws_checker_destroy(c);
}

/* Three pairs and more that are alike are told as one, with the lines of all; two, and others on the same object, are
 * not. */
static void test_alike(void **unused)
{
    heard h = {.text = ""};
    ws_checker *const c = ws_checker_create(1u << WS_CHECK_RACE, hear, &h);
    static const struct {
        ws_finding_kind kind;
        uint32_t pc, other;
        const char *pair, *text;
        ws_alike alike;
    } all[] = {
        {WS_FINDING_RACE_WARPS, 3, 9, "p:13 and p:19", "first", {"s", {19, 13}, {0, 0}, true}},
        {WS_FINDING_RACE_WARPS, 4, 9, "p:14 and p:19", "second", {"s", {19, 14}, {0, 4}, true}},
        {WS_FINDING_RACE_WARPS, 6, 8, "p:16 and p:18", "third", {"s", {18, 16}, {4, 0}, false}},
        {WS_FINDING_RACE_WARPS, 6, 7, "p:16 and p:17", "another", {"t", {16, 17}, {0, 0}, false}},
        /* Two of a sort: two statements, perhaps. */
        {WS_FINDING_RACE_WARPS, 6, 5, "p:16 and p:15", "one more", {"t", {16, 15}, {0, 4}, false}},
        /* At the same addresses. */
        {WS_FINDING_RACE_WARPS, 23, 29, "p:33 and p:39", "later", {"s", {39, 33}, {0, 0}, true}},
        {WS_FINDING_RACE_BLOCKS, 3, 9, "p:13 and p:19", "of blocks", {"s", {19, 13}, {0, 0}, true}},
    };
    (void)unused;
    for (int again = 0; again < 2; again++)
        for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
            const ws_finding_at at = {all[i].kind, "k", all[i].pc, all[i].other};
            assert_int_equal(ws_checker_again(c, &at), again);
            if (!again)
                ws_checker_add_alike(c, &at, all[i].pair, all[i].text, &all[i].alike);
        }
    ws_checker_flush(c);
    assert_string_equal(
        h.text, "race: race of warps of a block: first; one of 3 pairs of instructions whose addresses "
                "are a constant apart, as those of an unrolled loop are "
                "(lines 13-14, 16 and 18-19; nvcc -lineinfo gives lines of the source); 6 times\n"
                "race: race of warps of a block: another; 2 times\nrace: race of warps of a block: one more; 2 times\n"
                "race: race of warps of a block: later; 2 times\nrace: race of blocks: of blocks; 2 times\n");
    *h.text = '\0';
    ws_checker_add_alike(c, &(ws_finding_at){WS_FINDING_RACE_WARPS, "k", 7, 9}, "p:17 and p:19", "fourth",
                         &(ws_alike){"s", {19, 17}, {0, 8}, true});
    ws_checker_finish(c);
    assert_string_equal(h.text,
                        "race: race of warps of a block: p:13 and p:19: 1 more time later; one of 4 pairs of "
                        "instructions whose addresses are a constant apart, as those of an "
                        "unrolled loop are (lines 13-14, 16-17 and 18-19; nvcc -lineinfo gives lines of the source)\n");
    assert_int_equal(ws_checker_findings(c, WS_CHECK_RACE), 5);
    ws_checker_destroy(c);
}

static void test_lists(void **unused)
{
    unsigned checks;
    char text[64];
    (void)unused;
    assert_int_equal(ws_checks_parse("sync,race", &checks), WS_OK);
    assert_int_equal(checks, 1u << WS_CHECK_SYNC | 1u << WS_CHECK_RACE);
    ws_checks_list(checks, text, sizeof text);
    assert_string_equal(text, "race,sync");
    assert_int_equal(ws_checks_parse("race,leek", &checks), WS_EINPUT);
    assert_string_equal(ws_message(),
                        "there is no check 'leek': did you mean 'leak'?; expected a list of race, init, sync, leak");
    assert_int_equal(ws_checks_parse("", &checks), WS_EINPUT);
    assert_int_equal(ws_checks_parse("race,", &checks), WS_EINPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_programs), cmocka_unit_test(test_blocks_give_back_what_is_kept),
        cmocka_unit_test(test_bytes),           cmocka_unit_test(test_strong),
        cmocka_unit_test(test_arrive),          cmocka_unit_test(test_launches),
        cmocka_unit_test(test_written),         cmocka_unit_test(test_findings),
        cmocka_unit_test(test_alike),           cmocka_unit_test(test_lists),
    };
    return cmocka_run_group_tests_name("check", tests, NULL, NULL);
}
