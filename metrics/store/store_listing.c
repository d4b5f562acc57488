/* store_listing.c - what each instruction of a run's kernels did, and what the source files looked like meanwhile.
 *
 * Listings have tables of their own, made with the first of them, as profiles have. Launches of the same code of a run
 * share a row, whose counts are their sum: they grow with the kernels of a program, not with its launches. */
#include "metrics/store/store_internal.h"

#include "base/status.h"

const char ws_store_listing_table[] =
    "CREATE TABLE IF NOT EXISTS listing("
    " id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE, kernel TEXT NOT NULL, title "
    "TEXT,"
    " code_checksum INTEGER NOT NULL, code BLOB NOT NULL, checksum INTEGER NOT NULL, counts BLOB NOT NULL,"
    " UNIQUE(run, kernel, code_checksum))";
const char ws_store_source_table[] =
    "CREATE TABLE IF NOT EXISTS source("
    " run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE, file TEXT NOT NULL, fingerprint INTEGER NOT NULL,"
    " UNIQUE(run, file))";

/* ------------------------------------------------------------------------------------------------ writing */

/* Adds to the counts of the row (id, checksum, counts). */
static int add_to(const ws_store *store, sqlite3_stmt *row, const ws_bytes *counts)
{
    ws_bytes sum = {0};
    const void *const old = sqlite3_column_blob(row, 2);
    const size_t length = (size_t)sqlite3_column_bytes(row, 2);
    if (ws_store_checksum(old, length) != sqlite3_column_int64(row, 1))
        return ws_store_fail(store, SQLITE_CORRUPT);
    ws_bytes_add(&sum, old, length);
    int status =
        sum.failed ? ws_fail(WS_EMEM, "%s: no memory", store->path) : ws_listing_add(&sum, ws_reader_of(counts));
    if (status == WS_EINPUT)
        status = ws_store_fail(store, SQLITE_CORRUPT);
    if (status == WS_OK)
        status = ws_store_repeat(store, "UPDATE listing SET checksum = ?, counts = ? WHERE id = ?", "ibi",
                                 ws_store_checksum(sum.data, sum.length), (const void *)sum.data, sum.length,
                                 (int64_t)sqlite3_column_int64(row, 0));
    ws_bytes_fini(&sum);
    return status;
}

int ws_store_add_listing(const ws_store *store, int64_t run, const ws_store_launch *l)
{
    const ws_bytes *code, *counts;
    if (!l->collector || !ws_collector_listing(l->collector, &code, &counts))
        return WS_OK;
    const int64_t of_code = ws_store_checksum(code->data, code->length);
    sqlite3_stmt *there = NULL;
    bool found = false;
    int status = ws_store_repeat(store, ws_store_listing_table, "");
    if (status == WS_OK)
        status =
            ws_store_take(store, &there,
                          "SELECT id, checksum, counts FROM listing WHERE run = ? AND kernel = ? AND code_checksum = ?",
                          "iti", run, l->launch->kernel, of_code);
    if (status == WS_OK)
        status = ws_store_step(store, there, &found);
    if (status == WS_OK && found)
        status = add_to(store, there, counts);
    ws_store_put(store, there);
    if (status != WS_OK || found)
        return status;
    return ws_store_exec(
        store, "INSERT INTO listing(run, kernel, title, code_checksum, code, checksum, counts) VALUES(?,?,?,?,?,?,?)",
        "ittibib", run, l->launch->kernel, l->title, of_code, (const void *)code->data, code->length,
        ws_store_checksum(counts->data, counts->length), (const void *)counts->data, counts->length);
}

int ws_store_note_source(ws_store *store, int64_t run, const char *file, uint64_t fingerprint)
{
    const int status = ws_store_exec(store, ws_store_source_table, "");
    return status ? status
                  : ws_store_exec(store, "INSERT OR IGNORE INTO source(run, file, fingerprint) VALUES(?,?,?)", "iti",
                                  run, file, (int64_t)fingerprint);
}

/* ------------------------------------------------------------------------------------------------ reading */

int ws_store_source(ws_store *store, int64_t run, const char *file, uint64_t *fingerprint, bool *known)
{
    sqlite3_stmt *row = NULL;
    *known = false;
    int status = ws_store_has_table(store, "source", known);
    if (status != WS_OK || !*known)
        return status;
    status =
        ws_store_prepare(store, &row, "SELECT fingerprint FROM source WHERE run = ? AND file = ?", "it", run, file);
    if (status == WS_OK)
        status = ws_store_step(store, row, known);
    *fingerprint = status == WS_OK && *known ? (uint64_t)sqlite3_column_int64(row, 0) : 0;
    sqlite3_finalize(row);
    return status;
}

static ws_reader blob(sqlite3_stmt *row, int column)
{
    const uint8_t *const data = sqlite3_column_blob(row, column);
    return (ws_reader){.next = data, .end = data ? data + sqlite3_column_bytes(row, column) : NULL};
}

static int see_row(const ws_store *store, sqlite3_stmt *row, const char *workload, int64_t run,
                   int (*see)(void *, const ws_store_listing *), void *user)
{
    const ws_store_listing l = {.workload = workload,
                                .run = run,
                                .kernel = ws_store_text(row, 0),
                                .title = ws_store_text(row, sqlite3_column_type(row, 1) == SQLITE_NULL ? 0 : 1),
                                .code = blob(row, 3),
                                .counts = blob(row, 5)};
    if (ws_store_checksum(l.code.next, (size_t)(l.code.end - l.code.next)) != sqlite3_column_int64(row, 2) ||
        ws_store_checksum(l.counts.next, (size_t)(l.counts.end - l.counts.next)) != sqlite3_column_int64(row, 4))
        return ws_store_fail(store, SQLITE_CORRUPT);
    return see(user, &l);
}

static int see_run(const ws_store *store, int64_t number, const char *workload,
                   int (*see)(void *, const ws_store_listing *), void *user)
{
    sqlite3_stmt *row;
    bool more = true;
    int status = ws_store_prepare(
        store, &row,
        "SELECT kernel, title, code_checksum, code, checksum, counts FROM listing WHERE run = ? ORDER BY id", "i",
        number);
    while (status == WS_OK && (status = ws_store_step(store, row, &more)) == WS_OK && more)
        status = see_row(store, row, workload, number, see, user);
    sqlite3_finalize(row);
    return status;
}

static int see_runs(const ws_store *store, int (*see)(void *, const ws_store_listing *), void *user)
{
    bool found = false, more = true;
    sqlite3_stmt *run = NULL;
    int status = ws_store_has_table(store, "listing", &found);
    if (status != WS_OK || !found)
        return status;
    status = ws_store_prepare_runs(store, &run);
    while (status == WS_OK && (status = ws_store_next_shown(store, run, &more)) == WS_OK && more)
        status = see_run(store, sqlite3_column_int64(run, 0), ws_store_text(run, 1), see, user);
    sqlite3_finalize(run);
    return status;
}

int ws_store_listings_of(const ws_store *store, int64_t run, int (*see)(void *user, const ws_store_listing *listing),
                         void *user)
{
    bool found = false;
    const int status = ws_store_has_table(store, "listing", &found);
    return status == WS_OK && found ? see_run(store, run, "", see, user) : status;
}

int ws_store_listings(ws_store *store, int (*see)(void *user, const ws_store_listing *listing), void *user)
{
    const int status = ws_store_begin_reading(store);
    return status == WS_OK ? ws_store_end(store, see_runs(store, see, user)) : status;
}
