/* Blocks and banks of a warp's access, against closed forms and a reference that looks at every byte. */
#include "model/sim/sm/atomic.h"

#include <gsl/gsl_rng.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void ramp(uint64_t address[32], uint64_t base, uint64_t stride)
{
    for (unsigned i = 0; i < 32; i++)
        address[i] = base + i * stride;
}

static unsigned blocks(uint64_t base, uint64_t stride, uint32_t exec)
{
    uint64_t address[32];
    ws_touch out[WS_TOUCHES];
    ramp(address, base, stride);
    return ws_coalesce(address, exec, 4, 128, out);
}

static void closed_forms(void **state)
{
    (void)state;
    const uint32_t all = UINT32_MAX;
    assert_int_equal(blocks(0x1000, 4, all), 1);
    assert_int_equal(blocks(0x1040, 4, all), 2);
    assert_int_equal(blocks(0x1000, 8, all), 2);
    assert_int_equal(blocks(0x1000, 12, all), 3);
    assert_int_equal(blocks(0x1000, 128, all), 32);
    assert_int_equal(blocks(0x1000, 0, all), 1);
    assert_int_equal(blocks(0x1000, 256, 0xffff), 16);
    assert_int_equal(blocks(0x1000, 4, 0), 0);
}

/* Every byte of every lane, looked for among the touches, and the other way round. */
static void check(const uint64_t address[32], uint32_t exec, unsigned bytes, unsigned line)
{
    ws_touch out[WS_TOUCHES];
    const unsigned n = ws_coalesce(address, exec, bytes, line, out);
    unsigned next = 0;
    for (unsigned lane = 0; lane < 32; lane++)
        for (unsigned b = 0; exec >> lane & 1 && b < bytes; b++) {
            unsigned i = 0;
            while (i < n && out[i].block != (address[lane] + b) / line)
                i++;
            assert_true(i < n && i <= next); /* in the order of the lowest lane */
            next += i == next;
            assert_true(out[i].lanes >> lane & 1);
            assert_true(out[i].words >> (address[lane] + b) % line / 4 & 1);
        }
    assert_int_equal(next, n);
    for (unsigned i = 0; i < n; i++) {
        unsigned distinct = 0, words = 0;
        uint32_t lanes = 0;
        for (unsigned at = 0; at < line; at++) {
            const uint64_t byte = out[i].block * line + at;
            uint32_t of = 0;
            for (unsigned lane = 0; lane < 32; lane++)
                of |= (uint32_t)(exec >> lane & 1 && byte >= address[lane] && byte < address[lane] + bytes) << lane;
            distinct += of != 0;
            lanes |= of;
            words |= (uint32_t)(of != 0) << at / 4;
        }
        assert_int_equal(out[i].bytes, distinct);
        assert_int_equal(out[i].words, words);
        assert_int_equal(out[i].lanes, lanes);
    }
}

static void random_addresses(void **state)
{
    (void)state;
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_taus);
    gsl_rng_set(rng, 7);
    static const unsigned sizes[] = {1, 2, 4, 8, 16, 32};
    for (unsigned trial = 0; trial < 300; trial++) {
        uint64_t address[32];
        const uint64_t spread = UINT64_C(1) << gsl_rng_uniform_int(rng, 14);
        for (unsigned i = 0; i < 32; i++)
            address[i] = 0x7f0000000000 + gsl_rng_uniform_int(rng, spread + 1); /* not aligned */
        check(address, (uint32_t)gsl_rng_uniform_int(rng, 1u << 31) * 2 + 1, sizes[trial % 6], 32u << trial % 3);
    }
    gsl_rng_free(rng);
}

