/* Updates in lines of L1s, beside data, as profiles keep them: a stream by hand, and random ones against an L1 of each
 * number of ways. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/bits.h"
#include "base/status.h"
#include "model/update_lines.h"

#include <gsl/gsl_rng.h>
#include <string.h>

enum { ADD = 7, MAX = 9, THRESHOLDS = WS_PROFILE_BINS - 1 };

static uint64_t below(const uint64_t row[WS_PROFILE_BINS], unsigned edges)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < edges; i++)
        sum += row[i];
    return sum;
}

/* One set. A comes as data, then gets an update (a hit only where data are), B drives it out of an L1 of one way, A's
 * update comes again. */
static void a_stream_by_hand(void **state)
{
    (void)state;
    enum { A = 0, B = WS_PROFILE_SETS };
    ws_traffic_rung rung = {0};
    ws_update_lines *l;
    assert_int_equal(ws_update_lines_create(2, &rung, &l), WS_OK);
    ws_update_lines_load(l, 1, A, false);    /* there is none */
    ws_update_lines_update(l, 1, A, 1, ADD); /* the first: no hit, but its data are there */
    ws_update_lines_update(l, 1, A, 2, ADD); /* a hit in one way */
    ws_update_lines_load(l, 1, B, false);
    ws_update_lines_update(l, 1, A, 4, ADD); /* in two ways */
    ws_update_lines_load(l, 1, A, false);    /* in two ways; in one where the update brought them */
    ws_update_lines_update(l, 1, A, 4, MAX); /* another operation */
    ws_update_lines_load(l, 0, A, false);    /* another SM */
    ws_update_lines_flush(l, 1);
    ws_update_lines_update(l, 1, A, 1, MAX); /* what was kept is sent */
    ws_update_lines_drop(l, 1, A);
    ws_update_lines_load(l, 1, A, true); /* a poll is not counted, but brings data */
    ws_update_lines_load(l, 1, A, false);
    ws_update_lines_destroy(l);
    static const uint64_t updates[WS_PROFILE_BINS] = {1, 1, [WS_PROFILE_BINS - 1] = 3};
    static const uint64_t loads[2][WS_PROFILE_BINS] = {{1, 1, [WS_PROFILE_BINS - 1] = 3},
                                                       {2, [WS_PROFILE_BINS - 1] = 3}};
    static const uint64_t fetches[WS_PROFILE_BINS] = {4, 1};
    assert_memory_equal(rung.beside_updates, updates, sizeof updates);
    assert_memory_equal(rung.beside_loads, loads, sizeof loads);
    assert_memory_equal(rung.beside_fetches, fetches, sizeof fetches);
    assert_int_equal(rung.beside_words[0], 5); /* {0, 1}, {2}, {2}, {0} */
    assert_int_equal(rung.beside_words[1], 5); /* {0, 1, 2}, {2}, {0} */
}

/* An L1 of one SM, line by line. */
typedef struct way {
    uint64_t line, used;
    uint32_t words, code;
    bool there, data;
} way;

typedef struct l1 {
    way way[WS_PROFILE_SETS][WS_PROFILE_DEPTH];
    unsigned ways;
    bool fetches;
    uint64_t now, hits, reads, loads_hit, words;
} l1;

static void empty(l1 *c, way *w)
{
    c->words += ws_popcount(w->words);
    w->words = w->code = 0;
}

static way *touch(l1 *c, uint64_t line)
{
    way *const set = c->way[line % WS_PROFILE_SETS], *found = NULL, *oldest = set;
    for (unsigned i = 0; i < c->ways; i++) {
        found = set[i].there && set[i].line == line ? &set[i] : found;
        oldest = !set[i].there || (oldest->there && set[i].used < oldest->used) ? &set[i] : oldest;
    }
    if (!found) {
        empty(c, oldest);
        *oldest = (way){.line = line, .there = true};
        found = oldest;
    }
    found->used = ++c->now;
    return found;
}

static void does_load(l1 *c, uint64_t line)
{
    way *const w = touch(c, line);
    c->loads_hit += w->data;
    w->data = true;
}

static void does_update(l1 *c, uint64_t line, uint32_t words, uint32_t code)
{
    way *const w = touch(c, line);
    c->reads += !w->data;
    w->data = w->data || c->fetches;
    if (w->code == code)
        c->hits++;
    else
        empty(c, w);
    w->words |= words;
    w->code = code;
}

static void does_flush(l1 *c)
{
    for (unsigned set = 0; set < WS_PROFILE_SETS; set++)
        for (unsigned i = 0; i < c->ways; i++)
            empty(c, &c->way[set][i]);
}

static void does_drop(l1 *c, uint64_t line)
{
    for (unsigned i = 0; i < c->ways; i++) {
        way *const w = &c->way[line % WS_PROFILE_SETS][i];
        if (!w->there || w->line != line)
            continue;
        empty(c, w);
        *w = (way){0};
    }
}

static void against_each_l1(void **state)
{
    (void)state;
    static l1 cache[THRESHOLDS][2];
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (unsigned seed = 1; seed <= 6; seed++) {
        ws_traffic_rung rung = {0};
        ws_update_lines *l;
        uint64_t updates = 0;
        gsl_rng_set(rng, seed);
        memset(cache, 0, sizeof cache);
        for (unsigned i = 0; i < THRESHOLDS; i++)
            for (unsigned fetches = 0; fetches < 2; fetches++) {
                cache[i][fetches].ways = ws_profile_edge[i];
                cache[i][fetches].fetches = fetches;
            }
        assert_int_equal(ws_update_lines_create(1, &rung, &l), WS_OK);
        for (unsigned n = 0; n < 6000; n++) {
            const unsigned how = (unsigned)gsl_rng_uniform_int(rng, 200);
            const uint64_t line = gsl_rng_uniform_int(rng, 20 * seed) * WS_PROFILE_SETS + gsl_rng_uniform_int(rng, 3);
            const uint32_t words = 1u << gsl_rng_uniform_int(rng, 32), code = how % 9 ? ADD : MAX;
            for (unsigned i = 0; i < THRESHOLDS; i++)
                for (unsigned fetches = 0; fetches < 2; fetches++) {
                    l1 *const c = &cache[i][fetches];
                    how == 0    ? does_flush(c)
                    : how < 4   ? does_drop(c, line)
                    : how < 100 ? does_load(c, line)
                                : does_update(c, line, words, code);
                }
            updates += how >= 100;
            if (how == 0)
                ws_update_lines_flush(l, 0);
            else if (how < 4)
                ws_update_lines_drop(l, 0, line);
            else if (how < 100)
                ws_update_lines_load(l, 0, line, false);
            else
                ws_update_lines_update(l, 0, line, words, code);
        }
        ws_update_lines_flush(l, 0);
        ws_update_lines_destroy(l);
        for (unsigned i = 0; i < THRESHOLDS; i++)
            for (unsigned fetches = 0; fetches < 2; fetches++) {
                l1 *const c = &cache[i][fetches];
                does_flush(c);
                assert_int_equal(below(rung.beside_updates, i + 1), c->hits);
                assert_int_equal(rung.beside_words[i], c->words);
                assert_int_equal(below(rung.beside_loads[fetches], i + 1), c->loads_hit);
                if (fetches)
                    assert_int_equal(updates - below(rung.beside_fetches, i + 1), c->reads);
            }
    }
    gsl_rng_free(rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stream_by_hand),
        cmocka_unit_test(against_each_l1),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
