/* When words of shared memory are there, and what cells are written: worked out by hand for each organisation; a
 * section of nothing is plain magnetic memory. */
#include "base/bits.h"
#include "base/status.h"
#include "model/coalesce_model.h"
#include "model/sim/sm/shared_memory.h"

#include <gsl/gsl_rng.h>
#include <stdlib.h>
#include <string.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum {
    LINE = 128,
    BLOCK = 1024,
    PC = 5,
    WORD_PARTS = WS_CELLS_PARTS,
    READ = 16,
    WRITE = 40,
    MORE = WRITE - READ,
    SECTION = 20
};
enum { LOAD = 1, STORE = 2, ATOMIC = 3 };
enum { SIZE, WAYS, SECTION_READ, SECTION_WRITE, WIDTH, RAM, GATE, FINAL };

/* A memory of table 7-9: 16 banks, 16 and 40 cycles. */
typedef struct fixture {
    const ws_shared_memory_kind *kind;
    const ws_shared_memory_ops *ops;
    uint64_t values[WS_SHARED_OPTIONS];
    ws_shared_setup setup;
    void *state;
    ws_activity did;
    uint64_t before[WS_WARP], after[WS_WARP], address[WS_WARP];
} fixture;

static void make(fixture *f, const char *name, const uint64_t *values)
{
    *f = (fixture){.kind = ws_shared_memory_kind_find(name)};
    assert_non_null(f->kind);
    f->ops = ws_shared_memory_ops_of(f->kind);
    memcpy(f->values, values, 8 * sizeof *values);
    f->setup = (ws_shared_setup){.values = f->values,
                                 .bytes = 32768,
                                 .banks = 16,
                                 .read = READ,
                                 .write = WRITE,
                                 .block_bytes = BLOCK,
                                 .blocks = 4,
                                 .text_writes = 1,
                                 .text_accesses = 4};
    f->state = calloc(1, f->ops->state_size ? f->ops->state_size(&f->setup) : 1);
    assert_non_null(f->state);
}

/* Lane i at base + i * stride, 4 bytes; with values, each word changes from `before` to `after`. */
static ws_shared_time touch(fixture *f, int kind, unsigned slot, uint64_t base, uint64_t stride, const uint32_t *change)
{
    ws_value v = {.pc = PC,
                  .is_shared = 1,
                  .bytes = 4,
                  .exec = UINT32_MAX,
                  .before = f->before,
                  .after = f->after,
                  .address = f->address};
    for (unsigned lane = 0; lane < WS_WARP; lane++) {
        f->address[lane] = base + lane * stride;
        f->before[lane] = change ? change[0] : 0;
        f->after[lane] = change ? change[1] : 0;
    }
    const ws_shared_access a = {.reads = kind & LOAD,
                                .writes = (kind & STORE) != 0,
                                .exec = UINT32_MAX,
                                .bytes = 4,
                                .slot = slot,
                                .passes = ws_bank_cycles(f->address, UINT32_MAX, 4, 16),
                                .address = f->address,
                                .pc = PC,
                                .value = &v,
                                .values = change != NULL,
                                .did = &f->did};
    return f->ops->access(f->state, &f->setup, &a);
}

static void expect(ws_shared_time t, uint64_t busy, uint64_t ready)
{
    assert_int_equal(t.busy, busy);
    assert_int_equal(t.ready, ready);
}

