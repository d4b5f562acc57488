/* Set indices against tables worked out by hand and against long division; replacement against a list with times. */
#include "base/status.h"
#include "model/cache/cache_internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <gsl/gsl_rng.h>

static uint32_t set_of(const char *name, uint32_t sets, uint64_t block)
{
    ws_cache cache;
    assert_int_equal(ws_cache_setup(&cache, &(ws_cache_choice){.index = name}, sets, 1, false), WS_OK);
    return cache.index->set_of(&cache.plan, block);
}

/* Sets of 32 that the lines of a warp touch whose lanes are `stride` lines apart. */
static uint32_t sets_touched(const char *name, uint64_t first, uint64_t stride)
{
    uint32_t touched = 0;
    for (uint64_t lane = 0; lane < 32; lane++)
        touched |= 1u << set_of(name, 32, first + lane * stride);
    return (uint32_t)__builtin_popcount(touched);
}

/* Lines of 128 bytes, 32 sets, 32 lanes, first line 0: sets = 2^rank of the function on the bits that differ. */
static void strides_touch_as_many_sets_as_the_rank_says(void **state)
{
    (void)state;
    static const struct {
        uint64_t stride; /* in lines */
        uint32_t linear, exclusive_or, fermi;
    } rows[] = {
        {1, 32, 32, 32},    {2, 16, 32, 16},    {4, 8, 32, 16},     {8, 4, 32, 16},    {16, 2, 32, 16},
        {32, 1, 32, 8},     {64, 1, 16, 16},    {128, 1, 8, 8},     {256, 1, 4, 8},    {512, 1, 2, 4},
        {1024, 1, 1, 4},    {2048, 1, 1, 2},    {4096, 1, 1, 2},    {8192, 1, 1, 1},   {16384, 1, 1, 1},
        {1 << 15, 1, 1, 1}, {1 << 18, 1, 1, 1}, {3, 32, 21, 22},    {31, 32, 2, 31},   {33, 32, 1, 32},
        {66, 16, 2, 32},    {96, 1, 32, 16},    {1025, 32, 32, 32}, {1056, 1, 32, 16}, {1057, 32, 1, 16},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(sets_touched("linear", 0, rows[i].stride), rows[i].linear);
        assert_int_equal(sets_touched("xor", 0, rows[i].stride), rows[i].exclusive_or);
        assert_int_equal(sets_touched("fermi", 0, rows[i].stride), rows[i].fermi);
    }
}

/* Addresses 0x80000000 + 0x8000 t. */
static void lanes_of_a_matrix_column(void **state)
{
    (void)state;
    static const struct {
        uint32_t lane, exclusive_or, fermi;
    } rows[] = {{0, 0, 0},  {1, 8, 4},   {2, 16, 0},   {3, 24, 4},  {4, 0, 8},   {5, 8, 12},
                {6, 16, 8}, {7, 24, 12}, {15, 24, 12}, {16, 0, 16}, {31, 24, 28}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const uint64_t block = (UINT64_C(0x80000000) + UINT64_C(0x8000) * rows[i].lane) / 128;
        assert_int_equal(set_of("linear", 32, block), 0);
        assert_int_equal(set_of("xor", 32, block), rows[i].exclusive_or);
        assert_int_equal(set_of("fermi", 32, block), rows[i].fermi);
    }
    assert_int_equal(set_of("fermi", 64, 0x1000 / 128), 32);
}

/* Remainder of the lowest `bits` of the block by long division. */
static uint32_t divide(uint64_t block, uint32_t bits, uint32_t polynomial, uint32_t degree)
{
    block &= (UINT64_C(1) << bits) - 1;
    for (uint32_t bit = 63; bit >= degree; bit--)
        if (block >> bit & 1)
            block ^= (uint64_t)polynomial << (bit - degree);
    return (uint32_t)block;
}

