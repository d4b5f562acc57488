/* store_write.c - how do results get into the file so that a kill at any moment loses no finished one? */
#include "metrics/store/store_internal.h"

#include "base/bits.h"
#include "base/demangle.h"
#include "base/status.h"
#include "metrics/study_metrics.h"

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
        for (unsigned i = 0; c->bins && i + 1 < c->count; i++) {
            const uint64_t edge = htole64(ws_f64_bits(ws_bins_edges((ws_bins)(c->bins - 1))[i]));
            hash = XXH64(&edge, sizeof edge, hash);
        }
    }
    snprintf(text, WS_SIGNATURE_BYTES, "%016llx", (unsigned long long)hash);
}

/* Little-endian doubles. */
static void encode(const double *counter, size_t n, unsigned char *blob)
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

/* Runs of the workload that were begun and not finished, by processes that are gone (or by this one). */
static int end_abandoned(const ws_store *store, const char *workload)
{
    sqlite3_stmt *open_runs;
    bool row = true;
    int status = ws_store_prepare(store, &open_runs, "SELECT id, owner FROM run WHERE workload = ? AND status IS NULL",
                                  "t", workload);
    while (status == WS_OK && (status = ws_store_step(store, open_runs, &row)) == WS_OK && row)
        if (!ws_store_owner_lives_elsewhere(ws_store_text(open_runs, 1)))
            status = ws_store_end_abandoned(store, (int64_t)sqlite3_column_int64(open_runs, 0));
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
    status = end_abandoned(store, run->workload);
    if (status == WS_OK)
        status = ws_store_exec(store,
                               "INSERT INTO run(workload, scale, seed, command, version, owner, partial, selection)"
                               " VALUES(?,?,?,?,?,?,?,?)",
                               "ttttttit", run->workload, run->scale, seed, run->command ? run->command : "",
                               WS_VERSION, owner, (int64_t)run->partial, run->selection);
    *id = sqlite3_last_insert_rowid(store->db);
    status = ws_store_end(store, status);
    if (status == WS_OK)
        ws_store_make_views(store); /* of runs that were ended here */
    return status;
}

/* A run that is still being written; another process may have taken it for abandoned. */
static int require_open_run(const ws_store *store, int64_t id)
{
    sqlite3_stmt *statement;
    bool row = false;
    int status = ws_store_prepare(store, &statement, "SELECT 1 FROM run WHERE id = ? AND status IS NULL", "i", id);
    if (status == WS_OK)
        status = ws_store_step(store, statement, &row);
    sqlite3_finalize(statement);
    if (status == WS_OK && !row)
        return ws_fail(WS_ENOTFOUND, "%s: run %lld is not in progress; another process replaced it", store->path,
                       (long long)id);
    return status;
}

int ws_store_family(const ws_store *store, const char *name, int64_t counters, const char *signature, int64_t *id)
{
    sqlite3_stmt *statement;
    bool row = false;
    int status = ws_store_exec(store, "INSERT OR IGNORE INTO family(name, counters, signature) VALUES(?,?,?)", "tit",
                               name, counters, signature);
    if (status != WS_OK)
        return status;
    status =
        ws_store_prepare(store, &statement, "SELECT id FROM family WHERE name = ? AND counters = ? AND signature = ?",
                         "tit", name, counters, signature);
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
    char signature[WS_SIGNATURE_BYTES];
    ws_store_signature(metric, signature);
    int status = ws_store_family(store, metric->sink.name, (int64_t)n, signature, &family);
    if (status != WS_OK)
        return status;
    unsigned char *const blob = malloc(bytes + 1);
    if (!blob)
        return ws_fail(WS_EMEM, "%s: no memory", store->path);
    encode(counter, n, blob);
    status = ws_store_exec(store, "INSERT INTO counter(launch, family, checksum, data) VALUES(?,?,?,?)", "iiib", launch,
                           family, ws_store_checksum(blob, bytes), (const void *)blob, bytes);
    free(blob);
    return status;
}

static int add_launch_row(const ws_store *store, int64_t run, const ws_launch *l, double seconds,
                          uint64_t warp_instructions, uint64_t thread_instructions)
{
    return ws_store_exec(store,
                         "INSERT INTO launch(run, sequence, kernel, grid_x, grid_y, grid_z, block_x, block_y, block_z,"
                         " registers, shared_bytes, local_bytes, const_bytes, warp_instructions, thread_instructions,"
                         " seconds, parent) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,nullif(?, -1))",
                         "iitiiiiiiiiiiiidi", run, (int64_t)l->sequence, l->kernel, (int64_t)l->grid[0],
                         (int64_t)l->grid[1], (int64_t)l->grid[2], (int64_t)l->block[0], (int64_t)l->block[1],
                         (int64_t)l->block[2], (int64_t)l->registers, (int64_t)l->shared_bytes, (int64_t)l->local_bytes,
                         (int64_t)l->const_bytes, (int64_t)warp_instructions, (int64_t)thread_instructions, seconds,
                         l->is_child ? (int64_t)l->parent : (int64_t)-1);
}

