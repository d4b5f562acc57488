/* hot_lines.c - which lines of each kernel run most, with what stands in them, as a frame? */
#include "cli/annotate/hot_lines.h"
#include "cli/annotate/measure.h"
#include "base/source_file.h"

#include "base/grow.h"
#include "base/shown.h"
#include "base/status.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LABELS = 5, COLUMNS = 1 + WS_MEASURES };

typedef struct hot { /* a line, or an instruction of a kernel whose lines are not known */
    const ws_source_line *line;
    const ws_listed *instruction;
    ws_line_sums sums;
} hot;

typedef struct source_of { /* a source as a run had it */
    char *path;
    int64_t run;
} source_of;

typedef struct gathering {
    ws_store *store;
    char *label; /* one text behind another, each with its NUL: LABELS of each row */
    size_t used, room;
    double *value; /* COLUMNS of each row */
    size_t values, value_room, rows;
    source_of last; /* what was read last */
    ws_source_file source;
    source_of *dropped; /* sources that are not shown, and not read again */
    size_t drops, drop_room;
} gathering;

/* ------------------------------------------------------------------------------------------------ choosing */

static int by_issues(const void *a, const void *b)
{
    const hot *const x = a, *const y = b;
    const uint64_t mine = x->sums.count[WS_COUNT_issues], other = y->sums.count[WS_COUNT_issues];
    return mine != other        ? (mine < other ? 1 : -1)
           : x->line != y->line ? (x->line < y->line ? -1 : 1)
                                : (x->instruction < y->instruction ? -1 : 1);
}

static size_t list_lines(const ws_line_table *table, hot *out)
{
    for (size_t i = 0; i < table->lines; i++)
        out[i] = (hot){.line = &table->line[i], .sums = table->line[i].sums};
    return table->lines;
}

static size_t list_instructions(const ws_listing *listing, hot *out)
{
    for (size_t i = 0; i < listing->rows; i++) {
        out[i] = (hot){.instruction = &listing->row[i]};
        ws_line_sums_add(&out[i].sums, &listing->row[i]);
    }
    return listing->rows;
}

/* ------------------------------------------------------------------------------------------------ what stands there */

static bool is_dropped(const gathering *g, int64_t run, const char *path)
{
    for (size_t i = 0; i < g->drops; i++)
        if (g->dropped[i].run == run && !strcmp(g->dropped[i].path, path))
            return true;
    return false;
}

/* Says why, if `why` is not NULL: once for each file, however many runs had it. */
static int drop(gathering *g, int64_t run, const char *path, const char *why)
{
    for (size_t i = 0; i < g->drops; i++)
        if (!strcmp(g->dropped[i].path, path))
            why = NULL;
    if (why)
        ws_show_line(stderr, "warpscape: %s", why);
    char *const copy = strdup(path);
    if (!copy || WS_GROW(g->dropped, g->drop_room, g->drops, 1)) {
        free(copy);
        return ws_fail(WS_EMEM, "out of memory");
    }
    g->dropped[g->drops++] = (source_of){copy, run};
    ws_source_file_fini(&g->source);
    return WS_OK;
}

/* The source as it was when the program ran, or an empty one: a text that may be another is none. */
static int open_source(gathering *g, int64_t run, const char *path)
{
    uint64_t fingerprint = 0;
    bool known = false;
    if (g->last.path && g->last.run == run && !strcmp(g->last.path, path))
        return WS_OK;
    free(g->last.path);
    ws_source_file_fini(&g->source);
    g->last = (source_of){strdup(path), run};
    if (!g->last.path)
        return ws_fail(WS_EMEM, "out of memory");
    if (is_dropped(g, run, path))
        return WS_OK;
    int status = ws_store_source(g->store, run, path, &fingerprint, &known);
    if (status)
        return status;
    status = ws_source_file_find(path, known ? &fingerprint : NULL, &g->source);
    if (status == WS_EMEM)
        return status;
    if (known && g->source.fingerprint == fingerprint)
        return WS_OK;
    return drop(g, run, path, status == WS_EUNSUPPORTED ? ws_message() : NULL);
}

