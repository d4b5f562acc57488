/* store_write.c - how do results get into the file so that a kill at any moment loses no finished one? */
#include "metrics/store/store_internal.h"

#include "base/demangle.h"
#include "base/status.h"
#include "metrics/study_metrics.h"

#include <stdlib.h>
#include <string.h>

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
    int status = ws_store_begin_writing(store);
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
    int status = ws_store_take(store, &statement, "SELECT 1 FROM run WHERE id = ?1 AND status IS NULL", "i", id);
    if (status == WS_OK)
        status = ws_store_step(store, statement, &row);
    ws_store_put(store, statement);
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

/* The number of a family's layout, which an open store looks up once. */
static int find_family(const ws_store *store, const ws_metric *metric, int64_t *id)
{
    size_t n, i = 0;
    const ws_metric *const *const all = ws_metrics(&n);
    char signature[WS_SIGNATURE_BYTES];
    while (i < n && all[i] != metric)
        i++;
    int64_t *const known = i < n ? &store->session->family[i] : NULL;
    if (known && *known) {
        *id = *known;
        return WS_OK;
    }
    ws_store_signature(metric, signature);
    const int status = ws_store_family(store, metric->sink.name, (int64_t)ws_metric_counters(metric), signature, id);
    if (status == WS_OK && known)
        *known = *id;
    return status;
}

/* The columns of WS_STORE_LAUNCH_COLUMNS; -1 where a number is not known. */
static void describe(const ws_store_launch *a, ws_store_value value[WS_STORE_LAUNCH_VALUES])
{
    const ws_launch *const l = a->launch;
    const int64_t number[] = {l->grid[0],
                              l->grid[1],
                              l->grid[2],
                              l->block[0],
                              l->block[1],
                              l->block[2],
                              l->registers,
                              l->shared_bytes,
                              l->local_bytes,
                              l->const_bytes,
                              (int64_t)a->warp_instructions,
                              (int64_t)a->thread_instructions,
                              a->dynamic_shared,
                              a->h2d,
                              a->d2h,
                              a->d2d,
                              a->filled,
                              a->process,
                              a->collector != NULL,
                              a->stratum,
                              a->slice,
                              l->is_child ? (int64_t)l->parent : -1};
    enum { FIRST = 4, KNOWN = FIRST + 12, PROCESS = FIRST + 17, MEASURED };
    _Static_assert(FIRST + sizeof number / sizeof *number == WS_STORE_LAUNCH_VALUES, "a number for each other column");
    value[0] = (ws_store_value){.number = (int64_t)l->sequence, .known = true};
    value[1] = (ws_store_value){.text = l->kernel};
    value[2] = (ws_store_value){.text = a->title};
    value[3] = (ws_store_value){.real = a->seconds};
    for (size_t i = FIRST; i < WS_STORE_LAUNCH_VALUES; i++) {
        const int64_t n = number[i - FIRST];
        const bool known = n != -1 || i < KNOWN || i == PROCESS || i == MEASURED;
        value[i] = (ws_store_value){.number = known ? n : 0, .known = known};
    }
}

static int bind_launch(sqlite3_stmt *insert, const ws_store_value *value)
{
    static const char types[] = WS_STORE_LAUNCH_TYPES;
    int result = SQLITE_OK;
    for (int i = 0; i < WS_STORE_LAUNCH_VALUES && result == SQLITE_OK; i++) {
        const int at = i + 3; /* behind the run and the checksum */
        if (types[i] == 't')
            result = sqlite3_bind_text(insert, at, value[i].text, -1, SQLITE_STATIC);
        else if (types[i] == 'd')
            result = sqlite3_bind_double(insert, at, value[i].real);
        else
            result = value[i].known ? sqlite3_bind_int64(insert, at, value[i].number) : sqlite3_bind_null(insert, at);
    }
    return result;
}

static int add_launch_row(const ws_store *store, int64_t run, const ws_store_value *value, int64_t checksum)
{
    sqlite3_stmt *insert;
    bool more;
    int status = ws_store_take(store, &insert,
                               "INSERT INTO launch(run, checksum, " WS_STORE_LAUNCH_COLUMNS
                               ") VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
                               "ii", run, checksum);
    const int result = status == WS_OK ? bind_launch(insert, value) : SQLITE_OK;
    if (status == WS_OK)
        status = result == SQLITE_OK ? ws_store_step(store, insert, &more) : ws_store_fail(store, result);
    ws_store_put(store, insert);
    return status;
}

/* Packed counters of the families of a launch, one behind the other. */
typedef struct stored {
    ws_bytes blobs;
    size_t families;
    size_t *end;       /* [families] in blobs */
    ws_store_sum *sum; /* [families] */
} stored;

static void stored_fini(stored *s)
{
    ws_bytes_fini(&s->blobs);
    free(s->end);
    free(s->sum);
}

/* collector: NULL when the launch was not measured. */
static int stored_init(const ws_store *store, const ws_collector *collector, stored *s)
{
    *s = (stored){0};
    if (collector)
        ws_collector_sinks(collector, &s->families);
    s->end = calloc(s->families + 1, sizeof *s->end);
    s->sum = calloc(s->families + 1, sizeof *s->sum);
    for (size_t i = 0; s->end && s->sum && i < s->families; i++) {
        const ws_metric *const m = ws_collector_metric(collector, i);
        s->sum[i].name = m->sink.name;
        ws_store_encode(ws_collector_counters(collector, i), ws_metric_counters(m), &s->blobs, &s->sum[i].checksum);
        s->end[i] = s->blobs.length;
    }
    return s->end && s->sum && !s->blobs.failed ? WS_OK : ws_fail(WS_EMEM, "%s: no memory", store->path);
}

