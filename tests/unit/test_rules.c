/* test_rules.c - rules of `summary` and directions of `diff`: every row names a column that is there; rules hold where
 * they must, and nowhere else; the instructions that are to blame are found. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/status.h"
#include "cli/annotate/rule.h"
#include "metrics/metric_layout.h"
#include "model/sim/sim_stats.h"

#include <string.h>

static bool is_metric(const char *name)
{
    ws_layout layout;
    bool found = false;
    assert_int_equal(ws_layout_init("all", &layout), WS_OK);
    for (size_t i = 0; i < layout.columns; i++)
        found = found || !strcmp(layout.column[i].name, name);
    ws_layout_fini(&layout);
    return found;
}

static bool is_statistic(const char *name)
{
    for (size_t i = 0; ws_sim_stat_of_any(i).name; i++)
        if (!strcmp(ws_sim_stat_of_any(i).name, name))
            return true;
    return false;
}

/* What the frame of `sim --power` has beside its components. */
static bool is_of_power(const char *name)
{
    return !strcmp(name, "seconds") || !strcmp(name, "watts") || !strcmp(name, "joules");
}

static void columns(void **unused)
{
    (void)unused;
    for (unsigned r = 0; r < WS_RULES; r++)
        if (!is_metric(ws_rule_table[r].column))
            fail_msg("rule %s: there is no column %s", ws_rule_table[r].name, ws_rule_table[r].column);
    static const char *const directed[] = {
#define DIRECTION(column, better) #column,
#include "cli/diff/directions.def"
#undef DIRECTION
    };
    for (size_t i = 0; i < sizeof directed / sizeof *directed; i++)
        if (!is_metric(directed[i]) && !is_statistic(directed[i]) && !is_of_power(directed[i]))
            fail_msg("directions.def: there is no column %s", directed[i]);
}

static bool has_case[WS_RULES];

static size_t findings(const ws_facts *facts, ws_finding found[WS_RULES])
{
    const size_t n = ws_findings(facts, found);
    for (size_t i = 0; i < n; i++)
        for (unsigned r = 0; r < WS_RULES; r++)
            has_case[r] = has_case[r] || !strcmp(found[i].name, ws_rule_table[r].name);
    return n;
}

/* A kernel of two lines: `count` is what the second does. */
static size_t find(const ws_listed *second, ws_finding found[WS_RULES], const ws_source_line **line)
{
    static const ws_place place[] = {{0}, {.file = "a.cu", .line = 3}, {.file = "a.cu", .line = 7}};
    static ws_line_table table;
    ws_listed row[] = {{.text = "add.u32 %r1, %r2, %r3", .place = 1, .cls = WS_CLASS_INTEGER}, *second};
    ws_facts facts = {.blocks = 1000, .blocks_most = 1000, .threads_most = 256};
    row[0].count[WS_COUNT_issues] = 100;
    row[0].count[WS_COUNT_lanes] = 3200;
    row[1].place = 2;
    const ws_listing listing = {.row = row, .rows = 2, .place = place, .places = 3};
    assert_int_equal(ws_line_table_make(&listing, &table), WS_OK);
    ws_facts_sum(&facts, &table);
    const size_t n = findings(&facts, found);
    *line = n ? found[0].line : NULL;
    if (*line) {
        assert_int_equal((*line)->line, 7);
        assert_string_equal((*line)->file, "a.cu");
    }
    ws_line_table_fini(&table);
    return n;
}

static void held(const char *rule, const ws_listed *second)
{
    ws_finding found[WS_RULES];
    const ws_source_line *line;
    assert_int_equal(find(second, found, &line), 1);
    assert_string_equal(found[0].name, rule);
    assert_non_null(line);
    assert_true(found[0].loss > 0 && found[0].loss <= 1);
}