/* Two passes of 16 banks for 32 words. */
static void one_memory(void **state)
{
    (void)state;
    fixture f;
    static const uint32_t same[] = {9, 9}, other[] = {0x0000ffff, 0x0001fffe};
    static const unsigned bits[] = {2, 4, 8, 16, 32, 32};
    const char *const both[] = {"sram", "stt"};
    for (unsigned i = 0; i < 2; i++) {
        make(&f, both[i], (uint64_t[8]){0});
        expect(touch(&f, LOAD, 0, 0, 4, NULL), 2, 1 + READ);
        expect(touch(&f, STORE, 0, 0, 4, other), 2 + MORE, 1 + WRITE);
        expect(touch(&f, ATOMIC, 0, 0, 4, same), 2 + MORE, 1 + READ);
        assert_int_equal(f.did.shared_cell_reads[0], i * 32);
        assert_int_equal(f.did.shared_cell_writes[0], i * 64);
        assert_int_equal(f.did.shared_cell_parts[0], i * 64 * WORD_PARTS);
        assert_int_equal(f.kind->cells != NULL, i);
        free(f.state);
    }
    for (unsigned i = 0; i < 6; i++) {
        make(&f, "stt", (uint64_t[8]){1u << i});
        expect(touch(&f, STORE, 0, 0, 4, same), 2, 1 + READ); /* read alone */
        assert_int_equal(f.did.shared_cell_parts[0], 0);
        expect(touch(&f, STORE, 0, 0, 4, other), 2 + 2 + MORE, 1 + READ + WRITE);
        assert_int_equal(f.did.shared_cell_parts[0], 32 * 2 * bits[i]);
        expect(touch(&f, STORE, 0, 0, 4, NULL), 2 + 2 + MORE, 1 + READ + WRITE); /* nobody knows */
        assert_int_equal(f.did.shared_cell_parts[0], 32 * 2 * bits[i] + 32 * WORD_PARTS);
        free(f.state);
    }
    make(&f, "stt", (uint64_t[8]){0, 1});
    expect(touch(&f, STORE, 0, 0, 4, same), 2, 1 + READ);
    expect(touch(&f, STORE, 0, 0, 4, other), 2 + MORE, 1 + WRITE);
    assert_int_equal(f.did.shared_cell_parts[0], 32 * 2 * 2);
    free(f.state);
}

/* Two lines, each with one place: lines 0, 2, 4 ... in the first, 1, 3, 5 ... in the second. */
static void cache_of_two_lines(void **state)
{
    (void)state;
    fixture f;
    make(&f, "hybrid", (uint64_t[8]){2 * LINE, 1, SECTION, SECTION, 0, 0, 0});
    assert_true(f.ops->is_on(&f.setup));
    expect(touch(&f, STORE, 0, 0, 4, NULL), 2, 1 + SECTION);
    expect(touch(&f, LOAD, 0, 0, 4, NULL), 2, 1 + SECTION);
    assert_int_equal(f.did.shared_section_writes[0], 32);
    assert_int_equal(f.did.shared_section_reads[0], 32);
    assert_int_equal(f.did.shared_section_lookups[0], 2);
    expect(touch(&f, LOAD, 0, LINE, 4, NULL), 2, 1 + READ); /* past it, and nothing is fetched */
    expect(touch(&f, LOAD, 0, LINE, 4, NULL), 2, 1 + READ);
    assert_int_equal(f.did.shared_cell_reads[0], 64);
    expect(touch(&f, LOAD, 0, LINE / 2, 4, NULL), 2, 1 + SECTION); /* half from each */
    assert_int_equal(f.did.shared_section_reads[0], 48);
    assert_int_equal(f.did.shared_section_lookups[0], 6);
    assert_int_equal(f.did.shared_cell_writes[0], 0);
    expect(touch(&f, STORE, 0, 2 * LINE, 4, NULL), 2 + 2 + MORE,
           1 + SECTION); /* line 0 goes back: two passes, and what a write takes longer */
    assert_int_equal(f.did.shared_cell_writes[0], 32);
    assert_int_equal(f.did.shared_cell_parts[0], 32 * WORD_PARTS);
    assert_int_equal(f.did.shared_writebacks[0], 1);
    expect(touch(&f, LOAD, 0, 0, 4, NULL), 2, 1 + READ);
    expect(touch(&f, ATOMIC, 0, 2 * LINE, 4, NULL), 2, 1 + SECTION);
    /* The same line of another block is another one: of eight lines a block. */
    expect(touch(&f, LOAD, 1, 2 * LINE, 4, NULL), 2, 1 + READ);
    /* What a block leaves is dropped. */
    f.ops->end(f.state, &f.setup, 1, &f.did);
    expect(touch(&f, LOAD, 0, 2 * LINE, 4, NULL), 2, 1 + SECTION);
    f.ops->end(f.state, &f.setup, 0, &f.did);
    expect(touch(&f, LOAD, 0, 2 * LINE, 4, NULL), 2, 1 + READ);
    expect(touch(&f, STORE, 0, 0, 4, NULL), 2, 1 + SECTION);
    assert_int_equal(f.did.shared_writebacks[0], 1);
    free(f.state);
}

