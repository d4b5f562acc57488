/* Does every family of metrics.def keep the rules: unique documented names, and the same numbers on any split of a
 * grid? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "metrics/collector.h"
#include "metrics/metric_layout.h"
#include "metrics/performance.h"
#include "tests/unit/pages.h"
#include "tests/unit/synthetic_events.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>

static void names_are_unique_identifiers_with_units(void **state)
{
    (void)state;
    ws_layout layout;
    size_t families;
    const ws_metric *const *const all = ws_metrics(&families);
    assert_int_equal(ws_layout_init("all", &layout), WS_OK);
    for (size_t i = 0; i < layout.columns; i++) {
        const ws_layout_column *const c = &layout.column[i];
        assert_true(isalpha((unsigned char)c->name[0]));
        assert_true(strlen(c->name) < sizeof c->name - 1);
        for (const char *p = c->name; *p; p++)
            assert_true(isalnum((unsigned char)*p) || *p == '_');
        assert_true(c->unit && *c->unit && c->group && *c->group);
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(c->name, layout.column[j].name);
    }
    for (size_t i = 0; i < families; i++) {
        assert_non_null(all[i]->question);
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(all[i]->sink.name, all[j]->sink.name);
        for (const ws_metric_column *c = all[i]->columns; c->name; c++)
            assert_true(c->question && strlen(c->question) > 10);
    }
    ws_layout_fini(&layout);
}

static void sets_partition_the_columns(void **state)
{
    (void)state;
    ws_layout study, modern, both, machines, every, synchronization, none;
    assert_int_equal(ws_layout_init("study", &study), WS_OK);
    assert_int_equal(ws_layout_init("modern", &modern), WS_OK);
    assert_int_equal(ws_layout_init(NULL, &both), WS_OK);
    assert_int_equal(study.columns + modern.columns, both.columns);
    assert_int_equal(ws_layout_init("all", &every), WS_OK);
    assert_int_equal(every.columns, both.columns);
    /* Six machines, two histograms of ten bins and two ratios each, behind the study's. */
    assert_int_equal(ws_layout_init("machines", &machines), WS_OK);
    assert_int_equal(machines.columns, study.columns + 6 * 22);
    assert_int_equal(ws_layout_init("synchronization", &synchronization), WS_OK);
    assert_true(synchronization.columns > 0);
    for (size_t i = 0; i < synchronization.columns; i++) {
        for (size_t j = 0; j < both.columns; j++)
            assert_string_not_equal(synchronization.column[i].name, both.column[j].name);
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(synchronization.column[i].name, synchronization.column[j].name);
    }
    ws_layout_fini(&synchronization);
    ws_layout_fini(&every);
    ws_layout_fini(&machines);
    for (size_t i = 0; i < study.columns; i++)
        assert_string_equal(study.column[i].name, both.column[i].name);
    assert_int_equal(ws_layout_init("nothing", &none), WS_EINPUT);
    assert_non_null(strstr(ws_message(), "study, modern, all, machines, synchronization or performance"));
    ws_layout_fini(&study);
    ws_layout_fini(&modern);
    ws_layout_fini(&both);

    ws_collector *collector;
    size_t sinks, families, wanted = 0;
    const ws_metric *const *const all = ws_metrics(&families);
    for (size_t i = 0; i < families; i++)
        wanted +=
            !strcmp(all[i]->set, "study") || !strcmp(all[i]->set, "modern"); /* what is in both, and nothing else */
    assert_int_equal(ws_collector_create("nothing", &collector), WS_EINPUT);
    assert_null(collector);
    assert_int_equal(ws_collector_create(NULL, &collector), WS_OK);
    ws_collector_sinks(collector, &sinks);
    assert_int_equal(sinks, wanted);
    ws_collector_destroy(collector);
    ws_collector_destroy(NULL);
}

static void any_split_gives_the_same_counters(void **state)
{
    (void)state;
    size_t n;
    const ws_metric *const *const all = ws_metrics(&n);
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_taus2);
    for (unsigned round = 0; round < 4; round++) {
        synthetic s;
        gsl_rng_set(rng, round + 1);
        syn_noise(&s, rng, 60);
        for (size_t i = 0; i < n; i++) {
            double whole[SYN_COUNTERS], split[SYN_COUNTERS];
            const int64_t chunk[] = {1, 7, 8, 13, -1, -4, -20};
            syn_measure(&s, all[i], 60, whole);
            for (size_t c = 0; c < sizeof chunk / sizeof chunk[0]; c++) {
                syn_measure(&s, all[i], chunk[c], split);
                if (memcmp(whole, split, ws_metric_counters(all[i]) * sizeof *whole) != 0)
                    fail_msg("%s counts otherwise in ranges of %lld blocks", all[i]->sink.name, (long long)chunk[c]);
            }
        }
        syn_fini(&s);
    }
    gsl_rng_free(rng);
}

