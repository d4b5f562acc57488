/* store_copy.c - copying of runs from one results file into another, column by column, with the checksums compared. */
#include "metrics/store/store_merge_internal.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

/* What a run consists of. `key` is the column that says to which run or launch a row belongs; of a run, its own number.
 * A unit test compares the columns with those of the schema. Behind them come the tables for SQL. */
typedef enum table { RUN, LAUNCH, COUNTER, PROFILE, BOUND, LISTING, SOURCE, TABLES } table;
_Static_assert(TABLES + WS_STORE_KEPT_TABLES == WS_STORE_COPIED, "a statement for each");

static const struct {
    const char *name, *key, *columns, *order;
    const char *make; /* of a table that is made when it is first needed */
    int blob[2][2];   /* columns of checksums and of what they are of, from 1; 0: none */
} tables[TABLES] = {
    [RUN] = {"run",
             "id",
             "workload, scale, seed, command, version, owner, status, seconds, checksum, partial, selection, sampling",
             "id",
             NULL,
             {{0}}},
    [LAUNCH] = {"launch",
                "run",
                "sequence, kernel, grid_x, grid_y, grid_z, block_x, block_y, block_z, registers, shared_bytes,"
                " local_bytes, const_bytes, warp_instructions, thread_instructions, seconds, title, dynamic_shared,"
                " h2d, d2h, d2d, filled, process, measured, weight, stratum, slice, parent, checksum",
                "sequence, id",
                NULL,
                {{0}}},
    [COUNTER] = {"counter", "launch", "family, checksum, data", "id", NULL, {{0}}},
    [PROFILE] = {"profile", "launch", "checksum, data", "launch", ws_store_profile_table, {{1, 2}}},
    [BOUND] = {"bound", "run", "name, half", "name", NULL, {{0}}},
    [LISTING] = {"listing",
                 "run",
                 "kernel, title, code_checksum, code, checksum, counts",
                 "id",
                 ws_store_listing_table,
                 {{3, 4}, {5, 6}}},
    [SOURCE] = {"source", "run", "file, fingerprint", "file", ws_store_source_table, {{0}}},
};
enum { FAMILY = 1, CHECKSUM, DATA }; /* columns of COUNTER */

struct ws_store_copier {
    const ws_store *to;
    int64_t mark; /* of tables for SQL of this version */
    int (*step)(void *user);
    void *user;
    sqlite3_stmt *insert[WS_STORE_COPIED];
};

int ws_store_copier_create(const ws_store *to, int (*step)(void *user), void *user, ws_store_copier **out)
{
    *out = calloc(1, sizeof **out);
    if (!*out)
        return ws_fail(WS_EMEM, "%s: no memory", to->path);
    **out = (ws_store_copier){.to = to, .mark = ws_store_kept_mark(), .step = step, .user = user};
    return WS_OK;
}

void ws_store_copier_destroy(ws_store_copier *copier)
{
    for (size_t i = 0; copier && i < WS_STORE_COPIED; i++)
        sqlite3_finalize(copier->insert[i]);
    free(copier);
}

/* ------------------------------------------------------------------------------------------------ statements */

/* The text that makes a table, to be freed; "" when there is none. */
static int read_definition(const ws_store *store, const char *name, char **text)
{
    sqlite3_stmt *row;
    bool found = false;
    *text = NULL;
    int status =
        ws_store_prepare(store, &row, "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?", "t", name);
    if (status == WS_OK)
        status = ws_store_step(store, row, &found);
    if (status == WS_OK && !(*text = strdup(found ? ws_store_text(row, 0) : "")))
        status = ws_fail(WS_EMEM, "%s: no memory", store->path);
    sqlite3_finalize(row);
    return status;
}

/* Whether rows of the table may be copied as they stand. */
static int is_same(const ws_store *from, const ws_store *to, const char *name, bool *same)
{
    char *a, *b = NULL;
    int status = read_definition(from, name, &a);
    if (status == WS_OK)
        status = read_definition(to, name, &b);
    *same = status == WS_OK && !strcmp(a, b);
    free(a);
    free(b);
    return status;
}

static int prepare_kept(const ws_store *to, ws_store_input *from)
{
    int status = WS_OK;
    from->same_kept = true;
    for (size_t i = 0; i < WS_STORE_KEPT_TABLES && status == WS_OK && from->same_kept; i++)
        status = is_same(from->store, to, ws_store_kept_table(i), &from->same_kept);
    for (size_t i = 0; i < WS_STORE_KEPT_TABLES && status == WS_OK && from->same_kept; i++) {
        char sql[96];
        snprintf(sql, sizeof sql, "SELECT * FROM %s WHERE run = ?", ws_store_kept_table(i));
        status = ws_store_prepare(from->store, &from->select[TABLES + i], sql, "");
    }
    return status;
}

