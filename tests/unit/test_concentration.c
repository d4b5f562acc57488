/* test_concentration.c - which sets do the lines of a load fall into, by every index: worked out by hand, by counting,
 * by rank. */
#include "model/cache/concentration.h"

#include "base/status.h"
#include "model/cache/cache_internal.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SETS = 32, WAYS = 8, LANES = 32, LINE = 128 };

static ws_cache cache_of(const char *index, uint32_t sets, const ws_given *given, size_t count)
{
    ws_cache cache;
    if (ws_cache_setup(&cache, &(ws_cache_choice){.index = index, .given = given, .count = count}, sets, WAYS, false))
        fail_msg("%s", ws_message());
    return cache;
}

static ws_set_load load_of(const ws_cache *cache, uint64_t first, uint64_t stride)
{
    static uint32_t in_set[65536]; /* of the largest */
    uint64_t line[LANES];
    for (uint64_t lane = 0; lane < LANES; lane++)
        line[lane] = first + lane * stride;
    const ws_set_load load = ws_set_load_of(cache, line, LANES, in_set);
    uint32_t rest = 0;
    for (uint32_t set = 0; set < cache->sets; set++)
        rest |= in_set[set];
    assert_int_equal(rest, 0);
    return load;
}

/* --- The indices of 32 sets, line by line: addresses 0x80000000 + 0x8000 of a lane --- */

static void lanes_of_a_matrix_column(void **state)
{
    (void)state;
    static const struct {
        uint32_t lane, fup, pdisp;
    } rows[] = {{0, 16, 19}, {1, 24, 13}, {2, 0, 7},    {3, 8, 1},    {4, 17, 26}, {5, 25, 20},
                {6, 1, 14},  {7, 9, 8},   {15, 11, 22}, {16, 20, 16}, {31, 15, 19}};
    const ws_cache fup = cache_of("fup", SETS, NULL, 0), pdisp = cache_of("pdisp", SETS, NULL, 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const uint64_t block = (UINT64_C(0x80000000) + UINT64_C(0x8000) * rows[i].lane) / LINE;
        assert_int_equal(ws_cache_set_of(&fup, block), rows[i].fup);
        assert_int_equal(ws_cache_set_of(&pdisp, block), rows[i].pdisp);
    }
    assert_int_equal(load_of(&fup, 0x80000000 / LINE, 256).sets, 32);
    assert_int_equal(load_of(&pdisp, 0x80000000 / LINE, 256).sets, 31);
}

/* Addresses 0x80000000 and 0x80001000: 512 modulo 31 is 16. */
static void neighbours_in_a_column(void **state)
{
    (void)state;
    static const struct {
        const char *index;
        uint32_t first, second;
    } rows[] = {{"linear", 0, 0}, {"xor", 0, 1}, {"fermi", 0, 0}, {"fup", 16, 17}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const ws_cache cache = cache_of(rows[i].index, SETS, NULL, 0);
        assert_int_equal(ws_cache_set_of(&cache, 0x80000000 / LINE), rows[i].first);
        assert_int_equal(ws_cache_set_of(&cache, 0x80001000 / LINE), rows[i].second);
    }
}

/* Base 0 and 16 KB: 0, 4, ..., 28, then from 1 on. */
static void lanes_that_are_16_kb_apart(void **state)
{
    (void)state;
    const ws_cache fup = cache_of("fup", SETS, NULL, 0), twice = cache_of("xor", SETS, NULL, 0),
                   fermi = cache_of("fermi", SETS, NULL, 0);
    for (uint64_t lane = 0; lane < LANES; lane++) {
        assert_int_equal(ws_cache_set_of(&fup, lane * 128), lane % 8 * 4 + lane / 8);
        assert_int_equal(ws_cache_set_of(&twice, lane * 128), lane % 8 * 4);
        assert_int_equal(ws_cache_set_of(&fermi, lane * 128) % 2, 0);
    }
    assert_int_equal(load_of(&fermi, 0, 128).sets, 8);
    assert_int_equal(load_of(&fermi, 0, 128).most, 4);
    assert_int_equal(load_of(&fup, 0, 33).most, LANES); /* what it is not made for: all in set 0 */
    for (uint64_t lane = 0; lane < LANES; lane++)
        assert_int_equal(ws_cache_set_of(&fup, 33 * lane), 0);
}

