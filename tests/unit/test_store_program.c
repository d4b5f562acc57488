/* Does the results file keep what `warpscape run` tells it: partial runs, launches without metrics, samples, older
 * files? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/store_place.h"

#include <math.h>

/* As a file of a version that had none. */
static void forget_views(void)
{
    sql("DROP VIEW about; DROP VIEW metrics; DROP TABLE kept_as; DROP TABLE kept_run; DROP TABLE kept_metric; DROP "
        "TABLE kept_instructions;"
        "DROP TABLE kept_kernel_metrics; DROP TABLE kept_kernel_features; DROP TABLE kept_workload_metrics; DROP TABLE "
        "kept_workload_features;"
#define VIEW(name, body) "DROP VIEW " #name "; DROP VIEW all_" #name ";"
#include "metrics/store/store_views.def"
#undef VIEW
    );
}

static int64_t begin(ws_store *store, const char *workload, bool partial, const char *selection)
{
    const ws_store_run run = {
        .workload = workload, .scale = "", .command = "test", .partial = partial, .selection = selection};
    int64_t id = 0;
    assert_int_equal(ws_store_begin(store, &run, &id), WS_OK);
    return id;
}

/* A launch of n integer instructions of one warp; measured: with counters of the study's set. */
static void add(ws_store *store, int64_t run, uint64_t sequence, unsigned n, bool measured, int64_t stratum,
                int64_t slice)
{
    synthetic s;
    syn_init(&s, 1, 32);
    s.launch.kernel = "_Z4workPfi";
    s.launch.sequence = sequence;
    s.launch.h2d_bytes = 100;
    s.launch.shared_bytes = 96;
    s.launch.is_child = sequence == 4; /* whose parent is launch 3 */
    s.launch.parent = 3;
    const uint32_t integer = syn_instr(&s, WS_CLASS_INTEGER);
    for (unsigned i = 0; i < n; i++)
        syn_run(&s, 0, 0, integer, 1, UINT32_MAX);
    ws_collector *const collector = measure(&s, "study");
    const ws_store_launch l = {.launch = &s.launch,
                               .seconds = 0.5,
                               .warp_instructions = n,
                               .thread_instructions = 32 * n,
                               .collector = measured ? collector : NULL,
                               .title = "work(float*, int)",
                               .dynamic_shared = 32,
                               .h2d = 100,
                               .d2d = 7,
                               .filled = 9,
                               .process = 42,
                               .stratum = stratum,
                               .slice = slice};
    assert_int_equal(ws_store_add(store, run, &l), WS_OK);
    ws_collector_destroy(collector);
    syn_fini(&s);
}

static ws_frame *frame_of(ws_store *store, ws_per per)
{
    ws_frame *frame;
    if (ws_store_frame(store, per, "study", false, &frame) != WS_OK)
        fail_msg("%s", ws_message());
    return frame;
}

static bool has_note(const ws_frame *frame, const char *text)
{
    for (size_t i = 0; i < frame->notes; i++)
        if (strstr(frame->note[i], text))
            return true;
    return false;
}

static void launches_that_were_not_measured_are_listed(void **state)
{
    (void)state;
    ws_store *const store = open_store();
    const int64_t run = begin(store, "P", true, "launches 2-");
    add(store, run, 0, 5, false, -1, -1);
    add(store, run, 1, 7, true, -1, -1);
    assert_int_equal(ws_store_finish(store, run, "exit status 3", 1), WS_OK);
    ws_frame *f = frame_of(store, WS_PER_LAUNCH);
    assert_int_equal(f->rows, 1);
    assert_string_equal(f->label[1], "work(float*, int)");
    assert_string_equal(f->label[2], "2");
    assert_true(has_note(f, "(exit status 3)") && has_note(f, "selected: P: launches measured: launches 2-"));
    ws_frame_destroy(f);
    f = frame_of(store, WS_PER_WORKLOAD);
    assert_true(cell(f, 0, "I_op") == 7 * 32 && cell(f, 0, "K_n") == 1);
    ws_frame_destroy(f);
    ws_store_close(store);
}

