/* store_check.c - is what the file holds what was written?
 *
 * A bit that flips on a disk must not become another number, another name or a row that is silently not there. SQLite's
 * integrity check sees pages, records and indices that do not fit together; counters and profiles carry a checksum
 * each; that of a launch, made with it, covers what was launched and which counters and profile are its own; and that
 * of a run, made when it is finished, covers all else that frames show: what was run, and the number, order, names and
 * times of its launches. */
#include "metrics/store/store_internal.h"

#include "base/bits.h"
#include "base/grow.h"
#include "base/status.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* Texts count with their length, so that what ends one column cannot begin the next. */
static XXH64_hash_t hash_text(XXH64_hash_t hash, const char *text)
{
    return XXH64(text, strlen(text) + 1, hash);
}

static XXH64_hash_t hash_bits(XXH64_hash_t hash, uint64_t bits)
{
    bits = htole64(bits);
    return XXH64(&bits, sizeof bits, hash);
}

/* `type`: t text, i integer, n integer or NULL, d real. NULL must not become 0, or 0 NULL, by a bit of the column's
 * type. */
static XXH64_hash_t hash_value(XXH64_hash_t hash, char type, const ws_store_value *value)
{
    if (type == 't')
        return hash_text(hash, value->text ? value->text : "");
    if (type == 'd')
        return hash_bits(hash, ws_f64_bits(value->real));
    const uint8_t known = value->known;
    return hash_bits(type == 'n' ? XXH64(&known, sizeof known, hash) : hash, (uint64_t)value->number);
}

static ws_store_value read_value(sqlite3_stmt *row, int column, char type)
{
    switch (type) {
    case 't':
        return (ws_store_value){.text = ws_store_text(row, column)};
    case 'd':
        return (ws_store_value){.real = sqlite3_column_double(row, column)};
    default:
        return (ws_store_value){.number = sqlite3_column_int64(row, column),
                                .known = type == 'n' && sqlite3_column_type(row, column) != SQLITE_NULL};
    }
}

/* Adds every row of a statement to the hash: a letter of `types` a column. */
static int hash_statement(const ws_store *store, sqlite3_stmt *row, const char *types, XXH64_hash_t *hash)
{
    bool more = true;
    int status = WS_OK;
    while (status == WS_OK && (status = ws_store_step(store, row, &more)) == WS_OK && more)
        for (int i = 0; types[i]; i++) {
            const ws_store_value value = read_value(row, i, types[i]);
            *hash = hash_value(*hash, types[i], &value);
        }
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

static const char types[] = WS_STORE_LAUNCH_TYPES;
_Static_assert(sizeof types - 1 == WS_STORE_LAUNCH_VALUES, "a type for each column");

static XXH64_hash_t hash_sum(XXH64_hash_t hash, const ws_store_sum *sum)
{
    return hash_bits(hash_text(hash, sum->name), (uint64_t)sum->checksum);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const ws_store_sum *)a)->name, ((const ws_store_sum *)b)->name);
}

int64_t ws_store_launch_checksum(const ws_store_value value[WS_STORE_LAUNCH_VALUES], ws_store_sum *sums, size_t n,
                                 const int64_t *profile)
{
    XXH64_hash_t hash = 0;
    for (size_t i = 0; i < WS_STORE_LAUNCH_VALUES; i++)
        hash = hash_value(hash, types[i], &value[i]);
    if (n)
        qsort(sums, n, sizeof *sums, by_name);
    for (size_t i = 0; i < n; i++)
        hash = hash_sum(hash, &sums[i]);
    return (int64_t)(profile ? hash_bits(hash, (uint64_t)*profile) : hash);
}

/* A family of the file, and its counters of the launch in work. */
typedef struct family {
    char *name;
    int64_t id, checksum;
    bool counted;
} family;

/* The same checksum of launches that are read. */
typedef struct reader {
    sqlite3_stmt *launch, *counter, *profile; /* profile: NULL when no launch of the file has one */
    family *family;                           /* in order of names */
    size_t families, room;
} reader;

static void reader_fini(const ws_store *store, reader *r)
{
    ws_store_put(store, r->launch);
    ws_store_put(store, r->counter);
    ws_store_put(store, r->profile);
    for (size_t i = 0; i < r->families; i++)
        free(r->family[i].name);
    free(r->family);
}

