/* store_frame.c - the finished runs of a results file as one frame.
 *
 * Runs come by workload name, launches as they were launched. Each launch joins the group of its row (itself, its
 * kernel, its workload), family by family; columns are computed at the end, from the combined counters. The order is
 * always the same, so sums are the same to the last bit. */
#include "metrics/store/store_internal.h"

#include "base/grow.h"
#include "base/status.h"
#include "metrics/metric_layout.h"
#include "metrics/performance.h"
#include "metrics/study_metrics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What one row is made of. */
typedef struct group {
    char *workload, *kernel, *mangled, *launch;
    double seconds;
    uint64_t launches;
    double **counter;  /* [families] combined; NULL: nothing yet */
    uint64_t *counted; /* [families] launches that had this family */
    char **distinct;   /* names of the kernels seen */
    size_t distincts, distinct_room;
} group;

/* A layout of counters in the file. */
typedef struct known {
    int64_t id;
    size_t family; /* in ws_metrics(); `families`: not wanted */
    bool same;     /* as this program counts it */
} known;

typedef struct collection {
    const ws_store *store;
    ws_per per;
    const ws_metric *const *metric;
    size_t families;
    bool *wanted;                          /* [families] part of the set */
    char (*signature)[WS_SIGNATURE_BYTES]; /* [families] */
    known *known;
    size_t knowns, known_room;
    double *counter; /* room for the counters of any family */
    group *group;
    size_t groups, room, first; /* first: where the workload in work begins */
    struct collection *also;    /* other rows of the same launches; NULL: none */
} collection;

static int no_memory(const collection *c)
{
    return ws_fail(WS_EMEM, "%s: no memory for the frame", c->store->path);
}

static void group_fini(group *g, size_t families)
{
    for (size_t i = 0; g->counter && i < families; i++)
        free(g->counter[i]);
    for (size_t i = 0; i < g->distincts; i++)
        free(g->distinct[i]);
    free(g->distinct);
    free(g->counter);
    free(g->counted);
    free(g->workload);
    free(g->kernel);
    free(g->mangled);
    free(g->launch);
}

static void collection_fini(collection *c)
{
    for (size_t i = 0; i < c->groups; i++)
        group_fini(&c->group[i], c->families);
    free(c->group);
    free(c->known);
    free(c->counter);
    free(c->wanted);
    free(c->signature);
}

static int collection_init(collection *c, const ws_store *store, ws_per per, const char *set)
{
    size_t most = 0;
    *c = (collection){.store = store, .per = per};
    c->metric = ws_metrics(&c->families);
    for (size_t i = 0; i < c->families; i++)
        most = ws_metric_counters(c->metric[i]) > most ? ws_metric_counters(c->metric[i]) : most;
    c->counter = calloc(most + 1, sizeof *c->counter);
    c->wanted = calloc(c->families + 1, sizeof *c->wanted);
    c->signature = calloc(c->families + 1, sizeof *c->signature);
    if (!c->wanted || !c->signature || !c->counter)
        return no_memory(c);
    for (size_t i = 0; i < c->families; i++) {
        const int status = ws_metric_in_set(c->metric[i], set, &c->wanted[i]);
        if (status != WS_OK)
            return status;
        ws_store_signature(c->metric[i], c->signature[i]);
    }
    return WS_OK;
}

static int add_group(collection *c, const char *workload, const char *kernel, const char *mangled, const char *launch)
{
    if (WS_GROW(c->group, c->room, c->groups, 1))
        return no_memory(c);
    group *const g = &c->group[c->groups++];
    *g = (group){
        .workload = strdup(workload), .kernel = strdup(kernel), .mangled = strdup(mangled), .launch = strdup(launch)};
    g->counter = calloc(c->families + 1, sizeof *g->counter);
    g->counted = calloc(c->families + 1, sizeof *g->counted);
    return g->workload && g->kernel && g->mangled && g->launch && g->counter && g->counted ? WS_OK : no_memory(c);
}

