/* test_launch_values.c - what profiles know of values: bits, lives of registers, lines of shared memory beside a cache
 * that is stepped, merges. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/status.h"
#include "model/launch_values.h"
#include "model/traffic_profile.h"
#include "tests/unit/events.h"

#include <gsl/gsl_rng.h>

static ws_value register_write(unsigned warp, unsigned reg, uint32_t exec, const uint64_t *before,
                               const uint64_t *after)
{
    return (ws_value){.warp = (uint16_t)warp, .reg = reg, .bytes = 4, .exec = exec, .before = before, .after = after};
}

static void feed(ws_value_watch *w, const script *s, uint64_t block)
{
    const script_block *const b = &s->block[block];
    const ws_batch batch = {.block = block, .event = b->event, .events = b->events, .address = b->address};
    ws_value_watch_events(w, &s->launch, &batch);
}

/* ------------------------------------------------------------------------------------------------ bits */

static const uint64_t written_of_pair[WS_CHANGED_WIDTHS] = {2, 4, 8, 16, 32, 32};

/* Old 0x0000FFFF, new 0x0001FFFE: 2 flips; 2, 4, 8, 16, 32, 32 bits written. */
static void worked_example(void **state)
{
    (void)state;
    script *const s = script_create(1, 32);
    instr(s, (ws_instr){.dsts = 1, .dst = {3}});
    uint64_t old[WS_WARP], new[WS_WARP], word[WS_CHANGED_WIDTHS] = {0};
    for (unsigned i = 0; i < WS_WARP; i++) {
        old[i] = 0x0000ffff;
        new[i] = 0x0001fffe;
    }
    ws_value_watch *w;
    assert_int_equal(ws_value_watch_create(&s->launch, &w), WS_OK);
    assert_int_equal(ws_value_watch_begin(w, &s->launch, 0), WS_OK);
    const ws_value changed = register_write(0, 3, 1, old, new), same = register_write(0, 3, 0xff, old, old);
    ws_value_watch_value(w, &changed);
    ws_value_watch_value(w, &same);
    ws_value_watch_end(w);
    const ws_launch_values *const v = ws_value_watch_result(w);
    ws_changed_bits_word(word, 0x0000ffff ^ 0x0001fffe);
    assert_memory_equal(v->registers.written, written_of_pair, sizeof written_of_pair);
    assert_memory_equal(word, written_of_pair, sizeof written_of_pair);
    assert_int_equal(v->registers.writes, 9);
    assert_int_equal(v->registers.same, 8);
    assert_int_equal(v->registers.bits, 9 * 32);
    assert_int_equal(v->hottest_row, 2);
    assert_int_equal(v->hottest_row_changed, 1);
    ws_value_watch_destroy(w);
    script_destroy(s);
}

static void wider_arrays_write_no_less(void **state)
{
    (void)state;
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_taus2);
    for (unsigned i = 0; i < 2000; i++) {
        uint64_t written[WS_CHANGED_WIDTHS] = {0};
        const uint32_t change = (uint32_t)gsl_rng_get(rng) & (uint32_t)(gsl_rng_get(rng) >> (i % 32));
        ws_changed_bits_word(written, change);
        assert_int_equal(written[0], __builtin_popcount(change));
        assert_int_equal(written[WS_CHANGED_WIDTHS - 1], change ? 32 : 0);
        for (unsigned k = 1; k < WS_CHANGED_WIDTHS; k++)
            assert_in_range(written[k], written[k - 1], 2 * written[k - 1]);
    }
    gsl_rng_free(rng);
}

/* ------------------------------------------------------------------------------------------------ registers */

/* r1 is written at 1, read at 2 and 5, written again at 6 and never read; half of r2's lanes at 3, the other half at 4.
 */
