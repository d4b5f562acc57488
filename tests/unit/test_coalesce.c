/* test_coalesce.c - blocks, bytes, strides and bank passes of one warp access against closed forms and brute force. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "metrics/coalesce.h"

#include <gsl/gsl_rng.h>

enum { ALL = -1 };

static void ramp(uint64_t *address, uint64_t base, int64_t stride)
{
    for (unsigned lane = 0; lane < WS_WARP; lane++)
        address[lane] = base + (uint64_t)stride * lane;
}

static unsigned blocks(const uint64_t *address, uint32_t exec, unsigned bytes, unsigned shift)
{
    uint64_t block[WS_COALESCE_MAX];
    return ws_coalesce_blocks(address, exec, bytes, shift, block);
}

static void test_closed_forms(void **unused)
{
    (void)unused;
    uint64_t a[WS_WARP];
    ramp(a, 0x1000, 4); /* unit stride, aligned: 128 bytes */
    assert_int_equal(blocks(a, (uint32_t)ALL, 4, 5), 4);
    assert_int_equal(blocks(a, (uint32_t)ALL, 4, 6), 2);
    assert_int_equal(blocks(a, (uint32_t)ALL, 4, 7), 1);
    assert_int_equal(blocks(a, 0x0000ffff, 4, 5), 2);
    assert_int_equal(blocks(a, 0, 4, 5), 0);
    ramp(a, 0x1004, 4); /* shifted by one element: one sector more */
    assert_int_equal(blocks(a, (uint32_t)ALL, 4, 5), 5);
    assert_int_equal(blocks(a, (uint32_t)ALL, 4, 7), 2);
    ramp(a, 0x1000, 0); /* broadcast */
    assert_int_equal(blocks(a, (uint32_t)ALL, 4, 5), 1);
    ramp(a, 0x1000, 128);
    assert_int_equal(blocks(a, (uint32_t)ALL, 4, 5), 32);
    assert_int_equal(blocks(a, (uint32_t)ALL, 4, 7), 32);
    ramp(a, 0x1000, 64);
    assert_int_equal(blocks(a, (uint32_t)ALL, 4, 7), 16);
    ramp(a, 0x1000, 16); /* float4 */
    assert_int_equal(blocks(a, (uint32_t)ALL, 16, 5), 16);
    ramp(a, 0x1000 + 31 * 4, -4); /* backwards */
    assert_int_equal(blocks(a, (uint32_t)ALL, 4, 5), 4);
    ramp(a, 0x101e, 0); /* four bytes over the edge of a sector */
    assert_int_equal(blocks(a, (uint32_t)ALL, 4, 5), 2);
    ramp(a, UINT64_MAX - 63, 4); /* over the top of the address space: addresses of a damaged trace */
    assert_int_equal(blocks(a, (uint32_t)ALL, 4, 5), 4);
    ramp(a, UINT64_MAX, 0);
    assert_int_equal(blocks(a, (uint32_t)ALL, 4, 0), 1);
    assert_int_equal(blocks(a, (uint32_t)ALL, 4, 5), 1);
}

static void test_order_of_first_touch(void **unused)
{
    (void)unused;
    uint64_t a[WS_WARP] = {0}, block[WS_COALESCE_MAX];
    const uint64_t want[] = {9, 3, 12, 5, 4, 6, 30, 7};
    for (unsigned lane = 0; lane < WS_WARP; lane++)
        a[lane] = want[lane % 8] * 32;
    assert_int_equal(ws_coalesce_blocks(a, (uint32_t)ALL, 4, 5, block), 8);
    assert_memory_equal(block, want, sizeof want);
    const uint64_t wide[] = {4, 1, 6, 2, 3, 15};
    assert_int_equal(ws_coalesce_widen(block, 8, 1, block), 6);
    assert_memory_equal(block, wide, sizeof wide);
    ramp(a, 0x1000 + 31 * 4, -4);
    assert_int_equal(ws_coalesce_blocks(a, (uint32_t)ALL, 4, 5, block), 4);
    assert_true(block[0] == 0x1060 / 32 && block[3] == 0x1000 / 32);
}

