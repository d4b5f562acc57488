/* Does SQL see in the results file what frames show, of which runs, and in files of other versions? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/store_place.h"

#include <math.h>

/* A run of a workload: a launch of `first` of n instructions, one of `second` of 2 n. */
static int64_t add_run(ws_store *store, const char *workload, unsigned n, const char *status)
{
    static const char *const kernels[] = {"first", "_Z6secondv"};
    const ws_store_run run = {.workload = workload, .scale = "tiny", .command = "test"};
    int64_t id;
    assert_int_equal(ws_store_begin(store, &run, &id), WS_OK);
    for (unsigned k = 0; k < 2; k++) {
        synthetic s;
        syn_init(&s, 1, 32);
        s.launch.kernel = kernels[k];
        s.launch.sequence = k;
        const uint32_t integer = syn_instr(&s, WS_CLASS_INTEGER);
        for (unsigned i = 0; i < n * (k + 1); i++)
            syn_run(&s, 0, 0, integer, 1, k ? UINT32_MAX : 0xff);
        ws_collector *const collector = measure(&s, NULL);
        assert_int_equal(ws_store_add_launch(store, id, &s.launch, 0.25, n, 32 * n, collector), WS_OK);
        ws_collector_destroy(collector);
        syn_fini(&s);
    }
    assert_int_equal(ws_store_finish(store, id, status, 1), WS_OK);
    return id;
}

