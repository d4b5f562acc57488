/* Does the results file keep what was finished, through kills, rivals and damage, and refuse what it cannot read? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "metrics/metric_layout.h"
#include "metrics/store/store_internal.h"
#include "metrics/study_metrics.h"
#include "tests/unit/synthetic_events.h"

#include <dirent.h>
#include <math.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char directory[64], file[128];

static int make_place(void **state)
{
    (void)state;
    strcpy(directory, "/tmp/warpscape-store-XXXXXX");
    if (!mkdtemp(directory))
        return -1;
    snprintf(file, sizeof file, "%s/results.db", directory);
    return 0;
}

static int remove_place(void **state)
{
    (void)state;
    DIR *const dir = opendir(directory);
    for (struct dirent *e; dir && (e = readdir(dir));) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", directory, e->d_name);
        unlink(path);
    }
    closedir(dir);
    return rmdir(directory);
}

static ws_store *open_store(void)
{
    ws_store *store;
    assert_int_equal(ws_store_open(file, true, &store), WS_OK);
    return store;
}

/* A launch of one block whose warp executes `n` integer instructions, measured and added. */
static int add(ws_store *store, int64_t run, const char *kernel, uint64_t sequence, unsigned n)
{
    synthetic s;
    ws_collector *collector;
    size_t sinks;
    ws_fanout *fanout;
    syn_init(&s, 1, 32);
    s.launch.kernel = kernel;
    s.launch.sequence = sequence;
    s.launch.h2d_bytes = 100;
    syn_run(&s, 0, 0, syn_instr(&s, WS_CLASS_INTEGER), 1, UINT32_MAX);
    for (unsigned i = 1; i < n; i++)
        syn_run(&s, 0, 0, 0, 1, UINT32_MAX);
    assert_int_equal(ws_collector_create(NULL, &collector), WS_OK);
    const ws_sink *const *const sink = ws_collector_sinks(collector, &sinks);
    assert_int_equal(ws_fanout_create(sink, sinks, &s.launch, &fanout), WS_OK);
    syn_deliver(&s, fanout, 0, 1, 100);
    for (size_t i = 0; i < sinks; i++)
        assert_int_equal(ws_collector_collect(collector, &s.launch, i, ws_fanout_state(fanout, i)), WS_OK);
    const int status = ws_store_add_launch(store, run, &s.launch, 0.25, n, 32 * n, collector);
    ws_fanout_destroy(fanout);
    ws_collector_destroy(collector);
    syn_fini(&s);
    return status;
}

static int64_t begin(ws_store *store, const char *workload)
{
    const ws_store_run run = {.workload = workload, .scale = "tiny", .seed = UINT64_MAX, .command = "test"};
    int64_t id = 0;
    assert_int_equal(ws_store_begin(store, &run, &id), WS_OK);
    return id;
}

static void finish(ws_store *store, int64_t id, const char *status)
{
    assert_int_equal(ws_store_finish(store, id, status, 1.5), WS_OK);
}

static ws_frame *frame_of(ws_store *store, ws_per per, const char *set)
{
    ws_frame *frame;
    const int status = ws_store_frame(store, per, set, false, &frame);
    if (status != WS_OK)
        print_error("%s\n", ws_message());
    assert_int_equal(status, WS_OK);
    return frame;
}

static double cell(const ws_frame *frame, size_t row, const char *name)
{
    const long column = ws_frame_find_column(frame, name);
    assert_true(column >= 0);
    return frame->value[row * frame->columns + (size_t)column];
}

static bool has_note(const ws_frame *frame, const char *start)
{
    for (size_t i = 0; i < frame->notes; i++)
        if (strncmp(frame->note[i], start, strlen(start)) == 0)
            return true;
    return false;
}

