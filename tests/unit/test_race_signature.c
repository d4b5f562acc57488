/* test_race_signature.c - does a signature never miss what was put in, and how often does it claim what was not? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/status.h"
#include "model/coherence/race_signature.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 128, ALL = -1 };

static uint64_t random_state;

static uint64_t random_number(void)
{
    random_state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = random_state;
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static ws_signature_shape shape_of(uint32_t bits, uint32_t unit, bool filter, bool exact)
{
    ws_signature_shape shape;
    const ws_signature_choice choice = {
        .bits = bits, .hashes = 6, .unit = unit, .block = BLOCK, .filter = filter, .exact = exact};
    assert_int_equal(ws_signature_setup(&shape, &choice), WS_OK);
    return shape;
}

static const uint32_t units[] = {1, 4, 128, 512};

static void test_no_false_negative(void **unused)
{
    (void)unused;
    for (size_t u = 0; u < 4; u++)
        for (uint32_t bits = 1024; bits <= 16384; bits *= 2) {
            const ws_signature_shape shape = shape_of(bits, units[u], true, true);
            void *const s = calloc(1, shape.bytes);
            random_state = bits + u;
            uint64_t block[4096];
            uint32_t words[4096], n = 0;
            while (!ws_signature_is_full(&shape, s)) {
                block[n] = random_number() >> 20;
                words[n] = (uint32_t)(random_number() | 1);
                ws_signature_insert(&shape, s, block[n], words[n]);
                n++;
            }
            for (uint32_t i = 0; i < n; i++) {
                const ws_signature_answer all = ws_signature_test(&shape, s, block[i], words[i]);
                const ws_signature_answer one = ws_signature_test(&shape, s, block[i], 1);
                assert_true(all.in && all.really_in && one.in && one.really_in);
            }
            ws_signature_clear(&shape, s);
            assert_false(ws_signature_test(&shape, s, block[0], words[0]).in);
            free(s);
        }
}

/* Tabbakh 2018: 2.16 % for each of the five sizes when it has as many entries as it is for. */
static void test_false_rate(void **unused)
{
    (void)unused;
    assert_true(fabs(ws_signature_false_rate(1024, 6, 128) - 0.02162) < 5e-6);
    assert_true(fabs(ws_signature_false_rate(16384, 6, 2048) - 0.02158) < 5e-6);
    assert_true(fabs(ws_signature_false_rate(1024, 6, 64) - 0.00094) < 5e-6);
    assert_true(ws_signature_false_rate(1024, 6, 0) == 0);
    for (uint32_t bits = 1024; bits <= 16384; bits *= 2) {
        const ws_signature_shape shape = shape_of(bits, BLOCK, true, true);
        void *const s = calloc(1, shape.bytes);
        uint64_t wrong = 0, asked = 0, set = 0;
        enum { ROUNDS = 64, PROBES = 4000 };
        random_state = bits;
        for (int round = 0; round < ROUNDS; round++) {
            ws_signature_clear(&shape, s);
            const uint64_t base = random_number() >> 30; /* neighbours, as arrays are */
            for (uint32_t i = 0; i < shape.capacity; i++)
                ws_signature_insert(&shape, s, base + i, 1);
            set += ws_signature_set_bits(&shape, s);
            for (int i = 0; i < PROBES; i++) {
                const ws_signature_answer a = ws_signature_test(&shape, s, base + shape.capacity + (uint64_t)i, 1);
                assert_false(a.really_in);
                wrong += a.in;
                asked++;
            }
        }
        const double expected = ws_signature_false_rate(bits, 6, shape.capacity);
        const double found = (double)wrong / (double)asked;
        assert_true(fabs(found / expected - 1) < 0.1);
        const double fill = (double)set / ROUNDS / bits;
        assert_true(fabs(fill / ws_signature_fill(bits, 6, shape.capacity) - 1) < 0.02);
        free(s);
    }
}