static void lives_of_registers(void **state)
{
    (void)state;
    script *const s = script_create(1, 32);
    const uint32_t write1 = instr(s, (ws_instr){.dsts = 1, .dst = {1}});
    const uint32_t read1 = instr(s, (ws_instr){.srcs = 2, .src = {1, 1}});
    const uint32_t write2 = instr(s, (ws_instr){.dsts = 1, .dst = {2}});
    run(s, 0, 0, write1, 1, ALL_LANES);
    run(s, 0, 0, read1, 1, ALL_LANES);
    run(s, 0, 0, write2, 1, 0x0000ffff);
    run(s, 0, 0, write2, 1, 0xffff0000);
    run(s, 0, 0, read1, 1, ALL_LANES);
    run(s, 0, 0, write1, 1, ALL_LANES);
    ws_value_watch *w;
    assert_int_equal(ws_value_watch_create(&s->launch, &w), WS_OK);
    assert_int_equal(ws_value_watch_begin(w, &s->launch, 0), WS_OK);
    feed(w, s, 0);
    ws_value_watch_end(w);
    const ws_launch_values *const v = ws_value_watch_result(w);
    assert_int_equal(v->instructions, 6);
    assert_int_equal(v->row_writes, 4);
    assert_int_equal(v->lane_writes, 96);
    assert_int_equal(v->port_turns[0], 96); /* of ports of 1, 8 and 32 words: 32 and 2 times 16 adjacent lanes */
    assert_int_equal(v->port_turns[3], 2 * 4 + 2 * 2);
    assert_int_equal(v->port_turns[5], 4);
    assert_int_equal(v->row_reads, 2);
    assert_int_equal(v->bank_writes[1], 2);
    assert_int_equal(v->bank_writes[2], 2);
    assert_int_equal(v->first_read[ws_value_time_bin(1)], 1);
    assert_int_equal(v->last_read[ws_value_time_bin(4)], 32);
    assert_int_equal(v->long_reads[ws_value_time_bin(4)], 2);
    assert_int_equal(v->uses[0], 3);
    assert_int_equal(v->uses[2], 1);
    assert_int_equal(v->rewritten[ws_value_time_bin(5)], 1);
    assert_int_equal(v->overwritten[ws_value_time_bin(5)], 32);
    assert_int_equal(v->rewritten[ws_value_time_bin(1)], 1);
    assert_int_equal(v->overwritten[ws_value_time_bin(1)], 0); /* holes of one path, filled by the other */
    assert_false(ws_launch_values_known(v));
    ws_value_watch_destroy(w);
    script_destroy(s);
}

static void times(void **state)
{
    (void)state;
    assert_int_equal(ws_value_time_bin(0), 0);
    for (unsigned i = 1; i < WS_VALUE_TIMES - 1; i++) {
        assert_int_equal(ws_value_time_bin(1u << (i - 1)), i);
        assert_int_equal(ws_value_time_bin((1u << i) - 1), i);
        assert_true(ws_value_time_of(i) > (double)(1u << (i - 1)) * 0.999 && ws_value_time_of(i) < 1u << i);
    }
    assert_true(ws_value_time_of(1) == 1);
    assert_int_equal(ws_value_time_bin(UINT32_MAX), WS_VALUE_TIMES - 1);
}

/* ------------------------------------------------------------------------------------------------ shared memory */

enum { LINES = 24, WORDS = LINES * 32, STEPS = 3000 };

typedef struct step {
    bool write;
    uint32_t word;
    uint32_t value;
} step;

/* Of the text: x and y in slot 1, one after the other, the pair z in slots 2 and 3; a predicate. Slots are written
 * again where the text's registers are not. */
