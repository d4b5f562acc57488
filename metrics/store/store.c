/* store.c - is this our results file, can we use it, and what went wrong if not?
 *
 * SQLite with a write-ahead log: a transaction costs microseconds, so every launch has its own; readers and writers do
 * not wait for each other; what a killed writer leaves in the log is taken over by the next one who opens the file. The
 * last one to close the file folds the log into it. Where the log cannot be made (a read-only directory), a file
 * without one is read as it stands. */
#include "metrics/store/store_internal.h"

#include "base/clock.h"
#include "base/output.h"
#include "base/status.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    FORMAT = 7,       /* raise when the tables below change, or what they mean */
    FORMAT_SAME = 4,  /* the first that can be read as it is: with at most one finished run of a workload, without
                         checksums of launches */
    FORMAT_FIRST = 2, /* the first of those that are brought up when they are opened */
    APPLICATION = 0x57534350, /* "WSCP", in the file's header: tells ours from other databases */
    LONGEST_PATH = 500,       /* SQLite takes 512, with what it adds for the log */
    PAUSE_MS = 5,             /* between two tries */
    BUSY_MS = 60 * 1000       /* how long to wait for another process */
};

static const char schema[] =
    "CREATE TABLE run("
    " id INTEGER PRIMARY KEY AUTOINCREMENT, workload TEXT NOT NULL, scale TEXT NOT NULL, seed TEXT NOT NULL,"
    " command TEXT NOT NULL, version TEXT NOT NULL, owner TEXT NOT NULL,"
    " status TEXT, seconds REAL, checksum INTEGER," /* NULL until the run is finished */
    " partial INTEGER NOT NULL DEFAULT 0, selection TEXT, sampling TEXT);"
    "CREATE TABLE launch("
    " id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE, sequence INTEGER NOT NULL,"
    " kernel TEXT NOT NULL, grid_x INTEGER, grid_y INTEGER, grid_z INTEGER, block_x INTEGER, block_y INTEGER,"
    " block_z INTEGER, registers INTEGER, shared_bytes INTEGER, local_bytes INTEGER, const_bytes INTEGER,"
    " warp_instructions INTEGER, thread_instructions INTEGER, seconds REAL,"
    " title TEXT, dynamic_shared INTEGER, h2d INTEGER, d2h INTEGER, d2d INTEGER, filled INTEGER, process INTEGER,"
    " measured INTEGER NOT NULL DEFAULT 1, weight REAL NOT NULL DEFAULT 1, stratum INTEGER, slice INTEGER,"
    " parent INTEGER, checksum INTEGER);" /* NULL in launches of older formats */
    "CREATE INDEX launch_run ON launch(run);"
    "CREATE TABLE family("
    " id INTEGER PRIMARY KEY, name TEXT NOT NULL, counters INTEGER NOT NULL, signature TEXT NOT NULL,"
    " UNIQUE(name, counters, signature));"
    "CREATE TABLE counter("
    " id INTEGER PRIMARY KEY, launch INTEGER NOT NULL REFERENCES launch(id) ON DELETE CASCADE,"
    " family INTEGER NOT NULL REFERENCES family(id), checksum INTEGER NOT NULL, data BLOB NOT NULL,"
    " UNIQUE(launch, family));"
    "CREATE TABLE bound("
    " run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE, name TEXT NOT NULL, half REAL, UNIQUE(run, name));";

/* What is new in each format since the one before, in the order of the tables above. */
static const char *const bring_up[] = {
    "ALTER TABLE run ADD COLUMN partial INTEGER NOT NULL DEFAULT 0; ALTER TABLE run ADD COLUMN selection TEXT;"
    "ALTER TABLE run ADD COLUMN sampling TEXT;"
    "ALTER TABLE launch ADD COLUMN title TEXT; ALTER TABLE launch ADD COLUMN dynamic_shared INTEGER;"
    "ALTER TABLE launch ADD COLUMN h2d INTEGER; ALTER TABLE launch ADD COLUMN d2h INTEGER;"
    "ALTER TABLE launch ADD COLUMN d2d INTEGER; ALTER TABLE launch ADD COLUMN filled INTEGER;"
    "ALTER TABLE launch ADD COLUMN process INTEGER; ALTER TABLE launch ADD COLUMN measured INTEGER NOT NULL DEFAULT 1;"
    "ALTER TABLE launch ADD COLUMN weight REAL NOT NULL DEFAULT 1; ALTER TABLE launch ADD COLUMN stratum INTEGER;"
    "ALTER TABLE launch ADD COLUMN slice INTEGER;"
    "CREATE TABLE bound("
    " run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE, name TEXT NOT NULL, half REAL, UNIQUE(run, name));",
    "ALTER TABLE launch ADD COLUMN parent INTEGER;", "", "ALTER TABLE launch ADD COLUMN checksum INTEGER;",
    "" /* counters that are packed */};