/* The row that a launch belongs to, new or known. */
static int find_group(collection *c, const char *workload, const char *kernel, const char *mangled, const char *launch,
                      group **out)
{
    size_t i = c->first;
    if (c->per == WS_PER_LAUNCH)
        i = c->groups;
    else if (c->per == WS_PER_KERNEL)
        while (i < c->groups && (strcmp(c->group[i].kernel, kernel) != 0 || strcmp(c->group[i].mangled, mangled) != 0))
            i++;
    if (i == c->groups) {
        const int status = add_group(c, workload, kernel, mangled, launch);
        if (status != WS_OK)
            return status;
    }
    *out = &c->group[i];
    return WS_OK;
}

static int note_kernel(const collection *c, group *g, const char *kernel)
{
    for (size_t i = 0; i < g->distincts; i++)
        if (strcmp(g->distinct[i], kernel) == 0)
            return WS_OK;
    if (WS_GROW(g->distinct, g->distinct_room, g->distincts, 1))
        return no_memory(c);
    g->distinct[g->distincts] = strdup(kernel);
    return g->distinct[g->distincts] ? (g->distincts++, WS_OK) : no_memory(c);
}

/* Joins counters of a launch to the family of a group. */
static int join(const collection *c, group *g, size_t family, double weight, const double *counter)
{
    const ws_metric *const m = c->metric[family];
    const size_t n = ws_metric_counters(m);
    double *weighed = NULL;
    g->counted[family]++;
    if (!g->counter[family] || weight != 1) {
        weighed = malloc((n + 1) * sizeof *weighed);
        if (!weighed)
            return no_memory(c);
        memcpy(weighed, counter, n * sizeof *weighed);
        if (weight != 1)
            ws_metric_weigh(m, weighed, weight);
    }
    if (!g->counter[family]) {
        g->counter[family] = weighed;
        return WS_OK;
    }
    ws_metric_combine(m, g->counter[family], weighed ? weighed : counter);
    free(weighed);
    return WS_OK;
}

/* Which family of this program each layout of the file is. */
static int read_knowns(collection *c)
{
    sqlite3_stmt *row;
    bool more = true;
    c->knowns = 0;
    int status = ws_store_take(c->store, &row, "SELECT id, name, signature FROM family", "");
    while (status == WS_OK && (status = ws_store_step(c->store, row, &more)) == WS_OK && more) {
        if (WS_GROW(c->known, c->known_room, c->knowns, 1)) {
            status = no_memory(c);
            break;
        }
        known *const k = &c->known[c->knowns++];
        *k = (known){.id = sqlite3_column_int64(row, 0), .family = c->families};
        for (size_t i = 0; i < c->families; i++)
            if (c->wanted[i] && strcmp(ws_store_text(row, 1), c->metric[i]->sink.name) == 0) {
                k->family = i;
                k->same = strcmp(ws_store_text(row, 2), c->signature[i]) == 0;
            }
    }
    ws_store_put(c->store, row);
    return status;
}

static int find_known(const collection *c, int64_t id, const known **out)
{
    size_t i = 0;
    while (i < c->knowns && c->known[i].id != id)
        i++;
    *out = &c->known[i];
    return i < c->knowns ? WS_OK : ws_store_fail(c->store, SQLITE_CORRUPT);
}

/* Joins the counters that the row (family, checksum, data) has of a launch to a group of each collection. */
static int add_counters(collection *c, group *const g[], double weight, sqlite3_stmt *row)
{
    const known *k;
    int status = find_known(c, sqlite3_column_int64(row, 0), &k);
    if (status != WS_OK || k->family == c->families)
        return status;
    const ws_metric *const m = c->metric[k->family];
    if (!k->same)
        return ws_fail(WS_EVERSION,
                       "%s: `%s` was measured by a version of warpscape that counts `%s` differently; run it again",
                       c->store->path, g[0]->workload, m->sink.name);
    status = ws_store_decode(c->store, sqlite3_column_blob(row, 2), (size_t)sqlite3_column_bytes(row, 2),
                             sqlite3_column_int64(row, 1), ws_metric_counters(m), c->counter);
    for (const collection *x = c; x && status == WS_OK; x = x->also, g++) /* one launch of many is itself, whatever it
                                                                             stands for */
        status = join(x, *g, k->family, x->per == WS_PER_LAUNCH ? 1 : weight, c->counter);
    return status;
}

