/* test_memory.c - magnetic memories: what the study's numbers fix, what has to hold for every organisation, what is
 * refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/status.h"
#include "model/memory/memory_model.h"
#include "model/memory/memory_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct setting {
    ws_memory_tech tech;
    ws_node node;
    ws_cell sram, stt;
    ws_memory_chip chip;
    ws_launch_values values;
    ws_memory_launch launch;
} setting;

static void near(double got, double want)
{
    if (!(fabs(got - want) <= 1e-12 * fmax(1, fabs(want))))
        fail_msg("%.17g, expected %.17g", got, want);
}

static void set_part(setting *s, ws_memory_part part, uint64_t bytes, uint32_t banks, uint32_t word)
{
    s->chip.part[part].bytes = bytes;
    s->chip.part[part].banks = banks;
    s->chip.part[part].word = word;
    s->chip.part[part].read_j = 1e-12;
    s->chip.part[part].write_j = 2e-12;
    s->launch.part[part].reads = 3e6;
    s->launch.part[part].writes = 1e6;
    s->launch.part[part].read_j = 3e-6;
    s->launch.part[part].write_j = 2e-6;
    s->launch.part[part].leakage_j = 4e-6;
    s->launch.part[part].busy_leakage_j = 3e-6;
}

/* A launch of 64 blocks of 8 warps; a quarter of the bits of registers and of shared memory change, half of the words
 * not at all. */
static void set_values(ws_launch_values *v)
{
    ws_changed_bits *const of[] = {&v->registers, &v->shared};
    for (unsigned i = 0; i < 2; i++) {
        *of[i] = (ws_changed_bits){
            .bits = 32000, .writes = 1000, .same = 500, .written = {8000, 10000, 12000, 14000, 15000, 16000}};
    }
    *v = (ws_launch_values){.blocks = 8,
                            .instructions = 8 * 8 * 1000,
                            .registers = v->registers,
                            .shared = v->shared,
                            .row_writes = 40000,
                            .lane_writes = 1280000,
                            .row_reads = 80000,
                            .port_turns = {1280000, 640000, 320000, 160000, 80000, 40000},
                            .hottest_row = 300,
                            .hottest_row_changed = 200,
                            .hottest_word = 30,
                            .hottest_word_changed = 20};
    for (unsigned i = 1; i < 10; i++) {
        v->first_read[i] = 1000;
        v->last_read[i] = 100000;
        v->long_reads[i] = 5000;
        v->rewritten[i] = 2000;
        v->overwritten[i] = 50000;
        v->shared_age[i] = 300;
    }
    for (unsigned i = 0; i < WS_RECENCY_BINS; i++) {
        v->recency.line_writes[i] = 10;
        v->recency.word_reads[i] = 200;
        v->recency.word_writes[i] = 100;
        v->recency.word_ends[i] = i < 5 ? 10 : 0;
        v->recency.word_needed[i] = i ? 20 : 60;
        for (unsigned k = 0; i < WS_RECENCY_SIZES && k < WS_CHANGED_WIDTHS; k++)
            v->modified[i][k] = v->shared.written[k] * (WS_RECENCY_SIZES - i) / (WS_RECENCY_SIZES + 1);
    }
}

static int set_up(void **state)
{
    setting *const s = calloc(1, sizeof *s);
    *state = s;
    assert_non_null(s);
    assert_int_equal(ws_memory_tech_read("data/tech/memory_stt.ini", &s->tech), WS_OK);
    assert_int_equal(ws_node_read("data/tech/node_22nm.ini", &s->node), WS_OK);
    assert_int_equal(ws_cell_read("data/tech/cell_sram.ini", &s->sram), WS_OK);
    assert_int_equal(ws_cell_read("data/tech/cell_stt_relaxed.ini", &s->stt), WS_OK);
    s->chip = (ws_memory_chip){.tech = &s->tech,
                               .node = &s->node,
                               .sram = &s->sram,
                               .stt = &s->stt,
                               .volts = 0.9,
                               .kelvin = 353,
                               .clock_hz = 1.25e9,
                               .sms = 30};
    s->launch = (ws_memory_launch){.values = &s->values,
                                   .cycles = 1e5,
                                   .busy_cycles = 20e5,
                                   .bound = 5e4,
                                   .shared_cycles = 1e4,
                                   .shared_loads = 1e4,
                                   .shared_stores = 5e3,
                                   .row_writes = 3e5,
                                   .row_reads = 6e5,
                                   .blocks = 64,
                                   .warps_per_block = 8,
                                   .busy_sms = 30,
                                   .residents = 2};
    set_part(s, WS_MEMORY_REGISTERS, 65536, 32, 128);
    set_part(s, WS_MEMORY_SHARED, 32768, 16, 4);
    set_part(s, WS_MEMORY_READONLY, 12288, 1, 128);
    s->chip.part[WS_MEMORY_REGISTERS].read_cycles = s->chip.part[WS_MEMORY_REGISTERS].write_cycles = 2;
    s->chip.part[WS_MEMORY_SHARED].read_cycles = s->chip.part[WS_MEMORY_SHARED].write_cycles = 20;
    set_values(&s->values);
    return 0;
}