static int add_all_counters(const ws_store *store, int64_t row, const ws_collector *collector)
{
    size_t families;
    int status = WS_OK;
    ws_collector_sinks(collector, &families);
    for (size_t i = 0; i < families && status == WS_OK; i++)
        status = add_counters(store, row, ws_collector_metric(collector, i), ws_collector_counters(collector, i));
    return status == WS_OK ? ws_store_add_profile(store, row, collector) : status;
}

/* What is known beyond the row of any launch. */
static int add_details(const ws_store *store, int64_t row, const ws_store_launch *l)
{
    return ws_store_exec(store,
                         "UPDATE launch SET title = ?, dynamic_shared = nullif(?, -1), h2d = nullif(?, -1),"
                         " d2h = nullif(?, -1), d2d = nullif(?, -1), filled = nullif(?, -1), process = ?, measured = "
                         "?, stratum = nullif(?, -1), slice = nullif(?, -1) WHERE id = ?",
                         "tiiiiiiiiii", l->title, l->dynamic_shared, l->h2d, l->d2h, l->d2d, l->filled, l->process,
                         (int64_t)(l->collector != NULL), l->stratum, l->slice, row);
}

int ws_store_add(ws_store *store, int64_t id, const ws_store_launch *l)
{
    int status = ws_store_exec(store, "BEGIN IMMEDIATE", "");
    if (status != WS_OK)
        return status;
    status = require_open_run(store, id);
    if (status == WS_OK)
        status = add_launch_row(store, id, l->launch, l->seconds, l->warp_instructions, l->thread_instructions);
    const int64_t row = sqlite3_last_insert_rowid(store->db);
    if (status == WS_OK)
        status = add_details(store, row, l);
    if (status == WS_OK && l->collector)
        status = add_all_counters(store, row, l->collector);
    if (status == WS_OK)
        status = ws_store_add_listing(store, id, l);
    if (status == WS_OK)
        status = ws_store_seal(store, row);
    return ws_store_end(store, status);
}