_Static_assert(sizeof bring_up / sizeof *bring_up == FORMAT - FORMAT_FIRST, "a script from each format to the next");

static int fail_io(const ws_store *store, const char *what)
{
    const int reason = sqlite3_system_errno(store->db);
    struct rlimit size;
    const bool limited = !reason && !getrlimit(RLIMIT_FSIZE, &size) && size.rlim_cur != RLIM_INFINITY;
    return ws_fail(WS_EIO, "%s: %s%s%s", store->path, what, reason || limited ? ": " : "",
                   reason    ? strerror(reason)
                   : limited ? "there is a limit on the size of files (ulimit -f)"
                             : "");
}

/* The directory of the file, to be freed; NULL when memory is out. */
static char *folder_of(const ws_store *store)
{
    const char *const slash = strrchr(store->path, '/');
    return slash ? strndup(store->path, (size_t)(slash - store->path) + 1) : strdup(".");
}

/* SQLite tells why its last try failed, which was to read a file that it may not make: ask the directory instead. */
static int fail_open(const ws_store *store)
{
    int reason = sqlite3_system_errno(store->db);
    if (strlen(store->path) > LONGEST_PATH)
        return ws_fail(WS_EIO, "%s: the path of a results file may have %d bytes; name one that is shorter",
                       store->path, LONGEST_PATH);
    char *const folder = folder_of(store);
    if (reason == ENOENT && folder && access(folder, W_OK | X_OK) != 0)
        reason = errno;
    free(folder);
    return ws_fail(WS_EIO, "%s: cannot open the file or the journal beside it%s%s", store->path, reason ? ": " : "",
                   reason ? strerror(reason) : "");
}

int ws_store_fail(const ws_store *store, int result)
{
    switch (result & 0xff) { /* the extended codes carry the basic one in their low byte */
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return ws_fail(WS_EBUSY, "%s: another process has been writing to it for %d s", store->path, BUSY_MS / 1000);
    case SQLITE_NOTADB:
        return ws_fail(WS_EINPUT, "%s: not a results file of warpscape", store->path);
    case SQLITE_CORRUPT:
        return ws_fail(WS_EINPUT, "%s: the results file is damaged; move it away and run again", store->path);
    case SQLITE_FULL:
        return ws_fail(WS_EIO, "%s: the disk is full", store->path);
    case SQLITE_READONLY:
        return ws_fail(WS_EIO, "%s: the file or its directory cannot be written", store->path);
    case SQLITE_CANTOPEN:
        return fail_open(store);
    case SQLITE_IOERR:
        return fail_io(store, "reading or writing failed");
    case SQLITE_NOMEM:
        return ws_fail(WS_EMEM, "%s: no memory", store->path);
    default:
        return ws_fail(WS_EIO, "%s: %s", store->path, sqlite3_errmsg(store->db));
    }
}

int ws_store_has_table(const ws_store *store, const char *name, bool *found)
{
    sqlite3_stmt *row;
    int status = ws_store_take(store, &row, "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", "t", name);
    if (status == WS_OK)
        status = ws_store_step(store, row, found);
    ws_store_put(store, row);
    return status;
}

int ws_store_begin_reading(const ws_store *store)
{
    int status = ws_store_exec(store, "BEGIN", "");
    if (status != WS_OK)
        return status;
    status = ws_store_check_file(store);
    return status == WS_OK ? WS_OK : ws_store_end(store, status);
}

const char *ws_store_text(sqlite3_stmt *statement, int column)
{
    const unsigned char *const text = sqlite3_column_text(statement, column);
    return text ? (const char *)text : "";
}