static int take_rows(void *user, const ws_store_row *row)
{
    ws_store_row **const at = user;
    **at = *row;
    ++*at;
    return WS_OK;
}

static void rows_have_what_is_known(void **state)
{
    (void)state;
    ws_store *const store = open_store();
    ws_store_row row[4], *end = row;
    const int64_t run = begin(store, "P", true, NULL);
    add(store, run, 3, 5, true, 6, 2);
    add(store, run, 4, 5, true, 6, 2);
    assert_int_equal(ws_store_finish(store, run, "done", 1), WS_OK);
    assert_int_equal(ws_store_launches(store, take_rows, &end), WS_OK);
    assert_int_equal(end - row, 2);
    assert_true(row[0].parent == -1 && row[1].sequence == 4 && row[1].parent == 3);
    assert_true(row->sequence == 3 && row->process == 42 && row->stratum == 6 && row->measured && row->weight == 1);
    assert_true(row->shared_bytes == 96 && row->dynamic_shared == 32 && row->h2d == 100 && row->d2h == 0);
    assert_true(row->d2d == 7 && row->filled == 9 && row->warp_instructions == 5 && row->grid[0] == 1);
    ws_store_close(store);
}

static void partial_runs_count_without_an_end_and_others_do_not(void **state)
{
    (void)state;
    ws_store *const store = open_store();
    add(store, begin(store, "PART", true, NULL), 0, 5, true, -1, -1);
    add(store, begin(store, "WHOLE", false, NULL), 0, 5, true, -1, -1);
    add(store, begin(store, "SAMPLED", true, NULL), 0, 5, true, 0, 0); /* its weights were never worked out */
    ws_frame *const f = frame_of(store, WS_PER_WORKLOAD);
    assert_int_equal(f->rows, 1);
    assert_string_equal(f->label[0], "PART");
    assert_true(has_note(f, "(not finished)"));
    ws_frame_destroy(f);
    ws_store_close(store);
}

static void a_finished_run_is_worth_more_than_an_unfinished_one(void **state)
{
    (void)state;
    ws_store *const store = open_store();
    const int64_t first = begin(store, "P", true, NULL);
    add(store, first, 0, 5, true, -1, -1);
    assert_int_equal(ws_store_finish(store, first, "done", 1), WS_OK);
    const int64_t second = begin(store, "P", true, NULL);
    add(store, second, 0, 9, true, -1, -1);
    ws_frame *f = frame_of(store, WS_PER_WORKLOAD);
    assert_true(f->rows == 1 && cell(f, 0, "I_op") == 5 * 32);
    ws_frame_destroy(f);
    assert_int_equal(ws_store_drop(store, second), WS_OK);
    assert_int_equal(ws_store_drop(store, first), WS_OK); /* finished: stays */
    f = frame_of(store, WS_PER_WORKLOAD);
    assert_true(f->rows == 1 && cell(f, 0, "I_op") == 5 * 32);
    ws_frame_destroy(f);
    ws_store_close(store);
}

