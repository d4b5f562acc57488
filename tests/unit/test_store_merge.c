/* Merging of results files: nothing lost, nothing twice, in any order, through kills and damage. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/grow.h"
#include "base/interrupt.h"
#include "metrics/store/store_merge.h"
#include "tests/unit/store_runs.h"
#include "tests/unit/rounds.h"

#include <gsl/gsl_randist.h>
#include <limits.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

/* ------------------------------------------------------------------------------------------------ files */

/* Paths stay until the test has ended. */
static char **paths;
static size_t known_paths, path_room;

/* The path of a file of the test's folder. */
static const char *at(const char *name)
{
    char *path;
    assert_true(asprintf(&path, "%s/%s", directory, name) > 0);
    for (size_t i = 0; i < known_paths; i++)
        if (!strcmp(paths[i], path)) {
            free(path);
            return paths[i];
        }
    assert_int_equal(WS_GROW(paths, path_room, known_paths, 1), WS_OK);
    return paths[known_paths++] = path;
}

static int forget_place(void **state)
{
    while (known_paths)
        free(paths[--known_paths]);
    free(paths);
    paths = NULL;
    return remove_place(state);
}

static const char *numbered(const char *name, size_t number)
{
    char text[32];
    snprintf(text, sizeof text, "%s%zu.db", name, number);
    return at(text);
}

static char *read_bytes(const char *path, size_t *size)
{
    struct stat about;
    FILE *const in = fopen(path, "rb");
    assert_true(in && !fstat(fileno(in), &about));
    char *const bytes = malloc((size_t)about.st_size + 1);
    *size = fread(bytes, 1, (size_t)about.st_size, in);
    fclose(in);
    return bytes;
}

static void write_bytes(const char *path, const char *bytes, size_t size)
{
    FILE *const out = fopen(path, "wb");
    assert_true(out && fwrite(bytes, 1, size, out) == size && !fclose(out));
}

static bool same_bytes(const char *a, const char *b)
{
    size_t n, m;
    char *const x = read_bytes(a, &n), *const y = read_bytes(b, &m);
    const bool same = n == m && !memcmp(x, y, n);
    free(x);
    free(y);
    return same;
}

static void copy(const char *from, const char *to)
{
    size_t size;
    char *const bytes = read_bytes(from, &size);
    write_bytes(to, bytes, size);
    free(bytes);
}

/* Files of the folder whose names have this part. */
static unsigned count_files(const char *part)
{
    unsigned n = 0;
    DIR *const dir = opendir(directory);
    for (const struct dirent *e; (e = readdir(dir));)
        n += strstr(e->d_name, part) != NULL;
    closedir(dir);
    return n;
}

/* ------------------------------------------------------------------------------------------------ merging */

static char told[4096];

static void note(void *user, const char *line)
{
    (void)user;
    strncat(told, line, sizeof told - strlen(told) - 2);
    strcat(told, "\n");
}

static int merge_by(ws_store_prefer prefer, const char *const *path, size_t n, const char *to, ws_store_merged *out)
{
    const ws_store_merge how = {.prefer = prefer, .tell = note};
    told[0] = '\0';
    return ws_store_merge_files(path, n, to, &how, out);
}

static ws_store_merged merge(const char *const *path, size_t n, const char *to)
{
    ws_store_merged out;
    const int status = merge_by(WS_STORE_PREFER_NONE, path, n, to, &out);
    if (status != WS_OK)
        print_error("%s\n%s", ws_message(), told);
    assert_int_equal(status, WS_OK);
    assert_int_equal(count_files(".tmp"), 0);
    return out;
}

static ws_store_merged merge_two(const char *a, const char *b, const char *to)
{
    return merge((const char *const[]){a, b}, 2, to);
}

static void expect_refused(const char *a, const char *b, const char *to, int status, const char *part)
{
    ws_store_merged out;
    assert_int_equal(merge_by(WS_STORE_PREFER_NONE, (const char *const[]){a, b}, 2, to, &out), status);
    if (!strstr(ws_message(), part) && !strstr(told, part))
        fail_msg("`%s` is in neither:\n%s\n%s", part, ws_message(), told);
    assert_int_equal(count_files(".tmp"), 0);
}

/* ------------------------------------------------------------------------------------------------ stores */

/* A new file is a copy of the first: its tables take longer to make than what is written into them. */
static ws_store *open_at(const char *path)
{
    static char *empty;
    static size_t size;
    ws_store *store;
    if (!empty) {
        assert_int_equal(ws_store_open(path, true, &store), WS_OK);
        ws_store_close(store);
        empty = read_bytes(path, &size);
    } else if (access(path, F_OK) != 0) {
        write_bytes(path, empty, size);
    }
    assert_int_equal(ws_store_open(path, true, &store), WS_OK);
    return store;
}

static int64_t begin_as(ws_store *store, const char *workload, const char *scale, const char *command, bool partial)
{
    const ws_store_run run = {.workload = workload, .scale = scale, .seed = 7, .command = command, .partial = partial};
    int64_t id = 0;
    assert_int_equal(ws_store_begin(store, &run, &id), WS_OK);
    return id;
}

/* A finished run with launches of first, first + 1, ... instructions. */
static int64_t add_run(ws_store *store, const char *workload, const char *scale, const char *command, unsigned launches,
                       unsigned first)
{
    const int64_t id = begin_as(store, workload, scale, command, false);
    for (unsigned i = 0; i < launches; i++)
        assert_int_equal(add(store, id, i % 2 ? "odd" : "even", i, first + i), WS_OK);
    assert_int_equal(ws_store_finish(store, id, "done", 0.5), WS_OK);
    return id;
}

static const char *make_one(const char *name, const char *workload, const char *command, unsigned launches,
                            unsigned first)
{
    const char *const path = at(name);
    ws_store *const store = open_at(path);
    add_run(store, workload, "tiny", command, launches, first);
    ws_store_close(store);
    return path;
}