static void sql(const char *text)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(file, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, text, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

static void two_workloads(ws_store *store)
{
    const int64_t z = begin(store, "ZZ");
    assert_int_equal(add(store, z, "zeta", 0, 4), WS_OK);
    finish(store, z, "done");
    const int64_t a = begin(store, "AA");
    assert_int_equal(add(store, a, "second", 0, 1), WS_OK);
    assert_int_equal(add(store, a, "first", 1, 2), WS_OK);
    assert_int_equal(add(store, a, "second", 2, 3), WS_OK);
    finish(store, a, "done");
}

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
    assert_int_equal(ws_store_is_done(store, "W", "tiny", UINT64_MAX, &done), WS_OK);
    assert_int_equal(done, 1);
    assert_int_equal(ws_store_is_done(store, "W", "tiny", 1, &done), WS_OK);
    assert_int_equal(done, 0);
    assert_int_equal(ws_store_is_done(store, "W", "small", UINT64_MAX, &done), WS_OK);
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
    assert_int_equal(ws_store_is_done(store, "W", "tiny", UINT64_MAX, &done), WS_OK);
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

/* Runs `job` in a child; returns its wait status. */
static int in_child(void (*job)(int), int argument)
{
    const pid_t child = fork();
    if (child == 0) {
        job(argument);
        _exit(0);
    }
    int how = -1;
    assert_true(child > 0 && waitpid(child, &how, 0) == child);
    return how;
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

static void expect_refused(bool create, int status, const char *part)
{
    ws_store *store;
    assert_int_equal(ws_store_open(file, create, &store), status);
    assert_null(store);
    if (!strstr(ws_message(), part))
        fail_msg("`%s` does not say `%s`", ws_message(), part);
    assert_non_null(strstr(ws_message(), file));
}

static void write_file(const char *text, size_t size)
{
    FILE *const out = fopen(file, "wb");
    assert_true(out && fwrite(text, 1, size, out) == size);
    fclose(out);
}

static void what_is_no_results_file_is_refused(void **state)
{
    (void)state;
    expect_refused(false, WS_ENOTFOUND, "no results file there");
    write_file("", 0);
    expect_refused(false, WS_EINPUT, "empty");
    const char text[] = "workload,I_sop\nBFS,1\nand so on, longer than the header of a database is, with room to spare";
    write_file(text, sizeof text);
    expect_refused(true, WS_EINPUT, "not a results file");
    unlink(file);
    sql("CREATE TABLE somebody(elses INTEGER)");
    expect_refused(true, WS_EINPUT, "not a results file of warpscape");
    unlink(file);
    ws_store_close(open_store());
    sql("PRAGMA user_version=99");
    expect_refused(true, WS_EVERSION, "results format 99, this one has 6");
}

/* Each with one thing that no version of this program makes, or that computes. */
static void schemas_of_others_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *sql, *part;
    } hostile[] = {
        {"CREATE TRIGGER t AFTER INSERT ON run BEGIN DELETE FROM launch; END",
         "a trigger 't', which no version of warpscape makes"},
        {"CREATE TRIGGER run AFTER INSERT ON run BEGIN DELETE FROM launch; END",
         "a trigger 'run', which no version of warpscape makes"},
        {"CREATE TABLE mine(a INTEGER)", "a table 'mine', which no version of warpscape makes"},
        {"CREATE VIEW mine AS SELECT 1", "a view 'mine', which no version of warpscape makes"},
        {"CREATE VIEW profile AS SELECT load_extension('x') AS launch",
         "a view 'profile', which no version of warpscape makes"},
        {"CREATE INDEX mine ON run(workload)", "an index 'mine', which no version of warpscape makes"},
        {"CREATE TABLE profile(launch INTEGER PRIMARY KEY, checksum INTEGER CHECK(randomblob(9)), data BLOB)",
         "table 'profile' is not as warpscape makes it"},
        {"CREATE TABLE profile(launch INTEGER PRIMARY KEY, checksum INTEGER, data BLOB AS (zeroblob(9)))",
         "table 'profile' is not as warpscape makes it"},
        {"CREATE TABLE profile(launch INTEGER PRIMARY KEY, checksum INTEGER DEFAULT (random()), data BLOB, "
         "UNIQUE(checksum, data))",
         "table 'profile' is not as warpscape makes it"},
        {"CREATE TABLE profile(launch INTEGER PRIMARY KEY, checksum INTEGER DEFAULT '1', data BLOB)",
         "table 'profile' is not as warpscape makes it"},
        {"CREATE TABLE profile AS SELECT 1 AS launch", NULL}, /* SQLite writes it down as a plain one */
        {"CREATE VIRTUAL TABLE profile USING fts5(launch)", "warpscape makes"},
        {"DROP INDEX launch_run; CREATE INDEX launch_run ON launch(abs(run))",
         "index 'launch_run' is not as warpscape makes it"},
        {"DROP INDEX launch_run; CREATE INDEX launch_run ON launch(run) WHERE run",
         "index 'launch_run' is not as warpscape makes it"},
        {"DROP INDEX launch_run; CREATE UNIQUE INDEX launch_run ON launch(run)",
         "index 'launch_run' is not as warpscape makes it"},
        {"PRAGMA writable_schema = ON; UPDATE sqlite_master SET name = 'sqlite_autoindex_launch_9', sql = 'CREATE "
         "INDEX sqlite_autoindex_launch_9 ON launch(abs(run))' "
         "WHERE name = 'launch_run'",
         "index 'sqlite_autoindex_launch_9' is not as warpscape makes it"},
    };
    for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++) {
        unlink(file);
        ws_store_close(open_store());
        sql(hostile[i].sql);
        if (hostile[i].part) {
            expect_refused(true, WS_EINPUT, hostile[i].part);
            expect_refused(false, WS_EINPUT, hostile[i].part);
        } else {
            ws_store_close(open_store());
        }
    }
}