static void polynomials_divide(void **state)
{
    (void)state;
    static const struct {
        uint32_t sets, polynomial, degree, bits;
        uint8_t upper[19]; /* what each bit above the index adds in GPGPU-Sim 4.2 */
    } rows[] = {
        {16, 19, 4, 17, {3, 6, 12, 11, 5, 10, 7, 14, 15, 13, 9, 1, 2}},
        {32, 37, 5, 20, {5, 10, 20, 13, 26, 17, 7, 14, 28, 29, 31, 27, 19, 3, 6}},
        {64, 67, 6, 25, {3, 6, 12, 24, 48, 35, 5, 10, 20, 40, 19, 38, 15, 30, 60, 59, 53, 41, 17}},
    };
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, 1991);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (uint32_t bit = 0; bit < 40; bit++)
            assert_int_equal(set_of("ipoly", rows[i].sets, UINT64_C(1) << (rows[i].degree + bit)),
                             bit < rows[i].bits - rows[i].degree ? rows[i].upper[bit] : 0);
        for (int n = 0; n < 500; n++) {
            const uint64_t block = (uint64_t)gsl_rng_get(rng) << 8 ^ gsl_rng_get(rng);
            assert_int_equal(set_of("ipoly", rows[i].sets, block),
                             divide(block, rows[i].bits, rows[i].polynomial, rows[i].degree));
        }
    }
    gsl_rng_free(rng);
    for (uint64_t stride = 1; stride < 1 << 16; stride *= 2)
        assert_int_equal(sets_touched("ipoly", 0, stride), 32);
}

static void every_index_spreads_what_is_in_a_row(void **state)
{
    (void)state;
    static const uint32_t counts[] = {1, 3, 8, 16, 32, 64, 128};
    for (size_t row = 0; ws_cache_index_at(row); row++) {
        const ws_cache_index *const index = ws_cache_index_at(row);
        assert_ptr_equal(ws_cache_index_find(index->name), index);
        unsigned defined = 0;
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            ws_cache cache;
            if (ws_cache_setup(&cache, &(ws_cache_choice){.index = index->name}, counts[i], 1, false))
                continue;
            defined++;
            /* An index that leaves sets empty gives some others a second block. */
            const uint32_t fewest = index->spares ? ws_prime_below(counts[i]) : counts[i];
            for (uint64_t first = 0; first < 200 * counts[i]; first += counts[i]) {
                unsigned seen[128] = {0};
                uint32_t touched = 0;
                for (uint32_t n = 0; n < counts[i]; n++) {
                    const uint32_t set = index->set_of(&cache.plan, first * 37 + n);
                    assert_true(set < counts[i]);
                    touched += !seen[set]++;
                    assert_true(seen[set] <= 1u + index->spares);
                }
                assert_true(touched >= fewest);
            }
        }
        assert_true(defined > 0);
    }
    assert_null(ws_cache_index_find("none such"));
    assert_null(ws_cache_replacement_find("none such"));
}

static void what_is_not_defined_is_refused(void **state)
{
    (void)state;
    ws_cache cache;
    assert_int_equal(ws_cache_setup(&cache, &(ws_cache_choice){.index = "ipoly"}, 128, 4, true), WS_EINPUT);
    assert_non_null(strstr(ws_message(), "ipoly is not defined for 128 sets; expected 16, 32 or 64"));
    assert_int_equal(ws_cache_setup(&cache, &(ws_cache_choice){.index = "xor"}, 24, 4, true), WS_EINPUT);
    assert_int_equal(ws_cache_setup(&cache, &(ws_cache_choice){.index = "linear"}, 0, 4, true), WS_EINPUT);
    assert_int_equal(ws_cache_setup(&cache, &(ws_cache_choice){.index = "linear"}, 4, WS_CACHE_MOST_WAYS + 1, true),
                     WS_EINPUT);
    assert_int_equal(ws_cache_setup(&cache, &(ws_cache_choice){.index = "linear"}, 24, 4, true), WS_OK);
}

/* --- Replacement --- */

enum { SETS = 4, WAYS = 5, LINES = SETS * WAYS };

typedef struct held {
    uint64_t block, came, used;
    bool there, locked;
} held;

/* The line that lru or fifo give up: never a locked one. */
static int oldest(const held *lines, uint32_t set, bool fifo)
{
    int found = -1;
    for (int i = (int)set * WAYS; i < (int)(set + 1) * WAYS; i++) {
        const uint64_t age = fifo ? lines[i].came : lines[i].used;
        if (!lines[i].locked && (found < 0 || age < (fifo ? lines[found].came : lines[found].used)))
            found = i;
    }
    return found;
}

static bool is_full(const held *lines, uint32_t set)
{
    for (uint32_t i = set * WAYS; i < (set + 1) * WAYS; i++)
        if (!lines[i].there)
            return false;
    return true;
}

