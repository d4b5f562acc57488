/* store_kept.c - how does `sqlite3 results.db` get at metrics, which the file has as counters?
 *
 * Counters are what can be added up; columns are worked out from them by this program, and SQL cannot do that. So the
 * columns of the kernels and of the workload of a run are worked out when the run ends, and kept in tables of plain
 * numbers, with what its instructions did. They are copies: this program reads none of them. Views (store_views.def)
 * show them, and the rest of the file, under names that stay.
 *
 * All of it is made when the file is opened for writing, and a run's when it ends; where there is no room for that,
 * later: files of before, and of versions with other columns, are brought up then, which reads their counters once. A
 * run whose counters this version cannot read keeps what it had, and says why (`left_out` of the view runs). */
#include "metrics/store/store_internal.h"
#include "metrics/store/store_shown.h"

#include "base/status.h"
#include "metrics/metric_layout.h"
#include "metrics/performance.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { VIEWS_VERSION = 1 }; /* docs/formats.md: raised when a column goes or changes its meaning */

/* A table of columns of frames. */
typedef struct kept {
    const char *table;
    ws_per per;
    bool features; /* the features that predict; else all columns */
} kept;

static const kept kepts[] = {
#define KEPT(name, per, features) {"kept_" #name, per, features},
#include "metrics/store/store_kept.def"
#undef KEPT
};

enum { KEPTS = sizeof kepts / sizeof *kepts };
_Static_assert(KEPTS + 1 == WS_STORE_KEPT_TABLES, "and instructions");

const char *ws_store_kept_table(size_t i)
{
    return i < KEPTS ? kepts[i].table : "kept_instructions";
}

static const char tables[] =
    "CREATE TABLE IF NOT EXISTS kept_as(views INTEGER NOT NULL, version TEXT NOT NULL, fingerprint INTEGER NOT NULL);"
    "CREATE TABLE IF NOT EXISTS kept_run("
    " run INTEGER PRIMARY KEY REFERENCES run(id) ON DELETE CASCADE, fingerprint INTEGER NOT NULL, reason TEXT);"
    "CREATE TABLE IF NOT EXISTS kept_metric("
    " metric TEXT NOT NULL, unit TEXT NOT NULL, family TEXT NOT NULL, view TEXT NOT NULL, definition TEXT NOT NULL);"
    "CREATE TABLE IF NOT EXISTS kept_instructions("
    " run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE, workload TEXT NOT NULL, kernel TEXT NOT NULL, mangled "
    "TEXT NOT NULL,"
    " instruction INTEGER NOT NULL, text TEXT NOT NULL, code_line INTEGER, file TEXT, line INTEGER"
#define COUNT(name, unit, definition) ", \"" #name "\" INTEGER"
#include "metrics/instructions.def"
#undef COUNT
    ");"
    "CREATE INDEX IF NOT EXISTS kept_instructions_run ON kept_instructions(run);";

static const char views[] = "DROP VIEW IF EXISTS about; CREATE VIEW about AS SELECT views, version FROM kept_as;"
                            "DROP VIEW IF EXISTS metrics; CREATE VIEW metrics AS SELECT metric, unit, family, view, "
                            "definition FROM kept_metric;"
#define VIEW(name, body) \
    "DROP VIEW IF EXISTS " #name "; DROP VIEW IF EXISTS all_" #name "; CREATE VIEW all_" #name " AS SELECT " body ";" \
    "CREATE VIEW " #name " AS SELECT * FROM all_" #name " WHERE run IN (SELECT run FROM " WS_STORE_SHOWN ");"
#include "metrics/store/store_views.def"
#undef VIEW
    ;

static int no_memory(const ws_store *store)
{
    return ws_fail(WS_EMEM, "%s: no memory for the columns that SQL sees", store->path);
}

/* ------------------------------------------------------------------------------------------------ columns */

/* Calls `see` with every column of a table in order. */
typedef int column_seer(void *user, const char *name, const char *unit, const char *family, const char *definition);

static const char *question_of(const ws_layout_column *column)
{
    size_t n, value = column->value;
    const ws_metric_column *c = ws_metrics(&n)[column->family]->columns;
    for (; value >= (c->count ? c->count : 1); c++)
        value -= c->count ? c->count : 1;
    return c->question;
}

