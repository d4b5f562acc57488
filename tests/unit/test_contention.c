/* test_contention.c - atomics of SMs: streams worked out by hand, histograms by probability, and everything again by
 * looking at all pairs. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "metrics/contention.h"
#include "tests/unit/events.h"
#include "tests/unit/rounds.h"

#include <gsl/gsl_rng.h>

extern const ws_metric ws_metric_contention;
static const ws_metric *const M = &ws_metric_contention;

enum { LINE = 128, LINES_OF_WORDS = LINE / 4 };

/* Columns, of which some may be missing. */
static double *columns_of(const script *s)
{
    double *const counter = count_script(M, s), *const value = calloc(ws_metric_columns(M), sizeof *value);
    assert_non_null(value);
    M->emit(counter, value);
    free(counter);
    return value;
}

/* The same for large scripts: cut in one way. */
static double *columns_of_halves(const script *s)
{
    const uint64_t blocks = s->launch.blocks;
    double *const counter = script_finish(M, s, script_split(M, s, 0, blocks, (blocks + 1) / 2, 2));
    double *const value = calloc(ws_metric_columns(M), sizeof *value);
    assert_non_null(value);
    M->emit(counter, value);
    free(counter);
    return value;
}

static uint32_t reduction(script *s, const char *opcode)
{
    return instr(s, (ws_instr){.opcode = opcode,
                               .cls = WS_CLASS_MEMORY,
                               .space = WS_SPACE_GLOBAL,
                               .access = WS_ACCESS_REDUCE,
                               .bytes = 4});
}

static void atomic_line(script *s, unsigned block, uint32_t pc, uint64_t line)
{
    access_line(s, block, 0, pc, 1, line * LINE, 0);
}

/* Twelve additions to lines 0 1 0 2 3 0 4 1 0 5 0 2 and a maximum on line 0, by one SM (example of a buffer of
 * updates). */
static void a_stream_of_one_sm(void **unused)
{
    static const uint64_t line[] = {0, 1, 0, 2, 3, 0, 4, 1, 0, 5, 0, 2};
    (void)unused;
    script *const s = script_create(1, 32);
    const uint32_t add = reduction(s, "red.global.add.u32"), max = reduction(s, "red.global.max.u32");
    for (size_t i = 0; i < sizeof line / sizeof *line; i++)
        atomic_line(s, 0, add, line[i]);
    atomic_line(s, 0, max, 0);
    double *const v = columns_of(s);
    assert_column(M, v, "contention_gathered_0", 0);
    assert_column(M, v, "contention_gathered_1", 2. / 13);
    assert_column(M, v, "contention_gathered_2", 4. / 13);
    assert_column(M, v, "contention_gathered_3", 6. / 13);
    assert_column(M, v, "contention_reuse_0", 0);
    assert_column(M, v, "contention_reuse_1", 3. / 13);
    assert_column(M, v, "contention_reuse_2", 2. / 13);
    assert_column(M, v, "contention_reuse_3", 2. / 13);
    assert_column(M, v, "contention_reuse_mean", 16. / 7);
    assert_column(M, v, "contention_mixed", 1. / 13);
    assert_column(M, v, "contention_sm_lines", 6);
    assert_column(M, v, "contention_migrations", 0);
    assert_column(M, v, "contention_share_1", 1);
    assert_column(M, v, "contention_commuting", 1);
    assert_column(M, v, "contention_word_max", 6);
    assert_column(M, v, "contention_top_0", 6. / 13);
    assert_column(M, v, "contention_private_bytes", 24);
    assert_true(isnan(column(M, v, "contention_reuse_strong")));
    free(v);
    script_destroy(s);
}

/* Two SMs update one word in turn, 10 times each: 19 of 20 updates find the line with the other one, buffers gather 18.
 */