static void choose_and_put(const ws_cache *cache, void *memory, held *lines, uint64_t block, uint64_t now, bool fifo)
{
    const ws_cache_use use = {.block = block};
    const uint32_t set = (uint32_t)(block % SETS), chosen = ws_cache_choose(cache, memory, &use, NULL);
    if (is_full(lines, set)) {
        const int expected = oldest(lines, set, fifo);
        assert_int_equal(chosen, expected < 0 ? WS_CACHE_NONE : (uint32_t)expected);
        if (expected < 0)
            return;
    } else {
        assert_true(chosen < LINES && !lines[chosen].there);
    }
    ws_cache_drop(cache, memory, chosen, (ws_cache_end){.replaced = true});
    ws_cache_put(cache, memory, chosen, &use);
    lines[chosen] = (held){.block = block, .came = now, .used = now, .there = true};
}

static void against_a_list(const char *name, unsigned long seed)
{
    ws_cache cache;
    assert_int_equal(ws_cache_setup(&cache, &(ws_cache_choice){.replacement = name}, SETS, WAYS, true), WS_OK);
    void *const memory = malloc(cache.bytes);
    ws_cache_init(&cache, memory);
    held lines[LINES] = {{0}};
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, seed);
    const bool fifo = !strcmp(name, "fifo");
    for (uint64_t now = 1; now < 20000; now++) {
        const uint64_t block = gsl_rng_uniform_int(rng, 2 * LINES);
        const uint32_t line = ws_cache_find(&cache, memory, block);
        uint32_t expected = WS_CACHE_NONE;
        for (uint32_t i = 0; i < LINES; i++)
            if (lines[i].there && lines[i].block == block)
                expected = i;
        assert_int_equal(line, expected);
        const unsigned long what = gsl_rng_uniform_int(rng, 16);
        if (line == WS_CACHE_NONE) {
            choose_and_put(&cache, memory, lines, block, now, fifo);
        } else if (what == 0) {
            ws_cache_drop(&cache, memory, line, (ws_cache_end){0});
            lines[line] = (held){0};
        } else if (what < 4) {
            lines[line].locked = !lines[line].locked;
            ws_cache_lock(&cache, memory, line, lines[line].locked);
        } else {
            const ws_cache_use use = {.block = block};
            ws_cache_touch(&cache, memory, line, &use);
            lines[line].used = now;
        }
    }
    gsl_rng_free(rng);
    free(memory);
}

static void lru_and_fifo_do_as_a_list_with_times(void **state)
{
    (void)state;
    for (unsigned long seed = 1; seed <= 3; seed++) {
        against_a_list("lru", seed);
        against_a_list("fifo", seed);
    }
}

/* A policy of another kind: new lines enter last, a hit moves one forward, lines of the first half stay, and
 * every third block that finds a full set is not kept. It counts what it is told, in all three kinds of memory. */
typedef struct own {
    uint32_t inserted, passed, replaced, reused, missed;
} own;

static void enter_last(const ws_cache_set *set, uint32_t way, const ws_cache_use *use)
{
    ((own *)set->shared)->inserted++;
    ++*(uint8_t *)set->own;
    set->line[way] = (uint8_t)use->block;
    ws_chain_put(set->chain, set->ways, way, set->ways);
}

static void one_forward(const ws_cache_set *set, uint32_t way, const ws_cache_use *use)
{
    (void)use;
    ws_chain_put(set->chain, set->ways, way, set->chain[way] ? set->chain[way] - 1u : 0);
}

static uint32_t from_the_second_half(const ws_cache_set *set, const ws_cache_use *use)
{
    (void)use;
    return ((const own *)set->shared)->inserted % 3 == 2 ? WS_CACHE_BYPASS : ws_cache_last_unlocked(set, set->ways / 2);
}

static void count_leaving(const ws_cache_set *set, uint32_t way, ws_cache_end end)
{
    assert_int_equal(set->line[way], set->tag[way] - 1);
    ((own *)set->shared)->replaced += end.replaced;
    ((own *)set->shared)->reused += end.reused;
}

static void count_passing(const ws_cache_set *set, const ws_cache_use *use)
{
    (void)use;
    ((own *)set->shared)->passed++;
}

static void count_missing(const ws_cache_set *set, const ws_cache_use *use)
{
    (void)use;
    ((own *)set->shared)->missed++;
}

/* Local memory is not kept, whether or not there is room. */
static bool is_global(const ws_cache_set *set, const ws_cache_use *use)
{
    (void)set;
    return !use->who.local;
}