static void registers_of_the_text(void **state)
{
    (void)state;
    enum { X, Y, Z, Z1, P, NAMES };
    script *const s = script_create(2, 64);
    const uint32_t x = instr(s, (ws_instr){.dsts = 1, .dst = {1}});
    instr(s, (ws_instr){.dsts = 2, .dst = {2, 3}, .srcs = 1, .src = {1}});
    instr(s, (ws_instr){.dsts = 1, .dst = {1}, .srcs = 1, .src = {2}});
    const uint32_t p = instr(s, (ws_instr){.dsts = 1, .dst = {4}, .srcs = 1, .src = {1}});
    const ws_code_operand operand[] = {{.kind = WS_CODE_REGISTER, .is_written = true, .reg = X},
                                       {.kind = WS_CODE_IMMEDIATE, .value = 1},
                                       {.kind = WS_CODE_REGISTER, .is_written = true, .reg = Z},
                                       {.kind = WS_CODE_REGISTER, .is_written = true, .reg = Z1},
                                       {.kind = WS_CODE_REGISTER, .is_address = true, .reg = X},
                                       {.kind = WS_CODE_REGISTER, .is_written = true, .reg = Y},
                                       {.kind = WS_CODE_REGISTER, .reg = Z},
                                       {.kind = WS_CODE_REGISTER, .is_written = true, .reg = P},
                                       {.kind = WS_CODE_REGISTER, .reg = Y}};
    const ws_code_instr code_instr[] = {{.operand = 0}, {.operand = 2}, {.operand = 5}, {.operand = 7}, {.operand = 9}};
    const ws_code code = {.instr = code_instr, .operand = operand, .instrs = 4, .operands = 9, .registers = NAMES};
    for (unsigned block = 0; block < 2; block++) {
        run(s, block, 0, x, 4, ALL_LANES); /* each register once: 5 writes */
        run(s, block, 1, x, 4, ALL_LANES);
        run(s, block, 1, p, 1, 1);         /* the predicate again: 6 writes, of which 4 are alone */
        run(s, block, 1, p, 1, ALL_LANES); /* and again */
        run(s, block, 0, x, 1, 0);         /* by no lane: not at all */
    }
    ws_value_watch *w;
    for (unsigned known = 0; known < 2; known++) {
        s->launch.code = known ? &code : NULL;
        assert_int_equal(ws_value_watch_create(&s->launch, &w), WS_OK);
        for (unsigned block = 0; block < 2; block++) {
            assert_int_equal(ws_value_watch_begin(w, &s->launch, block), WS_OK);
            feed(w, s, block);
            ws_value_watch_end(w);
        }
        const ws_launch_values *const v = ws_value_watch_result(w);
        assert_int_equal(v->text_writes, known ? v->blocks * (5 + 7) : 0);
        assert_int_equal(v->text_once, known ? v->blocks * (5 + 4) : 0);
        assert_true(v->blocks > 0);
        ws_value_watch_destroy(w);
    }
    s->launch.code = NULL;
    script_destroy(s);
}

/* A cache of so many lines, stepped. */
typedef struct stepped {
    uint32_t size, used, line[LINES]; /* the one written last first */
    uint32_t cached[WORDS], memory[WORDS];
    bool valid[WORDS];
    bool unread[WORDS]; /* written back, and nobody has read it since */
    uint64_t hits, backs, needed, runs, bits[WS_CHANGED_WIDTHS];
} stepped;

static void give_up(stepped *c, uint32_t line, bool write_back)
{
    for (uint32_t i = line * 32; i < line * 32 + 32; i++) {
        if (!c->valid[i])
            continue;
        c->valid[i] = false;
        if (!write_back)
            continue;
        c->backs++;
        c->unread[i] = true;
        ws_changed_bits_word(c->bits, c->memory[i] ^ c->cached[i]);
        c->memory[i] = c->cached[i];
    }
}

static void step_cache(stepped *c, const step *s)
{
    const uint32_t line = s->word / 32;
    if (!s->write) {
        c->hits += c->valid[s->word];
        c->needed += !c->valid[s->word] && c->unread[s->word];
        c->unread[s->word] = c->unread[s->word] && c->valid[s->word];
        return;
    }
    uint32_t at = 0;
    while (at < c->used && c->line[at] != line)
        at++;
    if (at == c->used && c->used == c->size) {
        at--;
        give_up(c, c->line[at], true);
    } else {
        c->used += at == c->used;
    }
    memmove(c->line + 1, c->line, at * sizeof *c->line);
    c->line[0] = line;
    c->runs += !c->valid[s->word];
    c->valid[s->word] = true;
    c->cached[s->word] = s->value;
}