static void two_sms_in_turn(void **unused)
{
    (void)unused;
    script *const s = script_create(2, 32);
    const uint32_t add = reduction(s, "red.global.add.u32");
    for (unsigned block = 0; block < 2; block++)
        for (unsigned i = 0; i < 10; i++)
            atomic_line(s, block, add, 7);
    double *const v = columns_of(s);
    assert_column(M, v, "contention_migrations", 19. / 20);
    for (unsigned i = 0; i < 9; i++) {
        char name[40];
        snprintf(name, sizeof name, "contention_gathered_%u", i);
        assert_column(M, v, name, 18. / 20);
    }
    assert_column(M, v, "contention_word_max", 20);
    assert_column(M, v, "contention_collisions_2", 19. / 20);
    assert_column(M, v, "contention_sm_lines", 1);
    free(v);
    script_destroy(s);
}

/* A0 D1 D2 A0 D3 D4 A0: two lines of data come between updates that a buffer of one line gathers. */
static void data_come_between(void **unused)
{
    (void)unused;
    script *const s = script_create(1, 32);
    const uint32_t add = reduction(s, "red.global.add.u32"), load = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4);
    for (unsigned i = 0; i < 7; i++)
        atomic_line(s, 0, i % 3 ? load : add, i % 3 ? i + 1 : 0);
    double *const v = columns_of(s);
    assert_column(M, v, "contention_interference", 2);
    assert_column(M, v, "contention_gathered_0", 2. / 3);
    assert_column(M, v, "contention_share_0", 3. / 7);
    free(v);
    script_destroy(s);
}

/* What a fence beyond the block sends away has to come again; one within the block sends nothing. */
static void fences_empty_buffers(void **unused)
{
    static const char *const text[] = {"membar.gl", "membar.cta"};
    (void)unused;
    for (unsigned k = 0; k < 2; k++) {
        script *const s = script_create(1, 32);
        const uint32_t add = reduction(s, "red.global.add.u32");
        arithmetic(s, 1, WS_CLASS_INTEGER);
        const uint32_t fence = instr(
            s, (ws_instr){
                   .opcode = text[k], .cls = WS_CLASS_OTHER, .fence = true, .scope = k ? WS_SCOPE_CTA : WS_SCOPE_GPU});
        atomic_line(s, 0, add, 0);
        run(s, 0, 0, fence - 1, 2, ALL_LANES); /* within a run */
        atomic_line(s, 0, add, 0);
        double *const v = columns_of(s);
        assert_column(M, v, "contention_gathered_3", k ? .5 : 0);
        free(v);
        script_destroy(s);
    }
}

/* An addition whose result is read does not commute, nor an exchange, nor one that releases; those of a block are not
 * counted. */
static void what_commutes(void **unused)
{
    (void)unused;
    script *const s = script_create(1, 32);
    const uint32_t pc[] = {
        reduction(s, "red.global.add.u32"),
        instr(s, (ws_instr){.opcode = "atom.global.add.u32",
                            .cls = WS_CLASS_MEMORY,
                            .space = WS_SPACE_GLOBAL,
                            .access = WS_ACCESS_ATOMIC,
                            .bytes = 4,
                            .dsts = 1,
                            .dst = {5}}),
        instr(s, (ws_instr){.opcode = "atom.global.add.u32",
                            .cls = WS_CLASS_MEMORY,
                            .space = WS_SPACE_GLOBAL,
                            .access = WS_ACCESS_ATOMIC,
                            .bytes = 4,
                            .dsts = 1,
                            .dst = {6}}),
        instr(s, (ws_instr){.opcode = "atom.global.exch.b32",
                            .cls = WS_CLASS_MEMORY,
                            .space = WS_SPACE_GLOBAL,
                            .access = WS_ACCESS_ATOMIC,
                            .bytes = 4}),
        reduction(s, "red.release.gpu.global.add.u32"),
        reduction(s, "red.relaxed.cta.global.add.u32"),
    };
    instr(s, (ws_instr){.opcode = "add.u32", .cls = WS_CLASS_INTEGER, .srcs = 1, .src = {5}});
    for (unsigned i = 0; i < sizeof pc / sizeof *pc; i++)
        atomic_line(s, 0, pc[i], i);
    double *const v = columns_of(s);
    assert_column(M, v, "contention_commuting", 2. / 5);
    assert_column(M, v, "contention_commuting_share", 2. / 6);
    assert_column(M, v, "contention_share_2", 5. / 6);
    free(v);
    script_destroy(s);
}

