/* store_content.c - the content of a run as a hash, and the first difference of two runs. */
#include "metrics/store/store_merge_internal.h"

#include "base/bits.h"
#include "base/grow.h"
#include "base/status.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------------ sources */

static int add_layout(ws_store_input *s, sqlite3_stmt *row)
{
    size_t n;
    const ws_metric *const *const all = ws_metrics(&n);
    const char *const name = ws_store_text(row, 1), *const signature = ws_store_text(row, 2);
    if (WS_GROW(s->layout, s->room, s->layouts, 1))
        return ws_fail(WS_EMEM, "%s: no memory", s->store->path);
    ws_store_layout *const f = &s->layout[s->layouts++];
    *f = (ws_store_layout){
        .id = sqlite3_column_int64(row, 0), .counters = sqlite3_column_int64(row, 3), .readable = true};
    f->hash = XXH64(signature, strlen(signature) + 1, XXH64(name, strlen(name) + 1, 0));
    for (size_t i = 0; i < n; i++) {
        char known[WS_SIGNATURE_BYTES];
        if (strcmp(all[i]->sink.name, name) != 0)
            continue;
        ws_store_signature(all[i], known);
        f->readable = strcmp(known, signature) == 0;
    }
    return WS_OK;
}

static int read_layouts(ws_store_input *s)
{
    sqlite3_stmt *row;
    bool more = true;
    int status = ws_store_prepare(s->store, &row, "SELECT id, name, signature, counters FROM family ORDER BY id", "");
    while (status == WS_OK && (status = ws_store_step(s->store, row, &more)) == WS_OK && more)
        status = add_layout(s, row);
    sqlite3_finalize(row);
    return status;
}

int ws_store_input_open(const char *path, ws_store_input *out)
{
    *out = (ws_store_input){0};
    int status = ws_store_open_input(path, &out->store);
    if (status == WS_OK)
        status = ws_store_exec(out->store, "BEGIN", "");
    if (status == WS_OK)
        status = read_layouts(out);
    if (status != WS_OK)
        ws_store_input_close(out, &status);
    return status;
}

void ws_store_input_close(ws_store_input *source, int *check)
{
    const bool judged = (*check == WS_OK || *check == WS_EINPUT) && source->store;
    const int changed = judged ? ws_store_check_input(source->store) : WS_OK;
    if (changed != WS_OK)
        *check = changed;
    for (size_t i = 0; i < WS_STORE_COPIED; i++)
        sqlite3_finalize(source->select[i]);
    ws_store_close(source->store);
    free(source->layout);
    *source = (ws_store_input){0};
}

static int compare_layout(const void *key, const void *row)
{
    const int64_t a = *(const int64_t *)key, b = ((const ws_store_layout *)row)->id;
    return a < b ? -1 : a > b;
}

int ws_store_input_find(const ws_store_input *source, int64_t family, ws_store_layout **out)
{
    *out = source->layouts ? bsearch(&family, source->layout, source->layouts, sizeof *source->layout, compare_layout)
                           : NULL;
    return *out ? WS_OK : ws_store_fail(source->store, SQLITE_CORRUPT);
}

/* ------------------------------------------------------------------------------------------------ content */

/* Columns `first` and on of the row, each with its type. */
static void feed_row(XXH3_state_t *hash, sqlite3_stmt *row, int first)
{
    for (int i = first; i < sqlite3_column_count(row); i++) {
        const int type = sqlite3_column_type(row, i);
        const uint8_t mark = (uint8_t)type;
        uint64_t bits = 0;
        XXH3_128bits_update(hash, &mark, sizeof mark);
        if (type == SQLITE_INTEGER || type == SQLITE_FLOAT) {
            bits = htole64(type == SQLITE_INTEGER ? (uint64_t)sqlite3_column_int64(row, i)
                                                  : ws_f64_bits(sqlite3_column_double(row, i)));
            XXH3_128bits_update(hash, &bits, sizeof bits);
        } else if (type != SQLITE_NULL) {
            const char *const text = ws_store_text(row, i);
            XXH3_128bits_update(hash, text, strlen(text) + 1);
        }
    }
}

