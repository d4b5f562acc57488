/* store_merge.c - many results files into one: every run once, in an order that does not depend on that of the files.
 *
 * First all files are scanned: an entry for each run, with the hash of its content. Entries of equal content are a
 * node. Nodes are put in order, conflicts are looked for, and the runs are copied into a file beside the target, which
 * is renamed when it is complete. What a killed merge leaves there the next one removes (base/output.h). */
#include "metrics/store/store_merge.h"
#include "metrics/store/store_merge_internal.h"

#include "base/grow.h"
#include "base/interrupt.h"
#include "base/output.h"
#include "base/status.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    OPEN_FILES = 64,     /* inputs that are open at once */
    CONFLICTS_TOLD = 10, /* by lines of their own */
    VERSIONS_TOLD = 8
};
#define NONE SIZE_MAX
static const double scan_share = 0.15; /* of the time, for the progress that is shown */

/* A run of a file. */
typedef struct entry {
    char *workload;
    ws_store_content content;
    size_t file;
    int64_t run;
    size_t node;
    size_t next;   /* node that follows in the file, of the same workload; NONE */
    bool repeated; /* the file has the same content again in a later run */
} entry;

/* Runs of equal content: entries first, ... in the order of their files. */
typedef struct node {
    size_t first, count;
    size_t chosen; /* the entry that is copied */
    size_t waits;  /* nodes that come before it and are not placed yet */
    bool left_out; /* by the rule for conflicts */
    bool placed;
} node;

/* An input that is open. */
typedef struct input {
    size_t file;
    ws_store_input source;
    uint64_t used;
} input;

typedef struct merging {
    const char *const *path;
    size_t files;
    const ws_store_merge *how;
    ws_store_merged *out;
    input input[OPEN_FILES];
    uint64_t clock; /* of uses of inputs */
    entry *entry;
    size_t entries, room;
    node *node; /* in order of workload, and of how much was measured */
    size_t nodes;
    size_t *order, placed; /* nodes as they are copied */
    size_t *heap, heaped;  /* nodes that may be placed */
    uint64_t launches;     /* that are to be copied */
    uint64_t unreadable, several;
    char *version[VERSIONS_TOLD]; /* of the program that made the runs, each once */
    size_t versions;
} merging;

static int no_memory(void)
{
    return ws_fail(WS_EMEM, "no memory to merge results files");
}

__attribute__((format(printf, 2, 3))) static void tell(const merging *m, const char *format, ...)
{
    char *line;
    va_list arguments;
    if (!m->how->tell)
        return;
    va_start(arguments, format);
    if (vasprintf(&line, format, arguments) >= 0) {
        m->how->tell(m->how->user, line);
        free(line);
    }
    va_end(arguments);
}

static int proceed(const merging *m, const char *what, double done)
{
    if (m->how->progress)
        ws_progress_show(m->how->progress, what, done);
    return ws_interrupted() ? ws_fail(WS_EINTERRUPTED, "interrupted; nothing was written") : WS_OK;
}

/* ------------------------------------------------------------------------------------------------ inputs */

/* The file, opened in place of the one that was used least recently, with a transaction that reads. */
static int open_input(merging *m, size_t file, ws_store_input **out)
{
    input *in = &m->input[0];
    for (size_t i = 0; i < OPEN_FILES; i++) {
        if (m->input[i].source.store && m->input[i].file == file) {
            m->input[i].used = ++m->clock;
            *out = &m->input[i].source;
            return WS_OK;
        }
        if (m->input[i].used < in->used)
            in = &m->input[i];
    }
    int status = WS_OK;
    *out = &in->source;
    ws_store_input_close(&in->source, &status);
    if (status == WS_OK)
        status = ws_store_input_open(m->path[file], &in->source);
    in->file = file;
    in->used = status == WS_OK ? ++m->clock : 0;
    return status;
}

/* ------------------------------------------------------------------------------------------------ scanning */