static int each_metric(column_seer *see, void *user)
{
    ws_layout layout;
    int status = ws_layout_init(NULL, &layout);
    for (size_t i = 0; status == WS_OK && i < layout.columns; i++)
        status = see(user, layout.column[i].name, layout.column[i].unit, layout.column[i].group,
                     question_of(&layout.column[i]));
    ws_layout_fini(&layout);
    return status;
}

static int each_feature(column_seer *see, void *user)
{
    int status = WS_OK;
    for (size_t i = 0; status == WS_OK && ws_feature_at(i).name; i++) {
        const ws_feature f = ws_feature_at(i);
        status = see(user, f.name, f.unit, f.group, f.meaning);
    }
    return status;
}

static int each_column(const kept *k, column_seer *see, void *user)
{
    return k->features ? each_feature(see, user) : each_metric(see, user);
}

/* ------------------------------------------------------------------------------------------------ tables */

static int add_definition(void *user, const char *name, const char *unit, const char *family, const char *definition)
{
    FILE *const out = user;
    return fprintf(out, ", \"%s\" REAL", name) < 0 || !unit || !family || !definition ? WS_EMEM : WS_OK;
}

/* The statement that makes a table with all of its columns; the caller frees it. */
static char *definition_of(const kept *k)
{
    char *text = NULL;
    size_t length;
    FILE *const out = open_memstream(&text, &length);
    if (!out)
        return NULL;
    fprintf(out,
            "CREATE TABLE IF NOT EXISTS %s(run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE, workload TEXT "
            "NOT NULL%s",
            k->table, k->per == WS_PER_KERNEL ? ", kernel TEXT NOT NULL, mangled TEXT NOT NULL" : "");
    const int status = each_column(k, add_definition, out);
    fprintf(out, "); CREATE INDEX IF NOT EXISTS %s_run ON %s(run);", k->table, k->table);
    if (fclose(out) || status) {
        free(text);
        return NULL;
    }
    return text;
}

static int hash_column(void *user, const char *name, const char *unit, const char *family, const char *definition)
{
    const char *const texts[] = {name, unit, family, definition};
    XXH64_hash_t *const hash = user;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        *hash = XXH64(texts[i], strlen(texts[i]) + 1, *hash);
    return WS_OK;
}

/* All that this version of the program keeps, as a number: files with another one are brought up. */
int64_t ws_store_kept_mark(void)
{
    XXH64_hash_t hash = XXH64(tables, sizeof tables, VIEWS_VERSION);
    hash = XXH64(views, sizeof views, hash);
    for (size_t i = 0; i < KEPTS; i++)
        each_column(&kepts[i], hash_column, &hash);
    return (int64_t)hash;
}

typedef struct addition {
    const ws_store *store;
    const kept *kept;
    sqlite3_stmt *find;
} addition;

/* A column that the table lacks, which an older version made. */
static int add_column(void *user, const char *name, const char *unit, const char *family, const char *definition)
{
    const addition *const a = user;
    bool found = false;
    (void)unit, (void)family, (void)definition;
    sqlite3_reset(a->find);
    sqlite3_bind_text(a->find, 2, name, -1, SQLITE_STATIC);
    int status = ws_store_step(a->store, a->find, &found);
    sqlite3_reset(a->find);
    if (status != WS_OK || found)
        return status;
    char sql[160];
    snprintf(sql, sizeof sql, "ALTER TABLE %s ADD COLUMN \"%s\" REAL", a->kept->table, name);
    return ws_store_exec(a->store, sql, "");
}

static int add_columns(const ws_store *store, const kept *k)
{
    addition a = {.store = store, .kept = k};
    int status = ws_store_prepare(store, &a.find, "SELECT 1 FROM pragma_table_info(?) WHERE name = ?", "t", k->table);
    if (status == WS_OK)
        status = each_column(k, add_column, &a);
    sqlite3_finalize(a.find);
    return status;
}

static int run_sql(const ws_store *store, const char *sql)
{
    const int result = sqlite3_exec(store->db, sql, NULL, NULL, NULL);
    return result == SQLITE_OK ? WS_OK : ws_store_fail(store, result);
}

static int make_table(const ws_store *store, const kept *k)
{
    bool there = false;
    int status = ws_store_has_table(store, k->table, &there);
    if (status != WS_OK || there)
        return status != WS_OK ? status : add_columns(store, k);
    char *const sql = definition_of(k);
    status = sql ? run_sql(store, sql) : no_memory(store);
    free(sql);
    return status;
}

/* The dictionary: what each column of each view means. */
typedef struct dictionary {
    const ws_store *store;
    const char *view;
} dictionary;