/* One that comes while the file is open is not run, nor is a view looked into. */
static void triggers_are_off(void **state)
{
    (void)state;
    ws_store *const store = open_store();
    sql("CREATE TRIGGER t AFTER INSERT ON launch BEGIN UPDATE run SET workload = 'EVIL'; END;"
        "DROP VIEW runs; CREATE VIEW runs AS SELECT load_extension('x')");
    const int64_t id = begin(store, "AA");
    assert_int_equal(add(store, id, "k", 0, 1), WS_OK);
    finish(store, id, "done");
    ws_frame *const f = frame_of(store, WS_PER_WORKLOAD, "study");
    assert_string_equal(f->label[0], "AA");
    ws_frame_destroy(f);
    ws_store_close(store);
    expect_refused(false, WS_EINPUT, "a trigger 't'");
}

static void places_that_cannot_be_written_are_named(void **state)
{
    (void)state;
    char keep[sizeof file];
    memcpy(keep, file, sizeof file);
    snprintf(file, sizeof file, "%s/nowhere/results.db", directory);
    expect_refused(true, WS_EIO, "cannot open");
    snprintf(file, sizeof file, "%s", directory); /* a directory */
    expect_refused(true, WS_EIO, "cannot open");
    snprintf(file, sizeof file, "/proc/results.db"); /* a directory in which nobody makes files */
    expect_refused(true, WS_EIO, "cannot open");
    memcpy(file, keep, sizeof file);
}