static int tear_down(void **state)
{
    free(*state);
    return 0;
}

static ws_memory_result evaluate(const setting *s, const char *registers, const char *shared, const char *readonly)
{
    ws_memory *m;
    ws_memory_result r = {0};
    if (ws_memory_create(&s->chip, (const char *[]){registers, shared, readonly}, &m))
        fail_msg("%s", ws_message());
    assert_int_equal(ws_memory_add(m, "kernel", &s->launch, &r), WS_OK);
    ws_memory_destroy(m);
    return r;
}

static ws_memory_sum registers(const setting *s, const char *organisation)
{
    return evaluate(s, organisation, "sram", "sram").part[WS_MEMORY_REGISTERS];
}

static ws_memory_sum shared(const setting *s, const char *organisation)
{
    return evaluate(s, "sram", organisation, "sram").part[WS_MEMORY_SHARED];
}

/* ------------------------------------------------------------------------------------------------ the study's numbers
 */

static void sram_is_what_came_in(void **state)
{
    const setting *const s = *state;
    const ws_memory_result r = evaluate(s, "sram", "sram", "sram");
    near(r.cycles, s->launch.cycles);
    for (unsigned part = 0; part < WS_MEMORY_PARTS; part++) {
        near(r.part[part].read_j, 3e-6);
        near(r.part[part].write_j, 2e-6);
        near(r.part[part].leakage_j, 4e-6);
        near(r.part[part].same, part == WS_MEMORY_READONLY ? 0 : 5e5);
        near(r.part[part].bits_written + r.part[part].decayed + r.part[part].wear, 0);
    }
}

/* 0.58 / 0.32: what MM takes without differential update. */
static void all_bits_cost_what_the_table_says(void **state)
{
    const setting *const s = *state;
    near(registers(s, "stt").write_j, 2e-6 * 1.8125);
    near(shared(s, "stt").write_j, 2e-6 * 1.8125);
    near(registers(s, "stt").read_j, 3e-6 * 0.51);
    near(registers(s, "stt").bits_written, 32e6);
}

/* K = 1 is a flip, 32 the word where anything changes; comparing costs 0.065 pJ a bit. */
static void width_by_hand(void **state)
{
    const setting *const s = *state;
    const double share[] = {8. / 32, 10. / 32, 12. / 32, 14. / 32, 15. / 32, 16. / 32};
    double before = 0;
    for (unsigned i = 0; i < 6; i++) {
        char organisation[32];
        snprintf(organisation, sizeof organisation, "stt:width=%u", 1u << i);
        const ws_memory_sum r = registers(s, organisation), m = shared(s, organisation);
        near(r.write_j, 2e-6 * (share[i] * 0.58 + 0.065) / 0.32);
        near(m.write_j, r.write_j);
        near(r.bits_written, 32e6 * share[i]);
        assert_true(r.write_j > before);
        before = r.write_j;
    }
}

