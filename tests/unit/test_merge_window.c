/* Does a window joined from any pieces of a stream give the answers of the whole stream, and are these right? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "metrics/merge_window.h"

#include <gsl/gsl_rng.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH = 6000, ROUNDS = 60 };

/* The definition, word by word: other blocks touched since the last touch of this one, fewer than W. */
static bool mergeable_by_definition(const uint64_t *stream, size_t at)
{
    uint64_t other[WS_WINDOW_BLOCKS];
    size_t others = 0;
    for (size_t i = at; i-- > 0;) {
        if (stream[i] == stream[at])
            return true;
        size_t j = 0;
        while (j < others && other[j] != stream[i])
            j++;
        if (j == others) {
            if (others + 1 == WS_WINDOW_BLOCKS)
                return false;
            other[others++] = stream[i];
        }
    }
    return false;
}

/* A stream with re-use near the size of the window; `spread` distinct blocks. */
static void make_stream(gsl_rng *rng, uint64_t *stream, size_t n, unsigned long spread)
{
    uint64_t at = 0;
    for (size_t i = 0; i < n; i++) {
        if (gsl_rng_uniform_int(rng, 4) == 0)
            at = gsl_rng_uniform_int(rng, spread);
        else
            at = (at + 1) % spread;
        stream[i] = at * UINT64_C(0x10001) + 77;
    }
}

static void assert_same(const ws_window *a, const ws_window *b)
{
    assert_int_equal(a->mergeable, b->mergeable);
    assert_int_equal(a->firsts, b->firsts);
    assert_memory_equal(a->first, b->first, a->firsts * sizeof a->first[0]);
    assert_int_equal(a->entries, b->entries);
    uint16_t i = a->newest, j = b->newest;
    for (; i && j; i = a->entry[i].older, j = b->entry[j].older)
        assert_int_equal(a->entry[i].block, b->entry[j].block);
    assert_int_equal(i, 0);
    assert_int_equal(j, 0);
}

static void touches_follow_the_definition(void **state)
{
    (void)state;
    static uint64_t stream[LENGTH];
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_taus2);
    for (unsigned long spread = 200; spread <= 800; spread += 100) {
        gsl_rng_set(rng, spread);
        make_stream(rng, stream, LENGTH, spread);
        ws_window *const w = calloc(1, sizeof *w);
        for (size_t i = 0; i < LENGTH; i++)
            assert_int_equal(ws_window_touch(w, stream[i]), mergeable_by_definition(stream, i));
        free(w);
    }
    gsl_rng_free(rng);
}

static void the_edge_of_the_window_is_exact(void **state)
{
    (void)state;
    ws_window *const w = calloc(1, sizeof *w);
    for (uint64_t b = 0; b < WS_WINDOW_BLOCKS; b++)
        assert_false(ws_window_touch(w, b));
    assert_true(ws_window_touch(w, 0)); /* 255 others since */
    assert_true(ws_window_touch(w, 1));
    assert_false(ws_window_touch(w, 1000));
    assert_false(ws_window_touch(w, 2)); /* 256 others since */
    assert_int_equal(w->mergeable, 2);
    free(w);
}

/* Cuts the stream anywhere, joins the pieces in any order of neighbours. */
static void any_split_equals_the_whole(void **state)
{
    (void)state;
    static uint64_t stream[LENGTH];
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_taus2);
    ws_window *const whole = calloc(1, sizeof *whole);
    for (unsigned round = 0; round < ROUNDS; round++) {
        gsl_rng_set(rng, round + 1);
        make_stream(rng, stream, LENGTH, 100 + gsl_rng_uniform_int(rng, 900));
        memset(whole, 0, sizeof *whole);
        for (size_t i = 0; i < LENGTH; i++)
            ws_window_touch(whole, stream[i]);
        size_t pieces = 2 + gsl_rng_uniform_int(rng, 30);
        ws_window *const piece = calloc(pieces, sizeof *piece);
        size_t at = 0;
        for (size_t p = 0; p < pieces; p++) {
            const size_t left = LENGTH - at, share = 2 * left / (pieces - p);
            const size_t end = p + 1 == pieces ? LENGTH : at + gsl_rng_uniform_int(rng, share + 1);
            for (const size_t stop = end < LENGTH ? end : LENGTH; at < stop; at++)
                ws_window_touch(&piece[p], stream[at]);
        }
        for (; pieces > 1; pieces--) {
            const size_t left = gsl_rng_uniform_int(rng, pieces - 1);
            ws_window_join(&piece[left], &piece[left + 1]);
            memmove(&piece[left + 1], &piece[left + 2], (pieces - left - 2) * sizeof *piece);
        }
        assert_same(piece, whole);
        free(piece);
    }
    free(whole);
    gsl_rng_free(rng);
}

static void joining_with_nothing_changes_nothing(void **state)
{
    (void)state;
    ws_window *const a = calloc(1, sizeof *a), *const b = calloc(1, sizeof *b), *const none = calloc(1, sizeof *none);
    for (uint64_t i = 0; i < 1000; i++) {
        ws_window_touch(a, i * i % 300);
        ws_window_touch(b, i * i % 300);
    }
    ws_window_join(a, none);
    assert_same(a, b);
    memset(none, 0, sizeof *none);
    ws_window_join(none, b);
    assert_same(none, b);
    free(a);
    free(b);
    free(none);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(touches_follow_the_definition),
        cmocka_unit_test(the_edge_of_the_window_is_exact),
        cmocka_unit_test(any_split_equals_the_whole),
        cmocka_unit_test(joining_with_nothing_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