static step *random_steps(void)
{
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_taus2);
    step *const s = calloc(STEPS, sizeof *s);
    assert_non_null(s);
    for (unsigned i = 0; i < STEPS; i++) {
        const uint32_t line = (uint32_t)(gsl_rng_uniform(rng) * gsl_rng_uniform(rng) * LINES);
        s[i] = (step){.write = gsl_rng_uniform_int(rng, 2) != 0,
                      .word = line * 32 + (uint32_t)gsl_rng_uniform_int(rng, 4),
                      .value = (uint32_t)gsl_rng_get(rng) & 0xff00ffu};
    }
    gsl_rng_free(rng);
    return s;
}

/* Every size at once says what a cache of that size does. */
static void all_sizes_at_once(void **state)
{
    (void)state;
    step *const steps = random_steps();
    ws_shared_recency *ordered, *filled;
    ws_recency_counts counts = {0}, again = {0};
    ws_recency_modified modified = {{0}};
    assert_int_equal(ws_shared_recency_create(WORDS * 4, false, &ordered), WS_OK);
    assert_int_equal(ws_shared_recency_create(WORDS * 4, true, &filled), WS_OK);
    for (unsigned i = 0; i < STEPS; i++) {
        const uint64_t address = steps[i].word * 4, after = steps[i].value, before = 0;
        const ws_value value = {
            .is_shared = 1, .bytes = 4, .exec = 1, .before = &before, .after = &after, .address = &address};
        if (!steps[i].write)
            ws_shared_recency_read(ordered, &address, 1, 4, i);
        else
            ws_shared_recency_write(ordered, &address, 1, 4, i);
        if (steps[i].write)
            ws_shared_recency_value(filled, &value);
    }
    ws_shared_recency_end(ordered, &counts, NULL, NULL, 0, 1);
    ws_shared_recency_end(filled, &again, &modified, NULL, 0, 1);
    assert_memory_equal(counts.word_writes, again.word_writes, sizeof counts.word_writes);
    for (unsigned size = 0; size < 5; size++) { /* 1 to 16 lines */
        stepped *const c = calloc(1, sizeof *c);
        assert_non_null(c);
        c->size = 1u << size;
        for (unsigned i = 0; i < STEPS; i++)
            step_cache(c, &steps[i]);
        uint64_t hits = 0, runs = 0, dropped = 0, needed = 0;
        for (unsigned b = 0; b < WS_RECENCY_BINS; b++) {
            hits += b <= size ? counts.word_reads[b] : 0;
            runs += b > size ? counts.word_writes[b] : 0;
            dropped += b <= size ? counts.word_ends[b] : 0;
            needed += b > size ? counts.word_needed[b] : 0;
        }
        assert_int_equal(hits, c->hits);
        assert_int_equal(runs, c->runs);
        assert_int_equal(runs - dropped, c->backs);
        assert_int_equal(needed, c->needed);
        assert_true(needed > 0 && needed < c->backs);
        assert_memory_equal(modified[size], c->bits, sizeof c->bits);
        free(c);
    }
    ws_shared_recency_destroy(ordered);
    ws_shared_recency_destroy(filled);
    free(steps);
}

/* Bytes of a word, elements of 8 bytes, addresses beyond the block's memory. */
static void narrow_and_wide_elements(void **state)
{
    (void)state;
    ws_shared_recency *r;
    ws_recency_counts counts = {0};
    ws_recency_modified modified = {{0}};
    const uint64_t at[] = {5, 8, 1 << 20}, before[3] = {0}, after[] = {0x80, 0x0000000100000002u, 7};
    const ws_value byte = {.is_shared = 1, .bytes = 1, .exec = 1, .before = before, .after = after, .address = at};
    const ws_value wide = {.is_shared = 1, .bytes = 8, .exec = 6, .before = before, .after = after, .address = at};
    assert_int_equal(ws_shared_recency_create(256, true, &r), WS_OK);
    ws_shared_recency_value(r, &byte);
    ws_shared_recency_value(r, &wide);
    const ws_recency_block hottest = ws_shared_recency_end(r, &counts, &modified, NULL, 0, 1);
    assert_int_equal(hottest.wrote, 1);
    assert_int_equal(hottest.changed, 1);
    assert_int_equal(counts.word_writes[WS_RECENCY_BINS - 1], 3);
    assert_int_equal(counts.word_ends[0], 3); /* the line is still there, so nothing is written back */
    assert_int_equal(modified[0][0], 0);
    assert_int_equal(counts.line_writes[WS_RECENCY_BINS - 1], 1);
    ws_shared_recency_destroy(r);
}