static void exec(const ws_store *store, const char *text)
{
    assert_int_equal(ws_store_exec(store, text, ""), WS_OK);
}

static void exec_and_seal(const char *path, const char *change)
{
    ws_store *const store = open_at(path);
    int64_t checksum;
    char text[96];
    exec(store, change);
    assert_int_equal(ws_store_run_checksum(store, 1, &checksum), WS_OK);
    snprintf(text, sizeof text, "UPDATE run SET checksum = %lld", (long long)checksum);
    exec(store, text);
    ws_store_close(store);
}

/* Everything that a run can have: profile, bounds, listing, source. */
static void add_extras(ws_store *store, int64_t run)
{
    char text[400];
    sqlite3_stmt *row;
    bool found;
    assert_int_equal(ws_store_prepare(store, &row, "SELECT min(id) FROM launch WHERE run = ?", "i", run), WS_OK);
    assert_int_equal(ws_store_step(store, row, &found), WS_OK);
    const int64_t launch = sqlite3_column_int64(row, 0), sum = ws_store_checksum("data", 4);
    sqlite3_finalize(row);
    exec(store, ws_store_profile_table);
    exec(store, ws_store_listing_table);
    snprintf(text, sizeof text, "INSERT INTO profile VALUES(%lld, %lld, CAST('data' AS BLOB))", (long long)launch,
             (long long)sum);
    exec(store, text);
    assert_int_equal(ws_store_seal(store, launch), WS_OK);
    snprintf(text, sizeof text, "INSERT INTO bound VALUES(%lld, 'I_op', 0.25), (%lld, 'K_n', NULL)", (long long)run,
             (long long)run);
    exec(store, text);
    snprintf(text, sizeof text, "UPDATE run SET sampling = 'half', selection = '1-9' WHERE id = %lld", (long long)run);
    exec(store, text);
    assert_int_equal(ws_store_note_source(store, run, "a.cu", UINT64_MAX), WS_OK);
    assert_int_equal(ws_store_finish(store, run, "done", 2), WS_OK);
    snprintf(text, sizeof text,
             "INSERT INTO listing(run, kernel, code_checksum, code, checksum, counts) VALUES(%lld, 'even', %lld,"
             " CAST('data' AS BLOB), %lld, CAST('data' AS BLOB))",
             (long long)run, (long long)sum, (long long)sum);
    exec(store, text);
}

/* Runs in the order in which a merge puts them. Returns how many. */
static int64_t make_original(const char *path, gsl_rng *rng)
{
    ws_store *const store = open_at(path);
    int64_t last = 0;
    for (unsigned w = 0; w < 6; w++) {
        char name[8];
        snprintf(name, sizeof name, "W%u", w);
        const unsigned runs = 1 + (unsigned)gsl_rng_uniform_int(rng, 3);
        if (gsl_rng_uniform_int(rng, 2)) {
            last = begin_as(store, name, "bad", "test", false);
            assert_int_equal(add(store, last, "k", 0, 1), WS_OK);
            assert_int_equal(ws_store_finish(store, last, "wrong result: 1, not 2", 0.1), WS_OK);
        }
        for (unsigned r = 0; r < runs; r++) {
            char scale[8];
            snprintf(scale, sizeof scale, "s%u", r);
            last = add_run(store, name, scale, "test", r + 1, 1 + (unsigned)gsl_rng_uniform_int(rng, 20));
        }
        if (w % 2) {
            last = begin_as(store, name, "full", "test", w == 3);
            for (unsigned i = 0; i <= runs; i++)
                assert_int_equal(add(store, last, "even", i, 1 + i), WS_OK);
            add_extras(store, last);
        }
    }
    ws_store_close(store);
    return last;
}

/* All rows of all tables, as text to be freed. */
static char *dump(const char *path)
{
    char *text = NULL;
    size_t size;
    sqlite3 *db;
    sqlite3_stmt *table, *row;
    FILE *const out = open_memstream(&text, &size);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db,
                                        "SELECT 'SELECT * FROM \"' || name || '\" ORDER BY rowid', name, sql"
                                        " FROM sqlite_master WHERE type = 'table' ORDER BY name",
                                        -1, &table, NULL),
                     SQLITE_OK);
    while (sqlite3_step(table) == SQLITE_ROW) {
        fprintf(out, "%s %s\n", sqlite3_column_text(table, 1), sqlite3_column_text(table, 2));
        assert_int_equal(sqlite3_prepare_v2(db, (const char *)sqlite3_column_text(table, 0), -1, &row, NULL),
                         SQLITE_OK);
        while (sqlite3_step(row) == SQLITE_ROW) {
            for (int i = 0; i < sqlite3_column_count(row); i++) {
                const int type = sqlite3_column_type(row, i), bytes = sqlite3_column_bytes(row, i);
                fprintf(out, "|%d ", type);
                fwrite(type == SQLITE_NULL           ? ""
                       : sqlite3_column_blob(row, i) ? sqlite3_column_blob(row, i)
                                                     : "",
                       1, (size_t)bytes, out);
            }
            fputc('\n', out);
        }
        sqlite3_finalize(row);
    }
    sqlite3_finalize(table);
    sqlite3_close(db);
    fclose(out);
    return text;
}

static char *frame_text(const char *path, ws_per per)
{
    char *text = NULL;
    size_t size;
    ws_store *store;
    ws_frame *f;
    assert_int_equal(ws_store_open(path, false, &store), WS_OK);
    assert_int_equal(ws_store_frame(store, per, "all", true, &f), WS_OK);
    FILE *const out = open_memstream(&text, &size);
    assert_int_equal(ws_frame_write(f, out), WS_OK);
    fclose(out);
    ws_frame_destroy(f);
    ws_store_close(store);
    return text;
}