/* Those of tables that the source lacks stay NULL. */
static int prepare_source(const ws_store *to, ws_store_input *from)
{
    int status = WS_OK;
    for (int t = 0; t < TABLES && status == WS_OK; t++) {
        char sql[512];
        bool found = true;
        if (tables[t].make)
            status = ws_store_has_table(from->store, tables[t].name, &found);
        snprintf(sql, sizeof sql, "SELECT %s, %s FROM %s WHERE %s = ? ORDER BY %s", t == LAUNCH ? "id" : tables[t].key,
                 tables[t].columns, tables[t].name, tables[t].key, tables[t].order);
        if (status == WS_OK && found)
            status = ws_store_prepare(from->store, &from->select[t], sql, "");
    }
    if (status == WS_OK)
        status = prepare_kept(to, from);
    from->prepared = status == WS_OK;
    return status;
}

/* INSERT of all columns of a table, in the order of the SELECT. */
static int prepare_insert(ws_store_copier *c, int t, int columns)
{
    char *sql = NULL;
    size_t length;
    if (c->insert[t])
        return WS_OK;
    int status = t < TABLES && tables[t].make ? ws_store_exec(c->to, tables[t].make, "") : WS_OK;
    FILE *const out = status == WS_OK ? open_memstream(&sql, &length) : NULL;
    if (!out)
        return status == WS_OK ? ws_fail(WS_EMEM, "%s: no memory", c->to->path) : status;
    if (t < TABLES)
        fprintf(out, "INSERT INTO %s(%s, %s) VALUES(?", tables[t].name, tables[t].key, tables[t].columns);
    else
        fprintf(out, "INSERT INTO %s VALUES(?", ws_store_kept_table((size_t)(t - TABLES)));
    for (int i = 1; i < columns; i++)
        fputs(",?", out);
    fputc(')', out);
    status =
        fclose(out) ? ws_fail(WS_EMEM, "%s: no memory", c->to->path) : ws_store_prepare(c->to, &c->insert[t], sql, "");
    free(sql);
    return status;
}

/* ------------------------------------------------------------------------------------------------ rows */

static int check_blobs(const ws_store *from, table t, sqlite3_stmt *row)
{
    for (size_t i = 0; i < 2 && tables[t].blob[i][0]; i++) {
        const int sum = tables[t].blob[i][0], data = tables[t].blob[i][1];
        if (ws_store_checksum(sqlite3_column_blob(row, data), (size_t)sqlite3_column_bytes(row, data)) !=
            sqlite3_column_int64(row, sum))
            return ws_store_fail(from, SQLITE_CORRUPT);
    }
    return WS_OK;
}

static int check_counters(const ws_store_input *from, sqlite3_stmt *row)
{
    ws_store_layout *f;
    const int status = ws_store_input_find(from, sqlite3_column_int64(row, FAMILY), &f);
    return status == WS_OK ? ws_store_check_counters(from->store, sqlite3_column_blob(row, DATA),
                                                     (size_t)sqlite3_column_bytes(row, DATA),
                                                     sqlite3_column_int64(row, CHECKSUM), f->counters)
                           : status;
}

/* The number of a layout of the source in the target. */
static int map_family(const ws_store_copier *c, const ws_store_input *from, int64_t id, int64_t *copy)
{
    ws_store_layout *f;
    sqlite3_stmt *row;
    bool found = false;
    int status = ws_store_input_find(from, id, &f);
    if (status == WS_OK && !f->copy) {
        status =
            ws_store_prepare(from->store, &row, "SELECT name, counters, signature FROM family WHERE id = ?", "i", id);
        if (status == WS_OK)
            status = ws_store_step(from->store, row, &found);
        if (status == WS_OK && found)
            status = ws_store_family(c->to, ws_store_text(row, 0), sqlite3_column_int64(row, 1), ws_store_text(row, 2),
                                     &f->copy);
        sqlite3_finalize(row);
    }
    *copy = status == WS_OK ? f->copy : 0;
    return status;
}

static int bind(sqlite3_stmt *to, int at, sqlite3_stmt *row, int column)
{
    return sqlite3_column_type(row, column) == SQLITE_BLOB /* without a copy */
               ? sqlite3_bind_blob(to, at, sqlite3_column_blob(row, column), sqlite3_column_bytes(row, column),
                                   SQLITE_STATIC)
               : sqlite3_bind_value(to, at, sqlite3_column_value(row, column));
}