/* --- Concentration by stride --- */

/* pdisp with multiplier 9; the others as they are. 32 / concentration, in sets touched; most: where it is not the
 * concentration. */
static const char *const names[] = {"linear", "xor", "fermi", "pmod", "pdisp", "fup"};
enum { NAMES = sizeof names / sizeof *names };
typedef struct row {
    uint64_t stride; /* lines */
    uint32_t sets[NAMES];
} row;

static const row powers[] = {
    {1, {32, 32, 32, 31, 31, 32}},    {2, {16, 32, 16, 31, 27, 32}},    {4, {8, 32, 16, 31, 25, 32}},
    {8, {4, 32, 16, 31, 26, 32}},     {16, {2, 32, 16, 31, 28, 32}},    {32, {1, 32, 8, 31, 31, 32}},
    {64, {1, 16, 16, 31, 31, 32}},    {128, {1, 8, 8, 31, 31, 32}},     {256, {1, 4, 8, 31, 31, 32}},
    {512, {1, 2, 4, 31, 31, 32}},     {1024, {1, 1, 4, 31, 31, 32}},    {2048, {1, 1, 2, 31, 31, 32}},
    {4096, {1, 1, 2, 31, 31, 32}},    {8192, {1, 1, 1, 31, 31, 32}},    {16384, {1, 1, 1, 31, 31, 32}},
    {32768, {1, 1, 1, 31, 31, 31}},   {1 << 16, {1, 1, 1, 31, 31, 31}}, {1 << 17, {1, 1, 1, 31, 31, 31}},
    {1 << 18, {1, 1, 1, 31, 31, 31}},
};
static const row adversarial[] = {
    {3, {32, 21, 22, 31, 25, 21}},  {31, {32, 2, 31, 1, 31, 2}},     {33, {32, 1, 32, 31, 31, 1}},
    {66, {16, 2, 32, 31, 20, 1}},   {96, {1, 32, 16, 31, 31, 21}},   {1025, {32, 32, 32, 31, 31, 1}},
    {1056, {1, 32, 16, 31, 31, 1}}, {1057, {32, 1, 16, 31, 31, 32}},
};

static ws_cache column_of(size_t name)
{
    static const ws_given nine[] = {{"multiplier", 9, NULL}};
    return cache_of(names[name], SETS, nine, !strcmp(names[name], "pdisp"));
}

static void strides_are_concentrated_as_the_tables_say(void **state)
{
    (void)state;
    for (size_t name = 0; name < NAMES; name++) {
        const ws_cache cache = column_of(name);
        for (size_t i = 0; i < sizeof powers / sizeof *powers; i++) {
            const ws_set_load load = load_of(&cache, 0, powers[i].stride);
            assert_int_equal(load.lines, LANES);
            assert_int_equal(load.sets, powers[i].sets[name]);
            assert_true(ws_concentration(&load) == (double)LANES / powers[i].sets[name]);
            /* As even as can be. */
            assert_int_equal(load.most, (LANES + load.sets - 1) / load.sets);
            assert_int_equal(load.excess, load.most > WAYS ? LANES - WAYS * load.sets : 0);
        }
        for (size_t i = 0; i < sizeof adversarial / sizeof *adversarial; i++)
            assert_int_equal(load_of(&cache, 0, adversarial[i].stride).sets, adversarial[i].sets[name]);
    }
    /* What the mean hides: 31 lines in one set. */
    const ws_cache twice = cache_of("xor", SETS, NULL, 0), fup = cache_of("fup", SETS, NULL, 0);
    assert_int_equal(load_of(&twice, 0, 31).most, 31);
    assert_int_equal(load_of(&fup, 0, 31).most, 31);
    assert_int_equal(load_of(&fup, 0, 31).excess, 31 - WAYS);
}