/* 262144 items into 256 bins (8 lines) and 8192 (256 lines): lines of a warp as probability has it, messages at most
 * one a line and SM, and as many thread blocks with copies as the study of such buffers reports: 8, and 3. */
static void histograms(void **unused)
{
    static const struct {
        unsigned bins, lines;
        double expected;
        const char *gathered;
        double blocks;
    } row[] = {{256, 8, 7.8885, "contention_gathered_3", 8}, {8192, 256, 30.136, "contention_gathered_8", 3}};
    enum { BLOCKS = 1024, WARPS = 8 };
    (void)unused;
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_taus2);
    for (unsigned k = 0; k < 2; k++) {
        script *const s = script_create(BLOCKS, WARPS * WS_WARP);
        s->launch.shared_bytes = 0;
        const uint32_t add = reduction(s, "red.global.add.u32");
        for (unsigned i = 0; i < BLOCKS * WARPS; i++) {
            uint64_t address[WS_WARP];
            for (unsigned lane = 0; lane < WS_WARP; lane++)
                address[lane] = 4 * gsl_rng_uniform_int(rng, row[k].bins);
            access_at(s, i / WARPS, i % WARPS, add, ALL_LANES, address);
        }
        double *const v = columns_of_halves(s);
        const double lines = column(M, v, "contention_lines_mean"), all = lines * BLOCKS * WARPS;
        assert_true(fabs(lines - row[k].expected) < 0.02);
        const double messages = (1 - column(M, v, row[k].gathered)) * all;
        assert_true(messages < 80. * row[k].lines + 0.5 && messages > 79. * row[k].lines * 0.9);
        assert_column(M, v, "contention_sm_lines_max", row[k].lines);
        assert_column(M, v, "contention_private_blocks", row[k].blocks);
        free(v);
        script_destroy(s);
    }
    gsl_rng_free(rng);
}

/* A warp's atomic touches twelve lines of 32 that it could; counters as many as a network's weights (466540) take 1822
 * KiB, which no SM has room to copy. */
static void as_large_as_a_study_has(void **unused)
{
    enum { WEIGHTS = 466540 };
    (void)unused;
    script *const s = script_create(1, WS_WARP);
    s->launch.shared_bytes = 0;
    const uint32_t add = reduction(s, "red.global.add.f32");
    access_line(s, 0, 0, add, 0xfff, 0, LINE);
    for (uint64_t at = 0; at < WEIGHTS; at += WS_WARP)
        access_line(s, 0, 0, add, WEIGHTS - at < WS_WARP ? (1u << (WEIGHTS - at)) - 1 : ALL_LANES, 4 * at, 4);
    double *const v = columns_of_halves(s);
    assert_column(M, v, "contention_lines_max", 12);
    assert_float_equal(column(M, v, "contention_lines_max") / WS_WARP, .375, 0);
    assert_column(M, v, "contention_private_bytes", 1866160);
    assert_int_equal(1866160 / 1024, 1822);
    assert_column(M, v, "contention_private_blocks", 0);
    free(v);
    script_destroy(s);
}

/* ------------------------------------------------------------------------------------------------ all pairs, slowly */

enum { MOST = 4096 };

typedef struct naive {
    struct {
        uint64_t word;
        unsigned block, warp, kind, op, lanes, turn;
    } at[MOST];
    unsigned n;
} naive;