static int64_t ask(const char *path, const char *query)
{
    sqlite3 *db;
    sqlite3_stmt *row;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, query, -1, &row, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(row), SQLITE_ROW);
    const int64_t number = sqlite3_column_int64(row, 0);
    sqlite3_finalize(row);
    sqlite3_close(db);
    return number;
}

static void sql_at(const char *path, const char *text)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    if (sqlite3_exec(db, text, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s: %s", text, sqlite3_errmsg(db));
    sqlite3_close(db);
}

/* ------------------------------------------------------------------------------------------------ nothing lost */

enum { PARTS = 4 };

/* Parts of the original, each run in one of them or more. */
static void split(const char *original, int64_t runs, gsl_rng *rng)
{
    bool has[PARTS][64] = {{false}};
    assert_true(runs < 64);
    for (int64_t r = 1; r <= runs; r++)
        for (int more = 2; more && (more == 2 || gsl_rng_uniform_int(rng, 2)); more--)
            has[gsl_rng_uniform_int(rng, PARTS)][r] = true;
    for (size_t p = 0; p < PARTS; p++) {
        int64_t others[64];
        size_t n = 0;
        const char *const path = numbered("part", p);
        copy(original, path);
        for (int64_t r = 1; r <= runs; r++)
            if (!has[p][r])
                others[n++] = r;
        ws_store *const store = open_at(path);
        assert_int_equal(ws_store_remove(store, others, n), WS_OK);
        ws_store_close(store);
    }
}

static void shuffle(const char **path, size_t n, gsl_rng *rng)
{
    gsl_ran_shuffle(rng, path, n, sizeof *path);
}

/* Parts two by two, in any order, until one is left. */
static void merge_in_stages(const char **path, size_t n, const char *to, gsl_rng *rng)
{
    for (size_t stage = 0; n > 1; stage++) {
        const char *const into = n == 2 ? to : numbered("stage", stage);
        shuffle(path, n, rng);
        ws_store_merged out;
        const int status = merge_by(WS_STORE_PREFER_NONE, path, 2, into, &out);
        assert_true(status == WS_OK || status == WS_ENOTFOUND); /* both may be empty */
        if (status == WS_OK)
            path[0] = into;
        path[1] = path[--n];
    }
}

static void parts_in_any_order_make_the_whole(void **state)
{
    (void)state;
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (unsigned long seed = 1; seed <= 2; seed++) {
        gsl_rng_set(rng, seed);
        const char *path[PARTS];
        const char *const original = at("original.db"), *const whole = at("whole.db");
        const int64_t runs = make_original(original, rng);
        split(original, runs, rng);
        for (size_t p = 0; p < PARTS; p++)
            path[p] = numbered("part", p);
        shuffle(path, PARTS, rng);
        const ws_store_merged m = merge(path, PARTS, whole);
        assert_int_equal(m.runs, runs);
        assert_int_equal(m.launches, ask(original, "SELECT count(*) FROM launch"));
        char *const before = dump(original), *const after = dump(whole);
        if (strcmp(before, after) != 0) {
            size_t i = 0;
            while (before[i] == after[i])
                i++;
            i = i > 60 ? i - 60 : 0;
            fail_msg("seed %lu: was `%.160s`, is `%.160s`", seed, before + i, after + i);
        }
        free(before);
        free(after);
        for (ws_per per = WS_PER_LAUNCH; per <= WS_PER_WORKLOAD; per++) {
            char *const x = frame_text(original, per), *const y = frame_text(whole, per);
            assert_string_equal(x, y);
            free(x);
            free(y);
        }
        merge(&original, 1, at("alone.db"));
        assert_true(same_bytes(whole, at("alone.db")));
        merge_in_stages(path, PARTS, at("staged.db"), rng);
        assert_true(same_bytes(whole, at("staged.db")));
        remove_place(NULL);
        assert_int_equal(mkdir(directory, 0700), 0);
    }
    gsl_rng_free(rng);
}

static void inputs_are_only_read(void **state)
{
    (void)state;
    const char *const a = make_one("a.db", "A", "x", 2, 1), *const b = make_one("b.db", "B", "x", 2, 1);
    copy(a, at("a.copy"));
    struct stat before, after;
    assert_int_equal(stat(a, &before), 0);
    merge_two(a, b, at("c.db"));
    assert_int_equal(stat(a, &after), 0);
    assert_true(same_bytes(a, at("a.copy")) && before.st_mtim.tv_sec == after.st_mtim.tv_sec &&
                before.st_mtim.tv_nsec == after.st_mtim.tv_nsec);
    assert_int_equal(count_files(""), 2 + 4); /* with . and .. */
    const char *const linked = at("link.db");
    assert_int_equal(symlink("a.db", linked), 0);
    assert_int_equal(merge_two(a, linked, at("d.db")).duplicates, 1);
}

/* What SQLite would take for a URI, a host or a file in memory. */
static void names_are_those_of_files(void **state)
{
    (void)state;
    static const char *const odd[] = {":memory:", "file:x.db?mode=ro", "a%41#.db"};
    char here[PATH_MAX];
    assert_true(getcwd(here, sizeof here) && !chdir(directory));
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        ws_store *const store = open_at(odd[i]);
        add_run(store, "A", "tiny", "app", 1, 4);
        ws_store_close(store);
        assert_int_equal(count_files(odd[i]), 1);
        char *doubled;
        assert_true(asprintf(&doubled, "/%s/%s", directory, odd[i]) > 0);
        assert_int_equal(merge_two(odd[i], doubled, "file:to.db").runs, 1);
        assert_int_equal(unlink("file:to.db"), 0);
        free(doubled);
    }
    assert_int_equal(chdir(here), 0);
}