/* What goes back and is read by nobody before it goes back again, or its block ends. */
static void unread(void **state)
{
    (void)state;
    fixture f;
    make(&f, "hybrid", (uint64_t[8]){2 * LINE, 1, SECTION, SECTION, 0, 0, 0});
    touch(&f, STORE, 0, 0, 4, NULL);
    touch(&f, STORE, 0, 2 * LINE, 4, NULL);           /* line 0 goes back */
    touch(&f, STORE, 0, 0, 4, NULL);                  /* line 2 */
    touch(&f, LOAD, 0, 2 * LINE + LINE / 2, 2, NULL); /* two lanes a word: the second half of it */
    touch(&f, STORE, 0, 2 * LINE, 4, NULL);           /* line 0 again */
    assert_int_equal(f.did.shared_unread[0], 32);
    touch(&f, STORE, 0, 0, 4, NULL); /* line 2 again, of which half was read */
    assert_int_equal(f.did.shared_unread[0], 48);
    f.ops->end(f.state, &f.setup, 0, &f.did); /* all of line 0 and of line 2 */
    assert_int_equal(f.did.shared_unread[0], 112);
    f.ops->end(f.state, &f.setup, 0, &f.did);
    assert_int_equal(f.did.shared_unread[0], 112);
    free(f.state);
}

/* The same with marks of final updates: of what goes back, the half of line 2 that is read is written, when it is. */
static void final_updates(void **state)
{
    (void)state;
    fixture f;
    make(&f, "hybrid", (uint64_t[8]){2 * LINE, 1, SECTION, SECTION, 0, 0, 0, 1});
    touch(&f, STORE, 0, 0, 4, NULL);
    expect(touch(&f, STORE, 0, 2 * LINE, 4, NULL), 2 + 2 + MORE, 1 + SECTION); /* nobody knows of the end ahead */
    touch(&f, STORE, 0, 0, 4, NULL);
    assert_int_equal(f.did.shared_cell_writes[0], 0);
    touch(&f, LOAD, 0, 2 * LINE + LINE / 2, 2, NULL);
    assert_int_equal(f.did.shared_cell_writes[0], 16);
    assert_int_equal(f.did.shared_cell_parts[0], 16 * WORD_PARTS);
    touch(&f, LOAD, 0, 2 * LINE + LINE / 2, 2, NULL); /* it is there */
    touch(&f, STORE, 0, 2 * LINE, 4, NULL);
    touch(&f, STORE, 0, 0, 4, NULL);
    f.ops->end(f.state, &f.setup, 0, &f.did);
    assert_int_equal(f.did.shared_cell_writes[0], 16);
    assert_int_equal(f.did.shared_writebacks[0], 4);
    assert_int_equal(f.did.shared_unread[0], 112);
    free(f.state);
}

/* With differences: of each word that is read, its own. */
static void final_differences(void **state)
{
    (void)state;
    fixture f;
    static const uint32_t up[] = {0, 1}, more[] = {0, 7};
    make(&f, "hybrid", (uint64_t[8]){2 * LINE, 1, SECTION, SECTION, 1, 0, 0, 1});
    touch(&f, STORE, 0, 0, 4, more);
    touch(&f, STORE, 0, 2 * LINE, 4, up);
    assert_int_equal(f.did.shared_cell_parts[0], 0);
    touch(&f, LOAD, 0, 0, 2, NULL); /* half of line 0 */
    assert_int_equal(f.did.shared_cell_writes[0], 16);
    assert_int_equal(f.did.shared_cell_parts[0], 16 * 3 * 2);
    free(f.state);
}

/* The worst: lanes in 32 lines, of which the section has two; each takes the place of one that goes back with one word,
 * all in one bank. */
static void scattered(void **state)
{
    (void)state;
    fixture f;
    make(&f, "hybrid", (uint64_t[8]){2 * LINE, 2, SECTION, SECTION, 0, 0, 0});
    expect(touch(&f, STORE, 0, 0, LINE, NULL), 32, 31 + SECTION); /* nothing was written to what is given up yet */
    assert_int_equal(f.did.shared_section_lookups[0], 32);
    expect(touch(&f, STORE, 0, 0, LINE, NULL), 32 + 2 + MORE, 31 + SECTION);
    assert_int_equal(f.did.shared_cell_writes[0], 2);
    free(f.state);
}

