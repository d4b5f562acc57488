/* Is what is no results file, or damaged, or cannot be written, refused by name, and never read as something else? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/store_runs.h"
#include "tests/unit/rounds.h"

#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

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
    expect_refused(true, WS_EVERSION, "results format 99, this one has 7");
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

/* A bit that flips anywhere is found, or changes nothing that is shown. Counters are packed, so many launches are
 * needed for some bits to hit them; the dictionary for SQL, which frames do not read, goes. */
static void a_flipped_bit_never_becomes_another_result(void **state)
{
    (void)state;
    ws_store *const store = open_store();
    const int64_t id = begin(store, "AA");
    for (unsigned i = 0; i < 20; i++)
        assert_int_equal(add(store, id, "k", i, i + 1), WS_OK);
    finish(store, id, "done");
    ws_store_close(store);
    sql("DELETE FROM kept_metric; VACUUM");
    struct stat whole;
    assert_int_equal(stat(file, &whole), 0);
    char *const bytes = malloc((size_t)whole.st_size), *const good = read_as_text();
    FILE *const in = fopen(file, "rb");
    assert_true(in && fread(bytes, 1, (size_t)whole.st_size, in) == (size_t)whole.st_size);
    fclose(in);
    uint64_t random = 1;
    unsigned found = 0;
    for (unsigned round = 0; round < rounds_of(150); round++) {
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
    assert_true(found > rounds_of(150) / 6); /* much of so small a file is empty */
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
    sql("UPDATE counter SET data = substr(data, 1, length(data) - 1) WHERE id = 1");
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
    assert_int_equal(is_done(store, "AA", "tiny", UINT64_MAX, "test", &done), WS_OK);
    assert_int_equal(done, 1);
    sql("UPDATE family SET signature = 'old' WHERE name = 'study_mix'");
    assert_int_equal(ws_store_frame(store, WS_PER_WORKLOAD, "study", false, &f), WS_EVERSION);
    assert_non_null(strstr(ws_message(), "study_mix"));
    assert_int_equal(is_done(store, "AA", "tiny", UINT64_MAX, "test", &done), WS_OK);
    assert_int_equal(done, 0);
    sql("UPDATE family SET name = 'forgotten' WHERE name = 'study_mix'"); /* a family that we no longer have */
    f = frame_of(store, WS_PER_WORKLOAD, "study");
    assert_true(isnan(cell(f, 0, "I_op")));
    ws_frame_destroy(f);
    ws_store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        PLACED(what_is_no_results_file_is_refused),
        PLACED(schemas_of_others_are_refused),
        PLACED(triggers_are_off),
        PLACED(places_that_cannot_be_written_are_named),
        PLACED(a_read_only_directory_can_be_read_and_is_named),
        PLACED(a_full_disk_is_said_and_loses_nothing),
        PLACED(damage_is_found),
        PLACED(a_flipped_bit_never_becomes_another_result),
        PLACED(what_frames_show_of_a_run_cannot_change_unseen),
        PLACED(counters_of_another_version_are_refused_and_missing_ones_are_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