static int note_version(merging *m, const char *version)
{
    for (size_t i = 0; i < m->versions; i++)
        if (!strcmp(m->version[i], version))
            return WS_OK;
    if (m->versions == VERSIONS_TOLD)
        return WS_OK;
    m->version[m->versions] = strdup(version);
    return m->version[m->versions] ? (m->versions++, WS_OK) : no_memory();
}

/* Of a run that has not ended: whether it counts as far as it came, and no process on this machine is writing it. */
static int counts(const merging *m, const ws_store *store, int64_t run, const char *workload, const char *owner,
                  bool *out)
{
    *out = false;
    if (!ws_store_owner_lives_elsewhere(owner))
        return ws_store_unfinished_counts(store, run, out);
    tell(m, "%s: left out run %" PRId64 " of %s, which is in progress; merge again when it has ended", store->path, run,
         workload);
    return WS_OK;
}

/* The row is id, workload, owner, version, whether it has ended. */
static int scan_run(merging *m, const ws_store_input *source, size_t file, sqlite3_stmt *row)
{
    entry e = {.file = file, .run = sqlite3_column_int64(row, 0), .next = NONE};
    bool wanted = sqlite3_column_int(row, 4) != 0;
    int status =
        wanted ? WS_OK : counts(m, source->store, e.run, ws_store_text(row, 1), ws_store_text(row, 2), &wanted);
    m->out->unfinished += status == WS_OK && !wanted;
    if (status != WS_OK || !wanted)
        return status;
    status = note_version(m, ws_store_text(row, 3));
    if (status == WS_OK)
        status = ws_store_read_content(source, e.run, &e.content);
    if (status == WS_OK && (WS_GROW(m->entry, m->room, m->entries, 1) || !(e.workload = strdup(ws_store_text(row, 1)))))
        status = no_memory();
    if (status == WS_OK)
        m->entry[m->entries++] = e;
    return status;
}

static int scan_file(merging *m, size_t file)
{
    ws_store_input *source;
    sqlite3_stmt *row = NULL;
    bool more = true;
    int status = open_input(m, file, &source);
    if (status == WS_OK)
        status = ws_store_check_file(source->store);
    if (status == WS_OK)
        status = ws_store_prepare(source->store, &row,
                                  "SELECT id, workload, owner, version, status IS NOT NULL FROM run ORDER BY id", "");
    while (status == WS_OK && (status = ws_store_step(source->store, row, &more)) == WS_OK && more) {
        status = scan_run(m, source, file, row);
        if (status == WS_OK)
            status = proceed(m, m->path[file], scan_share * (double)file / (double)m->files);
    }
    sqlite3_finalize(row);
    return status;
}

/* ------------------------------------------------------------------------------------------------ nodes */

static int order_of_hashes(XXH128_hash_t a, XXH128_hash_t b)
{
    return XXH128_cmp(&a, &b);
}

