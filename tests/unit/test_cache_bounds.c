/* test_cache_bounds.c - caches that know who shares and caches that do not, against closed forms of what they miss of
 * streams at random; forms by hand. */
#include "base/status.h"
#include "model/cache/cache_internal.h"
#include "model/mechanism/sharing/cache_bounds.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_rng.h>

static void assert_close(double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance * fmax(1, fabs(b))))
        fail_msg("%.12g is not %.12g", a, b);
}

/* ------------------------------------------------------------------------------------------------ misses by chance
 *
 * What caches miss that know who shares (Tabbakh 2018, chapter 2), and those that do not, of histograms of reuse
 * distances alone: an access of a least recently used stack misses by the number of other blocks since the last use of
 * its own; sets are taken to get their blocks by chance (Smith, "A Comparative Study of Set Associative Memory Mapping
 * Algorithms and Their Use for Cache and Main Memory", IEEE TSE 1978). Streams at random are so, kernels are not: what
 * is told of these comes from stacks of sets (model/mechanism/sharing/cache_streams.h). */

/* Accesses by reuse distance, of the stream that a cache sees. */
typedef struct reuse_counts {
    const double *count; /* borrowed: [distances], of each distance from 0 on */
    size_t distances;
    double beyond; /* first uses, and those that are farther */
} reuse_counts;

typedef struct cache_lines {
    uint32_t sets, ways; /* ways of each set */
} cache_lines;

/* Streams of blocks that one SM uses, that several do. Distances of each are in blocks of its own kind. */
typedef struct sharing_streams {
    reuse_counts alone, shared;
    double merged; /* of accesses of shared blocks: that find a read of theirs under way; 0..1 */
    double local;  /* of an L2: accesses of local memory, which it does not keep; `alone` has them only in an L1 */
    uint32_t shared_blocks; /* that are in use at a time */
} sharing_streams;

static double reuse_accesses(const reuse_counts *r)
{
    double sum = r->beyond;
    for (size_t i = 0; i < r->distances; i++)
        sum += r->count[i];
    return sum;
}

/* At least `ways` of so many blocks are in the block's set: 0..1. 1 - sum over k < ways of C(d, k) p^k (1 - p)^(d - k),
 * p = 1 / sets. */
static double reuse_misses_at(uint32_t distance, const cache_lines *lines)
{
    if (distance < lines->ways)
        return 0;
    return lines->sets == 1 ? 1 : gsl_cdf_binomial_Q(lines->ways - 1, 1.0 / lines->sets, distance);
}

/* Of all accesses, each with so many blocks more. */
static double reuse_misses_behind(const reuse_counts *r, const cache_lines *lines, uint32_t blocks)
{
    double sum = r->beyond;
    for (size_t i = 0; i < r->distances; i++)
        if (r->count[i] != 0)
            sum += r->count[i] * reuse_misses_at((uint32_t)i + blocks, lines);
    return sum;
}

static double reuse_misses(const reuse_counts *r, const cache_lines *lines)
{
    return reuse_misses_behind(r, lines, 0);
}

/* Of an L1 full of private lines: shared blocks are asked for each time but for those that merge, private ones have it
 * for themselves. */
static double l1_misses(const sharing_streams *s, const cache_lines *lines)
{
    return reuse_accesses(&s->shared) * (1 - s->merged) + reuse_misses(&s->alone, lines);
}

/* Of an L2: shared blocks have it for themselves, local memory nothing. A private block has what the others leave of
 * its set: all shared blocks count as if they had been used since. */
static double l2_misses(const sharing_streams *s, const cache_lines *lines)
{
    return reuse_misses(&s->shared, lines) + reuse_misses_behind(&s->alone, lines, s->shared_blocks) + s->local;
}

/* ------------------------------------------------------------------------------------------------ by hand */

static void chance_of_a_full_set(void **state)
{
    (void)state;
    static const struct {
        uint32_t distance, sets, ways;
        double expected;
    } rows[] = {{3, 1, 4, 0},    {4, 1, 4, 1},    {0, 8, 1, 0},        {1, 2, 1, 0.5},
                {2, 2, 1, 0.75}, {2, 2, 2, 0.25}, {3, 4, 2, 10.0 / 64}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const cache_lines lines = {.sets = rows[i].sets, .ways = rows[i].ways};
        assert_close(reuse_misses_at(rows[i].distance, &lines), rows[i].expected, 1e-12);
    }
    const cache_lines many = {.sets = 64, .ways = 1024}; /* no number runs over */
    assert_close(reuse_misses_at(1 << 20, &many), 1, 1e-9);
    assert_close(reuse_misses_at(1 << 12, &many), 0, 1e-9);
}