/* Joins all counters of a launch; families that this program does not know are passed over. */
static int add_launch(collection *c, group *const g[], int64_t launch, double weight)
{
    sqlite3_stmt *row;
    bool more = true;
    int status =
        ws_store_take(c->store, &row, "SELECT family, checksum, data FROM counter WHERE launch = ?1", "i", launch);
    while (status == WS_OK && (status = ws_store_step(c->store, row, &more)) == WS_OK && more)
        status = add_counters(c, g, weight, row);
    ws_store_put(c->store, row);
    return status;
}

/* The group of a launch in each collection. */
static int find_groups(collection *c, const char *workload, sqlite3_stmt *row, group *g[])
{
    char launch[24];
    const char *const kernel = ws_store_text(row, 1);
    int status = WS_OK;
    snprintf(launch, sizeof launch, "%lld", (long long)sqlite3_column_int64(row, 2) + 1);
    for (collection *x = c; x && status == WS_OK; x = x->also, g++) {
        status = find_group(x, workload, kernel, ws_store_text(row, 5), launch, g);
        if (status == WS_OK)
            status = note_kernel(x, *g, kernel);
        if (status == WS_OK) {
            (*g)->seconds += sqlite3_column_double(row, 3);
            (*g)->launches++;
        }
    }
    return status;
}

static int add_run(collection *c, int64_t run, const char *workload)
{
    sqlite3_stmt *row;
    bool more = true;
    for (collection *x = c; x; x = x->also)
        x->first = x->groups;
    int status = ws_store_prepare(c->store, &row,
                                  "SELECT id, coalesce(title, kernel), sequence, seconds, weight, kernel FROM launch"
                                  " WHERE run = ? AND measured ORDER BY sequence, id",
                                  "i", run);
    while (status == WS_OK && (status = ws_store_step(c->store, row, &more)) == WS_OK && more) {
        group *g[WS_PER_WORKLOAD + 1];
        status = find_groups(c, workload, row, g);
        if (status == WS_OK)
            status = add_launch(c, g, sqlite3_column_int64(row, 0), sqlite3_column_double(row, 4));
    }
    sqlite3_finalize(row);
    return status;
}

static int note_run(ws_frame *notes, sqlite3_stmt *row, const char *how)
{
    const char *const workload = ws_store_text(row, 1);
    int status = ws_frame_note(notes, "run: %s scale=%s seed=%s version=%s command=%s%s%s%s", workload,
                               ws_store_text(row, 2), ws_store_text(row, 3), ws_store_text(row, 5),
                               ws_store_text(row, 4), *how ? " (" : "", how, *how ? ")" : "");
    if (status == WS_OK && *ws_store_text(row, 9))
        status = ws_frame_note(notes, "selected: %s: launches measured: %s", workload, ws_store_text(row, 9));
    if (status == WS_OK && *ws_store_text(row, 10))
        status = ws_frame_note(notes, "sampled: %s: %s", workload, ws_store_text(row, 10));
    return status;
}

/* Whether the launches of a run are shown, and how it ended, "" for well. Fails when it is damaged. */
static int is_shown(const ws_store *store, sqlite3_stmt *row, bool *shown, const char **how)
{
    const char *const outcome = ws_store_text(row, 6);
    const bool finished = sqlite3_column_type(row, 6) != SQLITE_NULL, partial = sqlite3_column_int(row, 8);
    *how = finished ? outcome : "not finished";
    *shown = partial || store->chosen || strcmp(outcome, "done") == 0;
    if (*shown && strcmp(outcome, "done") == 0)
        *how = "";
    const int64_t run = sqlite3_column_int64(row, 0);
    if (run == store->session->finished)
        return WS_OK;
    return finished ? ws_store_check_run(store, run, sqlite3_column_int64(row, 7))
                    : ws_store_check_launches(store, run);
}

int ws_store_next_shown(const ws_store *store, sqlite3_stmt *runs, bool *row)
{
    bool shown = false;
    const char *how;
    int status = WS_OK;
    while (status == WS_OK && !shown && (status = ws_store_step(store, runs, row)) == WS_OK && *row)
        status = is_shown(store, runs, &shown, &how);
    return status;
}