static void merge_from_closed_folder(int unused)
{
    (void)unused;
    if (geteuid() == 0 && setuid(65534) != 0)
        _exit(1);
    merge_two(at("in/a.db"), at("in/b.db"), at("c.db"));
}

static void a_folder_that_cannot_be_written_is_read(void **state)
{
    (void)state;
    assert_int_equal(mkdir(at("in"), 0755), 0);
    make_one("in/a.db", "A", "x", 2, 1);
    make_one("in/b.db", "B", "x", 2, 1);
    assert_int_equal(chmod(at("in"), 0555), 0);
    assert_int_equal(chmod(directory, 0777), 0);
    const int how = in_child(merge_from_closed_folder, 0);
    assert_int_equal(chmod(at("in"), 0755), 0);
    unlink(at("in/a.db"));
    unlink(at("in/b.db"));
    rmdir(at("in"));
    assert_true(WIFEXITED(how));
    assert_int_equal(WEXITSTATUS(how), 0);
}

static void formats_of_before_are_brought_up_in_a_copy(void **state)
{
    (void)state;
    static const char *const downs[] = {
        "ALTER TABLE launch DROP COLUMN checksum; PRAGMA user_version=5;",
        "ALTER TABLE launch DROP COLUMN checksum; PRAGMA user_version=4;",
        "ALTER TABLE launch DROP COLUMN checksum; ALTER TABLE launch DROP COLUMN parent; PRAGMA user_version=3;"};
    for (size_t i = 0; i < sizeof downs / sizeof *downs; i++) {
        const char *const a = make_one("a.db", "A", "x", 3, 1), *const b = make_one("b.db", "B", "x", 2, 1);
        ws_store *const store = open_at(a);
        int64_t checksum;
        char text[96];
        exec(store, "UPDATE launch SET checksum = NULL");
        assert_int_equal(ws_store_run_checksum(store, 1, &checksum), WS_OK);
        snprintf(text, sizeof text, "UPDATE run SET checksum = %lld", (long long)checksum);
        exec(store, text);
        ws_store_close(store);
        char *const frame = frame_text(a, WS_PER_LAUNCH);
        sqlite3 *db;
        sqlite3_stmt *view;
        assert_int_equal(sqlite3_open(a, &db), SQLITE_OK);
        sqlite3_prepare_v2(db, "SELECT group_concat('DROP VIEW ' || name, '; ') FROM sqlite_master WHERE type = 'view'",
                           -1, &view, NULL);
        assert_int_equal(sqlite3_step(view), SQLITE_ROW);
        assert_int_equal(sqlite3_exec(db, (const char *)sqlite3_column_text(view, 0), NULL, NULL, NULL), SQLITE_OK);
        sqlite3_finalize(view);
        sqlite3_close(db);
        sql_at(a, downs[i]);
        copy(a, at("a.copy"));
        assert_int_equal(merge_two(a, b, at("c.db")).runs, 2);
        assert_true(same_bytes(a, at("a.copy")));
        merge(&a, 1, at("d.db"));
        char *const again = frame_text(at("d.db"), WS_PER_LAUNCH);
        assert_string_equal(frame, again);
        assert_int_equal(ask(at("d.db"), "SELECT count(*) FROM kept_kernel_metrics"), 2);
        free(frame);
        free(again);
        remove_place(NULL);
        assert_int_equal(mkdir(directory, 0700), 0);
    }
}

/* ------------------------------------------------------------------------------------------------ duplicates,
 * conflicts */

static void runs_with_the_same_numbers_are_kept_once(void **state)
{
    (void)state;
    const char *const a = make_one("a.db", "A", "/home/x/app 5", 3, 4);
    const char *const b = make_one("b.db", "A", "/home/y/app 5", 3, 4);
    const ws_store_merged m = merge_two(a, b, at("c.db"));
    assert_true(m.runs == 1 && m.duplicates == 1 && m.launches == 3 && !m.conflicts);
    merge_two(b, a, at("d.db"));
    assert_true(same_bytes(at("c.db"), at("d.db")));
    assert_int_equal(merge_two(at("c.db"), at("d.db"), at("e.db")).duplicates, 1);
    assert_true(same_bytes(at("c.db"), at("e.db")));
}

static void other_numbers_of_the_same_command_are_a_conflict(void **state)
{
    (void)state;
    const char *const a = make_one("a.db", "A", "app", 3, 4), *const b = make_one("b.db", "A", "app", 3, 5);
    expect_refused(a, b, at("c.db"), WS_EINPUT, "launch 1 (`even`)");
    assert_non_null(strstr(told, "warp_instructions is "));
    expect_refused(b, a, at("c.db"), WS_EINPUT, "--prefer");
    assert_int_equal(count_files("c.db"), 0);
    static const struct {
        ws_store_prefer prefer;
        int64_t first; /* instructions of the first launch */
    } cases[] = {{WS_STORE_PREFER_FIRST, 4}, {WS_STORE_PREFER_LAST, 5}};
    for (size_t i = 0; i < 2; i++) {
        ws_store_merged m;
        const char *const to = numbered("c", i);
        assert_int_equal(merge_by(cases[i].prefer, (const char *const[]){a, b}, 2, to, &m), WS_OK);
        assert_true(m.runs == 1 && m.conflicts == 1 && m.left_out == 1);
        assert_int_equal(ask(to, "SELECT min(warp_instructions) FROM launch"), cases[i].first);
    }
}