static void misses_by_hand(void **state)
{
    (void)state;
    static const double near[] = {4, 0, 6, 0, 10};
    const reuse_counts reuse = {.count = near, .distances = 5, .beyond = 5};
    const cache_lines one_set = {.sets = 1, .ways = 3};
    assert_close(reuse_accesses(&reuse), 25, 0);
    assert_close(reuse_misses(&reuse, &one_set), 15, 0);
    sharing_streams s = {.alone = reuse,
                         .shared = {.count = near, .distances = 3, .beyond = 2},
                         .merged = 0.25,
                         .local = 7,
                         .shared_blocks = 1};
    assert_close(l1_misses(&s, &one_set), 12 * 0.75 + 15, 1e-12);
    assert_close(l2_misses(&s, &one_set), 2 + (6 + 10 + 5) + 7, 1e-12); /* two ways are left */
    s.shared_blocks = 5;                                                /* none is */
    assert_close(l2_misses(&s, &one_set), 2 + 25 + 7, 1e-12);
    /* A of one SM, B of four: 2 + 5 lines for two blocks. */
    assert_close(ws_sharing_replication(7, 2), 3.5, 0);
    assert_close(ws_sharing_replication(2, 2), 1, 0);
    assert_true(isnan(ws_sharing_replication(0, 0)));
    static const double gaps[] = {10, 400, 400.5, 1000};
    assert_close(ws_sharing_merged(gaps, 4, 400.25), 0.5, 0);
    assert_true(isnan(ws_sharing_merged(NULL, 0, 400)));
    assert_close(ws_sharing_memory_bytes(3, 2, 128), 640, 0);
}

/* ------------------------------------------------------------------------------------------------ against caches */

enum { SMS = 4, MOST = 4096, L1_SETS = 8, L1_WAYS = 4, L2_SETS = 32, L2_WAYS = 8 };

/* Reuse distances of a stream, by its stack. */
typedef struct stack {
    uint64_t block[MOST];
    size_t blocks;
    double count[MOST], beyond;
} stack;

static void note_distance(stack *s, uint64_t block)
{
    size_t at = 0;
    while (at < s->blocks && s->block[at] != block)
        at++;
    if (at == s->blocks) {
        s->beyond++;
        assert_true(s->blocks++ < MOST);
    } else {
        s->count[at]++;
    }
    memmove(s->block + 1, s->block, at * sizeof *s->block);
    s->block[0] = block;
}

static reuse_counts reuse_of(const stack *s)
{
    return (reuse_counts){.count = s->count, .distances = s->blocks, .beyond = s->beyond};
}

typedef struct array {
    ws_cache cache;
    void *memory;
    double misses;
} array;

static void open_array(array *a, const char *replacement, uint32_t sets, uint32_t ways)
{
    if (ws_cache_setup(&a->cache, &(ws_cache_choice){.replacement = replacement}, sets, ways, false))
        fail_msg("%s", ws_message());
    a->memory = malloc(a->cache.bytes);
    a->misses = 0;
    ws_cache_init(&a->cache, a->memory);
}

/* True: a hit. *note: what the array tells of the block afterwards. */
static bool load(array *a, ws_cache_use use, uint8_t *note)
{
    uint32_t line = ws_cache_find(&a->cache, a->memory, use.block);
    const bool hit = line != WS_CACHE_NONE;
    use.waits = !hit;
    if (hit) {
        ws_cache_touch(&a->cache, a->memory, line, &use);
    } else {
        a->misses++;
        ws_cache_miss(&a->cache, a->memory, &use);
        line = ws_cache_choose(&a->cache, a->memory, &use, NULL);
        if (line != WS_CACHE_BYPASS) {
            ws_cache_drop(&a->cache, a->memory, line, (ws_cache_end){.replaced = true});
            ws_cache_put(&a->cache, a->memory, line, &use);
        }
    }
    if (note)
        *note = line == WS_CACHE_BYPASS ? 0 : ws_cache_tell(&a->cache, a->memory, line);
    return hit;
}

/* Block `number` stands in some set, another one for each salt: SplitMix64 (Steele, Lea, Flood 2014). */
static uint64_t spread(uint64_t number, uint64_t salt)
{
    uint64_t z = (number + 1) * UINT64_C(0x9e3779b97f4a7c15) + salt * UINT64_C(0xd1342543de82ef95);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (z ^ z >> 31) >> 1;
}

enum { SALTS = 24 };