/* Over all strides of 1 to 4096 lines: the mean, in hundredths, and how many are at least 8. */
static void most_strides_are_spread_well(void **state)
{
    (void)state;
    static const struct {
        int mean, many;
    } rows[NAMES] = {{350, 512}, {179, 56}, {170, 24}, {203, 132}, {180, 65}, {170, 22}};
    for (size_t name = 0; name < NAMES; name++) {
        const ws_cache cache = column_of(name);
        double sum = 0;
        int many = 0;
        uint32_t in_set[SETS] = {0};
        for (uint64_t stride = 1; stride <= 4096; stride++) {
            uint64_t line[LANES];
            for (uint64_t lane = 0; lane < LANES; lane++)
                line[lane] = lane * stride;
            const ws_set_load load = ws_set_load_of(&cache, line, LANES, in_set);
            sum += ws_concentration(&load);
            many += ws_concentration(&load) >= 8;
        }
        assert_int_equal(lround(sum / 40.96), rows[name].mean);
        assert_int_equal(many, rows[name].many);
    }
}

/* Strides of the six applications that conflict: 256 lines three times, 128, 16, 8. */
static void a_multiplier_of_the_displacement(void **state)
{
    (void)state;
    static const struct {
        uint64_t multiplier;
        int mean; /* thousandths */
    } rows[] = {{2, 1177},  {3, 1147},  {5, 1211},  {7, 1099},  {9, 1084}, {11, 1118},
                {13, 1244}, {17, 1125}, {19, 1107}, {37, 1063}, {41, 1050}};
    static const uint64_t strides[] = {256, 256, 256, 128, 16, 8};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const ws_given given = {"multiplier", rows[i].multiplier, NULL};
        const ws_cache cache = cache_of("pdisp", SETS, &given, 1);
        double sum = 0;
        for (size_t k = 0; k < sizeof strides / sizeof *strides; k++) {
            const ws_set_load load = load_of(&cache, 0, strides[k]);
            sum += ws_concentration(&load);
        }
        assert_int_equal(lround(1000 * sum / 6), rows[i].mean);
    }
}

/* Any warp whose lanes begin at a multiple of what they span, as long as no bit is above those that are folded by the
 * remainder. */
static void fup_is_a_permutation(void **state)
{
    (void)state;
    for (uint32_t sets = 32; sets <= 65536; sets *= 2) {
        const ws_cache cache = cache_of("fup", sets, NULL, 0);
        for (uint64_t stride = 1; stride <= 1 << 10; stride *= 2)
            for (uint64_t warp = 0; warp < 200; warp++)
                assert_int_equal(load_of(&cache, 32 * stride * (warp * 7919 % 100003), stride).most, 1);
    }
    /* More sets than lanes: 128 and up need no remainder, and all 28 bits and more are permuted. */
    const ws_cache wide = cache_of("fup", 128, NULL, 0);
    for (uint64_t stride = 1; stride <= 1 << 23; stride *= 2)
        assert_int_equal(load_of(&wide, 0, stride).sets, 32);
    /* Fewer feature bits than four groups: they count as four groups. */
    const ws_given few = {"features", 4, NULL}, twenty = {"features", 20, NULL};
    const ws_cache a = cache_of("fup", SETS, &few, 1), b = cache_of("fup", SETS, &twenty, 1);
    for (uint64_t line = 0; line < 1 << 22; line += 4093)
        assert_int_equal(ws_cache_set_of(&a, line), ws_cache_set_of(&b, line));
}

