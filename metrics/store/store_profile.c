/* store_profile.c - profiles of launches, for models.
 *
 * They have a table of their own, which is made with the first of them: a file without profiles is what it was before
 * there were any. Each has a checksum; the bytes begin with a version that the model checks. */
#include "metrics/store/store_internal.h"

#include "base/status.h"

const char ws_store_profile_table[] =
    "CREATE TABLE IF NOT EXISTS profile("
    " launch INTEGER PRIMARY KEY REFERENCES launch(id) ON DELETE CASCADE, checksum INTEGER NOT "
    "NULL, data BLOB NOT NULL)";

int ws_store_add_profile(const ws_store *store, int64_t launch, const ws_collector *collector)
{
    size_t length;
    const void *const data = ws_collector_profile(collector, &length);
    if (!data)
        return WS_OK;
    const int status = ws_store_repeat(store, ws_store_profile_table, "");
    return status ? status
                  : ws_store_repeat(store, "INSERT INTO profile(launch, checksum, data) VALUES(?,?,?)", "iib", launch,
                                    ws_store_checksum(data, length), data, length);
}

/* What the caller of ws_store_profiles wants, and what was there. */
typedef struct visit {
    int (*see)(void *user, const ws_store_profile *profile);
    void *user;
    uint64_t seen, missing; /* launches with and without a profile */
} visit;

static int see_row(const ws_store *store, sqlite3_stmt *row, visit *v)
{
    const ws_store_profile p = {.workload = ws_store_text(row, 0),
                                .scale = ws_store_text(row, 1),
                                .seed = ws_store_text(row, 2),
                                .kernel = ws_store_text(row, 3),
                                .sequence = (uint64_t)sqlite3_column_int64(row, 4),
                                .data = sqlite3_column_blob(row, 6),
                                .length = (size_t)sqlite3_column_bytes(row, 6)};
    if (!p.data) {
        v->missing++;
        return WS_OK;
    }
    if (ws_store_checksum(p.data, p.length) != sqlite3_column_int64(row, 5))
        return ws_store_fail(store, SQLITE_CORRUPT);
    v->seen++;
    return v->see(v->user, &p);
}

/* Of a run: the row of prepare_runs. */
static int see_run(const ws_store *store, sqlite3_stmt *run, bool found, visit *v)
{
    sqlite3_stmt *row;
    bool more = true;
    int status =
        ws_store_prepare(store, &row,
                         found ? "SELECT r.workload, r.scale, r.seed, l.kernel, l.sequence, p.checksum, p.data"
                                 " FROM run r JOIN launch l ON l.run = r.id LEFT JOIN profile p ON p.launch = l.id"
                                 " WHERE r.id = ? AND l.measured ORDER BY l.sequence, l.id"
                               : "SELECT '', '', '', '', 0, 0, NULL FROM launch l WHERE l.run = ? AND l.measured",
                         "i", (int64_t)sqlite3_column_int64(run, 0));
    while (status == WS_OK && (status = ws_store_step(store, row, &more)) == WS_OK && more)
        status = see_row(store, row, v);
    sqlite3_finalize(row);
    return status;
}

static int see_runs(const ws_store *store, visit *v)
{
    bool found = false, more = true;
    sqlite3_stmt *run = NULL;
    int status = ws_store_has_table(store, "profile", &found);
    if (status == WS_OK)
        status = ws_store_prepare_runs(store, &run);
    while (status == WS_OK && (status = ws_store_next_shown(store, run, &more)) == WS_OK && more)
        if (sqlite3_column_type(run, 6) != SQLITE_NULL)
            status = see_run(store, run, found, v);
    sqlite3_finalize(run);
    return status;
}

int ws_store_profiles(ws_store *store, int (*see)(void *user, const ws_store_profile *profile), void *user,
                      uint64_t *missing)
{
    visit v = {.see = see, .user = user};
    *missing = 0;
    int status = ws_store_begin_reading(store);
    if (status != WS_OK)
        return status;
    status = ws_store_end(store, see_runs(store, &v));
    *missing = v.missing;
    if (status == WS_OK && !v.seen)
        return ws_fail(
            WS_ENOTFOUND,
            "%s: no launch in it has a profile; run the programs again with --profile (suite run, exec or replay)",
            store->path);
    return status;
}