static void a_counter_that_differs_is_named(void **state)
{
    (void)state;
    const char *const a = make_one("a.db", "A", "app", 2, 4), *const b = at("b.db");
    ws_store *const store = open_at(b);
    const int64_t run = begin_as(store, "A", "tiny", "app", false);
    assert_int_equal(add(store, run, "even", 0, 4), WS_OK);
    assert_int_equal(add(store, run, "odd", 1, 5), WS_OK);
    assert_int_equal(ws_store_add_copy(store, run, 0, 4096), WS_OK);
    assert_int_equal(ws_store_finish(store, run, "done", 1), WS_OK);
    ws_store_close(store);
    expect_refused(a, b, at("c.db"), WS_EINPUT, "launch 2 (`odd`)");
    assert_non_null(strstr(told, " is 0 and 4096"));
    copy(a, b);
    exec_and_seal(b, "UPDATE launch SET checksum = NULL, h2d = 5 WHERE id = 1");
    expect_refused(a, b, at("c.db"), WS_EINPUT, "launch 1 (`even`): h2d_bytes is 100 and 5");
}

/* Which launches were measured, and for how many each stands, says nothing of what they did. */
static void other_samples_are_no_conflict(void **state)
{
    (void)state;
    const char *const a = make_one("a.db", "A", "app", 3, 4), *const b = make_one("b.db", "A", "app", 3, 4);
    exec_and_seal(a, "UPDATE launch SET checksum = NULL, stratum = 1, slice = sequence");
    exec_and_seal(b, "UPDATE launch SET checksum = NULL, stratum = 2, slice = 0, weight = 1.5");
    exec_and_seal(b, "UPDATE launch SET measured = 0 WHERE id = 2");
    exec_and_seal(b, "DELETE FROM counter WHERE launch = 2");
    assert_int_equal(merge_two(a, b, at("c.db")).runs, 2);
}

/* A file that has both says which came first. */
static void earlier_runs_of_a_file_are_no_conflict(void **state)
{
    (void)state;
    const char *const a = make_one("a.db", "A", "app", 3, 4), *const b = at("b.db");
    copy(a, b);
    ws_store *const store = open_at(b);
    add_run(store, "A", "tiny", "app", 2, 9);
    ws_store_close(store);
    const ws_store_merged m = merge_two(a, b, at("c.db"));
    assert_true(m.runs == 2 && m.duplicates == 1 && !m.conflicts);
    char *const x = frame_text(b, WS_PER_LAUNCH), *const y = frame_text(at("c.db"), WS_PER_LAUNCH);
    assert_string_equal(x, y);
    free(x);
    free(y);
}

/* A run that was killed has a part of what the whole has. */
static void a_part_of_a_run_is_no_conflict(void **state)
{
    (void)state;
    const char *const a = make_one("a.db", "A", "app", 3, 4), *const b = at("b.db");
    ws_store *store = open_at(b);
    const int64_t run = begin_as(store, "A", "tiny", "app", true);
    assert_int_equal(add(store, run, "even", 0, 4), WS_OK);
    begin_as(store, "B", "tiny", "app", false); /* of no use */
    ws_store_close(store);
    for (int turn = 0; turn < 2; turn++) {
        const ws_store_merged m = turn ? merge_two(b, a, at("d.db")) : merge_two(a, b, at("c.db"));
        assert_true(m.runs == 2 && m.launches == 4 && m.unfinished == 1 && !m.conflicts);
    }
    assert_true(same_bytes(at("c.db"), at("d.db")));
    assert_int_equal(ask(at("c.db"), "SELECT count(*) FROM run WHERE status = 'not finished' AND seconds = 0"), 1);
    char *const x = frame_text(a, WS_PER_LAUNCH), *const y = frame_text(at("c.db"), WS_PER_LAUNCH);
    assert_string_equal(x, y);
    free(x);
    free(y);
    store = open_at(b);
    assert_int_equal(add(store, run, "odd", 1, 77), WS_OK);
    ws_store_close(store);
    expect_refused(a, b, at("e.db"), WS_EINPUT, "launch 2 (`odd`)");
}

/* Two parts that agree with the whole, and not with each other behind its end. */
static void parts_are_compared_with_each_other(void **state)
{
    (void)state;
    const char *const path[] = {at("a.db"), at("b.db"), make_one("c.db", "A", "app", 1, 4)};
    for (unsigned i = 0; i < 2; i++) {
        ws_store *const store = open_at(path[i]);
        const int64_t run = begin_as(store, "A", "tiny", "app", true);
        assert_int_equal(add(store, run, "even", 0, 4), WS_OK);
        assert_int_equal(add(store, run, "odd", 1, 5 + i), WS_OK);
        ws_store_close(store);
    }
    ws_store_merged m;
    assert_int_equal(merge_by(WS_STORE_PREFER_NONE, path, 3, at("d.db"), &m), WS_EINPUT);
    assert_true(m.conflicts == 1 && strstr(told, "launch 2 (`odd`): warp_instructions is 5 and 6"));
    assert_int_equal(merge_by(WS_STORE_PREFER_LAST, path, 3, at("d.db"), &m), WS_OK);
    assert_true(m.runs == 1 && m.left_out == 2);
}

/* Frames show the whole run, also when one that ended early has more launches. */
static void a_run_that_ended_early_stands_before_whole_ones(void **state)
{
    (void)state;
    const char *const whole = make_one("a.db", "A", "app 2", 2, 4), *const part = at("b.db");
    for (unsigned turn = 0; turn < 2; turn++) {
        ws_store *const store = open_at(part);
        const int64_t run = begin_as(store, "A", "tiny", "app 5", true);
        for (unsigned i = 0; i < 4; i++)
            assert_int_equal(add(store, run, "k", i, 4), WS_OK);
        if (turn)
            assert_int_equal(ws_store_finish(store, run, "exit status 1", 1), WS_OK);
        ws_store_close(store);
        const char *const to = numbered("c", turn);
        assert_int_equal(merge_two(whole, part, to).runs, 2);
        char *const x = frame_text(whole, WS_PER_LAUNCH), *const y = frame_text(to, WS_PER_LAUNCH);
        assert_string_equal(x, y);
        free(x);
        free(y);
        unlink(part);
    }
}

