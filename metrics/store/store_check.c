/* store_check.c - is what the file holds what was written?
 *
 * A bit that flips on a disk must not become another number, another name or a row that is silently not there. SQLite's
 * integrity check sees pages, records and indices that do not fit together; the counters of a launch carry a checksum
 * each; and the checksum of a run, made when it is finished, covers all else that frames show: what was run, and the
 * number, order, names and times of its launches. */
#include "metrics/store/store_internal.h"

#include "base/bits.h"
#include "base/status.h"

#include <endian.h>
#include <string.h>
#include <xxhash.h>

/* Texts count with their length, so that what ends one column cannot begin the next. */
static XXH64_hash_t hash_text(XXH64_hash_t hash, sqlite3_stmt *row, int column)
{
    const char *const text = ws_store_text(row, column);
    return XXH64(text, strlen(text) + 1, hash);
}

static XXH64_hash_t hash_number(XXH64_hash_t hash, sqlite3_stmt *row, int column)
{
    const uint64_t bits = htole64((uint64_t)sqlite3_column_int64(row, column));
    return XXH64(&bits, sizeof bits, hash);
}

static XXH64_hash_t hash_real(XXH64_hash_t hash, sqlite3_stmt *row, int column)
{
    const uint64_t bits = htole64(ws_f64_bits(sqlite3_column_double(row, column)));
    return XXH64(&bits, sizeof bits, hash);
}

/* Adds every row of a query about a run to the hash: a letter of `types` a column, t text, i integer, d real. */
static int hash_rows(const ws_store *store, int64_t run, const char *sql, const char *types, XXH64_hash_t *hash)
{
    sqlite3_stmt *row;
    bool more = true;
    int status = ws_store_prepare(store, &row, sql, "i", run);
    while (status == WS_OK && (status = ws_store_step(store, row, &more)) == WS_OK && more)
        for (int i = 0; types[i]; i++)
            *hash = types[i] == 't'   ? hash_text(*hash, row, i)
                    : types[i] == 'i' ? hash_number(*hash, row, i)
                                      : hash_real(*hash, row, i);
    sqlite3_finalize(row);
    return status;
}

int ws_store_run_checksum(const ws_store *store, int64_t run, int64_t *checksum)
{
    XXH64_hash_t hash = 0;
    int status =
        hash_rows(store, run, "SELECT workload, scale, seed, command, version, status, seconds FROM run WHERE id = ?",
                  "ttttttd", &hash);
    if (status == WS_OK)
        status =
            hash_rows(store, run, "SELECT sequence, kernel, seconds FROM launch WHERE run = ? ORDER BY sequence, id",
                      "itd", &hash);
    /* What was added later adds nothing where it is not used, so sums of files that were brought up stay good. */
    if (status == WS_OK)
        status = hash_rows(store, run,
                           "SELECT partial, selection, sampling FROM run WHERE id = ?"
                           " AND (partial OR selection IS NOT NULL OR sampling IS NOT NULL)", "itt", &hash);
    if (status == WS_OK)
        status = hash_rows(store, run,
                           "SELECT title, dynamic_shared, h2d, d2h, d2d, filled, process, measured, weight, stratum, slice"
                           " FROM launch WHERE run = ? AND process IS NOT NULL ORDER BY sequence, id", "tiiiiiiidii", &hash);
    if (status == WS_OK)
        status = hash_rows(store, run, "SELECT sequence, parent FROM launch WHERE run = ? AND parent IS NOT NULL"
                           " ORDER BY sequence, id", "ii", &hash);
    if (status == WS_OK)
        status = hash_rows(store, run, "SELECT name, half FROM bound WHERE run = ? ORDER BY name", "td", &hash);
    *checksum = (int64_t)hash;
    return status;
}

int ws_store_check_run(const ws_store *store, int64_t run, int64_t checksum)
{
    int64_t found;
    const int status = ws_store_run_checksum(store, run, &found);
    return status == WS_OK && found != checksum ? ws_store_fail(store, SQLITE_CORRUPT) : status;
}

int ws_store_check_file(const ws_store *store)
{
    sqlite3_stmt *check;
    bool row = false;
    int status = ws_store_prepare(store, &check, "PRAGMA integrity_check(1)", "");
    if (status == WS_OK)
        status = ws_store_step(store, check, &row);
    if (status == WS_OK && (!row || strcmp(ws_store_text(check, 0), "ok") != 0))
        status = ws_store_fail(store, SQLITE_CORRUPT);
    sqlite3_finalize(check);
    return status;
}