/* As somebody who owns nothing: reads the results, cannot add any. */
static void read_as_nobody(int unused)
{
    (void)unused;
    ws_store *store;
    ws_frame *f;
    if (geteuid() == 0 && setuid(65534) != 0)
        _exit(1);
    if (ws_store_open(file, false, &store) != WS_OK)
        _exit(2);
    if (ws_store_frame(store, WS_PER_WORKLOAD, "study", false, &f) != WS_OK || f->rows != 2)
        _exit(3);
    ws_frame_destroy(f);
    const ws_store_run run = {.workload = "W", .scale = "", .seed = 1, .command = ""};
    int64_t id;
    if (ws_store_begin(store, &run, &id) != WS_EIO || !strstr(ws_message(), "cannot be written"))
        _exit(4);
    ws_store_close(store);
    if (ws_store_open(file, true, &store) != WS_EIO || !strstr(ws_message(), file))
        _exit(5);
    snprintf(file, sizeof file, "%s/new.db", directory);
    if (ws_store_open(file, true, &store) != WS_EIO || !strstr(ws_message(), "Permission denied"))
        _exit(6);
}

static void a_read_only_directory_can_be_read_and_is_named(void **state)
{
    (void)state;
    ws_store *const store = open_store();
    two_workloads(store);
    ws_store_close(store);
    assert_int_equal(chmod(file, 0444), 0);
    assert_int_equal(chmod(directory, 0555), 0);
    const int how = in_child(read_as_nobody, 0);
    assert_int_equal(chmod(directory, 0755), 0);
    assert_true(WIFEXITED(how));
    assert_int_equal(WEXITSTATUS(how), 0);
}

static bool is_there(int signal)
{
    sigset_t pending;
    assert_int_equal(sigpending(&pending), 0);
    return sigismember(&pending, signal) == 1;
}

/* As if the disk were full: the system refuses to let the file grow, and the signal that says so is not the program's.
 * One that the program has blocked and that waits already stays. */
static void fill_disk(int waiting)
{
    sigset_t only, mask;
    sigemptyset(&only);
    sigaddset(&only, SIGXFSZ);
    if (waiting) {
        sigprocmask(SIG_BLOCK, &only, NULL);
        raise(SIGXFSZ);
    }
    const struct rlimit limit = {40 * 1024, 40 * 1024};
    ws_store *const store = open_store();
    const int64_t id = begin(store, "BIG");
    int status = WS_OK;
    setrlimit(RLIMIT_FSIZE, &limit);
    for (uint64_t i = 0; i < 100 && status == WS_OK; i++)
        status = add(store, id, "k", i, 1);
    if (status == WS_OK)
        status = ws_store_finish(store, id, "done", 1);
    const bool clear = status == WS_EIO && strstr(ws_message(), file);
    ws_store_close(store);
    sigprocmask(SIG_BLOCK, NULL, &mask);
    const bool as_before = sigismember(&mask, SIGXFSZ) == waiting && is_there(SIGXFSZ) == (waiting != 0);
    _exit(clear && as_before ? 0 : 1);
}

static void a_full_disk_is_said_and_loses_nothing(void **state)
{
    (void)state;
    ws_store *store = open_store();
    const int64_t id = begin(store, "W");
    assert_int_equal(add(store, id, "k", 0, 1), WS_OK);
    finish(store, id, "done");
    ws_store_close(store);
    for (int waiting = 0; waiting < 2; waiting++) {
        const int how = in_child(fill_disk, waiting);
        assert_true(WIFEXITED(how) && WEXITSTATUS(how) == 0);
    }
    store = open_store();
    ws_frame *const f = frame_of(store, WS_PER_WORKLOAD, "study");
    assert_int_equal(f->rows, 1);
    ws_frame_destroy(f);
    ws_store_close(store);
}

/* Opens and reads; any failure must be a clear refusal. The frame as text, or NULL. */
static char *read_as_text(void)
{
    ws_store *store;
    ws_frame *f = NULL;
    char *text = NULL;
    size_t size;
    int status = ws_store_open(file, false, &store);
    if (status == WS_OK)
        status = ws_store_frame(store, WS_PER_LAUNCH, "all", true, &f);
    if (status == WS_OK) {
        FILE *const out = open_memstream(&text, &size);
        assert_int_equal(ws_frame_write(f, out), WS_OK);
        fclose(out);
    } else {
        assert_true((status == WS_EINPUT || status == WS_EVERSION || status == WS_EIO) && strstr(ws_message(), file));
    }
    ws_frame_destroy(f);
    ws_store_close(store);
    return text;
}

