/* Does the results file keep what was finished, through kills and rivals? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "metrics/metric_layout.h"
#include "tests/unit/store_runs.h"

#include <signal.h>

static void rows_per_launch_kernel_and_workload(void **state)
{
    (void)state;
    ws_store *const store = open_store();
    two_workloads(store);
    ws_frame *f = frame_of(store, WS_PER_WORKLOAD, "study");
    assert_int_equal(f->rows, 2);
    assert_int_equal(f->labels, 1);
    assert_int_equal(f->columns, WS_STUDY_DIMENSIONS);
    assert_string_equal(f->label[0], "AA");
    assert_true(cell(f, 0, "I_op") == 32 * 6);
    assert_true(cell(f, 0, "K_n") == 3);
    assert_true(cell(f, 0, "H2D") == 300);
    assert_true(cell(f, 0, "T_kernel_0") == 3);
    assert_string_equal(f->column[ws_frame_find_column(f, "T_kernel_0")].unit, "launches");
    assert_true(cell(f, 1, "I_op") == 32 * 4);
    assert_true(has_note(f, "run: AA scale=tiny seed=18446744073709551615 version="));
    assert_string_equal(f->column[0].name, "I_sop");
    assert_string_equal(f->column[0].unit, "instr");
    assert_string_equal(f->column[7].group, "DV");
    ws_frame_destroy(f);
    f = frame_of(store, WS_PER_KERNEL, "study");
    assert_int_equal(f->rows, 3);
    assert_string_equal(f->label[0], "AA");
    assert_string_equal(f->label[1], "second");
    assert_int_equal(f->labels, 3);
    assert_string_equal(f->label[3 + 1], "first");
    assert_string_equal(f->label_names[2], WS_FRAME_MANGLED);
    assert_string_equal(f->label[3 + 2], "first");
    assert_true(cell(f, 0, "I_op") == 32 * 4);
    assert_true(cell(f, 1, "I_op") == 32 * 2);
    ws_frame_destroy(f);
    f = frame_of(store, WS_PER_LAUNCH, "study");
    assert_int_equal(f->rows, 4);
    assert_int_equal(f->labels, 4);
    assert_string_equal(f->label[2 * 4 + 2], "3");
    assert_true(cell(f, 2, "I_op") == 32 * 3);
    ws_frame_destroy(f);
    assert_int_equal(ws_store_frame(store, WS_PER_LAUNCH, "study", true, &f), WS_OK);
    assert_string_equal(f->column[0].name, "seconds");
    assert_true(f->value[0] == 0.25);
    ws_frame_destroy(f);
    assert_int_equal(ws_store_frame(store, WS_PER_LAUNCH, "nonsense", false, &f), WS_EINPUT);
    assert_null(f);
    ws_store_show_fractions(store);
    f = frame_of(store, WS_PER_WORKLOAD, "study");
    assert_true(cell(f, 0, "T_kernel_0") == 1);
    assert_true(cell(f, 0, "K_n") == 3);
    assert_string_equal(f->column[ws_frame_find_column(f, "T_kernel_0")].unit, WS_UNIT_FRACTION);
    ws_frame_destroy(f);
    ws_store_close(store);
}

static void a_frame_is_the_same_every_time(void **state)
{
    (void)state;
    ws_store *store = open_store();
    two_workloads(store);
    ws_frame *const a = frame_of(store, WS_PER_WORKLOAD, NULL);
    ws_store_close(store);
    store = open_store();
    ws_frame *const b = frame_of(store, WS_PER_WORKLOAD, "all");
    assert_int_equal(a->columns, b->columns);
    assert_memory_equal(a->value, b->value, a->rows * a->columns * sizeof *a->value);
    ws_frame_destroy(a);
    ws_frame_destroy(b);
    ws_store_close(store);
}

static void unfinished_runs_are_hidden_and_replaced(void **state)
{
    (void)state;
    ws_store *const store = open_store();
    int done;
    int64_t id = begin(store, "W");
    assert_int_equal(add(store, id, "k", 0, 1), WS_OK);
    ws_frame *f = frame_of(store, WS_PER_WORKLOAD, "study");
    assert_int_equal(f->rows, 0);
    assert_int_equal(f->columns, WS_STUDY_DIMENSIONS);
    ws_frame_destroy(f);
    const int64_t again = begin(store, "W");
    assert_int_equal(add(store, id, "k", 1, 1), WS_ENOTFOUND); /* the first attempt is gone */
    assert_int_equal(ws_store_finish(store, id, "done", 1), WS_ENOTFOUND);
    assert_non_null(strstr(ws_message(), "another process replaced it"));
    assert_int_equal(add(store, again, "k", 0, 2), WS_OK);
    finish(store, again, "done");
    assert_int_equal(is_done(store, "W", "tiny", UINT64_MAX, "test", &done), WS_OK);
    assert_int_equal(done, 1);
    assert_int_equal(is_done(store, "W", "tiny", 1, "test", &done), WS_OK);
    assert_int_equal(done, 0);
    assert_int_equal(is_done(store, "W", "small", UINT64_MAX, "test", &done), WS_OK);
    assert_int_equal(done, 0);
    assert_int_equal(is_done(store, "W", "tiny", UINT64_MAX, "test --pages", &done), WS_OK);
    assert_int_equal(done, 0);

    id = begin(store, "W"); /* a third run does not touch the second before it is finished */
    assert_int_equal(add(store, id, "k", 0, 7), WS_OK);
    f = frame_of(store, WS_PER_WORKLOAD, "study");
    assert_true(f->rows == 1 && cell(f, 0, "I_op") == 64);
    ws_frame_destroy(f);
    finish(store, id, "wrong result: C[3] is 2, not 1");
    f = frame_of(store, WS_PER_WORKLOAD, "study");
    assert_true(f->rows == 1 && cell(f, 0, "I_op") == 64); /* the second is still what counts */
    assert_true(has_note(f, "left out: W: wrong result: C[3] is 2, not 1"));
    ws_frame_destroy(f);
    assert_int_equal(is_done(store, "W", "tiny", UINT64_MAX, "test", &done), WS_OK);
    assert_int_equal(done, 0);
    assert_int_equal(ws_store_finish(store, id, "done", 1), WS_ENOTFOUND); /* twice */
    ws_store_close(store);
}