static void files_that_disagree_about_the_order_do_not_matter(void **state)
{
    (void)state;
    const char *const path[] = {at("a.db"), at("b.db"), at("c.db")};
    for (size_t i = 0; i < 2; i++) {
        ws_store *const store = open_at(path[i]);
        for (size_t r = 0; r < 3; r++) {
            const unsigned n = (unsigned)(i ? 3 - r : r + 1);
            add_run(store, "A", "tiny", n == 1 ? "one" : n == 2 ? "two" : "three", n, 1);
        }
        ws_store_close(store);
    }
    const char *const again[] = {path[1], path[0]};
    assert_int_equal(merge(path, 2, path[2]).runs, 3);
    assert_non_null(strstr(told, "(`warpscape runs` lists all): 1\n"));
    merge(again, 2, at("d.db"));
    assert_true(same_bytes(path[2], at("d.db")));
    assert_int_equal(ask(path[2], "SELECT count(*) FROM launch WHERE run = 3"), 3);
}

static void other_versions_are_told(void **state)
{
    (void)state;
    const char *const path[] = {make_one("a.db", "A", "app", 2, 4), make_one("b.db", "B", "app", 2, 4),
                                make_one("c.db", "C", "app", 2, 4)};
    exec_and_seal(path[1], "UPDATE run SET version = '0.0.1'");
    exec_and_seal(path[1], "UPDATE family SET signature = '0' WHERE id = 1");
    exec_and_seal(path[2], "UPDATE run SET version = ''");
    assert_int_equal(merge(path, 3, at("d.db")).runs, 3);
    assert_non_null(strstr(told, "versions of warpscape that made the runs: " WS_VERSION ", 0.0.1, unknown\n"));
    assert_non_null(strstr(told, "runs with counters of another layout, which have no metrics in this version: 1\n"));
}

/* ------------------------------------------------------------------------------------------------ refusals */

static void what_cannot_be_merged_is_named(void **state)
{
    (void)state;
    const char *const a = make_one("a.db", "A", "app", 2, 4), *const b = at("b.db"), *const c = at("c.db");
    expect_refused(a, b, c, WS_ENOTFOUND, "b.db: cannot read it: No such file");
    write_bytes(b, "", 0);
    expect_refused(a, b, c, WS_EINPUT, "b.db: the file is empty");
    write_bytes(b, "workload,cycles\nA,5\n", 20);
    expect_refused(a, b, c, WS_EINPUT, "b.db: not a results file");
    unlink(b);
    sql_at(b, "CREATE TABLE t(x)");
    expect_refused(a, b, c, WS_EINPUT, "b.db: a database, but not a results file");
    copy(a, b);
    sql_at(b, "PRAGMA user_version=99");
    expect_refused(a, b, c, WS_EVERSION, "b.db: written by another version");
    copy(a, b);
    sql_at(b, "CREATE TRIGGER t AFTER INSERT ON run BEGIN DELETE FROM run; END");
    expect_refused(a, b, c, WS_EINPUT, "b.db: has a trigger 't'");
    copy(a, b);
    sql_at(b, "UPDATE counter SET data = zeroblob(length(data)) WHERE id = 3; UPDATE run SET seed = 9");
    expect_refused(a, b, c, WS_EINPUT, "b.db: the results file is damaged");
    copy(a, b);
    sql_at(b, "UPDATE launch SET grid_x = 9");
    expect_refused(a, b, c, WS_EINPUT, "b.db: the results file is damaged");
    unlink(b);
    assert_int_equal(mkfifo(b, 0600), 0);
    expect_refused(a, b, c, WS_EINPUT, "b.db: a results file is a file, not a pipe");
    unlink(b);
    expect_refused(a, directory, c, WS_EIO, directory);
    ws_store_close(open_at(b));
    assert_int_equal(merge_two(a, b, c).runs, 1);
    unlink(c);
    expect_refused(b, b, c, WS_ENOTFOUND, "b.db and the other files: no run to merge; nothing was written");
    ws_store_merged out;
    assert_int_equal(merge_by(WS_STORE_PREFER_NONE, &b, 1, c, &out), WS_ENOTFOUND);
    assert_non_null(strstr(ws_message(), "b.db: no run to merge"));
    assert_int_equal(count_files("c.db"), 0);
}

static void the_result_is_a_new_file(void **state)
{
    (void)state;
    const char *const a = make_one("a.db", "A", "app", 2, 4), *const b = make_one("b.db", "B", "app", 2, 4);
    copy(b, at("b.copy"));
    expect_refused(a, b, b, WS_EINPUT, "b.db: exists already");
    assert_true(same_bytes(b, at("b.copy")));
    write_bytes(at("c.db-wal"), "x", 1);
    expect_refused(a, b, at("c.db"), WS_EINPUT, "c.db-wal: in use, or left behind");
    unlink(at("c.db-wal"));
    expect_refused(a, b, at("none/c.db"), WS_EIO, "none/c.db");
    expect_refused(a, b, "/dev/null", WS_EINPUT, "/dev/null");
    ws_store_merged m;
    const ws_store_merge how = {.replace = true};
    assert_int_equal(ws_store_merge_files(&a, 1, b, &how, &m), WS_OK);
    assert_int_equal(ask(b, "SELECT workload = 'A' FROM run"), 1);
    write_bytes(b, "text", 4);
    assert_int_equal(ws_store_merge_files(&a, 1, b, &how, &m), WS_EINPUT); /* somebody's other file */
}

static void begin_and_wait(int ready)
{
    ws_store *const store = open_store();
    const int64_t id = begin_as(store, "KILLED", "", "app", true);
    if (add(store, id, "k", 0, 1) != WS_OK || write(ready, "", 1) != 1)
        _exit(3);
    for (;;)
        pause();
}