static void instructions(void **unused)
{
    (void)unused;
    ws_finding found[WS_RULES];
    const ws_source_line *line;
    ws_listed load = {
        .text = "ld.global.f32 %f1, [%rd1]",
        .cls = WS_CLASS_MEMORY,
        .space = WS_SPACE_GLOBAL,
        .access = WS_ACCESS_LOAD,
        .count = {
            [WS_COUNT_issues] = 10, [WS_COUNT_lanes] = 320, [WS_COUNT_sectors] = 40, [WS_COUNT_least_sectors] = 40}};
    assert_int_equal(find(&load, found, &line), 0); /* as it should be */
    load.count[WS_COUNT_sectors] = 79;
    assert_int_equal(find(&load, found, &line), 0); /* less than twice */
    load.count[WS_COUNT_sectors] = 320;
    held("uncoalesced_loads", &load);
    load.access = WS_ACCESS_STORE;
    held("uncoalesced_stores", &load);
    load.access = WS_ACCESS_LOAD;
    load.count[WS_COUNT_sectors] = load.count[WS_COUNT_least_sectors] = 40;
    load.count[WS_COUNT_again] = 36;
    held("reread", &load);
    load.count[WS_COUNT_again] = 0;
    load.count[WS_COUNT_local_sectors] = 40;
    held("local_memory", &load);
    ws_listed tile = {
        .text = "ld.shared.f32 %f1, [%r1]",
        .cls = WS_CLASS_MEMORY,
        .space = WS_SPACE_SHARED,
        .access = WS_ACCESS_LOAD,
        .count = {
            [WS_COUNT_issues] = 10, [WS_COUNT_lanes] = 320, [WS_COUNT_passes] = 10, [WS_COUNT_least_passes] = 10}};
    assert_int_equal(find(&tile, found, &line), 0);
    tile.count[WS_COUNT_passes] = 20;
    held("bank_conflicts", &tile);
    tile.text = "red.shared.add.u32 [%r1], 1";
    tile.access = WS_ACCESS_REDUCE;
    held("atomic_bank_conflicts", &tile);
    tile.text = "atom.shared.add.u32 %r2, [%r1], 1";
    tile.access = WS_ACCESS_ATOMIC;
    held("atomic_bank_conflicts", &tile);
    tile.count[WS_COUNT_passes] = 14; /* less than one and a half times */
    assert_int_equal(find(&tile, found, &line), 0);
    load.count[WS_COUNT_local_sectors] = 0;
    load.count[WS_COUNT_again] = 36;
    load.text = "ld.volatile.global.u32 %r1, [%rd1]"; /* waits for what others store */
    assert_int_equal(find(&load, found, &line), 0);
    ws_listed barrier = {
        .text = "bar.sync 0", .cls = WS_CLASS_BARRIER, .count = {[WS_COUNT_issues] = 10, [WS_COUNT_lanes] = 320}};
    held("barriers", &barrier);
    barrier.text = "bar.warp.sync -1";
    assert_int_equal(find(&barrier, found, &line), 0);
}

/* What is said beside a line is of its instructions of the kind; without lines, of the kernel's. */
static void numbers(void **unused)
{
    static const ws_place place[] = {{0}, {.file = "a.cu", .line = 3}, {.file = "a.cu", .line = 7}};
    static const char *const said[] = {"16.0 passes over the banks of shared memory per access (ideal 1.0)",
                                       "11.0 passes over the banks of shared memory per access (ideal 1.0)"};
    ws_listed row[3] = {{.place = 1}, {.place = 2}, {.place = 2}};
    ws_line_table table;
    ws_finding found[WS_RULES];
    (void)unused;
    for (unsigned i = 0; i < 3; i++) {
        row[i].text = "ld.shared.u32 %r1, [%r2]";
        row[i].cls = WS_CLASS_MEMORY;
        row[i].space = WS_SPACE_SHARED;
        row[i].access = WS_ACCESS_LOAD;
        row[i].count[WS_COUNT_issues] = row[i].count[WS_COUNT_least_passes] = 10;
        row[i].count[WS_COUNT_lanes] = 320;
        row[i].count[WS_COUNT_passes] = i ? 160 : 10;
    }
    for (unsigned k = 0; k < 2; k++) {
        ws_facts facts = {.blocks = 1000, .blocks_most = 1000, .threads_most = 256};
        const ws_listing listing = {.row = row, .rows = 3, .place = place, .places = 3};
        assert_int_equal(ws_line_table_make(&listing, &table), WS_OK);
        ws_facts_sum(&facts, &table);
        assert_int_equal(findings(&facts, found), 1);
        assert_string_equal(found[0].said, said[k]);
        assert_true(found[0].of_line);
        assert_int_equal(found[0].line != NULL, !k);
        ws_line_table_fini(&table);
        row[0].place = row[1].place = row[2].place = 0;
    }
}