static int read_families(const ws_store *store, reader *r)
{
    sqlite3_stmt *row;
    bool more = true;
    int status = ws_store_take(store, &row, "SELECT id, name FROM family ORDER BY name", "");
    while (status == WS_OK && (status = ws_store_step(store, row, &more)) == WS_OK && more) {
        char *const name = WS_GROW(r->family, r->room, r->families, 1) ? NULL : strdup(ws_store_text(row, 1));
        if (name)
            r->family[r->families++] = (family){.id = sqlite3_column_int64(row, 0), .name = name};
        else
            status = ws_fail(WS_EMEM, "%s: no memory", store->path);
    }
    ws_store_put(store, row);
    return status;
}

static int reader_init(const ws_store *store, reader *r)
{
    bool profiles = false;
    *r = (reader){0};
    int status = ws_store_has_table(store, "profile", &profiles);
    if (status == WS_OK)
        status = ws_store_take(store, &r->launch, "SELECT " WS_STORE_LAUNCH_COLUMNS " FROM launch WHERE id = ?1", "");
    if (status == WS_OK)
        status = ws_store_take(store, &r->counter, WS_STORE_SUMS_OF, "");
    if (status == WS_OK && profiles)
        status = ws_store_take(store, &r->profile, "SELECT checksum FROM profile WHERE launch = ?1", "");
    return status == WS_OK ? read_families(store, r) : status;
}

static void stand_at(sqlite3_stmt *statement, int64_t launch)
{
    sqlite3_reset(statement);
    sqlite3_bind_int64(statement, 1, launch);
}

static int hash_counters(const ws_store *store, reader *r, XXH64_hash_t *hash)
{
    bool more = true;
    int status = WS_OK;
    for (size_t i = 0; i < r->families; i++)
        r->family[i].counted = false;
    while (status == WS_OK && (status = ws_store_step(store, r->counter, &more)) == WS_OK && more) {
        const int64_t id = sqlite3_column_int64(r->counter, 0);
        size_t i = 0;
        while (i < r->families && r->family[i].id != id)
            i++;
        if (i == r->families)
            return ws_store_fail(store, SQLITE_CORRUPT);
        r->family[i].checksum = sqlite3_column_int64(r->counter, 1);
        r->family[i].counted = true;
    }
    for (size_t i = 0; i < r->families && status == WS_OK; i++)
        if (r->family[i].counted)
            *hash = hash_sum(*hash, &(ws_store_sum){r->family[i].name, r->family[i].checksum});
    return status;
}

static int hash_launch(const ws_store *store, reader *r, int64_t launch, int64_t *checksum)
{
    XXH64_hash_t hash = 0;
    stand_at(r->launch, launch);
    stand_at(r->counter, launch);
    int status = hash_statement(store, r->launch, types, &hash);
    if (status == WS_OK)
        status = hash_counters(store, r, &hash);
    if (status == WS_OK && r->profile) {
        stand_at(r->profile, launch);
        status = hash_statement(store, r->profile, "i", &hash);
    }
    *checksum = (int64_t)hash;
    return status;
}

int ws_store_seal(const ws_store *store, int64_t launch)
{
    reader r;
    int64_t checksum = 0;
    int status = reader_init(store, &r);
    if (status == WS_OK)
        status = hash_launch(store, &r, launch, &checksum);
    reader_fini(store, &r);
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
    reader r;
    sqlite3_stmt *row = NULL;
    bool more = true;
    int status = reader_init(store, &r);
    if (status == WS_OK)
        status = ws_store_prepare(store, &row, "SELECT id, checksum FROM launch WHERE run = ? AND checksum IS NOT NULL",
                                  "i", run);
    while (status == WS_OK && (status = ws_store_step(store, row, &more)) == WS_OK && more) {
        int64_t found;
        status = hash_launch(store, &r, sqlite3_column_int64(row, 0), &found);
        if (status == WS_OK && found != sqlite3_column_int64(row, 1))
            status = ws_store_fail(store, SQLITE_CORRUPT);
    }
    sqlite3_finalize(row);
    reader_fini(store, &r);
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