/* One integer that a query without parameters gives. */
static int query_number(const ws_store *store, const char *sql, int64_t *number)
{
    sqlite3_stmt *statement;
    bool row = false;
    int status = ws_store_prepare(store, &statement, sql, "");
    if (status != WS_OK)
        return status;
    status = ws_store_step(store, statement, &row);
    *number = status == WS_OK && row ? sqlite3_column_int64(statement, 0) : 0;
    sqlite3_finalize(statement);
    return status;
}

static int run_script(const ws_store *store, const char *sql)
{
    char pragmas[96];
    snprintf(pragmas, sizeof pragmas, "PRAGMA application_id=%d;PRAGMA user_version=%d;", APPLICATION, FORMAT);
    int result = sqlite3_exec(store->db, sql, NULL, NULL, NULL);
    if (result == SQLITE_OK)
        result = sqlite3_exec(store->db, pragmas, NULL, NULL, NULL);
    return result == SQLITE_OK ? WS_OK : ws_store_fail(store, result);
}

static bool is_older(int64_t format)
{
    return format >= FORMAT_FIRST && format < FORMAT;
}

/* Brings a file of an older format up to this one, unless another process did meanwhile. */
static int migrate(const ws_store *store)
{
    int64_t format;
    int status = ws_store_begin_writing(store);
    if (status != WS_OK)
        return status;
    status = query_number(store, "PRAGMA user_version", &format);
    for (int64_t f = format; status == WS_OK && is_older(f); f++)
        status = run_script(store, bring_up[f - FORMAT_FIRST]);
    return ws_store_end(store, status);
}