static uint8_t tell_block(const ws_cache_set *set, uint32_t way)
{
    return set->line[way];
}

static const ws_cache_replacement policy = {.name = "test",
                                            .cache_bytes = sizeof(own),
                                            .set_bytes = 1,
                                            .line_bytes = 1,
                                            .chain = true,
                                            .bypasses = true,
                                            .miss = count_missing,
                                            .admit = is_global,
                                            .insert = enter_last,
                                            .hit = one_forward,
                                            .victim = from_the_second_half,
                                            .leave = count_leaving,
                                            .bypass = count_passing,
                                            .tell = tell_block};

static ws_cache_use use_of(uint64_t block)
{
    return (ws_cache_use){.block = block};
}

static uint32_t choose(const ws_cache *cache, const void *memory, uint64_t block)
{
    return ws_cache_choose(cache, memory, &(ws_cache_use){.block = block}, NULL);
}

static void replace(const ws_cache *cache, void *memory, uint32_t line, uint64_t block)
{
    const ws_cache_use use = use_of(block);
    ws_cache_drop(cache, memory, line, (ws_cache_end){.replaced = true});
    ws_cache_miss(cache, memory, &use);
    ws_cache_put(cache, memory, line, &use);
}

static void a_policy_decides_place_promotion_victim_and_bypass(void **state)
{
    (void)state;
    ws_cache cache;
    assert_int_equal(ws_cache_build(&cache, ws_cache_index_find("linear"), &policy, &(ws_cache_choice){0}, 1, 4, true),
                     WS_OK);
    void *const memory = malloc(cache.bytes);
    ws_cache_init(&cache, memory);
    const own *const seen = (const own *)(const void *)((const char *)memory + cache.shared_at);
    const ws_cache_use local = {.block = 9, .who.local = true};
    for (uint64_t block = 0; block < 4; block++) {
        assert_int_equal(ws_cache_choose(&cache, memory, &local, NULL), WS_CACHE_BYPASS);
        assert_int_equal(choose(&cache, memory, block), block);
        replace(&cache, memory, (uint32_t)block, block);
    }
    /* 0 1 2 3: block 3 is last; two hits move it to 0 3 1 2. Four were inserted. */
    ws_cache_touch(&cache, memory, 3, &(ws_cache_use){.block = 3});
    ws_cache_touch(&cache, memory, 3, &(ws_cache_use){.block = 3});
    assert_int_equal(choose(&cache, memory, 4), 2);
    ws_cache_lock(&cache, memory, 2, true);
    assert_int_equal(choose(&cache, memory, 4), 1);
    ws_cache_lock(&cache, memory, 1, true);
    assert_int_equal(choose(&cache, memory, 4), WS_CACHE_NONE);
    /* Who asks may know better than the array which lines are locked. */
    assert_int_equal(ws_cache_choose(&cache, memory, &(ws_cache_use){.block = 4}, (const uint8_t[]){0, 1, 0, 0}), 2);
    ws_cache_lock(&cache, memory, 1, false);
    replace(&cache, memory, 1, 4);
    assert_int_equal(choose(&cache, memory, 5), WS_CACHE_BYPASS);
    ws_cache_pass(&cache, memory, &(ws_cache_use){.block = 5});
    assert_int_equal(ws_cache_find(&cache, memory, 4), 1);
    assert_int_equal(ws_cache_find(&cache, memory, 1), WS_CACHE_NONE);
    assert_int_equal(ws_cache_tell(&cache, memory, 1), 4);
    ws_cache_drop(&cache, memory, 3, (ws_cache_end){0});
    assert_int_equal(seen->missed, 5);
    assert_int_equal(seen->inserted, 5);
    assert_int_equal(seen->passed, 1);
    assert_int_equal(seen->replaced, 1);
    assert_int_equal(seen->reused, 1);
    assert_int_equal(*((const uint8_t *)memory + cache.own_at), 5);
    free(memory);
}

/* --- Options --- */

