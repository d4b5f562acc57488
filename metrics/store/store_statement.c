/* store_statement.c - statements of a results file, kept prepared.
 *
 * Preparing a statement costs more than running it, so those of every launch stay prepared. A transaction that writes
 * blocks SIGXFSZ once, and not for each of its statements. */
#include "metrics/store/store_internal.h"

#include "base/status.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------------ session */

ws_store_session *ws_store_session_create(void)
{
    size_t families;
    ws_metrics(&families);
    ws_store_session *const s = calloc(1, sizeof *s);
    if (s && (s->family = calloc(families + 1, sizeof *s->family)))
        return s;
    free(s);
    return NULL;
}

void ws_store_forget(const ws_store *store)
{
    ws_store_session *const s = store->session;
    size_t families;
    ws_metrics(&families);
    while (s->idles)
        sqlite3_finalize(s->idle[--s->idles]);
    memset(s->family, 0, families * sizeof *s->family);
}

void ws_store_session_destroy(ws_store_session *session)
{
    free(session->family);
    free(session);
}

/* ------------------------------------------------------------------------------------------------ parameters */

static int bind(sqlite3_stmt *statement, const char *types, va_list args)
{
    int result = SQLITE_OK;
    for (int i = 1; *types && result == SQLITE_OK; i++, types++) {
        if (*types == 'i') {
            result = sqlite3_bind_int64(statement, i, va_arg(args, int64_t));
        } else if (*types == 'd') {
            result = sqlite3_bind_double(statement, i, va_arg(args, double));
        } else if (*types == 't') {
            result = sqlite3_bind_text(statement, i, va_arg(args, const char *), -1, SQLITE_STATIC);
        } else {
            const void *const blob = va_arg(args, const void *);
            result = sqlite3_bind_blob64(statement, i, blob, va_arg(args, size_t), SQLITE_STATIC);
        }
    }
    return result;
}

/* A kept statement with that text, which is taken from among the idle ones; NULL: there is none. */
static sqlite3_stmt *find_idle(ws_store_session *s, const char *sql)
{
    for (size_t i = s->idles; i-- > 0;) {
        sqlite3_stmt *const statement = s->idle[i];
        if (strcmp(sqlite3_sql(statement), sql) != 0)
            continue;
        memmove(&s->idle[i], &s->idle[i + 1], (--s->idles - i) * sizeof *s->idle);
        return statement;
    }
    return NULL;
}

static int prepare(const ws_store *store, bool kept, sqlite3_stmt **out, const char *sql, const char *types,
                   va_list args)
{
    *out = kept ? find_idle(store->session, sql) : NULL;
    int result =
        *out ? SQLITE_OK : sqlite3_prepare_v3(store->db, sql, -1, kept ? SQLITE_PREPARE_PERSISTENT : 0, out, NULL);
    if (result == SQLITE_OK)
        result = bind(*out, types, args);
    if (result == SQLITE_OK)
        return WS_OK;
    const int status = ws_store_fail(store, result);
    sqlite3_finalize(*out);
    *out = NULL;
    return status;
}

int ws_store_prepare(const ws_store *store, sqlite3_stmt **out, const char *sql, const char *types, ...)
{
    va_list args;
    va_start(args, types);
    const int status = prepare(store, false, out, sql, types, args);
    va_end(args);
    return status;
}

int ws_store_take(const ws_store *store, sqlite3_stmt **out, const char *sql, const char *types, ...)
{
    va_list args;
    va_start(args, types);
    const int status = prepare(store, true, out, sql, types, args);
    va_end(args);
    return status;
}

void ws_store_put(const ws_store *store, sqlite3_stmt *statement)
{
    ws_store_session *const s = store->session;
    if (!statement)
        return;
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement); /* the caller's texts go */
    if (s->idles == WS_STORE_IDLE) {
        sqlite3_finalize(s->idle[0]);
        memmove(&s->idle[0], &s->idle[1], --s->idles * sizeof *s->idle);
    }
    s->idle[s->idles++] = statement;
}

/* ------------------------------------------------------------------------------------------------ execution */

int ws_store_step(const ws_store *store, sqlite3_stmt *statement, bool *row)
{
    const int result = sqlite3_step(statement);
    *row = result == SQLITE_ROW;
    return result == SQLITE_ROW || result == SQLITE_DONE ? WS_OK : ws_store_fail(store, result);
}

static int run(const ws_store *store, sqlite3_stmt *statement)
{
    const bool writing = store->session->writing;
    const ws_hush hush = writing ? (ws_hush){0} : ws_hush_begin();
    int status = WS_OK;
    bool row = true;
    while (status == WS_OK && row)
        status = ws_store_step(store, statement, &row);
    if (!writing)
        ws_hush_end(&hush);
    return status;
}

int ws_store_exec(const ws_store *store, const char *sql, const char *types, ...)
{
    sqlite3_stmt *statement;
    va_list args;
    va_start(args, types);
    int status = prepare(store, false, &statement, sql, types, args);
    va_end(args);
    if (status == WS_OK)
        status = run(store, statement);
    sqlite3_finalize(statement);
    return status;
}

int ws_store_repeat(const ws_store *store, const char *sql, const char *types, ...)
{
    sqlite3_stmt *statement;
    va_list args;
    va_start(args, types);
    int status = prepare(store, true, &statement, sql, types, args);
    va_end(args);
    if (status == WS_OK)
        status = run(store, statement);
    ws_store_put(store, statement);
    return status;
}

/* ------------------------------------------------------------------------------------------------ transactions */

int ws_store_begin_writing(const ws_store *store)
{
    ws_store_session *const s = store->session;
    s->hush = ws_hush_begin();
    s->writing = true;
    const int status = ws_store_repeat(store, "BEGIN IMMEDIATE", "");
    if (status == WS_OK)
        return WS_OK;
    s->writing = false;
    ws_hush_end(&s->hush);
    return status;
}

/* Numbers of families that were looked up in the transaction may not exist. */
static void roll_back(const ws_store *store)
{
    sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL); /* the message of the first failure stays */
    ws_store_forget(store);
}

int ws_store_end(const ws_store *store, int status)
{
    ws_store_session *const s = store->session;
    const ws_hush hush = s->writing ? s->hush : ws_hush_begin();
    s->writing = true;
    if (status == WS_OK)
        status = ws_store_repeat(store, "COMMIT", "");
    if (status != WS_OK)
        roll_back(store);
    s->writing = false;
    ws_hush_end(&hush);
    return status;
}
