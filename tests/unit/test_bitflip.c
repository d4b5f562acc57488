/* test_bitflip.c - changed bits and arrays: the worked example, 64-bit and narrow elements, the sample of blocks. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/events.h"

#include <gsl/gsl_rng.h>

extern const ws_metric ws_metric_bitflip;
static const ws_metric *const M = &ws_metric_bitflip;

/* A write of `after` over `before` in all lanes of exec; other lanes hold noise that must not count. */
static void write_value(script *s, unsigned block, int is_shared, unsigned bytes, uint32_t exec, const uint64_t *before,
                        const uint64_t *after)
{
    script_block *const b = &s->block[block];
    b->value = script_grow(b->value, b->values, sizeof *b->value);
    b->word = realloc(b->word, (b->values + 1) * 64 * sizeof *b->word);
    assert_non_null(b->word);
    memcpy(b->word + b->values * 64, before, 32 * sizeof *before);
    memcpy(b->word + b->values * 64 + 32, after, 32 * sizeof *after);
    b->value[b->values] = (ws_value){.is_shared = (uint8_t)is_shared, .bytes = (uint8_t)bytes, .exec = exec};
    b->values++;
    for (size_t i = 0; i < b->values; i++) { /* the words may have moved */
        b->value[i].before = b->word + i * 64;
        b->value[i].after = b->word + i * 64 + 32;
    }
}

static void write_same(script *s, unsigned block, int is_shared, unsigned bytes, uint32_t exec, uint64_t before,
                       uint64_t after)
{
    uint64_t a[32], b[32];
    for (unsigned lane = 0; lane < 32; lane++) {
        a[lane] = exec >> lane & 1 ? before : 0xdead;
        b[lane] = exec >> lane & 1 ? after : 0xbeef;
    }
    write_value(s, block, is_shared, bytes, exec, a, b);
}

static const char *const reg[] = {"bitflip_reg_k1", "bitflip_reg_k2",  "bitflip_reg_k4",
                                  "bitflip_reg_k8", "bitflip_reg_k16", "bitflip_reg_k32"};
static const char *const shared[] = {"bitflip_shared_k1", "bitflip_shared_k2",  "bitflip_shared_k4",
                                     "bitflip_shared_k8", "bitflip_shared_k16", "bitflip_shared_k32"};

/* old 0x0000FFFF, new 0x0001FFFE: 2 flips; 2, 4, 8, 16, 32, 32 bits written. */
static void test_worked_example(void **unused)
{
    (void)unused;
    const double want[] = {2, 4, 8, 16, 32, 32};
    script *const s = script_create(1, 32);
    write_same(s, 0, 0, 4, ALL_LANES, 0x0000ffff, 0x0001fffe);
    write_same(s, 0, 1, 4, 0x00f0, 0x0000ffff, 0x0001fffe);
    double *const v = measure(M, s);
    for (unsigned i = 0; i < 6; i++) {
        assert_column(M, v, reg[i], want[i] / 32);
        assert_column(M, v, shared[i], want[i] / 32);
    }
    assert_column(M, v, "bitflip_reg_same", 0);
    free(v);
    script_destroy(s);
}

static void test_no_change_and_all_change(void **unused)
{
    (void)unused;
    script *const s = script_create(1, 32);
    write_same(s, 0, 0, 8, ALL_LANES, 5, 5);
    write_same(s, 0, 1, 8, 0x3, 0, UINT64_MAX);
    double *const v = measure(M, s);
    for (unsigned i = 0; i < 6; i++) {
        assert_column(M, v, reg[i], 0);
        assert_column(M, v, shared[i], 1);
    }
    assert_column(M, v, "bitflip_reg_same", 1);
    assert_column(M, v, "bitflip_shared_same", 0);
    free(v);
    script_destroy(s);
}

/* A byte is an array of 8 bits also where arrays are wider. */
static void test_narrow_elements(void **unused)
{
    (void)unused;
    script *const s = script_create(1, 32);
    write_same(s, 0, 1, 1, 0x1, 0x10, 0x11);
    double *const v = measure(M, s);
    const double want[] = {1, 2, 4, 8, 8, 8};
    for (unsigned i = 0; i < 6; i++)
        assert_column(M, v, shared[i], want[i] / 8);
    free(v);
    script_destroy(s);
}