/* With free reads a write costs that of SRAM where 0.32 / 0.58 = 55 % of the bits change; with 0.065 pJ a bit, 44 %. */
static void break_even(void **state)
{
    setting *const s = *state;
    const double compares[] = {0, 0.065, 0.013};
    for (unsigned i = 0; i < 3; i++) {
        s->tech.read_compare = compares[i];
        const double even = (0.32 - compares[i]) / 0.58;
        s->values.registers.bits = 1u << 30;
        s->values.registers.written[0] = (uint64_t)(even * (1u << 30));
        near(round(registers(s, "stt:width=1").write_j * 1e13), round(2e-6 * 1e13));
        s->values.registers.written[0] -= 1u << 24;
        assert_true(registers(s, "stt:width=1").write_j < 2e-6);
        s->values.registers.written[0] += 1u << 25;
        assert_true(registers(s, "stt:width=1").write_j > 2e-6);
    }
    near(round(100 * 0.32 / 0.58), 55);
}

static void no_change_is_a_read(void **state)
{
    setting *const s = *state;
    memset(s->values.registers.written, 0, sizeof s->values.registers.written);
    near(registers(s, "stt:width=4").write_j, 2e-6 * 0.065 / 0.32);
    near(registers(s, "stt:width=4").bits_written, 0);
    near(registers(s, "stt:ewt").write_j, 2e-6 * (0.0457 + 0.148) / 0.32);
}

static void early_termination_by_hand(void **state)
{
    const setting *const s = *state;
    near(registers(s, "stt:ewt").write_j, 2e-6 * (0.25 * 0.58 + 0.0457 + 0.75 * 0.148) / 0.32);
    near(registers(s, "stt:ewt").bits_written, 8e6);
}

static void readonly_by_hand(void **state)
{
    const ws_memory_sum r = evaluate(*state, "sram", "sram", "stt").part[WS_MEMORY_READONLY];
    near(r.read_j, 3e-6 * 0.51);
    near(r.write_j, 2e-6 * 1.8125);
    assert_true(r.leakage_j < 4e-6);
}

/* ------------------------------------------------------------------------------------------------ the section of SRAM
 */

static void nothing_of_a_section_is_plain(void **state)
{
    const char *const pairs[][2] = {{"hybrid:0", "stt"},
                                    {"hybrid:0,width=4", "stt:width=4"},
                                    {"hybrid:size=0,ram", "stt"},
                                    {"hybrid:16K,gate=100", "stt"}};
    for (unsigned i = 0; i < 4; i++) {
        const ws_memory_sum a = shared(*state, pairs[i][0]), b = shared(*state, pairs[i][1]);
        near(a.write_j, b.write_j);
        near(a.read_j, b.read_j);
        near(a.leakage_j, b.leakage_j);
        near(a.bits_written, b.bits_written);
        near(a.wear, b.wear);
        near(a.decayed, b.decayed);
    }
}

/* Launches that do not use it have it off, with any gate; without one it leaks. */
static void gates(void **state)
{
    setting *const s = *state;
    const double plain = shared(s, "stt").leakage_j;
    near(shared(s, "hybrid:16K,gate=26").leakage_j, plain); /* a quarter of the accesses are writes */
    assert_true(shared(s, "hybrid:16K,gate=25").leakage_j > plain);
    s->launch.part[WS_MEMORY_SHARED].reads = s->launch.part[WS_MEMORY_SHARED].writes = 0;
    near(shared(s, "hybrid:16K,gate=1").leakage_j, plain);
    const double on = shared(s, "hybrid:16K").leakage_j;
    assert_true(on > plain);
    s->launch.part[WS_MEMORY_SHARED].busy_leakage_j /= 3; /* a section is off where there is no block */
    assert_true(shared(s, "hybrid:16K").leakage_j < on);
}

/* One set: distance times blocks below the lines. Many sets of one line: nobody of so many others fell there. */
static void hits_by_hand(void **state)
{
    (void)state;
    near(ws_memory_hits(0, 1, 1, 1), 1);
    near(ws_memory_hits(3, 1, 1, 8), 1);
    near(ws_memory_hits(3, 1, 1, 4), 0);
    near(ws_memory_hits(2, 1, 1, 3), 0.5); /* distances 2 and 3 */
    near(ws_memory_hits(1, 2, 1, 2), 0);   /* one other of the block, and one of the other block */
    near(ws_memory_hits(1, 1, 64, 1), 63. / 64);
    near(ws_memory_hits(1, 3, 64, 1), pow(63. / 64, 3));
    near(ws_memory_hits(WS_RECENCY_BINS - 1, 1, 1 << 20, 4), 0);
    for (unsigned bin = 1; bin < WS_RECENCY_BINS - 1; bin++)
        for (uint64_t sets = 1; sets <= 1024; sets *= 2) {
            const double hits = ws_memory_hits(bin, 2, sets, 2);
            assert_true(hits >= 0 && hits <= 1 + 1e-12);
            assert_true(ws_memory_hits(bin, 2, 2 * sets, 2) >= hits - 1e-12);
            assert_true(ws_memory_hits(bin, 2, sets, 4) >= hits - 1e-12);
        }
}