/* Only what changed since the magnetic banks had it goes back. */
static void differences_go_back(void **state)
{
    (void)state;
    fixture f;
    static const uint32_t up[] = {0, 1}, down[] = {1, 0}, more[] = {1, 7};
    make(&f, "hybrid", (uint64_t[8]){2 * LINE, 1, SECTION, SECTION, 1, 0, 0});
    assert_true(f.kind->wants_values(f.values));
    touch(&f, STORE, 0, 0, 4, up);
    touch(&f, STORE, 0, 0, 4, more);
    expect(touch(&f, STORE, 0, 2 * LINE, 4, up), 2 + 2 + 2 + MORE, 1 + SECTION); /* read, and written */
    assert_int_equal(f.did.shared_cell_parts[0], 32 * 3 * 2);
    touch(&f, STORE, 0, 2 * LINE, 4, down);
    expect(touch(&f, STORE, 0, 0, 4, up), 2 + 2, 1 + SECTION); /* as it was: read alone */
    assert_int_equal(f.did.shared_cell_parts[0], 32 * 3 * 2);
    assert_int_equal(f.did.shared_cell_writes[0], 64);
    assert_int_equal(f.did.shared_writebacks[0], 2);
    free(f.state);
}

/* Bytes of a word that were not written are not taken for changed. */
static void bytes_go_back(void **state)
{
    (void)state;
    fixture f;
    uint64_t before[WS_WARP] = {0xaa, 0x55}, after[WS_WARP] = {0xab, 0x55}, address[WS_WARP] = {8, 13};
    const ws_value v = {
        .pc = PC, .is_shared = 1, .bytes = 1, .exec = 3, .before = before, .after = after, .address = address};
    make(&f, "hybrid", (uint64_t[8]){2 * LINE, 1, SECTION, SECTION, 8, 0, 0});
    const ws_shared_access a = {.writes = true,
                                .exec = 3,
                                .bytes = 1,
                                .passes = 1,
                                .address = address,
                                .pc = PC,
                                .value = &v,
                                .values = 1,
                                .did = &f.did};
    f.ops->access(f.state, &f.setup, &a);
    touch(&f, STORE, 0, 2 * LINE, 4, NULL);
    assert_int_equal(f.did.shared_cell_writes[0], 2);
    assert_int_equal(f.did.shared_cell_parts[0], 8 * 2);
    free(f.state);
}

/* Of 1024 bytes for four blocks each has 256: its first two lines. */
static void memory_of_its_own(void **state)
{
    (void)state;
    fixture f;
    make(&f, "hybrid", (uint64_t[8]){1024, 1, SECTION, SECTION, 0, 1, 0});
    expect(touch(&f, STORE, 0, LINE, 4, NULL), 2, 1 + SECTION);
    expect(touch(&f, STORE, 3, 2 * LINE, 4, NULL), 2 + MORE, 1 + WRITE);
    expect(touch(&f, LOAD, 3, 2 * LINE, 4, NULL), 2, 1 + READ);
    expect(touch(&f, LOAD, 3, LINE + LINE / 2, 4, NULL), 2, 1 + SECTION); /* half of each */
    assert_int_equal(f.did.shared_section_writes[0], 32);
    assert_int_equal(f.did.shared_section_reads[0], 16);
    assert_int_equal(f.did.shared_cell_reads[0], 48);
    assert_int_equal(f.did.shared_cell_writes[0], 32);
    free(f.state);
}

/* One in four of the text's instructions writes. */
static void gated(void **state)
{
    (void)state;
    fixture f;
    for (unsigned percent = 0; percent <= 50; percent += 25) {
        make(&f, "hybrid", (uint64_t[8]){2 * LINE, 1, SECTION, SECTION, 0, 0, percent});
        assert_int_equal(f.ops->is_on(&f.setup), percent <= 25);
        touch(&f, STORE, 0, 0, 4, NULL);
        assert_int_equal(f.did.shared_section_writes[0], percent <= 25 ? 32 : 0);
        f.setup.text_writes = f.setup.text_accesses = 0;
        assert_int_equal(f.ops->is_on(&f.setup), percent == 0); /* a kernel that has none */
        free(f.state);
    }
}

