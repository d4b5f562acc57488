/* store_write.c - how do results get into the file so that a kill at any moment loses no finished one?
 *
 * A transaction waits for the disk several times, which takes longer than many a launch. Since a run counts only when it
 * is finished, its launches gather in memory and go into the file together: when there are many, and at the end. */
#include "metrics/store/store_internal.h"

#include "base/status.h"
#include "metrics/study.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

void ws_store_signature(const ws_metric *metric, char text[WS_SIGNATURE_BYTES])
{
    XXH64_hash_t hash = 0;
    for (const ws_counter *c = metric->counters; c->name; c++) {
        char line[128];
        const int n = snprintf(line, sizeof line, "%s %d %u", c->name, (int)c->combine, c->count ? c->count : 1);
        hash = XXH64(line, (size_t)n < sizeof line ? (size_t)n : sizeof line - 1, hash);
    }
    snprintf(text, WS_SIGNATURE_BYTES, "%016llx", (unsigned long long)hash);
}

void ws_store_encode(const double *counter, size_t n, unsigned char *blob)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t bits;
        memcpy(&bits, &counter[i], sizeof bits);
        bits = htole64(bits);
        memcpy(blob + i * sizeof bits, &bits, sizeof bits);
    }
}

int64_t ws_store_checksum(const void *blob, size_t bytes)
{
    return (int64_t)XXH64(blob, bytes, 0);
}

int ws_store_decode(const ws_store *store, const void *blob, size_t bytes, int64_t checksum, size_t n, double *counter)
{
    if (bytes != n * sizeof *counter || ws_store_checksum(blob, bytes) != checksum)
        return ws_store_fail(store, SQLITE_CORRUPT);
    for (size_t i = 0; i < n; i++) {
        uint64_t bits;
        memcpy(&bits, (const unsigned char *)blob + i * sizeof bits, sizeof bits);
        bits = le64toh(bits);
        memcpy(&counter[i], &bits, sizeof bits);
    }
    return WS_OK;
}

enum { PENDING_BYTES = 1 << 20 }; /* write down when so much has gathered */

/* Runs of the workload that were begun and not finished, by processes that are gone (or by this one). */
static int remove_abandoned(const ws_store *store, const char *workload)
{
    sqlite3_stmt *open_runs;
    bool row = true;
    int status = ws_store_prepare(store, &open_runs, "SELECT id, owner FROM run WHERE workload = ? AND status IS NULL",
                                  "t", workload);
    while (status == WS_OK && (status = ws_store_step(store, open_runs, &row)) == WS_OK && row)
        if (!ws_store_owner_lives_elsewhere(ws_store_text(open_runs, 1)))
            status = ws_store_exec(store, "DELETE FROM run WHERE id = ?", "i", (int64_t)sqlite3_column_int64(open_runs, 0));
    sqlite3_finalize(open_runs);
    return status;
}

int ws_store_begin(ws_store *store, const ws_store_run *run, int64_t *id)
{
    char owner[WS_OWNER_BYTES], seed[24];
    ws_store_owner(owner);
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)run->seed);
    int status = ws_store_exec(store, "BEGIN IMMEDIATE", "");
    if (status != WS_OK)
        return status;
    status = remove_abandoned(store, run->workload);
    if (status == WS_OK)
        status = ws_store_exec(store,
                               "INSERT INTO run(workload, scale, seed, command, version, owner) VALUES(?,?,?,?,?,?)",
                               "tttttt", run->workload, run->scale, seed, run->command ? run->command : "", WS_VERSION,
                               owner);
    *id = sqlite3_last_insert_rowid(store->db);
    return ws_store_end(store, status);
}

/* Whether a run is still being written; another process may have taken it for abandoned. */
static int find_open_run(const ws_store *store, int64_t id, bool *open)
{
    sqlite3_stmt *statement;
    int status = ws_store_prepare(store, &statement, "SELECT 1 FROM run WHERE id = ? AND status IS NULL", "i", id);
    if (status == WS_OK)
        status = ws_store_step(store, statement, open);
    sqlite3_finalize(statement);
    return status;
}

/* The number of a family's layout in the file. */
static int family_id(const ws_store *store, const ws_metric *metric, int64_t *id)
{
    char signature[WS_SIGNATURE_BYTES];
    const int64_t counters = (int64_t)ws_metric_counters(metric);
    sqlite3_stmt *statement;
    bool row;
    ws_store_signature(metric, signature);
    int status = ws_store_exec(store, "INSERT OR IGNORE INTO family(name, counters, signature) VALUES(?,?,?)", "tit",
                               metric->sink.name, counters, signature);
    if (status != WS_OK)
        return status;
    status = ws_store_prepare(store, &statement,
                              "SELECT id FROM family WHERE name = ? AND counters = ? AND signature = ?", "tit",
                              metric->sink.name, counters, signature);
    if (status == WS_OK)
        status = ws_store_step(store, statement, &row);
    *id = status == WS_OK && row ? sqlite3_column_int64(statement, 0) : 0;
    sqlite3_finalize(statement);
    return status;
}

