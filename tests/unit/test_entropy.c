/* test_entropy.c - entropies of access patterns with closed forms, and the error of the sample on large ones. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/events.h"

extern const ws_metric ws_metric_entropy;
static const ws_metric *const M = &ws_metric_entropy;

#define assert_bits(value, name, want, error) \
    do { \
        const double got_ = column(M, value, name); \
        if (fabs(got_ - (want)) > (error)) \
            fail_msg("%s is %.9g, expected %.9g", name, got_, (double)(want)); \
    } while (0)

/* 2^k words, each read once: k bits; every bit dropped above the word size costs one. */
static void test_dense(void **unused)
{
    (void)unused;
    script *const s = script_create(8, 32);
    const uint32_t load = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4);
    for (unsigned block = 0; block < 8; block++)
        for (unsigned i = 0; i < 64; i++)
            access_line(s, block, 0, load, ALL_LANES, 0x7f00000 + (block * 64 + i) * 128, 4); /* crosses a MiB */
    double *const v = measure(M, s);
    const double want[] = {14, 14, 14, 13, 12, 11, 10, 9, 8, 7, 6};
    double slope = 0;
    for (unsigned drop = 0; drop <= 10; drop++) {
        char name[32];
        snprintf(name, sizeof name, "entropy_bits_%u", drop);
        assert_bits(v, name, want[drop], 1e-9);
        slope += (5. - drop) * want[drop] / 110;
    }
    assert_bits(v, "entropy_slope", slope, 1e-9);
    assert_bits(v, "entropy_relative", 1, 1e-9);
    free(v);
    script_destroy(s);
}

static void test_one_address_and_two(void **unused)
{
    (void)unused;
    script *const s = script_create(2, 32);
    const uint32_t load = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4);
    access_line(s, 0, 0, load, ALL_LANES, 0x10000, 0);
    double *v = measure(M, s);
    assert_bits(v, "entropy_bits_0", 0, 0);
    assert_bits(v, "entropy_relative", 0, 0);
    free(v);
    access_line(s, 1, 0, load, ALL_LANES, 0x50000000, 0);
    v = measure(M, s);
    assert_bits(v, "entropy_bits_0", 1, 1e-12);
    assert_bits(v, "entropy_bits_10", 1, 1e-12);
    assert_bits(v, "entropy_slope", 0, 1e-12);
    assert_bits(v, "entropy_relative", 1. / 6, 1e-12);
    free(v);
    script_destroy(s);
}

static void test_uneven(void **unused)
{
    (void)unused;
    script *const s = script_create(3, 32); /* a quarter of the accesses to one byte, the rest to 24 others */
    const uint32_t load = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 1);
    const uint32_t shared = memory(s, WS_SPACE_SHARED, WS_ACCESS_LOAD, 1);
    for (unsigned block = 0; block < 3; block++) {
        access_line(s, block, 0, load, 0x000000ff, 0x10000, 0);
        access_line(s, block, 0, load, 0xffffff00, 0x10000, 1);
        access_line(s, block, 0, shared, ALL_LANES, 0, 1);
    }
    double *const v = measure(M, s);
    assert_bits(v, "entropy_bits_0", .25 * 2 + .75 * log2(32), 1e-12);
    assert_bits(v, "entropy_bits_3", 2, 1e-12);
    assert_bits(v, "entropy_bits_5", 0, 1e-12);
    free(v);
    script_destroy(s);
}

/* 2^18 words read once, far over the cap: alike regions, so the sample is exact. */
static void test_large_dense(void **unused)
{
    (void)unused;
    script *const s = script_create(4, 32);
    const uint32_t load = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4);
    for (unsigned block = 0; block < 4; block++)
        for (unsigned i = 0; i < 2048; i++)
            access_line(s, block, 0, load, ALL_LANES, 0x40000000 + ((uint64_t)block * 2048 + i) * 128, 4);
    double *const v = measure(M, s);
    assert_bits(v, "entropy_bits_0", 18, 1e-9);
    assert_bits(v, "entropy_bits_10", 10, 1e-9);
    assert_bits(v, "entropy_relative", 1, 1e-9);
    free(v);
    script_destroy(s);
}