static void test_random_against_plain(void **unused)
{
    (void)unused;
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_taus2);
    gsl_rng_set(rng, 8);
    script *const s = script_create(1, 32);
    double written[6] = {0}, bits = 0, writes = 0, same = 0;
    for (unsigned i = 0; i < 200; i++) {
        uint64_t a[32], b[32];
        const uint32_t exec = (uint32_t)gsl_rng_get(rng);
        const unsigned bytes = i % 2 ? 4 : 8;
        for (unsigned lane = 0; lane < 32; lane++) {
            a[lane] = (uint64_t)gsl_rng_get(rng) << 32 | gsl_rng_get(rng);
            b[lane] = i % 5 ? a[lane] ^ 1ull << (gsl_rng_get(rng) % 64) : ~a[lane];
            a[lane] &= bytes == 4 ? UINT32_MAX : UINT64_MAX;
            b[lane] &= bytes == 4 ? UINT32_MAX : UINT64_MAX;
            if (!(exec >> lane & 1))
                continue;
            bits += bytes * 8;
            writes++;
            same += a[lane] == b[lane];
            for (unsigned w = 0; w < 6; w++)
                for (unsigned at = 0; at < bytes * 8; at += 1u << w)
                    written[w] += (a[lane] ^ b[lane]) >> at & ((1ull << (1u << w)) - 1) ? 1u << w : 0;
        }
        write_value(s, 0, 0, bytes, exec, a, b);
    }
    double *const v = measure(M, s);
    for (unsigned w = 0; w < 6; w++)
        assert_column(M, v, reg[w], written[w] / bits);
    assert_column(M, v, "bitflip_reg_same", same / writes);
    free(v);
    gsl_rng_free(rng);
    script_destroy(s);
}

static void test_sample(void **unused)
{
    (void)unused;
    const uint64_t sizes[] = {1, 2, 7, 8, 9, 16, 17, 100, 128, 129, 1000, 65536, 1000003};
    for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        ws_launch launch = {.blocks = sizes[i]};
        const uint64_t share = (sizes[i] + 7) / 8;
        uint64_t n = 0;
        for (uint64_t block = 0; block < sizes[i]; block++)
            n += M->sink.sample_block(&launch, block) != 0;
        assert_int_equal(n, share < 16 ? share : 16);
        if (n > 1) {
            assert_true(M->sink.sample_block(&launch, 0));
            assert_true(M->sink.sample_block(&launch, sizes[i] - 1));
        }
    }
}

static void test_reads_and_writes(void **unused)
{
    (void)unused;
    script *const s = script_create(40, 32);
    const uint32_t add = instr(s, (ws_instr){.cls = WS_CLASS_INTEGER, .dsts = 1, .srcs = 2, .dst = {0}, .src = {1, 2}});
    const uint32_t load = memory(s, WS_SPACE_SHARED, WS_ACCESS_LOAD, 4);
    const uint32_t store = memory(s, WS_SPACE_SHARED, WS_ACCESS_STORE, 4);
    const uint32_t atom = memory(s, WS_SPACE_SHARED, WS_ACCESS_ATOMIC, 4);
    for (unsigned block = 0; block < 40; block++) {
        run(s, block, 0, add, 1, 0xff);
        access_line(s, block, 0, load, ALL_LANES, 0, 4);
        access_line(s, block, 0, load, ALL_LANES, 0, 4);
        access_line(s, block, 0, store, ALL_LANES, 0, 4);
        access_line(s, block, 0, atom, ALL_LANES, 0, 4);
        write_same(s, block, 0, 4, 1, 0, block % 2);
    }
    double *const v = measure(M, s);
    assert_column(M, v, "bitflip_reg_reads", 2. / 3);
    assert_column(M, v, "bitflip_shared_reads", 3. / 5);
    /* five of 40 blocks: 0 9 19 29 39, four of them odd */
    assert_column(M, v, "bitflip_reg_k1", 4. / 5 / 32);
    assert_column(M, v, "bitflip_reg_same", 1. / 5);
    free(v);
    script_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_worked_example),  cmocka_unit_test(test_no_change_and_all_change),
        cmocka_unit_test(test_narrow_elements), cmocka_unit_test(test_random_against_plain),
        cmocka_unit_test(test_sample),          cmocka_unit_test(test_reads_and_writes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