static void copies_after_the_last_launch_belong_to_it(void **state)
{
    (void)state;
    ws_store *const store = open_store();
    const int64_t id = begin(store, "W");
    assert_int_equal(ws_store_add_copy(store, id, 1, 1), WS_OK); /* no launch: nothing to add to */
    assert_int_equal(add(store, id, "k", 0, 1), WS_OK);
    assert_int_equal(add(store, id, "k", 1, 1), WS_OK);
    assert_int_equal(ws_store_add_copy(store, id, 5, 4096), WS_OK);
    finish(store, id, "done");
    ws_frame *const f = frame_of(store, WS_PER_LAUNCH, "study");
    assert_true(cell(f, 0, "D2H") == 0 && cell(f, 1, "D2H") == 4096 && cell(f, 1, "H2D") == 105);
    ws_frame_destroy(f);
    ws_store_close(store);
}

static void write_one(int number)
{
    char name[16];
    ws_store *store;
    snprintf(name, sizeof name, "P%d", number);
    if (ws_store_open(file, true, &store) != WS_OK)
        _exit(2);
    const int64_t id = begin(store, name);
    for (uint64_t i = 0; i < 12; i++)
        if (add(store, id, "k", i, 1) != WS_OK)
            _exit(3);
    if (ws_store_finish(store, id, "done", 1) != WS_OK)
        _exit(4);
    ws_store_close(store);
}