/* Histogram: 2^17 inputs read once, and as many atomics on 256 hot words. Half of all accesses lie in one KiB that the
 * sample may or may not hold; the chain rule keeps the answer right. */
static void test_large_with_hot_spot(void **unused)
{
    (void)unused;
    script *const s = script_create(4, 32);
    const uint32_t load = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4);
    const uint32_t atomic = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_REDUCE, 4);
    for (unsigned block = 0; block < 4; block++)
        for (unsigned i = 0; i < 1024; i++) {
            access_line(s, block, 0, load, ALL_LANES, 0x40000000 + ((uint64_t)block * 1024 + i) * 128, 4);
            access_line(s, block, 0, atomic, ALL_LANES, 0x10000000 + i % 8 * 128, 4);
        }
    double *const v = measure(M, s);
    assert_bits(v, "entropy_bits_0", 1 + .5 * 17 + .5 * 8, 1e-9);
    assert_bits(v, "entropy_bits_10", 1 + .5 * 9, 1e-9);
    free(v);
    script_destroy(s);
}

/* Words drawn at random, those at the front of the array `power` times more steeply; against a full count. */
static double error_of_sample(unsigned power, uint64_t seed)
{
    enum { WORDS = 1 << 18, BLOCKS = 4 };
    static uint32_t count[WORDS];
    memset(count, 0, sizeof count);
    script *const s = script_create(BLOCKS, 32);
    const uint32_t load = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4);
    const uint64_t base = (seed + 1) << 30; /* another base, another sample */
    uint64_t n = 0;
    for (unsigned block = 0; block < BLOCKS; block++)
        for (unsigned i = 0; i < WORDS / 32 / BLOCKS * 4; i++) {
            uint64_t a[WS_WARP];
            for (unsigned lane = 0; lane < WS_WARP; lane++) {
                seed = seed * 6364136223846793005u + 1442695040888963407u; /* Knuth's MMIX generator */
                const unsigned word = (unsigned)(pow((double)(seed >> 11) / 9007199254740992., power) * (WORDS - 1));
                a[lane] = base + 4ull * word;
                count[word]++;
                n++;
            }
            access_at(s, block, 0, load, ALL_LANES, a);
        }
    double want = 0;
    for (unsigned i = 0; i < WORDS; i++)
        if (count[i])
            want -= count[i] / (double)n * log2(count[i] / (double)n);
    double *const v = power == 2 ? measure(M, s) : NULL, got;
    if (v) {
        got = column(M, v, "entropy_bits_0");
        free(v);
    } else { /* the merge law has been checked: one pass will do */
        double *const counter = script_finish(M, s, script_range(M, s, 0, BLOCKS, 1000));
        double value[16];
        M->emit(counter, value);
        got = column(M, value, "entropy_bits_0");
        free(counter);
    }
    script_destroy(s);
    return fabs(got - want);
}

static void test_large_uneven(void **unused)
{
    (void)unused;
    assert_true(error_of_sample(1, 1) < .01);
    assert_true(error_of_sample(2, 2) < .1);
    for (uint64_t seed = 3; seed < 5; seed++) {
        assert_true(error_of_sample(3, seed) < .3); /* 10 % of all accesses in the first of 1024 KiB, unevenly spread */
        assert_true(error_of_sample(4, seed) < .5); /* 18 % */
    }
}

static void test_no_accesses(void **unused)
{
    (void)unused;
    script *const s = script_create(1, 32);
    double *const v = measure(M, s);
    assert_bits(v, "entropy_bits_0", 0, 0);
    assert_bits(v, "entropy_relative", 0, 0);
    free(v);
    script_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dense),
        cmocka_unit_test(test_one_address_and_two),
        cmocka_unit_test(test_uneven),
        cmocka_unit_test(test_large_dense),
        cmocka_unit_test(test_large_with_hot_spot),
        cmocka_unit_test(test_large_uneven),
        cmocka_unit_test(test_no_accesses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