/* What a query prints: values with blanks between them. */
static const char *ask(const char *query)
{
    static char text[512];
    sqlite3 *db;
    sqlite3_stmt *row;
    *text = '\0';
    assert_int_equal(sqlite3_open_v2(file, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    if (sqlite3_prepare_v2(db, query, -1, &row, NULL) != SQLITE_OK)
        fail_msg("%s: %s", query, sqlite3_errmsg(db));
    while (sqlite3_step(row) == SQLITE_ROW)
        for (int i = 0; i < sqlite3_column_count(row); i++) {
            const size_t used = strlen(text);
            const unsigned char *const value = sqlite3_column_text(row, i);
            snprintf(text + used, sizeof text - used, "%s%s", used ? " " : "", value ? (const char *)value : "-");
        }
    sqlite3_finalize(row);
    sqlite3_close(db);
    return text;
}

/* Every value of the view is that of the frame, NULL for what is missing. */
static void expect_frame(ws_per per, const char *set, const char *view)
{
    char query[128];
    sqlite3 *db;
    sqlite3_stmt *row;
    ws_store *store;
    ws_frame *frame;
    assert_int_equal(ws_store_open(file, false, &store), WS_OK);
    assert_int_equal(ws_store_frame(store, per, set, false, &frame), WS_OK);
    ws_store_close(store);
    assert_true(frame->rows > 0);
    assert_int_equal(sqlite3_open(file, &db), SQLITE_OK);
    snprintf(query, sizeof query, "SELECT * FROM %s", view);
    assert_int_equal(sqlite3_prepare_v2(db, query, -1, &row, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_column_count(row), 1 + frame->labels + frame->columns);
    for (size_t r = 0; r < frame->rows; r++) {
        assert_int_equal(sqlite3_step(row), SQLITE_ROW);
        for (size_t i = 0; i < frame->labels; i++) {
            assert_string_equal(sqlite3_column_name(row, (int)i + 1), frame->label_names[i]);
            assert_string_equal((const char *)sqlite3_column_text(row, (int)i + 1),
                                frame->label[r * frame->labels + i]);
        }
        for (size_t i = 0; i < frame->columns; i++) {
            const int at = (int)(1 + frame->labels + i);
            const double wanted = frame->value[r * frame->columns + i];
            assert_string_equal(sqlite3_column_name(row, at), frame->column[i].name);
            if (isnan(wanted))
                assert_int_equal(sqlite3_column_type(row, at), SQLITE_NULL);
            else
                assert_true(sqlite3_column_double(row, at) == wanted);
        }
    }
    assert_int_equal(sqlite3_step(row), SQLITE_DONE);
    sqlite3_finalize(row);
    sqlite3_close(db);
    ws_frame_destroy(frame);
}

static void expect_all_frames(void)
{
    expect_frame(WS_PER_KERNEL, "all", "kernel_metrics");
    expect_frame(WS_PER_KERNEL, "performance", "kernel_features");
    expect_frame(WS_PER_WORKLOAD, "all", "workload_metrics");
    expect_frame(WS_PER_WORKLOAD, "performance", "workload_features");
}

static void views_show_what_frames_show(void **state)
{
    (void)state;
    ws_store *const store = open_store();
    add_run(store, "AA", 3, "done");
    add_run(store, "BB", 5, "done");
    ws_store_close(store);
    expect_all_frames();
    assert_string_equal(ask("SELECT kernel, simd_efficiency FROM kernel_metrics WHERE workload = 'AA' ORDER BY 2"),
                        "first 0.25 second() 1.0");
    assert_string_equal(ask("SELECT launch, kernel, mangled, warp_instructions FROM launches WHERE workload = 'BB'"),
                        "1 first first 5 2 second() _Z6secondv 5");
    assert_string_equal(ask("SELECT kernel, launches, measured FROM kernels WHERE workload = 'BB' ORDER BY 1"),
                        "first 1 1 second() 1 1");
    assert_string_equal(
        ask("SELECT unit, family FROM metrics WHERE metric = 'simd_efficiency' AND view = 'kernel_metrics'"),
        "ratio simd");
    assert_string_equal(ask("SELECT views FROM about"), "1");
}

static void only_runs_that_count_are_shown(void **state)
{
    (void)state;
    ws_store *const store = open_store();
    add_run(store, "AA", 3, "done");
    const int64_t last = add_run(store, "AA", 7, "done");
    add_run(store, "AA", 9, "wrong result");
    assert_int_equal(ws_store_remove(store, (const int64_t[]){1}, 1), WS_OK);
    const ws_store_run open = {.workload = "AA", .scale = "", .command = "", .partial = false};
    int64_t id;
    assert_int_equal(ws_store_begin(store, &open, &id), WS_OK);
    ws_store_close(store);
    assert_int_equal(last, 2);
    assert_string_equal(ask("SELECT DISTINCT run FROM kernel_metrics"), "2");
    assert_string_equal(ask("SELECT DISTINCT run FROM all_kernel_metrics"), "2 3");
    assert_string_equal(ask("SELECT run, shown FROM all_runs"), "2 1 3 0 4 0");
    expect_all_frames();
}

/* As a version without the last column would have left it, with other text in its views. */
static void files_of_other_versions_are_brought_up(void **state)
{
    (void)state;
    ws_store *store = open_store();
    add_run(store, "AA", 3, "done");
    ws_store_close(store);
    sql("DROP VIEW kernel_metrics; DROP VIEW all_kernel_metrics; UPDATE kept_as SET fingerprint = 1; UPDATE kept_run "
        "SET fingerprint = 1;"
        "UPDATE kept_kernel_metrics SET simd_efficiency = 9; DELETE FROM kept_metric");
    sql("ALTER TABLE kept_kernel_features DROP COLUMN log_instr");
    ws_store_close(open_store());
    expect_all_frames();
    assert_string_equal(ask("SELECT count(*) > 500 FROM metrics WHERE view = 'kernel_metrics'"), "1");
    sql("DROP VIEW kernels; DROP TABLE kept_as; DROP TABLE kept_workload_metrics; DELETE FROM kept_run");
    ws_store_close(open_store());
    expect_all_frames();
}

static void counters_of_other_versions_leave_what_was_kept(void **state)
{
    (void)state;
    ws_store *const store = open_store();
    add_run(store, "AA", 3, "done");
    ws_store_close(store);
    sql("UPDATE family SET signature = 'another' WHERE name = 'simd'; UPDATE kept_run SET fingerprint = 1");
    ws_store_close(open_store());
    assert_string_equal(ask("SELECT kernel, simd_efficiency FROM kernel_metrics"), "first 0.25 second() 1.0");
    assert_non_null(strstr(ask("SELECT left_out FROM runs"), "counts `simd` differently; run it again"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {PLACED(views_show_what_frames_show), PLACED(only_runs_that_count_are_shown),
                                       PLACED(files_of_other_versions_are_brought_up),
                                       PLACED(counters_of_other_versions_leave_what_was_kept)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