static void naive_add(naive *z, unsigned block, unsigned warp, unsigned kind, uint64_t word, unsigned op,
                      unsigned lanes)
{
    assert_true(z->n < MOST);
    z->at[z->n].word = word;
    z->at[z->n].block = block;
    z->at[z->n].warp = warp;
    z->at[z->n].kind = kind;
    z->at[z->n].op = op;
    z->at[z->n++].lanes = lanes;
}

static uint64_t naive_line(const naive *z, unsigned i)
{
    return z->at[i].kind == WS_LOGGED_DATA ? z->at[i].word : z->at[i].word / LINES_OF_WORDS;
}

static bool is_update(const naive *z, unsigned i)
{
    return z->at[i].kind <= WS_LOGGED_WORD;
}

static bool naive_begins(const naive *z, unsigned i)
{
    for (unsigned k = i; z->at[k].kind == WS_LOGGED_WORD;)
        if (naive_line(z, --k) == naive_line(z, i))
            return false;
    return true;
}

/* Distinct lines on the SM between i and the last update of its line there; false: none, or a fence comes first. */
static bool naive_distance(const naive *z, unsigned i, bool data, unsigned *distance, unsigned *op)
{
    uint64_t seen[MOST];
    unsigned n = 0;
    for (unsigned k = i; k-- > 0;) {
        if (z->at[k].block % 80 != z->at[i].block % 80)
            continue;
        if (z->at[k].kind == WS_LOGGED_FENCE)
            return false;
        if (is_update(z, k) ? !naive_begins(z, k) : !data)
            continue;
        if (naive_line(z, k) == naive_line(z, i)) {
            if (!is_update(z, k))
                continue;
            *distance = n;
            *op = z->at[k].op;
            return true;
        }
        bool again = false;
        for (unsigned j = 0; j < n; j++)
            again |= seen[j] == naive_line(z, k);
        if (!again)
            seen[n++] = naive_line(z, k);
    }
    return false;
}

static void naive_streams(const naive *z, ws_contention *out)
{
    for (unsigned i = 0; i < z->n; i++) {
        unsigned distance, beside, op;
        if (!is_update(z, i) || !naive_begins(z, i))
            continue;
        out->updates++;
        if (!naive_distance(z, i, false, &distance, &op)) {
            out->first++;
        } else {
            unsigned bin = 0, other;
            while (distance >> bin)
                bin++;
            assert_true(naive_distance(z, i, true, &beside, &other));
            out->reuse[bin]++;
            out->combined[bin] += op == z->at[i].op;
            out->distance += distance;
            out->beside += beside;
        }
        for (unsigned k = i; k-- > 0;)
            if (is_update(z, k) && z->at[k].block % 80 == z->at[i].block % 80 && naive_line(z, k) == naive_line(z, i)) {
                out->mixed += z->at[k].op != z->at[i].op;
                break;
            }
    }
}

/* SM s does its k-th atomic in turn 80 k + s: what was before is what has a smaller one. Data lie on lines of their own
 * here. */