static void nothing_is_plain(void **state)
{
    (void)state;
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_taus);
    for (unsigned width = 0; width <= 4; width += 2) {
        fixture f, plain;
        make(&f, "hybrid", (uint64_t[8]){0, 2, SECTION, SECTION, width, 0, 0});
        make(&plain, "stt", (uint64_t[8]){width});
        for (unsigned i = 0; i < 500; i++) {
            const int kind = 1 + (int)gsl_rng_uniform_int(rng, 3);
            const uint32_t change[] = {(uint32_t)gsl_rng_uniform_int(rng, 3), (uint32_t)gsl_rng_uniform_int(rng, 3)};
            const uint64_t base = 4 * gsl_rng_uniform_int(rng, 64), stride = 4 * gsl_rng_uniform_int(rng, 8);
            const ws_shared_time t = touch(&f, kind, i % 4, base, stride, change),
                                 p = touch(&plain, kind, i % 4, base, stride, change);
            expect(t, p.busy, p.ready);
        }
        assert_memory_equal(&f.did, &plain.did, sizeof f.did);
        assert_true(f.did.shared_cell_parts[0] > 0);
        free(f.state);
        free(plain.state);
    }
    gsl_rng_free(rng);
}

/* A section that has room for all gives nothing back; each size in between reads no more from cells than a smaller one
 * with as many ways as lines. */
static void larger_is_no_worse(void **state)
{
    (void)state;
    uint64_t reads = UINT64_MAX, writes = UINT64_MAX;
    for (uint64_t lines = 1; lines <= 32; lines *= 2) {
        gsl_rng *const rng = gsl_rng_alloc(gsl_rng_taus);
        fixture f;
        make(&f, "hybrid", (uint64_t[8]){lines * LINE, lines, SECTION, SECTION, 0, 0, 0});
        for (unsigned i = 0; i < 2000; i++)
            touch(&f, gsl_rng_uniform_int(rng, 2) ? LOAD : STORE, (unsigned)gsl_rng_uniform_int(rng, 4),
                  LINE * gsl_rng_uniform_int(rng, 8), 4, NULL);
        assert_true(f.did.shared_cell_reads[0] <= reads && f.did.shared_cell_writes[0] <= writes);
        reads = f.did.shared_cell_reads[0];
        writes = f.did.shared_cell_writes[0];
        gsl_rng_free(rng);
        free(f.state);
    }
    assert_int_equal(writes, 0);
}

static void wrong_options(void **state)
{
    (void)state;
    static const struct {
        const char *name, *says;
        uint64_t values[8];
    } wrong[] = {
        {"stt", "shared.width = 3", {3}},
        {"stt", "shared.ewt = 1", {4, 1}},
        {"hybrid", "sm.shared", {65536, 2}},
        {"hybrid", "shared.ways", {1000, 2}},
        {"hybrid", "shared.final", {4096, 2, 20, 20, 0, 1, 0, 1}},
        {"hybrid", "shared.ways", {4096, 3}},
        {"hybrid", "shared.width = 5", {4096, 2, 20, 20, 5}},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(ws_shared_memory_kind_find(wrong[i].name)->check(wrong[i].values, 32768), WS_EINPUT);
        if (!strstr(ws_message(), wrong[i].says))
            fail_msg("%s: %s", wrong[i].says, ws_message());
    }
    assert_null(ws_shared_memory_kind_find("none"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_memory),          cmocka_unit_test(cache_of_two_lines),
        cmocka_unit_test(scattered),           cmocka_unit_test(unread),
        cmocka_unit_test(final_updates),       cmocka_unit_test(final_differences),
        cmocka_unit_test(differences_go_back), cmocka_unit_test(bytes_go_back),
        cmocka_unit_test(memory_of_its_own),   cmocka_unit_test(gated),
        cmocka_unit_test(nothing_is_plain),    cmocka_unit_test(larger_is_no_worse),
        cmocka_unit_test(wrong_options),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