/* Four certain launches, then slices of three, instructions 10 to 13 and so on: what is linear in them is exact. */
static void samples_are_weighted_and_bounded(void **state)
{
    (void)state;
    ws_store *const store = open_store();
    const int64_t run = begin(store, "S", true, NULL);
    ws_store_estimate e;
    unsigned total = 0;
    for (unsigned i = 0; i < 40; i++) {
        const unsigned n = 10 + i * 7 % 11;
        add(store, run, i, n, i < 4 || i % 3 == 2, 0, i < 4 ? i : 4 + (i - 4) / 3);
        total += n;
    }
    assert_int_equal(ws_store_weigh(store, run, 0.05, 9, &e), WS_OK);
    assert_true(e.launches == 40 && e.measured == 16 && e.within > 100 && e.within <= e.columns);
    free(e.worst);
    assert_int_equal(ws_store_finish(store, run, "done", 1), WS_OK);
    ws_frame *f = frame_of(store, WS_PER_WORKLOAD);
    assert_true(fabs(cell(f, 0, "I_op") - 32.0 * total) < 1e-6 * 32 * total);
    assert_true(fabs(cell(f, 0, "K_n") - 40) < 1e-6);
    assert_true(cell(f, 0, "H2D") == 16 * 100); /* bytes copied are what the recorder says, without weights */
    assert_true(has_note(f, "sampled: S: 16 of 40 launches measured (tolerance 5 %, seed 9)"));
    ws_frame_destroy(f);
    f = frame_of(store, WS_PER_LAUNCH);
    assert_int_equal(f->rows, 16);
    assert_true(cell(f, 0, "K_n") == 1);
    ws_frame_destroy(f);
    assert_int_equal(ws_store_bounds(store, "study", &f), WS_OK);
    assert_int_equal(f->rows, 1);
    assert_true(fabs(cell(f, 0, "I_op")) < 1e-6 * total && cell(f, 0, "I_sop") == 0);
    assert_true(cell(f, 0, "I_kernel_0") >= 0);
    ws_frame_destroy(f);
    ws_store_close(store);
}

static void no_sample_has_no_bounds(void **state)
{
    (void)state;
    ws_frame *f;
    ws_store *const store = open_store();
    assert_int_equal(ws_store_bounds(store, "study", &f), WS_ENOTFOUND);
    ws_store_close(store);
}

/* As format 2 was, with a finished run whose checksum that version made. */
static void files_of_the_format_before_are_brought_up(void **state)
{
    (void)state;
    ws_store *store = open_store();
    const int64_t run = begin(store, "OLD", false, NULL);
    add(store, run, 0, 5, true, -1, -1);
    ws_store_close(store);
    sql("UPDATE launch SET title = NULL, dynamic_shared = NULL, h2d = NULL, d2h = NULL, d2d = NULL, filled = NULL,"
        " process = NULL, checksum = NULL;");
    store = open_store();
    assert_int_equal(ws_store_finish(store, run, "done", 1), WS_OK);
    ws_store_close(store);
    forget_views();
    sql("DROP TABLE bound; ALTER TABLE run DROP COLUMN partial; ALTER TABLE run DROP COLUMN selection;"
        "ALTER TABLE run DROP COLUMN sampling; ALTER TABLE launch DROP COLUMN title;"
        "ALTER TABLE launch DROP COLUMN dynamic_shared; ALTER TABLE launch DROP COLUMN h2d;"
        "ALTER TABLE launch DROP COLUMN d2h; ALTER TABLE launch DROP COLUMN d2d; ALTER TABLE launch DROP COLUMN filled;"
        "ALTER TABLE launch DROP COLUMN process; ALTER TABLE launch DROP COLUMN measured;"
        "ALTER TABLE launch DROP COLUMN weight; ALTER TABLE launch DROP COLUMN stratum;"
        "ALTER TABLE launch DROP COLUMN slice; ALTER TABLE launch DROP COLUMN parent;"
        "ALTER TABLE launch DROP COLUMN checksum; PRAGMA user_version=2;");
    assert_int_equal(ws_store_open(file, false, &store), WS_OK); /* which makes no views */
    ws_frame *const f = frame_of(store, WS_PER_LAUNCH);
    assert_true(f->rows == 1 && cell(f, 0, "I_op") == 5 * 32);
    assert_string_equal(f->label[1], "_Z4workPfi");
    ws_frame_destroy(f);
    ws_store_row row[2], *end = row;
    assert_int_equal(ws_store_launches(store, take_rows, &end), WS_OK);
    assert_true(end == row + 1 && row->h2d == -1 && row->dynamic_shared == -1 && row->measured && row->parent == -1);
    ws_store_close(store);
    static const char *const between[] = {
        "ALTER TABLE launch DROP COLUMN parent; ALTER TABLE launch DROP COLUMN checksum; PRAGMA user_version=3;",
        "ALTER TABLE launch DROP COLUMN checksum; PRAGMA user_version=4;", /* with one run of a workload */
        "ALTER TABLE launch DROP COLUMN checksum; PRAGMA user_version=5;"};
    for (size_t i = 0; i < sizeof between / sizeof *between; i++) {
        if (i)
            forget_views();
        sql(between[i]);
        store = open_store();
        end = row;
        assert_int_equal(ws_store_launches(store, take_rows, &end), WS_OK);
        assert_true(end == row + 1 && row->parent == -1);
        ws_store_close(store);
    }
    store = open_store(); /* once more, as a file of this format */
    add(store, begin(store, "NEW", true, NULL), 0, 5, true, -1, -1);
    ws_store_close(store);
}