static int order_of(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

/* By workload, and how much was measured: a run that ended well, that this version can show, of more launches, families
 * and instructions stands behind others. */
static int order_by_content(const entry *a, const entry *b)
{
    const ws_store_content *const x = &a->content, *const y = &b->content;
    int order = strcmp(a->workload, b->workload);
    order = order ? order : order_of(x->done, y->done);
    order = order ? order : order_of(x->readable, y->readable);
    order = order ? order : order_of(x->measured, y->measured);
    order = order ? order : order_of(x->counters, y->counters);
    order = order ? order : order_of(x->warp_instructions, y->warp_instructions);
    return order ? order : order_of_hashes(x->hash, y->hash);
}

static int compare_entries(const void *a, const void *b)
{
    const entry *const x = a, *const y = b;
    int order = order_by_content(x, y);
    order = order ? order : order_of(x->file, y->file);
    return order ? order : order_of((uint64_t)x->run, (uint64_t)y->run);
}

static int make_nodes(merging *m)
{
    qsort(m->entry, m->entries, sizeof *m->entry, compare_entries);
    m->node = calloc(m->entries + 1, sizeof *m->node);
    m->order = calloc(m->entries + 1, sizeof *m->order);
    m->heap = calloc(m->entries + 1, sizeof *m->heap);
    if (!m->node || !m->order || !m->heap)
        return no_memory();
    for (size_t i = 0; i < m->entries; i++) {
        entry *const e = &m->entry[i];
        if (!i || order_by_content(e - 1, e) != 0)
            m->node[m->nodes++] = (node){.first = i, .chosen = i};
        node *const n = &m->node[m->nodes - 1];
        n->count++;
        e->node = m->nodes - 1;
        if (n->count > 1)
            e[-1].repeated = e[-1].file == e->file;
        if (order_of_hashes(e->content.provenance, m->entry[n->chosen].content.provenance) < 0)
            n->chosen = i;
    }
    m->out->duplicates = m->entries - m->nodes;
    for (size_t i = 0; i < m->nodes; i++)
        m->unreadable += !m->entry[m->node[i].first].content.readable;
    return WS_OK;
}

static const entry *chosen(const merging *m, size_t n)
{
    return &m->entry[m->node[n].chosen];
}

static bool same_workload(const merging *m, size_t a, size_t b)
{
    return !strcmp(chosen(m, a)->workload, chosen(m, b)->workload);
}

/* ------------------------------------------------------------------------------------------------ conflicts */

static bool has_file(const merging *m, size_t n, size_t file)
{
    for (size_t i = 0; i < m->node[n].count; i++)
        if (m->entry[m->node[n].first + i].file == file)
            return true;
    return false;
}

/* A file that holds both says which is the later. Entries of a node are in the order of their files. */
static bool share_file(const merging *m, size_t a, size_t b)
{
    const node *const x = &m->node[a], *const y = &m->node[b];
    for (size_t i = 0, k = 0; i < x->count && k < y->count;) {
        const size_t of_x = m->entry[x->first + i].file, of_y = m->entry[y->first + k].file;
        if (of_x == of_y)
            return true;
        i += of_x < of_y;
        k += of_x > of_y;
    }
    return false;
}

/* The input of the run, which is still the run that was scanned. *ended: whether it has a status. */
static int open_run(merging *m, const entry *e, ws_store_input **out, bool *ended)
{
    const int status = open_input(m, e->file, out);
    return status == WS_OK ? ws_store_check_input_run(*out, e->run, e->content.provenance, ended) : status;
}

/* *differ: whether a launch of both has other numbers, which is told, that of the file named first in front. */
static int compare_nodes(merging *m, size_t a, size_t b, bool *differ)
{
    const bool in_order = chosen(m, a)->file < chosen(m, b)->file;
    const entry *const x = chosen(m, in_order ? a : b), *const y = chosen(m, in_order ? b : a);
    ws_store_input *of_x, *of_y;
    bool ended;
    char *text = NULL;
    int status = open_run(m, x, &of_x, &ended);
    if (status == WS_OK)
        status = open_run(m, y, &of_y, &ended);
    if (status == WS_OK)
        status =
            ws_store_difference(of_x->store, x->run, of_y->store, y->run, x->content.done && y->content.done, &text);
    *differ = text != NULL;
    m->out->conflicts += *differ;
    if (*differ && m->out->conflicts <= CONFLICTS_TOLD)
        tell(m, "%s differs between %s (run %" PRId64 ") and %s (run %" PRId64 "): %s", x->workload, m->path[x->file],
             x->run, m->path[y->file], y->run, text);
    free(text);
    return status;
}

/* Of the nodes group[0..n), all of one command, those stay that the first or last file has which has any. */
static void choose_file(merging *m, const size_t *group, size_t n)
{
    const bool first = m->how->prefer == WS_STORE_PREFER_FIRST;
    size_t file = NONE;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < m->node[group[i]].count; k++) {
            const size_t f = m->entry[m->node[group[i]].first + k].file;
            if (file == NONE || (first ? f < file : f > file))
                file = f;
        }
    for (size_t i = 0; i < n; i++) {
        if (!has_file(m, group[i], file)) {
            m->node[group[i]].left_out = true;
            m->out->left_out++;
        }
    }
}