static void test_units(void **unused)
{
    (void)unused;
    static const uint32_t of_block[] = {128, 32, 1, 1}, of_word[] = {4, 1, 1, 1};
    for (size_t u = 0; u < 4; u++) {
        const ws_signature_shape shape = shape_of(4096, units[u], true, true);
        void *const s = calloc(1, shape.bytes);
        assert_int_equal(ws_signature_units(&shape, 32), of_block[u]);
        assert_int_equal(ws_signature_insert(&shape, s, 8, (uint32_t)ALL), of_block[u]);
        assert_int_equal(ws_signature_insert(&shape, s, 8, 1), of_word[u]);
        assert_int_equal(ws_signature_count(s), of_block[u] + of_word[u]);
        assert_int_equal(ws_signature_test(&shape, s, 8, (uint32_t)ALL).units, of_block[u]);
        /* Another block of the same half page, and of another one. */
        assert_true(ws_signature_test(&shape, s, 11, 1).really_in == (units[u] == 512));
        assert_false(ws_signature_test(&shape, s, 12, 1).really_in);
        ws_signature_clear(&shape, s);
        /* Another word of the same block. */
        ws_signature_insert(&shape, s, 8, 1);
        assert_true(ws_signature_test(&shape, s, 8, 2).really_in == (units[u] >= BLOCK));
        free(s);
    }
}

static void test_exact_alone(void **unused)
{
    (void)unused;
    const ws_signature_shape shape = shape_of(1024, BLOCK, false, true);
    void *const s = calloc(1, shape.bytes), *const copy = calloc(1, shape.bytes);
    for (uint64_t i = 0; i < 128; i++)
        ws_signature_insert(&shape, s, 7 * i, 1);
    assert_true(ws_signature_is_full(&shape, s));
    ws_signature_copy(&shape, copy, s);
    for (uint64_t i = 0; i < 7 * 128; i++)
        assert_true(ws_signature_test(&shape, copy, i, 1).in == (i % 7 == 0));
    assert_int_equal(ws_signature_set_bits(&shape, s), 0);
    free(s);
    free(copy);
}

/* Bytes of the run lengths beside those of bits drawn at random: enough, and at most what the longest runs add. */
static void test_runs(void **unused)
{
    (void)unused;
    const ws_signature_shape shape = shape_of(2048, BLOCK, true, false);
    assert_int_equal(ws_signature_run_bytes(&shape, 0), 9);
    assert_int_equal(ws_signature_run_bytes(&shape, 44), 52);
    assert_int_equal(ws_signature_run_bytes(&shape, 2048), 256);
    uint64_t seed = 7;
    for (uint32_t every = 8; every < 2048; every += every / 3) {
        uint32_t bytes = 0, set = 0, run = 0;
        for (uint32_t i = 0; i < shape.bits; i++, run++) {
            seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            if ((seed >> 33) % every)
                continue;
            bytes += 1 + run / 255;
            set++;
            run = 0;
        }
        const uint32_t said = ws_signature_run_bytes(&shape, set);
        assert_true(said == 256 ? bytes >= 248 : said >= bytes && said <= bytes + 9);
    }
    /* An exact set takes what a filter with its entries would. */
    const ws_signature_shape exact = shape_of(1024, BLOCK, false, true);
    void *const s = calloc(1, exact.bytes);
    assert_true(ws_signature_bits_set(&exact, s) == 0);
    ws_signature_insert(&exact, s, 3, 1);
    assert_true(ws_signature_bits_set(&exact, s) > 5.9 && ws_signature_bits_set(&exact, s) <= 6);
    free(s);
}

static void test_refused(void **unused)
{
    (void)unused;
    static const struct {
        ws_signature_choice choice;
        const char *says;
    } bad[] = {
        {{0, 6, 128, 128, 0, true, false}, "0 bits"},
        {{1000, 6, 128, 128, 0, true, false}, "1000 bits"},
        {{32, 6, 128, 128, 0, true, false}, "32 bits"},
        {{1024, 0, 128, 128, 0, true, false}, "0 hashes"},
        {{1024, 17, 128, 128, 0, true, false}, "17 hashes"},
        {{1024, 6, 3, 128, 0, true, false}, "units of 3 bytes"},
        {{1024, 6, 0, 128, 0, true, false}, "units of 0 bytes"},
        {{1024, 6, 8192, 128, 0, true, false}, "units of 8192 bytes"},
        {{1024, 6, 128, 96, 0, true, false}, "blocks of 96 bytes"},
        {{1024, 6, 128, 128, 1 << 20, true, false}, "1048576 entries"},
        {{1024, 6, 128, 128, 0, false, false}, "without a filter"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ws_signature_shape shape;
        assert_int_equal(ws_signature_setup(&shape, &bad[i].choice), WS_EINPUT);
        assert_non_null(strstr(ws_message(), bad[i].says));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_false_negative), cmocka_unit_test(test_false_rate), cmocka_unit_test(test_units),
        cmocka_unit_test(test_exact_alone),       cmocka_unit_test(test_runs),       cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests_name("race_signature", tests, NULL, NULL);
}