static void many_launches_arrive_in_order(void **state)
{
    (void)state;
    enum { LAUNCHES = 300 };
    ws_store *const store = open_store();
    const int64_t id = begin(store, "W");
    for (uint64_t i = 0; i < LAUNCHES; i++)
        assert_int_equal(add(store, id, "k", i, 1 + i % 5), WS_OK);
    assert_int_equal(ws_store_add_copy(store, id, 0, 77), WS_OK);
    finish(store, id, "done");
    ws_frame *const f = frame_of(store, WS_PER_LAUNCH, "study");
    assert_int_equal(f->rows, LAUNCHES);
    for (size_t i = 0; i < LAUNCHES; i++) {
        assert_true(cell(f, i, "I_op") == 32.0 * (double)(1 + i % 5));
        assert_true(cell(f, i, "D2H") == (i + 1 == LAUNCHES ? 77 : 0));
    }
    ws_frame_destroy(f);
    ws_store_close(store);
}

/* The first moments of a file, when one process makes it, are where others can be in its way. */
static void several_processes_make_the_file_at_once(void **state)
{
    (void)state;
    enum { PROCESSES = 6, ROUNDS = 10 }; /* make persistence has more */
    for (int round = 0; round < ROUNDS; round++) {
        pid_t child[PROCESSES];
        int start[2];
        assert_int_equal(pipe(start), 0);
        for (int i = 0; i < PROCESSES; i++) {
            child[i] = fork();
            if (child[i] == 0) {
                char byte;
                ws_store *store;
                close(start[1]);
                if (read(start[0], &byte, 1) != 0) /* the end comes to all of them together */
                    _exit(2);
                const int status = ws_store_open(file, true, &store);
                ws_store_close(store);
                if (status != WS_OK)
                    print_error("%s\n", ws_message());
                _exit(status == WS_OK ? 0 : 1);
            }
        }
        close(start[0]);
        close(start[1]);
        for (int i = 0; i < PROCESSES; i++) {
            int how = -1;
            assert_int_equal(waitpid(child[i], &how, 0), child[i]);
            assert_true(WIFEXITED(how));
            assert_int_equal(WEXITSTATUS(how), 0);
        }
        unlink(file);
    }
}

static void several_processes_write_at_once(void **state)
{
    (void)state;
    enum { PROCESSES = 4 };
    pid_t child[PROCESSES];
    for (int i = 0; i < PROCESSES; i++)
        if ((child[i] = fork()) == 0) {
            write_one(i);
            _exit(0);
        }
    for (int i = 0; i < PROCESSES; i++) {
        int how = -1;
        assert_true(waitpid(child[i], &how, 0) == child[i]);
        assert_true(WIFEXITED(how) && WEXITSTATUS(how) == 0);
    }
    ws_store *const store = open_store();
    ws_frame *const f = frame_of(store, WS_PER_WORKLOAD, "study");
    assert_int_equal(f->rows, PROCESSES);
    for (size_t i = 0; i < PROCESSES; i++)
        assert_true(cell(f, i, "K_n") == 12);
    ws_frame_destroy(f);
    ws_store_close(store);
}

/* Starts `job` in a child, and comes back when it says that it is under way by writing a byte; one that ends before it
 * fails the test. */
static pid_t start_child(void (*job)(int))
{
    int ready[2];
    char byte;
    assert_int_equal(pipe(ready), 0);
    const pid_t child = fork();
    if (child == 0) {
        close(ready[0]);
        job(ready[1]);
        _exit(0);
    }
    close(ready[1]);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    return child;
}

static void begin_and_wait(int ready)
{
    ws_store *store;
    if (ws_store_open(file, true, &store) != WS_OK)
        _exit(2);
    const int64_t id = begin(store, "KILLED");
    if (add(store, id, "k", 0, 1) != WS_OK || write(ready, "", 1) != 1)
        _exit(3);
    for (;;)
        pause();
}