/* Compares each run of a command with those that measured more, until one differs: the one that measured most first. */
static int check_group(merging *m, const size_t *group, size_t n)
{
    bool any = false;
    int status = WS_OK;
    for (size_t i = 0; i + 1 < n; i++) {
        bool differ = false;
        for (size_t k = n - 1; k > i && !differ && status == WS_OK; k--) {
            if (!share_file(m, group[i], group[k]))
                status = compare_nodes(m, group[i], group[k], &differ);
            if (status == WS_OK)
                status = proceed(m, "comparing", scan_share);
        }
        any = any || differ;
    }
    if (status == WS_OK && any && m->how->prefer != WS_STORE_PREFER_NONE)
        choose_file(m, group, n);
    return status;
}

static int compare_identities(const void *a, const void *b, void *context)
{
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    const merging *const m = context;
    const int order = order_of_hashes(chosen(m, x)->content.identity, chosen(m, y)->content.identity);
    return order ? order : order_of(x, y);
}

/* Uses the array of the order, which is not needed yet. */
static int find_conflicts(merging *m)
{
    size_t *const by = m->order;
    int status = WS_OK;
    for (size_t i = 0; i < m->nodes; i++)
        by[i] = i;
    qsort_r(by, m->nodes, sizeof *by, compare_identities, m);
    for (size_t i = 0, n; i < m->nodes && status == WS_OK; i += n) {
        for (n = 1; i + n < m->nodes &&
                    !order_of_hashes(chosen(m, by[i])->content.identity, chosen(m, by[i + n])->content.identity);)
            n++;
        status = check_group(m, by + i, n);
    }
    if (status != WS_OK || !m->out->conflicts || m->how->prefer != WS_STORE_PREFER_NONE)
        return status;
    return ws_fail(WS_EINPUT,
                   "runs with other numbers in another file: %" PRIu64 "; nothing was written: choose files by "
                   "--prefer first or --prefer last",
                   m->out->conflicts);
}

/* ------------------------------------------------------------------------------------------------ order */

static int compare_places(const void *a, const void *b, void *context)
{
    const merging *const m = context;
    const entry *const x = &m->entry[*(const size_t *)a], *const y = &m->entry[*(const size_t *)b];
    int order = strcmp(x->workload, y->workload);
    order = order ? order : order_of(x->file, y->file);
    return order ? order : order_of((uint64_t)x->run, (uint64_t)y->run);
}

/* For each entry the node that follows in its file. Uses the array of the order; not the heap. */
static void link_entries(merging *m)
{
    size_t n = 0, *const by = m->order;
    for (size_t i = 0; i < m->entries; i++)
        if (!m->entry[i].repeated && !m->node[m->entry[i].node].left_out)
            by[n++] = i;
    qsort_r(by, n, sizeof *by, compare_places, m);
    for (size_t i = 1; i < n; i++) {
        entry *const before = &m->entry[by[i - 1]];
        const entry *const e = &m->entry[by[i]];
        if (before->file != e->file || strcmp(before->workload, e->workload) != 0)
            continue;
        before->next = e->node;
        m->node[e->node].waits++;
    }
}

static void swap(size_t *a, size_t *b)
{
    const size_t kept = *a;
    *a = *b;
    *b = kept;
}

static void push(merging *m, size_t n)
{
    size_t at = m->heaped++;
    m->heap[at] = n;
    for (; at && m->heap[at] < m->heap[(at - 1) / 2]; at = (at - 1) / 2)
        swap(&m->heap[at], &m->heap[(at - 1) / 2]);
}