static void columns_of_a_launch_without_events_are_no_garbage(void **state)
{
    (void)state;
    size_t n;
    const ws_metric *const *const all = ws_metrics(&n);
    synthetic s;
    syn_init(&s, 1, 32);
    for (size_t i = 0; i < n; i++) {
        double counter[SYN_COUNTERS], value[SYN_COUNTERS];
        syn_measure(&s, all[i], 1, counter);
        all[i]->emit(counter, value);
        for (size_t c = 0; c < ws_metric_columns(all[i]); c++)
            if (!isnan(value[c]) && !(fabs(value[c]) < 1e300))
                fail_msg("%s: column %zu is %g", all[i]->sink.name, c, value[c]);
    }
    syn_fini(&s);
}

static void sum_maximum_and_minimum_combine(void **state)
{
    (void)state;
    static const ws_counter counters[] = {
        {"a", WS_SUM, 2, 0}, {"b", WS_MAX, 0, 0}, {"c", WS_MIN, 3, 0}, {NULL, WS_SUM, 0, 0}};
    const ws_metric m = {.counters = counters};
    double into[] = {1, 2, 3, 4, NAN, 5}, from[] = {10, 20, NAN, 3, 7, 6};
    assert_int_equal(ws_metric_counters(&m), 6);
    ws_metric_combine(&m, into, from);
    const double expect[] = {11, 22, 3, 3, 7, 5};
    assert_memory_equal(into, expect, sizeof into);
}

/* The name stands in the page, not as part of a longer one. */
static bool mentions(const char *page, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = page; (at = strstr(at, name)); at += length) {
        const char before = at == page ? ' ' : at[-1], behind = at[length];
        if (!isalnum((unsigned char)before) && before != '_' && !isalnum((unsigned char)behind) && behind != '_')
            return true;
    }
    return false;
}

/* A row of columns is documented by its name or that of its first one. */
static bool is_documented(const char *page, const ws_metric_column *column)
{
    char first[96];
    snprintf(first, sizeof first, "%s_0", column->name);
    return mentions(page, column->name) || (column->count > 1 && mentions(page, first));
}

static void every_column_is_documented(void **state)
{
    (void)state;
    size_t n;
    char *const page = read_pages("docs/metrics*.md");
    const ws_metric *const *const all = ws_metrics(&n);
    for (size_t i = 0; i < n; i++)
        for (const ws_metric_column *c = all[i]->columns; c->name; c++)
            if (!is_documented(page, c))
                fail_msg("docs/metrics*.md does not mention %s (family %s)", c->name, all[i]->sink.name);
    free(page);
}

/* Every feature is made from columns that are there, as its row says. */
static void features_are_made_of_columns(void **state)
{
    (void)state;
    static const struct {
        const char *name, *shape, *column;
        unsigned bins;
        const char *over;
    } row[] = {
#define FEATURE(name, unit, group, shape, column, bins, over, meaning) {#name, #shape, column, bins, over},
#include "metrics/performance.def"
#undef FEATURE
    };
    ws_layout layout;
    assert_int_equal(ws_layout_init("performance", &layout), WS_OK);
    ws_frame *const all = ws_frame_create(2, layout.columns, 1, NULL), *features = NULL;
    for (size_t j = 0; j < layout.columns; j++) {
        assert_int_equal(ws_frame_set_column(all, j, layout.column[j].name, "", ""), WS_OK);
        all->value[j] = (double)(j + 1);
        all->value[layout.columns + j] = 0;
    }
    assert_int_equal(ws_performance_frame(all, &features), WS_OK);
    assert_int_equal(features->columns, sizeof row / sizeof *row);
    for (size_t i = 0; i < features->columns; i++) {
        const long from = ws_frame_find_column(all, row[i].column), over = ws_frame_find_column(all, row[i].over);
        assert_string_equal(features->column[i].name, row[i].name);
        assert_true(from >= 0 && (!*row[i].over || over >= 0));
        double expected = 0;
        for (unsigned b = 0; b < row[i].bins; b++)
            expected += all->value[(size_t)from + b];
        if (over >= 0)
            expected /= all->value[over];
        assert_float_equal(features->value[i], strcmp(row[i].shape, "LOG") ? expected : log1p(expected), 1e-12);
        assert_float_equal(features->value[features->columns + i], 0, 0); /* nothing over nothing */
    }
    ws_frame_destroy(all);
    ws_frame_destroy(features);
    ws_layout_fini(&layout);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_unique_identifiers_with_units),
        cmocka_unit_test(sets_partition_the_columns),
        cmocka_unit_test(any_split_gives_the_same_counters),
        cmocka_unit_test(columns_of_a_launch_without_events_are_no_garbage),
        cmocka_unit_test(sum_maximum_and_minimum_combine),
        cmocka_unit_test(every_column_is_documented),
        cmocka_unit_test(features_are_made_of_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