static void a_kill_costs_only_the_run_in_work(void **state)
{
    (void)state;
    int how = -1;
    ws_store *store = open_store();
    two_workloads(store);
    ws_store_close(store);
    const pid_t child = start_child(begin_and_wait);
    store = open_store();
    const int64_t rival = begin(store, "KILLED"); /* while the other process still lives: both go on */
    assert_int_equal(add(store, rival, "k", 0, 3), WS_OK);
    kill(child, SIGKILL);
    assert_true(waitpid(child, &how, 0) == child && WIFSIGNALED(how));
    finish(store, rival, "done");
    ws_frame *const f = frame_of(store, WS_PER_WORKLOAD, "study");
    assert_int_equal(f->rows, 3);
    assert_string_equal(f->label[1], "KILLED");
    assert_true(cell(f, 1, "I_op") == 96);
    ws_frame_destroy(f);
    begin(store, "KILLED"); /* now its rest is swept away: only the rival's and the new run are left */
    ws_store_close(store);
    sqlite3 *db;
    sqlite3_stmt *count;
    assert_int_equal(sqlite3_open(file, &db), SQLITE_OK);
    sqlite3_prepare_v2(db, "SELECT count(*) FROM run WHERE workload = 'KILLED'", -1, &count, NULL);
    assert_int_equal(sqlite3_step(count), SQLITE_ROW);
    assert_int_equal(sqlite3_column_int(count, 0), 2);
    sqlite3_finalize(count);
    sqlite3_close(db);
}

static void finish_runs_until_killed(int ready)
{
    ws_store *store;
    if (ws_store_open(file, true, &store) != WS_OK || write(ready, "", 1) != 1)
        _exit(2);
    for (;;) {
        const int64_t id = begin(store, "KILLED");
        for (uint64_t i = 0; i < 3; i++)
            if (add(store, id, "k", i, 1) != WS_OK)
                _exit(3);
        if (ws_store_finish(store, id, "done", 1) != WS_OK)
            _exit(4);
    }
}

static void kills_in_the_middle_of_writing_leave_whole_runs(void **state)
{
    (void)state;
    int how = -1;
    ws_store *store = open_store();
    two_workloads(store);
    ws_store_close(store);
    for (unsigned round = 1; round <= 5; round++) {
        const pid_t child = start_child(finish_runs_until_killed);
        usleep(round * 17 * 1000);
        kill(child, SIGKILL);
        assert_true(waitpid(child, &how, 0) == child && WIFSIGNALED(how));
        store = open_store();
        ws_frame *const f = frame_of(store, WS_PER_WORKLOAD, "study");
        assert_true(f->rows == 2 || f->rows == 3);
        if (f->rows == 3)
            assert_true(cell(f, 1, "K_n") == 3);
        ws_frame_destroy(f);
        ws_store_close(store);
    }
}