/* One statement for all families: starting one costs more than a row. The caller frees the text. */
static char *insertion_of(size_t families)
{
    static const char head[] = "INSERT INTO counter(launch, family, checksum, data) VALUES", row[] = "(?1,?,?,?),";
    char *const text = malloc(sizeof head + families * (sizeof row - 1));
    char *end = text;
    if (!text)
        return NULL;
    end = mempcpy(end, head, sizeof head - 1);
    for (size_t i = 0; i < families; i++)
        end = mempcpy(end, row, sizeof row - 1);
    end[-1] = '\0';
    return text;
}

static int bind_counters(const ws_store *store, sqlite3_stmt *insert, const ws_collector *collector, const stored *s)
{
    int status = WS_OK, at = 2;
    for (size_t i = 0; i < s->families && status == WS_OK; i++) {
        const size_t begin = i ? s->end[i - 1] : 0;
        int64_t family;
        status = find_family(store, ws_collector_metric(collector, i), &family);
        if (status != WS_OK)
            break;
        int result = sqlite3_bind_int64(insert, at++, family);
        if (result == SQLITE_OK)
            result = sqlite3_bind_int64(insert, at++, s->sum[i].checksum);
        if (result == SQLITE_OK)
            result = sqlite3_bind_blob64(insert, at++, s->blobs.data + begin, s->end[i] - begin, SQLITE_STATIC);
        status = result == SQLITE_OK ? WS_OK : ws_store_fail(store, result);
    }
    return status;
}

static int add_counters(const ws_store *store, int64_t launch, const ws_collector *collector, const stored *s)
{
    sqlite3_stmt *insert = NULL;
    bool more;
    if (!s->families)
        return WS_OK;
    char *const sql = insertion_of(s->families);
    int status = sql ? ws_store_take(store, &insert, sql, "i", launch) : ws_fail(WS_EMEM, "%s: no memory", store->path);
    if (status == WS_OK)
        status = bind_counters(store, insert, collector, s);
    if (status == WS_OK)
        status = ws_store_step(store, insert, &more);
    ws_store_put(store, insert);
    free(sql);
    return status;
}

/* The launch with its counters, profile and instructions. */
static int add_all(const ws_store *store, int64_t run, const ws_store_launch *l, const stored *s)
{
    ws_store_value value[WS_STORE_LAUNCH_VALUES];
    ws_store_sum *const sum = malloc((s->families + 1) * sizeof *sum); /* sorted */
    if (!sum)
        return ws_fail(WS_EMEM, "%s: no memory", store->path);
    memcpy(sum, s->sum, s->families * sizeof *sum);
    size_t length = 0;
    const void *const profile = l->collector ? ws_collector_profile(l->collector, &length) : NULL;
    const int64_t of_profile = profile ? ws_store_checksum(profile, length) : 0;
    describe(l, value);
    int status = add_launch_row(store, run, value,
                                ws_store_launch_checksum(value, sum, s->families, profile ? &of_profile : NULL));
    free(sum);
    const int64_t row = sqlite3_last_insert_rowid(store->db);
    if (status == WS_OK)
        status = add_counters(store, row, l->collector, s);
    if (status == WS_OK && l->collector)
        status = ws_store_add_profile(store, row, l->collector);
    return status == WS_OK ? ws_store_add_listing(store, run, l) : status;
}

int ws_store_add(ws_store *store, int64_t id, const ws_store_launch *l)
{
    stored s;
    int status = stored_init(store, l->collector, &s);
    if (status == WS_OK)
        status = ws_store_begin_writing(store);
    if (status == WS_OK) {
        status = require_open_run(store, id);
        if (status == WS_OK)
            status = add_all(store, id, l, &s);
        status = ws_store_end(store, status);
    }
    stored_fini(&s);
    return status;
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
    const size_t n = ws_metric_counters(metric);
    const long up = find_counter(metric, WS_COUNTER_H2D), down = find_counter(metric, WS_COUNTER_D2H);
    double *const counter = malloc((n + 1) * sizeof *counter);
    ws_bytes blob = {0};
    int64_t checksum = 0;
    int status = counter ? WS_OK : ws_fail(WS_EMEM, "%s: no memory", store->path);
    if (status == WS_OK)
        status = ws_store_decode(store, sqlite3_column_blob(row, 2), (size_t)sqlite3_column_bytes(row, 2),
                                 sqlite3_column_int64(row, 1), n, counter);
    if (status == WS_OK) {
        if (up >= 0)
            counter[up] += h2d;
        if (down >= 0)
            counter[down] += d2h;
        ws_store_encode(counter, n, &blob, &checksum);
        status = blob.failed
                     ? ws_fail(WS_EMEM, "%s: no memory", store->path)
                     : ws_store_exec(store, "UPDATE counter SET checksum = ?, data = ? WHERE id = ?", "ibi", checksum,
                                     (const void *)blob.data, blob.length, (int64_t)sqlite3_column_int64(row, 0));
    }
    if (status == WS_OK)
        status = ws_store_seal(store, sqlite3_column_int64(row, 3));
    ws_bytes_fini(&blob);
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
    int status = ws_store_begin_writing(store);
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
    int status = ws_store_begin_writing(store);
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
    if (status == WS_OK && keep) {
        store->session->finished = id;
        ws_store_make_views(store);
        store->session->finished = 0;
    }
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