typedef struct listing {
    ws_store_about run[8];
    size_t n;
    char status[8][32];
} listing;

static int take_runs(void *user, const ws_store_about *run)
{
    listing *const l = user;
    assert_true(l->n < 8);
    snprintf(l->status[l->n], sizeof l->status[l->n], "%s", run->status);
    l->run[l->n++] = *run;
    return WS_OK;
}

static listing runs_of(ws_store *store)
{
    listing l = {.n = 0};
    assert_int_equal(ws_store_runs(store, take_runs, &l), WS_OK);
    return l;
}

static double shown(ws_store *store)
{
    ws_frame *const f = frame_of(store, WS_PER_WORKLOAD);
    const double value = f->rows == 1 ? cell(f, 0, "I_op") / 32 : NAN;
    ws_frame_destroy(f);
    return value;
}

static void runs_that_measured_nothing_replace_nothing(void **state)
{
    (void)state;
    ws_store *store = open_store();
    const int64_t first = begin(store, "P", true, NULL);
    add(store, first, 0, 5, true, -1, -1);
    assert_int_equal(ws_store_finish(store, first, "done", 1), WS_OK);
    const int64_t nothing = begin(store, "P", true, NULL);
    assert_int_equal(ws_store_finish(store, nothing, "done", 1), WS_ENOTFOUND); /* no launch: no run either */
    assert_true(runs_of(store).n == 1 && shown(store) == 5);
    const int64_t unmeasured = begin(store, "P", true, "kernels matching x");
    add(store, unmeasured, 0, 7, false, -1, -1);
    assert_int_equal(ws_store_finish(store, unmeasured, "done", 1), WS_ENOTFOUND);
    assert_true(runs_of(store).n == 2 && shown(store) == 5);
    const int64_t failed = begin(store, "P", false, NULL);
    assert_int_equal(ws_store_finish(store, failed, "crashed", 1), WS_OK);
    assert_true(runs_of(store).n == 2 && shown(store) == 5); /* takes the place of the unmeasured one */
    const int64_t last = begin(store, "P", true, NULL);
    add(store, last, 0, 9, true, -1, -1);
    assert_int_equal(ws_store_finish(store, last, "exit status 3", 1), WS_OK);
    const listing l = runs_of(store);
    assert_true(l.n == 2 && l.run[0].number == first && !l.run[0].shown && l.run[1].number == last && l.run[1].shown);
    assert_true(shown(store) == 9);
    ws_store_close(store);
}

static void earlier_runs_are_chosen_and_removed_by_number(void **state)
{
    (void)state;
    ws_store *store = open_store();
    int64_t id[3];
    for (unsigned i = 0; i < 3; i++) {
        id[i] = begin(store, "P", true, NULL);
        add(store, id[i], 0, 5 + i, true, -1, -1);
        assert_int_equal(ws_store_finish(store, id[i], "done", 1), WS_OK);
    }
    assert_int_equal(ws_store_choose(store, id[1]), WS_OK);
    assert_true(shown(store) == 6);
    assert_int_equal(ws_store_choose(store, 99), WS_ENOTFOUND);
    ws_store_row row[2], *end = row;
    assert_int_equal(ws_store_launches(store, take_rows, &end), WS_OK);
    assert_true(end == row + 1 && row->warp_instructions == 6);
    const int64_t gone[] = {id[2], 99};
    assert_int_equal(ws_store_remove(store, gone, 2), WS_ENOTFOUND); /* all or none */
    assert_true(runs_of(store).n == 3);
    assert_int_equal(ws_store_remove(store, gone, 1), WS_OK);
    ws_store_close(store);
    store = open_store();
    assert_true(runs_of(store).n == 2 && shown(store) == 6);
    ws_store_close(store);
}