static void options_belong_to_what_is_chosen(void **state)
{
    (void)state;
    /* A name means one thing in a section, whichever rows are chosen. */
    for (size_t i = 0; ws_cache_replacement_at(i); i++)
        for (const ws_option *a = ws_cache_replacement_at(i)->options; a && a->name; a++)
            for (size_t k = 0; ws_cache_index_at(k); k++)
                for (const ws_option *b = ws_cache_index_at(k)->options; b && b->name; b++)
                    assert_string_not_equal(a->name, b->name);
    ws_cache cache;
    const ws_given none = {"elephants", 3, "f:1:2"};
    assert_int_equal(ws_cache_setup(&cache, &(ws_cache_choice){.given = &none, .count = 1}, 4, 4, true), WS_EINPUT);
    assert_string_equal(ws_message(), "f:1:2: elephants is not an option of any index or replacement; remove it");
    assert_int_equal(ws_cache_setup(&cache, &(ws_cache_choice){.index = "round"}, 4, 4, true), WS_EINPUT);
    assert_int_equal(ws_cache_setup(&cache, &(ws_cache_choice){.replacement = "best"}, 4, 4, true), WS_EINPUT);
    assert_int_equal(ws_cache_setup(&cache, &(ws_cache_choice){0}, 4, 4, true), WS_OK);
    assert_string_equal(cache.index->name, "linear");
    assert_string_equal(cache.replacement->name, "lru");
}

/* --- The chain --- */

/* Against an array that is shifted. */
static void chains_do_as_an_array_of_ways(void **state)
{
    (void)state;
    enum { MOST = 21 };
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (uint32_t ways = 1; ways <= MOST; ways++) {
        uint16_t chain[MOST + WS_CHAIN_WORD];
        uint32_t order[MOST], length = 0;
        memset(chain, 0xff, sizeof chain);
        for (unsigned n = 0; n < 2000; n++) {
            const uint32_t way = (uint32_t)gsl_rng_uniform_int(rng, ways), what = (uint32_t)gsl_rng_uniform_int(rng, 4);
            const uint32_t to = what < 2 ? 0 : (uint32_t)gsl_rng_uniform_int(rng, ways + 2);
            uint32_t at = 0;
            while (at < length && order[at] != way)
                at++;
            if (at < length)
                memmove(order + at, order + at + 1, (--length - at) * sizeof *order);
            if (what == 3)
                ws_chain_leave(chain, ways, way);
            else {
                const uint32_t place = to < length ? to : length;
                memmove(order + place + 1, order + place, (length++ - place) * sizeof *order);
                order[place] = way;
                what < 2 ? ws_chain_to_front(chain, ways, way) : ws_chain_put(chain, ways, way, to);
            }
            assert_int_equal(ws_chain_length(chain, ways), length);
            for (uint32_t i = 0; i < length; i++) {
                assert_int_equal(chain[order[i]], i);
                assert_int_equal(ws_chain_way(chain, ways, i), order[i]);
            }
            assert_true(ws_chain_way(chain, ways, length) >= ways);
        }
    }
    gsl_rng_free(rng);
}

/* Of any two indices that are for one number of sets, some block is in another set. */
static void no_index_is_another(void **state)
{
    (void)state;
    enum { MOST_SETS = 64, BLOCKS = 1 << 16 };
    for (size_t i = 0; ws_cache_index_at(i); i++)
        for (size_t k = 0; k < i; k++) {
            const char *const name[] = {ws_cache_index_at(i)->name, ws_cache_index_at(k)->name};
            bool met = false, differ = false;
            for (uint32_t sets = 2; sets <= MOST_SETS && !differ; sets++) {
                ws_cache c[2];
                bool both = true;
                for (size_t n = 0; n < 2; n++)
                    both = both && !ws_cache_setup(&c[n], &(ws_cache_choice){.index = name[n]}, sets, 1, false);
                met |= both;
                for (uint64_t block = 0; block < BLOCKS && both && !differ; block++)
                    differ = c[0].index->set_of(&c[0].plan, block) != c[1].index->set_of(&c[1].plan, block);
            }
            if (met && !differ)
                fail_msg("cache_indices.def: %s is %s", name[0], name[1]);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strides_touch_as_many_sets_as_the_rank_says),
        cmocka_unit_test(lanes_of_a_matrix_column),
        cmocka_unit_test(polynomials_divide),
        cmocka_unit_test(every_index_spreads_what_is_in_a_row),
        cmocka_unit_test(what_is_not_defined_is_refused),
        cmocka_unit_test(lru_and_fifo_do_as_a_list_with_times),
        cmocka_unit_test(a_policy_decides_place_promotion_victim_and_bypass),
        cmocka_unit_test(options_belong_to_what_is_chosen),
        cmocka_unit_test(chains_do_as_an_array_of_ways),
        cmocka_unit_test(no_index_is_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
