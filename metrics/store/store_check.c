/* store_check.c - is what the file holds what was written?
 *
 * A bit that flips on a disk must not become another number, another name or a row that is silently not there. SQLite's
 * integrity check sees pages, records and indices that do not fit together; counters and profiles carry a checksum
 * each; that of a launch, made with it, covers what was launched and which counters and profile are its own; and that
 * of a run, made when it is finished, covers all else that frames show: what was run, and the number, order, names and
 * times of its launches. */
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

/* A number that may be unknown: NULL must not become 0, or 0 NULL, by a bit of the column's type. */
static XXH64_hash_t hash_known(XXH64_hash_t hash, sqlite3_stmt *row, int column)
{
    const uint8_t known = sqlite3_column_type(row, column) != SQLITE_NULL;
    return hash_number(XXH64(&known, sizeof known, hash), row, column);
}

/* Adds every row of a statement to the hash: a letter of `types` a column, t text, i integer, n integer or NULL, d
 * real. */
static int hash_statement(const ws_store *store, sqlite3_stmt *row, const char *types, XXH64_hash_t *hash)
{
    bool more = true;
    int status = WS_OK;
    while (status == WS_OK && (status = ws_store_step(store, row, &more)) == WS_OK && more)
        for (int i = 0; types[i]; i++)
            *hash = types[i] == 't'   ? hash_text(*hash, row, i)
                    : types[i] == 'i' ? hash_number(*hash, row, i)
                    : types[i] == 'n' ? hash_known(*hash, row, i)
                                      : hash_real(*hash, row, i);
    return status;
}

/* The same for a query about a run. */
static int hash_rows(const ws_store *store, int64_t run, const char *sql, const char *types, XXH64_hash_t *hash)
{
    sqlite3_stmt *row;
    int status = ws_store_prepare(store, &row, sql, "i", run);
    if (status == WS_OK)
        status = hash_statement(store, row, types, hash);
    sqlite3_finalize(row);
    return status;
}

/* ------------------------------------------------------------------------------------------------ launches */

static const struct {
    const char *sql, *types;
} parts[] = {
    {"SELECT sequence, kernel, title, seconds, grid_x, grid_y, grid_z, block_x, block_y, block_z, registers, "
     "shared_bytes, local_bytes,"
     " const_bytes, warp_instructions, thread_instructions, dynamic_shared, h2d, d2h, d2d, filled, process, measured, "
     "stratum, slice, parent"
     " FROM launch WHERE id = ?",
     "nttdnnnnnnnnnnnnnnnnnnnnnn"},
    {"SELECT f.name, c.checksum FROM counter c JOIN family f ON f.id = c.family WHERE c.launch = ? ORDER BY f.name",
     "ti"},
    {"SELECT checksum FROM profile WHERE launch = ?", "i"},
};

enum { PARTS = sizeof parts / sizeof *parts };

/* The last part is there when some launch of the file has a profile. */
static int prepare_parts(const ws_store *store, sqlite3_stmt *part[PARTS])
{
    bool profiles = false;
    int status = ws_store_has_table(store, "profile", &profiles);
    for (size_t i = 0; i < PARTS; i++) {
        part[i] = NULL;
        if (status == WS_OK && (i + 1 < PARTS || profiles))
            status = ws_store_prepare(store, &part[i], parts[i].sql, "");
    }
    return status;
}

static void finalize_parts(sqlite3_stmt *part[PARTS])
{
    for (size_t i = 0; i < PARTS; i++)
        sqlite3_finalize(part[i]);
}

static int hash_launch(const ws_store *store, sqlite3_stmt *const part[PARTS], int64_t launch, int64_t *checksum)
{
    XXH64_hash_t hash = 0;
    int status = WS_OK;
    for (size_t i = 0; i < PARTS && status == WS_OK; i++) {
        if (!part[i])
            continue;
        sqlite3_reset(part[i]);
        sqlite3_bind_int64(part[i], 1, launch);
        status = hash_statement(store, part[i], parts[i].types, &hash);
    }
    *checksum = (int64_t)hash;
    return status;
}

int ws_store_seal(const ws_store *store, int64_t launch)
{
    sqlite3_stmt *part[PARTS];
    int64_t checksum = 0;
    int status = prepare_parts(store, part);
    if (status == WS_OK)
        status = hash_launch(store, part, launch, &checksum);
    finalize_parts(part);
    return status == WS_OK ? ws_store_exec(store, "UPDATE launch SET checksum = ? WHERE id = ?", "ii", checksum, launch)
                           : status;
}

/* False for files of older formats that cannot be written, and so not be brought up. */
static int has_checksums(const ws_store *store, bool *found)
{
    sqlite3_stmt *row;
    int status = ws_store_prepare(store, &row, "SELECT 1 FROM pragma_table_info('launch') WHERE name = 'checksum'", "");
    if (status == WS_OK)
        status = ws_store_step(store, row, found);
    sqlite3_finalize(row);
    return status;
}

static int check_launches(const ws_store *store, int64_t run)
{
    sqlite3_stmt *part[PARTS], *row = NULL;
    bool more = true;
    int status = prepare_parts(store, part);
    if (status == WS_OK)
        status = ws_store_prepare(store, &row, "SELECT id, checksum FROM launch WHERE run = ? AND checksum IS NOT NULL",
                                  "i", run);
    while (status == WS_OK && (status = ws_store_step(store, row, &more)) == WS_OK && more) {
        int64_t found;
        status = hash_launch(store, part, sqlite3_column_int64(row, 0), &found);
        if (status == WS_OK && found != sqlite3_column_int64(row, 1))
            status = ws_store_fail(store, SQLITE_CORRUPT);
    }
    sqlite3_finalize(row);
    finalize_parts(part);
    return status;
}

int ws_store_check_launches(const ws_store *store, int64_t run)
{
    bool found = false;
    const int status = has_checksums(store, &found);
    return status == WS_OK && found ? check_launches(store, run) : status;
}

/* ------------------------------------------------------------------------------------------------ runs */

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
                           " AND (partial OR selection IS NOT NULL OR sampling IS NOT NULL)",
                           "itt", &hash);
    if (status == WS_OK)
        status =
            hash_rows(store, run,
                      "SELECT title, dynamic_shared, h2d, d2h, d2d, filled, process, measured, weight, stratum, slice"
                      " FROM launch WHERE run = ? AND process IS NOT NULL ORDER BY sequence, id",
                      "tiiiiiiidii", &hash);
    if (status == WS_OK)
        status = hash_rows(store, run,
                           "SELECT sequence, parent FROM launch WHERE run = ? AND parent IS NOT NULL"
                           " ORDER BY sequence, id",
                           "ii", &hash);
    bool found = false;
    if (status == WS_OK)
        status = has_checksums(store, &found);
    if (status == WS_OK && found)
        status = hash_rows(store, run,
                           "SELECT sequence, checksum FROM launch WHERE run = ? AND checksum IS NOT NULL"
                           " ORDER BY sequence, id",
                           "ii", &hash);
    if (status == WS_OK)
        status = hash_rows(store, run, "SELECT name, half FROM bound WHERE run = ? ORDER BY name", "td", &hash);
    *checksum = (int64_t)hash;
    return status;
}

int ws_store_check_run(const ws_store *store, int64_t run, int64_t checksum)
{
    int64_t found;
    int status = ws_store_run_checksum(store, run, &found);
    if (status == WS_OK && found != checksum)
        status = ws_store_fail(store, SQLITE_CORRUPT);
    return status == WS_OK ? ws_store_check_launches(store, run) : status;
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