static int add_word(void *user, const char *name, const char *unit, const char *family, const char *definition)
{
    const dictionary *const d = user;
    return ws_store_repeat(d->store,
                           "INSERT INTO kept_metric(metric, unit, family, view, definition) VALUES(?,?,?,?,?)", "ttttt",
                           name, unit, family, d->view, definition);
}

static int write_dictionary(const ws_store *store)
{
    int status = ws_store_exec(store, "DELETE FROM kept_metric", "");
    for (size_t i = 0; i < KEPTS && status == WS_OK; i++) {
        dictionary d = {.store = store, .view = kepts[i].table + strlen("kept_")};
        status = each_column(&kepts[i], add_word, &d);
    }
    for (unsigned c = 0; c < WS_COUNTS && status == WS_OK; c++) {
        dictionary d = {.store = store, .view = "instructions"};
        status =
            add_word(&d, ws_count_table[c].name, ws_count_table[c].unit, "instructions", ws_count_table[c].definition);
    }
    return status;
}

static int make_views(const ws_store *store, int64_t mark)
{
    int status = run_sql(store, tables);
    for (size_t i = 0; i < KEPTS && status == WS_OK; i++)
        status = make_table(store, &kepts[i]);
    if (status == WS_OK)
        status = run_sql(store, views);
    if (status == WS_OK)
        status = write_dictionary(store);
    if (status == WS_OK)
        status = ws_store_exec(store, "DELETE FROM kept_as", "");
    return status == WS_OK ? ws_store_exec(store, "INSERT INTO kept_as(views, version, fingerprint) VALUES(?,?,?)",
                                           "iti", (int64_t)VIEWS_VERSION, WS_VERSION, mark)
                           : status;
}

/* ------------------------------------------------------------------------------------------------ rows */

typedef struct names {
    FILE *columns, *values;
} names;

static int add_name(void *user, const char *name, const char *unit, const char *family, const char *definition)
{
    const names *const n = user;
    (void)unit, (void)family, (void)definition;
    return fprintf(n->columns, ", \"%s\"", name) < 0 || fputs(",?", n->values) < 0 ? WS_EMEM : WS_OK;
}

/* INSERT of a row: run, workload, the labels of a kernel, and all columns. */
static char *insertion_of(const kept *k)
{
    char *columns = NULL, *values = NULL, *sql = NULL;
    size_t length;
    const bool kernels = k->per == WS_PER_KERNEL;
    names n = {open_memstream(&columns, &length), open_memstream(&values, &length)};
    int status = n.columns && n.values ? each_column(k, add_name, &n) : WS_EMEM;
    if (n.columns)
        status = fclose(n.columns) ? WS_EMEM : status;
    if (n.values)
        status = fclose(n.values) ? WS_EMEM : status;
    if (status == WS_OK && asprintf(&sql, "INSERT INTO %s(run, workload%s%s) VALUES(?,?%s%s)", k->table,
                                    kernels ? ", kernel, mangled" : "", columns, kernels ? ",?,?" : "", values) < 0)
        sql = NULL;
    free(columns);
    free(values);
    return sql;
}

/* Binds labels and values of a row behind the run; NaN becomes NULL. */
static int bind_row(sqlite3_stmt *insert, const ws_frame *frame, size_t row)
{
    int at = 2, result = SQLITE_OK;
    for (size_t i = 0; i < frame->labels && result == SQLITE_OK; i++)
        result = sqlite3_bind_text(insert, at++, frame->label[row * frame->labels + i], -1, SQLITE_STATIC);
    for (size_t i = 0; i < frame->columns && result == SQLITE_OK; i++)
        result = sqlite3_bind_double(insert, at++, frame->value[row * frame->columns + i]);
    return result;
}

static int insert_rows(const ws_store *store, const kept *k, int64_t run, const ws_frame *frame)
{
    bool more;
    sqlite3_stmt *insert = NULL;
    char *const sql = insertion_of(k);
    int status = sql ? ws_store_prepare(store, &insert, sql, "i", run) : no_memory(store);
    for (size_t row = 0; row < frame->rows && status == WS_OK; row++) {
        const int result = bind_row(insert, frame, row);
        status = result == SQLITE_OK ? ws_store_step(store, insert, &more) : ws_store_fail(store, result);
        sqlite3_reset(insert);
    }
    sqlite3_finalize(insert);
    free(sql);
    return status;
}