/* As `warpscape run' that was killed leaves it: what was measured by then is not lost to the next run either. */
static void runs_whose_process_is_gone_end_where_they_are(void **state)
{
    (void)state;
    ws_store *const store = open_store();
    add(store, begin(store, "P", true, NULL), 0, 5, true, -1, -1);
    assert_true(shown(store) == 5);
    const int64_t next = begin(store, "P", true, NULL);
    assert_true(shown(store) == 5);
    assert_int_equal(ws_store_finish(store, next, "done", 1), WS_ENOTFOUND);
    const listing l = runs_of(store);
    assert_true(l.n == 1 && shown(store) == 5);
    assert_string_equal(l.status[0], "not finished");
    ws_store_close(store);
}

static void what_was_added_cannot_change_unseen(void **state)
{
    (void)state;
    static const char *const changes[] = {"UPDATE launch SET weight = 2",
                                          "UPDATE launch SET measured = 0",
                                          "UPDATE launch SET h2d = 1",
                                          "UPDATE launch SET title = 'other'",
                                          "UPDATE launch SET parent = 3",
                                          "UPDATE launch SET grid_x = grid_x + 1",
                                          "UPDATE launch SET block_z = block_z + 2",
                                          "UPDATE launch SET registers = registers + 1",
                                          "UPDATE launch SET shared_bytes = shared_bytes + 1",
                                          "UPDATE launch SET local_bytes = local_bytes + 1",
                                          "UPDATE launch SET const_bytes = const_bytes + 1",
                                          "UPDATE launch SET warp_instructions = warp_instructions + 1",
                                          "UPDATE launch SET thread_instructions = thread_instructions + 1",
                                          "UPDATE launch SET d2d = NULL",
                                          "UPDATE launch SET local_bytes = NULL",
                                          "UPDATE launch SET checksum = NULL",
                                          "UPDATE launch SET checksum = checksum + 1",
                                          "UPDATE run SET partial = 0",
                                          "UPDATE run SET sampling = 'x'",
                                          "INSERT INTO bound(run, name, half) SELECT id, 'I_op', 0 FROM run"};
    ws_store *store = open_store();
    const int64_t run = begin(store, "P", true, NULL);
    add(store, run, 0, 5, true, -1, -1);
    assert_int_equal(ws_store_finish(store, run, "exit status 1", 1), WS_OK);
    sql("CREATE TABLE good AS SELECT * FROM launch");
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        ws_frame *f;
        ws_store_row row[2], *end = row;
        sql(changes[i]);
        if (ws_store_frame(store, WS_PER_WORKLOAD, "study", false, &f) != WS_EINPUT)
            fail_msg("not seen: %s", changes[i]);
        assert_int_equal(ws_store_launches(store, take_rows, &end), WS_EINPUT);
        sql("DELETE FROM bound; UPDATE run SET partial = 1, sampling = NULL;"
            "INSERT OR REPLACE INTO launch SELECT * FROM good");
        f = frame_of(store, WS_PER_WORKLOAD);
        ws_frame_destroy(f);
    }
    ws_store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        PLACED(launches_that_were_not_measured_are_listed),
        PLACED(rows_have_what_is_known),
        PLACED(partial_runs_count_without_an_end_and_others_do_not),
        PLACED(a_finished_run_is_worth_more_than_an_unfinished_one),
        PLACED(samples_are_weighted_and_bounded),
        PLACED(no_sample_has_no_bounds),
        PLACED(files_of_the_format_before_are_brought_up),
        PLACED(runs_that_measured_nothing_replace_nothing),
        PLACED(earlier_runs_are_chosen_and_removed_by_number),
        PLACED(runs_whose_process_is_gone_end_where_they_are),
        PLACED(what_was_added_cannot_change_unseen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