static size_t pop(merging *m)
{
    const size_t least = m->heap[0];
    m->heap[0] = m->heap[--m->heaped];
    for (size_t at = 0, child; (child = 2 * at + 1) < m->heaped; at = child) {
        if (child + 1 < m->heaped && m->heap[child + 1] < m->heap[child])
            child++;
        if (m->heap[at] <= m->heap[child])
            break;
        swap(&m->heap[at], &m->heap[child]);
    }
    return least;
}

static void place(merging *m, size_t n)
{
    const node *const placed = &m->node[n];
    m->node[n].placed = true;
    m->order[m->placed++] = n;
    for (size_t i = 0; i < placed->count; i++) {
        const size_t next = m->entry[placed->first + i].next;
        if (next != NONE && !m->node[next].placed && --m->node[next].waits == 0)
            push(m, next);
    }
}

/* Of the workload of nodes begin, ..., end: those that files put behind others follow these; else in order. Files that
 * contradict each other do not count where they do. */
static void order_workload(merging *m, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++)
        if (!m->node[i].left_out && !m->node[i].waits)
            push(m, i);
    for (size_t i = begin; i < end;) {
        if (m->heaped)
            place(m, pop(m));
        else if (m->node[i].placed || m->node[i].left_out)
            i++;
        else
            place(m, i);
    }
}

/* Whether some file shows another run of the workload than the result: the last that it has. */
static bool is_shown_otherwise(const merging *m, size_t begin, size_t end)
{
    const size_t last = m->placed ? m->order[m->placed - 1] : NONE;
    for (size_t i = begin; i < end; i++)
        for (size_t k = 0; i != last && !m->node[i].left_out && k < m->node[i].count; k++)
            if (m->entry[m->node[i].first + k].next == NONE && !m->entry[m->node[i].first + k].repeated)
                return true;
    return false;
}

static void order_nodes(merging *m)
{
    link_entries(m);
    for (size_t i = 0, end; i < m->nodes; i = end) {
        for (end = i + 1; end < m->nodes && same_workload(m, i, end);)
            end++;
        order_workload(m, i, end);
        m->several += is_shown_otherwise(m, i, end);
    }
}

/* ------------------------------------------------------------------------------------------------ writing */

static int count_launch(void *user)
{
    merging *const m = user;
    const double done = (double)++m->out->launches / (double)m->launches;
    return proceed(m, "copying", scan_share + (1 - scan_share) * done);
}

static int copy_runs(merging *m, const ws_store *to)
{
    ws_store_copier *copier = NULL;
    int status = ws_store_make_kept(to);
    if (status == WS_OK)
        status = ws_store_copier_create(to, count_launch, m, &copier);
    for (size_t i = 0; i < m->placed; i++)
        m->launches += chosen(m, m->order[i])->content.launches;
    for (size_t i = 0; i < m->placed && status == WS_OK; i++) {
        const entry *const e = chosen(m, m->order[i]);
        ws_store_input *source;
        bool ended;
        status = open_run(m, e, &source, &ended);
        if (status == WS_OK)
            status = ws_store_copy_run(copier, source, e->run, ended);
        m->out->runs += status == WS_OK;
    }
    ws_store_copier_destroy(copier);
    return status;
}

static int fill(merging *m, const char *to, const char *file)
{
    ws_store *store;
    int status = ws_store_open_result(to, file, &store);
    if (status != WS_OK)
        return status;
    status = ws_store_end(store, copy_runs(m, store));
    ws_store_close(store);
    return status;
}

static int close_inputs(merging *m, int status)
{
    for (size_t i = 0; i < OPEN_FILES; i++)
        ws_store_input_close(&m->input[i].source, &status);
    return status;
}