/* What the section serves takes the time of SRAM: with all words in it, that is all. */
static void a_section_is_as_fast_as_sram(void **state)
{
    setting *const s = *state;
    s->launch.shared_stores = 30 * 100;
    const double sram = evaluate(s, "sram", "sram", "sram").cycles, stt = evaluate(s, "sram", "stt", "sram").cycles;
    const double cache = evaluate(s, "sram", "hybrid:32K,ways=8", "sram").cycles,
                 ram = evaluate(s, "sram", "hybrid:32K,ram", "sram").cycles;
    near(ram, sram); /* blocks write few words */
    near(evaluate(s, "sram", "hybrid:0", "sram").cycles, stt);
    assert_true(stt > cache && cache > sram - 4 * 2 * 1e4 / 512);
}

static void larger_sections_write_back_less(void **state)
{
    const char *const sizes[] = {"hybrid:0", "hybrid:8K", "hybrid:16K", "hybrid:32K"};
    const char *const widths[] = {"", ",width=1", ",width=32"};
    for (unsigned w = 0; w < 3; w++) {
        double before = INFINITY, served = -1;
        for (unsigned i = 0; i < 4; i++) {
            char organisation[64];
            snprintf(organisation, sizeof organisation, "%s%s", sizes[i], widths[w]);
            const ws_memory_sum r = shared(*state, organisation);
            assert_true(r.bits_written < before && r.section_reads > served);
            before = r.bits_written;
            served = i ? r.section_reads : 0;
        }
    }
}

/* What is read again is written to cells, by hand; lines go as they went without marks. */
static void final_updates(void **state)
{
    setting *const s = *state;
    double needed = 0;
    for (unsigned i = 0; i < WS_RECENCY_BINS; i++)
        needed += (i ? 20 : 60) * (1 - ws_memory_hits(i, s->launch.residents, 8192 / 128 / 2, 2));
    const ws_memory_sum all = shared(s, "hybrid:8K,width=4"), marked = shared(s, "hybrid:8K,width=4,final");
    near(marked.cell_writes, s->launch.part[WS_MEMORY_SHARED].writes * needed / (WS_RECENCY_BINS * 100));
    assert_true(marked.cell_writes < all.cell_writes);
    near(marked.bits_written / all.bits_written, marked.cell_writes / all.cell_writes);
    near(evaluate(s, "sram", "hybrid:8K,final", "sram").cycles, evaluate(s, "sram", "hybrid:8K", "sram").cycles);
    for (unsigned i = 0; i < WS_RECENCY_BINS; i++)
        s->values.recency.word_needed[i] = 0;
    near(shared(s, "hybrid:8K,width=4,final").bits_written, 0);
}

/* ------------------------------------------------------------------------------------------------ time, retention,
 * wear */

static void retention_counts_what_is_late(void **state)
{
    setting *const s = *state;
    s->tech.cell_retention = 1; /* a second is longer than the launch */
    near(registers(s, "stt").decayed, 0);
    s->tech.cell_retention = 1e-12;
    near(registers(s, "stt").decayed, 1e6 * 9 * 100000 / 1280000);
    near(shared(s, "stt").decayed, 1e6 * 9 * 300. / 1100);
    near(registers(s, "stt:sram_long").decayed, 0);
    assert_true(registers(s, "stt:sram_long").section_writes > 0);
    assert_true(registers(s, "stt:sram_long").leakage_j > registers(s, "stt").leakage_j);
}