static void test_bytes(void **unused)
{
    (void)unused;
    uint64_t a[WS_WARP];
    ramp(a, 0x1000, 4);
    assert_int_equal(ws_coalesce_bytes(a, (uint32_t)ALL, 4), 128);
    assert_int_equal(ws_coalesce_bytes(a, (uint32_t)ALL, 8), 132);
    assert_int_equal(ws_coalesce_bytes(a, 0x5, 4), 8);
    assert_int_equal(ws_coalesce_bytes(a, 0, 4), 0);
    ramp(a, 0x1000, 0);
    assert_int_equal(ws_coalesce_bytes(a, (uint32_t)ALL, 4), 4);
    ramp(a, 0x2000, -256);
    assert_int_equal(ws_coalesce_bytes(a, (uint32_t)ALL, 16), 512);
}

static void test_stride(void **unused)
{
    (void)unused;
    uint64_t a[WS_WARP];
    int64_t stride;
    ramp(a, 0x1000, -12);
    assert_true(ws_coalesce_stride(a, (uint32_t)ALL, &stride) && stride == -12);
    assert_true(ws_coalesce_stride(a, 0x80000101, &stride) && stride == -12);
    assert_false(ws_coalesce_stride(a, 0x100, &stride));
    assert_false(ws_coalesce_stride(a, 0, &stride));
    a[17]++;
    assert_false(ws_coalesce_stride(a, (uint32_t)ALL, &stride));
    assert_int_equal(stride, 0);
    assert_true(ws_coalesce_stride(a, ~(1u << 17), &stride) && stride == -12);
    a[0] = 0, a[3] = 8, a[6] = 16; /* on a line, but not at whole bytes a lane */
    assert_false(ws_coalesce_stride(a, 0x49, &stride));
}

static unsigned local_blocks(const uint64_t *offset, uint32_t exec, unsigned bytes, unsigned shift)
{
    uint64_t block[WS_COALESCE_MAX];
    return ws_coalesce_local_blocks(offset, exec, bytes, shift, block);
}

static void test_local_words_interleave(void **unused)
{
    (void)unused;
    uint64_t offset[WS_WARP], block[WS_COALESCE_MAX];
    ramp(offset, 24, 0); /* the same word of all lanes: one row of 128 bytes */
    assert_int_equal(local_blocks(offset, (uint32_t)ALL, 4, 7), 1);
    assert_int_equal(local_blocks(offset, (uint32_t)ALL, 4, 5), 4);
    assert_int_equal(local_blocks(offset, (uint32_t)ALL, 1, 5), 4);
    assert_int_equal(local_blocks(offset, (uint32_t)ALL, 16, 7), 4);
    assert_int_equal(local_blocks(offset, 0x00ff00ff, 8, 5), 4);
    assert_int_equal(local_blocks(offset, 0, 4, 5), 0);
    ramp(offset, 26, 0); /* misaligned: the next word also, of the lanes that reach it */
    assert_int_equal(local_blocks(offset, (uint32_t)ALL, 4, 7), 2);
    assert_int_equal(local_blocks(offset, (uint32_t)ALL, 2, 7), 1);
    assert_int_equal(local_blocks(offset, (uint32_t)ALL, 16, 7), 5);
    offset[0] = 24;
    assert_int_equal(local_blocks(offset, 1, 4, 5), 1);
    assert_int_equal(local_blocks(offset, 0xff, 4, 5), 2);
    ramp(offset, 0, 4); /* each lane its own word: all apart */
    assert_int_equal(local_blocks(offset, (uint32_t)ALL, 4, 7), 32);
    assert_int_equal(local_blocks(offset, (uint32_t)ALL, 8, 7), 33);
    offset[3] = 7;
    assert_int_equal(ws_coalesce_local_blocks(offset, 1u << 3, 1, 0, block), 1);
    assert_int_equal(block[0], (32 + 3) * 4 + 3);
}