static int keep_frame(const ws_store *store, const kept *k, int64_t run, const ws_frame *all)
{
    char sql[64];
    ws_frame *features = NULL;
    snprintf(sql, sizeof sql, "DELETE FROM %s WHERE run = ?", k->table);
    int status = ws_store_exec(store, sql, "i", run);
    if (status == WS_OK && k->features)
        status = ws_performance_frame(all, &features);
    if (status == WS_OK)
        status = insert_rows(store, k, run, features ? features : all);
    ws_frame_destroy(features);
    return status;
}

typedef struct writer {
    const ws_store *store;
    sqlite3_stmt *insert;
} writer;

static int bind_instruction(sqlite3_stmt *insert, const ws_store_listing *from, const ws_listing *l, size_t i)
{
    const ws_listed *const row = &l->row[i];
    const ws_place *const place = &l->place[row->place];
    int at = 4;
    sqlite3_bind_text(insert, 2, from->title, -1, SQLITE_STATIC);
    sqlite3_bind_text(insert, 3, from->kernel, -1, SQLITE_STATIC);
    sqlite3_bind_int64(insert, at++, (int64_t)i + 1);
    sqlite3_bind_text(insert, at++, row->text, -1, SQLITE_STATIC);
    const int64_t numbers[] = {row->line, place->line};
    for (size_t n = 0; n < 2; n++, at++) {
        if (n)
            sqlite3_bind_text(insert, at++, row->place ? place->file : NULL, -1, SQLITE_STATIC);
        if (numbers[n])
            sqlite3_bind_int64(insert, at, numbers[n]);
        else
            sqlite3_bind_null(insert, at);
    }
    int result = SQLITE_OK;
    for (unsigned c = 0; c < WS_COUNTS && result == SQLITE_OK; c++)
        result = sqlite3_bind_int64(insert, at++, (int64_t)row->count[c]);
    return result;
}

/* Instructions that were executed at all. */
static int keep_listing(void *user, const ws_store_listing *from)
{
    const writer *const w = user;
    ws_listing *l = NULL;
    bool more;
    ws_arena *const arena = ws_arena_create();
    int status = arena ? ws_listing_read(from->code, from->counts, arena, &l) : WS_EMEM;
    if (status != WS_OK)
        status = status == WS_EMEM ? no_memory(w->store) : ws_store_fail(w->store, SQLITE_CORRUPT);
    for (size_t i = 0; status == WS_OK && i < l->rows; i++) {
        if (!l->row[i].count[WS_COUNT_issues])
            continue;
        const int result = bind_instruction(w->insert, from, l, i);
        status = result == SQLITE_OK ? ws_store_step(w->store, w->insert, &more) : ws_store_fail(w->store, result);
        sqlite3_reset(w->insert);
    }
    ws_arena_destroy(arena);
    return status;
}

static int keep_instructions(const ws_store *store, int64_t run)
{
    writer w = {.store = store};
    int status = ws_store_exec(store, "DELETE FROM kept_instructions WHERE run = ?", "i", run);
    if (status == WS_OK)
        status = ws_store_prepare(store, &w.insert,
                                  "INSERT INTO kept_instructions SELECT id, workload, ?2, ?3, ?4, ?5, ?6, ?7, ?8"
#define COUNT(name, unit, definition) ", ?"
#include "metrics/instructions.def"
#undef COUNT
                                  " FROM run WHERE id = ?1",
                                  "i", run);
    if (status == WS_OK)
        status = ws_store_listings_of(store, run, keep_listing, &w);
    sqlite3_finalize(w.insert);
    return status;
}

/* What frames and listings say of the run. A failure before anything is written leaves what was kept. */
static int keep_rows(const ws_store *store, int64_t run)
{
    ws_frame *frame[] = {[WS_PER_LAUNCH] = NULL, [WS_PER_KERNEL] = NULL, [WS_PER_WORKLOAD] = NULL};
    int status = ws_store_frames_of(store, run, &frame[WS_PER_KERNEL], &frame[WS_PER_WORKLOAD]);
    for (size_t i = 0; i < KEPTS && status == WS_OK; i++)
        status = keep_frame(store, &kepts[i], run, frame[kepts[i].per]);
    if (status == WS_OK)
        status = keep_instructions(store, run);
    ws_frame_destroy(frame[WS_PER_KERNEL]);
    ws_frame_destroy(frame[WS_PER_WORKLOAD]);
    return status;
}

