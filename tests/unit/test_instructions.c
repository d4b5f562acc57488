/* test_instructions.c - counts of single instructions: worked by hand, the same in every split, summed and read back,
 * damaged. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "metrics/instructions.h"
#include "tests/unit/synthetic_events.h"

enum { FIRST = 0x100000, SEED = 24 };
#define ALL UINT32_MAX

typedef struct kept {
    ws_bytes code, counts;
} kept;

/* In ranges of `chunk` blocks; negative: closed in falling order. */
static kept listen(const synthetic *s, int64_t chunk)
{
    const ws_sink *const sink = &ws_instructions_sink;
    const uint64_t size = (uint64_t)(chunk < 0 ? -chunk : chunk), blocks = s->launch.blocks,
                   chunks = (blocks + size - 1) / size;
    ws_fanout *fanout;
    kept k = {0};
    assert_int_equal(ws_fanout_create(&sink, 1, &s->launch, &fanout), WS_OK);
    for (uint64_t i = 0; i < chunks; i++) {
        const uint64_t first = (chunk < 0 ? chunks - 1 - i : i) * size;
        syn_deliver(s, fanout, first, first + size < blocks ? first + size : blocks, 3);
    }
    assert_int_equal(ws_instructions_finish(ws_fanout_state(fanout, 0), &s->launch, &k.code, &k.counts), WS_OK);
    ws_fanout_destroy(fanout);
    return k;
}

static void forget(kept *k)
{
    ws_bytes_fini(&k->code);
    ws_bytes_fini(&k->counts);
}

static ws_listing *read_back(const kept *k, ws_arena **arena)
{
    ws_listing *listing;
    *arena = ws_arena_create();
    assert_int_equal(ws_listing_read(ws_reader_of(&k->code), ws_reader_of(&k->counts), *arena, &listing), WS_OK);
    return listing;
}

static void expect(const ws_listing *l, uint32_t pc, ws_count count, uint64_t value)
{
    assert_int_equal(l->row[pc].count[count], value);
}

/* Two blocks of two warps; what a GPU's profiler would say of each instruction is worked out beside it. */
static void by_hand(void **unused)
{
    (void)unused;
    synthetic s;
    syn_init(&s, 2, 64);
    const uint32_t add = syn_instr(&s, WS_CLASS_INTEGER), mul = syn_instr(&s, WS_CLASS_FLOAT);
    const uint32_t load = syn_memory_instr(&s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4);
    const uint32_t tile = syn_memory_instr(&s, WS_SPACE_SHARED, WS_ACCESS_LOAD, 4);
    const uint32_t spill = syn_memory_instr(&s, WS_SPACE_LOCAL, WS_ACCESS_STORE, 4);
    const uint32_t branch = syn_instr(&s, WS_CLASS_BRANCH);
    for (uint64_t block = 0; block < 2; block++) {
        for (unsigned warp = 0; warp < 2; warp++) {
            syn_run(&s, block, warp, add, 2, warp ? 0xff : ALL); /* add and mul */
            syn_stride(&s, block, warp, load, ALL, FIRST,
                       128); /* 32 sectors, 4 would do; the second warp's are the first's */
            syn_stride(&s, block, warp, tile, ALL, 0, 8);  /* every other bank: two passes */
            syn_stride(&s, block, warp, spill, ALL, 0, 0); /* each thread's own: side by side */
            syn_branch(&s, block, warp, branch, ALL, warp ? ALL : 0xffff, 0);
        }
        syn_stride(&s, block, 0, load, 1, FIRST, 0); /* one lane, there already */
        syn_run(&s, block, 0, mul, 1, 0x3);
    }
    kept k = listen(&s, 1);
    ws_arena *arena;
    const ws_listing *const l = read_back(&k, &arena);
    assert_int_equal(l->rows, 6);
    assert_int_equal(l->launches, 1);
    assert_int_equal(l->places, 1);
    assert_string_equal(l->row[load].text, "synthetic");
    expect(l, add, WS_COUNT_issues, 4);
    expect(l, add, WS_COUNT_lanes, 2 * (32 + 8));
    expect(l, mul, WS_COUNT_issues, 6);
    expect(l, mul, WS_COUNT_lanes, 2 * (32 + 8 + 2));
    expect(l, load, WS_COUNT_issues, 6);
    expect(l, load, WS_COUNT_bytes, 2 * (64 + 1) * 4);
    expect(l, load, WS_COUNT_sectors, 2 * (32 + 32 + 1));
    expect(l, load, WS_COUNT_least_sectors, 2 * (4 + 4 + 1));
    expect(l, load, WS_COUNT_again, 2 * (32 + 1)); /* of another block they would be new */
    expect(l, tile, WS_COUNT_passes, 2 * 2 * 2);
    expect(l, tile, WS_COUNT_least_passes, 2 * 2);
    expect(l, tile, WS_COUNT_sectors, 0);
    expect(l, spill, WS_COUNT_sectors, 2 * 2 * 4);
    expect(l, spill, WS_COUNT_again, 0); /* warps have memory of their own */
    expect(l, branch, WS_COUNT_divergent, 2);
    ws_arena_destroy(arena);
    forget(&k);
    syn_fini(&s);
}

