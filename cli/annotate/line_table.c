/* line_table.c - see line_table.h. */
#include "cli/annotate/line_table.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

void ws_line_sums_add(ws_line_sums *s, const ws_listed *row)
{
    const uint64_t issues = row->count[WS_COUNT_issues];
    for (unsigned c = 0; c < WS_COUNTS; c++)
        s->count[c] += row->count[c];
    s->requests += row->count[WS_COUNT_sectors] ? issues : 0;
    s->shared_requests += row->count[WS_COUNT_passes] ? issues : 0;
    s->branches += row->cls == WS_CLASS_BRANCH ? issues : 0;
}

static int by_line(const void *a, const void *b)
{
    const ws_source_line *const x = a, *const y = b;
    const int order = strcmp(x->file, y->file);
    return order ? order : x->line < y->line ? -1 : x->line > y->line;
}

static int by_place(const void *a, const void *b)
{
    const ws_source_line *const x = a, *const y = b;
    const int order = by_line(a, b);
    return order ? order : x->place < y->place ? -1 : x->place > y->place;
}

/* Of sorted lines: one a line of the source. */
static void join(ws_line_table *t)
{
    size_t kept = 0;
    for (size_t i = 0; i < t->lines; i++)
        if (!kept || by_line(&t->line[kept - 1], &t->line[i]))
            t->line[kept++] = t->line[i];
    t->lines = kept;
}

static int by_issues(const void *a, const void *b)
{
    const ws_source_lines *const x = a, *const y = b;
    return x->issues != y->issues ? (x->issues < y->issues ? 1 : -1) : x->first < y->first ? -1 : x->first > y->first;
}

static void find_files(ws_line_table *t)
{
    for (size_t i = 0; i < t->lines; i++) {
        if (!i || strcmp(t->line[i].file, t->line[i - 1].file))
            t->file[t->files++] = (ws_source_lines){.file = t->line[i].file, .first = i};
        t->file[t->files - 1].end = i + 1;
        t->file[t->files - 1].issues += t->line[i].sums.count[WS_COUNT_issues];
    }
    qsort(t->file, t->files, sizeof *t->file, by_issues);
}

int ws_line_table_make(const ws_listing *l, ws_line_table *t)
{
    *t = (ws_line_table){
        .listing = l, .line = calloc(l->rows + 1, sizeof *t->line), .file = calloc(l->rows + 1, sizeof *t->file)};
    if (!t->line || !t->file)
        return ws_fail(WS_EMEM, "no memory for the lines of a kernel");
    for (size_t i = 0; i < l->rows; i++) {
        const ws_listed *const row = &l->row[i];
        ws_line_sums_add(&t->all, row);
        if (row->place)
            t->line[t->lines++] = (ws_source_line){
                .file = l->place[row->place].file, .line = l->place[row->place].line, .place = row->place};
        else
            ws_line_sums_add(&t->unknown, row);
    }
    qsort(t->line, t->lines, sizeof *t->line, by_place);
    join(t);
    for (size_t i = 0; i < l->rows; i++) {
        ws_source_line *const line = (ws_source_line *)ws_line_table_of(t, &l->row[i]);
        if (line)
            ws_line_sums_add(&line->sums, &l->row[i]);
    }
    find_files(t);
    return WS_OK;
}

void ws_line_table_fini(ws_line_table *t)
{
    free(t->line);
    free(t->file);
    *t = (ws_line_table){0};
}

const ws_source_line *ws_line_table_of(const ws_line_table *t, const ws_listed *row)
{
    if (!row->place)
        return NULL;
    const ws_place *const at = &t->listing->place[row->place];
    const ws_source_line key = {.file = at->file, .line = at->line};
    return bsearch(&key, t->line, t->lines, sizeof key, by_line);
}

const char *ws_lines_wanted(ws_isa isa)
{
    return ws_isa_is_sass(isa) ? "-lineinfo (nvcc), and trace with TRACE_LINEINFO=1"
                               : "-lineinfo (nvcc) or -gline-tables-only (clang)";
}
