/* Which 64-byte blocks does a warp access touch, and do they land in the DRAM rows that the frozen map says? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "metrics/dram_rows.h"
#include "metrics/warp_blocks.h"
#include "tests/unit/synthetic_events.h"

#include <gsl/gsl_rng.h>

typedef struct access {
    synthetic s;
    ws_warp_blocks *blocks;
    uint32_t pc;
} access;

static void start(access *a, ws_space space, unsigned bytes)
{
    syn_init(&a->s, 3, 64);
    a->s.launch.local_bytes = 18; /* five words */
    a->pc = syn_memory_instr(&a->s, space, WS_ACCESS_LOAD, bytes);
    a->blocks = calloc(1, sizeof *a->blocks);
}

static void stop(access *a)
{
    free(a->blocks);
    syn_fini(&a->s);
}

static unsigned find(access *a, const ws_event *ev, uint64_t block)
{
    const ws_batch batch = {.block = block, .event = ev, .events = 1, .address = a->s.block[block].address};
    return ws_warp_blocks_find(a->blocks, &a->s.launch, &batch, ev);
}

static void unit_stride_of_words_is_two_blocks(void **state)
{
    (void)state;
    access a;
    start(&a, WS_SPACE_GLOBAL, 4);
    assert_int_equal(find(&a, syn_stride(&a.s, 0, 0, a.pc, UINT32_MAX, 4096, 4), 0), 2);
    assert_int_equal(a.blocks->block[0], 64);
    assert_int_equal(a.blocks->block[1], 65);
    assert_int_equal(find(&a, syn_stride(&a.s, 0, 0, a.pc, UINT32_MAX, 4096 + 124, -4), 0), 2);
    assert_int_equal(a.blocks->block[0], 65); /* order of the lowest lane */
    assert_int_equal(find(&a, syn_stride(&a.s, 0, 0, a.pc, UINT32_MAX, 4100, 4), 0), 3);
    assert_int_equal(find(&a, syn_stride(&a.s, 0, 0, a.pc, UINT32_MAX, 64, 0), 0), 1);
    assert_int_equal(find(&a, syn_stride(&a.s, 0, 0, a.pc, UINT32_MAX, 0, 256), 0), 32);
    assert_int_equal(find(&a, syn_stride(&a.s, 0, 0, a.pc, 0, 0, 256), 0), 0);
    assert_int_equal(find(&a, syn_stride(&a.s, 0, 0, a.pc, 1u << 31, 0, 256), 0), 1);
    assert_int_equal(a.blocks->block[0], 31 * 256 / 64);
    stop(&a);
}

/* Thread blocks 16 wide: the halves of a warp are rows of a matrix. */
static void halves_of_a_warp_may_differ(void **state)
{
    (void)state;
    uint64_t row[WS_WARP], same[WS_WARP], falling[WS_WARP];
    for (unsigned lane = 0; lane < WS_WARP; lane++) {
        row[lane] = 8192 + (lane % 16) * 4;   /* both halves read the same row */
        same[lane] = 4096 - lane / 16 * 1024; /* each half one element; the second lies below */
        falling[lane] = lane < 16 ? 640 + 64 * lane : 640 + 64 * (31 - lane); /* there and back */
    }
    access a;
    start(&a, WS_SPACE_GLOBAL, 4);
    assert_int_equal(find(&a, syn_access(&a.s, 0, 0, a.pc, UINT32_MAX, row), 0), 1);
    assert_int_equal(find(&a, syn_access(&a.s, 0, 0, a.pc, UINT32_MAX, same), 0), 2);
    assert_int_equal(a.blocks->block[0], 64);
    assert_int_equal(a.blocks->block[1], 48);
    assert_int_equal(find(&a, syn_access(&a.s, 0, 0, a.pc, UINT32_MAX, falling), 0), 16);
    assert_int_equal(a.blocks->block[15], 25);
    assert_int_equal(find(&a, syn_access(&a.s, 0, 0, a.pc, 0xffff7fffu, falling), 0), 16);
    assert_int_equal(a.blocks->block[15], 25); /* lane 15 is off, lane 16 goes there */
    stop(&a);
}

static void unaligned_accesses_touch_both_blocks(void **state)
{
    (void)state;
    access a;
    start(&a, WS_SPACE_GLOBAL, 16);
    assert_int_equal(find(&a, syn_stride(&a.s, 0, 0, a.pc, 3, 56, 64), 0), 3);
    stop(&a);
}