/* Walks the runs: finished ones become groups, the rest provenance. */
static int add_runs(collection *c, ws_frame *notes)
{
    sqlite3_stmt *row = NULL;
    bool more = true;
    int status = c->store->chosen ? ws_frame_note(notes, "chosen: run %lld", (long long)c->store->chosen) : WS_OK;
    if (status == WS_OK)
        status = ws_store_prepare_runs(c->store, &row);
    while (status == WS_OK && (status = ws_store_step(c->store, row, &more)) == WS_OK && more) {
        const char *const workload = ws_store_text(row, 1), *how;
        bool shown;
        status = is_shown(c->store, row, &shown, &how);
        if (status != WS_OK)
            break;
        if (!shown) {
            status = ws_frame_note(notes, "left out: %s: %s", workload, how);
            continue;
        }
        status = note_run(notes, row, how);
        if (status == WS_OK)
            status = add_run(c, sqlite3_column_int64(row, 0), workload);
    }
    sqlite3_finalize(row);
    return status;
}

/* A counter that one launch cannot know: how many different kernels a row combines. */
static void complete_counters(const ws_metric *metric, const group *g, double *counter)
{
    for (const ws_counter *c = metric->counters; c->name; counter += c->count ? c->count : 1, c++)
        if (strcmp(c->name, WS_COUNTER_DISTINCT) == 0)
            *counter = (double)g->distincts;
}

/* The family's columns of a group, or NaN when not every launch was counted by it. */
static void emit_family(const collection *c, const group *g, size_t family, double *value)
{
    const ws_metric *const m = c->metric[family];
    const size_t n = ws_metric_columns(m);
    for (size_t i = 0; i < n; i++)
        value[i] = NAN;
    if (g->counter[family] && g->counted[family] == g->launches) {
        complete_counters(m, g, g->counter[family]);
        m->emit(g->counter[family], value);
        if (c->store->fractions)
            ws_metric_make_fractions(m, value);
    }
}

static int fill_labels(ws_frame *frame, size_t row, const group *g)
{
    const char *const text[] = {g->workload, g->kernel, g->launch};
    const size_t last = frame->labels - 1;
    int status = WS_OK;
    for (size_t i = 0; i < frame->labels && status == WS_OK; i++)
        status = ws_frame_set_label(frame, row, i, i && i == last ? g->mangled : text[i]);
    return status;
}

/* Columns that nobody counted for a row are missing; says so once a workload and family. */
static int note_missing(const collection *c, ws_frame *frame, const group *g, const group *before)
{
    int status = WS_OK;
    for (size_t i = 0; i < c->families && status == WS_OK; i++) {
        const bool missing = c->wanted[i] && g->counted[i] < g->launches;
        const bool said = before && before->counted[i] < before->launches && !strcmp(before->workload, g->workload);
        if (missing && !said)
            status = ws_frame_note(frame, "missing: %s was not measured for %s", c->metric[i]->sink.name, g->workload);
    }
    return status;
}

static int fill_row(const collection *c, const ws_layout *layout, ws_frame *frame, size_t row, size_t lead)
{
    const group *const g = &c->group[row];
    double *const out = frame->value + row * frame->columns;
    int status = fill_labels(frame, row, g);
    if (lead)
        out[0] = g->seconds;
    for (size_t family = 0; family < c->families && status == WS_OK; family++) {
        double *const value = malloc((ws_metric_columns(c->metric[family]) + 1) * sizeof *value);
        if (!value)
            return no_memory(c);
        emit_family(c, g, family, value);
        for (size_t i = 0; i < layout->columns; i++)
            if (layout->column[i].family == family)
                out[lead + i] = value[layout->column[i].value];
        free(value);
    }
    return status == WS_OK ? note_missing(c, frame, g, row ? g - 1 : NULL) : status;
}

static const char *unit_of(const collection *c, const ws_layout_column *column)
{
    return column->histogram && c->store->fractions ? WS_UNIT_FRACTION : column->unit;
}

/* What the rows are, before the notes of their runs. */
static int note_head(const collection *c, ws_frame *frame, const char *set)
{
    int status = ws_frame_note(frame, "tool: warpscape %s", WS_VERSION);
    if (status == WS_OK)
        status = ws_frame_note(frame, "metrics: %s per %s", set ? set : "all", ws_per_words[c->per]);
    return status == WS_OK && c->store->fractions ? ws_frame_note(frame, WS_NOTE_FRACTIONS) : status;
}