static int feed_rows(const ws_store *store, XXH3_state_t *hash, const char *sql, int64_t run)
{
    sqlite3_stmt *row;
    bool more = true;
    int status = ws_store_prepare(store, &row, sql, "i", run);
    while (status == WS_OK && (status = ws_store_step(store, row, &more)) == WS_OK && more)
        feed_row(hash, row, 0);
    sqlite3_finalize(row);
    return status;
}

/* What differs between duplicates; and, by the run's checksum, what it holds. */
#define PROVENANCE "owner, version, command, seconds, checksum"
enum { CHECKSUM = 4, PROVENANCES };

static XXH128_hash_t provenance_of(sqlite3_stmt *row)
{
    XXH128_hash_t hash = {0};
    for (int i = 0; i < PROVENANCES; i++) {
        const char *const text = ws_store_text(row, i);
        hash = XXH3_128bits_withSeed(text, strlen(text), hash.low64 + (uint64_t)i);
    }
    return hash;
}

int ws_store_check_input_run(const ws_store_input *input, int64_t run, XXH128_hash_t provenance, bool *ended)
{
    const ws_store *const from = input->store;
    sqlite3_stmt *row;
    bool same = false;
    int64_t checksum = 0;
    int status =
        ws_store_prepare(from, &row, "SELECT " PROVENANCE ", status IS NOT NULL FROM run WHERE id = ?", "i", run);
    if (status == WS_OK)
        status = ws_store_step(from, row, &same);
    same = same && XXH128_isEqual(provenance_of(row), provenance);
    *ended = same && sqlite3_column_int(row, PROVENANCES);
    if (*ended)
        checksum = sqlite3_column_int64(row, CHECKSUM);
    sqlite3_finalize(row);
    if (status == WS_OK && !same)
        return ws_fail(WS_EBUSY, "%s: run %lld was changed or removed while it was read; try again", from->path,
                       (long long)run);
    if (status != WS_OK)
        return status;
    return *ended ? ws_store_check_run(from, run, checksum) : ws_store_check_launches(from, run);
}

/* What a launch says of itself but for times, processes and the name for people, by the names of the view `launches`.
 * What sampling chose stands last: it says nothing of the launch itself. */
#define LAUNCH \
    "sequence + 1 AS launch, kernel, grid_x, grid_y, grid_z, block_x, block_y, block_z, registers, shared_bytes," \
    " local_bytes, const_bytes, dynamic_shared AS dynamic_shared_bytes, h2d AS h2d_bytes, d2h AS d2h_bytes," \
    " d2d AS d2d_bytes, filled AS filled_bytes, parent + 1 AS parent, warp_instructions, thread_instructions," \
    " measured, weight, stratum, slice"
enum { FIRST = 1, KERNEL = 2, WARP_INSTRUCTIONS = 19, MEASURED = 21 }; /* behind the id */

/* The statements of a scan of a run. */
typedef struct scan {
    sqlite3_stmt *launch, *counter, *profile; /* profile: NULL when the file has none */
    bool more;                                /* launch stands on a row */
} scan;

static int scan_init(const ws_store *store, int64_t run, scan *out)
{
    bool profiles = false;
    *out = (scan){.more = true};
    int status = ws_store_has_table(store, "profile", &profiles);
    if (status == WS_OK)
        status = ws_store_prepare(store, &out->launch,
                                  "SELECT id, " LAUNCH " FROM launch WHERE run = ? ORDER BY sequence, id", "i", run);
    if (status == WS_OK)
        status = ws_store_prepare(store, &out->counter, WS_STORE_SUMS_OF, "");
    if (status == WS_OK && profiles)
        status = ws_store_prepare(store, &out->profile, "SELECT checksum FROM profile WHERE launch = ?", "");
    return status;
}

static void scan_fini(scan *s)
{
    sqlite3_finalize(s->launch);
    sqlite3_finalize(s->counter);
    sqlite3_finalize(s->profile);
}