/* A bit that flips anywhere is found, or changes nothing that is shown. */
static void a_flipped_bit_never_becomes_another_result(void **state)
{
    (void)state;
    ws_store *const store = open_store();
    two_workloads(store);
    ws_store_close(store);
    struct stat whole;
    assert_int_equal(stat(file, &whole), 0);
    char *const bytes = malloc((size_t)whole.st_size), *const good = read_as_text();
    FILE *const in = fopen(file, "rb");
    assert_true(in && fread(bytes, 1, (size_t)whole.st_size, in) == (size_t)whole.st_size);
    fclose(in);
    uint64_t random = 1;
    unsigned found = 0;
    for (unsigned round = 0; round < 150; round++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        char *const byte = &bytes[(random >> 33) % (uint64_t)whole.st_size], before = *byte;
        *byte = (char)(before ^ 1 << (random >> 30 & 7));
        write_file(bytes, (size_t)whole.st_size);
        char *const now = read_as_text();
        if (now && strcmp(now, good) != 0)
            fail_msg("byte %td went from %02x to %02x, and the frame with it", byte - bytes, before, *byte);
        found += !now;
        free(now);
        *byte = before;
    }
    assert_true(found > 15); /* much of so small a file is empty */
    free(bytes);
    free(good);
}

static void what_frames_show_of_a_run_cannot_change_unseen(void **state)
{
    (void)state;
    static const char *const changes[] = {"UPDATE launch SET kernel = 'other' WHERE id = 1",
                                          "UPDATE launch SET sequence = 7 WHERE id = 1",
                                          "UPDATE launch SET seconds = 7 WHERE id = 1",
                                          "UPDATE launch SET run = 3 - run WHERE id = 1",
                                          "DELETE FROM launch WHERE id = 1",
                                          "UPDATE run SET workload = 'BB' WHERE id = 1",
                                          "UPDATE run SET scale = 'huge' WHERE id = 1",
                                          "UPDATE run SET seed = '8' WHERE id = 1",
                                          "UPDATE run SET command = 'rm' WHERE id = 1",
                                          "UPDATE run SET status = 'left' WHERE id = 1",
                                          "UPDATE run SET checksum = NULL WHERE id = 1"};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        ws_store *const store = open_store();
        two_workloads(store);
        ws_store_close(store);
        char *text = read_as_text();
        assert_non_null(text);
        free(text);
        sql(changes[i]);
        text = read_as_text();
        if (text)
            fail_msg("`%s` was not noticed", changes[i]);
        unlink(file);
    }
}

/* Opens and reads; any failure must be a clear refusal. Returns whether it failed. */
static bool refuses_to_read(void)
{
    ws_store *store;
    ws_frame *f = NULL;
    int status = ws_store_open(file, false, &store);
    if (status == WS_OK)
        status = ws_store_frame(store, WS_PER_WORKLOAD, "all", false, &f);
    if (status != WS_OK)
        assert_true(status == WS_EINPUT && strstr(ws_message(), file));
    ws_frame_destroy(f);
    ws_store_close(store);
    return status != WS_OK;
}