static void any_split(void **unused)
{
    (void)unused;
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, SEED);
    synthetic s;
    syn_noise(&s, rng, 9);
    kept all = listen(&s, 9);
    static const int64_t chunk[] = {1, -1, 2, -4};
    for (size_t i = 0; i < sizeof chunk / sizeof *chunk; i++) {
        kept part = listen(&s, chunk[i]);
        assert_int_equal(part.counts.length, all.counts.length);
        assert_memory_equal(part.counts.data, all.counts.data, all.counts.length);
        assert_memory_equal(part.code.data, all.code.data, all.code.length);
        forget(&part);
    }
    forget(&all);
    syn_fini(&s);
    gsl_rng_free(rng);
}

/* Three launches are three times one, and a listing of other code does not fit. */
static void sums(void **unused)
{
    (void)unused;
    synthetic s, other;
    syn_init(&s, 1, 32);
    syn_init(&other, 1, 32);
    syn_run(&s, 0, 0, syn_instr(&s, WS_CLASS_INTEGER), 1, 0x7);
    syn_run(&other, 0, 0, syn_instr(&other, WS_CLASS_INTEGER), 1, 0x7);
    syn_instr(&other, WS_CLASS_INTEGER);
    kept one = listen(&s, 1), sum = listen(&s, 1), unlike = listen(&other, 1);
    for (int i = 0; i < 2; i++)
        assert_int_equal(ws_listing_add(&sum.counts, ws_reader_of(&one.counts)), WS_OK);
    assert_int_equal(ws_listing_add(&sum.counts, ws_reader_of(&unlike.counts)), WS_EINPUT);
    ws_arena *arena;
    const ws_listing *const l = read_back(&sum, &arena);
    assert_int_equal(l->launches, 3);
    expect(l, 0, WS_COUNT_issues, 3);
    expect(l, 0, WS_COUNT_lanes, 9);
    ws_arena_destroy(arena);
    forget(&one);
    forget(&sum);
    forget(&unlike);
    syn_fini(&s);
    syn_fini(&other);
}

/* Places come back; bytes that were cut or changed are refused or read as something, and nothing else happens. */
static void damage(void **unused)
{
    (void)unused;
    static const ws_place place[] = {
        {0}, {.file = "a.cu", .line = 3, .column = 5}, {.file = "b.cuh", .function = "f", .line = 9, .inlined_at = 1}};
    static const uint32_t of[] = {2, 0};
    static const char *const text[] = {"add.u32 %r1, %r2, %r3", "ret"};
    const ws_origin origin = {.place = place, .places = 3, .instrs = 2, .of = of, .text = text};
    synthetic s;
    syn_init(&s, 1, 32);
    syn_run(&s, 0, 0, syn_instr(&s, WS_CLASS_INTEGER), 1, ALL);
    syn_instr(&s, WS_CLASS_OTHER);
    s.launch.origin = &origin;
    kept k = listen(&s, 1);
    ws_arena *arena;
    const ws_listing *l = read_back(&k, &arena);
    assert_int_equal(l->places, 3);
    assert_string_equal(l->place[l->row[0].place].file, "b.cuh");
    assert_string_equal(l->place[l->row[0].place].function, "f");
    assert_string_equal(l->place[l->place[2].inlined_at].file, "a.cu");
    assert_string_equal(l->row[0].text, text[0]);
    assert_int_equal(l->row[1].place, 0);
    ws_arena_destroy(arena);
    for (size_t i = 0; i < k.code.length; i++) {
        ws_listing *made;
        arena = ws_arena_create();
        const ws_reader cut = {.next = k.code.data, .end = k.code.data + i};
        assert_int_equal(ws_listing_read(cut, ws_reader_of(&k.counts), arena, &made), WS_EINPUT);
        for (unsigned bit = 0; bit < 8; bit++) {
            k.code.data[i] ^= (uint8_t)(1u << bit);
            const int status = ws_listing_read(ws_reader_of(&k.code), ws_reader_of(&k.counts), arena, &made);
            assert_true(status == WS_OK || status == WS_EINPUT);
            k.code.data[i] ^= (uint8_t)(1u << bit);
        }
        ws_arena_destroy(arena);
    }
    forget(&k);
    syn_fini(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(by_hand), cmocka_unit_test(any_split), cmocka_unit_test(sums),
                                       cmocka_unit_test(damage)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