static void rebind(sqlite3_stmt *statement, int64_t id)
{
    sqlite3_reset(statement);
    sqlite3_bind_int64(statement, 1, id);
}

/* Counters have no order: the sum of a hash of each. */
static int feed_counters(const ws_store_input *source, const scan *s, XXH3_state_t *hash, ws_store_content *out)
{
    bool more = true;
    uint64_t sum[2] = {0};
    int status = WS_OK;
    rebind(s->counter, sqlite3_column_int64(s->launch, 0));
    while (status == WS_OK && (status = ws_store_step(source->store, s->counter, &more)) == WS_OK && more) {
        ws_store_layout *layout;
        status = ws_store_input_find(source, sqlite3_column_int64(s->counter, 0), &layout);
        if (status != WS_OK)
            break;
        const uint64_t pair[] = {htole64(layout->hash), htole64((uint64_t)sqlite3_column_int64(s->counter, 1))};
        const XXH128_hash_t one = XXH3_128bits(pair, sizeof pair);
        sum[0] += one.low64;
        sum[1] += one.high64;
        out->counters++;
        out->readable = out->readable && layout->readable;
    }
    sum[0] = htole64(sum[0]);
    sum[1] = htole64(sum[1]);
    XXH3_128bits_update(hash, sum, sizeof sum);
    return status;
}

static int feed_profile(const ws_store *store, const scan *s, XXH3_state_t *hash)
{
    bool more = false;
    if (!s->profile)
        return WS_OK;
    rebind(s->profile, sqlite3_column_int64(s->launch, 0));
    const int status = ws_store_step(store, s->profile, &more);
    if (status == WS_OK && more)
        feed_row(hash, s->profile, 0);
    return status;
}

static int feed_launches(const ws_store_input *source, int64_t run, XXH3_state_t *hash, ws_store_content *out)
{
    const ws_store *const store = source->store;
    scan s;
    int status = scan_init(store, run, &s);
    while (status == WS_OK && (status = ws_store_step(store, s.launch, &s.more)) == WS_OK && s.more) {
        feed_row(hash, s.launch, FIRST);
        status = feed_counters(source, &s, hash, out);
        if (status == WS_OK)
            status = feed_profile(store, &s, hash);
        out->launches++;
        out->measured += sqlite3_column_int(s.launch, MEASURED) != 0;
        out->warp_instructions += (uint64_t)sqlite3_column_int64(s.launch, WARP_INSTRUCTIONS);
    }
    scan_fini(&s);
    return status;
}

#define ASKED "workload, scale, seed, coalesce(selection, '')"

static int read_identity(const ws_store *store, int64_t run, XXH3_state_t *hash, ws_store_content *out)
{
    XXH3_128bits_reset(hash);
    const int status = feed_rows(store, hash, "SELECT " ASKED ", command FROM run WHERE id = ?", run);
    out->identity = XXH3_128bits_digest(hash);
    return status;
}

static int read_end(const ws_store *store, int64_t run, ws_store_content *out)
{
    sqlite3_stmt *row;
    bool found = false;
    int status =
        ws_store_prepare(store, &row, "SELECT " PROVENANCE ", status = 'done' FROM run WHERE id = ?", "i", run);
    if (status == WS_OK)
        status = ws_store_step(store, row, &found);
    if (found) {
        out->provenance = provenance_of(row);
        out->done = sqlite3_column_int(row, PROVENANCES) != 0;
    }
    sqlite3_finalize(row);
    return status;
}

int ws_store_read_content(const ws_store_input *source, int64_t run, ws_store_content *out)
{
    const ws_store *const store = source->store;
    XXH3_state_t *const hash = XXH3_createState();
    bool listings = false;
    *out = (ws_store_content){.readable = true};
    if (!hash)
        return ws_fail(WS_EMEM, "%s: no memory", store->path);
    int status = read_identity(store, run, hash, out);
    if (status == WS_OK)
        status = read_end(store, run, out);
    XXH3_128bits_reset(hash);
    if (status == WS_OK)
        status = feed_rows(
            store, hash, "SELECT " ASKED ", coalesce(status, 'not finished'), partial, sampling FROM run WHERE id = ?",
            run);
    if (status == WS_OK)
        status = feed_launches(source, run, hash, out);
    if (status == WS_OK)
        status = feed_rows(store, hash, "SELECT name, half FROM bound WHERE run = ? ORDER BY name", run);
    if (status == WS_OK)
        status = ws_store_has_table(store, "listing", &listings);
    if (status == WS_OK && listings)
        status = feed_rows(store, hash,
                           "SELECT kernel, code_checksum, checksum FROM listing WHERE run = ?"
                           " ORDER BY kernel, code_checksum",
                           run);
    out->hash = XXH3_128bits_digest(hash);
    XXH3_freeState(hash);
    return status;
}