/* What a killed process left in the log counts, and the log stays what it is; while it lives, its run does not. */
static void a_log_is_read_where_it_is(void **state)
{
    (void)state;
    int ready[2], how;
    char byte;
    const char *const a = make_one("a.db", "A", "app", 2, 4);
    assert_int_equal(pipe(ready), 0);
    const pid_t child = fork();
    if (child == 0)
        begin_and_wait(ready[1]);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    ws_store_merged m = merge_two(a, file, at("c.db"));
    assert_true(m.runs == 1 && m.unfinished == 1 && strstr(told, "KILLED, which is in progress"));
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, &how, 0), child);
    copy(at("results.db-wal"), at("log.copy"));
    copy(file, at("file.copy"));
    assert_int_equal(mkdir(at("links"), 0700), 0);
    assert_int_equal(symlink("../results.db", at("links/link.db")), 0);
    m = merge_two(a, at("links/link.db"), at("d.db"));
    unlink(at("links/link.db"));
    rmdir(at("links"));
    assert_true(m.runs == 2 && m.unfinished == 0);
    assert_true(same_bytes(file, at("file.copy")) && same_bytes(at("results.db-wal"), at("log.copy")));
    close(ready[0]);
    close(ready[1]);
}

/* In the middle of the merge. */
static void change_and_note(void *user, const char *line)
{
    note(NULL, line);
    sql_at(user, "PRAGMA journal_mode=DELETE; UPDATE run SET scale = 'huge'");
}

static void an_input_that_changes_is_named(void **state)
{
    (void)state;
    const char *const path[] = {make_one("a.db", "A", "x", 2, 1), make_one("b.db", "A", "y", 2, 1 + 1)};
    char *const b = strdup(path[1]);
    const ws_store_merge how = {.tell = change_and_note, .user = b}; /* told that A has two runs */
    ws_store_merged out;
    assert_int_equal(ws_store_merge_files(path, 2, at("c.db"), &how, &out), WS_EBUSY);
    assert_non_null(strstr(ws_message(), "b.db: it was changed while it was read"));
    assert_int_equal(count_files("c.db"), 0);
    free(b);
}

/* An input that is closed meanwhile: others have its place. */
static void replace_and_note(void *user, const char *line)
{
    note(NULL, line);
    copy(at("other.db"), user);
}

static void an_input_that_was_replaced_is_named(void **state)
{
    (void)state;
    enum { FILES = 66 };
    const char *path[FILES];
    char *const first = strdup(make_one("0.db", "A", "x", 1, 1));
    make_one("other.db", "A", "x", 1, 3);
    make_one("last.db", "A", "y", 1, 2);
    for (unsigned i = 0; i < FILES; i++) {
        path[i] = i ? numbered("", i) : first;
        if (i)
            assert_int_equal(link(at("last.db"), path[i]), 0);
    }
    const ws_store_merge how = {.tell = replace_and_note, .user = first}; /* told that A has two runs */
    ws_store_merged out;
    assert_int_equal(ws_store_merge_files(path, FILES, at("c.db"), &how, &out), WS_EBUSY);
    assert_non_null(strstr(ws_message(), "0.db: run 1 was changed or removed while it was read"));
    assert_int_equal(count_files("c.db"), 0);
    free(first);
}

static void a_flipped_bit_is_found_or_changes_nothing(void **state)
{
    (void)state;
    const char *const a = make_one("a.db", "A", "app", 3, 4), *const b = make_one("b.db", "B", "app", 20, 4);
    ws_store *const input = open_at(b);
    exec(input, "DELETE FROM kept_metric"); /* the dictionary for SQL, most of the file */
    exec(input, "VACUUM");
    ws_store_close(input);
    merge_two(a, b, at("c.db"));
    char *const good = frame_text(at("c.db"), WS_PER_LAUNCH);
    size_t size;
    char *const bytes = read_bytes(b, &size);
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    unsigned found = 0;
    for (unsigned round = 0; round < rounds_of(90); round++) {
        const size_t place = gsl_rng_uniform_int(rng, size);
        const char before = bytes[place];
        bytes[place] = (char)(before ^ 1 << gsl_rng_uniform_int(rng, 8));
        write_bytes(b, bytes, size);
        bytes[place] = before;
        ws_store_merged m;
        const int status = merge_by(WS_STORE_PREFER_NONE, (const char *const[]){a, b}, 2, at("d.db"), &m);
        if (status != WS_OK) {
            assert_non_null(strstr(ws_message(), "b.db"));
            found++;
            continue;
        }
        ws_store *store;
        ws_frame *f;
        assert_int_equal(ws_store_open(at("d.db"), false, &store), WS_OK);
        if (ws_store_frame(store, WS_PER_LAUNCH, "all", true, &f) == WS_OK) {
            ws_frame_destroy(f);
            char *const now = frame_text(at("d.db"), WS_PER_LAUNCH);
            assert_string_equal(now, good);
            free(now);
        } else {
            found++;
        }
        ws_store_close(store);
        unlink(at("d.db"));
    }
    assert_true(found > rounds_of(90) / 10); /* much of so small a file is empty, or a copy for SQL */
    gsl_rng_free(rng);
    free(bytes);
    free(good);
}

/* ------------------------------------------------------------------------------------------------ ends */

/* In a process of its own: one that has seen a folder without temporary files looks no more. */
static void merge_to_c(int ready)
{
    const char *const path[] = {at("a.db"), at("b.db")};
    const ws_store_merge how = {.prefer = WS_STORE_PREFER_NONE};
    ws_store_merged out;
    if ((ready && write(ready, "", 1) != 1) || ws_store_merge_files(path, 2, at("c.db"), &how, &out) != WS_OK)
        _exit(1);
}

/* Whether the merge had ended before it was killed. */
static bool kill_after(useconds_t delay)
{
    int ready[2], how;
    char byte;
    assert_int_equal(pipe(ready), 0);
    const pid_t child = fork();
    if (child == 0) {
        merge_to_c(ready[1]);
        _exit(0);
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    usleep(delay);
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, &how, 0), child);
    close(ready[0]);
    close(ready[1]);
    return WIFEXITED(how);
}