static void scrubbing_costs(void **state)
{
    setting *const s = *state;
    s->tech.cell_retention = 20e-6;
    assert_true(registers(s, "stt").decayed > 0);
    const double cycles = evaluate(s, "stt", "sram", "sram").cycles;
    s->chip.scrub_s = 20e-6;
    const ws_memory_result r = evaluate(s, "stt", "sram", "sram");
    near(r.part[WS_MEMORY_REGISTERS].decayed, 0);
    near(r.part[WS_MEMORY_REGISTERS].scrub_j, r.seconds / 20e-6 * 65536 / 4 * 30 * (1e-12 * 0.51 + 2e-12 * 1.8125));
    /* 16 rows of a bank, 2 + 4 cycles each, of 25,000 */
    near(r.cycles, cycles / (1 - 16 * 6 / 25000.));
    near(evaluate(s, "sram", "sram", "sram").part[WS_MEMORY_REGISTERS].scrub_j, 0);
    /* 512 words of a bank, a cycle for the read and one for the write, which is 24 cycles slower */
    s->launch.shared_loads = s->launch.shared_stores = 0;
    near(evaluate(s, "sram", "stt", "sram").cycles, 1e5 / (1 - 512 * 26 / 25000.));
}

static void slower_memories_take_longer(void **state)
{
    setting *const s = *state;
    /* 2 cycles more for each result that the next instruction needs, 500 of them a warp; 64 blocks on 30 SMs two by
     * two: twice */
    memset(s->values.first_read, 0, sizeof s->values.first_read);
    s->values.first_read[1] = 64 * 500;
    near(evaluate(s, "stt", "sram", "sram").cycles, 1e5 + 2 * 2 * 500);
    /* With a read before it 4 more; a buffer has it a cycle after, one sooner than SRAM. */
    near(evaluate(s, "stt:width=4", "sram", "sram").cycles, 1e5 + 2 * 4 * 500);
    near(evaluate(s, "stt:ewt", "sram", "sram").cycles, 1e5 + 2 * 2 * 500);
    near(evaluate(s, "stt:width=4,coalesce", "sram", "sram").cycles, 1e5 - 2 * 1 * 500);
    /* Results that are needed some instructions later wait for a part of that. */
    s->values.first_read[4] = 64 * 500;
    near(evaluate(s, "stt", "sram", "sram").cycles, 1e5 + 2 * 2 * 500 * (1 + 1 / ws_value_time_of(4)));
    /* 1e4 loads of 512 warps come 4 cycles sooner, but banks are busy for 24 cycles more a store; half of the time
     * something else is */
    near(evaluate(s, "sram", "stt", "sram").cycles, 1e5 - 2 * 4 * 1e4 / 512 + 0.5 * 24 * 5e3 / 30);
    s->launch.shared_stores = 30 * 10000;
    near(evaluate(s, "sram", "stt", "sram").cycles, 1e4 + 24 * 10000);
    s->launch.shared_stores = 0;
    s->launch.bound = 1e5;
    near(evaluate(s, "sram", "stt", "sram").cycles, 1e5);
}

/* A launch whose time is no number is refused with the name of its kernel. */
static void times_beyond_bounds(void **state)
{
    const setting *const s = *state;
    ws_memory *m;
    ws_memory_result r = {0};
    ws_memory_launch l = s->launch;
    assert_int_equal(ws_memory_create(&s->chip, (const char *[]){"stt", "stt", "stt"}, &m), WS_OK);
    assert_int_equal(ws_memory_add(m, "kernel", &l, &r), WS_OK);
    l.cycles = NAN;
    assert_int_equal(ws_memory_add(m, "kernel", &l, &r), WS_EVERIFY);
    assert_non_null(strstr(ws_message(), "closed form memory, kernel `kernel`"));
    ws_memory_destroy(m);
}

static void years_until_worn_out(void **state)
{
    const setting *const s = *state;
    ws_memory *m;
    ws_memory_result r = {0};
    assert_int_equal(ws_memory_create(&s->chip, (const char *[]){"stt", "stt:width=8", "stt"}, &m), WS_OK);
    assert_int_equal(ws_memory_add(m, "kernel", &s->launch, &r), WS_OK);
    near(r.part[WS_MEMORY_REGISTERS].wear, 600); /* two blocks one after the other */
    near(r.part[WS_MEMORY_SHARED].wear, 40);
    near(ws_memory_years(m, &r, WS_MEMORY_REGISTERS), 1e15 / 600 * r.seconds / (365.25 * 24 * 3600));
    assert_true(isinf(ws_memory_years(m, &r, WS_MEMORY_READONLY)));
    ws_memory_destroy(m);
}