/* ------------------------------------------------------------------------------------------------ differences */

typedef struct side {
    const ws_store *store;
    scan scan;
} side;

static int describe(char **text, sqlite3_stmt *launch, const char *format, ...) __attribute__((format(printf, 3, 4)));

static int describe(char **text, sqlite3_stmt *launch, const char *format, ...)
{
    char *what = NULL;
    va_list arguments;
    va_start(arguments, format);
    int bad = vasprintf(&what, format, arguments) < 0;
    va_end(arguments);
    if (bad)
        what = NULL;
    if (bad || asprintf(text, "launch %lld (`%s`): %s", (long long)sqlite3_column_int64(launch, FIRST),
                        ws_store_text(launch, KERNEL), what) < 0) {
        *text = NULL;
        bad = 1;
    }
    free(what);
    return bad ? ws_fail(WS_EMEM, "no memory for what differs") : WS_OK;
}

/* Columns of the two launches that both know. One run may have measured a launch, and the other not. */
static int compare_rows(const side *a, const side *b, char **text)
{
    for (int i = FIRST; i < MEASURED && !*text; i++) {
        sqlite3_stmt *const x = a->scan.launch, *const y = b->scan.launch;
        if (sqlite3_column_type(x, i) == SQLITE_NULL || sqlite3_column_type(y, i) == SQLITE_NULL ||
            !strcmp(ws_store_text(x, i), ws_store_text(y, i)))
            continue;
        const int status =
            describe(text, x, "%s is %s and %s", sqlite3_column_name(x, i), ws_store_text(x, i), ws_store_text(y, i));
        if (status != WS_OK)
            return status;
    }
    return WS_OK;
}

static const ws_metric *metric_of(const char *name, const char *signature)
{
    size_t n;
    const ws_metric *const *const all = ws_metrics(&n);
    for (size_t i = 0; i < n; i++) {
        char known[WS_SIGNATURE_BYTES];
        ws_store_signature(all[i], known);
        if (!strcmp(all[i]->sink.name, name) && !strcmp(known, signature))
            return all[i];
    }
    return NULL;
}

/* The first counter of a family that differs; both rows are name, signature, checksum, data. */
static int describe_counter(const side *a, sqlite3_stmt *x, const side *b, sqlite3_stmt *y, char **text)
{
    const char *const name = ws_store_text(x, 0);
    const ws_metric *const m = metric_of(name, ws_store_text(x, 1));
    const size_t n = m ? ws_metric_counters(m) : 0;
    double *const value = calloc(2 * n + 1, sizeof *value);
    int status = value ? WS_OK : ws_fail(WS_EMEM, "no memory for what differs");
    if (status == WS_OK && m)
        status = ws_store_decode(a->store, sqlite3_column_blob(x, 3), (size_t)sqlite3_column_bytes(x, 3),
                                 sqlite3_column_int64(x, 2), n, value);
    if (status == WS_OK && m)
        status = ws_store_decode(b->store, sqlite3_column_blob(y, 3), (size_t)sqlite3_column_bytes(y, 3),
                                 sqlite3_column_int64(y, 2), n, value + n);
    size_t at = 0;
    const ws_counter *c = m ? m->counters : NULL;
    while (status == WS_OK && at < n && value[at] == value[n + at])
        at++;
    size_t begin = 0;
    for (; c && c->name && at >= begin + (c->count ? c->count : 1); c++)
        begin += c->count ? c->count : 1;
    if (status == WS_OK)
        status = c && c->name ? describe(text, a->scan.launch, "%s of `%s` is %.15g and %.15g", c->name, name,
                                         value[at], value[n + at])
                              : describe(text, a->scan.launch, "counters of `%s` differ", name);
    free(value);
    return status;
}