static void damage_is_found(void **state)
{
    (void)state;
    ws_store *const store = open_store();
    two_workloads(store);
    ws_store_close(store);
    struct stat whole;
    assert_int_equal(stat(file, &whole), 0);
    char *const bytes = malloc((size_t)whole.st_size);
    FILE *const in = fopen(file, "rb");
    assert_true(in && fread(bytes, 1, (size_t)whole.st_size, in) == (size_t)whole.st_size);
    fclose(in);
    for (off_t size = 4096; size < whole.st_size; size += 8192) {
        write_file(bytes, (size_t)size); /* cut off */
        assert_true(refuses_to_read());
    }
    for (off_t at = 4096; at + 4096 <= whole.st_size; at += 4096) {
        char *const copy = malloc((size_t)whole.st_size);
        memcpy(copy, bytes, (size_t)whole.st_size);
        memset(copy + at, 0x5a, 4096); /* one page overwritten */
        write_file(copy, (size_t)whole.st_size);
        free(copy);
        refuses_to_read(); /* a page of an index or a free one may be no loss; never a crash */
    }
    write_file(bytes, (size_t)whole.st_size);
    assert_false(refuses_to_read());
    sql("UPDATE counter SET data = zeroblob(length(data)) WHERE id = 3");
    assert_true(refuses_to_read());
    write_file(bytes, (size_t)whole.st_size);
    sql("UPDATE counter SET data = substr(data, 1, 8) WHERE id = 1");
    assert_true(refuses_to_read());
    free(bytes);
}

/* As if a program had written the file that knew no checksums of launches. */
static void forget_launch_checksums(ws_store *store)
{
    sql("UPDATE launch SET checksum = NULL");
    for (int64_t run = 1; run <= 2; run++) {
        char text[96];
        int64_t checksum;
        assert_int_equal(ws_store_run_checksum(store, run, &checksum), WS_OK);
        snprintf(text, sizeof text, "UPDATE run SET checksum = %lld WHERE id = %lld", (long long)checksum,
                 (long long)run);
        sql(text);
    }
}

static void counters_of_another_version_are_refused_and_missing_ones_are_missing(void **state)
{
    (void)state;
    int done;
    ws_store *const store = open_store();
    ws_frame *f;
    two_workloads(store);
    forget_launch_checksums(store);
    sql("DELETE FROM counter WHERE family = (SELECT id FROM family WHERE name = 'study_stress')"
        " AND launch = (SELECT max(id) FROM launch)");
    f = frame_of(store, WS_PER_WORKLOAD, "study");
    assert_true(isnan(cell(f, 0, "I_total")) && cell(f, 1, "I_total") == 128);
    assert_true(cell(f, 0, "I_op") == 192);
    assert_true(has_note(f, "missing: study_stress was not measured for AA"));
    ws_frame_destroy(f);
    assert_int_equal(ws_store_is_done(store, "AA", "tiny", UINT64_MAX, &done), WS_OK);
    assert_int_equal(done, 1);
    sql("UPDATE family SET signature = 'old' WHERE name = 'study_mix'");
    assert_int_equal(ws_store_frame(store, WS_PER_WORKLOAD, "study", false, &f), WS_EVERSION);
    assert_non_null(strstr(ws_message(), "study_mix"));
    assert_int_equal(ws_store_is_done(store, "AA", "tiny", UINT64_MAX, &done), WS_OK);
    assert_int_equal(done, 0);
    sql("UPDATE family SET name = 'forgotten' WHERE name = 'study_mix'"); /* a family that we no longer have */
    f = frame_of(store, WS_PER_WORKLOAD, "study");
    assert_true(isnan(cell(f, 0, "I_op")));
    ws_frame_destroy(f);
    ws_store_close(store);
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
#define PLACED(test) cmocka_unit_test_setup_teardown(test, make_place, remove_place)
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
        PLACED(what_is_no_results_file_is_refused),
        PLACED(schemas_of_others_are_refused),
        PLACED(triggers_are_off),
        PLACED(places_that_cannot_be_written_are_named),
        PLACED(a_read_only_directory_can_be_read_and_is_named),
        PLACED(a_full_disk_is_said_and_loses_nothing),
        PLACED(profiles_come_in_order),
        PLACED(damage_is_found),
        PLACED(a_flipped_bit_never_becomes_another_result),
        PLACED(what_frames_show_of_a_run_cannot_change_unseen),
        PLACED(counters_of_another_version_are_refused_and_missing_ones_are_missing),
        PLACED(a_locked_file_waits_for_the_writer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