/* The target is free, and nothing lies there that SQLite would take for the log of the new file. */
static int check_target(const char *to, bool replace)
{
    static const char *const suffix[] = {"", "-wal", "-shm", "-journal"};
    int status = WS_OK;
    for (size_t i = replace ? 1 : 0; i < sizeof suffix / sizeof *suffix && status == WS_OK; i++) {
        char *path;
        if (asprintf(&path, "%s%s", to, suffix[i]) < 0)
            return no_memory();
        if (access(path, F_OK) == 0)
            status =
                *suffix[i]
                    ? ws_fail(WS_EINPUT, "%s: in use, or left behind by a results file of that name; move it away",
                              path)
                    : ws_fail(WS_EINPUT,
                              "%s: exists already, and merge makes a new file: remove it, or name another one", path);
        free(path);
    }
    return status;
}

/* A results file that is to be replaced takes its log in; another file stays what it is. */
static int prepare_target(const char *to, bool replace)
{
    ws_store *old;
    int status = replace && access(to, F_OK) == 0 ? ws_store_open(to, false, &old) : WS_ENOTFOUND;
    if (status == WS_OK)
        ws_store_close(old);
    else if (status != WS_ENOTFOUND)
        return status;
    status = check_target(to, replace);
    return status == WS_OK ? ws_output_check(to) : status;
}

static int write_result(merging *m, const char *to)
{
    ws_output output;
    int status = ws_output_open(&output, to);
    if (status != WS_OK)
        return status;
    status = output.temporary ? fill(m, to, output.temporary)
                              : ws_fail(WS_EINPUT, "%s: a results file is a file, not a pipe or a device", to);
    status = close_inputs(m, status);
    if (status == WS_OK)
        status = check_target(to, m->how->replace); /* others may have made it meanwhile */
    return ws_output_close(&output, status);
}

/* ------------------------------------------------------------------------------------------------ all of it */

static void tell_versions(const merging *m)
{
    char *text = NULL;
    size_t length;
    FILE *const out = m->versions > 1 ? open_memstream(&text, &length) : NULL;
    for (size_t i = 0; out && i < m->versions; i++)
        fprintf(out, "%s%s", i ? ", " : "", *m->version[i] ? m->version[i] : "unknown");
    if (out && !fclose(out))
        tell(m, "versions of warpscape that made the runs: %s", text);
    free(text);
}

static void tell_rest(const merging *m)
{
    if (m->out->conflicts > CONFLICTS_TOLD)
        tell(m, "further runs that differ: %" PRIu64, m->out->conflicts - CONFLICTS_TOLD);
    tell_versions(m);
    if (m->unreadable)
        tell(m, "runs with counters of another layout, which have no metrics in this version: %" PRIu64, m->unreadable);
    if (m->several)
        tell(m,
             "workloads with several different runs, of which frames show one (`warpscape runs` lists all): %" PRIu64,
             m->several);
}

static int merge(merging *m, const char *to)
{
    int status = prepare_target(to, m->how->replace);
    for (size_t i = 0; i < m->files && status == WS_OK; i++)
        status = scan_file(m, i);
    if (status == WS_OK && !m->entries)
        status = ws_fail(WS_ENOTFOUND, "%s%s: no run to merge; nothing was written", m->path[0],
                         m->files > 1 ? " and the other files" : "");
    if (status == WS_OK)
        status = make_nodes(m);
    if (status == WS_OK)
        status = find_conflicts(m);
    if (status == WS_OK)
        order_nodes(m);
    if (status == WS_OK || m->out->conflicts)
        tell_rest(m);
    return status == WS_OK ? write_result(m, to) : status;
}

int ws_store_merge_files(const char *const *path, size_t files, const char *to, const ws_store_merge *how,
                         ws_store_merged *out)
{
    *out = (ws_store_merged){.files = files};
    merging m = {.path = path, .files = files, .how = how, .out = out};
    const ws_hush hush = ws_hush_begin();
    int status = merge(&m, to);
    status = close_inputs(&m, status);
    ws_hush_end(&hush);
    for (size_t i = 0; i < m.entries; i++)
        free(m.entry[i].workload);
    free(m.entry);
    free(m.node);
    free(m.order);
    free(m.heap);
    for (size_t i = 0; i < m.versions; i++)
        free(m.version[i]);
    return status;
}