/* Families that both measured. */
static int compare_counters(const side *a, const side *b, char **text)
{
    static const char *const sql = "SELECT f.name, f.signature, c.checksum, c.data FROM counter c"
                                   " JOIN family f ON f.id = c.family WHERE c.launch = ? ORDER BY f.name, f.signature";
    sqlite3_stmt *x = NULL, *y = NULL;
    bool more_x = false, more_y = false;
    int status = ws_store_prepare(a->store, &x, sql, "i", (int64_t)sqlite3_column_int64(a->scan.launch, 0));
    if (status == WS_OK)
        status = ws_store_prepare(b->store, &y, sql, "i", (int64_t)sqlite3_column_int64(b->scan.launch, 0));
    if (status == WS_OK)
        status = ws_store_step(a->store, x, &more_x);
    if (status == WS_OK)
        status = ws_store_step(b->store, y, &more_y);
    while (status == WS_OK && more_x && more_y && !*text) {
        int order = strcmp(ws_store_text(x, 0), ws_store_text(y, 0));
        order = order ? order : strcmp(ws_store_text(x, 1), ws_store_text(y, 1));
        if (!order && sqlite3_column_int64(x, 2) != sqlite3_column_int64(y, 2))
            status = describe_counter(a, x, b, y, text);
        if (status == WS_OK && order <= 0)
            status = ws_store_step(a->store, x, &more_x);
        if (status == WS_OK && order >= 0)
            status = ws_store_step(b->store, y, &more_y);
    }
    sqlite3_finalize(x);
    sqlite3_finalize(y);
    return status;
}

static int read_profile(const side *s, int64_t *checksum, bool *found)
{
    if (!s->scan.profile)
        return WS_OK;
    rebind(s->scan.profile, sqlite3_column_int64(s->scan.launch, 0));
    const int status = ws_store_step(s->store, s->scan.profile, found);
    *checksum = status == WS_OK && *found ? sqlite3_column_int64(s->scan.profile, 0) : 0;
    return status;
}

static int compare_profiles(const side *a, const side *b, char **text)
{
    int64_t x = 0, y = 0;
    bool has_x = false, has_y = false;
    int status = read_profile(a, &x, &has_x);
    if (status == WS_OK)
        status = read_profile(b, &y, &has_y);
    return status == WS_OK && has_x && has_y && x != y ? describe(text, a->scan.launch, "the profiles differ") : status;
}

static int next(side *s)
{
    return s->scan.more ? ws_store_step(s->store, s->scan.launch, &s->scan.more) : WS_OK;
}

static int compare(side *a, side *b, bool whole, char **text)
{
    int status = WS_OK;
    while (status == WS_OK && !*text) {
        status = next(a);
        if (status == WS_OK)
            status = next(b);
        if (status != WS_OK || !a->scan.more || !b->scan.more)
            break;
        status = compare_rows(a, b, text);
        if (status == WS_OK && !*text)
            status = compare_counters(a, b, text);
        if (status == WS_OK && !*text)
            status = compare_profiles(a, b, text);
    }
    if (status == WS_OK && !*text && whole && a->scan.more != b->scan.more)
        status = describe(text, (a->scan.more ? a : b)->scan.launch, "only one of them has it");
    return status;
}

int ws_store_difference(const ws_store *a, int64_t run_a, const ws_store *b, int64_t run_b, bool whole, char **text)
{
    side x = {.store = a}, y = {.store = b};
    *text = NULL;
    int status = scan_init(a, run_a, &x.scan);
    if (status == WS_OK)
        status = scan_init(b, run_b, &y.scan);
    if (status == WS_OK)
        status = compare(&x, &y, whole, text);
    scan_fini(&x.scan);
    scan_fini(&y.scan);
    return status;
}