static int add_counters(const ws_store *store, int64_t launch, const ws_metric *metric, const double *counter)
{
    const size_t n = ws_metric_counters(metric), bytes = n * sizeof *counter;
    int64_t family;
    int status = family_id(store, metric, &family);
    if (status != WS_OK)
        return status;
    unsigned char *const blob = malloc(bytes + 1);
    if (!blob)
        return ws_fail(WS_EMEM, "%s: no memory", store->path);
    ws_store_encode(counter, n, blob);
    status = ws_store_exec(store, "INSERT INTO counter(launch, family, checksum, data) VALUES(?,?,?,?)", "iiib", launch,
                           family, ws_store_checksum(blob, bytes), (const void *)blob, bytes);
    free(blob);
    return status;
}

static int add_launch_row(const ws_store *store, const pending_launch *p)
{
    const ws_launch *const l = &p->launch;
    return ws_store_exec(store,
                         "INSERT INTO launch(run, sequence, kernel, grid_x, grid_y, grid_z, block_x, block_y, block_z,"
                         " registers, shared_bytes, local_bytes, const_bytes, warp_instructions, thread_instructions,"
                         " seconds) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
                         "iitiiiiiiiiiiiid", p->run, (int64_t)l->sequence, l->kernel, (int64_t)l->grid[0],
                         (int64_t)l->grid[1], (int64_t)l->grid[2], (int64_t)l->block[0], (int64_t)l->block[1],
                         (int64_t)l->block[2], (int64_t)l->registers, (int64_t)l->shared_bytes, (int64_t)l->local_bytes,
                         (int64_t)l->const_bytes, (int64_t)p->warp_instructions, (int64_t)p->thread_instructions,
                         p->seconds);
}

static int write_launch(const ws_store *store, const pending_launch *p)
{
    bool open = false;
    int status = find_open_run(store, p->run, &open);
    if (status != WS_OK || !open) /* a run that was replaced hears of it when it is finished */
        return status;
    status = add_launch_row(store, p);
    const int64_t row = sqlite3_last_insert_rowid(store->db);
    const double *counter = p->counter;
    for (size_t i = 0; i < p->families && status == WS_OK; i++) {
        status = add_counters(store, row, p->metric[i], counter);
        counter += ws_metric_counters(p->metric[i]);
    }
    return status;
}

/* Writes all pending launches, in the caller's transaction. They are dropped when that is committed. */
static int write_pending(const ws_store *store)
{
    int status = WS_OK;
    for (const pending_launch *p = store->first; p && status == WS_OK; p = p->next)
        status = write_launch(store, p);
    return status;
}

void ws_store_drop_pending(ws_store *store)
{
    for (pending_launch *p = store->first, *next; p; p = next) {
        next = p->next;
        free(p);
    }
    store->first = store->last = NULL;
    store->pending_bytes = 0;
}

int ws_store_flush(ws_store *store)
{
    if (!store->first)
        return WS_OK;
    int status = ws_store_exec(store, "BEGIN IMMEDIATE", "");
    if (status != WS_OK)
        return status;
    status = ws_store_end(store, write_pending(store));
    if (status == WS_OK)
        ws_store_drop_pending(store);
    return status;
}

/* A copy of everything that is worth keeping of a launch, in one allocation; NULL when memory is short. */
static pending_launch *make_pending(const ws_launch *launch, const ws_collector *collector, size_t *bytes)
{
    size_t families, counters = 0;
    ws_collector_sinks(collector, &families);
    for (size_t i = 0; i < families; i++)
        counters += ws_metric_counters(ws_collector_metric(collector, i));
    const size_t name = strlen(launch->kernel) + 1;
    *bytes = sizeof(pending_launch) + families * sizeof(ws_metric *) + counters * sizeof(double) + name;
    pending_launch *const p = calloc(1, *bytes);
    if (!p)
        return NULL;
    p->launch = *launch;
    p->launch.instr = NULL;
    p->families = families;
    p->metric = (const ws_metric **)(p + 1);
    p->counter = (double *)(p->metric + families);
    char *const kernel = (char *)(p->counter + counters);
    p->launch.kernel = memcpy(kernel, launch->kernel, name);
    double *counter = p->counter;
    for (size_t i = 0; i < families; i++) {
        const size_t n = ws_metric_counters(p->metric[i] = ws_collector_metric(collector, i));
        memcpy(counter, ws_collector_counters(collector, i), n * sizeof *counter);
        counter += n;
    }
    return p;
}