static void a_killed_merge_leaves_all_or_nothing(void **state)
{
    (void)state;
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    make_one("a.db", "A", "app", 10, 4);
    make_one("b.db", "B", "app", 10, 4);
    assert_int_equal(in_child(merge_to_c, 0), 0);
    assert_int_equal(rename(at("c.db"), at("good.db")), 0);
    unsigned killed = 0;
    useconds_t most = 1000;
    for (unsigned round = 0; round < 16; round++) {
        const bool ended = kill_after((useconds_t)gsl_rng_uniform_int(rng, most));
        most = ended ? most / 2 + 100 : most * 2; /* about as long as a merge takes here */
        killed += !ended;
        assert_int_equal(count_files("-wal") + count_files("-shm") + count_files("-journal"), 0);
        if (access(at("c.db"), F_OK) == 0)
            assert_true(same_bytes(at("c.db"), at("good.db")));
        unlink(at("c.db"));
    }
    assert_true(killed > 0);
    assert_int_equal(in_child(merge_to_c, 0), 0); /* removes what the others left */
    assert_int_equal(count_files("c.db"), 1);
    gsl_rng_free(rng);
}

static void merge_with_little_room(int kib)
{
    const rlim_t bytes = (rlim_t)kib * 1024;
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){bytes, bytes});
    const ws_store_merge how = {.prefer = WS_STORE_PREFER_NONE};
    ws_store_merged out;
    const char *const path[] = {at("a.db"), at("b.db")};
    const int status = ws_store_merge_files(path, 2, at("c.db"), &how, &out);
    _exit(status == WS_EIO && strstr(ws_message(), "c.db: ") && !strstr(ws_message(), ".tmp") ? 0 : 1);
}

static void a_full_disk_is_told_and_leaves_nothing(void **state)
{
    (void)state;
    make_one("a.db", "A", "app", 10, 4);
    make_one("b.db", "B", "app", 10, 4);
    for (int kib = 0; kib <= 256; kib += 64) {
        const int how = in_child(merge_with_little_room, kib);
        assert_true(WIFEXITED(how));
        assert_int_equal(WEXITSTATUS(how), 0);
        assert_int_equal(count_files("c.db"), 0);
    }
}

static void merge_interrupted(int unused)
{
    (void)unused;
    ws_interrupts_begin();
    ws_interrupts_catch();
    raise(SIGINT);
    const ws_store_merge how = {.prefer = WS_STORE_PREFER_NONE};
    ws_store_merged out;
    const char *const path[] = {at("a.db"), at("b.db")};
    _exit(ws_store_merge_files(path, 2, at("c.db"), &how, &out) == WS_EINTERRUPTED ? 0 : 1);
}

static void an_interrupted_merge_leaves_nothing(void **state)
{
    (void)state;
    make_one("a.db", "A", "app", 2, 4);
    make_one("b.db", "B", "app", 2, 4);
    const int how = in_child(merge_interrupted, 0);
    assert_true(WIFEXITED(how) && WEXITSTATUS(how) == 0);
    assert_int_equal(count_files("c.db"), 0);
}

/* More files than are open at once; the first and the last ones have runs of their own, others are copies. */
static void many_files_are_merged(void **state)
{
    (void)state;
    enum { FILES = 70, AT_END = 2, OWN = 2 * AT_END };
    const char *path[FILES];
    size_t size = 0;
    char *copied = NULL;
    for (unsigned i = 0; i < FILES; i++) {
        char name[16];
        snprintf(name, sizeof name, "%u.db", i);
        if (i < AT_END || i >= FILES - AT_END) {
            path[i] = make_one(name, (const char[]){(char)('A' + (i * 3 + i / AT_END) % OWN), '\0'}, "app", 1, 1 + i);
        } else {
            if (!copied)
                copied = read_bytes(path[0], &size);
            path[i] = at(name);
            write_bytes(path[i], copied, size);
        }
    }
    free(copied);
    const ws_store_merged merged = merge(path, FILES, at("all.db"));
    assert_int_equal(merged.runs, OWN);
    assert_int_equal(merged.duplicates, FILES - OWN);
    assert_int_equal(ask(at("all.db"), "SELECT count(*) FROM workload_metrics"), OWN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_place, forget_place)
        TEST(parts_in_any_order_make_the_whole),
        TEST(inputs_are_only_read),
        TEST(names_are_those_of_files),
        TEST(a_folder_that_cannot_be_written_is_read),
        TEST(formats_of_before_are_brought_up_in_a_copy),
        TEST(runs_with_the_same_numbers_are_kept_once),
        TEST(other_numbers_of_the_same_command_are_a_conflict),
        TEST(a_counter_that_differs_is_named),
        TEST(other_samples_are_no_conflict),
        TEST(earlier_runs_of_a_file_are_no_conflict),
        TEST(a_part_of_a_run_is_no_conflict),
        TEST(parts_are_compared_with_each_other),
        TEST(a_run_that_ended_early_stands_before_whole_ones),
        TEST(files_that_disagree_about_the_order_do_not_matter),
        TEST(other_versions_are_told),
        TEST(what_cannot_be_merged_is_named),
        TEST(the_result_is_a_new_file),
        TEST(a_log_is_read_where_it_is),
        TEST(an_input_that_changes_is_named),
        TEST(an_input_that_was_replaced_is_named),
        TEST(a_flipped_bit_is_found_or_changes_nothing),
        TEST(a_killed_merge_leaves_all_or_nothing),
        TEST(a_full_disk_is_told_and_leaves_nothing),
        TEST(an_interrupted_merge_leaves_nothing),
        TEST(many_files_are_merged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