static int make_frame(const collection *c, const ws_layout *layout, const char *set, bool time, const ws_frame *notes,
                      ws_frame **out)
{
    /* The name in the program comes last, of rows that have a kernel. */
    const bool launches = c->per == WS_PER_LAUNCH;
    const char *const labels[] = {"workload", "kernel", launches ? "launch" : WS_FRAME_MANGLED, WS_FRAME_MANGLED};
    const size_t lead = time, width = launches ? 4 : c->per == WS_PER_KERNEL ? 3 : 1;
    ws_frame *const frame = ws_frame_create(c->groups, lead + layout->columns, width, labels);
    if (!frame)
        return no_memory(c);
    int status = note_head(c, frame, set);
    if (status == WS_OK && time)
        status = ws_frame_set_column(frame, 0, "seconds", "s", "time");
    for (size_t i = 0; i < layout->columns && status == WS_OK; i++)
        status = ws_frame_set_column(frame, lead + i, layout->column[i].name, unit_of(c, &layout->column[i]),
                                     layout->column[i].group);
    for (size_t i = 0; i < notes->notes && status == WS_OK; i++)
        status = ws_frame_note(frame, "%s", notes->note[i]);
    for (size_t i = 0; i < c->groups && status == WS_OK; i++)
        status = fill_row(c, layout, frame, i, lead);
    return ws_frame_give(status, frame, out);
}

void ws_store_show_fractions(ws_store *store)
{
    store->fractions = true;
}

/* The features in place of the columns that they are made of. */
static int make_features(ws_frame **frame)
{
    ws_frame *const all = *frame;
    const int status = ws_performance_frame(all, frame);
    ws_frame_destroy(all);
    if (status != WS_OK)
        *frame = NULL;
    return status;
}

const char *const ws_per_words[] = {
    [WS_PER_LAUNCH] = "launch", [WS_PER_KERNEL] = "kernel", [WS_PER_WORKLOAD] = "workload", NULL};

/* Makes one frame of the same launches for each place of `out`, by ws_per. Call within a transaction. */
static int frames_within(const ws_store *store, const char *set, bool time, ws_frame **const out[])
{
    collection c[WS_PER_WORKLOAD + 1] = {0};
    ws_layout layout = {0};
    size_t n = 0;
    ws_frame *const notes = ws_frame_create(0, 0, 1, NULL);
    int status = notes ? ws_layout_init(set, &layout) : ws_fail(WS_EMEM, "%s: no memory for the frame", store->path);
    for (int per = WS_PER_LAUNCH; per <= WS_PER_WORKLOAD && status == WS_OK; per++) {
        if (!out[per])
            continue;
        status = collection_init(&c[n], store, (ws_per)per, set);
        if (n++)
            c[n - 2].also = &c[n - 1];
    }
    if (status == WS_OK)
        status = read_knowns(&c[0]);
    if (status == WS_OK)
        status = add_runs(&c[0], notes);
    for (size_t i = 0; i < n && status == WS_OK; i++)
        status = make_frame(&c[i], &layout, set, time, notes, out[c[i].per]);
    for (size_t i = 0; i < n; i++)
        collection_fini(&c[i]);
    ws_layout_fini(&layout);
    ws_frame_destroy(notes);
    return status;
}

int ws_store_frames_of(const ws_store *store, int64_t run, ws_frame **kernels, ws_frame **workload)
{
    ws_store alone = *store; /* as if that run had been chosen */
    ws_frame **const out[] = {[WS_PER_LAUNCH] = NULL, [WS_PER_KERNEL] = kernels, [WS_PER_WORKLOAD] = workload};
    alone.chosen = run;
    alone.fractions = false;
    *kernels = *workload = NULL;
    return frames_within(&alone, NULL, false, out);
}

int ws_store_frame(ws_store *store, ws_per per, const char *set, bool time, ws_frame **out)
{
    ws_frame **outs[WS_PER_WORKLOAD + 1] = {NULL};
    *out = NULL;
    outs[per] = out;
    int status = ws_store_begin_reading(store);
    if (status != WS_OK)
        return status;
    status = ws_store_end(store, frames_within(store, set, time, outs));
    if (status == WS_OK && set && strcmp(set, WS_SET_PERFORMANCE) == 0)
        return make_features(out);
    if (status != WS_OK) {
        ws_frame_destroy(*out);
        *out = NULL;
    }
    return status;
}