static unsigned passes(int64_t stride, unsigned bytes, uint32_t exec)
{
    uint64_t a[WS_WARP];
    unsigned least;
    ramp(a, 0x8000, stride);
    return ws_coalesce_banks(a, exec, bytes, &least) * 1000 + least;
}

static void test_banks(void **unused)
{
    (void)unused;
    for (int64_t s = 1; s <= 64; s++) { /* stride of s words: gcd(s, 32) lanes a bank */
        const unsigned gcd = 1u << __builtin_ctz((unsigned)(s | 32));
        assert_int_equal(passes(4 * s, 4, (uint32_t)ALL), gcd * 1000 + 1);
        assert_int_equal(passes(-4 * s, 4, (uint32_t)ALL), gcd * 1000 + 1);
    }
    assert_int_equal(passes(0, 4, (uint32_t)ALL), 1001); /* broadcast */
    assert_int_equal(passes(1, 1, (uint32_t)ALL), 1001); /* bytes: four lanes a word */
    assert_int_equal(passes(2, 2, (uint32_t)ALL), 1001);
    assert_int_equal(passes(8, 8, (uint32_t)ALL), 2002); /* two half warps, no conflict */
    assert_int_equal(passes(8, 8, 0x0000ffff), 1001);
    assert_int_equal(passes(16, 8, (uint32_t)ALL), 4002);  /* stride of two doubles: two lanes a bank in each half */
    assert_int_equal(passes(16, 16, (uint32_t)ALL), 4004); /* four quarters */
    assert_int_equal(passes(128, 4, 0x00ff), 8001);
    assert_int_equal(passes(4, 4, 0), 0);
}

/* A slow and obvious count. */
static unsigned brute(const uint64_t *a, uint32_t exec, unsigned bytes, unsigned shift)
{
    uint64_t seen[WS_COALESCE_MAX * 32];
    unsigned n = 0;
    for (unsigned lane = 0; lane < WS_WARP; lane++) {
        for (unsigned k = 0; (exec >> lane & 1) && k < bytes; k++) {
            unsigned i = 0;
            while (i < n && seen[i] != (a[lane] + k) >> shift)
                i++;
            if (i == n)
                seen[n++] = (a[lane] + k) >> shift;
        }
    }
    return n;
}

static void test_random_against_brute_force(void **unused)
{
    (void)unused;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
    gsl_rng_set(rng, 1);
    for (unsigned round = 0; round < 3000; round++) {
        uint64_t a[WS_WARP], block[WS_COALESCE_MAX];
        const unsigned long range = 1ul << (4 + gsl_rng_uniform_int(rng, 12));
        const uint32_t exec = round % 3 ? (uint32_t)gsl_rng_get(rng) : (uint32_t)ALL;
        const unsigned bytes = 1u << gsl_rng_uniform_int(rng, 5);
        const uint64_t align = round % 5 ? bytes : 1;
        for (unsigned lane = 0; lane < WS_WARP; lane++)
            a[lane] = 0x7000 + gsl_rng_uniform_int(rng, range) / align * align;
        for (unsigned shift = 5; shift <= 12; shift++) {
            const unsigned n = ws_coalesce_blocks(a, exec, bytes, shift, block);
            assert_int_equal(n, brute(a, exec, bytes, shift));
            assert_int_equal(ws_coalesce_widen(block, n, 2, block), brute(a, exec, bytes, shift + 2));
        }
        assert_int_equal(ws_coalesce_bytes(a, exec, bytes), brute(a, exec, bytes, 0));
        assert_int_equal(blocks(a, exec, 1, 0), brute(a, exec, 1, 0));
    }
    gsl_rng_free(rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_closed_forms),
        cmocka_unit_test(test_order_of_first_touch),
        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_stride),
        cmocka_unit_test(test_local_words_interleave),
        cmocka_unit_test(test_banks),
        cmocka_unit_test(test_random_against_brute_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