/* Inserts the row that `row` stands on, as one of the target's run or launch `owner`; 0: of its own, a run. */
static int insert(ws_store_copier *c, const ws_store_input *from, int t, sqlite3_stmt *row, int64_t owner)
{
    const int columns = sqlite3_column_count(row);
    int64_t family = 0;
    bool more;
    int status = prepare_insert(c, t, columns);
    if (status == WS_OK && t < TABLES)
        status = check_blobs(from->store, (table)t, row);
    if (status == WS_OK && t == COUNTER)
        status = check_counters(from, row);
    if (status == WS_OK && t == COUNTER)
        status = map_family(c, from, sqlite3_column_int64(row, FAMILY), &family);
    if (status != WS_OK)
        return status;
    sqlite3_stmt *const to = c->insert[t];
    int result = owner ? sqlite3_bind_int64(to, 1, owner) : sqlite3_bind_null(to, 1);
    for (int i = 1; i < columns && result == SQLITE_OK; i++)
        result = t == COUNTER && i == FAMILY ? sqlite3_bind_int64(to, i + 1, family) : bind(to, i + 1, row, i);
    status = result == SQLITE_OK ? ws_store_step(c->to, to, &more) : ws_store_fail(c->to, result);
    sqlite3_reset(to);
    return status;
}

/* ------------------------------------------------------------------------------------------------ runs */

static int copy_rows(ws_store_copier *c, const ws_store_input *from, int t, int64_t key, int64_t owner);

static int copy_row(ws_store_copier *c, const ws_store_input *from, int t, sqlite3_stmt *row, int64_t owner)
{
    int status = insert(c, from, t, row, owner);
    if (status != WS_OK || t != LAUNCH)
        return status;
    const int64_t launch = sqlite3_column_int64(row, 0), copy = sqlite3_last_insert_rowid(c->to->db);
    status = copy_rows(c, from, COUNTER, launch, copy);
    if (status == WS_OK)
        status = copy_rows(c, from, PROFILE, launch, copy);
    return status == WS_OK ? c->step(c->user) : status;
}

/* All rows of the source that belong to `key`, for the target's `owner`. */
static int copy_rows(ws_store_copier *c, const ws_store_input *from, int t, int64_t key, int64_t owner)
{
    sqlite3_stmt *const select = from->select[t];
    bool more = true;
    int status = WS_OK;
    if (!select)
        return WS_OK;
    sqlite3_bind_int64(select, 1, key);
    while (status == WS_OK && (status = ws_store_step(from->store, select, &more)) == WS_OK && more)
        status = copy_row(c, from, t, select, owner);
    sqlite3_reset(select);
    return status;
}

static int copy_run(ws_store_copier *c, const ws_store_input *from, int64_t run, int64_t *copy)
{
    static const table of_runs[] = {LAUNCH, BOUND, LISTING, SOURCE};
    int status = copy_rows(c, from, RUN, run, 0);
    *copy = sqlite3_last_insert_rowid(c->to->db);
    for (size_t i = 0; i < sizeof of_runs / sizeof *of_runs && status == WS_OK; i++)
        status = copy_rows(c, from, of_runs[i], run, *copy);
    return status;
}

/* What SQL sees of the run: copied where this version made it, else worked out. */
static int keep(ws_store_copier *c, const ws_store_input *from, int64_t run, int64_t copy, bool ended)
{
    bool kept = ended && from->same_kept;
    int status = kept ? ws_store_is_kept(from->store, run, c->mark, &kept) : WS_OK;
    if (status == WS_OK && !kept)
        return ws_store_keep_run(c->to, copy);
    for (int i = 0; i < WS_STORE_KEPT_TABLES && status == WS_OK; i++)
        status = copy_rows(c, from, TABLES + i, run, copy);
    return status == WS_OK ? ws_store_note_kept(c->to, copy, c->mark, NULL) : status;
}

int ws_store_copy_run(ws_store_copier *copier, ws_store_input *from, int64_t run, bool ended)
{
    int64_t copy = 0;
    int status = from->prepared ? WS_OK : prepare_source(copier->to, from);
    if (status == WS_OK)
        status = copy_run(copier, from, run, &copy);
    if (status == WS_OK && !ended)
        status = ws_store_end_abandoned(copier->to, copy);
    return status == WS_OK ? keep(copier, from, run, copy, ended) : status;
}