static void a_locked_file_waits_for_the_writer(void **state)
{
    (void)state;
    int go[2], how = -1;
    char byte = 0;
    sqlite3 *db;
    ws_store_close(open_store());
    assert_int_equal(pipe(go), 0);
    const pid_t child = fork(); /* before a connection is open: SQLite does not survive a fork */
    if (child == 0) {
        if (read(go[0], &byte, 1) == 1)
            write_one(1);
        _exit(0);
    }
    assert_int_equal(sqlite3_open(file, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(write(go[1], &byte, 1), 1);
    usleep(50 * 1000);
    assert_int_equal(sqlite3_exec(db, "COMMIT", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    assert_true(waitpid(child, &how, 0) == child && WIFEXITED(how) && WEXITSTATUS(how) == 0);
    close(go[0]);
    close(go[1]);
    ws_store *const store = open_store();
    ws_frame *const f = frame_of(store, WS_PER_WORKLOAD, "study");
    assert_true(f->rows == 1 && cell(f, 0, "K_n") == 12);
    ws_frame_destroy(f);
    ws_store_close(store);
}

typedef struct seen_profiles {
    char text[256];
} seen_profiles;

static int see_profile(void *user, const ws_store_profile *p)
{
    seen_profiles *const seen = user;
    const size_t used = strlen(seen->text);
    snprintf(seen->text + used, sizeof seen->text - used, "%s/%s/%d:%.*s ", p->workload, p->kernel, (int)p->sequence,
             (int)p->length, (const char *)p->data);
    return strcmp(p->kernel, "refuse") ? WS_OK : ws_fail(WS_EINPUT, "refused");
}

static void add_profile(ws_store *store, int64_t run, const char *kernel, uint64_t sequence, const char *profile)
{
    const ws_launch launch = {.kernel = kernel, .sequence = sequence, .grid = {1, 1, 1}, .block = {32, 1, 1}};
    ws_collector *collector;
    size_t length;
    assert_int_equal(ws_collector_create("study", &collector), WS_OK);
    assert_null(ws_collector_profile(collector, &length));
    assert_int_equal(ws_collector_set_profile(collector, "thrown away", 11), WS_OK);
    assert_int_equal(ws_collector_set_profile(collector, profile, strlen(profile)), WS_OK);
    assert_int_equal(ws_store_add_launch(store, run, &launch, 0, 1, 32, collector), WS_OK);
    ws_collector_destroy(collector);
}

/* Profiles of finished runs, in order; launches without; runs that failed; a flipped byte. */
static void profiles_come_in_order(void **state)
{
    (void)state;
    ws_store *const store = open_store();
    seen_profiles seen = {""};
    uint64_t missing;
    assert_int_equal(ws_store_profiles(store, see_profile, &seen, &missing), WS_ENOTFOUND);
    assert_non_null(strstr(ws_message(), "--profile"));
    const int64_t z = begin(store, "ZZ");
    assert_int_equal(add(store, z, "plain", 0, 1), WS_OK);
    finish(store, z, "done");
    assert_int_equal(ws_store_profiles(store, see_profile, &seen, &missing), WS_ENOTFOUND);
    assert_int_equal(missing, 1);
    const int64_t b = begin(store, "BB");
    add_profile(store, b, "two", 1, "second");
    add_profile(store, b, "one", 0, "first");
    finish(store, b, "done");
    const int64_t a = begin(store, "AA");
    add_profile(store, a, "wrong", 0, "of a run that failed");
    finish(store, a, "wrong result");
    assert_int_equal(ws_store_profiles(store, see_profile, &seen, &missing), WS_OK);
    assert_string_equal(seen.text, "BB/one/0:first BB/two/1:second ");
    assert_int_equal(missing, 1);
    const int64_t c = begin(store, "CC");
    add_profile(store, c, "refuse", 0, "x");
    finish(store, c, "done");
    assert_int_equal(ws_store_profiles(store, see_profile, &seen, &missing), WS_EINPUT);
    assert_string_equal(ws_message(), "refused");
    ws_store_close(store);
    sql("UPDATE profile SET data = 'fir_t' WHERE data = CAST('first' AS BLOB)");
    ws_store *const damaged = open_store();
    assert_int_equal(ws_store_profiles(damaged, see_profile, &seen, &missing), WS_EINPUT);
    assert_non_null(strstr(ws_message(), "damaged"));
    sql("UPDATE profile SET data = CAST('first' AS BLOB) WHERE data = 'fir_t'");
    assert_int_equal(ws_store_profiles(damaged, see_profile, &seen, &missing), WS_EINPUT);
    assert_string_equal(ws_message(), "refused"); /* good again, up to the one that the test refuses */
    /* The first two change places. */
    sql("UPDATE profile SET launch = -launch; UPDATE profile SET launch = 5 + launch WHERE launch IN (-2, -3)");
    assert_int_equal(ws_store_profiles(damaged, see_profile, &seen, &missing), WS_EINPUT);
    assert_non_null(strstr(ws_message(), "damaged"));
    ws_store_close(damaged);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        PLACED(rows_per_launch_kernel_and_workload),
        PLACED(a_frame_is_the_same_every_time),
        PLACED(unfinished_runs_are_hidden_and_replaced),
        PLACED(copies_after_the_last_launch_belong_to_it),
        PLACED(many_launches_arrive_in_order),
        PLACED(several_processes_make_the_file_at_once),
        PLACED(several_processes_write_at_once),
        PLACED(a_kill_costs_only_the_run_in_work),
        PLACED(kills_in_the_middle_of_writing_leave_whole_runs),
        PLACED(profiles_come_in_order),
        PLACED(a_locked_file_waits_for_the_writer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