int ws_store_add_launch(ws_store *store, int64_t id, const ws_launch *launch, double seconds,
                        uint64_t warp_instructions, uint64_t thread_instructions, const ws_collector *collector)
{
    char *const title = ws_demangle(launch->kernel);
    const ws_store_launch all = {.launch = launch,
                                 .seconds = seconds,
                                 .warp_instructions = warp_instructions,
                                 .thread_instructions = thread_instructions,
                                 .collector = collector,
                                 .title = title,
                                 .dynamic_shared = -1,
                                 .h2d = (int64_t)launch->h2d_bytes,
                                 .d2h = ws_isa_is_sass(launch->isa) ? -1 : (int64_t)launch->d2h_bytes,
                                 .d2d = -1,
                                 .filled = -1,
                                 .stratum = -1,
                                 .slice = -1};
    const int status = title ? ws_store_add(store, id, &all) : ws_fail(WS_EMEM, "%s: no memory", store->path);
    free(title);
    return status;
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

/* Adds to two counters of the row of `counter` that the statement (id, checksum, data, launch) stands on. */
static int add_to_row(const ws_store *store, sqlite3_stmt *row, const ws_metric *metric, double h2d, double d2h)
{
    const size_t n = ws_metric_counters(metric), bytes = n * sizeof(double);
    const long up = find_counter(metric, WS_COUNTER_H2D), down = find_counter(metric, WS_COUNTER_D2H);
    double *const counter = malloc(bytes + 1);
    unsigned char *const blob = malloc(bytes + 1);
    int status = counter && blob ? WS_OK : ws_fail(WS_EMEM, "%s: no memory", store->path);
    if (status == WS_OK)
        status = ws_store_decode(store, sqlite3_column_blob(row, 2), (size_t)sqlite3_column_bytes(row, 2),
                                 sqlite3_column_int64(row, 1), n, counter);
    if (status == WS_OK) {
        if (up >= 0)
            counter[up] += h2d;
        if (down >= 0)
            counter[down] += d2h;
        encode(counter, n, blob);
        status = ws_store_exec(store, "UPDATE counter SET checksum = ?, data = ? WHERE id = ?", "ibi",
                               ws_store_checksum(blob, bytes), (const void *)blob, bytes,
                               (int64_t)sqlite3_column_int64(row, 0));
    }
    if (status == WS_OK)
        status = ws_store_seal(store, sqlite3_column_int64(row, 3));
    free(blob);
    free(counter);
    return status;
}

static int add_copy_to_family(const ws_store *store, int64_t run, const ws_metric *metric, double h2d, double d2h)
{
    char signature[WS_SIGNATURE_BYTES];
    sqlite3_stmt *last;
    bool row = false;
    ws_store_signature(metric, signature);
    int status =
        ws_store_prepare(store, &last,
                         "SELECT c.id, c.checksum, c.data, c.launch FROM counter c JOIN family f ON f.id = c.family"
                         " WHERE c.launch = (SELECT max(id) FROM launch WHERE run = ? AND measured)"
                         " AND f.name = ? AND f.signature = ?",
                         "itt", run, metric->sink.name, signature);
    if (status == WS_OK)
        status = ws_store_step(store, last, &row);
    if (status == WS_OK && row)
        status = add_to_row(store, last, metric, h2d, d2h);
    sqlite3_finalize(last);
    return status;
}

int ws_store_add_copy(ws_store *store, int64_t id, uint64_t h2d_bytes, uint64_t d2h_bytes)
{
    size_t n;
    const ws_metric *const *const all = ws_metrics(&n);
    int status = ws_store_exec(store, "BEGIN IMMEDIATE", "");
    if (status != WS_OK)
        return status;
    status = require_open_run(store, id);
    for (size_t i = 0; i < n && status == WS_OK; i++)
        if (find_counter(all[i], WS_COUNTER_H2D) >= 0 || find_counter(all[i], WS_COUNTER_D2H) >= 0)
            status = add_copy_to_family(store, id, all[i], (double)h2d_bytes, (double)d2h_bytes);
    return ws_store_end(store, status);
}

static int set_status(const ws_store *store, int64_t id, const char *run_status, double seconds)
{
    int64_t checksum = 0;
    int status =
        ws_store_exec(store, "UPDATE run SET status = ?, seconds = ? WHERE id = ?", "tdi", run_status, seconds, id);
    if (status == WS_OK)
        status = ws_store_run_checksum(store, id, &checksum);
    return status == WS_OK ? ws_store_exec(store, "UPDATE run SET checksum = ? WHERE id = ?", "ii", checksum, id)
                           : status;
}

/* What measured nothing stays until the workload is run again: why it failed, and what was launched. */
static int remove_empty(const ws_store *store, int64_t id)
{
    return ws_store_exec(store,
                         "DELETE FROM run WHERE status IS NOT NULL AND id < ?"
                         " AND workload = (SELECT workload FROM run WHERE id = ?)"
                         " AND NOT EXISTS(SELECT 1 FROM launch l WHERE l.run = run.id AND l.measured)",
                         "ii", id, id);
}

static int has_launches(const ws_store *store, int64_t id, bool *any)
{
    sqlite3_stmt *row;
    int status = ws_store_prepare(store, &row, "SELECT 1 FROM launch WHERE run = ? LIMIT 1", "i", id);
    if (status == WS_OK)
        status = ws_store_step(store, row, any);
    sqlite3_finalize(row);
    return status;
}

int ws_store_finish(ws_store *store, int64_t id, const char *run_status, double seconds)
{
    bool measured = false, launched = false, failed = strcmp(run_status, "done") != 0;
    int status = ws_store_exec(store, "BEGIN IMMEDIATE", "");
    if (status != WS_OK)
        return status;
    status = require_open_run(store, id);
    if (status == WS_OK)
        status = ws_store_measured(store, id, &measured);
    if (status == WS_OK)
        status = has_launches(store, id, &launched);
    const bool keep = launched || failed;
    if (status == WS_OK)
        status = keep ? set_status(store, id, run_status, seconds) : ws_store_drop(store, id);
    if (status == WS_OK && keep)
        status = remove_empty(store, id);
    status = ws_store_end(store, status);
    if (status == WS_OK && keep)
        ws_store_make_views(store);
    if (status == WS_OK && !measured && !failed)
        return ws_fail(WS_ENOTFOUND, "%s: no launch was measured, and no earlier run is replaced", store->path);
    return status;
}

int ws_store_drop(ws_store *store, int64_t id)
{
    return ws_store_exec(store, "DELETE FROM run WHERE id = ? AND status IS NULL", "i", id);
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

int ws_store_is_done(ws_store *store, const ws_store_run *run, int *done)
{
    char seed[24];
    sqlite3_stmt *statement;
    bool row = false;
    int64_t id = 0;
    *done = 0;
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)run->seed);
    int status = ws_store_prepare(
        store, &statement,
        "SELECT id FROM run WHERE id = (SELECT max(id) FROM run WHERE workload = ? AND status IS NOT NULL)"
        " AND scale = ? AND seed = ? AND command = ? AND status = 'done'",
        "tttt", run->workload, run->scale, seed, run->command);
    if (status == WS_OK)
        status = ws_store_step(store, statement, &row);
    if (row)
        id = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return status == WS_OK && row ? is_readable(store, id, done) : status;
}