/* From any line on, bits carry: some sets get two lines, none three. */
static void fup_from_any_line(void **state)
{
    (void)state;
    const ws_cache cache = cache_of("fup", SETS, NULL, 0);
    for (uint64_t stride = 1; stride <= 1 << 18; stride *= 2) {
        double sum = 0;
        for (uint64_t n = 1; n <= 500; n++) {
            const ws_set_load load = load_of(&cache, n * UINT64_C(0x9e3779b97f4a7c15) >> 34, stride);
            assert_true(load.most <= 2);
            sum += ws_concentration(&load);
        }
        assert_true(sum / 500 > 1.02 && sum / 500 < 1.07);
    }
}

/* With the number of sets as the modulus it is Kharbutli's: nothing is spared, and a row of lines is a permutation. */
static void displacement_by_a_power_of_two(void **state)
{
    (void)state;
    const ws_given given[] = {{"multiplier", 9, NULL}, {"power", 1, NULL}};
    const ws_cache cache = cache_of("pdisp", SETS, given, 2);
    for (uint64_t line = 0; line < 100000; line += 77)
        assert_int_equal(ws_cache_set_of(&cache, line), (9 * (line >> 5) + (line & 31)) % 32);
    assert_int_equal(load_of(&cache, 0, 1).sets, 32);
    assert_int_equal(load_of(&cache, 0, 32).sets, 32);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    ws_cache cache;
    static const struct {
        const char *index;
        uint32_t sets;
        ws_given given[2];
        size_t count;
        const char *says;
    } rows[] = {
        {"pmod", 2, {{0}}, 0, "pmod is not defined for 2 sets; expected at least 3, so that a prime is below"},
        {"pdisp", 2, {{0}}, 0, "pdisp is not defined for 2 sets; expected a power of two"},
        {"pdisp", 24, {{0}}, 0, "pdisp is not defined for 24 sets; expected a power of two"},
        {"fup", 2, {{0}}, 0, "fup is not defined for 2 sets; expected a power of two, 4 to 65536"},
        {"fup", 48, {{0}}, 0, "fup is not defined for 48 sets"},
        {"fup", 1 << 17, {{0}}, 0, "fup is not defined for 131072 sets"},
        {"pdisp",
         32,
         {{"multiplier", 62, NULL}},
         1,
         "multiplier is 62, expected no common divisor with the modulus of index pdisp, 31"},
        {"pdisp",
         32,
         {{"multiplier", 6, NULL}, {"power", 1, NULL}},
         2,
         "multiplier is 6, expected no common divisor with the modulus of index pdisp, 32"},
        {"fup", 32, {{"features", 57, NULL}}, 1, "features"},
        {"fup",
         32,
         {{"multiplier", 7, NULL}},
         1,
         "multiplier is an option of index pdisp, but index is fup; remove it"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const ws_cache_choice choice = {.index = rows[i].index, .given = rows[i].given, .count = rows[i].count};
        assert_int_equal(ws_cache_setup(&cache, &choice, rows[i].sets, WAYS, false), WS_EINPUT);
        if (!strstr(ws_message(), rows[i].says))
            fail_msg("'%s' does not say '%s'", ws_message(), rows[i].says);
    }
    const ws_given power = {"power", 1, NULL};
    assert_int_equal(
        ws_cache_setup(&cache, &(ws_cache_choice){.index = "pdisp", .given = &power, .count = 1}, 2, WAYS, false),
        WS_OK);
}

static void primes_are_found(void **state)
{
    (void)state;
    static const uint32_t rows[][2] = {{0, 0},   {1, 0},   {2, 0},   {3, 2},     {4, 3},        {8, 7},
                                       {16, 13}, {32, 31}, {64, 61}, {128, 127}, {65536, 65521}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(ws_prime_below(rows[i][0]), rows[i][1]);
}

/* --- By rank: in closed form, for indices whose bits are sums of bits of the block --- */

enum { BITS = 48 }; /* of a block, that are looked at */

/* column[i]: what bit i of a block changes in its set. */
typedef struct index_matrix {
    uint32_t column[BITS];
} index_matrix;

static uint32_t product(const index_matrix *matrix, uint64_t block)
{
    uint32_t set = 0;
    for (; block; block &= block - 1)
        set ^= matrix->column[__builtin_ctzll(block)];
    return set;
}

/* The matrix of the cache's index, found by asking it; false: it has none, for it is no sum of bits (all pairs of bits
 * and some blocks of many are tried). */
static bool matrix_of(const ws_cache *cache, index_matrix *out)
{
    enum { TRIED = 256 };
    const uint64_t bits = (UINT64_C(1) << BITS) - 1;
    for (unsigned i = 0; i < BITS; i++)
        out->column[i] = ws_cache_set_of(cache, UINT64_C(1) << i);
    if (ws_cache_set_of(cache, 0))
        return false;
    for (unsigned i = 0; i < BITS; i++)
        for (unsigned k = 0; k < i; k++) {
            const uint64_t pair = UINT64_C(1) << i | UINT64_C(1) << k;
            if (ws_cache_set_of(cache, pair) != product(out, pair))
                return false;
        }
    /* Fibonacci hashing: Knuth, The Art of Computer Programming 3, section 6.4. */
    for (uint64_t n = 1; n <= TRIED; n++) {
        const uint64_t block = n * UINT64_C(0x9e3779b97f4a7c15) >> (64 - BITS) & bits;
        if (ws_cache_set_of(cache, block) != product(out, block))
            return false;
    }
    return true;
}

/* Lines that each touched set gets of the 2^count lines first + any sum of the basis, which have distinct blocks and do
 * not carry: 2^(count - rank). It is their concentration and the most in one set. A stride of 2^s lines over 2^n lanes,
 * from a multiple of 2^(s + n), has the basis 2^s, ..., 2^(s + n - 1). */
static uint32_t concentration_of(const index_matrix *matrix, const uint64_t *basis, unsigned count)
{
    uint32_t leading[32] = {0}; /* reduced sets by their highest bit */
    unsigned rank = 0;
    for (unsigned i = 0; i < count; i++) {
        uint32_t set = product(matrix, basis[i]);
        while (set && leading[31 - __builtin_clz(set)])
            set ^= leading[31 - __builtin_clz(set)];
        if (set)
            leading[31 - __builtin_clz(set)] = set;
        rank += set != 0;
    }
    return UINT32_C(1) << (count - rank);
}

/* Every index of the table, with many numbers of sets: where it is a sum of bits, rank and counting agree for every
 * stride, span and aligned start, and for bits that are no stride at all. */
static void rank_counts_as_counting_does(void **state)
{
    (void)state;
    static uint32_t in_set[4096];
    unsigned sums = 0;
    for (size_t i = 0; ws_cache_index_at(i); i++)
        for (uint32_t sets = 1; sets <= 4096; sets *= 2) {
            ws_cache cache;
            index_matrix matrix;
            if (ws_cache_setup(&cache, &(ws_cache_choice){.index = ws_cache_index_at(i)->name}, sets, WAYS, false) ||
                !matrix_of(&cache, &matrix))
                continue;
            sums++;
            for (unsigned low = 0; low < 26; low++)
                for (unsigned count = 0; count <= 5; count++)
                    for (unsigned apart = 1; apart <= 3; apart++) {
                        uint64_t basis[5], line[32] = {0};
                        for (unsigned k = 0; k < count; k++)
                            basis[k] = UINT64_C(1) << (low + k * apart) ^
                                       (apart == 3 ? UINT64_C(1) << (low + 1 + k * apart) : 0);
                        for (unsigned n = 0; n < 1u << count; n++) {
                            line[n] = (uint64_t)(low + 1) << 42;
                            for (unsigned k = 0; k < count; k++)
                                line[n] ^= n >> k & 1 ? basis[k] : 0;
                        }
                        const ws_set_load load = ws_set_load_of(&cache, line, (size_t)1 << count, in_set);
                        const uint32_t expected = concentration_of(&matrix, basis, count);
                        assert_int_equal(load.most, expected);
                        assert_int_equal(load.sets * expected, load.lines);
                    }
        }
    assert_true(sums > 20);
}

static void only_sums_of_bits_have_a_matrix(void **state)
{
    (void)state;
    index_matrix matrix;
    static const char *const have[] = {"linear", "xor", "fermi", "ipoly"}, *const have_not[] = {"pmod", "pdisp", "fup"};
    for (size_t i = 0; i < sizeof have / sizeof *have; i++) {
        const ws_cache cache = cache_of(have[i], SETS, NULL, 0);
        assert_true(matrix_of(&cache, &matrix));
    }
    for (size_t i = 0; i < sizeof have_not / sizeof *have_not; i++) {
        const ws_cache cache = cache_of(have_not[i], SETS, NULL, 0);
        assert_false(matrix_of(&cache, &matrix));
    }
    const ws_cache odd = cache_of("linear", 24, NULL, 0), wide = cache_of("fup", 128, NULL, 0);
    assert_false(matrix_of(&odd, &matrix));
    assert_true(matrix_of(&wide, &matrix)); /* no remainder there */
    /* Bit 13 of an address is bit 6 of a line, and changes bit 0 of Fermi's set. */
    const ws_cache fermi = cache_of("fermi", SETS, NULL, 0);
    assert_true(matrix_of(&fermi, &matrix));
    assert_int_equal(matrix.column[6], 1);
    assert_int_equal(matrix.column[5], 0);
}

/* --- Balance --- */

/* Of accesses to each set: 1 as random ones would be, more where some sets have too many. Kharbutli, Irwin, Solihin,
 * Lee, "Using Prime Numbers for Cache Indexing to Eliminate Conflict Misses", HPCA 2004, equation 1. NaN without
 * accesses. */
static double set_balance(const uint64_t *accesses, uint32_t sets)
{
    double sum = 0, all = 0;
    for (uint32_t i = 0; i < sets; i++) {
        const double n = (double)accesses[i];
        sum += n * (n + 1) / 2;
        all += n;
    }
    return all > 0 ? sum / (all / (2.0 * sets) * (all + 2.0 * sets - 1)) : NAN;
}

static double balance_of(uint64_t each, uint32_t sets, uint32_t of)
{
    uint64_t accesses[SETS] = {0};
    for (uint32_t i = 0; i < sets; i++)
        accesses[i] = each;
    return set_balance(accesses, of);
}

static void balance_sees_what_is_crowded(void **state)
{
    (void)state;
    static const struct {
        uint64_t each;
        uint32_t sets;
        int balance; /* thousandths */
    } rows[] = {{1, 32, 674}, {1000, 32, 999}, {32000, 1, 31938}, {32, 1, 11116}, {1000, 31, 1031}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(lround(1000 * balance_of(rows[i].each, rows[i].sets, SETS)), rows[i].balance);
    assert_true(isnan(balance_of(0, SETS, SETS)));
    const ws_set_load none = {0};
    assert_true(isnan(ws_concentration(&none)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_of_a_matrix_column),
        cmocka_unit_test(neighbours_in_a_column),
        cmocka_unit_test(lanes_that_are_16_kb_apart),
        cmocka_unit_test(strides_are_concentrated_as_the_tables_say),
        cmocka_unit_test(most_strides_are_spread_well),
        cmocka_unit_test(a_multiplier_of_the_displacement),
        cmocka_unit_test(fup_is_a_permutation),
        cmocka_unit_test(fup_from_any_line),
        cmocka_unit_test(displacement_by_a_power_of_two),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(primes_are_found),
        cmocka_unit_test(rank_counts_as_counting_does),
        cmocka_unit_test(only_sums_of_bits_have_a_matrix),
        cmocka_unit_test(balance_sees_what_is_crowded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