static int add_label(gathering *g, const char *text)
{
    const size_t size = strlen(text) + 1;
    if (WS_GROW(g->label, g->room, g->used, size))
        return WS_EMEM;
    memcpy(g->label + g->used, text, size);
    g->used += size;
    return WS_OK;
}

static int add_row(gathering *g, const ws_summary_kernel *k, const hot *h)
{
    char number[16];
    const char *file = "", *text = h->instruction ? h->instruction->text : "";
    const uint32_t line = h->line ? h->line->line : h->instruction->line;
    int status = WS_GROW(g->value, g->value_room, g->values, COLUMNS) ? WS_EMEM : WS_OK;
    if (!status && h->line) {
        file = h->line->file;
        status = open_source(g, k->run, file);
        if (!status && line >= 1 && line <= g->source.lines)
            text = g->source.line[line - 1];
    }
    snprintf(number, sizeof number, "%" PRIu32, line);
    const char *const label[LABELS] = {k->workload, k->title, file, number, text};
    for (size_t l = 0; l < LABELS && !status; l++)
        status = add_label(g, label[l]);
    if (status)
        return status;
    g->value[g->values] = (double)h->sums.count[WS_COUNT_issues];
    ws_measures(&h->sums, &k->table.all, g->value + g->values + 1);
    g->values += COLUMNS;
    g->rows++;
    return WS_OK;
}

static int add_kernel(gathering *g, const ws_summary_kernel *k, size_t most)
{
    if (!k->listing)
        return WS_OK;
    hot *const all = calloc(k->table.lines + k->listing->rows + 1, sizeof *all);
    if (!all)
        return ws_fail(WS_EMEM, "out of memory");
    const size_t n = k->table.lines ? list_lines(&k->table, all) : list_instructions(k->listing, all);
    qsort(all, n, sizeof *all, by_issues);
    int status = WS_OK;
    for (size_t i = 0; i < n && i < most && !status && all[i].sums.count[WS_COUNT_issues]; i++)
        status = add_row(g, k, &all[i]);
    free(all);
    return status;
}

/* ------------------------------------------------------------------------------------------------ frame */

static int make_frame(const gathering *g, ws_frame **out)
{
    static const char *const labels[LABELS] = {"workload", "kernel", "file", "line", "text"};
    ws_frame *const frame = *out = ws_frame_create(g->rows, COLUMNS, LABELS, labels);
    int status = frame ? ws_frame_set_column(frame, 0, ws_count_table[WS_COUNT_issues].name,
                                             ws_count_table[WS_COUNT_issues].unit, "counts")
                       : ws_fail(WS_EMEM, "out of memory");
    for (unsigned m = 0; m < WS_MEASURES && !status; m++)
        status = ws_frame_set_column(frame, 1 + m, ws_measure_table[m].name, ws_measure_table[m].unit, "measures");
    const char *text = g->label;
    for (size_t i = 0; i < g->rows * LABELS && !status; i++, text += strlen(text) + 1)
        status = ws_frame_set_label(frame, i / LABELS, i % LABELS, text);
    if (!status && g->rows)
        memcpy(frame->value, g->value, g->values * sizeof *g->value);
    return status;
}

int ws_hot_lines_frame(const ws_summary *summary, ws_store *store, size_t most, ws_frame **out)
{
    gathering g = {.store = store};
    int status = WS_OK;
    *out = NULL;
    for (size_t i = 0; i < summary->kernels && !status; i++)
        status = add_kernel(&g, &summary->kernel[i], most);
    if (!status)
        status = make_frame(&g, out);
    for (size_t i = 0; i < g.drops; i++)
        free(g.dropped[i].path);
    free(g.dropped);
    free(g.last.path);
    ws_source_file_fini(&g.source);
    free(g.label);
    free(g.value);
    return status;
}