int ws_store_add_launch(ws_store *store, int64_t id, const ws_launch *launch, double seconds, uint64_t warp_instructions,
                        uint64_t thread_instructions, const ws_collector *collector)
{
    const int status = store->pending_bytes >= PENDING_BYTES ? ws_store_flush(store) : WS_OK;
    if (status != WS_OK)
        return status;
    size_t bytes;
    pending_launch *const p = make_pending(launch, collector, &bytes);
    if (!p)
        return ws_fail(WS_EMEM, "%s: no memory", store->path);
    p->run = id;
    p->seconds = seconds;
    p->warp_instructions = warp_instructions;
    p->thread_instructions = thread_instructions;
    if (store->last)
        store->last->next = p;
    else
        store->first = p;
    store->last = p;
    store->pending_bytes += bytes;
    return WS_OK;
}

/* Where the counter of that name stands in the family's vector, or -1. */
static long find_counter(const ws_metric *metric, const char *name)
{
    long at = 0;
    for (const ws_counter *c = metric->counters; c->name; at += c->count ? c->count : 1, c++)
        if (strcmp(c->name, name) == 0)
            return at;
    return -1;
}

int ws_store_add_copy(ws_store *store, int64_t id, uint64_t h2d_bytes, uint64_t d2h_bytes)
{
    pending_launch *last = NULL; /* the last launch is always pending */
    for (pending_launch *p = store->first; p; p = p->next)
        last = p->run == id ? p : last;
    double *counter = last ? last->counter : NULL;
    for (size_t i = 0; last && i < last->families; i++) {
        const ws_metric *const m = last->metric[i];
        const long up = find_counter(m, WS_COUNTER_H2D), down = find_counter(m, WS_COUNTER_D2H);
        if (up >= 0)
            counter[up] += (double)h2d_bytes;
        if (down >= 0)
            counter[down] += (double)d2h_bytes;
        counter += ws_metric_counters(m);
    }
    return WS_OK; /* also without a launch: then no row could show them */
}

static int finish_run(const ws_store *store, int64_t id, const char *run_status, double seconds)
{
    bool open = false;
    int status = find_open_run(store, id, &open);
    if (status == WS_OK && !open)
        return ws_fail(WS_ENOTFOUND, "%s: run %lld is not in progress; another process replaced it", store->path,
                       (long long)id);
    if (status == WS_OK)
        status = write_pending(store);
    if (status == WS_OK)
        status = ws_store_exec(store, "UPDATE run SET status = ?, seconds = ? WHERE id = ?", "tdi", run_status, seconds, id);
    if (status == WS_OK)
        status = ws_store_exec(store,
                               "DELETE FROM run WHERE status IS NOT NULL AND id <> ?"
                               " AND workload = (SELECT workload FROM run WHERE id = ?)", "ii", id, id);
    return status;
}

int ws_store_finish(ws_store *store, int64_t id, const char *run_status, double seconds)
{
    int status = ws_store_exec(store, "BEGIN IMMEDIATE", "");
    if (status != WS_OK)
        return status;
    status = ws_store_end(store, finish_run(store, id, run_status, seconds));
    if (status == WS_OK)
        ws_store_drop_pending(store);
    return status;
}

/* Whether a run holds counters of a known family in a layout that this program does not have. */
static int is_readable(const ws_store *store, int64_t run, int *readable)
{
    size_t n;
    const ws_metric *const *const all = ws_metrics(&n);
    int status = WS_OK;
    *readable = 1;
    for (size_t i = 0; i < n && status == WS_OK && *readable; i++) {
        char signature[WS_SIGNATURE_BYTES];
        sqlite3_stmt *other;
        bool row = false;
        ws_store_signature(all[i], signature);
        status = ws_store_prepare(store, &other,
                                  "SELECT 1 FROM counter c JOIN family f ON f.id = c.family"
                                  " JOIN launch l ON l.id = c.launch"
                                  " WHERE l.run = ? AND f.name = ? AND f.signature <> ? LIMIT 1",
                                  "itt", run, all[i]->sink.name, signature);
        if (status == WS_OK)
            status = ws_store_step(store, other, &row);
        sqlite3_finalize(other);
        *readable = !row;
    }
    return status;
}

int ws_store_is_done(ws_store *store, const char *workload, const char *scale, uint64_t seed, int *done)
{
    char text[24];
    sqlite3_stmt *statement;
    bool row = false;
    int64_t run = 0;
    *done = 0;
    snprintf(text, sizeof text, "%llu", (unsigned long long)seed);
    int status = ws_store_prepare(store, &statement,
                                  "SELECT id FROM run WHERE workload = ? AND scale = ? AND seed = ? AND status = 'done'",
                                  "ttt", workload, scale, text);
    if (status == WS_OK)
        status = ws_store_step(store, statement, &row);
    if (row)
        run = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return status == WS_OK && row ? is_readable(store, run, done) : status;
}