/* Nothing merges where banks are idle; with all of them busy, what is written again at once does: rows, and of their
 * lanes those that are the same. A bank that has all the writes is busy before many are. */
static void coalescing_needs_busy_banks(void **state)
{
    setting *const s = *state;
    const double plain = registers(s, "stt").bits_written;
    for (unsigned i = 0; i < WS_VALUE_BANKS; i++)
        s->values.bank_writes[i] = s->values.row_writes / WS_VALUE_BANKS;
    s->launch.row_writes = 0;
    near(registers(s, "stt,coalesce").bits_written, plain);
    s->launch.row_writes = 1e9;
    const ws_memory_sum busy = registers(s, "stt,coalesce");
    const double rows = busy.coalesced / 1e9, lanes = 1 - busy.bits_written / plain;
    assert_true(rows > 0);
    near(lanes / rows, (50000. / 1280000) / (2000. / 40000));
    s->launch.row_writes = 3e6;
    const double even = registers(s, "stt,coalesce").coalesced;
    memset(s->values.bank_writes, 0, sizeof s->values.bank_writes);
    s->values.bank_writes[5] = s->values.row_writes;
    assert_true(registers(s, "stt,coalesce").coalesced > even);
}

/* Rows of 32 lanes through a port of a word: 31 turns more, and as many cycles until a result is there. */
static void ports_by_hand(void **state)
{
    setting *const s = *state;
    ws_array_result bank;
    const ws_array_shape shape = {.bytes = 65536 / 32, .word = 128};
    assert_int_equal(ws_array_evaluate(&s->node, &s->sram, &shape, 0.9, 353, &bank), WS_OK);
    const ws_memory_sum whole = registers(s, "sram");
    near(whole.more_turns, 0);
    s->chip.register_port = 1;
    near(registers(s, "sram").more_turns, 31 * 3e5);
    near(registers(s, "sram").write_j, whole.write_j + 31 * 3e5 * bank.activate_j);
    near(registers(s, "stt:width=1,coalesce").more_turns, 0);
    near(registers(s, "stt:width=1,coalesce,wide=8").more_turns, 3 * 3e5);
    s->chip.register_port = 4;
    near(registers(s, "stt").more_turns, 7 * 3e5);
    /* Threads that take no part: 40,000 rows of 20 lanes in two runs each. */
    s->chip.register_port = 1;
    s->values.lane_writes = s->values.port_turns[0] = 800000;
    s->values.port_turns[5] = 80000;
    near(registers(s, "sram").more_turns, 19 * 3e5);
    near(registers(s, "stt,coalesce").more_turns, 3e5);
    ws_memory *m;
    const char *const wrong[] = {"stt:coalesce,wide=3", "sram", "sram"}, *const alone[] = {"stt:wide=8", "sram",
                                                                                           "sram"};
    assert_int_equal(ws_memory_create(&s->chip, wrong, &m), WS_EINPUT);
    assert_non_null(strstr(ws_message(), "wide = 3"));
    assert_int_equal(ws_memory_create(&s->chip, alone, &m), WS_EINPUT);
    assert_non_null(strstr(ws_message(), "wide requires coalesce"));
}

/* One bank, reads of 2 cycles, writes of 33. In 1e6 cycles of an SM 1e4 of each: half of it waits (Pollaczek,
 * Khinchine) (0.01 (33^2 + 2^2)) / (2 (1 - 0.35)). */