/* ------------------------------------------------------------------------------------------------ launches */

static void fill_block(script *s, unsigned block, uint32_t store, uint32_t add, uint64_t seed)
{
    for (unsigned i = 0; i < 12; i++) {
        run(s, block, i % 2, add, 1, (uint32_t)(seed >> i) | 1);
        access_line(s, block, i % 2, store, ALL_LANES, 128 * ((seed >> 3 * i) % 16), 4);
    }
}

static ws_value_watch *watch_of(const script *s, uint64_t first, uint64_t end)
{
    ws_value_watch *w;
    assert_int_equal(ws_value_watch_create(&s->launch, &w), WS_OK);
    for (uint64_t block = first; block < end; block++) {
        uint64_t before[WS_WARP], after[WS_WARP];
        assert_int_equal(ws_value_watch_begin(w, &s->launch, block), WS_OK);
        feed(w, s, block);
        for (unsigned i = 0; i < WS_WARP; i++) {
            before[i] = block * i;
            after[i] = block * 77 + i;
        }
        const ws_value v = register_write(block % 2, 1, ALL_LANES, before, after);
        for (unsigned i = 0; i <= block % 5; i++)
            ws_value_watch_value(w, &v);
        ws_value_watch_end(w);
    }
    return w;
}

static void the_same_in_every_cut(void **state)
{
    (void)state;
    enum { BLOCKS = 60 };
    script *const s = script_create(BLOCKS, 64);
    const uint32_t store = memory(s, WS_SPACE_SHARED, WS_ACCESS_STORE, 4);
    const uint32_t add = instr(s, (ws_instr){.srcs = 1, .src = {1}, .dsts = 1, .dst = {1}});
    for (unsigned b = 0; b < BLOCKS; b++)
        fill_block(s, b, store, add, 0x9e3779b97f4a7c15u * (b + 1));
    ws_value_watch *const whole = watch_of(s, 0, BLOCKS);
    assert_int_equal(ws_value_watch_result(whole)->blocks, 8);
    assert_true(ws_value_watch_result(whole)->hottest_row > 1);
    for (uint64_t a = 1; a < BLOCKS; a += 7)
        for (uint64_t b = a + 1; b < BLOCKS; b += 13) {
            ws_value_watch *const l[] = {watch_of(s, 0, a), watch_of(s, a, b), watch_of(s, b, BLOCKS)};
            ws_value_watch *const r[] = {watch_of(s, 0, a), watch_of(s, a, b), watch_of(s, b, BLOCKS)};
            ws_value_watch_merge(l[0], l[1]);
            ws_value_watch_merge(l[0], l[2]);
            ws_value_watch_merge(r[1], r[2]);
            ws_value_watch_merge(r[0], r[1]);
            assert_memory_equal(ws_value_watch_result(l[0]), ws_value_watch_result(whole), sizeof(ws_launch_values));
            assert_memory_equal(ws_value_watch_result(r[0]), ws_value_watch_result(whole), sizeof(ws_launch_values));
            for (unsigned i = 0; i < 3; i++) {
                ws_value_watch_destroy(l[i]);
                ws_value_watch_destroy(r[i]);
            }
        }
    ws_value_watch_destroy(whole);
    script_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worked_example),
        cmocka_unit_test(wider_arrays_write_no_less),
        cmocka_unit_test(lives_of_registers),
        cmocka_unit_test(registers_of_the_text),
        cmocka_unit_test(times),
        cmocka_unit_test(all_sizes_at_once),
        cmocka_unit_test(narrow_and_wide_elements),
        cmocka_unit_test(the_same_in_every_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