static void atomics(void **state)
{
    (void)state;
    uint64_t address[32];
    ws_touch out[WS_TOUCHES];
    const ws_atomic_ops *const serial = ws_atomic_ops_of(ws_atomic_kind_find("serial"));
    const ws_atomic_ops *const combined = ws_atomic_ops_of(ws_atomic_kind_find("combined"));
    assert_null(ws_atomic_kind_find("none"));
    assert_ptr_equal(ws_atomic_ops_of(ws_atomic_kind_at(0)), serial);
    ramp(address, 0x100, 0);
    assert_int_equal(serial->split(address, UINT32_MAX, 4, 128, out), 32);
    for (unsigned i = 0; i < 32; i++)
        assert_true(out[i].lanes == 1u << i && out[i].words == 1 && out[i].bytes == 4);
    assert_int_equal(combined->split(address, UINT32_MAX, 4, 128, out), 1);
    assert_int_equal(out[0].lanes, UINT32_MAX);
    ramp(address, 0x100, 4);
    assert_int_equal(serial->split(address, UINT32_MAX, 4, 128, out), 1);
    /* Three words with 2, 3 and 1 lanes, the last in another block. */
    const uint64_t some[32] = {0x100, 0x104, 0x100, 0x104, 0x104, 0x200};
    assert_int_equal(serial->split(some, 0x3f, 4, 128, out), 4);
    assert_true(out[0].lanes == 3 && out[1].lanes == 0x20 && out[2].lanes == 0xc && out[3].lanes == 0x10);
    /* Eight bytes across: they share a word with both. */
    const uint64_t across[32] = {0x100, 0x108, 0x104};
    assert_int_equal(serial->split(across, 7, 8, 128, out), 2);
    assert_true(out[0].lanes == 3 && out[1].lanes == 4);
}

/* What closed forms take from the row is what the simulator does. */
static void rules_that_combine(void **state)
{
    (void)state;
    for (size_t i = 0; ws_atomic_kind_at(i); i++)
        assert_int_equal(ws_atomic_kind_at(i)->combines, ws_atomic_ops_of(ws_atomic_kind_at(i))->split == ws_coalesce);
}

static unsigned slow_bank_cycles(const uint64_t address[32], uint32_t exec, unsigned bytes, unsigned banks)
{
    unsigned most = 1;
    for (unsigned bank = 0; bank < banks; bank++) {
        unsigned distinct = 0;
        for (uint64_t word = bank; word < 4096 / 4; word += banks) {
            int used = 0;
            for (unsigned lane = 0; lane < 32; lane++)
                for (unsigned b = 0; b < bytes; b++)
                    used |= exec >> lane & 1 && (address[lane] + b) / 4 == word;
            distinct += (unsigned)used;
        }
        most = distinct > most ? distinct : most;
    }
    return most;
}

static void banks(void **state)
{
    (void)state;
    uint64_t address[32];
    ramp(address, 0, 4);
    assert_int_equal(ws_bank_cycles(address, UINT32_MAX, 4, 32), 1);
    assert_int_equal(ws_bank_cycles(address, 0, 4, 32), 1);
    ramp(address, 0, 8);
    assert_int_equal(ws_bank_cycles(address, UINT32_MAX, 4, 32), 2);
    assert_int_equal(ws_bank_cycles(address, UINT32_MAX, 8, 32), 2);
    ramp(address, 0, 16);
    assert_int_equal(ws_bank_cycles(address, UINT32_MAX, 16, 32), 4);
    ramp(address, 0, 32);
    assert_int_equal(ws_bank_cycles(address, UINT32_MAX, 16, 32), 8);
    ramp(address, 0, 0);
    assert_int_equal(ws_bank_cycles(address, UINT32_MAX, 16, 32), 1); /* all lanes want the same */
    ramp(address, 0, 128);
    assert_int_equal(ws_bank_cycles(address, UINT32_MAX, 4, 32), 32);
    ramp(address, 0, 132);
    assert_int_equal(ws_bank_cycles(address, UINT32_MAX, 4, 32), 1);
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_taus);
    gsl_rng_set(rng, 11);
    static const unsigned sizes[] = {1, 2, 4, 8, 16}, counts[] = {32, 16, 17, 64};
    for (unsigned trial = 0; trial < 60; trial++) {
        for (unsigned i = 0; i < 32; i++)
            address[i] = gsl_rng_uniform_int(rng, 4000);
        const uint32_t exec = (uint32_t)gsl_rng_uniform_int(rng, 1u << 31) * 2 + 1;
        assert_int_equal(ws_bank_cycles(address, exec, sizes[trial % 5], counts[trial % 4]),
                         slow_bank_cycles(address, exec, sizes[trial % 5], counts[trial % 4]));
    }
    gsl_rng_free(rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(closed_forms), cmocka_unit_test(random_addresses),
                                       cmocka_unit_test(atomics), cmocka_unit_test(rules_that_combine),
                                       cmocka_unit_test(banks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