static void naive_turns(naive *z, ws_contention *out)
{
    unsigned done[80] = {0};
    for (unsigned i = 0; i < z->n; i++)
        if (is_update(z, i))
            z->at[i].turn = z->at[i].kind == WS_LOGGED_ATOMIC ? 80 * done[z->at[i].block % 80]++ + z->at[i].block % 80
                                                              : z->at[i - 1].turn;
    for (unsigned i = 0; i < z->n; i++) {
        long last = -1, atomics[WS_CONTENDERS];
        if (!is_update(z, i))
            continue;
        out->lanes += z->at[i].lanes;
        out->in_warp += z->at[i].lanes > 1 ? z->at[i].lanes : 0;
        for (unsigned by = 0; by < WS_CONTENDERS; by++)
            atomics[by] = -1;
        for (unsigned k = 0; k < z->n; k++) {
            if (!is_update(z, k) || z->at[k].turn >= z->at[i].turn)
                continue;
            const bool block = z->at[k].block != z->at[i].block, sm = z->at[k].block % 80 != z->at[i].block % 80;
            const bool differs[] = {block || z->at[k].warp != z->at[i].warp, block, sm};
            if (naive_line(z, k) == naive_line(z, i) && (last < 0 || z->at[k].turn >= z->at[last].turn))
                last = k;
            for (unsigned by = 0; by < WS_CONTENDERS && z->at[k].word == z->at[i].word; by++)
                if (differs[by] && (atomics[by] < 0 || z->at[k].turn > atomics[by]))
                    atomics[by] = z->at[k].turn;
        }
        out->migrations += naive_begins(z, i) && last >= 0 && z->at[last].block % 80 != z->at[i].block % 80;
        for (unsigned by = 0; by < WS_CONTENDERS; by++) {
            unsigned between = 0; /* atomics of warps from that one to this one */
            for (unsigned k = 0; k < z->n; k++)
                between += z->at[k].kind == WS_LOGGED_ATOMIC && (long)z->at[k].turn > atomics[by] &&
                           z->at[k].turn <= z->at[i].turn;
            out->by[by] += atomics[by] >= 0 && between <= WS_CONTENTION_WINDOW ? z->at[i].lanes : 0;
        }
    }
}

static void random_atomic(gsl_rng *rng, script *s, naive *z, unsigned block, uint32_t pc, unsigned op)
{
    const unsigned warp = (unsigned)gsl_rng_uniform_int(rng, 2), lines = 1 + (unsigned)gsl_rng_uniform_int(rng, 12);
    const uint32_t mask = (uint32_t)gsl_rng_get(rng) & (uint32_t)gsl_rng_get(rng) & (uint32_t)gsl_rng_get(rng);
    uint64_t address[WS_WARP], word[WS_WARP];
    unsigned lanes[WS_WARP] = {0}, words = 0;
    if (!mask)
        return;
    for (unsigned lane = 0; lane < WS_WARP; lane++)
        address[lane] = 128 * gsl_rng_uniform_int(rng, lines) + 4 * gsl_rng_uniform_int(rng, 3);
    access_at(s, block, warp, pc, mask, address);
    WS_EACH_LANE (lane, mask) {
        unsigned k = 0;
        while (k < words && word[k] != address[lane] / 4)
            k++;
        word[k] = address[lane] / 4;
        words += k == words;
        lanes[k]++;
    }
    for (unsigned k = 0; k < words; k++)
        naive_add(z, block, warp, k ? WS_LOGGED_WORD : WS_LOGGED_ATOMIC, word[k], op, lanes[k]);
}

