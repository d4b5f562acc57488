/* store_runs.c - which runs does the file keep, and which of them are shown?
 *
 * Nothing that was measured is lost to a later run of the same workload: runs stay until somebody removes them. Frames
 * show of each workload the last run that counts, and say of a later one that failed that it did. */
#include "metrics/store/store_internal.h"
#include "metrics/store/store_shown.h"

#include "base/status.h"

#define RUN \
    "SELECT id, workload, scale, seed, command, version, status, checksum, partial, selection, sampling FROM run r"

/* CROSS JOIN keeps SQLite to this order: it goes through the runs once, and looks up workloads. */
int ws_store_prepare_runs(const ws_store *store, sqlite3_stmt **out)
{
    return store->chosen ? ws_store_prepare(store, out, RUN " WHERE id = ?", "i", store->chosen)
                         : ws_store_prepare(store, out,
                                            RUN " CROSS JOIN " WS_STORE_SHOWN " s ON s.of = workload WHERE id = s.run"
                                                " OR (id > s.run AND status <> 'done' AND NOT partial)"
                                                " ORDER BY workload, id",
                                            "");
}

int ws_store_choose(ws_store *store, int64_t run)
{
    sqlite3_stmt *row;
    bool found = false;
    int status = ws_store_prepare(store, &row, "SELECT 1 FROM run WHERE id = ?", "i", run);
    if (status == WS_OK)
        status = ws_store_step(store, row, &found);
    sqlite3_finalize(row);
    if (status == WS_OK && !found)
        return ws_fail(WS_ENOTFOUND, "%s: there is no run %lld in it (`warpscape runs` lists them)", store->path,
                       (long long)run);
    store->chosen = run;
    return status;
}

int ws_store_open_run(const char *path, int64_t run, ws_store **out)
{
    int status = ws_store_open(path, false, out);
    if (status == WS_OK && run)
        status = ws_store_choose(*out, run);
    if (status == WS_OK)
        return WS_OK;
    ws_store_close(*out);
    *out = NULL;
    return status;
}

static void read_run(sqlite3_stmt *row, ws_store_about *out)
{
    *out = (ws_store_about){.number = sqlite3_column_int64(row, 0),
                            .workload = ws_store_text(row, 1),
                            .scale = ws_store_text(row, 2),
                            .seed = ws_store_text(row, 3),
                            .command = ws_store_text(row, 4),
                            .status = ws_store_text(row, 5),
                            .selection = ws_store_text(row, 6),
                            .launches = sqlite3_column_int64(row, 7),
                            .measured = sqlite3_column_int64(row, 8),
                            .shown = sqlite3_column_int(row, 9) != 0};
    if (sqlite3_column_type(row, 5) == SQLITE_NULL)
        out->status = ws_store_owner_lives_elsewhere(ws_store_text(row, 10)) ? "in progress" : "not finished";
}

static int see_all(const ws_store *store, int (*see)(void *, const ws_store_about *), void *user)
{
    sqlite3_stmt *row;
    bool more = true;
    int status =
        ws_store_prepare(store, &row,
                         "SELECT id, workload, scale, seed, command, status, selection,"
                         " (SELECT count(*) FROM launch l WHERE l.run = r.id),"
                         " (SELECT count(*) FROM launch l WHERE l.run = r.id AND l.measured), id = s.run, owner"
                         " FROM run r CROSS JOIN " WS_STORE_SHOWN " s ON s.of = workload ORDER BY id",
                         "");
    while (status == WS_OK && (status = ws_store_step(store, row, &more)) == WS_OK && more) {
        ws_store_about about;
        read_run(row, &about);
        status = see(user, &about);
    }
    sqlite3_finalize(row);
    return status;
}

int ws_store_runs(ws_store *store, int (*see)(void *user, const ws_store_about *run), void *user)
{
    const int status = ws_store_begin_reading(store);
    return status == WS_OK ? ws_store_end(store, see_all(store, see, user)) : status;
}

/* Whether a process that lives, other than this one, is writing the run. WS_ENOTFOUND when there is none. */
static int require_idle(const ws_store *store, int64_t run)
{
    sqlite3_stmt *row;
    bool found = false, busy = false;
    int status = ws_store_prepare(store, &row, "SELECT status IS NULL, owner FROM run WHERE id = ?", "i", run);
    if (status == WS_OK)
        status = ws_store_step(store, row, &found);
    if (found)
        busy = sqlite3_column_int(row, 0) && ws_store_owner_lives_elsewhere(ws_store_text(row, 1));
    sqlite3_finalize(row);
    if (status == WS_OK && !found)
        return ws_fail(WS_ENOTFOUND, "%s: there is no run %lld in it (`warpscape runs` lists them)", store->path,
                       (long long)run);
    return status == WS_OK && busy
               ? ws_fail(WS_EBUSY, "%s: run %lld is in progress; wait for it, or end it", store->path, (long long)run)
               : status;
}

int ws_store_remove(ws_store *store, const int64_t *runs, size_t n)
{
    int status = ws_store_begin_writing(store);
    if (status != WS_OK)
        return status;
    for (size_t i = 0; i < n && status == WS_OK; i++) {
        status = require_idle(store, runs[i]);
        if (status == WS_OK)
            status = ws_store_exec(store, "DELETE FROM run WHERE id = ?", "i", runs[i]);
    }
    status = ws_store_end(store, status);
    if (status == WS_OK) /* gives the room back; another process that reads may keep it from doing so */
        sqlite3_exec(store->db, "VACUUM", NULL, NULL, NULL);
    return status;
}

int ws_store_measured(const ws_store *store, int64_t run, bool *any)
{
    sqlite3_stmt *row;
    int status =
        ws_store_prepare(store, &row, "SELECT 1 FROM run r WHERE id = ? AND " WS_STORE_MEASURED("r"), "i", run);
    if (status == WS_OK)
        status = ws_store_step(store, row, any);
    sqlite3_finalize(row);
    return status;
}

int ws_store_unfinished_counts(const ws_store *store, int64_t run, bool *counts)
{
    sqlite3_stmt *row;
    int status = ws_store_prepare(
        store, &row, "SELECT 1 FROM run o WHERE id = ? AND " WS_STORE_UNFINISHED " AND " WS_STORE_MEASURED("o"), "i",
        run);
    if (status == WS_OK)
        status = ws_store_step(store, row, counts);
    sqlite3_finalize(row);
    return status;
}

/* A partial run that was abandoned ends where it is; others are of no use. */
int ws_store_end_abandoned(const ws_store *store, int64_t run)
{
    bool counts = false;
    int64_t checksum = 0;
    int status = ws_store_unfinished_counts(store, run, &counts);
    if (status != WS_OK || !counts)
        return status != WS_OK ? status : ws_store_exec(store, "DELETE FROM run WHERE id = ?", "i", run);
    status = ws_store_exec(store, "UPDATE run SET status = 'not finished', seconds = 0 WHERE id = ?", "i", run);
    if (status == WS_OK)
        status = ws_store_run_checksum(store, run, &checksum);
    return status == WS_OK ? ws_store_exec(store, "UPDATE run SET checksum = ? WHERE id = ?", "ii", checksum, run)
                           : status;
}