static bool cannot_be_read(int status)
{
    return status == WS_EVERSION || status == WS_EINPUT;
}

int ws_store_note_kept(const ws_store *store, int64_t run, int64_t mark, const char *reason)
{
    return ws_store_exec(store, "INSERT OR REPLACE INTO kept_run(run, fingerprint, reason) VALUES(?,?,?)", "iit", run,
                         mark, reason);
}

int ws_store_keep_run(const ws_store *store, int64_t run)
{
    int status = ws_store_exec(store, "SAVEPOINT keep", "");
    if (status != WS_OK)
        return status;
    status = keep_rows(store, run);
    char *const reason = cannot_be_read(status) ? strdup(ws_message()) : NULL;
    if (cannot_be_read(status))
        status = reason ? ws_store_exec(store, "ROLLBACK TO keep", "") : no_memory(store);
    if (status == WS_OK)
        status = ws_store_exec(store, "RELEASE keep", "");
    if (status == WS_OK)
        status = ws_store_note_kept(store, run, ws_store_kept_mark(), reason);
    free(reason);
    return status;
}

int ws_store_is_kept(const ws_store *store, int64_t run, int64_t mark, bool *is)
{
    sqlite3_stmt *row = NULL;
    int status = ws_store_has_table(store, "kept_run", is);
    if (status != WS_OK || !*is)
        return status;
    status = ws_store_prepare(
        store, &row, "SELECT 1 FROM kept_run WHERE run = ? AND fingerprint = ? AND reason IS NULL", "ii", run, mark);
    if (status == WS_OK)
        status = ws_store_step(store, row, is);
    sqlite3_finalize(row);
    return status;
}

/* ------------------------------------------------------------------------------------------------ bringing up */

/* The first run behind *run that has ended and is not kept as this version does; 0: none. Runs are looked for one by
 * one: keeping one changes the table. */
static int next_run(const ws_store *store, int64_t mark, int64_t *run)
{
    sqlite3_stmt *row;
    bool found = false;
    int status =
        ws_store_prepare(store, &row,
                         "SELECT id FROM run r WHERE id > ? AND status IS NOT NULL AND NOT EXISTS"
                         "(SELECT 1 FROM kept_run k WHERE k.run = r.id AND k.fingerprint = ?) ORDER BY id LIMIT 1",
                         "ii", *run, mark);
    if (status == WS_OK)
        status = ws_store_step(store, row, &found);
    *run = status == WS_OK && found ? sqlite3_column_int64(row, 0) : 0;
    sqlite3_finalize(row);
    return status;
}

/* Whether the views are those of this version. */
static int has_views(const ws_store *store, int64_t mark, bool *found)
{
    sqlite3_stmt *row = NULL;
    int status = ws_store_has_table(store, "kept_as", found);
    if (status != WS_OK || !*found)
        return status;
    status = ws_store_prepare(store, &row, "SELECT 1 FROM kept_as WHERE fingerprint = ?", "i", mark);
    if (status == WS_OK)
        status = ws_store_step(store, row, found);
    sqlite3_finalize(row);
    return status;
}

/* Within a transaction, in which nobody else writes. */
static int bring_up(const ws_store *store, int64_t mark)
{
    bool found = false;
    int64_t run = 0;
    int status = has_views(store, mark, &found);
    if (status == WS_OK && !found)
        status = make_views(store, mark);
    do {
        status = status == WS_OK ? next_run(store, mark, &run) : status;
        if (status == WS_OK && run)
            status = ws_store_keep_run(store, run);
    } while (status == WS_OK && run);
    return status;
}

static int make_if_needed(const ws_store *store)
{
    const int64_t mark = ws_store_kept_mark();
    bool found = false;
    int64_t run = 0;
    int status = has_views(store, mark, &found);
    if (status == WS_OK && found)
        status = next_run(store, mark, &run);
    if (status != WS_OK || (found && !run))
        return status;
    status = ws_store_begin_writing(store);
    return status == WS_OK ? ws_store_end(store, bring_up(store, mark)) : status;
}

int ws_store_make_kept(const ws_store *store)
{
    return make_views(store, ws_store_kept_mark());
}

/* In transactions of its own, since SQLite may take back all of one when the disk is full: what was measured is worth
 * more than a view of it. */
void ws_store_make_views(const ws_store *store)
{
    const ws_hush hush = ws_hush_begin();
    make_if_needed(store);
    ws_hush_end(&hush);
}