static void all_pairs_say_the_same(void **unused)
{
    (void)unused;
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_taus2);
    for (unsigned round = 0; round < rounds_of(30); round++) {
        gsl_rng_set(rng, round + 1);
        naive *const z = calloc(1, sizeof *z);
        assert_non_null(z);
        const unsigned blocks = 1 + (unsigned)gsl_rng_uniform_int(rng, 200);
        script *const s = script_create(blocks, 64);
        const uint32_t pc[] = {reduction(s, "red.global.add.u32"), reduction(s, "red.global.max.u32")};
        const uint32_t load = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4);
        const uint32_t fence =
            instr(s, (ws_instr){.opcode = "membar.gl", .cls = WS_CLASS_OTHER, .fence = true, .scope = WS_SCOPE_GPU});
        for (unsigned block = 0; block < blocks; block++)
            for (unsigned i = 0; i < 400 / blocks + 1; i++) {
                const unsigned what = (unsigned)gsl_rng_uniform_int(rng, 10),
                               line = 8 + (unsigned)gsl_rng_uniform_int(rng, 9);
                if (what == 0) {
                    run(s, block, 0, fence, 1, ALL_LANES);
                    naive_add(z, block, 0, WS_LOGGED_FENCE, 0, 0, 0);
                } else if (what < 3) {
                    access_line(s, block, 0, load, ALL_LANES, 128 * line, 4);
                    naive_add(z, block, 0, WS_LOGGED_DATA, line, 0, 0);
                } else {
                    random_atomic(rng, s, z, block, pc[what & 1], what & 1);
                }
            }
        ws_contention want = {0};
        naive_streams(z, &want);
        naive_turns(z, &want);
        double *const v = columns_of(s);
        double gathered = 0;
        for (unsigned i = 0; i < WS_CONTENTION_BINS; i++) {
            char name[40];
            snprintf(name, sizeof name, "contention_reuse_%u", i);
            assert_column(M, v, name, (double)want.reuse[i] / (double)want.updates);
            gathered += (double)want.combined[i];
            snprintf(name, sizeof name, "contention_gathered_%u", i);
            if (i + 1 < WS_CONTENTION_BINS)
                assert_column(M, v, name, gathered / (double)want.updates);
        }
        const double again = (double)(want.updates - want.first), lanes = (double)want.lanes;
        assert_column(M, v, "contention_reuse_mean", (double)want.distance / again);
        assert_column(M, v, "contention_interference", (double)(want.beside - want.distance) / again);
        assert_column(M, v, "contention_mixed", (double)want.mixed / (double)want.updates);
        assert_column(M, v, "contention_migrations", (double)want.migrations / (double)want.updates);
        assert_column(M, v, "contention_in_warp", (double)want.in_warp / lanes);
        assert_column(M, v, "contention_collisions_0", (double)want.by[0] / lanes);
        assert_column(M, v, "contention_collisions_1", (double)want.by[1] / lanes);
        assert_column(M, v, "contention_collisions_2", (double)want.by[2] / lanes);
        free(v);
        script_destroy(s);
        free(z);
    }
    gsl_rng_free(rng);
}

/* Of a launch with more words than the log holds, the first ones count, however the grid was cut. */
static void a_full_log_is_cut_alike(void **unused)
{
    enum { BLOCKS = 40, EACH = 1000 };
    (void)unused;
    script *const s = script_create(BLOCKS, 32);
    const uint32_t add = reduction(s, "red.global.add.u32");
    for (unsigned block = 0; block < BLOCKS; block++)
        for (unsigned i = 0; i < EACH; i++)
            access_line(s, block, 0, add, ALL_LANES, (uint64_t)(block * EACH + i) * LINE, 4);
    double *const v = columns_of_halves(s);
    assert_column(M, v, "contention_private_bytes", 4. * WS_ATOMIC_LOG);
    assert_column(M, v, "contention_lines_mean", 1); /* of all */
    double *const halves = script_finish(M, s, script_split(M, s, 0, BLOCKS, BLOCKS / 2, 2));
    double *const parts = script_finish(M, s, script_split(M, s, 0, BLOCKS, 3, 1));
    assert_memory_equal(halves, parts, ws_metric_counters(M) * sizeof *parts);
    free(halves);
    free(parts);
    free(v);
    script_destroy(s);
}

static void nothing_is_not_zero(void **unused)
{
    (void)unused;
    script *const s = script_create(2, 32);
    const uint32_t load = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4);
    access_line(s, 1, 0, load, ALL_LANES, 0, 4);
    double *const v = columns_of(s);
    assert_column(M, v, "contention_share_0", 0);
    assert_column(M, v, "contention_commuting_share", 0);
    assert_true(isnan(column(M, v, "contention_commuting")));
    assert_true(isnan(column(M, v, "contention_migrations")));
    assert_true(isnan(column(M, v, "contention_private_blocks")));
    free(v);
    script_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stream_of_one_sm),      cmocka_unit_test(two_sms_in_turn),
        cmocka_unit_test(data_come_between),       cmocka_unit_test(fences_empty_buffers),
        cmocka_unit_test(what_commutes),           cmocka_unit_test(histograms),
        cmocka_unit_test(as_large_as_a_study_has), cmocka_unit_test(all_pairs_say_the_same),
        cmocka_unit_test(a_full_log_is_cut_alike), cmocka_unit_test(nothing_is_not_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