/* A kernel whose atomics are on shared memory uses it: its loads are not told to go there. */
static void rereads(void **unused)
{
    (void)unused;
    ws_listed row[2] = {
        {.text = "ld.global.f32 %f1, [%rd1]",
         .cls = WS_CLASS_MEMORY,
         .space = WS_SPACE_GLOBAL,
         .access = WS_ACCESS_LOAD,
         .count = {[WS_COUNT_issues] = 10,
                   [WS_COUNT_lanes] = 320,
                   [WS_COUNT_sectors] = 40,
                   [WS_COUNT_least_sectors] = 40,
                   [WS_COUNT_again] = 36}},
        {.text = "red.shared.add.u32 [%r1], 1",
         .cls = WS_CLASS_MEMORY,
         .space = WS_SPACE_SHARED,
         .access = WS_ACCESS_REDUCE,
         .count = {
             [WS_COUNT_issues] = 10, [WS_COUNT_lanes] = 320, [WS_COUNT_passes] = 10, [WS_COUNT_least_passes] = 10}}};
    for (size_t rows = 1; rows <= 2; rows++) {
        const ws_listing listing = {.row = row, .rows = rows};
        ws_facts facts = {.blocks = 1000, .blocks_most = 1000, .threads_most = 256};
        ws_line_table table;
        ws_finding found[WS_RULES];
        assert_int_equal(ws_line_table_make(&listing, &table), WS_OK);
        ws_facts_sum(&facts, &table);
        assert_int_equal(findings(&facts, found), 2 - rows);
        ws_line_table_fini(&table);
    }
}

/* Rules on metrics hold by them alone; a column that is not there, or NA, holds nothing. */
static void metrics(void **unused)
{
    (void)unused;
    static const struct {
        const char *rule, *column[3];
        double value[3];
    } cases[] = {
        {"divergence", {"simd_divergence_efficiency", "branch_divergent", "simd_efficiency"}, {0.5, 0.01, 0.5}},
        {"few_lanes", {"simd_divergence_efficiency", "branch_divergent", "simd_efficiency"}, {0.04, 0.2, 0.04}},
        {"idle_lanes", {"simd_efficiency"}, {0.5}},
        {"contended_atomics", {"atomic_global_passes", "atomic_global_per_kinstr"}, {16, 5}},
        {"shared_atomics", {"atomic_shared_passes", "atomic_shared_per_kinstr"}, {16, 5}},
        {"uneven_blocks", {"balance_block_cv"}, {1}},
        {"uneven_threads", {"balance_thread_peak"}, {3}},
        {"doubles", {"mix_fp64", "mix_float_ops"}, {0.5, 100}}};
    static const ws_listing none;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (unsigned present = 0; present < 2; present++) {
            ws_line_table table;
            ws_finding found[WS_RULES];
            ws_frame *const frame = ws_frame_create(1, 3, 1, NULL);
            assert_non_null(frame);
            for (size_t i = 0; i < 3 && cases[c].column[i]; i++) {
                assert_int_equal(ws_frame_set_column(frame, i, cases[c].column[i], "", ""), WS_OK);
                if (present)
                    frame->value[i] = cases[c].value[i];
            }
            ws_facts facts = {.frame = frame, .blocks = 1000, .blocks_most = 1000, .threads_most = 256};
            assert_int_equal(ws_line_table_make(&none, &table), WS_OK);
            ws_facts_sum(&facts, &table);
            assert_int_equal(findings(&facts, found), present);
            if (present)
                assert_string_equal(found[0].name, cases[c].rule);
            ws_line_table_fini(&table);
            ws_frame_destroy(frame);
        }
}

static void shapes(void **unused)
{
    (void)unused;
    static const ws_listing none;
    ws_line_table table;
    ws_finding found[WS_RULES];
    ws_facts facts = {.blocks = 8, .blocks_most = 8, .threads_most = 100};
    assert_int_equal(ws_line_table_make(&none, &table), WS_OK);
    ws_facts_sum(&facts, &table);
    assert_int_equal(findings(&facts, found), 2);
    assert_string_equal(found[0].name, "small_grid");
    assert_string_equal(found[1].name, "odd_blocks");
    ws_line_table_fini(&table);
}

/* After all others: a row that never held is one that nobody has seen hold. */
static void each_rule_has_a_case(void **unused)
{
    (void)unused;
    for (unsigned r = 0; r < WS_RULES; r++)
        if (!has_case[r])
            fail_msg("rule %s: no case here in which it holds", ws_rule_table[r].name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(columns),
                                       cmocka_unit_test(instructions),
                                       cmocka_unit_test(numbers),
                                       cmocka_unit_test(rereads),
                                       cmocka_unit_test(metrics),
                                       cmocka_unit_test(shapes),
                                       cmocka_unit_test(each_rule_has_a_case)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