static void loads_of_an_lru_cache(void **state)
{
    (void)state;
    static const uint32_t shapes[][2] = {{1, 32}, {8, 4}, {32, 4}, {16, 8}};
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const cache_lines lines = {.sets = shapes[i][0], .ways = shapes[i][1]};
        double forms = 0, misses = 0;
        for (uint64_t salt = 0; salt < SALTS; salt++) {
            stack *const s = calloc(1, sizeof *s);
            array a;
            open_array(&a, "lru", shapes[i][0], shapes[i][1]);
            for (unsigned n = 0; n < 4000; n++) {
                const unsigned long few = gsl_rng_uniform_int(rng, 200), block = gsl_rng_uniform_int(rng, 1 + few);
                note_distance(s, block);
                load(&a, (ws_cache_use){.block = spread(block, salt)}, NULL);
            }
            const reuse_counts reuse = reuse_of(s);
            forms += reuse_misses(&reuse, &lines);
            misses += a.misses;
            free(a.memory);
            free(s);
        }
        assert_close(forms, misses, shapes[i][0] == 1 ? 1e-9 : 0.03);
    }
    gsl_rng_free(rng);
}

/* What four SMs ask for: blocks of their own and blocks of all, in equal parts. */
typedef struct world {
    array l1[SMS], l2;
    stack alone[SMS], alone_below, shared_below;
    double shared_loads;
} world;

static void forget_counts(world *w)
{
    for (unsigned sm = 0; sm < SMS; sm++)
        w->l1[sm].misses = 0;
    w->l2.misses = w->shared_loads = 0;
    stack *const stacks[] = {&w->alone[0], &w->alone[1], &w->alone[2], &w->alone[3], &w->alone_below, &w->shared_below};
    for (size_t i = 0; i < sizeof stacks / sizeof *stacks; i++) {
        memset(stacks[i]->count, 0, sizeof stacks[i]->count);
        stacks[i]->beyond = 0;
    }
}

static void make_load(world *w, gsl_rng *rng, unsigned shared_blocks, uint64_t salt)
{
    const uint16_t sm = (uint16_t)gsl_rng_uniform_int(rng, SMS);
    const bool is_shared = gsl_rng_uniform_int(rng, 2);
    const uint64_t block = spread(
        is_shared ? gsl_rng_uniform_int(rng, shared_blocks) : 1000u * (sm + 1u) + gsl_rng_uniform_int(rng, 60), salt);
    ws_cache_use use = {.block = block, .mask = UINT32_MAX, .sm = sm};
    if (!is_shared)
        note_distance(&w->alone[sm], block);
    w->shared_loads += is_shared;
    if (ws_cache_find(&w->l1[sm].cache, w->l1[sm].memory, block) == WS_CACHE_NONE) {
        note_distance(is_shared ? &w->shared_below : &w->alone_below, block);
        load(&w->l2, use, &use.note);
    }
    load(&w->l1[sm], use, NULL);
}

/* With caches that know who shares, SMs' own blocks fill the L1s, and L2 keeps the others: fewer than its lines, and
 * about as many. */
static void loads_of_caches_that_know_who_shares(void **state)
{
    (void)state;
    static const unsigned shared_blocks[] = {60, 120, 180};
    const cache_lines l1 = {L1_SETS, L1_WAYS}, l2 = {L2_SETS, L2_WAYS};
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t i = 0; i < sizeof shared_blocks / sizeof *shared_blocks; i++) {
        double misses[2] = {0}, forms[2] = {0};
        for (uint64_t salt = 0; salt < SALTS; salt++) {
            world *const w = calloc(1, sizeof *w);
            open_array(&w->l2, "sharing-l2", L2_SETS, L2_WAYS);
            for (unsigned sm = 0; sm < SMS; sm++)
                open_array(&w->l1[sm], "sharing-l1", L1_SETS, L1_WAYS);
            for (unsigned n = 0; n < 12000; n++) {
                if (n == 6000)
                    forget_counts(w);
                make_load(w, rng, shared_blocks[i], salt);
            }
            for (unsigned sm = 0; sm < SMS; sm++) {
                const sharing_streams s = {.alone = reuse_of(&w->alone[sm]),
                                           .shared = {.beyond = w->shared_loads / SMS}};
                forms[0] += l1_misses(&s, &l1);
                misses[0] += w->l1[sm].misses;
                free(w->l1[sm].memory);
            }
            const sharing_streams s = {.alone = reuse_of(&w->alone_below),
                                       .shared = reuse_of(&w->shared_below),
                                       .shared_blocks = shared_blocks[i]};
            forms[1] += l2_misses(&s, &l2);
            misses[1] += w->l2.misses;
            free(w->l2.memory);
            free(w);
        }
        assert_close(forms[0], misses[0], 0.03);
        assert_close(forms[1], misses[1], 0.1);
        assert_true(misses[1] > 1000);
    }
    gsl_rng_free(rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chance_of_a_full_set),
        cmocka_unit_test(misses_by_hand),
        cmocka_unit_test(loads_of_an_lru_cache),
        cmocka_unit_test(loads_of_caches_that_know_who_shares),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