static void banks_as_queues(void **state)
{
    setting *const s = *state;
    ws_memory_setup one = {
        .chip = &s->chip, .part = WS_MEMORY_REGISTERS, .port = 1, .read_cycles = 2, .write_cycles = 2};
    s->chip.part[WS_MEMORY_REGISTERS].banks = 1;
    s->launch.row_writes = s->launch.row_reads = 30e4;
    s->values.bank_writes[3] = s->values.row_writes;
    near(ws_memory_turns(&one, &s->launch), 32);
    near(ws_memory_row_cycles(&one, &s->launch), 33);
    near(ws_memory_bank_wait(&one, &s->launch, 1e6), 0.01 * (33 * 33 + 4) / (2 * 0.65));
    near(ws_memory_bank_cycles(&one, &s->launch), 1e4 * 35);
    near(ws_memory_bank_wait(&one, &s->launch, 1e5), 15 * 33); /* 16 warps: no more than the others can keep it */
    s->chip.register_port = 1;
    near(ws_memory_port_delay(&one, &s->launch, 1e6), 2 * ws_memory_bank_wait(&one, &s->launch, 1e6) + 31);
    /* Through buffers a result waits for a place alone: 32 are more than 0.01 a cycle for some cycles fill. */
    one.waiting = 32;
    one.port = 32;
    near(ws_memory_port_delay(&one, &s->launch, 1e6), ws_memory_bank_wait(&one, &s->launch, 1e6));
}

/* A launch takes as long as the busiest bank at least, and no less with a narrower port. */
static void narrow_ports_take_time(void **state)
{
    setting *const s = *state;
    double before = evaluate(s, "sram", "sram", "sram").cycles;
    near(before, s->launch.cycles);
    for (unsigned i = 0; i < WS_VALUE_BANKS; i++)
        s->values.bank_writes[i] = s->values.row_writes / WS_VALUE_BANKS;
    for (unsigned port = 32; port; port /= 2) {
        s->chip.register_port = port;
        const ws_memory_result r = evaluate(s, "sram", "sram", "sram"), c = evaluate(s, "stt:coalesce", "sram", "sram");
        assert_true(r.cycles >= before);
        if (port < 32)
            assert_true(c.cycles < r.cycles);
        before = r.cycles;
    }
    s->launch.row_writes = 3e7;
    assert_true(evaluate(s, "sram", "sram", "sram").cycles >= 3e7 / 30 / 32 * 33);
}

/* ------------------------------------------------------------------------------------------------ every row */

static const char *with_part(const char *organisation, ws_memory_part part, ws_memory_part at)
{
    return part == at ? organisation : "sram";
}

static void every_organisation_adds_up(void **state)
{
    const setting *const s = *state;
    for (size_t i = 0; ws_memory_ops_at(i); i++) {
        const ws_memory_part part = ws_memory_ops_part(ws_memory_ops_at(i));
        const char *const name = ws_memory_ops_name(ws_memory_ops_at(i));
        ws_memory *m;
        ws_memory_result once = {0}, twice = {0};
        const char *const all[] = {with_part(name, part, 0), with_part(name, part, 1), with_part(name, part, 2)};
        assert_int_equal(ws_memory_create(&s->chip, all, &m), WS_OK);
        assert_int_equal(ws_memory_add(m, "kernel", &s->launch, &once), WS_OK);
        assert_int_equal(ws_memory_add(m, "kernel", &s->launch, &twice), WS_OK);
        assert_int_equal(ws_memory_add(m, "kernel", &s->launch, &twice), WS_OK);
        for (size_t k = 0; k < sizeof once / sizeof(double); k++) {
            assert_true(((const double *)&once)[k] >= 0 && isfinite(((const double *)&once)[k]));
            near(((const double *)&twice)[k], 2 * ((const double *)&once)[k]);
        }
        assert_true(ws_memory_area(m, part) > 0);
        ws_memory_destroy(m);
    }
}

static void cheaper_leakage_and_area(void **state)
{
    setting *const s = *state;
    ws_memory *m, *m0;
    assert_int_equal(ws_memory_create(&s->chip, (const char *[]){"stt", "stt", "stt"}, &m), WS_OK);
    assert_int_equal(ws_memory_create(&s->chip, (const char *[]){"sram", "sram", "sram"}, &m0), WS_OK);
    const ws_memory_result r = evaluate(s, "stt", "stt", "stt");
    for (unsigned part = 0; part < WS_MEMORY_PARTS; part++) {
        assert_true(ws_memory_area(m, (ws_memory_part)part) < ws_memory_area(m0, (ws_memory_part)part));
        assert_true(r.part[part].leakage_j < 2e-6);
    }
    s->chip.arrays = true; /* by the cells: a sense amplifier for each bit makes reads dear */
    assert_true(registers(s, "stt").read_j > 3e-6);
    ws_memory_destroy(m);
    ws_memory_destroy(m0);
}