static void local_words_of_a_warp_lie_side_by_side(void **state)
{
    (void)state;
    access a;
    start(&a, WS_SPACE_LOCAL, 4);
    const uint64_t region = (UINT64_C(1) << 62) / 64;
    assert_int_equal(find(&a, syn_stride(&a.s, 0, 0, a.pc, UINT32_MAX, 8, 0), 0), 2); /* third word: 128 bytes */
    assert_int_equal(a.blocks->block[0], region + 4);
    assert_int_equal(a.blocks->block[1], region + 5);
    assert_int_equal(find(&a, syn_stride(&a.s, 2, 1, a.pc, 0xffff0000u, 0, 0), 2), 1);
    assert_int_equal(a.blocks->block[0], region + (2 * 2 + 1) * 5 * 2 + 1); /* warps before it have five words each */
    stop(&a);
}

/* Random lanes, wide and narrow: distinct, in order of first appearance, nothing lost. */
static void agrees_with_a_plain_search(void **state)
{
    (void)state;
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_taus2);
    gsl_rng_set(rng, 7);
    for (unsigned round = 0; round < 4000; round++) {
        const unsigned long width[] = {1, 4, 16, 64}, spread[] = {300, 5000, 100000, 1000000000};
        const unsigned bytes = (unsigned)width[gsl_rng_uniform_int(rng, 4)];
        const unsigned long range = spread[gsl_rng_uniform_int(rng, 4)];
        uint64_t address[WS_WARP], expect[WS_WARP * 2 * 2];
        unsigned n = 0;
        access a;
        start(&a, WS_SPACE_GLOBAL, bytes);
        const uint32_t exec = round % 3 ? UINT32_MAX : (uint32_t)gsl_rng_get(rng);
        for (unsigned lane = 0; lane < WS_WARP; lane++) {
            address[lane] = gsl_rng_uniform_int(rng, range);
            if (!(exec >> lane & 1))
                continue;
            for (uint64_t b = address[lane] / 64; b <= (address[lane] + bytes - 1) / 64; b++) {
                unsigned i = 0;
                while (i < n && expect[i] != b)
                    i++;
                if (i == n)
                    expect[n++] = b;
            }
        }
        assert_int_equal(find(&a, syn_access(&a.s, 0, 0, a.pc, exec, address), 0), n);
        assert_memory_equal(a.blocks->block, expect, n * sizeof *expect);
        stop(&a);
    }
    gsl_rng_free(rng);
}

static void scratch_survives_the_wrap_of_its_stamp(void **state)
{
    (void)state;
    access a;
    start(&a, WS_SPACE_GLOBAL, 4);
    const ws_event *const falling = syn_stride(&a.s, 0, 0, a.pc, UINT32_MAX, 1 << 20, -64);
    for (unsigned i = 0; i < WS_WARP_BLOCKS_SLOTS; i++)
        a.blocks->slot_stamp[i] = 1 + i % 3; /* left behind by the first three uses */
    a.blocks->stamp = UINT32_MAX - 2;
    for (int i = 0; i < 8; i++)
        assert_int_equal(find(&a, falling, 0), 32);
    assert_true(a.blocks->stamp < 8);
    stop(&a);
}

static void the_widest_local_access_fits_and_wider_ones_are_refused(void **state)
{
    (void)state;
    access a;
    start(&a, WS_SPACE_LOCAL, WS_LANE_BYTES_MOST);
    a.s.launch.local_bytes = 1 << 20;
    assert_int_equal(ws_warp_blocks_check(&a.s.launch), WS_OK);
    assert_int_equal(find(&a, syn_stride(&a.s, 0, 0, a.pc, UINT32_MAX, (1 << 19) + 3, -1000), 0), 32 * 17);
    a.s.instr[a.pc].bytes = WS_LANE_BYTES_MOST + 1;
    assert_int_equal(ws_warp_blocks_check(&a.s.launch), WS_EUNSUPPORTED);
    stop(&a);
}

static void the_dram_map_is_frozen(void **state)
{
    (void)state;
    const struct {
        uint64_t address;
        unsigned place;
        uint64_t row;
    } known[] = {
        {0, 0, 0},     {255, 0, 0},    {256, 1, 0},          {2047, 7, 0},  {2048, 0, 0},
        {16383, 7, 0}, /* a row of every channel */
        {16384, 8, 0}, {32768, 16, 0}, {49152 + 300, 25, 0}, {65536, 0, 1}, {UINT64_C(1) << 40, 0, 1 << 24},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        unsigned place;
        assert_int_equal(ws_dram_map(known[i].address, &place), known[i].row);
        assert_int_equal(place, known[i].place);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unit_stride_of_words_is_two_blocks),
        cmocka_unit_test(halves_of_a_warp_may_differ),
        cmocka_unit_test(unaligned_accesses_touch_both_blocks),
        cmocka_unit_test(local_words_of_a_warp_lie_side_by_side),
        cmocka_unit_test(agrees_with_a_plain_search),
        cmocka_unit_test(scratch_survives_the_wrap_of_its_stamp),
        cmocka_unit_test(the_widest_local_access_fits_and_wider_ones_are_refused),
        cmocka_unit_test(the_dram_map_is_frozen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