/* Nothing that stands in the file is run, whoever wrote it (store_schema.c). */
static int distrust(sqlite3 *db)
{
    static const struct {
        int guard, on;
    } guards[] = {{SQLITE_DBCONFIG_DEFENSIVE, 1},
                  {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
                  {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
                  {SQLITE_DBCONFIG_ENABLE_VIEW, 0}};
    int result = SQLITE_OK;
    for (size_t i = 0; i < sizeof guards / sizeof *guards && result == SQLITE_OK; i++)
        result = sqlite3_db_config(db, guards[i].guard, guards[i].on, NULL);
    return result;
}

static void disconnect(ws_store *store)
{
    ws_store_forget(store);
    sqlite3_close(store->db);
    store->db = NULL;
}

/* Replaces the connection by one to a temporary copy, which SQLite deletes when it is closed, and brings that up. */
static int migrate_copy(ws_store *store)
{
    sqlite3 *copy = NULL;
    int result = sqlite3_open_v2("", &copy, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL);
    sqlite3_backup *const backup = copy ? sqlite3_backup_init(copy, "main", store->db, "main") : NULL;
    const int step = result == SQLITE_OK && backup ? sqlite3_backup_step(backup, -1) : SQLITE_DONE;
    if (result == SQLITE_OK)
        result = backup ? sqlite3_backup_finish(backup) : sqlite3_errcode(copy);
    if (result == SQLITE_OK && step != SQLITE_DONE)
        result = step; /* finishing says nothing of a lock that was not given */
    if (result == SQLITE_OK)
        result = distrust(copy);
    if (result != SQLITE_OK) {
        sqlite3_close(copy);
        return ws_fail_context(ws_store_fail(store, result), "cannot copy it to bring the copy up to this version");
    }
    disconnect(store);
    store->db = copy;
    return migrate(store);
}

/* Whether the file is empty, ours and of this format, or something that we must not touch. */
static int check_format(ws_store *store, bool *empty)
{
    int64_t tables, application, format;
    int status = query_number(store, "SELECT count(*) FROM sqlite_master", &tables);
    if (status == WS_OK)
        status = query_number(store, "PRAGMA application_id", &application);
    if (status == WS_OK)
        status = query_number(store, "PRAGMA user_version", &format);
    if (status != WS_OK)
        return status;
    *empty = tables == 0;
    if (*empty)
        return WS_OK;
    if (application != APPLICATION)
        return ws_fail(WS_EINPUT, "%s: a database, but not a results file of warpscape", store->path);
    if (format < FORMAT_FIRST || format > FORMAT)
        return ws_fail(WS_EVERSION,
                       "%s: written by another version of warpscape (results format %lld, this one has %d): use that "
                       "version, or another file",
                       store->path, (long long)format, FORMAT);
    status = ws_store_check_schema(store);
    if (status != WS_OK || !is_older(format))
        return status;
    if (sqlite3_db_readonly(store->db, "main") == 0)
        return migrate(store);
    if (store->input)
        return migrate_copy(store);
    if (format < FORMAT_SAME)
        return ws_fail(WS_EVERSION,
                       "%s: written by an older version of warpscape: open it once where it can be written, "
                       "which brings it up",
                       store->path);
    return WS_OK;
}

/* Makes the tables unless another process did meanwhile. */
static int initialize(ws_store *store)
{
    int status = ws_store_begin_writing(store);
    if (status != WS_OK)
        return status;
    bool empty;
    status = check_format(store, &empty);
    if (status == WS_OK && empty)
        status = run_script(store, schema);
    return ws_store_end(store, status);
}

/* Opens a file as a URI: SQLite would take names such as `:memory:' and `file:x' for other things than files, and what
 * lies between // and / for a host. `frozen': nobody changes it. */
static int open_uri(ws_store *store, const char *path, bool frozen, int flags, const char *vfs)
{
    char *uri = NULL;
    size_t length;
    FILE *const out = open_memstream(&uri, &length);
    if (!out)
        return SQLITE_NOMEM;
    fputs(*path == '/' ? "file://" : "file:./", out);
    for (; *path; path++)
        fprintf(out, strchr("%?#", *path) ? "%%%02X" : "%c", (unsigned char)*path);
    fputs(frozen ? "?immutable=1" : "", out);
    const int result = fclose(out) ? SQLITE_NOMEM : sqlite3_open_v2(uri, &store->db, flags | SQLITE_OPEN_URI, vfs);
    free(uri);
    return result;
}

static int connect(ws_store *store, int flags, bool frozen)
{
    disconnect(store);
    int result = open_uri(store, store->path, frozen, flags | SQLITE_OPEN_NOMUTEX, NULL);
    if (result == SQLITE_OK)
        result = distrust(store->db);
    if (result != SQLITE_OK)
        return store->db ? ws_store_fail(store, result) : ws_fail(WS_EMEM, "%s: no memory", store->path);
    sqlite3_extended_result_codes(store->db, 1);
    sqlite3_busy_timeout(store->db, BUSY_MS);
    return WS_OK;
}

/* Whether the file, which may be a link to it, has a companion of that name with something in it. */
static bool has_companion(const ws_store *store, const char *suffix)
{
    char *const real = realpath(store->path, NULL), *path = NULL;
    struct stat about;
    const bool named = asprintf(&path, "%s%s", real ? real : store->path, suffix) >= 0;
    const bool found = !named || (stat(path, &about) == 0 && about.st_size > 0);
    free(named ? path : NULL);
    free(real);
    return found;
}

/* Opens to read and write; or only to read, where nothing can be made beside the file. */
static int open_existing(ws_store *store, bool *empty)
{
    if (access(store->path, F_OK) != 0)
        return ws_fail(WS_ENOTFOUND, "%s: no results file there (`warpscape run`, `suite run` and `exec` make one)",
                       store->path);
    int status = connect(store, SQLITE_OPEN_READWRITE, false);
    if (status == WS_OK)
        status = check_format(store, empty);
    if (status == WS_EIO && !has_companion(store, "-wal")) {
        status = connect(store, SQLITE_OPEN_READONLY, true);
        if (status == WS_OK)
            status = check_format(store, empty);
    }
    if (status == WS_OK && *empty)
        status = ws_fail(WS_EINPUT, "%s: the file is empty; it holds no results", store->path);
    return status;
}

/* Waits a moment for another process; false once it has been BUSY_MS since `begin`. */
static bool pause_since(const struct timespec *begin)
{
    if (ws_clock_seconds_since(begin) * 1000 >= BUSY_MS)
        return false;
    usleep(PAUSE_MS * 1000);
    return true;
}

/* Turns the write-ahead log on. Only one process can, alone, and SQLite waits for the others in some of
 * the cases only. */
static int use_log(const ws_store *store)
{
    const struct timespec begin = ws_clock_now();
    int result;
    do
        result = sqlite3_exec(store->db, "PRAGMA journal_mode=WAL", NULL, NULL, NULL);
    while ((result & 0xff) == SQLITE_BUSY && pause_since(&begin));
    return result == SQLITE_OK ? WS_OK : ws_store_fail(store, result);
}

/* A file without a page yet is one that SQLite's processes can pull from under each other: who finds a log beside it
 * takes it for a stray one and deletes it. So files are made one at a time in a directory. A lock on the file itself
 * would not do: SQLite's own locks end when any descriptor of the file is closed. Where directories cannot be locked
 * (some network file systems) there is none: -1, as when it stays taken. */
static int lock_folder(const ws_store *store)
{
    char *const folder = folder_of(store);
    const int lock = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    free(folder);
    if (lock < 0)
        return -1;
    const struct timespec begin = ws_clock_now();
    while (flock(lock, LOCK_EX | LOCK_NB) != 0)
        if ((errno != EWOULDBLOCK && errno != EINTR) || !pause_since(&begin)) {
            close(lock);
            return -1;
        }
    return lock;
}

/* SQLite gives the files beside the results file its mode when it makes them; those that are there may have been made
 * before. */
static int make_private(const ws_store *store)
{
    static const char *const beside[] = {"-wal", "-shm", "-journal"};
    int status = ws_output_prepare(store->path);
    for (size_t i = 0; i < sizeof beside / sizeof *beside && status == WS_OK; i++) {
        char *path;
        if (asprintf(&path, "%s%s", store->path, beside[i]) < 0)
            return ws_fail(WS_EMEM, "%s: no memory", store->path);
        if (access(path, F_OK) == 0)
            status = ws_output_prepare(path);
        free(path);
    }
    return status;
}

static int make(ws_store *store, bool *empty)
{
    int status = ws_output_is_private() ? make_private(store) : WS_OK;
    if (status == WS_OK)
        status = connect(store, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, false);
    if (status == WS_OK)
        status = check_format(store, empty);
    if (status == WS_OK)
        status = use_log(store);
    if (status == WS_OK && *empty)
        status = initialize(store);
    if (status == WS_OK)
        ws_store_make_views(store);
    return status;
}

static int open_or_make(ws_store *store, bool *empty)
{
    const int lock = lock_folder(store);
    const int status = make(store, empty);
    if (lock >= 0)
        close(lock);
    return status;
}

/* SQLite would wait for a named pipe, and take a device for an empty file. */
static int refuse_special(const ws_store *store)
{
    struct stat about;
    if (stat(store->path, &about) || S_ISREG(about.st_mode) || S_ISDIR(about.st_mode))
        return WS_OK;
    return ws_fail(WS_EINPUT, "%s: a results file is a file, not %s", store->path,
                   S_ISFIFO(about.st_mode) ? "a pipe" : "a device");
}

static int open_file(ws_store *store, bool create)
{
    bool empty;
    int status = refuse_special(store);
    if (status == WS_OK)
        status = create ? open_or_make(store, &empty) : open_existing(store, &empty);
    if (status == WS_OK)
        status = ws_store_exec(store, "PRAGMA foreign_keys=ON", "");
    if (status == WS_OK) /* pages of a file that anybody may have written */
        status = ws_store_exec(store, "PRAGMA cell_size_check=ON", "");
    if (status == WS_OK) /* a power cut may cost the last launches, never the file */
        status = ws_store_exec(store, "PRAGMA synchronous=NORMAL", "");
    if (status == WS_OK) /* pages of the log, 16 MiB: launches write the same few pages again and again */
        status = ws_store_exec(store, "PRAGMA wal_autocheckpoint=4096", "");
    return status;
}

/* A file without a log is read without locks and without companions; its state is noted, for ws_store_check_input. One
 * with a log is read under SQLite's locks. */
static int open_input(ws_store *store)
{
    bool empty = false;
    int status = refuse_special(store);
    if (status == WS_OK && stat(store->path, &store->file[0].about) != 0)
        status =
            ws_fail(errno == ENOENT ? WS_ENOTFOUND : WS_EIO, "%s: cannot read it: %s", store->path, strerror(errno));
    if (status != WS_OK)
        return status;
    const bool logged = has_companion(store, "-wal") || has_companion(store, "-journal");
    store->frozen = !logged;
    status = connect(store, SQLITE_OPEN_READONLY, store->frozen);
    if (status == WS_OK)
        status = check_format(store, &empty);
    if (status == WS_EIO && logged)
        status = ws_fail_context(
            status, "its log (%s beside it) cannot be read from here; run `warpscape runs` where the file was written",
            has_companion(store, "-wal") ? "-wal" : "-journal");
    if (status == WS_OK && empty)
        status = ws_fail(WS_EINPUT, "%s: the file is empty; it holds no results", store->path);
    if (status == WS_OK)
        status = ws_store_exec(store, "PRAGMA cell_size_check=ON", "");
    return status == WS_OK ? ws_store_exec(store, "PRAGMA cache_size=-512", "") : status; /* KiB: many may be open */
}

int ws_store_check_input(const ws_store *store)
{
    const struct stat *const then = &store->file[0].about;
    struct stat now;
    const bool same =
        !store->frozen || (!stat(store->path, &now) && now.st_ino == then->st_ino && now.st_size == then->st_size &&
                           now.st_mtim.tv_sec == then->st_mtim.tv_sec && now.st_mtim.tv_nsec == then->st_mtim.tv_nsec);
    return same ? WS_OK : ws_fail(WS_EBUSY, "%s: it was changed while it was read; try again", store->path);
}

/* A file of this process alone: without locks, which its file system may not have, and without a journal on the disk,
 * since a failure throws the file away. */
static int open_result(ws_store *store, const char *file)
{
    static const char *const settings[] = {"PRAGMA journal_mode=MEMORY", "PRAGMA synchronous=OFF",
                                           "PRAGMA cache_size=-32768", "BEGIN EXCLUSIVE"};
    int result = open_uri(store, file, false, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, "unix-none");
    if (result == SQLITE_OK)
        result = distrust(store->db);
    if (result != SQLITE_OK)
        return store->db ? ws_store_fail(store, result) : ws_fail(WS_EMEM, "%s: no memory", store->path);
    sqlite3_extended_result_codes(store->db, 1);
    int status = WS_OK;
    for (size_t i = 0; i < sizeof settings / sizeof *settings && status == WS_OK; i++)
        status = ws_store_exec(store, settings[i], "");
    return status == WS_OK ? run_script(store, schema) : status;
}

/* An open store that knows its path; NULL when memory is out, with a message. */
static ws_store *create_store(const char *path)
{
    ws_store *const store = calloc(1, sizeof *store);
    if (store && (store->path = strdup(path)) && (store->session = ws_store_session_create()))
        return store;
    free(store ? store->path : NULL);
    free(store);
    ws_fail(WS_EMEM, "%s: no memory", path);
    return NULL;
}

static int give(ws_store *store, int status, ws_store **out)
{
    *out = status == WS_OK ? store : NULL;
    if (status != WS_OK)
        ws_store_close(store);
    return status;
}

int ws_store_open(const char *path, bool create, ws_store **out)
{
    *out = NULL;
    ws_store *const store = create_store(path);
    if (!store)
        return WS_EMEM;
    const ws_hush hush = ws_hush_begin();
    const int status = open_file(store, create);
    ws_hush_end(&hush);
    return give(store, status, out);
}

int ws_store_open_input(const char *path, ws_store **out)
{
    *out = NULL;
    ws_store *const store = create_store(path);
    if (!store)
        return WS_EMEM;
    store->input = true;
    return give(store, open_input(store), out);
}

int ws_store_open_result(const char *path, const char *file, ws_store **out)
{
    *out = NULL;
    ws_store *const store = create_store(path);
    return store ? give(store, open_result(store, file), out) : WS_EMEM;
}

void ws_store_close(ws_store *store)
{
    if (!store)
        return;
    if (store->lost) {
        ws_store_leave(store);
        return;
    }
    const ws_hush hush = ws_hush_begin();
    disconnect(store); /* folds the log into the file */
    ws_hush_end(&hush);
    ws_store_session_destroy(store->session);
    free(store->path);
    free(store);
}