static void what_is_refused(void **state)
{
    static const struct {
        const char *organisation[WS_MEMORY_PARTS], *says;
    } bad[] = {
        {{"stt:width=3", "sram", "sram"}, "arrays of 3 bits do not make up a word"},
        {{"stt:width=64", "sram", "sram"}, "width = 64"},
        {{"stt:width=4,ewt", "sram", "sram"}, "give one of the two"},
        {{"stt:width", "sram", "sram"}, "width needs a value"},
        {{"stt:width=x", "sram", "sram"}, "whole number"},
        {{"stt:width=4,width=8", "sram", "sram"}, "given twice"},
        {{"stt:depth=4", "sram", "sram"}, "has no option depth"},
        {{"stt:", "sram", "sram"}, "has no option "},
        {{"sram:width=4", "sram", "sram"}, "has no option width"},
        {{"mram", "sram", "sram"}, "expected one of sram, stt"},
        {{"hybrid:16K", "sram", "sram"}, "unknown organisation `hybrid`"},
        {{"sram", "hybrid:64K", "sram"}, "more than the 32768 of shared memory"},
        {{"sram", "hybrid:16K,ways=3", "sram"}, "no multiple of 3 ways"},
        {{"sram", "hybrid:1000", "sram"}, "no multiple"},
        {{"sram", "hybrid:256,ways=1", "sram"}, "less than a line for each"},
        {{"sram", "hybrid:99999999999999999999K", "sram"}, "whole number"},
        {{"sram", "hybrid:16K,gate=101", "sram"}, "gate = 101"},
        {{"sram", "hybrid:16K,ram,final", "sram"}, "final requires a cache"},
        {{"sram", "stt:width=5", "sram"}, "arrays of 5 bits"},
        {{"sram", "sram", "hybrid"}, "readonly: unknown organisation"},
        {{"sram", "sram", "stt:width=4"}, "has no option width"},
    };
    const setting *const s = *state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ws_memory *m;
        assert_int_equal(ws_memory_create(&s->chip, bad[i].organisation, &m), WS_EINPUT);
        if (!strstr(ws_message(), bad[i].says))
            fail_msg("%s: expected %s", ws_message(), bad[i].says);
        assert_null(m);
    }
}

static void scrubs_that_are_refused(void **state)
{
    setting *const s = *state;
    ws_memory *m;
    s->chip.scrub_s = 2e-4;
    assert_int_equal(ws_memory_create(&s->chip, (const char *[]){"stt", "stt", "stt"}, &m), WS_EINPUT);
    assert_non_null(strstr(ws_message(), "does not preserve data that decay"));
    s->chip.scrub_s = 1e-8;
    assert_int_equal(ws_memory_create(&s->chip, (const char *[]){"stt", "stt", "stt"}, &m), WS_EINPUT);
    assert_non_null(strstr(ws_message(), "busy"));
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(sram_is_what_came_in),
        CASE(all_bits_cost_what_the_table_says),
        CASE(width_by_hand),
        CASE(break_even),
        CASE(no_change_is_a_read),
        CASE(early_termination_by_hand),
        CASE(readonly_by_hand),
        CASE(nothing_of_a_section_is_plain),
        CASE(gates),
        CASE(hits_by_hand),
        CASE(a_section_is_as_fast_as_sram),
        CASE(larger_sections_write_back_less),
        CASE(final_updates),
        CASE(retention_counts_what_is_late),
        CASE(scrubbing_costs),
        CASE(slower_memories_take_longer),
        CASE(years_until_worn_out),
        CASE(times_beyond_bounds),
        CASE(coalescing_needs_busy_banks),
        CASE(ports_by_hand),
        CASE(banks_as_queues),
        CASE(narrow_ports_take_time),
        CASE(every_organisation_adds_up),
        CASE(cheaper_leakage_and_area),
        CASE(what_is_refused),
        CASE(scrubs_that_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
